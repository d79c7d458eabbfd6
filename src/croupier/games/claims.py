"""Whether hands that are claimed in one game of blackjack can all be true: does one shoe make every line?

    can_lie(BLAZING_DEALER, "ML03", 6, [Claimed("Three 7's - Diamonds"), Claimed("Three 7's - Suited (Other)")])     no

Asked of the wager's own rule, from the lines alone: what a line needs is what the rule calls by its name. All seats see
one up card where the wager goes by it, and no card lies on the table more often than there are decks. Cards that were
typed are taken as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple, TypeAlias

from croupier.cards.card import DECK, Card
from croupier.games.wager import Fact, OnDeal, Wager

Cards: TypeAlias = tuple[Card, ...]
"""In the order of the deck, each as often as it lies there."""
Makes: TypeAlias = Mapping[str, tuple[Cards, ...]]
"""By line: the cards that make it."""
PLACE = {card: place for place, card in enumerate(DECK)}


class Claimed(NamedTuple):
    """A hand as it is claimed."""

    line: str
    cards: Cards = ()
    """Where they were typed: the player's first two, then the third."""


def own_third(wager: Wager) -> bool:
    """Whether each player has a third card of their own, or none; else all see the dealer's up card."""
    return _basis(wager).fact is Fact.THIRD_CARD


def _basis(wager: Wager) -> OnDeal:
    assert isinstance(wager.basis, OnDeal), "a progressive goes by the deal"
    return wager.basis


def can_lie(wager: Wager, paytable: str, decks: int, claims: Sequence[Claimed]) -> bool:
    """Whether these hands can be dealt from one shoe."""
    shoe = (decks,) * len(DECK)
    if own_third(wager):
        makes = _alone(wager, paytable)
        wanted = [(claim.cards,) if claim.cards else makes.get(claim.line, ()) for claim in claims]
        return _dealt(shoe, sorted(wanted, key=len))
    ups = {claim.cards[2] for claim in claims if claim.cards} or set(DECK)
    return any(
        _dealt_beside(_beside(wager, paytable)[up], up, shoe, claims) for up in sorted(ups, key=PLACE.__getitem__)
    )


def _dealt_beside(makes: Makes, up: Card, shoe: tuple[int, ...], claims: Sequence[Claimed]) -> bool:
    """Whether they can be dealt with this up card on the table."""
    wanted: list[tuple[Cards, ...]] = []
    for claim in claims:
        if claim.cards and claim.cards[2] != up:
            return False
        wanted.append((claim.cards[:2],) if claim.cards else makes.get(claim.line, ()))
    return _dealt(_less(shoe, (up,)), sorted(wanted, key=len))


def _dealt(shoe: tuple[int, ...], wanted: Sequence[tuple[Cards, ...]]) -> bool:
    """Whether the shoe has for everybody one of the hands that they want; whoever wants the fewest is dealt first."""
    dead: set[tuple[int, int, tuple[int, ...]]] = set()

    def deal(place: int, begin: int, left: tuple[int, ...]) -> bool:
        if place == len(wanted):
            return True
        if (place, begin, left) in dead:
            return False
        for number in range(begin, len(wanted[place])):
            after = _less(left, wanted[place][number])
            # Of two who want the same, the second need not look at what the first has passed over.
            same = place + 1 < len(wanted) and wanted[place + 1] is wanted[place]
            if min(after) >= 0 and deal(place + 1, number if same else 0, after):
                return True
        dead.add((place, begin, left))
        return False

    return deal(0, 0, shoe)


def _less(shoe: tuple[int, ...], cards: Iterable[Card]) -> tuple[int, ...]:
    left = list(shoe)
    for card in cards:
        left[PLACE[card]] -= 1
    return tuple(left)


# What makes each line, asked of the rule once


@cache
def _beside(wager: Wager, paytable: str) -> Mapping[Card, Makes]:
    """By up card and line: the first two cards that make it."""
    return {up: _pairs(wager, paytable, up) for up in DECK}


@cache
def _alone(wager: Wager, paytable: str) -> Makes:
    """By line: the fewest cards that make it, where each player has a third of their own, or none."""
    hands_of_line: dict[str, dict[Cards, None]] = {
        line: dict.fromkeys(hands) for line, hands in _pairs(wager, paytable, None).items()
    }
    two = {line: set(hands) for line, hands in hands_of_line.items()}
    for third in DECK:
        for line, hands in _pairs(wager, paytable, third).items():
            for hand in hands:
                if hand not in two.get(line, ()):
                    three = tuple(sorted((*hand, third), key=PLACE.__getitem__))
                    hands_of_line.setdefault(line, {})[three] = None
    return {line: tuple(hands) for line, hands in hands_of_line.items()}


def _pairs(wager: Wager, paytable: str, third: Card | None) -> Makes:
    prices, by_line = wager.prices(wager.paytables[paytable]), dict[str, list[Cards]]()
    for two in combinations_with_replacement(DECK, 2):
        by_line.setdefault(prices[_basis(wager).judge(two, third)].row, []).append(two)
    return {line: tuple(hands) for line, hands in by_line.items()}
