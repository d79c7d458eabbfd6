"""Routes of people: the first start, signing in and out."""

from __future__ import annotations

import hashlib
import hmac
from typing import Annotated, Any

from fastapi import APIRouter, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, ValidationError
from starlette.concurrency import run_in_threadpool

from croupier.compliance.authority import CardToken, Power, Role, SiteKey, new_token, require
from croupier.errors import Refusal
from croupier.floor.link.lifecycle import LONGEST_LINK
from croupier.floor.link.setup import MOST_TABLES
from croupier.floor.people import DeviceKind, Person
from croupier.floor.site import acts as site_acts
from croupier.floor.writer import ID_REUSED
from croupier.ledger.entry import SITE
from croupier.web.cluster.runtime import Runtime
from croupier.web.errors import ApiError
from croupier.web.floor import answers
from croupier.web.floor.acts import Card, Id, Ticket, body_of
from croupier.web.floor.answers import answer
from croupier.web.floor.routes import LINK_ACTS, SITE_ACTS
from croupier.web.floor.views import entry_json
from croupier.web.identity.callers import (
    DEVICE,
    SESSION,
    AnyCaller,
    Caller,
    Keypad,
    SignedInCaller,
    TheRuntime,
    second_of,
)
from croupier.web.identity.sessions import SignedIn, check_pin
from croupier.web.identity.store import Session
from croupier.web.identity.tickets import SECOND_PERSON_S, TICKET, Agreed, digest_of

router = APIRouter(prefix="/api", tags=["people"])
Word = Annotated[StrictStr, Field(min_length=1, max_length=64)]
Pin = Annotated[StrictStr, Field(max_length=20, description="6 to 12 digits.")]


class Form(BaseModel):
    """What is sent; a name that is not known is refused."""

    model_config = ConfigDict(extra="forbid")


# The first start


class FirstStart(Form):
    """What makes a site: the one-time code from the server's console, the place, and its first manager."""

    code: Annotated[StrictStr, Field(max_length=64, description="As the server has printed it.")]
    title: Word
    profile: Annotated[Word, Field(examples=["washington"])]
    zone: Annotated[Word, Field(examples=["America/Los_Angeles"])]
    day_begins: Annotated[StrictInt, Field(ge=0, le=23, description="The local hour.")] = 6
    person: Annotated[Word, Field(description="The first manager's id.", examples=["max"])]
    name: Word
    pin: Pin
    card: Annotated[Card | None, Field(description="Of a card that is there; else a token is made and shown once.")] = (
        None
    )


@router.get("/first-start", summary="Whether the site has still to be created", response_model=answers.NeedsFirstStart)
def needs_first_start(runtime: TheRuntime) -> Response:
    return answer({"needed": not runtime.house.site.book.entries})


@router.post(
    "/first-start",
    summary="Create the site and its first manager, with the one-time code",
    response_model=answers.CardDone,
)
def first_start(form: FirstStart, caller: AnyCaller, runtime: TheRuntime) -> Response:
    """Until the first manager has signed in, the same request is answered with the first result, card included."""
    floor, code = runtime.leading(), _check_code(form.code, caller, runtime)
    card = CardToken(form.card or _first_card(runtime.key, code))
    act = site_acts.CreateSite(
        id="first-start",
        by=form.person,
        where=caller.where,
        title=form.title,
        profile=form.profile,
        name=form.name,
        card=floor.card_hash(card),
        zone=form.zone,
        day_begins=form.day_begins,
    )
    try:
        entry = runtime.pins.set(floor, act, form.person, form.pin)
    except Refusal as error:
        if error.code == ID_REUSED:  # it was created with other values
            raise _created() from None
        raise
    runtime.first_code = ""
    return answer({"entry": entry_json(entry), **({} if form.card else {"card": card.text})})


