"""What every listener hears of the floor, made once for all of them.

The books tell of every commit, in their writers' threads; that is only noted here. `publish` makes the next edition of
it: the newest state of each link that changed, and the bulletins since the edition before. However many listen and
however fast wagers come, a link's state is turned into JSON once for an edition. Whoever missed editions is told the
newest state, and the bulletins that are still kept; a listener is nothing but the number of the edition it has heard.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any
from urllib.parse import quote, unquote

import msgspec

from croupier.floor.floor import LINK
from croupier.floor.house import House
from croupier.floor.link.brief import LinkBrief
from croupier.ledger.entry import SITE, Entry
from croupier.store.store import Row, Store
from croupier.web.floor.views import link_json

# Bulletins: what happened on the floor, short, for whoever shows it; and how far somebody has heard, as an event's id.
#
# There is none of a wager: a listener sees it in the state, and only the newest meter is true. An award has one, and
# who was away when it was entered hears of it when they come back.

TOLD = frozenset(
    {"enter", "pay", "unpay", "take-back", "void", "call", "take-call", "confirm", "reopen", "adjust", "back-out"}
    | {"make", "open", "close", "reconfigure", "retire", "receive"}
)
"""Kinds of a link's entries that bulletins tell."""
SITE_TOLD = {
    **{
        "create-site": "site",
        "rename-site": "site",
        "choose-profile": "site",
        "set-clock": "site",
        "accept-time": "site",
    },
    **{"set-table": "tables", "remove-table": "tables"},
    **{"enrol-person": "people", "change-role": "people", "replace-card": "people", "revoke-card": "people"},
    **{"enrol-device": "devices", "revoke-device": "devices"},
    **{"declare-bank": "bank", "deposit": "bank", "close-day": "day", "note-backup": "backup"},
    **{"reconcile": "bank", "plan-removal": "site"},
    "set-sign-in": "people",
    **{"enter-approval": "approvals", "withdraw-approval": "approvals"},
    **{"record-paper": "approvals", "withdraw-paper": "approvals", "open-table": "tables", "close-table": "tables"},
}
"""Kinds of the site's entries, and what a listener should look at again."""
FACTS = ("table", "seat", "line", "level", "cents", "award", "round", "seats", "alarm", "shown_cents")
MOST_BULLETINS = 100
"""In one event; older ones are left out, and the event says so."""
LOOK_BACK = 2_000
"""Entries of one book that are looked through for somebody who comes back."""
LONGEST_ID = 4_000


def is_told(stream: str, kind: str) -> bool:
    return kind in TOLD if stream.startswith(LINK) else kind in SITE_TOLD


def bulletin(stream: str, entry: Entry) -> dict[str, Any]:
    """What happened, without names of people: displays show it to everybody."""
    when = {"number": entry.number, "at": entry.at}
    if not stream.startswith(LINK):
        return {"link": None, **when, "kind": "site", "changed": SITE_TOLD[entry.kind]}
    facts = {name: entry.facts[name] for name in FACTS if name in entry.facts}
    return {"link": stream.removeprefix(LINK), **when, "kind": entry.kind, **facts}


def bulletins(stream: str, entries: Iterable[Entry]) -> list[bytes]:
    """As JSON, made once for all who hear it."""
    return [msgspec.json.encode(bulletin(stream, entry)) for entry in entries if is_told(stream, entry.kind)]


def missed(store: Store, stream: str, after: int, last: int) -> tuple[list[bytes], bool]:
    """The bulletins after one entry and up to another, from the store; and whether some lie too far back."""
    begin = max(after, last - LOOK_BACK)
    rows: Iterable[Row] = store.rows(stream, after=begin, limit=last - begin)
    rows_told = deque((row for row in rows if is_told(stream, row.kind)), maxlen=MOST_BULLETINS + 1)
    cut = begin > after or len(rows_told) > MOST_BULLETINS
    return bulletins(stream, (row.entry() for row in list(rows_told)[-MOST_BULLETINS:])), cut


# How far somebody has heard

_PART = re.compile(r"([^=,\s]{1,400})=(\d{1,15})", re.ASCII)


