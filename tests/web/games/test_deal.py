"""The dealer's school over HTTP: lessons for anybody, results for whoever has signed in, graded by the server."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from croupier.training.lesson import Grade
from croupier.web.errors import ApiError
from croupier.web.games import results as training_store
from croupier.web.games.results import Result, TrainingStore
from croupier.web.games.training.deal import NOBODYS_ROUNDS
from croupier.web.transport.clients import Rate
from support.postgres import new_floor
from tests.web.support import Room, done, error_of

LESSON = "/api/deal/three-card-baccarat"
FEW = 20


@pytest.fixture
def few_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one person and game, so that a test reaches the end of them soon."""
    monkeypatch.setattr(training_store, "MOST_KEPT", FEW)


def perfect(lesson: dict[str, Any]) -> list[list[str]]:
    return [[step["answers"][0]] for step in lesson["steps"]]


def test_anybody_gets_a_lesson_and_the_same_seed_gives_it_again(room: Room) -> None:
    first = done(room.get(LESSON, ""))
    again = done(room.get(f"{LESSON}?seed={first['seed']}", ""))
    assert again == first
    assert {step["paragraph"] for step in first["steps"]} == set(first["paragraphs"])
    assert all(step["felt"] < len(first["felts"]) for step in first["steps"])
    shown = first["felts"][first["steps"][0]["felt"]]
    assert not any(seat["hands"] for seat in shown["seats"])
    assert first["felts"][-1]["settled"] == len(first["settlements"])


def test_results_are_graded_by_the_server_kept_once_and_ones_own(room: Room) -> None:
    lesson = done(room.get(f"{LESSON}?seed=own&seats=2", "ann card"))
    said = perfect(lesson)
    said[0].insert(0, "settle")
    body = {"id": "lesson 1", "seed": "own", "seats": 2, "answers": said, "ms": 41_000}
    kept = done(room.post(f"{LESSON}/results", "ann card", **body))["results"]
    assert [(each["steps"], each["right"], each["mistakes"], each["ms"]) for each in kept] == [
        (len(said), len(said) - 1, {"next": 1}, 41_000)
    ]
    assert done(room.post(f"{LESSON}/results", "ann card", **body))["results"] == kept
    another = {**body, "answers": perfect(lesson)}
    for changed in (another, {**body, "ms": 1}):
        other = room.post(f"{LESSON}/results", "ann card", **changed)
        assert (other.status_code, error_of(other)) == (409, "id-used")
    assert done(room.get(f"{LESSON}/results", "ann card"))["results"] == kept
    assert done(room.get(f"{LESSON}/results", "max"))["results"] == []
    assert done(room.get("/api/deal/blackjack/results", "ann card"))["results"] == []
    refused = room.post(f"{LESSON}/results", "ann card", **{**body, "id": "lesson 2", "answers": said[:-1]})
    assert "do not fit" in refused.json()["error"]["sentence"]
    assert room.get(f"{LESSON}/results", "").status_code == 401


def _asked(step: dict[str, Any]) -> dict[str, Any]:
    """All of it, but which one of its lesson it is."""
    return {key: value for key, value in step.items() if key != "place"}


def test_a_lesson_asks_for_calls_and_handling_where_that_is_wanted(room: Room) -> None:
    """An address that was saved before goes on with the questions that it had."""
    plain = done(room.get("/api/deal/triple-shot-rummy?seed=own&seats=2", "ann card"))
    lesson = done(room.get("/api/deal/triple-shot-rummy?seed=own&seats=2&handling=true", "ann card"))
    more = [step for step in lesson["steps"] if step["kind"] in ("call", "handle", "irregular")]
    assert [step["place"] for step in lesson["steps"]] == list(range(len(lesson["steps"])))
    assert [_asked(step) for step in lesson["steps"] if step not in more] == [_asked(step) for step in plain["steps"]]
    assert {step["kind"] for step in more} == {"call", "handle", "irregular"}
    body = {"id": "handled", "seed": "own", "seats": 2, "answers": perfect(lesson), "ms": 1}
    refused = room.post("/api/deal/triple-shot-rummy/results", "ann card", **body)
    assert "do not fit" in refused.json()["error"]["sentence"]
    [kept] = done(room.post("/api/deal/triple-shot-rummy/results", "ann card", handling=True, **body))["results"]
    assert (kept["steps"], kept["right"]) == (len(lesson["steps"]), len(lesson["steps"]))


