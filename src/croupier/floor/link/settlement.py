"""The hands of one game against the money that is really there: what each press moves, whatever came before it.

`meters.lock` says on paper what every hand takes. What a game has moved is a function of its hands and of what other
tables have done, never of the order in which the dealer pressed: each time, what the game took is thought back onto
the level and everything is taken anew, and the difference to what is held is moved.

Other tables' awards are taken from what the meter really has. Where too little is left for a game that stood first,
the house pays it, straight to the winner, and the entry says so as an alarm.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any, NamedTuple, TypeAlias

from croupier.floor.forms import plain
from croupier.floor.link.meters import (
    HOUSE,
    PLAYERS,
    Award,
    Fixed,
    Hand,
    MeterPart,
    Moves,
    Stand,
    awards_of,
    cap,
    fixed_of,
    in_order,
    lock,
    stands,
)
from croupier.floor.link.setup import LAW, LevelSetup, LinkSetup
from croupier.floor.link.state import LinkState
from croupier.floor.refusals import No, refusal
from croupier.ledger.entry import Account, Purpose

FixedPays: TypeAlias = Mapping[int, Mapping[str, int]]
"""By seat: the units that its fixed pay takes off each level, in style A; none where the pay is taken back."""


class Game(NamedTuple):
    """A game at a table, and the meters on which its hands are taken: as they stood when the first was entered."""

    table: int
    law: int
    stood: Mapping[str, Stand]
    facts: dict[str, Any]
    """What the entry of the first hand says of it."""


@dataclass
class Taken:
    """What a press has changed."""

    awards: list[Award] = field(default_factory=list)
    """Whose place or amount is new, and those after them on their meter."""
    parts: dict[int, tuple[MeterPart, ...]] = field(default_factory=dict)
    """By seat: fixed pays that are new, or that other money makes now."""
    dry: list[str] = field(default_factory=list)
    """Levels that have less than fixed pays take off them: the house pays more than before."""
    lent: bool = False
    """Whether the house pays more than before for what awards at other tables had used."""


def game_of(state: LinkState, moves: Moves, table: int, law: int = LAW) -> Game:
    """`law` is that of a game whose first hand comes now; one that has begun is ended under its own."""
    cycle = state.tables[table]
    if cycle.stood:
        return Game(table, cycle.law, cycle.stood, {})
    if not state.law <= law <= LAW:
        raise refusal(No.OTHER_LAW, law=law, oldest=state.law, newest=LAW)
    stood = {level.level: stands(moves, level) for level in state.setup.levels}
    facts: dict[str, Any] = {"stood": {level: plain(stand) for level, stand in stood.items()}}
    return Game(table, law, stood, facts if law == 1 else {"law": law, **facts})


def settle_game(state: LinkState, moves: Moves, game: Game, shares: Sequence[Award], fixed: FixedPays) -> Taken:
    """Hold these shares in their order, with the fixed pays of the game as they are changed here."""
    entered = state.tables[game.table].entered
    parts = {seat: {part.level: part for part in hand.parts} for seat, hand in entered.items() if seat not in fixed}
    parts |= {seat: {} for seat, units in fixed.items() if units}
    taken = Taken()
    for level in state.setup.levels:
        before: list[Hand] = [award for award in state.of_round(game.table) if award.level == level.level]
        after: list[Hand] = [award for award in shares if award.level == level.level]
        for seat, hand in entered.items():
            for part in hand.parts:
                if part.level == level.level and level.level not in hand.counted:
                    before.append(Fixed(seat, part.units, part.added_units))
                    after += [] if seat in fixed else [Fixed(seat, part.units)]
                elif part.level == level.level and seat in fixed:
                    _pay_back(moves, level, part)
        after += [Fixed(seat, units[level.level]) for seat, units in fixed.items() if units.get(level.level)]
        before, wanted = (in_order(state.setup.order, hands) for hands in (before, after))
        held = _settle_level(moves, level, before, lock(level, game.stood[level.level], wanted))
        taken.awards += _changed(awards_of(before), awards_of(held))
        taken.lent |= _sum(awards_of(held), "added_units") > _sum(awards_of(before), "added_units")
        if _sum(fixed_of(held), "added_units") > _sum(fixed_of(before), "added_units"):
            taken.dry.append(level.title)
        for pay in fixed_of(held):
            parts[pay.seat][level.level] = MeterPart(level.level, pay.units, pay.added_units)
    for seat, by_level in parts.items():
        now = tuple(by_level[level] for level in state.setup.level if level in by_level)
        if seat in fixed or now != entered[seat].parts:
            taken.parts[seat] = now
    return taken


def _changed(before: Sequence[Award], held: Sequence[Award]) -> Sequence[Award]:
    """From the first on that is new or stands otherwise."""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(before, held, strict=False))
    return held[len(list(alike)) :]


def _pay_back(moves: Moves, level: LevelSetup, part: MeterPart) -> None:
    """A fixed pay before an award that a card has confirmed is taken back: what it took is the meter's again."""
    moves.move(PLAYERS, Account(Purpose.METER, level.level), part.units - part.added_units)
    moves.move(PLAYERS, HOUSE, part.added_units)


