"""Counts how the dealer's hand ends and how far its suits agree, in whole numbers: what Push 22 is decided by.

The wager lies there from before the deal, and the dealer's hand is played to its end for it, whatever the players do.
An unseen card is as likely in one place of the shoe as in another, so that the players' draws do not matter: a case is
an order of as many cards as the longest hand can have, up card first, and all cases are equally likely. Blackjacks are
among them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from math import perm

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.blackjack.side.bust import VALUES, dealer_hands, longest_hand
from croupier.cards.card import DECK, Suit
from croupier.games.blackjack.rules import ACE, TEN, count
from croupier.games.blackjack.side_wagers import RED, value
from croupier.games.tabulate import PLAYED_OUT, deal_all
from croupier.games.wager import Alike, Outcome, Wager

BLACK = tuple(suit for suit in Suit if suit not in RED)


@cache
def finished_hands(*, hits_soft_17: bool) -> tuple[tuple[tuple[tuple[int, int], ...], int, int], ...]:
    """Every finished hand of the dealer: its values with how many cards of each, its total, and in how many orders its
    cards may have come."""
    hands: Counter[tuple[int, ...]] = Counter({(ACE, TEN): 2})
    for up in VALUES:
        for hand in dealer_hands(up, hits_soft_17=hits_soft_17):
            hands[tuple(sorted((up, *hand.values)))] += hand.orders
    return tuple(
        (tuple(Counter(values).items()), min(count(values).total, PLAYED_OUT[-1]), orders)
        for values, orders in hands.items()
    )


def played_out_census(wager: Wager, copies: NDArray[np.int64], *, hits_soft_17: bool) -> dict[Outcome, int]:
    """How many cases end in each outcome of the wager, from a shoe that holds so many copies of each type, (52)."""
    places = dict(zip(((total, alike) for total in PLAYED_OUT for alike in Alike), deal_all(wager), strict=True))
    counts = dict.fromkeys(wager.outcomes, 0)
    for total, alike, number in _cases(copies, hits_soft_17=hits_soft_17):
        counts[wager.outcomes[places[total, alike]]] += number
    return counts


def _cases(copies: NDArray[np.int64], *, hits_soft_17: bool) -> Iterator[tuple[int, Alike, int]]:
    """By finished hand: its total, how far its suits agree, and how many cases there are of it."""
    size = int(copies.sum())
    length = cards_of_a_case(size, hits_soft_17=hits_soft_17)
    suits = [_ways(copies, (suit,), length) for suit in Suit]
    colors = [_ways(copies, color, length) for color in (RED, BLACK)]
    every = _ways(copies, tuple(Suit), length)
    for held, total, orders in finished_hands(hits_soft_17=hits_soft_17):
        cards = sum(number for _, number in held)
        if cards > length:
            continue
        rest = orders * perm(size - cards, length - cards)
        of_suit, of_color, of_any = (sum(_orders(held, ways) for ways in some) for some in (suits, colors, [every]))
        yield total, Alike.SUIT, rest * of_suit
        yield total, Alike.COLOR, rest * (of_color - of_suit)
        yield total, Alike.NOT, rest * (of_any - of_color)


def cards_of_a_case(size: int, *, hits_soft_17: bool) -> int:
    """How many cards a case has, from a shoe of this size."""
    return min(size, longest_hand(hits_soft_17=hits_soft_17))


def _ways(copies: NDArray[np.int64], suits: tuple[Suit, ...], length: int) -> list[list[int]]:
    """By value and number: in how many orders so many cards of the value come out of those of these suits."""
    there = [0] * len(VALUES)
    for card, number in zip(DECK, copies.tolist(), strict=True):
        if card.suit in suits:
            there[value(card) - 1] += number
    return [[perm(number, drawn) for drawn in range(length + 1)] for number in there]


def _orders(held: Sequence[tuple[int, int]], ways: list[list[int]]) -> int:
    product = 1
    for card_value, number in held:
        product *= ways[card_value - 1][number]
    return product
