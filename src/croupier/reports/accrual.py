"""What accrued to the prizes day by day, for the Master Games Report (WAC 230-15-730, -671).

    opening + accrued + house + adjustments + moved - paid = closing

Prize money is what lies on meters, in reserves, in overflow and in pending awards. The difference must be nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import date
from typing import Any, ClassVar

from croupier.analysis.par.print import TableInPrint
from croupier.compliance.profile import Fact, Lawful
from croupier.floor.act import EntryKind
from croupier.floor.facts import AdjustFacts, WonFacts, facts_of
from croupier.floor.site.site import Site
from croupier.games.money import dollars
from croupier.ledger.book import prize_money
from croupier.ledger.clock import ONE_DAY
from croupier.ledger.entry import UNITS_PER_CENT
from croupier.reports.books import OWED, Balances, BookEntry, Books, Played
from croupier.reports.contributions import brought
from croupier.reports.period import Period
from croupier.reports.sheet import Report, heading, money, table

MOVED = frozenset({EntryKind.RETIRE, EntryKind.RECEIVE})
BY_CARD = frozenset({EntryKind.CONFIRM, EntryKind.BACK_OUT})
PAYS: dict[str, int] = {EntryKind.PAY: 1, EntryKind.CONFIRM: 1, EntryKind.UNPAY: -1, EntryKind.BACK_OUT: -1}
"""Kinds of entries by which players were paid, or gave it back."""


@dataclass(frozen=True)
class DayAccrual:
    """One link on one gaming day."""

    day: str
    link: str
    games: int
    wagers: int
    coin_in_cents: int
    to_meters_units: int
    to_reserves_units: int
    to_overflow_units: int
    to_tray_units: int
    accrued_units: int
    """To meters, reserves and overflow together."""
    house_units: int
    """Seeds and other money of the house, less what it took back from awards that did not stand."""
    fixed_pays: int
    fixed_pays_cents: int
    awards: int
    """Confirmed on the day, less those that were backed out on it."""
    awards_cents: int
    paid_units: int
    """Prize money that went to players: awards, and in style A fixed pays."""
    adjustments: int
    adjustments_units: int
    """What they changed in prize money."""
    moved_units: int
    """From a retired link, or to the next one."""
    opening_units: int
    closing_units: int
    difference_units: int


SUMMED = tuple(field.name for field in fields(DayAccrual))[2:-3]


@dataclass(frozen=True)
class Accrual(Report):
    kind: ClassVar = "accrual"
    title: ClassVar = "Daily accrual for the Master Games Report"
    row: ClassVar = DayAccrual
    wide: ClassVar = True

    rows: tuple[DayAccrual, ...]
    net_win: str = ""
    """Of the progressive wagers in the period, where the place says what it is."""
    on_file: tuple[str, ...] = ()
    """What the register has for those wagers."""

    def notes(self) -> Sequence[str]:
        return (*((self.net_win,) if self.net_win else ()), *self.on_file)

    def total(self, name: str) -> int:
        return sum(getattr(row, name) for row in self.rows)

    def sums(self) -> dict[str, Any]:
        totals = {name: self.total(name) for name in (*SUMMED, "difference_units")}
        return {"totals": totals, "on_file": list(self.on_file)}

    def tables(self) -> Sequence[TableInPrint]:
        play = ("games", "wagers", "coin_in_cents", "to_meters_units", "to_reserves_units", "to_overflow_units")
        pays = ("fixed_pays", "fixed_pays_cents", "awards", "awards_cents")
        prizes = ("opening_units", "accrued_units", "house_units", "paid_units", "adjustments_units", "moved_units")
        return [
            self._table(
                "Play and accrual", play, "Games", "Wagers", "Coin in", "To meters", "To reserves", "To overflow"
            ),
            self._table("Pays", pays, "Fixed pays", "Amount", "Awards", "Amount"),
            self._table(
                *("Prize money", (*prizes, "closing_units", "difference_units")),
                *("Opening", "Accrued", "House", "Paid", "Adjusted", "Moved", "Closing", "Difference"),
            ),
        ]

    def _table(self, title: str, names: Sequence[str], *columns: str) -> TableInPrint:
        if not self.total("moved_units"):  # it seldom happens
            columns = tuple(column for column in columns if column != "Moved")
            names = [name for name in names if name != "moved_units"]
        rows = [(row.day, row.link, *(_shown(name, getattr(row, name)) for name in names)) for row in self.rows]
        if rows:
            # What a day opens and closes with does not add up over days.
            sums = (
                "" if name in ("opening_units", "closing_units") else _shown(name, self.total(name)) for name in names
            )
            rows.append(("Total", "", *sums))
        return table(title, ("Day", "Link", *columns), rows, words=2, total=True, verdicts=self._verdicts(names))

    def _verdicts(self, names: Sequence[str]) -> Iterator[tuple[int, int, bool]]:
        if "difference_units" not in names or not self.rows:
            return
        column = 2 + list(names).index("difference_units")
        for number, units in enumerate([*(row.difference_units for row in self.rows), self.total("difference_units")]):
            yield number, column, units == 0


def _shown(name: str, value: int) -> str:
    return money(value) if name.endswith("_units") else dollars(value) if name.endswith("_cents") else f"{value:,}"


def accrual(books: Books, period: Period, made_at: str) -> Accrual:
    games = Played(books, period)
    rows = [row for link in books.links for row in _of_link(books, link, period, made_at, games)]
    rows.sort(key=lambda row: row.day)
    net_win = _net_win(books, period, made_at, rows)
    return Accrual(heading(books, period, made_at), tuple(rows), net_win, games.on_file())


def _net_win(books: Books, period: Period, made_at: str, rows: Sequence[DayAccrual]) -> str:
    """Wagers, less wins paid from the tray, accrual and seed repaid; awards are paid from what accrued."""
    site = Site.of_entries(books.site_entries(period))
    rule = site.rules(min(period.end, made_at)).get(Fact.NET_WIN) if site.profile else None
    if rule is None or not rule.value:
        return ""
    wins = seeds = 0
    for link in books.links:
        for entry in books.entries_within(link, period):
            if entry.kind in PAYS:
                wins += sum(units * _from_tray(source, target) for source, target, units in entry.transfers)
            elif entry.kind == EntryKind.ADJUST and facts_of(AdjustFacts, entry)["reason"] == Lawful.SEED_RECOVERY:
                seeds += sum(units for _, _, units in entry.transfers)
    wagers, accrued = sum(row.coin_in_cents for row in rows), sum(row.accrued_units for row in rows)
    net = wagers * UNITS_PER_CENT - wins - accrued - seeds
    parts = f"wins paid {money(wins)}, accrual {money(accrued)} and seed repaid {money(seeds)}"
    return f"Net win of the progressive wagers: {dollars(wagers)}, less {parts}: {money(net)} ({rule.citation})."


def _from_tray(source: str, target: str) -> int:
    return 1 if (source, target) == ("tray", "players") else -1 if (source, target) == ("players", "tray") else 0


def _of_link(books: Books, link: str, period: Period, made_at: str, games: Played) -> Iterator[DayAccrual]:
    """Every day from the link's first to the last that has begun, quiet days included."""
    balances, sums = Balances(), dict.fromkeys(SUMMED, 0)
    day: date | None = None
    opening, until = 0, ""
    for entry in books.entries(link, period):
        if entry.at >= period.begin:
            if day is None:  # a link has no days before its first
                day = period.first if period.first and balances.units else period.day_of(entry.at)
            while entry.at >= (until := until or period.begin_of(day + ONE_DAY)):
                yield _row(day, link, sums, opening, balances)
                day, opening, sums, until = day + ONE_DAY, balances.total(*OWED), dict.fromkeys(SUMMED, 0), ""
            _count(sums, entry)
        balances.take(entry)
        games.take(link, entry)
        if entry.at < period.begin:
            opening = balances.total(*OWED)
    if day is None and balances.units and period.first and period.first <= period.day_of(made_at):
        day = period.first
    while day is not None:
        yield _row(day, link, sums, opening, balances)
        day, opening, sums = day + ONE_DAY, balances.total(*OWED), dict.fromkeys(SUMMED, 0)
        if period.last is None or day > min(period.last, period.day_of(made_at)):
            day = None


