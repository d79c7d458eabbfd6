"""`croupier comply`: may each table of a site be open, with every condition, its state, its paper and its paragraph."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import typer

from croupier.audit.comply import comply_of
from croupier.cli.app import app
from croupier.cli.console import console, print_json, table
from croupier.cli.options import AsJson, option
from croupier.cli.report import opened
from croupier.compliance.conditions import Told
from croupier.compliance.paper import name_of
from croupier.compliance.profile import Effect
from croupier.errors import NotationError
from croupier.floor.site.comply import SiteTold

STYLES = {Effect.STOPS: "red", Effect.WARNS: "yellow", Effect.NOTES: "cyan"}


@app.command()
def comply(
    *,
    site: Annotated[
        str, option("--site", "--db", "sqlite:///floor.db, postgresql://host/floor, or a file that was exported.")
    ] = "sqlite:///floor.db",
    day: Annotated[str | None, option("--day", "As of this day, as 2026-11-15; today.")] = None,
    as_json: AsJson = False,
) -> None:
    """Answer for every table whether it may be open. Exits 1 where a condition stops one."""
    with opened(site) as source:
        told = comply_of(source, _day(day))
    if as_json:
        print_json(told.as_json())
    else:
        _print(told)
    if not told.may_open:
        raise typer.Exit(1)


def _day(text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        raise NotationError(f"--day is a day, as 2026-11-15, not {text!r}.") from None


def _print(told: SiteTold) -> None:
    screen = console()
    screen.print(f"{told.site}: {told.profile.title}, {told.day}", markup=False)
    for of_table in told.tables:
        verdict = "may be open" if of_table.may_open else "may not be open"
        is_open = ", is open" if of_table.table in told.open_tables else ""
        listing = table(
            f"Table {of_table.table}, {of_table.title}: {verdict}{is_open}",
            "condition",
            "state",
            "",
            "paragraph",
            left=4,
        )
        for condition in of_table.conditions:
            effect = condition.effect
            state = f"{condition.state}{f', {effect}' if effect else ''}"
            paragraph = f"{condition.paragraph}\n{condition.citation}" if effect else condition.paragraph
            style = STYLES[effect] if effect else ""
            listing.add_row(name_of(condition.condition), state, _words(condition), paragraph, style=style)
        screen.print(listing)
        for wager in of_table.covers:
            screen.print(f"  {wager.title}, paytable {wager.paytable}: {wager.on_file}", markup=False)
    if not told.tables:
        screen.print("There are no tables.")
    for sentence in told.says:
        screen.print(sentence, markup=False)


def _words(told: Told) -> str:
    """The sentence, and the papers that it is about."""
    papers = [
        f"{'REHEARSAL: ' if paper.rehearsal else ''}{paper.reference}, {paper.file}, SHA-256 {paper.sha256[:12]}"
        for paper in told.papers
    ]
    return "\n".join([told.sentence, *papers])
