"""An inspection: what runs here and the evidence file over HTTP, by an inspector whose span of days ends."""

from __future__ import annotations

import hashlib
import json
import re
import time
import zipfile
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from croupier.compliance.approval import shipped_register
from croupier.compliance.authority import Role
from croupier.evidence.sections import enclosed_games
from croupier.evidence.verify import verify
from croupier.floor.act import EntryKind
from croupier.floor.floor import Floor
from croupier.floor.site.acts import ChangeRole
from croupier.floor.site.notes import NoteStart
from croupier.games import catalogue
from croupier.games.rulebook import OWN
from croupier.ledger.clock import written
from croupier.ledger.entry import SITE
from croupier.program import Installed, installed, program
from croupier.store.marks import Marks
from croupier.store.store import StoreLost
from croupier.web import inspection
from croupier.web.cluster import what_runs
from croupier.web.logs import log
from croupier.web.settings import Settings
from tests.evidence.sheets import share_sheets
from tests.web.guests import INA, PIN, enrol_inspector
from tests.web.pages.test_pages import PAGE
from tests.web.support import MadeSite, Room, agreed, done, error_of, running, wait_until


@dataclass(frozen=True)
class Signed(MadeSite):
    """A site as `croupier serve` has it: it signs, and says which program runs."""

    @property
    def settings(self) -> Settings:
        return replace(super().settings, signs=True, says_what_runs=True)


def as_served(site: MadeSite) -> Signed:
    return Signed(site.folder, dict(site.cards), dict(site.tokens), site.session_key)


def noted(room: Room, kind: EntryKind) -> list[dict[str, Any]]:
    return [dict(entry.facts) for entry in room.runtime.reading.entries(SITE) if entry.kind == kind]


def test_every_start_is_an_entry_and_a_second_one_of_the_same_program_says_nothing(site: MadeSite) -> None:
    served = as_served(site)
    for starts in (1, 2):
        with running(served) as room:
            wait_until(lambda starts=starts: len(noted(room, EntryKind.NOTE_START)) == starts)
            [run] = room.runtime.house.site.runs.values()
            assert (run.starts, run.digest, run.changed) == (starts, program().digest, ())
            wait_until(lambda: room.runtime.what_runs._noted is not None)
            assert room.runtime.what_runs.said == []


def test_marks_that_were_put_aside_are_said_by_the_book_and_only_then(site: MadeSite) -> None:
    """The log alone knew it: whoever put them aside could as well take the log away."""
    served, told = as_served(site), list[list[bool]]()
    for aside in (False, True, False):
        if aside:
            served.settings.marks_path().rename(served.folder / "marks-put-aside")
        with running(served) as room:
            wait_until(lambda: len(noted(room, EntryKind.NOTE_START)) == len(told) + 1)
            told.append([start.get("unmarked", False) for start in noted(room, EntryKind.NOTE_START)])
            wait_until(lambda: not room.runtime.marks.unsaid)  # the server has heard that its entry is in the book
    assert told[-1][1:] == [True, False]


def test_marks_of_no_book_are_no_marks(site: MadeSite) -> None:
    """A file that is well formed and empty says as little as none."""
    served = as_served(site)
    with running(served) as room:
        wait_until(lambda: noted(room, EntryKind.NOTE_START))
    path = served.settings.marks_path()
    path.write_text(json.dumps({**json.loads(path.read_text()), "books": {}}))
    with running(served) as room:
        wait_until(lambda: len(noted(room, EntryKind.NOTE_START)) == 2)
        assert noted(room, EntryKind.NOTE_START)[-1].get("unmarked") is True


