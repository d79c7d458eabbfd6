"""Where the exact cards ask for another decision than a chart of totals: the exceptions, and what they are worth.

A chart plays all hands of a total alike. With the first two cards in sight another decision may be better; its worth is
what it gains each time, and over all rounds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from croupier.analysis.blackjack.basic import evaluate
from croupier.analysis.blackjack.chart import COLUMNS, Chart
from croupier.analysis.blackjack.hands import hands
from croupier.analysis.blackjack.shoe import value_letter
from croupier.analysis.blackjack.solver import Solution
from croupier.analysis.blackjack.strategy import Action
from croupier.analysis.kernels.player import HAIR
from croupier.games.blackjack.rules import ACE, TEN

VALUES = range(ACE, TEN + 1)


class Exceptional(NamedTuple):
    """Two cards against an up card that are better played otherwise than the chart says."""

    cards: tuple[int, int]
    up: int
    says: Action
    """The chart."""
    best: Action
    gain: float
    """Of each such hand, in units of its wager."""
    chance: float
    """How often it is dealt."""

    @property
    def worth(self) -> float:
        """Over all rounds."""
        return self.gain * self.chance

    @property
    def name(self) -> str:
        first, second = map(value_letter, self.cards)
        return f"{first}{second} v {value_letter(self.up)}"

    @property
    def is_soft(self) -> bool:
        """Whether no other two cards come to its total: then a chart could print the exception as its cell."""
        return ACE in self.cards and self.cards != (ACE, ACE)

    def as_json(self) -> dict[str, Any]:
        return {
            "hand": self.name,
            "chart": str(self.says),
            "best": str(self.best),
            "gain": self.gain,
            "probability": self.chance,
            "worth": self.worth,
        }


def exceptions(chart: Chart, solution: Solution) -> list[Exceptional]:
    """Every two cards that the best play decides otherwise, the most worth first."""
    played = evaluate(chart, solution.rules, solution.shoe)
    found = []
    for first in VALUES:
        for second in range(first, TEN + 1):
            if (first, second) == (ACE, TEN):
                continue
            place = hands().place((first, second))
            for up in COLUMNS:
                chance = float(solution.table.deals[place, up - 1])
                values = solution.values[:, place, up - 1]
                says, best = Action(played.strategy.first[place, up - 1]), Action(solution.first[place, up - 1])
                gain = float(values[best] - values[says]) if chance and says is not best else 0.0
                if gain > HAIR:
                    found.append(Exceptional((first, second), up, says, best, gain, chance))
    return sorted(found, key=lambda each: -each.worth)
