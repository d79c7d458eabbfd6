"""What the bridge must not forget: how far the board has counted, which seats are lit, and acts without an answer.

A line of the board is acknowledged once it is here, on the disk; an act is given its id here, so that it is sent with
the same one however often. No card is ever written down. The file is its owner's alone, because the session of whoever
has signed in at the table stands in it.
"""

from __future__ import annotations

import json
import os
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from typing import Any

from croupier.bridge.wire import Lit, Press
from croupier.errors import CroupierError

MOST_BOOTS = 50
"""Times of the board that are remembered: a line that was late is of the last one or two."""
MOST_ANSWERED = 1_000
"""Acts that are kept after they were answered, for whoever looks what happened."""
_TABLES = """
    CREATE TABLE IF NOT EXISTS kept (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS boot (number INTEGER PRIMARY KEY AUTOINCREMENT, boot TEXT UNIQUE NOT NULL,
        seq INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS act (number INTEGER PRIMARY KEY AUTOINCREMENT, boot TEXT NOT NULL, seq INTEGER NOT NULL,
        id TEXT UNIQUE NOT NULL, act TEXT NOT NULL, said TEXT NOT NULL, person TEXT NOT NULL, at TEXT NOT NULL,
        link TEXT, answer TEXT);
"""


@dataclass(frozen=True)
class Signed:
    """Who has signed in at the table."""

    token: str
    person: str
    name: str
    role: str

    def __repr__(self) -> str:
        return f"Signed({self.person}, {self.role})"


@dataclass(frozen=True)
class KeptAct:
    """An act that somebody has pressed."""

    number: int
    boot: str
    seq: int
    id: str
    act: str
    values: dict[str, Any]
    person: str
    """Whoever was signed in then: the act is sent in no other dealer's name."""
    at: str
    link: str | None
    """Where it was first sent to; none before that."""
    answer: str | None
    """What became of it: `done`, or why it was refused."""

    def age_s(self) -> float:
        return (datetime.now(UTC) - datetime.fromisoformat(self.at)).total_seconds()


class Journal:
    """One file, of one bridge at a time; every change is on the disk when it returns."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = RLock()
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            self._db = sqlite3.connect(path, timeout=0.5, check_same_thread=False, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise CroupierError(f"The journal {path} cannot be written: {error}.") from None
        try:
            for pragma in ("locking_mode=EXCLUSIVE", "synchronous=FULL", "secure_delete=ON"):
                self._db.execute(f"PRAGMA {pragma}")
            self._db.executescript(f"BEGIN EXCLUSIVE; {_TABLES} COMMIT;")
        except sqlite3.Error as error:
            self._db.close()
            if "locked" in str(error):
                raise CroupierError(f"Another bridge uses the journal {path}: a table has one bridge.") from None
            raise CroupierError(f"{path} is no journal of a bridge: {error}.") from None

    def close(self) -> None:
        with self._lock:
            self._db.close()

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def _rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._db.execute(statement, values).fetchall()

    def _kept(self, name: str) -> Any:
        rows = self._rows("SELECT value FROM kept WHERE name = ?", name)
        return json.loads(rows[0][0]) if rows else None

    # The board's count

    def new_boot(self) -> str:
        """A word for a board that was switched on; its count begins with 1."""
        boot = uuid.uuid4().hex[:8]
        with self._change() as db:
            db.execute("INSERT INTO boot (boot, seq) VALUES (?, 0)", (boot,))
            db.execute("DELETE FROM boot WHERE number <= (SELECT max(number) FROM boot) - ?", (MOST_BOOTS,))
        return boot

    def last_seq(self, boot: str) -> int | None:
        """The last line of that time that is here; None where the bridge knows of no such time."""
        rows = self._rows("SELECT seq FROM boot WHERE boot = ?", boot)
        return rows[0][0] if rows else None

    def take(self, boot: str, seq: int, message: Lit | Press | None = None, *, person: str = "") -> None:
        """The next line, with what it changes: both, or neither. The first of a time begins with dark seats."""
        with self._change() as db:
            changed = db.execute("UPDATE boot SET seq = ? WHERE boot = ? AND seq = ?", (seq, boot, seq - 1))
            assert changed.rowcount == 1, "lines are taken one after another"
            lit = frozenset[int]() if seq == 1 else self.lit
            if isinstance(message, Lit):
                lit = message.after(lit)
            if seq == 1 or isinstance(message, Lit):
                _keep(db, "lit", sorted(lit))
            if isinstance(message, Press):
                values = {**message.values, **({"lit": sorted(lit)} if message.act == "start" else {})}
                at = datetime.now(UTC).isoformat(timespec="milliseconds")
                row = (boot, seq, uuid.uuid4().hex, message.act, json.dumps(values), person, at)
                db.execute("INSERT INTO act (boot, seq, id, act, said, person, at) VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    @property
    def lit(self) -> frozenset[int]:
        """Seats whose sensors are lit."""
        return frozenset(self._kept("lit") or ())

    # Acts

    def next_act(self) -> KeptAct | None:
        """The oldest without an answer."""
        rows = self._rows("SELECT * FROM act WHERE answer IS NULL ORDER BY number LIMIT 1")
        return _act(rows[0]) if rows else None

    def waiting(self) -> int:
        """How many acts have no answer."""
        return int(self._rows("SELECT count(*) FROM act WHERE answer IS NULL")[0][0])

    def answered(self) -> list[KeptAct]:
        """What became of the last acts, the newest first."""
        return [_act(row) for row in self._rows("SELECT * FROM act WHERE answer IS NOT NULL ORDER BY number DESC")]

    def address(self, act: KeptAct, link: str, values: dict[str, Any]) -> KeptAct:
        """Before it is sent for the first time: to which link, and in which words. Sent again, it is the same."""
        with self._change() as db:
            db.execute("UPDATE act SET link = ?, said = ? WHERE number = ?", (link, json.dumps(values), act.number))
        return replace(act, link=link, values=values)

    def answer(self, act: KeptAct, answer: str) -> None:
        with self._change() as db:
            db.execute("UPDATE act SET answer = ? WHERE number = ?", (answer, act.number))
            db.execute(
                "DELETE FROM act WHERE answer IS NOT NULL AND number <= (SELECT max(number) FROM act) - ?",
                (MOST_ANSWERED,),
            )

    # Who has signed in

    @property
    def signed(self) -> Signed | None:
        values = self._kept("signed")
        return Signed(**values) if values else None

    def sign(self, signed: Signed | None) -> None:
        with self._change() as db:
            _keep(db, "signed", vars(signed) if signed else None)


def _keep(db: sqlite3.Connection, name: str, value: Any) -> None:
    db.execute("INSERT OR REPLACE INTO kept (name, value) VALUES (?, ?)", (name, json.dumps(value)))


def _act(row: tuple[Any, ...]) -> KeptAct:
    number, boot, seq, id_, act, values, person, at, link, answer = row
    return KeptAct(number, boot, seq, id_, act, json.loads(values), person, at, link, answer)
