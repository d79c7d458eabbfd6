"""A leader that hangs under load: another server leads within seconds, and the old one, when it wakes, leads no more.

Its process is stopped (SIGSTOP): it lives, has its sessions, its locks and its port, and answers nobody.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from croupier.errors import NotationError
from croupier.floor.floor import Floor
from croupier.ledger.entry import SITE
from croupier.store.lease import SILENT_S, Lookout
from croupier.store.store import StoreLost
from croupier.web.cluster import runtime as runtimes
from croupier.web.cluster.runtime import Runtime, SecondServer
from croupier.web.settings import Settings
from support.postgres import new_floor
from tests.web.cluster.test_processes import Round, check_once, link_at, max_number, start
from tests.web.postgres_site import make_site, servers, sign_in
from tests.web.support import MadeSite, Server, free_port, wait_until

WITHIN_S = SILENT_S + 10
"""In which another leads. It is about six seconds; the machine may have much else to do."""


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def keep_until(runtime: Runtime, true: Callable[[], object]) -> None:
    """As a server does, again and again."""

    def kept() -> object:
        runtime.keep()
        return true()

    wait_until(kept)


def played(clients: list[Round], after: int) -> None:
    wait_until(lambda: all(client.done and max_number(client) > after for client in clients), 40)


def ended(clients: list[Round], stop: threading.Event) -> None:
    stop.set()
    for client in clients:
        client.thread.join(40)
        assert not client.thread.is_alive()


def told_so_far(clients: list[Round]) -> int:
    return max(map(max_number, clients))


def test_a_leader_that_hangs_on_postgresql_is_taken_over_and_follows_when_it_wakes(tmp_path: Path) -> None:
    db = new_floor()
    make_site(db, tmp_path / "site.key")
    with servers(db, tmp_path) as (leader, other):
        stop, header = threading.Event(), sign_in(other.url, "ann", 3)
        clients = [Round([other.url], sign_in(other.url, "ann", table), table, stop) for table in (1, 2)]
        clients.append(Round([leader.url, other.url], header, 3, stop, timeout_s=2))
        played(clients, 0)
        with stopped(leader.process.pid):
            other.wait("ready", seconds=WITHIN_S)
            played(clients, told_so_far(clients))
        assert leader.status() != "ready"
        leader.wait("following")
        assert other.status() == "ready"
        played(clients, told_so_far(clients))
        ended(clients, stop)
        last = link_at(other.url, header)["number"]
        wait_until(lambda: link_at(leader.url, header)["number"] == last)
        check_once(db, clients, None, last, at_least=5)


@contextmanager
def pair(site: MadeSite) -> Iterator[tuple[Server, Server]]:
    """A server, and one that stands by."""
    leader = Server(site, free_port())
    try:
        leader.wait_ready()
        other = Server(site, free_port(), standby=True)
        try:
            wait_until(lambda: answers(other))
            yield leader, other
        finally:
            other.stop()
    finally:
        leader.stop()


def answers(server: Server) -> bool:
    try:
        return httpx.get(f"{server.url}/api/health", timeout=2).status_code == 200
    except httpx.TransportError:
        return False


def ready(server: Server) -> bool:
    return httpx.get(f"{server.url}/api/ready", timeout=60).status_code == 200


def is_locked(site: MadeSite) -> bool:
    """Whether somebody is in the middle of a commit."""
    with closing(sqlite3.connect(site.folder / "floor.db", timeout=0, isolation_level=None)) as db:
        try:
            db.execute("BEGIN IMMEDIATE")
            db.execute("ROLLBACK")
        except sqlite3.OperationalError:
            return True
    return False


@contextmanager
def stopped_between_commits(server: Server) -> Iterator[None]:
    while True:
        with stopped(server.process.pid):
            if not is_locked(server.site):
                yield
                return
        time.sleep(0.01)


def test_a_leader_that_hangs_on_sqlite_is_taken_over_and_stands_by_when_it_wakes(site: MadeSite) -> None:
    with pair(site) as (leader, other):
        stop, header = threading.Event(), site.header("ann 1")
        urls = [leader.url, other.url]
        clients = [Round(urls, site.header(f"ann {table}"), table, stop, timeout_s=2) for table in (1, 2, 3)]
        played(clients, 0)
        assert not ready(other)
        with stopped_between_commits(leader):
            wait_until(lambda: ready(other), WITHIN_S)
            played(clients, told_so_far(clients))
        assert not ready(leader), "not for a moment, whatever it remembers"
        old = start(leader.url, header, "s-late")
        assert old.status_code == 503
        assert old.json()["error"]["retry"]
        assert ready(other)
        played(clients, told_so_far(clients))
        ended(clients, stop)
        assert not ready(leader)
        check_once(site.db, clients, None, link_at(other.url, header)["number"], at_least=5)
        other.kill()
        wait_until(lambda: ready(leader), WITHIN_S)
        start(leader.url, header, "s-again")


def test_a_standby_on_sqlite_leads_when_the_server_dies(site: MadeSite) -> None:
    with pair(site) as (leader, other):
        leader.kill()
        wait_until(lambda: ready(other), WITHIN_S)


def test_a_holder_stopped_within_a_commit_cannot_be_taken_over_before_it_is_ended(
    site: MadeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a server that is stopped while SQLite has its file locked: the next one says so, and waits."""
    monkeypatch.setattr("croupier.store.sqlite.PATIENCE_S", 0.1)
    standing = Settings(db=site.db, standby=True)
    first = Runtime(site.settings)
    first.begin()
    for writer in (first.floor._site, *first.floor._links.values()):  # type: ignore[union-attr]
        writer._store._heartbeat.stop()
    second = Runtime(standing)
    second._lookout = Lookout(SITE, silent_s=0.05, beat_s=0.05)
    with closing(sqlite3.connect(site.folder / "floor.db", isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        second.begin()
        keep_until(second, lambda: "in the middle of a commit" in str(second.standing()))
        assert "kill -9" in str(second.standing()[1])
        db.execute("ROLLBACK")
    keep_until(second, lambda: second.floor is not None)
    assert second.standing() == ("ready", {})
    keep_until(first, lambda: first.floor is None)
    assert first.standing()[0] == "waiting"
    second.close()
    keep_until(first, lambda: first.floor is not None)
    first.close()


def test_a_server_on_sqlite_is_refused_only_beside_one_that_lives(
    site: MadeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtimes, "SECOND_SERVER_S", 0.0)
    first, second = Runtime(site.settings), Runtime(site.settings)
    first.begin()
    with pytest.raises(SecondServer, match="waits until that server ends or hangs"):
        second.begin()
    for writer in (first.floor._site, *first.floor._links.values()):  # type: ignore[union-attr]
        writer._store._heartbeat.stop()
    second._lookout = Lookout(SITE, silent_s=0.3, beat_s=0.1)
    second.begin()
    assert second.floor is not None
    second.close()
    first.close()


def test_a_takeover_that_fails_half_way_is_tried_again_and_succeeds(
    site: MadeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The site's lease is taken, and then the store is cut off: the links' are still those of the server that hangs."""
    first, second = Runtime(site.settings), Runtime(Settings(db=site.db, standby=True))
    first.begin()
    for writer in (first.floor._site, *first.floor._links.values()):  # type: ignore[union-attr]
        writer._store._heartbeat.stop()
    second._lookout = Lookout(SITE, silent_s=0.1, beat_s=0.05)
    whole, tries = Floor._open_or_keep_closed, []

    def cut_off_once(floor: Floor, name: str, wait_s: float) -> None:
        tries.append(name)
        if len(tries) == 1:
            raise StoreLost("The store is cut off.")
        whole(floor, name, wait_s)

    monkeypatch.setattr(Floor, "_open_or_keep_closed", cut_off_once)
    second.begin()
    with pytest.raises(StoreLost):
        keep_until(second, lambda: False)
    keep_until(second, lambda: second.floor is not None)
    assert second.standing() == ("ready", {})
    second.close()
    first.close()


def test_standing_by_is_for_sqlite() -> None:
    with pytest.raises(NotationError, match="every server that does not lead stands by"):
        Settings(db="postgresql://host/floor", standby=True)


def test_while_its_lease_is_in_doubt_a_server_says_nothing_from_memory(room: Any, monkeypatch: Any) -> None:
    doubt = "The lease of site was last confirmed 60 seconds ago."
    monkeypatch.setattr(type(room.runtime.floor), "lease_doubt", doubt)
    assert room.get("/api/links").status_code == 503
    assert room.get("/api/health").status_code == 200
    answer = room.get("/api/ready")
    assert answer.status_code == 503
    assert "lease" in answer.json()["troubles"]
    monkeypatch.undo()
    assert room.get("/api/links").status_code == 200
    assert room.get("/api/ready").status_code == 200
