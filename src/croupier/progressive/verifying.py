"""Whether an exported ledger is right, said by a program that has nothing but the file.

Row by row: the chain of digests, the numbering, the clock, every command once; every act decided again by the rules, so
that every contribution and every award comes out at the same amount; no account of a level below nothing. At the end:
every meter explained to a difference of nothing, all accounts adding up to nothing, and every checkpoint signed over
what the book was then. The first row that is wrong is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from croupier.errors import CroupierError, NotationError, RecordError
from croupier.progressive.chain import Chain
from croupier.progressive.checkpoints import Checkpoint, SignedCheckpoint
from croupier.progressive.export import RawRow, Reader, Tick, quiet
from croupier.progressive.forms import read_record
from croupier.progressive.ledger import Book, Entry
from croupier.progressive.link import proof
from croupier.progressive.proof import Proof, Sums
from croupier.progressive.rechecking import LinkCheck
from croupier.progressive.site import STREAM, Site
from croupier.progressive.site_acts import ACTS

DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


class SiteCheck(Chain):
    """A site that is built from rows, each of which is decided again before it counts."""

    def __init__(self) -> None:
        self.site = Site()
        super().__init__(self.site.book)

    def take(self, digest: str, body: bytes) -> None:
        self.whole(digest, body)
        row = self.parse(body)
        entry = row.entry(digest)
        if self.follows(row):
            self._recheck(entry)
        self.site.apply(entry)
        self.passed(entry.kind, entry.at, entry.command)

    def _recheck(self, entry: Entry) -> None:
        try:
            fields = ACTS[entry.kind].__dataclass_fields__
            values = {name: value for name, value in entry.facts.items() if name in fields}
            again = self.site.handle(read_record(ACTS[entry.kind], {**values, "id": entry.command}), entry.at)
        except (CroupierError, KeyError, TypeError, ValueError) as error:
            raise RecordError(f"Entry {entry.number} of the book ({entry.kind}) was not allowed: {error}") from None
        if again.digest != entry.digest and entry.at >= self.book.at:
            raise RecordError(f"Entry {entry.number} of the book ({entry.kind}) says other things than the rules do.")


Check = LinkCheck | SiteCheck


def check_for(stream: str) -> Check:
    if stream == STREAM:
        return SiteCheck()
    name = stream.removeprefix("link:")
    if name == stream or not name:
        raise RecordError(f"{stream!r} is no book of a site or a link.")
    return LinkCheck(name)


def book_of(check: Check) -> Book:
    return check.link.state.book if isinstance(check, LinkCheck) else check.site.book


# What was proved


@dataclass(frozen=True)
class BookReport:
    """What holds of one book."""

    stream: str
    entries: int
    days: int
    first_day: str
    last_day: str
    games: int
    awards: int
    award_cents: int
    pays: int
    pay_cents: int
    balances: dict[str, int]
    proofs: tuple[Proof, ...]

    def as_json(self) -> dict[str, Any]:
        names = ("stream", "entries", "days", "first_day", "last_day", "games", "awards", "award_cents", "pays")
        return {
            **{name: getattr(self, name) for name in names},
            **{"pay_cents": self.pay_cents, "balances": self.balances},
            "levels": [each.as_json() for each in self.proofs],
        }


@dataclass
class Report:
    """What was proved, and the first thing that is wrong, if there is one."""

    books: list[BookReport] = field(default_factory=list)
    checkpoints: int = 0
    keys: list[str] = field(default_factory=list)
    wrong: str = ""
    wrong_stream: str = ""
    wrong_row: int | None = None

    @property
    def right(self) -> bool:
        return not self.wrong

    def as_json(self) -> dict[str, Any]:
        made: dict[str, Any] = {"right": self.right, "books": [book.as_json() for book in self.books]}
        made |= {"checkpoints": self.checkpoints, "keys": self.keys}
        if self.wrong:
            made["wrong"] = {"stream": self.wrong_stream, "row": self.wrong_row, "sentence": self.wrong}
        return made


def verify(path: Path, *, key: str | None = None, tick: Tick = quiet) -> Report:
    """Check a file; with a key, every checkpoint must be signed with it, and there must be one."""
    report, reader = Report(), Reader(path, tick)
    try:
        for stream, rows in reader.books():
            report.wrong_stream, report.wrong_row = stream, None
            _verify_book(report, reader, stream, rows, key)
        report.keys, report.wrong_stream = reader.keys, ""
        _all_used(reader, report, key)
    except RecordError as error:
        report.wrong = str(error)
    return report


def _verify_book(report: Report, reader: Reader, stream: str, rows: Iterator[RawRow], key: str | None) -> None:
    check = check_for(stream)
    marks = _marks(reader, stream, key)
    row = 1
    try:
        for digest, body in rows:
            check.take(digest, body)
            if marks:
                _at_mark(check, marks.get(check.entries, ()))
                _after_mark(check, marks.get(check.entries - 1, ()))
            row += 1
    except RecordError:
        report.wrong_row = row
        _done_once(check, report)
        raise
    _done_once(check, report)
    ending = reader.ending
    assert ending is not None, "rows end with the book's end"
    if (ending.entries, ending.digest) != (check.entries, check.book.digest):
        raise RecordError(
            f"The book {stream} ends at entry {check.entries}, and the file says {ending.entries}: rows are missing."
        )
    made = check.link.state.made if isinstance(check, LinkCheck) else None
    if ending.configuration != (made.digest if made else ""):
        raise RecordError(f"The configuration of {stream} is not the one that the file names.")
    for number in marks:
        if number > check.entries:
            raise RecordError(f"{marks[number][0].where} is of entry {number}, and the book ends at {check.entries}.")
    report.checkpoints += sum(len(each) for each in marks.values())
    report.books.append(report_of(stream, check))


def _done_once(check: Check, report: Report) -> None:
    number = check.repeated()
    if number is not None:
        report.wrong_row = number
        raise RecordError(f"Entry {number} of the book is of a command that was entered before: it was done twice.")


def report_of(stream: str, check: Check) -> BookReport:
    """What a book comes to, once its last row is in; a difference anywhere is refused."""
    book = book_of(check)
    found = proofs(check) if isinstance(check, LinkCheck) else ()
    for each in found:
        if each.difference:
            raise RecordError(f"The meter {each.level or 'Progressive'} differs by {each.difference:,} units.")
    if sum(book.balances.values()):
        raise RecordError(f"The accounts of {stream} together are {sum(book.balances.values()):,} units, not nothing.")
    kinds = check.kinds
    return BookReport(
        stream,
        check.entries,
        check.days,
        check.first_day,
        check.last_day,
        kinds["start"],
        kinds["confirm"],
        check.award_cents if isinstance(check, LinkCheck) else 0,
        kinds["pay"] - kinds["unpay"],
        check.pay_cents if isinstance(check, LinkCheck) else 0,
        {str(account): units for account, units in sorted(book.balances.items()) if units},
        found,
    )


def proofs(check: LinkCheck, since: Sums | None = None) -> tuple[Proof, ...]:
    link = check.link
    if link.state.made is None:
        return ()
    return tuple(proof(link, level, since) for level in link.state.setup.level)


# Checkpoints


def _marks(reader: Reader, stream: str, key: str | None) -> dict[int, list[SignedCheckpoint]]:
    marks: dict[int, list[SignedCheckpoint]] = {}
    for signed in reader.checkpoints:
        if signed.checkpoint.stream == stream:
            signed.check()
            if key is not None and signed.key != key:
                raise RecordError(f"{signed.where} is signed with another key than the one given.")
            marks.setdefault(signed.checkpoint.number, []).append(signed)
    return marks


def _at_mark(check: Check, marks: Iterable[SignedCheckpoint]) -> None:
    for signed in marks:
        then = checkpoint_of(signed.checkpoint.stream, signed.checkpoint.day, check)
        if then != signed.checkpoint:
            raise RecordError(f"{signed.where} was signed over another book: entry {then.number} is not as it was.")


def _after_mark(check: Check, marks: Iterable[SignedCheckpoint]) -> None:
    for signed in marks:
        if check.book.at[:10] <= signed.checkpoint.day:
            raise RecordError(f"{signed.where} was signed before the day's last entry.")


def _all_used(reader: Reader, report: Report, key: str | None) -> None:
    for signed in reader.checkpoints:
        if signed.checkpoint.stream not in reader.streams:
            raise RecordError(f"{signed.where} is of a book that is not in the file.")
        if signed.key not in reader.keys:
            raise RecordError(f"{signed.where} is signed with a key that the file does not name.")
    if key is not None and not report.checkpoints:
        raise RecordError("A key was given, and the file holds no checkpoint that it signed.")


def checkpoint_of(stream: str, day: str, check: Check) -> Checkpoint:
    balances = {str(account): units for account, units in sorted(book_of(check).balances.items()) if units}
    return Checkpoint(stream, day, check.entries, check.book.digest, balances)


# For a day


def read_day(text: str) -> date:
    with suppress(ValueError):
        if DAY.fullmatch(text):
            return date.fromisoformat(text)
    raise NotationError(f"{text[:30]!r} is no day: write it as 2026-11-15.")


def balance(stream: str, rows: Iterable[RawRow], day: date | None = None) -> tuple[LinkCheck, tuple[Proof, ...]]:
    """The proof of every level, for all time or for one day; every row before it is checked on the way."""
    check = LinkCheck(stream.removeprefix("link:"))
    opening: Sums | None = None
    for digest, body in up_to(rows, day):
        if day and opening is None and day_of(body) >= str(day):
            opening = check.link.sums
        check.take(digest, body)
    if day and opening is None:
        opening = check.link.sums
    return check, proofs(check, opening)


def up_to(rows: Iterable[RawRow], day: date | None) -> Iterator[RawRow]:
    """The rows to the end of a day; those after it are read, and left out."""
    end = str(day + timedelta(days=1)) if day else "~"
    for digest, body in rows:
        if day_of(body) < end:
            yield digest, body


def day_of(body: bytes) -> str:
    """The day of a row, which begins with its time."""
    return body[7:17].decode("ascii", "replace")
