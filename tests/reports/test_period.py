"""Gaming days: where they begin and end, also when clocks are set."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import NotationError
from croupier.ledger.clock import ONE_DAY, as_written
from croupier.reports.period import Period, gaming_days, read_period

ZONES = ("America/Los_Angeles", "UTC", "Asia/Kathmandu", "Australia/Lord_Howe", "America/Sao_Paulo", "Pacific/Apia")


def hours(day: date, **clock: int | str) -> float:
    period = gaming_days(day, **clock)  # type: ignore[arg-type]
    return (datetime.fromisoformat(period.end) - datetime.fromisoformat(period.begin)).total_seconds() / 3600


def test_a_day_begins_at_six_by_the_clock_of_the_house() -> None:
    period = gaming_days(date(2026, 11, 15))
    assert (period.begin, period.end) == ("2026-11-15T14:00:00.000000Z", "2026-11-16T14:00:00.000000Z")
    assert "2026-11-15T14:00:00.000000Z" in period
    assert "2026-11-15T13:59:59.999999Z" not in period
    assert "2026-11-16T14:00:00.000000Z" not in period


def test_the_night_belongs_to_the_day_before() -> None:
    assert Period().day_of("2026-11-16T13:59:59.999999Z") == date(2026, 11, 15)
    assert Period(begins_h=5).day_of("2026-11-16T13:59:59.999999Z") == date(2026, 11, 16)


def test_days_in_which_clocks_are_set_have_25_and_23_hours() -> None:
    assert hours(date(2026, 10, 31)) == 25
    assert hours(date(2026, 3, 7)) == 23
    assert hours(date(2026, 11, 1)) == 24
    assert hours(date(2026, 11, 1), begins_h=1) == 25


def test_the_hour_that_comes_twice_is_two_hours() -> None:
    period = Period()
    assert period.hour_of("2026-11-01T08:30:00.000000Z") == "2026-11-01T01:00-07:00"
    assert period.hour_of("2026-11-01T09:30:00.000000Z") == "2026-11-01T01:00-08:00"


def test_a_day_that_begins_in_the_hour_that_is_skipped_begins_when_it_is_skipped() -> None:
    period = gaming_days(date(2026, 3, 8), begins_h=2)
    assert period.begin == "2026-03-08T10:00:00.000000Z"
    assert period.day_of("2026-03-08T09:59:59.999999Z") == date(2026, 3, 7)
    assert period.day_of("2026-03-08T10:00:00.000000Z") == date(2026, 3, 8)


@given(
    st.sampled_from(ZONES),
    st.integers(0, 23),
    st.datetimes(datetime(2010, 1, 1), datetime(2027, 1, 1)),
)
def test_every_moment_is_in_one_day_everywhere(zone: str, begins_h: int, moment: datetime) -> None:
    at = as_written(moment.replace(tzinfo=UTC))
    day = Period(zone=zone, begins_h=begins_h).day_of(at)
    holds = [
        other
        for other in (day + timedelta(days=n) for n in range(-2, 3))
        if at in gaming_days(other, zone=zone, begins_h=begins_h)
    ]
    assert holds == [day]


def test_days_follow_each_other_without_a_gap() -> None:
    for number in range(400):
        day = date(2026, 1, 1) + timedelta(days=number)
        assert gaming_days(day).end == gaming_days(day + ONE_DAY).begin


def test_nothing_said_is_the_whole_book() -> None:
    period = read_period(None, None, None)
    assert "0001-01-01T00:00:00.000000Z" in period
    assert "2999-01-01T00:00:00.000000Z" in period
    assert period.title == "the whole book"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("2026-11-15", "2026-11-14", None), "one day or of a range"),
        ((None, "2026-11-15", "2026-11-14"), "ends on 2026-11-14, before its first day 2026-11-15"),
        (("15.11.2026", None, None), "is no day: write it as 2026-11-15"),
        (("1815-06-18", None, None), "from 2000-01-01 to 2999-12-31, not 1815-06-18"),
    ],
)
def test_what_is_no_period_is_refused(given: tuple[str | None, ...], words: str) -> None:
    with pytest.raises(NotationError, match=words):
        read_period(*given)


@pytest.mark.parametrize(("zone", "begins_h"), [("Mars/Olympus", 6), ("../etc", 6), ("", 6), ("UTC", 24), ("UTC", -1)])
def test_what_is_no_clock_is_refused(zone: str, begins_h: int) -> None:
    with pytest.raises(NotationError, match=r"time zone|hour from 0 to 23"):
        Period(zone=zone, begins_h=begins_h)
