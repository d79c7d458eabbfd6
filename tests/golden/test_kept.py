"""What earlier programs wrote is still read: books, backups, stores, records, keys, tokens and saved addresses.

Everything in `kept/` was written by the program of an earlier day and is never made anew; `keep.py` tells how. A test
that fails here says that a site could not open its own files, or that they mean something else now.
"""

from __future__ import annotations

import gzip
import json
import re
import shlex
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import chdir, closing
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from croupier.analysis.meter.figures import figures_of
from croupier.analysis.meter.plan import MeterPlan
from croupier.analysis.meter.settings import plan_as_toml, plan_from, read_settings
from croupier.cli.app import app
from croupier.cli.options import read_paytable
from croupier.cli.report import ANCHOR
from croupier.floor.act import EntryKind
from croupier.floor.floor import Floor
from croupier.floor.link.acts import ACTS as LINK_ACTS
from croupier.floor.link.link import Link, replay
from croupier.floor.link.setup import AwardOrder
from croupier.floor.site.decide import ACTS as SITE_ACTS
from croupier.floor.site.site import Site
from croupier.games.catalogue import ALL_GAMES
from croupier.games.meter import Style
from croupier.games.table.record import read_any_record, write_record
from croupier.ledger.anchor import LINE
from croupier.ledger.entry import Entry
from croupier.reports import sheet
from croupier.reports.sentences import SENTENCES
from croupier.store.store import Store, open_store
from croupier.web.errors import ApiError
from croupier.web.floor.history import HistoryStore, MeterHistory
from croupier.web.identity.sessions import Access
from croupier.web.identity.store import AccessStore
from croupier.web.settings import session_key, site_key
from support.room import KEY
from tests.cli.support import refused, run
from tests.floor.test_facts import check_all
from tests.reports.support import rows_of
from tests.web.support import MadeSite, Room, access_store, done, error_of, fast_pins, running

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

KEPT = Path(__file__).parent / "kept"
SITE, SAID, ROUNDS, PLANS = "site", "said", "rounds", "plans"
LEDGER, BACKUP, PINS = "ledger.jsonl.gz", "backup.jsonl.gz", "pins.json"
FIRST_LAW = "games-of-the-first-law.jsonl.gz"
LINKS = ("main", "other", "side")
STREAMS = ("site", *(f"link:{name}" for name in LINKS))
FIXED_PAYS = {"pay", "unpay"}
"""Entries that a link makes of a hand entered and taken back, where the hand has a fixed pay."""
WIDTH = {"COLUMNS": "160"}
TYPED, EXIT = "< ", "== exit "
PAGE = {"X-Croupier": "page"}
GAMES_THEN = {"blackjack", "supreme-99", "three-card-baccarat", "triple-shot-rummy"}
"""What the site that is kept could deal."""
REWORDED = {"goes without": "declines"}
"""What was answered for people to read, and is said in plainer words now."""
RESPELLED = {"in the house's favour": "in the house's favor"}


def copied(folder: Path) -> Path:
    """The files where a command may write, with the secrets for their owner only, as they were made."""
    shutil.copytree(KEPT, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(SAID))
    for path in folder.rglob("*"):
        if path.is_file():
            path.chmod(0o600)
    return folder


# Commands


def said(command: str, folder: Path) -> str:
    """A transcript: the command, what is typed in, how it ended, what it printed."""
    first, *typed = command.splitlines()
    words = shlex.split(first.removeprefix("$ croupier "))
    lines = "".join(f"{line.removeprefix(TYPED)}\n" for line in typed)
    with chdir(copied(folder)):
        result = CliRunner().invoke(app, words, input=lines, env=WIDTH, catch_exceptions=False)
    return f"{command}\n{EXIT}{result.exit_code} ==\n{result.stdout}"


