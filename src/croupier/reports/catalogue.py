"""The reports by name: those that need nothing but the books and a period."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from croupier.reports.access import Access, access
from croupier.reports.accrual import Accrual, accrual
from croupier.reports.adjustments import AdjustmentNote, Adjustments, adjustments
from croupier.reports.awards import Awards, LastAwards, awards, last_awards
from croupier.reports.balance import MeterBalance, meter_balance
from croupier.reports.bank_cover import BankCover, bank_cover
from croupier.reports.books import Books
from croupier.reports.close import DayClose
from croupier.reports.contributions import Contributions, contributions
from croupier.reports.events import Events, events
from croupier.reports.hold import Hold, hold
from croupier.reports.period import Period
from croupier.reports.sheet import Report
from croupier.reports.shift import Shifts, shifts
from croupier.reports.slips import JackpotSlip, Slips, slips
from croupier.reports.win_page import WinPage

REPORTS: Mapping[str, Callable[[Books, Period, str], Report]] = {
    "balance": meter_balance,
    "contributions": contributions,
    "awards": awards,
    "last-awards": last_awards,
    "slips": slips,
    "shift": shifts,
    "adjustments": adjustments,
    "events": events,
    "hold": hold,
    "accrual": accrual,
    "bank-cover": bank_cover,
    "access": access,
}
ONE_PAGE = ("win-page", "jackpot-slip", "adjustment-note")
"""Of one entry each, so they need its number."""
CLOSE = "close"
"""Of one day, with what people have read."""
KINDS = (*REPORTS, *ONE_PAGE, CLOSE)
_SHEETS: tuple[type[Report], ...] = (
    *(MeterBalance, Contributions, Awards, LastAwards, Adjustments, Events, Hold, Accrual, BankCover, Access),
    *(Slips, Shifts, WinPage, JackpotSlip, AdjustmentNote, DayClose),
)
TITLES: Mapping[str, str] = {sheet.kind: sheet.title for sheet in _SHEETS}
