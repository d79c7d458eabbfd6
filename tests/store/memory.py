"""A folder in memory: a store that nobody kills waits for the disk longer than it takes to fill it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SHARED_MEMORY = "/dev/shm"
"""Where Linux keeps files in memory; elsewhere the usual folder does."""


@contextmanager
def folder_in_memory() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=SHARED_MEMORY if os.access(SHARED_MEMORY, os.W_OK) else None) as folder:
        yield Path(folder)
