"""Simulated meters: equal to the formulas within chance, and no money lost; wager by wager in `test_live_link`."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb, sqrt
from typing import Any

import numpy as np
import pytest

from croupier.analysis.estimates import PERCENTILES
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
)
from croupier.analysis.meter import formulas, simulation
from croupier.analysis.meter.figures import Basis, figures_of
from croupier.analysis.meter.plan import MeterPlan
from croupier.analysis.meter.simulation import (
    FEWEST,
    STRETCHES,
    USUAL,
    Simulation,
    check_length,
    laws_of_pays,
    meters_of,
    simulate,
    work,
)
from croupier.errors import NotationError
from croupier.games.meter import UNIT
from tests.analysis.meter.plans import often, plan

STYLE_A = {"accounting": "A", "contribution_percent": 30}


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
    inflow = opening + made.period_wagers * each_wager + books[:, :, HITS] * opening
    assert (inflow - books[:, :, PAID] == books[:, :, METER] + books[:, :, RESERVE]).all()
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
        for each in PERCENTILES if level.only_whole else ():
            below = (cycles[:, AT_HIT] <= float(formulas.at_hit_cents(level, each))).mean()
            assert abs(below - each / 100) < 4 * sqrt(each / 100 * (1 - each / 100) / len(cycles))


def test_the_period_agrees_with_the_formulas() -> None:
    """After many cycles the opening no longer matters."""
    busy = {"contribution_percent": 60, "reserve_percent": 2}
    made = often("shares", tables=100, period_days=10, **busy)
    seen = simulate(made, seed=5, histories=100)
    [level] = made.levels
    assert z(seen.books[:, 0, HITS], level.hit * made.period_wagers) < 4
    assert z(seen.sights[:, MEAN] / UNIT, formulas.mean_in_custody_cents(made)) < 4
    cycles = simulate(often("shares", **busy), seed=6, histories=5_000).cycles[""][:, AT_HIT]
    above = cycles >= float(formulas.break_even_cents(made, level))
    share = seen.sights[:, ABOVE] / made.period_wagers
    spread = sqrt(float(share.var(ddof=1)) / len(share) + float(above.var()) / len(above))
    assert abs(float(share.mean()) - float(above.mean())) < 4 * spread
    assert 0.02 < above.mean() < 0.98


def test_the_usual_histories_of_a_period_agree_with_its_formulas() -> None:
    made = plan(wager="trilux")
    [level] = made.levels
    seen = simulate(made, seed=7)
    assert seen.histories == USUAL
    wagers, highest = made.period_wagers, seen.sights[:, HIGHEST] / UNIT
    assert z(seen.sights[:, MEAN] / UNIT, formulas.mean_custody_in_period_cents(made)) < 4
    assert z(highest, formulas.mean_highest_cents(level, wagers)) < 4
    even = formulas.break_even_cents(made, level)
    assert z(seen.sights[:, ABOVE] / wagers, formulas.share_above_in_period(level, even, wagers)) < 4
    for each in (95, 99):
        within = float((highest <= float(formulas.highest_cents(level, wagers, each))).mean())
        assert abs(within - each / 100) < 4 * sqrt(each / 100 * (1 - each / 100) / len(highest))


@pytest.mark.parametrize("made", [plan(), plan(paytable="ML03", reserve_percent=1)], ids=["1", "ML03"])
def test_no_second_seed_contradicts_an_interval(made: MeterPlan) -> None:
    """Two estimates of a figure differ by no more than both intervals allow, and the intervals are narrow."""
    one, other = (figures_of(made, simulate(made, seed=seed)) for seed in (7, 8))
    compared = 0
    for first, second in zip(one, other, strict=True):
        if first.basis is not Basis.SIMULATED or first.unit != "dollars":
            continue
        assert first.low is not None and first.high is not None  # noqa: PT018
        assert second.low is not None and second.high is not None  # noqa: PT018
        half, others = (first.high - first.low) / 2, (second.high - second.low) / 2
        assert abs(float(first.value) - float(second.value)) < 2 * sqrt(half**2 + others**2), first.key
        assert half < 0.006 * float(first.value), first.key
        compared += 1
    assert compared


def test_the_house_gets_its_hold() -> None:
    """Wagers less fixed pays, contribution, reserve and seeds, in every history's own money."""
    made = often("whole", reserve_percent=2, tables=20, period_days=30)
    seen = simulate(made, seed=9, histories=500)
    seeds = seen.books[:, 0, HITS] * made.levels[0].seed_cents / (made.period_wagers * made.wager_cents)
    kept = float(1 - made.progressive.fixed_return - made.funding.contribution) - 0.02 - seeds
    assert z(kept, formulas.hold_before_shortfalls(made)) < 4


def test_style_a_that_never_runs_dry_has_the_mean_of_its_recursion() -> None:
    made = often("shares", accounting="A", contribution_percent=90, seeds_dollars=10_000)
    [level] = made.levels
    fixed = sum(pay.chance * pay.cents for pay in made.fixed_pays)
    expected = formulas.mean_at_hit_cents(level) - fixed / level.worth
    assert z(simulate(made, seed=8, histories=5_000).cycles[""][:, AT_HIT], expected) < 4


