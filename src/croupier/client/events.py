"""Live events: heard in order, and taken up again where they were interrupted."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from croupier.client.transport import ApiRefusal, NoAnswer, Transport, refusal_of

SILENCE_S = 60.0
"""The server says something every quarter of a minute: after this long it is gone."""


@dataclass(frozen=True)
class Event:
    """One message: its id, from which the next connection goes on, its name and what it says."""

    id: str
    name: str
    data: Mapping[str, Any]


class Listening(Transport):
    """What is heard without asking."""

    def events(self, link: str | None = None, *, last_id: str = "") -> Iterator[Event]:
        """Every event of a link or of all, without end; a lost connection is made again from the last id."""
        tries, lost_at = 0, 0.0
        while True:
            try:
                for event in self._connected(link, last_id):
                    tries, last_id = 0, event.id or last_id
                    yield event
                why = "the server has ended the events"
            except httpx.TransportError as error:
                why = str(error) or type(error).__name__
            except ApiRefusal as refused:
                if refused.status < 500:
                    raise
                why = refused.sentence
            lost_at = time.monotonic() if not tries else lost_at
            pause = self.patience.pause(tries)
            if time.monotonic() + pause - lost_at > self.patience.seconds:
                raise NoAnswer(why.rstrip("."))
            tries += 1
            time.sleep(pause)

    def _connected(self, link: str | None, last_id: str) -> Iterator[Event]:
        headers = {**self.headers, "Accept": "text/event-stream"}
        if last_id:
            headers["Last-Event-ID"] = last_id
        params = {"link": link} if link is not None else {}
        timeout = httpx.Timeout(self.patience.timeout_s, read=SILENCE_S)
        with self._http.stream(
            "GET", f"{self.url}/api/events", headers=headers, params=params, timeout=timeout
        ) as response:
            if not response.is_success:
                response.read()
                raise refusal_of(response)
            yield from read_events(response.iter_lines())


def read_events(lines: Iterable[str]) -> Iterator[Event]:
    """Server-sent events from their lines; comments and what has no data say nothing."""
    fields: dict[str, str] = {}
    for line in lines:
        if not line:
            if "data" in fields:
                yield Event(fields.get("id", ""), fields.get("event", "message"), json.loads(fields["data"]))
            fields = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            fields[name] = f"{fields[name]}\n{value}" if name == "data" and name in fields else value
