"""What strangers, slow and greedy clients cannot do to a server: hold it up, fill it, or learn where its books are."""

from __future__ import annotations

import json
import select
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

import httpx
import pytest

from croupier.errors import NotationError
from croupier.floor.floor import Floor
from croupier.floor.link import acts
from croupier.floor.site import acts as site_acts
from croupier.floor.writer import InDoubt
from croupier.store.store import StoreFull, StoreLost
from croupier.web.cluster import runtime as runtimes
from croupier.web.errors import response_of
from croupier.web.floor import log, reports
from croupier.web.floor import log as looking
from croupier.web.settings import THIS_MACHINE, Settings
from croupier.web.transport import connections
from croupier.web.transport import connections as limits
from croupier.web.transport.clients import Clients, Proxies, as_address
from croupier.web.transport.door import Door
from support.room import EXECUTIVE, MANAGER, ONE_METER, table
from tests.web.listening import Ear, Served, served, with_port
from tests.web.support import LINK, MadeSite, agreed, done, error_of, wait_until

SECRET = "postgresql://floor@10.9.8.7:5432/room"


class Place:
    """One server for all of these."""

    def __init__(self, site: MadeSite, made: Served) -> None:
        self.site, self.served, self.url = site, made, made.url
        self.port = int(made.url.rpartition(":")[2])
        none_kept = httpx.Limits(max_connections=100, max_keepalive_connections=0)
        self.client = httpx.Client(base_url=made.url, timeout=60, limits=none_kept, trust_env=False)

    def get(self, path: str, who: str = "max", **more: Any) -> httpx.Response:
        return self.client.get(path, headers=self.site.header(who), **more)

    def line(self, sent: bytes = b"") -> socket.socket:
        made = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        made.sendall(sent)
        return made

    @property
    def door(self) -> Door:
        return self.served.server.door


