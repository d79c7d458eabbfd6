"""The tree of a game, walked once and kept: whatever is asked later is read from it, under any prices and strategies.

Positions that cannot be told apart are one node. Nothing in it knows money, so a changed pay deals no card anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from math import lcm
from typing import Any, NamedTuple

from croupier.analysis.script.plain import Count, Position, Prices, Tree, Worth, draws, mean_worth, mixed
from croupier.analysis.tables import NOTHING, Exposed
from croupier.cards.card import Hand
from croupier.games.script.game import ScriptGame, Strategy
from croupier.games.script.language import Choice, Choose, Deal, Look, Seen
from croupier.games.script.wager import ScriptWager
from croupier.games.wager import Outcome

Node = int
"""Its number: whatever comes after a node has a lower one."""


class Chance(NamedTuple):
    """Cards come, after which somebody is asked."""

    ways: tuple[tuple[int, Node], ...]


class Asked(NamedTuple):
    """A seat chooses; of all positions that look alike to it, the first."""

    seen: Seen
    step: Choose
    options: tuple[tuple[Choice, Node], ...]
    met: int
    """Which of all positions it was."""


class Graph:
    """One wager's positions, as far as anybody has asked about them."""

    def __init__(self, game: ScriptGame, wager: ScriptWager, exposed: Exposed = NOTHING, turned: int = 0) -> None:
        self.game, self.wager = game, wager
        self.tree = Tree(game, wager, {}, None, exposed, turned)
        self.nodes: list[Chance | Asked | Count] = []
        parts = game.chart.where.parts if game.chart else ()
        self._singled = game.singled | {name for name, _, stop in parts if stop is not None}
        self._known: dict[Hashable, Node] = {}
        self._met = 0
        self._last: dict[Hashable, tuple[dict[tuple[Outcome, ...], int], int]] = {}
        self._found: dict[Look, dict[Hand, Any]] = {look: {} for look in wager.looks}

    @property
    def start(self) -> Node:
        return self.node(self.tree.start)

    def node(self, here: Position) -> Node:
        tree, here = self.tree, self.tree.next_step(here)
        if here.at == len(tree.script):
            ending = self.wager.ending(here.seen)
            return self._kept(ending, lambda: Count({ending: 1}, 1))
        alike = self._alike(here)
        return self._kept((alike, here.seen.choices), lambda: self._made(here, alike))

    def _kept(self, key: Hashable, make: Any) -> Node:
        if key not in self._known:
            node = make()  # whatever comes after it first
            self._known[key] = len(self.nodes)
            self.nodes.append(node)
        return self._known[key]

    def _alike(self, here: Position) -> Hashable:
        return here.at, self.tree.alike(here.seen, self._singled)

    def _made(self, here: Position, alike: Hashable) -> Chance | Asked | Count:
        step, script = self.tree.script[here.at], self.tree.script
        if isinstance(step, Choose):
            self._met += 1
            met = self._met
            options = tuple((choice, self.node(here.after(choice))) for choice in step.options(here.seen))
            return Asked(here.seen, step, options, met)
        assert isinstance(step, Deal)
        if here.at == len(script) - 1:
            return self._by_choices(here, alike, step)
        ways: Counter[Node] = Counter()
        for many, after in self.tree.dealt(here, step.cards):
            ways[self.node(after)] += many
        ends = [(many, count) for node, many in ways.items() if isinstance(count := self.nodes[node], Count)]
        # Where nobody is asked any more, nothing hangs on prices.
        return mixed(ends) if len(ends) == len(ways) else Chance(tuple((many, node) for node, many in ways.items()))

    def _by_choices(self, here: Position, alike: Hashable, step: Deal) -> Count:
        """After the last cards: what they come to is the same after all choices, and what lies on the spots is not."""
        if alike not in self._last:
            self._last[alike] = self._judged(here, step)
        judged, rounds = self._last[alike]
        units = [here.seen.units(spot) for spot in self.wager.spots]
        endings = {self.wager.named(tuple(zip(units, outcomes, strict=True))): n for outcomes, n in judged.items()}
        return Count(endings, rounds)

    def _judged(self, here: Position, step: Deal) -> tuple[dict[tuple[Outcome, ...], int], int]:
        """How all spots end with each of the last hands, and how many of those there are."""
        looks, spots = self.wager.looks, self.wager.spots
        finders = [self._finder(look, here.seen, step) for look in looks]
        judges = [(spot.judged.judge, [looks.index(look) for look in spot.judged.looks]) for spot in spots]
        judged: Counter[tuple[Outcome, ...]] = Counter()
        known = self.tree.known_next(here, step.cards)
        for hand, ways in draws(here.left, step.cards - len(known), self.tree.sees):
            findings = [find((*known, *hand)) for find in finders]
            judged[tuple([judge(*[findings[place] for place in places]) for judge, places in judges])] += ways
        return judged, judged.total()

    def _finder(self, look: Look, seen: Seen, step: Deal) -> Any:
        """What a look finds after a hand came: a reading is asked once about the same cards."""
        known, reading, name = self._found[look], look.reading, step.where.name
        if name not in look.where.names:
            same = look.at(seen)
            return lambda hand: same
        before, whole = seen.cards.get(name, ()), look.where.parts == ((name, 0, None),)

        def find(hand: Hand) -> Any:
            cards = before + hand if whole else seen.with_cards(step.where, hand)[look.where]
            if cards not in known:
                known[cards] = reading(cards)
            return known[cards]

        return find


