"""The store in a SQLite file keeps the promises of all stores, and survives what happens to files."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from croupier.errors import NotationError, RecordError
from croupier.store.lease import Claim
from croupier.store.sqlite import BY_COMMANDS, SqliteStore, in_our_words
from croupier.store.sqlite_files import renew_log
from croupier.store.store import DiskFailed, LeaseTaken, LogInUse, Store, StoreBusy, StoreError, StoreFull, open_store
from tests.floor.till import STREAM, audited, wagers
from tests.store.contract import StoreContract, fallen_silent


def path_of(url: str) -> str:
    return url.removeprefix("sqlite:///")


class TestSqliteStore(StoreContract):
    @pytest.fixture
    def url(self, tmp_path: Path) -> str:
        return f"sqlite:///{tmp_path}/floor.db"

    def raw(self, url: str, statement: str) -> None:
        with closing(sqlite3.connect(path_of(url), timeout=10)) as db, db:
            db.execute(statement)

    def forge(self, url: str, statement: str) -> None:
        with closing(sqlite3.connect(path_of(url), timeout=10)) as db, db:
            db.execute("DROP TRIGGER entry_is_not_changed")
            db.execute(statement)

    def at_schema(self, url: str, schema: int) -> Store:
        return SqliteStore(path_of(url), schema=schema)

    def lose_lease(self, store: Any, stream: str) -> None:
        store.lease_path(stream).unlink()

    @pytest.fixture(params=["entry_follows", "entry_is_not_changed", "entry_is_not_deleted"])
    def trigger(self, request: pytest.FixtureRequest) -> str:
        return str(request.param)

    def unguard(self, url: str, trigger: str) -> None:
        self.raw(url, f"DROP TRIGGER {trigger}")

    def replace_guard(self, url: str, trigger: str) -> None:
        self.unguard(url, trigger)
        self.raw(url, f"CREATE TRIGGER {trigger} BEFORE UPDATE ON entry BEGIN SELECT 1; END")

    def test_reading_changes_no_byte_of_the_file(self, url: str) -> None:
        with self.at_schema(url, 1) as old:
            old.append(STREAM, wagers(3))
        before = Path(path_of(url)).read_bytes()
        with open_store(url, read_only=True) as reading:
            assert len(list(reading.entries(STREAM))) == 3
        assert Path(path_of(url)).read_bytes() == before

    @pytest.mark.parametrize(
        "statement",
        [
            "REPLACE INTO entry SELECT stream, 4, at, 'w0', kind, body, digest, digest FROM entry WHERE number = 3",
            "REPLACE INTO entry SELECT stream, 2, at, 'w9', kind, body, before, digest FROM entry WHERE number = 2",
            "UPDATE OR REPLACE entry SET number = 2 WHERE number = 3",
        ],
    )
    def test_replacing_is_refused_too(self, url: str, store: Store, statement: str) -> None:
        """SQLite deletes the row that is in the way without asking the delete trigger."""
        store.append(STREAM, wagers(3))
        with pytest.raises(sqlite3.IntegrityError):
            self.raw(url, statement)
        assert list(store.entries(STREAM)) == wagers(3)

    def test_every_commit_is_synced(self, url: str) -> None:
        store = SqliteStore(path_of(url))
        asked = [store._db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]
        assert asked == ["wal", 2]
        assert store._db.execute("PRAGMA foreign_keys").fetchone() == (1,)
        store.close()


def test_a_command_is_looked_up_and_not_searched_for(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "floor.db") as store:
        plan = str(store._db.execute(f"EXPLAIN QUERY PLAN {BY_COMMANDS}", ('["a", "b"]', STREAM)).fetchall())
    assert "(stream=? AND command=?)" in plan


@pytest.fixture
def crashed(tmp_path: Path) -> Path:
    """A folder as a crash leaves it: some entries are in the log only."""
    (tmp_path / "crashed").mkdir()
    store = SqliteStore(tmp_path / "floor.db")
    for entry in wagers(60):
        store.append(STREAM, [entry])
    for name in ("floor.db", "floor.db-wal"):
        shutil.copy(tmp_path / name, tmp_path / "crashed" / name)
    store.close()
    return tmp_path / "crashed"


@pytest.mark.parametrize("seed", range(25))
def test_a_torn_last_write_leaves_a_whole_book(crashed: Path, seed: int) -> None:
    """Whatever is lost at the end of the log, what is left is a beginning of the book, and it goes on."""
    rng, log = Random(seed), crashed / "floor.db-wal"
    data = bytearray(log.read_bytes())
    cut = rng.randrange(len(data) // 3, len(data))
    if seed % 3 == 0:
        data = data[:cut]
    elif seed % 3 == 1:
        data[cut:] = rng.randbytes(len(data) - cut)
    else:
        data[cut] ^= 1 << rng.randrange(8)
    log.write_bytes(data)
    with SqliteStore(crashed / "floor.db") as store:
        entries = list(store.entries(STREAM))
        assert entries == wagers(60)[: len(entries)]
        assert 0 < len(entries) < 60
        more = wagers(3, start=audited(entries), prefix="more")
        store.append(STREAM, more)
        audited(list(store.entries(STREAM)))


def test_a_full_disk_is_said_and_leaves_the_book_whole(tmp_path: Path) -> None:
    entries = wagers(400)
    with SqliteStore(tmp_path / "floor.db") as store:
        store.append(STREAM, entries[:10])
        pages = store._db.execute("PRAGMA page_count").fetchone()[0]
        store._db.execute(f"PRAGMA max_page_count = {pages + 5}")
        with pytest.raises(StoreFull, match="no room"):
            store.append(STREAM, entries[10:])
        assert len(list(store.entries(STREAM))) == 10
        store._db.execute("PRAGMA max_page_count = 1000000")
        store.append(STREAM, entries[10:])
        audited(list(store.entries(STREAM)))


def test_a_log_that_was_removed_is_brought_to_the_file_although_a_reader_has_made_another(tmp_path: Path) -> None:
    """As the check of the books behind a start does: the new one is shorter, and is no log that was cut."""
    path = tmp_path / "floor.db"
    entries = wagers(4)
    with SqliteStore(path) as store:
        store.append(STREAM, entries[:3])
        path.with_name("floor.db-wal").unlink()
        path.with_name("floor.db-wal").touch()
        with pytest.raises(DiskFailed, match="was removed or replaced"):
            store.append(STREAM, entries[3:])
    with SqliteStore(path) as store:
        assert list(store.entries(STREAM))[:3] == entries[:3]


def test_that_an_entry_would_not_be_taken_is_found_without_one(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    with SqliteStore(path) as store:
        store.append(STREAM, wagers(3))
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreBusy, match="another process"):
                store.check_writable()
            other.execute("ROLLBACK")
        store.check_writable()
        path.with_name("floor.db-wal").unlink()
        with pytest.raises(DiskFailed, match="was removed or replaced"):
            store.check_writable()
        assert len(list(store.entries(STREAM))) == 3


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (sqlite3.SQLITE_IOERR_FSYNC, DiskFailed),
        (sqlite3.SQLITE_IOERR_READ, DiskFailed),
        (sqlite3.SQLITE_IOERR_SHORT_READ, DiskFailed),
        (sqlite3.SQLITE_IOERR_WRITE, StoreFull),
        (sqlite3.SQLITE_FULL, StoreFull),
    ],
)
def test_a_disk_that_fails_is_told_apart_from_one_that_is_full(code: int, kind: type[StoreError]) -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = code
    assert type(in_our_words("floor.db", error)) is kind


def test_a_file_that_is_no_store_is_said(tmp_path: Path) -> None:
    (tmp_path / "floor.db").write_bytes(b"not a database" * 1_000)
    with pytest.raises(RecordError, match="is not a whole store"):
        open_store(f"sqlite:///{tmp_path}/floor.db")


def test_a_store_whose_damage_cannot_even_be_quoted_is_said(tmp_path: Path) -> None:
    """SQLite's own words quote a schema that is no text any more."""
    path = tmp_path / "floor.db"
    SqliteStore(path).close()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_schema SET sql = CAST(x'435245415445ce' AS TEXT) WHERE name = 'schema_version'")
    with pytest.raises(RecordError, match="is not a whole store"):
        SqliteStore(path)


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="There is no folder"):
        open_store(f"sqlite:///{tmp_path}/nowhere/floor.db")


