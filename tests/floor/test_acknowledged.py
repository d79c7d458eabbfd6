"""Nothing acknowledged is gone without a word: a writer stops before a book that is behind, and takes no forgery."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import psycopg
import pytest

from croupier.errors import Refusal
from croupier.floor.aggregate import Origin, restore
from croupier.floor.floor import Floor
from croupier.floor.link.acts import MakeLink, StartGame
from croupier.floor.link.link import Link, same_link_act
from croupier.floor.link.state import Status
from croupier.floor.writer import Condition, InDoubt, NotDone, Writer
from croupier.ledger.entry import Entry
from croupier.store.lease import Claim
from croupier.store.marks import BookBehind, Mark, Marks
from croupier.store.sqlite import SqliteStore
from croupier.store.store import FORM, DiskFailed, LogInUse, Snapshot, StoreLost, open_store, seal
from support.postgres import new_floor
from support.room import DEALER, EXECUTIVE, KEY, MANAGER, ONE_METER, LinkBook, Room, cut_book

MAIN = Origin(partial(Link, "main"), Link.of_snapshot, same_link_act)
STREAM = "link:main"
SECRET = b"s" * 32


def written(path: Path, games: int) -> LinkBook:
    """A book with an open link and some games, in a store."""
    book = LinkBook()
    for _ in range(games):
        book.start(1, 1)
        book.end(1)
    with SqliteStore(path) as store:
        store.append(STREAM, book.entries)
    return book


def a_start(number: int, table: int = 2) -> StartGame:
    return StartGame(id=f"s{number}", by=DEALER, table=table, lit=(1,), based=(1,))


@pytest.mark.parametrize("guarded", [True, False])
@pytest.mark.parametrize("table", [2, 3], ids=["an act that is refused", "an act that would be entered"])
def test_a_writer_whose_book_is_cut_stops(tmp_path: Path, table: int, *, guarded: bool) -> None:
    path = tmp_path / "floor.db"
    written(path, 3)
    with Writer(SqliteStore(path), STREAM, MAIN) as writer:
        writer.submit(a_start(1)).result()
        cut_book(path, STREAM, 3, guarded=guarded)
        with pytest.raises((NotDone, InDoubt)):
            writer.submit(a_start(2, table)).result()
        writer._worker.end()
        assert writer.condition is Condition.STOPPED
        assert "is shorter" in writer.reason


@pytest.mark.postgres
def test_a_book_cut_in_postgresql_stops_its_writer_and_is_not_opened_again(tmp_path: Path) -> None:
    """By whoever owns the tables: the server's own role cannot."""
    url, book, marks = new_floor(), LinkBook(), Marks(tmp_path / "marks")
    with open_store(url) as store:
        store.append(STREAM, book.entries)
    with Writer(open_store(url), STREAM, MAIN, marks=marks) as writer:
        writer.submit(a_start(1)).result()
        with psycopg.connect(url, autocommit=True) as owner:
            owner.execute("ALTER TABLE entry DISABLE TRIGGER USER")
            owner.execute("DELETE FROM entry WHERE number >= %s", (len(book.entries),))
            owner.execute("ALTER TABLE entry ENABLE TRIGGER USER")
        with pytest.raises((NotDone, InDoubt)):
            writer.submit(a_start(2, table=3)).result()
        writer._worker.end()
        assert writer.condition is Condition.STOPPED
        assert "is shorter" in writer.reason
    marks.close()
    marks = Marks(tmp_path / "marks")
    with closing(open_store(url)) as store, pytest.raises(BookBehind, match=f"up to entry {len(book.entries) + 1}"):
        Writer(store, STREAM, MAIN, marks=marks)
    marks.close()


def test_a_book_behind_its_mark_is_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    book = written(path, 3)
    marks = Marks(tmp_path / "marks")
    with Writer(SqliteStore(path), STREAM, MAIN, marks=marks) as writer:
        writer.submit(a_start(1)).result()
    marks.close()
    cut_book(path, STREAM, 1)
    marks = Marks(tmp_path / "marks")
    with closing(SqliteStore(path)) as store, pytest.raises(BookBehind, match=f"up to entry {len(book.entries) + 1}"):
        Writer(store, STREAM, MAIN, marks=marks)
    marks.close()


