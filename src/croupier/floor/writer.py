"""The only writer of a book: it takes acts in order, makes them durable many at a time, and only then answers.

    main = Origin(partial(Link, "main"), Link.of_snapshot, same_link_act)
    with Writer(open_store("sqlite:///floor.db"), "link:main", main) as writer:
        entry = writer.submit(act).result()

Whatever is waiting is done as one commit, so a busy link costs hardly more syncs than a quiet one. An act is answered
with its entry; an act that was sent before, with the entry of the first time; an act that is not allowed, with its
Refusal. Nothing is answered, be it a refusal or a question, before the store has confirmed that this is still the one
writer and knows the last entry. When the store fails, the state in memory goes back to what is durable, and the answer
says what is known:

NotDone       the act was not done and will not be; it may be sent again
InDoubt       the store cannot be reached to find out; send it again with the same id, and the answer will be the truth

A writer stops when its disk fails, when another process has its stream, when patience ends, and when it finds its book
shorter than, or different from, what it has acknowledged.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, Generic, Protocol, Self, TypeVar

from croupier.errors import CroupierError, RecordError, Refusal
from croupier.floor.aggregate import Identified, Origin, State, apply_all, restore
from croupier.ledger.clock import CLOCK as _CLOCK
from croupier.ledger.clock import CheckedClock
from croupier.ledger.entry import Entry
from croupier.store.marks import Mark, Marks, check_not_behind
from croupier.store.store import Conflict, DiskFailed, Snapshot, Store, StoreBusy, StoreError, StoreFull, StoreLost

# What waits for a writer, and how it is answered when there is no entry to answer with.


class NotDone(CroupierError):
    """The act was not done, and nothing of it is in the book."""


class InDoubt(CroupierError):
    """Nobody can tell yet whether the act is in the book."""


class WriterNo(StrEnum):
    """Why a writer refuses an act, whatever its book says."""

    ID_REUSED = "id-reused"
    """The id was sent before with another act."""
    CLOCK = _CLOCK
    """The time of day cannot be right."""


class Condition(StrEnum):
    """How a writer is."""

    WRITING = "writing"
    RECOVERING = "recovering"
    """The store was lost; acts wait."""
    STOPPED = "stopped"


class Waiting(Protocol):
    """Whoever waits for a job, and is told in the writer's thread: a `concurrent.futures.Future`, or something less."""

    def set_running_or_notify_cancel(self) -> bool: ...

    def set_result(self, result: Any, /) -> None: ...

    def set_exception(self, exception: BaseException | None, /) -> None: ...


@dataclass
class Job:
    """Something that waits for the writer: an act, or a question about the state."""

    future: Waiting
    act: Identified | None = None
    question: Callable[[Any], Any] | None = None
    answer: Any = None
    error: BaseException | None = None

    def resolve(self) -> None:
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.answer)

    def in_vain(self, doubtful: set[str], why: str) -> CroupierError:
        """What is said to a job that a writer does not take up. An act that was in doubt before is so still."""
        if self.act is not None and self.act.id in doubtful:
            return InDoubt(f"It is not known whether this was done; send it again with the same id. {why}")
        return NotDone(why)


PATIENCE_S = 30.0
"""How long a writer tries to reach a store that it has lost."""
PAUSE_S = 0.1
MOST_REMEMBERED = 2_000
"""Entries whose acts are known by their ids without asking the store."""
Watch = Callable[[Any, list[Entry]], None]
"""Told the state and what was just added to it, once that is durable. After the state was read again nothing is named:
whoever counts entries sees by their numbers what it has missed."""
MOST_IN_A_COMMIT = 256
MOST_WAITING = 20_000
SNAPSHOT_EVERY = 5_000
ATTEMPTS = 3
ID_REUSED = WriterNo.ID_REUSED
Answer = TypeVar("Answer")


