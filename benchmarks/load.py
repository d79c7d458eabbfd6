"""A load of keypads and listeners in one event loop, on bare sockets, because it must cost little.

The load generator shares the processors with the server it measures, and does no more than it must: requests are bytes
with a new id in them, of an answer it reads the status and the entry's number, of an event how far the book is. Every
benchmark prints which part of a processor it took.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle, islice
from time import perf_counter, process_time, time_ns
from typing import Any, TypeVar

import uvloop

from benchmarks.room import PATIENCE_S, SCREENS, SEATS, Served
from support.room import LINK

Answer = TypeVar("Answer")
Answered = Callable[[int, float], None]
"""Told the number of the entry, and when its answer was here."""
ALL_SEATS = ",".join(map(str, range(1, SEATS + 1)))
_END, _LENGTH, _NUMBER = b"\r\n\r\n", b"content-length: ", b'"number":'
_BOOK = f'"link":"{LINK}","number":'.encode()
TICK_S = 0.001


class Keypad(asyncio.Protocol):
    """One table's connection, kept open: an act is sent when the one before it is answered."""

    def __init__(self, table: int, token: str) -> None:
        self.table = table
        self._acts = {
            "start": f'","table":{table},"lit":[{ALL_SEATS}],"based":[{ALL_SEATS}]}}',
            "end": f'","table":{table}}}',
        }
        self._token, self._buffer = token, b""
        self._then: Answered | None = None
        self._transport: Any = None
        self.failed = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def send(self, act: str, then: Answered) -> None:
        """The id as a keypad makes it: the time first, so that ids of one hour lie together in the index."""
        body = f'{{"id":"{time_ns():x}-{self.table}{self._acts[act]}'
        self._then = then
        self._transport.write(
            f"POST /api/links/{LINK}/{act} HTTP/1.1\r\nHost: room\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {self._token}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
        )

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head = self._buffer.find(_END)
        if head < 0:
            return
        if len(self._buffer) < head + len(_END) + number_after(self._buffer, _LENGTH):
            return
        answer, self._buffer, then = self._buffer, b"", self._then
        if not answer.startswith(b"HTTP/1.1 200"):
            self.failed = answer[-300:].decode()
        if then is not None:
            then(number_after(answer, _NUMBER), perf_counter())

    def connection_lost(self, exc: Exception | None) -> None:
        self.failed = self.failed or "the server closed a connection"

    def close(self) -> None:
        self._transport.close()


def number_after(text: bytes, mark: bytes) -> int:
    """The whole number behind a mark; none where the mark is not there."""
    begin = text.find(mark) + len(mark)
    if begin < len(mark):
        return 0
    end = begin
    while text[end : end + 1].isdigit():
        end += 1
    return int(text[begin:end] or 0)


class Ear(asyncio.Protocol):
    """A listener of events, which keeps how far the book was told, and when."""

    def __init__(self, token: str) -> None:
        self._ask = f"GET /api/events HTTP/1.1\r\nHost: room\r\nAuthorization: Bearer {token}\r\n\r\n"
        self._buffer = bytearray()
        self._transport: Any = None
        self.numbers: list[int] = []
        self.times: list[float] = []
        self.lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._transport.write(self._ask.encode())

    def data_received(self, data: bytes) -> None:
        """An event is here when its last byte is: it ends with an empty line."""
        self._buffer += data
        while (end := self._buffer.find(b"\n\n")) >= 0:
            number = number_after(bytes(self._buffer[: min(end, 600)]), _BOOK)
            del self._buffer[: end + 2]
            if number:
                self.numbers.append(number)
                self.times.append(perf_counter())

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True

    def close(self) -> None:
        self._transport.close()

    def heard(self, number: int) -> float | None:
        """When an entry, or one after it, was told."""
        at = bisect_left(self.numbers, number)
        return self.times[at] if at < len(self.times) else None


@dataclass
class Load:
    """What was measured: of every START GAME its entry, when it was to be sent and when it was answered."""

    starts: list[tuple[int, float, float]] = field(default_factory=list)
    duration_s: float = 0.0
    generator: float = 0.0
    """The part of one processor that the load generator took."""
    server: float = 0.0
    """The same of the server."""

    @property
    def processors(self) -> str:
        """Whether one of them had no time left."""
        return f"server {self.server:.0%}, load generator {self.generator:.0%}"

    @property
    def starts_a_second(self) -> float:
        return len(self.starts) / self.duration_s

    @property
    def start_cpu_s(self) -> float:
        """Processor time of the server for one of them, with its END GAME."""
        return self.server * self.duration_s / len(self.starts)

    @property
    def latencies_s(self) -> list[float]:
        return [answered - due for _, due, answered in self.starts]

    def heard_after_s(self, ears: list[Ear]) -> list[float]:
        """From each acknowledgement to each listener; one that came before it counts as nothing."""
        return [max(0.0, _heard(ear, number) - answered) for number, _, answered in self.starts for ear in ears]

    def heard_s(self, ears: list[Ear]) -> list[float]:
        """From the moment when each game was due to each listener."""
        return [_heard(ear, number) - due for number, due, _ in self.starts for ear in ears]


