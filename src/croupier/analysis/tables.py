"""Spreads the rules' tables over every hand of the deck, or of what is left of one, as arrays to count with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards.card import Hand, check_copies, format_cards, parse_cards
from croupier.cards.symmetry import CARDS, FLUSH, Ranks, Sees, classes
from croupier.errors import NotationError
from croupier.games.tabulate import judge_all, read_all
from croupier.games.wager import AgainstDealer, Choice, Reading, Wager

Ints = NDArray[np.int64]
Cards = NDArray[np.int64]
"""Hands as rows of card numbers, each row rising."""

CHOOSE = np.array([[comb(n, k) for k in range(8)] for n in range(53)], dtype=np.int64)


@cache
def all_hands(size: int, deck_cards: int) -> Cards:
    """Every hand of `size` cards, at the row `hand_places` gives it. Shape (deck_cards choose size, size)."""
    # Grown card by card: the hands whose highest card is c are all hands of one card fewer below c.
    if size == 0:
        return np.zeros((1, 0), dtype=np.int64)
    fewer = all_hands(size - 1, deck_cards)
    blocks = [
        np.column_stack([fewer[: comb(top, size - 1)], np.full(comb(top, size - 1), top)])
        for top in range(size - 1, deck_cards)
    ]
    return np.concatenate(blocks)


@cache
def hand_bits(size: int, deck_cards: int) -> Ints:
    """A bit for each card of each of `all_hands`: two hands share none exactly where their bits do."""
    return np.asarray((np.int64(1) << all_hands(size, deck_cards)).sum(axis=1))


def hand_places(cards: Cards) -> Ints:
    """The row of each hand in `all_hands`. Takes shape (..., size), rising; gives shape (...)."""
    places = np.zeros(cards.shape[:-1], dtype=np.int64)
    for i in range(cards.shape[-1]):
        places += CHOOSE[cards[..., i], i + 1]
    return places


def as_cards(hands: Iterable[Hand], ranks: Ranks) -> Cards:
    """Hands as rows of card numbers: 0 for the first suit of the deck's first rank, and so on."""
    first = {rank: 4 * place for place, rank in enumerate(ranks)}
    numbers = [[first[rank] + suit for rank, suit in hand] for hand in hands]
    return np.sort(np.array(numbers, dtype=np.int64), axis=1)


@cache
def class_cards(size: int, sees: Sees, ranks: Ranks) -> Cards:
    """One hand of each of `classes(size, sees, ranks)`."""
    return as_cards((hand_class.hand for hand_class in classes(size, sees, ranks)), ranks)


