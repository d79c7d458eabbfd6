"""The words in which a game of one's own is written: `from croupier import language as l`.

A game is a deck, a script of steps (`Deal`, `Show`, `Choose`) and spots whose judgments read the cards. What is written
so is dealt, counted and simulated like every game here.
"""

from __future__ import annotations

from croupier.cards.card import Rank, parse_cards
from croupier.cards.symmetry import Sees
from croupier.games.script.game import ScriptGame, staked
from croupier.games.script.language import (
    BOARD,
    BURNED,
    DEALER,
    SEAT,
    Choice,
    Choose,
    Deal,
    Deck,
    Show,
    by_line,
    chose,
    condition,
    fold,
    judgment,
    raised_on,
    reading,
    showdown,
    spot,
    times,
)
from croupier.games.wager import Outcome

__all__ = [
    "BOARD",
    "BURNED",
    "DEALER",
    "SEAT",
    "Choice",
    "Choose",
    "Deal",
    "Deck",
    "Outcome",
    "Rank",
    "ScriptGame",
    "Sees",
    "Show",
    "by_line",
    "chose",
    "condition",
    "fold",
    "judgment",
    "parse_cards",
    "raised_on",
    "reading",
    "showdown",
    "spot",
    "staked",
    "times",
]
