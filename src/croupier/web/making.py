"""Books opened for a report, within bounds: few are read at once, none for ever, and no writer waits for any."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import date
from threading import BoundedSemaphore
from urllib.parse import quote

from fastapi import Response
from fastapi.responses import JSONResponse

from croupier.progressive.export import open_existing
from croupier.progressive.store import Row, Store
from croupier.reports.books import Books
from croupier.reports.period import Period, read_period
from croupier.reports.sheet import Report
from croupier.web.errors import ApiError
from croupier.web.runtime import Runtime

AT_ONCE = 2
"""Books that are read for reports at the same time: the floor must keep most of the machine."""
WAIT_S = 10.0
MOST_S = 120.0
"""How long a report may read."""
LOOK_EVERY = 1_024
TYPES = {"json": "application/json", "csv": "text/csv; charset=utf-8", "pdf": "application/pdf"}
_turns = BoundedSemaphore(AT_ONCE)


@contextmanager
def taking_turns() -> Iterator[None]:
    """Wait for one's turn to read whole books."""
    if not _turns.acquire(timeout=WAIT_S):
        raise ApiError(503, "busy", "Other reports are being made just now: try again.", headers={"Retry-After": "5"})
    try:
        yield
    finally:
        _turns.release()


@dataclass
class Bounded:
    """A store that is read until a moment, and not longer."""

    store: Store
    until_s: float

    def streams(self) -> list[str]:
        return self.store.streams()

    def number_before(self, stream: str, at: str) -> int:
        return self.store.number_before(stream, at)

    def rows(self, stream: str, after: int = 0) -> Iterator[Row]:
        for row in self.store.rows(stream, after):
            if not row.number % LOOK_EVERY and time.monotonic() > self.until_s:
                raise ApiError(422, "too-long", f"This takes longer than {MOST_S:g} seconds: use croupier report.")
            yield row


@contextmanager
def open_books(runtime: Runtime, link: str | None = None) -> Iterator[Books]:
    """The books as they are now, from a connection of their own. Only in a thread: it may wait."""
    with taking_turns(), open_existing(runtime.settings.db) as store:
        yield Books(Bounded(store, time.monotonic() + MOST_S), link)


def period_of(books: Books, day: str | None = None, first: str | None = None, last: str | None = None) -> Period:
    """A period by the site's clock."""
    if day and (first or last):
        raise ApiError(422, "wrong-form", "A report is of one day or of a range: give day, or from and to.")
    zone, hour = books.clock()
    return read_period(day, first, last, zone=zone, begins_h=hour)


def one_day(books: Books, day: str) -> Period:
    return period_of(books, day)


# Giving it out


def given_out(report: Report, form: str, name: str) -> Response:
    """A report in one of its forms, with the name of a file."""
    if form == "json":
        return JSONResponse(report.as_json())
    if form == "page":
        return JSONResponse({"report": report.kind, "page": asdict(report.page()), "sums": dict(report.sums())})
    content = report.pdf() if form == "pdf" else report.csv().encode()
    return Response(content, media_type=TYPES[form], headers=file_header(f"{name}.{form}", shown=form == "pdf"))


def file_header(name: str, *, shown: bool = False) -> dict[str, str]:
    """How a browser names the file; names of links may hold any character."""
    plain = re.sub(r"[^A-Za-z0-9._-]", "_", name)
    full = "" if plain == name else f"; filename*=UTF-8''{quote(name, safe='')}"
    return {"Content-Disposition": f'{"inline" if shown else "attachment"}; filename="{plain}"{full}'}


def span(day: str | None, first: str | None, last: str | None, today: date) -> str:
    """The part of a file's name that says of when it is."""
    if day:
        return day
    return f"{first or 'first'}-to-{last or today}" if first or last else f"whole-to-{today}"