@cache
def class_of_hands(size: int, sees: Sees, ranks: Ranks) -> Ints:
    """For each of `all_hands`: the place of its class in `classes(size, sees, ranks)`."""
    cards = class_cards(size, sees, ranks)
    places = np.arange(len(cards))
    if sees is Sees.SUITS:
        # Every way of naming the suits leads to a hand of the class.
        named = 4 * (cards // 4) + SUIT_NAMES[:, cards % 4]
        named.sort(axis=2)
        class_of = np.zeros(comb(4 * len(ranks), size), dtype=np.int64)
        class_of[hand_places(named)] = places
        return class_of
    assert sees is Sees.RANKS or size <= FLUSH, "larger hands that are read for flushes are counted by class alone"
    hands = all_hands(size, 4 * len(ranks))
    by_ranks = np.zeros((2, len(ranks) ** size), dtype=np.int64)
    by_ranks[_suited(cards, sees), _rank_keys(cards, ranks)] = places
    class_of = by_ranks[_suited(hands, sees), _rank_keys(hands, ranks)]
    return class_of


SUIT_NAMES = np.array(list(permutations(range(4))), dtype=np.int64)


def _rank_keys(cards: Cards, ranks: Ranks) -> Ints:
    """The ranks of each hand as one number; the same whatever the suits, for the cards of a hand rise."""
    return np.asarray((cards // 4) @ (len(ranks) ** np.arange(cards.shape[1])))


def _suited(cards: Cards, sees: Sees) -> Ints:
    """1 for each hand that is read as a flush, 0 for the others."""
    if sees is Sees.RANKS or cards.shape[1] < FLUSH:
        return np.zeros(len(cards), dtype=np.int64)
    suits = cards % 4
    return np.asarray((suits == suits[:, :1]).all(axis=1), dtype=np.int64)


@cache
def findings_of_hands(reading: Reading, ranks: Ranks) -> Ints:
    """For each of `all_hands`: the place of what the reading finds in `read_all(reading, ranks).findings`."""
    of_class = np.array(read_all(reading, ranks).of_class, dtype=np.int64)
    findings: Ints = of_class[class_of_hands(reading.size, reading.sees, ranks)]
    return findings


def judgment(wager: Wager, choice: Choice, ranks: Ranks) -> NDArray[np.uint8]:
    """The place of the outcome for each seat's finding (rows) and dealer's finding (columns)."""
    assert isinstance(wager.basis, AgainstDealer)
    table = np.frombuffer(judge_all(wager, choice, ranks), dtype=np.uint8)
    return table.reshape(-1, len(read_all(wager.basis.dealer, ranks).findings))


def dealer_counts(seat_hands: Cards, dealer: Reading, ranks: Ranks, among: NDArray[np.bool_] | None = None) -> Ints:
    """How many dealer's hands with each finding are left when each of these seat's hands is out.

    No deal is listed: the dealer's hands that share no card with the seat's are counted by inclusion and
    exclusion over the subsets of the seat's hand. Shape (seat hands, findings). Where not every hand can be the
    dealer's, `among` says of each of `all_hands` whether it can.
    """
    assert seat_hands.shape[1] == dealer.size, "both hands have the same number of cards"
    findings = findings_of_hands(dealer, ranks)
    kinds = len(read_all(dealer, ranks).findings)
    if len(seat_hands) == 1 and among is not None:  # of one hand they are listed sooner
        free = among & ((hand_bits(dealer.size, 4 * len(ranks)) & (1 << seat_hands[0]).sum()) == 0)
        return np.bincount(findings[free], minlength=kinds)[np.newaxis].astype(np.int64)
    left = np.zeros((len(seat_hands), kinds), dtype=np.int64)
    for shared in range(dealer.size):
        holding = _holding(dealer, shared, ranks, among)
        for places in combinations(range(seat_hands.shape[1]), shared):
            left += (-1) ** shared * holding[hand_places(seat_hands[:, places])]
    # A hand that shares all its cards is the seat's own.
    own = hand_places(seat_hands)
    left[range(len(seat_hands)), findings[own]] += (-1) ** dealer.size * (1 if among is None else among[own])
    return left


def _holding(reading: Reading, size: int, ranks: Ranks, among: NDArray[np.bool_] | None) -> Ints:
    """How many hands with each finding hold a given set of `size` cards. Shape (sets of cards, findings)."""
    deck_cards = 4 * len(ranks)
    hands, findings = all_hands(reading.size, deck_cards), findings_of_hands(reading, ranks)
    if among is not None:
        hands, findings = hands[among], findings[among]
    kinds = len(read_all(reading, ranks).findings)
    sets = comb(deck_cards, size)
    held = np.zeros(sets * kinds, dtype=np.int64)
    for places in combinations(range(reading.size), size):
        held += np.bincount(hand_places(hands[:, places]) * kinds + findings, minlength=sets * kinds)
    return held.reshape(sets, kinds)


def rank_sets(ranks: int, cards: int) -> Ints:
    """(sets, cards): every set of ranks in which a rank may be several times, by its place."""
    every = np.array(list(combinations_with_replacement(range(ranks), cards)), dtype=np.int64)
    sets = np.empty_like(every)
    sets[rank_places(every)] = every
    return sets


def rank_places(rising: Ints) -> Ints:
    """(sets): the place of each set of ranks, which rise."""
    return np.asarray(sum(CHOOSE[rising[:, i] + i, i + 1] for i in range(rising.shape[1])))


# Cards that somebody has seen who should not have: a bottom card, a partner's hand, the dealer's door card.
#
# What was seen leaves fewer deals, and those are counted as all others are. Suits that the seen cards leave alike are
# still one: a hand is counted once for all that differ by their names alone.

Names = tuple[int, ...]
"""What each suit is called instead."""


@dataclass(frozen=True)
class Exposed:
    """What was seen: cards that will not come, and cards of the dealer's that nobody should know yet."""

    gone: Hand = ()
    known: Hand = ()
    """Of the dealer's, in the order they are turned; of the common cards where there is no dealer's hand."""

    def __bool__(self) -> bool:
        return bool(self.gone or self.known)

    @property
    def all_gone(self) -> Exposed:
        """As a wager sees it that never looks at the known cards: they will not come either."""
        return Exposed((*self.gone, *self.known))

    @property
    def names(self) -> tuple[Names, ...]:
        """The ways to name the suits that leave what was seen as it is."""
        return _names(self)

    def as_json(self) -> dict[str, Any]:
        return {"removed": format_cards(self.gone), "known": format_cards(self.known)}

    @property
    def in_words(self) -> str:
        gone = f"without {format_cards(self.gone)}" if self.gone else ""
        known = f"with {format_cards(self.known)} known to come" if self.known else ""
        return " and ".join(filter(None, (gone, known)))


NOTHING = Exposed()


@cache
def _names(exposed: Exposed) -> tuple[Names, ...]:
    gone = set(exposed.gone)
    return tuple(
        names
        for names in permutations(range(4))
        if {CARDS[card.rank][names[card.suit]] for card in gone} == gone
        and all(names[card.suit] == card.suit for card in exposed.known)
    )


def parts_of(exposed: Exposed) -> list[tuple[int, frozenset[Any]]]:
    """Hands that hold all known cards, as a sum over hands that hold none of some cards: signs, and those cards."""
    return [
        ((-1) ** n, frozenset((*exposed.gone, *some)))
        for n in range(len(exposed.known) + 1)
        for some in combinations(exposed.known, n)
    ]


@dataclass(frozen=True, eq=False)
class Seats:
    """The hands that a seat may hold beside what was seen, one for all that differ by names of suits alone."""

    cards: Cards
    """(hands, size), each rising."""
    weights: Ints
    places: Ints
    """(hands), rising: where each stands among all hands."""
    hands: tuple[Hand, ...]
    ranks: Ranks
    names: tuple[Names, ...]

    @classmethod
    def of(cls, size: int, ranks: Ranks, exposed: Exposed, hand: Hand | None = None) -> Seats:
        """All of them, or those that are like one hand."""
        every = all_hands(size, 4 * len(ranks))
        out = _bits((*exposed.gone, *exposed.known), ranks)
        free = every[(hand_bits(size, 4 * len(ranks)) & out) == 0] if hand is None else as_cards([hand], ranks)
        first = _first_named(free, exposed.names)
        places, weights = np.unique(first, return_counts=True)
        cards = every[places]
        hands = tuple(tuple(CARDS[ranks[card // 4]][card % 4] for card in row) for row in cards.tolist())
        return cls(cards, weights.astype(np.int64), places, hands, ranks, exposed.names)

    def place_of(self, hand: Hand) -> int:
        return int(np.searchsorted(self.places, _first_named(as_cards([hand], self.ranks), self.names)[0]))


def _first_named(hands: Cards, names: tuple[Names, ...]) -> Ints:
    """(hands): of all hands that differ by these names alone, the place of the first."""
    first = hand_places(hands)
    for name in names:
        named = np.sort(hands // 4 * 4 + np.array(name)[hands % 4], axis=1)
        np.minimum(first, hand_places(named), out=first)
    return first


def dealers_left(size: int, ranks: Ranks, exposed: Exposed) -> NDArray[np.bool_]:
    """(hands): whether the dealer may hold it beside what was seen: all known cards, and none that are gone."""
    bits = hand_bits(size, 4 * len(ranks))
    known, gone = _bits(exposed.known, ranks), _bits(exposed.gone, ranks)
    return np.asarray((bits & (known | gone)) == known)


def _bits(cards: Hand, ranks: Ranks) -> int:
    return sum(1 << int(number) for number in as_cards([cards], ranks)[0]) if cards else 0


@dataclass(frozen=True)
class Table:
    """What has to be known of a game to say whether some cards can have been seen there."""

    title: str
    cards: Hand
    """All that it is dealt from."""
    decks: int
    jokers: int
    takes: int
    """Cards that one seat and the dealer need."""
    down: int
    """Cards that may be known before they are turned."""
    whose: str
    """Whose those are, as `the dealer's`; nothing where there are none."""


def read_exposed(table: Table, remove: str, known: str, held: Hand = ()) -> Exposed:
    """What a person typed, beside a hand that is held; what cannot have been seen at this table is refused."""
    copies = {"decks": table.decks, "jokers": table.jokers}
    gone, next_ = (parse_cards(text, **copies) for text in (remove, known))
    for card in (*gone, *next_):
        if card.is_joker:
            raise NotationError("A joker that was seen is not counted: name other cards.")
        if card not in table.cards:
            raise NotationError(f"{card} is in no deck of {table.title}.")
    check_copies((*held, *gone, *next_), **copies)
    if next_ and not table.down:
        raise NotationError(
            f"No card lies face down in {table.title} that {{known}} could name: {{remove}} takes others.",
            fields=["known", "remove"],
        )
    if len(next_) > table.down:
        cards = "card" if table.down == 1 else "cards"
        raise NotationError(
            f"{table.whose} {table.down} {cards} can be known in {table.title} ({{known}}), not {len(next_)}.",
            fields=["known"],
        )
    most = len(table.cards) - table.takes
    if len(gone) > most:
        raise NotationError(
            f"Without {len(gone)} cards too few are left to deal {table.title}: {{remove}} takes up to {most}.",
            fields=["remove"],
        )
    return Exposed(gone, next_)
