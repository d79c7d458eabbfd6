"""Ten thousand requests that nobody should send: none is answered with 500, none is done, each is told why."""

from __future__ import annotations

import json
import socket
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from random import Random
from typing import Any

import httpx
import pytest

from croupier.web.floor.acts import EXAMPLES
from croupier.web.floor.routes import LINK_ACTS, SITE_ACTS
from tests.web.support import LINK, MadeSite, Server, serve

THREADS, SEED = 4, 7
REQUESTS = {"json": 2_500, "spoiled": 4_000, "path": 2_000, "headers": 1_000, "not-http": 500}
"""How many of each kind; ten thousand in all."""
MOSTLY = {
    "json": {"400": 1_000, "422": 800},
    "spoiled": {"422": 3_500},
    "path": {"404": 500, "405": 500},
    "headers": {"401": 300, "400": 100},
    "not-http": {"not HTTP 400": 300},
}
"""The answers that must come, and more often than this."""
UNREAD = frozenset({"/api/sign-out", "/api/events", "/api/rounds/{round}/events"})
"""One ends the session, and two may never end. Acts that take no body cannot be spoiled either."""
MATHEMATICS = ("/api/par/", "/api/odds/", "/api/verify")
"""Which take seconds to answer, whatever else is in the address."""
ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, 1e308, 10**18, -(10**30), 10**400, "", "x" * 70, "x" * 100_000, "\x00", "\ud800"),
    *("١٢٣", "💎", "'; drop table entries; --", "../../etc/passwd", "{{7*7}}", "1", [], {}, [[]], [None], {"a": 1}),
    *([1] * 5_000, {"__class__": "x"}, {"": ""}, "2026-99-99", "NaN", "\u202e", "%00", "\r\nX: y"),
)
RAW = (
    b"",
    b"\x00\xff\xfe",
    b"{",
    b"[" * 100_000,
    b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
    b"null",
    b"NaN",
    b'"\\ud800"',
    b'{"id": 1e999999}',
    b'{"id": ' + b"9" * 10_000 + b"}",
    b'{"id": "a", "id": 2}',
    b"\xef\xbb\xbf{}",
    "{}".encode("utf-16"),
    b"id=1&table=2",
    b"<xml/>",
    b"'",
    b"{}{}",
)
NOT_HTTP = (
    b"GET\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"GET /api/site HTTP/9.9\r\n\r\n",
    b"POST /api/site\r\nContent-Length: -1\r\n\r\n",
    b"GET /api/me HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
    b"POST /api/sign-in HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n",
    b"GET / HTTP/1.1\r\nHost x\r\n\r\n",
    b"\r\n\r\n\r\n\r\n",
    bytes(range(256)),
)


