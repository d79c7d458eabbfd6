"""How often all hands of a split pair break, and how the dealer then ends: every set of cards counted, none left out.

A broken hand is a set of cards in a number of orders, and all orders of the same cards are equally likely. So hands are
put together one by one by adding up sets of cards, equal ones merged: four twos against a seven have 10^12 choices of
four broken hands, and these come down to 13 million sets of cards. After the last hand one of these is drawn:

    nothing                    for the chance that all hands break
    a made hand of the dealer  for the chance of that besides
    the ten or ace             that would have been the dealer's blackjack

and the dealer busts in the rest.

Where bounds are enough, the rarest sets may be left out on the way. What comes of them is then known to lie between
nothing and the chance that their cards are drawn at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import NamedTuple

import numpy as np

from croupier.analysis.blackjack.hands import KEY_OF_VALUE, VALUES, Bools, Floats, Ints
from croupier.analysis.blackjack.outcomes import patterns
from croupier.analysis.blackjack.pairs import Split
from croupier.analysis.blackjack.side.bust import dealer_hands
from croupier.analysis.blackjack.side.outs import as_draws, broken_hands
from croupier.analysis.blackjack.strategy import Strategy
from croupier.analysis.kernels.broken import (
    BLOCK_BITS,
    FIELD,
    KEY_BITS,
    LOW_VALUES,
    STRIP,
    Board,
    Falling,
    Further,
    Pairs,
    Sets,
    Two,
    add_sets,
    draw_further,
    drawn,
    in_strips,
)
from croupier.games.blackjack.rules import ACE, TEN
from croupier.games.blackjack.side_wagers import BUST

OUT, MADE, BLACKJACK = 0, 1, 2


class Gone(NamedTuple):
    """Sets of cards that are out of the shoe, ascending, and in how many orders each."""

    keys: Ints
    orders: Floats


class AllBroken(NamedTuple):
    """A split pair became so many hands, and all are broken; chances are before the hole card is known."""

    hands: int
    bust: float
    """The dealer would bust."""
    made: float
    """The dealer would make a hand; a blackjack is neither."""
    left_out: float = 0.0
    """At most so likely are they broken by cards that were left out, however the dealer then ends."""


class _LastHand(NamedTuple):
    """A split pair became so many hands: the cards of all but one of them, and those of the last."""

    hands: int
    gone: Gone
    last: Gone
    left_out: float


def all_broken(split: Split, strategy: Strategy, up: int, *, spare: float = 0.0) -> Iterator[AllBroken]:
    """The chances for each number of hands; the pair is not dealt yet, only the up card (1 is an ace) is.

    After each hand the rarest sets of cards are left out which are together no likelier than `spare`.
    """
    left = _left(split, up)
    further = further_sets(up, hits_soft_17=split.table.rules.hits_soft_17)
    for case in _last_hands(split, strategy, up, spare=spare):
        chances = _drawn_after(case.gone, case.last, further, left)
        bust = chances[OUT] - chances[OUT + 1 :].sum()
        yield AllBroken(case.hands, max(0.0, float(bust)), float(chances[MADE]), case.left_out)


def likeliest_broken(split: Split, strategy: Strategy, up: int, *, most: int) -> Iterator[tuple[int, Gone, float]]:
    """For each number of hands: sets of cards that are gone if all of them break, put together from so many of the
    likeliest on the way; and at most how likely it is that these are cards that were left out."""
    left = _left(split, up)
    for case in _last_hands(split, strategy, up, most=most):
        yield case.hands, _together(case.gone, [case.last], left), case.left_out


def likeliest(gone: Gone, left: Ints, *, most: int | None = None, spare: float = 0.0) -> tuple[Gone, float]:
    """Without the rarest sets, as far as the others are more than `most` or they are together no likelier than `spare`;
    and how likely they are together."""
    if not len(gone.keys) or (most is None and not spare):
        return gone, 0.0
    chances = drawn(gone.keys, gone.orders, _falling(left))
    rising = np.sort(chances)
    rarest = int(np.searchsorted(np.cumsum(rising), spare, side="right"))
    first = min(len(rising) - 1, max(rarest, 0 if most is None else len(rising) - most))
    kept = chances >= rising[first]
    return Gone(gone.keys[kept], gone.orders[kept]), float(chances[~kept].sum())


def merged(parts: list[Gone]) -> Gone:
    """All these sets, equal ones as one."""
    draws = as_draws(np.concatenate([part.keys for part in parts]), np.concatenate([part.orders for part in parts]))
    return Gone(draws.cards @ KEY_OF_VALUE, draws.orders)


def _last_hands(
    split: Split, strategy: Strategy, up: int, *, most: int | None = None, spare: float = 0.0
) -> Iterator[_LastHand]:
    closed, free = (_gone(split, strategy, up, again=again) for again in (False, True))
    if not len(free.keys):
        return
    left = _left(split, up)
    for number, group in groupby(patterns(split.most), key=lambda pattern: pattern.hands):
        ways = tuple(group)
        # What all ways have in common is put together once.
        others, frees = min(way.others for way in ways), min(way.free for way in ways)
        parts = []
        for way in ways:
            pair_cards = Gone((2 + way.pairs) * KEY_OF_VALUE[[split.pair - 1]], np.array([float(way.orders)]))
            hands = [closed] * (way.others - others) + [free] * (way.free - frees)
            parts.append(_together(pair_cards, hands, left))
        *before, last = [closed] * others + [free] * frees
        gone, left_out = likeliest(merged(parts), left, most=most, spare=spare)
        for hand in before:
            gone, rare = likeliest(_together(gone, [hand], left), left, most=most, spare=spare)
            left_out += rare
        yield _LastHand(number, gone, last, left_out)


def _left(split: Split, up: int) -> Ints:
    """(10): the cards that are left beside the up card."""
    left = split.table.cards.copy()
    left[up - 1] -= 1
    return left


def _gone(split: Split, strategy: Strategy, up: int, *, again: bool) -> Gone:
    draws = broken_hands(split, strategy, up, again=again)
    return Gone(draws.cards @ KEY_OF_VALUE, draws.orders)


def _together(gone: Gone, hands: list[Gone], left: Ints) -> Gone:
    """These cards and then these hands, wherever there are enough cards."""
    for hand in hands:
        if not len(gone.keys) or not len(hand.keys):
            return Gone(np.zeros(0, dtype=np.int64), np.zeros(0))
        gone = Gone(*add_sets(*_laid(gone, hand), left))
    return gone


def _drawn_after(gone: Gone, hand: Gone, further: Further, left: Ints) -> Floats:
    """By kind: the chance of these cards, then this hand, then a further set."""
    if not len(gone.keys) or not len(hand.keys):
        return np.zeros(BLACKJACK + 1)
    return draw_further(*_laid(gone, hand), further, _falling(left))


# What the kernels take


def _laid(gone: Gone, hand: Gone) -> tuple[Two, Board]:
    """Both lists, and a board for their sums."""
    first, strip_ways = in_strips(gone.keys, gone.orders)
    sizes = _low_cards(gone.keys).max(axis=0) + _low_cards(hand.keys).max(axis=0) + 1
    wide, deep = int(sizes[0]) + STRIP, int(sizes[1])
    # The last strip of a row may reach over its end.
    ways = np.zeros(wide * deep * int(sizes[2]) + STRIP)
    board = Board(ways, wide, deep, np.zeros(LOW_VALUES, dtype=np.int64), np.zeros(LOW_VALUES, dtype=np.int64))
    # The last sets of the strips say how far a block reaches.
    aces = STRIP - 1 - np.argmax(strip_ways[:, ::-1] > 0, axis=1)
    strips, blocks = _by_blocks(first, first + aces, strip_ways, board)
    sets, hand_blocks = _by_blocks(hand.keys, hand.keys, hand.orders, board)
    return Two(strips, sets, _pairs(blocks, hand_blocks)), board


def _low_cards(keys: Ints) -> Ints:
    """(sets, 3): aces, twos and threes."""
    return np.asarray((keys[:, None] >> (KEY_BITS * np.arange(LOW_VALUES))) & FIELD)


def _by_blocks(first: Ints, last: Ints, ways: Floats, board: Board) -> tuple[Sets, Ints]:
    """The list that goes from these sets to those, and its blocks."""
    low, high = _low_cards(first), _low_cards(last)
    block = first >> BLOCK_BITS
    start = np.flatnonzero(_begins(block))
    least, most = np.minimum.reduceat(low, start), np.maximum.reduceat(high, start)
    place = low @ np.array([1, board.wide, board.wide * board.deep])
    return Sets(place, ways, np.append(start, len(first)), least, most), block[start]


def _begins(rising: Ints) -> Bools:
    """Where a list in ascending order has a new number."""
    return np.asarray(np.diff(rising, prepend=-1) > 0)


def _pairs(one: Ints, other: Ints) -> Pairs:
    sums = (one[:, None] + other).ravel()
    order = np.argsort(sums, kind="stable")
    rising = sums[order]
    start = np.flatnonzero(_begins(rising))
    return Pairs(rising[start], np.append(start, len(rising)), order // len(other), order % len(other))


def _falling(left: Ints) -> Falling:
    """For any number of cards that can be asked for: what is missing of a value can be drawn no more."""
    whole, longest = int(left.sum()), VALUES * (FIELD + 1)
    steps = np.arange(2 * (FIELD + 1) - 1)
    factors = np.maximum(0, left[:, None] - steps) / whole
    cards: Floats = np.cumprod(np.hstack((np.ones((VALUES, 1)), factors)), axis=1, dtype=np.float64)
    steps = np.arange(longest)
    over = np.where(steps < whole, whole / np.maximum(1, whole - steps), 0.0)
    shoe: Floats = np.cumprod(np.concatenate(([1.0], over)), dtype=np.float64)
    return Falling(cards, shoe)


@cache
def further_sets(up: int, *, hits_soft_17: bool) -> Further:
    """See above: nothing, the dealer's made hands beside the up card, and the card that makes a blackjack."""
    listed: list[tuple[int, tuple[int, ...], int]] = [(OUT, (), 1)]
    for hand in dealer_hands(up, hits_soft_17=hits_soft_17):
        if hand.total != BUST:
            listed.append((MADE, hand.values, hand.orders))
    if up in (ACE, TEN):
        listed.append((BLACKJACK, (ACE + TEN - up,), 1))
    cards = np.array([[values.count(card_value) for card_value in range(ACE, TEN + 1)] for _, values, _ in listed])
    kind = np.array([kind for kind, _, _ in listed])
    lines, line = np.unique(np.column_stack((kind, cards[:, 0], cards.sum(axis=1))), axis=0, return_inverse=True)
    groups, group = np.unique(np.column_stack((line.ravel(), cards[:, 1:LOW_VALUES])), axis=0, return_inverse=True)
    return Further(
        high=cards[:, LOW_VALUES:].copy(),
        orders=np.array([float(orders) for _, _, orders in listed]),
        group=group.ravel(),
        line=groups[:, 0].copy(),
        twos=groups[:, 1].copy(),
        threes=groups[:, 2].copy(),
        kind=lines[:, 0].copy(),
        aces=lines[:, 1].astype(np.uint64),
        size=lines[:, 2].astype(np.uint64),
    )