def test_drawing_the_common_lines_at_once_changes_nothing() -> None:
    """Without tables every pay is drawn by itself; both ways see the same meters, and run dry as often."""
    made = often("shares", accounting="A", contribution_percent=32, seeds_dollars=300)
    meters = meters_of(made, made.levels)
    assert len(meters.common.first) == STRETCHES + 1
    none = meters.common._replace(first=meters.common.first[:1])
    size = 2_000
    ends, dry = [], []
    for block, common in enumerate((meters.common, none)):
        records = kernel.Records(
            np.zeros((size, 1, kernel.COLUMNS), np.int64), np.zeros((size, 4)), np.zeros((0, 1, 1), np.int64)
        )
        span = kernel.Span(made.period_wagers, made.period_wagers)
        kernel.run_period(meters._replace(common=common), span, kernel.stream_of(1, block), records)
        ends.append(records.books[:, 0, METER] / UNIT)
        dry.append(records.sights[:, DRY] > 0)
    for one, other in (ends, dry):
        spread = sqrt((float(one.var()) + float(other.var())) / size)
        assert abs(float(one.mean()) - float(other.mean())) < 4 * spread
    assert 0.02 < dry[0].mean() < 0.98


def test_tables_of_pays_are_the_sums_of_single_wagers() -> None:
    """With pays of 2 and 5: every number of twos and fives among 8 wagers."""
    laws = laws_of_pays({2: 0.1, 5: 0.02})
    assert len(laws) == STRETCHES
    expected = np.zeros(8 * 5 + 1)
    for twos in range(9):
        for fives in range(9 - twos):
            ways = comb(8, twos) * comb(8 - twos, fives)
            expected[2 * twos + 5 * fives] += ways * 0.1**twos * 0.02**fives * 0.88 ** (8 - twos - fives)
    assert laws[3] == pytest.approx(expected[: len(laws[3])], rel=1e-12)
    assert expected[len(laws[3]) :].sum() < 2**-52
    for power, law in enumerate(laws):
        assert law.sum() == pytest.approx(1, abs=1e-12)
        assert law @ np.arange(len(law)) == pytest.approx(2**power * 0.3, rel=1e-12)
    assert laws_of_pays({}) == []


def test_pays_too_coarse_for_tables_are_drawn_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "MOST_CELLS", 1)
    made = often("shares", **STYLE_A)
    meters = meters_of(made, made.levels)
    assert (len(meters.common.first), len(meters.common.laws)) == (1, 0)
    assert simulate(made, seed=1, histories=FEWEST).books[:, 0, PAID].all()


def test_blocks_share_no_random_numbers() -> None:
    """A block takes far fewer numbers than lie between two of them."""
    made = plan(accounting="A", contribution_percent=40)
    stream, before = kernel.stream_of(7, 0), int(kernel.stream_of(7, 0)[0])
    kernel.run_cycles(meters_of(made, made.levels), stream, np.zeros((FEWEST, 3), np.int64))
    assert 10**5 < kernel.numbers_taken(before, stream) < kernel.DISTANCE
    assert kernel.numbers_taken(before, kernel.stream_of(7, 1)) == kernel.DISTANCE
    last = (len(made.levels) + 2) * simulation.MOST
    assert last * kernel.DISTANCE < 2**64


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


# Length


def test_a_plan_without_a_number_of_histories_gets_thousands() -> None:
    made, done = plan(accounting="A", contribution_percent=70), [0]
    seen = simulate(made, seed=1, advance=lambda more: done.__setitem__(0, done[0] + more))
    assert 4_000 < seen.histories < USUAL
    assert done[0] == work(made, None)
    assert (simulate(made, seed=1, histories=200).books == seen.books[:200]).all()


def test_an_empty_meter_takes_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pays are drawn one by one where it is dry: fewer histories, but more than the fewest."""
    monkeypatch.setattr(simulation, "PERIOD_NUMBERS", 10**6)
    monkeypatch.setattr(simulation, "CYCLE_NUMBERS", 10**6)
    seen = simulate(plan(accounting="A", contribution_percent=40, period_days=30), seed=1)
    assert 2 * FEWEST <= seen.histories < simulation.ENOUGH


LONG = {"tables": 1000, "seats": 7, "wager_dollars": "0.01", "period_days": 3650}


@pytest.mark.parametrize(
    ("settings", "histories"),
    [
        ({**LONG, "accounting": "A", "contribution_percent": 70}, None),
        ({**LONG, "accounting": "A", "contribution_percent": 40}, None),
        ({"accounting": "A", "contribution_percent": 40}, 10**6),
        ({**LONG}, 10**6),
    ],
)
def test_a_simulation_that_would_take_too_long_is_refused(settings: dict[str, Any], histories: int | None) -> None:
    with pytest.raises(NotationError, match="too many to simulate in style") as refused:
        check_length(plan(**settings), histories)
    assert "shorten the period, or take fewer histories" in str(refused.value)


@pytest.mark.parametrize(
    ("settings", "histories"),
    [
        ({}, None),
        ({}, 10**6),
        ({**LONG}, None),
        ({"accounting": "A", "contribution_percent": 70}, None),
        ({"accounting": "A", "contribution_percent": 70, "tables": 100}, None),
        ({"accounting": "A", "contribution_percent": 40, "tables": 100}, None),
        ({"accounting": "A", "contribution_percent": 70}, 100_000),
    ],
)
def test_a_simulation_that_ends_in_a_while_is_not_refused(settings: dict[str, Any], histories: int | None) -> None:
    check_length(plan(**settings), histories)
