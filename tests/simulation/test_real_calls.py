"""What the program really asks of the system, cut off anywhere: a store with marks writes to a file under `strace`,
and its calls are replayed on the simulated disk up to a power cut.

No file system of ours is between SQLite and the system here: that every write is synced before it is acknowledged is
read off the calls themselves. What the disk then loses is simulated, because no device that loses writes is at hand.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from croupier.floor.writer import Writer
from croupier.store.marks import Marks
from croupier.store.sqlite import SqliteStore
from tests.floor.till import STREAM, TILL, audited
from tests.simulation.disk import Disk

ROOT = Path(__file__).resolve().parents[2]
ACTS, CUTS = 12, 60
CHILD = f"""
import os, sys
from pathlib import Path
from croupier.floor.writer import Writer
from croupier.store.marks import Marks
from croupier.store.sqlite import SqliteStore
from tests.floor.till import STREAM, TILL, Wagers
folder = Path(sys.argv[1])
store = SqliteStore(folder / "floor.db")
writer = Writer(store, STREAM, TILL, marks=Marks(folder / "marks", 0.01), snapshot_every=5)
for number in range(1, {ACTS} + 1):
    writer.submit(Wagers(f"w{{number}}")).result()
    os.write(1, b"%d\\n" % number)
    if number == 7:
        store.checkpoint()
os._exit(0)
"""
TRACED = "openat,pwrite64,write,ftruncate,fsync,fdatasync,unlink,rename"
CALL = re.compile(r"(\w+)\((.*)\) += (\d+)")
HEX = re.compile(r"(?:\\x[0-9a-f]{2})+")


class Call(NamedTuple):
    name: str
    paths: list[Path]
    content: bytes
    rest: list[str]
    """Numbers and words after that."""


def calls(log: Path) -> Iterator[Call]:
    """The calls that succeeded, in the order in which they ended."""
    begun: dict[str, str] = {}
    for line in log.read_text().splitlines():
        process, _, told = line.partition(" ")
        told = told.strip()
        if told.endswith("<unfinished ...>"):
            begun[process] = told.removesuffix("<unfinished ...>")
            continue
        if resumed := re.match(r"<\.\.\. \w+ resumed>", told):
            told = begun.pop(process, "") + told[resumed.end() :]
        if found := CALL.match(told):
            texts = [bytes.fromhex(text.replace("\\x", "")) for text in HEX.findall(found[2])]
            named = [Path(text.decode("utf-8", "replace")) for text in texts if text.startswith(b"/")]
            words = HEX.sub("", found[2]).split(", ")
            yield Call(found[1], named, texts[-1] if texts else b"", words)


def replayed(made: list[Call], folder: Path, upto: int, random: Random) -> tuple[dict[str, bytes], int]:
    """The files after a power cut, and the last act that was acknowledged before it."""
    disk, acknowledged = Disk(), 0
    for call in made[:upto]:
        if call.name == "write" and call.rest[0].startswith("1<"):
            acknowledged = int(call.content)
        here = [path for path in call.paths if path.parent == folder and not path.name.endswith("-shm")]
        if call.name in {"fsync", "fdatasync"} and folder in call.paths:
            disk.sync_folder()
        if not here:
            continue
        name = here[0].name
        if call.name == "openat" and "O_CREAT" in call.rest[2]:
            disk.make(name)
        elif call.name == "pwrite64":
            disk.write(disk.files[name], int(call.rest[3]), call.content)
        elif call.name == "write":
            disk.write(disk.files[name], len(disk.files[name].data), call.content)
        elif call.name == "ftruncate":
            disk.cut(disk.files[name], int(call.rest[1]))
        elif call.name in {"fsync", "fdatasync"}:
            disk.sync(disk.files[name], random)
        elif call.name == "unlink":
            disk.remove(name)
        elif call.name == "rename":
            disk.rename(name, here[1].name)
    disk.lose_power(random)
    return {name: bytes(file.data) for name, file in disk.files.items()}, acknowledged


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Call], Path]:
    if shutil.which("strace") is None:
        pytest.skip("there is no strace here")
    folder, log = tmp_path_factory.mktemp("real"), tmp_path_factory.mktemp("log") / "calls"
    traced = ["strace", "-f", "-y", "-xx", "-s", "100000", "-o", str(log), "-e", f"trace={TRACED}"]
    child = subprocess.run(
        [*traced, sys.executable, "-c", CHILD, str(folder)],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    if child.returncode and "ptrace" in child.stderr.lower():
        pytest.skip("strace may not watch a process here")
    assert child.stdout.split() == [str(number) for number in range(1, ACTS + 1)], child.stderr
    return list(calls(log)), folder


def test_a_power_cut_at_any_call_loses_nothing_that_was_acknowledged(
    recorded: tuple[list[Call], Path], tmp_path: Path
) -> None:
    made, folder = recorded
    random, seen = Random(17), set[int]()
    for cut in range(CUTS):
        upto = random.randint(len(made) // 10, len(made))
        files, acknowledged = replayed(made, folder, upto, random)
        if "floor.db" not in files:
            assert not acknowledged
            continue
        left = tmp_path / str(cut)
        left.mkdir()
        for name, content in files.items():
            (left / name).write_bytes(content)
        marks = Marks(left / "marks", None)
        with Writer(SqliteStore(left / "floor.db"), STREAM, TILL, marks=marks) as writer:
            entries = writer.ask(lambda till: till.book.entries).result()
        with SqliteStore(left / "floor.db") as store:
            audited(list(store.entries(STREAM)))
        assert entries >= acknowledged, f"cut after call {upto} of {len(made)}"
        seen.add(acknowledged)
    assert len(seen) > ACTS // 3  # cuts were made all along
