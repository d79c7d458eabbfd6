"""The close of a gaming day on a running floor, on both stores: from the books, once, and the same ever after."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from croupier.audit.export import chosen_streams, export, open_existing
from croupier.audit.verify import verify
from croupier.errors import Refusal
from croupier.floor.link import acts
from croupier.floor.refusals import No
from croupier.floor.site.acts import CloseDay, ReadMeter
from croupier.ledger.entry import Entry
from croupier.reports.books import Books
from croupier.reports.close import day_close, day_figures
from croupier.reports.period import Period, gaming_days
from support.postgres import new_floor
from support.room import DEALER, EXECUTIVE, PLENTY, SUITED, Room

DAY = gaming_days(date(2026, 10, 1))
NEXT = gaming_days(date(2026, 10, 2))


@pytest.fixture(params=["sqlite", "postgresql"])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Room]:
    """A link that has been played on, and a jackpot of it paid."""
    house = Room(f"sqlite:///{tmp_path}/floor.db" if request.param == "sqlite" else new_floor())
    house.found()
    house.make()
    house.declare(PLENTY)
    house.do(acts.OpenLink, by=EXECUTIVE)
    house.start(1, 1, 2, 4)
    award = house.award(SUITED, 2)
    house.do(acts.Confirm, by=EXECUTIVE, award=award)
    house.do(acts.EndGame, by=DEALER, table=1)
    yield house
    house.floor.close()


def read(house: Room, cents: int, **values: Any) -> Entry:
    given = {"by": "sue", "day": str(DAY.first), "link": "main", "level": "", "display": "table 1", **values}
    return house.site(ReadMeter, read_cents=cents, **given)


def close(house: Room, period: Period = DAY, **values: Any) -> Entry:
    house.floor.settle()
    with open_existing(house.url) as store:
        links = day_figures(Books(store), period)
    return house.site(CloseDay, by="eve", day=str(period.first), links=links, **values)


def test_a_reading_is_held_against_the_meter_of_that_moment(house: Room) -> None:
    shown = house.floor.links["main"].shown_cents[""]
    right = read(house, shown)
    house.start(2, 1)
    late = read(house, shown, display="table 2")  # the meter has moved on meanwhile, and the reading is wrong now
    assert (right.facts["difference_cents"], late.facts["difference_cents"]) == (0, -115)
    assert right.facts["book"]["digest"] != late.facts["book"]["digest"]
    with pytest.raises(Refusal) as refused:
        read(house, 5, level="Mega")
    assert refused.value.code == No.NO_SUCH_METER


def test_a_reading_sent_again_is_answered_with_the_first(house: Room) -> None:
    first = read(house, 5, id="again")
    house.start(2, 1)
    assert read(house, 5, id="again") == first
    assert len(house.floor.site.days.readings) == 1


def test_the_close_is_from_the_books_and_later_play_does_not_change_it(house: Room, tmp_path: Path) -> None:
    shown = house.floor.links["main"].shown_cents[""]
    read(house, shown)
    ended = house.floor.links["main"]
    house.clock.day = 2
    house.start(2, 1, 2)
    entry = close(house)
    figures = entry.facts["links"]["main"]
    assert (figures["entries"], figures["digest"]) == (ended.entries, ended.digest)
    [level] = figures["levels"]
    assert (level["closing_units"] // 10**6, level["difference_units"], entry.facts["agrees"]) == (shown, 0, True)
    # 3 wagers of $1.15; the meter was won, and began again with the seed and the reserve of 3 × $0.05
    assert (level["opening_units"], level["contributions_units"]) == (0, 345 * 10**6)
    assert (level["seed_units"], level["reserve_units"]) == (2_000_000 * 10**6, 15 * 10**6)
    assert level["awards_units"] == -1_000_345 * 10**6

    with open_existing(house.url) as store:
        before = day_close(Books(store), DAY, "2026-10-03T00:00:00Z")
    house.do(acts.EndGame, by=DEALER, table=2)
    house.start(2, 1, 2)
    read(house, 5, day=str(NEXT.first))
    with open_existing(house.url) as store:
        after = day_close(Books(store), DAY, "2026-10-03T00:00:00Z")
        open_day = day_close(Books(store), NEXT, "2026-10-03T00:00:00Z")
    assert before.as_json() == after.as_json()
    assert after.pdf() == before.pdf()
    assert (after.agrees, after.altered, after.closed and after.closed.entry) == (True, False, entry.number)
    assert (open_day.closed, [row.verdict for row in open_day.rows]) == (None, ["DIFFERS"])

    with pytest.raises(Refusal) as refused:
        close(house)
    assert refused.value.code == No.DAY_CLOSED
    with open_existing(house.url) as store:
        export(store, chosen_streams(store, None), tmp_path / "ledger.jsonl.gz")
    report = verify(tmp_path / "ledger.jsonl.gz")
    assert report.right, report.wrong


def test_a_close_survives_the_end_of_the_process(house: Room) -> None:
    read(house, 5)
    house.clock.day = 2
    entry = close(house, id="the close")
    house.reopen()
    assert house.floor.site.days.closed == {str(DAY.first): entry.number}
    assert house.site(CloseDay, by="eve", day=str(DAY.first), id="the close") == entry


def test_a_day_keeps_its_hours_when_the_clock_of_the_house_is_set(house: Room) -> None:
    """A closed day is told by the clock that it was closed under."""
    from croupier.floor.site.acts import SetClock

    house.clock.day = 2
    entry = close(house)
    house.site(SetClock, second="mia", zone="Asia/Macau", day_begins=3)
    with open_existing(house.url) as store:
        books = Books(store)
        zone, hour = books.clock()
        report = day_close(books, gaming_days(date(2026, 10, 1), zone=zone, begins_h=hour), "2026-10-03T00:00:00Z")
    assert (report.altered, report.heading.period) == (False, DAY)
    assert entry.facts["not_read"] == [["main", ""]]
    assert not report.agrees


def test_no_play_is_left_in_a_day_that_nobody_can_close(house: Room) -> None:
    """Another hour at which the day begins would put what is played now into the day that was closed."""
    from croupier.floor.site.acts import SetClock

    house.clock.day = 2
    close(house)
    zone, before = house.floor.site.zone, house.floor.site.book.entries
    with pytest.raises(Refusal) as caught:
        house.site(SetClock, second="mia", zone=zone, day_begins=23)
    assert caught.value.code == No.STRANDS_PLAY
    assert f"into the gaming day {DAY.first}, which is closed" in str(caught.value)
    assert "set the clock after 23:00, before the first game" in str(caught.value)
    assert house.floor.site.book.entries == before


def test_the_first_day_can_be_closed_after_the_clock_was_set(house: Room) -> None:
    """The site was created at an hour that lies in the day before by the new clock: that one can be closed too."""
    from croupier.floor.site.acts import SetClock

    first = house.floor.site.days.first
    house.site(SetClock, second="mia", zone=house.floor.site.zone, day_begins=23)
    days = house.floor.site.days
    assert days.first == str(date.fromisoformat(first) - timedelta(days=1))
    house.clock.day = 3
    house.site(CloseDay, by="eve", day=days.first)


def test_no_play_counts_in_two_gaming_days(house: Room) -> None:
    """By a clock whose day begins before the closed one has ended, the day after it would have its play again."""
    from croupier.floor.site.acts import SetClock

    house.clock.day = 2
    close(house)
    before = house.floor.site.book.entries
    with pytest.raises(Refusal) as caught:
        house.site(SetClock, second="mia", zone="Pacific/Auckland", day_begins=3)
    assert caught.value.code == No.COUNTS_TWICE
    assert "the gaming day 2026-10-02 would begin at 2026-10-01 07:00:00" in str(caught.value)
    assert "until 2026-10-02 06:00:00 stands in the gaming day 2026-10-01, which is closed" in str(caught.value)
    assert house.floor.site.book.entries == before
    house.site(
        SetClock, second="mia", zone="Pacific/Auckland", day_begins=2
    )  # by it a day begins where the closed ended
    assert house.floor.site.day_begins == 2
