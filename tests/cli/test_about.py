"""`croupier about`: what runs here, of the program alone and of a site; and what is said of a changed file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from croupier.audit.about import about, said_of_files
from croupier.cli.app import app
from croupier.compliance.profile import find_profile
from croupier.floor.site.notes import ITSELF, NoteBackup, NoteCheck, NoteKey, NoteStart
from croupier.floor.site.site import Site
from croupier.ledger.checkpoint import fingerprint
from croupier.ledger.entry import SITE
from croupier.program import Installed, Program, installed, program
from croupier.store.store import open_store
from support.papers import entered
from tests.audit.books import house_site
from tests.cli.support import refused

KEY = "ab" * 32


@pytest.fixture(scope="module")
def here() -> Installed:
    return installed()


@pytest.fixture
def store(tmp_path: Path, here: Installed) -> str:
    """A site with a key, a backup, a check and two starts: the last of this very program."""
    url, entries = f"sqlite:///{tmp_path}/site.db", house_site()
    site = Site.of_entries(entries)
    backup: dict[str, Any] = {"file": "b.jsonl.gz", "digest": KEY, "size_bytes": 9, "books": {"site": 3}}
    old: dict[str, Any] = {"version": "0.0.9", "digest": "01" * 32, "packages": "02" * 32}
    now: dict[str, Any] = {"version": here.program.version, "digest": here.program.digest, "packages": here.digest}
    for act in (
        NoteKey(id="key", by=ITSELF, key=KEY),
        NoteBackup(id="kept", by="max", **backup),
        NoteCheck(id="check", by=ITSELF, books={"site": 3, "link:main": 7}),
        NoteStart(id="start 1", by=ITSELF, **old),
        NoteStart(id="start 2", by=ITSELF, **now),
        entered(),
    ):
        entries = [*entries, site.handle(act, site.book.at)]
        site.apply(entries[-1])
    with open_store(url) as opened:
        opened.append(SITE, entries)
    return url


def asked(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["about", *words], catch_exceptions=False)
    return result.exit_code, result.stdout


def test_of_a_site_it_says_everything_that_is_on_record(store: str, here: Installed) -> None:
    code, text = asked("--db", store, "--json")
    told = json.loads(text)
    assert code == 0
    assert told["program"]["digest"] == program().digest
    assert told["program"]["packages_digest"] == here.digest
    assert [(each["version"], each["starts"], each["is_this"]) for each in told["runs"]] == [
        (here.program.version, 1, True),
        ("0.0.9", 1, False),
    ]
    assert told["jurisdiction"]["digest"] == find_profile(told["jurisdiction"]["profile"]).digest
    assert [(each["key"], each["titles"]) for each in told["approvals"]] == [("washington-3119", 66), ("our-letter", 1)]
    assert told["signing"]["fingerprint"] == fingerprint(KEY)
    assert told["backup"]["file"] == "b.jsonl.gz"
    assert told["self_check"]["books"] == {"site": 3, "link:main": 7}
    assert list(told["stores"]["entries"]) == ["site"]


def test_in_words_and_of_the_program_alone(store: str) -> None:
    code, text = asked("--db", store)
    assert code == 0
    assert "last self-check" in text
    assert program().digest in text
    code, text = asked()
    assert code == 0
    assert "jurisdiction" not in text


def test_a_store_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    assert refused("about", "--db", f"sqlite:///{tmp_path}/none.db").startswith("There is no store at")


def test_the_same_version_with_other_files_than_last_time_is_said(store: str, here: Installed) -> None:
    with open_store(store) as opened:
        site = Site.of_entries(opened.entries(SITE))
    assert said_of_files(here, site, {}) == []
    changed = here._replace(program=Program(here.program.version, "77" * 32, 1))
    [said] = said_of_files(changed, site, {})
    assert said.startswith("The program's files are not those that ran last")
    assert "77" * 32 in said
    newer = here._replace(program=Program("9.9", "77" * 32, 1))
    assert said_of_files(newer, site, {}) == [], "another version has other files"
    assert said_of_files(here, site, {"red-dog": "34" * 32}) == [
        f"The house's own game red-dog is new since the last start, on {site.book.at[:10]}."
    ]
    assert said_of_files(newer, site, {"red-dog": "34" * 32}) == [], "earlier programs do not speak of games"
    altered = here._replace(own_changed=("croupier/program.py",))
    assert about(altered)["changed"] == ["croupier/program.py is not as it was installed."]


def test_the_exit_code_is_one_where_a_file_was_changed(here: Installed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.cli.about.installed", lambda: here._replace(own_changed=("croupier/x.py",)))
    code, text = asked()
    assert code == 1
    assert "CHANGED: croupier/x.py is not as it was installed." in text