def _check_code(given: str, caller: Caller, runtime: Runtime) -> str:
    """The code as it was printed, where it is right and still counts."""
    code, created = runtime.sessions.first_code(), bool(runtime.house.site.book.entries)
    if not code:
        raise _created()
    if not hmac.compare_digest(given.encode(), code.encode()):
        runtime.access.check_place(caller.source)  # whoever has the code is not kept out by others who fail there
        runtime.access.fail_at(caller.source)
        raise (
            _created() if created else ApiError(403, "wrong-code", "This is not the code that the server has printed.")
        )
    return code


def _first_card(key: SiteKey, code: str) -> str:
    """Made from the code, so that the same request has the same card; as random as the site's key."""
    return hmac.new(key.secret, f"first card\n{code}".encode(), hashlib.sha256).hexdigest()


def _created() -> ApiError:
    return ApiError(409, "already-created", "The site has been created already.")


def made_or(given: str | None) -> tuple[CardToken, dict[str, str]]:
    """The card's token; one that was made is told, once."""
    if given is not None:
        return CardToken(given), {}
    made = new_token()
    return made, {"card": made.text}


# Signing in and out


class SignIn(Form):
    card: Card
    pin: Annotated[Pin | None, Field(description="For console work.")] = None


@router.post("/sign-in", summary="Sign in by card, and PIN for console work", response_model=answers.SignedInForm)
def sign_in(form: SignIn, caller: AnyCaller, runtime: TheRuntime) -> Response:
    return answer(signed_in_json(runtime.access.sign_in(form.card, form.pin, "", caller.source)))


class KeypadSignIn(Form):
    """A dealer at a keypad: by card, or by name where the dealer has none."""

    card: Card | None = None
    person: Word | None = None


@router.post("/keypad/sign-in", summary="Sign a dealer in at a keypad", response_model=answers.SignedInForm)
def sign_in_at_keypad(form: KeypadSignIn, keypad: Keypad, runtime: TheRuntime) -> Response:
    made = runtime.access.sign_in_keypad(form.card, form.person, keypad.id, f"device {keypad.id}")
    return answer(signed_in_json(made))


@router.post("/sign-out", summary="Sign out", response_model=answers.SignedOut)
def sign_out(caller: SignedInCaller, runtime: TheRuntime) -> Response:
    runtime.access.end(caller.in_session())
    return answer({"signed_out": True})


@router.get("/me", summary="Who has signed in", response_model=answers.MeForm)
def me(caller: SignedInCaller) -> Response:
    session = caller.in_session()
    return answer({**person_json(caller.known()), **_pin_json(session), "device": session.device or None})


def signed_in_json(made: SignedIn) -> dict[str, Any]:
    session = made.session
    return {
        **{"token": SESSION + made.token, **person_json(made.person), **_pin_json(session)},
        "ends": session.ends.isoformat() + "Z",
    }


def _pin_json(session: Session) -> dict[str, bool]:
    return {"console": session.console, "pin_to_change": session.given}


def person_json(person: Person) -> dict[str, Any]:
    return {"person": person.id, "name": person.name, "role": str(person.role)}


# Routes that make secrets: people and their cards, PINs, devices and their tokens.
#
# A secret is shown once, in the answer, and only its hash is kept. Whoever makes the secret and sends it along can
# send the whole request again; where the server makes it, a lost answer means a new card.

site_router = APIRouter(prefix="/api/site", tags=["people"])
FEWEST_RANDOM = 32
"""Characters of a device's token after `dev_`."""
ENROL, NEW_CARD, NEW_PIN = site_acts.EnrolPerson.kind, site_acts.ReplaceCard.kind, "set-pin"
NEW_DEVICE = site_acts.EnrolDevice.kind


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


@site_router.post(
    "/enrol-person",
    summary="Enrol a person; whoever is no dealer takes two managers",
    response_model=answers.CardDone,
)
async def enrol(form: Enrol, caller: SignedInCaller, runtime: TheRuntime) -> Response:
    manager = caller.may(Power.ENROL_PERSON)
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


@site_router.post("/replace-card", summary="Give a person a new card", response_model=answers.CardDone)
async def replace_card(form: NewCard, caller: SignedInCaller, runtime: TheRuntime) -> Response:
    manager = caller.may(Power.ENROL_PERSON)
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


