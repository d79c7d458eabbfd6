"""PINs: who may set them, that each one is on the record, and what a power cut leaves of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from croupier.floor.site.acts import NotePin
from croupier.web.identity.sessions import TRIES, PinToSet
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
    said = {"person": "sue", "pin": "908172", "old_pin": PINS["sue"]}
    assert error_of(room.act("/api/site/set-pin", "sue", **said)) == "card-needed"
    assert error_of(room.act("/api/site/set-pin", "sue", **said, card=room.site.cards["eve"])) == "other-card"
    assert error_of(room.act("/api/site/set-pin", "sue", **said, card="n" * 32)) == "unknown-card"
    done(room.act("/api/site/set-pin", "sue", **said, card=room.site.cards["sue"]))
    assert error_of(room.get("/api/me", "sue")) == "signed-out"
    assert error_of(sign_in(room, "sue", PINS["sue"])) == "wrong-pin"
    done(sign_in(room, "sue", "908172"))


def test_only_two_people_set_another_persons_pin(room: Room) -> None:
    assert error_of(room.act("/api/site/set-pin", "sue", person="eve", pin="908172")) == "not-allowed"
    assert error_of(room.act("/api/site/set-pin", "max", person="eve", pin="908172")) == "second-missing"
    assert error_of(room.act_of_two("/api/site/set-pin", "max", "sue", person="eve", pin="908172")) == "not-allowed"
    done(sign_in(room, "eve", PINS["eve"]))
    done(room.act_of_two("/api/site/set-pin", "max", "mia", person="eve", pin="908172"))
    done(sign_in(room, "eve", "908172"))
    done(room.act("/api/site/set-pin", "max", person="ann", pin="908172"))  # a dealer, whose card pays nothing


def headers(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_pin_that_somebody_else_has_set_counts_for_nothing_but_choosing_another(site: MadeSite) -> None:
    """Else a manager who knows it, and has seen the card, would be two people."""
    body = {"id": "c1", "zone": "America/New_York", "day_begins": 7}
    with running(site) as room:
        done(room.act_of_two("/api/site/set-pin", "max", "mia", person="eve", pin=WRONG))
    with running(site) as room:  # a server that starts anew knows it too
        agrees = {"card": site.cards["eve"], "pin": WRONG, "act": "set-clock", "id": "c1", "body": body}
        assert error_of(room.post("/api/second-person", "max", **agrees)) == "pin-to-change"
        made = done(sign_in(room, "eve", WRONG))
        assert (made["console"], made["pin_to_change"]) == (False, True)
        eve = headers(made["token"])
        act = {"id": "d1", "balance_cents": 1}
        assert error_of(room.client.post("/api/site/declare-bank", headers=eve, json=act)) == "pin-to-change"
        start = {"id": "s1", "table": 1, "lit": [1], "based": [1]}
        assert error_of(room.client.post("/api/links/main/start", headers=eve, json=start)) == "pin-to-change"
        assert "people" not in done(room.client.get("/api/site", headers=eve))
        other = {"id": "p8", "person": "ann", "pin": "470915"}
        assert error_of(room.client.post("/api/site/set-pin", headers=eve, json=other)) == "pin-to-change"
        own = {"id": "p9", "person": "eve", "pin": WRONG, "old_pin": WRONG, "card": site.cards["eve"]}
        assert error_of(room.client.post("/api/site/set-pin", headers=eve, json=own)) == "same-pin"
        done(room.client.post("/api/site/set-pin", headers=eve, json={**own, "pin": "470915"}))
        assert done(sign_in(room, "eve", "470915"))["console"]
        done(room.post("/api/second-person", "max", **{**agrees, "pin": "470915"}))


def test_a_manager_who_kept_a_dealers_card_and_pin_is_not_the_executive_whom_two_others_make_of_the_dealer(
    room: Room,
) -> None:
    """One manager alone gives a dealer both, and could choose the PIN under the dealer's name."""
    card, was, own = "a-card-that-max-has-copied-01", "470915", "908172"
    done(room.act("/api/site/enrol-person", person="zoe", name="Zoe", role="dealer", card=card, pin=was))
    zoe = headers(done(room.post("/api/sign-in", "", card=card, pin=was))["token"])
    chosen = {"id": "p1", "person": "zoe", "pin": own, "old_pin": was, "card": card}
    done(room.client.post("/api/site/set-pin", headers=zoe, json=chosen))
    zoe = headers(done(room.post("/api/sign-in", "", card=card, pin=own))["token"])
    done(room.act_of_two("/api/site/change-role", "mia", "eve", person="zoe", role="executive"))

    body = {"id": "c1", "zone": "America/New_York", "day_begins": 7}
    agrees = {"card": card, "pin": own, "act": "set-clock", "id": "c1", "body": body}
    assert error_of(room.post("/api/second-person", "max", **agrees)) == "revoked-card"
    assert error_of(room.client.get("/api/me", headers=zoe)) == "signed-out"
    assert error_of(room.post("/api/sign-in", "", card=card, pin=own)) == "revoked-card"
    refused = room.act("/api/site/replace-card", person="zoe")
    assert error_of(refused) == "second-missing"
    new = done(room.act_of_two("/api/site/replace-card", "mia", "eve", person="zoe"))["card"]
    assert error_of(room.post("/api/second-person", "max", **{**agrees, "card": new})) == "no-key"
    assert done(room.post("/api/sign-in", "", card=new, pin=own))["role"] == "executive"


