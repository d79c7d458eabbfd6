"""A card with a magnetic stripe, whatever its reader types: it signs in, chooses a PIN and agrees."""

from __future__ import annotations

from typing import Any

from croupier.compliance.stripe import lrc_of, number_of
from tests.web.support import LINK, PINS, Room, done, error_of

ADJUST = f"/api/links/{LINK}/adjust"
VALUES = {"level": "", "reason": "malfunction", "source": "meter", "target": "house", "cents": 5, "text": "Twice."}


def sign_in(room: Room, card: str, pin: str | None = None) -> Any:
    return room.client.post("/api/sign-in", json={"card": card} | ({"pin": pin} if pin else {}))


def test_a_card_that_the_server_makes_is_a_number_and_every_reader_reads_it(room: Room) -> None:
    made = done(room.act("/api/site/enrol-person", person="dot", name="Dot", role="dealer"))["card"]
    assert len(made) == 37
    assert made.isdigit()
    for text in (made, f"%{made}?", f";{made}?", f";{made}?" + lrc_of(f";{made}?"), f"%DOT?;{made}?"):
        assert done(sign_in(room, text))["person"] == "dot"


def test_a_misread_is_not_somebody_else_and_no_card_is_given_out_by_it(room: Room) -> None:
    number = number_of(4711)
    wrong = f"{number[:-1]}{(int(number[-1]) + 1) % 10}"
    assert "swipe it again" in sign_in(room, wrong).json()["error"]["sentence"]
    assert error_of(sign_in(room, number)) == "unknown-card"
    body = {"person": "dot", "name": "Dot", "role": "dealer"}
    refused = room.act("/api/site/enrol-person", **body, card=f";{number}?" + lrc_of(f";{number_of(4712)}?"))
    assert "check character" in refused.json()["error"]["sentence"]
    assert "dot" not in room.runtime.house.site.people.by_id
    assert done(room.act("/api/site/enrol-person", **body, card=f";{number}?"))["entry"]["kind"] == "enrol-person"
    assert done(sign_in(room, number))["person"] == "dot"


def test_a_pin_that_is_chosen_with_one_reader_agrees_with_another(room: Room) -> None:
    number = number_of(815)
    done(room.act_of_two("/api/site/replace-card", person="eve", card=f"%EVE?;{number}?"))
    signed = done(sign_in(room, f";{number}?", PINS["eve"]))
    header = {"Authorization": f"Bearer {signed['token']}"}
    own = {"id": "own-pin", "person": "eve", "pin": "470915", "old_pin": PINS["eve"], "card": f"%{number}?"}
    done(room.client.post("/api/site/set-pin", json=own, headers=header))
    asked = {"act": "adjust", "link": LINK, "id": "a1", "body": {**VALUES, "id": "a1"}}
    for card in (number, f";{number}?", f"%EVE?;{number}?" + lrc_of(f";{number}?")):
        ticket = done(room.post("/api/second-person", "max", card=card, pin="470915", **asked))["second_ticket"]
    entry = done(room.post(ADJUST, "max", **VALUES, id="a1", second_ticket=ticket))["entry"]
    assert entry["facts"]["second"] == ["eve", "executive"]
    assert entry["facts"]["agreed"]["signature"]


def test_a_card_of_the_old_form_is_what_it_was(room: Room) -> None:
    """The room's cards are older tokens: letters, digits and dashes."""
    assert not room.site.cards["sue"].isdigit()
    assert done(sign_in(room, room.site.cards["sue"]))["person"] == "sue"
