"""`croupier report`: what the office reads about the floor, for a gaming day or a range, as text, JSON, CSV or PDF."""

from __future__ import annotations

import io
import json
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer
from rich.console import Console

from croupier.analysis.printing import listed
from croupier.audit.explain import SETUPS
from croupier.audit.export import open_existing
from croupier.cli.app import app
from croupier.cli.console import console, plain, table
from croupier.cli.options import option
from croupier.errors import CroupierError, NotationError, UnknownName
from croupier.files import reason, replaced, sqlite_file
from croupier.floor.act import EntryKind
from croupier.games.money import parse_cents
from croupier.ledger.clock import utc_now
from croupier.ledger.entry import SITE
from croupier.reports.adjustments import adjustment_note
from croupier.reports.awards import awards
from croupier.reports.books import Books, ExportedBooks, Source
from croupier.reports.catalogue import KINDS, REPORTS
from croupier.reports.close import DisplayReading, day_close
from croupier.reports.events import Search, csv_parts, events, json_parts, signers
from croupier.reports.period import Period, read_period
from croupier.reports.qr import terminal_code
from croupier.reports.sentences import SENTENCES
from croupier.reports.sheet import Report
from croupier.reports.slips import jackpot_slip
from croupier.reports.win_page import win_page

# What is asked of a report, held against what there is: nothing that is mistyped is taken for an empty answer.

DAYS = ("--day", "--from", "--to")
BELONGS = {
    "--award": ("win-page", "jackpot-slip"),
    "--entry": ("adjustment-note",),
    "--reading": ("close",),
    "--read-by": ("close",),
    "--text": ("events",),
    "--kind": ("events",),
    "--table": ("events",),
    "--person": ("events",),
    "--fixed-pays/--no-fixed-pays": ("awards",),
}
"""Options that only some reports have."""
OF_ONE_ENTRY = ("win-page", "jackpot-slip", "adjustment-note")


def check_options(kind: str, given: dict[str, Any]) -> None:
    """Refuse what this report would not look at."""
    for name, value in given.items():
        if value in (None, "", []):
            continue
        belongs = BELONGS.get(name, ())
        if belongs and kind not in belongs:
            raise NotationError(f"{name} belongs to the report {', '.join(belongs)}, not to {kind}.")
        if name in DAYS and kind in OF_ONE_ENTRY:
            raise NotationError(f"{name} does not belong to {kind}, which is of one entry whenever that was.")


@contextmanager
def opened(db: str) -> Iterator[Source]:
    """A store, or the file that was exported from one."""
    if "://" not in db and Path(db).is_file():
        yield ExportedBooks(Path(db))
        return
    with open_existing(db) as store:
        yield store


def check_search(books: Books, search: Search) -> None:
    """Refuse a kind, a person or a table that there is not, and say which there are."""
    if search.kind and search.kind not in SENTENCES:
        raise NotationError(f"There is no kind of entry {search.kind!r}; there are: {', '.join(sorted(SENTENCES))}.")
    if search.person:
        people = sorted(_people(books))
        if search.person not in people:
            raise UnknownName("person", search.person, people)
    if search.table is not None:
        tables = sorted(_tables(books))
        if search.table not in tables:
            there = ", ".join(map(str, tables)) or "none"
            raise CroupierError(f"There is no table {search.table} in these books; there are: {there}.")


def _people(books: Books) -> set[str]:
    """Who was ever enrolled; where there is no site's book, whoever has signed."""
    if books.has_site:
        return set(books.names)
    return {who for link in books.links for entry in books.entries(link, Period()) for who in signers(entry)}


def _tables(books: Books) -> set[int]:
    """Every table that the site or a link has ever had."""
    numbers: set[int] = set()
    for stream in books.source.streams():
        for row in books.source.rows(stream):
            if stream == SITE and row.kind == EntryKind.SET_TABLE:
                numbers.add(int(row.facts["table"]["number"]))
            elif row.kind in SETUPS:
                tables = row.facts[SETUPS[row.kind]]["tables"]
                numbers |= {int(table["number"]) for table in tables}
    return numbers


