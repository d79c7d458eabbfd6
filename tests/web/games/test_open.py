"""Figures and the lab for whoever has not signed in: bounded, in nobody's way; refusals as our own pages hear them."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.games.catalogue import ALL_GAMES
from croupier.web.games import edges, questions
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


def test_every_edge_is_told_at_once_and_nothing_is_begun_for_what_was_delivered(room: Room) -> None:
    play: Any = room.app.state.play
    told = done(room.client.get("/api/edges"))["edges"]
    while any(each["counting"] for each in told):  # looked up beside the server's work
        told = done(room.client.get("/api/edges"))["edges"]
    assert [each["game"] for each in told] == list(ALL_GAMES)
    assert {each["game"]: each["edge"] for each in told} == {
        key: questions.edge(key, str(game.usual.get("rules", ""))) for key, game in ALL_GAMES.items()
    }
    assert play.public._pool is None


def test_an_edge_that_was_not_delivered_is_counted_beside_and_one_that_cannot_be_is_said_to_be_none(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another definition: the first answer says that it is counted, a later one what it came to."""
    play: Any = room.app.state.play
    about = (QUICK, "")
    monkeypatch.setitem(edges._looked_up, about, None)
    answers: dict[str, Any] = {}
    begun = []

    def told() -> dict[str, Any]:
        return next(each for each in done(room.client.get("/api/edges"))["edges"] if each["game"] == QUICK)

    monkeypatch.setattr(play.public, "begin", lambda _, *asked: begun.append(asked))
    monkeypatch.setattr(play.public, "known", lambda _, *asked: answers.get("known"))
    monkeypatch.setattr(play.public, "is_given_up", lambda _, *asked: answers.get("given up", False))
    assert (told()["edge"], told()["counting"], begun[0]) == (None, True, about)
    answers["given up"] = True
    assert (told()["edge"], told()["counting"]) == (None, False)
    answers["known"] = questions.edge(*about)
    assert (told()["edge"], told()["counting"]) == (answers["known"], False)


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
