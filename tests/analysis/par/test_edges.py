"""Edges that are delivered: counted again, and held by the definition that they were counted from."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from croupier.analysis.analyst import Counter, analyst_of
from croupier.analysis.par import edges
from croupier.demo.visitors import USUAL
from croupier.games.catalogue import ALL_GAMES
from croupier.games.game import TableGame
from croupier.games.paytable import Pay
from croupier.web.games.questions import find_paytable

DELIVERED: dict[str, dict[str, Any]] = json.loads(edges.FILE.read_text(encoding="utf-8"))
ELSEWHERE = "blackjack-switch"
"""Takes long, and is held where it is solved: with the tests of Switch."""
SOLVED = [
    each
    for each in DELIVERED.values()
    if each["game"] != ELSEWHERE and not isinstance(analyst_of(ALL_GAMES[each["game"]]), Counter)
]
"""Those of the others are counted again with the golden counts."""


def usual_games() -> list[TableGame]:
    tables = [(game.key, game.usual) for game in ALL_GAMES.values()] + list(USUAL.items())
    return [ALL_GAMES[key].under(str(table.get("rules", ""))) for key, table in tables]


def test_every_game_has_its_edge_at_its_usual_table_and_at_the_demos_and_no_other_is_there() -> None:
    games = usual_games()
    assert all(edges.edge_counted_before(game) for game in games)
    assert set(DELIVERED) == {edges.definition_digest(game) for game in games}


@pytest.mark.parametrize("told", SOLVED, ids=lambda told: told["rules"])
def test_what_is_delivered_is_what_the_rules_are_solved_to(told: dict[str, Any]) -> None:
    game = ALL_GAMES[told["game"]].under(told["rules"])
    counted = edges.count_edge(game, find_paytable)
    edge = counted.pop("house_edge")
    assert counted == {key: value for key, value in told["edge"].items() if key != "house_edge"}
    assert edge["exact"] is told["edge"]["house_edge"]["exact"] is None
    assert edge["percent"] == pytest.approx(told["edge"]["house_edge"]["percent"], abs=1e-9)


def test_a_definition_that_has_changed_has_no_edge_before_it_is_counted() -> None:
    """One pay more, one rule less: unknown, and never that of the other."""
    game = ALL_GAMES["triple-shot-rummy"]
    first = game.wagers[0]
    [(name, table)] = first.paytables.items()
    row = next(row for row in table.rows if row.pay == Pay.parse("1 to 1"))
    dearer = tuple(replace(each, pay=Pay.parse("2 to 1")) if each is row else each for each in table.rows)
    changed = replace(first, paytables={name: replace(table, rows=dearer)})
    assert edges.edge_counted_before(replace(game, wagers=(first, *game.wagers[1:]))) is not None
    assert edges.edge_counted_before(replace(game, wagers=(changed, *game.wagers[1:]))) is None
    assert edges.edge_counted_before(ALL_GAMES["blackjack"].under("8D S17 DAS SP4 3:2")) is None
