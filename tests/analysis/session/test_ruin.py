"""Ruin for ever and Kelly's stake, against what is known of plain games."""

from __future__ import annotations

from fractions import Fraction
from math import log

import numpy as np
import pytest

from croupier.analysis.session.bankroll import Purse, Ruin, kelly_share, ruin_for_ever, walk
from croupier.analysis.session.rounds import RoundLaw, make_law
from tests.cli.test_commands import Run, run

__all__ = ["run"]


def law(results: dict[int, Fraction]) -> RoundLaw:
    weights = {Fraction(net): int(chance * 10_000) for net, chance in results.items()}
    return make_law(weights, first_cents=100, most_cents=Fraction(-min(*results, -100)), exact=True)


COIN = law({100: Fraction(52, 100), -100: Fraction(48, 100)})


@pytest.mark.parametrize("units", [1, 5, 20])
def test_an_even_bet_with_an_edge_is_ruined_as_the_gambler_is(units: int) -> None:
    found = ruin_for_ever(COIN, Purse(100 * units, Fraction(100)))
    assert found.low == pytest.approx((48 / 52) ** units, rel=1e-9)
    assert found.high == pytest.approx(found.low, rel=1e-12)


def test_without_an_edge_everybody_is_ruined_and_kelly_stakes_nothing() -> None:
    fair = law({100: Fraction(1, 2), -100: Fraction(1, 2)})
    assert ruin_for_ever(fair, Purse(10_000, Fraction(100))) == Ruin(1.0, 1.0)
    assert kelly_share(fair) == 0.0


def test_kelly_of_an_even_bet_is_its_edge() -> None:
    assert kelly_share(COIN) == pytest.approx(0.04, abs=1e-12)


def test_kelly_grows_no_slower_than_any_other_share() -> None:
    odd = law({1500: Fraction(8, 100), 100: Fraction(10, 100), 0: Fraction(2, 100), -100: Fraction(80, 100)})
    best = kelly_share(odd)

    def grows(share: float) -> float:
        chances = (float(chance) for chance in odd.chances)
        return sum(
            chance * log(1 + share * net * float(odd.step_cents) / 100)
            for net, chance in zip(odd.nets, chances, strict=True)
        )

    assert 0 < best < 1
    assert all(grows(best) >= grows(share) for share in np.linspace(0, 0.5, 101))


def test_the_bounds_hold_what_a_long_session_comes_to() -> None:
    """Losses of one and two units: followed round by round until hardly anybody is left to be ruined."""
    mixed = law({100: Fraction(60, 100), -100: Fraction(30, 100), -200: Fraction(10, 100)})
    purse = Purse(500, Fraction(100))
    found = ruin_for_ever(mixed, purse)
    played = walk(mixed, purse, 4_000)
    assert found.low <= played.ruin <= found.high
    assert found.high / found.low < 2


def test_a_session_says_both(run: Run) -> None:
    words = ("session", "blackjack", "bet-the-set", "--paytable", "25-10", "--bankroll", "1000", "--rounds", "50")
    said = run(*words)
    assert said.code == 0, said.err
    assert "gone some day" in said.out
    assert "Kelly" in said.out
    found = run(*words, "--json").json["for_ever"]
    assert 0 < found["ruin_low"] <= found["ruin_high"] < 1
    assert 0 < found["kelly_share"] < 0.1
    assert found["kelly_stake_cents"] == int(found["kelly_share"] * 100_000)
