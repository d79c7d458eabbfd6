"""The commands, each in the module named for what it does."""

from __future__ import annotations

from croupier.cli import blackjack, lookup, odds, par, play, shuffle, strategy, tour, verify

__all__ = ["blackjack", "lookup", "odds", "par", "play", "shuffle", "strategy", "tour", "verify"]
