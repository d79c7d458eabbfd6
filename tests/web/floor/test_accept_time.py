"""A server that is started with a clock a year ahead writes nothing under it before two people have accepted it."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest

from croupier.floor import floor
from croupier.ledger import clock
from croupier.ledger.clock import CheckedClock, written
from croupier.web.identity.store import utc
from tests.web.support import LINK, MadeSite, Room, done, error_of, running

YEAR = 365 * 86_400.0
ahead = {"s": YEAR}


class Ahead(CheckedClock):
    def __init__(self) -> None:
        super().__init__(wall=lambda: time.time() + ahead["s"])


@pytest.fixture(autouse=True)
def _a_year_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    ahead["s"] = YEAR
    monkeypatch.setattr(floor, "CheckedClock", Ahead)
    monkeypatch.setattr(clock, "synchronised", lambda: None)


def ready(room: Room) -> tuple[int, Any]:
    answer = room.get("/api/ready")
    return answer.status_code, answer.json()["troubles"].get("clock", "")


def refused_start(room: Room) -> str:
    return error_of(room.act(f"/api/links/{LINK}/start", "ann 1", table=1, lit=[1], based=[1]))


def test_it_takes_no_act_and_says_so_until_the_clock_is_right(site: MadeSite) -> None:
    with running(site) as room:
        before = done(room.get(f"/api/links/{LINK}"))["number"]
        assert refused_start(room) == "clock"
        status, why = ready(room)
        assert (status, "does not say if it is right" in why) == (503, True)
        assert done(room.get(f"/api/links/{LINK}"))["number"] == before
        ahead["s"] = 0.0
        assert ready(room) == (200, "")
        room.start(1)


def test_two_people_let_it_go_on_and_one_does_not(site: MadeSite) -> None:
    with running(site) as room:
        room.runtime.tickets._clock = lambda: utc() + timedelta(seconds=YEAR)  # as all of a server has one clock
        now = written(time.time() + YEAR)[:19] + "Z"
        alone = room.act("/api/site/accept-time", time=now)
        assert alone.status_code in (403, 409, 422), alone.text
        wrong = room.act_of_two("/api/site/accept-time", time=written(time.time())[:19] + "Z")
        assert error_of(wrong) == "other-time"
        for text in ("soon", "2026-13-40T00:00:00Z", ""):
            bad = room.act("/api/site/accept-time", time=text)
            assert bad.status_code in (403, 409, 422), bad.text
            assert bad.json()["error"]["sentence"]
        assert refused_start(room) == "clock"
        entry = done(room.act_of_two("/api/site/accept-time", time=now))["entry"]
        assert entry["kind"] == "accept-time"
        assert ready(room) == (200, "")
        room.start(1)
