"""What a cage and a floor manager count by: slips and shifts, against plain sums over the exported rows."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import datetime, timedelta

import pypdf
import pytest

from croupier.errors import CroupierError
from croupier.games.money import dollars
from croupier.reports.period import Period, gaming_days
from croupier.reports.shift import shifts
from croupier.reports.slips import BLANK, JackpotSlip, jackpot_slip, slips
from tests.reports.conftest import RoomBooks
from tests.reports.support import DAYS, MADE_AT, gaming_day

WHOLE = Period()


def test_slips_are_those_of_the_book_and_their_sums_are_its_sums(room: RoomBooks) -> None:
    report = slips(room.books(), WHOLE, MADE_AT)
    rows = [row for link in ("main", "other") for row in room.rows(link)]
    issued = [row["facts"] for row in rows if row["kind"] == "issue-slip"]
    paid = [row["facts"] for row in rows if row["kind"] == "pay-slip"]
    assert issued
    assert paid
    assert [(row.slip, row.award, row.award_cents) for row in report.rows] == [
        (each["slip"], each["award"], each["cents"]) for each in issued
    ]
    sums = report.sums()
    assert sums["slips_paid_cents"] == sum(each["paid_cents"] for each in paid)
    assert sums["withheld_cents"] == sum(each["withheld_cents"] for each in paid)
    whole = sum(each["cents"] - each["withheld_cents"] for each in issued)
    assert sums["slips_open_cents"] == whole - sums["slips_paid_cents"]
    gone = {row["facts"]["award"] for row in rows if row["kind"] in ("back-out", "adjust", "issue-slip")}
    cards = [row["facts"] for row in rows if row["kind"] == "confirm" and row["facts"]["award"] not in gone]
    assert cards
    assert sums["no_slip_cents"] == sum(each["cents"] for each in cards)
    assert "Confirmed, and without a slip yet: " in " ".join(report.notes())


def test_a_day_has_the_slips_that_were_issued_or_paid_in_it(room: RoomBooks) -> None:
    day = DAYS[2]
    report = slips(room.books("main"), gaming_days(day), MADE_AT)
    said = {
        row["facts"]["slip"]
        for row in room.rows("main")
        if row["kind"] in ("issue-slip", "pay-slip") and gaming_day(row["at"]) == day
    }
    assert {row.slip for row in report.rows} == said


def test_the_paper_has_its_number_what_is_asked_and_who_paid(room: RoomBooks) -> None:
    report = slips(room.books("main"), WHOLE, MADE_AT)
    asked = next(row for row in report.rows if "tax-slip" in row.asks and row.paid_at)
    page = jackpot_slip(room.books("main"), asked.award, WHOLE, MADE_AT)
    text = " ".join(each.extract_text() for each in pypdf.PdfReader(io.BytesIO(page.pdf())).pages)
    words = " ".join(text.replace("\u200b", "").split())
    for part in (f"No. {asked.slip} of the link main: PAID", "Player's name", "Taxpayer number", "Identity seen"):
        assert part in words
    assert "Max Mora (max), manager" in words
    assert "check" in words
    everywhere = slips(room.books(), WHOLE, MADE_AT).rows
    open_ = next(row for row in everywhere if not row.paid_at and not row.asks)
    plain = jackpot_slip(room.books(open_.link), open_.award, WHOLE, MADE_AT)
    assert "NOT PAID YET" in dict(plain.facts())["Slip"]
    assert [each.title for each in plain.tables()] == ["", "On record"]


def test_above_the_limit_a_slip_says_what_is_paid_at_once_and_by_when_the_rest(room: RoomBooks) -> None:
    report = slips(room.books("main"), WHOLE, MADE_AT)
    large = next(row for row in report.rows if row.paid_cents > 500_000)
    confirms = (row for row in room.rows("main") if row["kind"] == "confirm")
    confirmed = next(row for row in confirms if row["facts"]["award"] == large.award)
    assert large.at_once_cents == 500_000
    due = datetime.fromisoformat(confirmed["at"]) + timedelta(hours=24)
    assert datetime.fromisoformat(large.rest_due_at) == due
    paper = jackpot_slip(room.books("main"), large.award, WHOLE, MADE_AT)
    words = {name: text for name, text, *_ in paper.tables()[0].rows}
    assert words["At once"] == "$5,000.00 at least"
    assert words["Rest"].startswith(f"up to {dollars(large.paid_cents - 500_000)} by check, by ")
    late = replace(report, rows=(replace(large, paid_at="", backed_out_at=""),))
    assert late.notes()[0].startswith(f"Not paid in time: main {large.slip} (by ")
    early = replace(late, heading=replace(late.heading, made_at=large.issued_at))
    assert "in time" not in " ".join(early.notes())
    small = next(row for row in report.rows if row.award_cents <= 500_000)
    assert (small.at_once_cents, small.rest_due_at) == (None, "")
    plain = jackpot_slip(room.books("main"), small.award, WHOLE, MADE_AT).tables()[0].rows
    assert "At once" not in [name for name, *_ in plain]


def test_an_award_without_a_slip_is_told_so(room: RoomBooks) -> None:
    with pytest.raises(CroupierError, match="has no jackpot slip: issue it on the award's page"):
        jackpot_slip(room.books("main"), 1, WHOLE, MADE_AT)


def test_shifts_add_up_to_the_book(room: RoomBooks) -> None:
    report = shifts(room.books("main"), WHOLE, MADE_AT)
    rows = room.rows("main")
    kinds = [row["kind"] for row in rows]
    won = [row["facts"]["cents"] for row in rows if row["kind"] == "confirm" and "level" in row["facts"]]
    wagers = sum(len(row["facts"]["seats"]) for row in rows if row["kind"] == "start")
    assert sum(row.games for row in report.rows) == kinds.count("start")
    assert sum(row.wagers for row in report.rows) == wagers
    assert sum(row.awards for row in report.rows) == len(won)
    assert report.sums()["awards_cents"] == sum(won)
    assert sum(row.voided for row in report.rows) == kinds.count("void")
    assert sum(row.taken_back for row in report.rows) == kinds.count("take-back") + kinds.count("unpay")
    fixed = {"pay": 1, "unpay": -1}
    assert report.sums()["fixed_pays_cents"] == sum(
        fixed[row["kind"]] * row["facts"]["cents"] for row in rows if row["kind"] in fixed
    )
    assert {row.dealer for row in report.rows} == {"ann (dealer)"}
    assert {row.table for row in report.rows} == {1, 2, 3}
    assert all(row.began_at <= row.ended_at and row.seconds >= 0 for row in report.rows)


def test_a_spell_ends_with_its_gaming_day(room: RoomBooks) -> None:
    """Whoever deals at the same table on several evenings has not dealt through the nights."""
    rows = shifts(room.books("main"), WHOLE, MADE_AT).rows
    spells = {(row.table, gaming_day(row.began_at)) for row in rows}
    assert len(spells) == len(rows) > len({row.table for row in rows})
    assert all(gaming_day(row.began_at) == gaming_day(row.ended_at) for row in rows)
    assert max(row.seconds for row in rows) <= 25 * 3600, "the longest day is the one on which clocks are set back"


def test_the_slip_of_an_award_that_was_backed_out_has_nothing_to_sign_or_fill_in(room: RoomBooks) -> None:
    row = slips(room.books("main"), WHOLE, MADE_AT).rows[0]
    heading, at = slips(room.books("main"), WHOLE, MADE_AT).heading, row.issued_at
    unpaid = JackpotSlip(heading, (replace(row, paid_at="", paid_by="", paid_in="", backed_out_at=at),))
    assert (unpaid.banner, unpaid.headline, unpaid.signatures()) == ("BACKED OUT – NOT TO BE PAID", "", ())
    cells = [cell for each in unpaid.tables() for line in each.rows for cell in line]
    assert not any(BLANK in cell for cell in cells)
    assert {"Backed out", unpaid.told(at)} <= set(cells)
    paid = JackpotSlip(heading, (replace(row, paid_at=at, backed_out_at=at),))
    assert paid.banner == "BACKED OUT AFTER IT WAS PAID"
    assert {"Paid at", "Backed out"} <= {line[0] for each in paid.tables() for line in each.rows}
