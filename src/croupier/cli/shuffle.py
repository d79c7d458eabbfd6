"""`croupier shuffle`: make a sealed shoe, check a revealed one, and test the shuffle itself."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from croupier.analysis.fairness import run_battery, sample_shuffles
from croupier.cards.shoe import Shoe, verify_reveal
from croupier.cards.shuffle import SeededSource, SystemSource
from croupier.cli.app import app
from croupier.cli.console import console, print_json, progress
from croupier.cli.options import RANDOM_SEED, AsJson, option, read_text, write_text
from croupier.errors import NotationError, RecordError

shuffle_app = typer.Typer(
    help="Sealed shoes: made, revealed and checked; and the statistics of the shuffle.",
    rich_markup_mode=None,
)
app.add_typer(shuffle_app, name="shuffle")

FEWEST, MOST = 1_000, 200_000
BATCH = 500


@shuffle_app.command("verify")
def verify_shoe(
    file: Annotated[Path, typer.Argument(help="The text record of a revealed shoe.")],
    *,
    commitment: Annotated[
        str | None, typer.Option(help="The commitment that was announced before the first card.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check that a revealed shoe is whole and is the one that was sealed. Exits 1 where it is not."""
    text = read_text(file, "revealed shoe")
    try:
        shoe = verify_reveal(text, commitment)
    except RecordError as error:
        if as_json:
            print_json({"verified": False, "reason": str(error)})
        print(f"croupier: {error}", file=sys.stderr)
        raise typer.Exit(1) from None
    if as_json:
        print_json(
            {
                "verified": True,
                "decks": shoe.decks,
                "dealt": shoe.dealt,
                "origin": shoe.origin,
                "commitment": shoe.commitment,
                "announced": shoe.announced,
                "order": [str(card) for card in shoe.order],
            }
        )
    else:
        console().print(str(shoe), markup=False)


@shuffle_app.command("new")
def new_shoe(
    *,
    decks: Annotated[int, typer.Option(help="How many decks, 1 to 8.")] = 1,
    seed: Annotated[str | None, option(*RANDOM_SEED, "Repeat a shoe; never for play.")] = None,
    reveal: Annotated[Path | None, typer.Option(help="Write the reveal to this file.")] = None,
) -> None:
    """Shuffle a shoe and print its announcement; with --reveal also what opens it."""
    shoe = Shoe.fresh(decks, seed if seed is not None else SystemSource())
    if reveal:
        if reveal.exists():
            raise NotationError(f"{str(reveal)!r} is there already, and may be the only key to another shoe.")
        write_text(reveal, shoe.reveal(), secret=True)
    print(shoe.announcement(), end="")


@shuffle_app.command("test")
def run_tests(
    *,
    shuffles: Annotated[int, typer.Option(help="How many shuffles to test, 1,000 to 200,000.")] = 20_000,
    seed: Annotated[str | None, option(*RANDOM_SEED, "Test a seeded source instead of the system's.")] = None,
    as_json: AsJson = False,
) -> None:
    """Run the statistical battery on fresh shuffles at 99 % confidence. Exits 1 where it fails."""
    if not FEWEST <= shuffles <= MOST:
        raise NotationError(f"{shuffles} shuffles cannot be tested: choose {FEWEST:,} to {MOST:,}.")
    source = SeededSource(seed) if seed is not None else SystemSource()
    with progress("shuffling", shuffles) as advance:
        parts = []
        for done in range(0, shuffles, BATCH):
            parts.append(sample_shuffles(source, min(BATCH, shuffles - done)))
            advance(len(parts[-1]))
    report = run_battery(np.concatenate(parts))
    if as_json:
        print_json(asdict(report) | {"passed": report.passed})
    else:
        console().print(str(report), markup=False)
    if not report.passed:
        raise typer.Exit(1)
