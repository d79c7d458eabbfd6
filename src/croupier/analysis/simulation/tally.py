"""A tally: sampled counts in the shape of a census, with how far they can be trusted, beside the exact count."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import expm1, log1p, sqrt
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from croupier.analysis import plots
from croupier.analysis.figures import Figures, Line
from croupier.analysis.simulation.job import BLOCK_ROUNDS, Totals
from croupier.analysis.simulation.setup import Simulation, WagerBins
from croupier.games.wager import Outcome, Price

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

CONFIDENCE = 0.99
LEAST_PARTS = 20
"""With fewer parts of blocks, how much they scatter says little, and the worst is assumed: all seats end alike."""
LEAST_ROUNDS = 100
"""With fewer results an interval means nothing."""
RARE = 10_000
"""Expected numbers below this are judged by the binomial law itself, larger ones by the normal law it comes to."""


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
    parts: int = 0
    """From how many parts the deviation was estimated; 0 where it is known."""

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
        """How often a number as far off, or farther, comes by chance alone; of a rare line also by the binomial law."""
        from scipy.special import stdtr

        far = float(2 * stdtr(self.parts - 1, -abs(self.z))) if self.parts else 2 * NormalDist().cdf(-abs(self.z))
        if not 0 < self.expected < RARE:
            return far
        return max(far, self._binomial()) if self.parts else self._binomial()

    def _binomial(self) -> float:
        from scipy.special import bdtr, bdtrc

        seen = self.line.combinations
        below = bdtr(float(seen), self.times, self.chance)
        above = bdtrc(float(seen - 1), self.times, self.chance) if seen else 1.0
        return float(min(1.0, 2 * min(below, above)))


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
        """How often the wager was made; nothing else is known of one that never was."""
        return self.figures.deals

    @property
    def hit_frequency(self) -> Fraction:
        return self.of.hit_frequency(self.figures)

    # How far it can be trusted

    @cached_property
    def _parts(self) -> int:
        """How many parts of blocks show the scatter; 0 where it is known, or there are too few."""
        job, rest = self.simulation.job, self.totals.rest
        parts = job.parts * self.totals.blocks + (rest.parts if rest else 0)
        return 0 if job.independent or parts < LEAST_PARTS else parts

    def _error(self, weights: Floats, variance: float) -> float:
        """The standard error of a mean over this wager's results, which have these weights and this variance each."""
        if self.simulation.job.independent:
            return sqrt(variance / self.times)
        if not self._parts:
            return sqrt(self.simulation.job.seats * variance / self.times)
        return self._scatter(weights - float(weights @ self.totals.all_counts[self.of.bins]) / self.times) / self.times

    def _scatter(self, weights: Floats) -> float:
        """The standard deviation, over the whole run, of a sum over this wager's counts that is 0 on average."""
        bins, parts = self.of.bins, self._parts
        products = self.totals.all_products[bins, bins].astype(np.float64)
        per_part = max(0.0, float(weights @ products @ weights)) / (parts - 1)
        rounds = BLOCK_ROUNDS // self.simulation.job.parts
        return sqrt(per_part * self.totals.rounds / rounds)

    def _reach(self, confidence: float) -> float:
        """How many standard errors an interval goes to either side."""
        side = (1 + confidence) / 2
        if not self._parts:
            return NormalDist().inv_cdf(side)
        from scipy.special import stdtrit

        return float(stdtrit(self._parts - 1, side))

    @cached_property
    def standard_error(self) -> float:
        """Of the house edge."""
        nets = np.array([float(price.net) for price in self.of.prices.values()])
        return self._error(nets, float(self.figures.variance))

    def interval(self, confidence: float = CONFIDENCE, *, counted: bool = False) -> tuple[float, float] | None:
        """In which the true house edge lies, so often; None after too few rounds.

        With `counted` it is as wide as the counted deviation makes it, where there is one: a small sample that missed
        what is rare has a deviation that is too small.
        """
        if self.times < LEAST_ROUNDS:
            return None
        error = self.counted_error if counted else None
        edge, reach = float(self.figures.house_edge), self._reach(confidence) * (error or self.standard_error)
        return edge - reach, edge + reach

    def chance_interval(self, rows: Collection[str], confidence: float = CONFIDENCE) -> tuple[float, float] | None:
        """In which the true chance of these lines together lies (Wilson's interval, with the scatter of the parts)."""
        return self._chance_interval(lambda price: price.row in rows, confidence)

    def _chance_interval(self, among: Callable[[Price], bool], confidence: float) -> tuple[float, float] | None:
        if self.times < LEAST_ROUNDS:
            return None
        on = np.array([float(among(price)) for price in self.of.prices.values()])
        seen = float(on @ self.totals.all_counts[self.of.bins]) / self.times
        plain = seen * (1 - seen) / self.times
        wider = (self._error(on, seen * (1 - seen)) ** 2 / plain) if plain else float(self.simulation.job.seats)
        worth = self.times / max(wider, 1e-9)  # as many independent rounds would say as much
        reach = self._reach(confidence)
        middle = (seen + reach**2 / (2 * worth)) / (1 + reach**2 / worth)
        half = reach * sqrt(seen * (1 - seen) / worth + reach**2 / (4 * worth**2)) / (1 + reach**2 / worth)
        return max(0.0, middle - half), min(1.0, middle + half)

    def hit_interval(self, confidence: float = CONFIDENCE) -> tuple[float, float] | None:
        """In which the true hit frequency lies."""
        return self._chance_interval(self.of.is_hit, confidence)

    # Beside the exact count

    @cached_property
    def compared(self) -> tuple[Compared, ...] | None:
        """Line by line; None where there is no exact count."""
        chances = self.of.chances
        if chances is None or not self.times:
            return None
        chance_of = _by_line(self.of, chances)
        return tuple(
            Compared(line, chance_of[line.line], self._deviation(line, chance_of[line.line]), self.times, self._parts)
            for line in self.figures.lines
            if chance_of[line.line] > 0 or line.combinations
        )

    def _deviation(self, line: Line, chance: float) -> float:
        alone = sqrt(self.times * chance * (1 - chance))
        if self.simulation.job.independent:
            return alone
        if not self._parts:
            return alone * sqrt(self.simulation.job.seats)
        on_line = [float(price.row == line.line) for price in self.of.prices.values()]
        # Players who share a dealer's cards win together more often than not; few parts must not say the contrary.
        return max(self._scatter(np.array(on_line) - chance), alone)

    @cached_property
    def counted_error(self) -> float | None:
        """The standard error of the house edge by the counted deviation; None where it is not counted."""
        chances = self.of.chances
        if chances is None or not self.times:
            return None
        nets = {outcome: float(self.of.prices[outcome].net) for outcome in chances}
        mean = sum(nets[outcome] * float(chance) for outcome, chance in chances.items())
        variance = sum((nets[outcome] - mean) ** 2 * float(chance) for outcome, chance in chances.items())
        alone = sqrt(variance / self.times)
        if self.simulation.job.independent:
            return alone
        # As of single lines: players who share a dealer's cards scatter more than as many who do not.
        return max(self.standard_error, alone) if self._parts else alone * sqrt(self.simulation.job.seats)

    @property
    def edge_z(self) -> float | None:
        """How many standard errors the sampled edge is from the counted one."""
        exact, error = self.exact_edge, self.counted_error or self.standard_error
        return None if exact is None or not error else (float(self.figures.house_edge) - exact) / error

    @cached_property
    def exact_edge(self) -> float | None:
        """None where it is not counted; it may be where the chances of the lines are not."""
        chances = self.of.chances
        if chances is not None:
            return -float(sum(self.of.prices[outcome].net * p for outcome, p in chances.items()))
        return self.of.count_edge() if self.of.count_edge and self.times else None


