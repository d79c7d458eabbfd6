"""Acts that reach a server which does not lead: they are sent on to the one that does.

A request is forwarded with everything that came with it and the client's address, sealed with the site's key, so that
the leader believes it of its own servers only. While there is no leader, the request waits for one, for a short time;
then the client is told to send it again.
"""

from __future__ import annotations

import asyncio
import ssl
from typing import Any

import httpx
import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.progressive.floor import LINK
from croupier.progressive.site import STREAM as SITE
from croupier.web.errors import error_response
from croupier.web.leadership import believed, seal
from croupier.web.runtime import Runtime
from croupier.web.settings import Settings

ANYWHERE = (
    *("/api/sign-in", "/api/keypad/sign-in", "/api/sign-out", "/api/second-person"),
    *("/api/rounds", "/api/jobs/", "/api/plan"),
)
"""Sessions, rounds and jobs are in a store that all servers share."""
ALSO_READ = frozenset({"/api/ledger/export"})
"""Reading that the book keeps note of."""
SEAL, CLIENT = b"x-croupier-server", b"x-forwarded-for"
ONE_HOP = frozenset(
    {b"connection", b"keep-alive", b"transfer-encoding", b"te", b"trailer", b"upgrade", b"content-length"}
)
WAIT_S = 5.0
"""How long a request waits for a leader."""
LOOK_EVERY_S = 0.05
REACHED_S = 1.0
"""How long an answer waits until this server has read what it says, so that whoever did it sees it here too."""
TIMEOUT = httpx.Timeout(40.0, connect=2.0)
"""A writer that has lost its store tries for half a minute to find out what became of an act."""


class Forwarding:
    """Sends on what only the leader can do, while this server is not it."""

    def __init__(self, app: ASGIApp, runtime: Runtime) -> None:
        self._app, self._runtime = app, runtime
        self._client: httpx.AsyncClient | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            if self._client is not None:
                await self._client.aclose()
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        from_server = _take_seal(scope, self._runtime)
        if self._runtime.floor is not None or not is_leaders(scope["method"], scope["path"]):
            await self._app(scope, receive, send)
        elif from_server:  # the leader has changed, and that server will know in a moment
            await _not_leading(scope, receive, send)
        else:
            await self._forward(scope, receive, send)

    async def _forward(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await _body(receive)
        if body is None:
            return
        for _ in range(round(WAIT_S / LOOK_EVERY_S)):
            if self._runtime.floor is not None:
                await self._app(scope, _again(body), send)
                return
            follower = self._runtime.follower
            if follower is not None and follower.led and follower.leader:
                try:
                    answer = await self._ask(follower.leader, scope, body)
                except (httpx.ConnectError, httpx.ConnectTimeout):  # nobody is there: nothing was done
                    answer = None
                except httpx.HTTPError:
                    await _in_doubt(scope, receive, send)
                    return
                if answer is not None and not _is_not_leading(answer):
                    await self._reached(scope["path"], answer)
                    await _send(answer, send, scope)
                    return
            await asyncio.sleep(LOOK_EVERY_S)
        await _not_leading(scope, receive, send)

    async def _ask(self, leader: str, scope: Scope, body: bytes) -> httpx.Response:
        if self._client is None:
            self._client = _client(self._runtime.settings)
        client, method = (scope.get("client") or ("unknown", 0))[0], scope["method"]
        target = scope.get("raw_path") or scope["path"].encode()
        path = target.decode("ascii", "replace").partition("?")[0]
        headers = [pair for pair in scope["headers"] if pair[0] not in (*ONE_HOP, SEAL, CLIENT)]
        headers += [(CLIENT, client.encode()), (SEAL, seal(self._runtime.key, client, method, path).encode())]
        query = scope["query_string"]
        url = httpx.URL(leader).copy_with(raw_path=path.encode() + (b"?" + query if query else b""))
        request = self._client.build_request(method, url, headers=headers, content=body)
        answer = await self._client.send(request, stream=True)
        if answer.headers.get("content-type", "").startswith("application/json"):
            await answer.aread()
        return answer

    async def _reached(self, path: str, answer: httpx.Response) -> None:
        """Wait until what was just done can be read here."""
        found = _entry_of(path, answer)
        for _ in range(round(REACHED_S / 0.005)):
            follower = self._runtime.follower
            if found is None or follower is None or follower.reached(*found):
                return
            await asyncio.sleep(0.005)


def is_leaders(method: str, path: str) -> bool:
    """Whether only the leader can answer."""
    if not path.startswith("/api/") or path.startswith(ANYWHERE):
        return False
    return method not in ("GET", "HEAD", "OPTIONS") or path in ALSO_READ


def _take_seal(scope: Scope, runtime: Runtime) -> bool:
    """Whether a server of the site has sent the request; then its client is the one that was named."""
    headers = dict(scope["headers"])
    sealed = headers.get(SEAL)
    if sealed is None:
        return False
    client = headers.get(CLIENT, b"").decode("latin-1")
    path = (scope.get("raw_path") or scope["path"].encode()).decode("ascii", "replace").partition("?")[0]
    if not believed(runtime.key, sealed.decode("latin-1"), client, scope["method"], path):
        return False
    scope["client"] = (client, 0)
    return True


async def _body(receive: Receive) -> bytes | None:
    """All of it, or nothing where the client has gone."""
    parts: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)


