"""Deals games that are written as a script, and counts how every wager ends: streets, and shoes by rank.

Tables are all that is known of a game here; they are made by asking the rules, once for each class of hands.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from croupier.analysis.kernels.compiled import bare, part
from croupier.analysis.kernels.random import HALF, LOW, STEP, Cards, is_fair, number, take

Counts = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
_ONE, _TWO, _FOUR, _SUIT = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(3)
_RANK = ~_SUIT
_FIRST_CARDS = np.uint64(0x0000_0001_0000_0001)
"""A fair number that always chooses the next card: both halves are too small to reach another."""
AS_IT_LIES = np.uint64(0)
"""In place of a random state: no card is moved."""
FINAL = 1 << 20
"""From here on, what follows a choice is the hand that is made."""


class StreetTables(NamedTuple):
    """What a game of streets comes to. A seat's cards are their place in `tables.all_hands`."""

    bins: int
    own: int
    """Cards of a seat: two or three."""
    board: int
    """Common cards: two or three."""
    choose: npt.NDArray[np.uint32]
    """(cards, 3): what a card adds to the place of a hand in which it is the first, second or third from below."""
    by_ranks: npt.NDArray[np.uint32]
    """(cards, 3): the same for the place among sets of ranks in which a rank may be several times."""
    hand_class: npt.NDArray[np.uint16]
    """(hands): the class of a seat's cards."""
    names: npt.NDArray[np.uint8]
    """(hands, 4): what the suits are called in that class."""
    held: npt.NDArray[np.uint16]
    """(hands): the place of its ranks, times 16, and the suits in which all its cards are, a bit each."""
    side: npt.NDArray[np.int32]
    """(wagers, hands): the bin of each wager that is read from the seat's own cards."""
    policy: npt.NDArray[np.int8]
    """What is chosen, by place: see `first`."""
    first: npt.NDArray[np.int64]
    """(nodes): where the policy of a node begins; then by class and by the common cards shown."""
    after: npt.NDArray[np.int32]
    """(nodes, choices): the next node; below zero, -1 less the bin that it ends in; from FINAL, a row of `final`."""
    final: npt.NDArray[np.int32]
    """(lines of choices, kinds): the bin of what the cards come to."""
    kind_of: npt.NDArray[np.uint8]
    """(flush or not, a seat's ranks, the board's ranks): what a whole hand comes to."""

    def play(self, state: np.uint64, rounds: int, seats: int, cards: Cards, counts: Counts) -> None:
        deal_streets(state, rounds, empty_streets(seats, self), cards, self, counts)


class StreetSeats(NamedTuple):
    """Room for what lies on the table."""

    hand: Words
    """(seats): the place of each hand."""
    board: Words
    """(cards): in the order they are turned."""


def empty_streets(seats: int, tables: StreetTables) -> StreetSeats:
    """A table at which nothing was dealt."""
    return StreetSeats(np.zeros(seats, dtype=np.uint64), np.zeros(int(tables.board), dtype=np.uint64))


@bare
def deal_streets(
    state: np.uint64, rounds: int, seats: StreetSeats, deck: Cards, tables: StreetTables, counts: Counts
) -> None:
    """Adds to `counts`, (bins), how often each came: cards to the seats, then common cards, one policy for all.

    The deck may lie in any order: it is shuffled as far as it is dealt, or, with AS_IT_LIES, dealt as it is.
    """
    as_it_lies = state == AS_IT_LIES
    own, common = np.uint64(tables.own), seats.board.size
    choose, by_ranks = tables.choose, tables.by_ranks
    for _ in range(rounds):
        word, place = np.uint64(0), np.uint64(0)
        for packet in range(seats.hand.size + 1):
            # Each packet takes one half of a random number; the common cards are the last.
            word = word << HALF
            if packet % 2 == 0:
                state += STEP
                word = _FIRST_CARDS if as_it_lies else number(state)
            cards = common if packet == seats.hand.size else tables.own
            a, b, c, state = _packet(state, word, deck, place, cards)
            place += own
            # Rising, with nothing to guess for the processor; of two cards the third is no card.
            low, high = min(a, b), max(a, b)
            middle, top = min(high, c), max(high, c)
            low, middle = min(low, middle), max(low, middle)
            if packet < seats.hand.size:
                seats.hand[packet] = choose[low, 0] + choose[middle, 1] + choose[top, 2]
                continue
            seats.board[0], seats.board[1] = a, b
            suits = (_ONE << (a & _SUIT)) & (_ONE << (b & _SUIT))
            if cards == 3:
                seats.board[2] = c
                suits &= _ONE << (c & _SUIT)
            ranks = np.uint64(by_ranks[low, 0] + by_ranks[middle, 1] + by_ranks[top, 2])
        for seat in range(seats.hand.size):
            _play(seats.hand[seat], seats.board, ranks, suits, np.uint64(deck.size), tables, counts)


