"""The family's titles and words, of small shoes, against two programs that are written from the rulebook alone."""

from __future__ import annotations

import pytest

from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.blackjack.solver import solve
from croupier.analysis.blackjack.switch import best_switching
from croupier.games.blackjack.rules import Rules
from tests.independent import placards
from tests.independent.family import CASES, Cards, Game


@pytest.mark.parametrize(("words", "game", "shoe"), CASES)
def test_a_small_shoe_dealt_out_by_another_program(words: str, game: Game, shoe: Cards) -> None:
    assert solve(Rules.parse(words), Composition(shoe)).edge == pytest.approx(float(game.edge(shoe)), abs=1e-12)


@pytest.mark.parametrize(("words", "shoe"), placards.CASES)
def test_splits_free_chips_and_two_hands_dealt_out_by_another_program(words: str, shoe: Cards) -> None:
    rules, cards = Rules.parse(words), Composition(shoe)
    counted = (best_switching(rules, cards) if rules.switch else solve(rules, cards)).edge
    assert counted == pytest.approx(float(placards.Placard.of(words).edge(shoe)), abs=1e-12)
