"""`croupier odds`: the exact figures of a wager, for the approved paytables or one of your own."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.analysis.printing import percent
from croupier.cli.app import app
from croupier.cli.console import at_work, console, plain, print_json, signed, table
from croupier.cli.options import (
    AsJson,
    ChartOption,
    ContributionOption,
    ConventionOption,
    DecksOption,
    FindHoldOption,
    HouseOption,
    KnownOption,
    MeterOption,
    PlayersOption,
    RulesOption,
    SeedOption,
    WithBetOption,
    option,
)
from croupier.errors import NotationError
from croupier.games.catalogue import find_any_game
from croupier.games.wager import Outcome

if TYPE_CHECKING:
    from croupier.analysis.sheet import Sheet, WagerSheet

PaytableOption = Annotated[
    str | None,
    option("--paytable", "One of the wager's tables, or a file of rows like 'Pair  1 to 1': text, CSV or XLSX."),
]
StrategyOption = Annotated[
    str,
    option("--strategy", "How the player decides: optimal, or a name from `croupier strategy`; in blackjack basic."),
]


VaryOption = Annotated[
    str | None, option("--vary", "A row of the paytable, as 'Straight Flush'; in blackjack also decks or rules.")
]
TargetOption = Annotated[str | None, option("--target-edge", "With --vary: find the pay with this house edge, as 5%.")]
OverOption = Annotated[
    str | None, option("--over", "With --vary: a table over 20-60, 20-60/10, 25,30,40, or rules 'S17;H17;H17 LS'.")
]
PlotOption = Annotated[Path | None, option("--plot", "With --over: a picture, .png, .svg or .pdf.")]
GAP = 3
"""Between two columns of an overview."""
LONGEST_COUNT = 24
"""Counts with more signs than this stand in a table of their own, in full."""


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
    remove: Annotated[
        str,
        typer.Option(
            "--remove",
            help="Cards known to be gone, as 'Ks Kh 9c': of a side wager of blackjack, or of another game.",
        ),
    ] = "",
    known: KnownOption = "",
    option: HouseOption = None,
    vary: VaryOption = None,
    target_edge: TargetOption = None,
    over: OverOption = None,
    plot: PlotOption = None,
    as_json: AsJson = False,
) -> None:
    """House edge, hit frequency, standard deviation and every line, counted exactly."""
    from croupier.analysis.analyst import counter_of
    from croupier.analysis.counted import check_no_rules
    from croupier.analysis.sheet import sheets_for
    from croupier.cli.options import read_paytable

    known_game = find_any_game(game)
    varies = any(given is not None for given in (vary, target_edge, over, plot))
    seen = bool(remove.strip() or known.strip())
    if varies and seen:
        raise NotationError("--remove and --known are about one paytable as it stands: leave out --vary.")
    if varies or known_game.placard:  # a command about another game loads nothing of blackjack
        from croupier.analysis.blackjack.question import Asked
        from croupier.cli.blackjack_odds import show_hole_cards, show_odds
        from croupier.cli.vary import Varied, show_varied
        from croupier.games.blackjack.game import of_the_family

        chosen = known_game.with_options(option or ())
        asked = Asked(
            *(rules, decks, wager, paytable, meter or (), seed_amount or (), contribution, convention),
            *(players, with_bet, find_hold, strategy, chart, remove),
        )
        if known.strip():
            show_hole_cards(of_the_family(chosen), asked, known, as_json=as_json)
        elif varies:
            show_varied(chosen, asked, Varied(vary, target_edge, over, plot), as_json=as_json)
        else:
            show_odds(of_the_family(chosen), asked, as_json=as_json)
        return
    known_game = known_game.with_options(option or ())
    given = (rules, decks, meter, seed_amount, contribution, players, find_hold, chart)
    check_no_rules(known_game, given, with_bet=with_bet)
    with at_work(f"Counting {known_game.title}"):
        counter = counter_of(known_game).seeing(remove, known) if seen else None
        sheets = sheets_for(
            known_game, known_game.wager(wager) if wager else None, paytable, strategy, read_paytable, counter=counter
        )
    if as_json:
        about = counter.exposed.as_json() if counter else {}
        found_all = [sheet.as_json() | about for sheet in sheets]
        print_json(found_all[0] if paytable else found_all)
        return
    for of_game in known_game.wagers:
        own = [sheet for sheet in sheets if sheet.wager is of_game]
        if len(own) > 1:
            side_by_side = _side_by_side(own, console().width)
            for first in range(0, len(own), side_by_side):
                _print_overview(own[first : first + side_by_side])
        elif own:
            print_sheet(own[0])
    if counter:
        console().print(f"  Counted from a deck {counter.exposed.in_words}.", markup=False, soft_wrap=True)


def print_sheet(sheet: Sheet) -> None:
    """One wager under one paytable, line by line."""
    print_lines(sheet, f"{sheet.game.title}: {sheet.wager.title}, paytable {sheet.paytable_id}")
    print_figures(sheet)


def print_lines(sheet: WagerSheet, title: str, *, never: str = "never") -> None:
    """Every line; `never` is said of one that no deal comes to."""
    figures = sheet.figures
    apart = len(f"{figures.deals:,}") > LONGEST_COUNT
    if apart:
        counts = table(title, "line", "combinations")
        for line in figures.lines:
            counts.add_row(*plain(line.line), f"{line.combinations:,}")
        counts.add_section()
        counts.add_row("all", f"{figures.deals:,}")
        console().print(counts)
    counted = () if apart else ("combinations",)
    lines = table("" if apart else title, "line", "pays", *counted, "probability", "one in", "return", left=2)
    for line in figures.lines:
        one_in = f"{float(1 / line.probability):,.1f}" if line.combinations else never
        lines.add_row(
            *plain(line.line, line.pays),
            *(f"{line.combinations:,}" for _ in counted),
            percent(line.probability, 6),
            one_in,
            signed(line.contribution),
        )
    whole = sum((line.probability for line in figures.lines), Fraction(0))
    lines.add_section()
    totals = (f"{figures.deals:,}" for _ in counted)
    lines.add_row("all", "", *totals, percent(whole, 6), "", signed(figures.expected))
    console().print(lines)


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


def _side_by_side(sheets: list[Sheet], width: int) -> int:
    """How many paytables there is room for."""
    figures = sheets[0].figures
    counts = [(f"{count:,}", percent(Fraction(count, figures.deals), 6)) for count in figures.counts.values()]
    hands = max(len("standard deviation"), *(len(outcome.label) for outcome in figures.counts))
    counted = max(len("combinations"), *(len(count) for count, _ in counts))
    probable = max(len("probability"), *(len(chance) for _, chance in counts))
    pays = [_pays(sheet, outcome) for sheet in sheets for outcome in figures.counts]
    shown = [*pays, *(percent(sheet.figures.house_edge) for sheet in sheets), percent(figures.hit_frequency)]
    left = width - (hands + counted + probable + 2 * GAP + 2)
    return max(1, left // (max(map(len, shown)) + GAP))


def _pays(sheet: Sheet, outcome: Outcome) -> str:
    return ", ".join(map(str, sheet.figures.prices[outcome].pays))


def _print_overview(sheets: list[Sheet]) -> None:
    """Several paytables of one wager side by side, as the felt's card prints them."""
    first = sheets[0]
    names = [sheet.paytable_id for sheet in sheets]
    title = f"{first.game.title}: {first.wager.title}, paytable {' '.join(names)}"
    lines = table(title, "hand", "combinations", "probability", *names)
    for outcome in first.figures.counts:
        pays = [_pays(sheet, outcome) for sheet in sheets]
        chances = {Fraction(sheet.figures.counts.get(outcome, 0), sheet.figures.deals) for sheet in sheets}
        counted = f"{first.figures.counts[outcome]:,}", percent(chances.pop(), 6)
        # The best play may change with the pays, and how often a hand ends so with it.
        lines.add_row(outcome.label, *(("vary", "vary") if chances else counted), *pays)
    lines.add_section()
    lines.add_row("house edge", "", "", *(percent(sheet.figures.house_edge) for sheet in sheets))
    lines.add_row("hit frequency", "", "", *(percent(sheet.figures.hit_frequency) for sheet in sheets))
    lines.add_row("standard deviation", "", "", *(f"{sheet.figures.standard_deviation:.4f}" for sheet in sheets))
    console().print(lines)
    console().print(
        f"  One table with returns and digest: croupier odds {first.game.key} {first.wager.key} --paytable 1\n"
    )
