"""The books in a SQLite file: no set-up, one machine, every commit on disk (write-ahead log, full sync).

The lease of a stream is a lock of the operating system on a small file beside the database, taken through SQLite so
that it is the same on every system; it ends with the process that holds it. Its holder beats by setting that file's
time. Its term stands in the database, and every commit asks for it: where a holder hangs, the next one raises the term
and locks a new file. Only a holder that was stopped within a commit, with the database locked, cannot be taken over.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from functools import cache, partial
from itertools import chain
from pathlib import Path
from threading import RLock
from zlib import crc32

from croupier.errors import RecordError
from croupier.ledger.entry import Entry
from croupier.store.lease import Claim, Heartbeat, Lease, term_of
from croupier.store.schema import IN_SQLITE, NEWEST, VERSION, check_guards, check_readable, migrate, sqlite_guards
from croupier.store.sqlite_files import (
    ASKED_ONLY,
    LOG_AS_IT_IS,
    LOGS,
    check_log_is_read,
    check_log_is_whole,
    check_one_name,
    closed,
    file_at,
    is_cut,
    log_of,
    measure,
    opened,
    reading_mode,
    renew_log,
)
from croupier.store.store import (
    COLUMNS,
    NO_MORE,
    Conflict,
    DiskFailed,
    LeaseTaken,
    LogInUse,
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

PATIENCE_S = 10.0
"""How long a commit waits for another process's commit."""
SETTLE_S = 0.5
"""How long a store that is settled waits for those who read it: a backup may read for minutes."""
TRY_S = 1.0
"""How long it may be another's until an act that came now is said not to be taken."""
BLOCK = 1_000
PRAGMAS = (
    *("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "trusted_schema = OFF"),
    "wal_autocheckpoint = 4000",  # 16 MB of log: a busy page goes to the file once, not after every few commits
)
READING = ("query_only = ON", "trusted_schema = OFF")
"""See `sqlite_files` for why this is not SQLite's own read-only mode wherever the folder can be written."""

INSERT = f"INSERT INTO entry (stream, {COLUMNS}) SELECT * FROM (VALUES "
FOLLOWS = ") WHERE (? = 1 OR EXISTS (SELECT 1 FROM entry WHERE stream = ? AND number = ? AND digest = ?))"
"""What the first of them follows must be there, whatever became of the table's own guards."""
FENCED = " AND EXISTS (SELECT 1 FROM lease WHERE stream = ? AND term = ?)"
"""Asked with the database locked to write, as a term is raised: nobody takes the lease between this and the commit."""
A_ROW = f"({', '.join('?' * (1 + len(Row._fields)))})"
ROWS_AT_ONCE = 32
"""Of one statement: Python's other threads come between any two, and each would wait for its turn."""
SELECT = f"SELECT {COLUMNS} FROM entry WHERE stream = ?"
LAST = "SELECT number, digest FROM entry WHERE stream = ? ORDER BY number DESC LIMIT 1"
IN_USE = "Another process is writing {}: it holds the lease."
LEASES = "SELECT stream, term, holder FROM lease"
LEASE = "SELECT term, holder FROM lease WHERE stream = ?"
RAISE_TERM = """
    INSERT INTO lease (stream, term, holder) VALUES (?, 1, ?)
    ON CONFLICT (stream) DO UPDATE SET term = term + 1, holder = excluded.holder
"""
BY_COMMANDS = f"SELECT {COLUMNS} FROM json_each(?) CROSS JOIN entry ON stream = ? AND command = value"
"""The cross join makes SQLite look each command up; with `command IN (...)` it would read the whole stream."""
NAMES = """
    WITH RECURSIVE name(stream) AS (
        SELECT min(stream) FROM entry UNION ALL
        SELECT (SELECT min(stream) FROM entry WHERE stream > name.stream) FROM name WHERE stream IS NOT NULL
    )
"""
REPLACE = """
    INSERT INTO snapshot (stream, number, entry_digest, body, seal) VALUES (?, ?, ?, ?, ?) ON CONFLICT (stream)
    DO UPDATE SET number = excluded.number, entry_digest = excluded.entry_digest,
        body = excluded.body, seal = excluded.seal
"""


class SqliteStore(Store):
    """A file. Its folder must be there; the file is made, unless it is only to be read. It lies where the system keeps
    files, or on another file system that SQLite knows by name."""

    def __init__(
        self,
        path: str | Path,
        *,
        schema: int = NEWEST,
        read_only: bool = False,
        file_system: str = "",
        heartbeat: Callable[[str, Callable[[], bool]], Heartbeat] = Heartbeat,
    ) -> None:
        self.path = Path(path).resolve()
        self.read_only, self._file_system, self._new_heartbeat = read_only, file_system, heartbeat
        self._lock = RLock()
        self._lease: sqlite3.Connection | None = None
        self._leased = ("", (0, 0))
        """The stream, and which file on which device the lease is a lock on."""
        self._term = 0
        """Under which the lease was taken last, be it held or not."""
        self._heartbeat: Heartbeat | None = None
        self._files: tuple[tuple[int, int], ...] = ()
        """Which files on which device the store and its log are that are open here; none of a log not yet made."""
        self._log_path = log_of(self.path)
        self.lease_path = cache(self._lease_path)
        if not self.path.parent.is_dir():
            raise StoreError(f"There is no folder {self.path.parent} for the store {self.path.name}.")
        if not read_only:
            check_one_name(self.path)
        self._db = self._connect()
        with self._spoken():
            try:
                check_readable(self.path.name, self._version()) if read_only else self._migrate(schema)
                self._files = self._files_now()
                if not read_only:
                    opened(self._log_path, self)
            except BaseException:
                self._db.close()
                raise

    # --- writing -----------------------------------------------------------------------------------------

    def append(self, stream: str, entries: Sequence[Entry], snapshot: Snapshot | None = None) -> None:
        self._check_log_is_whole()
        if entries and len(entries) <= ROWS_AT_ONCE and snapshot is None and not self._db.in_transaction:
            self._append_at_once(stream, entries)
            return
        with self._transaction() as db:
            if self._lease is not None:
                self._check_lease(stream)
                self._check_term(stream)
            check_follows(stream, db.execute(LAST, (stream,)).fetchone(), entries)
            for start in range(0, len(entries), ROWS_AT_ONCE):
                self._insert(stream, entries[start : start + ROWS_AT_ONCE])
            if snapshot:
                db.execute(REPLACE, snapshot_row(stream, snapshot))
        self._check_files()

    def _append_at_once(self, stream: str, entries: Sequence[Entry]) -> None:
        """The usual commit, as one statement that is its own transaction: Python's other threads come in once, not
        between any two of four. That the first entry follows the one before it, and that the lease has its term still,
        the statement asks; that this is the last one there, the table's keys see to."""
        check_follows(stream, (entries[0].number - 1, entries[0].before), entries)
        with self._lock, self._spoken():
            if self._lease is not None:
                self._check_lease(stream)
            try:
                self._insert(stream, entries)
            except sqlite3.IntegrityError:
                check_follows(stream, self._db.execute(LAST, (stream,)).fetchone(), entries)
                raise
        self._check_files()

    def _check_files(self) -> None:
        """What was just written lies in the files that the next process will read, or is not acknowledged.

        A log that was taken away is still open here: what is in it is brought to the store before anything else.
        """
        there = self._files_now()
        measure(self._log_path)
        self._files = tuple(known if any(known) else now for known, now in zip(self._files, there, strict=True))
        if there == self._files and all(map(any, there)):
            return
        with self._lock, suppress(sqlite3.Error):
            self._begin_log_anew()
        raise DiskFailed(
            f"The store {self.path.name} or its log {log_of(self.path).name} was removed or replaced under the running "
            f"program.{NO_MORE}"
        )

    def _check_log_is_whole(self) -> None:
        """One that is shorter because it is another file, as whoever reads makes it where the log was taken away, is
        told as another file, and what is in ours is brought to the store before."""
        known = self._files[1]
        if not any(known) or known == file_at(self._log_path):
            check_log_is_whole(self._log_path)

    def _begin_log_anew(self) -> bool:
        """Bring the log to the file and make it empty; whether somebody who reads has kept it from that."""
        with LOGS:
            busy, _, _ = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            measure(self._log_path)
        return bool(busy)

    def _files_now(self) -> tuple[tuple[int, int], ...]:
        return file_at(self.path), file_at(self._log_path)

    def checkpoint(self) -> None:
        self._check_log_is_whole()
        with self._lock, self._spoken():
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()

    def _insert(self, stream: str, entries: Sequence[Entry]) -> None:
        rows, first = [(stream, *Row.of(entry)) for entry in entries], entries[0]
        asked: list[object] = [first.number, stream, first.number - 1, first.before]
        query = INSERT + ", ".join([A_ROW] * len(rows)) + FOLLOWS
        if self._lease is not None:
            query, asked = query + FENCED, [*asked, stream, self._term]
        if self._db.execute(query, [*chain.from_iterable(rows), *asked]).rowcount != len(rows):
            if self._lease is not None:
                self._check_term(stream)
            check_follows(stream, self._db.execute(LAST, (stream,)).fetchone(), entries)
            raise Conflict(f"Entry {first.number - 1} of {stream} is not there, and entry {first.number} follows it.")

    def save_snapshot(self, stream: str, snapshot: Snapshot) -> None:
        with self._transaction() as db:
            db.execute(REPLACE, snapshot_row(stream, snapshot))

    # --- reading -----------------------------------------------------------------------------------------

    def rows(self, stream: str, after: int = 0, limit: int | None = None) -> Iterator[Row]:
        """From a connection of its own: what it began with is what it reads, whatever is written meanwhile."""
        with self._spoken(), closing(self._connect()) as db:
            cursor = db.execute(
                f"{SELECT} AND number > ? ORDER BY number LIMIT ?", (stream, after, -1 if limit is None else limit)
            )
            while block := cursor.fetchmany(BLOCK):
                yield from map(Row._make, block)

    def last(self, stream: str) -> Entry | None:
        with self._lock, self._spoken():
            row = self._db.execute(f"{SELECT} ORDER BY number DESC LIMIT 1", (stream,)).fetchone()
        return Row._make(row).entry() if row else None

    def number_before(self, stream: str, at: str) -> int:
        with self._lock, self._spoken():
            row = self._db.execute(
                "SELECT number FROM entry WHERE stream = ? AND at < ? ORDER BY at DESC, number DESC LIMIT 1",
                (stream, at),
            ).fetchone()
        return int(row[0]) if row else 0

    def by_commands(self, stream: str, commands: Iterable[str]) -> dict[str, Entry]:
        with self._lock, self._spoken():
            rows = self._db.execute(BY_COMMANDS, (json.dumps(list(dict.fromkeys(commands))), stream)).fetchall()
        return {row.command: row.entry() for row in map(Row._make, rows)}

    def load_snapshot(self, stream: str) -> Snapshot | None:
        with self._lock, self._spoken():
            row = self._db.execute(
                "SELECT number, entry_digest, body, seal FROM snapshot WHERE stream = ?", (stream,)
            ).fetchone()
        return Snapshot.of_row(*row) if row else None

    def streams(self) -> list[str]:
        """Jumps from one name to the next, so that a million entries are not read."""
        query = f"{NAMES} SELECT stream FROM name WHERE stream IS NOT NULL"
        with self._lock, self._spoken():
            return [stream for (stream,) in self._db.execute(query)]

    def ends(self) -> dict[str, int]:
        """One statement, so one moment."""
        query = f"{NAMES} SELECT stream, (SELECT max(number) FROM entry WHERE stream = name.stream) FROM name"
        with self._lock, self._spoken():
            return dict(self._db.execute(f"{query} WHERE stream IS NOT NULL").fetchall())

    def whole(self) -> AbstractContextManager[object]:
        return self._transaction()

    # --- lease and life ----------------------------------------------------------------------------------

    def take_lease(self, stream: str, wait_s: float = 0.0, claim: Claim | None = None) -> None:
        if self._lease is not None:
            raise StoreError("A store serves one writer: open another one for another stream.")
        claim, seen, file = claim or Claim(), self.lease(stream), self._lease_file(stream)
        try:
            lease = self._lock_lease(stream, wait_s)
        except StoreBusy:
            standing = self.lease(stream)
            if claim.was_overtaken(standing, self._term):
                raise LeaseTaken.of(stream) from None
            if not claim.may_take(stream, standing):
                raise
            locked = self._lease_file(stream)
            term = self._raise_term(stream, claim, over=True)
            if (self._lease_file(stream), term_of(self.lease(stream))) == (locked, term):
                self.lease_path(stream).unlink(missing_ok=True)  # the lock on it is worth nothing any more
            lease = self._lock_lease(stream, 0.0)
            if term_of(self.lease(stream)) != term:  # it hung here itself, and was taken over
                lease.close()
                raise StoreBusy(f"Another process has just taken over {stream}.") from None
        else:
            try:
                term = self._raise_term(stream, claim, over=False, seen=seen, file=file)
            except BaseException:
                lease.close()
                raise
        self._lease, self._leased, self._term = lease, (stream, self._lease_file(stream)), term
        self._heartbeat = self._new_heartbeat(stream, partial(self._beat, *self._leased))

    def _lock_lease(self, stream: str, wait_s: float) -> sqlite3.Connection:
        address = self._address(self.lease_path(stream), "rwc")
        with self._spoken():
            lease = sqlite3.connect(address, timeout=wait_s, isolation_level=None, check_same_thread=False, uri=True)
        try:
            lease.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            lease.close()
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
                raise StoreBusy(IN_USE.format(stream)) from None
            raise StoreError(f"The lease of {stream} cannot be taken: {error}.") from None
        return lease

    def _raise_term(
        self, stream: str, claim: Claim, *, over: bool, seen: Lease | None = None, file: object = None
    ) -> int:
        """From now on nothing is written under an earlier term. With `over`, only if the silent one has it still, and
        has not beaten.

        Without, only if nobody has raised it since it was seen, before the lock was asked for, or the file that was
        waited for is there still: whoever hung between the lock and this may have been taken over meanwhile, and locks
        a file that has no name any more."""
        try:
            with self._transaction() as db:
                lease = self.lease(stream)
                waited = file is not None and self._lease_file(stream) == file
                if not (claim.may_take(stream, lease) if over else waited or term_of(lease) == term_of(seen)):
                    raise StoreBusy(IN_USE.format(stream) if over else f"Another process has just taken over {stream}.")
                db.execute(RAISE_TERM, (stream, claim.holder))
                return int(db.execute(LEASE, (stream,)).fetchone()[0])
        except StoreBusy as error:
            if over and isinstance(error.__cause__, sqlite3.Error):
                raise StoreBusy(
                    f"The server that has {stream} hangs in the middle of a commit, and keeps the store "
                    f"{self.path.name} locked: nobody can take over before that process is ended (kill -9)."
                ) from None
            raise

    def lease(self, stream: str) -> Lease | None:
        return self._leases(f"{LEASES} WHERE stream = ?", stream).get(stream)

    def leases(self) -> dict[str, Lease]:
        return self._leases(LEASES)

    def _leases(self, query: str, *streams: str) -> dict[str, Lease]:
        """The beat of each is the time of its file."""
        with self._lock, self._spoken():
            if self._db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'lease'").fetchone() is None:
                return {}
            rows = self._db.execute(query, streams).fetchall()
        return {stream: Lease(int(term), str(holder), self._last_beat(stream)) for stream, term, holder in rows}

    def _last_beat(self, stream: str) -> int:
        with suppress(OSError):
            return self.lease_path(stream).stat().st_mtime_ns
        return 0

    def lease_doubt(self) -> str:
        return self._heartbeat.doubt() if self._heartbeat else ""

    def _beat(self, stream: str, file: tuple[int, int]) -> bool:
        """Its file gets another time, and is never opened here: closing it would undo the lock."""
        if self._lease_file(stream) != file:
            return False
        try:
            os.utime(self.lease_path(stream))
        except OSError as error:
            raise StoreError(f"The lease of {stream} cannot beat: {error.strerror}.") from None
        return True

    def _lease_path(self, stream: str) -> Path:
        """Beside the database; the number keeps apart names that differ only where a file name cannot."""
        name = re.sub(r"[^\w-]+", "-", stream, flags=re.ASCII)[:40]
        return self.path.with_name(f"{self.path.name}.{name}.{crc32(stream.encode()):08x}.lease")

    def release_lease(self) -> None:
        if self._heartbeat is not None:
            self._heartbeat.stop()
            self._heartbeat = None
        if self._lease is not None:
            self._lease.close()
            self._lease = None

    def confirm(self, stream: str, number: int | None = None) -> None:
        self._check_lease(stream)
        with self._lock, self._spoken():
            self._check_term(stream)
            if number is not None:
                last = self._db.execute(LAST, (stream,)).fetchone()
                stood(stream, number, last[0] if last else 0)

    def _check_lease(self, stream: str) -> None:
        """A lock on a file that was deleted or replaced keeps nobody out: the next process locks the new one."""
        there = self._lease_file(stream)
        if self._lease is None or not any(there) or self._leased != (stream, there):
            if self._lease is not None:
                with self._lock, self._spoken():
                    self._check_term(stream)
            name = self.lease_path(stream).name
            raise StoreLost(f"The lease of {stream} is lost: its file {name} was deleted or replaced.")

    def _check_term(self, stream: str) -> None:
        row = self._db.execute(LEASE, (stream,)).fetchone()
        if self._leased[0] == stream and (row is None or row[0] != self._term):
            raise LeaseTaken.of(stream)

    def _lease_file(self, stream: str) -> tuple[int, int]:
        """Which file it is, for as long as somebody holds it open."""
        return file_at(self.lease_path(stream))

    def reconnect(self) -> None:
        self.close()
        self._db = self._connect()
        with self._spoken():
            self._version()
        self._files = self._files_now()
        if not self.read_only:
            opened(self._log_path, self)

    def check_writable(self) -> None:
        """Commit something that changes nothing, as an entry would be: into the log, and on disk."""
        self._check_log_is_whole()
        with self._waiting_at_most(TRY_S):
            self._db.execute(f"PRAGMA user_version = {NEWEST}")
        self._check_files()

    def settle(self, *, after_disk_failure: bool = False) -> None:
        """Commit something, bring the log to the file, and begin it anew.

        When a sync fails, the frames of the lost commit may still lie in the log, and a later recovery could take them
        up. The next commit overwrites them; so make one. A recovery may also have taken them up already, from what the
        system remembers and the disk does not have: whatever follows them in the log would be lost with them when the
        power is. In the file, written again and synced, nothing rests on them.

        Somebody who reads keeps the log from being begun anew: the next commit would still stand behind such frames.
        After a failure of the disk that is refused; otherwise there are none, and a long reader is in nobody's way.
        """
        self._check_log_is_whole()
        with self._lock, self._spoken():
            self._db.execute(f"PRAGMA user_version = {NEWEST}")
        with self._waiting_at_most(SETTLE_S):
            busy = self._begin_log_anew()
        if busy and after_disk_failure:
            raise LogInUse(
                f"The disk of the store {self.path.name} has failed, and its log {self._log_path.name} must be begun "
                "anew before anything is written: another process still reads it (a backup, an evidence file, a check "
                "of the books). Wait for that to end, or end it."
            )

    def close(self) -> None:
        self.release_lease()
        with self._lock:
            if is_cut(self._log_path) and not self.read_only:
                with suppress(sqlite3.Error):
                    self._close_beside_a_reader()
            with suppress(sqlite3.Error):
                self._db.close()
        closed(self._log_path, self)

    def _close_beside_a_reader(self) -> None:
        """Leave a log that was cut as it is: the last connection that is closed brings it to the file, page by page up
        to the gap, and a part of a commit is worse than none. One that only reads brings nothing, and is closed last.
        """
        with closing(sqlite3.connect(self._address(self.path, "ro"), timeout=0, uri=True)) as reader:
            with suppress(sqlite3.Error):  # where not even the first page can be read, nothing is brought to the file
                reader.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            self._db.close()

    def _connect(self) -> sqlite3.Connection:
        mode = reading_mode(self.path) if self.read_only else "rwc"
        if mode in (ASKED_ONLY, "rwc"):
            self._renew_log()
        with self._spoken():
            address = self._address(self.path, mode)
            db = sqlite3.connect(address, timeout=PATIENCE_S, isolation_level=None, check_same_thread=False, uri=True)
            try:
                for pragma in READING if self.read_only else PRAGMAS:
                    db.execute(f"PRAGMA {pragma}")
                if mode == LOG_AS_IT_IS:
                    check_log_is_read(self.path, db)
            except BaseException:
                db.close()
                raise
        return db

    def _renew_log(self) -> None:
        renew_log(self.path)

    def _address(self, path: Path, mode: str) -> str:
        return f"{path.as_uri()}?mode={mode}{f'&vfs={self._file_system}' if self._file_system else ''}"

    def _migrate(self, schema: int) -> None:
        """Asks first, so that a store that is up to date opens beside a writer."""
        if self._version() != schema:
            with self._transaction() as db:
                mark = "INSERT INTO schema_version (version, title) VALUES (?, ?)"
                migrate(db.execute, lambda step: step.sqlite, mark, schema)
        check_guards(self.path.name, sqlite_guards(), self._db.execute(IN_SQLITE))

    def check_guarded(self) -> None:
        if self._version() == NEWEST:
            check_guards(self.path.name, sqlite_guards(), self._db.execute(IN_SQLITE))

    def _version(self) -> int | None:
        there = self._db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'schema_version'").fetchone()
        return int(self._db.execute(VERSION).fetchone()[0]) if there else None

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._spoken():
            if self._db.in_transaction:  # part of one that is `whole`
                yield self._db
                return
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise

    @contextmanager
    def _waiting_at_most(self, seconds: float) -> Iterator[None]:
        """For others who have the file, instead of as long as a commit does."""
        with self._lock, self._spoken():
            self._db.execute(f"PRAGMA busy_timeout = {seconds * 1_000:.0f}")
            try:
                yield
            finally:
                self._db.execute(f"PRAGMA busy_timeout = {PATIENCE_S * 1_000:.0f}")

    @contextmanager
    def _spoken(self) -> Iterator[None]:
        """SQLite's errors in our words."""
        try:
            yield
        except sqlite3.ProgrammingError as error:
            raise StoreLost(f"The store {self.path.name} is closed: {error}") from error
        except sqlite3.Error as error:
            raise in_our_words(self.path.name, error) from error
        except UnicodeDecodeError:  # of SQLite's own words, which quote what is damaged
            raise RecordError(f"{self.path.name} is not a whole store: it has text that is none.") from None


def snapshot_row(stream: str, snapshot: Snapshot) -> tuple[str, int, str, str, str]:
    return stream, snapshot.number, snapshot.entry_digest, snapshot.body(), snapshot.seal()


def in_our_words(name: str, error: sqlite3.Error) -> StoreError | RecordError:
    """A write that failed ended before its commit was whole, so it is known to be lost; a failed sync is not.

    After a failed sync the operating system may take pages for written that never reached the disk: syncing once more
    would succeed and prove nothing.
    """
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    if code == sqlite3.SQLITE_IOERR_WRITE or code & 0xFF == sqlite3.SQLITE_FULL:
        return StoreFull(f"There is no room to write the store {name}: {error}.")
    if code & 0xFF == sqlite3.SQLITE_BUSY:
        return StoreBusy(f"The store {name} is being written by another process: {error}.")
    if code & 0xFF == sqlite3.SQLITE_CONSTRAINT:
        return Conflict(f"The store {name} refused it: {error}.")
    if code & 0xFF in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
        return RecordError(f"{name} is not a whole store: {error}.")
    if code & 0xFF == sqlite3.SQLITE_IOERR:
        return DiskFailed(f"The disk of the store {name} failed: {error}.{NO_MORE}")
    return StoreError(f"The store {name} cannot be used: {error}.")
