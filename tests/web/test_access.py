"""Signing in: cards, PINs, lock-out, sessions that end, a second person, the first start, and the record."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from croupier.web import access
from croupier.web.access import LONGEST_SESSION, SECOND_PERSON_S, TRIES
from croupier.web.access_store import utc
from tests.web.direct import ask
from tests.web.support import LINK, PINS, TABLES, MadeSite, Room, done, error_of, running, wait_until

WRONG = "908172"


class Clock:
    """The server's time of day, for sessions and waits: it passes when a test says so."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return utc() + self.ahead

    def later(self, **time: float) -> None:
        self.ahead += timedelta(**time)


@pytest.fixture
def clock(room: Room, monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(room.runtime.access, "_clock", made)
    monkeypatch.setattr(access, "FRESH_S", 0.0)
    return made


def sign_in(room: Room, person: str, pin: str | None = None) -> Any:
    card = room.site.cards[person]
    return room.post("/api/sign-in", "", **({"card": card} if pin is None else {"card": card, "pin": pin}))


def me(room: Room, token: str) -> Any:
    return room.client.get("/api/me", headers={"Authorization": f"Bearer {token}"})


# Lock-out


def test_wrong_pins_lock_the_person_out_and_the_wait_doubles(room: Room, clock: Clock) -> None:
    for _ in range(TRIES):
        assert error_of(sign_in(room, "sue", WRONG)) == "wrong-pin"
        room.runtime.access._store.forgive("from testclient")
    waits = []
    for _ in range(3):
        refused = sign_in(room, "sue", PINS["sue"])
        assert (refused.status_code, error_of(refused)) == (429, "locked-out")
        waits.append(int(refused.headers["Retry-After"]))
        clock.later(seconds=waits[-1])
        assert error_of(sign_in(room, "sue", WRONG)) == "wrong-pin"
        room.runtime.access._store.forgive("from testclient")
    assert waits == pytest.approx([30, 60, 120], abs=2)


def test_a_card_alone_does_not_forgive_wrong_pins(room: Room, clock: Clock) -> None:
    """Whoever has found a card could else try every PIN, with the card alone in between."""
    for _ in range(TRIES):
        assert error_of(sign_in(room, "sue", WRONG)) == "wrong-pin"
        done(sign_in(room, "sue"))
    assert error_of(sign_in(room, "sue", PINS["sue"])) == "locked-out"


def test_the_right_pin_forgives_and_so_does_an_hour(room: Room, clock: Clock) -> None:
    for _ in range(TRIES - 1):
        sign_in(room, "sue", WRONG)
    done(sign_in(room, "sue", PINS["sue"]))
    for _ in range(TRIES - 1):
        sign_in(room, "sue", WRONG)
    clock.later(hours=1, seconds=1)
    for _ in range(TRIES - 1):
        assert error_of(sign_in(room, "sue", WRONG)) == "wrong-pin"
    done(sign_in(room, "sue", PINS["sue"]))


def test_many_tries_at_the_same_moment_are_no_more_than_one_after_another(room: Room) -> None:
    room.runtime.access._store.forgive("from testclient")

    def attempt(_: int) -> str:
        try:
            room.runtime.access.check_card(room.site.cards["sue"], WRONG, f"place {_}")
        except Exception as error:
            return str(getattr(error, "code", error))
        return "in"

    with ThreadPoolExecutor(16) as pool:
        codes = list(pool.map(attempt, range(48)))
    assert codes.count("wrong-pin") <= TRIES
    assert set(codes) == {"wrong-pin", "locked-out"}


def test_unknown_cards_lock_the_place_out(room: Room, clock: Clock) -> None:
    for number in range(TRIES):
        refused = room.post("/api/sign-in", "", card=f"{number:020}")
        assert (refused.status_code, error_of(refused)) == (401, "unknown-card")
    assert error_of(sign_in(room, "sue")) == "locked-out"
    clock.later(seconds=31)
    done(sign_in(room, "sue"))


def test_a_locked_keypad_does_not_lock_another(room: Room, clock: Clock) -> None:
    for number in range(TRIES):
        assert error_of(room.post("/api/keypad/sign-in", "keypad-1", card=f"{number:020}")) == "unknown-card"
    assert error_of(room.post("/api/keypad/sign-in", "keypad-1", card=room.site.cards["ann"])) == "locked-out"
    done(room.post("/api/keypad/sign-in", "keypad-2", card=room.site.cards["ann"]))


def test_no_place_may_try_without_end(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room.runtime.access._rate, "_most", 10)
    room.runtime.access._rate._left.clear()
    codes = [sign_in(room, "ann").status_code for _ in range(15)]
    assert codes[:10] == [200] * 10
    assert set(codes[10:]) == {429}


# Sessions


def test_a_session_ends_when_nobody_uses_it(room: Room, clock: Clock) -> None:
    token = done(sign_in(room, "sue", PINS["sue"]))["token"]
    clock.later(minutes=14)
    done(me(room, token))
    clock.later(minutes=14)
    done(me(room, token))  # it slides
    clock.later(minutes=15, seconds=1)
    assert error_of(me(room, token)) == "signed-out"


def test_a_session_ends_with_the_shift_however_busy(room: Room, clock: Clock) -> None:
    token = done(sign_in(room, "sue", PINS["sue"]))["token"]
    for _ in range(int(LONGEST_SESSION.total_seconds() // 600) - 1):
        clock.later(minutes=10)
        done(me(room, token))
    clock.later(minutes=11)
    assert error_of(me(room, token)) == "signed-out"


def test_signing_out_ends_the_session_at_once(room: Room) -> None:
    token = done(sign_in(room, "sue"))["token"]
    done(me(room, token))
    done(room.client.post("/api/sign-out", headers={"Authorization": f"Bearer {token}"}))
    assert error_of(me(room, token)) == "signed-out"


def test_a_session_outlives_the_server(site: MadeSite) -> None:
    with running(site) as room:
        token = done(sign_in(room, "sue"))["token"]
    with running(site) as room:
        assert done(me(room, token))["person"] == "sue"


def test_a_token_of_nobody_is_told_so(room: Room) -> None:
    for token in ("ses_unknown", "dev_unknown-but-long-enough", "x", "ses_", "dev_", "Bearer", "\xff"):
        found = room.client.get("/api/me", headers={"Authorization": f"Bearer {token}".encode("latin-1")})
        assert found.status_code == 401, token
        assert found.headers["WWW-Authenticate"] == "Bearer"


# Cards


def test_a_revoked_card_acts_no_more_at_once(room: Room) -> None:
    token = done(sign_in(room, "sue", PINS["sue"]))["token"]
    done(me(room, token))
    done(room.act("/api/site/revoke-card", person="sue", reason="Lost."))
    assert me(room, token).status_code == 401
    assert error_of(sign_in(room, "sue", PINS["sue"])) == "revoked-card"


def test_a_replaced_card_ends_its_sessions_and_the_new_one_works(room: Room) -> None:
    token = done(sign_in(room, "sue", PINS["sue"]))["token"]
    card = done(room.act("/api/site/replace-card", person="sue", second_ticket=room.second()))["card"]
    assert error_of(me(room, token)) == "signed-out"
    assert error_of(sign_in(room, "sue")) == "revoked-card"
    done(room.post("/api/sign-in", "", card=card, pin=PINS["sue"]))


def test_a_dealer_without_a_card_signs_in_at_a_keypad_only_by_name(room: Room) -> None:
    assert error_of(room.post("/api/keypad/sign-in", "keypad-1", person="ann")) == "card-needed"
    assert error_of(room.post("/api/keypad/sign-in", "keypad-1", person="sue")) == "card-needed"
    assert error_of(room.post("/api/keypad/sign-in", "keypad-1", person="nobody")) == "unknown-person"
    assert error_of(room.post("/api/keypad/sign-in", "keypad-1")) == "wrong-form"
    assert done(room.post("/api/keypad/sign-in", "keypad-2", person="dan"))["person"] == "dan"


def test_a_keypad_acts_for_its_own_table_only(room: Room) -> None:
    room.start(1, who="dan")
    refused = room.act(f"/api/links/{LINK}/start", "dan", table=2, lit=[1], based=[1])
    assert (refused.status_code, error_of(refused)) == (403, "other-table")


def test_a_revoked_device_and_whoever_is_signed_in_at_it_are_out(room: Room) -> None:
    done(room.get("/api/tables/1", "dan"))
    done(room.act("/api/site/revoke-device", device="keypad-1", reason="Stolen."))
    assert error_of(room.get("/api/tables/1", "dan")) == "signed-out"
    assert error_of(room.get("/api/tables/1", "keypad-1")) == "unknown-device"
    assert error_of(room.post("/api/keypad/sign-in", "keypad-1", person="dan")) == "unknown-device"


# PINs


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


def test_a_person_without_a_pin_cannot_guess_one(room: Room) -> None:
    assert error_of(sign_in(room, "ann", "482913")) == "wrong-pin"


# A second person


def adjust(room: Room, ticket: str, who: str = "max") -> Any:
    values = {"level": "", "reason": "malfunction", "source": "meter", "target": "house", "cents": 5, "text": "Twice."}
    return room.act(f"/api/links/{LINK}/adjust", who, **values, second_ticket=ticket)


def test_a_second_card_counts_for_a_minute(room: Room, clock: Clock) -> None:
    ticket = room.second("eve")
    clock.later(seconds=SECOND_PERSON_S - 2)
    assert done(adjust(room, ticket))["entry"]["facts"]["second"] == ["eve", "executive"]
    clock.later(seconds=4)
    assert error_of(adjust(room, ticket)) == "second-late"


def test_a_second_card_counts_for_the_session_only_at_which_it_was_read(room: Room) -> None:
    ticket = room.second("eve")
    assert error_of(adjust(room, ticket, "mia")) == "second-unknown"
    other = done(sign_in(room, "max", PINS["max"]))["token"]
    room.site.tokens["max again"] = other
    assert error_of(adjust(room, ticket, "max again")) == "second-unknown"


def test_a_second_card_that_was_replaced_since_counts_no_more(room: Room) -> None:
    ticket = room.second("eve")
    done(room.act("/api/site/replace-card", person="eve", second_ticket=room.second()))
    assert error_of(adjust(room, ticket)) == "second-unknown"


def test_two_people_are_two_and_both_may(room: Room) -> None:
    same = room.post("/api/second-person", "max", card=room.site.cards["max"])
    assert (same.status_code, error_of(same)) == (403, "same-person")
    assert error_of(adjust(room, room.second("sue"))) == "not-allowed"


def test_a_forged_ticket_is_refused(room: Room) -> None:
    for ticket in ("", "x", "1.2.3", "9999999999.657665.00", "a.b.c", "9999999999.657665.\u00e9", "1.zz.0"):
        assert error_of(adjust(room, ticket)) == "second-unknown", ticket


# The first start


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
    again = empty.post("/api/first-start", "", code=code, **FIRST)
    assert (again.status_code, error_of(again)) == (409, "already-created")
    assert done(empty.post("/api/sign-in", "", card=card, pin=PINS["max"]))["role"] == "manager"


def test_the_code_cannot_be_guessed(empty: Room) -> None:
    for number in range(TRIES):
        assert error_of(empty.post("/api/first-start", "", code=f"{number}", **FIRST)) == "wrong-code"
    assert error_of(empty.post("/api/first-start", "", code=empty.runtime.first_code, **FIRST)) == "locked-out"


def test_without_the_first_start_nobody_gets_in(empty: Room) -> None:
    assert error_of(empty.post("/api/sign-in", "", card="admin-admin-admin-admin", pin="482913")) == "unknown-card"


# On the record


def test_every_act_is_on_the_record_with_who_where_and_when(room: Room) -> None:
    started = room.start(1, who="dan")["entry"]
    assert started["facts"]["by"] == ["dan", "dealer"]
    assert started["facts"]["where"] == "device keypad-1"
    room.start(2, who="ann card")
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
    with sqlite3.connect(f"{room.site.folder}/floor.db.access") as db:
        hashes = [row[0] for row in db.execute("select hash from access_pins")]
    assert len(hashes) == len(PINS)
    assert all(hashed.startswith("$argon2id$") for hashed in hashes)


def test_pins_are_hashed_slowly_outside_of_tests() -> None:
    slow: Callable[[], Any] = SLOW
    hasher = slow()
    assert hasher.memory_cost >= 19_456
    assert hasher.time_cost >= 2


SLOW = access.new_hasher
"""As it is before the first room of this process is made."""


def test_the_answer_of_an_act_is_small(room: Room) -> None:
    """Dealers wait for it: the entry and the link in short, not the whole link."""
    seats = list(range(1, TABLES[1].seats + 1))
    found = room.act(f"/api/links/{LINK}/start", "dan", table=1, lit=seats, based=seats)
    assert len(found.content) < 2_500
    assert done(found)["link"]["game"]["seats"] == seats
