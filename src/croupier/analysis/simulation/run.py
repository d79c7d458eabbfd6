"""Plays a job here, in worker processes or on a cluster: the same totals everywhere, and each block counted once."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from croupier.analysis.simulation.checkpoint import Reached, SimulationCheckpoint
from croupier.analysis.simulation.job import Job, Totals, play_rounds
from croupier.analysis.simulation.workers import Crew, Played, Pool, WorkerError, play
from croupier.errors import NotationError, RecordError

Report = Callable[[Totals], object]

MOST_WORKERS = 1024
ALONE_S = 0.1
"""So long a run is played here before others are called: a short one needs none, a long one shows a first figure."""
PIECE_S = 0.25
"""How long one piece of work should take."""
PIECES_A_SECOND = 200
"""What one process can hand out and add up; a large cluster gets longer pieces."""
MOST_BLOCKS = 2**12
PIECES_PER_WORKER = 2
"""One being played and one waiting."""
SAVE_EVERY_S = 3.0
MOST_LOSSES = 3
ASK_AGAIN_S = 0.5


@dataclass(frozen=True, eq=False)
class Result:
    """What a run reached."""

    totals: Totals
    complete: bool
    """Whether all rounds were played; Ctrl-C stops a run early."""
    trouble: str | None = None
    """Why the checkpoint is older than this, in a sentence; None where it is not."""


def run(
    job: Job,
    *,
    workers: int = 1,
    cluster: str | None = None,
    certificates: Path | None = None,
    checkpoint: Path | str | None = None,
    report: Report = lambda totals: None,
) -> Result:
    """Play all rounds of the job, or those that its checkpoint lacks, until Ctrl-C.

    `cluster` is the address of a Dask scheduler, or its scheduler file; `certificates` a folder
    with those of a cluster under TLS. `report` gets the totals so far after each
    piece of work, and before the first where a checkpoint brings some.
    """
    if not 1 <= workers <= MOST_WORKERS:
        raise NotationError(f"From 1 to {MOST_WORKERS:,} workers can play, not {workers:,}.")
    if cluster is not None and workers != 1:
        raise NotationError("A cluster has workers of its own: give a number of workers or a cluster, not both.")
    play_rounds(job, np.uint64(1), 1)  # loads the kernel, which is no part of how fast it plays
    started = _Run(job, SimulationCheckpoint(checkpoint, job) if checkpoint is not None else None, report)
    if cluster is not None:
        return started.until_stopped(lambda: _cluster(job, cluster, certificates))
    return started.until_stopped((lambda: Pool(job, workers)) if workers > 1 else None)


def _cluster(job: Job, address: str, certificates: Path | None) -> Crew:
    from croupier.analysis.simulation.cluster import Cluster

    return Cluster(job, address, certificates)


@contextmanager
def _interrupts_wait(interrupted: threading.Event) -> Iterator[None]:
    """Ctrl-C is noted, for the run to stop between two pieces; once more, and it strikes at once.

    Raised anywhere, it could leave the locks of futures locked, and nobody could end the workers any more.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return

    def note(*_: object) -> None:
        interrupted.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class _Run:
    """A run under way."""

    def __init__(self, job: Job, checkpoint: SimulationCheckpoint | None, report: Report) -> None:
        self._job = job
        self._checkpoint = checkpoint
        self._report = report
        self._reached = checkpoint.load() if checkpoint else Reached.nothing(job)
        self._left = self._reached.missing(job.full_blocks)[::-1]
        """What nobody plays yet: a few ranges, the next one last."""
        self._block_s = PIECE_S
        self._piece_blocks = 1
        self._saved: Reached | None = None
        self._saved_at = float("-inf")
        self._trouble: str | None = None
        self._interrupted = threading.Event()

    def until_stopped(self, others: Callable[[], Crew] | None) -> Result:
        """Play everything, with others where they are given, and keep what was reached whatever happens."""
        crew: Crew | None = None
        complete: Totals | None = None
        try:
            crew = others() if others else None
            with _interrupts_wait(self._interrupted):
                complete = self._play(crew)
        except KeyboardInterrupt:
            pass
        finally:
            try:
                self._save()
            finally:
                if crew:
                    crew.close()
        return Result(complete or self._reached.totals, complete is not None, self._trouble)

    def _play(self, crew: Crew | None) -> Totals:
        if self._reached.blocks:
            self._report(self._reached.totals)
        self._play_alone(for_s=ALONE_S if crew else float("inf"))
        if crew:
            self._play_with(crew)
        totals = self._with_rest()
        if totals is not self._reached.totals:
            self._report(totals)
        return totals

    def _play_alone(self, for_s: float) -> None:
        end = time.monotonic() + for_s
        while self._left and time.monotonic() < end:
            self._play_here(PIECE_S)

    def _play_here(self, seconds: float) -> None:
        blocks = self._next(seconds)
        self._finish(blocks, play(self._job, blocks))

    def _play_with(self, crew: Crew) -> None:
        playing: dict[Future[Played], range] = {}
        answered, losses = False, 0
        while self._left or playing:
            self._stop_if_interrupted()
            lost = not self._hand_out(crew, playing)
            # Until the first answers, which takes a second or two, the work goes on here.
            alone = not answered and bool(self._left)
            done = wait(playing, timeout=0 if alone else ASK_AGAIN_S, return_when=FIRST_COMPLETED).done
            finished, failed = self._collect(done, playing, crew)
            lost = lost or failed or (not done and not crew.is_well())
            if finished:
                answered, losses = True, 0
            if lost:
                losses += 1
                if losses == MOST_LOSSES:
                    raise WorkerError(
                        f"The workers died {losses} times without finishing any work, so the run was given up."
                    )
                crew.renew()
                answered = False
                self._collect({future for future in playing if future.done()}, playing, crew)
            elif alone and not done:
                self._play_here(ALONE_S)

    def _hand_out(self, crew: Crew, playing: dict[Future[Played], range]) -> bool:
        """Give every worker enough to do; False if the crew was lost."""
        width = crew.width()
        while self._left and len(playing) < PIECES_PER_WORKER * width:
            blocks = self._next(max(PIECE_S, width / PIECES_A_SECOND))
            try:
                playing[crew.submit(blocks)] = blocks
            except crew.lost:
                self._left.append(blocks)
                return False
        return True

    def _collect(
        self, done: set[Future[Played]], playing: dict[Future[Played], range], crew: Crew
    ) -> tuple[bool, bool]:
        """Add up what came back, and put the rest back to be handed out again: whether there was any of each."""
        finished = failed = False
        for future in done:
            blocks = playing.pop(future)
            try:
                played = future.result()
            except crew.lost:
                self._left.append(blocks)
                failed = True
            else:
                self._finish(blocks, played)
                finished = True
        return finished, failed

    def _next(self, seconds: float) -> range:
        """The next blocks, as many as are played in so many seconds; the pieces grow as the speed becomes known."""
        blocks = self._left.pop()
        wanted = max(1, min(int(seconds / self._block_s), 2 * self._piece_blocks, MOST_BLOCKS))
        if len(blocks) > wanted:
            self._left.append(blocks[wanted:])
        return blocks[:wanted]

    def _finish(self, blocks: range, played: Played) -> None:
        self._reached = self._reached.plus(blocks, played.totals)
        # One slow piece, as the first of a process that has kernels to load, does not make all others small.
        self._block_s = max(min(played.seconds / len(blocks), 2 * self._block_s), 1e-9)
        self._piece_blocks = len(blocks)
        self._report(self._reached.totals)
        if time.monotonic() - self._saved_at >= SAVE_EVERY_S:
            self._save()
        self._stop_if_interrupted()

    def _stop_if_interrupted(self) -> None:
        if self._interrupted.is_set():
            raise KeyboardInterrupt

    def _save(self) -> None:
        """A disk that is full for a while does not end a run of days, but a file that never could be written does."""
        if self._checkpoint is None or (self._saved is self._reached and not self._trouble):
            return
        try:
            self._checkpoint.save(self._reached)
        except RecordError as error:
            if self._saved_at == float("-inf"):
                raise
            self._trouble = str(error)
        else:
            self._saved, self._trouble = self._reached, None
        self._saved_at = time.monotonic()

    def _with_rest(self) -> Totals:
        job, totals = self._job, self._reached.totals
        if not job.rest_rounds:
            return totals
        return totals.with_rest(job.rest_rounds, job.play(job.full_blocks))
