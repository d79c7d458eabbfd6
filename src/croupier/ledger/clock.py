"""The time of day, held against a clock that only counts.

Entries never go back in time. So a clock that is set ahead once, by mistake, would give its time to every entry until
that time has come. `CheckedClock` gives no time while it has reason to doubt it, and acts are refused meanwhile. One
that is set by a little is followed slowly: the times of entries go on at nearly their usual pace, never back and never
by a leap, so that nobody makes a round older or younger by setting the clock. One that is set back by more harms
nothing: entries keep the time of the last one until it is nearly reached again.

When a floor begins, nothing was counted yet: then `Witnesses` are heard, before an entry is written. A clock that they
speak against is doubted until it is set right, or until two people accept the time as it is, on record.
"""

from __future__ import annotations

import ctypes
import datetime as dt
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from math import floor
from pathlib import Path
from zoneinfo import ZoneInfo

from croupier.errors import NotationError, Refusal

CLOCK = "clock"
"""The code of the refusal for a clock that cannot be right."""
AHEAD_S = 300.0
FOLLOWED = 0.1
"""Of the time that passes: so much faster or slower than it do the times of entries follow a clock that was set."""
WAY_OUT = (
    "Set it right; or, if it is right, let two people accept it, on the console's overview (or /api/site/accept-time)."
)


def utc_now() -> str:
    return written(time.time())


def written(moment_s: float) -> str:
    """Every entry is stamped with it, so only the part below a second is written each time."""
    second = floor(moment_s)
    millionths = round((moment_s - second) * 1_000_000)
    if millionths == 1_000_000:
        second, millionths = second + 1, 0
    return f"{_whole_second(second)}.{millionths:06}Z"


@lru_cache(maxsize=8)
def _whole_second(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).isoformat()[: len("2026-11-15T20:30:00")]


_BOOT: int | None = getattr(time, "CLOCK_BOOTTIME", None)


def counted_s() -> float:
    """Seconds since some moment, whatever the time of day is set to; where possible those of a machine asleep too."""
    return time.monotonic() if _BOOT is None else time.clock_gettime(_BOOT)


# What speaks for or against a clock when a floor begins

LONGEST_PAUSE_S = 36 * 3_600.0
"""Between two entries of a house whose clock nothing synchronises: longer than a night and than a closed day."""
SYNCHRONISED = Path("/run/systemd/timesync/synchronized")
_TIME_ERROR = 5
"""What the system answers while nothing keeps its clock right."""


def synchronised() -> bool | None:
    """Whether the system keeps its clock right by others, as it says itself; nothing where it does not say."""
    if SYNCHRONISED.exists():
        return True
    with suppress(OSError, AttributeError):
        libc, room = ctypes.CDLL(None), ctypes.create_string_buffer(1_024)  # all nothing: to ask, and change nothing
        state = int(libc.ntp_adjtime(room))
        return None if state < 0 else state != _TIME_ERROR
    return None


@dataclass(frozen=True)
class Witnesses:
    """What was known of the time when a floor began."""

    last: str = ""
    """The time of the last entry of all books."""
    store_s: float | None = None
    """What the store's own clock said then, where it has one: it is the same for all servers of the site."""
    synchronised: bool | None = None
    """Whether the system keeps its clock right."""

    def against(self, now_s: float, since_s: float = 0.0) -> str:
        """Why a time of day cannot be believed, so many seconds after they were heard; nothing where it can."""
        if self.store_s is not None and abs(now_s - self.store_s - since_s) > AHEAD_S:
            return (
                f"The clock of this machine says {written(now_s)[:19]}Z, and that of the database "
                f"{written(self.store_s + since_s)[:19]}Z."
            )
        if not self.last or self.synchronised:
            return ""
        days = (now_s - since_s - time_of(self.last).timestamp()) / 86_400
        if days * 86_400 <= LONGEST_PAUSE_S:
            return ""
        says = (
            "says that its clock is not synchronised" if self.synchronised is False else "does not say if it is right"
        )
        return (
            f"The clock says {written(now_s)[:19]}Z, {days:,.1f} days after the last entry of {self.last[:19]}Z, and "
            f"this machine {says}."
        )


