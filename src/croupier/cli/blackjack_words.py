"""Words about a blackjack table that several commands say: the cards that are gone, and the options for the next."""

from __future__ import annotations

from croupier.analysis.printing import listed

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


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
