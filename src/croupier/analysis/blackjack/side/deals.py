"""Counts the deals of a blackjack side wager by types of cards: 52 types with as many copies as the shoe holds.

A side wager looks at one seat's first two cards and one more fact. The wager's own rule is asked about every pair of
types and every fact (`tabulate.deal_all`); here it is only counted how many deals there are of each:

    dealer's blackjack   the seat's two cards (in no order), then the dealer's two
    up card              the seat's two cards, then the up card
    nothing else         the seat's two cards
    dealer's two cards   the seat's two cards (in no order), then the dealer's two (in no order)
    other hand           the same, with the two of the seat's other hand in place of the dealer's
    third card           the seat's two cards, then up card, hole card and the next card. Where the hole card is
                         checked, a blackjack of the dealer ends the hand at two cards. Otherwise a player who holds
                         two sevens is taken to draw, that is to hit, double or split; `stands_against` names up cards
                         against which the player does not. To other hands it does not matter.

Insurance is counted over the deals in which it is offered: those with an ace up. The dealer's total is no single card,
and is counted in `side.bust`; the dealer's whole hand in `side.played_out`.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from croupier.cards.card import DECK, Rank
from croupier.games.blackjack.rules import ACE, TEN
from croupier.games.blackjack.side_wagers import INSURANCE, value
from croupier.games.tabulate import deal_all, read_dealers_two
from croupier.games.wager import Fact, OnDeal, Outcome, Wager

Ints = NDArray[np.int64]

TYPES = len(DECK)
VALUES = TEN
FIRST, SECOND = np.triu_indices(TYPES)
"""The types of the seat's two cards, in the order of `tabulate.deal_domain`. Shape (pairs,), pairs = 1,378."""
VALUE_OF_TYPE: Ints = np.array([value(card) - 1 for card in DECK])
IS_VALUE: Ints = (VALUE_OF_TYPE[:, None] == np.arange(VALUES)).astype(np.int64)
"""(types, 10): which value a type has, aces first."""


def fact_of(wager: Wager) -> Fact:
    assert isinstance(wager.basis, OnDeal), f"{wager.title} is no wager on the deal"
    return wager.basis.fact


def count_deals(
    wager: Wager, copies: Ints, stands_against: Collection[int] = (), *, hole_card: bool = True
) -> dict[Outcome, int]:
    """How many deals end in each outcome, from a shoe that holds so many copies of each type, (52).

    Up cards are values, 1 for an ace. `hole_card` says whether there is one, which is checked.
    """
    match fact_of(wager):
        case Fact.NOTHING:
            weights = pairs_of(copies)[:, None]
        case Fact.UP_CARD:
            weights = up_cards(copies)
        case Fact.DEALERS_TWO | Fact.OTHER_HAND:
            weights = _dealers_read(wager, copies)
        case Fact.THIRD_CARD:
            weights = _third_cards(wager, copies, frozenset(stands_against), checked=hole_card)
        case Fact.DEALER_BLACKJACK if wager is INSURANCE:
            weights = _holes_of_aces(copies)
        case Fact.DEALER_BLACKJACK:
            weights = _dealer_pairs(copies)
        case fact:
            raise AssertionError(f"{wager.title} looks at {fact}, which is no deal of single cards")
    outcomes = judged(wager)
    assert weights.shape == outcomes.shape
    return {outcome: int(weights[outcomes == place].sum()) for place, outcome in enumerate(wager.outcomes)}


def judged(wager: Wager) -> NDArray[np.uint8]:
    """The place of the outcome by (pair of types, fact), as the wager's own rule says."""
    return np.frombuffer(deal_all(wager), dtype=np.uint8).reshape(len(FIRST), -1)


