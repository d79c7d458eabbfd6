"""What the hands of a split pair are worth, by drawing backwards under several shoes at once.

The hand of interest starts with one card of the pair. Its fate is summed over shoes k = 0, 1, ... that lack k more
cards of the pair, each with a weight that may be negative (see `analysis.blackjack.splits`): a *measure*. For a hand h
drawn in one given order, path_k(h) is the chance of that order, and it is the same for every order. Three sums over k
are all it takes:

    mass(h)    weight_k x path_k(h)                                 how often the hand comes about
    stood(h)   weight_k x path_k(h) x value of standing with it     what standing yields
    caught(h)  weight_k x path_k(h) x chance of a dealer blackjack  how often a blackjack waits

Drawing then needs no chances: what a hit yields is the sum of what the hands after it yield.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from croupier.analysis.kernels.compiled import compiled
from croupier.analysis.kernels.player import BEST, DOUBLE, HAIR, HIT, STAND


class Rows(NamedTuple):
    """The hands that one split pair can become; row 0 is the one card itself, and every draw leads to a later row."""

    pair: int
    """The value of the pair; 0 is an ace."""
    place: npt.NDArray[np.int64]
    """Where the hand is in the table of hands."""
    parent: npt.NDArray[np.int64]
    """The row that becomes this one by drawing a card of value `drawn`."""
    drawn: npt.NDArray[np.int64]
    cards: npt.NDArray[np.int64]
    """(rows, 10)."""
    size: npt.NDArray[np.int64]
    grade: npt.NDArray[np.int64]
    """0 for 16 and less up to 5 for 21, then those that have won by their number of cards."""
    doubled_grade: npt.NDArray[np.int64]
    """The same of a doubled hand."""
    child: npt.NDArray[np.int64]
    """(rows, 10): the row after drawing each value, -1 where the hand breaks."""
    missing: npt.NDArray[np.int64]
    """(rows, shoes): which set of missing cards its values of standing come from."""
    may_double: npt.NDArray[np.bool_]
    free: npt.NDArray[np.bool_]
    """Whether a double is made with a free chip."""


class Sums(NamedTuple):
    """See above; each (rows, 10 up cards), or one more axis in front for several measures."""

    mass: npt.NDArray[np.float64]
    stood: npt.NDArray[np.float64]
    caught: npt.NDArray[np.float64]


class Yields(NamedTuple):
    """What hands of two cards and more yield if hit, if doubled and as `chosen`; each (rows, 10)."""

    hit: npt.NDArray[np.float64]
    double: npt.NDArray[np.float64]
    worth: npt.NDArray[np.float64]
    chosen: npt.NDArray[np.int8]


@compiled
def measure_hands(
    left: npt.NDArray[np.int64],
    rows: Rows,
    stands: npt.NDArray[np.float64],
    blackjack: npt.NDArray[np.float64],
    weight: npt.NDArray[np.float64],
) -> Sums:
    """The three sums for each measure: (measures, rows, 10).

    `left` (10) is the shoe without the pair, `stands` (sets, 6 grades, 10) the values of standing, `blackjack` (sets,
    10) the chances of a dealer's blackjack, `weight` (measures, shoes, 10).
    """
    measures, shoes = weight.shape[0], weight.shape[1]
    count = rows.size.size
    mass = np.zeros((measures, count, 10))
    stood = np.zeros((measures, count, 10))
    caught = np.zeros((measures, count, 10))
    path = np.ones((count, 10))
    gone = np.zeros(10, dtype=np.int64)
    cards_left = -1
    for x in range(10):
        cards_left += left[x]
    for k in range(shoes):
        gone[rows.pair] = k - 1  # the first card of the hand is of the pair, and was taken out before
        for h in range(1, count):
            x = rows.drawn[h]
            before = left[x] - gone[x] - (rows.cards[h, x] - 1)
            cards = cards_left - k - (rows.size[h] - 2)
            for up in range(10):
                n = max(0, before - (1 if x == up else 0))
                path[h, up] = path[rows.parent[h], up] * n / cards if cards > 0 else 0.0
                value = stands[rows.missing[h, k], rows.grade[h], up]
                lost = blackjack[rows.missing[h, k], up]
                for m in range(measures):
                    part = weight[m, k, up] * path[h, up]
                    mass[m, h, up] += part
                    stood[m, h, up] += part * value
                    caught[m, h, up] += part * lost
    return Sums(mass, stood, caught)


class Chips(NamedTuple):
    """What lies on the hands of one measure; arrays are sums as `stood` is, each (rows, 10)."""

    own: int
    """How much of the player's money a hand begins with: 1, or 0 where its chip is free."""
    doubled: npt.NDArray[np.float64]
    """What standing with as much money again yields."""
    doubled_free: npt.NDArray[np.float64]
    """What standing with a free chip more yields."""
    returns: bool
    """The dealer's blackjack takes the first wager only, so that what a double has added comes back."""


