"""The event log, searched: newest first, a page at a time, and what is new since."""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Depends, Query, Response

from croupier.compliance.authority import Power
from croupier.errors import UnknownName
from croupier.floor.link.setup import MOST_TABLES
from croupier.ledger.clock import as_written, utc_now
from croupier.reports.books import read_entry
from croupier.reports.events import Event, Search, event_of
from croupier.reports.sentences import SENTENCES
from croupier.reports.sheet import csv_rows
from croupier.store.store import Row, Store
from croupier.web.cluster.runtime import Runtime
from croupier.web.errors import ApiError
from croupier.web.floor.reports import LOOK_EVERY, MOST_S, TYPES, note_export, sent, written
from croupier.web.identity.callers import SignedInCaller, TheRuntime
from croupier.web.live.feed import LONGEST_ID, id_of, numbers_of
from croupier.web.turns import report_route, search_route

# Looking through the books backwards, newest first: the event log of a long book opens at once.
#
# Books are read in blocks from their ends, merged by time. Nobody waits for a whole book: after `MOST_LOOKED` entries
# the answer says how far it has looked, and the next question goes on from there.

BLOCK = 500
MOST_LOOKED = 10_000
"""Entries that one answer looks through: well under a second."""


@dataclass(frozen=True)
class Found:
    """Entries that fit, newest first, and how far was looked."""

    events: list[Event]
    left: dict[str, int]
    """By book, the entry to go on from, downwards; empty where everything has been looked through."""
    looked: int
    back_to: str
    """The time of the last entry that was looked at."""


@dataclass(frozen=True)
class Span:
    """Which entries are looked at: by book, the last and the one before the first."""

    ends: Mapping[str, int]
    begins: Mapping[str, int]

    def rows(self, store: Store) -> Iterator[tuple[str, Row]]:
        """Newest first, over all books."""
        books = [_backwards(store, stream, end, self.begins.get(stream, 0)) for stream, end in self.ends.items()]
        return heapq.merge(*books, key=lambda row: row[1].at, reverse=True)


def look_back(store: Store, span: Span, search: Search, most: int) -> Found:
    """A page of what fits."""
    left = {stream: end for stream, end in span.ends.items() if end > span.begins.get(stream, 0)}
    events: list[Event] = []
    looked, back_to = 0, ""
    for stream, row in islice(span.rows(store), MOST_LOOKED):
        looked, back_to = looked + 1, row.at
        left[stream] = row.number - 1
        if left[stream] <= span.begins.get(stream, 0):
            del left[stream]
        event = _fitting(stream, row, search)
        if event:
            events.append(event)
            if len(events) == most:
                break
    return Found(events, left, looked, back_to)


def look_through(store: Store, span: Span, search: Search, until_s: float) -> Iterator[Event]:
    """Everything that fits, however much it is, until a moment of the monotonic clock."""
    for stream, row in span.rows(store):
        if not row.number % LOOK_EVERY and time.monotonic() > until_s:
            raise ApiError(422, "too-long", f"This takes longer than {MOST_S:g} seconds: ask for a shorter time.")
        event = _fitting(stream, row, search)
        if event:
            yield event


def _fitting(stream: str, row: Row, search: Search) -> Event | None:
    if search.kind and row.kind != search.kind:
        return None
    entry = read_entry(row, row.number - 1, row.before)
    event = event_of(stream.removeprefix("link:"), entry)
    return event if search.fits(entry, event) else None


def _backwards(store: Store, stream: str, end: int, begin: int) -> Iterator[tuple[str, Row]]:
    while end > begin:
        after = max(begin, end - BLOCK)
        for row in reversed(list(store.rows(stream, after, end - after))):
            yield stream, row
        end = after


router = APIRouter(prefix="/api", tags=["event log"])
Moment = Annotated[str, Query(description="By the house's clock, as 2026-11-15T20:30.", max_length=32)]
CSV: dict[int | str, dict[str, Any]] = {200: {"description": "Entries, newest first.", "content": {"text/csv": {}}}}


@dataclass(frozen=True)
class Asked:
    """What is looked for, and in which entries."""

    search: Search
    span: Span
    newest: dict[str, int]
    """By book, its last entry."""


