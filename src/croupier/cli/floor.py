"""`croupier floor`: a month of a card room is rehearsed, so that there is a ledger to look at."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any

import typer

from croupier.audit.balance import read_day
from croupier.cli.app import app
from croupier.cli.console import console, plain, print_json, progress, table
from croupier.cli.options import RANDOM_SEED, AsJson, option, write_bytes
from croupier.demo.desk import SETUP
from croupier.demo.figures import Figures, Tally
from croupier.demo.rehearsal import LINK, Month, Rehearsed, check_empty, last_day
from croupier.demo.rehearsal import rehearse as play
from croupier.errors import CroupierError, NotationError
from croupier.files import for_its_owner, sqlite_file
from croupier.games.money import dollars
from croupier.ledger.checkpoint import new_key, public_path
from croupier.ledger.clock import utc_now
from croupier.ledger.file import checkpoint_line
from croupier.store.store import open_store, without_password

commands = typer.Typer(help="The floor of a card room: tables, links, people.")
app.add_typer(commands, name="floor")


@commands.callback()
def _floor() -> None:
    """Keeps `rehearse` a command of its own."""


@commands.command()
@for_its_owner()
def rehearse(
    *,
    store: Annotated[
        str,
        option("--store", "--db", "An empty one: sqlite:///month.db (it is made) or postgresql://host/month."),
    ],
    rounds: Annotated[int, option("--rounds", "At all three tables together.")] = 50_000,
    days: Annotated[int, option("--days", "How many days they are spread over.")] = 30,
    first: Annotated[
        str | None,
        option("--from", "The first gaming day, as 2026-10-15. Default: the month just over."),
    ] = None,
    seed: Annotated[int, option(*RANDOM_SEED, "The same number makes the same book.")] = 7,
    checkpoints: Annotated[
        Path | None,
        option("--checkpoints", "-c", "Where the signed days go, with their key beside it. Default: beside the store."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play a month of a card room with all its mistakes, so that there are books to look at."""
    month, signed_file = _month(rounds, seed, days, first), checkpoints or _beside(store)
    tally, key_file = Tally.of(SETUP), signed_file.with_suffix(".key")
    with open_store(store) as opened:
        check_empty(opened)
    if signed_file.exists():
        raise CroupierError(f"There is a file {str(signed_file)!r} already: name another with --checkpoints.")
    key = new_key(key_file)
    with progress("rehearsing", rounds) as tick:
        month_played = play(store, month, key, tick, tally.take)
    write_bytes(signed_file, b"".join(map(checkpoint_line, month_played.checkpoints)))
    files = {"checkpoints": str(signed_file), "key": str(public_path(key_file))}
    if as_json:
        return print_json(_as_json(store, month_played, tally.figures(), files))
    _print(month_played, tally.figures())
    _print_next(store, month_played, signed_file, public_path(key_file))


def _month(rounds: int, seed: int, days: int, first: str | None) -> Month:
    """What is rehearsed is over: books that reach into the future would stop a floor that goes on with them."""
    month, last = Month(rounds, seed, days), last_day(utc_now())
    latest = last - timedelta(days=days - 1)
    begins = read_day(first) if first else latest
    if begins > latest:
        raise NotationError(
            f"A rehearsal of {days} days begins on {latest} or before, so that it is over, not on {begins}."
        )
    return replace(month, first=begins)


def _beside(store: str) -> Path:
    """The file of checkpoints of a month: month.checkpoints beside month.db."""
    file = sqlite_file(store)
    return file.with_suffix(".checkpoints") if file and file.name else Path("rehearsal.checkpoints")


def _as_json(store: str, rehearsed: Rehearsed, figures: Figures, files: dict[str, str]) -> dict[str, Any]:
    return {
        **{"store": without_password(store), "rounds": rehearsed.month.rounds, "seed": rehearsed.month.seed},
        **{
            "link": LINK,
            "entries": rehearsed.entries,
            "digest": rehearsed.digest,
            "largest_award": rehearsed.largest_award,
        },
        **files,
        "books": {
            stream: {"entries": entries, "digest": digest} for stream, (entries, digest) in rehearsed.books.items()
        },
        **figures.as_json(),
        "days": [
            {
                **{"day": day.day, "signed_day": day.signed, "entries": day.entries},
                "levels": [proof.as_json() for proof in day.proofs],
            }
            for day in rehearsed.days
        ],
    }


def _print(rehearsed: Rehearsed, figures: Figures) -> None:
    first, last, differences = (
        rehearsed.days[0].day,
        rehearsed.days[-1].day,
        {p.difference for d in rehearsed.days for p in d.proofs},
    )
    days = "1 day" if len(rehearsed.days) == 1 else f"{len(rehearsed.days)} days"
    print(f"{rehearsed.month.rounds:,} rounds in {days}, {first} to {last}: {rehearsed.entries:,} entries.")
    print(f"The proof of each level for each day: {'difference zero' if differences == {0} else 'WRONG'}.")
    hits = table(f"{figures.wagers:,} wagers", "hand", "came", "expected", "deviations off")
    for hit in figures.hits:
        hits.add_row(*plain(hit.what, f"{int(hit.found):,}", f"{float(hit.expected):,.1f}", f"{hit.z:+.2f}"))
    money = table("money", "", "was", "expected", "deviations off")
    for check in (*figures.paid, figures.house):
        money.add_row(*plain(check.what, dollars(int(check.found)), dollars(int(check.expected)), f"{check.z:+.2f}"))
    screen = console()
    screen.print(hits)
    screen.print(money)


def _print_next(store: str, rehearsed: Rehearsed, signed_file: Path, public: Path) -> None:
    url, export = without_password(store), signed_file.with_suffix(".jsonl.gz")
    print(f"The books of the site and its links {LINK} and side are in {url},")
    print(f"the signed checkpoints of each day in {signed_file}, the public key in {public}.")
    print("Look at them:")
    print(f"  croupier report balance --db {url} --day {rehearsed.days[0].day}")
    print(f"  croupier report bank-cover --db {url}")
    print(f"  croupier ledger balance --store {url} --link {LINK}")
    if rehearsed.largest_award:
        print(f"  croupier ledger explain {rehearsed.largest_award} --store {url} --link {LINK}")
        print(f"  croupier report win-page --db {url} --link {LINK} --award {rehearsed.largest_award}")
    print(f"  croupier ledger export --store {url} --checkpoints {signed_file} -o {export}")
    print(f"  croupier ledger verify {export} --key {public}")
