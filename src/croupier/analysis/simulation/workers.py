"""Those who play blocks beside this process: what a run asks of them, and the worker processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import time
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from multiprocessing.shared_memory import SharedMemory
from typing import NamedTuple, Protocol

from croupier.analysis.simulation.job import Job, Totals, play_blocks
from croupier.errors import CroupierError


class WorkerError(CroupierError):
    """The workers cannot do the work."""


class Played(NamedTuple):
    totals: Totals
    seconds: float
    """How long it took, without waiting."""


def play(job: Job, blocks: range) -> Played:
    """What every worker does, wherever it is."""
    start = time.perf_counter()
    totals = play_blocks(job, blocks.start, blocks.stop)
    return Played(totals, time.perf_counter() - start)


class Crew(Protocol):
    """Workers: blocks are handed to them, and come back played or not at all."""

    lost: tuple[type[BaseException], ...]
    """What a future raises if its blocks must be handed out again."""

    def width(self) -> int:
        """How many can play at once."""

    def submit(self, blocks: range) -> Future[Played]: ...

    def renew(self) -> None:
        """Carry on after a loss; whatever was lost has its future done then."""

    def check(self) -> None:
        """Raise a WorkerError if nobody will ever answer again."""

    def close(self) -> None: ...


class Pool:
    """Worker processes of this machine. A killed one takes the others with it, so all are replaced."""

    lost: tuple[type[BaseException], ...] = (BrokenExecutor,)

    def __init__(self, job: Job, workers: int) -> None:
        self._job = job
        self._workers = workers
        self._executor: ProcessPoolExecutor | None = None
        self._sent: SharedMemory | None = None

    def _start(self) -> ProcessPoolExecutor:
        if self._sent is None:
            # Not as an argument: with a long one, each process starts only when the one before has done its imports.
            content = pickle.dumps(self._job)
            self._sent = SharedMemory(create=True, size=len(content))
            memoryview(self._sent.buf or b"")[: len(content)] = content
        # Spawned, not forked: a fork would copy the threads' locks as they stand.
        context = multiprocessing.get_context("spawn")
        executor = ProcessPoolExecutor(self._workers, context, initializer=_begin, initargs=(self._sent.name,))
        # The processes start with the first task. They inherit that SIGINT is blocked, so that Ctrl-C in a terminal
        # does not hit them in the middle of their imports, nor this process while it starts them; it comes right after.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._executor = executor
            executor.submit(int)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return executor

    def width(self) -> int:
        return self._workers

    def submit(self, blocks: range) -> Future[Played]:
        return (self._executor or self._start()).submit(_play, blocks)

    def renew(self) -> None:
        self._end()

    def check(self) -> None:
        """The executor itself notices."""

    def close(self) -> None:
        self._end()
        if self._sent is not None:
            self._sent.close()
            self._sent.unlink()
            self._sent = None

    def _end(self) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)
            self._executor = None


_jobs: list[Job] = []
"""In a worker process: the job, which is sent once."""


def _begin(sent: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    threading.Thread(target=_end_with_parent, daemon=True).start()
    memory = SharedMemory(sent)
    _jobs.append(pickle.loads(bytes(memory.buf or b"")))
    memory.close()


def _end_with_parent() -> None:
    """A killed parent cannot end its workers, so they watch it."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _play(blocks: range) -> Played:
    return play(_jobs[0], blocks)
