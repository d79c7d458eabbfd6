"""A house option that reads a rule the other way is followed by samples, by sessions and in the lab."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from croupier.cli.app import app
from croupier.web.games.questions import lab

OTHER = ("--option", "faces-count-ten")
GAME = "three-card-baccarat"


def told(*words: str) -> dict[str, Any]:
    done = CliRunner().invoke(app, [*words, "--json"])
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_sample_is_dealt_by_the_reading_that_was_asked_for() -> None:
    """The same deals, judged otherwise: other lines come up, each as often as its own count says."""
    asked = ("simulate", GAME, "--wagers", "dragon-bonus", "--rounds", "200000", "--compare")
    usual, other = told(*asked), told(*asked, *OTHER)
    assert (usual.get("options"), other["options"]) == (None, ["faces-count-ten"])
    assert usual["fingerprint"] != other["fingerprint"]
    lines = [[line["sampled"] for line in each["wagers"][0]["lines"]] for each in (usual, other)]
    assert lines[0] != lines[1]
    assert usual["verdict"]["agrees"]
    assert other["verdict"]["agrees"]


def test_a_session_of_both_wagers_ends_otherwise() -> None:
    """By itself the Dragon Bonus has the same law under both; beside the Bet it has not."""
    alone = ("session", GAME, "dragon-bonus", "--rounds", "10")
    assert told(*alone)["one_round"] == told(*alone, *OTHER)["one_round"]
    both = ("session", GAME, "bet", "dragon-bonus", "--rounds", "10")
    usual, other = told(*both)["one_round"], told(*both, *OTHER)["one_round"]
    assert usual["mean_exact"] == other["mean_exact"]
    assert usual["standard_deviation"] != other["standard_deviation"]
    done = CliRunner().invoke(app, [*both, *OTHER])
    assert "House option: in the Dragon Bonus three face cards count ten" in " ".join(done.stdout.split())


def asked_in_lab(*options: str) -> dict[str, Any]:
    table: dict[str, Any] = {"paytable": "1", "meters": [], "seeds": [], "contribution": None}
    said: dict[str, Any] = {
        "game": GAME,
        "wager": "dragon-bonus",
        "rules": "",
        "decks": None,
        "strategy": "optimal",
        "rounds": 10,
    }
    return lab(json.dumps({**said, "tables": [table], "find": None, "options": list(options)}))


def test_the_lab_takes_it_too() -> None:
    usual, other = asked_in_lab(), asked_in_lab("faces-count-ten")
    assert (usual["options"], other["options"]) == ([], ["faces-count-ten"])
    assert usual["tables"][0]["house_edge"] == other["tables"][0]["house_edge"], "the printed figure cannot decide"


@pytest.mark.parametrize("command", ["simulate", "session"])
def test_an_option_that_the_game_does_not_have_is_refused(command: str) -> None:
    done = CliRunner().invoke(app, [command, GAME, "--option", "loose"])
    assert done.exit_code
    assert "no house option of Three Card Baccarat 'loose'; there are: faces-count-ten" in str(done.exception)
