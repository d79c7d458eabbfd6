"""Forks a writing process for each order, so that a thousand of them need not load the program a thousand times.

    python -m tests.faults.family

Reads JSON lines: `{"run": ORDERS}` is answered with a process id, `{"reap": ID}` with how it ended once it has, and
`{"running": ID}` with whether it runs.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import traceback
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

import psycopg  # noqa: F401  (loaded here, so that no child has to)

from support.room import LinkBook
from tests.faults.child import Orders, run
from tests.faults.people import SETUPS

ROOT = Path(__file__).resolve().parents[2]


class Family:
    """The other side: asks for processes, and knows how they end."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.faults.family"]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def run(self, orders: Orders) -> int:
        return int(self._asked({"run": asdict(orders)}))

    def running(self, pid: int) -> bool:
        return bool(self._asked({"running": pid}))

    def kill(self, pid: int) -> int:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        return self.reap(pid)

    def reap(self, pid: int) -> int:
        """How it ended, -9 where it was killed; waits for it."""
        return int(self._asked({"reap": pid}))

    def _asked(self, question: dict[str, Any]) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        return json.loads(self._process.stdout.readline())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()


def main() -> None:
    for setup in SETUPS:
        LinkBook(setup)  # what is counted once for each game is counted now
    ended: dict[int, int | None] = {}
    for line in sys.stdin:
        match json.loads(line):
            case {"run": orders}:
                pid = born(Orders(**orders))
                ended[pid] = None
                said: int | bool = pid
            case {"reap": pid}:
                said = look(ended, pid, 0)
                del ended[pid]
            case {"running": pid}:
                look(ended, pid, os.WNOHANG)
                said = ended[pid] is None
        print(json.dumps(said), flush=True)
    for pid, how in ended.items():
        if how is None:
            os.kill(pid, signal.SIGKILL)


def born(orders: Orders) -> int:
    pid = os.fork()
    if pid:
        return pid
    try:
        run(orders)
        os._exit(0)
    except BaseException:  # a fork must never go on as its parent
        traceback.print_exc()
        os._exit(1)


def look(ended: dict[int, int | None], pid: int, how: int) -> int:
    """How a process ended, if it has."""
    known = ended[pid]
    if known is None:
        found, status = os.waitpid(pid, how)
        if found:
            known = ended[pid] = os.waitstatus_to_exitcode(status)
    return 0 if known is None else known


if __name__ == "__main__":
    main()
