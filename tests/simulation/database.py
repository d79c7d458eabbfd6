"""A database server of the simulation: it keeps the promise of `croupier.store.store` on the simulated disk.

It stands for PostgreSQL: several servers have sessions with it over a network that loses requests and answers, a lease
belongs to a session, and a session whose client has gone lives on for a while, with what it was just told to do. Its
log is as simple as can be: a record for every commit, with its length and checksum, synced before it is answered.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from typing import Any, Protocol
from zlib import crc32

import msgspec

from croupier.ledger.entry import Entry
from croupier.store.lease import Claim, Heartbeat, Lease
from croupier.store.store import (
    Conflict,
    DiskFailed,
    LeaseTaken,
    Row,
    Snapshot,
    Store,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreLost,
    check_follows,
    stood,
)
from tests.simulation.disk import Disk

LOG = "log"
HEAD = struct.Struct(">II")


class Client(Protocol):
    """The process that has a session, as far as a store sees it."""

    name: str

    def reach(self, what: str) -> None:
        """About to do something: it may be stopped here for a while, or for good; StoreLost without a network."""

    def fate(self) -> str:
        """Of a commit: fine, lost (it never arrived), unheard (done, and the answer is lost) or late (still coming)."""

    def heartbeat(self, stream: str, beat: Callable[[], bool]) -> Heartbeat:
        """Which beats while the process goes on."""

    def takes(self, stream: str) -> None:
        """It has the lease of a stream now."""

    def begins(self, stream: str) -> None:
        """It is about to add entries."""

    def writes(self, stream: str, first: int) -> None:
        """It is adding entries, beginning with this number."""

    def wait(self, seconds: float) -> None: ...

    def counted_s(self) -> float: ...


@dataclass(eq=False)
class Session:
    client: Client
    late: tuple[Any, ...] | None = None
    """A commit that is still on its way."""


@dataclass
class Stream:
    rows: list[Row] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    """Where in the log each row's record ends."""
    commands: dict[str, int] = field(default_factory=dict)
    lease: Lease | None = None
    snapshot: tuple[int, str, str, str] | None = None


