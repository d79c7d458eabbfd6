"""`croupier floor rehearse`: a newcomer types what it prints, and everything works."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from croupier.cli.app import app, register_all
from croupier.errors import CroupierError, NotationError
from croupier.store.store import StoreError, open_store
from tests.store.memory import folder_in_memory

register_all()

SMALL = ("--rounds", "240", "--days", "3", "--seed", "7")
FROM = ("--from", "2026-10-01")


@pytest.fixture(autouse=True)
def _in_a_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with folder_in_memory() as folder, monkeypatch.context() as there:
        there.chdir(folder)
        yield


def run(*words: str) -> str:
    result = CliRunner().invoke(app, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def rehearse(*words: str, store: str = "sqlite:///month.db") -> str:
    return run("floor", "rehearse", "--db", store, *SMALL, *words)


def test_everything_it_says_to_try_next_works() -> None:
    said = rehearse(*FROM)
    assert "240 rounds in 3 days, 2026-10-01 to 2026-10-03" in said
    assert "difference zero" in said
    tried = [line.split()[1:] for line in said.splitlines() if line.startswith("  croupier ")]
    assert [words[1] for words in tried] == [
        *("balance", "bank-cover", "balance", "explain", "win-page", "export", "verify"),
    ]
    answers = [run(*words) for words in tried]
    assert "gaming day 2026-10-01" in answers[0]
    assert "Rehearsal Card Room: Bank cover" in answers[1]
    assert "$0.00" in answers[2]
    assert "Minor" in answers[3]
    assert "[ ] " in answers[4]
    assert "9 signed checkpoints agree" in answers[6]


def test_a_month_is_just_over_unless_another_is_asked_for() -> None:
    said = json.loads(rehearse("--json"))
    signed = [date.fromisoformat(day["signed_day"]) for day in said["days"]]
    assert timedelta(days=1) <= datetime.now(UTC).date() - signed[-1] <= timedelta(days=2)  # midnight may pass
    assert [each - timedelta(days=1) for each in signed] == [date.fromisoformat(day["day"]) for day in said["days"]]


def test_for_programs_it_says_where_everything_is() -> None:
    said = json.loads(rehearse("--json", *FROM))
    assert (said["store"], said["checkpoints"], said["key"]) == (
        *("sqlite:///month.db", "month.checkpoints", "month.key.pub"),
    )
    assert [day["day"] for day in said["days"]] == ["2026-10-01", "2026-10-02", "2026-10-03"]
    assert {level["difference"] for day in said["days"] for level in day["levels"]} == {0}
    assert [each["what"] for each in said["figures"]][-1] == "contributed to Minor"
    with open_store("sqlite:///month.db") as store:
        last = store.last("link:rehearsal")
    assert last is not None
    assert (last.number, last.digest) == (said["entries"], said["digest"])


def test_what_is_there_is_left_alone() -> None:
    rehearse()
    files = {path.name: path.read_bytes() for path in Path().iterdir() if "lease" not in path.name}
    with pytest.raises(CroupierError, match="holds link:rehearsal, link:side, site already"):
        rehearse()
    with pytest.raises(CroupierError, match=r"There is a file 'month.checkpoints' already"):
        rehearse("--checkpoints", "month.checkpoints", store="sqlite:///other.db")
    with pytest.raises(CroupierError, match=r"There is a file 'month\.key(\.pub)?' already"):
        rehearse("--checkpoints", "month.signed", store="sqlite:///another.db")
    assert {name: Path(name).read_bytes() for name in files} == files


@pytest.mark.parametrize(
    ("words", "error", "sentence"),
    [
        (("--rounds", "5"), NotationError, "9 to 3,000,000 rounds, not 5"),
        (("--from", "soon"), NotationError, "'soon' is no day"),
        (("--from", "2999-01-01"), NotationError, "A rehearsal of 3 days begins on .* or before, so that it is over"),
        (("--from", "2020-01-01"), NotationError, "begins on 2024-01-01 or later"),
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


def test_every_example_of_the_guide_to_reports_works() -> None:
    guide = (Path(__file__).parents[2] / "docs/guides/reports.md").read_text(encoding="utf-8")
    examples = [line.split()[1:] for line in guide.splitlines() if line.startswith("    croupier ")]
    assert examples[0][:2] == ["floor", "rehearse"]
    answers = {" ".join(words[1:]): run(*words) for words in examples}
    assert len(answers) == 7
    told = {name.split()[0]: said for name, said in answers.items()}
    assert "CONFIRMED" in run("report", "win-page", "--db", "sqlite:///month.db", *examples[4][4:8])
    assert "VOIDED – NOT PAID" in told["win-page"]
    assert "entry 1845 of the link rehearsal" in told["adjustment-note"].lower().replace("entry    ", "entry ")
    assert Path("october.pdf").read_bytes().startswith(b"%PDF")
    assert Path("win.pdf").read_bytes().startswith(b"%PDF")
