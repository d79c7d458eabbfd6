"""`croupier verify`: every figure the rule documents print, beside the one that counting gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.app import app
from croupier.cli.console import console, percent, print_json, table

if TYPE_CHECKING:
    from croupier.compliance.printed import Finding

STYLES = {"agrees": "green", "agrees if cut": "yellow", "differs": "red"}


@app.command()
def verify(*, as_json: Annotated[bool, typer.Option("--json", help="Print for programs.")] = False) -> None:
    """Recompute every printed figure. Exits 1 where a difference is not a known and explained one."""
    from croupier.compliance.printed import verify_printed

    findings = list(verify_printed())
    if as_json:
        print_json([finding.as_json() for finding in findings])
    else:
        print_findings(findings)
    if not all(finding.explained for finding in findings):
        raise typer.Exit(1)


def print_findings(findings: list[Finding]) -> None:
    listing = table(
        "Printed figures, recomputed from the rules",
        *("document", "game", "wager", "table", "figure", "printed", "counted", "verdict"),
        left=5,
    )
    notes: list[str] = []
    for finding in findings:
        mark = ""
        if finding.note and finding.verdict != "agrees":
            notes.append(_note(finding))
            mark = f" [{len(notes)}]"
        verdict = finding.verdict.value + mark if finding.explained else f"{finding.verdict.value}, unexplained"
        listing.add_row(
            *(finding.document, finding.game, finding.wager, finding.paytable, finding.label),
            finding.printed,
            percent(finding.exact),
            f"[{STYLES[finding.verdict]}]{verdict.replace('[', chr(92) + '[')}[/]",
        )
    screen = console()
    screen.print(listing)
    for number, note in enumerate(notes, start=1):
        screen.print(f"  [{number}] {note}", markup=False)
    screen.print(f"\n  {_summary(findings)}")


def _note(finding: Finding) -> str:
    away = float(finding.difference * 100)
    return f"{finding.wager} {finding.paytable}: printed less counted is {away:+.4f} points. {finding.note}"


def _summary(findings: list[Finding]) -> str:
    agree = sum(finding.verdict == "agrees" for finding in findings)
    cut = sum(finding.verdict == "agrees if cut" for finding in findings)
    differ = len(findings) - agree - cut
    open_ = sum(not finding.explained for finding in findings)
    ending = "every difference is known and explained" if not open_ else f"{open_} not explained"
    return f"{len(findings)} figures: {agree} agree, {cut} agrees if cut, {differ} differ; {ending}."
