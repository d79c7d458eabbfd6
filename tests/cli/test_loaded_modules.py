"""A question about one game loads what it needs: nothing of blackjack for the odds of a head-to-head game."""

from __future__ import annotations

import subprocess
import sys
from typing import get_args

import pytest

from croupier.analysis.blackjack.conventions import Convention
from croupier.cli.options import ConventionOption, RulesOption, SideWagerOption
from croupier.games.blackjack.game import BlackjackGame, blackjack
from croupier.games.catalogue import ALL_GAMES

LOADED = """
import sys
from croupier.cli.app import main

sys.argv = ["croupier", *sys.argv[1:]]
try:
    main()
finally:
    print(*(name for name in sys.modules if name.startswith("croupier")), sep="\\n", file=sys.stderr)
"""


def loaded(*words: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", LOADED, *words], capture_output=True, text=True, check=True)
    assert done.stdout
    return set(done.stderr.split())


@pytest.mark.parametrize("words", [("odds", "triple-shot-rummy", "pair-plus"), ("odds", "supreme-99", "--json")])
def test_odds_of_a_head_to_head_game_load_nothing_of_blackjack(words: tuple[str, ...]) -> None:
    names = loaded(*words)
    assert f"croupier.games.titles.{words[1].replace('-', '_')}" in names
    assert not [name for name in names if "blackjack" in name]
    assert len([name for name in names if name.startswith("croupier.games.titles.")]) == 1


def test_odds_of_blackjack_load_it() -> None:
    assert "croupier.games.blackjack.game" in loaded("odds", "blackjack", "insurance")


def test_help_says_the_conventions_and_the_usual_rules_as_they_are() -> None:
    rules, convention = (get_args(option)[1].help for option in (RulesOption, ConventionOption))
    assert rules.endswith(f"is as in {blackjack().short_placard!r}.")
    assert convention.endswith(" " + " ".join(f"{name}: {name.words}." for name in Convention))


def test_help_names_every_side_wager_of_the_family() -> None:
    says = get_args(SideWagerOption)[1].help
    keys = {wager.key for game in ALL_GAMES.values() if isinstance(game, BlackjackGame) for wager in game.side_wagers}
    assert {key for key in keys if key not in says} == {"insurance"}
