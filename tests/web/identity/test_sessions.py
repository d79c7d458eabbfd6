"""Signing in: cards, lock-out, sessions that end, and where a card counts."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from threading import Lock
from types import SimpleNamespace
from typing import Any

import pytest

from croupier.compliance.authority import CardHash, Role
from croupier.errors import CroupierError
from croupier.floor.people import Device, DeviceKind, Devices, Person
from croupier.web.errors import ApiError
from croupier.web.identity.callers import Caller, in_session
from croupier.web.identity.sessions import LONGEST_SESSION, PLACE_TRIES, TRIES, Access
from croupier.web.identity.store import SignedInSession, utc
from support.room import card
from tests.web.signing_in import WRONG, Clock, me, sign_in
from tests.web.support import LINK, PINS, MadeSite, Room, done, error_of, running, wait_until

# Lock-out


def test_wrong_pins_lock_the_person_out_and_the_wait_doubles(room: Room, clock: Clock) -> None:
    for _ in range(TRIES):
        assert error_of(sign_in(room, "sue", WRONG)) == "wrong-pin"
    waits = []
    for _ in range(3):
        refused = sign_in(room, "sue", PINS["sue"])
        assert (refused.status_code, error_of(refused)) == (429, "locked-out")
        waits.append(int(refused.headers["Retry-After"]))
        clock.later(seconds=waits[-1])
        assert error_of(sign_in(room, "sue", WRONG)) == "wrong-pin"
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


def test_unknown_cards_have_the_place_wait_and_never_longer_than_at_first(room: Room, clock: Clock) -> None:
    for number in range(PLACE_TRIES):
        refused = room.post("/api/sign-in", "", card=f"{number:020}")
        assert (refused.status_code, error_of(refused)) == (401, "unknown-card")
    for number in range(5):
        refused = sign_in(room, "sue")
        assert error_of(refused) == "locked-out"
        assert int(refused.headers["Retry-After"]) <= 30
        clock.later(seconds=31)
        assert error_of(room.post("/api/sign-in", "", card=f"again {number:020}")) == "unknown-card"
    clock.later(seconds=31)
    done(sign_in(room, "sue"))


def test_nobody_at_the_same_address_keeps_out_who_has_card_and_pin(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """A house may have one address: whoever fails there on purpose must not lock its managers out."""
    monkeypatch.setattr(room.runtime.access._rate, "_most", PLACE_TRIES + 5)
    room.runtime.access._rate._left.clear()
    codes = [error_of(room.post("/api/sign-in", "", card=f"{number:020}")) for number in range(PLACE_TRIES + 10)]
    assert set(codes[PLACE_TRIES:]) == {"locked-out", "too-many-tries"}
    done(sign_in(room, "max", PINS["max"]))
    done(room.act_of_two("/api/site/replace-card", person="sue"))
    # Without the PIN, with a wrong one, and with a card of nobody the answer is the same: it tells nothing.
    tries = [sign_in(room, "eve"), sign_in(room, "eve", WRONG), room.post("/api/sign-in", "", card="0" * 20, pin=WRONG)]
    assert {found.status_code for found in tries} == {429}


def test_a_person_with_card_and_pin_may_not_try_without_end_either(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room.runtime.access._by_person, "_most", 3)
    room.runtime.access._by_person._left.clear()
    assert [sign_in(room, "sue", PINS["sue"]).status_code for _ in range(4)] == [200, 200, 200, 429]
    done(sign_in(room, "eve", PINS["eve"]))


def test_a_manager_lets_somebody_in_again_who_is_locked_out(room: Room) -> None:
    for _ in range(TRIES):
        sign_in(room, "mia", WRONG)
    assert error_of(sign_in(room, "mia", PINS["mia"])) == "locked-out"
    done(room.act_of_two("/api/site/set-pin", "max", "eve", person="mia", pin=WRONG))
    done(sign_in(room, "mia", WRONG))


def test_a_locked_keypad_does_not_lock_another(room: Room, clock: Clock) -> None:
    for number in range(PLACE_TRIES):
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


def test_a_session_that_begins_while_others_are_swept_goes_on(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    read, begun = room.runtime.sessions.all_sessions, list[str]()
    first = Lock()  # the server sweeps by itself as well

    def and_then_somebody_signs_in(person: str | None = None) -> list[SignedInSession]:
        found: list[SignedInSession] = read(person)
        if first.acquire(blocking=False):
            begun.append(done(sign_in(room, "sue", PINS["sue"]))["token"])
        return found

    monkeypatch.setattr(room.runtime.sessions, "all_sessions", and_then_somebody_signs_in)
    room.runtime.access.sweep()
    wait_until(lambda: begun)
    [token] = begun
    assert done(room.client.get("/api/me", headers={"Authorization": f"Bearer {token}"}))["person"] == "sue"


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
    refused = sign_in(room, "sue", PINS["sue"])
    assert error_of(refused) == "revoked-card"
    assert "sue" not in refused.text.lower()  # whoever has found the card need not know whose it was


def test_a_replaced_card_ends_its_sessions_and_the_new_one_works(room: Room) -> None:
    token = done(sign_in(room, "sue", PINS["sue"]))["token"]
    card = done(room.act_of_two("/api/site/replace-card", person="sue"))["card"]
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


def test_a_card_alone_acts_at_the_keypad_only_at_which_it_was_read(room: Room) -> None:
    """Else a dealer could start games, and have awards confirmed, at every table from anywhere in the house."""
    start = {"table": 1, "lit": [1], "based": [1]}
    for who in ("ann card", "sue card", "eve card"):
        refused = room.act(f"/api/links/{LINK}/start", who, **start)
        assert (refused.status_code, error_of(refused)) == (403, "no-keypad"), who
    assert error_of(room.act(f"/api/links/{LINK}/start", "ann 2", **start)) == "other-table"
    done(room.act(f"/api/links/{LINK}/start", "sue", **start))  # a supervisor at a console


def test_a_dealer_with_a_pin_still_acts_at_the_keypad_alone(room: Room) -> None:
    """One manager may enrol a dealer and set the dealer's PIN: that must not be enough to press hands at a table."""
    done(room.act("/api/site/set-pin", person="ann", pin="739201"))
    given = done(sign_in(room, "ann", "739201"))["token"]
    room.site.tokens["ann given"] = given
    done(room.act("/api/site/set-pin", "ann given", person="ann", pin="739202", old_pin="739201", card=card("ann")))
    room.site.tokens["ann at a console"] = done(sign_in(room, "ann", "739202"))["token"]
    refused = room.act(f"/api/links/{LINK}/start", "ann at a console", table=1, lit=[1], based=[1])
    assert (refused.status_code, error_of(refused)) == (403, "no-keypad")
    assert "A dealer does this at the table's keypad" in refused.text
    done(room.act(f"/api/links/{LINK}/start", "sue", table=1, lit=[1], based=[1]))
    hand = {"table": 1, "seat": 1, "line": "Either of the First Two Cards - 7"}
    assert error_of(room.act(f"/api/links/{LINK}/enter", "ann at a console", **hand)) == "no-keypad"


