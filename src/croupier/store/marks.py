"""High-water marks: how far each book was acknowledged, kept in a second place outside the database.

    marks = Marks(Path("floor.db.marks"))
    marks.keep("link:main", 4711, digest)       after a commit; on disk within a second
    marks.of("link:main")                       what a writer must find, or go no further

A database cannot tell that its last hour was cut off: what is left of it is whole. The marks can. They are read when a
book is opened, and a book that is shorter than its mark, or has another entry there, is not gone on from.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread
from typing import NamedTuple

from croupier.errors import CroupierError
from croupier.files import replaced
from croupier.store.store import DiskFailed, Store

WITHIN_S = 1.0
"""A mark is on disk at most so long after its commit."""
FORM = 1


class Mark(NamedTuple):
    """The last entry that was acknowledged."""

    number: int
    digest: str


class BookBehind(DiskFailed):
    """The book is shorter than, or different from, what was acknowledged: somebody has to look before it goes on."""


class Marks:
    """The marks of all books of a site, in one file. May be used from several threads."""

    def __init__(self, path: Path, within_s: float = WITHIN_S) -> None:
        self.path = path.resolve()
        self.trouble = ""
        """Why the marks cannot be written just now."""
        self._within_s = within_s
        self._lock, self._due, self._closing = Lock(), Event(), Event()
        self._marks, self._dirty = _read(self.path), False
        self._thread = Thread(target=self._run, name="high-water marks", daemon=True)
        self._thread.start()

    def of(self, stream: str) -> Mark | None:
        with self._lock:
            return self._marks.get(stream)

    def all(self) -> dict[str, Mark]:
        with self._lock:
            return dict(self._marks)

    def keep(self, stream: str, number: int, digest: str) -> None:
        """A mark never goes back."""
        with self._lock:
            before = self._marks.get(stream)
            if before is None or number > before.number:
                self._marks[stream] = Mark(number, digest)
                self._dirty = True
                self._due.set()

    def close(self) -> None:
        self._closing.set()
        self._due.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._closing.is_set():
            self._due.wait()
            self._due.clear()
            try:
                self._write()
                self.trouble = ""
            except (OSError, CroupierError) as error:
                self.trouble = f"The marks {self.path.name} cannot be written: {error}."
                with self._lock:
                    self._dirty = True
                self._due.set()
            self._closing.wait(self._within_s)
        with suppress(OSError, CroupierError):
            self._write()

    def _write(self) -> None:
        """All of it or nothing, and on disk. What another process has written there meanwhile stays."""
        with self._lock:
            marks, dirty, self._dirty = dict(self._marks), self._dirty, False
        if not dirty:
            return
        for stream, mark in _read(self.path).items():
            marks[stream] = max(marks.get(stream, mark), mark)
        books = {stream: list(mark) for stream, mark in sorted(marks.items())}
        with replaced(self.path, mode=0o600) as file:
            file.write(json.dumps({"form": FORM, "books": books}, indent=1).encode() + b"\n")


def _read(path: Path) -> dict[str, Mark]:
    try:
        values = json.loads(path.read_bytes())
        if values["form"] != FORM:
            raise CroupierError(f"{path} holds marks of another program's form, {values['form']!r}.")
        return {str(stream): Mark(int(number), str(digest)) for stream, (number, digest) in values["books"].items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise CroupierError(
            f"{path} does not hold the marks of the books, up to which they were acknowledged. If it was damaged, hold "
            "the books against a backup or an anchor, then put the file aside."
        ) from None


def why_behind(store: Store, path: Path) -> str:
    """What a file of marks says against the books of a store that is only read; nothing where there is none."""
    try:
        for stream, mark in _read(path).items():
            check_not_behind(store, stream, mark, path.name)
    except CroupierError as error:
        return str(error)
    return ""


def check_not_behind(store: Store, stream: str, mark: Mark | None, file: str = "") -> None:
    """Refuse a book that does not have what was acknowledged, as this file says."""
    if mark is None:
        return
    digests = [row.digest for row in store.rows(stream, after=mark.number - 1, limit=1)]
    if digests != [mark.digest]:
        last = store.last(stream)
        what = "has another entry there" if digests else f"is shorter, it ends at entry {last.number if last else 0:,}"
        aside = f" To go on from what is left, on purpose, move {file} away." if file else ""
        raise BookBehind(
            f"{stream} was acknowledged up to entry {mark.number:,} ({mark.digest:.12}), and the book {what}: entries "
            "were lost or changed behind the server's back, and nothing more is written. Keep the files as they are; "
            f"look for the database's log (-wal), or restore a backup.{aside}"
        )
