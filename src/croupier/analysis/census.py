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
    Ints,
    as_cards,
    class_cards,
    class_of_hands,
    dealer_counts,
    findings_of_hands,
    hand_places,
    judgment,
)
from croupier.cards.card import Hand
from croupier.cards.symmetry import Sees, classes
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
        places = class_of_hands(len(hand), seat_sees(self.wager), self.game.ranks)
        return int(places[hand_places(as_cards([hand], self.game.ranks))][0])


@cache
def take_census(game: Game, wager: Wager) -> Census:
    """Count all deals of a wager."""
    if isinstance(wager.basis, OnHand):
        return _census_on_hand(game, wager, wager.basis)
    assert isinstance(wager.basis, AgainstDealer), "wagers on the deal of blackjack are counted elsewhere"
    return _census_against_dealer(game, wager, wager.basis)


def _census_on_hand(game: Game, wager: Wager, basis: OnHand) -> Census:
    reading = basis.reading
    table = read_all(reading, game.ranks)
    counts = dict.fromkeys(wager.outcomes, 0)
    for (_, hands), finding in zip(classes(reading.size, reading.sees, game.ranks), table.of_class, strict=True):
        counts[table.findings[finding]] += hands  # type: ignore[index]
    totals = np.array([[list(counts.values())]], dtype=np.int64)
    assert totals.sum() == comb(4 * len(game.ranks), reading.size), "every hand is counted once"
    return Census(game, wager, (), np.ones(1, dtype=np.int64), totals)


def seat_sees(wager: Wager) -> Sees:
    """The seat's classes must be as fine as the finest reading, the dealer's included."""
    assert isinstance(wager.basis, AgainstDealer)
    return max(wager.basis.dealer.sees, *(choice.reading.sees for choice in wager.basis.choices))


def _census_against_dealer(game: Game, wager: Wager, basis: AgainstDealer) -> Census:
    ranks = game.ranks
    seat_classes = classes(game.packet_cards, seat_sees(wager), ranks)
    hands = [each.hand for each in seat_classes]
    weights = np.array([each.hands for each in seat_classes], dtype=np.int64)
    seat_cards = class_cards(game.packet_cards, seat_sees(wager), ranks)
    left = dealer_counts(seat_cards, basis.dealer, ranks)
    places = hand_places(seat_cards)
    counts = np.zeros((len(hands), len(basis.choices), len(wager.outcomes)), dtype=np.int64)
    everyone = np.arange(len(hands))
    for c, choice in enumerate(basis.choices):
        judged = judgment(wager, choice, ranks)[findings_of_hands(choice.reading, ranks)[places]]
        for d in range(left.shape[1]):
            counts[everyone, c, judged[:, d]] += left[:, d]
    dealer_hands = comb(4 * len(ranks) - game.packet_cards, basis.dealer.size)
    assert (counts.sum(axis=2) == dealer_hands).all(), "every dealer's hand is counted once"
    if not wager.choices:
        gathered = (weights @ counts[:, 0])[np.newaxis, np.newaxis]
        return Census(game, wager, (), np.ones(1, dtype=np.int64), gathered)
    return Census(game, wager, tuple(hands), weights, counts)
