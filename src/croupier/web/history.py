"""What the meters showed over time, read from a link's book and then followed: for plots, not for proofs.

A day of a long book is read from where it begins: what stood there is what stands now without what was moved since.

A point is kept for every quarter of a minute of the last days and for every five minutes before, and one more wherever
a meter jumps, so that awards stay where they were. Whoever looks further back sees fewer points, not other ones: where
there are too many, every other one goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from typing import Any, NamedTuple

import msgspec

from croupier.progressive.ledger import UNITS_PER_CENT
from croupier.progressive.store import Row

DAY_S = 86_400
SPANS_S: dict[str, float | None] = {"day": DAY_S, "week": 7 * DAY_S, "all": None}
FINE_S, COARSE_S = 15.0, 300.0
FINE_FOR_S = 2.0 * DAY_S
JUMP = 0.02
"""A meter that is another by more than this part has jumped: an award, a void, an adjustment."""
MOST_POINTS = 20_000
"""Of either kind, so that years of play take no more memory than months."""
METER = "meter"
QUIET = frozenset({"end", "call"})
"""Kinds of entries that move no money."""
MOVES = '"transfers":'
MOST_KNOWN = 4_096


class Point(NamedTuple):
    at: float
    """Seconds since 1970."""
    cents: tuple[int, ...]
    """By level, in the setup's order."""


Deltas = tuple[tuple[str, int], ...]
"""What an entry moved to meters, in units, by account."""
_read = msgspec.json.Decoder(list[tuple[str, str, int]]).decode


@dataclass
class MeterHistory:
    """One link's meters. Several may ask at the same time."""

    levels: tuple[str, ...]
    number: int = 0
    """The last entry that was read."""
    fine: list[Point] = field(default_factory=list)
    coarse: list[Point] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)
    units: dict[str, int] = field(default_factory=dict)
    """What lies on the meters after that entry, by account."""
    _known: dict[str, Deltas] = field(default_factory=dict)
    """By their text: most entries of a book move what others have moved."""

    @property
    def _accounts(self) -> list[str]:
        return [f"{METER}:{level}" if level else METER for level in self.levels]

    def follow(self, rows: Iterable[Row]) -> None:
        """Read on; the rows begin after `number`."""
        accounts = self._accounts
        for row in rows:
            self.number = row.number
            if row.kind in QUIET:
                continue
            deltas = self._moved(row.body)
            for account, moved in deltas:
                self.units[account] = self.units.get(account, 0) + moved
            if deltas:
                self._add(datetime.fromisoformat(row.at).timestamp(), accounts)
        if self.fine and self.fine[0].at < self.fine[-1].at - 2 * FINE_FOR_S:
            self.fine = [point for point in self.fine if point.at >= self.fine[-1].at - FINE_FOR_S]

    def go_on(self, number: int, units: Mapping[str, int], fine: list[Point], coarse: list[Point]) -> None:
        """Take up what was read before, to this entry."""
        self.number, self.units, self.fine, self.coarse = number, dict(units), fine, coarse

    def _moved(self, body: str) -> Deltas:
        """Of an entry's text only its end, where the money went, and that mostly known: a long book is read quickly."""
        text = body.rpartition(MOVES)[2]
        found = self._known.get(text)
        if found is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            found = self._known[text] = _deltas(_read(text.removesuffix("}")))
        return found

    def _add(self, at: float, accounts: Sequence[str]) -> None:
        point = Point(at, tuple(self.units.get(each, 0) // UNITS_PER_CENT for each in accounts))
        add_point(self.fine, point, FINE_S)
        add_point(self.coarse, point, COARSE_S)
        for points in (self.fine, self.coarse):
            if len(points) > MOST_POINTS:
                points[1:-1] = points[1:-1:2]

    def begin_with(self, number: int, at: float, now_units: Mapping[str, int], since: Iterable[Row]) -> None:
        """Begin after an entry in the middle of a book: with what stands now, by level, and the entries since then."""
        moved: dict[str, int] = {}
        for row in since:
            for account, units in self._moved(row.body):
                moved[account] = moved.get(account, 0) + units
        accounts = self._accounts
        for account, level in zip(accounts, self.levels, strict=True):
            self.units[account] = now_units.get(level, 0) - moved.get(account, 0)
        self.number = number
        self._add(at, accounts)

    def shown(self, span_s: float | None, now: float, most: int) -> list[Point]:
        """The last so many seconds, or all, in not many more points than asked for; what stood before begins it."""
        begin = now - span_s if span_s is not None else None
        whole = self.fine if self._is_fine_since(begin) else self.coarse
        inside = [point for point in whole if begin is None or point.at > begin]
        before = [point for point in whole if begin is not None and point.at <= begin]
        if before and begin is not None:
            inside.insert(0, Point(begin, before[-1].cents))
        if not inside:
            return []
        made: list[Point] = []
        step = (now - inside[0].at) / most
        for point in inside:
            add_point(made, point, step)
        return [*made, Point(now, inside[-1].cents)] if made[-1].at < now else made

    def _is_fine_since(self, begin: float | None) -> bool:
        """Whether the fine points go back so far: to the book's first, or to a moment."""
        if self.fine[:1] == self.coarse[:1]:
            return True
        return begin is not None and self.fine[0].at <= begin


def _deltas(transfers: list[tuple[str, str, int]]) -> Deltas:
    found: dict[str, int] = {}
    for source, target, moved in transfers:
        for account, units in ((source, -moved), (target, moved)):
            if account.startswith(METER):
                found[account] = found.get(account, 0) + units
    return tuple(found.items())


def add_point(points: list[Point], point: Point, step_s: float) -> None:
    """In place of the last one of the same step; beside it, where a meter has jumped. The first one stays."""
    if len(points) < 2 or step_s <= 0:
        points.append(point)
        return
    before, last = points[-2:]
    if _jumped(last, point) or _jumped(before, last) or last.at // step_s != point.at // step_s:
        points.append(point)
    else:
        points[-1] = point


def _jumped(one: Point, other: Point) -> bool:
    for old, new in zip(one.cents, other.cents, strict=True):  # noqa: SIM110  (a generator takes twice as long)
        if abs(new - old) > JUMP * old:
            return True
    return False


def history_json(levels: Sequence[tuple[str, str]], points: Sequence[Point]) -> dict[str, Any]:
    """Times once, and each level's cents beside them."""
    return {
        "at": [round(point.at, 3) for point in points],
        "levels": [
            {"level": level, "title": title, "cents": [point.cents[place] for point in points]}
            for place, (level, title) in enumerate(levels)
        ],
    }
