"""Jackpot slips: those of a period for the cage's count, and the paper of one.

The paper has blank lines for what the award's checklist asks of the player (name, address, document, taxpayer number):
they are filled in by hand, and stay on paper. Number, amounts, people and times are those of the book's entries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, ClassVar

from croupier.analysis.par.print import TableInPrint
from croupier.compliance.award_checklist import Requirement
from croupier.errors import CroupierError
from croupier.floor.act import EntryKind
from croupier.floor.facts import AdjustFacts, BackOutFacts, ConfirmFacts, IssueSlipFacts, PaySlipFacts, facts_of
from croupier.games.money import dollars
from croupier.ledger.clock import as_written
from croupier.reports.books import BookEntry, Books
from croupier.reports.period import Period
from croupier.reports.sheet import Report, heading, table

BLANK = "_" * 44
ASKED = {
    "tax-slip": ("Taxpayer number", "Date of birth"),
    "withholding": ("Taxpayer number",),
    "currency-report": ("Occupation",),
}
"""By what the checklist calls for: what else is asked of the player."""
PLAYER = ("Player's name", "Address", "Document and its number")


@dataclass(frozen=True)
class SlipRow:
    """A slip as the book has it by the end of the period."""

    award_cents: int
    withheld_cents: int
    paid_cents: int
    """What the player gets."""
    link: str
    slip: int
    award: int
    table: int
    seat: int
    line: str
    issued_at: str
    issued_by: str
    paid_at: str
    paid_by: str
    paid_in: str
    backed_out_at: str
    """When the award was backed out; its slip is then not to be paid, or was paid for nothing."""
    identity: str
    """The kind of document that the cage looked at."""
    asks: str
    """What the award's checklist calls for that takes the player's identity."""
    confirmed_digest: str
    issue_digest: str
    pay_digest: str
    at_once_cents: int | None = None
    """What is paid at once, at least, where the place lets the rest wait; all of it otherwise."""
    rest_due_at: str = ""
    """By when the check for the rest is out."""

    @property
    def status(self) -> str:
        if self.backed_out_at:
            return "paid, and backed out" if self.paid_at else "backed out, not to be paid"
        return "paid" if self.paid_at else "not paid yet"


MOST_NAMED = 20
"""Awards without a slip that are named in print, the latest: of the others it is said how many there are."""


@dataclass(frozen=True)
class Slips(Report):
    kind: ClassVar = "slips"
    title: ClassVar = "Jackpot slips"
    row: ClassVar = SlipRow
    wide: ClassVar = True

    rows: tuple[SlipRow, ...]
    without: Mapping[tuple[str, int], int] = field(default_factory=dict)
    """By link and award: what was confirmed by the end of the period, and had no slip then. In cents."""

    def sums(self) -> dict[str, Any]:
        paid = [row for row in self.rows if row.paid_at]
        return {
            "slips_paid_cents": sum(row.paid_cents for row in paid),
            "withheld_cents": sum(row.withheld_cents for row in paid),
            "slips_open_cents": sum(row.paid_cents for row in self.rows if row.status == "not paid yet"),
            "no_slip_cents": sum(self.without.values()),
        }

    def notes(self) -> Sequence[str]:
        late = [
            f"{row.link} {row.slip} (by {self.told(row.rest_due_at)})"
            for row in self.rows
            if row.status == "not paid yet" and row.rest_due_at and row.rest_due_at < self.heading.made_at
        ]
        none = [f"{link} No. {award} ({dollars(cents)})" for (link, award), cents in self.without.items()][-MOST_NAMED:]
        if len(self.without) > MOST_NAMED:
            none.insert(0, f"{len(self.without) - MOST_NAMED:,} others")
        told = (("Not paid in time", late), ("Confirmed, and without a slip yet", none))
        return tuple(f"{what}: {', '.join(listed)}." for what, listed in told if listed)

    def tables(self) -> Sequence[TableInPrint]:
        columns = ("Slip", "No.", "Table", "Issued", "Paid", "In", "Award", "Withheld", "To pay")
        shown = [
            (
                *(f"{row.link} {row.slip}", str(row.award), str(row.table)),
                f"{self.told(row.issued_at)} {self.written(row.issued_by)}",
                f"{self.told(row.paid_at)} {self.written(row.paid_by)}" if row.status == "paid" else row.status,
                *(row.paid_in, dollars(row.award_cents), dollars(row.withheld_cents), dollars(row.paid_cents)),
            )
            for row in self.rows
        ]
        entries = [(number, 1, row.link, row.award) for number, row in enumerate(self.rows)]
        return [table("", columns, shown, words=6, entries=entries)]


@dataclass(frozen=True)
class JackpotSlip(Report):
    """The paper of one award."""

    kind: ClassVar = "jackpot-slip"
    title: ClassVar = "Jackpot slip"
    row: ClassVar = SlipRow
    of_one_entry: ClassVar = True

    rows: tuple[SlipRow]

    @property
    def slip(self) -> SlipRow:
        return self.rows[0]

    @property
    def headline(self) -> str:
        return "" if self.slip.backed_out_at else dollars(self.slip.paid_cents)

    @property
    def banner(self) -> str:
        if not self.slip.backed_out_at:
            return ""
        return "BACKED OUT AFTER IT WAS PAID" if self.slip.paid_at else "BACKED OUT – NOT TO BE PAID"

    @property
    def subject(self) -> str:
        return f"Jackpot slip {self.slip.slip} of the link {self.slip.link}"

    def facts(self) -> Sequence[tuple[str, str]]:
        slip = self.slip
        return (("Slip", f"No. {slip.slip} of the link {slip.link}: {slip.status.upper()}"),)

    def tables(self) -> Sequence[TableInPrint]:
        slip = self.slip
        rows = [
            ("Award", f"{dollars(slip.award_cents)}, No. {slip.award}"),
            ("Withheld", dollars(slip.withheld_cents)),
            ("To pay", dollars(slip.paid_cents)),
            *self._parts(),
            ("Hand", slip.line),
            ("Place", f"Table {slip.table}, seat {slip.seat}"),
            ("Issued", f"{self.told(slip.issued_at)} by {self.written(slip.issued_by)}"),
            *self._paid(),
        ]
        if slip.identity:
            rows.append(("Identity seen", slip.identity))
        record = [("Digest of the card's entry", slip.confirmed_digest), ("Digest of the slip", slip.issue_digest)]
        record += [("Digest of the payment", slip.pay_digest)] if slip.pay_digest else []
        tables = [table("", ("", ""), rows, words=2)]
        if slip.asks and not slip.backed_out_at:
            asked = dict.fromkeys((*PLAYER, *(field for demand in slip.asks.split(", ") for field in ASKED[demand])))
            tables.append(table("Player", ("", ""), [(name, BLANK) for name in asked], words=2))
        return [*tables, table("On record", ("", ""), record, words=2)]

    def _parts(self) -> list[tuple[str, str]]:
        """What is paid at once and what may wait, by the place's rule of the day of the card."""
        slip = self.slip
        if slip.at_once_cents is None or slip.paid_cents <= slip.at_once_cents:
            return []
        rest = f"up to {dollars(slip.paid_cents - slip.at_once_cents)} by check, by {self.told(slip.rest_due_at)}"
        return [("At once", f"{dollars(slip.at_once_cents)} at least"), ("Rest", rest)]

    def _paid(self) -> Sequence[tuple[str, str]]:
        """Lines to fill in by hand, while there is somebody to be paid."""
        slip = self.slip
        rows = [
            ("Paid at", self.told(slip.paid_at) or BLANK),
            ("Paid by", self.written(slip.paid_by) or BLANK),
            ("Paid in", slip.paid_in or "cash / chips / check / cash and check"),
        ]
        if not slip.backed_out_at:
            return rows
        return [*(rows if slip.paid_at else ()), ("Backed out", self.told(slip.backed_out_at))]

    def notes(self) -> Sequence[str]:
        asks = self.slip.asks.replace("-", " ")
        return (f"The checklist of the award asks for: {asks}.",) if asks else ()

    def signatures(self) -> Sequence[str]:
        return () if self.slip.backed_out_at else ("Player, date", "Paid by, date", "Witness, date")


