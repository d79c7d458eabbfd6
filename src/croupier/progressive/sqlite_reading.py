"""How a SQLite store is opened that is only to be read: beside a server, as a copy, or write-protected.

A store keeps a log beside itself (`floor.db-wal`) and reads it through a third file, which must be made. Where that can
be done, the store is opened as usual and asked only: SQLite's own read-only mode would leave these files behind, which
it may not remove. Where the file or its folder cannot be written, and there is no log, the file is all there is and is
read as it lies. Where there is a log, its newest entries may be in there and nowhere else, so it is never left out.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from croupier.progressive.store import StoreError

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
