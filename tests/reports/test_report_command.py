"""`croupier report` from end to end: every kind in every format, and what is wrong, said."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from croupier.cli.app import app, register_all
from croupier.errors import CroupierError, NotationError, UnknownName
from croupier.reports.catalogue import KINDS, REPORTS
from croupier.reports.period import Period, gaming_days
from croupier.store.store import StoreError
from tests.reports.conftest import RoomBooks
from tests.reports.support import DAYS, MADE_AT
from tests.reports.test_forms import made

register_all()

DAY = str(DAYS[2])


def run(room: RoomBooks, *words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["report", *words, "--db", room.url, "--made-at", MADE_AT])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code
    return result.output


def asked(room: RoomBooks, kind: str) -> list[str]:
    """The words that a kind needs besides its name."""
    if kind in ("win-page", "jackpot-slip"):
        return ["--link", "main", "--award", str(made(room, kind).rows[0].award)]
    if kind == "adjustment-note":
        return ["--link", "main", "--entry", str(made(room, kind).rows[0].entry)]
    return ["--day", DAY]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_in_every_format(room: RoomBooks, kind: str, tmp_path: Path) -> None:
    code = 1 if kind == "close" else 0  # nobody has read a meter
    words = [kind, *asked(room, kind)]
    report = made(room, kind, gaming_days(DAYS[2]) if "--day" in words else Period())
    assert report.title in run(room, *words, code=code)
    assert json.loads(run(room, *words, "--format", "json", code=code)) == json.loads(json.dumps(report.as_json()))
    run(room, *words, "--out", str(tmp_path / "report.csv"), code=code)
    assert (tmp_path / "report.csv").read_bytes().decode() == report.csv()
    run(room, *words, "--out", str(tmp_path / "report.pdf"), code=code)
    assert (tmp_path / "report.pdf").read_bytes() == report.pdf()
    run(room, *words, "--out", str(tmp_path / "report.txt"), code=code)
    assert report.title in (tmp_path / "report.txt").read_text(encoding="utf-8")


def test_the_clock_is_the_sites_unless_another_is_asked_for(room: RoomBooks) -> None:
    assert "days begin at 06:00, America/Los_Angeles" in run(room, "balance", "--day", DAY)
    said = run(room, "balance", "--day", DAY, "--zone", "UTC", "--day-begins", "0")
    assert "days begin at 00:00, UTC" in said


def test_a_range_of_days(room: RoomBooks) -> None:
    words = ["accrual", "--from", str(DAYS[0]), "--to", str(DAYS[1]), "--link", "main", "--format", "csv"]
    rows = list(csv.DictReader(io.StringIO(run(room, *words))))
    assert [row["day"] for row in rows] == [str(DAYS[0]), str(DAYS[1])]


def test_events_are_searched(room: RoomBooks) -> None:
    found = json.loads(run(room, "events", "--kind", "adjust", "--person", "mia", "--table", "1", "--format", "json"))
    assert (found["rows"], found["search"]) == ([], "kind adjust, person mia, table 1")
    found = json.loads(run(room, "events", "--text", "sensor", "--format", "json"))
    assert {row["kind"] for row in found["rows"]} == {"adjust"}


def test_fixed_pays_may_be_left_out(room: RoomBooks) -> None:
    rows = json.loads(run(room, "awards", "--no-fixed-pays", "--format", "json"))["rows"]
    assert {row["what"] for row in rows} == {"award"}


def test_a_close_with_all_readings_right_ends_well(room: RoomBooks) -> None:
    rows = REPORTS["balance"](room.books(), gaming_days(DAYS[2]), MADE_AT).rows
    words = []
    for row in rows:
        cents = row.closing_units // 10**6
        words += ["--reading", f"{row.link}{f':{row.level}' if row.level else ''}={cents // 100}.{cents % 100:02d}"]
    assert "Every meter was read" in run(room, "close", "--day", DAY, "--read-by", "sue", *words)
    assert "DIFFERS" in run(room, "close", "--day", DAY, *words[:-1], "other=1.23", code=1)


@pytest.mark.parametrize(
    ("words", "error", "said"),
    [
        (["balances"], UnknownName, "no report 'balances'; did you mean balance"),
        (["balance", "--format", "xls"], NotationError, "text, json, csv, pdf, not as 'xls'"),
        (["balance", "--format", "pdf"], NotationError, "A PDF goes to a file"),
        (["balance", "--link", "mian"], UnknownName, "no link 'mian'"),
        (["balance", "--day", "yesterday"], NotationError, "'yesterday' is no day"),
        (["balance", "--day", DAY, "--to", DAY], NotationError, "one day or of a range"),
        (["balance", "--zone", "Here"], NotationError, "no time zone 'Here'"),
        (["balance", "--day-begins", "25"], NotationError, "hour from 0 to 23, not 25"),
        (["win-page", "--link", "main"], NotationError, "give its number with --award"),
        (["win-page", "--award", "4"], CroupierError, "An award is of one link"),
        (["adjustment-note", "--link", "main", "--entry", "0"], NotationError, "give its number with --entry"),
        (["close", "--reading", "main"], NotationError, "'main' is no reading"),
        (["close", "--reading", "main=12.345"], NotationError, "not a whole number of cents"),
        (["events", "--made-at", "soon"], NotationError, "'soon' is no time"),
    ],
)
def test_what_is_wrong_is_said(room: RoomBooks, words: list[str], error: type[CroupierError], said: str) -> None:
    arguments = ["report", *words, "--db", room.url, *([] if "--made-at" in words else ["--made-at", MADE_AT])]
    result = CliRunner().invoke(app, arguments)
    assert isinstance(result.exception, error)
    assert said in str(result.exception)


def test_a_store_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["report", "balance", "--db", f"sqlite:///{tmp_path}/none.db"])
    assert isinstance(result.exception, StoreError)
    assert not list(tmp_path.iterdir())
