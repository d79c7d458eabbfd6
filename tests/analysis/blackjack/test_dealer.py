"""The dealer's hand: every ending counted exactly, with any cards gone."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from croupier.analysis.blackjack.dealer import (
    ENDINGS,
    dealer_distribution,
    exact_distribution,
    totals_for,
    trie,
    trie_for,
)
from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.kernels.dealer import dealer_totals
from croupier.errors import NotationError
from croupier.games.blackjack.rules import Rules
from tests.analysis.blackjack.reference import BROKEN, Cards, RanOut, Reference, draws, held, remove


def exact(rules: Rules, shoe: Cards, up: int) -> dict[str, Fraction]:
    """The endings of one up card, by drawing every card."""
    reference = Reference(rules, shoe)
    ends = dict.fromkeys(ENDINGS, Fraction(0))
    for hole, chance, left in draws(remove(shoe, up)):
        if {up, hole} == {1, 10}:
            ends["blackjack"] += chance
            continue
        for total, likely in reference.dealer(held((up,), hole), left).items():
            ends["broken" if total == BROKEN else str(total)] += chance * likely
    return ends


@st.composite
def shoes(draw: st.DrawFn) -> Cards:
    return (*(draw(st.integers(0, 4)) for _ in range(9)), draw(st.integers(2, 12)))


@settings(max_examples=20, deadline=None)
@given(shoes(), st.integers(1, 10), st.booleans())
def test_every_ending_of_small_shoes(shoe: Cards, up: int, hits_soft_17: bool) -> None:
    assume(shoe[up - 1] and sum(shoe) < 26)
    rules = Rules(hits_soft_17=hits_soft_17)
    try:
        wanted = exact(rules, shoe, up)
    except RanOut:
        assume(False)
    assert exact_distribution(rules, up, Composition(shoe)) == wanted
    found = dealer_distribution(rules, up, Composition(shoe))
    assert found == pytest.approx({end: float(chance) for end, chance in wanted.items()}, abs=1e-14)


@pytest.mark.parametrize("checked", [False, True])
def test_fractions_agree_with_the_kernel_from_full_decks(checked: bool) -> None:
    for rules in (Rules(), Rules(decks=1, hits_soft_17=True)):
        for up in range(1, 11):
            fractions = exact_distribution(rules, up, Composition.full(rules.decks), checked=checked)
            assert sum(fractions.values()) == 1
            found = dealer_distribution(rules, up, checked=checked)
            assert found == pytest.approx({end: float(chance) for end, chance in fractions.items()}, abs=1e-14)


def test_a_checked_hole_card_is_no_blackjack() -> None:
    plain = dealer_distribution(Rules(), "A")
    checked = dealer_distribution(Rules(), "A", checked=True)
    assert plain["blackjack"] == pytest.approx(96 / 311)
    assert "blackjack" not in checked
    assert checked["broken"] == pytest.approx(plain["broken"] / (1 - 96 / 311))
    assert dealer_distribution(Rules(), 7)["blackjack"] == 0


@pytest.mark.parametrize("up", ["A", "2", "6", "T"])
@pytest.mark.parametrize("text", ["1D S17", "8D H17"])
def test_endings_add_up(up: str, text: str) -> None:
    for checked in (False, True):
        assert sum(dealer_distribution(Rules.parse(text), up, checked=checked).values()) == pytest.approx(1, abs=1e-15)


def test_cards_that_are_gone_change_the_endings() -> None:
    full, rich = Composition.full(1), Composition.full(1).without("2 3 4 5 6 2 3 4 5 6")
    assert dealer_distribution(Rules(), "6", rich)["broken"] > dealer_distribution(Rules(), "6", full)["broken"] + 0.05


def test_an_up_card_must_be_in_the_shoe() -> None:
    with pytest.raises(NotationError, match="The shoe holds no 5"):
        dealer_distribution(Rules(), "5", Composition.parse("Ax4 Tx16"))
    with pytest.raises(NotationError, match="every hand of the dealer that shows A is a blackjack"):
        dealer_distribution(Rules(), "A", Composition.parse("Ax1 Tx16"), checked=True)
    with pytest.raises(NotationError, match="'B' is no card value"):
        dealer_distribution(Rules(), "B")


def test_many_shoes_at_once_are_the_same_as_one_by_one() -> None:
    shoe = Composition.full(2)
    missing = np.random.default_rng(7).integers(0, 5, size=(200, 10))
    together = totals_for(shoe, missing, hits_soft_17=True)
    for row in (0, 63, 64, 199):
        alone = totals_for(shoe, missing[row : row + 1], hits_soft_17=True)
        assert np.array_equal(together[row], alone[0])


@pytest.mark.parametrize("up", [1, 5, 10])
def test_one_up_card_needs_a_part_of_the_hands(up: int) -> None:
    whole, part = trie(hits_soft_17=False), trie_for(up, hits_soft_17=False)
    assert len(part.value) < len(whole.value)
    shoe, none = np.array(Composition.full(6).counts), np.zeros((1, 10), dtype=np.int64)
    assert np.array_equal(dealer_totals(shoe, none, part)[..., up - 1], dealer_totals(shoe, none, whole)[..., up - 1])