class Database:
    def __init__(self, disk: Disk, random: Random) -> None:
        self.disk, self.random, self.up = disk, random, True
        self.sessions: dict[Session, None] = {}
        self.orphans: list[Session] = []
        """Sessions whose client has gone, without a word."""
        self.leases: dict[str, Session] = {}
        self.beats = 0
        self.recover()

    # Life

    def recover(self) -> None:
        """Read the log; what follows the last whole record was never told to anybody, and goes."""
        self.books: dict[str, Stream] = {}
        self.file = self.disk.make(LOG)
        content, self.end = bytes(self.file.data), 0
        while self.end + HEAD.size <= len(content):
            length, check = HEAD.unpack_from(content, self.end)
            body = content[self.end + HEAD.size : self.end + HEAD.size + length]
            if len(body) < length or not length or crc32(body) != check:
                break
            self.end += HEAD.size + length
            stream, rows, snapshot, lease = msgspec.json.decode(body)
            self._take(stream, [Row._make(row) for row in rows], tuple(snapshot) if snapshot else None)
            if lease:
                self.books[stream].lease = Lease(lease[0], lease[1], 0)
        self.disk.cut(self.file, self.end)
        try:
            self.disk.sync(self.file, self.random)
        except OSError:
            return
        self.disk.sync_folder()
        self.up = True

    def crash(self) -> None:
        """The server process ends, with all its sessions; what they were just doing is not done."""
        self.sessions.clear()
        self.orphans.clear()
        self.leases.clear()
        self.up = False

    def leave(self, session: Session) -> None:
        self.sessions.pop(session, None)
        for stream in [stream for stream, holder in self.leases.items() if holder is session]:
            del self.leases[stream]

    def desert(self, session: Session) -> None:
        """The client is gone, and the server has not noticed."""
        if session in self.sessions and session not in self.orphans:
            self.orphans.append(session)

    def notice(self) -> None:
        """The oldest deserted session does what it was told to do, and ends."""
        session = self.orphans.pop(0)
        if session.late is not None and session in self.sessions:
            with suppress(StoreError):
                self.commit(session, *session.late)
        self.leave(session)

    # Commits

    def raise_term(self, session: Session, stream: str, holder: str) -> int:
        """A lease was taken: nothing is written under an earlier term any more, also after a power cut."""
        self.leases[stream] = session
        lease = self.books[stream].lease if stream in self.books else None
        term = lease.term + 1 if lease else 1
        self._write(stream, [], None, (term, holder))
        self.books[stream].lease = Lease(term, holder, 0)
        return term

    def beat(self, session: Session, stream: str, term: int) -> bool:
        lease = self.books[stream].lease
        if session not in self.sessions or lease is None or not lease.is_of(term):
            return False
        self.beats += 1
        self.books[stream].lease = replace(lease, beat=self.beats)
        return True

    def commit(
        self, session: Session, stream: str, term: int, entries: Sequence[Entry], snapshot: Snapshot | None
    ) -> None:
        self.check_held(session, stream, term)
        book = self.books.get(stream) or Stream()
        last = book.rows[-1] if book.rows else None
        check_follows(stream, (last.number, last.digest) if last else None, entries)
        rows = [Row.of(entry) for entry in entries]
        commands = [row.command for row in rows]
        if len(set(commands)) < len(rows) or any(command in book.commands for command in commands):
            raise Conflict(f"An act of {stream} is known.")
        session.client.begins(stream)
        session.client.writes(stream, rows[0].number)
        self._write(stream, rows, snapshot)

    def _write(
        self, stream: str, rows: list[Row], snapshot: Snapshot | None, lease: tuple[int, str] | None = None
    ) -> None:
        kept = (snapshot.number, snapshot.entry_digest, snapshot.body(), snapshot.seal()) if snapshot else None
        body = json.dumps([stream, rows, kept, lease]).encode()
        record = HEAD.pack(len(body), crc32(body)) + body
        try:
            self.disk.write(self.file, self.end, record)
        except OSError as error:
            self.disk.cut(self.file, self.end)
            raise StoreFull(f"There is no room: {error}.") from None
        try:
            self.disk.sync(self.file, self.random)
        except OSError as error:
            self.crash()
            raise DiskFailed(f"The disk failed: {error}.") from None
        self.end += len(record)
        self._take(stream, rows, kept)

    def _take(self, stream: str, rows: list[Row], snapshot: tuple[int, str, str, str] | None) -> None:
        book = self.books.setdefault(stream, Stream())
        for row in rows:
            book.rows.append(row)
            book.ends.append(self.end)
            book.commands[row.command] = row.number
        book.snapshot = snapshot or book.snapshot

    def save(self, session: Session, stream: str, term: int, snapshot: Snapshot) -> None:
        self.check_held(session, stream, term)
        self._write(stream, [], snapshot)

    def check_held(self, session: Session, stream: str, term: int) -> None:
        lease = self.books[stream].lease if stream in self.books else None
        if lease is not None and not lease.is_of(term):
            raise LeaseTaken.of(stream)
        if self.leases.get(stream) is not session:
            raise StoreLost(f"The lease of {stream} is lost.")

    # What an observer can ask

    def streams(self) -> list[str]:
        return sorted(stream for stream, book in self.books.items() if book.rows)

    def rows(self, stream: str) -> list[Row]:
        book = self.books.get(stream)
        return book.rows if book else []

    def is_durable(self, stream: str, number: int) -> bool:
        return self.books[stream].ends[number - 1] <= len(self.file.stable)

    # What an intruder can do

    def forge(self, stream: str, snapshot: Snapshot) -> None:
        """Put a snapshot there, sealed as any program can seal it."""
        self._write(stream, [], snapshot)

    def lose_entries(self, stream: str, count: int) -> None:
        """The last entries of a book are gone, though they were synced."""
        kept = [(name, row) for name, book in self.books.items() for row in book.rows]
        last = len(self.books[stream].rows) - count
        others = {name: (book.snapshot, book.lease) for name, book in self.books.items()}
        self.books, self.end = {}, 0
        self.disk.cut(self.file, 0)
        for name, row in kept:
            if name != stream or row.number <= last:
                self._write(name, [row], None)
        for name, (snapshot, lease) in others.items():
            if lease is not None:
                self._write(name, [], None, (lease.term, lease.holder))
            self.books[name].snapshot, self.books[name].lease = snapshot, lease


