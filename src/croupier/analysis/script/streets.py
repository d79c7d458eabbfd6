"""Streets: a seat's cards, then common cards one by one with a choice before each, and no dealer to beat.

What is kept are counts at the last choice, by class of the seat's cards and by the common cards shown; they know no
money. Prices come afterwards: the choices are found backwards from the last street, in whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import permutations
from math import comb, gcd, lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.kernels.streets import best_choices, endings_of_choices, line_counts
from croupier.analysis.script.plain import Count, Prices, one_seats_script
from croupier.analysis.tables import (
    CHOOSE,
    NOTHING,
    Cards,
    Exposed,
    Ints,
    Seats,
    as_cards,
    class_cards,
    findings_of_hands,
)
from croupier.cards.card import Hand
from croupier.cards.symmetry import CARDS, Sees, classes
from croupier.games.script.game import ScriptGame, Strategy, cards_of
from croupier.games.script.language import BOARD, SEAT, Choice, Choose, Deal, Look, Seen
from croupier.games.script.wager import Ending, ScriptWager
from croupier.games.tabulate import read_all
from croupier.games.wager import Outcome
from croupier.games.wager import Reading as SizedReading

Numbers = NDArray[np.float64]
"""Whole numbers that a float holds exactly."""
LARGEST_EXACT = 2**53
Path = tuple[Choice, ...]
Chosen = Callable[[Path], NDArray[np.int8]]
"""After some choices, the place of the next one. Shape (classes, cards ** shown)."""
SUITS = tuple(permutations(range(4)))


@cache
def sized(look: Look, size: int) -> SizedReading:
    """A look as a reading of hands of one size, which can be asked of every class."""
    return SizedReading(str(look.where), size, look.reading.sees, look.reading.read)


class Worth(NamedTuple):
    """What a position brings, and what is at stake, summed over all deals to come. Shape (hands, cards ** shown)."""

    net: Numbers
    staked: Numbers


@dataclass(frozen=True, eq=False)
class Streets:
    """All deals of the base wager of a game of streets."""

    game: ScriptGame
    wager: ScriptWager
    steps: tuple[Choose, ...]
    """The choice on each street; before each but the first one more common card is shown."""
    hands: tuple[Hand, ...]
    """One hand of each class of a seat's cards."""
    own: Cards
    weights: Ints
    """How many hands each class has."""
    kinds: tuple[tuple[Outcome, ...], ...]
    """What the cards can come to: the outcome of each spot."""
    counts: NDArray[np.uint16]
    """(classes, cards ** shown, kinds): the rest of the common cards that lead there."""
    last: int
    """How many common cards follow the last choice."""
    exposed: Exposed = NOTHING

    @classmethod
    def fits(cls, game: ScriptGame, wager: ScriptWager) -> bool:
        """Whether a wager is of this shape."""
        shape = _shape(game, wager)
        return shape is not None and shape[1] * shape[2] <= 2

    @classmethod
    def of(cls, game: ScriptGame, wager: ScriptWager, exposed: Exposed = NOTHING, hand: Hand | None = None) -> Streets:
        """Count all deals, or those beside some cards that were seen; of one hand, where one is named."""
        shape = _shape(game, wager)
        assert shape is not None
        (own_size, shown, last), ranks = shape, game.deck.ranks
        [look] = wager.looks
        reading = sized(look, cards_of(game, look))
        findings = read_all(reading, ranks).findings
        judged = [tuple(spot.judged.judge(finding) for spot in wager.spots) for finding in findings]
        kinds = tuple(dict.fromkeys(judged))
        kind_of_finding = np.array([kinds.index(outcomes) for outcomes in judged], dtype=np.uint8)
        kind_of = kind_of_finding[findings_of_hands(reading, ranks)]
        cards = game.deck.size
        if exposed:
            seats = Seats.of(own_size, ranks, exposed, hand)
            hands, own, weights = seats.hands, seats.cards, seats.weights
        else:
            seat = classes(own_size, Sees.SUITS, ranks)
            hands, own = tuple(hand_class.hand for hand_class in seat), class_cards(own_size, Sees.SUITS, ranks)
            weights = np.array([hand_class.hands for hand_class in seat], dtype=np.int64)
        counts = np.zeros((len(hands), cards**shown, len(kinds)), dtype=np.uint16)
        line_counts(own, cards, shown, last, kind_of, CHOOSE, _may_come(game, shown, exposed), counts)
        return cls(game, wager, wager.steps, hands, own, weights, kinds, counts, last, exposed)

    @property
    def shown(self) -> int:
        """Common cards that lie face up at the last choice."""
        return len(self.steps) - 1

    @cached_property
    def below(self) -> tuple[int, ...]:
        """By how many common cards are shown: how many ways there are to deal the rest."""
        known = len(self.exposed.known)
        left = self.game.deck.size - self.own.shape[1] - len(self.exposed.gone) - known
        ways = [comb(left - max(0, self.shown - known), min(self.last, self.last + self.shown - known))]
        for shown in range(self.shown, 0, -1):
            ways.append(ways[-1] * (left - (shown - known) + 1 if shown > known else 1))
        return tuple(reversed(ways))

    @property
    def deals(self) -> int:
        return int(self.weights.sum()) * self.below[0]

    @cached_property
    def sums(self) -> Sums:
        return Sums(self.counts)

    def solved(self, prices: Prices) -> Solved:
        """The best choices under these prices, everywhere."""
        return Solved(self, prices, self.sums)

    def by_strategy(self, strategy: Strategy) -> Chosen:
        """What a person's strategy chooses, asked once in every position that it leads to."""
        if strategy not in self._followed:
            self._followed[strategy] = cache(Followed(self, strategy).chosen)
        return self._followed[strategy]

    @cached_property
    def _followed(self) -> dict[Strategy, Chosen]:
        return {}

    def place_of(self, hand: Hand) -> tuple[int, tuple[int, ...]]:
        """The class of a seat's cards, and what its suits are called there."""
        cards = as_cards([hand], self.game.deck.ranks)[0]
        places = self._places
        for names in self.exposed.names:
            named = tuple(sorted(int(card) // 4 * 4 + names[int(card) % 4] for card in cards))
            if named in places:
                return places[named], names
        raise AssertionError("every hand is of some class")

    @cached_property
    def _places(self) -> dict[tuple[int, ...], int]:
        return {tuple(row): place for place, row in enumerate(self.own.tolist())}

    def board_place(self, names: tuple[int, ...], board: Hand) -> int:
        """Common cards as the digits that `counts` has them at, with the suits of the class."""
        numbers = [int(number) for card in board for number in as_cards([(card,)], self.game.deck.ranks)[0]]
        named = [number // 4 * 4 + names[number % 4] for number in numbers]
        return sum(number * self.game.deck.size**place for place, number in enumerate(reversed(named)))


def _may_come(game: ScriptGame, shown: int, exposed: Exposed) -> NDArray[np.bool_]:
    """(shown + 1, cards): which cards may be the first common card, the second, and those after the last choice."""
    may = np.ones((shown + 1, game.deck.size), dtype=np.bool_)
    number = {card: place for place, card in enumerate(game.deck.cards)}
    for card in (*exposed.gone, *exposed.known):
        may[:, number[card]] = False
    for nth, card in enumerate(exposed.known):
        may[nth] = [other == card for other in game.deck.cards]
    return may


def _shape(game: ScriptGame, wager: ScriptWager) -> tuple[int, int, int] | None:
    """Cards of the seat, common cards at the last choice, and common cards after it; None where it is another shape."""
    looks = wager.looks
    script = [step for _, step in one_seats_script(game, wager)]
    steps = [step for step in script if isinstance(step, Choose)]
    if not game.deck.is_one or len(looks) != 1 or looks[0].where != SEAT + BOARD or not steps:
        return None
    if any(not step.when.is_open for step in script) or any(c.when.looks for step in steps for c in step.choices):
        return None
    first, second, *rest = script
    if not (isinstance(first, Deal) and first.where == SEAT and isinstance(second, Choose)):
        return None
    for one, other in zip(rest[::2], rest[1::2], strict=False):
        if not (isinstance(one, Deal) and one.where == BOARD and one.cards == 1 and isinstance(other, Choose)):
            return None
    final = script[-1]
    if not (isinstance(final, Deal) and final.where == BOARD and final.cards in (1, 2) and len(rest) % 2):
        return None
    return first.cards, len(steps) - 1, final.cards


class Sums:
    """The counts of some classes as numbers that are summed up, whatever the prices."""

    def __init__(self, counts: NDArray[np.uint16]) -> None:
        self.wide: Numbers = counts.reshape(-1, counts.shape[2]).astype(np.float64)
        self.dealt: Numbers = self.wide.sum(axis=1).reshape(counts.shape[:2])
        """(classes, cards ** shown): all deals of a position."""


class Signature(NamedTuple):
    """What is still to be had after some choices; lines of choices that leave the same are solved once."""

    prices: tuple[tuple[int, int], ...] = ()
    """The scaled net and the stake by kind of what the cards come to, or of giving up."""
    after: tuple[Signature, ...] = ()
    """One for each choice, where there is one to make."""


@dataclass(eq=False)
class Solved:
    """What every choice on every street is worth under some prices, for these classes of a seat's cards."""

    streets: Streets
    prices: Prices
    sums: Sums

    def __post_init__(self) -> None:
        self.scale = lcm(*{price.net.denominator for price in self.prices.values()})
        """What a sum of nets is divided by, besides the number of deals below."""
        largest = max(abs(price.net) for price in self.prices.values()) * self.scale
        assert largest * self.streets.below[0] < LARGEST_EXACT, "sums must be whole numbers that a float holds"
        dealt = self.sums.dealt
        cards, shown = self.streets.game.deck.size, self.streets.shown
        self._dealt = [dealt.reshape(len(dealt), cards**n, -1).sum(axis=2) for n in range(shown)] + [dealt]
        self._rows: dict[tuple[int, ...], int] = {}
        self._sums = dealt.reshape(1, -1)
        """(sums, positions): what comes when every kind brings so much; the first has the deals."""
        self._signatures: dict[Path, Signature] = {}
        self._rated: dict[Signature, tuple[Worth, ...]] = {}
        self._ends: dict[Signature, Worth] = {}
        self._best: dict[Signature, tuple[NDArray[np.int8], Worth]] = {}

    def options(self, path: Path) -> tuple[tuple[Choice, Worth], ...]:
        """What each choice after these comes to."""
        choices = self.streets.steps[len(path)].options(Seen(choices=path))
        return tuple(zip(choices, self._worths(self._signature(path), len(path)), strict=True))

    def chosen(self, path: Path) -> NDArray[np.int8]:
        """The place of the best choice; among equals the one that stakes most, then the first."""
        return self._chosen(self._signature(path), len(path))[0]

    def _signature(self, path: Path) -> Signature:
        if path not in self._signatures:
            self._signatures[path] = self._signed(path)
        return self._signatures[path]

    def _signed(self, path: Path) -> Signature:
        seen = Seen(choices=path)
        if seen.ended:
            return Signature((self._price(self.streets.wager.ending(seen)),))
        if len(path) == len(self.streets.steps):
            return Signature(tuple(map(self._price, endings_after(self.streets, path))))
        choices = self.streets.steps[len(path)].options(seen)
        return Signature(after=tuple(self._signature((*path, choice)) for choice in choices))

    def _price(self, ending: Ending) -> tuple[int, int]:
        price = self.prices[ending]
        return int(price.net * self.scale), price.staked

    def _worths(self, signature: Signature, shown: int) -> tuple[Worth, ...]:
        if signature not in self._rated:
            self._rated[signature] = tuple(self._worth(following, shown) for following in signature.after)
        return self._rated[signature]

    def _worth(self, after: Signature, shown: int) -> Worth:
        """After a choice with so many common cards shown."""
        if after.after:
            best, (hands, cards) = (
                self._chosen(after, shown + 1)[1],
                (len(self.sums.dealt), self.streets.game.deck.size),
            )
            return Worth(*(worths.reshape(hands, -1, cards).sum(axis=2) for worths in best))
        dealt, (net, staked) = self._dealt[shown], after.prices[0]
        if len(after.prices) == 1:
            return Worth(dealt * net, dealt * staked)
        if after not in self._ends:
            row, times = self._sum(after)
            self._ends[after] = Worth((self._sums[row] * times).reshape(dealt.shape), dealt * staked)
        return self._ends[after]

    def _chosen(self, signature: Signature, shown: int) -> tuple[NDArray[np.int8], Worth]:
        if signature not in self._best and shown == self.streets.shown:
            self._best[signature] = self._chosen_last(signature)
        if signature not in self._best:
            first, *others = self._worths(signature, shown)
            best, net, staked = np.zeros(first.net.shape, dtype=np.int8), first.net.copy(), first.staked.copy()
            for place, worth in enumerate(others, start=1):
                better = (worth.net > net) | ((worth.net == net) & (worth.staked > staked))
                best[better] = place
                np.copyto(net, worth.net, where=better)
                np.copyto(staked, worth.staked, where=better)
            self._best[signature] = best, Worth(net, staked)
        return self._best[signature]

    def _sum(self, ends: Signature) -> tuple[int, int]:
        """The row of what these ends bring, and how often it is to be taken: multiples of each other share one."""
        nets = [net for net, _ in ends.prices]
        times = gcd(*nets) or 1
        unit = tuple(net // times for net in nets)
        if len(set(unit)) == 1:
            return 0, unit[0] * times
        if unit not in self._rows:
            self._rows[unit] = len(self._sums)
            self._sums = np.concatenate([self._sums, [self.sums.wide @ np.array(unit, dtype=np.float64)]])
        return self._rows[unit], times

    def _chosen_last(self, signature: Signature) -> tuple[NDArray[np.int8], Worth]:
        dealt = self.sums.dealt
        ends = [self._sum(after) for after in signature.after]
        row, times = np.array([row for row, _ in ends]), np.array([float(often) for _, often in ends])
        staked = np.array([float(after.prices[0][1]) for after in signature.after])
        best, net, stakes = np.zeros(dealt.size, dtype=np.int8), np.empty(dealt.size), np.empty(dealt.size)
        best_choices(self._sums, row, times, staked, best, net, stakes)
        return best.reshape(dealt.shape), Worth(net.reshape(dealt.shape), stakes.reshape(dealt.shape))

    def by_class(self, chosen: Chosen) -> Numbers:
        """(classes): what is brought in all when seats choose so."""
        return self._followed((), chosen)[:, 0]

    def _followed(self, path: Path, chosen: Chosen) -> Numbers:
        picked, net = chosen(path), np.zeros(self._dealt[len(path)].shape)
        for place, (choice, worth) in enumerate(self.options(path)):
            taken = picked == place
            if not taken.any():
                continue
            after = (*path, choice)
            if choice.ends is None and len(after) < len(self.streets.steps):
                below = self._followed(after, chosen)
                brought = below.reshape(*net.shape, self.streets.game.deck.size).sum(axis=2)
            else:
                brought = worth.net
            net[taken] = brought[taken]
        return net


def endings_after(streets: Streets, path: Path) -> tuple[Ending, ...]:
    """By kind of what the cards come to."""
    wager, seen = streets.wager, Seen(choices=path)
    units = tuple(seen.units(spot) for spot in wager.spots)
    return tuple(wager.named(tuple(zip(units, kind, strict=True))) for kind in streets.kinds)


@dataclass(eq=False)
class Followed:
    """A strategy of a person, asked once in every position that it leads to; positions that differ by the names of
    suits alone are one."""

    streets: Streets
    strategy: Strategy

    def chosen(self, path: Path) -> NDArray[np.int8]:
        streets, shown = self.streets, len(path)
        deck = [card for rank in streets.game.deck.ranks for card in CARDS[rank]]
        options = [choice.key for choice in streets.steps[shown].options(Seen(choices=path))]
        here = np.flatnonzero(self.led_to(path))
        boards = _with_first_names(
            position_cards(streets, shown).reshape(-1, streets.own.shape[1] + shown)[here], shown
        )
        number = here // len(deck) ** shown
        for card in boards.T:
            number = number * len(deck) + card
        alike, place = np.unique(number, return_inverse=True)
        decided = np.empty(len(alike), dtype=np.int8)
        for nth, position in enumerate(alike.tolist()):
            hand, prefix = divmod(position, len(deck) ** shown)
            board = tuple(deck[prefix // len(deck) ** i % len(deck)] for i in range(shown - 1, -1, -1))
            decided[nth] = options.index(self.strategy(Seen({SEAT.name: streets.hands[hand], BOARD.name: board}, path)))
        choices = np.zeros((len(streets.hands), len(deck) ** shown), dtype=np.int8)
        choices.reshape(-1)[here] = decided[place]
        return choices

    def led_to(self, path: Path) -> NDArray[np.bool_]:
        """(classes, cards ** shown): the positions after these choices, where they are this strategy's."""
        if not path:
            return np.ones((len(self.streets.hands), 1), dtype=np.bool_)
        *before, last = path
        parent = tuple(before)
        options = self.streets.steps[len(parent)].options(Seen(choices=parent))
        taken = self.led_to(parent) & (self.streets.by_strategy(self.strategy)(parent) == options.index(last))
        return np.repeat(taken, self.streets.game.deck.size, axis=1) & apart(self.streets, len(path))


def _with_first_names(cards: Cards, shown: int) -> Cards:
    """(positions, shown): the common cards, with suits that the seat has none of named in the order they come."""
    own, board = cards[:, : cards.shape[1] - shown], cards[:, cards.shape[1] - shown :]
    every = np.arange(len(cards))
    called = np.full((len(cards), 4), -1, dtype=np.int64)
    for column in own.T:
        called[every, column % 4] = column % 4
    named = np.empty_like(board)
    for nth, column in enumerate(board.T):
        taken = np.zeros((len(cards), 5), dtype=np.bool_)
        np.put_along_axis(taken, called, True, axis=1)  # the fifth is for suits without a name
        fresh = called[every, column % 4] < 0
        called[every[fresh], column[fresh] % 4] = taken[fresh, :4].argmin(axis=1)
        named[:, nth] = column // 4 * 4 + called[every, column % 4]
    return named


def flow(streets: Streets, chosen: Chosen) -> Count:
    """All deals by how they end when seats choose so."""
    tally: dict[Ending, int] = {}
    cards, kinds = streets.game.deck.size, len(streets.kinds)
    dealt, weights = streets.sums.dealt, streets.weights[:, None]

    def go(path: Path, here: NDArray[np.bool_]) -> None:
        """`here` (classes, cards ** shown): the positions that these choices led to."""
        shown = len(path)
        picked, options = chosen(path), streets.steps[shown].options(Seen(choices=path))
        totals = np.zeros((len(options), kinds), dtype=np.int64)
        if shown == streets.shown:
            endings_of_choices(here, picked, streets.weights, streets.counts, totals)
        for place, choice in enumerate(options):
            taken, after = here & (picked == place), (*path, choice)
            if not taken.any():
                continue
            if choice.ends:
                below = dealt.reshape(len(dealt), cards**shown, -1).sum(axis=2)
                _add(tally, streets.wager.ending(Seen(choices=after)), int((weights * taken * below).sum()))
            elif shown == streets.shown:
                for ending, n in zip(endings_after(streets, after), totals[place], strict=True):
                    _add(tally, ending, int(n))
            else:
                go(after, np.repeat(taken, cards, axis=1))

    go((), np.ones((len(streets.hands), 1), dtype=np.bool_))
    return Count(tally, streets.deals)


def _add(tally: dict[Ending, int], ending: Ending, n: int) -> None:
    if n:
        tally[ending] = tally.get(ending, 0) + n


def reached(streets: Streets, chosen: Chosen) -> Iterator[tuple[Path, NDArray[np.bool_]]]:
    """Every line of choices that is made, and the positions that it leads to where another choice follows."""

    def go(path: Path, here: NDArray[np.bool_]) -> Iterator[tuple[Path, NDArray[np.bool_]]]:
        yield path, here
        for place, choice in enumerate(streets.steps[len(path)].options(Seen(choices=path))):
            taken, after = here & (chosen(path) == place), (*path, choice)
            if taken.any() and not choice.ends and len(after) < len(streets.steps):
                yield from go(after, np.repeat(taken, streets.game.deck.size, axis=1) & apart(streets, len(after)))

    return go((), np.ones((len(streets.hands), 1), dtype=np.bool_))


@cache
def apart(streets: Streets, shown: int) -> NDArray[np.bool_]:
    """(classes, cards ** shown): whether the common cards and the seat's are all different."""
    cards, may = position_cards(streets, shown), _may_come(streets.game, streets.shown, streets.exposed)
    ordered = np.sort(cards, axis=2)
    distinct = (ordered[:, :, 1:] != ordered[:, :, :-1]).all(axis=2)
    for nth in range(shown):
        distinct &= may[nth, cards[:, :, cards.shape[2] - shown + nth]]
    return np.asarray(distinct)


@cache
def position_cards(streets: Streets, shown: int) -> Cards:
    """(classes, cards ** shown, cards of the seat and the board): the cards of each position."""
    cards = streets.game.deck.size
    prefix = np.arange(cards**shown)
    board = np.stack([prefix // cards**i % cards for i in range(shown - 1, -1, -1)], axis=1) if shown else None
    own = np.broadcast_to(streets.own[:, None, :], (len(streets.own), cards**shown, streets.own.shape[1]))
    if board is None:
        return own
    return np.concatenate([own, np.broadcast_to(board, (len(streets.own), *board.shape))], axis=2)
