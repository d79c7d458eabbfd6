"""`croupier ledger`: the book of a progressive in one file, checked by anybody, and told to those it is about."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from croupier import files
from croupier.audit.balance import Adjusted, checkpoint_on, read_day, superseding
from croupier.audit.balance import balance as prove
from croupier.audit.explain import explain as tell
from croupier.audit.explain import story
from croupier.audit.export import check_not_kept, check_target, chosen_streams, is_ledger, open_existing
from croupier.audit.export import export as write
from croupier.audit.roster import SiteCheck
from croupier.audit.verify import BookReport, Report
from croupier.audit.verify import verify as check
from croupier.cli.app import app
from croupier.cli.console import console, plain, print_json, progress, table
from croupier.cli.options import AsJson, option, write_bytes
from croupier.errors import CroupierError, NotationError, RecordError, UnknownName
from croupier.files import sqlite_file
from croupier.floor.act import EntryKind
from croupier.games.money import dollars
from croupier.ledger.anchor import PURPOSE as ANCHOR_PURPOSE
from croupier.ledger.anchor import Anchor, SignedAnchor, read_anchors
from croupier.ledger.book import Flow, Proof
from croupier.ledger.checkpoint import (
    Checkpoint,
    SignedCheckpoint,
    fingerprint,
    new_key,
    public_hex,
    public_path,
    read_private,
    read_public,
)
from croupier.ledger.clock import utc_now
from croupier.ledger.entry import SITE
from croupier.ledger.file import Ending, Reader, checkpoint_line, read_checkpoints
from croupier.ledger.rows import RawRow, printable, read_head, read_row
from croupier.ledger.timestamp import read_certificates
from croupier.reports.period import BEGINS_H, ZONE, read_period
from croupier.reports.sheet import counted, level_title, money
from croupier.store.marks import why_behind
from croupier.store.store import Store, StoreError

# Where a book is read from: a store, or an exported file

DATABASE = b"SQLite format 3\0"
LARGEST_TEXT = 2**20


def opened_store(url: str, *, guarded: bool = False) -> Store:
    """A store to read. That its entries can be changed is a warning; where it must be `guarded`, it is refused."""
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
    file = sqlite_file(url)
    behind = why_behind(store, file.with_name(f"{file.name}.marks")) if file else ""
    if behind:
        print(f"croupier: warning: {behind}", file=sys.stderr)
    return store


def warn_of_altered(endings: Iterable[Ending]) -> None:
    """What stands in the file is what was hashed; that the store says something else beside it, people must know."""
    for ending in endings:
        if ending.altered:
            print(f"croupier: warning: {ending.why_altered}", file=sys.stderr)


@contextmanager
def book(
    source: str, link: str | None, *, site: bool = False, guarded: bool = False
) -> Iterator[tuple[str, Iterator[RawRow]]]:
    """A link's book, from a store or from an exported file; or the site's, from a store."""
    if "://" not in source and not site and not guarded:
        yield _of_file(_ledger(source), link)
        return
    with opened_store(source, guarded=guarded) as opened:
        streams = opened.streams()
        if site and SITE not in streams:
            raise CroupierError("There is no book of a site in the store yet.")
        stream = SITE if site else _one(streams, link)
        yield stream, (row.raw for row in opened.rows(stream))


def zone_of(source: str, at: str) -> str:
    """The time zone of the site at a moment, where its book is there and right as far as it goes; else UTC."""
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
    clock: tuple[str, int] | None = None
    for _, body in _site_rows(source):
        if read_head(body).kind in (EntryKind.CREATE_SITE, EntryKind.SET_CLOCK):
            facts = read_row(body).facts
            clock = facts["zone"], facts["day_begins"]
    return clock


def _site_rows(source: str) -> Iterator[RawRow]:
    if "://" in source:
        with open_existing(source) as opened:
            if SITE in opened.streams():
                yield from (row.raw for row in opened.rows(SITE))
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


WRONG = 1
UNIT = "1e-6 cent"
"""Of amounts in JSON."""

commands = typer.Typer(help="The book of a progressive: exported, verified, balanced, explained.")
keys = typer.Typer(help="Keys that sign the end of a day.")
commands.add_typer(keys, name="key")
app.add_typer(commands, name="ledger")


@commands.callback()
def _quietly(context: typer.Context) -> None:
    """A closed pipe, as of `| head`, ends the command without an error."""
    if hasattr(signal, "SIGPIPE") and sys.stdout is sys.__stdout__:
        before = signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        context.call_on_close(lambda: signal.signal(signal.SIGPIPE, before))


STORE, OUTPUT = ("--store", "--db"), ("--output", "--out", "-o")
Source = Annotated[str, option(*STORE, "sqlite:///floor.db, postgresql://host/floor, or an exported FILE.")]
StoreUrl = Annotated[str, option(*STORE, "sqlite:///floor.db or postgresql://host/floor.")]
Link = Annotated[str | None, option("--link", "The link's name; may be left out where there is one.")]


@commands.command()
def export(
    *,
    store: StoreUrl,
    link: Annotated[str | None, option("--link", "Only this link's book; without it, all books.")] = None,
    output: Annotated[Path, option(*OUTPUT, "FILE.jsonl, or FILE.jsonl.gz to compress it.")],
    checkpoints: Annotated[Path | None, option("--checkpoints", "A file of signed checkpoints to put in.")] = None,
    force: Annotated[
        bool, option("--force", "Write over a file that is no earlier export; a store or a key never is.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write the books of a store to one file, with every entry as it is stored."""
    check_target(output, sqlite_file(store), force=force)
    signed = read_checkpoints(checkpoints) if checkpoints else []
    with opened_store(store) as opened:
        streams = chosen_streams(opened, link)
        with progress("exporting", 0) as tick:
            endings = write(opened, streams, output, signed, tick, ends=opened.ends(), force=force)
    warn_of_altered(endings)
    if as_json:
        return print_json([ending.as_json() for ending in endings])
    for ending in endings:
        print(f"{ending.stream}: {counted(ending.entries, 'entry', 'entries')}, the last with digest {ending.digest}.")
    print(f"The ledger is in {output}. Check it with: croupier ledger verify {output}")


