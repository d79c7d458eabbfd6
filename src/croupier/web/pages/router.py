"""The addresses of the pages, and the few requests that set their cookies."""

from __future__ import annotations

import re
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, ConfigDict, Field, StrictStr

from croupier.errors import CroupierError, UnknownName
from croupier.progressive.authority import Act, CardToken, Role, may
from croupier.progressive.devices import Device, DeviceKind
from croupier.progressive.people import Person
from croupier.progressive.profile import profile_names
from croupier.progressive.table_cycle import chips_in_words
from croupier.web.access_store import Session
from croupier.web.callers import SESSION, TheRuntime, device_of, source_of
from croupier.web.errors import ApiError
from croupier.web.pages.cookies import (
    DEVICE_COOKIE,
    DEVICE_DAYS,
    SESSION_COOKIE,
    check_csrf,
    check_page,
    csrf_token,
    drop_cookie,
    set_cookie,
)
from croupier.web.pages.templates import page, version
from croupier.web.routes.people import person_json
from croupier.web.runtime import Runtime

router = APIRouter(include_in_schema=False)
OUR_PLACE = re.compile(r"/(?!/)[A-Za-z0-9/_?=&%-]*")
AT_ANY_TABLE = (Role.SUPERVISOR, Role.EXECUTIVE)
"""Who may work at a keypad in any browser, with a PIN; everybody else needs one that is enrolled for the table."""
Card = Annotated[StrictStr, Field(max_length=256)]


class Form(BaseModel):
    model_config = ConfigDict(extra="forbid")


# Who is at the browser


def who(request: Request, runtime: Runtime) -> tuple[Person | None, str]:
    """Whoever has signed in here, and the token that goes with the cookie."""
    cookie = request.cookies.get(SESSION_COOKIE, "")
    csrf = csrf_token(runtime.key, cookie or request.cookies.get(DEVICE_COOKIE, ""))
    try:
        person = runtime.access.session(cookie.removeprefix(SESSION))[1] if cookie else None
    except ApiError:
        person = None
    return person, csrf


def session_at(request: Request, runtime: Runtime) -> Session | None:
    """The session of this browser, while it lasts."""
    try:
        return runtime.access.session(request.cookies.get(SESSION_COOKIE, "").removeprefix(SESSION))[0]
    except ApiError:
        return None


def device_at(request: Request, runtime: Runtime) -> Device | None:
    token = request.cookies.get(DEVICE_COOKIE, "")
    try:
        return runtime.house.site.devices.identify(CardToken(token).hash(runtime.key)) if token else None
    except CroupierError:
        return None


# Pages


@router.get("/", response_model=None)
def lobby(request: Request, runtime: TheRuntime) -> Response:
    if not runtime.house.site.book.entries:
        return RedirectResponse("/first-start", status_code=303)
    person, csrf = who(request, runtime)
    device = device_at(request, runtime)
    if person is None and device is None:
        return RedirectResponse("/sign-in", status_code=303)
    site = runtime.house.site
    keypads = _keypads(request, runtime)
    tables = [{"number": number, "title": site.tables[number].title} for number in sorted(site.tables)]
    boot = {"keypads": keypads, "tables": tables}
    console = person is not None and may(person.role, Act.READ_LEDGER)
    return page(request, "lobby.html", runtime, ("lobby",), person=person, csrf=csrf, boot=boot, console=console)


@router.get("/first-start", response_model=None)
def first_start(request: Request, runtime: TheRuntime) -> Response:
    if runtime.house.site.book.entries:
        return RedirectResponse("/", status_code=303)
    return page(request, "first_start.html", runtime, ("first",), profiles=profile_names())


@router.get("/sign-in", response_model=None)
def sign_in_page(request: Request, runtime: TheRuntime, then: str = "/") -> Response:
    if not runtime.house.site.book.entries:
        return RedirectResponse("/first-start", status_code=303)
    # Only a place of our own: an address elsewhere could be a copy of our pages.
    return page(request, "sign_in.html", runtime, ("signin",), then=then if OUR_PLACE.fullmatch(then) else "/")


@router.get("/choose-pin", response_model=None)
def choose_pin(request: Request, runtime: TheRuntime, then: str = "/") -> Response:
    """For whoever has signed in with a PIN, above all one that somebody else has set."""
    then, session = then if OUR_PLACE.fullmatch(then) else "/", session_at(request, runtime)
    person, csrf = who(request, runtime)
    if session is None or person is None or not (session.console or session.given):
        return RedirectResponse(f"/sign-in?then={then}", status_code=303)
    boot = {"person": person.id, "then": then}
    return page(
        request, "choose_pin.html", runtime, ("signin",), person=person, csrf=csrf, boot=boot, given=session.given
    )


@router.get("/display", response_model=None)
def display(request: Request, runtime: TheRuntime, link: str = "") -> Response:
    person, csrf = who(request, runtime)
    device = device_at(request, runtime)
    if person is None and device is None:
        return page(request, "device.html", runtime, ("device",), then="/display", status=401, why="")
    bound = device.link if device else ""
    shown = link or bound if person else bound or link
    if shown and shown not in runtime.house.links:
        raise UnknownName("link", shown, runtime.house.links)
    shown_page = page(request, "display.html", runtime, ("display",), person=person, csrf=csrf, link=shown)
    return _keep_device(runtime, request, shown_page)


