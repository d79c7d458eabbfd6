"""The exact count of any game, from its definition alone: what every quicker way of counting is held against.

One idea makes it short: a card that lies face down is a card that has not been dealt yet. Dealt when it is turned, it
makes one seat's round a plain tree of chances and choices, whose every node is what the seat sees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import comb, lcm, prod
from typing import NamedTuple

from croupier.analysis.tables import NOTHING, Exposed
from croupier.cards.card import Card, Hand, Suit
from croupier.cards.symmetry import CARDS, Sees
from croupier.games.script.game import ScriptGame, Strategy
from croupier.games.script.language import BOARD, DEALER, Choice, Choose, Deal, Place, Seen, Show, Step
from croupier.games.script.wager import Ending, ScriptWager
from croupier.games.wager import Outcome, Price

Prices = Mapping[Outcome, Price]


@dataclass(frozen=True)
class Count:
    """Rounds by how they ended, out of so many. Counts know no money: prices come afterwards."""

    endings: Mapping[Ending, int]
    rounds: int

    def value(self, prices: Prices) -> Fraction:
        """The player's expected result, in units of the first spot."""
        return sum((n * prices[ending].net for ending, n in self.endings.items()), Fraction(0)) / self.rounds

    def staked(self, prices: Prices) -> Fraction:
        return Fraction(sum(n * prices[ending].staked for ending, n in self.endings.items()), self.rounds)


