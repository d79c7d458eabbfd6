"""What a connection keeps from one act to the next: it stays small, and no answer comes early or from what was."""

from __future__ import annotations

import socket
import time
import uuid
from typing import Any

import pytest

from croupier.floor.floor import Floor
from croupier.web.identity import sessions
from croupier.web.transport import quick
from croupier.web.transport.connections import Connection
from tests.web.support import error_of, wait_until
from tests.web.transport import test_quick
from tests.web.transport.test_quick import SEATS, SHORT, Place, heard, read, written

place, no_game = test_quick.place, test_quick.no_game
LOOK = b"GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.fixture(autouse=True)
def believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A session that was looked up once, on however slow a machine."""
    monkeypatch.setattr(sessions, "FRESH_S", 60.0)


def connection_of(place: Place, line: socket.socket) -> Connection:
    """The server's end of a line."""
    found: list[Any] = []

    def is_there() -> bool:
        there: list[Any] = list(place.served.server.server_state.connections)
        found[:] = [each for each in there if each.client == line.getsockname()]
        return bool(found)

    wait_until(is_there)
    connection: Connection = found[0]
    return connection


def says_nothing(line: socket.socket, seconds: float = 0.15) -> bool:
    line.settimeout(seconds)
    try:
        line.recv(1)
    except TimeoutError:
        return True
    finally:
        line.settimeout(10)
    return False


def end_of(place: Place, id_: str, who: str = "ann 1", **more: str) -> bytes:
    """An act that needs no game: it is refused by the writer, at the end of the short way."""
    return written("end", {"id": id_, "table": 1}, {**place.site.header(who), "Content-Type": SHORT, **more})


def test_an_act_whose_last_spaces_are_not_there_yet_is_not_answered(place: Place) -> None:
    """Its head is known and its JSON complete; were it answered now, the spaces would begin the next request."""
    body = b'{"id": "%b", "table": 1}    ' % uuid.uuid4().hex.encode()
    request = written("call", body, {**place.site.header("ann 1"), "Content-Type": SHORT})
    with place.line() as line:
        before = place.taken
        for _ in range(2):
            line.sendall(request)
            first = read(line)
        assert place.taken == before + 2, "the head is known"
        line.sendall(request[:-4])
        assert says_nothing(line)
        line.sendall(b"    ")
        late = read(line)
        assert (late.status_code, error_of(late)) == (first.status_code, error_of(first))
        line.sendall(LOOK)
        assert read(line).json() == {"status": "running"}
        line.sendall(request)
        assert read(line).status_code == first.status_code


def test_a_connection_keeps_a_few_heads_however_many_it_sends(place: Place) -> None:
    with place.line() as line:
        line.sendall(end_of(place, "h"))
        read(line)
        heads = connection_of(place, line)._line.heads
        for length in range(1, 3 * quick.MOST_HEADS):
            request = end_of(place, "h" * length)
            before = place.taken
            line.sendall(request)
            read(line)
            assert place.taken == before + 1
            assert request.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" in heads
            assert len(heads) <= quick.MOST_HEADS


def test_nothing_is_kept_of_a_stranger_and_no_head_that_is_long(place: Place) -> None:
    with place.line() as line:
        for link in ("main", "unknown"):
            headers = {"Authorization": "Bearer ses_nobody", "Content-Type": SHORT}
            line.sendall(written("end", {"id": "n", "table": 1}, headers, link))
            assert read(line).status_code == 401
        heads = connection_of(place, line)._line.heads
        assert not heads
        before = place.taken
        line.sendall(end_of(place, "n", Padding="x" * quick.MOST_HEAD_BYTES))
        read(line)
        assert (place.taken, heads) == (before + 1, {})
        line.sendall(end_of(place, "n"))
        read(line)
        assert len(heads) == 1


def test_a_head_that_is_known_counts_for_nothing_once_its_session_has_ended(place: Place) -> None:
    runtime, token = place.served.runtime, place.site.tokens["ann 1"]
    session, _ = runtime.access.session(token.removeprefix("ses_"))
    with place.line() as line:
        request = place.request("start", **SEATS)
        line.sendall(request)
        assert read(line).status_code == 200
        runtime.access.end(session)
        line.sendall(request)
        assert read(line).status_code == 401
        runtime.sessions.begin(session)
        line.sendall(request)
        assert read(line).status_code == 200


def test_reading_goes_on_after_an_act_that_came_before_the_answer_to_the_last(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[Any] = []
    really = Floor.hand_in
    with place.line() as line:
        connection = connection_of(place, line)
        with monkeypatch.context() as patched:
            patched.setattr(Floor, "hand_in", lambda *given: held.append(given))
            line.sendall(place.request("start", **SEATS))
            wait_until(lambda: held)
            line.sendall(place.request("end"))
            wait_until(lambda: connection._behind)
        assert says_nothing(line, 0.02)
        place.acts._loop.call_soon_threadsafe(really, *held[0])
        assert [each[:3] for each in heard(line, 2)] == [b"200", b"200"]
        time.sleep(0.02)
        line.sendall(place.request("start", **SEATS))
        assert read(line).status_code == 200
        line.sendall(LOOK)
        assert read(line).json() == {"status": "running"}
