"""How the dealer's hand ends: 17 to 21, broken or a blackjack, for each up card and any shoe.

The dealer's rule is asked for every hand the dealer can hold; the finished hands go into a trie that the kernel walks
for a whole list of shoes. A broken hand is what remains, so the trie need not hold it. Where a shoe is so small that
the dealer can run out of cards, such a hand counts as broken.

Where somebody has seen the hole card, it is out of the shoe, and the hands are what the dealer draws beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import perm

import numpy as np

from croupier.analysis.blackjack.hands import VALUES, Floats, Ints
from croupier.analysis.blackjack.shoe import UNSEEN, Composition, up_value
from croupier.analysis.kernels.dealer import Trie, dealer_totals
from croupier.errors import NotationError
from croupier.games.blackjack.hand import TWENTY_TWO
from croupier.games.blackjack.rules import ACE, TEN, Rules, count

TOTALS = range(17, 22)
BLACKJACK_TOTAL = 21
BROKEN, BLACKJACK = "broken", "blackjack"
ENDINGS = (*map(str, TOTALS), BLACKJACK, BROKEN)


def endings_of(rules: Rules) -> tuple[str, ...]:
    """How a hand can end: a 22 is told apart where it pushes."""
    return (*ENDINGS[:-1], TWENTY_TWO, BROKEN) if rules.push_22 else ENDINGS


MAKES_BLACKJACK = {
    up: hole for up in range(ACE, TEN + 1) for hole in range(ACE, TEN + 1) if count((up, hole)).total == BLACKJACK_TOTAL
}
"""The hole card that makes a blackjack of an up card."""


@cache
def trie_for(up: int, *, hits_soft_17: bool, push_22: bool = False) -> Trie:
    """Only what the hands with this up card need."""
    whole = trie(hits_soft_17=hits_soft_17, push_22=push_22)
    kept = whole.slot % VALUES == up - 1
    per_node = np.diff(np.concatenate(([0], np.cumsum(kept)))[whole.first])
    wanted = per_node > 0
    below = [False] * (int(whole.depth.max()) + 2)
    for node in range(len(wanted) - 1, -1, -1):  # backwards in preorder: what lies below a node comes first
        depth = whole.depth[node]
        wanted[node] |= below[depth + 1]
        below[depth + 1] = False
        below[depth] |= bool(wanted[node])
    return Trie(
        value=whole.value[wanted],
        depth=whole.depth[wanted],
        copy=whole.copy[wanted],
        first=np.concatenate(([0], np.cumsum(per_node[wanted]))),
        slot=whole.slot[kept],
        orders=whole.orders[kept],
        totals=whole.totals,
    )


@cache
def trie(*, hits_soft_17: bool, push_22: bool = False, hole: int = UNSEEN) -> Trie:
    """The trie of one drawing rule, made once; a 22 is in it where it is told apart."""
    finished = _finished(Rules(hits_soft_17=hits_soft_17, push_22=push_22), hole)
    return _as_trie(finished, totals=len(TOTALS) + push_22, hole=hole)


Ways = dict[tuple[int, ...], dict[int, int]]
"""Hands, their values ascending, and in how many orders each comes about with each up card first."""


@cache
def _finished(rules: Rules, hole: int = UNSEEN) -> Ways:
    """Every finished hand; without the hole card where that was seen."""
    finished: Ways = {}
    shown: Ways = {(up,): {up: 1} for up in range(ACE, TEN + 1)}
    drawn = _one_more(shown) if hole == UNSEEN else shown
    while drawn:
        drawing: Ways = {}
        for held, ways in drawn.items():
            whole = _with_hole(held, hole)
            total, soft = count(whole)
            if rules.dealer_draws(total, soft=soft):
                drawing[held] = ways
            elif total <= 21 + rules.push_22 and whole != (ACE, TEN):
                finished[held] = ways
        drawn = _one_more(drawing)
    return finished


def _one_more(hands: Ways) -> Ways:
    """Each of these with any card more."""
    drawn: Ways = {}
    for held, ways in hands.items():
        for value in range(ACE, TEN + 1):
            hand = drawn.setdefault(tuple(sorted((*held, value))), {})
            for up, orders in ways.items():
                hand[up] = hand.get(up, 0) + orders
    return drawn


def _with_hole(held: tuple[int, ...], hole: int) -> tuple[int, ...]:
    return held if hole == UNSEEN else tuple(sorted((*held, hole)))


def _as_trie(finished: Mapping[tuple[int, ...], Mapping[int, int]], *, totals: int, hole: int) -> Trie:
    nodes = sorted({hand[:size] for hand in finished for size in range(1, len(hand) + 1)})
    slots: list[int] = []
    orders: list[int] = []
    first = [0]
    for node in nodes:
        for up, ways in finished.get(node, {}).items():
            slots.append(VALUES * (count(_with_hole(node, hole)).total - TOTALS.start) + up - 1)
            orders.append(ways)
        first.append(len(slots))
    return Trie(
        value=np.array([node[-1] - 1 for node in nodes]),
        depth=np.array([len(node) for node in nodes]),
        copy=np.array([node.count(node[-1]) - 1 for node in nodes]),
        first=np.array(first),
        slot=np.array(slots),
        orders=np.array(orders, dtype=np.float64),
        totals=totals,
    )


def totals_for(
    shoe: Composition, missing: Ints, *, hits_soft_17: bool, push_22: bool = False, hole: int = UNSEEN
) -> Floats:
    """Chances of 17 to 21 without a blackjack by (set of missing cards, total, up card); none if it lacks the cards.

    Where a 22 pushes, it is one more. A hole card that was seen is not in the shoe.
    """
    cards, walked = np.array(shoe.counts), trie(hits_soft_17=hits_soft_17, push_22=push_22, hole=hole)
    there = (missing <= cards).all(axis=1)
    if there.all():
        return dealer_totals(cards, missing, walked)
    totals = np.zeros((len(missing), walked.totals, VALUES))
    totals[there] = dealer_totals(cards, missing[there], walked)
    return totals


def dealer_distribution(
    rules: Rules, up: str | int, shoe: Composition | None = None, *, checked: bool = False
) -> dict[str, float]:
    """How the hand with this up card ends, the up card still among the cards of the shoe.

    `checked` says that the hole card has been looked at and is no blackjack.
    """
    cards = Composition.full(rules.decks) if shoe is None else shoe
    value = up_value(up)
    if not cards.counts[value - 1]:
        raise NotationError(f"The shoe holds no {up}, so the dealer cannot show one.")
    nothing = np.zeros((1, VALUES), dtype=np.int64)
    chances = totals_for(cards, nothing, hits_soft_17=rules.hits_soft_17, push_22=rules.push_22)
    names = (*map(str, TOTALS), TWENTY_TWO)
    ending = dict(zip(names, chances[0, :, value - 1].tolist(), strict=False))
    ending[BLACKJACK] = blackjack_chance(cards, value)
    ending[BROKEN] = max(0.0, 1.0 - sum(ending.values()))
    if not checked:
        return ending
    rest = 1.0 - ending.pop(BLACKJACK)
    if rest <= 0:
        raise NotationError(f"With {cards} every hand of the dealer that shows {up} is a blackjack.")
    return {name: chance / rest for name, chance in ending.items()}


def exact_distribution(rules: Rules, up: int, shoe: Composition, *, checked: bool = False) -> dict[str, Fraction]:
    """The same in fractions, finished hand by finished hand."""
    left = shoe.without([up])
    ending = dict.fromkeys(endings_of(rules), Fraction(0))
    for hand, orders in _finished(Rules(hits_soft_17=rules.hits_soft_17, push_22=rules.push_22)).items():
        if up in orders:
            drawn = Counter(hand)
            drawn[up] -= 1
            ways = orders[up]
            for value, cards in drawn.items():
                ways *= perm(left.counts[value - 1], cards)
            if ways:
                ending[str(count(hand).total)] += Fraction(ways, perm(left.size, len(hand) - 1))
    if up in MAKES_BLACKJACK:
        ending[BLACKJACK] = Fraction(left.counts[MAKES_BLACKJACK[up] - 1], left.size)
    ending[BROKEN] = 1 - sum(ending.values(), Fraction(0))
    if not checked:
        return ending
    rest = 1 - ending.pop(BLACKJACK)
    if not rest:
        raise NotationError(f"With {shoe} every hand of the dealer that shows {up} is a blackjack.")
    return {name: chance / rest for name, chance in ending.items()}


def blackjack_chance(shoe: Composition, up: int) -> float:
    """How often the next card makes a blackjack of this up card, which is still among the cards of the shoe."""
    nothing = np.zeros((1, VALUES), dtype=np.int64)
    return float(blackjack_chances(np.array(shoe.counts), nothing)[0, up - 1])


def blackjack_chances(cards: Ints, missing: Ints, hole: int = UNSEEN) -> Floats:
    """The same for many shoes, by (set of missing cards, up card): `cards` (10) without `missing` (sets, 10).

    The up card is still among the cards. What is said of a set that the shoe does not hold means nothing. A hole card
    that was seen makes a blackjack or none.
    """
    if hole != UNSEEN:
        caught = np.array([float(MAKES_BLACKJACK.get(up) == hole) for up in range(ACE, TEN + 1)])
        return np.broadcast_to(caught, missing.shape).copy()
    left = np.maximum(1, cards.sum() - missing.sum(axis=1) - 1)
    chance = np.zeros(missing.shape)
    for up, other in MAKES_BLACKJACK.items():
        chance[:, up - 1] = np.maximum(0, cards[other - 1] - missing[:, other - 1]) / left
    return chance
