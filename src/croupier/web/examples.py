"""One example of every body of an act, for the description of the API."""

from __future__ import annotations

from typing import Any

_TICKET = {"second_ticket": "1794600000.6d6961.5f1c..."}
_TABLE = {
    **{"number": 1, "title": "King's Bounty", "base_game": "blackjack", "decks": 6, "seats": 7},
    **{"least_wager_cents": 500, "most_wager_cents": 30_000, "wagers": []},
}
SETUP: dict[str, Any] = {
    **{"wager": "blazing-7s-dealer", "paytable": "1", "decks": 6, "wager_cents": 500},
    "levels": [{"level": "", "seed_cents": 1_000_000, "contribution_ppm": 230_000, "reserve_ppm": 10_000}],
    "executive_threshold_cents": 500_000,
    "tables": [
        {"number": 1, "title": "King's Bounty", "wager": "blazing-7s-dealer", "paytable": "1", "decks": 6, "seats": 7}
    ],
}

EXAMPLES: dict[str, dict[str, Any]] = {
    # At a table
    "start": {"id": "7f3a01", "table": 1, "lit": [1, 2, 4], "based": [1, 2, 3, 4]},
    "end": {"id": "7f3a02", "table": 1},
    "enter": {"id": "7f3a03", "table": 1, "seat": 4, "line": "Three 7's", "cards": "7d 7h 7s"},
    "take-back": {"id": "7f3a04", "table": 1, "seat": 4},
    "call": {"id": "7f3a05", "table": 1},
    # With a card
    "confirm": {"id": "7f3a06", "award": 17, "cents": 100_000, "card": "a-card's-token"},
    "void": {"id": "7f3a07", "award": 17, "reason": "The third card is an eight.", "card": "a-card's-token"},
    # In the office
    "make": {"id": "7f3a08", "setup": SETUP, **_TICKET},
    "open": {"id": "7f3a09"},
    "close": {"id": "7f3a10", "reason": "A sensor is tested."},
    "adjust": {
        **{"id": "7f3a11", "level": "", "reason": "malfunction", "source": "meter", "target": "house", "cents": 500},
        **{"text": "A chip was counted twice.", **_TICKET},
    },
    "reconfigure": {"id": "7f3a12", "setup": SETUP, **_TICKET},
    "retire": {"id": "7f3a13", "to": "main", **_TICKET},
    "receive": {"id": "7f3a14", "source": "old", "levels": {"": ""}, **_TICKET},
    # Of the site
    "change-role": {"id": "7f3a15", "person": "sue", "role": "executive", **_TICKET},
    "revoke-card": {"id": "7f3a16", "person": "ann", "reason": "Lost."},
    "set-table": {"id": "7f3a17", "table": _TABLE, **_TICKET},
    "remove-table": {"id": "7f3a18", "number": 1, **_TICKET},
    "choose-profile": {"id": "7f3a19", "profile": "washington", **_TICKET},
    "set-clock": {"id": "7f3a20", "zone": "America/Los_Angeles", "day_begins": 6, **_TICKET},
    "declare-bank": {"id": "7f3a21", "balance_cents": 10_000_000},
    "deposit": {"id": "7f3a22", "amount_cents": 250_000, "reference": "slip 4711"},
    "revoke-device": {"id": "7f3a23", "device": "keypad-1", "reason": "Broken."},
}
