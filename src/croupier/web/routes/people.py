"""Routes of people: the first start, signing in and out."""

from __future__ import annotations

import hashlib
import hmac
from typing import Annotated, Any

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr

from croupier.errors import Refusal
from croupier.progressive import site_acts
from croupier.progressive.authority import CardToken, SiteKey, new_token
from croupier.progressive.people import Person
from croupier.progressive.writer import ID_REUSED
from croupier.web import answers
from croupier.web.access import SignedIn
from croupier.web.access_store import Session
from croupier.web.acting import Card
from croupier.web.answers import answer
from croupier.web.callers import SESSION, AnyCaller, Caller, Keypad, SignedInCaller, TheRuntime
from croupier.web.errors import ApiError
from croupier.web.runtime import Runtime
from croupier.web.views import entry_json

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
