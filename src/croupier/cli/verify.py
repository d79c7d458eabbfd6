"""`croupier verify`: every figure the rule documents print or others publish, beside the one that counting gives."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby

import typer
from rich.text import Text

from croupier.analysis.meter.wager import meter_title, preconfigured
from croupier.analysis.par.printed import PrintedFinding, verify_figures
from croupier.analysis.printing import listed, percent
from croupier.cli.app import app
from croupier.cli.console import console, print_json, table
from croupier.cli.options import AsJson
from croupier.games.catalogue import find_any_game
from croupier.games.game import TableGame

HOLD, ASSUMED = "hold", "*"
STYLES = {"agrees": "green", "agrees if cut": "yellow", "differs": "red"}


@app.command()
def verify(*, as_json: AsJson = False) -> None:
    """Recompute every printed and published figure. Exits 1 where a difference is not a known and explained one."""
    findings = verify_figures()
    if as_json:
        print_json([finding.as_json() for finding in findings])
    else:
        print_findings(findings)
    if not all(finding.explained for finding in findings):
        raise typer.Exit(1)


def print_findings(findings: list[PrintedFinding]) -> None:
    screen = console()
    screen.print("[bold]Printed and published figures, recomputed from the rules[/]\n")
    notes: list[str] = []
    for (game, _), of_game in groupby(findings, key=lambda finding: (finding.game, finding.source)):
        _print_game(find_any_game(game), list(of_game), notes)
    for number, note in enumerate(notes, start=1):
        screen.print(f"  [{number}] {note}", markup=False)
    for line in _assumed_funding(findings):
        screen.print(f"  {ASSUMED} {line}", markup=False)
    screen.print(f"\n  {_summary(findings)}")


def _print_game(game: TableGame, findings: list[PrintedFinding], notes: list[str]) -> None:
    """One game's figures; a column for the decks where the game is dealt from several numbers of them."""
    several = any(finding.decks for finding in findings)
    decks = ["decks"] if several else []
    source = findings[0].source
    title = f"{game.title}, {f'published by {source}' if source else f'document {findings[0].document}'}"
    columns = ["wager", "table", *decks, "figure", "published" if source else "printed", "counted", "verdict"]
    listing = table(title, *columns, left=3 + several)
    for finding in findings:
        label = f"{finding.label} {ASSUMED}" if finding.figure == HOLD else finding.label
        listing.add_row(
            *(finding.wager, finding.paytable, *([str(finding.decks or "")] if several else [])),
            *(label, finding.printed, percent(finding.exact) if not finding.source else finding.counted),
            _verdict(finding, notes),
        )
    console().print(listing)


def _assumed_funding(findings: list[PrintedFinding]) -> Iterator[str]:
    """What a hold is counted with and no document prints, in one sentence for each contribution."""
    tables: dict[Fraction, dict[str, list[str]]] = {}
    for finding in findings:
        funding = preconfigured(finding.wager, finding.paytable) if finding.figure == HOLD else None
        if funding:
            seeds = ", ".join(f"{meter_title(meter)} {int(seed):,}" for meter, seed in funding.seeds.items())
            tables.setdefault(funding.contribution, {}).setdefault(seeds, []).append(finding.paytable)
    for contribution, by_seeds in tables.items():
        seeds = "; ".join(f"{words} (table {listed(names, 'and')})" for words, names in by_seeds.items())
        share = f"{float(100 * contribution):g} %"
        yield (
            f"With a funding that the document does not print and we assume: {share} of each wager goes to the meters, "
            f"and the seeds are, in wagers, {seeds}."
        )


def _verdict(finding: PrintedFinding, notes: list[str]) -> Text:
    """The verdict in its colour, with the number of its note where there is one to read."""
    words = finding.verdict.value
    if finding.note and finding.verdict != "agrees":
        notes.append(_note(finding))
        words += f" [{len(notes)}]"
    return Text(words if finding.explained else f"{words}, unexplained", STYLES[finding.verdict])


def _note(finding: PrintedFinding) -> str:
    away = float(finding.difference * 100)
    source_word = "published" if finding.source else "printed"
    return f"{finding.wager} {finding.paytable}: {source_word} less counted is {away:+.4f} points. {finding.note}"


def _summary(findings: list[PrintedFinding]) -> str:
    agree = sum(finding.verdict == "agrees" for finding in findings)
    cut = sum(finding.verdict == "agrees if cut" for finding in findings)
    differ = len(findings) - agree - cut
    open_ = sum(not finding.explained for finding in findings)
    ending = "every difference is known and explained" if not open_ else f"{open_} not explained"
    return f"{len(findings)} figures: {agree} agree, {cut} agrees if cut, {differ} differ; {ending}."
