"""The commands, each in the module named for what it does."""

from __future__ import annotations

from croupier.cli import (
    backup,
    blackjack_hand,
    enter,
    floor,
    ledger,
    lookup,
    odds,
    par,
    pin,
    plan,
    play,
    report,
    results,
    serve,
    shuffle,
    simulate,
    strategy,
    tour,
    verify,
)

__all__ = [
    "backup",
    "blackjack_hand",
    "enter",
    "floor",
    "ledger",
    "lookup",
    "odds",
    "par",
    "pin",
    "plan",
    "play",
    "report",
    "results",
    "serve",
    "shuffle",
    "simulate",
    "strategy",
    "tour",
    "verify",
]
