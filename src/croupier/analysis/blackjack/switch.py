"""Two hands whose second cards may change places: what every two hands are worth together, and when to switch.

    switching = best_switching(rules)
    switching.edge                                  per unit of the whole Bet, both hands together
    switching.worth((10, 5), (10, 6), up=10)        what the two hands come to as they lie, in units of one hand's bet
    switching.switches((10, 5), (10, 6), up=10)     whether 10-6 and 10-5 with changed second cards are worth more

Each hand is played as is best for its own cards, the two first cards of the other hand and the up card. What the other
hand draws later is not looked at, as hands of a split do not look at each other under CDZ-. An unseen card is as likely
in one place of the shoe as in another, whatever was drawn from it before. So each hand is worth what it is worth from a
shoe that lacks the other hand's two cards, and the two are worth the sum: exactly, and from 55 shoes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple, TypeAlias

import numpy as np

from croupier.analysis.blackjack.basic import basic_strategy
from croupier.analysis.blackjack.chart import Chart
from croupier.analysis.blackjack.conventions import Convention
from croupier.analysis.blackjack.hands import VALUES, Bools, Floats, hands
from croupier.analysis.blackjack.moments import added_stakes
from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.blackjack.solver import Solution, solve
from croupier.analysis.blackjack.strategy import Action, Evaluated, Strategy, strategy_of
from croupier.analysis.blackjack.table import FEWEST_CARDS, Table
from croupier.analysis.kernels.player import HAIR
from croupier.cards.card import Hand
from croupier.errors import NotationError
from croupier.games.blackjack.round import BlackjackRound
from croupier.games.blackjack.rules import ACE, TEN, Rules
from croupier.games.blackjack.side_wagers import value

Two: TypeAlias = tuple[int, int]
"""The values of two cards."""
Play: TypeAlias = Callable[[Table], "Solution | Evaluated"]
PAIRS: tuple[Two, ...] = tuple(combinations_with_replacement(range(ACE, TEN + 1), 2))
"""Every two cards, in no order."""


class Beside(NamedTuple):
    """How hands are played beside one of two given cards, and what they are worth."""

    first: Floats
    """(10, 10, 10): by the values of the first two cards and the up card, before the hole card is known."""
    as_21: Floats
    """The same where an ace and a ten are 21."""
    added: Floats
    """The same shape: what doubles and splits add to the wager."""
    caught: Floats
    """The same shape: the chance of a dealer's blackjack."""
    strategy: Strategy


@dataclass(frozen=True, eq=False)
class Switching:
    """A table with two hands a seat, each played in one way beside each other hand."""

    rules: Rules
    shoe: Composition
    play: Play

    def __post_init__(self) -> None:
        if self.shoe.size < FEWEST_CARDS + 2:
            raise NotationError(f"Two hands and the dealer's need at least {FEWEST_CARDS + 2} cards.")

    @cached_property
    def beside(self) -> dict[Two, Beside]:
        """By the two cards of the other hand, where the shoe holds them."""
        beside = {}
        for cards in PAIRS:
            held = np.bincount(cards, minlength=VALUES + 1)[1:]
            if (held <= np.array(self.shoe.counts)).all():
                # The tables of 55 shoes would fill the memory: what is wanted of each is kept.
                beside[cards] = _beside(self.play(Table(self.rules.one_hand, self.shoe.without(cards))))
        return beside

    @cached_property
    def deals(self) -> Floats:
        """(10, 10, 10, 10, 10): how likely the cards of the first hand, of the second and the up card are."""
        counts, size = np.array(self.shoe.counts, dtype=np.float64), self.shoe.size
        chance = np.ones((VALUES,) * 5)
        gone = np.zeros_like(chance)
        index = np.indices(chance.shape)
        for place in range(5):
            gone[:] = sum((index[before] == index[place]).astype(np.float64) for before in range(place))
            chance *= np.maximum(0.0, counts[index[place]] - gone) / (size - place)
        return chance

    @cached_property
    def kept(self) -> Floats:
        """In the same shape: what two hands are worth as they were dealt, in units of one hand's bet."""
        return self._both(lambda beside: beside.first)

    @cached_property
    def changed(self) -> Floats:
        """In the same shape, by the cards as they were dealt: what they are worth after a switch."""
        blackjacks = self.rules.switched_blackjack
        after = self._both(lambda beside: beside.first if blackjacks else beside.as_21).transpose(0, 3, 2, 1, 4)
        # Cards change places once the dealer has no blackjack: against one, hands are as they were dealt.
        dealt = NATURAL[:, :, None, None] + NATURAL
        then = dealt.transpose(0, 3, 2, 1) if blackjacks else np.zeros_like(dealt)
        caught = self._both(lambda beside: beside.caught) / 2
        return after + np.where(np.isfinite(caught), caught, 0.0) * (dealt - then)[..., None]

    @cached_property
    def chosen(self) -> Bools:
        """In the same shape: whether to switch."""
        return self.changed > self.kept + HAIR

    def _both(self, of: Callable[[Beside], Floats]) -> Floats:
        none = np.full((VALUES,) * 3, -np.inf)
        played = np.array(
            [
                [of(self.beside[pair]) if (pair := _in_order(a, b)) in self.beside else none for b in _VALUES]
                for a in _VALUES
            ]
        )
        # played[c, d, a, b, up] is what a-b is worth beside c-d.
        return np.asarray(played.transpose(2, 3, 0, 1, 4) + played)

    @cached_property
    def edge(self) -> float:
        """The player's expected result per unit of the whole Bet."""
        return self.edge_where(self.chosen)

    def edge_where(self, switched: Bools) -> float:
        """The same for somebody who switches so, in the shape of `deals`."""
        return float(self._mean(np.where(switched, self.changed, self.kept))) / 2

    @cached_property
    def edge_without(self) -> float:
        """The same for somebody who never switches."""
        return float(self._mean(self.kept)) / 2

    @cached_property
    def stake(self) -> float:
        """What a round stakes on average per unit of the whole Bet."""
        kept = self._both(lambda beside: beside.added)
        changed = kept.transpose(0, 3, 2, 1, 4)
        return 1 + float(self._mean(np.where(self.chosen, changed, kept))) / 2

    @property
    def switched(self) -> float:
        """How often second cards change places, among the rounds in which the dealer has no blackjack or may have."""
        return float(self.deals[self.chosen].sum())

    def _mean(self, value: Floats) -> float:
        return float((self.deals * np.where(self.deals > 0, value, 0.0)).sum())

    def worth(self, first: Two, second: Two, up: int) -> float:
        """Two hands as they lie, before the hole card is known."""
        return float(self.kept[_place(first, second, up)])

    def switches(self, first: Two, second: Two, up: int) -> bool:
        return bool(self.chosen[_place(first, second, up)])