@router.get("/keypad/{table}", response_model=None)
def keypad(table: int, request: Request, runtime: TheRuntime) -> Response:
    site, device = runtime.house.site, device_at(request, runtime)
    person, csrf = who(request, runtime)
    if table not in site.tables and (person is not None or device is not None):
        raise UnknownName("table", str(table), map(str, sorted(site.tables)))
    if person is None or table not in _keypads(request, runtime):
        if device is None or device.kind is not DeviceKind.KEYPAD or device.table != table:
            return _no_keypad(request, runtime, table, person, csrf)
        asks = page(request, "dealer.html", runtime, ("keypad",), table=site.tables[table], csrf=csrf)
        return _keep_device(runtime, request, asks)
    brief = runtime.house.link_of(table)
    setup: dict[str, Any] = {"table": table, "seats": site.tables[table].seats}
    setup["chips"] = chips_in_words(brief.setup) if brief and brief.setup else ""
    return page(
        request, "keypad.html", runtime, ("keypad",), person=person, csrf=csrf, boot=setup, table=site.tables[table]
    )


def _no_keypad(request: Request, runtime: Runtime, table: int, person: Person | None, csrf: str) -> Response:
    """Whoever has signed in here hears why that is not enough; what would be is the same for all."""
    why, session = "", session_at(request, runtime)
    if person is not None:
        alone = person.role in AT_ANY_TABLE and session is not None and not session.console
        why = "device.card_alone" if alone else "device.not_here"
    told: dict[str, Any] = {"person": person, "csrf": csrf, "why": why, "table": table}
    return page(request, "device.html", runtime, ("device",), then=f"/keypad/{table}", status=401, **told)


def _keypads(request: Request, runtime: Runtime) -> list[int]:
    """Tables whose keypad may be used here: that of the enrolled device, or with a PIN all, for who may be at any."""
    site = runtime.house.site
    try:
        session, person = runtime.access.session(request.cookies.get(SESSION_COOKIE, "").removeprefix(SESSION))
    except ApiError:
        return []
    if not session.device:
        return sorted(site.tables) if session.console and person.role in AT_ANY_TABLE else []
    device = site.devices.get(session.device)
    return [device.table] if device is not None and device.active and device.table in site.tables else []


@router.get("/api/docs", response_model=None)
def api_docs(request: Request, runtime: TheRuntime) -> Response:
    person, csrf = who(request, runtime)
    return page(request, "api_docs.html", runtime, person=person, csrf=csrf)


# Cookies


class SignInForm(Form):
    card: Card
    pin: Annotated[StrictStr, Field(max_length=20)] | None = None


@router.post("/pages/sign-in")
def sign_in(form: SignInForm, request: Request, response: Response, runtime: TheRuntime) -> dict[str, Any]:
    check_page(request)
    made = runtime.access.sign_in(form.card, form.pin, "", source_of(request))
    _keep_session(runtime, request, response, SESSION + made.token)
    return {**person_json(made.person), "pin_to_change": made.session.given}


class DealerForm(Form):
    card: Card | None = None
    person: Annotated[StrictStr, Field(max_length=64)] | None = None


@router.post("/pages/keypad/sign-in")
def dealer_sign_in(form: DealerForm, request: Request, response: Response, runtime: TheRuntime) -> dict[str, Any]:
    check_page(request)
    device = device_at(request, runtime)
    if device is None or device.kind is not DeviceKind.KEYPAD:
        raise ApiError(403, "no-keypad", "This browser is no keypad: give it a keypad's token first.")
    made = runtime.access.sign_in_keypad(form.card, form.person, device.id, f"device {device.id}")
    _keep_session(runtime, request, response, SESSION + made.token)
    return person_json(made.person)


@router.post("/pages/sign-out")
def sign_out(request: Request, response: Response, runtime: TheRuntime) -> dict[str, bool]:
    cookie = request.cookies.get(SESSION_COOKIE, "")
    check_csrf(request, runtime.key, cookie or request.cookies.get(DEVICE_COOKIE, ""))
    _end_session(runtime, request)
    drop_cookie(response, SESSION_COOKIE)
    return {"signed_out": True}


class DeviceForm(Form):
    token: Card


@router.get("/pages/version")
def pages_version(request: Request, response: Response, runtime: TheRuntime) -> dict[str, str]:
    """Which pages this server has; displays and keypads ask now and then."""
    _keep_device(runtime, request, response)
    return {"version": version()}


@router.post("/pages/device")
def use_device(form: DeviceForm, request: Request, response: Response, runtime: TheRuntime) -> dict[str, Any]:
    check_page(request)
    device = device_of(runtime, form.token)
    _set_device(runtime, request, response, form.token)
    return {"device": device.id, "kind": str(device.kind)}


def _set_device(runtime: Runtime, request: Request, response: Response, token: str) -> None:
    set_cookie(response, DEVICE_COOKIE, token, secure=_secure(runtime, request), seconds=DEVICE_DAYS * 86_400)


def _keep_device(runtime: Runtime, request: Request, response: Response) -> Response:
    """A device that is in use stays enrolled in its browser: its cookie's time begins anew."""
    if device_at(request, runtime) is not None:
        _set_device(runtime, request, response, request.cookies[DEVICE_COOKIE])
    return response


def _keep_session(runtime: Runtime, request: Request, response: Response, token: str) -> None:
    """Whoever was signed in at this browser is so no more: nobody would sign that session out."""
    _end_session(runtime, request)
    set_cookie(response, SESSION_COOKIE, token, secure=_secure(runtime, request))


def _end_session(runtime: Runtime, request: Request) -> None:
    session = session_at(request, runtime)
    if session is not None:
        runtime.access.end(session)


def _secure(runtime: Runtime, request: Request) -> bool:
    """Only over TLS, wherever there is TLS."""
    return runtime.settings.tls or runtime.settings.behind_proxy or request.url.scheme == "https"
