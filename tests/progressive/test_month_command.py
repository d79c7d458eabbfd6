"""`croupier floor rehearse`: a newcomer types what it prints, and everything works."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from croupier.cli import commands  # noqa: F401  (they register themselves)
from croupier.cli.app import app
from croupier.errors import CroupierError, NotationError
from croupier.progressive.store import StoreError, open_store

SMALL = ("--rounds", "240", "--days", "3", "--seed", "7")


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*words: str) -> str:
    result = CliRunner().invoke(app, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def rehearse(*words: str, store: str = "sqlite:///month.db") -> str:
    return run("floor", "rehearse", "--db", store, *SMALL, *words)


def test_everything_it_says_to_try_next_works() -> None:
    said = rehearse()
    assert "240 rounds in 3 days, 2026-11-01 to 2026-11-03" in said
    assert "difference zero" in said
    tried = [line.split()[1:] for line in said.splitlines() if line.startswith("  croupier ")]
    assert [words[1] for words in tried] == ["balance", "balance", "explain", "export", "verify"]
    answers = [run(*words) for words in tried]
    assert "$0.00" in answers[0]
    assert "2026-11-01" in answers[1]
    assert "Minor" in answers[2]
    assert "3 signed checkpoints agree" in answers[4]


def test_for_programs_it_says_where_everything_is() -> None:
    said = json.loads(rehearse("--json"))
    assert (said["store"], said["checkpoints"], said["key"]) == (
        *("sqlite:///month.db", "month.checkpoints", "month.key.pub"),
    )
    assert [day["day"] for day in said["days"]] == ["2026-11-01", "2026-11-02", "2026-11-03"]
    assert {level["difference"] for day in said["days"] for level in day["levels"]} == {0}
    assert [each["what"] for each in said["figures"]][-1] == "contributed to Minor"
    with open_store("sqlite:///month.db") as store:
        last = store.last("link:rehearsal")
    assert last is not None
    assert (last.number, last.digest) == (said["entries"], said["digest"])


def test_what_is_there_is_left_alone() -> None:
    rehearse()
    files = {path.name: path.read_bytes() for path in Path().iterdir() if "lease" not in path.name}
    with pytest.raises(CroupierError, match="holds link:rehearsal already"):
        rehearse()
    with pytest.raises(CroupierError, match=r"There is a file 'month.checkpoints' already"):
        rehearse("--checkpoints", "month.checkpoints", store="sqlite:///other.db")
    with pytest.raises(CroupierError, match=r"There is a file 'month.key' already"):
        rehearse("--checkpoints", "month.signed", store="sqlite:///another.db")
    assert {name: Path(name).read_bytes() for name in files} == files


@pytest.mark.parametrize(
    ("words", "error", "sentence"),
    [
        (("--rounds", "5"), NotationError, "9 to 10,000,000 rounds, not 5"),
        (("--days", "0"), NotationError, "1 to 366 days, not 0"),
        (("--db", "sqlite:///no/such/folder.db"), StoreError, "There is no folder"),
        (("--db", "month.db"), NotationError, "A store is sqlite:///floor.db"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_left(
    words: tuple[str, ...], error: type[CroupierError], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        rehearse(*words)
    assert not list(Path().iterdir())
