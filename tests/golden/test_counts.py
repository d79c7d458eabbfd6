"""Every line of every paytable under every strategy comes to the same whole number as it always has."""

from __future__ import annotations

import json
from typing import Any

import pytest

from croupier.analysis.par.edges import count_edge, count_side_edges, edge_counted_before, side_edges_counted_before
from croupier.web.games.questions import find_paytable
from tests.golden.counts.update import COUNTED, FOLDER, count_game, golden_file


def golden(game: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(golden_file(game).read_text(encoding="utf-8"))
    return found


def test_every_registered_game_has_its_file_and_no_other_does() -> None:
    assert {file.stem for file in FOLDER.glob("*.json")} == set(COUNTED)


@pytest.mark.parametrize("key", COUNTED)
def test_every_wager_and_paytable_is_in_the_file(key: str) -> None:
    found = {wager: list(tables) for wager, tables in golden(key).items()}
    assert found == {wager.key: list(wager.paytables) for wager in COUNTED[key].wagers}


@pytest.mark.parametrize("key", COUNTED)
def test_counts_are_the_golden_ones(key: str) -> None:
    # As text, so that the order of the lines is held too.
    game = COUNTED[key]
    assert json.dumps(count_game(game)) == json.dumps(golden(key))
    # And while it is counted: the edge that is delivered with the program.
    assert count_edge(game, find_paytable) == edge_counted_before(game)
    sides = {key: {**told} for key, told in count_side_edges(game, find_paytable)}
    for told in sides.values():
        del told["digest"]
    assert sides == side_edges_counted_before(game)
