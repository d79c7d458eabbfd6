"""Processes, servers and disks fail at any instant: what was acknowledged is there once, and nothing is half done.

`CROUPIER_KILLS=1000` kills as many processes (make soak); the ordinary tests kill a few dozen.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import wait
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import IO

import psycopg
import pytest

from croupier.errors import Refusal
from croupier.progressive.aggregate import restore
from croupier.progressive.ledger import Entry
from croupier.progressive.store import open_store
from croupier.progressive.writer import Writer
from tests.faults.child import IN_FLIGHT, act
from tests.progressive.server import new_floor
from tests.progressive.till import STREAM, TILL, Till, Wagers, audited

KILLS = int(os.environ.get("CROUPIER_KILLS", "52"))
STORES = ("sqlite", "postgres")
BLOCK = 13
"""Kills of one book, one after the other, so that each recovers from the one before."""
SEED = int(os.environ.get("CROUPIER_SEED", "5"))
ROOT = Path(__file__).resolve().parents[2]


def new_url(store: str, folder: Path) -> str:
    return f"sqlite:///{folder}/floor.db" if store == "sqlite" else new_floor()


@pytest.fixture(params=STORES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return new_url(request.param, tmp_path)


def start(url: str, name: str, output: IO[bytes], *more: str, seed: int = SEED) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.faults.child", url, name, str(seed), *more]
    return subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=subprocess.PIPE)


def said(path: Path) -> dict[str, list[str]]:
    """What a child has said: word, then the rest of each line. A line that was cut off was not said."""
    words: dict[str, list[str]] = {"done": [], "no": [], "lost": [], "doubt": []}
    for line in path.read_text().splitlines(keepends=True):
        word, _, rest = line.partition(" ")
        if line.endswith("\n"):
            words[word].append(rest.strip())
    return words


@dataclass
class Auditor:
    """Follows a book from outside and holds it against what was acknowledged."""

    url: str
    till: Till = field(default_factory=Till)
    numbers: dict[str, int] = field(default_factory=dict)

    def read_on(self) -> None:
        with open_store(self.url) as store:
            for entry in store.entries(STREAM, after=self.till.book.entries):
                self.till.apply(entry)
                assert entry.command not in self.numbers
                self.numbers[entry.command] = entry.number
            assert restore(store, STREAM, TILL)[0] == self.till
        assert sum(self.till.book.balances.values()) == 0

    def check(self, words: dict[str, list[str]]) -> None:
        self.read_on()
        for line in words["done"]:
            command, number = line.split()
            assert self.numbers[command] == int(number), f"{command} was acknowledged as entry {number}"
        for command in (*words["no"], *words["lost"]):
            assert command not in self.numbers

    def send_again(self, name: str, words: dict[str, list[str]], rng: Random) -> None:
        """As clients do that wait for an answer: what was done stays as it was, the rest is done now or refused."""
        done = [int(line.split()[0].rpartition("-")[2]) for line in words["done"]]
        doubtful = range(max(done, default=-1) + 1, max(done, default=-1) + 1 + IN_FLIGHT)
        numbers = [*rng.sample(done, min(20, len(done))), *doubtful]
        rng.shuffle(numbers)
        before = dict(self.numbers)
        with Writer(open_store(self.url), STREAM, TILL, wait_s=20) as writer:
            futures = [writer.submit(act(name, number, SEED)) for number in numbers]
            wait(futures, 20)
        self.read_on()
        for number, future in zip(numbers, futures, strict=True):
            error = future.exception(0)
            if error is not None:
                assert isinstance(error, Refusal)
            else:
                assert self.numbers[f"{name}-{number}"] == future.result().number
                assert before.get(f"{name}-{number}", future.result().number) == future.result().number


def wait_a_little(child: subprocess.Popen[bytes], output: Path, rng: Random) -> None:
    """Mostly until some moment under load; now and then only until some moment of its beginning."""
    if rng.random() < 0.15:
        time.sleep(rng.uniform(0.0, 0.3))
        return
    while not output.stat().st_size:
        assert child.poll() is None, child.stderr and child.stderr.read().decode()
        time.sleep(0.002)
    time.sleep(rng.uniform(0.0, 0.12))


@pytest.mark.parametrize("block", range(-(-KILLS // (BLOCK * len(STORES)))))
def test_a_writer_that_is_killed_loses_nothing_that_it_acknowledged(url: str, tmp_path: Path, block: int) -> None:
    rng, auditor, acknowledged = Random(SEED * 1_000 + block), Auditor(url), 0
    for kill in range(BLOCK):
        name, output = f"b{block}k{kill}", tmp_path / f"said-{kill}"
        with output.open("wb") as stream, start(url, name, stream) as child:
            wait_a_little(child, output, rng)
            child.kill()
        words = said(output)
        auditor.check(words)
        auditor.send_again(name, words, rng)
        acknowledged += len(words["done"])
    assert acknowledged > BLOCK
    with open_store(url) as store:
        assert audited(list(store.entries(STREAM))) == auditor.till


@pytest.mark.parametrize("when", ["before", "inside", "after"])
def test_power_that_fails_around_a_commit(url: str, tmp_path: Path, when: str) -> None:
    """In the very moment before the commit, before its end, and between the commit and the acknowledgement."""
    output, auditor = tmp_path / "said", Auditor(url)
    with output.open("wb") as stream, start(url, "p", stream, "--die", when) as child:
        assert child.wait(30) == -9
    words = said(output)
    auditor.check(words)
    unheard = len(auditor.numbers) - len(words["done"])
    auditor.send_again("p", words, Random(SEED))
    assert (unheard > 0) or when != "after"


def test_a_process_that_waits_takes_over_when_the_writer_is_killed(url: str, tmp_path: Path) -> None:
    auditor, outputs = Auditor(url), [tmp_path / f"said-{number}" for number in range(3)]
    children: list[subprocess.Popen[bytes]] = []
    streams = [output.open("wb") for output in outputs]
    try:
        children = [start(url, f"t{number}", stream) for number, stream in enumerate(streams)]
        writing = None
        for _ in children:
            idle = [number for number, output in enumerate(outputs) if children[number].poll() is None]
            end = time.monotonic() + 20
            while not (writing := next((number for number in idle if outputs[number].stat().st_size), None)):
                if writing == 0:
                    break
                assert time.monotonic() < end, "nobody took over"
                time.sleep(0.005)
            others = [number for number in idle if number != writing]
            assert not any(outputs[number].stat().st_size for number in others), "two write at once"
            children[writing].kill()
            children[writing].wait()
            auditor.check(said(outputs[writing]))
    finally:
        for child in children:
            child.kill()
            child.communicate()
        for stream in streams:
            stream.close()


def test_a_file_that_may_not_grow_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    """A quota: the operating system refuses to write beyond it."""
    url, output = f"sqlite:///{tmp_path}/floor.db", tmp_path / "said"
    with output.open("wb") as stream, start(url, "q", stream, "--most-bytes", "300000", "--acts", "1500") as child:
        assert child.wait(60) == 0, child.stderr and child.stderr.read().decode()
    words = said(output)
    assert len(words["done"]) > 50
    assert len(words["lost"]) > 50
    auditor = Auditor(url)
    auditor.check(words)
    auditor.send_again("q", words, Random(SEED))


def test_a_server_that_crashes_under_load_loses_nothing() -> None:
    """A process of the server is killed: it ends all sessions and recovers from its log, and the writer goes on."""
    url = new_floor()
    entries: list[Entry] = []
    with Writer(open_store(url), STREAM, TILL, most_in_a_commit=16) as writer:
        for crash in range(2):
            futures = [writer.submit(Wagers(f"s{crash}-{number}")) for number in range(600)]
            futures[100].result(20)
            kill_a_session(url)
            wait(futures, 60)
            entries += [future.result(0) for future in futures]
    with open_store(url) as store:
        assert list(store.entries(STREAM)) == entries
    audited(entries)


def kill_a_session(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as db:
        found = db.execute(
            "SELECT pid FROM pg_stat_activity WHERE application_name = 'croupier' AND pid <> pg_backend_pid()"
        ).fetchone()
    assert found is not None
    os.kill(found[0], 9)
