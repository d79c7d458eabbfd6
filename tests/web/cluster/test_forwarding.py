"""A server that sends a request on, and the one it was sent to hangs: what the client is told is true."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from croupier.compliance.authority import SiteKey
from croupier.web.cluster import forwarding
from croupier.web.cluster.forwarding import Forwarding
from croupier.web.cluster.leader import Leader
from croupier.web.settings import Settings

NOT_LEADING = b'{"error": {"code": "not-leading", "sentence": "No server leads just now.", "retry": true}}'
DONE = b'{"done": true}'
BEGINS = b"HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"


class Peer:
    """Another server of the site: it takes a request, and answers it or hangs."""

    def __init__(self, status: bytes = b"", body: bytes = b"") -> None:
        self.answer = BEGINS % (status, len(body)) + body if status else b""
        self.asked = asyncio.Event()
        self.url = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        self.asked.set()
        if self.answer:
            writer.write(self.answer)
        else:
            await reader.read()
        writer.close()


@asynccontextmanager
async def listening(*peers: Peer) -> AsyncIterator[None]:
    servers = [await asyncio.start_server(peer.serve, "127.0.0.1", 0) for peer in peers]
    for peer, server in zip(peers, servers, strict=True):
        peer.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    yield
    for server in servers:
        server.close()


async def nobody(*_: object) -> None:
    raise AssertionError("this server does not lead")


class Third:
    """A server that neither leads nor will."""

    def __init__(self, leader: Peer) -> None:
        self.follower = SimpleNamespace(led=True, leader=Leader(leader.url, "leader"), reached=lambda *_: True)
        runtime: Any = SimpleNamespace(
            floor=None, follower=self.follower, key=SiteKey(b"k" * 32), server="third", settings=Settings()
        )
        self.forwarding = Forwarding(nobody, runtime)

    async def press(self) -> tuple[int, bytes]:
        """START GAME, by somebody who waits for the answer."""
        sent: list[Any] = []
        scope = {"type": "http", "method": "POST", "path": "/api/links/main/start", "query_string": b"", "headers": []}

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"{}", "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        await self.forwarding(scope, receive, send)
        return sent[0]["status"], b"".join(each.get("body", b"") for each in sent)


async def press_while_it_hangs(next_leader: Peer | None) -> tuple[int, bytes]:
    hanging = Peer()
    async with listening(hanging, *([next_leader] if next_leader else [])):
        third = Third(hanging)
        pressed = asyncio.ensure_future(third.press())
        await hanging.asked.wait()
        await asyncio.sleep(forwarding.WAIT_S * 1.5)  # as long as it takes until another may lead, and more
        third.follower.leader = Leader(next_leader.url if next_leader else "http://127.0.0.1:1", "other")
        return await pressed


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forwarding, "WAIT_S", 0.3)


def test_a_request_caught_in_a_hang_is_answered_by_whoever_leads_next() -> None:
    assert asyncio.run(press_while_it_hangs(Peer(b"200 OK", DONE))) == (200, DONE)


@pytest.mark.parametrize("peer", [None, (b"503 Service Unavailable", NOT_LEADING)], ids=["nobody", "not-leading"])
def test_where_nobody_can_say_what_became_of_it_it_is_in_doubt(peer: tuple[bytes, bytes] | None) -> None:
    async def press() -> tuple[int, bytes]:
        return await press_while_it_hangs(Peer(*peer) if peer else None)

    status, body = asyncio.run(press())
    assert status == 503
    assert b'"in-doubt"' in body, "the one that hangs may have done it"


def test_what_was_sent_to_nobody_who_leads_was_not_done() -> None:
    async def press() -> tuple[int, bytes]:
        peer = Peer(b"503 Service Unavailable", NOT_LEADING)
        async with listening(peer):
            return await Third(peer).press()

    status, body = asyncio.run(press())
    assert status == 503
    assert b'"not-leading"' in body
