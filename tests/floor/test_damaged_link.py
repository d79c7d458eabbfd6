"""A link whose book is damaged stays closed alone: the site starts, and the others are dealt."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import psycopg
import pytest

from croupier.errors import RecordError, Refusal
from croupier.floor.link.acts import CloseLink, OpenLink, StartGame
from croupier.floor.link.state import Status
from croupier.floor.refusals import No
from croupier.store.postgres.store import PostgresStore
from croupier.store.sqlite import SqliteStore
from croupier.store.store import Row
from support.postgres import new_floor
from support.room import DEALER, EXECUTIVE, MANAGER, ONE_METER, PLENTY, Room, table

OTHER = replace(ONE_METER, tables=(table(2, "Royal Match"),))
FIRST = replace(ONE_METER, tables=(table(1),))


@pytest.fixture(params=["sqlite", "postgres"])
def room(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Room]:
    """Two open links, with a game on each."""
    with Room(new_floor() if request.param == "postgres" else f"sqlite:///{tmp_path}/floor.db") as made:
        made.found()
        made.make(FIRST, "main")
        made.make(OTHER, "side")
        made.floor.declare_bank(id="bank", by="max", balance_cents=PLENTY)
        for number, link in enumerate(("main", "side"), 1):
            made.floor.do(OpenLink(id=f"o-{link}", by=MANAGER), link)
            made.floor.do(StartGame(id=f"s-{link}", by=DEALER, table=number, lit=(1,), based=(1,)), link)
        made.floor.close()
        yield made


def forge(url: str, *statements: str) -> None:
    if url.startswith("sqlite:"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as db:
            guards = db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
            for name, _ in guards:
                db.execute(f'DROP TRIGGER "{name}"')
            db.execute("DELETE FROM snapshot")
            for statement in statements:
                db.execute(statement)
            for _, guard in guards:
                db.execute(guard)
            db.commit()
        return
    with psycopg.connect(url, autocommit=True) as server:
        server.execute("ALTER TABLE entry DISABLE TRIGGER ALL; DELETE FROM snapshot")
        for each in statements:
            server.execute(each.encode())
        server.execute("ALTER TABLE entry ENABLE TRIGGER ALL")


DAMAGE = {
    "no JSON": "UPDATE entry SET body = 'nothing' WHERE stream = 'link:main' AND number = 2",
    "forged": "UPDATE entry SET body = replace(body, '1', '2') WHERE stream = 'link:main' AND number = 2",
    "column": "UPDATE entry SET kind = 'adjust' WHERE stream = 'link:main' AND number = 2",
    "missing": "DELETE FROM entry WHERE stream = 'link:main' AND number = 2",
    "chain": "UPDATE entry SET digest = repeat_f WHERE stream = 'link:main' AND number = 1".replace(
        "repeat_f", f"'{'f' * 64}'"
    ),
}


@pytest.mark.parametrize("how", DAMAGE)
def test_the_site_starts_without_the_damaged_link(room: Room, how: str) -> None:
    forge(room.url, DAMAGE[how])
    room.floor = room.open()
    floor = room.floor
    assert list(floor.house.damaged) == ["main"]
    brief = floor.links["main"]
    assert brief.status is Status.CLOSED
    assert "its book is damaged" in brief.stopped
    assert floor.links["side"].status is Status.OPEN
    assert floor.troubles == {}
    for act in (
        OpenLink(id="o2", by=MANAGER),
        CloseLink(id="c2", by=MANAGER, reason="To look."),
        StartGame(id="s2", by=DEALER, table=1, lit=(1,), based=(1,)),
    ):
        with pytest.raises(Refusal, match="The link stays closed: its book is damaged") as refused:
            floor.do(act, "main")
        assert refused.value.code == No.BROKEN_CHAIN
    assert floor.cover().links_must_stop is False
    floor.declare_bank(id="bank2", by="max", balance_cents=PLENTY)
    floor.check_bank()


def without_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last entry is found by its number, and is not among those that are read one after the other: a page between
    the two is damaged."""
    for kind in (SqliteStore, PostgresStore):
        rows = kind.rows

        def cut(store: Any, stream: str, after: int = 0, limit: int | None = None, rows: Any = rows) -> Iterator[Row]:
            return (
                row for row in rows(store, stream, after, limit) if stream != "link:main" or limit or row.number < 3
            )

        monkeypatch.setattr(kind, "rows", cut)


def test_a_book_that_can_be_read_in_part_only_is_damaged(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else its meter would be shown as it stood long ago."""
    without_its_end(monkeypatch)
    room.floor = room.open()
    assert list(room.floor.house.damaged) == ["main"]
    assert "can be read up to entry 2 only, and has entry 3" in room.floor.house.damaged["main"]
    assert room.floor.links["side"].status is Status.OPEN


def test_a_self_check_finds_that_a_book_can_be_read_in_part_only(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    room.floor = room.open()
    without_its_end(monkeypatch)
    with pytest.raises(Refusal, match="can be read up to entry 2 only, and has entry 3"):
        room.floor.self_check("main")


def test_a_row_without_a_text_is_no_entry() -> None:
    with pytest.raises(RecordError, match="Entry 3 of the book cannot be read"):
        Row(3, "", "", "", cast(str, None), "", "").entry()


def test_what_was_done_before_the_damage_is_told_to_whoever_sends_it_again(room: Room) -> None:
    """A refusal would say that nothing was done. What only stands in the damaged part is no proof of anything."""
    forge(room.url, DAMAGE["forged"].replace("number = 2", "number = 3"))
    room.floor = floor = room.open()
    opened, started = (
        OpenLink(id="o-main", by=MANAGER),
        StartGame(id="s-main", by=DEALER, table=1, lit=(1,), based=(1,)),
    )
    assert floor.do(opened, "main").number == 2
    for act in (replace(started), replace(started, id="o-main"), replace(started, id="another")):
        with pytest.raises(Refusal, match="its book is damaged"):
            floor.do(act, "main")
        with pytest.raises(Refusal, match="its book is damaged"):
            floor.submit(act, "main").result()


def test_the_others_are_dealt_and_adjusted(room: Room) -> None:
    forge(room.url, DAMAGE["missing"])
    room.floor = room.open(check_links=True)
    floor = room.floor
    before = floor.links["side"].entries
    floor.do(CloseLink(id="c", by=MANAGER, reason="Pause."), "side")
    assert floor.links["side"].entries == before + 1
    assert EXECUTIVE.person in {person.id for person in floor.site.people}


def test_a_damaged_book_of_the_site_starts_nothing(room: Room) -> None:
    forge(room.url, DAMAGE["forged"].replace("link:main", "site"))
    with pytest.raises(Exception, match="was altered"):
        room.open()