def slips(books: Books, period: Period, made_at: str) -> Slips:
    """Issued or paid in the period, as they stood at the end of it."""
    without: dict[tuple[str, int], int] = {}
    rows = [row for link in books.links for row in _slips(books, link, period, without)]
    kept = tuple(row for row in rows if row.issued_at in period or row.paid_at in period)
    return Slips(heading(books, period, made_at), kept, without)


def jackpot_slip(books: Books, award: int, period: Period, made_at: str) -> JackpotSlip:
    """Of an award of the only link that is read."""
    link = books.only_link("An award")
    slips = slip_of(books, award, period, made_at)
    if not slips.rows:
        raise CroupierError(f"Award {award} of the link {link} has no jackpot slip: issue it on the award's page.")
    return JackpotSlip(slips.heading, (slips.rows[0],))


def slip_of(books: Books, award: int, period: Period, made_at: str) -> Slips:
    """The slip of one award, or none."""
    rows = tuple(row for link in books.links for row in _slips(books, link, period, {}) if row.award == award)
    return Slips(heading(books, period, made_at), rows)


def _slips(books: Books, link: str, period: Period, without: dict[tuple[str, int], int]) -> list[SlipRow]:
    """All of a link by the end of the period; awards that had none then are put beside them."""
    by_number: dict[int, SlipRow] = {}
    payments: dict[int, tuple[int, str]] = {}
    for entry in books.entries(link, period):
        if entry.kind == EntryKind.CONFIRM:
            payments |= _in_parts(entry)
            without |= _slipless(link, entry)
        elif entry.kind == EntryKind.ADJUST:
            without.pop((link, facts_of(AdjustFacts, entry)["award"] or 0), None)  # paid by the papers of that
        elif entry.kind == EntryKind.ISSUE_SLIP:
            row = _issued(link, entry)
            without.pop((link, row.award), None)
            at_once, due = payments.get(row.award, (None, ""))
            by_number[row.slip] = replace(row, at_once_cents=at_once, rest_due_at=due)
        elif entry.kind == EntryKind.PAY_SLIP:
            facts = facts_of(PaySlipFacts, entry)
            by_number[facts["slip"]] = replace(
                by_number[facts["slip"]],
                paid_at=entry.at,
                paid_by=entry.by,
                paid_in=facts["paid_in"],
                identity=facts["identity"],
                pay_digest=entry.digest,
            )
        elif entry.kind == EntryKind.BACK_OUT:
            award = facts_of(BackOutFacts, entry)["award"]
            without.pop((link, award), None)
            for row in [row for row in by_number.values() if row.award == award]:
                by_number[row.slip] = replace(row, backed_out_at=entry.at)
    return list(by_number.values())


