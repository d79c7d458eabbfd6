"""A server that does not lead: it reads along in every book and keeps the house as those books last said.

It can show everything and tell every listener, within some hundredths of a second of the leader. It decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING

from croupier.errors import CroupierError, RecordError
from croupier.floor.aggregate import NotWritten, Origin, decided_again, readable, restore
from croupier.floor.floor import LINK, Listener
from croupier.floor.house import House
from croupier.floor.link.brief import LinkBrief
from croupier.floor.link.link import Link
from croupier.floor.selfcheck import recheck_in_house
from croupier.floor.site.site import Site, recheck_site
from croupier.ledger.entry import SITE, Entry
from croupier.store.marks import Marks
from croupier.store.store import Store
from croupier.web.cluster.leader import Leader, Leadership

if TYPE_CHECKING:
    from croupier.store.postgres.follow import Tail

POLL_S = 0.25
"""How long it sleeps when nobody tells it anything: the leader may have died."""
NAMES_EVERY_S = 0.2
"""How often it looks for books that are new."""
CLOSED_AGAIN_S = 10.0
"""How often it looks again at a link that is kept closed, where nothing has changed: it may be long."""
AGAIN_S = 0.5
"""Before the store is tried again."""


class Follower:
    """Keeps a house up to date in a thread of its own; `stop` ends it."""

    def __init__(
        self, url: str, store: Store, leadership: Leadership, listener: Listener, *, secret: bytes, marks: Marks
    ) -> None:
        self.house = House()
        self.leader = Leader()
        """Where the leader is, as far as it is known."""
        self.led = True
        """Whether anybody holds the books, as far as is known."""
        self.trouble = ""
        """Why the books cannot be read just now."""
        self._url, self._store, self._leadership, self._listener = url, store, leadership, listener
        self._secret, self._marks = secret, marks
        self._books: dict[str, Link | Site] = {}
        self._names_due, self._more = 0.0, False
        self._closed: dict[str, tuple[tuple[str, int | None, int], float]] = {}
        """By link that is kept closed: how its book, its mark and the site's book stood, and when to look again."""
        self._closing = Event()
        self._tail: Tail | None = None
        self._thread = Thread(target=self._run, name="follower", daemon=True)

    def start(self) -> None:
        """Read everything once, then follow."""
        self._guarded(self._look)
        self._thread.start()

    def stop(self) -> None:
        self._closing.set()
        self._thread.join()
        self._drop_tail()

    def reached(self, stream: str, number: int) -> bool:
        """Whether a book was read up to an entry."""
        return stream in self._books and self._books[stream].book.entries >= number

    # In the thread

    def _run(self) -> None:
        while not self._closing.is_set():
            if self._guarded(self._wait) and self._guarded(self._look):
                continue
            self._closing.wait(AGAIN_S)

    def _guarded(self, do: Callable[[], None]) -> bool:
        """What goes wrong is told by `trouble`, and everything is read anew: a copy is worth nothing but the truth."""
        try:
            do()
        except Exception as error:
            known = isinstance(error, CroupierError)
            self.trouble = str(error) if known else f"An error of the program: {error!r}."
            self._books.clear()
            self._closed.clear()
            self._names_due = 0.0
            self._drop_tail()
            return False
        self.trouble = ""
        return True

    def _wait(self) -> None:
        if self._tail is not None and not self._more:
            self._tail.wait(POLL_S)

    def _look(self) -> None:
        """Read what is new, and who leads."""
        from croupier.store.postgres.follow import MOST_AT_ONCE, Tail

        if self._tail is None:
            self._tail = Tail(self._url)
        new = self._tail.after({stream: state.book.entries for stream, state in self._books.items()})
        for stream in sorted(new, key=_the_site_first):
            self._add(stream, new[stream])
        self._more = any(len(entries) == MOST_AT_ONCE for entries in new.values())
        if monotonic() >= self._names_due:
            self._open_new()
            self._names_due = monotonic() + NAMES_EVERY_S
        self.led = self._tail.led()
        self.leader = self._leadership.leader()
        if self.led:  # the books stand by the marks of whoever leads: that this server began without any hides nothing
            self._marks.were_said()

    def _open_new(self) -> None:
        for stream in sorted({SITE, *self._store.streams()} - set(self._books), key=_the_site_first):
            known = self._marks.acknowledged(stream)
            if stream == SITE:
                site = Origin(Site, Site.of_snapshot, _never, rebuilt=True, check=recheck_site)
                self._books[SITE] = restore(self._store, SITE, site, acknowledged=known)[0]
            elif stream.startswith(LINK):
                name = stream.removeprefix(LINK)
                stood = self._last_digest(stream), known, self._books[SITE].book.entries
                before, due = self._closed.get(name, (None, 0.0))
                if stood == before and monotonic() < due:
                    continue
                origin = Origin(partial(Link, name), Link.of_snapshot, _never, check=self._recheck)
                try:
                    state, _ = restore(self._store, stream, origin, secret=self._secret, acknowledged=known)
                    self._books[stream] = state
                except RecordError as error:  # the leader keeps it closed too
                    if name not in self.house.damaged:
                        limit = error.after if isinstance(error, NotWritten) else None
                        self.house.keep_closed(readable(self._store, stream, origin, limit).state, str(error))
                        self._listener(stream, [])
                    self._closed[name] = stood, monotonic() + CLOSED_AGAIN_S
                    continue
                self.house.damaged.pop(name, None)
                self._closed.pop(name, None)
            else:
                continue
            self._show(stream, [])

    def _last_digest(self, stream: str) -> str:
        try:
            last = self._store.last(stream)
        except RecordError:
            last = None
        return last.digest if last is not None else ""

    def _add(self, stream: str, entries: list[Entry]) -> None:
        """Each is decided again: what is read here counts as acknowledged, and whoever leads next goes on from it."""
        state = self._books[stream]
        for entry in entries:
            decided_again(stream, self._recheck, state, entry)
            state.apply(entry)
        self._show(stream, entries)

    def _recheck(self, state: Link | Site, entry: Entry) -> None:
        if isinstance(state, Site):
            recheck_site(state, entry)
        else:
            recheck_in_house(self.house, state, entry)

    def _show(self, stream: str, entries: list[Entry]) -> None:
        """The copy that others see is replaced as a whole, then those who listen are told."""
        state = self._books[stream]
        if state.book.entries:  # what was read here counts: no server of this site begins before it
            self._marks.keep(stream, state.book.entries, state.book.digest)
        if isinstance(state, Site):
            self.house.site = Site.of_snapshot(state.snapshot())
        else:
            self.house.links[state.name] = LinkBrief.of(state.state)
        self._listener(stream, entries)

    def _drop_tail(self) -> None:
        if self._tail is not None:
            self._tail.close()
            self._tail = None


def _the_site_first(stream: str) -> bool:
    """It says with which keys people agree to what the others have."""
    return stream != SITE


def _never(_: object, __: Entry) -> bool:
    raise AssertionError("whoever follows does not answer acts")
