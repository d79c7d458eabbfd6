"""A small card room for the tests of the server: that of `support.room`, with PINs, and everybody signed in.

    room.client            a TestClient of the app, without a token
    room.as_("max")        the same, as a person who has signed in with card and PIN
    room.as_("sue card")   with the card alone
    room.as_("ann 2")      a dealer with her card at the keypad of table 2
    room.as_("dan")        a dealer without a card, at the keypad of table 1
    room.as_("keypad-1")   a device by its own token
    with serve(room.site) as server: ...   the same site in a process of its own

The room is made once for a process and copied for every test, because making it takes most of a second.
"""

from __future__ import annotations

import secrets
import shutil
import signal
import socket
import subprocess
import time
import uuid
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import httpx
from argon2 import PasswordHasher
from fastapi import FastAPI

from croupier.compliance.authority import Role, SiteKey
from croupier.floor.agreement import GOOD_FOR_S
from croupier.floor.floor import Floor
from croupier.floor.forms import Signed
from croupier.floor.link import acts
from croupier.floor.link.link import statement_of
from croupier.floor.site import acts as site_acts
from croupier.floor.site.acts import NotePin
from croupier.ledger.clock import written
from croupier.store.store import open_store
from croupier.web.app import create_app
from croupier.web.cluster.runtime import Runtime
from croupier.web.identity import sessions
from croupier.web.identity.sessions import Access
from croupier.web.identity.store import AccessStore
from croupier.web.identity.tickets import private_half
from croupier.web.settings import SESSION_MINUTES, Settings, session_key, site_key
from support import room as card_room
from support.room import ONE_METER, card, display_token, keypad_token, make_room
from tests.web.forking import Forked

with warnings.catch_warnings():  # it would rather have a successor of httpx, which nothing else here needs
    warnings.simplefilter("ignore")
    from fastapi.testclient import TestClient

HERE = Path(__file__).parents[2]
LINK, BANK_CENTS = card_room.LINK, card_room.PLENTY
PINS = {"max": "482913", "mia": "739164", "eve": "570382", "sue": "618204", "aud": "264097"}
ROLES = {"max": "manager", "mia": "manager", "eve": "executive", "sue": "supervisor", "aud": "auditor", "ann": "dealer"}
"""Whoever has a card. `dan` is a dealer without one."""
TABLES = {table.number: table for table in ONE_METER.tables}
DISPLAYS = tuple(card_room.DISPLAYS)
KEYPADS = tuple(f"keypad-{number}" for number in TABLES)
AnyActOfTwo = TypeVar("AnyActOfTwo", bound=site_acts.OfTwo | acts.OfTwo)


def fast_pins() -> None:
    """Hash PINs quickly in this process: what a test proves does not depend on how slowly they are."""
    sessions.new_hasher = lambda: PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@dataclass(frozen=True)
class MadeSite:
    """The files of a site, and every secret that was made with it."""

    folder: Path
    cards: dict[str, str] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    """By name as in `Room.as_`: the token that goes into the header."""
    session_key: Path | None = None
    """Where it is not where a server puts it by itself."""

    @property
    def settings(self) -> Settings:
        return Settings(db=self.db, session_key=self.session_key)

    @property
    def db(self) -> str:
        return f"sqlite:///{self.folder}/floor.db"

    def header(self, who: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[who]}"} if who else {}

    def copy(self, folder: Path) -> MadeSite:
        shutil.copytree(self.folder, folder, dirs_exist_ok=True)
        return replace(self, folder=folder)


