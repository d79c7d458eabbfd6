"""Listening: the socket, TLS, and the ways in which a server ends.

SIGTERM or Ctrl-C: nothing new is accepted, what was accepted is answered, listeners of events are let go, the books are
closed. A second one ends the process at once, which the books survive as they survive a power cut.
"""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import ssl
from collections.abc import Callable
from types import FrameType

import uvicorn
from fastapi import FastAPI

from croupier.errors import CroupierError
from croupier.web.runtime import Runtime
from croupier.web.settings import Settings

GRACE_S = 15
"""How long requests that are on their way may take once the server is asked to stop."""
BACKLOG = 2_048
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
                f"{where} is in use by another program: stop it, or choose another with --port."
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
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http="httptools",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=settings.behind_proxy,
        forwarded_allow_ips="*" if settings.behind_proxy else None,
        timeout_graceful_shutdown=GRACE_S,
        ssl_certfile=settings.tls_cert,
        ssl_keyfile=settings.tls_key,
    )
    try:
        config.load()
    except (ssl.SSLError, OSError) as error:
        raise CroupierError(f"The certificate {settings.tls_cert} and its key cannot be used: {error}.") from None
    runtime: Runtime = app.state.runtime
    try:
        runtime.begin()
    except BaseException:
        runtime.close()
        raise
    Server(config, app, ready, following, stopping).run(sockets=[at])
