"""What can be said about a meter without playing it: times between hits, means, and laws where only 100 % awards exist.

A wager first adds c to the meter and r to its reserve, then wins all of the meter with probability p. Lines that pay a
smaller share take q of the meter on average. Wagers are independent.

- The number of wagers to a 100 % award is geometric, its mean 1/p.
- A meter restarts at seed + r N, where N is the length of the cycle before.
- Its mean at a 100 % award: with m(k) the mean after the k-th contribution of a cycle that is still going on,
  m(k+1) = m(k) (1 - q/(1-p)) + c and m(1) = restart + c, so the sum of p (1-p)^(k-1) m(k) is

      (p x seed + r + c) / (p + q)

- A hit does not care where the meter stands, so the meter at a hit and the meter at any wager have one law in the long
  run. The share of wagers above a value is the chance that the meter is above it at a hit.
- In a period that begins at the seed the mean meter goes by x(t+1) = (1 - p - q) x(t) + p seed + c + p y(t), with
  y(t) = (1 - (1-p)^t) r/p for what its reserve holds. The sum over the period is one of geometric series
  (`mean_in_period_cents`).
- Without smaller shares and without a reserve the meter is seed + c x age, and the highest meter of a period is the
  longest stretch without a hit: the law of the longest run in independent trials, De Moivre's sum (`highest_cents`).
- Without smaller shares the meter at a hit is seed + r N + c N', two independent geometric numbers. The law is a sum of
  finite geometric series (`growth_up_to`), good to double precision.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import ceil, exp, floor, gcd, log, log1p

import numpy as np

from croupier.analysis.meter.plan import MeterPlan, PlanLevel
from croupier.games.meter import PPM, UNIT, Style

AT_ONCE = 2**18
"""Terms of a sum, so that it takes no more memory the longer it is."""
LONG_STRETCH, PARTS, NODES = 30, 40, 48
"""What e to the power of minus this is, counts as nothing; pieces of an integral, and places in each of them."""

# The house


def hold_before_shortfalls(plan: MeterPlan) -> Fraction:
    """What the house keeps of each wager in the long run, if no meter ever runs dry."""
    reserve = Fraction(plan.reserve_ppm, PPM)
    if plan.style is Style.SHARES_ONLY:
        return plan.progressive.hold(plan.funding) - reserve
    return 1 - plan.funding.contribution - reserve - reseeding(plan)


def reseeding(plan: MeterPlan) -> Fraction:
    """What seeds cost of each wager."""
    return sum((level.hit * level.seed_cents for level in plan.levels), Fraction(0)) / plan.wager_cents


def drift(plan: MeterPlan) -> Fraction:
    """Style A: what is left of a wager's contribution once the mean fixed pays are off the meters."""
    return plan.funding.contribution - plan.progressive.fixed_return


def break_even_cents(plan: MeterPlan, level: PlanLevel) -> Fraction:
    """Where a meter makes the wager fair while the others stand at their seeds; below 0 they alone are enough."""
    meter_units = plan.progressive.break_even(plan.funding.seeds)[level.meter]
    assert meter_units is not None, "every meter is paid by some line"
    return meter_units * plan.wager_cents


# Times


def wagers_to(share: float, chance: Fraction) -> int:
    """In how many wagers a line comes with at least this probability."""
    return max(1, ceil(log1p(-share) / _log_quiet(chance)))


def within(wagers: Fraction, chance: Fraction) -> float:
    """How likely a line comes within so many wagers."""
    return float(-np.expm1(floor(wagers) * _log_quiet(chance)))


def _log_quiet(chance: Fraction) -> float:
    return log1p(-float(chance))


# Means, in cents


def mean_restart_cents(level: PlanLevel) -> Fraction:
    return level.seed_cents + level.reserve_units / level.hit / UNIT


def restart_cents(level: PlanLevel, percentile: int) -> Fraction:
    """What a meter restarts at, or less, in so many of a hundred cases."""
    return level.seed_cents + Fraction(level.reserve_units * wagers_to(percentile / 100, level.hit), UNIT)


def mean_at_hit_cents(level: PlanLevel) -> Fraction:
    """Style B: at a 100 % award, and at any wager in the long run."""
    fed = Fraction(level.contribution_units + level.reserve_units, UNIT)
    return (level.hit * level.seed_cents + fed) / level.worth


def mean_in_custody_cents(plan: MeterPlan) -> Fraction:
    """Style B: on all meters and in their reserves, in the long run.

    A wager finds a cycle as old as cycles are long, on average, so a reserve holds what a cycle brings.
    """
    reserves = (level.reserve_units / level.hit / UNIT for level in plan.levels)
    return sum((mean_at_hit_cents(level) for level in plan.levels), Fraction(0)) + sum(reserves, Fraction(0))


