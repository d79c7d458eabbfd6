"""The same books say the same from either store, to the byte; and value on its way between two links is covered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.floor.link import acts
from croupier.reports.adjustments import adjustment_note, adjustments
from croupier.reports.awards import awards
from croupier.reports.bank_cover import bank_cover
from croupier.reports.books import Books
from croupier.reports.catalogue import REPORTS
from croupier.reports.close import day_close
from croupier.reports.period import Period, gaming_days
from croupier.reports.sheet import Report
from croupier.reports.win_page import win_page
from croupier.store.store import Store, open_store
from support.postgres import new_floor
from support.room import EXECUTIVE, MANAGER, ONE_METER, PLENTY, Room, table
from tests.reports.conftest import RoomBooks
from tests.reports.support import DAYS, MADE_AT

PERIODS = (gaming_days(DAYS[1]), Period())


@pytest.fixture(scope="module")
def server(room: RoomBooks) -> Iterator[Store]:
    """The room's books on PostgreSQL."""
    with open_store(new_floor()) as store:
        for stream in room.store.streams():
            store.append(stream, list(room.store.entries(stream)))
        yield store


def made(store: Store) -> Iterator[Report]:
    for period in PERIODS:
        for make in REPORTS.values():
            yield make(Books(store), period, MADE_AT)
        yield day_close(Books(store), period, MADE_AT)
    award = next(row.award for row in awards(Books(store, "main"), Period(), MADE_AT).rows if row.status == "confirmed")
    yield win_page(Books(store, "main"), award, Period(), MADE_AT)
    entry = adjustments(Books(store, "main"), Period(), MADE_AT).rows[0].entry
    yield adjustment_note(Books(store, "main"), entry, Period(), MADE_AT)


def test_every_report_has_the_same_bytes_from_both_stores(room: RoomBooks, server: Store) -> None:
    pages = 0
    for ours, theirs in zip(made(room.store), made(server), strict=True):
        assert (ours.as_json(), ours.csv()) == (theirs.as_json(), theirs.csv())
        assert ours.page() == theirs.page()
        if len(ours.rows) < 50:  # a long one takes its time to print
            assert ours.pdf() == theirs.pdf()
            pages += 1
    assert pages > 10


def test_what_a_retired_link_gave_up_is_owed_until_it_is_received(tmp_path: Path) -> None:
    house = Room(f"sqlite:///{tmp_path}/floor.db")
    house.found()
    house.set_table(9, "Royal Match")
    house.make()
    house.make(replace(ONE_METER, tables=(table(9, "Royal Match"),)), "next")
    house.declare(PLENTY)
    owed = [house.floor.cover().owed_cents]
    house.do(acts.Retire, by=MANAGER, second=EXECUTIVE, to="next")
    house.declare(PLENTY)
    owed.append(house.floor.cover().owed_cents)
    entry = house.floor.retirement("main").as_json()
    house.do(acts.Receive, "next", by=MANAGER, second=EXECUTIVE, source="main", entry=entry, levels={"": ""})
    house.declare(PLENTY)
    owed.append(house.floor.cover().owed_cents)
    house.floor.close()
    with open_store(house.url) as store:
        rows = [
            row for row in bank_cover(Books(store), Period(), "2026-10-02T00:00:00Z").rows if row.event == "declared"
        ]
    assert [row.owed_cents for row in rows] == owed
    assert [row.carried_units for row in rows] == [0, 1_000_000 * 10**6, 0]
    assert len({row.owed_cents for row in rows}) == 1
