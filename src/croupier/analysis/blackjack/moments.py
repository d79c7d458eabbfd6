"""The swings of a round: how likely every result is, the standard deviation, and the expected result once more.

    swings = moments(solve(rules))            or of a chart: moments(evaluate(chart, rules))
    swings.standard_deviation                 per unit of the first wager
    swings.law                                {-8: ..., -1: 0.44, ..., 3/2: 0.045, ...}
    mean_stake(solve(rules))                  1.13...: what a round stakes, doubles and splits included

Everything is exact but for one part of the law: how rounds with three and four split hands divide among their results
(see `outcomes`), whose mean and variance are exact all the same. Insurance is a wager of its own and is not in here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from math import sqrt
from typing import NamedTuple

import numpy as np

from croupier.analysis.blackjack.hands import Floats
from croupier.analysis.blackjack.outcomes import MOST, SplitOutcomes
from croupier.analysis.blackjack.pairs import Split
from croupier.analysis.blackjack.results import AT_BLACKJACK, Nets
from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.blackjack.solver import Solution
from croupier.analysis.blackjack.strategy import Action, Evaluated, Strategy
from croupier.analysis.blackjack.table import Table
from croupier.analysis.kernels.player import reach_hands
from croupier.games.blackjack.rules import ACE, TEN, Rules

Part = tuple[Fraction | int, float]
"""A result and how likely it is."""
MOST_REMEMBERED = 32
_remembered: dict[tuple[Rules, Composition, bytes], Moments] = {}


@dataclass(frozen=True)
class Moments:
    """The law of one round's result, per unit of the first wager."""

    mean: float
    variance: float
    law: dict[Fraction, float]
    """Results in order, and their chances."""
    exact: bool
    """Whether the law is exact; mean and variance always are."""

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    def chance(self, low: float, high: float) -> float:
        """How likely a result from `low` to `high` is, both included."""
        return sum(chance for result, chance in self.law.items() if low <= result <= high)


def moments(game: Solution | Evaluated) -> Moments:
    """The swings of the best play, or of a chart. They take seconds, so the last ones counted are remembered."""
    question = (game.table.rules, game.table.shoe, _all_choices(game.strategy))
    found = _remembered.get(question)
    if found is None:
        found = _moments(game)
        if len(_remembered) >= MOST_REMEMBERED:
            _remembered.clear()
        _remembered[question] = found
    return found


def _all_choices(strategy: Strategy) -> bytes:
    """What moments depend on, besides rules and shoe."""
    after_split = [choices for pair in sorted(strategy.after_split) for choices in strategy.after_split[pair]]
    return sha256(b"|".join(each.tobytes() for each in (strategy.first, strategy.draws, *after_split))).digest()


def _moments(game: Solution | Evaluated) -> Moments:
    rounds = _Rounds(game.table, game.strategy, game.table.deals)
    law: defaultdict[Fraction, float] = defaultdict(float)
    second_moment = 0.0
    for result, chance in rounds.unsplit():
        law[Fraction(result)] += chance
        second_moment += float(result) ** 2 * chance
    exact = True
    for part in rounds.split():
        for units, chance in enumerate(part.law, start=-MOST):
            law[Fraction(units)] += float(chance)
        second_moment += part.second_moment
        exact &= part.exact
    mean = sum(float(result) * chance for result, chance in law.items())
    kept = {result: law[result] for result in sorted(law) if law[result] != 0}
    return Moments(mean, second_moment - mean**2, kept, exact)


def mean_stake(game: Solution | Evaluated) -> float:
    """What a round stakes on average, per unit of the first wager: with doubles and splits, without insurance.

    Where the hole card is checked, nothing is added to a wager that a blackjack takes; without one it is at stake too.
    The edge divided by this is the element of risk. Every convention has it, those without a fixed strategy too.
    """
    table = game.table
    first = game.first if isinstance(game, Solution) else game.strategy.first
    caught = table.caught if table.rules.hole_card else np.zeros_like(table.caught)
    added = float((np.where(first == Action.DOUBLE, table.deals, 0.0) * (1 - caught)).sum())
    for pair, worth in game.splits.items():
        place = table.hands.place((pair, pair))
        staked = caught[place] - 1  # the first wager is counted already
        for group, sums, yields in worth.parts:
            hands = sums.mass - sums.caught if table.rules.hole_card else sums.mass
            staked = staked + (hands * np.where(yields.chosen == Action.DOUBLE, 2, 1))[group.second].sum(axis=0)
        added += float(np.where(first[place] == Action.SPLIT, table.deals[place] * staked, 0.0).sum())
    return 1 + added


