"""House edges counted a second time, from the rulebook's words alone: nothing of the package is imported.

    python tests/independent/edges.py          a line of JSON for each wager and paytable

Every deal is listed, or every multiset of ranks with how many deals it stands for; fractions throughout. Cards are
pairs of a rank, 2 to 14 for the ace, and a suit.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import comb, prod

import numpy as np

RANKS = range(2, 15)
DECK = [(rank, suit) for rank in RANKS for suit in range(4)]
Card = tuple[int, int]

# Three cards


def three_cards(hand: tuple[Card, ...]) -> tuple[str, tuple[int, ...]]:
    """What three cards are called, and what decides between two hands of that name."""
    ranks = sorted((rank for rank, _ in hand), reverse=True)
    suited = len({suit for _, suit in hand}) == 1
    low = sorted(ranks) == [2, 3, 14]
    straight = low or (len(set(ranks)) == 3 and ranks[0] - ranks[2] == 2)
    deciding = (3,) if low else (ranks[0],)
    if straight and suited:
        return ("royal" if ranks == [14, 13, 12] else "straight flush"), deciding
    if len(set(ranks)) == 1:
        return "three", (ranks[0],)
    if straight:
        return "straight", deciding
    if suited:
        return "flush", tuple(ranks)
    if len(set(ranks)) == 2:
        pair = ranks[1]
        return "pair", (pair, ranks[0] + ranks[2] - pair)
    return "high", tuple(ranks)


ORDER = ("high", "pair", "flush", "straight", "three", "straight flush", "royal")
HANDS = [(hand, *three_cards(hand)) for hand in combinations(DECK, 3)]
PAIR_PLUS = {  # royal, straight flush, three, straight, flush, pair
    "triple-shot-rummy": {
        "1": (40, 40, 30, 6, 4, 1),
        "2": (40, 40, 30, 5, 4, 1),
        "3": (40, 40, 30, 6, 3, 1),
        "4": (50, 40, 30, 6, 4, 1),
        "5": (50, 40, 30, 5, 4, 1),
        "6": (50, 40, 30, 6, 3, 1),
    },
    "three-card-poker": {
        "1": (40, 40, 30, 6, 4, 1),
        "2": (40, 40, 30, 5, 4, 1),
        "3": (40, 40, 30, 6, 3, 1),
        "4": (50, 40, 30, 6, 4, 1),
        "5": (40, 40, 25, 6, 4, 1),
        "6": (35, 35, 25, 6, 4, 1),
    },
    "let-it-ride": {"1": (50, 40, 30, 6, 3, 1), "2": (50, 40, 30, 6, 4, 1)},
}
THREE_CARD_NAMES = ("royal", "straight flush", "three", "straight", "flush", "pair")


def pair_plus(pays: tuple[int, ...]) -> Fraction:
    worth = dict(zip(THREE_CARD_NAMES, pays, strict=True)) | {"high": -1}
    return -Fraction(sum(worth[name] for _, name, _ in HANDS), len(HANDS))


ANTE_BONUS = {"1": (5, 4, 1), "2": (4, 3, 1), "3": (3, 2, 1), "4": (5, 3, 1)}


def ante_and_play() -> Iterator[tuple[str, Fraction]]:
    """Each of the 22,100 hands against each of the 18,424 that the dealer can then have, played or folded."""
    strength = np.array([_strength(name, deciding) for _, name, deciding in HANDS])
    bits = np.array([sum(1 << DECK.index(card) for card in hand) for hand, *_ in HANDS], dtype=np.int64)
    qualifies = strength >= _strength("high", (12, 3, 2))
    play = []
    for own, held in zip(strength, bits, strict=True):
        able = (bits & held) == 0
        theirs = able & qualifies
        won, lost = int((theirs & (strength < own)).sum()), int((theirs & (strength > own)).sum())
        out = int((able & ~qualifies).sum())
        play.append(out + 2 * won - 2 * lost)  # Ante alone where the dealer is out, else Ante and Play
    against = comb(49, 3)
    for table, (flush, three, straight) in ANTE_BONUS.items():
        bonus = {"royal": flush, "straight flush": flush, "three": three, "straight": straight}
        total = sum(
            max(worth + bonus.get(name, 0) * against, -against) for worth, (_, name, _) in zip(play, HANDS, strict=True)
        )
        yield table, -Fraction(total, len(HANDS) * against)


def _strength(name: str, deciding: tuple[int, ...]) -> int:
    place = {"royal": ORDER.index("straight flush")}.get(name, ORDER.index(name))
    value = place
    for at in range(3):
        value = value * 15 + (deciding[at] if at < len(deciding) else 0)
    return value


# Three Card Baccarat

KINGS = (13, 13, 13)


def baccarat() -> Iterator[tuple[str, str, Fraction]]:
    """Ranks of the player and of the dealer, each pair with the deals that it stands for."""
    sets = list(combinations_with_replacement(RANKS, 3))
    net, ties, all_deals = Fraction(0), Fraction(0), 0
    for mine in sets:
        held = Counter(mine)
        ways = prod(comb(4, count) for count in held.values())
        for theirs in sets:
            deals = ways * prod(comb(4 - held[rank], count) for rank, count in Counter(theirs).items())
            all_deals += deals
            if not deals:
                continue
            one, other = _points(mine), _points(theirs)
            kings = (mine == KINGS) - (theirs == KINGS)  # above all other face cards, but no points more
            if one != other or kings:
                net += deals * (Fraction(95, 100) if (one, kings) > (other, 0) else -1)
            if one == other:
                ties += deals * (50 if mine == theirs else 10)
            else:
                ties += deals * (7 if one[0] == other[0] else -1)
    yield "bet", "1", -net / all_deals
    yield "tie", "1", -ties / all_deals


def _points(hand: tuple[int, ...]) -> tuple[int, int]:
    """Points, three face cards above all of them; then how many face cards."""
    faces = sum(rank in (11, 12, 13) for rank in hand)
    if faces == 3:
        return 10, 3
    return sum(1 if rank == 14 else 0 if rank >= 10 else rank for rank in hand) % 10, faces


def kings_bonus() -> Fraction:
    total = 0
    for hand in combinations(DECK, 3):
        ranks = [rank for rank, _ in hand]
        points, _ = _points(tuple(ranks))
        if ranks == [13, 13, 13]:
            total += 50
        elif points == 10:
            total += 25
        else:
            total += {9: 3, 8: 2}.get(points, -1)
    return -Fraction(total, comb(52, 3))


# Casino War, six decks


def casino_war() -> Iterator[tuple[str, str, Fraction]]:
    shoe = dict.fromkeys(RANKS, 24)
    tie = Fraction(23, 311)
    for table, pays in (("1", 10), ("2", 11)):
        yield "tie", table, -(pays * tie - (1 - tie))
    for table, tied_pays in (("1", 1), ("2", 2)):
        # After a tie the Bet and a Raise play for the Bet's worth: a war won or tied wins, a war lost loses both.
        war = Fraction(0)
        for rank in RANKS:
            left = {**shoe, rank: 22}
            for mine, number in left.items():
                chance = Fraction(number, 310)
                rest = {**left, mine: number - 1}
                lost = Fraction(sum(n for other, n in rest.items() if other > mine), 309)
                tied = Fraction(rest[mine], 309)
                war += chance * ((1 - lost - tied) + tied * tied_pays - 2 * lost) / 13
        yield "bet", table, -tie * max(war, Fraction(-1, 2))


# Blackjack's side wagers, six decks: two cards of 312


def two_cards() -> Iterator[tuple[Card, Card, int]]:
    for one, two in combinations_with_replacement(DECK, 2):
        yield one, two, comb(6, 2) if one == two else 36


SETS = {"15-10": (15, 10), "20-10": (20, 10), "12-12": (12, 12), "25-10": (25, 10), "15": (15, 15)}


def bet_the_set() -> Iterator[tuple[str, Fraction]]:
    for table, (suited, pair) in SETS.items():
        total = 0
        for one, two, ways in two_cards():
            total += ways * (-1 if one[0] != two[0] else suited if one[1] == two[1] else pair)
        yield table, -Fraction(total, comb(312, 2))


def royal_match() -> Iterator[tuple[str, Fraction]]:
    half = Fraction(5, 2)
    matches = {"25": (25, half, half), "10": (10, Fraction(3), Fraction(3)), "25-5": (25, half, Fraction(5))}
    for table, (royal, easy, blackjack) in matches.items():
        total = Fraction(0)
        for one, two, ways in two_cards():
            ranks = sorted((one[0], two[0]))
            if one[1] != two[1]:
                total -= ways
            elif ranks == [12, 13]:
                total += ways * royal
            elif ranks[1] == 14 and 10 <= ranks[0] <= 13:
                total += ways * blackjack
            else:
                total += ways * easy
        yield table, -total / comb(312, 2)


def kings_bounty() -> Fraction:
    """The dealer's blackjack beside two kings of spades: 24 aces and 94 tens among the 310 cards left."""
    blackjack = Fraction(24 * 94, comb(310, 2))
    total = Fraction(0)
    for one, two, ways in two_cards():
        ranks, suited = sorted((one[0], two[0])), one[1] == two[1]
        tens = ranks[0] >= 10 and ranks[1] <= 13
        if not (tens or ranks == [9, 14]):
            total -= ways
        elif ranks == [13, 13] and suited:
            total += ways * ((1000 * blackjack + 100 * (1 - blackjack)) if one[1] == 3 else 30)
        elif suited:
            total += ways * (20 if ranks[0] == ranks[1] else 9)
        else:
            total += ways * (6 if ranks == [13, 13] else 4)
    return -total / comb(312, 2)