class CheckedClock:
    """Doubts a time of day that is more than `ahead_s` ahead of the time that has passed, or behind the last entry.

    Its first reading is held against witnesses, where there are any; without them it is trusted.
    """

    def __init__(
        self,
        ahead_s: float = AHEAD_S,
        wall: Callable[[], float] = time.time,
        counted: Callable[[], float] = counted_s,
    ) -> None:
        self._ahead_s, self._wall, self._counted = ahead_s, wall, counted
        self._offset = wall() - counted()
        """The greatest that was trusted: a clock set back and right again has not been set ahead."""
        self._given = self._offset + counted(), counted()
        """The last time that was given, and when that was by the count."""
        self._witnesses: Witnesses | None = None
        """Who may still speak against it; nobody once it is believed."""
        self._heard_at = 0.0

    def hear(self, witnesses: Witnesses) -> None:
        """When a floor begins, before anything is written."""
        self._witnesses = None if witnesses == Witnesses() else witnesses
        self._heard_at = self._counted()

    def accept(self) -> None:
        """Two people have: whatever the witnesses say, the time is as it is."""
        self._witnesses = None

    def doubt(self) -> str:
        """Why it is not believed since the floor began, in a sentence; nothing once it is."""
        if self._witnesses is None:
            return ""
        now, counted = self._wall(), self._counted()
        why = self._witnesses.against(now, counted - self._heard_at)
        if not why:  # it was right, or was set right: from here on it is counted
            self._witnesses, self._offset, self._given = None, now - counted, (now, counted)
        return why and f"{why} {WAY_OUT}"

    def __call__(self) -> str:
        return written(self._wall())

    def after(self, last: str, *, accepted: bool = False) -> str:
        """The time for an entry after one of this time, or a Refusal; `accepted` for the act that accepts the time.

        It is never before the last entry, nor before a time that was given: a clock that was set, by as much as is
        trusted, is followed slowly.
        """
        if self._witnesses is not None and not accepted and (why := self.doubt()):
            raise Refusal(CLOCK, why)
        now, counted = self._wall(), self._counted()
        expected = self._offset + counted
        if now - expected > self._ahead_s:
            raise Refusal(
                CLOCK,
                f"The clock was set ahead: it says {written(now)}, and by the time that has passed it is "
                f"{written(expected)}. Set it right, or start the floor again if it is right.",
            )
        at = self._followed(now, counted)
        given = written(at)
        if last > given:
            last_s = datetime.fromisoformat(last).timestamp()
            if last_s - max(now, expected) > self._ahead_s:
                moment = written(now)
                raise Refusal(
                    CLOCK,
                    f"The last entry is of {last}, and the clock says {moment}: set it right, or wait until then.",
                )
            at, given = last_s, written(last_s)
        self._offset, self._given = max(self._offset, at - counted), (at, counted)
        return given

    def _followed(self, now: float, counted: float) -> float:
        """The last time that was given and what has passed since, or nearer to what the clock says."""
        given, then = self._given
        passed = max(0.0, counted - then)
        off = now - given - passed
        if off < -self._ahead_s:
            return given
        if off > self._ahead_s:  # it was trusted before, and has been set back meanwhile
            return now
        return given + passed + min(max(off, -passed * FOLLOWED), passed * FOLLOWED)


# Gaming days: a day of the house begins at an hour of its own clock, and lasts until that hour of the next day.
#
# Entries are stamped in UTC. The day in which a clock is set is an hour shorter or longer, and nothing is lost in it.

ONE_DAY = timedelta(days=1)
EARLIEST, LATEST = date(2000, 1, 1), date(2999, 12, 31)
"""Days that a house can have."""


def begin_of(day: date, clock: ZoneInfo, begins_h: int) -> str:
    """When a gaming day begins. Where the clock skips that hour, at the moment of skipping."""
    return as_written(datetime.combine(day, dt.time(begins_h), clock))


def day_of(at: str, clock: ZoneInfo, begins_h: int) -> date:
    """The gaming day of a time."""
    local = datetime.fromisoformat(at).astimezone(clock)
    day = (local.replace(tzinfo=None) - timedelta(hours=begins_h)).date()
    while at < begin_of(day, clock, begins_h):  # where a clock is set, its hands alone may mislead by a day
        day -= ONE_DAY
    while at >= begin_of(day + ONE_DAY, clock, begins_h):
        day += ONE_DAY
    return day


def time_of(at: str) -> datetime:
    """The time that an entry is stamped with, as a time; in UTC where it does not say."""
    try:
        time_ = datetime.fromisoformat(at)
    except ValueError:
        raise NotationError(f"{at!r} is no time: write UTC as 2026-11-15T20:30:00Z.") from None
    return time_ if time_.tzinfo else time_.replace(tzinfo=UTC)


def told(at: str, zone: str) -> str:
    """A time as people read it, by the clock of a zone: `2026-11-15 14:07:09`; empty where there is none."""
    return time_of(at).astimezone(ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M:%S") if at else ""


def as_written(moment: datetime) -> str:
    """A time as the books write it."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
