"""`croupier collusion`: what partners win who show each other their cards, by how many they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from croupier.analysis.printing import percent
from croupier.cli.app import app
from croupier.cli.console import console, print_json, table
from croupier.cli.odds import PaytableOption
from croupier.cli.options import RANDOM_SEED, AsJson, option, read_count, read_paytable
from croupier.errors import NotationError
from croupier.games.catalogue import find_any_game

if TYPE_CHECKING:
    from croupier.analysis.vulnerability.collusion import Collusion


@app.command()
def collusion(
    game: Annotated[str, typer.Argument(help="A game, as `croupier games` lists them; not blackjack.")],
    *,
    seats: Annotated[
        list[int] | None,
        option("--seats", "How many partners there are (repeatable); 2, and as many as the table has seats."),
    ] = None,
    paytable: PaytableOption = None,
    deals: Annotated[
        str | None,
        option("--deals", "How many are sampled for each number of partners: 2000, 1e5; usually 2000 or 1e5 by game."),
    ] = None,
    seed: Annotated[str, option(*RANDOM_SEED, "The same number, the same deals.")] = "7",
    rounds_per_hour: Annotated[int, option("--rounds-per-hour", "For the win per hour.")] = 60,
    as_json: AsJson = False,
) -> None:
    """What partners win who see each other's cards, by how many they are.

    With one partner every deal of Three Card Poker and Triple Shot Rummy is counted. Elsewhere partners' cards are
    sampled, and what each choice is worth beside them is computed.
    """
    from croupier.analysis.analyst import counter_of
    from croupier.analysis.vulnerability.collusion import collusion as counted
    from croupier.analysis.vulnerability.collusion import most_partners

    known_game = find_any_game(game)
    if known_game.placard:
        raise NotationError(
            f"Cards of {known_game.title} lie face up, so partners have nothing to tell each other: `croupier strategy "
            f"{known_game.key} --remove` has what seen cards change."
        )
    counter = counter_of(known_game)
    wager = next((wager for wager in known_game.wagers if counter.strategies(wager)), None)
    if wager is None:
        raise NotationError(
            f"{known_game.title} has no decisions, so partners have nothing to decide by: there is no gain."
        )
    name = paytable or next(iter(wager.paytables))
    answer = counted(
        known_game,
        wager,
        name,
        wager.prices(read_paytable(wager, name)),
        seats=tuple(dict.fromkeys(seats or (2, most_partners(known_game)))),
        deals=None if deals is None else read_count("a number of deals", deals),
        seed=read_count("a random seed", seed),
        rounds_per_hour=rounds_per_hour,
    )
    if as_json:
        print_json(answer.as_json())
    else:
        _print(answer)


def _print(answer: Collusion) -> None:
    columns = ("partners", "gain of each", "95 % interval", "house edge", "decide otherwise", "together per hour")
    title = f"{answer.game.title}: {answer.wager.title}, paytable {answer.paytable}, partners who see all their cards"
    listing = table(title, *columns)
    listing.add_row("alone", "", "", percent(answer.edge), "", "")
    for partner in answer.partners:
        value, low, high = partner.gain
        listing.add_row(
            *(
                str(partner.seats),
                f"{100 * value:.4f} %",
                "exact" if partner.exact is not None else _between(low, high),
            ),
            *(f"{100 * answer.house_edge(partner).value:.4f} %", f"{100 * partner.changed:.2f} %"),
            f"{answer.per_hour(partner):+.3f}",
        )
    screen = console()
    screen.print(listing)
    for partner in answer.partners:
        if partner.exact is not None:
            screen.print(
                f"  With {partner.seats} every deal was counted: a gain of exactly {partner.exact}.", markup=False
            )
    sampled = (
        f"Sampled: {answer.deals:,} deals for each number of partners, random seed {answer.seed}; intervals at 95 %. "
        if any(partner.exact is None for partner in answer.partners)
        else ""
    )
    screen.print(
        f"  {sampled}"
        "What a choice is worth beside the partners' cards is computed, not sampled, and the edge of one alone is "
        f"exact. Gains are per unit of the first wager; per hour with {answer.rounds_per_hour} rounds, in units, all "
        "partners together.",
        markup=False,
        soft_wrap=True,
    )


def _between(low: float | None, high: float | None) -> str:
    return f"{100 * (low or 0):.4f} to {100 * (high or 0):.4f} %"
