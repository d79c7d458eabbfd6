"""What is left in a shoe: text that reads back, and cards that can be taken out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.analysis.blackjack.shoe import Composition, card_value, card_values, format_values
from croupier.errors import NotationError


@given(st.lists(st.integers(0, 200), min_size=10, max_size=10).filter(any))
def test_a_composition_reads_back(counts: list[int]) -> None:
    shoe = Composition(tuple(counts))
    assert Composition.parse(str(shoe)) == shoe


@given(st.lists(st.integers(1, 10)))
def test_values_read_back(values: list[int]) -> None:
    assert card_values(format_values(values)) == tuple(values)


def test_values_as_people_write_them() -> None:
    assert card_values("A 5 10, K-q j T") == (1, 5, 10, 10, 10, 10, 10)
    assert card_values("A510") == (1, 5, 10)
    assert card_value("a") == card_value("1") == 1


def test_cards_are_taken_out() -> None:
    full = Composition.full(6)
    assert full.size == 312
    assert full.without("A A T") == full.without((1, 1, 10))
    assert full.without("A A T").counts == (22, 24, 24, 24, 24, 24, 24, 24, 24, 95)
    assert str(Composition.full(1)) == "Ax4 2x4 3x4 4x4 5x4 6x4 7x4 8x4 9x4 Tx16"
    assert Composition.parse("t:3, Ax1") == Composition((1, 0, 0, 0, 0, 0, 0, 0, 0, 3))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Ax4 4", "'4' does not count cards"),
        ("Ax4 1x2", "'1x2' does not count cards"),
        ("Tx4 Kx2", "T is counted twice"),
        ("Ax0", "1 to 10,000 cards in all"),
        ("Ax99999", "1 to 10,000 cards in all"),
        ("", "1 to 10,000 cards in all"),
    ],
)
def test_what_is_no_shoe_is_refused(text: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        Composition.parse(text)


def test_what_is_not_there_cannot_go() -> None:
    with pytest.raises(NotationError, match="The shoe holds A 4 times, not the 5 that are to go"):
        Composition.full(1).without("A A A A A")
    with pytest.raises(NotationError, match="counted by 10 values, not 9"):
        Composition((4,) * 9)
    with pytest.raises(NotationError, match="no value less than 0 times"):
        Composition((4,) * 9 + (-1,))
