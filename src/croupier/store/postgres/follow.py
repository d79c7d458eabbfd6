"""Following books that another process writes, on PostgreSQL: what is new in them, and being woken when something is.

The writer's process has a `Herald`, which tells other sessions that something was committed, after the commit and
beside it, so no wager waits for it. A `Tail` sleeps until it is told or a short time has passed, because a process that
dies after its commit tells nobody. What is new is then read from the books themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import Any

import psycopg

from croupier.ledger.entry import SITE, Entry
from croupier.store.postgres.connection import ANSWER_S, Connection, connect
from croupier.store.postgres.store import in_our_words, lease_key, schema_of
from croupier.store.store import COLUMNS, Row, without_password

MOST_AT_ONCE = 1_000
"""Entries of one book in one reading; the next reading goes on from there."""
TELL_EVERY_S = 0.01
NOTHING_TO_KEEP = "SET synchronous_commit = off"
"""A notice is a commit of its own. Were it put on disk, the wagers committed beside it would wait for that too."""
AFTER = f"""
    SELECT known.stream, entry.* FROM unnest(%s::text[], %s::bigint[]) AS known(stream, number), LATERAL (
        SELECT {COLUMNS} FROM entry WHERE stream = known.stream AND entry.number > known.number
        ORDER BY entry.number LIMIT {MOST_AT_ONCE}) AS entry
"""
LED = """
    SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND classid = %s::bigint::oid AND objid = %s::bigint::oid)
"""


class Tail:
    """A session that reads what is new. It belongs to one thread."""

    def __init__(self, url: str) -> None:
        self._url = url
        with self._spoken():
            self._db = connect(url, ANSWER_S, read_only=True)
            self._schema = schema_of(self._db)
            self._db.execute(f'LISTEN "{_channel(self._schema)}"'.encode())

    def wait(self, seconds: float) -> None:
        """Until somebody tells that something is new, and at most so long."""
        with self._spoken():
            for _ in self._db.notifies(timeout=seconds, stop_after=1):
                pass

    def after(self, numbers: Mapping[str, int]) -> dict[str, list[Entry]]:
        """By book: the entries after a number, in order, for those that have any."""
        by_stream: dict[str, list[Entry]] = {}
        with self._spoken():
            rows = self._db.execute(AFTER, (list(numbers), list(numbers.values()))).fetchall()
        for stream, *row in rows:
            by_stream.setdefault(stream, []).append(Row._make(row).entry())
        return by_stream

    def led(self) -> bool:
        """Whether some process holds the site's book."""
        high, low = divmod(lease_key(self._schema, SITE) % 2**64, 2**32)
        with self._spoken():
            return bool(self._one(LED, (high, low)))

    def _one(self, query: str, values: tuple[Any, ...]) -> Any:
        row = self._db.execute(query, values).fetchone()
        return row[0] if row else None

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def _spoken(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            lost = not hasattr(self, "_db") or self._db.broken or self._db.closed
            raise in_our_words(without_password(self._url), error, lost=lost) from error


class Herald:
    """Tells every `Tail` that something was committed, in a thread of its own, many commits at a time."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._due, self._closing = Event(), Event()
        self._thread = Thread(target=self._run, name="herald", daemon=True)
        self._thread.start()

    def tell(self) -> None:
        """Soon; nobody waits for it."""
        self._due.set()

    def close(self) -> None:
        self._closing.set()
        self._due.set()
        self._thread.join()

    def _run(self) -> None:
        db: Connection | None = None
        notify = b""
        while not self._closing.is_set():
            self._due.wait()
            self._due.clear()
            try:
                if db is None:
                    db = connect(self._url, ANSWER_S, read_only=False)
                    db.execute(NOTHING_TO_KEEP)
                    notify = f'NOTIFY "{_channel(schema_of(db))}"'.encode()
                db.execute(notify)
            except Exception:  # those who follow look by themselves within a moment
                with suppress(Exception):
                    if db is not None:
                        db.close()
                db = None
            self._closing.wait(TELL_EVERY_S)
        if db is not None:
            db.close()


def _channel(schema: str) -> str:
    """A channel is the whole database's, and a site is a schema of it."""
    return f"croupier_{schema}"