def _heard(ear: Ear, number: int) -> float:
    found = ear.heard(number)
    if found is None:
        raise RuntimeError(f"a listener was not told of entry {number}")
    return found


class Tables:
    """Tables that play: every START GAME with seven wagers is followed by its END GAME as soon as it is answered."""

    def __init__(self, server: Served, keypads: list[Keypad]) -> None:
        self._server, self._keypads, self._free = server, keypads, deque(keypads)
        self._late: deque[float] = deque()
        """Games that are due while every table is busy."""
        self._nonstop, self._load = False, Load()

    async def as_fast_as_answered(self, duration_s: float) -> Load:
        """Every table starts its next game as soon as the one before it has ended."""
        self._nonstop = True
        with self._measured():
            while self._free:
                self._start(self._free.popleft(), perf_counter())
            await asyncio.sleep(duration_s)
            self._nonstop = False
            await self._over()
        return self._load

    async def at_rate(self, starts_a_second: float, duration_s: float) -> Load:
        """Games are due at fixed times, whatever the server does: the wait of one that is sent late counts too."""
        with self._measured():
            begun = perf_counter()
            for number in range(round(starts_a_second * duration_s)):
                due = begun + number / starts_a_second
                while perf_counter() < due:
                    await asyncio.sleep(min(TICK_S, max(0.0, due - perf_counter())))
                if self._free:
                    self._start(self._free.popleft(), due)
                else:
                    self._late.append(due)
            await self._over()
        return self._load

    def close(self) -> None:
        for keypad in self._keypads:
            keypad.close()

    @contextmanager
    def _measured(self) -> Iterator[None]:
        load = self._load = Load()
        of_server = self._server.cpu_s()
        begun, cpu = perf_counter(), process_time()
        yield
        load.duration_s = perf_counter() - begun
        load.generator = (process_time() - cpu) / load.duration_s
        load.server = (self._server.cpu_s() - of_server) / load.duration_s

    async def _over(self) -> None:
        """All games have ended."""
        end = perf_counter() + PATIENCE_S
        while len(self._free) < len(self._keypads):
            wrong = next((keypad.failed for keypad in self._keypads if keypad.failed), "")
            if wrong or perf_counter() > end:
                busy = len(self._keypads) - len(self._free)
                wrong = wrong or f"{busy} tables still play, {len(self._late)} games are late"
                raise RuntimeError(f"{len(self._load.starts)} games were played, and then: {wrong}")
            await asyncio.sleep(TICK_S)

    def _start(self, keypad: Keypad, due: float) -> None:
        keypad.send("start", partial(self._started, keypad, due))

    def _started(self, keypad: Keypad, due: float, number: int, at: float) -> None:
        self._load.starts.append((number, due, at))
        keypad.send("end", partial(self._ended, keypad))

    def _ended(self, keypad: Keypad, _: int, at: float) -> None:
        if self._late:
            self._start(keypad, self._late.popleft())
        elif self._nonstop:
            self._start(keypad, at)
        else:
            self._free.append(keypad)


async def tables_of(server: Served, tables: int) -> Tables:
    """A keypad for every table, each with a session of its own."""
    loop = asyncio.get_running_loop()
    made = {number: partial(Keypad, number, server.sign_in(number)) for number in range(1, tables + 1)}
    opened = [await loop.create_connection(keypad, "127.0.0.1", server.port) for keypad in made.values()]
    return Tables(server, [keypad for _, keypad in opened])


async def ears(server: Served, count: int) -> list[Ear]:
    """Listeners who have heard how the link stands."""
    loop = asyncio.get_running_loop()
    made = []
    for token in islice(cycle(SCREENS), count):
        made.append((await loop.create_connection(partial(Ear, token), "127.0.0.1", server.port))[1])
    end = perf_counter() + PATIENCE_S
    while not all(ear.numbers for ear in made):
        if perf_counter() > end or any(ear.lost for ear in made):
            raise RuntimeError("not every listener was told anything")
        await asyncio.sleep(0.01)
    return made


def close(tables: Tables, listeners: list[Ear]) -> None:
    tables.close()
    for ear in listeners:
        ear.close()


def run(measured: Coroutine[Any, Any, Answer]) -> Answer:
    """In the event loop that costs least."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(measured)
