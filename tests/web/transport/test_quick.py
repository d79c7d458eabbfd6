"""The short way of a table's acts answers as the long way does, whoever sends whatever, however it is sent."""

from __future__ import annotations

import io
import json
import socket
import threading
import time
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from croupier.floor.floor import Floor
from croupier.floor.link import acts
from croupier.web import logs
from croupier.web.identity import sessions
from croupier.web.identity.cookies import SESSION_COOKIE, csrf_token
from croupier.web.transport import quick
from croupier.web.transport.connections import Connection
from croupier.web.transport.quick import TableActs
from tests.web.listening import Served, served, with_port
from tests.web.support import LINK, MadeSite, error_of, wait_until

SHORT, LONG = "application/json", "application/json; charset=utf-8"
"""Said in the second way, the request takes the long way."""
SEATS = {"lit": [1], "based": [1]}
BODIES: tuple[Any, ...] = (
    b"",
    b"{",
    b"[]",
    b'{"id": "\\ud800"}',
    b'{"id": "q0", "table": 1, "lit": [NaN], "based": []}',
    b'{"id": "q0", "table": 1, "table": 2}',
    {},
    {"id": "", "table": 1, **SEATS},
    {"id": "q1", "table": "1", **SEATS},
    {"id": "q1", "table": 1.0, **SEATS},
    {"id": "q1", "table": True, **SEATS},
    {"id": "q1", "table": 10**30, **SEATS},
    {"id": "q1", "table": 1, "lit": [True], "based": []},
    {"id": "q1", "table": 1, "lit": 1, "based": []},
    {"id": "q1", "table": 1, **SEATS, "by": ["max", "manager"]},
    {"id": "q1", "table": 1, **SEATS, "where": "elsewhere"},
    {"id": "q1", "table": 9, **SEATS},
    {"id": "q1\x00", "table": 1, **SEATS},
    {"id": "q1", "table": 1, "lit": [99], "based": [99]},
    {"id": "q1", "table": 1, **SEATS},
    {"id": "q1", "table": 1, **SEATS},
    {"id": "q1", "table": 1, "lit": [2], "based": [2]},
    {"id": "q2", "table": 1, **SEATS},
)
ACTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("start", SEATS),
    ("enter", {"seat": 1, "line": "Three 7's - Same Color"}),
    ("enter", {"seat": 1, "line": "Three 7's - Same Color", "override_card": "nobody's card 0001"}),
    ("take-back", {"seat": 1}),
    ("call", {}),
    ("end", {}),
    ("end", {}),
    ("confirm", {"award": 1}),
)


class Place:
    """A server on whose connections the short way is counted."""

    def __init__(self, site: MadeSite, made: Served) -> None:
        self.site, self.served, self.taken = site, made, 0
        self.port = int(made.url.rpartition(":")[2])
        self._line = socket.create_connection(("127.0.0.1", self.port), timeout=10)
        self._used_s = time.monotonic()
        self.client = httpx.Client(base_url=made.url, timeout=30, trust_env=False)
        kind: type[Connection] = made.server.config.http_protocol_class  # type: ignore[assignment]
        self.acts: TableActs = kind.acts
        really = self.acts.take

        def counted(*given: Any) -> bool:
            taken = really(*given)
            self.taken += taken
            return taken

        self.acts.take = counted  # type: ignore[method-assign, assignment]

    def send(self, act: str, body: Any, who: str = "ann 1", kind: str = SHORT, link: str = LINK) -> httpx.Response:
        return self.post(act, body, {**self.site.header(who), "Content-Type": kind}, link)

    def post(self, act: str, body: Any, headers: dict[str, str], link: str = LINK) -> httpx.Response:
        """On a connection that stays open, all at once, as a browser does."""
        if time.monotonic() - self._used_s > 5:  # the server closes what is quiet
            self._line.close()
            self._line = socket.create_connection(("127.0.0.1", self.port), timeout=10)
        self._line.sendall(written(act, body, {"Connection": "keep-alive", **headers}, link))
        found = read(self._line)
        self._used_s = time.monotonic()
        return found

    def does(self, act: str, **values: Any) -> httpx.Response:
        """An act that must go the short way; the session has just been looked up."""
        self.client.get("/api/site", headers=self.site.header("ann 1"))
        before = self.taken
        found = self.send(act, {"id": uuid.uuid4().hex, "table": 1, **values})
        assert self.taken == before + 1, found.text
        return found

    def request(self, act: str, **values: Any) -> bytes:
        """The same as it goes over the line."""
        body = {"id": uuid.uuid4().hex, "table": 1, **values}
        return written(act, body, {**self.site.header("ann 1"), "Content-Type": SHORT})

    def line(self) -> socket.socket:
        self.client.get("/api/site", headers=self.site.header("ann 1"))
        return socket.create_connection(("127.0.0.1", self.port), timeout=10)

    def close(self) -> None:
        self._line.close()
        self.client.close()