LATER = {EntryKind.NOTE_KEY, EntryKind.ACCEPT_TIME, EntryKind.BACK_OUT, EntryKind.REOPEN, EntryKind.TAKE_CALL}
LATER |= {
    EntryKind.ISSUE_SLIP,
    EntryKind.PAY_SLIP,
    EntryKind.NOTE_ACCESS,
    EntryKind.SET_SIGN_IN,
    EntryKind.RECONCILE,
    EntryKind.PLAN_REMOVAL,
    EntryKind.GIVE_PRIZE,
    EntryKind.RENAME_SITE,
    EntryKind.NOTE_BACKUP,
    EntryKind.NOTE_START,
    EntryKind.NOTE_CHECK,
    EntryKind.NOTE_EVIDENCE,
    EntryKind.ENTER_APPROVAL,
    EntryKind.WITHDRAW_APPROVAL,
    EntryKind.RECORD_PAPER,
    EntryKind.WITHDRAW_PAPER,
    EntryKind.OPEN_TABLE,
    EntryKind.CLOSE_TABLE,
}
"""Kinds of entries that came later: test_signing_key, test_doubted_clock, test_backout, test_reopen, test_calls,
test_access, test_slips, test_site, test_program_notes and test_register have theirs."""
TRANSCRIPTS = sorted((KEPT / SAID).glob("*.txt"))


def _as_then(paper: str, signed: str, names: Mapping[str, str]) -> str:
    """`eve (executive)`; on papers of one entry with the name of who decided behind it."""
    named = paper == "adjustment-note" or (paper == "win-page" and "dealer" not in signed)
    return f"{signed} – {names[signed.partition(' (')[0]]}" if named else signed


