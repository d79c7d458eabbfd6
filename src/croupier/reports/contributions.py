"""What wagers brought, by table and hour of the house's clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, ClassVar

from croupier.analysis.par.print import TableInPrint
from croupier.floor.act import EntryKind
from croupier.floor.facts import StartFacts, facts_of
from croupier.games.money import dollars
from croupier.reports.books import BookEntry, Books
from croupier.reports.period import Period
from croupier.reports.sheet import Report, heading, money, table


@dataclass(frozen=True)
class TableHour:
    """One table in one hour."""

    link: str
    table: int
    hour: str
    """As it begins, with the clock's distance from UTC: 2026-11-15T14:00-08:00."""
    zone: str
    """Whose clock that is: America/Los_Angeles."""
    games: int
    wagers: int
    coin_in_cents: int
    meter_units: int
    reserve_units: int
    overflow_units: int
    tray_units: int


SUMMED = tuple(field.name for field in fields(TableHour))[4:]


@dataclass(frozen=True)
class Contributions(Report):
    kind: ClassVar = "contributions"
    title: ClassVar = "Contributions by table and hour"
    row: ClassVar = TableHour

    rows: tuple[TableHour, ...]

    def sums(self) -> dict[str, Any]:
        return {"totals": {name: self._sum(name) for name in SUMMED}}

    def _sum(self, name: str) -> int:
        return sum(getattr(row, name) for row in self.rows)

    def tables(self) -> Sequence[TableInPrint]:
        columns = (
            *("Link", "Table", "Hour", "Games", "Wagers", "Coin in"),
            *("To meters", "To reserves", "To overflow", "To the tray"),
        )
        shown: list[tuple[str, ...]] = [
            (
                *(row.link, str(row.table), self.heading.period.hour_told(row.hour)),
                *_figures(row.games, row.wagers, row.coin_in_cents),
                *(money(getattr(row, name)) for name in SUMMED[3:]),
            )
            for row in self.rows
        ]
        if shown:
            counts = _figures(*(self._sum(name) for name in SUMMED[:3]))
            shown.append(("Total", "", "", *counts, *(money(self._sum(name)) for name in SUMMED[3:])))
        return [table("", columns, shown, words=3, total=True)]


def _figures(games: int, wagers: int, cents: int) -> tuple[str, str, str]:
    return f"{games:,}", f"{wagers:,}", dollars(cents)


def contributions(books: Books, period: Period, made_at: str) -> Contributions:
    by_key: dict[tuple[str, int, str], list[int]] = {}
    for link in books.links:
        for entry in books.entries_within(link, period):
            if entry.kind == EntryKind.START:
                key = link, facts_of(StartFacts, entry)["table"], period.hour_of(entry.at)
                sums = by_key.setdefault(key, [0] * len(SUMMED))
                for place, value in enumerate(brought(entry)):
                    sums[place] += value
    in_order = sorted(by_key, key=lambda key: (key[0], key[1], datetime.fromisoformat(key[2])))
    rows = tuple(TableHour(*key, period.zone, *by_key[key]) for key in in_order)
    return Contributions(heading(books, period, made_at), rows)


def brought(entry: BookEntry) -> tuple[int, int, int, int, int, int, int]:
    """Of START GAME: games, wagers, coin in (cents), then units to meters, reserves, overflows and the tray."""
    to = {"meter": 0, "reserve": 0, "overflow": 0, "tray": 0}
    for _, target, units in entry.transfers:
        to[target.partition(":")[0]] += units
    facts = facts_of(StartFacts, entry)
    wagers = len(facts["seats"])
    return 1, wagers, wagers * facts["wager_cents"], to["meter"], to["reserve"], to["overflow"], to["tray"]
