"""Poker hands of three cards, and the best five of five or six: the lines, and how they are read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from croupier.cards.card import Hand, Rank
from croupier.cards.symmetry import flush_ranks
from croupier.games.rulebook import rule
from croupier.games.wager import Outcome

ACE, ACE_LOW = int(Rank.ACE), 1


class ThreeCards:
    """The lines of a three-card hand, highest first."""

    NOTHING: ClassVar = Outcome("Less than a pair")
    PAIR: ClassVar = Outcome("Pair")
    FLUSH: ClassVar = Outcome("Flush")
    STRAIGHT: ClassVar = Outcome("Straight")
    THREE_OF_A_KIND: ClassVar = Outcome("Three-of-a-Kind")
    STRAIGHT_FLUSH: ClassVar = Outcome("Straight Flush")
    ROYAL_FLUSH: ClassVar = Outcome("Royal Flush", pays_as=STRAIGHT_FLUSH)
    ALL: ClassVar = (ROYAL_FLUSH, STRAIGHT_FLUSH, THREE_OF_A_KIND, STRAIGHT, FLUSH, PAIR, NOTHING)


class FiveCards:
    """The lines of a five-card hand, highest first; what games make of a pair and of less is their own."""

    LESS: ClassVar = Outcome("Less than three-of-a-kind")
    TWO_PAIR: ClassVar = Outcome("Two Pair")
    THREE_OF_A_KIND: ClassVar = Outcome("Three-of-a-Kind")
    STRAIGHT: ClassVar = Outcome("Straight")
    FLUSH: ClassVar = Outcome("Flush")
    FULL_HOUSE: ClassVar = Outcome("Full House")
    FOUR_OF_A_KIND: ClassVar = Outcome("Four-of-a-Kind")
    STRAIGHT_FLUSH: ClassVar = Outcome("Straight Flush")
    ROYAL_FLUSH: ClassVar = Outcome("Royal Flush", pays_as=STRAIGHT_FLUSH)
    FROM_THREE_OF_A_KIND: ClassVar = (
        ROYAL_FLUSH,
        STRAIGHT_FLUSH,
        FOUR_OF_A_KIND,
        FULL_HOUSE,
        FLUSH,
        STRAIGHT,
        THREE_OF_A_KIND,
    )
    FROM_TWO_PAIR: ClassVar = (*FROM_THREE_OF_A_KIND, TWO_PAIR)
    OR_LESS: ClassVar = (*FROM_THREE_OF_A_KIND, LESS)


@rule("triple-shot-rummy 6.1", "triple-shot-rummy 6.3", "triple-shot-rummy 6.4", "triple-shot-rummy 6.5")
def three_card_hand(hand: Hand) -> Outcome:
    """The poker line of three cards; aces are high or low in straights."""
    ranks = [card.rank for card in hand]
    suited = len({card.suit for card in hand}) == 1
    top = straight_top(ranks, length=3)
    if suited and top:
        return ThreeCards.ROYAL_FLUSH if top == Rank.ACE else ThreeCards.STRAIGHT_FLUSH
    if len(set(ranks)) == 1:
        return ThreeCards.THREE_OF_A_KIND
    if top:
        return ThreeCards.STRAIGHT
    if suited:
        return ThreeCards.FLUSH
    return ThreeCards.PAIR if len(set(ranks)) == 2 else ThreeCards.NOTHING


@rule("triple-shot-rummy 7.1", "triple-shot-rummy 7.2", "triple-shot-rummy 7.4")
def best_five(hand: Hand) -> Outcome:
    """The line of the best five-card poker hand among five or six cards, from three of a kind on."""
    flush = flush_ranks(hand)
    if flush:
        top = straight_top(flush, length=5)
        if top:
            return FiveCards.ROYAL_FLUSH if top == Rank.ACE else FiveCards.STRAIGHT_FLUSH
    ranks = [card.rank for card in hand]
    copies = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    if copies[0] == 4:
        return FiveCards.FOUR_OF_A_KIND
    if copies[0] == 3 and copies[1] >= 2:
        return FiveCards.FULL_HOUSE
    if flush:
        return FiveCards.FLUSH
    if straight_top(ranks, length=5):
        return FiveCards.STRAIGHT
    return FiveCards.THREE_OF_A_KIND if copies[0] == 3 else FiveCards.LESS


def straight_top(ranks: Sequence[Rank], *, length: int) -> int:
    """The highest card of the best straight of `length` among these ranks; 0 where there is none."""
    present = 0
    for rank in ranks:
        present |= 1 << rank
    if present >> ACE & 1:
        present |= 1 << ACE_LOW
    # A bit is left where `length` neighbouring bits were: the highest of them.
    for _ in range(length - 1):
        present &= present << 1
    return present.bit_length() - 1 if present else 0
