"""How money moves through the meters of a link; `taking` says how awards are held, released and taken in order.

    contribute         players > meter, reserve and tray; what the meter cannot take goes to overflow
    pay_from_meters    meter > players, in style A; what a meter lacks the house adds

All of it in units, exactly. Only whole cents are awarded; what is left below a cent stays on the meter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from croupier.analysis.meter_plan import divided
from croupier.progressive.forms import plain, read_record
from croupier.progressive.ledger import UNITS_PER_CENT, Account, Book, Purpose, Transfer
from croupier.progressive.setup import LevelSetup, LinkSetup

PLAYERS, TRAY, HOUSE = Account(Purpose.PLAYERS), Account(Purpose.TRAY), Account(Purpose.HOUSE)


class Moves:
    """Transfers of one act, each on what the one before it left; nothing is in the book yet."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._changes: dict[Account, int] = {}
        self.transfers: list[Transfer] = []

    def units(self, account: Account) -> int:
        return self._book.balances.get(account, 0) + self._changes.get(account, 0)

    def move(self, source: Account, target: Account, units: int) -> None:
        if units:
            changes = self._changes
            self.transfers.append(Transfer(source, target, units))
            changes[source] = changes.get(source, 0) - units
            changes[target] = changes.get(target, 0) + units


@dataclass(frozen=True)
class Award:
    """A hand that wins a share of a meter, with its amount locked and held until it is decided."""

    award: int
    """The number of the entry in which the hand was entered."""
    table: int
    round: int
    seat: int
    line: str
    level: str
    share: str
    """Of the meter, as a fraction: `1/10`."""
    entered_by: str
    """Whoever it is, somebody else has to confirm it."""
    cents: int = 0
    meter_units: int = 0
    """The meter that the amount is a share of: as it stood for this round, after the hands that come before."""
    seed_units: int = 0
    """What the house put on the next meter for it."""
    reserve_units: int = 0
    overflow_units: int = 0
    added_units: int = 0
    """What the house had to add because awards at other tables had used the meter meanwhile."""
    short_reserve_units: int = 0
    short_overflow_units: int = 0
    """What of reserve and overflow had gone to another table's next meter, so that it could not go to this one's."""
    called: bool = False

    @property
    def units(self) -> int:
        return self.cents * UNITS_PER_CENT

    def as_json(self) -> dict[str, Any]:
        made: dict[str, Any] = plain(self)
        return made

    @classmethod
    def of_json(cls, values: Any) -> Award:
        return read_record(cls, values)


# Wagers


def contribute(moves: Moves, setup: LinkSetup, wagers: int) -> None:
    """Every wager's part to each meter and each reserve; the rest is the dealer's."""
    for level in setup.levels:
        units = wagers * setup.wager_cents * level.contribution_ppm
        over = 0
        if level.maximum_cents is not None:
            over = max(0, units - room(moves, level))
        moves.move(PLAYERS, Account(Purpose.METER, level.level), units - over)
        moves.move(PLAYERS, Account(Purpose.OVERFLOW, level.level), over)
        moves.move(PLAYERS, Account(Purpose.RESERVE, level.level), wagers * setup.wager_cents * level.reserve_ppm)
    moves.move(PLAYERS, TRAY, wagers * setup.tray_units)


def room(moves: Moves, level: LevelSetup) -> int:
    """What the meter still takes below its posted maximum."""
    assert level.maximum_cents is not None, "a meter without a maximum takes everything"
    return max(0, level.maximum_cents * UNITS_PER_CENT - moves.units(Account(Purpose.METER, level.level)))


def cap(moves: Moves, level: LevelSetup) -> None:
    """What is above the posted maximum waits for the next meter."""
    if level.maximum_cents is not None:
        meter = Account(Purpose.METER, level.level)
        over = moves.units(meter) - level.maximum_cents * UNITS_PER_CENT
        # Below a cent is not displayed: a seed that is the maximum goes on top of such a remainder.
        if over >= UNITS_PER_CENT:
            moves.move(meter, Account(Purpose.OVERFLOW, level.level), over)


# Fixed pays in style A


@dataclass(frozen=True)
class MeterPart:
    """What one meter gave of a fixed pay, and what the house had to add because it ran dry."""

    level: str
    units: int
    added_units: int


def pay_from_meters(moves: Moves, setup: LinkSetup, cents: int) -> tuple[MeterPart, ...]:
    """A fixed pay off all meters, divided as the contribution is, so that none pays for what feeds another."""
    return tuple(_pay_part(moves, level, units) for level, units in _parts(setup, cents) if units)


def _pay_part(moves: Moves, level: LevelSetup, units: int) -> MeterPart:
    meter = Account(Purpose.METER, level.level)
    missing = max(0, units - moves.units(meter))
    moves.move(HOUSE, meter, missing)
    moves.move(meter, PLAYERS, units)
    return MeterPart(level.level, units, missing)


def parts_of(setup: LinkSetup, cents: int) -> dict[str, int]:
    """By level: the units of a fixed pay that come off its meter."""
    return {level.level: units for level, units in _parts(setup, cents) if units}


def _parts(setup: LinkSetup, cents: int) -> Iterator[tuple[LevelSetup, int]]:
    weights = [level.contribution_ppm for level in setup.levels]
    if not any(weights):
        weights = [1] * len(weights)
    shares = [Fraction(weight, sum(weights)) for weight in weights]
    return zip(setup.levels, divided(cents * UNITS_PER_CENT, shares), strict=True)


def unpay_to_meters(moves: Moves, setup: LinkSetup, parts: tuple[MeterPart, ...]) -> None:
    """A fixed pay that was pressed by accident goes back to where it came from."""
    for part in parts:
        meter = Account(Purpose.METER, part.level)
        moves.move(PLAYERS, meter, part.units)
        moves.move(meter, HOUSE, part.added_units)
        cap(moves, setup.level[part.level])
