"""The commands, each in the module named for what it does."""

from __future__ import annotations

from croupier.cli import lookup, odds, shuffle, strategy, tour, verify

__all__ = ["lookup", "odds", "shuffle", "strategy", "tour", "verify"]
