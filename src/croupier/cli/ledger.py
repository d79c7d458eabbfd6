"""`croupier ledger`: the book of a progressive in one file, checked by anybody, and told to those it is about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.app import app
from croupier.cli.console import print_json, progress
from croupier.errors import CroupierError, NotationError, UnknownName

if TYPE_CHECKING:
    from croupier.progressive.export import RawRow

WRONG = 1

commands = typer.Typer(help="The book of a progressive: exported, verified, balanced, explained.")
keys = typer.Typer(help="Keys that sign the end of a day.")
commands.add_typer(keys, name="key")
app.add_typer(commands, name="ledger")


def _option(name: str, help_: str) -> Any:
    return typer.Option(name, help=help_)


Source = Annotated[str, _option("--store", "sqlite:///floor.db, postgresql://host/floor, or an exported FILE.")]
StoreUrl = Annotated[str, _option("--store", "sqlite:///floor.db or postgresql://host/floor.")]
Link = Annotated[str | None, _option("--link", "The link's name; may be left out where there is one.")]
AsJson = Annotated[bool, _option("--json", "Print for programs.")]


@commands.command()
def export(
    *,
    store: StoreUrl,
    link: Annotated[str | None, _option("--link", "Only this link; all books.")] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="FILE.jsonl, or FILE.jsonl.gz to compress it.")],
    checkpoints: Annotated[Path | None, _option("--checkpoints", "A file of signed checkpoints to put in.")] = None,
    as_json: AsJson = False,
) -> None:
    """Write the books of a store to one file, with every entry as it is stored."""
    from croupier.progressive.export import chosen_streams, open_existing, read_checkpoints
    from croupier.progressive.export import export as write

    signed = read_checkpoints(checkpoints) if checkpoints else []
    with open_existing(store) as opened:
        streams = chosen_streams(opened, link)
        with progress("exporting", 0) as tick:
            endings = write(opened, streams, output, signed, tick, ends=opened.ends())
    if as_json:
        return print_json([ending.as_json() for ending in endings])
    for ending in endings:
        print(f"{ending.stream}: {ending.entries:,} entries, the last with digest {ending.digest}.")
    print(f"The ledger is in {output}. Check it with: croupier ledger verify {output}")


@commands.command()
def verify(
    file: Annotated[Path, typer.Argument(help="An exported ledger.")],
    *,
    key: Annotated[
        Path | None, _option("--key", "The site's public key: every book must have a checkpoint, all signed with it.")
    ] = None,
    strict: Annotated[bool, _option("--strict", "End with 1 also where the file leaves something unproved.")] = False,
    as_json: AsJson = False,
) -> None:
    """Check an exported ledger with nothing but the file: every digest, act, amount and balance."""
    from croupier.cli.ledger_tables import print_report
    from croupier.progressive.checkpoints import read_public
    from croupier.progressive.verifying import verify as check

    public = read_public(key) if key else None
    size = file.stat().st_size if file.is_file() else 0
    with progress("verifying", size) as tick:
        report = check(file, key=public, tick=tick)
    if as_json:
        print_json({"file": file.name, **report.as_json()})
    else:
        print_report(file.name, report)
    if not report.right or (strict and report.unproved):
        raise typer.Exit(WRONG)


@commands.command()
def balance(
    *,
    store: Source,
    link: Link = None,
    day: Annotated[str | None, _option("--day", "Only this day (UTC), as 2026-11-15; all time.")] = None,
    as_json: AsJson = False,
) -> None:
    """Prove the meters: opening and everything that flowed since, against what is on them. Each row is checked."""
    from croupier.cli.ledger_tables import print_proofs
    from croupier.progressive.verifying import balance as prove
    from croupier.progressive.verifying import read_day

    when = read_day(day) if day else None
    with _book(store, link) as (stream, rows), progress("reading", 0):
        check, proofs = prove(stream, rows, when)
    if as_json:
        levels = [each.as_json() for each in proofs]
        return print_json({"stream": stream, "day": day, "entries": check.entries, "levels": levels})
    if not proofs:
        raise CroupierError(f"{stream} had no meters{f' by the end of {day}' if day else ''}.")
    print_proofs(f"{stream}, {day or 'all time'}, {check.entries:,} entries", proofs)


@commands.command()
def explain(
    award: Annotated[int, typer.Argument(help="The award's number: that of the entry of its hand.")],
    *,
    store: Source,
    link: Link = None,
    as_json: AsJson = False,
) -> None:
    """Tell why an award was that amount, on a page that a player can read. Every row is checked first."""
    from croupier.progressive.explaining import explain as tell
    from croupier.progressive.explaining import story

    if award < 1:
        raise NotationError(f"Awards are numbered from 1, not {award}.")
    with _book(store, link) as (stream, rows):
        name = stream.removeprefix("link:")
        told = tell(name, story(name, rows, award))
    if as_json:
        print_json(told.as_json())
    else:
        print(told.page())


@commands.command()
def checkpoint(
    *,
    store: StoreUrl,
    link: Link = None,
    site: Annotated[bool, _option("--site", "Sign the site's own book, not a link's.")] = False,
    day: Annotated[str, _option("--day", "The day that is over (UTC), as 2026-11-15.")],
    key: Annotated[Path, _option("--key", "The private key: croupier ledger key new FILE makes one.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The file of checkpoints; this one is added to it.")],
    grace: Annotated[
        int, typer.Option(min=0, max=1440, help="Minutes after midnight to wait where no later entry has come yet.")
    ] = 10,
    reason: Annotated[str, _option("--reason", "Why a day is signed again that had one more entry.")] = "",
) -> None:
    """Sign where a book stood at the end of a day. Every row up to there is checked first."""
    from croupier.cli.files import write_bytes
    from croupier.progressive.checkpoints import read_private
    from croupier.progressive.days import checkpoint_on, read_day, superseding
    from croupier.progressive.export import checkpoint_line, read_checkpoints
    from croupier.progressive.writer import utc_now

    when, private = read_day(day), read_private(key)
    if site and link:
        raise NotationError("Either the site's book is signed or a link's: --site and --link do not go together.")
    kept = read_checkpoints(output) if output.exists() else []
    with _book(store, link, site=site) as (stream, rows):
        made = superseding(checkpoint_on(stream, rows, when, utc_now(), grace), kept, reason)
    write_bytes(output, b"".join(map(checkpoint_line, (*kept, made.signed(private)))))
    print(f"{stream} at the end of {day}: entry {made.number:,}, digest {made.digest}, signed, in {output}.")
    if made.supersedes:
        print(f"It supersedes the checkpoint at entry {made.supersedes:,}, which is kept: {made.reason}")


@keys.command()
def new(
    file: Annotated[Path, typer.Argument(help="Where the private key goes; the public one is put in FILE.pub.")],
) -> None:
    """Make a key pair (Ed25519) for signing checkpoints."""
    from croupier.progressive.checkpoints import fingerprint, new_key, public_hex, public_path

    key = new_key(file)
    print(f"The private key is in {file}, for its owner only: keep it away from the store.")
    print(f"The public key is in {public_path(file)}: {public_hex(key.public_key())}")
    print(f"Its fingerprint, as verify shows it: {fingerprint(public_hex(key.public_key()))}")


# Where a book is read from


@contextmanager
def _book(source: str, link: str | None, *, site: bool = False) -> Iterator[tuple[str, Iterator[RawRow]]]:
    """A link's book, from a store or from an exported file; or the site's, from a store."""
    from croupier.progressive.export import SITE, open_existing

    if "://" not in source:
        yield _of_file(Path(source), link)
        return
    with open_existing(source) as opened:
        streams = opened.streams()
        if site and SITE not in streams:
            raise CroupierError("There is no book of a site in the store yet.")
        stream = SITE if site else _one(streams, link)
        yield stream, ((row.digest, row.body.encode()) for row in opened.rows(stream))


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
