"""Acts about prize money in custody: a month is reconciled, the removal of a progressive is planned."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.compliance.authority import Power
from croupier.compliance.profile import Destination
from croupier.floor.act import EntryKind
from croupier.floor.site.acts import OfTwo, SiteAct
from croupier.floor.site.values import MOST_BANK_CENTS, check_day, check_note, check_number, check_word


@dataclass(frozen=True, kw_only=True)
class Reconcile(SiteAct):
    """The bank's statement of a month that is over, held against the fund balances at its end."""

    kind = EntryKind.RECONCILE
    needs = Power.DECLARE_BANK
    month: str
    """As 2026-10."""
    statement_cents: int
    fund_cents: int
    note: str = ""
    """How a difference was resolved."""

    def check(self) -> None:
        check_day(f"{self.month}-01")
        for name in ("statement_cents", "fund_cents"):
            check_number(name, getattr(self, name), 0, MOST_BANK_CENTS)
        check_note(self.note)


@dataclass(frozen=True, kw_only=True)
class PlanRemoval(OfTwo):
    """The approved plan to remove a progressive, and since when it is posted at the tables."""

    kind = EntryKind.PLAN_REMOVAL
    needs = Power.RETIRE
    second: str
    link: str
    plan: str
    """Reference of the plan's approval."""
    approved: str
    posted: str
    """Days, as 2026-11-05."""
    destination: Destination

    def check(self) -> None:
        check_word("link", self.link)
        check_word("plan", self.plan)
        check_day(self.approved)
        check_day(self.posted)
