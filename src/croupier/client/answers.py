"""What the server answers, as records. Money is in whole cents, but for transfers of a book."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec


@dataclass(frozen=True)
class Entry:
    """An entry of a book."""

    number: int
    at: str
    command: str
    """The id that the client made."""
    kind: str
    facts: Mapping[str, Any]
    transfers: tuple[tuple[str, str, int], ...]
    """From, to, and millionths of a cent."""
    before: str
    digest: str


@dataclass(frozen=True)
class Meter:
    level: str
    title: str
    meter_cents: int


@dataclass(frozen=True)
class Award:
    """A hand that waits for a card."""

    award: int
    table: int
    round: int
    seat: int
    line: str
    level: str
    share: str
    fixed: bool
    """Whether it is a fixed pay that takes a card; then it is no share, and of no single meter."""
    cents: int
    called: bool
    card: str
    """Whose card it takes at least."""


@dataclass(frozen=True)
class Hand:
    seat: int
    line: str
    award: int
    fixed: bool
    final: bool


@dataclass(frozen=True)
class Game:
    """A table's game."""

    round: int
    on: bool
    seats: tuple[int, ...]
    """With a progressive wager."""
    entered: tuple[Hand, ...]
    based: tuple[int, ...] = ()
    """With a base wager."""
    reopenable: bool = False
    """Whether the game that ended last can be reopened."""


@dataclass(frozen=True)
class LinkSummary:
    """A link in short, as it stood when the act was answered."""

    link: str
    number: int
    status: str
    stopped: str
    levels: tuple[Meter, ...]
    awards: tuple[Award, ...]
    game: Game | None
    """Of the act's table."""


@dataclass(frozen=True)
class Done:
    """An act of a link that is done and durable."""

    entry: Entry
    link: LinkSummary


@dataclass(frozen=True)
class SignedIn:
    person: str
    name: str
    role: str
    console: bool
    """Whether a PIN of one's own was given."""
    pin_to_change: bool
    """Whether somebody else has set the PIN: `set_pin` first, and sign in again."""
    ends: str
    token: str

    def __repr__(self) -> str:
        return f"SignedIn({self.person}, {self.role})"


# msgspec looks at a record when it first reads one, and a second thread that reads meanwhile finds it half looked at:
# that ends the process. So each is looked at here, while only one thread can.
msgspec.json.Decoder(Done)


# Live events, as the server sends them

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
