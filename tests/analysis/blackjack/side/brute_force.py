"""Counts blackjack side wagers by dealing every deal of a small shoe, with the rules written afresh from the documents.

Nothing is imported from Croupier. A card is a rank and a suit, `7d`; a shoe is a list of them, doubles allowed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import comb

TENS = "TJQK"
DECK = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"]
NEIGHBORS = [set("A23456789TJQKA"[start : start + 2]) for start in range(13)]
STRAIGHTS = [set("A23456789TJQKA"[start : start + 3]) for start in range(12)]


def points(card: str) -> int:
    return 1 if card[0] == "A" else 10 if card[0] in TENS else int(card[0])


def has_blackjack(one: str, other: str) -> bool:
    return {points(one), points(other)} == {1, 10}


def without(shoe: list[str], *places: int) -> list[str]:
    return [card for place, card in enumerate(shoe) if place not in places]


def hands_of_two(shoe: list[str]) -> Iterator[tuple[tuple[str, str], list[str]]]:
    for one, other in combinations(range(len(shoe)), 2):
        yield (shoe[one], shoe[other]), without(shoe, one, other)


# Whole decks, each different deal once with how many it stands for


def of_decks(decks: int, line: Callable[[str, str], str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for (one, other), ways in _pairs(decks):
        found[line(one, other)] += ways
    return found


def with_up_card(decks: int, line: Callable[[list[str]], str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for two, ways in _pairs(decks):
        for up in DECK:
            found[line([*two, up])] += ways * (decks - two.count(up))
    return found


def _pairs(decks: int) -> Iterator[tuple[tuple[str, str], int]]:
    for one, other in combinations_with_replacement(DECK, 2):
        yield (one, other), comb(decks, 2) if one == other else decks**2


# King's Bounty


def kings_bounty(shoe: list[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for two, rest in hands_of_two(shoe):
        for dealer in combinations(rest, 2):
            found[bounty_line(*two, dealer_blackjack=has_blackjack(*dealer))] += 1
    return found


def bounty_line(one: str, other: str, *, dealer_blackjack: bool) -> str:
    both_tens = one[0] in TENS and other[0] in TENS
    if not both_tens and {one[0], other[0]} != {"A", "9"}:
        return "No 20"
    if one == other == "Ks":
        return "2 Kings of Spades + Dealer BJ" if dealer_blackjack else "2 Kings of Spades"
    if one == other == "Ah" or (one == other and one[0] not in TENS):
        raise AssertionError("no pair but one of tens is a 20")
    if one == other:
        return "2 Suited Kings" if one[0] == "K" else "2 Suited Queens, Jacks or 10s"
    if one[1] == other[1]:
        return "Suited 20"
    return "2 Kings" if one[0] == other[0] == "K" else "Unsuited 20"


def insurance(shoe: list[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for _, rest in hands_of_two(shoe):
        for up, card in enumerate(rest):
            if card[0] == "A":
                for hole in without(rest, up):
                    found["Dealer has blackjack" if hole[0] in TENS else "Dealer has no blackjack"] += 1
    return found


# Bet the Set 21 and Royal Match 21


def bet_the_set(shoe: list[str]) -> Counter[str]:
    return Counter(set_line(*two) for two, _ in hands_of_two(shoe))


def set_line(one: str, other: str) -> str:
    return "Suited Pair" if one == other else "Pair" if one[0] == other[0] else "No pair"


def house_money(shoe: list[str]) -> Counter[str]:
    return Counter(money_line(*two) for two, _ in hands_of_two(shoe))


def money_line(one: str, other: str) -> str:
    if one[0] == other[0]:
        return "Pair"
    if {one[0], other[0]} not in NEIGHBORS:
        return "Nothing"
    if one[1] != other[1]:
        return "Straight"
    return "Suited A-K" if {one[0], other[0]} == {"A", "K"} else "Straight Flush"


def royal_match(shoe: list[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for two, rest in hands_of_two(shoe):
        for dealer in combinations(rest, 2):
            found[match_line(two, dealer)] += 1
    return found


def match_line(two: tuple[str, str], dealer: tuple[str, ...]) -> str:
    royals = {frozenset(("K" + suit, "Q" + suit)) for suit in "cdhs"}
    if two[0][1] != two[1][1]:
        return "No match"
    if set(two) in royals:
        return "Crown Treasure" if set(dealer) in royals else "Royal Match"
    return "Suited Blackjack" if has_blackjack(*two) else "Easy Match"


BONUS_LINES = {
    "Three Aces (Suited)": "Suited Three of a Kind",
    "Three of a Kind (Suited)": "Suited Three of a Kind",
    "Three of a Kind (Offsuit)": "Three of a Kind",
    "Nothing": "No bonus",
}


def trilux_bonus(shoe: list[str]) -> Counter[str]:
    return Counter(bonus_line([*two, up]) for two, rest in hands_of_two(shoe) for up in rest)


def bonus_line(cards: list[str]) -> str:
    line = trilux_line(cards)
    return BONUS_LINES.get(line, line)


# Super Match


def super_match(shoe: list[str]) -> Counter[str]:
    return Counter(match_of_four([*two, *other]) for two, rest in hands_of_two(shoe) for other in combinations(rest, 2))


def match_of_four(cards: list[str]) -> str:
    ranks = "".join(sorted(card[0] for card in cards))
    most = max(ranks.count(rank) for rank in ranks)
    if most > 2:
        return {4: "Four of a Kind", 3: "Three of a Kind"}[most]
    return {2: "Two Pair", 3: "Pair", 4: "No pair"}[len(set(ranks))]


# Blazing 7's


def sevens_line(two: tuple[str, str], third: str | None) -> str:
    sevens = [card for card in two if card[0] == "7"]
    if len(sevens) < 2:
        return "Either of the First Two Cards - 7" if sevens else "No 7 in the first two cards"
    if third is None or third[0] != "7":
        return "First Two Cards - 7"
    suits = {card[1] for card in (*two, third)}
    if suits == {"d"}:
        return "Three 7's - Diamonds"
    if len(suits) == 1:
        return "Three 7's - Suited (Other)"
    return "Three 7's - Same Color" if suits in ({"d", "h"}, {"c", "s"}) else "Three 7's"


def blazing_dealer(shoe: list[str]) -> Counter[str]:
    return Counter(sevens_line(two, up) for two, rest in hands_of_two(shoe) for up in rest)


def blazing_player(shoe: list[str], stands_against: set[int], *, checked: bool = True) -> Counter[str]:
    found: Counter[str] = Counter()
    for two, rest in hands_of_two(shoe):
        for up in range(len(rest)):
            for hole in range(len(rest)):
                if hole == up:
                    continue
                ends = (checked and has_blackjack(rest[up], rest[hole])) or points(rest[up]) in stands_against
                for third in without(rest, up, hole):
                    found[sevens_line(two, None if ends else third)] += 1
    return found


# TriLux


def trilux(shoe: list[str]) -> Counter[str]:
    return Counter(trilux_line([*two, up]) for two, rest in hands_of_two(shoe) for up in rest)


def trilux_line(cards: list[str]) -> str:
    ranks, suited = {card[0] for card in cards}, len({card[1] for card in cards}) == 1
    if len(ranks) == 1:
        if not suited:
            return "Three of a Kind (Offsuit)"
        return "Three Aces (Suited)" if ranks == {"A"} else "Three of a Kind (Suited)"
    if ranks in STRAIGHTS:
        return "Straight Flush" if suited else "Straight"
    return "Flush" if suited else "Nothing"


# Bet the Bust


def dealer_ends(up: int, left: list[int], *, hits_soft_17: bool) -> dict[int, Fraction]:
    """How likely each total is (22 for a bust, 0 for a blackjack), from a list of the values that are left."""
    found: dict[int, Fraction] = Counter()  # type: ignore[assignment]
    _draw([up], left, Fraction(1), found, hits_soft_17)
    return found


def _draw(held: list[int], left: list[int], chance: Fraction, found: dict[int, Fraction], hits_soft_17: bool) -> None:
    hard = sum(held)
    soft = 1 in held and hard <= 11
    total = hard + 10 if soft else hard
    if len(held) == 2 and total == 21:
        found[0] += chance
    elif total > 21:
        found[22] += chance
    elif total > 17 or (total == 17 and not (soft and hits_soft_17)):
        found[total] += chance
    else:
        for place, card in enumerate(left):
            if card not in left[:place]:
                rest = left[:place] + left[place + 1 :]
                _draw([*held, card], rest, chance * left.count(card) / len(left), found, hits_soft_17)


# Push 22


def push_22(shoe: list[str], *, hits_soft_17: bool) -> dict[str, Fraction]:
    """How likely each line is, every card of the dealer drawn from the shoe; one that runs out is not meant."""
    chances: Counter[str] = Counter()

    def draw(held: list[str], left: list[str], chance: Fraction) -> None:
        hard = sum(map(points, held))
        soft = any(card[0] == "A" for card in held) and hard <= 11
        total = hard + 10 if soft else hard
        if total > 17 or (total == 17 and not (soft and hits_soft_17)):
            chances[push_22_line(held, total)] += chance  # type: ignore[assignment]
            return
        assert left, "the shoe has run out: choose another one"
        for place in range(len(left)):
            draw([*held, left[place]], without(left, place), chance / len(left))

    draw([], shoe, Fraction(1))
    return dict(chances)  # type: ignore[arg-type]


def push_22_line(held: list[str], total: int) -> str:
    suits = {card[1] for card in held}
    if total != 22:
        return "No 22"
    return "Suited 22" if len(suits) == 1 else "Same Color 22" if suits in ({"d", "h"}, {"c", "s"}) else "Any 22"
