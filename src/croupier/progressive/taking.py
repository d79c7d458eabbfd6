"""How the hands of one round are taken from a meter: in order, as if they had all been entered at the same moment.

Dealers press hands in any order, take some back, and other tables play on meanwhile. None of that may change what a
winner gets. So a round is taken on the meters *as they stood when its first hand was entered*: each share on what the
one before it left, and after all of the meter on the next one, which is the seed with reserve and overflow. `lock`
works that out on paper; `settle` then moves the difference between what was held before and what is held now.

Other tables' awards are taken from what the meter really has. Where too little is left for a round that stood first,
the house adds it, and the entry says so as an alarm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from croupier.progressive.ledger import UNITS_PER_CENT, Account, Purpose
from croupier.progressive.meters import HOUSE, Award, Moves, cap
from croupier.progressive.setup import LevelSetup


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
