"""Routes of reports: what the office reads about the floor, as JSON, CSV and PDF; pages, proofs and explanations.

Reading takes the right to read the ledger. What leaves as a file, CSV or PDF, takes the right to export and is put on
record, except for papers that are signed on the floor: the win page, the adjustment note and the close of a day.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response
from fastapi.responses import JSONResponse, PlainTextResponse

from croupier.errors import CroupierError, UnknownName
from croupier.progressive.authority import Act
from croupier.progressive.explaining import explain, story
from croupier.progressive.link import proof
from croupier.progressive.writer import utc_now
from croupier.reports.adjustments import adjustment_note
from croupier.reports.awards import awards, last_awards
from croupier.reports.balance import meter_balance
from croupier.reports.books import Books
from croupier.reports.catalogue import CLOSE, ONE_PAGE, REPORTS, TITLES
from croupier.reports.close import day_close
from croupier.reports.events import csv_parts, events
from croupier.reports.meter_made import meter_made
from croupier.reports.searching import Search
from croupier.reports.sheet import Report
from croupier.reports.win_page import win_page
from croupier.web.callers import SignedInCaller, TheRuntime
from croupier.web.errors import ApiError
from croupier.web.exporting import note_export, sent, written
from croupier.web.making import TYPES, given_out, open_books, period_of, span, taking_turns
from croupier.web.threads import report_route

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
    caller.may(Act.READ_LEDGER)
    found = [
        {"report": kind, "title": TITLES[kind], "formats": ["json", "csv", "pdf"], "of": "one day"}
        if kind == CLOSE
        else {"report": kind, "title": TITLES[kind], "formats": ["json", "csv", "pdf"], "of": "days"}
        for kind in (*REPORTS, CLOSE)
    ]
    pages = [
        {"report": kind, "title": TITLES[kind], "formats": ["json", "pdf"], "of": "one entry"} for kind in ONE_PAGE
    ]
    return {"reports": [*found, *pages]}


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
    needs = Act.READ_LEDGER if form in ("json", "page") or kind == CLOSE else Act.EXPORT
    caller.may(needs)
    if kind not in (*REPORTS, CLOSE):
        raise UnknownName("report", kind, (*REPORTS, CLOSE))
    if kind == CLOSE and not day:
        raise ApiError(422, "wrong-form", "The close is of one gaming day: give day, as 2026-11-15.")
    made = utc_now()
    with open_books(runtime, link) as books:
        period = period_of(books, day, first, last)
        given, name = (books, period, made), _name(kind, link, span(day, first, last, period.day_of(made)))
        search = Search(text, event, table, person)
        if kind == "awards":
            found: Report = awards(*given, fixed_pays=fixed_pays)
        elif kind == "events":
            if form == "csv":  # however many there are
                file, head = written(csv_parts(books, period, search)), _ends(books)
                note_export(runtime, caller, head, f"{name}.csv")
                return sent(file, TYPES["csv"], f"{name}.csv")
            found = events(*given, search=search)
        else:
            found = day_close(*given) if kind == CLOSE else REPORTS[kind](*given)
    response = given_out(found, form, name)
    if needs is Act.EXPORT:
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
    caller.may(Act.READ_LEDGER)
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
    caller.may(Act.READ_LEDGER)
    with open_books(runtime, link) as books:
        found = _win_page(books, award)
    return given_out(found, "pdf", f"win-page-{link}-{award}")


def _win_page(books: Books, award: int) -> Report:
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
    caller.may(Act.READ_LEDGER)
    with open_books(runtime, link) as books:
        try:
            found = story(link, books.raw(link), award)
            found.zone = runtime.house.site.zone
            told = explain(link, found)
        except CroupierError as error:
            raise _not_there(error, "no-such-award") from None
    return PlainTextResponse(told.page() + "\n") if form == "text" else JSONResponse(told.as_json())


@router.get("/links/{link}/awards/{award}/meter", summary="How the meter came to be what it was before the hand")
@report_route
def award_meter(link: str, award: Number, runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
    caller.may(Act.READ_LEDGER)
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
    caller.may(Act.READ_LEDGER)
    with open_books(runtime, link) as books:
        try:
            found = adjustment_note(books, entry, period_of(books), utc_now())
        except CroupierError as error:
            raise _not_there(error, "no-such-adjustment") from None
    return given_out(found, "pdf", f"adjustment-note-{link}-{entry}")


def _not_there(error: CroupierError, code: str) -> CroupierError:
    """What is only not there is no damage, and answered as such."""
    return ApiError(404, code, str(error)) if type(error) is CroupierError else error


# Of one link


@router.get("/links/{link}/proof", summary="Every meter proved to a difference of nothing, for all time or for a day")
@report_route
def get_proof(link: str, runtime: TheRuntime, caller: SignedInCaller, day: Day = None) -> dict[str, Any]:
    caller.may(Act.READ_LEDGER)
    with open_books(runtime, link) as books:
        found = meter_balance(books, period_of(books, day), utc_now()).as_json()
    levels = found.pop("rows")
    return {**found, "link": link, "day": day, "levels": levels}


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
    caller.may(Act.READ_LEDGER)
    with open_books(runtime, link) as books:
        given = books, period_of(books, day, first, last), utc_now()
        found = last_awards(*given) if which == "last" else awards(*given, fixed_pays=fixed_pays)
    return found.as_json()


@router.post(
    "/links/{link}/self-check", summary="Read a link's whole book, and hold it against what the floor works with"
)
@report_route
def self_check(link: str, runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
    """As opening a link does. Nothing changes; a book that is not whole is refused with what is wrong."""
    caller.may(Act.READ_LEDGER)
    floor = runtime.leading()
    with taking_turns():
        entries, digest = floor.self_check(link)
    proofs = floor.ask(link, lambda held: [proof(held, level) for level in held.state.setup.level])
    return {"link": link, "whole": True, "entries": entries, "digest": digest} | {
        "unit": "1e-6 cent",
        "levels": [each.as_json() for each in proofs],
    }
