"""What the terminal shows: cards in boxes where it can, plain notation where it cannot."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from croupier.cards.card import DECK, Card, parse_cards
from croupier.cli.table.drawing import (
    View,
    draw_cards,
    draw_hand,
    result_style,
    signed,
    view_of,
    wager_line,
    with_symbols,
)

DRAWN = View(80)
PLAIN = View(80, drawn=False)
HAND = parse_cards("Qh Tc 4d")


def console(*, terminal: bool = True, width: int = 80) -> Console:
    return Console(file=io.StringIO(), force_terminal=terminal, width=width, _environ={"TERM": "xterm"})


def test_large_cards_stand_side_by_side() -> None:
    assert [line.plain for line in draw_cards(HAND)] == [
        "┌─────┐┌─────┐┌─────┐",
        "│Q    ││10   ││4    │",
        "│  ♥  ││  ♣  ││  ♦  │",
        "│    Q││   10││    4│",
        "└─────┘└─────┘└─────┘",
    ]


def test_small_cards_take_three_lines() -> None:
    assert [line.plain for line in draw_cards(HAND, large=False)] == [
        "┌───┐┌───┐┌───┐",
        "│ Q♥││10♣││ 4♦│",
        "└───┘└───┘└───┘",
    ]


def test_a_card_face_down_tells_nothing() -> None:
    lines = [line.plain for line in draw_cards([None, HAND[0]], large=False)]
    assert lines == ["┌───┐┌───┐", "│░░░││ Q♥│", "└───┘└───┘"]


@pytest.mark.parametrize("large", [True, False])
def test_all_cards_have_one_size(large: bool) -> None:
    sizes = {tuple(line.cell_len for line in draw_cards([card], large=large)) for card in (*DECK, None)}
    assert len(sizes) == 1


def test_red_suits_are_red() -> None:
    for card in DECK:
        [_, face, _] = draw_cards([card], large=False)
        styles = {str(span.style) for span in face.spans}
        assert ("bold red" in styles) == (card.suit.letter in "dh"), card


def test_a_hand_has_its_words_beside_it() -> None:
    text = draw_hand(DRAWN.small(), "Seat 3", HAND, ["24 points", "", "Ante $5.00"]).plain
    assert text.splitlines() == [
        "  ┌───┐┌───┐┌───┐  Seat 3",
        "  │ Q♥││10♣││ 4♦│  24 points",
        "  └───┘└───┘└───┘  Ante $5.00",
    ]


@pytest.mark.parametrize("cards", [3, 4, 7])
@pytest.mark.parametrize("large", [True, False])
@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_hand_with_long_words_fits(cards: int, large: bool, width: int) -> None:
    words = "High Td Tc (a pair of tens), Low Ts Th (a pair of tens); " * 4
    text = draw_hand(View(width, large=large), "Dealer", DECK[30 : 30 + cards], [words])
    assert max(line.cell_len for line in text.split("\n")) <= width
    assert text.plain.count("10♦") >= 4


def test_a_plain_hand_is_one_line() -> None:
    assert draw_hand(PLAIN, "Seat 1", HAND, ["24 points", "Ante $5.00"]).plain == (
        "Seat 1: Qh Tc 4d | 24 points | Ante $5.00"
    )
    assert draw_hand(PLAIN, "Dealer", [None, None, None]).plain == "Dealer: face down"


def test_cards_in_a_sentence_get_their_symbols() -> None:
    text = with_symbols(DRAWN, "high Td As, not 'Ash' or 9-9.")
    assert text.plain == "high 10♦ A♠, not 'Ash' or 9-9."
    assert {(text.plain[s.start : s.end], str(s.style)) for s in text.spans} == {("10♦", "bold red"), ("A♠", "bold")}
    assert with_symbols(PLAIN, "high Td As").plain == "high Td As"


@pytest.mark.parametrize("card", DECK, ids=str)
def test_a_symbol_reads_back_as_its_card(card: Card) -> None:
    assert Card.parse(with_symbols(DRAWN, str(card)).plain) == card


def test_boxes_are_for_wide_terminals_only() -> None:
    assert view_of(console()).drawn
    assert not view_of(console(width=59)).drawn
    assert not view_of(console(terminal=False)).drawn


def test_a_terminal_without_the_symbols_gets_letters() -> None:
    dumb = Console(file=io.StringIO(), force_terminal=True, width=80, _environ={"TERM": "dumb"})
    ascii_only = Console(
        file=io.TextIOWrapper(io.BytesIO(), encoding="ascii"), force_terminal=True, width=80, _environ={"TERM": "xterm"}
    )
    assert not view_of(dumb).drawn
    assert not view_of(ascii_only).drawn


def test_money_lines() -> None:
    assert wager_line({"Ante": 500, "Play": 1_000_050}) == "Ante $5.00, Play $10,000.50"
    assert [signed(cents) for cents in (750, 0, -500)] == ["+$7.50", "$0.00", "-$5.00"]
    assert [result_style(cents) for cents in (750, 0, -500)] == ["green", "", "red"]
