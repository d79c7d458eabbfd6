"""Manual adjustments: for one of five lawful reasons, by two people, with a text, from account to account; and the
back-out of a whole award.

    amount won       meter > players, for a winner who was found late with the next meter's seed, reserve and overflow;
                     players > meter where a part of a named award comes back (`back_out` has the whole of it)
    malfunction      between the meter and players, tray, house, reserve or overflow
    above maximum    meter > overflow, as far as it stands above
    gross receipts   reserve > house, overflow > house: funds that are not displayed
    seed recovery    meter > house, as far as the house has put its own on this meter

WAC 230-15-695 names the five for reducing a prize. Raising one is always a correction, so it goes by the first two.
Money for players is an award by another name: one of the two who sign must be allowed to confirm one of that amount.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.compliance import authority
from croupier.compliance.profile import Lawful
from croupier.floor.act import Decision, EntryKind, reason_given
from croupier.floor.facts import AdjustFacts, BackOutFacts, facts_of
from croupier.floor.forms import plain
from croupier.floor.link.acts import Adjust, BackOut
from croupier.floor.link.meters import HOUSE, PLAYERS, TRAY, Award, Moves, cap, room
from croupier.floor.link.setup import LOCKED_INSIDE, MOST_LINK_CENTS, LevelSetup
from croupier.floor.link.state import Confirmed, LinkState, Won, money, undecided
from croupier.floor.refusals import No, refusal
from croupier.games.money import dollars
from croupier.ledger.entry import (
    OF_A_LEVEL,
    UNITS_PER_CENT,
    Account,
    Entry,
    Purpose,
    Transfer,
    account_words,
    reason_words,
)

_BESIDE = (Purpose.PLAYERS, Purpose.TRAY, Purpose.HOUSE, Purpose.RESERVE, Purpose.OVERFLOW)
PATHS: dict[Lawful, frozenset[tuple[Purpose, Purpose]]] = {
    Lawful.AMOUNT_WON: frozenset({(Purpose.METER, Purpose.PLAYERS), (Purpose.PLAYERS, Purpose.METER)}),
    Lawful.MALFUNCTION: frozenset(
        path for other in _BESIDE for path in ((Purpose.METER, other), (other, Purpose.METER))
    ),
    Lawful.ABOVE_MAXIMUM: frozenset({(Purpose.METER, Purpose.OVERFLOW)}),
    Lawful.GROSS_RECEIPTS: frozenset({(Purpose.RESERVE, Purpose.HOUSE), (Purpose.OVERFLOW, Purpose.HOUSE)}),
    Lawful.SEED_RECOVERY: frozenset({(Purpose.METER, Purpose.HOUSE)}),
}


def adjust(state: LinkState, act: Adjust) -> Decision:
    state.level(act.level)
    if (act.source, act.target) not in PATHS[act.reason]:
        words = {name: account_words(getattr(act, name)) for name in ("source", "target")}
        raise refusal(No.NOT_LAWFUL, reason=reason_words(act.reason).capitalize(), **words)
    if not 1 <= act.cents <= MOST_LINK_CENTS:
        raise refusal(No.WRONG_AMOUNT, most=dollars(MOST_LINK_CENTS))
    if act.reseed and (act.reason, act.target) != (Lawful.AMOUNT_WON, Purpose.PLAYERS):
        raise refusal(No.ONLY_A_WIN_RESEEDS)
    text = reason_given(act.text)
    transfer = Transfer(_account(act.source, act.level), _account(act.target, act.level), act.cents * UNITS_PER_CENT)
    _check_there(state, act, transfer)
    _check_maximum(state, act)
    _check_award(state, act)
    if act.target is Purpose.PLAYERS:
        _check_cards(state, act)
    if act.reason is Lawful.SEED_RECOVERY:
        _check_seed(state, act)
    moves = Moves(state.book.balances)
    moves.move(*transfer)
    if act.source is Purpose.PLAYERS:  # what comes back above a posted maximum waits for the next meter
        cap(moves, state.setup.level[act.level], state.inside())
    facts = {
        **{"level": act.level, "reason": str(act.reason), "from": str(act.source), "to": str(act.target)},
        **{"cents": act.cents, "text": text, "award": act.award},
        "shown_cents": state.shown_cents(act.level),
    }
    if act.reseed:
        facts |= {"reseed": True, **_reseed(state, moves, state.setup.level[act.level])}
    return Decision(EntryKind.ADJUST, facts, moves.transfers)


def _reseed(state: LinkState, moves: Moves, level: LevelSetup) -> dict[str, int]:
    """As after an award of the whole meter: the seed, and of reserve and overflow what fits below a posted maximum."""
    inside = state.inside()
    inside.transfers += moves.transfers
    made = {"seed_units": level.seed_cents * UNITS_PER_CENT}
    for each in (moves, inside):
        each.move(HOUSE, level.meter, made["seed_units"])
    for account in (level.reserve, level.overflow):
        units = min(moves.units(account), inside.units(account))
        if level.maximum_cents is not None:
            units = min(units, room(moves, level), room(inside, level))
        for each in (moves, inside):
            each.move(account, level.meter, units)
        made[f"{account.purpose}_units"] = units
    cap(moves, level, state.inside())
    return made


def adjusted(state: LinkState, entry: Entry) -> None:
    """An award that was put right comes to more or less from now on."""
    facts = facts_of(AdjustFacts, entry)
    if facts["award"] is not None:
        won, path = state.won[facts["award"]], (facts["from"], facts["to"])
        sign = (path == (Purpose.METER, Purpose.PLAYERS)) - (path == (Purpose.PLAYERS, Purpose.METER))
        state.won[facts["award"]] = won._replace(cents=won.cents + sign * facts["cents"])


def _account(purpose: Purpose, level: str) -> Account:
    return Account(purpose, level if purpose in OF_A_LEVEL else "")


def _check_there(state: LinkState, act: Adjust, transfer: Transfer) -> None:
    """What is locked for a winner is not there for anything else."""
    there = state.free_units(act.source, act.level) if act.source in OF_A_LEVEL else 0
    if act.source in OF_A_LEVEL and there < transfer.units:
        account = account_words(act.source, act.level)
        raise refusal(No.NOT_THERE, there=money(there), account=account, amount=dollars(act.cents))


def _check_maximum(state: LinkState, act: Adjust) -> None:
    level, shown = state.setup.level[act.level], state.shown_cents(act.level)
    inside = state.inside().units(Account(Purpose.METER, act.level)) // UNITS_PER_CENT
    if act.reason is Lawful.ABOVE_MAXIMUM:
        excess = max(0, shown - level.maximum_cents) if level.maximum_cents is not None else 0
        if act.cents > excess:
            raise refusal(No.NOT_ABOVE_MAXIMUM, level=level.title, excess=dollars(excess), amount=dollars(act.cents))
    if act.source is Purpose.PLAYERS:
        return
    stands = max(shown, inside)
    if act.target is Purpose.METER and level.maximum_cents is not None and stands + act.cents > level.maximum_cents:
        maximum, amount = dollars(level.maximum_cents), dollars(stands + act.cents)
        raise refusal(No.ABOVE_MAXIMUM, level=level.title, amount=amount, maximum=maximum)


def _check_award(state: LinkState, act: Adjust) -> None:
    """An award that is named was confirmed by a card, on this level, and no more of it comes back than it was."""
    back = (act.source, act.target) == (Purpose.PLAYERS, Purpose.METER)
    if act.award is None:
        if back and act.reason is Lawful.AMOUNT_WON:
            raise refusal(No.AWARD_NEEDED)
        return
    won, level = state.won.get(act.award), state.setup.level[act.level].title
    if won is None or won.level != act.level:
        raise refusal(No.NOT_CONFIRMED, award=act.award, level=level)
    if act.award in state.confirmed and state.confirmed[act.award].backed_out:
        raise refusal(No.ALREADY_BACKED_OUT, award=act.award, entry=state.confirmed[act.award].backed_out)
    if back and act.cents > won.cents:
        raise refusal(No.MORE_THAN_WON, left=dollars(won.cents), award=act.award, amount=dollars(act.cents))


def _check_cards(state: LinkState, act: Adjust) -> None:
    """Money for players takes one of those who may confirm an award of this amount."""
    roles = paying_roles(act.cents, state.setup.executive_threshold_cents)
    if act.by.role not in roles and act.second.role not in roles:
        raise refusal(No.PAYS_PLAYERS, amount=dollars(act.cents), roles=" or ".join(map(authority.an, roles)))


def paying_roles(cents: int, executive_above_cents: int) -> tuple[authority.Role, ...]:
    """Of those who may adjust, who may pay players so much: one of the two who sign must be one."""
    needed = authority.confirming(cents, executive_above_cents=executive_above_cents)
    return tuple(role for role in authority.roles_for(authority.Power.ADJUST) if authority.may(role, needed))


def _check_seed(state: LinkState, act: Adjust) -> None:
    """Only what the house has on the meter that stands, and not while an award of it is open."""
    for award in state.awards.values():
        if award.held_on(act.level) or (award.is_share and award.level == act.level):
            raise undecided(award)
    own = max(0, state.own.get(act.level, 0))
    if act.cents * UNITS_PER_CENT > own:
        level = state.setup.level[act.level].title
        raise refusal(No.MORE_THAN_SEEDED, seeded=money(own), level=level, amount=dollars(act.cents))


# The back-out of a confirmed award, as a whole
#
#     amount      players > pending > meter; what the house had added, to the house
#     next meter  what the award put on it: meter > overflow, meter > reserve, meter > house
#
# It is the whole award or nothing, in one entry, so that no display shows an amount in between. What other hands have
# won of the meter since stays as it is. Where they have used the next meter, not all of it is there to go back: the
# house bears that first, then the reserve, then the overflow, as where a hand is taken back (see `settlement`).


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
    if _in_its_game(state, award):
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
    found = state.confirmed.get(number)
    if found is None:
        raise refusal(No.OF_AN_EARLIER_LAW if number in state.won else No.NOT_AN_AWARD, award=number)
    if found.backed_out:
        raise refusal(No.ALREADY_BACKED_OUT, award=number, entry=found.backed_out)
    return found.award


def _in_its_game(state: LinkState, award: Award) -> bool:
    """Whether the game of a confirmed award is still on, with its hand."""
    cycle = state.cycle(award.table)
    hand = cycle.entered.get(award.seat)
    return cycle.on and hand is not None and hand.award == award.award


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
    since = [each.award for each in standing if each.award.is_share and not each.backed_out]
    since += [each for each in state.awards.values() if each.is_share]
    numbers = [str(each.award) for each in since if each.level == award.level]
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
    """Nothing is left of the award; while its game is on, the seat may have another hand entered."""
    number = facts_of(BackOutFacts, entry)["award"]
    award = state.confirmed[number].award
    state.confirmed[number] = state.confirmed[number]._replace(backed_out=entry.number)
    if award.is_share:
        state.won[number] = Won(award.level, 0)
    if _in_its_game(state, award):
        cycle = state.tables[award.table]
        del cycle.entered[award.seat]
        if award.is_share:
            cycle.stood[award.level] = cycle.stood[award.level].before(award)
        state.forget_stood(award.table)
