"""Servers in processes of their own, forked from one that has loaded the program: a new one takes two seconds to."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["tests.web.serving", "tests.web.postgres_site", "tests.web.warmed"])


class Forked:
    """A function in a process of its own, which is handled as one of `subprocess`."""

    def __init__(self, log: Path, function: Callable[..., object], *values: Any) -> None:
        self._process = _context.Process(target=_run, args=(log, dict(os.environ), function, values), daemon=True)
        self._process.start()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        ended = self._process.exitcode
        if ended is None:
            raise subprocess.TimeoutExpired("a forked server", timeout or 0.0)
        return ended

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        self._process.kill()


def _run(log: Path, variables: dict[str, str], function: Callable[..., object], values: tuple[Any, ...]) -> None:
    """What it prints and logs goes to the file, from here on; its variables are those of the test that starts it.

    Without that they were those of the first test of all that started a server.
    """
    os.environ.clear()
    os.environ.update(variables)
    with log.open("ab") as file:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
            os.dup2(file.fileno(), stream.fileno())
    # It ends with the tests, and yet may have a process of its own that counts.
    multiprocessing.current_process()._config["daemon"] = False  # type: ignore[attr-defined]
    function(*values)