class FailsToSync(SqliteStore):
    """A disk that takes a commit and cannot sync it."""

    def append(self, stream: str, entries: Sequence[Entry], snapshot: Snapshot | None = None) -> None:
        super().append(stream, entries, snapshot)
        raise DiskFailed("The disk failed.")


def test_after_a_failed_disk_a_book_is_not_opened_beside_a_reader_not_even_by_the_next_process(tmp_path: Path) -> None:
    """What was acknowledged next would stand in the log behind the commit that the disk may not have."""
    path = tmp_path / "floor.db"
    written(path, 3)
    marks = Marks(tmp_path / "marks")
    with Writer(FailsToSync(path), STREAM, MAIN, marks=marks) as writer, pytest.raises(InDoubt):
        writer.submit(a_start(1)).result()
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM entry").fetchone()
        with closing(SqliteStore(path)) as store, pytest.raises(LogInUse):
            Writer(store, STREAM, MAIN, marks=marks)
        marks.close()
        marks = Marks(tmp_path / "marks")
        with closing(SqliteStore(path)) as store, pytest.raises(LogInUse):
            Writer(store, STREAM, MAIN, marks=marks)
    with Writer(SqliteStore(path), STREAM, MAIN, marks=marks) as writer:
        writer.submit(a_start(2, table=3)).result()
        with closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM entry").fetchone()
            writer.close()
            marks.close()
            marks = Marks(tmp_path / "marks")
            Writer(SqliteStore(path), STREAM, MAIN, marks=marks).close()  # a clean start waits for no reader
    marks.close()


class LeaseNotSynced(SqliteStore):
    """A disk that fails as the lease is taken."""

    def take_lease(self, stream: str, wait_s: float = 0.0, claim: Claim | None = None) -> None:
        raise DiskFailed("The disk failed.")


class SnapshotNotSynced(SqliteStore):
    """A disk that fails as a snapshot is saved on opening."""

    def save_snapshot(self, stream: str, snapshot: Snapshot) -> None:
        raise DiskFailed("The disk failed.")


@pytest.mark.parametrize("failing", [LeaseNotSynced, SnapshotNotSynced])
def test_whatever_the_disk_failed_at_is_kept(tmp_path: Path, failing: type[SqliteStore]) -> None:
    """Also where it was before the first act: a reader of the log is waited for all the same."""
    path = tmp_path / "floor.db"
    written(path, 3)
    with closing(Marks(tmp_path / "marks", within_s=None)) as marks:
        with closing(failing(path)) as store, pytest.raises(DiskFailed):
            Writer(store, STREAM, MAIN, marks=marks, snapshot_every=1)
        assert marks.disk_failed()
        with closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM entry").fetchone()
            with closing(SqliteStore(path)) as store, pytest.raises(LogInUse):
                Writer(store, STREAM, MAIN, marks=marks)
        Writer(SqliteStore(path), STREAM, MAIN, marks=marks).close()
        assert not marks.disk_failed()


class LostThenRead(SqliteStore):
    """A store that is lost once; by the time it is there again, somebody reads its log."""

    lost = False

    def append(self, stream: str, entries: Sequence[Entry], snapshot: Snapshot | None = None) -> None:
        if not self.lost:
            self.lost = True
            raise StoreLost("The connection was lost.")
        super().append(stream, entries, snapshot)

    def settle(self, *, after_disk_failure: bool = False) -> None:
        if self.lost:
            raise LogInUse("Somebody reads the log.")
        super().settle(after_disk_failure=after_disk_failure)


