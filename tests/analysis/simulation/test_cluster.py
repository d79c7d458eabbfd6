"""A cluster reaches the same totals as one process, loses nothing with a worker, and is refused in a sentence."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from croupier.analysis.simulation import cluster as module
from croupier.analysis.simulation import run as running
from croupier.analysis.simulation.checkpoint import SimulationCheckpoint
from croupier.analysis.simulation.job import Totals
from croupier.analysis.simulation.run import run
from croupier.analysis.simulation.workers import WorkerError
from tests.analysis.simulation.small_job import job_of, same

pytestmark = pytest.mark.xdist_group("dask")
BLOCKS = 60


@contextmanager
def local_cluster(workers: int, certificates: Path | None = None) -> Iterator[str]:
    """The address of a scheduler on this machine, with so many worker processes; under TLS, with certificates.

    A worker that died is started again, however long a busy machine takes: Dask would give its place up as well, where
    it is found empty a quarter of a minute after an earlier death."""
    dask = module._dask()
    tls = {"protocol": "tls://", "security": module._security("tls://", certificates)} if certificates else {}
    with (
        dask.dask.config.set({"distributed.deploy.lost-worker-timeout": "1 day"}),
        dask.LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0", **tls
        ) as cluster,
    ):
        yield str(cluster.scheduler_address)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with local_cluster(2) as found:
        yield found


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cluster is asked at once, and until it answers this process plays one block at a time."""
    monkeypatch.setattr(running, "ALONE_S", 0)


def test_a_cluster_reaches_the_same_totals(address: str, tmp_path: Path) -> None:
    job = job_of(BLOCKS)
    file = tmp_path / "scheduler.json"
    file.write_text(json.dumps({"address": address}), encoding="utf-8")
    result = run(job, cluster=str(file))
    assert result.complete
    assert same(result.totals, run(job).totals)


