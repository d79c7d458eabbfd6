"""`croupier new-game`: what it writes is a whole game, found without a copy of the source, and nothing else changes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.cli import new_game
from croupier.games import catalogue
from croupier.games.catalogue import ALL_GAMES
from croupier.games.rulebook import OWN
from tests.cli.test_commands import Run, run

__all__ = ["run"]

KEY = "lucky-three"
ROOT = Path(__file__).resolve().parents[2]
RUFF = Path(sys.executable).with_name("ruff")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where games of one's own are looked for."""
    monkeypatch.setenv(OWN, str(tmp_path))
    catalogue._loaded.cache_clear()
    yield tmp_path
    catalogue._loaded.cache_clear()


def test_what_is_written_conforms_and_every_command_takes_it(folder: Path, run: Run) -> None:
    written = run("new-game", "Lucky Three", "--json").json
    assert written["game"] == KEY
    assert written["export"] is None  # its folder is named already
    assert {path.name for path in folder.iterdir()} == {"lucky_three.py", "lucky-three.md", "test_lucky_three.py"}
    answer = run("conform", KEY, "--json")
    assert answer.json["conforms"] is True
    assert answer.code == 0
    for words in (
        *(
            ["odds", KEY],
            ["strategy", KEY],
            ["strategy", KEY, "--hand", "Kh 6c 4d"],
            ["par", KEY],
            ["rules", KEY, "5.1"],
        ),
        *(["play", KEY, "--auto", "optimal", "--seed", "1"], ["session", KEY], ["games"]),
        ["simulate", KEY, "--rounds", "20000", "--compare"],
    ):
        ran = run(*words)
        assert ran.code == 0, (words, ran.err)
    assert "Agrees" in ran.out


def test_the_test_that_is_written_passes(folder: Path, run: Run) -> None:
    assert run("new-game", KEY).code == 0
    environment = {name: value for name, value in os.environ.items() if name != OWN}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-c", os.devnull, "-p", "no:cacheprovider", str(folder)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_a_folder_that_nobody_named_is_said(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(OWN, raising=False)
    ran = run("new-game", KEY, "--folder", str(tmp_path / "mine"))
    assert f"export {OWN}={tmp_path / 'mine'}" in ran.out
    assert KEY not in ALL_GAMES
    monkeypatch.setenv(OWN, os.pathsep.join([str(tmp_path), str(tmp_path / "mine")]))
    assert KEY in ALL_GAMES


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("blackjack", "There is a game 'blackjack' already"),
        ("Three Card Baccarat", "There is a game 'three-card-baccarat' already"),
        ("21", "'21' cannot be the name of a game"),
        ("../up", "'../up' cannot be the name of a game"),
        ("", "'' cannot be the name of a game"),
        ("test-game", "'test-game' cannot be the name of a game"),
        ("x" * 41, "cannot be the name of a game: write up to 40 letters"),
        ("rouge et noir!", "cannot be the name of a game"),
    ],
)
def test_a_bad_name_is_refused_in_a_sentence(folder: Path, run: Run, name: str, sentence: str) -> None:
    ran = run("new-game", name)
    assert ran.code == 2
    assert sentence in ran.err
    assert ran.err.count("\n") == 1
    assert list(folder.iterdir()) == []


def test_no_file_is_written_over(folder: Path, run: Run) -> None:
    (folder / "lucky-three.md").write_text("mine", encoding="utf-8")
    ran = run("new-game", KEY)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "lucky-three.md' already, so nothing was written" in ran.err
    assert [path.name for path in folder.iterdir()] == ["lucky-three.md"]


def test_an_installed_program_asks_for_a_folder(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(OWN, raising=False)
    monkeypatch.setattr(new_game, "FOLDERS", [tmp_path, tmp_path / "no" / "such" / "rulebook"])
    ran = run("new-game", KEY)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "--folder is needed here, because Croupier is installed" in ran.err


def test_elsewhere_nothing_is_written_into_the_source(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(OWN, raising=False)
    monkeypatch.chdir(tmp_path)
    ran = run("new-game", KEY)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "--folder is needed here, outside the copy of the source" in ran.err


def test_in_the_source_files_go_where_the_source_has_them(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(OWN, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs" / "rulebook").mkdir(parents=True)
    (tmp_path / "tests" / "games" / "titles").mkdir(parents=True)
    monkeypatch.setattr(new_game, "FOLDERS", [tmp_path / "docs" / "rulebook"])
    written = run("new-game", KEY, "--json").json
    assert written["definition"] == str(tmp_path / "src/croupier/games/titles/lucky_three.py")
    assert written["page"] == str(tmp_path / "docs/rulebook/lucky-three.md")
    test = Path(written["test"]).read_text(encoding="utf-8")
    assert "CROUPIER_GAMES" not in test  # the source's own tests hold it against the kit
    assert "def test_5_1_" in test
    for check in (["check"], ["format", "--check"]):
        config = ["--config", str(ROOT / "pyproject.toml"), written["definition"], written["test"]]
        done = subprocess.run([RUFF, *check, "--no-cache", *config], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


# Folders of one's own


def test_a_bad_file_leaves_the_others_alone(folder: Path, run: Run, caplog: pytest.LogCaptureFixture) -> None:
    (folder / "broken_game.py").write_text("GAME = 1 +", encoding="utf-8")
    (folder / "leaves.py").write_text("import sys\nsys.exit(3)\n", encoding="utf-8")
    assert run("new-game", KEY).code == 0
    keys = [each["game"] for each in run("games", "--json").json]
    assert KEY in keys
    assert "blackjack" in keys
    assert not {"broken-game", "leaves"} & {*keys}
    ran = run("odds", "broken-game")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "broken_game.py cannot be read: SyntaxError" in ran.err
    assert not [name for name in sys.modules if name == "croupier_own.broken_game"]


def test_a_game_of_ones_own_never_takes_the_place_of_another(
    folder: Path, run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    catalogue._say_once.cache_clear()
    (folder / "blackjack.py").write_text("GAME = None", encoding="utf-8")
    assert ALL_GAMES["blackjack"].title == "Blackjack"
    assert "blackjack.py is left out: 'blackjack' is a game of Croupier's own" in caplog.text


def test_a_folder_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    catalogue._say_once.cache_clear()
    monkeypatch.setenv(OWN, "no-such-folder")
    assert "blackjack" in ALL_GAMES
    assert f"{OWN} names 'no-such-folder', which is no folder" in caplog.text


def test_a_missing_page_is_said_where_it_should_be(folder: Path, run: Run) -> None:
    assert run("new-game", KEY).code == 0
    (folder / "lucky-three.md").unlink()
    ran = run("rules", KEY)
    assert "there is no page of the rulebook, lucky-three.md beside its file." in ran.err
    assert run("readings", "--json").code == 0
