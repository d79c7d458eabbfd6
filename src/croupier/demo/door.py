"""The demo's part in the front door: its meters for anybody, and every role with one press instead of a printed card.

A press signs somebody of the demo in as their card and PIN would: it is an ordinary session, and on record. A real
site has none of these routes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field, StrictStr

from croupier.compliance.authority import Role
from croupier.demo.room import DISPLAYS, FREE_DEALER, FREE_TABLE, KEYPADS, LINK, DemoSecrets
from croupier.errors import UnknownName
from croupier.floor.people import DeviceKind
from croupier.web.floor.views import summary_json
from croupier.web.games.play import ThePlay, is_nobody
from croupier.web.identity.callers import BOUNDS, AnyCaller, TheRuntime, source_of
from croupier.web.identity.cookies import DEALER_COOKIE, DEVICE_COOKIES, SESSION_COOKIE, check_page, drop_cookie
from croupier.web.pages.router import keep_session, set_device, sign_out
from croupier.web.transport.clients import Rate

ROLES = {
    "manager": ("Manager", "max", "/console"),
    "dealer": ("Dealer", FREE_DEALER, f"/keypad/{FREE_TABLE}"),
    "supervisor": ("Supervisor", "sue", "/console"),
    "executive": ("Executive", "eve", "/console"),
    "cashier": ("Cage", "cas", BOUNDS[Role.CASHIER].home),
    "auditor": ("Auditor", "aud", "/console/proof"),
    "inspector": ("Inspector", "ina", BOUNDS[Role.INSPECTOR].home),
}
"""By key: its name, who it is, and where one begins. A dealer works at a keypad, whose browser this one becomes."""
DISPLAY = "display"
LEAVE = "/pages/demo/leave"
ENTRIES = 60
"""A minute, from one place: a PIN takes long to check."""


class Enter(BaseModel):
    model_config = ConfigDict(extra="forbid")
    role: Annotated[StrictStr, Field(max_length=20)]


class Levels(BaseModel):
    """The demo's link, for anybody who looks."""

    link: str
    title: str
    status: str
    levels: list[dict[str, Any]]


class DemoDoor:
    """What the demo shows at the front, and whom it lets in."""

    def __init__(self, secrets: DemoSecrets) -> None:
        self._secrets, self._entries = secrets, Rate(ENTRIES)

    def add_to(self, router: APIRouter) -> None:
        router.get("/api/demo/meters", summary="What the demo's link stands at", response_model=Levels)(self._meters)
        router.post("/pages/demo/enter", include_in_schema=False)(self._enter)
        router.post(LEAVE, include_in_schema=False)(self._leave)

    def told(self) -> Mapping[str, Any]:
        roles = [{"role": key, "name": name} for key, (name, _, _) in ROLES.items()]
        return {"roles": roles, "meters": "/api/demo/meters", "display": DISPLAY, "leave": LEAVE}

    def _meters(self, caller: AnyCaller, play: ThePlay, runtime: TheRuntime) -> dict[str, Any]:
        if is_nobody(caller):
            play.looks.take(caller.source)
        brief = runtime.house.links[LINK]
        told = summary_json(brief)
        title = brief.setup.rules.title if brief.setup else LINK
        return {"link": LINK, "title": title, "status": told["status"], "levels": told["levels"]}

    def _enter(self, form: Enter, request: Request, response: Response, runtime: TheRuntime) -> dict[str, str]:
        check_page(request)
        source = source_of(request)
        self._entries.take(source)
        if form.role == DISPLAY:
            set_device(runtime, request, response, DeviceKind.DISPLAY, self._secrets.devices[next(iter(DISPLAYS))])
            return {"then": "/display"}
        if form.role not in ROLES:
            raise UnknownName("role", form.role, (*ROLES, DISPLAY))
        _, person, then = ROLES[form.role]
        if person == FREE_DEALER:
            keypad = KEYPADS[FREE_TABLE]
            session = runtime.access.sign_in_keypad(None, person, keypad, f"device {keypad}")
            set_device(runtime, request, response, DeviceKind.KEYPAD, self._secrets.devices[keypad])
            keep_session(runtime, request, response, DEALER_COOKIE, session.token)
        else:
            session = runtime.access.sign_in(self._secrets.cards[person], self._secrets.pins[person], "", source)
            keep_session(runtime, request, response, SESSION_COOKIE, session.token)
        return {"then": then}

    def _leave(self, request: Request, response: Response, runtime: TheRuntime) -> dict[str, bool]:
        """Back to the front door: whoever works at this page is signed out, and its browser is no device any more."""
        check_page(request)
        left = sign_out(request, response, runtime)
        for cookie in DEVICE_COOKIES.values():
            drop_cookie(response, cookie)
        return left
