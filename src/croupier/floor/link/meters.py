"""How money moves through the meters of a link, and how awards are held, released and taken from them in order.

    contribute         players > meter, reserve and tray; what the meter cannot take goes to overflow
    pay_from_meters    meter > players, in style A; what a meter lacks the house adds

All of it in units, exactly. Only whole cents are awarded; what is left below a cent stays on the meter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from croupier.floor.forms import plain, read_record
from croupier.floor.link.setup import LevelSetup, LinkSetup
from croupier.games.meter import fixed_pay_parts, proportional
from croupier.ledger.book import Book
from croupier.ledger.entry import UNITS_PER_CENT, Account, Purpose, Transfer

PLAYERS, TRAY, HOUSE = Account(Purpose.PLAYERS), Account(Purpose.TRAY), Account(Purpose.HOUSE)


class Moves:
    """Transfers of one act, each on what the one before it left; nothing is in the book yet."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self.transfers: list[Transfer] = []

    def units(self, account: Account) -> int:
        units = self._book.balances.get(account, 0)
        for transfer in self.transfers:
            if transfer.target == account:
                units += transfer.units
            elif transfer.source == account:
                units -= transfer.units
        return units

    def move(self, source: Account, target: Account, units: int) -> None:
        if units:
            self.transfers.append(Transfer(source, target, units))


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
    for level, meter_units, reserve_units in setup.wager_parts:
        units, over = wagers * meter_units, 0
        if level.maximum_cents is not None:
            over = max(0, units - room(moves, level))
        moves.move(PLAYERS, level.meter, units - over)
        moves.move(PLAYERS, level.overflow, over)
        moves.move(PLAYERS, level.reserve, wagers * reserve_units)
    moves.move(PLAYERS, TRAY, wagers * setup.tray_units)


def room(moves: Moves, level: LevelSetup) -> int:
    """What the meter still takes below its posted maximum."""
    assert level.maximum_cents is not None, "a meter without a maximum takes everything"
    return max(0, level.maximum_cents * UNITS_PER_CENT - moves.units(level.meter))


def cap(moves: Moves, level: LevelSetup) -> None:
    """What is above the posted maximum waits for the next meter."""
    if level.maximum_cents is not None:
        over = moves.units(level.meter) - level.maximum_cents * UNITS_PER_CENT
        # Below a cent is not displayed: a seed that is the maximum goes on top of such a remainder.
        if over >= UNITS_PER_CENT:
            moves.move(level.meter, level.overflow, over)


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
    shares = proportional([level.contribution_ppm for level in setup.levels])
    return zip(setup.levels, fixed_pay_parts(cents, shares), strict=True)


def unpay_to_meters(moves: Moves, setup: LinkSetup, parts: tuple[MeterPart, ...]) -> None:
    """A fixed pay that was pressed by accident goes back to where it came from."""
    for part in parts:
        meter = Account(Purpose.METER, part.level)
        moves.move(PLAYERS, meter, part.units)
        moves.move(meter, HOUSE, part.added_units)
        cap(moves, setup.level[part.level])


# How the hands of one round are taken from a meter: in order, as if they had all been entered at the same moment.
#
# Dealers press hands in any order, take some back, and other tables play on meanwhile. None of that may change what a
# winner gets. So a round is taken on the meters *as they stood when its first hand was entered*: each share on what
# the one before it left, and after all of the meter on the next one, which is the seed with reserve and overflow.
# `lock` works that out on paper; `settle` then moves the difference between what was held before and what is held now.
#
# Other tables' awards are taken from what the meter really has. Where too little is left for a round that stood first,
# the house adds it, and the entry says so as an alarm.


@dataclass(frozen=True)
class Stand:
    """What a level stands at, in units."""

    meter: int
    reserve: int
    overflow: int

    def after(self, award: Award) -> Stand:
        """What an award leaves of the meter that it was taken on."""
        added = award.seed_units + award.reserve_units + award.overflow_units
        return Stand(
            award.meter_units - award.units + added,
            max(0, self.reserve - award.reserve_units),
            max(0, self.overflow - award.overflow_units),
        )


Hand: TypeAlias = Award | int
"""A share, or the units that a fixed pay takes off the meter (style A)."""


def stands(moves: Moves, level: LevelSetup) -> Stand:
    """What the level really stands at."""
    meter, reserve, overflow = (
        moves.units(Account(purpose, level.level)) for purpose in (Purpose.METER, Purpose.RESERVE, Purpose.OVERFLOW)
    )
    return Stand(meter, reserve, overflow)


