"""Connections, and what none of them may do: be too many, say nothing for long, never end what they say, or not listen.

Of one address so many are accepted, and of all together; whoever comes after that is told so and let go. A proxy that
was named has the connections of everybody behind it, so only the whole number counts for it.
"""

from __future__ import annotations

import asyncio
import json
import resource
import socket
from collections import Counter, deque
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from fastapi import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from croupier.web.errors import error_response, http_response
from croupier.web.transport.clients import Proxies

# Of one request: the length of its body and of its headers, and how long the body takes. What is too long is unread.

MOST_HEADER_BYTES = 32_000
BODY_S = 30.0
"""From the end of the headers to the end of the body: the largest that is read, over a slow line."""
_DIGITS = 15


class Limits:
    """Counts the bytes of a body as they come in."""

    def __init__(self, app: ASGIApp, most_bytes: int) -> None:
        self._app, self._most = app, most_bytes
        self._sentence = f"A request has at most {most_bytes:,} bytes."

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = scope["headers"]
        if sum(map(len, chain.from_iterable(headers))) + len(scope["path"]) > MOST_HEADER_BYTES:
            refused = error_response(431, "too-long", f"Address and headers have at most {MOST_HEADER_BYTES:,} bytes.")
            await refused(scope, receive, send)
            return
        stated = dict(headers).get(b"content-length", b"0")
        if not (stated.isdigit() and len(stated) <= _DIGITS and int(stated) <= self._most):
            await error_response(413, "too-long", self._sentence)(scope, receive, send)
            return
        read, due, whole = 0, asyncio.get_running_loop().time() + BODY_S, False

        async def counted() -> Message:
            nonlocal read, whole
            if whole:  # what comes now is that the client has gone
                return await receive()
            try:
                async with asyncio.timeout_at(due):
                    message = await receive()
            except TimeoutError:
                sentence = f"The body of a request comes within {BODY_S:g} seconds"
                raise HTTPException(408, sentence, {"Connection": "close"}) from None
            read += len(message.get("body", b""))
            whole = not message.get("more_body")
            if read > self._most:  # a body that came in pieces, and did not say how long it would be
                raise HTTPException(413, self._sentence.rstrip("."))
            return message

        try:
            await self._app(scope, counted, send)
        except HTTPException as error:  # whoever reads the body before the app does leaves this to us
            await http_response(error)(scope, receive, send)


# Of one connection, and of all

HEADERS_S = 10.0
"""From the opening of a connection, or the first byte of another request, to the end of the headers."""
TAKEN_S = 30.0
"""How long a client may take nothing of what is sent to it."""
TOLD_S = 1.0
"""How long somebody who is turned away may take to ask, so that the answer is heard."""
MOST_TOLD = 50
KEPT_FILES = 200
"""For the books, the databases and whatever else a server opens."""