def crown_treasure() -> Fraction:
    """Table 1000: beside a king and a queen of one suit, the dealer has such a pair too. Five of either are left of
    that suit, and six of the others."""
    both = Fraction(5 * 5 + 3 * 6 * 6, comb(310, 2))
    total = Fraction(0)
    for one, two, ways in two_cards():
        if one[1] != two[1]:
            total -= ways
        elif sorted((one[0], two[0])) == [12, 13]:
            total += ways * (1000 * both + 25 * (1 - both))
        else:
            total += ways * Fraction(5, 2)
    return -total / comb(312, 2)


def with_up_card() -> Iterator[tuple[Card, Card, Card, int]]:
    """The player's two cards and the up card, and how many deals of six decks they stand for."""
    for one, two, ways in two_cards():
        for up in DECK:
            yield one, two, up, ways * (6 - (up == one) - (up == two))


UP_CARD_DEALS = comb(312, 2) * 310
TRILUX = {"8": (8, 8, 8, 8), "9": (9, 9, 9, 9), "25-15-8-5": (25, 15, 8, 5), "25-15-10-5": (25, 15, 10, 5)}
"""Straight flush, three of a kind, straight, flush."""


def trilux_hands() -> Iterator[tuple[str, bool, int, int]]:
    """What the three cards are, whether of one suit, the highest rank, and how many deals; copies are told apart."""
    for one, two, up, ways in with_up_card():
        ranks, suited = sorted((one[0], two[0], up[0])), one[1] == two[1] == up[1]
        straight = ranks == [2, 3, 14] or ranks == [ranks[0], ranks[0] + 1, ranks[0] + 2]
        name = "three" if ranks[0] == ranks[2] else "straight" if straight else "flush" if suited else ""
        yield name, suited, ranks[2], ways


