"""The steps of the first run, read from a room's books."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from croupier.floor.link import acts
from croupier.floor.site.acts import ChooseProfile, RemoveTable, SetTable, TableSetup
from croupier.floor.site.notes import SiteAct
from croupier.floor.site.register_acts import OpenTable
from croupier.web.pages.first_run import Step, steps
from support.papers import bounty, commercial, entered, rummy, supreme
from support.room import MANAGER, ONE_METER, OTHER_MANAGER, PLENTY, SUPERVISOR, Room, table

BY_TWO: dict[str, Any] = {"by": MANAGER.person, "second": OTHER_MANAGER.person}


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A Washington card room without tables."""
    made = Room(f"sqlite:///{tmp_path}/floor.db")
    made.found(tables=())
    made.declare(PLENTY)
    made.site(ChooseProfile, **BY_TWO, profile="washington/2")
    yield made
    made.floor.close()


def set_tables(room: Room, *tables: TableSetup) -> None:
    for setup in tables:
        room.site(SetTable, **BY_TWO, table=setup)


def do(room: Room, act: SiteAct) -> None:
    room.floor.do_site(replace(act, id=next(room.ids)))


def step(room: Room, name: str) -> Step:
    return next(each for each in steps(room.floor.house, room.floor.now()) if each.name == name)


def linked(room: Room, *numbers: int, link: str = "main") -> None:
    room.make(replace(ONE_METER, tables=tuple(table(number) for number in numbers)), link)


def test_tables_that_no_progressive_goes_with_are_not_the_step(room: Room) -> None:
    set_tables(room, rummy(1))
    tables = step(room, "tables")
    assert not tables.done
    assert tables.facts["tables"] == [
        {"table": 1, "title": "Triple Shot Rummy", "decks": 1, "linked": False, "joins": False}
    ]
    assert "tables" in step(room, "link").needs
    set_tables(room, bounty(2))
    assert step(room, "tables").done
    assert [each["joins"] for each in step(room, "tables").facts["tables"]] == [False, True]
    assert step(room, "devices").facts["tables"] == [2], "a table that no link feeds needs no keypad"
    room.site(RemoveTable, **BY_TWO, number=2)
    assert not step(room, "tables").done


def test_a_table_on_no_link_holds_up_no_papers_and_what_it_lacks_is_said_of_it(room: Room) -> None:
    set_tables(room, bounty(1), supreme(2))
    linked(room, 1)
    papers = step(room, "papers")
    assert not papers.done
    assert [(each["table"], each["linked"]) for each in papers.facts["tables"]] == [(1, True), (2, False)]
    assert step(room, "open").needs == ("papers",)
    do(room, entered())
    for paper in commercial():
        if paper.of != "Shuffle Works":  # who made the shuffler of table 2, and nothing at table 1
            do(room, paper)
    papers = step(room, "papers")
    assert papers.done
    [lacking] = papers.facts["tables"]
    assert (lacking["table"], lacking["linked"]) == (2, False)
    assert any("Shuffle Works" in each["sentence"] for each in lacking["stops"])
    assert papers.facts["wants"] == []
    assert step(room, "open").needs == ()


def test_a_link_that_has_its_papers_does_not_wait_for_another(room: Room) -> None:
    """Of two links, one has a table with equipment that nobody has licensed."""
    other = bounty(2)
    assert other.on_file is not None
    pieces = tuple(replace(piece, maker="Unknown and Sons") for piece in other.on_file.equipment)
    set_tables(room, bounty(1), replace(other, on_file=replace(other.on_file, equipment=pieces)))
    do(room, entered())
    for paper in commercial():
        do(room, paper)
    linked(room, 1)
    linked(room, 2, link="second")
    assert not step(room, "papers").done
    opens = step(room, "open")
    assert (opens.needs, opens.facts["closed"], opens.facts["waits"]) == ((), ["main"], ["second"])


def test_after_the_link_the_tables_are_opened_by_people_who_are_named(room: Room) -> None:
    set_tables(room, bounty(1))
    do(room, entered())
    for paper in commercial():
        do(room, paper)
    linked(room, 1)
    assert step(room, "open").facts["tables"] == [], "first the link"
    room.do(acts.OpenLink, by=MANAGER)
    opens = step(room, "open")
    assert not opens.done
    assert opens.facts["tables"] == [1]
    assert {each["role"] for each in opens.facts["who"]} == {"supervisor", "executive"}
    room.site(OpenTable, by=SUPERVISOR.person, number=1)
    assert step(room, "open").done
