"""The power of a real disk is cut under a server at work: each act that was acknowledged is there once.

Killing a process leaves its writes with the system, which brings them to the disk later. Here they are gone: the disk
has what was synced, and nothing else (`tests.faults.real_disk`).

`CROUPIER_POWER_CUTS=100` cuts as often (make soak).
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from croupier.client.client import Client
from tests.faults.real_disk import RealDatabase, RealDisk
from tests.web.cluster.test_hanging import ended, played, told_so_far
from tests.web.cluster.test_kill_server import BUSY_S, PATIENT, PLENTY, Dealer, in_the_book
from tests.web.cluster.test_processes import Round, check_once, link_at
from tests.web.postgres_site import Process, make_site, sign_in
from tests.web.support import TABLES, MadeSite, serve, wait_until

CUTS = int(os.environ.get("CROUPIER_POWER_CUTS", "3"))
CUTS_OF_POSTGRESQL = -(-CUTS // 3)
SEED = int(os.environ.get("CROUPIER_SEED", "5"))
BETWEEN_S = (0.3, 1.2)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[RealDisk]:
    with RealDisk.made(tmp_path) as disk:
        yield disk


def test_a_database_that_does_not_sync_loses_what_it_committed(disk: RealDisk) -> None:
    """So this disk does what it is for."""
    for name, synchronous in (("synced", "FULL"), ("unsynced", "OFF")):
        with closing(sqlite3.connect(disk.folder / name)) as db:
            db.executescript(f"PRAGMA journal_mode = WAL; PRAGMA synchronous = {synchronous}; CREATE TABLE told (at)")
    os.sync()
    books = {name: sqlite3.connect(disk.folder / name) for name in ("synced", "unsynced")}
    for name, db in books.items():
        db.execute(f"PRAGMA synchronous = {'FULL' if name == 'synced' else 'OFF'}")
        with db:
            db.execute("INSERT INTO told VALUES (1)")
    disk.cut()
    for db in books.values():
        db.close()
    disk.power()
    for name, entries in (("synced", 1), ("unsynced", 0)):
        with closing(sqlite3.connect(disk.folder / name)) as db:
            assert db.execute("SELECT count(*) FROM told").fetchone() == (entries,)


def test_a_power_cut_under_load_loses_nothing_that_was_acknowledged(disk: RealDisk, made_site: MadeSite) -> None:
    site = made_site.copy(disk.folder)
    os.sync()
    stop, rng = threading.Event(), Random(SEED)
    with serve(site) as server:
        with Client(server.url, site.tokens["max"], patience=PATIENT) as office:
            office.declare_bank(balance_cents=PLENTY)
        dealers = [Dealer(server, table, stop) for table in TABLES]
        threads = [threading.Thread(target=dealer.run, daemon=True) for dealer in dealers]
        for thread in threads:
            thread.start()
        for _ in range(CUTS):
            before = sum(len(dealer.done) for dealer in dealers)
            wait_until(lambda before=before: sum(len(dealer.done) for dealer in dealers) > before + 10, BUSY_S)
            time.sleep(rng.uniform(*BETWEEN_S))
            disk.cut(server.process.pid)
            server.kill()
            disk.power()
            server.start_again()
            server.wait_ready()
        before = sum(len(dealer.done) for dealer in dealers)
        wait_until(lambda: sum(len(dealer.done) for dealer in dealers) > before, BUSY_S)
        stop.set()
        for thread in threads:
            thread.join(100)
    assert [dealer.failed for dealer in dealers] == [""] * len(dealers)
    in_the_book(site, dealers)


def test_a_power_cut_of_postgresql_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    """The database's machine fails and recovers; the server beside it goes on."""
    stop, rng = threading.Event(), Random(SEED)
    with RealDatabase.made() as database:
        make_site(database.url, tmp_path / "site.key")
        server = Process(database.url, tmp_path)
        try:
            server.wait("ready")
            headers = {table: sign_in(server.url, "ann", table) for table in (1, 2, 3)}
            clients = [Round([server.url], header, table, stop) for table, header in headers.items()]
            played(clients, 0)
            for _ in range(CUTS_OF_POSTGRESQL):
                time.sleep(rng.uniform(*BETWEEN_S))
                database.cut()
                database.power()
                server.wait("ready")
                played(clients, told_so_far(clients))
            ended(clients, stop)
            check_once(database.url, clients, None, link_at(server.url, headers[1])["number"], at_least=5)
        finally:
            server.stop()
