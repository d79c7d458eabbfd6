"""PINs: who may set them, that each one is on the record, and what a power cut leaves of them."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.progressive.site_acts import NotePin
from tests.web.signing_in import WRONG, PowerCut, sign_in
from tests.web.support import PINS, MadeSite, Room, done, error_of, running


def test_a_pin_that_anybody_would_try_is_refused(room: Room) -> None:
    for pin in ("1234", "1234567890123", "12345a", "", "123456", "111111", "121212", "１２３４５６", "48 291"):
        refused = room.act("/api/site/set-pin", person="sue", pin=pin)
        assert (refused.status_code, error_of(refused)) == (422, "weak-pin"), pin


def test_ones_own_pin_takes_the_old_one_and_ends_every_session(room: Room) -> None:
    refused = room.act("/api/site/set-pin", "sue", person="sue", pin="908172", old_pin=WRONG)
    assert (refused.status_code, error_of(refused)) == (403, "wrong-pin")
    assert error_of(room.act("/api/site/set-pin", "sue", person="sue", pin="908172")) == "wrong-pin"
    done(room.act("/api/site/set-pin", "sue", person="sue", pin="908172", old_pin=PINS["sue"]))
    assert error_of(room.get("/api/me", "sue")) == "signed-out"
    assert error_of(sign_in(room, "sue", PINS["sue"])) == "wrong-pin"
    done(sign_in(room, "sue", "908172"))


def test_only_a_manager_sets_another_persons_pin(room: Room) -> None:
    assert error_of(room.act("/api/site/set-pin", "sue", person="eve", pin="908172")) == "not-allowed"
    done(room.act("/api/site/set-pin", "max", person="eve", pin="908172"))
    done(sign_in(room, "eve", "908172"))


def pin_entries(room: Room, after: int = 0) -> list[Any]:
    """Which PINs the site's book says were set: whose and by whom."""
    entries = room.runtime.reading.entries("site", after=after, limit=1_000)
    return [(entry.facts["person"], entry.facts["by"]) for entry in entries if entry.kind == "note-pin"]


def test_every_pin_is_on_the_record_and_only_that_it_was_set(room: Room) -> None:
    made = [(person, "max") for person in PINS]
    assert pin_entries(room) == made  # at the first start, and when they were enrolled
    said = {"id": "e1", "person": "zoe", "name": "Zoe", "role": "supervisor", "card": "z" * 32, "pin": WRONG}
    said["second_ticket"] = room.second("/api/site/enrol-person", dict(said))
    assert done(room.post("/api/site/enrol-person", **said)) == done(room.post("/api/site/enrol-person", **said))
    assert pin_entries(room) == [*made, ("zoe", "max")]
    done(room.act("/api/site/set-pin", "sue", person="sue", pin=WRONG, old_pin=PINS["sue"]))
    assert pin_entries(room) == [*made, ("zoe", "max"), ("sue", "sue")]
    book = room.runtime.reading.entries("site", after=0, limit=1_000)
    assert not [entry for entry in book if WRONG in str(entry.facts) or PINS["max"] in str(entry.facts)]


def test_under_a_known_id_no_other_pin_is_set(room: Room) -> None:
    """Else a manager could take over another's PIN and the book would show one change only."""
    first = done(room.post("/api/site/set-pin", id="p1", person="aud", pin="739154"))
    assert done(room.post("/api/site/set-pin", id="p1", person="aud", pin="739154")) == first
    refused = room.post("/api/site/set-pin", id="p1", person="aud", pin="915736")
    assert (refused.status_code, error_of(refused)) == (409, "id-reused")
    done(sign_in(room, "aud", "739154"))
    done(room.post("/api/site/set-pin", id="p2", person="aud", pin="204857"))
    assert error_of(room.post("/api/site/set-pin", id="p1", person="aud", pin="739154")) == "id-reused"
    done(sign_in(room, "aud", "204857"))
    with_id_of_another_act = room.post("/api/site/set-pin", id="p2", person="sue", pin="739154")
    assert error_of(with_id_of_another_act) == "id-reused"
    done(sign_in(room, "sue", PINS["sue"]))


@pytest.mark.parametrize("written", [False, True])
def test_a_pin_that_was_cut_off_counts_if_it_is_on_the_record(
    site: MadeSite, monkeypatch: pytest.MonkeyPatch, *, written: bool
) -> None:
    act = NotePin(id="p1", by="max", person="sue")
    with running(site) as room:
        runtime = room.runtime
        with monkeypatch.context() as patch:
            cut_off = (runtime.access, "set_hash") if written else (runtime.floor, "do_site")
            patch.setattr(*cut_off, lambda *_: (_ for _ in ()).throw(PowerCut))
            with pytest.raises(PowerCut):
                runtime.pins.set(runtime.floor, act, "sue", WRONG)
        done(sign_in(room, "sue", PINS["sue"]))
    with running(site) as room:
        done(sign_in(room, "sue", WRONG if written else PINS["sue"]))
        assert pin_entries(room)[len(PINS) :] == [("sue", "max")] * written


def test_a_person_without_a_pin_cannot_guess_one(room: Room) -> None:
    assert error_of(sign_in(room, "ann", "482913")) == "wrong-pin"
