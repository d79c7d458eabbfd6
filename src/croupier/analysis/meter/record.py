"""A plan and all that is known about it, for programs; and two plans beside each other."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple

from croupier.analysis.meter.figures import SECTIONS, Basis, Figure, figures_of
from croupier.analysis.meter.plan import MeterPlan
from croupier.analysis.meter.settings import settings_of
from croupier.analysis.meter.simulation import Simulation, check_length, check_run, simulate
from croupier.analysis.meter.warnings import Caution, warnings_of


class Planned(NamedTuple):
    """A plan and all that is known about it."""

    name: str
    plan: MeterPlan
    cautions: list[Caution]
    figures: list[Figure]
    simulation: Simulation


def played_plan(
    name: str, plan: MeterPlan, seed: int, histories: int | None, advance: Callable[[int], None] = lambda done: None
) -> Planned:
    """The plan with its formulas, and played so many times for the rest."""
    check_run(seed, histories)
    check_length(plan, histories)
    simulation = simulate(plan, seed=seed, histories=histories, advance=advance)
    return Planned(name, plan, warnings_of(plan), figures_of(plan, simulation), simulation)


def within_noise(one: Figure, other: Figure) -> bool:
    """Whether the intervals of two figures overlap, at least one of them simulated."""
    if Basis.SIMULATED not in (one.basis, other.basis):
        return False
    (low, high), (other_low, other_high) = _ends(one), _ends(other)
    return low <= other_high and other_low <= high


def _ends(figure: Figure) -> tuple[float, float]:
    """An exact figure is its own interval; an end that the histories do not know is anywhere."""
    if figure.basis is not Basis.SIMULATED:
        return float(figure.value), float(figure.value)
    return -inf if figure.low is None else figure.low, inf if figure.high is None else figure.high


def differences(one: list[Figure], other: list[Figure]) -> list[tuple[Figure | None, Figure | None]]:
    """The figures of two plans side by side, in the order in which they are read."""
    sides: dict[tuple[str, str, str], list[Figure | None]] = {}
    for place, figures in enumerate((one, other)):
        for figure in figures:
            sides.setdefault((figure.section, figure.key, figure.meter), [None, None])[place] = figure
    order = list(SECTIONS)
    ranked = sorted(sides.items(), key=lambda item: order.index(item[0][0]))
    return [(first, second) for _, (first, second) in ranked]


def as_programs_read(planned: list[Planned], seed: int) -> dict[str, Any]:
    """One plan, or two with their differences, in the JSON form of `croupier plan`."""
    plans = [_as_json(plan, seed) for plan in planned]
    if len(plans) == 1:
        return plans[0]
    pairs = differences(planned[0].figures, planned[1].figures)
    return {
        "plans": plans,
        "differences": [
            {"section": one.section, "key": one.key, "meter": one.meter or None, "unit": one.unit}
            | {"difference": float(other.value - one.value), "within_noise": within_noise(one, other)}
            for one, other in pairs
            if one is not None and other is not None
        ],
    }


def _as_json(planned: Planned, seed: int) -> dict[str, Any]:
    return {
        "name": planned.name,
        "plan": settings_of(planned.plan),
        "warnings": [caution.as_json() for caution in planned.cautions],
        "seed": seed,
        "histories": planned.simulation.histories,
        "cycles": {level.title: len(planned.simulation.cycles[level.meter]) for level in planned.plan.levels},
        "confidence": 0.95,
        "figures": [figure.as_json() for figure in planned.figures],
    }
