"""The Game Manager's console: one page for each piece of office work. Each role sees the pages whose work it may do."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from croupier.errors import UnknownName
from croupier.progressive.authority import ALLOWED, Act, Role
from croupier.progressive.people import Person
from croupier.web.callers import SESSION, TheRuntime
from croupier.web.errors import ApiError
from croupier.web.pages.cookies import SESSION_COOKIE, csrf_token
from croupier.web.pages.templates import page
from croupier.web.runtime import Runtime

router = APIRouter(include_in_schema=False, prefix="/console")
SECTIONS: tuple[tuple[str, str, frozenset[Act]], ...] = (
    ("/console", "overview", frozenset({Act.READ_LEDGER})),
    ("/console/links", "links", frozenset({Act.READ_LEDGER})),
    ("/console/awards", "awards", frozenset({Act.READ_LEDGER})),
    ("/console/adjust", "adjust", frozenset({Act.ADJUST})),
    ("/console/bank", "bank", frozenset({Act.READ_LEDGER})),
    ("/console/days", "days", frozenset({Act.READ_LEDGER})),
    ("/console/people", "people", frozenset({Act.READ_LEDGER})),
    ("/console/devices", "devices", frozenset({Act.ENROL_DEVICE})),
    ("/console/events", "events", frozenset({Act.READ_LEDGER})),
    ("/console/reports", "reports", frozenset({Act.READ_LEDGER})),
    ("/console/proof", "proof", frozenset({Act.READ_LEDGER})),
)
"""Address, name, and the acts of which the role must be allowed one to see it."""
DESK = ("console-records", "console-desk")
"""The words that every page of the desk needs."""


def sections_for(role: Role) -> list[tuple[str, str]]:
    return [(path, name) for path, name, acts in SECTIONS if acts & ALLOWED[role]]


def section(
    request: Request,
    runtime: Runtime,
    name: str,
    template: str = "",
    needs: Act | None = None,
    *,
    words: tuple[str, ...] = (),
    **boot: Any,
) -> Response:
    """One of the console's pages, for whoever has signed in with card and PIN; everybody else is asked to.

    A form that somebody may not send is not shown to them: `needs` says what it takes."""
    person, status = _at_console(request, runtime), 200
    seen = sections_for(person.role) if person else []
    if person is None:
        place = "choose-pin" if _pin_to_change(request, runtime) else "sign-in"
        return RedirectResponse(f"/{place}?then={request.url.path}", status_code=303)
    if name not in [each for _, each in seen] or (needs and needs not in ALLOWED[person.role]):
        template, status = "console/denied.html", 403
    csrf = csrf_token(runtime.key, request.cookies[SESSION_COOKIE])
    allowed = sorted(act.name.lower() for act in ALLOWED[person.role])
    return page(
        request,
        template or f"console/{name}.html",
        runtime,
        ("console", f"console-{name}", *words),
        person=person,
        csrf=csrf,
        status=status,
        boot={"person": person.id, "role": str(person.role), "may": allowed, **boot},
        section=name,
        sections=seen,
    )


def _at_console(request: Request, runtime: Runtime) -> Person | None:
    cookie = request.cookies.get(SESSION_COOKIE, "")
    try:
        session, person = runtime.access.session(cookie.removeprefix(SESSION))
    except ApiError:
        return None
    return person if session.console else None


def _pin_to_change(request: Request, runtime: Runtime) -> bool:
    try:
        return runtime.access.session(request.cookies.get(SESSION_COOKIE, "").removeprefix(SESSION))[0].given
    except ApiError:
        return False


def _is_for(request: Request, runtime: Runtime, name: str) -> bool:
    """Asked before a page looks anything up: nobody else is told what there is."""
    person = _at_console(request, runtime)
    return person is not None and name in [each for _, each in sections_for(person.role)]


@router.get("", response_model=None)
def overview(request: Request, runtime: TheRuntime) -> Response:
    return section(request, runtime, "overview", words=(*DESK, "console-bank"), links=_links(runtime))


@router.get("/links", response_model=None)
def links(request: Request, runtime: TheRuntime) -> Response:
    return section(request, runtime, "links", words=DESK, links=_links(runtime))


@router.get("/links/{link}", response_model=None)
def link(link: str, request: Request, runtime: TheRuntime) -> Response:
    if not _is_for(request, runtime, "links"):
        return section(request, runtime, "links")
    _known(runtime, link)
    others = [each for each in _links(runtime) if each != link]
    setup = runtime.house.links[link].setup
    sizes = {"tables": len(setup.tables), "setup": len(setup.levels) + len(setup.lines)} if setup else {}
    lines = {**sizes, "levels": len(setup.levels)} if setup else {}
    return section(request, runtime, "links", "console/link.html", words=DESK, link=link, others=others, lines=lines)


@router.get("/links/{link}/configure", response_model=None)
def configure(link: str, request: Request, runtime: TheRuntime) -> Response:
    if _is_for(request, runtime, "links"):
        _known(runtime, link)
    return section(request, runtime, "links", "console/configure.html", Act.RECONFIGURE, words=DESK, link=link)


@router.get("/new-link", response_model=None)
def new_link(request: Request, runtime: TheRuntime) -> Response:
    return section(request, runtime, "links", "console/configure.html", Act.RECONFIGURE, words=DESK, link="")


@router.get("/awards", response_model=None)
def awards(request: Request, runtime: TheRuntime) -> Response:
    return section(request, runtime, "awards", words=DESK, links=_links(runtime))


@router.get("/adjust", response_model=None)
def adjust(request: Request, runtime: TheRuntime) -> Response:
    return section(request, runtime, "adjust", words=DESK, links=_links(runtime))


@router.get("/bank", response_model=None)
def bank(request: Request, runtime: TheRuntime) -> Response:
    return section(request, runtime, "bank", words=DESK)


def _links(runtime: Runtime) -> list[str]:
    return sorted(name for name, brief in runtime.house.links.items() if brief.setup)


def _known(runtime: Runtime, link: str) -> None:
    if link not in _links(runtime):
        raise UnknownName("link", link, _links(runtime))
