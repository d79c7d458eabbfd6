"""A playing card, a hand of them, and how they are written: `Qh 6c 4d`."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from croupier.errors import NotationError


class Rank(IntEnum):
    """Two to ace; the ace is the highest here, and each game says what it counts."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    # An enumeration's own hash goes by the name, in Python; rules put ranks and suits into sets all the time.
    __hash__ = int.__hash__

    @property
    def letter(self) -> str:
        return RANK_LETTERS[self - 2]


class Suit(IntEnum):
    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    __hash__ = int.__hash__

    @property
    def letter(self) -> str:
        return SUIT_LETTERS[self]

    @property
    def symbol(self) -> str:
        return SUIT_SYMBOLS[self]


class Wild(IntEnum):
    """The rank of a joker, which is none of the thirteen: a game that has one says what it stands for."""

    JOKER = 15

    __hash__ = int.__hash__

    @property
    def letter(self) -> str:
        return "J"


class NoSuit(IntEnum):
    """The suit of a joker, which is none of the four."""

    NONE = 4

    __hash__ = int.__hash__

    @property
    def letter(self) -> str:
        return "k"

    @property
    def symbol(self) -> str:
        return "★"


RANK_LETTERS = "23456789TJQKA"
SUIT_LETTERS = "cdhs"
SUIT_SYMBOLS = "♣♦♥♠"


class Card(NamedTuple):
    """One card; `Card.parse(str(card)) == card`."""

    rank: Rank
    suit: Suit

    @property
    def is_joker(self) -> bool:
        return self.rank > Rank.ACE

    def __str__(self) -> str:
        return self.rank.letter + self.suit.letter

    @property
    def number(self) -> int:
        """0 (two of clubs) to 51 (ace of spades), rank by rank; a joker comes after them."""
        return len(DECK) if self.is_joker else (self.rank - 2) * 4 + self.suit

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read `Qh`, `10d`, `Td` or `Q♥`, and `Jk`, a joker; letters in either case."""
        word = text.strip()
        if word.lower() == str(JOKER).lower():
            return JOKER
        word = "T" + word[2:] if word.startswith("10") else word
        rank_text, suit_text = word[:1], word[1:]
        rank = RANK_LETTERS.find(rank_text.upper())
        suit = max(SUIT_LETTERS.find(suit_text.lower()), SUIT_SYMBOLS.find(suit_text))
        if len(word) != 2 or rank < 0 or suit < 0:
            raise NotationError(
                f"{text!r} is no card: write a rank ({' '.join(RANK_LETTERS)}) "
                f"and a suit ({' '.join(SUIT_LETTERS)}), as in 'Qh'."
            )
        return DECK[rank * 4 + suit]


Hand: TypeAlias = tuple[Card, ...]

DECK: Hand = tuple(Card(rank, suit) for rank in Rank for suit in Suit)
"""One standard deck in order; `DECK[card.number] is card`."""
JOKER = Card(Wild.JOKER, NoSuit.NONE)  # type: ignore[arg-type]  # to a rule that knows no joker it is just no such card
"""In no standard deck; all jokers are alike."""


def parse_cards(text: str, *, decks: int = 1, jokers: int = 0) -> Hand:
    """Read cards separated by spaces or commas; more copies than the decks hold are refused."""
    hand = tuple(Card.parse(word) for word in text.replace(",", " ").split())
    check_copies(hand, decks=decks, jokers=jokers)
    return hand


def format_cards(cards: Iterable[Card]) -> str:
    """The text that `parse_cards` reads back."""
    return " ".join(map(str, cards))


def check_copies(cards: Iterable[Card], *, decks: int = 1, jokers: int = 0) -> None:
    """Refuse a card that appears more often than `decks` decks hold it, with so many jokers in each."""
    seen: dict[Card, int] = {}
    for card in cards:
        seen[card] = seen.get(card, 0) + 1
        if card.is_joker and not jokers:
            raise NotationError(f"{card} is a joker, and none is in this game.")
        most = decks * jokers if card.is_joker else decks
        if seen[card] > most:
            raise NotationError(
                f"{card} appears {seen[card]} times; "
                f"{'one deck holds' if decks == 1 else f'{decks} decks hold'} it {most}"
                f"{' time' if most == 1 else ' times'}."
            )