NOT_PAID = {"not paid $2,001.17": "not paid $1,000.47", 200_117: 100_047}
"""What claims that were not paid came to, with a press that was taken back; and without it, as it is reckoned now."""
SINCE = re.compile(
    r"Remark: 26 of 26 second persons are named without a signature of their own, .*\n"
    r"|  Wager .*, submission #3119, .*\n"
    r"|Win by 10: three face cards against a dealer's 0\.\n"
    r"|[^\n]* Progressive, [^\n]*, paytable \w+ \(\w+\): [^\n]*, submission #3119, 2023-06-14\.\n"
    r"|It approves the games and the system of [^\n]*, not this program: [^\n]*\n"
)
"""What is said of these files by now that was not said then."""


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=[path.stem for path in TRANSCRIPTS])
def test_a_command_says_of_the_files_what_it_always_said(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But for people in print, who had their short names then: test_people_in_print."""
    monkeypatch.setattr(sheet, "in_print", lambda signed, names: _as_then(path.stem, signed, names))
    kept = path.read_bytes().decode()
    changed = RESPELLED | (NOT_PAID if path.stem == "report-awards" else {})
    for then, since in changed.items():
        kept = kept.replace(str(then), str(since))
    command, _, _ = kept.partition(f"\n{EXIT}")
    told, _, anchor = said(command, tmp_path).partition(ANCHOR)
    assert anchor.startswith(f"\n{LINE} 1 ") == (path.stem == "close")  # what a report has at its end since then
    if path.stem == "report-accrual":  # by now it names approvals too, which the site's book has
        told = re.sub(r"Book site, read to entry 45, .*\n", "", told)
    now = SINCE.sub("", told)
    if "second_persons" not in now:
        assert now == kept
        return
    (head, then), (told, found) = (each.split(" ==\n", 1) for each in (kept, now))
    values = json.loads(found)
    assert values.pop("second_persons") == {"entries": 26, "agreements": 0}
    assert SINCE.search(f"Remark: {values['remarks'].pop()}\n")
    assert (told, values) == (head, json.loads(then))


# Books


def test_every_kind_of_entry_is_in_the_books() -> None:
    kinds = {stream: {row["kind"] for row in rows_of(KEPT / LEDGER, stream)} for stream in STREAMS}
    assert kinds.pop("site") == set(SITE_ACTS) - LATER
    assert set().union(*kinds.values()) == (set(LINK_ACTS) | FIXED_PAYS) - LATER
    assert set(SENTENCES) == set(SITE_ACTS) | set(LINK_ACTS) | FIXED_PAYS


def test_kept_books_have_the_facts_of_their_kinds() -> None:
    rows = [(row["kind"], row["facts"]) for stream in STREAMS for row in rows_of(KEPT / LEDGER, stream)]
    assert check_all(rows) == set(EntryKind) - LATER


def test_games_of_the_first_law_are_decided_again_by_it() -> None:
    """Both styles and orders: hands entered, taken back, voided and confirmed at random at three tables of one link."""
    seen = set()
    for line in gzip.decompress((KEPT / FIRST_LAW).read_bytes()).splitlines():
        entries = [Entry.of_json(values) for values in json.loads(line)]
        link = replay("main", entries)
        assert (link.state.book.entries, link.state.law) == (len(entries), 1)
        assert any("alarm" in entry.facts for entry in entries)
        seen.add((link.state.setup.style, link.state.setup.order))
    assert seen == {(style, order) for style in Style for order in AwardOrder}


def test_books_that_were_altered_are_not_right(tmp_path: Path) -> None:
    text = gzip.decompress((KEPT / LEDGER).read_bytes())
    assert text.count(b"A sensor lit by itself.") == 1
    altered = tmp_path / "ledger.jsonl"
    altered.write_bytes(text.replace(b"A sensor lit by itself.", b"A sensor lit by herself"))
    result = CliRunner().invoke(app, ["ledger", "verify", str(altered)], catch_exceptions=False)
    assert result.exit_code == 1
    assert "altered" in result.stdout


def test_the_kept_key_still_signs_and_its_signature_still_counts(tmp_path: Path) -> None:
    copied(tmp_path)
    made_site(tmp_path)
    store, key = f"sqlite:///{tmp_path}/{SITE}/floor.db", str(tmp_path / SITE / "signing.pem")
    signed = tmp_path / "checkpoints.jsonl"
    lines = signed.read_text(encoding="utf-8").splitlines()
    day = json.loads(lines[0])["checkpoint"]["day"]
    anew = tmp_path / "anew.jsonl"
    for which in (["--site"], *(["--link", name] for name in LINKS)):
        run("ledger", "checkpoint", "--store", store, *which, "--day", day, "--key", key, "-o", str(anew))
    assert anew.read_text(encoding="utf-8").splitlines() == lines  # Ed25519 signs the same with the same bytes


# Backups and stores


def floor_of(folder: Path, name: str) -> Floor:
    return Floor(lambda: open_store(f"sqlite:///{folder}/{name}.db"), site_key(folder / "floor.db.key"), bank_every_s=0)


def states(folder: Path, name: str) -> dict[str, Any]:
    """Every book's state, as the floor has it when it opens the store."""
    with floor_of(folder, name) as floor:
        assert sorted(floor.links) == sorted(LINKS)
        return {"site": floor.site.snapshot()} | {link: floor.ask(link, Link.snapshot) for link in LINKS}


def replayed(store: Store) -> dict[str, Any]:
    """The same from the entries alone, each act decided again."""
    links = {link: replay(link, store.entries(f"link:{link}")).snapshot() for link in LINKS}
    return {"site": Site.of_entries(store.entries("site")).snapshot()} | links


def test_a_backup_is_restored_and_its_books_are_those_of_the_store(tmp_path: Path) -> None:
    folder = made_site(copied(tmp_path)).folder
    restored = f"sqlite:///{folder}/restored.db"
    key = ["--key-file", str(folder / "floor.db.key")]
    printed = run("restore", str(tmp_path / BACKUP), "--db", restored, "--pins", str(tmp_path / PINS), *key)
    assert printed.count("each digest and act right") == len(STREAMS)
    kept = json.loads((KEPT / PINS).read_text(encoding="utf-8"))
    assert f"{len(kept['pins'])} PINs were put back." in printed
    run("ledger", "export", "--store", restored, "-o", str(tmp_path / "again.jsonl"))
    assert "zero differences" in run("ledger", "verify", str(tmp_path / "again.jsonl"))
    assert states(folder, "restored") == states(folder, "floor")
    with closing(access_store(restored, site_key(folder / "floor.db.key"))) as access:
        assert {pin.person: pin.hash for pin in access.all_pins()} == kept["pins"]


def test_a_store_opens_in_the_state_that_its_entries_tell_and_leaves_snapshots_of_its_day_aside(tmp_path: Path) -> None:
    folder = made_site(copied(tmp_path)).folder
    with open_store(f"sqlite:///{folder}/floor.db") as store:
        told = replayed(store)
        for stream in STREAMS:
            assert store.load_snapshot(stream) is None, f"{stream} has a snapshot of an earlier form"
            made = Site if stream == "site" else Link
            again = made.of_snapshot(json.loads(json.dumps(told[stream.removeprefix("link:")]))).snapshot()
            assert again == told[stream.removeprefix("link:")]
        exported = [row["digest"] for stream in STREAMS for row in rows_of(KEPT / LEDGER, stream)]
        assert [row.digest for stream in STREAMS for row in store.rows(stream)] == exported
    assert states(folder, "floor") == told


# The server


def made_site(folder: Path) -> MadeSite:
    """The site's files as its server left them, unpacked in a copy."""
    site = folder / SITE
    for path in site.glob("floor.db*.gz"):
        path.with_suffix("").write_bytes(gzip.decompress(path.read_bytes()))
    known = json.loads((site / "secrets.json").read_text(encoding="utf-8"))
    return MadeSite(site, known["cards"], known["tokens"], folder / "apart" / "site.session-key")


def secrets() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((KEPT / SITE / "secrets.json").read_text(encoding="utf-8"))
    return found


def answers() -> dict[str, dict[str, Any]]:
    """By saved address: who asked, and what the API answered; nothing where a page did."""
    found: dict[str, dict[str, Any]] = json.loads(gzip.decompress((KEPT / SITE / "answers.json.gz").read_bytes()))
    return found


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """The site's server on a copy of its files; everybody signs in again with the cards and PINs of then."""
    site, pins = made_site(copied(tmp_path_factory.mktemp("kept"))), secrets()["pins"]
    with running(site) as made:
        for person, pin in pins.items():
            answer = done(made.post("/api/sign-in", "", card=site.cards[person], pin=pin))
            site.tokens[person] = answer["token"]
        site.tokens["ann card"] = done(made.post("/api/sign-in", "", card=site.cards["ann"]))["token"]
        yield made


def new_browser(room: Room) -> TestClient:
    """Nobody has signed in; redirects are looked at."""
    return type(room.client)(room.app, follow_redirects=False)


@pytest.fixture(scope="module")
def browser(room: Room) -> TestClient:
    """Max at the console."""
    made = new_browser(room)
    signing = {"card": room.site.cards["max"], "pin": secrets()["pins"]["max"]}
    assert made.post("/pages/sign-in", json=signing, headers=PAGE).status_code == 200
    return made


def test_saved_addresses_of_the_api_are_answered_as_they_were(room: Room) -> None:
    asked = {path: each for path, each in answers().items() if each["json"] is not None}
    about = {path.split("/")[2].partition("?")[0] for path in asked}
    assert about == {"rounds", "deal", "jobs", "ledger", "reports", "links", "log"}
    for path, each in asked.items():
        found = done(room.get(path, each["who"]))
        if "/reports/" in path:
            assert found.pop("made_at") > each["json"].pop("made_at")
        assert still_says(found, each["json"]), path


def still_says(now: Any, then: Any) -> bool:
    """Everything that was answered then; a later version may say more."""
    if isinstance(then, dict):
        return all(name in now and still_says(now[name], value) for name, value in then.items())
    if isinstance(then, list):
        return len(now) == len(then) and all(map(still_says, now, then))
    return bool(now == (REWORDED if isinstance(then, str) else NOT_PAID).get(then, then))


def test_a_round_that_was_left_is_listed_and_played_to_its_end(room: Room) -> None:
    left = {
        each["json"]["round"]: each["json"]["game"]
        for each in answers().values()
        if each["who"] == "max" and each["json"] and each["json"].get("over") is False
    }
    assert set(left.values()) == GAMES_THEN
    listed = done(room.get("/api/rounds"))["rounds"]
    assert {each["round"]: each["game"] for each in listed} == left
    id_ = next(round_ for round_, game in left.items() if game == "blackjack")
    for _ in range(30):
        seen = done(room.get(f"/api/rounds/{id_}"))
        if seen["over"]:
            break
        own = [each["act"] for each in seen["legal"] if each["seat"] is not None]
        done(room.act(f"/api/rounds/{id_}/acts", act=own[0] if own else "go-on"))
    replayed_ = done(room.get(f"/api/rounds/{id_}/replay", ""))
    assert replayed_["verified"]
    assert read_any_record(replayed_["record"]).is_over


def test_saved_addresses_of_pages_are_there_with_what_they_are_about(browser: TestClient) -> None:
    rounds = [path for path, each in answers().items() if each["json"] is None]
    assert len(rounds) == 2 * len(GAMES_THEN)
    headed = {path: ALL_GAMES[path.split("/")[2].partition("?")[0]].title for path in rounds}
    pays = "Straight+Flush+40+to+1%3B+Three-of-a-Kind+30+to+1%3B+Straight+7+to+1%3B+Flush+4+to+1%3B+Pair+1+to+1"
    blazing = "game=blackjack&wager=blazing-7s-dealer&table=1&decks=6&contribution=20%25&seed=Progressive%3D3000"
    headed |= {
        "/deal/three-card-baccarat?seed=kept&seats=2": "Deal Three Card Baccarat",
        f"/lab?game=triple-shot-rummy&wager=pair-plus&table=2&paytable={pays}": "Lab",
        f"/lab?{blazing}": "Lab",
        "/rules/blackjack?rules=6D+H17+LS#odds": "Blackjack",
        "/rules/supreme-99#p5.1": "Supreme 99",
        "/display?link=main": "The Room: Progressive display",
        "/console": "Overview",
        "/console/links": "Links and tables",
        "/console/links/main": "Link main",
        "/console/links/other/configure": "Configuration of the link other",
        "/console/awards": "Awards",
        "/console/adjust": "Adjustments",
        "/console/bank": "Bank cover",
        "/console/people": "People and cards",
        "/console/devices": "Devices",
        "/console/events?book=link%3Amain&kind=confirm": "Event log",
        "/console/reports/awards?from=2026-11-11&to=2026-11-12&link=main": "Awards",
        "/console/reports/close?day=2026-11-11": "Gaming-day close",
        "/console/proof": "Ledger proof",
    }
    for path, heading in headed.items():
        answer = browser.get(path)
        assert answer.status_code == 200, path
        assert re.search(rf"<h1[^>]*>{re.escape(heading)}</h1>", answer.text), path
        _, _, paragraph = path.partition("#")
        assert not paragraph or f'id="{paragraph}"' in answer.text, path
    assert "H17" in browser.get("/rules/blackjack?rules=6D+H17+LS").text


def test_a_keypad_and_a_display_are_known_by_the_tokens_in_their_saved_addresses(room: Room) -> None:
    keypad, display = (new_browser(room), new_browser(room))
    assert keypad.get("/keypad/1").status_code == display.get("/display").status_code == 401
    for client, device in ((keypad, "keypad-1"), (display, "display-main")):
        token = {"token": room.site.tokens[device]}
        assert client.post("/pages/device", json=token, headers=PAGE).status_code == 200
    assert keypad.post("/pages/keypad/sign-in", json={"person": "dan"}, headers=PAGE).status_code == 200
    assert '"person": "dan"' in keypad.get("/keypad/1").text
    assert display.get("/display").status_code == 200


def test_tokens_of_devices_still_sign_in_and_revoked_ones_do_not(room: Room) -> None:
    assert {name.partition("-")[0] for name in secrets()["tokens"]} == {"keypad", "display"}
    for device in secrets()["tokens"]:
        answer = room.get("/api/links", device)
        if device == "display-lost":
            assert answer.status_code == 401
        else:
            assert answer.status_code == 200, device
    signed = room.post("/api/keypad/sign-in", "keypad-1", card=room.site.cards["ann"])
    assert done(signed)["person"] == "ann"
    assert error_of(room.post("/api/sign-in", "", card=room.site.cards["max"], pin="000000")) == "wrong-pin"


def test_pins_of_then_are_sealed_once_by_the_start_that_makes_the_key_and_sessions_of_then_have_ended(
    tmp_path: Path,
) -> None:
    fast_pins()
    site, known = made_site(copied(tmp_path)), secrets()["session"]
    key, path = site_key(site.folder / "floor.db.key"), site.settings.session_key_path(KEY)
    with closing(sqlite3.connect(f"{site.folder}/floor.db.access")) as then:
        hashes = dict(then.execute("SELECT person, hash FROM access_pins"))
        sessions = then.execute("SELECT count(*) FROM access_sessions").fetchone()
    assert sessions[0]
    with floor_of(site.folder, "floor") as floor, closing(AccessStore(site.db, key, session_key(path))) as store:
        assert store.sealed == sorted(hashes)
        assert {pin.person: pin.hash for pin in store.all_pins()} == hashes
        people, at = floor.site.people, datetime.fromisoformat(known["at"])
        access = Access(store, key, floor.identify, people.active, clock=lambda: at)
        with pytest.raises(ApiError, match="sign in again"):
            access.session(known["token"].removeprefix("ses_"))
    with closing(AccessStore(site.db, key, session_key(path))) as store:
        assert (store.sealed, len(store.all_pins())) == ([], len(hashes)), "it is done once"


def test_what_is_kept_of_the_meters_is_taken_up_where_the_book_was_read_to(tmp_path: Path) -> None:
    site = made_site(copied(tmp_path))
    with open_store(site.db) as store, closing(HistoryStore(site.db)) as kept:
        for name in ("main", "other"):
            taken, read = MeterHistory(("",)), MeterHistory(("",))
            digest = kept.take_up(name, taken)
            rows = list(store.rows(f"link:{name}", limit=taken.number))
            assert taken.number
            assert digest == rows[-1].digest
            read.follow(rows)
            assert (taken.units, taken.fine, taken.coarse) == (read.units, read.fine, read.coarse)


# Rounds


def test_rounds_of_every_game_are_kept_finished_and_unfinished() -> None:
    names = {path.stem for path in (KEPT / ROUNDS).iterdir()}
    assert names == {f"{name}-{kind}" for name in (*ALL_GAMES, "entered") for kind in ("finished", "unfinished")}


@pytest.mark.parametrize("path", sorted((KEPT / ROUNDS).glob("*.txt")), ids=lambda path: path.stem)
def test_a_round_is_played_again_from_its_record(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    round_ = read_any_record(text)
    assert write_record(round_) == text
    assert round_.is_over == path.stem.endswith("-finished")
    results = re.findall(r"^result (\d+) (\S+) (\d+) (\d+)", text, re.MULTILINE)
    settled = [(s.seat, s.spot, s.staked_cents, s.returned_cents) for s in round_.settlements]
    assert settled == [(int(seat), spot, int(staked), int(back)) for seat, spot, staked, back in results]
    assert len(settled) > 1 or not round_.is_over  # side wagers too


# Plans and simulations


def read_plan(name: str) -> MeterPlan:
    text = (KEPT / PLANS / f"{name}.toml").read_text(encoding="utf-8")
    return plan_from(read_settings(text, name), read_paytable, in_options=False)


def figures(plan: MeterPlan) -> dict[str, Any]:
    """What formulas say of a plan, by the name of the figure."""
    return {f"{each.section} {each.key} {each.meter}": each.as_json() for each in figures_of(plan, None)}


@pytest.mark.parametrize("path", sorted((KEPT / PLANS).glob("*.toml")), ids=lambda path: path.stem)
def test_a_plan_reads_back_and_has_the_figures_that_it_had(path: Path) -> None:
    plan = read_plan(path.stem)
    assert plan_as_toml(plan) == path.read_text(encoding="utf-8")
    kept, found = json.loads(path.with_suffix(".json").read_text(encoding="utf-8")), figures(plan)
    assert kept
    assert {name: found[name] for name in kept} == kept


def test_a_checkpoint_of_another_simulation_is_not_gone_on_from(tmp_path: Path) -> None:
    file = str(copied(tmp_path) / "baccarat.run")
    words = ("simulate", "three-card-baccarat", "--rounds", "131072", "--checkpoint", file)
    assert "seed" in refused(*words, "--seed", "8")
