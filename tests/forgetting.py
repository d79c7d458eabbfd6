"""What a worker has counted is kept in memory from one module of tests to the next, until it has grown too large."""

from __future__ import annotations

import ctypes
import gc
import os
import sys
from contextlib import suppress
from functools import _lru_cache_wrapper
from pathlib import Path

MOST, GROWTH = 2**30, 2**29
"""Of a worker, in bytes: four of them share the memory with the servers and browsers that they start."""


class Limit:
    """How large a worker may be before what it has counted is forgotten."""

    def __init__(self) -> None:
        self.most = MOST

    def exceeded(self, size: int) -> bool:
        return size > self.most

    def forgotten(self, left: int) -> None:
        """What was counted is gone, and the process is this large. The system does not get all of it back, but what
        is counted next lies there: if only the size decided, all would be forgotten after every module from now on."""
        self.most = max(MOST, left + GROWTH)


def memory() -> int:
    """Of this process, in bytes; nothing where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def forget_counted() -> None:
    """Whatever the analysis keeps in memory from one question to the next."""
    for name, module in list(sys.modules.items()):
        if name.startswith("croupier.analysis"):
            for thing in list(vars(module).values()):
                if isinstance(thing, _lru_cache_wrapper):
                    thing.cache_clear()
    gc.collect()
    give_back()


def give_back() -> None:
    """Pages that the C library keeps for what is allocated next go to the system, where the library can do that: the
    servers and browsers of other tests use them."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
