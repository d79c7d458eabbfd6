"""A store that is only to be read: as a copy that nobody can write, beside a log, and without its guards."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from croupier.store.sqlite_files import AS_IT_LIES, ASKED_ONLY, LOG_AS_IT_IS, check_log_is_read, reading_mode
from croupier.store.store import StoreError, open_store
from tests.audit.books import MAIN, busy_floor

ENTRIES = busy_floor().entries


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of a store on a disk that is write-protected, as far as this process can tell."""
    with open_store(f"sqlite:///{tmp_path}/floor.db") as store:
        store.append(MAIN, ENTRIES)
    folder = tmp_path / "copy"
    folder.mkdir()
    return Path(shutil.copy(tmp_path / "floor.db", folder / "floor.db"))


@pytest.fixture
def _protected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.store.sqlite.os.access", lambda *_: False)


def read(path: Path) -> int:
    with open_store(f"sqlite:///{path}", read_only=True) as store:
        return len(list(store.rows(MAIN)))


@pytest.mark.usefixtures("_protected")
def test_a_write_protected_copy_is_read_as_it_lies_and_nothing_is_put_beside_it(copy: Path) -> None:
    before = copy.read_bytes()
    with open_store(f"sqlite:///{copy}", read_only=True) as store:
        assert (store.streams(), store.ends()) == ([MAIN], {MAIN: len(ENTRIES)})
        assert os.listdir(copy.parent) == ["floor.db"]
    assert (read(copy), copy.read_bytes(), os.listdir(copy.parent)) == (len(ENTRIES), before, ["floor.db"])


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root can write everywhere")
def test_a_copy_with_the_permissions_of_a_write_protected_disk(copy: Path) -> None:
    copy.chmod(0o444)
    copy.parent.chmod(0o555)
    try:
        assert read(copy) == len(ENTRIES)
    finally:
        copy.parent.chmod(0o755)


def test_how_it_is_opened_depends_on_what_can_be_written_and_on_the_log(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = copy.with_name("floor.db-wal")
    assert reading_mode(copy) == ASKED_ONLY
    for protected in (copy, copy.parent):
        monkeypatch.setattr("croupier.store.sqlite.os.access", lambda path, _, protected=protected: path != protected)
        assert reading_mode(copy) == AS_IT_LIES
        log.write_bytes(b"")
        assert reading_mode(copy) == AS_IT_LIES
        log.write_bytes(b"entries")
        assert reading_mode(copy) == LOG_AS_IT_IS
        log.unlink()


@pytest.mark.usefixtures("_protected")
def test_entries_that_are_only_in_the_log_are_read_too(tmp_path: Path) -> None:
    path = tmp_path / "live.db"
    with open_store(f"sqlite:///{path}") as writing:
        writing.append(MAIN, ENTRIES)
        assert path.with_name("live.db-wal").stat().st_size
        assert read(path) == len(ENTRIES)


class Failing(sqlite3.Connection):
    """As SQLite fails for somebody who is not root, and may not make the third file."""

    code = sqlite3.SQLITE_CANTOPEN

    def execute(self, *_: Any) -> sqlite3.Cursor:
        error = sqlite3.OperationalError("unable to open database file")
        error.sqlite_errorcode = self.code
        raise error


def test_a_log_that_cannot_be_read_from_here_is_never_left_out(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(Failing(":memory:")) as db:
        with pytest.raises(StoreError, match=r"newest entries are in floor\.db-wal.*Copy both files"):
            check_log_is_read(copy, db)
        monkeypatch.setattr(Failing, "code", sqlite3.SQLITE_IOERR_READ)
        with pytest.raises(sqlite3.OperationalError):
            check_log_is_read(copy, db)


def test_whether_it_is_guarded_can_be_asked_of_a_store_that_is_only_read(copy: Path) -> None:
    with open_store(f"sqlite:///{copy}", read_only=True) as store:
        store.check_guarded()
    with closing(sqlite3.connect(copy)) as db, db:
        name = db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'entry'").fetchone()[0]
        db.execute(f"DROP TRIGGER {name}")
    with (
        open_store(f"sqlite:///{copy}", read_only=True) as store,
        pytest.raises(StoreError, match=f"trigger {name} is missing"),
    ):
        store.check_guarded()
