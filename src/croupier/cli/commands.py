"""The commands, each in the module named for what it does."""

from __future__ import annotations

from croupier.cli import (
    blackjack_hand,
    enter,
    floor,
    ledger,
    lookup,
    odds,
    par,
    plan,
    play,
    report,
    results,
    shuffle,
    simulate,
    strategy,
    tour,
    verify,
)

__all__ = [
    "blackjack_hand",
    "enter",
    "floor",
    "ledger",
    "lookup",
    "odds",
    "par",
    "plan",
    "play",
    "report",
    "results",
    "shuffle",
    "simulate",
    "strategy",
    "tour",
    "verify",
]
