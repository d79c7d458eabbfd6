"""The end of a gaming day: what people read off the displays beside what the book says, with every difference.

Nothing is put right here. A difference stands in the report until an adjustment in the book, or another reading,
explains it; both readings stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from croupier.analysis.par_in_print import TableInPrint
from croupier.games.money import dollars
from croupier.progressive.ledger import UNITS_PER_CENT
from croupier.reports.balance import LevelBalance, level_balances
from croupier.reports.books import Books
from croupier.reports.period import Period
from croupier.reports.sheet import Report, heading, level_title, table

AGREES, DIFFERS, NOT_READ, NO_METER = "agrees", "DIFFERS", "NOT READ", "NO SUCH METER"


@dataclass(frozen=True)
class Reading:
    """What somebody read off a display: whole cents."""

    link: str
    level: str
    meter_cents: int
    by: str
    at: str = ""
    note: str = ""


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


@dataclass(frozen=True)
class DayClose(Report):
    kind: ClassVar = "close"
    title: ClassVar = "Gaming-day close"
    row: ClassVar = Compared

    rows: tuple[Compared, ...]

    @property
    def agrees(self) -> bool:
        return all(row.verdict == AGREES for row in self.rows)

    def sums(self) -> dict[str, Any]:
        counts = {
            verdict: sum(row.verdict == verdict for row in self.rows) for verdict in (DIFFERS, NOT_READ, NO_METER)
        }
        return {"agrees": self.agrees, **{name.lower().replace(" ", "_"): count for name, count in counts.items()}}

    def tables(self) -> Sequence[TableInPrint]:
        columns = ("Link", "Meter", "Verdict", "Read by", "Note", "Book", "Read", "Difference")
        shown = [
            (
                *(row.link, level_title(row.level), row.verdict, row.by, row.note),
                *map(_dollars, (row.book_cents, row.read_cents, row.difference_cents)),
            )
            for row in self.rows
        ]
        return [table("", columns, shown, words=5)]

    def notes(self) -> Sequence[str]:
        if not self.rows:
            return ()
        if self.agrees:
            return ("Every meter was read, and every reading is what the book says.",)
        wrong = sum(row.verdict != AGREES for row in self.rows)
        return (f"{wrong} of {len(self.rows)} lines do not agree. They stay on record as they were entered.",)

    def signatures(self) -> Sequence[str]:
        return ("Read by, date", "Seen by, date")


def _dollars(cents: int | None) -> str:
    return "" if cents is None else dollars(cents)


def compare(balances: Iterable[LevelBalance], readings: Iterable[Reading]) -> tuple[Compared, ...]:
    """Each meter with each of its readings, in the order of the book; what was read and is not there comes last."""
    by_meter: dict[tuple[str, str], list[Reading]] = {}
    for reading in readings:
        by_meter.setdefault((reading.link, reading.level), []).append(reading)
    found: list[Compared] = []
    for each in balances:
        book = each.closing_units // UNITS_PER_CENT
        read = by_meter.pop((each.link, each.level), [])
        found += [_compared(book, reading) for reading in read]
        if not read:
            found.append(Compared(each.link, each.level, book, None, None, NOT_READ))
    return (*found, *(_compared(None, reading) for left in by_meter.values() for reading in left))


def _compared(book: int | None, read: Reading) -> Compared:
    difference = None if book is None else read.meter_cents - book
    verdict = NO_METER if difference is None else DIFFERS if difference else AGREES
    return Compared(*(read.link, read.level, book, read.meter_cents, difference, verdict, read.by, read.at, read.note))


def day_close(books: Books, period: Period, made_at: str, readings: Iterable[Reading]) -> DayClose:
    """The meters at the end of the period beside what was read."""
    balances = [row for link in books.links for row in level_balances(books, link, period)]
    rows = compare(balances, readings)
    return DayClose(heading(books, period, made_at), rows)
