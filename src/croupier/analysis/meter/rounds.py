"""Several seats in one round: how much likelier two meter awards at once are than if the wagers were independent.

Seats share the shoe, and in two of the wagers the dealer's up card as well: where it is a seven, every seat with two
sevens wins. The planner's meters treat wagers as independent; here the pairs that make the difference are counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product
from math import comb
from typing import NamedTuple

import numpy as np

from croupier.analysis.blackjack.side.deals import FIRST, SECOND, TYPES, VALUE_OF_TYPE, fact_of, judged
from croupier.analysis.meter.plan import MeterPlan
from croupier.games.blackjack.rules import ACE, TEN
from croupier.games.paytable import Kind
from croupier.games.wager import Fact

Types = tuple[int, ...]


class Pairs(NamedTuple):
    """Two awards in one round."""

    two_seats: Fraction
    """Both of two given seats win."""
    independent: Fraction
    """The same, if they had nothing to do with each other."""
    seats: int

    @property
    def a_round(self) -> Fraction:
        """Expected pairs of awards in a round; also the chance of two, as long as three cannot be."""
        return comb(self.seats, 2) * self.two_seats

    @property
    def factor(self) -> Fraction:
        """How much likelier it is than if wagers were independent."""
        return self.two_seats / self.independent


def pairs_in_a_round(plan: MeterPlan, *, whole_only: bool) -> Pairs:
    """Of 100 % awards, or of awards of any share; of whichever meter."""
    lines = {
        place
        for place, outcome in enumerate(plan.wager.outcomes)
        if (pay := plan.progressive.prices[outcome].pays[0]).kind is Kind.SHARE and (pay.share == 1 or not whole_only)
    }
    chance = sum((chance for _, share, chance in plan.share_lines if share == 1 or not whole_only), Fraction(0))
    hands = _winning(plan, lines)
    shared = fact_of(plan.wager) is Fact.UP_CARD
    both = _sharing(plan.decks, hands) if shared else _apart(plan, hands)
    return Pairs(both, chance**2, plan.seats)


def _winning(plan: MeterPlan, lines: set[int]) -> list[Types]:
    """A seat's two types and the third card's that win on one of the lines; pairs of two types in both orders."""
    outcomes = judged(plan.wager)
    thirds = outcomes[:, -TYPES:]
    orders: list[Types] = []
    for pair, third in np.argwhere(np.isin(thirds, list(lines))).tolist():
        one, other = int(FIRST[pair]), int(SECOND[pair])
        orders += [(one, other, third)] if one == other else [(one, other, third), (other, one, third)]
    return orders


def _sharing(decks: int, hands: list[Types]) -> Fraction:
    """Two seats and one up card."""
    by_up: dict[int, list[Types]] = {}
    for one, other, up in hands:
        by_up.setdefault(up, []).append((one, other))
    dealt = ((*two, *others, up) for up, pairs in by_up.items() for two, others in product(pairs, pairs))
    return sum((Fraction(*_ways(decks, cards)) for cards in dealt), Fraction(0))


def _apart(plan: MeterPlan, hands: list[Types]) -> Fraction:
    """Two seats with a third card each, which neither the up card nor a blackjack of the dealer prevents.

    When the second seat gets its third card depends on how the first has played; the card that then comes is as likely
    any of those not seen as one from the end of the shoe, so it may be counted as if it were dealt next.
    """
    total = Fraction(0)
    for one, other in product(hands, hands):
        cards = (*one, *other)
        total += Fraction(*_ways(plan.decks, cards)) * (1 - _prevented(plan, cards))
    return total


def _ways(decks: int, cards: Iterable[int]) -> tuple[int, int]:
    """How many ways there are to deal these types in order, and to deal so many cards."""
    drawn = list(cards)
    ways = all_ = 1
    for place, card in enumerate(drawn):
        ways *= max(0, decks - drawn[:place].count(card))
        all_ *= decks * TYPES - place
    return ways, all_


def _prevented(plan: MeterPlan, out: Types) -> Fraction:
    """That no third card is taken, once these types are out: for the up card's sake, or for the hole card's."""
    left, stands = dict(_left(plan.decks, out)), plan.stands_against
    cards = sum(left.values())
    chance = Fraction(sum(left[up] for up in stands), cards)
    if plan.hole_card:
        ups = sum(up not in stands for up in (ACE, TEN))
        chance += Fraction(ups * left[ACE] * left[TEN], cards * (cards - 1))
    return chance


def _left(decks: int, out: Types) -> Iterator[tuple[int, int]]:
    for value in range(ACE, TEN + 1):
        types = [card_type for card_type in range(TYPES) if VALUE_OF_TYPE[card_type] == value - 1]
        yield value, decks * len(types) - sum(card_type in types for card_type in out)
