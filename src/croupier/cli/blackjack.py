"""Blackjack on the command line: `croupier hand`, and what `strategy blackjack` and `odds blackjack bet` show."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.app import app
from croupier.cli.console import console, print_json, table
from croupier.errors import NotationError

if TYPE_CHECKING:
    from rich.text import Text

    from croupier.analysis.blackjack.chart import Chart
    from croupier.analysis.blackjack.solver import Solution

USUAL_RULES = "6D S17 DAS SP4 3:2"
RulesOption = Annotated[
    str, typer.Option("--rules", help="The table's rules, as '6D S17 DAS SP4 3:2'; what is left out is as there.")
]
RemoveOption = Annotated[str, typer.Option("--remove", help="Cards that are gone from the shoe, as 'T T 5 A'.")]
ConventionOption = Annotated[
    str, typer.Option("--convention", help="How hands after a split are played: CDZ-, CDP1, BEST, CDP or CDPN.")
]

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


@app.command()
def hand(
    cards: Annotated[str, typer.Argument(help="A hand against an up card, as 'T6 v T' or 'A,7 vs 9'.")],
    *,
    rules: RulesOption = USUAL_RULES,
    remove: RemoveOption = "",
    convention: ConventionOption = "CDZ-",
    as_json: Annotated[bool, typer.Option("--json", help="Print for programs.")] = False,
) -> None:
    """What each decision is worth with a blackjack hand, exactly, and what the others cost."""
    show_hand(cards, rules, remove, convention, as_json=as_json)


def show_hand(cards: str, rules: str, remove: str, convention: str, *, as_json: bool) -> None:
    from croupier.analysis.blackjack.shoe import format_values

    held, up = parse_hand(cards)
    solution = solved(rules, remove, convention)
    values = solution.hand_values(held, up)
    best = max(values.values())
    title = f"{format_values(held)} against {format_values([up])}, {solution.rules}"
    if as_json:
        decisions = [
            {"decision": str(action), "value": value, "cost": best - value} for action, value in values.items()
        ]
        about = {"hand": format_values(held), "up": format_values([up]), "rules": str(solution.rules)}
        print_json(about | {"convention": str(solution.convention), "removed": remove, "decisions": decisions})
        return
    listing = table(title, "decision", "value", "costs")
    for action, value in values.items():
        cost = best - value
        listing.add_row(str(action), f"{value:+.9f}", f"{100 * cost:.6f} %" if cost else "best")
    screen = console()
    screen.print(listing)
    given = "given that the dealer has no blackjack" if solution.rules.hole_card else "the dealer's blackjack included"
    screen.print(f"  Per unit of the first wager, {given}; after a split by {solution.convention}.", markup=False)


def parse_hand(text: str) -> tuple[tuple[int, ...], int]:
    """Read `T6 v T`: the player's cards, and the dealer's up card. Suits may be written and do not matter."""
    from croupier.analysis.blackjack.shoe import card_values

    parts = re.split(r"\s+(?:v|vs|versus|against)\.?\s+", text.strip(), flags=re.IGNORECASE)
    if len(parts) != 2:
        raise NotationError(f"{text!r} is no hand against an up card: write it as 'T6 v T'.")
    held, up = (card_values(re.sub(r"(?<=[0-9TJQKA])[cdhs♣♦♥♠]", " ", part, flags=re.IGNORECASE)) for part in parts)
    if len(up) != 1:
        raise NotationError(f"The dealer shows one card, not {parts[1]!r}.")
    return held, up[0]


def solved(rules: str, remove: str, convention: str) -> Solution:
    """The table that a person describes, ready to be asked."""
    from croupier.analysis.blackjack.shoe import Composition
    from croupier.analysis.blackjack.solver import solve
    from croupier.games.blackjack.rules import Rules

    table_rules = Rules.parse(rules)
    return solve(table_rules, Composition.full(table_rules.decks).without(remove), convention)


def show_strategy(rules: str, remove: str, chart_file: str | None, convention: str, *, as_json: bool) -> None:
    """The best chart of totals for these rules, or a person's own, with what it is worth exactly."""
    from croupier.analysis.blackjack.basic import basic_strategy, evaluate
    from croupier.analysis.blackjack.chart import Chart
    from croupier.cli.files import read_text

    solution = solved(rules, remove, convention)
    chart = (
        Chart.parse(read_text(Path(chart_file), "strategy"))
        if chart_file
        else basic_strategy(solution.rules, solution.shoe)
    )
    edge = -evaluate(chart, solution.rules, solution.shoe).edge
    best = -solution.edge
    name = chart_file or "basic strategy"
    if as_json:
        figures: dict[str, Any] = {
            "game": "blackjack",
            "rules": str(solution.rules),
            "removed": remove,
            "strategy": name,
        }
        figures |= {"house_edge_percent": 100 * edge, "best_house_edge_percent": 100 * best}
        figures |= {"convention": str(solution.convention), "cost_percent": 100 * (edge - best)}
        print_json(figures | {"chart": str(chart).splitlines()})
        return
    screen = console()
    screen.print(f"[bold]Blackjack, {solution.rules}: {name}[/]\n")
    for line in chart_lines(chart):
        screen.print(line)
    screen.print(f"\n  house edge of this chart                  {100 * edge:.6f} %")
    screen.print(
        f"  of the best play for every exact hand     {100 * best:.6f} %   ({solution.convention} after splits)"
    )
    screen.print(f"  the chart gives away                      {100 * (edge - best):.6f} %")
    screen.print(f"\n  One hand: croupier hand 'T6 v T' --rules '{solution.rules}'", markup=False)


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
    legend = Text("\n  ")
    for cell, words in CELL_WORDS.items():
        if cell in used:
            legend.append(f" {cell} ", CELL_STYLES[cell]).append(f" {words}   ")
    return [*lines, legend]