def test_the_first_manager_alone_gives_the_second_one_a_first_pin_and_no_other(tmp_path: Path) -> None:
    with running(MadeSite(tmp_path)) as room:
        first = {"title": "The Room", "profile": "washington", "zone": "UTC", "person": "max", "name": "Max"}
        code, pin = room.runtime.first_code, PINS["max"]
        room.site.cards["max"] = done(room.post("/api/first-start", "", code=code, pin=pin, **first))["card"]
        made = done(sign_in(room, "max", pin))
        assert (made["console"], made["pin_to_change"]) == (True, False)
        room.site.tokens["max"] = made["token"]
        done(room.act("/api/site/enrol-person", person="mia", name="Mia", role="manager"))
        done(room.act("/api/site/set-pin", person="mia", pin=PINS["mia"]))
        assert error_of(room.act("/api/site/set-pin", person="mia", pin=WRONG)) == "second-missing"


def test_ones_own_pin_is_changed_once_however_often_it_is_sent(room: Room) -> None:
    body = {"id": "p1", "person": "sue", "pin": WRONG, "old_pin": PINS["sue"], "card": room.site.cards["sue"]}
    first = done(room.post("/api/site/set-pin", "sue", **body))
    again = headers(done(sign_in(room, "sue", WRONG))["token"])
    assert done(room.client.post("/api/site/set-pin", headers=again, json=body)) == first
    guess = {**body, "pin": "470915"}
    tries = [room.client.post("/api/site/set-pin", headers=again, json=guess) for _ in range(TRIES + 1)]
    assert [error_of(each) for each in tries] == ["id-reused"] * TRIES + ["locked-out"], "guesses are counted"


def pin_entries(room: Room, after: int = 0) -> list[Any]:
    """Which PINs the site's book says were set: whose and by whom."""
    entries = room.runtime.reading.entries("site", after=after, limit=1_000)
    kinds = [entry for entry in entries if entry.kind == "note-pin" or entry.facts.get("with_pin")]
    return [(entry.facts["person"], entry.facts["by"]) for entry in kinds]


def test_every_pin_is_on_the_record_and_only_that_it_was_set(room: Room) -> None:
    made = [(person, person) for person in PINS]
    assert pin_entries(room) == made
    said = {"id": "e1", "person": "zoe", "name": "Zoe", "role": "supervisor", "card": "z" * 32, "pin": WRONG}
    said["second_ticket"] = room.second("/api/site/enrol-person", dict(said))
    assert done(room.post("/api/site/enrol-person", **said)) == done(room.post("/api/site/enrol-person", **said))
    assert pin_entries(room) == [*made, ("zoe", "max")]
    own = {"person": "sue", "pin": WRONG, "old_pin": PINS["sue"], "card": room.site.cards["sue"]}
    done(room.act("/api/site/set-pin", "sue", **own))
    assert pin_entries(room) == [*made, ("zoe", "max"), ("sue", "sue")]
    book = room.runtime.reading.entries("site", after=0, limit=1_000)
    assert not [entry for entry in book if WRONG in str(entry.facts) or PINS["max"] in str(entry.facts)]


def test_under_a_known_id_no_other_pin_is_set(room: Room) -> None:
    """Else a manager could take over another's PIN and the book would show one change only."""

    def set_pin(id: str, pin: str, person: str = "aud") -> Any:
        return room.act_of_two("/api/site/set-pin", id=id, person=person, pin=pin)

    first = done(set_pin("p1", "739154"))
    assert done(set_pin("p1", "739154")) == first
    refused = set_pin("p1", "915736")
    assert (refused.status_code, error_of(refused)) == (409, "id-reused")
    done(sign_in(room, "aud", "739154"))
    done(set_pin("p2", "204857"))
    assert error_of(set_pin("p1", "739154")) == "id-reused"
    done(sign_in(room, "aud", "204857"))
    assert error_of(set_pin("p2", "739154", "sue")) == "id-reused"  # the id of another act
    done(sign_in(room, "sue", PINS["sue"]))


@pytest.mark.parametrize("written", [False, True])
def test_a_pin_that_was_cut_off_counts_if_it_is_on_the_record(
    site: MadeSite, monkeypatch: pytest.MonkeyPatch, *, written: bool
) -> None:
    act = NotePin(id="p1", by="sue", person="sue")
    chosen = PinToSet("sue", WRONG, site.cards["sue"])
    with running(site) as room:
        runtime = room.runtime
        key = runtime.floor.site.people.keys["sue"]
        with monkeypatch.context() as patch:
            cut_off = (runtime.access, "set_hash") if written else (runtime.floor, "do_site")
            patch.setattr(*cut_off, lambda *_, **__: (_ for _ in ()).throw(PowerCut))
            with pytest.raises(PowerCut):
                runtime.pins.set(runtime.floor, act, chosen)
        done(sign_in(room, "sue", PINS["sue"]))
    with running(site) as room:
        done(sign_in(room, "sue", WRONG if written else PINS["sue"]))
        assert pin_entries(room)[len(PINS) :] == [("sue", "sue")] * written
        assert (room.runtime.floor.site.people.keys["sue"] != key) == written


def test_a_person_without_a_pin_cannot_guess_one(room: Room) -> None:
    assert error_of(sign_in(room, "ann", "482913")) == "wrong-pin"