def test_that_marks_were_missing_waits_until_a_start_is_entered(
    site: MadeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The books may be let go of before their start is entered: whoever opens them next in this server says it."""
    served, tried, do_site = as_served(site), list[Floor](), Floor.do_site
    with running(served) as room:
        wait_until(lambda: noted(room, EntryKind.NOTE_START))
    served.settings.marks_path().unlink()

    def lost_at_first(floor: Floor, act: Any) -> Any:
        if isinstance(act, NoteStart) and (not tried or tried[0] is floor):
            tried.append(floor)
            raise StoreLost("The database does not answer.")
        return do_site(floor, act)

    monkeypatch.setattr(Floor, "do_site", lost_at_first)
    with running(served) as room:
        wait_until(lambda: tried)
        room.runtime.stop_leading()
        wait_until(lambda: len(noted(room, EntryKind.NOTE_START)) == 2)
        assert noted(room, EntryKind.NOTE_START)[-1].get("unmarked") is True
        room.runtime.stop_leading()
        wait_until(lambda: len(noted(room, EntryKind.NOTE_START)) == 3)
        assert "unmarked" not in noted(room, EntryKind.NOTE_START)[-1], "once said, it is said"


def test_a_server_that_dies_before_it_says_that_marks_were_missing_leaves_it_to_the_next(
    site: MadeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has made new marks by then: the file of marks itself keeps that there were none before."""
    served = as_served(site)
    with running(served) as room:
        wait_until(lambda: noted(room, EntryKind.NOTE_START))
    path = served.settings.marks_path()
    path.unlink()
    with monkeypatch.context() as patch:
        patch.setattr(what_runs.WhatRuns, "note", lambda *_: None)
        with running(served):
            wait_until(path.exists)
    assert json.loads(path.read_text())["unsaid"] is True
    with running(served) as room:
        wait_until(lambda: len(noted(room, EntryKind.NOTE_START)) == 2)
        assert noted(room, EntryKind.NOTE_START)[-1].get("unmarked") is True
        wait_until(lambda: "unsaid" not in json.loads(path.read_text()))


def test_a_server_that_dies_after_it_has_said_that_marks_were_missing_has_said_it_for_all(
    site: MadeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file of marks is written with the entry, and not a second later: the next start would say it again."""
    served = as_served(site)
    with running(served) as room:
        wait_until(lambda: noted(room, EntryKind.NOTE_START))
    path = served.settings.marks_path()
    path.unlink()
    monkeypatch.setattr(Marks, "_run", lambda *_: None)  # the second never passes
    with running(served) as room:
        wait_until(lambda: len(noted(room, EntryKind.NOTE_START)) == 2)
        assert noted(room, EntryKind.NOTE_START)[-1].get("unmarked") is True
        wait_until(path.exists)
        left = path.read_bytes()
    path.write_bytes(left)  # as whoever died then has left it
    with running(served) as room:
        wait_until(lambda: len(noted(room, EntryKind.NOTE_START)) == 3)
        assert "unmarked" not in noted(room, EntryKind.NOTE_START)[-1]


def test_a_changed_file_is_found_at_the_start_and_said(site: MadeSite, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the log, in the entry, in the alarms that the console shows, and by `about`."""
    logged: list[dict[str, Any]] = []
    monkeypatch.setattr(log, "warning", lambda event, **told: logged.append({"event": event, **told}))

    def altered() -> Installed:
        return installed()._replace(own_changed=("croupier/floor/floor.py",))

    monkeypatch.setattr(what_runs, "installed", altered)
    with running(as_served(site)) as room:
        wait_until(lambda: noted(room, EntryKind.NOTE_START))
        [start] = noted(room, EntryKind.NOTE_START)
        assert start["changed"] == ["croupier/floor/floor.py"]
        sentence = "croupier/floor/floor.py is not as it was installed."
        assert [each["sentences"] for each in logged if each["event"] == "program-changed"] == [[sentence]]
        assert room.runtime.alarms()["program"] == sentence
        stranger = {"program": "The program is not as it was; the log says why."}
        assert done(room.get("/api/ready", ""))["alarms"] == stranger
        assert done(room.get("/api/about", "aud"))["changed"] == [sentence]


def test_games_of_the_houses_own_are_in_the_entry_of_a_start_and_a_changed_one_is_said(
    site: MadeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The digest of the program does not cover them: without this, nothing in the books says which game was dealt."""
    served, games = as_served(site), {"red-dog": "12" * 32}
    monkeypatch.setattr(what_runs, "own_digests", lambda: games)
    with running(served) as room:
        wait_until(lambda: noted(room, EntryKind.NOTE_START))
        assert noted(room, EntryKind.NOTE_START)[-1]["own_games"] == games
        assert room.runtime.what_runs.said == []
    monkeypatch.setattr(what_runs, "own_digests", lambda: {"red-dog": "34" * 32})
    with running(served) as room:
        wait_until(lambda: len(noted(room, EntryKind.NOTE_START)) == 2)
        [said] = room.runtime.what_runs.said
        assert said.startswith("The house's own game red-dog was changed since the last start")
        assert room.runtime.alarms()["program"] == said


def test_a_file_that_is_no_readable_game_keeps_no_start_from_being_entered(
    site: MadeSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, long = tmp_path / "own", "x" * 65
    folder.mkdir()
    (folder / "dangling.py").symlink_to(folder / "gone")
    (folder / f"{long}.py").touch()
    (folder / "there.py").touch()
    monkeypatch.setenv(OWN, str(folder))
    said: list[str] = []
    monkeypatch.setattr(catalogue.LOG, "error", lambda _, sentence: said.append(sentence))
    with running(as_served(site)) as room:
        wait_until(lambda: noted(room, EntryKind.NOTE_START))
        assert set(noted(room, EntryKind.NOTE_START)[-1]["own_games"]) == {"there"}
    assert any("dangling.py cannot be read: No such file" in each for each in said)
    assert any(f"{long}.py is left out: its name is longer than 64" in each for each in said)


def test_why_a_start_could_not_be_entered_is_logged_once(site: MadeSite, monkeypatch: pytest.MonkeyPatch) -> None:
    logged: list[str] = []
    monkeypatch.setattr(log, "warning", lambda event, **_: logged.append(event))
    with running(as_served(site)) as room:
        wait_until(lambda: noted(room, EntryKind.NOTE_START))
        floor, runs = room.runtime.leading(), what_runs.WhatRuns(on_record=True)
        assert runs.installed
        runs._own_games = {"red-dog": "no digest"}
        for _ in range(2):
            runs.note(floor)
    assert logged.count("not-noted") == 1


def test_books_that_were_read_through_are_on_record(site: MadeSite) -> None:
    with running(as_served(site)) as room:
        wait_until(lambda: noted(room, EntryKind.NOTE_START))
        done(room.post("/api/links/main/self-check", "aud"))
        wait_until(lambda: noted(room, EntryKind.NOTE_CHECK))
        told = done(room.get("/api/about", "max"))
        assert set(told["self_check"]["books"]) == {"site", "link:main"}
        assert told["runs"][0]["is_this"] is True


def test_an_inspector_makes_the_evidence_file_takes_it_and_it_is_right(
    site: MadeSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    share_sheets(monkeypatch)
    with running(as_served(site)) as room:
        wait_until(lambda: room.runtime.floor.site.signs_with)
        enrol_inspector(room)
        assert done(room.get("/api/evidence", INA))["state"] == "none"
        assert error_of(room.get("/api/evidence/file", INA)) == "no-evidence"
        begun = done(room.post("/api/evidence", INA, id="first"))
        assert begun["state"] == "working"
        assert done(room.post("/api/evidence", INA, id="first"))["begun"] == begun["begun"], (
            "sent again, it is the same"
        )
        assert error_of(room.post("/api/evidence", "aud", id="other")) in ("evidence-busy", "wrong-form")
        wait_until(lambda: done(room.get("/api/evidence", INA))["state"] != "working", 900)
        made = done(room.get("/api/evidence", INA))
        assert (made["state"], made["percent"], made["sentence"]) == ("done", 100, "")
        taken = room.get("/api/evidence/file", INA)
        assert taken.status_code == 200
        assert hashlib.sha256(taken.content).hexdigest() == made["digest"]
        assert error_of(room.get("/api/evidence/file", "aud")) == "no-evidence", "it is whose it is"
        [entry] = noted(room, EntryKind.NOTE_EVIDENCE)
        assert (entry["by"], entry["digest"], entry["size_bytes"]) == (INA, made["digest"], len(taken.content))
        key = room.runtime.floor.site.signs_with
        again = sheets_are_counted_once(room, taken.content)
    file = tmp_path / "evidence.zip"
    file.write_bytes(taken.content)
    report = verify(file, key=key)
    assert report.wrong == []
    assert any(each.startswith("Access: ") for each in report.recomputed)
    file.write_bytes(again)
    assert verify(file, key=key).wrong == []


def sheets_are_counted_once(room: Room, first: bytes) -> bytes:
    """A second file has the sheets of the first, as long as register and server stay; given is that file."""
    desk = room.app.state.evidence
    counted = desk._sheets
    done(room.post("/api/evidence", INA, id="second"))
    wait_until(lambda: done(room.get("/api/evidence", INA))["state"] != "working", 900)
    assert desk._sheets is counted
    counted._process.join(60)
    assert counted._process.exitcode == 0, "it ends by itself when all is counted"
    again = room.get("/api/evidence/file", INA).content
    one, other = zipfile.ZipFile(BytesIO(first)), zipfile.ZipFile(BytesIO(again))
    sheets = [name for name in one.namelist() if name.startswith(("par/", "figures/", "readings/"))]
    assert len(sheets) == 2 * len(enclosed_games()) + 2
    assert all(one.read(name) == other.read(name) for name in sheets)
    return again


def test_sheets_of_a_process_that_ended_are_counted_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks is told that there are none, counts them, and the next file has a process of its own."""
    monkeypatch.setattr(inspection, "count_sheets", print)  # which ends without a sheet
    sheets = inspection.Sheets(shipped_register())
    try:
        assert sheets.sheet("par", 0) is None
        assert sheets.broken
    finally:
        sheets.close()


def test_without_a_key_there_is_no_evidence_file(site: MadeSite) -> None:
    with running(site) as room:
        assert error_of(room.post("/api/evidence", "aud", id="x")) == "no-signing-key"


def test_the_span_of_an_inspector_ends_on_the_server_and_it_is_on_record(site: MadeSite) -> None:
    with running(site) as room:
        enrol_inspector(room, days=1.0)
        assert done(room.get("/api/about", INA))["site"]["title"]
        runtime = room.runtime
        until = written(time.time() + 1.5)
        soon = ChangeRole(id="sooner", by="max", second="mia", person=INA, role=Role.INSPECTOR, until=until)
        runtime.leading().do_site(agreed(runtime, soon))
        listed = {each["person"]: each for each in done(room.get("/api/people", "max"))["people"]}
        assert listed[INA]["until"] == soon.until
        wait_until(lambda: room.get("/api/about", INA).status_code == 401)
        assert "was enrolled until" in room.get("/api/about", INA).json()["error"]["sentence"]
        late = room.post("/api/sign-in", "", card=room.site.cards[INA], pin=PIN)
        assert error_of(late) == "span-over"
        runtime.access.sweep()
        runtime.register.work()
        told = [each for each in noted(room, EntryKind.NOTE_ACCESS) if each.get("person") == INA]
        assert {(each["event"], each.get("why")) for each in told} >= {("refused", "span-over"), ("ended", "span-over")}


def test_pages_take_an_inspector_to_what_is_inspected(site: MadeSite) -> None:
    with running(site) as room:
        enrol_inspector(room, signed_in=False)
        client = room.client
        signed = client.post("/pages/sign-in", json={"card": room.site.cards[INA], "pin": PIN}, headers=PAGE)
        assert signed.status_code == 200, signed.text
        for path in ("/", "/display"):
            answer = client.get(path, follow_redirects=False)
            assert (answer.status_code, answer.headers["location"]) == (303, "/console/about")
        page = client.get("/console/about")
        assert page.status_code == 200
        ways = re.findall(r'href="(/[^"]*)"', page.text)
        assert [way for way in ways if way.startswith("/console")][-2:] == ["/console/approvals", "/console/about"]
        assert not {"/display", "/console"} & set(ways), "the head leads nowhere where an inspector is sent back"
        for path in ("/console", "/console/people", "/console/proof", "/console/links/main"):
            assert client.get(path).status_code == 403, path
