"""What all reports have in common: a heading that says what was read, rows, and the three forms they go out in.

In JSON money is whole numbers with the unit in the name: `award_cents`, `meter_units`, a unit being a millionth of a
cent. In CSV it is dollars, as spreadsheets read them, to the last part: `award_dollars`, `meter_dollars`; rates are
percent. Times are UTC there, as the books write them. In print money is dollars and times are the house's.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from importlib.resources import files
from typing import Any, ClassVar

import croupier
from croupier.analysis.par.print import TableInPrint, as_pdf, visible
from croupier.errors import NotationError
from croupier.games.money import dollars
from croupier.ledger.entry import UNITS_PER_CENT
from croupier.reports.books import Books, Head, in_print
from croupier.reports.period import Period
from croupier.reports.qr import svg_code

MOST_IN_PRINT = 2_000
"""Rows of a table on paper: some forty pages."""
NO_SITE = "Links without a site's book"
"""What stands where the site's title would: such a store knows meters, and no people, tables or bank."""
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a text begins that a spreadsheet would run."""


@dataclass(frozen=True)
class Heading:
    """What a report was made from, when, and how far the books were read."""

    site: str
    links: tuple[str, ...]
    period: Period
    made_at: str
    heads: tuple[Head, ...]
    names: Mapping[str, str]
    """By id, what people are called: on paper they are written with it."""

    def as_json(self) -> dict[str, Any]:
        period = self.period
        return {
            "site": self.site,
            "links": list(self.links),
            "first_day": str(period.first) if period.first else None,
            "last_day": str(period.last) if period.last else None,
            "from": period.begin or None,
            "until": period.end if period.last else None,
            "zone": period.zone,
            "day_begins_hour": period.begins_h,
            "made_at": self.made_at,
            "read": [head.as_json() for head in self.heads],
        }


def heading(books: Books, period: Period, made_at: str) -> Heading:
    """For a report whose rows have been read."""
    try:
        period.told(made_at)
        datetime.fromisoformat(made_at)
    except ValueError:
        raise NotationError(f"{made_at!r} is no time: write UTC as 2026-11-15T20:30:00Z.") from None
    heads = tuple(books.heads[stream] for stream in sorted(books.heads))
    return Heading(books.title, tuple(books.links), period, made_at, heads, books.names)


@dataclass(frozen=True)
class Item:
    """One thing to tick and sign on a page."""

    text: str
    citation: str = ""


@dataclass(frozen=True)
class Judged(TableInPrint):
    """A table some of whose cells are differences, which ought to be nothing."""

    verdicts: tuple[tuple[int, int, bool], ...] = ()
    """Row, column, and whether it is nothing."""
    entries: tuple[tuple[int, int, str, int], ...] = ()
    """Row and column of a cell that names an entry, with its link and number: on a screen it leads there."""


@dataclass(frozen=True)
class Page:
    """A report in words: what the terminal and the PDF print."""

    title: str
    site: str
    facts: tuple[tuple[str, str], ...]
    """What stands under the title."""
    tables: tuple[TableInPrint, ...]
    notes: tuple[str, ...]
    heads: tuple[tuple[str, str, str], ...]
    """Book, last entry read, digest."""
    wide: bool = False
    """Whether the paper lies on its side."""
    headline: str = ""
    """What is seen first, in large print."""
    banner: str = ""
    """Across the top, in a frame: why this page must not be taken for something that it is not."""
    checklist: tuple[Item, ...] = ()
    signatures: tuple[str, ...] = ()
    """Who signs on paper, each on a line."""
    line: str = ""
    """For whoever keeps the paper outside the house: what can be scanned or typed, and held against an export."""
    code: str = ""
    """The same as a QR code, SVG."""
    version: str = croupier.__version__

    def pdf(self) -> bytes:
        """The same bytes each time."""
        return as_pdf(files("croupier.reports").joinpath("report.typ").read_bytes(), asdict(self))


@dataclass(frozen=True)
class Report:
    """A report; each kind says what its rows are and how they are printed."""

    kind: ClassVar[str]
    title: ClassVar[str]
    row: ClassVar[type[Any]]
    """The record of one row: its fields are the columns."""
    wide: ClassVar[bool] = False
    of_one_entry: ClassVar[bool] = False
    """Whether it is about an entry, and not about days."""

    heading: Heading
    rows: tuple[Any, ...]

    # For programs

    def as_json(self) -> dict[str, Any]:
        return {"report": self.kind, **self.heading.as_json(), "rows": self.records(), **self.sums()}

    def records(self) -> list[dict[str, Any]]:
        return [asdict(row) for row in self.rows]

    def sums(self) -> Mapping[str, Any]:
        """What the rows come to, where that says something."""
        return {}

    def csv(self) -> str:
        """RFC 4180: one header, a line for each row. A text that a spreadsheet would run begins with an apostrophe."""
        return "".join(csv_rows(self.row, self.records()))

    # For people

    def page(self) -> Page:
        period, made_at = self.heading.period, self.heading.made_at
        links = ", ".join(self.heading.links) or "none yet"
        facts = [
            ("Links" if len(self.heading.links) != 1 else "Link", links),
            ("Made", f"{period.told(made_at)} {period.zone} ({made_at[:19].replace('T', ' ')} UTC)"),
        ]
        if not self.of_one_entry:
            facts.insert(0, ("Period", f"{period.title} ({period.rule})"))
        return Page(
            title=self.title,
            site=self.heading.site or NO_SITE,
            facts=(*facts, *self.facts()),
            tables=tuple(self.tables()),
            notes=tuple(self.notes()),
            heads=tuple((head.book, f"{head.entries:,}", head.digest) for head in self.heading.heads),
            wide=self.wide,
            headline=self.headline,
            banner=self.banner,
            checklist=tuple(self.checklist()),
            signatures=tuple(self.signatures()),
            line=self.line,
            code=svg_code(self.line) if self.line else "",
        )

    def tables(self) -> Sequence[TableInPrint]:
        raise NotImplementedError

    def facts(self) -> Sequence[tuple[str, str]]:
        """More of what stands under the title."""
        return ()

    @property
    def headline(self) -> str:
        return ""

    @property
    def banner(self) -> str:
        return ""

    @property
    def line(self) -> str:
        """The anchor that the paper carries."""
        return ""

    @property
    def subject(self) -> str:
        """What it is of, in a sentence about it: days, or one entry."""
        return f"{self.title}, {self.heading.period.title},"

    def notes(self) -> Sequence[str]:
        return ()

    def checklist(self) -> Sequence[Item]:
        return ()

    def signatures(self) -> Sequence[str]:
        return ()

    def pdf(self) -> bytes:
        return self.page().pdf()

    @property
    def told(self) -> Any:
        return self.heading.period.told

    def written(self, signed: str) -> str:
        """Whoever signed, by name."""
        return in_print(signed, self.heading.names)


def csv_rows(row: type[Any], records: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The header, then line by line, so that no more than one is held at a time."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    names = [field.name for field in fields(row)]
    writer.writerow(map(column_name, names))
    for record in records:
        yield file.getvalue()
        file.seek(0)
        file.truncate()
        writer.writerow([_cell(name, record[name]) for name in names])
    yield file.getvalue()


_CSV = {"cents": ("dollars", 2), "units": ("dollars", 8), "ppm": ("percent", 4)}
"""How a column's name ends in JSON: its unit in CSV, and the decimal places that its whole number has there."""


