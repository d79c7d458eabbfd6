"""Counts how the dealer's hand ends from each up card, in whole numbers: what Bet the Bust is decided by.

The wager is made after the dealer has looked for a blackjack, so deals with one are left out. Every dealer's hand is
followed to its end, card by card from the full shoe, in whole numbers: a case is an order of as many cards as the
longest hand can have, up card first, so that all cases are equally likely.

Here the dealer plays every hand. With players at the table the wager pushes when none of them is left: see
`side.bust_players`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from math import perm

from croupier.cards.card import DECK
from croupier.games.blackjack.rules import ACE, TEN, Rules, count
from croupier.games.blackjack.side_wagers import BUST, value
from croupier.games.tabulate import DEALER_TOTALS, deal_all
from croupier.games.wager import Outcome, Wager

VALUES = range(ACE, TEN + 1)


def cards_of_value(decks: int) -> dict[int, int]:
    """How many cards of each value whole decks hold."""
    return {card_value: decks * sum(value(card) == card_value for card in DECK) for card_value in VALUES}


@dataclass(frozen=True)
class DealerHand:
    """How the dealer's cards came to their end, up card first."""

    values: tuple[int, ...]
    """Without the up card, ascending."""
    total: int
    """17 to 21, or 22 for every bust."""
    orders: int
    """In how many orders the cards after the up card may have come."""

    @cached_property
    def counted(self) -> tuple[tuple[int, int], ...]:
        """The values, and how many cards of each."""
        return tuple(Counter(self.values).items())


@cache
def dealer_hands(up: int, *, hits_soft_17: bool) -> tuple[DealerHand, ...]:
    """Every finished hand of the dealer with this up card, blackjacks left out."""
    rules = Rules(hits_soft_17=hits_soft_17)
    finished = []
    drawing: dict[tuple[int, ...], int] = {(): 1}
    while drawing:
        drawn: dict[tuple[int, ...], int] = {}
        for held, orders in drawing.items():
            for card in VALUES:
                hand = tuple(sorted((*held, card)))
                drawn[hand] = drawn.get(hand, 0) + orders
        drawing = {}
        for held, orders in drawn.items():
            total, soft = count((up, *held))
            if len(held) == 1 and total == 21:
                continue
            if rules.dealer_draws(total, soft=soft):
                drawing[held] = orders
            else:
                finished.append(DealerHand(held, min(total, BUST), orders))
    return tuple(finished)


def dealer_cases(up: int, cards: Mapping[int, int], *, hits_soft_17: bool, length: int) -> dict[int, int]:
    """How many orders of `length` cards begin with this up card and lead the dealer to each total, blackjacks left out.

    `cards` says how many cards of each value there are, the up card among them.
    """
    if not cards[up]:
        return dict.fromkeys(DEALER_TOTALS, 0)
    left = [cards[card_value] - (card_value == up) for card_value in VALUES]
    size = sum(left)
    ways = [[perm(number, drawn) for drawn in range(length)] for number in left]
    rest = [perm(size - drawn, length - 1 - drawn) for drawn in range(length)]
    cases = dict.fromkeys(DEALER_TOTALS, 0)
    for hand in dealer_hands(up, hits_soft_17=hits_soft_17):
        product = hand.orders * rest[len(hand.values)]
        for card_value, drawn in hand.counted:
            product *= ways[card_value - 1][drawn]
        cases[hand.total] += product
    return {total: number * cards[up] for total, number in cases.items()}


def longest_hand(*, hits_soft_17: bool) -> int:
    """The most cards a dealer's hand can have."""
    return 1 + max(len(hand.values) for up in VALUES for hand in dealer_hands(up, hits_soft_17=hits_soft_17))


@cache
def all_cases(decks: int, *, hits_soft_17: bool) -> dict[int, dict[int, int]]:
    """By up card and total: cases of whole decks in which the wager can be made."""
    length, cards = longest_hand(hits_soft_17=hits_soft_17), cards_of_value(decks)
    return {up: dealer_cases(up, cards, hits_soft_17=hits_soft_17, length=length) for up in VALUES}


def bust_census(wager: Wager, decks: int, *, hits_soft_17: bool) -> dict[Outcome, int]:
    """How many cases end in each outcome of the wager, all up cards together."""
    cases = all_cases(decks, hits_soft_17=hits_soft_17)
    counts = dict.fromkeys(wager.outcomes, 0)
    for up in VALUES:
        for total, number in cases[up].items():
            counts[bust_outcome(wager, up, total)] += number
    return counts


def bust_outcome(wager: Wager, up: int, total: int) -> Outcome:
    """What the wager's own rule says of this up card and total."""
    asked = len(DEALER_TOTALS) + 1  # nobody left, then each total
    place = 1 + DEALER_TOTALS.index(total)
    outcomes = {deal_all(wager)[asked * card.number + place] for card in DECK if value(card) == up}
    assert len(outcomes) == 1, "cards of one value are one up card"
    return wager.outcomes[outcomes.pop()]
