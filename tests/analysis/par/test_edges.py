"""Edges that are delivered: counted again, and held by the definition that they were counted from."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from croupier.analysis.analyst import Counter, analyst_of
from croupier.analysis.blackjack.side.census import CapSheet, SideSheet
from croupier.analysis.par import edges
from croupier.demo.visitors import USUAL
from croupier.games.catalogue import ALL_GAMES
from croupier.games.game import TableGame
from croupier.games.paytable import Pay
from croupier.web.games.questions import find_paytable

DELIVERED: dict[str, dict[str, Any]] = json.loads(edges.FILE.read_text(encoding="utf-8"))
OF_SWITCH = [told for told in DELIVERED.values() if told["game"] == "blackjack-switch"]
"""The edge of its Bet takes long, and is held where it is solved: with the tests of Switch."""
SOLVED = [
    told
    for told in DELIVERED.values()
    if told not in OF_SWITCH and not isinstance(analyst_of(ALL_GAMES[told["game"]]), Counter)
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


@pytest.mark.parametrize("last", [1.3601667124672256, 1.360166712467227, 1.3601667124672236])
def test_another_processor_writes_the_same_file(last: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last digits of three instruction sets, as the solver came to them."""
    edge = {"wager": "Bet", "paytable": "3:2", "house_edge": {"exact": None, "percent": last}}
    monkeypatch.setattr(edges, "count_edge", lambda *_: edge)
    monkeypatch.setattr(edges, "count_side_edges", lambda *_: [])
    game = ALL_GAMES["zappit-blackjack"].under("8D H17 DAS SP3 LS 3:2 P22 ZAP17 SAZ")
    [told] = json.loads(edges.edges_file([game], find_paytable)).values()
    assert told["edge"] == DELIVERED[edges.definition_digest(game)]["edge"]


PROCEEDS_NOT_DELIVERED = frozenset({"free-bet-blackjack", "zappit-blackjack"})
"""The edge of House Money is of somebody who never puts its proceeds on the Bet, and is counted. What it is of somebody
who does is told beside it, takes half a minute here, and is not delivered."""


@pytest.mark.parametrize("told", [*SOLVED, *OF_SWITCH], ids=lambda told: told["rules"])
def test_wagers_beside_the_first_are_delivered_as_they_are_counted(
    told: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = ALL_GAMES[told["game"]].under(told["rules"])
    if game.key in PROCEEDS_NOT_DELIVERED:
        monkeypatch.setattr(CapSheet, "as_json", SideSheet.as_json)
    assert dict(edges.count_side_edges(game, find_paytable)) == told["beside"]
    assert set(told["beside"]) == {wager.key for wager in game.wagers[1:] if not wager.progressive}
    assert {**edges.side_edges_counted_before(game)}.keys() == told["beside"].keys()


def test_a_wager_is_told_under_the_paytable_that_pages_open() -> None:
    opened = [
        (told["beside"][key]["paytable"], name)
        for told in DELIVERED.values()
        for key, name in ALL_GAMES[told["game"]].usual.get("paytables", {}).items()
    ]
    assert opened
    assert all(paytable == name for paytable, name in opened)


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
