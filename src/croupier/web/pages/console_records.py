"""The console's pages of people and records: cards, devices, the event log, reports, proofs, awards, gaming days."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from croupier.errors import UnknownName
from croupier.progressive.authority import PEOPLE
from croupier.progressive.clock import utc_now
from croupier.progressive.day_decisions import gaming_day
from croupier.reports.catalogue import CLOSE, REPORTS, TITLES
from croupier.reports.sentences import SENTENCES
from croupier.web.access import PIN_DIGITS
from croupier.web.callers import TheRuntime
from croupier.web.pages.console import section
from croupier.web.runtime import Runtime

router = APIRouter(include_in_schema=False, prefix="/console")
ON_SCREEN = (*(kind for kind in REPORTS if kind != "events"), CLOSE)
"""Reports that have a page of their own; the event log is one by itself."""


@router.get("/people", response_model=None)
def people(request: Request, runtime: TheRuntime) -> Response:
    roles = sorted(map(str, PEOPLE))
    return _shown(request, runtime, "people", roles=roles, pin_digits=PIN_DIGITS)


@router.get("/devices", response_model=None)
def devices(request: Request, runtime: TheRuntime) -> Response:
    return _shown(request, runtime, "devices")


@router.get("/events", response_model=None)
def events(request: Request, runtime: TheRuntime) -> Response:
    everybody = [[each.id, each.name] for each in runtime.house.site.people]
    return _shown(request, runtime, "events", kinds=list(SENTENCES), books=_books(runtime), people=everybody)


@router.get("/reports", response_model=None)
def reports(request: Request, runtime: TheRuntime) -> Response:
    return _shown(request, runtime, "reports", reports=[[kind, TITLES[kind]] for kind in ON_SCREEN])


@router.get("/reports/{kind}", response_model=None)
def report(kind: str, request: Request, runtime: TheRuntime) -> Response:
    if kind not in ON_SCREEN:
        raise UnknownName("report", kind, ON_SCREEN)
    one_day = kind == CLOSE
    links, template = sorted(runtime.house.links), "console/report.html"
    return _shown(request, runtime, "reports", template, report=kind, title=TITLES[kind], one_day=one_day, links=links)


@router.get("/proof", response_model=None)
def proof(request: Request, runtime: TheRuntime) -> Response:
    signs = runtime.settings.signing_key is not None
    return _shown(request, runtime, "proof", links=sorted(runtime.house.links), signs=signs)


@router.get("/awards/{link}/{award}", response_model=None)
def award(link: str, award: int, request: Request, runtime: TheRuntime) -> Response:
    return _shown(request, runtime, "awards", "console/award.html", link=link, award=award)


@router.get("/days", response_model=None)
def days(request: Request, runtime: TheRuntime) -> Response:
    return _shown(request, runtime, "days")


@router.get("/days/{day}", response_model=None)
def day(day: str, request: Request, runtime: TheRuntime) -> Response:
    if day == "today":
        return RedirectResponse(f"/console/days/{gaming_day(runtime.house.site, utc_now())}", status_code=303)
    return _shown(request, runtime, "days", "console/day.html", day=day, displays=_displays(runtime))


def _shown(request: Request, runtime: Runtime, name: str, template: str = "", **boot: Any) -> Response:
    words = ("console-records", *(["console-award"] if template == "console/award.html" else ()))
    return section(request, runtime, name, template, words=words, **boot)


def _books(runtime: Runtime) -> list[str]:
    return ["site", *(f"link:{link}" for link in sorted(runtime.house.links))]


def _displays(runtime: Runtime) -> list[str]:
    """Where a meter can be read: what people usually write."""
    site = runtime.house.site
    return [f"table {number}" for number in sorted(site.tables)] + [
        each.name for each in site.devices if each.active and str(each.kind) == "display"
    ]
