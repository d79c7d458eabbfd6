"""A tally as a picture: each wager's edge with its interval, and how often each line came and should come."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from croupier.analysis import plots
from croupier.analysis.simulation.tally import Tally, WagerTally

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_tally(tally: Tally, file: Path, *, confidence: float, compare: bool) -> None:
    """Write the picture; with `compare` the counted values are marked in it."""
    lines = sum(len(each.figures.lines) for each in tally.wagers if each.times)
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
    plots.save(figure, file)


def _draw_edges(axes: Axes, tally: Tally, *, confidence: float, compare: bool) -> None:
    for place, each in enumerate(tally.wagers):
        found = each.interval(confidence)
        if found is None:
            continue
        edge, reach = float(each.figures.house_edge), (found[1] - found[0]) / 2
        axes.errorbar(100 * edge, place, xerr=100 * reach, fmt="o", color=plots.INK, capsize=4)
        if compare and each.exact_edge is not None:
            axes.plot(100 * each.exact_edge, place, marker="|", markersize=18, color=plots.ACCENT)
    axes.set_yticks(range(len(tally.wagers)), [each.of.wager.title for each in tally.wagers])
    axes.set_ylim(len(tally.wagers) - 0.5, -0.5)
    counted = "; counted in red" if compare else ""
    axes.set_xlabel(f"house edge in percent, {100 * confidence:g} % interval{counted}")


def _draw_lines(axes: Axes, wagers: tuple[WagerTally, ...], *, compare: bool) -> None:
    names, place = [], 0
    for each in wagers:
        counted = {one.line.line: one.chance for one in each.compared or ()} if compare else {}
        for line in each.figures.lines if each.times else ():
            axes.barh(place, float(line.probability), color=plots.SHADE)
            if counted.get(line.line):
                axes.plot(counted[line.line], place, marker="|", markersize=9, color=plots.ACCENT)
            names.append(f"{each.of.wager.title}: {line.line}")
            place += 1
    axes.set_yticks(range(place), names, fontsize=7)
    axes.set_ylim(place - 0.4, -0.6)
    axes.set_xscale("log")
    axes.set_xlabel("how often, of all times the wager was made (logarithmic)")
