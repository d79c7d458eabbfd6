"""The store on a real PostgreSQL server keeps the promises of all stores, and survives what happens to servers."""

from __future__ import annotations

import psycopg
import pytest

from croupier.progressive.store import Store, StoreError, StoreLost, open_store
from croupier.progressive.store_postgres import PostgresStore
from tests.progressive.server import new_floor
from tests.progressive.store_contract import StoreContract
from tests.progressive.till import STREAM, wagers


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
        return PostgresStore(url, schema=schema)

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
            other.take_lease(STREAM, wait_s=5)
        store.reconnect()
        assert store.last(STREAM) == wagers(2)[1]


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
