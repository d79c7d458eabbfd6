"""A link as a whole: acts read back, entries alone make it, a snapshot resumes it, and every refusal is known."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from croupier.compliance.authority import Denied, Role, may
from croupier.compliance.profile import Lawful
from croupier.errors import RecordError, Refusal
from croupier.floor.act import read_act
from croupier.floor.forms import Signed
from croupier.floor.link.acts import (
    ACTS,
    Adjust,
    BackOut,
    CallSupervisor,
    CloseLink,
    Confirm,
    EndGame,
    EnterHand,
    Identity,
    IssueSlip,
    LinkAct,
    MakeLink,
    OpenLink,
    PaidIn,
    PaySlip,
    Receive,
    Reconfigure,
    ReopenGame,
    Retire,
    StartGame,
    TakeBackHand,
    TakeCall,
    VoidAward,
)
from croupier.floor.link.link import CHANGE, DECIDE, Link
from croupier.floor.refusals import SENTENCES, No
from croupier.ledger.entry import Entry, Purpose
from support.room import (
    COLOR,
    DEALER,
    EXECUTIVE,
    MANAGER,
    ONE_METER,
    OTHER_MANAGER,
    SUITED,
    SUPERVISOR,
    THREE_METERS,
    LinkBook,
)

ADJUST: dict[str, Any] = {
    "level": "",
    "reason": Lawful.MALFUNCTION,
    "source": Purpose.METER,
    "target": Purpose.HOUSE,
    "cents": 5,
}
EXAMPLES: tuple[LinkAct, ...] = (
    StartGame(id="1", by=DEALER, table=1, lit=(1, 4), based=(1, 2, 4)),
    EndGame(id="2", by=DEALER, table=1),
    EnterHand(id="3", by=DEALER, table=1, seat=4, line=SUITED),
    EnterHand(
        id="3b",
        by=DEALER,
        table=1,
        seat=4,
        line=SUITED,
        cards="7d 7d 7s",
        override_by=SUPERVISOR,
        override_reason="camera",
    ),
    TakeBackHand(id="4", by=DEALER, table=1, seat=4),
    CallSupervisor(id="5", by=DEALER, table=1),
    Confirm(id="6", by=EXECUTIVE, award=3),
    VoidAward(id="7", by=SUPERVISOR, award=3, reason="misread"),
    ReopenGame(id="7b", by=SUPERVISOR, table=1, reason="late"),
    IssueSlip(id="7c", by=MANAGER, award=3),
    PaySlip(id="7d", by=MANAGER, slip=1, paid_in=PaidIn.CHECK, identity=Identity.PASSPORT),
    MakeLink(id="8", by=MANAGER, second=OTHER_MANAGER, link="main", setup=THREE_METERS),
    OpenLink(id="9", by=MANAGER, approved="ab"),
    CloseLink(id="10", by=MANAGER, reason="bank"),
    Adjust(id="11", by=MANAGER, second=EXECUTIVE, text="why", award=3, **ADJUST),
    TakeCall(id="16", by=SUPERVISOR, table=1),
    BackOut(id="15", by=MANAGER, second=EXECUTIVE, award=3, reason="wrong seat"),
    Reconfigure(id="12", by=MANAGER, second=OTHER_MANAGER, setup=ONE_METER),
    Retire(id="13", by=MANAGER, second=OTHER_MANAGER, to="other"),
    TakeCall(id="15", by=SUPERVISOR, table=1),
    Receive(id="14", by=MANAGER, second=OTHER_MANAGER, entry={"number": 1}, source="old", levels={"": "Mega"}),
)


# Acts


@pytest.mark.parametrize("act", EXAMPLES, ids=lambda act: f"{act.id}-{act.kind}")
def test_an_act_reads_back_from_its_json(act: LinkAct) -> None:
    assert read_act(ACTS, json.loads(json.dumps(act.as_json()))) == act


def test_every_act_has_an_example_a_decision_and_a_change() -> None:
    assert {act.kind for act in EXAMPLES} == set(ACTS)
    assert set(ACTS.values()) == set(DECIDE)
    assert set(ACTS) | {"pay", "unpay"} == set(CHANGE)


@pytest.mark.parametrize("wrong", ["", "x" * 65, "a\nb"])
def test_an_id_is_short_and_printable(wrong: str) -> None:
    with pytest.raises(Refusal, match="an id has 1 to 64 printable characters") as caught:
        EndGame(id=wrong, by=DEALER, table=1)
    assert caught.value.code == No.WRONG_FORM


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (None, "an act has a kind"),
        ([], "an act has a kind"),
        ({"kind": "steal"}, "an act has a kind"),
        ({"kind": "end", "id": "1", "by": ["ann", "dealer"]}, "EndGame needs table"),
        ({"kind": "end", "id": "1", "by": ["ann", "dealer"], "table": "1"}, "whole number"),
        ({"kind": "end", "id": "1", "by": ["ann", "dealer"], "table": 10**30}, "whole number"),
        ({"kind": "end", "id": 1, "by": ["ann", "dealer"], "table": 1}, "EndGame.id is a text"),
        ({"kind": "end", "id": "1", "by": ["ann", "king"], "table": 1}, "a person and a role"),
        ({"kind": "end", "id": "1", "by": "ann", "table": 1}, "a person and a role"),
        ({"kind": "end", "id": "1", "by": ["", "dealer"], "table": 1}, "1 to 64 printable characters"),
        ({"kind": "end", "id": "1", "by": ["ann ", "dealer"], "table": 1}, "no blank before or after"),
        ({"kind": "end", "id": "1", "by": [" ann", "dealer"], "table": 1}, "no blank before or after"),
        ({"kind": "end", "id": "1", "by": ["ann", "dealer"], "table": 1, "x": 1}, "EndGame has no x"),
        ({"kind": "start", "id": "1", "by": ["ann", "dealer"], "table": 1, "lit": [1.5], "based": []}, "whole number"),
        (EXAMPLES[-1].as_json() | {"levels": {"": 3}}, "Receive.levels is a text"),
        (EXAMPLES[-1].as_json() | {"levels": [1]}, "names and values"),
        (EXAMPLES[14].as_json() | {"reason": "greed"}, "Adjust.reason is one of amount-won, malfunction"),
    ],
)
def test_what_is_no_act_is_refused(values: Any, words: str) -> None:
    with pytest.raises(Refusal, match=words) as caught:
        read_act(ACTS, values)
    assert caught.value.code == No.WRONG_FORM


# Who may


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("act", EXAMPLES, ids=lambda act: f"{act.id}-{act.kind}")
def test_each_role_does_what_the_table_allows(act: LinkAct, role: Role) -> None:
    floor = LinkBook()
    floor.start(1, 1)
    award = floor.enter(1, 1, COLOR)
    if isinstance(act, Confirm):
        act = replace(act, award=award)
    with_role = replace(act, by=Signed("zoe", role))
    if act.seconded:
        with_role = replace(with_role, second=Signed("yan", role))  # type: ignore[call-arg]
    assert (code_of(floor, with_role) == Denied.NOT_ALLOWED) is not may(role, act.needs)


def code_of(floor: LinkBook, act: LinkAct) -> str | None:
    """Why it is refused, if it is."""
    try:
        floor.link.handle(act, "2026-11-15T21:00:00Z")
    except Refusal as refused:
        return refused.code
    return None


# Entries


def busy() -> LinkBook:
    """A link in the middle of things: two games on, an award held, another called."""
    floor = LinkBook(THREE_METERS)
    floor.start(1, 1, 2, 7)
    floor.enter(1, 2, "Three 7's - Diamonds")
    floor.enter(1, 7, "Three 7's - Diamonds")
    floor.enter(1, 1, "First Two Cards - 7")
    floor.do(CallSupervisor, table=1)
    floor.start(2, 3)
    floor.confirm(floor.enter(2, 3, "Three 7's - Same Color"))
    return floor


def test_entries_alone_make_the_link() -> None:
    floor = busy()
    read = [Entry.of_json(json.loads(json.dumps(entry.as_json()))) for entry in floor.entries]
    assert Link.of_entries("main", read).snapshot() == floor.link.snapshot()


def test_a_snapshot_and_what_came_after_make_the_link() -> None:
    floor = busy()
    for place in range(len(floor.entries) + 1):
        early = Link.of_entries("main", floor.entries[:place])
        resumed = Link.of_snapshot(json.loads(json.dumps(early.snapshot())))
        assert resumed.state == early.state
        for entry in floor.entries[place:]:
            resumed.apply(entry)
        assert resumed.state == floor.link.state


@pytest.mark.parametrize("damage", [{"book": None}, {"status": "ajar"}, {"awards": [{}]}, {"setup": {"a": 1}}])
def test_a_snapshot_that_cannot_be_read_is_a_damaged_record(damage: dict[str, Any]) -> None:
    with pytest.raises(RecordError, match="snapshot of the link cannot be read"):
        Link.of_snapshot(busy().link.snapshot() | damage)


def test_deciding_changes_nothing() -> None:
    floor = busy()
    before = json.dumps(floor.link.snapshot())
    floor.link.handle(TakeBackHand(id="x", by=DEALER, table=1, seat=1), "2026-11-15T21:00:00Z")
    award = floor.link.state.of_round(1)[0].award
    floor.link.handle(VoidAward(id="x", by=SUPERVISOR, award=award, reason="misread"), "2026-11-15T21:00:00Z")
    assert json.dumps(floor.link.snapshot()) == before


def test_an_entry_of_another_book_is_not_applied() -> None:
    floor, other = busy(), LinkBook()
    with pytest.raises(RecordError):
        floor.link.apply(other.entries[-1])


def test_an_entry_of_an_unknown_kind_is_a_damaged_record() -> None:
    floor = LinkBook()
    entry = floor.link.state.book.next("2026-11-15T21:00:00Z", "c", "gift", {})
    with pytest.raises(RecordError, match="unknown kind 'gift'"):
        floor.link.apply(entry)


def test_notes_of_others_stand_in_the_entry() -> None:
    floor = busy()
    act = TakeBackHand(id="x", by=DEALER, table=1, seat=1)
    entry = floor.link.entry(
        act, "2026-11-15T21:00:00Z", floor.link.decide(act, "2026-11-15T21:00:00Z"), {"checklist": ["camera"]}
    )
    assert entry.facts["notes"] == {"checklist": ["camera"]}


# Refusals


def test_every_refusal_has_a_sentence() -> None:
    assert set(SENTENCES) == set(No)
    assert all(sentence.endswith((".", "{why}")) for sentence in SENTENCES.values())


def test_every_refusal_has_a_test() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parents[1].rglob("test_*.py"))
    assert [code.name for code in No if f"No.{code.name}" not in text] == []


def test_codes_of_links_and_of_authority_are_apart() -> None:
    assert not {*map(str, No)} & {*map(str, Denied)}
