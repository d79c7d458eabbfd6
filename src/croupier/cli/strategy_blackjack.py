"""`croupier strategy blackjack`: the chart everybody knows, in colours, and exactly what it is worth."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from rich.text import Text

from croupier.analysis.blackjack.basic import basic_strategy, evaluate
from croupier.analysis.blackjack.chart import COLUMNS, Cell, Chart, Kind
from croupier.analysis.blackjack.dealer import BLACKJACK, BROKEN, endings_of, exact_distribution
from croupier.analysis.blackjack.exceptions import exceptions
from croupier.analysis.blackjack.shoe import Composition, card_values, format_values, hole_value, value_letter
from croupier.analysis.blackjack.solver import Solution, solve
from croupier.analysis.blackjack.switch import best_switching, chart_switching
from croupier.analysis.blackjack.table import FEWEST_CARDS
from croupier.analysis.printing import listed, percent
from croupier.cli.console import console, print_json, table
from croupier.cli.options import read_text
from croupier.errors import NotationError
from croupier.games.blackjack.game import BLACKJACK as PLAIN
from croupier.games.blackjack.game import BlackjackGame
from croupier.games.blackjack.rules import Rules

# Words about a blackjack table that several commands say: the cards that are gone, and the options for the next.

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def without(remove: str) -> str:
    """`, without eight 5s and an A`: the cards that are gone from the shoe; nothing where it is full."""
    gone = card_values(remove)
    if not gone:
        return ""
    counts = {value: gone.count(value) for value in sorted(set(gone))}
    words = [f"{_number(many)} {value_letter(value)}{'s' if many > 1 else ''}" for value, many in counts.items()]
    return f", without {listed(words, 'and')}"


def as_options(rules: object, remove: str = "") -> str:
    """`--rules '6D S17 DAS SP4 3:2' --remove '5 5'`, for a command that goes on from this one."""
    gone = format_values(card_values(remove))
    return f"--rules '{rules}'" + (f" --remove '{gone}'" if gone else "")


def _number(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


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
    "Z": "black on bright_yellow",
    "N": "",
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
    "Z": "zap",
    "N": "no zap: as the rows above say",
}
IN_A_LINE = 4
"""Of the legend."""
STANDS_LATE = (
    "Rs with 16: most charts print R. A 16 that can no longer be surrendered has three cards or more, or is from a "
    "split, and stands."
)


class Shown(NamedTuple):
    """A table that a person describes."""

    title: BlackjackGame
    rules: str = ""
    decks: int | None = None
    remove: str = ""
    convention: str = "CDZ-"
    known: str = ""
    """The hole card, where it was seen."""

    @property
    def game(self) -> BlackjackGame:
        return self.title.under(self.rules, self.decks)

    @property
    def hole(self) -> int:
        return hole_value(self.known)


def solved(shown: Shown) -> Solution:
    """The table that a person describes, ready to be asked."""
    rules = shown.game.rules
    return solve(rules, Composition.full(rules.decks).without(shown.remove), shown.convention, hole=shown.hole)


def _about(shown: Shown) -> dict[str, Any]:
    return {"game": shown.game.key, "rules": shown.game.short_placard, "removed": shown.remove}


def _named(shown: Shown) -> str:
    return f"{shown.game.title}, {shown.game.short_placard}{without(shown.remove)}"


def _read_chart(solution: Solution, chart_file: str | None) -> Chart:
    if chart_file:
        return Chart.parse(read_text(Path(chart_file), "strategy"))
    return basic_strategy(solution.rules, solution.shoe)


def one_hand(shown: Shown) -> str:
    """The command that rates one hand."""
    key = shown.game.key
    return "croupier hand 'T6 v T'" if key == PLAIN.key else f"croupier strategy {key} --hand 'T6 v T'"


def show_exceptions(shown: Shown, chart_file: str | None, *, as_json: bool) -> None:
    """Every two or three cards that are better played otherwise than the chart says, and what that is worth."""
    solution = solved(shown)
    rows = exceptions(_read_chart(solution, chart_file), solution)
    worth = sum(case.worth for case in rows)
    name = chart_file or "basic strategy"
    if as_json:
        about = _about(shown) | {"strategy": name}
        print_json(about | {"worth": worth, "exceptions": [case.as_json() for case in rows]})
        return
    title = f"{_named(shown)}: exceptions to {name} with two and three cards"
    listing = table(title, "hand", "chart", "better", "gains", "dealt, one in", "worth", left=3)
    for case in rows:
        row = case.name, str(case.says), str(case.best), f"{100 * case.gain:.4f} %"
        listing.add_row(*row, f"{1 / case.chance:,.0f}", f"{100 * case.worth:.6f} %")
    screen = console()
    screen.print(listing)
    screen.print(
        f"  {'1 exception' if len(rows) == 1 else f'{len(rows)} exceptions'}, worth {100 * worth:.6f} % of the first "
        "wager together. Gains are of one such hand; three cards come as often as the chart draws to them. Hands of "
        "four cards and more and hands after a split are not listed.",
        soft_wrap=True,
    )


def show_strategy(shown: Shown, chart_file: str | None, *, as_json: bool) -> None:
    """The best chart of totals for these rules, or a person's own, with what it is worth exactly."""
    if shown.game.rules.switch:
        _show_two_hands(shown, chart_file, as_json=as_json)
        return
    solution = solved(shown)
    chart = _read_chart(solution, chart_file)
    edge = -evaluate(chart, solution.rules, solution.shoe).edge
    name = chart_file or "basic strategy"
    if not as_json:
        _print_strategy(solution, chart, name, edge, shown)
        return
    best = -solution.edge
    figures: dict[str, Any] = _about(shown) | {"strategy": name}
    figures |= {"house_edge_percent": 100 * edge, "best_house_edge_percent": 100 * best}
    figures |= {"convention": str(solution.convention), "cost_percent": 100 * (edge - best)}
    print_json(figures | {"chart": str(chart).splitlines(), "notes": _notes(solution, chart)})


