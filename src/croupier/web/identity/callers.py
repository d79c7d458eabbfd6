"""Who calls: a person with a session, or a device with its token; and what a route asks of them.

Authorization: Bearer ses_...      somebody who has signed in
Authorization: Bearer dev_...      an enrolled keypad or display
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Generic, NamedTuple, TypeVar

from fastapi import Depends, Request
from fastapi.security import HTTPBearer
from starlette.concurrency import run_in_threadpool
from starlette.types import Scope

from croupier.compliance.authority import CardToken, Power, Role, may, require
from croupier.errors import NotationError, Refusal
from croupier.floor.act import LONGEST_ID
from croupier.floor.floor import LINK
from croupier.floor.forms import Signed
from croupier.floor.house import House
from croupier.floor.people import Device, DeviceKind, Person
from croupier.ledger.entry import SITE
from croupier.web.cluster.runtime import Runtime
from croupier.web.errors import ApiError
from croupier.web.identity.cookies import signed_by
from croupier.web.identity.sessions import hash_of_token, pin_to_change
from croupier.web.identity.store import SignedInSession
from croupier.web.identity.tickets import TICKET, Agreed, Second, digest_of
from croupier.web.transport.clients import Rate, recognise

SESSION, DEVICE = "ses_", "dev_"
ACT = re.compile(r"[a-z][a-z-]{1,31}")
"""The last part of an act's address."""
Answer = TypeVar("Answer")


class Bounds(NamedTuple):
    """Of a role whose work is not on the floor: all that it may ask for, what it is told beside that, and its page
    with the key of its name."""

    asks: re.Pattern[str]
    sentence: str
    home: str
    way: str


def _only(own: str) -> re.Pattern[str]:
    """What is everybody's, one's own session and PIN, and what the role is there for."""
    everybody = (
        r"me|sign-in|sign-out|first-start|health|ready|games|rounds|edges|figures|lab|search|odds|verify"
        r"|site/set-pin|deal/[^/]+(?:/drill)?$|docs|openapi\.json"
    )
    return re.compile(rf"/api/(?:{everybody}|{own})(?:[/.]|$)|/metrics$")


BOUNDS: Mapping[Role, Bounds] = MappingProxyType(
    {
        Role.INSPECTOR: Bounds(
            _only(r"about|evidence|comply|register|par|site/documents"),
            "An inspector sees the approvals, what runs here and the evidence file, and nothing else.",
            "/console/about",
            "nav.inspection",
        ),
        Role.CASHIER: Bounds(
            _only(r"payments|reports/slips|links/[^/]+/(?:awards/\d+/slip|issue-slip|pay-slip)"),
            "A cashier sees jackpot slips and winners to be paid, and nothing else.",
            "/console/cage",
            "console.cage",
        ),
    }
)


class Caller(NamedTuple):
    """Whoever sent a request."""

    person: Person | None = None
    session: SignedInSession | None = None
    device: Device | None = None
    source: str = ""
    """The address that the request came from."""

    @property
    def where(self) -> str:
        """For the record: the device, or from where a console was used."""
        if self.device:
            return f"device {self.device.id}"[:LONGEST_ID]
        return f"console {self.source}".strip()[:LONGEST_ID]

    @property
    def holder(self) -> str:
        """Whose token it is, against which requests and streams of events count; nothing of a stranger."""
        if self.device:
            return f"device {self.device.id}"
        return f"person {self.person.id}" if self.person else ""

    @property
    def shown(self) -> str:
        """With what somebody came in, as the register says it."""
        return "card and PIN" if self.session is not None and (self.session.console or self.session.given) else "card"

    @property
    def place(self) -> str:
        """Against which failed cards count: the device, which no other one locks out, or the address."""
        return self.where if self.device else self.source

    def known(self) -> Person:
        """Somebody who has signed in; a device by itself is nobody."""
        if self.person is not None:
            return self.person
        if self.device is not None and self.device.kind is DeviceKind.DISPLAY:
            raise ApiError(403, "read-only", "A display only shows: nothing can be done with its token.")
        raise ApiError(401, "nobody", "Sign in first.")

    def signed(self) -> Signed:
        return self.known().signed

    def in_session(self) -> SignedInSession:
        if self.session is None:
            raise ApiError(401, "nobody", "Sign in first.")
        return self.session

    def with_pin(self) -> Person:
        """Office work takes a PIN."""
        person = self.with_any_pin()
        if self.in_session().given:
            raise pin_to_change(person)
        return person

    def with_any_pin(self) -> Person:
        """With the PIN of one's own, or with one that has to be changed first."""
        person, session = self.known(), self.in_session()
        if not (session.console or session.given):
            raise ApiError(403, "pin-needed", "This is console work: sign in with card and PIN.")
        return person

    def may(self, act: Power) -> Person:
        """Console work that the person's role allows."""
        person = self.with_pin()
        require(person.role, act)
        return person

    def may_inspect(self) -> Person:
        """What is there to be inspected, for whoever may, and for whoever reads the ledger."""
        person = self.with_pin()
        require(person.role, Power.INSPECT if may(person.role, Power.INSPECT) else Power.READ_LEDGER)
        return person

    def at_table(self, table: int | None) -> None:
        """At a keypad one acts for its table only, and elsewhere with a PIN: a card alone is no place to act from.

        A dealer acts at a keypad alone, whatever was typed at a console.

        There is no table where it is not known, because what was asked for is not there.
        """
        if self.device is None:
            if self.known().role is Role.DEALER:
                raise ApiError(403, "no-keypad", "A dealer does this at the table's keypad: sign in there.")
            if self.in_session().given:
                raise pin_to_change(self.known())
            if not self.in_session().console:
                sentence = "This is done at the table's keypad, or at a console with card and PIN: sign in there."
                raise ApiError(403, "no-keypad", sentence)
        elif table is not None and self.device.table != table:
            raise ApiError(
                403, "other-table", f"This {self.device.kind} is that of table {self.device.table}, not {table}."
            )


