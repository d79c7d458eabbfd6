"""How cards are written, read back and refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards.card import DECK, Card, Rank, Suit, check_copies, format_cards, parse_cards
from croupier.errors import NotationError

hands = st.lists(st.sampled_from(DECK), unique=True).map(tuple)


def test_a_deck_is_52_different_cards_in_the_order_of_their_numbers() -> None:
    assert len(set(DECK)) == 52
    assert [card.number for card in DECK] == list(range(52))
    assert str(DECK[0]) == "2c"
    assert str(DECK[-1]) == "As"


@given(hands)
def test_the_text_of_cards_parses_back(hand: tuple[Card, ...]) -> None:
    assert parse_cards(format_cards(hand)) == hand


@pytest.mark.parametrize("text", ["Td", "10d", "td", " TD ", "T♦", "10♦"])
def test_a_card_may_be_written_in_several_ways(text: str) -> None:
    assert Card.parse(text) == Card(Rank.TEN, Suit.DIAMONDS)


def test_cards_are_separated_by_spaces_or_commas() -> None:
    assert format_cards(parse_cards("Qh, 6c,4d")) == "Qh 6c 4d"
    assert parse_cards("") == ()


@pytest.mark.parametrize("text", ["", "Q", "h", "1h", "0h", "11h", "Qx", "hQ", "Qhh", "QQh", "100h", "Joker", "?h"])
def test_an_impossible_card_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is no card: write a rank"):
        Card.parse(text)


@pytest.mark.parametrize("text", ["23h", "9Td", "tjc", "KAs"])
def test_two_ranks_are_no_rank(text: str) -> None:
    with pytest.raises(NotationError, match="is no card"):
        Card.parse(text)


@pytest.mark.parametrize("text", ["Qh 6c Qh", "qh 6c Q♥", "10h Th"])
def test_a_duplicate_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="appears 2 times; one deck holds it 1 time"):
        parse_cards(text)


def test_a_shoe_of_two_decks_holds_each_card_twice() -> None:
    assert len(parse_cards("Qh Qh", decks=2)) == 2
    with pytest.raises(NotationError, match="Qh appears 3 times; 2 decks hold it 2 times"):
        check_copies(parse_cards("Qh Qh Qh", decks=3), decks=2)
