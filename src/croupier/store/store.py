"""Where the books are kept: a store takes entries, for good, and gives them back as they were.

    sqlite:///floor.db              a file beside the program (four slashes: sqlite:////var/lib/floor.db)
    postgresql://host/floor         a server, for many tables and several processes

A store keeps streams, one book each. It only ever adds: entries are appended whole, many at a time, and are on disk
before `append` returns. It refuses an entry that does not follow the last one, whoever sends it, and it refuses to
change or to delete. One process at a time writes a stream: it holds the stream's lease. When it dies the next one may
take it, and when it hangs the next one may take it over (see `lease`).

StoreError             the store cannot be used: the address, the schema, the disk
├── StoreFull          nothing was written, because there is no room
├── StoreBusy          nothing was written, because somebody else is writing
│   └── LogInUse       somebody reads its log, which has to be begun anew since the disk has failed
├── Conflict           nothing was written, because an entry does not follow the last, or its command is known
└── StoreLost          the connection or the lease is lost: what was sent may or may not have been written
    ├── LeaseTaken     another process has taken the lease over: nothing more is written under the old one
    └── DiskFailed     the disk failed: nothing more must be written before somebody has looked at it
"""

from __future__ import annotations

import hashlib
import hmac
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self
from urllib.parse import urlsplit

from croupier.errors import CroupierError, NotationError, RecordError
from croupier.files import sqlite_file
from croupier.ledger.entry import GENESIS, Entry, canonical
from croupier.ledger.rows import RawRow, read_head, read_row
from croupier.store.lease import Claim, Lease


class StoreError(CroupierError):
    """The store cannot be used as it is."""


class StoreFull(StoreError):
    """Nothing was written: there is no room."""


class StoreBusy(StoreError):
    """Nothing was written: another process is writing."""


class LogInUse(StoreBusy):
    """Somebody reads the store's log, which has to be begun anew before anything is acknowledged."""


class Conflict(StoreError):
    """Nothing was written: the entries do not follow the last one that is there."""


class StoreLost(StoreError):
    """The connection or the lease is lost: whether the last entries were written must be read again."""


class LeaseTaken(StoreLost):
    """Another process has taken the lease over: whoever had it writes nothing more."""

    @classmethod
    def of(cls, stream: str) -> LeaseTaken:
        return cls(
            f"Another process has taken over {stream}, because this one did not answer or was cut off: the lease of "
            f"{stream} is lost, and nothing more is written here."
        )


NO_MORE = " Nothing more is written to it."
"""How a store ends what it says of its disk: true until the store is opened again."""


class DiskFailed(StoreLost):
    """The disk could not read or sync: what it says next, and what is written next, cannot be trusted."""


class Row(NamedTuple):
    """An entry as it is stored: `body` is the very text that was hashed, the other columns are for searching."""

    number: int
    at: str
    command: str
    kind: str
    body: str
    before: str
    digest: str

    @classmethod
    def of(cls, entry: Entry) -> Row:
        body = entry.text().decode("ascii")
        return cls(entry.number, entry.at, entry.command, entry.kind, body, entry.before, entry.digest)

    def entry(self) -> Entry:
        """The entry again; a column that disagrees with the body is damage. The digest is for `Book.add`."""
        try:
            entry = read_row(self.body).entry(self.digest)
        except (TypeError, ValueError, RecursionError) as error:
            raise RecordError(f"Entry {self.number} of the book cannot be read: {error}.") from None
        if self[:4] != (entry.number, entry.at, entry.command, entry.kind) or self.before != entry.before:
            raise RecordError(f"Entry {self.number} of the book was altered: its columns are not those of its content.")
        return entry

    def is_as_written(self) -> bool:
        """Whether the columns are those of the content, as far as that can be read; the digest is another matter."""
        try:
            head = read_head(self.body)
        except (ValueError, TypeError, RecursionError):
            return True
        return self[:4] == (head.number, head.at, head.command, head.kind) and self.before == head.before

    @property
    def raw(self) -> RawRow:
        """The digest, and the text that it is of."""
        return self.digest, self.body.encode()

    @property
    def facts(self) -> dict[str, Any]:
        return read_row(self.body).facts


