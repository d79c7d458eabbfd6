"""The acts of a table, answered on the connection itself: dealers press these all night.

Their routes are in `routes.floor`, and whatever is not plainly such an act, or is not to be done, takes that long way
through the app from its first byte on. The short way is for one that can be handed to its book's writer at once:

* the request lies whole in one piece of data (`whole`), and its address can be read in one way only;
* it is JSON that says so, which a page elsewhere cannot send, and is signed by one token, found by the same code;
* this server leads, the session was looked up a moment ago, and everything that the route asks of its caller holds;
* the body is read as what the route reads.

So nothing is refused here but by the writer, and a refusal of the writer's has the same form both ways.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec
from fastapi import FastAPI, Request, Response
from starlette.concurrency import run_in_threadpool

from croupier.errors import CroupierError
from croupier.floor.floor import Floor
from croupier.floor.link import acts
from croupier.floor.link.brief import LinkBrief
from croupier.floor.link.lifecycle import LONGEST_LINK
from croupier.web.cluster.forwarding import CLIENT, SEAL
from croupier.web.cluster.runtime import Runtime
from croupier.web.errors import program_response, response_of
from croupier.web.floor.routes import AT_TABLE, LINK_ACTS, act_at_table
from croupier.web.floor.views import cycle_json, entry_text, link_summary
from croupier.web.identity.callers import Caller, in_session, session_of, source_of, tokens_of
from croupier.web.identity.sessions import FRESH_S
from croupier.web.logs import REQUEST_ID, Told, log, new_request, straight, tell_request
from croupier.web.metrics import Requests
from croupier.web.settings import Settings
from croupier.web.transport.clients import Clients, Proxies
from croupier.web.transport.desk import Desk, Slip
from croupier.web.transport.quick_bodies import Read, reader_of
from croupier.web.transport.whole import Headers, Whole

MOST_BYTES = 8_192
"""Of a request that may take the short way; a browser's headers are a tenth of it."""
MOST_HEADS, MOST_HEAD_BYTES = 16, 2_048
"""Kept of one connection: a keypad sends some acts, each with bodies of a few lengths."""
_BEFORE, _END = b"POST /api/links/", b"\r\n\r\n"
_ADDRESS = re.compile(rb"/api/links/([A-Za-z0-9_-]{1,%d})/([a-z-]+)" % LONGEST_LINK)
_JSON = (b"content-type", b"application/json")
_OTHERWISE = frozenset({b"expect", b"transfer-encoding", b"upgrade", SEAL, CLIENT})
"""Headers of whoever wants something else than an answer to a plain request."""
_OK = b"content-type: application/json\r\ncache-control: no-store\r\ncontent-length: %d\r\nx-request-id: %b\r\n\r\n%b"
_DONE = b'{"entry":%b,"link":%b,"game":%b}}'
"""As `routes.floor` answers an act, put together from what is written already."""
_encode = msgspec.json.Encoder().encode


class Quick(NamedTuple):
    """One kind of act, and how its requests are read."""

    route: str
    """As the log and the figures call it."""
    act: type[acts.LinkAct]
    read: Read


_QUICK = {
    path.encode(): Quick(f"/api/links/{{link}}/{path}", act, reader_of(act))
    for act, path, _ in LINK_ACTS
    if act.kind in AT_TABLE
}


class Head(NamedTuple):
    """What a request says before its body."""

    quick: Quick
    link: str
    session: str
    """The hash of the session's token."""
    source: str
    length: int
    """Of the body."""


class Line:
    """What is known of one connection. The same head, byte for byte, says the same again."""

    def __init__(self, client: tuple[str, int] | None, answer: Callable[[int, bytes], None]) -> None:
        self.client, self.answer = client, answer
        self.heads: dict[bytes, Head] = {}
        self.caller = Caller()
        """Whoever sent the last request."""

    def keep(self, text: bytes, head: Head) -> None:
        """Of somebody who is known, so that strangers fill nothing."""
        if len(text) > MOST_HEAD_BYTES:
            return
        if len(self.heads) >= MOST_HEADS:
            self.heads.clear()
        self.heads[text] = head


class Taken(Slip):
    """An act that is with its book's writer."""

    def __init__(self, desk: Desk[Taken], line: Line, link: str, act: acts.LinkAct, told: Told) -> None:
        self.desk, self.line, self.link, self.act, self.told = desk, line, link, act, told
        self.began = time.perf_counter()