def pairs_of(copies: Ints) -> Ints:
    """How many hands of two cards there are of each pair of types. Shape (pairs,)."""
    first, second = copies[FIRST], copies[SECOND]
    return np.where(FIRST == SECOND, first * (first - 1) // 2, first * second)


def left_after(copies: Ints) -> Ints:
    """Copies that are left once a pair of types is out, never below 0. Shape (pairs, types)."""
    left = np.tile(copies, (len(FIRST), 1))
    rows = np.arange(len(FIRST))
    left[rows, FIRST] -= 1
    left[rows, SECOND] -= 1
    # A pair that the shoe does not hold has weight 0, whatever would be left.
    return np.maximum(0, left)


def up_cards(copies: Ints) -> Ints:
    """(pairs, up cards)."""
    return np.asarray(pairs_of(copies)[:, None] * left_after(copies))


def _dealer_pairs(copies: Ints) -> Ints:
    """(pairs, no blackjack or blackjack): the dealer's two cards in no order."""
    values = left_after(copies) @ IS_VALUE
    cards = values.sum(axis=1)
    blackjacks = values[:, ACE - 1] * values[:, TEN - 1]
    dealt = np.stack((cards * (cards - 1) // 2 - blackjacks, blackjacks), axis=1)
    return np.asarray(pairs_of(copies)[:, None] * dealt)


def _dealers_read(wager: Wager, copies: Ints) -> Ints:
    """(pairs, what the dealer's two cards are read as), the two in no order."""
    findings, of_two = dealers_findings(wager)
    read: Ints = np.zeros((len(FIRST), findings), dtype=np.int64)
    left = left_after(copies)
    for finding in range(1, findings):
        # What is found of few hands is added up; the first finding is of all the others.
        [places] = np.nonzero(of_two == finding)
        one, other = left[:, FIRST[places]], left[:, SECOND[places]]
        read[:, finding] = np.where(FIRST[places] == SECOND[places], one * (one - 1) // 2, one * other).sum(axis=1)
    cards = left.sum(axis=1)
    read[:, 0] = cards * (cards - 1) // 2 - read[:, 1:].sum(axis=1)
    return np.asarray(pairs_of(copies)[:, None] * read)


def dealers_findings(wager: Wager) -> tuple[int, NDArray[np.uint8]]:
    """How many things the dealer's two cards can be read as, and which of them each two are. Shape (pairs,)."""
    assert isinstance(wager.basis, OnDeal)
    findings, of_two = read_dealers_two(wager.basis)
    return len(findings), np.frombuffer(of_two, dtype=np.uint8)


def _holes_of_aces(copies: Ints) -> Ints:
    """(pairs, no blackjack or blackjack): an ace up, and the hole card."""
    values = left_after(copies) @ IS_VALUE
    aces, tens = values[:, ACE - 1], values[:, TEN - 1]
    holes = np.stack((values.sum(axis=1) - 1 - tens, tens), axis=1)
    return np.asarray(pairs_of(copies)[:, None] * aces[:, None] * holes)


def _third_cards(wager: Wager, copies: Ints, stands_against: frozenset[int], *, checked: bool) -> Ints:
    """(pairs, none or third card): up card, hole card and third card, in this order from what is left."""
    outcomes = judged(wager)
    matters = (outcomes != outcomes[:, :1]).any(axis=1)
    sevens = (VALUE_OF_TYPE[FIRST] == Rank.SEVEN - 1) & (VALUE_OF_TYPE[SECOND] == Rank.SEVEN - 1)
    assert (matters == sevens).all(), "a third card matters to two sevens, and to nothing else"
    left = left_after(copies)
    # By (pair, third card, value): what is left for up card and hole card.
    values = np.maximum(0, (left @ IS_VALUE)[:, None] - IS_VALUE)
    cards = values.sum(axis=2)
    holes = np.repeat((cards - 1)[:, :, None], VALUES, axis=2)
    if checked:
        holes[:, :, ACE - 1] -= values[:, :, TEN - 1]
        holes[:, :, TEN - 1] -= values[:, :, ACE - 1]
    draws = np.array([up not in stands_against for up in range(ACE, TEN + 1)])
    thirds = left * (values * holes)[:, :, draws].sum(axis=2)
    all_left = left.sum(axis=1)
    nones = all_left * (all_left - 1) * (all_left - 2) - thirds.sum(axis=1)
    return np.asarray(pairs_of(copies)[:, None] * np.column_stack((nones, thirds)))
