"""Runs of seeds: what a failing one says, and how it is repeated."""

from __future__ import annotations

import os
import traceback
from collections.abc import Mapping

from tests.simulation.observer import Violation
from tests.simulation.world import World

DATABASE, SQLITE = "database", "sqlite"
LAST_LINES = 60


def of_environment(name: str, default: int) -> int:
    return int(os.environ.get(name, default))


def world(seed: int, kind: str, *, traced: bool = False) -> World:
    if kind == SQLITE:
        from tests.simulation.sqlite_site import SqliteSite

        return World(seed, SqliteSite, traced=traced)
    return World(seed, traced=traced)


def run(seed: int, kind: str, often: Mapping[str, float] | None = None) -> None:
    """Raises Violation, or whatever the program raises that nobody has expected; `often` for a world of few faults."""
    made = world(seed, kind)
    if often is not None:
        made.only(often)
    try:
        made.run()
    except BaseException:
        made.end()
        raise


def failure(seed: int, kind: str) -> str:
    """What goes wrong with a seed, with the command that repeats it; nothing where all is well."""
    try:
        run(seed, kind)
    except (Violation, Exception):
        trace, found = repeat(seed, kind)
        again = f"python -m tests.simulation {seed}{' --sqlite' if kind == SQLITE else ''}"
        return "\n".join([*trace[-LAST_LINES:], f"seed {seed} on {kind}: {found}", f"again with: {again}"])
    return ""


def repeat(seed: int, kind: str) -> tuple[list[str], str]:
    """All that happened, and what was wrong at the end of it."""
    made = world(seed, kind, traced=True)
    assert made.trace is not None
    made.trace.append(f"faults: {', '.join(sorted(made.faults)) or 'none'}; writers: {made.manner}")
    try:
        made.run()
    except Violation as error:
        return made.trace, str(error)
    except Exception:
        return made.trace, traceback.format_exc(limit=-5)
    return made.trace, ""
