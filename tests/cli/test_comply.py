"""`croupier comply`: the answer from a store or a file, with its exit code; what is wrong is said in one sentence."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from croupier.cli.app import app
from croupier.floor.site.acts import ChooseProfile, SetTable
from support.papers import commercial, entered, rummy, supreme
from support.room import Room
from tests.cli.support import refused, run

runner = CliRunner()


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Two tables, of which one has no layout on record."""
    url = f"sqlite:///{tmp_path_factory.mktemp('comply')}/floor.db"
    with Room(url) as room:
        room.found(tables=())
        room.site(ChooseProfile, second="mia", profile="washington/2")
        for act in (entered(), *commercial()):
            room.floor.do_site(act)
        bare = supreme()
        assert bare.on_file is not None
        bare = replace(bare, on_file=replace(bare.on_file, equipment=bare.on_file.equipment[1:]))
        for setup in (rummy(), bare):
            room.site(SetTable, second="mia", table=setup)
    return url


def test_it_says_of_each_table_whether_it_may_be_open_and_exits_1_where_one_may_not(db: str) -> None:
    result = runner.invoke(app, ["comply", "--site", db, "--day", "2026-11-15"], env={"COLUMNS": "200"})
    assert result.exit_code == 1
    assert "Table 1, Triple Shot Rummy: may be open" in result.stdout
    assert "Table 2, Supreme 99: may not be open" in result.stdout
    assert "No layout is recorded at table 2." in result.stdout
    assert "a house needs an approval of its own" in result.stdout


def test_as_json_it_has_every_condition_with_paper_and_paragraph(db: str) -> None:
    result = runner.invoke(app, ["comply", "--site", db, "--day", "2026-11-15", "--json"])
    told = json.loads(result.stdout)
    assert (told["may_open"], [each["may_open"] for each in told["tables"]]) == (False, [True, False])
    controls = next(each for each in told["tables"][0]["conditions"] if each["condition"] == "internal-controls")
    assert (controls["state"], controls["effect"], controls["paragraph"]) == ("met", None, "approval 3.1")
    assert [paper["step"] for paper in controls["papers"]] == ["submitted", "approved"]
    stops = [each["condition"] for each in told["tables"][1]["conditions"] if each["effect"] == "stops"]
    assert stops == ["equipment-licensed"]


def test_an_expired_licence_stops_every_table_from_its_day_on(db: str) -> None:
    told = json.loads(runner.invoke(app, ["comply", "--site", db, "--day", "2027-07-01", "--json"]).stdout)
    assert not any(each["may_open"] for each in told["tables"])


def test_a_site_without_tables_has_nothing_that_stops(tmp_path: Path) -> None:
    with Room(f"sqlite:///{tmp_path}/floor.db") as room:
        room.found(tables=())
    assert "There are no tables." in run("comply", "--site", f"sqlite:///{tmp_path}/floor.db")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--day", "tomorrow"], "--day is a day, as 2026-11-15, not 'tomorrow'."),
        (["--site", "sqlite:////nowhere/floor.db"], "/nowhere/floor.db"),
    ],
)
def test_bad_input_is_one_sentence(db: str, words: list[str], sentence: str) -> None:
    given = words if "--site" in words else ["--site", db, *words]
    assert sentence in refused("comply", *given)
