"""Whoever counts: one process beside the server, of low priority, so that no act of the floor waits for figures.

A question is a function of `questions` with its arguments. The same question is worked on once, and its answer kept.
Nobody's question is worked on for ever: an alarm ends the counting, and where that does not help, the process.
"""

from __future__ import annotations

import asyncio
import math
import multiprocessing
import os
import signal
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager, suppress
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from croupier.errors import CroupierError, Refusal, UnknownName
from croupier.web.errors import ApiError

MOST_WAITING = 16
MOST_IN_QUEUE = 32
"""Of those at one place who have not signed in: a class whose trainees all ask at once."""
LONGEST_S = 180.0
"""How long one question is worked on, in processor time: a busy machine gives up nothing that a quiet one counts."""
LONGEST_WAITED = 4
"""How many times as long it may take by the clock."""
PATIENCE_S = 60.0
"""How long a client waits for its answer; the work goes on, and whoever asks again finds it."""
GRACE_S = 5.0
"""Until a process ends itself that the alarm did not stop."""
TOO_LONG, TOO_LONG_KEPT_S = "too-long", 60.0
"""What took too long on a busy machine may not do so the next time."""
MOST_KEPT = 256
LOW_PRIORITY = 5
"""A third of what an act of the floor gets where both want a core: with less, a busy server would answer no player."""
MOST_MEMORY = 600 * 2**20
"""A process keeps what it has counted, so that the next question is quicker; one that has grown beyond this is put
aside when nobody waits for it."""
TOO_MUCH_MEMORY = 3 * 2**29
"""Beyond this it is put aside though somebody waits: it finishes what it was asked, and another takes what comes."""


class Answer(NamedTuple):
    """What came of a question. Errors are told in plain values: not every exception can be sent between processes."""

    value: Any = None
    status: int = 0
    code: str = ""
    sentence: str = ""
    until: float = math.inf
    """When the question may be asked anew, on the clock that all processes of a machine share."""
    memory: int = 0
    """What the process that counted has in memory now, in bytes."""


def begin_quietly() -> None:
    """In a process that counts: others come first, and it ends with the server."""
    os.nice(LOW_PRIORITY)
    from croupier.analysis.simulation.workers import stay_with_parent  # and numpy: the server starts without

    stay_with_parent()


class _TooLong(BaseException):
    """The alarm: no part of what is counted takes it for an error of its own."""


def _ring(_: int, __: object) -> None:
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # which ends the process, if this one is not heard
    signal.setitimer(signal.ITIMER_REAL, GRACE_S)
    raise _TooLong


def answered(limit_s: float, function: Callable[..., Any], *arguments: Any) -> Answer:
    """In the process that counts."""
    return _answer(limit_s, function, *arguments)._replace(memory=_memory())


def _memory() -> int:
    """Of this process; nothing where the system does not say."""
    with suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _answer(limit_s: float, function: Callable[..., Any], *arguments: Any) -> Answer:
    signal.signal(signal.SIGALRM, _ring)
    signal.signal(signal.SIGPROF, _ring)
    signal.setitimer(signal.ITIMER_PROF, limit_s)
    signal.setitimer(signal.ITIMER_REAL, limit_s * LONGEST_WAITED)
    try:
        return Answer(function(*arguments))
    except _TooLong:
        sentence = f"This takes longer than {limit_s:g} seconds to count, and was given up."
        return Answer(None, 422, TOO_LONG, sentence, time.monotonic() + TOO_LONG_KEPT_S)
    except UnknownName as error:
        return Answer(None, 404, "unknown-name", str(error))
    except Refusal as error:
        return Answer(None, 409, error.code, str(error))
    except CroupierError as error:
        return Answer(None, 422, "wrong-form", str(error))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


