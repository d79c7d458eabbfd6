"""Acts of two people: the second one's card and PIN count for one act, one id, one session, and a minute."""

from __future__ import annotations

import json
from typing import Any

import pytest

from croupier.web.floor.acts import EXAMPLES
from croupier.web.identity.routes import OF_LINKS, OF_SITE
from croupier.web.identity.tickets import SECOND_PERSON_S, TICKET, digest_of
from tests.web.signing_in import Clock, sign_in
from tests.web.support import LINK, PINS, MadeSite, Room, done, error_of, running

ADJUST = f"/api/links/{LINK}/adjust"
ENROLLING: dict[str, dict[str, Any]] = {
    "enrol-person": {"id": "7f3a24", "person": "zoe", "name": "Zoe", "role": "executive"},
    "replace-card": {"id": "7f3a25", "person": "sue"},
    "set-pin": {"id": "7f3a26", "person": "sue", "pin": "470915"},
    "enrol-device": {"id": "7f3a27", "device": "keypad-9", "kind": "keypad", "name": "Keypad 9", "table": 1},
}
OTHERWISE: dict[str, Any] = {
    "table": {**EXAMPLES["set-table"]["table"], "seats": 6},
    "setup": {**EXAMPLES["make"]["setup"], "executive_threshold_cents": 500_001},
    "number": 2,
    "many_tables": False,
}
VALUES = {"level": "", "reason": "malfunction", "source": "meter", "target": "house", "cents": 5, "text": "Twice."}


def adjust(room: Room, ticket: str, id: str = "a1", who: str = "max", **other: Any) -> Any:
    return room.post(ADJUST, who, **{**VALUES, **other}, id=id, second_ticket=ticket)


def second(room: Room, who: str = "mia", id: str = "a1") -> str:
    """The ticket for that adjustment."""
    return room.second(ADJUST, {**VALUES, "id": id}, who)


def ask(room: Room, who: str = "max", **other: Any) -> Any:
    """For a ticket of mia's, with some of it otherwise."""
    said: dict[str, Any] = {
        "card": room.site.cards["mia"],
        "pin": PINS["mia"],
        "act": "adjust",
        "link": LINK,
        "id": "a1",
    }
    said |= {"body": {**VALUES, "id": "a1"}, **other}
    return room.post("/api/second-person", who, **{name: value for name, value in said.items() if value is not None})


def test_a_ticket_counts_for_a_minute_and_a_resend_is_answered_however_late(room: Room, clock: Clock) -> None:
    ticket, late = second(room, "eve"), second(room, "eve", "a2")
    clock.later(seconds=SECOND_PERSON_S - 2)
    first = done(adjust(room, ticket))["entry"]
    assert first["facts"]["second"] == ["eve", "executive"]
    clock.later(seconds=4)
    assert done(adjust(room, ticket))["entry"] == first
    assert error_of(adjust(room, late, "a2")) == "second-late"


def test_a_ticket_counts_for_one_act(room: Room) -> None:
    ticket = second(room)
    first = done(adjust(room, ticket))["entry"]
    assert error_of(adjust(room, ticket, "a2")) == "second-unknown"
    assert error_of(adjust(room, ticket, cents=6)) == "id-reused"  # it is done already, with another amount
    enrol = {"id": "a1", "person": "new", "name": "New", "role": "executive", "second_ticket": ticket}
    assert error_of(room.post("/api/site/enrol-person", **enrol)) == "second-unknown"
    retire = {"id": "a1", "to": LINK, "second_ticket": ticket}
    assert error_of(room.post("/api/links/other/retire", **retire)) == "second-unknown"
    assert done(room.get(f"/api/links/{LINK}/entries?after={first['number']}"))["entries"] == []


def test_a_ticket_counts_for_no_other_amount(room: Room) -> None:
    ticket = second(room)
    assert error_of(adjust(room, ticket, cents=500_000)) == "second-unknown"
    said: dict[str, Any] = {"award": None, "second_ticket": ticket, "id": "a1", **dict(reversed(VALUES.items()))}
    assert done(room.post(ADJUST, **said))["entry"]["facts"]["cents"] == 5


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("act", sorted({**OF_LINKS, **OF_SITE}))
def test_every_act_of_two_has_a_digest_of_what_it_says(act: str) -> None:
    model, said = {**OF_LINKS, **OF_SITE}[act], {"second_ticket": "x", **(EXAMPLES.get(act) or ENROLLING[act])}
    digest = digest_of(model.model_validate(said))
    assert digest == digest_of(model.model_validate_json(json.dumps({**dict(reversed(said.items())), TICKET: "y"})))
    name = next(name for name in said if name not in ("id", TICKET))
    assert digest != digest_of(model.model_validate({**said, name: OTHERWISE.get(name, "other")}))