@part
def _packet(
    state: np.uint64, word: np.uint64, deck: Cards, place: np.uint64, cards: int
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Two or three cards come to `place`, in the order they are dealt, and the state after them.

    In place of a third card there is the number after all cards, for which the tables have nothing to add.
    """
    left = np.uint64(deck.size) - place
    orders = left * (left - _ONE) if cards == 2 else left * (left - _ONE) * (left - _TWO)
    while True:
        rest = (word >> HALF) * left
        first, rest = rest >> HALF, (rest & LOW) * (left - _ONE)
        second, third = rest >> HALF, np.uint64(0)
        if cards == 3:
            rest = (rest & LOW) * (left - _TWO)
            third = rest >> HALF
        if is_fair(rest & LOW, orders):
            break
        state += STEP
        word = number(state)
    a, b, c = take(deck, place, first), take(deck, place + _ONE, second), np.uint64(deck.size)
    if cards == 3:
        c = take(deck, place + _TWO, third)
    return a, b, c, state


@part
def _play(
    hand: np.uint64,
    board: Words,
    ranks: np.uint64,
    suits: np.uint64,
    cards: np.uint64,
    tables: StreetTables,
    counts: Counts,
) -> None:
    """One seat: its choices by the policy, and the bin that it ends in."""
    for wager in range(tables.side.shape[0]):
        counts[tables.side[wager, hand]] += 1
    if tables.first.size == 0:
        return
    node, shown = 0, 0
    position = np.uint64(tables.hand_class[hand])
    while True:
        to = tables.after[node, tables.policy[np.uint64(tables.first[node]) + position]]
        if to < 0:
            counts[-1 - to] += 1
            return
        if to >= FINAL:
            break
        card = board[shown]
        position = position * cards + (card & _RANK) + np.uint64(tables.names[hand, card & _SUIT])
        shown += 1
        node = to
    held = np.uint64(tables.held[hand])
    flush = _ONE if held & suits else np.uint64(0)
    counts[tables.final[to - FINAL, tables.kind_of[flush, held >> _FOUR, ranks]]] += 1


class RankTables(NamedTuple):
    """What a game that looks at ranks alone comes to: a node for all that looks alike to every wager of a seat."""

    bins: int
    to_seats: npt.NDArray[np.bool_]
    """(draws): whether each seat that waits for it gets a card of its own, or all share one."""
    waits: npt.NDArray[np.int32]
    """(nodes): the draw that a node waits for; the last one waits for none, because all wagers have ended."""
    burned: npt.NDArray[np.int32]
    """(nodes): how many cards are burned before it."""
    after: npt.NDArray[np.int32]
    """(nodes, ranks, 2): the next node, and what ends on the way there: a row of `ends`."""
    ends: npt.NDArray[np.int32]
    """(sets of endings, wagers): the bins of those that end together, then -1."""

    def play(self, state: np.uint64, rounds: int, seats: int, cards: Cards, counts: Counts) -> None:
        ended = np.zeros(len(self.ends), dtype=np.int64)
        if seats == 1:
            deal_ranks_to_one(state, rounds, cards, self, ended)
        else:
            deal_ranks(state, rounds, empty_ranks(seats), cards, self, ended)
        for wager in range(self.ends.shape[1]):
            known = self.ends[:, wager] >= 0
            np.add.at(counts, self.ends[known, wager], ended[known])


def empty_ranks(seats: int) -> npt.NDArray[np.int32]:
    """(seats): the node of each."""
    return np.zeros(seats, dtype=np.int32)


@bare
def deal_ranks(
    state: np.uint64, rounds: int, nodes: npt.NDArray[np.int32], shoe: Cards, tables: RankTables, ended: Counts
) -> None:
    """Adds to `ended`, (sets of endings), how often each came, draw by draw of the script, a fresh shoe each round."""
    as_it_lies = state == AS_IT_LIES
    word, half, last = np.uint64(0), False, tables.waits.size - 1
    for _ in range(rounds):
        place, left = np.uint64(0), nodes.size
        for seat in range(nodes.size):
            nodes[seat] = 0
        for draw in range(tables.to_seats.size):
            to_seats, begun, card = tables.to_seats[draw], False, np.uint64(0)
            for seat in range(nodes.size):
                node = np.uint64(nodes[seat])
                if tables.waits[node] != draw:
                    continue
                if to_seats or not begun:
                    if not begun:
                        place += np.uint64(tables.burned[node])
                        begun = True
                    # Each card takes one half of a random number.
                    word, half = word << HALF, not half
                    if half:
                        state += STEP
                        word = number(state)
                    card, state = (np.uint64(shoe[place]), state) if as_it_lies else _draw(state, word, shoe, place)
                    place += _ONE
                rank = card >> _TWO
                ended[np.uint64(tables.after[node, rank, 1])] += 1
                nodes[seat] = tables.after[node, rank, 0]
                if nodes[seat] == last:
                    left -= 1
            if left == 0:
                break


@bare
def deal_ranks_to_one(state: np.uint64, rounds: int, shoe: Cards, tables: RankTables, ended: Counts) -> None:
    """The same for one seat, with the same cards: nobody else draws in between, so what a node waits for comes next."""
    as_it_lies = state == AS_IT_LIES
    word, half, last = np.uint64(0), False, np.uint64(tables.waits.size - 1)
    for _ in range(rounds):
        place, node = np.uint64(0), np.uint64(0)
        while node != last:
            place += np.uint64(tables.burned[node])
            word, half = word << HALF, not half
            if half:
                state += STEP
                word = number(state)
            card, state = (np.uint64(shoe[place]), state) if as_it_lies else _draw(state, word, shoe, place)
            place += _ONE
            rank = card >> _TWO
            ended[np.uint64(tables.after[node, rank, 1])] += 1
            node = np.uint64(tables.after[node, rank, 0])


@part
def _draw(state: np.uint64, word: np.uint64, deck: Cards, place: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The card that comes to `place`, and the state after it."""
    left = np.uint64(deck.size) - place
    while True:
        product = (word >> HALF) * left
        if is_fair(product & LOW, left):
            break
        state += STEP
        word = number(state)
    return take(deck, place, product >> HALF), state