def runtime_of(request: Request) -> Runtime:
    return _runtime_in(request.scope)


def _runtime_in(scope: Scope) -> Runtime:
    runtime: Runtime = scope["app"].state.runtime
    return runtime


async def caller_of(request: Request) -> Caller:
    return await caller_in(request.scope)


async def caller_in(scope: Scope) -> Caller:
    """Whoever it is; nobody, where no token was sent. The log tells who it was, and the connection keeps its place.

    Whoever asks more often than one device or person does is told when to come again. It is asked of every act, so it
    looks at the request's own scope: an object that reads it would cost more than what is looked for."""
    scope.setdefault("state", {})["caller"] = caller = await _caller(scope)
    bounds = BOUNDS.get(caller.person.role) if caller.person else None
    if bounds and not bounds.asks.match(scope["path"]):
        raise await _out_of_bounds(scope, caller, bounds)
    if holder := caller.holder:
        recognise(scope, holder)
        shares: Shares = scope["app"].state.shares
        shares.take(caller, holder)
    return caller


async def _out_of_bounds(scope: Scope, caller: Caller, bounds: Bounds) -> ApiError:
    """The refusal; what was to be done is on record, what was only asked for is not."""
    error = ApiError(403, "not-allowed", bounds.sentence)
    if scope["method"] == "POST":
        what = scope["path"].rpartition("/")[2]
        how = f"{caller.shown}, {what if ACT.fullmatch(what) else 'another act'}"
        access = _runtime_in(scope).access
        await run_in_threadpool(access.note_failure, error, caller.place, how, caller.known().id)
    return error


class Shares:
    """How often one device or person may ask, so that no token has the server to itself.

    A display asks a few times when it is switched on, and then listens. At a keypad dealers press keys, and the demo's
    have no pauses; people at consoles have pages that ask a dozen things at once.
    """

    def __init__(self) -> None:
        self._display = Rate(1_200, what="requests", where="of one display")
        self._keypad = Rate(30_000, what="requests", where="of one keypad")
        self._person = Rate(12_000, what="requests", where="of one person")

    def take(self, caller: Caller, holder: str) -> None:
        """One request; refused where there is none left."""
        if caller.device is None:
            self._person.take(holder)
        elif caller.device.kind is DeviceKind.DISPLAY:
            self._display.take(holder)
        else:
            self._keypad.take(holder)


async def _caller(scope: Scope) -> Caller:
    """By the first token that counts: the cookie of a session that has ended does not hide the others."""
    runtime, source = _runtime_in(scope), _source_in(scope)
    ended: ApiError | None = None
    for token in _tokens_in(scope):
        try:
            if token.startswith(DEVICE):
                return Caller(device=device_of(runtime, token), source=source)
            known = _at_once(runtime, token)
            if known is None:
                known = await run_in_threadpool(_looked_up, runtime, token)
            return in_session(runtime, *known, source=source)
        except ApiError as error:
            ended = ended or error
    if ended is not None:
        raise ended
    return Caller(source=source)


def _at_once(runtime: Runtime, token: str) -> tuple[SignedInSession, Person] | None:
    """Whose session it is, where nothing has to be read for it."""
    if not token.startswith(SESSION):
        raise ApiError(401, "signed-out", "The token is of no known kind: sign in again.")
    return runtime.access.at_once(hash_of_token(token.removeprefix(SESSION)))


def _looked_up(runtime: Runtime, token: str) -> tuple[SignedInSession, Person]:
    return runtime.access.session(token.removeprefix(SESSION))


