"""Servers in threads of the test, and ears that hear their events."""

from __future__ import annotations

import http.client
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI

from croupier.web.app import create_app
from croupier.web.settings import Settings
from croupier.web.transport.server import Server, listen
from tests.web.support import fast_pins, free_port, wait_until


@dataclass(frozen=True)
class Told:
    """One event."""

    id: str
    data: dict[str, Any]
    at: float

    @property
    def moments(self) -> list[dict[str, Any]]:
        return list(self.data["moments"])

    def link(self, name: str = "main") -> dict[str, Any] | None:
        return next((each for each in self.data["links"] if each["link"] == name), None)


class Ear:
    """Somebody who listens, until `close`."""

    def __init__(self, url: str, token: str, heard: str = "", query: str = "") -> None:
        host, port = url.removeprefix("http://").split(":")
        self.told: list[Told] = []
        self.comments, self.ended = 0, False
        self._connection = http.client.HTTPConnection(host, int(port), timeout=60)
        headers = {"Authorization": f"Bearer {token}", **({"Last-Event-ID": heard} if heard else {})}
        self._connection.request("GET", f"/api/events{query}", headers=headers)
        self._socket = self._connection.sock
        self._response = self._connection.getresponse()
        self.status = self._response.status
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        found: dict[str, str] = {}
        with suppress(OSError, ValueError, http.client.HTTPException):
            while line := self._response.readline():
                text = line.decode().rstrip("\n")
                if text.startswith(":"):
                    self.comments += 1
                elif text:
                    name, _, value = text.partition(": ")
                    found[name] = value
                elif "data" in found:
                    self.told.append(Told(found["id"], json.loads(found["data"]), time.monotonic()))
                    found = {}
        self._response.close()
        self._connection.close()
        self._socket.close()
        self.ended = True

    def wait(self, true: Callable[[Told], object], seconds: float = 60.0) -> Told:
        """The first event, so far or from now on, of which it is true."""
        wait_until(lambda: any(true(each) for each in list(self.told)), seconds)
        return next(each for each in self.told if true(each))

    def wait_number(self, number: int, link: str = "main", seconds: float = 60.0) -> Told:
        """The first event by which a link's book has come so far."""
        return self.wait(lambda told: (told.link(link) or {"number": -1})["number"] >= number, seconds)

    @property
    def moments(self) -> list[dict[str, Any]]:
        return [moment for told in list(self.told) for moment in told.moments]

    def close(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(5)


class Deaf:
    """A listener that asks and never reads."""

    def __init__(self, url: str, token: str) -> None:
        host, port = url.removeprefix("http://").split(":")
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        self.socket.connect((host, int(port)))
        self.socket.sendall(f"GET /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode())

    def vanish(self) -> None:
        """Without a word of farewell."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


@dataclass
class Served:
    """A server in a thread of this process."""

    app: FastAPI
    url: str
    server: Server = field(repr=False)

    @property
    def runtime(self) -> Any:
        return self.app.state.runtime

    @property
    def hub(self) -> Any:
        return self.app.state.hub


@contextmanager
def served(settings: Settings) -> Iterator[Served]:
    """A server that has begun to lead or to follow."""
    fast_pins()
    app = create_app(settings)
    server = Server(app, settings)
    server.config.timeout_graceful_shutdown = 2
    thread = threading.Thread(target=server.run, args=([listen(settings)],), daemon=True)
    thread.start()
    wait_until(lambda: server.started or not thread.is_alive())
    try:
        yield Served(app, f"http://127.0.0.1:{settings.port}", server)
    finally:
        app.state.hub.end()
        server.should_exit = True
        thread.join(15)


def with_port(settings: Settings) -> Settings:
    from dataclasses import replace

    return replace(settings, port=free_port())