def trilux() -> Iterator[tuple[str, str, Fraction]]:
    for table, (straight_flush, three, straight, flush) in TRILUX.items():
        pays = {"three": three, "straight": straight, "flush": flush, "": -1}
        total = 0
        for name, suited, _, ways in trilux_hands():
            total += ways * (straight_flush if name == "straight" and suited else pays[name])
        yield "trilux-bonus", table, -Fraction(total, UP_CARD_DEALS)
    total = 0
    for name, suited, highest, ways in trilux_hands():
        if name == "three":
            total += ways * (19 if not suited else -1 if highest == 14 else 124)  # an empty meter pays nothing
        else:
            total += ways * (24 if name == "straight" and suited else {"straight": 6, "flush": 4, "": -1}[name])
    yield "trilux", "6", -Fraction(total, UP_CARD_DEALS)


BLAZING = {  # three sevens: diamonds, another suit, one color, others; for 1, meters at their seeds
    "1": (2000, 2000, 200, 200),
    "2": (2000, 200, 500, 200),
    "ML03": (2000, 1000, 500, 200),
    "ML04": (2000, 1000, 500, 200),
}
DIAMONDS, COLORS = 1, ((0, 3), (1, 2))
"""Suits are clubs, diamonds, hearts and spades here."""


def blazing_sevens() -> Iterator[tuple[str, Fraction]]:
    """On the dealer's up card; a pair of sevens pays 25 for 1, and one seven 2 for 1."""
    for table, (diamonds, suited, color, sevens) in BLAZING.items():
        total = 0
        for one, two, up, ways in with_up_card():
            own = (one[0] == 7) + (two[0] == 7)
            paid = {0: 0, 1: 2, 2: 25}[own]
            if own == 2 and up[0] == 7:
                suits = {one[1], two[1], up[1]}
                paid = sevens
                if len(suits) == 1:
                    paid = diamonds if suits == {DIAMONDS} else suited
                elif any(suits <= set(pair) for pair in COLORS):
                    paid = color
            total += ways * (paid - 1)
        yield table, -Fraction(total, UP_CARD_DEALS)


