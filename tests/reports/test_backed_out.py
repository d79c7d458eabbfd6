"""Reports are net of what was backed out, also where that was on a later day than the card."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.floor.link.acts import BackOut, Confirm, EndGame, EnterHand, LinkAct, StartGame, TakeBackHand, VoidAward
from croupier.reports.accrual import accrual
from croupier.reports.awards import Awards, awards, last_awards
from croupier.reports.balance import meter_balance
from croupier.reports.books import Books
from croupier.reports.hold import hold
from croupier.reports.period import Period, read_period
from support.room import COLOR, DEALER, EXECUTIVE, MANAGER, SUITED, SUPERVISOR, LinkBook
from tests.audit.books import Kept

MADE = "2026-11-18T12:00:00.000000Z"
FIRST, LATER = "2026-11-15", "2026-11-16"


class Days(LinkBook):
    """A link whose acts are done on a day that a test says."""

    day = FIRST

    def do(self, kind: type[LinkAct], *, by: Any = DEALER, **fields: Any) -> Any:
        number = len(self.entries) + 1
        entry = self.link.handle(kind(id=f"c{number}", by=by, **fields), f"{self.day}T20:00:00.{number:06d}Z")
        self.link.apply(entry)
        self.entries.append(entry)
        return entry


@pytest.fixture(scope="module")
def floor() -> Days:
    """On the first day two awards, a claim that is voided and a press by accident; the day after, one is backed out."""
    made = Days()
    made.do(StartGame, table=1, lit=(1, 2, 3), based=(1, 2, 3))
    for seat, line in ((3, SUITED), (2, COLOR)):
        award = made.do(EnterHand, table=1, seat=seat, line=line).number
        made.do(Confirm, by=EXECUTIVE, award=award)
    made.do(EnterHand, table=1, seat=1, line=COLOR)
    made.do(TakeBackHand, table=1, seat=1)
    claim = made.do(EnterHand, table=1, seat=1, line=COLOR).number
    made.do(VoidAward, by=SUPERVISOR, award=claim, reason="misread")
    made.do(EndGame, table=1)
    made.day = LATER
    first = next(entry for entry in made.entries if entry.kind == "confirm")
    made.do(BackOut, by=MANAGER, second=EXECUTIVE, award=first.facts["award"], reason="wrong seat")
    return made


def books(floor: Days) -> Books:
    return Books(Kept(link_main=floor.entries))


def period(*days: str) -> Period:
    first, last = (None, None) if len(days) < 2 else (days[0], days[-1])
    return read_period(None if first else days[0], first, last, zone="UTC", begins_h=0)


def amounts(floor: Days) -> tuple[int, int]:
    """Of the award that is backed out, and of the one that stands."""
    first, second = (entry.facts["cents"] for entry in floor.entries if entry.kind == "confirm")
    return first, second


def of(floor: Days, *days: str) -> Awards:
    return awards(books(floor), period(*days), MADE)


def test_each_day_has_what_was_decided_on_it_and_both_days_have_the_net(floor: Days) -> None:
    gone, stands = amounts(floor)
    voided = next(entry.facts["cents"] for entry in floor.entries if entry.kind == "void")
    first, later, both = of(floor, FIRST), of(floor, LATER), of(floor, FIRST, LATER)
    assert first.sums()["confirmed_cents"] == gone + stands
    assert "backed_out_cents" not in first.sums()
    assert (later.sums()["confirmed_cents"], later.sums()["backed_out_cents"]) == (-gone, gone)
    assert (both.sums()["confirmed_cents"], both.sums()["backed_out_cents"]) == (stands, gone)
    assert first.sums()["not_paid_cents"] == both.sums()["not_paid_cents"] == voided, (
        "a press by accident claims nothing"
    )
    [row] = later.rows
    assert (row.status, row.reason) == ("backed out", "wrong seat")
    assert row.decided_by == "max (manager), eve (executive)"
    assert "BACKED OUT" in later.tables()[0].rows[0]


def test_the_last_awards_say_which_was_backed_out(floor: Days) -> None:
    found = last_awards(books(floor), period(FIRST, LATER), MADE)
    assert {row.status for row in found.rows} == {"backed out", "confirmed"}
    assert any("BACKED OUT" in cell for table in found.tables() for row in table.rows for cell in row)


def test_accrual_hold_and_balance_are_net(floor: Days) -> None:
    gone, stands = amounts(floor)
    first, later = accrual(books(floor), period(FIRST, LATER), MADE).rows
    assert (first.awards, later.awards) == (2, -1)
    assert (first.awards_cents, later.awards_cents) == (gone + stands, -gone)
    assert (later.paid_units, later.difference_units) == (-gone * 10**6, 0)
    assert later.house_units == -1_000_000 * 10**6
    _, game = hold(books(floor), period(FIRST, LATER), MADE).rows
    assert game.actual_units == (3 * 500 - stands) * 10**6
    [level] = meter_balance(books(floor), period(FIRST, LATER), MADE).rows
    assert (level.awards_units, level.seed_units, level.difference_units) == (-stands * 10**6, 1_000_000 * 10**6, 0)
