"""Threads of their own for work that takes long, so that nobody who acts on the floor ever waits for it.

    @report_route
    def get_something(runtime: TheRuntime, ...) -> dict[str, Any]: ...

Such a route is written like any other. It waits for its turn without holding a thread; reading, counting, printing and
writing the answer are done in one of a few threads. Where too many wait already, or one has waited too long, the client
is told so at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar

from anyio import CapacityLimiter, to_thread
from fastapi import Response

from croupier.web.errors import ApiError
from croupier.web.floor.answers import answer

Given = ParamSpec("Given")
Found = TypeVar("Found")


class Turns:
    """So many threads, and a short queue before them."""

    def __init__(self, what: str, *, at_once: int, most_waiting: int, wait_s: float) -> None:
        self._what, self._most, self._wait_s = what, at_once + most_waiting, wait_s
        self._turn, self._threads = asyncio.Semaphore(at_once), CapacityLimiter(at_once)
        self._here = 0

    async def do(self, work: Callable[[], Found]) -> Found:
        """Wait for a thread, and do it there."""
        if self._here >= self._most:
            raise self._busy()
        self._here += 1
        try:
            try:
                async with asyncio.timeout(self._wait_s):
                    await self._turn.acquire()
            except TimeoutError:
                raise self._busy() from None
            try:
                return await to_thread.run_sync(work, limiter=self._threads)
            finally:
                self._turn.release()
        finally:
            self._here -= 1

    def _busy(self) -> ApiError:
        return ApiError(503, "busy", f"Too many {self._what} just now: try again.", headers={"Retry-After": "5"})


def waits_for(turns: Callable[[Mapping[str, Any]], Turns]) -> Callable[..., Any]:
    """Has a route done in these threads, its answer written there too: a long one would hold the whole server up."""

    def wrapper(route: Callable[Given, Any]) -> Callable[Given, Coroutine[Any, Any, Response]]:
        @wraps(route)
        async def waiting(*args: Given.args, **values: Given.kwargs) -> Response:
            return await turns(values).do(partial(_answered, route, *args, **values))

        return waiting

    return wrapper


def _answered(route: Callable[Given, Any], *args: Given.args, **values: Given.kwargs) -> Response:
    result = route(*args, **values)
    return result if isinstance(result, Response) else answer(result)


report_route = waits_for(lambda given: given["runtime"].reports)
"""Reads whole books."""
search_route = waits_for(lambda given: given["runtime"].searches)
"""Looks through a part of the books: it waits for others like it, and for no report."""
play_route = waits_for(lambda given: given["play"].turns)
"""Plays a round, or looks at one."""
drill_route = waits_for(lambda given: given["play"].drills)
"""Makes many rounds for one answer: it waits for others like it, and nobody who plays waits for it."""
