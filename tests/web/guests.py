"""People whom the room of `support` has not by itself: an inspector for a span of days, and a cashier of the cage.

Each is enrolled by two, with card and PIN, and signed in."""

from __future__ import annotations

import time
from typing import Any

from croupier.compliance.authority import CardToken, Role
from croupier.floor.site import acts
from croupier.ledger.clock import written
from support.room import card
from tests.web.support import PINS, Room, agreed, done

INA, CAS = "ina", "cas"
PIN = "305718"
A_DAY_S = 86_400.0


def enrol_inspector(room: Room, days: float = 14.0, *, signed_in: bool = True) -> str:
    """Until when."""
    until = written(time.time() + days * A_DAY_S)
    _enrol(room, INA, "Ina", Role.INSPECTOR, until, signed_in=signed_in)
    return until


def enrol_cashier(room: Room) -> None:
    _enrol(room, CAS, "Cas", Role.CASHIER)


def _enrol(room: Room, person: str, name: str, role: Role, until: str = "", *, signed_in: bool = True) -> None:
    runtime, token = room.app.state.runtime, CardToken(card(person))
    signed = {"id": f"enrol-{person}", "by": "max", "second": "mia", "person": person, "name": name}
    values: dict[str, Any] = {**signed, "role": role, "card": token.hash(runtime.key), "until": until}
    floor = runtime.leading()
    floor.do_site(agreed(runtime, acts.EnrolPerson(**values)))
    floor.do_site(acts.NotePin(id=f"pin-{person}", by=person, person=person))
    runtime.access.set_pin(person, PIN)
    room.site.cards[person] = token.text
    if signed_in:
        room.site.tokens[person] = done(room.post("/api/sign-in", "", card=token.text, pin=PIN))["token"]
        room.site.tokens[f"{person} card"] = done(room.post("/api/sign-in", "", card=token.text))["token"]


assert not {INA, CAS} & set(PINS), "nobody of the room is called so"
