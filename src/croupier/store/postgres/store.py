"""The books on a PostgreSQL server, for many tables and several processes: synchronous commit, one writer per stream.

The lease of a stream is an advisory lock of the session that writes, so it ends with the session, and a session that
has lost it can no longer write: every commit looks whether its own session holds the lock, and whether the lease's row
still has its term. Whoever takes the lease next knows that the one before has ended, its last commit with it. A holder
that hangs keeps its session: whoever takes over has the server end that session, and with it whatever it was doing.
(A pooler that gives the sessions of the server to many clients would break this, so it is found out and nothing is
written: connect to the server itself.)

A server that does not answer is given up after `answer_s`. What was sent to it may yet be done, and is in doubt until
its session has ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from hashlib import sha256
from threading import RLock
from time import monotonic, sleep
from typing import Any

import psycopg

from croupier.errors import RecordError
from croupier.ledger.entry import GENESIS, Entry
from croupier.store.lease import Claim, Heartbeat, Lease
from croupier.store.postgres.connection import ANSWER_S, Connection, Statement, connect, text_array, without_haste
from croupier.store.postgres.roles import broad_rights, check_may_make
from croupier.store.schema import IN_POSTGRES, NEWEST, VERSION, check_guards, check_readable, migrate, postgres_guards
from croupier.store.store import (
    COLUMNS,
    Conflict,
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
    without_password,
)

POLL_S = 0.05
BLOCK = 1_000
MIGRATING = 0x63726F7570696572
"""The advisory lock of those who bring the schema up to date: "croupier" in ASCII."""

TEXTS = Row._fields[1:]
SELECT = f"SELECT {COLUMNS} FROM entry WHERE stream = %s"
STAND = """
    SELECT last.number AS last_number, last.digest AS last_digest,
        EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND granted
            AND classid = %s::bigint::oid AND objid = %s::bigint::oid AND objsubid = 1) AS held,
        (SELECT term FROM lease WHERE stream = %s) AS term,
        set_config('synchronous_commit', 'on', true), set_config('statement_timeout', '0', true)
    FROM (SELECT 1) AS always LEFT JOIN LATERAL
        (SELECT number, digest FROM entry WHERE stream = %s ORDER BY number DESC LIMIT 1) AS last ON true
"""
"""The last entry, whether this very session holds the lease, and the lease's term. It also says, for the rest of the
transaction and whatever session a pooler may have given us, that the commit is to be on disk, and that no time limit of
the server cuts the commit short: that would end its wait for a replica, and be answered as done."""
_STAND_HERE = STAND % ("$1", "$2", "$3", "$3")
APPEND = Statement(
    b"append",
    f"""
    WITH stand AS MATERIALIZED ({_STAND_HERE}), added AS (
        INSERT INTO entry (stream, number, {", ".join(TEXTS)})
        SELECT $3, $4::bigint + place, {", ".join(TEXTS)} FROM stand,
            unnest({", ".join(f"${place}::text[]" for place in range(8, 8 + len(TEXTS)))})
            WITH ORDINALITY AS new({", ".join(TEXTS)}, place)
        WHERE ($5::bigint = 0 OR (held AND term = $5::bigint))
            AND coalesce(last_number, 0) = $4::bigint AND coalesce(last_digest, $6) = $7
        RETURNING 1
    )
    SELECT last_number, last_digest, held, coalesce(term, 0), (SELECT count(*) FROM added) FROM stand
    """.encode(),
    (0,) * 7 + (1,) * len(TEXTS),
)
"""All of a commit in one statement: look, and add if the last entry is the one that is followed. The server commits it
by itself once its time limit does not count any more. Columns are arrays in binary: the bodies are full of quotes, and
nobody has to escape them."""
TRY = f"INSERT INTO entry (stream, {COLUMNS}) SELECT stream, {COLUMNS} FROM entry WHERE false RETURNING 1"
NAMES = """
    WITH RECURSIVE name(stream) AS (
        (SELECT stream FROM entry ORDER BY stream LIMIT 1) UNION ALL
        SELECT (SELECT stream FROM entry WHERE stream > name.stream ORDER BY stream LIMIT 1)
        FROM name WHERE stream IS NOT NULL
    )
