"""The book of one link: entries that are only ever added, each chained to the one before, whose transfers balance.

    players > meter $1.20, players > reserve $0.05, players > tray $3.75         a wager of five dollars
    meter > pending $12,000, house > meter $10,000, reserve > meter $311.40      an award of all of it, and the reseed
    pending > players $12,000                                                    the award is paid

An account is a purpose that money is kept for. Every transfer takes from one account what it gives to another, so all
balances add up to nothing, always; `players` stands for everybody outside and goes below nothing as they wager.

Amounts are units, millionths of a cent: a rate in parts per million of a wager in cents is a whole number of them. Only
whole cents go to players, so what is left below a cent stays where it was: on its own meter, for the next award.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from croupier.errors import NotationError, RecordError

UNITS_PER_CENT = 1_000_000
"""Also parts per million: a rate in ppm times cents is units."""
MOST_UNITS = 2**62
"""46 billion dollars: beyond it something is wrong, and a store's integers are near their end."""
GENESIS = "0" * 64
"""What the first entry of a book is chained to."""


class Purpose(StrEnum):
    """What money is kept for."""

    PLAYERS = "players"
    """Outside: wagers come from here, awards and pays go here."""
    TRAY = "tray"
    """The dealer's chips: the part of a wager that is not for a meter, and what fixed pays are made from."""
    HOUSE = "house"
    """The house's own money: seeds come from here."""
    METER = "meter"
    RESERVE = "reserve"
    OVERFLOW = "overflow"
    """Contributions above a posted maximum, for the next meter."""
    PENDING = "pending"
    """Awards that a card has not confirmed."""
    BANK = "bank"
    """Deposited in the account that is kept apart."""
    FLOOR = "floor"
    """The other side of deposits: cash that has not reached the bank."""


OF_A_LEVEL = frozenset({Purpose.METER, Purpose.RESERVE, Purpose.OVERFLOW, Purpose.PENDING})


class Account(NamedTuple):
    """A purpose, and the level of the progressive where it has several: `meter:Mega`. Parses back from its text."""

    purpose: Purpose
    level: str = ""

    def __str__(self) -> str:
        return f"{self.purpose}:{self.level}" if self.level else str(self.purpose)

    @classmethod
    def parse(cls, text: str) -> Account:
        if not isinstance(text, str):
            raise NotationError(f"An account is written as meter:Mega, not as {short(text)}.")
        purpose, _, level = text.partition(":")
        if purpose not in Purpose.__members__.values():
            raise NotationError(f"There is no account {text!r}: there are {', '.join(Purpose)}.")
        if level and Purpose(purpose) not in OF_A_LEVEL:
            raise NotationError(f"The account {purpose} has no levels, so there is no {text!r}.")
        return cls(Purpose(purpose), level)


class Transfer(NamedTuple):
    """Units from one account to another."""

    source: Account
    target: Account
    units: int

    def check(self) -> None:
        if not 0 < self.units <= MOST_UNITS:
            raise NotationError(
                f"A transfer is of more than nothing and at most {MOST_UNITS:,} units, not {self.units:,}."
            )
        if self.source == self.target:
            raise NotationError(f"A transfer goes to another account, not from {self.source} to itself.")

    def as_list(self) -> list[str | int]:
        return [str(self.source), str(self.target), self.units]

    @classmethod
    def of_list(cls, values: Iterable[Any]) -> Transfer:
        match values:
            case [source, target, int(units)] if type(units) is int:
                return cls(Account.parse(source), Account.parse(target), units)
        raise NotationError(f"A transfer is two accounts and a whole number of units, not {short(values)}.")


@dataclass(frozen=True)
class Entry:
    """One act, as the book keeps it: who did what when, and the money that it moved."""

    number: int
    """Counted from 1, without a gap."""
    at: str
    """UTC, as 2026-11-15T20:30:00.123456Z; never before the entry before it."""
    command: str
    """The id that the client made: an act that is sent again is answered from here."""
    kind: str
    facts: Mapping[str, Any]
    """What else it takes to do the act again; only what JSON can say, and no floats."""
    transfers: tuple[Transfer, ...] = ()
    before: str = GENESIS
    """The digest of the entry before."""
    digest: str = field(default="", compare=False)
    _text: bytes = field(default=b"", init=False, repr=False, compare=False)
    """What was hashed, where it was sealed here; a copy that is changed in any way does not have it."""

    def body(self) -> dict[str, Any]:
        """Everything but the digest."""
        return {
            "number": self.number,
            "at": self.at,
            "command": self.command,
            "kind": self.kind,
            "facts": self.facts,
            "transfers": [transfer.as_list() for transfer in self.transfers],
            "before": self.before,
        }

    def sealed(self) -> Entry:
        """The entry with its digest: SHA-256 over its body in canonical JSON, the digest before it included."""
        return Entry(self.number, self.at, self.command, self.kind, self.facts, self.transfers, self.before)._seal()

    def _seal(self) -> Entry:
        """Seal this very entry, which nobody else has seen yet."""
        text = canonical(self.body())
        object.__setattr__(self, "digest", hashlib.sha256(text).hexdigest())
        object.__setattr__(self, "_text", text)
        return self

    def text(self) -> bytes:
        """The body in canonical JSON, which is what is hashed and stored."""
        return self._text or canonical(self.body())

    def as_json(self) -> dict[str, Any]:
        return {**self.body(), "digest": self.digest}

    @classmethod
    def of_json(cls, values: Any) -> Entry:
        """Read an entry, strictly by its types; whether its digest is right is for `Book.add` to say."""
        number = values.get("number") if isinstance(values, Mapping) else None
        try:
            read = {name: _typed(name, values[name], kind) for name, kind in _TYPES.items()}
            return cls(**read, transfers=tuple(map(Transfer.of_list, _typed("transfers", values["transfers"], list))))
        except (KeyError, TypeError, NotationError) as error:
            which = number if type(number) is int else "?"
            raise RecordError(f"Entry {which} of the book cannot be read: {error}") from None


