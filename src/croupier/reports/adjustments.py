"""Manual adjustments and back-outs: what was moved, why, by which two people; and the note of one, on a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from croupier.analysis.par.print import TableInPrint
from croupier.errors import CroupierError
from croupier.floor.act import EntryKind
from croupier.floor.facts import AdjustFacts, BackOutFacts, facts_of
from croupier.games.money import dollars
from croupier.ledger.entry import UNITS_PER_CENT, account_words, reason_words
from croupier.reports.books import Balances, BookEntry, Books
from croupier.reports.period import Period
from croupier.reports.sheet import Report, heading, level_title, money, table

RULE = "WAC 230-15-695: a displayed or accrued prize is reduced for five reasons only, each documented."


@dataclass(frozen=True)
class AdjustmentRow:
    """What two people have put right: one transfer, or an award that was backed out."""

    link: str
    entry: int
    at: str
    level: str
    reason: str
    text: str
    from_account: str
    to_account: str
    amount_cents: int
    meter_before_units: int
    meter_after_units: int
    award: int | None
    """The award that it puts right, where it is one."""
    by: str
    second: str
    digest: str


@dataclass(frozen=True)
class Adjustments(Report):
    kind: ClassVar = "adjustments"
    title: ClassVar = "Adjustments"
    row: ClassVar = AdjustmentRow
    wide: ClassVar = True

    rows: tuple[AdjustmentRow, ...]

    def sums(self) -> dict[str, Any]:
        return {
            "adjustments": len(self.rows),
            "meters_units": sum(row.meter_after_units - row.meter_before_units for row in self.rows),
        }

    def tables(self) -> Sequence[TableInPrint]:
        columns = ("Link", "No.", "When", "Meter", "Reason", "From", "To", "Signed by", "Text", "Amount", "Meter then")
        shown = [
            (
                *(row.link, str(row.entry), self.told(row.at), level_title(row.level), reason_words(row.reason)),
                *(account_words(row.from_account), account_words(row.to_account)),
                *(self.written(f"{row.by}, {row.second}"), row.text),
                *(dollars(row.amount_cents), money(row.meter_after_units)),
            )
            for row in self.rows
        ]
        entries = [(number, 1, row.link, row.entry) for number, row in enumerate(self.rows)]
        return [table("", columns, shown, words=9, entries=entries)]


@dataclass(frozen=True)
class AdjustmentNote(Report):
    """One adjustment on one page, for the file."""

    kind: ClassVar = "adjustment-note"
    title: ClassVar = "Adjustment note"
    row: ClassVar = AdjustmentRow
    of_one_entry: ClassVar = True

    rows: tuple[AdjustmentRow]

    @property
    def headline(self) -> str:
        return dollars(self.rows[0].amount_cents)

    @property
    def subject(self) -> str:
        return f"The note of adjustment {self.rows[0].entry} of the link {self.rows[0].link}"

    def facts(self) -> Sequence[tuple[str, str]]:
        row = self.rows[0]
        return (("Entry", f"{row.entry} of the link {row.link}"), ("Digest", row.digest))

    def tables(self) -> Sequence[TableInPrint]:
        row = self.rows[0]
        words = [
            ("When", f"{self.told(row.at)} ({row.at} UTC)"),
            ("Meter", level_title(row.level)),
            ("Lawful reason", reason_words(row.reason)),
            ("From", account_words(row.from_account)),
            ("To", account_words(row.to_account)),
            ("Meter before", money(row.meter_before_units)),
            ("Meter after", money(row.meter_after_units)),
            ("Puts right", f"award {row.award}" if row.award else "no award"),
            ("First person", self.written(row.by)),
            ("Second person", self.written(row.second)),
            ("What happened", row.text),
        ]
        return [table("", ("", ""), words, words=2)]

    def notes(self) -> Sequence[str]:
        return (RULE,)

    def signatures(self) -> Sequence[str]:
        row = self.rows[0]
        return (f"{self.written(row.by)}, date", f"{self.written(row.second)}, date", "For the file, date")


def adjustments(books: Books, period: Period, made_at: str) -> Adjustments:
    rows = tuple(row for link in books.links for row in _adjusted(books, link, period) if row.at >= period.begin)
    return Adjustments(heading(books, period, made_at), rows)


def adjustment_note(books: Books, entry: int, period: Period, made_at: str) -> AdjustmentNote:
    """The note of one adjustment, by the number of its entry in the only link that is read."""
    link = books.only_link("An adjustment")
    notes = [row for row in _adjusted(books, link, period) if row.entry == entry]
    if not notes:
        raise CroupierError(f"Entry {entry} of the link {link} is no adjustment.")
    return AdjustmentNote(heading(books, period, made_at), (notes[0],))


class Adjusting:
    """Finds the adjustments of a link as its entries come in."""

    def __init__(self, link: str) -> None:
        self._link, self.balances, self.rows = link, Balances(), list[AdjustmentRow]()

    def take(self, entry: BookEntry) -> None:
        level = _level(entry)
        before = self.balances.of("meter", level or "")
        self.balances.take(entry)
        if level is not None:
            make = _row if entry.kind == EntryKind.ADJUST else _backed_out
            self.rows.append(make(self._link, entry, before, self.balances.of("meter", level)))


def _adjusted(books: Books, link: str, period: Period) -> list[AdjustmentRow]:
    adjusting = Adjusting(link)
    for entry in books.entries(link, period):
        adjusting.take(entry)
    return adjusting.rows


def _level(entry: BookEntry) -> str | None:
    """Whose meter an adjustment changes, or the back-out of an award; of a fixed pay, the first that made it."""
    if entry.kind == EntryKind.ADJUST:
        return facts_of(AdjustFacts, entry)["level"]
    if entry.kind != EntryKind.BACK_OUT:
        return None
    facts = facts_of(BackOutFacts, entry)
    parts = facts.get("parts")
    return parts[0]["level"] if parts else facts.get("level", "")


def _backed_out(link: str, entry: BookEntry, before: int, after: int) -> AdjustmentRow:
    """All that an award moved went back; the amount is the one that players had."""
    facts = facts_of(BackOutFacts, entry)
    level, target = _level(entry) or "", "tray" if facts.get("parts") == [] else "meter"
    return AdjustmentRow(
        *(link, entry.number, entry.at, level, entry.kind, facts["reason"], "players", target),
        *(facts["cents"], before, after, facts["award"], entry.by, entry.second, entry.digest),
    )


def _row(link: str, entry: BookEntry, before: int, after: int) -> AdjustmentRow:
    facts = facts_of(AdjustFacts, entry)
    assert entry.transfers[0][2] == facts["cents"] * UNITS_PER_CENT
    return AdjustmentRow(
        *(link, entry.number, entry.at, facts["level"], facts["reason"], facts["text"], facts["from"], facts["to"]),
        *(facts["cents"], before, after, facts["award"], entry.by, entry.second, entry.digest),
    )
