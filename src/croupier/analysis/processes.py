"""A process that works for another."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading


def stay_with_parent() -> None:
    """In such a process, first of all: it does not heed Ctrl-C, and ends when the other one does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A killed parent cannot end its workers, so they watch it."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
