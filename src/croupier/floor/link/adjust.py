"""Manual adjustments of a level: for one of five lawful reasons, by two people, with a text, from account to account.

    amount won       meter > players, for a winner who was found late with the next meter's seed, reserve and overflow;
                     players > meter where a part of a named award comes back (`backout` has the whole of it)
    malfunction      between the meter and players, tray, house, reserve or overflow
    above maximum    meter > overflow, as far as it stands above
    gross receipts   reserve > house, overflow > house: funds that are not displayed
    seed recovery    meter > house, as far as the house has put its own on this meter

WAC 230-15-695 names the five for reducing a prize. Raising one is always a correction, so it goes by the first two.
Money for players is an award by another name: one of the two who sign must be allowed to confirm one of that amount.
"""

from __future__ import annotations

from croupier.compliance import authority
from croupier.compliance.profile import Lawful
from croupier.floor.act import Decision, EntryKind, reason_given
from croupier.floor.facts import AdjustFacts, facts_of
from croupier.floor.link.acts import Adjust
from croupier.floor.link.meters import HOUSE, Moves, cap, room
from croupier.floor.link.setup import MOST_LINK_CENTS, LevelSetup
from croupier.floor.link.state import LinkState, money, undecided
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
    facts = {"seed_units": level.seed_cents * UNITS_PER_CENT}
    for ways in (moves, inside):
        ways.move(HOUSE, level.meter, facts["seed_units"])
    for account in (level.reserve, level.overflow):
        units = min(moves.units(account), inside.units(account))
        if level.maximum_cents is not None:
            units = min(units, room(moves, level), room(inside, level))
        for ways in (moves, inside):
            ways.move(account, level.meter, units)
        facts[f"{account.purpose}_units"] = units
    cap(moves, level, state.inside())
    return facts


def adjusted(state: LinkState, entry: Entry) -> None:
    """An award that was put right comes to more or less from now on."""
    facts = facts_of(AdjustFacts, entry)
    if facts["award"] is not None:
        won, path = state.won[facts["award"]], (facts["from"], facts["to"])
        sign = (path == (Purpose.METER, Purpose.PLAYERS)) - (path == (Purpose.PLAYERS, Purpose.METER))
        state.won[facts["award"]] = won._replace(cents=won.cents + sign * facts["cents"])
        state.follow_payment(facts["award"])


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
