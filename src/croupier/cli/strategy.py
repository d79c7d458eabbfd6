"""`croupier strategy`: how to decide, and what deciding otherwise costs."""

from __future__ import annotations

from typing import Annotated

import typer

from croupier.analysis.census import Census, take_census
from croupier.analysis.printing import percent
from croupier.analysis.strategy import ChartRow, Compared, Prices, Rated, compare_strategies, rate_hand, strategy_chart
from croupier.cards.card import Hand, format_cards, parse_cards
from croupier.cli.app import app
from croupier.cli.console import console, print_json, signed, table
from croupier.cli.hand import show_hand
from croupier.cli.odds import PaytableOption
from croupier.cli.options import (
    AsJson,
    ChartOption,
    ConventionOption,
    DecksOption,
    RemoveOption,
    RulesOption,
    option,
    read_paytable,
)
from croupier.cli.strategy_blackjack import Shown, show_dealer, show_strategy
from croupier.errors import NotationError
from croupier.games.blackjack.game import BlackjackGame
from croupier.games.catalogue import find_any_game, find_game


@app.command()
def strategy(
    game: Annotated[str, typer.Argument(help="A game, as `croupier games` lists them.")],
    *,
    hand: Annotated[str | None, option("--hand", "Rate the choices with these cards, as 'Qh 6c 4d'.")] = None,
    paytable: PaytableOption = None,
    rules: RulesOption = "",
    decks: DecksOption = None,
    remove: RemoveOption = "",
    convention: ConventionOption = "CDZ-",
    chart: ChartOption = None,
    dealer: Annotated[
        bool, option("--dealer", "Blackjack: how the dealer's hand ends with each up card, exactly.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """The best strategy on a page, simple strategies beside it, or the exact value of each choice with one hand."""
    if isinstance(find_any_game(game), BlackjackGame):
        shown = Shown(rules, decks, remove, convention)
        if dealer:
            if hand is not None or chart is not None:
                raise NotationError("--dealer is about the dealer's hand alone: leave out --hand and --chart.")
            show_dealer(shown, as_json=as_json)
        elif hand is not None:
            show_hand(hand, shown, as_json=as_json)
        else:
            show_strategy(shown, chart, as_json=as_json)
        return
    found = find_game(game)
    if dealer:
        raise NotationError(f"--dealer is about blackjack, not {found.title}.")
    wager = found.decides
    if wager is None:
        if as_json:
            print_json({"game": found.key, "decisions": False})
        else:
            console().print(f"{found.title} has no decisions: every round plays itself.")
        return
    table_name = paytable or next(iter(wager.paytables))
    prices = wager.prices(read_paytable(wager, table_name))
    census = take_census(found, wager)
    if hand is not None:
        cards = parse_cards(hand)
        _show_hand(census, cards, rate_hand(census, prices, cards), as_json=as_json)
    else:
        _show_strategies(
            census, prices, compare_strategies(census, prices), strategy_chart(census, prices), as_json=as_json
        )


def _show_hand(census: Census, hand: Hand, rated: tuple[Rated, ...], *, as_json: bool) -> None:
    if as_json:
        choices = [
            {"choice": each.words, "hand": each.means, "value": str(each.value), "cost": str(each.cost)}
            | {"value_percent": float(each.value * 100), "cost_percent": float(each.cost * 100)}
            for each in rated
        ]
        print_json({"game": census.game.key, "hand": format_cards(hand), "choices": choices})
        return
    choices_table = table(f"{census.game.title}: {format_cards(hand)}", "choice", "hand", "value", "costs", left=2)
    for each in rated:
        choices_table.add_row(
            each.words, each.means, signed(each.value), "best" if each.cost == 0 else percent(each.cost)
        )
    console().print(choices_table)
    console().print("  Values and costs are exact, per unit of the first wager.")


def _show_strategies(
    census: Census, prices: Prices, compared: tuple[Compared, ...], chart: tuple[ChartRow, ...], *, as_json: bool
) -> None:
    if as_json:
        print_json(
            {
                "game": census.game.key,
                "wager": census.wager.key,
                "strategies": [each.as_json() for each in compared],
                "chart": [row.as_json() for row in chart],
            }
        )
        return
    screen = console()
    edges = table(
        f"{census.game.title}: strategies for {census.wager.title}",
        "strategy",
        "house edge",
        "element of risk",
        "costs",
        "hands worse",
    )
    for each in compared:
        edges.add_row(
            each.name,
            percent(each.figures.house_edge),
            percent(each.figures.element_of_risk),
            percent(each.cost),
            f"{each.hands_worse:,}",
        )
    screen.print(edges)
    best = table("The best strategy, by kind of hand", "hand", "action", "hands", "mean result", left=2)
    for row in chart:
        best.add_row(row.kind, row.action, f"{row.hands:,}", signed(row.value))
    screen.print(best)
    example = format_cards(census.hands[0])
    screen.print(f"  One hand: croupier strategy {census.game.key} --hand '{example}'")
