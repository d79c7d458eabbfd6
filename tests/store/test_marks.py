"""High-water marks: a book that lost what was acknowledged is not gone on from."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.errors import CroupierError
from croupier.store.marks import BookBehind, Mark, Marks, check_not_behind
from croupier.store.sqlite import SqliteStore
from croupier.store.sqlite_files import log_of
from croupier.store.store import DiskFailed, StoreBusy, StoreError
from tests.floor.till import STREAM, wagers


def test_marks_are_on_disk_and_never_go_back(tmp_path: Path) -> None:
    path = tmp_path / "floor.db.marks"
    marks = Marks(path)
    marks.keep("site", 7, "a" * 64)
    marks.keep("site", 9, "b" * 64)
    marks.keep("site", 8, "c" * 64)
    marks.close()
    again = Marks(path)
    assert again.of("site") == Mark(9, "b" * 64)
    assert again.of("link:main") is None
    again.close()
    assert path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_a_mark_is_written_within_its_time(tmp_path: Path) -> None:
    path = tmp_path / "m"
    marks = Marks(path, within_s=0.01)
    marks.keep("site", 1, "a" * 64)
    for _ in range(500):
        if path.exists():
            break
        marks._closing.wait(0.01)
    assert path.exists()
    marks.close()


@pytest.mark.parametrize("text", ["", "{}", '{"form": 2, "books": {}}', '{"form": 1, "books": {"site": 3}}', "[]"])
def test_marks_that_are_none_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "m").write_text(text)
    with pytest.raises(CroupierError):
        Marks(tmp_path / "m")


def test_a_place_that_cannot_be_written_is_said_and_tried_again(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    marks = Marks(folder / "m", within_s=0.01)
    marks.keep("site", 1, "a" * 64)
    for _ in range(500):
        if marks.trouble:
            break
        marks._closing.wait(0.01)
    assert "cannot be written" in marks.trouble
    folder.mkdir()
    for _ in range(500):
        if (folder / "m").exists() and not marks.trouble:
            break
        marks._closing.wait(0.01)
    assert not marks.trouble
    marks.close()


def test_who_writes_after_a_failure_writes_what_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between a failure and what is noted of it nobody gets in: they would find nothing due, and no trouble."""
    folder = tmp_path / "gone"
    marks = Marks(folder / "m", within_s=None)
    marks.keep("site", 1, "a" * 64)
    troubles: list[str] = []

    class Watched:
        """The lock of those who write; the next one comes the moment that the first has let go."""

        def __enter__(self) -> None:
            pass

        def __exit__(self, *_: object) -> None:
            troubles.append(marks.trouble)
            if len(troubles) == 1:
                folder.mkdir()
                marks.write()
                assert (folder / "m").exists()

    monkeypatch.setattr(marks, "_writing", Watched())
    marks.write()
    assert ["cannot be written" in trouble for trouble in troubles] == [True, False]
    assert not marks.trouble
    assert Marks(folder / "m", within_s=None).of("site") == Mark(1, "a" * 64)


def test_a_settled_disk_is_settled_before_the_file_says_so(tmp_path: Path) -> None:
    path = tmp_path / "m"
    marks = Marks(path, within_s=None)
    marks.keep("site", 1, "a" * 64)
    marks.keep_disk_failed(True)
    marks.write()
    marks.keep_disk_failed(False)
    assert not marks.disk_failed()
    marks.were_said()
    marks.write()
    assert not Marks(path, within_s=None).disk_failed()


def test_what_another_process_says_of_the_disk_stays(tmp_path: Path) -> None:
    path = tmp_path / "m"
    mine, others = Marks(path, within_s=None), Marks(path, within_s=None)
    others.keep("site", 1, "a" * 64)
    others.keep_disk_failed(True)
    others.write()
    mine.keep("site", 2, "b" * 64)
    mine.write()
    assert mine.disk_failed()
    assert Marks(path, within_s=None).disk_failed()


