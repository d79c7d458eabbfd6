"""`croupier strategy blackjack`: the chart everybody knows, in colours, and exactly what it is worth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.analysis.blackjack.asked import table_rules
from croupier.cli.blackjack_words import as_options, without
from croupier.cli.console import console, print_json

if TYPE_CHECKING:
    from rich.text import Text

    from croupier.analysis.blackjack.chart import Chart
    from croupier.analysis.blackjack.solver import Solution

CELL_STYLES = {
    "H": "black on bright_white",
    "S": "black on yellow",
    "D": "black on green",
    "Ds": "black on bright_green",
    "P": "white on blue",
    "Ph": "white on blue",
    "R": "white on red",
    "Rs": "white on red",
    "Rp": "white on magenta",
}
CELL_WORDS = {
    "H": "hit",
    "S": "stand",
    "D": "double, or hit",
    "Ds": "double, or stand",
    "P": "split",
    "Ph": "split, or hit",
    "R": "surrender, or hit",
    "Rs": "surrender, or stand",
    "Rp": "surrender, or split",
}
IN_A_LINE = 4
"""Of the legend."""
STANDS_LATE = (
    "Rs with 16: most charts print R. A 16 that can no longer be surrendered has three cards or more, or is from a "
    "split, and stands."
)


class Shown(NamedTuple):
    """A table that a person describes."""

    rules: str = ""
    decks: int | None = None
    remove: str = ""
    convention: str = "CDZ-"


def solved(shown: Shown) -> Solution:
    """The table that a person describes, ready to be asked."""
    from croupier.analysis.blackjack.shoe import Composition
    from croupier.analysis.blackjack.solver import solve

    rules = table_rules(shown.rules, shown.decks)
    return solve(rules, Composition.full(rules.decks).without(shown.remove), shown.convention)


def show_strategy(shown: Shown, chart_file: str | None, *, as_json: bool) -> None:
    """The best chart of totals for these rules, or a person's own, with what it is worth exactly."""
    from croupier.analysis.blackjack.basic import basic_strategy, evaluate
    from croupier.analysis.blackjack.chart import Chart
    from croupier.cli.files import read_text

    solution = solved(shown)
    chart = (
        Chart.parse(read_text(Path(chart_file), "strategy"))
        if chart_file
        else basic_strategy(solution.rules, solution.shoe)
    )
    edge = -evaluate(chart, solution.rules, solution.shoe).edge
    name = chart_file or "basic strategy"
    if not as_json:
        _print_strategy(solution, chart, name, edge, shown.remove)
        return
    best = -solution.edge
    figures: dict[str, Any] = {
        "game": "blackjack",
        "rules": str(solution.rules),
        "removed": shown.remove,
        "strategy": name,
    }
    figures |= {"house_edge_percent": 100 * edge, "best_house_edge_percent": 100 * best}
    figures |= {"convention": str(solution.convention), "cost_percent": 100 * (edge - best)}
    print_json(figures | {"chart": str(chart).splitlines()})


def _print_strategy(solution: Solution, chart: Chart, name: str, edge: float, remove: str) -> None:
    from rich.text import Text

    screen, best = console(), -solution.edge
    options = as_options(solution.rules, remove)
    screen.print(Text(f"Blackjack, {solution.rules}{without(remove)}: {name}", "bold"), soft_wrap=True)
    screen.print()
    for line in chart_lines(chart):
        screen.print(line, soft_wrap=True)
    if _stands_late(chart):
        screen.print(f"\n  {STANDS_LATE}", markup=False, soft_wrap=True)
    split = solution.convention.in_words
    rows = [
        f"\n  house edge of this chart                  {100 * edge:.6f} %",
        f"  of the best play for every exact hand     {100 * best:.6f} %   (after a split {split})",
        f"  the chart gives away                      {100 * (edge - best):.6f} %",
        f"\n  One hand: croupier hand 'T6 v T' {options}",
        f"  The dealer's hands: croupier strategy blackjack --dealer {options}",
    ]
    for row in rows:
        screen.print(row, markup=False, soft_wrap=True)


def _stands_late(chart: Chart) -> bool:
    """Whether a hard 15 or 16 is surrendered and else stands, which most charts print otherwise."""
    from croupier.analysis.blackjack.chart import COLUMNS, Cell, Kind

    return any(chart.cell(Kind.HARD, total, up) is Cell.SURRENDER_OR_STAND for total in (15, 16) for up in COLUMNS)


def chart_lines(chart: Chart) -> list[Text]:
    """The chart everybody knows, in colours; the letters alone say the same."""
    from rich.text import Text

    lines, used = [], set()
    for written in str(chart).splitlines():
        name, colon, cells = written.partition(":")
        line = Text(f"  {name + colon:<13}")
        for cell in cells.split() if colon and name != "insurance" else []:
            used.add(cell)
            line.append(f" {cell:<3}", CELL_STYLES.get(cell, ""))
        if not colon:
            line = Text(f"  {'':<13}" + "".join(f" {up:<3}" for up in written.split()), "bold")
        elif name == "insurance":
            line.append(cells.strip())
        lines.append(line)
    shown = [cell for cell in CELL_WORDS if cell in used]
    lines.append(Text())
    for first in range(0, len(shown), IN_A_LINE):
        legend = Text("  ")
        for cell in shown[first : first + IN_A_LINE]:
            legend.append(f" {cell} ", CELL_STYLES[cell]).append(f" {CELL_WORDS[cell]}   ")
        lines.append(legend)
    return lines
