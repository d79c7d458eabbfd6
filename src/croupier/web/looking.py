"""Looking through the books backwards, newest first: the event log of a long book opens at once.

Books are read in blocks from their ends, merged by time. Nobody waits for a whole book: after `MOST_LOOKED` entries the
answer says how far it has looked, and the next question goes on from there.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from croupier.progressive.store import Row, Store
from croupier.reports.books import read_line
from croupier.reports.events import Event, event_of
from croupier.reports.searching import Search
from croupier.web.errors import ApiError
from croupier.web.making import LOOK_EVERY, MOST_S

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
        return heapq.merge(*books, key=lambda each: each[1].at, reverse=True)


def look_back(store: Store, span: Span, search: Search, most: int) -> Found:
    """A page of what fits."""
    left = {stream: end for stream, end in span.ends.items() if end > span.begins.get(stream, 0)}
    found: list[Event] = []
    looked, back_to = 0, ""
    for stream, row in islice(span.rows(store), MOST_LOOKED):
        looked, back_to = looked + 1, row.at
        left[stream] = row.number - 1
        if left[stream] <= span.begins.get(stream, 0):
            del left[stream]
        event = _fitting(stream, row, search)
        if event:
            found.append(event)
            if len(found) == most:
                break
    return Found(found, left, looked, back_to)


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
    line = read_line(row, row.number - 1, row.before)
    event = event_of(stream.removeprefix("link:"), line)
    return event if search.fits(line, event) else None


def _backwards(store: Store, stream: str, end: int, begin: int) -> Iterator[tuple[str, Row]]:
    while end > begin:
        after = max(begin, end - BLOCK)
        for row in reversed(list(store.rows(stream, after, end - after))):
            yield stream, row
        end = after
