"""Counts how a seat's cards and the common cards end, street by street: no deal is listed twice, and none in Python."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from croupier.analysis.kernels.compiled import compiled

Ints = npt.NDArray[np.int64]


@compiled
def line_counts(
    own: Ints,
    cards: int,
    shown: int,
    last: int,
    kind_of: npt.NDArray[np.uint8],
    choose: Ints,
    may: npt.NDArray[np.bool_],
    counts: npt.NDArray[np.uint16],
) -> None:
    """Adds to `counts`, (hands, cards ** shown, kinds), how many sets of `last` cards lead from there to each kind.

    `own` (hands, size) are the seat's cards, rising; the common cards so far are digits to the base of `cards`, the
    first of them the highest. `kind_of` has the kind of every whole hand by its place in `tables.all_hands`.
    `may` (shown + 1, cards) says which cards can come as each common card, and at last after them.
    """
    size = own.shape[1]
    held = size + shown
    base = np.empty(held + 2, dtype=np.int64)
    used = np.zeros(cards, dtype=np.bool_)
    low = np.empty(held + 2, dtype=np.int64)
    high = np.empty(held + 2, dtype=np.int64)
    for hand in range(own.shape[0]):
        for prefix in range(cards**shown):
            used[:] = False
            for i in range(size):
                base[i] = own[hand, i]
                used[own[hand, i]] = True
            apart, digits = True, prefix
            for i in range(shown):
                card = digits % cards
                digits //= cards
                apart = apart and not used[card] and may[shown - 1 - i, card]
                used[card] = True
                base[size + i] = card
            if not apart:
                continue
            for card in range(cards):
                used[card] = used[card] or not may[shown, card]
            base[:held].sort()
            if last == 1:
                _one_more(base, held, cards, used, kind_of, choose, low, high, counts[hand, prefix], -1)
            else:
                for first in range(cards):
                    if used[first]:
                        continue
                    base[held] = first
                    base[: held + 1].sort()
                    _one_more(base, held + 1, cards, used, kind_of, choose, low, high, counts[hand, prefix], first)
                    place = 0
                    while base[place] != first:
                        place += 1
                    for i in range(place, held):
                        base[i] = base[i + 1]


@compiled
def _one_more(
    base: Ints,
    held: int,
    cards: int,
    used: npt.NDArray[np.bool_],
    kind_of: npt.NDArray[np.uint8],
    choose: Ints,
    low: Ints,
    high: Ints,
    counts: npt.NDArray[np.uint16],
    above: int,
) -> None:
    """One more card, higher than `above`, to `held` cards that rise."""
    low[0] = 0
    for i in range(held):
        low[i + 1] = low[i] + choose[base[i], i + 1]
    high[held] = 0
    for i in range(held - 1, -1, -1):
        high[i] = high[i + 1] + choose[base[i], i + 2]
    place = 0
    for card in range(cards):
        while place < held and base[place] <= card:
            place += 1
        if card > above and not used[card]:
            counts[kind_of[low[place] + choose[card, place + 1] + high[place]]] += 1


@compiled
def best_choices(
    sums: npt.NDArray[np.float64],
    row: Ints,
    times: npt.NDArray[np.float64],
    staked: npt.NDArray[np.float64],
    best: npt.NDArray[np.int8],
    net: npt.NDArray[np.float64],
    stakes: npt.NDArray[np.float64],
) -> None:
    """At the last choice: the best of several, each of which brings so many times a row of `sums`, (rows, positions).

    The first row has the deals of each position. Among equals the choice that stakes most is the best, then the first.
    """
    for place in range(sums.shape[1]):
        chosen, most, at_stake = 0, times[0] * sums[row[0], place], staked[0]
        for choice in range(1, row.size):
            value = times[choice] * sums[row[choice], place]
            if value > most or (value == most and staked[choice] > at_stake and sums[0, place] > 0):
                chosen, most, at_stake = choice, value, staked[choice]
        best[place], net[place], stakes[place] = chosen, most, at_stake * sums[0, place]


@compiled
def endings_of_choices(
    here: npt.NDArray[np.bool_],
    picked: npt.NDArray[np.int8],
    weights: Ints,
    counts: npt.NDArray[np.uint16],
    totals: Ints,
) -> None:
    """Adds to `totals`, (choices, kinds), what the positions `here`, (hands, places), lead to by what is picked."""
    for hand in range(here.shape[0]):
        for place in range(here.shape[1]):
            if here[hand, place]:
                for kind in range(counts.shape[2]):
                    totals[picked[hand, place], kind] += weights[hand] * np.int64(counts[hand, place, kind])