def mixed(parts: list[tuple[int, Count]]) -> Count:
    """By chance one of several counts, each in so many ways."""
    scale, endings = lcm(*{count.rounds for _, count in parts}), Counter[Ending]()
    for ways, count in parts:
        for ending, n in count.endings.items():
            endings[ending] += n * ways * (scale // count.rounds)
    return Count(endings, scale * sum(ways for ways, _ in parts))


class Worth(NamedTuple):
    """What a position brings when every choice is the best, as sums over so many rounds: whole numbers."""

    net: int
    """Scaled, see `Tree`."""
    staked: int
    rounds: int

    def __gt__(self, other: object) -> bool:
        """More valuable; among equals the one that stakes more."""
        assert isinstance(other, Worth)
        return (self.net * other.rounds, self.staked * other.rounds) > (
            other.net * self.rounds,
            other.staked * self.rounds,
        )


@dataclass(eq=False)
class Tree:
    """One seat's round as chances and choices: played the best way under some prices, or by a strategy."""

    game: ScriptGame
    wager: ScriptWager
    prices: Prices
    strategy: Strategy | None = None
    exposed: Exposed = NOTHING
    turned: int = 0
    """How many cards lay face up already where those that are known come."""

    def __post_init__(self) -> None:
        steps = dict(one_seats_script(self.game, self.wager))
        self.places, self.script = tuple(steps), tuple(steps.values())
        self.sees = sees(self.game, self.wager)
        self.scale = lcm(*{price.net.denominator for price in self.prices.values()})
        self._priced = {
            ending: Worth(int(price.net * self.scale), price.staked, 1) for ending, price in self.prices.items()
        }
        self._worths: dict[Hashable, Worth] = {}
        self._counts: dict[Hashable, Count] = {}

    @property
    def start(self) -> Position:
        return Position(0, self._left((*self.exposed.gone, *self.exposed.known)), Seen())

    def _left(self, cards: Iterable[Card]) -> dict[Card, int]:
        """The cards that are left by kind once these are out."""
        left = self.game.deck.kinds(self.sees)
        for card in cards:
            left[self._kind(card)] -= 1
        return left

    def position(self, seen: Seen, step: Choose) -> Position:
        """Where a seat stands that sees this and has to choose."""
        shown = (card for cards in seen.cards.values() for card in cards)
        left = self._left((*shown, *self.exposed.gone, *self.exposed.known))
        return Position(self.script.index(step), left, seen)

    def options(self, here: Position) -> tuple[tuple[Choice, Worth], ...]:
        """What each choice comes to, where a choice is to be made."""
        step = self.script[here.at]
        assert isinstance(step, Choose)
        return tuple((choice, self.worth(here.after(choice))) for choice in step.options(here.seen))

    def chosen(self, here: Position) -> Choice:
        """By the strategy; else the most valuable, among equals the one that stakes most, then the first."""
        step = self.script[here.at]
        assert isinstance(step, Choose)
        if self.strategy:
            key = self.strategy(here.seen)
            return next(choice for choice in step.options(here.seen) if choice.key == key)
        (best, most), *others = self.options(here)
        for choice, worth in others:
            if worth > most:
                best, most = choice, worth
        return best

    def next_step(self, here: Position) -> Position:
        """The same position at the first step that is due; past the script where the round is at its end."""
        at = len(self.script) if here.seen.ended else here.at
        while at < len(self.script) and not self.script[at].when(here.seen):
            at += 1
        return here._replace(at=at)

    def worth(self, here: Position) -> Worth:
        here = self.next_step(here)
        if here.at == len(self.script):
            return self._priced[self.wager.ending(here.seen)]
        key = self.key(here)
        if key not in self._worths:
            step = self.script[here.at]
            if isinstance(step, Deal):
                self._worths[key] = mean_worth(
                    [(ways, self.worth(after)) for ways, after in self.dealt(here, step.cards)]
                )
            else:
                self._worths[key] = self.worth(here.after(self.chosen(here)))
        return self._worths[key]

    def count(self, here: Position | None = None) -> Count:
        """Every round there is from here: right for whatever the language can say, quick where kinds are few."""
        here = self.next_step(here or self.start)
        if here.at == len(self.script):
            return Count({self.wager.ending(here.seen): 1}, 1)
        key = self.key(here)
        if key not in self._counts:
            step = self.script[here.at]
            if isinstance(step, Deal):
                self._counts[key] = mixed([(ways, self.count(after)) for ways, after in self.dealt(here, step.cards)])
            else:
                self._counts[key] = self.count(here.after(self.chosen(here)))
        return self._counts[key]

    def dealt(self, here: Position, cards: int) -> Iterator[tuple[int, Position]]:
        """Every set of cards that may come next, in how many ways."""
        where = self.script[here.at].where
        known = self.known_next(here, cards)
        for hand, ways in draws(here.left, cards - len(known), self.sees):
            left = dict(here.left)
            for card in hand:
                left[self._kind(card)] -= 1
            yield ways, Position(here.at + 1, left, here.seen.with_cards(where, (*known, *hand)))

    def known_next(self, here: Position, cards: int) -> Hand:
        """Those of the next so many cards that somebody has seen."""
        if not self.exposed.known or (where := self.script[here.at].where) != turned_last(self.game):
            return ()
        first = len(here.seen[where]) - self.turned
        return self.exposed.known[first : first + cards]

    def after_cards(self, here: Position, cards: Hand) -> Position:
        """The position after these cards have come, where cards are dealt."""
        left = dict(here.left)
        for card in cards:
            left[self._kind(card)] -= 1
        return Position(here.at + 1, left, here.seen.with_cards(self.script[here.at].where, cards))

    def key(self, here: Position) -> Hashable:
        """Equal for positions that cannot be told apart."""
        return here.at, self.alike(here.seen, self.game.singled), here.seen.choices

    def alike(self, seen: Seen, singled: frozenset[str]) -> Hashable:
        """Of the cards alone, where those at some places are told apart one by one."""
        if self.exposed:  # suits are alike only where what was seen leaves them so
            seen = Seen({**seen.cards, "gone": self.exposed.gone, "known": self.exposed.known})
        return look_alike(seen, self.sees, singled)

    def _kind(self, card: Card) -> Card:
        """The one that stands for all cards like it."""
        return _spread(card, 0) if self.sees is Sees.RANKS else card


class Position(NamedTuple):
    """Where a round stands: the step, the cards that are left by kind, and what the seat sees."""

    at: int
    left: dict[Card, int]
    seen: Seen

    def after(self, choice: Choice) -> Position:
        return Position(self.at + 1, self.left, self.seen.after(choice))


def mean_worth(parts: list[tuple[int, Worth]]) -> Worth:
    """By chance one of several, each in so many ways."""
    scale, net, staked = lcm(*{worth.rounds for _, worth in parts}), 0, 0
    for ways, worth in parts:
        times = ways * (scale // worth.rounds)
        net += times * worth.net
        staked += times * worth.staked
    return Worth(net, staked, scale * sum(ways for ways, _ in parts))


def sees(game: ScriptGame, wager: ScriptWager) -> Sees:
    """How finely cards must be told apart for a wager: ranks alone, or every card."""
    looks = game.all_looks if wager is game.base else wager.looks
    finest = max(look.reading.sees for look in looks)
    return Sees.RANKS if finest is Sees.RANKS else Sees.SUITS


def one_seats_script(game: ScriptGame, wager: ScriptWager) -> Iterator[tuple[int, Step]]:
    """The steps that a wager needs, each with its place in the game's script.

    Choices are about the base, and what lies face down is dealt when it is turned.
    """
    base = wager is game.base
    read = frozenset[str]().union(*(look.where.names for look in wager.looks))
    for at, step in enumerate(game.script):
        if isinstance(step, Choose):
            if base:
                yield at, step
        elif (base and not step.where.is_down) or step.where.name in read:
            assert isinstance(step, Deal | Show)
            yield at, Deal(step.where, step.cards, when=step.when)


def turned_last(game: ScriptGame) -> Place:
    """Whose cards lie face down when seats decide: the dealer's, or the common ones where there is no such hand."""
    return DEALER if DEALER.name in game.sizes else BOARD


def draws(left: dict[Card, int], size: int, sees: Sees) -> Iterator[tuple[Hand, int]]:
    """Every set of so many cards, by kind: one of them, and in how many ways."""
    there = [card for card, n in left.items() if n]
    if all(left[card] == 1 for card in there):
        yield from ((hand, 1) for hand in combinations(there, size))
        return
    for kinds in combinations_with_replacement(there, size):
        taken = Counter(kinds)
        if all(left[card] >= n for card, n in taken.items()):
            # Cards of one rank that nobody tells apart are written in different suits, as a hand is.
            hand = tuple(_spread(card, nth) for card, n in taken.items() for nth in range(n))
            yield hand if sees is Sees.RANKS else kinds, prod(comb(left[card], n) for card, n in taken.items())


def _spread(card: Card, nth: int) -> Card:
    """The nth card of a rank; jokers are all alike."""
    return card if card.is_joker else CARDS[card.rank][nth % 4]


def look_alike(seen: Seen, sees: Sees, singled: frozenset[str]) -> Hashable:
    """Equal where only the names of suits differ, and the order of cards where nothing reads them one by one."""
    places = [(name, cards) for name, hand in sorted(seen.cards.items()) for cards in _parts(name, hand, singled)]
    if sees is Sees.RANKS:
        return tuple((name, *sorted(card.rank for card in cards)) for name, cards in places)

    def of_suit(suit: Suit) -> tuple[Hashable, ...]:
        return tuple((name, *sorted(card.rank for card in cards if card.suit is suit)) for name, cards in places)

    jokers = tuple(sum(card.is_joker for card in cards) for _, cards in places)
    return tuple(sorted(map(of_suit, Suit))), jokers


def _parts(name: str, hand: Hand, singled: frozenset[str]) -> Iterator[Hand]:
    if name in singled:
        yield from ((card,) for card in hand)
    else:
        yield hand
