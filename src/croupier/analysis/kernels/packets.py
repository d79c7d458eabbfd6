"""Deals packets of three or four cards to seats and a dealer from one deck, and counts how every wager ends.

For each wager a hand has a number as a seat's and one as the dealer's, and their sum is where the outcome stands. These
tables are all that is known of a game here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from croupier.analysis.kernels.compiled import bare, part
from croupier.analysis.kernels.random import HALF, LOW, STEP, Cards, is_fair, number, take

Counts = npt.NDArray[np.int64]
_ONE, _TWO, _THREE, _FOUR, _BYTE = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4), np.uint64(8)
AS_IT_LIES = np.uint64(0)
"""In place of a random state: no card is moved."""
_FIRST_CARDS = np.uint64(0x0000_0001_0000_0001)
"""A fair number that always chooses the next card: both halves are too small to reach another."""
_FIVE_SUITED, _ADD_THREE = np.uint64(0x08080808), np.uint64(0x03030303)
_NO_RANK = 13


class PacketTables(NamedTuple):
    """What a game's rules come to. A hand is its place in `tables.all_hands`; hands of one kind fare alike."""

    bins: int
    """How many outcomes all wagers have together."""
    choose: npt.NDArray[np.uint32]
    """(cards, 4): what a card adds to the place of a hand in which it is the first, second, ... from below."""
    kind: npt.NDArray[np.uint16]
    """(hands): the kind of a hand."""
    seat: npt.NDArray[np.uint32]
    """(kinds, wagers): its number as a seat's."""
    dealer: npt.NDArray[np.uint32]
    """(kinds, wagers): its number as the dealer's."""
    bin: npt.NDArray[np.uint8]
    """By the sum of both: the bin of the outcome, different for each wager."""
    ranks: npt.NDArray[np.int64]
    """(hands, 4): one bit for each rank that it holds of a suit; no hands where flushes of both do not matter."""
    flush_wager: int
    """The wager for which five suited cards of both hands together count in another way; -1 where there is none."""
    flush_bin: npt.NDArray[np.uint8]
    """(ranks of the suited cards as bits, rank of another card): the bin then; rank 13 is no other card."""


class Packets(NamedTuple):
    """What lies on the table, the dealer's last."""

    hand: npt.NDArray[np.uint64]
    """(packets): the place of each hand in `tables.all_hands`."""
    suits: npt.NDArray[np.uint64]
    """(packets): how many cards of each suit it holds, a byte each."""


def empty_packets(seats: int) -> Packets:
    """A table at which nothing was dealt."""
    return Packets(np.zeros(seats + 1, dtype=np.uint64), np.zeros(seats + 1, dtype=np.uint64))


@bare
def deal_threes(
    state: np.uint64, rounds: int, packets: Packets, deck: Cards, tables: PacketTables, counts: Counts
) -> None:
    """Adds to `counts`, (bins), how often each came, with packets of three cards: to the seats, then to the dealer.

    The deck may lie in any order: it is shuffled as far as it is dealt, or, with AS_IT_LIES, dealt as it is.
    """
    as_it_lies = state == AS_IT_LIES
    for _ in range(rounds):
        word, place = np.uint64(0), np.uint64(0)
        for packet in range(packets.hand.size):
            # Each packet takes one half of a random number.
            word = word << HALF
            if packet % 2 == 0:
                state += STEP
                word = _FIRST_CARDS if as_it_lies else number(state)
            packets.hand[packet], packets.suits[packet], state = _three(state, word, deck, place, tables.choose)
            place += _THREE
        _score(packets, tables, counts)


@bare
def deal_fours(
    state: np.uint64, rounds: int, packets: Packets, deck: Cards, tables: PacketTables, counts: Counts
) -> None:
    """The same with packets of four cards; no game looks for flushes in these."""
    as_it_lies = state == AS_IT_LIES
    for _ in range(rounds):
        word, place = np.uint64(0), np.uint64(0)
        for packet in range(packets.hand.size):
            word = word << HALF
            if packet % 2 == 0:
                state += STEP
                word = _FIRST_CARDS if as_it_lies else number(state)
            packets.hand[packet], state = _four(state, word, deck, place, tables.choose)
            place += _FOUR
        _score(packets, tables, counts)


