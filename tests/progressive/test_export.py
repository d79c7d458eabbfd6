"""A ledger goes to one file as it is stored, whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest

from croupier.errors import CroupierError, UnknownName
from croupier.progressive.acts import Act
from croupier.progressive.aggregate import Kind
from croupier.progressive.export import Reader, chosen_streams, export, open_existing
from croupier.progressive.link import Link
from croupier.progressive.replay import act_of
from croupier.progressive.resending import same_link_act
from croupier.progressive.store import Row, StoreError, open_store
from croupier.progressive.verifying import verify
from croupier.progressive.writer import Writer
from tests.progressive.ledger_support import MAIN, Kept, busy_floor, raw, site_entries, written
from tests.progressive.server import new_floor

ENTRIES = busy_floor().entries


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


def test_both_stores_export_the_same_file_and_it_is_right(tmp_path: Path) -> None:
    """The same acts at the same times, through a writer on SQLite and on PostgreSQL."""
    paths, kind = [], Kind(partial(Link, "main"), Link.of_snapshot, same_link_act)
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


def busy_acts() -> list[Act]:
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
        export(Breaking(link_main=ENTRIES), [MAIN], path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["main.jsonl"]


def test_places_where_nothing_can_be_written(tmp_path: Path) -> None:
    for path, words in ((tmp_path, "no ordinary file"), (tmp_path / "no" / "where", "cannot be written")):
        with pytest.raises(CroupierError, match=words):
            export(Kept(link_main=ENTRIES), [MAIN], path)


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
