"""Poker hands as readings, for every game that is written as a script."""

from __future__ import annotations

from collections import Counter
from typing import Final

from croupier.cards.card import Hand, Rank
from croupier.cards.symmetry import Sees
from croupier.games.poker import BestFive, ThreeCards, best_five_of_six, straight_top, three_card_hand
from croupier.games.script.language import reading
from croupier.games.wager import Outcome

Strength = tuple[int, ...]
"""The place of the line, then the ranks that decide within it: strengths compare as hands do."""


class FiveCards:
    """The lines of a five-card hand, highest first; a pair is told by its rank, which tables draw lines between."""

    ROYAL_FLUSH: Final = Outcome("Royal Flush")
    STRAIGHT_FLUSH: Final = Outcome("Straight Flush")
    FOUR_OF_A_KIND: Final = Outcome("Four-of-a-Kind")
    FULL_HOUSE: Final = Outcome("Full House")
    FLUSH: Final = Outcome("Flush")
    STRAIGHT: Final = Outcome("Straight")
    THREE_OF_A_KIND: Final = Outcome("Three-of-a-Kind")
    TWO_PAIR: Final = Outcome("Two Pair")
    ABOVE_A_PAIR: Final = (
        ROYAL_FLUSH,
        STRAIGHT_FLUSH,
        FOUR_OF_A_KIND,
        FULL_HOUSE,
        FLUSH,
        STRAIGHT,
        THREE_OF_A_KIND,
        TWO_PAIR,
    )


_SHAPES = {(4, 1): FiveCards.FOUR_OF_A_KIND, (3, 2): FiveCards.FULL_HOUSE, (3, 1): FiveCards.THREE_OF_A_KIND}


@reading(Sees.FLUSHES, say=lambda found: found if isinstance(found, str) else found.label)
def five_line(hand: Hand) -> Outcome | Rank | None:
    """The line of five cards; of a pair its rank, and nothing below that."""
    copies = Counter(card.rank for card in hand).most_common()
    if len(copies) == len(hand):
        suited = len({card.suit for card in hand}) == 1
        top = straight_top([card.rank for card in hand], length=5)
        if suited and top:
            return FiveCards.ROYAL_FLUSH if top == Rank.ACE else FiveCards.STRAIGHT_FLUSH
        return FiveCards.FLUSH if suited else FiveCards.STRAIGHT if top else None
    (best, most), (_, second) = copies[:2]
    if most == 2:
        return FiveCards.TWO_PAIR if second == 2 else best
    return _SHAPES[most, second]


three_line = reading(Sees.SUITS, say=lambda line: line.label)(three_card_hand)
six_line = reading(Sees.FLUSHES, say=lambda line: line.label)(best_five_of_six)
SIX_LINES = BestFive.ALL

_THREE_LINES = ThreeCards.ALL[::-1]


def _of_strength(strength: Strength) -> str:
    line, *ranks = strength
    if _THREE_LINES[line] is not ThreeCards.NOTHING:
        return _THREE_LINES[line].label.lower()
    return f"{'-'.join(Rank(rank).letter for rank in ranks)} high"


@reading(Sees.SUITS, say=_of_strength)
def three_strength(hand: Hand) -> Strength:
    """How three cards compare; of two equal lines the higher ranks decide."""
    a, b, c = sorted((int(card.rank) for card in hand), reverse=True)
    suited = hand[0].suit is hand[1].suit is hand[2].suit
    if a == b or b == c:
        return _THREE if a == c else _PAIR, b, a if b == c else c
    top = a if a - b == b - c == 1 else b if (a, b, c) == _WHEEL else 0
    if top:
        return (_ROYAL if top == _ACE else _STRAIGHT_FLUSH) if suited else _STRAIGHT, top
    return _FLUSH if suited else 0, a, b, c


_PAIR, _FLUSH, _STRAIGHT, _THREE, _STRAIGHT_FLUSH, _ROYAL = range(1, 7)
_ACE, _WHEEL = int(Rank.ACE), (14, 3, 2)