def _show_two_hands(shown: Shown, chart_file: str | None, *, as_json: bool) -> None:
    """The chart by which each of two hands is played, and what switching is worth."""
    if shown.remove:
        raise NotationError("--remove is about one hand, and a seat has two (SWITCH).")
    rules, name = shown.game.rules, chart_file or "basic strategy"
    chart = Chart.parse(read_text(Path(chart_file), "strategy")) if chart_file else basic_strategy(rules)
    played, best = chart_switching(rules, chart), best_switching(rules)
    edges = {"house_edge_percent": -100 * played.edge, "best_house_edge_percent": -100 * best.edge}
    edges["never_switching_percent"] = -100 * played.edge_without
    if as_json:
        print_json(_about(shown) | {"strategy": name} | edges | {"chart": str(chart).splitlines()})
        return
    screen = console()
    screen.print(Text(f"{_named(shown)}: {name} for each hand", "bold"), soft_wrap=True)
    screen.print()
    for line in chart_lines(chart):
        screen.print(line, soft_wrap=True)
    for row in (
        f"\n  house edge of this chart, switching where it is worth more   {edges['house_edge_percent']:.6f} %",
        f"  of the best play of each hand beside the other               {edges['best_house_edge_percent']:.6f} %",
        f"  of this chart without a switch                               {edges['never_switching_percent']:.6f} %",
        f"\n  When to switch: croupier strategy {shown.game.key} --hand 'T5 + 6T v 9'; at the table ? says it too.",
    ):
        screen.print(row, markup=False, soft_wrap=True)


def _print_strategy(solution: Solution, chart: Chart, name: str, edge: float, shown: Shown) -> None:
    screen, best, key = console(), -solution.edge, shown.game.key
    options = as_options(shown.game.short_placard, shown.remove)
    screen.print(Text(f"{_named(shown)}: {name}", "bold"), soft_wrap=True)
    screen.print()
    for line in chart_lines(chart):
        screen.print(line, soft_wrap=True)
    for note in _notes(solution, chart):
        screen.print(f"\n  {note}", markup=False, soft_wrap=True)
    split = solution.convention.in_words
    rows = [
        f"\n  house edge of this chart                  {100 * edge:.6f} %",
        f"  of the best play for every exact hand     {100 * best:.6f} %   (after a split {split})",
        f"  the chart costs                           {100 * (edge - best):.6f} %",
        f"\n  One hand: {one_hand(shown)} {options}",
        f"  Exact cards: croupier strategy {key} --exceptions {options}",
        f"  The dealer's hands: croupier strategy {key} --dealer {options}",
    ]
    for row in rows:
        screen.print(row, markup=False, soft_wrap=True)


