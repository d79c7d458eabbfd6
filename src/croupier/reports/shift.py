"""Shifts: who dealt at which table from when to when, and what came of it.

A spell is what one dealer does at one table between others, in one gaming day: from their first act there to their
last, told from the acts of the books alone. What a supervisor decided in it is counted with it; corrections are
adjustments of an award that was won in the spell, and hands that were taken back or voided.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar

from croupier.analysis.par.print import TableInPrint
from croupier.floor.act import EntryKind
from croupier.floor.facts import AdjustFacts, BackOutFacts, DecidedFacts, EndFacts, PayFacts, facts_of
from croupier.games.money import dollars
from croupier.ledger.clock import ONE_DAY
from croupier.reports.books import BookEntry, Books
from croupier.reports.period import Period
from croupier.reports.sheet import Report, heading, table

BY_DEALER = frozenset(
    {
        EntryKind.START,
        EntryKind.END,
        EntryKind.ENTER,
        EntryKind.PAY,
        EntryKind.TAKE_BACK,
        EntryKind.UNPAY,
        EntryKind.CALL,
    }
)
TAKEN_BACK = frozenset({EntryKind.TAKE_BACK, EntryKind.UNPAY})


@dataclass(frozen=True)
class ShiftRow:
    """One spell."""

    awards_cents: int
    """Confirmed in it, less what was put right in the period."""
    fixed_pays_cents: int
    """Made from the tray or the meters, less what was taken back."""
    table: int
    dealer: str
    supervisors: str
    began_at: str
    ended_at: str
    seconds: int
    games: int
    wagers: int
    awards: int
    voided: int
    taken_back: int
    adjusted: int
    backed_out: int
    link: str


@dataclass
class _Spell:
    link: str
    table: int
    dealer: str
    began: str
    ended: str
    until: str
    """The end of its gaming day."""
    supervisors: dict[str, None] = field(default_factory=dict)
    won: dict[int, int] = field(default_factory=dict)
    counts: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))

    def row(self) -> ShiftRow:
        seconds = (datetime.fromisoformat(self.ended) - datetime.fromisoformat(self.began)).total_seconds()
        count = self.counts
        return ShiftRow(
            awards_cents=sum(self.won.values()),
            fixed_pays_cents=count["fixed"],
            table=self.table,
            dealer=self.dealer,
            supervisors=", ".join(self.supervisors),
            began_at=self.began,
            ended_at=self.ended,
            seconds=int(seconds),
            games=count["games"],
            wagers=count["wagers"],
            awards=len(self.won),
            voided=count["voided"],
            taken_back=count["taken_back"],
            adjusted=count["adjusted"],
            backed_out=count["backed_out"],
            link=self.link,
        )


@dataclass(frozen=True)
class Shifts(Report):
    kind: ClassVar = "shift"
    title: ClassVar = "Shifts"
    row: ClassVar = ShiftRow
    wide: ClassVar = True

    rows: tuple[ShiftRow, ...]

    def sums(self) -> dict[str, Any]:
        return {
            "awards_cents": sum(row.awards_cents for row in self.rows),
            "fixed_pays_cents": sum(row.fixed_pays_cents for row in self.rows),
            "games": sum(row.games for row in self.rows),
            "wagers": sum(row.wagers for row in self.rows),
        }

    def tables(self) -> Sequence[TableInPrint]:
        columns = (
            *("Table", "Dealer", "Supervisors", "From", "Until", "Corrections"),
            *("Hours", "Games", "Awards", "Fixed pays", "Won"),
        )
        shown = [
            (
                *(str(row.table), self.written(row.dealer), self.written(row.supervisors) or "–"),
                *(self.told(row.began_at), self.told(row.ended_at)),
                *(_corrections(row), f"{row.seconds / 3600:.2f}", f"{row.games:,}", f"{row.awards:,}"),
                *(dollars(row.fixed_pays_cents), dollars(row.awards_cents)),
            )
            for row in self.rows
        ]
        return [table("", columns, shown, words=6)]


def _corrections(row: ShiftRow) -> str:
    parts = (
        (row.taken_back, "taken back"),
        (row.voided, "voided"),
        (row.adjusted, "adjusted"),
        (row.backed_out, "backed out"),
    )
    return ", ".join(f"{number} {what}" for number, what in parts if number) or "–"


def shifts(books: Books, period: Period, made_at: str) -> Shifts:
    """Spells of the period, table by table, in the order in which they began."""
    rows = [spell.row() for link in books.links for spell in _spells(books, link, period)]
    rows.sort(key=lambda row: (row.table, row.began_at, row.link))
    return Shifts(heading(books, period, made_at), tuple(rows))


def _spells(books: Books, link: str, period: Period) -> Iterator[_Spell]:
    at_table: dict[int, _Spell] = {}
    spells: list[_Spell] = []
    of_award: dict[int, _Spell] = {}
    for entry in books.entries_within(link, period):
        if entry.kind in BY_DEALER:
            table_ = facts_of(EndFacts, entry)["table"]
            spell = at_table.get(table_)
            if spell is None or spell.dealer != entry.by or entry.at >= spell.until:
                until = period.begin_of(period.day_of(entry.at) + ONE_DAY)
                spell = at_table[table_] = _Spell(link, table_, entry.by, entry.at, entry.at, until)
                spells.append(spell)
            spell.ended = entry.at
            _count(spell, entry)
            if entry.kind in (EntryKind.ENTER, EntryKind.PAY):
                of_award[entry.number] = spell
        elif entry.kind in (EntryKind.CONFIRM, EntryKind.VOID):
            decided = facts_of(DecidedFacts, entry)
            spell = of_award.get(decided["award"]) or at_table.get(decided["table"])
            if spell is not None:
                _decided(spell, entry)
        elif entry.kind == EntryKind.ADJUST:
            _adjusted(of_award, entry)
        elif entry.kind == EntryKind.BACK_OUT:
            _backed_out(of_award, entry)
    return iter(spells)


def _count(spell: _Spell, entry: BookEntry) -> None:
    count = spell.counts
    if entry.kind == EntryKind.START:
        count["games"] += 1
        count["wagers"] += len(entry.facts["seats"])
    elif entry.kind == EntryKind.PAY:
        count["fixed"] += facts_of(PayFacts, entry)["cents"]
    elif entry.kind in TAKEN_BACK:
        count["taken_back"] += 1
        count["fixed"] -= entry.facts["cents"] if entry.kind == EntryKind.UNPAY else 0


def _decided(spell: _Spell, entry: BookEntry) -> None:
    decided = facts_of(DecidedFacts, entry)
    spell.supervisors[entry.by] = None
    if entry.kind == EntryKind.VOID:
        spell.counts["voided"] += 1
    elif "level" in entry.facts:
        spell.won[decided["award"]] = decided["cents"]
    else:
        spell.counts["fixed"] += decided["cents"]


def _backed_out(of_award: dict[int, _Spell], entry: BookEntry) -> None:
    """Nothing is left of the award in any total."""
    facts = facts_of(BackOutFacts, entry)
    spell = of_award.get(facts["award"])
    if spell is None:
        return
    spell.counts["backed_out"] += 1
    if spell.won.pop(facts["award"], None) is None:
        spell.counts["fixed"] -= facts["cents"]


def _adjusted(of_award: dict[int, _Spell], entry: BookEntry) -> None:
    """An award that was put right: what players got more, or gave back."""
    facts = facts_of(AdjustFacts, entry)
    spell = of_award.get(facts["award"] or 0)
    if spell is None or facts["award"] not in spell.won:
        return
    spell.counts["adjusted"] += 1
    way = (facts["from"], facts["to"])
    sign = (way == ("meter", "players")) - (way == ("players", "meter"))
    spell.won[facts["award"]] += sign * facts["cents"]
