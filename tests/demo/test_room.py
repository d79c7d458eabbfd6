"""The demo: a room of its own, whose meter moves, whose day balances, and which touches no real site."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from croupier.audit.comply import comply_of
from croupier.audit.export import open_existing
from croupier.compliance.authority import Role
from croupier.demo.room import DEMO_SETUP, MARK, PEOPLE, TITLES, DemoSecrets, check_free, prepare
from croupier.errors import CroupierError
from croupier.games.blackjack.game import TAUGHT_RULES as RULES
from croupier.games.blackjack.rules import Rules
from croupier.store.marks import Marks
from croupier.web.settings import Settings
from tests.cli.support import refused, run
from tests.web.commands import Started, started
from tests.web.support import MadeSite, fast_pins, wait_until

ROUNDS = int(os.environ.get("CROUPIER_DEMO_ROUNDS", "250"))
README = Path(__file__).parents[2] / "README.md"


def demo_settings(folder: Path) -> Settings:
    return Settings(db=f"sqlite:///{folder}/demo.db")


def curl(line: str, *more: str) -> str:
    """A line as the server printed it, run as it is."""
    made = subprocess.run(f"{line} {' '.join(more)}", shell=True, capture_output=True, text=True, check=False)
    return made.stdout


def lines_of(server: Started) -> list[str]:
    return re.findall(r"^  (curl .*)$", server.printed, re.MULTILINE)


def db_of(folder: Path) -> str:
    return f"sqlite:///{folder}/croupier-demo/croupier-demo.db"


def rounds(server: Started) -> int:
    """Nearly: a round is three entries or four."""
    with open_existing(db_of(server.folder)) as store:
        return store.ends()["link:main"] // 3


def cards(server: Started) -> list[str]:
    return re.findall(r"demo-card-\S+", server.printed)


def test_a_day_of_the_demo_at_high_speed_ends_balanced_and_goes_on_after_a_restart(tmp_path: Path) -> None:
    with started(tmp_path, "--demo", "--speed", "0", "--port", "0") as server:
        assert server.log == "", "a newcomer reads what there is, not what a real house must see to"
        meters, events, sign_in = lines_of(server)
        told = json.loads(curl(meters))
        assert (told["link"], told["status"], len(told["setup"]["tables"])) == ("main", "open", 4)
        wait_until(lambda: "event: floor" in curl(events, "--max-time 1"))
        assert json.loads(curl(sign_in))["role"] == "supervisor"
        until = time.monotonic() + 60 + ROUNDS / 20
        while rounds(server) < ROUNDS and time.monotonic() < until:
            time.sleep(0.3)
        assert server.end() == 0
        first = server.printed
    report = proved(tmp_path)
    assert report["games"] >= ROUNDS / 2, "it dealt"
    assert report["kinds"] >= {"start", "end", "pay", "enter", "call", "void"}
    (tmp_path / "printed.txt").unlink()
    with started(tmp_path, "--demo", "--speed", "600", "--port", "0") as server:
        assert cards(server)[:8] == re.findall(r"demo-card-\S+", first)[:8]
        was = json.loads(curl(lines_of(server)[0]))["number"]
        assert was >= report["entries"]
        wait_until(lambda: json.loads(curl(lines_of(server)[0]))["number"] > was + 3)  # the dealers deal again
        assert_table_4_is_free(server)
        assert_as_in_the_readme(server)
        server.end(signal.SIGINT)
    assert proved(tmp_path)["games"] > report["games"]


def assert_as_in_the_readme(server: Started) -> None:
    """The transcript in the README is real, but for the port, the speed and what is made by chance."""
    block = re.search(r"```text\n\$ make run\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert block
    port, said = server.url.rpartition(":")[2], server.printed.replace("600 rounds", "20 rounds")
    for line in block[1].splitlines():
        pattern = re.escape(line.replace("8700", port)).replace(r"\.\.\.", r"\S*")
        assert re.search(f"^{pattern}$", said, re.MULTILINE), line


def assert_table_4_is_free(server: Started) -> None:
    """Nobody deals there but whoever comes to the printed address, by name."""
    found = re.search(r"keypad      (\S+)/keypad/4#(\S+)$", server.printed, re.MULTILINE)
    assert found
    with server.client(headers={"Authorization": f"Bearer {found[2]}"}) as keypad:
        table = keypad.get("/api/tables/4").json()
        assert (table["game"]["round"], table["game"]["on"], table["link"]) == (0, False, "main")
        assert keypad.post("/api/keypad/sign-in", json={"person": "dee"}).json()["role"] == "dealer"


def test_a_demo_of_another_version_says_so(tmp_path: Path) -> None:
    fast_pins()
    prepare(demo_settings(tmp_path))
    kept = tmp_path / "demo.db.cards"
    kept.write_text(kept.read_text(encoding="utf-8").replace("keypad-4", "keypad-5"), encoding="utf-8")
    with pytest.raises(CroupierError, match="another version"):
        prepare(demo_settings(tmp_path))


def proved(folder: Path) -> dict[str, Any]:
    """The exported books, verified; every meter explained to nothing."""
    file = str(folder / "day.jsonl")
    run("ledger", "export", "--store", db_of(folder), "-o", file)
    told = json.loads(run("ledger", "verify", file, "--json"))
    assert told["right"], told
    link = next(book for book in told["books"] if book["stream"] == "link:main")
    assert [level["difference"] for level in link["levels"]] == [0, 0, 0]
    assert not sum(link["balances"].values())
    kinds = set(re.findall(r'"kind":"([\w-]+)"', (folder / "day.jsonl").read_text(encoding="ascii")))
    return {**link, "kinds": kinds}


# The room


def test_the_room_has_four_games_on_one_link_and_people_of_every_role(tmp_path: Path) -> None:
    assert [table.title for table in DEMO_SETUP.tables] == list(TITLES)
    assert Rules.parse(RULES).decks == DEMO_SETUP.decks  # rounds of the page /play feed the link
    assert len(set(TITLES)) == 4
    assert {each.role for each in PEOPLE} == set(Role) - {Role.FLOOR}


def test_its_tables_are_open_by_papers_that_say_that_they_are_a_rehearsals(tmp_path: Path) -> None:
    fast_pins()
    prepare(demo_settings(tmp_path))
    with open_existing(f"sqlite:///{tmp_path}/demo.db") as store:
        told = comply_of(store)
    assert told.may_open
    assert told.open_tables == {1, 2, 3, 4}
    papers = {paper for each in told.tables for condition in each.conditions for paper in condition.papers}
    assert papers
    assert all(paper.rehearsal and "no authority" in paper.note for paper in papers)
    own = [each for each in told.approvals if each.key == "rehearsal"]
    assert [each.authority for each in own] == ["Rehearsal of no authority"]


def test_a_new_room_misses_no_marks_and_the_server_does_not_warn_of_any(tmp_path: Path) -> None:
    fast_pins()
    settings = demo_settings(tmp_path)
    prepare(settings)
    with closing(Marks(settings.marks_path())) as marks:
        assert marks.of("site") is not None
        assert not marks.unsaid


def test_secrets_are_made_by_chance_and_kept_for_their_owner_alone(tmp_path: Path) -> None:
    fast_pins()
    made = [prepare(demo_settings(folder)) for folder in (tmp_path / "one", tmp_path / "other")]
    assert not set(made[0].cards.values()) & set(made[1].cards.values())
    assert made[0].pins != made[1].pins
    assert prepare(demo_settings(tmp_path / "one")) == made[0]
    kept = tmp_path / "one" / "demo.db.cards"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert made[0].cards["max"] not in repr(made[0])
    book = (tmp_path / "one" / "demo.db").read_bytes() + (tmp_path / "one" / "demo.db.access").read_bytes()
    assert not [card for card in made[0].cards.values() if card.encode() in book]


def test_a_start_that_was_cut_short_is_taken_up_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fast_pins()
    with monkeypatch.context() as patch:
        patch.setattr("croupier.demo.room._set_pins", _power_cut)
        with pytest.raises(CroupierError, match="lights"):
            prepare(demo_settings(tmp_path))
    made = prepare(demo_settings(tmp_path))
    with open_existing(f"sqlite:///{tmp_path}/demo.db") as store:
        assert next(store.entries("site")).command == MARK
        assert store.ends()["link:main"] == 2
    assert set(made.pins) == {"max", "mia", "eve", "sue", "cas", "aud", "ina", "oli"}


def _power_cut(*_: object) -> None:
    raise CroupierError("The lights went out.")


# Real sites


def test_the_demo_touches_no_real_site_and_a_real_server_no_demo(
    site: MadeSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fast_pins()
    monkeypatch.setattr("croupier.web.logs.configure_logs", lambda *_: None)
    before = {path.name: path.read_bytes() for path in site.folder.iterdir()}
    told = refused("serve", "--demo", "--db", site.db, "--port", "0")
    assert "a site that the demo did not make" in told
    after = {path.name: path.read_bytes() for path in site.folder.iterdir() if not path.name.endswith(("-wal", "-shm"))}
    assert {name: after[name] for name in before if name in after} == {name: before[name] for name in after}
    settings = demo_settings(tmp_path / "demo")
    prepare(settings)
    assert "serve it with --demo" in refused("serve", "--db", settings.db, "--port", "0")


def test_the_demo_takes_no_file_that_is_something_else(tmp_path: Path) -> None:
    other = tmp_path / "demo.db"
    other.write_bytes(b"the accounts of somebody\n" * 400)
    with pytest.raises(CroupierError):
        check_free(demo_settings(tmp_path).db)
    assert other.read_bytes() == b"the accounts of somebody\n" * 400


def test_a_demo_whose_cards_are_gone_says_so(tmp_path: Path) -> None:
    fast_pins()
    prepare(demo_settings(tmp_path))
    (tmp_path / "demo.db.cards").unlink()
    with pytest.raises(CroupierError, match=r"lie beside its key, and there are none in .* as key_file croupier-demo/"):
        prepare(demo_settings(tmp_path))
    with pytest.raises(CroupierError, match="cannot be read"):
        DemoSecrets.read(tmp_path / "demo.db")
