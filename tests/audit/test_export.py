"""A ledger goes to one file as it is stored, whole or not at all."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from hashlib import sha256
from pathlib import Path

import psycopg
import pytest

from croupier.audit.backup import backup, restore
from croupier.audit.export import chosen_streams, export, open_existing
from croupier.audit.verify import verify
from croupier.errors import CroupierError, UnknownName
from croupier.floor.aggregate import Origin
from croupier.floor.link.acts import LinkAct
from croupier.floor.link.link import Link, act_of, same_link_act
from croupier.floor.writer import Writer
from croupier.ledger.file import Reader
from croupier.store.store import Row, StoreError, open_store
from support.postgres import new_floor
from tests.audit.books import MAIN, Kept, busy_floor, raw, site_entries, written

ENTRIES = busy_floor().entries
VERIFIER = Path(__file__).parents[2] / "regulator" / "verify_ledger.py"


@pytest.mark.parametrize("name", ["main.jsonl", "main.jsonl.gz"])
def test_what_is_written_is_read_again(tmp_path: Path, name: str) -> None:
    path = written(tmp_path / name, ENTRIES)
    reader = Reader(path)
    books = {stream: list(rows) for stream, rows in reader.books()}
    assert books == {MAIN: raw(ENTRIES)}
    assert reader.ending is not None
    assert (reader.ending.entries, reader.ending.digest) == (len(ENTRIES), ENTRIES[-1].digest)
    assert reader.ending.configuration == ENTRIES[-1].facts["configuration"]
    assert os.listdir(tmp_path) == [name]


def test_a_packed_file_is_smaller_and_always_the_same(tmp_path: Path) -> None:
    plain, packed = written(tmp_path / "a.jsonl", ENTRIES), written(tmp_path / "a.jsonl.gz", ENTRIES)
    assert packed.stat().st_size < plain.stat().st_size / 2
    assert packed.read_bytes() == written(tmp_path / "b.jsonl.gz", ENTRIES).read_bytes()


def test_every_line_is_json(tmp_path: Path) -> None:
    lines = written(tmp_path / "main.jsonl", ENTRIES).read_text().splitlines()
    assert [json.loads(line) for line in lines][2]["row"]["number"] == 1
    assert json.loads(lines[0])["version"] == 1


def test_a_store_is_exported_whole(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path}/floor.db") as store:
        store.append(MAIN, ENTRIES)
        store.append("site", site_entries())
        assert chosen_streams(store, None) == ["site", MAIN]
        export(store, chosen_streams(store, None), tmp_path / "all.jsonl")
        export(store, chosen_streams(store, "main"), tmp_path / "main.jsonl")
    assert [stream for stream, rows in Reader(tmp_path / "all.jsonl").books() if list(rows)] == ["site", MAIN]
    assert (tmp_path / "main.jsonl").read_bytes() == written(tmp_path / "x.jsonl", ENTRIES).read_bytes()


@pytest.mark.postgres
def test_both_stores_export_the_same_file_and_it_is_right(tmp_path: Path) -> None:
    """The same acts at the same times, through a writer on SQLite and on PostgreSQL."""
    paths, kind = [], Origin(partial(Link, "main"), Link.of_snapshot, same_link_act)
    for number, url in enumerate((f"sqlite:///{tmp_path}/floor.db", new_floor())):
        times = (entry.at for entry in ENTRIES)
        with Writer(open_store(url), MAIN, kind, partial(next, times)) as writer:
            for act in busy_acts():
                writer.submit(act).result()
        paths.append(tmp_path / f"{number}.jsonl")
        with open_existing(url) as store:
            export(store, [MAIN], paths[-1])
    report = verify(paths[1])
    assert (report.wrong, report.books[0].entries) == ("", len(ENTRIES))
    assert paths[0].read_bytes() == paths[1].read_bytes() == written(tmp_path / "x.jsonl", ENTRIES).read_bytes()


def busy_acts() -> list[LinkAct]:
    return [act_of(entry.kind, entry.command, entry.facts) for entry in ENTRIES]


def test_names_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="did you mean main"):
        chosen_streams(Kept(link_main=ENTRIES), "mian")
    with pytest.raises(StoreError, match="no books"):
        chosen_streams(Kept(), None)
    with pytest.raises(StoreError, match="no store"):
        open_existing(f"sqlite:///{tmp_path}/typo.db")
    assert not (tmp_path / "typo.db").exists()


class Breaking(Kept):
    """A store that fails on the way."""

    def rows(self, stream: str, after: int = 0, limit: int | None = None) -> Iterator[Row]:
        yield from list(super().rows(stream))[:5]
        raise StoreError("The disk is gone.")


def test_a_failure_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "main.jsonl"
    path.write_text("old")
    with pytest.raises(StoreError):
        export(Breaking(link_main=ENTRIES), [MAIN], path, force=True)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["main.jsonl"]


def test_places_where_nothing_can_be_written(tmp_path: Path) -> None:
    for path, words in ((tmp_path, "no ordinary file"), (tmp_path / "no" / "where", "no folder")):
        with pytest.raises(CroupierError, match=words):
            export(Kept(link_main=ENTRIES), [MAIN], path)


def test_the_stores_own_files_are_never_written_over(tmp_path: Path) -> None:
    url, link = f"sqlite:///{tmp_path}/floor.db", tmp_path / "link.jsonl"
    with open_store(url) as made:
        made.append(MAIN, ENTRIES)
    before = (tmp_path / "floor.db").read_bytes()
    link.symlink_to(tmp_path / "floor.db")
    os.link(tmp_path / "floor.db", tmp_path / "hard.jsonl")
    names = ("floor.db", "floor.db-wal", "floor.db-shm", "floor.db.link-main.1234.lease", "link.jsonl", "hard.jsonl")
    with open_existing(url) as store:
        for name in names:
            with pytest.raises(CroupierError, match="of the store itself"):
                export(store, [MAIN], tmp_path / name, force=True)
        export(store, [MAIN], tmp_path / "floor.db.jsonl")
    assert (tmp_path / "floor.db").read_bytes() == before
    assert not any(tmp_path.glob("*.lease"))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("site.key", b"7f3a"),
        ("site.pem.txt", b"-----BEGIN PRIVATE KEY-----"),
        ("other.jsonl", b"SQLite format 3\0 and pages"),
        ("x.lease", b""),
        ("x.db-wal", b""),
    ],
)
def test_keys_and_databases_are_not_written_over_even_by_force(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CroupierError, match="a database, a lease or a key"):
        export(Kept(link_main=ENTRIES), [MAIN], tmp_path / name, force=True)
    assert (tmp_path / name).read_bytes() == content


@pytest.mark.parametrize("content", [b"my notes\n", b"{}\n", b"[1]\n", b"\x1f\x8bno gzip", b"\xff\xfe"])
def test_only_a_ledger_is_written_over_without_force(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "out.jsonl"
    path.write_bytes(content)
    with pytest.raises(CroupierError, match="no exported ledger"):
        export(Kept(link_main=ENTRIES), [MAIN], path)
    assert path.read_bytes() == content
    export(Kept(link_main=ENTRIES), [MAIN], path, force=True)
    assert verify(path).right


@pytest.mark.parametrize("name", ["main.jsonl", "main.jsonl.gz"])
def test_an_earlier_export_is_written_over_and_keeps_its_permissions(tmp_path: Path, name: str) -> None:
    path = written(tmp_path / name, ENTRIES[:5])
    path.chmod(0o600)
    written(path, ENTRIES)
    assert (path.stat().st_mode & 0o777, verify(path).books[0].entries) == (0o600, len(ENTRIES))


def test_a_new_file_is_written_by_its_owner_only(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        assert written(tmp_path / "main.jsonl", ENTRIES).stat().st_mode & 0o777 == 0o644
    finally:
        os.umask(before)


def test_a_wrong_folder_is_named_and_no_draft(tmp_path: Path) -> None:
    with pytest.raises(CroupierError, match=r"There is no folder '.*nowhere' to write 'main.jsonl' in\.$") as found:
        written(tmp_path / "nowhere" / "main.jsonl", ENTRIES)
    assert "draft" not in str(found.value)


def test_a_damaged_row_goes_in_as_it_is_and_is_found(tmp_path: Path) -> None:
    store = Kept(link_main=ENTRIES)
    store.books[MAIN][0] = store.books[MAIN][0]._replace(body="damage")
    export(store, [MAIN], tmp_path / "main.jsonl")
    assert verify(tmp_path / "main.jsonl").wrong_row == 1


def test_the_guide_says_how_to_check_a_chain_by_hand(tmp_path: Path) -> None:
    before = "0" * 64
    for line in written(tmp_path / "main.jsonl", ENTRIES).read_text().splitlines()[2:-1]:
        found = json.loads(line)
        assert sha256(line[83:-1].encode()).hexdigest() == found["digest"]
        assert found["row"]["before"] == before
        before = found["digest"]


# Columns that were altered beside entries that are whole


def forged(url: str, statement: str) -> None:
    """By somebody who can take the guards away."""
    if url.startswith("sqlite:"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as db:
            db.execute("DROP TRIGGER entry_is_not_changed")
            db.execute(statement)
            db.commit()
        return
    with psycopg.connect(url, autocommit=True) as server:
        server.execute("ALTER TABLE entry DISABLE TRIGGER entry_is_kept")
        server.execute(statement.encode())


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return new_floor() if request.param == "postgres" else f"sqlite:///{tmp_path}/floor.db"


@pytest.mark.parametrize(
    "column", ["at = '2020-01-01T00:00:00.000000Z'", "command = 'another'", "kind = 'adjust'", f"before = '{'f' * 64}'"]
)
def test_an_altered_column_is_named_by_the_export_and_both_proofs_refuse_it(
    url: str, tmp_path: Path, column: str
) -> None:
    with open_store(url) as store:
        store.append(MAIN, ENTRIES)
    forged(url, f"UPDATE entry SET {column} WHERE stream = '{MAIN}' AND number = 3")
    path = tmp_path / "book.jsonl"
    with open_existing(url) as store:
        endings = export(store, chosen_streams(store, None), path)
    assert [ending.altered for ending in endings] == [(3,)]
    assert "Columns of link:main were altered in the store, at entry 3" in endings[0].why_altered
    report = verify(path)
    assert not report.right
    assert report.altered
    assert (report.wrong, report.wrong_stream, report.wrong_row) == (endings[0].why_altered, MAIN, 3)
    second = subprocess.run([sys.executable, VERIFIER, path], capture_output=True, text=True, check=False)
    assert second.returncode == 1
    assert "altered columns" in second.stdout + second.stderr


def test_entries_with_altered_columns_are_restored_with_their_own(tmp_path: Path) -> None:
    url, again = f"sqlite:///{tmp_path}/floor.db", f"sqlite:///{tmp_path}/again.db"
    with open_store(url) as store:
        store.append(MAIN, ENTRIES)
    forged(url, "UPDATE entry SET command = 'another' WHERE number = 3")
    with open_existing(url) as store:
        backup(store, tmp_path / "b.jsonl")
    assert restore(tmp_path / "b.jsonl", again).altered
    with open_store(again) as store:
        assert list(store.entries(MAIN)) == ENTRIES


def test_an_end_of_a_book_with_something_else_in_it_is_refused(tmp_path: Path) -> None:
    whole = written(tmp_path / "main.jsonl", ENTRIES).read_bytes()
    for more in ('"altered":["3"]', '"altered":3', '"more":1'):
        forged_file = tmp_path / "forged.jsonl"
        forged_file.write_bytes(whole[:-2] + f",{more}}}\n".encode())
        assert "is no row and no end" in verify(forged_file).wrong
