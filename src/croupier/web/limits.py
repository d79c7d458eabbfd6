"""What no request may exceed: its length. A body that is too long is refused before it is read."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.web.errors import error_response


class Limits:
    """Counts the bytes of a body as they come in."""

    def __init__(self, app: ASGIApp, most_bytes: int) -> None:
        self._app, self._most = app, most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        stated = dict(scope["headers"]).get(b"content-length", b"0")
        if not stated.isdigit() or int(stated) > self._most:
            await self._refuse(scope, receive, send)
            return
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self._most:
                raise _TooLong
            return message

        try:
            await self._app(scope, counted, send)
        except _TooLong:
            await self._refuse(scope, receive, send)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = error_response(413, "too-long", f"A request has at most {self._most:,} bytes.")
        await response(scope, receive, send)


class _TooLong(Exception):
    pass
