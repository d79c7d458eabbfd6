"""The balance of every meter for a period: what it opened with, every flow, what it closed with, to a zero difference.

The flows are summed by what they were for; the closing value is what lies in the account. Both come from the same rows
by different ways, and their difference must be nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from croupier.analysis.par.print import TableInPrint
from croupier.ledger.book import Flow, Sums, add_flows
from croupier.reports.books import Balances, Books, setup_in
from croupier.reports.period import Period
from croupier.reports.sheet import Report, heading, level_title, money, table

METER = "meter"


@dataclass(frozen=True)
class LevelBalance:
    """One meter, in units."""

    link: str
    level: str
    opening_units: int
    contributions_units: int
    seed_units: int
    reserve_units: int
    overflow_units: int
    added_units: int
    """By the house to a meter of style A that ran dry."""
    adjustments_units: int
    moved_units: int
    awards_units: int
    """Below nothing: they come off."""
    closing_units: int
    difference_units: int
    pending_units: int
    """Of the awards, what no card had confirmed at the end."""
    in_reserve_units: int
    """What lay in the reserve at the end."""
    in_overflow_units: int


@dataclass(frozen=True)
class MeterBalance(Report):
    kind: ClassVar = "balance"
    title: ClassVar = "Meter balance"
    row: ClassVar = LevelBalance

    rows: tuple[LevelBalance, ...]

    def sums(self) -> dict[str, Any]:
        return {"difference_units": sum(abs(row.difference_units) for row in self.rows)}

    def tables(self) -> Sequence[TableInPrint]:
        return balance_tables(self.rows)

    def notes(self) -> Sequence[str]:
        return (
            "Opening and all flows make the closing value of each meter; the difference is what they do not explain.",
        )


def balance_tables(rows: Sequence[LevelBalance]) -> list[TableInPrint]:
    """A table for each link, with a column for each of its meters."""
    links = dict.fromkeys(row.link for row in rows)
    tables = [_of_link(link, [row for row in rows if row.link == link]) for link in links]
    return tables or [table("Meters", ("", "Level"), ())]


def _of_link(link: str, rows: Sequence[LevelBalance]) -> TableInPrint:
    lines = [("Opening", "opening_units")]
    lines += [(flow.value.capitalize(), f"{flow}_units") for flow in Flow]
    always = {"contributions_units", "seed_units", "awards_units", "adjustments_units", "opening_units"}
    lines = [line for line in lines if line[1] in always or any(getattr(row, line[1]) for row in rows)]
    lines += [("Closing", "closing_units"), ("Difference", "difference_units")]
    lines += [("Of the awards, pending", "pending_units")]
    lines += [("In reserve", "in_reserve_units"), ("In overflow", "in_overflow_units")]
    cells = [(words, *(money(getattr(row, name)) for row in rows)) for words, name in lines]
    place = lines.index(("Difference", "difference_units"))
    verdicts = [(place, column, row.difference_units == 0) for column, row in enumerate(rows, 1)]
    return table(f"Link {link}", ("", *(level_title(row.level) for row in rows)), cells, verdicts=verdicts)


def meter_balance(books: Books, period: Period, made_at: str) -> MeterBalance:
    rows = tuple(row for link in books.links for row in level_balances(books, link, period))
    return MeterBalance(heading(books, period, made_at), rows)


def level_balances(books: Books, link: str, period: Period) -> Iterator[LevelBalance]:
    """The meters of one link, in the order of its paytable; none before the link was made."""
    balances, levels = Balances(), list[str]()
    opening: dict[str, int] | None = None
    flows: Sums = {}
    for entry in books.entries(link, period):
        if opening is None and entry.at >= period.begin:
            opening = dict(balances.units)
        setup = setup_in(entry)
        if setup:
            levels = [level.level for level in setup.levels]
        balances.take(entry)
        if opening is not None:
            add_flows(flows, entry.kind, entry.moved)
    before = balances.units if opening is None else opening
    for level in levels:
        account = f"{METER}:{level}" if level else METER
        opened, closing = before.get(account, 0), balances.of(METER, level)
        moved = {flow: flows.get(level, {}).get(flow, 0) for flow in Flow}
        yield LevelBalance(
            link,
            level,
            opened,
            **{f"{flow}_units": units for flow, units in moved.items()},
            closing_units=closing,
            difference_units=closing - opened - sum(moved.values()),
            pending_units=balances.held(level),
            in_reserve_units=balances.of("reserve", level),
            in_overflow_units=balances.of("overflow", level),
        )