class DatabaseStore(Store):
    """A session with the database. Reading is done in sessions of their own, as PostgreSQL's store does it."""

    def __init__(self, database: Database, client: Client) -> None:
        self._database, self._client = database, client
        self._session: Session | None = None
        self._term = 0
        self._heartbeat: Heartbeat | None = None
        self._begin()

    def _begin(self) -> None:
        self._reach("connect")
        self._session = Session(self._client)
        self._database.sessions[self._session] = None

    def _reach(self, what: str) -> Database:
        try:
            self._client.reach(what)
        except StoreLost:
            self._desert()
            raise
        if not self._database.up:
            raise StoreLost("The database is down.")
        return self._database

    def _in_session(self, what: str) -> tuple[Database, Session]:
        database = self._reach(what)
        if self._session is None or self._session not in database.sessions:
            raise StoreLost("The session is lost.")
        return database, self._session

    def _desert(self) -> None:
        if self._session is not None:
            self._database.desert(self._session)
            self._session = None

    def append(self, stream: str, entries: Sequence[Entry], snapshot: Snapshot | None = None) -> None:
        database, session = self._in_session(f"append {len(entries)} to {stream}")
        fate = self._client.fate()
        if fate == "late":
            session.late = (stream, self._term, list(entries), snapshot)
        if fate in {"lost", "late"}:
            self._desert()
            raise StoreLost("The connection broke.")
        database.commit(session, stream, self._term, entries, snapshot)
        self._client.reach(f"hear of {stream}")
        if fate == "unheard":
            self._desert()
            raise StoreLost("The connection broke.")

    def rows(self, stream: str, after: int = 0, limit: int | None = None) -> Iterator[Row]:
        book = self._reach(f"read {stream}").rows(stream)
        yield from book[after:] if limit is None else book[after : after + limit]

    def last(self, stream: str) -> Entry | None:
        rows = self._in_session(f"ask {stream}")[0].rows(stream)
        return rows[-1].entry() if rows else None

    def number_before(self, stream: str, at: str) -> int:
        return sum(row.at < at for row in self._in_session(f"ask {stream}")[0].rows(stream))

    def by_commands(self, stream: str, commands: Iterable[str]) -> dict[str, Entry]:
        book = self._in_session(f"look up in {stream}")[0].books.get(stream, Stream())
        return {each: book.rows[book.commands[each] - 1].entry() for each in commands if each in book.commands}

    def save_snapshot(self, stream: str, snapshot: Snapshot) -> None:
        database, session = self._in_session(f"save snapshot of {stream}")
        database.save(session, stream, self._term, snapshot)

    def load_snapshot(self, stream: str) -> Snapshot | None:
        book = self._in_session(f"load snapshot of {stream}")[0].books.get(stream)
        return Snapshot.of_row(*book.snapshot) if book and book.snapshot else None

    def streams(self) -> list[str]:
        return self._in_session("list streams")[0].streams()

    def ends(self) -> dict[str, int]:
        return {stream: len(book.rows) for stream, book in self._in_session("list ends")[0].books.items()}

    def whole(self) -> AbstractContextManager[object]:
        return nullcontext()

    def take_lease(self, stream: str, wait_s: float = 0.0, claim: Claim | None = None) -> None:
        claim, end = claim or Claim(), self._client.counted_s() + wait_s
        while True:
            database, session = self._in_session(f"take lease of {stream}")
            holder = database.leases.get(stream)
            found = self._lease(database, stream)
            if holder is not None and claim.was_overtaken(found, self._term):
                raise LeaseTaken.of(stream)
            if holder is not None and claim.may_take(stream, found):
                database.leave(holder)
                holder = None
            if holder is None:
                self._term = database.raise_term(session, stream, claim.holder)
                self._client.takes(stream)
                beat = partial(self._beat, session, stream, self._term)
                self._heartbeat = self._client.heartbeat(stream, beat)
                return
            if self._client.counted_s() >= end:
                raise StoreBusy(f"Another process is writing {stream}: it holds the lease.")
            self._client.wait(0.05)

    def _beat(self, session: Session, stream: str, term: int) -> bool:
        try:
            return self._reach(f"beat {stream}").beat(session, stream, term)
        except StoreLost:
            return False

    def lease(self, stream: str) -> Lease | None:
        return self._lease(self._in_session(f"look at the lease of {stream}")[0], stream)

    def leases(self) -> dict[str, Lease]:
        books = self._in_session("look at the leases")[0].books
        return {stream: book.lease for stream, book in books.items() if book.lease is not None}

    def _lease(self, database: Database, stream: str) -> Lease | None:
        return database.books[stream].lease if stream in database.books else None

    def lease_doubt(self) -> str:
        return self._heartbeat.doubt() if self._heartbeat else ""

    def release_lease(self) -> None:
        self._stop_beating()
        session = self._session
        if session is not None and session in self._database.sessions:
            self._client.reach("release lease")
            for stream in [stream for stream, holder in self._database.leases.items() if holder is session]:
                del self._database.leases[stream]

    def confirm(self, stream: str, number: int | None = None) -> None:
        database, session = self._in_session(f"confirm {stream}")
        database.check_held(session, stream, self._term)
        stood(stream, number, len(database.rows(stream)))

    def reconnect(self) -> None:
        self.close()
        self._begin()

    def settle(self, *, after_disk_failure: bool = False) -> None:
        """Nothing to do, as with PostgreSQL: the lease was free, so the session that was lost has ended."""

    def _stop_beating(self) -> None:
        if self._heartbeat is not None:
            self._heartbeat.stop()
            self._heartbeat = None

    def close(self) -> None:
        self._stop_beating()
        session, self._session = self._session, None
        if session is not None:
            self._database.leave(session)
