"""Routes of people: the first start, signing in and out."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, ValidationError
from starlette.concurrency import run_in_threadpool

from croupier.compliance.authority import CardToken, Power, Role, SiteKey, new_token, require
from croupier.compliance.profile import newest
from croupier.compliance.stripe import number_of
from croupier.errors import CroupierError, Refusal
from croupier.floor.agreement import Statement
from croupier.floor.link import acts
from croupier.floor.link.lifecycle import LONGEST_LINK
from croupier.floor.link.link import statement_of
from croupier.floor.link.setup import MOST_TABLES
from croupier.floor.people import DeviceKind, Person
from croupier.floor.site import acts as site_acts
from croupier.floor.site.values import check_clock, check_word
from croupier.floor.writer import ID_REUSED
from croupier.ledger.entry import SITE
from croupier.web.cluster.runtime import Runtime
from croupier.web.errors import ApiError
from croupier.web.floor import answers
from croupier.web.floor.acts import Body, Card, Id, Ticket, body_of
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
from croupier.web.identity.sessions import PinToSet, SignedIn, check_pin
from croupier.web.identity.store import SignedInSession
from croupier.web.identity.tickets import SECOND_PERSON_S, TICKET, Agreed, Second, digest_of

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
    """Until the first manager has signed in, the same request is answered with the first result, card included.

    Whatever is wrong with the values is told at once, by field.
    """
    floor = runtime.leading()
    code = _check_form(form, caller, runtime)
    card = _given_out(form.card or _first_card(runtime.key, code))
    own = PinToSet(form.person, form.pin, card.readings[-1])
    act = site_acts.CreateSite(
        id="first-start",
        by=form.person,
        where=caller.where,
        title=form.title,
        profile=newest(form.profile).name,
        name=form.name,
        card=floor.card_hash(card),
        zone=form.zone,
        day_begins=form.day_begins,
    )
    try:
        entry = runtime.pins.set(floor, act, own)
    except Refusal as error:
        if error.code == ID_REUSED:  # it was created with other values
            raise _created() from None
        raise
    runtime.first_code = ""
    return answer({"entry": entry_json(entry), **({} if form.card else {"card": card.text})})


def _check_form(form: FirstStart, caller: Caller, runtime: Runtime) -> str:
    """What the first card is made from; or everything that is wrong, the first with its own code if it is alone."""
    checks: dict[str, Callable[[], object]] = {
        "title": lambda: check_word("title", form.title),
        "profile": lambda: newest(form.profile),
        "zone": lambda: check_clock(form.zone, form.day_begins),
        "name": lambda: check_word("name", form.name),
        "person": lambda: check_word("person", form.person),
        "pin": lambda: check_pin(form.pin),
    }
    code, wrong = "", dict[str, CroupierError]()
    try:
        code = _check_code(form.code, caller, runtime)
    except ApiError as error:
        if error.code != "wrong-code":
            raise
        wrong["code"] = error
    for name, check in checks.items():
        try:
            check()
        except CroupierError as error:
            wrong[name] = error
    told = {name: str(error) for name, error in wrong.items()}
    if len(told) > 1:
        raise ApiError(422, "wrong-form", " ".join(told.values()), by_field=told)
    for alone in wrong.values():
        raise alone
    return code


def _check_code(given: str, caller: Caller, runtime: Runtime) -> str:
    """What the first card is made from, where the code is right and still counts."""
    secret, created = runtime.sessions.first_secret(), bool(runtime.house.site.book.entries)
    code = secret.partition(".")[0]
    if not code:
        raise _created()
    if not hmac.compare_digest(given.encode(), code.encode()):
        runtime.access.check_place(caller.source)  # whoever has the code is not kept out by others who fail there
        runtime.access.fail_at(caller.source)
        raise (
            _created() if created else ApiError(403, "wrong-code", "This is not the code that the server has printed.")
        )
    return secret


def _first_card(key: SiteKey, secret: str) -> str:
    """Made so that the same request has the same card. What it is made from is gone when its owner has signed in."""
    return number_of(int.from_bytes(hmac.digest(key.secret, f"first card\n{secret}".encode(), hashlib.sha256)))


def _created() -> ApiError:
    return ApiError(409, "already-created", "The site has been created already.")


# Signing in and out


class SignIn(Form):
    card: Card
    pin: Annotated[Pin | None, Field(description="For console work.")] = None


@router.post("/sign-in", summary="Sign in by card, and PIN for console work", response_model=answers.SignedInForm)
def sign_in(form: SignIn, caller: AnyCaller, runtime: TheRuntime) -> Response:
    return answer(signed_in_json(runtime.access.sign_in(form.card, form.pin, "", caller.source)))


class KeypadSignIn(Form):
    """A dealer at a keypad or a bridge: by card, or by name where the dealer has none."""

    card: Card | None = None
    person: Word | None = None


@router.post("/keypad/sign-in", summary="Sign a dealer in at a keypad", response_model=answers.SignedInForm)
def sign_in_at_keypad(form: KeypadSignIn, keypad: Keypad, runtime: TheRuntime) -> Response:
    session = runtime.access.sign_in_keypad(form.card, form.person, keypad.id, f"device {keypad.id}")
    return answer(signed_in_json(session))


@router.post("/sign-out", summary="Sign out", response_model=answers.SignedOut)
def sign_out(caller: SignedInCaller, runtime: TheRuntime) -> Response:
    runtime.access.end(caller.in_session())
    return answer({"signed_out": True})


@router.get("/me", summary="Who has signed in", response_model=answers.MeForm)
def me(caller: SignedInCaller) -> Response:
    session = caller.in_session()
    return answer({**person_json(caller.known()), **_pin_json(session), "device": session.device or None})


def signed_in_json(signed_in: SignedIn) -> dict[str, Any]:
    session = signed_in.session
    return {
        **{"token": SESSION + signed_in.token, **person_json(signed_in.person), **_pin_json(session)},
        "ends": session.ends.isoformat() + "Z",
    }


def _pin_json(session: SignedInSession) -> dict[str, bool]:
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
    until: Annotated[
        StrictStr,
        Field(max_length=40, description="Of an inspector alone: when it ends, UTC, as 2026-12-01T08:00:00.000000Z."),
    ] = ""
    second_ticket: Ticket | None = None


@site_router.post(
    "/enrol-person",
    summary="Enroll a person; whoever is no dealer takes two managers",
    response_model=answers.CardDone,
)
async def enrol(form: Enrol, caller: SignedInCaller, runtime: TheRuntime) -> Response:
    caller.may(Power.ENROL_PERSON)
    act, fresh_token = await _signed_act(runtime, caller, ENROL, form)
    if form.pin is None:
        entry = await run_in_threadpool(runtime.leading().do_site, act)
    else:
        entry = await run_in_threadpool(runtime.pins.set, runtime.leading(), act, PinToSet(form.person, form.pin))
    return answer({"entry": entry_json(entry), **({"card": fresh_token} if fresh_token else {})})


class NewCard(Form):
    """A new card for somebody whose old one is lost, worn or revoked."""

    id: Id
    person: Word
    card: Card | None = None
    second_ticket: Ticket | None = None


@site_router.post("/replace-card", summary="Give a person a new card", response_model=answers.CardDone)
async def replace_card(form: NewCard, caller: SignedInCaller, runtime: TheRuntime) -> Response:
    caller.may(Power.ENROL_PERSON)
    act, fresh_token = await _signed_act(runtime, caller, NEW_CARD, form)
    entry = await run_in_threadpool(runtime.leading().do_site, act)
    return answer({"entry": entry_json(entry), **({"card": fresh_token} if fresh_token else {})})


class NewPin(Form):
    """A PIN: one's own, with the old one, or another person's, who has to choose another before it counts."""

    id: Id
    person: Word
    pin: Pin
    old_pin: Annotated[Pin | None, Field(description="To change one's own.")] = None
    card: Annotated[
        Card | None,
        Field(description="One's own card, for one's own PIN: the two make the key with which one agrees."),
    ] = None
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
        await run_in_threadpool(_check_own, runtime, caller, form)
    else:
        require(person.role, Power.ENROL_PERSON)
    act, _ = await _signed_act(runtime, caller, NEW_PIN, form)
    card = CardToken(form.card).as_enrolled(runtime.key, person.card) if own and form.card is not None else None
    new = PinToSet(form.person, form.pin, card)
    entry = await run_in_threadpool(runtime.pins.set, runtime.leading(), act, new)
    return answer({"entry": entry_json(entry)})


def _check_own(runtime: Runtime, caller: Caller, form: NewPin) -> None:
    """The old one, unless it was changed by this very request before: then it is the old one no more."""
    if runtime.reading.by_command(SITE, form.id) is None:
        runtime.access.check_own_pin(form.person, form.old_pin or "")
        if form.card is None:
            sentence = "card: read your own card once more. With the PIN it makes the key with which you agree."
            raise ApiError(422, "card-needed", sentence)
        if runtime.access.check_card(form.card, None, caller.place).id != form.person:
            raise ApiError(403, "other-card", "This is another person's card: read your own.")
    if form.pin == form.old_pin:
        raise ApiError(422, "same-pin", "This is the present PIN: choose another.")


# Devices


class EnrolDevice(Form):
    """A keypad or a bridge for a table, or a display for a link or the whole site."""

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
    summary="Enroll a keypad or a bridge, which takes two people, or a display; its token is shown once",
    response_model=answers.DeviceDone,
)
async def enrol_device(form: EnrolDevice, caller: SignedInCaller, runtime: TheRuntime) -> Response:
    caller.may(Power.ENROL_DEVICE)
    act, fresh_token = await _signed_act(runtime, caller, NEW_DEVICE, form)
    entry = await run_in_threadpool(runtime.leading().do_site, act)
    return answer({"entry": entry_json(entry), **({"token": fresh_token} if fresh_token else {})})


# What these forms come to. A second person agrees to the card or token too: where the server makes one, it does so when
# the second person agrees, and the ticket brings it along.

SecretForm = Enrol | NewCard | NewPin | EnrolDevice


async def _signed_act(runtime: Runtime, caller: Caller, act: str, form: SecretForm) -> tuple[site_acts.OfTwo, str]:
    """The act of a form, by whoever has signed in and the second person; and the token that was made for it, if any."""
    second = await second_of(runtime, caller, act, form)
    fresh_token = second.made if second and second.made else made_for(form)
    runtime.leading()
    return act_of_form(
        runtime.key, form, fresh_token, by=caller.known(), second=second, where=caller.where
    ), fresh_token


def made_for(form: BaseModel) -> str:
    """A token for the card or device that a form gives out and names none for; nothing where it needs none."""
    match form:
        case Enrol(card=None, without_card=False) | NewCard(card=None):
            return new_token().text
        case EnrolDevice(token=None):
            return DEVICE + secrets.token_hex(32)
    return ""


def _given_out(card: str) -> CardToken:
    """A card for somebody: one that was not read right would never be known again."""
    token = CardToken(card)
    token.check_read()
    return token


def act_of_form(
    key: SiteKey, form: SecretForm, fresh_token: str, *, by: Person, second: Second | None, where: str = ""
) -> site_acts.OfTwo:
    signed: dict[str, Any] = {"id": form.id, "by": by.id, "where": where}
    if second is not None:
        signed |= {"second": second.person.id, "agreed": second.agreed}
    match form:
        case Enrol():
            card = "" if form.without_card else _given_out(form.card or fresh_token).hash(key)
            values: dict[str, Any] = {"person": form.person, "name": form.name, "role": form.role, "card": card}
            return site_acts.EnrolPerson(**signed, **values, with_pin=form.pin is not None, until=form.until)
        case NewCard():
            return site_acts.ReplaceCard(
                **signed, person=form.person, card=_given_out(form.card or fresh_token).hash(key)
            )
        case NewPin():
            return site_acts.NotePin(**signed, person=form.person)
        case EnrolDevice():
            token = CardToken(form.token or fresh_token).hash(key)
            values = {"device": form.device, "device_kind": form.kind, "name": form.name, "token": token}
            return site_acts.EnrolDevice(**signed, **values, table=form.table, link=form.link)


# The route of a second person: card and PIN, read at the first person's console, for one act of two people.

OF_LINKS: dict[str, type[BaseModel]] = {
    act.kind: model for act, _, _ in LINK_ACTS if TICKET in (model := body_of(act)).model_fields
}
LINK_ACT: dict[str, type[acts.OfTwo]] = {act.kind: act for act, _, _ in LINK_ACTS if issubclass(act, acts.OfTwo)}
SITE_ACT: dict[str, type[site_acts.OfTwo]] = {
    act.kind: act for act, _, _ in SITE_ACTS if issubclass(act, site_acts.OfTwo)
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
    body = _body(form)
    person = runtime.access.check_second(form.card, form.pin, caller.place)
    if person.id == first.id:
        raise ApiError(403, "same-person", f"{person.name} is the first person: it takes two.")
    fresh_token = made_for(body)
    statement = _statement(runtime.key, form, body, fresh_token, first=first, second=person)
    card = CardToken(form.card).as_enrolled(runtime.key, person.card)
    second = Second(person, runtime.tickets.sign(person, card, form.pin, statement), fresh_token)
    agreed = Agreed(form.act, form.link, form.id, digest_of(body))
    ticket = runtime.tickets.make(second, caller.in_session(), agreed)
    return answer({TICKET: ticket, **person_json(person), "seconds": SECOND_PERSON_S})


def _statement(
    key: SiteKey, form: SecondPerson, body: BaseModel, fresh_token: str, *, first: Person, second: Person
) -> Statement:
    """What is signed: the act as the book will have it."""
    if isinstance(body, SecretForm):
        return act_of_form(key, body, fresh_token, by=first, second=Second(second)).statement()
    assert isinstance(body, Body)
    if not form.link:
        signed_values: dict[str, Any] = {**body.values(), "by": first.id, "second": second.id}
        return SITE_ACT[form.act](**signed_values).statement()
    act, values = LINK_ACT[form.act], {**body.values(), "by": first.signed, "second": second.signed}
    if act is acts.MakeLink:
        values["link"] = form.link
    if act is acts.Receive:  # which entry it is follows from the retired link
        values["entry"] = {}
    return statement_of(act(**values), form.link)


def _body(form: SecondPerson) -> BaseModel:
    """The act that is agreed to, if there is such an act."""
    known = OF_LINKS if form.link else OF_SITE
    if form.act not in known:
        whose, listed = "a link" if form.link else "the site, which names no link,", ", ".join(sorted(known))
        raise ApiError(422, "wrong-form", f"act: of {whose} two people sign {listed}; not {form.act!r}.")
    if form.body.get("id") != form.id:
        raise ApiError(422, "wrong-form", "body.id: the act is sent with the id that the ticket is for.")
    try:
        return known[form.act].model_validate({**form.body, TICKET: ""})
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False, include_context=False)
        raise RequestValidationError([{**fault, "loc": ("body", "body", *fault["loc"])} for fault in faults]) from None