@part
def _score(packets: Packets, tables: PacketTables, counts: Counts) -> None:
    """Every wager of every seat."""
    seats = packets.hand.size - 1
    dealer = tables.kind[packets.hand[seats]]
    for seat in range(seats):
        hand = tables.kind[packets.hand[seat]]
        for wager in range(tables.seat.shape[1]):
            counts[tables.bin[tables.seat[hand, wager] + tables.dealer[dealer, wager]]] += 1
        if tables.flush_wager < 0:
            continue
        if (packets.suits[seat] + packets.suits[seats] + _ADD_THREE) & _FIVE_SUITED:
            wager = tables.flush_wager
            counts[tables.bin[tables.seat[hand, wager] + tables.dealer[dealer, wager]]] -= 1
            counts[_flush(packets.hand[seat], packets.hand[seats], tables.ranks, tables.flush_bin)] += 1


@part
def _three(
    state: np.uint64, word: np.uint64, deck: Cards, place: np.uint64, choose: npt.NDArray[np.uint32]
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Three cards come to `place`: which hand they are, their suits, and the state after them."""
    left = np.uint64(deck.size) - place
    orders = left * (left - _ONE) * (left - _TWO)
    while True:
        part = (word >> HALF) * left
        first, part = part >> HALF, (part & LOW) * (left - _ONE)
        second, part = part >> HALF, (part & LOW) * (left - _TWO)
        if is_fair(part & LOW, orders):
            break
        state += STEP
        word = number(state)
    a, b, c = take(deck, place, first), take(deck, place + _ONE, second), take(deck, place + _TWO, part >> HALF)
    suits = (_ONE << (a % _FOUR * _BYTE)) + (_ONE << (b % _FOUR * _BYTE)) + (_ONE << (c % _FOUR * _BYTE))
    low, high = min(a, b), max(a, b)
    middle, top = min(high, c), max(high, c)
    low, middle = min(low, middle), max(low, middle)
    return choose[low, 0] + choose[middle, 1] + choose[top, 2], suits, state


@part
def _four(
    state: np.uint64, word: np.uint64, deck: Cards, place: np.uint64, choose: npt.NDArray[np.uint32]
) -> tuple[np.uint64, np.uint64]:
    """Four cards come to `place`: which hand they are, and the state after them."""
    left = np.uint64(deck.size) - place
    orders = left * (left - _ONE) * (left - _TWO) * (left - _THREE)
    while True:
        part = (word >> HALF) * left
        first, part = part >> HALF, (part & LOW) * (left - _ONE)
        second, part = part >> HALF, (part & LOW) * (left - _TWO)
        third, part = part >> HALF, (part & LOW) * (left - _THREE)
        if is_fair(part & LOW, orders):
            break
        state += STEP
        word = number(state)
    a, b = take(deck, place, first), take(deck, place + _ONE, second)
    c, d = take(deck, place + _TWO, third), take(deck, place + _THREE, part >> HALF)
    a, b = min(a, b), max(a, b)
    c, d = min(c, d), max(c, d)
    low, inner = min(a, c), max(a, c)
    other, top = min(b, d), max(b, d)
    return choose[low, 0] + choose[min(inner, other), 1] + choose[max(inner, other), 2] + choose[top, 3], state


@bare
def _flush(hand: int, dealer: int, ranks: npt.NDArray[np.int64], flush_bin: npt.NDArray[np.uint8]) -> int:
    """The bin of six cards of which five or six are suited."""
    suited, other = np.int64(0), _NO_RANK
    for suit in range(4):
        held = ranks[hand, suit] | ranks[dealer, suit]
        cards = 0
        for rank in range(_NO_RANK):
            cards += (held >> rank) & 1
        if cards >= 5:
            suited = held
        elif cards:
            other = 0
            while not (held >> other) & 1:
                other += 1
    return int(flush_bin[suited, other])
