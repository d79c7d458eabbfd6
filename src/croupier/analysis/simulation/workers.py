"""Those who play blocks beside this process: what a run asks of them, and the worker processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import time
from concurrent.futures import BrokenExecutor, CancelledError, Future, ProcessPoolExecutor
from multiprocessing.process import BaseProcess
from multiprocessing.shared_memory import SharedMemory
from typing import NamedTuple, Protocol

from croupier.analysis.simulation.job import Job, Totals, play_blocks
from croupier.errors import CroupierError

# A process that works for another.


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

    def is_well(self) -> bool:
        """Whether those who have not answered for a while still may; a WorkerError if nobody ever will."""

    def renew(self) -> None:
        """Carry on after a loss; whatever was lost has its future done then."""

    def close(self) -> None: ...


class Pool:
    """Worker processes of this machine. A killed one takes the others with it, so all are replaced."""

    lost: tuple[type[BaseException], ...] = (BrokenExecutor, CancelledError)

    def __init__(self, job: Job, workers: int) -> None:
        self._job = job
        self._workers = workers
        self._executor: ProcessPoolExecutor | None = None
        self._processes: list[BaseProcess] = []
        self._playing: set[Future[Played]] = set()
        self._sent: SharedMemory | None = None

    def width(self) -> int:
        return self._workers

    def submit(self, blocks: range) -> Future[Played]:
        sent = self._sent or self._send()
        # Processes inherit that SIGINT is blocked, so that Ctrl-C in a terminal does not hit them in the middle of
        # their imports, nor this process while it starts them; it comes right after.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            future = (self._executor or self._start(sent)).submit(_play, blocks)
            self._playing.add(future)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        future.add_done_callback(self._playing.discard)
        return future

    def _send(self) -> SharedMemory:
        """The job, for all processes to read: with a long argument, each starts only when the one before is ready."""
        content = pickle.dumps(self._job)
        # Python starts a process of its own that cleans up, and lets SIGINT through after that: so this comes first.
        self._sent = SharedMemory(create=True, size=len(content))
        memoryview(self._sent.buf or b"")[: len(content)] = content
        return self._sent

    def _start(self, sent: SharedMemory) -> ProcessPoolExecutor:
        # Spawned, not forked: a fork would copy the threads' locks as they stand.
        context = multiprocessing.get_context("spawn")
        executor = ProcessPoolExecutor(self._workers, context, initializer=_begin, initargs=(sent.name,))
        self._executor = executor
        others = set(multiprocessing.active_children())
        for _ in range(self._workers):
            executor.submit(int)  # each starts a process: all at once, as one that dies while another starts is trouble
        self._processes = [process for process in multiprocessing.active_children() if process not in others]
        return executor

    def is_well(self) -> bool:
        return all(process.is_alive() for process in self._processes)

    def renew(self) -> None:
        # The executor ends its processes itself, unless one of them died at an unlucky moment.
        for process in self._processes:
            process.kill()
        self._end()
        for future in list(self._playing):
            if not future.done():
                future.set_exception(BrokenExecutor())

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
    stay_with_parent()
    memory = SharedMemory(sent)
    _jobs.append(pickle.loads(bytes(memory.buf or b"")))
    memory.close()


def _play(blocks: range) -> Played:
    return play(_jobs[0], blocks)
