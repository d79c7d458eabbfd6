"""One way to ask every count of a script: how it ends, what each choice is worth, and where a strategy leads.

A shape is recognised from the script and from what its rules look at; a definition never names one. What no quicker
way fits is counted by the plain tree.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from math import comb
from typing import NamedTuple

import numpy as np

from croupier.analysis.script.graph import Chance, Graph, Played
from croupier.analysis.script.packets import Packets, Read
from croupier.analysis.script.plain import Count, Prices, turned_last
from croupier.analysis.script.streets import Chosen, Solved, Streets, Sums, flow, position_cards, reached, sized
from croupier.analysis.script.up_card import Rules, UpCard
from croupier.analysis.tables import NOTHING, Exposed, Ints, findings_of_hands, hand_places
from croupier.cards.card import Hand
from croupier.cards.symmetry import CARDS
from croupier.errors import NotationError
from croupier.games.script.game import ScriptGame, Strategy
from croupier.games.script.language import BOARD, DEALER, SEAT, Choice, Choose, Deal, Seen
from croupier.games.script.wager import ScriptWager
from croupier.games.tabulate import read_all

Valued = tuple[Choice, Fraction]
"""A choice, and the exact expected result after it per unit of the first spot."""


Choosing = Callable[[Seen, Choose], Choice]
"""What is chosen with what a seat sees, where it is asked."""


class Bracket(NamedTuple):
    """Hands of one kind with which one thing is chosen on a street."""

    step: Choose
    kind: str
    choice: str
    hands: int
    value: Fraction
    """Their mean result per unit of the first spot."""
    path: tuple[Choice, ...]
    """What was chosen before."""
    example: Hand
    """One of them, with the cards that are common by then."""


class Counting(ABC):
    """The deals of one wager, counted once and priced as often as anybody asks."""

    game: ScriptGame
    wager: ScriptWager
    exposed: Exposed = NOTHING
    """What was seen, beside which the deals are counted."""

    @property
    @abstractmethod
    def deals(self) -> int:
        """How many deals are counted."""

    @abstractmethod
    def count(self, prices: Prices, strategy: Strategy | None = None) -> Count:
        """All deals by how they end, played the best way or by a strategy."""

    @abstractmethod
    def values(self, prices: Prices, seen: Seen, step: Choose) -> tuple[Valued, ...]:
        """What each choice is worth in a position; later choices are the best."""

    @abstractmethod
    def hands_worse(self, prices: Prices, strategy: Strategy) -> int:
        """With how many of a seat's first hands a strategy brings less than the best play."""

    @abstractmethod
    def choosing(self, prices: Prices, strategy: Strategy | None = None) -> Choosing:
        """What is chosen where, one position at a time: the best, or what a strategy says."""

    @property
    @abstractmethod
    def first_hands(self) -> int:
        """How many first hands a seat may have."""

    @abstractmethod
    def brackets(self, prices: Prices, strategy: Strategy | None = None) -> Iterator[Bracket]:
        """What is chosen on each street with each kind of hand that gets there, after each line of choices."""


def counting(game: ScriptGame, wager: ScriptWager, exposed: Exposed = NOTHING) -> Counting:
    """The quickest way that fits a wager."""
    if Streets.fits(game, wager):
        return ByStreets(game, wager, exposed)
    if Packets.fits(game, wager):
        return ByPackets(game, wager, exposed)
    if Rules.fits(game, wager):
        return ByUpCard(game, wager, exposed)
    if Read.fits(game, wager):
        return ByReading(game, wager, exposed)
    return ByTree(game, wager, exposed)


