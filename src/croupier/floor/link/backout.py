"""The back-out of an award that a card has confirmed: all that it moved goes back in one entry, by two people.

    amount      players > pending > meter; what the house had added, to the house
    next meter  what the award put on it: meter > overflow, meter > reserve, meter > house

It is the whole award or nothing, so that no display shows an amount in between. What other hands have won of the meter
since stays as it is. Where they have used the next meter, not all of it is there to go back: the house bears that
first, then the reserve, then the overflow, as where a hand is taken back (see `settlement`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.floor.act import Decision, EntryKind, reason_given
from croupier.floor.facts import BackOutFacts, facts_of
from croupier.floor.forms import plain
from croupier.floor.link.acts import BackOut
from croupier.floor.link.meters import HOUSE, PLAYERS, TRAY, Award, Moves, cap
from croupier.floor.link.setup import LOCKED_INSIDE, LevelSetup
from croupier.floor.link.state import Confirmed, LinkState, TableCycle, Won, undecided
from croupier.floor.refusals import No, refusal
from croupier.ledger.entry import UNITS_PER_CENT, Account, Entry, Purpose


def confirmed(state: LinkState, award: Award) -> None:
    """From now on an award is adjusted or backed out, and nothing else can put it right.

    A share of a game of an earlier law is adjusted only, as it was then.
    """
    if award.is_share:
        state.won[award.award] = Won(award.level, award.cents)
    if not award.is_share or state.tables[award.table].law >= LOCKED_INSIDE:
        state.confirmed[award.award] = Confirmed(award, state.own_paid if award.is_share else 0)


def back_out(state: LinkState, act: BackOut) -> Decision:
    """A share of a meter, or a fixed pay that took a card; not while other hands of its game are undecided."""
    if act.award in state.awards:
        raise undecided(state.awards[act.award])
    award = _standing(state, act.award)
    if _its_game(state, award):
        for other in state.of_round(award.table):
            raise undecided(other)
    reason, moves = reason_given(act.reason), Moves(state.book.balances)
    cents = state.won[award.award].cents if award.is_share else award.cents
    names = ("award", "table", "round", "seat", "line")
    facts = {**{name: getattr(award, name) for name in names}, "cents": cents, "reason": reason}
    more = _share_back(state, moves, award, cents) if award.is_share else _pay_back(state, moves, award)
    return Decision(EntryKind.BACK_OUT, {**facts, **more}, moves.transfers)


def _standing(state: LinkState, number: int) -> Award:
    """An award that a card has confirmed and nobody has backed out."""
    confirmed = state.confirmed.get(number)
    if confirmed is None:
        raise refusal(No.OF_AN_EARLIER_LAW if number in state.won else No.NOT_AN_AWARD, award=number)
    if confirmed.backed_out:
        raise refusal(No.ALREADY_BACKED_OUT, award=number, entry=confirmed.backed_out)
    return confirmed.award


def _its_game(state: LinkState, award: Award) -> TableCycle | None:
    """The game that a back-out changes: that of the award, while it is on, or has ended and can be reopened."""
    cycle = state.tables.get(award.table)
    game = cycle if cycle is None or cycle.on else cycle.last
    hand = game.entered.get(award.seat) if game else None
    return game if hand is not None and hand.award == award.award else None


def _share_back(state: LinkState, moves: Moves, award: Award, cents: int) -> dict[str, Any]:
    level, inside, units = state.setup.level[award.level], state.inside(), cents * UNITS_PER_CENT
    added = min(award.added_units, units)
    _amount_back(moves, level, units, added)
    there = min(moves.units(level.meter), inside.units(level.meter) + units - added)
    sides = {
        "overflow": (level.overflow, award.overflow_units - award.short_overflow_units),
        "reserve": (level.reserve, award.reserve_units - award.short_reserve_units),
        "seed": (HOUSE, award.seed_units),
    }
    back, short = {}, False
    for name, (account, wanted) in sides.items():
        back[f"{name}_units"] = min(wanted, max(0, there))
        short |= back[f"{name}_units"] < wanted
        there -= back[f"{name}_units"]
        moves.move(level.meter, account, back[f"{name}_units"])
    cap(moves, level, inside)
    facts = {
        **{"level": award.level, **back, "added_units": added},
        "shown_cents": moves.units(level.meter) // UNITS_PER_CENT,
    }
    alarms = list(_alarms(state, award, short=short))
    return {**facts, "alarm": " ".join(alarms)} if alarms else facts


def _amount_back(moves: Moves, level: LevelSetup, units: int, added: int) -> None:
    """What players got goes the way back that it came: to the meter, and to the house what that had added."""
    pending = Account(Purpose.PENDING, level.level)
    moves.move(PLAYERS, pending, units)
    moves.move(pending, level.meter, units - added)
    moves.move(pending, HOUSE, added)


def _alarms(state: LinkState, award: Award, *, short: bool) -> Iterator[str]:
    """What whoever signs has to look at: the winners of awards that this one had made smaller."""
    later = list(state.confirmed)[list(state.confirmed).index(award.award) + 1 :]
    standing = (state.confirmed[number] for number in later)
    since = [confirmed.award for confirmed in standing if confirmed.award.is_share and not confirmed.backed_out]
    since += [award for award in state.awards.values() if award.is_share]
    numbers = [str(later.award) for later in since if later.level == award.level]
    if numbers:
        yield f"Awards taken from this meter since stay as they are: {', '.join(numbers)}."
    if short:
        yield "They had used the next meter: not all of its seed went back."


def _pay_back(state: LinkState, moves: Moves, award: Award) -> dict[str, Any]:
    """A fixed pay goes back to the tray, in style A to the meters that made it."""
    for part in award.parts or ():
        level = state.setup.level[part.level]
        _amount_back(moves, level, part.units, part.added_units)
        cap(moves, level, state.inside())
    if not award.parts:
        moves.move(PLAYERS, TRAY, award.units)
    return {"parts": plain(award.parts)}


def backed_out(state: LinkState, entry: Entry) -> None:
    """Nothing is left of the award; while its game is on, or reopened, the seat may have another hand entered."""
    number = facts_of(BackOutFacts, entry)["award"]
    award = state.confirmed[number].award
    state.confirmed[number] = state.confirmed[number]._replace(backed_out=entry.number)
    if award.is_share:
        state.won[number] = Won(award.level, 0)
    state.follow_payment(number)
    game, cycle = _its_game(state, award), state.tables.get(award.table)
    if game is None or cycle is None:
        return
    if not cycle.on:
        game = cycle.last = game.copy()  # others have seen it as it was
    del game.entered[award.seat]
    if award.is_share:
        game.stood[award.level] = game.stood[award.level].before(award)
    if cycle.on:
        state.forget_stood(award.table)