class Room:
    """A running app on a site of its own, and shorthands for what people do there."""

    def __init__(self, site: MadeSite, app: FastAPI, client: TestClient) -> None:
        self.site, self.app, self.client = site, app, client

    @property
    def runtime(self) -> Any:
        return self.app.state.runtime

    def as_(self, who: str) -> TestClient:
        client = TestClient(self.app, raise_server_exceptions=False)
        client.headers |= self.site.header(who)
        return client

    def get(self, path: str, who: str = "max", **more: Any) -> httpx.Response:
        return _counted(lambda: self.client.get(path, headers=self.site.header(who), **more))

    def post(self, path: str, who: str = "max", **values: Any) -> httpx.Response:
        return _counted(lambda: self.client.post(path, headers=self.site.header(who), json=values))

    def act(self, path: str, who: str = "max", **values: Any) -> httpx.Response:
        """With an id of its own where none is given."""
        return self.post(path, who, **{"id": uuid.uuid4().hex, **values})

    def start(self, table: int = 1, seats: tuple[int, ...] = (1, 2), who: str = "") -> dict[str, Any]:
        found = self.act(
            f"/api/links/{LINK}/start", who or f"ann {table}", table=table, lit=list(seats), based=list(seats)
        )
        return done(found)

    def second(self, path: str, body: dict[str, Any], who: str = "mia", first: str = "max") -> str:
        """The ticket of a second person, for what the first will send to this path."""
        link, act = path.split("/")[3:] if path.startswith("/api/links/") else ("", path.rpartition("/")[2])
        values = {"card": self.site.cards[who], "pin": PINS[who], "act": act, "link": link, "id": body["id"]}
        ticket: str = done(self.post("/api/second-person", first, **values, body=body))["second_ticket"]
        return ticket

    def act_of_two(self, path: str, who: str = "max", second: str = "mia", **values: Any) -> httpx.Response:
        """With an id of its own, and the ticket of a second person for it."""
        body = {"id": uuid.uuid4().hex, **values}
        return self.post(path, who, **body, second_ticket=self.second(path, body, second, who))


def _counted(ask: Callable[[], httpx.Response]) -> httpx.Response:
    """The answer, asked for again as long as it is still being counted: as pages do where a machine is busy."""
    for _ in range(10):
        answer = ask()
        if answer.status_code != 503 or b"still-counting" not in answer.content:
            break
    return answer


def done(response: httpx.Response) -> dict[str, Any]:
    """What a request that must succeed has answered."""
    assert response.status_code == 200, (response.request.url.path, response.status_code, response.text[:500])
    found: dict[str, Any] = response.json()
    return found


def error_of(response: httpx.Response) -> str:
    """The code of a refusal, in the one form."""
    error = response.json()["error"]
    assert set(error) == {"code", "sentence", "retry"}, error
    return str(error["code"])


@contextmanager
def running(site: MadeSite, session_minutes: int = SESSION_MINUTES) -> Iterator[Room]:
    """The app of a site, as soon as it leads."""
    fast_pins()
    app = create_app(replace(site.settings, session_minutes=session_minutes))
    with TestClient(app, raise_server_exceptions=False) as client:
        wait_until(lambda: app.state.runtime.floor is not None)
        yield Room(site, app, client)


def wait_until(true: Any, seconds: float = 60.0) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.01)


# Making the site


A_SHIFT_MINUTES = 11 * 60
"""How long people of a made site are signed in: on a slow machine the tests take longer than a session lasts."""


def make_site(folder: Path) -> MadeSite:
    """The room of `support.room` with an auditor, a dealer without a card, and PINs; everybody has signed in."""
    site = MadeSite(folder, {person: card(person) for person in ROLES})
    key = site_key(site.settings.key_path())
    people = [Signed(person, Role(role)) for person, role in ROLES.items()]
    dan = [Signed("dan", Role.DEALER)]
    make_room(site.db, key, people=people, without_card=dan, bank_cents=BANK_CENTS)
    set_pins(site.db, key, PINS)
    site.tokens.update({f"keypad-{number}": keypad_token(number) for number in TABLES})
    site.tokens.update({device: display_token(device) for device in DISPLAYS})
    with running(site, A_SHIFT_MINUTES) as room:
        for person in ROLES:
            _sign_in(room, person)
        for number, device in zip(TABLES, KEYPADS, strict=True):
            at_keypad = room.post("/api/keypad/sign-in", device, card=site.cards["ann"])
            site.tokens[f"ann {number}"] = done(at_keypad)["token"]
        site.tokens["dan"] = done(room.post("/api/keypad/sign-in", KEYPADS[0], person="dan"))["token"]
    return site


