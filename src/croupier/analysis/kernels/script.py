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
    """Cards of a seat."""
    board: int
    """Common cards."""
    choose: npt.NDArray[np.uint32]
    """(cards, 6): what a card adds to the place of a hand in which it is the first, second, ... from below."""
    by_ranks: npt.NDArray[np.uint32]
    """(cards, 6): the same for the place among sets of ranks in which a rank may be several times."""
    hand_class: npt.NDArray[np.uint16]
    """(hands): the class of a seat's cards."""
    names: npt.NDArray[np.uint8]
    """(hands, 4): what the suits are called in that class."""
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
    """(sets of ranks): what a whole hand comes to that is no flush."""
    flush_of: npt.NDArray[np.uint8]
    """(sets of ranks): what a flush comes to."""

    def play(self, state: np.uint64, rounds: int, seats: int, cards: Cards, counts: Counts) -> None:
        deal_streets(state, rounds, empty_streets(seats, self), cards, self, counts)


class StreetSeats(NamedTuple):
    """Room for what lies on the table."""

    own: Words
    """(seats, cards): in the order they are dealt."""
    board: Words
    """(cards): in the order they are turned."""
    hand: Words
    """(cards): a whole hand, rising."""


def empty_streets(seats: int, tables: StreetTables) -> StreetSeats:
    """A table at which nothing was dealt."""
    own, board = int(tables.own), int(tables.board)
    words = (np.zeros(shape, dtype=np.uint64) for shape in ((seats, own), board, own + board))
    return StreetSeats(*words)


@bare
def deal_streets(
    state: np.uint64, rounds: int, seats: StreetSeats, deck: Cards, tables: StreetTables, counts: Counts
) -> None:
    """Adds to `counts`, (bins), how often each came: cards to the seats, then common cards, one policy for all.

    The deck may lie in any order: it is shuffled as far as it is dealt, or, with AS_IT_LIES, dealt as it is.
    """
    as_it_lies = state == AS_IT_LIES
    own, common = seats.own.shape[1], seats.board.size
    for _ in range(rounds):
        word, place = np.uint64(0), np.uint64(0)
        for packet in range(seats.own.shape[0] + 1):
            # Each packet takes one half of a random number; the common cards are the last.
            word = word << HALF
            if packet % 2 == 0:
                state += STEP
                word = _FIRST_CARDS if as_it_lies else number(state)
            if packet < seats.own.shape[0]:
                state = _packet(state, word, deck, place, own, seats.own[packet])
                place += np.uint64(own)
            else:
                state = _packet(state, word, deck, place, common, seats.board)
        for seat in range(seats.own.shape[0]):
            _play(seat, seats, np.uint64(deck.size), tables, counts)


@part
def _packet(state: np.uint64, word: np.uint64, deck: Cards, place: np.uint64, cards: int, hand: Words) -> np.uint64:
    """Two or three cards come to `place`, in the order they are dealt; gives the state after them."""
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
    hand[0], hand[1] = take(deck, place, first), take(deck, place + _ONE, second)
    if cards == 3:
        hand[2] = take(deck, place + _TWO, third)
    return state


@part
def _draw(state: np.uint64, deck: Cards, place: np.uint64, as_it_lies: bool) -> tuple[np.uint64, np.uint64]:
    """The card that comes to `place`, and the state after it."""
    if as_it_lies:
        return np.uint64(deck[place]), state
    left = np.uint64(deck.size) - place
    while True:
        state += STEP
        product = (number(state) >> HALF) * left
        if is_fair(product & LOW, left):
            break
    return take(deck, place, product >> HALF), state


