"""The first start: a site, its first manager and the one-time code, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.compliance.profile import newest
from croupier.web.identity.callers import Caller
from croupier.web.identity.routes import FirstStart, first_start
from croupier.web.identity.sessions import PLACE_TRIES
from tests.web.signing_in import WRONG, PowerCut
from tests.web.support import PINS, MadeSite, Room, done, error_of, running


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Room]:
    with running(MadeSite(tmp_path)) as room:
        yield room


FIRST = {
    **{"title": "The Room", "profile": "washington", "zone": "America/Los_Angeles"},
    **{"person": "max", "name": "Max", "pin": PINS["max"]},
}


def test_the_first_start_takes_the_code_once(empty: Room) -> None:
    code = empty.runtime.first_code
    assert len(code) >= 16
    assert done(empty.get("/api/first-start", ""))["needed"]
    assert error_of(empty.post("/api/first-start", "", code="0" * 16, **FIRST)) == "wrong-code"
    weak = empty.post("/api/first-start", "", code=code, **{**FIRST, "pin": "123456"})
    assert error_of(weak) == "weak-pin"
    card = done(empty.post("/api/first-start", "", code=code, **FIRST))["card"]
    assert not done(empty.get("/api/first-start", ""))["needed"]
    assert empty.runtime.house.site.profile == newest("washington").name == "washington/2"
    assert done(empty.post("/api/sign-in", "", card=card, pin=PINS["max"]))["role"] == "manager"
    again = empty.post("/api/first-start", "", code=code, **FIRST)
    assert (again.status_code, error_of(again)) == (409, "already-created")
    assert empty.runtime.sessions.first_code() == ""


def test_a_first_start_whose_answer_was_lost_is_answered_again_until_somebody_signs_in(empty: Room) -> None:
    code = empty.runtime.first_code
    first = done(empty.post("/api/first-start", "", code=code, **FIRST))
    assert done(empty.post("/api/first-start", "", code=code, **FIRST)) == first
    for other in ({"name": "Eve"}, {"person": "eve"}, {"pin": WRONG}, {"card": "e" * 20}, {"code": "0" * 16}):
        refused = empty.post("/api/first-start", "", **{"code": code, **FIRST, **other})
        assert (refused.status_code, error_of(refused)) == (409, "already-created"), other
    answered = empty.post("/api/first-start", "", code=code, **FIRST)
    assert answered.headers["Cache-Control"] == "no-store"
    assert empty.runtime.house.site.book.entries == 2  # created, and the PIN noted
    assert error_of(empty.post("/api/sign-in", "", card=first["card"], pin=WRONG)) == "wrong-pin"
    done(empty.post("/api/sign-in", "", card=first["card"], pin=PINS["max"]))


@pytest.mark.parametrize("entries", [0, 1, 2])
def test_a_first_start_that_was_cut_off_is_made_up_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entries: int
) -> None:
    """Killed before the site is created, between its two entries, or before the PIN counts."""
    site = MadeSite(tmp_path)
    with running(site) as room:
        floor, code = room.runtime.floor, room.runtime.first_code
        do_site, done_so_far = floor.do_site, list[str]()

        def cut(act: Any) -> Any:
            if len(done_so_far) == entries:
                raise PowerCut
            done_so_far.append(act.kind)
            return do_site(act)

        with monkeypatch.context() as patch:
            patch.setattr(floor, "do_site", cut)
            patch.setattr(room.runtime.access, "set_hash", lambda *_, **__: (_ for _ in ()).throw(PowerCut))
            form = FirstStart.model_validate({"code": code, **FIRST})
            with pytest.raises(PowerCut):
                first_start(form, Caller(source="here"), room.runtime)
        assert done_so_far == ["create-site", "note-pin"][:entries]
    with running(site) as room:
        assert room.runtime.sessions.first_code() == code
        card = done(room.post("/api/first-start", "", code=code, **FIRST))["card"]
        assert done(room.post("/api/sign-in", "", card=card, pin=PINS["max"]))["role"] == "manager"
        kinds = [entry.kind for entry in room.runtime.reading.entries("site")]
        assert kinds == ["create-site", "note-pin", "note-access"], "the last is the sign-in"
        assert room.runtime.sessions.all_waiting() == []


def test_the_code_cannot_be_guessed_and_who_tries_keeps_nobody_out_who_has_it(empty: Room) -> None:
    for number in range(PLACE_TRIES):
        assert error_of(empty.post("/api/first-start", "", code=f"{number}", **FIRST)) == "wrong-code"
    assert error_of(empty.post("/api/first-start", "", code="0" * 16, **FIRST)) == "locked-out"
    done(empty.post("/api/first-start", "", code=empty.runtime.first_code, **FIRST))


def test_without_the_first_start_nobody_gets_in(empty: Room) -> None:
    assert error_of(empty.post("/api/sign-in", "", card="admin-admin-admin-admin", pin="482913")) == "unknown-card"


def test_everything_that_is_wrong_is_told_at_once_by_field(empty: Room) -> None:
    wrong = {"title": " ", "profile": "nevada", "zone": "Mars/Olympus", "person": "max", "name": "Max", "pin": "12345"}
    answered = empty.post("/api/first-start", "", code="0" * 16, **wrong)
    told = answered.json()["error"]
    assert (answered.status_code, told["code"]) == (422, "wrong-form")
    assert set(told["fields"]) == {"code", "title", "profile", "zone", "pin"}
    assert all(sentence in told["sentence"] for sentence in told["fields"].values())
    assert "12345" not in told["sentence"]  # a PIN is never repeated
    assert done(empty.get("/api/first-start", ""))["needed"]
    assert (
        error_of(empty.post("/api/first-start", "", code=empty.runtime.first_code, **{**FIRST, "zone": "Mars"}))
        == "wrong-form"
    )
