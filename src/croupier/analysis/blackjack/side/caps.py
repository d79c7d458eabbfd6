"""House Money: with which hand against which up card its proceeds are put on the Bet, and what the wager then comes to.

A unit more on the Bet, once the dealer has no blackjack, is worth what the hand is worth then. It is put there where
that is above nothing, whatever it was won with; how the hand is played does not change with its size. So the chances
of all results are those of the Bet from the hands that were put on it, and of the side wager from all others:
in double precision, as those of the Bet are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import sqrt
from typing import Any

import numpy as np

from croupier.analysis.blackjack.hands import Bools, Floats, hands
from croupier.analysis.blackjack.moments import Part, rounds_of
from croupier.analysis.blackjack.shoe import value_letter
from croupier.analysis.blackjack.side.deals import FIRST, SECOND, TYPES, VALUE_OF_TYPE, judged, up_cards
from croupier.analysis.blackjack.solver import Solution, solve
from croupier.analysis.blackjack.strategy import Evaluated
from croupier.games.blackjack.round import BlackjackRound
from croupier.games.blackjack.rules import ACE, TEN, Rules
from croupier.games.blackjack.side_wagers import SideWager, value
from croupier.games.wager import Outcome, Price

Play = Solution | Evaluated


def unit_more(play: Play) -> Floats:
    """(hands, 10): what a unit more on the Bet is worth with these two cards, once the dealer has no blackjack."""
    caught = play.table.caught
    lost = caught.copy()
    lost[hands().place((ACE, TEN))] = 0.0  # a blackjack pushes against the dealer's
    return np.asarray((play.value + lost) / (1 - caught))


def hand_of_pair() -> Floats:
    """(pairs of types): the place of the hand."""
    values = range(ACE, TEN + 1)
    by_values = np.array([[hands().place((one, other)) for other in values] for one in values])
    return np.asarray(by_values[VALUE_OF_TYPE[FIRST], VALUE_OF_TYPE[SECOND]])


def caps_of(play: Play) -> Bools:
    """(pairs of types, 10): whether the proceeds are put on the Bet, where there are any."""
    return np.asarray((unit_more(play) > 0)[hand_of_pair()])


def should_cap(round_: BlackjackRound, seat: int) -> bool:
    """Whether a seat should put its proceeds on the Bet, from a full shoe."""
    first, second = map(value, round_.seats[seat].first_two)
    play = best_play(round_.rules)
    return bool(unit_more(play)[hands().place((first, second)), value(round_.up_card) - 1] > 0)


@lru_cache(maxsize=4)
def best_play(rules: Rules) -> Solution:
    return solve(rules)


@dataclass(frozen=True, eq=False)
class Capped:
    """A wager whose proceeds are put on the Bet where that is right, under one paytable and one way of play."""

    wager: SideWager
    prices: Mapping[Outcome, Price]
    play: Play

    @cached_property
    def law(self) -> dict[tuple[Outcome, Any], float]:
        """By outcome, and by what the Bet then came to per unit, None where nothing was put on it: the chance."""
        outcomes, caught = judged(self.wager)[:, 0], self.play.table.caught
        law: dict[tuple[Outcome, Any], float] = {}
        for number, outcome in enumerate(self.wager.outcomes):
            kept = float(self._weight[outcomes == number].sum())
            if outcome in self._dealt:
                dealt = self._dealt[outcome]
                kept -= float((dealt * (1 - caught)).sum())
                for units, chance in _without_blackjack(self.play, dealt).items():
                    law[outcome, units] = chance
            law[outcome, None] = kept
        return law

    @cached_property
    def naturals(self) -> dict[Outcome, float]:
        """By outcome: the chance that its proceeds lie on a blackjack that is paid, whatever that pays."""
        natural, caught = hands().place((ACE, TEN)), self.play.table.caught
        return {outcome: float((dealt * (1 - caught))[natural].sum()) for outcome, dealt in self._dealt.items()}

    @cached_property
    def _weight(self) -> Floats:
        """(pairs of types, types of up card): the chance of each deal."""
        weight = up_cards(np.full(TYPES, self.play.table.rules.decks, dtype=np.int64)).astype(np.float64)
        return np.asarray(weight / weight.sum())

    @cached_property
    def _dealt(self) -> dict[Outcome, Floats]:
        """By outcome that wins, (hands, 10): how often its proceeds go on the Bet, dealer's blackjacks included."""
        outcomes, caps, places = judged(self.wager)[:, 0], caps_of(self.play), hand_of_pair()
        dealt = {}
        for number, outcome in enumerate(self.wager.outcomes):
            if self.prices[outcome].net > 0:
                mine = outcomes == number
                dealt[outcome] = np.zeros_like(self.play.table.deals)
                for up in range(TEN):
                    column = self._weight[:, up == VALUE_OF_TYPE].sum(axis=1)
                    np.add.at(dealt[outcome][:, up], places[mine], np.where(caps[mine, up], column[mine], 0.0))
        return dealt

    def net(self, outcome: Outcome, units: Any) -> Any:
        """What a unit of the side wager brings."""
        won = self.prices[outcome].net
        return won if units is None else won + (won + 1) * units

    @cached_property
    def expected(self) -> float:
        return sum(float(self.net(*how)) * chance for how, chance in self.law.items())

    @property
    def house_edge(self) -> float:
        return -self.expected

    @cached_property
    def standard_deviation(self) -> float:
        """Of the chances as they are; those of three and four split hands are as near as the Bet's are."""
        square = sum(float(self.net(*how)) ** 2 * chance for how, chance in self.law.items())
        return sqrt(square - self.expected**2)

    @cached_property
    def chart(self) -> dict[str, str]:
        """By first two cards that win, what to do against 2 to ace: `C` puts the proceeds on the Bet, `-` does not."""
        worth = unit_more(self.play)
        rows = {}
        for one, other in _winning_values(self.wager, self.prices):
            cells = ["C" if worth[hands().place((one, other)), up % TEN] > 0 else "-" for up in range(1, TEN + 1)]
            rows[f"{value_letter(one)},{value_letter(other)}"] = " ".join(cells)
        return rows

    def as_json(self) -> dict[str, Any]:
        return {
            "house_edge": {"exact": None, "percent": 100 * self.house_edge},
            "standard_deviation": self.standard_deviation,
            "capped": sum(chance for (_, units), chance in self.law.items() if units is not None),
            "up_cards": "2 3 4 5 6 7 8 9 T A",
            "chart": self.chart,
        }


def _without_blackjack(play: Play, dealt: Floats) -> dict[Any, float]:
    """The law of the Bet from hands dealt so often, less those in which the dealer has a blackjack."""
    law: dict[Any, float] = {}
    parts: list[Part] = list(rounds_of(play, dealt))
    natural = hands().place((ACE, TEN))
    taken = dealt * play.table.caught
    pushed = float(taken[natural].sum())
    parts += [(0, -pushed), (-1, pushed - float(taken.sum()))]
    for units, chance in parts:
        law[units] = law.get(units, 0.0) + chance
    return {units: chance for units, chance in law.items() if chance > 1e-15}


def _winning_values(wager: SideWager, prices: Mapping[Outcome, Price]) -> list[tuple[int, int]]:
    wins = np.array([prices[outcome].net > 0 for outcome in wager.outcomes])[judged(wager)[:, 0]]
    pairs = {
        tuple(sorted((int(VALUE_OF_TYPE[FIRST[row]]) + 1, int(VALUE_OF_TYPE[SECOND[row]]) + 1)))
        for row in np.flatnonzero(wins)
    }
    return sorted(pairs, key=lambda two: (two[0] != two[1], two))  # type: ignore[arg-type]