def test_a_book_that_is_shorter_or_different_is_behind(tmp_path: Path) -> None:
    entries = wagers(3)
    with SqliteStore(tmp_path / "floor.db") as store:
        store.append(STREAM, entries[:2])
        check_not_behind(store, STREAM, None)
        check_not_behind(store, STREAM, Mark(2, entries[1].digest))
        with pytest.raises(BookBehind, match=r"up to entry 3 .* is shorter"):
            check_not_behind(store, STREAM, Mark(3, entries[2].digest))
        with pytest.raises(BookBehind, match="another entry"):
            check_not_behind(store, STREAM, Mark(2, "f" * 64))


# The files of a SQLite store


def test_a_log_that_is_removed_under_the_program_stops_it_and_loses_nothing(tmp_path: Path) -> None:
    entries, path = wagers(3), tmp_path / "floor.db"
    with SqliteStore(path) as store:
        store.append(STREAM, entries[:1])
        store.append(STREAM, entries[1:2])
        log_of(path).unlink()
        with pytest.raises(DiskFailed, match="removed or replaced"):
            store.append(STREAM, entries[2:])
    with SqliteStore(path) as again:
        assert [entry.number for entry in again.entries(STREAM)][:2] == [1, 2]


@pytest.mark.parametrize("left", [0, 20_000])
def test_a_log_that_is_cut_in_its_place_stops_every_writer(tmp_path: Path, left: int) -> None:
    """Whichever store writes next. Where it was emptied, what was brought to the file before is whole."""
    entries, path = wagers(60), tmp_path / "floor.db"
    with SqliteStore(path) as store, SqliteStore(path) as other:
        store.append(STREAM, entries[:40])
        store.settle()
        store.append(STREAM, entries[40:50])
        os.truncate(log_of(path), left)
        for writer in (other, store):
            with pytest.raises(DiskFailed):
                writer.append(STREAM, entries[50:51])
    if not left:
        with SqliteStore(path) as store:
            assert [entry.number for entry in store.entries(STREAM)] == list(range(1, 41))


def _settled(store: SqliteStore, _: Path) -> None:
    with pytest.raises(DiskFailed, match="was cut"):
        store.settle()


def _checkpointed(store: SqliteStore, _: Path) -> None:
    with pytest.raises(DiskFailed, match="was cut"):
        store.checkpoint()


def _opened_again(store: SqliteStore, _: Path) -> None:
    store.reconnect()


def _opened_beside(_: SqliteStore, path: Path) -> None:
    SqliteStore(path).close()


@pytest.mark.parametrize("done", [_settled, _checkpointed, _opened_again, _opened_beside])
@pytest.mark.parametrize("pages", [1, 10, 22])
def test_a_log_that_was_cut_is_neither_taken_for_whole_nor_brought_to_the_file(
    tmp_path: Path, done: Callable[[SqliteStore, Path], None], pages: int
) -> None:
    """Whatever a store of the program does before anybody writes. What comes before the cut is read as it was."""
    entries, path = wagers(60), tmp_path / "floor.db"
    with SqliteStore(path) as store, SqliteStore(path) as other:
        store.append(STREAM, entries[:40])
        store.settle()
        for entry in entries[40:50]:
            store.append(STREAM, [entry])
        log = log_of(path)
        os.truncate(log, log.stat().st_size - pages * (4096 + 24))
        done(other, path)
        with pytest.raises(DiskFailed, match="was cut"):
            store.append(STREAM, entries[50:51])
    with SqliteStore(path) as store:
        left = [entry.number for entry in store.entries(STREAM)]
        assert left == list(range(1, len(left) + 1))
        assert 40 <= len(left) < 50


def test_a_log_that_is_begun_anew_by_another_store_is_no_damage(tmp_path: Path) -> None:
    entries, path = wagers(60), tmp_path / "floor.db"
    with SqliteStore(path) as store, SqliteStore(path) as other:
        store.append(STREAM, entries[:50])
        other.settle()
        store.append(STREAM, entries[50:51])
        store.settle()
        other.append(STREAM, entries[51:52])


