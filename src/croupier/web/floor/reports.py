"""Routes of reports: what the office reads about the floor, as JSON, CSV and PDF; pages, proofs and explanations.

Reading takes the right to read the ledger, slips the right to see them. What leaves as a file, CSV or PDF, takes the
right to export and is put on record, except for papers that are signed on the floor: the win page, the slip, the
adjustment note and the close of a day.
"""

from __future__ import annotations

import re
import secrets
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import date
from functools import partial
from typing import IO, Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Path, Query, Response
from fastapi.responses import JSONResponse, PlainTextResponse, StreamingResponse

from croupier.audit.explain import explain, story
from croupier.audit.export import open_existing
from croupier.compliance.authority import Power
from croupier.errors import CroupierError, UnknownName
from croupier.floor.link.link import proof
from croupier.floor.site.notes import NoteExport
from croupier.ledger.clock import utc_now
from croupier.reports.adjustments import adjustment_note
from croupier.reports.awards import awards, last_awards, meter_made
from croupier.reports.balance import meter_balance
from croupier.reports.books import Books
from croupier.reports.catalogue import CLOSE, ONE_PAGE, REPORTS, TITLES
from croupier.reports.close import day_close
from croupier.reports.events import Search, csv_parts, events
from croupier.reports.period import Period, read_period
from croupier.reports.sheet import Report
from croupier.reports.slips import Slips, jackpot_slip, slip_of
from croupier.reports.win_page import WinPage, win_page
from croupier.store.store import Row, Store
from croupier.web.cluster.runtime import Runtime
from croupier.web.errors import ApiError
from croupier.web.identity.callers import Caller, SignedInCaller, TheRuntime
from croupier.web.turns import report_route

# Books opened for a report: none is read for ever, and no writer waits for any; `turns` bounds how many at once.

MOST_S = 120.0
"""How long a report may read."""
LOOK_EVERY = 1_024
TYPES = {"json": "application/json", "csv": "text/csv; charset=utf-8", "pdf": "application/pdf"}


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
    with open_existing(runtime.settings.db) as store:
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


# Files that leave the house: written whole before the first byte goes out, and on record with who took them.

BLOCK = 2**18


def note_export(runtime: Runtime, caller: Caller, books: Mapping[str, int], report: str = "") -> None:
    """Who takes what, from where, and how far the books went: an entry of the site's book, before it is given out."""
    person = caller.may(Power.EXPORT)
    values = {"id": f"export-{secrets.token_hex(8)}", "by": person.id, "where": caller.where}
    runtime.leading().do_site(NoteExport(**values, books=books, report=report))


def written(parts: Iterable[str]) -> IO[bytes]:
    """A text of any length, in a file that has no name and goes with whoever reads it."""
    file = tempfile.TemporaryFile(prefix="croupier-export-")  # noqa: SIM115 - whoever sends it closes it
    try:
        for part in parts:
            file.write(part.encode())
    except BaseException:
        file.close()
        raise
    return file


def sent(file: IO[bytes], kind: str, name: str) -> StreamingResponse:
    """A file block by block; nothing is left behind, however the client leaves."""
    size = file.seek(0, 2)
    file.seek(0)
    headers = {**file_header(name), "Content-Length": str(size)}
    return StreamingResponse(_blocks(file), media_type=kind, headers=headers)


def _blocks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        yield from iter(partial(file.read, BLOCK), b"")


router = APIRouter(prefix="/api", tags=["reports"])

Format = Literal["json", "csv", "pdf", "page"]
"""`page` is the printed page as JSON, with what its rows come to: what a screen shows."""
Number = Annotated[int, Path(ge=1, le=2**53)]
Day = Annotated[str | None, Query(description="A gaming day, as 2026-11-15.", max_length=10)]
First = Annotated[str | None, Query(alias="from", description="The first gaming day of a range.", max_length=10)]
Last = Annotated[str | None, Query(alias="to", description="The last gaming day of a range.", max_length=10)]
LinkName = Annotated[str | None, Query(description="Only this link; all where none is named.", max_length=64)]
Words = Annotated[str, Query(max_length=200)]
FILES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The report.",
        "content": {"application/json": {}, "text/csv": {}, "application/pdf": {}},
    }
}
PDF: dict[int | str, dict[str, Any]] = {200: {"description": "One page.", "content": {"application/pdf": {}}}}
TOLD: dict[int | str, dict[str, Any]] = {
    200: {"description": "Why the award was that amount.", "content": {"application/json": {}, "text/plain": {}}}
}


