"""Bounds on how likely it is that several players all draw certain sets of cards from one shoe.

Let every player draw from a shoe of their own, and call it a collision when two of them hold the same card. At one
table there are no collisions. By Bonferroni's inequalities the chance of none lies between 1 - S1 and 1 - S1 + S2,
where S1 is the expected number of collisions and S2 that of pairs of collisions. Both need nothing but how often a
player holds a given card, and two given cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb

import numpy as np

from croupier.analysis.blackjack.hands import VALUES, Floats, Ints
from croupier.analysis.blackjack.side.outs import Draws
from croupier.analysis.kernels.broken import products

PAIRS_OF_VALUES = tuple(combinations_with_replacement(range(VALUES), 2))


@dataclass(frozen=True, eq=False)
class Collisions:
    """Drawers with shoes of their own, for each of some dealer's hands that are out of the shoe before.

    A polynomial is (hands, sizes): what is drawn, by number of cards, where drawing k cards in order from a shoe of N
    is worth 1 / N^k; so the polynomials of several drawers are multiplied, and the true chances come in at the end.
    """

    shoe: Ints
    dealer: Ints
    """(hands, 10)."""
    draws: Draws

    @cached_property
    def left(self) -> Ints:
        """(hands, 10): the shoe without the dealer's hand."""
        return self.shoe - self.dealer

    @property
    def size(self) -> int:
        return int(self.shoe.sum())

    @cached_property
    def _by_size(self) -> Draws:
        order = np.argsort(self.draws.cards.sum(axis=1), kind="stable")
        return Draws(self.draws.cards[order], self.draws.orders[order])

    @cached_property
    def ways(self) -> Floats:
        """(hands, sets by size): in how many ways each set is drawn, over N^k."""
        # Hands in order have most of their cards in common with the one before, and so most of their factors.
        so_far = [self._by_size.orders] * (len(self.shoe) + 1)
        before = np.full(len(self.shoe), -1)
        ways = np.empty((len(self.dealer), len(self.draws.orders)))
        for hand in np.lexsort(self.dealer.T[::-1]):
            out = self.dealer[hand]
            for value in range(int(np.argmax(out != before)), len(out)):
                so_far[value + 1] = so_far[value] * self._factors[value][out[value]]
            ways[hand], before = so_far[-1], out
        return ways

    @cached_property
    def _factors(self) -> list[Floats]:
        """By value (out, sets): in how many ways its cards are drawn, where so many are out."""
        factors = []
        for value, cards in enumerate(self.shoe.tolist()):
            drawn = self._by_size.cards[:, value]
            out = np.arange(int(self.dealer[:, value].max()) + 1)[:, None]
            steps = np.maximum(0.0, cards - out - np.arange(int(drawn.max()))) / self.size
            falling = np.cumprod(np.hstack((np.ones((len(out), 1)), steps)), axis=1)
            factors.append(falling[:, drawn])
        return factors

    @cached_property
    def moments(self) -> Floats:
        """(1 + 10 + 55, hands, sizes): all, weighted with cards held, and with pairs of cards held."""
        cards = self._by_size.cards.astype(np.float64)
        weights = [np.ones(len(cards)), *cards.T]
        weights += [cards[:, v] * (cards[:, w] - (v == w)) for v, w in PAIRS_OF_VALUES]
        weight = np.array(weights)
        sizes, starts = np.unique(self._by_size.cards.sum(axis=1), return_index=True)
        moments = np.zeros((len(weight), len(self.dealer), int(sizes[-1]) + 1))
        for size, start, end in zip(sizes, starts, [*starts[1:], len(cards)], strict=True):
            moments[:, :, size] = weight[:, start:end] @ self.ways[:, start:end].T
        return moments

    @property
    def any(self) -> Floats:
        return np.asarray(self.moments[0])

    @cached_property
    def holding(self) -> list[Floats]:
        """By value: a given card of it is held."""
        return [self.moments[1 + value] / self._cards(value) for value in range(len(self.shoe))]

    def _cards(self, value: int, less: int = 0) -> Floats:
        """(hands, 1): how many cards of a value there are."""
        return np.asarray(np.maximum(1.0, self.left[:, value, None] - less))

    def bounds(self, drawers: int) -> tuple[Floats, Floats]:
        """(hands), at least and at most: that all draw so, from one shoe."""
        none = self._all(drawers)
        one = comb(drawers, 2) * products(self._one_collision, self._all(drawers - 2))
        two = self._two_collisions(drawers)
        # The inequalities hold for every number of cards by itself; more than there are cannot be drawn.
        at_least, at_most = np.maximum(0.0, none - one), np.minimum(none, none - one + two)
        left = self.left.sum(axis=1)[:, None] - np.arange(none.shape[1] - 1)
        from_one_shoe = np.ones_like(none)
        from_one_shoe[:, 1:] = np.cumprod(np.where(left > 0, self.size / np.maximum(1, left), 0.0), axis=1)
        return (at_least * from_one_shoe).sum(axis=1), (at_most * from_one_shoe).sum(axis=1)

    def _all(self, drawers: int) -> Floats:
        total = np.ones((len(self.dealer), 1))
        for _ in range(drawers):
            total = products(total, self.any)
        return total

    @cached_property
    def _one_collision(self) -> Floats:
        """Two drawers and a card that both hold."""
        squares = (self._cards(value) * products(held, held) for value, held in enumerate(self.holding))
        return sum(squares, np.zeros(1))

    def _two_collisions(self, drawers: int) -> Floats:
        """Two drawers with two cards, three with one or two, four with two."""
        total = comb(drawers, 2) * products(self._two_cards, self._all(drawers - 2))
        if drawers > 2:
            total = total + drawers * comb(drawers - 1, 2) * products(self._three_drawers, self._all(drawers - 3))
        if drawers > 3:
            two_pairs = products(self._one_collision, self._one_collision)
            total = total + 3 * comb(drawers, 4) * products(two_pairs, self._all(drawers - 4))
        return total

    @cached_property
    def _two_cards(self) -> Floats:
        """Two drawers and two cards that both hold."""
        total = np.zeros(1)
        for (v, w), held in zip(PAIRS_OF_VALUES, self.moments[11:], strict=True):
            sets = self._cards(v) * self._cards(w, v == w) * (0.5 if v == w else 1.0)
            share = held / (self._cards(v) * self._cards(w, v == w))
            total = total + sets * products(share, share)
        return total

    @cached_property
    def _three_drawers(self) -> Floats:
        """One drawer who shares a card with each of two others; it may be the same card."""
        with_other = [np.zeros(1)] * len(self.shoe)
        for (v, w), held in zip(PAIRS_OF_VALUES, self.moments[11:], strict=True):
            ordered = 1.0 if v == w else 2.0
            with_other[v] = with_other[v] + ordered * products(held, self.holding[w])
        total = sum((products(held, other) for held, other in zip(with_other, self.holding, strict=True)), np.zeros(1))
        for value, holding in enumerate(self.holding):
            total = total + self._cards(value) * products(products(holding, holding), holding)
        return total
