"""The simulation in `make test`: three thousand seeds on the simulated database, some on SQLite.

A seed that fails is printed with the command that repeats it. Once its cause is mended it goes into `KEPT`, and the
cause gets a test of its own beside the code: a seed draws other events as soon as the simulation changes.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.audit.export import chosen_streams, export
from croupier.audit.verify import verify
from tests.simulation.process import Process
from tests.simulation.seeds import DATABASE, SQLITE, failure, of_environment, repeat, world
from tests.simulation.world import World

ROOT = Path(__file__).resolve().parents[2]

BLOCKS = 10
"""Tests, so that several workers share the seeds."""
COUNTS = {
    DATABASE: of_environment("CROUPIER_SIMULATION_SEEDS", 3_000),
    SQLITE: of_environment("CROUPIER_SIMULATION_SQLITE_SEEDS", 60),
}
FIRST = of_environment("CROUPIER_SIMULATION_FIRST", 0)
KEPT = {
    (330, DATABASE): "a resend to a writer that had stopped was told that the act was not done, and it was",
    (1327, DATABASE): "the observer looked up what a display showed in a book of which the disk had lost that entry",
    (2079, DATABASE): "a book that was cut while a writer read it lowered the writer's mark, and it went on",
    (2176, DATABASE): "the same, where the writer had found the act in the store on its way out",
    (1794987043810, SQLITE): "a server that had hung after it took the site's lease went on to take those of the links",
    (1794989627020, SQLITE): "the same, where its disk had failed before",
    (1795000000905, DATABASE): "a resend to a damaged link while the database was down met an error of the program",
    (1794991104680, SQLITE): "a server that had woken lost a link's lease to one that had judged it silent long before",
    (1795033352830, SQLITE): "a log that a failed sync had left doubtful was forgotten, and came into the file so",
    (
        1794989982161,
        DATABASE,
    ): "a resend to a link whose book was cut was refused, and it was in what was left",
}


@pytest.mark.parametrize("block", range(BLOCKS))
@pytest.mark.parametrize("kind", COUNTS)
def test_nothing_is_seen_that_must_never_be(kind: str, block: int) -> None:
    for seed in range(FIRST + block, FIRST + COUNTS[kind], BLOCKS):
        if found := failure(seed, kind):
            pytest.fail(found, pytrace=False)


@pytest.mark.parametrize(("seed", "kind"), KEPT)
def test_what_was_mended_stays_so(seed: int, kind: str) -> None:
    assert failure(seed, kind) == ""


@pytest.mark.parametrize("kind", COUNTS)
@pytest.mark.parametrize("seed", range(3))
def test_the_books_of_a_run_are_proved(kind: str, seed: int, tmp_path: Path) -> None:
    """By our own proof, and by the regulator's program, which shares no code with ours."""
    made, path = world(seed, kind), tmp_path / "ledger.jsonl"
    made.run()
    made.processes.append(reader := Process(made, made.machines[0]))
    made.within(reader, export_books, made, reader, path)
    assert verify(path, now="2027-12-31").right
    program = ROOT / "regulator" / "verify_ledger.py"
    proved = subprocess.run([sys.executable, "-I", program, path], capture_output=True, text=True, check=False)
    assert proved.returncode == 0, proved.stdout


def export_books(made: World, reader: Process, path: Path) -> None:
    with made.site.connect(reader) as store:
        export(store, chosen_streams(store, None), path)


@pytest.mark.parametrize("kind", COUNTS)
def test_a_seed_repeats_a_run(kind: str) -> None:
    """After other seeds, and in a process that orders its sets in another way."""
    seeds = range(20, 26)
    told = hashlib.sha256("\n".join(line for seed in seeds for line in repeat(seed, kind)[0]).encode()).hexdigest()
    again = (
        "import hashlib\nfrom tests.simulation.seeds import repeat\n"
        f"lines = [line for seed in reversed({list(seeds)}) for line in reversed(repeat(seed, {kind!r})[0])]\n"
        "print(hashlib.sha256('\\n'.join(reversed(lines)).encode()).hexdigest())"
    )
    done = subprocess.run(
        [sys.executable, "-c", again],
        cwd=ROOT,
        env={"PYTHONHASHSEED": "7", "PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == told
