"""What the rules have said of an act, kept as the text that they write, to compare the next row like it with.

Rows are read by msgspec, strictly by the types below. Nothing rests on how it reads: what was read is written again, in
the canonical form, and only a row that is the same byte by byte has been understood.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

import msgspec
from msgspec import Raw, Struct

from croupier.progressive.ledger import Book, Entry, Transfer, canonical
from croupier.progressive.meters import Moves, contribute
from croupier.progressive.setup import LinkSetup, Style

By: TypeAlias = tuple[str, str]
Seats: TypeAlias = tuple[int, ...]

# Fields stand in the order of the alphabet, so that they are written as the canonical form has them.


class UsualFacts(Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True, gc=False):
    """What stands in the rows of starts, ends and fixed pays from the tray; no row has a fact at its default here."""

    based: Seats | None = None
    by: By | None = None
    cards: str | None = None
    cards_make: str | None = None
    cents: int | None = None
    game_digest: str | None = None
    line: str | None = None
    parts: Seats | None = None
    """Meters that pay: none."""
    pays: str | None = None
    round: int = 0
    seat: int = 0
    seats: Seats = ()
    table: int = 0
    wager_cents: int | None = None
    where: str | None = None


class UsualRow(Struct, gc=False):
    """A row as it is read and, with what the rules say of it, as it is written again."""

    at: str
    before: str
    command: str
    facts: UsualFacts
    kind: str
    number: int
    transfers: Raw


read_usual = msgspec.json.Decoder(UsualRow).decode
write = msgspec.json.Encoder().encode
NO_TRANSFERS = Raw(b"[]")


@dataclass
class Memory:
    """What the rules have said under one setup: who may, which wagers can be, and what they and fixed pays move."""

    setup: LinkSetup | None = None
    starters: set[By | None] = field(default_factory=set)
    enders: set[By | None] = field(default_factory=set)
    enterers: set[By | None] = field(default_factory=set)
    places: set[str | None] = field(default_factory=lambda: {None})
    """Where people have acted."""
    shapes: set[tuple[int, Seats, Seats | None]] = field(default_factory=set)
    """A table, the seats with a progressive wager, those with a base wager."""
    moved: dict[int, Raw] = field(default_factory=dict)
    """By number of wagers: the transfers."""
    pays: dict[tuple[str | None, str | None], tuple[UsualFacts, Raw]] = field(default_factory=dict)
    """By line and cards: facts and transfers of a fixed pay, where the tray makes them."""
    of_a_wager: tuple[Transfer, ...] = ()
    wager_cents: int = 0

    def __post_init__(self) -> None:
        if self.setup:
            self.wager_cents = self.setup.wager_cents
            moves = Moves(Book())
            contribute(moves, self.setup, 1)
            self.of_a_wager = tuple(moves.transfers)

    def learn(self, entry: Entry) -> None:
        """Take in what the rules have just made of an act."""
        self.places.add(entry.facts.get("where"))
        if entry.kind == "start":
            self._learn_start(entry)
        elif entry.kind == "end":
            self.enders.add(_by(entry))
        elif entry.kind == "pay" and self.setup and self.setup.style is Style.SHARES_ONLY:
            self.enterers.add(_by(entry))
            if not entry.facts.keys() & {"override", "notes"}:
                facts = msgspec.convert({**entry.facts, "where": None}, UsualFacts)
                self.pays.setdefault((facts.line, facts.cards), (facts, _text(entry.transfers)))

    def _learn_start(self, entry: Entry) -> None:
        """Wagers that move so many times what one of them does; what goes to an overflow depends on the meter."""
        seats = tuple(entry.facts["seats"])
        many = tuple(each._replace(units=each.units * len(seats)) for each in self.of_a_wager)
        if seats and entry.transfers == many:
            self.starters.add(_by(entry))
            self.shapes.add((entry.facts["table"], seats, tuple(entry.facts["based"])))
            self.moved.setdefault(len(seats), _text(entry.transfers))


def _text(transfers: Iterable[Transfer]) -> Raw:
    return Raw(canonical([each.as_list() for each in transfers]))


def _by(entry: Entry) -> By:
    person, role = entry.facts["by"]
    return person, role
