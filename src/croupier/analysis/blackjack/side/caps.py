"""House Money: with which hand against which up card its proceeds are put on the Bet, and what the wager then comes to.

A unit more on the Bet, once the dealer has no blackjack, is worth what the hand is worth then. It is put there where
that is above nothing, whatever it was won with; how the hand is played does not change with its size. So the chances
of all results are those of the Bet from the hands that were put on it, and of the side wager from all others:
in double precision, as those of the Bet are.

Early surrender comes before the check, and the proceeds after it. Whoever gives up early has nothing to put them on;
that is never right with a hand that would take them, while a blackjack is less likely than not: where a unit more is
worth something after the check, the hand is worth more than what the blackjack takes before it, and so more than
half of the Bet.

A blackjack is always worth it. What it pays may go by its suits, which the hand's values do not tell, and the line of
the side wager may tell: an ace and a king of one suit are in diamonds one time in four. So blackjacks are counted
apart, by their cards.
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
from croupier.analysis.blackjack.results import AT_BLACKJACK, AT_BROKEN
from croupier.analysis.blackjack.shoe import value_letter
from croupier.analysis.blackjack.side.deals import FIRST, SECOND, TYPES, VALUE_OF_TYPE, judged, up_cards
from croupier.analysis.blackjack.solver import Solution, solve
from croupier.analysis.blackjack.strategy import Evaluated
from croupier.cards.card import DECK, Suit
from croupier.games.blackjack.round import BlackjackRound
from croupier.games.blackjack.rules import ACE, TEN, Rules
from croupier.games.blackjack.side_wagers import SideWager, value
from croupier.games.wager import Outcome, Price

Play = Solution | Evaluated
_DIAMONDS: Bools = np.array(
    [DECK[one].suit is DECK[other].suit is Suit.DIAMONDS for one, other in zip(FIRST, SECOND, strict=True)]
)
"""(pairs of types): both are diamonds."""


def unit_more(play: Play) -> Floats:
    """(hands, 10): what a unit more on the Bet is worth with these two cards, once the dealer has no blackjack."""
    caught = play.table.caught
    lost = caught.copy()
    # A blackjack pushes against the dealer's, or is paid even then: the proceeds are not on it in that case.
    lost[hands().place((ACE, TEN))] *= -float(play.table.results.blackjack[AT_BLACKJACK])
    # Where a small shoe leaves the dealer nothing but a blackjack, nothing is put on the Bet.
    none = np.zeros_like(caught)
    return np.asarray(np.divide(play.value + lost, 1 - caught, out=none, where=caught < 1))


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
    copies: tuple[int, ...] = ()
    """Of each type of card, where the shoe is none of whole decks; the play is of the same shoe."""

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
                for (_, nets), chance in zip(self.play.table.results.naturals, self.naturals[outcome], strict=True):
                    law[outcome, nets[AT_BROKEN]] = law.get((outcome, nets[AT_BROKEN]), 0.0) + chance
            law[outcome, None] = kept
        return law

    @cached_property
    def naturals(self) -> dict[Outcome, tuple[float, ...]]:
        """By outcome: the chance that its proceeds lie on a blackjack that is paid, for each sort of blackjack."""
        natural, caught = hands().place((ACE, TEN)), self.play.table.caught
        outcomes, mine = judged(self.wager)[:, 0], hand_of_pair() == natural
        naturals = {}
        for number, outcome in enumerate(self.wager.outcomes):
            if outcome in self._dealt:
                paid = float((self._dealt[outcome] * (1 - caught))[natural].sum())
                weight = np.where(mine & (outcomes == number), self._weight.sum(axis=1), 0.0)
                sorts = [weight.sum()]
                if self.play.table.rules.diamond_blackjack:
                    diamonds = weight[_DIAMONDS].sum()
                    sorts = [weight.sum() - diamonds, diamonds]
                naturals[outcome] = tuple(paid * float(sort / max(weight.sum(), 1e-300)) for sort in sorts)
        return naturals

    @cached_property
    def _weight(self) -> Floats:
        """(pairs of types, types of up card): the chance of each deal."""
        copies = self.copies or (self.play.table.rules.decks,) * TYPES
        weight = up_cards(np.array(copies, dtype=np.int64)).astype(np.float64)
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
    """The law of the Bet from hands dealt so often, less those in which the dealer has a blackjack; the player's
    blackjacks are left out."""
    law: dict[Any, float] = {}
    dealt = dealt.copy()
    dealt[hands().place((ACE, TEN))] = 0.0
    parts: list[Part] = [*rounds_of(play, dealt), (-1, -float((dealt * play.table.caught).sum()))]
    for units, chance in parts:
        law[units] = law.get(units, 0.0) + chance
    # In a shoe of a dozen cards the sliver that makes the variance of three hands exact may go below nothing; mean and
    # sum are right with it.
    return {units: chance for units, chance in law.items() if abs(chance) > 1e-15}


def _winning_values(wager: SideWager, prices: Mapping[Outcome, Price]) -> list[tuple[int, int]]:
    wins = np.array([prices[outcome].net > 0 for outcome in wager.outcomes])[judged(wager)[:, 0]]
    pairs = {
        tuple(sorted((int(VALUE_OF_TYPE[FIRST[row]]) + 1, int(VALUE_OF_TYPE[SECOND[row]]) + 1)))
        for row in np.flatnonzero(wins)
    }
    return sorted(pairs, key=lambda two: (two[0] != two[1], two))  # type: ignore[arg-type]
