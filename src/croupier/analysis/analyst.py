"""One interface for the counts of every game: `analyst_of(game)` is whoever counts games of its shape.

    analyst = analyst_of(find_any_game("triple-shot-rummy"))
    analyst.solve(wager, prices, strategy)        figures: edge, lines, money at stake, variance, hit frequency
    analyst.rate(wager, prices, seen)             what every choice is worth in this position, the best first
    analyst.chart(wager, prices, strategy)        a strategy on one page

An analyst is a module of `shapes` with `fits(game)` and `analyst(game)`. A game never names one: its shape is
recognised.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, Protocol

from croupier.analysis.figures import Figures
from croupier.analysis.strategy import ChartRow, Compared, Rated
from croupier.errors import CroupierError
from croupier.games.game import TableGame
from croupier.games.table.history import History
from croupier.games.table.shown import Seen
from croupier.games.wager import Outcome, Price, Wager

Prices = Mapping[Outcome, Price]
NOTHING_TO_DECIDE = "Nobody has anything to decide now."
SHAPES = "croupier.analysis.shapes"
"""By name: they are made from all that stands above this interface, and are loaded when a game is first counted."""


class Analyst(Protocol):
    """Who counts one game. Nothing is counted before it is asked for, and what is counted is kept."""

    @property
    def game(self) -> TableGame: ...

    def hints(self, round_: History) -> dict[str, Any]:
        """What each decision is worth at a live table, seat by seat, from what everybody sees."""


class Counter(Analyst, Protocol):
    """Who counts the deals of a game by its positions and choices, whatever they pay."""

    def strategies(self, wager: Wager) -> tuple[str, ...]:
        """How the wager may be decided, the best play first; empty where there is nothing to decide."""

    def deals(self, wager: Wager) -> int:
        """How many deals are counted."""

    def solve(self, wager: Wager, prices: Prices, strategy: str) -> Figures:
        """The wager and what belongs to it, decided so and paid so. Of equally good choices the one that stakes most is
        made, then the first."""

    def rate(self, wager: Wager, prices: Prices, seen: Seen) -> tuple[Rated, ...]:
        """What every choice is worth in a position, the best first."""

    def compare(self, wager: Wager, prices: Prices) -> tuple[Compared, ...]:
        """The best strategy and every named one, in order of what they cost."""

    def chart(self, wager: Wager, prices: Prices, strategy: str) -> tuple[ChartRow, ...]:
        """A strategy on one page, street by street where there are several."""


@cache
def analyst_of(game: TableGame) -> Analyst:
    """Whoever counts games of this shape; one that nobody counts is refused."""
    for name in sorted(name for _, name, _ in pkgutil.iter_modules(import_module(SHAPES).__path__)):
        shape = import_module(f"{SHAPES}.{name}")
        if shape.fits(game):
            found: Analyst = shape.analyst(game)
            return found
    raise CroupierError(f"{game.title} is dealt in a way that nothing here counts exactly.")


def hints_for(round_: History) -> dict[str, Any]:
    """The value of each decision per unit of the first wager, seat by seat, the best first."""
    return analyst_of(round_.offering.game).hints(round_)
