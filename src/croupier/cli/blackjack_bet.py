"""The base wager of blackjack on the screen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from croupier.analysis.blackjack.asked import Asked
from croupier.cli.blackjack_words import as_options
from croupier.cli.console import console, table

if TYPE_CHECKING:
    from croupier.analysis.blackjack.bet import BetFigures
    from croupier.analysis.blackjack.chart import Chart


def read_chart(asked: Asked) -> Chart | None:
    """The chart in the file that was named."""
    if not asked.chart:
        return None
    from croupier.analysis.blackjack.chart import Chart
    from croupier.cli.files import read_text

    return Chart.parse(read_text(Path(asked.chart), "strategy"), source=asked.chart)


def print_bet(figures: BetFigures) -> None:
    listing = table(f"Blackjack, {figures.rules}", "result", "probability", "one in", "return")
    for result, chance in figures.swings.law.items():
        listing.add_row(
            f"{float(result):+g}", f"{100 * chance:.6f} %", f"{1 / chance:,.1f}", f"{float(result) * chance:+.6f}"
        )
    screen = console()
    screen.print(listing)
    rows = [
        ("house edge", f"{-100 * figures.edge:.9f} %   {figures.words}"),
        ("hit frequency", f"{100 * figures.hit_frequency:.6f} %"),
        ("standard deviation", f"{figures.swings.standard_deviation:.6f} per unit"),
        ("mean stake", f"{figures.stake:.9f} units, with doubles and splits"),
        ("element of risk", f"{-100 * figures.edge / figures.stake:.9f} % of all money at stake"),
    ]
    for name, value in rows:
        screen.print(f"  {name:<19} {value}", markup=False, soft_wrap=True)
    for note in _notes(figures):
        screen.print(f"  {note}", markup=False, soft_wrap=True)
    screen.print()


def _notes(figures: BetFigures) -> list[str]:
    notes = []
    if figures.lines_convention != figures.convention:
        notes.append(
            f"Lines, hit frequency and deviation are {figures.lines_convention}: {figures.convention} has no fixed "
            "strategy."
        )
    if not figures.swings.exact:
        notes.append("How rounds of three and four split hands divide is close; mean and deviation are exact.")
    if figures.insures:
        notes.append("The edge includes the insurance that the chart takes; lines and deviation do not.")
    options = as_options(figures.rules)
    return [*notes, f"The dealer's hands: croupier strategy blackjack --dealer {options}"]