def set_pins(db: str, key: SiteKey, pins: Mapping[str, str]) -> None:
    """As their owners have chosen them, each with a key to agree with; in a store that no server has open."""
    fast_pins()
    with closing(access_store(db, key)) as store, Floor(lambda: open_store(db), key, bank_every_s=0) as floor:
        access = Access(store, key, floor.identify, floor.site.people.active)
        for person, pin in pins.items():
            chosen = access.new_agreement_key(card(person), pin)
            floor.do_site(NotePin(id=f"pin-{person}", by=person, person=person, key=chosen))
            access.set_pin(person, pin)


def access_store(db: str, key: SiteKey) -> AccessStore:
    """The sessions and PINs of a site, sealed as its server does it."""
    return AccessStore(db, key, session_key(Settings(db=db, key_file=Path("-")).session_key_path(key)))


def agreed(runtime: Runtime, act: AnyActOfTwo, link: str = "") -> AnyActOfTwo:
    """The act with its second person's agreement to it, by card and PIN, as the server makes it."""
    if isinstance(act, site_acts.OfTwo):
        person, statement = str(act.seconded), act.statement()
    else:
        person, statement = act.second.person, statement_of(act, link)
    key = runtime.house.site.people.keys[person]
    private = private_half(runtime.key, card=card(person), pin=PINS[person], salt=key.salt, method=key.made)
    return replace(act, agreed=statement.agreed(private, written(time.time() + GOOD_FOR_S)))


def _sign_in(room: Room, person: str) -> None:
    """Twice: with the PIN where there is one, and with the card alone."""
    token = room.site.cards[person]
    if person in PINS:
        room.site.tokens[person] = done(room.post("/api/sign-in", "", card=token, pin=PINS[person]))["token"]
    room.site.tokens[f"{person} card"] = done(room.post("/api/sign-in", "", card=token))["token"]


# A server in a process of its own


class Server:
    """A real server. Killing it is part of what it is for."""

    def __init__(self, site: MadeSite, port: int, *, standby: bool = False) -> None:
        self.site, self.port, self.standby = site, port, standby
        self.url = f"http://127.0.0.1:{port}"
        self.ahead_h = 0.0
        """How many hours its clock is ahead, from the next start on."""
        self.process = self._start()

    def _start(self) -> Forked:
        from tests.web import serving

        log = self.site.folder / "server.log"
        return Forked(log, serving.run, self.site.db, self.port, self.ahead_h, self.standby)

    @property
    def log(self) -> str:
        return (self.site.folder / "server.log").read_text(errors="replace")

    def wait_ready(self, seconds: float = 60.0) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            assert self.process.poll() is None, f"the server has ended: {self.log[-2000:]}"
            try:
                if httpx.get(f"{self.url}/api/ready", timeout=2, verify=False).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.02)
        raise AssertionError(f"not ready after {seconds} s: {self.log[-2000:]}")

    def kill(self) -> None:
        """As if the power had failed."""
        self.process.kill()
        self.process.wait()

    def start_again(self) -> None:
        self.process = self._start()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()


@contextmanager
def serve(site: MadeSite) -> Iterator[Server]:
    server = Server(site, free_port())
    try:
        server.wait_ready()
        yield server
    finally:
        server.stop()


OWN_PORTS = range(10_000, 32_768)
"""Below those that Linux and macOS give to connections: while a server starts, thousands of them are made and take any
port that was free a moment before."""


def free_port() -> int:
    while True:
        port = secrets.choice(OWN_PORTS)
        with socket.socket() as found, suppress(OSError):
            found.bind(("127.0.0.1", port))
            return port
