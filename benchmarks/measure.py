"""Takes times and sizes: medians of many, the yardstick and the measured thing in turns, since machines are noisy."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import TypeVar

from rich.console import Console
from rich.progress import track

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
CROUPIER = Path(sys.executable).with_name("croupier")
MIB = 1024 * 1024
Step = TypeVar("Step")


@dataclass(frozen=True)
class Result:
    """One row of the table."""

    what: str
    measured: str
    yardstick: str = ""
    ratio: float | None = None
    target: str = ""
    met: bool | None = None
    """None where there is no target."""


def seconds(run: Callable[[], object]) -> float:
    start = perf_counter()
    run()
    return perf_counter() - start


def processor_seconds(run: Callable[[], object]) -> float:
    """Of this process, all its threads together: on a quiet machine what the clock says, on a busy one too."""
    start = process_time()
    run()
    return process_time() - start


def middle(run: Callable[[], float], times: int) -> float:
    """The median of a measurement, taken so often."""
    return median(run() for _ in range(times))


def in_turns(measured: Callable[[], float], yardstick: Callable[[], float], times: int) -> tuple[float, float]:
    """The medians of both, taken one after the other so that a busy moment hits both."""
    pairs = [(measured(), yardstick()) for _ in range(times)]
    return median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)


def steps(what: str, each: Sequence[Step]) -> Iterator[Step]:
    """One after the other, with a bar for whoever waits at a terminal."""
    screen = Console(stderr=True)
    yield from track(each, what, console=screen, transient=True, disable=not screen.is_terminal)


def in_words(duration_s: float) -> str:
    if duration_s < 1e-3:
        return f"{duration_s * 1e6:.0f} µs"
    return f"{duration_s * 1e3:.1f} ms" if duration_s < 1 else f"{duration_s:.2f} s"


# --- other programs ------------------------------------------------------------------------------------------


def run_process(command: Sequence[str], *, stdin: str = "") -> None:
    """Run a command to its end; one that fails is an error, so that no failure is measured."""
    done = subprocess.run(command, cwd=ROOT, input=stdin, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip()[-300:]}")


PEAK = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
sys.stderr.buffer.write(done.stderr)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(done.returncode)
"""


def peak_bytes(command: Sequence[str]) -> int:
    """The most memory a command held at once.

    A small process stands between, because a child's peak begins with the memory of the process that starts it.
    """
    small = [sys.executable, "-S", "-E", "-c", PEAK, *command]
    done = subprocess.run(small, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return int(done.stdout) * (1 if sys.platform == "darwin" else 1024)


class ThreeCards:
    """The yardstick in C: every three-card hand against every other, with nothing but a comparison to do."""

    def __init__(self) -> None:
        compiler = shutil.which("cc")
        if compiler is None:
            raise RuntimeError("the benchmarks need a C compiler (cc)")
        self._folder = tempfile.TemporaryDirectory()
        self._program = str(Path(self._folder.name) / "threecard")
        source = str(HERE / "yardsticks" / "threecard.c")
        run_process([compiler, "-O3", "-march=native", "-w", "-o", self._program, source])

    def seconds(self) -> float:
        """The median of the times that one run prints."""
        printed = subprocess.run([self._program], capture_output=True, text=True, check=True).stdout
        return median(map(float, re.findall(r"^A ([\d.]+)s", printed, re.MULTILINE)))
