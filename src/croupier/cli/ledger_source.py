"""Where `croupier ledger` reads a book from: a store, or an exported file."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.errors import CroupierError, NotationError, RecordError, UnknownName

if TYPE_CHECKING:
    from croupier.progressive.export import RawRow
    from croupier.progressive.store import Store

DATABASE = b"SQLite format 3\0"


def opened_store(url: str, *, guarded: bool = False) -> Store:
    """A store to read. That its entries can be changed is a warning; where it must be `guarded`, it is refused."""
    from croupier.progressive.export import open_existing
    from croupier.progressive.store import StoreError

    if "://" not in url:
        raise _no_address(url)
    store = open_existing(url)
    try:
        store.check_guarded()
    except StoreError as error:
        if guarded:
            store.close()
            raise
        print(f"croupier: warning: {error}", file=sys.stderr)
    except BaseException:
        store.close()
        raise
    return store


def file_of(url: str) -> Path | None:
    """The file that a store is kept in."""
    from urllib.parse import unquote

    return Path(unquote(url.removeprefix("sqlite:///"))) if url.startswith("sqlite:///") else None


@contextmanager
def book(
    source: str, link: str | None, *, site: bool = False, guarded: bool = False
) -> Iterator[tuple[str, Iterator[RawRow]]]:
    """A link's book, from a store or from an exported file; or the site's, from a store."""
    from croupier.progressive.export import SITE

    if "://" not in source and not site and not guarded:
        yield _of_file(_ledger(source), link)
        return
    with opened_store(source, guarded=guarded) as opened:
        streams = opened.streams()
        if site and SITE not in streams:
            raise CroupierError("There is no book of a site in the store yet.")
        stream = SITE if site else _one(streams, link)
        yield stream, ((row.digest, row.body.encode()) for row in opened.rows(stream))


def zone_of(source: str, at: str) -> str:
    """The time zone of the site at a moment, where its book is there and right as far as it goes; else UTC."""
    from croupier.progressive.site_checking import SiteCheck

    check = SiteCheck()
    try:
        for digest, body in _site_rows(source):
            check.take(digest, body)
    except RecordError as error:
        raise RecordError(f"The site's book, which says the time zone, is not right: {error}") from None
    zones = [place.zone for place in check.roster.places if place.since <= at]
    return (zones or [place.zone for place in check.roster.places[:1]] or ["UTC"])[-1]


def clock_of(source: str) -> tuple[str, int] | None:
    """The site's time zone and the hour at which its gaming days begin, as set last; none without the site's book."""
    found: tuple[str, int] | None = None
    for _, body in _site_rows(source):
        if b'"kind":"create-site"' in body or b'"kind":"set-clock"' in body:
            row = json.loads(body)
            if row["kind"] in ("create-site", "set-clock"):
                found = row["facts"]["zone"], row["facts"]["day_begins"]
    return found


def _site_rows(source: str) -> Iterator[RawRow]:
    from croupier.progressive.export import SITE, Reader, open_existing

    if "://" in source:
        with open_existing(source) as opened:
            if SITE in opened.streams():
                yield from ((row.digest, row.body.encode()) for row in opened.rows(SITE))
        return
    reader = Reader(Path(source))
    with closing(reader.books()) as books:
        for stream, rows in books:
            if stream == SITE:
                yield from rows
            if SITE not in reader.streams or stream == SITE:
                return
            for _ in rows:
                pass


# Files


def _no_address(name: str) -> NotationError:
    from croupier.progressive.export_target import is_ledger

    if is_ledger(Path(name)):
        return NotationError(f"{name!r} is an exported ledger, and this needs the store: sqlite:///floor.db.")
    return NotationError(f"A store is named by its address: write sqlite:///{name}, not {name!r}.")


def _ledger(source: str) -> Path:
    """A file that may be an exported ledger; a store is named by its address."""
    path, is_there = Path(source), True
    try:
        with path.open("rb") as file:
            is_store = file.read(len(DATABASE)) == DATABASE
    except (OSError, ValueError):
        is_store, is_there = path.suffix == ".db", False
    if is_store:
        what = "is a store, not an exported ledger" if is_there else "is not there as an exported ledger"
        raise NotationError(f"{source!r} {what}: a store is written sqlite:///{source}.")
    return path


def _of_file(path: Path, link: str | None) -> tuple[str, Iterator[RawRow]]:
    from croupier.progressive.export import Reader

    reader = Reader(path)
    books = reader.books()
    stream, rows = next(books, ("", iter(())))
    wanted = _one(reader.streams, link)
    while stream != wanted:
        for _ in rows:
            pass
        stream, rows = next(books)
    return stream, _kept_open(books, rows)


def _kept_open(books: Iterator[Any], rows: Iterator[RawRow]) -> Iterator[RawRow]:
    """The rows, with their file open until they are read."""
    yield from rows
    del books


def _one(streams: list[str], link: str | None) -> str:
    """The stream of a link; of the only one where none is named."""
    names = sorted(stream.removeprefix("link:") for stream in streams if stream.startswith("link:"))
    if link is None:
        if len(names) != 1:
            known = f"there are {', '.join(names)}: name one with --link" if names else "there is none"
            raise NotationError(f"There is not exactly one link here; {known}.")
        return f"link:{names[0]}"
    if link not in names:
        raise UnknownName("link", link, names)
    return f"link:{link}"
