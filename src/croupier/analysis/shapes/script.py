"""Games that are written as a script: each wager is counted by the quickest way that fits it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

from croupier.analysis.analyst import NOTHING_TO_DECIDE, Prices
from croupier.analysis.census import OPTIMAL
from croupier.analysis.figures import Figures, Line
from croupier.analysis.script.counts import Counting, counting, step_of
from croupier.analysis.strategy import ChartRow, Compared, Rated
from croupier.errors import NotationError, UnknownName
from croupier.games.game import TableGame
from croupier.games.script.game import ScriptGame, Strategy
from croupier.games.script.language import SEAT
from croupier.games.script.language import Seen as ScriptSeen
from croupier.games.script.wager import Ending, ScriptWager
from croupier.games.table.history import History
from croupier.games.table.shown import Seen
from croupier.games.wager import Price, Wager

FACE_UP = "the seat's own cards and those that lie face up; the others are not known"


def fits(game: TableGame) -> bool:
    return isinstance(game, ScriptGame)


def analyst(game: TableGame) -> ScriptAnalyst:
    assert isinstance(game, ScriptGame)
    return ScriptAnalyst(game)


@dataclass(frozen=True, eq=False)
class EndingFigures(Figures):
    """Figures of a wager whose stake hangs on the choices: a line has as many endings as there are stakes on it."""

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """In the order of the outcomes; endings on one row are added up, and the net is their mean."""
        gathered: dict[str, list[tuple[Price, int]]] = {}
        for ending in sorted(self.counts, key=self._order):
            price = self.prices[ending]
            gathered.setdefault(price.row, []).append((price, self.counts[ending]))
        return tuple(self._line(row, endings) for row, endings in gathered.items())

    def _order(self, ending: Any) -> tuple[int, ...]:
        assert isinstance(ending, Ending)
        wager = self.wager
        assert isinstance(wager, ScriptWager)
        places = []
        for spot, (_, outcome) in zip(wager.spots, ending.parts, strict=True):
            known = spot.judged.outcomes
            places.append(known.index(outcome) if outcome in known else len(known))
        return tuple(places)

    def _line(self, row: str, endings: list[tuple[Price, int]]) -> Line:
        count = sum(n for _, n in endings)
        total = sum((price.net * n for price, n in endings), Fraction(0))
        net = total / count if count else endings[0][0].net
        pays = dict.fromkeys(self._pays(price) for price, _ in endings)
        longest = max(pays, key=len)
        return Line(row, longest, net, count, Fraction(count, self.deals))

    def _pays(self, price: Price) -> str:
        staked = [(spot, pay) for spot, pay in zip(self.wager.spots, price.pays, strict=True) if pay.staked]
        if len({pay for _, pay in staked}) == 1:
            return str(staked[0][1])
        return ", ".join(f"{spot.title} {pay}" for spot, pay in staked)


@dataclass(frozen=True, eq=False)
class ScriptAnalyst:
    """Counts a game's wagers, each once."""

    game: ScriptGame

    def _counting(self, wager: Wager) -> Counting:
        assert isinstance(wager, ScriptWager)
        return _counted(self.game, wager)

    def strategies(self, wager: Wager) -> tuple[str, ...]:
        return (OPTIMAL, *self.game.strategies) if wager.choices else ()

    def strategy(self, wager: Wager, name: str) -> Strategy | None:
        """A person's way of choosing; None is the best."""
        if name not in (OPTIMAL, *self.game.strategies):
            raise UnknownName(f"strategy for {self.game.title}", name, [OPTIMAL, *self.game.strategies])
        return self.game.strategies.get(name) if wager.choices else None

    def deals(self, wager: Wager) -> int:
        return self._counting(wager).deals

    def solve(self, wager: Wager, prices: Prices, strategy: str) -> Figures:
        count = self._counting(wager).count(prices, self.strategy(wager, strategy))
        return EndingFigures(wager, {**count.endings}, prices)

    def rate(self, wager: Wager, prices: Prices, seen: Seen) -> tuple[Rated, ...]:
        assert isinstance(seen, ScriptSeen)
        step = step_of(self.game, seen)
        if step is None:
            raise NotationError(f"With these cards nothing is to be decided in {self.game.title}.")
        valued = self._counting(wager).values(prices, seen, step)
        best = max(value for _, value in valued)
        words = self.game.words(seen, SEAT)
        # Of equally good choices the one that stakes most comes first.
        ordered = sorted(valued, key=lambda each: (best - each[1], -each[0].times if each[0].lays else 0))
        return tuple(Rated(choice.key, words, value, best - value) for choice, value in ordered)

    def compare(self, wager: Wager, prices: Prices) -> tuple[Compared, ...]:
        counting, compared = self._counting(wager), []
        for name in (OPTIMAL, *self.game.strategies):
            strategy = self.strategy(wager, name)
            worse = counting.hands_worse(prices, strategy) if strategy else 0
            compared.append((name, self.solve(wager, prices, name), worse))
        least = min(figures.house_edge for _, figures, _ in compared)
        rows = [Compared(name, figures, figures.house_edge - least, worse) for name, figures, worse in compared]
        return tuple(sorted(rows, key=lambda row: row.cost))

    def chart(self, wager: Wager, prices: Prices, strategy: str) -> tuple[ChartRow, ...]:
        """Street by street, the kinds of hands in the order of what they are worth."""
        brackets = list(self._counting(wager).brackets(prices, self.strategy(wager, strategy)))
        assert isinstance(wager, ScriptWager)
        rows = []
        for step in wager.steps:
            here = sorted((each for each in brackets if each.step is step), key=lambda each: each.value, reverse=True)
            title = f"{step.title}: " if step.title and len(wager.steps) > 1 else ""
            rows += [ChartRow(title + each.kind, each.choice, each.hands, each.value) for each in here]
        return tuple(rows)

    def hints(self, round_: History) -> dict[str, Any]:
        if not round_.waits_for:
            return {"given": FACE_UP, "seats": [], "sentence": NOTHING_TO_DECIDE}
        prices = round_.offering.prices[self.game.base.key]
        seats = []
        for number in round_.waits_for:
            decided = [
                {
                    "act": f"decide {number} {each.words}",
                    "hand": each.means,
                    "value": float(each.value),
                    "value_exact": str(each.value),
                    "cost": float(each.cost),
                }
                for each in self.rate(self.game.base, prices, round_.seen(number))
            ]
            seats.append({"seat": number, "decisions": decided})
        return {"given": FACE_UP, "seats": seats, "sentence": ""}


@cache
def _counted(game: ScriptGame, wager: ScriptWager) -> Counting:
    return counting(game, wager)
