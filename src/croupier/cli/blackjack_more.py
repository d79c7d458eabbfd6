"""More about a side wager of blackjack: with players who go out, and beside the base game."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.cli.console import console
from croupier.games.blackjack.game import BlackjackGame
from croupier.games.blackjack.side_wagers import BET_THE_BUST

if TYPE_CHECKING:
    from croupier.analysis.blackjack.strategy import Evaluated
    from croupier.analysis.side_correlation import Together
    from croupier.analysis.side_push import Bounds, PushFigures
    from croupier.analysis.side_wagers import SideSheet

EXACT = 1e-9
"""Bounds that are closer than this are one figure."""


class More(NamedTuple):
    """An answer: all of it is computed before any of it is printed."""

    found: dict[str, Any]
    show: Callable[[], None]


@lru_cache(maxsize=1)
def basic_play(game: BlackjackGame) -> Evaluated:
    """Everybody plays basic strategy."""
    from croupier.analysis.blackjack.basic import basic_strategy, evaluate

    return evaluate(basic_strategy(game.rules), game.rules)


@lru_cache(maxsize=1)
def _basic_variance(game: BlackjackGame) -> float:
    """The same for every paytable of a side wager."""
    from croupier.analysis.blackjack.moments import moments

    return moments(basic_play(game)).variance


def with_players(game: BlackjackGame, sheet: SideSheet, players: int) -> More:
    """Bet the Bust with its push where nobody is left: exact for one player, between bounds for more."""
    from croupier.analysis.side_push import BustTable

    figures = BustTable(basic_play(game)).figures(sheet.paytable, players)
    return More({"with_players": figures.as_json()}, lambda: _print_players(figures))


def _print_players(figures: PushFigures) -> None:
    who = "one player" if figures.players == 1 else f"{figures.players} players"
    edge, push = figures.house_edge, figures.push
    screen = console()
    screen.print(f"  With {who} at basic strategy, the push counted:")
    proved = "exact" if edge.high - edge.low < EXACT else "proved bounds"
    screen.print(f"  pushes              {_between(push)}")
    screen.print(f"  house edge          {_between(edge)} ({proved})\n")


def _between(bounds: Bounds) -> str:
    low, high = 100 * bounds.low, 100 * bounds.high
    return f"{low:.6f} %" if bounds.high - bounds.low < EXACT else f"{low:.4f} % to {high:.4f} %"


def with_bet(game: BlackjackGame, sheet: SideSheet) -> More:
    """A person who bets both: how the side wager goes with the base game, at basic strategy."""
    from croupier.analysis.side_correlation import bet_together, bust_together
    from croupier.analysis.side_push import BustTable

    play = basic_play(game)
    if sheet.wager is BET_THE_BUST:
        both = bust_together(BustTable(play), sheet.paytable, _basic_variance(game))
    else:
        both = bet_together(sheet, play, _basic_variance(game))
    found = {"correlation": both.correlation, "expected": both.mean(), "standard_deviation": both.standard_deviation()}
    return More({"with_bet": found}, lambda: _print_both(sheet, both))


def _print_both(sheet: SideSheet, both: Together) -> None:
    when = ", once the check allows it; no other players" if sheet.wager is BET_THE_BUST else ""
    screen = console()
    screen.print(f"  At basic strategy, one unit on the Bet and one on {sheet.wager.title}{when}:", markup=False)
    screen.print(f"  correlation         {both.correlation:+.6f}")
    screen.print(f"  expected result     {100 * both.mean():+.6f} %")
    screen.print(f"  standard deviation  {both.standard_deviation():.6f} together\n")
