"""The documents of papers: kept beside the books, bound to them by their digests, shown to whoever inspects."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from croupier.audit.documents import MOST_BYTES, Documents
from croupier.errors import NotationError
from tests.web.support import Room, done

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