def test_a_keypad_confirms_and_voids_the_awards_of_its_table_only(room: Room) -> None:
    awards = []
    for table in (1, 2):
        room.start(table, (1, 2))
        hand = {"table": table, "seat": 1, "line": "Three 7's - Same Color"}
        awards.append(done(room.act(f"/api/links/{LINK}/enter", f"ann {table}", **hand))["entry"]["number"])
    said = {"award": awards[0], "card": room.site.cards["eve"]}
    for act, more in (("confirm", {}), ("void", {"reason": "Another hand."})):
        refused = room.act(f"/api/links/{LINK}/{act}", "ann 2", **said, **more)
        assert (refused.status_code, error_of(refused)) == (403, "other-table")
        assert error_of(room.act(f"/api/links/{LINK}/{act}", "ann card", **said, **more)) == "no-keypad"
    first = done(room.post(f"/api/links/{LINK}/confirm", "ann 1", id="c1", **said))["entry"]
    assert done(room.post(f"/api/links/{LINK}/confirm", "ann 1", id="c1", **said))["entry"] == first
    done(room.act(f"/api/links/{LINK}/void", "sue", award=awards[1], reason="Another hand."))


def test_a_revoked_device_and_whoever_is_signed_in_at_it_are_out(room: Room) -> None:
    done(room.get("/api/tables/1", "dan"))
    done(room.act("/api/site/revoke-device", device="keypad-1", reason="Stolen."))
    assert error_of(room.get("/api/tables/1", "dan")) == "signed-out"
    assert error_of(room.get("/api/tables/1", "keypad-1")) == "unknown-device"
    assert error_of(room.post("/api/keypad/sign-in", "keypad-1", person="dan")) == "unknown-device"


