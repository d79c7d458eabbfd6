"""The hands of one game against the money that is really there: what each press moves, whatever came before it.

`meters.lock` says on paper what every hand takes. What a game has moved is a function of its hands and of what other
tables have done, never of the order in which the dealer pressed: each time, what the game took is thought back onto
the level and everything is taken anew, and the difference to what is held is moved.

Other tables' awards are taken from what the meter really has. Where too little is left for a game that stood first,
the house pays it, straight to the winner, and the entry says so as an alarm.

All of this is reckoned inside. The book itself, and so displays, reports and the bank, has what decided hands have
moved: it is what the accounts would be if every hand that no card has decided were taken back. The card moves the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, takewhile
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
    all_stand,
    awards_of,
    cap,
    fixed_of,
    in_order,
    lock,
)
from croupier.floor.link.setup import LAW, LOCKED_INSIDE, LevelSetup, LinkSetup
from croupier.floor.link.state import LinkState
from croupier.floor.refusals import No, refusal
from croupier.ledger.entry import Account, Purpose, Transfer

FixedPays: TypeAlias = Mapping[int, Mapping[str, int]]
"""By seat: the units that its fixed pay, which needs no card, takes off each level; none where it is taken back."""


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
    """Whose place or amount is new, and those after them on their meter; fixed pays whose parts are new."""
    parts: dict[int, tuple[MeterPart, ...]] = field(default_factory=dict)
    """By seat: paid fixed pays that are new, or that other money makes now."""
    dry: list[str] = field(default_factory=list)
    """Levels that have less than fixed pays take off them: the house pays more than before."""
    lent: bool = False
    """Whether the house pays more than before for what awards at other tables had used."""


def game_of(state: LinkState, moves: Moves, table: int, law: int = LAW) -> Game:
    """`law` is that of a game whose first hand comes now; one that has begun is ended under its own."""
    cycle = state.tables[table]
    if cycle.stood:
        return Game(table, cycle.law, cycle.stood, {})
    oldest = state.law if state.setup.fixed_pay_card_cents is None else LOCKED_INSIDE
    if not oldest <= law <= LAW:
        raise refusal(No.OTHER_LAW, law=law, oldest=oldest, newest=LAW)
    stood = cycle.stands or all_stand(state.setup, moves)
    facts: dict[str, Any] = {"stood": {level: plain(stand) for level, stand in stood.items()}}
    return Game(table, law, stood, facts if law == 1 else {"law": law, **facts})


def settle_game(state: LinkState, moves: Moves, game: Game, awards: Sequence[Award], fixed: FixedPays) -> Taken:
    """Hold these awards, shares in their order, with the paid fixed pays of the game as they are changed here."""
    entered, now = state.tables[game.table].entered, state.of_round(game.table)
    waiting = {award.seat: award for award in awards if not award.is_share}
    parts = {seat: {part.level: part for part in hand.parts} for seat, hand in entered.items() if seat not in fixed}
    parts |= {seat: {} for seat, units in fixed.items() if units} | {seat: {} for seat in waiting}
    taken = Taken()
    for level in state.setup.levels:
        before: list[Hand] = [award for award in now if award.is_share and award.level == level.level]
        after: list[Hand] = [award for award in awards if award.is_share and award.level == level.level]
        before += _held_pays(level, (award for award in now if not award.is_share))
        for seat, hand in entered.items():
            if seat in waiting:
                after += _held_pays(level, [waiting[seat]])
            for part in hand.parts:
                if part.level == level.level and level.level not in hand.counted:
                    before.append(Fixed(seat, part.units, part.added_units))
                    after += [] if seat in fixed else [Fixed(seat, part.units)]
                elif part.level == level.level and seat in fixed:
                    _pay_back(moves, level, part)
        after += [Fixed(seat, units[level.level]) for seat, units in fixed.items() if units.get(level.level)]
        after += _held_pays(level, (award for seat, award in waiting.items() if seat not in entered))
        before, wanted = (in_order(state.setup.order, hands) for hands in (before, after))
        held = _settle_level(moves, level, before, lock(level, game.stood[level.level], wanted))
        taken.awards += _changed(awards_of(before), awards_of(held))
        taken.lent |= _sum(awards_of(held), "added_units") > _sum(awards_of(before), "added_units")
        if _sum(fixed_of(held), "added_units") > _sum(fixed_of(before), "added_units"):
            taken.dry.append(level.title)
        for pay in fixed_of(held):
            parts[pay.seat][level.level] = MeterPart(level.level, pay.units, pay.added_units)
    for seat, by_level in parts.items():
        settled_parts = tuple(by_level[level] for level in state.setup.level if level in by_level)
        if seat in waiting:
            award = replace(waiting[seat], parts=settled_parts)
            taken.awards += [] if award in now else [award]
        elif seat in fixed or settled_parts != entered[seat].parts:
            taken.parts[seat] = settled_parts
    return taken


def _held_pays(level: LevelSetup, awards: Iterable[Award]) -> list[Hand]:
    """What fixed pays that wait for a card have on a level."""
    parts = ((award.seat, part) for award in awards for part in award.parts or ())
    return [Fixed(seat, part.units, part.added_units, held=True) for seat, part in parts if part.level == level.level]


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
    """What hands of a game move on one level; a fixed pay that waits for a card is held as an award is."""

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
        awards, fixed = awards_of(hands), fixed_of(hands)
        held: list[Hand] = [*awards, *(pay for pay in fixed if pay.held)]
        pays = [pay for pay in fixed if not pay.held]
        lent, added = _sum(held, "added_units"), _sum(pays, "added_units")
        return cls(
            *(_sum(held, "units") - lent, _sum(pays, "units") - added, lent, added, _sum(awards, "seed_units")),
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
    will = _keep(was, _Sums.of(held), max(0, -there))
    _move(moves, level, _Sums(*(after - before for before, after in zip(was, will, strict=True))))
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


def _move(moves: Moves, level: LevelSetup, more: _Sums) -> None:
    """By how much more, or less, than before is to be moved.

    What players have won leaves the meter before the next one is seeded: the house's own money is the last to go.
    """
    meter, pending, reserve, overflow = (
        Account(purpose, level.level) for purpose in (Purpose.METER, Purpose.PENDING, Purpose.RESERVE, Purpose.OVERFLOW)
    )
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


# What is locked inside, and what the book shows


Locked: TypeAlias = Mapping[tuple[Account, Account], int]
"""Units by the account that gives and the account that gets."""


def locked_in(state: LinkState, inside: Moves) -> dict[tuple[Account, Account], int]:
    """What undecided hands have moved, where these moves have led inside: all that taking every one back would undo."""
    back = inside.fork()
    for table, cycle in state.tables.items():
        if cycle.law >= LOCKED_INSIDE and cycle.stood and state.of_round(table):
            settle_game(state, back, Game(table, cycle.law, cycle.stood, {}), [], {})
    return {(target, source): units for (source, target), units in net(back.transfers).items()}


def net(transfers: Iterable[tuple[Account, Account, int]]) -> dict[tuple[Account, Account], int]:
    """By pair of accounts, what goes from one to the other once what comes back is taken off; pairs of nothing are left
    out. In the order in which they come first."""
    sums: dict[tuple[Account, Account], int] = {}
    for source, target, units in transfers:
        pair, sign = ((source, target), 1) if (target, source) not in sums else ((target, source), -1)
        sums[pair] = sums.get(pair, 0) + sign * units
    return {
        ((source, target) if units > 0 else (target, source)): abs(units)
        for (source, target), units in sums.items()
        if units
    }


def _transfers(pairs: Locked) -> list[Transfer]:
    return [Transfer(source, target, units) for (source, target), units in pairs.items()]


def _back(pairs: Locked) -> list[Transfer]:
    return [Transfer(target, source, units) for (source, target), units in pairs.items()]


def in_the_book(
    state: LinkState, transfers: Sequence[Transfer], locked: Locked
) -> tuple[list[Transfer], list[Transfer]]:
    """What an act that moves this inside moves in the book, and what it locks more, or less, so that so much is locked.

    What the book gives and gets is in order: for each level as `_move` has it, then everything else.
    """
    more = net(chain(_transfers(locked), _back(state.locked)))
    if not more:
        return list(transfers), []
    left = net(chain(transfers, _back(more)))
    moves = Moves(state.book.balances)
    for level in state.setup.levels:
        meter, pending, reserve, overflow = (
            Account(purpose, level.level)
            for purpose in (Purpose.METER, Purpose.PENDING, Purpose.RESERVE, Purpose.OVERFLOW)
        )
        pairs = (
            *((meter, pending), (meter, PLAYERS), (HOUSE, pending)),
            *((HOUSE, PLAYERS), (HOUSE, meter), (reserve, meter), (overflow, meter)),
        )
        _move(moves, level, _Sums(*(_signed(left, pair) for pair in pairs)))
    for (source, target), units in left.items():
        moves.move(source, target, units)
    return moves.transfers, sorted(_transfers(more), key=lambda transfer: (str(transfer.source), str(transfer.target)))


def _signed(left: dict[tuple[Account, Account], int], pair: tuple[Account, Account]) -> int:
    """How much goes this way, below nothing where it goes the other way; it is left no more."""
    source, target = pair
    return left.pop(pair, 0) - left.pop((target, source), 0)


def relock(state: LinkState, more: Iterable[Sequence[Any]]) -> None:
    """Take what an entry says that it locks, or unlocks."""
    moved = (Transfer.of_list(transfer) for transfer in more)
    state.locked = net(chain(_transfers(state.locked), moved))


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
