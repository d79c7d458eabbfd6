"""The acts of a table, in front of the routes: dealers press these all night.

Their routes are described in `routes`, and do whatever is not plainly such an act. This endpoint stands in front of the
app's other layers and asks what they ask, by the same functions: the bounds of a request (`Bodies`), its line in the
log and its figures (`RequestLog`), who leads, and how a refusal is told. It calls the same `act_at_table` as the
routes, and reads bodies by msgspec. What is odd in any way, and a body that it does not read, is handed on before
anything is done, and those layers say what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import NamedTuple

from fastapi import FastAPI, HTTPException
from starlette.types import Receive, Scope, Send

from croupier.errors import CroupierError
from croupier.floor.link import acts
from croupier.web.cluster.forwarding import SEAL, again, body_of, failing, gone
from croupier.web.cluster.runtime import Runtime
from croupier.web.errors import program_response, response_of, telling
from croupier.web.floor.acts import Read, reader_of
from croupier.web.floor.routes import AT_TABLE, LINK_ACTS, act_at_table
from croupier.web.identity.callers import caller_in, somebody
from croupier.web.logs import REQUEST_ID, RequestLog
from croupier.web.transport.connections import Bodies

_BEFORE, _CONTENT_TYPE, _JSON = "/api/links/", b"content-type", b"application/json"


class TableAct(NamedTuple):
    """One kind of act, and how its requests are read."""

    path: str
    """As the log and the figures call its route."""
    act: type[acts.LinkAct]
    read: Read


_ACTS = {
    name: TableAct(f"{_BEFORE}{{link}}/{name}", act, reader_of(act))
    for act, name, _ in LINK_ACTS
    if act.kind in AT_TABLE
}


class TableActs:
    """Does what is plainly an act of a table, and leaves everything else to the app."""

    def __init__(self, app: FastAPI, log: RequestLog, bodies: Bodies) -> None:
        self._app, self._log, self._bodies = app, log, bodies
        self._runtime: Runtime = app.state.runtime

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or not scope["path"].startswith(_BEFORE):
            await self._app(scope, receive, send)
            return
        began, headers = perf_counter(), dict(scope["headers"])
        link, _, name = scope["path"].removeprefix(_BEFORE).rpartition("/")
        route = _ACTS.get(name)
        if route is None or not self._is_plain(scope, headers, link):
            await self._app(scope, receive, send)
            return
        try:
            body = await body_of(self._bodies.bounded(scope, headers, receive))
        except HTTPException as too_much:
            await self._app(scope, failing(too_much), send)
            return
        if body is None:
            await self._app(scope, gone, send)
            return
        try:
            values = route.read(body)
        except ValueError:
            await self._app(scope, again(body, receive), send)
            return
        scope["app"], scope["route"] = self._app, route
        request, status = self._log.begin(), 0
        error: Exception | None = None
        try:
            try:
                caller = somebody(await caller_in(scope))
                response = await act_at_table(self._runtime, caller, route.act, link, values)
            except CroupierError as refused:
                response = response_of(refused)
            status = response.status_code
            response.raw_headers.append((REQUEST_ID, request.encode()))
            await response(scope, receive, telling(scope, send))
        except Exception as raised:
            error = raised
            if not status:
                await program_response()(scope, receive, send)
            raise
        finally:
            self._log.end(scope, request, began, status, error)

    def _is_plain(self, scope: Scope, headers: Mapping[bytes, bytes], link: str) -> bool:
        """Whether this server surely leads, and the request came straight here, with nothing odd about it."""
        floor = self._runtime.floor
        return (
            floor is not None
            and link in floor.house.links
            and headers.get(_CONTENT_TYPE) == _JSON
            and len(headers) == len(scope["headers"])  # none is there twice
            and SEAL not in headers
            and not floor.lease_doubt
            and self._bodies.refusal(scope, headers) is None
        )
