"""What a meter showed when somebody read it: play goes on while a figure is carried from the display to the console.

Whoever reads writes down the minute. Clocks on walls differ a little, so the figures of that minute, of the one before
and of the one after are looked at. Where one of them is what was read, the reading is held against it, and its entry
proves it; otherwise against what stood at the end of that minute.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from croupier.progressive.briefs import LinkBrief
from croupier.progressive.export import link_stream
from croupier.progressive.gaming_days import as_written
from croupier.progressive.ledger import UNITS_PER_CENT
from croupier.progressive.store import Store
from croupier.web.errors import ApiError

MINUTE = timedelta(minutes=1)
LATEST = timedelta(hours=24)
"""After so long nobody enters what was read."""


class _Moves(msgspec.Struct):
    transfers: list[tuple[str, str, int]]


_read = msgspec.json.Decoder(_Moves).decode


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
        found, soon = as_written(minute), as_written(datetime.fromisoformat(now) + MINUTE)
        early = as_written(datetime.fromisoformat(now) - LATEST)
    except (ValueError, OverflowError):
        raise ApiError(422, "wrong-form", f"{text!r} is no time: write 2026-11-15T20:30.") from None
    if not max(begin, early) <= as_written(minute + MINUTE) or found > soon:
        raise ApiError(
            422,
            "not-read-then",
            f"{local:%Y-%m-%d %H:%M} is not when this was read: a reading is entered within 24 hours, and of its own "
            "gaming day or after it.",
        )
    return found


def shown_then(store: Store, brief: LinkBrief, level: str, read_cents: int, minute: str) -> dict[str, Any]:
    """What the link's book said in that minute; nothing where it has no such meter, or had none yet."""
    if level not in brief.shown_cents:
        return {}
    begins = datetime.fromisoformat(minute)
    stood = _stood(store, brief, level, as_written(begins - MINUTE), as_written(begins + 2 * MINUTE))
    if not stood:
        return {}
    then = [each for each in stood if each.at < as_written(begins + MINUTE)] or stood[:1]
    found = next((each for each in reversed(stood) if each.cents == read_cents), then[-1])
    return found._asdict()


def _stood(store: Store, brief: LinkBrief, level: str, begin: str, until: str) -> list[Stood]:
    """What the meter showed from one moment to another: what stands now, without what was moved since."""
    stream, account = link_stream(brief.name), f"meter:{level}" if level else "meter"
    before = store.number_before(stream, begin)
    moves: list[tuple[int, str, str, int]] = []
    since = 0
    for row in store.rows(stream, max(0, before - 1), brief.entries - max(0, before - 1)):
        moved = sum(
            units * ((target == account) - (source == account)) for source, target, units in _read(row.body).transfers
        )
        if row.number > before:
            since += moved
        if row.number <= before or row.at < until:
            moves.append((row.number, row.digest, row.at, moved if row.number > before else 0))
    units, found = brief.meter_units[level] - since, list[Stood]()
    for number, digest, at, moved in moves:
        units += moved
        found.append(Stood(units // UNITS_PER_CENT, number, digest, at))
    return found
