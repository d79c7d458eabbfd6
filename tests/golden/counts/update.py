"""Writes the golden counts: `python -m tests.golden.counts.update`, after a change that is meant to move them."""

from __future__ import annotations

import json
from pathlib import Path

from croupier.analysis.analyst import Counter, analyst_of
from croupier.analysis.census import OPTIMAL
from croupier.analysis.sheet import make_sheet
from croupier.games.catalogue import ALL_GAMES
from croupier.games.game import TableGame
from croupier.games.paytable import Paytable
from croupier.games.wager import Wager

FOLDER = Path(__file__).parent
NO_DECISION = "nothing to decide"


COUNTED = {game.key: game for game in ALL_GAMES.values() if isinstance(analyst_of(game), Counter)}
"""Whose deals are counted one by one."""


def count_game(game: TableGame) -> dict[str, object]:
    """Combinations of every line, by wager, by paytable, by strategy."""
    return {
        wager.key: {number: count_wager(game, wager, number, table) for number, table in wager.paytables.items()}
        for wager in game.wagers
    }


def count_wager(game: TableGame, wager: Wager, number: str, table: Paytable) -> dict[str, dict[str, int]]:
    strategies = (OPTIMAL, *game.strategies) if wager.choices else (NO_DECISION,)
    counted = {}
    for strategy in strategies:
        name = OPTIMAL if strategy == NO_DECISION else strategy
        lines = make_sheet(game, wager, number, table, strategy=name).figures.lines
        counted[strategy] = {f"{line.line}: {line.pays}": line.combinations for line in lines}
        assert len(counted[strategy]) == len(lines), "no two lines read the same"
    return counted


def golden_file(game: str) -> Path:
    return FOLDER / f"{game}.json"


def main() -> None:
    for game in COUNTED.values():
        text = json.dumps(count_game(game), indent=2, ensure_ascii=False)
        golden_file(game.key).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
