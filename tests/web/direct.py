"""Requests put straight to the app, without a client in between: whatever is sent, arrives."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from tests.web.support import Room


@dataclass
class Answered:
    """What came back; of a stream only its beginning."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def code(self) -> str:
        """Of an error, in the one form."""
        return str(json.loads(self.body)["error"]["code"])


def ask(room: Room, method: str, path: str, who: str = "", body: Any = None) -> Answered:
    """One request of somebody; a stream is left as soon as it has begun."""
    assert room.client.portal is not None, "the app runs"
    found: Answered = room.client.portal.call(_ask, room, method, path, who, body)
    return found


async def _ask(room: Room, method: str, path: str, who: str, body: Any) -> Answered:
    text = b"" if body is None else json.dumps(body).encode()
    headers = {"host": "room", "content-length": str(len(text)), "content-type": "application/json"}
    headers |= {name.lower(): value for name, value in room.site.header(who).items()}
    where, _, query = path.partition("?")
    scope = {
        **{"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http"},
        **{"path": unquote(where), "raw_path": where.encode(), "query_string": query.encode(), "root_path": ""},
        **{"headers": [(name.encode(), value.encode()) for name, value in headers.items()]},
        **{"client": ("10.0.0.7", 40_000), "server": ("room", 80)},
    }
    answered, begun, messages = Answered(), asyncio.Event(), [{"type": "http.request", "body": text}]

    async def receive() -> dict[str, Any]:
        if not messages:
            await asyncio.Event().wait()
        return messages.pop()

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            answered.status = message["status"]
            answered.headers = {name.decode().lower(): value.decode() for name, value in message["headers"]}
            if answered.headers.get("content-type", "").startswith("text/event-stream"):
                begun.set()
        else:
            answered.body += message.get("body", b"")

    call, stream = asyncio.ensure_future(room.app(scope, receive, send)), asyncio.ensure_future(begun.wait())
    await asyncio.wait({call, stream}, return_when=asyncio.FIRST_COMPLETED)
    for task in (call, stream):
        task.cancel()
    await asyncio.gather(call, stream, return_exceptions=True)
    return answered
