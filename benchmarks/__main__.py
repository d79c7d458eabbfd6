"""Runs the benchmarks that are named, or all of them, and prints one table; nothing here passes or fails."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.table import Table

from benchmarks import (
    blackjack_solver,
    commands,
    comply,
    displays,
    evidence,
    exact,
    family,
    lab,
    ledger,
    ledger_verify,
    live,
    play,
    scripts,
    server,
    side_wagers,
    simulation,
)
from benchmarks.measure import Result

BENCHMARKS: dict[str, Callable[[], Iterator[Result]]] = {
    "census": exact.census,
    "supreme": exact.supreme,
    "repricing": exact.repricing,
    "lab": lab.changed_pay,
    "play": play.run,
    "blackjack": blackjack_solver.run,
    "side-wagers": side_wagers.run,
    "family": family.run,
    "scripts": scripts.run,
    "simulation": simulation.run,
    "ledger": ledger.wagers,
    "ledger-marks": ledger.marks_and_seals,
    "ledger-open": ledger.opening,
    "ledger-verify": ledger_verify.run,
    "evidence": evidence.run,
    "server": server.run,
    "server-start": server.starting,
    "displays": displays.run,
    "frames": displays.frames,
    "verify": commands.verify,
    "rounds": live.rounds,
    "memory": commands.memory,
    "comply": comply.run,
}


def main(names: list[str]) -> None:
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        sys.exit(f"There is no benchmark {unknown[0]!r}; there are: {', '.join(BENCHMARKS)}.")
    progress = Console(stderr=True)
    results: list[Result] = []
    for name in names or BENCHMARKS:
        progress.print(f"measuring {name}")
        try:
            results += BENCHMARKS[name]()
        except RuntimeError as error:
            results.append(Result(name, f"not measured: {error}"))
    print_results(results)


def print_results(results: list[Result]) -> None:
    table = Table("benchmark", title="Croupier beside its yardsticks, medians of one run", title_justify="left")
    for column in ("measured", "yardstick", "ratio", "target", "met"):
        table.add_column(column, justify="right")
    marks = {True: "[green]yes[/]", False: "[red]no[/]", None: ""}
    for result in results:
        ratio = f"{result.ratio:.2f}x" if result.ratio is not None else ""
        table.add_row(result.what, result.measured, result.yardstick, ratio, result.target, marks[result.met])
    screen = Console()
    (screen if screen.is_terminal else Console(width=140)).print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
