"""Long work for somebody who asks again later: simulations and plans, one at a time, each in a process of its own.

A job stands in the store, so that any server of the site can tell about it, and its result is kept for a day. The
server that took it runs it, and writes there every second that it still does; when that server dies, so does the job.
"""

from __future__ import annotations

import json
import multiprocessing
import re
import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from threading import Condition, Thread
from typing import TYPE_CHECKING, Any

from croupier.errors import CroupierError
from croupier.store.store import StoreError
from croupier.web.errors import ApiError
from croupier.web.games.analyst import begin_quietly
from croupier.web.games.questions import Query, find_paytable, settings_from
from croupier.web.games.store import JobRow, JobStore, Taken, check_command
from croupier.web.identity.store import utc
from croupier.web.logs import log

if TYPE_CHECKING:
    from croupier.analysis.simulation.job import Totals
    from croupier.analysis.simulation.setup import Simulation


# What a job does, in a process of its own: it tells how far it is, and in the end what came of it.
#
# Messages are ("progress", {...}), then one ("result", {...}) or ("error", sentence).

SIMULATE, PLAN = "simulate", "plan"
TOLD_EVERY_S = 0.25
Tell = Callable[[dict[str, Any]], None]


def work(channel: Connection, kind: str, asked: dict[str, Any]) -> None:
    """The whole life of the process."""
    begin_quietly()
    try:
        channel.send(("result", _WORKS[kind](asked, lambda progress: channel.send(("progress", progress)))))
    except CroupierError as error:
        channel.send(("error", str(error)))
    channel.close()


def _simulate(asked: dict[str, Any], tell: Tell) -> dict[str, Any]:
    """The same totals as `croupier simulate` prints as JSON with the same seed."""
    from croupier.analysis.simulation.record import as_record
    from croupier.analysis.simulation.request import Sample, simulation_of
    from croupier.analysis.simulation.run import run
    from croupier.analysis.simulation.tally import Tally

    sample = {key: value for key, value in asked.items() if key != "confidence"}
    paytables = [(key, table) for key, table in asked["paytables"]]
    simulation = simulation_of(Sample(**{**sample, "paytables": paytables}), find_paytable)
    result = run(simulation.job, report=_told(simulation, asked["confidence"], tell))
    tally = Tally(simulation, result.totals)
    return as_record(tally, compare=asked["compare"], confidence=asked["confidence"], complete=result.complete)


def _told(simulation: Simulation, confidence: float, tell: Tell) -> Callable[[Totals], None]:
    """How far it is, and the house edge of the first wager so far."""
    from croupier.analysis.simulation.tally import Tally

    last = -TOLD_EVERY_S

    def report(totals: Totals) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < TOLD_EVERY_S:
            return
        last = now
        base = Tally(simulation, totals).wagers[0]
        interval = base.interval(confidence)
        estimate = {
            "wager": base.of.wager.key,
            "house_edge_percent": 100 * float(base.figures.house_edge) if base.times else None,
            "interval_percent": [100 * end for end in interval] if interval else None,
        }
        tell({"done": totals.rounds, "of": simulation.job.rounds, "estimate": estimate})

    return report


def _plan(asked: dict[str, Any], tell: Tell) -> dict[str, Any]:
    """The same figures as `croupier plan` prints as JSON with the same seed."""
    from croupier.analysis.meter.figures import figures_of
    from croupier.analysis.meter.record import Planned, as_programs_read
    from croupier.analysis.meter.settings import plan_from
    from croupier.analysis.meter.simulation import simulate, work
    from croupier.analysis.meter.warnings import warnings_of

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


AT_ONCE = 1
"""Jobs that run at the same time."""
MOST_WAITING, MOST_OF_ONE = 16, 2
"""Jobs that wait, of all; and unfinished ones of one person, so that nobody's are everybody's queue."""
LONGEST = timedelta(hours=1)
KEPT = timedelta(days=1)
SILENT_FOR = timedelta(seconds=30)
"""A running job of which nothing was heard for so long has lost its server."""
LOOK_EVERY_S = 0.2
WRITE_EVERY = timedelta(seconds=1)
END_S = 2.0
WAITING, RUNNING, DONE, FAILED, CANCELLED = "waiting", "running", "done", "failed", "cancelled"
UNFINISHED = (WAITING, RUNNING)
STOPPED = "The server was stopped before the job was done: send it again with a new id."
LOST = "The server that worked on the job is gone: send it again with a new id."
TOO_LONG = f"The job took longer than {LONGEST // timedelta(minutes=1)} minutes and was given up: ask for less."
BROKEN = "The job could not be run just now: send it again with a new id."
JOB_ID = re.compile(r"job_[A-Za-z0-9_-]{16,36}")


