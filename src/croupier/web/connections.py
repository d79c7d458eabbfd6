"""Connections, and what none of them may do: be too many, say nothing for long, or never end their headers.

Of one address so many are accepted, and of all together; whoever comes after that is told so and let go. A proxy that
was named has the connections of everybody behind it, so only the whole number counts for it.
"""

from __future__ import annotations

import asyncio
import json
import resource
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from croupier.web.clients import Proxies
from croupier.web.limits import MOST_HEADER_BYTES

HEADERS_S = 10.0
"""From the opening of a connection, or the first byte of another request, to the end of the headers."""
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
    """One connection of uvicorn's, within bounds."""

    door: Door

    def __init__(self, *args: Any, **values: Any) -> None:
        super().__init__(*args, **values)
        self._address = ""
        """Empty while it was not let in."""
        self._refused = ""
        self._headers_due: asyncio.TimerHandle | None = None
        self._unread = 0
        """Bytes of headers that have not ended."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = self.client[0] if self.client else "unknown"
        self._refused = self.door.enter(address)
        if not self._refused:
            self._address = address
            self._await_headers()
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
        self._got_headers()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            self._refuse()
        if not self._address or self.transport.is_closing():
            return
        if self._is_idle:
            self._await_headers()
        super().data_received(data)
        if self._headers_due is not None:
            self._unread += len(data)
            if self._unread > MOST_HEADER_BYTES and not self.transport.is_closing():
                said = f"Address and headers have at most {MOST_HEADER_BYTES:,} bytes."
                self._turn_away(431, "too-long", said, "Request Header Fields Too Large")

    def on_headers_complete(self) -> None:
        self._got_headers()
        super().on_headers_complete()

    @property
    def _is_idle(self) -> bool:
        """Whether nothing was asked that is not answered."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is None or cycle.response_complete

    def _await_headers(self) -> None:
        if self._headers_due is None:
            self._headers_due = self.loop.call_later(HEADERS_S, self._give_up)

    def _got_headers(self) -> None:
        self._unread = 0
        if self._headers_due is not None:
            self._headers_due.cancel()
            self._headers_due = None

    def _give_up(self) -> None:
        self._headers_due = None
        if not self.transport.is_closing():
            self._turn_away(408, "too-slow", f"Headers come within {HEADERS_S:g} seconds.", "Request Timeout")

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
        self._got_headers()
        self.transport.write(head.encode() + body)
        self.transport.close()


def connections(door: Door) -> type[Connection]:
    """The kind of connections that go through this door."""
    return type("Connection", (Connection,), {"door": door})
