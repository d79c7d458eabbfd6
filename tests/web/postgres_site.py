"""A site on a real PostgreSQL server, and real servers on it."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from croupier.web.app import create_app
from croupier.web.settings import Settings, site_key
from croupier.web.transport.server import run
from support.room import card, keypad_token, make_room
from tests.web.forking import Forked
from tests.web.support import PINS, fast_pins, free_port, set_pins

PIN = PINS["sue"]
"""Of sue, who may work at a console."""


def make_site(db: str, key_file: Path) -> None:
    """People, tables, a display, a covered bank and an open link, without a server; and PINs."""
    key = site_key(key_file)
    make_room(db, key)
    set_pins(db, key, {person: PINS[person] for person in ("max", "mia", "eve", "sue")})


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

    def wait(self, *statuses: str, seconds: float = 60.0) -> str:
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
    answer = httpx.post(f"{url}/api/sign-in", json={"card": card("sue"), "pin": PIN}, timeout=60)
    assert answer.status_code == 200, answer.text
    return {"Authorization": f"Bearer {answer.json()['token']}"}


def sign_in(url: str, person: str, table: int = 1) -> dict[str, str]:
    """The header of somebody who has signed in with a card at a table's keypad."""
    keypad = {"Authorization": f"Bearer {keypad_token(table)}"}
    answer = httpx.post(f"{url}/api/keypad/sign-in", json={"card": card(person)}, headers=keypad, timeout=60)
    assert answer.status_code == 200, answer.text
    return {"Authorization": f"Bearer {answer.json()['token']}"}


def run_server(db: str, port: int, key_file: Path) -> None:
    fast_pins()
    settings = Settings(db=db, port=port, key_file=key_file)
    listening = socket.create_server((settings.host, settings.port))
    listening.setblocking(False)
    run(create_app(settings), settings, listening)