_VALUES = range(ACE, TEN + 1)
NATURAL: Floats = np.array([[float({one, other} == {ACE, TEN}) for other in _VALUES] for one in _VALUES])
"""(10, 10): 1 where two cards are a blackjack."""


def _in_order(one: int, other: int) -> Two:
    return (one, other) if one <= other else (other, one)


def _place(first: Two, second: Two, up: int) -> tuple[int, ...]:
    return tuple(value - 1 for value in (*first, *second, up))


def _beside(game: Solution | Evaluated) -> Beside:
    two = np.array([[hands().place((a, b)) for b in _VALUES] for a in _VALUES])
    first = np.asarray(game.value[two])
    as_21 = first.copy()
    stands = game.table.stand[hands().place((ACE, TEN))]
    as_21[ACE - 1, TEN - 1] = as_21[TEN - 1, ACE - 1] = stands
    return Beside(first, as_21, added_stakes(game)[two], game.table.caught[two], game.strategy)


@lru_cache(maxsize=8)
def best_switching(rules: Rules, shoe: Composition | None = None) -> Switching:
    """The best play of each hand beside the other."""
    cards = Composition.full(rules.decks) if shoe is None else shoe
    return Switching(rules, cards, lambda table: Solution(table, Convention.CDZ_MINUS))


def check_of_two_hands(convention: Convention) -> None:
    """Refuse a convention by which two hands are not counted."""
    if convention is not Convention.CDZ_MINUS:
        raise NotationError(
            f"Two hands of a seat (SWITCH) are counted by the convention CDZ- alone, not by {convention}."
        )


def chart_switching(rules: Rules, chart: Chart | None = None) -> Switching:
    """Both hands by one chart, basic strategy where none is given; and the switch that is then worth more."""
    return _by_chart(rules, str(basic_strategy(rules) if chart is None else chart))


@lru_cache(maxsize=8)
def _by_chart(rules: Rules, text: str) -> Switching:
    chart = Chart.parse(text)
    return Switching(rules, Composition.full(rules.decks), lambda table: Evaluated(table, strategy_of(chart, table)))


# Two given hands


class Way(NamedTuple):
    """Two hands as they lie, or after a switch, given that the dealer has no blackjack."""

    hands: tuple[Two, Two]
    values: tuple[dict[Action, float], dict[Action, float]]
    """What each decision is worth with each of them, per unit of its own bet, the best first."""

    @property
    def worth(self) -> float:
        """Of both, played as is best: in units of the whole Bet."""
        return sum(max(value.values()) for value in self.values) / len(self.values)


def two_ways(rules: Rules, shoe: Composition, first: Two, second: Two, up: int) -> tuple[Way, Way]:
    """Two hands as they lie, and after a switch; their cards and the up card are still among those of the shoe."""
    shoe.check_holds((*first, *second, up))
    (one, two), (three, four) = first, second
    changed = (one, four), (three, two)
    return _way(rules, shoe, (first, second), up, naturals=True), _way(
        rules, shoe, changed, up, naturals=rules.switched_blackjack
    )


def _way(rules: Rules, shoe: Composition, both: tuple[Two, Two], up: int, *, naturals: bool) -> Way:
    one, other = (
        solve(rules.one_hand, shoe.without(beside), naturals=naturals).hand_values(hand, up)
        for hand, beside in (both, both[::-1])
    )
    return Way(both, (one, other))


# At a table, with all that lies face up


def both_ways(round_: BlackjackRound, number: int) -> tuple[float, float]:
    """What a seat's two hands are worth as they lie, and after a switch: in units of the Bet, given that the dealer has
    no blackjack, and from a shoe without the cards of all seats."""
    held = round_.seats[number].hands
    first, second = ((value(hand.cards[0]), value(hand.cards[1])) for hand in held)
    seen = unseen(round_, tuple(card for hand in held for card in hand.cards))
    kept, changed = two_ways(round_.rules, seen, first, second, value(round_.up_card))
    return kept.worth, changed.worth


def unseen(round_: BlackjackRound, own: Hand) -> Composition:
    """The shoe without what lies face up, but for these cards and the up card, which the solver takes out itself."""
    seen = [*round_.dealer, *(card for seat in round_.seats.values() for card in seat.dealt)]
    for card in (*own, round_.up_card):
        seen.remove(card)
    return Composition.full(round_.rules.decks).without(tuple(map(value, seen)))
