"""What waits for a writer, and how it is answered when there is no entry to answer with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from croupier.errors import CroupierError
from croupier.progressive.aggregate import Act
from croupier.progressive.clock import CLOCK as _CLOCK


class NotDone(CroupierError):
    """The act was not done, and nothing of it is in the book."""


class InDoubt(CroupierError):
    """Nobody can tell yet whether the act is in the book."""


class WriterNo(StrEnum):
    """Why a writer refuses an act, whatever its book says."""

    ID_REUSED = "id-reused"
    """The id was sent before with another act."""
    CLOCK = _CLOCK
    """The time of day cannot be right."""


class Condition(StrEnum):
    """How a writer is."""

    WRITING = "writing"
    RECOVERING = "recovering"
    """The store was lost; acts wait."""
    STOPPED = "stopped"


class Waiting(Protocol):
    """Whoever waits for a job, and is told in the writer's thread: a `concurrent.futures.Future`, or something less."""

    def set_running_or_notify_cancel(self) -> bool: ...

    def set_result(self, result: Any, /) -> None: ...

    def set_exception(self, exception: BaseException | None, /) -> None: ...


@dataclass
class Job:
    """Something that waits for the writer: an act, or a question about the state."""

    future: Waiting
    act: Act | None = None
    question: Callable[[Any], Any] | None = None
    answer: Any = None
    error: BaseException | None = None

    def resolve(self) -> None:
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.answer)

    def in_vain(self, doubtful: set[str], why: str) -> CroupierError:
        """What is said to a job that a writer does not take up. An act that was in doubt before is so still."""
        if self.act is not None and self.act.id in doubtful:
            return InDoubt(f"It is not known whether this was done; send it again with the same id. {why}")
        return NotDone(why)
