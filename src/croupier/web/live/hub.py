"""Live events: what every listener hears of the floor, resumed by id, without one slowing another.

The books are the truth, and an event's id says how far each of them was told: `main=17,side=4,site=9`. Changes are told
at most some twenty times a second, however fast they come. A listener that is too slow is not waited for, and nothing
piles up for it: when it is ready again it hears the newest state.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

from starlette.concurrency import run_in_threadpool

from croupier.errors import CroupierError
from croupier.floor.floor import LINK
from croupier.ledger.entry import Entry
from croupier.web.cluster.runtime import Runtime
from croupier.web.live.feed import Feeds, Hears, missed, numbers_of
from croupier.web.streams import BEGIN, KEEP_ALIVE_S, STILL_HERE, Places

PACE_S = 0.05
"""Between two editions."""
AGAIN_S = 0.5
"""Before the store is read again that could not be."""
BEHIND_S = 2.0
"""How long somebody who has heard more elsewhere is kept waiting for this server to catch up."""
MOST_LISTENERS, MOST_LISTENERS_EACH = 2_000, 1_000
"""In all, and from one address: a wall of displays may stand behind one."""
MOST_LISTENERS_HOLDER = 100
"""With the token of one device, or in the sessions of one person."""
MOST_KEPT = 64
"""Readings of the store that are kept: after a server has died, all who come back have missed the same."""
Allowed = Callable[[], Awaitable[bool]]


async def always() -> bool:
    return True


@dataclass(eq=False)
class Listener:
    """Somebody who hears. What is new for them is not kept here, only how far they are."""

    hears: Hears
    edition: int = 0
    wake: asyncio.Event = field(default_factory=asyncio.Event)


class Hub:
    """Takes entries from the books' writers, in their threads, and tells every listener in the server's own."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._runtime: Runtime
        self._feeds: Feeds
        self._listeners: set[Listener] = set()
        self.places = Places(MOST_LISTENERS, MOST_LISTENERS_EACH, MOST_LISTENERS_HOLDER)
        self._closing, self._due, self._published_at = False, False, 0.0
        self._filling: asyncio.Task[None] | None = None
        self._reading = asyncio.Semaphore(4)
        self._read: OrderedDict[tuple[str, int, int], tuple[list[bytes], bool]] = OrderedDict()

    def begin(self, loop: asyncio.AbstractEventLoop, runtime: Runtime) -> None:
        self._runtime, self._feeds = runtime, Feeds(lambda: runtime.house)
        self._loop, self._closing = loop, False

    def end(self) -> None:
        """Every listener is let go; a server that stops does it first, because it waits for open requests."""
        self._closing = True
        for listener in self._listeners:
            listener.wake.set()

    @property
    def listeners(self) -> int:
        return len(self._listeners)

    # Hearing, in a writer's thread

    def heard(self, stream: str, entries: list[Entry]) -> None:
        """Called once entries are durable."""
        if self._loop is not None:
            self._feeds.note(stream, entries)
            self._wake()

    def heard_all(self) -> None:
        """Called after this server began to lead, or to follow."""
        if self._loop is not None:
            self._feeds.note_all()
            self._wake()

    def _wake(self) -> None:
        if not (self._due or self._closing or self._loop is None or self._loop.is_closed()):
            self._due = True
            with suppress(RuntimeError):  # the server has just stopped
                self._loop.call_soon_threadsafe(self._when_due)

    # Publishing

    def _when_due(self) -> None:
        assert self._loop is not None
        self._loop.call_at(max(self._loop.time(), self._published_at + PACE_S), self._publish)

    def _publish(self) -> None:
        assert self._loop is not None
        self._due = False
        if self._feeds.publish():
            self._published_at = self._loop.time()
            for listener in self._listeners:
                listener.wake.set()
        if self._feeds.gaps() and self._filling is None:
            self._filling = self._loop.create_task(self._fill())

    async def _fill(self) -> None:
        """Bulletins that this server was not told of, because another one had entered them."""
        try:
            for stream, gap in self._feeds.gaps().items():
                bulletins, cut = await self._missed(stream, *gap)
                self._feeds.fill(stream, gap, bulletins, cut=cut)
        except Exception:  # the store cannot be read at the moment; until it can, what stands there is not told
            await asyncio.sleep(AGAIN_S)
        finally:
            self._filling = None
            self._wake()

    async def _missed(self, stream: str, after: int, last: int) -> tuple[list[bytes], bool]:
        key = (stream, after, last)
        async with self._reading:
            if key not in self._read:
                self._read[key] = await run_in_threadpool(missed, self._runtime.reading, stream, after, last)
                if len(self._read) > MOST_KEPT:
                    self._read.popitem(last=False)
            return self._read[key]

    # Telling

    async def listen(
        self, hears: Hears, heard: str = "", *, source: str = "", holder: str = "", allowed: Allowed = always
    ) -> AsyncIterator[bytes]:
        """First nothing but a greeting, at once, or a refusal where there is no room. Then the state of every link with
        what was missed, then whatever is new, for as long as it is allowed."""
        with self.places.take(source, holder):
            listener = Listener(hears)
            self._listeners.add(listener)
            try:
                yield BEGIN
                yield await self._first(listener, heard)
                while True:
                    new = await _something_new(listener)
                    if self._closing or not await allowed():
                        return
                    event = self._since(listener) if new else STILL_HERE
                    if event:
                        yield event
            finally:
                self._listeners.discard(listener)

    def _since(self, listener: Listener) -> bytes:
        listener.wake.clear()
        event = self._feeds.since(listener.edition, listener.hears)
        listener.edition = self._feeds.edition
        return event

    async def _first(self, listener: Listener, last_id: str) -> bytes:
        heard = numbers_of(last_id)
        await self._catch_up(listener.hears, heard)
        opening = self._feeds.opening(listener.hears)
        listener.edition = opening.edition
        was_here = not heard.keys().isdisjoint(opening.numbers)
        # Somebody who was here before, with an id that says nothing here, may have missed anything.
        bulletins, left_out = list[bytes](), bool(last_id) and not was_here
        for stream, last in opening.numbers.items():
            # A link that did not exist when the listener left is all new to it; to one that comes first, nothing is.
            told = heard.get(stream, 0 if was_here and stream.startswith(LINK) else last)
            if told < last:
                try:
                    some, cut = await self._missed(stream, told, last)
                except CroupierError:
                    some, cut = [], True
                bulletins, left_out = bulletins + some, left_out or cut
        return opening.event(bulletins, left_out=left_out)

    async def _catch_up(self, hears: Hears, heard: dict[str, int]) -> None:
        """Another server may have told more than this one knows: it will in a moment."""
        for _ in range(round(BEHIND_S / PACE_S)):
            numbers = self._feeds.numbers(hears)
            if self._closing or all(heard.get(stream, 0) <= number for stream, number in numbers.items()):
                return
            await asyncio.sleep(PACE_S)


async def _something_new(listener: Listener) -> bool:
    """Whether something is, or nothing was for a while."""
    try:
        async with asyncio.timeout(KEEP_ALIVE_S):
            await listener.wake.wait()
    except TimeoutError:
        return False
    return True
