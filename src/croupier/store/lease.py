"""Who may write a book: a lease with a term, kept alive by beats.

    leases = store.leases()                         their rows: of each the term, the holder, its last beat
    lookout.look(leases, monotonic())               by whoever would write instead: True once the holder is silent
    store.take_lease("site", 0, Claim(over=lookout.over))

A lease ends with the process that holds it. One that hangs is alive, so its holder beats as well: whoever waits for the
lease sees the beats change, by a clock of its own that only counts, and compares no times of day. After `SILENT_S`
without a new beat the lease may be taken over, as it stood when that was judged: whoever judges may be stopped before
it takes, and a holder that has woken and beaten meanwhile keeps its lease. Taking over raises the term, and every
commit asks for the term: what the old holder sends when it wakes is not written, however long it slept and whatever its
clock says.

What is decided here is plain arithmetic on rows and on seconds that are given; the stores keep the rows.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Event, Thread

from croupier.errors import CroupierError
from croupier.ledger.clock import counted_s

BEAT_S = 1.0
"""How often a holder beats."""
SILENT_S = 5.0
"""How long a holder may be silent before another takes its lease. Longer than any stall of a machine that works."""


@dataclass(frozen=True)
class Lease:
    """The lease of a book, as its row says."""

    term: int
    """Raised whenever the lease is taken: what was sent under an earlier one is not written."""
    holder: str
    beat: int
    """Anything that changes while the holder lives."""

    def is_of(self, term: int) -> bool:
        """Whether whoever took it with this term holds it still."""
        return self.term == term


def term_of(lease: Lease | None) -> int:
    """Terms are counted from 1."""
    return lease.term if lease is not None else 0


@dataclass(frozen=True)
class Claim:
    """Who wants leases, and from whom they may be taken although they are held."""

    holder: str = field(default_factory=lambda: secrets.token_hex(8))
    over: Mapping[str, Lease] = field(default_factory=dict)
    """By book: leases that were watched, and are silent, as they stood then."""
    again: bool = False
    """Whether a lease of this very holder may be taken: by a session of its own that was lost, and still has it."""
    doubt: Callable[[], str] = field(default=str, compare=False)
    """Why whoever claims may be held for silent itself, by the lease that others watch; nothing else."""

    def may_take(self, stream: str, lease: Lease | None) -> bool:
        """Whether a lease that is held may be taken from its holder. A beat since it was judged says no."""
        if lease is None:
            return False
        return self.over.get(stream) == lease or (self.again and lease.holder == self.holder)

    def was_overtaken(self, lease: Lease | None, term: int) -> bool:
        """Whether somebody else has taken a lease that was ours under this term."""
        return bool(term) and lease is not None and lease.term > term and lease.holder != self.holder


class Watch:
    """Watches the beats of one lease, for somebody who would take it."""

    def __init__(self, silent_s: float = SILENT_S, beat_s: float = BEAT_S) -> None:
        self._silent_s, self._beat_s = silent_s, beat_s
        self.seen: Lease | None = None
        """The lease at the last look."""
        self._at = 0.0
        self.silent_for_s = 0.0
        """How long the holder has not beaten, of the time that was watched."""
        self.heard = False
        """Whether a beat was seen to change: then somebody lives."""

    def look(self, lease: Lease | None, now_s: float) -> bool:
        """Whether the holder is silent.

        A watcher that was itself away, or asleep with the whole machine, has not watched meanwhile: the time between
        two looks counts as one beat at most.
        """
        if lease is None or lease != self.seen:
            self.heard = self.seen is not None and lease is not None
            self.seen, self.silent_for_s = lease, 0.0
        else:
            self.silent_for_s += min(max(0.0, now_s - self._at), self._beat_s)
        self._at = now_s
        return self.is_silent

    @property
    def is_silent(self) -> bool:
        return self.silent_for_s >= self._silent_s

    @property
    def missed(self) -> bool:
        """Whether more beats than one are missing."""
        return self.silent_for_s > 2 * self._beat_s


class Lookout:
    """Watches all leases of a site, each for itself, for somebody who would take them: `first` before the others."""

    def __init__(self, first: str, silent_s: float = SILENT_S, beat_s: float = BEAT_S) -> None:
        self._silent_s, self._beat_s = silent_s, beat_s
        self.first = Watch(silent_s, beat_s)
        self._watches = {first: self.first}

    def look(self, leases: Mapping[str, Lease], now_s: float) -> bool:
        """Whether the holder of the first one is silent."""
        for stream in leases:
            self._watches.setdefault(stream, Watch(self._silent_s, self._beat_s))
        for stream, watch in self._watches.items():
            watch.look(leases.get(stream), now_s)
        return self.first.is_silent

    @property
    def over(self) -> dict[str, Lease]:
        """The leases of those who are silent, as they stood at the last look.

        Whoever is silent in the first one has fallen silent in all: in the others up to one beat later.
        """
        return {
            stream: watch.seen
            for stream, watch in self._watches.items()
            if watch.seen is not None and (watch.is_silent or self._fell_silent(watch))
        }

    def _fell_silent(self, watch: Watch) -> bool:
        first, other = self.first.seen, watch.seen
        of_one = first is not None and other is not None and first.holder == other.holder
        return of_one and self.first.is_silent and watch.silent_for_s >= self._silent_s - self._beat_s


class Heartbeat:
    """Beats for a holder, in a thread of its own, until it is stopped or the lease is another's.

    `beat` says whether the lease is still held; where it cannot be asked, the next beat tries again. Without a time
    between two beats there is no thread, and whoever has made it calls `step`. `ended` is called by the thread at last.
    """

    def __init__(
        self,
        stream: str,
        beat: Callable[[], bool],
        beat_s: float | None = BEAT_S,
        counted: Callable[[], float] = counted_s,
        ended: Callable[[], None] | None = None,
    ) -> None:
        self.stream, self._beat, self._counted, self._at_end = stream, beat, counted, ended
        self._beaten_at, self._lost, self._ended = counted(), False, Event()
        if beat_s is not None:
            Thread(target=self._run, args=(beat_s,), name=f"heartbeat of {stream}", daemon=True).start()

    def stop(self) -> None:
        self._ended.set()

    def doubt(self, silent_s: float = SILENT_S) -> str:
        """Why the lease may be another's by now, in a sentence; nothing while it is surely held.

        Whoever was stopped or asleep knows it by this before anything else is asked: no beat was made meanwhile.
        """
        if self._lost:
            return f"The lease of {self.stream} is lost."
        since_s = self._counted() - self._beaten_at
        return f"The lease of {self.stream} was last confirmed {since_s:.0f} seconds ago." if since_s > silent_s else ""

    def step(self) -> bool:
        """Beat once; whether the lease is held, as far as is known."""
        if self._ended.is_set():
            return False
        asked_at = self._counted()
        try:
            held = self._beat()
        except CroupierError:
            return True
        if held:
            self._beaten_at = asked_at
        else:
            self._lost = not self._ended.is_set()
        return held

    def _run(self, beat_s: float) -> None:
        while not self._ended.wait(beat_s) and self.step():
            pass
        if self._at_end is not None:
            self._at_end()
