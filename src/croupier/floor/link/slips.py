"""Jackpot slips: the numbered paper with which a confirmed award is paid, and its two entries.

    issue-slip     number, award, amount, what the award's checklist asks for, what is withheld
    pay-slip       who paid it, when, in what, and what was looked at to know the player

No money moves here: the card has moved it, from the meter to the players. An award has one slip, and a slip is paid
once, by somebody who did not confirm the award. One that was put right or backed out since has the papers of that.
Awards of books from before there were slips (their `confirm` has no `form`) have none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.compliance import authority
from croupier.floor.act import Decision, EntryKind
from croupier.floor.facts import ConfirmFacts, IssueSlipFacts, PaySlipFacts, facts_of
from croupier.floor.link.acts import IssueSlip, PaySlip
from croupier.floor.link.state import LinkState, Payable, Slip
from croupier.floor.refusals import No, refusal
from croupier.games.money import dollars
from croupier.ledger.entry import Entry

WHO = frozenset({"tax-slip", "withholding", "currency-report"})
"""What a checklist may call for that takes a player's identity."""


def issue(state: LinkState, act: IssueSlip) -> Decision:
    if act.award not in state.payable:
        raise refusal(No.NO_SLIP_FOR, award=act.award)
    won = state.payable[act.award]
    if won.slip:
        raise refusal(No.HAS_SLIP, award=act.award, slip=won.slip)
    _check_as_confirmed(state, act.award, won)
    facts = {
        **{"slip": len(state.slips) + 1, "award": act.award, "table": won.table, "seat": won.seat, "line": won.line},
        **{"cents": won.cents, "withheld_cents": won.withheld_cents, "asks": list(won.asks)},
        "confirmed": won.digest,
    }
    return Decision(EntryKind.ISSUE_SLIP, facts)


def pay(state: LinkState, act: PaySlip) -> Decision:
    if act.slip not in state.slips:
        raise refusal(No.NO_SUCH_SLIP, slip=act.slip)
    slip = state.slips[act.slip]
    if slip.paid:
        raise refusal(No.SLIP_PAID, slip=act.slip)
    won = state.payable[slip.award]
    _check_as_confirmed(state, slip.award, won)
    if act.by.person == won.confirmed_by:
        raise authority.denied(
            authority.Denied.SAME_PERSON, power=f"{act.needs} that one has confirmed", person=act.by.person
        )
    if won.asks and act.identity is None:
        raise refusal(No.IDENTITY_NEEDED, slip=act.slip, asks=", ".join(won.asks).replace("-", " "))
    facts = {
        **{"slip": act.slip, "award": slip.award, "table": won.table, "cents": won.cents},
        **{"withheld_cents": won.withheld_cents, "paid_cents": won.cents - won.withheld_cents},
        **{"paid_in": str(act.paid_in), "identity": str(act.identity) if act.identity else ""},
    }
    return Decision(EntryKind.PAY_SLIP, facts)


def _check_as_confirmed(state: LinkState, award: int, won: Payable) -> None:
    """What a card has confirmed may be put right, or backed out, at any time after it."""
    if not state.as_confirmed(award):
        raise refusal(No.PUT_RIGHT, award=award, was=dollars(won.cents))


# Following


def confirmed(state: LinkState, entry: Entry) -> None:
    """From now on a slip can be issued for it, with what its checklist asked for."""
    facts = facts_of(ConfirmFacts, entry)
    if "form" not in facts:
        return
    items = facts.get("notes", {}).get("checklist", ())
    state.payable[facts["award"]] = Payable(
        *(facts["table"], facts["seat"], facts["line"], facts["cents"]),
        *(entry.facts["by"][0] if "by" in entry.facts else "", entry.digest),
        asks=tuple(item["call"] for item in items if item["call"] in WHO),
        withheld_cents=sum(_withheld(item) for item in items),
    )


def _withheld(item: Mapping[str, Any]) -> int:
    return int(item.get("cents", 0)) if item["call"] == "withholding" else 0


def issued(state: LinkState, entry: Entry) -> None:
    facts = facts_of(IssueSlipFacts, entry)
    number, award = facts["slip"], facts["award"]
    state.slips[number] = Slip(award)
    state.payable[award] = state.payable[award]._replace(slip=number)


def paid(state: LinkState, entry: Entry) -> None:
    number = facts_of(PaySlipFacts, entry)["slip"]
    state.slips[number] = state.slips[number]._replace(paid=True)