def id_of(numbers: Mapping[str, int]) -> str:
    """By book, as `main=17,site=9`; the site's has no colon, so no link is called like it."""
    return ",".join(f"{_name(stream)}={number}" for stream, number in numbers.items())


def numbers_of(text: str) -> dict[str, int]:
    """What an id says; anything else, and one that is too long, says nothing."""
    numbers = {}
    for part in text.split(",") if len(text) <= LONGEST_ID else ():
        match = _PART.fullmatch(part.strip())
        if match:
            numbers[_stream(match[1])] = int(match[2])
    return numbers


def _name(stream: str) -> str:
    if stream == SITE:
        return SITE
    name = quote(stream.removeprefix(LINK), safe="")
    return f":{name}" if name == SITE else name


def _stream(name: str) -> str:
    if name == SITE:
        return SITE
    return LINK + unquote(name.removeprefix(":"))


KEPT_BULLETINS = 500
MOST_FRAMES = 32
"""Different events kept of one edition: most listeners have heard the one before it."""
Hears = frozenset[str] | None
"""Which links somebody hears; all of them where nothing is said."""


@dataclass
class BookProgress:
    """One book, as far as it was noted and as far as it was told."""

    noted: int
    """The last entry that is known."""
    told: int
    """The last entry of the latest edition that tells of the book."""
    brief: LinkBrief | None = None
    """A link as it stands after `noted`."""
    waiting: list[bytes] = field(default_factory=list)
    """Bulletins that no edition has told."""
    overran: bool = False
    """Whether so many were waiting that the oldest were left out."""
    gap: tuple[int, int] | None = None
    """After which entry and up to which the bulletins must be read in the store, before anything is told."""
    stale: bool = False
    """Whether the house was somebody else's when it was asked; `note_all` follows."""
    changed: bool = False
    edition: int = 0
    told_brief: LinkBrief | None = None
    state: bytes = b""
    """Its JSON, once somebody has wanted it."""

    def keep(self, bulletins: list[bytes]) -> None:
        self.waiting += bulletins
        if len(self.waiting) > MOST_BULLETINS:
            self.overran, self.waiting = True, self.waiting[-MOST_BULLETINS:]


