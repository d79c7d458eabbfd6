"""What one round can come to in money: the law that sessions are made of.

    law = law_of_figures(sheet.figures, stake_cents=1000)         one wager, from its exact counts
    law = law_of_counts(stakes, count_together(game, stakes))     wagers on the same cards, counted together

Pays are exact here; a table that rounds to its chips pays a little less or more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm, sqrt

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.figures import Figures, square_root
from croupier.analysis.session.deals import Stake
from croupier.analysis.tables import Ints

Floats = NDArray[np.float64]
NEWTON = 8
"""Steps to the tilt of a sample, whose mean is near the one that is known: each doubles the digits."""


@dataclass(frozen=True, eq=False)
class RoundLaw:
    """The results of one round, on the finest grid of money that they all lie on."""

    nets: tuple[int, ...]
    """In steps of the grid, rising."""
    weights: tuple[int, ...] | None
    """How many deals lead to each; None where only chances are known."""
    chances: Floats
    step_cents: Fraction
    first_cents: int
    """What lies on the table before the cards."""
    most_cents: Fraction
    """The most a round may take, raises included."""
    sampled: str = ""
    """How far the chances are known, where they come from a sample."""

    @cached_property
    def _moments(self) -> tuple[Fraction | float, Fraction | float]:
        parts: Sequence[Fraction | float] = self.chances.tolist()
        if self.weights:
            deals = sum(self.weights)
            parts = [Fraction(weight, deals) for weight in self.weights]
        mean = sum((net * part for net, part in zip(self.nets, parts, strict=True)), Fraction(0))
        square = sum((net * net * part for net, part in zip(self.nets, parts, strict=True)), Fraction(0))
        return mean * self.step_cents, (square - mean * mean) * self.step_cents**2

    @property
    def mean_cents(self) -> Fraction | float:
        """The player's expected result; a fraction where the law is exact."""
        return self._moments[0]

    @property
    def variance(self) -> Fraction | float:
        """In square cents."""
        return self._moments[1]

    @property
    def deviation_cents(self) -> float:
        variance = self.variance
        return square_root(variance) if isinstance(variance, Fraction) else sqrt(variance)

    @property
    def rounds_to_even(self) -> float | None:
        """N-zero: after so many rounds one standard deviation is the average loss (or win); None if fair."""
        mean = float(self.mean_cents)
        return float(self.variance) / mean**2 if mean else None


def make_law(
    results: Mapping[Fraction, int | float], *, first_cents: int, most_cents: Fraction, exact: bool
) -> RoundLaw:
    """From results in cents and how many deals, or which chance, each has."""
    kept = {net: weight for net, weight in sorted(results.items()) if weight > 0}
    step = common_step(kept)
    nets = tuple(int(net / step) for net in kept)
    if not exact:
        chances = np.array(list(kept.values()), dtype=np.float64)
        return RoundLaw(nets, None, chances / chances.sum(), step, first_cents, most_cents)
    common = gcd(*(int(weight) for weight in kept.values()))
    weights = tuple(int(weight) // common for weight in kept.values())
    deals = sum(weights)
    chances = np.array([weight / deals for weight in weights])
    return RoundLaw(nets, weights, chances, step, first_cents, most_cents)


def common_step(amounts: Mapping[Fraction, object]) -> Fraction:
    """The largest amount that all of these are multiples of: 1/20 of a wager where 5 % are taken of an even win."""
    scale = lcm(*(amount.denominator for amount in amounts))
    return Fraction(gcd(*(int(amount * scale) for amount in amounts)), scale) or Fraction(1)


# One wager


def law_of_figures(figures: Figures, stake_cents: int) -> RoundLaw:
    """One wager of any game, from its counts."""
    results: defaultdict[Fraction, int] = defaultdict(int)
    for net, count in figures.results:
        results[net * stake_cents] += count
    most = max(figures.prices[outcome].staked for outcome, count in figures.counts.items() if count)
    return make_law(results, first_cents=stake_cents, most_cents=Fraction(most * stake_cents), exact=True)


def law_of_sample(
    chances: Mapping[Fraction, float], stake_cents: int, *, mean: float, most: Fraction, sampled: str
) -> RoundLaw:
    """As `law_of_chances`, of a sample beside which the mean of a round and the most that it may take are known.

    The chances are tilted to that mean: each by a factor that rises or falls with its result, all as little as will do.
    """
    nets, sample = np.array([float(net) for net in chances]), np.array(list(chances.values()))
    tilt, tilted = 0.0, sample / sample.sum()
    for _ in range(NEWTON):
        tilted_mean = float(nets @ tilted)
        tilt += (mean - tilted_mean) / float((nets - tilted_mean) ** 2 @ tilted)
        tilted = sample * np.exp(tilt * nets)
        tilted /= tilted.sum()
    law = law_of_chances(dict(zip(chances, tilted.tolist(), strict=True)), stake_cents)
    return replace(law, most_cents=most * stake_cents, sampled=sampled)


def law_of_chances(chances: Mapping[Fraction, float], stake_cents: int) -> RoundLaw:
    """A wager whose results, per unit, are known by their chances: the bet of blackjack."""
    most = -min(chances) * stake_cents
    results = {net * stake_cents: chance for net, chance in chances.items()}
    return make_law(results, first_cents=stake_cents, most_cents=most, exact=False)


# Several wagers on the same cards


def law_of_counts(stakes: Sequence[Stake], counts: Ints) -> RoundLaw:
    """From how many deals end so for all wagers at once."""
    prices = [stake.wager.prices(stake.paytable) for stake in stakes]
    nets = [
        [price[outcome].net * stake.cents for outcome in stake.wager.outcomes]
        for price, stake in zip(prices, stakes, strict=True)
    ]
    results: defaultdict[Fraction, int] = defaultdict(int)
    for places in zip(*np.nonzero(counts), strict=True):
        net = sum((of_wager[place] for of_wager, place in zip(nets, places, strict=True)), Fraction(0))
        results[net] += int(counts[places])
    most = sum(
        max(price[outcome].staked for outcome in stake.wager.outcomes) * stake.cents
        for price, stake in zip(prices, stakes, strict=True)
    )
    first = sum(stake.cents for stake in stakes)
    return make_law(results, first_cents=first, most_cents=Fraction(most), exact=True)
