"""Whoever writes the file of sessions and PINs makes nobody of it: every row that lets somebody in is sealed."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from argon2 import PasswordHasher

from croupier.compliance.authority import Role
from croupier.errors import NotationError
from croupier.floor.agreement import Agreement
from croupier.floor.floor import Floor
from croupier.floor.forms import Signed
from croupier.ledger.clock import written
from croupier.store.store import open_store
from croupier.web.identity.routes import OF_SITE
from croupier.web.identity.sessions import FRESH_S, TRIES, hash_of_token
from croupier.web.identity.store import AccessStore, OtherSessionKey, Seal, utc
from croupier.web.identity.tickets import Agreed, Second, digest_of
from croupier.web.settings import SessionKey, Settings, session_key, site_key
from support.room import card, make_room
from tests.web.signing_in import WRONG, sign_in
from tests.web.support import PINS, ROLES, MadeSite, Room, Server, access_store, done, error_of, running

CLOCK: dict[str, Any] = {"id": "clock-1", "zone": "UTC", "day_begins": 5}


def rows(site: MadeSite, table: str) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(f"{site.folder}/floor.db.access")) as db:
        db.row_factory = sqlite3.Row
        return [dict(row) for row in db.execute(f"SELECT * FROM {table}")]


def write(site: MadeSite, table: str, **values: Any) -> None:
    names = ", ".join(values)
    with closing(sqlite3.connect(f"{site.folder}/floor.db.access")) as db, db:
        db.execute(
            f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({', '.join('?' * len(values))})", [*values.values()]
        )


def alter(site: MadeSite, statement: str, *values: Any) -> None:
    with closing(sqlite3.connect(f"{site.folder}/floor.db.access")) as db, db:
        assert db.execute(statement, values).rowcount


def forged(site: MadeSite, person: str) -> tuple[str, dict[str, Any]]:
    """A token, and the row of a session at a console that goes with it."""
    token = secrets.token_urlsafe(32)
    like = next(row for row in rows(site, "access_sealed_sessions") if row["person"] == person and row["console"] == 1)
    ends = (utc() + timedelta(minutes=10)).isoformat(sep=" ")
    return f"ses_{token}", {**like, "token_hash": hash_of_token(token), "ends": ends}


# Sessions, with a real server


def test_a_session_written_into_the_file_with_the_secret_beside_it_is_nobodys(server: Server) -> None:
    """As it was done: a row for mia, made with all that lies beside the books, and she is the second person."""
    site, url = server.site, server.url
    secret = site_key(site.settings.key_path()).secret
    token, row = forged(site, "mia")
    values = [value for name, value in row.items() if name != "seal"]
    by_secret = hmac.new(secret, json.dumps(["session", *values]).encode(), hashlib.sha256).hexdigest()
    for seal in ("", "0" * 64, row["seal"], by_secret):
        write(site, "access_sealed_sessions", **{**row, "seal": seal})
        answer = httpx.get(f"{url}/api/me", headers={"Authorization": f"Bearer {token}"}, timeout=60)
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "signed-out")
    alter(site, "DELETE FROM access_sealed_sessions WHERE token_hash = ?", row["token_hash"])
    columns = {name: value for name, value in row.items() if name != "seal"}
    with closing(sqlite3.connect(f"{site.folder}/floor.db.access")) as db, db:  # as an earlier version had it
        db.execute(f"CREATE TABLE access_sessions ({', '.join(columns)})")
    write(site, "access_sessions", **columns)
    assert httpx.get(f"{url}/api/me", headers={"Authorization": f"Bearer {token}"}, timeout=60).status_code == 401


def test_a_session_row_that_was_changed_is_nobodys(site: MadeSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.web.identity.sessions.FRESH_S", 0.0)
    with running(site) as room:
        for column, value in (
            ("person", "max"),
            ("console", 1),
            ("ends", "2099-01-01 00:00:00.000000"),
            ("device", "k"),
        ):
            token = done(sign_in(room, "sue"))["token"]
            me = {"Authorization": f"Bearer {token}"}
            done(room.client.get("/api/me", headers=me))
            hashed = hash_of_token(token.removeprefix("ses_"))
            alter(site, f"UPDATE access_sealed_sessions SET {column} = ? WHERE token_hash = ?", value, hashed)
            assert error_of(room.client.get("/api/me", headers=me)) == "signed-out", column


def test_a_session_that_goes_on_is_sealed_anew(room: Room, clock: Any) -> None:
    token = done(sign_in(room, "sue", PINS["sue"]))["token"]
    me = {"Authorization": f"Bearer {token}"}
    for _ in range(5):
        clock.later(minutes=10)
        done(room.client.get("/api/me", headers=me))
    assert FRESH_S < 60


# PINs


def test_a_pin_written_into_the_file_does_not_count(room: Room) -> None:
    mine = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(WRONG)
    alter(room.site, "UPDATE access_sealed_pins SET hash = ? WHERE person = 'sue'", mine)
    assert error_of(sign_in(room, "sue", WRONG)) == "wrong-pin"
    assert error_of(sign_in(room, "sue", PINS["sue"])) == "wrong-pin"
    eve = next(row for row in rows(room.site, "access_sealed_pins") if row["person"] == "eve")
    write(room.site, "access_sealed_pins", **{**eve, "person": "sue"})
    assert error_of(sign_in(room, "sue", PINS["eve"])) == "wrong-pin", "a row counts for its own person"
    write(room.site, "access_pins", person="sue", hash=mine, set_at="2026-01-01 00:00:00.000000")
    assert error_of(sign_in(room, "sue", WRONG)) == "wrong-pin"


def test_a_given_pin_does_not_become_a_chosen_one(room: Room) -> None:
    done(room.act_of_two("/api/site/set-pin", "max", "mia", person="eve", pin=WRONG))
    alter(room.site, "UPDATE access_sealed_pins SET given = 0 WHERE person = 'eve'")
    assert error_of(sign_in(room, "eve", WRONG)) == "wrong-pin"


def test_a_pin_left_waiting_in_the_file_is_not_taken_up(site: MadeSite) -> None:
    mine = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(WRONG)
    row = {"person": "sue", "command": "pin-sue", "hash": mine}
    write(site, "access_sealed_waiting", **row, key="", seal="0" * 64)
    write(site, "access_pins_waiting", **row)
    with running(site) as room:
        assert error_of(sign_in(room, "sue", WRONG)) == "wrong-pin"
        done(sign_in(room, "sue", PINS["sue"]))


def test_nor_is_one_that_is_left_with_the_seal_taken_out(site: MadeSite) -> None:
    mine = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(WRONG)
    alter(site, "DELETE FROM access_seal")
    write(site, "access_pins_waiting", person="sue", command="pin-sue", hash=mine)
    with pytest.raises(OtherSessionKey, match="The PINs of sue in"), running(site):
        pass


def test_failures_that_were_wiped_out_of_the_file_are_still_counted(room: Room) -> None:
    for _ in range(TRIES):
        assert error_of(sign_in(room, "sue", WRONG)) == "wrong-pin"
        alter(room.site, "DELETE FROM access_failures")
    assert error_of(sign_in(room, "sue", PINS["sue"])) == "locked-out"


# Tickets and agreements


def ticket_of(room: Room, seal: Seal, second: Second) -> str:
    """A ticket for a new clock, as whoever has these keys makes it without mia."""
    tickets = room.runtime.tickets
    tickets._seal, own = seal, tickets._seal
    session = room.runtime.access.session(room.site.tokens["max"].removeprefix("ses_"))[0]
    agreed = Agreed(
        "set-clock", "", "clock-1", digest_of(OF_SITE["set-clock"].model_validate({**CLOCK, "second_ticket": ""}))
    )
    try:
        return str(tickets.make(second, session, agreed))
    finally:
        tickets._seal = own


def test_a_ticket_forged_with_the_secret_is_refused_and_with_every_key_it_has_no_agreement(room: Room) -> None:
    mia = room.runtime.person("mia")
    by_secret = ticket_of(room, Seal(room.runtime.key.secret), Second(mia))
    refused = room.post("/api/site/set-clock", **CLOCK, second_ticket=by_secret)
    assert (refused.status_code, error_of(refused)) == (403, "second-unknown")
    by_all = ticket_of(room, room.runtime.sessions.seal, Second(mia))
    refused = room.post("/api/site/set-clock", **CLOCK, second_ticket=by_all)
    assert (refused.status_code, error_of(refused)) == (403, "not-agreed")
    own = done(room.post("/api/second-person", **said("eve")))["second_ticket"].split(".")
    other = ticket_of(room, room.runtime.sessions.seal, Second(mia, _agreement(own)))
    assert error_of(room.post("/api/site/set-clock", **CLOCK, second_ticket=other)) == "not-agreed"
    last = room.runtime.reading.last("site")
    assert last.kind != "set-clock"


def said(who: str, **other: Any) -> dict[str, Any]:
    return {"card": card(who), "pin": PINS[who], "act": "set-clock", "id": "clock-1", "body": CLOCK, **other}


def _agreement(parts: list[str]) -> Agreement:
    return Agreement(written(int(parts[0])), parts[2])


def has_pin(text: bytes, pin: bytes) -> bool:
    """Whether a PIN is there, but by chance: its six digits come among those of some digest, or of a second, once in a
    hundred runs."""
    runs = [run for run in re.finditer(rb"(?<!\d\.)[0-9a-f]+", text) if pin in run[0]]
    return any(len(run[0]) % 32 for run in runs)


@pytest.mark.parametrize(("text", "there"), [("pin 739164", True), (f"{'0f' * 32}739164", True), ("03.739164", False)])
def test_a_pin_is_found_where_it_is_kept(text: str, there: bool) -> None:
    assert has_pin(text.encode(), b"739164") is there
    assert not has_pin(b"ab" * 13 + b"739164", b"739164")


def test_the_act_carries_the_agreement_and_nothing_that_could_make_another_is_kept(room: Room) -> None:
    entry = done(room.act_of_two("/api/site/set-clock", zone="UTC", day_begins=5))["entry"]
    assert entry["facts"]["agreed"].keys() == {"until", "signature"}
    key = room.runtime.house.site.people.keys["mia"]
    for file in room.site.folder.iterdir():
        text = file.read_bytes()
        assert not has_pin(text, PINS["mia"].encode()), file.name
        assert card("mia").encode() not in text
    assert key.made == "argon2id m=8 t=1 p=1"


def test_a_person_without_a_key_is_told_to_choose_a_pin(room: Room) -> None:
    """Whose card was replaced, and whose PIN stayed: the two have made no key yet."""
    new = "n" * 32
    done(room.act_of_two("/api/site/replace-card", "max", "eve", person="mia", card=new))
    refused = room.post("/api/second-person", **said("mia", card=new))
    assert (refused.status_code, error_of(refused)) == (403, "no-key")
    assert "chooses a PIN" in refused.json()["error"]["sentence"]
    token = done(room.post("/api/sign-in", "", card=new, pin=PINS["mia"]))["token"]
    room.site.tokens["mia new"] = token
    own = {"person": "mia", "pin": "470915", "old_pin": PINS["mia"], "card": new}
    done(room.act("/api/site/set-pin", "mia new", **own))
    ticket = done(room.post("/api/second-person", **said("mia", card=new, pin="470915")))["second_ticket"]
    done(room.post("/api/site/set-clock", **CLOCK, second_ticket=ticket))


def test_a_card_that_the_server_makes_is_in_what_the_second_person_signs(room: Room) -> None:
    first = done(room.act_of_two("/api/site/replace-card", id="r1", person="sue"))
    assert first["card"]
    assert first["entry"]["facts"]["agreed"]
    assert done(sign_in_with(room, first["card"]))["person"] == "sue"


def sign_in_with(room: Room, token: str) -> httpx.Response:
    return room.post("/api/sign-in", "", card=token)


# The session key


def test_the_key_is_made_once_apart_from_the_books_and_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "state" / "site.session-key"
    made = session_key(path)
    assert made.is_new
    assert not path.exists(), "until something is sealed with it"
    assert session_key(path).secret == made.secret, "a start that was cut short goes on"
    made.keep()
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    again = session_key(path)
    assert (again.is_new, again.secret) == (False, made.secret)
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    made.keep()  # of another server that started together


def test_where_the_key_is_by_default_follows_from_the_sites_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    key, other = site_key(tmp_path / "a.key"), site_key(tmp_path / "b.key")
    paths = {Settings(db=db).session_key_path(key) for db in ("sqlite:///a.db", "sqlite:///moved/b.db")}
    assert len(paths) == 1
    assert paths.pop().parent == tmp_path / "croupier"
    assert Settings().session_key_path(key) != Settings().session_key_path(other)
    assert key.secret.hex() not in str(Settings().session_key_path(key))
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError))
    with pytest.raises(NotationError, match="session_key"):
        Settings().session_key_path(key)


def test_a_key_that_is_none_or_cannot_be_made_is_refused(tmp_path: Path) -> None:
    for text, words in (("", "at least 64"), ("zz", "hexadecimal"), ("ab", "at least 64")):
        (tmp_path / "k").write_text(text)
        with pytest.raises(NotationError, match=words):
            session_key(tmp_path / "k")
    (tmp_path / "file").touch()
    with pytest.raises(NotationError, match="cannot be"):
        session_key(tmp_path / "file" / "k")


def test_a_server_with_another_key_or_none_does_not_start(site: MadeSite, tmp_path: Path) -> None:
    key = site_key(site.settings.key_path())
    other = SessionKey(bytes(32), tmp_path / "other")
    with pytest.raises(OtherSessionKey, match="another one than"):
        AccessStore(site.db, key, other)
    with pytest.raises(OtherSessionKey, match="is not at"):
        AccessStore(site.db, key, session_key(tmp_path / "lost" / "k"))
    assert list((tmp_path / "lost").iterdir()) == [], "nothing is sealed with it, so it is not kept"
    with closing(AccessStore(site.db, key, session_key(tmp_path / "new"), anew=True)) as store:
        assert store.all_pins() == []
    assert (tmp_path / "new").exists()


# What an earlier version left


def old(site: MadeSite) -> dict[str, str]:
    """The file as an earlier version had it: nothing is sealed."""
    pins = {row["person"]: row["hash"] for row in rows(site, "access_sealed_pins")}
    with closing(sqlite3.connect(f"{site.folder}/floor.db.access")) as db, db:
        for table in ("seal", "sealed_pins", "sealed_waiting", "sealed_sessions"):
            db.execute(f"DROP TABLE access_{table}")
        for person, hashed in pins.items():
            db.execute("INSERT INTO access_pins VALUES (?, ?, '2026-01-01 00:00:00.000000')", (person, hashed))
        db.execute("INSERT INTO access_pins_given VALUES ('aud')")
    return pins


def test_pins_of_an_earlier_version_are_sealed_by_the_start_that_makes_the_key_and_by_no_other(
    site: MadeSite, tmp_path: Path
) -> None:
    pins, key, path = old(site), site_key(site.settings.key_path()), tmp_path / "apart" / "k"
    with pytest.raises(OtherSessionKey, match="start the site's server once"):  # a backup: an old server may still run
        AccessStore(site.db, key, session_key(path), seals=False)
    assert rows(site, "access_pins")
    with closing(AccessStore(site.db, key, session_key(path))) as store:
        assert store.sealed == sorted(pins)
        assert {pin.person: pin.hash for pin in store.all_pins()} == pins
        assert [pin.person for pin in store.all_pins() if pin.given] == ["aud"]
    assert rows(site, "access_pins") == rows(site, "access_pins_given") == []
    write(site, "access_pins", person="max", hash="$argon2id$mine", set_at="2026-01-01 00:00:00.000000")
    with closing(AccessStore(site.db, key, session_key(path))) as store:
        assert (store.sealed, {pin.person: pin.hash for pin in store.all_pins()}) == ([], pins)
    alter(site, "DELETE FROM access_seal")
    with pytest.raises(OtherSessionKey, match=r"PINs of max .* sealed none") as caught:
        AccessStore(site.db, key, session_key(path))
    assert "session_key" in caught.value.fields


def test_a_start_that_was_cut_off_while_it_sealed_goes_on(site: MadeSite, tmp_path: Path) -> None:
    pins, key, path = old(site), site_key(site.settings.key_path()), tmp_path / "apart" / "k"
    session_key(path)  # and the power fails
    with closing(AccessStore(site.db, key, session_key(path))) as store:
        assert store.sealed == sorted(pins)
    (path).rename(path.with_name("k.new"))  # as it was when the power fails after the rows were sealed
    with closing(AccessStore(site.db, key, session_key(path))) as store:
        assert (store.sealed, len(store.all_pins())) == ([], len(pins))
    assert path.exists()


def test_a_site_of_an_earlier_version_turns_with_the_first_pin_that_is_chosen(site: MadeSite, tmp_path: Path) -> None:
    """Until then its second persons agree as they did; from then on each chooses a PIN first."""

    folder = tmp_path / "old"
    folder.mkdir()
    older = MadeSite(folder, {person: card(person) for person in ROLES})
    shutil.copy(site.settings.key_path(), older.settings.key_path())
    key = site_key(older.settings.key_path())
    make_room(older.db, key, people=[Signed(person, Role(role)) for person, role in ROLES.items()])
    hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    with closing(access_store(older.db, key)) as store:
        for person, pin in PINS.items():
            store.set_pin(person, hasher.hash(pin), utc())
    with Floor(lambda: open_store(older.db), key, bank_every_s=0) as floor:
        assert not floor.site.people.turned
    with running(older) as room:
        for person in ("max", "mia"):
            older.tokens[person] = done(sign_in(room, person, PINS[person]))["token"]
        first = done(room.act_of_two("/api/site/set-clock", **{**CLOCK, "id": "clock-0"}))["entry"]
        assert "agreed" not in first["facts"]
        own = {"person": "mia", "pin": "470915", "old_pin": PINS["mia"], "card": card("mia")}
        assert "key" in done(room.act("/api/site/set-pin", "mia", **own))["entry"]["facts"]
        assert error_of(room.post("/api/second-person", **said("eve"))) == "no-key"
        ticket = done(room.post("/api/second-person", **said("mia", pin="470915")))["second_ticket"]
        other = {**CLOCK, "day_begins": 4}
        assert error_of(room.post("/api/site/set-clock", **other, second_ticket=ticket)) == "second-unknown"
        ticket = done(room.post("/api/second-person", **said("mia", pin="470915", body=other)))["second_ticket"]
        assert done(room.post("/api/site/set-clock", **other, second_ticket=ticket))["entry"]["facts"]["agreed"]