def column_name(name: str) -> str:
    """`award_cents` is `award_dollars` in CSV."""
    stem, _, unit = name.rpartition("_")
    return f"{stem}_{_CSV[unit][0]}" if unit in _CSV else name


def _cell(name: str, value: Any) -> Any:
    unit = name.rpartition("_")[2]
    if unit in _CSV and isinstance(value, int):
        return _decimal(value, _CSV[unit][1])
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return " ".join(map(str, value)) if isinstance(value, tuple) else value


def _decimal(value: int, places: int) -> str:
    """A whole number of the smallest parts, as a decimal: 1234 with two places is 12.34."""
    whole, parts = divmod(abs(value), 10**places)
    return f"{'-' if value < 0 else ''}{whole}.{parts:0{places}d}"


# Words and amounts


def money(units: int) -> str:
    """Dollars, with every millionth of a cent that there is."""
    sign, units = ("-", -units) if units < 0 else ("", units)
    return sign + dollars(units // UNITS_PER_CENT) + f"{units % UNITS_PER_CENT:06d}".rstrip("0")


def level_title(level: str) -> str:
    return level or "Progressive"


def counted(number: int, one: str, many: str = "") -> str:
    """`1 row`, `2,000 rows`."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def table(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    words: int = 1,
    total: bool = False,
    note: str = "",
    empty: str = "None.",
    verdicts: Iterable[tuple[int, int, bool]] = (),
    entries: Iterable[tuple[int, int, str, int]] = (),
) -> TableInPrint:
    """A table in print, whose last row may sum up the others. Where it has no rows, or too many, it says so.
    `verdicts` and `entries` are as those of `Judged`, of the rows as they are given."""
    body, last = (rows[:-1], rows[-1:]) if total else (rows, ())
    shown = tuple(tuple(map(visible, row)) for row in (*body[:MOST_IN_PRINT], *last))
    if len(body) > MOST_IN_PRINT:
        more = len(body) - MOST_IN_PRINT
        verb = "is" if more == 1 else "are"
        note = f"{counted(more, 'more row')} {verb} not printed; JSON and CSV have all of them. {note}".rstrip()
    places = {number: number for number in range(min(len(body), MOST_IN_PRINT))}
    if last:
        places[len(rows) - 1] = len(shown) - 1
    judged = tuple((places[row], column, good) for row, column, good in verdicts if row in places)
    named = tuple((places[row], column, link, entry) for row, column, link, entry in entries if row in places)
    return Judged(title, tuple(columns), words, shown, total and bool(shown), note if shown else empty, judged, named)