def rounds_of(game: Solution | Evaluated, deals: Floats) -> Iterator[Part]:
    """Results and their chances where first hands are dealt so often, (hands, 10), as against all deals."""
    rounds = _Rounds(game.table, game.strategy, deals)
    yield from rounds.unsplit()
    for part in rounds.split():
        yield from ((units, float(chance)) for units, chance in enumerate(part.law, start=-MOST) if chance)


class _SplitPart(NamedTuple):
    law: Floats
    second_moment: float
    exact: bool


@dataclass(frozen=True, eq=False)
class _Rounds:
    """All rounds of a strategy, hand by hand, before the hole card is known."""

    table: Table
    strategy: Strategy
    deals: Floats
    """(hands, 10): how often first hands are dealt."""

    def unsplit(self) -> Iterator[Part]:
        """Every ending without a split."""
        yield from self._blackjacks()
        yield from self._surrendered()
        yield from self._drawn()
        yield from self._doubled()

    def _first(self, action: Action) -> Floats:
        """(hands, 10): how often each first hand takes this action; a blackjack takes none."""
        taken = np.where(self.strategy.first == action, self.deals, 0.0)
        taken[self.table.hands.place((ACE, TEN))] = 0.0
        return taken

    def _blackjacks(self) -> Iterator[Part]:
        place = self.table.hands.place((ACE, TEN))
        yield from self._settled(self.table.results.blackjack, self.deals[place], self.table.endings[place])

    def _surrendered(self) -> Iterator[Part]:
        taken = self._first(Action.SURRENDER)
        yield from self._settled(self.table.results.surrendered, taken, self.table.endings[: len(taken)])

    def _drawn(self) -> Iterator[Part]:
        """Hands that stand, at once or after hits, and hands that break."""
        stood, hit = self._first(Action.STAND), self._first(Action.HIT)
        two = (self.table.hands.size == 2)[:, None]
        choice = np.where(two, np.int8(Action.HIT), self.strategy.draws)
        reach = hit.copy()
        reach_hands(self.table.cards, self.table.drawn, reach, choice)
        stood += np.where(two | (choice == Action.HIT), 0.0, reach)
        yield from self._shown(stood, 1)
        yield -1, float(self._first(Action.STAND).sum() + hit.sum() - stood.sum())

    def _doubled(self) -> Iterator[Part]:
        doubled = self._first(Action.DOUBLE)
        choice = np.where(doubled > 0, np.int8(Action.HIT), np.int8(Action.STAND))
        shown = doubled.copy()
        reach_hands(self.table.cards, self.table.drawn, shown, choice)
        shown -= doubled
        yield from self._shown(shown, 2)
        broken = float(doubled.sum() - shown.sum())
        # A broken hand has lost both wagers, unless the hole card was checked and its blackjack took one.
        saved = 0.0
        if self.table.rules.hole_card:
            saved = float((doubled * self.table.caught).sum() - (shown * self.table.caught).sum())
        yield -2, broken - saved
        yield -1, saved

    def _shown(self, hands: Floats, wager: int) -> Iterator[Part]:
        """Hands that stand; a blackjack that was checked takes one wager."""
        for grade, nets in enumerate(self.table.results.stands):
            here = np.flatnonzero(self.table.hands.grade == grade)
            at_stake = [wager] * len(nets)
            if self.table.rules.hole_card:
                at_stake[AT_BLACKJACK] = 1
            results = tuple(units * net for units, net in zip(at_stake, nets, strict=True))
            yield from self._settled(results, hands[here], self.table.endings[here])

    @staticmethod
    def _settled(nets: Nets, hands: Floats, endings: Floats) -> Iterator[Part]:
        """How often these hands, (..., 10), meet each ending, and what that comes to."""
        by_ending = (hands[..., None, :] * endings).reshape(-1, *endings.shape[-2:]).sum(axis=(0, 2))
        yield from zip(nets, map(float, by_ending), strict=True)

    def split(self) -> Iterator[_SplitPart]:
        """The pairs that are split, each as often as it is dealt against that up card."""
        taken = self._first(Action.SPLIT)
        for pair, choices in self.strategy.after_split.items():
            outcomes = SplitOutcomes(Split(self.table, pair), choices)
            dealt = taken[self.table.hands.place((pair, pair))]
            for column in np.flatnonzero(dealt > 0):
                outcome = outcomes.against(int(column) + 1)
                chance = float(dealt[column])
                yield _SplitPart(outcome.law * chance, outcome.second_moment * chance, outcome.exact)