COLUMNS = ", ".join(Row._fields)
FORM = 8
"""The form of the states in snapshots. Raise it with every change of what a state keeps or of how an entry changes it:
snapshots of another form are left aside, and the entries tell the state anew. (Those before the first have none.)"""
READ = frozenset({FORM})
"""Forms that mean the same to this program. Of an earlier one not everything was kept that a self-check compares."""


@dataclass(frozen=True)
class Snapshot:
    """The state after an entry, so that a long book opens at once; it can be made again from the entries."""

    number: int
    """The last entry in it."""
    entry_digest: str
    """That entry's digest: a snapshot of another history is not taken."""
    state: Mapping[str, Any]
    form: int = FORM
    mac: str = ""
    """With the site's secret: whoever can write to the database cannot make it."""

    def body(self) -> str:
        told = {"form": self.form, "state": self.state}
        return canonical({**told, "mac": self.mac} if self.mac else told).decode("ascii")

    def authenticated(self, secret: bytes, stream: str) -> Snapshot:
        return replace(self, mac=self._mac(secret, stream))

    def made_with(self, secret: bytes, stream: str) -> bool:
        try:
            return hmac.compare_digest(self.mac.encode(), self._mac(secret, stream).encode())
        except (CroupierError, ValueError):  # what no program of ours has written
            return False

    def _mac(self, secret: bytes, stream: str) -> str:
        told = canonical(["snapshot", stream, self.number, self.entry_digest, self.form, self.state])
        return hmac.new(secret, told, hashlib.sha256).hexdigest()

    def seal(self) -> str:
        return seal(self.number, self.entry_digest, self.body())

    @classmethod
    def of_row(cls, number: int, entry_digest: str, body: str, sealed: str) -> Snapshot | None:
        """The snapshot, or nothing where it was damaged or is of another form: then the entries say it all again."""
        if seal(number, entry_digest, body) != sealed:
            return None
        try:
            told = json.loads(body)
        except (ValueError, RecursionError):
            return None
        match told:
            case {"form": int(form), "state": dict(state), **more} if form in READ:
                return cls(number, entry_digest, state, form, str(more.get("mac", "")))
        return None


def seal(number: int, entry_digest: str, body: str) -> str:
    return hashlib.sha256(f"{number}\n{entry_digest}\n{body}".encode()).hexdigest()


