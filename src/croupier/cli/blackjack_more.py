"""More about a side wager of blackjack on the screen: with players who go out, and beside the base game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cli.console import console
from croupier.games.blackjack.side_wagers import BET_THE_BUST

if TYPE_CHECKING:
    from croupier.analysis.side_correlation import Together
    from croupier.analysis.side_push import Bounds, PushFigures
    from croupier.analysis.side_wagers import SideSheet

EXACT = 1e-9
"""Bounds that are closer than this are one figure."""


def print_players(figures: PushFigures) -> None:
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


def print_both(sheet: SideSheet, both: Together) -> None:
    when = ", once the check allows it; no other players" if sheet.wager is BET_THE_BUST else ""
    screen = console()
    screen.print(f"  At basic strategy, one unit on the Bet and one on {sheet.wager.title}{when}:", markup=False)
    screen.print(f"  correlation         {both.correlation:+.6f}")
    screen.print(f"  expected result     {100 * both.mean():+.6f} %")
    screen.print(f"  standard deviation  {both.standard_deviation():.6f} together\n")
