"""Where a ledger may be written: never over a store, a lease or a key, and over nothing else that is no ledger.

An export is the one thing that a regulator asks for in a hurry. A slip of the fingers must not cost the book itself.
"""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path

from croupier.errors import CroupierError
from croupier.progressive.checkpoints import reason
from croupier.progressive.cutting import GZIP_MAGIC
from croupier.progressive.ledger_file import FORMAT

BESIDE = ("", "-wal", "-shm", "-journal")
"""What SQLite appends to a store's name."""
KEPT_SUFFIXES = (".lease", ".key", ".pub", "-wal", "-shm", "-journal")
KEPT_BEGINNINGS = (b"SQLite format 3\0", b"-----BEGIN ")
"""Of databases and keys, whatever they are called."""
LONGEST_HEADER = 2**20


def target_of(path: Path) -> Path:
    """The file that a name stands for, in a folder that is there."""
    try:
        target = path.resolve()
        if not target.parent.is_dir():
            raise CroupierError(f"There is no folder {str(path.parent)!r} to write {path.name!r} in.")
        if target.exists() and not target.is_file():
            raise CroupierError(f"{str(path)!r} is no ordinary file, so nothing is written there.")
    except (OSError, ValueError, RuntimeError) as error:
        why = str(error) if isinstance(error, RuntimeError) else reason(error)
        raise CroupierError(f"The file {str(path)!r} cannot be written: {why}.") from None
    return target


def check_not_kept(path: Path, store: Path | None = None) -> Path:
    """Refuse the files of the store and every database, lease or key; given is the file that the name stands for."""
    target = target_of(path)
    if store is not None and _is_of_store(target, store.resolve()):
        raise CroupierError(f"{str(path)!r} is a file of the store itself, so nothing is written there.")
    if target.is_file() and (target.name.endswith(KEPT_SUFFIXES) or _begins(target, 32).startswith(KEPT_BEGINNINGS)):
        raise CroupierError(f"{str(path)!r} is a database, a lease or a key, so nothing is written there.")
    return target


def check_target(path: Path, store: Path | None = None, *, force: bool = False) -> Path:
    """Where an export goes: to a new file, or over an earlier export or an empty file; over others only by force."""
    target = check_not_kept(path, store)
    if not force and target.is_file() and target.stat().st_size and not is_ledger(target):
        raise CroupierError(
            f"There is a file {str(path)!r} already that is no exported ledger, so it is not written over: "
            "give another name (croupier ledger export --force writes over it)."
        )
    return target


def _is_of_store(target: Path, store: Path) -> bool:
    if target.is_file() and store.is_file() and target.samefile(store):
        return True
    names = {store.name + ending for ending in BESIDE}
    is_lease = target.name.startswith(f"{store.name}.") and target.name.endswith(".lease")
    return target.parent == store.parent and (target.name in names or is_lease)


def is_ledger(path: Path) -> bool:
    """Whether its first line is that of an exported ledger; the rest may be cut short or wrong."""
    try:
        packed = _begins(path, 2) == GZIP_MAGIC
        with gzip.open(path, "rb") if packed else path.open("rb") as file:
            header = json.loads(file.readline(LONGEST_HEADER))
    except (OSError, EOFError, zlib.error, ValueError, RecursionError):
        return False
    return isinstance(header, dict) and header.get("format") == FORMAT


def _begins(path: Path, length: int) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(length)
    except OSError:
        return b""
