"""Live events: what every listener hears of the floor, in order, resumed by id, without one slowing another.

The books are the truth, and an event's id says how far each of them was told: `main=17,side=4,site=9`. A listener that
is too slow is not waited for: what piled up for it is told as one state, because only the newest meter is true.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from croupier.progressive.floor import LINK
from croupier.progressive.ledger import Entry
from croupier.web.runtime import Runtime
from croupier.web.views import link_json

MOST_MOMENTS = 100
"""Entries that wait for one listener by name; beyond that it hears the state alone."""
TOLD = frozenset({"start", "enter", "pay", "unpay", "take-back", "void", "call", "confirm", "open", "close", "end"})


@dataclass
class Listener:
    """Somebody who hears; what is new for them waits here."""

    links: frozenset[str] | None
    """Which links; all of them where nothing is said."""
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    changed: set[str] = field(default_factory=set)
    moments: list[dict[str, Any]] = field(default_factory=list)

    def hears(self, link: str) -> bool:
        return self.links is None or link in self.links


class Hub:
    """Takes entries from the books' writers, in their threads, and tells every listener in the server's own."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._runtime: Runtime | None = None
        self._listeners: set[Listener] = set()
        self._closing: bool = False

    def begin(self, loop: asyncio.AbstractEventLoop, runtime: Runtime) -> None:
        self._loop, self._runtime = loop, runtime

    def end(self) -> None:
        self._closing = True
        for listener in self._listeners:
            listener.wake.set()

    @property
    def listeners(self) -> int:
        return len(self._listeners)

    # Hearing

    def heard(self, stream: str, entries: list[Entry]) -> None:
        """Called by a writer once entries are durable."""
        if self._loop is not None and not self._loop.is_closed() and stream.startswith(LINK):
            self._loop.call_soon_threadsafe(self._spread, stream.removeprefix(LINK), entries)

    def _spread(self, link: str, entries: list[Entry]) -> None:
        moments = [moment(link, entry) for entry in entries if entry.kind in TOLD]
        for listener in self._listeners:
            if listener.hears(link):
                listener.changed.add(link)
                listener.moments += moments
                if len(listener.moments) > MOST_MOMENTS:
                    listener.moments.clear()
                listener.wake.set()

    # Telling

    async def listen(
        self, links: frozenset[str] | None, *, keep_alive_s: float = 15.0
    ) -> AsyncIterator[dict[str, Any]]:
        """First the state of every link, then whatever is new; nothing for a while is said as nothing."""
        assert self._runtime is not None, "the server has started"
        listener = Listener(links)
        self._listeners.add(listener)
        try:
            yield self._told([name for name in self._runtime.house.links if listener.hears(name)], [])
            while not self._closing:
                try:
                    await asyncio.wait_for(listener.wake.wait(), keep_alive_s)
                except TimeoutError:
                    yield {}
                    continue
                listener.wake.clear()
                changed, moments = sorted(listener.changed), listener.moments
                listener.changed, listener.moments = set(), []
                yield self._told(changed, moments)
        finally:
            self._listeners.discard(listener)

    def _told(self, links: list[str], moments: list[dict[str, Any]]) -> dict[str, Any]:
        assert self._runtime is not None
        house = self._runtime.house
        states = [link_json(house.links[link]) for link in links if link in house.links]
        return {"links": states, "moments": moments}


def moment(link: str, entry: Entry) -> dict[str, Any]:
    """What happened, short, for whoever shows it."""
    facts = entry.facts
    names = ("table", "seat", "line", "level", "cents", "award", "round", "seats", "alarm", "shown_cents")
    return {
        **{"link": link, "number": entry.number, "at": entry.at, "kind": entry.kind},
        **{name: facts[name] for name in names if name in facts},
    }
