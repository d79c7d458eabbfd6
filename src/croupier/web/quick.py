"""The acts of a table, answered without the framework's long way: dealers press these all night.

The routes are described in `routes.floor`, and whatever is not plainly one of these requests goes there. Both ways read
the same body, ask the same caller and do the same act; this one only leaves out what finds that out anew every time.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote

from fastapi import HTTPException, Request, Response
from pydantic import ValidationError
from starlette.types import ASGIApp, Receive, Scope, Send

from croupier.errors import CroupierError
from croupier.progressive import acts
from croupier.progressive.office import LONGEST_LINK
from croupier.web.acting import Body, body_of
from croupier.web.callers import caller_of, runtime_of
from croupier.web.errors import http_response, invalid_response, response_of
from croupier.web.routes.floor import AT_TABLE, LINK_ACTS, do_link

_BEFORE = "/api/links/"
_JSON = (b"content-type", b"application/json")


class Quick(NamedTuple):
    """One kind of act, and how its requests are read."""

    path: str
    """As the log and the figures call it."""
    act: type[acts.Act]
    body: type[Body]


_QUICK = {
    path: Quick(f"{_BEFORE}{{link}}/{path}", act, body_of(act)) for act, path, _ in LINK_ACTS if act.kind in AT_TABLE
}


class TableActs:
    """Answers them before the routes are looked through."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "POST" and scope["path"].startswith(_BEFORE):
            link, _, name = scope["path"][len(_BEFORE) :].partition("/")
            quick = _QUICK.get(name)
            if quick is not None and 1 <= len(link) <= LONGEST_LINK and _is_plain(scope, link):
                scope["route"] = quick
                response = await _answer(quick, link, Request(scope), receive)
                await response(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _is_plain(scope: Scope, link: str) -> bool:
    """Nothing in the address that could be read in two ways, and JSON that says so: a page elsewhere cannot send it."""
    return _JSON in scope["headers"] and quote(link, safe="").encode() in scope.get("raw_path", b"")


async def _answer(quick: Quick, link: str, request: Request, receive: Receive) -> Response:
    try:
        caller = await caller_of(request)
        caller.known()
        body = quick.body.model_validate_json(await _body(receive))
        return await do_link(runtime_of(request), caller, quick.act, link, body)
    except CroupierError as error:
        return response_of(error)
    except ValidationError as error:
        return invalid_response(error.errors(include_url=False, include_input=False, include_context=False))
    except HTTPException as error:  # too long
        return http_response(error)


async def _body(receive: Receive) -> bytes:
    """Nearly always one piece. Of a client that goes away in the middle there is a part, which is no JSON."""
    message = await receive()
    body: bytes = message.get("body", b"")
    while message.get("more_body"):
        message = await receive()
        body += message.get("body", b"")
    return body
