"""Packets: a seat's cards against as many of the dealer's with one choice between, or some cards and no choice.

No deal is listed: for each class of the seat's cards the dealer's hands that are left are counted by inclusion and
exclusion, and cards that are only read are counted by class.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations
from math import comb, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.script.plain import Count, Prices, one_seats_script, turned_last
from croupier.analysis.script.streets import sized
from croupier.analysis.tables import (
    NOTHING,
    Cards,
    Exposed,
    Ints,
    Seats,
    all_hands,
    as_cards,
    class_cards,
    class_of_hands,
    dealer_counts,
    dealers_left,
    hand_places,
    parts_of,
)
from croupier.cards.card import Hand
from croupier.cards.symmetry import Sees, classes
from croupier.games.script.game import ScriptGame, Strategy, cards_of
from croupier.games.script.language import DEALER, SEAT, Choice, Choose, Deal, Judgment, Seen
from croupier.games.script.wager import Ending, ScriptWager
from croupier.games.tabulate import read_all
from croupier.games.wager import Outcome
from croupier.games.wager import Reading as SizedReading

LARGEST_EXACT = 2**62


@dataclass(frozen=True, eq=False)
class Packets:
    """All deals of a wager against the dealer, by class of the seat's cards, by choice, by ending."""

    game: ScriptGame
    wager: ScriptWager
    step: Choose
    hands: tuple[Hand, ...]
    weights: Ints
    choices: tuple[Choice, ...]
    endings: tuple[Ending, ...]
    counts: Ints
    """For one hand of the class: the dealer's hands that lead there. Shape (classes, choices, endings)."""
    seats: Seats | None = None
    """The classes, where cards were seen."""

    @classmethod
    def fits(cls, game: ScriptGame, wager: ScriptWager) -> bool:
        """Whether a wager is of this shape."""
        script = [step for _, step in one_seats_script(game, wager)]
        if not game.deck.is_one or len(script) != 3 or any(not step.when.is_open for step in script):
            return False
        own, choose, dealers = script
        if not (isinstance(own, Deal) and isinstance(choose, Choose) and isinstance(dealers, Deal)):
            return False
        packets = own.where == SEAT and dealers.where == DEALER and own.cards == dealers.cards <= 4
        return packets and all(look.where in (SEAT, DEALER) for look in wager.looks) and _plain(choose)

    @classmethod
    def of(cls, game: ScriptGame, wager: ScriptWager, exposed: Exposed = NOTHING, hand: Hand | None = None) -> Packets:
        """Count all deals, or those beside some cards that were seen; of one hand, where one is named."""
        [step] = wager.steps
        ranks, size = game.deck.ranks, game.sizes[SEAT.name]
        if exposed:
            seats: Seats | None = Seats.of(size, ranks, exposed, hand)
            assert seats is not None
            hands, weights = seats.hands, seats.weights
            kinds, left = _judged(game, wager, hands, seats.cards, dealers_left(size, ranks, exposed))
        else:
            seat, seats = classes(size, seat_sees(wager), ranks), None
            hands, weights = (
                tuple(hand_class.hand for hand_class in seat),
                np.array([hand_class.hands for hand_class in seat], dtype=np.int64),
            )
            if _compares(wager, size):
                kinds, left = _compared(game, wager)
            else:
                kinds, left = _judged(game, wager, hands, class_cards(size, seat_sees(wager), ranks))
        own_kinds, own_kind = _own_outcomes(wager, list(hands))
        others = game.deck.size - size - len(exposed.gone) - len(exposed.known)
        dealers = comb(others, size - len(exposed.known))
        assert (left.sum(axis=1) == dealers).all(), "every dealer's hand is counted once"
        choices, places = step.options(Seen()), dict[Ending, int]()
        ends = np.array([[[_ending(wager, c, o, k, places) for k in kinds] for o in own_kinds] for c in choices])
        counts = np.zeros((len(hands), len(choices), len(places)), dtype=np.int64)
        everyone = np.arange(len(hands))
        for number in range(len(choices)):
            for kind in range(len(kinds)):
                counts[everyone, number, ends[number, own_kind, kind]] += left[:, kind]
        return cls(game, wager, step, hands, weights, choices, tuple(places), counts, seats)

    @property
    def deals(self) -> int:
        return int(self.weights.sum()) * self.per_hand

    @cached_property
    def per_hand(self) -> int:
        return int(self.counts[0, 0].sum())

    def place_of(self, hand: Hand) -> int:
        """The class of a seat's cards."""
        if self.seats:
            return self.seats.place_of(hand)
        ranks = self.game.deck.ranks
        places = class_of_hands(len(hand), seat_sees(self.wager), ranks)
        return int(places[hand_places(as_cards([hand], ranks))][0])

    def values(self, prices: Prices) -> tuple[Ints, int]:
        """What each choice is worth to each class: whole numbers, and what to divide them by."""
        return self._summed([prices[ending].net for ending in self.endings])

    def _summed(self, numbers: list[Any]) -> tuple[Ints, int]:
        scale = lcm(*(number.denominator for number in numbers))
        scaled = [int(number * scale) for number in numbers]
        fits = max(map(abs, scaled)) * self.per_hand < LARGEST_EXACT
        return self.counts @ np.array(scaled, dtype=np.int64 if fits else object), scale * self.per_hand

    def best(self, prices: Prices) -> Ints:
        """The place of the best choice; among equals the one that stakes most, then the first."""
        values, _ = self.values(prices)
        stakes = self.counts @ np.array([prices[ending].staked for ending in self.endings])
        tied = values == values.max(axis=1, keepdims=True)
        best: Ints = np.where(tied, stakes, -1).argmax(axis=1)
        return best

    def by_strategy(self, strategy: Strategy) -> Ints:
        keys = [choice.key for choice in self.choices]
        return np.array([keys.index(strategy(Seen({SEAT.name: hand}))) for hand in self.hands])

    def count(self, chosen: Ints) -> Count:
        """All deals by how they end when each class chooses so."""
        totals = self.weights @ self.counts[np.arange(len(self.weights)), chosen]
        return Count({ending: int(n) for ending, n in zip(self.endings, totals, strict=True) if n}, self.deals)