@pytest.mark.usefixtures("few_are_kept")
def test_no_more_results_are_kept_than_anybody_looks_at(room: Room) -> None:
    store = room.app.state.training
    lesson = done(room.get(f"{LESSON}?seed=many&seats=1", ""))
    body = {"seed": "many", "seats": 1, "answers": perfect(lesson), "ms": 1}
    done(room.post(f"{LESSON}/results", "max", id="first", **body))
    [result] = store.results("max", "three-card-baccarat")
    for number in range(FEW + 1):
        store.keep(
            "max",
            f"n{number}",
            result.__class__(
                **{**vars(result), "ms": number, "at": result.at.replace(year=2100 + number // 400, microsecond=number)}
            ),
        )
    kept = store.results("max", "three-card-baccarat")
    assert len(kept) == FEW
    assert kept[-1].ms == FEW


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
@pytest.mark.usefixtures("few_are_kept")
def test_two_servers_on_one_store_keep_a_result_once_and_find_it_again(tmp_path: Path, kind: str) -> None:
    url = f"sqlite:///{tmp_path}/f.db" if kind == "sqlite" else new_floor()
    here, there = TrainingStore(url), TrainingStore(url)
    grade = Grade(steps=12, right=10, mistakes={"next": 1, "pays": 1})
    first = Result("blackjack", datetime(2026, 11, 16, 9, 30, 0, 123456), "monday", 3, grade, 95_000)
    later = replace(first, at=first.at + timedelta(hours=1), seed="späte Übung", ms=81_000)
    there.keep("ann", "l2", later)
    for store in (here, there, here):
        store.keep("ann", "l1", first)
    with pytest.raises(ApiError, match="sent with another lesson"):  # the same id: what came first counts
        there.keep("ann", "l1", replace(first, ms=1))
    here.keep("bob", "l1", later)
    assert here.results("ann", "blackjack") == there.results("ann", "blackjack") == [first, later]
    assert here.results("bob", "blackjack") == [later]
    assert here.results("ann", "supreme-99") == []
    for number in range(FEW):
        here.keep("ann", f"n{number}", replace(later, at=later.at + timedelta(seconds=number + 1)))
    kept = there.results("ann", "blackjack")
    assert len(kept) == FEW
    assert kept[0].at == later.at + timedelta(seconds=1)
    assert here.results("bob", "blackjack") == [later]
    for store in (here, there):
        store.close()


def test_what_is_no_lesson_is_refused_with_the_reason(room: Room) -> None:
    assert room.get(f"{LESSON}?seed=no+spaces", "").status_code == 422
    assert room.get(f"{LESSON}?seats=8", "").status_code == 422
    assert "1 to 6 seats" in room.get("/api/deal/supreme-99?seats=7", "").json()["error"]["sentence"]
    assert room.get("/api/deal/poker", "").status_code == 404


def test_a_drill_is_for_anybody_and_a_lesson_has_the_rules_that_were_chosen(room: Room) -> None:
    drill = done(room.get(f"{LESSON}/drill?drill=commission&many=4&seed=d", ""))
    asked = [(lesson, step) for lesson in drill["lessons"] for step in lesson["steps"]]
    assert (drill["title"], [step["kind"] for _, step in asked]) == ("Commission", ["commission"] * 4)
    lesson, step = asked[0]
    again = done(room.get(f"{LESSON}/drill?again={lesson['seed']}:{lesson['seats']}:{step['place']}", ""))
    assert [each["steps"] for each in again["lessons"]] == [[step]]
    wrong = room.get(f"{LESSON}/drill?drill=dancing", "")
    assert (wrong.status_code, "payments" in wrong.json()["error"]["sentence"]) == (404, True)
    other = "/api/deal/triple-shot-rummy?seed=own&seats=1&paytable=pair-plus:3"
    assert done(room.get(other, "ann card"))["table"]["spots"][2]["paytable"] == "3"
    body = {
        "id": "by table 3",
        "seed": "own",
        "seats": 1,
        "answers": perfect(done(room.get(other, "ann card"))),
        "ms": 1,
    }
    [kept] = done(room.post("/api/deal/triple-shot-rummy/results", "ann card", paytables={"pair-plus": "3"}, **body))[
        "results"
    ]
    assert kept["right"] == kept["steps"]


def test_a_drill_costs_whoever_has_not_signed_in_an_opening_for_each_round_that_is_made(room: Room) -> None:
    made = done(room.get("/api/deal/casino-war/drill?drill=payments&many=6&seed=d", ""))["lessons"]
    rounds = 1 + max(int(each["seed"].removeprefix("d-")) for each in made)
    assert rounds > 1
    room.app.state.play.openings = Rate(rounds)
    asked = "/api/deal/casino-war/drill?drill=payments&many=6&seed=d"
    done(room.get(asked, ""))
    refused = room.get("/api/deal/casino-war/drill?drill=payments&many=1&seed=d", "")
    assert (refused.status_code, error_of(refused)) == (429, "too-many-tries")
    done(room.get(asked, "ann card"))


def test_questions_of_many_rounds_are_asked_again_of_whoever_has_signed_in(room: Room) -> None:
    again = "&".join(f"again=r{number}:1:0" for number in range(NOBODYS_ROUNDS + 1))
    refused = room.get(f"/api/deal/casino-war/drill?{again}", "")
    assert (refused.status_code, f"at most {NOBODYS_ROUNDS} rounds" in refused.text) == (422, True)
    made = done(room.get(f"/api/deal/casino-war/drill?{again}", "ann card"))
    assert len(made["lessons"]) == NOBODYS_ROUNDS + 1


def test_a_drill_is_not_made_where_rounds_are_dealt(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    async def none(_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(room.app.state.play.turns, "do", none)
    done(room.get("/api/deal/casino-war/drill?drill=payments&many=1&seed=d", ""))
