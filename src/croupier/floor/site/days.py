"""The end of a gaming day in the site's book: what people read off the displays, and the day as it was closed.

A reading is one entry: the day, the meter, the display, the whole cents that somebody saw, and what the book said at
that moment: when it was entered or, where somebody says when the figure was read, then. It is never edited: whoever
mistyped enters another one, which names the first, and both stay. A day is closed once, by an entry that carries every
meter's opening, flows and closing value beside the readings, with the last entry of each link's book; whatever is
entered later does not change it. A difference never stops a day from being closed: it is on record with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from croupier.floor.facts import ReadMeterFacts, facts_of
from croupier.floor.forms import plain
from croupier.ledger.entry import Entry

# Acts


# What the site keeps


@dataclass(frozen=True)
class MeterReading:
    """A reading of a day that is not closed yet."""

    entry: int
    at: str
    day: str
    link: str
    level: str
    display: str
    read_cents: int
    book_cents: int
    """What the display had to show then."""
    book_entry: int
    by: str
    note: str = ""
    corrects: int | None = None
    corrected_by: int | None = None
    seen_at: str = ""
    """When it was read, where somebody said so."""

    @property
    def meter(self) -> tuple[str, str]:
        return self.link, self.level

    @property
    def difference_cents(self) -> int:
        return self.read_cents - self.book_cents

    @property
    def stands(self) -> bool:
        return self.corrected_by is None

    def as_json(self) -> dict[str, Any]:
        fields = {name: value for name, value in plain(self).items() if (name, value) != ("seen_at", "")}
        return {**fields, "difference_cents": self.difference_cents}


@dataclass
class Days:
    """Readings of days that are open, and which days are closed."""

    first: str = ""
    """The gaming day in which the site was created."""
    readings: dict[int, MeterReading] = field(default_factory=dict)
    """By entry."""
    closed: dict[str, int] = field(default_factory=dict)
    """By day: the entry that closed it."""
    signed: dict[str, str] = field(default_factory=dict)
    """By book: the last day (UTC) that a checkpoint was kept for."""

    def of_day(self, day: str) -> list[MeterReading]:
        return [reading for reading in self.readings.values() if reading.day == day]

    def as_json(self) -> dict[str, Any]:
        return {
            "first": self.first,
            "readings": [plain(reading) for reading in self.readings.values()],
            "closed": dict(self.closed),
            "signed": dict(self.signed),
        }

    @classmethod
    def of_json(cls, values: Mapping[str, Any]) -> Self:
        readings = [MeterReading(**value) for value in values["readings"]]
        kept = {reading.entry: reading for reading in readings}
        return cls(values["first"], kept, dict(values["closed"]), dict(values["signed"]))


def reading_of(entry: Entry) -> MeterReading:
    """A reading as its entry tells it."""
    facts = facts_of(ReadMeterFacts, entry)
    return MeterReading(
        *(entry.number, entry.at, facts["day"], facts["link"], facts["level"], facts["display"], facts["read_cents"]),
        *(facts["book"]["cents"], facts["book"]["entry"], facts["by"], facts["note"], facts["corrects"]),
        seen_at=facts.get("seen_at", ""),
    )


def not_read(links: Mapping[str, Any], readings: list[MeterReading]) -> Iterator[list[str]]:
    """Meters that nobody has read."""
    seen = {reading.meter for reading in readings if reading.stands}
    for link, figures in links.items():
        for level in figures["levels"]:
            if (link, level["level"]) not in seen:
                yield [link, level["level"]]