def _asked(
    runtime: TheRuntime,
    caller: SignedInCaller,
    *,
    book: Annotated[str, Query(description="`site`, or `link:main`; all.", max_length=70)] = "",
    kind: Annotated[str, Query(max_length=64)] = "",
    person: Annotated[str, Query(description="Somebody's id.", max_length=64)] = "",
    text: Annotated[str, Query(description="Words and amounts in it: `voided $1,234.56`.", max_length=200)] = "",
    table: Annotated[int | None, Query(ge=1, le=MOST_TABLES)] = None,
    first: Annotated[Moment, Query(alias="from")] = "",
    last: Annotated[Moment, Query(alias="to")] = "",
) -> Asked:
    caller.may(Power.READ_LEDGER)  # before anything is looked up: what is not there is answered with what is
    newest = _chosen(runtime.reading.ends(), book)
    ends = _before(runtime, newest, last) if last else newest
    begins = _before(runtime, newest, first) if first else dict.fromkeys(newest, 0)
    return Asked(_search(runtime, Search(text, kind, table, person)), Span(ends, begins), newest)


Question = Annotated[Asked, Depends(_asked)]


@router.get("/log", summary="Search the books, newest first: a page, the next, or what is new")
@search_route
def get_log(
    runtime: TheRuntime,
    caller: SignedInCaller,
    asked: Question,
    *,
    before: Annotated[str, Query(description="`older` of an answer: go on.", max_length=LONGEST_ID)] = "",
    after: Annotated[str, Query(description="`newest` of an answer: what came since.", max_length=LONGEST_ID)] = "",
    most: Annotated[int, Query(ge=1, le=500)] = 50,
) -> dict[str, Any]:
    """Looks through so many entries and no more: where `rows` is empty and `older` is not, ask again with it."""
    caller.may(Power.READ_LEDGER)
    heard, left = numbers_of(after), numbers_of(before)
    ends, begins = asked.span.ends, asked.span.begins
    if before:
        ends = {stream: min(end, left.get(stream, 0)) for stream, end in ends.items()}
    span = Span(ends, {stream: max(begin, heard.get(stream, 0)) for stream, begin in begins.items()})
    page = look_back(runtime.reading, span, asked.search, most)
    return {
        "rows": [asdict(event) for event in page.events],
        **{"older": id_of(page.left) if page.left else None, "newest": id_of(asked.newest)},
        **{"looked": page.looked, "back_to": page.back_to or None},
    }


@router.get("/log.csv", summary="Everything that fits, newest first", responses=CSV, response_class=Response)
@report_route
def get_log_csv(runtime: TheRuntime, caller: SignedInCaller, asked: Question) -> Response:
    """That it was taken is an entry of the site's book."""
    caller.may(Power.EXPORT)
    name = f"log-{utc_now()[:10]}.csv"
    events = look_through(runtime.reading, asked.span, asked.search, time.monotonic() + MOST_S)
    file = written(csv_rows(Event, map(asdict, events)))
    note_export(runtime, caller, asked.span.ends, name)
    return sent(file, TYPES["csv"], name)


def _search(runtime: Runtime, search: Search) -> Search:
    """A kind or a person that is not there would find nothing, and look like an answer."""
    people = {person.id: person.name for person in runtime.house.site.people}
    if search.kind and search.kind not in SENTENCES:
        raise UnknownName("kind", search.kind, SENTENCES)
    if search.person and search.person not in people:
        raise UnknownName("person", search.person, people)
    return replace(search, names=people)


def _chosen(ends: dict[str, int], book: str) -> dict[str, int]:
    if book and book not in ends:
        raise UnknownName("book", book, ends)
    return {stream: end for stream, end in ends.items() if not book or stream == book}


def _before(runtime: Runtime, books: Iterable[str], text: str) -> dict[str, int]:
    """The last entry of each book before a moment."""
    try:
        moment = datetime.fromisoformat(text)
        until = as_written(moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(runtime.house.site.zone)))
    except (ValueError, OverflowError):
        raise ApiError(422, "wrong-form", f"{text!r} is no time: write 2026-11-15T20:30.") from None
    return {stream: runtime.reading.number_before(stream, until) for stream in books}