# One level


class _Sums(NamedTuple):
    """What hands of a game move on one level."""

    awards: int
    """Meter to pending."""
    pays: int
    """Meter to players."""
    house_awards: int
    """House to pending."""
    house_pays: int
    """House to players."""
    seed: int
    """House to meter."""
    reserve: int
    """Reserve to meter."""
    overflow: int
    """Overflow to meter."""

    @classmethod
    def of(cls, hands: Iterable[Hand]) -> _Sums:
        hands = list(hands)
        awards, pays = awards_of(hands), fixed_of(hands)
        lent, added = _sum(awards, "added_units"), _sum(pays, "added_units")
        return cls(
            *(_sum(awards, "units") - lent, _sum(pays, "units") - added, lent, added, _sum(awards, "seed_units")),
            _sum(awards, "reserve_units") - _sum(awards, "short_reserve_units"),
            _sum(awards, "overflow_units") - _sum(awards, "short_overflow_units"),
        )


def _settle_level(moves: Moves, level: LevelSetup, before: Sequence[Hand], wanted: Sequence[Hand]) -> Sequence[Hand]:
    """Move what is held to what is wanted, and give the hands as they are held then."""
    was, will = _Sums.of(before), _Sums.of(wanted)
    meter, reserve, overflow = (
        moves.units(Account(purpose, level.level)) for purpose in (Purpose.METER, Purpose.RESERVE, Purpose.OVERFLOW)
    )
    given = min(will.reserve, reserve + was.reserve), min(will.overflow, overflow + was.overflow)
    # What the meter would be without this game; below nothing where other tables took what this game put there.
    base = meter + was.awards + was.pays - was.seed - was.reserve - was.overflow
    there = base + will.seed + sum(given)
    held = _lend(wanted, max(0, will.awards + will.pays - max(0, there)), *given)
    _move(moves, level, was, _keep(was, _Sums.of(held), max(0, -there)))
    cap(moves, level)
    return held


def _lend(wanted: Sequence[Hand], lent: int, reserve: int, overflow: int) -> list[Hand]:
    """What the house pays for the meter is said by the last hands, each as far as it goes.

    So is what of reserve and overflow was not there, each as far as its award wanted it: when a card confirms the
    first of them, the others say no more than is theirs.
    """
    held: list[Hand] = []
    short_reserve = _sum(awards_of(wanted), "reserve_units") - reserve
    short_overflow = _sum(awards_of(wanted), "overflow_units") - overflow
    for hand in reversed(wanted):
        units = min(lent, hand.units - hand.added_units)
        lent -= units
        if isinstance(hand, Fixed):
            held.append(hand._replace(added_units=hand.added_units + units))
            continue
        short = min(short_reserve, hand.reserve_units), min(short_overflow, hand.overflow_units)
        short_reserve, short_overflow = short_reserve - short[0], short_overflow - short[1]
        held.append(replace(hand, added_units=units, short_reserve_units=short[0], short_overflow_units=short[1]))
    return held[::-1]


def _keep(was: _Sums, will: _Sums, missing: int) -> _Sums:
    """What other tables took of a next meter does not go back to where it came from: the house bears it first."""
    for name in ("seed", "reserve", "overflow"):
        stays = min(missing, max(0, getattr(was, name) - getattr(will, name)))
        will, missing = will._replace(**{name: getattr(will, name) + stays}), missing - stays
    return will


