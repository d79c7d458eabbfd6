"""Exact blackjack from nothing, beside a bare simulation in C: six decks, splits to four hands, every decision."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from benchmarks.measure import HERE, Result, in_turns, in_words, run_process, seconds
from croupier.analysis.blackjack.solver import solve
from croupier.games.blackjack.rules import Rules

CHECK_CASE = Rules.parse("6D S17 DAS SP4 3:2")
CHECK_VALUE_PERCENT = -0.402870236
FREE_BET = Rules.parse("6D H17 DAS SP4 RSA 3:2 P22 FD FS")
ROUNDS = 4_000_000
"""What the yardstick may simulate in the time that we take to solve the game."""
TIMES = 9


class Simulation:
    """The yardstick in C: rounds of basic strategy, with nothing but a sum to keep."""

    def __init__(self) -> None:
        compiler = shutil.which("cc")
        if compiler is None:
            raise RuntimeError("the benchmarks need a C compiler (cc)")
        self._folder = tempfile.TemporaryDirectory()
        self._program = str(Path(self._folder.name) / "blackjack")
        source = str(HERE / "yardsticks" / "blackjack.c")
        run_process([compiler, "-O3", "-march=native", "-w", "-o", self._program, source])

    def seconds(self) -> float:
        """The time of so many rounds, the median of those that one run prints."""
        command = [self._program, str(ROUNDS)]
        printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        speeds = [float(million) for million in re.findall(r"([\d.]+) M rounds/s", printed)]
        return ROUNDS / 1e6 / median(speeds)


def from_nothing(solved: Callable[[], object] | None = None) -> float:
    """Solve the check case with every table of hands made again; only the machine code is kept."""
    for name, module in list(sys.modules.items()):
        if name.startswith("croupier."):
            for value in list(vars(module).values()):
                if callable(clear := getattr(value, "cache_clear", None)):
                    clear()
    return seconds(solved or check)


def free_bet() -> None:
    """With free doubles and splits, whose hands are of two kinds."""
    if not solve(FREE_BET).edge < 0:
        raise RuntimeError("Free Bet Blackjack came out as a game that the house loses")


def check() -> None:
    found = 100 * solve(CHECK_CASE).edge
    if round(found, 9) != CHECK_VALUE_PERCENT:
        raise RuntimeError(f"the check case came out as {found:.9f} %, not {CHECK_VALUE_PERCENT} %")


def run() -> Iterator[Result]:
    """The expected value of every decision and of the game, against four million simulated rounds."""
    yardstick = Simulation()
    from_nothing()
    ours, theirs = in_turns(from_nothing, yardstick.seconds, TIMES)
    yield Result(
        f"Blackjack {CHECK_CASE}, every decision solved from nothing",
        in_words(ours),
        f"{in_words(theirs)} ({ROUNDS // 10**6} million rounds of blackjack.c)",
        ours / theirs,
        "at most 1x",
        ours <= theirs,
    )
    from_nothing(free_bet)
    free, plain = in_turns(lambda: from_nothing(free_bet), from_nothing, TIMES)
    yield Result(
        f"Free Bet Blackjack {FREE_BET}, every decision solved from nothing",
        in_words(free),
        f"{in_words(plain)} (blackjack, {CHECK_CASE})",
        free / plain,
        "at most 3x",
        free <= 3 * plain,
    )


if __name__ == "__main__":
    for row in run():
        print(f"{row.what}: {row.measured}; {row.yardstick}; ratio {row.ratio:.2f}")
