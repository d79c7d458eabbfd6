"""Everything the planner says about a progressive, figure by figure, each by formula or by simulation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import sqrt
from typing import Any

from croupier.analysis.estimates import (
    PERCENTILES,
    Estimate,
    mean_of,
    mean_share_of,
    percentile_of,
    rare_mean_of,
    share_of,
)
from croupier.analysis.kernels.meter import ABOVE, AT_HIT, DRY, HIGHEST, MEAN, SHORT
from croupier.analysis.meter import formulas
from croupier.analysis.meter.plan import MeterPlan, PlanLevel
from croupier.analysis.meter.rounds import pairs_in_a_round
from croupier.analysis.meter.simulation import Simulation
from croupier.games.meter import PPM, UNIT, Style
from croupier.games.money import CENTS

WEEK = 7
SECTIONS = {
    "hold": "What the house keeps of each wager",
    "times": "Between hits",
    "at_hit": "The meter at a 100 % award",
    "restart": "The meter restarts at",
    "break_even": "Break-even",
    "risk": "Risks",
    "custody": "Money in custody: meters and reserves",
}


class Basis(StrEnum):
    """Where a figure comes from."""

    EXACT = "exact"
    SIMULATED = "simulated"
    """An estimate, with its interval."""
    SEEN = "seen"
    """What happened in the histories and says nothing about others."""


@dataclass(frozen=True)
class Figure:
    """One answer."""

    section: str
    key: str
    title: str
    meter: str
    """Its title; empty where the figure is of all meters together."""
    unit: str
    """dollars, share, wagers, rounds, days, hits or times."""
    value: Fraction | float
    low: float | None = None
    high: float | None = None
    """The interval of what is simulated; None where the histories give no bound on that side."""
    basis: Basis = Basis.EXACT

    def as_json(self) -> dict[str, Any]:
        fields: dict[str, Any] = {
            "section": self.section,
            "key": self.key,
            "meter": self.meter or None,
            "unit": self.unit,
            "value": float(self.value),
            "basis": self.basis.value,
        }
        if isinstance(self.value, Fraction):
            fields["exact"] = str(self.value)
        if self.basis is Basis.SIMULATED:
            fields |= {"low": self.low, "high": self.high}
        return fields


def _dollars(cents: Fraction) -> Fraction:
    return cents / CENTS


def _simulated(
    section: str, key: str, title: str, estimate: Estimate, *, unit: str, meter: str = "", scale: float = 1
) -> Figure:
    value, low, high = (None if bound is None else bound * scale for bound in estimate)
    assert value is not None
    return Figure(section, key, title, meter, unit, value, low, high, Basis.SIMULATED)


def figures_of(plan: MeterPlan, simulation: Simulation | None) -> list[Figure]:
    """All figures, in the order in which they are read; without a simulation, those that formulas give."""
    return [
        *_hold(plan, simulation),
        *_times(plan),
        *_at_hit(plan, simulation),
        *_restart(plan),
        *_break_even(plan, simulation),
        *_risk(plan, simulation),
        *_custody(plan, simulation),
    ]


# The house


def _hold(plan: MeterPlan, simulation: Simulation | None) -> Iterator[Figure]:
    before = formulas.hold_before_shortfalls(plan)
    if plan.style is Style.SHARES_ONLY:
        yield Figure("hold", "hold", "hold", "", "share", before)
        yield Figure("hold", "fixed_pays", "fixed pays, from the tray", "", "share", plan.progressive.fixed_return)
    else:
        short = _shortfall(plan, simulation) if simulation else None
        if short:
            assert short.low is not None and short.high is not None  # noqa: PT018
            kept = Estimate(*(float(before) - bound for bound in (short.value, short.high, short.low)))
            yield _simulated("hold", "hold", "hold over the period", kept, unit="share")
        yield Figure("hold", "hold_before_shortfalls", "hold if no meter ran dry", "", "share", before)
        if short:
            yield _simulated("hold", "shortfalls", "shortfalls that the house adds", short, unit="share")
        drift = formulas.drift(plan)
        yield Figure("hold", "drift", "left on the meters after mean fixed pays", "", "share", drift)
    yield Figure("hold", "contribution", "contribution to the meters", "", "share", plan.funding.contribution)
    yield Figure("hold", "reserve", "contribution to the reserve", "", "share", Fraction(plan.reserve_ppm, PPM))
    yield Figure("hold", "reseeding", "reseeding", "", "share", formulas.reseeding(plan))


def _shortfall(plan: MeterPlan, simulation: Simulation) -> Estimate:
    """What the house adds to dry meters, per unit wagered.

    It is never more than all fixed pays P. If a meter runs dry with chance p, what these periods add to the mean of P
    is at most p x mean + sqrt(p) x deviation (Cauchy and Schwarz): a bound where too few of them were seen.
    """
    wagers, pays = plan.period_wagers, [(float(pay.chance), pay.cents / plan.wager_cents) for pay in plan.fixed_pays]
    mean = sum(chance * cents for chance, cents in pays)
    variance = sum(chance * cents**2 for chance, cents in pays) - mean**2
    seen = simulation.books[:, :, SHORT].sum(axis=1) / (float(wagers) * plan.wager_cents * UNIT)
    return rare_mean_of(seen, lambda chance: chance * mean + sqrt(chance * variance / wagers))


# The meters


def _times(plan: MeterPlan) -> Iterator[Figure]:
    chances = [(level.title, "hit", "100 % award", level.hit) for level in plan.levels]
    award = sum((level.award for level in plan.levels), Fraction(0))
    chances.append(("", "award", "any share of a meter", award))
    for meter, key, title, chance in chances:
        yield Figure("times", f"wagers_per_{key}", f"{title}: wagers for one", meter, "wagers", 1 / chance)
        yield Figure("times", f"rounds_per_{key}", f"{title}: rounds for one", meter, "rounds", 1 / chance / plan.seats)
        days = 1 / chance / plan.wagers_per_day
        yield Figure("times", f"days_per_{key}", f"{title}: days for one", meter, "days", days)
        yield Figure(
            "times", f"{key}s_in_period", f"{title}: in the period", meter, "hits", chance * plan.period_wagers
        )


def _percentile_title(percentile: int) -> str:
    return f"{percentile} % are at most"


def _at_hit(plan: MeterPlan, simulation: Simulation | None) -> Iterator[Figure]:
    for level in plan.levels:
        seen = simulation.cycles[level.meter][:, AT_HIT] if simulation else None
        if plan.style is Style.SHARES_ONLY:
            mean = _dollars(formulas.mean_at_hit_cents(level))
            yield Figure("at_hit", "mean", "mean in the long run", level.title, "dollars", mean)
            period = formulas.mean_in_period_cents(level, plan.period_wagers) / CENTS
            yield Figure("at_hit", "mean_in_period", "mean in the period", level.title, "dollars", period)
        elif seen is not None:
            yield _simulated(
                "at_hit", "mean", "mean", mean_of(seen), unit="dollars", meter=level.title, scale=1 / CENTS
            )
        for percentile in PERCENTILES:
            name, title = f"percentile_{percentile}", _percentile_title(percentile)
            if plan.style is Style.SHARES_ONLY and level.only_whole:
                value = _dollars(formulas.at_hit_cents(level, percentile))
                yield Figure("at_hit", name, title, level.title, "dollars", float(value))
            elif seen is not None:
                estimate = percentile_of(seen, percentile)
                yield _simulated("at_hit", name, title, estimate, unit="dollars", meter=level.title, scale=1 / CENTS)


def _restart(plan: MeterPlan) -> Iterator[Figure]:
    for level in plan.levels:
        mean = _dollars(formulas.mean_restart_cents(level))
        yield Figure("restart", "mean", "mean", level.title, "dollars", mean)
        for percentile in PERCENTILES:
            value = float(_dollars(formulas.restart_cents(level, percentile)))
            yield Figure(
                "restart", f"percentile_{percentile}", _percentile_title(percentile), level.title, "dollars", value
            )


def _break_even(plan: MeterPlan, simulation: Simulation | None) -> Iterator[Figure]:
    alone = len(plan.levels) == 1
    for level in plan.levels:
        title = "meter at which the wager is fair" if alone else "fair meter, the others at their seeds"
        even = formulas.break_even_cents(plan, level)
        yield Figure("break_even", "meter", title, level.title, "dollars", _dollars(even))
        if alone:
            yield from _above(plan, level, even, simulation)
    title = "wagers in the player's favor, in the period"
    alone_by_age = _by_age(plan)
    if alone_by_age:
        even = formulas.break_even_cents(plan, alone_by_age)
        share = formulas.share_above_in_period(alone_by_age, even, plan.period_wagers)
        yield Figure("break_even", "above_in_period", title, "", "share", share)
    elif simulation is not None:
        seen = mean_share_of(simulation.sights[:, ABOVE] / plan.period_wagers)
        yield _simulated("break_even", "above_in_period", title, seen, unit="share")


def _by_age(plan: MeterPlan) -> PlanLevel | None:
    """The only meter of a plan, where its age says what is on it: then the period has formulas."""
    level = plan.levels[0]
    only = plan.style is Style.SHARES_ONLY and len(plan.levels) == 1 and formulas.grows_by_age(level)
    return level if only else None


def _above(plan: MeterPlan, level: PlanLevel, even: Fraction, simulation: Simulation | None) -> Iterator[Figure]:
    """The meter at a hit has the law of the meter at any wager."""
    title = "wagers in the player's favor, in the long run"
    if plan.style is Style.SHARES_ONLY and level.only_whole:
        yield Figure("break_even", "above", title, level.title, "share", formulas.share_above(level, even))
    elif simulation is not None:
        seen = simulation.cycles[level.meter][:, AT_HIT]
        estimate = share_of(int((seen >= float(even)).sum()), len(seen))
        yield _simulated("break_even", "above", title, estimate, unit="share", meter=level.title)


# What can go wrong


def _risk(plan: MeterPlan, simulation: Simulation | None) -> Iterator[Figure]:
    spans = (
        ("rounds", f"next 100 % award within {plan.within_rounds:,} rounds", Fraction(plan.within_rounds * plan.seats)),
        ("day", "next 100 % award within a day", plan.wagers_per_day),
        ("week", "next 100 % award within a week", plan.wagers_per_day * WEEK),
    )
    for level in plan.levels:
        for key, title, wagers in spans:
            chance = formulas.within(wagers, level.hit)
            yield Figure("risk", f"back_to_back_{key}", title, level.title, "share", chance)
    for key, title, whole_only in (("hits", "two 100 % awards", True), ("awards", "two meter awards", False)):
        pairs = pairs_in_a_round(plan, whole_only=whole_only)
        expected = pairs.a_round * plan.rounds_per_day * plan.period_days
        yield Figure("risk", f"two_{key}_in_a_round", f"{title} in one round", "", "share", pairs.a_round)
        yield Figure("risk", f"two_{key}_in_period", f"{title} in one round, in the period", "", "hits", expected)
        yield Figure("risk", f"two_{key}_factor", f"{title}, against independent seats", "", "times", pairs.factor)
    yield from _dry(plan, simulation)


def _dry(plan: MeterPlan, simulation: Simulation | None) -> Iterator[Figure]:
    if plan.style is Style.SHARES_ONLY:
        yield Figure("risk", "runs_dry", "a meter runs dry in the period", "", "share", Fraction(0))
        return
    if simulation is None:
        return
    dry = simulation.sights[:, DRY]
    share = share_of(int((dry > 0).sum()), len(dry))
    yield _simulated("risk", "runs_dry", "a meter runs dry in the period", share, unit="share")
    short, wagered = _shortfall(plan, simulation), plan.period_wagers * plan.wager_cents / CENTS
    yield _simulated("risk", "shortfall", "mean shortfall in the period", short, unit="dollars", scale=wagered)


# The separate account


def _custody(plan: MeterPlan, simulation: Simulation | None) -> Iterator[Figure]:
    weekly = _dollars(formulas.accrued_cents(plan, WEEK))
    yield Figure("custody", "weekly_deposit", "players' money to deposit each week", "", "dollars", weekly)
    seeds = _dollars(formulas.reseeded_cents(plan, WEEK))
    yield Figure("custody", "weekly_seeds", "house's seeds, a week on average", "", "dollars", seeds)
    if plan.style is Style.SHARES_ONLY:
        mean = _dollars(formulas.mean_in_custody_cents(plan))
        yield Figure("custody", "mean_long_run", "mean balance in the long run", "", "dollars", mean)
        period = formulas.mean_custody_in_period_cents(plan) / CENTS
        yield Figure("custody", "mean", "mean balance in the period", "", "dollars", period)
    elif simulation is not None:
        balance = mean_of(simulation.sights[:, MEAN])
        yield _simulated(
            "custody", "mean", "mean balance in the period", balance, unit="dollars", scale=1 / UNIT / CENTS
        )
    yield from _highest(plan, simulation)


def _highest(plan: MeterPlan, simulation: Simulation | None) -> Iterator[Figure]:
    """The account at its fullest."""
    level, scale = _by_age(plan), 1 / UNIT / CENTS
    highest = simulation.sights[:, HIGHEST] if simulation else None
    title = "highest balance: mean"
    if level:
        mean = formulas.mean_highest_cents(level, plan.period_wagers) / CENTS
        yield Figure("custody", "highest_mean", title, "", "dollars", mean)
    elif highest is not None:
        yield _simulated("custody", "highest_mean", title, mean_of(highest), unit="dollars", scale=scale)
    for percentile in (95, 99):
        title = f"highest balance: enough in {percentile} % of periods"
        if level:
            enough = _dollars(formulas.highest_cents(level, plan.period_wagers, percentile))
            yield Figure("custody", f"highest_{percentile}", title, "", "dollars", float(enough))
        elif highest is not None:
            estimate = percentile_of(highest, percentile)
            yield _simulated("custody", f"highest_{percentile}", title, estimate, unit="dollars", scale=scale)
    if simulation is not None and highest is not None:
        largest = float(highest.max()) * scale
        title = f"highest balance in these {simulation.histories:,} periods"
        yield Figure("custody", "highest_seen", title, "", "dollars", largest, basis=Basis.SEEN)
