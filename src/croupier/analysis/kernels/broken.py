"""Several hands out of one shoe: which cards are then gone, and what is drawn after them.

Of several hands only their cards together matter, so equal sums of sets of cards are merged at once. A set is one
integer of six bits for each value, aces lowest (see `analysis.blackjack.hands`). Its upper bits, fours to tens, are its
*block*. Sums are made block by block on a small board of aces, twos and threes that stays in the cache; sets which
differ in their aces alone lie side by side there, and are added as vectors.

All terms are positive, so that a chance carries a relative error below the number of terms that one sum has, some ten
thousand, times 1e-16.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from croupier.analysis.kernels.compiled import compiled, unlocked

KEY_BITS = 6
FIELD = 2**KEY_BITS - 1
LOW_VALUES, HIGH_VALUES = 3, 7
"""Aces, twos and threes lie on the board; fours to tens are the block."""
BLOCK_BITS = LOW_VALUES * KEY_BITS
STRIP = 6
"""Numbers of aces side by side."""


class Board(NamedTuple):
    """In how many ways each number of aces, twos and threes comes about; empty (zeros) between two blocks."""

    ways: npt.NDArray[np.float64]
    """At aces + wide * (twos + deep * threes)."""
    wide: int
    deep: int
    least: npt.NDArray[np.int64]
    """(3): where the part begins that may be in use."""
    most: npt.NDArray[np.int64]


class Sets(NamedTuple):
    """Sets of cards by blocks: block i is the places `start[i]` to `start[i + 1]`."""

    place: npt.NDArray[np.int64]
    """On the board, of a set or of the first set of a strip."""
    ways: npt.NDArray[np.float64]
    """(sets), or (strips, STRIP)."""
    start: npt.NDArray[np.int64]
    least: npt.NDArray[np.int64]
    """(blocks, 3): the fewest aces, twos and threes."""
    most: npt.NDArray[np.int64]


class Pairs(NamedTuple):
    """Which blocks of two lists add up to the same block.

    Sum n has the upper bits `block[n]` and comes from pairs `first[n]` to `first[n + 1]` of blocks, `one` and `other`.
    """

    block: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]
    one: npt.NDArray[np.int64]
    other: npt.NDArray[np.int64]


class Two(NamedTuple):
    """Two lists whose sums are wanted: the longer one in strips."""

    strips: Sets
    sets: Sets
    pairs: Pairs


@compiled
def in_strips(
    keys: npt.NDArray[np.int64], ways: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Sets in ascending order as strips: the first set of each, and the ways (strips, STRIP)."""
    first = np.empty(keys.size, dtype=np.int64)
    strips = -1
    for i in range(keys.size):
        # A strip does not go on into the next number of twos.
        if strips < 0 or keys[i] - first[strips] >= STRIP or keys[i] >> KEY_BITS != first[strips] >> KEY_BITS:
            strips += 1
            first[strips] = keys[i]
    first = first[: strips + 1].copy()
    strip_ways = np.zeros((strips + 1, STRIP))
    at = 0
    for i in range(keys.size):
        while at < strips and first[at + 1] <= keys[i]:
            at += 1
        strip_ways[at, keys[i] - first[at]] = ways[i]
    return first, strip_ways


@compiled
def lay_out(two: Two, number: int, board: Board) -> None:
    """Add up one block of sums on the empty board."""
    strips, sets, pairs = two.strips, two.sets, two.pairs
    board.least[:] = FIELD
    board.most[:] = 0
    for pair in range(pairs.first[number], pairs.first[number + 1]):
        a, b = pairs.one[pair], pairs.other[pair]
        for value in range(LOW_VALUES):
            board.least[value] = min(board.least[value], strips.least[a, value] + sets.least[b, value])
            board.most[value] = max(board.most[value], strips.most[a, value] + sets.most[b, value])
        for j in range(sets.start[b], sets.start[b + 1]):
            # Strips lie apart, so that what was just written need not be waited for.
            ways = sets.ways[j]
            for i in range(strips.start[a], strips.start[a + 1]):
                # An unsigned place cannot be one from the end, and so is not asked.
                at = np.uint64(strips.place[i] + sets.place[j])
                for k in range(STRIP):
                    board.ways[at + np.uint64(k)] += strips.ways[i, k] * ways


