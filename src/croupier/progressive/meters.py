"""How money moves through the meters of a link: wagers in, awards held, paid or released, the next meter seeded.

    contribute   players > meter, reserve and tray            what the meter cannot take goes to overflow
    hold         meter > pending, and for all of it the next meter: house, reserve and overflow > meter
    release      pending > meter, and the next meter is taken back: overflow, reserve, and the house last
    pay          pending > players

All of it in units, exactly. Only whole cents are awarded; what is left below a cent stays on the meter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
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
            self.transfers.append(Transfer(source, target, units))
            self._changes[source] = self._changes.get(source, 0) - units
            self._changes[target] = self._changes.get(target, 0) + units


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
    cents: int = 0
    meter_units: int = 0
    """What the meter stood at when the amount was locked."""
    seed_units: int = 0
    """What the house put on the next meter for it."""
    reserve_units: int = 0
    overflow_units: int = 0
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


# Shares of a meter


def hold(moves: Moves, level: LevelSetup, award: Award) -> Award:
    """Lock the amount and set it apart; a 100 % award seeds the next meter at once."""
    meter = Account(Purpose.METER, level.level)
    standing = moves.units(meter)
    cents = int(Fraction(award.share) * standing) // UNITS_PER_CENT
    moves.move(meter, Account(Purpose.PENDING, level.level), cents * UNITS_PER_CENT)
    held = replace(award, cents=cents, meter_units=standing, seed_units=0, reserve_units=0, overflow_units=0)
    return _seed_next(moves, level, held) if Fraction(award.share) == 1 else held


def _seed_next(moves: Moves, level: LevelSetup, award: Award) -> Award:
    """Seed from the house in full, then the reserve and the overflow as far as the posted maximum lets them."""
    meter = Account(Purpose.METER, level.level)
    seed = level.seed_cents * UNITS_PER_CENT
    moves.move(HOUSE, meter, seed)
    added = {}
    for purpose in (Purpose.RESERVE, Purpose.OVERFLOW):
        account = Account(purpose, level.level)
        there = moves.units(account)
        added[purpose] = there if level.maximum_cents is None else min(there, room(moves, level))
        moves.move(account, meter, added[purpose])
    return replace(award, seed_units=seed, reserve_units=added[Purpose.RESERVE], overflow_units=added[Purpose.OVERFLOW])


def release(moves: Moves, level: LevelSetup, award: Award) -> None:
    """The amount goes back, and what the next meter was seeded with is taken back as far as it is there.

    Where awards at other tables have used some of it meanwhile, the players' money is restored first (overflow, then
    reserve), and what is missing is missing from the house's seed.
    """
    meter = Account(Purpose.METER, level.level)
    moves.move(Account(Purpose.PENDING, level.level), meter, award.units)
    back = (
        (Account(Purpose.OVERFLOW, level.level), award.overflow_units),
        (Account(Purpose.RESERVE, level.level), award.reserve_units),
        (HOUSE, award.seed_units),
    )
    for account, units in back:
        moves.move(meter, account, min(units, moves.units(meter)))
    cap(moves, level)


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