@commands.command()
def verify(
    file: Annotated[Path, typer.Argument(help="An exported ledger.")],
    *,
    key: Annotated[
        Path | None, option("--key", "The site's public key: every book must have a checkpoint, all signed with it.")
    ] = None,
    anchors: Annotated[
        list[str] | None,
        option("--anchors", "What was kept elsewhere: a file, a folder, a printed line; several times for several."),
    ] = None,
    tsa: Annotated[
        Path | None, option("--tsa", "The certificate of the timestamp server, or its root: their time is checked.")
    ] = None,
    strict: Annotated[bool, option("--strict", "End with 1 also where the file leaves something unproved.")] = False,
    as_json: AsJson = False,
) -> None:
    """Check an exported ledger with nothing but the file: every digest, act, amount and balance.

    Every anchor must be of a book in the file, and the book must go on from it: an end that was cut off is found. Files
    of anchors hold checkpoints, anchors, mails as they were saved, answers kept of a webhook, or printed lines.
    """
    public, kept = read_public(key) if key else None, read_anchors(anchors or ())
    stampers = read_certificates(tsa) if tsa else []
    size = file.stat().st_size if file.is_file() else 0
    with progress("verifying", size) as tick:
        report = check(file, key=public, anchors=kept, stampers=stampers, tick=tick)
    if as_json:
        print_json({"file": file.name, "unit": UNIT, **report.as_json()})
    else:
        print_report(file.name, report)
    if not report.right or (strict and report.unproved):
        raise typer.Exit(WRONG)


