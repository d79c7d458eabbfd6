"""Super Fun 21, counted: published edges, the chart's cost, hints that know its decisions, and its record."""

from __future__ import annotations

import pytest

from croupier.analysis.analyst import hints_for
from croupier.analysis.blackjack.basic import basic_strategy, evaluate
from croupier.analysis.blackjack.moments import moments
from croupier.analysis.blackjack.solver import insurance_values, solve
from croupier.games.blackjack.hand import Ending
from croupier.games.blackjack.round import BlackjackRound
from croupier.games.blackjack.rules import ACE, TEN
from croupier.games.table.record import read_any_record, write_record
from tests.games.titles.test_super_fun_21 import GAME, hit, play


def test_the_published_edges() -> None:
    """wizardofodds.com has 0.94 % where the dealer hits a soft 17, and 0.75 % where not."""
    one, stands = solve(GAME.rules), solve(GAME.under("S17").rules)
    assert (round(-100 * one.edge, 2), round(-100 * stands.edge, 2)) == (0.94, 0.75)
    swings = moments(one)
    assert swings.mean == pytest.approx(one.edge, abs=1e-12)
    assert sum(swings.law.values()) == pytest.approx(1, abs=1e-12)
    assert {chance for result, chance in swings.law.items() if result.denominator == 2 and result > 0} != {0.0}


def test_a_chart_surrenders_hands_of_any_size_and_costs_a_little() -> None:
    chart = evaluate(basic_strategy(GAME.rules), GAME.rules)
    assert 0.0005 < solve(GAME.rules).edge - chart.edge < 0.0015
    assert moments(chart).mean == pytest.approx(chart.edge, abs=1e-12)


def test_hints_know_a_surrender_after_hits_and_the_worth_of_a_sixth_card() -> None:
    [seat] = hints_for(play("Tc 2d", "peek no", *hit("4s"), up="Th"))["seats"]
    assert seat["decisions"][0]["act"] == "surrender 1"
    [seat] = hints_for(play("2c 2d", *hit("3s", "4h", "3h")))["seats"]
    assert seat["decisions"][0]["act"] == "hit 1"  # six cards win


def test_a_blackjack_needs_no_insurance() -> None:
    ways = insurance_values(solve(GAME.rules), (ACE, TEN), ACE)["blackjack_before_check"]
    assert ways["neither"]["exact"] == "17/16"
    assert set(ways) == {"neither", "insured for half"}


def test_a_record_reads_back_with_its_endings() -> None:
    round_ = play("2c 2d", "split 1", "deal 3s", *hit("3h", "3c", "Th", hand=1), "deal 9s", "surrender 1 2")
    again = read_any_record(write_record(round_))
    assert isinstance(again, BlackjackRound)
    assert again.settlements == round_.settlements
    assert [hand.ending for hand in again.seats[1].hands] == [Ending.BONUS_21, Ending.SURRENDERED]
