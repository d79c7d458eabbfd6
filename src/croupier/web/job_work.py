"""What a job does, in a process of its own: it tells how far it is, and in the end what came of it.

Messages are ("progress", {...}), then one ("result", {...}) or ("error", sentence).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from croupier.errors import CroupierError
from croupier.web.analyst import begin_quietly, in_api_words
from croupier.web.questions import Query, find_paytable, settings_from

if TYPE_CHECKING:
    from croupier.analysis.simulation.job import Totals
    from croupier.analysis.simulation.setup import Simulation

SIMULATE, PLAN = "simulate", "plan"
TOLD_EVERY_S = 0.25
Tell = Callable[[dict[str, Any]], None]


def work(channel: Connection, kind: str, asked: dict[str, Any]) -> None:
    """The whole life of the process."""
    begin_quietly()
    try:
        channel.send(("result", _WORKS[kind](asked, lambda progress: channel.send(("progress", progress)))))
    except CroupierError as error:
        channel.send(("error", in_api_words(str(error))))
    channel.close()


def _simulate(asked: dict[str, Any], tell: Tell) -> dict[str, Any]:
    """The same totals as `croupier simulate --json` with the same seed."""
    from croupier.analysis.simulation.asked import Sample, simulation_of
    from croupier.analysis.simulation.record import as_record
    from croupier.analysis.simulation.run import run
    from croupier.analysis.simulation.tally import Tally

    sample = {key: value for key, value in asked.items() if key != "confidence"}
    paytables = [(key, table) for key, table in asked["paytables"]]
    made = simulation_of(Sample(**{**sample, "paytables": paytables}), find_paytable)
    result = run(made.job, report=_told(made, asked["confidence"], tell))
    tally = Tally(made, result.totals)
    return as_record(tally, compare=asked["compare"], confidence=asked["confidence"], complete=result.complete)


def _told(made: Simulation, confidence: float, tell: Tell) -> Callable[[Totals], None]:
    """How far it is, and the house edge of the first wager so far."""
    from croupier.analysis.simulation.tally import Tally

    last = -TOLD_EVERY_S

    def report(totals: Totals) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < TOLD_EVERY_S:
            return
        last = now
        base = Tally(made, totals).wagers[0]
        interval = base.interval(confidence)
        estimate = {
            "wager": base.of.wager.key,
            "house_edge_percent": 100 * float(base.figures.house_edge) if base.times else None,
            "interval_percent": [100 * end for end in interval] if interval else None,
        }
        tell({"done": totals.rounds, "of": made.job.rounds, "estimate": estimate})

    return report


def _plan(asked: dict[str, Any], tell: Tell) -> dict[str, Any]:
    """The same figures as `croupier plan --json` with the same seed."""
    from croupier.analysis.meter_figures import figures_of
    from croupier.analysis.meter_record import Planned, as_programs_read
    from croupier.analysis.meter_settings import plan_from
    from croupier.analysis.meter_simulation import simulate, work
    from croupier.analysis.meter_warnings import warnings_of

    settings: Query = tuple((key, value) for key, value in asked["settings"].items())
    plan = plan_from(settings_from(settings), find_paytable)
    seed, histories = asked["seed"], asked["histories"]
    done, of, last = 0, work(plan, histories), -TOLD_EVERY_S

    def advance(more: int) -> None:
        nonlocal done, last
        done, now = done + more, time.monotonic()
        if now - last >= TOLD_EVERY_S:
            last = now
            tell({"done": min(done, of), "of": of, "estimate": None})

    simulation = simulate(plan, seed=seed, histories=histories, advance=advance)
    planned = Planned(plan.wager.key, plan, warnings_of(plan), figures_of(plan, simulation), simulation)
    return as_programs_read([planned], seed)


_WORKS: dict[str, Callable[[dict[str, Any], Tell], dict[str, Any]]] = {SIMULATE: _simulate, PLAN: _plan}
