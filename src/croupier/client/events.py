"""Live events, as the server sends them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

SILENCE_S = 60.0
"""The server says something every quarter of a minute: after this long it is gone."""


@dataclass(frozen=True)
class Event:
    """One message: its id, from which the next connection goes on, its name and what it says."""

    id: str
    name: str
    data: Mapping[str, Any]


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
