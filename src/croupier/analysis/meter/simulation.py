"""Plays a plan's meters many times over, where no formula says what they do; every estimate comes with its interval.

Two questions are played apart:

- the period: all meters together, from their seeds on, over the period of the plan;
- cycles: each meter by itself, from one 100 % award to the next, however long that takes. A period that is shorter than
  a cycle would show only the early hits.

The histories of a block share one stream of random numbers, which comes from the seed and the block's number alone. So
the same seed gives the same figures, and more histories continue fewer. Where nobody says how many there are, blocks
are played until a number of random numbers is used up: what takes a second or two, and is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, log1p
from typing import NamedTuple

import numpy as np

from croupier.analysis.kernels.meter import (
    COLUMNS,
    HIGHEST,
    TRAY,
    Common,
    Floats,
    Ints,
    Meters,
    Records,
    Span,
    Stream,
    numbers_taken,
    run_cycles,
    run_period,
    stream_of,
)
from croupier.analysis.kernels.random import LARGEST_SEED
from croupier.analysis.meter.formulas import drift
from croupier.analysis.meter.plan import MeterPlan, PlanLevel
from croupier.errors import NotationError
from croupier.games.meter import UNIT, Style, fixed_pay_parts

FEWEST, USUAL, MOST = 100, 250_000, 1_000_000
"""Histories; with the usual number a 99th percentile is known to about half a percent."""
BLOCK = 100
"""Histories of one stream."""
MOST_PATHS = 4_000
"""Histories whose course is kept for a picture: more would add nothing to be seen."""
POINTS = 120
STRETCHES, NO_END = 10, 2**62
"""Tables of the common lines, for 1, 2, 4, ... up to 512 wagers."""
OFTEN = Fraction(1, 1000)
"""A fixed pay as likely as this is a common line."""
MOST_CELLS, SMALLEST = 2**14, 2.0**-54
"""Of one table; what is less likely than the smallest step of a random number cannot be drawn."""
SAMPLES, SAMPLE_POINTS = 15, 2_000
PERIOD_NUMBERS, CYCLE_NUMBERS, MOST_NUMBERS = 40 * 10**6, 12 * 10**6, 4 * 10**9
"""Random numbers of one simulation: what takes a second or so, and what nobody should wait for."""
ENOUGH, PATIENCE = 1_000, 4
"""Histories for which up to so many times the numbers are spent."""
TABLES_SPARE = 20
"""So much fewer numbers are needed where tables of the common lines can be used."""


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
    run = _Run(seed, histories, advance)
    together = meters_of(plan, plan.levels)
    span, records = _records(plan, run.most, points=POINTS)
    played = run.play(0, PERIOD_NUMBERS, lambda stream, part: run_period(together, span, stream, _part(records, part)))
    kept = _part(records, slice(played))
    cycles = {level.meter: _cycles(plan, place, run) for place, level in enumerate(plan.levels)}
    sample = _sample(plan, together, stream_of(seed, (len(plan.levels) + 1) * MOST))
    return Simulation(plan, kept.books, kept.sights, kept.paths, span.step, sample, cycles)


def _cycles(plan: MeterPlan, place: int, run: _Run) -> Ints:
    """One meter by itself; a history is two cycles."""
    alone, cycles = meters_of(plan, [plan.levels[place]]), np.zeros((run.most, 3), np.int64)
    budget = CYCLE_NUMBERS // len(plan.levels)
    played = run.play(place + 1, budget, lambda stream, part: run_cycles(alone, stream, cycles[part]))
    return cycles[:played]


class _Run(NamedTuple):
    seed: int
    histories: int | None
    advance: Callable[[int], None]

    @property
    def most(self) -> int:
        return self.histories or USUAL

    def play(self, part: int, budget: int, play: Callable[[Stream, slice], None]) -> int:
        """Play blocks until all histories are played or, if nobody said how many, the budget is spent."""
        spent = 0
        for block, places in _blocks(self.most):
            least = budget if places.start >= ENOUGH else PATIENCE * budget
            if self.histories is None and spent >= least:
                self.advance(-(-(self.most - places.start) // BLOCK) * BLOCK)
                return int(places.start)
            stream = stream_of(self.seed, block + part * MOST)
            before = int(stream[0])
            play(stream, places)
            spent += numbers_taken(before, stream)
            self.advance(BLOCK)
        return self.most


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
    return (1 + len(plan.levels)) * -(-(histories or USUAL) // BLOCK) * BLOCK


def check_run(seed: int, histories: int | None) -> None:
    if not 0 <= seed <= LARGEST_SEED:
        raise NotationError(
            f"The seed of a simulation cannot be {seed}: it is a whole number from 0 to {LARGEST_SEED}."
        )
    if histories is not None and not FEWEST <= histories <= MOST:
        raise NotationError(f"The number of histories cannot be {histories}: it is from {FEWEST} to {MOST:,}.")


def check_length(plan: MeterPlan, histories: int | None) -> None:
    """Refuse what would take many minutes, before it begins."""
    if (histories or FEWEST) * plan.period_wagers * _numbers_a_wager(plan) > MOST_NUMBERS:
        raise NotationError(
            f"{plan.period_wagers:,} wagers in the period are too many to simulate in style {plan.style}: "
            "shorten the period, or take fewer histories."
        )


def _numbers_a_wager(plan: MeterPlan) -> Fraction:
    """About how many random numbers it takes; on meters that run dry every pay is drawn."""
    common, lines = _apart(_lines(plan, plan.levels))
    often = sum((line.chance for line in common), Fraction(0))
    return sum((line.chance for line in lines), often / (TABLES_SPARE if drift(plan) > 0 else 1))


# The kernel's view of a plan


class _Line(NamedTuple):
    chance: Fraction
    meter: int
    share: Fraction
    pays: int
    """In multiples of the smallest common measure of all fixed pays."""


def _lines(plan: MeterPlan, levels: Sequence[PlanLevel]) -> list[_Line]:
    """The lines that touch these meters, the most frequent first; lines that do the same are one."""
    places = {level.meter: place for place, level in enumerate(levels)}
    chances: dict[tuple[int, Fraction, int], Fraction] = {}
    for meter, share, chance in plan.share_lines:
        if meter in places:
            key = (places[meter], share, 0)
            chances[key] = chances.get(key, Fraction(0)) + chance
    if plan.style is Style.ALL_PAYS:
        for pay in plan.fixed_pays:
            key = (TRAY, Fraction(0), pay.cents // _measure(plan))
            chances[key] = chances.get(key, Fraction(0)) + pay.chance
    lines = [_Line(chance, *key) for key, chance in chances.items()]
    return sorted(lines, key=lambda line: line.chance, reverse=True)


def _measure(plan: MeterPlan) -> int:
    """The largest number of cents of which every fixed pay is a multiple."""
    return gcd(*(pay.cents for pay in plan.fixed_pays)) or 1


def _apart(lines: list[_Line]) -> tuple[list[_Line], list[_Line]]:
    """The common lines, and the others."""
    common = [line for line in lines if line.meter == TRAY and line.chance >= OFTEN]
    return common, [line for line in lines if line not in common]


def meters_of(plan: MeterPlan, levels: Sequence[PlanLevel]) -> Meters:
    """Some of a plan's meters, as the kernel takes them."""
    common, lines = _apart(_lines(plan, levels))
    total = sum((line.chance for line in lines), Fraction(0))
    parts = dict(zip((level.meter for level in plan.levels), fixed_pay_parts(_measure(plan), plan.shares), strict=True))
    return Meters(
        log_quiet=log1p(-float(total)),
        up_to=_up_to(lines),
        meter=np.array([line.meter for line in lines], np.int64),
        share=np.array([[line.share.numerator, line.share.denominator] for line in lines], np.int64),
        pays=np.array([line.pays for line in lines], np.int64),
        part=np.array([parts[level.meter] for level in levels], np.int64),
        common=_common(common, 1 - total),
        stretch=2 ** (STRETCHES - 1) if common else NO_END,
        contribution=np.array([level.contribution_units for level in levels], np.int64),
        reserve=np.array([level.reserve_units for level in levels], np.int64),
        seed=np.array([level.seed_cents * UNIT for level in levels], np.int64),
        worth=np.array([float(level.worth / plan.wager_cents) / UNIT for level in levels]),
        fair=float(1 - plan.progressive.fixed_return),
    )


