"""Who was what when, and by which rules the place went: what the site's book tells of the past.

Books are tied to each other by time alone. A change of the site counts on a link from the moment that the site's entry
was durable, which is after the time in it, and clocks may be off by as much as a floor lets them: so around each change
what held before and what holds after are both right, for `SLACK_S` to either side.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from croupier.progressive.clock import AHEAD_S
from croupier.progressive.signing import Signed
from croupier.progressive.site import Site

SLACK_S = AHEAD_S
"""As much as a clock may be ahead without being doubted."""
FOREVER = "~"
"""After every time."""


@dataclass(frozen=True)
class Place:
    """Whose rules the site went by, and where its days began."""

    since: str
    profile: str
    zone: str

    def site(self) -> Site:
        """A site that knows no more than its place."""
        return Site(profile=self.profile, zone=self.zone)


@dataclass
class Roster:
    """Everybody who was ever enrolled, with the times at which they could sign in each role."""

    spells: dict[Signed, list[tuple[str, str]]] = field(default_factory=dict)
    """From and to, with the slack."""
    places: list[Place] = field(default_factory=list)
    _now: dict[str, tuple[Signed, str]] = field(default_factory=dict)
    _changes: list[str] = field(default_factory=list)
    """Times at which an answer may become another."""

    # Keeping

    def take(self, site: Site, person: str, at: str) -> None:
        """Keep what an entry of this time has made of the site and, where it was about one, of a person."""
        if person in site.people.by_id:
            self._person(site, person, at)
        place = Place(at, site.profile, site.zone)
        if not self.places or (self.places[-1].profile, self.places[-1].zone) != (place.profile, place.zone):
            self.places.append(place)
            self._changes += [moved(at, -SLACK_S), moved(at, SLACK_S)]

    def _person(self, site: Site, person: str, at: str) -> None:
        found = site.people.by_id[person]
        signed = found.signed if found.active else None
        before = self._now.pop(person, None)
        if signed:
            self._now[person] = (signed, before[1]) if before and before[0] == signed else (signed, moved(at, -SLACK_S))
        if before and before[0] != signed:
            self.spells.setdefault(before[0], []).append((before[1], moved(at, SLACK_S)))
        self._changes += [moved(at, -SLACK_S), moved(at, SLACK_S)]

    # Asking

    def could_sign(self, signed: Signed, at: str) -> bool:
        now = self._now.get(signed.person)
        if now and now[0] == signed and now[1] <= at:
            return True
        return any(start <= at <= end for start, end in self.spells.get(signed, ()))

    def places_at(self, at: str) -> list[Place]:
        """The place then; two where it had just changed, or was about to."""
        begins = [each.since for each in self.places]
        first = max(0, bisect_right(begins, moved(at, -SLACK_S)) - 1)
        return self.places[first : max(first + 1, bisect_right(begins, moved(at, SLACK_S)))]

    def until(self, at: str) -> str:
        """From this time on an answer may be another: somebody or the place changes, or the site's day ends."""
        self._changes.sort()
        after = bisect_right(self._changes, at)
        ends = [self._changes[after]] if after < len(self._changes) else []
        ends += [_end_of_day(at, place.zone) for place in self.places_at(at)]
        return min(ends, default=FOREVER)


def moved(at: str, by_s: float) -> str:
    """A time so many seconds later or, where they are negative, earlier; as the clock writes it."""
    try:
        return _written(datetime.fromisoformat(at) + timedelta(seconds=by_s))
    except OverflowError:
        return FOREVER if by_s > 0 else ""


def _written(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _end_of_day(at: str, zone: str) -> str:
    try:
        here = datetime.fromisoformat(at).astimezone(ZoneInfo(zone))
        return _written(datetime.combine(here.date() + timedelta(days=1), time(), ZoneInfo(zone)))
    except OverflowError:
        return FOREVER
