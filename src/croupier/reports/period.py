"""Gaming days: a day of the house begins at an hour of its own clock, and lasts until that hour of the next day.

    gaming_days(date(2026, 11, 15), zone="America/Los_Angeles", begins_h=6)      one day
    Period(first=..., last=..., ...)                                            from one day to another, both included

Entries are stamped in UTC. The day in which a clock is set is an hour shorter or longer, and nothing is lost in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from zoneinfo import ZoneInfo

from croupier.audit.balance import read_day
from croupier.errors import NotationError
from croupier.ledger.clock import EARLIEST, LATEST, ONE_DAY, begin_of, day_of

ZONE = "America/Los_Angeles"
"""Where neither the site nor anybody else says: the clock of Washington."""
BEGINS_H = 6
ALWAYS, NEVER = "", "~"
"""Before and after every time of a book."""


@dataclass(frozen=True)
class Period:
    """A range of gaming days; open where no day is given."""

    first: date | None = None
    last: date | None = None
    """Included."""
    zone: str = ZONE
    """The IANA name of the site's clock."""
    begins_h: int = BEGINS_H
    """The hour of that clock at which a day begins."""
    _seen: dict[str, str] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 0 <= self.begins_h <= 23:
            raise NotationError(f"A gaming day begins at an hour from 0 to 23, not {self.begins_h}.")
        if self.first and self.last and self.first > self.last:
            raise NotationError(f"The range ends on {self.last}, before its first day {self.first}.")
        for day in (self.first, self.last):
            if day and not EARLIEST <= day <= LATEST:
                raise NotationError(f"A gaming day is from {EARLIEST} to {LATEST}, not {day}.")
        _ = self.clock

    @cached_property
    def clock(self) -> ZoneInfo:
        try:
            return ZoneInfo(self.zone)
        except (KeyError, ValueError, OSError):
            raise NotationError(f"There is no time zone {self.zone[:60]!r}: write it as {ZONE}.") from None

    # Where it begins and ends, as books write times

    @cached_property
    def begin(self) -> str:
        return self.begin_of(self.first) if self.first else ALWAYS

    @cached_property
    def end(self) -> str:
        """The first instant after it."""
        return self.begin_of(self.last + ONE_DAY) if self.last else NEVER

    def __contains__(self, at: str) -> bool:
        return self.begin <= at < self.end

    def begin_of(self, day: date) -> str:
        return begin_of(day, self.clock, self.begins_h)

    def day_of(self, at: str) -> date:
        return day_of(at, self.clock, self.begins_h)

    # As people read it

    def local(self, at: str) -> datetime:
        return datetime.fromisoformat(at).astimezone(self.clock)

    def hour_of(self, at: str) -> str:
        """The hour of the house's clock: `2026-11-15T14:00-08:00`. The hour that comes twice a year is two hours."""
        minute = at[:16]
        if minute not in self._seen:
            self._seen[minute] = self.local(f"{minute}:00Z").replace(minute=0).isoformat(timespec="minutes")
        return self._seen[minute]

    def hour_told(self, hour: str) -> str:
        """An hour as people say it: `2026-11-15, 14:00 to 15:00 PST`."""
        begins = datetime.fromisoformat(hour).astimezone(self.clock)
        ends = (begins.astimezone(UTC) + timedelta(hours=1)).astimezone(self.clock)
        name = begins.tzname() or ""
        if ends.tzname() != name:  # the clock is set at its end
            name = f"{begins:%H:%M} {name} to {ends:%H:%M} {ends.tzname()}"
            return f"{begins:%Y-%m-%d}, {name}"
        return f"{begins:%Y-%m-%d}, {begins:%H:%M} to {ends:%H:%M} {name}"

    def told(self, at: str) -> str:
        """`2026-11-15 14:07:09`, by the house's clock; empty where there is no time."""
        return self.local(at).strftime("%Y-%m-%d %H:%M:%S") if at else ""

    @property
    def title(self) -> str:
        if self.first is None and self.last is None:
            return "the whole book"
        if self.first == self.last:
            return f"gaming day {self.first}"
        if self.last is None:
            return f"gaming days from {self.first}"
        return f"gaming days {self.first} to {self.last}" if self.first else f"gaming days to {self.last}"

    @property
    def rule(self) -> str:
        return f"days begin at {self.begins_h:02d}:00, {self.zone}"


def gaming_days(first: date, last: date | None = None, *, zone: str = ZONE, begins_h: int = BEGINS_H) -> Period:
    """One day, or several."""
    return Period(first, last or first, zone, begins_h)


def read_period(
    day: str | None, first: str | None, last: str | None, *, zone: str = ZONE, begins_h: int = BEGINS_H
) -> Period:
    """A period from days as people write them: one day, a range, or nothing for the whole book."""
    if day and (first or last):
        raise NotationError(
            "A report is of one day or of a range: give {day}, or {from} and {to}.", fields=["day", "from", "to"]
        )
    begin, end = (read_day(text) if text else None for text in (day or first, day or last))
    return Period(begin, end, zone, begins_h)
