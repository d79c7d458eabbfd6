"""What the meters showed over time, read from a link's book and then followed: for plots, not for proofs.

A day of a long book is read from where it begins: what stood there is what stands now without what was moved since.

A point is kept for every quarter of a minute of the last days and for every five minutes before, and one more wherever
a meter jumps, so that awards stay where they were. Whoever looks further back sees fewer points, not other ones: where
there are too many, every other one goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Lock
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import msgspec
from sqlalchemy import Column, Integer, LargeBinary, MetaData, String, Table, delete, insert, select
from sqlalchemy.exc import SQLAlchemyError

from croupier.audit.export import link_stream
from croupier.floor.act import EntryKind
from croupier.floor.link.brief import LinkBrief
from croupier.ledger.book import Flow, Sums, add_flows, move
from croupier.ledger.clock import as_written
from croupier.ledger.entry import UNITS_PER_CENT, Transfer
from croupier.ledger.rows import Moved, read_moved, read_transfers
from croupier.store.store import Row, Store
from croupier.web.errors import ApiError
from croupier.web.identity.store import MadeLater

DAY_S = 86_400
SPANS_S: dict[str, float | None] = {"day": DAY_S, "week": 7 * DAY_S, "all": None}
FINE_S, COARSE_S = 15.0, 300.0
FINE_FOR_S = 2.0 * DAY_S
JUMP = 0.02
"""A meter that is another by more than this part has jumped: an award, a void, an adjustment."""
MOST_POINTS = 20_000
"""Of either kind, so that years of play take no more memory than months."""
METER = "meter"
QUIET = frozenset({EntryKind.END, EntryKind.REOPEN, EntryKind.CALL, EntryKind.TAKE_CALL})
"""Kinds of entries that move no money."""
MOST_KNOWN = 4_096


class Point(NamedTuple):
    at: float
    """Seconds since 1970."""
    cents: tuple[int, ...]
    """By level, in the setup's order."""


