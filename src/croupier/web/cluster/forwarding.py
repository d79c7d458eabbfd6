"""Acts that reach a server which does not lead: they are sent on to the one that does.

A request is forwarded with everything that came with it and the client's address, sealed with the site's key, so that
the leader believes it of its own servers only. While there is no leader, the request waits for one, for a short time;
then the client is told to send it again, and that it may have been done where a leader was sent it and has not
answered. A server that was sent a request by another never sends it on.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import secrets
import ssl
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import httpx
import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.compliance.authority import SiteKey
from croupier.floor.floor import LINK
from croupier.ledger.entry import SITE
from croupier.web.cluster.runtime import Runtime
from croupier.web.errors import error_response
from croupier.web.settings import Settings
from croupier.web.transport.clients import LONGEST

# How a server knows that a request comes from another one of its site: a seal that only the site's key can make.
#
# It is good for one request: its client, method, address, body and whoever has signed in; for half a minute; and once.

GOOD_FOR_S = 30
"""How far the clocks of two servers may differ before one does not believe the other."""
MOST_KEPT = 200_000
_NONCE_DIGITS = 32


@dataclass(frozen=True)
class Forwarded:
    """What a seal speaks for."""

    client: str
    method: str
    target: bytes
    """The path with its query, as it is sent."""
    credentials: bytes
    """Who has signed in: the headers that say so."""
    body: bytes

    def digest(self, key: SiteKey, stamp: str) -> str:
        parts = (self.client.encode(), self.method.encode(), self.target, self.credentials, self.body)
        code = hmac.new(key.secret, f"forwarded {stamp}".encode(), hashlib.sha256)
        for part in parts:
            code.update(hashlib.sha256(part).digest())
        return code.hexdigest()


def seal(key: SiteKey, request: Forwarded, now: float | None = None) -> str:
    """What a server sends with a request that it forwards."""
    stamp = f"{int(time.time() if now is None else now)}.{secrets.token_hex(_NONCE_DIGITS // 2)}"
    return f"{stamp}.{request.digest(key, stamp)}"


class Seals:
    """Those that were sent here: each is believed once."""

    def __init__(self, key: SiteKey) -> None:
        self._key = key
        self._used: OrderedDict[str, float] = OrderedDict()

    def believe(self, sealed: str, request: Forwarded) -> bool:
        """Whether one of the site's own servers says that this request is the client's, just now."""
        at, _, rest = sealed.partition(".")
        nonce, _, digest = rest.partition(".")
        now = time.time()
        if not (at.isascii() and at.isdigit() and len(at) < 12 and abs(now - int(at)) <= GOOD_FOR_S):
            return False
        if len(nonce) != _NONCE_DIGITS or nonce in self._used:
            return False
        if not hmac.compare_digest(digest.encode(), request.digest(self._key, f"{at}.{nonce}").encode()):
            return False
        self._used[nonce] = now
        self._forget(now - 2 * GOOD_FOR_S - 1)
        return True

    def _forget(self, before: float) -> None:
        """Those that are too old to be believed again."""
        while len(self._used) > MOST_KEPT or next(iter(self._used.values())) < before:
            self._used.popitem(last=False)


ANYWHERE = (
    *("/api/sign-in", "/api/keypad/sign-in", "/api/sign-out", "/api/second-person", "/api/device/beat"),
    *("/api/rounds", "/api/jobs/", "/api/plan", "/api/lab"),
)
"""Sessions, rounds and jobs are in a store that all servers share; the lab asks no store."""
ALSO_READ = frozenset({"/api/ledger/export", "/api/log.csv", "/api/evidence", "/api/evidence/file", "/api/register"})
ALSO_ASKED = re.compile(r"/api/links/[^/]+/(?:adjusting|backing-out)|/api/site/(?:backups|documents)/[^/]+")
"""A question to a link's writer, and what lies with whoever made or took it: a backup, the evidence file, documents of
papers, and which of them are kept, as the register says."""
ALSO_FILES = "/api/reports/"
FILES = (b"format=csv", b"format=pdf")
"""Reading that the book keeps note of: the ledger, and what leaves as a file."""
ALWAYS = frozenset({"/api/health", "/api/ready", "/metrics"})
"""What a server tells of itself, whoever leads."""
SEAL, CLIENT = b"x-croupier-server", b"x-croupier-client"
PROXIES = frozenset({b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host", b"forwarded"})
"""What proxies have said was heard here; the leader hears it of us."""
CREDENTIALS = (b"authorization", b"cookie")
ONE_HOP = frozenset(
    {b"connection", b"keep-alive", b"transfer-encoding", b"te", b"trailer", b"upgrade", b"content-length"}
)
WAIT_S = 5.0
"""How long a request waits for a leader."""
LOOK_EVERY_S = 0.05
REACHED_S = 1.0
"""How long an answer waits until this server has read what it says, so that whoever did it sees it here too."""
TIMEOUT = httpx.Timeout(40.0, connect=2.0, write=10.0, pool=2.0)
"""A writer that has lost its store tries for half a minute to find out what became of an act."""
KEEP_S = 5.0
"""A connection that was quiet for longer is not used again: the leader closes it after a while."""
MOST_ANSWER_BYTES = 10_000_000
"""Of an answer that is read whole before it is sent on."""
NOTHING_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


class Forwarding:
    """Sends on what only the leader can do, while this server is not it."""

    def __init__(self, app: ASGIApp, runtime: Runtime) -> None:
        self._app, self._runtime = app, runtime
        self._client: httpx.AsyncClient | None = None
        self._seals = Seals(runtime.key)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            if self._client is not None:
                await self._client.aclose()
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        from_server, headers = False, dict(scope["headers"])
        if SEAL in headers:
            from_server, receive = await self._take_seal(scope, headers, receive)
        floor = self._runtime.floor
        if floor is not None and floor.lease_doubt and scope["path"] not in ALWAYS:
            # Another server may lead by now, and what is remembered here may be old: nothing is said from memory.
            await _not_leading(scope, receive, send)
        elif floor is not None or not is_leaders(scope["method"], scope["path"], scope["query_string"]):
            await self._app(scope, receive, send)
        elif from_server:  # the leader has changed, and that server will know in a moment
            await _not_leading(scope, receive, send)
        else:
            await self._forward(scope, receive, send)

    async def _take_seal(self, scope: Scope, headers: dict[bytes, bytes], receive: Receive) -> tuple[bool, Receive]:
        """Whether a server of the site has sent the request; then its client is the one that was named."""
        body = await body_of(receive)
        if body is None:
            return False, gone
        client = headers.get(CLIENT, b"").decode("latin-1")
        query = scope["query_string"]
        path = (scope.get("raw_path") or scope["path"].encode()).partition(b"?")[0]
        target = path + (b"?" + query if query else b"")
        request = Forwarded(client, scope["method"], target, _credentials(scope), body)
        believed = self._seals.believe(headers[SEAL].decode("latin-1"), request)
        if believed:
            scope["client"] = (client[:LONGEST], 0)
        return believed, again(body, receive)

    async def _forward(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await body_of(receive)
        if body is None:
            return
        loop, refuse = asyncio.get_running_loop(), _not_leading
        end = loop.time() + WAIT_S
        while loop.time() < end or self._runtime.floor is not None:
            if self._runtime.floor is not None:
                await self._app(scope, again(body, receive), send)
                return
            leader = self._leader()
            if leader is not None:
                try:
                    answer = await self._ask_while_leading(leader, scope, body)
                except NOTHING_SENT:
                    pass
                except httpx.HTTPError:
                    await _in_doubt(scope, receive, send)
                    return
                else:
                    if answer is None:  # that one may have done it: only who leads next can say
                        refuse, end = _in_doubt, loop.time() + WAIT_S
                    elif not _is_not_leading(answer):
                        await self._hand_on(answer, scope, receive, send)
                        return
            await asyncio.sleep(LOOK_EVERY_S)
        await refuse(scope, receive, send)

    def _leader(self) -> str | None:
        """The address to send it to, where there is one that is not our own."""
        follower = self._runtime.follower
        if follower is None or not follower.led or not follower.leader.address:
            return None
        return None if follower.leader.out_of_reach(self._runtime.server) else follower.leader.address

    async def _ask_while_leading(self, leader: str, scope: Scope, body: bytes) -> httpx.Response | None:
        """The leader's answer; none, where another leads by now and that one has not answered.

        A server that hangs takes a connection and says nothing. Once its leases are taken over it can do nothing more,
        so the request goes to whoever leads: what was done before is known there by the request's id.
        """
        asking = asyncio.ensure_future(self._ask(leader, scope, body))
        try:
            while not (await asyncio.wait({asking}, timeout=LOOK_EVERY_S))[0]:
                if self._runtime.floor is not None or self._leader() not in (leader, None):
                    return None
            return asking.result()
        finally:
            asking.cancel()

    async def _hand_on(self, answer: httpx.Response, scope: Scope, receive: Receive, send: Send) -> None:
        if answer.status_code >= 500 and not _is_json(answer):  # of somebody in between: nobody knows what was done
            await answer.aclose()
            await _in_doubt(scope, receive, send)
            return
        await self._reached(scope["path"], answer)
        await _send(answer, send, scope)

    async def _ask(self, leader: str, scope: Scope, body: bytes) -> httpx.Response:
        if self._client is None:
            self._client = client_of(self._runtime.settings)
        client, method = (scope.get("client") or ("unknown", 0))[0], scope["method"]
        path = (scope.get("raw_path") or scope["path"].encode()).partition(b"?")[0]
        query = scope["query_string"]
        url = httpx.URL(leader).copy_with(raw_path=path + (b"?" + query if query else b""))
        sealed = seal(self._runtime.key, Forwarded(client, method, url.raw_path, _credentials(scope), body))
        headers = [pair for pair in scope["headers"] if pair[0] not in ONE_HOP | PROXIES | {SEAL, CLIENT}]
        headers += [(CLIENT, client.encode("latin-1", "replace")), (SEAL, sealed.encode())]
        request = self._client.build_request(method, url, headers=headers, content=body)
        answer = await self._client.send(request, stream=True)
        if _is_json(answer) and int(answer.headers.get("content-length", 0)) <= MOST_ANSWER_BYTES:
            await answer.aread()
        return answer

    async def _reached(self, path: str, answer: httpx.Response) -> None:
        """Wait until what was just done can be read here."""
        entry = _entry_of(path, answer)
        for _ in range(round(REACHED_S / 0.005)):
            follower = self._runtime.follower
            if entry is None or follower is None or follower.reached(*entry):
                return
            await asyncio.sleep(0.005)


def is_leaders(method: str, path: str, query: bytes = b"") -> bool:
    """Whether only the leader can answer."""
    if not path.startswith("/api/") or path.startswith(ANYWHERE):
        return False
    if method not in ("GET", "HEAD", "OPTIONS") or path in ALSO_READ or ALSO_ASKED.fullmatch(path):
        return True
    return path.startswith(ALSO_FILES) and any(kind in query.split(b"&") for kind in FILES)


def _credentials(scope: Scope) -> bytes:
    return b"\n".join(b"%s: %s" % pair for pair in scope["headers"] if pair[0] in CREDENTIALS)


def _is_json(answer: httpx.Response) -> bool:
    return bool(answer.headers.get("content-type", "").startswith("application/json"))


async def body_of(receive: Receive) -> bytes | None:
    """All of it, or nothing where the client has gone."""
    parts: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)


def again(body: bytes, then: Receive) -> Receive:
    """The request's body once more, for this server itself; after it only that the client has gone."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return waiting.pop() if waiting else await then()

    return receive


def failing(error: Exception) -> Receive:
    """A body that could not be read, for whoever says why."""

    async def receive() -> Message:
        raise error

    return receive


async def gone() -> Message:
    return {"type": "http.disconnect"}


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
    return answer.status_code == 503 and answer.is_stream_consumed and b'"not-leading"' in answer.content


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
    if (
        answer.status_code != 200
        or not answer.is_stream_consumed
        or not path.startswith(("/api/links/", "/api/site/", "/api/first-start"))
    ):
        return None
    try:
        number = msgspec.json.decode(answer.content)["entry"]["number"]
    except (msgspec.DecodeError, KeyError, TypeError):
        return None
    return (LINK + path.split("/")[3] if path.startswith("/api/links/") else SITE), number


def client_of(settings: Settings) -> httpx.AsyncClient:
    """The servers of a site trust each other's certificate as well as those of the machine."""
    verify: Any = True
    if settings.tls_cert is not None:
        verify = ssl.create_default_context()
        verify.load_verify_locations(settings.tls_cert)
    limits = httpx.Limits(max_connections=500, max_keepalive_connections=100, keepalive_expiry=KEEP_S)
    return httpx.AsyncClient(verify=verify, timeout=TIMEOUT, limits=limits, trust_env=False)
