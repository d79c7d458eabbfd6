"""The class of the dealer's school: drills are kept, everybody sees their own, and a trainer sees the class."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from croupier.compliance.authority import Role
from croupier.errors import NotationError
from croupier.floor.people import Person
from croupier.training.drill import MOST_QUESTIONS
from croupier.training.lesson import Grade, PassMark
from croupier.web.games.results import LATELY, SUFFIX, Progress, Result, TrainingStore
from croupier.web.games.training.school import certificate
from tests.web.games.test_deal import perfect
from tests.web.support import Room, done, error_of

GAME = "/api/deal/three-card-baccarat"
DAY = datetime(2026, 11, 16, 9, 30)


def drilled(room: Room, asked: str) -> tuple[dict[str, Any], list[list[str]]]:
    found = done(room.get(f"{GAME}/drill?{asked}", "ann card"))
    return found, [said for lesson in found["lessons"] for said in perfect(lesson)]


def test_a_drill_is_graded_by_the_server_and_kept_beside_whole_rounds(room: Room) -> None:
    found, said = drilled(room, "drill=payments&seed=monday&many=4")
    assert found["seed"] == "monday"
    said[1].insert(0, "1")
    body = {"id": "d1", "drill": "payments", "seed": "monday", "many": 4, "answers": said, "ms": 9_000}
    kept = done(room.post(f"{GAME}/results", "ann card", **body))
    assert kept["results"] == []
    [one] = kept["drills"]
    assert (one["drill"], one["title"], one["in_time"]) == ("payments", "Payments", False)
    assert (one["steps"], one["right"], one["mistakes"]) == (4, 3, {"pay": 1})
    assert done(room.post(f"{GAME}/results", "ann card", **body)) == kept
    short = room.post(f"{GAME}/results", "ann card", **{**body, "id": "d2", "answers": said[:2]})
    assert "2 answers do not fit a drill of 4 questions" in short.json()["error"]["sentence"]
    in_time = {**body, "id": "d3", "many": MOST_QUESTIONS, "in_time": True}
    _, more = drilled(room, f"drill=payments&seed=monday&many={MOST_QUESTIONS}")
    kept = done(room.post(f"{GAME}/results", "ann card", **{**in_time, "answers": more[:5]}))
    assert [(each["steps"], each["in_time"]) for each in kept["drills"]] == [(4, False), (5, True)]
    assert (
        "must be said" in room.post(f"{GAME}/results", "ann card", **{**body, "seed": ""}).json()["error"]["sentence"]
    )


def test_ones_own_mistakes_are_a_drill_too(room: Room) -> None:
    found, said = drilled(room, "again=b137:2:3&again=b137:2:5")
    assert found["seed"] == ""
    body = {"id": "m1", "drill": "mistakes", "again": ["b137:2:3", "b137:2:5"], "answers": said, "ms": 1}
    [kept] = done(room.post(f"{GAME}/results", "ann card", **body))["drills"]
    assert (kept["drill"], kept["title"], kept["steps"]) == ("mistakes", "Your mistakes", 2)


def test_everybody_sees_their_own_and_a_trainer_sees_the_class(room: Room) -> None:
    _, said = drilled(room, "drill=order&seed=own&many=3")
    done(room.post(f"{GAME}/results", "ann card", id="o1", drill="order", seed="own", many=3, answers=said, ms=1))
    own = done(room.get("/api/school/me", "ann card"))
    assert (own["person"], own["questions"], own["right"], own["passed"]) == ("ann", 3, 3, False)
    [game] = own["games"]
    assert [(each["title"], each["times"]) for each in game["done"]] == [("Order", 1)]
    assert done(room.get("/api/school/me", "max"))["games"] == []
    for trainer in ("max", "sue"):
        listed = {each["person"]: each for each in done(room.get("/api/school", trainer))["trainees"]}
        assert listed["ann"] == own
        assert listed["dan"]["last"] is None  # a dealer who has not begun
        assert "eve" not in listed
    for other in ("ann card", "eve"):
        assert (room.get("/api/school", other).status_code, error_of(room.get("/api/school", other))) == (
            403,
            "pin-needed" if other == "ann card" else "not-allowed",
        )
    assert room.get("/api/school", "").status_code == 401


def test_a_certificate_is_ones_own_or_a_trainers_to_print(room: Room) -> None:
    none = room.get("/api/school/ann/certificate.pdf", "ann card")
    assert (none.status_code, error_of(none)) == (404, "nothing-yet")
    _, said = drilled(room, "drill=order&seed=own&many=3")
    done(room.post(f"{GAME}/results", "ann card", id="o1", drill="order", seed="own", many=3, answers=said, ms=1))
    for who in ("ann card", "max"):
        paper = room.get("/api/school/ann/certificate.pdf", who)
        assert (paper.status_code, paper.headers["content-type"]) == (200, "application/pdf")
        assert paper.content.startswith(b"%PDF")
        assert "record-of-practice-ann.pdf" in paper.headers["content-disposition"]  # three questions are too few
    assert room.get("/api/school/ann/certificate.pdf", "eve").status_code == 403
    assert room.get("/api/school/ghost/certificate.pdf", "eve").status_code == 403  # not even whether there is one
    assert room.get("/api/school/ghost/certificate.pdf", "max").status_code == 404


def test_a_certificate_names_person_games_drills_score_and_date(tmp_path: Path) -> None:
    store = TrainingStore(f"sqlite:///{tmp_path}/f.db")
    for number in range(LATELY + 2):  # the two oldest are too long ago for the last column
        right = 10 if number > 1 else 0
        grade = Grade(10, right, {})
        store.keep("ann", f"r{number}", Result("blackjack", DAY + timedelta(hours=number), "s", 3, grade, 1))
    store.keep("ann", "d", Result("casino-war", DAY, "s", 3, Grade(3, 2, {"pay": 1}), 1, "payments", in_time=True))
    progress = store.progress("ann")["ann"]
    assert progress == store.progress()["ann"]
    store.close()
    person = Person("ann", "Ann Bell", Role.DEALER)
    below = certificate(person, progress, PassMark(72), "The Room", "2026-11-18")
    assert (below.title, below.signatures) == ("Record of practice in the dealer's school", ())
    assert "72% right at once, of at least 50 questions: not reached" in dict(below.facts)["Pass mark"]
    page = certificate(person, progress, PassMark(71), "The Room", "2026-11-18")
    assert (page.title, len(page.signatures)) == ("Certificate of the dealer's school", 3)
    assert (page.headline, dict(page.facts)["Date"]) == ("Ann Bell", "2026-11-18")
    assert dict(page.facts)["Score"] == "71% right at once: 52 of 73 questions"
    assert dict(page.facts)["Games"] == "Blackjack, Casino War"
    games, drills = page.tables
    assert games.rows == (("Blackjack", "7", "0", "70", "71%", "100%"), ("Casino War", "0", "1", "3", "66%", "–"))
    assert drills.rows == (("Casino War", "Payments, against the clock", "1", "3", "66%"),)
    assert Progress().lately == ()


def test_a_pass_mark_takes_its_share_of_enough_questions() -> None:
    mark = PassMark(80, questions=50)
    reached = {(40, 50): True, (39, 50): False, (49, 49): False, (0, 1_000): False, (800, 1_000): True}
    assert {case: mark.is_reached(right=case[0], questions=case[1]) for case in reached} == reached
    for percent in (0, 101, -5):
        with pytest.raises(NotationError, match=f"1 to 100 percent.*not {percent}"):
            PassMark(percent)


def test_results_of_earlier_servers_are_whole_rounds(tmp_path: Path) -> None:
    """Their table has no column for drills."""
    url = f"sqlite:///{tmp_path}/f.db"
    first = TrainingStore(url)
    first.keep("ann", "l1", Result("blackjack", DAY, "monday", 3, Grade(12, 10, {}), 5))
    first.close()
    [beside] = [each for each in tmp_path.iterdir() if each.name.endswith(SUFFIX)]
    engine = create_engine(f"sqlite:///{beside}")
    with engine.begin() as db:
        db.execute(text("ALTER TABLE training_results DROP COLUMN drill"))
        db.execute(text("ALTER TABLE training_results DROP COLUMN in_time"))
    engine.dispose()
    again = TrainingStore(url)
    [kept] = again.results("ann", "blackjack")
    assert (kept.drill, kept.in_time, kept.grade.right) == ("", False, 10)
    assert again.drills("ann", "blackjack") == []
    again.close()
