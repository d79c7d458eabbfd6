"""A book done again: what is right comes out the same, and a book sealed anew with one thing altered is found there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from croupier.compliance.profile import Lawful
from croupier.errors import RecordError
from croupier.floor.link.acts import (
    Adjust,
    BackOut,
    CallSupervisor,
    EnterHand,
    IssueSlip,
    OpenLink,
    PaidIn,
    PaySlip,
    Receive,
    Reconfigure,
    ReopenGame,
    Retire,
    TakeBackHand,
    TakeCall,
    VoidAward,
)
from croupier.floor.link.link import CHANGE, Link, replay
from croupier.ledger.book import Book
from croupier.ledger.entry import Entry, Purpose, Transfer
from support.room import (
    COLOR,
    EXECUTIVE,
    MANAGER,
    ONE_METER,
    OTHER_MANAGER,
    SUITED,
    SUPERVISOR,
    TWO,
    LinkBook,
    with_level,
)


def everything() -> LinkBook:
    """A book with an entry of every kind but the last, `retire`."""
    old = LinkBook(name="old")
    old.close()
    old.do(Retire, by=MANAGER, second=EXECUTIVE, to="main")
    floor = LinkBook(opened=False)
    floor.do(Receive, by=MANAGER, second=EXECUTIVE, entry=old.entries[-1].as_json(), source="old", levels={"": ""})
    floor.do(OpenLink, by=MANAGER)
    floor.start(1, 1, 2, 5)
    floor.enter(1, 2, COLOR)
    floor.confirm(floor.enter(1, 5, COLOR, cards="7d 7h 7d"))
    floor.do(TakeBackHand, table=1, seat=2)
    award = floor.do(
        *(EnterHand,), table=1, seat=2, line=SUITED, cards="7d 7h 7d", override_by=SUPERVISOR, override_reason="camera"
    )
    floor.do(VoidAward, by=SUPERVISOR, award=award.number, reason="misread")
    floor.enter(1, 1, TWO)
    floor.do(TakeBackHand, table=1, seat=1)
    floor.enter(1, 1, COLOR)
    floor.do(CallSupervisor, table=1)
    floor.do(TakeCall, by=SUPERVISOR, table=1)
    floor.confirm(floor.entries[-3].number, by=EXECUTIVE)
    floor.end(1)
    floor.do(ReopenGame, by=SUPERVISOR, table=1, reason="late")
    floor.end(1)
    award_of = next(entry.facts["award"] for entry in floor.entries if entry.kind == "confirm")
    slip = floor.do(IssueSlip, by=MANAGER, award=award_of)
    floor.do(PaySlip, by=MANAGER, slip=slip.facts["slip"], paid_in=PaidIn.CASH)
    fields = {"level": "", "reason": Lawful.MALFUNCTION, "source": Purpose.METER, "target": Purpose.TRAY}
    floor.do(Adjust, by=MANAGER, second=EXECUTIVE, cents=7, text="sensor", **fields)
    back = next(entry.facts["award"] for entry in floor.entries if entry.kind == "confirm")
    floor.do(BackOut, by=MANAGER, second=EXECUTIVE, award=back, reason="the camera shows another hand")
    floor.close()
    floor.do(Reconfigure, by=MANAGER, second=OTHER_MANAGER, setup=with_level(ONE_METER, seed_cents=5))
    floor.do(Retire, by=MANAGER, second=EXECUTIVE, to="next")
    return floor


def test_a_right_book_comes_out_the_same() -> None:
    floor = everything()
    assert {entry.kind for entry in floor.entries} == set(CHANGE)
    assert replay("main", floor.entries).state == floor.link.state


def sealed_anew(entries: list[Entry], kind: str, change: Callable[[dict[str, Any]], None]) -> list[Entry]:
    """The book up to its first entry of that kind, which is changed and sealed so that every digest is right."""
    place = next(place for place, entry in enumerate(entries) if entry.kind == kind)
    book = Book()
    for entry in entries[:place]:
        book.add(entry)
    values = entries[place].as_json()
    change(values)
    transfers = [Transfer.of_list(each) for each in values["transfers"]]
    return [*entries[:place], book.next(values["at"], values["command"], kind, values["facts"], transfers)]


def more(units: int) -> Callable[[dict[str, Any]], None]:
    def change(values: dict[str, Any]) -> None:
        values["transfers"][0][2] += units

    return change


def fact(name: str, value: object) -> Callable[[dict[str, Any]], None]:
    def change(values: dict[str, Any]) -> None:
        values["facts"] = {**values["facts"], name: value}

    return change


@pytest.mark.parametrize(
    ("kind", "change", "words"),
    [
        ("start", more(-1), "moves other money than the rules say"),
        ("start", fact("seats", [1, 2]), "moves other money"),
        ("start", fact("round", 9), "says other things"),
        ("enter", fact("locked", [["meter", "pending", 1]]), "says other things"),
        ("enter", fact("line", "Three 7's - Same Suit"), "says other things"),
        ("pay", more(5_000_000), "moves other money"),
        ("confirm", fact("award", 1), "was not allowed: There is no undecided award 1: look"),
        ("confirm", fact("by", ["ann", "dealer"]), "was not allowed: A dealer may not confirm"),
        ("adjust", fact("second", ["max", "manager"]), "was not allowed"),
        ("adjust", fact("text", ""), "was not allowed: Say why"),
        ("back-out", fact("award", 1), "was not allowed: No card has confirmed an award 1"),
        ("back-out", fact("seed_units", 1), "says other things"),
        ("back-out", fact("reason", " "), "was not allowed: Say why"),
        ("back-out", fact("second", ["max", "manager"]), "was not allowed"),
        ("back-out", more(1), "moves other money"),
        ("make", fact("setup", ONE_METER.as_json() | {"decks": 8}), "was not allowed: Table 1 deals 6 decks"),
        ("open", fact("game_digest", "0"), "says other things"),
        ("end", fact("table", 2), "was not allowed: No game is on at table 2"),
    ],
)
def test_a_book_sealed_anew_is_found_at_the_entry(
    kind: str, change: Callable[[dict[str, Any]], None], words: str
) -> None:
    entries = everything().entries
    altered = sealed_anew(entries, kind, change)
    number = next(entry.number for entry in entries if entry.kind == kind)
    with pytest.raises(RecordError, match=rf"^Entry {number} of the book \({kind}\) {words}"):
        replay("main", altered)


def test_an_entry_without_its_facts_is_a_damaged_record() -> None:
    entries = sealed_anew(everything().entries[:4], "start", lambda values: values["facts"].pop("seats"))
    with pytest.raises(RecordError, match="Entry 4 of the book"):
        Link.of_entries("main", entries)
    with pytest.raises(RecordError, match="Entry 4 of the book"):
        replay("main", entries)
