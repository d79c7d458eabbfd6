"""The register of a site in its book and on its floor: who does what, what is refused, what opens and what does not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from croupier.compliance.authority import Denied
from croupier.compliance.table import OnFile, Posted
from croupier.errors import Refusal
from croupier.floor.link import acts
from croupier.floor.refusals import No
from croupier.floor.site.acts import ChooseProfile, RemoveTable, SetTable, TableSetup
from croupier.floor.site.notes import SiteAct
from croupier.floor.site.register_acts import (
    CloseTable,
    EnterApproval,
    OpenTable,
    RecordPaper,
    WithdrawApproval,
    WithdrawPaper,
)
from support.papers import CROUPIER, LETTER, OWN_LETTER, SELLER, bounty, commercial, entered, paper, rummy, supreme
from support.room import DEALER, EXECUTIVE, MANAGER, ONE_METER, OTHER_MANAGER, PLENTY, SUPERVISOR, Room, table

BY_TWO: dict[str, Any] = {"by": MANAGER.person, "second": OTHER_MANAGER.person}


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A card room under the newest edition of its place, without tables."""
    made = Room(f"sqlite:///{tmp_path}/floor.db")
    made.found(tables=())
    made.declare(PLENTY)
    made.site(ChooseProfile, **BY_TWO, profile="washington/2")
    yield made
    made.floor.close()


def do(room: Room, act: SiteAct) -> int:
    return room.floor.do_site(replace(act, id=next(room.ids))).number


def set_table(room: Room, setup: TableSetup) -> None:
    room.site(SetTable, **BY_TWO, table=setup)


def ready(room: Room, *tables: TableSetup) -> Room:
    """With an approval of its own, its papers, and these tables."""
    do(room, entered())
    for each in commercial():
        do(room, each)
    for setup in tables:
        set_table(room, setup)
    return room


def refused(room: Room, kind: type[SiteAct], code: str, **fields: Any) -> str:
    before = room.floor.house.site.book.entries
    with pytest.raises(Refusal) as caught:
        room.site(kind, **fields)
    assert caught.value.code == code
    assert room.floor.house.site.book.entries == before
    return str(caught.value)


def on_file(setup: TableSetup, **changes: Any) -> TableSetup:
    assert isinstance(setup.on_file, OnFile)
    return replace(setup, on_file=replace(setup.on_file, **changes))


# Tables are set from it


@pytest.mark.parametrize(
    ("setup", "code", "words"),
    [
        (
            replace(rummy(), title="Casino War"),
            No.NO_SUCH_TITLE,
            "'Casino War' under washington-3119: on file",
        ),
        (on_file(rummy(), approval="oregon"), No.NO_SUCH_TITLE, "under oregon: on file there are no titles of it"),
        (replace(rummy(), title="Supreme 99"), No.NO_SUCH_TITLE, "'Supreme 99'"),
        (on_file(rummy(), rules="loose"), No.WRONG_OFFER, "'loose'"),
        (on_file(rummy(), paytables=(Posted("pair-plus", "9"),)), No.WRONG_OFFER, "'9'"),
        (on_file(rummy(), paytables=(Posted("pair-plus", own=("Nine  1 to 1",)),)), No.WRONG_OFFER, "Nine"),
        (on_file(rummy(), paytables=(Posted("pair-plus"),)), No.WRONG_OFFER, "and not both"),
        (replace(rummy(), decks=2), No.WRONG_OFFER, "dealt from 1 deck under these rules, and the table from 2"),
        (on_file(bounty(), rules="8D"), No.WRONG_OFFER, "dealt from 8 decks under these rules, and the table from 6"),
        (replace(supreme(), seats=9), No.WRONG_OFFER, "seats"),
    ],
)
def test_what_the_register_does_not_have_is_no_table(room: Room, setup: TableSetup, code: str, words: str) -> None:
    assert words in refused(room, SetTable, code, **BY_TWO, table=setup)
    assert not room.floor.house.site.tables


def test_where_a_register_is_kept_every_table_is_of_it(room: Room) -> None:
    old = TableSetup(1, "King's Bounty", "blackjack", 6, 7, 500, 30_000)
    set_table(room, old)
    ready(room)
    said = refused(room, SetTable, No.NOT_FROM_REGISTER, **BY_TWO, table=replace(old, number=2))
    assert "Table 2 is set from the register here" in said
    assert "table 1" in refused(room, OpenTable, No.NOT_FROM_REGISTER, by="sue", number=1).lower()