def accrued_cents(plan: MeterPlan, days: int) -> Fraction:
    """What players pay in to meters and reserves in so many days."""
    return plan.wagers_per_day * days * plan.wager_cents * Fraction(plan.contribution_ppm + plan.reserve_ppm, PPM)


def reseeded_cents(plan: MeterPlan, days: int) -> Fraction:
    """What the house pays in as seeds in so many days, on average."""
    return reseeding(plan) * plan.wagers_per_day * days * plan.wager_cents


# The period, which begins at the seeds, in cents


def mean_in_period_cents(level: PlanLevel, wagers: int) -> float:
    """Style B: the meter at any wager of the first so many, and at a 100 % award among them, on average."""
    hit, worth = float(level.hit), float(level.worth)
    reserve, fed = level.reserve_units / UNIT, (level.contribution_units + level.reserve_units) / UNIT
    rest = (hit * level.seed_cents + fed) / worth
    first = level.seed_cents + level.contribution_units / UNIT
    quiet, kept = log1p(-hit), log1p(-worth)
    if (
        level.only_whole
    ):  # what the reserve lacks fades as fast as the opening does: t (1-p)^(t-1) instead of two powers
        slow = reserve * _sum_of_powers_by_age(quiet, wagers)
        return rest + ((first - rest) * _sum_of_powers(kept, wagers) - slow) / wagers
    lacking = reserve * (1 - hit) / (worth - hit)
    opening = (first - rest + lacking) * _sum_of_powers(kept, wagers)
    return rest + (opening - lacking * _sum_of_powers(quiet, wagers)) / wagers


def mean_custody_in_period_cents(plan: MeterPlan) -> float:
    """Style B: on all meters and in their reserves, at a wager of the period, on average."""
    wagers, total = plan.period_wagers, 0.0
    for level in plan.levels:
        quiet = log1p(-float(level.hit))
        full = level.reserve_units / UNIT / float(level.hit)
        reserve = full * (1 - exp(quiet) * _sum_of_powers(quiet, wagers) / wagers)
        total += mean_in_period_cents(level, wagers) + reserve
    return total


def _sum_of_powers(log: float, terms: int) -> float:
    """1 + s + s^2 + ..., so many terms, of s = exp(log) below 1."""
    return float(np.expm1(terms * log) / np.expm1(log))


def _sum_of_powers_by_age(log: float, terms: int) -> float:
    """s + 2 s^2 + 3 s^3 + ... with so many terms, the first of them 0."""
    base = exp(log)
    return (1 - terms * exp((terms - 1) * log) + (terms - 1) * exp(terms * log)) * base / (1 - base) ** 2


# The highest meter of a period, where nothing but 100 % awards takes from it and no reserve adds to it


def grows_by_age(level: PlanLevel) -> bool:
    """Whether the meter is its seed and so much for each wager since the last 100 % award."""
    return level.only_whole and not level.reserve_units and level.contribution_units > 0


def share_above_in_period(level: PlanLevel, cents: Fraction, wagers: int) -> float:
    """How often one of so many wagers from the seed on finds the meter at this value or above."""
    age = max(1, ceil((cents - level.seed_cents) * UNIT / level.contribution_units))
    return max(0, wagers - age + 1) / wagers * exp((age - 1) * _log_quiet(level.hit))


def highest_cents(level: PlanLevel, wagers: int, percentile: int) -> Fraction:
    """Up to where the meter comes, or less, in so many of a hundred periods."""
    low, high = 0, wagers
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if longest_up_to(middle, wagers, level.hit) >= percentile / 100 else (middle, high)
    return level.seed_cents + Fraction(level.contribution_units * high, UNIT)


def mean_highest_cents(level: PlanLevel, wagers: int) -> float:
    """Up to where the meter comes in a period, on average.

    The mean of the longest stretch is the sum of the chances that it is longer than 0, 1, 2, ...; between wagers / 2,
    wagers / 3, ... the chance is smooth: Gauss' rule, and half of what stands at both ends.
    """
    longest = min(wagers - 1, ceil((log(max(wagers * float(level.hit), 1.0)) + LONG_STRETCH) / float(level.hit)))
    ends = [longest, *(wagers / part for part in range(2, PARTS) if wagers / part < longest), 0]
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    total = 1 - longest_up_to(longest, wagers, level.hit) / 2
    for high, low in pairwise(ends):
        at = (high + low) / 2 + (high - low) / 2 * nodes
        longer = [1 - longest_up_to(stretch, wagers, level.hit) for stretch in at]
        total += float((high - low) / 2 * (weights @ longer))
    return level.seed_cents + total * level.contribution_units / UNIT


