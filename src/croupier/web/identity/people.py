"""Routes of everybody who works here: PINs still to be chosen, who came last when, who is signed in where."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field, StrictStr

from croupier.compliance.authority import Power
from croupier.floor.people import Device, Person
from croupier.web.cluster.runtime import Runtime
from croupier.web.errors import ApiError
from croupier.web.floor.answers import answer
from croupier.web.identity.callers import SignedInCaller, TheRuntime
from croupier.web.identity.sessions import name_of
from croupier.web.identity.store import SignedInSession

router = APIRouter(prefix="/api/people", tags=["people"])
OWN, GIVEN, NONE = "own", "given", "none"
"""A PIN that its owner has chosen, one that somebody else has set, none."""


class SessionForm(BaseModel):
    """Where somebody is signed in now."""

    session: Annotated[str, Field(description="What it is called; its token does not follow from that.")]
    device: str | None
    table: int | None
    console: Annotated[bool, Field(description="With a PIN of one's own.")]
    began: str
    ends: Annotated[str, Field(description="Unless it is used: then it goes on.")]
    own: Annotated[bool, Field(description="Whether it is the one that asks.")]


class WorkerForm(BaseModel):
    person: str
    name: str
    role: str
    active: bool
    has_card: bool
    until: Annotated[str | None, Field(description="When the span of an inspector ends.")]
    lacks_key: Annotated[bool, Field(description="Would be a second person, and has no key yet to agree with.")]
    pin: Annotated[str, Field(description="own, given (somebody else has set it: it is to be changed first), or none.")]
    last_sign_in: str | None
    last_where: str | None
    sessions: list[SessionForm]


class WorkersForm(BaseModel):
    many_tables: Annotated[bool, Field(description="Whether a dealer may be signed in at several tables at once.")]
    people: list[WorkerForm]


@router.get("", summary="Everybody, with PIN, last sign-in and sessions", response_model=WorkersForm)
def get_people(runtime: TheRuntime, caller: SignedInCaller) -> Response:
    caller.may(Power.READ_LEDGER)
    site, sessions = runtime.house.site, dict[str, list[SignedInSession]]()
    for session in runtime.access.going_on():
        sessions.setdefault(session.person, []).append(session)
    pins = {pin.person: GIVEN if pin.given else OWN for pin in runtime.sessions.all_pins()}
    asking = name_of(caller.in_session())
    listed = [
        _worker(runtime, person, pins.get(person.id, NONE), sessions.get(person.id, []), asking)
        for person in site.people
    ]
    return answer({"many_tables": site.many_tables, "people": listed})


def _worker(runtime: Runtime, person: Person, pin: str, sessions: list[SignedInSession], asking: str) -> dict[str, Any]:
    site = runtime.house.site
    last_at, last_where = site.people.seen.get(person.id, (None, None))
    return {
        **{"person": person.id, "name": person.name, "role": str(person.role), "active": person.active},
        "until": person.until or None,
        **{"has_card": bool(person.card), "lacks_key": site.lacks_key(person), "pin": pin},
        **{"last_sign_in": last_at, "last_where": last_where},
        "sessions": [_session(session, site.devices.get(session.device), asking) for session in sessions],
    }


def _session(session: SignedInSession, device: Device | None, asking: str) -> dict[str, Any]:
    return {
        **{"session": name_of(session), "device": session.device or None, "console": session.console},
        **{"table": device.table if device else None, "own": name_of(session) == asking},
        **{"began": session.began.isoformat() + "Z", "ends": session.ends.isoformat() + "Z"},
    }


class EndForm(BaseModel):
    """Which session is ended, as it is called in the list."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"session": "00c0ffee00c0ffee"}]})
    session: Annotated[StrictStr, Field(min_length=16, max_length=16)]


class EndedForm(BaseModel):
    ended: bool
    person: str


@router.post("/end-session", summary="End somebody's session, which is on record", response_model=EndedForm)
def end_session(form: EndForm, runtime: TheRuntime, caller: SignedInCaller) -> Response:
    """Whoever was signed in there signs in again; a card that is to count no more is revoked."""
    by = caller.may(Power.REVOKE_CARD)
    runtime.leading()
    for session in runtime.access.going_on():
        if name_of(session) == form.session:
            own = session.person == by.id
            ended = runtime.access.end(session, "signed-out" if own else "ended", by="" if own else by.id)
            return answer({"ended": ended, "person": session.person})
    raise ApiError(404, "no-session", "This session has ended already: the list shows those that go on.")
