"""The three forms of every report: JSON with whole numbers, CSV that reads back, PDF with the same bytes each time."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from datetime import date
from fractions import Fraction
from typing import Any

import pypdf
import pytest

from croupier.errors import NotationError, RecordError, UnknownName
from croupier.reports.adjustments import adjustment_note, adjustments
from croupier.reports.awards import awards, last_awards
from croupier.reports.balance import meter_balance
from croupier.reports.books import Books
from croupier.reports.catalogue import KINDS, REPORTS
from croupier.reports.close import day_close
from croupier.reports.events import events
from croupier.reports.period import Period, gaming_days
from croupier.reports.sheet import Report, column_name, money, table
from croupier.reports.slips import jackpot_slip, slips
from croupier.reports.win_page import win_page
from tests.audit.books import MAIN, Kept, busy_floor
from tests.reports.conftest import RoomBooks
from tests.reports.support import DAYS, MADE_AT

DAY = gaming_days(DAYS[2])
EMPTY = gaming_days(date(2026, 10, 1))


def made(room: RoomBooks, kind: str, period: Period = DAY) -> Report:
    if kind == "win-page":
        return win_page(
            room.books("main"), last_awards(room.books("main"), Period(), MADE_AT).rows[0].award, period, MADE_AT
        )
    if kind == "jackpot-slip":
        award = slips(room.books("main"), Period(), MADE_AT).rows[0].award
        return jackpot_slip(room.books("main"), award, Period(), MADE_AT)
    if kind == "adjustment-note":
        entry = adjustments(room.books("main"), Period(), MADE_AT).rows[0].entry
        return adjustment_note(room.books("main"), entry, Period(), MADE_AT)
    if kind == "close":
        return day_close(room.books(), period, MADE_AT, ())
    return REPORTS[kind](room.books(), period, MADE_AT)


each_kind = pytest.mark.parametrize("kind", KINDS)
each_of_days = pytest.mark.parametrize("kind", [*REPORTS, "close"])


def text_of(pdf: bytes) -> str:
    return " ".join(
        " ".join(page.extract_text().replace("\u200b", "") for page in pypdf.PdfReader(io.BytesIO(pdf)).pages).split()
    )


PARTS = {"cents": 100, "units": 100_000_000, "ppm": 10_000}
"""By unit in JSON: how many there are of it in one of the unit in CSV, dollars or percent."""


@each_kind
def test_csv_reads_back_as_the_rows(room: RoomBooks, kind: str) -> None:
    report = made(room, kind)
    text = report.csv()
    header, *rows = csv.reader(io.StringIO(text, newline=""))
    assert header == [column_name(each.name) for each in fields(report.row)]
    assert len(set(header)) == len(header)
    assert not [name for name in header if name.endswith(("_cents", "_units", "_ppm"))]
    assert text.count("\r\n") == len(text.split("\n")) - 1
    for row, record in zip(rows, report.records(), strict=True):
        for cell, (name, value) in zip(row, record.items(), strict=True):
            parts = PARTS.get(name.rpartition("_")[2])
            if parts and value is not None:
                assert Fraction(cell) * parts == value, name
            else:
                assert cell.removeprefix("'") == ("" if value is None else str(value))


def test_a_text_that_a_spreadsheet_would_run_is_quoted(room: RoomBooks) -> None:
    found = list(csv.DictReader(io.StringIO(awards(room.books(), Period(), MADE_AT).csv())))
    reasons = {row["reason"] for row in found if row["status"] == "voided"}
    assert reasons == {"'=The wager, so to say, was not lit."}


@each_of_days
def test_an_empty_day_has_a_header_and_no_rows(room: RoomBooks, kind: str) -> None:
    report = made(room, kind, EMPTY)
    assert report.csv().count("\r\n") == 1
    assert report.as_json()["rows"] == []
    assert "None." in text_of(report.pdf())


@each_kind
def test_money_in_json_is_whole_numbers_with_the_unit_named(room: RoomBooks, kind: str) -> None:
    found = json.loads(json.dumps(made(room, kind).as_json(), allow_nan=False))
    assert (found["report"], found["site"], found["made_at"]) == (kind, "Card Room", MADE_AT)
    for name, value in walked(found):
        assert not isinstance(value, float), name
        if re.search(r"_(cents|units|ppm)$", name):
            assert value is None or type(value) is int, name


def walked(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from walked(each, key)
    elif isinstance(value, list):
        for each in value:
            yield from walked(each, name)
    else:
        yield name, value


@each_kind
def test_a_pdf_says_what_it_was_made_from(room: RoomBooks, kind: str) -> None:
    report = made(room, kind)
    shown = text_of(report.pdf())
    assert report.title in shown
    assert "Card Room" in shown
    assert "2026-11-06 10:00:00 America/Los_Angeles" in shown
    assert "Page 1 of " in shown
    heads = report.heading.heads
    assert heads
    for head in heads:
        assert f"Book {head.book}, read to entry {head.entries:,}, SHA-256 {head.digest}" in shown


@each_kind
def test_the_same_rows_give_the_same_bytes(room: RoomBooks, kind: str) -> None:
    one, other = made(room, kind), made(room, kind)
    assert one == other
    assert one.pdf() == other.pdf()
    assert one.csv() == other.csv()


@pytest.mark.parametrize("kind", ["win-page", "adjustment-note"])
def test_a_page_is_one_page(room: RoomBooks, kind: str) -> None:
    assert len(pypdf.PdfReader(io.BytesIO(made(room, kind).pdf())).pages) == 1


def test_the_heads_are_the_last_entries_before_the_end(room: RoomBooks) -> None:
    heads = {head.book: head for head in events(room.books(), DAY, MADE_AT).heading.heads}
    for book in ("main", "other", "site"):
        last = [row for row in room.rows(book) if row["at"] < DAY.end][-1]
        assert (heads[book].entries, heads[book].digest) == (last["number"], last["digest"])


# Books that are not right


@pytest.mark.parametrize("place", [0, 4, 30])
def test_an_altered_book_is_refused(place: int) -> None:
    kept = Kept(link_main=busy_floor().entries)
    row = kept.books[MAIN][place]
    kept.books[MAIN][place] = row._replace(body=row.body.replace('"command":"c', '"command":"x'))
    with pytest.raises(RecordError, match=f"Entry {place + 1} of the book was altered"):
        meter_balance(Books(kept), Period(), MADE_AT)


def test_a_missing_row_is_noticed() -> None:
    kept = Kept(link_main=busy_floor().entries)
    del kept.books[MAIN][7]
    with pytest.raises(RecordError, match="Entry 9 of the book does not follow"):
        meter_balance(Books(kept), Period(), MADE_AT)


def test_an_unknown_link_is_named(room: RoomBooks) -> None:
    with pytest.raises(UnknownName, match="no link 'mian'; did you mean main"):
        room.books("mian")


def test_a_time_of_making_that_is_none_is_refused(room: RoomBooks) -> None:
    with pytest.raises(NotationError, match="'soon' is no time"):
        meter_balance(room.books(), DAY, "soon")


def test_a_store_without_a_site_has_reports_too() -> None:
    books = Books(Kept(link_main=busy_floor().entries))
    for name, make in REPORTS.items():
        report = make(books, Period(), MADE_AT)
        assert report.heading.site == ""
        assert bool(report.rows) is (name not in ("bank-cover", "access", "slips"))


# What people write


NASTY = '#let x = 1 [*bold*] <label> "quoted", a\u202etrick \U0001f0a1 $1 \\ @ref // ' + "W" * 90


def test_words_of_people_are_printed_as_they_are(room: RoomBooks) -> None:
    report = adjustments(room.books("main"), Period(), MADE_AT)
    nasty = replace(report, rows=tuple(replace(row, text=NASTY) for row in report.rows))
    shown = text_of(nasty.pdf())
    for words in ("#let x = 1 [*bold*] <label>", "<U+1F0A1>", "<U+202E>", "@ref"):
        assert words in shown
    assert next(csv.DictReader(io.StringIO(nasty.csv())))["text"] == NASTY


def test_a_table_that_is_too_long_to_print_says_what_is_left_out() -> None:
    rows = [("a", str(number)) for number in range(3_000)]
    short = table("", ("", ""), rows)
    assert (len(short.rows), short.note) == (2_000, "1,000 more rows are not printed; JSON and CSV have all of them.")
    summed = table("", ("", ""), [*rows, ("Total", "3000")], total=True)
    assert (len(summed.rows), summed.rows[-1], summed.note) == (2_001, ("Total", "3000"), short.note)
    assert table("", ("", ""), rows[:2_001], total=True).note == ""


@pytest.mark.parametrize(
    ("units", "shown"),
    [(0, "$0.00"), (1, "$0.00000001"), (115_000_000, "$1.15"), (-1_500_000, "-$0.015"), (10**14, "$1,000,000.00")],
)
def test_money_is_printed_to_the_last_unit(units: int, shown: str) -> None:
    assert money(units) == shown


def test_a_report_without_words_for_people_cannot_be_forgotten() -> None:
    forms: list[Callable[..., Report]] = list(REPORTS.values())
    assert len(KINDS) == len(forms) + 4 == len(set(KINDS))