def _plain(choose: Choose) -> bool:
    return all(choice.when.is_open for choice in choose.choices)


def seat_sees(wager: ScriptWager) -> Sees:
    """The seat's classes must be as fine as the finest reading, the dealer's included."""
    finest = max(look.reading.sees for look in wager.looks)
    return Sees.RANKS if finest is Sees.RANKS else Sees.SUITS


Kind = tuple[Outcome | None, ...]
"""An outcome for each spot, or nothing where the other side's cards say it too."""


def _own_outcomes(wager: ScriptWager, hands: list[Hand]) -> tuple[list[Kind], Ints]:
    """What the seat's own cards say: all there is, and the place of it for each hand."""
    judged = list(dict.fromkeys(spot.judged for spot in wager.spots if not _needs_dealer(spot.judged)))
    kinds: dict[tuple[Outcome, ...], int] = {}
    places = []
    for hand in hands:
        outcomes = tuple(
            [judged_spot.judge(*[look.reading(hand) for look in judged_spot.looks]) for judged_spot in judged]
        )
        places.append(kinds.setdefault(outcomes, len(kinds)))
    column = [judged.index(spot.judged) if spot.judged in judged else None for spot in wager.spots]
    return [tuple(None if at is None else kind[at] for at in column) for kind in kinds], np.array(places)


def _needs_dealer(judged: Judgment) -> bool:
    return any(look.where == DEALER for look in judged.looks)


def _ending(wager: ScriptWager, choice: Choice, own: Kind, other: Kind, places: dict[Ending, int]) -> int:
    seen = Seen().after(choice)
    judged = [mine or yours or seen.ended for mine, yours in zip(own, other, strict=True)]
    parts = tuple((seen.units(spot), seen.ended or o) for spot, o in zip(wager.spots, judged, strict=True))
    return places.setdefault(wager.named(parts), len(places))  # type: ignore[arg-type]


