"""A wager on one sheet: every line with its count, and the figures they come to, tied to the rules by a digest."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from croupier.analysis.analyst import Counter, counter_of
from croupier.analysis.census import OPTIMAL
from croupier.analysis.figures import Figures
from croupier.analysis.printing import as_percent
from croupier.analysis.strategy import ChartRow, Compared
from croupier.games.game import TableGame
from croupier.games.paytable import Paytable
from croupier.games.wager import FindPaytable, Wager, paytable_name, wager_missing


@dataclass(frozen=True, eq=False)
class WagerSheet(ABC):
    """The exact analysis of one wager of any game under one paytable and one strategy."""

    game: TableGame
    wager: Wager
    paytable_id: str
    paytable: Paytable
    strategy: str | None
    """None where there is nothing to decide."""
    figures: Figures
    decks: int = 1

    @property
    @abstractmethod
    def digest(self) -> str:
        """SHA-256 over the rules and the pays, as an offering of this wager has it."""

    @property
    def hit_frequency(self) -> Fraction:
        """How often the wager wins something."""
        return self.figures.hit_frequency

    def as_json(self) -> dict[str, Any]:
        """The JSON form of `croupier odds` and of the PAR sheet."""
        figures = self.figures
        sheet: dict[str, Any] = {
            "game": self.game.key,
            "wager": self.wager.key,
            "paytable": self.paytable_id,
            "decks": self.decks,
            "strategy": self.strategy,
            "digest": self.digest,
            "house_edge": as_percent(figures.house_edge),
            "hit_frequency": as_percent(self.hit_frequency),
            "standard_deviation": figures.standard_deviation,
            "variance": str(figures.variance),
        }
        if self.strategy or self.game.has_decisions:
            sheet["element_of_risk"] = as_percent(figures.element_of_risk)
            sheet["mean_staked"] = str(figures.staked)
        sheet["combinations"] = figures.deals
        sheet["lines"] = [
            {
                "line": line.line,
                "pays": line.pays,
                "combinations": line.combinations,
                "probability": float(line.probability),
                "probability_exact": str(line.probability),
                "return": float(line.contribution),
                "return_exact": str(line.contribution),
            }
            for line in figures.lines
        ]
        footnotes = self.wager.footnotes(figures.prices)
        return sheet | ({"footnotes": footnotes} if footnotes else {})


@dataclass(frozen=True, eq=False)
class Sheet(WagerSheet):
    """A wager of a game whose deals were counted."""

    @property
    def digest(self) -> str:
        offering = self.game.offer({self.wager.key: self.paytable}, options=self.game.options_read)
        return offering.digest_of(self.wager)

    @cached_property
    def strategies(self) -> tuple[tuple[Compared, ...], tuple[ChartRow, ...]]:
        """How the strategies of the wager compare, and the chart of the best: nothing where nothing is decided."""
        if not self.strategy:
            return (), ()
        counter, prices = counter_of(self.game), self.figures.prices
        return counter.compare(self.wager, prices), counter.chart(self.wager, prices, OPTIMAL)


def make_sheet(
    game: TableGame,
    wager: Wager,
    paytable_id: str,
    paytable: Paytable,
    *,
    strategy: str = OPTIMAL,
    counter: Counter | None = None,
) -> Sheet:
    """Count and price a wager; the strategy matters only where there is something to decide. Whoever has seen cards
    has a counter of their own."""
    counter = counter or counter_of(game)
    known, strategy = counter.strategies(wager), game.strategy_named(strategy, OPTIMAL)
    figures = counter.solve(wager, wager.prices(paytable), strategy)
    return Sheet(game, wager, paytable_id, paytable, strategy if known else None, figures, game.decks)


def all_sheets(
    game: TableGame, wager: Wager | None = None, *, strategy: str = OPTIMAL, counter: Counter | None = None
) -> Iterator[Sheet]:
    """The sheets of all paytables of a wager, or of all wagers of a game."""
    for of_game in [wager] if wager else game.wagers:
        for paytable_id, paytable in of_game.paytables.items():
            yield make_sheet(game, of_game, paytable_id, paytable, strategy=strategy, counter=counter)


def sheets_for(
    game: TableGame,
    wager: Wager | None,
    paytable: str | None,
    strategy: str,
    find_paytable: FindPaytable,
    *,
    counter: Counter | None = None,
) -> list[Sheet]:
    """The sheets that are asked for: all of a game or wager, or one paytable of a wager."""
    if paytable is None:
        return list(all_sheets(game, wager, strategy=strategy, counter=counter))
    if wager is None:
        raise wager_missing(paytable, game.wagers)
    posted = find_paytable(wager, paytable)
    name = paytable_name(wager, paytable, posted)
    return [make_sheet(game, wager, name, posted, strategy=strategy, counter=counter)]