class Caller:
    """One connection, made again when the server has hung up."""

    def __init__(self, port: int) -> None:
        self.port, self.socket = port, socket.socket()
        self.file = self.socket.makefile("rb")
        self._connect()

    def close(self) -> None:
        self.file.close()
        self.socket.close()

    def _connect(self) -> None:
        self.close()
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        self.file = self.socket.makefile("rb")

    def send(self, data: bytes) -> tuple[int, bytes]:
        """Status and body; 0 where the server hung up without a word."""
        try:
            self.socket.sendall(data)
            return self._answer()
        except (BrokenPipeError, ConnectionResetError, TimeoutError):
            self._connect()
            return 0, b""

    def send_and_hang_up(self, data: bytes) -> tuple[int, bytes]:
        """What is no request may leave the server waiting for the rest, so nothing more is sent."""
        try:
            self.socket.sendall(data)
            self.socket.shutdown(socket.SHUT_WR)
            return self._answer()
        except OSError:
            return 0, b""
        finally:
            self._connect()

    def _answer(self) -> tuple[int, bytes]:
        status = self.file.readline()
        if not status:
            self._connect()
            return 0, b""
        headers = {}
        while (line := self.file.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            headers[name.lower()] = value.strip()
        body = self.file.read(int(headers.get(b"content-length", b"0")))
        if headers.get(b"connection", b"").lower() == b"close":
            self._connect()
        return int(status.split()[1]), body


def request(method: str, path: str, body: bytes, token: str, *headers: bytes) -> bytes:
    lines = [
        f"{method} {path} HTTP/1.1".encode(),
        b"Host: room",
        b"Authorization: Bearer " + token.encode(),
        b"Content-Type: application/json",
        b"Content-Length: " + str(len(body)).encode(),
        *headers,
    ]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def bodies() -> dict[str, dict[str, Any]]:
    """A body of every act that is right, for spoiling."""
    found = {f"/api/links/{LINK}/{path}": EXAMPLES[act.kind] for act, path, _ in LINK_ACTS}
    found |= {f"/api/site/{path}": EXAMPLES[act.kind] for act, path, _ in SITE_ACTS}
    found["/api/sign-in"] = {"card": "x" * 20, "pin": "482913"}
    found["/api/site/enrol-person"] = {"id": "x", "person": "x", "name": "x", "role": "dealer"}
    found["/api/site/enrol-device"] = {"id": "x", "device": "x", "kind": "display", "name": "x"}
    return found


def spoiled(body: dict[str, Any], rng: Random) -> dict[str, Any]:
    """One that cannot be right: a value of another kind, nothing where something must be, something nobody knows."""
    name = rng.choice(list(body))
    match rng.randrange(4):
        case 0:
            return {**body, rng.choice(["", "x", "by", "where", "\ud800", "x" * 1_000]): rng.choice(ODD)}
        case 1:
            return {
                **body,
                "id": rng.choice([odd for odd in ODD if not isinstance(odd, str) or len(odd) > 64 or not odd]),
            }
        case 2 if name in ("id", "table", "setup", "award", "person", "number"):
            return {key: value for key, value in body.items() if key != name}
        case _:
            return {**body, name: rng.choice([[[[]]], {"x": {"y": [None]}}, 1.5, 10**30])}


def requests(
    kind: str, paths: list[tuple[str, str]], token: str, rng: Random, count: int
) -> Iterator[tuple[str, bytes]]:
    """What is sent, and how."""
    acts = list(bodies().items())
    posts = [path for method, path in paths if method == "POST"]
    for _ in range(count):
        if kind == "json":
            yield "http", request("POST", rng.choice(posts), rng.choice(RAW), token)
        elif kind == "spoiled":
            path, body = rng.choice(acts)
            text = json.dumps(spoiled(body, rng)).encode("utf-8", "surrogatepass")
            yield "http", request("POST", path, text, token)
        elif kind == "path":
            method = rng.choice(["GET", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE"])
            path = rng.choice([odd_path(rng), rng.choice(paths)[1] + rng.choice(["/", "//", "?after=x", "%2f", "%ff"])])
            yield "http-head" if method == "HEAD" else "http", request(method, path, b"", token)
        elif kind == "headers":
            yield (
                "http",
                request("GET", "/api/me", b"", rng.choice(["", "x", "\x7f", "ses_" * 5_000, token]), odd_header(rng)),
            )
        else:
            yield "not-http", rng.choice(NOT_HTTP)


def odd_path(rng: Random) -> str:
    odd = rng.choice(
        ["%00", "%ff%fe", "..%2f..%2fetc", "x" * 5_000, "%F0%9F%92%8E", "-1", "1e9", "9" * 400, "%20", "';"]
    )
    return rng.choice(["/api/links/{}", "/api/tables/{}", "/api/{}", "/{}", "/api/links/{}/entries?most={}"]).replace(
        "{}", odd
    )


def odd_header(rng: Random) -> bytes:
    name = rng.choice([b"X-Long", b"Cookie", b"Accept", b"X-Forwarded-For", b"Last-Event-ID", b"If-None-Match"])
    return (
        name
        + b": "
        + rng.choice([b"x" * 40_000, b"\xff\xfe", b"a=b; " * 1_000, b"", b"croupier_session=ses_x", b"\t\t"])
    )


@pytest.fixture(scope="module")
def served(made_site: MadeSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(made_site.copy(tmp_path_factory.mktemp("malformed"))) as server:
        yield server


def test_they_are_ten_thousand() -> None:
    assert sum(REQUESTS.values()) == 10_000


@pytest.mark.parametrize("kind", REQUESTS)
def test_malformed_requests(served: Server, kind: str) -> None:
    described = httpx.get(f"{served.url}/api/openapi.json", timeout=60).json()["paths"]
    places = {"link": LINK, "table": "1"}
    paths = [
        (method.upper(), path.format_map({**dict.fromkeys(_names(path), "1"), **places}))
        for path, item in described.items()
        for method, operation in item.items()
        if path not in UNREAD and not path.startswith(MATHEMATICS) and (method != "post" or "requestBody" in operation)
    ]
    token, header = served.site.tokens["max"], served.site.header("max")
    before = httpx.get(f"{served.url}/api/links/{LINK}", headers=header, timeout=60).json()

    def work(number: int) -> Counter[str]:
        found = Counter[str]()
        with closing(Caller(served.port)) as caller:
            for how, data in requests(kind, paths, token, Random(SEED + number), REQUESTS[kind] // THREADS):
                found[check(caller, how, data)] += 1
        return found

    with ThreadPoolExecutor(THREADS) as pool:
        counted = sum(pool.map(work, range(THREADS)), Counter[str]())
    assert counted.total() == REQUESTS[kind]
    assert all(counted[status] > least for status, least in MOSTLY[kind].items()), counted
    assert "Traceback" not in served.log
    after = httpx.get(f"{served.url}/api/links/{LINK}", headers=header, timeout=60).json()
    assert after == before, "nothing was done"


def _names(path: str) -> list[str]:
    return [part.split("}")[0] for part in path.split("{")[1:]]


def check(caller: Caller, how: str, data: bytes) -> str:
    """The answer of one request, which must be in the one form."""
    if how == "not-http":
        status, body = caller.send_and_hang_up(data)
        assert status < 500, (data[:200], status, body[:300])
        return "hung up" if not status else f"not HTTP {status}"
    status, body = caller.send(data) if how == "http" else caller.send_and_hang_up(data)
    assert status < 500, (data[:300], status, body[:300])
    assert b"Traceback" not in body
    if data.startswith(b"POST"):
        assert not 200 <= status < 300, (data[:300], body[:300])
    if status >= 400 and body and body != b"Invalid HTTP request received.":
        error = json.loads(body)["error"]
        assert set(error) == {"code", "sentence", "retry"}
        assert error["sentence"]
        assert len(body) < 10_000
    return str(status) if status else "hung up"


def test_a_body_that_is_too_long_is_refused_unread(served: Server) -> None:
    header = served.site.header("max")
    stated = httpx.post(f"{served.url}/api/sign-in", content=b" " * 1_000_001, headers=header, timeout=60)
    assert (stated.status_code, stated.json()["error"]["code"]) == (413, "too-long")

    def pieces() -> Iterator[bytes]:
        for _ in range(12):
            yield b" " * 100_000

    sealed = {"x-croupier-server": "x"}  # as from a server of the site: its body is read before the app is asked
    for more in ({}, sealed):
        unstated = httpx.post(f"{served.url}/api/sign-in", content=pieces(), headers={**header, **more}, timeout=60)
        assert (unstated.status_code, unstated.json()["error"]["code"]) == (413, "too-long"), more


def test_headers_that_are_too_long_are_refused(served: Server) -> None:
    long = httpx.get(f"{served.url}/api/health", headers={"x-long": "x" * 40_000}, timeout=60)
    assert (long.status_code, long.json()["error"]["code"]) == (431, "too-long")
