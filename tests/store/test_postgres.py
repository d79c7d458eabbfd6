"""The store on a real PostgreSQL server keeps the promises of all stores, and survives what happens to servers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import psycopg
import pytest

from croupier.ledger.clock import counted_s
from croupier.ledger.entry import Entry
from croupier.store.lease import Claim, Heartbeat
from croupier.store.postgres.store import REPLACE, PostgresStore, snapshot_row
from croupier.store.store import COLUMNS, Row, Snapshot, Store, StoreBusy, StoreError, StoreLost, open_store
from support.postgres import new_floor
from tests.floor.till import STREAM, wagers
from tests.store.contract import StoreContract

ROOT = Path(__file__).parents[2]


class TestPostgresStore(StoreContract):
    @pytest.fixture
    def url(self) -> str:
        return new_floor()

    def raw(self, url: str, statement: str) -> None:
        with psycopg.connect(url, autocommit=True) as db:
            db.execute(statement.encode())

    def forge(self, url: str, statement: str) -> None:
        self.raw(url, "ALTER TABLE entry DISABLE TRIGGER entry_is_kept")
        self.raw(url, statement)

    def at_schema(self, url: str, schema: int) -> Store:
        return OldStore(url, schema=schema)

    def lose_lease(self, store: Any, stream: str) -> None:
        """As a pooler does when it gives the session to somebody else, or a new session to us."""
        store._db.execute("SELECT pg_advisory_unlock_all()")

    @pytest.fixture(params=["entry_follows", "entry_is_kept"])
    def trigger(self, request: pytest.FixtureRequest) -> str:
        return str(request.param)

    def unguard(self, url: str, trigger: str) -> None:
        self.raw(url, f"ALTER TABLE entry DISABLE TRIGGER {trigger}")

    def replace_guard(self, url: str, trigger: str) -> None:
        self.raw(
            url,
            f"CREATE OR REPLACE FUNCTION {trigger}() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NULL; END$$",
        )

    def test_a_trigger_that_is_asked_at_another_moment_is_no_guard(self, url: str, store: Store) -> None:
        store.close()
        self.raw(url, "DROP TRIGGER entry_is_kept ON entry")
        again = "BEFORE DELETE ON entry FOR EACH STATEMENT EXECUTE FUNCTION entry_is_kept()"
        self.raw(url, f"CREATE TRIGGER entry_is_kept {again}")
        with pytest.raises(StoreError, match="its trigger entry_is_kept was changed"):
            open_store(url)

    def test_a_commit_is_synced_whatever_the_session_was_set_to(self, store: Store) -> None:
        """A pooler may have given us the session of somebody who does not mind."""
        assert isinstance(store, PostgresStore)
        store._db.execute("SET synchronous_commit = off")
        with store._transaction() as db:
            store._stand(STREAM)
            shown = [db.execute(f"SHOW {name}").fetchone() for name in ("synchronous_commit", "statement_timeout")]
        assert shown == [("on",), ("0",)]
        assert store._db.execute("SHOW statement_timeout").fetchone() == ("10s",)

    def test_a_statement_that_takes_too_long_is_ended_by_the_server_and_nothing_is_lost(self, url: str) -> None:
        with PostgresStore(url, answer_s=1.0) as store:
            store.take_lease(STREAM)
            with pytest.raises(StoreError, match="statement timeout") as error:
                store._read("SELECT pg_sleep(60)")
            assert not isinstance(error.value, StoreLost)
            store.confirm(STREAM, 0)

    def test_a_lock_that_is_held_too_long_is_not_waited_for(self, url: str) -> None:
        with PostgresStore(url, answer_s=1.0) as store, psycopg.connect(url) as db:
            db.execute("LOCK TABLE entry IN EXCLUSIVE MODE")
            with pytest.raises(StoreError, match="lock timeout"):
                store.append(STREAM, wagers(1))
            db.rollback()
            store.append(STREAM, wagers(1))

    def test_a_commit_that_takes_its_time_holds_up_no_beat(
        self, url: str, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A stall of the disk or of a replica is no reason to take the lease of a holder that lives."""
        monkeypatch.setattr(Heartbeat.__init__, "__defaults__", (0.02, counted_s, None))
        store.take_lease(STREAM)
        with ThreadPoolExecutor(1) as pool, open_store(url) as other, psycopg.connect(url) as db:
            db.execute("LOCK TABLE entry IN EXCLUSIVE MODE")
            commit = pool.submit(store.append, STREAM, wagers(1))
            beats = set[object]()
            while len(beats) < 5 and not commit.done():  # no longer than it waits for a lock
                beats.add(other.lease(STREAM))
                sleep(0.05)
            assert not commit.done()
            db.rollback()
            commit.result()
        assert len(beats) == 5
        assert store.lease_doubt() == ""

    def test_a_beat_says_at_once_that_the_session_that_held_the_lease_is_gone(
        self, url: str, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert isinstance(store, PostgresStore)
        monkeypatch.setattr(Heartbeat.__init__, "__defaults__", (0.02, counted_s, None))
        store.take_lease(STREAM)
        self.raw(url, f"SELECT pg_terminate_backend({store._db.info.backend_pid}, 5000)")
        end = monotonic() + 5
        while not store.lease_doubt() and monotonic() < end:
            sleep(0.02)
        assert store.lease_doubt() == f"The lease of {STREAM} is lost."

    def test_beats_go_on_by_another_session_when_theirs_is_lost(
        self, url: str, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Heartbeat.__init__, "__defaults__", (0.02, counted_s, None))
        store.take_lease(STREAM)
        assert isinstance(store, PostgresStore)
        others = (
            f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE query LIKE '%UPDATE lease%'"
            f" AND pid NOT IN (pg_backend_pid(), {store._db.info.backend_pid}) AND datname = current_database()"
        )
        with open_store(url) as other:
            for _ in range(2):
                before, end = other.lease(STREAM), monotonic() + 5
                while other.lease(STREAM) == before and monotonic() < end:
                    sleep(0.02)
                assert other.lease(STREAM) != before
                self.raw(url, others)
        store.append(STREAM, wagers(1))

    def test_whoever_hangs_in_taking_the_lease_is_known_and_can_be_taken_over(
        self, url: str, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Stopped as soon as its session has the lock: the row already says whose it is."""
        assert isinstance(store, PostgresStore)
        read = store._read

        def stopped(query: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
            found = read(query, values)
            if "pg_try_advisory_lock" in query:
                raise KeyboardInterrupt
            return found

        monkeypatch.setattr(store, "_read", stopped)
        with pytest.raises(KeyboardInterrupt):
            store.take_lease(STREAM, claim=Claim("hangs"))
        with open_store(url) as other:
            with pytest.raises(StoreBusy, match="Another process is writing"):
                other.take_lease(STREAM)
            other.take_lease(STREAM, claim=Claim("next", over=other.leases()))
            other.append(STREAM, wagers(1))

    def test_a_lease_that_could_not_be_written_down_leaves_no_lock(self, url: str, store: Store) -> None:
        store.take_lease(STREAM)
        store.release_lease()
        with PostgresStore(url, answer_s=0.2) as hindered, psycopg.connect(url) as db:
            db.execute("SELECT 1 FROM lease FOR UPDATE")
            with pytest.raises(StoreError, match="timeout"):
                hindered.take_lease(STREAM)
            db.rollback()
            store.take_lease(STREAM)

    def test_a_session_of_the_server_that_is_frozen_is_given_up(self, url: str) -> None:
        with PostgresStore(url, answer_s=1.0) as store:
            store.take_lease(STREAM)
            first, second = wagers(2)
            store.append(STREAM, [first])
            began = monotonic()
            with frozen(store), pytest.raises(StoreLost, match="has not answered for"):
                store.append(STREAM, [second])
            assert monotonic() - began < 20
            store.reconnect()
            store.take_lease(STREAM, wait_s=30)  # which the other session had until it woke up and found nobody
            assert store.last(STREAM) == second, "it had been sent whole, and was done when it woke: that is final"

    @pytest.mark.parametrize("statement", ["TRUNCATE entry", "TRUNCATE entry CASCADE"])
    def test_emptying_is_refused_too(self, url: str, store: Store, statement: str) -> None:
        store.append(STREAM, wagers(3))
        with pytest.raises(psycopg.Error):
            self.raw(url, statement)
        assert list(store.entries(STREAM)) == wagers(3)

    def test_every_commit_is_synced(self, store: Store) -> None:
        assert isinstance(store, PostgresStore)
        assert store._db.execute("SHOW synchronous_commit").fetchone() == ("on",)

    def test_a_lost_connection_is_said_and_the_lease_is_free(self, url: str, store: Store) -> None:
        store.take_lease(STREAM)
        store.append(STREAM, wagers(2))
        end_sessions(url)
        with pytest.raises(StoreLost, match="connection"):
            store.append(STREAM, wagers(3)[2:])
        with open_store(url) as other:
            other.take_lease(STREAM, wait_s=30)
        store.reconnect()
        assert store.last(STREAM) == wagers(2)[1]


class OldStore(PostgresStore):
    """Writes as programs did before leases had terms; a program of today brings the schema up to date first."""

    def append(self, stream: str, entries: Sequence[Entry], snapshot: Snapshot | None = None) -> None:
        marks = ", ".join(["%s"] * (1 + len(Row._fields)))
        with self._transaction() as db:
            for entry in entries:
                db.execute(f"INSERT INTO entry (stream, {COLUMNS}) VALUES ({marks})", (stream, *Row.of(entry)))
            if snapshot:
                db.execute(REPLACE, snapshot_row(stream, snapshot))


@contextmanager
def frozen(store: PostgresStore) -> Iterator[None]:
    """The server's process for this session stands still, as that of a machine that hangs."""
    pid = store._db.info.backend_pid
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def end_sessions(url: str) -> int:
    """As a server does that is restarted, or a network that breaks; how many there were."""
    with psycopg.connect(url, autocommit=True) as db:
        ended = db.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return len(ended.fetchall())


def test_a_server_that_is_not_there_is_said() -> None:
    with pytest.raises(StoreLost, match=r"postgresql://me:\.\.\.@127.0.0.1:1/floor"):
        open_store("postgresql://me:secret@127.0.0.1:1/floor")


def test_an_address_that_is_none_is_said() -> None:
    with pytest.raises(StoreError):
        open_store("postgresql://[host/floor")


def test_a_second_user_of_the_machine_has_a_server_too() -> None:
    """The package's own lock lies in the shared temporary folder; here it is one that nobody can open."""
    with tempfile.TemporaryDirectory() as shared:
        (Path(shared) / ".lockfile").mkdir()
        environment = {**os.environ, "TMPDIR": shared}
        asking = "from support.postgres import new_floor; print(new_floor())"
        address = subprocess.check_output([sys.executable, "-c", asking], cwd=ROOT, env=environment, text=True)
        assert address.startswith("postgresql://")
        assert [path.name for path in Path(shared).iterdir()] == [".lockfile"], "its folder goes with it"
