"""The door: thousands who ask nothing keep nobody out, and no token takes the places of others."""

from __future__ import annotations

import http.client
import resource
import select
import socket
import ssl
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.web.identity import callers
from croupier.web.live import hub as hubs
from croupier.web.settings import THIS_MACHINE, Settings
from croupier.web.transport import door as doors
from croupier.web.transport.clients import Proxies, Rate
from croupier.web.transport.door import Door, Place
from support.room import LINK
from tests.web.commands import own_certificate, started, trusting
from tests.web.listening import Ear, Served, served, with_port
from tests.web.support import MadeSite, done, error_of, wait_until

# The rules by themselves


def entered(door: Door, address: str, gone: list[str] | None = None) -> Place:
    place = door.enter(address)
    assert isinstance(place, Place), place
    if gone is not None:
        place.drop = partial(gone.append, address)
    return place


def test_the_stranger_who_was_quiet_longest_gives_way() -> None:
    door, gone = Door(most=8, most_each=8), list[str]()
    places = [entered(door, f"10.0.0.{number}", gone) for number in range(1, 7)]
    assert (door.most_strangers, gone) == (6, [])
    places[0].stir()
    entered(door, "10.0.0.7", gone)
    entered(door, "10.0.0.8", gone)
    assert gone == ["10.0.0.2", "10.0.0.3"], "the first had asked something"
    assert door.count == 6, "two of eight places are kept"


def test_places_are_kept_for_networks_where_somebody_was_recognised() -> None:
    now = [0.0]
    door, gone = Door(most=8, most_each=8, clock=lambda: now[0]), list[str]()
    keypad = entered(door, "10.1.1.1", gone)
    keypad.recognise("device keypad-1")
    keypad.leave()
    for number in range(1, 50):
        entered(door, f"10.0.0.{number}")
    assert door.count == door.most_strangers
    entered(door, "10.1.1.1", gone)
    entered(door, "10.1.1.1", gone)
    assert (door.count, len(door.guests), gone) == (8, 2, [])
    entered(door, "10.0.0.99")
    assert (door.count, len(door.guests), gone) == (8, 2, []), "a stranger went for it"
    now[0] = doors.KNOWN_S + 1
    entered(door, "10.1.1.1")
    assert len(door.guests) == 2, "it is long ago"


def test_whoever_was_recognised_stays_and_of_one_holder_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doors, "MOST_OF_HOLDER", 3)
    door, gone = Door(most=8, most_each=20), list[str]()
    for _ in range(8):
        entered(door, "10.0.0.1", gone).recognise("device display-1")
    assert door.holders == {"device display-1": 3}
    others = [entered(door, f"10.0.0.{number}", gone) for number in range(2, 7)]
    for number, place in enumerate(others):
        place.recognise(f"device keypad-{number}")
    assert gone == ["10.0.0.1"] * 5
    refused = door.enter("10.0.0.9")
    assert isinstance(refused, str)
    assert refused.startswith("This server has 8 connections")
    others[0].leave()
    entered(door, "10.0.0.9", gone)
    assert len(gone) == 5


def test_an_address_that_has_all_its_places_gives_its_own() -> None:
    door, gone = Door(most=100, most_each=3), list[str]()
    entered(door, "10.0.0.9", gone)
    for _ in range(5):
        entered(door, "10.0.0.1", gone)
    assert (gone, door.inside["10.0.0.1"]) == (["10.0.0.1"] * 2, 3)
    for _ in range(5):
        entered(door, "2001:db8::1")
        entered(door, "2001:db8::2")
    assert door.inside["2001:db8::/64"] == 3, "of IPv6 whoever has one address has its network"
    for place in list(door.at["10.0.0.1"]):
        place.recognise("person max")
    refused = door.enter("10.0.0.1")
    assert isinstance(refused, str)
    assert refused.startswith("There are 3 connections from this address")
    door.proxies = Proxies(["10.0.0.1"])
    entered(door, "10.0.0.1")


