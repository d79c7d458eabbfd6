"""A ledger in one file, for whoever checks it elsewhere: JSON lines, compressed where the name ends in `.gz`.

Rows are written as they are stored, right or wrong: it is for `verifying` to say which. The file appears whole or not
at all. What stands in it is said in `ledger_file`.
"""

from __future__ import annotations

import gzip
import json
import os
import secrets
import stat
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, TypeAlias
from urllib.parse import unquote

from croupier.errors import CroupierError, UnknownName
from croupier.progressive.checkpoints import SignedCheckpoint, reason
from croupier.progressive.cutting import row_line
from croupier.progressive.export_target import check_target
from croupier.progressive.ledger import GENESIS
from croupier.progressive.ledger_file import (
    FORMAT,
    SITE,
    TICK_EVERY,
    VERSION,
    Ending,
    RawRow,
    Reader,
    Tick,
    checkpoint_line,
    quiet,
    read_checkpoints,
)
from croupier.progressive.store import Row, Store, StoreError, open_store

__all__ = [
    "SITE",
    "Ending",
    "RawRow",
    "Reader",
    "Tick",
    "checkpoint_line",
    "chosen_streams",
    "export",
    "link_stream",
    "open_existing",
    "quiet",
    "read_checkpoints",
]


Upto: TypeAlias = Mapping[str, int | None]
"""Books in their order, and the entry up to which each is written; to its end where none is named."""


def link_stream(name: str) -> str:
    return f"link:{name}"


def open_existing(url: str) -> Store:
    """A store that is there already, to read as it is; a mistyped name must not make a new one."""
    scheme, _, rest = url.partition("://")
    if scheme == "sqlite" and rest.startswith("/"):
        _check_there(unquote(rest[1:]))
    return open_store(url, read_only=True)


def _check_there(name: str) -> None:
    try:
        there = Path(name).is_file()
    except (OSError, ValueError) as error:
        raise StoreError(f"The store at {name!r} cannot be read: {reason(error)}.") from None
    if not there:
        raise StoreError(f"There is no store at {name!r}.")


def chosen_streams(store: Store, link: str | None) -> list[str]:
    """The books of a store, the site's first because the others are held against it; or the one of a link."""
    streams = sorted(store.streams(), key=lambda name: (name != SITE, name))
    if link is None:
        if not streams:
            raise StoreError("The store holds no books yet.")
        return streams
    if link_stream(link) not in streams:
        raise UnknownName("link", link, (each.removeprefix("link:") for each in streams if each.startswith("link:")))
    return [link_stream(link)]


# Writing


def export(
    store: Store,
    streams: Sequence[str],
    path: Path,
    checkpoints: Sequence[SignedCheckpoint] = (),
    tick: Tick = quiet,
    *,
    ends: Mapping[str, int] | None = None,
    force: bool = False,
) -> list[Ending]:
    """Write the books to a file, all of it or nothing; `tick` hears how many rows were written since it last heard.

    With `ends`, each book is written up to that entry: those of one moment make a file of one moment. A file that is
    there and is no ledger is written over only by `force`; one of the store, or a key, never.
    """
    target = check_target(path, getattr(store, "path", None), force=force)
    try:
        upto = {stream: (ends or {}).get(stream) for stream in streams}
        return _write(store, upto, target, checkpoints, tick)
    except (OSError, ValueError) as error:
        raise CroupierError(f"The file {str(path)!r} cannot be written: {reason(error)}.") from None


def _write(
    store: Store, streams: Upto, target: Path, checkpoints: Sequence[SignedCheckpoint], tick: Tick
) -> list[Ending]:
    draft = target.with_name(f".{target.name}.{secrets.token_hex(8)}.draft")
    mode = stat.S_IMODE(target.stat().st_mode) & ~stat.S_IWOTH if target.exists() else 0o644
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            if target.suffix == ".gz":
                with gzip.GzipFile("", "wb", 6, file, mtime=0) as packed:
                    endings = _write_books(store, streams, packed, checkpoints, tick)
            else:
                endings = _write_books(store, streams, file, checkpoints, tick)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, target)
    except BaseException:  # Ctrl-C too must not leave a draft behind
        draft.unlink(missing_ok=True)
        raise
    return endings


def _write_books(
    store: Store,
    streams: Upto,
    file: IO[bytes] | gzip.GzipFile,
    checkpoints: Sequence[SignedCheckpoint],
    tick: Tick,
) -> list[Ending]:
    kept = [each for each in checkpoints if each.checkpoint.stream in streams]
    keys = sorted({each.key for each in kept})
    header = {"format": FORMAT, "version": VERSION, "streams": list(streams), "keys": keys, "checkpoints": len(kept)}
    file.write(_line(header))
    for each in kept:
        file.write(_line(each.as_json()))
    endings = []
    for stream, end in streams.items():
        file.write(_line({"stream": stream}))
        endings.append(_write_rows(stream, store.rows(stream, limit=end), file, tick))
        file.write(_line(endings[-1].as_json()))
    return endings


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def _write_rows(stream: str, rows: Iterable[Row], file: IO[bytes] | gzip.GzipFile, tick: Tick) -> Ending:
    entries, digest, configuration = 0, GENESIS, ""
    for row in rows:
        file.write(row_line(row.digest.encode(), row.body.encode()))
        entries, digest = entries + 1, row.digest
        if row.kind in ("make", "reconfigure"):
            configuration = _configuration(row, configuration)
        if entries % TICK_EVERY == 0:
            tick(TICK_EVERY)
    return Ending(stream, entries, digest, configuration)


def _configuration(row: Row, before: str) -> str:
    try:
        return str(json.loads(row.body)["facts"]["configuration"])
    except (ValueError, KeyError, TypeError):
        return before  # a damaged row goes in the file as it is