@router.get("/reports", summary="The reports that there are")
def catalogue(caller: SignedInCaller) -> dict[str, Any]:
    caller.may(Power.READ_LEDGER)
    kinds = [
        {"report": kind, "title": TITLES[kind], "formats": ["json", "csv", "pdf"], "of": "one day"}
        if kind == CLOSE
        else {"report": kind, "title": TITLES[kind], "formats": ["json", "csv", "pdf"], "of": "days"}
        for kind in (*REPORTS, CLOSE)
    ]
    pages = [
        {"report": kind, "title": TITLES[kind], "formats": ["json", "pdf"], "of": "one entry"} for kind in ONE_PAGE
    ]
    return {"reports": [*kinds, *pages]}


@router.get(
    "/reports/{kind}",
    summary="A report for a gaming day, a range, or the whole book",
    responses=FILES,
    response_class=Response,
)
@report_route
def report(
    kind: str,
    runtime: TheRuntime,
    caller: SignedInCaller,
    *,
    link: LinkName = None,
    day: Day = None,
    first: First = None,
    last: Last = None,
    form: Annotated[Format, Query(alias="format")] = "json",
    fixed_pays: Annotated[bool, Query(description="For awards: fixed pays too.")] = True,
    text: Annotated[str, Query(description="For events: words and amounts in it.", max_length=200)] = "",
    event: Annotated[str, Query(description="For events: the kind of entry.", max_length=64)] = "",
    table: Annotated[int | None, Query(description="For events: the table.", ge=1, le=999)] = None,
    person: Annotated[str, Query(description="For events: somebody's id.", max_length=64)] = "",
) -> Response:
    reading = Power.SEE_SLIPS if kind == Slips.kind else Power.READ_LEDGER
    needs = reading if form in ("json", "page") or kind == CLOSE else Power.EXPORT
    caller.may(needs)
    if kind not in (*REPORTS, CLOSE):
        raise UnknownName("report", kind, (*REPORTS, CLOSE))
    if kind == CLOSE and not day:
        raise ApiError(422, "wrong-form", "The close is of one gaming day: give day, as 2026-11-15.")
    now = utc_now()
    with open_books(runtime, link) as books:
        period = period_of(books, day, first, last)
        given, name = (books, period, now), _name(kind, link, span(day, first, last, period.day_of(now)))
        search = Search(text, event, table, person)
        if kind == "awards":
            paper: Report = awards(*given, fixed_pays=fixed_pays)
        elif kind == "events":
            if form == "csv":  # however many there are
                file, head = written(csv_parts(books, period, search)), _ends(books)
                note_export(runtime, caller, head, f"{name}.csv")
                return sent(file, TYPES["csv"], f"{name}.csv")
            paper = events(*given, search=search)
        else:
            paper = day_close(*given) if kind == CLOSE else REPORTS[kind](*given)
    response = given_out(paper, form, name)
    if needs is Power.EXPORT:
        note_export(runtime, caller, _ends(books), f"{name}.{form}")
    return response


def _name(kind: str, link: str | None, when: str) -> str:
    """Of the file."""
    return "-".join((kind, link, when) if link else (kind, when))


def _ends(books: Books) -> dict[str, int]:
    """How far each book was read."""
    return {stream: head.entries for stream, head in books.heads.items()}


# Pages of one entry


