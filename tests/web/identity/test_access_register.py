"""Who came in and who did not is in the site's book, once, whatever happens to the server; and a dealer is at one
table."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from croupier.audit.export import chosen_streams, export, open_existing
from croupier.audit.verify import verify
from croupier.floor.site.notes import AccessEvent
from croupier.ledger.entry import SITE
from croupier.store.store import open_store
from croupier.web.identity import access_register
from croupier.web.identity.sessions import PLACE_TRIES
from croupier.web.identity.store import Told, utc
from support.room import SUITED
from tests.audit.test_verifier import wrong_row
from tests.web.guests import enrol_cashier
from tests.web.signing_in import Clock
from tests.web.support import LINK, PINS, MadeSite, Room, Server, access_store, done, error_of, running, wait_until


def noted(room: Room, after: int = 0) -> list[dict[str, Any]]:
    """The facts of what the book has of who came in, after so many entries."""
    entries = room.runtime.reading.entries(SITE, after=after)
    return [dict(entry.facts) for entry in entries if entry.kind == "note-access"]


def last(room: Room) -> dict[str, Any]:
    return noted(room)[-1]


@pytest.fixture
def begun(room: Room) -> int:
    return int(room.runtime.house.site.book.entries)


def sign_in(room: Room, person: str = "sue", pin: str = "") -> Any:
    return room.post("/api/sign-in", "", card=room.site.cards[person], pin=pin or PINS[person])


def test_a_sign_in_and_a_sign_out_are_entries_without_a_secret(room: Room, begun: int) -> None:
    token = done(sign_in(room))["token"]
    came = last(room)
    assert came | {"session": ""} == {
        **{"by": "floor", "event": "sign-in", "person": "sue", "how": "card and PIN"},
        **{"where": "console testclient", "session": ""},
    }
    done(room.client.post("/api/sign-out", headers={"Authorization": f"Bearer {token}"}))
    left = last(room)
    assert (left["event"], left["why"], left["session"]) == ("ended", "signed-out", came["session"])
    written = json.dumps(noted(room, begun))
    for secret in (token.removeprefix("ses_"), room.site.cards["sue"], PINS["sue"]):
        assert secret not in written


def test_a_wrong_pin_and_a_card_that_is_nobodys_are_entries(room: Room) -> None:
    assert error_of(sign_in(room, pin="111222")) == "wrong-pin"
    assert last(room)["person"] == "sue"
    assert (last(room)["event"], last(room)["why"]) == ("failed", "wrong-pin")
    unknown = "a-card-that-nobody-has-ever-had"
    assert error_of(room.post("/api/sign-in", "", card=unknown)) == "unknown-card"
    assert (last(room)["event"], last(room)["why"]) == ("failed", "unknown-card")
    assert "person" not in last(room)
    assert unknown not in json.dumps(noted(room))
    refused = room.post("/api/keypad/sign-in", "keypad-1", person="ann")
    assert (error_of(refused), last(room)["event"], last(room)["why"]) == ("card-needed", "refused", "card-needed")
    assert last(room)["where"] == "device keypad-1"


def test_who_is_refused_an_act_is_an_entry_with_the_act_and_whose_card_it_was(room: Room, tmp_path: Path) -> None:
    """A card that may not decide, a role that may not do it, one that is not of the floor, and one person for two."""
    room.start()
    award = done(room.act(f"/api/links/{LINK}/enter", "dan", table=1, seat=2, line=SUITED))["entry"]["number"]
    done(room.act(f"/api/links/{LINK}/call", "dan", table=1))
    confirm = f"/api/links/{LINK}/confirm"
    refused = room.act(confirm, "dan", award=award, card=room.site.cards["sue"])
    assert error_of(refused) == "not-allowed"
    assert last(room) == {
        **{"by": "floor", "event": "refused", "person": "sue", "how": "card, confirm", "why": "not-allowed"},
        "where": "device keypad-1",
    }
    assert error_of(room.act("/api/site/declare-bank", "sue", balance_cents=5)) == "not-allowed"
    assert (last(room)["person"], last(room)["how"]) == ("sue", "card and PIN, declare-bank")
    enrol_cashier(room)
    assert error_of(room.act(confirm, "cas", award=award)) == "not-allowed"
    assert (last(room)["person"], last(room)["how"]) == ("cas", "card and PIN, confirm")
    before = len(noted(room))
    assert error_of(room.act(f"/api/links/{LINK}/end", "dan", table=1)) == "undecided", "not about who asked"
    assert len(noted(room)) == before
    done(room.act(confirm, "dan", award=award, card=room.site.cards["eve"]))
    done(room.act(f"/api/links/{LINK}/issue-slip", "cas", award=award))
    paid = {"slip": 1, "paid_in": "check", "identity": "passport"}
    assert error_of(room.act(f"/api/links/{LINK}/pay-slip", "eve", **paid)) == "own-award"
    assert (last(room)["person"], last(room)["how"]) == ("eve", "card and PIN, pay-slip")
    report = room.get("/api/reports/access?format=page", "max").json()["page"]
    [table] = report["tables"]
    assert any("card, confirm" in row and "the role may not do it" in row for row in table["rows"])
    path = tmp_path / "books.jsonl"
    with open_existing(room.site.db) as store:
        export(store, chosen_streams(store, None), path)
    assert verify(path).right
    assert wrong_row(path) == ("", 0)


def test_whoever_fails_on_purpose_does_not_fill_the_book(room: Room, begun: int, clock: Clock) -> None:
    room.runtime.register._clock = clock
    for _ in range(PLACE_TRIES + 40):
        room.post("/api/sign-in", "", card="a-card-that-nobody-has-ever-had")
    assert len(noted(room, begun)) == 2  # the first that failed, and the first that was not looked at
    clock.later(minutes=2)
    room.runtime.register.work()
    told = noted(room, begun)
    assert sum(each.get("times", 1) for each in told) == PLACE_TRIES + 40
    assert len(told) == 4


def test_of_many_places_so_many_are_told_apart(room: Room, begun: int) -> None:
    book = room.runtime.register
    for number in range(access_register.MOST_PLACES * 3):
        book.note_failure(AccessEvent.FAILED, place=f"10.0.{number}.0", why="unknown-card", where="console")
    assert len(noted(room, begun)) <= access_register.MOST_PLACES + 1


def test_a_session_that_nobody_uses_is_ended_on_record(room: Room, clock: Clock) -> None:
    done(sign_in(room, "eve"))
    session = last(room)["session"]
    clock.later(hours=1)
    room.runtime.access.sweep()
    [ended] = [each for each in noted(room) if each["event"] == "ended" and each.get("session") == session]
    assert ended["why"] == "expired"


def test_a_new_pin_ends_sessions_on_record(room: Room, begun: int) -> None:
    body = {"person": "sue", "pin": "915372", "old_pin": PINS["sue"], "card": room.site.cards["sue"]}
    done(room.act("/api/site/set-pin", "sue", **body))
    assert {each["why"] for each in noted(room, begun) if each["event"] == "ended"} == {"new-pin"}


def test_what_the_book_could_not_take_is_entered_later_once_and_says_when(
    site: MadeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(site) as room:
        floor = room.runtime.floor
        monkeypatch.setattr(type(floor), "troubles", property(lambda _: {"clock": "It is doubted."}))
        done(sign_in(room))  # nobody is kept out
        before = noted(room)
        monkeypatch.undo()
        for told in room.runtime.sessions.all_told():  # as if it had waited for a while
            room.runtime.sessions.forget_told(told.id)
            room.runtime.sessions.keep_told(replace(told, at=told.at - timedelta(minutes=3)))
        room.runtime.register.enter()
        [late] = noted(room)[len(before) :]
        assert late["happened"] < room.runtime.house.site.book.at
        room.runtime.register.enter()
        assert len(noted(room)) == len(before) + 1


def test_a_server_that_is_killed_in_between_enters_it_once(site: MadeSite, server: Server) -> None:
    """The row was kept, and the book has it already: the next server finds that out."""
    server.kill()
    with closing(open_store(site.db)) as store:
        entry = next(each for each in store.entries(SITE) if each.kind == "note-access")
    with running(site) as room:
        facts = entry.facts
        names = ("event", "person", "how", "why", "where", "session")
        values = {name: facts.get(name, "") for name in names}
        before = len(noted(room))
        room.runtime.sessions.keep_told(Told(id=entry.command, at=room.runtime.access.now(), **values))
        room.runtime.register.enter()
        assert (len(noted(room)), room.runtime.sessions.all_told()) == (before, [])


def test_a_row_that_nobody_of_the_site_has_written_is_not_entered(site: MadeSite) -> None:
    with running(site) as room:
        key = room.runtime.key
    with closing(access_store(site.db, key)) as store:
        told = Told("access-x", utc(), "sign-in", "max", "card", "", "console", "")
        store.keep_told(told)
        with store._engine.begin() as db:
            db.exec_driver_sql("UPDATE access_told SET person = 'eve'")
    with running(site) as room:
        room.runtime.register.work()
        assert not [each for each in noted(room) if each.get("where") == "console"]


def test_both_verifiers_take_the_books_and_the_report_has_them(room: Room, begun: int) -> None:
    done(sign_in(room))
    sign_in(room, pin="111222")
    path = room.site.folder / "export.jsonl.gz"
    with open_existing(room.site.db) as store:
        export(store, chosen_streams(store, None), path)
    assert verify(path).wrong == ""
    assert wrong_row(path) == ("", 0)
    report = done(room.get("/api/reports/access?format=json", "aud"))
    assert [(each["event"], each["person"]) for each in report["rows"][-2:]] == [("sign-in", "sue"), ("failed", "sue")]
    assert report["totals"]["failed"] == 1


# Who is signed in where


def of(room: Room, person: str, who: str = "max") -> dict[str, Any]:
    found: list[dict[str, Any]] = done(room.get("/api/people", who))["people"]
    return next(each for each in found if each["person"] == person)


def test_the_list_says_whose_pin_is_to_be_chosen_who_came_last_and_who_is_where(room: Room) -> None:
    body = {"person": "ned", "name": "Ned", "role": "supervisor", "pin": "915372", "card": "a-new-card-for-ned-0001"}
    done(room.act_of_two("/api/site/enrol-person", **body))
    assert (of(room, "ned")["pin"], of(room, "ned")["last_sign_in"]) == ("given", None)
    assert (of(room, "sue")["pin"], of(room, "ann")["pin"]) == ("own", "none")
    assert {each["table"] for each in of(room, "ann")["sessions"] if each["device"]} == {1, 2, 3}
    assert [each["own"] for each in of(room, "max")["sessions"] if each["own"]] == [True]
    done(sign_in(room))
    assert of(room, "sue")["last_sign_in"] == room.runtime.house.site.book.at
    assert of(room, "sue")["last_where"] == "console testclient"


def test_a_session_is_ended_by_whoever_may_and_the_book_says_by_whom(room: Room) -> None:
    at_one = next(each for each in of(room, "ann")["sessions"] if each["table"] == 1)
    denied = room.post("/api/people/end-session", "sue", session=at_one["session"])
    assert (denied.status_code, error_of(denied)) == (403, "not-allowed")
    done(room.post("/api/people/end-session", "max", session=at_one["session"]))
    assert (last(room)["by"], last(room)["person"], last(room)["why"]) == ("max", "ann", "ended")
    late = room.act("/api/links/main/start", "ann 1", table=1, lit=[1], based=[1])
    assert error_of(late) == "signed-out"
    again = room.post("/api/people/end-session", "max", session=at_one["session"])
    assert (again.status_code, error_of(again)) == (404, "no-session")


# One dealer at one table


@pytest.fixture
def one_table(room: Room) -> Room:
    done(room.act_of_two("/api/site/set-sign-in", many_tables=False))
    for session in room.runtime.access.going_on("ann") + room.runtime.access.going_on("dan"):
        room.runtime.access.end(session)
    return room


def at_keypad(room: Room, table: int, **who: str) -> Any:
    return room.post("/api/keypad/sign-in", f"keypad-{table}", **who)


def test_with_a_card_a_dealer_moves_and_the_session_at_the_first_table_ends(one_table: Room) -> None:
    room = one_table
    card = room.site.cards["ann"]
    done(at_keypad(room, 1, card=card))
    done(at_keypad(room, 2, card=card))
    assert [each["table"] for each in of(room, "ann")["sessions"]] == [2]
    assert [each["why"] for each in noted(room)[-2:] if each["event"] == "ended"] == ["moved"]


def test_by_name_nobody_is_taken_from_another_table(one_table: Room) -> None:
    room = one_table
    done(at_keypad(room, 1, person="dan"))
    done(at_keypad(room, 1, person="dan"))  # there again, as after a page that was loaded anew
    refused = at_keypad(room, 2, person="dan")
    assert (refused.status_code, error_of(refused)) == (409, "at-other-table")
    assert "keypad-1" in refused.json()["error"]["sentence"]
    assert (last(room)["event"], last(room)["why"]) == ("refused", "at-other-table")
    for each in of(room, "dan")["sessions"]:
        done(room.post("/api/people/end-session", "max", session=each["session"]))
    done(at_keypad(room, 2, person="dan"))


def test_where_the_house_allows_it_a_dealer_is_at_several(room: Room) -> None:
    done(at_keypad(room, 1, person="dan"))
    done(at_keypad(room, 2, person="dan"))
    wait_until(lambda: {each["table"] for each in of(room, "dan")["sessions"]} == {1, 2}, 2)