class InUse:
    """Sessions that act just now. They are looked up again before anybody has to wait for it: else, every two seconds,
    all tables would take the long way at once."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._used: set[str] = set()
        self._looking: asyncio.Future[None] | None = None

    def use(self, session: str) -> None:
        self._used.add(session)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.ensure_future(self._look_again())

    async def _look_again(self) -> None:
        await asyncio.sleep(FRESH_S / 2)
        used, self._used = self._used, set()
        with suppress(CroupierError):  # the store is away: they go the long way, which says so
            await run_in_threadpool(self._runtime.access.look_again, used)


class TableActs:
    """Takes what may go the short way; one for a server."""

    def __init__(self, app: FastAPI, settings: Settings) -> None:
        self._app = app
        self._runtime: Runtime = app.state.runtime
        self._requests: Requests = app.state.figures.requests
        self._most = min(MOST_BYTES, settings.most_body_bytes)
        proxies = Proxies(settings.believed_proxies) if settings.behind_proxy else None
        self._clients = Clients(app, proxies)
        self._whole = Whole()
        self._loop: asyncio.AbstractEventLoop
        self._desk: Desk[Taken] | None = None
        self._new: list[Taken] = []
        """Taken, and not yet handed in."""
        self._summaries: dict[str, tuple[LinkBrief, bytes]] = {}
        self._sessions = InUse(self._runtime)

    def take(self, line: Line, data: bytes) -> bool:
        """Whether the request is answered here, in a moment. Otherwise nothing was done."""
        floor = self._runtime.floor
        if floor is None or len(data) > self._most or not data.startswith(_BEFORE):
            return False
        begin = data.find(_END) + len(_END)
        try:
            kept = line.heads.get(data[:begin])
            head = kept or self._read_head(line, data, begin)
            if head is None or len(data) != begin + head.length or head.link not in floor.house.links:
                return False
            caller = self._caller(line, head)
            if caller is None:
                return False
            if kept is None:
                line.keep(data[:begin], head)
            act = act_at_table(caller, head.quick.act, head.quick.read(data[begin:]))
        except Exception:  # nothing has been done yet: the long way says what is wrong
            return False
        told = Told(new_request(), "POST", head.quick.route, head.source, caller)
        self._hand_in_soon(floor, Taken(self._ready(), line, head.link, act, told))
        self._requests.begun()
        return True

    def _ready(self) -> Desk[Taken]:
        if self._desk is None:
            self._loop = asyncio.get_running_loop()
            self._desk = Desk(self._loop, self._answer_all)
        return self._desk

    def _hand_in_soon(self, floor: Floor, taken: Taken) -> None:
        """All that has just come in is handed in together, so that a writer who wakes finds it all."""
        if not self._new:
            self._loop.call_soon(self._hand_in, floor)
        self._new.append(taken)

    def _hand_in(self, floor: Floor) -> None:
        new, self._new = self._new, []
        for taken in new:
            try:
                floor.hand_in(taken.act, taken.link, taken)
            except Exception as error:
                taken.set_exception(error)

    # Who it is, and what for

    def _read_head(self, line: Line, data: bytes, begin: int) -> Head | None:
        """By the parser that reads every request; nothing where it is for the long way, or not whole."""
        request = self._whole.read(data)
        found = _ADDRESS.fullmatch(request.target) if request else None
        if request is None or found is None or found[2] not in _QUICK or data[begin:] != request.body:
            return None
        sender = self._sender(line, request.headers)
        if sender is None:
            return None
        return Head(_QUICK[found[2]], found[1].decode(), *sender, len(request.body))

    def _sender(self, line: Line, headers: Headers) -> tuple[str, str] | None:
        """The session and the source, as the app finds them out from the same headers; nobody where it would say no,
        or has more to ask."""
        names = [name for name, _ in headers]
        if _JSON not in headers or names.count(_JSON[0]) > 1 or not _OTHERWISE.isdisjoint(names):
            return None
        scope: dict[str, Any] = {
            **{"type": "http", "method": "POST", "path": "/", "query_string": b"", "scheme": "http", "root_path": ""},
            **{"headers": headers, "client": line.client, "app": self._app},
        }
        self._clients.read(scope)
        request = Request(scope)
        tokens = tokens_of(request)
        session = session_of(tokens[0]) if len(tokens) == 1 else None
        return (session, source_of(request)) if session else None

    def _caller(self, line: Line, head: Head) -> Caller | None:
        """Whether the session still counts is asked each time; whose it is, is mostly as it was."""
        found = self._runtime.access.at_once(head.session)
        if found is None:
            return None
        self._sessions.use(head.session)
        caller = in_session(self._runtime, *found, head.source, line.caller)
        line.caller = caller
        return caller

    # Answering

    def _answer_all(self, laid: list[Taken]) -> None:
        with straight.together():
            for taken in laid:
                try:
                    self._answer(taken)
                except Exception as error:  # the others are answered all the same
                    log.error("answering", exc_info=error)

    def _answer(self, taken: Taken) -> None:
        status, error, told = 200, taken.error, taken.told
        try:
            if error is None:
                text = self._done(taken)
            elif isinstance(error, CroupierError):
                refused, error = response_of(error), None
                status, text = refused.status_code, _written(refused, told.request)
        except Exception as wrong:
            error = wrong
        if error is not None:
            status, text = 500, _written(program_response(), told.request)
        taken.line.answer(status, text)
        seconds = time.perf_counter() - taken.began
        self._requests.answered("POST", told.route, status, seconds)
        tell_request(told, status, seconds, error)

    def _done(self, taken: Taken) -> bytes:
        assert taken.entry is not None
        brief = self._runtime.house.links[taken.link]
        game = brief.tables.get(taken.act.table)  # type: ignore[attr-defined]
        body = _DONE % (entry_text(taken.entry), self._summary(brief), _encode(cycle_json(game) if game else None))
        return _OK % (len(body), taken.told.request.encode(), body)

    def _summary(self, brief: LinkBrief) -> bytes:
        """Written once for all acts of a commit."""
        kept = self._summaries.get(brief.name)
        if kept is None or kept[0] is not brief:
            kept = self._summaries[brief.name] = brief, _encode(link_summary(brief))[:-1]
        return kept[1]


def _written(response: Response, request: str) -> bytes:
    """Headers and body of an answer that somebody else has made."""
    headers = [*response.raw_headers, (REQUEST_ID, request.encode())]
    return b"".join((*(b"%b: %b\r\n" % pair for pair in headers), b"\r\n", bytes(response.body)))
