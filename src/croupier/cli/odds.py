"""`croupier odds`: the exact figures of a wager, for the approved paytables or one of your own."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.analysis.printing import percent
from croupier.cli.app import app
from croupier.cli.console import console, plain, print_json, signed, table
from croupier.cli.options import (
    AsJson,
    ChartOption,
    ContributionOption,
    ConventionOption,
    DecksOption,
    FindHoldOption,
    HouseOption,
    MeterOption,
    PlayersOption,
    RulesOption,
    SeedOption,
    WithBetOption,
    option,
)
from croupier.games.catalogue import find_any_game

if TYPE_CHECKING:
    from croupier.analysis.sheet import Sheet, WagerSheet

PaytableOption = Annotated[
    str | None,
    option("--paytable", "One of the wager's tables, or a text file with a row like 'Pair  1 to 1' a line."),
]
StrategyOption = Annotated[
    str,
    option("--strategy", "How the player decides: optimal, or a name from `croupier strategy`; in blackjack basic."),
]


HAND_COLUMNS, TABLE_COLUMNS = 54, 13
"""How wide an overview is: its hands and counts, and each paytable."""
SHORTENED = 10**18
"""From here on counts are shortened on the screen."""


@app.command()
def odds(
    game: Annotated[str, typer.Argument(help="A game, as `croupier games` lists them.")],
    wager: Annotated[str | None, typer.Argument(help="One of its wagers; all where none is named.")] = None,
    *,
    paytable: PaytableOption = None,
    strategy: StrategyOption = "optimal",
    chart: ChartOption = None,
    rules: RulesOption = "",
    decks: DecksOption = None,
    meter: MeterOption = None,
    seed_amount: SeedOption = None,
    contribution: ContributionOption = None,
    convention: ConventionOption = "CDZ-",
    players: PlayersOption = None,
    with_bet: WithBetOption = False,
    find_hold: FindHoldOption = None,
    option: HouseOption = None,
    as_json: AsJson = False,
) -> None:
    """House edge, hit frequency, standard deviation and every line, counted exactly."""
    from croupier.analysis.counted import check_no_rules
    from croupier.analysis.sheet import sheets_for
    from croupier.cli.options import read_paytable

    found = find_any_game(game)
    if found.placard:
        from croupier.analysis.blackjack.question import Asked
        from croupier.cli.blackjack_odds import show_odds

        found.with_options(option or ())
        asked = Asked(
            *(rules, decks, wager, paytable, meter or (), seed_amount or (), contribution, convention),
            *(players, with_bet, find_hold, strategy, chart),
        )
        show_odds(asked, as_json=as_json)
        return
    found = found.with_options(option or ())
    check_no_rules(found, (rules, decks, meter, seed_amount, contribution, players, with_bet, find_hold, chart))
    sheets = sheets_for(found, found.wager(wager) if wager else None, paytable, strategy, read_paytable)
    if as_json:
        found_all = [sheet.as_json() for sheet in sheets]
        print_json(found_all[0] if paytable else found_all)
        return
    for each in found.wagers:
        own = [sheet for sheet in sheets if sheet.wager is each]
        if len(own) > 1:
            side_by_side = max(1, (console().width - HAND_COLUMNS) // TABLE_COLUMNS)
            for first in range(0, len(own), side_by_side):
                _print_overview(own[first : first + side_by_side])
        elif own:
            print_sheet(own[0])


def print_sheet(sheet: Sheet) -> None:
    """One wager under one paytable, line by line."""
    print_lines(sheet, f"{sheet.game.title}: {sheet.wager.title}, paytable {sheet.paytable_id}")
    print_figures(sheet)


def print_lines(sheet: WagerSheet, title: str, *, never: str = "never") -> None:
    """Every line; `never` is said of one that no deal comes to."""
    figures = sheet.figures
    lines = table(title, "line", "pays", "combinations", "probability", "one in", "return", left=2)
    for line in figures.lines:
        one_in = f"{float(1 / line.probability):,.1f}" if line.combinations else never
        lines.add_row(
            *plain(line.line, line.pays),
            _count(line.combinations),
            percent(line.probability, 6),
            one_in,
            signed(line.contribution),
        )
    whole = sum((each.probability for each in figures.lines), Fraction(0))
    lines.add_section()
    lines.add_row("all", "", _count(figures.deals), percent(whole, 6), "", signed(figures.expected))
    console().print(lines)


def _count(combinations: int) -> str:
    """In full where it can be read; `--json` has every digit."""
    return f"{combinations:,}" if combinations < SHORTENED else f"{Decimal(combinations):.8e}"


def print_figures(
    sheet: WagerSheet, *, edge: str = "", more: Iterable[tuple[str, str]] = (), notes: Iterable[str] = ()
) -> None:
    """The figures; `edge` says of what the house edge is, `more` are further ones, and notes follow."""
    figures = sheet.figures
    of = f"{edge}; " if edge else ""
    rows = [
        ("house edge", f"{percent(figures.house_edge)}   {of}exactly {figures.house_edge}"),
        ("hit frequency", f"{percent(sheet.hit_frequency)}   exactly {sheet.hit_frequency}"),
        ("standard deviation", f"{figures.standard_deviation:.6f} per unit"),
    ]
    if sheet.strategy:
        rows.append(("element of risk", f"{percent(figures.element_of_risk)} of all money at stake"))
        rows.append(("strategy", sheet.strategy))
    rows += [*more, ("digest", sheet.digest)]
    screen = console()
    for name, value in rows:
        screen.print(f"  {name:<19} {value}", markup=False, soft_wrap=True)
    footnotes = [f"{row}: {words}." for row, words in sheet.wager.footnotes(figures.prices).items()]
    for note in (*footnotes, *notes):
        screen.print(f"  {note}", markup=False, soft_wrap=True)
    screen.print()


def _print_overview(sheets: list[Sheet]) -> None:
    """Several paytables of one wager side by side, as the felt's card prints them."""
    first = sheets[0]
    names = [sheet.paytable_id for sheet in sheets]
    title = f"{first.game.title}: {first.wager.title}, paytable {' '.join(names)}"
    lines = table(title, "hand", "combinations", "probability", *names)
    deals = first.figures.deals
    for outcome, count in first.figures.counts.items():
        pays = [", ".join(map(str, sheet.figures.prices[outcome].pays)) for sheet in sheets]
        lines.add_row(outcome.label, f"{count:,}", percent(Fraction(count, deals), 6), *pays)
    lines.add_section()
    lines.add_row("house edge", "", "", *(percent(sheet.figures.house_edge) for sheet in sheets))
    lines.add_row("hit frequency", "", "", *(percent(sheet.figures.hit_frequency) for sheet in sheets))
    lines.add_row("standard deviation", "", "", *(f"{sheet.figures.standard_deviation:.4f}" for sheet in sheets))
    console().print(lines)
    console().print(
        f"  One table with returns and digest: croupier odds {first.game.key} {first.wager.key} --paytable 1\n"
    )
