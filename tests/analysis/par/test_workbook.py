"""The PAR sheet as a workbook: its formulas come to the counted figures, and follow a changed pay; and as rows."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook  # type: ignore[import-untyped]

from croupier.analysis.par.base_wager import BetSheet
from croupier.analysis.par.blackjack import make_blackjack_par
from croupier.analysis.par.swings import Known
from croupier.analysis.par.workbook import as_xlsx
from croupier.compliance.approval import shipped_register
from croupier.games.blackjack.game import blackjack
from croupier.games.blackjack.rules import Rules
from tests.cli.test_commands import Run, run

__all__ = ["run"]

RANGE = re.compile(r"\$?([A-Z])\$?(\d+):\$?([A-Z])\$?(\d+)")
CELL = re.compile(r"(?<![\w\"])\$?([A-Z])\$?(\d+)(?![\w(])")


class Column(list[float]):
    """Cells below each other, with which a spreadsheet computes as with one number."""

    def __sub__(self, other: float) -> Column:
        return Column(each - other for each in self)

    def __pow__(self, power: int) -> Column:
        return Column(each**power for each in self)

    def __mul__(self, others: Column) -> Column:  # type: ignore[override]
        return Column(one * other for one, other in zip(self, others, strict=True))

    def __gt__(self, bound: float) -> Column:  # type: ignore[override]
        return Column(each > bound for each in self)


class Computed:
    """A sheet computed by nothing but its own formulas; only what a PAR sheet uses is understood."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def __call__(self, column: str, row: str | int) -> Any:
        value = self.page[f"{column}{row}"].value
        if not (isinstance(value, str) and value.startswith("=")):
            return 0 if value is None else value
        text = RANGE.sub(lambda m: f"cells('{m[1]}',{m[2]},{m[4]})", value[1:])
        text = CELL.sub(lambda m: f"cell('{m[1]}',{m[2]})", text).replace("^", "**")
        names = {"cell": self, "cells": self.cells, "SUM": sum, "SQRT": sqrt, "MAX": largest}
        names |= {"SUMPRODUCT": sumproduct, "SUMIF": lambda nets, _, chances: positive(nets, chances)}
        return eval(text, names)

    def cells(self, column: str, first: int, last: int) -> Column:
        return Column(self(column, row) for row in range(first, last + 1))

    def figures(self) -> dict[str, float]:
        rows = [row for row in range(1, self.page.max_row + 1) if str(self.page[f"B{row}"].value).startswith("=")]
        return {self.page[f"A{row}"].value: self("B", row) for row in rows}


def sumproduct(*columns: Column | float) -> float:
    total = 0.0
    for row in zip(*(part if isinstance(part, Column) else [part] for part in columns), strict=True):
        product = 1.0
        for each in row:
            product *= each
        total += product
    return total


def largest(*parts: float | Column) -> float:
    return max(max(part) if isinstance(part, Column) else part for part in parts)


def positive(nets: Column, chances: Column) -> float:
    return sum(chance for net, chance in zip(nets, chances, strict=True) if net > 0)


def book_of(run: Run, tmp_path: Path, *words: str) -> Any:
    file = tmp_path / "par.xlsx"
    assert run("par", *words, "-o", str(file)).code == 0
    return load_workbook(file)


