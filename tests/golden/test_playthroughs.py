"""The kept pages are what the rounds still come to; `python -m tests.golden.update` writes them anew."""

from __future__ import annotations

import pytest

from croupier.games.catalogue import ALL_GAMES
from croupier.games.table.record import read_any_record, write_record
from tests.golden.playthroughs import FOLDER, PLAYTHROUGHS, RECORD, in_words, page


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_a_round_is_played_as_its_page_says(name: str) -> None:
    assert page(PLAYTHROUGHS[name]) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_the_record_on_a_page_is_played_again(name: str) -> None:
    words, _, record = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").partition(RECORD)
    end = read_any_record(record)
    assert words == f"{PLAYTHROUGHS[name].title}\n\n{in_words(end)}\n"
    assert write_record(end) == record


@pytest.mark.parametrize("key", list(ALL_GAMES))
def test_every_game_has_playthroughs(key: str) -> None:
    assert any(each.game == key for each in PLAYTHROUGHS.values()), f"{key} has no playthrough in tests/golden"


def test_every_page_has_its_playthrough() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.txt" for name in PLAYTHROUGHS}