def check_days(books: Books, period: Period, made_at: str) -> str:
    """Refuse days in which there cannot be anything; what to say where they are after the last entry."""
    first, last = _ends(books, period)
    if first is None or last is None:
        return ""
    if period.last and period.last < first:
        raise CroupierError(
            f"There is nothing to report by {period.last}: the books begin with the gaming day {first}."
        )
    try:
        today = period.day_of(made_at)
    except ValueError:
        return ""  # the report says what is wrong with it
    if period.first and period.first > max(last, today):
        raise CroupierError(
            f"There is nothing to report from {period.first} on: the last entry of the books is of the gaming day "
            f"{last}, and that day is still to come."
        )
    return f"The last entry of the books is of the gaming day {last}." if period.first and period.first > last else ""


def _ends(books: Books, period: Period) -> tuple[date | None, date | None]:
    """The gaming days of the first and the last entry of all books."""
    times = [at for stream in books.source.streams() for at in _times(books.source, stream)]
    return (period.day_of(min(times)), period.day_of(max(times))) if times else (None, None)


def _times(source: Source, stream: str) -> Iterator[str]:
    first = next(iter(source.rows(stream)), None)
    if first is not None:
        yield first.at
        last = source.number_before(stream, "~")
        yield from (row.at for row in source.rows(stream, last - 1))


# Where a report goes: to the screen, or to a file that holds nothing which must not be lost.

FORMATS = ("text", "json", "csv", "pdf")
SUFFIXES = {".txt": "text", ".text": "text", ".json": "json", ".csv": "csv", ".pdf": "pdf"}
KEPT_SUFFIXES = (".db", ".lease", ".key", ".pub", ".cards", ".checkpoints")
KEPT_ENDINGS = ("-wal", "-shm", "-journal")
"""Of files that a site works with, and that SQLite puts beside a database."""
KEPT_BEGINNINGS = (b"SQLite format 3\0", b"-----BEGIN ")
"""Of databases and keys, whatever they are called."""
PAPER_WIDTH = 160


def format_of(form: str | None, out: Path | None) -> str:
    """Decided before anything is read: as it is asked for, else as the file's name ends."""
    if form is None and out is not None:
        form = SUFFIXES.get(out.suffix.lower())
        if form is None:
            raise NotationError(
                f"{str(out)!r} does not say how to write the report: end it with .txt, .json, .csv or .pdf, "
                "or give --format."
            )
    form = form or "text"
    if form not in FORMATS:
        raise NotationError(f"A report is written as {', '.join(FORMATS)}, not as {form!r}.")
    if form == "pdf" and out is None:
        raise NotationError("A PDF goes to a file: name it with --out FILE.pdf.")
    return form


def check_out(out: Path, db: str, *, force: bool) -> None:
    """Refuse a file that the site works with, always; and any other that is there, unless it may be written over."""
    target = _resolved(out)
    if _is_kept(target, db):
        raise CroupierError(f"{str(out)!r} is a file that the site works with, so no report is written there.")
    if target.exists() and not target.is_file():
        raise CroupierError(f"{str(out)!r} is no ordinary file, so nothing is written there.")
    if target.exists() and not force:
        raise CroupierError(f"There is a file {str(out)!r} already: give another name, or --force to write over it.")


def _resolved(out: Path) -> Path:
    try:
        return out.resolve()
    except (OSError, ValueError, RuntimeError) as error:
        raise CroupierError(f"The file {str(out)!r} cannot be written: {error}.") from None


def _is_kept(target: Path, db: str) -> bool:
    books = _file_of(db)
    if target == books or target.suffix.lower() in KEPT_SUFFIXES or target.name.endswith(KEPT_ENDINGS):
        return True
    if not target.is_file():
        return False
    if books is not None and books.exists() and target.samefile(books):
        return True
    try:
        with target.open("rb") as file:
            return file.read(32).startswith(KEPT_BEGINNINGS)
    except OSError:
        return False


