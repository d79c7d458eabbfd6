"""Pictures of a plan: the meter over the period, what it is at a 100 % award, and how long that takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from croupier.analysis.kernels.meter import AT_HIT, Floats
from croupier.analysis.meter import formulas
from croupier.analysis.meter.plan import MeterPlan, PlanLevel
from croupier.analysis.meter.simulation import Simulation
from croupier.analysis.plots import ACCENT, INK, SHADE, picture
from croupier.games.meter import UNIT, Style
from croupier.games.money import CENTS, dollars

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BANDS = ((1, 99, 0.25), (5, 95, 0.35), (25, 75, 0.55))
"""Percentiles, and how dark the band between them is."""
FEWEST_BARS, MOST_BARS = 15, 60
SHOWN = 99.5
"""Percentile at which an axis of money ends."""
WORTH_A_LINE = 1.35
"""A mark that lies further out than this many times the rest would press the rest flat."""
ROOM_FOR_LEGEND = 1.3
MARKED = (50, 95)
LINES = ("-", "--", ":")


def draw(simulation: Simulation, kind: str, place: int = 0) -> Figure:
    """One of the three pictures, or all below each other, for the meter at this place."""
    plan, level = simulation.plan, simulation.plan.levels[place]
    kinds = ("fan", "at-hit", "time") if kind == "all" else (kind,)
    title = f"{plan.wager.title}, paytable {plan.paytable_id}, {dollars(plan.wager_cents)} wager"
    if len(plan.levels) > 1:
        title += f": {level.title}"
    figure, axes = picture(title, rows=len(kinds), height_inches=3.6 * len(kinds) + 0.4)
    for axis, shown in zip(axes, kinds, strict=True):
        match shown:
            case "fan":
                _fan(axis, simulation, place)
            case "at-hit":
                _at_hit(axis, simulation, level)
            case _:
                _time(axis, plan)
    return figure


# Over the period


def _fan(axis: Axes, simulation: Simulation, place: int) -> None:
    """Bands of percentiles at each day, and one history among them."""
    plan = simulation.plan
    seen = np.concatenate(
        (np.full((len(simulation.paths), 1), _seed(plan, place)), _dollars(simulation, place)), axis=1
    )
    days = np.arange(seen.shape[1]) * simulation.step / float(plan.wagers_per_day)
    for low, high, dark in BANDS:
        bottom, top = np.percentile(seen, (low, high), axis=0)
        axis.fill_between(days, bottom, top, color=SHADE, alpha=dark, linewidth=0, label=f"{low} % to {high} %")
    axis.plot(days, np.median(seen, axis=0), color=INK, linewidth=1.8, label="median")
    sample = np.concatenate(([_seed(plan, place)], simulation.sample[:, place] / UNIT / CENTS))
    axis.plot(np.linspace(0, days[-1], len(sample)), sample, color=INK, linewidth=0.7, alpha=0.8, label="one history")
    top = max(float(np.percentile(seen, 99)), float(sample.max()))
    shown = _break_even(axis, plan, plan.levels[place], top, along="y")
    axis.set(xlabel="days", ylabel="meter")
    _entitle(axis, f"The meter over the period, {float(plan.wagers_per_day):,.0f} wagers a day")
    axis.set_xlim(0, float(days[-1]))
    axis.set_ylim(0, ROOM_FOR_LEGEND * max(top, shown))
    _money(axis, "y")
    axis.legend(loc="upper left", fontsize=8, ncols=3)


def _seed(plan: MeterPlan, place: int) -> float:
    return plan.levels[place].seed_cents / CENTS


def _dollars(simulation: Simulation, place: int) -> Floats:
    return np.asarray(simulation.paths[:, :, place] / UNIT / CENTS)


# At a 100 % award


def _at_hit(axis: Axes, simulation: Simulation, level: PlanLevel) -> None:
    plan, seen = simulation.plan, simulation.cycles[level.meter][:, AT_HIT] / CENTS
    top = float(np.percentile(seen, SHOWN))
    bars = int(np.clip(np.sqrt(len(seen)), FEWEST_BARS, MOST_BARS))
    counts, edges = np.histogram(seen, bins=bars, range=(min(float(seen.min()), level.seed_cents / CENTS), top))
    axis.bar(edges[:-1], 100 * counts / len(seen), np.diff(edges), align="edge", color=SHADE, edgecolor="white", lw=0.4)
    exact = plan.style is Style.SHARES_ONLY
    mean = float(formulas.mean_at_hit_cents(level)) / CENTS if exact else float(seen.mean())
    axis.axvline(mean, color=INK, linewidth=1.5, label=f"mean ${mean:,.0f}")
    seed = level.seed_cents / CENTS
    axis.axvline(seed, color=INK, linewidth=1.2, linestyle=":", label=f"seed ${seed:,.0f}")
    _break_even(axis, plan, level, top, along="x")
    axis.set(xlabel="meter", ylabel="share of hits, %")
    _entitle(axis, "The meter at a 100 % award, in the long run")
    axis.set_xlim(0, top)
    _money(axis, "x")
    axis.legend(loc="upper right", fontsize=8)


# Time


def _time(axis: Axes, plan: MeterPlan) -> None:
    """How likely each meter is hit within so many days; by formula."""
    a_day = float(plan.wagers_per_day)
    longest = max(formulas.wagers_to(0.99, level.hit) for level in plan.levels) / a_day
    days = np.linspace(0, longest, 400)
    for number, level in enumerate(plan.levels):
        share = -100 * np.expm1(days * a_day * np.log1p(-float(level.hit)))
        name = f"{level.title}: " if len(plan.levels) > 1 else ""
        mean, half, most = (wagers / a_day for wagers in (1 / float(level.hit), *(_by(level, part) for part in MARKED)))
        label = f"{name}mean {mean:,.1f} days, half by {half:,.1f}, {MARKED[1]} % by {most:,.1f}"
        axis.plot(days, share, color=INK, linestyle=LINES[number % len(LINES)], linewidth=1.8, label=label)
        axis.plot([half, most], MARKED, "o", color=ACCENT, markersize=4)
    axis.set(xlabel="days", ylabel="hit by then, %")
    _entitle(axis, f"Time to a 100 % award, {a_day:,.0f} wagers a day")
    axis.set_xlim(0, longest)
    axis.set_ylim(0, 102)
    axis.legend(loc="lower right", fontsize=8)


def _by(level: PlanLevel, percentile: int) -> int:
    return formulas.wagers_to(percentile / 100, level.hit)


# Shared


def _entitle(axis: Axes, title: str) -> None:
    axis.set_title(title, loc="left", fontsize=10)


def _money(axis: Axes, which: str) -> None:
    from matplotlib.ticker import FuncFormatter

    (axis.xaxis if which == "x" else axis.yaxis).set_major_formatter(FuncFormatter(lambda value, _: f"${value:,.0f}"))


def _break_even(axis: Axes, plan: MeterPlan, level: PlanLevel, top: float, *, along: str) -> float:
    """A line where the wager turns, or a word where it lies far outside; gives what has to be shown."""
    even = float(formulas.break_even_cents(plan, level)) / CENTS
    label = f"break-even ${even:,.0f}" + (", others at their seeds" if len(plan.levels) > 1 else "")
    if 0 < even <= (WORTH_A_LINE * top if along == "y" else top):
        line = axis.axhline if along == "y" else axis.axvline
        line(even, color=ACCENT, linewidth=1.4, linestyle="--", label=label)
        return even
    axis.plot([], [], color=ACCENT, linewidth=1.4, linestyle="--", label=f"{label}: outside")
    return 0.0
