"""Blackjack under the usual rules, with its side wagers; `GAME.under(words)` is the game of another placard."""

from __future__ import annotations

from croupier.games.blackjack.game import blackjack

GAME = blackjack()
