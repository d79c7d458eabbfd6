"""What a dealer is asked about a round: a question, and what is right. Definitions and rounds make them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from croupier.cards.card import Hand
from croupier.games.game import Handled


class Kind(StrEnum):
    """What is asked about; mistakes are counted by it."""

    NEXT = "next"
    """Which part of the procedure comes next."""
    WHOM = "whom"
    """Who gets the next card or packet."""
    TURN = "turn"
    """Which seat decides next."""
    HAND = "hand"
    """What becomes of a hand that has drawn."""
    COUNT = "count"
    """The points of the dealer's cards."""
    QUALIFY = "qualify"
    """Whether the dealer plays."""
    SET = "set"
    """How the dealer's cards are set."""
    CHECK = "check"
    """Whether the hole card makes a blackjack."""
    DRAW = "draw"
    """Whether the dealer draws."""
    INSURE = "insure"
    """How much insurance is allowed."""
    ORDER = "order"
    """Which wager is settled next."""
    RESULT = "result"
    """Whether a wager wins, loses or pushes."""
    BONUS = "bonus"
    """Which line of its paytable a bonus wager makes."""
    COMMISSION = "commission"
    PAY = "pay"
    CALL = "call"
    """What the dealer calls out."""
    HANDLE = "handle"
    """Where cards and chips are put."""
    IRREGULAR = "irregular"
    """What is done when something fails."""


class Typed(StrEnum):
    """What is typed, where there is nothing to choose from."""

    MONEY = "money"
    NUMBER = "number"


@dataclass(frozen=True)
class Choice:
    """One of the answers that a question offers, with its key."""

    value: str
    label: str
    key: str


@dataclass(frozen=True)
class Question:
    """What is asked of the table as it is."""

    kind: Kind
    ask: str
    answers: tuple[str, ...]
    """The values that are right: of one of the choices, or what is typed, in cents or as a plain number."""
    paragraph: str
    """Of the game's rulebook: what a mistake is explained by."""
    choices: tuple[Choice, ...] = ()
    typed: Typed | None = None
    seat: int | None = None
    """Whom it is about."""
    spot: str = ""
    """Which wager of the seat, where it is about one."""
    hand: int = 0
    """Which hand of the seat that wager lies with, from 1, where there are several."""
    facts: str = ""
    """What the cards are worth, for whoever made a mistake."""
    sum: str = ""
    """How an amount is worked out, for whoever was wrong by it: `$30 at 20 to 1 is $600`."""
    seen: Hand = ()
    """The dealer's cards, as the dealer alone sees them now."""
    after: bool = False
    """Whether it is asked when the event has been told, and not before."""


def asked_of(handled: Handled) -> Question:
    """One right answer among others, in the order of the alphabet."""
    offered = sorted({handled.right, *handled.wrong})
    choices = numbered([(str(place), label) for place, label in enumerate(offered)])
    right = str(offered.index(handled.right))
    return Question(Kind(handled.kind), handled.ask, (right,), handled.paragraph, choices, seat=handled.seat)


def wrong_number(part: str, paragraph: str, what: str) -> Handled:
    """What becomes of a round in which somebody has a wrong number of cards."""
    return Handled(
        part,
        Kind.IRREGULAR,
        f"Suppose that {what} has a wrong number of cards. What becomes of the round?",
        "It is void: every wager goes back, and the cards are shuffled again",
        ("That hand is dead, and the others play on", "A card is added or taken away, and the round goes on"),
        paragraph,
    )


def whether_it_qualifies(hand: Hand, words: str, paragraph: str, *, qualifies: bool) -> Question:
    """Asked of whoever turns up a dealer's hand that must be good enough to play."""
    choices = (Choice("yes", "The dealer qualifies", "y"), Choice("no", "The dealer does not qualify", "n"))
    right, facts = "yes" if qualifies else "no", f"The dealer has {words}."
    return Question(Kind.QUALIFY, "Does the dealer qualify?", (right,), paragraph, choices, facts=facts, seen=hand)


class OpenWager(NamedTuple):
    """A wager that lies on the table."""

    seat: int
    spot: str
    hand: int = 0
    """Which hand of the seat, from 1, where it has several."""

    @property
    def value(self) -> str:
        return f"{self.seat} {self.spot} {self.hand}"


def numbered(values: list[tuple[str, str]]) -> tuple[Choice, ...]:
    """Choices by value and label, with the digits as their keys, and letters from the eleventh on."""
    return tuple(Choice(value, label, key) for key, (value, label) in zip(_NUMBERS, values, strict=False))


_NUMBERS = "1234567890abcdefghijkm"


def seat_choices(numbers: Iterable[int]) -> tuple[Choice, ...]:
    """Choices among seats, with their numbers as keys."""
    return tuple(Choice(str(number), f"Seat {number}", str(number)) for number in numbers)
