"""Acts about prize money in custody: a month is reconciled, the removal of a progressive is planned, a removed prize is
given away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from croupier.compliance.authority import Power
from croupier.compliance.profile import Destination
from croupier.floor.act import EntryKind
from croupier.floor.site.notes import OfTwo, SiteAct
from croupier.floor.site.values import MOST_BANK_CENTS, check_day, check_funds, check_note, check_number, check_word


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
    links: Mapping[str, Any] | None = None
    """What the links' books say of their funds at the month's end. The floor fills it in; older entries lack it."""

    def facts(self) -> dict[str, Any]:
        return {name: value for name, value in super().facts().items() if (name, value) != ("links", None)}

    def check(self) -> None:
        for link, told in (self.links or {}).items():
            check_funds(link, told)
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


@dataclass(frozen=True, kw_only=True)
class GivePrize(OfTwo):
    """What a removed progressive held, or a part of it, is given where its plan says: it leaves the account."""

    kind = EntryKind.GIVE_PRIZE
    needs = Power.RETIRE
    second: str
    link: str
    amount_cents: int
    recipient: str
    """The promotion, the tournament or the organization; no player's name."""
    reference: str
    """Of the paper that shows it: a check, a receipt."""
    game: str = ""
    """On which game, where it is a promotion or a tournament."""
    note: str = ""
    """Why it is late, where it is."""

    def check(self) -> None:
        check_number("amount_cents", self.amount_cents, 1, MOST_BANK_CENTS)
        for name in ("link", "recipient", "reference", *(("game",) if self.game else ())):
            check_word(name, getattr(self, name))
        check_note(self.note)
