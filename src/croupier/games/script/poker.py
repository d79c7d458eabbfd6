"""Poker hands as readings, for every game that is written as a script."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from croupier.cards.card import Hand, Rank
from croupier.cards.symmetry import Sees
from croupier.games.poker import FiveCards, ThreeCards, best_five, straight_top, three_card_hand
from croupier.games.script.language import Reading, reading
from croupier.games.wager import Outcome

Strength = tuple[int, ...]
"""The place of the line, then the ranks that decide within it: strengths compare as hands do."""


def _of_line(line: Outcome | Rank | None) -> str:
    if isinstance(line, Rank):
        return f"a pair of {line.name.lower()}{'es' if line is Rank.SIX else 's'}"
    return line.label.lower() if line else "no pair"


@reading(Sees.FLUSHES, say=_of_line)
def five_line(hand: Hand) -> Outcome | Rank | None:
    """The line of five cards; of a pair its rank, which tables draw lines between, and nothing below that."""
    line = best_five(hand)
    if line is not FiveCards.LESS:
        return line
    pairs = [rank for rank, copies in Counter(card.rank for card in hand).items() if copies == 2]
    return FiveCards.TWO_PAIR if len(pairs) == 2 else pairs[0] if pairs else None


three_line = reading(Sees.SUITS, say=lambda line: line.label)(three_card_hand)
six_line = reading(Sees.FLUSHES, say=lambda line: line.label)(best_five)

_THREE_LINES = ThreeCards.ALL[::-1]


def _of_strength(strength: Strength) -> str:
    line, *ranks = strength
    if _THREE_LINES[line] is not ThreeCards.NOTHING:
        return _THREE_LINES[line].label.lower()
    return f"{'-'.join(Rank(rank).letter for rank in ranks)} high"


@reading(Sees.SUITS, say=_of_strength)
def three_strength(hand: Hand) -> Strength:
    """How three cards compare; of two equal lines the higher ranks decide."""
    a, b, c = sorted([int(card.rank) for card in hand], reverse=True)
    suited = hand[0].suit is hand[1].suit is hand[2].suit
    if b in (a, c):
        return _THREE if a == c else _PAIR, b, a if b == c else c
    top = a if a - b == b - c == 1 else b if (a, b, c) == _WHEEL else 0
    if top:
        return (_ROYAL if top == _ACE else _STRAIGHT_FLUSH) if suited else _STRAIGHT, top
    return _FLUSH if suited else 0, a, b, c


_PAIR, _FLUSH, _STRAIGHT, _THREE, _STRAIGHT_FLUSH, _ROYAL = range(1, 7)
_ACE, _WHEEL = int(Rank.ACE), (14, 3, 2)
_STRAIGHT_CARDS = 5


_PLURALS = {Rank.SIX: "sixes"}


def _plural(rank: int) -> str:
    return _PLURALS.get(Rank(rank), f"{Rank(rank).name.lower()}s")


def in_words(strength: Strength) -> str:
    """Of five cards, as a player says it: the line, the rank of a pair, the two highest of less."""
    line, *ranks = strength
    if line == _ONE_PAIR:
        return f"a pair of {_plural(ranks[0])}"
    if line:
        return _FIVE_LINES[line].label.lower()
    return f"{Rank(ranks[0]).name.lower()}-{Rank(ranks[1]).name.lower()}"


@reading(Sees.FLUSHES, say=in_words)
def five_strength(hand: Hand) -> Strength:
    """How five cards compare: the place of the line, then the ranks that decide within it, copies first."""
    ranks = [int(card.rank) for card in hand]
    copies = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    shape, order = tuple(n for n, _ in copies), tuple(rank for _, rank in copies)
    suited = len({card.suit for card in hand}) == 1
    top = straight_top([card.rank for card in hand], length=5) if len(copies) == len(hand) else 0
    if top:
        return (_FIVE_ROYAL if top == _ACE else _FIVE_STRAIGHT_FLUSH) if suited else _FIVE_STRAIGHT, top
    if suited:
        return _FIVE_FLUSH, *order
    return _BY_SHAPE.get(shape, 0), *order


def line_of(strength: Strength) -> Outcome:
    """The line of five cards; less than a pair has none of its own, nor has a pair."""
    return _FIVE_LINES.get(strength[0], FiveCards.LESS)


_ONE_PAIR, _FIVE_STRAIGHT, _FIVE_FLUSH, _FIVE_STRAIGHT_FLUSH, _FIVE_ROYAL = 1, 4, 5, 8, 9
_BY_SHAPE = {(2, 1, 1, 1): _ONE_PAIR, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}
_FIVE_LINES = dict(enumerate(FiveCards.FROM_TWO_PAIR[::-1], start=2))

MADE, HIGH_PAIR, MIDDLE_PAIR, LOW_PAIR = "three of a kind, or two pair", "high pair", "middle pair", "low pair"


class Draw(NamedTuple):
    """What the first cards of a five-card hand may still become: what a chart of streets tells hands apart by."""

    made: str
    """A pair or better that is there already."""
    high: int
    middle: int
    """How many cards would make a pair that wins, and one that pushes."""
    suited: bool
    gaps: int | None
    """Ranks that are missing within a straight; None where none can be made."""
    at_end: str = ""
    """`low` or `high` where the ranks end there, so that fewer straights can be made than so many gaps leave."""

    def __str__(self) -> str:
        if self.made:
            return self.made
        cards = [
            f"{n} {name} card{'' if n == 1 else 's'}" for n, name in ((self.high, "high"), (self.middle, "middle"))
        ]
        phrases = [words for n, words in zip((self.high, self.middle), cards, strict=True) if n] or ["low cards"]
        phrases += ["suited"] if self.suited else []
        phrases += [] if self.gaps is None else [f"{self.gaps or 'no'} gap{'' if self.gaps == 1 else 's'}"]
        phrases += [f"at the {self.at_end} end"] if self.at_end else []
        return ", ".join(phrases)


def draws_to(*, high: Rank, middle: Rank | None = None) -> Reading:
    """Reads some cards of a hand in which a pair from `high` on wins, and one from `middle` on pushes."""

    @reading(Sees.SUITS)
    def draw(cards: Hand) -> Draw:
        ranks = sorted(card.rank for card in cards)
        copies = Counter(ranks).most_common()
        best = copies[0][0]
        made_hand = ""
        if copies[0][1] > 2 or copies[0][1] == copies[-1][1] == 2 < len(ranks):
            made_hand = MADE
        elif copies[0][1] == 2:
            made_hand = HIGH_PAIR if best >= high else MIDDLE_PAIR if middle and best >= middle else LOW_PAIR
        highs = sum(rank >= high for rank in ranks)
        middles = sum(middle <= rank < high for rank in ranks) if middle else 0
        gaps, at_end = (None, "") if made_hand else _gaps(ranks)
        return Draw(made_hand, highs, middles, len({card.suit for card in cards}) == 1, gaps, at_end)

    return draw


def _gaps(ranks: list[Rank]) -> tuple[int | None, str]:
    """Of different ranks that rise, with the ace high or low: how many, and at which end of the ranks they are."""
    low = [1, *map(int, ranks[:-1])] if ranks[-1] is Rank.ACE else [int(rank) for rank in ranks]
    first, last = min(
        ((ranks_held[0], ranks_held[-1]) for ranks_held in (ranks, sorted(low))), key=lambda ends: ends[1] - ends[0]
    )
    span = last - first + 1
    if span > _STRAIGHT_CARDS:
        return None, ""
    lowest, highest = max(1, last - _STRAIGHT_CARDS + 1), min(first, _ACE - _STRAIGHT_CARDS + 1)
    cut = highest - lowest + 1 < _STRAIGHT_CARDS + 1 - span
    return span - len(ranks), ("low" if first < _ACE - last else "high") if cut else ""
