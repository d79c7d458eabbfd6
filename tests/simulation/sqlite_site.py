"""A site on SQLite, on the simulated disk of one machine: the store's own code and SQLite itself.

Several servers may be started there; one at a time leads. A power cut ends all of them.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from croupier.floor.floor import LINK
from croupier.ledger.clock import Witnesses
from croupier.ledger.entry import Entry
from croupier.store.lease import Claim, Lease
from croupier.store.sqlite import REPLACE, SqliteStore, snapshot_row
from croupier.store.store import COLUMNS, NO_MORE, DiskFailed, Row, Snapshot, Store, StoreError
from tests.simulation.disk import Disk
from tests.simulation.observer import Books, Violation
from tests.simulation.process import Machine, Process
from tests.simulation.vfs import NAME, FileSystem, Owner
from tests.simulation.world import World, forged, founded
from tests.store.memory import SHARED_MEMORY

SCRATCH = "/scratch"
DB = "floor.db"
WAL = f"{DB}-wal"


@cache
def file_system() -> FileSystem:
    return FileSystem()


class Bystander:
    """Reads copies of the files, and is never stopped."""

    dead = False

    def reach(self, what: str) -> None:
        pass

    def wait(self, seconds: float) -> None:
        pass


class SimulatedSqlite(SqliteStore):
    """The store's own code; the simulation hears when a process is about to write, and may stop it."""

    def __init__(self, path: Path, process: Process) -> None:
        self.process = process
        self._call(super().__init__, path, file_system=NAME, heartbeat=process.heartbeat)

    def _call(self, do: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """What was raised in the middle of SQLite's work is raised here."""
        self.process.reach(f"the store: {getattr(do, '__name__', '')}")
        try:
            return do(*args, **options)
        finally:
            raised, file_system().raised = file_system().raised, None
            if raised is not None:
                raise raised

    def _renew_log(self) -> None:
        """The same on the simulated disk, in one step: who comes meanwhile would wait."""
        site, system = self.process.world.site, file_system()
        assert isinstance(site, SqliteSite)
        log = site.disk.files.get(WAL)
        if log is None or not log.data or system.is_open(str(self.path.parent), self.path.name):
            return
        try:
            site.disk.write(log, 0, bytes(log.data))
            site.disk.sync(log, system.random)
        except OSError as error:
            raise DiskFailed(f"The disk of the store failed: {error.strerror}.{NO_MORE}") from error

    def end(self) -> None:
        """Of a process that was killed."""
        for db in (self._lease, getattr(self, "_db", None)):
            if db is not None:
                with suppress(sqlite3.Error):
                    db.close()

    def append(self, stream: str, entries: Sequence[Entry], snapshot: Snapshot | None = None) -> None:
        if entries:
            self.process.begins(stream)
        self._call(super().append, stream, entries, snapshot)
        if entries:
            self.process.writes(stream, entries[0].number)

    def take_lease(self, stream: str, wait_s: float = 0.0, claim: Claim | None = None) -> None:
        self._call(super().take_lease, stream, wait_s, claim)
        site = self.process.world.site
        assert isinstance(site, SqliteSite)
        site.taken(self, stream)
        self.process.takes(stream)

    def holds(self, stream: str) -> bool:
        """Whether its process has the lease, and has beaten for it within the time that others wait."""
        mine = self._lease is not None and self._leased[0] == stream and not self.process.dead
        return mine and self._heartbeat is not None and not self._heartbeat.doubt()

    def lease(self, stream: str) -> Lease | None:
        found: Lease | None = self._call(super().lease, stream)
        return found

    def leases(self) -> dict[str, Lease]:
        leases: dict[str, Lease] = self._call(super().leases)
        return leases

    def _beat(self, stream: str, file: tuple[int, int]) -> bool:
        held = super()._beat(stream, file)
        if held:  # by the simulation's clock
            set_time(self.lease_path(stream), self.process.counted_s())
        return held

    def confirm(self, stream: str, number: int | None = None) -> None:
        self._call(super().confirm, stream, number)

    def settle(self, *, after_disk_failure: bool = False) -> None:
        self._call(super().settle, after_disk_failure=after_disk_failure)

    def check_writable(self) -> None:
        """It is asked for after `settle` alone here, which has just written."""

    def reconnect(self) -> None:
        self._call(super().reconnect)

    def save_snapshot(self, stream: str, snapshot: Snapshot) -> None:
        self._call(super().save_snapshot, stream, snapshot)


class Copies:
    """The books as they lie on the disk, read from copies of its files."""

    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        self._books: dict[str, list[Row]] = {}
        self._read_at = -1
        self._durable: dict[str, int] = {}
        self._durable_at = -1

    def streams(self) -> list[str]:
        self._read()
        return sorted(self._books)

    def rows(self, stream: str) -> list[Row]:
        self._read()
        return self._books.get(stream, [])

    def is_durable(self, stream: str, number: int) -> bool:
        if self._durable.get(stream, 0) < number and self._durable_at != self.disk.changes:
            self._durable_at = self.disk.changes
            with _copied(self.disk.without_unsynced()) as db:
                self._durable = dict(db.execute("SELECT stream, max(number) FROM entry GROUP BY stream").fetchall())
        return self._durable.get(stream, 0) >= number

    def lost(self) -> None:
        """What was durable may be so no longer."""
        self._durable, self._durable_at = {}, -1

    def _read(self) -> None:
        if self._read_at == self.disk.changes:
            return
        self._read_at = self.disk.changes
        with _copied({name: bytes(file.data) for name, file in self.disk.files.items()}) as db:
            if not db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'entry'").fetchone():
                return
            try:
                self._books = self._read_all(db)
            except sqlite3.DatabaseError as error:
                raise Violation(f"the store is no whole database any more: {error}") from error

    def _read_all(self, db: sqlite3.Connection) -> dict[str, list[Row]]:
        """What is new of each book, behind what was read before."""
        books: dict[str, list[Row]] = {}
        for (stream,) in db.execute("SELECT DISTINCT stream FROM entry ORDER BY stream").fetchall():
            known = self._books.get(stream, [])
            query = f"SELECT {COLUMNS} FROM entry WHERE stream = ? AND number > ? ORDER BY number"
            there = [Row._make(row) for row in db.execute(query, (stream, max(0, len(known) - 1))).fetchall()]
            if known and (not there or there[0].digest != known[-1].digest):
                there = [Row._make(row) for row in db.execute(query, (stream, 0)).fetchall()]
                known = []
            books[stream] = [*known[:-1], *there]
        return books


@contextmanager
def _opened(folder: str, owner: Owner) -> Iterator[sqlite3.Connection]:
    """A connection of somebody who is no server."""
    system = file_system()
    before, system.owner = system.owner, lambda: owner
    try:
        with closing(sqlite3.connect(f"file:{folder}/{DB}?vfs={NAME}", uri=True, isolation_level=None)) as db:
            yield db
    finally:
        system.owner = before
        if system.raised is not None:
            raise system.raised


@contextmanager
def _copied(files: Mapping[str, bytes]) -> Iterator[sqlite3.Connection]:
    file_system().disks[SCRATCH] = Disk({name: files[name] for name in (DB, WAL) if name in files})
    with _opened(SCRATCH, Bystander()) as db:
        yield db


def _is_whole(content: bytes) -> bool:
    with _copied({DB: bytes(content)}) as db:
        try:
            return db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        except sqlite3.DatabaseError:
            return False


class SqliteSite:
    """One machine."""

    def __init__(self, world: World, files: Mapping[str, bytes] | None = None) -> None:
        self.world = world
        self.disk = Disk(founded(SqliteSite) if files is None else files)
        self.disk.remembers = True
        self.books: Books = Copies(self.disk)
        self.folder = _folder()
        self._stores: list[SimulatedSqlite] = []
        system = file_system()
        system.disks, system.random = {str(self.folder): self.disk}, world.random
        system.owner = lambda: world.acting[-1]
        system.renamed, system.is_there = self._renamed, self._is_there
        system.raised = None
        system.forget(str(self.folder))
        self._show_names()

    def connect(self, process: Process) -> Store:
        store = SimulatedSqlite(self.folder / DB, process)
        self._stores.append(store)
        return store

    def taken(self, by: SimulatedSqlite, stream: str) -> None:
        """Nobody loses a lease while it beats: the lock on the lease's file keeps others out until it is silent."""
        for store in self._stores:
            if store is not by and store.holds(stream):
                raise Violation(f"{by.process.name} took the lease of {stream}, for which {store.process.name} beats")

    def witnesses(self, store: Store) -> Witnesses:
        """A machine alone knows of no other clock; the simulation has one that is right at every start."""
        return Witnesses(store_s=self.world.wall_s())

    def machines(self, count: int) -> list[Machine]:
        """Servers of one machine."""
        return [Machine(f"server{number}", self.disk) for number in range(1, min(count, 2) + 1)]

    def kill(self, process: Process) -> None:
        """Its connections can do nothing any more; they are closed when nothing of it is going on."""
        file_system().release(process)

    def bury(self, process: Process) -> None:
        system = file_system()
        before, system.owner = system.owner, lambda: process
        for store in [store for store in self._stores if store.process is process]:
            store.end()
            self._stores.remove(store)
        system.owner, system.raised = before, None

    def heal(self) -> None:
        self.disk.full, self.disk.failing_syncs = False, 0

    def lose_power(self) -> None:
        for process in list(self.world.processes):
            self.world.kill(process)
        self.disk.lose_power(self.world.random)
        file_system().forget(str(self.folder))
        self._show_names()
        assert isinstance(self.books, Copies)
        self.books.lost()

    def events(self) -> Mapping[str, tuple[float, Callable[[], None]]]:
        return {
            "power": (1.0, self._power),
            "full": (0.6, self._full),
            "sync": (1.0, self._failing),
            "forge": (0.6, self._forge),
            "lie": (0.3, self._lie),
            "kill checkpoint": (1, self._checkpoint),
        }

    def _power(self) -> None:
        self.world.note("the machine loses power")
        self.lose_power()

    def _full(self) -> None:
        self.disk.full = not self.disk.full and self.world.random.random() < 0.5
        self.world.note(f"the disk is {'' if self.disk.full else 'not '}full")

    def _failing(self) -> None:
        self.disk.failing_syncs = 1
        self.world.note("the next sync fails")

    def _checkpoint(self) -> None:
        """What a server does every half minute."""
        free = [process for process in self.world.processes if not process.busy and process.floor is not None]
        if free:
            process = self.world.random.choice(free)
            assert process.floor is not None
            self.world.within(process, _quietly, process.floor.reading.checkpoint)

    def _forge(self) -> None:
        """A snapshot with more on the meter, by somebody who can write to the file and has not the key."""
        stream = LINK + self.world.random.choice(self.world.links)
        self._behind_its_back(lambda db: _forge(db, stream), f"somebody forges the snapshot of {stream}")

    def _lie(self) -> None:
        """The log is gone, with what was in it and nowhere else."""
        if self.world.depth or WAL not in self.disk.files or self.world.random.random() < 0.5:
            return
        self.world.observer.look()
        before = {stream: len(self.books.rows(stream)) for stream in self.books.streams()}
        self.world.note("the machine loses power, and the log of the store is lost")
        self.lose_power()
        if not _is_whole(bytes(self.disk.files[DB].data)):  # half of a checkpoint: no server would open that
            return
        self.disk.remove(WAL)
        self.disk.sync_folder()
        self._show_names()
        for stream, length in before.items():
            there = len(self.books.rows(stream))
            if there < length:
                self.world.observer.lost(stream, there)

    def _behind_its_back(self, do: Callable[[sqlite3.Connection], None], what: str) -> None:
        """With SQLite, beside the servers; not while one of them is in the middle of something."""
        if self.world.depth or self.disk.full or self.disk.failing_syncs:
            return
        with _opened(str(self.folder), Bystander()) as db:
            self.world.note(what)
            do(db)

    def _renamed(self, folder: str, name: str) -> None:
        """Which files there are is seen in a real folder, without their content: the store watches their identity."""
        if folder == str(self.folder):
            if name in self.disk.files:
                (self.folder / name).touch()
                set_time(self.folder / name, self.world.now)
            else:
                (self.folder / name).unlink(missing_ok=True)

    def _is_there(self, folder: str, name: str) -> bool:
        return folder != str(self.folder) or (self.folder / name).exists()

    def _show_names(self) -> None:
        for name in {*os.listdir(self.folder), *self.disk.files}:
            self._renamed(str(self.folder), name)


def set_time(path: Path, seconds: float) -> None:
    os.utime(path, ns=(0, int((seconds + 10**6) * 1e9)))


@cache
def _folder() -> Path:
    kept = tempfile.TemporaryDirectory(dir=SHARED_MEMORY if os.access(SHARED_MEMORY, os.W_OK) else None)
    _KEPT.append(kept)
    return Path(kept.name)


_KEPT: list[tempfile.TemporaryDirectory[str]] = []


def _quietly(do: Callable[[], None]) -> None:
    with suppress(StoreError):
        do()


def _forge(db: sqlite3.Connection, stream: str) -> None:
    row = db.execute("SELECT number, entry_digest, body, seal FROM snapshot WHERE stream = ?", (stream,)).fetchone()
    snapshot = Snapshot.of_row(*row) if row else None
    if snapshot is not None:
        db.execute(REPLACE, snapshot_row(stream, forged(snapshot)))