@given(st.data())
def test_whatever_comes_the_counts_agree_and_nobody_recognised_is_sent_away(data: Any) -> None:
    door, here = Door(most=12, most_each=5), list[Place]()
    addresses = st.sampled_from([f"10.0.0.{number}" for number in range(8)])
    for _ in range(data.draw(st.integers(1, 60))):
        act = data.draw(st.sampled_from(["enter", "enter", "leave", "stir", "recognise"]))
        if act == "enter":
            place = door.enter(data.draw(addresses))
            if isinstance(place, Place):
                here.append(place)

                def gone(place: Place = place) -> None:
                    assert not place.is_kept
                    here.remove(place)

                place.drop = gone
        elif here:
            place = data.draw(st.sampled_from(here))
            if act == "leave":
                here.remove(place)
                place.leave()
            elif act == "stir":
                place.stir()
            else:
                place.recognise(f"device {data.draw(st.integers(0, 2))}")
        unknown = [place for place in here if not place.is_kept]
        assert door.count == len(here) == sum(door.inside.values()) <= door.most
        assert max(door.inside.values(), default=0) <= door.most_each
        assert (
            set(unknown)
            == {*door.strangers, *door.guests, *door.surplus}
            == {place for crowd in door.at.values() for place in crowd}
        )
        assert len(door.strangers) <= door.most_strangers
        assert sum(door.holders.values()) == len(here) - len(unknown)


# Real servers, on this machine

HALF_OPEN = 4_000
ADDRESSES = [f"127.0.0.{number}" for number in range(20, 28)]
WHILE_OPENING = 4
"""The keypad acts after each part of them."""
KEYPAD = "127.0.0.70"


