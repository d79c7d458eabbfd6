"""Routes that make secrets: people and their cards, PINs, devices and their tokens.

A secret is shown once, in the answer, and only its hash is kept. Whoever makes the secret and sends it along can send
the whole request again; where the server makes it, a lost answer means a new card.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import Field, StrictBool, StrictInt, StrictStr
from starlette.concurrency import run_in_threadpool

from croupier.progressive import site_acts
from croupier.progressive.authority import Act, CardToken, Role, new_token, require
from croupier.progressive.devices import DeviceKind
from croupier.progressive.setup import MOST_TABLES
from croupier.progressive.site import STREAM as SITE
from croupier.web import answers
from croupier.web.access import check_pin
from croupier.web.acting import Card, Id, Ticket
from croupier.web.answers import answer
from croupier.web.callers import DEVICE, Caller, SignedInCaller, TheRuntime, second_of
from croupier.web.errors import ApiError
from croupier.web.routes.people import Form, Pin, Word, made_or
from croupier.web.runtime import Runtime
from croupier.web.views import entry_json

router = APIRouter(prefix="/api/site", tags=["people"])
FEWEST_RANDOM = 32
"""Characters of a device's token after `dev_`."""
ENROL, NEW_CARD, NEW_PIN = site_acts.EnrolPerson.kind, site_acts.ReplaceCard.kind, "set-pin"


class Enrol(Form):
    """A person, with a card that is there already, one that is made here, or none."""

    id: Id
    person: Word
    name: Word
    role: Role
    card: Card | None = None
    without_card: Annotated[StrictBool, Field(description="A dealer who works at the keypad only.")] = False
    pin: Pin | None = None
    second_ticket: Ticket | None = None


@router.post(
    "/enrol-person",
    summary="Enrol a person; whoever is no dealer takes two managers",
    response_model=answers.CardDone,
)
async def enrol(form: Enrol, caller: SignedInCaller, runtime: TheRuntime) -> Response:
    manager = caller.may(Act.ENROL_PERSON)
    card, shown = ("", {}) if form.without_card else _hashed(runtime, form.card)
    act = site_acts.EnrolPerson(
        id=form.id,
        by=manager.id,
        where=caller.where,
        person=form.person,
        name=form.name,
        role=form.role,
        card=card,
        second=await _second(runtime, caller, ENROL, form),
    )
    if form.pin is None:
        entry = await run_in_threadpool(runtime.leading().do_site, act)
    else:
        entry = await run_in_threadpool(runtime.pins.set, runtime.leading(), act, form.person, form.pin)
    return answer({"entry": entry_json(entry), **shown})


class NewCard(Form):
    """A new card for somebody whose old one is lost, worn or revoked."""

    id: Id
    person: Word
    card: Card | None = None
    second_ticket: Ticket | None = None


@router.post("/replace-card", summary="Give a person a new card", response_model=answers.CardDone)
async def replace_card(form: NewCard, caller: SignedInCaller, runtime: TheRuntime) -> Response:
    manager = caller.may(Act.ENROL_PERSON)
    card, shown = _hashed(runtime, form.card)
    second = await _second(runtime, caller, NEW_CARD, form)
    act = site_acts.ReplaceCard(
        id=form.id, by=manager.id, where=caller.where, person=form.person, card=card, second=second
    )
    entry = await run_in_threadpool(runtime.leading().do_site, act)
    return answer({"entry": entry_json(entry), **shown})


def _hashed(runtime: Runtime, given: str | None) -> tuple[str, dict[str, str]]:
    card, shown = made_or(given)
    return runtime.leading().card_hash(card), shown


async def _second(runtime: Runtime, caller: Caller, act: str, form: Enrol | NewCard | NewPin) -> str:
    second = await second_of(runtime, caller, act, form)
    return second.id if second else ""


class NewPin(Form):
    """A PIN: one's own, with the old one, or another person's, who has to choose another before it counts."""

    id: Id
    person: Word
    pin: Pin
    old_pin: Annotated[Pin | None, Field(description="To change one's own.")] = None
    second_ticket: Ticket | None = None


@router.post(
    "/set-pin",
    summary="Set a PIN: one's own with the old one, or another's, which takes two unless it is a dealer's",
    response_model=answers.EntryDone,
)
async def set_pin(form: NewPin, caller: SignedInCaller, runtime: TheRuntime) -> Response:
    own = form.person == caller.known().id
    person = caller.with_any_pin() if own else caller.with_pin()
    check_pin(form.pin)
    if own:
        await run_in_threadpool(_check_own, runtime, form)
    else:
        require(person.role, Act.ENROL_PERSON)
    second = await _second(runtime, caller, NEW_PIN, form)
    act = site_acts.NotePin(id=form.id, by=person.id, where=caller.where, person=form.person, second=second)
    entry = await run_in_threadpool(runtime.pins.set, runtime.leading(), act, form.person, form.pin)
    return answer({"entry": entry_json(entry)})


def _check_own(runtime: Runtime, form: NewPin) -> None:
    """The old one, unless it was changed by this very request before: then it is the old one no more."""
    if runtime.reading.by_command(SITE, form.id) is None:
        runtime.access.check_own_pin(form.person, form.old_pin or "")
    if form.pin == form.old_pin:
        raise ApiError(422, "same-pin", "This is the present PIN: choose another.")


# Devices


class EnrolDevice(Form):
    """A keypad for a table, or a display for a link or the whole site."""

    id: Id
    device: Word
    kind: DeviceKind
    name: Word
    table: Annotated[StrictInt, Field(ge=1, le=MOST_TABLES)] | None = None
    link: Annotated[StrictStr, Field(max_length=64)] = ""
    token: Annotated[
        StrictStr | None,
        Field(
            description="Made by the client: `dev_` and 32 to 200 random letters and digits. Else one is made here.",
            pattern=rf"^{DEVICE}[A-Za-z0-9]{{{FEWEST_RANDOM},200}}$",
        ),
    ] = None


@router.post(
    "/enrol-device",
    summary="Enrol a keypad or a display; its token is shown once",
    response_model=answers.DeviceDone,
)
async def enrol_device(form: EnrolDevice, caller: SignedInCaller, runtime: TheRuntime) -> Response:
    manager = caller.may(Act.ENROL_DEVICE)
    token = CardToken(form.token or DEVICE + new_token().text)
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
    return answer({"entry": entry_json(entry), **({} if form.token else {"token": token.text})})
