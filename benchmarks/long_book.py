"""A site whose link has a million entries in its book, on SQLite and on PostgreSQL: made once in a run of benchmarks.

The tail after the last snapshot is as long as tails get: as a server leaves it that is killed just before it would have
written the next one.
"""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path

from benchmarks.measure import steps
from benchmarks.room import Room, make_room
from croupier.floor.link.acts import EndGame, LinkAct, StartGame
from croupier.floor.link.link import Link
from croupier.floor.writer import SNAPSHOT_EVERY
from croupier.ledger.entry import Entry
from croupier.store.store import Snapshot, Store, open_store
from support.postgres import new_floor
from support.room import DEALER, LINK, ONE_METER, opening_acts, with_tables

STREAM = f"link:{LINK}"
ROWS = 1_000_000


@cache
def long_books() -> dict[str, Room]:
    """By the kind of store. They go when the process ends."""
    folder = Path(_kept().name)
    urls = {"SQLite": f"sqlite:///{folder}/floor.db", "PostgreSQL": new_floor()}
    rooms = {kind: make_room(db, folder, linked=False) for kind, db in urls.items()}
    with ExitStack() as open_:
        _fill([open_.enter_context(open_store(db)) for db in urls.values()])
    return rooms


@cache
def _kept() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="croupier-books-")


def _fill(stores: Sequence[Store]) -> None:
    """The rules take most of the time, so that every store is given the same entries."""
    link = Link(LINK)
    made = past(link)
    for last in steps("filling the books", range(SNAPSHOT_EVERY, ROWS + 1, SNAPSHOT_EVERY)):
        entries = list(itertools.islice(made, SNAPSHOT_EVERY))
        snapshot = Snapshot(last, entries[-1].digest, link.snapshot()) if last < ROWS else None
        for store in stores:
            store.append(STREAM, entries, snapshot)


def past(link: Link) -> Iterator[Entry]:
    """A table that plays for ever."""
    for act in opening_acts(with_tables(ONE_METER, 1)):
        yield done(link, act, "2026-01-01T00:00:00.000000Z")
    for count in itertools.count():
        at = f"2026-01-{1 + count // 20_000:02d}T{count // 1_000 % 20:02d}:00:00.000000Z"
        yield done(link, StartGame(id=f"s{count}", by=DEALER, table=1, lit=(1, 4, 7), based=(1, 4, 7)), at)
        yield done(link, EndGame(id=f"e{count}", by=DEALER, table=1), at)


def done(link: Link, act: LinkAct, at: str) -> Entry:
    entry = link.handle(act, at)
    link.apply(entry)
    return entry
