"""Small shoes for exact comparison, and the solver's answers in the words of the reference."""

from __future__ import annotations

from croupier.analysis.blackjack.chart import Cell, Chart, Kind
from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.blackjack.solver import Solution, solve
from croupier.games.blackjack.rules import Rules
from tests.analysis.blackjack.reference import (
    DOUBLE,
    HIT,
    SPLIT,
    STAND,
    SURRENDER,
    Cards,
    Plan,
    Reference,
    is_soft,
    total,
)

EIGHTS = (0, 0, 0, 0, 3, 0, 0, 6, 0, 10)
NINES = (2, 0, 0, 0, 0, 4, 0, 0, 6, 8)
SEVENS = (4, 0, 0, 0, 0, 0, 3, 0, 4, 9)
SIXES = (1, 0, 0, 0, 0, 5, 4, 0, 0, 10)
"""Shoes of 19 and 20 cards that no round can use up: aces first, tens last."""


def solved(text: str, shoe: Cards, convention: str = "CDZ-") -> tuple[Solution, Reference]:
    rules = Rules.parse(text)
    return solve(rules, Composition(shoe), convention), Reference(rules, shoe)


def best_plan(reference: Reference) -> Plan:
    """The best play of every first hand, with CDZ- after splits."""

    def first(hand: Cards, up: int) -> str:
        worth = reference.values(hand, up)
        if hand[0] == hand[1] and reference.rules.hands_from(hand[0]) > 1:
            law = reference.split(hand[0], up, reference.as_unsplit(up))
            worth[SPLIT] = sum((result * chance for result, chance in law.items()), start=0 * worth[STAND])
        return max(worth, key=lambda act: worth[act])

    def later(hand: Cards, up: int) -> str:
        worth = reference.values(hand, up)
        return HIT if HIT in worth and worth[HIT] > worth[STAND] else STAND

    return Plan(first, later, reference.as_unsplit)


def plan_of(chart: Chart, rules: Rules) -> Plan:
    """A chart read cell by cell."""

    def cell_of(hand: Cards, up: int) -> Cell:
        kind = Kind.SOFT if is_soft(hand) else Kind.HARD
        return chart.cell(kind, total(hand), up)

    def allowed(hand: Cards, *, after_split: bool) -> bool:
        return len(hand) == 2 and rules.may_double(total(hand), soft=is_soft(hand), after_split=after_split)

    def plain(cell: Cell, *, doubles: bool) -> str:
        if doubles and cell in (Cell.DOUBLE, Cell.DOUBLE_OR_STAND):
            return DOUBLE
        return HIT if cell in (Cell.HIT, Cell.DOUBLE, Cell.SURRENDER) else STAND

    def first(hand: Cards, up: int) -> str:
        cell = cell_of(hand, up)
        if hand[0] == hand[1]:
            pair = chart.cell(Kind.PAIR, hand[0], up)
            if pair is Cell.SPLIT and rules.hands_from(hand[0]) > 1:
                return SPLIT
            cell = cell if pair in (Cell.SPLIT, Cell.AS_TOTAL) else pair
        if rules.late_surrender and cell in (Cell.SURRENDER, Cell.SURRENDER_OR_STAND, Cell.SURRENDER_OR_SPLIT):
            return SURRENDER
        return plain(cell, doubles=allowed(hand, after_split=False))

    def later(hand: Cards, up: int) -> str:
        return plain(cell_of(hand, up), doubles=False)

    return Plan(
        first,
        later,
        lambda up: lambda hand, _: plain(cell_of(hand, up), doubles=allowed(hand, after_split=True)),
    )
