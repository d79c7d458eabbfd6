"""Cards, hands and chips drawn for a terminal; where it cannot show them, one plain line: `Qh 6c 4d`."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from rich.console import Console
from rich.text import Text

from croupier.cards.card import Card, Rank, Suit
from croupier.games.money import dollars

NARROWEST_DRAWN = 60
"""Columns below which cards are written and not drawn."""
NOTATION = re.compile(r"(?<!\w)([2-9TJQKA])([cdhs])(?!\w)")
RED = "bold red"
BLACK = "bold"
BACK = "blue"
GAP = 2
MOST_LARGE = 4
"""Cards that are drawn large in one hand; more of them would leave no room for words."""


@dataclass(frozen=True, slots=True)
class View:
    """What the terminal can show."""

    width: int = 80
    drawn: bool = True
    """Boxes, suit symbols and colours; otherwise letters in plain lines."""
    large: bool = True
    """Cards five lines high; otherwise three."""

    def small(self) -> View:
        """The same, with room for many hands."""
        return replace(self, large=False)


def view_of(console: Console) -> View:
    """Draw on a terminal that is wide enough and knows the symbols; write plain lines anywhere else."""
    able = console.is_terminal and not console.is_dumb_terminal and not console.options.ascii_only
    return View(console.width, drawn=able and console.width >= NARROWEST_DRAWN)


def draw_cards(cards: Sequence[Card | None], *, large: bool = True) -> list[Text]:
    """The lines of the cards side by side, five or three of them; None is a card face down."""
    boxes = [_box(card, large=large) for card in cards]
    styles = [card_style(card) for card in cards]
    lines = []
    for row in zip(*boxes, strict=True):
        line = Text()
        for part, style in zip(row, styles, strict=True):
            line.append(part[0]).append(part[1:-1], "" if part[0] in "┌└" else style).append(part[-1])
        lines.append(line)
    return lines


def _box(card: Card | None, *, large: bool) -> list[str]:
    """One card's lines, all equally long."""
    if card is None:
        inside = ["░░░░░"] * 3 if large else ["░░░"]
    elif large:
        inside = [f"{_rank(card):<5}", f"{card.suit.symbol:^5}", f"{_rank(card):>5}"]
    else:
        inside = [f"{_shown(card):>3}"]
    bar = "─" * len(inside[0])
    return [f"┌{bar}┐", *(f"│{line}│" for line in inside), f"└{bar}┘"]


def draw_hand(view: View, name: str, cards: Sequence[Card | None], notes: Iterable[str] = ()) -> Text:
    """A hand with who holds it and what there is to say: beside the drawn cards, or all in one line."""
    words = [note for note in notes if note]
    if not view.drawn:
        seen = " ".join(str(card) for card in cards if card)
        down = len([card for card in cards if card is None])
        held = (
            f"{seen} and {'one' if down == 1 else down} face down" if seen and down else "face down" if down else seen
        )
        return Text(f"{name}: {held}" + "".join(f" | {note}" for note in words))
    drawn = draw_cards(cards, large=view.large and len(cards) <= MOST_LARGE)
    beside = _beside(name, words, columns=view.width - drawn[0].cell_len - 2 * GAP)
    first = 1 if len(beside) < len(drawn) else 0
    blank = Text(" " * drawn[0].cell_len)
    lines = []
    for number in range(max(len(drawn), len(beside) + first)):
        line = Text(" " * GAP) + (drawn[number] if number < len(drawn) else blank)
        if 0 <= number - first < len(beside):
            line = line + Text(" " * GAP) + beside[number - first]
        lines.append(line)
    return Text("\n").join(lines)


def _beside(name: str, notes: Sequence[str], *, columns: int) -> list[Text]:
    lines = [Text(name, "bold")]
    for note in notes:
        # Wrapped as it is shown, for 10♦ is longer than Td.
        lines += [_coloured(line) for line in textwrap.wrap(_in_symbols(note), columns)]
    return lines


def with_symbols(view: View, text: str, style: str = "") -> Text:
    """A sentence in which cards such as `Qh` are shown as `Q♥`, where they can be."""
    return _coloured(_in_symbols(text), style) if view.drawn else Text(text, style)


def _in_symbols(text: str) -> str:
    return NOTATION.sub(lambda match: _shown(Card.parse(match[0])), text)


def _coloured(text: str, style: str = "") -> Text:
    shown = Text(text, style)
    shown.highlight_regex(r"\w+[♦♥]", RED)
    shown.highlight_regex(r"\w+[♣♠]", BLACK)
    return shown


def wager_line(wagers: Mapping[str, int]) -> str:
    """The chips at one place, by the titles of their spots: `Ante $5.00, Play $5.00`."""
    return ", ".join(f"{title} {dollars(cents)}" for title, cents in wagers.items())


def signed(cents: int) -> str:
    """A result: `+$7.50`, `-$5.00`, `$0.00`."""
    return f"{'+' if cents > 0 else ''}{dollars(cents)}"


def result_style(cents: int) -> str:
    """Green for a win, red for a loss."""
    return "green" if cents > 0 else "red" if cents < 0 else ""


def card_style(card: Card | None) -> str:
    if card is None:
        return BACK
    return RED if card.suit in (Suit.HEARTS, Suit.DIAMONDS) else BLACK


def _rank(card: Card) -> str:
    """As a card shows it: a ten is 10."""
    if card.is_joker:
        return str(card)
    return "10" if card.rank is Rank.TEN else card.rank.letter


def _shown(card: Card) -> str:
    return _rank(card) + card.suit.symbol
