"""What the Ten Count wins from King's Bounty if rounds begin at every depth alike: nothing is dealt or sampled.

    python tests/independent/kings_bounty_depths.py

How many of the cards left are tens, and how many aces, are hypergeometric numbers, and given them every ten is as
likely as any other. So the worth of the wager given the count is a sum over pairs. Nothing of the package is imported.

Two counts go by the name: Thorp's, which takes the aces for small cards, and the one whose trigger was published (+9 at
two decks), which leaves the aces out.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from math import comb, floor
from typing import NamedTuple


class Pays(NamedTuple):
    """What each line pays to one."""

    spades_and_blackjack: int
    spades: int
    suited_kings: int
    suited_pair: int
    suited_20: int
    kings: int
    any_20: int


SIX_DECKS = Pays(1000, 100, 30, 20, 9, 6, 4)
TWO_DECKS = Pays(1000, 200, 50, 25, 9, 6, 4)


class Tags(NamedTuple):
    ace: int
    small: int
    """Two to nine."""
    ten: int


ACES_LEFT_OUT = Tags(0, 1, -2)


class Won(NamedTuple):
    units: float
    """Per 100 rounds."""
    bets: float
    edge: float


def worth(decks: int, pays: Pays, left: int, tens: int) -> float:
    """The player's expected result with so many cards left, so many of them tens."""
    d, all_tens, others = decks, 16 * decks, 36 * decks
    low = left - tens
    both, pairs = comb(tens, 2) / comb(left, 2), comb(all_tens, 2)
    one = comb(d, 2)  # two copies of one card
    suited = 4 * comb(4, 2) * d * d
    kings = comb(4 * d, 2) - 4 * one
    plain = pairs - 16 * one - suited - kings
    aces = 4 * d * low / others
    blackjack = aces * (tens - 2) / comb(left - 2, 2)
    top = blackjack * pays.spades_and_blackjack + (1 - blackjack) * pays.spades
    total = one * top + 3 * one * pays.suited_kings + 12 * one * pays.suited_pair
    total += suited * pays.suited_20 + kings * pays.kings + plain * pays.any_20
    neither, others_pairs = comb(low, 2) / comb(left, 2), comb(others, 2)
    ace_nine = 16 * d * d
    twenty = ace_nine / 4 * pays.suited_20 + ace_nine * 3 / 4 * pays.any_20
    won = both + neither * ace_nine / others_pairs
    return both / pairs * total + neither / others_pairs * twenty - (1 - won)


def states(decks: int, left: int) -> Iterator[tuple[int, float]]:
    """How many tens may be left, and how likely that is."""
    tens, cards = 16 * decks, 52 * decks
    for number in range(max(0, left - 36 * decks), min(tens, left) + 1):
        yield number, comb(tens, number) * comb(cards - tens, left - number) / comb(cards, left)


def won(decks: int, pays: Pays, cut: float, trigger: int) -> Won:
    """From rounds that begin at each depth up to the cut alike; a part of a card counts for its part."""
    rounds = bets = units = 0.0
    for dealt in range(floor(cut) + 1):
        left, weight = 52 * decks - dealt, min(1.0, cut - dealt)
        for tens, chance in states(decks, left):
            rounds += weight * chance
            running = 4 * (36 * decks - (left - tens)) - 9 * (16 * decks - tens)
            if floor(running / (left / 52)) >= trigger:
                bets += weight * chance
                units += weight * chance * worth(decks, pays, left, tens)
    return Won(100 * units / rounds, bets / rounds, units / bets)


def worth_beside_aces(decks: int, pays: Pays, left: int, tens: int, aces: int) -> float:
    """The same where it is known how many of the cards left are aces; an eighth of the others are nines."""
    nines, pairs = (left - tens - aces) / 8, comb(left, 2)
    one, blackjack = comb(decks, 2), aces * (tens - 2) / comb(left - 2, 2)
    suited, kings = 4 * comb(4, 2) * decks * decks, comb(4 * decks, 2) - 4 * one
    plain = comb(16 * decks, 2) - 16 * one - suited - kings
    top = blackjack * pays.spades_and_blackjack + (1 - blackjack) * pays.spades
    total = one * (top + 3 * pays.suited_kings + 12 * pays.suited_pair)
    total += suited * pays.suited_20 + kings * pays.kings + plain * pays.any_20
    both, ace_nine = comb(tens, 2) / pairs, aces * nines / pairs
    twenty = (pays.suited_20 + 3 * pays.any_20) / 4
    return both * total / comb(16 * decks, 2) + ace_nine * twenty - (1 - both - ace_nine)


def won_by(decks: int, pays: Pays, cut: int, trigger: int, tags: Tags) -> Won:
    """As `won`, by any count of aces, small cards and tens."""
    bets = units = 0.0
    for left in range(52 * decks, 52 * decks - cut - 1, -1):
        for aces in range(4 * decks + 1):
            for tens in range(min(16 * decks, left - aces) + 1):
                small = left - aces - tens
                gone = (
                    tags.ace * (4 * decks - aces) + tags.small * (32 * decks - small) + tags.ten * (16 * decks - tens)
                )
                if small > 32 * decks or 52 * gone < trigger * left:
                    continue
                ways = comb(4 * decks, aces) * comb(16 * decks, tens) * comb(32 * decks, small)
                chance = ways / comb(52 * decks, left)
                bets += chance
                units += chance * worth_beside_aces(decks, pays, left, tens, aces)
    return Won(100 * units / (cut + 1), bets / (cut + 1), units / bets)


def correlation(effects: list[float], tags: list[float]) -> float:
    """The betting correlation as the trade writes it: products over the root of both sums of squares."""
    squares = sum(effect**2 for effect in effects) * sum(tag**2 for tag in tags)
    return float(sum(effect * tag for effect, tag in zip(effects, tags, strict=True)) / squares**0.5)


def best(decks: int, pays: Pays, cut: float) -> tuple[int, Won]:
    """The trigger that wins most."""
    able = ((trigger, won(decks, pays, cut, trigger)) for trigger in range(30, 46, 2))
    return max(able, key=lambda each: each[1].units)


if __name__ == "__main__":
    for decks, pays, cut in ((6, SIX_DECKS, 260), (2, TWO_DECKS, 76)):
        for deeper in (0.0, 5.4):
            trigger, found = best(decks, pays, cut + deeper)
            sys.stdout.write(
                f"{decks} decks to {cut + deeper:g} cards: {found.units:.4f} units, {100 * found.bets:.2f} % of "
                f"rounds, edge {100 * found.edge:.2f} %, trigger {trigger}\n"
            )
    for cut in (76, 80):
        found = won_by(2, TWO_DECKS, cut, 9, ACES_LEFT_OUT)
        sys.stdout.write(
            f"2 decks to {cut} cards, aces left out: {found.units:.4f} units, {100 * found.bets:.2f} % of rounds, "
            f"edge {100 * found.edge:.2f} %, trigger 9\n"
        )