def _up_to(lines: Sequence[_Line]) -> Floats:
    total = sum((line.chance for line in lines), Fraction(0))
    chances = np.cumsum([float(line.chance / total) for line in lines])
    chances[-1:] = 1.0
    return chances


def _common(lines: Sequence[_Line], given: Fraction) -> Common:
    """The common lines and the laws of what they pay, given that none of the others comes."""
    chance = sum((line.chance for line in lines), Fraction(0)) / given
    laws = [law.cumsum() for law in laws_of_pays({line.pays: float(line.chance / given) for line in lines})]
    for law in laws:
        law[-1] = 1.0
    return Common(
        log_none=log1p(-float(chance)),
        up_to=_up_to(lines),
        pays=np.array([line.pays for line in lines], np.int64),
        first=np.cumsum([0, *(len(law) for law in laws)], dtype=np.int64),
        laws=np.concatenate([*laws, np.zeros(0)]),
        guide=np.concatenate([*map(_guide, laws), np.zeros(0, np.int64)]),
    )


def _guide(law: Floats) -> Ints:
    return np.searchsorted(law, np.arange(len(law)) / len(law)).astype(np.int64)


def laws_of_pays(chances: Mapping[int, float]) -> list[Floats]:
    """The chance of each sum that 1, 2, 4, ... wagers pay, from these chances that one pays so much."""
    law = np.zeros(max(chances, default=0) + 1)
    law[0] = 1 - sum(chances.values())
    for pays, chance in chances.items():
        law[pays] += chance
    laws: list[Floats] = []
    while chances and len(laws) < STRETCHES and len(law) <= MOST_CELLS:
        laws.append(law)
        law = np.convolve(law, law)
        above = law[::-1].cumsum()
        law = law[: len(law) - int(np.searchsorted(above, SMALLEST, side="right"))]
    return laws
