"""A tally: sampled counts in the shape of a census, with how far they can be trusted, beside the exact count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

from croupier.analysis.figures import Figures, Line
from croupier.analysis.simulation.job import BLOCK_ROUNDS, Totals
from croupier.analysis.simulation.setup import Simulation, WagerBins
from croupier.games.wager import Outcome

CONFIDENCE = 0.99
LEAST_BLOCKS = 20
"""With fewer blocks, how much they scatter says little."""
EXACT_BELOW = 10_000
"""Expected counts up to here are judged by the binomial law itself, larger ones by the normal law it comes to."""


@dataclass(frozen=True, eq=False)
class Compared:
    """One line, sampled and counted."""

    line: Line
    chance: float
    """Counted."""
    deviation: float
    """By which the sampled number scatters."""
    times: int
    """How often the wager was made."""
    blocks: int = 0
    """From how many blocks the deviation was estimated; 0 where results are independent and it is known."""

    @property
    def expected(self) -> float:
        return self.chance * self.times

    @property
    def z(self) -> float:
        """How many standard deviations the sampled number is from the expected one."""
        off = self.line.combinations - self.expected
        if self.deviation > 0:
            return off / self.deviation
        return 0.0 if abs(off) < 0.5 else float("inf")

    @cached_property
    def p_value(self) -> float:
        """How often a number as far off, or farther, comes by chance alone."""
        from scipy.stats import binom, t

        if self.blocks:
            return float(2 * t.sf(abs(self.z), self.blocks - 1))
        if 0 < self.expected < EXACT_BELOW:
            seen = self.line.combinations
            below, above = binom.cdf(seen, self.times, self.chance), binom.sf(seen - 1, self.times, self.chance)
            return float(min(1.0, 2 * min(below, above)))
        return 2 * NormalDist().cdf(-abs(self.z))


@dataclass(frozen=True, eq=False)
class WagerTally:
    """One wager as it was sampled."""

    simulation: Simulation
    of: WagerBins
    totals: Totals

    @cached_property
    def figures(self) -> Figures:
        return self.of.figures(self.totals.all_counts)

    @property
    def times(self) -> int:
        """How often the wager was made."""
        return self.figures.deals

    @property
    def hit_frequency(self) -> Fraction:
        return self.of.hit_frequency(self.figures)

    @cached_property
    def standard_error(self) -> float:
        """Of the house edge; rounds that hang together are judged by how much whole blocks scatter."""
        if self.simulation.independent or self.totals.blocks < LEAST_BLOCKS:
            return self.figures.standard_deviation / sqrt(self.times)
        nets = np.array([float(price.net) for price in self.of.prices.values()])
        return self._scatter(nets - float(self.figures.expected)) / self.times

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """In which the true house edge lies, so often."""
        reach = NormalDist().inv_cdf((1 + confidence) / 2) * self.standard_error
        edge = float(self.figures.house_edge)
        return edge - reach, edge + reach

    def _scatter(self, weights: Any) -> float:
        """The standard deviation, over the whole run, of a sum over this wager's counts that is 0 in the mean."""
        bins, blocks = self.of.bins, self.totals.blocks
        products = self.totals.products[bins, bins].astype(np.float64)
        mean = self.totals.counts[bins] @ weights / blocks
        variance = max(0.0, (weights @ products @ weights) / blocks - mean**2) * blocks / (blocks - 1)
        return sqrt(variance * self.totals.rounds / BLOCK_ROUNDS)

    # Beside the exact count

    @cached_property
    def compared(self) -> tuple[Compared, ...] | None:
        """Line by line; None where there is no exact count."""
        chances = self.of.chances
        if chances is None or not self.times:
            return None
        chance_of = _by_line(self.of, chances)
        blocks = 0 if self._binomial else self.totals.blocks
        return tuple(
            Compared(line, chance_of[line.line], self._deviation(line, chance_of[line.line]), self.times, blocks)
            for line in self.figures.lines
        )

    @property
    def _binomial(self) -> bool:
        return self.simulation.independent or self.totals.blocks < LEAST_BLOCKS

    def _deviation(self, line: Line, chance: float) -> float:
        if self._binomial:
            return sqrt(self.times * chance * (1 - chance))
        on_line = [float(price.row == line.line) for price in self.of.prices.values()]
        # Players who share a dealer's cards win together more often than not; fewer blocks must not say the contrary.
        return max(self._scatter(np.array(on_line) - chance), sqrt(self.times * chance * (1 - chance)))

    @property
    def exact_edge(self) -> float | None:
        chances = self.of.chances
        return None if chances is None else -float(sum(self.of.prices[each].net * p for each, p in chances.items()))


def _by_line(of: WagerBins, chances: Mapping[Outcome, Fraction | float]) -> dict[str, float]:
    found: dict[str, Fraction | float] = {}
    for outcome, chance in chances.items():
        row = of.prices[outcome].row
        found[row] = found.get(row, 0) + chance
    return {row: float(chance) for row, chance in found.items()}


@dataclass(frozen=True, eq=False)
class Verdict:
    """Whether all lines together are as counted."""

    lines: int
    worst: Compared
    where: str
    confidence: float

    @property
    def p_value(self) -> float:
        """Of the worst line, corrected for how many lines had the chance to be it."""
        return min(1.0, self.worst.p_value * self.lines)

    @property
    def agrees(self) -> bool:
        return self.p_value >= 1 - self.confidence


@dataclass(frozen=True, eq=False)
class Tally:
    """Everything a run has counted."""

    simulation: Simulation
    totals: Totals

    @cached_property
    def wagers(self) -> tuple[WagerTally, ...]:
        return tuple(WagerTally(self.simulation, each, self.totals) for each in self.simulation.wagers)

    @property
    def void(self) -> int:
        """Rounds in which the shoe ran out."""
        place = self.simulation.void_bin
        return 0 if place is None else int(self.totals.all_counts[place])

    def verdict(self, confidence: float = CONFIDENCE) -> Verdict | None:
        """One for all lines of all wagers that were counted; None where none was."""
        lines = [(each.of.wager.title, line) for each in self.wagers for line in each.compared or ()]
        if not lines:
            return None
        where, worst = min(lines, key=lambda each: each[1].p_value)
        return Verdict(len(lines), worst, where, confidence)
