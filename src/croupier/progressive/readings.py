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
from datetime import date, datetime
from typing import Any, Self

from croupier.progressive.authority import Act
from croupier.progressive.forms import plain
from croupier.progressive.gaming_days import EARLIEST, LATEST, as_written
from croupier.progressive.refusals import No, refusal
from croupier.progressive.site_base import MOST_CENTS, SiteAct, check_number, check_word

LONGEST_NOTE = 500
DIGEST_DIGITS = 64


# Acts


@dataclass(frozen=True, kw_only=True)
class ReadMeter(SiteAct):
    """What somebody read off a display."""

    kind = "read-meter"
    needs = Act.READ_METERS
    day: str
    """The gaming day, as 2026-11-15."""
    link: str
    level: str
    """Empty for the meter of a link that has one."""
    read_cents: int
    display: str
    """Where it was read: `table 3`, `lobby`."""
    corrects: int | None = None
    """The entry of an earlier reading, there, of the same meter and day, that was mistyped."""
    note: str = ""
    seen_at: str = ""
    """When it was read, UTC, where somebody says so; otherwise it is held against the moment of its entry."""
    book: Mapping[str, Any] = field(default_factory=dict)
    """What the link's book said then: `cents`, `entry` and `digest`. The floor fills it in; for an earlier moment the
    server does, from the link's book."""

    def facts(self) -> dict[str, Any]:
        return {name: value for name, value in super().facts().items() if (name, value) != ("seen_at", "")}

    def check(self) -> None:
        check_day(self.day)
        check_word("link", self.link)
        if self.level:
            check_word("level", self.level)
        check_number("read_cents", self.read_cents, 0, MOST_CENTS)
        check_word("display", self.display)
        check_note(self.note)
        if self.seen_at:
            _check_moment(self.seen_at)


@dataclass(frozen=True, kw_only=True)
class CloseDay(SiteAct):
    """A gaming day that is over, closed as it stands."""

    kind = "close-day"
    needs = Act.CLOSE_DAY
    day: str
    note: str = ""
    links: Mapping[str, Any] = field(default_factory=dict)
    """By link: `entries` and `digest` of its last entry in the day, and its `levels`. The server fills it in."""
    checkpoints: Mapping[str, Any] = field(default_factory=dict)
    """By book: a signed checkpoint, where the server has a key to sign with."""

    def check(self) -> None:
        check_day(self.day)
        check_note(self.note)
        for name, figures in self.links.items():
            _check_figures(name, figures)


@dataclass(frozen=True, kw_only=True)
class KeepCheckpoint(SiteAct):
    """Signed checkpoints of books, put on record."""

    kind = "keep-checkpoint"
    needs = Act.CHECKPOINT
    day: str
    """UTC."""
    checkpoints: Mapping[str, Any]
    """By book, as `SignedCheckpoint` writes it. The server fills it in."""

    def check(self) -> None:
        check_day(self.day)


@dataclass(frozen=True, kw_only=True)
class NoteExport(SiteAct):
    """That the books or a report of them left the house, in whose hands, and how far they went then."""

    kind = "note-export"
    needs = Act.EXPORT
    books: Mapping[str, Any]
    """By book: the number of its last entry."""
    report: str = ""
    """The file's name, where it was a report and not the books themselves."""

    def facts(self) -> dict[str, Any]:
        return {name: value for name, value in super().facts().items() if (name, value) != ("report", "")}

    def check(self) -> None:
        check_note(self.report)
        for name, entries in self.books.items():
            if type(entries) is not int or entries < 0:
                raise refusal(No.WRONG_FORM, why=f"books of {name} is a number of entries, not {entries!r}")


def check_day(text: str) -> None:
    try:
        day = date.fromisoformat(text)
        fine = EARLIEST <= day <= LATEST and str(day) == text
    except ValueError:
        fine = False
    if not fine:
        raise refusal(No.WRONG_FORM, why=f"a gaming day is written as 2026-11-15, not {text[:20]!r}")


def _check_moment(text: str) -> None:
    try:
        fine = as_written(datetime.fromisoformat(text)) == text
    except (ValueError, OverflowError):
        fine = False
    if not fine:
        raise refusal(No.WRONG_FORM, why=f"seen_at is written as 2026-11-15T20:30:00.000000Z, not {text[:40]!r}")


def check_note(text: str) -> None:
    if len(text) > LONGEST_NOTE or not text.isprintable():
        raise refusal(No.WRONG_FORM, why=f"a note is one line of at most {LONGEST_NOTE} printable characters")


def _check_figures(name: str, figures: Any) -> None:
    match figures:
        case {"entries": int(entries), "digest": str(digest), "levels": [*levels]} if (
            entries >= 0 and len(digest) == DIGEST_DIGITS and all(map(_is_level, levels))
        ):
            return
    raise refusal(No.WRONG_FORM, why=f"the figures of the link {name} have entries, digest and levels in units")


def _is_level(values: Any) -> bool:
    needed = {"level", "opening_units", "closing_units", "difference_units"}
    return (
        isinstance(values, Mapping)
        and values.keys() >= needed
        and all(type(value) is (str if name == "level" else int) for name, value in values.items())
    )


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
        made = {name: value for name, value in plain(self).items() if (name, value) != ("seen_at", "")}
        return {**made, "difference_cents": self.difference_cents}


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
        return [each for each in self.readings.values() if each.day == day]

    def as_json(self) -> dict[str, Any]:
        return {
            "first": self.first,
            "readings": [plain(each) for each in self.readings.values()],
            "closed": dict(self.closed),
            "signed": dict(self.signed),
        }

    @classmethod
    def of_json(cls, values: Mapping[str, Any]) -> Self:
        readings = [MeterReading(**each) for each in values["readings"]]
        kept = {each.entry: each for each in readings}
        return cls(values["first"], kept, dict(values["closed"]), dict(values["signed"]))


def reading_of(entry: int, at: str, facts: Mapping[str, Any]) -> MeterReading:
    """A reading as its entry tells it."""
    return MeterReading(
        *(entry, at, facts["day"], facts["link"], facts["level"], facts["display"], facts["read_cents"]),
        *(facts["book"]["cents"], facts["book"]["entry"], facts["by"], facts["note"], facts["corrects"]),
        seen_at=facts.get("seen_at", ""),
    )


def not_read(links: Mapping[str, Any], readings: list[MeterReading]) -> Iterator[list[str]]:
    """Meters that nobody has read."""
    seen = {each.meter for each in readings if each.stands}
    for link, figures in links.items():
        for level in figures["levels"]:
            if (link, level["level"]) not in seen:
                yield [link, level["level"]]
