"""`croupier cut-card`: what the cut card does to the edge of blackjack by penetration, and how seats move together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.app import app
from croupier.cli.console import console, print_json, table
from croupier.cli.options import (
    DECK_CARDS,
    RANDOM_SEED,
    AsJson,
    DecksOption,
    RulesOption,
    option,
    read_count,
    read_penetration,
)
from croupier.errors import NotationError
from croupier.games.catalogue import find_any_game

if TYPE_CHECKING:
    from croupier.analysis.vulnerability.cut_card import CutCard


@app.command("cut-card")
def cut_card(
    game: Annotated[str, typer.Argument(help="A game that is dealt from a shoe, as `croupier games` lists them.")],
    *,
    rules: RulesOption = "",
    decks: DecksOption = None,
    penetration: Annotated[
        list[str] | None,
        option("--penetration", "How deep the cut card lies: 75%, or '260 cards' (repeatable); 50, 67, 75 and 83 %."),
    ] = None,
    players: Annotated[int, option("--players", "At the table, all by basic strategy.")] = 1,
    shoes: Annotated[str, option("--shoes", "How many are dealt: 100000, 1e6.")] = "100000",
    seed: Annotated[str, option(*RANDOM_SEED, "The same number, the same shoes.")] = "7",
    as_json: AsJson = False,
) -> None:
    """What the cut card does to the edge of blackjack by penetration, and how seats move together."""
    from croupier.analysis.vulnerability.cut_card import cut_card as dealt
    from croupier.games.blackjack.game import of_the_family

    known_game = find_any_game(game)
    if not known_game.placard:
        raise NotationError(f"{known_game.title} is shuffled before every round: it has no cut card that could matter.")
    under = of_the_family(known_game.under(rules, decks))
    answer = dealt(
        under,
        penetrations=[read_penetration(text, DECK_CARDS * under.decks) for text in penetration or ()],
        players=players,
        shoes=read_count("a number of shoes", shoes),
        seed=read_count("a random seed", seed),
    )
    if as_json:
        print_json(answer.as_json())
    else:
        _print(answer)


def _print(answer: CutCard) -> None:
    columns = ("cut at", "rounds a shoe", "cut card adds", "95 % interval", "house edge")
    listing = table(f"{answer.game.title}, {answer.game.short_placard}: the effect of the cut card", *columns)
    listing.add_row("fresh", "", "", "", f"{100 * answer.edge:.4f} %")
    for cut in answer.cuts:
        value, low, high = cut.effect
        listing.add_row(
            *(f"{100 * float(cut.penetration):.1f} %", f"{cut.rounds:.2f}", f"{100 * value:+.4f} %"),
            *(f"{100 * (low or 0):+.4f} to {100 * (high or 0):+.4f} %", f"{100 * (answer.edge + value):.4f} %"),
        )
    screen = console()
    screen.print(listing)
    screen.print(f"  variance of a seat  {_between(answer.variance)}")
    if answer.covariance is not None:
        screen.print(f"  of two seats        covariance {_between(answer.covariance)}")
        screen.print(f"  correlation         {answer.covariance.value / answer.variance.value:.4f}")
    who = "1 player" if answer.players == 1 else f"{answer.players} players"
    if answer.short:
        screen.print(f"  {answer.short:,} shoes ran out in their last round, which was void.")
    screen.print(
        f"  Simulated: {answer.shoes:,} shoes with {who} by basic strategy, without insurance, random seed "
        f"{answer.seed}; intervals at 95 %. The round that brings the cut card is the last. The edge of a fresh shoe "
        "is computed, and only the rounds by which shoes differ in their number are sampled.",
        markup=False,
        soft_wrap=True,
    )


def _between(estimate: tuple[float, float | None, float | None]) -> str:
    value, low, high = estimate
    return f"{value:.4f} ({low:.4f} to {high:.4f})"
