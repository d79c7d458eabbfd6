"""Spectators of a table: they hear of every act when it is done, by server-sent events.

A table is looked at once for all who watch it: when something was done there at this server, and every few seconds for
what was done at another server of the site. Everybody hears the same, which is what the round shows to all.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from croupier.web.errors import ApiError
from croupier.web.games.rounds import ROUND_ID, Opener, Rounds
from croupier.web.games.views import state_as_json
from croupier.web.streams import BEGIN, KEEP_ALIVE_S, STILL_HERE, Places
from croupier.web.turns import Turns

MOST, MOST_EACH, MOST_HOLDER = 1_000, 200, 50
"""Spectators in all, from one address, and in the sessions of one person."""
LOOK_S = 3.0
"""Between two looks at a table where this server has heard of nothing."""
NOBODY_PLAYS = Opener("")


@dataclass(frozen=True)
class Seen:
    """A round, as it was told."""

    event: bytes
    over: bool
    followed_by: str | None


@dataclass(eq=False)
class Table:
    """A round that somebody watches."""

    id: str
    seen: Seen | None = None
    gone: bool = False
    spectators: set[asyncio.Event] = field(default_factory=set)
    stirred: asyncio.Event = field(default_factory=asyncio.Event)
    looking: asyncio.Task[None] | None = None

    def tell(self) -> None:
        for spectator in self.spectators:
            spectator.set()


class Spectators:
    """All who watch. Rounds may be heard of in any thread; everything else is done in the server's own."""

    def __init__(self, rounds: Rounds, turns: Turns) -> None:
        self.places = Places(MOST, MOST_EACH, MOST_HOLDER)
        self._rounds, self._turns = rounds, turns
        self._loop = asyncio.get_running_loop()
        self._tables: dict[str, Table] = {}
        self._closing = False

    def end(self) -> None:
        """All are let go, before a server that stops waits for them."""
        self._closing = True
        for table in self._tables.values():
            table.tell()

    def heard(self, round_: str) -> None:
        """Something was done in this round, or after it."""
        if round_ in self._tables:
            with suppress(RuntimeError):  # the server has just stopped
                self._loop.call_soon_threadsafe(self._stir, round_)

    def _stir(self, round_: str) -> None:
        if table := self._tables.get(round_):
            table.stirred.set()

    async def watch(
        self, round_: str, heard: str = "", *, on: bool, source: str = "", holder: str = ""
    ) -> AsyncGenerator[bytes, None]:
        """A greeting, the round as it stands, and then as it stands after each act. Where its player goes `on` and lets
        others watch, that round follows; else the stream ends with the round. Whoever comes back goes on with the round
        that they have `heard` of."""
        with self.places.take(source, holder):
            yield BEGIN
            at = heard.partition(" ")[0]
            next_: str | None = at if on and ROUND_ID.fullmatch(at) else round_
            while next_ and not self._closing:
                table, wake = self._sit(next_)
                try:
                    async for event in self._told(table, wake, on=on):
                        yield event
                finally:
                    self._leave(table, wake)
                next_ = table.seen.followed_by if on and table.seen else None

    async def _told(self, table: Table, wake: asyncio.Event, *, on: bool) -> AsyncGenerator[bytes, None]:
        told = b""
        while not (self._closing or table.gone):
            seen = table.seen
            if seen is not None and seen.event != told:
                told = seen.event
                yield told
                continue  # it may have gone on meanwhile
            if seen is not None and (seen.followed_by if on else seen.over):
                return
            wake.clear()
            try:
                async with asyncio.timeout(KEEP_ALIVE_S):
                    await wake.wait()
            except TimeoutError:
                yield STILL_HERE

    def _sit(self, round_: str) -> tuple[Table, asyncio.Event]:
        table, wake = self._tables.setdefault(round_, Table(round_)), asyncio.Event()
        table.spectators.add(wake)
        if table.looking is None:
            table.looking = self._loop.create_task(self._look_on(table))
        return table, wake

    def _leave(self, table: Table, wake: asyncio.Event) -> None:
        table.spectators.discard(wake)
        if not table.spectators:
            self._tables.pop(table.id, None)
            if table.looking is not None:
                table.looking.cancel()

    async def _look_on(self, table: Table) -> None:
        while not (self._closing or table.gone):
            table.stirred.clear()
            try:
                seen = await self._turns.do(partial(self._look, table.id))
                if seen != table.seen:
                    table.seen = seen
                    table.tell()
            except Exception as error:  # where it is not gone, the store cannot be read, or others play first: again
                table.gone = isinstance(error, ApiError) and error.status == 404
                table.tell()
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await table.stirred.wait()

    def _look(self, round_: str) -> Seen:
        standing = self._rounds.standing(round_)
        state = state_as_json(standing, NOBODY_PLAYS)
        event = f"event: round\nid: {round_} {state['number']}\ndata: {json.dumps(state)}\n\n"
        return Seen(event.encode(), state["over"], self._rounds.followed_by(standing))
