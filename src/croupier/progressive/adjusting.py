"""Manual adjustments of a level: for one of five lawful reasons, by two people, with a text, from account to account.

    amount won       meter > players; players > meter where an award is backed out
    malfunction      between the meter and players, tray, house, reserve or overflow
    above maximum    meter > overflow, as far as it stands above
    gross receipts   reserve > house, overflow > house: funds that are not displayed
    seed recovery    meter > house, as far as the house has put its own on this meter

WAC 230-15-695 names the five for reducing a prize. Raising one is always a correction, so it goes by the first two.
"""

from __future__ import annotations

from croupier.games.money import dollars
from croupier.progressive.acts import Adjust, Lawful
from croupier.progressive.decision import Decision, reason_given
from croupier.progressive.ledger import OF_A_LEVEL, UNITS_PER_CENT, Account, Purpose, Transfer
from croupier.progressive.refusals import No, refusal
from croupier.progressive.setup import MOST_CENTS
from croupier.progressive.state import LinkState, money, undecided

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
        raise refusal(No.NOT_LAWFUL, reason=act.reason, source=act.source, target=act.target)
    if not 1 <= act.cents <= MOST_CENTS:
        raise refusal(No.WRONG_AMOUNT, most=dollars(MOST_CENTS))
    text = reason_given(act.text)
    transfer = Transfer(_account(act.source, act.level), _account(act.target, act.level), act.cents * UNITS_PER_CENT)
    _check_there(state, act, transfer)
    _check_maximum(state, act)
    if act.reason is Lawful.SEED_RECOVERY:
        _check_seed(state, act)
    facts = {
        **{"level": act.level, "reason": str(act.reason), "from": str(act.source), "to": str(act.target)},
        **{"cents": act.cents, "text": text, "award": act.award},
        "shown_cents": state.shown_cents(act.level),
    }
    return Decision("adjust", facts, (transfer,))


def _account(purpose: Purpose, level: str) -> Account:
    return Account(purpose, level if purpose in OF_A_LEVEL else "")


def _check_there(state: LinkState, act: Adjust, transfer: Transfer) -> None:
    there = state.units(act.source, act.level)
    if act.source in OF_A_LEVEL and there < transfer.units:
        raise refusal(No.NOT_THERE, there=money(there), account=transfer.source, amount=dollars(act.cents))


def _check_maximum(state: LinkState, act: Adjust) -> None:
    level, shown = state.setup.level[act.level], state.shown_cents(act.level)
    if act.reason is Lawful.ABOVE_MAXIMUM:
        excess = max(0, shown - level.maximum_cents) if level.maximum_cents is not None else 0
        if act.cents > excess:
            raise refusal(No.NOT_ABOVE_MAXIMUM, level=level.title, excess=dollars(excess), amount=dollars(act.cents))
    if act.target is Purpose.METER and level.maximum_cents is not None and shown + act.cents > level.maximum_cents:
        maximum, amount = dollars(level.maximum_cents), dollars(shown + act.cents)
        raise refusal(No.ABOVE_MAXIMUM, level=level.title, amount=amount, maximum=maximum)


def _check_seed(state: LinkState, act: Adjust) -> None:
    """Only what the house has on the meter that stands, and not while an award of it is open."""
    for award in state.awards.values():
        if award.level == act.level:
            raise undecided(award)
    own = max(0, state.own.get(act.level, 0))
    if act.cents * UNITS_PER_CENT > own:
        level = state.setup.level[act.level].title
        raise refusal(No.MORE_THAN_SEEDED, seeded=money(own), level=level, amount=dollars(act.cents))
