"""`croupier report`: what the office reads about the floor, for a gaming day or a range, as text, JSON, CSV or PDF."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from croupier.cli.app import app
from croupier.cli.console import console, plain, table
from croupier.cli.files import write_bytes
from croupier.errors import NotationError, UnknownName

if TYPE_CHECKING:
    from rich.console import Console

    from croupier.reports.close import Reading
    from croupier.reports.sheet import Report

FORMATS = ("text", "json", "csv", "pdf")
DIFFERENCES = 1
PAPER_WIDTH = 160


def _option(name: str, help_: str) -> Any:
    return typer.Option(name, help=help_)


@app.command()
def report(
    kind: Annotated[
        str,
        typer.Argument(
            help="balance, contributions, awards, last-awards, adjustments, events, hold, accrual, bank-cover, close, "
            "win-page or adjustment-note."
        ),
    ],
    *,
    db: Annotated[str, typer.Option("--db", "--store", help="sqlite:///floor.db or postgresql://host/floor.")],
    link: Annotated[str | None, _option("--link", "Only this link; all where none is named.")] = None,
    day: Annotated[str | None, _option("--day", "A gaming day, as 2026-11-15.")] = None,
    first: Annotated[str | None, _option("--from", "The first gaming day of a range.")] = None,
    last: Annotated[str | None, _option("--to", "The last gaming day of a range.")] = None,
    zone: Annotated[str | None, _option("--zone", "The clock, as America/Los_Angeles; the site's.")] = None,
    day_begins: Annotated[
        int | None, _option("--day-begins", "The hour at which a gaming day begins; the site's.")
    ] = None,
    form: Annotated[str | None, _option("--format", "text, json, csv or pdf; as --out ends, else text.")] = None,
    out: Annotated[Path | None, _option("--out", "Write to this file.")] = None,
    award: Annotated[int | None, _option("--award", "For win-page: the award's number.")] = None,
    entry: Annotated[int | None, _option("--entry", "For adjustment-note: the number of its entry.")] = None,
    reading: Annotated[
        list[str] | None, _option("--reading", "For close: LINK=DOLLARS or LINK:LEVEL=DOLLARS; once for each meter.")
    ] = None,
    read_by: Annotated[str, _option("--read-by", "For close: who read the meters.")] = "",
    text: Annotated[str, _option("--text", "For events: words in the sentence.")] = "",
    event: Annotated[str, _option("--kind", "For events: the kind of entry.")] = "",
    table_number: Annotated[int | None, _option("--table", "For events: the table.")] = None,
    person: Annotated[str, _option("--person", "For events: somebody's id.")] = "",
    fixed_pays: Annotated[bool, typer.Option(help="For awards: list fixed pays too.")] = True,
    made_at: Annotated[str | None, _option("--made-at", "The time of making (UTC) to print; now.")] = None,
) -> None:
    """Make a report from the books. Every row that is read is checked against its digest."""
    from croupier.progressive.export import open_existing
    from croupier.progressive.writer import utc_now
    from croupier.reports.adjustments import adjustment_note
    from croupier.reports.awards import awards
    from croupier.reports.books import Books
    from croupier.reports.catalogue import KINDS, REPORTS
    from croupier.reports.close import day_close
    from croupier.reports.events import Search, events
    from croupier.reports.period import read_period
    from croupier.reports.win_page import win_page

    if kind not in KINDS:
        raise UnknownName("report", kind, KINDS)
    form = _format(form, out)
    read_period(day, first, last)
    made = made_at or utc_now()
    readings = [_reading(each, read_by) for each in reading or ()]
    with open_existing(db) as store:
        books = Books(store, link)
        theirs, hour = books.clock()
        hour = hour if day_begins is None else day_begins
        period = read_period(day, first, last, zone=zone or theirs, begins_h=hour)
        given = books, period, made
        makers: dict[str, Callable[[], Report]] = {
            **{name: partial(make, *given) for name, make in REPORTS.items()},
            "awards": lambda: awards(*given, fixed_pays=fixed_pays),
            "events": lambda: events(*given, search=Search(text, event, table_number, person)),
            "win-page": lambda: win_page(books, _number(award, "--award"), period, made),
            "adjustment-note": lambda: adjustment_note(books, _number(entry, "--entry"), period, made),
            "close": lambda: day_close(*given, readings=readings),
        }
        found = makers[kind]()
    _give(found, form, out)
    if not getattr(found, "agrees", True):
        raise typer.Exit(DIFFERENCES)


def _format(form: str | None, out: Path | None) -> str:
    """Decided before anything is read."""
    if form is None:
        suffix = out.suffix.lower().removeprefix(".") if out else ""
        form = suffix if suffix in FORMATS else "text"
    if form not in FORMATS:
        raise NotationError(f"A report is written as {', '.join(FORMATS)}, not as {form!r}.")
    if form == "pdf" and out is None:
        raise NotationError("A PDF goes to a file: name it with --out FILE.pdf.")
    return form


def _number(given: int | None, option: str) -> int:
    if given is None or given < 1:
        raise NotationError(f"This page is of one entry: give its number with {option}, counted from 1.")
    return given


def _reading(text: str, by: str) -> Reading:
    from croupier.games.money import parse_cents
    from croupier.reports.close import Reading

    meter, equals, amount = text.rpartition("=")
    link, _, level = meter.partition(":")
    if not (equals and link):
        raise NotationError(f"{text[:60]!r} is no reading: write it as main=12,345.67 or main:Mega=12,345.67.")
    return Reading(link, level, parse_cents(amount), by)


# Giving it out


def _give(found: Report, form: str, out: Path | None) -> None:
    if form == "text":
        content = _as_text(found) if out else ""
    elif form == "json":
        content = json.dumps(found.as_json(), indent=2, ensure_ascii=False) + "\n"
    else:
        content = found.csv() if form == "csv" else ""
    if out is None:
        if form == "text":
            screen = console()
            print_report(screen if screen.is_terminal else _wide(), found)
        else:
            typer.echo(content, nl=False)
        return
    write_bytes(out, found.pdf() if form == "pdf" else content.encode())
    print(f"{found.title} ({found.heading.period.title}) is in {out}.")


def _as_text(found: Report) -> str:
    import io

    file = io.StringIO()
    print_report(_wide(file), found)
    return file.getvalue()


def _wide(file: TextIO | None = None) -> Console:
    """A sheet of paper is wider than most terminals."""
    from rich.console import Console

    return Console(file=file, highlight=False, width=PAPER_WIDTH)


def print_report(screen: Console, found: Report) -> None:
    """The same words and figures as the PDF."""
    page = found.page()
    screen.print(*plain(f"{page.site}: {page.title}"), style="bold", soft_wrap=True)
    if page.headline:
        screen.print(*plain(f"  {page.headline}"), style="bold")
    for name, words in page.facts:
        screen.print(*plain(f"  {name:<8} {words}"), soft_wrap=True)
    for own in page.tables:
        if own.rows:
            shown = table(own.title, *(title.replace("[", r"\[") for title in own.columns), left=own.words)
            for place, row in enumerate(own.rows):
                if own.total and place == len(own.rows) - 1:
                    shown.add_section()
                shown.add_row(*plain(*row))
            shown.show_header = any(own.columns)
            screen.print(shown)
        if own.note:
            screen.print(*plain(own.note), soft_wrap=True)
    for item in page.checklist:
        screen.print(*plain(f"[ ] {item.text}  [{item.citation}]"), soft_wrap=True)
    for note in page.notes:
        screen.print(*plain(note), soft_wrap=True)
    for book, entries, digest in page.heads:
        screen.print(*plain(f"Book {book}, read to entry {entries}, SHA-256 {digest}"), soft_wrap=True)
