"""The kernels as plain Python, which checks every index, give what the machine code gives.

With NUMBA_DISABLE_JIT=1 both are plain Python.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import numpy as np

from croupier.analysis.blackjack.dealer import trie_for
from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.kernels.dealer import dealer_totals
from croupier.analysis.kernels.player import BEST, Drawn, Stakes, play_hands, reach_hands
from croupier.analysis.kernels.split import (
    Chips,
    Items,
    Rows,
    Sums,
    count_orders,
    join_hands,
    join_two,
    measure_hands,
    play_split,
)

Kernel = TypeVar("Kernel", bound=Callable[..., object])


def plain(kernel: Kernel) -> Kernel:
    """The Python that a kernel was compiled from."""
    return cast(Kernel, getattr(kernel, "py_func", kernel))


def assert_same(some: Sequence[Any], others: Sequence[Any]) -> None:
    assert len(some) == len(others)
    for one, other in zip(some, others, strict=True):
        assert np.array_equal(one, other)


def test_the_dealers_totals() -> None:
    shoe = np.array(Composition.full(1).counts)
    missing = np.array([[0] * 10, [1] * 10, [4, 0, 0, 0, 0, 0, 0, 0, 0, 9]])
    trie = trie_for(10, hits_soft_17=True)
    assert np.array_equal(plain(dealer_totals)(shoe, missing, trie), dealer_totals(shoe, missing, trie))


def two_hands() -> Drawn:
    """Hands of an ace game: A, AA, AAA, and a ten with any of them breaks the last."""
    cards = np.zeros((3, 10), dtype=np.int64)
    cards[:, 0] = (1, 2, 3)
    child = np.full((3, 10), -1)
    child[0, 0], child[1, 0] = 1, 2
    return Drawn(cards, cards.sum(axis=1), child)


def test_the_players_hands() -> None:
    shoe = np.array([5, 0, 0, 0, 0, 0, 0, 0, 0, 4])
    hands = two_hands()
    stand = np.linspace(-1, 1, 30).reshape(3, 10)
    free = np.array([False, True, False])
    stakes = Stakes(
        1, stand, 2 * stand, 2 * stand + 0.5, free, np.full((3, 10), 0.1), later=np.array([False, False, True])
    )
    choice = np.full((3, 10), BEST, dtype=np.int8)
    wanted = play_hands(shoe, hands, stakes, choice)
    assert_same(plain(play_hands)(shoe, hands, stakes, choice), wanted)
    reach, plain_reach = np.full((3, 10), 0.5), np.full((3, 10), 0.5)
    reach_hands(shoe, hands, reach, wanted[2])
    plain(reach_hands)(shoe, hands, plain_reach, wanted[2])
    assert np.array_equal(plain_reach, reach)


def split_aces() -> Rows:
    """Two aces that receive an ace or a ten, and another card."""
    cards = np.zeros((4, 10), dtype=np.int64)
    cards[:, 0] = (1, 2, 1, 2)
    cards[2:, 9] = 1
    child = np.full((4, 10), -1)
    child[0, 0], child[0, 9], child[1, 9], child[2, 0] = 1, 2, 3, 3
    return Rows(
        pair=0,
        place=np.arange(4),
        parent=np.array([0, 0, 0, 2]),
        drawn=np.array([0, 0, 9, 0]),
        cards=cards,
        size=cards.sum(axis=1),
        grade=np.array([0, 0, 5, 0]),
        doubled_grade=np.array([0, 0, 5, 0]),
        child=child,
        missing=np.arange(8).reshape(4, 2),
        may_double=np.array([False, True, True, False]),
        free=np.array([False, False, True, False]),
    )


def test_split_hands() -> None:
    rows = split_aces()
    left = np.array([6, 0, 0, 0, 0, 0, 0, 0, 0, 9])
    stands = np.random.default_rng(3).uniform(-1, 1, size=(8, 6, 10))
    weight = np.random.default_rng(4).uniform(-1, 1, size=(2, 2, 10))
    blackjack = np.random.default_rng(6).uniform(size=(8, 10))
    wanted = measure_hands(left, rows, stands, blackjack, weight)
    assert_same(plain(measure_hands)(left, rows, stands, blackjack, weight), wanted)
    choice = np.full((4, 10), BEST, dtype=np.int8)
    for measure in range(2):
        sums = Sums(*(each[measure] for each in wanted))
        chips = Chips(1 - measure, 2 * sums.stood, 1.5 * sums.stood, returns=True)
        yields = play_split(sums, rows, choice, chips)
        assert_same(plain(play_split)(sums, rows, choice, chips), yields)
        second = rows.size == 2
        orders = count_orders(rows, second, yields.chosen)
        assert np.array_equal(plain(count_orders)(rows, second, yields.chosen), orders)


def test_joint_hands() -> None:
    items = Items(np.arange(3), np.array([0, 1, 1]), np.array([1.0, 2.0, 1.0]), np.array([0, 0, 1]))
    union = np.array([[0, 1, 2], [1, 3, 4], [2, 4, 5]])
    endings = np.random.default_rng(5).uniform(size=(3, 6, 7))
    wanted = join_hands(items, 4, union, endings)
    assert np.array_equal(plain(join_hands)(items, 4, union, endings), wanted)
    assert np.allclose(2 * wanted[0, 0], endings[0, 0])
    assert np.allclose(wanted[0, 1] + wanted[1, 0], 2 * endings[0, 1] + endings[1, 2])


def test_two_hands_that_are_not_alike() -> None:
    one = Items(np.arange(2), np.array([0, 1]), np.array([1.0, 2.0]), np.array([0, 1]))
    other = Items(np.arange(2), np.array([1, 1]), np.array([3.0, 1.0]), np.array([0, 1]))
    union = np.array([[0, 1], [2, 3]])
    endings = np.random.default_rng(5).uniform(size=(4, 4, 7))
    found = join_two(one, other, 2, union, endings)
    assert np.allclose(plain(join_two)(one, other, 2, union, endings), found)
    assert np.allclose(found[0, 1], 3 * endings[0, 0] + endings[1, 1])
    assert np.allclose(found[1, 1], 6 * endings[2, 2] + 2 * endings[3, 3])
