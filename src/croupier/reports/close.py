"""The end of a gaming day: what people read off the displays beside what the book says, with every difference.

Nothing is put right here. A difference stands in the report until an adjustment in the book, or another reading,
explains it; both readings stay. A reading on record is held against what the book said when it was read or, where
nobody says when, entered, because play goes on while people read; one that is only told to this report is held against
the end of the day.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any, ClassVar

from croupier.analysis.par.print import TableInPrint
from croupier.audit.export import link_stream
from croupier.floor.act import EntryKind
from croupier.floor.facts import CloseDayFacts, ReadMeterFacts, facts_of
from croupier.games.money import dollars
from croupier.ledger.anchor import AnchorLine, books_digest, site_id
from croupier.ledger.entry import SITE, UNITS_PER_CENT
from croupier.reports.balance import LevelBalance, balance_tables, level_balances
from croupier.reports.books import BookEntry, Books
from croupier.reports.period import Period
from croupier.reports.sheet import Report, heading, level_title, table

AGREES, DIFFERS, NOT_READ, NO_METER = "agrees", "DIFFERS", "NOT READ", "NO SUCH METER"
CORRECTED = "corrected"
"""A reading that a later one has put right: it stays, and is not counted."""


@dataclass(frozen=True)
class DisplayReading:
    """What somebody read off a display: whole cents."""

    link: str
    level: str
    meter_cents: int
    by: str
    at: str = ""
    note: str = ""
    display: str = ""
    entry: int | None = None
    """In the site's book, where it is on record."""
    book_cents: int | None = None
    """What the book said at that moment, where that is on record."""
    corrected_by: int | None = None
    seen_at: str = ""
    """When it was read, where somebody said so."""


@dataclass(frozen=True)
class Compared:
    """A reading beside the book; a meter that nobody read is here too, and a reading of no known meter."""

    link: str
    level: str
    book_cents: int | None
    """What the display must show: whole cents of the meter."""
    read_cents: int | None
    difference_cents: int | None
    """Read less book."""
    verdict: str
    by: str = ""
    at: str = ""
    note: str = ""
    display: str = ""
    entry: int | None = None
    corrected_by: int | None = None
    seen_at: str = ""


@dataclass(frozen=True)
class Closed:
    """The entry with which the day was closed."""

    entry: int
    at: str
    by: str
    digest: str
    zone: str
    day_begins: int
    agrees: bool
    figures: Mapping[str, Any]
    note: str = ""
    """What whoever closed it had to say."""
    anchor: str = ""
    """The line that is printed: whoever keeps it can hold every later export against it."""

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("entry", "at", "by", "digest", "agrees", "note", "anchor")}


@dataclass(frozen=True)
class DayClose(Report):
    kind: ClassVar = "close"
    title: ClassVar = "Gaming-day close"
    row: ClassVar = Compared

    rows: tuple[Compared, ...]
    balances: tuple[LevelBalance, ...]
    closed: Closed | None = None
    altered: bool = False
    """Whether the books say something else now than when the day was closed."""

    @property
    def agrees(self) -> bool:
        return all(row.verdict in (AGREES, CORRECTED) for row in self.rows) and not self.altered

    def sums(self) -> dict[str, Any]:
        counts = {
            verdict: sum(row.verdict == verdict for row in self.rows) for verdict in (DIFFERS, NOT_READ, NO_METER)
        }
        return {
            **{"agrees": self.agrees, **{name.lower().replace(" ", "_"): count for name, count in counts.items()}},
            "levels": [asdict(balance) for balance in self.balances],
            "closed": self.closed.as_json() if self.closed else None,
            "altered_since": self.altered,
        }

    def facts(self) -> Sequence[tuple[str, str]]:
        closed = self.closed
        if closed is None:
            return (("Closed", "not yet"),)
        return (
            ("Closed", f"{self.told(closed.at)} by {self.written(closed.by)}, entry {closed.entry} of the site's book"),
            ("Digest", closed.digest),
        )

    @property
    def line(self) -> str:
        return self.closed.anchor if self.closed else ""

    def tables(self) -> Sequence[TableInPrint]:
        columns = ("Link", "Meter", "Display", "Verdict", "Read by", "Read at", "Note", "Book", "Read", "Difference")
        shown = [
            (
                *(row.link, level_title(row.level), row.display, row.verdict, self.written(row.by)),
                *(self.told(row.seen_at or row.at), row.note),
                *map(_dollars, (row.book_cents, row.read_cents, row.difference_cents)),
            )
            for row in self.rows
        ]
        verdicts = [
            (number, len(columns) - 1, row.difference_cents == 0)
            for number, row in enumerate(self.rows)
            if row.difference_cents is not None
        ]
        return [table("Readings", columns, shown, words=7, verdicts=verdicts), *balance_tables(self.balances)]

    def notes(self) -> Sequence[str]:
        notes = []
        if self.altered:
            notes.append(
                "THE BOOKS SAY SOMETHING ELSE NOW than they did when this day was closed: see entry and digest."
            )
        if self.rows and self.agrees:
            notes.append("Every meter was read, and every reading is what the book says.")
        elif self.rows:
            wrong = sum(row.verdict not in (AGREES, CORRECTED) for row in self.rows)
            notes.append(f"{wrong} of {len(self.rows)} lines do not agree. They stay on record as they were entered.")
        return notes

    def signatures(self) -> Sequence[str]:
        return ("Read by, date", "Seen by, date")


