"""Counts every deal there is, exactly: how often a wager ends in each of its outcomes.

Nothing here knows money. A paytable prices a census afterwards, so changing a pay moves no count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from math import comb, lcm

import numpy as np

from croupier.analysis.tables import (
    NOTHING,
    Exposed,
    Ints,
    Seats,
    as_cards,
    class_cards,
    class_of_hands,
    dealer_counts,
    dealers_left,
    findings_of_hands,
    hand_places,
    judgment,
    parts_of,
)
from croupier.cards.card import Hand
from croupier.cards.symmetry import Sees, classes, hands_left
from croupier.errors import UnknownName
from croupier.games.head_to_head.game import Game
from croupier.games.tabulate import read_all
from croupier.games.wager import AgainstDealer, OnHand, Outcome, Price, Wager

OPTIMAL = "optimal"
LARGEST_EXACT = 2**62
"""Above this a sum might not fit an array's integers, and Python's own are used."""


@dataclass(frozen=True, eq=False)
class Census:
    """All deals of a wager, by class of the seat's hand, by choice, by outcome.

    Where there is nothing to decide the classes are gathered into one.
    """

    game: Game
    wager: Wager
    hands: tuple[Hand, ...]
    """One hand of each class, where there is something to decide."""
    weights: Ints
    """How many hands each class has. Shape (classes,)."""
    counts: Ints
    """For one hand of the class: the dealer's hands that lead there. Shape (classes, choices, outcomes)."""
    seats: Seats | None = None
    """The classes, where cards were seen."""

    @property
    def deals(self) -> int:
        """How many deals were counted."""
        return int(self.weights @ self.counts[:, 0].sum(axis=1))

    def values(self, prices: Mapping[Outcome, Price]) -> tuple[Ints, int]:
        """What each choice is worth to each class: whole numbers, and what to divide them by.

        Shape (classes, choices). Divided, a value is the exact expected result per unit wagered.
        """
        nets = [prices[outcome].net for outcome in self.wager.outcomes]
        scale = lcm(*(net.denominator for net in nets))
        scaled = [int(net * scale) for net in nets]
        per_hand = int(self.counts[0, 0].sum())
        fits = max(map(abs, scaled)) * per_hand < LARGEST_EXACT
        return self.counts @ np.array(scaled, dtype=np.int64 if fits else object), scale * per_hand

    def choices(self, strategy: str, prices: Mapping[Outcome, Price]) -> Ints:
        """Which choice each class makes: the best one, or a named strategy's."""
        if strategy not in (OPTIMAL, *self.game.strategies):
            raise UnknownName(f"strategy for {self.game.title}", strategy, [OPTIMAL, *self.game.strategies])
        if not self.hands:
            return np.zeros(len(self.weights), dtype=np.int64)
        if strategy == OPTIMAL:
            best: Ints = self.values(prices)[0].argmax(axis=1)
            return best
        return self._choices_by(self.game.strategies[strategy])

    def _choices_by(self, decide: Callable[[Hand], str]) -> Ints:
        places = {choice: place for place, choice in enumerate(self.wager.choices)}
        return np.array([places[decide(hand)] for hand in self.hands], dtype=np.int64)

    def outcome_counts(self, strategy: str, prices: Mapping[Outcome, Price]) -> dict[Outcome, int]:
        """How many deals end in each outcome when the player decides so."""
        chosen = self.counts[np.arange(len(self.weights)), self.choices(strategy, prices)]
        totals = self.weights @ chosen
        return {outcome: int(count) for outcome, count in zip(self.wager.outcomes, totals, strict=True)}

    def place_of(self, hand: Hand) -> int:
        """The class of a seat's hand."""
        if self.seats:
            return self.seats.place_of(hand)
        places = class_of_hands(len(hand), seat_sees(self.wager), self.game.ranks)
        return int(places[hand_places(as_cards([hand], self.game.ranks))][0])


@cache
def take_census(game: Game, wager: Wager) -> Census:
    """Count all deals of a wager."""
    return census_beside(game, wager, NOTHING)


def census_beside(game: Game, wager: Wager, exposed: Exposed, hand: Hand | None = None) -> Census:
    """Count all deals that there are beside some cards that were seen; of one hand, where one is named."""
    if isinstance(wager.basis, OnHand):
        return _census_on_hand(game, wager, wager.basis, exposed)
    assert isinstance(wager.basis, AgainstDealer), "wagers on the deal of blackjack are counted elsewhere"
    return _census_against_dealer(game, wager, wager.basis, exposed, hand)


def _census_on_hand(game: Game, wager: Wager, basis: OnHand, exposed: Exposed) -> Census:
    reading, ranks = basis.reading, game.ranks
    table = read_all(reading, ranks)
    counts = dict.fromkeys(wager.outcomes, 0)
    for sign, gone in parts_of(exposed if basis.with_dealer else exposed.all_gone):
        of = reading.size, reading.sees, ranks
        left = hands_left(*of, gone) if gone else (hand_class.hands for hand_class in classes(*of))
        for hands, finding in zip(left, table.of_class, strict=True):
            counts[table.findings[finding]] += sign * hands  # type: ignore[index]
    totals = np.array([[list(counts.values())]], dtype=np.int64)
    seen, known = len(exposed.gone) + len(exposed.known), len(exposed.known) if basis.with_dealer else 0
    assert totals.sum() == comb(4 * len(ranks) - seen, reading.size - known), "every hand is counted once"
    return Census(game, wager, (), np.ones(1, dtype=np.int64), totals)


def seat_sees(wager: Wager) -> Sees:
    """The seat's classes must be as fine as the finest reading, the dealer's included."""
    assert isinstance(wager.basis, AgainstDealer)
    return max(wager.basis.dealer.sees, *(choice.reading.sees for choice in wager.basis.choices))


def _census_against_dealer(
    game: Game, wager: Wager, basis: AgainstDealer, exposed: Exposed, hand: Hand | None
) -> Census:
    ranks, seats = game.ranks, None
    if exposed:
        seats = Seats.of(game.packet_cards, ranks, exposed, hand)
        hands, weights, seat_cards = seats.hands, seats.weights, seats.cards
        left = dealer_counts(seat_cards, basis.dealer, ranks, dealers_left(basis.dealer.size, ranks, exposed))
    else:
        seat_classes = classes(game.packet_cards, seat_sees(wager), ranks)
        hands = tuple(hand_class.hand for hand_class in seat_classes)
        weights = np.array([hand_class.hands for hand_class in seat_classes], dtype=np.int64)
        seat_cards = class_cards(game.packet_cards, seat_sees(wager), ranks)
        left = dealer_counts(seat_cards, basis.dealer, ranks)
    places = hand_places(seat_cards)
    counts = np.zeros((len(hands), len(basis.choices), len(wager.outcomes)), dtype=np.int64)
    everyone = np.arange(len(hands))
    for c, choice in enumerate(basis.choices):
        judged = judgment(wager, choice, ranks)[findings_of_hands(choice.reading, ranks)[places]]
        for d in range(left.shape[1]):
            counts[everyone, c, judged[:, d]] += left[:, d]
    others = 4 * len(ranks) - game.packet_cards - len(exposed.gone) - len(exposed.known)
    dealer_hands = comb(others, basis.dealer.size - len(exposed.known))
    assert (counts.sum(axis=2) == dealer_hands).all(), "every dealer's hand is counted once"
    if not wager.choices:
        gathered = (weights @ counts[:, 0])[np.newaxis, np.newaxis]
        return Census(game, wager, (), np.ones(1, dtype=np.int64), gathered)
    return Census(game, wager, hands, weights, counts, seats)
