"""The games that are written as a script, and small decks of them."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

from croupier.cards.card import Rank
from croupier.games.script.game import ScriptGame
from croupier.games.script.language import Deck

KEYS = ("three_card_poker", "casino_war", "mississippi_stud", "let_it_ride")


def game(name: str) -> ScriptGame:
    found = import_module(f"croupier.games.titles.drafts.{name}").GAME
    assert isinstance(found, ScriptGame)
    return found


def small(name: str, *ranks: Rank) -> ScriptGame:
    """The game with one deck of these ranks, for one seat."""
    return replace(game(name), deck=Deck(ranks=ranks), seats=1)
