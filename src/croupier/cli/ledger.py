"""`croupier ledger`: the book of a progressive in one file, checked by anybody, and told to those it is about."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from croupier.cli.app import app
from croupier.cli.console import print_json, progress
from croupier.cli.ledger_source import book, clock_of, file_of, opened_store, zone_of
from croupier.errors import CroupierError, NotationError

WRONG = 1
UNIT = "1e-6 cent"
"""Of amounts in JSON."""

commands = typer.Typer(help="The book of a progressive: exported, verified, balanced, explained.")
keys = typer.Typer(help="Keys that sign the end of a day.")
commands.add_typer(keys, name="key")
app.add_typer(commands, name="ledger")


@commands.callback()
def _quietly(context: typer.Context) -> None:
    """Whoever reads through `| head` has seen enough: the command ends as any other does then, and not as wrong."""
    if hasattr(signal, "SIGPIPE") and sys.stdout is sys.__stdout__:
        before = signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        context.call_on_close(lambda: signal.signal(signal.SIGPIPE, before))


def _option(*names_and_help: str) -> Any:
    *names, help_ = names_and_help
    return typer.Option(*names, help=help_)


STORE, OUTPUT = ("--store", "--db"), ("--output", "--out", "-o")
Source = Annotated[str, _option(*STORE, "sqlite:///floor.db, postgresql://host/floor, or an exported FILE.")]
StoreUrl = Annotated[str, _option(*STORE, "sqlite:///floor.db or postgresql://host/floor.")]
Link = Annotated[str | None, _option("--link", "The link's name; may be left out where there is one.")]
AsJson = Annotated[bool, _option("--json", "Print for programs.")]


@commands.command()
def export(
    *,
    store: StoreUrl,
    link: Annotated[str | None, _option("--link", "Only this link's book; without it, all books.")] = None,
    output: Annotated[Path, _option(*OUTPUT, "FILE.jsonl, or FILE.jsonl.gz to compress it.")],
    checkpoints: Annotated[Path | None, _option("--checkpoints", "A file of signed checkpoints to put in.")] = None,
    force: Annotated[
        bool, _option("--force", "Write over a file that is no earlier export; a store or a key never is.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write the books of a store to one file, with every entry as it is stored."""
    from croupier.cli.ledger_tables import count
    from croupier.progressive.export import chosen_streams, read_checkpoints
    from croupier.progressive.export import export as write
    from croupier.progressive.export_target import check_target

    check_target(output, file_of(store), force=force)
    signed = read_checkpoints(checkpoints) if checkpoints else []
    with opened_store(store) as opened:
        streams = chosen_streams(opened, link)
        with progress("exporting", 0) as tick:
            endings = write(opened, streams, output, signed, tick, ends=opened.ends(), force=force)
    if as_json:
        return print_json([ending.as_json() for ending in endings])
    for ending in endings:
        print(f"{ending.stream}: {count(ending.entries, 'entry', 'entries')}, the last with digest {ending.digest}.")
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
        print_json({"file": file.name, "unit": UNIT, **report.as_json()})
    else:
        print_report(file.name, report)
    if not report.right or (strict and report.unproved):
        raise typer.Exit(WRONG)


@commands.command()
def balance(
    *,
    store: Source,
    link: Link = None,
    day: Annotated[str | None, _option("--day", "Only this gaming day, as 2026-11-15; without it, all time.")] = None,
    zone: Annotated[str | None, _option("--zone", "The clock, as America/Los_Angeles; the site's.")] = None,
    day_begins: Annotated[
        int | None, _option("--day-begins", "The hour at which a gaming day begins; the site's.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Prove the meters: opening and everything that flowed since, against what is on them. Each row is checked."""
    from croupier.cli.ledger_tables import count, print_proofs, proofs_as_json
    from croupier.progressive.adjusted import Adjusted
    from croupier.progressive.verifying import balance as prove
    from croupier.reports.period import BEGINS_H, ZONE, read_period

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
    read = count(check.entries, "entry", "entries")
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
    from croupier.progressive.explaining import explain as tell
    from croupier.progressive.explaining import story

    if award < 1:
        raise NotationError(f"Awards are numbered from 1, not {award}.")
    with book(store, link) as (stream, rows):
        name = stream.removeprefix("link:")
        found = story(name, rows, award)
    if found.entered:
        found.zone = zone_of(store, found.entered.at)
    told = tell(name, found)
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
    day: Annotated[str, _option("--day", "The UTC day that is over, as 2026-11-15.")],
    key: Annotated[Path, _option("--key", "The private key: croupier ledger key new FILE makes one.")],
    output: Annotated[Path, _option(*OUTPUT, "The file of checkpoints; this one is added to it.")],
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
    from croupier.progressive.export_target import check_not_kept
    from croupier.progressive.writer import utc_now

    when, private = read_day(day), read_private(key)
    if site and link:
        raise NotationError("Either the site's book is signed or a link's: --site and --link do not go together.")
    check_not_kept(output, file_of(store))
    kept = read_checkpoints(output) if output.exists() else []
    with book(store, link, site=site, guarded=True) as (stream, rows):
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
