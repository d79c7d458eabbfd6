"""Plays a plan's meters many times over, where no formula says what they do; every estimate comes with its interval.

Two questions are played apart:

- the period: all meters together, from their seeds on, over the period of the plan;
- cycles: each meter by itself, from one 100 % award to the next, however long that takes. A period that is shorter than
  a cycle would show only the early hits.

The histories of a block share one stream of random numbers, which comes from the seed and the block's number alone. So
the same seed gives the same figures, and more histories continue fewer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log1p, sqrt
from typing import NamedTuple

import numpy as np

from croupier.analysis.kernels.meter import (
    COLUMNS,
    HIGHEST,
    TRAY,
    Floats,
    Ints,
    Meters,
    Records,
    Span,
    Stream,
    run_cycles,
    run_period,
    stream_of,
)
from croupier.analysis.meter_plan import UNIT, MeterPlan, PlanLevel, Style, divided
from croupier.errors import NotationError

FEWEST, USUAL, MOST = 100, 10_000, 1_000_000
"""Histories."""
BLOCK = 100
"""Histories of one stream."""
MOST_PATHS = 4_000
"""Histories whose course is kept for a picture: more would add nothing to be seen."""
POINTS = 120
LONGEST_STRETCH, SMALLEST_LOG, NO_END = 512, -600, 2**62
"""Wagers drawn at once, and the logarithm of the smallest chance that a double holds with room to spare."""
SAMPLES, SAMPLE_POINTS = 15, 2_000
PERIOD_LINES, CYCLE_LINES, MOST_LINES = 12 * 10**6, 6 * 10**6, 4 * 10**9
"""Lines paid in one simulation: what takes a second or so, and what nobody should wait for."""
LARGEST_SEED = 2**64 - 1
Z = 1.959963984540054
"""Of a 95 % interval."""


class Estimate(NamedTuple):
    """A simulated figure and its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Simulation:
    """What was seen. Arrays are as `kernels.meter` fills them."""

    plan: MeterPlan
    books: Ints
    sights: Floats
    paths: Ints
    """(histories, points, meters)."""
    step: int
    """Wagers between two points of a path."""
    sample: Ints
    """(many points, meters): one history more closely, whose highest point is a middling one."""
    cycles: Mapping[str, Ints]
    """By meter."""

    @property
    def histories(self) -> int:
        return len(self.books)


def simulate(
    plan: MeterPlan, *, seed: int, histories: int | None = None, advance: Callable[[int], None] = lambda done: None
) -> Simulation:
    """Play the period and the cycles; `advance` hears of every finished block."""
    check_run(seed, histories)
    together = meters_of(plan, plan.levels)
    span, records = _records(plan, histories or period_histories(plan), points=POINTS)
    for block, part in _blocks(len(records.books)):
        run_period(together, span, stream_of(seed, block), _part(records, part))
        advance(BLOCK)
    cycles = {}
    for number, level in enumerate(plan.levels, start=1):
        found = np.zeros((histories or cycle_histories(plan, level), 3), np.int64)
        alone = meters_of(plan, [level])
        for block, part in _blocks(len(found)):
            run_cycles(alone, stream_of(seed, block + number * MOST), found[part])
            advance(BLOCK)
        cycles[level.meter] = found
    sample = _sample(plan, together, stream_of(seed, (len(plan.levels) + 1) * MOST))
    return Simulation(plan, records.books, records.sights, records.paths, span.step, sample, cycles)