@router.get("/links/{link}/awards/{award}/win-page", summary="An award's win page, for programs")
@report_route
def win_page_json(link: str, award: Number, runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
    caller.may(Power.READ_LEDGER)
    with open_books(runtime, link) as books:
        return _win_page(books, award).as_json()


@router.get(
    "/links/{link}/awards/{award}/win-page.pdf",
    summary="An award's win page with its checklist",
    responses=PDF,
    response_class=Response,
)
@report_route
def win_page_pdf(link: str, award: Number, runtime: TheRuntime, caller: SignedInCaller) -> Response:
    """At the table's keypad too, for whoever works there: the money bag."""
    at_keypad = caller.device is not None
    if not at_keypad:
        caller.may(Power.READ_LEDGER)
    with open_books(runtime, link) as books:
        page = _win_page(books, award)
    if at_keypad:
        caller.at_table(page.win.table)
    return given_out(page, "pdf", f"win-page-{link}-{award}")


@router.get("/links/{link}/awards/{award}/slip", summary="An award's jackpot slip, for programs")
@report_route
def slip_json(link: str, award: Number, runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
    """Without a row where none was issued."""
    caller.may(Power.SEE_SLIPS)
    with open_books(runtime, link) as books:
        return slip_of(books, award, period_of(books), utc_now()).as_json()


@router.get(
    "/links/{link}/awards/{award}/slip.pdf",
    summary="An award's jackpot slip, for the cage",
    responses=PDF,
    response_class=Response,
)
@report_route
def slip_pdf(link: str, award: Number, runtime: TheRuntime, caller: SignedInCaller) -> Response:
    caller.may(Power.SEE_SLIPS)
    with open_books(runtime, link) as books:
        slip = _slip(books, award)
    return given_out(slip, "pdf", f"jackpot-slip-{link}-{award}")


def _slip(books: Books, award: int) -> Report:
    try:
        return jackpot_slip(books, award, period_of(books), utc_now())
    except CroupierError as error:
        raise _not_there(error, "no-such-slip") from None


def _win_page(books: Books, award: int) -> WinPage:
    try:
        return win_page(books, award, period_of(books), utc_now())
    except CroupierError as error:
        raise _not_there(error, "no-such-award") from None


@router.get(
    "/links/{link}/awards/{award}/explain",
    summary="Why an award was that amount, in words that a player can read",
    responses=TOLD,
    response_class=Response,
)
@report_route
def explain_award(
    link: str,
    award: Number,
    runtime: TheRuntime,
    caller: SignedInCaller,
    form: Annotated[Literal["json", "text"], Query(alias="format")] = "json",
) -> Response:
    caller.may(Power.READ_LEDGER)
    with open_books(runtime, link) as books:
        try:
            award_story = story(link, (row.raw for row in books.rows(link)), award)
            award_story.zone = runtime.house.site.zone
            told = explain(link, award_story)
        except CroupierError as error:
            raise _not_there(error, "no-such-award") from None
    return PlainTextResponse(told.page() + "\n") if form == "text" else JSONResponse(told.as_json())


@router.get("/links/{link}/awards/{award}/meter", summary="How the meter came to be what it was before the hand")
@report_route
def award_meter(link: str, award: Number, runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
    caller.may(Power.READ_LEDGER)
    with open_books(runtime, link) as books:
        try:
            return meter_made(books, award).as_json()
        except CroupierError as error:
            raise _not_there(error, "no-such-award") from None


@router.get(
    "/links/{link}/adjustments/{entry}/note.pdf",
    summary="The note of one adjustment",
    responses=PDF,
    response_class=Response,
)
@report_route
def note_pdf(link: str, entry: Number, runtime: TheRuntime, caller: SignedInCaller) -> Response:
    caller.may(Power.READ_LEDGER)
    with open_books(runtime, link) as books:
        try:
            note = adjustment_note(books, entry, period_of(books), utc_now())
        except CroupierError as error:
            raise _not_there(error, "no-such-adjustment") from None
    return given_out(note, "pdf", f"adjustment-note-{link}-{entry}")


def _not_there(error: CroupierError, code: str) -> CroupierError:
    """What is only not there is no damage, and answered as such."""
    return ApiError(404, code, str(error)) if type(error) is CroupierError else error


# Of one link


@router.get("/links/{link}/proof", summary="Every meter proved to a difference of nothing, for all time or for a day")
@report_route
def get_proof(link: str, runtime: TheRuntime, caller: SignedInCaller, day: Day = None) -> dict[str, Any]:
    caller.may(Power.READ_LEDGER)
    with open_books(runtime, link) as books:
        proof = meter_balance(books, period_of(books, day), utc_now()).as_json()
    levels = proof.pop("rows")
    return {**proof, "link": link, "day": day, "levels": levels}


@router.get("/links/{link}/awards", summary="The last 25 awards of each meter, or all of a period")
@report_route
def get_awards(
    link: str,
    runtime: TheRuntime,
    caller: SignedInCaller,
    *,
    which: Literal["last", "all"] = "last",
    day: Day = None,
    first: First = None,
    last: Last = None,
    fixed_pays: bool = False,
) -> dict[str, Any]:
    caller.may(Power.READ_LEDGER)
    with open_books(runtime, link) as books:
        given = books, period_of(books, day, first, last), utc_now()
        paper = last_awards(*given) if which == "last" else awards(*given, fixed_pays=fixed_pays)
    return paper.as_json()


@router.post(
    "/links/{link}/self-check", summary="Read a link's whole book, and hold it against what the floor works with"
)
@report_route
def self_check(link: str, runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
    """As opening a link does. Nothing changes; a book that is not whole is refused with what is wrong."""
    caller.may(Power.READ_LEDGER)
    floor = runtime.leading()
    entries, digest = floor.self_check(link)
    proofs = floor.ask(link, lambda held: [proof(held, level) for level in held.state.setup.level])
    return {"link": link, "whole": True, "entries": entries, "digest": digest} | {
        "unit": "1e-6 cent",
        "levels": [proof.as_json() for proof in proofs],
    }
