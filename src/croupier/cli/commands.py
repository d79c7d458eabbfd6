"""The commands, each in the module named for what it does."""

from __future__ import annotations

from croupier.cli import lookup, odds, par, play, shuffle, strategy, tour, verify

__all__ = ["lookup", "odds", "par", "play", "shuffle", "strategy", "tour", "verify"]