def test_a_ticket_outlives_the_server_and_so_does_the_answer_to_a_resend(site: MadeSite) -> None:
    with running(site) as room:
        ticket = second(room)
    with running(site) as room:
        first = done(adjust(room, ticket))["entry"]
    with running(site) as room:
        assert done(adjust(room, ticket))["entry"] == first
        assert error_of(adjust(room, ticket, "a2")) == "second-unknown"


def test_the_second_person_has_card_and_pin(room: Room) -> None:
    assert ask(room, pin=None).status_code == 422
    refused = ask(room, pin="908172")
    assert (refused.status_code, error_of(refused)) == (401, "wrong-pin")
    assert error_of(ask(room, card=room.site.cards["ann"])) == "wrong-pin"


def test_what_the_second_person_agrees_to_must_be_an_act_of_two(room: Room) -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"act": "open"}, "adjust, back-out, make, receive, reconfigure, retire; not 'open'"),
        ({"act": "set-table"}, "not 'set-table'"),
        ({"link": None}, "change-role, choose-profile, enrol-device, enrol-person"),
        ({"id": None}, "id"),
        ({"body": {**VALUES, "id": "a2"}}, "body.id"),
        ({"body": {"id": "a1"}}, "body.level: Field required"),
        ({"body": None}, "body: Field required"),
    ]
    for said, words in cases:
        refused = ask(room, **said)
        assert (refused.status_code, error_of(refused)) == (422, "wrong-form")
        assert words in refused.json()["error"]["sentence"]


def test_every_act_that_takes_a_ticket_can_have_one(room: Room) -> None:
    paths = room.app.openapi()["paths"]
    schemas = room.app.openapi()["components"]["schemas"]
    found = set()
    for path, item in paths.items():
        if content := item.get("post", {}).get("requestBody", {}).get("content", {}).get("application/json"):
            name = content["schema"].get("$ref", "").rpartition("/")[2]
            if "second_ticket" in schemas.get(name, {}).get("properties", {}):
                found.add(path)
    assert found == {
        *(f"/api/links/{{link}}/{act}" for act in OF_LINKS),
        *(f"/api/site/{act}" for act in OF_SITE),
    }


def test_a_ticket_counts_for_the_session_only_at_which_it_was_given(room: Room) -> None:
    ticket = second(room, "eve")
    assert error_of(adjust(room, ticket, who="mia")) == "second-unknown"
    room.site.tokens["max again"] = done(sign_in(room, "max", PINS["max"]))["token"]
    assert error_of(adjust(room, ticket, who="max again")) == "second-unknown"


def test_a_second_card_that_was_replaced_since_counts_no_more(room: Room) -> None:
    ticket = second(room, "eve")
    done(room.act_of_two("/api/site/replace-card", person="eve"))
    assert error_of(adjust(room, ticket)) == "second-unknown"


def test_whoever_agrees_to_a_new_card_of_their_own_is_answered_again(room: Room) -> None:
    path = "/api/site/replace-card"
    said = {"id": "r1", "person": "mia", "card": "n" * 32}
    ticket = room.second(path, said)
    assert done(room.post(path, **said, second_ticket=ticket)) == done(room.post(path, **said, second_ticket=ticket))


def test_two_people_are_two_and_both_may(room: Room) -> None:
    same = ask(room, card=room.site.cards["max"], pin=PINS["max"])
    assert (same.status_code, error_of(same)) == (403, "same-person")
    assert error_of(adjust(room, second(room, "sue"))) == "not-allowed"


def test_a_forged_ticket_is_refused(room: Room) -> None:
    nobody = f"9999999999.{b'nobody'.hex()}.00"
    for ticket in ("", "x", "1.2.3", "9999999999.657665.00", "a.b.c", "9999999999.657665.\u00e9", "1.zz.0", nobody):
        assert error_of(adjust(room, ticket)) == "second-unknown", ticket
