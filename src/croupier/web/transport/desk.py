"""Where the books' writers lay their answers, for the server's own thread to hand out.

A writer makes many acts durable at once, and answers them in a row. Its answers are laid on the desk, and the server's
thread is woken once for all of them.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Generic, TypeVar

from croupier.ledger.entry import Entry


class Slip:
    """Waits for one act in the place of a `Future`, which costs ten times as much."""

    entry: Entry | None = None
    error: BaseException | None = None
    desk: Desk[Any]

    def set_running_or_notify_cancel(self) -> bool:
        return True

    def set_result(self, entry: Entry, /) -> None:
        self.entry = entry
        self.desk.lay(self)

    def set_exception(self, error: BaseException | None, /) -> None:
        self.error = error
        self.desk.lay(self)


Laid = TypeVar("Laid", bound=Slip)


class Desk(Generic[Laid]):
    """Of one event loop: `hand_out` is called in its thread, with all that was laid since."""

    def __init__(self, loop: asyncio.AbstractEventLoop, hand_out: Callable[[list[Laid]], None]) -> None:
        self._loop, self._hand_out = loop, hand_out
        self._laid: deque[Laid] = deque()
        self._due = False

    def lay(self, slip: Laid) -> None:
        """In a writer's thread. First the slip and then the bell, and the other thread the other way round."""
        self._laid.append(slip)
        if not self._due:
            self._due = True
            with suppress(RuntimeError):  # the server has just stopped
                self._loop.call_soon_threadsafe(self._ring)

    def _ring(self) -> None:
        self._due = False
        found = []
        while self._laid:
            found.append(self._laid.popleft())
        if found:
            self._hand_out(found)
