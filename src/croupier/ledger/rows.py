"""The text of a row, which is what is hashed and kept, read at several speeds; and a book that is checked row by row.

    {"at":"2026-11-15T20:30:00.123456Z","before":"...","command":"7f3a","facts":{"by":["ann","dealer"],...},
     "kind":"start","number":3,"transfers":[["players","meter",1200000],...]}

    read_head     number, time, command, kind and chain: facts and transfers are passed over
    read_moved    the same with the transfers as they are written
    read_table    the table alone
    read_row      all of it, strictly by type

This is the one place that knows how a row is written: every other module asks here.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from datetime import date
from functools import lru_cache
from hashlib import sha256
from typing import Any, TypeAlias

import msgspec
from msgspec import Raw, Struct

from croupier.errors import CroupierError, RecordError
from croupier.ledger.book import Book
from croupier.ledger.entry import Entry

RawRow: TypeAlias = tuple[str, bytes]
"""The digest, and the text that it is of."""
Moved: TypeAlias = tuple[str, str, int]
"""From, to, units, as they are written: `players`, `meter:Mega`, 1150000."""
TIME = r"\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?Z"
_match_time = re.compile(TIME, re.ASCII).fullmatch
STRANGE = (
    *(CroupierError, ArithmeticError, AssertionError, AttributeError, LookupError),
    *(MemoryError, RecursionError, TypeError, ValueError),
)
"""What rows may lead to that nobody has thought of: such a row cannot be read, and that is all there is to say."""


DEEPEST = 100
"""Lists and names within one another, in one row. How much an interpreter reads at most depends on its version, and a
book that one Python proves must be proved by every other."""
_TEXTS, _BRACKETS = re.compile(rb'"(?:[^"\\]|\\.)*"'), re.compile(rb"[][{}]")


def is_too_deep(body: bytes) -> bool:
    """Whether a row holds more within one another than any entry does."""
    if body.count(b"{") + body.count(b"[") <= DEEPEST:
        return False
    depth = 0
    for bracket in _BRACKETS.findall(_TEXTS.sub(b"", body)):
        depth += 1 if bracket in b"{[" else -1
        if depth > DEEPEST:
            return True
    return False


class Head(Struct, frozen=True, gc=False):
    """Which row it is: who sent it when, of what kind it is, and what it is chained to."""

    at: str
    before: str
    command: str
    kind: str
    number: int


class MovedRow(Head, frozen=True, gc=False):
    """A row's head, and the money that it moved."""

    transfers: Raw
    """As they are written: most rows of a busy book move what others have moved."""

    @property
    def moved(self) -> list[Moved]:
        return read_transfers(self.transfers)


class _OfTable(Struct, frozen=True, gc=False):
    table: int


class _TableRow(Struct, frozen=True, gc=False):
    facts: _OfTable


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """What stands in a row, beside its digest."""

    at: str
    before: str
    command: str
    facts: dict[str, Any]
    kind: str
    number: int
    transfers: list[Any]

    @property
    def moved(self) -> list[Moved]:
        """The transfers by type; a ValueError where they are none."""
        return msgspec.convert(self.transfers, list[Moved])

    def entry(self, digest: str) -> Entry:
        return Entry.of_json({**msgspec.structs.asdict(self), "digest": digest})


def _no_floats(text: str) -> Any:
    raise ValueError(f"{text} is no whole number")


_head = msgspec.json.Decoder(Head).decode
_moved = msgspec.json.Decoder(MovedRow).decode
_row = msgspec.json.Decoder(Row, float_hook=_no_floats).decode
_transfers = msgspec.json.Decoder(list[Moved]).decode
_table = msgspec.json.Decoder(_TableRow).decode


def read_head(body: bytes | str) -> Head:
    """A ValueError where it is no row; so with the others."""
    return _head(body)


def read_moved(body: bytes | str) -> MovedRow:
    return _moved(body)


def read_row(body: bytes | str) -> Row:
    return _row(body)


def read_table(body: bytes | str) -> int:
    """The table of a row that is of one."""
    return _table(body).facts.table


def at_of(body: bytes) -> str:
    """The time of a row; nothing where it cannot be read, so that whoever checks the row comes to say so."""
    try:
        return _head(body).at
    except ValueError:
        return ""


def read_transfers(text: Raw | bytes) -> list[Moved]:
    """The transfers of a row by themselves."""
    return _transfers(text)


class Chain:
    """A book that is checked row by row."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.days = 0
        self.first_day = self.last_day = self.began = ""
        self.kinds: Counter[str] = Counter()
        self._commands = array("q")

    @property
    def entries(self) -> int:
        return self.book.entries

    @property
    def taken(self) -> int:
        """How many rows were right."""
        return len(self._commands)

    def whole(self, digest: str, body: bytes) -> None:
        if sha256(body).hexdigest() != digest:
            raise self._altered()

    def _altered(self) -> RecordError:
        return RecordError(f"Entry {self.entries + 1} of the book was altered: its digest is not that of its content.")

    def parse(self, body: bytes) -> Row:
        """What a row says, with nothing in it of another type than it should be."""
        try:
            row = _row(body)
        except (ValueError, RecursionError):
            raise self._unreadable() from None
        if not is_time(row.at) or is_too_deep(body):
            raise self._unreadable()
        return row

    def take(self, digest: str, body: bytes) -> None:
        """The next row; the first that is wrong in any way is refused, and never with anything but a RecordError."""
        try:
            self._take(digest, body)
        except RecordError:
            raise
        except STRANGE:
            raise self._unreadable() from None

    def _take(self, digest: str, body: bytes) -> None:
        raise NotImplementedError

    def _unreadable(self) -> RecordError:
        return RecordError(f"Entry {self.entries + 1} of the book cannot be read.")

    def follows(self, row: Row) -> bool:
        """Whether a row says that it comes next; where not, the book says what is wrong."""
        return row.number == self.book.entries + 1 and row.before == self.book.digest

    def passed(self, kind: str, at: str, command: str) -> None:
        """Go on to the next row."""
        self.kinds[kind] += 1
        self._commands.append(hash(command.encode()))
        day = at[:10]
        if day != self.last_day:
            self.days += 1
            self.first_day, self.began = self.first_day or day, self.began or at
            self.last_day = day

    def repeated(self) -> int | None:
        """The first row whose command stands in an earlier row too."""
        import numpy as np

        hashes = np.frombuffer(self._commands, dtype=np.int64)
        order = np.argsort(hashes, kind="stable")
        again = order[1:][hashes[order][1:] == hashes[order][:-1]]
        return int(again.min()) + 1 if len(again) else None


def is_time(text: str) -> bool:
    """Whether it is an instant of the calendar, as 2026-11-15T20:30:00.123456Z."""
    return _match_time(text) is not None and _is_day(text[:10])


@lru_cache(maxsize=64)
def _is_day(text: str) -> bool:
    try:
        return bool(date.fromisoformat(text))
    except ValueError:
        return False


def printable(text: str) -> str:
    """A text from a file as it may go to a terminal: what is not printed is spelled out."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in text
    )
