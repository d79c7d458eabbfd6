"""Against an ace: what insurance and even money are worth, exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from croupier.analysis.blackjack.solver import Solution, insurance
from croupier.games.blackjack.rules import ACE, TEN

EVEN_MONEY_ODDS = Fraction(3, 2)
"""Where a blackjack pays this, even money is offered (blackjack 4.7)."""


def insurance_values(solution: Solution, held: tuple[int, ...], up: int) -> dict[str, Any]:
    """Against an ace: what a unit of insurance is worth, and to a blackjack even money; before the check."""
    rules = solution.rules
    if up != ACE or not rules.insurance or len(held) != 2:
        return {}
    worth = insurance(solution.shoe, held)
    found: dict[str, Any] = {"insurance": {"exact": str(worth), "value": float(worth)}}
    if sorted(held) != [ACE, TEN]:
        return found
    left = solution.shoe.without((*held, up))
    paid = rules.blackjack_odds * (1 - Fraction(left.counts[TEN - 1], left.size))
    ways = {"neither": paid, "insured for half": paid + worth / 2}
    if rules.blackjack_odds == EVEN_MONEY_ODDS:
        ways["even money"] = Fraction(1)
    return found | {"blackjack_before_check": {way: {"exact": str(v), "value": float(v)} for way, v in ways.items()}}
