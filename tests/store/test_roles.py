"""An owner of the tables, and a server's role that can only add: real roles on a real PostgreSQL server."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import psycopg
import pytest

from croupier.errors import CroupierError
from croupier.store.postgres.roles import BOOKS, grant
from croupier.store.postgres.store import PostgresStore
from croupier.store.schema import NEWEST
from croupier.store.store import Snapshot, StoreError, open_store
from croupier.web.settings import Settings
from support.postgres import new_floor, server_url
from support.room import LINK
from tests.cli.support import refused, run
from tests.floor.till import STREAM, audited, wagers
from tests.web.cluster.test_hanging import stopped
from tests.web.cluster.test_processes import Round, check_once, link_at, max_number
from tests.web.listening import served
from tests.web.postgres_site import make_site, servers, sign_in
from tests.web.support import free_port, wait_until

numbers = itertools.count(1)


@dataclass(frozen=True)
class Place:
    """A schema of its own, its owner's address and the server's."""

    name: str
    owner: str
    server: str

    def admin(self, statement: str) -> None:
        with psycopg.connect(server_url(), autocommit=True) as db:
            db.execute(statement.encode())


@pytest.fixture
def place() -> Iterator[Place]:
    """Neither role is a superuser; the schema is the owner's."""
    url, name = new_floor(), f"t{next(numbers)}_{threading.get_native_id()}"
    schema = url.rpartition("%3D")[2]
    made = Place(name, *(url.replace("postgres:@", f"{name}_{role}:@") for role in ("owner", "server")))
    made.admin(f"CREATE ROLE {name}_owner LOGIN; CREATE ROLE {name}_server LOGIN")
    made.admin(f"ALTER SCHEMA {schema} OWNER TO {name}_owner")
    yield made
    made.admin(f"DROP SCHEMA {schema} CASCADE; DROP ROLE {name}_owner; DROP ROLE {name}_server")


def prepared(place: Place) -> None:
    said = run("store", "prepare", place.owner, "--server-role", f"{place.name}_server")
    assert "it cannot change or remove them" in said


def may(url: str, statement: str) -> bool:
    """A right that is given away by somebody who has none is only warned about."""
    with psycopg.connect(url, autocommit=True) as db:
        try:
            db.execute(statement.encode())
        except psycopg.errors.InsufficientPrivilege:
            return False
        return db.execute("SELECT has_table_privilege('entry', 'UPDATE')").fetchone() != (False,)


def test_a_server_role_writes_books_and_can_change_nothing_of_them(place: Place) -> None:
    prepared(place)
    entries = wagers(3)
    with open_store(place.server) as store:
        assert store.broad_rights() == ""
        store.take_lease(STREAM)
        store.append(STREAM, entries[:2], Snapshot(2, entries[1].digest, audited(entries[:2]).snapshot()))
        store.save_snapshot(STREAM, Snapshot(1, entries[0].digest, audited(entries[:1]).snapshot()))
        store.append(STREAM, entries[2:])
        assert list(store.entries(STREAM)) == entries
    for statement in (
        "UPDATE entry SET body = 'x'",
        "UPDATE entry SET at = '1999' WHERE number = 2",
        "DELETE FROM entry WHERE number = 3",
        "TRUNCATE entry CASCADE",
        "DROP TABLE entry CASCADE",
        "ALTER TABLE entry DISABLE TRIGGER ALL",
        "ALTER TABLE entry DISABLE TRIGGER entry_is_kept",
        "DROP TRIGGER entry_is_kept ON entry",
        "CREATE OR REPLACE FUNCTION entry_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NULL; END$$",
        "ALTER TABLE entry OWNER TO CURRENT_USER",
        "GRANT UPDATE ON entry TO CURRENT_USER",
        "SET session_replication_role = replica",
        "INSERT INTO schema_version VALUES (99, 'of tomorrow')",
        "DELETE FROM snapshot",
        "DELETE FROM lease",
        "CREATE TABLE more (a integer)",
    ):
        assert not may(place.server, statement), statement
    with open_store(place.server) as store:
        assert list(store.entries(STREAM)) == entries


