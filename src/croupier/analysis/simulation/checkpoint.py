"""What a long simulation has reached, kept in a file from which it can go on without repeating or losing a block.

Only full blocks are kept, so a finished run can be extended: its last block is played again as a full one.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from croupier.analysis.simulation.job import BLOCK_ROUNDS, Counts, Job, Totals
from croupier.errors import RecordError
from croupier.files import reason, replaced

FORMAT = "croupier simulation checkpoint"
VERSION = 1
LARGEST_FILE_BYTES = 2**26
WIDE = 2**62
"""Sums of products beyond this are kept as Python's whole numbers, which never overflow."""


@dataclass(frozen=True, eq=False)
class Reached:
    """The full blocks that are done, and their total. One value, so that an interrupt finds both or neither changed."""

    blocks: tuple[range, ...]
    """In order, with gaps between them."""
    totals: Totals

    @classmethod
    def nothing(cls, job: Job) -> Reached:
        return cls((), Totals.none(job.bins))

    def plus(self, blocks: range, totals: Totals) -> Reached:
        """With these blocks too, none of which may be there already."""
        assert totals.blocks == len(blocks), "the total is of these blocks"
        return Reached(_joined(self.blocks, blocks), _sum(self.totals, totals))

    def missing(self, full_blocks: int) -> list[range]:
        """The blocks to be played, as ranges."""
        ends = [0, *(end for blocks in self.blocks for end in (blocks.start, blocks.stop)), full_blocks]
        gaps = [range(first, last) for first, last in zip(ends[::2], ends[1::2], strict=True)]
        return [gap for gap in gaps if gap]


def _joined(ranges: tuple[range, ...], new: range) -> tuple[range, ...]:
    joined: list[range] = []
    for blocks_range in sorted((*ranges, new), key=lambda blocks: blocks.start):
        if joined and blocks_range.start <= joined[-1].stop:
            assert blocks_range.start == joined[-1].stop, f"blocks {blocks_range} are counted once"
            joined[-1] = range(joined[-1].start, blocks_range.stop)
        else:
            joined.append(blocks_range)
    return tuple(joined)


def _sum(one: Totals, other: Totals) -> Totals:
    if one.products.dtype != object and max(one.products.max(initial=0), other.products.max(initial=0)) >= WIDE:
        one = Totals(one.blocks, one.counts, one.products.astype(object))
    return one + other


class SimulationCheckpoint:
    """The file of one job."""

    def __init__(self, path: Path | str, job: Job) -> None:
        self._path = Path(path)
        self._job = job

    def load(self) -> Reached:
        """What the file holds, nothing where there is none yet; a RecordError if the job cannot go on from it."""
        try:
            if not self._path.exists() and not self._path.is_symlink():
                return self._new()
            if not self._path.is_file() or self._path.stat().st_size > LARGEST_FILE_BYTES:
                raise RecordError(f"{self._name} is no checkpoint of a simulation.")
            content = self._path.read_bytes()
        except (OSError, ValueError) as error:
            raise RecordError(f"The checkpoint {self._name} cannot be read: {reason(error)}.") from None
        return self._read(content)

    def save(self, reached: Reached) -> None:
        """Put it in the file at once: after a power cut the file holds the old state or the new, never a part."""
        try:
            with replaced(self._path.resolve(), mode=0o666) as file:
                file.write(_text(self._content(reached)).encode())
        except (OSError, ValueError) as error:
            raise RecordError(f"The checkpoint {self._name} cannot be written: {reason(error)}.") from None

    @property
    def _name(self) -> str:
        return repr(str(self._path))

    def _new(self) -> Reached:
        folder = self._path.parent
        if not folder.is_dir():
            raise RecordError(f"The checkpoint {self._name} cannot be written: there is no folder {str(folder)!r}.")
        if not os.access(folder, os.W_OK):
            raise RecordError(f"The checkpoint {self._name} cannot be written: the folder is read-only.")
        return Reached.nothing(self._job)

    def _whose(self) -> dict[str, Any]:
        """What must be equal for a job to go on."""
        job = self._job
        return {"identity": dict(job.identity), "seats": job.seats, "seed": job.seed, "block_rounds": BLOCK_ROUNDS}

    def _content(self, reached: Reached) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "fingerprint": self._job.fingerprint,
            **self._whose(),
            "blocks": [[blocks.start, blocks.stop] for blocks in reached.blocks],
            "counts": reached.totals.counts.tolist(),
            "products": reached.totals.products.tolist(),
        }

    def _read(self, text: bytes) -> Reached:
        try:
            content = json.loads(text)
        except (ValueError, RecursionError):
            raise self._damaged() from None
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise RecordError(f"{self._name} is no checkpoint of a simulation.")
        if content.get("version") != VERSION:
            raise RecordError(
                f"The checkpoint {self._name} has format {content.get('version')!r}, which another version of Croupier "
                f"writes; this one reads format {VERSION}."
            )
        if content.pop("sha256", None) != _digest(content):
            raise self._damaged()
        self._check_owner(content)
        return self._reached(content)

    def _check_owner(self, content: dict[str, Any]) -> None:
        if content.get("fingerprint") == self._job.fingerprint:
            return
        here = json.loads(json.dumps(self._whose()))
        there = {key: content.get(key) for key in here}
        for side in (here, there):
            identity = side.pop("identity")
            side.update(identity if isinstance(identity, dict) else {})
        keys = [key for key in {**here, **there} if here.get(key) != there.get(key)]
        other = ", ".join(key.replace("_", " ") for key in keys) or "tables"
        raise RecordError(f"The checkpoint {self._name} belongs to another simulation (other {other}).")

    def _reached(self, content: dict[str, Any]) -> Reached:
        bins = self._job.bins
        try:
            ranges = tuple(range(first, last) for first, last in content["blocks"])
            counts, products = _array(content["counts"]), _array(content["products"])
        except (KeyError, TypeError, ValueError, OverflowError):
            raise self._damaged() from None
        in_order = all(ranges) and all(one.stop < other.start for one, other in pairwise(ranges))
        if not in_order or any(blocks.start < 0 for blocks in ranges):
            raise self._damaged()
        if counts.shape != (bins,) or products.shape != (bins, bins):
            raise self._damaged()
        if ranges and ranges[-1].stop > self._job.full_blocks:
            raise RecordError(
                f"The checkpoint {self._name} has rounds beyond the {self._job.rounds:,} asked for: a run can be "
                "extended, but not shortened."
            )
        return Reached(ranges, Totals(sum(map(len, ranges)), counts, products))

    def _damaged(self) -> RecordError:
        return RecordError(f"The checkpoint {self._name} is damaged, so it is neither used nor overwritten.")


def _array(numbers: list[Any]) -> Counts:
    """Whole numbers only; large ones as Python's."""
    exact = np.array(numbers, dtype=object)
    if any(type(number) is not int or number < 0 for number in exact.flat):
        raise ValueError("not a whole number")
    return exact if max(exact.flat, default=0) >= WIDE else exact.astype(np.int64)


def _digest(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _text(content: dict[str, Any]) -> str:
    """One line for each entry."""
    entries = {**content, "sha256": _digest(content)}
    return "{\n" + ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in entries.items()) + "\n}\n"
