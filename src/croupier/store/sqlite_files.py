"""The files of a SQLite store as the system has them: which they are, whether they have one name, whether the log was
cut while it is written, whether the disk has all of it, and how they are opened to be read."""

from __future__ import annotations

import fcntl
import os
import re
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from weakref import WeakSet

from croupier.store.store import NO_MORE, DiskFailed, StoreError

_LOG_SIZES: dict[Path, int] = {}
"""Of each log that this process writes, how long it was after the last commit, by whichever store."""
_WRITTEN: dict[Path, WeakSet[object]] = {}
"""By log: the stores of this process that are open on it."""
os.register_at_fork(after_in_child=_WRITTEN.clear)
LOGS = RLock()
"""Held while one of them is measured or begun anew."""


def file_at(path: Path) -> tuple[int, int]:
    """Which file on which device has this name; none, where there is none."""
    try:
        status = os.stat(path)
    except OSError:
        return 0, 0
    return status.st_dev, status.st_ino


def _size_of(path: Path) -> int | None:
    try:
        return os.stat(path).st_size
    except OSError:
        return None


def is_cut(log: Path) -> bool:
    """Whether a log is shorter than it was; that one is gone is told by which files there are."""
    size = _size_of(log)
    return size is not None and size < _LOG_SIZES.get(log, 0)


def check_log_is_whole(log: Path) -> None:
    """A log gets shorter where a store of this process begins it anew, and where somebody cuts it in its place.

    Whatever is written behind a cut would be lost with what was there, and a checkpoint would bring the gap to the
    store.
    """
    if not is_cut(log):
        return
    with LOGS:  # it may just have been begun anew
        cut = is_cut(log)
    if cut:
        raise DiskFailed(f"The log {log.name} of the store was cut under the running program.{NO_MORE}")


def measure(log: Path) -> None:
    with LOGS:
        _LOG_SIZES[log] = _size_of(log) or 0


def opened(log: Path, store: object) -> None:
    """A store was opened on a log. What its length was is known already where another one has it open: measured anew, a
    log that was cut meanwhile would pass for whole."""
    with LOGS:
        written = _WRITTEN.setdefault(log, WeakSet())
        if not written:
            measure(log)
        written.add(store)


def closed(log: Path, store: object) -> None:
    """The last connection that is closed takes the log away, and the next one begins another."""
    with LOGS:
        _WRITTEN.get(log, WeakSet()).discard(store)


# A log that the disk may not have

_LOCK: int | None = getattr(fcntl, "F_OFD_SETLK", None)
"""A lock that belongs to one opening of a file, and not to the process as SQLite's own do: those would be gone with the
first closing of the file here. Only Linux has it."""
_OPENED = 128
"""Of the log's index (`floor.db-shm`): the byte on which whoever has the store open holds a lock."""
_INDEXES: dict[Path, tuple[int, tuple[int, int]]] = {}
"""Of each store the opened index, and which file that is: closing it would undo SQLite's locks of this process."""


def renew_log(path: Path) -> None:
    """Write the log of a store once more, as it is read, and sync it, before anybody goes by it.

    After a failed sync the system may read back what the disk does not have, and forget it at any time. Whoever opens
    the store after the process has died takes such a log for whole, and would bring to the file what has become of it.
    Where somebody has the store open, the log was opened before, and is left alone.
    """
    log = path.with_name(f"{path.name}-wal")
    if not _size_of(log) or _LOCK is None:
        return
    try:
        with LOGS, _nobody_has_it(path), open(log, "r+b", buffering=0) as file:
            content = file.read()
            file.seek(0)
            file.write(content)
            os.fsync(file.fileno())
    except (BlockingIOError, FileNotFoundError, PermissionError):
        return  # it is open, or gone, or cannot be written from here
    except OSError as error:
        raise DiskFailed(f"The disk of the store {path.name} failed: {error.strerror}.{NO_MORE}") from error


@contextmanager
def _nobody_has_it(path: Path) -> Iterator[None]:
    """Whoever comes waits; refused where somebody has the store open, in this process or another."""
    assert _LOCK is not None
    index = _index_of(path)
    fcntl.fcntl(index, _LOCK, struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, _OPENED, 1, 0))
    try:
        yield
    finally:
        fcntl.fcntl(index, _LOCK, struct.pack("hhqqi", fcntl.F_UNLCK, os.SEEK_SET, _OPENED, 1, 0))


def _index_of(path: Path) -> int:
    name = path.with_name(f"{path.name}-shm")
    index, file = _INDEXES.get(path, (-1, (0, 0)))
    if index < 0 or file != file_at(name):
        fresh = _open_index(name, path)
        if index >= 0:
            os.close(index)
        status = os.fstat(fresh)
        _INDEXES[path] = fresh, (status.st_dev, status.st_ino)
    return _INDEXES[path][0]


def _open_index(name: Path, path: Path) -> int:
    """One that is not there is made as SQLite does: for everybody who may open the store."""
    with suppress(FileNotFoundError):
        return os.open(name, os.O_RDWR | os.O_CLOEXEC)
    status = os.stat(path)
    index = os.open(name, os.O_RDWR | os.O_CLOEXEC | os.O_CREAT, 0o600)
    os.fchmod(index, status.st_mode & 0o777)
    if os.geteuid() == 0:
        os.fchown(index, status.st_uid, status.st_gid)
    return index


def check_one_name(path: Path) -> None:
    """Refuse a file with several names: each would have a log and leases of its own, and two writers at once."""
    with suppress(FileNotFoundError):
        if path.stat().st_nlink > 1:
            raise StoreError(
                f"The store {path.name} has several names (hard links), and each would have a log and a writer of its "
                "own: keep one name, and copy the file where a copy is wanted."
            )
        if str(path) in _mounted():
            raise StoreError(
                f"The store {path.name} is mounted here by itself, and its log and its lease would not lie beside the "
                "file: whoever has it elsewhere would write it too. Mount the folder that it is in."
            )


def _mounted() -> set[str]:
    """Where something is mounted, as far as the system tells: a folder, or a single file, as containers are given."""
    with suppress(OSError):
        lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        return {re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), line.split()[4]) for line in lines}
    return set()


# How a SQLite store is opened that is only to be read: beside a server, as a copy, or write-protected.
#
# A store keeps a log beside itself (`floor.db-wal`) and reads it through a third file, which must be made. Where that
# can be done, the store is opened as usual and asked only: SQLite's own read-only mode would leave these files behind,
# which it may not remove. Where the file or its folder cannot be written, and there is no log, the file is all there
# is and is read as it lies. Where there is a log, its newest entries may be in there and nowhere else, so it is never
# left out.

ASKED_ONLY, AS_IT_LIES, LOG_AS_IT_IS = "rw", "ro&immutable=1", "ro"


def reading_mode(path: Path) -> str:
    """For the address of a connection."""
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        return ASKED_ONLY
    return LOG_AS_IT_IS if _has_log(path) else AS_IT_LIES


def _has_log(path: Path) -> bool:
    try:
        return log_of(path).stat().st_size > 0
    except FileNotFoundError:
        return False
    except OSError:
        return True


def log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def check_log_is_read(path: Path, db: sqlite3.Connection) -> None:
    """Refuse where the log cannot be read from here, with what to do about it."""
    try:
        db.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}:
            raise
        raise StoreError(
            f"The store {path.name} cannot be read where it is: its newest entries are in {log_of(path).name}, and the "
            "folder cannot be written. Copy both files to a folder of your own and read the copy."
        ) from None
