"""Classes of hands: every hand is in one, they count all hands, and renaming suits changes nothing."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards.card import DECK, Card, Hand, Suit, parse_cards
from croupier.cards.symmetry import Sees, class_key, classes, flush_ranks

RENAMINGS = tuple(itertools.permutations(Suit))

# Published counts: ranks alone, and with suits up to their names (preflop, three-card, Omaha and five-card hands).
NUMBER_OF_CLASSES = {
    Sees.RANKS: {1: 13, 2: 91, 3: 455, 4: 1820, 5: 6175, 6: 18395, 7: 49205},
    Sees.FLUSHES: {3: 455, 4: 1820, 5: 6175 + comb(13, 5)},
    Sees.SUITS: {1: 13, 2: 169, 3: 1755, 4: 16432},
}
SIZES = [(sees, size, count) for sees, counts in NUMBER_OF_CLASSES.items() for size, count in counts.items()]

hands = st.lists(st.sampled_from(DECK), unique=True, min_size=1, max_size=7).map(tuple)


def renamed(hand: Hand, names: tuple[Suit, ...]) -> Hand:
    return tuple(Card(card.rank, names[card.suit]) for card in hand)


def orbit(hand: Hand) -> Hand:
    """The first, in order, of all hands that renaming suits makes of this one: equal for equal orbits."""
    return min(tuple(sorted(renamed(hand, names))) for names in RENAMINGS)


@pytest.mark.parametrize(("sees", "size", "count"), SIZES)
def test_number_of_classes(sees: Sees, size: int, count: int) -> None:
    assert len(classes(size, sees)) == count


@pytest.mark.parametrize(("sees", "size"), [*((sees, size) for sees, size, _ in SIZES), (Sees.FLUSHES, 6)])
def test_classes_count_every_hand_once(sees: Sees, size: int) -> None:
    made = classes(size, sees)
    assert sum(hands for _, hands in made) == comb(52, size)
    assert all(hands > 0 and len(set(hand)) == size for hand, hands in made)
    assert len({class_key(hand, sees) for hand, _ in made}) == len(made)


@pytest.mark.parametrize("sees", Sees)
def test_every_three_card_hand_is_in_its_class(sees: Sees) -> None:
    found = Counter(class_key(hand, sees) for hand in itertools.combinations(DECK, 3))
    assert found == {class_key(hand, sees): hands for hand, hands in classes(3, sees)}


@pytest.mark.parametrize(("sees", "size"), [(Sees.RANKS, 7), (Sees.FLUSHES, 5), (Sees.FLUSHES, 6), (Sees.SUITS, 4)])
def test_larger_hands_are_in_a_class(sees: Sees, size: int) -> None:
    keys = {class_key(hand, sees) for hand, _ in classes(size, sees)}
    chance = random.Random(size)
    assert all(class_key(tuple(chance.sample(DECK, size)), sees) in keys for _ in range(2000))
    suited = DECK[::4]
    assert all(class_key(tuple(chance.sample(suited, size)), sees) in keys for _ in range(200))


@pytest.mark.parametrize("size", [2, 4, 5])
def test_one_class_is_one_orbit_of_renaming_suits(size: int) -> None:
    chance = random.Random(size)
    ranks = DECK[:16]  # few ranks, so that orbits meet
    drawn = [tuple(chance.sample(ranks, size)) for _ in range(1500)]
    pairs = {(orbit(hand), class_key(hand, Sees.SUITS)) for hand in drawn}
    assert len(pairs) == len({made for made, _ in pairs}) == len({key for _, key in pairs})
    assert len(pairs) < 1000


@given(hands, st.sampled_from(RENAMINGS), st.sampled_from(Sees), st.randoms(use_true_random=False))
def test_renaming_suits_and_reordering_keep_the_class(
    hand: Hand, names: tuple[Suit, ...], sees: Sees, chance: random.Random
) -> None:
    other = list(renamed(hand, names))
    chance.shuffle(other)
    assert class_key(tuple(other), sees) == class_key(hand, sees)


@given(hands, hands)
def test_seeing_more_never_joins_what_seeing_less_parts(hand: Hand, other: Hand) -> None:
    same = [class_key(hand, sees) == class_key(other, sees) for sees in Sees]
    assert same == sorted(same, reverse=True)


def test_a_flush_is_five_or_more_of_a_suit() -> None:
    assert flush_ranks(parse_cards("2h 5h 9h Jh Ac As Ad")) == ()
    assert flush_ranks(parse_cards("Ah 2h 5h 9h Jh Ac As")) == (2, 5, 9, 11, 14)
    assert len(flush_ranks(parse_cards("Ah 2h 5h 9h Jh Kh As"))) == 6