def _by_line(of: WagerBins, chances: Mapping[Outcome, Fraction | float]) -> dict[str, float]:
    by_row: dict[str, Fraction | float] = {}
    for outcome, chance in chances.items():
        row = of.prices[outcome].row
        by_row[row] = by_row.get(row, 0) + chance
    return {row: float(chance) for row, chance in by_row.items()}


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
        return -expm1(self.lines * log1p(-min(self.worst.p_value, 1 - 1e-16)))

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
        return tuple(WagerTally(self.simulation, wager, self.totals) for wager in self.simulation.wagers)

    @property
    def void(self) -> int:
        """Rounds in which the shoe ran out."""
        place = self.simulation.void_bin
        return 0 if place is None else int(self.totals.all_counts[place])

    def missed(self, confidence: float = CONFIDENCE) -> list[str]:
        """The wagers whose counted edge lies outside the interval of the sampled one."""
        missed = []
        for wager in self.wagers:
            exact, span = wager.exact_edge, wager.interval(confidence, counted=True) if wager.times else None
            if exact is not None and span is not None and not span[0] <= exact <= span[1]:
                missed.append(wager.of.wager.title)
        return missed

    def verdict(self, confidence: float = CONFIDENCE) -> Verdict | None:
        """One for all lines of all wagers that were counted; None where none was."""
        lines = [(wager.of.wager.title, line) for wager in self.wagers for line in wager.compared or ()]
        if not lines:
            return None
        where, worst = min(lines, key=lambda compared: compared[1].p_value)
        return Verdict(len(lines), worst, where, confidence)