def test_a_store_that_is_replaced_under_the_program_stops_it(tmp_path: Path) -> None:
    entries, path = wagers(2), tmp_path / "floor.db"
    with SqliteStore(path) as store:
        store.append(STREAM, entries[:1])
        path.rename(tmp_path / "elsewhere.db")
        sqlite3.connect(path).close()
        path.touch()
        with pytest.raises(DiskFailed, match="removed or replaced"):
            store.append(STREAM, entries[1:])


def test_two_names_of_one_file_never_lead_twice(tmp_path: Path) -> None:
    path, other = tmp_path / "floor.db", tmp_path / "other.db"
    with SqliteStore(path) as store:
        store.take_lease(STREAM)
        other.symlink_to(path)
        with SqliteStore(other) as second, pytest.raises(StoreBusy):
            second.take_lease(STREAM)
    os.link(path, tmp_path / "hard.db")
    for name in (path, tmp_path / "hard.db"):
        with pytest.raises(StoreError, match="several names"):
            SqliteStore(name)
    with SqliteStore(path, read_only=True) as reading:
        assert reading.streams() == []


def test_a_file_that_is_mounted_by_itself_is_refused(tmp_path: Path) -> None:
    """As containers are given one: its log would lie beside the other name, and two would write it."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root mounts, on Linux")
    path, folder = tmp_path / "floor.db", tmp_path / "another room"
    folder.mkdir()
    (folder / "floor.db").touch()
    with SqliteStore(path) as store:
        store.take_lease(STREAM)
    mounted = subprocess.run(
        ["mount", "--bind", path, folder / "floor.db"], capture_output=True, text=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"nothing can be mounted here: {mounted.stderr.strip()}")
    try:
        with pytest.raises(StoreError, match="Mount the folder"):
            SqliteStore(folder / "floor.db")
        with SqliteStore(folder / "floor.db", read_only=True) as reading:
            assert reading.streams() == []
    finally:
        subprocess.run(["umount", folder / "floor.db"], check=True)


def test_a_copy_of_the_file_alone_has_what_was_checkpointed(tmp_path: Path) -> None:
    entries, path = wagers(2), tmp_path / "floor.db"
    with SqliteStore(path) as store:
        store.append(STREAM, entries)
        store.checkpoint()
        copy = tmp_path / "copy.db"
        copy.write_bytes(path.read_bytes())
        with SqliteStore(copy) as other:
            assert [entry.number for entry in other.entries(STREAM)] == [1, 2]


def test_a_store_that_is_replaced_before_its_first_write_is_noticed(tmp_path: Path) -> None:
    entries, path = wagers(2), tmp_path / "floor.db"
    with SqliteStore(path) as store:
        store.append(STREAM, entries[:1])
    with SqliteStore(path) as store:
        copy = path.read_bytes()
        path.rename(tmp_path / "elsewhere.db")
        for name in ("floor.db-wal", "floor.db-shm"):
            (tmp_path / name).unlink(missing_ok=True)
        path.write_bytes(copy)
        SqliteStore(path).close()
        with pytest.raises(DiskFailed, match="removed or replaced"):
            store.append(STREAM, entries[1:])


def test_what_another_process_has_marked_stays(tmp_path: Path) -> None:
    path = tmp_path / "m"
    one, two = Marks(path), Marks(path)
    one.keep("site", 110, "a" * 64)
    one.close()
    two.keep("link:main", 3, "b" * 64)
    two.close()
    marks = Marks(path)
    assert marks.all() == {"site": Mark(110, "a" * 64), "link:main": Mark(3, "b" * 64)}
    path.rename(tmp_path / "aside")
    marks.close()
    assert not path.exists()  # put aside while somebody had it open, it stays there


def test_marks_behind_a_symbolic_link_stay_there(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "m").symlink_to(tmp_path / "other" / "m")
    marks = Marks(tmp_path / "m")
    marks.keep("site", 1, "a" * 64)
    marks.close()
    assert (tmp_path / "m").is_symlink()
    assert (tmp_path / "other" / "m").is_file()
