"""The addresses of the pages, and the few requests that set their cookies."""

from __future__ import annotations

import re
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, ConfigDict, Field, StrictStr

from croupier.compliance.authority import Power, Role, may
from croupier.errors import UnknownName
from croupier.floor.link.cycle import chips_in_words
from croupier.floor.people import DeviceKind, Person
from croupier.games.blackjack.side_wagers import PROGRESSIVES
from croupier.web.cluster.runtime import Runtime
from croupier.web.errors import ApiError
from croupier.web.floor.devices import Beat, HealthStore
from croupier.web.games.play import TheGuest, ThePlay
from croupier.web.identity.callers import BOUNDS, SESSION, TheRuntime, device_of, source_of
from croupier.web.identity.cookies import (
    DEALER_COOKIE,
    DEVICE_COOKIES,
    DEVICE_DAYS,
    PEOPLE,
    SESSION_COOKIE,
    check_page,
    drop_cookie,
    is_secure,
    set_cookie,
    signed_by,
)
from croupier.web.identity.routes import person_json
from croupier.web.identity.sessions import PIN_DIGITS
from croupier.web.identity.visitors import (
    AT_ANY_TABLE,
    csrf_of,
    dealer_at,
    device_at,
    keypads_at,
    may_at_any_table,
    signed_in,
    who,
)
from croupier.web.pages.front import front
from croupier.web.pages.templates import page, profile_choices, say, version

router = APIRouter(include_in_schema=False)
OUR_PLACE = re.compile(r"/(?!/)[A-Za-z0-9/_?=&%-]*")
Card = Annotated[StrictStr, Field(max_length=256)]


class Form(BaseModel):
    model_config = ConfigDict(extra="forbid")


# Pages


@router.get("/", response_model=None)
def lobby(request: Request, runtime: TheRuntime, play: ThePlay, guest: TheGuest) -> Response:
    """The floor for whoever works here; for anybody else the front door."""
    if not runtime.house.site.book.entries:
        return RedirectResponse("/first-start", status_code=303)
    person, csrf = who(request, runtime)
    device = device_at(request, runtime)
    if person is None and device is None:
        return front(request, runtime, play, guest)
    if person is not None and person.role in BOUNDS:
        return RedirectResponse(BOUNDS[person.role].home, status_code=303)
    site = runtime.house.site
    keypads = keypads_at(request, runtime)
    tables = [{"number": number, "title": site.tables[number].title} for number in sorted(site.tables)]
    boot = {"keypads": keypads, "tables": tables}
    console = person is not None and may(person.role, Power.READ_LEDGER)
    return page(request, "lobby.html", runtime, ("lobby",), person=person, csrf=csrf, boot=boot, console=console)


@router.get("/first-start", response_model=None)
def first_start(request: Request, runtime: TheRuntime) -> Response:
    if runtime.house.site.book.entries:
        return RedirectResponse("/", status_code=303)
    boot = {"profiles": profile_choices(), "pin_digits": PIN_DIGITS}
    return page(request, "first_start.html", runtime, ("first", "console-records"), boot=boot)


@router.get("/sign-in", response_model=None)
def sign_in_page(request: Request, runtime: TheRuntime, guest: TheGuest, then: str = "/", news: str = "") -> Response:
    if not runtime.house.site.book.entries:
        return RedirectResponse("/first-start", status_code=303)
    # Only a place of our own: an address elsewhere could be a copy of our pages.
    then = then if OUR_PLACE.fullmatch(then) else "/"
    roles = guest.door()["roles"] if guest else ()
    values: dict[str, Any] = {"then": then, "pin_set": news == "pin-set", "roles": roles}
    values["why"] = _why_to_sign_in(request, runtime) if then.startswith("/console") else ""
    return page(request, "sign_in.html", runtime, ("signin", "lobby"), **values)


def _why_to_sign_in(request: Request, runtime: Runtime) -> str:
    """What the console wants of whoever is here: somebody, another session, or another card."""
    signed, (person, _) = signed_in(request, runtime), who(request, runtime)
    if person is None:
        return say("signin.console")
    at_console = signed is not None and signed[0].console
    return say("signin.console_other" if at_console else "signin.console_not", name=person.name, role=person.role)


