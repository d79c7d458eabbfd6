"""Writes a game's rules down as tables, by asking every rule about everything it can be asked.

The tables are what the exact count and the simulation use; their digest is what an approval is filed with.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement

from croupier.cards.card import DECK, Hand
from croupier.cards.symmetry import ALL_RANKS, Ranks, classes
from croupier.games.paytable import Pay, Paytable
from croupier.games.wager import AgainstDealer, Alike, Choice, Fact, OnDeal, OnHand, Reading, Wager

DEALER_TOTALS = (17, 18, 19, 20, 21, 22)
"""How a dealer's hand of blackjack can end; 22 stands for every total that is a bust."""
PLAYED_OUT = (17, 18, 19, 20, 21, 22, 23)
"""The same where a 22 is told apart from other busts, which are 23 here."""


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


def deal_domain(basis: OnDeal) -> Iterator[tuple[Hand, object]]:
    """Everything a wager on the deal can be asked: cards, which are in no order, and the fact beside them."""
    match basis.fact:
        case Fact.DEALER_BLACKJACK:
            yield from ((two, fact) for two in combinations_with_replacement(DECK, 2) for fact in (False, True))
        case Fact.UP_CARD:
            yield from ((two, up) for two in combinations_with_replacement(DECK, 2) for up in DECK)
        case Fact.THIRD_CARD:
            yield from ((two, third) for two in combinations_with_replacement(DECK, 2) for third in (None, *DECK))
        case Fact.DEALER_TOTAL:
            yield from (((up,), total) for up in DECK for total in (None, *DEALER_TOTALS))
        case Fact.DEALER_HAND:
            yield from (((), (total, alike)) for total in PLAYED_OUT for alike in Alike)
        case Fact.NOTHING:
            yield from ((two, None) for two in combinations_with_replacement(DECK, 2))
        case Fact.DEALERS_TWO | Fact.OTHER_HAND:
            read_two, _ = read_dealers_two(basis)
            yield from ((two, finding) for two in combinations_with_replacement(DECK, 2) for finding in read_two)


@cache
def read_dealers_two(basis: OnDeal) -> tuple[tuple[Hashable, ...], bytes]:
    """What the dealer's first two cards can be read as, and the place of that for every two, which are in no order."""
    assert basis.dealers is not None, "a wager on the dealer's two cards says how it reads them"
    places: dict[Hashable, int] = {}
    of_two = bytes(places.setdefault(basis.dealers(two), len(places)) for two in combinations_with_replacement(DECK, 2))
    return tuple(places), of_two


@cache
def deal_all(wager: Wager) -> bytes:
    """The outcome's place for everything in `deal_domain`, in its order."""
    assert isinstance(wager.basis, OnDeal)
    places = {outcome: place for place, outcome in enumerate(wager.outcomes)}
    judge = wager.basis.judge
    return bytes(places[judge(cards, fact)] for cards, fact in deal_domain(wager.basis))


@cache
def rules_digest(wager: Wager, ranks: Ranks = ALL_RANKS) -> str:
    """SHA-256 over the tables of a wager's rules: it changes when, and only when, a rule does."""
    digest = hashlib.sha256()

    def add(name: str, value: object) -> None:
        digest.update(json.dumps([name, value], ensure_ascii=True).encode() + b"\n")

    def add_reading(reading: Reading) -> None:
        # What a finding is called does not matter, only which hands share it and what it leads to.
        add("reading", [reading.size, reading.sees.name, read_all(reading, ranks).of_class])

    add("wager", [wager.key, wager.mandatory])
    add("outcomes", [o.label for o in wager.outcomes])
    for spot in wager.spots:
        add("spot", [spot.key, spot.posted, str(spot.rules) if spot.rules else None])
    if isinstance(wager.basis, OnHand):
        add("with dealer", wager.basis.with_dealer)
        add("lines", [str(line) for line in read_all(wager.basis.reading, ranks).findings])
        add_reading(wager.basis.reading)
        return digest.hexdigest()
    if isinstance(wager.basis, OnDeal):
        add("deal", [wager.basis.fact.name, deal_all(wager).hex()])
        if wager.basis.fact in (Fact.DEALERS_TWO, Fact.OTHER_HAND):
            add("dealer's two", read_dealers_two(wager.basis)[1].hex())
        return digest.hexdigest()
    assert isinstance(wager.basis, AgainstDealer), "a script writes its own rules down"
    add_reading(wager.basis.dealer)
    for choice in wager.basis.choices:
        add("choice", [choice.key, judge_all(wager, choice, ranks).hex()])
        add_reading(choice.reading)
    return digest.hexdigest()


def priced_digest(wager: Wager, paytable: Paytable, *rules: object) -> str:
    """SHA-256 over these rules and what every outcome pays.

    How a paytable names or orders its rows does not matter, nor whether it spells out what loses.
    """
    pays = [[outcome.label, [_worth(pay) for pay in price.pays]] for outcome, price in wager.prices(paytable).items()]
    return hashlib.sha256(json.dumps(["croupier wager 1", *rules, pays]).encode()).hexdigest()


def _worth(pay: Pay) -> list[str]:
    """2 to 2 is 1 to 1."""
    flat = [f"{pay.flat_cents} at {pay.at_cents}"] if pay.flat_cents else []
    return [pay.kind.value, str(pay.odds), str(pay.commission), str(pay.share), pay.meter, *flat]
