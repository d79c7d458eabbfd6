"""A checkpoint is read back exactly, or refused in a sentence and left as it is."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.analysis.simulation import checkpoint as module
from croupier.analysis.simulation.checkpoint import WIDE, Reached, SimulationCheckpoint
from croupier.analysis.simulation.job import BlockTotals, Job, Totals, play_blocks
from croupier.analysis.simulation.run import run
from croupier.errors import RecordError
from tests.analysis.simulation.small_job import job_of, same, tables

BLOCKS = 8


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("kept") / "run.json"
    run(job_of(BLOCKS), checkpoint=path)
    return path.read_bytes()


@pytest.fixture
def kept(text: bytes, tmp_path: Path) -> Path:
    path = tmp_path / "run.json"
    path.write_bytes(text)
    return path


def refused(path: Path, job: Job, match: str) -> None:
    """Refused in one sentence; the file is not touched and nothing is put beside it."""
    before = path.read_bytes()
    with pytest.raises(RecordError, match=match) as caught:
        run(job, checkpoint=path)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def altered(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Changed by somebody who also writes the digest anew."""
    content = json.loads(path.read_bytes())
    del content["sha256"]
    change(content)
    path.write_text(module._text(content), encoding="utf-8")


# Going on


def test_only_full_blocks_are_kept(kept: Path) -> None:
    reached = SimulationCheckpoint(kept, job_of(BLOCKS)).load()
    assert reached.blocks == (range(BLOCKS),)
    assert same(reached.totals, play_blocks(job_of(BLOCKS), 0, BLOCKS))


@pytest.mark.parametrize(("blocks", "rest_rounds"), [(BLOCKS, 100), (BLOCKS, 0), (BLOCKS, 2**16 - 1), (BLOCKS + 5, 1)])
def test_an_extended_run_equals_one_from_scratch(kept: Path, blocks: int, rest_rounds: int) -> None:
    job = job_of(blocks, rest_rounds=rest_rounds)
    assert same(run(job, checkpoint=kept).totals, run(job).totals)


