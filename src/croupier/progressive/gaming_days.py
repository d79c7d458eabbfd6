"""Gaming days: a day of the house begins at an hour of its own clock, and lasts until that hour of the next day.

Entries are stamped in UTC. The day in which a clock is set is an hour shorter or longer, and nothing is lost in it.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

ONE_DAY = timedelta(days=1)
EARLIEST, LATEST = date(2000, 1, 1), date(2999, 12, 31)
"""Days that a house can have."""


def begin_of(day: date, clock: ZoneInfo, begins_h: int) -> str:
    """When a gaming day begins. Where the clock skips that hour, at the moment of skipping."""
    return as_written(datetime.combine(day, time(begins_h), clock))


def day_of(at: str, clock: ZoneInfo, begins_h: int) -> date:
    """The gaming day of a time."""
    local = datetime.fromisoformat(at).astimezone(clock)
    day = (local.replace(tzinfo=None) - timedelta(hours=begins_h)).date()
    while at < begin_of(day, clock, begins_h):  # where a clock is set, its hands alone may mislead by a day
        day -= ONE_DAY
    while at >= begin_of(day + ONE_DAY, clock, begins_h):
        day += ONE_DAY
    return day


def as_written(moment: datetime) -> str:
    """A time as the books write it."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
