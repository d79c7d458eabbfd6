"""Listening: the socket, TLS, and the ways in which a server ends.

SIGTERM or Ctrl-C: nothing new is accepted, what was accepted is answered, listeners of events are let go, the books are
closed. A second one ends the process at once, which the books survive as they survive a power cut.
"""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import socket
import ssl
import sys
from collections.abc import Callable
from functools import partial
from types import FrameType

import uvicorn
from fastapi import FastAPI
from starlette.types import ASGIApp

from croupier.errors import CroupierError
from croupier.web.cluster.runtime import Runtime
from croupier.web.settings import Settings
from croupier.web.transport.clients import Proxies
from croupier.web.transport.connections import Connection, Reception
from croupier.web.transport.door import Door, allow_files

GRACE_S = 15
"""How long requests that are on their way may take once the server is asked to stop."""
KEEP_ALIVE_S = 15
"""How long a connection stays open on which nothing more is asked."""
BACKLOG = 4_096
"""How many may wait to be accepted; the system may allow fewer."""
LOOKED_THROUGH = (20_000, 20, 50)
"""How many new things there are before Python looks for circles of them, and after how many such looks it goes through
older ones. An act makes hundreds of things and hardly ever a circle: with Python's own 700 it looks all the time."""
TURN_S = 0.001
"""How long a thread that reads for a report keeps the others waiting: acts of the floor come in between."""
LOOK_EVERY_S = 0.1


class CannotListen(CroupierError):
    """The address cannot be had."""


Told = Callable[[Runtime], None]


def _nothing(_: Runtime) -> None:
    pass


def listen(settings: Settings) -> socket.socket:
    """A socket at the address, before anything else is done; what is in the way is said in one sentence."""
    where = f"{settings.host} port {settings.port}"
    try:
        family, kind, _, _, address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:
        raise CannotListen(f"There is no address {settings.host!r} to listen on: {_words(error)}.") from None
    listener = socket.socket(family, kind)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise CannotListen(
                f"{where} is in use by another program: stop it, or choose another with {{port}}.", fields=["port"]
            ) from None
        raise CannotListen(f"It is not possible to listen on {where}: {_words(error)}.") from None
    listener.setblocking(False)
    return listener


def _words(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()


class Server(uvicorn.Server):
    """uvicorn, with a door of ours; it says when it is ready, and lets the listeners of events go before it waits for
    requests."""

    def __init__(
        self,
        app: FastAPI,
        settings: Settings,
        *,
        ready: Told = _nothing,
        following: Told = _nothing,
        stopping: Told = _nothing,
    ) -> None:
        super().__init__(config_of(app.state.front))
        self._app, self._ready, self._following, self._stopping = app, ready, following, stopping
        self._tls = _tls_of(settings)
        self.door = door_of(settings)
        self._receptions: list[Reception] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup([])  # it begins the app, and listens to nothing by itself
        make = partial(Connection, config=self.config, server_state=self.server_state, app_state=self.lifespan.state)
        self._receptions = [Reception(at, self.door, make, self._tls) for at in sockets or ()]
        for reception in self._receptions:
            reception.open()
        self._telling = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        """Whether it leads or follows; and once more when it takes over."""
        runtime: Runtime = self._app.state.runtime
        if runtime.floor is None:
            self._following(runtime)
        while runtime.floor is None:
            await asyncio.sleep(LOOK_EVERY_S)
        self._ready(runtime)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._telling.cancel()
        await asyncio.to_thread(self._stopping, self._app.state.runtime)
        self._app.state.hub.end()
        self._app.state.play.spectators.end()
        for reception in self._receptions:
            reception.close()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self.should_exit:
            os._exit(128 + sig)
        self.should_exit = True


def config_of(app: ASGIApp) -> uvicorn.Config:
    """What uvicorn is told. Who a client is, behind a proxy, is found out by the app: see `clients`."""
    return uvicorn.Config(
        app,
        loop="uvloop",
        http=Connection,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=GRACE_S,
    )


def door_of(settings: Settings) -> Door:
    most = allow_files(settings.most_connections)
    proxies = Proxies(settings.believed_proxies) if settings.behind_proxy else None
    return Door(most, min(most, settings.most_connections_each), proxies)


def _tls_of(settings: Settings) -> ssl.SSLContext | None:
    if settings.tls_cert is None or settings.tls_key is None:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(settings.tls_cert, settings.tls_key)
    except (ssl.SSLError, OSError) as error:
        raise CroupierError(f"The certificate {settings.tls_cert} and its key cannot be used: {error}.") from None
    return context


def run(
    app: FastAPI,
    settings: Settings,
    at: socket.socket,
    *,
    ready: Told = _nothing,
    following: Told = _nothing,
    stopping: Told = _nothing,
) -> None:
    """Serve until asked to stop; `ready` is told when this server leads, `stopping` before the last answers."""
    server = Server(app, settings, ready=ready, following=following, stopping=stopping)
    sys.setswitchinterval(TURN_S)
    runtime: Runtime = app.state.runtime
    try:
        runtime.begin()
    except BaseException:
        runtime.close()
        raise
    gc.freeze()  # what stands now stays: no act waits while it is looked through for what could be thrown away
    gc.set_threshold(*LOOKED_THROUGH)
    gc.enable()  # the command does without until here
    server.run(sockets=[at])