@router.get("/choose-pin", response_model=None)
def choose_pin(request: Request, runtime: TheRuntime, then: str = "/") -> Response:
    """For whoever has signed in with a PIN, above all one that somebody else has set."""
    then, signed = then if OUR_PLACE.fullmatch(then) else "/", signed_in(request, runtime)
    if signed is None or not (signed[0].console or signed[0].given):
        return RedirectResponse(f"/sign-in?then={then}", status_code=303)
    session, person = signed
    told: dict[str, Any] = {"person": person, "csrf": csrf_of(request, runtime, SESSION_COOKIE)}
    boot = {"person": person.id, "then": then}
    return page(request, "choose_pin.html", runtime, ("signin",), boot=boot, given=session.given, **told)


@router.get("/display", response_model=None)
def display(request: Request, runtime: TheRuntime, link: str = "") -> Response:
    person, csrf = who(request, runtime)
    device = device_at(request, runtime)
    if person is not None and person.role in BOUNDS:
        return RedirectResponse(BOUNDS[person.role].home, status_code=303)
    if person is None and device is None:
        return page(request, "device.html", runtime, ("device",), then="/display", status=401, why="")
    bound = device.link if device else ""
    shown = link or bound if person else bound or link
    if shown and shown not in runtime.house.links:
        raise UnknownName("link", shown, runtime.house.links)
    hands = {key: wager.hands_in_cards for key, wager in PROGRESSIVES.items()}
    boot = {"site": runtime.house.site.title, "hands": hands, "winner_s": runtime.settings.winner_s}
    told: dict[str, Any] = {"person": person, "csrf": csrf, "boot": boot, "link": shown}
    shown_page = page(request, "display.html", runtime, ("display", "cards"), **told)
    return _keep_device(runtime, request, shown_page)


@router.get("/keypad/{table}", response_model=None)
def keypad(table: int, request: Request, runtime: TheRuntime, guest: TheGuest) -> Response:
    """At an enrolled keypad for whoever works there; elsewhere for whoever may be at any table."""
    site, device = runtime.house.site, device_at(request, runtime, DeviceKind.KEYPAD)
    person, csrf = who(request, runtime)
    if table not in site.tables and (person is not None or device is not None):
        raise UnknownName("table", str(table), map(str, sorted(site.tables)))
    kiosk = device is not None and device.table == table
    """A keypad by itself: no way leads from it to other pages."""
    if kiosk:
        person, csrf = dealer_at(request, runtime), csrf_of(request, runtime, DEALER_COOKIE)
        if person is None:
            by_name = [
                person for person in site.people if person.active and person.role is Role.DEALER and not person.card
            ]
            listed = sorted(by_name, key=lambda person: person.name.casefold())
            asks = page(request, "dealer.html", runtime, ("keypad",), table=site.tables[table], dealers=listed)
            return _keep_device(runtime, request, asks)
    elif person is None or not may_at_any_table(signed_in(request, runtime)):
        return _no_keypad(request, runtime, table, person, csrf)
    brief = runtime.house.link_of(table)
    setup: dict[str, Any] = {"table": table, "seats": site.tables[table].seats}
    setup["bridge"] = site.devices.at_table(DeviceKind.BRIDGE, table) is not None
    setup["opened"] = site.tables[table].on_file is None or table in site.kept.open_tables
    setup["chips"] = chips_in_words(brief.setup) if brief and brief.setup else ""
    shown: dict[str, Any] = {"person": person, "csrf": csrf, "boot": setup, "table": site.tables[table], "kiosk": kiosk}
    shown["leave"] = guest.door().get("leave", "") if guest and kiosk else ""
    return page(request, "keypad.html", runtime, ("keypad",), **shown)


def _no_keypad(request: Request, runtime: Runtime, table: int, person: Person | None, csrf: str) -> Response:
    """Whoever has signed in here hears why that is not enough; what would be is the same for all."""
    why, signed = "", signed_in(request, runtime)
    if person is not None:
        alone = person.role in AT_ANY_TABLE and signed is not None and not signed[0].console
        why = "device.card_alone" if alone else "device.not_here"
    told: dict[str, Any] = {"person": person, "csrf": csrf, "why": why, "table": table}
    return page(request, "device.html", runtime, ("device",), then=f"/keypad/{table}", status=401, **told)


@router.get("/api/docs", response_model=None)
def api_docs(request: Request, runtime: TheRuntime) -> Response:
    person, csrf = who(request, runtime)
    return page(request, "api_docs.html", runtime, person=person, csrf=csrf)


