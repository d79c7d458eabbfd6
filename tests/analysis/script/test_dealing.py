"""The kernels that deal scripts: card by card as the live round, and in the long run as the count."""

from __future__ import annotations

import random

import numpy as np
import pytest

from croupier.analysis.kernels.random import stream
from croupier.analysis.kernels.script import AS_IT_LIES
from croupier.analysis.script.counts import ByStreets, Counting, counting
from croupier.analysis.script.deal_tables import rank_tables, street_tables
from croupier.analysis.script.plain import Tree
from croupier.cards.card import DECK
from croupier.cards.shoe import Shoe
from croupier.games.script.game import ScriptGame
from croupier.games.script.language import Seen
from croupier.games.script.round import ScriptRound
from croupier.games.script.wager import ScriptWager
from croupier.games.table.bets import Bet
from croupier.games.table.history import History
from tests.games.script.support import game


class Dealer:
    """Deals a script by its kernel: so many rounds from a state, or one as the cards lie."""

    def __init__(self, name: str, seats: int, strategy: str) -> None:
        self.title, self.seats = game(name), seats
        self.bins: dict[ScriptWager, int] = {}
        for wager in self.title.wagers:
            self.bins[wager] = sum(len(other.outcomes) for other in self.bins)
        self.size = sum(len(wager.outcomes) for wager in self.bins)
        self.prices = {wager: wager.prices(wager.paytables["1"]) for wager in self.bins}
        self.strategy = self.title.strategies.get(strategy)
        base = self.title.base
        found = counting(self.title, base)
        if isinstance(found, ByStreets):
            chosen = found.chosen(self.prices[base], self.strategy)
            self.tables = street_tables(self.title, self.bins, found.streets, chosen)
        else:
            trees = {
                wager: Tree(self.title, wager, self.prices[wager], self.strategy if wager is base else None)
                for wager in self.bins
            }
            self.trees = trees
            self.tables = rank_tables(self.title, self.bins, trees)  # type: ignore[assignment]

    def counts(self, state: np.uint64, rounds: int, cards: np.ndarray) -> np.ndarray:
        counts = np.zeros(self.size, dtype=np.int64)
        self.tables.play(state, rounds, self.seats, cards, counts)
        return counts

    def new_cards(self) -> np.ndarray:
        return np.tile(np.arange(52, dtype=np.uint8), self.title.decks)

    def live(self, shoe: Shoe) -> np.ndarray:
        """The bins that a live round of this shoe comes to, every seat with all wagers."""
        counts = np.zeros(self.size, dtype=np.int64)
        round_: History = self.title.offer().open(shoe)
        for seat in range(1, self.seats + 1):
            for spot in self.title.betting_spots:
                round_ = round_.do(Bet(seat, spot, 600))
        round_ = round_.do(round_.no_more_bets)
        while not round_.is_over:
            if round_.waits_for:
                seat = round_.waits_for[0]
                seen = round_.seen(seat)
                assert isinstance(seen, Seen)
                round_ = round_.do(round_.parse(f"decide {seat} {self.choice(seen)}"))
            else:
                assert round_.next_by_dealer
                round_ = round_.do(round_.next_by_dealer)
        assert isinstance(round_, ScriptRound)
        for seat in round_.seats:
            known = round_.everything(seat)
            for wager, first in self.bins.items():
                ending = wager.ending(known if wager is self.title.base else Seen(known.cards))
                counts[first + wager.outcomes.index(ending)] += 1
        return counts

    def choice(self, seen: Seen) -> str:
        if self.strategy:
            return str(self.strategy(seen))
        step, base = self.title.base.steps[len(seen.choices)], self.title.base
        values = counted(self.title).values(self.prices[base], seen, step)
        best = max(value for _, value in values)
        return max((choice for choice, value in values if value == best), key=lambda choice: choice.times).key


COUNTED: dict[str, Counting] = {}


def counted(title: ScriptGame) -> Counting:
    return COUNTED.setdefault(title.key, counting(title, title.base))


CASES = (
    ("mississippi_stud", 1, "optimal"),
    ("mississippi_stud", 3, "always one unit"),
    ("let_it_ride", 2, "optimal"),
    ("let_it_ride", 7, "always take back"),
    ("casino_war", 1, "optimal"),
    ("casino_war", 7, "always go to war"),
)


@pytest.mark.parametrize(("name", "seats", "strategy"), CASES)
def test_random_shoes_card_by_card(name: str, seats: int, strategy: str) -> None:
    dealer, chance = Dealer(name, seats, strategy), random.Random(name)
    for _ in range(12):
        cards = list(DECK * dealer.title.decks)
        chance.shuffle(cards)
        numbers = np.array([card.number for card in cards], dtype=np.uint8)
        assert (dealer.counts(AS_IT_LIES, 1, numbers) == dealer.live(Shoe.of_cards(cards))).all()


@pytest.mark.parametrize(("name", "seats", "strategy"), CASES[::2])
def test_a_long_run_agrees_with_the_count(name: str, seats: int, strategy: str) -> None:
    rounds, dealer = 400_000, Dealer(name, 1, strategy)
    counts = dealer.counts(np.uint64(stream(7, 0)), rounds, dealer.new_cards())
    for wager, first in dealer.bins.items():
        mine = counts[first : first + len(wager.outcomes)]
        assert mine.sum() == rounds
        nets = np.array([float(dealer.prices[wager][ending].net) for ending in wager.outcomes])
        mean = mine @ nets / rounds
        error = ((mine @ nets**2 / rounds - mean**2) / rounds) ** 0.5
        strategy_of = dealer.strategy if wager is dealer.title.base else None
        exact = counting(dealer.title, wager).count(dealer.prices[wager], strategy_of).value(dealer.prices[wager])
        assert abs(mean - float(exact)) < 4 * error
