"""Calls are heard outside the pages: the webhook is told at once, again when nobody comes, and never holds a key up."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic, time
from typing import Any

import pytest

from croupier.errors import NotationError
from croupier.ledger.clock import written
from croupier.web import pager
from croupier.web.anchors.destinations import SIGNATURE_HEADER
from croupier.web.floor import routes
from croupier.web.settings import Settings
from support.room import COLOR
from tests.web.anchors.receiving import Received, web_server
from tests.web.support import LINK, MadeSite, Room, done, error_of, free_port, running, wait_until

SECRET = "a secret of pagers"


@dataclass(frozen=True)
class Paged(MadeSite):
    """A site whose server tells pagers."""

    more: dict[str, Any] = field(default_factory=dict)

    @property
    def settings(self) -> Settings:
        return replace(super().settings, **self.more)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pager, "LOOK_EVERY_S", 0.05)
    monkeypatch.setattr(pager, "FIRST_PAUSE_S", 0.05)
    monkeypatch.setattr(pager, "LONGEST_PAUSE_S", 0.1)


@contextmanager
def paged(site: MadeSite, url: str, escalates_s: float = 600.0) -> Iterator[Room]:
    path = site.folder / "pager.toml"
    path.touch(0o600)
    path.write_text(f'url = "{url}"\nsecret = "{SECRET}"\n')
    more = {"call_webhook": str(path), "call_escalates_s": escalates_s}
    with running(Paged(site.folder, site.cards, site.tokens, site.session_key, more)) as room:
        yield room


def call(room: Room, table: int = 1) -> int:
    """The award that waits at the table."""
    room.start(table)
    body = {"table": table, "seat": 1, "line": COLOR}
    award = done(room.act(f"/api/links/{LINK}/enter", f"ann {table}", **body))["entry"]["number"]
    done(room.act(f"/api/links/{LINK}/call", f"ann {table}", table=table))
    return int(award)


def told(received: Received) -> list[dict[str, Any]]:
    return [json.loads(body) for _, body in received.requests]


def test_a_call_its_taker_and_its_end_are_told_once_each_and_signed(site: MadeSite) -> None:
    with web_server() as received, paged(site, received.url) as room:
        award = call(room)
        wait_until(lambda: len(received.requests) == 1)
        headers, body = received.requests[0]
        message = json.loads(body)
        named = {"event": "call", "link": LINK, "table": 1, "role": "supervisor", "taken_by": ""}
        assert {name: message[name] for name in named} == named
        assert headers["Croupier-Call"] == message["id"] == f"{LINK}-{message['entry']}-call"
        mac = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        assert headers[SIGNATURE_HEADER] == f"sha256={mac}"
        done(room.act(f"/api/links/{LINK}/take-call", "sue", table=1))
        wait_until(lambda: len(received.requests) == 2)
        done(room.act(f"/api/links/{LINK}/confirm", "eve", award=award))
        wait_until(lambda: len(received.requests) == 3)
        assert [each["event"] for each in told(received)] == ["call", "taken", "over"]
        assert told(received)[1]["taken_by"] == "sue"
        assert room.runtime.alarms() == {}


def test_a_call_that_nobody_takes_goes_on_to_the_next_role_and_one_that_is_taken_does_not(
    site: MadeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock by which calls grow old is put on by the test: a busy machine leaves no role out."""
    every_s, ahead_s = 600.0, [0.0]
    for asked in (pager, routes):
        monkeypatch.setattr(asked, "utc_now", lambda: written(time() + ahead_s[0]))
    with web_server() as received, paged(site, received.url, every_s) as room:
        call(room)
        call(room, 2)
        done(room.act(f"/api/links/{LINK}/take-call", "sue", table=2))
        for role in ("supervisor", "executive", "manager"):
            wait_until(lambda role=role: any(each["role"] == role for each in told(received) if each["table"] == 1))
            ahead_s[0] += every_s
        of_one = [(each["event"], each["role"]) for each in told(received) if each["table"] == 1]
        assert of_one == [("call", "supervisor"), ("escalated", "executive"), ("escalated", "manager")]
        assert {each["event"] for each in told(received) if each["table"] == 2} <= {"call", "taken"}
        calls = done(room.get("/api/calls", "sue"))["calls"]
        assert [(each["table"], each["role"], each["taken_by"]) for each in calls] == [
            (1, "manager", None),
            (2, "supervisor", "Sue"),
        ]
        assert calls[0]["escalates_at"] is None


def test_pagers_that_cannot_be_reached_hold_nobody_up_and_hear_of_it_later(site: MadeSite) -> None:
    port = free_port()
    with paged(site, f"http://127.0.0.1:{port}/pages") as room:
        begun = monotonic()
        call(room)
        assert monotonic() - begun < 5
        wait_until(lambda: "calls" in room.runtime.alarms())
        assert "cannot be reached" in room.runtime.alarms()["calls"]
        assert done(room.get("/api/ready", ""))["alarms"] == {
            "calls": "Calls do not reach the pagers; the log says why."
        }
        with web_server(port) as received:
            wait_until(lambda: told(received))
            assert [each["event"] for each in told(received)] == ["call"]
            wait_until(lambda: room.runtime.alarms() == {})


def test_a_server_that_starts_again_tells_of_the_calls_that_are_open(site: MadeSite) -> None:
    with web_server() as received:
        with paged(site, received.url) as room:
            call(room)
            wait_until(lambda: received.requests)
        with paged(site, received.url):
            wait_until(lambda: len(received.requests) == 2)
    assert len({each["id"] for each in told(received)}) == 1


def test_a_second_taker_is_told_who_has_it_and_a_dealer_takes_none(room: Room) -> None:
    call(room)
    done(room.act(f"/api/links/{LINK}/take-call", "sue", table=1))
    late = room.act(f"/api/links/{LINK}/take-call", "eve", table=1)
    assert (late.status_code, error_of(late)) == (409, "call-taken")
    assert error_of(room.act(f"/api/links/{LINK}/take-call", "aud", table=1)) == "not-allowed"
    assert error_of(room.act(f"/api/links/{LINK}/take-call", "ann 1", table=1)) == "pin-needed"


def test_what_is_no_webhook_is_refused_before_anything_starts(tmp_path: Path) -> None:
    with pytest.raises(NotationError, match="by https, not by http"):
        pager.Pager(Settings(call_webhook="http://pagers.example/in"), lambda: None)
    with pytest.raises(NotationError, match="1 to 3,600 seconds, not 0"):
        Settings(call_escalates_s=0)
