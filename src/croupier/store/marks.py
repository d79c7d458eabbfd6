"""High-water marks: how far each book was acknowledged, kept in a second place outside the database.

    marks = Marks(Path("floor.db.marks"))
    marks.keep("link:main", 4711, digest)       after a commit; on disk within a second
    marks.of("link:main")                       what a writer must find, or go no further

A database cannot tell that its last hour was cut off: what is left of it is whole. The marks can. They are read when a
book is opened, and a book that is shorter than its mark, or has another entry there, is not gone on from.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Event, Lock, Thread
from typing import IO, NamedTuple

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
    """The marks of all books of a site, in one file. May be used from several threads.

    A thread of its own brings them to disk; without a time within which it does, nobody does but `write`.
    """

    def __init__(
        self,
        path: Path,
        within_s: float | None = WITHIN_S,
        *,
        read: Callable[[Path], bytes] = Path.read_bytes,
        replaced: Callable[..., AbstractContextManager[IO[bytes]]] = replaced,
    ) -> None:
        self.path = path.resolve()
        self._read_bytes, self._replaced = read, replaced
        self.trouble = ""
        """Why the marks cannot be written just now."""
        self._lock, self._due, self._closing = Lock(), Event(), Event()
        self._writing = Lock()
        """One writes at a time: what was read later is not overwritten by what was read before."""
        self._marks, self._dirty = _read(self.path, read), False
        self.unsaid = not self._marks or _says("unsaid", self.path, read)
        """Whether there were none when books were opened, and no book says so yet: the file keeps it until one does, so
        that a process which dies in between does not hide that they were put aside."""
        self._disk_failed = self._disk_told = False
        """Whether the disk has failed; and whether that was said here and is not in the file yet."""
        self._thread = None if within_s is None else Thread(target=self._run, args=(within_s,), daemon=True)
        if self._thread is not None:
            self._thread.name = "high-water marks"
            self._thread.start()

    def of(self, stream: str) -> Mark | None:
        with self._lock:
            return self._marks.get(stream)

    def acknowledged(self, stream: str) -> int | None:
        """Up to which entry, as far as anybody knows: nothing of a book of which the marks of the others say nothing,
        and nobody knows where there were none."""
        with self._lock:
            mark = self._marks.get(stream)
            if mark is None:
                return 0 if self._marks and not self.unsaid else None
            return mark.number

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

    def were_said(self) -> None:
        """A book says that there were none, or has nothing that they could have spoken of."""
        with self._lock:
            if self.unsaid:
                self.unsaid, self._dirty = False, self._dirty or bool(self._marks)
                self._due.set()

    def disk_failed(self) -> bool:
        """Whether the disk has failed, under this process or the one before, and no book was opened safely since."""
        with self._lock:
            if not self._disk_told:
                self._disk_failed = self._disk_failed or _says("disk_failed", self.path, self._read_bytes)
            return self._disk_failed

    def keep_disk_failed(self, failed: bool) -> None:
        """The file keeps it too, if it can be written, for a process that is started again."""
        with self._lock:
            if self._disk_failed != failed:
                self._disk_failed, self._disk_told, self._dirty = failed, True, True
                self._due.set()

    def close(self) -> None:
        self._closing.set()
        self._due.set()
        if self._thread is not None:
            self._thread.join()
        self.write()

    def write(self) -> None:
        """Bring to disk what is not there yet; why that cannot be done is told by `trouble`, and it is due still."""
        self._due.clear()
        with self._writing:  # whoever writes next finds it due again, and no trouble hidden
            try:
                self._write()
                self.trouble = ""
            except (OSError, CroupierError) as error:
                self.trouble = f"The marks {self.path.name} cannot be written: {error}."
                with self._lock:
                    self._dirty = True
                self._due.set()

    def _run(self, within_s: float) -> None:
        while not self._closing.is_set():
            self._due.wait()
            self.write()
            self._closing.wait(within_s)

    def _write(self) -> None:
        """All of it or nothing, and on disk. What another process has written there meanwhile stays."""
        with self._lock:
            marks, dirty, self._dirty = dict(self._marks), self._dirty, False
            failed, told = self._disk_failed, self._disk_told
            flags = {"unsaid": self.unsaid, "disk_failed": failed}
        if not dirty:
            return
        if not told:  # another process may have said it
            flags["disk_failed"] = failed or _says("disk_failed", self.path, self._read_bytes)
        for stream, mark in _read(self.path, self._read_bytes).items():
            marks[stream] = max(marks.get(stream, mark), mark)
        books = {stream: list(mark) for stream, mark in sorted(marks.items())}
        with self._replaced(self.path, mode=0o600) as file:
            content = {"form": FORM, "books": books, **{name: True for name, holds in flags.items() if holds}}
            file.write(json.dumps(content, indent=1).encode() + b"\n")
        with self._lock:
            self._disk_told = self._disk_told and self._disk_failed != failed


def _read(path: Path, read: Callable[[Path], bytes] = Path.read_bytes) -> dict[str, Mark]:
    try:
        values = json.loads(read(path))
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


def _says(what: str, path: Path, read: Callable[[Path], bytes]) -> bool:
    """A file that cannot be read says the worse."""
    try:
        return json.loads(read(path)).get(what) is True
    except FileNotFoundError:
        return False
    except (OSError, ValueError, AttributeError):
        return True


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