def processes_of(address: str) -> list[int]:
    """Of the cluster's workers."""
    from distributed import Client  # here, because it takes half a second to load

    with Client(address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        return list(client.run(os.getpid).values())


def test_a_killed_workers_blocks_are_played_again(address: str, tmp_path: Path) -> None:
    """Killed once the cluster has answered: only a worker plays two blocks in a piece. Later it is stopped by hand."""
    job, blocks = job_of(5 * BLOCKS), [0]
    killed: list[int] = []

    def report(totals: Totals) -> None:
        blocks.append(totals.blocks)
        time.sleep(0.02)
        if blocks[-1] - blocks[-2] > 1 and not killed:
            killed.extend(processes_of(address))
            os.kill(killed[0], signal.SIGKILL)
        if totals.blocks > 4 * BLOCKS:
            raise KeyboardInterrupt

    stopped = run(job, cluster=address, checkpoint=tmp_path / "run.json", report=report)
    assert len(killed) == 2
    assert not stopped.complete
    assert same(SimulationCheckpoint(tmp_path / "run.json", job).load().totals, stopped.totals)
    resumed = run(job, cluster=address, checkpoint=tmp_path / "run.json")
    assert resumed.complete
    assert same(resumed.totals, run(job).totals)


def test_a_job_that_no_worker_holds_any_more_is_sent_again(address: str) -> None:
    """All workers are killed at once."""
    job, blocks = job_of(3 * BLOCKS), [0]
    killed: list[int] = []

    def report(totals: Totals) -> None:
        blocks.append(totals.blocks)
        time.sleep(0.02)
        if blocks[-1] - blocks[-2] > 1 and not killed:
            killed.extend(processes_of(address))
            for pid in killed:
                os.kill(pid, signal.SIGKILL)

    result = run(job, cluster=address, report=report)
    assert killed
    assert same(result.totals, run(job).totals)


def test_a_piece_that_waits_for_a_job_which_nobody_holds_is_given_up(address: str) -> None:
    """It was sent after the last worker with the job had died: the scheduler would let it wait for ever."""
    job = job_of(BLOCKS)
    crew = module.Cluster(job, address)
    try:
        assert crew.is_well()
        for pid in processes_of(address):
            os.kill(pid, signal.SIGKILL)
        end = time.monotonic() + 60
        while crew.is_well():
            assert time.monotonic() < end
            time.sleep(0.05)
        with pytest.raises(crew.lost):
            crew.submit(range(1)).result(timeout=60)
        assert not crew.is_well()
        crew.renew()
        assert crew.is_well()
        assert crew.submit(range(BLOCKS)).result(timeout=60).totals.blocks == BLOCKS
    finally:
        crew.close()


def test_a_piece_that_dask_never_tells_of_again_is_told_as_lost(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its result went with the last worker that held the job: Dask's own future stays as it is for ever."""
    crew = module.Cluster(job_of(BLOCKS), address)
    try:
        with monkeypatch.context() as patched:
            patched.setattr(crew._executor, "submit", lambda *_: Future())
            forgotten = crew.submit(range(1))
        played = crew.submit(range(1, 2))
        played.result(timeout=60)
        crew.renew()
        assert forgotten.cancelled()
        assert not played.cancelled()
        assert crew.submit(range(BLOCKS)).result(timeout=60).totals.blocks == BLOCKS
    finally:
        crew.close()


def test_a_worker_that_dies_while_the_job_is_sent(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection that broke was not the scheduler's: the job is sent again, and given up where that never helps."""
    crew, sent = module.Cluster(job_of(1), address), []
    scatter = crew._client.scatter

    def broken(*job: object, **how: object) -> object:
        sent.append(job)
        if len(sent) in (1, *range(3, 100)):
            raise OSError("Stream is closed")
        return scatter(*job, **how)

    monkeypatch.setattr(crew._client, "scatter", broken)
    try:
        crew.renew()
        assert len(sent) == 2
        assert crew.is_well()
        with pytest.raises(WorkerError, match=r"was lost\.$"):
            crew.renew()
    finally:
        crew.close()


# Refused


def test_a_scheduler_that_goes_away(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    job, blocks = job_of(10**6), [0]
    with ExitStack() as stack:
        address = stack.enter_context(local_cluster(1))

        def report(totals: Totals) -> None:
            blocks.append(totals.blocks)
            assert len(blocks) < 10_000, "the cluster never answered"
            time.sleep(0.02)
            if blocks[-1] - blocks[-2] > 1:
                stack.close()

        with pytest.raises(WorkerError, match=rf"^The connection to the Dask scheduler at '{address}' was lost\.$"):
            run(job, cluster=address, checkpoint=tmp_path / "run.json", report=report)
    assert SimulationCheckpoint(tmp_path / "run.json", job).load().totals.blocks == blocks[-1], (
        "what was reached is kept"
    )
    assert "Traceback" not in capfd.readouterr().err


def test_a_scheduler_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "NO_WORKERS_S", 0.3)
    with local_cluster(0) as address, pytest.raises(WorkerError, match=r"has no workers\.$"):
        run(job_of(1), cluster=address)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:{port}", "gopher://x:1"])
def test_an_address_where_nobody_answers(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CONNECT_S", 0.3)
    with socket.socket() as taken:  # bound, but nobody listens
        taken.bind(("127.0.0.1", 0))
        address = address.format(port=taken.getsockname()[1])
        with pytest.raises(WorkerError) as caught:
            run(job_of(1), cluster=address)
    assert str(caught.value) == f"No Dask scheduler answers at {address!r}."


@pytest.mark.parametrize("address", ["127.0.0.1:8786", "nobody", "", "tcp://host", "nowhere.json"])
def test_what_is_no_address_is_refused_at_once(address: str) -> None:
    with pytest.raises(WorkerError, match="neither the address of a Dask scheduler, as tcp://host:8786, nor its file"):
        run(job_of(1), cluster=address)


@pytest.mark.parametrize("content", ["", "[]", "{}", "7"])
def test_a_file_that_is_no_scheduler_file(content: str, tmp_path: Path) -> None:
    file = tmp_path / "scheduler.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(WorkerError, match=r"scheduler\.json' is no scheduler file of Dask\.$"):
        run(job_of(1), cluster=str(file))


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(WorkerError, match=r"^A cluster needs Dask: pip install 'croupier\[cluster\]'\.$"):
        run(job_of(1), cluster="tcp://127.0.0.1:8786")


# Under TLS


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from distributed import Security  # here, because it takes half a second to load

    made, folder = Security.temporary(), tmp_path_factory.mktemp("certificates")  # type: ignore[no-untyped-call]
    for name, text in (("ca", made.tls_ca_file), ("cert", made.tls_client_cert), ("key", made.tls_client_key)):
        (folder / f"{name}.pem").write_text(text, encoding="ascii")
    return folder


def test_a_cluster_under_tls_reaches_the_same_totals_and_lets_nobody_else_in(
    certificates: Path, tmp_path: Path
) -> None:
    job = job_of(BLOCKS)
    with local_cluster(1, certificates) as address:
        assert address.startswith("tls://")
        result = run(job, cluster=address, certificates=certificates)
        assert same(result.totals, run(job).totals)
        for plain in (address, address.replace("tls://", "tcp://")):
            with pytest.raises(WorkerError, match=r"certificates|answers"):
                run(job, cluster=plain)
        with pytest.raises(WorkerError, match=r"there is no .*ca\.pem"):
            run(job, cluster=address, certificates=tmp_path)
    with pytest.raises(WorkerError, match=r"tls://host:8786, not 'tcp://127\.0\.0\.1:1'"):
        run(job, cluster="tcp://127.0.0.1:1", certificates=certificates)