def allow_files(wanted: int) -> int:
    """How many connections this process may have open, after it has asked for as many as are wanted."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted + KEPT_FILES:
        soft = wanted + KEPT_FILES if hard == resource.RLIM_INFINITY else min(hard, wanted + KEPT_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return wanted if soft == resource.RLIM_INFINITY else max(1, min(wanted, soft - KEPT_FILES))


@dataclass
class Door:
    """Counts who is inside."""

    most: int
    most_each: int
    proxies: Proxies | None = None
    inside: Counter[str] = field(default_factory=Counter)
    count: int = 0
    told: int = 0
    """Who is just being turned away."""

    def enter(self, address: str) -> str:
        """Why not; nothing where there is room."""
        if self.count >= self.most:
            return f"This server has {self.most:,} connections, and takes no more: try again."
        behind_proxy = self.proxies is not None and self.proxies.believe(address)
        if self.inside[address] >= self.most_each and not behind_proxy:
            return f"There are {self.most_each:,} connections from this address, and it may have no more: close some."
        self.inside[address] += 1
        self.count += 1
        return ""

    def leave(self, address: str) -> None:
        self.inside[address] -= 1
        self.count -= 1
        if not self.inside[address]:
            del self.inside[address]


class Connection(HttpToolsProtocol):
    """One connection of uvicorn's, within bounds: what it asks, and is answered, is no business of this."""

    door: Door

    def __init__(self, *args: Any, **values: Any) -> None:
        super().__init__(*args, **values)
        self._address = ""
        """Empty while it was not let in."""
        self._refused = ""
        self._unanswered: deque[RequestResponseCycle] = deque()
        """Requests whose answers have not ended."""
        self._due: asyncio.TimerHandle | None = None
        """When the message that has begun must have come further."""
        self._is_begun = self._has_headers = False
        """Whether a message has begun and not ended, and whether its headers have: what comes then is body or trailers.
        It may be another one than that which is just being answered."""
        self._moved = False
        """Whether something has ended, or was body, in what was just read."""
        self._unread = 0
        """Bytes since then: of headers, trailers or whatever else has not ended."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = self.client[0] if self.client else "unknown"
        self._refused = self.door.enter(address)
        if not self._refused:
            self._address = address
            self._await_more()
            _limit_unread(transport)
        elif self.door.told >= MOST_TOLD:
            self._refused = ""
            transport.abort()
        else:
            self.door.told += 1
            self.loop.call_later(TOLD_S, self._refuse)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._address:
            self.door.leave(self._address)
            self._address = ""
        if self._refused:
            self.door.told -= 1
            self._refused = ""
        self._has_come()
        for cycle in self._unanswered:  # uvicorn tells the last one alone that nobody listens any more
            cycle.disconnected = True
            cycle.message_event.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            self._refuse()
        if not self._address or self.transport.is_closing():
            return
        self._moved = False
        super().data_received(data)
        self._unread = 0 if self._moved else self._unread + len(data)
        if self.transport.is_closing():
            return
        if self._unread > MOST_HEADER_BYTES:
            sentence = f"Address and headers have at most {MOST_HEADER_BYTES:,} bytes."
            self._cut_off(431, "too-long", sentence, "Request Header Fields Too Large")
        elif self._is_begun or not self._moved:
            self._await_more()

    # What the parser finds, of each message in turn

    def on_message_begin(self) -> None:
        self._is_begun, self._has_headers = True, False
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._has_headers = True
        self._has_come()
        super().on_headers_complete()
        self.headers = []  # trailers are no headers: they would come after everybody has looked
        self._unanswered.append(self.cycle)

    def on_body(self, body: bytes) -> None:
        self._moved = True
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._is_begun = self._has_headers = False
        self._has_come()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self._unanswered.popleft()
        super().on_response_complete()

    # Waiting for more, and not for ever

    def _await_more(self) -> None:
        """The app waits for a body itself, and says so when it is too slow; this is for when nobody waits any more."""
        if self._due is None:
            seconds = HEADERS_S + BODY_S if self._has_headers else HEADERS_S
            self._due = self.loop.call_later(seconds, self._give_up)

    def _has_come(self) -> None:
        self._moved = True
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def _give_up(self) -> None:
        self._due = None
        if self.transport.is_closing():
            return
        if not self.transport.is_reading():  # it is we who do not read
            self._await_more()
            return
        self._cut_off(408, "too-slow", f"Headers come within {HEADERS_S:g} seconds.", "Request Timeout")

    def _cut_off(self, status: int, code: str, sentence: str, reason: str) -> None:
        """With a word where it would be heard as the answer to this; not in the middle of another."""
        if self._has_headers or self._unanswered:
            self.transport.abort()
        else:
            self._turn_away(status, code, sentence, reason)

    def _refuse(self) -> None:
        if not self.transport.is_closing():
            self._turn_away(503, "too-many-connections", self._refused, "Service Unavailable")

    def _turn_away(self, status: int, code: str, sentence: str, reason: str) -> None:
        """Without the app, which has not been asked."""
        body = json.dumps({"error": {"code": code, "sentence": sentence, "retry": status == 503}}).encode()
        head = (
            f"HTTP/1.1 {status} {reason}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
            "Retry-After: 5\r\nConnection: close\r\n\r\n"
        )
        self._has_come()
        self.transport.write(head.encode() + body)
        self.transport.close()


def _limit_unread(transport: asyncio.Transport) -> None:
    """The kernel drops a connection whose other end has taken nothing for so long, however much waits to be sent."""
    option = getattr(socket, "TCP_USER_TIMEOUT", None)  # not on every system
    line = transport.get_extra_info("socket")
    if option is not None and line is not None and line.family in (socket.AF_INET, socket.AF_INET6):
        line.setsockopt(socket.IPPROTO_TCP, option, round(TAKEN_S * 1_000))


def connections(door: Door) -> type[Connection]:
    """The kind of connections that go through this door."""
    return type("Connection", (Connection,), {"door": door})
