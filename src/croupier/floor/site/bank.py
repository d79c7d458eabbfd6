"""Whether the players' money is in the bank: the separate account against everything that the links owe.

The house only keeps prize money in custody. What lies on meters, in reserves, in overflow and in pending awards, and
what is on its way from a retired link to the next, must lie in an account of its own. Wagers come in all day and are
deposited at least weekly, so what they added since the last deposit may still be on its way, until the deposit is
overdue. Nothing else may: the seed of the next meter has to be in the account when an award puts it on, so an account
without room for it is a warning beforehand.

    must be there = owed - contributed since the last deposit (nothing off, once it is overdue)
    is there      = declared + deposited since - paid to winners since

Where a place says so (WAC 230-15-720), the account is never below what is posted, meters and prizes that wait for their
card, whatever is on its way: a house keeps a cushion there for the wagers of a week.

    posted        = meters + pending awards, of all links

`cover` is a pure function. Its errors mean: stop the links now, and say why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from croupier.compliance.profile import Fact, Finding, Rules, Weight, against, errors
from croupier.errors import NotationError
from croupier.games.money import dollars
from croupier.ledger.clock import time_of
from croupier.ledger.entry import UNITS_PER_CENT


@dataclass(frozen=True)
class LinkTotals:
    """What one link owes now, and what it took in and paid since it was made. All in units."""

    link: str
    meters: int
    reserve: int
    overflow: int
    pending: int
    contributed: int
    """By wagers, to meters, reserve and overflow, ever."""
    paid: int
    """From the meters to winners, ever, less what came back: below nothing where more did."""
    next_seed_cents: int = 0
    """What the house must add when the highest level is won."""
    carried: int = 0
    """Given up by this link, which is retired, and not received by the next one yet, or not given away."""
    give_by: str = ""
    """Where it is to be given away by a day: the last one."""

    def __post_init__(self) -> None:
        for name in ("meters", "reserve", "overflow", "pending", "contributed", "next_seed_cents", "carried"):
            if getattr(self, name) < 0:
                raise NotationError(f"The {name} of the link {self.link} cannot be below nothing.")

    @property
    def owed(self) -> int:
        return self.posted + self.reserve + self.overflow + self.carried

    @property
    def posted(self) -> int:
        """What the players read."""
        return self.meters + self.pending


@dataclass(frozen=True)
class BankState:
    """What the site's book says of the account."""

    balance_units: int = 0
    """As declared last, and every deposit since."""
    declared_at: str = ""
    """Empty: nobody has declared a balance yet."""
    opened_at: str = ""
    """When a balance was declared first: the first week counts from there."""
    deposited_at: str = ""
    paid_then: Mapping[str, int] = field(default_factory=dict)
    """By link: what it had paid when the balance was declared, so that what it paid since comes off."""
    contributed_then: Mapping[str, int] = field(default_factory=dict)
    """By link: what wagers had contributed when the last deposit was made."""
    reconciled: str = ""
    """The last month whose statement was held against the funds, as 2026-10."""

    def as_json(self) -> dict[str, Any]:
        return {
            "balance_units": self.balance_units,
            "declared_at": self.declared_at,
            "opened_at": self.opened_at,
            "deposited_at": self.deposited_at,
            "paid_then": dict(self.paid_then),
            "contributed_then": dict(self.contributed_then),
            **({"reconciled": self.reconciled} if self.reconciled else {}),
        }


@dataclass(frozen=True)
class Cover:
    """The account beside what it must hold."""

    owed_cents: int
    must_be_there_cents: int
    is_there_cents: int
    findings: tuple[Finding, ...]

    @property
    def links_must_stop(self) -> bool:
        return bool(errors(self.findings))

    @property
    def to_deposit_cents(self) -> int:
        """What covers it, as one deposit: with that, nothing is on its way any more, and all that is owed must be."""
        return max(0, self.owed_cents - self.is_there_cents) if self.links_must_stop else 0

    @property
    def reason(self) -> str:
        """What the floor is told; empty while the links may play."""
        return " ".join(f"{finding.sentence} ({finding.citation})" for finding in errors(self.findings))


def cover(bank: BankState, links: Iterable[LinkTotals], rules: Rules, at: str) -> Cover:
    """Compare the account with what all links owe, at a moment."""
    links, now = list(links), time_of(at)
    owed = sum(link.owed for link in links)
    on_its_way = sum(max(0, link.contributed - bank.contributed_then.get(link.link, 0)) for link in links)
    paid_since = sum(max(0, link.paid - bank.paid_then.get(link.link, 0)) for link in links)
    overdue = list(_overdue(bank, on_its_way, rules, now))
    must = up_to_cents(owed if overdue else owed - min(owed, on_its_way))
    there = (bank.balance_units - paid_since) // UNITS_PER_CENT
    posted = up_to_cents(sum(link.posted for link in links)) if rules.holds(Fact.POSTED_COVERED) else 0
    all_owed = up_to_cents(owed)
    findings = [
        *_short(bank, must, all_owed, there, rules),
        *_below_posted(bank, posted, all_owed, there, rules),
        *overdue,
    ]
    must = max(must, posted)
    if not findings:
        findings += _no_cushion(links, must, there, rules)
    findings += _not_given(links, rules)
    findings += _not_reconciled(bank, rules)
    return Cover(all_owed, must, there, tuple(findings))