def _move(moves: Moves, level: LevelSetup, was: _Sums, will: _Sums) -> None:
    """The difference between what was moved and what is to be moved.

    What players have won leaves the meter before the next one is seeded: the house's own money is the last to go.
    """
    meter, pending, reserve, overflow = (
        Account(purpose, level.level) for purpose in (Purpose.METER, Purpose.PENDING, Purpose.RESERVE, Purpose.OVERFLOW)
    )
    more = _Sums(*(after - before for before, after in zip(was, will, strict=True)))
    for source, target, units in ((HOUSE, pending, more.house_awards), (HOUSE, PLAYERS, more.house_pays)):
        moves.move(*((source, target) if units > 0 else (target, source)), abs(units))
    winners = {pending: more.awards, PLAYERS: more.pays}
    for winner, units in winners.items():
        moves.move(winner, meter, max(0, -units))
    for winner, units in winners.items():
        winners[winner] = max(0, units) - min(max(0, units), moves.units(meter))
        moves.move(meter, winner, max(0, units) - winners[winner])
    sides = ((HOUSE, more.seed), (reserve, more.reserve), (overflow, more.overflow))
    for side, units in sides:
        moves.move(side, meter, max(0, units))
    for winner, units in winners.items():
        moves.move(meter, winner, units)
    for side, units in reversed(sides):
        moves.move(meter, side, max(0, -units))


def _sum(hands: Iterable[Hand], name: str) -> int:
    return sum(getattr(hand, name) for hand in hands)


# The first law, for the books that were kept under it. It differs in two points, which depended on the order of the
# dealer's presses: a fixed pay of style A came off the meter at once, as that was; and so did what the house added
# where awards at other tables had used the meter.


def settle_game_earlier(state: LinkState, moves: Moves, game: Game, shares: Sequence[Award], fixed: FixedPays) -> Taken:
    """As `settle_game`, by the first law."""
    taken = Taken()
    entered = state.tables[game.table].entered
    for seat, units in fixed.items():
        if not units:
            _unpay_to_meters(moves, state.setup, entered[seat].parts)
    pays: dict[int, Mapping[str, int]] = {
        seat: {part.level: part.units for part in hand.parts if part.level not in hand.counted}
        for seat, hand in entered.items()
        if hand.parts
    }
    pays |= fixed
    for level in state.setup.levels:
        before = [award for award in state.of_round(game.table) if award.level == level.level]
        after: list[Hand] = [award for award in shares if award.level == level.level]
        after += [Fixed(seat, units.get(level.level, 0)) for seat, units in pays.items()]
        held = awards_of(lock(level, game.stood[level.level], in_order(state.setup.order, after)))
        if [_place(award) for award in held] != [_place(award) for award in before]:
            held = _settle_earlier(moves, level, before, held)
            taken.awards += held[_alike(before, held) :]
    taken.lent = any(
        source == HOUSE and award.added_units for award in taken.awards for source, _, _ in moves.transfers
    )
    for seat, units in fixed.items():
        if units:
            parts = tuple(
                _pay_part(moves, level, units[level.level]) for level in state.setup.levels if units.get(level.level)
            )
            taken.parts[seat] = parts
            taken.dry = [state.setup.level[part.level].title for part in parts if part.added_units]
    return taken


def _place(award: Award) -> tuple[int, int, int]:
    return award.award, award.cents, award.meter_units


def _alike(before: Sequence[Award], after: Sequence[Award]) -> int:
    """How many awards stand as they stood, from the first on."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((place for place, pair in pairs if pair[0] != pair[1]), min(len(before), len(after)))


def _pay_part(moves: Moves, level: LevelSetup, units: int) -> MeterPart:
    meter = Account(Purpose.METER, level.level)
    missing = max(0, units - moves.units(meter))
    moves.move(HOUSE, meter, missing)
    moves.move(meter, PLAYERS, units)
    return MeterPart(level.level, units, missing)


def _unpay_to_meters(moves: Moves, setup: LinkSetup, parts: tuple[MeterPart, ...]) -> None:
    """A fixed pay that was pressed by accident goes back to where it came from."""
    for part in parts:
        meter = Account(Purpose.METER, part.level)
        moves.move(PLAYERS, meter, part.units)
        moves.move(meter, HOUSE, part.added_units)
        cap(moves, setup.level[part.level])


def _settle_earlier(moves: Moves, level: LevelSetup, before: Sequence[Award], after: Sequence[Award]) -> list[Award]:
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
