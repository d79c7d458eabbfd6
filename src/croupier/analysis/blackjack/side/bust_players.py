"""Bet the Bust with players at the table: it pushes when nobody is left, because then the dealer draws no card.

A player is out who has broken all hands, was paid for a blackjack, or has surrendered. Everybody plays alike, and
nobody looks at the others' cards.

One player     Exact, in double precision: every set of cards with which the player goes out, split hands up to four
               included (`broken`), and how the dealer then ends. Nothing is left out, and every term is positive:
               what rounding can do is below 1e-12 of the wager, and about 1e-15 in practice.
More players   Bounded, by the collisions of `collisions`, once for each hand the dealer can have. What is rarer than
               the bounds are close is left out of the count of one of them, and stands in the bounds. With six and
               eight decks less than 0.0005 of the wager is left open; with one deck the bounds are wide from three
               players on. The estimate takes players to be independent given whether the dealer busts.

The expected result lies within the bounds whatever the estimate says.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from croupier.analysis.blackjack.dealer import blackjack_chance, trie_for
from croupier.analysis.blackjack.hands import KEY_OF_VALUE, Floats, Ints, cards_of, hands, in_order
from croupier.analysis.blackjack.pairs import Split
from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.blackjack.side.broken import (
    AllBroken,
    Gone,
    all_broken,
    likeliest,
    likeliest_broken,
    merged,
)
from croupier.analysis.blackjack.side.bust import VALUES, all_cases, bust_outcome, dealer_hands
from croupier.analysis.blackjack.side.collisions import Collisions
from croupier.analysis.blackjack.side.outs import Draws, Play, unsplit_outs
from croupier.analysis.blackjack.strategy import Action
from croupier.analysis.blackjack.table import Table
from croupier.analysis.kernels.dealer import dealer_totals
from croupier.errors import NotationError
from croupier.games.blackjack.rules import ACE, TEN, Rules
from croupier.games.blackjack.side_wagers import BET_THE_BUST, BUST, UP_CARDS
from croupier.games.paytable import Paytable

MOST_PLAYERS = 7
BUSTS, MAKES = 0, 1
"""How the dealer's hand would end; a blackjack was looked for before."""
MOST_SETS = 1000
"""For more players: sets to go on with where three or four split hands break; the others, the rarest, are a bound."""
SPARE = 1e-8
"""For more players: sets that are together no likelier are left out of a count, and are a bound too."""