def _overdue(bank: BankState, on_its_way: int, rules: Rules, now: datetime) -> Iterator[Finding]:
    rule, days = rules.get(Fact.DEPOSIT_EVERY), rules.number(Fact.DEPOSIT_EVERY)
    last = bank.deposited_at or bank.opened_at
    if rule is None or days is None or not last or not on_its_way:
        return
    if now - time_of(last) > timedelta(days=days):
        since = "deposit" if bank.deposited_at else "declaration"
        yield against(
            rule,
            "deposit-overdue",
            f"Nothing was deposited since the {since} of {last[:10]}: accrued money is deposited at least every {days} "
            f"days, and {dollars(on_its_way // UNITS_PER_CENT)} is waiting.",
        )


def _short(bank: BankState, must: int, owed: int, there: int, rules: Rules) -> Iterator[Finding]:
    rule = rules.get(Fact.SEPARATE_ACCOUNT)
    if rule is None or not rule.value:
        return
    if not bank.declared_at:
        yield against(rule, "bank-undeclared", "Nobody has declared what is in the separate account for prizes.")
    elif there < must:
        yield against(
            rule,
            "bank-short",
            f"The account for prizes is {dollars(must - there)} short: {dollars(there)} is there, and {dollars(must)} "
            f"must be. Deposit {dollars(owed - there)}{_with_the_rest(owed - must)}.",
        )


def _with_the_rest(on_its_way: int) -> str:
    """Why a deposit is of more than what is short."""
    return f", with the {dollars(on_its_way)} that wagers have brought since the last deposit" if on_its_way else ""


def _below_posted(bank: BankState, posted: int, owed: int, there: int, rules: Rules) -> Iterator[Finding]:
    rule = rules.get(Fact.POSTED_COVERED)
    if rule and rule.value and bank.declared_at and there < posted:
        yield against(
            rule,
            "below-posted",
            f"The account for prizes has {dollars(there)}, and {dollars(posted)} is posted: progressive games stop at "
            f"once, until {dollars(owed - there)} is deposited.",
        )


def _no_cushion(links: list[LinkTotals], must: int, there: int, rules: Rules) -> Iterator[Finding]:
    rule, seed = rules.get(Fact.SEPARATE_ACCOUNT), max((link.next_seed_cents for link in links), default=0)
    if rule is not None and rule.value and there < must + seed:
        more = dollars(there - must) if there > must else "nothing"
        yield Finding(
            Weight.WARNING,
            "no-room-for-seed",
            f"The account has {more} more than it must: the seed of {dollars(seed)} after an award would leave it "
            "short, and the links would stop.",
            rule.citation,
        )


def _not_given(links: list[LinkTotals], rules: Rules) -> Iterator[Finding]:
    """A reminder of a removed prize that is owed to a promotion or a tournament."""
    rule = rules.get(Fact.REMOVAL_WITHIN)
    for link in links if rule else ():
        if link.carried and link.give_by:
            late = " It is late." if str(rules.day) > link.give_by else ""
            owed = dollars(up_to_cents(link.carried))
            yield Finding(
                Weight.WARNING,
                "prize-not-given",
                f"{owed} of the retired link {link.link} is to be given away by {link.give_by}.{late}",
                rule.citation if rule else "",
            )


def _not_reconciled(bank: BankState, rules: Rules) -> Iterator[Finding]:
    """A reminder while the last month is not reconciled; no place stops the games for that."""
    rule, days = rules.get(Fact.RECONCILED_WITHIN), rules.number(Fact.RECONCILED_WITHIN)
    first = rules.day.replace(day=1)
    month = str(first - timedelta(days=1))[:7]
    if rule is None or days is None or not bank.opened_at or bank.opened_at[:7] > month or bank.reconciled >= month:
        return
    due = first + timedelta(days=days - 1)
    late = " It is late." if rules.day > due else ""
    yield Finding(
        Weight.WARNING,
        "not-reconciled",
        f"The bank's statement of {month} is to be held against the fund balances, in writing, by {due}.{late}",
        rule.citation,
    )


def up_to_cents(units: int) -> int:
    """Whole cents, rounded up: a part of a cent is owed too."""
    return -(-units // UNITS_PER_CENT)