def test_exactly_the_missing_blocks_are_played(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = job_of(BLOCKS)
    some = Reached.nothing(job)
    for blocks in (range(5, 7), range(1, 2), range(2, 3)):
        some = some.plus(blocks, play_blocks(job, blocks.start, blocks.stop))
    assert some.blocks == (range(1, 3), range(5, 7))
    SimulationCheckpoint(kept, job).save(some)

    play, played = Job.play, []

    def noted(self: Job, block: int) -> BlockTotals:
        played.append(block)
        return play(self, block)

    monkeypatch.setattr(Job, "play", noted)
    result = run(job, checkpoint=kept)
    assert played == [0, 3, 4, 7, BLOCKS]
    monkeypatch.undo()
    assert same(result.totals, run(job).totals)


def test_a_run_cannot_be_shortened(kept: Path) -> None:
    refused(kept, job_of(BLOCKS - 1), "can be extended, but not shortened")


def one_bin(count: int) -> BlockTotals:
    return BlockTotals(np.array([count]), np.array([[count**2]]), 1)


@given(st.permutations(range(12)), st.integers(0, 12))
def test_blocks_are_joined_in_any_order(order: list[int], some: int) -> None:
    reached = Reached((), Totals.none(1))
    for block in order[:some]:
        reached = reached.plus(range(block, block + 1), Totals.none(1).with_block(one_bin(block)))
    done = {block for blocks in reached.blocks for block in blocks}
    left = [block for blocks in reached.missing(12) for block in blocks]
    assert done == set(order[:some])
    assert left == sorted(set(range(12)) - done)
    assert reached.totals.counts[0] == sum(done)
    assert len(reached.blocks) + len(reached.missing(12)) <= 13


def test_a_block_is_never_counted_twice() -> None:
    one = Totals.none(1).with_block(one_bin(1))
    with pytest.raises(AssertionError, match="counted once"):
        Reached((range(3, 9),), one).plus(range(8, 9), one)


def test_sums_beyond_64_bits_stay_exact(tmp_path: Path) -> None:
    job = job_of(10**9)
    large = Totals(1, np.full(job.bins, 2**16), np.full((job.bins, job.bins), WIDE - 1))
    reached = Reached.nothing(job)
    for block in range(9):
        reached = reached.plus(range(block, block + 1), large)
    assert int(reached.totals.products[0, 0]) == 9 * (WIDE - 1) > 2**64
    SimulationCheckpoint(tmp_path / "run.json", job).save(reached)
    assert same(SimulationCheckpoint(tmp_path / "run.json", job).load().totals, reached.totals)


def test_sums_within_64_bits_are_numpys(kept: Path) -> None:
    assert SimulationCheckpoint(kept, job_of(BLOCKS)).load().totals.products.dtype == np.int64


# Refused


def test_a_changed_byte_is_noticed(kept: Path, text: bytes) -> None:
    for place in range(2, len(text) - 2, len(text) // 40):
        if text[place : place + 1].isspace():
            continue
        kept.write_bytes(text[:place] + bytes([text[place] ^ 1]) + text[place + 1 :])
        refused(kept, job_of(BLOCKS), "is damaged|no checkpoint|has format")


def test_a_truncated_file_is_noticed(kept: Path, text: bytes) -> None:
    for size in range(0, len(text) - 2, len(text) // 10):
        kept.write_bytes(text[:size])
        refused(kept, job_of(BLOCKS), "is damaged, so it is neither used nor overwritten")


@pytest.mark.parametrize(
    ("job", "what"),
    [
        (job_of(BLOCKS, seed=8), r"\(other seed\)"),
        (job_of(BLOCKS, seats=2), r"\(other seats\)"),
        (job_of(BLOCKS, strategy="basic", seed=1), r"\(other seed, strategy\)"),
    ],
    ids=["seed", "seats", "strategy"],
)
def test_a_checkpoint_of_another_simulation(kept: Path, job: Job, what: str) -> None:
    refused(kept, job, f"belongs to another simulation {what}")


def test_a_checkpoint_of_other_tables(kept: Path) -> None:
    other = tables()._replace(bin=tables().bin[::-1].copy())
    refused(kept, replace(job_of(BLOCKS), tables=other), r"belongs to another simulation \(other tables\)")


def test_a_checkpoint_of_a_newer_version(kept: Path) -> None:
    altered(kept, lambda content: content.update(version=2))
    refused(kept, job_of(BLOCKS), "has format 2, which another version of Croupier writes; this one reads format 1")


@pytest.mark.parametrize(
    "change",
    [
        {"blocks": [[0, 5], [4, 8]]},
        {"blocks": [[4, 8], [0, 4]]},
        {"blocks": [[8, 0]]},
        {"blocks": [[-1, 7]]},
        {"blocks": [0, 8]},
        {"blocks": [[0, 8.0]]},
        {"blocks": None},
        {"counts": [1, 2]},
        {"counts": [1.5] * 19},
        {"counts": [True] * 19},
        {"counts": ["1"] * 19},
        {"products": [[1] * 19] * 18},
        {"products": [[-1] * 19] * 19},
        {"products": [[1], [1, 2]]},
    ],
    ids=str,
)
def test_a_checkpoint_that_makes_no_sense(kept: Path, change: dict[str, object]) -> None:
    altered(kept, lambda content: content.update(change))
    refused(kept, job_of(BLOCKS), "is damaged")


@pytest.mark.parametrize("content", [b"[]", b"{}", b"7", b'{"format": "another"}'])
def test_another_file(kept: Path, content: bytes) -> None:
    kept.write_bytes(content)
    refused(kept, job_of(BLOCKS), "is no checkpoint of a simulation")


@pytest.mark.parametrize("content", [b"", b"hello\n", b"\xff\xfe", b"[" * 100_000, b"1" * 10_000])
def test_a_file_that_cannot_be_read(kept: Path, content: bytes) -> None:
    kept.write_bytes(content)
    refused(kept, job_of(BLOCKS), "is damaged")


def test_a_folder_in_its_place(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="is no checkpoint"):
        run(job_of(1), checkpoint=tmp_path)


@pytest.mark.parametrize("name", ["none/run.json", "a/b/run.json"])
def test_a_folder_that_does_not_exist(name: str, tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"cannot be written: there is no folder '.*'\.$"):
        run(job_of(1), checkpoint=tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["nul\0", "n" * 1000])
def test_a_name_that_no_file_can_have(name: str, tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"^The checkpoint .* cannot be (read|written): .*\.$"):
        run(job_of(1), checkpoint=tmp_path / name)


def test_a_failed_write_leaves_the_old_state(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_space(handle: int) -> None:
        raise OSError(28, "No space left on device")

    before = kept.read_bytes()
    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(RecordError, match=r"cannot be written: no space left on device\.$"):
        run(job_of(BLOCKS + 1), checkpoint=kept)
    assert kept.read_bytes() == before
    assert list(kept.parent.iterdir()) == [kept]
