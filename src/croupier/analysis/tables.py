"""Spreads the rules' tables over every hand of the deck, as arrays that can be counted with."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from math import comb

import numpy as np
from numpy.typing import NDArray

from croupier.cards.card import Hand
from croupier.cards.symmetry import FLUSH, Ranks, Sees, classes
from croupier.games.tabulate import judge_all, read_all
from croupier.games.wager import AgainstDealer, Choice, Reading, Wager

Ints = NDArray[np.int64]
Cards = NDArray[np.int64]
"""Hands as rows of card numbers, each row rising."""

CHOOSE = np.array([[comb(n, k) for k in range(8)] for n in range(53)], dtype=np.int64)


@cache
def all_hands(size: int, deck_cards: int) -> Cards:
    """Every hand of `size` cards, at the row `hand_places` gives it. Shape (deck_cards choose size, size)."""
    # Grown card by card: the hands whose highest card is c are all hands of one card fewer below c.
    if size == 0:
        return np.zeros((1, 0), dtype=np.int64)
    fewer = all_hands(size - 1, deck_cards)
    blocks = [
        np.column_stack([fewer[: comb(top, size - 1)], np.full(comb(top, size - 1), top)])
        for top in range(size - 1, deck_cards)
    ]
    return np.concatenate(blocks)


@cache
def hand_bits(size: int, deck_cards: int) -> Ints:
    """A bit for each card of each of `all_hands`: two hands share none exactly where their bits do."""
    return np.asarray((np.int64(1) << all_hands(size, deck_cards)).sum(axis=1))


def hand_places(cards: Cards) -> Ints:
    """The row of each hand in `all_hands`. Takes shape (..., size), rising; gives shape (...)."""
    places = np.zeros(cards.shape[:-1], dtype=np.int64)
    for i in range(cards.shape[-1]):
        places += CHOOSE[cards[..., i], i + 1]
    return places


def as_cards(hands: Iterable[Hand], ranks: Ranks) -> Cards:
    """Hands as rows of card numbers: 0 for the first suit of the deck's first rank, and so on."""
    first = {rank: 4 * place for place, rank in enumerate(ranks)}
    numbers = [[first[rank] + suit for rank, suit in hand] for hand in hands]
    return np.sort(np.array(numbers, dtype=np.int64), axis=1)


@cache
def class_cards(size: int, sees: Sees, ranks: Ranks) -> Cards:
    """One hand of each of `classes(size, sees, ranks)`."""
    return as_cards((each.hand for each in classes(size, sees, ranks)), ranks)


