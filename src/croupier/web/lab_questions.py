"""What the lab asks, answered in a process that counts: a paytable, or two, as they stand on the page."""

from __future__ import annotations

import json
from typing import Any

from croupier.errors import NotationError
from croupier.games.blackjack.game import BlackjackGame, blackjack
from croupier.games.catalogue import find_any_game
from croupier.web.questions import find_paytable


def lab(asked: str) -> dict[str, Any]:
    """Every figure of one paytable or two, how sessions end with them, and what was looked for."""
    from croupier.analysis.lab import Bench, differences, table_as_json
    from croupier.analysis.lab_sessions import spread

    said = json.loads(asked)
    bench = Bench(_game(said), _game(said).wager(said["wager"]), said["strategy"])
    sheets = [bench.sheet(_asked(said, table), find_paytable) for table in said["tables"]]
    return {
        "game": bench.game.key,
        "wager": bench.wager.key,
        "tables": [table_as_json(sheet) for sheet in sheets],
        "differences": differences(*sheets) if len(sheets) == 2 else None,
        "sessions": spread([sheet.figures for sheet in sheets], said["rounds"]),
        "found": _found(bench, said, sheets[0]) if said["find"] else None,
    }


def _game(said: dict[str, Any]) -> Any:
    from croupier.analysis.blackjack.asked import table_rules

    game = find_any_game(said["game"])
    if isinstance(game, BlackjackGame):
        return blackjack(table_rules(said["rules"], said["decks"]))
    money = any(table["meters"] or table["seeds"] or table["contribution"] for table in said["tables"])
    if said["rules"] or said["decks"] is not None or money:
        raise NotationError(f"{game.title} takes no rules, decks or meters: these are about blackjack.")
    return game


def _asked(said: dict[str, Any], table: dict[str, Any]) -> Any:
    from croupier.analysis.blackjack.asked import Asked

    return Asked(
        rules=said["rules"],
        decks=said["decks"],
        wager=said["wager"],
        paytable=table["paytable"],
        meters=tuple(table["meters"]),
        seeds=tuple(table["seeds"]),
        contribution=table["contribution"],
    )


def _found(bench: Any, said: dict[str, Any], sheet: Any) -> dict[str, Any]:
    from croupier.analysis.lab import find_funding, find_pay, read_wanted

    what, name, wanted = (said["find"][key] for key in ("what", "name", "wanted"))
    share = read_wanted(wanted)
    if what == "pay":
        found = find_pay(bench, _asked(said, said["tables"][0]), find_paytable, name, share)
    else:
        found = find_funding(sheet, what, name, share)
    return {**said["find"], **found}
