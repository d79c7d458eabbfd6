"""Commands in a process of their own: how long `croupier verify` takes, and how much memory each command holds."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import CROUPIER, MIB, Result, in_turns, in_words, peak_bytes, run_process, seconds
from croupier.games.catalogue import GAMES

MOST_TIMES = 3
MOST_BYTES = 1024 * MIB


def verify() -> Iterator[Result]:
    """A fresh process, with byte code and numba's caches filled, against one that only imports numba."""
    ours_command = [str(CROUPIER), "verify"]
    theirs_command = [sys.executable, "-c", "import numba"]

    def ours() -> float:
        return seconds(lambda: run_process(ours_command))

    def theirs() -> float:
        return seconds(lambda: run_process(theirs_command))

    ours(), theirs()
    ours_s, theirs_s = in_turns(ours, theirs, 9)
    yield Result(
        "croupier verify, fresh process",
        in_words(ours_s),
        f"{in_words(theirs_s)} (import numba)",
        ours_s / theirs_s,
        f"under {MOST_TIMES}x",
        ours_s < theirs_s * MOST_TIMES,
    )


def command_lines(folder: Path) -> dict[str, list[str]]:
    """One command line or more for every command, the heaviest use of it."""
    shoe = str(folder / "shoe.txt")
    return {
        "games": ["games"],
        "rules": ["rules {game}"],
        "odds": ["odds {game}"],
        "strategy": ["strategy {game}"],
        "par": [f"par {{game}} -o {folder / 'par.pdf'}", f"par {{game}} -o {folder / 'par.json'}"],
        "play": ["play {game} --auto random --rounds 20 --bankroll 10000"],
        "tour": ["tour"],
        "verify": ["verify"],
        "shuffle": [f"shuffle new --decks 8 --reveal {shoe}", f"shuffle verify {shoe}", "shuffle test"],
    }


def memory() -> Iterator[Result]:
    """Peak memory of every command that exists; for a command of games, the hungriest game."""
    with tempfile.TemporaryDirectory() as folder:
        lines = command_lines(Path(folder))
        for command in registered_commands():
            if command not in lines:
                yield Result(f"croupier {command}, peak memory", "no command line to measure it by")
            for line in lines.get(command, ()):
                texts = [line.replace("{game}", game) for game in (GAMES if "{game}" in line else [""])]
                peak = max(peak_bytes([str(CROUPIER), *text.split()]) for text in texts)
                shown = line.replace("{game}", "GAME").replace(f"{folder}/", "")
                yield Result(
                    f"croupier {shown}, peak memory",
                    f"{peak / MIB:.0f} MiB",
                    target="under 1 GiB",
                    met=peak < MOST_BYTES,
                )


def registered_commands() -> list[str]:
    """The names of all commands and groups of commands."""
    from typer.main import get_command

    from croupier.cli.app import register_all

    register_all()
    from croupier.cli.app import app

    return sorted(getattr(get_command(app), "commands", {}))
