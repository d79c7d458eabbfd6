"""Readings and the close of a gaming day in the site's book: each reading stays, a day is closed once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from croupier.compliance.authority import Denied, Role
from croupier.errors import Refusal
from croupier.floor.forms import Signed
from croupier.floor.refusals import No
from croupier.floor.site.acts import CloseDay, KeepCheckpoint, NoteExport, ReadMeter, SiteAct
from croupier.floor.site.site import Site
from croupier.ledger.checkpoint import Checkpoint, new_key
from croupier.ledger.entry import Entry
from support.room import EXECUTIVE, MANAGER, OTHER_MANAGER, SUPERVISOR, SiteBook, founding, hashed_cards

DAY, NEXT = "2026-11-15", "2026-11-16"
EVENING = "2026-11-16T12:00:00.000000Z"
"""Four in the morning of the next date in Los Angeles: the gaming day is still on."""
OVER = "2026-11-16T14:00:00.000000Z"
BOOK = {"cents": 1_000_230, "entry": 7, "digest": "a" * 64}
LEVEL = {"level": "", "opening_units": 0, "closing_units": 5, "difference_units": 0}
LINKS = {"main": {"entries": 9, "digest": "b" * 64, "levels": [LEVEL]}}


PEOPLE = (OTHER_MANAGER, MANAGER, SUPERVISOR, EXECUTIVE, Signed("aud", Role.AUDITOR))


class Place:
    """A site, its entries, and an id for every act."""

    def __init__(self) -> None:
        book = SiteBook(founding(hashed_cards(PEOPLE), PEOPLE, ()), at=f"{DAY}T20:00:00Z")
        self.book, self.site, self.entries = book, book.site, book.entries

    def act(self, kind: type[SiteAct], by: str = "sue", **values: Any) -> SiteAct:
        return kind(id=f"c{len(self.entries)}", by=by, **values)

    def do(self, kind: type[SiteAct], at: str = EVENING, by: str = "sue", **values: Any) -> Entry:
        return self.book.do(self.act(kind, by, **values), at)

    def read(self, cents: int = 1_000_230, at: str = EVENING, **values: Any) -> Entry:
        given = {"day": DAY, "link": "main", "level": "", "display": "table 1", "book": BOOK, **values}
        return self.do(ReadMeter, at, read_cents=cents, **given)

    def close(self, at: str = OVER, **values: Any) -> Entry:
        return self.do(CloseDay, at, **{"by": "eve", "day": DAY, "links": LINKS, **values})


@pytest.fixture
def place() -> Place:
    return Place()


def refused(code: str, do: Callable[..., object], *args: Any, **values: Any) -> str:
    with pytest.raises(Refusal) as found:
        do(*args, **values)
    assert found.value.code == code
    return str(found.value)


# Readings


def test_a_reading_is_kept_with_what_the_book_said_then(place: Place) -> None:
    entry = place.read(1_000_200, note="One digit is dark.")
    assert (entry.kind, entry.transfers) == ("read-meter", ())
    assert (entry.facts["by"], entry.facts["difference_cents"], entry.facts["book"]) == ("sue", -30, BOOK)
    [reading] = place.site.days.of_day(DAY)
    assert (reading.entry, reading.difference_cents, reading.stands) == (entry.number, -30, True)


def test_a_mistyped_reading_stays_beside_the_one_that_names_it(place: Place) -> None:
    first = place.read(1)
    sentence = refused(No.ALREADY_READ, place.read, 1_000_230)
    assert f"entry {first.number}" in sentence
    second = place.read(corrects=first.number)
    one, two = place.site.days.of_day(DAY)
    assert (one.read_cents, one.corrected_by, two.corrects, two.stands) == (1, second.number, first.number, True)
    refused(No.NO_SUCH_READING, place.read, corrects=first.number)  # it was put right already
    refused(No.NO_SUCH_READING, place.read, corrects=second.number, display="lobby")
    refused(No.NO_SUCH_READING, place.read, corrects=1)


def test_each_display_is_read_by_itself(place: Place) -> None:
    for display in ("table 1", "table 2", "lobby"):
        place.read(display=display)
    assert len(place.site.days.of_day(DAY)) == 3


def test_only_meters_and_days_that_there_are_can_be_read(place: Place) -> None:
    assert "'Mega'" in refused(No.NO_SUCH_METER, place.read, level="Mega", book={})
    refused(No.NO_SUCH_DAY, place.read, day="2026-11-14")
    assert f"from {DAY} to {DAY}" in refused(No.NO_SUCH_DAY, place.read, day=NEXT)
    place.read(day=NEXT, at=OVER)  # the next day has begun


def test_whoever_reads_or_closes_must_be_allowed(place: Place) -> None:
    refused(Denied.NOT_ALLOWED, place.read, by="aud")
    refused(Denied.NOT_ALLOWED, place.close, by="sue")
    refused(Denied.UNKNOWN_PERSON, place.read, by="zoe")


@pytest.mark.parametrize(
    "wrong",
    [
        {"day": "15.11.2026"},
        {"day": "20261115"},
        {"day": "2026-W46-7"},
        {"day": "1815-11-15"},
        {"read_cents": -1},
        {"display": ""},
        {"link": ""},
        {"level": " x"},
        {"note": "two\nlines"},
    ],
)
def test_a_reading_of_the_wrong_form_cannot_be_made(wrong: dict[str, Any]) -> None:
    given = {"day": DAY, "link": "main", "level": "", "display": "table 1", "read_cents": 5, **wrong}
    refused(No.WRONG_FORM, ReadMeter, id="x", by="sue", **given)


# The close


def test_a_day_is_closed_once_and_stays_as_it_was(place: Place) -> None:
    place.read()
    entry = place.close()
    assert (entry.facts["agrees"], entry.facts["not_read"], entry.facts["links"]) == (True, [], LINKS)
    assert (entry.facts["from"], entry.facts["until"]) == ("2026-11-15T14:00:00.000000Z", OVER)
    assert [each["read_cents"] for each in entry.facts["readings"]] == [1_000_230]
    assert f"entry {entry.number}" in refused(No.DAY_CLOSED, place.close)
    refused(No.DAY_CLOSED, place.read, at=OVER, display="lobby")
    assert place.site.days.of_day(DAY) == []


def test_a_day_is_not_closed_before_it_is_over(place: Place) -> None:
    assert "it ends at 2026-11-16 06:00:00" in refused(No.NOT_YET, place.close, EVENING)
    refused(No.NOT_YET, place.close, "2026-11-16T13:59:59.999999Z")
    place.close(OVER)


@pytest.mark.parametrize("wrong", ["difference", "not read", "corrected", "unexplained"])
def test_differences_are_closed_with_and_not_hidden(place: Place, wrong: str) -> None:
    if wrong == "difference":
        place.read(1_000_229)
    if wrong == "corrected":  # the wrong reading stays, and does not count
        place.read(corrects=place.read(5).number)
    links = LINKS
    if wrong == "unexplained":
        place.read()
        links = {"main": {**LINKS["main"], "levels": [{**LEVEL, "difference_units": 1}]}}
    facts = place.close(links=links).facts
    assert facts["agrees"] is (wrong == "corrected")
    assert facts["not_read"] == ([["main", ""]] if wrong == "not read" else [])
    assert len(facts["readings"]) == {"difference": 1, "not read": 0, "corrected": 2, "unexplained": 1}[wrong]


def test_a_close_carries_figures_of_the_right_form_only() -> None:
    for figures in ({}, {"main": 5}, {"main": {**LINKS["main"], "digest": "x"}}):
        if figures:
            refused(No.WRONG_FORM, CloseDay, id="x", by="eve", day=DAY, links=figures)
    broken = {"main": {**LINKS["main"], "levels": [{**LEVEL, "closing_units": 1.5}]}}
    refused(No.WRONG_FORM, CloseDay, id="x", by="eve", day=DAY, links=broken)


def test_everything_follows_from_the_entries_and_the_snapshot(place: Place) -> None:
    place.read(5)
    place.read(display="lobby")
    place.close()
    place.read(day=NEXT, at=OVER)
    again = Site.of_entries(place.entries)
    assert again.snapshot() == place.site.snapshot() == Site.of_snapshot(place.site.snapshot()).snapshot()
    assert (again.days.closed, len(again.days.readings)) == ({DAY: place.entries[-2].number}, 1)


# Checkpoints and exports


def test_checkpoints_are_kept_if_they_are_signed_and_new(place: Place, tmp_path: Path) -> None:
    signed = Checkpoint("link:main", DAY, 9, "b" * 64, {"house": -5, "meter": 5}).signed(new_key(tmp_path / "k"))
    given: dict[str, Any] = {"by": "aud", "day": DAY, "checkpoints": {"link:main": signed.as_json()}}
    place.do(KeepCheckpoint, **given)
    refused(No.CHECKPOINT_KEPT, place.do, KeepCheckpoint, **given)
    refused(No.CHECKPOINT_KEPT, place.do, KeepCheckpoint, by="aud", day=NEXT, checkpoints={})
    refused(No.CHECKPOINT_KEPT, place.close, checkpoints=given["checkpoints"])
    forged = {**signed.as_json(), "signature": "00" * 64}
    refused(No.BAD_CHECKPOINT, place.do, KeepCheckpoint, by="aud", day=DAY, checkpoints={"link:main": forged})
    refused(No.BAD_CHECKPOINT, place.do, KeepCheckpoint, by="aud", day=DAY, checkpoints={"x": signed.as_json()})
    refused(Denied.NOT_ALLOWED, place.do, KeepCheckpoint, **{**given, "by": "eve"})


def test_an_export_is_on_record(place: Place) -> None:
    entry = place.do(NoteExport, by="aud", books={"site": 5, "link:main": 9})
    assert (entry.facts["by"], entry.facts["books"]) == ("aud", {"site": 5, "link:main": 9})
    refused(Denied.NOT_ALLOWED, place.do, NoteExport, by="sue", books={})
    refused(No.WRONG_FORM, NoteExport, id="x", by="aud", books={"site": "all"})
