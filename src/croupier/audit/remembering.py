"""What the rules have said of an act, kept as the text that they write, to compare the next row like it with.

Rows come in their parts (see `cutting`). Nothing rests on how one is cut: parts that were learned are compared as text,
the others are numbers, a time and an id that can be written in one way only, so a row whose parts are all as they
should be is the row that the rules write, to the last byte.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TypeAlias

from croupier.floor.link.meters import Moves, contribute
from croupier.floor.link.setup import LinkSetup
from croupier.floor.link.state import Entered, LinkState, Status
from croupier.games.meter import Style
from croupier.ledger.book import Book
from croupier.ledger.cutting import Usual
from croupier.ledger.entry import Entry, Transfer, canonical

Learned: TypeAlias = tuple[bytes, bytes, bytes, bytes, bytes]
"""The kind, the based, the said, the more and the transfers of a row: the parts that are as the rules once wrote them.
Who acts is learned apart from them."""
PAY_FACTS = frozenset(
    {"by", "cards", "cards_make", "cents", "game_digest", "line", "parts", "pays", "round", "seat", "table", "where"}
)
"""Of a fixed pay that nobody has overridden and at which nothing is noted."""


@dataclass
class Tally:
    """What was done from memory, and is not in the balances yet."""

    room: int | None = None
    """Wagers that every posted maximum has room for; None where none is posted."""
    wagers: int = 0
    paid_cents: int = 0


@dataclass(slots=True)
class Again(ABC):
    """An act that the rules have decided, and that may come again."""

    kind: str
    table: int
    people: set[bytes]
    """Who has done acts of this kind."""

    @abstractmethod
    def happens(self, state: LinkState, tally: Tally, round_: int, seat: int, number: int) -> bool:
        """Do it again as this entry of the book, where the table is ready for it."""


@dataclass(slots=True)
class StartAgain(Again):
    seats: tuple[int, ...]

    def happens(self, state: LinkState, tally: Tally, round_: int, seat: int, number: int) -> bool:
        cycle, wagers = state.tables[self.table], tally.wagers + len(self.seats)
        if cycle.on or round_ != cycle.round + 1 or seat or state.status is not Status.OPEN:
            return False
        if tally.room is not None and wagers > tally.room:
            return False
        cycle.begin(round_, self.seats)
        tally.wagers = wagers
        return True


@dataclass(slots=True)
class EndAgain(Again):
    def happens(self, state: LinkState, tally: Tally, round_: int, seat: int, number: int) -> bool:
        cycle = state.tables[self.table]
        if not cycle.on or round_ != cycle.round or seat or (state.awards and state.of_round(self.table)):
            return False
        cycle.reset()
        return True


@dataclass(slots=True)
class PayAgain(Again):
    """A fixed pay from the tray: it moves no meter, and depends on the game by its seat and the cards of others."""

    hand: Entered

    def happens(self, state: LinkState, tally: Tally, round_: int, seat: int, number: int) -> bool:
        cycle = state.tables[self.table]
        if not cycle.on or round_ != cycle.round or seat not in cycle.seats or seat in cycle.entered:
            return False
        if self.hand.cards and cycle.entered:
            return False
        cycle.entered[seat] = self.hand.again(number)
        tally.paid_cents += self.hand.cents
        return True


@dataclass
class Memory:
    """What the rules have said under one setup."""

    setup: LinkSetup | None = None
    known: dict[Learned, Again] = field(default_factory=dict)
    people: defaultdict[str, set[bytes]] = field(default_factory=lambda: defaultdict(set))
    """Who has done acts of a kind."""
    of_a_wager: tuple[Transfer, ...] = ()

    def __post_init__(self) -> None:
        if self.setup:
            moves = Moves(Book())
            contribute(moves, self.setup, 1)
            self.of_a_wager = tuple(moves.transfers)

    def learn(self, entry: Entry, row: Usual) -> None:
        """Take in what the rules have just made of an act, and have written so."""
        _, _, _, _, based, by, said, _, _, more, kind, _, transfers = row
        if by == canonical(entry.facts["by"]):
            again = self._again(entry)
            if again:
                again.people.add(by)
                self.known[kind, based, said, more, transfers] = again

    def _again(self, entry: Entry) -> Again | None:
        """Where what the rules said holds for the next act like it, whatever the meters show then."""
        facts, common = entry.facts, (entry.kind, entry.facts["table"], self.people[entry.kind])
        if entry.kind == "start":
            seats = tuple(facts["seats"])
            return StartAgain(*common, seats) if seats and entry.transfers == self._wagers(len(seats)) else None
        if entry.kind == "end":
            return EndAgain(*common)
        if entry.kind == "pay" and self.setup and self.setup.style is Style.SHARES_ONLY and facts.keys() <= PAY_FACTS:
            cents, cards = facts["cents"], facts.get("cards", "")
            return PayAgain(*common, Entered(facts["line"], entry.number, fixed=True, cents=cents, cards=cards))
        return None

    def _wagers(self, count: int) -> tuple[Transfer, ...]:
        """So many times what one of them moves; what goes to an overflow depends on the meter."""
        return tuple(each._replace(units=each.units * count) for each in self.of_a_wager)
