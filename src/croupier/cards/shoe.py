"""A shoe of cards whose order is fixed and sealed by a hash before the first card, and shown at its end.

The announcement gives the commitment and hides the order; the reveal shows the order, and anyone can check that
it is the one announced. A reveal is eight lines:

    croupier shoe 1
    decks 1
    origin system
    salt 5f0c...             64 hexadecimal digits, random, so that nobody can try orders against the commitment
    order Qh 6c 4d ...       every card, the first one dealt first
    commitment 77d1...
    dealt 37                 not known when the shoe is sealed, so outside the hash
    status revealed

The commitment is the SHA-256 of the first five lines, each with its newline: `head -n 5 shoe.txt | sha256sum`.
A shoe with jokers is of form 2: after the decks stands `jokers 1`, how many are in each, so it has a line more.
The record of a shoe in use is the same text with `status in use`: secret until the end, and it resumes exactly.
"""

from __future__ import annotations

import copy
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from croupier.cards.card import DECK, JOKER, Card, Hand, check_copies, format_cards
from croupier.cards.shuffle import Seed, SeededSource, Source, as_source, shuffled
from croupier.errors import NotationError, RecordError, Refusal

FORMAT = "croupier shoe 1"
KEYS = ("decks", "origin", "salt", "order", "commitment", "dealt", "status")
WITH_JOKERS = "croupier shoe 2"
JOKER_KEYS = ("decks", "jokers", *KEYS[1:])
IN_USE, REVEALED = "in use", "revealed"
MOST_DECKS = 8
MOST_JOKERS = 4
SALT_BYTES = 32
HASH = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True)
class Shoe:
    """Whole decks in a fixed order, of which the first `dealt` cards are out."""

    decks: int
    order: Hand = field(repr=False)  # a log must not give the order away
    salt: str = field(repr=False)
    origin: str = field(repr=False)  # and a seed would
    dealt: int = 0
    jokers: int = field(default=0, repr=False)
    """In each deck."""

    def __post_init__(self) -> None:
        _check_decks(self.decks, self.jokers)
        _check_order(self.order, decks=self.decks, jokers=self.jokers)
        if not HASH.fullmatch(self.salt):
            raise _impossible(f"the salt {self.salt!r} is not 64 hexadecimal digits in small letters")
        if not self.origin or not self.origin.isprintable() or self.origin != self.origin.strip():
            raise _impossible(f"the origin {self.origin!r} is not one line of text")
        if not 0 <= self.dealt <= len(self.order):
            raise _impossible(f"{self.dealt} cards are dealt, and it holds {len(self.order)}")

    @classmethod
    def fresh(cls, decks: int, chance: Source | Seed, jokers: int = 0) -> Shoe:
        """New decks, shuffled; a seed gives the same shoe each time."""
        return cls._made((), decks=decks, jokers=jokers, chance=chance, how="")

    @classmethod
    def stacked(cls, first: Iterable[Card], *, decks: int = 1, jokers: int = 0, chance: Source | Seed) -> Shoe:
        """These cards first and the others shuffled behind them, for tests and training."""
        return cls._made(tuple(first), decks=decks, jokers=jokers, chance=chance, how="stacked, ")

    @classmethod
    def of_cards(cls, cards: Iterable[Card]) -> Shoe:
        """Exactly this order, for tests and training; it must be whole decks."""
        order = tuple(cards)
        decks = max(1, len(order) // len(DECK))
        jokers = order.count(JOKER) // decks
        return cls(decks, order, salt=_salt(SeededSource("entered")), origin="entered", jokers=jokers)

    @classmethod
    def _made(cls, first: Hand, *, decks: int, jokers: int, chance: Source | Seed, how: str) -> Shoe:
        _check_decks(decks, jokers)
        check_copies(first, decks=decks, jokers=jokers)
        rest = list(new_decks(decks, jokers))
        for card in first:
            rest.remove(card)
        source = as_source(chance)
        origin = how + source.origin
        order = first + shuffled(rest, source)
        # The salt comes after the cards, so a seeded shoe is simply the seed's first shuffle.
        return cls(decks, order, salt=_salt(source), origin=origin, jokers=jokers)

    @property
    def remaining(self) -> int:
        """How many cards are left to deal."""
        return len(self.order) - self.dealt

    def draw(self, cards: int = 1) -> tuple[Hand, Shoe]:
        """The next cards, and the shoe without them."""
        if not 0 <= cards <= self.remaining:
            raise Refusal("shoe-too-short", f"{cards} cards cannot be drawn from a shoe with {self.remaining} left.")
        after = copy.copy(self)  # not a new Shoe: its cards have been checked
        object.__setattr__(after, "dealt", self.dealt + cards)
        return self.order[self.dealt : after.dealt], after

    @cached_property
    def commitment(self) -> str:
        """The hash that fixes the order before the first card."""
        return hashlib.sha256(self._sealed_text().encode()).hexdigest()

    def sealed_chance(self, purpose: str) -> Source:
        """Chance for what else a round draws, as its dealing rotation: it comes from the salt, so it is sealed too."""
        return SeededSource(f"{self.salt} {purpose}")

    def announcement(self) -> str:
        """For everyone, before the first card; the origin stays out, for a seed would tell the order."""
        return f"{self._head}commitment {self.commitment}\nstatus announced\n"

    def record(self) -> str:
        """For the safe: the whole shoe, from which dealing resumes unchanged after an interruption."""
        return self._text(IN_USE)

    def reveal(self) -> str:
        """For everyone, at the end: all that is needed to check the shoe. It must not be dealt from again."""
        return self._text(REVEALED)

    @classmethod
    def parse_record(cls, text: str) -> Shoe:
        """The shoe that wrote this record; a damaged record and a revealed shoe are refused."""
        shoe, status = _parse(text)
        if status != IN_USE:
            raise RecordError("This shoe was revealed, so no more cards can be dealt from it.")
        return shoe

    @property
    def _head(self) -> str:
        return (
            f"{WITH_JOKERS}\ndecks {self.decks}\njokers {self.jokers}\n"
            if self.jokers
            else f"{FORMAT}\ndecks {self.decks}\n"
        )

    def _sealed_text(self) -> str:
        return f"{self._head}origin {self.origin}\nsalt {self.salt}\norder {format_cards(self.order)}\n"

    def _text(self, status: str) -> str:
        return f"{self._sealed_text()}commitment {self.commitment}\ndealt {self.dealt}\nstatus {status}\n"


@dataclass(frozen=True)
class VerifiedShoe:
    """A reveal that holds; `announced` tells whether it was compared with a commitment known beforehand."""

    decks: int
    order: Hand
    dealt: int
    origin: str
    commitment: str
    announced: bool

    def __str__(self) -> str:
        decks = "1 deck" if self.decks == 1 else f"{self.decks} decks"
        seal = "the one announced" if self.announced else "to be compared with the one announced"
        return (
            f"The shoe is whole and unaltered: {decks}, {self.dealt} of {len(self.order)} cards dealt, "
            f"origin {self.origin}; its commitment is {self.commitment}, {seal}."
        )


def verify_reveal(text: str, commitment: str | None = None) -> VerifiedShoe:
    """Check a revealed shoe, and that it is the one announced where that commitment is given."""
    shoe, status = _parse(text)
    if status != REVEALED:
        raise RecordError("This shoe is still in use; verify its reveal, which is made at its end.")
    _check_seed(shoe)
    if commitment is not None:
        _check_announced(shoe, commitment.strip().lower())
    return VerifiedShoe(
        decks=shoe.decks,
        order=shoe.order,
        dealt=shoe.dealt,
        origin=shoe.origin,
        commitment=shoe.commitment,
        announced=commitment is not None,
    )


def _salt(source: Source) -> str:
    return source.take(SALT_BYTES).hex()


def _impossible(reason: str) -> Refusal:
    return Refusal("impossible-shoe", f"This shoe is impossible: {reason}.")


def new_decks(decks: int, jokers: int = 0) -> Hand:
    """All their cards, in the order of new decks."""
    return (*DECK, *(JOKER,) * jokers) * decks


def _check_decks(decks: int, jokers: int) -> None:
    if not 1 <= decks <= MOST_DECKS:
        raise _impossible(f"it has {decks} decks, and 1 to {MOST_DECKS} are allowed")
    if not 0 <= jokers <= MOST_JOKERS:
        raise _impossible(f"its decks have {jokers} jokers each, and 0 to {MOST_JOKERS} are allowed")


def _check_order(order: Hand, *, decks: int, jokers: int) -> None:
    check_copies(order, decks=decks, jokers=jokers)
    whole = new_decks(decks, jokers)
    if len(order) != len(whole):
        missing = next(card for card in whole if order.count(card) < whole.count(card))
        raise _impossible(f"it has {len(order)} cards instead of {len(whole)}, and {missing} is missing")


def _check_seed(shoe: Shoe) -> None:
    """A shoe that says it came from a seed is that seed's first shuffle."""
    kind, _, name = shoe.origin.partition(" ")
    if kind != "seed" or " after " in name:
        return
    seed: Seed = bytes.fromhex(name.removeprefix("bytes ")) if re.fullmatch("bytes ([0-9a-f]{2})*", name) else name
    if Shoe.fresh(shoe.decks, seed, shoe.jokers).order != shoe.order:
        raise RecordError(f"The shoe says that it came from {shoe.origin!r}, but that seed gives another order.")


def _check_announced(shoe: Shoe, commitment: str) -> None:
    if not HASH.fullmatch(commitment):
        raise RecordError(f"The announced commitment {commitment!r} is not 64 hexadecimal digits.")
    if commitment != shoe.commitment:
        raise RecordError(
            f"This is not the shoe that was announced: its commitment is {shoe.commitment}, "
            f"and {commitment} was announced."
        )


def _parse(text: str) -> tuple[Shoe, str]:
    """The shoe and its status; the text must be, letter for letter, what the shoe would write."""
    lines = text.replace("\r\n", "\n").rstrip("\n").split("\n")
    values = _read_lines(lines)
    shoe = _read_shoe(values)
    status = values["status"]
    if status not in (IN_USE, REVEALED):
        raise RecordError(f"Line {len(values) + 1}: the status {status!r} is not {IN_USE!r} or {REVEALED!r}.")
    if values["commitment"] != shoe.commitment:
        raise RecordError(
            f"The shoe was altered: its cards and salt hash to {shoe.commitment}, "
            f"but its commitment says {values['commitment']}."
        )
    for number, (given, due) in enumerate(zip(lines, shoe._text(status).splitlines(), strict=True), start=1):
        if given != due:
            raise RecordError(f"Line {number} should be written {due!r}.")
    return shoe, status


def _read_lines(lines: list[str]) -> dict[str, str]:
    if lines[0] not in (FORMAT, WITH_JOKERS):
        raise RecordError(f"Line 1: a record of a shoe begins with {FORMAT!r}, not {lines[0]!r}.")
    keys = KEYS if lines[0] == FORMAT else JOKER_KEYS
    values: dict[str, str] = {}
    for number, key in enumerate(keys, start=2):
        line = lines[number - 1] if number <= len(lines) else ""
        word, _, value = line.partition(" ")
        if word != key or not value:
            raise RecordError(f"Line {number}: {key!r} and its value should be here, not {line!r}.")
        values[key] = value
    if len(lines) > len(keys) + 1:
        raise RecordError(f"Line {len(keys) + 2}: the record should have ended before {lines[len(keys) + 1]!r}.")
    return values


def _whole_number(values: dict[str, str], key: str) -> int:
    text = values[key]
    if not re.fullmatch("[0-9]{1,3}", text):
        raise RecordError(f"Line {_line_of(values, key)}: {key} should be a whole number, not {text!r}.")
    return int(text)


def _line_of(values: dict[str, str], key: str) -> int:
    return list(values).index(key) + 2


def _read_shoe(values: dict[str, str]) -> Shoe:
    decks, dealt = _whole_number(values, "decks"), _whole_number(values, "dealt")
    jokers = _whole_number(values, "jokers") if "jokers" in values else 0
    try:
        order = tuple(map(Card.parse, values["order"].split()))
        return Shoe(decks, order, salt=values["salt"], origin=values["origin"], dealt=dealt, jokers=jokers)
    except NotationError as error:
        raise RecordError(f"Line {_line_of(values, 'order')}: {error}") from error
    except Refusal as error:
        raise RecordError(error.sentence) from error
