"""Who calls: a person with a session, or a device with its token; and what a route asks of them.

Authorization: Bearer ses_...      somebody who has signed in
Authorization: Bearer dev_...      an enrolled keypad or display
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from starlette.concurrency import run_in_threadpool

from croupier.errors import Refusal
from croupier.progressive.authority import Act, CardToken, require
from croupier.progressive.devices import Device, DeviceKind
from croupier.progressive.people import Person
from croupier.progressive.signing import Signed
from croupier.web.access_store import Session
from croupier.web.errors import ApiError
from croupier.web.runtime import Runtime

SESSION, DEVICE = "ses_", "dev_"
COOKIE = "croupier_session"


@dataclass(frozen=True)
class Caller:
    """Whoever sent a request."""

    person: Person | None = None
    session: Session | None = None
    device: Device | None = None

    @property
    def where(self) -> str:
        """For the record: the device, or that it was a console."""
        return f"device {self.device.id}" if self.device else "console"

    def signed(self) -> Signed:
        if self.person is None:
            raise ApiError(401, "nobody", "Sign in first.")
        return self.person.signed

    def in_session(self) -> Session:
        if self.session is None:
            raise ApiError(401, "nobody", "Sign in first.")
        return self.session

    def with_pin(self) -> Person:
        """Office work takes a PIN."""
        if self.person is None:
            raise ApiError(401, "nobody", "Sign in first.")
        if not self.in_session().console:
            raise ApiError(403, "pin-needed", "This is console work: sign in with card and PIN.")
        return self.person

    def may(self, act: Act) -> Person:
        """Console work that the person's role allows."""
        person = self.with_pin()
        require(person.role, act)
        return person

    def at_table(self, table: int) -> None:
        """A keypad acts for its own table only."""
        if self.device is not None and self.device.table != table:
            raise ApiError(403, "other-table", f"This keypad is that of table {self.device.table}, not {table}.")


def runtime_of(request: Request) -> Runtime:
    runtime: Runtime = request.app.state.runtime
    return runtime


async def caller_of(request: Request) -> Caller:
    """Whoever it is; nobody, where no token was sent."""
    runtime, token = runtime_of(request), _token(request)
    if not token:
        return Caller()
    if token.startswith(DEVICE):
        return Caller(device=_device(runtime, token))
    if not token.startswith(SESSION):
        raise ApiError(401, "signed-out", "The token is of no known kind: sign in again.")
    session, person = await run_in_threadpool(runtime.access.session, token.removeprefix(SESSION))
    device = runtime.house.site.devices.get(session.device) if session.device else None
    if session.device and (device is None or not device.active):
        raise ApiError(401, "signed-out", "The device of this session is not enrolled any more.")
    return Caller(person, session, device)


def _token(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return token.strip()
    return request.cookies.get(COOKIE, "")


def _device(runtime: Runtime, token: str) -> Device:
    try:
        return runtime.house.site.devices.identify(CardToken(token).hash(runtime.key))
    except Refusal as error:
        raise ApiError(401, "unknown-device", str(error)) from None


AnyCaller = Annotated[Caller, Depends(caller_of)]
TheRuntime = Annotated[Runtime, Depends(runtime_of)]


async def person_of(caller: AnyCaller) -> Caller:
    """Somebody who has signed in."""
    caller.signed()
    return caller


async def reader_of(caller: AnyCaller) -> Caller:
    """Anybody who is known: a person or a device."""
    if caller.person is None and caller.device is None:
        raise ApiError(401, "nobody", "Sign in first, or use a device's token.")
    return caller


async def keypad_of(caller: AnyCaller) -> Device:
    """A keypad by its own token, before a dealer has signed in at it."""
    if caller.device is None or caller.device.kind is not DeviceKind.KEYPAD:
        raise ApiError(403, "no-keypad", "This takes a keypad's token.")
    return caller.device


SignedInCaller = Annotated[Caller, Depends(person_of)]
Reader = Annotated[Caller, Depends(reader_of)]
Keypad = Annotated[Device, Depends(keypad_of)]
