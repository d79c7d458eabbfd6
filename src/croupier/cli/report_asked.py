"""What is asked of a report, held against what there is: nothing that is mistyped is taken for an empty answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.errors import CroupierError, NotationError, UnknownName

if TYPE_CHECKING:
    from croupier.reports.books import Books, Source
    from croupier.reports.period import Period
    from croupier.reports.searching import Search

DAYS = ("--day", "--from", "--to")
BELONGS = {
    "--award": ("win-page",),
    "--entry": ("adjustment-note",),
    "--reading": ("close",),
    "--read-by": ("close",),
    "--text": ("events",),
    "--kind": ("events",),
    "--table": ("events",),
    "--person": ("events",),
    "--fixed-pays/--no-fixed-pays": ("awards",),
}
"""Options that only some reports have."""
OF_ONE_ENTRY = ("win-page", "adjustment-note")


def check_options(kind: str, given: dict[str, Any]) -> None:
    """Refuse what this report would not look at."""
    for option, value in given.items():
        if value in (None, "", []):
            continue
        belongs = BELONGS.get(option, ())
        if belongs and kind not in belongs:
            raise NotationError(f"{option} belongs to the report {', '.join(belongs)}, not to {kind}.")
        if option in DAYS and kind in OF_ONE_ENTRY:
            raise NotationError(f"{option} does not belong to {kind}, which is of one entry whenever that was.")


@contextmanager
def opened(db: str) -> Iterator[Source]:
    """A store, or the file that was exported from one."""
    from croupier.progressive.export import open_existing
    from croupier.reports.exported import ExportedBooks

    if "://" not in db and Path(db).is_file():
        yield ExportedBooks(Path(db))
        return
    with open_existing(db) as store:
        yield store


def check_search(books: Books, search: Search) -> None:
    """Refuse a kind, a person or a table that there is not, and say which there are."""
    from croupier.reports.sentences import SENTENCES

    if search.kind and search.kind not in SENTENCES:
        raise NotationError(f"There is no kind of entry {search.kind!r}; there are: {', '.join(sorted(SENTENCES))}.")
    if search.person:
        people = sorted(_people(books))
        if search.person not in people:
            raise UnknownName("person", search.person, people)
    if search.table is not None:
        tables = sorted(_tables(books))
        if search.table not in tables:
            there = ", ".join(map(str, tables)) or "none"
            raise CroupierError(f"There is no table {search.table} in these books; there are: {there}.")


def _people(books: Books) -> set[str]:
    """Who was ever enrolled; where there is no site's book, whoever has signed."""
    from croupier.reports.period import Period
    from croupier.reports.searching import signers

    if books.has_site:
        return set(books.names())
    return {who for link in books.links for line in books.lines(link, Period()) for who in signers(line)}


def _tables(books: Books) -> set[int]:
    """Every table that the site or a link has ever had."""
    from croupier.progressive.export import SITE
    from croupier.reports.books import SETUPS

    found: set[int] = set()
    for stream in books.source.streams():
        for row in books.source.rows(stream):
            if stream == SITE and row.kind == "set-table":
                found.add(int(json.loads(row.body)["facts"]["table"]["number"]))
            elif row.kind in SETUPS:
                tables = json.loads(row.body)["facts"][SETUPS[row.kind]]["tables"]
                found |= {int(each["number"]) for each in tables}
    return found


def check_days(books: Books, period: Period, made_at: str) -> str:
    """Refuse days in which there cannot be anything; what to say where they are after the last entry."""
    first, last = _ends(books, period)
    if first is None or last is None:
        return ""
    if period.last and period.last < first:
        raise CroupierError(
            f"There is nothing to report by {period.last}: the books begin with the gaming day {first}."
        )
    try:
        today = period.day_of(made_at)
    except ValueError:
        return ""  # the report says what is wrong with it
    if period.first and period.first > max(last, today):
        raise CroupierError(
            f"There is nothing to report from {period.first} on: the last entry of the books is of the gaming day "
            f"{last}, and that day is still to come."
        )
    return f"The last entry of the books is of the gaming day {last}." if period.first and period.first > last else ""


def _ends(books: Books, period: Period) -> tuple[date | None, date | None]:
    """The gaming days of the first and the last entry of all books."""
    times = [at for stream in books.source.streams() for at in _times(books.source, stream)]
    return (period.day_of(min(times)), period.day_of(max(times))) if times else (None, None)


def _times(source: Source, stream: str) -> Iterator[str]:
    first = next(iter(source.rows(stream)), None)
    if first is not None:
        yield first.at
        last = source.number_before(stream, "~")
        yield from (row.at for row in source.rows(stream, last - 1))
