"""A small book for tests of stores and writers: wagers move a meter, a hit is held and then paid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from croupier.errors import Refusal
from croupier.floor.aggregate import Origin
from croupier.ledger.book import Book
from croupier.ledger.entry import UNITS_PER_CENT, Account, Entry, Purpose, Transfer

PLAYERS, TRAY, HOUSE = Account(Purpose.PLAYERS), Account(Purpose.TRAY), Account(Purpose.HOUSE)
METER, RESERVE, PENDING = Account(Purpose.METER), Account(Purpose.RESERVE), Account(Purpose.PENDING)
STREAM = "link:main"
SEED_UNITS = 1_000 * UNITS_PER_CENT


@dataclass(frozen=True)
class Wagers:
    id: str
    seats: int = 7
    cents: int = 500


@dataclass(frozen=True)
class Hit:
    """All of the meter is held, and the meter begins again from its seed."""

    id: str


@dataclass(frozen=True)
class Pay:
    """What is held goes to the player."""

    id: str


@dataclass(frozen=True)
class Broken:
    """An act that the program cannot apply: a bug."""

    id: str


@dataclass
class Till:
    book: Book = field(default_factory=Book)
    rounds: int = 0

    def handle(self, act: Wagers | Hit | Pay | Broken, at: str) -> Entry:
        match act:
            case Wagers():
                cents = act.seats * act.cents
                rates = ((METER, 240_000), (RESERVE, 10_000), (TRAY, 750_000))
                transfers = [Transfer(PLAYERS, account, rate * cents) for account, rate in rates]
            case Hit():
                held = self.book.balance(Purpose.METER) // UNITS_PER_CENT * UNITS_PER_CENT
                if not held:
                    raise Refusal("empty", "There is nothing on the meter.")
                transfers = [Transfer(METER, PENDING, held), Transfer(HOUSE, METER, SEED_UNITS)]
            case Pay():
                held = self.book.balance(Purpose.PENDING)
                if not held:
                    raise Refusal("nothing-held", "There is no award to pay.")
                transfers = [Transfer(PENDING, PLAYERS, held)]
            case Broken():
                transfers = [Transfer(PLAYERS, METER, 1)]
        return self.book.next(at, act.id, type(act).__name__, {"round": self.rounds + 1}, transfers)

    def apply(self, entry: Entry) -> None:
        self.rounds += 1
        if entry.kind == "Broken":
            raise ZeroDivisionError("a bug")
        self.book.add(entry)

    @staticmethod
    def answers(act: Any, entry: Entry) -> bool:
        """Whether the entry came of this act: of its kind, and for wagers of the same amount."""
        wagered = sum(each.units for each in entry.transfers if each.source == PLAYERS)
        same = not isinstance(act, Wagers) or wagered == act.seats * act.cents * UNITS_PER_CENT
        return entry.kind == type(act).__name__ and same

    def snapshot(self) -> dict[str, Any]:
        balances = {str(account): units for account, units in self.book.balances.items()}
        return {"rounds": self.rounds, "entries": self.book.entries, "at": self.book.at, "digest": self.book.digest} | {
            "balances": balances
        }

    @classmethod
    def of_snapshot(cls, values: Mapping[str, Any]) -> Till:
        balances = {Account.parse(text): units for text, units in values["balances"].items()}
        return cls(Book(values["entries"], values["at"], values["digest"], balances), values["rounds"])


TILL = Origin(Till, Till.of_snapshot, Till.answers)


def wagers(count: int, *, start: Till | None = None, prefix: str = "w") -> list[Entry]:
    """Entries of so many wagers."""
    till = start or Till()
    entries = []
    for number in range(count):
        entry = till.handle(Wagers(f"{prefix}{number}"), f"2026-11-15T{number // 3600:02d}:{number // 60 % 60:02d}:00Z")
        till.apply(entry)
        entries.append(entry)
    return entries


def audited(entries: list[Entry]) -> Till:
    """Everything again from the first entry: chain whole, no command twice, all balances add up to nothing."""
    till = Till()
    for entry in entries:
        till.apply(entry)
    assert len({entry.command for entry in entries}) == len(entries)
    assert sum(till.book.balances.values()) == 0
    return till
