"""Files: written whole, swept after a kill, and for their owner where they must be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from croupier import files
from croupier.files import for_its_owner, keep_to_owner, replaced, sweep_drafts


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