"""
LEASES = "SELECT stream, term, holder, beat FROM lease"
TAKE_LEASE = """
    WITH lock AS MATERIALIZED (SELECT pg_try_advisory_lock(%s) AS held)
    INSERT INTO lease (stream, term, holder, session, beat) SELECT %s, 1, %s, pg_backend_pid(), 0 FROM lock WHERE held
    ON CONFLICT (stream) DO UPDATE SET term = lease.term + 1, holder = excluded.holder, session = excluded.session,
        beat = lease.beat + 1
    RETURNING term
"""
"""The lock and the row that says whose it is, in one statement: whoever hangs in taking the lease can be ended too."""
BEAT = """
    WITH quick AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
    UPDATE lease SET beat = beat + 1 FROM quick WHERE stream = %s AND term = %s AND EXISTS (
        SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND pid = lease.session AND granted
            AND classid = %s::bigint::oid AND objid = %s::bigint::oid AND objsubid = 1)
    RETURNING 1
"""
"""While the session that has taken the lease holds it. No beat has to survive the server, so none waits for a disk."""
END_SESSION = """
    SELECT pg_terminate_backend(pid, 5000) FROM pg_locks JOIN lease ON pid = session
    WHERE locktype = 'advisory' AND granted AND objsubid = 1
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND classid = %s::bigint::oid AND objid = %s::bigint::oid AND stream = %s AND term = %s AND beat = %s
"""
"""Of the very session that has taken the lease, if nobody has beaten for it since it was looked at. It has ended when
this returns, and everything it was doing with it."""
REPLACE = """
    INSERT INTO snapshot (stream, number, entry_digest, body, seal) VALUES (%s, %s, %s, %s, %s) ON CONFLICT (stream)
    DO UPDATE SET number = excluded.number, entry_digest = excluded.entry_digest,
        body = excluded.body, seal = excluded.seal
