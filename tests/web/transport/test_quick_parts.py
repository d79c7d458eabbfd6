"""The parts of the short way by themselves: a quiet connection, the date, who calls, how long that is believed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from prometheus_client import CollectorRegistry, generate_latest
from uvicorn.server import ServerState

from croupier.compliance.authority import CardHash, Role
from croupier.floor.people import Device, DeviceKind, Devices, Person
from croupier.web.errors import ApiError
from croupier.web.identity.callers import in_session
from croupier.web.identity.sessions import Access
from croupier.web.identity.store import Session, utc
from croupier.web.metrics import BUCKETS, Requests
from croupier.web.transport.connections import Connection, Door, connections

KEEP_ALIVE_S = 5
SEEN_S = 1.0
"""How much later than that a quiet connection may be noticed."""

# A connection


class Timer:
    def __init__(self, due: float, act: Callable[[], None]) -> None:
        self.due, self.act, self.counts = due, act, True

    def cancel(self) -> None:
        self.counts = False


class Loop:
    """Time passes when a test says so."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.timers: list[Timer] = []

    def time(self) -> float:
        return self.now

    def call_later(self, seconds: float, act: Callable[..., None], *args: Any) -> Timer:
        self.timers.append(Timer(self.now + seconds, lambda: act(*args)))
        return self.timers[-1]

    def waiting(self) -> list[Timer]:
        return sorted((timer for timer in self.timers if timer.counts), key=lambda timer: timer.due)

    def let_pass(self, seconds: float) -> None:
        end = self.now + seconds
        while (waiting := self.waiting()) and waiting[0].due <= end:
            first = waiting[0]
            self.now = max(self.now, first.due)
            first.cancel()
            first.act()
        self.now = end


class Wire(asyncio.Transport):
    """Takes down what is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.text, self.closed = b"", False

    def write(self, data: Any) -> None:
        self.text += bytes(data)

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True


class TakesAll:
    def take(self, *_: Any) -> bool:
        return True


class Desk:
    """A connection all of whose requests are acts of the short way."""

    def __init__(self) -> None:
        config = uvicorn.Config(lambda: None, log_config=None, timeout_keep_alive=KEEP_ALIVE_S)
        self.loop, self.wire, self.state = Loop(), Wire(), ServerState()
        kind = connections(Door(9, 9), TakesAll())  # type: ignore[arg-type]
        self.connection: Connection = kind(config=config, server_state=self.state, app_state={}, _loop=self.loop)
        self.connection.connection_made(self.wire)

    def takes(self) -> None:
        self.connection.data_received(b"POST")

    def answers(self) -> bytes:
        """What is written."""
        before = len(self.wire.text)
        self.connection._line.answer(200, b"\r\n")
        return self.wire.text[before:]

    def is_closed_after(self, seconds: float) -> bool:
        self.loop.let_pass(seconds)
        return self.wire.closed


def test_a_connection_that_sends_acts_alone_is_closed_when_it_is_quiet_and_not_before() -> None:
    desk = Desk()
    for _ in range(20):
        desk.takes()
        desk.answers()
        assert len(desk.loop.waiting()) == 1
        assert not desk.is_closed_after(KEEP_ALIVE_S - 0.1)
    desk.takes()
    assert not desk.is_closed_after(10 * KEEP_ALIVE_S), "it waits for the answer"
    desk.answers()
    assert not desk.is_closed_after(KEEP_ALIVE_S - 0.1)
    assert desk.is_closed_after(0.1 + SEEN_S)
    assert not desk.loop.waiting()


def test_the_date_of_the_answers_is_the_one_that_was_set_last() -> None:
    desk = Desk()
    for date in (b"Mon", b"Tue", b"Wed"):
        desk.state.default_headers = [(b"date", date), (b"server", b"croupier")]
        for _ in range(2):
            desk.takes()
            assert desk.answers() == b"HTTP/1.1 200 OK\r\ndate: %b\r\nserver: croupier\r\n\r\n" % date


# Who calls

ANN = Person("ann", "Ann", Role.DEALER)
KEYPAD = Device("keypad-1", DeviceKind.KEYPAD, "Table 1", CardHash("hash"), table=1)


def new_session() -> Session:
    now = utc()
    return Session("h", "ann", KEYPAD.id, False, "", now, now + timedelta(minutes=15))


def test_the_last_caller_is_the_caller_only_while_nothing_is_different() -> None:
    devices, session = Devices({KEYPAD.id: KEYPAD}), new_session()
    runtime: Any = SimpleNamespace(house=SimpleNamespace(site=SimpleNamespace(devices=devices)))
    last = in_session(runtime, session, ANN, "10.0.0.1")
    assert in_session(runtime, session, ANN, "10.0.0.1", last) is last
    assert in_session(runtime, session, ANN, "10.0.0.2", last).source == "10.0.0.2"
    supervisor = replace(ANN, role=Role.SUPERVISOR)
    assert in_session(runtime, session, supervisor, "10.0.0.1", last).person is supervisor
    longer = replace(session, given=True)
    assert in_session(runtime, longer, ANN, "10.0.0.1", last).session is longer
    devices.enrol(replace(KEYPAD, table=2))
    moved = in_session(runtime, session, ANN, "10.0.0.1", last)
    assert moved.device is not None
    assert moved.device.table == 2
    devices.revoke(KEYPAD.id)
    with pytest.raises(ApiError) as refused:
        in_session(runtime, session, ANN, "10.0.0.1", moved)
    assert (refused.value.status, refused.value.code) == (401, "signed-out")


class SlowSessions:
    """A store that takes a while to answer, with what was true when it was asked."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.answered = 0.0

    def session(self, _: str) -> Session:
        time.sleep(0.02)
        self.answered = time.monotonic()
        return self._session

    def sessions(self, hashes: Iterable[str]) -> list[Session]:
        return [self.session(each) for each in hashes]


def test_a_session_is_believed_from_when_it_was_asked_for_and_not_from_the_answer() -> None:
    store = SlowSessions(new_session())
    access = Access(store, None, None, lambda _: ANN)  # type: ignore[arg-type]
    began = time.monotonic()
    access._known("h")
    assert began <= access._fresh["h"][0] < store.answered
    began = time.monotonic()
    access.look_again({"h"})
    assert began <= access._fresh["h"][0] < store.answered
    assert access.at_once("h") is not None


# The figures


def test_the_figures_are_the_sum_of_all_requests_and_each_bucket_holds_those_before_it() -> None:
    requests, registry = Requests(), CollectorRegistry()
    registry.register(requests)
    took = (0.001, BUCKETS[0], 0.003, 0.3, 7.0)
    for seconds in (*took, 0.0):
        requests.begun()
        if seconds:
            requests.answered("POST", "/a", 200, seconds)
    lines = [line.rpartition(" ") for line in generate_latest(registry).decode().splitlines() if line[0] != "#"]
    told = {name: float(value) for name, _, value in lines}
    for most in BUCKETS:
        within = sum(seconds <= most for seconds in took)
        assert told[f'croupier_request_seconds_bucket{{le="{float(most)}",route="/a"}}'] == within
    assert told['croupier_request_seconds_bucket{le="+Inf",route="/a"}'] == len(took)
    assert told['croupier_request_seconds_count{route="/a"}'] == len(took)
    assert told['croupier_request_seconds_sum{route="/a"}'] == pytest.approx(sum(took))
    assert told['croupier_requests_total{method="POST",route="/a",status="200"}'] == len(took)
    assert told["croupier_requests_in_progress"] == 1