def _notes(solution: Solution, chart: Chart) -> list[str]:
    """Where charts in print differ from this one, and why."""
    notes = [STANDS_LATE] if _stands_late(chart) else []
    for case in exceptions(chart, solution, most_cards=2):
        if case.is_soft:
            total, up = sum(case.cards) + 10, value_letter(case.up)
            notes.append(
                f"Soft {total} against {up}: charts in print that look at the first two cards alone have {case.best}, "
                f"which gains {100 * case.gain:.4f} % with {case.name.split()[0]}. This chart plays all hands of the "
                f"total alike, those after a split and of three cards too, and together they are better off with "
                f"{case.says}."
            )
    return notes


def _stands_late(chart: Chart) -> bool:
    """Whether a hard 15 or 16 is surrendered and else stands, which most charts print otherwise."""
    return any(chart.cell(Kind.HARD, total, up) is Cell.SURRENDER_OR_STAND for total in (15, 16) for up in COLUMNS)


def chart_lines(chart: Chart) -> list[Text]:
    """The chart everybody knows, in colours; the letters alone say the same."""
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


# The dealer's hand by up card: `croupier strategy blackjack --dealer`

ANY = "any"
PLACES = 4


class UpCard(NamedTuple):
    """The dealer's hand with one up card, or with any."""

    name: str
    share: Fraction
    """How often the dealer shows it."""
    endings: dict[str, Fraction]
    checked: dict[str, Fraction] | None
    """Given that the hole card makes no blackjack, where it may make one and is looked at."""

    def as_json(self) -> dict[str, Any]:
        fields = {"up_card": self.name, "share": _exact(self.share), "endings": _all_exact(self.endings)}
        return fields | ({"after_check": _all_exact(self.checked)} if self.checked else {})


def show_dealer(shown: Shown, *, as_json: bool) -> None:
    """Every ending of the dealer's hand, counted in fractions, from a full shoe or from what is left of one."""
    rules = shown.game.rules
    cards = dealer_hands(rules, Composition.full(rules.decks).without(shown.remove))
    if as_json:
        print_json(_about(shown) | {"dealer": [card.as_json() for card in cards]})
        return
    titles = {BLACKJACK: "blackjack", BROKEN: "bust"}
    names = [titles.get(name, name) for name in endings_of(rules)]
    listing = table(
        f"The dealer's final hand, {shown.game.short_placard}{without(shown.remove)}", "up card", "share", *names
    )
    for card in cards:
        if card.name == ANY:
            listing.add_section()
        endings = (percent(card.endings[name], PLACES) for name in endings_of(rules))
        listing.add_row(card.name, percent(card.share, PLACES), *endings)
        if card.checked:
            after = (percent(card.checked[name], PLACES) if name in card.checked else "" for name in endings_of(rules))
            listing.add_row(f"{card.name} checked", "", *after)
    screen = console()
    screen.print(listing)
    screen.print("  As if the dealer played every hand to its end, with no card known but the up card.")
    if any(card.checked for card in cards):
        screen.print("  Checked: once the hole card is known to make no blackjack, as when players decide.")


def dealer_hands(rules: Rules, shoe: Composition) -> list[UpCard]:
    """Each up card that the shoe holds, in the order of charts, and all together."""
    if shoe.size < FEWEST_CARDS:
        raise NotationError(f"A round needs at least {FEWEST_CARDS} cards, and the shoe holds {shoe.size}.")
    up_cards = []
    for up in COLUMNS:
        if shoe.counts[up - 1]:
            endings = exact_distribution(rules, up, shoe)
            looked = rules.hole_card and 0 < endings[BLACKJACK] < 1
            checked = exact_distribution(rules, up, shoe, checked=True) if looked else None
            up_cards.append(UpCard(value_letter(up), Fraction(shoe.counts[up - 1], shoe.size), endings, checked))
    mean = {
        name: sum((card.share * card.endings[name] for card in up_cards), Fraction(0)) for name in endings_of(rules)
    }
    return [*up_cards, UpCard(ANY, Fraction(1), mean, None)]


def _exact(chance: Fraction) -> dict[str, Any]:
    return {"exact": str(chance), "percent": float(100 * chance)}


def _all_exact(endings: dict[str, Fraction]) -> dict[str, Any]:
    return {name: _exact(chance) for name, chance in endings.items()}
