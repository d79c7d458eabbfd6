"""A real server, and a bridge of table 1 that two people have enrolled."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.client import Client, SecondCard
from croupier.client.client import new_device_token
from croupier.compliance.authority import Role
from croupier.floor.forms import Signed
from croupier.web.settings import site_key
from support.postgres import new_floor
from support.room import card, make_room
from tests.bridge.board import Board, Cable, Socket
from tests.once import made_once
from tests.web.commands import COMMAND
from tests.web.forking import Forked
from tests.web.postgres_site import run_server
from tests.web.support import (
    LINK,
    PINS,
    ROLES,
    MadeSite,
    Server,
    free_port,
    make_site,
    serve,
    set_pins,
    wait_until,
)


class Bench:
    """A table with its board and reader, the bridge as a process of its own, and the server."""

    def __init__(self, folder: Path, server: Server, board: Cable, *, by_hand: bool = False) -> None:
        self.folder, self.server = folder, server
        self.token = folder / "token"
        self.cards = dict(server.site.cards)
        """Its own: a test may give out new ones."""
        self.board = Board(board, by_hand=by_hand)
        self.reader = Cable(folder / "reader")
        self.reader.plug()
        self._board_address = board.address if isinstance(board, Socket) else str(board.path)
        self.process: subprocess.Popen[bytes] | None = None
        self._tokens: dict[str, str] = {}

    def enrol(self) -> None:
        cards = self.server.site.cards
        with Client(self.server.url) as client:
            client.sign_in(cards["max"], PINS["max"])
            token = client.enrol_device(
                device="bridge-1",
                kind="bridge",
                name="Bridge 1",
                table=1,
                token=new_device_token(),
                second=SecondCard(cards["mia"], PINS["mia"]),
            )
        self.token.write_text(f"{token}\n")
        self.token.chmod(0o600)

    # The bridge

    @property
    def log(self) -> str:
        return (self.folder / "bridge.log").read_text(errors="replace")

    def start(self) -> None:
        command = [*COMMAND, "table-bridge", self.server.url]
        command += ["--board", self._board_address, "--reader", str(self.reader.path)]
        command += ["--journal", str(self.folder / "journal"), "--token-file", str(self.token)]
        with (self.folder / "bridge.log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ})

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(40)

    # People

    def swipe(self, who: str) -> None:
        card = self.cards[who]
        self.reader.write(f"%{card}?\r\n".encode())

    def sign_in(self, who: str = "ann") -> None:
        heard = len(self.board.told)
        self.swipe(who)
        said = self.board.hear("^CARD", since=heard)
        assert said.startswith("CARD OK"), said

    # What has come of it

    def _client(self, who: str) -> Client:
        """Signed in once: so many sign-ins from one place as there are looks would be refused."""
        if who not in self._tokens:
            with Client(self.server.url) as client:
                client.sign_in(self.server.site.cards[who], PINS[who])
                self._tokens[who] = client.token or ""
        return Client(self.server.url, self._tokens[who])

    def entries(self, *kinds: str) -> list[dict[str, Any]]:
        """Of the link's book, from the bridge's table; of these kinds, or all."""
        with self._client("aud") as client:
            listed = [vars(entry) for entry in client.entries(LINK)]
        mine = [entry for entry in listed if entry["facts"].get("where") == "device bridge-1"]
        return [entry for entry in mine if not kinds or entry["kind"] in kinds]

    def kinds(self) -> list[str]:
        return [entry["kind"] for entry in self.entries()]

    def health(self) -> Any:
        with self._client("max") as client:
            listed = client.get("/api/devices")["devices"]
        return next(each["health"] for each in listed if each["device"] == "bridge-1")

    def close(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.stop()
        self.board.switch_off()
        self.reader.unplug()


@pytest.fixture(scope="session")
def made_site() -> MadeSite:
    """Made once for all workers; nobody works in it, it is copied."""
    return made_once("site", make_site)


@pytest.fixture(params=["sqlite"])
def server(request: pytest.FixtureRequest, made_site: MadeSite, tmp_path: Path) -> Iterator[Server]:
    """On the store that a test asks for (`both_stores`), or the one that needs no other program."""
    if request.param == "sqlite":
        with serve(made_site.copy(tmp_path / "site")) as running:
            yield running
        return
    running = OnPostgres(tmp_path, new_floor())
    try:
        running.wait_ready()
        yield running
    finally:
        running.stop()


class OnPostgres(Server):
    """The same room, on a server of PostgreSQL."""

    def __init__(self, folder: Path, db: str) -> None:
        self.db, key = db, site_key(folder / "site.key")
        make_room(db, key, people=[Signed(person, Role(role)) for person, role in ROLES.items()])
        set_pins(db, key, PINS)
        super().__init__(MadeSite(folder, {person: card(person) for person in ROLES}), free_port())

    def _start(self) -> Forked:
        folder = self.site.folder
        return Forked(folder / "server.log", run_server, self.db, self.port, folder / "site.key")


both_stores = pytest.mark.parametrize("server", ["sqlite", "postgres"], indirect=True)


@pytest.fixture
def bench(server: Server, tmp_path: Path) -> Iterator[Bench]:
    """On a serial line, with a dealer signed in."""
    yield from _bench(server, tmp_path, Cable(tmp_path / "board"))


@pytest.fixture
def bench_on_tcp(server: Server, tmp_path: Path) -> Iterator[Bench]:
    cable = Socket()
    try:
        yield from _bench(server, tmp_path, cable)
    finally:
        cable.close()


def _bench(server: Server, folder: Path, cable: Cable) -> Iterator[Bench]:
    bench = Bench(folder, server, cable)
    try:
        bench.enrol()
        bench.start()
        wait_until(lambda: "card reader is plugged in" in bench.log, 60)
        bench.sign_in()
        yield bench
    except AssertionError as error:
        raise AssertionError(bench.log) from error
    finally:
        bench.close()
