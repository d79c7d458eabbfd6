"""What is mistyped is said, what must not be lost is not written over, and a log is whole however long it is."""

from __future__ import annotations

import csv
import io
import json
import os
import stat
from pathlib import Path
from shutil import copyfile

import pytest
from typer.testing import CliRunner

from croupier.cli.app import app, register_all
from croupier.errors import CroupierError, NotationError, UnknownName
from croupier.reports import events as log
from croupier.reports import sheet
from croupier.reports.catalogue import KINDS
from croupier.store.store import open_store
from tests.audit.books import busy_floor
from tests.reports.conftest import RoomBooks
from tests.reports.support import DAYS
from tests.reports.test_report_command import asked, run

register_all()

DAY = str(DAYS[2])


# A log that is long


@pytest.fixture
def short_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that bounds a printed log, so low that the room's is longer."""
    monkeypatch.setattr(log, "MOST_IN_PRINT", 20)
    monkeypatch.setattr(sheet, "MOST_IN_PRINT", 20)
    monkeypatch.setattr(log, "MOST", 30)
    monkeypatch.setattr(log.events, "__defaults__", (log.ANYTHING, 30))


@pytest.mark.usefixtures("short_paper")
def test_csv_and_json_of_the_log_have_every_entry_and_paper_says_that_it_has_not(
    room: RoomBooks, tmp_path: Path
) -> None:
    every = [(book, row["number"]) for book in ("site", "main", "other") for row in room.rows(book)]
    rows = list(csv.DictReader(io.StringIO(run(room, "events", "--format", "csv"))))
    assert [(row["book"], int(row["entry"])) for row in rows] == every
    found = json.loads(run(room, "events", "--json"))
    assert [(row["book"], row["entry"]) for row in found["rows"]] == every
    assert found["left_out"] == 0
    run(room, "events", "-o", str(tmp_path / "log.csv"))
    assert (tmp_path / "log.csv").read_bytes().count(b"\r\n") == len(every) + 1
    said = run(room, "events")
    assert f"Printed are the first 20 of {len(every):,} entries that fit" in said
    assert "not printed; JSON and CSV" not in said


# Files that are there


def test_the_files_of_the_site_are_never_written_over(room: RoomBooks, tmp_path: Path) -> None:
    copyfile(room.url.removeprefix("sqlite:///"), tmp_path / "floor.db")
    copyfile(tmp_path / "floor.db", tmp_path / "other.csv")
    (tmp_path / "signing.csv").write_text("-----BEGIN PRIVATE KEY-----\n")
    os.link(tmp_path / "floor.db", tmp_path / "hard.csv")
    (tmp_path / "soft.csv").symlink_to("floor.db")
    for name in ("site.key", "site.key.pub", "floor.checkpoints"):
        (tmp_path / name).write_text("kept")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    names = ["floor.db", "floor.db-wal", "floor.db-shm", "floor.db.link.0.lease", "site.key", "site.key.pub"]
    names += ["floor.checkpoints", "floor.db-journal", "other.csv", "signing.csv", "hard.csv", "soft.csv"]
    for name in names:
        words = ["report", "balance", "--db", f"sqlite:///{tmp_path}/floor.db", "--format", "csv", "--force"]
        result = CliRunner().invoke(app, [*words, "--out", str(tmp_path / name)])
        assert isinstance(result.exception, CroupierError), name
        assert "a file that the site works with" in str(result.exception), name
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_report_may_be_named_after_its_database(room: RoomBooks, tmp_path: Path) -> None:
    copyfile(room.url.removeprefix("sqlite:///"), tmp_path / "floor")
    words = ["report", "balance", "--db", f"sqlite:///{tmp_path}/floor", "--out", str(tmp_path / "floor-balance.csv")]
    assert CliRunner().invoke(app, words).exit_code == 0


