"""An up card: a seat's five cards against the dealer's five, one of which the seat sees when it chooses.

Hands are told apart by their ranks, by whether they are of one suit, and by the ranks held in the up card's suit: a
million classes in place of 122 million pairs, and for each of them no dealer's hand is listed twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.kernels.up_card import up_card_classes, up_card_counts
from croupier.analysis.script.plain import Count, Prices, one_seats_script
from croupier.analysis.tables import CHOOSE, NOTHING, Exposed, Ints, all_hands, as_cards, rank_places, rank_sets
from croupier.cards.card import Card, Hand
from croupier.cards.symmetry import CARDS, Sees, classes
from croupier.games.script.game import ScriptGame, Strategy
from croupier.games.script.language import DEALER, SEAT, ByRanks, Choice, Choose, Deal, Deck, Judgment, Look, Seen
from croupier.games.script.wager import Ending, ScriptWager

CARDS_EACH, MOST_RANKS = 5, 13
SIGNS = (1, 0, -1)


@dataclass(frozen=True, eq=False)
class Rules:
    """What the rules of a wager say of every hand of five cards: asked once, and looked up by every deal."""

    game: ScriptGame
    step: Choose
    choices: tuple[Choice, ...]
    sets: Ints
    """(sets, 5): the ranks of hands, rising."""
    value: Ints
    """(sets, 2): how strong they are, of several suits and of one."""
    fact: Ints
    """(sets, 2): what else is read of a dealer's hand."""
    kind: Ints
    """(sets, 2): and of a seat's."""
    endings: tuple[Ending, ...]
    ends: Ints
    """(choices, kinds, facts * 3): the place of the ending."""

    @classmethod
    def fits(cls, game: ScriptGame, wager: ScriptWager) -> bool:
        """Whether a wager is of this shape."""
        script = [step for _, step in one_seats_script(game, wager)]
        if not game.deck.is_one or len(script) != 4 or any(not step.when.is_open for step in script):
            return False
        own, up, choose, others = script
        if not (isinstance(own, Deal) and isinstance(up, Deal) and isinstance(choose, Choose)):
            return False
        dealt = isinstance(others, Deal) and (own.where, up.where, others.where) == (SEAT, DEALER, DEALER)
        sizes = (own.cards, up.cards, sum(step.cards for step in (up, others) if isinstance(step, Deal)))
        if not dealt or sizes != (CARDS_EACH, 1, CARDS_EACH) or any(not c.when.is_open for c in choose.choices):
            return False
        contests = {spot.judged for spot in wager.spots if any(look.where == DEALER for look in spot.judged.looks)}
        readings = {(contest.looks[0], contest.looks[1]) for contest in contests if contest.ordered}
        seen = all(look.where in (SEAT, DEALER) and look.reading.sees <= Sees.FLUSHES for look in wager.looks)
        return seen and len(readings) == 1 and all(map(_is_contest, contests))

    @classmethod
    def of(cls, game: ScriptGame, wager: ScriptWager) -> Rules:
        [step] = wager.steps
        sets = rank_sets(len(game.deck.ranks), CARDS_EACH)
        strength = next(spot.judged.looks[0] for spot in wager.spots if _is_contest(spot.judged)).reading
        own, theirs = (_facts(wager, where) for where in (SEAT, DEALER))
        hands = _hands(game)
        order = {
            strength_seen: place
            for place, strength_seen in enumerate(sorted({strength(hand) for hand in hands.values()}))
        }
        value, kind, fact = (np.zeros((len(sets), 2), dtype=np.int64) for _ in range(3))
        kinds, facts = dict[tuple[Any, ...], int](), dict[tuple[Any, ...], int]()
        for (number, flush), hand in hands.items():
            value[number, flush] = order[strength(hand)]
            kind[number, flush] = kinds.setdefault(tuple(look.reading(hand) for look in own), len(kinds))
            fact[number, flush] = facts.setdefault(tuple(look.reading(hand) for look in theirs), len(facts))
        choices, places = step.options(Seen()), dict[Ending, int]()
        ends = [
            [
                [
                    _ending(wager, choice, dict(zip((*own, *theirs), (*mine, *yours), strict=True)), sign, places)
                    for yours in facts
                    for sign in SIGNS
                ]
                for mine in kinds
            ]
            for choice in choices
        ]
        return cls(game, step, choices, sets, value, fact, kind, tuple(places), np.array(ends))

    @property
    def below(self) -> int:
        """How many hands the dealer may have behind an up card."""
        return comb(self.game.deck.size - CARDS_EACH - 1, CARDS_EACH - 1)

    def counts(self, classes: NDArray[np.int32]) -> NDArray[np.int32]:
        """(classes, facts * 3): the dealer's hands that lead there."""
        ranks = len(self.game.deck.ranks)
        rest = rank_sets(ranks, CARDS_EACH - 1)
        spread, with_spread = _spread(ranks)
        counts = np.zeros((len(classes), self.ends.shape[2] // 3, 3), dtype=np.int32)
        tables = (self.sets, self.value, self.fact, rest, _with_up_card(rest, ranks), spread, with_spread, CHOOSE)
        up_card_counts(*tables, classes, counts)
        by_class: NDArray[np.int32] = counts.reshape(len(classes), -1)
        assert (by_class.sum(axis=1) == self.below).all(), "every dealer's hand is counted once"
        return by_class

    def class_of(self, hand: Hand, up: Card) -> tuple[int, int, int, int]:
        """As in `UpCard.classes`."""
        ranks = self.game.deck.ranks
        number = int(rank_places(np.array([sorted(ranks.index(card.rank) for card in hand)]))[0])
        suited = sum(1 << ranks.index(card.rank) for card in hand if card.suit is up.suit)
        return number, ranks.index(up.rank), suited, int(len({card.suit for card in hand}) == 1)

    def worth(self, prices: Prices, hand: Hand, up: Card, exposed: Exposed = NOTHING) -> list[Fraction]:
        """What each choice is worth in one position, for which nothing else is counted."""
        here = self.class_of(hand, up)
        if exposed:
            dealt = self._counts_beside(hand, up, exposed)
        else:
            dealt = self.counts(np.array([here], dtype=np.int32))[0].tolist()
        nets = [prices[ending].net for ending in self.endings]
        return [
            sum((n * nets[end] for n, end in zip(dealt, row, strict=True)), Fraction(0)) / sum(dealt)
            for row in self.ends[:, self.kind[here[0], here[3]]].tolist()
        ]

    def _counts_beside(self, hand: Hand, up: Card, exposed: Exposed) -> list[int]:
        """(facts * 3): every hand that the dealer may have behind the up card, listed."""
        place, flush = _dealers_behind(self.game.deck, (up, *exposed.known), frozenset((*hand, *exposed.gone)))
        number, _, _, suited = self.class_of(hand, up)
        sign = np.sign(self.value[place, flush] - self.value[number, suited]) + 1  # as in SIGNS: worse hands first
        dealt = np.bincount(self.fact[place, flush] * 3 + sign, minlength=self.ends.shape[2])
        return [int(n) for n in dealt]


@dataclass(frozen=True, eq=False)
class UpCard:
    """All deals of a wager against a dealer of whom one card is seen."""

    rules: Rules
    classes: NDArray[np.int32]
    """(classes, 4): the place of its ranks, the up card's rank, ranks held in its suit as bits, and one suit or not."""
    weights: Ints
    """Pairs of a hand and an up card."""
    counts: NDArray[np.int32]
    """(classes, facts * 3): the dealer's hands that lead there, for one pair."""
    kinds: Ints
    """(classes): what the seat's own cards are, as far as any spot asks."""

    @classmethod
    def of(cls, rules: Rules) -> UpCard:
        """Count all deals."""
        sets, ranks = rules.sets, len(rules.game.deck.ranks)
        most = len(sets) * ranks * 2**CARDS_EACH
        classes, weights = np.zeros((most, 4), dtype=np.int32), np.zeros(most, dtype=np.int64)
        many = up_card_classes(sets, ranks, CHOOSE, classes, weights)
        classes = classes[:many].copy()
        kinds = rules.kind[classes[:, 0], classes[:, 3]]
        return cls(rules, classes, weights[:many].copy(), rules.counts(classes), kinds)

    @property
    def game(self) -> ScriptGame:
        return self.rules.game

    @property
    def choices(self) -> tuple[Choice, ...]:
        return self.rules.choices

    @property
    def endings(self) -> tuple[Ending, ...]:
        return self.rules.endings

    @property
    def ends(self) -> Ints:
        return self.rules.ends

    @property
    def deals(self) -> int:
        return int(self.weights.sum()) * self.rules.below

    def summed(self, numbers: list[Any]) -> tuple[Ints, int]:
        """(classes, choices): a number of each ending, summed over the dealer's hands; and what to divide it by."""
        scale = lcm(*(number.denominator for number in numbers))
        scaled = np.array([int(number * scale) for number in numbers], dtype=np.int64)
        sums = np.zeros((len(self.weights), len(self.choices)), dtype=np.int64)
        for kind in range(self.ends.shape[1]):
            here = self.kinds == kind
            sums[here] = self.counts[here].astype(np.int64) @ scaled[self.ends[:, kind]].T
        return sums, scale * self.rules.below

    def values(self, prices: Prices) -> tuple[Ints, int]:
        return self.summed([prices[ending].net for ending in self.endings])

    def best(self, prices: Prices) -> Ints:
        """(classes): the place of the best choice; among equals the one that stakes most, then the first."""
        values, _ = self.values(prices)
        stakes, _ = self.summed([prices[ending].staked for ending in self.endings])
        tied = values == values.max(axis=1, keepdims=True)
        best: Ints = np.where(tied, stakes, -1).argmax(axis=1)
        return best

    def by_strategy(self, strategy: Strategy) -> Ints:
        """(classes): asked once of every class, or of every set of ranks with an up card where it sees no more."""
        if strategy not in self._followed:
            keys = [choice.key for choice in self.choices]
            examples, place = self._by_ranks if isinstance(strategy, ByRanks) else self._by_class
            decided = [keys.index(strategy(Seen({SEAT.name: hand, DEALER.name: (card,)}))) for hand, card in examples]
            self._followed[strategy] = np.array(decided)[place]
        return self._followed[strategy]

    @cached_property
    def _by_ranks(self) -> tuple[list[tuple[Hand, Card]], Ints]:
        """One hand and up card of each set of ranks, flushes apart; and (classes): which of them a class is."""
        number, up, suited, flush = self.classes.T.astype(np.int64)
        return self._one_of_each(_key(number, up, np.zeros_like(suited), flush))

    @property
    def _by_class(self) -> tuple[list[tuple[Hand, Card]], Ints]:
        number, up, suited, flush = self.classes.T.astype(np.int64)
        return self._one_of_each(_key(number, up, suited, flush))

    def _one_of_each(self, alike: Ints) -> tuple[list[tuple[Hand, Card]], Ints]:
        _, first, place = np.unique(alike, return_index=True, return_inverse=True)
        return [self.example(place) for place in first.tolist()], place

    @cached_property
    def _followed(self) -> dict[Strategy, Ints]:
        return {}

    def example(self, place: int) -> tuple[Hand, Card]:
        """A hand of a class, and the up card, which is a club."""
        number, up, suited, flush = self.classes[place].tolist()
        ranks = self.game.deck.ranks
        held = self.rules.sets[number].tolist()
        hand: list[Card] = []
        for nth, rank in enumerate(held):
            before, in_suit = held[:nth].count(rank), suited >> rank & 1
            if flush:
                suit = 1 - in_suit
            elif held.count(rank) > 1 or in_suit:
                suit = before if in_suit else 1 + before
            else:
                suit = 1 + nth % 3  # never all in one
            hand.append(CARDS[ranks[rank]][suit])
        return tuple(hand), CARDS[ranks[up]][0]

    def place_of(self, hand: Hand, up: Card) -> int:
        keys, order = self._keys
        wanted = self.rules.class_of(hand, up)
        place = int(order[np.searchsorted(keys, _key(*wanted))])
        assert self.classes[place].tolist() == list(wanted), "every pair has a class"
        return place

    @cached_property
    def _keys(self) -> tuple[Ints, Ints]:
        """The keys of all classes, rising, and whose they are."""
        keys = _key(*self.classes.T.astype(np.int64))
        order = np.argsort(keys)
        return keys[order], order

    def count(self, chosen: Ints) -> Count:
        totals = np.zeros(len(self.endings), dtype=object)
        for choice in range(len(self.choices)):
            for kind in range(self.ends.shape[1]):
                here = (self.kinds == kind) & (chosen == choice)
                dealt = self.weights[here] @ self.counts[here].astype(np.int64)
                for ending, many in zip(self.ends[choice, kind], dealt.tolist(), strict=True):
                    totals[ending] += many
        return Count({ending: int(n) for ending, n in zip(self.endings, totals, strict=True) if n}, self.deals)


@lru_cache(maxsize=2)
def _dealers_behind(deck: Deck, known: Hand, out: frozenset[Card]) -> tuple[Ints, Ints]:
    """Every hand of the dealer's with these cards and none of those: the place of its ranks, and one suit or not."""
    free = tuple(card for card in deck.cards if card not in out and card not in known)
    rest = as_cards([free], deck.ranks)[0][all_hands(CARDS_EACH - len(known), len(free))]
    cards = np.column_stack([rest, np.broadcast_to(as_cards([known], deck.ranks)[0], (len(rest), len(known)))])
    flush = (cards % 4 == cards[:, :1] % 4).all(axis=1).astype(np.int64)
    return rank_places(np.sort(cards // 4, axis=1)), flush


def _key(number: Any, up: Any, suited: Any, flush: Any) -> Any:
    """One number for a class."""
    return ((number * MOST_RANKS + up) << MOST_RANKS | suited) * 2 + flush


def _is_contest(judged: Judgment) -> bool:
    if judged.ordered is None:
        return False
    mine, other, *_ = judged.looks
    return mine.where == SEAT and other.where == DEALER and mine.reading is other.reading


def _facts(wager: ScriptWager, where: object) -> tuple[Look, ...]:
    """What is read of one side besides how strong it is."""
    looks = (look for spot in wager.spots for look in spot.judged.looks[2 if spot.judged.ordered else 0 :])
    return tuple(dict.fromkeys(look for look in looks if look.where == where))


def _hands(game: ScriptGame) -> dict[tuple[int, int], Hand]:
    """By set of ranks, and one suit or not: a hand."""
    ranks, hands = game.deck.ranks, {}
    for hand_class in classes(CARDS_EACH, Sees.FLUSHES, ranks):
        rising = np.array([sorted(ranks.index(card.rank) for card in hand_class.hand)])
        hands[int(rank_places(rising)[0]), int(len({card.suit for card in hand_class.hand}) == 1)] = hand_class.hand
    return hands


def _with_up_card(rest: Ints, ranks: int) -> Ints:
    """(ranks, rests): the place of the set that the dealer's other cards make with an up card."""
    both = [np.sort(np.column_stack([np.full(len(rest), up), rest]), axis=1) for up in range(ranks)]
    return np.array([rank_places(cards) for cards in both], dtype=np.int64)


def _spread(ranks: int) -> tuple[Ints, Ints]:
    """For each up card the sets of other ranks, all different: as bits, and the place of what they make with it."""
    masks, places = [], []
    for up in range(ranks):
        others = [combination for combination in combinations(range(ranks), CARDS_EACH - 1) if up not in combination]
        masks.append([sum(1 << rank for rank in other) for other in others])
        rising = np.array([sorted((up, *other)) for other in others], dtype=np.int64).reshape(-1, CARDS_EACH)
        places.append(rank_places(rising))
    return np.array(masks, dtype=np.int64).reshape(ranks, -1), np.array(places, dtype=np.int64).reshape(ranks, -1)


def _ending(wager: ScriptWager, choice: Choice, findings: dict[Look, Any], sign: int, places: dict[Ending, int]) -> int:
    seen, parts = Seen().after(choice), []
    for spot in wager.spots:
        judged, looks = spot.judged, spot.judged.looks
        outcome = seen.ended
        if outcome is None and judged.ordered:
            outcome = judged.ordered(sign, *(findings[look] for look in looks[2:]))
        elif outcome is None:
            outcome = judged.judge(*(findings[look] for look in looks))
        parts.append((seen.units(spot), outcome))
    return places.setdefault(wager.named(tuple(parts)), len(places))
