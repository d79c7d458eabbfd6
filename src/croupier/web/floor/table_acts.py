"""The acts of a table, in front of the routes: dealers press these all night.

Their routes are described in `routes`, and do whatever is not plainly such an act. This endpoint stands behind the
limits, the log, the figures and the forwarding to the leader, as the routes do, and calls the same `act_at_table`; it
leaves out the search for the route, and reads bodies by msgspec. A body that it does not read is handed on, and the
route says what is wrong with it.
"""

from __future__ import annotations

from typing import NamedTuple

from starlette.types import ASGIApp, Receive, Scope, Send

from croupier.errors import CroupierError
from croupier.floor.link import acts
from croupier.web.cluster.forwarding import again, body_of, gone
from croupier.web.cluster.runtime import Runtime
from croupier.web.errors import response_of
from croupier.web.floor.acts import Read, reader_of
from croupier.web.floor.routes import AT_TABLE, LINK_ACTS, act_at_table
from croupier.web.identity.callers import caller_in, somebody

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

    def __init__(self, app: ASGIApp, runtime: Runtime) -> None:
        self._app, self._runtime = app, runtime

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or not scope["path"].startswith(_BEFORE):
            await self._app(scope, receive, send)
            return
        link, _, name = scope["path"].removeprefix(_BEFORE).rpartition("/")
        route = _ACTS.get(name)
        if route is None or link not in self._runtime.house.links or not _is_json(scope):
            await self._app(scope, receive, send)
            return
        body = await body_of(receive)
        if body is None:
            await self._app(scope, gone, send)
            return
        try:
            values = route.read(body)
        except ValueError:
            await self._app(scope, again(body, receive), send)
            return
        scope["route"] = route
        try:
            caller = somebody(await caller_in(scope))
            response = await act_at_table(self._runtime, caller, route.act, link, values)
        except CroupierError as error:
            response = response_of(error)
        await response(scope, receive, send)


def _is_json(scope: Scope) -> bool:
    return next((value for name, value in scope["headers"] if name == _CONTENT_TYPE), b"") == _JSON