@router.get("/design", response_model=None)
def design(request: Request, runtime: TheRuntime) -> Response:
    """Cards, chips and the parts of every page, for whoever draws new ones."""
    person, csrf = who(request, runtime)
    return page(request, "system.html", runtime, ("cards",), person=person, csrf=csrf)


# Cookies


class SignInForm(Form):
    card: Card
    pin: Annotated[StrictStr, Field(max_length=20)] | None = None


@router.post("/pages/sign-in")
def sign_in(form: SignInForm, request: Request, response: Response, runtime: TheRuntime) -> dict[str, Any]:
    check_page(request)
    signed = runtime.access.sign_in(form.card, form.pin, "", source_of(request))
    keep_session(runtime, request, response, SESSION_COOKIE, signed.token)
    return {**person_json(signed.person), "pin_to_change": signed.session.given}


class DealerForm(Form):
    card: Card | None = None
    person: Annotated[StrictStr, Field(max_length=64)] | None = None


@router.post("/pages/keypad/sign-in")
def dealer_sign_in(form: DealerForm, request: Request, response: Response, runtime: TheRuntime) -> dict[str, Any]:
    check_page(request)
    device = device_at(request, runtime, DeviceKind.KEYPAD)
    if device is None:
        sentence = "This browser is no longer a keypad: a manager enrolls it in the console, under Devices."
        raise ApiError(403, "no-keypad", sentence)
    signed = runtime.access.sign_in_keypad(form.card, form.person, device.id, f"device {device.id}")
    keep_session(runtime, request, response, DEALER_COOKIE, signed.token)
    return person_json(signed.person)


@router.post("/pages/sign-out")
def sign_out(request: Request, response: Response, runtime: TheRuntime) -> dict[str, bool]:
    """The session whose page it was pressed on; whoever else works in this browser goes on."""
    meant = signed_by(request, runtime.key)
    for name in PEOPLE:
        if request.cookies.get(name) in meant:
            _end_session(runtime, request, name)
            drop_cookie(response, name)
    return {"signed_out": True}


class BeatForm(Form):
    kind: DeviceKind


@router.post("/pages/beat")
def beat(form: BeatForm, request: Request, runtime: TheRuntime) -> dict[str, bool]:
    """The heartbeat of the keypad or display that this browser is; not heard where it is none."""
    check_page(request)
    device = device_at(request, runtime, form.kind) if form.kind in DEVICE_COOKIES else None
    if device is not None:
        health: HealthStore = request.app.state.health
        health.beat(device, Beat())
    return {"heard": device is not None}


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
    device, dealer = device_of(runtime, form.token), signed_in(request, runtime, DEALER_COOKIE)
    if device.kind not in DEVICE_COOKIES:
        sentence = f"This is the token of the {device.kind} {device.id}, which is no browser: give it to its program."
        raise ApiError(403, "no-page", sentence)
    if device.kind is DeviceKind.KEYPAD and dealer is not None and dealer[0].device != device.id:
        runtime.access.end(dealer[0])  # whoever worked at the keypad that this browser was
        drop_cookie(response, DEALER_COOKIE)
    set_device(runtime, request, response, device.kind, form.token)
    return {"device": device.id, "kind": str(device.kind)}


def set_device(runtime: Runtime, request: Request, response: Response, kind: DeviceKind, token: str) -> None:
    secure, seconds = is_secure(runtime.settings, request), DEVICE_DAYS * 86_400
    set_cookie(response, DEVICE_COOKIES[kind], token, secure=secure, seconds=seconds)


def _keep_device(runtime: Runtime, request: Request, response: Response) -> Response:
    """A device that is in use stays enrolled in its browser: its cookie's time begins anew."""
    for kind, name in DEVICE_COOKIES.items():
        if device_at(request, runtime, kind) is not None:
            set_device(runtime, request, response, kind, request.cookies[name])
    return response


def keep_session(runtime: Runtime, request: Request, response: Response, cookie: str, token: str) -> None:
    """Whoever was signed in there is so no more: nobody would sign that session out."""
    _end_session(runtime, request, cookie)
    set_cookie(response, cookie, SESSION + token, secure=is_secure(runtime.settings, request))


def _end_session(runtime: Runtime, request: Request, cookie: str) -> None:
    signed = signed_in(request, runtime, cookie)
    if signed is not None:
        runtime.access.end(signed[0])
