"""From what a person wants sampled to a job for workers, and back from its bins to wagers, lines and pays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

import numpy as np

from croupier.analysis.blackjack.basic import basic_strategy, evaluate
from croupier.analysis.blackjack.chart import Chart
from croupier.analysis.blackjack.moments import moments
from croupier.analysis.blackjack.solver import Solution, solve
from croupier.analysis.blackjack.strategy import Evaluated
from croupier.analysis.census import OPTIMAL, seat_sees, take_census
from croupier.analysis.figures import Figures
from croupier.analysis.progressive import progressive_of
from croupier.analysis.side_wagers import SideSheet, make_side_sheet, takes_no_third_seven
from croupier.analysis.simulation.blackjack import BET_LINES, HAND_LINES, shoe_cards, shoe_tables
from croupier.analysis.simulation.bust import bust_law, natural_wins
from croupier.analysis.simulation.job import Counts, Job
from croupier.analysis.simulation.packets import packet_tables
from croupier.analysis.tables import Ints, class_of_hands
from croupier.cards.card import Hand
from croupier.errors import NotationError, UnknownName
from croupier.games.blackjack.game import BlackjackGame
from croupier.games.blackjack.hand import BET
from croupier.games.blackjack.side_wagers import BET_THE_BUST
from croupier.games.game import Game, TableGame
from croupier.games.paytable import Kind as PayKind
from croupier.games.paytable import Paytable
from croupier.games.wager import Outcome, Price, Wager

BASIC = "basic"
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

    @cached_property
    def hit_rows(self) -> frozenset[str]:
        """The lines that are a hit."""
        shared = (price.row for price in self.prices.values() if any(pay.kind is PayKind.SHARE for pay in price.pays))
        return frozenset(shared) | frozenset(price.row for price in self.prices.values() if price.net > 0)

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
    """Where single hands of blackjack are counted, see `HAND_LINES`."""
    void_bin: int | None = None

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
    said: str | None = None,
) -> Simulation:
    """Sample a head-to-head game. `exceptions` are hands that are decided in another way, with all of their class."""
    _check_seats(game, seats)
    _check_strategy(strategy, (OPTIMAL, *game.strategies), game)
    choices, found, first_bin = {}, [], 0
    for wager, paytable_id, paytable in wagers:
        prices = wager.prices(paytable)
        by_class = None
        if wager.choices:
            census = take_census(game, wager)
            by_class = census.choices(strategy, prices)
            for hand, choice in (exceptions or {}).items():
                by_class[census.place_of(hand)] = wager.choices.index(choice)
            choices[wager.key] = by_class[class_of_hands(game.packet_cards, seat_sees(wager), game.ranks)]
        found.append(
            WagerBins(wager, paytable_id, paytable, first_bin, prices, partial(_counted, game, wager, by_class))
        )
        first_bin += len(wager.outcomes)
    identity = {
        "game": game.key,
        "wagers": [wager.key for wager, _, _ in wagers],
        "strategy": strategy if choices else None,
    }  # the rules themselves are in the tables, which are part of the job's fingerprint
    tables = packet_tables(game, [wager for wager, _, _ in wagers], choices)
    deck = np.arange(4 * len(game.ranks), dtype=np.uint8)
    job = Job(identity, tables, deck, seats, game.packet_cards, seed, rounds, independent=seats == 1)
    return Simulation(game, job, tuple(found), (said or strategy) if choices else None, as_counted=True)


def _counted(game: Game, wager: Wager, by_class: Ints | None) -> Chances:
    """The exact chances where each class of hands is decided so."""
    census = take_census(game, wager)
    chosen = 0 if by_class is None else by_class
    totals = census.weights @ census.counts[np.arange(len(census.weights)), chosen]
    return {outcome: Fraction(int(n), census.deals) for outcome, n in zip(census.wager.outcomes, totals, strict=True)}


def _check_seats(game: TableGame, seats: int) -> None:
    if not 1 <= seats <= game.seats:
        raise NotationError(f"{game.title} has from 1 to {game.seats} players, not {seats}.")


def _check_strategy(strategy: str, known: Sequence[str], game: TableGame) -> None:
    if strategy not in known:
        raise UnknownName(f"strategy for {game.title}", strategy, list(known))


# Blackjack


def simulate_blackjack(
    game: BlackjackGame,
    wagers: Sequence[tuple[Wager, str, Paytable]],
    *,
    seats: int,
    strategy: str | Chart,
    seed: int,
    rounds: int,
    fresh: bool,
    said: str | None = None,
) -> Simulation:
    """Sample blackjack: the Bet and any side wagers at once, from shoes with a cut card or a fresh one each round.

    The Bet is always played, and told of where it is among the wagers. Meters stand at their seeds; `said` is what a
    chart is called.
    """
    rules = game.rules
    _check_seats(game, seats)
    play, name = _play(game, strategy, said)
    sides = [each for each in wagers if each[0].key != BET.key]
    found = [_bet_bins(game, play)] if len(sides) < len(wagers) else []
    first_bin = len(BET_LINES) + len(HAND_LINES)
    for wager, paytable_id, paytable in sides:
        if wager is BET_THE_BUST:
            law = partial(bust_law, play) if seats == 1 else partial(_uncounted, wager)
            found.append(WagerBins(wager, paytable_id, paytable, first_bin, wager.prices(paytable), law))
        else:
            no_third = takes_no_third_seven(play.strategy.first)
            sheet = make_side_sheet(
                *(game, wager, paytable_id, paytable, rules.decks), rules=rules, stands_against=no_third
            )
            found.append(_side_bins(sheet, first_bin))
        first_bin += len(wager.outcomes)
    tables = shoe_tables(rules, play.strategy, [wager for wager, _, _ in sides], seats=seats, fresh=fresh)
    identity: dict[str, Any] = {
        "game": game.key,
        "rules": rules.full,
        "wagers": [wager.key for wager, _, _ in sides],
        "strategy": name,
        "fresh": fresh,
    }
    alone = seats == 1 and fresh
    job = Job(identity, tables, shoe_cards(rules), seats, None, seed, rounds, independent=alone)
    return Simulation(
        game,
        job,
        tuple(found),
        name,
        as_counted=fresh,
        hand_bins=slice(len(BET_LINES), len(BET_LINES) + len(HAND_LINES)),
        void_bin=tables.void_bin,
    )


def _play(game: BlackjackGame, strategy: str | Chart, said: str | None) -> tuple[Evaluated | Solution, str]:
    if isinstance(strategy, Chart):
        return evaluate(strategy, game.rules), said or "chart"
    _check_strategy(strategy, (BASIC, OPTIMAL), game)
    if strategy == OPTIMAL:
        return solve(game.rules), OPTIMAL
    return evaluate(basic_strategy(game.rules), game.rules), BASIC


def _bet_bins(game: BlackjackGame, play: Evaluated | Solution) -> WagerBins:
    """A round of the Bet is what all its hands win or lose together."""
    wager = game.wager(BET.key)
    [(paytable_id, paytable)] = wager.paytables.items()
    hand_prices = wager.prices(paytable)
    nets = [Fraction(line) if isinstance(line, int) else hand_prices[line].net for line in BET_LINES]
    labels = [str(line) if isinstance(line, Outcome) else f"{line:+d} units" for line in BET_LINES]
    prices = {Outcome(label): Price(label, (), net, 1) for label, net in zip(labels, nets, strict=True)}

    def count() -> Chances:
        # A blackjack that pays even money wins as much as another hand: the law knows results, not how they came.
        law = dict(moments(play).law)
        natural = natural_wins(play)
        chances: dict[Outcome, float] = {}
        for line, (outcome, price) in zip(BET_LINES, prices.items(), strict=True):
            if isinstance(line, Outcome):
                chances[outcome] = natural if line.label == "Blackjack" else law.get(price.net, 0.0)
                law[price.net] = law.get(price.net, 0.0) - chances[outcome]
        for line, outcome in zip(BET_LINES, prices, strict=True):
            if isinstance(line, int):
                chances[outcome] = law.get(Fraction(line), 0.0)
        return {outcome: chances[outcome] for outcome in prices}

    return WagerBins(wager, paytable_id, paytable, 0, prices, count)


def _side_bins(sheet: SideSheet, first_bin: int) -> WagerBins:
    counts, deals = sheet.figures.counts, sheet.figures.deals
    chances = {outcome: Fraction(number, deals) for outcome, number in counts.items()}
    return WagerBins(sheet.wager, sheet.paytable_id, sheet.paytable, first_bin, sheet.figures.prices, lambda: chances)


def _uncounted(_: Wager) -> None:
    """With several players there are bounds for Bet the Bust, and no exact law."""