def test_failures_are_forgotten_and_an_ipv6_network_is_one_place(room: Room, clock: Clock) -> None:
    """Whoever has one address of a network has 2**64 of them, and each would be a row for ever."""
    access, store = room.runtime.access, room.runtime.sessions

    def fail(source: str) -> None:
        with pytest.raises(CroupierError):
            access.sign_in("x" * 20, None, "", source)

    for number in range(1, 4):
        fail(f"2001:db8::{number:x}")
    fail("10.0.0.1")
    assert store.failures("from 2001:db8::/64")[0] == 3
    assert store.failures("from 10.0.0.1")[0] == 1
    clock.later(hours=1, minutes=1)
    fail("::ffff:10.0.0.2")  # IPv4, as some systems write it
    assert [store.failures(f"from {each}") for each in ("2001:db8::/64", "10.0.0.1")] == [None, None]
    assert store.failures("from 10.0.0.2")[0] == 1


def test_nobody_is_told_more_than_they_may_ask(room: Room) -> None:
    assert "people" in done(room.get("/api/site", "sue"))
    for who in ("sue card", "ann card", "dan", "keypad-1", "display-all"):
        assert not {"people", "devices"} & set(done(room.get("/api/site", who))), who
    for wrong in ("person=nobody", "book=nothing"):
        assert error_of(room.get(f"/api/log?{wrong}", "dan")) in ("pin-needed", "not-allowed")
        assert error_of(room.get(f"/api/log?{wrong}", "max")) == "unknown-name"


def test_a_device_has_a_token_of_its_own_and_a_link_that_is_there(room: Room) -> None:
    token = "dev_" + "a" * 40
    display = {"device": "d9", "kind": "display", "name": "D"}
    refused = room.act("/api/site/enrol-device", **display, link="nothing", token=token)
    assert (refused.status_code, error_of(refused)) == (404, "no-such-link")
    keypad = {"device": "k9", "kind": "keypad", "name": "K", "token": token}
    assert error_of(room.act_of_two("/api/site/enrol-device", **keypad, table=9)) == "no-such-table"
    assert error_of(room.act("/api/site/enrol-device", **keypad, table=1)) == "second-missing"
    assert error_of(room.act_of_two("/api/site/enrol-device", **keypad, table=1)) == "keypad-at-table"
    done(room.act("/api/site/revoke-device", device="keypad-1", reason="worn"))
    done(room.act_of_two("/api/site/enrol-device", **keypad, table=1))
    done(room.act("/api/site/revoke-device", device="k9", reason="lost"))
    assert error_of(room.act("/api/site/enrol-device", **display, link=LINK, token=token)) == "token-taken"
    done(room.act("/api/site/enrol-device", **display, link=LINK))


# Who calls, and how long that is believed

ANN = Person("ann", "Ann", Role.DEALER)
KEYPAD = Device("keypad-1", DeviceKind.KEYPAD, "Table 1", CardHash("hash"), table=1)


def new_session() -> SignedInSession:
    now = utc()
    return SignedInSession("h", "ann", KEYPAD.id, False, "", now, now + timedelta(minutes=15))


def test_who_calls_is_as_the_site_stands_now() -> None:
    devices, session = Devices({KEYPAD.id: KEYPAD}), new_session()
    runtime: Any = SimpleNamespace(house=SimpleNamespace(site=SimpleNamespace(devices=devices)))
    assert in_session(runtime, session, ANN, "10.0.0.1") == Caller(ANN, session, KEYPAD, "10.0.0.1")
    devices.enrol(replace(KEYPAD, table=2))
    moved = in_session(runtime, session, ANN, "10.0.0.1")
    assert moved.device is not None
    assert moved.device.table == 2
    devices.revoke(KEYPAD.id)
    with pytest.raises(ApiError) as refused:
        in_session(runtime, session, ANN, "10.0.0.1")
    assert (refused.value.status, refused.value.code) == (401, "signed-out")


class SlowSessions:
    """A store that takes a while to answer, with what was true when it was asked."""

    def __init__(self, session: SignedInSession) -> None:
        self._session = session
        self.answered = 0.0

    def session(self, _: str) -> SignedInSession:
        time.sleep(0.02)
        self.answered = time.monotonic()
        return self._session


def test_a_session_is_believed_from_when_it_was_asked_for_and_not_from_the_answer() -> None:
    store = SlowSessions(new_session())
    access = Access(store, None, None, lambda _: ANN)  # type: ignore[arg-type]
    began = time.monotonic()
    access._known("h")
    assert began <= access._fresh["h"][0] < store.answered
    assert access.at_once("h") is not None