class Writer(Generic[State]):
    """Owns a store and the state of one stream. The store's lease is taken here, and given up when the writer stops.

    Without a clock the time of day is taken, and acts are refused while it cannot be right; another clock is believed.
    """

    _state: State
    _snapshot_at: int

    def __init__(
        self,
        store: Store,
        stream: str,
        origin: Origin[State],
        clock: Callable[[], str] | None = None,
        *,
        watch: Watch | None = None,
        secret: bytes | None = None,
        marks: Marks | None = None,
        wait_s: float = 0.0,
        patience_s: float = PATIENCE_S,
        most_in_a_commit: int = MOST_IN_A_COMMIT,
        snapshot_every: int = SNAPSHOT_EVERY,
    ) -> None:
        self.stream, self.condition, self.reason = stream, Condition.WRITING, ""
        self._store, self._origin, self._watch, self._patience_s = store, origin, watch, patience_s
        self._secret, self._marks = secret, marks
        self.full = ""
        """That there is no room to write, as the store last said; nothing once something was written again."""
        self._acknowledged = marks.of(stream) if marks else None
        """The last entry that somebody was answered with: the book is never gone on from before it."""
        self._door = Lock()
        self._closing = Event()
        self._doubtful: set[str] = set()
        """Ids of acts that were answered with InDoubt."""
        self._latest: OrderedDict[str, Entry] = OrderedDict()
        """The last entries by the ids of their acts, for those who send one again."""
        self._clock, self._most, self._every = clock or CheckedClock(), most_in_a_commit, snapshot_every
        self._waiting: SimpleQueue[Job | None] = SimpleQueue()
        store.take_lease(stream, wait_s)
        try:
            if marks is not None:  # what is acknowledged from now on is on disk, whatever a power cut left in a log
                store.settle()
            self._restore()
        except BaseException:
            store.release_lease()
            raise
        self._thread = Thread(target=self._run, name=f"writer of {stream}", daemon=True)
        self._thread.start()

    # For everybody

    def submit(self, act: Identified) -> Future[Entry]:
        """Have an act done; the future is its entry, once that is durable. Its callbacks hold up the next commit."""
        future: Future[Entry] = Future()
        self._put(Job(future, act=act))
        return future

    def hand_in(self, act: Identified, waiting: Waiting) -> None:
        """The same for somebody who waits in a way of their own."""
        self._put(Job(waiting, act=act))

    def ask(self, question: Callable[[State], Answer]) -> Future[Answer]:
        """Ask the state something, between two commits: only what is durable is seen. It must not change anything."""
        future: Future[Answer] = Future()
        self._put(Job(future, question=question))
        return future

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

    def _put(self, job: Job) -> None:
        with self._door:
            if self.condition is Condition.STOPPED or self._closing.is_set():
                why = f"{self.stream} takes no acts. {self.reason or 'The writer is closed.'}"
                job.future.set_exception(job.in_vain(self._doubtful, why))
            elif self._waiting.qsize() >= MOST_WAITING:
                job.future.set_exception(NotDone(f"{self.stream} is busy: {MOST_WAITING:,} acts are waiting."))
            else:
                self._waiting.put(job)

    # The thread

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
                    self._answer_from_store(jobs, error, final=found or not isinstance(error, StoreLost | Conflict))
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

    def _serve(self, jobs: list[Job], known: Mapping[str, Entry] | None = None) -> None:
        """One commit; nobody is answered before it is durable, not even the refused: it may have been the reason."""
        entries = self._decide(jobs, known or {})
        if entries:
            try:
                self._append(entries)
            except Conflict:
                ids = [job.act.id for job in jobs if job.act]
                found = {} if known else self._store.by_commands(self.stream, ids)
                if not found:
                    raise
                self._restore()
                self._serve(jobs, found)
                for entry in found.values():  # who sends one of long ago once may do so again
                    self._remember(entry)
                return
            self.full = ""
            for entry in entries:
                self._remember(entry)
            self._acknowledge(entries[-1].number, entries[-1].digest)
            self._tell(entries)
        elif jobs:
            self._store.confirm(self.stream, self._state.book.entries)
            if self.full:
                with suppress(StoreFull):
                    self._store.settle()
                    self.full = ""
        for job in jobs:
            if job.question is not None:
                self._look(job, job.question)

    def _decide(self, jobs: list[Job], known: Mapping[str, Entry]) -> list[Entry]:
        """What the acts come to, one after the other.

        An act that was sent before is looked for among the latest first, and in the store only where it is refused: it
        may be just because it was done. An older one that is not refused is kept out by the store, which takes every
        id once.
        """
        entries, refused, done = list[Entry](), list[Job](), dict(known)
        for job in jobs:
            job.answer = job.error = None
            if job.act is None:
                continue
            before = done.get(job.act.id) or self._latest.get(job.act.id)
            if before is not None:
                self._answer_again(job, job.act, before)
            elif self._do(job, job.act, entries):
                done[job.act.id] = entries[-1]
            else:
                refused.append(job)
        if refused:
            found = self._store.by_commands(self.stream, [job.act.id for job in refused if job.act])
            for job in refused:
                if job.act is not None and job.act.id in found:
                    self._answer_again(job, job.act, found[job.act.id])
        return entries

    def _do(self, job: Job, act: Identified, entries: list[Entry]) -> bool:
        """Decide and apply one act. What goes wrong is the act's own answer: the others do not feel it."""
        try:
            entry = self._state.handle(act, self._time())
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

    def _time(self) -> str:
        return self._clock.after(self._state.book.at) if isinstance(self._clock, CheckedClock) else self._clock()

    def _append(self, entries: list[Entry]) -> None:
        last, snapshot = entries[-1], None
        if last.number - self._snapshot_at >= self._every and not self._origin.rebuilt:
            snapshot = self._snapshot()
        self._store.append(self.stream, entries, snapshot)
        if snapshot:
            self._snapshot_at = snapshot.number

    def _snapshot(self) -> Snapshot:
        book = self._state.book
        snapshot = Snapshot(book.entries, book.digest, self._state.snapshot())
        return snapshot.authenticated(self._secret, self.stream) if self._secret else snapshot

    def _acknowledge(self, number: int, digest: str) -> None:
        self._acknowledged = Mark(number, digest)
        if self._marks is not None:
            self._marks.keep(self.stream, number, digest)

    def _look(self, job: Job, question: Callable[[Any], Any]) -> None:
        try:
            job.answer = question(self._state)
        except Exception as error:
            job.error = error

    def _tell(self, entries: list[Entry]) -> None:
        """A watcher that fails does not undo what is durable: it is told again with the next entries."""
        if self._watch is not None:
            with suppress(Exception):
                self._watch(self._state, entries)

    def _remember(self, entry: Entry) -> None:
        self._latest[entry.command] = entry
        if len(self._latest) > MOST_REMEMBERED:
            self._latest.popitem(last=False)

    def _answer_again(self, job: Job, act: Identified, entry: Entry) -> None:
        """A resend is answered with the first result; another act under the same id is a mistake of the client."""
        job.error = None
        try:
            same = self._origin.answers(act, entry)
        except Exception as error:
            job.error = error
            return
        if same:
            job.answer = entry
        else:
            there = f"{entry.kind}, entry {entry.number}"
            job.error = Refusal(WriterNo.ID_REUSED, f"The id {act.id!r} was sent before with another act ({there}).")

    # When the store fails

    def _restore(self) -> None:
        self._latest.clear()
        check_not_behind(self._store, self.stream, self._acknowledged, self._marks.path.name if self._marks else "")
        self._state, self._snapshot_at = restore(self._store, self.stream, self._origin, self._remember, self._secret)
        book = self._state.book
        if book.entries:
            self._acknowledge(book.entries, book.digest)
        if book.entries - self._snapshot_at >= self._every and not self._origin.rebuilt:
            self._store.save_snapshot(self.stream, self._snapshot())
            self._snapshot_at = book.entries
        self._tell([])

    def _recover(self, error: Exception) -> bool:
        """Go back to what is durable; whether that is known now, with the lease in hand."""
        self.condition, self.reason = Condition.RECOVERING, str(error)
        self.full = str(error) if isinstance(error, StoreFull) else self.full
        try:
            if isinstance(error, DiskFailed):
                raise error
            self._go_back(lost=isinstance(error, StoreLost))
        except StoreBusy:
            self._end(f"Another process has taken over {self.stream}, or a session that was lost still holds it.")
        except CroupierError as worse:
            self._end(str(worse))
        except Exception as worse:
            self._end(f"An error of the program: {worse!r}.")
        else:
            self.condition, self.reason = Condition.WRITING, ""
        return self.condition is Condition.WRITING

    def _go_back(self, *, lost: bool) -> None:
        """Restore the state; where store or lease are lost get them first, again and again until patience ends."""
        end = monotonic() + self._patience_s
        while True:
            try:
                if lost:
                    self._store.reconnect()
                    self._store.take_lease(self.stream, PAUSE_S)
                    self._store.settle()
                else:
                    self._store.confirm(self.stream)
                self._restore()
                return
            except DiskFailed:
                raise
            except StoreError:
                if monotonic() >= end or self._closing.wait(PAUSE_S):
                    raise
                lost = True

    def _answer_from_store(self, jobs: list[Job], error: Exception, *, final: bool) -> None:
        """Read again what became of the acts; what is not there was not done, if what is read is final."""
        ids = [job.act.id for job in jobs if job.act and not isinstance(error, DiskFailed)]
        try:
            known = self._store.by_commands(self.stream, ids)
        except Exception:
            known = {}
        for job in jobs:
            job.answer = job.error = None
            if job.act is not None and job.act.id in known:
                self._answer_again(job, job.act, known[job.act.id])
            elif job.act is None or final:
                job.error = NotDone(f"Nothing was done. {error}")
            else:
                self._doubtful.add(job.act.id)
                job.error = job.in_vain(self._doubtful, str(error))

    # The end

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
                why = f"Nothing was done. {self.reason or 'The writer is closed.'}"
                job.future.set_exception(job.in_vain(self._doubtful, why))
