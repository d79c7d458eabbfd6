"""`make audit`: a known weakness of a locked package is named, and nothing is called checked that was not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from scripts import audit
from scripts.audit import FINE, STORED, UNKNOWN, UNREADABLE, WEAK, affects, stored
from scripts.lock import LOCK, ROOT, Locked, locked

LINES = {line.name: line for line in locked(LOCK.read_text(encoding="utf-8"))}
JINJA = LINES["jinja2"]
NOWHERE = "http://127.0.0.1:9/simple"
DAY = "2026-01-31"


def advisory(line: Locked = JINJA, **values: Any) -> dict[str, Any]:
    affected = {"package": {"ecosystem": "PyPI", "name": line.name}, "versions": [line.version]}
    return {"id": "TEST-2026-1", "modified": f"{DAY}T10:00:00Z", "summary": "A hole.", "affected": [affected], **values}


class Auditor:
    """Somebody who types the command, with one index or another."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._patch, self._screen = monkeypatch, capsys

    def __call__(self, *words: str, index: str = NOWHERE) -> tuple[int, str]:
        """The exit code, and what is said."""
        self._patch.setattr(audit, "index_of_pip", lambda: index)
        code = audit.main([*words])
        said = self._screen.readouterr()
        return code, said.out + said.err


@pytest.fixture
def audited(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Auditor:
    return Auditor(monkeypatch, capsys)


def test_it_is_typed_as_make_does_and_asks_where_pip_does(lists: Path) -> None:
    with_advisory(lists, advisory())
    done = subprocess.run(
        [sys.executable, "-m", "scripts.audit", "--stored", str(lists)],
        cwd=ROOT,
        env={**os.environ, "PIP_INDEX_URL": NOWHERE},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (WEAK, "")
    assert f"jinja2 {JINJA.version}: TEST-2026-1: A hole." in done.stdout
    assert "The package index cannot be reached: only what was stored is known." in done.stdout


@pytest.fixture
def lists(tmp_path: Path) -> Path:
    """A stored list that was asked about everything that is locked, long ago."""
    path = tmp_path / "advisories.json"
    asked = {line.ref: DAY for line in locked(LOCK.read_text(encoding="utf-8"))}
    path.write_text(json.dumps({"asked": asked, "advisories": []}))
    return path


def with_advisory(path: Path, *records: dict[str, Any]) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), "advisories": records}))


# What is stored


def test_a_stored_advisory_that_hits_is_named(audited: Auditor, lists: Path) -> None:
    with_advisory(lists, advisory(aliases=["CVE-2026-1"]), advisory(id="CVE-2026-1"))
    code, told = audited("--stored", str(lists))
    assert code == WEAK
    assert f"jinja2 {JINJA.version}: CVE-2026-1: A hole." in told, "once, by one of its names"
    assert told.count("A hole.") == 1


def test_without_the_index_it_says_how_old_its_knowledge_is(audited: Auditor, lists: Path) -> None:
    for words in ((), ("--offline",)):
        code, told = audited("--stored", str(lists), *words)
        assert code == FINE
        assert (
            f"Not checked against anything newer than {DAY}: {len(list(locked(LOCK.read_text())))} locked packages."
            in told
        )
        assert ("The package index cannot be reached" in told) == (not words)
        assert "were checked today" not in told


def test_what_no_source_knows_is_not_called_checked(audited: Auditor, lists: Path) -> None:
    kept = json.loads(lists.read_text())
    del kept["asked"][JINJA.ref]
    lists.write_text(json.dumps(kept))
    code, told = audited("--stored", str(lists))
    assert code == UNKNOWN
    assert f"Never checked, no source knows them: {JINJA.ref}." in told


