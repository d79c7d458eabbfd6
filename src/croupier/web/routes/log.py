"""The event log, searched: newest first, a page at a time, and what is new since."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Depends, Query, Response

from croupier.errors import UnknownName
from croupier.progressive.authority import Act
from croupier.progressive.clock import utc_now
from croupier.progressive.gaming_days import as_written
from croupier.progressive.setup import MOST_TABLES
from croupier.reports.events import Event
from croupier.reports.searching import Search
from croupier.reports.sentences import SENTENCES
from croupier.reports.sheet import csv_rows
from croupier.web.callers import SignedInCaller, TheRuntime
from croupier.web.errors import ApiError
from croupier.web.exporting import note_export, sent, written
from croupier.web.looking import Span, look_back, look_through
from croupier.web.making import MOST_S, TYPES
from croupier.web.moments import LONGEST_ID, id_of, numbers_of
from croupier.web.runtime import Runtime
from croupier.web.threads import report_route, search_route

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
    caller.may(Act.READ_LEDGER)  # before anything is looked up: what is not there is answered with what is
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
    caller.may(Act.READ_LEDGER)
    heard, left = numbers_of(after), numbers_of(before)
    ends, begins = asked.span.ends, asked.span.begins
    if before:
        ends = {stream: min(end, left.get(stream, 0)) for stream, end in ends.items()}
    span = Span(ends, {stream: max(begin, heard.get(stream, 0)) for stream, begin in begins.items()})
    found = look_back(runtime.reading, span, asked.search, most)
    return {
        "rows": [asdict(event) for event in found.events],
        **{"older": id_of(found.left) if found.left else None, "newest": id_of(asked.newest)},
        **{"looked": found.looked, "back_to": found.back_to or None},
    }


@router.get("/log.csv", summary="Everything that fits, newest first", responses=CSV, response_class=Response)
@report_route
def get_log_csv(runtime: TheRuntime, caller: SignedInCaller, asked: Question) -> Response:
    """That it was taken is an entry of the site's book."""
    caller.may(Act.EXPORT)
    name = f"log-{utc_now()[:10]}.csv"
    events = look_through(runtime.reading, asked.span, asked.search, time.monotonic() + MOST_S)
    file = written(csv_rows(Event, map(asdict, events)))
    note_export(runtime, caller, asked.span.ends, name)
    return sent(file, TYPES["csv"], name)


def _search(runtime: Runtime, search: Search) -> Search:
    """A kind or a person that is not there would find nothing, and look like an answer."""
    people = [each.id for each in runtime.house.site.people]
    if search.kind and search.kind not in SENTENCES:
        raise UnknownName("kind", search.kind, SENTENCES)
    if search.person and search.person not in people:
        raise UnknownName("person", search.person, people)
    return search


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
