"""What the plan of a progressive meter and the running link share: what is paid from a meter, how money is divided.

Money on a meter is counted in millionths of a cent, because a rate in parts per million of a wager in whole cents is a
whole number of them (decision 2). Nothing is rounded away: what a division leaves over goes to the first part.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction

PPM = 1_000_000
"""Parts of a wager in which rates are given."""
UNIT = 1_000_000
"""Millionths of a cent in a cent."""


class Style(StrEnum):
    """What is paid from the meter (document 000, "Progressive meter contribution")."""

    ALL_PAYS = "A"
    SHARES_ONLY = "B"


def proportional(weights: Sequence[Fraction | int]) -> tuple[Fraction, ...]:
    """Shares in proportion to these weights; equal ones where there is nothing to be proportional to."""
    total = sum(weights)
    return tuple(Fraction(weight, total) if total else Fraction(1, len(weights)) for weight in weights)


def divided(total: int, shares: Sequence[Fraction]) -> tuple[int, ...]:
    """A whole number in these shares; what is left over is added to the first."""
    parts = [int(total * share) for share in shares]
    parts[0] += total - sum(parts)
    return tuple(parts)


def fixed_pay_parts(cents: int, shares: Sequence[Fraction]) -> tuple[int, ...]:
    """In style A: the units of a fixed pay that come off each meter.

    The shares are those of the contribution, so that no meter pays for what feeds another.
    """
    return divided(cents * UNIT, shares)