@dataclass(frozen=True, eq=False)
class ByStreets(Counting):
    game: ScriptGame
    wager: ScriptWager
    exposed: Exposed = NOTHING

    @cached_property
    def streets(self) -> Streets:
        return Streets.of(self.game, self.wager, self.exposed)

    @property
    def deals(self) -> int:
        return self.streets.deals

    def chosen(self, prices: Prices, strategy: Strategy | None) -> Chosen:
        """The choice in every position, which simulation plays by."""
        return self.streets.by_strategy(strategy) if strategy else self.streets.solved(prices).chosen

    def count(self, prices: Prices, strategy: Strategy | None = None) -> Count:
        return flow(self.streets, self.chosen(prices, strategy))

    def choosing(self, prices: Prices, strategy: Strategy | None = None) -> Choosing:
        chosen, streets = self.chosen(prices, strategy), self.streets

        def choose(seen: Seen, step: Choose) -> Choice:
            place, names = streets.place_of(seen[SEAT])
            at = int(chosen(seen.choices)[place, streets.board_place(names, seen[BOARD])])
            return step.options(seen)[at]

        return choose

    def values(self, prices: Prices, seen: Seen, step: Choose) -> tuple[Valued, ...]:
        board, streets = seen[BOARD], self.streets if not self.exposed else self._beside(seen)
        place, names = streets.place_of(seen[SEAT])
        solved = Solved(streets, prices, Sums(streets.counts[place : place + 1]))
        at, deals = streets.board_place(names, board), streets.below[len(board)] * solved.scale
        return tuple((choice, Fraction(int(worth.net[0, at]), deals)) for choice, worth in solved.options(seen.choices))

    def _beside(self, seen: Seen) -> Streets:
        """The deals of one position beside what was seen: common cards that are known follow those that lie there."""
        known = (*seen[BOARD], *self.exposed.known) if self.exposed.known else ()
        return Streets.of(self.game, self.wager, Exposed(self.exposed.gone, known), seen[SEAT])

    def hands_worse(self, prices: Prices, strategy: Strategy) -> int:
        solved = self.streets.solved(prices)
        worse = solved.by_class(self.streets.by_strategy(strategy)) < solved.by_class(solved.chosen)
        return int(self.streets.weights[worse].sum())

    @property
    def first_hands(self) -> int:
        return int(self.streets.weights.sum())

    def brackets(self, prices: Prices, strategy: Strategy | None = None) -> Iterator[Bracket]:
        look, streets, solved = self.game.chart, self.streets, self.streets.solved(prices)
        assert look is not None
        chosen = self.chosen(prices, strategy)
        for path, here in reached(streets, chosen):
            step, shown, picked = streets.steps[len(path)], len(path), chosen(path)
            reading = sized(look, streets.own.shape[1] + shown)
            kinds = [look.reading.say(finding) for finding in read_all(reading, self.game.deck.ranks).findings]
            findings = findings_of_hands(reading, self.game.deck.ranks)
            there = position_cards(streets, shown)[here]
            kind_of, weight = (
                findings[hand_places(np.sort(there, axis=1))],
                np.broadcast_to(streets.weights[:, None], here.shape)[here],
            )
            deals = streets.below[shown] * solved.scale
            for place, (choice, worth) in enumerate(solved.options(path)):
                taken = picked[here] == place
                hands = np.bincount(kind_of[taken], weights=weight[taken], minlength=len(kinds))
                net = np.bincount(kind_of[taken], weights=(weight * worth.net[here])[taken], minlength=len(kinds))
                for kind in np.flatnonzero(hands):
                    n, total = int(hands[kind]), Fraction(int(net[kind]), deals)
                    first = there[taken & (kind_of == kind)][0]
                    example = tuple(CARDS[self.game.deck.ranks[card // 4]][card % 4] for card in first.tolist())
                    yield Bracket(step, kinds[kind], choice.key, n, total / n, path, example)


@dataclass(frozen=True, eq=False)
class ByPackets(Counting):
    game: ScriptGame
    wager: ScriptWager
    exposed: Exposed = NOTHING

    @cached_property
    def packets(self) -> Packets:
        return Packets.of(self.game, self.wager, self.exposed)

    @property
    def deals(self) -> int:
        return self.packets.deals

    def chosen(self, prices: Prices, strategy: Strategy | None) -> Ints:
        """(classes): the place of the choice, which simulation plays by."""
        return self.packets.by_strategy(strategy) if strategy else self.packets.best(prices)

    def count(self, prices: Prices, strategy: Strategy | None = None) -> Count:
        return self.packets.count(self.chosen(prices, strategy))

    def choosing(self, prices: Prices, strategy: Strategy | None = None) -> Choosing:
        chosen, packets = self.chosen(prices, strategy), self.packets
        return lambda seen, step: packets.choices[int(chosen[packets.place_of(seen[SEAT])])]

    def values(self, prices: Prices, seen: Seen, step: Choose) -> tuple[Valued, ...]:
        packets = Packets.of(self.game, self.wager, self.exposed, seen[SEAT]) if self.exposed else self.packets
        values, scale = packets.values(prices)
        worth = values[packets.place_of(seen[SEAT])]
        return tuple(
            (choice, Fraction(int(value), scale)) for choice, value in zip(packets.choices, worth, strict=True)
        )

    def hands_worse(self, prices: Prices, strategy: Strategy) -> int:
        values, _ = self.packets.values(prices)
        mine = values[np.arange(len(values)), self.packets.by_strategy(strategy)]
        return int(self.packets.weights[mine < values.max(axis=1)].sum())

    @property
    def first_hands(self) -> int:
        return int(self.packets.weights.sum())

    def brackets(self, prices: Prices, strategy: Strategy | None = None) -> Iterator[Bracket]:
        packets, look = self.packets, self.game.chart
        assert look is not None
        values, scale = packets.values(prices)
        gathered: dict[tuple[str, str], tuple[int, int, Hand]] = {}
        for place, choice in enumerate(self.chosen(prices, strategy)):
            hand = packets.hands[place]
            kind = look.reading.say(look.reading(hand))
            weight, key = int(packets.weights[place]), packets.choices[choice].key
            n, total, example = gathered.get((kind, key), (0, 0, hand))
            gathered[kind, key] = n + weight, total + weight * int(values[place, choice]), example
        for (kind, key), (n, total, example) in gathered.items():
            yield Bracket(packets.step, kind, key, n, Fraction(total, n * scale), (), example)


@dataclass(frozen=True, eq=False)
class ByUpCard(Counting):
    game: ScriptGame
    wager: ScriptWager
    exposed: Exposed = NOTHING

    @cached_property
    def up_card(self) -> UpCard:
        if self.exposed:
            raise NotationError(
                f"{self.game.base.title} of {self.game.title} is counted from the whole deck alone; beside cards that "
                f"were seen one hand is, by `croupier strategy {self.game.key}`."
            )
        return UpCard.of(self._rules)

    @cached_property
    def _rules(self) -> Rules:
        return _rules_of(self.game, self.wager)

    @property
    def deals(self) -> int:
        return self.up_card.deals

    def chosen(self, prices: Prices, strategy: Strategy | None) -> Ints:
        return self.up_card.by_strategy(strategy) if strategy else self.up_card.best(prices)

    def count(self, prices: Prices, strategy: Strategy | None = None) -> Count:
        return self.up_card.count(self.chosen(prices, strategy))

    def choosing(self, prices: Prices, strategy: Strategy | None = None) -> Choosing:
        if strategy:
            return lambda seen, step: next(choice for choice in step.choices if choice.key == strategy(seen))
        up_card, chosen = self.up_card, self.up_card.best(prices)
        return lambda seen, step: up_card.choices[int(chosen[up_card.place_of(seen[SEAT], seen[DEALER][0])])]

    def values(self, prices: Prices, seen: Seen, step: Choose) -> tuple[Valued, ...]:
        worth = self._rules.worth(prices, seen[SEAT], seen[DEALER][0], self.exposed)
        return tuple(zip(self._rules.choices, worth, strict=True))

    def hands_worse(self, prices: Prices, strategy: Strategy) -> int:
        values, _ = self.up_card.values(prices)
        mine = values[np.arange(len(values)), self.up_card.by_strategy(strategy)]
        return int(self.up_card.weights[mine < values.max(axis=1)].sum())

    @property
    def first_hands(self) -> int:
        return int(self.up_card.weights.sum())

    def brackets(self, prices: Prices, strategy: Strategy | None = None) -> Iterator[Bracket]:
        up_card, look = self.up_card, self.game.chart
        assert look is not None
        values, scale = up_card.values(prices)
        chosen, kinds = self.chosen(prices, strategy), dict[str, int]()
        own = up_card.classes[:, 0].astype(np.int64) * 2 + up_card.classes[:, 3]
        _, first, place = np.unique(own, return_index=True, return_inverse=True)
        hands_named = (look.reading.say(look.reading(up_card.example(place)[0])) for place in first.tolist())
        kind_of = np.array([kinds.setdefault(kind, len(kinds)) for kind in hands_named])[place]
        for kind, number in kinds.items():
            for at, choice in enumerate(up_card.choices):
                here = np.flatnonzero((kind_of == number) & (chosen == at))
                if len(here):
                    weights = up_card.weights[here]
                    total, hands = int(weights @ values[here, at]), int(weights.sum())
                    hand, up = up_card.example(int(here[0]))
                    value = Fraction(total, hands * scale)
                    yield Bracket(self._rules.step, kind, choice.key, hands, value, (), (*hand, up))


@cache
def _rules_of(game: ScriptGame, wager: ScriptWager) -> Rules:
    """Whatever was seen, the rules are the same."""
    return Rules.of(game, wager)


class Unchosen(Counting):
    """A wager about which nobody chooses anything."""

    def choosing(self, prices: Prices, strategy: Strategy | None = None) -> Choosing:
        return nothing_to_choose

    def values(self, prices: Prices, seen: Seen, step: Choose) -> tuple[Valued, ...]:
        raise AssertionError("nothing is chosen about this wager")

    def hands_worse(self, prices: Prices, strategy: Strategy) -> int:
        return 0

    @property
    def first_hands(self) -> int:
        return 0

    def brackets(self, prices: Prices, strategy: Strategy | None = None) -> Iterator[Bracket]:
        return iter(())


def nothing_to_choose(seen: Seen, step: Choose) -> Choice:
    raise AssertionError("nothing is chosen about this wager")


@dataclass(frozen=True, eq=False)
class ByReading(Unchosen):
    game: ScriptGame
    wager: ScriptWager
    exposed: Exposed = NOTHING

    @cached_property
    def _counted(self) -> Count:
        return Read(self.game, self.wager).count(self.exposed)

    @property
    def deals(self) -> int:
        return self._counted.rounds

    def count(self, prices: Prices, strategy: Strategy | None = None) -> Count:
        return self._counted


@dataclass(frozen=True, eq=False)
class ByTree(Counting):
    """Whatever the language can say; quick where a game looks at ranks alone."""

    game: ScriptGame
    wager: ScriptWager
    exposed: Exposed = NOTHING

    @cached_property
    def graph(self) -> Graph:
        return Graph(self.game, self.wager, self.exposed)

    def played(self, prices: Prices, strategy: Strategy | None = None) -> Played:
        """Kept for the prices that were asked about last: papers ask for many things under the same ones."""
        kept = self._kept.get(strategy)
        if kept is None or (kept[0] is not prices and kept[0] != prices):
            kept = self._kept[strategy] = prices, Played(self.graph, prices, strategy)
        return kept[1]

    @cached_property
    def _kept(self) -> dict[Strategy | None, tuple[Prices, Played]]:
        return {}

    @cached_property
    def deals(self) -> int:
        prices = self.wager.prices(next(iter(self.wager.paytables.values())))
        return self.count(prices).rounds

    def count(self, prices: Prices, strategy: Strategy | None = None) -> Count:
        return self.played(prices, strategy).count(self.graph.start)

    def choosing(self, prices: Prices, strategy: Strategy | None = None) -> Choosing:
        if strategy:
            return lambda seen, step: next(choice for choice in step.choices if choice.key == strategy(seen))
        played, graph = self.played(prices), self.graph
        return lambda seen, step: played.chosen(graph.node(graph.tree.position(seen, step)))[0]

    def values(self, prices: Prices, seen: Seen, step: Choose) -> tuple[Valued, ...]:
        played, graph = self.played(prices), self.graph
        if self.exposed.known:  # those that come after what lies face up already
            graph = Graph(self.game, self.wager, self.exposed, len(seen[turned_last(self.game)]))
            played = Played(graph, prices)
        rated = played.options(graph.node(graph.tree.position(seen, step)))
        return tuple((choice, Fraction(worth.net, worth.rounds * played.scale)) for choice, worth in rated)

    def hands_worse(self, prices: Prices, strategy: Strategy) -> int:
        best, mine, worse = self.played(prices), self.played(prices, strategy), 0
        first = self.graph.nodes[self.graph.start]
        for ways, node in first.ways if isinstance(first, Chance) else ():
            one, other = best.worth(node), mine.worth(node)
            worse += ways * (other.net * one.rounds < one.net * other.rounds)
        return worse

    @property
    def first_hands(self) -> int:
        first = next(step for step in self.game.script if isinstance(step, Deal) and not step.where.is_down)
        return comb(self.game.deck.size - len(self.exposed.gone) - len(self.exposed.known), first.cards)

    def brackets(self, prices: Prices, strategy: Strategy | None = None) -> Iterator[Bracket]:
        played, look = self.played(prices, strategy), self.game.chart
        assert look is not None
        gathered: dict[tuple[Choose, str, str, tuple[Choice, ...]], tuple[int, Fraction, Hand]] = {}
        for ways, node, (seen, step, *_) in played.met():
            choice, after = played.chosen(node)
            worth = played.worth(after)
            key = step, look.reading.say(look.at(seen)), choice.key, seen.choices
            shown = tuple(card for cards in seen.cards.values() for card in cards)
            n, total, example = gathered.get(key, (0, Fraction(0), shown))
            gathered[key] = n + ways, total + ways * Fraction(worth.net, worth.rounds * played.scale), example
        for (step, kind, key_name, path), (n, total, example) in gathered.items():
            yield Bracket(step, kind, key_name, n, total / n, path, example)


def step_of(game: ScriptGame, seen: Seen) -> Choose | None:
    """The choice that a seat has to make which sees this; None where it has none."""
    script = [step for step in game.script if not step.where.is_down]
    dealt: dict[str, int] = {}
    steps_met = 0
    for step in script:
        if not isinstance(step, Choose):
            if step.when(seen):
                dealt[step.where.name] = dealt.get(step.where.name, 0) + step.cards  # type: ignore[attr-defined]
            continue
        if any(len(seen.cards.get(name, ())) < cards for name, cards in dealt.items()):
            return None
        if steps_met == len(seen.choices):
            return step if step.when(seen) and not seen.ended else None
        steps_met += step.when(Seen(seen.cards, seen.choices[:steps_met]))
    return None
