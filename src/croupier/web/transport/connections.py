"""Connections, and what none of them may do: be too many, say nothing for long, never end what they say, or not listen.

Each is counted at the door from the moment when it is accepted, before TLS has begun. Whom the door does not let in is
told so and let go.
"""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from itertools import chain
from typing import Any

from fastapi import HTTPException, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from croupier.web.errors import error_response, http_response
from croupier.web.logs import log
from croupier.web.transport.clients import PLACE, WHOLE
from croupier.web.transport.door import Door, Place

# Of one request: the length of its body and of its headers, and how long the body takes. What is too long is unread.

MOST_HEADER_BYTES = 32_000
BODY_S = 30.0
"""From the end of the headers to the end of the body: the largest that is read, over a slow line."""
_DIGITS = 15


class Bodies:
    """How long a request may be, and how long its body may take."""

    def __init__(self, most_bytes: int, larger: tuple[str, int] = ("", 0)) -> None:
        """`larger` are addresses that begin so, and how many bytes may come there."""
        self._usual, self._larger = most_bytes, larger

    def refusal(self, scope: Scope, headers: Mapping[bytes, bytes]) -> Response | None:
        """What is said to a request that is too long, by its headers; nothing to the others."""
        most = self._most(scope)
        if sum(map(len, chain.from_iterable(scope["headers"]))) + len(scope["path"]) > MOST_HEADER_BYTES:
            return error_response(431, "too-long", f"Address and headers have at most {MOST_HEADER_BYTES:,} bytes.")
        stated = headers.get(b"content-length")
        if stated is not None and not (stated.isdigit() and len(stated) <= _DIGITS and int(stated) <= most):
            return error_response(413, "too-long", f"A request has at most {most:,} bytes.")
        return None

    def bounded(self, scope: Scope, headers: Mapping[bytes, bytes], receive: Receive) -> Receive:
        """How a body is read: counted and timed, where it is still to come, or did not say how long it would be."""
        if b"content-length" in headers and scope.get("extensions", {}).get(WHOLE):
            return receive  # it is here, as long as it says it is
        return self._counted(scope, receive, self._most(scope))

    def _most(self, scope: Scope) -> int:
        begins, larger = self._larger
        return larger if begins and scope["path"].startswith(begins) else self._usual

    def _counted(self, scope: Scope, receive: Receive, most: int) -> Receive:
        read, due, whole = 0, asyncio.get_running_loop().time() + BODY_S, False

        async def counted() -> Message:
            nonlocal read, whole
            if whole:  # what comes now is that the client has gone
                return await receive()
            try:
                if scope.get("extensions", {}).get(WHOLE):
                    message = await receive()
                else:
                    async with asyncio.timeout_at(due):
                        message = await receive()
            except TimeoutError:
                late = f"The body of a request comes within {BODY_S:g} seconds"
                raise HTTPException(408, late, {"Connection": "close"}) from None
            read += len(message.get("body", b""))
            whole = not message.get("more_body")
            if read > most:  # a body that came in pieces, and did not say how long it would be
                raise HTTPException(413, f"A request has at most {most:,} bytes")
            return message

        return counted


class Limits:
    """Turns away what is too long or too slow, before the app reads it."""

    def __init__(self, app: ASGIApp, bodies: Bodies) -> None:
        self._app, self._bodies = app, bodies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        if refused := self._bodies.refusal(scope, headers):
            await refused(scope, receive, send)
            return
        try:
            await self._app(scope, self._bodies.bounded(scope, headers, receive), send)
        except HTTPException as error:  # whoever reads the body before the app does leaves this to us
            await http_response(error)(scope, receive, send)


# Of one connection, and of all

HEADERS_S = 5.0
"""From the opening of a connection, TLS included, or the first byte of another request, to the end of the headers."""
TAKEN_S = 30.0
"""How long a client may take nothing of what is sent to it."""
TOLD_S = 1.0
"""How long somebody who is turned away may take to ask, so that the answer is heard."""
MOST_TOLD = 50


MOST_HELD_BYTES = 65_536


class Outgoing:
    """A transport whose writes of one turn of the loop go out in one piece.

    An answer is written as its head and its body. Each piece that goes out is a call of the system and wakes the other
    end, and those two were nearly half of what the loop did.
    """

    def __init__(self, line: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._line, self._loop = line, loop
        self.is_closing = line.is_closing  # asked a few times with every request
        self._held: list[bytes] = []
        self._bytes = 0

    def write(self, data: bytes) -> None:
        if not self._held:
            self._loop.call_soon(self._send)
        self._held.append(data)
        self._bytes += len(data)
        if self._bytes > MOST_HELD_BYTES:  # whoever writes much without a pause hears when the other end is slow
            self._send()

    def _send(self) -> None:
        held, self._held, self._bytes = self._held, [], 0
        if held:
            self._line.write(held[0] if len(held) == 1 else b"".join(held))

    def close(self) -> None:
        """What was written before is sent."""
        self._send()
        self._line.close()

    def abort(self) -> None:
        self._held.clear()
        self._line.abort()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._line, name)


