"""How exact figures are written: rounded once, from the fraction, and never through a float."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any


def fixed(value: Fraction, places: int, *, signed: bool = False) -> str:
    """Rounded from the exact figure, halves away from zero: `+0.0145947250`."""
    scaled = abs(value) * 10**places
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    digits = f"{whole:0{places + 1}d}"
    sign = "" if not whole else "-" if value < 0 else "+" if signed else ""
    return f"{sign}{int(digits[:-places]):,}.{digits[-places:]}"


def percent(value: Fraction, places: int = 4) -> str:
    """`2.3167 %`."""
    return f"{fixed(value * 100, places)} %"


def as_percent(value: Fraction) -> dict[str, Any]:
    """A figure exactly, and as people read it, for JSON."""
    return {"exact": f"{value.numerator}/{value.denominator}", "percent": float(value * 100)}


def listed(words: Iterable[object], joint: str = "or") -> str:
    """`1, 2, 6 or 8`."""
    *others, last = map(str, words)
    return f"{', '.join(others)} {joint} {last}" if others else last


def plain_number(value: Fraction) -> int | float:
    """A whole number, or a short decimal, as a file shows it."""
    return int(value) if value.denominator == 1 else float(value)


def decks_in_words(decks: int) -> str:
    return "1 deck" if decks == 1 else f"{decks} decks"