def in_session(runtime: Runtime, session: SignedInSession, person: Person, source: str) -> Caller:
    """Whose session it is, at its keypad where it has one."""
    device = runtime.house.site.devices.get(session.device) if session.device else None
    if session.device and (device is None or not device.active):
        raise ApiError(401, "signed-out", "The keypad of this session is no longer enrolled: ask a manager.")
    return Caller(person, session, device, source)


async def second_of(runtime: Runtime, caller: Caller, act: str, body: Any, *, link: str = "") -> Second | None:
    """The second person whose ticket comes with an act; nobody where none does."""
    ticket = getattr(body, TICKET, None)
    if ticket is None:
        return None
    book = LINK + link if link else SITE
    agreed = Agreed(act, link, body.id, digest_of(body))

    def done() -> bool:
        return runtime.reading.by_command(book, body.id) is not None

    return await run_in_threadpool(runtime.tickets.second, ticket, caller.in_session(), agreed, done)


def source_of(request: Request) -> str:
    """Where the request comes from; behind a proxy that is believed, uvicorn has put the client there."""
    return _source_in(request.scope)


def _source_in(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else "unknown"


def _tokens_in(scope: Scope) -> list[str]:
    """What a request is signed by. It follows from the headers alone."""
    for name, value in scope["headers"]:
        if name == b"authorization":
            scheme, _, token = value.decode("latin-1").partition(" ")
            if scheme.lower() == "bearer":
                token = token.strip()
                return [token] if token else []
            break
    return signed_by(Request(scope), _runtime_in(scope).key)


def device_of(runtime: Runtime, token: str) -> Device:
    """Whose token it is."""
    try:
        return runtime.house.site.devices.identify(CardToken(token).hash(runtime.key))
    except (Refusal, NotationError):
        sentence = "This device is not enrolled here, or no longer: a manager enrolls it in the console."
        raise ApiError(401, "unknown-device", sentence) from None


class _Needs(HTTPBearer, Generic[Answer]):
    """What a route asks of its caller, for the description of the API and in one step: it is asked with every act."""

    def __init__(self, check: Callable[[Caller], Answer]) -> None:
        description = "`ses_...` from signing in, or the `dev_...` token of an enrolled device."
        super().__init__(scheme_name="token", description=description, auto_error=False)
        self._check = check

    async def __call__(self, request: Request) -> Answer:  # type: ignore[override]
        return self._check(await caller_of(request))


def _anybody(caller: Caller) -> Caller:
    return caller


def somebody(caller: Caller) -> Caller:
    """Somebody who has signed in."""
    caller.known()
    return caller


def _reader(caller: Caller) -> Caller:
    """Anybody who is known: a person or a device."""
    if caller.person is None and caller.device is None:
        raise ApiError(401, "nobody", "Sign in first, or use a device's token.")
    return caller


def _keypad(caller: Caller) -> Device:
    """A keypad or a bridge by its own token, before a dealer has signed in at it."""
    if caller.person is None and caller.device is None:
        raise ApiError(401, "nobody", "This takes the token of a keypad or a bridge.")
    if caller.person is not None or caller.device is None or not caller.device.kind.is_of_table:
        raise ApiError(403, "no-keypad", "This takes the token of a keypad or a bridge.")
    return caller.device


def _device(caller: Caller) -> Device:
    """Any device, by its own token or by the session of whoever has signed in at it."""
    if caller.device is not None:
        return caller.device
    if caller.person is None:
        raise ApiError(401, "nobody", "This takes a device's token.")
    raise ApiError(403, "no-device", "This takes a device's token.")


async def _runtime(request: Request) -> Runtime:
    return runtime_of(request)


TheRuntime = Annotated[Runtime, Depends(_runtime)]
AnyCaller = Annotated[Caller, Depends(_Needs(_anybody))]
SignedInCaller = Annotated[Caller, Depends(_Needs(somebody))]
Reader = Annotated[Caller, Depends(_Needs(_reader))]
Keypad = Annotated[Device, Depends(_Needs(_keypad))]
TheDevice = Annotated[Device, Depends(_Needs(_device))]


# What a display is there to show: one that was enrolled for a link sees that link and its tables, and no others.


def bound_to(caller: Caller) -> str:
    """The one link that may be seen; nothing where all may be."""
    device = caller.device
    if caller.person is None and device is not None and device.kind is DeviceKind.DISPLAY:
        return device.link or ""
    return ""


def check_sees(caller: Caller, link: str) -> None:
    bound = bound_to(caller)
    if bound and bound != link:
        raise ApiError(403, "other-link", f"This display shows the link {bound}, and no other.")


def check_sees_table(caller: Caller, house: House, table: int) -> None:
    """Of a table that does not feed the display's link nothing is told, not even whether there is one."""
    bound, feeds = bound_to(caller), house.link_of(table)
    if bound and (feeds is None or feeds.name != bound):
        raise ApiError(403, "other-link", f"This display shows the link {bound}, and table {table} does not feed it.")
