"""The store in a SQLite file keeps the promises of all stores, and survives what happens to files."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from croupier.errors import NotationError, RecordError
from croupier.store.sqlite import BY_COMMANDS, SqliteStore, in_our_words
from croupier.store.store import DiskFailed, Store, StoreError, StoreFull, open_store
from tests.floor.till import STREAM, audited, wagers
from tests.store.contract import StoreContract


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
