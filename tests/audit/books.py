"""Books for tests of the exported ledger: written without a store, and altered in every way."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from croupier.audit.export import export
from croupier.compliance.profile import Lawful
from croupier.floor.house import FloorLink, House
from croupier.floor.link.acts import Adjust, CallSupervisor, LinkAct, Reconfigure, TakeBackHand, VoidAward
from croupier.floor.link.link import Link
from croupier.floor.site.acts import DeclareBank, SetTable
from croupier.floor.site.notes import SiteAct
from croupier.floor.site.site import Site
from croupier.ledger.entry import Entry, Purpose
from croupier.ledger.rows import RawRow
from croupier.store.store import Row, Snapshot, Store
from support.room import (
    COLOR,
    EXECUTIVE,
    MANAGER,
    ONE_METER,
    OTHER_MANAGER,
    SUITED,
    SUPERVISOR,
    TWO,
    LinkBook,
    SiteBook,
    chosen_pin,
    founding,
)

MAIN = "link:main"
CARDS = {"max": "ab" * 32, "mia": "cd" * 32, "sue": "01" * 32, "eve": "02" * 32}
"""Hashes; ann deals without one."""
card_room = partial(founding, CARDS, title="Card Room", zone="UTC")
BEFORE = re.compile(rb'"before":"[0-9a-f]{64}"')


class Kept(Store):
    """Streams in memory, which may hold what no store would take."""

    def __init__(self, **books: Sequence[Entry]) -> None:
        self.books = {name.replace("_", ":"): [Row.of(entry) for entry in entries] for name, entries in books.items()}

    def rows(self, stream: str, after: int = 0, limit: int | None = None) -> Iterator[Row]:
        yield from self.books[stream][after:][:limit]

    def last(self, stream: str) -> Entry | None:
        return self.books[stream][-1].entry() if self.books[stream] else None

    def streams(self) -> list[str]:
        return list(self.books)

    def number_before(self, stream: str, at: str) -> int:
        return sum(row.at < at for row in self.books[stream])

    def append(self, stream: str, entries: Sequence[Entry], snapshot: Snapshot | None = None) -> None:
        raise NotImplementedError

    by_commands = save_snapshot = load_snapshot = append  # type: ignore[assignment]
    take_lease = release_lease = confirm = reconnect = settle = ends = whole = append  # type: ignore[assignment]

    def close(self) -> None:
        """Nothing is open."""


class HousedLink(FloorLink):
    """A link in its house, whose chain the store has just proved."""

    def handle(self, act: LinkAct, at: str) -> Entry:
        self.house.proved[self.name] = (self.book.entries, self.book.digest)
        return super().handle(act, at)


def housed(name: str = "main", site: Sequence[Entry] | None = None) -> HousedLink:
    return HousedLink(name, House(site=Site.of_entries(house_site() if site is None else site)))


def busy_floor(link: Link | None = None, *, agreeing: bool = False) -> LinkBook:
    """A day with something of everything; award 5 takes the whole meter, award 13 is voided, 15 is taken back."""
    floor = LinkBook(link=link, agreeing=agreeing)
    floor.start(1, 1, 4)  # 3
    floor.start(2, 2)
    first = floor.enter(1, 4, SUITED)  # 5
    floor.do(CallSupervisor, table=1)
    floor.confirm(first, EXECUTIVE)
    floor.enter(2, 2, TWO)
    floor.end(1)
    floor.end(2)
    floor.start(1, 1, 4)  # 11
    floor.start(2, 2, 3)
    voided = floor.enter(1, 1, COLOR)  # 13
    floor.do(VoidAward, award=voided, by=SUPERVISOR, reason="The wager was not lit.")
    floor.enter(2, 3, COLOR)  # 15
    floor.do(TakeBackHand, table=2, seat=3)
    last = floor.enter(2, 2, COLOR)  # 17
    floor.confirm(last, EXECUTIVE)
    floor.end(1)
    floor.end(2)
    for _ in range(6):
        floor.start(1, 1, 4)
        floor.start(2, 2)
        floor.end(1)
        floor.end(2)
    floor.close()
    correction: dict[str, Any] = {"level": "", "reason": Lawful.MALFUNCTION, "cents": 500, "award": last}
    correction |= {"source": Purpose.METER, "target": Purpose.HOUSE, "text": "A sensor lit by itself."}
    floor.do(Adjust, by=MANAGER, second=OTHER_MANAGER, **correction)
    changed = replace(ONE_METER, executive_threshold_cents=400_000)
    floor.do(Reconfigure, by=MANAGER, second=OTHER_MANAGER, setup=changed)
    return floor


def site_entries() -> list[Entry]:
    """A site with its two managers."""
    return _site(card_room((MANAGER, OTHER_MANAGER), ())).entries


def house_site(*agreeing: str, profile: str = "washington", then: Iterable[SiteAct] = ()) -> list[Entry]:
    """The site that `housed` stands in: everybody of `support.room`, the tables, and a bank that covers everything.

    Those who are named have chosen PINs before the tables were set, and agree with their keys from then on. `then` is
    done last: what else the profile wants before a link opens.
    """
    acts = list(card_room(profile=profile))
    tables = next(place for place, act in enumerate(acts) if isinstance(act, SetTable))
    book = _site(iter([*acts[:tables], *map(chosen_pin, agreeing), *acts[tables:]]))
    book.do(DeclareBank(id="bank", by=MANAGER.person, balance_cents=10**9, paid={}))
    for act in then:
        book.do(act)
    return book.entries


def _site(acts: Iterator[SiteAct]) -> SiteBook:
    return SiteBook(acts, at="2026-11-15T10:00:00.000000Z")


def raw(entries: Sequence[Entry]) -> list[RawRow]:
    return [(row.digest, row.body.encode()) for row in map(Row.of, entries)]


def written(path: Path, entries: Sequence[Entry]) -> Path:
    """An exported file of one link, whatever its entries are."""
    export(Kept(link_main=entries), [MAIN], path)
    return path


def resealed(entries: Sequence[Entry], place: int, change: Callable[[dict[str, Any]], None]) -> list[Entry]:
    """The book with one entry changed and every digest from there on made anew, as a clever cheat would."""
    before, made = entries[place - 2].digest if place > 1 else "0" * 64, list(entries[: place - 1])
    for entry in entries[place - 1 :]:
        values = json.loads(json.dumps(entry.as_json()))
        if entry.number == place:
            change(values)
        values["before"] = before
        made.append(Entry.of_json(values).sealed())
        before = made[-1].digest
    return made


def rechained(bodies: Sequence[bytes]) -> list[RawRow]:
    """Rows of any text, each named by the one after it and sealed as it is."""
    before, made = b"0" * 64, list[RawRow]()
    for body in bodies:
        text = BEFORE.sub(b'"before":"' + before + b'"', body, count=1)
        made.append((sha256(text).hexdigest(), text))
        before = made[-1][0].encode()
    return made


def ledger_file(path: Path, books: Mapping[str, Sequence[RawRow]], configuration: str = "", **header: Any) -> Path:
    """A file of any rows, with a header and endings that fit, unless others are given."""
    first = {"format": "croupier-ledger", "version": 1, "streams": list(books), "keys": [], "checkpoints": 0, **header}
    lines = [json.dumps(first).encode()]
    for stream, rows in books.items():
        lines.append(json.dumps({"stream": stream}).encode())
        lines += [b'{"digest":"%s","row":%s}' % (digest.encode(), body) for digest, body in rows]
        last = rows[-1][0] if rows else "0" * 64
        ending = {"end": stream, "entries": len(rows), "digest": last}
        conf = configuration if stream.startswith("link:") else ""
        lines.append(json.dumps({**ending, "configuration": conf}).encode())
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path
