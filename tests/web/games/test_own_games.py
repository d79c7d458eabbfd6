"""Games of one's own over HTTP: they are dealt like any other, and a bad one leaves the others alone."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.games import catalogue
from croupier.games.rulebook import OWN
from croupier.web.cluster import what_runs
from croupier.web.games import questions
from tests.games.test_bad_definitions import DEFINITION, PAGE
from tests.web.support import MadeSite, Room, running, wait_until


@pytest.fixture
def room(tmp_path: Path, site: MadeSite, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    """With one bad game, one good one, and one without a page."""
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "bad_game.py").write_text(DEFINITION.replace('lambda seen: "play"', 'lambda seen: "plays"'), "utf-8")
    (folder / "bad-game.md").write_text(PAGE, encoding="utf-8")
    for name in ("good", "pageless"):
        whole = DEFINITION.replace('"bad-game"', f'"{name}-game"').replace('"Bad Game"', f'"{name.title()} Game"')
        (folder / f"{name}_game.py").write_text(whole, encoding="utf-8")
    (folder / "good-game.md").write_text(PAGE.replace("Bad Game", "Good Game"), encoding="utf-8")
    monkeypatch.setenv(OWN, str(folder))
    catalogue._loaded.cache_clear()
    with running(site) as made:
        yield made
    catalogue._loaded.cache_clear()


def test_the_others_are_there(room: Room) -> None:
    listed = [game["game"] for game in room.get("/api/games", "").json()["games"]]
    assert {"good-game", "supreme-99", "blackjack"} <= {*listed}
    assert not {"bad-game", "pageless-game"} & {*listed}
    for path in ("/play", "/play/good-game", "/deal", "/rules", "/rules/good-game", "/lab", "/play/supreme-99"):
        found = room.get(path)
        assert found.status_code == 200, path
        assert "Bad Game" not in found.text
    refused = room.get("/api/games/bad-game", "")
    assert 400 <= refused.status_code < 500, refused.text
    assert "the strategy 'always play' says 'plays'" in refused.text


def test_a_game_of_ones_own_is_dealt(room: Room) -> None:
    opened = room.act("/api/rounds", game="good-game", seed="own")
    assert opened.status_code == 200, opened.text
    odds = room.get("/api/odds/good-game?wager=ante&paytable=1").json()
    assert odds["house_edge"]


def test_a_game_that_is_run_from_another_file_than_the_start_names_is_an_alarm(room: Room, tmp_path: Path) -> None:
    runs = room.runtime.what_runs
    assert runs.installed
    assert room.act("/api/rounds", game="good-game", seed="own").status_code == 200
    assert "program" not in room.runtime.alarms()
    file = tmp_path / "own" / "good_game.py"
    file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    catalogue._loaded.cache_clear()
    assert room.act("/api/rounds", game="good-game", seed="own").status_code == 200
    runs.look()
    [said] = runs.said_now()
    assert said == "The file of the house's own game good-game was changed or added since the start."
    assert room.runtime.alarms()["program"] == said


def test_whoever_asks_for_readiness_has_no_folder_listed(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer is made in the event loop, and a folder may lie on a disk that hangs."""
    asked: list[str] = []
    listed = catalogue.run_digests

    def noted() -> dict[str, str]:
        asked.extend(each.name for each in traceback.extract_stack())
        return listed()

    assert room.runtime.what_runs.installed
    monkeypatch.setattr(what_runs, "run_digests", noted)
    assert room.get("/api/ready", "").status_code == 200
    room.runtime._swept_at = 0.0
    wait_until(lambda: "keep" in asked)
    assert room.get("/api/ready", "").status_code == 200
    assert "alarms" not in asked


def test_the_edge_of_a_game_of_ones_own_is_counted_anew_when_its_pays_have_changed(
    room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    first = questions.edge("good-game", "")["house_edge"]
    file = tmp_path / "own" / "good_game.py"
    file.write_text(file.read_text(encoding="utf-8").replace("1 to 1", "11 to 10"), encoding="utf-8")
    catalogue._loaded.cache_clear()
    assert questions.edge("good-game", "")["house_edge"] != first