def _slipless(link: str, entry: BookEntry) -> dict[tuple[str, int], int]:
    """An award that a slip can be issued for, from its card on; before there were slips, none."""
    facts = facts_of(ConfirmFacts, entry)
    return {(link, facts["award"]): facts["cents"]} if "form" in facts else {}


def _in_parts(entry: BookEntry) -> dict[int, tuple[int, str]]:
    """By award: what the list of its card has to be paid at once, and by when the rest."""
    facts = facts_of(ConfirmFacts, entry)
    for item in facts.get("notes", {}).get("checklist", ()):
        if item["call"] == Requirement.PAYMENT and "hours" in item:
            due = datetime.fromisoformat(entry.at) + timedelta(hours=item["hours"])
            return {facts["award"]: (item["cents"], as_written(due))}
    return {}


def _issued(link: str, entry: BookEntry) -> SlipRow:
    facts = facts_of(IssueSlipFacts, entry)
    cents, withheld = facts["cents"], facts["withheld_cents"]
    return SlipRow(
        *(cents, withheld, cents - withheld, link, facts["slip"], facts["award"], facts["table"], facts["seat"]),
        *(facts["line"], entry.at, entry.by, "", "", "", "", "", ", ".join(facts["asks"]), facts["confirmed"]),
        *(entry.digest, ""),
    )
