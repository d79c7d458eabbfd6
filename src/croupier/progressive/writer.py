"""The one hand that writes a book: it takes acts in order, makes them durable many at a time, and only then answers.

    main = Kind(partial(Link, "main"), Link.of_snapshot)
    with Writer(open_store("sqlite:///floor.db"), "link:main", main) as writer:
        entry = writer.submit(act).result()

Whatever is waiting is done as one commit, so a busy link costs hardly more syncs than a quiet one. An act is answered
with its entry; an act that was sent before, with the entry of the first time; an act that is not allowed, with its
Refusal. When the store fails, the state in memory goes back to what is durable, and the answer says what is known:

NotDone       the act was not done and will not be; it may be sent again
InDoubt       the store cannot be reached to find out; send it again with the same id, and the answer will be the truth
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, Generic, Self, TypeVar

from croupier.errors import CroupierError, RecordError
from croupier.progressive.aggregate import Act, Kind, State, apply_all, restore
from croupier.progressive.ledger import Entry
from croupier.progressive.store import Snapshot, Store, StoreBusy, StoreError, StoreLost

MOST_IN_A_COMMIT = 256
MOST_WAITING = 20_000
SNAPSHOT_EVERY = 5_000
PATIENCE_S = 30.0
"""How long a writer tries to reach a store that it has lost."""
PAUSE_S = 0.1
ATTEMPTS = 3


class NotDone(CroupierError):
    """The act was not done, and nothing of it is in the book."""


class InDoubt(CroupierError):
    """Nobody can tell yet whether the act is in the book."""


Answer = TypeVar("Answer")


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


class Condition(StrEnum):
    """How a writer is."""

    WRITING = "writing"
    RECOVERING = "recovering"
    """The store was lost; acts wait."""
    STOPPED = "stopped"


@dataclass
class Job:
    """Something that waits for the writer: an act, or a question about the state."""

    future: Future[Any]
    act: Act | None = None
    question: Callable[[Any], Any] | None = None
    answer: Any = None
    error: BaseException | None = None

    def resolve(self) -> None:
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.answer)


class Writer(Generic[State]):
    """Owns a store and the state of one stream. The store's lease is taken here, and given up when the writer stops."""

    def __init__(
        self,
        store: Store,
        stream: str,
        kind: Kind[State],
        clock: Callable[[], str] = utc_now,
        *,
        wait_s: float = 0.0,
        patience_s: float = PATIENCE_S,
        most_in_a_commit: int = MOST_IN_A_COMMIT,
        snapshot_every: int = SNAPSHOT_EVERY,
    ) -> None:
        self.stream, self.condition, self.reason = stream, Condition.WRITING, ""
        self._store, self._kind, self._clock = store, kind, clock
        self._patience_s, self._most, self._every = patience_s, most_in_a_commit, snapshot_every
        self._waiting: SimpleQueue[Job | None] = SimpleQueue()
        self._door = Lock()
        self._closing = Event()
        self._state: State
        self._snapshot_at: int
        store.take_lease(stream, wait_s)
        try:
            self._restore()
        except BaseException:
            store.release_lease()
            raise
        self._thread = Thread(target=self._run, name=f"writer of {stream}", daemon=True)
        self._thread.start()

    # --- for everybody -----------------------------------------------------------------------------------

    def submit(self, act: Act) -> Future[Entry]:
        """Have an act done; the future is its entry, once that is durable. Its callbacks hold up the next commit."""
        future: Future[Entry] = Future()
        return self._put(Job(future, act=act))

    def ask(self, question: Callable[[State], Answer]) -> Future[Answer]:
        """Ask the state something, between two commits: only what is durable is seen. It must not change anything."""
        future: Future[Answer] = Future()
        return self._put(Job(future, question=question))

    def close(self) -> None:
        """Do what is waiting, then stop and close the store. A writer that is recovering gives up."""
        with self._door:
            self._waiting.put(None)
            self._closing.set()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _put(self, job: Job) -> Future[Any]:
        with self._door:
            if self.condition is Condition.STOPPED or self._closing.is_set():
                why = self.reason or "The writer is closed."
                job.future.set_exception(NotDone(f"{self.stream} takes no acts. {why}"))
            elif self._waiting.qsize() >= MOST_WAITING:
                job.future.set_exception(NotDone(f"{self.stream} is busy: {MOST_WAITING:,} acts are waiting."))
            else:
                self._waiting.put(job)
        return job.future

    # --- the thread --------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while self.condition is not Condition.STOPPED and (jobs := self._take()):
                jobs = [job for job in jobs if job.future.set_running_or_notify_cancel()]
                self._work(jobs)
                for job in jobs:
                    job.resolve()
        finally:
            self._stop()

    def _work(self, jobs: list[Job]) -> None:
        """Serve, and once more when the store was lost and found: what was done by then is known by its id."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                self._serve(jobs)
                return
            except Exception as error:
                found = self._recover(error)
                if not found or attempt == ATTEMPTS or not isinstance(error, StoreLost):
                    self._confess(jobs, error, final=found or not isinstance(error, StoreLost))
                    return

    def _take(self) -> list[Job]:
        """Whatever is waiting, up to the limit; nothing means the end."""
        first = self._waiting.get()
        jobs = [] if first is None else [first]
        while jobs and len(jobs) < self._most:
            try:
                job = self._waiting.get_nowait()
            except Empty:
                break
            if job is None:
                self._waiting.put(None)
                break
            jobs.append(job)
        return jobs

    def _serve(self, jobs: list[Job]) -> None:
        """One commit; nobody is answered before it is durable, not even the refused: it may have been the reason."""
        ids = [job.act.id for job in jobs if job.act]
        known = self._store.by_commands(self.stream, ids) if ids else {}
        entries: list[Entry] = []
        for job in jobs:
            job.answer = job.error = None
            if job.act is not None and job.act.id in known:
                job.answer = known[job.act.id]
            elif job.act is not None and self._do(job, job.act, entries):
                known[job.act.id] = entries[-1]
        if entries:
            self._append(entries)
        for job in jobs:
            if job.question is not None:
                self._look(job, job.question)

    def _do(self, job: Job, act: Act, entries: list[Entry]) -> bool:
        """Decide and apply one act. What goes wrong is the act's own answer: the others do not feel it."""
        try:
            entry = self._state.handle(act, self._clock())
            if entry.command != act.id:
                raise RecordError(f"The entry of act {act.id!r} carries another id, {entry.command!r}.")
        except Exception as error:
            job.error = error
            return False
        try:
            self._state.apply(entry)
        except Exception as error:
            job.error = error
            self._restore()
            apply_all(self._state, entries)
            return False
        entries.append(entry)
        job.answer = entry
        return True

    def _append(self, entries: list[Entry]) -> None:
        last, snapshot = entries[-1], None
        if last.number - self._snapshot_at >= self._every:
            snapshot = Snapshot(last.number, last.digest, self._state.snapshot())
        self._store.append(self.stream, entries, snapshot)
        if snapshot:
            self._snapshot_at = snapshot.number

    def _look(self, job: Job, question: Callable[[Any], Any]) -> None:
        try:
            job.answer = question(self._state)
        except Exception as error:
            job.error = error

    # --- when the store fails ----------------------------------------------------------------------------

    def _restore(self) -> None:
        self._state, self._snapshot_at = restore(self._store, self.stream, self._kind)

    def _recover(self, error: Exception) -> bool:
        """Go back to what is durable; whether that is known now, with the lease in hand."""
        self.condition, self.reason = Condition.RECOVERING, str(error)
        try:
            self._go_back(lost=isinstance(error, StoreLost))
        except StoreBusy:
            self._end(f"Another process has taken over {self.stream}.")
        except CroupierError as worse:
            self._end(str(worse))
        except Exception as worse:
            self._end(f"An error of the program: {worse!r}.")
        else:
            self.condition, self.reason = Condition.WRITING, ""
        return self.condition is Condition.WRITING

    def _go_back(self, *, lost: bool) -> None:
        """Restore the state; where the store was lost reach it first, again and again until patience ends."""
        end = monotonic() + self._patience_s
        while True:
            try:
                if lost:
                    self._store.reconnect()
                    self._store.take_lease(self.stream, PAUSE_S)
                    self._store.settle()
                self._restore()
                return
            except StoreError:
                if monotonic() >= end or self._closing.wait(PAUSE_S):
                    raise
                lost = True

    def _confess(self, jobs: list[Job], error: Exception, *, final: bool) -> None:
        """Read again what became of the acts; what is not there was not done, if what is read is final."""
        try:
            known = self._store.by_commands(self.stream, [job.act.id for job in jobs if job.act])
        except Exception:
            known = {}
        for job in jobs:
            job.answer, job.error = known.get(job.act.id) if job.act else None, None
            if job.answer is None and (final or job.act is None):
                job.error = NotDone(f"Nothing was done. {error}")
            elif job.answer is None:
                job.error = InDoubt(f"It is not known whether this was done; send it again with the same id. {error}")

    def _end(self, reason: str) -> None:
        with self._door:
            self.condition, self.reason = Condition.STOPPED, reason

    def _stop(self) -> None:
        """Let go of the stream, and answer those who wait in vain."""
        self._end(self.reason)
        self._store.close()
        while True:
            try:
                job = self._waiting.get_nowait()
            except Empty:
                return
            if job and job.future.set_running_or_notify_cancel():
                job.future.set_exception(NotDone(f"Nothing was done. {self.reason or 'The writer is closed.'}"))