class Analyst:
    """Answers questions, one after another."""

    def __init__(self, limit_s: float = LONGEST_S) -> None:
        self._limit_s = limit_s
        self._pool: ProcessPoolExecutor | None = None
        self._aside: list[BaseProcess] = []
        """Put aside, and perhaps not at the end of what they were asked."""
        self._asked: OrderedDict[tuple[Any, ...], Future[Answer]] = OrderedDict()
        self._lock = Lock()
        self._queues: dict[str, _Queue] = {}
        self._closed = False

    async def ask(self, function: Callable[..., Any], *arguments: Any, place: str = "") -> Any:
        """The answer, when it is there; the server goes on meanwhile.

        Where a place is named, its questions are asked one after another: whoever asks much there waits for oneself,
        and others for no more than one of them.
        """
        for attempt in (1, 2):
            pool = self._pool
            try:
                async with asyncio.timeout(PATIENCE_S), self._queued(place):
                    future, pool = self._submitted(function, arguments)
                    answer = await asyncio.shield(asyncio.wrap_future(future))
            except TimeoutError:
                raise ApiError(
                    503, "still-counting", "This is still being counted: ask again.", headers={"Retry-After": "10"}
                ) from None
            except BrokenProcessPool:
                self._renew(pool)
                if attempt == 2:
                    raise ApiError(
                        503, "not-counted", "The figures could not be counted just now: try again."
                    ) from None
                continue
            if answer.status:
                raise ApiError(answer.status, answer.code, answer.sentence)
            return answer.value
        raise AssertionError

    @asynccontextmanager
    async def _queued(self, place: str) -> AsyncIterator[None]:
        if not place:
            yield
            return
        queue = self._queues.setdefault(place, _Queue())
        if queue.here >= MOST_IN_QUEUE:
            raise _busy()
        queue.here += 1
        try:
            async with queue.turn:
                yield
        finally:
            queue.here -= 1
            if not queue.here:
                del self._queues[place]

    def known(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """The answer where it is there already; None where nobody has asked, or it is still being counted."""
        with self._lock:
            future = self._asked.get((function, *arguments))
        if future is None or not future.done() or _has_failed(future) or future.result().status:
            return None
        return future.result().value

    def is_given_up(self, function: Callable[..., Any], *arguments: Any) -> bool:
        """Whether there is no answer, and will be none."""
        with self._lock:
            future = self._asked.get((function, *arguments))
        return future is not None and future.done() and (_has_failed(future) or bool(future.result().status))

    def begin(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Nobody waits for this answer: it makes others quicker. Where too many wait, it is left."""
        with suppress(ApiError):
            self._submitted(function, arguments)

    def _submitted(
        self, function: Callable[..., Any], arguments: tuple[Any, ...]
    ) -> tuple[Future[Answer], ProcessPoolExecutor | None]:
        key = (function, *arguments)
        with self._lock:
            earlier = self._asked.get(key)
            if earlier is not None and not _has_failed(earlier):
                self._asked.move_to_end(key)
                return earlier, self._pool
            if self._closed or sum(not future.done() for future in self._asked.values()) >= MOST_WAITING:
                raise _busy()
            if self._pool is None:
                context = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(1, context, initializer=begin_quietly)
            try:
                future = self._pool.submit(answered, self._limit_s, function, *arguments)
            except BrokenProcessPool as error:
                future = Future()
                future.set_exception(error)
            self._asked[key] = future
            pool = self._pool
            done = [question for question, its in self._asked.items() if its.done()]
            for old in done[: max(0, len(self._asked) - MOST_KEPT)]:
                del self._asked[old]
        future.add_done_callback(lambda its: self._put_aside_grown(its, pool))
        return future, pool

    def _renew(self, broken: ProcessPoolExecutor | None) -> None:
        """A process that died is replaced, once for all who waited for it."""
        with self._lock:
            if self._pool is not broken or broken is None:
                return
            self._pool = None
        broken.shutdown(wait=False)

    def _put_aside_grown(self, answer: Future[Answer], pool: ProcessPoolExecutor) -> None:
        if answer.cancelled() or answer.exception() is not None or answer.result().memory <= MOST_MEMORY:
            return
        with self._lock:
            waits = any(not future.done() for future in self._asked.values())
            if self._pool is not pool or (waits and answer.result().memory <= TOO_MUCH_MEMORY):
                return
            self._pool = None
            self._aside = [process for process in self._aside if process.is_alive()]
            self._aside += (pool._processes or {}).values()
        pool.shutdown(wait=False)

    def close(self) -> None:
        """Whatever is being counted is given up."""
        self._closed = True
        with self._lock:
            pool, self._pool = self._pool, None
            processes, self._aside = self._aside, []
        if pool is not None:
            processes += (pool._processes or {}).values()
            pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()


class _Queue:
    """Those at one place who ask, one after another."""

    def __init__(self) -> None:
        self.here, self.turn = 0, asyncio.Lock()


def _busy() -> ApiError:
    sentence = "Too many figures are being counted: try again in a moment."
    return ApiError(503, "busy", sentence, headers={"Retry-After": "5"})


def _has_failed(future: Future[Answer]) -> bool:
    """Such a question is asked anew."""
    if not future.done():
        return False
    return future.cancelled() or future.exception() is not None or future.result().until < time.monotonic()
