"""Books for tests of the exported ledger: written without a store, and altered in every way."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from croupier.progressive.acts import Adjust, CallSupervisor, Reconfigure, TakeBackHand, VoidAward
from croupier.progressive.authority import CardHash, Role
from croupier.progressive.export import RawRow, export
from croupier.progressive.ledger import Entry, Purpose
from croupier.progressive.profile import Lawful
from croupier.progressive.site import Site
from croupier.progressive.site_acts import CreateSite, EnrolPerson, SiteAct
from croupier.progressive.store import Row, Snapshot, Store
from tests.progressive.link_support import (
    COLOR,
    EXECUTIVE,
    MANAGER,
    ONE_METER,
    OTHER_MANAGER,
    SUITED,
    SUPERVISOR,
    TWO,
    Floor,
)

MAIN = "link:main"
CARD = CardHash("ab" * 32)


class Kept(Store):
    """Streams in memory, which may hold what no store would take."""

    def __init__(self, **books: Sequence[Entry]) -> None:
        self.books = {name.replace("_", ":"): [Row.of(entry) for entry in entries] for name, entries in books.items()}

    def rows(self, stream: str, after: int = 0, limit: int | None = None) -> Iterator[Row]:
        yield from self.books[stream][after:][:limit]

    def streams(self) -> list[str]:
        return list(self.books)

    def append(self, stream: str, entries: Sequence[Entry], snapshot: Snapshot | None = None) -> None:
        raise NotImplementedError

    last = number_before = by_commands = save_snapshot = load_snapshot = append  # type: ignore[assignment]
    take_lease = release_lease = confirm = reconnect = settle = append  # type: ignore[assignment]

    def close(self) -> None:
        """Nothing is open."""


def busy_floor() -> Floor:
    """A day with something of everything; award 5 takes the whole meter, award 13 is voided, 15 is taken back."""
    floor = Floor()
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
    site, made = Site(), []
    acts: list[SiteAct] = [
        CreateSite(id="s1", by="max", title="Card Room", profile="washington", name="Max", card=CARD, zone="UTC"),
        EnrolPerson(id="s2", by="max", person="mia", name="Mia", role=Role.MANAGER, card=CardHash("cd" * 32)),
    ]
    for act in acts:
        made.append(site.handle(act, "2026-11-15T10:00:00.000000Z"))
        site.apply(made[-1])
    return made


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
