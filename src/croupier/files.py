"""Files: one is written whole or not at all, and a store may be one."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from urllib.parse import unquote


@contextmanager
def replaced(target: Path, *, mode: int = 0o644) -> Iterator[IO[bytes]]:
    """A draft that takes the file's place once it is written: after a power cut there is the old file or the new."""
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


def reason(error: OSError | ValueError) -> str:
    """Why it did not work, without the system's numbers."""
    return (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)


def sqlite_file(address: str) -> Path | None:
    """Where a store is kept that is a file: floor.db of sqlite:///floor.db."""
    return Path(unquote(address.removeprefix("sqlite:///"))) if address.startswith("sqlite:///") else None
