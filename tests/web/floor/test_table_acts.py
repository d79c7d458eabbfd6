"""The endpoint of a table's acts answers as the documented route does, whoever sends whatever, however it is sent."""

from __future__ import annotations

import asyncio
import io
import json
import socket
import time
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from croupier.floor.floor import Floor
from croupier.floor.link import acts
from croupier.web import logs
from croupier.web.floor import routes, table_acts
from croupier.web.identity import sessions
from croupier.web.identity.cookies import SESSION_COOKIE, csrf_token
from croupier.web.transport import server
from tests.web.listening import Served, served, with_port
from tests.web.support import LINK, MadeSite, error_of, wait_until

PLAIN, BY_ROUTE = "application/json", "application/json; charset=utf-8"
"""Said in the second way, the request is left to the documented route."""
LOOK = b"GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n"
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
    """A server whose endpoint of table acts is counted."""

    def __init__(self, site: MadeSite, made: Served) -> None:
        self.site, self.served, self.taken = site, made, 0
        self.port = int(made.url.rpartition(":")[2])
        self._line = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        self._used_s = time.monotonic()
        self.client = httpx.Client(base_url=made.url, timeout=60, trust_env=False)
        self._patched = pytest.MonkeyPatch()
        self._patched.setattr(table_acts, "act_at_table", self._counted)

    async def _counted(self, *given: Any) -> Any:
        self.taken += 1
        return await routes.act_at_table(*given)

    def send(self, act: str, body: Any, who: str = "ann 1", kind: str = PLAIN, link: str = LINK) -> httpx.Response:
        return self.post(act, body, {**self.site.header(who), "Content-Type": kind}, link)

    def post(self, act: str, body: Any, headers: dict[str, str], link: str = LINK) -> httpx.Response:
        """On a connection that stays open, all at once, as a browser does."""
        if time.monotonic() - self._used_s > 5:  # the server closes what is quiet
            self.reopen()
        self._line.sendall(written(act, body, {"Connection": "keep-alive", **headers}, link))
        found = read(self._line)
        self._used_s = time.monotonic()
        return found

    def reopen(self) -> None:
        self._line.close()
        self._line = socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def does(self, act: str, **values: Any) -> httpx.Response:
        """An act that the endpoint must do."""
        before = self.taken
        found = self.send(act, {"id": uuid.uuid4().hex, "table": 1, **values})
        assert self.taken == before + 1, found.text
        return found

    def request(self, act: str, **values: Any) -> bytes:
        """The same as it goes over the line."""
        body = {"id": uuid.uuid4().hex, "table": 1, **values}
        return written(act, body, {**self.site.header("ann 1"), "Content-Type": PLAIN})

    def line(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def close(self) -> None:
        self._patched.undo()
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
    site = made_site.copy(tmp_path_factory.mktemp("table-acts"))
    with served(with_port(site.settings)) as made:
        found = Place(site, made)
        yield found
        found.close()


@pytest.fixture(autouse=True)
def no_game(place: Place) -> Iterator[None]:
    yield
    place.send("end", {"id": uuid.uuid4().hex, "table": 1}, kind=BY_ROUTE)


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
                plain, by_route = (answered(place.send("start", body, who, kind, link)) for kind in (PLAIN, BY_ROUTE))
                assert plain == by_route, (who, link, body)


def test_all_acts_of_a_table_answer_the_same_both_ways(place: Place) -> None:
    for number, (act, values) in enumerate(ACTS):
        body = {"id": f"both {number}", "table": 1, **values}
        if act == "confirm":
            del body["table"]
        plain, by_route = (answered(place.send(act, body, kind=kind)) for kind in (PLAIN, BY_ROUTE))
        assert plain == by_route, act


def test_a_plain_act_is_done_by_the_endpoint_and_its_refusal_has_the_one_form(place: Place) -> None:
    done = place.does("start", **SEATS)
    assert (done.status_code, done.json()["link"]["game"]["on"]) == (200, True)
    assert {"date", "content-length", "x-request-id"} <= set(done.headers)
    refused = place.does("start", **SEATS)
    assert (refused.status_code, error_of(refused)) == (409, "game-on")
    assert refused.headers["content-type"] == "application/json"


@pytest.mark.parametrize("kind", [PLAIN, BY_ROUTE])
def test_a_refusal_comes_as_an_answer_to_a_page_that_asks_for_it(place: Place, kind: str) -> None:
    headers = {**place.site.header("ann 1"), "Content-Type": kind, "X-Refusals": "told"}
    told = place.post("start", {"id": uuid.uuid4().hex, "table": 9, **SEATS}, headers)
    assert (told.status_code, told.headers["x-status"], error_of(told)) == (200, "403", "other-table")
    assert "x-request-id" in told.headers


def test_the_endpoint_does_nothing_that_the_app_turns_away(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A body that is too long, a header that is there twice, a server that may not lead any more."""
    body, before = {"id": uuid.uuid4().hex, "table": 1, **SEATS}, place.taken
    long = {**body, "id": "x" * place.site.settings.most_body_bytes}
    assert (answered(place.send("start", long))[0], place.taken) == (413, before)
    place.reopen()
    twice = {**place.site.header("ann 1"), "Content-Type": PLAIN, "content-type": "text/plain"}
    by_route = {**place.site.header("ann 1"), "Content-Type": "text/plain", "content-type": PLAIN}
    for headers in (twice, by_route):
        place.post("call", body, headers)
        assert place.taken == before, headers
    monkeypatch.setattr(Floor, "lease_doubt", property(lambda _: "The lease is lost."))
    refused = place.send("start", body)
    assert (refused.status_code, error_of(refused), place.taken) == (503, "not-leading", before)


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
        headers = {"Cookie": f"{SESSION_COOKIE}={cookie}", "X-CSRF-Token": sent, "Content-Type": PLAIN}
        for _ in range(2):
            refused = place.post("start", body, headers)
            assert (refused.status_code, error_of(refused)) == (403, "csrf")
    headers |= {"X-CSRF-Token": csrf_token(key, cookie)}
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
    store, looked = place.served.runtime.access._store, list[str]()
    really = store.session

    def counted(hashed: str) -> Any:
        looked.append(hashed)
        return really(hashed)

    monkeypatch.setattr(store, "session", counted)
    place.does("start", **SEATS)
    place.does("end")
    assert len(looked) <= 1, "what was looked up a moment ago is believed"
    monkeypatch.setattr(sessions, "FRESH_S", 0.0)
    looked.clear()
    assert place.does("start", **SEATS).status_code == 200
    assert len(looked) == 1


def test_a_session_that_ends_while_it_is_looked_up_stays_ended(place: Place) -> None:
    access, token = place.served.runtime.access, place.site.tokens["ann 1"].removeprefix("ses_")
    session, _ = access.session(token)
    store = access._store
    really = store.session

    def and_signs_out(hashed: str) -> Any:
        row = really(hashed)
        access.end(session)
        return row

    access._forget(session.token_hash)
    store.session = and_signs_out
    try:
        access.session(token)
    finally:
        store.session = really
    assert access.at_once(session.token_hash) is None
    store.begin(session)
    access.session(token)
    assert access.at_once(session.token_hash) is not None


def test_an_act_whose_last_spaces_are_not_there_yet_is_not_answered(place: Place) -> None:
    """Its JSON is complete; were it answered now, the spaces would begin the next request."""
    body = b'{"id": "%b", "table": 1}    ' % uuid.uuid4().hex.encode()
    request = written("call", body, {**place.site.header("ann 1"), "Content-Type": PLAIN})
    with place.line() as line:
        line.sendall(request)
        first = read(line)
        line.sendall(request[:-4])
        line.settimeout(0.15)
        with pytest.raises(TimeoutError):
            line.recv(1)
        line.settimeout(10)
        line.sendall(b"    ")
        late = read(line)
        assert (late.status_code, error_of(late)) == (first.status_code, error_of(first))
        line.sendall(LOOK)
        assert read(line).json() == {"status": "running"}


def heard(line: socket.socket, answers: int) -> list[bytes]:
    """So many answers, in the order in which they come."""
    found = b""
    while found.count(b"HTTP/1.1 ") < answers or not found.endswith(b"}"):
        part = line.recv(65_536)
        assert part, found
        found += part
    return found.split(b"HTTP/1.1 ")[1:]


def test_what_is_sent_behind_an_act_is_answered_after_it(place: Place) -> None:
    with place.line() as line:
        line.sendall(place.request("start", **SEATS))
        line.sendall(LOOK + place.request("end"))
        line.sendall(place.request("start", **SEATS) + LOOK)
        answers = heard(line, 5)
    assert [each[:3] for each in answers] == [b"200"] * 5
    marks = (b'"kind":"start"', b"running", b'"kind":"end"', b'"kind":"start"', b"running")
    assert all(mark in each for mark, each in zip(marks, answers, strict=True))


def test_an_act_in_pieces_or_that_ends_the_connection_is_answered(place: Place) -> None:
    request = place.request("start", **SEATS)
    with place.line() as line:
        for piece in (request[:40], request[40:-5], request[-5:]):
            line.sendall(piece)
            time.sleep(0.05)
        assert heard(line, 1)[0].startswith(b"200")
        line.sendall(place.request("end").replace(b"Host: x", b"Connection: close"))
        assert heard(line, 1)[0].startswith(b"200")
        assert line.recv(10) == b""
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


@pytest.mark.parametrize("kind", [PLAIN, BY_ROUTE])
def test_an_error_of_the_program_is_told_as_one(
    place: Place, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    def wrong(*_: Any) -> None:
        raise ValueError("the PIN is 482913")

    for where, name in ((routes, "entry_json"), (Floor, "hand_in")):
        with monkeypatch.context() as patched:
            patched.setattr(where, name, wrong)
            refused = place.send("start", {"id": uuid.uuid4().hex, "table": 1, **SEATS}, kind=kind)
            place.reopen()  # the server has closed it: nobody knows what else is wrong
        assert (refused.status_code, error_of(refused)) == (500, "program")
        place.send("end", {"id": uuid.uuid4().hex, "table": 1}, kind=BY_ROUTE)
    ours = " ".join(str(record.msg) for record in caplog.records if record.name == logs._logger.name)
    assert "ValueError" in ours
    assert "482913" not in ours + refused.text


def test_an_act_that_was_taken_is_answered_though_the_server_stops(made_site: MadeSite, tmp_path: Any) -> None:
    with served(with_port(made_site.copy(tmp_path).settings)) as made:
        stopping = Place(made_site, made)
        really = Floor.hand_in

        def slowly(floor: Floor, act: acts.LinkAct, link: str, waiting: Any) -> None:
            made.server.should_exit = True
            asyncio.get_running_loop().call_later(0.3, really, floor, act, link, waiting)

        with pytest.MonkeyPatch.context() as patched, stopping.line() as line:
            patched.setattr(Floor, "hand_in", slowly)
            line.sendall(stopping.request("start", **SEATS))
            assert heard(line, 1)[0].startswith(b"200")
            assert line.recv(10) == b"", "and that was the last"
        assert stopping.taken == 1
        stopping.close()


def test_a_connection_that_sends_acts_alone_is_closed_when_it_is_quiet_and_not_before(
    made_site: MadeSite, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet_s = 2
    monkeypatch.setattr(server, "KEEP_ALIVE_S", quiet_s)
    with served(with_port(made_site.copy(tmp_path).settings)) as made:
        quiet = Place(made_site, made)
        with quiet.line() as line:
            for _ in range(6):
                line.sendall(quiet.request("call"))
                assert heard(line, 1)
                time.sleep(0.2 * quiet_s)
            began = time.monotonic()
            assert line.recv(10) == b""
            assert time.monotonic() - began < 10 * quiet_s
        quiet.close()