def _compares(wager: ScriptWager, size: int) -> bool:
    """Whether all that hangs on the dealer's cards is which hand is better, and some facts of the dealer's alone."""
    judged = [spot.judged for spot in wager.spots if _needs_dealer(spot.judged)]
    return size <= 3 and all(
        judged_spot.ordered and judged_spot is judged[0] and _is_contest(judged_spot) for judged_spot in judged
    )


def _is_contest(judged: Judgment) -> bool:
    mine, other, *more = judged.looks
    sides = mine.where == SEAT and other.where == DEALER and mine.reading is other.reading
    return sides and all(look.where == DEALER for look in more)


def _compared(game: ScriptGame, wager: ScriptWager) -> tuple[list[Kind], Ints]:
    """For each class how many dealer's hands are worse, equal and better, by the facts of the dealer's.

    Hands are put in order once. Those that hold a set of the seat's cards are summed up from the worst, so that each
    class looks its three numbers up; inclusion and exclusion over its cards leaves those that share none.
    """
    ranks, size = game.deck.ranks, game.sizes[SEAT.name]
    judged = next(spot.judged for spot in wager.spots if _needs_dealer(spot.judged))
    strength, facts, sees = judged.looks[0].reading, judged.looks[2:], seat_sees(wager)
    hands = [hand_class.hand for hand_class in classes(size, sees, ranks)]
    strengths = [strength(hand) for hand in hands]
    order = {strength_seen: place for place, strength_seen in enumerate(sorted(set(strengths)))}
    rank = np.array([order[rank_strength] for rank_strength in strengths])
    known: dict[tuple[Any, ...], int] = {}
    reads = [look.reading.read for look in facts]
    fact = np.array([known.setdefault(tuple([read(hand) for read in reads]), len(known)) for hand in hands])
    of_hands, cards = class_of_hands(size, sees, ranks), class_cards(size, sees, ranks)
    every = all_hands(size, game.deck.size)
    span, rank_of, fact_of = len(order) + 1, rank[of_hands] + 1, fact[of_hands]
    of_fact = [fact_of == number for number in range(len(known))]
    left = np.zeros((len(known), 3, len(hands)), dtype=np.int64)
    for shared in range(size):
        subsets = list(combinations(range(size), shared))
        rows = [hand_places(cards[:, places]) for places in subsets]
        # Only sets that one hand of a class holds are looked up.
        needed = np.unique(np.concatenate(rows))
        compact = np.full(comb(game.deck.size, shared), -1)
        compact[needed] = np.arange(len(needed))
        keys: list[list[Ints]] = [[] for _ in known]
        for places in subsets:
            held = compact[hand_places(every[:, places])]
            for number in range(len(known)):
                there = (held >= 0) & of_fact[number]
                keys[number].append(held[there] * span + rank_of[there])
        for number in range(len(known)):
            found_there = np.bincount(np.concatenate(keys[number]), minlength=len(needed) * span)
            below = found_there.astype(np.int32).reshape(len(needed), span).cumsum(axis=1, dtype=np.int32)
            for row in (compact[row] for row in rows):
                worse, no_better = below[row, rank], below[row, rank + 1]
                sign = (-1) ** shared
                left[number, 0] += sign * worse
                left[number, 1] += sign * (no_better - worse)
                left[number, 2] += sign * (below[row, -1] - no_better)
    # A hand that shares all its cards is the seat's own.
    left[fact, 1, np.arange(len(hands))] += (-1) ** size
    kinds = []
    for facts_found in known:
        for sign in (1, 0, -1):
            assert judged.ordered is not None
            outcome = judged.ordered(sign, *facts_found)
            kinds.append(tuple(outcome if spot.judged is judged else None for spot in wager.spots))
    return kinds, left.reshape(-1, len(hands)).T


