"""The documents of papers: kept beside the books, bound to them by their digests, shown to whoever inspects."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from croupier.audit.documents import MOST_BYTES, Documents
from croupier.errors import CroupierError, NotationError
from croupier.floor.act import EntryKind
from croupier.ledger.entry import SITE
from croupier.store.store import StoreLost
from croupier.web.logs import log
from tests.web.support import Room, done, error_of

LICENCE = b"%PDF-1.7 Licence 4711 of the state."
DIGEST = sha256(LICENCE).hexdigest()


def recorded(room: Room) -> None:
    paper = {"condition": "internal-controls", "step": "submitted", "reference": "IC-7", "dated": "2026-07-01"}
    done(room.act("/api/site/record-paper", **paper, file="ic-7.PDF", sha256=DIGEST))


def send(room: Room, content: bytes, digest: str = DIGEST, who: str = "max") -> int:
    header = {**room.site.header(who), "Content-Type": "application/octet-stream"}
    answer = room.client.post(f"/api/site/documents/{digest}", content=content, headers=header)
    return int(answer.status_code)


def test_a_document_is_kept_where_a_paper_has_its_digest(room: Room) -> None:
    assert send(room, LICENCE) == 422, "no paper on record has it"
    recorded(room)
    [paper] = room.get("/api/register").json()["papers"]
    assert paper["kept"] is False
    assert room.get(f"/api/site/documents/{DIGEST}").status_code == 404
    assert send(room, LICENCE + b" ") == 422, "another document under this digest"
    assert send(room, b"") == 422
    assert send(room, LICENCE, "nothing") == 422
    assert send(room, LICENCE, who="sue") == 403
    refused = list(room.runtime.reading.entries(SITE))[-1]
    assert (refused.kind, refused.facts["person"]) == (EntryKind.NOTE_ACCESS, "sue"), "who tried it is on record"
    assert refused.facts["how"] == "card and PIN, keep-document"
    for _ in ("sent", "and sent again"):
        assert send(room, LICENCE) == 200
    folder = room.runtime.settings.documents_path()
    assert [(each.name, each.read_bytes()) for each in folder.iterdir()] == [(f"{DIGEST}.pdf", LICENCE)]
    [paper] = room.get("/api/register").json()["papers"]
    assert paper["kept"] is True
    answer = room.get(f"/api/site/documents/{DIGEST}", who="aud")
    assert (answer.status_code, answer.content) == (200, LICENCE)
    assert answer.headers["content-disposition"].startswith("attachment")


def test_a_document_may_be_longer_than_other_requests_and_not_endless(room: Room) -> None:
    long = b"x" * (2 * room.runtime.settings.most_body_bytes)
    assert send(room, long, sha256(long).hexdigest()) == 422, "it is read, and no paper has it"
    assert send(room, b"x" * (MOST_BYTES + 1)) == 413


def test_a_folder_of_the_house_may_call_its_files_anything(tmp_path: Path) -> None:
    documents = Documents(tmp_path / "papers")
    assert documents.found() == {}
    assert documents.keep(LICENCE, "../../etc/licence.p d f", {DIGEST}) == DIGEST
    assert [each.name for each in (tmp_path / "papers").iterdir()] == [DIGEST]
    (tmp_path / "papers" / "scan of the licence.pdf").write_bytes(b"another")
    assert set(documents.found()) == {DIGEST, sha256(b"another").hexdigest()}
    with pytest.raises(NotationError, match=f"1 to {MOST_BYTES:,} bytes"):
        documents.keep(b"", "x", {DIGEST})


def test_the_register_reads_no_document_and_sends_none_that_was_changed(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(room)
    assert send(room, LICENCE) == 200
    folder = room.runtime.settings.documents_path()
    (folder / "scan.pdf").write_bytes(b"another")
    read = list[Path]()
    opened = Path.open

    def noted(path: Path, *how: Any, **more: Any) -> Any:
        if path.parent == folder:
            read.append(path)
        return opened(path, *how, **more)

    monkeypatch.setattr(Path, "open", noted)
    [paper] = room.get("/api/register").json()["papers"]
    assert (paper["kept"], read) == (True, [])
    assert room.get(f"/api/site/documents/{DIGEST}").content == LICENCE
    assert read == [folder / f"{DIGEST}.pdf"], "the one that is sent, and no other"
    (folder / f"{DIGEST}.pdf").write_bytes(b"not what it is called")
    changed = room.get(f"/api/site/documents/{DIGEST}")
    assert changed.status_code >= 400
    assert "no longer the document" in changed.json()["error"]["sentence"]
    assert send(room, LICENCE) == 200, "kept anew"
    assert room.get(f"/api/site/documents/{DIGEST}").content == LICENCE


def test_a_file_that_cannot_be_read_is_said_and_the_others_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    kept, opened = Documents(tmp_path), Path.open
    kept.keep(LICENCE, "licence.pdf", {DIGEST})
    (tmp_path / "locked.pdf").write_bytes(b"locked")

    def refuses(path: Path, *how: Any, **more: Any) -> Any:
        """As the system does, whoever runs the test: a superuser may read anything."""
        if path.name == "locked.pdf":
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, *how, **more)

    monkeypatch.setattr(Path, "open", refuses)
    assert set(kept.found()) == {DIGEST}
    assert "locked.pdf cannot be read and is left out: permission denied." in caplog.text
    (tmp_path / "locked.pdf").rename(tmp_path / f"{DIGEST}.pdf")
    assert set(kept.named()) == {DIGEST}
    with pytest.raises(CroupierError, match="no longer the document"):
        kept.read(DIGEST)


def test_a_refusal_that_cannot_be_put_on_record_stays_a_refusal(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    logged = list[dict[str, Any]]()

    def lost(*_: Any) -> None:
        raise StoreLost("The database does not answer.")

    monkeypatch.setattr(room.runtime.access, "note_failure", lost)
    monkeypatch.setattr(log, "error", lambda event, **told: logged.append({"event": event, **told}))
    answer = room.act("/api/site/declare-bank", "sue", balance_cents=5)
    assert (answer.status_code, error_of(answer)) == (403, "not-allowed")
    assert send(room, LICENCE, who="sue") == 403
    assert [(each["event"], each["person"], each["act"]) for each in logged] == [
        ("refusal-not-on-record", "sue", "declare-bank"),
        ("refusal-not-on-record", "sue", "keep-document"),
    ]
