"""A card room in a store, and a real `croupier serve` on it, for the benchmarks of the server."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

import httpx

from benchmarks.measure import CROUPIER
from croupier.demo.room import DemoSecrets
from croupier.web.settings import site_key
from support import room as card_room
from support.room import DEALER, DISPLAYS, LINK, ONE_METER, card, display_token, keypad_token, with_tables

TABLES, SEATS = 15, 7
"""As many tables as a house in Washington has."""
CARD = card(DEALER.person)
WALL = {**DISPLAYS, **{f"display-{number}": LINK for number in range(1, 7)}}
"""Displays with the link that each shows: one token serves a hundred screens and no more."""
SCREENS = [display_token(device) for device, link in WALL.items() if link]
PATIENCE_S = 60.0


@dataclass(frozen=True)
class Room:
    """Where a site is kept: its books, and its secret."""

    db: str
    key_file: Path


def make_room(db: str, folder: Path, *, tables: int = TABLES, linked: bool = True) -> Room:
    """See `support.room`; with as many tables as are asked for."""
    room = Room(db, folder / f"{db.partition(':')[0]}.key")
    links = {LINK: with_tables(ONE_METER, tables)}
    card_room.make_room(db, site_key(room.key_file), links, displays=WALL, linked=linked)
    return room


@dataclass
class Served:
    """A server that is ready."""

    process: subprocess.Popen[bytes]
    port: int
    start_s: float
    """From the start of its process until it was ready."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def sign_in(self, table: int) -> str:
        """The token of a dealer at a table's keypad."""
        keypad = {"Authorization": f"Bearer {keypad_token(table)}"}
        answer = httpx.post(f"{self.url}/api/keypad/sign-in", json={"card": CARD}, headers=keypad, timeout=10)
        if answer.status_code != 200:
            raise RuntimeError(f"nobody could sign in: {answer.text}")
        return str(answer.json()["token"])

    def resident_bytes(self) -> int:
        """The memory that the server holds just now."""
        shown = subprocess.run(["ps", "-o", "rss=", "-p", str(self.process.pid)], capture_output=True, check=True)
        return int(shown.stdout) * 1024

    def cpu_s(self) -> float:
        """The processor time that it has used; Linux tells."""
        stat = Path(f"/proc/{self.process.pid}/stat")
        if not stat.exists():
            return 0.0
        user, system = stat.read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(room: Room) -> Iterator[Served]:
    """The command as it is typed, with its log in a file as in a real site."""
    sealing = str(room.key_file.with_suffix(".session-key"))  # a benchmark leaves nothing in anybody's home
    words = ("--db", room.db, "--key-file", str(room.key_file), "--session-key", sealing)
    with tempfile.TemporaryDirectory() as name, _started(Path(name), *words) as served:
        yield served


@contextmanager
def serving_demo(folder: Path) -> Iterator[tuple[Served, DemoSecrets]]:
    """The demo, and the cards and PINs of its people."""
    with _started(folder, "--demo") as served:
        yield served, DemoSecrets.read(folder / "croupier-demo" / "croupier-demo.db.cards")


@contextmanager
def _started(folder: Path, *words: str) -> Iterator[Served]:
    out, log = folder / "printed.txt", folder / "log.jsonl"
    begun = monotonic()
    with out.open("wb") as printed, log.open("wb") as logged:
        command = [str(CROUPIER), "serve", *words, "--port", "0"]
        kept = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}  # bytecode, whatever the environment says
        process = subprocess.Popen(command, cwd=folder, env=kept, stdout=printed, stderr=logged)
    try:
        port = _port(process, out, log)
        _wait_ready(port)
        yield Served(process, port, monotonic() - begun)
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _port(process: subprocess.Popen[bytes], out: Path, log: Path) -> int:
    end = monotonic() + PATIENCE_S
    while monotonic() < end and process.poll() is None:
        found = re.search(r"listens at http://127\.0\.0\.1:(\d+)", out.read_text())
        if found:
            return int(found[1])
        sleep(0.01)
    raise RuntimeError(f"the server did not start: {log.read_text()[-300:]}")


def _wait_ready(port: int) -> None:
    end = monotonic() + PATIENCE_S
    while monotonic() < end:
        if httpx.get(f"http://127.0.0.1:{port}/api/ready", timeout=10).status_code == 200:
            return
        sleep(0.01)
    raise RuntimeError("the server never was ready")
