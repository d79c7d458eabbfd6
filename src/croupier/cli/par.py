"""`croupier par`: the PAR sheet that is filed with a regulator, on the screen, as text, JSON or PDF."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.analysis.blackjack.asked import Asked
from croupier.cli.app import app
from croupier.cli.blackjack_asked import (
    ContributionOption,
    ConventionOption,
    DecksOption,
    MeterOption,
    PlayersOption,
    RulesOption,
    SeedOption,
)
from croupier.cli.console import console, print_json
from croupier.cli.files import write_bytes, write_text
from croupier.cli.odds import PaytableOption, StrategyOption
from croupier.cli.par_text import as_text, print_par
from croupier.errors import NotationError
from croupier.games.blackjack.game import BlackjackGame
from croupier.games.catalogue import find_any_game, find_game

if TYPE_CHECKING:
    from croupier.analysis.par import AnyPar

SUFFIXES = (".pdf", ".json", ".txt")


@app.command()
def par(
    game: Annotated[str, typer.Argument(help="A game, as `croupier games` lists them.")],
    wager: Annotated[str | None, typer.Argument(help="One of its wagers; all where none is named.")] = None,
    *,
    paytable: PaytableOption = None,
    strategy: StrategyOption = "optimal",
    rules: RulesOption = "",
    decks: DecksOption = None,
    meter: MeterOption = None,
    seed_amount: SeedOption = None,
    contribution: ContributionOption = None,
    convention: ConventionOption = "CDZ-",
    players: PlayersOption = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write to this file: its name ends in .pdf, .json or .txt.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print for programs.")] = False,
) -> None:
    """The PAR sheet: every line and figure, exactly, with the digests of the rules and paytables behind it."""
    from croupier.cli.options import read_paytable
    from croupier.compliance.par_sheets import blackjack_par_for, par_for

    suffix = _suffix(output, as_json=as_json)
    made: AnyPar[Any]
    if isinstance(find_any_game(game), BlackjackGame):
        asked = Asked(
            *(rules, decks, wager, paytable, meter or (), seed_amount or (), contribution, convention, players),
            strategy=strategy,
        )
        made = blackjack_par_for(asked, read_paytable)
    elif rules or any(given is not None for given in (decks, meter, seed_amount, contribution, players)):
        raise NotationError(
            f"--rules and --decks, meters and players are for blackjack: {find_game(game).title} has one set of rules."
        )
    else:
        made = par_for(game, wager, paytable, strategy, read_paytable)
    if output is None:
        if as_json:
            print_json(made.as_json())
        else:
            print_par(console(), made.in_print)
        return
    WRITERS[suffix](output, made)
    print(f"The PAR sheet of {made.game.title} is in {output}.")
    print(f"Digest of its rules and paytables (SHA-256): {made.digest}")


def _suffix(output: Path | None, *, as_json: bool) -> str:
    """How the file is written; decided before anything is counted."""
    if output is None:
        return ""
    suffix = output.suffix.lower()
    if suffix not in SUFFIXES:
        raise NotationError(
            f"{str(output)!r} does not say how to write the PAR sheet: end its name in .pdf, .json or .txt."
        )
    if as_json and suffix != ".json":
        raise NotationError(
            f"--json and a file {str(output)!r} contradict each other: end its name in .json, or leave --json out."
        )
    return suffix


def _write_pdf(path: Path, made: AnyPar[Any]) -> None:
    write_bytes(path, made.as_pdf())


def _write_json(path: Path, made: AnyPar[Any]) -> None:
    write_text(path, json.dumps(made.as_json(), indent=2, ensure_ascii=False) + "\n")


def _write_plain(path: Path, made: AnyPar[Any]) -> None:
    write_text(path, as_text(made.in_print))


WRITERS: dict[str, Callable[[Path, AnyPar[Any]], None]] = {
    ".pdf": _write_pdf,
    ".json": _write_json,
    ".txt": _write_plain,
}