def written(act: str, body: Any, headers: dict[str, str], link: str = LINK) -> bytes:
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {"Host": "x", **headers, "Content-Length": str(len(text))}
    lines = [f"POST /api/links/{link}/{act} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + text


def received(line: socket.socket) -> bytes:
    part = line.recv(65_536)
    assert part, "the server has closed the connection"
    return part


def read(line: socket.socket) -> httpx.Response:
    """One answer."""
    found = b""
    while b"\r\n\r\n" not in found:
        found += received(line)
    head, _, body = found.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    headers = httpx.Headers([(name, value) for name, _, value in (each.partition(": ") for each in lines)])
    while len(body) < int(headers["content-length"]):
        body += received(line)
    return httpx.Response(int(status.split()[1]), headers=headers, content=body)


@pytest.fixture(scope="module")
def place(made_site: MadeSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    site = made_site.copy(tmp_path_factory.mktemp("quick"))
    with served(with_port(site.settings)) as made:
        found = Place(site, made)
        yield found
        found.close()


@pytest.fixture(autouse=True)
def no_game(place: Place) -> Iterator[None]:
    yield
    place.send("end", {"id": uuid.uuid4().hex, "table": 1}, kind=LONG)


def answered(found: httpx.Response) -> tuple[int, str, Any]:
    """The status, what sort of answer it is, and what it says."""
    told = found.json()
    if found.status_code == 200:
        return 200, found.headers["cache-control"], told
    return found.status_code, found.headers["content-type"], told["error"]


def test_both_ways_answer_the_same(place: Place) -> None:
    for who in ("", "keypad-1", "display-main", "dan", "max", "ann card", "ann 1"):
        for link in (LINK, "unknown", "x" * 65, "%00", "ma%69n"):
            for body in BODIES:
                short, long = (answered(place.send("start", body, who, kind, link)) for kind in (SHORT, LONG))
                assert short == long, (who, link, body)


def test_all_acts_of_a_table_answer_the_same_both_ways(place: Place) -> None:
    for number, (act, values) in enumerate(ACTS):
        body = {"id": f"both {number}", "table": 1, **values}
        if act == "confirm":
            del body["table"]
        short, long = (answered(place.send(act, body, kind=kind)) for kind in (SHORT, LONG))
        assert short == long, act


def test_a_plain_act_goes_the_short_way_and_its_refusal_has_the_one_form(place: Place) -> None:
    done = place.does("start", **SEATS)
    assert (done.status_code, done.json()["link"]["game"]["on"]) == (200, True)
    assert {"date", "content-length", "x-request-id"} <= set(done.headers)
    refused = place.does("start", **SEATS)
    assert (refused.status_code, error_of(refused)) == (409, "game-on")
    assert refused.headers["content-type"] == "application/json"


def test_the_log_and_the_figures_tell_of_it_as_of_every_request(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    told = io.StringIO()
    monkeypatch.setattr(logs.straight, "stream", told)
    monkeypatch.setattr(logs, "_level_of", lambda *_: logs.straight.info)
    before = figures(place)
    done = place.does("start", **SEATS)
    wait_until(lambda: done.headers["x-request-id"] in told.getvalue())
    line = next(line for line in map(json.loads, told.getvalue().splitlines()) if line["route"].endswith("/start"))
    assert set(line) == {*("at", "level", "event", "request", "method", "route", "status", "ms", "from")} | {
        *("person", "device")
    }
    assert (line["request"], line["status"], line["person"]) == (done.headers["x-request-id"], 200, "ann")
    assert (line["route"], line["device"], line["from"]) == ("/api/links/{link}/start", "keypad-1", "127.0.0.1")
    assert place.site.tokens["ann 1"].removeprefix("ses_") not in told.getvalue()
    after = figures(place)
    for name in ('requests_total{method="POST",%s,status="200"}', "request_seconds_count{%s}"):
        key = f"croupier_{name}" % 'route="/api/links/{link}/start"'
        assert after[key] == before.get(key, 0) + 1
    assert after["croupier_requests_in_progress"] == 1, "the one that asks"


def figures(place: Place) -> dict[str, float]:
    lines = [line.rpartition(" ") for line in place.client.get("/metrics").text.splitlines() if line[0] != "#"]
    return {name: float(value) for name, _, value in lines}


def test_a_cookie_counts_with_the_token_of_its_page_alone(place: Place) -> None:
    cookie = place.site.tokens["ann 1"]
    key = place.served.runtime.key
    body = {"id": "c1", "table": 1, **SEATS}
    for sent in ("", "x" * 64, csrf_token(key, "ses_another")):
        headers = {"Cookie": f"{SESSION_COOKIE}={cookie}", "X-CSRF-Token": sent, "Content-Type": SHORT}
        for _ in range(2):
            refused = place.post("start", body, headers)
            assert (refused.status_code, error_of(refused)) == (403, "csrf")
    headers |= {"X-CSRF-Token": csrf_token(key, cookie)}
    place.client.get("/api/site", headers=place.site.header("ann 1"))
    before = place.taken
    assert place.post("start", body, headers).status_code == 200
    assert place.taken == before + 1


def test_whoever_signs_out_or_is_taken_off_is_out_at_once(place: Place) -> None:
    runtime, token = place.served.runtime, place.site.tokens["ann 1"]
    session, _ = runtime.access.session(token.removeprefix("ses_"))
    assert place.does("start", **SEATS).status_code == 200
    runtime.access.end(session)
    refused = place.send("end", {"id": "s2", "table": 1})
    assert (refused.status_code, error_of(refused)) == (401, "signed-out")
    runtime.sessions.begin(session)
    assert place.does("end").status_code == 200


def test_a_session_that_was_not_looked_up_lately_is_looked_up(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "FRESH_S", 0.0)
    before = place.taken
    assert place.send("start", {"id": "f1", "table": 1, **SEATS}).status_code == 200
    assert place.taken == before


def test_a_session_that_acts_is_looked_up_again_before_it_is_stale(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, token = place.served.runtime.access, place.site.tokens["ann 1"].removeprefix("ses_")
    session, _ = found.session(token)
    looked: list[set[str]] = []
    monkeypatch.setattr(quick, "FRESH_S", 0.02)
    monkeypatch.setattr(found, "look_again", looked.append)
    wait_until(lambda: place.does("call").is_error and len(looked) >= 2)
    assert looked[-1] == {session.token_hash}


def test_a_session_that_ends_while_it_is_looked_up_again_stays_ended(place: Place) -> None:
    found, token = place.served.runtime.access, place.site.tokens["ann 1"].removeprefix("ses_")
    session, _ = found.session(token)
    really = found._store.sessions

    def and_signs_out(hashes: Any) -> Any:
        rows = really(hashes)
        if threading.current_thread() is threading.main_thread():  # the server looks sessions up again by itself too
            found.end(session)
        return rows

    found._store.sessions = and_signs_out
    try:
        found.look_again([session.token_hash])
    finally:
        found._store.sessions = really
    assert found.at_once(session.token_hash) is None
    found._store.begin(session)
    found.session(token)
    assert found.at_once(session.token_hash) is not None
    found._store.end(session.token_hash)
    found.look_again([session.token_hash])
    assert found.at_once(session.token_hash) is None, "another server has signed it out"
    found._store.begin(session)


def test_the_same_head_with_another_body_is_read_anew(place: Place) -> None:
    """A head that is known says how long its body is; one that is shorter or longer is not taken for it."""
    with place.line() as line:
        request = place.request("start", **SEATS)
        head, body = request.split(b"\r\n\r\n")
        line.sendall(request)
        assert b'"kind":"start"' in heard(line, 1)[0]
        before = place.taken
        line.sendall(request + b"GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n")
        again, look = heard(line, 2)
        assert b'"kind":"start"' in again
        assert b"running" in look
        line.sendall(head + b"\r\n\r\n" + body[:-4])
        time.sleep(0.05)
        line.sendall(body[-4:])
        assert heard(line, 1)[0].startswith(b"200")
        assert place.taken == before
        line.sendall(head + b"\r\n\r\n" + body.replace(b'"table": 1', b'"table": 9'))
        assert heard(line, 1)[0].startswith(b"403")


def heard(line: socket.socket, answers: int) -> list[bytes]:
    """So many answers, in the order in which they come."""
    found = b""
    while found.count(b"HTTP/1.1 ") < answers or not found.endswith(b"}"):
        part = line.recv(65_536)
        assert part, found
        found += part
    return found.split(b"HTTP/1.1 ")[1:]


def test_what_is_sent_behind_an_act_is_answered_after_it(place: Place) -> None:
    look = b"GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n"
    with place.line() as line:
        line.sendall(place.request("start", **SEATS))
        line.sendall(look + place.request("end"))
        line.sendall(place.request("start", **SEATS) + look)
        answers = heard(line, 5)
    assert [each[:3] for each in answers] == [b"200"] * 5
    marks = (b'"kind":"start"', b"running", b'"kind":"end"', b'"kind":"start"', b"running")
    assert all(mark in each for mark, each in zip(marks, answers, strict=True))


def test_an_act_in_pieces_or_that_ends_the_connection_goes_the_long_way(place: Place) -> None:
    request = place.request("start", **SEATS)
    before = place.taken
    with place.line() as line:
        for piece in (request[:40], request[40:-5], request[-5:]):
            line.sendall(piece)
            time.sleep(0.05)
        assert heard(line, 1)[0].startswith(b"200")
        line.sendall(place.request("end").replace(b"Host: x", b"Connection: close"))
        assert heard(line, 1)[0].startswith(b"200")
        assert line.recv(10) == b""
    assert place.taken == before
    with place.line() as line:
        line.sendall(place.request("end")[:-2])
        line.sendall(b"\r\nGET / HTTP/1.1\r\n\r\n")
        assert heard(line, 1)[0].startswith(b"400")


def test_who_goes_away_before_the_answer_harms_nobody(place: Place, caplog: pytest.LogCaptureFixture) -> None:
    entries = place.served.runtime.house.links[LINK].entries
    with place.line() as line:
        line.sendall(place.request("start", **SEATS))
        line.sendall(b"GET / HTTP")
    wait_until(lambda: place.served.runtime.house.links[LINK].entries == entries + 1)
    assert place.does("end").status_code == 200
    assert "Traceback" not in caplog.text


def test_an_error_of_the_program_is_told_as_one(
    place: Place, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def wrong(*_: Any) -> None:
        raise ValueError("the PIN is 482913")

    for where, name in ((quick, "entry_text"), (Floor, "hand_in")):
        with monkeypatch.context() as patched:
            patched.setattr(where, name, wrong)
            refused = place.does("start", **SEATS)
        assert (refused.status_code, error_of(refused)) == (500, "program")
        place.send("end", {"id": uuid.uuid4().hex, "table": 1}, kind=LONG)
    assert "ValueError" in caplog.text
    assert "482913" not in caplog.text + refused.text


def test_an_act_that_was_taken_is_answered_though_the_server_stops(made_site: MadeSite, tmp_path: Any) -> None:
    with served(with_port(made_site.copy(tmp_path).settings)) as made:
        stopping = Place(made_site, made)
        really = Floor.hand_in

        def slowly(floor: Floor, act: acts.LinkAct, link: str, waiting: Any) -> None:
            made.server.should_exit = True
            stopping.acts._loop.call_later(0.3, really, floor, act, link, waiting)

        with pytest.MonkeyPatch.context() as patched, stopping.line() as line:
            patched.setattr(Floor, "hand_in", slowly)
            line.sendall(stopping.request("start", **SEATS))
            assert heard(line, 1)[0].startswith(b"200")
            assert line.recv(10) == b"", "and that was the last"
        assert stopping.taken == 1
        stopping.close()