def _again(body: bytes) -> Receive:
    """The request's body once more, for this server itself."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        if waiting:
            return waiting.pop()
        return {"type": "http.disconnect"}

    return receive


async def _send(answer: httpx.Response, send: Send, scope: Scope) -> None:
    """What the leader has answered; a long file as it comes in."""
    scope["route"] = _Route
    whole = answer.is_stream_consumed
    beside = {*ONE_HOP, b"content-encoding"} if whole else ONE_HOP - {b"content-length"}
    headers = [(name.lower(), value) for name, value in answer.headers.raw if name.lower() not in beside]
    if whole:
        headers.append((b"content-length", b"%d" % len(answer.content)))
    await send({"type": "http.response.start", "status": answer.status_code, "headers": headers})
    if whole:
        await send({"type": "http.response.body", "body": answer.content})
        return
    try:
        async for block in answer.aiter_raw():
            await send({"type": "http.response.body", "body": block, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
    finally:
        await answer.aclose()


class _Route:
    """For the figures, which go by routes."""

    path = "forwarded"


def _is_not_leading(answer: httpx.Response) -> bool:
    """Whether whoever was asked does not lead either: then nothing was done."""
    return answer.status_code == 503 and b'"not-leading"' in answer.content


async def _not_leading(scope: Scope, receive: Receive, send: Send) -> None:
    sentence = "No server leads just now: send it again with the same id."
    response = error_response(503, "not-leading", sentence, retry=True, headers={"Retry-After": "1"})
    await response(scope, receive, send)


async def _in_doubt(scope: Scope, receive: Receive, send: Send) -> None:
    sentence = "The server that leads has not answered, so it may have been done: send it again with the same id."
    response = error_response(503, "in-doubt", sentence, retry=True, headers={"Retry-After": "1"})
    await response(scope, receive, send)


def _entry_of(path: str, answer: httpx.Response) -> tuple[str, int] | None:
    """Which entry of which book an answer tells of."""
    if answer.status_code != 200 or not path.startswith(("/api/links/", "/api/site/", "/api/first-start")):
        return None
    try:
        number = msgspec.json.decode(answer.content)["entry"]["number"]
    except (msgspec.DecodeError, KeyError, TypeError):
        return None
    return (LINK + path.split("/")[3] if path.startswith("/api/links/") else SITE), number


def _client(settings: Settings) -> httpx.AsyncClient:
    """The servers of a site trust each other's certificate as well as those of the machine."""
    verify: Any = True
    if settings.tls_cert is not None:
        verify = ssl.create_default_context()
        verify.load_verify_locations(settings.tls_cert)
    limits = httpx.Limits(max_connections=500, max_keepalive_connections=100)
    return httpx.AsyncClient(verify=verify, timeout=TIMEOUT, limits=limits, trust_env=False)
