"""How money moves through the meters of a link, and how awards are held, released and taken from them in order.

    contribute    players > meter, reserve and tray; what the meter cannot take goes to overflow
    lock          what each hand of a game takes from a meter that stood so, on paper

All of it in units, exactly. Only whole cents are awarded; what is left below a cent stays on the meter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from croupier.floor.forms import plain, read_record
from croupier.floor.link.setup import AwardOrder, LevelSetup, LinkSetup
from croupier.games.meter import fixed_pay_parts, proportional
from croupier.ledger.book import move
from croupier.ledger.entry import UNITS_PER_CENT, Account, Purpose, Transfer

PLAYERS, TRAY, HOUSE = Account(Purpose.PLAYERS), Account(Purpose.TRAY), Account(Purpose.HOUSE)


class Moves:
    """Transfers of one act, each on what the one before it left; nothing is in the book yet."""

    def __init__(self, balances: Mapping[Account, int]) -> None:
        self._balances = balances
        self.transfers: list[Transfer] = []

    def fork(self) -> Moves:
        """Moves of another act, on what these leave."""
        balances = dict(self._balances)
        move(balances, self.transfers)
        return Moves(balances)

    def units(self, account: Account) -> int:
        units = self._balances.get(account, 0)
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
class MeterPart:
    """What one meter gave of a fixed pay, and what the house had to add because it ran dry."""

    level: str
    units: int
    added_units: int


@dataclass(frozen=True)
class Award:
    """A hand that waits for a card, with its amount locked until it is decided: a share of a meter, or a fixed pay."""

    award: int
    """The number of the entry in which the hand was entered."""
    table: int
    round: int
    seat: int
    line: str
    level: str
    """Of the meter that a share is of; empty for a fixed pay."""
    share: str
    """Of the meter, as a fraction: `1/10`; nothing for a fixed pay."""
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
    parts: tuple[MeterPart, ...] | None = None
    """Of a fixed pay: which meters make it, in style A; none where it comes from the tray. None: it is a share."""

    @property
    def units(self) -> int:
        return self.cents * UNITS_PER_CENT

    @property
    def is_share(self) -> bool:
        return self.parts is None

    def held_on(self, level: str) -> int:
        """The units that are locked for it on a level."""
        if self.parts is None:
            return self.units if self.level == level else 0
        return sum(part.units for part in self.parts if part.level == level)

    def as_json(self) -> dict[str, Any]:
        """A fixed pay says nothing of shares, and a share nothing of parts."""
        fields: dict[str, Any] = plain(self)
        if self.parts is None:
            del fields["parts"]
            return fields
        return {name: fields[name] for name in _OF_A_FIXED_PAY}

    @classmethod
    def of_json(cls, values: Any) -> Award:
        if isinstance(values, Mapping) and "parts" in values:
            values = {"level": "", "share": "0", **values}
        return read_record(cls, values)


_OF_A_FIXED_PAY = ("award", "table", "round", "seat", "line", "entered_by", "cents", "called", "parts")


# Wagers


def contribute(moves: Moves, setup: LinkSetup, wagers: int, inside: Moves) -> None:
    """Every wager's part to each meter and each reserve; the rest is the dealer's.

    A posted maximum is kept by the meter as it is shown, and `inside`, with what is locked: that is the next one.
    """
    for level, meter_units, reserve_units in setup.wager_parts:
        units, over = wagers * meter_units, 0
        if level.maximum_cents is not None:
            over = max(0, units - min(room(moves, level), room(inside, level)))
        moves.move(PLAYERS, level.meter, units - over)
        moves.move(PLAYERS, level.overflow, over)
        moves.move(PLAYERS, level.reserve, wagers * reserve_units)
    moves.move(PLAYERS, TRAY, wagers * setup.tray_units)


def room(moves: Moves, level: LevelSetup) -> int:
    """What the meter still takes below its posted maximum."""
    assert level.maximum_cents is not None, "a meter without a maximum takes everything"
    return max(0, level.maximum_cents * UNITS_PER_CENT - moves.units(level.meter))


def cap(moves: Moves, level: LevelSetup, inside: Moves | None = None) -> None:
    """What is above the posted maximum waits for the next meter; `inside`, with what is locked, it is kept too."""
    if level.maximum_cents is not None:
        over = moves.units(level.meter) - level.maximum_cents * UNITS_PER_CENT
        if inside:
            inside.transfers += moves.transfers
            over = max(over, inside.units(level.meter) - level.maximum_cents * UNITS_PER_CENT)
        # Below a cent is not displayed: a seed that is the maximum goes on top of such a remainder.
        if over >= UNITS_PER_CENT:
            moves.move(level.meter, level.overflow, over)


# Fixed pays in style A


def parts_of(setup: LinkSetup, cents: int) -> dict[str, int]:
    """By level: the units of a fixed pay that come off its meter."""
    return {level.level: units for level, units in _parts(setup, cents) if units}


def _parts(setup: LinkSetup, cents: int) -> Iterator[tuple[LevelSetup, int]]:
    shares = proportional([level.contribution_ppm for level in setup.levels])
    return zip(setup.levels, fixed_pay_parts(cents, shares), strict=True)


# How the hands of one game are taken from a meter: on paper, in order, as if all had been entered at the same moment.
#
# Dealers press hands in any order, take some back, and other tables play on meanwhile. None of that may change what a
# winner gets. So a game is taken on the meters *as they stood when its first hand was entered*: each hand on what the
# one before it left, and after all of the meter on the next one, which is the seed with reserve and overflow. A fixed
# pay of style A takes what the meter has, and the house pays the rest of it.


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

    def before(self, award: Award) -> Stand:
        """What it is without an award that was taken on it."""
        added = award.seed_units + award.reserve_units + award.overflow_units
        meter = max(0, self.meter + award.units - added)
        return Stand(meter, self.reserve + award.reserve_units, self.overflow + award.overflow_units)


def stands(moves: Moves, level: LevelSetup) -> Stand:
    """What the level really stands at."""
    return Stand(moves.units(level.meter), moves.units(level.reserve), moves.units(level.overflow))


def all_stand(setup: LinkSetup, moves: Moves) -> dict[str, Stand]:
    """What each level really stands at."""
    return {level.level: stands(moves, level) for level in setup.levels}


class Fixed(NamedTuple):
    """What one meter is to give of the fixed pay of a seat, in style A."""

    seat: int
    units: int
    added_units: int = 0
    """What the house pays of it, because the meter has less."""
    held: bool = False
    """Whether it waits for a card."""


Hand: TypeAlias = Award | Fixed
"""One that takes a share of the meter, or one with a fixed pay."""


def in_order(order: AwardOrder, hands: Iterable[Hand]) -> list[Hand]:
    """From the dealer's right means the highest seat first: seats are numbered from the dealer's left.

    In the order of entry fixed pays come first: most are final at once.
    """
    if order is AwardOrder.DEALERS_RIGHT:
        return sorted(hands, key=lambda hand: -hand.seat)
    return sorted(hands, key=lambda hand: 0 if isinstance(hand, Fixed) else hand.award)


def in_line(order: AwardOrder, awards: Iterable[Award]) -> list[Award]:
    """The undecided hands of one game as they are listed and decided, over all meters: in the same order."""
    if order is AwardOrder.DEALERS_RIGHT:
        return sorted(awards, key=lambda award: -award.seat)
    return sorted(awards, key=lambda award: (award.is_share, award.award))


def awards_of(hands: Iterable[Hand]) -> list[Award]:
    return [hand for hand in hands if isinstance(hand, Award)]


def fixed_of(hands: Iterable[Hand]) -> list[Fixed]:
    return [hand for hand in hands if isinstance(hand, Fixed)]


def lock(level: LevelSetup, stood: Stand, hands: Sequence[Hand]) -> list[Hand]:
    """These hands with what each takes, in this order, from a meter that stood so."""
    locked: list[Hand] = []
    for hand in hands:
        if isinstance(hand, Fixed):
            taken = hand._replace(added_units=max(0, hand.units - stood.meter))
            stood = replace(stood, meter=stood.meter - taken.units + taken.added_units)
            locked.append(taken)
        else:
            award = _lock_one(level, stood, hand)
            stood = stood.after(award)
            locked.append(award)
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
