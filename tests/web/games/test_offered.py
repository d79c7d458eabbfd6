"""Figures are made ready when somebody opens a table: nobody who asks for the first hint waits for everything."""

from __future__ import annotations

import json
from typing import Any

import pytest

from croupier.demo.visitors import USUAL as DEMO_USUAL
from croupier.games.catalogue import ALL_GAMES
from croupier.web.games.play import Play
from croupier.web.games.rounds import _decisions, begin_digests, make_hints_ready, make_worth_ready
from tests.web.support import Room

TABLES = [
    *({"game": game, **ALL_GAMES[game].usual} for game in ALL_GAMES),
    *({"game": game, **asked} for game, asked in DEMO_USUAL.items() if asked != ALL_GAMES[game].usual),
]


class Noting:
    """Stands for a process that counts: it notes what it should make ready."""

    def __init__(self) -> None:
        self.begun: list[tuple[Any, dict[str, Any]]] = []

    def begin(self, function: Any, asked: str) -> None:
        self.begun.append((function, json.loads(asked)))


@pytest.mark.parametrize("asked", TABLES, ids=lambda asked: " ".join(map(str, asked.values()))[:40])
def test_a_round_at_every_table_that_pages_open_asks_for_each_decision_on_its_way(asked: dict[str, Any]) -> None:
    *deciding, over = _decisions(json.dumps(asked))
    assert over.is_over
    assert all(round_.waits_for == (1,) for round_ in deciding)
    of_the_demo = asked["game"] != "blackjack" and DEMO_USUAL.get(asked["game"], {}).get("rules") == asked.get("rules")
    assert {str(round_.phase) for round_ in deciding} == {
        "three-card-baccarat": set(),
        "blackjack": {"bust wagers", "playing"},
        "free-bet-blackjack": {"playing"} if of_the_demo else {"insurance", "playing"},  # eight decks, other cards
        "blackjack-switch": {"second cards", "playing"},
        "super-fun-21": {"playing"},
        "zappit-blackjack": {"playing"} if of_the_demo else {"insurance", "playing"},
    }.get(asked["game"], {"deciding"})
    bets = [spot for spot in over.seats[1].wagers if spot not in ("play", "insurance", "bet-the-bust")]
    alone = asked["game"] == "caribbean-stud"  # which has one wager before the deal, and folds in this round
    assert len(bets) >= 1 + (not alone), "every wager before the deal is laid"


def test_a_page_makes_the_figures_of_its_table_ready(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    play: Play = room.app.state.play
    trainer, accountant = Noting(), Noting()
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(play, "trainer", trainer)
        meanwhile.setattr(play, "accountant", accountant)
        assert room.get("/play/blackjack", "").status_code == 200
    asked = {"game": "blackjack", **ALL_GAMES["blackjack"].usual}
    assert trainer.begun == [(make_hints_ready, asked)]
    assert accountant.begun == [(make_worth_ready, asked)]


def test_digests_are_counted_once_when_somebody_looks_at_the_games(room: Room) -> None:
    begin_digests.cache_clear()
    for _ in range(2):
        assert room.get("/play", "").status_code == 200
    assert begin_digests.cache_info().misses == 1
    begin_digests().join(timeout=60)
    assert not begin_digests().is_alive()
