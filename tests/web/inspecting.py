"""An inspector in the room of `support`: enrolled by two for a span of days, with card and PIN, and signed in."""

from __future__ import annotations

import time
from typing import Any

from croupier.compliance.authority import CardToken, Role
from croupier.floor.site import acts
from croupier.ledger.clock import written
from support.room import card
from tests.web.support import PINS, Room, agreed, done

INA, PIN = "ina", "305718"
A_DAY_S = 86_400.0


def enrol_inspector(room: Room, days: float = 14.0, *, signed_in: bool = True) -> str:
    """Until when."""
    runtime, until = room.app.state.runtime, written(time.time() + days * A_DAY_S)
    floor, token = runtime.leading(), CardToken(card(INA))
    signed = {"id": "enrol-ina", "by": "max", "second": "mia", "person": INA, "name": "Ina"}
    values: dict[str, Any] = {**signed, "role": Role.INSPECTOR, "card": token.hash(runtime.key), "until": until}
    act = acts.EnrolPerson(**values)
    floor.do_site(agreed(runtime, act))
    floor.do_site(acts.NotePin(id="pin-ina", by=INA, person=INA))
    runtime.access.set_pin(INA, PIN)
    room.site.cards[INA] = token.text
    if signed_in:
        room.site.tokens[INA] = done(room.post("/api/sign-in", "", card=token.text, pin=PIN))["token"]
        room.site.tokens[f"{INA} card"] = done(room.post("/api/sign-in", "", card=token.text))["token"]
    return until


assert INA not in PINS, "nobody of the room is called so"
