"""The log: every entry of every book in words, to be searched (see `searching`).

A log has no natural end, so for programs it is written row by row as the books are read: `csv_parts` and `json_parts`
have all of it and keep none. On paper only the first rows are printed, and how many more there are is said.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from croupier.analysis.par_in_print import TableInPrint
from croupier.reports.books import Books, Line
from croupier.reports.period import Period
from croupier.reports.searching import Search
from croupier.reports.sentences import sentence
from croupier.reports.sheet import MOST_IN_PRINT, Report, csv_rows, heading, table

MOST = 10_000
"""Rows in a report that is held in memory; how many more there are is said."""


@dataclass(frozen=True)
class Event:
    """One entry."""

    book: str
    entry: int
    at: str
    kind: str
    table: int | None
    people: str
    """Who did it, and who else signed."""
    sentence: str
    digest: str


@dataclass(frozen=True)
class Events(Report):
    kind: ClassVar = "events"
    title: ClassVar = "Events"
    row: ClassVar = Event
    wide: ClassVar = True

    rows: tuple[Event, ...]
    search: Search
    left_out: int
    """That fit too, after these."""

    def sums(self) -> dict[str, Any]:
        return {"search": str(self.search), "left_out": self.left_out}

    def facts(self) -> Sequence[tuple[str, str]]:
        return (("Search", str(self.search)),) if str(self.search) else ()

    def tables(self) -> Sequence[TableInPrint]:
        columns = ("Book", "No.", "When", "Who", "What")
        shown = [
            (row.book, str(row.entry), self.told(row.at), row.people, row.sentence) for row in self.rows[:MOST_IN_PRINT]
        ]
        return [table("", columns, shown, words=5)]

    def notes(self) -> Sequence[str]:
        printed, fit = min(len(self.rows), MOST_IN_PRINT), len(self.rows) + self.left_out
        if printed == fit:
            return ()
        return (
            f"Printed are the first {printed:,} of {fit:,} entries that fit: ask for fewer days, or search. "
            "The CSV and the JSON that croupier report writes have all of them.",
        )


ANYTHING = Search()


def events(books: Books, period: Period, made_at: str, search: Search = ANYTHING, most: int | None = MOST) -> Events:
    """What happened, book by book; with a link named, only in its book."""
    rows: list[Event] = []
    left_out = 0
    for event in all_events(books, period, search):
        if most is None or len(rows) < most:
            rows.append(event)
        else:
            left_out += 1
    return Events(heading(books, period, made_at), tuple(rows), search, left_out)


def csv_parts(books: Books, period: Period, search: Search = ANYTHING) -> Iterator[str]:
    """Every entry that fits, as `Report.csv` would write it."""
    return csv_rows(Event, map(asdict, all_events(books, period, search)))


def json_parts(books: Books, period: Period, made_at: str, search: Search = ANYTHING) -> Iterator[str]:
    """Every entry that fits, as `Report.as_json`; the heading comes after the rows, when the books have been read."""
    yield '{"rows": ['
    before = "\n"
    for event in all_events(books, period, search):
        yield before + json.dumps(asdict(event), ensure_ascii=False)
        before = ",\n"
    rest = Events(heading(books, period, made_at), (), search, 0).as_json()
    del rest["rows"]
    yield "\n]," + json.dumps(rest, indent=2, ensure_ascii=False)[1:] + "\n"


def all_events(books: Books, period: Period, search: Search = ANYTHING) -> Iterator[Event]:
    """One by one, however many there are."""
    if books.link is None:
        yield from _found("site", books.site_lines_within(period), search)
    for link in books.links:
        yield from _found(link, books.lines_within(link, period), search)


def _found(book: str, lines: Iterator[Line], search: Search) -> Iterator[Event]:
    for line in lines:
        event = event_of(book, line)
        if search.fits(line, event):
            yield event


def event_of(book: str, line: Line) -> Event:
    """An entry as the log tells it."""
    people = ", ".join(filter(None, (line.by, line.second)))
    facts = line.facts
    number = facts.get("table", facts.get("number"))
    if isinstance(number, dict):  # a table of the site
        number = number.get("number")
    return Event(*(book, line.number, line.at, line.kind, number, people, sentence(line.kind, facts), line.digest))