@part
def _play(seat: int, seats: StreetSeats, cards: np.uint64, tables: StreetTables, counts: Counts) -> None:
    """One seat: its choices by the policy, and the bin that it ends in."""
    own = seats.own.shape[1]
    place = np.uint64(0)
    for i in range(own):
        _insert(seats.hand, i, seats.own[seat, i])
    for i in range(own):
        place += np.uint64(tables.choose[seats.hand[i], i])
    for wager in range(tables.side.shape[0]):
        counts[tables.side[wager, place]] += 1
    if tables.first.size == 0:
        return
    node, shown = 0, 0
    position = np.uint64(tables.hand_class[place])
    while True:
        to = tables.after[node, tables.policy[np.uint64(tables.first[node]) + position]]
        if to < 0:
            counts[-1 - to] += 1
            return
        if to >= FINAL:
            break
        card = seats.board[shown]
        position = position * cards + (card & _RANK) + np.uint64(tables.names[place, card & _SUIT])
        shown += 1
        node = to
    suits = np.uint64(15)
    for i in range(seats.board.size):
        _insert(seats.hand, own + i, seats.board[i])
    whole = np.uint64(0)
    for i in range(seats.hand.size):
        whole += np.uint64(tables.by_ranks[seats.hand[i], i])
        suits &= _ONE << (seats.hand[i] & _SUIT)
    kind = tables.kind_of[whole]
    if suits:
        kind = tables.flush_of[whole]
    counts[tables.final[to - FINAL, kind]] += 1


@part
def _insert(hand: Words, held: int, card: np.uint64) -> None:
    """One more card into so many that rise."""
    at = held
    while at > 0 and hand[at - 1] > card:
        hand[at] = hand[at - 1]
        at -= 1
    hand[at] = card


class RankTables(NamedTuple):
    """What a game that looks at ranks alone comes to: for each wager nodes, one for all that looks alike there."""

    bins: int
    to_seats: npt.NDArray[np.bool_]
    """(draws): whether each seat that waits for it gets a card of its own, or all share one."""
    waits: npt.NDArray[np.int32]
    """(nodes): the draw that a node waits for."""
    burned: npt.NDArray[np.int32]
    """(nodes): how many cards are burned before it."""
    after: npt.NDArray[np.int32]
    """(nodes, ranks): the next node; below zero, -1 less the bin that it ends in."""
    start: npt.NDArray[np.int32]
    """(wagers): the first node of each."""

    def play(self, state: np.uint64, rounds: int, seats: int, cards: Cards, counts: Counts) -> None:
        deal_ranks(state, rounds, empty_ranks(seats, self), cards, self, counts)


def empty_ranks(seats: int, tables: RankTables) -> npt.NDArray[np.int32]:
    """(seats, wagers): the node of each."""
    return np.zeros((seats, len(tables.start)), dtype=np.int32)


@bare
def deal_ranks(
    state: np.uint64, rounds: int, nodes: npt.NDArray[np.int32], shoe: Cards, tables: RankTables, counts: Counts
) -> None:
    """Adds to `counts`, (bins), how often each came, draw by draw of the script, with a fresh shoe for each round."""
    as_it_lies = state == AS_IT_LIES
    seats, wagers, draws = nodes.shape[0], nodes.shape[1], tables.to_seats.size
    for _ in range(rounds):
        place, left = np.uint64(0), seats * wagers
        for seat in range(seats):
            for wager in range(wagers):
                nodes[seat, wager] = tables.start[wager]
        for draw in range(draws):
            begun, shared, card = False, False, np.uint64(0)
            for seat in range(seats):
                drawn = shared and not tables.to_seats[draw]
                for wager in range(wagers):
                    node = nodes[seat, wager]
                    if node < 0 or tables.waits[node] != draw:
                        continue
                    if not begun:
                        place += np.uint64(tables.burned[node])
                        begun = True
                    if not drawn:
                        card, state = _draw(state, shoe, place, as_it_lies)
                        place += _ONE
                        drawn = shared = True
                    node = tables.after[node, card // _FOUR]
                    nodes[seat, wager] = node
                    if node < 0:
                        counts[-1 - node] += 1
                        left -= 1
            if left == 0:
                break
