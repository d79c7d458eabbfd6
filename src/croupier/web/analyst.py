"""Whoever counts: one process beside the server, of low priority, so that no act of the floor waits for figures.

A question is a function of `questions` with its arguments. The same question is worked on once, and its answer kept.
Nobody's question is worked on for ever: an alarm ends the counting, and where that does not help, the process.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import re
import signal
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from threading import Lock
from typing import Any, NamedTuple

from croupier.analysis.processes import stay_with_parent
from croupier.errors import CroupierError, Refusal, UnknownName
from croupier.web.errors import ApiError

MOST_WAITING = 16
LONGEST_S = 180.0
"""How long one question is worked on."""
PATIENCE_S = 60.0
"""How long a client waits for its answer; the work goes on, and whoever asks again finds it."""
GRACE_S = 5.0
"""Until a process ends itself that the alarm did not stop."""
MOST_KEPT = 256
LOW_PRIORITY = 10
_OPTION = re.compile(r"--([a-z]+(?:-[a-z]+)*)")


class Answer(NamedTuple):
    """What came of a question. Errors are told in plain values: not every exception can be sent between processes."""

    value: Any = None
    status: int = 0
    code: str = ""
    sentence: str = ""


def begin_quietly() -> None:
    """In a process that counts: others come first, and it ends with the server."""
    os.nice(LOW_PRIORITY)
    stay_with_parent()


def in_api_words(sentence: str) -> str:
    """`--find-hold` on the command line is `find_hold` in a request."""
    return _OPTION.sub(lambda found: found[1].replace("-", "_"), sentence)


class _TooLong(BaseException):
    """The alarm: no part of what is counted takes it for an error of its own."""


def _ring(_: int, __: object) -> None:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # which ends the process, if this one is not heard
    signal.setitimer(signal.ITIMER_REAL, GRACE_S)
    raise _TooLong


def answered(limit_s: float, function: Callable[..., Any], *arguments: Any) -> Answer:
    """In the process that counts."""
    signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, limit_s)
    try:
        return Answer(function(*arguments))
    except _TooLong:
        return Answer(None, 422, "too-long", f"This takes longer than {limit_s:g} seconds to count, and was given up.")
    except UnknownName as error:
        return Answer(None, 404, "unknown-name", in_api_words(str(error)))
    except Refusal as error:
        return Answer(None, 409, error.code, str(error))
    except CroupierError as error:
        return Answer(None, 422, "wrong-form", in_api_words(str(error)))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


class Analyst:
    """Answers questions, one after another."""

    def __init__(self, limit_s: float = LONGEST_S) -> None:
        self._limit_s = limit_s
        self._pool: ProcessPoolExecutor | None = None
        self._asked: OrderedDict[tuple[Any, ...], Future[Answer]] = OrderedDict()
        self._lock = Lock()
        self._closed = False

    async def ask(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """The answer, when it is there; the server goes on meanwhile."""
        for attempt in (1, 2):
            future, pool = self._submitted(function, arguments)
            try:
                async with asyncio.timeout(PATIENCE_S):
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

    def _submitted(
        self, function: Callable[..., Any], arguments: tuple[Any, ...]
    ) -> tuple[Future[Answer], ProcessPoolExecutor | None]:
        key = (function, *arguments)
        with self._lock:
            found = self._asked.get(key)
            if found is not None and not _has_failed(found):
                self._asked.move_to_end(key)
                return found, self._pool
            if self._closed or sum(not each.done() for each in self._asked.values()) >= MOST_WAITING:
                raise ApiError(503, "busy", "Too many figures are being counted: try again in a moment.")
            if self._pool is None:
                context = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(1, context, initializer=begin_quietly)
            try:
                future = self._pool.submit(answered, self._limit_s, function, *arguments)
            except BrokenProcessPool as error:
                future = Future()
                future.set_exception(error)
            self._asked[key] = future
            done = [each for each, its in self._asked.items() if its.done()]
            for old in done[: max(0, len(self._asked) - MOST_KEPT)]:
                del self._asked[old]
            return future, self._pool

    def _renew(self, broken: ProcessPoolExecutor | None) -> None:
        """A process that died is replaced, once for all who waited for it."""
        with self._lock:
            if self._pool is not broken or broken is None:
                return
            self._pool = None
        broken.shutdown(wait=False)

    def close(self) -> None:
        """Whatever is being counted is given up."""
        self._closed = True
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            processes = list((pool._processes or {}).values())
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()


def _has_failed(future: Future[Answer]) -> bool:
    """Such a question is asked anew."""
    return future.done() and (future.cancelled() or future.exception() is not None)