# Approvals


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("subject = ", "our-letter.toml is no TOML"),
        (OWN_LETTER.replace("number = 1", "number = 0"), "our-letter.toml, line 21: number is a whole number from 1"),
        (OWN_LETTER.replace('["A"]', '["B"]'), "line 15: document B is not among the enclosures"),
        (OWN_LETTER.replace("2025-12-01", "2026-12-01"), "rules submitted on 2026-12-01 are later than the approval"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(room: Room, text: str, words: str) -> None:
    lines = tuple(text.splitlines())
    assert words in refused(room, EnterApproval, No.WRONG_APPROVAL, **BY_TWO, key="our-letter", lines=lines)
    assert not room.floor.house.site.kept


def test_an_approval_is_entered_once_by_two_and_withdrawn_by_two(room: Room) -> None:
    lines = tuple(OWN_LETTER.splitlines())
    alone: dict[str, Any] = {"by": MANAGER.person, "second": ""}
    refused(room, EnterApproval, Denied.SECOND_MISSING, **alone, key="our-letter", lines=lines)
    ready(room)
    for key in ("our-letter", LETTER):
        refused(room, EnterApproval, No.APPROVAL_EXISTS, **BY_TWO, key=key, lines=lines)
    refused(room, WithdrawApproval, No.NO_SUCH_APPROVAL, **BY_TWO, key="oregon", reason="None.")
    room.site(WithdrawApproval, **BY_TWO, key="our-letter", reason="Replaced.")
    refused(room, WithdrawApproval, No.APPROVAL_WITHDRAWN, **BY_TWO, key="our-letter", reason="Again.")
    assert [each.key for each in room.floor.house.site.kept.register.approvals] == [LETTER]


# Papers

PAPER = {
    name: value
    for name, value in vars(paper("internal-controls", "submitted")).items()
    if name not in ("id", "by", "where")
}


@pytest.mark.parametrize(
    ("changes", "code", "words"),
    [
        ({"until": "2026-06-30"}, No.DATES_ORDER, "would end on 2026-06-30, before it begins on 2026-07-01"),
        ({"dated": "2026-12-24"}, No.PAPER_TO_COME, "is dated 2026-12-24, and today is 2026-10-01"),
        ({"dated": "1 July"}, No.WRONG_FORM, "dated is a day, written as 2026-11-15, not '1 July'"),
        ({"sha256": ""}, No.WRONG_FORM, "sha256 of the document is 64 hexadecimal digits"),
        ({"file": ""}, No.WRONG_FORM, "file is 1 to 64 printable characters"),
        ({"condition": "good-coffee"}, No.NO_SUCH_CONDITION, "'good-coffee'"),
        ({"step": "shown"}, No.NO_SUCH_CONDITION, "internal-controls (submitted, approved)"),
        ({"step": "approved"}, No.PAPER_BEFORE, "not on record: internal controls, submitted"),
        ({"condition": "state-concurrence", "step": "given"}, No.PAPER_BEFORE, "Appendix A, Section 18, sent"),
        ({"by": "sue"}, Denied.NOT_ALLOWED, "that takes a manager"),
    ],
)
def test_papers_that_cannot_be_recorded(room: Room, changes: dict[str, Any], code: str, words: str) -> None:
    assert words in refused(room, RecordPaper, code, **{"by": "max", **PAPER, **changes})


def test_a_paper_is_not_older_than_the_one_that_it_follows(room: Room) -> None:
    do(room, paper("internal-controls", "submitted"))
    approved = {**PAPER, "step": "approved", "dated": "2026-06-30"}
    said = refused(room, RecordPaper, No.PAPER_ORDER, by="max", **approved)
    assert "dated 2026-06-30, before internal controls, submitted, which is of 2026-07-01" in said


def test_a_withdrawn_paper_is_gone(room: Room) -> None:
    number = do(room, paper("internal-controls", "submitted"))
    room.site(WithdrawPaper, by="max", paper=number, reason="Twice.")
    refused(room, WithdrawPaper, No.NO_SUCH_PAPER, by="max", paper=number, reason="Twice.")


# Opening


def test_a_table_opens_when_nothing_stops_it_and_its_entry_says_what_was_found(room: Room) -> None:
    do(room, entered())
    set_table(room, rummy())
    said = refused(room, OpenTable, No.NOT_CLEARED, by="sue", number=1)
    assert said.startswith("Table 1 may not be open. No paper on record for Triple Shot Rummy: internal controls")
    assert "(approval 3.1, " in said
    for each in commercial():
        do(room, each)
    refused(room, OpenTable, Denied.NOT_ALLOWED, by="max", number=1)
    entry = room.site(OpenTable, by="sue", number=1)
    found = entry.facts["found"]
    assert ["internal-controls", "approval 3.1", "met"] in found["conditions"]
    assert set(found["approvals"]) == {LETTER, "our-letter"}
    assert found["profile"] == "washington/2"
    refused(room, OpenTable, No.TABLE_OPEN, by="sue", number=1)
    refused(room, SetTable, No.TABLE_OPEN, **BY_TWO, table=replace(rummy(), seats=5))
    refused(room, RemoveTable, No.TABLE_OPEN, **BY_TWO, number=1)
    room.reopen()
    assert room.floor.house.site.kept.open_tables == {1}
    room.site(CloseTable, by="sue", number=1, reason="Night.")
    refused(room, CloseTable, No.TABLE_CLOSED, by="sue", number=1)
    refused(room, OpenTable, No.NO_SUCH_TABLE, by="sue", number=9)


def test_a_link_opens_and_its_games_start_only_at_tables_that_may_be_open(room: Room) -> None:
    ready(room, bounty(1))
    room.make(replace(ONE_METER, tables=(table(1),)))
    room.do(acts.OpenLink, by=MANAGER)
    lit: dict[str, Any] = {"by": DEALER, "table": 1, "lit": (1,), "based": (1,)}
    with pytest.raises(Refusal, match="Table 1 is closed: a supervisor or an executive opens it in the console"):
        room.do(acts.StartGame, **lit)
    room.site(OpenTable, by=SUPERVISOR.person, number=1)
    room.do(acts.StartGame, **lit)
    with pytest.raises(Refusal, match="A game is on at table 1"):
        room.site(CloseTable, by=SUPERVISOR.person, number=1)
    room.do(acts.EndGame, by=DEALER, table=1)
    licence = next(each for each in room.floor.house.site.kept.papers.values() if each.of == SELLER)
    room.site(WithdrawPaper, by=MANAGER.person, paper=licence.entry, reason="Revoked by the state.")
    with pytest.raises(Refusal, match=f"may not be open. No paper on record for {SELLER}") as caught:
        room.do(acts.StartGame, **lit)
    assert caught.value.code == No.NOT_CLEARED
    room.do(acts.CloseLink, by=MANAGER)
    with pytest.raises(Refusal, match="may not be open"):
        room.do(acts.OpenLink, by=MANAGER)
    do(room, paper("equipment-licensed", "licensed", SELLER))
    room.do(acts.OpenLink, by=MANAGER)
    room.do(acts.StartGame, **lit)


def test_no_link_of_a_room_whose_place_asks_for_papers_opens_without_them(room: Room) -> None:
    """Missing, in place, expired, put right, departing, put right: as a table, so its link."""

    def opens(why: str = "") -> None:
        if why:
            with pytest.raises(Refusal, match=why) as caught:
                room.do(acts.OpenLink, by=MANAGER)
            assert caught.value.code == No.NOT_CLEARED
            return
        room.do(acts.OpenLink, by=MANAGER)
        room.do(acts.CloseLink, by=MANAGER)

    set_table(room, TableSetup(1, "King's Bounty", "blackjack", 6, 7, 500, 30_000))
    room.make(replace(ONE_METER, tables=(table(1),)))
    opens(r"Table 1 was not set from the register.*approval 1\.4")
    set_table(room, bounty(1))
    opens(r"No paper on record for King's Bounty: internal controls, submitted.*WAC 230-15-425")
    do(room, entered())
    for each in commercial():
        if each.condition != "internal-controls":
            do(room, each)
    do(room, paper("internal-controls", "submitted", dated="2026-06-01"))
    opens(r"No paper on record for King's Bounty: internal controls, approved")
    do(room, paper("internal-controls", "approved", until="2026-10-31"))
    opens()
    room.clock.month = 11
    room.floor.deposit(id="d", by="max", amount_cents=1, reference="slip")
    opens("approved all games ended on 2026-10-31")
    do(room, paper("internal-controls", "approved", until="2027-10-31"))
    opens()
    set_table(room, bounty(1, system=(replace(CROUPIER, version="0.0.1"),)))
    opens("Croupier 0.0.1; letter 77 names 0.1 or higher")
    set_table(room, bounty(1))
    opens()


def test_a_link_of_a_site_that_keeps_a_register_has_only_its_tables(room: Room) -> None:
    set_table(room, TableSetup(1, "King's Bounty", "blackjack", 6, 7, 500, 30_000))
    room.make(replace(ONE_METER, tables=(table(1),)))
    ready(room)
    with pytest.raises(Refusal) as caught:
        room.do(acts.OpenLink, by=EXECUTIVE)
    assert caught.value.code == No.NOT_FROM_REGISTER
