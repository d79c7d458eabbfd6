"""Words about a blackjack table that several commands say: its decks, the cards that are gone, the conventions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.analysis.blackjack.conventions import Convention

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def decks_in_words(decks: int) -> str:
    return "1 deck" if decks == 1 else f"{decks} decks"


def listed(words: Iterable[object], joint: str = "or") -> str:
    """`1, 2, 6 or 8`."""
    *others, last = map(str, words)
    return f"{', '.join(others)} {joint} {last}" if others else last


def convention_in_words(convention: Convention) -> str:
    """`BEST, the best fixed strategy after a split, ...`."""
    return f"{convention}, {convention.words}"


def without(remove: str) -> str:
    """`, without eight 5s and an A`: the cards that are gone from the shoe; nothing where it is full."""
    from croupier.analysis.blackjack.shoe import card_values, value_letter

    gone = card_values(remove)
    if not gone:
        return ""
    counts = {value: gone.count(value) for value in sorted(set(gone))}
    words = [f"{_number(many)} {value_letter(value)}{'s' if many > 1 else ''}" for value, many in counts.items()]
    return f", without {listed(words, 'and')}"


def as_options(rules: object, remove: str = "") -> str:
    """`--rules '6D S17 DAS SP4 3:2' --remove '5 5'`, for a command that goes on from this one."""
    from croupier.analysis.blackjack.shoe import card_values, format_values

    gone = format_values(card_values(remove))
    return f"--rules '{rules}'" + (f" --remove '{gone}'" if gone else "")


def _number(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else str(number)