@pytest.mark.parametrize(
    "words", [("triple-shot-rummy",), ("supreme-99",), ("blackjack", "bet-the-bust"), ("blackjack", "bet")]
)
def test_formulas_come_to_the_counted_figures(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    book = book_of(run, tmp_path, *words)
    sheets = run("par", *words, "--json").json["sheets"]
    pages = [page for page in book if page.title != "Summary"]
    assert len(pages) == len(sheets)
    for page, sheet in zip(pages, sheets, strict=True):
        found = Computed(page).figures()
        assert found["House edge"] == pytest.approx(sheet["house_edge"]["percent"] / 100, abs=1e-9)
        assert found["Hit frequency"] == pytest.approx(sheet["hit_frequency"]["percent"] / 100, abs=1e-9)
        assert found["Standard deviation"] == pytest.approx(sheet["standard_deviation"], rel=1e-6)
        assert found["Return"] == pytest.approx(1 - found["House edge"])
        assert found["Volatility index, 90 %"] == pytest.approx(1.645 * found["Standard deviation"])


def test_a_changed_pay_moves_the_edge_as_it_is_counted(run: Run, tmp_path: Path) -> None:
    book = book_of(run, tmp_path, "triple-shot-rummy", "pair-plus", "--paytable", "1")
    page = book["Pair Plus 1"]
    [row] = [cell.row for cell in page["A"] if cell.value == "Straight"]
    page[f"C{row}"] = 5
    swept = run(
        "odds", "triple-shot-rummy", "pair-plus", "--paytable", "1", "--vary", "Straight", "--over", "5", "--json"
    )
    assert Computed(page).figures()["House edge"] == pytest.approx(swept.json["rows"][0]["house_edge"]["percent"] / 100)


def test_skewness_and_kurtosis_of_a_wager_that_wins_or_loses(run: Run, tmp_path: Path) -> None:
    """Insurance wins 2 with a chance p: its moments are those of a coin."""
    book = book_of(run, tmp_path, "blackjack", "insurance")
    sheet = run("par", "blackjack", "insurance", "--json").json["sheets"][0]
    p = float(Fraction(sheet["hit_frequency"]["exact"]))
    found = Computed(next(page for page in book if page.title != "Summary")).figures()
    assert found["Skewness"] == pytest.approx((1 - 2 * p) / sqrt(p * (1 - p)))
    assert found["Excess kurtosis"] == pytest.approx((1 - 6 * p * (1 - p)) / (p * (1 - p)))
    assert found["Largest award, net"] == 2


def test_a_sheet_of_sampled_lines_has_the_counted_edge_says_what_is_sampled_and_follows_a_changed_pay() -> None:
    """Blackjack's own law as a sample may have it: with another mean than the edge, and without the largest award."""
    sheet = BetSheet(blackjack(Rules.parse("6D S17 DAS SP4 3:2")))
    law, words = sheet.swings.law, "Lines are sampled from 4,000,000 rounds."
    seen = {**law, Fraction(0): law[Fraction(0)] + law[Fraction(8)] + 1e-4, Fraction(1): law[Fraction(1)] - 1e-4}
    del seen[Fraction(8)]
    vars(sheet)["swings"] = replace(sheet.swings, law=seen, sampled=words)
    mean, square = (sum(float(net) ** power * chance for net, chance in seen.items()) for power in (1, 2))
    assert abs(mean + sheet.edge) > 1e-4

    book = load_workbook(io.BytesIO(as_xlsx(make_blackjack_par(sheet.game, [sheet], shipped_register()))))
    summary, page = book.worksheets
    computed = Computed(page).figures()
    assert computed["House edge"] == pytest.approx(sheet.edge, abs=1e-15)
    assert computed["Return"] == pytest.approx(1 - sheet.edge, abs=1e-15)
    assert computed["Standard deviation"] == pytest.approx(sqrt(square - mean**2))
    assert computed["Largest award, net"] == 8

    rows = {page[f"A{row}"].value: row for row in range(1, page.max_row + 1)}
    assert summary.cell(summary.max_row, 3).value.endswith(f"!B{rows['House edge']}")
    assert page["A4"].value == words
    assert "The house edge is the counted one" in page["A3"].value
    beside = {name: page[f"D{rows[name]}"].value for name in computed}
    assert [name for name, words in beside.items() if words == "sampled"] == [
        *("Hit frequency", "Standard deviation", "Skewness", "Excess kurtosis", "Volatility index, 90 %"),
    ]
    assert beside["Largest award, net"] == "at most, by the rules"
    assert page[f"C{rows['Hit frequency']}"].value is None, "under the heading: as counted"
    within = [(page[f"H{row}"].value, law[net], page[f"I{row}"].value) for row, net in enumerate(seen, start=6)]
    assert all(low < true < high for low, true, high in within)
    assert all(page[f"K{row}"].value == 10 ** (row - 3) for row in range(6, 12)), "the hold stands further to the right"
    assert f"=B{rows['House edge']}-" in page["L6"].value

    page[f"C{rows['+1 units']}"] = 2
    assert Computed(page).figures()["House edge"] == pytest.approx(sheet.edge - seen[Fraction(1)], abs=1e-15)
    page[f"C{rows['+1 units']}"] = 20
    assert Computed(page).figures()["Largest award, net"] == 20


def solves_wilson(bounds: Iterable[float], chance: float, rounds: int) -> bool:
    """Each bound is the chance from which what was seen lies 2.5758 of that bound's own errors away."""
    return all(abs(chance - p) == pytest.approx(2.575829 * sqrt(p * (1 - p) / rounds), rel=1e-6) for p in bounds)


@pytest.mark.parametrize("times", [1, 40, 500, 999])
def test_the_interval_of_a_sampled_line(times: int) -> None:
    known = Known(Fraction(0), Fraction(8), 1000, "")
    low, high = known.chance_within(Fraction(times, 1000), Fraction(99, 100))
    assert 0 < low < times / 1000 < high < 1
    assert solves_wilson((low, high), times / 1000, 1000)


def test_a_line_that_cannot_come_is_no_largest_award(run: Run, tmp_path: Path) -> None:
    """With one deck nobody has two kings of spades, which would bring 1000."""
    book = book_of(run, tmp_path, "super-fun-21", "kings-bounty")
    page = next(page for page in book if page.title != "Summary")
    assert max(cell.value for cell in page["C"][5:12] if isinstance(cell.value, int)) == 1000
    assert Computed(page).figures()["Largest award, net"] == 9


def test_the_summary_links_to_every_sheet(run: Run, tmp_path: Path) -> None:
    book = book_of(run, tmp_path, "blackjack")
    links = [cell.value for row in book["Summary"].iter_rows() for cell in row if str(cell.value).startswith("='")]
    assert {re.match(r"='(.+)'!", link)[1] for link in links} == {page.title for page in book} - {"Summary"}  # type: ignore[index]
    assert all(len(page.title) <= 31 for page in book)


def test_the_rows_add_up_to_the_edge(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "par.csv"
    assert run("par", "triple-shot-rummy", "-o", str(file)).code == 0
    with file.open(encoding="utf-8", newline="") as opened:
        rows = list(csv.DictReader(opened))
    for sheet in run("par", "triple-shot-rummy", "--json").json["sheets"]:
        own = [row for row in rows if (row["wager"], row["paytable"]) == (sheet["wager"], sheet["paytable"])]
        assert -sum(Fraction(row["return_exact"]) for row in own) == Fraction(sheet["house_edge"]["exact"])
        assert {row["digest"] for row in own} == {sheet["digest"]}


def test_another_ending_is_refused(run: Run, tmp_path: Path) -> None:
    said = run("par", "triple-shot-rummy", "-o", str(tmp_path / "par.ods"))
    assert said.code == 2
    assert "end its name in .pdf, .html, .tex, .xlsx, .csv, .json or .txt" in said.err
