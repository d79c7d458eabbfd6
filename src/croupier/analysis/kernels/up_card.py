"""Counts a seat's five cards against the dealer's, of which one lies up: by ranks, and by the up card's suit.

The dealer's hand holds the up card, so it can be of one suit in that suit alone. What matters of the seat's suits is
therefore whether its own cards are all of one, and which of its ranks are held in the up card's.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from croupier.analysis.kernels.compiled import compiled

Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]


@compiled
def up_card_classes(sets: Ints, ranks: int, choose: Ints, classes: Small, weights: Ints) -> int:
    """Fills `classes`, (number, 4), with set of ranks, up card's rank, ranks held in its suit and one suit or not.

    `weights` gets how many pairs of a hand and an up card each has; given back is how many classes there are.
    """
    row = 0
    copies = np.zeros(ranks, dtype=np.int64)
    for number in range(sets.shape[0]):
        copies[:] = 0
        different, held = 0, 0
        for rank in sets[number]:
            different += copies[rank] == 0
            copies[rank] += 1
            held |= 1 << rank
        if copies.max() > 4:
            continue
        for up in range(ranks):
            if copies[up] == 4:
                continue
            possible = held & ~(1 << up)
            suited = possible
            while True:
                ways = 4
                for rank in range(ranks):
                    if copies[rank]:
                        ways *= choose[3, copies[rank] - ((suited >> rank) & 1)]
                flushes = 0
                if different == sets.shape[1]:
                    flushes = 12 if suited == 0 else 4 if suited == held else 0
                for flush in range(2):
                    many = flushes if flush else ways - flushes
                    if many:
                        classes[row, 0], classes[row, 1] = number, up
                        classes[row, 2], classes[row, 3] = suited, flush
                        weights[row] = many
                        row += 1
                if suited == 0:
                    break
                suited = (suited - 1) & possible
    return row


@compiled
def up_card_counts(
    sets: Ints,
    value: Ints,
    fact: Ints,
    rest: Ints,
    with_rest: Ints,
    spread: Ints,
    with_spread: Ints,
    choose: Ints,
    classes: Small,
    counts: Small,
) -> None:
    """Adds to `counts`, (classes, facts, 3), the dealer's hands that are worse, equal and better than the seat's.

    `value` and `fact`, (sets, 2), are of a set of ranks, and of it in one suit. `rest` are the sets of ranks of the
    dealer's other cards, and `with_rest` (ranks, rests) what they make with the up card; `spread` (ranks, sets) are
    those of different ranks, as masks, that make `with_spread` in one suit.
    """
    ranks, size = with_rest.shape[0], rest.shape[1]
    left = np.zeros(ranks, dtype=np.int64)
    base = np.zeros((2, counts.shape[1], 3), dtype=np.int64)
    number, up = -1, -1
    for place in range(classes.shape[0]):
        if classes[place, 0] != number or classes[place, 1] != up:
            number, up = classes[place, 0], classes[place, 1]
            left[:] = 4
            for rank in sets[number]:
                left[rank] -= 1
            left[up] -= 1
            base[:] = 0
            for other in range(rest.shape[0]):
                ways, first = 1, 0
                while first < size and ways:
                    last = first + 1
                    while last < size and rest[other, last] == rest[other, first]:
                        last += 1
                    ways *= choose[left[rest[other, first]], last - first]
                    first = last
                if ways:
                    hand = with_rest[up, other]
                    for flush in range(2):
                        order = 1 + (value[hand, 0] > value[number, flush]) - (value[hand, 0] < value[number, flush])
                        base[flush, fact[hand, 0], order] += ways
        suited, flush = classes[place, 2], classes[place, 3]
        mine = value[number, flush]
        for kind in range(counts.shape[1]):
            for order in range(3):
                counts[place, kind, order] = base[flush, kind, order]
        for other in range(spread.shape[1]):
            if spread[up, other] & suited == 0:
                hand = with_spread[up, other]
                plain, one_suit = value[hand, 0], value[hand, 1]
                counts[place, fact[hand, 0], 1 + (plain > mine) - (plain < mine)] -= 1
                counts[place, fact[hand, 1], 1 + (one_suit > mine) - (one_suit < mine)] += 1