async def _second(runtime: Runtime, caller: Caller, act: str, form: Enrol | NewCard | NewPin | EnrolDevice) -> str:
    second = await second_of(runtime, caller, act, form)
    return second.id if second else ""


class NewPin(Form):
    """A PIN: one's own, with the old one, or another person's, who has to choose another before it counts."""

    id: Id
    person: Word
    pin: Pin
    old_pin: Annotated[Pin | None, Field(description="To change one's own.")] = None
    second_ticket: Ticket | None = None


@site_router.post(
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
        require(person.role, Power.ENROL_PERSON)
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
    second_ticket: Ticket | None = None


@site_router.post(
    "/enrol-device",
    summary="Enrol a keypad, which takes two people, or a display; its token is shown once",
    response_model=answers.DeviceDone,
)
async def enrol_device(form: EnrolDevice, caller: SignedInCaller, runtime: TheRuntime) -> Response:
    manager = caller.may(Power.ENROL_DEVICE)
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
        second=await _second(runtime, caller, NEW_DEVICE, form),
    )
    entry = await run_in_threadpool(runtime.leading().do_site, act)
    return answer({"entry": entry_json(entry), **({} if form.token else {"token": token.text})})


# The route of a second person: card and PIN, read at the first person's console, for one act of two people.

OF_LINKS: dict[str, type[BaseModel]] = {
    act.kind: model for act, _, _ in LINK_ACTS if TICKET in (model := body_of(act)).model_fields
}
OF_SITE: dict[str, type[BaseModel]] = {
    **{act.kind: model for act, _, _ in SITE_ACTS if TICKET in (model := body_of(act)).model_fields},
    **{ENROL: Enrol, NEW_CARD: NewCard, NEW_PIN: NewPin, NEW_DEVICE: EnrolDevice},
}


class SecondPerson(Form):
    """Who agrees, and to what: the ticket counts for this very act under this id, and for no other."""

    card: Card
    pin: Pin
    act: Annotated[
        StrictStr,
        Field(max_length=64, description="As the act's route ends: `adjust`, `set-table`.", examples=["adjust"]),
    ]
    link: Annotated[StrictStr, Field(max_length=LONGEST_LINK, description="Of an act of a link.")] = ""
    id: Annotated[Id, Field(description="That the act will be sent with.")]
    body: Annotated[
        dict[str, Any],
        Field(description="The whole act as it will be sent, without the ticket, and as both have seen it."),
    ]


@router.post(
    "/second-person",
    summary="A second person's card and PIN, for one act of two people",
    response_model=answers.SecondForm,
)
def second_person(form: SecondPerson, caller: SignedInCaller, runtime: TheRuntime) -> Response:
    first = caller.with_pin()
    agreed = _agreed(form)
    person = runtime.access.check_second(form.card, form.pin, caller.place)
    if person.id == first.id:
        raise ApiError(403, "same-person", f"{person.name} is the first person: it takes two.")
    ticket = runtime.tickets.make(person, caller.in_session(), agreed)
    return answer({TICKET: ticket, **person_json(person), "seconds": SECOND_PERSON_S})


def _agreed(form: SecondPerson) -> Agreed:
    """What is agreed to, if there is such an act."""
    known = OF_LINKS if form.link else OF_SITE
    if form.act not in known:
        whose, listed = "a link" if form.link else "the site, which names no link,", ", ".join(sorted(known))
        raise ApiError(422, "wrong-form", f"act: of {whose} two people sign {listed}; not {form.act!r}.")
    if form.body.get("id") != form.id:
        raise ApiError(422, "wrong-form", "body.id: the act is sent with the id that the ticket is for.")
    try:
        body = known[form.act].model_validate({**form.body, TICKET: ""})
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)
        raise RequestValidationError([{**each, "loc": ("body", "body", *each["loc"])} for each in found]) from None
    return Agreed(form.act, form.link, form.id, digest_of(body))
