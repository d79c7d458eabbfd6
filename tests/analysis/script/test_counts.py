"""The exact counts of scripts: as published, every quick way as the plain one, and both as the live round deals."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from croupier.analysis.script.counts import Bracket, ByPackets, ByReading, ByStreets, ByTree, ByUpCard, counting
from croupier.analysis.script.packets import Packets, _compared, _judged
from croupier.analysis.script.plain import Tree
from croupier.analysis.tables import as_cards
from croupier.cards.card import Rank
from croupier.conformance import mean_of_deals, same, some_choice
from croupier.games.script.language import Seen
from tests.games.script.support import game, small

PUBLISHED = (
    ("three_card_poker", "ante-play", "1", Fraction(3373, 100000), ByPackets),
    ("three_card_poker", "ante-play", "2", Fraction(3825, 100000), ByPackets),
    ("three_card_poker", "pair-plus", "1", Fraction(2317, 100000), ByReading),
    ("three_card_poker", "pair-plus", "3", Fraction(7276, 100000), ByReading),
    ("three_card_poker", "6-card-bonus", "4", Fraction(8561, 100000), ByReading),
    ("casino_war", "bet", "1", Fraction(2877, 100000), ByTree),
    ("casino_war", "bet", "2", Fraction(2330, 100000), ByTree),
    ("casino_war", "tie", "1", Fraction(18650, 100000), ByTree),
    ("mississippi_stud", "ante", "1", Fraction(4915, 100000), ByStreets),
    ("let_it_ride", "bet", "1", Fraction(3506, 100000), ByStreets),
    ("let_it_ride", "3-card-bonus", "1", Fraction(7095, 100000), ByReading),
)
EXACT = {
    ("casino_war", "bet", "1"): Fraction(142853, 4965115),
    ("casino_war", "tie", "1"): Fraction(58, 311),
    ("mississippi_stud", "ante", "1"): Fraction(53223, 1082900),
}
"""Found by other programs, see the pages of the rulebook."""


@pytest.mark.parametrize(("name", "key", "table", "edge", "way"), PUBLISHED)
def test_house_edges_are_as_published(name: str, key: str, table: str, edge: Fraction, way: type) -> None:
    title = game(name)
    wager = next(each for each in title.wagers if each.key == key)
    prices = wager.prices(wager.paytables[table])
    found = counting(title, wager)
    assert isinstance(found, way)
    counted = -found.count(prices).value(prices)
    assert abs(counted - edge) <= Fraction(1, 100000)
    assert counted == EXACT.get((name, key, table), counted)


def test_equal_choices_are_broken_by_the_larger_raise() -> None:
    """Mississippi Stud has 3.59 units at stake, as published; with the smaller raise it would be 3.48."""
    title = game("mississippi_stud")
    prices = title.base.prices(title.base.paytables["1"])
    assert round(float(counting(title, title.base).count(prices).staked(prices)), 2) == 3.59


SMALL = (
    ("mississippi_stud", (Rank.TEN, Rank.JACK)),
    ("let_it_ride", (Rank.NINE, Rank.TEN, Rank.JACK)),
    ("three_card_poker", (Rank.TWO, Rank.QUEEN, Rank.ACE)),
)


@pytest.mark.parametrize(("name", "ranks"), SMALL)
def test_quick_counts_are_as_the_plain_one(name: str, ranks: tuple[Rank, ...]) -> None:
    title = small(name, *ranks)
    prices = title.base.prices(title.base.paytables["1"])
    quick = counting(title, title.base)
    assert not isinstance(quick, ByTree)
    assert same(quick.count(prices), Tree(title, title.base, prices).count())
    choose = some_choice(title)
    assert same(quick.count(prices, choose), Tree(title, title.base, prices, choose).count())


@pytest.mark.parametrize(("name", "ranks"), SMALL)
def test_choices_are_rated_as_by_the_plain_count(name: str, ranks: tuple[Rank, ...]) -> None:
    title = small(name, *ranks)
    prices = title.base.prices(title.base.paytables["1"])
    quick, plain = counting(title, title.base), ByTree(title, title.base)
    hand = title.deck.cards[1 : 1 + title.sizes["seat"]]
    step = title.base.steps[0]
    assert quick.values(prices, Seen({"seat": hand}), step) == plain.values(prices, Seen({"seat": hand}), step)
    if len(title.base.steps) > 1:
        board = title.deck.cards[-1:]
        seen = Seen({"seat": hand, "board": board}, (step.choices[1],))
        later = title.base.steps[1]
        assert quick.values(prices, seen, later) == plain.values(prices, seen, later)


@pytest.mark.parametrize(("name", "ranks"), [*SMALL, ("casino_war", (Rank.TWO, Rank.ACE))])
def test_the_tree_that_is_kept_is_the_plain_one(name: str, ranks: tuple[Rank, ...]) -> None:
    """Every ending and the number of rounds, by best play and by a strategy."""
    title = small(name, *ranks)
    prices = title.base.prices(title.base.paytables["1"])
    kept = ByTree(title, title.base)
    for choose in (None, some_choice(title), some_choice(title, 1)):
        assert kept.count(prices, choose) == Tree(title, title.base, prices, choose).count()
    assert kept.deals == Tree(title, title.base, prices).count().rounds


def test_a_changed_pay_deals_no_card_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked after the first count is read from it: other prices, strategies, charts and single hands."""
    title = small("casino_war", Rank.TWO, Rank.NINE, Rank.ACE)
    kept, choose = ByTree(title, title.base), some_choice(title)
    one, two = (title.base.prices(table) for table in title.base.paytables.values())
    first = kept.count(one).value(one)
    with monkeypatch.context() as patched:
        patched.setattr(Tree, "dealt", lambda *_: pytest.fail("cards are dealt again"))
        for prices in (two, one):
            repriced = kept.count(prices).value(prices)
            kept.count(prices, choose)
            kept.hands_worse(prices, choose)
            list(kept.brackets(prices))
            assert (repriced == first) is (prices is one)
    assert repriced == Tree(title, title.base, one).count().value(one)


