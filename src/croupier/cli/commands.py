"""The commands, each in the module named for what it does."""

from __future__ import annotations

from croupier.cli import blackjack, enter, lookup, odds, par, play, shuffle, strategy, tour, verify

__all__ = ["blackjack", "enter", "lookup", "odds", "par", "play", "shuffle", "strategy", "tour", "verify"]
