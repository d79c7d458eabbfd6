"""A book's state in memory and its store, and the truth about both when the store fails.

`Writer` decides and commits; what is read again, given up or confessed when that goes wrong is here.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Lock
from time import monotonic
from typing import Any, Generic

from croupier.errors import CroupierError, Refusal
from croupier.progressive.aggregate import Act, Kind, State, restore
from croupier.progressive.jobs import Condition, Job, NotDone, WriterNo
from croupier.progressive.ledger import Entry
from croupier.progressive.store import DiskFailed, Store, StoreBusy, StoreError, StoreLost

PATIENCE_S = 30.0
"""How long a writer tries to reach a store that it has lost."""
PAUSE_S = 0.1
MOST_REMEMBERED = 2_000
"""Entries whose acts are known by their ids without asking the store."""
Watch = Callable[[Any, list[Entry]], None]
"""Told the state and what was just added to it, once that is durable. After the state was read again nothing is named:
whoever counts entries sees by their numbers what it has missed."""


class Keeper(Generic[State]):
    """The state of one stream, and the store that has its lease."""

    def __init__(
        self, store: Store, stream: str, kind: Kind[State], watch: Watch | None, patience_s: float = PATIENCE_S
    ) -> None:
        self.stream, self.condition, self.reason = stream, Condition.WRITING, ""
        self._store, self._kind, self._watch, self._patience_s = store, kind, watch, patience_s
        self._door = Lock()
        self._closing = Event()
        self._doubtful: set[str] = set()
        """Ids of acts that were answered with InDoubt."""
        self._latest: OrderedDict[str, Entry] = OrderedDict()
        """The last entries by the ids of their acts, for those who send one again."""
        self._state: State
        self._snapshot_at: int

    def _tell(self, entries: list[Entry]) -> None:
        """A watcher that fails does not undo what is durable: it is told again with the next entries."""
        if self._watch is not None:
            with suppress(Exception):
                self._watch(self._state, entries)

    def _remember(self, entry: Entry) -> None:
        self._latest[entry.command] = entry
        if len(self._latest) > MOST_REMEMBERED:
            self._latest.popitem(last=False)

    def _answer_again(self, job: Job, act: Act, entry: Entry) -> None:
        """A resend is answered with the first result; another act under the same id is a mistake of the client."""
        job.error = None
        try:
            same = self._kind.answers(act, entry)
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
        self._state, self._snapshot_at = restore(self._store, self.stream, self._kind, self._remember)
        self._tell([])

    def _recover(self, error: Exception) -> bool:
        """Go back to what is durable; whether that is known now, with the lease in hand."""
        self.condition, self.reason = Condition.RECOVERING, str(error)
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

    def _confess(self, jobs: list[Job], error: Exception, *, final: bool) -> None:
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

    def _end(self, reason: str) -> None:
        with self._door:
            self.condition, self.reason = Condition.STOPPED, reason