class Played:
    """A graph under prices: every choice the best, or as a strategy says."""

    def __init__(self, graph: Graph, prices: Prices, strategy: Strategy | None = None) -> None:
        self.graph, self.strategy = graph, strategy
        self.scale = lcm(*{price.net.denominator for price in prices.values()})
        self._priced = {ending: (int(price.net * self.scale), price.staked) for ending, price in prices.items()}
        self._worths: dict[Node, Worth] = {}
        self._counts: dict[Node, Count] = {}
        self._chosen: dict[Node, tuple[Choice, Node]] = {}

    def worth(self, node: Node) -> Worth:
        if node not in self._worths:
            match self.graph.nodes[node]:
                case Count() as count:
                    priced = [(self._priced[ending], n) for ending, n in count.endings.items()]
                    net, staked = sum(n * net for (net, _), n in priced), sum(n * value for (_, value), n in priced)
                    self._worths[node] = Worth(net, staked, count.rounds)
                case Chance(ways):
                    self._worths[node] = mean_worth([(many, self.worth(after)) for many, after in ways])
                case Asked():
                    self._worths[node] = self.worth(self.chosen(node)[1])
        return self._worths[node]

    def options(self, node: Node) -> Iterator[tuple[Choice, Worth]]:
        """What each choice comes to."""
        asked = self.graph.nodes[node]
        assert isinstance(asked, Asked)
        return ((choice, self.worth(after)) for choice, after in asked.options)

    def chosen(self, node: Node) -> tuple[Choice, Node]:
        """By the strategy; else the most valuable, among equals the one that stakes most, then the first."""
        if node not in self._chosen:
            asked = self.graph.nodes[node]
            assert isinstance(asked, Asked)
            if self.strategy:
                key = self.strategy(asked.seen)
                self._chosen[node] = next(option for option in asked.options if option[0].key == key)
            else:
                best, *others = asked.options
                for other in others:
                    best = other if self.worth(other[1]) > self.worth(best[1]) else best
                self._chosen[node] = best
        return self._chosen[node]

    def count(self, node: Node) -> Count:
        if node not in self._counts:
            match self.graph.nodes[node]:
                case Count() as count:
                    return count
                case Chance(ways):
                    self._counts[node] = mixed([(many, self.count(after)) for many, after in ways])
                case Asked():
                    self._counts[node] = self.count(self.chosen(node)[1])
        return self._counts[node]

    def met(self) -> list[tuple[int, Node, Asked]]:
        """Every position in which somebody chooses, in how many ways it comes about; in the order of the deals."""
        start = self.graph.start
        reached: Counter[Node] = Counter({start: 1})
        met = []
        for node in range(start, -1, -1):
            if many := reached[node]:
                match self.graph.nodes[node]:
                    case Chance(ways):
                        for more, after in ways:
                            reached[after] += many * more
                    case Asked() as asked:
                        met.append((many, node, asked))
                        reached[self.chosen(node)[1]] += many
        return sorted(met, key=lambda node_met: node_met[2].met)
