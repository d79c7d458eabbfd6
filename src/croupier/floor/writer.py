"""The only writer of a book: it takes acts in order, makes them durable many at a time, and only then answers.

    main = Origin(partial(Link, "main"), Link.of_snapshot, same_link_act)
    with Writer(open_store("sqlite:///floor.db"), "link:main", main) as writer:
        entry = writer.submit(act).result()

Whatever is waiting is done as one commit, so a busy link costs hardly more syncs than a quiet one. An act is answered
with its entry; an act that was sent before, with the entry of the first time; an act that is not allowed, with its
Refusal. Nothing is answered, be it a refusal or a question, before the store has confirmed that this is still the one
writer and knows the last entry. When the store fails, the state in memory goes back to what is durable, and the answer
says what is known:

NotDone       this sending has done nothing and will not; it may be sent again, with the same id if it ever was before
InDoubt       the store cannot be reached to find out; send it again with the same id, and the answer will be the truth

A writer stops when its disk fails, when another process has its stream or has taken its lease over, when patience ends,
and when it finds its book shorter than, or different from, what it has acknowledged.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Container, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, suppress
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
from croupier.store.lease import Claim
from croupier.store.marks import BookBehind, Mark, Marks, check_not_behind
from croupier.store.store import (
    Conflict,
    DiskFailed,
    LeaseTaken,
    LogInUse,
    Snapshot,
    Store,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreLost,
)

# What waits for a writer, and how it is answered when there is no entry to answer with.


class NotDone(CroupierError):
    """This sending of the act has done nothing; the act is not in the book, unless an earlier sending brought it there
    and this writer has not heard of it."""


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
    tries: bool = False
    """Whether the store is to show that it would take an act now."""
    answer: Any = None
    error: BaseException | None = None

    def resolve(self) -> None:
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.answer)

    def in_vain(self, sent_before: Container[str], why: str) -> CroupierError:
        """What is said to a job that a writer does not take up. An act that was sent before may be in the book."""
        if self.act is not None and self.act.id in sent_before:
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


class Worker(Protocol):
    """Who does the work of a writer, and by which clock it waits."""

    def begin(self, writer: Writer[Any]) -> None:
        """From now on, have the writer take its steps."""

    def end(self) -> None:
        """Return when the writer has taken its last step."""

    def future(self) -> Future[Any]:
        """For whoever hands something in and wants to wait for it."""

    def counted_s(self) -> float:
        """Seconds since some moment."""

    def pause(self, closing: Event, seconds: float) -> bool:
        """Wait so long; whether the writer is being closed."""


class OwnThread:
    """A worker that is a thread, as in every running floor."""

    _thread: Thread

    def begin(self, writer: Writer[Any]) -> None:
        self._thread = Thread(target=writer.run, name=f"writer of {writer.stream}", daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._thread.join()

    def future(self) -> Future[Any]:
        return Future()

    def counted_s(self) -> float:
        return monotonic()

    def pause(self, closing: Event, seconds: float) -> bool:
        return closing.wait(seconds)


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
        claim: Claim | None = None,
        wait_s: float = 0.0,
        patience_s: float = PATIENCE_S,
        most_in_a_commit: int = MOST_IN_A_COMMIT,
        snapshot_every: int = SNAPSHOT_EVERY,
        worker: Callable[[], Worker] = OwnThread,
    ) -> None:
        self.stream, self.condition, self.reason = stream, Condition.WRITING, ""
        self._store, self._origin, self._watch, self._patience_s = store, origin, watch, patience_s
        self._secret, self._marks = secret, marks
        claim = claim or Claim()
        self._claim_again = Claim(claim.holder, again=True)
        """For a lease that was ours: a session of our own that was lost, and still has it, is in nobody's way."""
        self.behind = False
        """Whether it has stopped because its book lacks what was acknowledged."""
        self.disk_failed = ""
        """What the store said of its disk, where that is why it has stopped."""
        self.unwritable = ""
        """Why nothing can be written, as the store last said; nothing once something was written again."""
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
        self._worker = worker()
        with self._noting_disk():
            store.take_lease(stream, wait_s, claim)
        try:
            if why := claim.doubt():  # it hung on the way here: another may be about to take all that it has
                raise StoreBusy(f"{stream} is not opened. {why}")
            with self._noting_disk():
                if marks is not None:  # what is acknowledged from now on rests on nothing a failed sync left in a log
                    self._settle()
                self._restore()
        except BaseException:
            store.release_lease()
            raise
        self._worker.begin(self)

    # For everybody

    def submit(self, act: Identified) -> Future[Entry]:
        """Have an act done; the future is its entry, once that is durable. Its callbacks hold up the next commit."""
        future: Future[Entry] = self._worker.future()
        self._put(Job(future, act=act))
        return future

    def hand_in(self, act: Identified, waiting: Waiting) -> None:
        """The same for somebody who waits in a way of their own."""
        self._put(Job(waiting, act=act))

    def ask(self, question: Callable[[State], Answer], *, tries: bool = False) -> Future[Answer]:
        """Ask the state something, between two commits: only what is durable is seen. It must not change anything.
        With `tries` the store shows that it would take an act now, or `unwritable` says why not."""
        future: Future[Answer] = self._worker.future()
        self._put(Job(future, question=question, tries=tries))
        return future

    @property
    def lease_doubt(self) -> str:
        """Why another process may have the book by now, as after this one was stopped for a while; nothing else."""
        return self._store.lease_doubt()

    def close(self) -> None:
        """Do what is waiting, then stop and close the store. A writer that is recovering gives up."""
        with self._door:
            self._waiting.put(None)
            self._closing.set()
        self._worker.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _put(self, job: Job) -> None:
        with self._door:
            if self.condition is Condition.STOPPED or self._closing.is_set():
                why = f"{self.stream} takes no acts. {self.reason or 'The writer is closed.'}"
                job.future.set_exception(job.in_vain(self._sent_before, why))
            elif self._waiting.qsize() >= MOST_WAITING:
                job.future.set_exception(NotDone(f"{self.stream} is busy: {MOST_WAITING:,} acts are waiting."))
            else:
                self._waiting.put(job)

    # The worker

    @property
    def waiting(self) -> bool:
        """Whether a step would have something to do now."""
        return not self._waiting.empty() or self.condition is Condition.STOPPED

    def run(self) -> None:
        """Step after step, until the end."""
        while self.step():
            pass

    def step(self) -> bool:
        """Do whatever is waiting, as one commit, or wait for something to do; whether there is another step to take."""
        more = False
        try:
            if self.condition is not Condition.STOPPED and (jobs := self._take()):
                jobs = [job for job in jobs if job.future.set_running_or_notify_cancel()]
                self._work(jobs)
                for job in jobs:
                    job.resolve()
                more = True
        finally:
            if not more:
                self._stop()
        return more

    def _work(self, jobs: list[Job]) -> None:
        """Serve, and once more when the store was lost and found: what was done by then is known by its id."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                self._serve(jobs)
                return
            except Exception as error:
                recovered = self._recover(error)
                if not recovered or attempt == ATTEMPTS or not isinstance(error, StoreLost):
                    self._answer_from_store(jobs, error, final=recovered or not isinstance(error, StoreLost | Conflict))
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
                answered = {} if known else self._store.by_commands(self.stream, ids)
                if not answered:
                    raise
                self._restore()
                self._serve(jobs, answered)
                for entry in answered.values():  # who sends one of long ago once may do so again
                    self._remember(entry)
                return
            self.unwritable = ""
            for entry in entries:
                self._remember(entry)
            self._acknowledge(entries[-1].number, entries[-1].digest)
            self._tell(entries)
        elif jobs:
            self._store.confirm(self.stream, self._state.book.entries)
            if self.unwritable or any(job.tries for job in jobs):
                self.unwritable = self._store.why_unwritable(self.unwritable)
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
            answered = self._store.by_commands(self.stream, [job.act.id for job in refused if job.act])
            for job in refused:
                if job.act is not None and job.act.id in answered:
                    self._answer_again(job, job.act, answered[job.act.id])
        return entries

    def _do(self, job: Job, act: Identified, entries: list[Entry]) -> bool:
        """Decide and apply one act. What goes wrong is the act's own answer: the others do not feel it."""
        try:
            entry = self._state.handle(act, self._time(accepted=getattr(act, "accepts_time", False)))
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

    def _time(self, *, accepted: bool) -> str:
        clock, last = self._clock, self._state.book.at
        return clock.after(last, accepted=accepted) if isinstance(clock, CheckedClock) else clock()

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

    @property
    def _sent_before(self) -> Container[str]:
        """Ids of acts that are in the book or may be, as far as this writer has heard."""
        return self._doubtful | self._latest.keys()

    # When the store fails

    def _restore(self) -> None:
        """Asked before, so that what is wrong is said; and after, because a book may be cut while it is read."""
        file = self._marks.path.name if self._marks else ""
        check_not_behind(self._store, self.stream, self._acknowledged, file)
        read = deque[Entry](maxlen=MOST_REMEMBERED)
        try:
            known = self._acknowledged.number if self._acknowledged else None
            if known is None and self._marks is not None:
                known = self._marks.acknowledged(self.stream)
            self._state, self._snapshot_at = restore(
                self._store, self.stream, self._origin, read.append, self._secret, acknowledged=known
            )
        finally:
            check_not_behind(self._store, self.stream, self._acknowledged, file)
        self._latest.clear()
        for entry in read:
            self._remember(entry)
        book = self._state.book
        if book.entries:
            self._acknowledge(book.entries, book.digest)
        if book.entries - self._snapshot_at >= self._every and not self._origin.rebuilt:
            self._store.save_snapshot(self.stream, self._snapshot())
            self._snapshot_at = book.entries
        self._tell([])

    def _settle(self) -> None:
        """Once a failure of the disk is known, nothing is done before the store is sure of what it has."""
        failed = self._marks is not None and self._marks.disk_failed()
        self._store.settle(after_disk_failure=failed)
        if failed:
            self._keep_disk_failed(False)

    @contextmanager
    def _noting_disk(self) -> Iterator[None]:
        """Whatever it was that the disk failed at, it is kept: nobody goes on beside a reader of the log before it is
        settled."""
        try:
            yield
        except BookBehind:
            raise
        except DiskFailed as error:
            self.disk_failed = str(error)
            self._keep_disk_failed(True)
            raise

    def _keep_disk_failed(self, failed: bool) -> None:
        if self._marks is not None:
            self._marks.keep_disk_failed(failed)

    def _recover(self, error: Exception) -> bool:
        """Go back to what is durable; whether that is known now, with the lease in hand."""
        self.condition, self.reason = Condition.RECOVERING, str(error)
        self.unwritable = str(error) if isinstance(error, StoreFull) else self.unwritable
        try:
            with self._noting_disk():
                if isinstance(error, DiskFailed):
                    raise error
                self._go_back(lost=isinstance(error, StoreLost))
        except LogInUse as busy:
            self._end(str(busy))
        except StoreBusy:
            self._end(f"Another process has taken over {self.stream}, or a session that was lost still holds it.")
        except CroupierError as worse:
            self.behind = isinstance(worse, BookBehind)
            self._end(str(worse))
        except Exception as worse:
            self._end(f"An error of the program: {worse!r}.")
        else:
            self.condition, self.reason = Condition.WRITING, ""
        return self.condition is Condition.WRITING

    def _go_back(self, *, lost: bool) -> None:
        """Restore the state; where store or lease are lost get them first, again and again until patience ends."""
        end = self._worker.counted_s() + self._patience_s
        while True:
            try:
                if lost:
                    self._store.reconnect()
                    self._store.take_lease(self.stream, PAUSE_S, self._claim_again)
                    self._settle()
                else:
                    self._store.confirm(self.stream)
                self._restore()
                return
            except (DiskFailed, LeaseTaken):
                raise
            except StoreError:
                if self._worker.counted_s() >= end or self._worker.pause(self._closing, PAUSE_S):
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
                self._remember(known[job.act.id])
            elif job.act is None or final:
                job.error = NotDone(f"Nothing was done. {error}")
            else:
                self._doubtful.add(job.act.id)
                job.error = job.in_vain(self._sent_before, str(error))

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
                job.future.set_exception(job.in_vain(self._sent_before, why))
