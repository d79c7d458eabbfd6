"""What is left in a shoe, by value: `A24 2x24 3x24 ... Tx96`, from whole decks or with any cards gone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from croupier.cards.card import DECK
from croupier.errors import NotationError
from croupier.games.blackjack.rules import ACE, TEN
from croupier.games.blackjack.side_wagers import value

LETTERS = "A23456789T"
_FACES = {"10": "T", "J": "T", "Q": "T", "K": "T", "1": "A"}
MOST_CARDS = 10_000


def card_value(text: str) -> int:
    """Read `A`, `2` to `9`, `T`, `10`, `J`, `Q` or `K` as a value from 1 to 10."""
    word = text.strip().upper()
    letter = _FACES.get(word, word)
    if len(letter) != 1 or letter not in LETTERS:
        raise NotationError(f"{text!r} is no card value: write A, 2 to 9, or T for tens and faces.")
    return LETTERS.index(letter) + 1


def up_value(up: str | int) -> int:
    """A dealer's up card, written or as a number from 1 (ace) to 10."""
    return card_value(str(up))


def card_values(text: str) -> tuple[int, ...]:
    """Read values with or without spaces between: `A 5 10`, `A,5,T` or `A5T`."""
    words = text.replace(",", " ").replace("-", " ").split()
    return tuple(card_value(letter) for word in words for letter in re.findall(r"10|.", word))


def values_of_cards(text: str) -> tuple[int, ...]:
    """The same where suits may be written, which do not matter: `Ks 9c`."""
    return card_values(re.sub(r"(?<=[0-9TJQKA])[cdhs♣♦♥♠]", " ", text.strip(), flags=re.IGNORECASE))


UNSEEN = 0
"""In place of a hole card that nobody has seen."""


def hole_value(text: str) -> int:
    """The dealer's hole card, as `6` or `Kd`; `UNSEEN` where nothing is written."""
    if not text.strip():
        return UNSEEN
    seen = values_of_cards(text)
    if len(seen) != 1:
        raise NotationError(f"The dealer has one hole card, not {text!r}: write it as 6, T or Kd.")
    return seen[0]


def read_values(cards: str | Iterable[int]) -> tuple[int, ...]:
    """Cards as text, or as numbers from 1 (ace) to 10; anything else is refused."""
    return card_values(cards) if isinstance(cards, str) else tuple(card_value(str(card)) for card in cards)


def value_letter(value: int) -> str:
    return LETTERS[value - 1]


def format_values(values: Iterable[int]) -> str:
    """The text that `card_values` reads back."""
    return " ".join(map(value_letter, values))


@dataclass(frozen=True, slots=True)
class Composition:
    """How many cards of each value are left; `Composition.parse(str(shoe)) == shoe`."""

    counts: tuple[int, ...]
    """Aces first, tens and faces last."""

    def __post_init__(self) -> None:
        if len(self.counts) != len(LETTERS):
            raise NotationError(f"A shoe is counted by {len(LETTERS)} values, not {len(self.counts)}.")
        if min(self.counts) < 0 or not 0 < sum(self.counts) <= MOST_CARDS:
            raise NotationError(
                f"A shoe holds no value less than 0 times and 1 to {MOST_CARDS:,} cards in all, not {self.counts}."
            )

    @classmethod
    def full(cls, decks: int) -> Composition:
        """Whole decks."""
        return cls(tuple(decks * sum(value(card) == card_value for card in DECK) for card_value in range(ACE, TEN + 1)))

    @classmethod
    def parse(cls, text: str) -> Composition:
        """Read `Ax24 2x24 ... Tx96`; a value that is left out has no card."""
        counts: dict[int, int] = {}
        for word in text.replace(",", " ").split():
            match = re.fullmatch(r"(?P<value>10|[A2-9TJQK])[xX:](?P<cards>\d{1,6})", word, re.IGNORECASE | re.ASCII)
            if not match:
                raise NotationError(f"{word!r} does not count cards: write a value and how many, as in 'Tx96'.")
            value = card_value(match["value"])
            if value in counts:
                raise NotationError(f"{value_letter(value)} is counted twice: write each value once.")
            counts[value] = int(match["cards"])
        return cls(tuple(counts.get(value, 0) for value in range(ACE, TEN + 1)))

    def __str__(self) -> str:
        return " ".join(f"{letter}x{cards}" for letter, cards in zip(LETTERS, self.counts, strict=True) if cards)

    @property
    def size(self) -> int:
        return sum(self.counts)

    def without(self, cards: str | Iterable[int]) -> Composition:
        """The shoe after these cards are gone; a card it does not hold is refused."""
        values = read_values(cards)
        self.check_holds(values)
        return Composition(tuple(cards - values.count(value) for value, cards in enumerate(self.counts, start=1)))

    def check_holds(self, values: tuple[int, ...]) -> None:
        """Refuse cards that the shoe does not hold so often."""
        for held in values:
            if values.count(held) > self.counts[held - 1]:
                raise NotationError(
                    f"The shoe holds {value_letter(held)} {self.counts[held - 1]} times, "
                    f"not the {values.count(held)} that are to go."
                )