@pytest.mark.parametrize(
    "url", ["", "floor.db", "sqlite://", "sqlite:///", "sqlite://floor.db", "mysql://host/floor", "sqlite:///a?b=1"]
)
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(NotationError, match=r"store is sqlite:///floor\.db or"):
        open_store(url)


def test_a_password_is_not_shown() -> None:
    with pytest.raises(NotationError, match=r"mysql://me:\.\.\.@host/floor"):
        open_store("mysql://me:secret@host/floor")


def test_whoever_hangs_while_it_takes_a_lease_does_not_take_it_from_its_successor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has locked a file that has no name any more, and would have raised the term of whoever works since then."""
    url = f"sqlite:///{tmp_path}/floor.db"
    lock = SqliteStore._lock_lease
    with open_store(url) as slow, open_store(url) as next_one:
        slow.take_lease(STREAM, claim=Claim("slow"))
        slow.release_lease()

        def hangs(store: SqliteStore, stream: str, wait_s: float) -> sqlite3.Connection:
            found = lock(store, stream, wait_s)
            if store is slow:
                next_one.take_lease(STREAM, claim=Claim("next", over=next_one.leases()))
            return found

        monkeypatch.setattr(SqliteStore, "_lock_lease", hangs)
        with pytest.raises(StoreBusy, match="has just taken over"):
            slow.take_lease(STREAM, claim=Claim("slow"))
        next_one.confirm(STREAM)
        monkeypatch.undo()
        with pytest.raises(LeaseTaken):
            slow.take_lease(STREAM, claim=Claim("slow"))
        next_one.release_lease()
        slow.take_lease(STREAM, claim=Claim("slow"))


def test_whoever_hangs_in_a_take_over_leaves_its_successor_the_lease(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has raised the term and sleeps before it has a file: another one takes over from it meanwhile."""
    url = f"sqlite:///{tmp_path}/floor.db"
    raise_term = SqliteStore._raise_term
    with open_store(url) as silent, open_store(url) as slow, open_store(url) as next_one:
        silent.take_lease(STREAM, claim=Claim("silent"))
        judged = {STREAM: fallen_silent(silent)}

        def hangs(store: SqliteStore, stream: str, claim: Claim, **how: Any) -> int:
            term = raise_term(store, stream, claim, **how)
            if store is slow:
                next_one.take_lease(STREAM, claim=Claim("next", over=next_one.leases()))
            return term

        monkeypatch.setattr(SqliteStore, "_raise_term", hangs)
        with pytest.raises(StoreBusy):
            slow.take_lease(STREAM, claim=Claim("slow", over=judged))
        next_one.confirm(STREAM)
        next_one.append(STREAM, wagers(1))
        with pytest.raises(LeaseTaken):
            silent.confirm(STREAM)


