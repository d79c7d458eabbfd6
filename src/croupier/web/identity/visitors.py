"""Who is at the browser: somebody who has signed in, a dealer at the keypad that it is, or a device alone."""

from __future__ import annotations

from fastapi import Request

from croupier.compliance.authority import CardToken, Role
from croupier.errors import CroupierError
from croupier.floor.people import Device, DeviceKind, Person
from croupier.web.cluster.runtime import Runtime
from croupier.web.errors import ApiError
from croupier.web.identity.callers import SESSION
from croupier.web.identity.cookies import DEALER_COOKIE, DEVICE_COOKIES, SESSION_COOKIE, csrf_token
from croupier.web.identity.store import SignedInSession

AT_ANY_TABLE = (Role.SUPERVISOR, Role.EXECUTIVE)
"""Who may work at a keypad in any browser, with a PIN; everybody else needs one that is enrolled for the table."""


def who(request: Request, runtime: Runtime) -> tuple[Person | None, str]:
    """Whoever has signed in here, and the token that goes with the cookie: of one that counts, else pages would ask for
    ever who it is."""
    if (signed := signed_in(request, runtime)) is not None:
        return signed[1], csrf_of(request, runtime, SESSION_COOKIE)
    if (dealer := dealer_at(request, runtime)) is not None:
        return dealer, csrf_of(request, runtime, DEALER_COOKIE)
    device = device_at(request, runtime)
    return None, csrf_of(request, runtime, DEVICE_COOKIES[device.kind]) if device else ""


def csrf_of(request: Request, runtime: Runtime, cookie: str) -> str:
    return csrf_token(runtime.key, request.cookies.get(cookie, ""))


def signed_in(
    request: Request, runtime: Runtime, cookie: str = SESSION_COOKIE
) -> tuple[SignedInSession, Person] | None:
    """Whose session this browser has, while it lasts."""
    token = request.cookies.get(cookie, "")
    try:
        return runtime.access.session(token.removeprefix(SESSION)) if token else None
    except ApiError:
        return None


def dealer_at(request: Request, runtime: Runtime) -> Person | None:
    """Whoever works at the keypad that this browser is: what was begun at another one does not count here."""
    signed, device = signed_in(request, runtime, DEALER_COOKIE), device_at(request, runtime, DeviceKind.KEYPAD)
    return signed[1] if signed is not None and device is not None and signed[0].device == device.id else None


def device_at(request: Request, runtime: Runtime, *kinds: DeviceKind) -> Device | None:
    """What this browser is enrolled as: the first of these kinds, or of any."""
    for kind in kinds or (DeviceKind.DISPLAY, DeviceKind.KEYPAD):
        token = request.cookies.get(DEVICE_COOKIES[kind], "")
        try:
            device = runtime.house.site.devices.identify(CardToken(token).hash(runtime.key)) if token else None
        except CroupierError:
            continue
        if device is not None and device.kind is kind:
            return device
    return None


def keypads_at(request: Request, runtime: Runtime) -> list[int]:
    """Tables whose keypad may be used here: the enrolled device's, or with a PIN all, for whoever may be at any."""
    tables, device = runtime.house.site.tables, device_at(request, runtime, DeviceKind.KEYPAD)
    if may_at_any_table(signed_in(request, runtime)):
        return sorted(tables)
    return [device.table] if device is not None and device.table in tables else []


def may_at_any_table(signed: tuple[SignedInSession, Person] | None) -> bool:
    return signed is not None and signed[0].console and signed[1].role in AT_ANY_TABLE