# A picture: each wager's edge with its interval, and how often each line came and should come


def draw_tally(tally: Tally, file: Path, *, confidence: float, compare: bool) -> None:
    """Write the picture."""
    plots.save(tally_in_picture(tally, confidence=confidence, compare=compare), file)


def tally_in_picture(tally: Tally, *, confidence: float, compare: bool) -> Figure:
    """Edges with their intervals and the lines; with `compare` the counted values are marked."""
    lines = sum(len(wager.figures.lines) for wager in tally.wagers if wager.times)
    heights = 0.6 + 0.32 * len(tally.wagers), 0.6 + 0.2 * lines
    job = tally.simulation.job
    players = "1 player" if job.seats == 1 else f"{job.seats} players"
    rules = f", {job.identity['rules']}" if "rules" in job.identity else ""
    figure, (edges, frequencies) = plots.picture(
        f"{tally.simulation.game.title}: {tally.totals.rounds:,} rounds, {players}, seed {job.seed}",
        rows=2,
        height_inches=1.4 + sum(heights),
        heights=heights,
    )
    edges.set_title(f"strategy {tally.simulation.strategy or 'none'}{rules}", loc="left", fontsize=8)
    _draw_edges(edges, tally, confidence=confidence, compare=compare)
    _draw_lines(frequencies, tally.wagers, compare=compare)
    return figure


def _draw_edges(axes: Axes, tally: Tally, *, confidence: float, compare: bool) -> None:
    for place, wager in enumerate(tally.wagers):
        interval = wager.interval(confidence, counted=compare)
        if interval is None:
            continue
        edge, reach = float(wager.figures.house_edge), (interval[1] - interval[0]) / 2
        axes.errorbar(100 * edge, place, xerr=100 * reach, fmt="o", color=plots.INK, capsize=4)
        if compare and wager.exact_edge is not None:
            axes.plot(100 * wager.exact_edge, place, marker="|", markersize=18, color=plots.ACCENT)
    axes.set_yticks(range(len(tally.wagers)), [wager.of.wager.title for wager in tally.wagers])
    axes.set_ylim(len(tally.wagers) - 0.5, -0.5)
    counted = "; counted in red" if compare else ""
    axes.set_xlabel(f"house edge in percent, {100 * confidence:g} % interval{counted}")


def _draw_lines(axes: Axes, wagers: tuple[WagerTally, ...], *, compare: bool) -> None:
    names, place = [], 0
    for wager in wagers:
        counted = {one.line.line: one.chance for one in wager.compared or ()} if compare else {}
        for line in wager.figures.lines if wager.times else ():
            axes.barh(place, float(line.probability), color=plots.SHADE)
            if counted.get(line.line):
                axes.plot(counted[line.line], place, marker="|", markersize=9, color=plots.ACCENT)
            names.append(f"{wager.of.wager.title}: {line.line}")
            place += 1
    axes.set_yticks(range(place), names, fontsize=7)
    axes.set_ylim(place - 0.4, -0.6)
    axes.set_xscale("log")
    axes.set_xlabel("how often, of all times the wager was made (logarithmic)")