def _file_of(db: str) -> Path | None:
    """The file of a store, or an exported one."""
    file = sqlite_file(db) if "://" in db else Path(db)
    return None if file is None else _resolved(file)


def write_parts(out: Path, parts: Iterable[bytes]) -> None:
    """All of it or nothing, however long it is; a file that is written over keeps its permissions."""
    target = _resolved(out)
    try:
        with replaced(target, mode=0o666) as file:
            if target.exists():
                os.fchmod(file.fileno(), stat.S_IMODE(target.stat().st_mode))
            file.writelines(parts)
    except OSError as error:
        raise CroupierError(f"The file {str(out)!r} cannot be written: {reason(error)}.") from None


# On the screen


def as_text(report: Report) -> str:
    file = io.StringIO()
    print_report(wide(file), report)
    return file.getvalue()


def wide(file: TextIO | None = None) -> Console:
    """A sheet of paper is wider than most terminals."""
    return Console(file=file, highlight=False, width=PAPER_WIDTH)


def print_report(screen: Console, report: Report) -> None:
    """The same words and figures as the PDF."""
    page = report.page()
    screen.print(*plain(f"{page.site}: {page.title}"), style="bold", soft_wrap=True)
    for large in filter(None, (page.banner and f"*** {page.banner} ***", page.headline)):
        screen.print(*plain(f"  {large}"), style="bold")
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
            about = f"{own.title}: " if own.title and not own.rows else ""
            screen.print(*plain(about + own.note), soft_wrap=True)
    for item in page.checklist:
        screen.print(*plain(f"[ ] {item.text}  [{item.citation}]"), soft_wrap=True)
    for note in page.notes:
        screen.print(*plain(note), soft_wrap=True)
    for book, entries, digest in page.heads:
        screen.print(*plain(f"Book {book}, read to entry {entries}, SHA-256 {digest}"), soft_wrap=True)
    for line in (ANCHOR, page.line, *terminal_code(page.line)) if page.line else ():
        screen.print(*plain(line), soft_wrap=True)


ANCHOR = "Anchor, to be kept outside the house (scan it or type it):"


DIFFERENCES = 1


