"""A disk that keeps what was synced and promises nothing else.

Programs read what they wrote. A power cut leaves what was synced, and of everything else any sectors whatever: lost,
torn in the middle of a write, or kept though an earlier write was lost. Names of files are kept in the order in which
they were changed, up to some point. A sync may fail: then what it was for is as uncertain as after a power cut, and the
next sync says that all is well. A disk may be full, and a sector may have gone bad.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from errno import EIO, ENOSPC
from io import BytesIO
from pathlib import Path
from random import Random
from typing import IO

SECTOR = 512


class File:
    """What programs read, what a power cut leaves for sure, and the changes between the two."""

    __slots__ = ("bad", "changes", "data", "stable")

    def __init__(self, content: bytes = b"") -> None:
        self.data, self.stable = bytearray(content), bytearray(content)
        self.changes: list[tuple[int, bytes] | int] = []
        """Writes (where and what), and lengths that the file was cut to."""
        self.bad: set[int] = set()
        """Sectors that cannot be read."""


class Disk:
    """Files by name."""

    def __init__(self, files: Mapping[str, bytes] | None = None) -> None:
        self.files = {name: File(content) for name, content in (files or {}).items()}
        self._stable_names = dict(self.files)
        self._renamed: list[list[tuple[str, File | None]]] = []
        """Changes of names since the folder was synced."""
        self.full = False
        self.failing_syncs = 0
        """So many of the next syncs fail."""
        self.remembers = False
        """Whether what a failed sync has lost may be read as it was written until the power fails, as on Linux: whoever
        writes there must know it. The simulated database does as PostgreSQL, which stops and recovers by itself."""
        self.changes = 0
        """Writes and syncs of all files, ever: whoever has looked at this number knows whether there is news."""

    # What programs do

    def make(self, name: str) -> File:
        if name not in self.files:
            self._rename([(name, File())])
        return self.files[name]

    def read(self, file: File, offset: int, length: int) -> bytes:
        if file.bad and not file.bad.isdisjoint(range(offset // SECTOR, (offset + length - 1) // SECTOR + 1)):
            raise OSError(EIO, "a sector cannot be read")
        return bytes(file.data[offset : offset + length])

    def write(self, file: File, offset: int, content: bytes) -> None:
        if self.full and offset + len(content) > len(file.data):
            raise OSError(ENOSPC, "no room on the disk")
        self.changes += 1
        file.changes.append((offset, content))
        _put(file.data, offset, content)
        if file.bad:
            file.bad -= set(range(offset // SECTOR, (offset + len(content) - 1) // SECTOR + 1))

    def cut(self, file: File, length: int) -> None:
        self.changes += 1
        file.changes.append(length)
        _cut(file.data, length)

    def sync(self, file: File, random: Random) -> None:
        if self.failing_syncs:
            self.failing_syncs -= 1
            seen = bytes(file.data)
            _lose(file, random)
            if self.remembers and self.changes % 2:
                file.data[:] = seen
            raise OSError(EIO, "the disk failed")
        self.changes += 1
        for change in file.changes:
            _apply(file.stable, change)
        file.changes.clear()

    def rename(self, name: str, target: str) -> None:
        self._rename([(target, self.files[name]), (name, None)])

    def remove(self, name: str) -> None:
        self._rename([(name, None)])

    def sync_folder(self) -> None:
        for names in self._renamed:
            _name(self._stable_names, names)
        self._renamed.clear()

    def _rename(self, names: list[tuple[str, File | None]]) -> None:
        self.changes += 1
        self._renamed.append(names)
        _name(self.files, names)

    # Files that are written whole, as `croupier.files.replaced` does

    def read_bytes(self, path: Path) -> bytes:
        if path.name not in self.files:
            raise FileNotFoundError(path)
        file = self.files[path.name]
        return self.read(file, 0, len(file.data))

    @contextmanager
    def replaced(self, path: Path, random: Random) -> Iterator[IO[bytes]]:
        written = BytesIO()
        yield written
        draft = f".{path.name}.draft"
        file = self.make(draft)
        try:
            self.cut(file, 0)
            self.write(file, 0, written.getvalue())
            self.sync(file, random)
            self.rename(draft, path.name)
        except BaseException:
            self.remove(draft)
            raise
        self.sync_folder()

    # What happens to it

    def lose_power(self, random: Random) -> None:
        keep = random.randint(0, len(self._renamed))
        for names in self._renamed[:keep]:
            _name(self._stable_names, names)
        self._renamed.clear()
        self.files = dict(self._stable_names)
        for file in self.files.values():
            _lose(file, random)
        self.changes += 1

    def without_unsynced(self) -> dict[str, bytes]:
        """What a power cut that keeps nothing else would leave."""
        return {name: bytes(file.stable) for name, file in self._stable_names.items()}


def _name(names: dict[str, File], changed: list[tuple[str, File | None]]) -> None:
    for name, file in changed:
        if file is None:
            names.pop(name, None)
        else:
            names[name] = file


def _put(content: bytearray, offset: int, what: bytes) -> None:
    if offset > len(content):
        content.extend(bytes(offset - len(content)))
    content[offset : offset + len(what)] = what


def _cut(content: bytearray, length: int) -> None:
    del content[length:]
    content.extend(bytes(length - len(content)))


def _apply(content: bytearray, change: tuple[int, bytes] | int) -> None:
    if isinstance(change, int):
        _cut(content, change)
    else:
        _put(content, *change)


def _lose(file: File, random: Random) -> None:
    """Any sectors of what was not synced are kept, or none, or all."""
    kept = random.choice((0.0, 0.5, 0.9, 1.0))
    for change in file.changes:
        if isinstance(change, int):
            if random.random() < kept:
                _cut(file.stable, change)
            continue
        offset, content = change
        start = offset
        while start < offset + len(content):
            end = min((start // SECTOR + 1) * SECTOR, offset + len(content))
            if random.random() < kept:
                _put(file.stable, start, content[start - offset : end - offset])
            start = end
    file.changes.clear()
    file.data = bytearray(file.stable)
