"""Anchors make themselves and leave the house: over closes, stops, kills, and places that fail for a while."""

from __future__ import annotations

import io
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from pypdf import PdfReader

from croupier.audit.export import chosen_streams, export, open_existing
from croupier.audit.verify import Report, verify
from croupier.errors import CroupierError
from croupier.ledger.anchor import Anchors, SignedAnchor, read_anchors
from croupier.ledger.checkpoint import new_key, public_hex, public_path, read_public
from croupier.ledger.entry import SITE
from croupier.reports.qr import svg_code
from croupier.web.anchors import keeper, signer
from croupier.web.anchors.keeper import Keeper, utc
from croupier.web.anchors.outbox import Outbox
from croupier.web.anchors.signer import ByHand
from croupier.web.app import create_app
from croupier.web.settings import Settings
from support.postgres import new_floor
from tests.audit.stamping import stamping
from tests.web.anchors.receiving import web_server
from tests.web.forking import Forked
from tests.web.postgres_site import make_site as make_postgres_site
from tests.web.support import (
    LINK,
    MadeSite,
    Room,
    Server,
    done,
    error_of,
    fast_pins,
    free_port,
    running,
    wait_until,
)


@dataclass(frozen=True)
class Anchored(MadeSite):
    """A site whose server makes anchors."""

    more: dict[str, Any] = field(default_factory=dict)

    @property
    def settings(self) -> Settings:
        return replace(super().settings, signs=True, **self.more)


def anchored(site: MadeSite, *to: str, **more: Any) -> Anchored:
    return Anchored(site.folder, site.cards, site.tokens, site.session_key, {"anchor_to": to, **more})


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    path = tmp_path / "outside"
    path.mkdir()
    return path


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "LOOK_EVERY_S", 0.05)
    monkeypatch.setattr(keeper, "FIRST_PAUSE_S", 0.05)


def arrived(folder: Path) -> list[SignedAnchor]:
    try:
        return read_anchors([folder]).signed
    except CroupierError:
        return []


def proved(site: MadeSite, *kept: Path | str) -> Report:
    path = site.folder / "export.jsonl.gz"
    with open_existing(site.db) as store:
        export(store, chosen_streams(store, None), path)
    return verify(path, anchors=read_anchors(kept) if kept else Anchors())


def status(room: Room, who: str = "aud") -> dict[str, Any]:
    return done(room.get("/api/ledger/anchors", who))


# The key


def test_a_site_has_a_key_from_its_first_start_on_and_it_is_on_record(site: MadeSite) -> None:
    mine = anchored(site)
    path = mine.settings.signing_path()
    with running(mine) as room:
        wait_until(lambda: room.runtime.floor.site.signs_with)
        public = room.runtime.floor.site.signs_with
        assert room.runtime.anchors.new_key == public
        rows = done(room.get("/api/reports/events?event=note-key&format=json", "max"))["rows"]
        assert len(rows) == 1
        assert "The site signs with the key" in rows[0]["sentence"]
    assert (path.name, path.stat().st_mode & 0o777) == ("floor.db.signing.pem", 0o600)
    assert read_public(public_path(path)) == public
    with running(mine) as room:
        assert (room.runtime.anchors.new_key, room.runtime.anchors.signer.public) == ("", public)
        assert len(done(room.get("/api/reports/events?event=note-key&format=json", "max"))["rows"]) == 1
    assert proved(mine).wrong == ""


def test_a_key_that_is_gone_is_not_replaced_in_silence(site: MadeSite, tmp_path: Path) -> None:
    mine = anchored(site)
    with running(mine) as room:
        wait_until(lambda: room.runtime.floor.site.signs_with)
    mine.settings.signing_path().unlink()
    with running(mine) as room:
        assert "with which the site signs, is not at" in room.runtime.alarms()["making"]
        assert done(room.get("/api/ready", ""))["alarms"] == {
            "anchors": "Anchors do not leave the house; the log says why."
        }
        room.start()  # and everybody plays on
    other = new_key(tmp_path / "other.pem")
    with running(replace(mine, more={"signing_key": tmp_path / "other.pem"})) as room:
        wait_until(lambda: room.runtime.floor.site.signs_with == public_hex(other.public_key()))
        wait_until(lambda: room.runtime.alarms() == {})
    assert proved(mine).wrong == ""


