"""The log: every entry of every book in words, searched by text, kind, table or person.

A log has no natural end, so for programs it is written row by row as the books are read: `csv_parts` and `json_parts`
have all of it and keep none. On paper only the first rows are printed, and how many more there are is said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

from croupier.analysis.par.print import TableInPrint
from croupier.games.money import dollars
from croupier.reports.books import BookEntry, Books, in_print
from croupier.reports.period import Period
from croupier.reports.sentences import sentence
from croupier.reports.sheet import MOST_IN_PRINT, Report, csv_rows, heading, table

# The search

AMOUNT = re.compile(r"(?P<sign>\$)?(?P<whole>\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.(?P<cents>\d{2}))?")
"""`$1,234.56`, `1234.56`, `$10`; a number alone may be a table's as well."""


@dataclass(frozen=True)
class Search:
    """What is looked for; what is not said fits everything."""

    text: str = ""
    """Words and amounts that are all in the sentence or among the people, however they are capitalised."""
    kind: str = ""
    table: int | None = None
    person: str = ""
    """By id: who did it, signed second, overrode a claim, or was it about."""
    names: Mapping[str, str] = field(default_factory=dict)
    """By id, what people are called: words find them by it too."""

    @cached_property
    def _words(self) -> tuple[Callable[[str], bool], ...]:
        return tuple(_finder(word) for word in self.text.casefold().split())

    def fits(self, entry: BookEntry, event: Event) -> bool:
        if (self.kind and entry.kind != self.kind) or (self.table is not None and event.table != self.table):
            return False
        if self.person and self.person not in set(signers(entry)):
            return False
        told = f"{event.sentence} {event.people} {in_print(event.people, self.names)}".casefold()
        return all(word(told) for word in self._words)

    def __str__(self) -> str:
        parts = [("text", repr(self.text) if self.text else ""), ("kind", self.kind), ("person", self.person)]
        parts.append(("table", "" if self.table is None else str(self.table)))
        return ", ".join(f"{name} {value}" for name, value in parts if value)


def _finder(word: str) -> Callable[[str], bool]:
    """Whether a word is there; an amount is the very amount, and no part of a greater one."""
    match = AMOUNT.fullmatch(word)
    if not match:
        return lambda told: word in told
    cents = int(match["whole"].replace(",", "")) * 100 + int(match["cents"] or 0)
    amount = re.compile(rf"{re.escape(dollars(cents))}(?!\d)")
    if match["sign"] or match["cents"]:
        return lambda told: amount.search(told) is not None
    return lambda told: word in told or amount.search(told) is not None


def signers(entry: BookEntry) -> Iterator[str]:
    facts = entry.facts
    for who in (facts.get("by"), facts.get("second"), facts.get("override", {}).get("by"), facts.get("person")):
        if who:
            yield who[0] if isinstance(who, list) else str(who)


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
            (row.book, str(row.entry), self.told(row.at), self.written(row.people), row.sentence)
            for row in self.rows[:MOST_IN_PRINT]
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
    search = replace(search, names=books.names)
    if books.link is None:
        yield from _found("site", books.site_entries_within(period), search)
    for link in books.links:
        yield from _found(link, books.entries_within(link, period), search)


def _found(book: str, entries: Iterator[BookEntry], search: Search) -> Iterator[Event]:
    for entry in entries:
        event = event_of(book, entry)
        if search.fits(entry, event):
            yield event


def event_of(book: str, entry: BookEntry) -> Event:
    """An entry as the log tells it."""
    people = ", ".join(filter(None, (entry.by, entry.second)))
    facts = entry.facts
    number = facts.get("table", facts.get("number"))
    if isinstance(number, dict):  # a table of the site
        number = number.get("number")
    return Event(*(book, entry.number, entry.at, entry.kind, number, people, sentence(entry.kind, facts), entry.digest))