def _dollars(cents: int | None) -> str:
    return "" if cents is None else dollars(cents)


def compare(balances: Iterable[LevelBalance], readings: Iterable[DisplayReading]) -> tuple[Compared, ...]:
    """Each meter with each of its readings, in the order of the book; what was read and is not there comes last."""
    by_meter: dict[tuple[str, str], list[DisplayReading]] = {}
    for reading in readings:
        by_meter.setdefault((reading.link, reading.level), []).append(reading)
    compared: list[Compared] = []
    for balance in balances:
        book = balance.closing_units // UNITS_PER_CENT
        read = by_meter.pop((balance.link, balance.level), [])
        compared += [_compared(book, reading) for reading in read]
        if not any(reading.corrected_by is None for reading in read):
            compared.append(Compared(balance.link, balance.level, book, None, None, NOT_READ))
    return (*compared, *(_compared(None, reading) for left in by_meter.values() for reading in left))


def _compared(book: int | None, read: DisplayReading) -> Compared:
    book = book if read.book_cents is None else read.book_cents
    difference = None if book is None else read.meter_cents - book
    verdict = NO_METER if difference is None else DIFFERS if difference else AGREES
    return Compared(
        *(read.link, read.level, book, read.meter_cents, difference),
        *(verdict if read.corrected_by is None else CORRECTED, read.by, read.at, read.note, read.display),
        *(read.entry, read.corrected_by, read.seen_at),
    )


def day_close(books: Books, period: Period, made_at: str, readings: Iterable[DisplayReading] = ()) -> DayClose:
    """The meters at the end of the period beside what was read; of one day, with the readings that are on record.

    A day that was closed is shown by the clock that the house had then, and from the site's book up to that entry.
    """
    kept, closed = on_record(books, period.last) if period.last and period.first == period.last else ([], None)
    if closed is not None:
        period = Period(period.first, period.last, closed.zone, closed.day_begins)
    balances = tuple(row for link in books.links for row in level_balances(books, link, period))
    rows = compare(balances, [*(reading for reading in kept if reading.link in books.links), *readings])
    altered = closed is not None and any(
        figures != closed.figures.get(link) for link, figures in _figures(books, balances).items()
    )
    return DayClose(heading(books, period, made_at), rows, balances, closed, altered)


# What is on record


def on_record(books: Books, day: date) -> tuple[list[DisplayReading], Closed | None]:
    """The readings of a day, and how it was closed, if it was; nothing after that is looked at."""
    by_entry: dict[int, DisplayReading] = {}
    first = ""
    with books.site_book() as entries:
        for entry in entries:
            first = first or entry.digest
            if entry.facts.get("day") != str(day):
                continue
            if entry.kind == EntryKind.READ_METER:
                _add(by_entry, entry)
            elif entry.kind == EntryKind.CLOSE_DAY:
                return list(by_entry.values()), _closed(entry, site_id(first))
    return list(by_entry.values()), None


def _add(readings: dict[int, DisplayReading], entry: BookEntry) -> None:
    facts = facts_of(ReadMeterFacts, entry)
    if facts["corrects"] is not None:
        readings[facts["corrects"]] = replace(readings[facts["corrects"]], corrected_by=entry.number)
    readings[entry.number] = DisplayReading(
        *(facts["link"], facts["level"], facts["read_cents"], facts["by"], entry.at, facts["note"], facts["display"]),
        entry=entry.number,
        book_cents=facts["book"]["cents"],
        seen_at=facts.get("seen_at", ""),
    )


def _closed(entry: BookEntry, site: str) -> Closed:
    """The line is of the entry itself and of the last entry of each link in the day, which the entry names."""
    facts = facts_of(CloseDayFacts, entry)
    stood = {SITE: (entry.number, entry.digest)}
    for link, figures in facts["links"].items():
        if figures["entries"]:
            stood[link_stream(link)] = (figures["entries"], figures["digest"])
    numbers = {stream: number for stream, (number, _) in stood.items()}
    return Closed(
        *(entry.number, entry.at, entry.by, entry.digest, facts["zone"], facts["day_begins"]),
        agrees=facts["agrees"],
        figures=facts["links"],
        note=facts["note"],
        anchor=AnchorLine(site, facts["day"], numbers, books_digest(stood)).text(),
    )


def day_figures(books: Books, period: Period) -> dict[str, Any]:
    """What the entry that closes a day carries: by link, its last entry in the day, and every meter."""
    rows = tuple(row for link in books.links for row in level_balances(books, link, period))
    return _figures(books, rows)


def _figures(books: Books, rows: Sequence[LevelBalance]) -> dict[str, Any]:
    """Of links that were there by the end of the day; their books have been read."""
    figures: dict[str, Any] = {}
    for link in books.links:
        head = books.heads[link_stream(link)]
        levels = [asdict(row) for row in rows if row.link == link]
        for level in levels:
            del level["link"]
        if head.entries:
            figures[link] = {"entries": head.entries, "digest": head.digest, "levels": levels}
    return figures
