"""Simulated meters: equal to a slow twin wager by wager, to the formulas within chance, and no money lost."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import exp, log, log1p, sqrt
from typing import Any

import numpy as np
import pytest

from croupier.analysis import meter_formulas as formulas
from croupier.analysis.kernels import meter as kernel
from croupier.analysis.kernels.meter import (
    ABOVE,
    AT_HIT,
    DRY,
    HIGHEST,
    HITS,
    LASTED,
    MEAN,
    METER,
    PAID,
    RESERVE,
    RESTART,
    SEEDED,
    SHORT,
    TRAY,
    UNIT,
)
from croupier.analysis.meter_plan import MeterPlan
from croupier.analysis.meter_simulation import (
    FEWEST,
    Simulation,
    mean_of,
    meters_of,
    percentile_of,
    share_of,
    simulate,
    work,
)
from croupier.errors import NotationError
from tests.analysis.meter_plans import often, plan

STYLE_A = {"accounting": "A", "contribution_percent": 30}


# A slow twin


class Draws:
    """splitmix64 in Python's own integers."""

    def __init__(self, state: int) -> None:
        self.state = state

    def uniform(self) -> float:
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        word = ((self.state ^ (self.state >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) % 2**64
        return (((word ^ (word >> 31)) >> 11) + 1) * 2.0**-53

    def gap(self, log_quiet: float) -> int:
        return 1 + int(log(self.uniform()) / log_quiet)

    def number(self, wagers: int, chance: float) -> int:
        left, number, mass = self.uniform(), 0, exp(wagers * log1p(-chance))
        while left > mass and number < wagers:
            left -= mass
            mass *= chance / (1 - chance) * (wagers - number) / (number + 1)
            number += 1
        return number


class Twin:
    """A history in exact cents, one wager after the other."""

    def __init__(self, made: MeterPlan, draws: Draws) -> None:
        self.plan, self.draws = made, draws
        self.meters = meters_of(made, made.levels)
        self.held = [Fraction(level.seed_cents) for level in made.levels]
        self.reserve = [Fraction(0) for _ in made.levels]
        self.paid = [0 for _ in made.levels]
        self.short = [0 for _ in made.levels]
        self.hits = [0 for _ in made.levels]
        self.dry = self.at = 0
        self.highest, self.total, self.above = Fraction(0), Fraction(0), 0

    def wager(self) -> None:
        self.at += 1
        for place, level in enumerate(self.plan.levels):
            self.held[place] += Fraction(level.contribution_units, UNIT)
            self.reserve[place] += Fraction(level.reserve_units, UNIT)
        balance = sum(self.held) + sum(self.reserve)
        self.highest, self.total = max(self.highest, Fraction(balance)), self.total + balance
        worth = sum(level.worth * held for level, held in zip(self.plan.levels, self.held, strict=True))
        self.above += worth >= (1 - self.plan.progressive.fixed_return) * self.plan.wager_cents

    def take(self, place: int, cents: int) -> None:
        paid = min(cents, int(self.held[place]))
        self.held[place] -= paid
        self.paid[place] += paid
        self.short[place] += cents - paid

    def fixed(self, line: int) -> None:
        for place, cents in enumerate(self.meters.parts[line].tolist()):
            self.take(place, cents)

    def line(self) -> None:
        drawn = self.draws.uniform()
        line = next(place for place, up_to in enumerate(self.meters.up_to) if drawn <= up_to)
        which = int(self.meters.meter[line])
        if which == TRAY:
            return self.fixed(line)
        share = Fraction(*self.meters.share[line].tolist())
        self.take(which, int(self.held[which] * share))
        if share == 1:
            self.held[which] += self.plan.levels[which].seed_cents + self.reserve[which]
            self.reserve[which] = Fraction(0)
            self.hits[which] += 1
        return None

    def quiet(self, wagers: int) -> None:
        often = self.meters.common
        enough = all(held >= cents * wagers for held, cents in zip(self.held, self.meters.parts[-1], strict=True))
        if not often or enough:
            times = self.draws.number(wagers, often) if often else 0
            for _ in range(wagers):
                self.wager()
            for _ in range(times):
                self.fixed(-1)
            return
        end = self.at + wagers
        while self.at < end:
            gap = self.draws.gap(log1p(-often))
            for _ in range(min(gap, end - self.at)):
                self.wager()
                gap -= 1
            if gap:
                return
            self.fixed(-1)
            if self.at == end:  # the kernel looks once more, and finds that no wager is left
                self.draws.gap(log1p(-often))

    def run(self) -> None:
        while self.at < self.plan.period_wagers:
            gap = self.draws.gap(self.meters.log_quiet)
            gone = min(gap, self.meters.stretch, self.plan.period_wagers - self.at)
            self.quiet(gone - 1 if gone == gap else gone)
            if gone == gap:
                self.wager()
                self.line()
            if sum(self.short) and not self.dry:
                self.dry = self.at


def first_histories(made: MeterPlan, number: int, seed: int) -> list[Twin]:
    draws = Draws(int(kernel.stream_of(seed, 0)[0]))
    twins = [Twin(made, draws) for _ in range(number)]
    for twin in twins:
        twin.run()
    return twins


@pytest.mark.parametrize(
    "made",
    [
        often("whole", reserve_percent=1),
        often("shares", reserve_percent=1),
        often("two", reserve_percent=2, wager_dollars="7.77"),
        often("shares", **STYLE_A),
        often("two", accounting="A", contribution_percent=33, reserve_percent=1),
        often("shares", accounting="A", contribution_percent=20, seeds_dollars=50),
    ],
    ids=["whole", "shares", "two", "A", "A two", "A dry"],
)
def test_the_kernel_equals_the_twin_to_the_millionth_of_a_cent(made: MeterPlan) -> None:
    seen = simulate(made, seed=11, histories=FEWEST)
    for history, twin in enumerate(first_histories(made, 5, seed=11)):
        book, sight = seen.books[history], seen.sights[history]
        assert [Fraction(int(units), UNIT) for units in book[:, METER]] == twin.held
        assert [Fraction(int(units), UNIT) for units in book[:, RESERVE]] == twin.reserve
        assert book[:, PAID].tolist() == twin.paid
        assert book[:, SHORT].tolist() == twin.short
        assert book[:, HITS].tolist() == twin.hits
        assert sight[DRY] == twin.dry
        if made.style == "B":  # in style A sights go in a straight line
            assert sight[HIGHEST] == pytest.approx(float(twin.highest) * UNIT, rel=1e-12)
            assert sight[MEAN] == pytest.approx(float(twin.total) * UNIT / made.period_wagers, rel=1e-12)
            assert sight[ABOVE] == twin.above


# Money


@pytest.mark.parametrize(
    "made",
    [
        plan(paytable="ML03", reserve_percent=1, period_days=100),
        plan(wager="trilux", contribution_percent="21.3333", reserve_percent="0.7777", seeds_dollars="1234.56"),
        plan(accounting="A", contribution_percent=49, period_days=100),
        plan(paytable="ML04", accounting="A", contribution_percent="47.1", reserve_percent=3, period_days=60),
    ],
    ids=["ML03", "trilux", "A", "A ML04"],
)
def test_no_money_is_lost(made: MeterPlan) -> None:
    books = simulate(made, seed=3, histories=200).books
    each_wager = np.array([level.contribution_units + level.reserve_units for level in made.levels])
    opening = np.array([level.seed_cents * UNIT for level in made.levels])
    inflow = opening + made.period_wagers * each_wager + books[:, :, SEEDED]
    assert (inflow - books[:, :, PAID] * UNIT == books[:, :, METER] + books[:, :, RESERVE]).all()
    assert (books[:, :, SEEDED] == books[:, :, HITS] * opening).all()
    assert (books[:, :, METER] >= 0).all()


# Formulas and simulation agree


def z(values: Any, expected: Fraction | float) -> float:
    return abs(float(values.mean()) - float(expected)) / (float(values.std(ddof=1)) / sqrt(len(values)))


@pytest.mark.parametrize(
    "made", [plan(), plan(reserve_percent=2), plan(paytable="ML03", reserve_percent=1)], ids=["1", "2 %", "ML03"]
)
def test_cycles_agree_with_the_formulas(made: MeterPlan) -> None:
    seen = simulate(made, seed=7, histories=10_000)
    for level in made.levels:
        cycles = seen.cycles[level.meter]
        assert z(cycles[:, LASTED], 1 / level.hit) < 4
        assert z(cycles[:, AT_HIT], formulas.mean_at_hit_cents(level)) < 4
        if made.reserve_ppm:
            assert z(cycles[:, RESTART] / UNIT, formulas.mean_restart_cents(level)) < 4
        for each in formulas.PERCENTILES if level.only_whole else ():
            below = (cycles[:, AT_HIT] <= float(formulas.at_hit_cents(level, each))).mean()
            assert abs(below - each / 100) < 4 * sqrt(each / 100 * (1 - each / 100) / len(cycles))


def test_the_period_agrees_with_the_formulas() -> None:
    """After many cycles the opening no longer matters."""
    made = often("shares", reserve_percent=2, tables=100, period_days=10)
    seen = simulate(made, seed=5, histories=100)
    [level] = made.levels
    assert z(seen.books[:, 0, HITS], level.hit * made.period_wagers) < 4
    assert z(seen.sights[:, MEAN] / UNIT, formulas.mean_in_custody_cents(made)) < 4
    cycles = simulate(often("shares", reserve_percent=2), seed=6, histories=5_000).cycles[""][:, AT_HIT]
    above = cycles >= float(formulas.break_even_cents(made, level))
    share = seen.sights[:, ABOVE] / made.period_wagers
    spread = sqrt(float(share.var(ddof=1)) / len(share) + float(above.var()) / len(above))
    assert abs(float(share.mean()) - float(above.mean())) < 4 * spread


def test_the_house_gets_its_hold() -> None:
    """Wagers less fixed pays, contribution, reserve and seeds, in every history's own money."""
    made = often("whole", reserve_percent=2, tables=20, period_days=30)
    seen = simulate(made, seed=9, histories=500)
    seeds = seen.books[:, 0, SEEDED] / UNIT / (made.period_wagers * made.wager_cents)
    kept = float(1 - made.progressive.fixed_return - made.funding.contribution) - 0.02 - seeds
    assert z(kept, formulas.hold_before_shortfalls(made)) < 4


def test_style_a_that_never_runs_dry_has_the_mean_of_its_recursion() -> None:
    made = often("shares", accounting="A", contribution_percent=90, seeds_dollars=10_000)
    [level] = made.levels
    fixed = sum(pay.chance * pay.cents for pay in made.fixed_pays)
    expected = formulas.mean_at_hit_cents(level) - fixed / level.worth
    assert z(simulate(made, seed=8, histories=5_000).cycles[""][:, AT_HIT], expected) < 4


def test_drawing_the_common_line_at_once_changes_nothing() -> None:
    """A stretch of one wager is the plain simulation; both see the same meters, and run dry as often."""
    made = often("shares", accounting="A", contribution_percent=32, seeds_dollars=300)
    meters = meters_of(made, made.levels)
    size = 2_000
    ends, dry = [], []
    for block, stretch in enumerate((meters.stretch, 1)):
        records = kernel.Records(
            np.zeros((size, 1, kernel.COLUMNS), np.int64), np.zeros((size, 4)), np.zeros((0, 1, 1), np.int64)
        )
        span = kernel.Span(made.period_wagers, made.period_wagers)
        kernel.run_period(meters._replace(stretch=stretch), span, kernel.stream_of(1, block), records)
        ends.append(records.books[:, 0, METER] / UNIT)
        dry.append(records.sights[:, DRY] > 0)
    for one, other in (ends, dry):
        spread = sqrt((float(one.var()) + float(other.var())) / size)
        assert abs(float(one.mean()) - float(other.mean())) < 4 * spread
    assert 0.02 < dry[0].mean() < 0.98


# Runs


def test_the_same_seed_gives_the_same_figures_and_more_histories_continue_fewer() -> None:
    made = often("two", reserve_percent=1)
    one, again, longer = (simulate(made, seed=4, histories=each) for each in (200, 200, 350))
    assert (one.books == again.books).all()
    assert (one.books == longer.books[:200]).all()
    assert (one.paths == longer.paths[:200]).all()
    assert all((one.cycles[meter] == longer.cycles[meter][:200]).all() for meter in one.cycles)
    assert (one.books != simulate(made, seed=5, histories=200).books).any()


def test_progress_comes_to_its_end() -> None:
    made, done = often("two"), [0]
    simulate(made, seed=1, histories=250, advance=lambda more: done.__setitem__(0, done[0] + more))
    assert done[0] == work(made, 250)


def test_a_path_ends_where_the_period_does() -> None:
    made = often("whole", hours_per_day=24, rounds_per_hour=100, seats=5)
    seen: Simulation = simulate(made, seed=2, histories=FEWEST)
    assert made.period_wagers % seen.step == 0
    assert (seen.paths[:, -1] == seen.books[:, :, METER]).all()


@pytest.mark.parametrize(
    ("run", "sentence"),
    [
        (lambda made: simulate(made, seed=-1), "seed of a simulation cannot be -1"),
        (lambda made: simulate(made, seed=2**64), "it is a whole number from 0"),
        (lambda made: simulate(made, seed=1, histories=0), "histories cannot be 0: it is from 100"),
        (lambda made: simulate(made, seed=1, histories=10**30), "number of histories cannot be"),
    ],
)
def test_a_run_that_cannot_be_is_refused(run: Callable[[MeterPlan], object], sentence: str) -> None:
    with pytest.raises(NotationError, match=sentence):
        run(plan())


# Estimates


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    source = np.random.default_rng(1)
    caught = np.zeros(3)
    for _ in range(1_000):
        sample = source.exponential(size=400)
        triples = (
            (mean_of(sample), 1.0),
            (percentile_of(sample, 75), log(4)),
            (share_of(int((sample > 1).sum()), 400), exp(-1)),
        )
        caught += [estimate.low <= truth <= estimate.high for estimate, truth in triples]
    assert (abs(caught / 1_000 - 0.95) < 0.03).all()


def test_what_never_happened_may_still_happen() -> None:
    never, always = share_of(0, 100), share_of(100, 100)
    assert (never.value, never.low) == (0, 0)
    assert 0.03 < never.high < 0.05
    assert (always.value, always.high) == (1, 1)
