"""A running server whose book is cut behind its back stops, says so, and does not go on from the shorter book."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from croupier.store.marks import why_behind
from croupier.store.sqlite import SqliteStore
from support.room import cut_book
from tests.web.support import LINK, MadeSite, Room, done, error_of, running, wait_until

LINK_BOOK = f"link:{LINK}"


def ready(room: Room) -> tuple[int, str]:
    answer = room.get("/api/ready")
    return answer.status_code, answer.json()["troubles"].get("books", "")


def test_a_server_whose_book_was_cut_stops_and_stays_stopped(site: MadeSite) -> None:
    with running(site) as room:
        room.start(1, (1, 2))
        done(room.act(f"/api/links/{LINK}/end", "ann 1", table=1))
        cut_book(site.folder / "floor.db", f"link:{LINK}", 2)
        assert room.act(f"/api/links/{LINK}/start", "ann 1", table=1, lit=[1], based=[1]).status_code == 503
        wait_until(lambda: ready(room)[0] == 503 and "is shorter" in ready(room)[1])
        assert room.act(f"/api/links/{LINK}/start", "ann 1", table=1, lit=[1], based=[1]).status_code == 503


def test_a_server_whose_log_is_removed_goes_on_from_what_it_saved(site: MadeSite) -> None:
    with running(site) as room:
        number = room.start(1, (1, 2))["entry"]["number"]
        (site.folder / "floor.db-wal").unlink()
        assert room.act(f"/api/links/{LINK}/end", "ann 1", table=1).status_code == 503
        wait_until(lambda: ready(room)[0] == 200)
        kept = done(room.get(f"/api/links/{LINK}/entries?after={number - 1}"))["entries"]
        assert kept[0]["number"] == number
        assert room.get("/api/log").status_code == 200
        told = room.get("/api/ready").json()
        assert told["status"] == "ready"
        alarm = told["alarms"]["disk"]
        assert "was removed or replaced" in alarm, "it leads again, and somebody is to look"
        assert "All that was acknowledged is there. This server leads again" in alarm
        assert "Nothing more" not in alarm
        assert done(room.get("/api/ready", ""))["alarms"] == {
            "disk": "The disk has failed since the start; the log says how."
        }
        room.runtime.house.damaged["side"] = "Its book is damaged."
        assert "All that was acknowledged" not in room.runtime.alarms()["disk"]


def test_a_server_whose_log_is_emptied_in_its_place_takes_no_more_acts(site: MadeSite) -> None:
    with running(site) as room:
        room.start(1, (1, 2))
        os.truncate(site.folder / "floor.db-wal", 0)
        for _ in range(2):
            assert room.act(f"/api/links/{LINK}/end", "ann 1", table=1).status_code == 503
            assert room.get("/api/ready").status_code == 503
    with SqliteStore(site.folder / "floor.db", read_only=True) as store:
        assert "is shorter" in why_behind(store, site.folder / "floor.db.marks")


def cut_log(site: MadeSite) -> None:
    os.truncate(site.folder / "floor.db-wal", 0)


def put_store_aside(site: MadeSite) -> None:
    (site.folder / "floor.db").rename(site.folder / "floor.db.aside")


def cut_link(site: MadeSite) -> None:
    cut_book(site.folder / "floor.db", LINK_BOOK, 2)


@pytest.mark.parametrize("attack", [cut_log, put_store_aside, cut_link])
def test_a_server_with_nothing_to_do_does_not_call_itself_ready_on_books_that_take_no_act(
    site: MadeSite, attack: Callable[[MadeSite], None]
) -> None:
    """No act is sent: a proxy, or the next dealer, goes by what the server says of itself."""
    with running(site) as room:
        room.start(1, (1, 2))
        done(room.act(f"/api/links/{LINK}/end", "ann 1", table=1))
        attack(site)
        wait_until(lambda: ready(room)[0] == 503)


def test_a_server_that_cannot_read_its_sessions_is_not_ready(site: MadeSite) -> None:
    """Nobody acts without one."""
    with running(site) as room:
        wait_until(lambda: room.get("/api/ready").status_code == 200)
        os.truncate(site.folder / "floor.db.access", 0)
        wait_until(lambda: room.get("/api/ready").status_code == 503)
        assert "sessions" in room.get("/api/ready").json()["troubles"]


def test_a_server_whose_sessions_were_put_away_is_not_ready_until_they_are_back(site: MadeSite) -> None:
    """What is open would answer from the file for as long as the server runs."""
    file = site.folder / "floor.db.access"
    with running(site) as room:
        wait_until(lambda: room.get("/api/ready").status_code == 200)
        file.rename(site.folder / "elsewhere")
        wait_until(lambda: room.get("/api/ready").status_code == 503)
        assert "floor.db.access" in room.get("/api/ready").json()["troubles"]["sessions"]
        (site.folder / "elsewhere").rename(file)
        wait_until(lambda: room.get("/api/ready").status_code == 200)


def test_a_server_whose_store_another_program_keeps_locked_is_not_ready_until_it_is_given_back(site: MadeSite) -> None:
    with running(site) as room, closing(sqlite3.connect(site.folder / "floor.db", isolation_level=None)) as other:
        room.start(1, (1, 2))
        other.execute("BEGIN IMMEDIATE")
        wait_until(lambda: room.get("/api/ready").status_code == 503)
        told = room.get("/api/ready").json()
        assert "is being written by another process" in told["troubles"]["site"]
        other.execute("ROLLBACK")
        wait_until(lambda: room.get("/api/ready").status_code == 200)
        done(room.act(f"/api/links/{LINK}/end", "ann 1", table=1))


def test_a_server_whose_store_is_not_guarded_any_more_says_that_and_not_that_another_leads(site: MadeSite) -> None:
    with running(site) as room:
        room.start(1, (1, 2))
        cut_book(site.folder / "floor.db", f"link:{LINK}", 2, guarded=False)
        assert room.act(f"/api/links/{LINK}/end", "ann 1", table=1).status_code == 503
        wait_until(lambda: "is not guarded" in ready(room)[1])
        assert ready(room)[0] == 503


def test_a_book_that_cannot_be_read_through_is_an_alarm_until_it_is(site: MadeSite) -> None:
    with running(site) as room:
        wait_until(lambda: LINK_BOOK in room.runtime.floor.checked)
        room.runtime.floor.unchecked[LINK] = "The database is away."
        told = done(room.get("/api/ready"))["alarms"]["self-check"]
        assert told == f"The book of {LINK} could not be read through yet, and it is tried again. The database is away."
        stranger = done(room.get("/api/ready", ""))["alarms"]
        assert stranger == {"self-check": "Not all books could be read through since the start; it is tried again."}
        room.runtime.floor.unchecked.clear()
        assert "self-check" not in done(room.get("/api/ready")).get("alarms", {})


def test_a_site_with_a_damaged_link_starts_and_says_which(site: MadeSite) -> None:
    """The book was cut while no server ran: the link stays closed with the reason, and the office works."""
    with running(site) as room:
        room.start(1, (1, 2))
    cut_book(site.folder / "floor.db", f"link:{LINK}", 2)
    with running(site) as room:
        answer = room.get("/api/ready")
        assert answer.status_code == 200
        assert answer.json()["status"] == "ready"
        assert "is shorter" in answer.json()["damaged"][f"link:{LINK}"]
        stranger = room.get("/api/ready", "").json()
        assert stranger["damaged"] == {f"link:{LINK}": "It stays closed; the log says why."}
        link = done(room.get(f"/api/links/{LINK}"))
        assert link["status"] == "closed"
        assert "its book is damaged" in link["stopped"]
        shown = done(room.get(f"/api/links/{LINK}", "display-main"))
        assert (shown["status"], shown["stopped"]) == (link["status"], link["stopped"])
        for path in ("open", "self-check"):
            refused = room.act(f"/api/links/{LINK}/{path}")
            assert refused.status_code == 409, refused.text
            assert error_of(refused) == "broken-chain"
        refused = room.act(f"/api/links/{LINK}/start", "ann 1", table=1, lit=[1], based=[1])
        assert error_of(refused) == "broken-chain"
        done(room.act("/api/site/declare-bank", balance_cents=1_000_000))


def test_what_is_sent_again_to_a_damaged_link_is_not_looked_up_in_the_event_loop(
    site: MadeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All other tables would wait for the store."""
    start = {"id": "sent before", "table": 1, "lit": [1], "based": [1]}
    with running(site) as room:
        done(room.act(f"/api/links/{LINK}/start", "ann 1", **start))
        done(room.act(f"/api/links/{LINK}/end", "ann 1", table=1))
    cut_book(site.folder / "floor.db", f"link:{LINK}", 1)
    in_loop: list[bool] = []
    really = SqliteStore.by_command

    def looked_up(store: SqliteStore, stream: str, command: str) -> Any:
        in_loop.append(asyncio._get_running_loop() is not None)
        return really(store, stream, command)

    with running(site) as room:
        monkeypatch.setattr(SqliteStore, "by_command", looked_up)
        assert done(room.act(f"/api/links/{LINK}/start", "ann 1", **start))["entry"]["command"] == start["id"]
        assert error_of(room.act(f"/api/links/{LINK}/end", "ann 1", table=1)) == "broken-chain"
    assert in_loop == [False, False]