class Connection(HttpToolsProtocol):
    """One connection of uvicorn's, within bounds: what it asks, and is answered, is no business of this."""

    def __init__(self, door: Door, place: Place | str, **values: Any) -> None:
        super().__init__(**values)
        self._door = door
        self._place = place if isinstance(place, Place) else None
        """Nothing while it was not let in, and once it has left."""
        self._refused = place if isinstance(place, str) else ""
        """Why not."""
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
        super().connection_made(Outgoing(transport, self.loop))  # type: ignore[arg-type]
        if self._place is not None:
            self._place.drop = transport.abort
            self._await_more()
            _limit_unread(transport)
        else:
            self.loop.call_later(TOLD_S, self._refuse)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._place is not None:
            self._place.leave()
            self._place = None
        if self._refused:
            self._door.told -= 1
            self._refused = ""
        self._has_come()
        for cycle in self._unanswered:  # uvicorn tells the last one alone that nobody listens any more
            cycle.disconnected = True
            cycle.message_event.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            self._refuse()
        if self._place is None or self.transport.is_closing():
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
        self.scope["extensions"] = {PLACE: self._place}  # type: ignore[dict-item]

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
        self._stir()
        self.scope["extensions"][WHOLE] = True  # type: ignore[assignment]
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self._unanswered.popleft()
        self._stir()
        super().on_response_complete()

    def _stir(self) -> None:
        if self._place is not None:
            self._place.stir()

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


# Accepting

AT_ONCE = 64
"""Connections that are accepted before what has come over the others is looked at."""
AGAIN_S = 0.1
"""After which accepting is tried again where the machine had no room for another connection."""


def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()


class Reception:
    """Accepts connections as the door lets them in, and makes them TLS where that is spoken.

    It is here rather than left to the loop's own server, which counts nobody before TLS has been agreed on.
    """

    def __init__(
        self, at: socket.socket, door: Door, make: Callable[..., Connection], tls: ssl.SSLContext | None
    ) -> None:
        self._at, self._door, self._make = at, door, make
        self._tls: dict[str, Any] = {}
        if tls is not None:
            self._tls = {"ssl": tls, "ssl_handshake_timeout": HEADERS_S, "ssl_shutdown_timeout": HEADERS_S}
        self._loop = asyncio.get_running_loop()
        self._arriving: set[asyncio.Task[None]] = set()
        self._is_open = False

    def open(self) -> None:
        self._is_open = True
        self._loop.add_reader(self._at, self._accept)

    def close(self) -> None:
        """Nobody else comes in; whoever was coming is sent away."""
        self._is_open = False
        self._loop.remove_reader(self._at)
        for task in self._arriving:
            task.cancel()

    def _accept(self) -> None:
        for _ in range(AT_ONCE):
            try:
                line, address = self._at.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                log.warning("cannot-accept", sentence=f"No connection can be accepted just now: {error.strerror}.")
                self._loop.remove_reader(self._at)
                self._loop.call_later(AGAIN_S, self._accept_again)
                return
            self._admit(line, address[0])

    def _accept_again(self) -> None:
        if self._is_open:
            self.open()

    def _admit(self, line: socket.socket, address: str) -> None:
        place = self._door.enter(address)
        if isinstance(place, str):
            if self._door.told >= MOST_TOLD:
                line.close()
                return
            self._door.told += 1
        task = self._loop.create_task(self._arrive(line, place))
        self._arriving.add(task)
        task.add_done_callback(self._arriving.discard)
        if isinstance(place, Place):
            place.drop = partial(_cancel, task)

    async def _arrive(self, line: socket.socket, place: Place | str) -> None:
        connection: list[Connection] = []

        def make() -> Connection:
            connection.append(self._make(self._door, place))
            return connection[0]

        try:
            line.setblocking(False)
            if line.family in (socket.AF_INET, socket.AF_INET6):
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await self._loop.connect_accepted_socket(make, line, **self._tls)
        except (OSError, asyncio.CancelledError) as error:
            line.close()
            if not connection or connection[0].transport is None:
                if isinstance(place, Place):
                    place.leave()
                else:
                    self._door.told -= 1
            if isinstance(error, asyncio.CancelledError):
                raise
