"""Money on the table: whole cents, and the house's rule for what is no multiple of its smallest chip."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from croupier.errors import NotationError

CENTS = 100
LARGEST_CENTS = 10**15
LONGEST_AMOUNT = 30
AMOUNT = re.compile(r"(\d{1,3}(,\d{3})+|\d+)(\.\d+)?", re.ASCII)


def parse_cents(text: str) -> int:
    """Read `5`, `$5`, `1,000` or `7.50` dollars as whole cents; parts of a cent are refused."""
    plain = text.strip().removeprefix("$")
    if len(plain) > LONGEST_AMOUNT or not AMOUNT.fullmatch(plain):
        raise NotationError(f"{text[:LONGEST_AMOUNT]!r} is no amount: write dollars and cents, as in 5 or 7.50.")
    cents = Fraction(plain.replace(",", "")) * CENTS
    if cents.denominator != 1:
        raise NotationError(f"{text!r} is not a whole number of cents.")
    if cents > LARGEST_CENTS:
        raise NotationError(f"{text!r} is more money than a table holds.")
    return int(cents)


def dollars(cents: int) -> str:
    """`$7.50`, `-$1,000.00`; what people read."""
    sign = "-" if cents < 0 else ""
    return f"{sign}${abs(cents) // CENTS:,}.{abs(cents) % CENTS:02d}"


def short_dollars(cents: int) -> str:
    """`$600`, and `$22.50` where there are cents; what a dealer says."""
    return dollars(cents).removesuffix(".00")


class StakeKind(StrEnum):
    """Whose chips lie on a wager."""

    OWN = "own"
    """The player's money: it is lost, comes back, or wins."""
    FREE = "free"
    """Lent by the house for one hand: it wins as money does, and goes back to the tray however the hand ends."""


@dataclass(frozen=True, slots=True)
class Stake:
    """The chips on one wager, by their kind."""

    own_cents: int
    free_cents: int = 0

    @property
    def cents(self) -> int:
        """All chips: what a win is paid on."""
        return self.own_cents + self.free_cents

    def __str__(self) -> str:
        """`$5.00`, `$5.00 and $5.00 free`, `$5.00 free`."""
        own, free = dollars(self.own_cents), f"{dollars(self.free_cents)} free"
        return f"{own} and {free}" if self.own_cents and self.free_cents else free if self.free_cents else own


class InFavourOf(StrEnum):
    """To whom a fraction of a chip goes: pays and commissions round opposite ways."""

    HOUSE = "house"
    NEAREST = "nearest"
    PLAYER = "player"


@dataclass(frozen=True, slots=True)
class Rounding:
    """The smallest chip the table pays with, and which way fractions of it go."""

    chip_cents: int = 1
    in_favour_of: InFavourOf = InFavourOf.HOUSE

    def __post_init__(self) -> None:
        if not 1 <= self.chip_cents <= LARGEST_CENTS:
            raise NotationError(f"The smallest chip must be at least one cent, not {self.chip_cents}.")

    def pay(self, exact_cents: Fraction) -> int:
        """What is paid for an exact win."""
        return self._whole(exact_cents, up=self.in_favour_of is InFavourOf.PLAYER)

    def charge(self, exact_cents: Fraction) -> int:
        """What is taken for an exact commission."""
        return self._whole(exact_cents, up=self.in_favour_of is InFavourOf.HOUSE)

    def _whole(self, exact_cents: Fraction, *, up: bool) -> int:
        chips = exact_cents / self.chip_cents
        if self.in_favour_of is InFavourOf.NEAREST:
            whole = (2 * chips.numerator + chips.denominator) // (2 * chips.denominator)
        else:
            whole = -(-chips.numerator // chips.denominator) if up else chips.numerator // chips.denominator
        return whole * self.chip_cents
