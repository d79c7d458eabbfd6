"""What is written down: every act with who, where and when; and no secret anywhere."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

from croupier.web.identity import sessions
from tests.web.direct import ask
from tests.web.signing_in import sign_in
from tests.web.support import LINK, PINS, TABLES, Room, done, error_of, wait_until


def test_every_act_is_on_the_record_with_who_where_and_when(room: Room) -> None:
    started = room.start(1, who="dan")["entry"]
    assert started["facts"]["by"] == ["dan", "dealer"]
    assert started["facts"]["where"] == "device keypad-1"
    room.start(2, who="ann 2")
    answered = ask(room, "POST", f"/api/links/{LINK}/close", "max", {"id": "w1", "reason": "A test."})
    assert answered.status == 200
    last = done(room.get(f"/api/links/{LINK}/entries?after=2"))["entries"][-1]
    assert last["facts"]["where"] == "console 10.0.0.7"
    assert last["facts"]["by"] == ["max", "manager"]
    wait_until(lambda: last["at"].endswith("Z"))


def test_a_supervisors_card_at_a_keypad_signs_as_the_supervisor(room: Room) -> None:
    room.start(1, (1, 2), who="dan")
    hand = {"table": 1, "seat": 1, "line": "Three 7's - Same Color"}
    entered = done(room.act(f"/api/links/{LINK}/enter", "dan", **hand))
    award = entered["link"]["awards"][0]
    done(room.act(f"/api/links/{LINK}/call", "dan", table=1))
    unread = room.act(f"/api/links/{LINK}/confirm", "dan", award=award["award"])
    assert error_of(unread) == "pin-needed"
    unknown = room.act(f"/api/links/{LINK}/confirm", "dan", award=award["award"], card="z" * 20)
    assert (unknown.status_code, error_of(unknown)) == (401, "unknown-card")
    dealers = room.act(f"/api/links/{LINK}/confirm", "dan", award=award["award"], card=room.site.cards["ann"])
    assert error_of(dealers) == "not-allowed"
    confirmed = done(room.act(f"/api/links/{LINK}/confirm", "dan", award=award["award"], card=room.site.cards["eve"]))[
        "entry"
    ]
    assert confirmed["facts"]["by"] == ["eve", "executive"]
    assert confirmed["facts"]["where"] == "device keypad-1"


def test_no_secret_is_stored_as_it_is(room: Room) -> None:
    """Cards, device tokens, session tokens and PINs: only their hashes are in the files."""
    room.start(1)
    secrets = [*room.site.cards.values(), *PINS.values()]
    secrets += [token.partition("_")[2] for token in room.site.tokens.values()]
    for file in room.site.folder.iterdir():
        text = file.read_bytes()
        for secret in secrets:
            assert secret.encode() not in text, file.name
    with closing(sqlite3.connect(f"{room.site.folder}/floor.db.access")) as db:
        hashes = [row[0] for row in db.execute("select hash from access_sealed_pins")]
    assert len(hashes) == len(PINS)
    assert all(hashed.startswith("$argon2id$") for hashed in hashes)


def test_no_cache_keeps_an_answer_that_carries_a_secret(room: Room) -> None:
    cards, page = room.site.cards, {"X-Croupier": "page"}
    body = {"id": "s1", "zone": "UTC", "day_begins": 5}
    second: dict[str, Any] = {"card": cards["mia"], "pin": PINS["mia"], "act": "set-clock", "id": "s1", "body": body}
    display = {"device": "new", "kind": "display", "name": "New"}
    found = [
        sign_in(room, "sue", PINS["sue"]),
        room.post("/api/keypad/sign-in", "keypad-1", person="dan"),
        room.post("/api/second-person", **second),
        room.act_of_two("/api/site/replace-card", person="eve"),
        room.act("/api/site/enrol-person", person="bob", name="Bob", role="dealer"),
        room.act("/api/site/enrol-device", **display),
        room.client.post("/pages/sign-in", headers=page, json={"card": cards["sue"], "pin": PINS["sue"]}),
        room.client.post("/pages/device", headers=page, json={"token": room.site.tokens["keypad-1"]}),
        room.client.post("/pages/keypad/sign-in", headers=page, json={"card": cards["ann"]}),
    ]
    for each in found:
        done(each)
        assert each.headers["Cache-Control"] == "no-store", each.request.url.path


def test_a_page_with_a_token_of_no_device_is_told_so_in_the_one_form(room: Room) -> None:
    for token in ("dev_" + "0" * 40, "x", ""):
        refused = room.client.post("/pages/device", headers={"X-Croupier": "page"}, json={"token": token})
        assert (refused.status_code, error_of(refused)) == (401, "unknown-device")
        assert "set-cookie" not in refused.headers


def test_pins_are_hashed_slowly_outside_of_tests() -> None:
    slow: Callable[[], Any] = SLOW
    hasher = slow()
    assert hasher.memory_cost >= 19_456
    assert hasher.time_cost >= 2


SLOW = sessions.new_hasher
"""As it is before the first room of this process is made."""


def test_the_answer_of_an_act_is_small(room: Room) -> None:
    """Dealers wait for it: the entry and the link in short, not the whole link."""
    seats = list(range(1, TABLES[1].seats + 1))
    found = room.act(f"/api/links/{LINK}/start", "dan", table=1, lit=seats, based=seats)
    assert len(found.content) < 2_500
    assert done(found)["link"]["game"]["seats"] == seats