class Bounds(NamedTuple):
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class UpCardOuts:
    """Everything about one up card at a table; chances are before the hole card is known."""

    play: Play
    up: int
    spare: float = 0.0
    """What is left out of a count of broken split hands may be so likely; see `broken`."""
    _broken: dict[int, tuple[AllBroken, ...]] = field(default_factory=dict, init=False, repr=False)

    @property
    def table(self) -> Table:
        return self.play.table

    @cached_property
    def shoe(self) -> Ints:
        """(10): the cards that are left beside the up card."""
        left = self.table.cards.copy()
        left[self.up - 1] -= 1
        return left

    def chances(self, draws: Draws) -> Floats:
        """How likely each set is drawn, in any of its orders."""
        return np.asarray(draws.orders * in_order(self.shoe, draws.cards))

    @property
    def splits(self) -> Iterator[Split]:
        """The pairs that are split against this card."""
        first = self.play.strategy.first[:, self.up - 1]
        for pair in self.play.strategy.after_split:
            if first[hands().place((pair, pair))] == Action.SPLIT:
                yield Split(self.table, pair)

    # One player

    @cached_property
    def one_out(self) -> tuple[float, float]:
        """How likely it is that one player is out and the dealer would bust, and would make a hand; without what was
        left out."""
        bust, stood = self.ends(unsplit_outs(self.play, self.up))
        for by_hands in self.broken.values():
            bust += sum(outs.bust for outs in by_hands)
            stood += sum(outs.made for outs in by_hands)
        return bust, stood

    @property
    def broken(self) -> dict[int, tuple[AllBroken, ...]]:
        """By pair that is split, and number of hands it becomes: that all of them break."""
        return {split.pair: self.broken_by(split) for split in self.splits}

    def broken_by(self, split: Split) -> tuple[AllBroken, ...]:
        """Counted once for each pair."""
        if split.pair not in self._broken:
            self._broken[split.pair] = tuple(all_broken(split, self.play.strategy, self.up, spare=self.spare))
        return self._broken[split.pair]

    def ends(self, draws: Draws) -> tuple[float, float]:
        """How likely it is that these cards are drawn and the dealer would bust, and would make a hand."""
        trie = trie_for(self.up, hits_soft_17=self.table.rules.hits_soft_17)
        stood = dealer_totals(self.table.cards, draws.cards, trie)[:, :, self.up - 1].sum(axis=1)
        caught = np.zeros(len(stood))
        if self.up in (ACE, TEN):
            hole = ACE + TEN - self.up - 1
            left = np.maximum(1, self.shoe.sum() - draws.cards.sum(axis=1))
            caught = np.maximum(0, self.shoe[hole] - draws.cards[:, hole]) / left
        chances = self.chances(draws)
        return float(chances @ (1 - stood - caught)), float(chances @ stood)

    # More players

    def all_out(self, players: int) -> tuple[Bounds, Bounds]:
        """How likely it is that all players are out and the dealer would bust, and would make a hand."""
        if players == 1:
            bust, stood = (Bounds(chance, chance) for chance in self.one_out)
            return bust, stood
        bust, stood = (self._all_out(ending, players) for ending in (BUSTS, MAKES))
        return bust, stood

    def _all_out(self, ending: int, players: int) -> Bounds:
        chances, drawers = self._drawers[ending]
        low, high = 0.0, self.one_out[ending] + self._unknown
        for number in range(2, players + 1):
            at_least, at_most = drawers.bounds(number)
            low = float(chances @ at_least)
            # Where a player went out in a way that was left out, anything may be true of the others. And all of some
            # players are out at least as often as all of them and another one.
            high = min(high, float(chances @ at_most) + number * self._left_out[ending])
        return Bounds(low, high)

    @cached_property
    def _few_outs(self) -> Draws:
        """The likeliest ways to go out."""
        unsplit = unsplit_outs(self.play, self.up)
        parts = [Gone(unsplit.cards @ KEY_OF_VALUE, unsplit.orders)]
        for split in self.splits:
            for _, gone, _ in likeliest_broken(split, self.play.strategy, self.up, most=MOST_SETS):
                parts.append(likeliest(gone, self.shoe, most=8 * MOST_SETS)[0])
        few, _ = likeliest(merged(parts), self.shoe, most=8 * MOST_SETS, spare=SPARE)
        return Draws(cards_of(few.keys), few.orders)

    @cached_property
    def _left_out(self) -> tuple[float, float]:
        """By ending: how likely it is at most that one player goes out in another way."""
        counted = self.ends(self._few_outs)
        bust, stood = (max(0.0, out - few) + self._unknown for out, few in zip(self.one_out, counted, strict=True))
        return bust, stood

    @property
    def _unknown(self) -> float:
        """At most so likely is a player out in a way that was left out of the count."""
        return sum(outs.left_out for by_hands in self.broken.values() for outs in by_hands)

    @cached_property
    def _drawers(self) -> tuple[tuple[Floats, Collisions], ...]:
        """By ending: how likely each hand of the dealer is, and players who draw once it is out of the shoe."""
        drawers = []
        for dealer in self._dealer:
            chances = self.chances(dealer)
            held = chances > 0
            drawers.append((chances[held], Collisions(self.shoe, dealer.cards[held], self._few_outs)))
        return tuple(drawers)

    @cached_property
    def _dealer(self) -> tuple[Draws, Draws]:
        """The dealer's hands without the up card: those that bust, and those that are made."""
        bust: dict[tuple[int, ...], int] = {}
        stood: dict[tuple[int, ...], int] = {}
        for hand in dealer_hands(self.up, hits_soft_17=self.table.rules.hits_soft_17):
            into = bust if hand.total == BUST else stood
            into[tuple(hand.values.count(card_value) for card_value in VALUES)] = hand.orders
        bust_draws, made_draws = (
            Draws(np.array(list(hands_drawn)), np.array(list(hands_drawn.values()), dtype=np.float64))
            for hands_drawn in (bust, stood)
        )
        return bust_draws, made_draws


# Figures


class Outs(NamedTuple):
    """How often players are out, by up card and by how the dealer's hand would end, before the hole card is known."""

    together: Floats
    """(up cards, endings, 2): all of them, at least and at most."""
    one: Floats
    """(up cards, endings): one of them."""


@dataclass(frozen=True)
class PushLine:
    """The wager against one up card with players at the table; chances are given that there is no blackjack."""

    up: int
    """1 for an ace."""
    players: int
    probability: float
    """How often the wager is made against this card, if it always is."""
    bust: float
    """How often the dealer would bust."""
    odds: float
    out_and_bust: Bounds
    """Nobody is left, and the dealer would have busted."""
    out_and_made: Bounds
    estimates: tuple[float, float]
    """Of these two."""

    @property
    def push(self) -> Bounds:
        return Bounds(self.out_and_bust.low + self.out_and_made.low, self.out_and_bust.high + self.out_and_made.high)

    @property
    def house_edge(self) -> Bounds:
        return Bounds(
            self._edge(self.out_and_bust.low, self.out_and_made.high),
            self._edge(self.out_and_bust.high, self.out_and_made.low),
        )

    @property
    def estimate(self) -> float:
        """Of the house edge."""
        return self._edge(*self.estimates)

    @property
    def win(self) -> float:
        """Estimated, as is the loss."""
        return self.bust - self.estimates[BUSTS]

    @property
    def loss(self) -> float:
        return 1 - self.bust - self.estimates[MAKES]

    def _edge(self, out_and_bust: float, out_and_made: float) -> float:
        return (1 - self.bust - out_and_made) - self.odds * (self.bust - out_and_bust)

    def as_json(self) -> dict[str, Any]:
        return {
            "up_card": UP_CARDS[self.up - 1],
            "probability": self.probability,
            "bust": self.bust,
            "push": self.push._asdict(),
            "house_edge": self.house_edge._asdict() | {"estimate": self.estimate},
        }


