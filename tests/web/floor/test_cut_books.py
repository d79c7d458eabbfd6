"""A running server whose book is cut behind its back stops, says so, and does not go on from the shorter book."""

from __future__ import annotations

from support.room import cut_book
from tests.web.support import LINK, MadeSite, Room, done, running, wait_until


def ready(room: Room) -> tuple[int, str]:
    answer = room.get("/api/ready")
    return answer.status_code, answer.json()["troubles"].get("books", "")


def test_a_server_whose_book_was_cut_stops_and_stays_stopped(site: MadeSite) -> None:
    with running(site) as room:
        room.start(1, (1, 2))
        done(room.act(f"/api/links/{LINK}/end", "ann 1", table=1))
        cut_book(site.folder / "floor.db", f"link:{LINK}", 2)
        assert room.act(f"/api/links/{LINK}/start", "ann 1", table=1, lit=[1], based=[1]).status_code == 503
        wait_until(lambda: ready(room)[0] == 503 and "is shorter" in ready(room)[1], 15)
        assert room.act(f"/api/links/{LINK}/start", "ann 1", table=1, lit=[1], based=[1]).status_code == 503


def test_a_server_whose_log_is_removed_goes_on_from_what_it_saved(site: MadeSite) -> None:
    with running(site) as room:
        number = room.start(1, (1, 2))["entry"]["number"]
        (site.folder / "floor.db-wal").unlink()
        assert room.act(f"/api/links/{LINK}/end", "ann 1", table=1).status_code == 503
        wait_until(lambda: ready(room)[0] == 200, 15)
        kept = done(room.get(f"/api/links/{LINK}/entries?after={number - 1}"))["entries"]
        assert kept[0]["number"] == number
        assert room.get("/api/log").status_code == 200
        assert room.get("/api/ready").json()["status"] == "ready"
