"""What holds for the rows of every book: each whole, in its place, at a time that is one, and done once."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable
from datetime import date
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from croupier.errors import CroupierError, RecordError
from croupier.ledger.book import Book
from croupier.ledger.cutting import TIME, Cut, whole
from croupier.ledger.entry import Entry

_match_time = re.compile(TIME, re.ASCII).fullmatch


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """What stands in a row, beside its digest."""

    at: str
    before: str
    command: str
    facts: dict[str, Any]
    kind: str
    number: int
    transfers: list[Any]

    def entry(self, digest: str) -> Entry:
        return Entry.of_json({**msgspec.structs.asdict(self), "digest": digest})


def _no_floats(text: str) -> Any:
    raise ValueError(f"{text} is no whole number")


_read = msgspec.json.Decoder(Row, float_hook=_no_floats).decode
STRANGE = (
    *(CroupierError, ArithmeticError, AssertionError, AttributeError, LookupError),
    *(MemoryError, RecursionError, TypeError, ValueError),
)
"""What rows may lead to that nobody has thought of: such a row cannot be read, and that is all there is to say."""


class Chain:
    """A book that is checked row by row."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.days = 0
        self.first_day = self.last_day = ""
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
            row = _read(body)
        except (ValueError, RecursionError):
            raise self._unreadable() from None
        if not is_time(row.at):
            raise self._unreadable()
        return row

    def take_all(self, rows: Iterable[Cut]) -> None:
        """The next rows, many at once."""
        for row in rows:
            self.take(*whole(row))

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
            self.first_day = self.first_day or day
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
    try:
        return _match_time(text) is not None and bool(date.fromisoformat(text[:10]))
    except ValueError:
        return False


def printable(text: str) -> str:
    """A text from a file as it may go to a terminal: what is not printed is spelled out."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode("ascii") for each in text)