@pytest.fixture(scope="module")
def place(made_site: MadeSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    site = made_site.copy(tmp_path_factory.mktemp("bounds"))
    with served(with_port(site.settings)) as made:
        found = Place(site, made)
        yield found
        found.client.close()


def heard(line: socket.socket) -> bytes:
    """All that the server says until it closes."""
    found = b""
    try:
        while part := line.recv(65_536):
            found += part
    except ConnectionResetError:
        pass
    line.close()
    return found


def code_of(answer: bytes) -> tuple[int, str]:
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["error"]["code"]


# Work that takes long


def test_reports_wait_for_each_other_and_nobody_else_for_them(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty at once, none of which ends: as many as may wait do, the others are told; the floor goes on."""
    gate = threading.Event()

    open_books = reports.open_books

    @contextmanager
    def slow(*given: Any) -> Iterator[Any]:
        gate.wait(60)
        with open_books(*given) as books:
            yield books

    monkeypatch.setattr(reports, "open_books", slow)
    with ThreadPoolExecutor(60) as clients:
        asked = [clients.submit(place.get, "/api/reports/balance", "sue") for _ in range(60)]
        within = runtimes.REPORTS_AT_ONCE + runtimes.REPORTS_WAITING
        wait_until(lambda: sum(each.done() for each in asked) == 60 - within)
        began = time.monotonic()
        for path in ("/api/health", "/api/ready", "/api/site", f"/api/links/{LINK}/entries"):
            done(place.get(path))
        assert time.monotonic() - began < 25
        gate.set()
        answers = [each.result() for each in asked]
    assert sorted(each.status_code for each in answers) == [200] * within + [503] * (60 - within)
    assert {error_of(each) for each in answers if each.status_code == 503} == {"busy"}


def test_searches_of_the_log_that_take_long_hold_nobody_else_up(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    gate, real = threading.Event(), looking.look_back

    def slow(*given: Any) -> Any:
        gate.wait(60)
        return real(*given)

    monkeypatch.setattr(log, "look_back", slow)
    with ThreadPoolExecutor(60) as clients:
        asked = [clients.submit(place.get, "/api/log", "sue") for _ in range(60)]
        within = runtimes.SEARCHES_AT_ONCE + runtimes.SEARCHES_WAITING
        wait_until(lambda: sum(each.done() for each in asked) == 60 - within)
        for path in ("/api/health", "/api/site", "/api/reports/balance"):
            done(place.get(path))
        gate.set()
        answers = [each.result() for each in asked]
    assert sorted(each.status_code for each in answers) == [200] * within + [503] * (60 - within)


def test_rounds_that_take_long_hold_nobody_else_up(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = done(place.client.post("/api/rounds", json={"id": "o1", "game": "blackjack"}))["round"]
    gate, rounds = threading.Event(), place.served.app.state.play.rounds
    real = rounds.standing

    def slow(*given: Any, **more: Any) -> Any:
        gate.wait(60)
        return real(*given, **more)

    monkeypatch.setattr(rounds, "standing", slow)
    with ThreadPoolExecutor(50) as clients:
        asked = [clients.submit(place.get, f"/api/rounds/{opened}", "") for _ in range(50)]
        time.sleep(0.3)
        for path in ("/api/health", "/api/site", "/api/reports/balance"):
            done(place.get(path))
        gate.set()
        assert {each.result().status_code for each in asked} == {200}


# Connections


def test_whoever_says_too_little_for_too_long_is_let_go(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEADERS_S", 0.3)
    monkeypatch.setattr(limits, "BODY_S", 0.3)
    head = b"POST /api/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n"
    whole = b"GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n"
    began = time.monotonic()
    lines = [place.line(sent) for sent in (b"", whole[:20], head + b"{", whole)]
    assert lines[3].recv(65_536).startswith(b"HTTP/1.1 200 ")
    lines[3].sendall(whole[:9])
    answers = [heard(line) for line in lines]
    assert [code_of(each) for each in answers] == [(408, "too-slow")] * 4
    assert time.monotonic() - began < 10


def test_headers_without_an_end_are_refused(place: Place) -> None:
    line = place.line(b"GET /api/health HTTP/1.1\r\nHost: x\r\nX-Long: ")
    try:
        for _ in range(50):
            line.sendall(b"a" * 1_000)
            time.sleep(0.002)
    except OSError:
        pass
    assert code_of(heard(line)) == (431, "too-long")


CHUNKED = (
    b"POST /api/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
)


def listening(place: Place) -> socket.socket:
    """A line on which events come in, for as long as it is open."""
    line = place.line(f"GET /api/events HTTP/1.1\r\nHost: x\r\n{bearer(place)}\r\n\r\n".encode())
    assert line.recv(65_536).startswith(b"HTTP/1.1 200 ")
    return line


def bearer(place: Place) -> str:
    return f"Authorization: Bearer {place.site.tokens['display-all']}"


def sent_until_cut_off(line: socket.socket, block: bytes, most: int = 5_000_000) -> int:
    sent = 0
    with suppress(OSError):
        while sent < most:
            line.sendall(block)
            sent += len(block)
    line.close()
    return sent


def test_trailers_and_pipelined_headers_without_an_end_are_cut_off(place: Place) -> None:
    trailing, behind = place.line(CHUNKED + b"2\r\n{}\r\n0\r\nA: "), listening(place)
    behind.sendall(b"GET / HTTP/1.1\r\n")
    assert sent_until_cut_off(trailing, b"x" * 65_536) < 5_000_000
    assert sent_until_cut_off(behind, b"a: x\r\n" * 8_000) < 5_000_000
    wait_until(lambda: place.door.count == 0)


def test_trailers_and_pipelined_headers_that_stop_are_cut_off(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    behind, quiet = listening(place), listening(place)
    monkeypatch.setattr(connections, "HEADERS_S", 0.3)
    monkeypatch.setattr(limits, "BODY_S", 0.3)
    trailing = place.line(CHUNKED + b"0\r\nA: x")
    behind.sendall(b"GET / HTTP/1.1\r\nA: x")
    assert code_of(heard(trailing)) == (408, "too-slow")
    heard(behind)
    wait_until(lambda: place.door.count == 1)
    wait_until(lambda: place.served.hub.listeners == 1)
    assert not select.select([quiet], [], [], 0.5)[0] or quiet.recv(1), "who listens and says nothing more stays"
    quiet.close()
    wait_until(lambda: place.door.count == 0)


def test_a_body_in_a_thousand_pieces_and_requests_behind_one_another_are_answered(place: Place) -> None:
    whole = b"GET /api/health HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 20_000 + b"\r\n\r\n"
    chunks = b"1\r\n \r\n" * 20_000 + b"2\r\n{}\r\n0\r\nHost: trailer\r\n\r\n"
    line = place.line(CHUNKED + chunks + whole * 3 + whole.replace(b"Host", b"Connection: close\r\nHost"))
    answers = heard(line)
    assert [answers.count(each) for each in (b"HTTP/1.1 422 ", b"HTTP/1.1 200 ")] == [1, 4]


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="the kernel cannot be asked to")
def test_whoever_takes_nothing_of_what_is_sent_is_let_go(
    place: Place, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(connections, "TAKEN_S", 2.0)  # long enough to be seen before
    ear = Ear(place.url, place.site.tokens["display-all"])
    deaf = socket.socket()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
    deaf.connect(("127.0.0.1", place.port))
    deaf.sendall(b"GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 40)
    wait_until(lambda: place.door.count == 2)
    wait_until(lambda: place.door.count == 1)
    done(place.get("/api/health"))
    assert "RuntimeError" not in caplog.text, "who is gone is not written to"
    assert not ear.ended, "who takes what comes stays"
    deaf.close()
    ear.close()


def test_one_address_has_so_many_connections_and_a_proxy_all(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    door = place.door
    wait_until(lambda: door.count == 0)
    monkeypatch.setattr(door, "most_each", 5)
    lines = [listening(place) for _ in range(5)]
    wait_until(lambda: door.count == 5)
    refused = heard(place.line(b"GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n"))
    assert code_of(refused) == (503, "too-many-connections")
    monkeypatch.setattr(door, "proxies", Proxies(THIS_MACHINE))
    done(place.get("/api/health"))
    wait_until(lambda: door.count == 5)
    monkeypatch.setattr(door, "most", 5)
    assert code_of(heard(place.line(b"GET / HTTP/1.1\r\n\r\n"))) == (503, "too-many-connections")
    for line in lines:
        line.close()
    wait_until(lambda: door.count == 0 and door.told == 0)
    assert not door.inside
    done(place.get("/api/health"))


# Proxies


def seen(said: str | None, peer: str, proxies: tuple[str, ...], scheme: bytes = b"https") -> tuple[str, str]:
    """The client and the scheme that the app sees."""
    found: dict[str, Any] = {}

    async def app(scope: Any, *_: Any) -> None:
        found.update(scope)

    headers = [(b"x-forwarded-proto", scheme), *([(b"x-forwarded-for", said.encode())] if said is not None else [])]
    scope = {"type": "http", "client": (peer, 4_000), "scheme": "http", "headers": headers}
    call = Clients(app, Proxies(proxies))(scope, None, None)  # type: ignore[arg-type]
    with pytest.raises(StopIteration):
        call.send(None)
    return found["client"][0], found["scheme"]


def test_only_named_proxies_are_believed_and_only_addresses() -> None:
    ours = ("10.0.0.2", "10.0.1.0/24")
    assert seen("9.9.9.9", "10.0.0.2", ours) == ("9.9.9.9", "https")
    assert seen("9.9.9.9", "10.0.0.3", ours) == ("10.0.0.3", "http"), "a stranger says what it likes"
    assert seen("1.2.3.4, 9.9.9.9, 10.0.1.7", "10.0.0.2", ours)[0] == "9.9.9.9", "the client's own words come first"
    assert seen("9.9.9.9:4711", "::ffff:10.0.0.2", ours)[0] == "9.9.9.9"
    assert seen("[2001:db8::1]:443", "10.0.0.2", ours)[0] == "2001:db8::1"
    assert seen("10.0.1.8, 10.0.1.7", "10.0.0.2", ours)[0] == "10.0.1.8"
    for wrong in ("Cage 1", "the surveillance room", "a" * 5_000, "fe80::1%" + "e" * 200, "", ",", "9.9.9.9, x"):
        assert seen(wrong, "10.0.0.2", ours)[0] == "10.0.0.2"
    assert seen("9.9.9.9", "10.0.0.2", ours, scheme=b"gopher")[1] == "http"
    assert max(len(as_address(text)) for text in ("1.2.3.4", "2001:db8:" * 7 + "1", "::ffff:1.2.3.4")) <= 45


def test_proxies_are_this_machine_unless_they_are_named() -> None:
    assert Settings().believed_proxies == ()
    assert Settings(behind_proxy=True).believed_proxies == THIS_MACHINE
    assert Settings(behind_proxy=True, proxies=("10.0.0.2",)).believed_proxies == ("10.0.0.2",)
    with pytest.raises(NotationError, match="say behind_proxy too"):
        Settings(proxies=("10.0.0.2",))
    for wrong in ("proxy.example", "10.0.0.2.3", "*", "10.0.0.0/99"):
        with pytest.raises(NotationError, match="an address or a network"):
            Settings(behind_proxy=True, proxies=(wrong,))


# What is told to whom


def test_a_display_of_one_link_sees_nothing_of_others(place: Place) -> None:
    floor = place.served.runtime.floor
    new = site_acts.TableSetup(9, "Free Bet Blackjack", "blackjack", 6, 7, 500, 30_000)
    floor.do_site(agreed(place.served.runtime, site_acts.SetTable(id="n2", by="max", second="mia", table=new)))
    setup = replace(ONE_METER, tables=(table(9, "Free Bet Blackjack"),))
    make = acts.MakeLink(id="n3", by=MANAGER, second=EXECUTIVE, setup=setup, link="side")
    floor.do(agreed(place.served.runtime, make, "side"), "side")
    for path in ("/api/links/side", "/api/links/nowhere", "/api/tables/9", "/api/events?link=side"):
        refused = place.get(path, "display-main")
        assert (refused.status_code, error_of(refused)) == (403, "other-link"), path
    assert [each["link"] for each in done(place.get("/api/links", "display-main"))["links"]] == [LINK]
    assert {each["link"] for each in done(place.get("/api/site", "display-main"))["tables"]} == {LINK}
    assert done(place.get(f"/api/links/{LINK}", "display-main"))["link"] == LINK
    assert done(place.get("/api/tables/1", "display-main"))["link"] == LINK
    for who in ("display-all", "max"):
        assert {each["link"] for each in done(place.get("/api/links", who))["links"]} == {LINK, "side"}
        done(place.get("/api/tables/9", who))


def test_strangers_are_not_told_where_the_books_are(
    place: Place, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    troubles = {"link:main": f"The store {SECRET} cannot be reached: connection to server at 10.9.8.7 failed."}
    monkeypatch.setattr(Floor, "troubles", property(lambda _: troubles))
    for who in ("", "display-all", "ann card"):
        told = place.get("/api/ready", who)
        assert (told.status_code, told.json()["status"]) == (503, "troubled")
        assert list(told.json()["troubles"]) == ["link:main"]
        assert "10.9.8.7" not in told.text
    assert place.get("/api/ready").json()["troubles"] == troubles
    assert "croupier_troubles 1.0" in place.get("/metrics", "").text
    wait_until(lambda: "10.9.8.7" in caplog.text)
    assert place.get("/api/health", "").status_code == 200


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (StoreLost(f"The connection to the store {SECRET} is lost: gone."), "store"),
        (StoreFull(f"There is no room to write the store {SECRET}: full."), "store"),
        (InDoubt(f"It is not known whether this was done; send it again. The store {SECRET} is gone."), "in-doubt"),
    ],
)
def test_an_error_of_the_store_does_not_say_where_it_is(error: Any, code: str) -> None:
    answer = response_of(error)
    told = json.loads(bytes(answer.body))["error"]
    assert (answer.status_code, told["code"], told["retry"]) == (503, code, True)
    assert "10.9.8.7" not in told["sentence"]