# Making and sending


def test_the_first_anchor_and_that_of_the_stop_arrive(site: MadeSite, outside: Path) -> None:
    mine = anchored(site, f"folder:{outside}")
    with running(mine) as room:
        wait_until(lambda: len(arrived(outside)) == 1)
        room.start()
        (destination,) = status(room)["destinations"]
        assert (destination["last"], destination["waiting"], destination["error"]) == (1, 0, "")
    first, last = arrived(outside)
    assert (first.anchor.why, last.anchor.why) == ("interval", "stop")
    assert last.anchor.books[f"link:{LINK}"][0] == first.anchor.books[f"link:{LINK}"][0] + 1
    with running(mine):
        pass
    assert len(arrived(outside)) == 2  # nothing was entered: it would say the same again
    report = proved(mine, outside)
    assert (report.wrong, report.anchors, report.unproved) == ("", 2, [])


def test_an_interval_makes_anchors_only_of_what_is_new(site: MadeSite, outside: Path) -> None:
    with running(anchored(site, f"folder:{outside}", anchor_every_s=0.2)) as room:
        for count in range(1, 4):
            wait_until(lambda count=count: len(arrived(outside)) == count)
            room.start(1)
            done(room.act(f"/api/links/{LINK}/end", "ann 1", table=1))
        wait_until(lambda: len(arrived(outside)) == 4)
        assert status(room)["made"] == 4
    assert [each.anchor.number for each in arrived(outside)] == [1, 2, 3, 4]


