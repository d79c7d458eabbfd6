"""What a client and its caller have to say to each other: refusals, patience, a second person, the body of an act."""

from __future__ import annotations

import random
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx


class ClientError(Exception):
    """Anything that goes wrong between here and the server."""


class ApiRefusal(ClientError):
    """The server has answered, and says no."""

    def __init__(self, code: str, sentence: str, status: int, *, retry: bool = False, wait_s: float = 0.0) -> None:
        super().__init__(f"{sentence} ({code})")
        self.code = code
        """For programs: `not-open`."""
        self.sentence = sentence
        """For people."""
        self.status = status
        self.retry = retry
        """Whether the same request may be sent again."""
        self.wait_s = wait_s
        """How long the server asks to wait before."""


class NoAnswer(ClientError):
    """However often it was sent, there was no answer: whether the act was done is not known."""

    def __init__(self, why: str, id: str | None = None) -> None:
        known = f" The act's id is {id}: send it again with the same id, and it is done once." if id else ""
        super().__init__(f"The server does not answer: {why}.{known}")
        self.id = id


AGAIN = frozenset({502, 503, 504})
"""Not done, in doubt, or nobody there behind the proxy."""


@dataclass(frozen=True)
class Patience:
    """How long a request is sent again, and how fast."""

    seconds: float = 30.0
    """In all, from the first try."""
    first_pause_s: float = 0.05
    longest_pause_s: float = 2.0
    timeout_s: float = 10.0
    """Of one try."""

    def pause(self, tries: int) -> float:
        """Twice as long each time, and not at the same moment as everybody else."""
        pause: float = min(self.longest_pause_s, self.first_pause_s * 2.0 ** min(tries, 20))
        return pause * random.uniform(0.5, 1.0)


@dataclass(frozen=True)
class SecondCard:
    """A second person with card and PIN, who agrees to the act that this is given with."""

    card: str = field(repr=False)
    pin: str = field(repr=False)


def act_body(id: str | None, values: Mapping[str, Any]) -> dict[str, Any]:
    """The body of an act."""
    return {"id": id or new_id(), **{name: value for name, value in values.items() if value is not None}}


def new_id() -> str:
    return uuid.uuid4().hex


def refusal_of(response: httpx.Response) -> ApiRefusal:
    """Of the server's one form; a proxy in between has others."""
    wait = response.headers.get("retry-after", "")
    wait_s = float(wait) if wait.isdigit() else 0.0
    try:
        error = response.json()["error"]
        refusal = (str(error["code"]), str(error["sentence"]), bool(error["retry"]))
    except (ValueError, KeyError, TypeError):
        refusal = ("http", f"The answer was {response.status_code} {response.reason_phrase}.", False)
    return ApiRefusal(refusal[0], refusal[1], response.status_code, retry=refusal[2], wait_s=wait_s)
