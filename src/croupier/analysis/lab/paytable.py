"""A paytable while somebody changes it: what it comes to, beside another one, and the pay behind a wanted figure.

Deals are counted once for a wager and kept; a changed pay only weighs the counts anew, which takes milliseconds.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import Any

from croupier.analysis.analyst import analyst_of
from croupier.analysis.blackjack.question import Asked
from croupier.analysis.blackjack.side.census import SideSheet
from croupier.analysis.census import OPTIMAL
from croupier.analysis.figures import Figures
from croupier.analysis.meter.wager import meter_title
from croupier.analysis.printing import as_percent, fixed, percent
from croupier.analysis.sheet import WagerSheet
from croupier.errors import NotationError, UnknownName
from croupier.games.game import TableGame
from croupier.games.paytable import Kind, Pay, Paytable, Row, plain_label
from croupier.games.wager import FindPaytable, Wager

MOST_STEPS = 60
"""Of the search: best play changes a few times on the way, and it ends where it does not."""
PLACES = 4
STEPS = (Fraction(1), Fraction(1, 2))


@dataclass(frozen=True, eq=False)
class Bench:
    """A wager on the bench, as it is dealt and decided; what it pays is what is tried."""

    game: TableGame
    wager: Wager
    strategy: str = OPTIMAL

    def __post_init__(self) -> None:
        if self.game.by_rules(self.wager):
            raise NotationError(
                f"The {self.wager.title} of {self.game.title} pays as its rules say: change the rules, not a paytable."
            )
        object.__setattr__(self, "strategy", self.game.strategy_named(self.strategy, OPTIMAL))

    def sheet(self, asked: Asked, find_paytable: FindPaytable) -> WagerSheet:
        """The figures of one paytable, at the meters and with the money that was said."""
        assert asked.paytable is not None
        sheet: WagerSheet = analyst_of(self.game).sheet(self.wager, asked, find_paytable, self.strategy)
        return sheet


# What it comes to


def figures_of(sheet: WagerSheet) -> dict[str, Fraction]:
    """The figures that two paytables are compared by, by name."""
    figures = {"house_edge": sheet.figures.house_edge, "hit_frequency": sheet.hit_frequency}
    if sheet.strategy:
        figures["element_of_risk"] = sheet.figures.element_of_risk
    if isinstance(sheet, SideSheet) and sheet.progressive:
        figures["fixed_return"] = sheet.progressive.fixed_return
        if sheet.hold is not None:
            figures["hold"] = sheet.hold
    return figures


def table_as_json(sheet: WagerSheet) -> dict[str, Any]:
    """The sheet in the JSON form of `croupier odds`, and its figures as people read them."""
    printed = {name: percent(value, PLACES) for name, value in figures_of(sheet).items()}
    printed["volatility"] = f"{sheet.figures.standard_deviation:,.{PLACES}f}"
    if isinstance(sheet, SideSheet) and sheet.progressive and sheet.meters is not None:
        even = sheet.progressive.break_even(sheet.meters)
        known = {meter_title(meter): worth for meter, worth in even.items() if worth is not None}
        alone = len(even) == 1
        printed |= {f"break_even{'' if alone else ' ' + name}": fixed(worth, 2) for name, worth in known.items()}
    return sheet.as_json() | {
        "printed": printed,
        "text": str(sheet.paytable),
        "rows": [row_as_json(row) for row in sheet.paytable.rows],
        "approved_as": [name for name, table in sheet.wager.paytables.items() if _pays_as(sheet, table)],
    }


def row_as_json(row: Row) -> dict[str, Any]:
    return {"label": row.label, "pay": str(row.pay), "share": row.pay.kind is Kind.SHARE}


def _pays_as(sheet: WagerSheet, table: Paytable) -> bool:
    ours, theirs = sheet.wager.prices(sheet.paytable), sheet.wager.prices(table)
    return all(ours[outcome].pays == theirs[outcome].pays for outcome in sheet.wager.outcomes)


def differences(first: WagerSheet, second: WagerSheet) -> dict[str, str]:
    """What the first has more than the second, as people read it."""
    ours, theirs = figures_of(first), figures_of(second)
    changes = {
        name: f"{fixed(100 * (ours[name] - theirs[name]), PLACES, signed=True)} %" for name in ours.keys() & theirs
    }
    apart = first.figures.standard_deviation - second.figures.standard_deviation
    return changes | {"volatility": f"{apart:+,.{PLACES}f}"}


def one_more(bench: Bench, asked: Asked, find_paytable: FindPaytable) -> list[dict[str, Any]]:
    """By row that pays a number: what one more on it takes from the house edge, best play counted anew."""
    assert asked.paytable is not None
    paytable = find_paytable(bench.wager, asked.paytable)
    edge = bench.sheet(asked, find_paytable).figures.house_edge
    steps = []
    for row in paytable.rows:
        if row.pay.kind in (Kind.TO, Kind.FOR):
            pay = _pay_of(row.pay, Fraction(row.pay.win, row.pay.stake) + 1)
            changed = changed_table(paytable, row.label, pay)
            costs = edge - bench.sheet(asked, lambda wager, name, table=changed: table).figures.house_edge  # type: ignore[misc]
            printed = f"{fixed(100 * costs, PLACES)} %"
            steps.append({"row": row.label, "pay": str(pay), "exact": str(costs), "printed": printed})
    return steps


# The pay behind a wanted figure


def read_wanted(text: str) -> Fraction:
    """`5%`, also `-1.5 %`, as a share."""
    if not re.fullmatch(r"-?\d{1,3}(\.\d{1,6})?\s*%?", text.strip(), re.ASCII):
        raise NotationError(f"{text[:40]!r} is no wanted figure: write a percentage, as 5%.")
    return Fraction(text.strip().removesuffix("%").strip()) / 100


def find_pay(bench: Bench, asked: Asked, find_paytable: FindPaytable, row: str, wanted: Fraction) -> dict[str, Any]:
    """The pay of one row that gives the wanted house edge, exactly, and the whole and half pays on both sides of it."""
    assert asked.paytable is not None
    paytable = find_paytable(bench.wager, asked.paytable)
    pay = paytable.rows[_place_of(paytable, row)].pay
    if pay.kind is Kind.SHARE:
        raise NotationError(f"{row} pays a share of a meter: look for a contribution or a seed instead.")

    def at(odds: Fraction) -> WagerSheet:
        changed = changed_table(paytable, row, _pay_of(pay, odds))
        return bench.sheet(asked, lambda wager, name: changed)

    odds = _search(at, row, wanted)
    near = sorted({whole * step for step in STEPS for whole in (floor(odds / step), ceil(odds / step)) if whole > 0})
    return {
        "exact": str(odds),
        "value": float(odds),
        "printed": f"{fixed(odds, PLACES)} {_pay_of(pay, odds).kind} 1",
        "near": [_tried(at, _pay_of(pay, pay_odds), pay_odds) for pay_odds in near],
    }


def changed_table(paytable: Paytable, row: str, pay: Pay) -> Paytable:
    """The same table with another pay on one row."""
    place, rows = _place_of(paytable, row), list(paytable.rows)
    rows[place] = replace(rows[place], pay=pay)
    return Paytable(paytable.name, tuple(rows))


def _place_of(paytable: Paytable, row: str) -> int:
    place = next((i for i, posted in enumerate(paytable.rows) if plain_label(posted.label) == plain_label(row)), None)
    if place is None:
        raise UnknownName("row of the paytable", row, [row.label for row in paytable.rows])
    return place


def _tried(at: Callable[[Fraction], WagerSheet], pay: Pay, odds: Fraction) -> dict[str, Any]:
    edge = at(odds).figures.house_edge
    return {"pay": str(pay), "house_edge": as_percent(edge), "printed": percent(edge, PLACES)}


def _pay_of(pay: Pay, odds: Fraction) -> Pay:
    """The same kind of pay; what pushed or lost is paid `to 1`."""
    kind = pay.kind if pay.kind in (Kind.TO, Kind.FOR) else Kind.TO
    return replace(pay, kind=kind, win=odds.numerator, stake=odds.denominator, share=Fraction(0), meter="")


def _search(at: Callable[[Fraction], WagerSheet], row: str, wanted: Fraction) -> Fraction:
    """Along a straight line; where best play changes with the pay, along a few of them.

    What the player expects is convex in a pay, so after its first step the search comes down to the answer and ends
    there after finitely many.
    """
    one, two, odds = at(Fraction(1)).figures, at(Fraction(2)).figures, Fraction(1)
    for _ in range(MOST_STEPS):
        counts = at(odds).figures.counts
        first, second = (Figures(priced.wager, counts, priced.prices).expected for priced in (one, two))
        if first == second:
            raise NotationError(f"No pay of {row} changes the house edge: it is never paid.")
        solved = 1 + (-wanted - first) / (second - first)
        if solved <= 0:
            raise NotationError(f"No pay of {row} gives a house edge of {percent(wanted, 2)}: it is lower without it.")
        if solved == odds:
            return odds
        odds = solved
    raise NotationError(f"No pay of {row} was found that gives a house edge of {percent(wanted, 2)}.")


def find_funding(sheet: WagerSheet, what: str, meter: str, hold: Fraction) -> dict[str, Any]:
    """The contribution, or the seed of a meter, that gives the wanted hold, the rest as it is."""
    if not isinstance(sheet, SideSheet) or sheet.progressive is None:
        raise NotationError(f"{sheet.wager.title} has no meter under this paytable, so it has no {what} to find.")
    if sheet.funding is None:
        raise NotationError("Say the contribution and the seeds first: one of them is looked for, the others stay.")
    progressive, seeds = sheet.progressive, sheet.funding.seeds
    if what == "contribution":
        amount = progressive.contribution_for(hold, seeds)
        printed, fits = percent(amount, PLACES), 0 <= amount <= 1
    else:
        key = "" if meter == meter_title("") else meter
        if key not in progressive.levels:
            raise UnknownName("meter", meter, [meter_title(name) for name in progressive.levels])
        amount = progressive.seed_for(hold, sheet.funding.contribution, key, seeds)
        printed, fits = fixed(amount, 2), amount >= 0
    if not fits:
        raise NotationError(f"No {what} gives a hold of {percent(hold, 2)}: it would be {printed}.")
    return {"exact": str(amount), "value": float(amount), "printed": printed, "near": []}
