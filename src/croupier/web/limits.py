"""What no request may exceed: the length of its body and of its headers, and how long the body takes to come in.

What is too long is refused unread.
"""

from __future__ import annotations

import asyncio

from fastapi import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.web.errors import error_response, http_response

MOST_HEADER_BYTES = 32_000
BODY_S = 30.0
"""From the end of the headers to the end of the body: the largest that is read, over a slow line."""
_DIGITS = 15


class Limits:
    """Counts the bytes of a body as they come in."""

    def __init__(self, app: ASGIApp, most_bytes: int) -> None:
        self._app, self._most = app, most_bytes
        self._sentence = f"A request has at most {most_bytes:,} bytes."

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = scope["headers"]
        if sum(len(name) + len(value) for name, value in headers) + len(scope["path"]) > MOST_HEADER_BYTES:
            refused = error_response(431, "too-long", f"Address and headers have at most {MOST_HEADER_BYTES:,} bytes.")
            await refused(scope, receive, send)
            return
        stated = next((value for name, value in headers if name == b"content-length"), b"0")
        if not (stated.isdigit() and len(stated) <= _DIGITS and int(stated) <= self._most):
            await error_response(413, "too-long", self._sentence)(scope, receive, send)
            return
        read, due, whole = 0, asyncio.get_running_loop().time() + BODY_S, False

        async def counted() -> Message:
            nonlocal read, whole
            if whole:  # what comes now is that the client has gone
                return await receive()
            try:
                async with asyncio.timeout_at(due):
                    message = await receive()
            except TimeoutError:
                said = f"The body of a request comes within {BODY_S:g} seconds"
                raise HTTPException(408, said, {"Connection": "close"}) from None
            read += len(message.get("body", b""))
            whole = not message.get("more_body")
            if read > self._most:  # a body that came in pieces, and did not say how long it would be
                raise HTTPException(413, self._sentence.rstrip("."))
            return message

        try:
            await self._app(scope, counted, send)
        except HTTPException as error:  # whoever reads the body before the app does leaves this to us
            await http_response(error)(scope, receive, send)