@app.command()
def report(
    kind: Annotated[str, typer.Argument(help=f"{listed(KINDS)}.")],
    *,
    db: Annotated[
        str,
        option("--db", "--store", "sqlite:///floor.db, postgresql://host/floor, or a file that was exported."),
    ],
    link: Annotated[str | None, option("--link", "Only this link; all where none is named.")] = None,
    day: Annotated[str | None, option("--day", "A gaming day, as 2026-11-15.")] = None,
    first: Annotated[str | None, option("--from", "The first gaming day of a range.")] = None,
    last: Annotated[str | None, option("--to", "The last gaming day of a range.")] = None,
    zone: Annotated[str | None, option("--zone", "The clock, as America/Los_Angeles; the site's.")] = None,
    day_begins: Annotated[
        int | None, option("--day-begins", "The hour at which a gaming day begins; the site's.")
    ] = None,
    form: Annotated[str | None, option("--format", "text, json, csv or pdf; as --out ends, else text.")] = None,
    as_json: Annotated[bool, option("--json", "The same as --format json.")] = False,
    out: Annotated[Path | None, option("--out", "-o", "Write to this file, which must be new.")] = None,
    force: Annotated[bool, option("--force", "Write over a file that is there.")] = False,
    award: Annotated[int | None, option("--award", "For win-page and jackpot-slip: the award's number.")] = None,
    entry: Annotated[int | None, option("--entry", "For adjustment-note: the number of its entry.")] = None,
    reading: Annotated[
        list[str] | None, option("--reading", "For close: LINK=DOLLARS or LINK:LEVEL=DOLLARS; once for each meter.")
    ] = None,
    read_by: Annotated[str, option("--read-by", "For close: who read the meters.")] = "",
    text: Annotated[str, option("--text", "For events: words in the sentence.")] = "",
    event: Annotated[str, option("--kind", "For events: the kind of entry.")] = "",
    table_number: Annotated[int | None, option("--table", "For events: the table.")] = None,
    person: Annotated[str, option("--person", "For events: somebody's id.")] = "",
    fixed_pays: Annotated[
        bool | None, option("--fixed-pays/--no-fixed-pays", "For awards: list fixed pays too; yes.")
    ] = None,
    made_at: Annotated[str | None, option("--made-at", "The time of making (UTC) to print; now.")] = None,
) -> None:
    """Make a report from the books. Every row that is read is checked against its digest."""
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
    now = made_at or utc_now()
    readings = [_reading(text, read_by) for text in reading or ()]
    with opened(db) as source:
        books = Books(source, link)
        theirs, hour = books.clock()
        hour = hour if day_begins is None else day_begins
        period = read_period(day, first, last, zone=zone or theirs, begins_h=hour)
        quiet, search = check_days(books, period, now), Search(text, event, table_number, person)
        if kind == "events":
            check_search(books, search)
        if kind == "events" and form in ("csv", "json"):
            csv = form == "csv"
            parts = csv_parts(books, period, search) if csv else json_parts(books, period, now, search)
            _stream(parts, f"Events, {period.title},", out)
            return
        given = books, period, now
        makers: dict[str, Callable[[], Report]] = {
            **{name: partial(make, *given) for name, make in REPORTS.items()},
            "awards": lambda: awards(*given, fixed_pays=fixed_pays is not False),
            "events": lambda: events(*given, search=search),
            "win-page": lambda: win_page(books, _number(award, "--award"), period, now),
            "jackpot-slip": lambda: jackpot_slip(books, _number(award, "--award"), period, now),
            "adjustment-note": lambda: adjustment_note(books, _number(entry, "--entry"), period, now),
            "close": lambda: day_close(*given, readings=readings),  # beside those of the day that are on record
        }
        paper = makers[kind]()
    _give(paper, form, out)
    if quiet:
        typer.echo(quiet, err=True)
    if not getattr(paper, "agrees", True):
        raise typer.Exit(DIFFERENCES)


def _number(given: int | None, option: str) -> int:
    if given is None or given < 1:
        raise NotationError(f"This page is of one entry: give its number with {option}, counted from 1.")
    return given


def _reading(text: str, by: str) -> DisplayReading:
    meter, equals, amount = text.rpartition("=")
    link, _, level = meter.partition(":")
    if not (equals and link):
        raise NotationError(f"{text[:60]!r} is no reading: write it as main=12,345.67 or main:Mega=12,345.67.")
    return DisplayReading(link, level, parse_cents(amount), by)


# Giving it out


def _stream(parts: Iterator[str], subject: str, out: Path | None) -> None:
    """Row by row as it is read: a log may be longer than any memory."""
    if out is None:
        for part in parts:
            typer.echo(part, nl=False)
        return
    write_parts(out, (part.encode() for part in parts))
    print(f"{subject} is in {out}.")


def _give(report: Report, form: str, out: Path | None) -> None:
    if form == "text" and out is None:
        screen = console()
        print_report(screen if screen.is_terminal else wide(), report)
        return
    content = report.pdf() if form == "pdf" else _text_of(report, form).encode()
    if out is None:
        typer.echo(content.decode(), nl=False)
        return
    write_parts(out, [content])
    print(f"{report.subject} is in {out}.")


def _text_of(report: Report, form: str) -> str:
    if form == "csv":
        return report.csv()
    if form == "json":
        return json.dumps(report.as_json(), indent=2, ensure_ascii=False) + "\n"
    return as_text(report)
