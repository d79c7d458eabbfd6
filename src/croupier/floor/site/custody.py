"""Prize money in the house's custody: the month's reconciliation, and the plan by which a progressive is removed."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from croupier.compliance.profile import Destination, Fact, Rules
from croupier.floor.act import Decision
from croupier.floor.facts import PlanRemovalFacts, ReconcileFacts, facts_of
from croupier.floor.refusals import No, refusal
from croupier.games.money import dollars

if TYPE_CHECKING:
    from croupier.floor.site.custody_acts import PlanRemoval, Reconcile
    from croupier.floor.site.site import Site
    from croupier.ledger.entry import Entry


class Removal(NamedTuple):
    """The approved plan for a link, as the site's book has it on record."""

    plan: str
    approved: str
    posted: str
    destination: str


def reconcile(site: Site, act: Reconcile, at: str) -> Decision:
    """A month that is over; where statement and funds differ, the note says how that was resolved."""
    first, last = site.days.first[:7], month_before(site.day(at))
    if not first <= act.month <= last:
        raise refusal(No.NO_SUCH_MONTH, month=act.month, first=first)
    difference = act.statement_cents - act.fund_cents
    if difference and not act.note.strip():
        raise refusal(No.UNEXPLAINED, month=act.month, difference=dollars(abs(difference)))
    return Decision(act.kind, {"difference_cents": difference})


def plan_removal(site: Site, act: PlanRemoval, at: str) -> Decision:
    """Approved first, then posted; and to where the place lets a prize go."""
    today, rule = str(site.day(at)), site.rules(at).get(Fact.WAYS_TO_REMOVE)
    if not act.approved <= act.posted <= today:
        raise refusal(No.PLAN_DATES, approved=act.approved, posted=act.posted, today=today)
    if rule and isinstance(rule.value, tuple) and act.destination not in rule.value:
        ways = ", ".join(rule.value)
        why = f"A prize goes to one of {ways}, not to {act.destination}. ({rule.citation})"
        raise refusal(No.AGAINST_RULES, why=why)
    return Decision(act.kind)


def check_removal(site: Site, link: str, at: str) -> None:
    """Refuse to retire a link into another one before the place lets its progressive be removed so."""
    rules = site.rules(at)
    rule, plan = rules.get(Fact.PLAN_TO_REMOVE), site.removals.get(link)
    if rule is None or not rule.value:
        return
    if plan is None:
        raise refusal(No.NO_REMOVAL_PLAN, link=link, citation=rule.citation)
    free = free_on(plan, rules)
    if rules.day < free:
        raise refusal(No.POSTED_TOO_SHORT, link=link, posted=plan.posted, free=free, citation=rule.citation)
    if plan.destination != Destination.PROGRESSIVE:
        raise refusal(No.OTHER_DESTINATION, link=link, destination=plan.destination.replace("-", " "))


def free_on(plan: Removal, rules: Rules) -> date:
    """The first day on which the progressive may be gone."""
    return date.fromisoformat(plan.posted) + timedelta(days=rules.number(Fact.REMOVAL_POSTED) or 0)


def month_before(day: date) -> str:
    """The last month that was over by a day."""
    return str(day.replace(day=1) - timedelta(days=1))[:7]


# What their entries change


def was_reconciled(site: Site, entry: Entry) -> None:
    month = facts_of(ReconcileFacts, entry)["month"]
    site.bank = replace(site.bank, reconciled=max(month, site.bank.reconciled))


def was_planned(site: Site, entry: Entry) -> None:
    facts = facts_of(PlanRemovalFacts, entry)
    site.removals[facts["link"]] = Removal(facts["plan"], facts["approved"], facts["posted"], facts["destination"])
