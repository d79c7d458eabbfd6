"""Cards that somebody has seen who should not have: a bottom card, a partner's hand, the dealer's door card.

What was seen leaves fewer deals, and those are counted as all others are. Suits that the seen cards leave alike are
still one: a hand is counted once for all that differ by their names alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.tables import Cards, Ints, all_hands, as_cards, hand_bits, hand_places
from croupier.cards.card import Hand, check_copies, format_cards, parse_cards
from croupier.cards.symmetry import CARDS, Ranks
from croupier.errors import NotationError

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
    for each in names:
        named = np.sort(hands // 4 * 4 + np.array(each)[hands % 4], axis=1)
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
    if len(next_) > table.down:
        raise NotationError(_too_many(table, next_), fields=["known"])
    most = len(table.cards) - table.takes
    if len(gone) > most:
        raise NotationError(
            f"Without {len(gone)} cards too few are left to deal {table.title}: {{remove}} takes up to {most}.",
            fields=["remove"],
        )
    return Exposed(gone, next_)


def _too_many(table: Table, known: Hand) -> str:
    if not table.down:
        return f"No card lies face down in {table.title} that {{known}} could name: {{remove}} takes others."
    cards = "card" if table.down == 1 else "cards"
    return f"{table.whose} {table.down} {cards} can be known in {table.title} ({{known}}), not {len(known)}."