_TYPES: Mapping[str, type] = {
    **{"number": int, "at": str, "command": str, "kind": str, "facts": dict, "before": str, "digest": str}
}


def _typed(name: str, value: Any, kind: type) -> Any:
    if type(value) is kind or (kind is dict and isinstance(value, Mapping)) or (kind is list and type(value) is tuple):
        return value
    raise NotationError(f"{name} cannot be {short(value)}.")


def short(value: Any) -> str:
    """A value for a sentence: on one line, and not much of it."""
    text = ascii(value)
    return text if len(text) <= 40 else text[:37] + "..."


_encode = msgspec.json.Encoder(order="sorted").encode
_AS_THEY_ARE = frozenset({str, int, bool, type(None)})


def canonical(value: Any) -> bytes:
    """One text for one value: sorted keys, no spaces, ASCII; names are texts and numbers whole. Others are refused.

    It is what Python's `json` writes. Where all is ASCII, which is nearly always, msgspec writes the same much sooner;
    DELETE alone it leaves as it is. It would also write floats, and NaN as null, so those are looked for first.
    """
    try:
        _check_whole((value,))
        text = _encode(value)
    except (TypeError, UnicodeEncodeError, OverflowError, RecursionError) as error:
        raise NotationError(f"What a book keeps cannot be written: {error}.") from None
    return text if text.isascii() and b"\x7f" not in text else _spelled_out(value)


def _check_whole(values: Collection[Any]) -> None:
    """Refuse floats, wherever they are. What is plain is passed over without a look at each."""
    if _AS_THEY_ARE.issuperset(map(type, values)):
        return
    for each in values:
        kind = type(each)
        if kind in _AS_THEY_ARE:
            continue
        if kind is list or kind is tuple:
            _check_whole(each)
        elif kind is dict:
            _check_whole(each.values())
        elif isinstance(each, float):
            raise NotationError(f"What a book keeps has whole numbers only, not {each!r}.")
        elif isinstance(each, list | tuple | dict):
            _check_whole(list(each.values() if isinstance(each, dict) else each))


def _spelled_out(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode()


@dataclass
class Book:
    """What has been entered so far, in sums: enough to add the next entry and to prove the last."""

    entries: int = 0
    at: str = ""
    digest: str = GENESIS
    balances: dict[Account, int] = field(default_factory=dict)
    _made: Entry | None = field(default=None, init=False, repr=False, compare=False)
    """The entry that `next` made last: it is sealed and checked, so that very object need not be again."""

    def balance(self, purpose: Purpose, level: str = "") -> int:
        return self.balances.get(Account(purpose, level), 0)

    def next(
        self, at: str, command: str, kind: str, facts: Mapping[str, Any], transfers: Iterable[Transfer] = ()
    ) -> Entry:
        """The next entry, sealed but not added. A clock that was set back does not set the book back."""
        entry = Entry(self.entries + 1, max(at, self.at), command, kind, facts, tuple(transfers), self.digest)
        self.check(entry.transfers)
        self._made = entry._seal()
        return self._made

    def check(self, transfers: Iterable[Transfer]) -> None:
        """No account of a level may go below nothing: money that is not there cannot be moved."""
        now, after = self.balances, dict[Account, int]()
        for transfer in transfers:
            transfer.check()
            source, target, units = transfer
            after[source] = after.get(source, now.get(source, 0)) - units
            after[target] = after.get(target, now.get(target, 0)) + units
        for account, units in after.items():
            if account.purpose in OF_A_LEVEL and units < 0:
                raise NotationError(f"{account} would be {-units:,} units below nothing.")

    def add(self, entry: Entry) -> None:
        """Add an entry that is whole and follows the last one; anything else is refused."""
        if entry.number != self.entries + 1:
            raise RecordError(
                f"Entry {self.entries + 1} of the book is missing: {entry.number} follows {self.entries}."
            )
        if entry.before != self.digest:
            raise RecordError(
                f"Entry {entry.number} of the book does not follow the one before it: the chain is broken."
            )
        if entry is not self._made:
            self._check_content(entry)
        self._made = None
        self.move(entry.transfers)
        self.entries, self.at, self.digest = entry.number, entry.at, entry.digest

    def _check_content(self, entry: Entry) -> None:
        """Of an entry that comes from elsewhere: whether it is what was sealed, and can be."""
        if entry.sealed().digest != entry.digest:
            raise RecordError(f"Entry {entry.number} of the book was altered: its digest is not that of its content.")
        if entry.at < self.at:
            raise RecordError(f"Entry {entry.number} of the book is older than the one before it.")
        try:
            self.check(entry.transfers)
        except NotationError as error:
            raise RecordError(f"Entry {entry.number} of the book cannot be: {error}") from None

    def move(self, transfers: Iterable[Transfer]) -> None:
        for source, target, units in transfers:
            self.balances[source] = self.balances.get(source, 0) - units
            self.balances[target] = self.balances.get(target, 0) + units
