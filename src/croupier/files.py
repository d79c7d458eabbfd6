"""Files: one is written whole or not at all, and a store may be one."""

from __future__ import annotations

import glob
import os
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO
from urllib.parse import unquote

from croupier.errors import CroupierError

DRAFT_S = 3_600.0
"""A draft that nobody has written to for so long is left over."""


@contextmanager
def replaced(target: Path, *, mode: int = 0o644) -> Iterator[IO[bytes]]:
    """A draft that takes the file's place once it is written: after a power cut there is the old file or the new."""
    sweep_drafts(target)
    draft = target.with_name(f".{target.name}.{secrets.token_hex(8)}.draft")
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, target)
    except BaseException:  # Ctrl-C too must not leave a draft behind
        draft.unlink(missing_ok=True)
        raise
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def sweep_drafts(target: Path) -> None:
    """Remove drafts of this file that a killed program has left; one that is being written is younger."""
    for draft in target.parent.glob(f".{glob.escape(target.name)}.{'[0-9a-f]' * 16}.draft"):
        with suppress(OSError):
            if time.time() - draft.stat().st_mtime > DRAFT_S:
                draft.unlink()


@contextmanager
def for_its_owner() -> Iterator[None]:
    """Files that are made meanwhile are read by nobody but their owner."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def keep_to_owner(path: Path) -> bool:
    """Let nobody but its owner read a file; whether others could."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & 0o077:
            path.chmod(mode & 0o700)
            return True
    except FileNotFoundError:
        pass
    except OSError as error:
        raise CroupierError(f"{path} can be read by others, and that cannot be mended: {reason(error)}.") from None
    return False


def reason(error: OSError | ValueError) -> str:
    """Why it did not work, without the system's numbers."""
    return (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)


def of_sqlite(address: str) -> bool:
    """Whether a store's address is meant for SQLite, well written or not."""
    return address.startswith("sqlite:")


def sqlite_file(address: str) -> Path | None:
    """Where a store is kept that is a file: floor.db of sqlite:///floor.db, and "my room.db" of sqlite:///my%20room.db.
    None for a store that is no file, and for an address that names none."""
    name = address.removeprefix("sqlite:///")
    return Path(unquote(name)) if name and name != address else None