def _judged(
    game: ScriptGame,
    wager: ScriptWager,
    hands: tuple[Hand, ...],
    cards: Cards,
    among: NDArray[np.bool_] | None = None,
) -> tuple[list[Kind], Ints]:
    """For each hand how many dealer's hands lead to each set of outcomes: every pair of findings is judged."""
    against = _against(game, wager)
    left = dealer_counts(cards, against.dealer, game.deck.ranks, among)
    rows = np.array([against.judge(tuple(look.reading(hand) for look in against.own)) for hand in hands])
    counts = np.stack([np.where(rows == kind, left, 0).sum(axis=1) for kind in range(len(against.kinds))], axis=1)
    return list(against.kinds), counts


@cache
def _against(game: ScriptGame, wager: ScriptWager) -> Against:
    return Against(game, wager)


class Against:
    """What a seat's cards come to against every finding of the dealer's: judged once, and looked up."""

    def __init__(self, game: ScriptGame, wager: ScriptWager) -> None:
        size, sees = game.sizes[SEAT.name], seat_sees(wager)
        judged = list(dict.fromkeys(spot.judged for spot in wager.spots if _needs_dealer(spot.judged)))
        looks = list(dict.fromkeys(look for judged_spot in judged for look in judged_spot.looks))
        self.own, theirs = ([look for look in looks if look.where == side] for side in (SEAT, DEALER))
        self.dealer = SizedReading("dealer", size, sees, lambda hand: tuple(look.reading(hand) for look in theirs))
        self.kinds: dict[Kind, int] = {}
        findings: Any = read_all(self.dealer, game.deck.ranks).findings
        self._wager, self._judged = wager, judged
        self._dealers = [dict(zip(theirs, finding, strict=True)) for finding in findings]
        self._known: dict[tuple[Any, ...], Ints] = {}

    def judge(self, mine: tuple[Any, ...]) -> Ints:
        """The place among `kinds` of what it comes to against each finding of the dealer's."""
        if mine not in self._known:
            places, known = [], dict(zip(self.own, mine, strict=True))
            for dealer in self._dealers:
                every = {**known, **dealer}
                outcome = {
                    judged_spot: judged_spot.judge(*(every[look] for look in judged_spot.looks))
                    for judged_spot in self._judged
                }
                kind = tuple(outcome.get(spot.judged) for spot in self._wager.spots)
                places.append(self.kinds.setdefault(kind, len(self.kinds)))
            self._known[mine] = np.array(places)
        return self._known[mine]


@dataclass(frozen=True, eq=False)
class Read:
    """All sets of some cards, where nothing is chosen: the ending is read from them."""

    game: ScriptGame
    wager: ScriptWager

    @classmethod
    def fits(cls, game: ScriptGame, wager: ScriptWager) -> bool:
        whole = all(stop is None for look in wager.looks for _, _, stop in look.where.parts)
        return not wager.steps and game.deck.decks == 1 and len(wager.looks) == 1 and whole

    def count(self, exposed: Exposed = NOTHING) -> Count:
        """All sets there are, or those beside some cards that were seen."""
        [look] = self.wager.looks
        size, deck = cards_of(self.game, look), self.game.deck
        inside = exposed if turned_last(self.game).name in look.where.names else exposed.all_gone
        tally: dict[Ending, int] = {}
        seen, ends = Seen(), dict[Any, Ending]()
        # Without jokers the reading has been asked already, or will be, by whoever samples the wager.
        table = read_all(sized(look, size), deck.ranks) if deck.is_one else None
        for sign, gone in parts_of(inside):
            for place, hand_class in enumerate(deck.classes(size, look.reading.sees, gone)):
                finding: Any = table.findings[table.of_class[place]] if table else look.reading(hand_class.hand)
                if finding not in ends:
                    ends[finding] = self.wager.ending(seen, {look: finding}.__getitem__)
                tally[ends[finding]] = tally.get(ends[finding], 0) + sign * hand_class.hands
        left = deck.size - len(exposed.gone) - len(exposed.known)
        return Count(tally, comb(left, size - len(inside.known)))
