"""Head-to-head games: packets of one deck, counted by classes of the seat's hand against the dealer's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from croupier.analysis.analyst import Prices
from croupier.analysis.census import OPTIMAL, Census, census_beside, take_census
from croupier.analysis.counted import CountedGame
from croupier.analysis.figures import Figures
from croupier.analysis.strategy import (
    ChartRow,
    Compared,
    Rated,
    check_hand,
    compare_strategies,
    rate_hand,
    strategy_chart,
)
from croupier.analysis.tables import Exposed, Table
from croupier.cards.card import Hand
from croupier.cards.symmetry import CARDS, classes
from croupier.games.game import Slip, TableGame
from croupier.games.head_to_head.game import Game
from croupier.games.paytable import Paytable
from croupier.games.table.shown import SEAT, Seen
from croupier.games.wager import AgainstDealer, FindPaytable, OnHand, Outcome, Wager

if TYPE_CHECKING:
    from croupier.analysis.session.deals import Stake
    from croupier.analysis.simulation.packets import Codes
    from croupier.analysis.simulation.request import OwnStrategies, Sample
    from croupier.analysis.simulation.setup import Simulation
    from croupier.analysis.tables import Ints
    from croupier.analysis.vulnerability.errors import DealerError
    from croupier.analysis.vulnerability.partners import PacketResults
    from croupier.cards.symmetry import Ranks

MOST_OF_TWO_SEATS = 3
"""Cards of a packet: with four there are 16,432 classes of the dealer's, and 194,580 hands of a seat beside each."""


def fits(game: TableGame) -> bool:
    return isinstance(game, Game)


def analyst(game: TableGame) -> PacketAnalyst:
    assert isinstance(game, Game)
    return PacketAnalyst(game)


