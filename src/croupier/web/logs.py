"""The server's log: a line for each request, of who did what and how it went, and never what was sent.

    {"at": "2026-11-15T20:30:00.123456Z", "level": "info", "event": "request", "request": "5f2c01aa-17",
     "method": "POST", "route": "/api/links/{link}/start", "status": 200, "ms": 3.1, "person": "ann",
     "device": "keypad-1", "from": "10.0.0.7"}

JSON lines where the log goes to a file, words on a terminal. Bodies, query strings, headers, tokens, cards and
PINs are not in it because nobody hands them to it: a route is named by its pattern, and of an error of the program its
kind and place are told, not its message, which may quote what was sent.

The line of a request that went well is written straight to the stream: dealers wait for every microsecond of it.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
import traceback
from collections.abc import Callable, MutableMapping
from contextlib import suppress
from enum import StrEnum
from itertools import count
from typing import Any, Protocol, TextIO, TypeAlias

import msgspec
import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.ledger.clock import utc_now

EventDict: TypeAlias = MutableMapping[str, Any]
REQUEST_ID = b"x-request-id"
QUIET_ROUTES = frozenset({"/api/health", "/api/ready", "/metrics"})
"""Asked every few seconds by whoever watches: told only when the answer is bad."""
MOST_FRAMES = 20


def _without_values(_: Any, __: str, event: EventDict) -> EventDict:
    """An exception by its kind and place."""
    error = event.pop("exc_info", None)
    error = error[1] if isinstance(error, tuple) else error
    return {**event, **traceback_of(error)} if isinstance(error, BaseException) else event


_logger = logging.getLogger("croupier.web")
log: structlog.stdlib.BoundLogger = structlog.wrap_logger(
    _logger,
    processors=[
        structlog.stdlib.filter_by_level,
        structlog.stdlib.add_log_level,
        _without_values,
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    wrapper_class=structlog.stdlib.BoundLogger,
)


class Straight:
    """Tells of requests that went well as `log.info` would, in a tenth of the time. What is told in one turn of the
    event loop goes to the system in one piece, as soon as that turn is over: a stream of errors, by itself, hands on
    line by line."""

    def __init__(self) -> None:
        self.stream: TextIO | None = None
        """Where JSON lines go."""
        self._lines: list[bytes] = []
        """Of this turn."""

    def info(self, event: str, **values: Any) -> None:
        if self.stream is None:
            log.info(event, **values)
            return
        if not self._lines:
            asyncio.get_running_loop().call_soon(self._write)
        self._lines.append(_encoder.encode({"at": utc_now(), "level": "info", "event": event, **values}))

    def _write(self) -> None:
        lines, self._lines = self._lines, []
        if self.stream is not None:
            with suppress(OSError, ValueError):  # nobody reads the log any more: the floor goes on
                self.stream.write(b"\n".join((*lines, b"")).decode())
                self.stream.flush()


straight = Straight()
_encoder = msgspec.json.Encoder(enc_hook=str)
_MARK, _NUMBERS = secrets.token_hex(4), count(1)


class LogLevel(StrEnum):
    """What is told."""

    INFO = "info"
    """Every request."""
    WARNING = "warning"
    """What was turned away, and worse."""
    ERROR = "error"
    """Errors of the program alone."""


def configure_logs(stream: TextIO, level: LogLevel = LogLevel.INFO) -> None:
    """Send everything that is logged in this process to the stream, in one form."""
    pretty = stream.isatty()
    shown = structlog.dev.ConsoleRenderer(timestamp_key="at") if pretty else structlog.processors.JSONRenderer(_encode)
    formatter = structlog.stdlib.ProcessorFormatter(
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
            shown,
        ],
        foreign_pre_chain=[structlog.stdlib.add_log_level, _without_values],
    )
    straight.stream = None if pretty else stream
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("croupier").setLevel(level.upper())


def _encode(event: EventDict, **_: Any) -> str:
    return _encoder.encode(event).decode()


def traceback_of(error: BaseException) -> dict[str, Any]:
    """Which kind of error, and where: files, lines and functions, without any value."""
    frames = traceback.extract_tb(error.__traceback__)[-MOST_FRAMES:]
    places = [f"{'/'.join(frame.filename.split('/')[-3:])}:{frame.lineno} {frame.name}" for frame in frames]
    return {"error": type(error).__name__, "where": places}


class Counts(Protocol):
    """Whoever counts requests."""

    def begun(self) -> None: ...

    def answered(self, method: str, route: str, status: int, seconds: float) -> None: ...


class RequestLog:
    """Gives every request an id, counts it, and writes its line when it has been answered."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts

    def begin(self) -> str:
        """The id of a request that has just begun; its answer carries it."""
        self._counts.begun()
        return f"{_MARK}-{next(_NUMBERS)}"

    def end(self, scope: Scope, request: str, began: float, status: int, error: Exception | None = None) -> None:
        """Status 0: the client went away before it was answered."""
        route, client = getattr(scope.get("route"), "path", "none"), scope.get("client")
        seconds = time.perf_counter() - began
        self._counts.answered(scope["method"], route, status or 500, seconds)
        tell = _level_of(route, status, error)
        if tell is None:
            return
        told = {
            "request": request,
            "method": scope["method"],
            "route": route,
            "status": 500 if error else status or 499,
            "ms": round(1_000 * seconds, 1),
            "from": client[0] if client else "",
        }
        caller = scope.get("state", {}).get("caller")  # a `callers.Caller`, where it was asked who it was
        if caller is not None and caller.person is not None:
            told["person"] = caller.person.id
        if caller is not None and caller.device is not None:
            told["device"] = caller.device.id
        if error is not None:
            told |= traceback_of(error)
        tell("request", **told)


class Logged:
    """Has every request of the app in the log."""

    def __init__(self, app: ASGIApp, log: RequestLog) -> None:
        self._app, self._log = app, log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, request, status = time.perf_counter(), self._log.begin(), 0

        async def named(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                others = [pair for pair in message["headers"] if pair[0] != REQUEST_ID]
                message["headers"] = [*others, (REQUEST_ID, request.encode())]
            await send(message)

        error: Exception | None = None
        try:
            await self._app(scope, receive, named)
        except Exception as raised:
            error = raised
            raise
        finally:
            self._log.end(scope, request, began, status, error)


def _level_of(route: str, status: int, error: BaseException | None) -> Callable[..., Any] | None:
    if error is not None or status == 500:
        return log.error
    if status in (401, 403, 429) or (status >= 500 and route not in QUIET_ROUTES):
        return log.warning
    if route in QUIET_ROUTES or not _logger.isEnabledFor(logging.INFO):
        return None
    return straight.info