@dataclass(frozen=True)
class PushFigures:
    """Bet the Bust with so many players, overall and against each up card."""

    players: int
    up_cards: tuple[PushLine, ...]

    @property
    def house_edge(self) -> Bounds:
        """Of a player who bets every time."""
        return Bounds(
            self._mean([line.house_edge.low for line in self.up_cards]),
            self._mean([line.house_edge.high for line in self.up_cards]),
        )

    @property
    def push(self) -> Bounds:
        return Bounds(
            self._mean([line.push.low for line in self.up_cards]),
            self._mean([line.push.high for line in self.up_cards]),
        )

    @property
    def estimate(self) -> float:
        """Of the house edge."""
        return self._mean([line.estimate for line in self.up_cards])

    def _mean(self, values: list[float]) -> float:
        return sum(line.probability * value for line, value in zip(self.up_cards, values, strict=True))

    def as_json(self) -> dict[str, Any]:
        return {
            "players": self.players,
            "push": self.push._asdict(),
            "house_edge": self.house_edge._asdict() | {"estimate": self.estimate},
            "up_cards": [line.as_json() for line in self.up_cards],
        }


@lru_cache(maxsize=2)
def _up_cards(play: Play, spare: float = 0.0) -> dict[int, UpCardOuts]:
    """What is counted once serves every paytable: one player takes some three seconds where four hands may break."""
    return {up: UpCardOuts(play, up, spare) for up in VALUES}


@dataclass(frozen=True, eq=False)
class BustTable:
    """A table at which everybody plays so: `BustTable(evaluate(basic_strategy(rules), rules))`."""

    play: Play

    def __post_init__(self) -> None:
        rules, shoe = self.play.table.rules, self.play.table.shoe
        if not rules.hole_card:
            raise NotationError(
                "Bet the Bust is made after the dealer has looked for a blackjack: ENHC has no hole card."
            )
        if shoe != Composition.full(rules.decks):
            raise NotationError(f"Bet the Bust is counted from full decks, not from {shoe}.")

    @property
    def up_cards(self) -> dict[int, UpCardOuts]:
        """Nothing is left out of these."""
        return _up_cards(self.play)  # type: ignore[arg-type]  # every play is hashed as the object it is

    def outs(self, players: int) -> Outs:
        """How often so many players are out, which no paytable changes."""
        if not 1 <= players <= MOST_PLAYERS:
            raise NotationError(f"There are from 1 to {MOST_PLAYERS} players at a table, not {players}.")
        up_cards = self.up_cards if players == 1 else _up_cards(self.play, SPARE)  # type: ignore[arg-type]
        # Up cards are counted apart, and the kernels leave Python's lock to each other.
        # Small pairs need the most cards to break: two of them take longer than all else, so they are begun with.
        splits = [(of, split) for of in up_cards.values() for split in of.splits]
        splits.sort(key=lambda split: split[1].pair)
        with ThreadPoolExecutor(min(len(VALUES), os.cpu_count() or 1)) as threads:
            list(threads.map(lambda split: split[0].broken_by(split[1]), splits))
            together = list(threads.map(lambda of: of.all_out(players), up_cards.values()))
        return Outs(np.array(together), np.array([of.one_out for of in up_cards.values()]))

    def figures(self, paytable: Paytable, players: int) -> PushFigures:
        """What the wager comes to with so many players."""
        return push_figures(self.play.table.rules, self.outs(players), paytable, players)


def push_figures(rules: Rules, outs: Outs, paytable: Paytable, players: int) -> PushFigures:
    """What the wager comes to where so many players are out so often."""
    cases = all_cases(rules.decks, hits_soft_17=rules.hits_soft_17)
    every = sum(sum(case.values()) for case in cases.values())
    prices = BET_THE_BUST.prices(paytable)
    lines = []
    for up in VALUES:
        here = sum(cases[up].values())
        no_blackjack = 1 - blackjack_chance(Composition.full(rules.decks), up)
        bust = cases[up][BUST] / here
        out = [Bounds(low / no_blackjack, high / no_blackjack) for low, high in outs.together[up - 1].tolist()]
        one = [chance / no_blackjack for chance in outs.one[up - 1].tolist()]
        estimates = bust * (one[BUSTS] / bust) ** players, (1 - bust) * (one[MAKES] / (1 - bust)) ** players
        odds = float(prices[bust_outcome(BET_THE_BUST, up, BUST)].net)
        lines.append(PushLine(up, players, here / every, bust, odds, out[BUSTS], out[MAKES], estimates))
    return PushFigures(players, tuple(lines))
