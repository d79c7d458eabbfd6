"""When a shoe is shuffled: after the cut card, and before it holds too few cards for the seats that bet."""

from __future__ import annotations

from croupier.cards.card import DECK
from croupier.games.blackjack.rules import Rules
from croupier.games.rulebook import rule

CARDS_PER_SEAT, CARDS_MORE = 5, 8
BURNED = 1
"""Cards of a fresh shoe that are laid aside."""


@rule("blackjack 3.8")
def cut_place(rules: Rules) -> int:
    """How many cards lie before the cut card."""
    return int(len(DECK) * rules.decks * rules.cut)


@rule("blackjack 3.13")
def cards_for(seats: int) -> int:
    """How many cards a shoe in use must still hold for a round with so many seats, so that it does not run out."""
    return CARDS_PER_SEAT * seats + CARDS_MORE


@rule("blackjack 3.9", "blackjack 3.10", "blackjack 3.13", "blackjack 3.14")
def needs_shuffle(rules: Rules, *, dealt: int, seats: int) -> bool:
    """Whether the cards are shuffled before a round with so many seats; a fresh shoe may always be dealt from."""
    return dealt > 0 and dealt >= shuffle_place(rules, seats)


def shuffle_place(rules: Rules, seats: int) -> int:
    """Once so many cards are dealt, the shoe is shuffled: at the cut card, or where too few are left for the seats."""
    return min(cut_place(rules), len(DECK) * rules.decks - cards_for(seats) + 1)