"""


class PostgresStore(Store):
    """A database on a server; its tables are made in the first schema of the search path."""

    def __init__(self, url: str, *, schema: int = NEWEST, read_only: bool = False, answer_s: float = ANSWER_S) -> None:
        self.url = url
        self.read_only, self._answer_s = read_only, answer_s
        self._lock = RLock()
        self._leased = ""
        """The stream."""
        self._term = 0
        """Under which the lease was taken last, be it held or not."""
        self._heartbeat: Heartbeat | None = None
        self._db = self._connect()
        try:
            with self._spoken():
                self._schema = schema_of(self._db)
                self._check_readable() if read_only else self._migrate(schema)
        except BaseException:
            self._db.close()
            raise

    # --- writing -----------------------------------------------------------------------------------------

    def append(self, stream: str, entries: Sequence[Entry], snapshot: Snapshot | None = None) -> None:
        if snapshot is None and entries:
            self._append(stream, entries)
            return
        with self._transaction() as db:
            if entries:
                self._append(stream, entries)
            else:
                self._stand(stream)
            if snapshot:
                db.execute(REPLACE, snapshot_row(stream, snapshot))

    def _append(self, stream: str, entries: Sequence[Entry]) -> None:
        """One step to the server and back."""
        number, before = entries[0].number - 1, entries[0].before
        check_follows(stream, (number, before), entries)
        columns = map(text_array, list(zip(*map(Row.of, entries), strict=True))[1:])
        followed = (*self._lease(stream), stream, number, self._term if self._leased else 0, GENESIS, before)
        with self._lock, self._spoken():
            values = [*(str(row).encode() for row in followed), *columns]
            last, digest, held, term, added = self._db.one_row(APPEND, values)
        self._check_held(stream, held=held == b"t", term=int(term))
        if int(added) != len(entries):
            check_follows(stream, (int(last), digest.decode()) if last else None, entries)
            raise StoreError(f"{int(added)} of {len(entries)} entries were added to {stream}.")

    def save_snapshot(self, stream: str, snapshot: Snapshot) -> None:
        with self._transaction() as db:
            db.execute(REPLACE, snapshot_row(stream, snapshot))

    # --- reading -----------------------------------------------------------------------------------------

    def rows(self, stream: str, after: int = 0, limit: int | None = None) -> Iterator[Row]:
        """From a connection of its own, block by block, up to what was the last entry when it began."""
        with self._spoken(), closing(self._connect()) as db:
            newest = db.execute("SELECT coalesce(max(number), 0) FROM entry WHERE stream = %s", (stream,)).fetchone()
            last = newest[0] if newest else 0
            end = last if limit is None else min(last, after + limit)
            for start in range(after, end, BLOCK):
                block = f"{SELECT} AND number > %s AND number <= %s ORDER BY number"
                yield from map(Row._make, db.execute(block, (stream, start, min(start + BLOCK, end))).fetchall())

    def last(self, stream: str) -> Entry | None:
        rows = self._read(f"{SELECT} ORDER BY number DESC LIMIT 1", (stream,))
        return Row._make(rows[0]).entry() if rows else None

    def number_before(self, stream: str, at: str) -> int:
        query = "SELECT number FROM entry WHERE stream = %s AND at < %s ORDER BY at DESC, number DESC LIMIT 1"
        rows = self._read(query, (stream, at))
        return int(rows[0][0]) if rows else 0

    def by_commands(self, stream: str, commands: Iterable[str]) -> dict[str, Entry]:
        rows = self._read(f"{SELECT} AND command = ANY(%s)", (stream, list(commands)))
        return {row.command: row.entry() for row in map(Row._make, rows)}

    def load_snapshot(self, stream: str) -> Snapshot | None:
        rows = self._read("SELECT number, entry_digest, body, seal FROM snapshot WHERE stream = %s", (stream,))
        return Snapshot.of_row(*rows[0]) if rows else None

    def streams(self) -> list[str]:
        """Jumps from one name to the next, so that a million entries are not read."""
        return [stream for (stream,) in self._read(f"{NAMES} SELECT stream FROM name WHERE stream IS NOT NULL")]

    def ends(self) -> dict[str, int]:
        """One statement, so one moment."""
        query = f"{NAMES} SELECT stream, (SELECT max(number) FROM entry WHERE stream = name.stream) FROM name"
        return {stream: int(number) for stream, number in self._read(f"{query} WHERE stream IS NOT NULL")}

    def whole(self) -> AbstractContextManager[object]:
        return self._transaction()

    # --- lease and life ----------------------------------------------------------------------------------

    def take_lease(self, stream: str, wait_s: float = 0.0, claim: Claim | None = None) -> None:
        if self._leased:
            raise StoreError("A store serves one writer: open another one for another stream.")
        claim, end = claim or Claim(), monotonic() + wait_s
        while not (taken := self._try_lease(stream, claim)):
            lease = self.lease(stream)
            if claim.was_overtaken(lease, self._term):
                raise LeaseTaken.of(stream)
            if lease is not None and claim.may_take(stream, lease) and self._end_holder(stream, lease):
                continue
            if monotonic() >= end:
                raise StoreBusy(f"Another process is writing {stream}: it holds the lease.")
            sleep(POLL_S)
        self._term, self._leased = taken, stream
        beats = _Beats(self.url, self._answer_s, (stream, self._term, *self._lease(stream)))
        self._heartbeat = Heartbeat(stream, beats, ended=beats.close)

    def _try_lease(self, stream: str, claim: Claim) -> int:
        """The term under which the lease is ours now; 0 where another session holds it."""
        try:
            rows = self._read(TAKE_LEASE, (lease_key(self._schema, stream), stream, claim.holder))
        except StoreError:
            with suppress(StoreError):  # a lock is kept by its session although the statement was undone
                self._read("SELECT pg_advisory_unlock_all()")
            raise
        return int(rows[0][0]) if rows else 0

    def _end_holder(self, stream: str, lease: Lease) -> bool:
        """Have the server end the session that has taken the lease, if it holds it still; whether it has ended."""
        try:
            return (True,) in self._read(END_SESSION, (*self._lease(stream), stream, lease.term, lease.beat))
        except StoreError as error:
            if isinstance(error.__cause__, psycopg.errors.InsufficientPrivilege):
                raise StoreBusy(
                    f"The server that has {stream} hangs, and its session with the database cannot be ended from here: "
                    "all servers of a site use the same role of the database."
                ) from None
            raise

    def lease(self, stream: str) -> Lease | None:
        return self._leases(f"{LEASES} WHERE stream = %s", stream).get(stream)

    def leases(self) -> dict[str, Lease]:
        return self._leases(LEASES)

    def _leases(self, query: str, *streams: str) -> dict[str, Lease]:
        if self._read("SELECT to_regclass('lease')") == [(None,)]:
            return {}
        return {stream: Lease(*row) for stream, *row in self._read(query, streams)}

    def lease_doubt(self) -> str:
        return self._heartbeat.doubt() if self._heartbeat else ""

    def release_lease(self) -> None:
        if self._heartbeat is not None:
            self._heartbeat.stop()
            self._heartbeat = None
        if self._leased:
            self._leased = ""
            with suppress(StoreLost):
                self._read("SELECT pg_advisory_unlock_all()")

    def confirm(self, stream: str, number: int | None = None) -> None:
        if self._leased != stream:
            raise StoreLost(f"The lease of {stream} is lost: this connection is a new one.")
        last = self._stand(stream)
        stood(stream, number, last[0] if last else 0)

    def _stand(self, stream: str) -> tuple[int, str] | None:
        """The last entry; refused where the lease was taken and is not this session's any more, under its term."""
        number, digest, held, term, *_ = self._read(STAND, (*self._lease(stream), stream, stream))[0]
        self._check_held(stream, held=held, term=term or 0)
        return (number, digest) if number else None

    def _lease(self, stream: str) -> tuple[int, int]:
        return divmod(lease_key(self._schema, stream) % 2**64, 2**32)

    def _check_held(self, stream: str, *, held: bool, term: int) -> None:
        if self._leased == stream and term != self._term:
            raise LeaseTaken.of(stream)
        if self._leased and not (held and self._leased == stream):
            raise StoreLost(
                f"The lease of {stream} is lost: the session of the server that writes does not hold it. "
                "If a connection pooler stands before the server, connect to the server itself."
            )

    def check_writable(self) -> None:
        """Ask for the right to add, in a transaction that may write: a role can lose the one, a database the other.
        That there is room is seen by the beats of the lease."""
        self._read(TRY)

    def reconnect(self) -> None:
        self.close()
        self._db = self._connect()

    def settle(self, *, after_disk_failure: bool = False) -> None:
        """Nothing to do: the lease was free, so the session that was lost has ended, with its commit or without."""

    def close(self) -> None:
        # The server ends a session some time after the client has left it: whoever comes next shall not find it leased.
        if not (self._db.closed or self._db.broken):
            self.release_lease()
        if self._heartbeat is not None:
            self._heartbeat.stop()
        with self._lock:
            self._leased = ""
            self._db.close()

    def _connect(self) -> Connection:
        with self._spoken():
            return connect(self.url, self._answer_s, read_only=self.read_only)

    def _migrate(self, schema: int) -> None:
        if self._version() != schema:
            check_may_make(self._db, without_password(self.url))
            with self._transaction() as db, without_haste(db):
                db.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATING,))
                mark = "INSERT INTO schema_version (version, title) VALUES (%s, %s)"
                migrate(db.execute, lambda step: step.postgres, mark, schema)
        check_guards(without_password(self.url), postgres_guards(), self._read(IN_POSTGRES))

    def now_s(self) -> float:
        return float(self._read("SELECT extract(epoch FROM clock_timestamp())")[0][0])

    def broad_rights(self) -> str:
        with self._lock, self._spoken():
            return broad_rights(self._db)

    def _check_readable(self) -> None:
        check_readable(without_password(self.url), self._version())

    def check_guarded(self) -> None:
        if self._version() == NEWEST:
            check_guards(without_password(self.url), postgres_guards(), self._read(IN_POSTGRES))

    def _version(self) -> int | None:
        if self._read("SELECT to_regclass('schema_version')") == [(None,)]:
            return None
        return int(self._read(VERSION)[0][0])

    def _read(self, query: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        with self._lock, self._spoken():
            return self._db.execute(query, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        with self._lock, self._spoken(), self._db.transaction():
            yield self._db

    @contextmanager
    def _spoken(self) -> Iterator[None]:
        """PostgreSQL's errors in our words."""
        try:
            yield
        except psycopg.Error as error:
            lost = not hasattr(self, "_db") or self._db.broken or self._db.closed
            raise in_our_words(without_password(self.url), error, lost=lost) from error


class _Beats:
    """The beats of one lease, by a session of their own: a commit that takes its time does not hold them up.

    They are called and closed by one thread.
    """

    def __init__(self, url: str, answer_s: float, values: tuple[str, int, int, int]) -> None:
        self._url, self._answer_s, self._values = url, answer_s, values
        self._db: Connection | None = None

    def __call__(self) -> bool:
        """Beat once; whether the lease is held. A session that is lost does not say: the next beat has another."""
        try:
            if self._db is None or self._db.closed:
                self._db = connect(self._url, self._answer_s, read_only=False)
            return self._db.execute(BEAT, self._values).fetchone() is not None
        except psycopg.Error as error:
            self.close()
            raise in_our_words(without_password(self._url), error, lost=True) from error

    def close(self) -> None:
        if self._db is not None:
            self._db.close()


def schema_of(db: Connection) -> str:
    """Where this session's tables are."""
    row = db.execute("SELECT current_schema()").fetchone()
    return str(row[0]) if row else ""


def lease_key(schema: str, stream: str) -> int:
    """An advisory lock is the whole database's, and a site is a schema of it."""
    return int.from_bytes(sha256(f"croupier lease {schema} {stream}".encode()).digest()[:8], "big", signed=True)


def snapshot_row(stream: str, snapshot: Snapshot) -> tuple[str, int, str, str, str]:
    return stream, snapshot.number, snapshot.entry_digest, snapshot.body(), snapshot.seal()


def in_our_words(name: str, error: psycopg.Error, *, lost: bool) -> StoreError | RecordError:
    """What the server refused was rolled back; when the connection is gone, nobody knows yet."""
    words = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    if lost or isinstance(error, psycopg.errors.AdminShutdown | psycopg.errors.CrashShutdown):
        return StoreLost(f"The connection to the store {name} is lost: {words}.")
    match error:
        case psycopg.errors.InvalidSqlStatementName() | psycopg.errors.FeatureNotSupported():
            return StoreLost(f"The session with the store {name} is not as it was left: {words}.")
        case psycopg.errors.DiskFull() | psycopg.errors.OutOfMemory():
            return StoreFull(f"There is no room to write the store {name}: {words}.")
        case psycopg.IntegrityError():
            return Conflict(f"The store {name} refused it: {words}.")
        case psycopg.errors.DataCorrupted() | psycopg.errors.IndexCorrupted():
            return RecordError(f"{name} is not a whole store: {words}.")
        case psycopg.OperationalError() if error.sqlstate is None:
            return StoreLost(f"The store {name} cannot be reached: {words}.")
    return StoreError(f"The store {name} cannot be used: {words}.")