@unlocked
def add_sets(
    two: Two, board: Board, most: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """All sums of two sets, ascending, and in how many ways: those that hold no more than `most` (10) of each value."""
    pairs = two.pairs
    keys, ways = np.empty(1024, dtype=np.int64), np.empty(1024)
    size = 0
    for number in range(pairs.block.size):
        lay_out(two, number, board)
        there = True
        for value in range(HIGH_VALUES):
            there &= (pairs.block[number] >> (KEY_BITS * value)) & FIELD <= most[LOW_VALUES + value]
        for threes in range(board.least[2], board.most[2] + 1):
            for twos in range(board.least[1], board.most[1] + 1):
                row = board.wide * (twos + board.deep * threes)
                for aces in range(board.least[0], board.most[0] + 1):
                    orders = board.ways[row + aces]
                    board.ways[row + aces] = 0.0
                    if not (orders > 0.0 and there and aces <= most[0] and twos <= most[1] and threes <= most[2]):
                        continue
                    if size == keys.size:
                        keys = np.concatenate((keys, np.empty(size, dtype=np.int64)))
                        ways = np.concatenate((ways, np.empty(size)))
                    low = aces + (twos << KEY_BITS) + (threes << 2 * KEY_BITS)
                    keys[size], ways[size] = (pairs.block[number] << BLOCK_BITS) + low, orders
                    size += 1
    return keys[:size].copy(), ways[:size].copy()


@unlocked
def products(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Polynomials (rows, powers) times polynomials, row by row; a side of one row goes with every row."""
    rows = max(one.shape[0], other.shape[0])
    total = np.zeros((rows, one.shape[1] + other.shape[1] - 1))
    for row in range(rows):
        mine = one[row if one.shape[0] > 1 else 0]
        its = other[row if other.shape[0] > 1 else 0]
        for power in range(mine.size):
            for k in range(its.size):
                total[row, power + k] += mine[power] * its[k]
    return total


class Further(NamedTuple):
    """Sets of cards to be drawn after the hands, each of one of some kinds, such as a dealer's hand that is made.

    Sets of one kind with the same aces, twos, threes and size are a group; groups with the same aces and size, a line.
    """

    high: npt.NDArray[np.int64]
    """(sets, 7): fours to tens."""
    orders: npt.NDArray[np.float64]
    group: npt.NDArray[np.int64]
    twos: npt.NDArray[np.int64]
    """(groups)."""
    threes: npt.NDArray[np.int64]
    line: npt.NDArray[np.int64]
    """(groups)."""
    kind: npt.NDArray[np.int64]
    """(lines)."""
    aces: npt.NDArray[np.uint64]
    size: npt.NDArray[np.uint64]


class Falling(NamedTuple):
    """n (n - 1) ... (n - k + 1) for every k, each factor over the number of all cards."""

    cards: npt.NDArray[np.float64]
    """(10, k): of the cards of each value."""
    shoe: npt.NDArray[np.float64]
    """(k): one over that of all cards, 0 where there are not so many."""


class FurtherTables(NamedTuple):
    """What each further set, group or line contributes beside so many cards that are gone, side by side in memory."""

    high: npt.NDArray[np.float64]
    """(7, cards gone, sets): fours to tens."""
    threes: npt.NDArray[np.float64]
    """(cards gone, groups)."""
    twos: npt.NDArray[np.float64]
    aces: npt.NDArray[np.float64]
    """(cards gone, lines)."""
    shoe: npt.NDArray[np.float64]
    """(all cards gone, lines)."""


@unlocked
def drawn(keys: npt.NDArray[np.int64], ways: npt.NDArray[np.float64], falling: Falling) -> npt.NDArray[np.float64]:
    """How likely each set is drawn from the shoe, in any of its orders."""
    chances = ways.copy()
    for i in range(keys.size):
        cards = 0
        for value in range(falling.cards.shape[0]):
            held = (keys[i] >> (KEY_BITS * value)) & FIELD
            cards += held
            chances[i] *= falling.cards[value, held]
        chances[i] *= falling.shoe[cards]
    return chances


@compiled
def _tables(further: Further, falling: Falling) -> FurtherTables:
    sets, groups, lines = further.group.size, further.line.size, further.size.size
    high = np.empty((HIGH_VALUES, FIELD + 1, sets))
    threes, twos, aces = np.empty((FIELD + 1, groups)), np.empty((FIELD + 1, groups)), np.empty((FIELD + 1, lines))
    for gone in range(FIELD + 1):
        for value in range(HIGH_VALUES):
            for i in range(sets):
                high[value, gone, i] = falling.cards[LOW_VALUES + value, gone + further.high[i, value]]
        for group in range(groups):
            threes[gone, group] = falling.cards[2, gone + further.threes[group]]
            twos[gone, group] = falling.cards[1, gone + further.twos[group]]
        for line in range(lines):
            aces[gone, line] = falling.cards[0, gone + further.aces[line]]
    shoe = np.empty((falling.shoe.size - further.size.max(), lines))
    for gone in range(len(shoe)):
        for line in range(lines):
            shoe[gone, line] = falling.shoe[gone + further.size[line]]
    return FurtherTables(high, threes, twos, aces, shoe)


@compiled
def _draw_high_cards(
    block: int,
    further: Further,
    tables: FurtherTables,
    of_set: npt.NDArray[np.float64],
    with_block: npt.NDArray[np.float64],
) -> int:
    """(groups): what the fours to tens of a block and of the further sets contribute; and how many the block has."""
    cards = 0
    of_set[:] = further.orders
    for value in range(HIGH_VALUES):
        held = (block >> (KEY_BITS * value)) & FIELD
        cards += held
        factor = tables.high[value, held]
        for i in range(of_set.size):
            of_set[i] *= factor[i]
    with_block[:] = 0.0
    for i in range(of_set.size):
        with_block[further.group[i]] += of_set[i]
    return cards


@unlocked
def draw_further(two: Two, board: Board, further: Further, falling: Falling) -> npt.NDArray[np.float64]:
    """(kinds): the chance that two sets are drawn from the shoe, in any of their orders, and then a further set."""
    pairs = two.pairs
    tables = _tables(further, falling)
    groups, lines = further.line.size, further.size.size
    chances = np.zeros(further.kind.max() + 1)
    of_set, with_block, with_threes = np.empty(further.group.size), np.empty(groups), np.empty(groups)
    with_row, of_row, part = np.empty(lines), np.empty(lines), np.empty(lines)
    for number in range(pairs.block.size):
        lay_out(two, number, board)
        cards = _draw_high_cards(pairs.block[number], further, tables, of_set, with_block)
        part[:] = 0.0
        for threes in range(board.least[2], board.most[2] + 1):
            factor = tables.threes[threes]
            for group in range(groups):
                with_threes[group] = with_block[group] * factor[group]
            for twos in range(board.least[1], board.most[1] + 1):
                row = board.wide * (twos + board.deep * threes)
                first, last = board.least[0], board.most[0]
                while first <= last and board.ways[row + first] == 0.0:
                    first += 1
                while first <= last and board.ways[row + last] == 0.0:
                    last -= 1
                if first > last:
                    continue
                of_row[:] = 0.0
                for aces in range(first, last + 1):
                    ways = board.ways[row + aces]
                    board.ways[row + aces] = 0.0
                    of_aces, of_size = tables.aces[aces], tables.shoe[cards + threes + twos + aces]
                    for line in range(lines):
                        of_row[line] += ways * of_aces[line] * of_size[line]
                with_row[:] = 0.0
                factor = tables.twos[twos]
                for group in range(groups):
                    with_row[further.line[group]] += with_threes[group] * factor[group]
                for line in range(lines):
                    part[line] += with_row[line] * of_row[line]
        for line in range(lines):
            chances[further.kind[line]] += part[line]
    return chances
