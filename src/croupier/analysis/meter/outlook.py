"""A progressive from where its meters stand now: what the next wager is worth, where it turns, and what may come.

Values, break-even and times are exact, as in `meter_figures`. The bands ahead are played: many histories from the
present meters and reserves, and at each day the percentiles among them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np

from croupier.analysis.kernels.meter import COLUMNS, Ints, Span, State, run_history, stream_of
from croupier.analysis.meter import formulas
from croupier.analysis.meter.plan import MeterPlan
from croupier.analysis.meter.simulation import meters_of
from croupier.games.meter import UNIT
from croupier.games.money import CENTS

PERCENTILES = (5, 25, 50, 75, 95)
HISTORIES = 600
POINTS = 60
LEAST_DAYS, MOST_DAYS = 7, 365
SEED = 7
SPANS = (("day", 1), ("week", 7), ("month", 30))


def outlook(plan: MeterPlan, meters_cents: Mapping[str, int], reserves_cents: Mapping[str, int]) -> dict[str, Any]:
    """Everything about the present meters, in dollars, shares, wagers and days."""
    now, even = worth(plan, meters_cents), plan.progressive.break_even(in_wagers(plan, meters_cents))
    plan = replace(plan, period_days=_days(plan))
    steps, bands = _ahead(plan, meters_cents, reserves_cents)
    return {
        **now,
        **{"wagers_per_day": float(plan.wagers_per_day), "days_ahead": plan.period_days, "histories": HISTORIES},
        "levels": [
            {
                **{"level": level.meter, "title": level.title, "meter_dollars": meters_cents[level.meter] / CENTS},
                "break_even_dollars": _dollars(even[level.meter], plan),
                **_times(plan, level.hit),
                "ahead": {"days": steps, **bands[place]},
            }
            for place, level in enumerate(plan.levels)
        ],
    }


def in_wagers(plan: MeterPlan, meters_cents: Mapping[str, int]) -> dict[str, Fraction]:
    """Where the meters stand, in wagers."""
    return {name: Fraction(cents, plan.wager_cents) for name, cents in meters_cents.items()}


def worth(plan: MeterPlan, meters_cents: Mapping[str, int]) -> dict[str, Any]:
    """What the next wager is worth, and to whom, with the meters where they stand."""
    value = -plan.progressive.house_edge(in_wagers(plan, meters_cents))
    return {
        "wager_dollars": plan.wager_cents / CENTS,
        "value_share": float(value),
        "value_dollars": float(value * plan.wager_cents / CENTS),
        "in_favor_of": "player" if value > 0 else "house" if value < 0 else "nobody",
    }


def _dollars(wagers: Fraction | None, plan: MeterPlan) -> float | None:
    return None if wagers is None else float(wagers * plan.wager_cents / CENTS)


def _times(plan: MeterPlan, hit: Fraction) -> dict[str, Any]:
    return {
        **{"wagers_per_hit": float(1 / hit), "days_per_hit": float(1 / hit / plan.wagers_per_day)},
        "half_within_days": formulas.wagers_to(0.5, hit) / float(plan.wagers_per_day),
        "within": {name: formulas.within(plan.wagers_per_day * days, hit) for name, days in SPANS},
    }


def _days(plan: MeterPlan) -> int:
    """Long enough that most meters are won once."""
    longest = max(1 / level.hit for level in plan.levels) / plan.wagers_per_day
    return min(MOST_DAYS, max(LEAST_DAYS, ceil(Fraction(3, 2) * longest)))


def _ahead(
    plan: MeterPlan, meters_cents: Mapping[str, int], reserves_cents: Mapping[str, int]
) -> tuple[list[float], list[dict[str, list[float]]]]:
    """Days, and by meter the percentiles of what it shows then."""
    meters, count = meters_of(plan, plan.levels), len(plan.levels)
    span = Span(plan.period_wagers, max(1, -(-plan.period_wagers // POINTS)))
    held, reserve = (_units(plan, cents) for cents in (meters_cents, reserves_cents))
    paths = np.zeros((HISTORIES, span.wagers // span.step, count), np.int64)
    stream = stream_of(SEED, 0)
    for path in paths:
        state = State(held.copy(), reserve.copy(), np.zeros((count, COLUMNS), np.int64))
        run_history(meters, span, stream, state, (np.zeros(4), path))
    days = np.arange(paths.shape[1] + 1) * span.step / float(plan.wagers_per_day)
    begun = np.concatenate((np.broadcast_to(held, (HISTORIES, 1, count)), paths), axis=1) / UNIT / CENTS
    spread = np.percentile(begun, PERCENTILES, axis=0)
    bands = [
        {f"p{percentile}": np.round(spread[row, :, place], 2).tolist() for row, percentile in enumerate(PERCENTILES)}
        for place in range(count)
    ]
    return np.round(days, 4).tolist(), bands


def _units(plan: MeterPlan, cents: Mapping[str, int]) -> Ints:
    return np.array([cents[level.meter] * UNIT for level in plan.levels], np.int64)
