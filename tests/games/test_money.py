"""Amounts as people write them, and fractions of a chip."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import NotationError
from croupier.games.money import LARGEST_CENTS, InFavourOf, Rounding, dollars, parse_cents
from tests.games.support import assert_one_sentence


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("5", 500),
        ("$5", 500),
        ("7.50", 750),
        ("7.5", 750),
        ("$1,000", 100_000),
        ("1,234,567.89", 123_456_789),
        (" 5 ", 500),
        ("0", 0),
        ("0.01", 1),
        ("5.000", 500),
    ],
)
def test_dollars_are_read_as_cents(text: str, cents: int) -> None:
    assert parse_cents(text) == cents


@pytest.mark.parametrize(
    "text",
    ["", "$", "five", "-5", "5-", "$$5", "1e3", "5.", ".5", "5.5.5", "0.001", "٥", "5 dollars", "inf", "nan", "5\n5"],
)
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_cents(text)
    assert_one_sentence(error.value)


@pytest.mark.parametrize("text", ["5,00", "1,0,0", ",5", "5,", "1,0000", "10,00.50"])
def test_a_comma_anywhere_but_between_thousands_is_refused(text: str) -> None:
    # "5,00" is five dollars in half the world, and never five hundred.
    with pytest.raises(NotationError):
        parse_cents(text)


@pytest.mark.parametrize("text", ["99999999999999", "9" * 5000])
def test_more_money_than_a_table_holds_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_cents(text)


@pytest.mark.parametrize(
    ("cents", "text"), [(750, "$7.50"), (-100_000, "-$1,000.00"), (0, "$0.00"), (-5, "-$0.05"), (1, "$0.01")]
)
def test_cents_are_shown_as_dollars(cents: int, text: str) -> None:
    assert dollars(cents) == text


@given(st.integers(0, LARGEST_CENTS))
def test_dollars_parse_back(cents: int) -> None:
    assert parse_cents(dollars(cents)) == cents


@pytest.mark.parametrize(
    ("rule", "pays", "charges"),
    [
        (InFavourOf.HOUSE, [0, 0, 0, 0, 25], [0, 25, 25, 25, 25]),
        (InFavourOf.NEAREST, [0, 0, 25, 25, 25], [0, 0, 25, 25, 25]),
        (InFavourOf.PLAYER, [0, 25, 25, 25, 25], [0, 0, 0, 0, 25]),
    ],
)
def test_fractions_of_a_chip_go_where_the_rule_says(rule: InFavourOf, pays: list[int], charges: list[int]) -> None:
    exact = [Fraction(0), Fraction(1, 3), Fraction(25, 2), Fraction(24), Fraction(25)]
    rounding = Rounding(25, rule)
    assert [rounding.pay(cents) for cents in exact] == pays
    assert [rounding.charge(cents) for cents in exact] == charges


@given(st.fractions(0, 10**6), st.sampled_from([1, 5, 25, 50, 100, 500]), st.sampled_from(InFavourOf))
def test_rounding_stays_within_one_chip(exact: Fraction, chip: int, rule: InFavourOf) -> None:
    rounding = Rounding(chip, rule)
    for rounded in (rounding.pay(exact), rounding.charge(exact)):
        assert rounded % chip == 0
        assert abs(rounded - exact) < chip


@given(st.integers(0, 10**9), st.sampled_from([1, 25, 100]), st.sampled_from(InFavourOf))
def test_whole_chips_are_left_alone(chips: int, chip: int, rule: InFavourOf) -> None:
    assert Rounding(chip, rule).pay(Fraction(chips * chip)) == chips * chip
    assert Rounding(chip, rule).charge(Fraction(chips * chip)) == chips * chip


@pytest.mark.parametrize("chip", [0, -1, LARGEST_CENTS + 1])
def test_an_impossible_chip_is_refused(chip: int) -> None:
    with pytest.raises(NotationError):
        Rounding(chip)
