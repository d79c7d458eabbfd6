"""That the simulation can fail: the program is broken on purpose, in one place at a time, and the seeds of `make test`
must see it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from croupier.floor import floor as floor_module
from croupier.floor import writer as writer_module
from croupier.floor.writer import Writer
from croupier.ledger.clock import CheckedClock
from croupier.store import sqlite as sqlite_module
from croupier.store.store import DiskFailed, Snapshot, StoreFull
from tests.simulation.database import DatabaseStore
from tests.simulation.observer import Violation
from tests.simulation.seeds import DATABASE, SQLITE, run

Patch = pytest.MonkeyPatch
MOST = {DATABASE: 400, SQLITE: 100}
"""Seeds that are tried; `make test` has more."""


def answered_before_the_commit(patch: Patch) -> None:
    """Entries are held back, and written with the next ones."""
    append = Writer._append

    def hold_back(self: Any, entries: list[Any]) -> None:
        held, self.held = getattr(self, "held", []), entries
        if held:
            append(self, held)

    patch.setattr(Writer, "_append", hold_back)


def told_before_the_commit(patch: Patch) -> None:
    append = Writer._append

    def tell_first(self: Any, entries: list[Any]) -> None:
        self._tell(entries)
        append(self, entries)

    patch.setattr(Writer, "_append", tell_first)


def marked_before_the_commit(patch: Patch) -> None:
    append = Writer._append

    def mark_first(self: Any, entries: list[Any]) -> None:
        self._acknowledge(entries[-1].number, entries[-1].digest)
        append(self, entries)

    patch.setattr(Writer, "_append", mark_first)


def lease_not_confirmed(patch: Patch) -> None:
    """What is answered from memory is answered by whoever thinks that it leads."""
    serve = Writer._serve

    def unconfirmed(self: Any, jobs: Any, known: Any = None) -> None:
        confirm, self._store.confirm = self._store.confirm, lambda *_: None
        try:
            serve(self, jobs, known)
        finally:
            self._store.confirm = confirm

    patch.setattr(Writer, "_serve", unconfirmed)


def marks_not_checked(patch: Patch) -> None:
    for module in (writer_module, floor_module):
        patch.setattr(module, "check_not_behind", lambda *_: None)


def snapshot_not_verified(patch: Patch) -> None:
    patch.setattr(Snapshot, "made_with", lambda *_: True)


def sync_skipped(patch: Patch) -> None:
    pragmas = tuple(pragma.replace("= FULL", "= NORMAL") for pragma in sqlite_module.PRAGMAS)
    patch.setattr(sqlite_module, "PRAGMAS", pragmas)


def failed_sync_taken_for_a_full_disk(patch: Patch) -> None:
    """A write that failed is known to be lost, so the writer says that it was not done, and goes on."""
    in_our_words = sqlite_module.in_our_words

    def milder(name: str, error: Any) -> Any:
        said = in_our_words(name, error)
        return StoreFull(str(said)) if isinstance(said, DiskFailed) else said

    patch.setattr(sqlite_module, "in_our_words", milder)


def term_not_asked(patch: Patch) -> None:
    """Whoever was overtaken between its last look at the lease and the commit writes."""
    patch.setattr(sqlite_module, "FENCED", sqlite_module.FENCED.replace("term = ?", "0 < ?"))
    patch.setattr(sqlite_module.SqliteStore, "_check_term", lambda *_: None)


def lease_not_locked(patch: Patch) -> None:
    """The lease's file is there, and keeps nobody out. Terms do: so all it costs is a leader that did nothing wrong."""

    def unlocked(self: Any, stream: str, wait_s: float) -> Any:
        address = self._address(self.lease_path(stream), "rwc")
        lease = sqlite3.connect(address, timeout=wait_s, isolation_level=None, check_same_thread=False, uri=True)
        lease.execute("PRAGMA user_version").fetchone()
        return lease

    patch.setattr(sqlite_module.SqliteStore, "_lock_lease", unlocked)


def resend_not_known(patch: Patch) -> None:
    patch.setattr(Writer, "_remember", lambda *_: None)
    patch.setattr(DatabaseStore, "by_commands", lambda *_: {})


def memory_not_taken_back(patch: Patch) -> None:
    """After a failure the writer goes on with what it had decided."""

    def go_on(self: Any, *, lost: bool) -> None:
        self._store.reconnect()
        self._store.take_lease(self.stream, 1.0, self._claim_again)

    patch.setattr(Writer, "_go_back", go_on)


def doubt_denied(patch: Patch) -> None:
    """What cannot be looked up is said not to be done."""
    answer = Writer._answer_from_store
    patch.setattr(
        Writer, "_answer_from_store", lambda self, jobs, error, *, final: answer(self, jobs, error, final=True)
    )


def clock_believed(patch: Patch) -> None:
    patch.setattr(CheckedClock, "after", lambda self, _: self())


MUTATIONS: dict[Callable[[Patch], None], str] = {
    answered_before_the_commit: DATABASE,
    told_before_the_commit: DATABASE,
    marked_before_the_commit: DATABASE,
    lease_not_confirmed: DATABASE,
    marks_not_checked: DATABASE,
    snapshot_not_verified: DATABASE,
    sync_skipped: SQLITE,
    failed_sync_taken_for_a_full_disk: SQLITE,
    term_not_asked: SQLITE,
    lease_not_locked: SQLITE,
    resend_not_known: DATABASE,
    memory_not_taken_back: DATABASE,
    doubt_denied: DATABASE,
    clock_believed: DATABASE,
}


OFTEN: dict[Callable[[Patch], None], Mapping[str, float]] = {
    failed_sync_taken_for_a_full_disk: {"sync": 10.0, "kill": 5.0},
    term_not_asked: {"stop": 0.05},
}
"""What takes a rare fault at a rare moment is looked for where that fault is frequent: among all others it would need
thousands of seeds, and one on SQLite takes a tenth of a second and more."""


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_the_simulation_sees(mutation: Callable[[Patch], None], monkeypatch: Patch) -> None:
    kind = MUTATIONS[mutation]
    run(0, kind)  # what is made once is made by the whole program
    mutation(monkeypatch)
    for seed in range(MOST[kind]):
        try:
            run(seed, kind, OFTEN.get(mutation))
        except Violation as seen:
            print(f"seed {seed}: {seen}")
            return
    pytest.fail(f"{MOST[kind]} seeds have not seen it")
