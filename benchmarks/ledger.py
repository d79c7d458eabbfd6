"""Durable wagers a second through the ledger of a link, beside PostgreSQL with one hot meter row; and how it opens.

Tables play rounds with seven seats as fast as they are answered: START GAME, seven wagers, END GAME. The yardstick is
pgbench with eight clients: one ledger row with a unique key and one update of the meter's row in each transaction. Both
commit synchronously, in turns, on the same disk.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from threading import Event
from time import perf_counter, process_time, time_ns
from typing import Any

import psycopg

from benchmarks.long_book import ROWS, STREAM, long_books
from benchmarks.measure import MIB, ROOT, Result, in_turns, in_words, peak_bytes
from croupier.floor.aggregate import Origin
from croupier.floor.link.acts import EndGame, LinkAct, StartGame
from croupier.floor.link.link import Link, same_link_act
from croupier.floor.writer import Writer
from croupier.ledger.entry import Entry
from croupier.store.marks import Marks
from croupier.store.store import Store, open_store
from support.postgres import new_floor, server, server_url
from support.room import DEALER, ONE_METER, opening_acts, with_tables

MAIN = Origin(partial(Link, "main"), Link.of_snapshot, same_link_act)
TABLES, SEATS = 64, 7
TIMES, RUN_S = 3, 4.0
CLIENTS = 8
YARDSTICK = """
\\set key random(1, 9000000000000000)
BEGIN;
INSERT INTO yardstick_row (id, cents) VALUES (:key, 120) ON CONFLICT DO NOTHING;
UPDATE yardstick_meter SET cents = cents + 120 WHERE id = 1;
END;
"""
TARGET = 10
MARKED_TIMES, MOST_FOR_MARKS = 9, 1.1


@dataclass
class Game:
    """Tables that play round after round, each waiting for its answers."""

    writer: Writer[Link]
    tables: int
    latencies_s: list[float] = field(default_factory=list)
    rounds: int = 0
    playing: int = 0
    ending: bool = False
    over: Event = field(default_factory=Event)

    def play(self, duration_s: float) -> float:
        """Wagers a second."""
        self.playing = self.tables
        begun = perf_counter()
        for number in range(1, self.tables + 1):
            self._start(number)
        self.over.wait(duration_s)
        self.ending = True
        self.over.wait()
        return self.rounds * SEATS / (perf_counter() - begun)

    def _start(self, number: int) -> None:
        if self.ending:
            self.playing -= 1
            if not self.playing:
                self.over.set()
            return
        seats = tuple(range(1, SEATS + 1))
        act = StartGame(id=new_id(number), by=DEALER, table=number, lit=seats, based=seats)
        self._send(act, partial(self._end, number))

    def _end(self, number: int) -> None:
        self.rounds += 1
        self._send(EndGame(id=new_id(number), by=DEALER, table=number), partial(self._start, number))

    def _send(self, act: LinkAct, then: partial[None]) -> None:
        begun = perf_counter()

        def answered(future: Future[Entry]) -> None:
            self.latencies_s.append(perf_counter() - begun)
            future.result()
            then()

        self.writer.submit(act).add_done_callback(answered)


def new_id(number: int) -> str:
    """As a keypad makes it: the time first, so that ids of one hour lie together in the index."""
    return f"{time_ns():x}-{number}"


def open_link(store: Store, *, secret: bytes | None = None, marks: Marks | None = None) -> Writer[Link]:
    """A link with its tables, ready to play."""
    writer = Writer(store, STREAM, MAIN, secret=secret, marks=marks)
    if not writer.ask(lambda link: link.state.book.entries).result():
        for act in opening_acts(with_tables(ONE_METER, TABLES)):
            writer.submit(act).result()
    return writer


def play(url: str, tables: int, duration_s: float) -> tuple[float, list[float]]:
    """Wagers a second and the latencies of all answers."""
    with open_link(open_store(url)) as writer:
        game = Game(writer, tables)
        return game.play(duration_s), game.latencies_s


def pgbench(folder: Path, duration_s: float) -> float:
    """Transactions a second on one hot row."""
    with psycopg.connect(server_url(), autocommit=True) as db:
        db.execute("DROP TABLE IF EXISTS yardstick_row; DROP TABLE IF EXISTS yardstick_meter")
        db.execute("CREATE TABLE yardstick_row (id bigint PRIMARY KEY, cents bigint NOT NULL)")
        db.execute("CREATE TABLE yardstick_meter (id bigint PRIMARY KEY, cents bigint NOT NULL)")
        db.execute("INSERT INTO yardstick_meter VALUES (1, 0)")
    script = folder / "yardstick.sql"
    script.write_text(YARDSTICK)
    command = [str(server().bin_path / "pgbench"), "-n", "-c", str(CLIENTS), "-j", "2", "-T", f"{duration_s:.0f}"]
    setting = {**os.environ, "PGOPTIONS": "-c synchronous_commit=on"}
    done = subprocess.run(
        [*command, "-f", str(script), server_url()], env=setting, capture_output=True, text=True, check=False
    )
    found = re.search(r"tps = ([\d.]+)", done.stdout)
    if not found:
        raise RuntimeError(f"pgbench ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return float(found[1])


def wagers() -> Iterator[Result]:
    """Both stores and the yardstick in turns; then one table alone, which waits for every sync."""
    with tempfile.TemporaryDirectory() as name:
        urls = {"SQLite": f"sqlite:///{name}/floor.db", "PostgreSQL": new_floor()}
        speeds: dict[str, list[float]] = {store: [] for store in urls}
        latencies: dict[str, list[float]] = {store: [] for store in urls}
        yardsticks = []
        for _ in range(TIMES):
            yardsticks.append(pgbench(Path(name), RUN_S))
            for store, url in urls.items():
                speed, waited = play(url, TABLES, RUN_S)
                speeds[store].append(speed)
                latencies[store] += waited
        yardstick = median(yardsticks)
        for store, url in urls.items():
            speed = median(speeds[store])
            yield Result(
                f"durable wagers, {store} ({speed / SEATS * 2:,.0f} acts/s)",
                f"{speed:,.0f} wagers/s",
                f"{yardstick:,.0f} hot rows/s",
                speed / yardstick,
                f"{TARGET}x",
                speed >= TARGET * yardstick,
            )
            yield Result(f"acknowledged, {store}, {TABLES} tables, p50 and p99", spread(latencies[store]))
            yield Result(f"acknowledged, {store}, one table, p50 and p99", spread(play(url, 1, RUN_S / 2)[1]))


def marks_and_seals() -> Iterator[Result]:
    """What high-water marks and sealed snapshots cost on both stores: processor time of an act with both and without,
    in turns. Of PostgreSQL it is the writer's own, as both cost its server nothing."""
    with tempfile.TemporaryDirectory() as name:
        stores = {
            "SQLite": (f"sqlite:///{name}/sealed.db", f"sqlite:///{name}/plain.db"),
            "PostgreSQL": (new_floor(), new_floor()),
        }
        for store, (sealed, plain) in stores.items():
            with closing(Marks(Path(name) / f"{store}.marks")) as marks:
                trust: dict[str, Any] = {"secret": bytes(range(32)), "marks": marks}
                with_them, without = in_turns(partial(_act_s, sealed, **trust), partial(_act_s, plain), MARKED_TIMES)
            ratio, cost = with_them / without, f"{in_words(with_them)} of CPU an act"
            what, met = f"with marks and sealed snapshots, {store}", ratio <= MOST_FOR_MARKS
            yield Result(what, cost, in_words(without), ratio, f"at most {MOST_FOR_MARKS}x", met)


