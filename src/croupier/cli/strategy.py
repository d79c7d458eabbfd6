"""`croupier strategy`: how to decide, and what deciding otherwise costs."""

from __future__ import annotations

from typing import Annotated

import typer

from croupier.analysis.analyst import counter_of
from croupier.analysis.census import OPTIMAL
from croupier.analysis.printing import percent
from croupier.analysis.strategy import ChartRow, Compared, Rated
from croupier.cli.app import app
from croupier.cli.console import at_work, console, print_json, signed, table
from croupier.cli.hand import show_hand
from croupier.cli.odds import PaytableOption
from croupier.cli.options import (
    AsJson,
    ChartOption,
    ConventionOption,
    DecksOption,
    KnownOption,
    RemoveOption,
    RulesOption,
    option,
    read_paytable,
)
from croupier.cli.strategy_blackjack import Shown, show_dealer, show_exceptions, show_strategy
from croupier.errors import NotationError
from croupier.games.blackjack.game import of_the_family
from croupier.games.catalogue import find_any_game
from croupier.games.game import TableGame
from croupier.games.table.shown import Seen
from croupier.games.wager import Wager

HOLE_CARD_OF_A_HAND = (
    "--known is a hole card that was seen, and a chart has none: give a hand, as --hand 'T6 v T' --known 6. What "
    "seeing it is worth on the whole: croupier odds blackjack bet --known every."
)


@app.command()
def strategy(
    game: Annotated[str, typer.Argument(help="A game, as `croupier games` lists them.")],
    *,
    hand: Annotated[
        str | None,
        option(
            "--hand",
            "Rate the choices with these cards, as 'Qh 6c 4d'; earlier choices stand between, as 'Jh 7c 3x 7d'.",
        ),
    ] = None,
    paytable: PaytableOption = None,
    rules: RulesOption = "",
    decks: DecksOption = None,
    remove: RemoveOption = "",
    known: KnownOption = "",
    convention: ConventionOption = "CDZ-",
    chart: ChartOption = None,
    dealer: Annotated[
        bool, option("--dealer", "Blackjack: how the dealer's hand ends with each up card, exactly.")
    ] = False,
    exceptions: Annotated[
        bool, option("--exceptions", "Blackjack: two and three cards that are better played otherwise than charted.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """The best strategy on a page, simple strategies beside it, or the exact value of each choice with one hand."""
    known_game = find_any_game(game)
    if known_game.placard:
        if known.strip() and hand is None:
            raise NotationError(HOLE_CARD_OF_A_HAND)
        shown = Shown(of_the_family(known_game), rules, decks, remove, convention, known)
        _check_one(hand, chart, dealer=dealer, exceptions=exceptions)
        if hand is not None:
            show_hand(hand, shown, as_json=as_json)
        elif dealer:
            show_dealer(shown, as_json=as_json)
        else:
            (show_exceptions if exceptions else show_strategy)(shown, chart, as_json=as_json)
        return
    for name, asked in (("dealer", dealer), ("exceptions", exceptions)):
        if asked:
            raise NotationError(f"--{name} is about blackjack and its charts of totals, not about {known_game.title}.")
    _show_counted(known_game, hand, paytable, (remove, known), as_json=as_json)


def _show_counted(
    game: TableGame, hand: str | None, paytable: str | None, exposed: tuple[str, str], *, as_json: bool
) -> None:
    """A game whose deals are counted: all hands, or one."""
    counter, seen = counter_of(game), game.read_seen(hand) if hand is not None else None
    about = {}
    if any(text.strip() for text in exposed):
        counter = counter.seeing(*exposed, seen)
        about = counter.exposed.as_json()
    wager = next((wager for wager in game.wagers if counter.strategies(wager)), None)
    if wager is None:
        if as_json:
            print_json({"game": game.key, "decisions": False})
        else:
            console().print(f"{game.title} has no decisions: every round plays itself.")
        return
    table_name = paytable or next(iter(wager.paytables))
    prices = wager.prices(read_paytable(wager, table_name))
    if hand is not None and seen is not None:
        _show_hand(game, hand, seen, counter.rate(wager, prices, seen), about, as_json=as_json)
    else:
        with at_work(f"Counting {game.title}"):
            compared, rows = counter.compare(wager, prices), counter.chart(wager, prices, OPTIMAL)
        _show_strategies(game, wager, compared, rows, about, as_json=as_json)
    if about and not as_json:
        console().print(f"  Counted from a deck {counter.exposed.in_words}.", markup=False, soft_wrap=True)


def _check_one(hand: str | None, chart: str | None, *, dealer: bool, exceptions: bool) -> None:
    """One question at a time."""
    if dealer and (hand is not None or chart is not None or exceptions):
        raise NotationError("--dealer is about the dealer's hand alone: leave out --hand, --chart and --exceptions.")
    if exceptions and hand is not None:
        raise NotationError("--exceptions lists all hands: leave out --hand.")


def _show_hand(
    game: TableGame, hand: str, seen: Seen, rated: tuple[Rated, ...], about: dict[str, str], *, as_json: bool
) -> None:
    hand_words, after = " ".join(hand.split()), [str(choice) for choice in seen.choices]
    if as_json:
        choices = [
            {"choice": rating.words, "hand": rating.means, "value": str(rating.value), "cost": str(rating.cost)}
            | {"value_percent": float(rating.value * 100), "cost_percent": float(rating.cost * 100)}
            for rating in rated
        ]
        told = {"after": after} if after else {}
        print_json({"game": game.key, "hand": hand_words, **told, "choices": choices} | about)
        return
    choices_table = table(f"{game.title}: {hand_words}", "choice", "hand", "value", "costs", left=2)
    for rating in rated:
        choices_table.add_row(
            rating.words, rating.means, signed(rating.value), "best" if rating.cost == 0 else percent(rating.cost)
        )
    console().print(choices_table)
    console().print("  Values and costs are exact, per unit of the first wager.")
    if after:
        console().print(
            f"  Chosen before: {', then '.join(after)}. A choice that is not said between the cards is the first that "
            "goes on.",
            soft_wrap=True,
        )


def _show_strategies(
    game: TableGame,
    wager: Wager,
    compared: tuple[Compared, ...],
    chart: tuple[ChartRow, ...],
    about: dict[str, str],
    *,
    as_json: bool,
) -> None:
    if as_json:
        print_json(
            {
                "game": game.key,
                "wager": wager.key,
                "strategies": [strategy_row.as_json() for strategy_row in compared],
                "chart": [row.as_json() for row in chart],
            }
            | about
        )
        return
    screen = console()
    edges = table(
        f"{game.title}: strategies for {wager.title}",
        "strategy",
        "house edge",
        "element of risk",
        "costs",
        "first hands worse",
    )
    for strategy_row in compared:
        edges.add_row(
            strategy_row.name,
            percent(strategy_row.figures.house_edge),
            percent(strategy_row.figures.element_of_risk),
            percent(strategy_row.cost),
            f"{strategy_row.hands_worse:,} of {strategy_row.hands:,}",
        )
    screen.print(edges)
    screen.print(
        "  First hands worse: those of a seat's first hands with which a strategy brings less than the best play.\n"
        "  Hands, below: in how many ways the cards that are seen by then may come.\n"
    )
    best = table("The best strategy, by kind of hand", "hand", "action", "hands", "mean result", left=2)
    for row in chart:
        best.add_row(row.kind, row.action, f"{row.hands:,}", signed(row.value))
    screen.print(best)
    for position in game.positions_to_try:
        screen.print(f"  One hand: croupier strategy {game.key} --hand '{position}'")
