"""What the lab asks, answered in a process that counts: a paytable, or two, as they stand on the page."""

from __future__ import annotations

import json
from typing import Any

from croupier.errors import NotationError
from croupier.games.blackjack.game import BlackjackGame, blackjack
from croupier.games.blackjack.hand import BET
from croupier.games.catalogue import find_any_game
from croupier.web.questions import find_paytable


def lab(asked: str) -> dict[str, Any]:
    """Every figure of one paytable or two, how sessions end with them, and what was looked for."""
    from croupier.analysis.lab import Bench, differences, table_as_json
    from croupier.analysis.lab_sessions import spread

    said = json.loads(asked)
    if is_bet(said["game"], said["wager"]):
        return _bet(said)
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


def is_bet(game: str, wager: str) -> bool:
    """The wager that has rules in place of a paytable, which take seconds to count."""
    return isinstance(find_any_game(game), BlackjackGame) and wager == BET.key


def _bet(said: dict[str, Any]) -> dict[str, Any]:
    from croupier.analysis import lab_bet
    from croupier.analysis.lab import read_wanted
    from croupier.analysis.lab_sessions import spread_of_laws

    if said["rules"] or said["decks"] is not None or any(_money(table) for table in said["tables"]):
        raise NotationError("The Bet has its rules in place of a paytable, decks too: '6D S17 DAS SP4 3:2'.")
    strategy, find = said["strategy"], said["find"]
    if find and find["what"] != "pay":
        raise NotationError(f"The Bet has no meter, so it has no {find['what']} to find.")
    sheets = [lab_bet.bet_sheet(table["paytable"], strategy) for table in said["tables"]]
    return {
        "game": said["game"],
        "wager": said["wager"],
        "tables": [lab_bet.bet_table_as_json(sheet) for sheet in sheets],
        "differences": lab_bet.bet_differences(*sheets) if len(sheets) == 2 else None,
        "sessions": spread_of_laws([lab_bet.law_of_bet(sheet) for sheet in sheets], said["rounds"]),
        "found": {**find, **lab_bet.find_blackjacks_pay(sheets[0], strategy, find["name"], read_wanted(find["wanted"]))}
        if find
        else None,
    }


def _money(table: dict[str, Any]) -> bool:
    return bool(table["meters"] or table["seeds"] or table["contribution"])


def _game(said: dict[str, Any]) -> Any:
    from croupier.analysis.blackjack.asked import table_rules

    game = find_any_game(said["game"])
    if isinstance(game, BlackjackGame):
        return blackjack(table_rules(said["rules"], said["decks"]))
    if said["rules"] or said["decks"] is not None or any(_money(table) for table in said["tables"]):
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
