"""Prize money in the house's custody: the month's reconciliation, and the plan by which a progressive is removed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple
from zoneinfo import ZoneInfo

from croupier.compliance.profile import Destination, Fact, Rules
from croupier.floor.act import Decision, EntryKind
from croupier.floor.facts import GivePrizeFacts, PlanRemovalFacts, ReconcileFacts, facts_of
from croupier.floor.link.state import Status
from croupier.floor.refusals import No, refusal
from croupier.floor.site.bank import up_to_cents
from croupier.games.money import dollars
from croupier.ledger.clock import begin_of
from croupier.ledger.entry import UNITS_PER_CENT, Account, Purpose, Transfer
from croupier.ledger.rows import read_row

if TYPE_CHECKING:
    from croupier.floor.link.brief import LinkBrief
    from croupier.floor.site.custody_acts import GivePrize, PlanRemoval, Reconcile
    from croupier.floor.site.site import Site
    from croupier.ledger.entry import Entry
    from croupier.store.store import Store


_FUNDS = frozenset(map(str, (Purpose.METER, Purpose.RESERVE, Purpose.OVERFLOW, Purpose.PENDING)))
_NO_OTHER_WAY = "nothing else says where its prize goes"
BANK, FLOOR = Account(Purpose.BANK), Account(Purpose.FLOOR)


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
    if act.links is None:  # as older books have it
        return Decision(act.kind, {"difference_cents": difference})
    book = up_to_cents(sum(link["units"] + link.get("carried_units", 0) for link in act.links.values()))
    variance = act.fund_cents - book
    if variance and not act.note.strip():
        raise refusal(No.NOT_THE_BOOKS, month=act.month, fund=dollars(act.fund_cents), book=dollars(book))
    until = month_ends(site, act.month)
    if at < until:  # its last gaming day is not
        raise refusal(No.NO_SUCH_MONTH, month=act.month, first=first)
    return Decision(
        act.kind,
        {"difference_cents": difference, "book_cents": book, "variance_cents": variance, "until": until},
    )


def month_ends(site: Site, month: str) -> str:
    """The first instant after the last gaming day of a month."""
    last = date.fromisoformat(f"{month}-01") + timedelta(days=31)
    return begin_of(last.replace(day=1), ZoneInfo(site.zone), site.day_begins)


def fund_balances(store: Store, links: Iterable[LinkBrief], given: Mapping[str, int], until: str) -> dict[str, Any]:
    """By link, what its book says was owed to players at an instant: what is now, without what was moved since. What a
    retired link gave up is owed there until the next one has received it, or it was given away: `given` has the cents
    of that by then."""
    by_link, owed_then, arrived = dict[str, Any](), dict[str, int](), set[str]()
    briefs = list(links)
    for brief in briefs:
        stream = f"link:{brief.name}"
        number, since = store.number_before(stream, until), 0
        last = next(iter(store.rows(stream, number - 1, 1)), None) if number else None
        arrived |= brief.received
        for row in store.rows(stream, number, brief.entries - number):
            for source, target, units in (told := read_row(row.body)).transfers:
                since += units * (_is_owed(target) - _is_owed(source))
            if told.kind == EntryKind.RECEIVE:
                arrived.discard(told.facts["entry"]["digest"])
        if last is None:
            continue
        owed = brief.totals.meters + brief.totals.reserve + brief.totals.overflow + brief.totals.pending - since
        by_link[brief.name] = {"entries": number, "digest": last.digest, "units": owed}
        if brief.status is Status.RETIRED and number == brief.entries:
            owed_then[brief.name] = brief.carried - given.get(brief.name, 0) * UNITS_PER_CENT
    for brief in briefs:
        left = 0 if brief.digest in arrived else max(0, owed_then.get(brief.name, 0))
        if left:
            by_link[brief.name]["carried_units"] = left
    return by_link


def _is_owed(account: str | Account) -> bool:
    return str(account).partition(":")[0] in _FUNDS


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


def check_removal(plan: Removal | None, link: str, destination: Destination | None, rules: Rules) -> None:
    """Refuse to retire a link before the place lets its progressive be removed so; without a destination, into another
    one. A prize that is given away needs a plan everywhere: nothing else says to what."""
    rule = rules.get(Fact.PLAN_TO_REMOVE)
    asked = rule if rule and rule.value else None
    if plan is None:
        if asked or destination:
            raise refusal(No.NO_REMOVAL_PLAN, link=link, citation=asked.citation if asked else _NO_OTHER_WAY)
        return
    if asked is None and destination is None:
        return
    free = free_on(plan, rules)
    if asked and rules.day < free:
        raise refusal(No.POSTED_TOO_SHORT, link=link, posted=plan.posted, free=free, citation=asked.citation)
    if plan.destination != (destination or Destination.PROGRESSIVE):
        raise refusal(No.OTHER_DESTINATION, link=link, destination=plan.destination.replace("-", " "))


def on_same_game(destination: str) -> bool:
    """Whether it is given to people who play the same game, within a time."""
    return destination in (Destination.PROMOTION, Destination.TOURNAMENT)


def due_on(destination: str, retired: date, rules: Rules) -> date | None:
    """The last day on which the prize of a link that was retired then is given, where the place has one."""
    days = rules.number(Fact.REMOVAL_WITHIN) if on_same_game(destination) else None
    return retired + timedelta(days=days) if days is not None else None


def give_prize(site: Site, act: GivePrize, _: str) -> Decision:
    """By the plan that is on record; the money leaves the account for prizes."""
    plan = site.removals.get(act.link)
    if plan is None or plan.destination == Destination.PROGRESSIVE:
        raise refusal(No.NOT_TO_GIVE, link=act.link)
    if on_same_game(plan.destination) and not act.game:
        raise refusal(No.WRONG_FORM, why=f"a {plan.destination.replace('-', ' ')} is on a game: say which")
    check_account(act.amount_cents, site.book.balance(Purpose.BANK) // UNITS_PER_CENT)
    return Decision(act.kind, transfers=(Transfer(BANK, FLOOR, act.amount_cents * UNITS_PER_CENT),))


def check_account(amount_cents: int, there_cents: int) -> None:
    """Refuse to give more than the account for prizes holds."""
    if amount_cents > there_cents:
        raise refusal(No.NOT_IN_ACCOUNT, amount=dollars(amount_cents), there=dollars(there_cents))


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


def was_given(site: Site, entry: Entry) -> None:
    facts = facts_of(GivePrizeFacts, entry)
    site.given[facts["link"]] = site.given.get(facts["link"], 0) + facts["amount_cents"]
    site.bank = replace(site.bank, balance_units=site.book.balance(Purpose.BANK))


def was_planned(site: Site, entry: Entry) -> None:
    facts = facts_of(PlanRemovalFacts, entry)
    site.removals[facts["link"]] = Removal(facts["plan"], facts["approved"], facts["posted"], facts["destination"])
