"""Routes of people and devices: the first start, signing in and out, enrolling, cards, PINs, tokens.

Secrets are made here and shown once: a card's token to be written on a card, a device's token to be typed into it.
"""

from __future__ import annotations

import hmac
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr
from starlette.concurrency import run_in_threadpool

from croupier.progressive import site_acts
from croupier.progressive.authority import Act, CardToken, Role, new_token, require
from croupier.progressive.devices import DeviceKind
from croupier.progressive.people import Person
from croupier.web.access import SECOND_PERSON_S, SignedIn, check_pin
from croupier.web.callers import DEVICE, SESSION, Keypad, SignedInCaller, TheRuntime
from croupier.web.errors import ApiError
from croupier.web.runtime import Runtime
from croupier.web.views import entry_json

router = APIRouter(prefix="/api")
Word = Annotated[StrictStr, Field(min_length=1, max_length=64)]
Card = Annotated[StrictStr, Field(max_length=256, description="A card's token, as the reader types it.")]
Pin = Annotated[StrictStr, Field(max_length=20)]


class Form(BaseModel):
    model_config = ConfigDict(extra="forbid")


# The first start


class FirstStart(Form):
    """What makes a site: the one-time code from the server's console, the place, and its first manager."""

    code: StrictStr
    title: Word
    profile: Word
    zone: Word
    day_begins: StrictInt = 6
    person: Word
    name: Word
    pin: Pin
    card: Card | None = None
    """Of a card that is there already; without one, a token is made and shown once."""


@router.get("/first-start", summary="Whether the site has still to be created")
def needs_first_start(runtime: TheRuntime) -> dict[str, bool]:
    return {"needed": not runtime.house.site.book.entries}


@router.post("/first-start", summary="Create the site and its first manager, with the one-time code")
def first_start(form: FirstStart, request: Request, runtime: TheRuntime) -> dict[str, Any]:
    floor, source = runtime.leading(), source_of(request)
    runtime.access.check_wait(f"from {source}")
    if not runtime.first_code or floor.site.book.entries:
        raise ApiError(409, "already-created", "The site has been created already.")
    if not hmac.compare_digest(form.code.encode(), runtime.first_code.encode()):
        runtime.access.fail(f"from {source}")
        raise ApiError(403, "wrong-code", "This is not the one-time code that the server has printed.")
    check_pin(form.pin)
    card, shown = _card(form.card)
    entry = floor.do_site(
        site_acts.CreateSite(
            id="first-start",
            by=form.person,
            title=form.title,
            profile=form.profile,
            name=form.name,
            card=floor.card_hash(card),
            zone=form.zone,
            day_begins=form.day_begins,
        )
    )
    runtime.first_code = ""
    runtime.access.set_pin(form.person, form.pin)
    return {"entry": entry_json(entry), **shown}


def _card(given: str | None) -> tuple[CardToken, dict[str, str]]:
    """The card's token; one that was made is told, once."""
    if given is not None:
        return CardToken(given), {}
    made = new_token()
    return made, {"card": made.text}


# Signing in and out


class SignIn(Form):
    card: Card
    pin: Pin | None = None
    """For console work."""


@router.post("/sign-in", summary="Sign in by card, and PIN for console work")
def sign_in(form: SignIn, request: Request, runtime: TheRuntime) -> dict[str, Any]:
    return signed_in_json(runtime.access.sign_in(form.card, form.pin, "", source_of(request)))


class KeypadSignIn(Form):
    """A dealer at a keypad: by card, or by name where the dealer has none."""

    card: Card | None = None
    person: Word | None = None


@router.post("/keypad/sign-in", summary="Sign a dealer in at a keypad")
def sign_in_at_keypad(form: KeypadSignIn, request: Request, keypad: Keypad, runtime: TheRuntime) -> dict[str, Any]:
    if form.card is not None:
        return signed_in_json(runtime.access.sign_in(form.card, None, keypad.id, source_of(request)))
    if form.person is None:
        raise ApiError(422, "wrong-form", "Sign in with a card, or with a dealer's name.")
    person = runtime.person(form.person)
    if person.role is not Role.DEALER or person.card:
        raise ApiError(403, "card-needed", f"{person.name} signs in with a card.")
    return signed_in_json(runtime.access.sign_in_at(person, keypad.id))


@router.post("/sign-out", summary="Sign out")
def sign_out(request: Request, caller: SignedInCaller, runtime: TheRuntime) -> dict[str, bool]:
    runtime.access.end(caller.in_session())
    return {"signed_out": True}


@router.get("/me", summary="Who has signed in")
def me(caller: SignedInCaller) -> dict[str, Any]:
    session = caller.in_session()
    assert caller.person is not None
    return {**person_json(caller.person), "console": session.console, "device": session.device or None}


class SecondPerson(Form):
    card: Card
    pin: Pin | None = None


