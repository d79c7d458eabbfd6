"""Every report's sums are those made straight from the rows of the exported ledger, by short code of this file."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from croupier.reports.accrual import accrual
from croupier.reports.adjustments import adjustments
from croupier.reports.awards import awards, last_awards
from croupier.reports.balance import meter_balance
from croupier.reports.bank_cover import _totals, bank_cover
from croupier.reports.books import Books, Played
from croupier.reports.contributions import contributions
from croupier.reports.events import Search, events
from croupier.reports.period import Period, gaming_days
from croupier.reports.sentences import SENTENCES
from tests.audit.books import Kept, busy_floor
from tests.reports.conftest import RoomBooks
from tests.reports.support import DAYS, FIRST, LAST, MADE_AT, QUIET, gaming_day, moved, within

LINKS = ("main", "other")
LEVELS = {"main": ("Mega", "Major", "Minor"), "other": ("",)}
WHOLE = Period()
BEFORE, AFTER = FIRST - timedelta(days=1), LAST + timedelta(days=1)
PERIODS = [gaming_days(day) for day in (BEFORE, *DAYS, AFTER)] + [gaming_days(FIRST, LAST), WHOLE, Period(first=QUIET)]
EMPTY = [gaming_days(date(2026, 10, 1)), gaming_days(date(2026, 12, 24))]
EVERY = [*PERIODS, *EMPTY]
each_period = pytest.mark.parametrize("period", EVERY, ids=lambda period: period.title)


def balance_at_end(rows: list[dict[str, Any]], account: str, last: date) -> int:
    found = [row for row in rows if gaming_day(row["at"]) <= last]
    return moved(found, lambda _, s, t: t == account) - moved(found, lambda _, s, t: s == account)


def locked_at_end(rows: list[dict[str, Any]], account: str, last: date) -> int:
    """What undecided hands have locked there, by what their rows say."""
    found = [each for row in rows if gaming_day(row["at"]) <= last for each in row["facts"].get("locked", ())]
    return sum(units * ((target == account) - (source == account)) for source, target, units in found)


def purpose(account: str) -> str:
    return account.split(":", maxsplit=1)[0]


@each_period
@pytest.mark.parametrize("link", LINKS)
def test_meter_balances_are_the_sums_of_the_rows(room: RoomBooks, link: str, period: Period) -> None:
    rows = room.rows(link)
    found = {row.level: row for row in meter_balance(room.books(link), period, MADE_AT).rows}
    first, last = period.first or date.min + timedelta(days=1), period.last or date.max
    assert set(found) == (set(LEVELS[link]) if last >= BEFORE else set())
    for level, row in found.items():
        meter = f"meter:{level}" if level else "meter"
        assert row.opening_units == balance_at_end(rows, meter, first - timedelta(days=1))
        assert row.closing_units == balance_at_end(rows, meter, last)
        assert balance_at_end(rows, meter.replace("meter", "pending"), last) == 0
        assert row.pending_units == locked_at_end(rows, meter.replace("meter", "pending"), last)
        assert row.in_reserve_units == balance_at_end(rows, meter.replace("meter", "reserve"), last)
        assert row.in_overflow_units == balance_at_end(rows, meter.replace("meter", "overflow"), last)
        flows: Counter[str] = Counter()
        for entry in within(rows, period):
            for source, target, units in entry["transfers"]:
                for account, other, change in ((target, source, units), (source, target, -units)):
                    if account == meter:
                        flows[flow(entry["kind"], purpose(other))] += change
        for name in ("contributions", "seed", "reserve", "overflow", "added", "adjustments", "moved", "awards"):
            assert getattr(row, f"{name}_units") == flows.pop(name, 0), name
        assert not +flows
        assert row.difference_units == 0


def flow(kind: str, other: str) -> str:
    if kind in ("start", "adjust"):
        return {"start": "contributions", "adjust": "adjustments"}[kind]
    if other == "house":
        return "added" if kind in ("pay", "unpay") else "seed"
    return {"pending": "awards", "players": "awards"}.get(other, other)


@each_period
def test_contributions_add_up_to_the_rows(room: RoomBooks, period: Period) -> None:
    report = contributions(room.books(), period, MADE_AT)
    for link in LINKS:
        starts = [row for row in within(room.rows(link), period) if row["kind"] == "start"]
        for number in (1, 2, 3):
            ours = [row for row in report.rows if (row.link, row.table) == (link, number)]
            theirs = [row for row in starts if row["facts"]["table"] == number]
            assert sum(row.games for row in ours) == len(theirs)
            assert sum(row.wagers for row in ours) == sum(len(row["facts"]["seats"]) for row in theirs)
            assert sum(row.coin_in_cents for row in ours) * 10**6 == moved(theirs, lambda *_: True)
            for name in ("meter", "reserve", "overflow", "tray"):
                to = moved(theirs, lambda kind, source, target, name=name: purpose(target) == name)  # type: ignore[misc]
                assert sum(getattr(row, f"{name}_units") for row in ours) == to
    assert report.as_json()["totals"]["wagers"] == sum(row.wagers for row in report.rows)
    assert len({(row.link, row.table, row.hour) for row in report.rows}) == len(report.rows)


@each_period
def test_awards_are_those_of_the_rows(room: RoomBooks, period: Period) -> None:
    report = awards(room.books(), period, MADE_AT)
    both = [row for link in LINKS for row in within(room.rows(link), period)]
    kinds = Counter(row["kind"] for row in both)
    statuses = Counter(row.status for row in report.rows)
    assert (statuses["confirmed"], statuses["voided"]) == (kinds["confirm"], kinds["void"])
    assert statuses["taken back"] == kinds["take-back"] + kinds["unpay"]
    assert statuses["paid"] == kinds["pay"] - kinds["unpay"]
    sums = report.sums()
    assert sums["confirmed_cents"] * 10**6 == moved(
        both, lambda kind, s, t: kind == "confirm" and purpose(s) == "pending"
    )
    last = period.last or date.max
    assert sums["pending_cents"] * 10**6 == sum(
        locked_at_end(room.rows(link), f"pending:{level}" if level else "pending", last)
        for link in LINKS
        for level in LEVELS[link]
    )
    fixed = sum(
        row["facts"]["cents"] * (1 if row["kind"] == "pay" else -1) for row in both if row["kind"] in ("pay", "unpay")
    )
    assert sums["fixed_pays_cents"] == fixed
    assert not [row for row in awards(room.books(), period, MADE_AT, fixed_pays=False).rows if not row.is_share]


def test_an_award_over_the_end_of_a_day_is_pending_then_confirmed(room: RoomBooks) -> None:
    (before,) = (row for row in awards(room.books("main"), gaming_days(LAST), MADE_AT).rows if row.status == "pending")
    (after,) = awards(room.books("main"), gaming_days(AFTER), MADE_AT).rows
    assert (after.award, after.award_cents, after.status) == (before.award, before.award_cents, "confirmed")
    assert before.decided_by == ""
    assert (after.entered_by, after.decided_by) == ("ann (dealer)", "eve (executive)")


def test_the_amount_of_an_award_is_what_was_paid_for_it(room: RoomBooks) -> None:
    for link in LINKS:
        paid = {row["facts"]["award"]: row for row in room.rows(link) if row["kind"] == "confirm"}
        rows = [row for row in awards(room.books(link), WHOLE, MADE_AT).rows if row.status == "confirmed"]
        assert {row.award: row.award_cents * 10**6 for row in rows} == {
            number: sum(units for source, _, units in row["transfers"] if purpose(source) == "pending")
            for number, row in paid.items()
        }
        for row in rows:
            entry = paid[row.award]
            assert (row.decided_at, row.digest, row.level) == (entry["at"], entry["digest"], entry["facts"]["level"])


@pytest.mark.parametrize("last", [3, 25])
def test_the_last_awards_of_each_meter_are_the_newest_confirmed(room: RoomBooks, last: int) -> None:
    report = last_awards(room.books(), WHOLE, MADE_AT, last)
    for link in LINKS:
        for level in LEVELS[link]:
            confirmed = [
                row["facts"]["award"]
                for row in room.rows(link)
                if row["kind"] == "confirm" and row["facts"]["level"] == level
            ]
            shown = [row.award for row in report.rows if (row.link, row.level) == (link, level)]
            assert shown == confirmed[::-1][:last]
    assert len(report.rows) > 3


@each_period
def test_adjustments_are_those_of_the_rows(room: RoomBooks, period: Period) -> None:
    report = adjustments(room.books(), period, MADE_AT)
    theirs = [row for link in LINKS for row in within(room.rows(link), period) if row["kind"] == "adjust"]
    assert [(row.entry, row.digest) for row in report.rows] == [(row["number"], row["digest"]) for row in theirs]
    assert sum(row.amount_cents for row in report.rows) * 10**6 == moved(theirs, lambda *_: True)
    change = moved(theirs, lambda kind, source, target: purpose(target) == "meter")
    change -= moved(theirs, lambda kind, source, target: purpose(source) == "meter")
    assert report.sums()["meters_units"] == change
    for row in report.rows:
        assert (row.by, row.second, row.reason) == ("max (manager)", "mia (manager)", "malfunction")


@each_period
def test_accrual_adds_up_to_the_rows(room: RoomBooks, period: Period) -> None:
    report = accrual(room.books(), period, MADE_AT)
    owed = ("meter", "reserve", "overflow", "pending")
    for row in report.rows:
        of_day = [each for each in room.rows(row.link) if str(gaming_day(each["at"])) == row.day]
        kinds = Counter(each["kind"] for each in of_day)
        assert (row.games, row.awards, row.adjustments) == (kinds["start"], kinds["confirm"], kinds["adjust"])
        assert row.fixed_pays == kinds["pay"] - kinds["unpay"]
        assert row.coin_in_cents * 10**6 == moved(of_day, lambda kind, *_: kind == "start")
        to_owed = moved(of_day, lambda kind, source, target: kind == "start" and purpose(target) in owed)
        assert row.accrued_units == to_owed == row.to_meters_units + row.to_reserves_units + row.to_overflow_units
        assert row.awards_cents * 10**6 == moved(
            of_day, lambda kind, s, t: kind == "confirm" and purpose(s) == "pending"
        )
        paid = moved(of_day, lambda kind, s, t: kind != "adjust" and purpose(s) in owed and t == "players")
        back = moved(
            of_day, lambda kind, s, t: kind not in ("start", "adjust") and s == "players" and purpose(t) in owed
        )
        assert row.paid_units == paid - back
        given = moved(of_day, lambda kind, s, t: kind != "adjust" and s == "house" and purpose(t) in owed)
        taken = moved(of_day, lambda kind, s, t: kind != "adjust" and t == "house" and purpose(s) in owed)
        assert row.house_units == given - taken
        accounts = [f"{name}:{level}" if level else name for name in owed for level in LEVELS[row.link]]
        closing = sum(balance_at_end(room.rows(row.link), each, date.fromisoformat(row.day)) for each in accounts)
        assert (row.closing_units, row.difference_units) == (closing, 0)
    days = {row.day for row in report.rows}
    first, last = max(period.first or BEFORE, BEFORE), min(period.last or AFTER, date.fromisoformat(MADE_AT[:10]))
    assert days == {str(first + timedelta(days=n)) for n in range((last - first).days + 1)}


def test_a_quiet_day_opens_and_closes_the_same(room: RoomBooks) -> None:
    quiet = gaming_days(date(2026, 11, 6))
    for row in meter_balance(room.books(), quiet, MADE_AT).rows:
        assert row.opening_units == row.closing_units > 0
    (main, other) = accrual(room.books(), quiet, MADE_AT).rows
    assert (main.wagers, main.accrued_units, main.difference_units) == (0, 0, 0)
    assert main.opening_units == main.closing_units > 0
    assert other.day == "2026-11-06"


@each_period
def test_events_are_all_entries_in_their_order(room: RoomBooks, period: Period) -> None:
    report = events(room.books(), period, MADE_AT)
    theirs = [(book, row) for book in ("site", *LINKS) for row in within(room.rows(book), period)]
    assert [(row.book, row.digest) for row in report.rows] == [(book, row["digest"]) for book, row in theirs]
    assert all(row.sentence and not row.sentence.startswith("An entry of the kind") for row in report.rows)


def test_every_kind_of_entry_has_its_words() -> None:
    from croupier.floor.link.link import CHANGE
    from croupier.floor.site.site import CHANGE as SITE_CHANGE

    assert {*CHANGE, *SITE_CHANGE} <= set(SENTENCES)


def test_no_sentence_shows_a_card(room: RoomBooks) -> None:
    said = " ".join(row.sentence for row in events(room.books(), WHOLE, MADE_AT).rows)
    assert not [letter for letter in "abcd" if letter * 64 in said]


@pytest.mark.parametrize(
    ("search", "fits"),
    [
        (Search(kind="void"), lambda row: row["kind"] == "void"),
        (
            Search(person="mia"),
            lambda row: "mia" in json.dumps([row["facts"].get(n) for n in ("by", "second", "person")]),
        ),
        (Search(table=2), lambda row: row["facts"].get("table") == 2),
        (Search(text="VOIDED"), lambda row: row["kind"] == "void"),
        (Search(text="sensor", person="max"), lambda row: row["kind"] == "adjust"),
        (Search(text="no such words"), lambda row: False),
    ],
    ids=lambda value: str(value) if isinstance(value, Search) else "",
)
def test_events_are_found(room: RoomBooks, search: Search, fits: Any) -> None:
    report = events(room.books(), WHOLE, MADE_AT, search)
    wanted = [row["digest"] for book in ("site", *LINKS) for row in room.rows(book) if fits(row)]
    assert [row.digest for row in report.rows] == wanted


def test_events_beyond_the_most_are_counted(room: RoomBooks) -> None:
    every = len(events(room.books("main"), WHOLE, MADE_AT).rows)
    report = events(room.books("main"), WHOLE, MADE_AT, most=10)
    assert (len(report.rows), report.left_out) == (10, every - 10)
    assert f"the first 10 of {every:,} entries that fit" in report.notes()[0]


@each_period
def test_bank_cover_shows_what_was_owed_at_each_moment(room: RoomBooks, period: Period) -> None:
    report = bank_cover(room.books("main"), period, MADE_AT)
    site = [row for row in within(room.rows("site"), period) if row["kind"] in ("declare-bank", "deposit")]
    shown = [row for row in report.rows if row.event != "at the end"]
    assert [row.at for row in shown] == [row["at"] for row in site]
    for row in report.rows:
        until = [each for link in LINKS for each in room.rows(link) if each["at"] <= row.at and each["at"] < period.end]
        for name, units in (
            ("meter", row.meters_units),
            ("reserve", row.reserves_units),
            ("overflow", row.overflow_units),
        ):
            there = moved(until, lambda _, s, t, name=name: purpose(t) == name)  # type: ignore[misc]
            assert units == there - moved(until, lambda _, s, t, name=name: purpose(s) == name)  # type: ignore[misc]
        all_units = row.meters_units + row.reserves_units + row.overflow_units + row.pending_units
        assert row.owed_cents == -(-all_units // 10**6)
        assert row.over_cents == row.is_there_cents - row.must_be_there_cents
    deposits = [row["facts"]["amount_cents"] for row in site if row["kind"] == "deposit"]
    assert report.sums()["deposited_cents"] == sum(deposits)


def test_contributions_are_by_the_hour_of_the_house(room: RoomBooks) -> None:
    ours: Counter[tuple[str, str, int]] = Counter()
    for row in contributions(room.books(), WHOLE, MADE_AT).rows:
        ours[row.link, row.hour, row.table] += row.games
    theirs = Counter(
        (link, f"{wall:%Y-%m-%dT%H:00}{wall:%z}"[:-2] + ":00", row["facts"]["table"])
        for link in LINKS
        for row in room.rows(link)
        if row["kind"] == "start"
        for wall in [datetime.fromisoformat(row["at"]).astimezone(ZoneInfo("America/Los_Angeles"))]
    )
    assert ours == theirs


def test_what_is_entered_at_the_moment_of_a_declaration_counts() -> None:
    entries = busy_floor().entries
    moments = [entries[3].at, entries[4].at, entries[6].at, "2030-01-01T00:00:00Z"]
    books = Books(Kept(link_main=entries))
    found = _totals(books, "main", WHOLE, moments, Played(books, WHOLE))
    before, pressed, card, later = (each.totals for each in found)
    assert (entries[4].kind, entries[6].kind) == ("enter", "confirm")
    assert pressed.owed == before.owed  # a press owes nothing more
    assert card.paid == entries[6].facts["cents"] * 10**6
    assert pressed.pending == card.pending == later.pending == 0
    assert later.contributed == sum(
        each.units
        for entry in entries
        if entry.kind == "start"
        for each in entry.transfers
        if str(each.target) in ("meter", "reserve", "overflow")
    )


def test_a_link_has_no_days_before_its_first(room: RoomBooks) -> None:
    rows = accrual(room.books("main"), gaming_days(date(2026, 10, 1), FIRST), MADE_AT).rows
    assert [row.day for row in rows] == [str(BEFORE), str(FIRST)]
    assert rows[0].opening_units == 0