@compiled
def play_split(sums: Sums, rows: Rows, choice: npt.NDArray[np.int8], chips: Chips) -> Yields:
    """What each hand yields under one measure; `choice` (rows, 10)."""
    count = rows.size.size
    hit = np.zeros((count, 10))
    double = np.zeros((count, 10))
    worth = np.zeros((count, 10))
    chosen = np.zeros((count, 10), dtype=np.int8)
    own = float(chips.own)
    for h in range(count - 1, 0, -1):
        free = rows.free[h]
        shown = chips.doubled_free if free else chips.doubled
        at_stake = own if free else own + 1.0
        for up in range(10):
            broken = sums.mass[h, up]
            drawn = 0.0
            doubled = 0.0
            for x in range(10):
                after = rows.child[h, x]
                if after >= 0:
                    drawn += worth[after, up]
                    doubled += shown[after, up]
                    broken -= sums.mass[after, up]
            hit[h, up] = drawn - own * broken
            double[h, up] = doubled - at_stake * broken + (sums.caught[h, up] if chips.returns and not free else 0.0)
            stood = sums.stood[h, up]
            act = choice[h, up]
            if act == BEST:
                hair = HAIR * abs(sums.mass[h, up])
                act = HIT if hit[h, up] > stood + hair else STAND
                if rows.may_double[h] and double[h, up] > max(hit[h, up], stood) + hair:
                    act = DOUBLE
            chosen[h, up] = act
            worth[h, up] = stood if act == STAND else (hit[h, up] if act == HIT else double[h, up])
    return Yields(hit, double, worth, chosen)


@compiled
def count_orders(rows: Rows, second: npt.NDArray[np.bool_], choice: npt.NDArray[np.int8]) -> npt.NDArray[np.float64]:
    """In how many orders each hand comes about, (rows, 10), from the hands of two cards in `second` (rows)."""
    count = rows.size.size
    orders = np.zeros((count, 10))
    for h in range(1, count):
        for up in range(10):
            if rows.size[h] == 2 and second[h]:
                orders[h, up] = 1.0
            if choice[h, up] == HIT and orders[h, up] > 0.0:
                for x in range(10):
                    after = rows.child[h, x]
                    if after >= 0:
                        orders[after, up] += orders[h, up]
    return orders


# Two hands that share a shoe


class Items(NamedTuple):
    """Hands, and parts of hands, that a sum over two hands runs through."""

    key: npt.NDArray[np.int64]
    """The cards, as one integer."""
    label: npt.NDArray[np.int64]
    """How the hand ends."""
    orders: npt.NDArray[np.float64]
    """In how many orders it comes about."""
    again: npt.NDArray[np.int64]
    """1 where its second card is of the pair."""


@compiled
def join_hands(
    items: Items, labels: int, union: npt.NDArray[np.int64], endings: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Chances by (label of one hand, label of the other, dealer's ending): shape (labels, labels, endings).

    Two hands are taken in one order only, and a hand with itself by half, so that the chances both ways round are this
    and its transpose together. `union` (items, items) says which set of cards two hands are together, and `endings`
    (3, sets, endings) how often that set is drawn in one order and the dealer ends so, where neither, one or both
    hands are pairs again.
    """
    ends = endings.shape[2]
    out = np.zeros((labels, labels, ends))
    for i in range(items.label.size):
        for j in range(i + 1):
            ways = items.orders[i] * items.orders[j] * (0.5 if i == j else 1.0)
            part = endings[items.again[i] + items.again[j], union[i, j]]
            for end in range(ends):
                out[items.label[i], items.label[j], end] += ways * part[end]
    return out


@compiled
def join_two(
    one: Items, other: Items, labels: int, union: npt.NDArray[np.int64], endings: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """The same of two hands that are not alike: chances by (label of the one, label of the other, dealer's ending).

    `union` (items, items). `endings` (4, sets, endings): where neither is a pair again, the other, the one, and both.
    """
    ends = endings.shape[2]
    out = np.zeros((labels, labels, ends))
    for i in range(one.label.size):
        for j in range(other.label.size):
            ways = one.orders[i] * other.orders[j]
            part = endings[2 * one.again[i] + other.again[j], union[i, j]]
            for end in range(ends):
                out[one.label[i], other.label[j], end] += ways * part[end]
    return out