@commands.command()
def verifier(
    *,
    rules: Annotated[bool, option("--rules", "The page that it was written from, in its place.")] = False,
) -> None:
    """Print the regulator's own verifier: one file for any Python, which shares no line with this program."""
    here, name = Path(__file__).resolve(), "ledger.md" if rules else "verify_ledger.py"
    installed = here.parents[1] / "regulator" / name
    source = here.parents[3] / ("docs/formats" if rules else "regulator") / name
    print((installed if installed.is_file() else source).read_text(encoding="utf-8"), end="")


@commands.command()
def balance(
    *,
    store: Source,
    link: Link = None,
    day: Annotated[str | None, option("--day", "Only this gaming day, as 2026-11-15; without it, all time.")] = None,
    zone: Annotated[str | None, option("--zone", "The clock, as America/Los_Angeles. Default: the site's.")] = None,
    day_begins: Annotated[
        int | None, option("--day-begins", "The hour at which a gaming day begins. Default: the site's.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Prove the meters: opening and everything that flowed since, against what is on them. Each row is checked."""
    theirs, hour = (clock_of(store) if day else None) or (ZONE, BEGINS_H)
    hour = hour if day_begins is None else day_begins
    period, adjusted = read_period(day, None, None, zone=zone or theirs, begins_h=hour), Adjusted()
    with book(store, link) as (stream, rows), progress("reading", 0):
        check, proofs = prove(stream, adjusted.watch(rows, period.begin, period.end), period.begin, period.end)
    if as_json:
        levels = proofs_as_json(proofs, adjusted)
        clock = {"from": period.begin, "until": period.end, "zone": period.zone, "day_begins": hour} if day else {}
        about = {"stream": stream, "day": day, **clock, "unit": UNIT}
        return print_json({**about, "entries": check.entries, "adjustments": adjusted.count, "levels": levels})
    if not proofs:
        raise CroupierError(f"{stream} had no meters{f' by the end of {period.title}' if day else ''}.")
    span = f"{period.title} ({period.rule})" if day else "all time"
    read = counted(check.entries, "entry", "entries")
    print_proofs(f"{stream}, {span}, {read}{' to its end' if day else ''}", proofs, adjusted)


@commands.command()
def explain(
    award: Annotated[int, typer.Argument(help="The award's number: that of the entry of its hand.")],
    *,
    store: Source,
    link: Link = None,
    as_json: AsJson = False,
) -> None:
    """Tell why an award was that amount, on a page that a player can read. Every row is checked first."""
    if award < 1:
        raise NotationError(f"Awards are numbered from 1, not {award}.")
    with book(store, link) as (stream, rows):
        name = stream.removeprefix("link:")
        history = story(name, rows, award)
    if history.entered:
        history.zone = zone_of(store, history.entered.at)
    explanation = tell(name, history)
    if as_json:
        print_json(explanation.as_json())
    else:
        print(explanation.page())


@commands.command()
def checkpoint(
    *,
    store: StoreUrl,
    link: Link = None,
    site: Annotated[bool, option("--site", "Sign the site's own book, not a link's.")] = False,
    day: Annotated[str, option("--day", "The UTC day that is over, as 2026-11-15.")],
    key: Annotated[Path, option("--key", "The private key: croupier ledger key new FILE makes one.")],
    output: Annotated[Path, option(*OUTPUT, "The file of checkpoints; this one is added to it.")],
    grace: Annotated[
        int, typer.Option(min=0, max=1440, help="Minutes after midnight to wait where no later entry has come yet.")
    ] = 10,
    reason: Annotated[str, option("--reason", "Why a day is signed again that had one more entry.")] = "",
) -> None:
    """Sign where a book stood at the end of a day. Every row up to there is checked first."""
    when, private = read_day(day), read_private(key)
    if site and link:
        raise NotationError("Either the site's book is signed or a link's: --site and --link do not go together.")
    check_not_kept(output, sqlite_file(store))
    kept = read_checkpoints(output) if output.exists() else []
    with book(store, link, site=site, guarded=True) as (stream, rows):
        mark = superseding(checkpoint_on(stream, rows, when, utc_now(), grace), kept, reason)
    write_bytes(output, b"".join(map(checkpoint_line, (*kept, mark.signed(private)))))
    print(f"{stream} at the end of {day}: entry {mark.number:,}, digest {mark.digest}, signed, in {output}.")
    if mark.supersedes:
        print(f"It supersedes the checkpoint at entry {mark.supersedes:,}, which is kept: {mark.reason}")


@commands.command()
def sign(
    file: Annotated[Path | None, typer.Argument(help="The text; standard input where none is named.")] = None,
    *,
    key: Annotated[Path, option("--key", "The private key.")],
    kept: Annotated[
        Path | None,
        option("--kept", "A file of what was signed: an anchor by which a book would go back is not signed."),
    ] = None,
) -> None:
    """Sign an anchor or a checkpoint with a key that the server does not have, and print the signature.

    It signs nothing else. As the --signer of a server, it runs on another machine, where its memory is an anchor too.
    """
    private = read_private(key)
    text = _to_sign(file)
    if isinstance(text, Checkpoint):
        print(text.signed(private).signature)
        return
    signed = text.signed(private)
    if kept is not None:
        check_not_kept(kept)
        _remember(kept, signed)
    print(signed.signature)


def _to_sign(file: Path | None) -> Anchor | Checkpoint:
    try:
        content = sys.stdin.buffer.read(LARGEST_TEXT) if file is None else file.read_bytes()[:LARGEST_TEXT]
        body = json.loads(content)
        if isinstance(body, dict) and body.get("purpose") == ANCHOR_PURPOSE:
            return Anchor.of_json(body)
        return SignedCheckpoint.of_json({"checkpoint": body, "key": "", "signature": ""}).checkpoint
    except (ValueError, RecursionError, RecordError):
        raise RecordError("What is to be signed is no anchor and no checkpoint, so it is not signed.") from None
    except OSError as error:
        raise CroupierError(f"What is to be signed cannot be read: {files.reason(error)}.") from None


def _remember(path: Path, signed: SignedAnchor) -> None:
    """Keep what is signed; refuse what contradicts it."""
    before = read_anchors([path]).signed if path.exists() and path.stat().st_size else []
    if replace(signed, stamps=()) in before:
        return
    anchor = signed.anchor
    for earlier in (other.anchor for other in before if other.anchor.site == anchor.site):
        back = anchor.goes_back(earlier)
        if back or (earlier.series == anchor.series and earlier.number >= anchor.number):
            raise RecordError(f"Not signed: {back or f'anchor {earlier.number:,} was signed already.'}")
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as file:
            file.write(signed.json_line())
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise CroupierError(f"The file {str(path)!r} cannot be written: {files.reason(error)}.") from None


@keys.command()
def new(
    file: Annotated[Path, typer.Argument(help="Where the private key goes; the public one is put in FILE.pub.")],
) -> None:
    """Make a key pair (Ed25519) for signing checkpoints."""
    key = new_key(file)
    print(f"The private key is in {file}, for its owner only: keep it away from the store.")
    print(f"The public key is in {public_path(file)}: {public_hex(key.public_key())}")
    print(f"Its fingerprint, as verify shows it: {fingerprint(public_hex(key.public_key()))}")


# In print


def print_proofs(title: str, proofs: Sequence[Proof], adjusted: Adjusted | None = None, always: str = "") -> None:
    """A column for each level, a row for each flow; what never flowed is left out, unless it is `always` shown.

    What adjustments brought and took stands apart, where it is known: two that cancel out were two.
    """
    listing = table(title, "", *(level_title(proof.level).replace("[", r"\[") for proof in proofs))

    def row(name: str, amount: Callable[[Proof], int]) -> None:
        listing.add_row(name, *(money(amount(proof)) for proof in proofs))

    row("opening", lambda proof: proof.opening)
    for flow in Flow:
        if flow is Flow.ADJUSTMENTS and adjusted is not None:
            if adjusted.count:
                row("adjustments in", lambda proof: adjusted.added.get(proof.level, 0))
                row("adjustments out", lambda proof: -adjusted.taken.get(proof.level, 0))
        elif any(proof.flows[flow] for proof in proofs) or flow in (Flow.CONTRIBUTIONS, Flow.SEED, Flow.AWARDS, always):
            row(str(flow), lambda proof, flow=flow: proof.flows[flow])  # type: ignore[misc]
    listing.add_section()
    row("makes", lambda proof: proof.expected)
    row("meter", lambda proof: proof.meter)
    row("difference", lambda proof: proof.difference)
    row("below a cent, not displayed", lambda proof: proof.below_a_cent)
    if any(proof.pending for proof in proofs):
        listing.add_section()
        row("of the awards, pending", lambda proof: proof.pending)
    console().print(listing)


def proofs_as_json(proofs: Sequence[Proof], adjusted: Adjusted) -> list[dict[str, Any]]:
    """Each level, with what adjustments brought to it and took from it."""
    return [
        {
            **proof.as_json(),
            "adjustments_in": adjusted.added.get(proof.level, 0),
            "adjustments_out": -adjusted.taken.get(proof.level, 0),
        }
        for proof in proofs
    ]


def print_report(name: str, report: Report) -> None:
    """What was proved and what was not, or the first thing that is wrong."""
    if report.wrong:
        where = f"{report.wrong_stream}, row {report.wrong_row}: " if report.wrong_row else ""
        _say(f"WRONG: {where}{report.wrong}")
        return
    for book in report.books:
        _print_book(book, people=report.people)
    if report.agreed:
        _say(f"{counted(report.agreed, 'agreement')} of second persons, each signed by the key of a card and PIN.")
    for remark in report.remarks:
        _say(f"Remark: {remark}.")
    agree = "agrees" if report.checkpoints == 1 else "agree"
    signed = (
        f"{counted(report.checkpoints, 'signed checkpoint')} {agree}" if report.checkpoints else "no checkpoints in it"
    )
    if report.anchors:
        signed += f", {counted(report.anchors, 'anchor')} met"
    if report.stamps:
        number, at = max(report.stamps, key=lambda stamp: stamp[1])
        signed += f", {counted(len(report.stamps), 'timestamp')} right, the last of anchor {number:,} at {at}"
    if not report.unproved:
        _say(f"{name} is right: zero differences, {signed}.")
        return
    for gap in report.unproved:
        _say(f"NOT PROVED: {gap}.")
    _say(f"{name} is right in what it can prove: zero differences, {signed}; but see what is NOT PROVED.")


def _print_book(book: BookReport, *, people: bool) -> None:
    days = f"{counted(book.days, 'day')} (UTC), {book.first_day} to {book.last_day}" if book.entries else "no days"
    _say(f"{book.stream}: {counted(book.entries, 'entry', 'entries')}, {days}")
    _say("  chain, digests and numbering whole; every command once; every act decided again")
    if book.stream != "site":
        _say(
            f"  {counted(book.games, 'game')}, {counted(book.awards, 'award')} of {dollars(book.award_cents)} and "
            f"{counted(book.pays, 'fixed pay')} of {dollars(book.pay_cents)}, every amount computed again"
            + (f"; {counted(book.backed_out, 'award')} backed out" if book.backed_out else "")
        )
        if people:
            _say("  everybody who signed was enrolled in that role then; the lists that amounts call for made again")
    _say(f"  {book.signed or 'unsigned: whoever held the store could have made all of it'}")
    if book.proofs:
        print_proofs("  balances", book.proofs, always="adjustments" if book.adjustments else "")


def _say(text: str) -> None:
    """Nothing from a file moves the cursor or clears the screen."""
    console().print(*plain(printable(text)), soft_wrap=True)