@router.post("/second-person", summary="A second person's card, for an act of two people")
def second_person(form: SecondPerson, request: Request, caller: SignedInCaller, runtime: TheRuntime) -> dict[str, Any]:
    first = caller.with_pin()
    person = runtime.access.check_card(form.card, form.pin, source_of(request))
    if person.id == first.id:
        raise ApiError(403, "same-person", f"{person.name} is the first person: it takes two.")
    ticket = runtime.access.second_ticket(person, caller.in_session())
    return {"second_ticket": ticket, **person_json(person), "seconds": SECOND_PERSON_S}


def signed_in_json(made: SignedIn) -> dict[str, Any]:
    session = made.session
    return {
        **{"token": SESSION + made.token, **person_json(made.person), "console": session.console},
        "ends": session.ends.isoformat() + "Z",
    }


def person_json(person: Person) -> dict[str, Any]:
    return {"person": person.id, "name": person.name, "role": str(person.role)}


def source_of(request: Request) -> str:
    """Where the request comes from; behind a proxy that is believed, uvicorn has put the client there."""
    return request.client.host if request.client else "unknown"


# Enrolling people


class Enrol(Form):
    id: Word
    person: Word
    name: Word
    role: Role
    card: Card | None = None
    without_card: bool = False
    """A dealer who works at the keypad only."""
    pin: Pin | None = None
    second_ticket: StrictStr | None = None


@router.post("/site/enrol-person", summary="Enrol a person; from the supervisor up it takes two managers")
async def enrol(form: Enrol, caller: SignedInCaller, runtime: TheRuntime) -> dict[str, Any]:
    manager = caller.may(Act.ENROL_PERSON)
    if form.pin is not None:
        check_pin(form.pin)
    card, shown = ("", {}) if form.without_card else _hashed(runtime, form.card)
    act = site_acts.EnrolPerson(
        id=form.id,
        by=manager.id,
        where=caller.where,
        person=form.person,
        name=form.name,
        role=form.role,
        card=card,
        second=_second_of(runtime, caller, form.second_ticket),
    )
    entry = await run_in_threadpool(runtime.leading().do_site, act)
    if form.pin is not None:
        await run_in_threadpool(runtime.access.set_pin, form.person, form.pin)
    return {"entry": entry_json(entry), **shown}


class NewCard(Form):
    id: Word
    person: Word
    card: Card | None = None
    second_ticket: StrictStr | None = None


@router.post("/site/replace-card", summary="Give a person a new card")
async def replace_card(form: NewCard, caller: SignedInCaller, runtime: TheRuntime) -> dict[str, Any]:
    manager = caller.may(Act.ENROL_PERSON)
    card, shown = _hashed(runtime, form.card)
    second = _second_of(runtime, caller, form.second_ticket)
    act = site_acts.ReplaceCard(
        id=form.id, by=manager.id, where=caller.where, person=form.person, card=card, second=second
    )
    entry = await run_in_threadpool(runtime.leading().do_site, act)
    return {"entry": entry_json(entry), **shown}


def _hashed(runtime: Runtime, given: str | None) -> tuple[str, dict[str, str]]:
    card, shown = _card(given)
    return runtime.leading().card_hash(card), shown


def _second_of(runtime: Runtime, caller: SignedInCaller, ticket: str | None) -> str:
    return runtime.access.second_person(ticket, caller.in_session()).id if ticket else ""


class NewPin(Form):
    id: Word
    person: Word
    pin: Pin
    old_pin: Pin | None = None
    """To change one's own."""


@router.post("/site/set-pin", summary="Set a PIN: one's own with the old one, or another's as a manager")
async def set_pin(form: NewPin, caller: SignedInCaller, runtime: TheRuntime) -> dict[str, Any]:
    person = caller.with_pin()
    check_pin(form.pin)
    if form.person == person.id:
        await run_in_threadpool(runtime.access.check_own_pin, person.id, form.old_pin or "")
    else:
        require(person.role, Act.ENROL_PERSON)
    act = site_acts.NotePin(id=form.id, by=person.id, where=caller.where, person=form.person)
    entry = await run_in_threadpool(runtime.leading().do_site, act)
    await run_in_threadpool(runtime.access.set_pin, form.person, form.pin)
    return {"entry": entry_json(entry)}


# Devices


class EnrolDevice(Form):
    id: Word
    device: Word
    kind: DeviceKind
    name: Word
    table: StrictInt | None = None
    link: StrictStr = ""


@router.post("/site/enrol-device", summary="Enrol a keypad or a display; its token is shown once")
async def enrol_device(form: EnrolDevice, caller: SignedInCaller, runtime: TheRuntime) -> dict[str, Any]:
    manager = caller.may(Act.ENROL_DEVICE)
    token = CardToken(DEVICE + new_token().text)
    act = site_acts.EnrolDevice(
        id=form.id,
        by=manager.id,
        where=caller.where,
        device=form.device,
        device_kind=form.kind,
        name=form.name,
        token=runtime.leading().card_hash(token),
        table=form.table,
        link=form.link,
    )
    entry = await run_in_threadpool(runtime.leading().do_site, act)
    return {"entry": entry_json(entry), "token": token.text}
