"""What the meters showed over time, read once from a link's book and then followed: for plots, not for proofs.

A point is kept for every quarter of a minute of the last days and for every five minutes before, and one more wherever
a meter jumps, so that awards stay where they were. Whoever looks further back sees fewer points, not other ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
METER = "meter"


class Point(NamedTuple):
    at: float
    """Seconds since 1970."""
    cents: tuple[int, ...]
    """By level, in the setup's order."""


class _Moves(msgspec.Struct):
    """Of an entry's text only where money went: a long book is read quickly."""

    transfers: list[tuple[str, str, int]]


_read = msgspec.json.Decoder(_Moves).decode


@dataclass
class MeterHistory:
    """One link's meters. Several may ask at the same time."""

    levels: tuple[str, ...]
    number: int = 0
    """The last entry that was read."""
    fine: list[Point] = field(default_factory=list)
    coarse: list[Point] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)
    _units: dict[str, int] = field(default_factory=dict)

    def follow(self, rows: Iterable[Row]) -> None:
        """Read on; the rows begin after `number`."""
        accounts = [f"{METER}:{level}" if level else METER for level in self.levels]
        for row in rows:
            self.number = row.number
            if self._move(_read(row.body).transfers):
                cents = tuple(self._units.get(each, 0) // UNITS_PER_CENT for each in accounts)
                point = Point(datetime.fromisoformat(row.at).timestamp(), cents)
                add_point(self.fine, point, FINE_S)
                add_point(self.coarse, point, COARSE_S)
        if self.fine and self.fine[0].at < self.fine[-1].at - 2 * FINE_FOR_S:
            self.fine = [point for point in self.fine if point.at >= self.fine[-1].at - FINE_FOR_S]

    def _move(self, transfers: list[tuple[str, str, int]]) -> bool:
        units, touched = self._units, False
        for source, target, moved in transfers:
            if source.startswith(METER):
                units[source] = units.get(source, 0) - moved
                touched = True
            if target.startswith(METER):
                units[target] = units.get(target, 0) + moved
                touched = True
        return touched

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
    return any(abs(new - old) > JUMP * old for old, new in zip(one.cents, other.cents, strict=True))


def history_json(levels: Sequence[tuple[str, str]], points: Sequence[Point]) -> dict[str, Any]:
    """Times once, and each level's cents beside them."""
    return {
        "at": [round(point.at, 3) for point in points],
        "levels": [
            {"level": level, "title": title, "cents": [point.cents[place] for point in points]}
            for place, (level, title) in enumerate(levels)
        ],
    }
