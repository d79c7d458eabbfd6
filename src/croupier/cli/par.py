"""`croupier par`: the PAR sheet that is filed with a regulator, on the screen or in a file of seven kinds."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from croupier.analysis.analyst import analyst_of
from croupier.analysis.blackjack.question import Asked
from croupier.analysis.par.forms import FORMS
from croupier.analysis.par.laboratory import Control
from croupier.analysis.par.print import METERED, GridInPrint, InPrint, OverviewInPrint, SheetInPrint, TableInPrint
from croupier.analysis.par.sheet import AnyPar
from croupier.analysis.report import Laboratory, laboratory_report
from croupier.cli.app import app
from croupier.cli.console import at_work, console, print_json, table
from croupier.cli.odds import PaytableOption, StrategyOption
from croupier.cli.options import (
    AsJson,
    ContributionOption,
    ConventionOption,
    DecksOption,
    HouseOption,
    MeterOption,
    PlayersOption,
    RulesOption,
    SeedOption,
    option,
    read_count,
    read_paytable,
    write_bytes,
)
from croupier.cli.strategy_blackjack import CELL_STYLES
from croupier.compliance.approval import shipped_register
from croupier.errors import NotationError
from croupier.games.catalogue import find_any_game

# A PAR sheet in columns: on the screen, and as plain text.

USUAL_ROUNDS, USUAL_SHOES, USUAL_SEED = "1e6", "2000", "7"
"""Of a whole report."""
TEXT_WIDTH = 100
FIGURES = ("house edge", "return", "hit frequency", "standard deviation")
NARROWEST = 10
"""Columns of words may be made as narrow as this, so that numbers need no second line."""
GAP = 3
LONGEST_COUNT = 24
"""Counts with more signs than this get a table of their own."""


def as_text(content: InPrint) -> str:
    """The PAR sheet as plain text of a hundred columns."""
    page = io.StringIO()
    print_par(Console(file=page, width=TEXT_WIDTH, highlight=False, color_system=None, force_terminal=False), content)
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines()) + "\n"


def print_par(screen: Console, content: InPrint) -> None:
    _heading(screen, f"{content.title}: PAR sheet")
    _pairs(screen, [*content.control, *content.facts, ("Digest", content.digest), *content.signatures])
    _heading(screen, "Summary")
    sheets = [sheet for wager in content.wagers for sheet in wager.sheets]
    _print_rows(
        screen,
        ("wager", "paytable", *FIGURES),
        [(sheet.wager, sheet.paytable, *(figure.value for figure in sheet.figures[:4])) for sheet in sheets],
        words=2,
    )
    metered = [sheet for sheet in sheets if sheet.priced_at]
    if metered:
        _say(screen, METERED)
        rows = [(sheet.wager, sheet.paytable, sheet.priced_at, sheet.figures[0].value, sheet.hold) for sheet in metered]
        _print_rows(
            screen, ("progressive", "paytable", "priced at, in wagers", "house edge there", "hold"), rows, words=3
        )
    _heading(screen, "Definitions")
    _pairs(screen, content.definitions)
    for wager in content.wagers:
        if wager.overview:
            _heading(screen, f"{wager.title}: paytables side by side")
            _print_overview(screen, wager.overview)
        for sheet in wager.sheets:
            _heading(screen, f"{sheet.wager}, paytable {sheet.paytable}")
            _print_sheet(screen, sheet)
    for section in content.sections:
        _heading(screen, section.title)
        for words in section.words:
            _say(screen, words)
        for part in section.tables:
            _print_table(screen, part)


def _print_overview(screen: Console, overview: OverviewInPrint) -> None:
    _print_rows(screen, ("hand", "combinations", *(f"table {name}" for name in overview.paytables)), overview.pays)
    figures = zip(overview.paytables, overview.figures, strict=True)
    _print_rows(screen, ("paytable", *FIGURES), [(name, *values) for name, values in figures])


def _print_sheet(screen: Console, sheet: SheetInPrint) -> None:
    if sheet.notice:
        _say(screen, sheet.notice)
    _say(screen, sheet.basis)
    if sheet.strategy:
        _say(screen, f"Strategy: {sheet.strategy}.")
    _print_lines(screen, sheet)
    figures = [
        (figure.name, f"{figure.value}{f'   exactly {figure.exact}' if figure.exact else ''}")
        for figure in sheet.figures
    ]
    _pairs(screen, [*figures, ("Digest", sheet.digest)])
    if sheet.printed:
        _print_rows(
            screen,
            ("printed figure", "verdict", "note", "printed", "counted"),
            [(figure.label, figure.verdict, figure.note, figure.printed, figure.counted) for figure in sheet.printed],
            words=3,
        )
    for note in sheet.notes:
        _say(screen, note)
    if sheet.strategies:
        _print_strategies(screen, sheet)
    for part in (*sheet.tables, *([sheet.confidence] if sheet.confidence else ())):
        _print_table(screen, part)
    if sheet.grid:
        _print_grid(screen, sheet.grid)


def _print_lines(screen: Console, sheet: SheetInPrint) -> None:
    """What is computed and not counted has neither pays nor combinations."""
    columns = ("line", "pays", "net", "combinations", "probability", "one in", "return")
    rows = [
        (line.line, line.pays, line.net, line.combinations, line.probability, line.one_in, line.contribution)
        for line in (*sheet.lines, sheet.total)
    ]
    apart = len(sheet.total.combinations) > LONGEST_COUNT
    if apart:
        counts = [(line.line, line.combinations) for line in (*sheet.lines, sheet.total)]
        _print_rows(screen, ("line", "combinations"), counts, total=True)
    kept = [
        place
        for place, name in enumerate(columns)
        if any(row[place] for row in rows) and not (apart and name == "combinations")
    ]
    _print_rows(
        screen,
        [columns[place] for place in kept],
        [[row[place] for place in kept] for row in rows],
        words=2 if "pays" in (columns[place] for place in kept) else 1,
        total=True,
    )


def _print_table(screen: Console, own: TableInPrint) -> None:
    _heading(screen, own.title)
    _print_rows(screen, [name.lower() for name in own.columns], own.rows, words=own.words, total=own.total)
    if own.note:
        _say(screen, own.note)


def _print_grid(screen: Console, grid: GridInPrint) -> None:
    """The chart in colours; the letters alone say the same."""
    _heading(screen, grid.title)
    screen.print(Text(f"{'':<13}" + "".join(f" {name:<3}" for name in grid.columns), "bold"))
    for name, *cells in grid.rows:
        line = Text(f"{name:<13}")
        for cell in cells:
            line.append(f" {cell:<3}", CELL_STYLES.get(cell, ""))
        screen.print(line)
    for cell, words in grid.legend:
        screen.print(Text(f" {cell:<3}", CELL_STYLES.get(cell, "")).append(f" {words}", "default on default"))
    _say(screen, grid.note)


def _print_strategies(screen: Console, sheet: SheetInPrint) -> None:
    _print_rows(
        screen,
        ("strategy", "house edge", "element of risk", "mean staked", "costs", "first hands worse"),
        [
            (
                strategy.name,
                strategy.house_edge,
                strategy.element_of_risk,
                strategy.mean_staked,
                strategy.cost,
                strategy.hands_worse,
            )
            for strategy in sheet.strategies
        ],
    )
    _print_rows(
        screen,
        ("the optimal strategy", "action", "hands", "share", "mean result"),
        [(row.kind, row.action, row.hands, row.share, row.value) for row in sheet.chart],
        words=2,
    )


def _print_rows(
    screen: Console, columns: Sequence[str], rows: Sequence[Sequence[str]], *, words: int = 1, total: bool = False
) -> None:
    """A table: first columns of words, then of numbers, which stay in one piece as long as there is room for them."""
    listing = table("", *map(escape, columns), left=words)
    widths = [max(len(cell) for cell in column) for column in zip(columns, *rows, strict=True)]
    least = sum(min(width, NARROWEST) for width in widths[:words]) + sum(widths[words:]) + GAP * len(widths)
    for place, column in enumerate(listing.columns):
        column.overflow = "fold"
        column.no_wrap = place >= words and least <= screen.width
    for number, row in enumerate(rows, start=1):
        if total and number == len(rows):
            listing.add_section()
        listing.add_row(*map(Text, row))  # names that somebody wrote are no markup
    screen.print(listing)


def _pairs(screen: Console, pairs: Iterable[Sequence[str]]) -> None:
    listing = Table.grid(padding=(0, 2))
    listing.add_column(no_wrap=True)
    listing.add_column(overflow="fold")
    for name, value in pairs:
        listing.add_row(Text(name), Text(value))
    screen.print(listing)


def _heading(screen: Console, words: str) -> None:
    screen.print(f"\n{words}", style="bold", markup=False)


def _say(screen: Console, words: str) -> None:
    screen.print(words, markup=False)


@app.command()
def par(
    game: Annotated[str, typer.Argument(help="A game, as `croupier games` lists them.")],
    wager: Annotated[str | None, typer.Argument(help="One of its wagers; all where none is named.")] = None,
    *,
    paytable: PaytableOption = None,
    strategy: StrategyOption = "optimal",
    rules: RulesOption = "",
    decks: DecksOption = None,
    meter: MeterOption = None,
    seed_amount: SeedOption = None,
    contribution: ContributionOption = None,
    convention: ConventionOption = "CDZ-",
    players: PlayersOption = None,
    house_option: HouseOption = None,
    output: Annotated[
        Path | None,
        option("-o", "--output", "Write to this file: .pdf, .html, .tex, .xlsx, .csv, .json or .txt, by its name."),
    ] = None,
    lab: Annotated[
        bool,
        option("--lab", "The whole report: readings, covariances, verification, simulation, vulnerability, signers."),
    ] = False,
    number: Annotated[str, option("--number", "With --lab: the document's number.")] = "",
    revision: Annotated[str, option("--revision", "With --lab: its revision.")] = "",
    date: Annotated[str, option("--date", "With --lab: its date, as 2026-11-17.")] = "",
    prepared: Annotated[str, option("--prepared", "With --lab: who prepared it.")] = "",
    reviewed: Annotated[str, option("--reviewed", "With --lab: who reviews it.")] = "",
    approved: Annotated[str, option("--approved", "With --lab: who approves it.")] = "",
    rounds: Annotated[str, option("--rounds", "With --lab: rounds of the simulation.")] = USUAL_ROUNDS,
    shoes: Annotated[str, option("--shoes", "With --lab: shoes for each wager that can be counted.")] = USUAL_SHOES,
    seed: Annotated[
        str, option("--random-seed", "With --lab: the same number, the same rounds and shoes.")
    ] = USUAL_SEED,
    as_json: AsJson = False,
) -> None:
    """The PAR sheet: every line and figure, exactly, with the digests of the rules and paytables behind it."""
    suffix = _suffix(output, as_json=as_json)
    control = Control(number, revision, date, prepared, reviewed, approved)
    if not lab and any(control):
        raise NotationError("A number, revision, date and people belong to a whole report: add --lab.")
    if not lab and (rounds, shoes, seed) != (USUAL_ROUNDS, USUAL_SHOES, USUAL_SEED):
        raise NotationError("Rounds, shoes and a random seed are of a whole report: add --lab.")
    asked = Asked(
        *(rules, decks, wager, paytable, meter or (), seed_amount or (), contribution, convention, players),
        strategy=strategy,
    )
    known_game = find_any_game(game).with_options(house_option or ())
    report: AnyPar[Any]
    with at_work(f"Counting {known_game.title}"):
        if lab:
            about = (*(read_count("a number of rounds", rounds), read_count("a number of shoes", shoes)),)
            laboratory = Laboratory(*about, read_count("a random seed", seed), control)
            report = laboratory_report(known_game, asked, shipped_register(), read_paytable, laboratory)
        else:
            report = analyst_of(known_game).par(asked, shipped_register(), read_paytable)
        # Strategies and charts are counted when they are asked for.
        shown: Any = None if output else report.as_json() if as_json else report.in_print
    if output is None:
        if as_json:
            print_json(shown)
        else:
            print_par(console(), shown)
        return
    with at_work(f"Writing {output.name}"):
        write_bytes(output, WRITERS[suffix](report))
    print(f"The PAR sheet of {report.game.title} is in {output}.")
    print(f"Digest of its rules and paytables (SHA-256): {report.digest}")


def _suffix(output: Path | None, *, as_json: bool) -> str:
    """How the file is written; decided before anything is counted."""
    if output is None:
        return ""
    suffix = output.suffix.lower()
    if suffix not in WRITERS:
        raise NotationError(
            f"{str(output)!r} does not say how to write the PAR sheet: end its name in .pdf, .html, .tex, .xlsx, .csv, "
            ".json or .txt."
        )
    if as_json and suffix != ".json":
        raise NotationError(
            f"--json and a file {str(output)!r} contradict each other: end its name in .json, or leave --json out."
        )
    return suffix


WRITERS: dict[str, Callable[[AnyPar[Any]], bytes]] = {**FORMS, ".txt": lambda par: as_text(par.in_print).encode()}