def insurance() -> Fraction:
    """An ace is up: 96 tens among the 311 cards left, 2 to 1."""
    return -(3 * Fraction(96, 311) - 1)


BUSTS: dict[int, int | Fraction] = {
    1: Fraction(9, 2),
    2: Fraction(3, 2),
    3: Fraction(3, 2),
    4: 1,
    5: 1,
    6: 1,
    7: Fraction(5, 2),
    8: 3,
    9: 3,
    10: 3,
}
"""Table 2, by up card, 1 for an ace: the dealer stands on a soft 17."""


def bet_the_bust() -> Fraction:
    """Made once the dealer has no blackjack; the dealer always draws."""
    left = [0, *(24,) * 9, 96]

    def busts(total: int, aces: int) -> Fraction:
        """How often, with these cards out of the shoe; the caller takes them out and puts them back."""
        best = total + 10 if aces and total <= 11 else total
        if best >= 17:
            return Fraction(best > 21)
        chance = Fraction(0)
        cards = sum(left)
        for value in range(1, 11):
            copies = left[value]
            if copies:
                left[value] -= 1
                chance += Fraction(copies, cards) * busts(total + value, aces + (value == 1))
                left[value] += 1
        return chance

    net = made = Fraction(0)
    for up, odds in BUSTS.items():
        shown = Fraction(left[up], 312)
        left[up] -= 1
        for hole in range(1, 11):
            if {up, hole} != {1, 10}:
                chance = shown * Fraction(left[hole], 311)
                left[hole] -= 1
                bust = busts(up + hole, (up == 1) + (hole == 1))
                left[hole] += 1
                made += chance
                net += chance * (odds * bust - (1 - bust))
        left[up] += 1
    return -net / made


LISTED = "every deal listed"
EVERY_HAND = "every hand of the dealer"
BY_RANKS = "every set of ranks, weighed by its deals"


def edges() -> Iterator[tuple[str, str, str, Fraction, str]]:
    """Game, wager, paytable, house edge, and how it was counted."""
    for game, tables in PAIR_PLUS.items():
        for table, pays in tables.items():
            yield game, "3-card-bonus" if game == "let-it-ride" else "pair-plus", table, pair_plus(pays), LISTED
    for table, edge in ante_and_play():
        yield "three-card-poker", "ante-play", table, edge, LISTED
    for wager, table, edge in baccarat():
        yield "three-card-baccarat", wager, table, edge, BY_RANKS
    yield "three-card-baccarat", "kings-bonus", "1", kings_bonus(), LISTED
    for wager, table, edge in casino_war():
        yield "casino-war", wager, table, edge, BY_RANKS
    for table, edge in bet_the_set():
        yield "blackjack", "bet-the-set", table, edge, LISTED
    for table, edge in royal_match():
        yield "blackjack", "royal-match", table, edge, LISTED
    yield "blackjack", "kings-bounty", "KB01", kings_bounty(), LISTED
    yield "blackjack", "royal-match", "1000", crown_treasure(), LISTED
    for wager, table, edge in trilux():
        yield "blackjack", wager, table, edge, LISTED
    for table, edge in blazing_sevens():
        yield "blackjack", "blazing-7s-dealer", table, edge, LISTED
    yield "blackjack", "insurance", "1", insurance(), LISTED
    yield "blackjack", "bet-the-bust", "2", bet_the_bust(), EVERY_HAND


if __name__ == "__main__":
    for game, wager, table, edge, how in edges():
        line = {"game": game, "wager": wager, "paytable": table, "house_edge": str(edge), "method": how}
        sys.stdout.write(json.dumps(line) + "\n")