def _records(plan: MeterPlan, histories: int, *, points: int) -> tuple[Span, Records]:
    """Room for histories of the plan's period, with about so many points in a path."""
    step, meters = max(1, -(-plan.period_wagers // points)), len(plan.levels)
    books = np.zeros((histories, meters, COLUMNS), np.int64)
    paths = np.zeros((min(histories, MOST_PATHS), plan.period_wagers // step, meters), np.int64)
    return Span(plan.period_wagers, step), Records(books, np.zeros((histories, 4)), paths)


def _part(records: Records, part: slice) -> Records:
    return Records(records.books[part], records.sights[part], records.paths[part])


def _sample(plan: MeterPlan, together: Meters, stream: Stream) -> Ints:
    """Of a few histories the one with the median peak: a picture should not show luck."""
    span, records = _records(plan, SAMPLES, points=SAMPLE_POINTS)
    run_period(together, span, stream, records)
    peaks = np.argsort(records.sights[:, HIGHEST], kind="stable")
    return np.asarray(records.paths[peaks[SAMPLES // 2]])


def _blocks(histories: int) -> list[tuple[int, slice]]:
    starts = range(0, histories, BLOCK)
    return [(block, slice(start, min(start + BLOCK, histories))) for block, start in enumerate(starts)]


def work(plan: MeterPlan, histories: int | None) -> int:
    """How far `simulate` will advance."""
    parts = [histories or period_histories(plan)]
    parts += [histories or cycle_histories(plan, level) for level in plan.levels]
    return sum(-(-part // BLOCK) * BLOCK for part in parts)


def check_run(seed: int, histories: int | None) -> None:
    if not 0 <= seed <= LARGEST_SEED:
        raise NotationError(
            f"The seed of a simulation cannot be {seed}: it is a whole number from 0 to {LARGEST_SEED}."
        )
    if histories is not None and not FEWEST <= histories <= MOST:
        raise NotationError(f"The number of histories cannot be {histories}: it is from {FEWEST} to {MOST:,}.")


def check_length(plan: MeterPlan, histories: int | None) -> None:
    """Refuse what would take hours, before it begins."""
    lines = (histories or period_histories(plan)) * plan.period_wagers * _line_chance(plan, plan.levels)
    if lines > MOST_LINES:
        raise NotationError(
            f"{plan.period_wagers:,} wagers in the period are too many to simulate in style {plan.style}: "
            "shorten the period, or take fewer histories."
        )


def period_histories(plan: MeterPlan) -> int:
    """As many as a second or so allows."""
    return _affordable(PERIOD_LINES / (plan.period_wagers * _line_chance(plan, plan.levels)))


def cycle_histories(plan: MeterPlan, level: PlanLevel) -> int:
    """For each meter by itself; a history is two cycles."""
    return _affordable(Fraction(CYCLE_LINES, len(plan.levels)) / (2 / level.hit * _line_chance(plan, [level])))


def _affordable(histories: Fraction) -> int:
    return max(FEWEST, min(USUAL, int(histories))) // BLOCK * BLOCK


# The kernel's view of a plan


class _Line(NamedTuple):
    chance: Fraction
    meter: int
    share: Fraction
    parts: tuple[int, ...]


def _lines(plan: MeterPlan, levels: Sequence[PlanLevel]) -> list[_Line]:
    """The lines that touch these meters, the most frequent first; lines that do the same are one."""
    places = {level.meter: place for place, level in enumerate(levels)}
    nothing = (0,) * len(levels)
    chances: dict[tuple[int, Fraction, tuple[int, ...]], Fraction] = {}
    for meter, share, chance in plan.share_lines:
        if meter in places:
            key = (places[meter], share, nothing)
            chances[key] = chances.get(key, Fraction(0)) + chance
    if plan.style is Style.ALL_PAYS:
        for pay in plan.fixed_pays:
            parts = dict(zip((level.meter for level in plan.levels), divided(pay.cents, plan.shares), strict=True))
            key = (TRAY, Fraction(0), tuple(parts[level.meter] for level in levels))
            chances[key] = chances.get(key, Fraction(0)) + pay.chance
    found = [_Line(chance, *key) for key, chance in chances.items()]
    return sorted(found, key=lambda line: line.chance, reverse=True)


def _line_chance(plan: MeterPlan, levels: Sequence[PlanLevel]) -> Fraction:
    """How often something has to be drawn: the common line costs little."""
    common, lines = _apart(_lines(plan, levels))
    return sum((line.chance for line in lines), common.chance / 10 if common else Fraction(0))


def _apart(lines: list[_Line]) -> tuple[_Line | None, list[_Line]]:
    """The most frequent line, where it is a fixed pay, and the others."""
    return (lines[0], lines[1:]) if lines[0].meter == TRAY else (None, lines)


def meters_of(plan: MeterPlan, levels: Sequence[PlanLevel]) -> Meters:
    """Some of a plan's meters, as the kernel takes them."""
    common, lines = _apart(_lines(plan, levels))
    total = sum((line.chance for line in lines), Fraction(0))
    up_to = np.cumsum([float(line.chance / total) for line in lines])
    up_to[-1] = 1.0
    often = float(common.chance / (1 - total)) if common else 0.0
    last = common.parts if common else (0,) * len(levels)
    return Meters(
        log_quiet=log1p(-float(total)),
        up_to=up_to,
        meter=np.array([line.meter for line in lines], np.int64),
        share=np.array([[line.share.numerator, line.share.denominator] for line in lines], np.int64),
        parts=np.array([*(line.parts for line in lines), last], np.int64),
        common=often,
        stretch=max(1, min(LONGEST_STRETCH, int(SMALLEST_LOG / log1p(-often)))) if often else NO_END,
        contribution=np.array([level.contribution_units for level in levels], np.int64),
        reserve=np.array([level.reserve_units for level in levels], np.int64),
        seed=np.array([level.seed_cents * UNIT for level in levels], np.int64),
        worth=np.array([float(level.worth / plan.wager_cents) / UNIT for level in levels]),
        fair=float(1 - plan.progressive.fixed_return),
    )


# Estimates


def mean_of(values: Ints | Floats) -> Estimate:
    """The mean, with an interval from the spread of the histories."""
    mean = float(values.mean())
    half = Z * float(values.std(ddof=1)) / sqrt(len(values))
    return Estimate(mean, mean - half, mean + half)


def percentile_of(values: Ints | Floats, percentile: float) -> Estimate:
    """A percentile, between the two values of the sample that hold the true one with 95 % confidence."""
    ordered, share, size = np.sort(values), percentile / 100, len(values)
    half = Z * sqrt(size * share * (1 - share))
    places = np.array([size * share, size * share - half, size * share + half])
    value, low, high = ordered[np.clip(np.ceil(places).astype(np.int64) - 1, 0, size - 1)].tolist()
    return Estimate(float(value), float(low), float(high))


def share_of(count: int, size: int) -> Estimate:
    """How often something happened, with Wilson's interval, which is sensible at 0 and 1 too."""
    share, spread = count / size, Z * Z / size
    centre = (share + spread / 2) / (1 + spread)
    half = Z / (1 + spread) * sqrt(share * (1 - share) / size + spread / (4 * size))
    return Estimate(share, max(0.0, centre - half) if count else 0.0, min(1.0, centre + half) if count < size else 1.0)
