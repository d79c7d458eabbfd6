"""Accounts and lawful reasons as people say them: `the meter of Minor`, `amount won`."""

from __future__ import annotations

PURPOSES = {
    "players": "players",
    "tray": "the tray",
    "house": "the house",
    "meter": "the meter",
    "reserve": "the reserve",
    "overflow": "the overflow",
    "pending": "pending awards",
    "bank": "the bank",
}


def account_words(purpose: str, level: str = "") -> str:
    """`the reserve of Mega`; where the link has one meter, `the reserve`."""
    words = PURPOSES.get(purpose, purpose)
    return f"{words} of {level}" if level else words


def reason_words(reason: str) -> str:
    """`above-maximum` of the books is `above maximum`."""
    return reason.replace("-", " ")


def ended(text: str) -> str:
    """What somebody wrote, with a full stop where it has none."""
    return text if text.endswith((".", "!", "?")) else f"{text}."
