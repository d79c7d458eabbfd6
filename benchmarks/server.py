"""The server over HTTP, beside PostgreSQL with one hot meter row: games a second, latencies, listeners, start.

A real `croupier serve` with its log, and as many tables on one link as a house may have. Each table is a connection
that stays open, with a dealer's session of its own. A game is START GAME with seven wagers, answered when it is
durable, and END GAME, which is needed for the next and is not counted. The yardstick is pgbench as in the ledger's
benchmark, and both take turns on the same disk.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from time import monotonic, sleep

from benchmarks import load
from benchmarks.ledger import pgbench, spread
from benchmarks.long_book import ROWS, long_books
from benchmarks.measure import Result, in_words, steps
from benchmarks.room import SEATS, TABLES, Served, make_room, serving
from support.postgres import new_floor

TIMES, RUN_S = 3, 4.0
STARTS = 5
WARM_UP_S = 1.0
STEADY_S = 10.0
DISK_EVERY_S = 0.05
LISTENERS = 100
LEAST_RATIO = {"SQLite": 0.6, "PostgreSQL": 0.45}
"""Games a second, of the yardstick's rows."""
MOST_P99_S, MOST_TOLD_S, MOST_START_S = 0.050, 0.250, 3.0


@dataclass
class Measured:
    """One store's server."""

    server: Served
    games: list[float] = field(default_factory=list)
    """A second, as fast as they were answered."""
    game_cpu_s: list[float] = field(default_factory=list)
    """Processor time of the server for each of them, END GAME too: on a busy machine it says more than the rate."""
    busiest: load.Load = field(default_factory=load.Load)
    """The last run as fast as possible."""
    waited_s: list[float] = field(default_factory=list)
    """At half the load."""
    disk_s: list[float] = field(default_factory=list)
    """What the disk took meanwhile for one block of its own, synced: a stall of the disk is nobody's fault here."""
    told_s: list[float] = field(default_factory=list)
    """From an answer to each listener."""


def run() -> Iterator[Result]:
    """Both stores and the yardstick in turns; then both at half the load, and with listeners."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as servers:
        stores = {}
        for store, db in (("SQLite", f"sqlite:///{name}/floor.db"), ("PostgreSQL", new_floor())):
            stores[store] = Measured(servers.enter_context(serving(make_room(db, Path(name)))))
            load.run(_fast(stores[store], WARM_UP_S))
            stores[store].games.clear()
            stores[store].game_cpu_s.clear()
        yardsticks = []
        for _ in steps("as fast as answered", range(TIMES)):
            yardsticks.append(pgbench(Path(name), RUN_S))
            for measured in stores.values():
                load.run(_fast(measured, RUN_S))
        yardstick = median(yardsticks)
        for store in steps("half the load, and listeners", list(stores)):
            load.run(_steady(stores[store], _half(store, stores[store], yardstick), Path(name)))
        for store, measured in stores.items():
            yield from _results(store, measured, yardstick)


def _half(store: str, measured: Measured, yardstick: float) -> float:
    """Half of what the target asks for, or of what the server can do, where that is more."""
    return max(median(measured.games), LEAST_RATIO[store] * yardstick) / 2


async def _fast(measured: Measured, duration_s: float) -> None:
    tables = await load.tables_of(measured.server, TABLES)
    measured.busiest = await tables.as_fast_as_answered(duration_s)
    measured.games.append(measured.busiest.starts_a_second)
    measured.game_cpu_s.append(measured.busiest.start_cpu_s)
    tables.close()


async def _steady(measured: Measured, games_a_second: float, folder: Path) -> None:
    """At fixed times, without listeners and then with them. What others have left to be written is written before: a
    store waits for its own commits only."""
    os.sync()
    tables = await load.tables_of(measured.server, TABLES)
    looking = asyncio.create_task(asyncio.to_thread(_disk, folder / "block", STEADY_S))
    measured.waited_s = (await tables.at_rate(games_a_second, STEADY_S)).latencies_s
    measured.disk_s = await looking
    tables.close()
    ears = await load.ears(measured.server, LISTENERS)
    tables = await load.tables_of(measured.server, TABLES)
    played = await tables.at_rate(games_a_second, STEADY_S)
    await asyncio.sleep(1)
    measured.told_s = played.heard_after_s(ears)
    load.close(tables, ears)


def _disk(path: Path, duration_s: float) -> list[float]:
    """How long a block takes to the disk, written over itself and synced, twenty times a second."""
    times, end = [], monotonic() + duration_s
    with path.open("wb", buffering=0) as file:
        while monotonic() < end:
            begun = monotonic()
            file.seek(0)
            file.write(bytes(4096))
            os.fdatasync(file.fileno())
            times.append(monotonic() - begun)
            sleep(DISK_EVERY_S)
    return times


def _results(store: str, measured: Measured, yardstick: float) -> Iterator[Result]:
    games, half, least = median(measured.games), _half(store, measured, yardstick), LEAST_RATIO[store]
    yield Result(
        f"START GAME, {SEATS} wagers, over HTTP, {store} ({games * 2:,.0f} acts/s)",
        f"{games:,.0f} games/s",
        f"{yardstick:,.0f} hot rows/s",
        games / yardstick,
        f"{least:g}x",
        games >= least * yardstick,
    )
    yield Result(f"... of a processor, {store}", measured.busiest.processors)
    yield Result(f"... of the server's processor time, {store}", f"{in_words(median(measured.game_cpu_s))} a game")
    yield _latency(f"... answered at {half:,.0f} games/s, {store}, p50 and p99", measured.waited_s, MOST_P99_S)
    yield Result(f"... one block to the same disk meanwhile, {store}, p50 and p99", spread(measured.disk_s))
    yield _latency(f"... from answer to {LISTENERS} listeners, {store}, p50 and p99", measured.told_s, MOST_TOLD_S)


def _latency(what: str, times_s: list[float], most_s: float) -> Result:
    p99 = quantiles(times_s, n=100)[98]
    return Result(what, spread(times_s), target=f"p99 under {in_words(most_s)}", met=p99 < most_s)


def starting() -> Iterator[Result]:
    """From the start of the process until it says that it is ready, with a book of a million entries."""
    for kind, room in long_books().items():
        with serving(room):  # once before, for the bytecode that every machine has after the first start
            pass
        times = []
        for _ in steps(f"starts, {kind}", range(STARTS)):
            with serving(room) as server:
                times.append(server.start_s)
        yield Result(
            f"croupier serve ready with {ROWS:,} rows, {kind}",
            in_words(median(times)),
            target=f"under {in_words(MOST_START_S)}",
            met=median(times) < MOST_START_S,
        )