@cache
def class_of_hands(size: int, sees: Sees, ranks: Ranks) -> Ints:
    """For each of `all_hands`: the place of its class in `classes(size, sees, ranks)`."""
    cards = class_cards(size, sees, ranks)
    places = np.arange(len(cards))
    if sees is Sees.SUITS:
        # Every way of naming the suits leads to a hand of the class.
        named = 4 * (cards // 4) + SUIT_NAMES[:, cards % 4]
        named.sort(axis=2)
        found = np.zeros(comb(4 * len(ranks), size), dtype=np.int64)
        found[hand_places(named)] = places
        return found
    assert sees is Sees.RANKS or size <= FLUSH, "larger hands that are read for flushes are counted by class alone"
    hands = all_hands(size, 4 * len(ranks))
    by_ranks = np.zeros((2, len(ranks) ** size), dtype=np.int64)
    by_ranks[_suited(cards, sees), _rank_keys(cards, ranks)] = places
    found = by_ranks[_suited(hands, sees), _rank_keys(hands, ranks)]
    return found


SUIT_NAMES = np.array(list(permutations(range(4))), dtype=np.int64)


def _rank_keys(cards: Cards, ranks: Ranks) -> Ints:
    """The ranks of each hand as one number; the same whatever the suits, for the cards of a hand rise."""
    return np.asarray((cards // 4) @ (len(ranks) ** np.arange(cards.shape[1])))


def _suited(cards: Cards, sees: Sees) -> Ints:
    """1 for each hand that is read as a flush, 0 for the others."""
    if sees is Sees.RANKS or cards.shape[1] < FLUSH:
        return np.zeros(len(cards), dtype=np.int64)
    suits = cards % 4
    return np.asarray((suits == suits[:, :1]).all(axis=1), dtype=np.int64)


@cache
def findings_of_hands(reading: Reading, ranks: Ranks) -> Ints:
    """For each of `all_hands`: the place of what the reading finds in `read_all(reading, ranks).findings`."""
    of_class = np.array(read_all(reading, ranks).of_class, dtype=np.int64)
    found: Ints = of_class[class_of_hands(reading.size, reading.sees, ranks)]
    return found


def judgment(wager: Wager, choice: Choice, ranks: Ranks) -> NDArray[np.uint8]:
    """The place of the outcome for each seat's finding (rows) and dealer's finding (columns)."""
    assert isinstance(wager.basis, AgainstDealer)
    table = np.frombuffer(judge_all(wager, choice, ranks), dtype=np.uint8)
    return table.reshape(-1, len(read_all(wager.basis.dealer, ranks).findings))


def dealer_counts(seat_hands: Cards, dealer: Reading, ranks: Ranks, among: NDArray[np.bool_] | None = None) -> Ints:
    """How many dealer's hands with each finding are left when each of these seat's hands is out.

    No deal is listed: the dealer's hands that share no card with the seat's are counted by inclusion and
    exclusion over the subsets of the seat's hand. Shape (seat hands, findings). Where not every hand can be the
    dealer's, `among` says of each of `all_hands` whether it can.
    """
    assert seat_hands.shape[1] == dealer.size, "both hands have the same number of cards"
    findings = findings_of_hands(dealer, ranks)
    kinds = len(read_all(dealer, ranks).findings)
    if len(seat_hands) == 1 and among is not None:  # of one hand they are listed sooner
        free = among & ((hand_bits(dealer.size, 4 * len(ranks)) & (1 << seat_hands[0]).sum()) == 0)
        return np.bincount(findings[free], minlength=kinds)[np.newaxis].astype(np.int64)
    left = np.zeros((len(seat_hands), kinds), dtype=np.int64)
    for shared in range(dealer.size):
        holding = _holding(dealer, shared, ranks, among)
        for places in combinations(range(seat_hands.shape[1]), shared):
            left += (-1) ** shared * holding[hand_places(seat_hands[:, places])]
    # A hand that shares all its cards is the seat's own.
    own = hand_places(seat_hands)
    left[range(len(seat_hands)), findings[own]] += (-1) ** dealer.size * (1 if among is None else among[own])
    return left


def _holding(reading: Reading, size: int, ranks: Ranks, among: NDArray[np.bool_] | None) -> Ints:
    """How many hands with each finding hold a given set of `size` cards. Shape (sets of cards, findings)."""
    deck_cards = 4 * len(ranks)
    hands, findings = all_hands(reading.size, deck_cards), findings_of_hands(reading, ranks)
    if among is not None:
        hands, findings = hands[among], findings[among]
    kinds = len(read_all(reading, ranks).findings)
    sets = comb(deck_cards, size)
    held = np.zeros(sets * kinds, dtype=np.int64)
    for places in combinations(range(reading.size), size):
        held += np.bincount(hand_places(hands[:, places]) * kinds + findings, minlength=sets * kinds)
    return held.reshape(sets, kinds)


def rank_sets(ranks: int, cards: int) -> Ints:
    """(sets, cards): every set of ranks in which a rank may be several times, by its place."""
    every = np.array(list(combinations_with_replacement(range(ranks), cards)), dtype=np.int64)
    found = np.empty_like(every)
    found[rank_places(every)] = every
    return found


def rank_places(rising: Ints) -> Ints:
    """(sets): the place of each set of ranks, which rise."""
    return np.asarray(sum(CHOOSE[rising[:, i] + i, i + 1] for i in range(rising.shape[1])))
