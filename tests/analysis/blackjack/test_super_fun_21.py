"""Super Fun 21, counted: published edges, the chart's cost, hints that know its decisions, and its record."""

from __future__ import annotations

import numpy as np
import pytest

from croupier.analysis.analyst import analyst_of, hints_for
from croupier.analysis.blackjack.basic import basic_strategy, evaluate
from croupier.analysis.blackjack.moments import moments
from croupier.analysis.blackjack.question import Asked
from croupier.analysis.blackjack.sampled import shoe_cards, shoe_tables
from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.blackjack.solver import insurance_values, solve
from croupier.analysis.kernels.shoe_play import empty_seats, play_shoes
from croupier.games.blackjack.hand import Ending
from croupier.games.blackjack.round import BlackjackRound
from croupier.games.blackjack.rules import ACE, TEN, Rules
from croupier.games.table.record import read_any_record, write_record
from croupier.games.wager import approved_paytable
from tests.games.titles.test_super_fun_21 import GAME, hit, play
from tests.independent.super_fun import CASES, Seat


def test_the_published_edges() -> None:
    """21-blackjack-casino.com has 0.94 % where the dealer hits a soft 17, and wizardofodds.com 0.75 % where not."""
    one, stands = solve(GAME.rules), solve(GAME.under("S17").rules)
    assert (round(-100 * one.edge, 2), round(-100 * stands.edge, 2)) == (0.94, 0.75)
    swings = moments(one)
    assert swings.mean == pytest.approx(one.edge, abs=1e-12)
    assert sum(swings.law.values()) == pytest.approx(1, abs=1e-12)
    assert {chance for result, chance in swings.law.items() if result.denominator == 2 and result > 0} != {0.0}


@pytest.mark.parametrize(("words", "seat"), CASES)
def test_a_few_cards_with_splits_dealt_out_by_a_second_program(words: str, seat: Seat) -> None:
    assert solve(Rules.parse(words), Composition(seat.shoe)).edge == pytest.approx(float(seat.edge()), abs=1e-14)
    assert seat.edge() > Seat(seat.shoe, most=1).edge(), "a pair is split"


def test_a_chart_surrenders_hands_of_any_size_and_costs_a_little() -> None:
    chart = evaluate(basic_strategy(GAME.rules), GAME.rules)
    assert 0.0005 < solve(GAME.rules).edge - chart.edge < 0.0015
    assert moments(chart).mean == pytest.approx(chart.edge, abs=1e-12)


def test_14_19_a_deck_in_use_hardly_ever_runs_out() -> None:
    """Four in a million rounds of one seat at the latest cut card are expected."""
    rules = GAME.under("CUT95").rules
    tables = shoe_tables(rules, solve(rules).strategy, [], seats=1)
    counts = np.zeros(tables.bins, dtype=np.int64)
    play_shoes(np.uint64(1419), 1_000_000, empty_seats(1), shoe_cards(rules), 0, tables, counts)
    assert 1 <= counts[tables.void_bin] <= 12


def test_16_5_and_17_6_pages_open_it_with_the_tables_for_one_deck() -> None:
    """A pair comes once in 17, and wizardofodds.com has 3.7707 % for Royal Match."""
    edges = {
        key: analyst_of(GAME).odds(Asked(wager=key, paytable=table), approved_paytable)["house_edge"]["percent"]
        for key, table in GAME.usual["paytables"].items()
    }
    assert set(edges) == set(GAME.usual["side_wagers"])
    assert edges == {"bet-the-set": pytest.approx(100 / 17), "royal-match": pytest.approx(3.7707, abs=5e-5)}


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