def test_a_days_close_makes_one_and_the_papers_line_is_an_anchor(
    site: MadeSite, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = anchored(site, f"folder:{outside}")
    ahead = _clock(monkeypatch)
    with running(mine) as room:
        wait_until(lambda: len(arrived(outside)) == 1)
        room.start()
        day = done(room.get("/api/days"))["today"]
        ahead.append(timedelta(days=1))
        done(room.act(f"/api/days/{day}/close", "max"))
        wait_until(lambda: any(each.anchor.day == day for each in arrived(outside)))
        found = done(room.get(f"/api/days/{day}", "max"))
        line = found["closed"]["anchor"]
        page = done(room.get(f"/api/reports/close?day={day}&format=page", "max"))["page"]
        assert page["line"] == line
        assert page["code"] == svg_code(line)
        paper = PdfReader(io.BytesIO(room.get(f"/api/reports/close?day={day}&format=pdf", "max").content))
        printed = "".join(each.extract_text() for each in paper.pages)
        assert read_anchors([printed[printed.index("CROUPIER-ANCHOR") :].split("Book ")[0]]).lines[0].text() == line
        room.start(2)
    report = proved(mine, outside, line)
    assert (report.wrong, report.anchors) == ("", 4)


def _clock(monkeypatch: pytest.MonkeyPatch) -> list[timedelta]:
    from datetime import UTC, datetime

    from croupier.floor import floor

    ahead: list[timedelta] = []

    def now() -> str:
        moment = datetime.now(UTC) + sum(ahead, timedelta())
        return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")

    monkeypatch.setattr(floor, "CheckedClock", lambda: now)
    for module in ("days", "ledger"):
        monkeypatch.setattr(f"croupier.web.floor.{module}.utc_now", now)
    return ahead


def test_a_place_that_fails_is_an_alarm_and_gets_everything_in_order_when_it_is_back(
    site: MadeSite, outside: Path
) -> None:
    mine = anchored(site, f"folder:{outside}", f"webhook:http://127.0.0.1:{(port := free_port())}/", anchor_alarm_s=0.0)
    mine.more["anchor_every_s"] = 0.05
    with running(mine) as room:
        for _ in range(3):
            made = status(room)["made"]
            room.start(1)
            done(room.act(f"/api/links/{LINK}/end", "ann 1", table=1))
            wait_until(lambda made=made: status(room)["made"] > made)
        wait_until(lambda: len(arrived(outside)) >= 3)  # each place by itself
        webhook = next(each for each in status(room)["destinations"] if each["kind"] == "webhook")
        assert (webhook["alarm"], webhook["last"]) == (True, None)
        wait_until(lambda: "connection refused" in _of(room, "webhook")["error"])
        wait_until(lambda: webhook["destination"] in room.runtime.alarms())
        ready = room.get("/api/ready", "max")
        assert (ready.status_code, ready.json()["status"]) == (200, "ready")
        assert "anchors wait since" in ready.json()["alarms"][webhook["destination"]]
        assert room.client.get("/metrics").text.count("croupier_anchors_waiting{") == 2
        with web_server(port) as received:
            wait_until(lambda: _of(room, "webhook")["waiting"] == 0)
            numbers = [json.loads(body)["anchor"]["number"] for _, body in received.requests]
            assert numbers == list(range(1, len(numbers) + 1))
            wait_until(lambda: room.runtime.alarms() == {})
            assert "croupier_alarms 0.0" in room.client.get("/metrics").text


def _of(room: Room, kind: str) -> dict[str, Any]:
    return next(each for each in status(room)["destinations"] if each["kind"] == kind)


def test_a_new_folder_gets_every_anchor_and_a_new_webhook_begins_with_the_newest(site: MadeSite, outside: Path) -> None:
    for _ in range(3):
        with running(anchored(site)) as room:
            room.start(1)
            done(room.act(f"/api/links/{LINK}/end", "ann 1", table=1))
    with web_server() as received, running(anchored(site, f"folder:{outside}", f"webhook:{received.url}")) as room:
        made = status(room)["made"]
        wait_until(lambda: len(arrived(outside)) == made)
        wait_until(lambda: _of(room, "webhook")["last"] == made)
        assert [json.loads(body)["anchor"]["number"] for _, body in received.requests] == [made]


def test_timestamps_are_kept_with_the_anchor(site: MadeSite, tmp_path: Path) -> None:
    from croupier.ledger.timestamp import read_certificates

    with stamping(tmp_path) as (ask, root), web_server() as received:
        received.answer = ask
        with running(anchored(site, f"rfc3161:{received.url}")) as room:
            wait_until(lambda: _of(room, "rfc3161")["last"] == 1)
            content = room.get("/api/ledger/anchors/file", "max").content
        (tmp_path / "anchors.jsonl").write_bytes(content)
        with open_existing(site.db) as store:
            export(store, chosen_streams(store, None), tmp_path / "x.jsonl.gz")
        kept = read_anchors([tmp_path / "anchors.jsonl"])
        report = verify(tmp_path / "x.jsonl.gz", anchors=kept, stampers=read_certificates(root))
        assert (report.wrong, report.unproved, [number for number, _ in report.stamps]) == ("", [], [1])


def test_a_book_that_went_back_is_not_anchored(site: MadeSite, outside: Path) -> None:
    mine = anchored(site, f"folder:{outside}")
    with running(mine) as room:
        wait_until(lambda: len(arrived(outside)) == 1)
        last = room.runtime.anchors.outbox.last()
        books = {**last.anchor.books, f"link:{LINK}": (10_000, "ab" * 32)}
        forged = replace(last.anchor, number=2, books=books)
        room.runtime.anchors.outbox.add(forged, "", "", utc())
        room.start()
        with pytest.raises(CroupierError, match="the book was cut or is another"):
            room.runtime.anchors.make("asked")
        room.runtime.anchors._want("asked", "")
        wait_until(lambda: "cut or is another" in room.runtime.alarms().get("making", ""))


def test_books_that_were_put_back_are_told_at_the_start_and_not_anchored_when_they_are_longer(
    site: MadeSite, outside: Path, tmp_path: Path
) -> None:
    """With the marks put aside as well: the anchors that are kept beside the books know how they stood."""
    mine = anchored(site, f"folder:{outside}")
    with running(mine) as room:
        wait_until(lambda: len(arrived(outside)) == 1)
    shutil.copy(site.folder / "floor.db", tmp_path / "earlier.db")
    with running(mine) as room:
        room.start()
    shutil.copy(tmp_path / "earlier.db", site.folder / "floor.db")
    (site.folder / "floor.db.marks").unlink()
    with running(mine) as room:
        wait_until(lambda: "cut or is another" in room.runtime.alarms().get("making", ""))
        for _ in range(2):
            room.start()
            done(room.act(f"/api/links/{LINK}/end", "ann 1", table=1))
        last = room.runtime.anchors.outbox.last().anchor
        assert room.runtime.house.links[LINK].entries > last.books[f"link:{LINK}"][0]
        with pytest.raises(CroupierError, match="the book was cut or is another"):
            room.runtime.anchors.make("asked")


# Signing elsewhere


def test_a_command_signs_with_a_key_that_the_server_does_not_have(
    site: MadeSite, outside: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, memory = tmp_path / "elsewhere.pem", tmp_path / "memory.jsonl"
    new_key(key)
    command = f"{_croupier()} ledger sign --key {key} --kept {memory}"
    more = {"signing_key": public_path(key), "signer": command}
    monkeypatch.setattr(signer, "SIGN_S", 120.0)
    with running(anchored(site, f"folder:{outside}", **more)) as room:
        wait_until(lambda: len(arrived(outside)) == 1, 120)
        room.start()
    with running(anchored(site, f"folder:{outside}", **more)):  # it sends that of the stop, if it was late
        wait_until(lambda: len(arrived(outside)) == 2, 120)
    assert read_anchors([memory]).signed == arrived(outside)
    report = verify(_exported(site), key=read_public(public_path(key)), anchors=read_anchors([outside]))
    assert (report.wrong, report.anchors) == ("", 2)


def _croupier() -> str:
    import shlex
    import sys

    return shlex.join([sys.executable, "-c", "from croupier.cli import main; main()"])


def _exported(site: MadeSite) -> Path:
    path = site.folder / "export.jsonl.gz"
    with open_existing(site.db) as store:
        export(store, chosen_streams(store, None), path)
    return path


def test_an_anchor_that_was_written_into_the_table_is_not_signed(site: MadeSite, outside: Path) -> None:
    with running(anchored(site, f"folder:{outside}")) as room:
        wait_until(lambda: len(arrived(outside)) == 1)
        last = room.runtime.anchors.outbox.last().anchor
        forged = replace(last, number=2, books={**last.books, SITE: (3, "0" * 64)})
        other = replace(last, number=2, series="0" * len(last.series))
        for anchor in (forged, other):
            room.runtime.anchors.outbox.add(anchor, room.runtime.anchors.signer.public, "", utc())
            room.runtime.anchors._due.set()
            wait_until(lambda: "the books never stood so" in room.runtime.alarms().get("signing", ""))
            with closing(sqlite3.connect(site.folder / "floor.db.anchors")) as db, db:
                assert db.execute("SELECT signature FROM anchors_made WHERE number = 2").fetchall() == [("",)]
                db.execute("DELETE FROM anchors_made WHERE number = 2")
            room.runtime.anchors._unsigned, room.runtime.anchors.alarms = "", {}
        assert [each.anchor.number for each in arrived(outside)] == [1]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("/nowhere/at/all", "cannot be run: no such file"),
        ("false", "refused: it ended with 1"),
        ("echo abc", "no signature by the site's key"),
    ],
)
def test_a_signer_that_fails_leaves_the_anchor_waiting(
    command: str, said: str, site: MadeSite, tmp_path: Path, outside: Path
) -> None:
    new_key(tmp_path / "k.pem")
    more = {"signing_key": tmp_path / "k.pem.pub", "signer": command, "anchor_alarm_s": 0.0}
    with running(anchored(site, f"folder:{outside}", **more)) as room:
        wait_until(lambda: said in room.runtime.alarms().get("signing", ""))
        assert arrived(outside) == []
        room.start()


