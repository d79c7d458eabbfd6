"""`croupier errors`: what a dealer's errors cost or give away, per hand and per hour."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.app import app
from croupier.cli.console import console, print_json, table
from croupier.cli.odds import PaytableOption
from croupier.cli.options import AsJson, DecksOption, RulesOption, option, read_paytable
from croupier.errors import NotationError
from croupier.games.catalogue import find_any_game
from croupier.games.money import parse_cents

if TYPE_CHECKING:
    from croupier.analysis.vulnerability.errors import DealerError

MOST_PLAYERS, MOST_ROUNDS_PER_HOUR = 7, 1_000
SHOWN = 20
"""Rows on a screen: `--json` has all."""


@app.command()
def errors(
    game: Annotated[str, typer.Argument(help="A game, as `croupier games` lists them.")],
    wager: Annotated[str | None, typer.Argument(help="One of its wagers; all where none is named.")] = None,
    *,
    paytable: PaytableOption = None,
    rules: RulesOption = "",
    decks: DecksOption = None,
    rate: Annotated[str, option("--rate", "How often it is done wrong where it can be: 1%.")] = "1%",
    players: Annotated[int, option("--players", "Seats that wager.")] = 5,
    average: Annotated[str, option("--average-wager", "Of each of them, in dollars.")] = "25",
    rounds_per_hour: Annotated[int, option("--rounds-per-hour", "For the cost per hour.")] = 60,
    as_json: AsJson = False,
) -> None:
    """What a dealer's errors cost the house or the players, per hand and per hour.

    A row paid as the one beside it, a commission not taken, the house way set wrong, a soft 17 played wrong.
    """
    from croupier.analysis.analyst import analyst_of
    from croupier.analysis.blackjack.question import Asked
    from croupier.analysis.vulnerability.errors import MISPAY

    known_game = find_any_game(game)
    share, cents = read_rate(rate), parse_cents(average)
    if not 1 <= players <= MOST_PLAYERS:
        raise NotationError(f"--players are 1 to {MOST_PLAYERS}, not {players}.")
    if not 1 <= rounds_per_hour <= MOST_ROUNDS_PER_HOUR:
        raise NotationError(f"--rounds-per-hour is 1 to {MOST_ROUNDS_PER_HOUR:,}, not {rounds_per_hour:,}.")
    if cents <= 0:
        raise NotationError(f"--average-wager is above nothing, not {average!r}.")
    asked = Asked(rules=rules, decks=decks, wager=known_game.wager(wager).key if wager else None, paytable=paytable)
    listed: list[DealerError] = analyst_of(known_game).errors(asked, read_paytable)
    dollars = Fraction(cents, 100) * players * rounds_per_hour
    ordered = sorted(listed, key=lambda error: (error.kind == MISPAY, -abs(float(error.effect))))
    if as_json:
        terms = {"rate_percent": 100 * float(share), "players": players, "rounds_per_hour": rounds_per_hour}
        rows = [error.as_json() | {"dollars_per_hour": error.per_hour(share, dollars)} for error in ordered]
        print_json({"game": known_game.key, **terms, "average_wager_cents": cents, "errors": rows})
        return
    columns = ("wager", "error", "occasions", "house edge", "per hour")
    listing = table(f"{known_game.title}: errors of the dealer", *columns, left=2)
    for error in ordered[:SHOWN]:
        chance = "" if error.chance is None else f"{100 * float(error.chance):.4f} %"
        money = error.per_hour(share, dollars)
        listing.add_row(
            *(error.wager.key, error.words, chance, f"{100 * float(error.effect):+.4f} %"),
            f"{'-' if money < 0 else '+'}${abs(money):,.2f}",
        )
    screen = console()
    screen.print(listing)
    if len(ordered) > SHOWN:
        screen.print(f"  The first {SHOWN} of {len(ordered)}; --json has all.")
    screen.print(
        "  House edge: what it changes where it is always done, exactly; below nothing the house gives money away. "
        f"Per hour: done wrong at {100 * float(share):g} % of its occasions, {players} seats with ${cents / 100:,.2f} "
        f"each on the wager, {rounds_per_hour} rounds.",
        markup=False,
        soft_wrap=True,
    )


def read_rate(text: str) -> Fraction:
    """`1%`, `0.5` or `100%`, in percent."""
    plain = text.strip().removesuffix("%").strip()
    if re.fullmatch(r"\d{1,3}(\.\d{1,6})?", plain, re.ASCII) is None or not 0 < Fraction(plain) <= 100:
        raise NotationError(f"{text!r} is no rate: write a percentage above 0% and up to 100%, as 1% or 0.5%.")
    return Fraction(plain) / 100