class Store(ABC):
    """Streams of entries. May be used from several threads; holds at most one lease, for the writer that owns it."""

    @abstractmethod
    def append(self, stream: str, entries: Sequence[Entry], snapshot: Snapshot | None = None) -> None:
        """Add entries, and the snapshot of the state after them, all or none; on return they survive a power cut."""

    @abstractmethod
    def rows(self, stream: str, after: int = 0, limit: int | None = None) -> Iterator[Row]:
        """The entries with a greater number, in order, as they are stored; never all in memory."""

    @abstractmethod
    def last(self, stream: str) -> Entry | None: ...

    @abstractmethod
    def number_before(self, stream: str, at: str) -> int:
        """The number of the last entry made before an instant, 0 where there is none: where a day begins."""

    @abstractmethod
    def by_commands(self, stream: str, commands: Iterable[str]) -> dict[str, Entry]:
        """What was entered for these commands, for those that are known."""

    @abstractmethod
    def save_snapshot(self, stream: str, snapshot: Snapshot) -> None:
        """Replace the stream's snapshot."""

    @abstractmethod
    def load_snapshot(self, stream: str) -> Snapshot | None: ...

    @abstractmethod
    def streams(self) -> list[str]: ...

    @abstractmethod
    def ends(self) -> dict[str, int]:
        """The last number of every book, all at one moment: what was there then is there for good."""

    @abstractmethod
    def whole(self) -> AbstractContextManager[object]:
        """Everything that is added meanwhile, by this store, is there afterwards, or nothing of it."""

    @abstractmethod
    def take_lease(self, stream: str, wait_s: float = 0.0, claim: Claim | None = None) -> None:
        """Become the one writer of a stream, or StoreBusy after waiting; it ends with the process, if not before.

        A lease that the claim names as silent is taken over at once, unless it was beaten for since then. From then on
        it has another term, and whoever had it before can write nothing: LeaseTaken.
        """

    @abstractmethod
    def release_lease(self) -> None: ...

    def lease(self, stream: str) -> Lease | None:
        """Who took the lease of a stream last, and the last beat; nobody, where nobody ever did."""
        return None

    def leases(self) -> dict[str, Lease]:
        """The same of every book whose lease was ever taken."""
        return {}

    def lease_doubt(self) -> str:
        """Why the lease that was taken here may be another's by now, by this process's own clock; nothing else."""
        return ""

    @abstractmethod
    def confirm(self, stream: str, number: int | None = None) -> None:
        """Nothing, or StoreLost: the lease is not held under its term, or another entry than this one is the last.

        What is answered from memory is true only if this holds. `append` makes sure of the same for what it adds.
        """

    @abstractmethod
    def reconnect(self) -> None:
        """Begin again after a failure, without a lease."""

    @abstractmethod
    def settle(self, *, after_disk_failure: bool = False) -> None:
        """With the lease taken again, make sure that what was lost on the way stays lost: what is read now is final.

        After a failure of the disk it is refused (LogInUse) as long as it cannot be made sure."""

    @abstractmethod
    def close(self) -> None: ...

    def checkpoint(self) -> None:  # noqa: B027  (a server sees to it by itself)
        """Bring what is in a log of its own to the file, without holding anybody up."""

    def check_writable(self) -> None:  # noqa: B027  (a store in memory takes whatever comes)
        """Nothing, or why an entry that came now would not be taken: found by trying, without an entry."""

    def why_unwritable(self, before: str) -> str:
        """The same in a sentence, for whoever goes on reading meanwhile; `before` is what it was the last time."""
        try:
            if before:
                self.settle()
            self.check_writable()
        except StoreLost:
            raise
        except StoreError as error:
            return str(error)
        return ""

    def check_guarded(self) -> None:  # noqa: B027  (a store in memory has no guards)
        """Refuse a store of the newest schema that lets its entries be changed; opening it to write asks by itself."""

    def now_s(self) -> float | None:
        """What the store's own clock says, where it has one."""
        return None

    def broad_rights(self) -> str:
        """That this process may do more to the entries than add to them, in a sentence, where a store can say so."""
        return ""

    def entries(self, stream: str, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        return (row.entry() for row in self.rows(stream, after, limit))

    def by_command(self, stream: str, command: str) -> Entry | None:
        return self.by_commands(stream, [command]).get(command)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def check_follows(stream: str, last: tuple[int, str] | None, entries: Sequence[Entry]) -> None:
    """Each entry follows the one before it, the first one the last that is stored."""
    number, digest = last or (0, GENESIS)
    for entry in entries:
        if entry.number != number + 1:
            raise Conflict(f"{stream} is at entry {number}: entry {entry.number} does not follow it.")
        if entry.before != digest:
            raise Conflict(f"Entry {entry.number} of {stream} is not chained to entry {number} that is there.")
        number, digest = entry.number, entry.digest


def stood(stream: str, number: int | None, last: int) -> None:
    """Refuse to go on from another last entry than the one that is stored."""
    if number is not None and last != number:
        raise StoreLost(f"{stream} is at entry {last}, and was at {number}: somebody else has written it.")


def open_store(url: str, *, read_only: bool = False) -> Store:
    """The store at an address, made or brought up to date where needed; to read only, it is taken as it is."""
    scheme, _, rest = url.partition("://")
    if scheme == "sqlite":
        from croupier.store.sqlite import SqliteStore

        path = sqlite_file(url)
        if path is None or "?" in rest or "#" in rest:
            raise NotationError(f"A SQLite store is sqlite:///floor.db or sqlite:////folder/floor.db, not {url!r}.")
        return SqliteStore(path, read_only=read_only)
    if scheme in {"postgresql", "postgres"}:
        try:
            from croupier.store.postgres.store import PostgresStore
        except ModuleNotFoundError:
            raise StoreError("A store on PostgreSQL needs the driver: pip install 'croupier[postgres]'.") from None
        return PostgresStore(url, read_only=read_only)
    raise NotationError(f"A store is sqlite:///floor.db or postgresql://host/name, not {without_password(url)!r}.")


def without_password(url: str) -> str:
    """An address that may be shown."""
    try:
        password = urlsplit(url).password
    except ValueError:
        return url.partition(":")[0] + ":..."
    return url.replace(f":{password}@", ":...@") if password else url
