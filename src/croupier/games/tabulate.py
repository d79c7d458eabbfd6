"""Writes a game's rules down as tables, by asking every rule about everything it can be asked.

The tables are what the exact count and the simulation use; their digest is what an approval is filed with.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache

from croupier.cards.symmetry import ALL_RANKS, Ranks, classes
from croupier.games.game import Game
from croupier.games.paytable import Paytable
from croupier.games.wager import AgainstDealer, Choice, OnHand, Reading, Wager


@dataclass(frozen=True, eq=False)
class ReadingTable:
    """A reading asked about one hand of every class."""

    findings: tuple[Hashable, ...]
    """Everything it can find, in the order it is first found."""
    of_class: tuple[int, ...]
    """For each class of `classes(reading.size, reading.sees, ranks)`: which finding."""


@cache
def read_all(reading: Reading, ranks: Ranks = ALL_RANKS) -> ReadingTable:
    """Ask a reading about a deck that has these ranks."""
    places: dict[Hashable, int] = {}
    read = reading.read
    of_class = tuple(
        places.setdefault(read(hand), len(places)) for hand, _ in classes(reading.size, reading.sees, ranks)
    )
    return ReadingTable(tuple(places), of_class)


@cache
def judge_all(wager: Wager, choice: Choice, ranks: Ranks = ALL_RANKS) -> bytes:
    """The outcome's place for every pair of a seat's and a dealer's finding, row by row of the seat's."""
    assert isinstance(wager.basis, AgainstDealer)
    places = {outcome: place for place, outcome in enumerate(wager.outcomes)}
    seat = read_all(choice.reading, ranks).findings
    dealer = read_all(wager.basis.dealer, ranks).findings
    judge = choice.judge
    return bytes(places[judge(s, d)] for s in seat for d in dealer)


@cache
def rules_digest(wager: Wager, ranks: Ranks = ALL_RANKS) -> str:
    """SHA-256 over the tables of a wager's rules: it changes when, and only when, a rule does."""
    digest = hashlib.sha256()

    def add(name: str, value: object) -> None:
        digest.update(json.dumps([name, value], ensure_ascii=True).encode() + b"\n")

    def add_reading(reading: Reading) -> None:
        # What a finding is called does not matter, only which hands share it and what it leads to.
        add("reading", [reading.size, reading.sees.name, read_all(reading, ranks).of_class])

    add("wager", wager.key)
    add("outcomes", [[o.label, o.score, o.pays_as and o.pays_as.label] for o in wager.outcomes])
    for spot in wager.spots:
        add("spot", [spot.key, spot.posted, str(spot.rules) if spot.rules else None])
    if isinstance(wager.basis, OnHand):
        add("with dealer", wager.basis.with_dealer)
        add("lines", [str(line) for line in read_all(wager.basis.reading, ranks).findings])
        add_reading(wager.basis.reading)
        return digest.hexdigest()
    add_reading(wager.basis.dealer)
    for choice in wager.basis.choices:
        add("choice", [choice.key, judge_all(wager, choice, ranks).hex()])
        add_reading(choice.reading)
    return digest.hexdigest()


def wager_digest(game: Game, wager: Wager, paytable: Paytable) -> str:
    """SHA-256 over a wager's rules and the pays it is offered with; names of paytables do not matter."""
    rows = [[row.label, str(row.pay)] for row in paytable.rows]
    text = json.dumps(
        ["croupier wager 1", game.key, game.packet_cards, list(game.ranks), rules_digest(wager, game.ranks), rows]
    )
    return hashlib.sha256(text.encode()).hexdigest()