def _row(day: date, link: str, sums: dict[str, int], opening: int, balances: Balances) -> DayAccrual:
    closing = balances.total(*OWED)
    flowed = sums["accrued_units"] + sums["house_units"] + sums["adjustments_units"] + sums["moved_units"]
    left = closing - opening - flowed + sums["paid_units"]
    return DayAccrual(str(day), link, **sums, opening_units=opening, closing_units=closing, difference_units=left)


def _count(sums: dict[str, int], entry: BookEntry) -> None:
    kind = entry.kind
    if kind == EntryKind.START:
        names = SUMMED[:7]
        for name, value in zip(names, brought(entry), strict=True):
            sums[name] += value
        sums["accrued_units"] += sum(brought(entry)[3:6])
        return
    if kind in PAYS:
        share = kind in BY_CARD and "level" in entry.facts
        for name, value in (("", 1), ("_cents", facts_of(WonFacts, entry)["cents"])):
            sums[f"{'awards' if share else 'fixed_pays'}{name}"] += PAYS[kind] * value
    elif kind == EntryKind.ADJUST:
        sums["adjustments"] += 1
    for other, units in prize_money(entry.moved):
        if kind == EntryKind.ADJUST or kind in MOVED:
            sums["adjustments_units" if kind == EntryKind.ADJUST else "moved_units"] += units
        else:
            sums["house_units" if other == "house" else "paid_units"] += units if other == "house" else -units