def test_a_log_that_is_read_is_not_told_as_another_process(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    written(path, 3)
    with closing(Marks(tmp_path / "marks")) as marks:
        writer = Writer(LostThenRead(path), STREAM, MAIN, marks=marks, patience_s=0)
        with pytest.raises((InDoubt, NotDone)):
            writer.submit(a_start(1)).result()
        writer.close()
        assert writer.reason == "Somebody reads the log."


class CutWhileRead(SqliteStore):
    """A book that loses its end between the question whether it is whole and its reading."""

    def load_snapshot(self, stream: str) -> Snapshot | None:
        cut_book(self.path, stream, 2)
        return super().load_snapshot(stream)


def test_a_book_that_is_cut_while_it_is_read_is_behind_too(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    last = written(path, 3).entries[-1]
    marks = Marks(tmp_path / "marks")
    marks.keep(STREAM, last.number, last.digest)
    with closing(CutWhileRead(path)) as store, pytest.raises(BookBehind, match="is shorter"):
        Writer(store, STREAM, MAIN, marks=marks)
    assert marks.of(STREAM) == Mark(last.number, last.digest), "the mark stays where it was"
    marks.close()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_forged_snapshot_is_left_aside(tmp_path: Path, kind: str) -> None:
    """A meter that is $100,000 higher than its entries say, sealed as the program seals it."""
    book = LinkBook()
    book.start(1, 1)
    forged = json.loads(json.dumps(book.link.snapshot()))
    forged["book"]["balances"]["meter"] += 10_000_000 * 10**6
    last = book.entries[-1]
    with open_store(f"sqlite:///{tmp_path}/floor.db" if kind == "sqlite" else new_floor()) as store:
        store.append(STREAM, book.entries)
        store.save_snapshot(STREAM, Snapshot(last.number, last.digest, forged))
        assert restore(store, STREAM, MAIN)[0].state != book.link.state
        assert restore(store, STREAM, MAIN, secret=SECRET)[0].state == book.link.state
        other = Snapshot(last.number, last.digest, forged).authenticated(b"o" * 32, STREAM)
        store.save_snapshot(STREAM, other)
        assert restore(store, STREAM, MAIN, secret=SECRET)[0].state == book.link.state
        good = Snapshot(last.number, last.digest, book.link.snapshot()).authenticated(SECRET, "link:other")
        store.save_snapshot(STREAM, good)
        assert restore(store, STREAM, MAIN, secret=SECRET)[1] == 0


def test_a_writer_takes_up_its_own_snapshots(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    book = written(path, 3)
    with Writer(SqliteStore(path), STREAM, MAIN, secret=SECRET, snapshot_every=5):
        pass
    with SqliteStore(path) as store:
        snapshot = store.load_snapshot(STREAM)
        assert snapshot is not None
        assert (snapshot.number, snapshot.form) == (len(book.entries), FORM)
        state, number = restore(store, STREAM, MAIN, secret=SECRET)
        assert (state.state, number) == (book.link.state, len(book.entries))


def test_a_whole_book_that_is_gone_is_noticed(tmp_path: Path) -> None:
    room = Room(f"sqlite:///{tmp_path}/floor.db")
    room.found()
    room.make()
    room.floor.close()
    marks = Marks(tmp_path / "marks")
    entries = room_entries(tmp_path / "floor.db")
    marks.keep(STREAM, len(entries), entries[-1].digest)
    cut_book(tmp_path / "floor.db", STREAM, len(entries))
    with pytest.raises(BookBehind, match="is shorter, it ends at entry 0"):
        Floor(lambda: open_store(room.url), KEY, bank_every_s=0, marks=marks, without_cut_links=False)
    with Floor(lambda: open_store(room.url), KEY, bank_every_s=0, marks=marks) as floor:
        assert "is shorter, it ends at entry 0" in floor.house.damaged["main"]
        assert floor.links["main"].status is Status.CLOSED
        with pytest.raises(Refusal, match="its book is damaged"):
            floor.do(MakeLink(id="again", by=MANAGER, second=EXECUTIVE, setup=ONE_METER, link="main"), "main")
    assert not room_entries(tmp_path / "floor.db")
    marks.close()


def room_entries(path: Path) -> list[Entry]:
    with SqliteStore(path) as store:
        return list(store.entries(STREAM))


@pytest.mark.parametrize(
    "body", ["no JSON", '{"form":4,"state":{"a":1.5},"mac":"x"}', '{"form":4,"state":{},"mac":"\u00e9"}']
)
def test_a_snapshot_that_no_program_of_ours_has_written_is_left_aside(tmp_path: Path, body: str) -> None:
    path = tmp_path / "floor.db"
    book = written(path, 1)
    last = book.entries[-1]
    with closing(sqlite3.connect(path)) as db:
        row = (STREAM, last.number, last.digest, body, seal(last.number, last.digest, body))
        db.execute("INSERT INTO snapshot (stream, number, entry_digest, body, seal) VALUES (?, ?, ?, ?, ?)", row)
        db.commit()
    with SqliteStore(path) as store:
        assert restore(store, STREAM, MAIN, secret=SECRET)[0].state == book.link.state
