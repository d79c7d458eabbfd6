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
from typing import Any

import uvicorn
from fastapi import FastAPI

from croupier.errors import CroupierError
from croupier.web.cluster.runtime import Runtime
from croupier.web.settings import Settings
from croupier.web.transport.clients import Proxies
from croupier.web.transport.connections import HEADERS_S, Door, allow_files, connections

GRACE_S = 15
"""How long requests that are on their way may take once the server is asked to stop."""
KEEP_ALIVE_S = 15
"""How long a connection stays open on which nothing more is asked."""
BACKLOG = 2_048
TURN_S = 0.001
"""How long a thread that reads for a report keeps the others waiting: acts of the floor come in between."""
LOOK_EVERY_S = 0.1


class CannotListen(CroupierError):
    """The address cannot be had."""


Told = Callable[[Runtime], None]


def listen(settings: Settings) -> socket.socket:
    """A socket at the address, before anything else is done; what is in the way is said in one sentence."""
    where = f"{settings.host} port {settings.port}"
    try:
        family, kind, _, _, address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:
        raise CannotListen(f"There is no address {settings.host!r} to listen on: {_words(error)}.") from None
    found = socket.socket(family, kind)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        found.listen(BACKLOG)
    except OSError as error:
        found.close()
        if error.errno == errno.EADDRINUSE:
            raise CannotListen(
                f"{where} is in use by another program: stop it, or choose another with {{port}}.", fields=["port"]
            ) from None
        raise CannotListen(f"It is not possible to listen on {where}: {_words(error)}.") from None
    found.setblocking(False)
    return found


def _words(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()


class Server(uvicorn.Server):
    """uvicorn, which says when it is ready, and lets the listeners of events go before it waits for requests."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, ready: Told, following: Told, stopping: Told) -> None:
        super().__init__(config)
        self._app, self._ready, self._following, self._stopping = app, ready, following, stopping

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        if (
            self.config.ssl is not None
        ):  # uvicorn has no option for it, and whoever is silent for a minute takes a place
            loop: Any = asyncio.get_running_loop()
            loop.create_server = partial(loop.create_server, ssl_handshake_timeout=HEADERS_S)
        await super().startup(sockets)
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
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self.should_exit:
            os._exit(128 + sig)
        self.should_exit = True


def config_of(app: FastAPI, settings: Settings) -> uvicorn.Config:
    """How this server listens. Who a client is, behind a proxy, is found out by the app: see `clients`."""
    most = allow_files(settings.most_connections)
    proxies = Proxies(settings.believed_proxies) if settings.behind_proxy else None
    return uvicorn.Config(
        app,
        loop="uvloop",
        http=connections(Door(most, min(most, settings.most_connections_each), proxies)),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=GRACE_S,
        ssl_certfile=settings.tls_cert,
        ssl_keyfile=settings.tls_key,
    )


def _nothing(_: Runtime) -> None:
    pass


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
    config = config_of(app, settings)
    try:
        config.load()
    except (ssl.SSLError, OSError) as error:
        raise CroupierError(f"The certificate {settings.tls_cert} and its key cannot be used: {error}.") from None
    sys.setswitchinterval(TURN_S)
    runtime: Runtime = app.state.runtime
    try:
        runtime.begin()
    except BaseException:
        runtime.close()
        raise
    gc.freeze()  # what stands now stays: no act waits while it is looked through for what could be thrown away
    gc.enable()  # the command does without until here
    Server(config, app, ready, following, stopping).run(sockets=[at])