@pytest.mark.parametrize("text", ["{", "[]", '{"asked": {}, "advisories": [{"id": 1}]}', None])
def test_a_list_that_cannot_be_read_is_one_sentence(audited: Auditor, tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "advisories.json"
    if text is not None:
        path.write_text(text)
    code, told = audited("--stored", str(path))
    assert (code, told.count("\n"), told.startswith("audit: ")) == (UNREADABLE, 1, True)


def test_the_list_that_is_stored_here_can_be_read() -> None:
    known = stored(STORED)
    assert known.asked
    assert all(day <= datetime.now(UTC).date().isoformat() for day in known.asked.values())


# Databases of others


def test_a_database_of_records_is_a_file_a_folder_or_a_zip(audited: Auditor, tmp_path: Path) -> None:
    file, folder, packed = tmp_path / "one.json", tmp_path / "many", tmp_path / "all.zip"
    folder.mkdir()
    file.write_text(json.dumps(advisory()))
    (folder / "a.json").write_text(
        json.dumps(advisory(LINES["numba"], id="TEST-2026-2", modified="2026-02-01T00:00:00Z"))
    )
    (folder / "b.json").write_text(json.dumps([advisory()]))
    with zipfile.ZipFile(packed, "w") as made:
        made.write(file, "TEST-2026-1.json")
    for source in (file, folder, packed):
        code, told = audited("--advisories", str(source))
        assert code == WEAK
        assert f"jinja2 {JINJA.version}: TEST-2026-1: A hole." in told
        day = "2026-02-01" if source is folder else DAY
        assert f"Not checked against anything newer than {day}" in told
    assert audited("--advisories", str(tmp_path / "nothing"))[0] == UNREADABLE


# What an advisory says


def spans(*events: tuple[str, str], name: str = "jinja2", **values: Any) -> dict[str, Any]:
    told = [{kind: version} for kind, version in events]
    package = {"ecosystem": "PyPI", "name": name}
    return {"id": "x", "affected": [{"package": package, "ranges": [{"type": "ECOSYSTEM", "events": told}]}], **values}


@pytest.mark.parametrize(
    ("record", "versions"),
    [
        (spans(("introduced", "0"), ("fixed", "3.1.5")), "3.0 3.1.4"),
        (spans(("introduced", "3.1"), ("last_affected", "3.1.5")), "3.1.4 3.1.5"),
        (spans(("introduced", "0"), ("fixed", "3.0"), ("introduced", "3.1.5")), "3.1.5 3.1.10"),
        (spans(("fixed", "3.1.5"), ("introduced", "0")), "3.0 3.1.4"),
        (spans(("introduced", "0"), name="Jinja2"), "3.0 3.1.4 3.1.5 3.1.10"),
        (spans(("introduced", "0"), name="jinja"), ""),
        (spans(("introduced", "0"), withdrawn="2026-01-01T00:00:00Z"), ""),
        ({"id": "x", "affected": [{"package": {"ecosystem": "npm", "name": "jinja2"}, "versions": ["3.0"]}]}, ""),
    ],
)
def test_versions_that_an_advisory_speaks_of(record: dict[str, Any], versions: str) -> None:
    all_ = ("3.0", "3.1.4", "3.1.5", "3.1.10")
    assert [version for version in all_ if affects(record, Locked("jinja2", version, "", ()))] == versions.split()


# An index that tells


@contextmanager
def index(weak: dict[str, list[dict[str, Any]]], *, newest_only: bool) -> Iterator[str]:
    """A package index on this machine: it tells of every version, or of the newest of a package alone."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            _, pypi, name, *version, _ = self.path.split("/")
            line = LINES.get(name)
            if pypi != "pypi" or line is None or (version and newest_only):
                self.send_error(404)
                return
            told = {"info": {"version": version[0] if version else line.version}, "vulnerabilities": weak.get(name, [])}
            body = json.dumps(told).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/simple"
        server.shutdown()


def test_the_index_that_pip_uses_is_asked_and_its_answers_are_stored(audited: Auditor, lists: Path) -> None:
    weak = {
        "id": "PYSEC-2026-9",
        "aliases": ["CVE-2026-9"],
        "details": "Bad.\nMore.",
        "fixed_in": ["99.0"],
        "summary": None,
    }
    today = datetime.now(UTC).date().isoformat()
    with index({"jinja2": [weak]}, newest_only=False) as address:
        code, told = audited("--stored", str(lists), "--update", index=address)
    assert code == WEAK
    assert f"jinja2 {JINJA.version}: PYSEC-2026-9, CVE-2026-9: Bad. Mended in 99.0." in told
    count = len(list(locked(LOCK.read_text())))
    assert f"{count} of {count} locked packages were checked today, {today}." in told
    kept = json.loads(lists.read_text())
    assert set(kept["asked"].values()) == {today}
    assert [record["id"] for record in kept["advisories"]] == ["PYSEC-2026-9"]
    assert audited("--stored", str(lists), "--offline")[0] == WEAK, "what was told stays known"


def test_an_index_that_tells_of_the_newest_versions_only_leaves_the_others_as_old_as_they_were(
    audited: Auditor, lists: Path
) -> None:
    with index({}, newest_only=True) as address:
        code, told = audited("--stored", str(lists), index=address)
    assert code == FINE
    others = [line.ref for line in locked(LOCK.read_text()) if line.version != LINES[line.name].version]
    assert others
    assert f"Not checked against anything newer than {DAY}: {', '.join(others)}." in told
