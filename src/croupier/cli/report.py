"""`croupier report`: what the office reads about the floor, for a gaming day or a range, as text, JSON, CSV or PDF."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.app import app
from croupier.cli.console import console
from croupier.cli.report_asked import check_days, check_options, check_search, opened
from croupier.cli.report_out import as_text, check_out, format_of, print_report, wide, write_parts
from croupier.errors import NotationError, UnknownName

if TYPE_CHECKING:
    from croupier.reports.close import Reading
    from croupier.reports.sheet import Report

DIFFERENCES = 1


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
    db: Annotated[
        str,
        typer.Option(
            "--db", "--store", help="sqlite:///floor.db, postgresql://host/floor, or a file that was exported."
        ),
    ],
    link: Annotated[str | None, _option("--link", "Only this link; all where none is named.")] = None,
    day: Annotated[str | None, _option("--day", "A gaming day, as 2026-11-15.")] = None,
    first: Annotated[str | None, _option("--from", "The first gaming day of a range.")] = None,
    last: Annotated[str | None, _option("--to", "The last gaming day of a range.")] = None,
    zone: Annotated[str | None, _option("--zone", "The clock, as America/Los_Angeles; the site's.")] = None,
    day_begins: Annotated[
        int | None, _option("--day-begins", "The hour at which a gaming day begins; the site's.")
    ] = None,
    form: Annotated[str | None, _option("--format", "text, json, csv or pdf; as --out ends, else text.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write to this file, which must be new.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
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
    fixed_pays: Annotated[
        bool | None, typer.Option("--fixed-pays/--no-fixed-pays", help="For awards: list fixed pays too; yes.")
    ] = None,
    made_at: Annotated[str | None, _option("--made-at", "The time of making (UTC) to print; now.")] = None,
) -> None:
    """Make a report from the books. Every row that is read is checked against its digest."""
    from croupier.progressive.writer import utc_now
    from croupier.reports.adjustments import adjustment_note
    from croupier.reports.awards import awards
    from croupier.reports.books import Books
    from croupier.reports.catalogue import KINDS, REPORTS
    from croupier.reports.close import day_close
    from croupier.reports.events import csv_parts, events, json_parts
    from croupier.reports.period import read_period
    from croupier.reports.searching import Search
    from croupier.reports.win_page import win_page

    if kind not in KINDS:
        raise UnknownName("report", kind, KINDS)
    check_options(
        kind,
        {
            **{"--day": day, "--from": first, "--to": last, "--award": award, "--entry": entry, "--reading": reading},
            **{"--read-by": read_by, "--text": text, "--kind": event, "--table": table_number, "--person": person},
            "--fixed-pays/--no-fixed-pays": fixed_pays,
        },
    )
    if as_json and form not in (None, "json"):
        raise NotationError(f"--json and --format {form} say different things: give one of them.")
    form = format_of("json" if as_json else form, out)
    if out is not None:
        check_out(out, db, force=force)
    read_period(day, first, last)
    made = made_at or utc_now()
    readings = [_reading(each, read_by) for each in reading or ()]
    with opened(db) as source:
        books = Books(source, link)
        theirs, hour = books.clock()
        hour = hour if day_begins is None else day_begins
        period = read_period(day, first, last, zone=zone or theirs, begins_h=hour)
        quiet, search = check_days(books, period, made), Search(text, event, table_number, person)
        if kind == "events":
            check_search(books, search)
        if kind == "events" and form in ("csv", "json"):
            csv = form == "csv"
            parts = csv_parts(books, period, search) if csv else json_parts(books, period, made, search)
            _stream(parts, f"Events, {period.title},", out)
            return
        given = books, period, made
        makers: dict[str, Callable[[], Report]] = {
            **{name: partial(make, *given) for name, make in REPORTS.items()},
            "awards": lambda: awards(*given, fixed_pays=fixed_pays is not False),
            "events": lambda: events(*given, search=search),
            "win-page": lambda: win_page(books, _number(award, "--award"), period, made),
            "adjustment-note": lambda: adjustment_note(books, _number(entry, "--entry"), period, made),
            "close": lambda: day_close(*given, readings=readings),  # beside those of the day that are on record
        }
        found = makers[kind]()
    _give(found, form, out)
    if quiet:
        typer.echo(quiet, err=True)
    if not getattr(found, "agrees", True):
        raise typer.Exit(DIFFERENCES)


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


def _stream(parts: Iterator[str], subject: str, out: Path | None) -> None:
    """Row by row as it is read: a log may be longer than any memory."""
    if out is None:
        for part in parts:
            typer.echo(part, nl=False)
        return
    write_parts(out, (part.encode() for part in parts))
    print(f"{subject} is in {out}.")


def _give(found: Report, form: str, out: Path | None) -> None:
    if form == "text" and out is None:
        screen = console()
        print_report(screen if screen.is_terminal else wide(), found)
        return
    content = found.pdf() if form == "pdf" else _text_of(found, form).encode()
    if out is None:
        typer.echo(content.decode(), nl=False)
        return
    write_parts(out, [content])
    print(f"{found.subject} is in {out}.")


def _text_of(found: Report, form: str) -> str:
    if form == "csv":
        return found.csv()
    if form == "json":
        return json.dumps(found.as_json(), indent=2, ensure_ascii=False) + "\n"
    return as_text(found)
