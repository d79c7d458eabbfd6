"""Files: written whole, swept after a kill, and for their owner where they must be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from croupier import files
from croupier.audit.export import open_existing
from croupier.files import for_its_owner, keep_to_owner, of_sqlite, replaced, sqlite_file, sweep_drafts
from croupier.store.store import StoreError, open_store
from croupier.web.identity.store import engine_beside
from croupier.web.settings import Settings


def interrupted(target: Path) -> None:
    with replaced(target) as file:
        file.write(b"half of the n")
        raise KeyboardInterrupt


def test_a_file_is_the_old_one_or_the_new_one(tmp_path: Path) -> None:
    target = tmp_path / "main.jsonl"
    target.write_text("old")
    with pytest.raises(KeyboardInterrupt):
        interrupted(target)
    assert target.read_text() == "old"
    with replaced(target, mode=0o600) as file:
        file.write(b"new")
    assert target.read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["main.jsonl"]


def test_drafts_that_a_killed_program_left_are_swept_and_others_stay(tmp_path: Path) -> None:
    left, young, other = (
        tmp_path / f".{name}.draft" for name in ("m[1].db." + "0" * 16, "m[1].db." + "f" * 16, "m[1].db.mine")
    )
    for path in (left, young, other):
        path.touch()
    os.utime(left, (0, 0))
    os.utime(other, (0, 0))
    sweep_drafts(tmp_path / "m[1].db")
    assert sorted(tmp_path.iterdir()) == sorted([young, other])
    assert files.DRAFT_S > 0


def test_files_for_their_owner(tmp_path: Path) -> None:
    with for_its_owner():
        (tmp_path / "books").touch()
    assert (tmp_path / "books").stat().st_mode & 0o777 == 0o600
    path = tmp_path / "key"
    path.touch()
    path.chmod(0o664)
    assert keep_to_owner(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert not keep_to_owner(path)
    assert not keep_to_owner(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("address", "file"),
    [
        ("sqlite:///floor.db", Path("floor.db")),
        ("sqlite:////var/floor.db", Path("/var/floor.db")),
        ("sqlite:////var/my%20room.db", Path("/var/my room.db")),
        ("sqlite:///", None),
        ("sqlite:floor.db", None),
        ("postgresql://host/floor", None),
    ],
)
def test_the_file_of_a_stores_address(address: str, file: Path | None) -> None:
    assert sqlite_file(address) == file
    assert of_sqlite(address) == address.startswith("sqlite:")


def test_whoever_reads_an_address_comes_to_the_same_file(tmp_path: Path) -> None:
    settings = Settings(db=f"sqlite:///{tmp_path}/my%20room.db")
    books = tmp_path / "my room.db"
    with pytest.raises(StoreError, match=r"There is no store at .*/my room\.db"):
        open_existing(settings.db)
    open_store(settings.db).close()
    open_existing(settings.db).close()
    engine_beside(settings.db, "-access").connect().close()
    assert {books, tmp_path / "my room.db-access"} <= set(tmp_path.iterdir())
    assert settings.key_path() == tmp_path / "my room.db.key"
    assert settings.documents_path() == tmp_path / "my room.db.documents"
    assert {path.name for path in settings.own_files()} >= {"my room.db", "my room.db-access"}


def test_a_secret_that_an_earlier_version_named_as_the_address_is_written_is_still_the_sites(tmp_path: Path) -> None:
    older = tmp_path / "my%20room.db.key"
    older.touch()
    assert Settings(db=f"sqlite:///{tmp_path}/my%20room.db").key_path() == older
