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
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
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


_written: Callable[[Account], str] = lru_cache(1024)(Account.__str__)
"""There are few accounts, and transfers by the million."""


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
        return [_written(self.source), _written(self.target), self.units]

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
            "transfers": [[_written(source), _written(target), units] for source, target, units in self.transfers],
            "before": self.before,
        }

    def sealed(self) -> Entry:
        """The entry with its digest: SHA-256 over its body in canonical JSON, the digest before it included."""
        return Entry(self.number, self.at, self.command, self.kind, self.facts, self.transfers, self.before).seal()

    def seal(self) -> Entry:
        """Seal this very entry, which nobody else has seen yet."""
        text = self._canonical()
        return self._sealed_with(text, hashlib.sha256(text).hexdigest())

    def seal_as(self, text: bytes, digest: str) -> bool:
        """Seal this very entry with a row's digest, if it is written as that row is, to the last byte.

        The digest is that of the text, and the text was read without a float in it: neither is looked at again.
        """
        if write_out(self.body(), ()) != text:
            return False
        self._sealed_with(text, digest)
        return True

    def _sealed_with(self, text: bytes, digest: str) -> Entry:
        object.__setattr__(self, "digest", digest)
        object.__setattr__(self, "_text", text)
        return self

    def text(self) -> bytes:
        """The body in canonical JSON, which is what is hashed and stored."""
        return self._text or self._canonical()

    def _canonical(self) -> bytes:
        """What is not whole could only be among the facts and the units: all else is text, and the number."""
        return write_out(self.body(), (self.facts, [units for _, _, units in self.transfers]))

    def as_json(self) -> dict[str, Any]:
        values = self.body()
        values["digest"] = self.digest
        return values

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
_all_plain = _AS_THEY_ARE.issuperset


def canonical(value: Any) -> bytes:
    """One text for one value: sorted keys, no spaces, ASCII; names are texts and numbers whole. Others are refused.

    It is what Python's `json` writes. Where all is ASCII, which is nearly always, msgspec writes the same much sooner;
    DELETE alone it leaves as it is. It would also write floats, and NaN as null, so those are looked for first.
    """
    return write_out(value, (value,))


def write_out(value: Any, not_known: Collection[Any]) -> bytes:
    """The same, where floats could only be in the parts that are not known."""
    try:
        if not_known:
            _check_whole(not_known)
        text = _encode(value)
    except (TypeError, UnicodeEncodeError, OverflowError, RecursionError) as error:
        raise NotationError(f"What a book keeps cannot be written: {error}.") from None
    return text if text.isascii() and b"\x7f" not in text else _spelled_out(value)


def _check_whole(values: Collection[Any]) -> None:
    """Refuse floats, wherever they are. What is plain is passed over without a look at each."""
    for value in values:
        kind = type(value)
        if kind in _AS_THEY_ARE:
            continue
        if kind is dict or isinstance(value, dict):
            inside: Collection[Any] = value.values()
        elif kind is list or isinstance(value, list | tuple):
            inside = value
        elif isinstance(value, float):
            raise NotationError(f"What a book keeps has whole numbers only, not {value!r}.")
        else:
            continue
        if not _all_plain(map(type, inside)):
            _check_whole(inside)


def _spelled_out(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode()


# Accounts and lawful reasons as people say them: `the meter of Minor`, `amount won`.

PURPOSES = {
    "players": "players",
    "tray": "the tray",
    "house": "the house",
    "meter": "the meter",
    "reserve": "the reserve",
    "overflow": "the overflow",
    "pending": "pending awards",
    "bank": "the bank",
}


def account_words(purpose: str, level: str = "") -> str:
    """`the reserve of Mega`; where the link has one meter, `the reserve`."""
    words = PURPOSES.get(purpose, purpose)
    return f"{words} of {level}" if level else words


def reason_words(reason: str) -> str:
    """`above-maximum` of the books is `above maximum`."""
    return reason.replace("-", " ")


def ended(text: str) -> str:
    """What somebody wrote, with a full stop where it has none."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


SITE = "site"
