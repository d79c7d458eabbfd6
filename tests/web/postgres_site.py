"""A site on a real PostgreSQL server, and real servers on it."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from croupier.compliance.authority import CardToken, SiteKey
from croupier.floor.floor import Floor
from croupier.floor.link import acts
from croupier.floor.people import DeviceKind
from croupier.floor.site import acts as site_acts
from croupier.store import open_store
from croupier.web.app import create_app
from croupier.web.identity.sessions import Access
from croupier.web.identity.store import AccessStore
from croupier.web.settings import Settings, site_key
from croupier.web.transport.server import run
from tests.floor.link.support import DEALER, EXECUTIVE, MANAGER, ONE_METER, OTHER_MANAGER, SUPERVISOR
from tests.web.forking import Forked
from tests.web.support import fast_pins, free_port

LINK, DISPLAY = "main", "dev_the display of the pit 0001"


PIN = "618204"
"""Of sue, who may work at a console."""


def pad(table: int) -> str:
    return f"dev_the keypad of table {table} 0001"


def card(person: str) -> str:
    return f"the card of {person} 0001"


def make_site(db: str, key_file: Path) -> None:
    """People, tables, a display, a covered bank and an open link, without a server."""
    key = site_key(key_file)
    with Floor(lambda: open_store(db), key, bank_every_s=0) as floor:
        hashed = {name: floor.card_hash(CardToken(card(name))) for name in ("max", "mia", "ann", "sue", "eve")}

        def site(kind: type[site_acts.SiteAct], **values: Any) -> None:
            floor.do_site(kind(**{"id": f"s{floor.site.book.entries}", "by": "max", **values}))

        site(
            site_acts.CreateSite,
            **{"title": "The Room", "profile": "washington", "name": "Max", "card": hashed["max"]},
            zone="America/Los_Angeles",
        )
        for signed in (OTHER_MANAGER, DEALER, SUPERVISOR, EXECUTIVE):
            second = "" if signed is OTHER_MANAGER else "mia"
            values = {"person": signed.person, "name": signed.person.title(), "role": signed.role, "second": second}
            site(site_acts.EnrolPerson, **values, card=hashed[signed.person])
        for each in ONE_METER.tables:
            table = site_acts.TableSetup(each.number, each.title, "blackjack", 6, each.seats, 500, 30_000)
            site(site_acts.SetTable, second="mia", table=table)
            keypad = {"device": f"keypad-{each.number}", "device_kind": DeviceKind.KEYPAD, "name": "Keypad"}
            site(site_acts.EnrolDevice, **keypad, table=each.number, token=floor.card_hash(CardToken(pad(each.number))))
        token = floor.card_hash(CardToken(DISPLAY))
        device = {"device": "display", "device_kind": DeviceKind.DISPLAY, "name": "Display", "token": token}
        site(site_acts.EnrolDevice, **device)
        site(site_acts.DeclareBank, balance_cents=1_000_000_000, paid={})
        floor.do(acts.MakeLink(id="make", by=MANAGER, second=EXECUTIVE, setup=ONE_METER, link=LINK), LINK)
        floor.do(acts.OpenLink(id="open", by=MANAGER), LINK)
        _set_pin(db, floor, key)


def _set_pin(db: str, floor: Floor, key: SiteKey) -> None:
    sessions = AccessStore(db)
    fast_pins()
    floor.do_site(site_acts.NotePin(id="pin", by="sue", person="sue"))
    Access(sessions, key, floor.identify, floor.site.people.active).set_pin("sue", PIN)
    sessions.close()


class Process:
    """One of the site's servers."""

    def __init__(self, db: str, folder: Path, port: int | None = None) -> None:
        self.db, self.folder, self.port = db, folder, port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / f"server-{self.port}.log"
        self.process = Forked(self.log, run_server, db, self.port, folder / "site.key")

    def status(self) -> str:
        """As it says itself; nothing while it does not answer."""
        try:
            found: str = httpx.get(f"{self.url}/api/ready", timeout=5, verify=False).json()["status"]
        except httpx.TransportError:
            return ""
        return found

    def wait(self, *statuses: str, seconds: float = 30.0) -> str:
        end = time.monotonic() + seconds
        while (found := self.status()) not in statuses:
            assert self.process.poll() is None, self.log.read_text()[-3_000:]
            assert time.monotonic() < end, (found, self.log.read_text()[-3_000:])
            time.sleep(0.02)
        return found

    def kill(self) -> None:
        """As if its machine had lost its power."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.kill()


@contextmanager
def servers(db: str, folder: Path) -> Iterator[tuple[Process, Process]]:
    """Two that start at the same time: the one that leads, and the one that follows."""
    running = [Process(db, folder), Process(db, folder)]
    try:
        statuses = [each.wait("ready", "following") for each in running]
        leader = running[statuses.index("ready")]
        follower = next(each for each in running if each is not leader)
        follower.wait("following")
        yield leader, follower
    finally:
        for each in running:
            each.stop()


def at_console(url: str) -> dict[str, str]:
    """The header of the supervisor, with card and PIN."""
    answer = httpx.post(f"{url}/api/sign-in", json={"card": card("sue"), "pin": PIN}, timeout=10)
    assert answer.status_code == 200, answer.text
    return {"Authorization": f"Bearer {answer.json()['token']}"}


def sign_in(url: str, person: str, table: int = 1) -> dict[str, str]:
    """The header of somebody who has signed in with a card at a table's keypad."""
    keypad = {"Authorization": f"Bearer {pad(table)}"}
    answer = httpx.post(f"{url}/api/keypad/sign-in", json={"card": card(person)}, headers=keypad, timeout=10)
    assert answer.status_code == 200, answer.text
    return {"Authorization": f"Bearer {answer.json()['token']}"}


def run_server(db: str, port: int, key_file: Path) -> None:
    fast_pins()
    settings = Settings(db=db, port=port, key_file=key_file)
    listening = socket.create_server((settings.host, settings.port))
    listening.setblocking(False)
    run(create_app(settings), settings, listening)