def _act_s(url: str, **trust: Any) -> float:
    """Processor time of an act, of all threads."""
    with open_link(open_store(url), **trust) as writer:
        game, begun = Game(writer, TABLES), process_time()
        game.play(RUN_S / 4)
        return (process_time() - begun) / (2 * game.rounds)


def spread(times_s: list[float]) -> str:
    cuts = quantiles(times_s, n=100)
    return f"{in_words(cuts[49])}, {in_words(cuts[98])}"


# --- opening -------------------------------------------------------------------------------------------------


OPEN = """
import sys, time
from functools import partial
from croupier.floor.aggregate import Origin, restore
from croupier.floor.link.link import Link
from croupier.floor.link.link import same_link_act
from croupier.store.store import open_store
begun = time.perf_counter()
with open_store(sys.argv[1]) as store:
    link, _ = restore(store, sys.argv[2], Origin(partial(Link, "main"), Link.of_snapshot, same_link_act))
print(time.perf_counter() - begun, link.state.book.entries)
"""


def opening() -> Iterator[Result]:
    """A store with a million rows, opened by a new process."""
    for kind, room in long_books().items():
        command = [sys.executable, "-c", OPEN, room.db, STREAM]
        times = []
        for _ in range(TIMES):
            printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
            times.append(float(printed[0]))
            if int(printed[1]) < ROWS:
                raise RuntimeError(f"only {printed[1]} rows were opened")
        yield Result(f"open {ROWS:,} rows, {kind}", in_words(median(times)), target="2 s", met=median(times) < 2)
        peak = peak_bytes(command)
        yield Result(f"... memory, {kind}", f"{peak / MIB:.0f} MiB", target="500 MiB", met=peak < 500 * MIB)
