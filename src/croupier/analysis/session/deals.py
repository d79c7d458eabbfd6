"""Counts every deal of a head-to-head game by the outcomes of several wagers at once.

Wagers of one round are on the same cards, so how they end together is counted, not multiplied. Nothing here knows money
but for what a paytable makes of a best decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.census import OPTIMAL, take_census
from croupier.analysis.kernels.packets import PacketTables
from croupier.analysis.simulation.packets import NO_RANK, packet_tables
from croupier.analysis.tables import CHOOSE, Ints, all_hands, class_cards, class_of_hands, hand_places
from croupier.cards.card import Rank
from croupier.cards.symmetry import Sees, classes
from croupier.games.head_to_head.game import Game
from croupier.games.paytable import Paytable
from croupier.games.wager import AgainstDealer, OnHand, Wager

FIVE_SUITED = 5
UP_TO_EIGHT, EIGHTS = 0x03030303, 0x08080808
"""Added to the cards of each suit, a byte for each, it makes an eight of five."""


class Stake(NamedTuple):
    """One wager of a round, and what is put on it."""

    wager: Wager
    paytable: Paytable
    cents: int


def count_together(game: Game, stakes: Sequence[Stake], strategy: str = OPTIMAL) -> Ints:
    """How many deals end so for all wagers at once: an axis for each wager, in the order of its outcomes."""
    wagers = [stake.wager for stake in stakes]
    decided = {
        stake.wager.key: choice_of_hand(game, stake.wager, strategy, stake.paytable)
        for stake in stakes
        if stake.wager.choices
    }
    tables = packet_tables(game, wagers, decided)
    sees = max(map(_sees, wagers))
    return count_packets(tables, wagers, game.packet_cards, game.ranks, sees)


def count_packets(tables: PacketTables, wagers: Sequence[Wager], size: int, ranks: Sequence[Rank], sees: Sees) -> Ints:
    """The same from tables of any game that gives so many cards to a seat and to the dealer."""
    pairs = _pairs_by_ranks(size, ranks) if sees is Sees.RANKS else _pairs_by_suits(size, ranks)
    counts = _Tally(tables, tuple(len(wager.outcomes) for wager in wagers)).count(pairs)
    cards = 4 * len(ranks)
    assert counts.sum() == comb(cards, size) * comb(cards - size, size), "every deal is counted once"
    return counts


def choice_of_hand(game: Game, wager: Wager, strategy: str, paytable: Paytable) -> Ints:
    """(hands): the place of the choice."""
    census = take_census(game, wager)
    assert isinstance(wager.basis, AgainstDealer)
    sees = max(wager.basis.dealer.sees, *(choice.reading.sees for choice in wager.basis.choices))
    chosen = census.choices(strategy, wager.prices(paytable))
    of_hand: Ints = chosen[class_of_hands(game.packet_cards, sees, game.ranks)]
    return of_hand


def _sees(wager: Wager) -> Sees:
    if isinstance(wager.basis, OnHand):
        return wager.basis.reading.sees
    assert isinstance(wager.basis, AgainstDealer)
    return max(wager.basis.dealer.sees, *(choice.reading.sees for choice in wager.basis.choices))


_Pairs = Iterator[tuple[int, Ints, Ints]]
"""A seat's hand, dealer's hands, and how many deals there are of each such pair."""


def _pairs_by_ranks(size: int, ranks: Sequence[Rank]) -> _Pairs:
    """Where no wager looks at suits: sets of ranks for the seat and for the dealer."""
    cards = class_cards(size, Sees.RANKS, ranks)
    copies = (cards[:, :, None] // 4 == np.arange(len(ranks))).sum(axis=1)
    places = hand_places(cards)
    for hand_class, held, hand in zip(classes(size, Sees.RANKS, ranks), copies, places.tolist(), strict=True):
        ways = CHOOSE[4 - held, copies].prod(axis=1) * hand_class.hands
        left = np.flatnonzero(ways)
        yield hand, places[left], ways[left]


def _pairs_by_suits(size: int, ranks: Sequence[Rank]) -> _Pairs:
    """One seat's hand of each class, and every dealer's hand that shares no card with it."""
    held = (np.int64(1) << all_hands(size, 4 * len(ranks))).sum(axis=1)
    places = hand_places(class_cards(size, Sees.SUITS, ranks)).tolist()
    for hand_class, hand in zip(classes(size, Sees.SUITS, ranks), places, strict=True):
        dealers = np.flatnonzero((held & held[hand]) == 0)
        yield hand, dealers, np.full(len(dealers), hand_class.hands)


@dataclass(frozen=True, eq=False)
class _Tally:
    """Counts pairs of hands by the outcomes of all wagers; hands of one kind fare alike but for flushes."""

    tables: PacketTables
    shape: tuple[int, ...]

    def count(self, pairs: _Pairs) -> Ints:
        counts = np.zeros(prod(self.shape), dtype=np.int64)
        everyone = np.arange(len(self.tables.dealer))
        for hand, dealers, ways in pairs:
            kinds = np.bincount(self.tables.kind[dealers], ways, minlength=len(everyone))
            self._add(counts, self._outcomes(hand, everyone), kinds)
            if len(self._suits):
                self._add_flushes(counts, hand, dealers, ways)
        return counts.reshape(self.shape)

    def _add(self, counts: Ints, ends: list[Ints], ways: Ints | NDArray[np.float64]) -> None:
        # Floats hold these whole numbers exactly: they are far below 2**53.
        added = np.bincount(np.ravel_multi_index(tuple(ends), self.shape), ways, minlength=counts.size)
        counts += added.astype(np.int64)

    def _add_flushes(self, counts: Ints, hand: int, dealers: Ints, ways: Ints) -> None:
        """Five suited cards of both hands end in another way than the kinds say."""
        five = np.flatnonzero((self._suits[dealers] + self._suits[hand] + UP_TO_EIGHT) & EIGHTS)
        ends = self._outcomes(hand, self.tables.kind[dealers[five]])
        self._add(counts, ends, -ways[five])
        wager = self.tables.flush_wager
        ends[wager] = self._flush_bins(hand, dealers[five]) - self._firsts[wager]
        self._add(counts, ends, ways[five])

    @cached_property
    def _firsts(self) -> list[int]:
        """The first bin of each wager."""
        return [sum(self.shape[:wager]) for wager in range(len(self.shape))]

    def _outcomes(self, hand: int, kinds: NDArray[np.integer[Any]]) -> list[Ints]:
        """For each wager, the place of its outcome against a dealer's hand of each of these kinds."""
        seat, dealer = self.tables.seat[self.tables.kind[hand]], self.tables.dealer[kinds]
        return [
            self.tables.bin[seat[wager] + dealer[:, wager]].astype(np.int64) - first
            for wager, first in enumerate(self._firsts)
        ]

    @cached_property
    def _suits(self) -> Ints:
        """(hands): how many cards of each suit it holds, a byte for each; no hands where flushes do not matter."""
        return np.asarray(_BITS[self.tables.ranks] @ (1 << 8 * np.arange(4)))

    def _flush_bins(self, hand: int, dealers: Ints) -> Ints:
        """The bins of dealer's hands that make five suited cards with this one."""
        held = self.tables.ranks[dealers] | self.tables.ranks[hand]
        suited = _BITS[held] >= FIVE_SUITED
        rank = _LOWEST[np.where(suited, 0, held).max(axis=1, initial=0)]
        bins: Ints = self.tables.flush_bin[np.where(suited, held, 0).max(axis=1, initial=0), rank].astype(np.int64)
        return bins


_BITS = np.array([bits.bit_count() for bits in range(1 << NO_RANK)], dtype=np.int64)
_LOWEST = np.array([(bits & -bits).bit_length() - 1 if bits else NO_RANK for bits in range(1 << NO_RANK)])
"""The lowest rank of a set."""