def test_nobody_waits_for_a_signer_that_hangs(site: MadeSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its command reads from a pipe to which the test writes nothing, and which it closes at the end."""
    new_key(tmp_path / "k.pem")
    os.mkfifo(tmp_path / "pipe")
    ahead = _clock(monkeypatch)
    more = {"signing_key": tmp_path / "k.pem.pub", "signer": f"cat {tmp_path}/pipe"}
    with running(anchored(site, **more)) as room:
        with (tmp_path / "pipe").open("wb"):  # opened by the signer too: it is at work
            monkeypatch.setattr(room.runtime.anchors, "signer", ByHand(room.runtime.anchors.signer.public))
            room.start()
            day = done(room.get("/api/days"))["today"]
            ahead.append(timedelta(days=1))
            done(room.act(f"/api/days/{day}/close", "max"))
            assert [each["number"] for each in status(room)["unsigned"]] == [1]
            assert done(room.get("/api/ready", "max"))["status"] == "ready"
        wait_until(lambda: len(status(room)["unsigned"]) == 2)  # that of the close, made when the signer had ended


def test_people_bring_a_signature_from_a_key_that_is_kept_elsewhere(
    site: MadeSite, tmp_path: Path, outside: Path
) -> None:
    key = new_key(tmp_path / "k.pem")
    mine = anchored(site, f"folder:{outside}", signing_key=tmp_path / "k.pem.pub")
    with running(mine) as room:
        wait_until(lambda: status(room)["unsigned"])
        ((waiting),) = status(room)["unsigned"]
        wrong = room.post("/api/ledger/anchors/1/signature", "aud", signature="00" * 64)
        assert (wrong.status_code, error_of(wrong)) == (409, "wrong-signature")
        denied = room.post("/api/ledger/anchors/1/signature", "eve", signature="00" * 64)
        assert denied.status_code == 403
        signature = key.sign(waiting["text"].encode()).hex()
        assert done(room.post("/api/ledger/anchors/1/signature", "aud", signature=signature)) == {"signed": 1}
        wait_until(lambda: len(arrived(outside)) == 1)
        again = room.post("/api/ledger/anchors/1/signature", "aud", signature=signature)
        assert error_of(again) == "not-waiting"
        refused = room.act("/api/ledger/checkpoint", "max", day="2026-01-01")
        assert error_of(refused) == "no-signing-key"


def test_who_may_see_the_anchors(site: MadeSite) -> None:
    with running(anchored(site)) as room:
        for who, code in (("max", 200), ("aud", 200), ("eve", 403), ("sue", 403), ("ann 1", 403), ("", 401)):
            assert room.get("/api/ledger/anchors", who).status_code == code, who
            assert room.get("/api/ledger/anchors/file", who).status_code == code, who


# Kills


def serving(settings: Settings) -> None:
    fast_pins()
    uvicorn.run(create_app(settings), host=settings.host, port=settings.port, log_level="warning", access_log=False)


class AnchorServer(Server):
    def _start(self) -> Forked:
        assert isinstance(self.site, Anchored)
        settings = replace(self.site.settings, port=self.port)
        return Forked(self.site.folder / "server.log", serving, settings)


@contextmanager
def served(site: Anchored) -> Iterator[AnchorServer]:
    server = AnchorServer(site, free_port())
    try:
        server.wait_ready()
        yield server
    finally:
        server.stop()


def test_a_server_that_is_killed_between_making_and_sending_sends_after_its_next_start(site: MadeSite) -> None:
    port = free_port()
    mine = anchored(site, f"webhook:http://127.0.0.1:{port}/hook")
    with served(mine) as server:
        outbox = Outbox(mine.db)
        try:
            wait_until(lambda: (last := outbox.last()) is not None and last.signed is not None)
            kept = outbox.last()
            server.kill()
            with web_server(port) as received:
                server.start_again()
                server.wait_ready()
                wait_until(lambda: received.requests, 60)
        finally:
            outbox.close()
    assert kept is not None
    assert kept.signed is not None
    assert json.loads(received.requests[0][1]) == kept.signed.as_json()
    assert "secret" not in server.log


def test_a_day_that_was_closed_just_before_a_kill_gets_its_anchor(
    site: MadeSite, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The keeper does not hear of the close, as if the server had ended there."""
    mine, ahead = anchored(site, f"folder:{outside}", anchor_every_s=0.0), _clock(monkeypatch)
    with running(mine) as room:
        wait_until(lambda: len(arrived(outside)) == 1)
        monkeypatch.setattr(room.runtime.anchors, "heard", lambda *_: None)
        monkeypatch.setattr(room.runtime.anchors, "_work", lambda *_: None)
        day = done(room.get("/api/days"))["today"]
        ahead.append(timedelta(days=1))
        done(room.act(f"/api/days/{day}/close", "max"))
    assert len(arrived(outside)) == 1
    with running(mine):
        wait_until(lambda: len(arrived(outside)) == 2)
    assert (arrived(outside)[1].anchor.why, arrived(outside)[1].anchor.day) == ("day", day)


def test_a_delivery_that_somebody_has_written_into_the_table_silences_nobody(site: MadeSite, outside: Path) -> None:
    label = f"folder:{outside}"
    with running(anchored(site, label)) as room:
        wait_until(lambda: len(arrived(outside)) == 1)
        with closing(sqlite3.connect(f"{site.folder}/floor.db.anchors")) as db, db:
            db.execute("INSERT INTO anchors_sent VALUES (?, 1000000, '2026-11-15 20:00:00', '')", (label,))
        wait_until(room.runtime.alarms)
        assert "Anchor 1,000,000 is said to have arrived" in str(room.runtime.alarms())
        room.start()
        room.runtime.anchors.make("asked")
        wait_until(lambda: len(arrived(outside)) == 2)
        wait_until(lambda: not room.runtime.alarms())


@pytest.mark.postgres
def test_whoever_leads_next_goes_on_with_the_numbers_and_the_key(tmp_path: Path, outside: Path) -> None:
    """Two servers of one site on PostgreSQL: the first ends, and the second makes the next anchor."""
    from fastapi.testclient import TestClient

    settings = Settings(db=new_floor(), key_file=tmp_path / "site.key", signs=True, anchor_to=(f"folder:{outside}",))
    make_postgres_site(settings.db, tmp_path / "site.key")
    fast_pins()
    first, second = create_app(settings), create_app(replace(settings, port=8701))
    with TestClient(first):
        wait_until(lambda: len(arrived(outside)) == 1)
        follower = TestClient(second)
        follower.__enter__()
        assert second.state.runtime.floor is None
    try:
        wait_until(lambda: second.state.runtime.floor is not None)
        wait_until(lambda: second.state.runtime.anchors.signer is not None)
        second.state.runtime.anchors._want("asked", "")
        wait_until(lambda: len(arrived(outside)) == 2)
        assert second.state.runtime.alarms() == {}
    finally:
        follower.__exit__(None, None, None)
    one, two = arrived(outside)
    assert (one.anchor.series, one.key, two.anchor.number) == (two.anchor.series, two.key, 2)


# Configuration


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"anchor_to": ("nowhere",)}, "An anchor goes to folder:PATH"),
        ({"anchor_to": ("folder:/dev/shm", "folder:/dev/shm")}, "named twice"),
        ({"signer": "true"}, "name the public key that it signs for"),
        ({"anchor_every_s": -1.0}, "0 for none between the days"),
    ],
)
def test_wrong_settings_are_told_before_anything_is_served(values: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(CroupierError) as caught:
        create_app(Settings(db=f"sqlite:///{tmp_path}/floor.db", signs=True, **values))
    assert said in str(caught.value)
    assert not (tmp_path / "floor.db.signing.pem").exists()


def test_a_private_key_and_a_signer_do_not_go_together(tmp_path: Path) -> None:
    new_key(tmp_path / "k.pem")
    settings = Settings(db=f"sqlite:///{tmp_path}/floor.db", signing_key=tmp_path / "k.pem", signer="true")
    with pytest.raises(CroupierError, match="name the public key"):
        Keeper(settings, lambda: None)


def test_a_server_without_a_key_says_so(room: Room) -> None:
    assert status(room)["key"] is None
    assert error_of(room.get("/api/ledger/anchors/file", "aud")) == "no-anchors"