def longest_up_to(stretch: float, wagers: int, chance: Fraction) -> float:
    """How likely no more than so many of the wagers go by from one hit to the next, the hit included, or to the end.

    That is: among all wagers but the last there is no run of so many without a hit.
    """
    trials, hit = wagers - 1, float(chance)
    run = exp(stretch * log1p(-hit))
    if stretch > trials:
        return 1.0
    if trials * hit * run > LONG_STRETCH:
        return 0.0
    return max(0.0, _without(trials, stretch, hit * run) - run * _without(trials - stretch, stretch, hit * run))


def _without(trials: float, stretch: float, chance: float) -> float:
    """The alternating sum of C(trials - l stretch, l) chance^l."""
    total, number = 0.0, 0
    while number <= trials - number * stretch:
        among, term = trials - number * stretch, 1.0
        for drawn in range(number):
            term *= -chance * (among - drawn) / (drawn + 1)
        total += term
        number += 1
        if number > 2 * LONG_STRETCH and abs(term) < 1e-17:
            break
    return total


# Laws, where nothing but 100 % awards takes from a meter


def at_hit_cents(level: PlanLevel, percentile: int) -> Fraction:
    """What a meter is at a 100 % award, or less, in so many of a hundred cases; right to what a few wagers add.

    The law of a meter that grows all the time is nearly the true one. Where it says the percentile lies, the true law
    is asked once, and the difference is made good at the density there.
    """
    assert level.only_whole, "a meter that is also paid in smaller shares has no such formula"
    large, small = _steps(level)
    share, hit = percentile / 100, float(level.hit)
    if not small:
        return level.seed_cents + Fraction(large * wagers_to(share, level.hit), UNIT)
    low, high = 0, (large + small) * wagers_to(1 - 1e-9, level.hit)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _steady(large, small, hit * middle)[0] >= share else (middle, high)
    density = _steady(large, small, hit * high)[1] * hit
    units = high + round((share - growth_up_to(level, high)) / density)
    return level.seed_cents + Fraction(units, UNIT)


def _steps(level: PlanLevel) -> tuple[int, int]:
    """The larger and the smaller of contribution and reserve."""
    return max(level.contribution_units, level.reserve_units), min(level.contribution_units, level.reserve_units)


def _steady(large: int, small: int, grown: float) -> tuple[float, float]:
    """The law and the density of the sum of two exponential numbers with these means."""
    if large == small:
        return 1 - exp(-grown / large) * (1 + grown / large), grown / large**2 * exp(-grown / large)
    slow, fast = exp(-grown / large), exp(-grown / small)
    return 1 - (large * slow - small * fast) / (large - small), (slow - fast) / (large - small)


def share_above(level: PlanLevel, cents: Fraction) -> float:
    """How often a wager finds the meter at this value or above, in the long run."""
    assert level.only_whole, "a meter that is also paid in smaller shares has no such formula"
    return 1 - growth_up_to(level, ceil((cents - level.seed_cents) * UNIT) - 1)


def growth_up_to(level: PlanLevel, units: int) -> float:
    """How likely a meter stands at most so many units above its seed when it is hit: P(c N' + r N <= units)."""
    large, small = _steps(level)
    if units < large + small or not large:
        return float(units >= 0 and not large)
    quiet = _log_quiet(level.hit)
    if not small:
        return float(-np.expm1(units // large * quiet))
    return float(-np.expm1(units // large * quiet)) - _both(large, small, units, float(level.hit), quiet)


def _both(large: int, small: int, units: int, hit: float, quiet: float) -> float:
    """The sum over n of p s^(n-1) s^floor((units - large n) / small), s = 1 - p.

    With large : small = a : b in lowest terms, n and n + b differ by exactly a in the floor. So for each of the b
    remainders the terms are a geometric series, which is summed from its largest term down.
    """
    a, b = large // gcd(large, small), small // gcd(large, small)
    step, last = abs(a - b) * quiet, min(b, units // large)
    total = 0.0
    for begin in range(1, last + 1, AT_ONCE):
        first = np.arange(begin, min(begin + AT_ONCE, last + 1), dtype=np.int64)
        terms = (units - large * first) // min(large * b, units) + 1  # beyond all units there is one term only
        power = first - 1 + (units - large * first) // small
        if a > b:  # the last term is the largest
            power -= (a - b) * (terms - 1)
        sums = np.expm1(terms * step) / np.expm1(step) if step else terms.astype(np.float64)
        total += float((hit * np.exp(power * quiet) * sums).sum())
    return total
