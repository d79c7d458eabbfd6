"""What the tests of signing in share."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from croupier.web.identity.store import utc
from tests.web.support import Room

WRONG = "908172"


class Clock:
    """The server's time of day, for sessions and waits: it passes when a test says so."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return utc() + self.ahead

    def later(self, **time: float) -> None:
        self.ahead += timedelta(**time)


def sign_in(room: Room, person: str, pin: str | None = None) -> Any:
    card = room.site.cards[person]
    return room.post("/api/sign-in", "", **({"card": card} if pin is None else {"card": card, "pin": pin}))


def me(room: Room, token: str) -> Any:
    return room.client.get("/api/me", headers={"Authorization": f"Bearer {token}"})


class PowerCut(BaseException):
    """Nothing is cleared up after it."""
