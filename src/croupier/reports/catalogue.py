"""The reports by name: those that need nothing but the books and a period."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from croupier.reports.accrual import accrual
from croupier.reports.adjustments import adjustments
from croupier.reports.awards import awards, last_awards
from croupier.reports.balance import meter_balance
from croupier.reports.bank_cover import bank_cover
from croupier.reports.books import Books
from croupier.reports.contributions import contributions
from croupier.reports.events import events
from croupier.reports.hold import hold
from croupier.reports.period import Period
from croupier.reports.sheet import Report

REPORTS: Mapping[str, Callable[[Books, Period, str], Report]] = {
    "balance": meter_balance,
    "contributions": contributions,
    "awards": awards,
    "last-awards": last_awards,
    "adjustments": adjustments,
    "events": events,
    "hold": hold,
    "accrual": accrual,
    "bank-cover": bank_cover,
}
ONE_PAGE = ("win-page", "adjustment-note")
"""Of one entry each, so they need its number."""
CLOSE = "close"
"""Needs what people have read."""
KINDS = (*REPORTS, *ONE_PAGE, CLOSE)