def test_after_a_failed_disk_a_store_is_not_settled_beside_a_reader_who_keeps_its_log(tmp_path: Path) -> None:
    """The next commit would stand in the log behind a frame that may not be on the disk."""
    url = f"sqlite:///{tmp_path}/floor.db"
    log = tmp_path / "floor.db-wal"
    with open_store(url) as store, closing(sqlite3.connect(tmp_path / "floor.db", isolation_level=None)) as reader:
        store.append(STREAM, wagers(3))
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM entry").fetchone()
        store.settle()
        assert log.stat().st_size > 0
        with pytest.raises(LogInUse, match=r"floor\.db-wal must be begun anew"):
            store.settle(after_disk_failure=True)
        reader.execute("COMMIT")
        store.settle(after_disk_failure=True)
        assert log.stat().st_size == 0


def test_a_store_that_is_settled_rests_on_nothing_in_its_log(tmp_path: Path) -> None:
    """A failed sync may leave frames in the log that are read back and are not on the disk: whatever follows them there
    would be lost with them at a power cut, however well it was synced."""
    path = tmp_path / "floor.db"
    with open_store(f"sqlite:///{path}") as store:
        store.take_lease(STREAM)
        entries = wagers(3)
        store.append(STREAM, entries)
        log = path.with_name("floor.db-wal")
        assert log.stat().st_size > 0
        store.settle()
        assert log.stat().st_size == 0
        alone = tmp_path / "alone.db"
        shutil.copy(path, alone)
        with open_store(f"sqlite:///{alone}") as copied:
            assert copied.last(STREAM) == entries[-1]


# A log that a failed sync may have left doubtful: the system reads back what the disk does not have


@pytest.mark.parametrize("read_only", [True, False])
def test_a_log_is_written_again_and_synced_before_anybody_goes_by_it(
    crashed: Path, monkeypatch: pytest.MonkeyPatch, *, read_only: bool
) -> None:
    log, told, connect, sync = (crashed / "floor.db-wal").read_bytes(), list[str](), sqlite3.connect, os.fsync

    def connected(*args: Any, **options: Any) -> sqlite3.Connection:
        told.append("opened")
        opened: sqlite3.Connection = connect(*args, **options)
        return opened

    def synced(file: int) -> None:
        told.append(Path(os.readlink(f"/proc/self/fd/{file}")).name)
        sync(file)

    monkeypatch.setattr(sqlite3, "connect", connected)
    monkeypatch.setattr(os, "fsync", synced)
    with SqliteStore(crashed / "floor.db", read_only=read_only) as store:
        assert told == ["floor.db-wal", "opened"]
        assert (crashed / "floor.db-wal").read_bytes() == log
        assert (crashed / "floor.db-shm").stat().st_mode == (crashed / "floor.db").stat().st_mode
        assert len(list(store.rows(STREAM))) == 60


def test_a_log_is_left_alone_while_somebody_has_the_store_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever writes it now would be overwritten with what was there a moment ago; and nobody's locks are undone."""
    path = tmp_path / "floor.db"
    with SqliteStore(path) as store:
        store.append(STREAM, wagers(3))
        monkeypatch.setattr(os, "fsync", lambda _: pytest.fail("the log was written"))
        with SqliteStore(path), closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM entry").fetchone()
            renew_log(path)
            with pytest.raises(LogInUse):
                store.settle(after_disk_failure=True)


def test_a_disk_that_does_not_take_the_log_again_has_failed(crashed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(_: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", failing)
        with pytest.raises(DiskFailed, match=r"The disk of the store floor.db failed: Input/output error"):
            SqliteStore(crashed / "floor.db")
    with SqliteStore(crashed / "floor.db") as store:
        assert len(list(store.rows(STREAM))) == 60