Deltas = tuple[tuple[str, int], ...]
"""What an entry moved to meters, in units, by account."""


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
    _known: dict[bytes, Deltas] = field(default_factory=dict)
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
        """What an entry's text says of where the money went is mostly known: a long book is read quickly."""
        text = bytes(read_moved(body).transfers)
        deltas = self._known.get(text)
        if deltas is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            deltas = self._known[text] = _deltas(read_transfers(text))
        return deltas

    def _add(self, at: float, accounts: Sequence[str]) -> None:
        point = Point(at, tuple(self.units.get(account, 0) // UNITS_PER_CENT for account in accounts))
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
        points: list[Point] = []
        step = (now - inside[0].at) / most
        for point in inside:
            add_point(points, point, step)
        return [*points, Point(now, inside[-1].cents)] if points[-1].at < now else points

    def _is_fine_since(self, begin: float | None) -> bool:
        """Whether the fine points go back so far: to the book's first, or to a moment."""
        if self.fine[:1] == self.coarse[:1]:
            return True
        return begin is not None and self.fine[0].at <= begin


def _deltas(transfers: list[Moved]) -> Deltas:
    units: dict[str, int] = {}
    move(units, transfers)
    return tuple((account, moved) for account, moved in units.items() if account.startswith(METER))


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


@dataclass
class DaysFlow:
    """What wagers have brought to one link's meters since a gaming day began. Several may ask at the same time."""

    begin: str = ""
    number: int = 0
    """The last entry that was read."""
    sums: Sums = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def follow(self, store: Store, brief: LinkBrief, begin: str) -> None:
        """Read on to where the link stands; from the first entry of the day where another one has begun."""
        stream = link_stream(brief.name)
        if begin != self.begin:
            self.begin, self.number, self.sums = begin, store.number_before(stream, begin), {}
        for row in store.rows(stream, self.number, max(0, brief.entries - self.number)):
            if row.kind == EntryKind.START:
                add_flows(self.sums, row.kind, list(map(Transfer.of_list, read_moved(row.body).moved)))  # all or none
            self.number = row.number

    def fed_cents(self, level: str) -> int:
        """Whole cents; what is below one is not counted yet."""
        return self.sums.get(level, {}).get(Flow.CONTRIBUTIONS, 0) // UNITS_PER_CENT


# Where the plots of all time go on from after a restart: a link's sampled meters, beside the books, no part of them.
#
# What is kept names the entry that it was read to, with its digest: a book that says something else there is read
# anew.

SUFFIX = ".history"
KEEP_EVERY = 5_000
"""Entries: so many are read again after a restart at most."""

_META = MetaData()
_KEPT = Table(
    "meter_history",
    _META,
    Column("link", String(64), primary_key=True),
    Column("number", Integer, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("body", LargeBinary, nullable=False),
)


class _Body(msgspec.Struct):
    levels: tuple[str, ...]
    units: dict[str, int]
    fine: list[Point]
    coarse: list[Point]


_write = msgspec.msgpack.Encoder().encode
_read_kept = msgspec.msgpack.Decoder(_Body).decode


class HistoryStore(MadeLater):
    """Made when it is first used, on SQLite or PostgreSQL. It only saves time: what fails is read from the book."""

    def __init__(self, url: str) -> None:
        super().__init__(url, SUFFIX, _META)

    def take_up(self, link: str, history: MeterHistory) -> str:
        """Put what is kept of a link in a history that has read nothing yet; the digest of its last entry, or none."""
        try:
            with self._engine.connect() as db:
                row = db.execute(select(_KEPT).where(_KEPT.c.link == link)).first()
            if row is None or (body := _read_kept(row.body)).levels != history.levels:
                return ""
        except (SQLAlchemyError, msgspec.MsgspecError):
            return ""
        history.go_on(row.number, body.units, body.fine, body.coarse)
        return str(row.digest)

    def keep(self, link: str, history: MeterHistory, digest: str) -> None:
        body = _write(_Body(history.levels, history.units, history.fine, history.coarse))
        try:
            with self._engine.begin() as db:
                db.execute(delete(_KEPT).where(_KEPT.c.link == link))
                db.execute(insert(_KEPT).values(link=link, number=history.number, digest=digest, body=body))
        except SQLAlchemyError:  # another server was first, or there is no room: it is read from the book again
            return


# What a meter showed when somebody read it: play goes on while a figure is carried from the display to the console.
#
# Whoever reads writes down the minute. Clocks on walls differ a little, so the figures of that minute, of the one
# before and of the one after are looked at. Where one of them is what was read, the reading is held against it, and
# its entry proves it; otherwise against what stood at the end of that minute.

MINUTE = timedelta(minutes=1)
LATEST = timedelta(hours=24)
"""After so long nobody enters what was read."""


class Stood(NamedTuple):
    """What a meter showed from an entry on."""

    cents: int
    entry: int
    digest: str
    at: str


def minute_read(text: str, zone: str, now: str, begin: str) -> str:
    """The minute in which somebody read, as books write times: in the day that was read or after it, not to come."""
    try:
        moment = datetime.fromisoformat(text)
        local = moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(zone))
        minute = local.replace(second=0, microsecond=0)
        written, soon = as_written(minute), as_written(datetime.fromisoformat(now) + MINUTE)
        early = as_written(datetime.fromisoformat(now) - LATEST)
    except (ValueError, OverflowError):
        raise ApiError(422, "wrong-form", f"{text!r} is no time: write 2026-11-15T20:30.") from None
    if not max(begin, early) <= as_written(minute + MINUTE) or written > soon:
        raise ApiError(
            422,
            "not-read-then",
            f"{local:%Y-%m-%d %H:%M} is not when this was read: a reading is entered within 24 hours, and of its own "
            "gaming day or after it.",
        )
    return written


def shown_then(store: Store, brief: LinkBrief, level: str, read_cents: int, minute: str) -> dict[str, Any]:
    """What the link's book said in that minute; nothing where it has no such meter, or had none yet."""
    if level not in brief.shown_cents:
        return {}
    begins = datetime.fromisoformat(minute)
    stood = _stood(store, brief, level, as_written(begins - MINUTE), as_written(begins + 2 * MINUTE))
    if not stood:
        return {}
    then = [standing for standing in stood if standing.at < as_written(begins + MINUTE)] or stood[:1]
    shown = next((standing for standing in reversed(stood) if standing.cents == read_cents), then[-1])
    return shown._asdict()


def _stood(store: Store, brief: LinkBrief, level: str, begin: str, until: str) -> list[Stood]:
    """What the meter showed from one moment to another: what stands now, without what was moved since."""
    stream, account = link_stream(brief.name), f"meter:{level}" if level else "meter"
    before = store.number_before(stream, begin)
    moves: list[tuple[int, str, str, int]] = []
    since = 0
    for row in store.rows(stream, max(0, before - 1), brief.entries - max(0, before - 1)):
        deltas: dict[str, int] = {}
        move(deltas, read_moved(row.body).moved)
        moved = deltas.get(account, 0)
        if row.number > before:
            since += moved
        if row.number <= before or row.at < until:
            moves.append((row.number, row.digest, row.at, moved if row.number > before else 0))
    units, standings = brief.meter_units[level] - since, list[Stood]()
    for number, digest, at, moved in moves:
        units += moved
        standings.append(Stood(units // UNITS_PER_CENT, number, digest, at))
    return standings