def _joined(brackets: Iterable[Bracket]) -> dict[object, tuple[int, Fraction]]:
    """By kind and choice: one way may tell a kind in several pieces, each with its own example."""
    found: dict[object, tuple[int, Fraction]] = {}
    for each in brackets:
        hands, total = found.get(key := (*each[:3], each.path), (0, Fraction(0)))
        found[key] = (hands + each.hands, total + each.hands * each.value)
    return found


@pytest.mark.parametrize(("name", "ranks"), SMALL)
def test_strategies_and_charts_are_as_by_the_plain_count(name: str, ranks: tuple[Rank, ...]) -> None:
    title = small(name, *ranks)
    prices = title.base.prices(title.base.paytables["1"])
    quick, plain = counting(title, title.base), ByTree(title, title.base)
    choose = some_choice(title)
    assert quick.hands_worse(prices, choose) == plain.hands_worse(prices, choose)
    assert quick.first_hands == plain.first_hands
    [one, other] = (_joined(way.brackets(prices)) for way in (quick, plain))
    assert one == other
    assert one


def test_an_up_card_is_counted_as_by_the_plain_tree() -> None:
    """Five cards each of a deck of three ranks: every ending, by best play and by a strategy, and single positions."""
    title = small("caribbean_stud", Rank.JACK, Rank.KING, Rank.ACE)
    prices = title.base.prices(title.base.paytables["1"])
    quick, plain = counting(title, title.base), ByTree(title, title.base)
    assert isinstance(quick, ByUpCard)
    assert same(quick.count(prices), plain.count(prices))
    choose = some_choice(title)
    assert same(quick.count(prices, choose), plain.count(prices, choose))
    [step] = title.base.steps
    for first in (0, 1, 3):
        cards = title.deck.cards[first : first + 6]
        seen = Seen({"seat": cards[:5], "dealer": cards[5:]})
        assert quick.values(prices, seen, step) == plain.values(prices, seen, step)
        best = max(plain.values(prices, seen, step), key=lambda each: each[1])
        assert quick.choosing(prices)(seen, step) is best[0]
    hands = [quick.up_card.example(place) for place in range(len(quick.up_card.weights))]
    assert all(quick.up_card.place_of(hand, up) == place for place, (hand, up) in enumerate(hands))
    assert sum(each.hands for each in quick.brackets(prices)) == quick.first_hands == comb(12, 5) * 7


def test_comparing_hands_counts_as_judging_every_pair() -> None:
    title = small("three_card_poker", *tuple(Rank)[5:])
    found = []
    seats = Packets.of(title, title.base)
    judged = _judged(title, title.base, seats.hands, as_cards(seats.hands, title.deck.ranks))
    for kinds, left in (_compared(title, title.base), judged):
        by_kind = dict.fromkeys(kinds, 0)
        for kind, column in zip(kinds, left.T, strict=True):
            by_kind[kind] = by_kind[kind] + column
        found.append(by_kind)
    assert found[0].keys() == found[1].keys()
    assert all(np.array_equal(found[0][kind], found[1][kind]) for kind in found[0])


def test_a_hand_of_any_suits_is_of_its_class() -> None:
    title = small("three_card_poker", Rank.QUEEN, Rank.KING, Rank.ACE)
    packets = Packets.of(title, title.base)
    for hand in combinations(title.deck.cards, 3):
        assert len(packets.hands[packets.place_of(hand)]) == 3
        assert sorted(card.rank for card in packets.hands[packets.place_of(hand)]) == sorted(c.rank for c in hand)


# The live round


TINY = (
    ("mississippi_stud", (Rank.SIX, Rank.JACK)),
    ("let_it_ride", (Rank.SIX, Rank.JACK)),
    ("three_card_poker", (Rank.SIX, Rank.QUEEN)),
    ("casino_war", (Rank.SIX, Rank.JACK, Rank.ACE)),
)


@pytest.mark.parametrize(("name", "ranks"), TINY)
def test_live_rounds_of_a_tiny_deck_come_to_the_count(name: str, ranks: tuple[Rank, ...]) -> None:
    """Every deal there is, entered card by card: two ways through one definition."""
    title = small(name, *ranks)
    choose = some_choice(title)
    prices = title.base.prices(title.base.paytables["1"])
    opened = title.offer().open()
    opened = opened.do(opened.parse(f"bet 1 {title.base.spots[0].key} 600"))
    dealt = mean_of_deals(opened.do(opened.no_more_bets), list(title.deck.cards), choose)
    assert dealt == Tree(title, title.base, prices, choose).count().value(prices)
