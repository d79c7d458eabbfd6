"""Rules as arrays: every hand has its place, its class and its finding, and the dealer's hands are all counted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.analysis.tables import (
    all_hands,
    as_cards,
    class_of_hands,
    dealer_counts,
    findings_of_hands,
    hand_places,
    judgment,
)
from croupier.cards.card import DECK, Hand, Rank
from croupier.cards.symmetry import ALL_RANKS, Ranks, Sees, class_key, classes
from croupier.games.catalogue import GAMES
from croupier.games.tabulate import read_all
from croupier.games.titles import triple_shot_rummy
from croupier.games.wager import AgainstDealer, Reading, Wager
from tests.analysis.brute_force import Deck, count_dealers, masks, rummy_points

SMALL: Ranks = (Rank.TWO, Rank.THREE, Rank.NINE, Rank.KING, Rank.ACE)
SEEN = (Sees.RANKS, Sees.SUITS)
"""What a rule against the dealer looks at."""
AGAINST_DEALER = [
    pytest.param(wager, id=f"{game.key} {wager.key}")
    for game in GAMES.values()
    for wager in game.wagers
    if isinstance(wager.basis, AgainstDealer)
]


def cards_of(ranks: Ranks) -> Hand:
    return tuple(card for card in DECK if card.rank in ranks)


def readings() -> Iterator[Reading]:
    """Every reading whose hands are taken one by one."""
    for game in GAMES.values():
        for wager in game.wagers:
            if isinstance(wager.basis, AgainstDealer):
                yield wager.basis.dealer
                yield from (choice.reading for choice in wager.basis.choices)


@pytest.mark.parametrize(("size", "cards"), [(0, 52), (1, 8), (2, 52), (3, 20), (3, 52), (4, 12), (4, 52)])
def test_every_hand_is_listed_once_at_its_place(size: int, cards: int) -> None:
    hands = all_hands(size, cards)
    assert {tuple(hand) for hand in hands.tolist()} == set(combinations(range(cards), size))
    assert hand_places(hands).tolist() == list(range(comb(cards, size)))


def test_cards_are_numbered_within_their_deck() -> None:
    deck = cards_of(SMALL)
    assert as_cards([(card,) for card in deck], SMALL).ravel().tolist() == list(range(20))
    assert as_cards([deck[::-1][:3]], SMALL).tolist() == [[17, 18, 19]]


@pytest.mark.parametrize("sees", SEEN)
@pytest.mark.parametrize(("size", "ranks"), [(3, ALL_RANKS), (3, SMALL), (4, SMALL)])
def test_class_of_every_hand(sees: Sees, size: int, ranks: Ranks) -> None:
    deck, found = cards_of(ranks), class_of_hands(size, sees, ranks)
    keys = [class_key(each.hand, sees) for each in classes(size, sees, ranks)]
    for place, numbers in enumerate(all_hands(size, len(deck)).tolist()):
        assert keys[found[place]] == class_key(tuple(deck[number] for number in numbers), sees)


@given(hand=st.lists(st.sampled_from(DECK), min_size=4, max_size=4, unique=True).map(tuple), sees=st.sampled_from(SEEN))
@settings(deadline=None)
def test_class_of_any_four_cards(hand: Hand, sees: Sees) -> None:
    place = class_of_hands(4, sees, ALL_RANKS)[hand_places(as_cards([hand], ALL_RANKS))][0]
    assert class_key(classes(4, sees)[place].hand, sees) == class_key(hand, sees)


@given(data=st.data())
@settings(max_examples=300, deadline=None)
def test_the_table_says_what_the_reading_says(data: st.DataObject) -> None:
    reading = data.draw(st.sampled_from(list(readings())))
    hand = tuple(data.draw(st.lists(st.sampled_from(DECK), min_size=reading.size, max_size=reading.size, unique=True)))
    place = findings_of_hands(reading, ALL_RANKS)[hand_places(as_cards([hand], ALL_RANKS))][0]
    assert read_all(reading, ALL_RANKS).findings[place] == reading(hand)


@pytest.mark.parametrize("wager", AGAINST_DEALER)
def test_the_table_says_what_the_judge_says(wager: Wager) -> None:
    assert isinstance(wager.basis, AgainstDealer)
    dealer = read_all(wager.basis.dealer, SMALL).findings
    for choice in wager.basis.choices:
        table = judgment(wager, choice, SMALL)
        seat = read_all(choice.reading, SMALL).findings
        judged = [[wager.outcomes[place] for place in row] for row in table.tolist()]
        assert judged == [[choice.judge(mine, theirs) for theirs in dealer] for mine in seat]


def test_dealer_counts_are_those_of_listing_every_dealer_hand() -> None:
    """Points of all 407,170,400 deals of Triple Shot Rummy, hand by hand."""
    deck = Deck.of()
    hands = deck.hands(3)
    points = rummy_points(hands, *deck)
    listed = count_dealers(masks(hands), masks(hands), points, 31)
    assert listed.sum() == 407_170_400
    counted = dealer_counts(hands, triple_shot_rummy.POINTS, ALL_RANKS)
    of_finding = np.array(read_all(triple_shot_rummy.POINTS).findings)
    assert (counted == listed[:, of_finding]).all()
    assert set(np.flatnonzero(listed.sum(axis=0))) == set(of_finding.tolist())