def test_a_file_that_is_there_is_written_over_only_by_force_and_keeps_its_permissions(
    room: RoomBooks, tmp_path: Path
) -> None:
    out = tmp_path / "balance.csv"
    out.write_text("An earlier one.")
    out.chmod(0o640)
    with pytest.raises(CroupierError, match=r"There is a file '.*balance.csv' already: .*--force"):
        run(room, "balance", "--day", DAY, "--out", str(out))
    assert out.read_text() == "An earlier one."
    run(room, "balance", "--day", DAY, "--out", str(out), "--force")
    assert out.read_text().startswith("link,level")
    assert stat.S_IMODE(out.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [out]


def test_a_report_that_fails_leaves_no_file(room: RoomBooks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "sentence", lambda kind, facts: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run(room, "events", "--out", str(tmp_path / "log.csv"))
    assert not list(tmp_path.iterdir())


# What is mistyped


@pytest.mark.parametrize(
    ("words", "error", "said"),
    [
        (
            ["events", "--kind", "nonsense"],
            NotationError,
            "no kind of entry 'nonsense'; there are: accept-time, adjust, ",
        ),
        (["events", "--person", "zoe"], UnknownName, "no person 'zoe'; there are: eve, max, mia, sue."),
        (["events", "--table", "-1"], CroupierError, "no table -1 in these books; there are: 1, 2, 3."),
        (["balance", "--day", "2026-10-01"], CroupierError, "begin with the gaming day 2026-10-29"),
        (["balance", "--day", "2026-11-07"], CroupierError, "that day is still to come"),
        (["balance", "--from", "2027-01-01"], CroupierError, "the last entry of the books is of"),
        (
            ["balance", "--award", "4"],
            NotationError,
            "--award belongs to the report win-page, jackpot",
        ),
        (["awards", "--kind", "adjust"], NotationError, "--kind belongs to the report events"),
        (["hold", "--no-fixed-pays"], NotationError, "belongs to the report awards"),
        (["balance", "--read-by", "sue"], NotationError, "--read-by belongs to the report close"),
        (
            ["win-page", "--link", "main", "--award", "4", "--day", DAY],
            NotationError,
            "--day does not belong to win-page",
        ),
        (["balance", "--out", "x.xls"], NotationError, "end it with .txt, .json, .csv or .pdf, or give --format"),
        (["balance", "--out", "x"], NotationError, "'x' does not say how to write the report"),
        (["balance", "--json", "--format", "csv"], NotationError, "--json and --format csv say different things"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    room: RoomBooks, words: list[str], error: type[CroupierError], said: str
) -> None:
    with pytest.raises(error) as caught:
        run(room, *words)
    assert said in str(caught.value)


def test_without_a_site_people_and_tables_are_those_of_the_links(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/floor.db"
    with open_store(url) as store:
        store.append("link:main", busy_floor().entries)
    words = ["report", "events", "--db", url, "--json"]
    assert "there are:" in str(CliRunner().invoke(app, [*words, "--person", "zoe"]).exception)
    assert "there are: 1, 2" in str(CliRunner().invoke(app, [*words, "--table", "77"]).exception)
    assert json.loads(CliRunner().invoke(app, [*words, "--table", "1"]).output)["rows"]


def test_a_quiet_day_after_the_last_entry_is_reported_and_said(room: RoomBooks) -> None:
    said = run(room, "balance", "--day", "2026-11-06")
    assert "gaming day 2026-11-06" in said
    assert "The last entry of the books is of the gaming day 2026-11-05." in said


def test_a_form_may_be_named_where_the_file_does_not_say_it(room: RoomBooks, tmp_path: Path) -> None:
    run(room, "balance", "--format", "csv", "--out", str(tmp_path / "x.xls"))
    assert (tmp_path / "x.xls").read_text().startswith("link,level")


# An exported file


@pytest.mark.parametrize("kind", KINDS)
def test_the_exported_file_gives_the_same_report_as_the_store(room: RoomBooks, kind: str) -> None:
    code = 1 if kind == "close" else 0
    words = [kind, *asked(room, kind), "--json"]
    file = RoomBooks(str(room.file), room.store, room.file)
    assert run(file, *words, code=code) == run(room, *words, code=code)


def test_a_file_that_is_no_ledger_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Not a ledger.\n")
    result = CliRunner().invoke(app, ["report", "balance", "--db", str(tmp_path / "notes.txt")])
    assert "no exported ledger" in str(result.exception)