def test_a_server_whose_right_to_add_was_taken_away_knows_it_before_an_act_comes(place: Place) -> None:
    prepared(place)
    entries = f"{place.owner.rpartition('%3D')[2]}.entry"
    with open_store(place.server) as store:
        store.check_writable()
        place.admin(f"REVOKE INSERT ON {entries} FROM {place.name}_server")
        with pytest.raises(StoreError, match="permission denied"):
            store.check_writable()
        place.admin(f"GRANT INSERT ON {entries} TO {place.name}_server")
        store.check_writable()


def test_a_server_role_makes_no_tables_and_names_the_command(place: Place) -> None:
    with pytest.raises(StoreError):
        open_store(place.server)
    with PostgresStore(place.owner, schema=NEWEST - 1):
        pass
    place.admin(f"GRANT USAGE ON SCHEMA {place.owner.rpartition('%3D')[2]} TO {place.name}_server")
    place.admin(f"GRANT SELECT ON ALL TABLES IN SCHEMA {place.owner.rpartition('%3D')[2]} TO {place.name}_server")
    with pytest.raises(StoreError, match=f"croupier store prepare, with {place.name}_server as the server's role"):
        open_store(place.server)
    prepared(place)
    open_store(place.server).close()
    prepared(place)  # at every new version


def test_whoever_owns_the_tables_or_everything_is_told_so(place: Place) -> None:
    with open_store(place.owner) as store:
        assert "owns the tables" in store.broad_rights()
    with open_store(new_floor()) as store:
        assert "is a superuser" in store.broad_rights()
    prepared(place)
    place.admin(f"GRANT UPDATE ON {place.owner.rpartition('%3D')[2]}.entry TO {place.name}_server")
    with open_store(place.server) as store:
        assert "may change entries" in store.broad_rights()
    prepared(place)
    with open_store(place.server) as store:
        assert store.broad_rights() == "", "what was too much is taken away"


def test_a_role_that_would_have_more_is_refused_in_one_sentence(place: Place) -> None:
    open_store(place.owner).close()
    for role, said in (
        ("nobody_at_all", "has no role 'nobody_at_all'"),
        (f"{place.name}_owner", "owns the tables"),
        ("postgres", "is a superuser"),
    ):
        with pytest.raises(CroupierError, match=said):
            grant(place.owner, role, [])
    place.admin(f"ALTER ROLE {place.name}_server NOLOGIN")
    with pytest.raises(CroupierError, match="may not connect"):
        grant(place.owner, f"{place.name}_server", [])
    place.admin(f"ALTER ROLE {place.name}_server LOGIN")
    with pytest.raises(StoreError, match="cannot be set"):
        grant(place.server, f"{place.name}_owner", [])


def test_the_command_is_for_postgresql() -> None:
    assert "is another store" in refused("store", "prepare", "sqlite:///floor.db")
    assert set(BOOKS) == {"entry", "schema_version", "snapshot", "lease"}


def test_a_site_is_served_in_the_servers_role_and_a_leader_that_hangs_is_taken_over(
    place: Place, tmp_path: Path
) -> None:
    """Everything that a server does, with sessions, rounds and histories; and its own sessions it may end."""
    prepared(place)
    make_site(place.server, tmp_path / "site.key")
    with servers(place.server, tmp_path) as (leader, other):
        stop, header = threading.Event(), sign_in(other.url, "ann")
        client = Round([other.url], header, 1, stop)
        wait_until(lambda: len(client.done) > 4)
        answer = httpx.post(
            f"{other.url}/api/rounds", json={"id": "r1", "game": "blackjack"}, headers=header, timeout=60
        )
        assert answer.status_code == 200, answer.text
        with stopped(leader.process.pid):
            other.wait("ready")
            before = max_number(client)
            wait_until(lambda: max_number(client) > before)
        leader.wait("following")
        wait_until(lambda: len(client.done) > 30)
        stop.set()
        client.thread.join(20)
        assert "broad-rights" not in leader.log.read_text()
        check_once(place.server, [client], None, link_at(other.url, header)["number"], at_least=5)


def test_a_server_that_owns_its_tables_says_so_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    db = new_floor()
    make_site(db, tmp_path / "site.key")
    with caplog.at_level("WARNING"), served(Settings(db=db, port=free_port(), key_file=tmp_path / "site.key")) as one:
        assert one.runtime.house.links[LINK].entries
    assert "is a superuser" in caplog.text