@pytest.fixture
def files() -> Iterator[int]:
    """How many connections this process may open beside its own files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = HALF_OPEN + 500
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), hard))
    yield min(HALF_OPEN, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 500)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def half_open(port: int, address: str, sent: bytes) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(address, 0))
    line.sendall(sent)
    return line


class KeypadLine:
    """A keypad that comes by a new connection, from an address of its own, for everything that it does."""

    def __init__(self, port: int, tls: ssl.SSLContext | None = None, address: str = KEYPAD) -> None:
        self.port, self.tls, self.address, self.number = port, tls, address, 0

    def post(self, path: str, token: str, **body: Any) -> dict[str, Any]:
        transport = httpx.HTTPTransport(local_address=self.address, verify=self.tls or False)
        url = f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}"
        with httpx.Client(transport=transport, base_url=url, timeout=60, trust_env=False) as client:
            return done(client.post(path, json=body, headers={"Authorization": f"Bearer {token}"}))

    def play(self, site: MadeSite) -> None:
        """A dealer signs in and a game is played."""
        self.number += 1
        token = self.post("/api/keypad/sign-in", site.tokens["keypad-1"], card=site.cards["ann"])["token"]
        seats = {"lit": [1, 2], "based": [1, 2]}
        self.post(f"/api/links/{LINK}/start", token, id=f"s{self.number}", table=1, **seats)
        self.post(f"/api/links/{LINK}/end", token, id=f"e{self.number}", table=1)


@contextmanager
def thousands(port: int, count: int, sent: tuple[bytes, ...], meanwhile: Any) -> Iterator[list[socket.socket]]:
    lines: list[socket.socket] = []
    try:
        for number in range(count):
            lines.append(half_open(port, ADDRESSES[number % len(ADDRESSES)], sent[number % len(sent)]))
            if number % (count // WHILE_OPENING) == 0:
                meanwhile()
        meanwhile()
        yield lines
    finally:
        for line in lines:
            line.close()


BEGUN = b"POST /api/sign-in HTTP/1.1\r\nHost: x\r\n"
SLOW_BODY = BEGUN + b"Content-Type: application/json\r\nContent-Length: 900\r\n\r\n{"


def test_four_thousand_half_open_connections_keep_no_keypad_out(site: MadeSite, tmp_path: Path, files: int) -> None:
    """From eight addresses: nothing sent, headers that do not end, bodies that do not come. A keypad that was never
    here before connects anew for each thing that it does, and a display that listens stays."""
    with started(tmp_path, "--db", site.db, "--port", "0") as server:
        port = int(server.url.rpartition(":")[2])
        ear, keypad = Ear(server.url, site.tokens["display-all"]), KeypadLine(port)
        with thousands(port, files, (b"", BEGUN, SLOW_BODY), partial(keypad.play, site)):
            newcomer = KeypadLine(port, address="127.0.0.71")
            newcomer.number = 1_000
            newcomer.play(site)
        assert keypad.number == WHILE_OPENING + 1
        played = 2 * (keypad.number + 1)
        wait_until(lambda: len({told.id for told in ear.told}) > 1)
        assert not ear.ended
        with server.client() as client:
            bearer = {"Authorization": f"Bearer {site.tokens['aud']}"}
            kinds = [
                entry["kind"] for entry in done(client.get(f"/api/links/{LINK}/entries", headers=bearer))["entries"]
            ]
        assert kinds[-played:] == ["start", "end"] * (played // 2)
        assert "program" not in server.log
        ear.close()


def test_before_tls_is_agreed_on_a_connection_counts_too(site: MadeSite, tmp_path: Path, files: int) -> None:
    cert, key = own_certificate(tmp_path)
    tls = ("--tls-cert", str(cert), "--tls-key", str(key))
    with started(tmp_path, "--db", site.db, "--port", "0", *tls) as server:
        port = int(server.url.rpartition(":")[2])
        keypad = KeypadLine(port, trusting(cert))
        hello = b"\x16\x03\x01\x02\x00\x01"
        with thousands(port, files, (b"", hello), partial(keypad.play, site)) as lines:
            ended = select.poll()
            for line in lines:
                ended.register(line, select.POLLIN)
            wait_until(lambda: len(ended.poll(0)) >= len(lines) - Settings().most_connections * 3 // 4)
        assert "Traceback" not in server.log


# One server for the rest


@pytest.fixture(scope="module")
def place(made_site: MadeSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[MadeSite, Served]]:
    site = made_site.copy(tmp_path_factory.mktemp("door"))
    with served(with_port(site.settings)) as made:
        yield site, made


def get(made: Served, path: str, token: str, address: str = "127.0.0.1") -> httpx.Response:
    with httpx.Client(transport=httpx.HTTPTransport(local_address=address), timeout=60) as client:
        return client.get(made.url + path, headers={"Authorization": f"Bearer {token}"} if token else {})


def test_one_display_with_five_hundred_streams_shuts_nobody_else_out(place: tuple[MadeSite, Served]) -> None:
    site, made = place
    port, token = int(made.url.rpartition(":")[2]), site.tokens["display-all"]
    ask = f"GET /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
    lines = [half_open(port, ADDRESSES[number % 8], ask) for number in range(500)]
    try:
        told = [line.recv(12) for line in lines]
        assert told.count(b"HTTP/1.1 200") == hubs.MOST_LISTENERS_HOLDER
        assert told.count(b"HTTP/1.1 429") == 500 - hubs.MOST_LISTENERS_HOLDER
        refused = get(made, "/api/events", token)
        assert (refused.status_code, error_of(refused), refused.headers["retry-after"]) == (
            429,
            "too-many-listeners",
            "5",
        )
        for who in ("display-main", "keypad-1", "max"):
            ear = Ear(made.url, site.tokens[who])
            ear.wait(lambda told: told.link(LINK))
            ear.close()
    finally:
        for line in lines:
            line.close()
    wait_until(lambda: made.hub.listeners == 0)
    assert get(made, "/api/site", token).status_code == 200


def test_all_places_of_events_taken_is_told_with_a_time(
    place: tuple[MadeSite, Served], monkeypatch: pytest.MonkeyPatch
) -> None:
    site, made = place
    monkeypatch.setattr(made.hub.places, "each_address", 0)
    assert get(made, "/api/events", site.tokens["display-all"]).status_code == 429
    monkeypatch.setattr(made.hub.places, "each_address", 1)
    monkeypatch.setattr(made.hub.places, "most", 0)
    refused = get(made, "/api/events", site.tokens["display-all"])
    assert (refused.status_code, error_of(refused), refused.headers["retry-after"]) == (503, "too-many-listeners", "5")


def test_a_token_that_asks_without_end_is_told_when_to_come_again(
    place: tuple[MadeSite, Served], monkeypatch: pytest.MonkeyPatch
) -> None:
    site, made = place
    shares: callers.Shares = made.app.state.shares
    now = [0.0]
    for kind in ("display", "keypad", "person"):
        monkeypatch.setattr(shares, f"_{kind}", Rate(6, what="requests", where=f"of one {kind}", clock=lambda: now[0]))
    for who, kind in (("display-all", "display"), ("ann 1", "keypad"), ("max", "person")):
        answers = [get(made, "/api/site", site.tokens[who]) for _ in range(8)]
        assert [answer.status_code for answer in answers] == [200] * 6 + [429] * 2
        assert (error_of(answers[6]), answers[6].headers["retry-after"]) == ("too-many-tries", "11")
        assert answers[6].json()["error"]["sentence"] == f"At most 6 requests a minute of one {kind}: wait 11 seconds."
    assert get(made, "/api/site", site.tokens["keypad-1"]).status_code == 429, "whoever is signed in there"
    assert get(made, "/api/site", site.tokens["display-main"]).status_code == 200
    now[0] = 10.0
    assert get(made, "/api/site", site.tokens["display-all"]).status_code == 200


def test_a_connection_is_known_by_its_token_and_its_network_after_it(place: tuple[MadeSite, Served]) -> None:
    site, made = place
    door, port = made.server.door, int(made.url.rpartition(":")[2])
    wait_until(lambda: door.count == 0)
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=("127.0.0.90", 0))) as line:
        line.request("GET", "/api/health")
        line.getresponse().read()
        assert (len(door.strangers), "127.0.0.90" in door.known) == (1, False)
        line.request("GET", "/api/site", headers={"Authorization": "Bearer dev_nobody"})
        assert line.getresponse().read()
        assert len(door.strangers) == 1, "a wrong token is no token"
        line.request("GET", "/api/site", headers=site.header("keypad-1"))
        line.getresponse().read()
        assert (len(door.strangers), dict(door.holders)) == (0, {"device keypad-1": 1})
    wait_until(lambda: door.count == 0)
    assert (dict(door.holders), "127.0.0.90" in door.known) == ({}, True)


def test_a_server_that_is_full_of_those_it_knows_says_so(
    place: tuple[MadeSite, Served], monkeypatch: pytest.MonkeyPatch
) -> None:
    site, made = place
    door = made.server.door
    wait_until(lambda: door.count == 0)
    monkeypatch.setattr(door, "most", 2)
    ears = [Ear(made.url, site.tokens["display-all"]) for _ in range(2)]
    refused = get(made, "/api/health", site.tokens["keypad-1"])
    assert (refused.status_code, error_of(refused), refused.headers["retry-after"]) == (
        503,
        "too-many-connections",
        "5",
    )
    monkeypatch.setattr(door, "proxies", Proxies(THIS_MACHINE))
    assert get(made, "/api/health", "").status_code == 503, "a proxy has no more places than there are"
    for ear in ears:
        ear.close()
    wait_until(lambda: door.count == 0 and door.told == 0)
    for left in (door.inside, door.strangers, door.guests, door.surplus, door.at, door.holders):
        assert not left
