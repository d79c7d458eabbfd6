"""The same totals however a job is played, each block once, and nothing lost when it is stopped."""

from __future__ import annotations

import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager
from pathlib import Path

import pytest

from croupier.analysis.simulation import run as running
from croupier.analysis.simulation.checkpoint import SimulationCheckpoint
from croupier.analysis.simulation.job import MOST_ROUNDS, Job, Totals, play_blocks
from croupier.analysis.simulation.run import PIECES_PER_WORKER, Result, run
from croupier.analysis.simulation.workers import Played, WorkerError, play
from croupier.errors import NotationError
from tests.analysis.simulation.small_job import REST_ROUNDS, job_of, same

ROOT = Path(__file__).resolve().parents[3]
BLOCKS = 60


@pytest.fixture(scope="module")
def expected() -> Totals:
    job = job_of(BLOCKS)
    return play_blocks(job, 0, BLOCKS).with_rest(REST_ROUNDS, job.play(BLOCKS))


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others are called at once, and until they answer this process plays one block at a time."""
    monkeypatch.setattr(running, "ALONE_S", 0)


class Steps:
    """A report that remembers how many blocks came each time, and takes a little while."""

    def __init__(self, pause_s: float = 0.0) -> None:
        self.blocks = [0]
        self.processes = 0
        self._pause_s = pause_s

    def __call__(self, totals: Totals) -> None:
        self.blocks.append(totals.blocks)
        self.processes = max(self.processes, len(multiprocessing.active_children()))
        time.sleep(self._pause_s)

    @property
    def last(self) -> int:
        return self.blocks[-1] - self.blocks[-2]


# In this process


def test_one_worker_plays_every_block(expected: Totals) -> None:
    steps = Steps()
    result = run(job_of(BLOCKS), report=steps)
    assert result.complete
    assert result.trouble is None
    assert same(result.totals, expected)
    assert steps.processes == 0


def test_the_first_report_comes_after_one_block_and_the_pieces_grow() -> None:
    steps = Steps()
    run(job_of(BLOCKS), report=steps)
    assert steps.blocks[:4] == [0, 1, 3, 7]


def test_a_run_of_less_than_a_block() -> None:
    reports: list[Totals] = []
    result = run(job_of(0), workers=2, report=reports.append)
    assert (result.totals.blocks, result.totals.rounds) == (0, REST_ROUNDS)
    assert reports == [result.totals]


def test_a_short_run_starts_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "ALONE_S", 600)
    steps = Steps()
    assert run(job_of(3), workers=2, report=steps).complete
    assert steps.processes == 0


@pytest.mark.parametrize("workers", [0, -1, 10**30])
def test_so_many_workers_are_refused(workers: int) -> None:
    with pytest.raises(NotationError, match="workers can play, not"):
        run(job_of(1), workers=workers)


def test_workers_and_a_cluster_are_not_given_together() -> None:
    with pytest.raises(NotationError, match="not both"):
        run(job_of(1), workers=2, cluster="tcp://127.0.0.1:8786")


# In worker processes


@pytest.mark.usefixtures("at_once")
def test_many_workers_reach_the_same_totals(expected: Totals) -> None:
    workers, steps = 3, Steps(pause_s=0.02)
    result = run(job_of(BLOCKS), workers=workers, report=steps)
    assert result.complete
    assert same(result.totals, expected)
    assert steps.processes == workers
    assert not multiprocessing.active_children()


@pytest.mark.usefixtures("at_once")
def test_a_killed_workers_blocks_are_played_again() -> None:
    """Killed once the workers have answered: only a worker plays two blocks in a piece."""
    steps = Steps(pause_s=0.02)
    killed: list[int] = []

    def report(totals: Totals) -> None:
        steps(totals)
        if steps.last > 1 and not killed:
            killed.append(multiprocessing.active_children()[0].pid or 0)
            os.kill(killed[0], signal.SIGKILL)

    job = job_of(6 * BLOCKS)
    result = run(job, workers=2, report=report)
    assert killed
    assert result.complete
    assert same(result.totals, run(job).totals)


@pytest.mark.usefixtures("at_once")
def test_workers_that_always_die_are_given_up(tmp_path: Path) -> None:
    def report(totals: Totals) -> None:
        time.sleep(0.02)
        for process in multiprocessing.active_children():
            process.kill()

    with pytest.raises(WorkerError, match=r"^The workers died 3 times without finishing any work.*\.$"):
        run(job_of(10**6), workers=2, checkpoint=tmp_path / "run.json", report=report)
    reached = SimulationCheckpoint(tmp_path / "run.json", job_of(10**6)).load()
    assert reached.totals.blocks > 0, "what this process played meanwhile is kept"


# With workers that are played by the test


class Unreliable:
    """Plays what it is given, late and in another order, and loses some of it."""

    lost: tuple[type[BaseException], ...] = (BrokenExecutor,)

    def __init__(self, job: Job, seed: int, *, workers: int = 3, loses: float = 0.3) -> None:
        self._job = job
        self._random = random.Random(seed)
        self._workers = workers
        self._loses = loses
        self._waiting: list[tuple[Future[Played], range]] = []
        self.most_waiting = 0
        self.lost_blocks = 0
        self.closed = False

    def width(self) -> int:
        return self._workers

    def submit(self, blocks: range) -> Future[Played]:
        future: Future[Played] = Future()
        self._waiting.append((future, blocks))
        self.most_waiting = max(self.most_waiting, len(self._waiting))
        if len(self._waiting) == PIECES_PER_WORKER * self._workers or blocks.stop == self._job.full_blocks:
            self._answer_some()
        return future

    def _answer_some(self) -> None:
        self._random.shuffle(self._waiting)
        while len(self._waiting) > 1 or (self._waiting and self._loses):
            future, blocks = self._waiting.pop()
            if self._random.random() < self._loses:
                self.lost_blocks += len(blocks)
                future.set_exception(BrokenExecutor())
            else:
                future.set_result(play(self._job, blocks))

    def renew(self) -> None:
        for future, _ in self._waiting:
            future.set_exception(BrokenExecutor())
        self._waiting.clear()

    def is_well(self) -> bool:
        for future, blocks in self._waiting:
            future.set_result(play(self._job, blocks))
        self._waiting.clear()
        return True

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize("seed", range(4))
def test_lost_blocks_are_counted_once(
    seed: int, expected: Totals, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(running, "ALONE_S", 0)
    monkeypatch.setattr(running, "MOST_LOSSES", 100)
    monkeypatch.setattr(running, "SAVE_EVERY_S", 0)
    monkeypatch.setattr(running, "ASK_AGAIN_S", 0.01)
    job = job_of(BLOCKS)
    crew = Unreliable(job, seed)
    result = with_crew(job, crew, tmp_path / "run.json")
    assert same(result.totals, expected)
    assert crew.lost_blocks > 0
    assert crew.closed


def with_crew(job: Job, crew: Unreliable, checkpoint: Path | None = None, report: running.Report = id) -> Result:
    kept = SimulationCheckpoint(checkpoint, job) if checkpoint else None
    return running._Run(job, kept, report).until_stopped(lambda: crew)


@pytest.mark.parametrize("others", [False, True])
def test_memory_is_flat_in_the_number_of_rounds(others: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "ALONE_S", 0)
    monkeypatch.setattr(running, "PIECE_S", 0.02)
    monkeypatch.setattr(running, "ASK_AGAIN_S", 0.01)
    job = job_of(1)
    play(job, range(1))  # the kernels are loaded
    job = job_of(MOST_ROUNDS // 2**16 - 1)
    crew, steps = Unreliable(job, 1, loses=0.0), Steps()

    def report(totals: Totals) -> None:
        steps(totals)
        if len(steps.blocks) == 40:
            raise KeyboardInterrupt

    tracemalloc.start()
    try:
        result = with_crew(job, crew, report=report) if others else run(job, report=report)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert not result.complete
    assert crew.most_waiting <= PIECES_PER_WORKER * crew.width()
    assert peak_bytes < 2**20


# Stopped


@pytest.mark.parametrize("at_report", [1, 4])
def test_an_interrupted_run_goes_on_from_its_checkpoint(at_report: int, expected: Totals, tmp_path: Path) -> None:
    steps = Steps()

    def report(totals: Totals) -> None:
        steps(totals)
        if len(steps.blocks) > at_report:
            signal.raise_signal(signal.SIGINT)

    stopped = run(job_of(BLOCKS), checkpoint=tmp_path / "run.json", report=report)
    assert not stopped.complete
    assert stopped.totals.blocks == 2**at_report - 1

    steps = Steps()
    resumed = run(job_of(BLOCKS), checkpoint=tmp_path / "run.json", report=steps)
    assert steps.blocks[1] == stopped.totals.blocks, "the first report is of what is there"
    assert resumed.complete
    assert same(resumed.totals, expected)
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


def test_ctrl_c_in_a_terminal_stops_cleanly(tmp_path: Path) -> None:
    """The whole group of processes gets the signal, as in a terminal."""
    with started(tmp_path / "run.json", workers=2) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "2\n"
        os.killpg(process.pid, signal.SIGINT)
        said, complaints = process.communicate(timeout=60)
    complete, blocks = said.split()
    assert (complete, complaints, process.returncode) == ("False", "", 0)
    assert SimulationCheckpoint(tmp_path / "run.json", job_of(10**9)).load().totals.blocks == int(blocks)


def test_a_killed_run_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    with started(tmp_path / "run.json", workers=2) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "2\n"
        process.kill()
        process.communicate(timeout=60)  # the workers hold the pipe, so they ended too
    reached = SimulationCheckpoint(tmp_path / "run.json", job_of(10**9)).load()
    assert reached.totals.blocks > 0

    job = job_of(reached.blocks[-1].stop + 2)
    fresh = (tmp_path / "run.json").read_bytes()
    resumed = run(job, checkpoint=tmp_path / "run.json")
    assert same(resumed.totals, run(job).totals)
    assert (tmp_path / "run.json").read_bytes() != fresh


@contextmanager
def started(checkpoint: Path, workers: int) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.analysis.simulation.small_job", str(checkpoint), str(workers)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_disk_in_trouble_does_not_end_a_run(expected: Totals, tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()

    def report(totals: Totals) -> None:
        if totals.blocks > 1:
            shutil.rmtree(folder, ignore_errors=True)

    result = run(job_of(BLOCKS), checkpoint=folder / "run.json", report=report)
    assert same(result.totals, expected)
    assert result.trouble == (
        f"The checkpoint {str(folder / 'run.json')!r} cannot be written: no such file or directory."
    )
