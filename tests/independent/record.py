"""Writes `verified.toml`: every house edge that a second program counts, beside ours, with the day.

python -m tests.independent.record
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from croupier.analysis.analyst import analyst_of
from croupier.analysis.blackjack.question import Asked
from croupier.analysis.blackjack.side.census import SideSheet
from croupier.analysis.par.laboratory import Verified
from croupier.analysis.par.side_wagers import priced_at
from croupier.games.catalogue import find_any_game
from croupier.games.wager import approved_paytable

PROGRAM = Path(__file__).with_name("edges.py")
RECORD = Path(__file__).parents[2] / "src/croupier/analysis/par/verified.toml"


def counted_elsewhere() -> list[dict[str, Any]]:
    """What the second program prints, in a process of its own that cannot import the package."""
    command = [sys.executable, "-I", str(PROGRAM)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in said.splitlines()]


def compared(day: str) -> Iterator[Verified]:
    sha256 = hashlib.sha256(PROGRAM.read_bytes()).hexdigest()
    for each in counted_elsewhere():
        game = find_any_game(each["game"])
        asked = Asked(wager=each["wager"], paytable=each["paytable"])
        sheet = analyst_of(game).sheet(game.wager(each["wager"]), asked, approved_paytable, "optimal")
        yield Verified(
            sheet.digest,
            *(each["game"], each["wager"], each["paytable"], "house_edge", str(sheet.figures.house_edge)),
            *(each["house_edge"], each["method"], f"tests/independent/{PROGRAM.name}", sha256, day),
            priced_at(sheet) if isinstance(sheet, SideSheet) else "",
        )


def as_toml(record: Iterator[Verified]) -> str:
    head = "# Written by `python -m tests.independent.record`: counted by a program that imports nothing of ours.\n"
    lines = [
        "\n[[compared]]\n"
        + "".join(f"{name} = {json.dumps(value)}\n" for name, value in each._asdict().items() if value)
        for each in record
    ]
    return head + "".join(lines)


if __name__ == "__main__":
    RECORD.write_text(as_toml(compared(date.today().isoformat())), encoding="utf-8")
