"""From what a person wants sampled to a job for workers, and back from its bins to wagers, lines and pays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, partial

import numpy as np

from croupier.analysis.census import OPTIMAL, seat_sees, take_census
from croupier.analysis.figures import Figures
from croupier.analysis.kernels.packets import PacketTables
from croupier.analysis.kernels.table_cache import KEEPS_NOTHING, Kept
from croupier.analysis.meter.wager import progressive_of
from croupier.analysis.simulation.job import Counts, Job
from croupier.analysis.simulation.packets import packet_tables
from croupier.analysis.tables import Ints, class_of_hands
from croupier.cards.card import Hand, format_cards
from croupier.errors import NotationError, UnknownName
from croupier.games.game import TableGame
from croupier.games.head_to_head.game import Game
from croupier.games.paytable import Kind as PayKind
from croupier.games.paytable import Paytable
from croupier.games.wager import Outcome, Price, Wager

Chances = Mapping[Outcome, Fraction | float]


@dataclass(frozen=True, eq=False)
class SampledFigures(Figures):
    """Figures of a round of blackjack, whose lines are what was won or lost in all."""

    def _pays(self, price: Price) -> str:
        return f"{float(price.net):+g}" if not price.pays else super()._pays(price)


@dataclass(frozen=True, eq=False)
class WagerBins:
    """Where one wager is counted, what its outcomes pay, and how likely they are."""

    wager: Wager
    paytable_id: str
    paytable: Paytable
    first_bin: int
    prices: Mapping[Outcome, Price]
    """Of its outcomes, in the order of the bins."""
    count: Callable[[], Chances | None]
    """The exact chances; None where they are not counted."""
    count_edge: Callable[[], float] | None = None
    """The exact house edge, where it is counted though the chances of the lines may not be."""

    @property
    def bins(self) -> slice:
        return slice(self.first_bin, self.first_bin + len(self.prices))

    def figures(self, counts: Counts) -> Figures:
        """What the counts of all bins come to for this wager."""
        mine = counts[self.bins].tolist()
        return SampledFigures(self.wager, dict(zip(self.prices, mine, strict=True)), self.prices)

    def hit_frequency(self, figures: Figures) -> Fraction:
        """A share of a meter is a hit, whatever is on it."""
        progressive = progressive_of(self.wager, self.paytable, figures.counts) if self.wager.progressive else None
        return progressive.hit_frequency if progressive else figures.hit_frequency

    @staticmethod
    def is_hit(price: Price) -> bool:
        """Of an outcome, not of its line: where the stake hangs on choices, one line may win and lose."""
        return price.net > 0 or any(pay.kind is PayKind.SHARE for pay in price.pays)

    @cached_property
    def chances(self) -> Chances | None:
        return self.count()


@dataclass(frozen=True, eq=False)
class Simulation:
    """A job, and how its bins are read."""

    game: TableGame
    job: Job
    wagers: tuple[WagerBins, ...]
    strategy: str | None
    as_counted: bool
    """Whether cards are dealt as the exact count deals them."""
    hand_bins: slice | None = None
    """Where single hands of blackjack are counted, see `hand_lines`."""
    void_bin: int | None = None

    is_slow: bool = False
    """Whether its cards are dealt by no kernel: thousands of rounds a second, not millions."""

    @property
    def independent(self) -> bool:
        return self.job.independent


def simulate_packets(
    game: Game,
    wagers: Sequence[tuple[Wager, str, Paytable]],
    *,
    seats: int,
    strategy: str,
    seed: int,
    rounds: int,
    exceptions: Mapping[Hand, str] | None = None,
    strategy_words: str | None = None,
    kept: Kept = KEEPS_NOTHING,
) -> Simulation:
    """Sample a head-to-head game. `exceptions` are hands that are decided in another way, with all of their class.

    Tables may be `kept` of games of the catalogue alone: they are found by what the game is called.
    """
    check_seats(game, seats)
    check_strategy(strategy, (OPTIMAL, *game.strategies), game)
    exceptions = exceptions or {}
    bins, decided, first_bin = [], {}, 0
    for wager, paytable_id, paytable in wagers:
        prices = wager.prices(paytable)
        decide = None
        if wager.choices:
            decide = decided[wager] = cache(partial(_decisions, game, wager, strategy, prices, exceptions))
        bins.append(WagerBins(wager, paytable_id, paytable, first_bin, prices, partial(_counted, game, wager, decide)))
        first_bin += len(wager.outcomes)

    def make() -> PacketTables:
        choices = {
            wager.key: decide()[class_of_hands(game.packet_cards, seat_sees(wager), game.ranks)]
            for wager, decide in decided.items()
        }
        return packet_tables(game, [wager_bins.wager for wager_bins in bins], choices)

    identity = {
        "game": game.key,
        "wagers": [wager_bins.wager.key for wager_bins in bins],
        "strategy": strategy if decided else None,
        **({"options": list(game.options_read)} if game.options_read else {}),
    }  # the rules themselves are in the tables, which are part of the job's fingerprint
    decided_by = {
        "prices": [repr(tuple(wager_bins.prices.values())) for wager_bins in bins if wager_bins.wager in decided],
        "exceptions": [[format_cards(hand), choice] for hand, choice in exceptions.items()],
    }
    tables = kept.tables(PacketTables, identity | decided_by, make)
    deck = np.arange(4 * len(game.ranks), dtype=np.uint8)
    job = Job(identity, tables, deck, seats, game.packet_cards, seed, rounds, independent=seats == 1)
    return Simulation(game, job, tuple(bins), (strategy_words or strategy) if decided else None, as_counted=True)


def _decisions(
    game: Game, wager: Wager, strategy: str, prices: Mapping[Outcome, Price], exceptions: Mapping[Hand, str]
) -> Ints:
    """For each class of hands the place of its choice."""
    census = take_census(game, wager)
    by_class = census.choices(strategy, prices)
    for hand, choice in exceptions.items():
        by_class[census.place_of(hand)] = wager.choices.index(choice)
    return by_class


def _counted(game: Game, wager: Wager, decide: Callable[[], Ints] | None) -> Chances:
    """The exact chances where each class of hands is decided so."""
    census = take_census(game, wager)
    chosen = decide() if decide else 0
    totals = census.weights @ census.counts[np.arange(len(census.weights)), chosen]
    return {outcome: Fraction(int(n), census.deals) for outcome, n in zip(census.wager.outcomes, totals, strict=True)}


def check_seats(game: TableGame, seats: int) -> None:
    if not 1 <= seats <= game.seats:
        raise NotationError(f"{game.title} has from 1 to {game.seats} players, not {seats}.")


def check_strategy(strategy: str, known: Sequence[str], game: TableGame) -> None:
    if strategy not in known:
        raise UnknownName(f"strategy for {game.title}", strategy, list(known))
