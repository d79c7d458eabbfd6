"""Figures and the lab for whoever has not signed in: bounded, in nobody's way; refusals as our own pages hear them."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.games.catalogue import ALL_GAMES
from croupier.web.games import questions
from croupier.web.transport.clients import Rate
from tests.web.support import Room, done

QUICK = "three-card-baccarat"


def test_a_stranger_reads_the_figures_of_a_game_and_nothing_of_the_houses_file(room: Room) -> None:
    told = done(room.client.get(f"/api/figures/{QUICK}"))
    assert set(told) <= set(questions.FIGURES)
    par = done(room.get(f"/api/par/{QUICK}.json", "max"))
    assert told["sheets"] == par["sheets"]
    assert room.client.get(f"/api/par/{QUICK}.json").status_code == 401
    assert room.client.post("/api/jobs/simulate", json={}).status_code == 401


def test_the_edge_of_a_tile_is_that_of_the_sheet(room: Room) -> None:
    told = done(room.client.get(f"/api/edges/{QUICK}"))
    asked = {"wager": ALL_GAMES[QUICK].wagers[0].key}
    sheets: list[dict[str, Any]] = room.client.get(f"/api/odds/{QUICK}", params=asked).json()
    assert told["house_edge"] == sheets[0]["house_edge"]


def test_strangers_ask_so_often_as_a_class_and_whoever_has_signed_in_does_not_wait(room: Room) -> None:
    play: Any = room.app.state.play
    play.figures = Rate(2)
    for _ in range(2):
        done(room.client.get(f"/api/edges/{QUICK}"))
    refused = room.client.get(f"/api/edges/{QUICK}")
    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "too-many-tries")
    assert "Retry-After" in refused.headers
    done(room.get(f"/api/edges/{QUICK}", "max"))
    assert not play.public._queues, "nobody is left in a queue"


@pytest.mark.parametrize("told", [True, False])
def test_our_pages_hear_a_refusal_as_an_answer_and_programs_its_status(room: Room, told: bool) -> None:
    headers = {"X-Refusals": "told"} if told else {}
    refused = room.client.get("/api/rounds/rnd_none", headers=headers)
    assert refused.json()["error"]["code"] == "no-such-round"
    assert (refused.status_code, refused.headers.get("x-status")) == ((200, "404") if told else (404, None))


def test_whoever_guesses_cannot_have_it_hidden_from_a_proxy(room: Room) -> None:
    """What watches a proxy's log for 401 and 429 sees each of them."""
    asks = {"X-Refusals": "told", "X-Croupier": "page"}
    for path, body in (("/api/sign-in", {"card": "0" * 40, "pin": "314159"}), ("/api/links/main/start", {"id": "x"})):
        refused = room.client.post(path, json=body, headers=asks)
        assert (refused.status_code, refused.headers.get("x-status")) == (401, None), refused.text
    play: Any = room.app.state.play
    play.figures = Rate(1)
    done(room.client.get(f"/api/edges/{QUICK}"))
    assert room.client.get(f"/api/edges/{QUICK}", headers=asks).status_code == 429
