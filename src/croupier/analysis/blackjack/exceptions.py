"""Where the exact cards ask for another decision than a chart of totals: the exceptions, and what they are worth.

A chart plays all hands of a total alike. With the exact cards in sight another decision may be better; its worth is
what it gains each time, and over all rounds. Hands of three cards are those that are drawn to where the chart is
followed until then, so worths add up: over hands of any length, without splits, to all that the best play gains.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from croupier.analysis.blackjack.basic import evaluate
from croupier.analysis.blackjack.chart import Chart
from croupier.analysis.blackjack.hands import hands
from croupier.analysis.blackjack.shoe import value_letter
from croupier.analysis.blackjack.solver import Solution
from croupier.analysis.blackjack.strategy import Action
from croupier.analysis.kernels.player import HAIR, reach_hands
from croupier.games.blackjack.rules import ACE, TEN

LISTED_CARDS = 3
"""Longer hands are rare, and many."""


class Exceptional(NamedTuple):
    """A hand against an up card that is better played otherwise than the chart says."""

    cards: tuple[int, ...]
    up: int
    says: Action
    """The chart."""
    best: Action
    gain: float
    """Of each such hand, in units of its wager."""
    chance: float
    """How often it is dealt, or drawn to by the chart."""

    @property
    def worth(self) -> float:
        """Over all rounds."""
        return self.gain * self.chance

    @property
    def name(self) -> str:
        return f"{''.join(map(value_letter, self.cards))} v {value_letter(self.up)}"

    @property
    def is_soft(self) -> bool:
        """Whether no other two cards come to its total: then a chart could print the exception as its cell."""
        return len(self.cards) == 2 and ACE in self.cards and self.cards != (ACE, ACE)

    def as_json(self) -> dict[str, Any]:
        return {
            "hand": self.name,
            "chart": str(self.says),
            "best": str(self.best),
            "gain": self.gain,
            "probability": self.chance,
            "worth": self.worth,
        }


def exceptions(chart: Chart, solution: Solution, *, most_cards: int = LISTED_CARDS) -> list[Exceptional]:
    """Every hand of up to so many cards that the best play decides otherwise, the most worth first."""
    table, played = hands(), evaluate(chart, solution.rules, solution.shoe)
    blackjack = table.place((ACE, TEN))
    two = (table.size == 2)[:, None]
    says = np.where(two, played.strategy.first, played.strategy.draws)
    best = np.where(two, solution.first, solution.played.draws)
    reached = np.where(says == Action.HIT, solution.table.deals, 0.0)
    reached[blackjack] = 0.0
    reach_hands(solution.table.cards, solution.table.drawn, reached, says)
    chances = np.where(two, solution.table.deals, reached)
    listed = (says != best) & (chances > 0) & (table.size <= most_cards)[:, None]
    listed[blackjack] = False
    exceptional = []
    for place, column in zip(*np.nonzero(listed), strict=True):
        chart_says, better = Action(says[place, column]), Action(best[place, column])
        gain = float(solution.values[better, place, column] - solution.values[chart_says, place, column])
        if gain > HAIR:
            cards = tuple(int(value) for value in np.repeat(np.arange(ACE, TEN + 1), table.cards[place]))
            chance = float(chances[place, column])
            exceptional.append(Exceptional(cards, int(column) + 1, chart_says, better, gain, chance))
    return sorted(exceptional, key=lambda exceptional: -exceptional.worth)
