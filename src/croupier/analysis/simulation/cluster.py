"""Workers on other machines: a run's pieces go to a Dask scheduler, which gives a lost worker's pieces to others.

Dask comes with the extra `cluster`. The workers need the same version of Croupier, and one thread each.
"""

from __future__ import annotations

import json
import logging
import re
import time
from concurrent.futures import CancelledError, Future, wait
from pathlib import Path
from typing import Any, cast

from croupier.analysis.simulation.job import Job
from croupier.analysis.simulation.workers import Played, WorkerError, play

CONNECT_S = 5
NO_WORKERS_S = 10
COUNT_EVERY_S = 5.0
MOST_SENDS = 5
GIVE_UP_S = 1
_LOGS = [logging.getLogger(name) for name in ("distributed.client", "tornado.application")]


class Cluster:
    """The workers of a Dask scheduler, by its address or its scheduler file."""

    def __init__(self, job: Job, address: str, certificates: Path | None = None) -> None:
        """`certificates` is a folder with ca.pem, cert.pem and key.pem: then nothing is sent but under TLS."""
        from_dask = _dask()
        self.lost: tuple[type[BaseException], ...] = (CancelledError, from_dask.KilledWorker)
        self._job = job
        self._address = _address(address)
        self._counted, self._counted_at = 0, float("-inf")
        self._playing: set[Future[Played]] = set()
        # What was lost is said in one sentence below; Dask's client would print its own tracebacks too.
        self._log_levels = [log.level for log in _LOGS]
        for log in _LOGS:
            log.setLevel(logging.CRITICAL)
        try:
            security = _security(self._address, certificates)
            self._client: Any = from_dask.Client(
                self._address, timeout=CONNECT_S, set_as_default=False, security=security
            )
        except WorkerError:
            self._log_again()
            raise
        except (OSError, ValueError):
            self._log_again()
            raise WorkerError(f"No Dask scheduler answers at {self._address!r}.") from None
        try:
            self._executor: Any = self._client.get_executor(pure=False)
            self.renew()
        except BaseException:
            self.close()
            raise

    def width(self) -> int:
        """Workers may come and go, so they are counted again from time to time."""
        if time.monotonic() - self._counted_at >= COUNT_EVERY_S:
            self._check()
            self._counted, self._counted_at = len(self._client.nthreads()), time.monotonic()
        return max(1, self._counted)

    def submit(self, blocks: range) -> Future[Played]:
        future = cast("Future[Played]", self._executor.submit(play, self._sent, blocks))
        self._playing.add(future)
        future.add_done_callback(self._playing.discard)
        return future

    def renew(self) -> None:
        """Send the job to all workers, as those who had it may be gone. Where one dies meanwhile, it is sent again.

        Pieces of the job as it was sent before are given up: where nobody holds that any more, they would wait on.
        """
        self._give_up()
        for _ in range(MOST_SENDS):
            self._check()
            try:
                self._send()
            except OSError:
                continue
            return
        raise self._gone()

    def _send(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=NO_WORKERS_S)
            self._sent = self._client.scatter(self._job, broadcast=True, hash=False)
        except TimeoutError:
            raise WorkerError(f"The Dask scheduler at {self._address!r} has no workers.") from None
        except OSError:
            raise  # of a connection: to a worker, or to the scheduler
        except Exception as error:  # Dask passes on whatever a worker said as a plain exception
            raise WorkerError(
                f"The workers at {self._address!r} cannot take the job ({error}): they need the same Croupier as here."
            ) from error

    def is_well(self) -> bool:
        """Dask itself looks after the workers; but a piece whose job went with all of them would wait for ever."""
        self._check()
        try:
            holders = self._client.who_has([self._sent])
        except OSError:
            raise self._gone() from None
        except self.lost:  # the scheduler has forgotten it
            holders = {}
        if any(holders.values()):
            return True
        self._give_up()
        return False

    def _give_up(self) -> None:
        """Nobody plays what was handed out any more, and its futures say so.

        Dask forgets one where its result went with the last holder of the job after it was played: that is told here.
        """
        self._executor.shutdown(wait=False)
        wait(list(self._playing), timeout=GIVE_UP_S)
        for future in list(self._playing):
            future.cancel()
        self._executor = self._client.get_executor(pure=False)

    def _check(self) -> None:
        if self._client.status != "running":
            raise self._gone()

    def close(self) -> None:
        """What nobody plays yet is forgotten by the scheduler."""
        self._client.close()
        self._log_again()

    def _log_again(self) -> None:
        for log, level in zip(_LOGS, self._log_levels, strict=True):
            log.setLevel(level)

    def _gone(self) -> WorkerError:
        return WorkerError(f"The connection to the Dask scheduler at {self._address!r} was lost.")


def _dask() -> Any:
    try:
        import distributed
    except ImportError:
        raise WorkerError("A cluster needs Dask: pip install 'croupier[cluster]'.") from None
    return distributed


def _security(address: str, certificates: Path | None) -> Any:
    """How connections are made: with the cluster's own certificates, or in the clear where none are given."""
    if certificates is None:
        if address.startswith("tls://"):
            raise WorkerError(f"{address!r} is reached with certificates: name their folder.")
        return None
    files = {name: certificates / f"{name}.pem" for name in ("ca", "cert", "key")}
    for file in files.values():
        if not file.is_file():
            raise WorkerError(f"A folder of certificates has ca.pem, cert.pem and key.pem: there is no {str(file)!r}.")
    if not address.startswith("tls://"):
        raise WorkerError(f"With certificates a scheduler is named as tls://host:8786, not {address!r}.")
    ca, cert, key = (str(file) for file in files.values())
    ends = {
        f"tls_{end}_{what}": value
        for end in ("client", "scheduler", "worker")
        for what, value in (("cert", cert), ("key", key))
    }
    return _dask().Security(tls_ca_file=ca, require_encryption=True, **ends)


def _address(text: str) -> str:
    """As it is, or as a scheduler file says."""
    if re.fullmatch(r"[a-z]+://[^/\s]+:\d{1,5}", text):
        return text
    if not Path(text).is_file():
        raise WorkerError(f"{text!r} is neither the address of a Dask scheduler, as tcp://host:8786, nor its file.")
    try:
        return str(json.loads(Path(text).read_bytes())["address"])
    except (OSError, ValueError, KeyError, TypeError):
        raise WorkerError(f"{text!r} is no scheduler file of Dask.") from None
