"""Free Bet, Zappit and surrender after a double, of small shoes, against a program written from the rulebook alone."""

from __future__ import annotations

import pytest

from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.blackjack.solver import solve
from croupier.games.blackjack.rules import Rules
from tests.independent.family import CASES, Cards, Game


@pytest.mark.parametrize(("words", "game", "shoe"), CASES)
def test_a_small_shoe_dealt_out_by_another_program(words: str, game: Game, shoe: Cards) -> None:
    assert solve(Rules.parse(words), Composition(shoe)).edge == pytest.approx(float(game.edge(shoe)), abs=1e-12)