class Jobs:
    """The jobs of this server, and a look at those of others."""

    def __init__(self, store: JobStore, *, at_once: int = AT_ONCE, clock: Callable[[], datetime] = utc) -> None:
        self._store, self._clock = store, clock
        self._queue: dict[str, str] = {}
        """Whose each waiting job is, the oldest first."""
        self._running: dict[str, str] = {}
        self._served: dict[str, int] = {}
        """When each person's turn last came, as a number that grows."""
        self._changed = Condition()
        self._closing = False
        self._at_once = at_once
        self._threads: list[Thread] = []

    # Asking

    def submit(self, owner: str, command: str, kind: str, asked: Mapping[str, Any]) -> JobRow:
        """A new job, or the one that this owner has asked for with this id before."""
        check_command(command)
        text, now = json.dumps(asked, sort_keys=True), self._clock()
        job = self._store.job_asked_by(owner, command)
        if job is None:
            row = JobRow(
                *(f"job_{secrets.token_urlsafe(16)}", owner, command, kind, text, WAITING, "{}", "", ""),
                cancel=False,
                made=now,
                touched=now,
            )
            job = self._add(row)
        if (job.kind, job.asked) != (kind, text):
            raise ApiError(409, "id-used", f"The id {command!r} was sent with another job: make a new one.")
        return job

    def _add(self, row: JobRow) -> JobRow:
        self._store.forget_jobs(row.made - KEPT)
        with self._changed:
            self._check_room(row.owner)
            try:
                self._store.add_job(row)
            except Taken:  # the same request at the same time: the first one counts
                first = self._store.job_asked_by(row.owner, row.command)
                assert first is not None
                return first
            self._queue[row.id] = row.owner
            self._threads = [thread for thread in self._threads if thread.is_alive()]
            if len(self._threads) < self._at_once:
                thread = Thread(target=self._work, name="jobs", daemon=True)
                self._threads.append(thread)
                thread.start()
            self._changed.notify_all()
        return row

    def _check_room(self, owner: str) -> None:
        own = [id_ for jobs in (self._running, self._queue) for id_, whose in jobs.items() if whose == owner]
        if self._closing or len(self._queue) >= MOST_WAITING:
            sentence = f"{len(self._queue)} jobs wait already, and at most {MOST_WAITING} can: try again later."
        elif len(own) >= MOST_OF_ONE:
            sentence = f"At most {MOST_OF_ONE} jobs of one person can be unfinished: wait for {own[0]}, or give it up."
        else:
            return
        raise ApiError(429, "too-many-jobs", sentence, headers={"Retry-After": "10"})

    def find(self, id_: str) -> JobRow:
        """The job as it stands; one whose server is gone has failed."""
        row = self._store.job(id_) if JOB_ID.fullmatch(id_) else None
        if row is None:
            raise ApiError(404, "no-such-job", "There is no such job; results are kept for a day.")
        if row.state in UNFINISHED and not self._is_mine(id_) and self._clock() - row.touched > SILENT_FOR:
            self._store.change_job(id_, self._clock(), state=FAILED, sentence=LOST)
            return replace(row, state=FAILED, sentence=LOST)
        return row

    def _is_mine(self, id_: str) -> bool:
        with self._changed:
            return id_ in self._queue or id_ in self._running

    def is_running(self, id_: str) -> bool:
        """Here, and not at another server. It waits for nothing: the server's own loop asks."""
        return id_ in self._running

    def cancel(self, id_: str) -> JobRow:
        """Give the job up; one that is over stays as it is, and one that runs ends in a moment: nobody waits here."""
        row = self.find(id_)
        if row.state not in UNFINISHED:
            return row
        with self._changed:
            waiting = self._queue.pop(id_, None)
        if waiting:
            self._store.change_job(id_, self._clock(), state=CANCELLED, cancel=1)
        else:
            self._store.ask_to_cancel(id_)
        return self.find(id_)

    def close(self) -> None:
        """What runs is ended, and what waits is given up; both are told so."""
        with self._changed:
            self._closing = True
            waiting = list(self._queue)
            self._queue.clear()
            self._changed.notify_all()
        for id_ in waiting:
            self._store.change_job(id_, self._clock(), state=FAILED, sentence=STOPPED)
        for thread in self._threads:
            thread.join(timeout=4 * END_S)

    # Working

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._queue or self._closing)
                if self._closing:
                    return
                id_ = self._next()
            try:
                self._run(id_)
            except StoreError:
                pass  # the store cannot be reached: whoever asks will find that nothing was heard for long
            except Exception as error:  # as where the machine has no process or file left: the next one may run
                log.warning("job", job=id_, exc_info=error)
                with suppress(StoreError):
                    self._store.change_job(id_, self._clock(), state=FAILED, sentence=BROKEN)
            finally:
                with self._changed:
                    self._running.pop(id_, None)
                    self._changed.notify_all()

    def _next(self) -> str:
        """The oldest job of whoever has waited longest for a turn."""
        id_ = min(self._queue, key=lambda place: self._served.get(self._queue[place], 0))
        owner = self._running[id_] = self._queue.pop(id_)
        self._served[owner] = 1 + max(self._served.values(), default=0)
        return id_

    def _touch_waiting(self) -> None:
        for id_ in self._queue:
            self._store.change_job(id_, self._clock())

    def _run(self, id_: str) -> None:
        row = self._store.job(id_)
        if row is None:
            return
        if row.cancel:  # by way of another server, while it waited
            self._store.change_job(id_, self._clock(), state=CANCELLED)
            return
        self._store.change_job(id_, self._clock(), state=RUNNING)
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe(duplex=False)
        asked = json.loads(row.asked)
        process = context.Process(target=work, name=id_, args=(theirs, row.kind, asked), daemon=True)
        process.start()
        theirs.close()
        try:
            ending = self._followed(id_, ours)
        finally:
            _end(process)
            ours.close()
        self._store.change_job(id_, self._clock(), **ending)

    def _followed(self, id_: str, channel: Connection) -> dict[str, object]:
        """Write down what the process tells, until it ends or is to be ended; then how it ended."""
        began = written = self._clock()
        progress = "{}"
        while True:
            told = _received(channel)
            match told:
                case ("end", _):
                    return {"state": FAILED, "sentence": "The process that worked on the job died."}
                case ("result", result):
                    done = json.dumps(result)
                    return {"state": DONE, "result": done, "progress": _whole(progress)}
                case ("error", sentence):
                    return {"state": FAILED, "sentence": sentence}
                case ("progress", so_far):
                    progress = json.dumps(so_far)
            if self._closing:
                return {"state": FAILED, "sentence": STOPPED}
            now = self._clock()
            if now - began > LONGEST:
                return {"state": FAILED, "sentence": TOO_LONG}
            if now - written >= WRITE_EVERY or told:
                written = now
                self._store.change_job(id_, now, progress=progress)
                with self._changed:
                    self._touch_waiting()
            row = self._store.job(id_)
            if row is None or row.cancel:
                return {"state": CANCELLED}


def _received(channel: Connection) -> Any:
    """What the process has told, or nothing after a moment; an `end` where it is gone."""
    try:
        return channel.recv() if channel.poll(LOOK_EVERY_S) else None
    except (EOFError, OSError):
        return "end", None


def _whole(progress: str) -> str:
    """Done is done, whatever was told last."""
    values = json.loads(progress)
    return json.dumps(values | {"done": values["of"]}) if values else progress


def _end(process: SpawnProcess) -> None:
    process.join(timeout=0.05)
    if process.is_alive():
        process.terminate()
        process.join(timeout=END_S)
    if process.is_alive():
        process.kill()
        process.join()
    process.close()


def job_as_json(row: JobRow) -> dict[str, Any]:
    """For whoever asks how far it is."""
    return {
        "job": row.id,
        "kind": row.kind,
        "state": row.state,
        "asked": json.loads(row.asked),
        "progress": json.loads(row.progress) or None,
        "result": json.loads(row.result) if row.result else None,
        "sentence": row.sentence,
        "made": row.made.isoformat() + "Z",
        "changed": row.touched.isoformat() + "Z",
    }
