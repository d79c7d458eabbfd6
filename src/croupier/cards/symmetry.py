"""Hands that are the same but for the names of their suits, gathered into classes and counted.

A rule of a game gives the same answer for every hand of a class, so it is asked once per class: 1,755 times
instead of 22,100 for three cards. Classes are made directly, never by listing all hands.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from enum import IntEnum
from functools import cache
from math import comb, prod
from typing import NamedTuple, TypeAlias

from croupier.cards.card import DECK, Card, Hand, Rank, Suit

Ranks: TypeAlias = tuple[Rank, ...]
ALL_RANKS: Ranks = tuple(Rank)
"""The ranks of a standard deck. Every deck has its ranks in all four suits."""
CARDS = {rank: DECK[(rank - 2) * 4 : (rank - 1) * 4] for rank in Rank}
"""The four cards of a rank, by suit."""


class Sees(IntEnum):
    """What of a hand a rule looks at; the larger sees more and has more classes."""

    RANKS = 0
    """Ranks only."""
    FLUSHES = 1
    """Ranks, and which of them are suited where five or more share a suit."""
    SUITS = 2
    """Everything but the names of the suits."""


class HandClass(NamedTuple):
    """Hands that a rule cannot tell apart: one of them, and how many there are in one deck."""

    hand: Hand
    hands: int


@cache
def classes(size: int, sees: Sees, ranks: Ranks = ALL_RANKS) -> tuple[HandClass, ...]:
    """All classes of hands of `size` cards from one deck; their `hands` add up to 52 choose `size`."""
    classes_of = {Sees.RANKS: _by_ranks, Sees.FLUSHES: _by_flushes, Sees.SUITS: _by_suits}[sees](size, ranks)
    return tuple(classes_of)


def hands_left(size: int, sees: Sees, ranks: Ranks, gone: frozenset[Card]) -> Iterator[int]:
    """How many hands of each of `classes(size, sees, ranks)` there are without these cards."""
    left = {rank: [suit for suit in range(4) if CARDS[rank][suit] not in gone] for rank in ranks}
    suited = 0  # hands of the same ranks with a flush: their classes stand before the one without
    for hand_class in classes(size, sees, ranks):
        if sees is Sees.SUITS:
            names = itertools.permutations(range(4))
            namings = {frozenset(CARDS[rank][named[suit]] for rank, suit in hand_class.hand) for named in names}
            yield sum(named.isdisjoint(gone) for named in namings)
            continue
        flush = flush_ranks(hand_class.hand) if sees is Sees.FLUSHES else ()
        others = Counter(card.rank for card in hand_class.hand) - Counter(flush)
        if flush:
            hands = sum(
                prod(comb(sum(other != suit for other in left[rank]), n) for rank, n in others.items())
                for suit in range(4)
                if all(suit in left[rank] for rank in flush)
            )
            suited += hands
        else:
            hands = prod(comb(len(left[rank]), n) for rank, n in others.items()) - suited
            suited = 0
        yield hands


def class_key(hand: Hand, sees: Sees) -> tuple[object, ...]:
    """Equal for two hands exactly when they are of the same class."""
    if sees is Sees.SUITS:
        return tuple(sorted(tuple(sorted(c.rank for c in hand if c.suit is suit)) for suit in Suit))
    ranks = tuple(sorted(card.rank for card in hand))
    if sees is Sees.RANKS:
        return ranks
    return ranks, flush_ranks(hand)


def flush_ranks(hand: Hand) -> tuple[Rank, ...]:
    """Ranks, low to high, of the suit that holds five or more cards of the hand; empty where none does."""
    suits = [card.suit for card in hand]
    for suit in set(suits):
        if suits.count(suit) >= FLUSH:
            return tuple(sorted(card.rank for card in hand if card.suit is suit))
    return ()


FLUSH = 5


def _rank_multisets(size: int, deck: Ranks) -> Iterator[Ranks]:
    for ranks in itertools.combinations_with_replacement(deck, size):
        # Sorted, so five of a rank stand together: a deck has four.
        if all(ranks[i] is not ranks[i + 4] for i in range(size - 4)):
            yield ranks


def _spread(ranks: tuple[Rank, ...]) -> Hand:
    """A hand of these ranks with its suits as mixed as can be: never five suited below 17 cards."""
    return tuple(CARDS[rank][i % 4] for i, rank in enumerate(ranks))


def _by_ranks(size: int, deck: Ranks) -> Iterator[HandClass]:
    for ranks in _rank_multisets(size, deck):
        yield HandClass(_spread(ranks), prod(comb(4, n) for n in Counter(ranks).values()))


def _by_flushes(size: int, deck: Ranks) -> Iterator[HandClass]:
    for ranks in _rank_multisets(size, deck):
        different = sorted(set(ranks))
        unsuited = prod(comb(4, ranks.count(rank)) for rank in different)
        for suited_size in range(FLUSH, len(different) + 1):
            for suited in itertools.combinations(different, suited_size):
                others = Counter(ranks) - Counter(suited)
                # The suit of the flush is one of four; the other cards are in the remaining three.
                hands = 4 * prod(comb(3, n) for n in others.values())
                unsuited -= hands
                if hands:
                    yield HandClass(_flush_hand(suited, others), hands)
        yield HandClass(_spread(ranks), unsuited)


def _flush_hand(suited: tuple[Rank, ...], others: Counter[Rank]) -> Hand:
    flush = [CARDS[rank][0] for rank in suited]
    rest = [card for rank, n in others.items() for card in CARDS[rank][1 : 1 + n]]
    return tuple(flush + rest)


def _by_suits(size: int, deck: Ranks) -> Iterator[HandClass]:
    for shape in _suit_shapes(size, 4):
        # Suits of equal length are interchangeable: choose their rank sets without order.
        lengths = sorted(Counter(shape).items(), reverse=True)
        choices = [
            itertools.combinations_with_replacement(itertools.combinations(deck, length), times)
            for length, times in lengths
        ]
        for chosen in itertools.product(*choices):
            suits = [ranks for group in chosen for ranks in group]
            hand = tuple(CARDS[rank][suit] for suit, ranks in enumerate(suits) for rank in ranks)
            yield HandClass(hand, _ways_to_name(suits))


def _ways_to_name(suits: list[Ranks]) -> int:
    """How many hands there are with these ranks by suit: 4! where all differ. Equal ones stand together."""
    ways, alike = 24, 1
    for place in range(1, 4):
        alike = alike + 1 if suits[place] == suits[place - 1] else 1
        ways //= alike
    return ways


def _suit_shapes(size: int, suits: int, longest: int = 13) -> Iterator[tuple[int, ...]]:
    """How many cards each suit holds, longest first: three cards are (3,0,0,0), (2,1,0,0) or (1,1,1,0)."""
    if suits == 0:
        if size == 0:
            yield ()
        return
    for length in range(min(size, longest), -1, -1):
        for rest in _suit_shapes(size - length, suits - 1, length):
            yield (length, *rest)
