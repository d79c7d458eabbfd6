"""How to decide: what each choice is worth with a given hand, what strategies cost, and the best one on a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from croupier.analysis.census import OPTIMAL, Census
from croupier.analysis.figures import Figures
from croupier.analysis.printing import as_percent
from croupier.cards.card import Hand, format_cards
from croupier.errors import NotationError
from croupier.games.head_to_head.game import Game
from croupier.games.wager import Outcome, Price

Prices = Mapping[Outcome, Price]


@dataclass(frozen=True)
class Rated:
    """One choice with a given hand."""

    words: str
    means: str
    value: Fraction
    """The exact expected result per unit of the first wager."""
    cost: Fraction
    """How much less than the best choice."""


def check_hand(game: Game, hand: Hand) -> None:
    """A hand of another number of cards is refused."""
    if len(hand) != game.packet_cards:
        raise NotationError(
            f"{format_cards(hand)!r} has {len(hand)} cards; a hand of {game.title} has {game.packet_cards}."
        )


def rate_hand(census: Census, prices: Prices, hand: Hand) -> tuple[Rated, ...]:
    """What each choice is worth with this hand, the best first."""
    game = census.game
    check_hand(game, hand)
    assert game.decision is not None
    values, scale = census.values(prices)
    worth = [Fraction(int(value), scale) for value in values[census.place_of(hand)]]
    rated = [
        Rated(game.decision.say(hand, choice), game.describe(hand, choice), value, max(worth) - value)
        for choice, value in zip(census.wager.choices, worth, strict=True)
    ]
    return tuple(sorted(rated, key=lambda rating: rating.cost))


@dataclass(frozen=True)
class Compared:
    """A strategy beside the best one."""

    name: str
    figures: Figures
    cost: Fraction
    """What it costs per unit of the first wager."""
    hands_worse: int
    """With how many first hands it brings less than the best."""
    hands: int
    """How many first hands there are."""

    def as_json(self) -> dict[str, Any]:
        return {
            "strategy": self.name,
            "house_edge": as_percent(self.figures.house_edge),
            "element_of_risk": as_percent(self.figures.element_of_risk),
            "cost": as_percent(self.cost),
            "hands_worse": self.hands_worse,
            "hands": self.hands,
        }


def compare_strategies(census: Census, prices: Prices) -> tuple[Compared, ...]:
    """The best strategy and every named one, in order of what they cost."""
    values, _ = census.values(prices)
    everyone = np.arange(len(census.weights))
    best = values.max(axis=1)
    compared = []
    for name in (OPTIMAL, *census.game.strategies):
        figures = Figures(census.wager, census.outcome_counts(name, prices), prices)
        worse = values[everyone, census.choices(name, prices)] < best
        compared.append((name, figures, int(census.weights[worse.astype(bool)].sum())))
    least, hands = min(figures.house_edge for _, figures, _ in compared), int(census.weights.sum())
    rows = [Compared(name, figures, figures.house_edge - least, worse, hands) for name, figures, worse in compared]
    return tuple(sorted(rows, key=lambda row: row.cost))


@dataclass(frozen=True)
class ChartRow:
    """What a strategy does with hands of one kind."""

    kind: str
    action: str
    hands: int
    value: Fraction
    """The mean result of these hands per unit of the first wager."""
    street: str = ""
    """Where it is decided, in a game that asks several times."""
    examples: tuple[tuple[tuple[str, str], ...], ...] = ()
    """Some of these hands: the cards by what they are then set as, or as one hand without a name."""

    def as_json(self) -> dict[str, Any]:
        fields: dict[str, Any] = {"hand": self.kind, "action": self.action, "hands": self.hands}
        fields["value"] = str(self.value)
        if self.street:
            fields["street"] = self.street
        if self.examples:
            fields["examples"] = self.examples
        return fields


MOST_EXAMPLES = 3


def strategy_chart(census: Census, prices: Prices, strategy: str = OPTIMAL) -> tuple[ChartRow, ...]:
    """A strategy on one page: kinds of hands in the order of what they are worth, and what it does with them."""
    assert census.game.chart is not None
    values, scale = census.values(prices)
    chosen = census.choices(strategy, prices)
    hands: dict[tuple[str, str], int] = {}
    worth: dict[tuple[str, str], int] = {}
    places: dict[tuple[str, str], list[int]] = {}
    for place, hand in enumerate(census.hands):
        choice = census.wager.choices[chosen[place]]
        row = census.game.chart(hand, choice)
        weight = int(census.weights[place])
        places.setdefault(row, []).append(place)
        hands[row] = hands.get(row, 0) + weight
        worth[row] = worth.get(row, 0) + weight * int(values[place, chosen[place]])

    def examples(row: tuple[str, str]) -> tuple[tuple[tuple[str, str], ...], ...]:
        """Spread over all hands of the row."""
        hands = places[row]
        spread = dict.fromkeys(
            hands[len(hands) * part // (2 * MOST_EXAMPLES)] for part in range(1, 2 * MOST_EXAMPLES, 2)
        )
        return tuple(_set_out(census.game, census.hands[at], census.wager.choices[chosen[at]]) for at in spread)

    rows = [
        ChartRow(*row, hands[row], Fraction(worth[row], scale * hands[row]), examples=examples(row)) for row in hands
    ]
    return tuple(sorted(rows, key=lambda row: row.value, reverse=True))


def _set_out(game: Game, hand: Hand, choice: str) -> tuple[tuple[str, str], ...]:
    if game.halves is None:
        return (("", format_cards(hand)),)
    return tuple((half.half, format_cards(half.cards)) for half in game.halves(hand, choice))