class Feeds:
    """All books and the latest edition. Noting may be done by any thread, everything else by one."""

    def __init__(self, house: Callable[[], House]) -> None:
        self.edition = 0
        self._house = house
        self._lock = Lock()
        self._books: dict[str, BookProgress] = {}
        self._recent: deque[tuple[int, str, bytes]] = deque()
        """Bulletins by edition and book."""
        self._dropped = 0
        """The last edition of which bulletins are not kept any more."""
        self._frames: dict[tuple[Hears, int], bytes] = {}

    # Noting, in a writer's thread

    def note(self, stream: str, entries: list[Entry]) -> None:
        """Entries that are durable. None are named after a book was read again: then the house says how far it is."""
        with self._lock:
            now, brief = self._stands(stream)
            if not (now or entries):
                return
            if stream not in self._books:
                known = entries[0].number - 1 if entries else now
                self._books[stream] = BookProgress(known, known)
            book = self._books[stream]
            new = [entry for entry in entries if entry.number > book.noted]
            last = new[-1].number if new else now
            if now != last:
                book.stale = True
            elif last > book.noted or book.stale or not (book.edition or book.changed):
                self._add(stream, book, new, last, brief)

    def _add(self, stream: str, book: BookProgress, new: list[Entry], last: int, brief: LinkBrief | None) -> None:
        begin = new[0].number - 1 if new else last
        if begin > book.noted:
            book.gap, book.waiting = (book.told, begin), []
        book.keep(bulletins(stream, new))
        book.noted, book.brief, book.stale, book.changed = last, brief, False, True

    def _stands(self, stream: str) -> tuple[int, LinkBrief | None]:
        house = self._house()
        if stream == SITE:
            return house.site.book.entries, None
        brief = house.links.get(stream.removeprefix(LINK))
        return (brief.entries if brief else 0), brief

    def note_all(self) -> None:
        """After somebody else began to write the books, or to read them."""
        for stream in (SITE, *(LINK + name for name in list(self._house().links))):
            self.note(stream, [])

    # Books that were missed in part

    def gaps(self) -> dict[str, tuple[int, int]]:
        """By book: after which entry and up to which its bulletins are to be read in the store."""
        with self._lock:
            return {stream: book.gap for stream, book in self._books.items() if book.gap}

    def fill(self, stream: str, gap: tuple[int, int], bulletins: list[bytes], *, cut: bool) -> None:
        """The bulletins that were missed, as the store has them."""
        with self._lock:
            book = self._books[stream]
            if book.gap == gap:
                later, book.gap, book.waiting = book.waiting, None, []
                book.overran = book.overran or cut
                book.keep(bulletins + later)

    # Publishing, in the server's own thread

    def publish(self) -> bool:
        """The next edition, where something is new."""
        with self._lock:
            due = [(stream, book) for stream, book in self._books.items() if book.changed and not book.gap]
            if not due:
                return False
            self.edition += 1
            self._frames.clear()
            for stream, book in due:
                self._take(stream, book)
        while len(self._recent) > KEPT_BULLETINS:
            self._dropped = self._recent.popleft()[0]
        return True

    def _take(self, stream: str, book: BookProgress) -> None:
        self._recent += ((self.edition, stream, bulletin) for bulletin in book.waiting)
        if book.overran:
            self._dropped = self.edition
        book.told, book.edition, book.told_brief, book.state = book.noted, self.edition, book.brief, b""
        book.waiting, book.overran, book.changed = [], False, False

    # Telling

    def numbers(self, hears: Hears) -> dict[str, int]:
        """How far each book was told."""
        return {
            stream: book.told for stream, book in list(self._books.items()) if book.edition and _hears(hears, stream)
        }

    def since(self, edition: int, hears: Hears) -> bytes:
        """The event for somebody who has heard an edition; nothing where nothing is new for them."""
        key = (hears, edition)
        if key not in self._frames:
            frame = self._since(edition, hears)
            if len(self._frames) >= MOST_FRAMES:
                return frame
            self._frames[key] = frame
        return self._frames[key]

    def _since(self, edition: int, hears: Hears) -> bytes:
        states = self._states(edition, hears)
        told = [bulletin for when, stream, bulletin in self._recent if when > edition and _hears(hears, stream)]
        if not (states or told):
            return b""
        left_out = edition < self._dropped or len(told) > MOST_BULLETINS
        return frame(self.numbers(hears), states, told[-MOST_BULLETINS:], left_out=left_out)

    def opening(self, hears: Hears) -> Opening:
        """What somebody hears first who has just come, or come back."""
        return Opening(self.edition, self.numbers(hears), self._states(0, hears))

    def _states(self, edition: int, hears: Hears) -> list[bytes]:
        return [
            self._state(book)
            for stream, book in list(self._books.items())
            if book.edition > edition and book.told_brief is not None and _hears(hears, stream)
        ]

    def _state(self, book: BookProgress) -> bytes:
        if not book.state and book.told_brief is not None:
            book.state = msgspec.json.encode(link_json(book.told_brief))
        return book.state


@dataclass(frozen=True)
class Opening:
    """Every link as of an edition."""

    edition: int
    numbers: dict[str, int]
    states: list[bytes]

    def event(self, missed: list[bytes], *, left_out: bool) -> bytes:
        """With the bulletins that were missed."""
        told = missed[-MOST_BULLETINS:]
        return frame(self.numbers, self.states, told, left_out=left_out or len(missed) > MOST_BULLETINS)


def frame(numbers: dict[str, int], states: list[bytes], told: list[bytes], *, left_out: bool) -> bytes:
    """One server-sent event."""
    return b"".join(
        (
            *(b"id: ", id_of(numbers).encode(), b'\nevent: floor\ndata: {"links":['),
            *(b",".join(states), b'],"moments":[', b",".join(told)),
            *(b'],"left_out":', b"true" if left_out else b"false", b"}\n\n"),
        )
    )


def _hears(hears: Hears, stream: str) -> bool:
    """Whoever hears one link hears of the site too."""
    return hears is None or stream == SITE or stream.removeprefix(LINK) in hears
