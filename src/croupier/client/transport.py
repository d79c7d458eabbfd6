"""Requests that are sent again until they are answered, for as long as the client's patience lasts."""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import httpx

# What a client may have to say to its user.


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


_AGAIN = frozenset({502, 503, 504})
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


class Transport:
    """One connection pool, and the token that goes with every request."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        patience: Patience | None = None,
        http: httpx.Client | None = None,
    ) -> None:
        self.url, self.token = url.rstrip("/"), token
        self.patience = patience or Patience()
        self._own = http is None
        self._http = http or httpx.Client(timeout=self.patience.timeout_s)

    def close(self) -> None:
        if self._own:
            self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    # Any route

    def get(self, path: str, **params: Any) -> Any:
        """A route that only reads; values of None are left out."""
        return self._send("GET", path, params={name: value for name, value in params.items() if value is not None})

    def post(self, path: str, body: Mapping[str, Any], *, again: bool = True) -> Any:
        return self._send("POST", path, json=dict(body), again=again)

    def act(self, path: str, id: str | None, /, **values: Any) -> Any:
        """An act, with the id given or a new one; values of None are left out."""
        return self.post(path, act_body(id, values))

    def agreed(self, body: dict[str, Any], second: SecondCard | None, act: str, link: str = "") -> dict[str, Any]:
        """An act with the ticket of the second person, where one agrees to it."""
        if second is None:
            return body
        asked = {"card": second.card, "pin": second.pin, "act": act, "link": link, "id": body["id"], "body": body}
        return {**body, "second_ticket": self.post("/api/second-person", asked)["second_ticket"]}

    def _send(self, method: str, path: str, *, again: bool = True, **request: Any) -> Any:
        """Send until there is an answer, patience ends, or the server says no."""
        end, tries = time.monotonic() + self.patience.seconds, 0
        while True:
            pause = self.patience.pause(tries)
            try:
                response = self._http.request(method, self.url + path, headers=self.headers, **request)
            except httpx.TransportError as error:
                if not again or time.monotonic() + pause > end:
                    why = str(error) or type(error).__name__
                    raise NoAnswer(why.rstrip("."), request.get("json", {}).get("id")) from error
            else:
                if response.is_success:
                    return response.json()
                refused = refusal_of(response)
                pause = max(pause, min(refused.wait_s, self.patience.longest_pause_s))
                if not again or response.status_code not in _AGAIN or time.monotonic() + pause > end:
                    raise refused
            tries += 1
            time.sleep(pause)


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
        said = (str(error["code"]), str(error["sentence"]), bool(error["retry"]))
    except (ValueError, KeyError, TypeError):
        said = ("http", f"The answer was {response.status_code} {response.reason_phrase}.", False)
    return ApiRefusal(said[0], said[1], response.status_code, retry=said[2], wait_s=wait_s)
