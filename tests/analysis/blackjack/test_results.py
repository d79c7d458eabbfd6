"""The solver settles as the table does: its results are the Bet's judgments at the Bet's prices."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from croupier.analysis.blackjack import table as solver_table
from croupier.analysis.blackjack.dealer import blackjack_chance, blackjack_chances
from croupier.analysis.blackjack.results import AT_22, AT_BLACKJACK, AT_BROKEN, Results, results
from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.blackjack.solver import insurance, solve
from croupier.games.blackjack.hand import DEALER_RESULTS, LOSE, PUSH, WIN, played
from croupier.games.blackjack.rules import Rules

SHOE = Composition.parse("Ax2 8x4 9x3 Tx8")


def test_a_hand_that_stands_is_judged_as_at_the_table() -> None:
    worth = {WIN: 1, PUSH: 0, LOSE: -1}
    for grade, nets in enumerate(results(Rules()).stands):
        assert nets == tuple(worth[played(16 + grade, dealer)] for dealer in DEALER_RESULTS)


@pytest.mark.parametrize("odds", ["3:2", "6:5", "1:1"])
def test_a_blackjack_is_paid_as_the_rules_say(odds: str) -> None:
    rules = Rules.parse(f"6D {odds}")
    assert results(rules).blackjack == (rules.blackjack_odds,) * AT_BLACKJACK + (Fraction(0),)


def test_a_surrender_is_half_of_the_wager_or_all_of_it_to_a_blackjack() -> None:
    assert results(Rules()).surrendered == (Fraction(-1, 2),) * AT_BLACKJACK + (Fraction(-1),)


def test_insurance_is_what_its_paytable_says() -> None:
    assert results(Rules()).insurance == (Fraction(2), Fraction(-1))
    assert results(Rules()).insured(np.array([0.0, 1 / 3, 1.0])) == pytest.approx([-1, 0, 2])
    assert insurance(SHOE) == 3 * Fraction(8, 16) - 1


def test_the_solver_settles_by_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were every hand that is not broken a push, it would be best to stand, and only a blackjack would cost."""
    nothing = (Fraction(0),) * len(DEALER_RESULTS)
    caught = (*nothing[:AT_BLACKJACK], Fraction(-1))
    naturals = ((Fraction(1), nothing),)
    pushes = Results((caught,) * 6, naturals, results(Rules()).surrendered, results(Rules()).insurance)
    monkeypatch.setattr(solver_table, "results", lambda _: pushes)
    dealers, players_too = Fraction(2 * 2 * 8, 17 * 16), Fraction(2 * 1 * 7, 15 * 14)
    assert solve(Rules.parse("6D LS"), SHOE).edge == pytest.approx(float(-dealers * (1 - players_too)), abs=1e-12)


def test_a_22_pushes_all_but_a_blackjack() -> None:
    with_it, without = (results(Rules.parse(words)) for words in ("6D P22", "6D"))
    assert (with_it.endings, without.endings) == (AT_22 + 1, AT_22)
    assert [nets[AT_22] for nets in with_it.stands] == [0] * 6
    assert (with_it.blackjack[AT_22], with_it.surrendered[AT_22]) == (Fraction(3, 2), Fraction(-1, 2))
    assert [nets[:AT_22] for nets in with_it.stands] == list(without.stands)


def test_endings_add_up() -> None:
    table = solve(replace(Rules(), split_hands=1), SHOE).table
    held = (table.plan.missing <= table.cards).all(axis=1)
    assert table.endings[held].sum(axis=1) == pytest.approx(np.ones((held.sum(), 10)))
    assert (table.endings[held][:, AT_BROKEN] >= -1e-12).all()


def test_the_chance_of_a_blackjack_in_many_shoes() -> None:
    missing = np.zeros((2, 10), dtype=np.int64)
    missing[1, 9] = 3
    chances = blackjack_chances(np.array(SHOE.counts), missing)
    assert chances[0, [0, 9]] == pytest.approx([8 / 16, 2 / 16])
    assert chances[1, [0, 9]] == pytest.approx([5 / 13, 2 / 13])
    assert not chances[:, 1:9].any()
    assert blackjack_chance(SHOE, 1) == chances[0, 0]