@dataclass(frozen=True, eq=False)
class PacketAnalyst(CountedGame):
    """Asks the census of each wager, which is counted once and kept."""

    game: Game

    def strategies(self, wager: Wager) -> tuple[str, ...]:
        return (OPTIMAL, *self.game.strategies) if wager.choices else ()

    def table(self, seen: Seen | None) -> Table:
        deck = tuple(card for rank in self.game.ranks for card in CARDS[rank])
        packet = self.game.packet_cards
        return Table(self.game.title, deck, 1, 0, 2 * packet, packet, "Of the dealer's")

    def opening(self, cards: Hand, seats: int) -> list[Seen]:
        size = self.game.packet_cards
        return [Seen({SEAT: cards[seat * size : (seat + 1) * size]}) for seat in range(seats)]

    def decides(self, seen: Seen) -> bool:
        return self.game.has_decisions

    def packets(self, wager: Wager, prices: Prices) -> PacketResults | None:
        from croupier.analysis.simulation.packets import codes_of
        from croupier.analysis.vulnerability.partners import PacketResults

        size, ranks = self.game.packet_cards, self.game.ranks
        always = (np.full(comb(4 * len(ranks), size), place) for place in range(len(wager.choices)))
        codes = tuple(codes_of(self.game, wager, choice) for choice in always)
        return PacketResults(wager, prices, size, ranks, codes) if codes else None

    def _census(self, wager: Wager) -> Census:
        return _beside(self.game, wager, self.exposed) if self.exposed else take_census(self.game, wager)

    def deals(self, wager: Wager) -> int:
        return self._census(wager).deals

    def solve(self, wager: Wager, prices: Prices, strategy: str) -> Figures:
        if self.exposed or strategy == OPTIMAL:
            counts: Mapping[Outcome, int] = self._census(wager).outcome_counts(strategy, prices)
        else:
            counts = _counts_by(self.game, wager, strategy)
        return Figures(wager, counts, prices)

    def rate(self, wager: Wager, prices: Prices, seen: Seen) -> tuple[Rated, ...]:
        hand = seen[SEAT]
        check_hand(self.game, hand)
        beside = self.exposed
        return rate_hand(census_beside(self.game, wager, beside, hand) if beside else self._census(wager), prices, hand)

    def compare(self, wager: Wager, prices: Prices) -> tuple[Compared, ...]:
        return compare_strategies(self._census(wager), prices)

    def chart(self, wager: Wager, prices: Prices, strategy: str) -> tuple[ChartRow, ...]:
        return strategy_chart(self._census(wager), prices, strategy) if self.game.chart else ()

    def slips(self, wager: Wager, name: str, paytable: Paytable) -> list[DealerError]:
        """The players decide as they do against a dealer who sets the cards right."""
        from croupier.analysis.vulnerability.errors import HOUSE_WAY, DealerError

        prices, right, slips = wager.prices(paytable), take_census(self.game, wager), []
        chosen = right.choices(OPTIMAL, prices)
        edge = self.solve(wager, prices, OPTIMAL).house_edge
        for slip in self.game.slips:
            if slip.wager == wager.key:
                wrong = take_census(self.game, slip.settled)
                totals = wrong.weights @ wrong.counts[range(len(chosen)), chosen]
                counts = {outcome: int(n) for outcome, n in zip(wager.outcomes, totals, strict=True)}
                effect = Figures(wager, counts, prices).house_edge - edge
                slips.append(DealerError(wager, name, HOUSE_WAY, slip.words, self._differs(wager, slip), effect))
        return slips

    def _differs(self, wager: Wager, slip: Slip) -> Fraction:
        """How often the dealer's cards read otherwise when they are set wrong."""
        right, wrong = (of_wager.basis.dealer for of_wager in (wager, slip.settled))  # type: ignore[union-attr]
        hands = classes(right.size, right.sees, self.game.ranks)
        other = sum(hand.hands for hand in hands if right(hand.hand) != wrong(hand.hand))
        return Fraction(other, sum(hand.hands for hand in hands))

    # PAR sheets

    def cover(self) -> Iterator[tuple[str, str]]:
        cards, ranks, packet = 4 * len(self.game.ranks), len(self.game.ranks), self.game.packet_cards
        yield "Deck", f"one deck of {cards} cards, four suits of {ranks} ranks, no jokers"
        yield "Packets", f"{packet} cards to each of up to {self.game.seats} seats and {packet} to the dealer"

    def basis(self, wager: Wager, deals: int) -> str:
        cards, packet = 4 * len(self.game.ranks), self.game.packet_cards
        if isinstance(wager.basis, OnHand):
            size = wager.basis.reading.size
            assert deals == comb(cards, size)
            whose = "player and dealer can hold together" if wager.basis.with_dealer else "the player can hold"
            return f"Counted over all C({cards}, {size}) = {deals:,} sets of {size} cards that {whose}."
        assert isinstance(wager.basis, AgainstDealer)
        seat, dealer = comb(cards, packet), comb(cards - packet, wager.basis.dealer.size)
        assert deals == seat * dealer
        return (
            f"Counted over all {deals:,} deals: C({cards}, {packet}) = {seat:,} hands of the player times "
            f"C({cards - packet}, {wager.basis.dealer.size}) = {dealer:,} of the dealer."
        )

    def together(self, stakes: Sequence[Stake], strategy: str = OPTIMAL) -> Ints:
        from croupier.analysis.session.deals import count_together

        return count_together(self.game, stakes, strategy)

    def best_codes(self, stake: Stake) -> tuple[Codes, int, Ranks] | None:
        from croupier.analysis.session.deals import choice_of_hand
        from croupier.analysis.simulation.packets import codes_of

        size, ranks, wager = self.game.packet_cards, self.game.ranks, stake.wager
        if size > MOST_OF_TWO_SEATS:
            return None
        chosen = choice_of_hand(self.game, wager, OPTIMAL, stake.paytable) if wager.choices else None
        return codes_of(self.game, wager, chosen), size, ranks

    # Simulation

    def simulate(self, asked: Sample, find_paytable: FindPaytable, own: OwnStrategies) -> Simulation:
        from croupier.analysis.kernels.table_cache import users_own
        from croupier.analysis.simulation.request import check_plain, chosen_wagers, priced_wagers
        from croupier.analysis.simulation.setup import simulate_packets

        game = self.game
        check_plain(game, asked)
        names = {name.replace(" ", "-"): name for name in (OPTIMAL, *game.strategies)}
        word = asked.strategy.strip().lower().replace(" ", "-") or OPTIMAL
        exceptions: Mapping[Hand, str] = {}
        words = None
        if word not in names:
            file, exceptions = own.exceptions(game, asked.strategy, list(names))
            word = OPTIMAL
            hands = "1 hand" if len(exceptions) == 1 else f"{len(exceptions)} hands"
            words = f"optimal but for {hands} of {file}"
        chosen = chosen_wagers(game, asked.wagers, game.wagers)
        wagers = priced_wagers(game, chosen, asked, find_paytable, lambda wager: next(iter(wager.paytables)))
        return simulate_packets(
            game,
            wagers,
            seats=asked.players,
            strategy=names[word],
            seed=asked.seed,
            rounds=asked.rounds,
            exceptions=dict(exceptions),
            strategy_words=words,
            kept=users_own(),
        )


@lru_cache(maxsize=16)
def _beside(game: Game, wager: Wager, exposed: Exposed) -> Census:
    return census_beside(game, wager, exposed)


@cache
def _counts_by(game: Game, wager: Wager, strategy: str) -> dict[Outcome, int]:
    """By a strategy that does not look at the pays."""
    return take_census(game, wager).outcome_counts(strategy, {})