def lock(level: LevelSetup, stood: Stand, hands: Sequence[Hand]) -> list[Award]:
    """The amounts of the shares among these hands, taken in this order from a meter that stood so."""
    locked = []
    for hand in hands:
        if isinstance(hand, int):
            stood = replace(stood, meter=max(0, stood.meter - hand))
        else:
            locked.append(_lock_one(level, stood, hand))
            stood = stood.after(locked[-1])
    return locked


def _lock_one(level: LevelSetup, stood: Stand, award: Award) -> Award:
    """Whole cents of the share; a 100 % award seeds the next meter, as far as a posted maximum lets it."""
    share = Fraction(award.share)
    cents = int(share * stood.meter) // UNITS_PER_CENT
    locked = replace(award, cents=cents, meter_units=stood.meter, seed_units=0, reserve_units=0, overflow_units=0)
    locked = replace(locked, added_units=0, short_reserve_units=0, short_overflow_units=0)
    if share != 1:
        return locked
    seed = level.seed_cents * UNITS_PER_CENT
    reserve = _fitting(level, stood.meter - locked.units + seed, stood.reserve)
    overflow = _fitting(level, stood.meter - locked.units + seed + reserve, stood.overflow)
    return replace(locked, seed_units=seed, reserve_units=reserve, overflow_units=overflow)


def _fitting(level: LevelSetup, meter: int, units: int) -> int:
    """As much as the meter takes below its posted maximum."""
    if level.maximum_cents is None:
        return units
    return min(units, max(0, level.maximum_cents * UNITS_PER_CENT - meter))


def settle(moves: Moves, level: LevelSetup, before: Sequence[Award], after: Sequence[Award]) -> list[Award]:
    """Move what is held to what it has to be, and give the awards as they are held now.

    What players have won is held first. What no longer seeds a next meter goes back as far as it is there: to the
    players' overflow and reserve before the house.
    """
    meter, pending = (Account(purpose, level.level) for purpose in (Purpose.METER, Purpose.PENDING))
    held = _sum(after, "units") - _sum(before, "units")
    moves.move(pending, meter, max(0, -held))
    at_once = min(max(0, held), moves.units(meter))
    moves.move(meter, pending, at_once)
    sides = _sides(level, before, after)
    short = {side.name: _seed(moves, side, meter) for side in reversed(sides)}
    # Of what is released, what the house had added goes back to it first: it was never the players'.
    added = _sum(before, "added_units")
    returned = min(added, max(0, -held))
    moves.move(meter, HOUSE, returned)
    missing = max(0, held - at_once - moves.units(meter))
    moves.move(HOUSE, meter, missing)
    moves.move(meter, pending, max(0, held - at_once))
    for side in sides:
        moves.move(meter, side.account, min(max(0, -side.units), moves.units(meter)))
    cap(moves, level)
    if not after:
        return []
    last = replace(after[-1], added_units=added - returned + missing)
    return [*after[:-1], replace(last, short_reserve_units=short["reserve"], short_overflow_units=short["overflow"])]


class _Side(NamedTuple):
    """What seeds a next meter besides itself, and how much more of it is wanted now."""

    name: str
    account: Account
    units: int


def _sides(level: LevelSetup, before: Sequence[Award], after: Sequence[Award]) -> list[_Side]:
    """In the order in which it is given back."""
    seed = _sum(after, "seed_units") - _sum(before, "seed_units")
    sides = []
    for purpose in (Purpose.OVERFLOW, Purpose.RESERVE):
        there = _sum(before, f"{purpose}_units") - _sum(before, f"short_{purpose}_units")
        account = Account(purpose, level.level)
        sides.append(_Side(str(purpose), account, _sum(after, f"{purpose}_units") - there))
    return [*sides, _Side("seed", HOUSE, seed)]


def _seed(moves: Moves, side: _Side, meter: Account) -> int:
    """Bring it to the meter; given is what was not there: another table's award has used it meanwhile."""
    wanted = max(0, side.units)
    given = wanted if side.account == HOUSE else min(wanted, moves.units(side.account))
    moves.move(side.account, meter, given)
    return wanted - given


def _sum(awards: Sequence[Award], name: str) -> int:
    return sum(getattr(award, name) for award in awards)
