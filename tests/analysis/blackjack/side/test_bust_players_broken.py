"""Split hands that all break: against every round of small shoes, in fractions, and against listed sets."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from math import perm
from typing import TypeVar, cast

import numpy as np
import pytest

from croupier.analysis.blackjack.basic import basic_strategy, evaluate
from croupier.analysis.blackjack.hands import KEY_OF_VALUE, cards_of
from croupier.analysis.blackjack.outcomes import patterns
from croupier.analysis.blackjack.pairs import Split
from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.blackjack.side import broken as side_broken
from croupier.analysis.blackjack.side.broken import AllBroken, all_broken, likeliest_broken
from croupier.analysis.blackjack.side.bust_players import MOST_SETS, UpCardOuts
from croupier.analysis.blackjack.side.outs import Draws, broken_hands
from croupier.analysis.blackjack.solver import may_run_out
from croupier.analysis.blackjack.strategy import Evaluated
from croupier.analysis.kernels import broken
from croupier.games.blackjack.rules import Rules
from tests.analysis.blackjack.side.brute_force import dealer_ends
from tests.analysis.small_table import Hands, Shoe, SmallTable

Kernel = TypeVar("Kernel", bound=Callable[..., object])
BUST = 5


@cache
def play_of(rules: str, shoe: str = "") -> Evaluated:
    read = Rules.parse(rules)
    composition = Composition.parse(shoe) if shoe else Composition.full(read.decks)
    assert not shoe or not may_run_out(read, composition)
    return evaluate(basic_strategy(read), read, composition)


# Small shoes

FEW_TWOS = "2x5 6x2 7x3 Tx10"
FEW_EIGHTS = "Ax2 5x1 6x4 8x5 Tx8"
SMALL = [
    ("1D S17 SP4", FEW_TWOS, 7, 2),
    ("1D H17 SP3", FEW_TWOS, 7, 2),
    ("1D S17 SP4", FEW_EIGHTS, 10, 8),
    ("1D S17 SP4", FEW_EIGHTS, 1, 8),
    ("1D H17 SP2", FEW_EIGHTS, 10, 8),
]


def played_out(rules: str, shoe: str, up: int, pair: int) -> dict[int, list[float]]:
    """By number of hands: all are broken and the dealer would bust, and would make a hand."""
    read, play = Rules.parse(rules), play_of(rules, shoe)
    table = SmallTable(play, up, hits_soft_17=read.hits_soft_17, most_hands=read.split_hands)
    left = list(Composition.parse(shoe).counts)
    left[up - 1] -= 1
    dealt = Fraction(perm(left[pair - 1], 2), perm(sum(left), 2))
    left[pair - 1] -= 2
    rounds: dict[tuple[Shoe, Hands], float] = defaultdict(float)
    table.split(pair, float(dealt), tuple(left), rounds)
    found: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for (rest, hands), chance in rounds.items():
        if all(total == 0 for total, _ in hands):
            ends = table.dealer(rest)
            found[len(hands)][0] += chance * ends[BUST]
            found[len(hands)][1] += chance * sum(ends[:BUST])
    return found


@pytest.mark.parametrize(("rules", "shoe", "up", "pair"), SMALL)
def test_every_round_of_a_small_shoe(rules: str, shoe: str, up: int, pair: int) -> None:
    play = play_of(rules, shoe)
    wanted = played_out(rules, shoe, up, pair)
    found = {each.hands: each for each in all_broken(Split(play.table, pair), play.strategy, up)}
    most = Rules.parse(rules).split_hands
    assert set(found) == set(range(2, most + 1))
    assert wanted[most][1] > 0, "the most hands there may be do all break"
    for number, each in found.items():
        assert each.bust == pytest.approx(wanted[number][0], rel=1e-11, abs=1e-18)
        assert each.made == pytest.approx(wanted[number][1], rel=1e-11, abs=1e-18)


def in_fractions(rules: str, shoe: str, up: int, pair: int) -> dict[int, list[Fraction]]:
    """The same from the broken hands one by one, nothing merged and nothing rounded."""
    play = play_of(rules, shoe)
    split = Split(play.table, pair)
    left = Counter({value: number for value, number in enumerate(Composition.parse(shoe).counts, start=1) if number})
    left[up] -= 1
    lists = []
    for again in (False, True):
        draws = broken_hands(split, play.strategy, up, again=again)
        each = [(Counter(dict(enumerate(cards, start=1))), orders) for cards, orders in zip(*draws, strict=True)]
        lists.append([(+cards, int(orders)) for cards, orders in each if cards <= left])
    ends = cache(lambda rest: dealer_ends(up, list(rest), hits_soft_17=play.table.rules.hits_soft_17))
    found: dict[int, list[Fraction]] = defaultdict(lambda: [Fraction(0), Fraction(0)])
    for pattern in patterns(split.most):
        for hands in product(*[lists[0]] * pattern.others, *[lists[1]] * pattern.free):
            gone = Counter({pair: 2 + pattern.pairs})
            ways = pattern.orders
            for cards, orders in hands:
                gone.update(cards)
                ways *= orders
            if not gone <= left:
                continue
            for value, number in gone.items():
                ways *= perm(left[value], int(number))
            chance = Fraction(ways, perm(left.total(), int(gone.total())))
            dealer = ends(tuple(sorted((left - gone).elements())))
            found[pattern.hands][0] += chance * dealer[22]
            found[pattern.hands][1] += chance * sum(dealer[total] for total in range(17, 22))
    return found


@pytest.mark.parametrize(("rules", "shoe", "up", "pair"), SMALL[1:])  # four hands of twos take seconds in fractions
def test_rounding_is_all_that_differs_from_fractions(rules: str, shoe: str, up: int, pair: int) -> None:
    play = play_of(rules, shoe)
    wanted = in_fractions(rules, shoe, up, pair)
    for each in all_broken(Split(play.table, pair), play.strategy, up):
        assert each.bust == pytest.approx(float(wanted[each.hands][0]), rel=1e-13, abs=1e-20)
        assert each.made == pytest.approx(float(wanted[each.hands][1]), rel=1e-13, abs=1e-20)


# Full decks


@pytest.mark.parametrize(
    ("rules", "up", "pair"),
    [("6D S17", 10, 8), ("8D H17", 1, 8), ("6D S17", 7, 7), ("1D S17", 9, 9), ("8D S17 SP3", 7, 3), ("1D S17", 7, 2)],
)
def test_the_likeliest_sets_one_by_one_leave_room_for_the_rest(rules: str, up: int, pair: int) -> None:
    play = play_of(rules)
    outs, split = UpCardOuts(play, up), Split(play.table, pair)
    least: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for number, gone, dropped in likeliest_broken(split, play.strategy, up, most=MOST_SETS):
        for place, chance in enumerate((*outs.ends(Draws(cards_of(gone.keys), gone.orders)), dropped)):
            least[number][place] += chance
    for each in all_broken(split, play.strategy, up):
        bust, made, dropped = least[each.hands]
        assert bust - 1e-16 <= each.bust <= bust + dropped + 1e-16
        assert made - 1e-16 <= each.made <= made + dropped + 1e-16
        assert each.bust + each.made <= bust + made + dropped + 1e-16
        if dropped == 0:
            assert each == pytest.approx(AllBroken(each.hands, bust, made), rel=1e-11)


@pytest.mark.parametrize(("rules", "up", "pair"), [("6D S17", 10, 8), ("8D H17", 1, 8), ("1D S17", 7, 2)])
@pytest.mark.parametrize("spare", [1e-8, 1e-6])
def test_what_is_left_out_is_at_most_what_is_told(rules: str, up: int, pair: int, spare: float) -> None:
    play = play_of(rules)
    split = Split(play.table, pair)
    nothing = all_broken(split, play.strategy, up)
    left_out = 0.0
    for whole, few in zip(nothing, all_broken(split, play.strategy, up, spare=spare), strict=True):
        assert whole.left_out == 0
        assert few.bust <= whole.bust + 1e-16
        assert few.made <= whole.made + 1e-16
        assert whole.bust + whole.made <= few.bust + few.made + few.left_out + 1e-16
        assert few.left_out <= spare * whole.hands, "one time for each hand"
        left_out += few.left_out
    assert left_out > 0


def test_the_rarest_sets_are_left_out_first() -> None:
    left = np.array([4] * 9 + [16])
    gone = side_broken.Gone(np.array([0, 1, 2, 5]), np.array([1.0, 1.0, 1.0, 1.0]))  # no, one, two and five aces
    assert side_broken.likeliest(gone, left) == (gone, 0.0), "all are asked for"
    few, rest = side_broken.likeliest(gone, left, most=2)
    assert few.keys.tolist() == [0, 1]
    assert rest == pytest.approx(4 / 52 * 3 / 51, rel=1e-13), "five aces cannot be drawn"
    few, rest = side_broken.likeliest(gone, left, spare=4 / 52)
    assert few.keys.tolist() == [0, 1]
    few, rest = side_broken.likeliest(gone, left, spare=0.1)
    assert few.keys.tolist() == [0]
    assert rest == pytest.approx(4 / 52 + 4 / 52 * 3 / 51, rel=1e-13)


def test_hands_that_cannot_break() -> None:
    play = play_of("6D S17")
    assert list(all_broken(Split(play.table, 8), play.strategy, 6)) == [], "nobody hits a stiff hand against a six"
    assert list(all_broken(Split(play.table, 1), play.strategy, 10)) == [], "split aces receive one card"


# Kernels


def plain(kernel: Kernel) -> Kernel:
    """The Python that a kernel was compiled from."""
    return cast(Kernel, getattr(kernel, "py_func", kernel))


def test_kernels_as_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    play = play_of("1D S17 SP4", FEW_EIGHTS)
    compiled = list(all_broken(Split(play.table, 8), play.strategy, 10))
    for name in ("in_strips", "add_sets", "draw_further", "drawn"):
        monkeypatch.setattr(side_broken, name, plain(getattr(broken, name)))
    for name in ("lay_out", "_tables", "_draw_high_cards"):
        monkeypatch.setattr(broken, name, plain(getattr(broken, name)))
    for one, other in zip(list(all_broken(Split(play.table, 8), play.strategy, 10)), compiled, strict=True):
        assert one == pytest.approx(other, rel=1e-13)


def test_strips() -> None:
    """A strip ends where the next set has too many aces more, or other cards."""
    cards = np.zeros((6, 10), dtype=np.int64)
    cards[:, 0] = (0, 1, broken.STRIP - 1, broken.STRIP, 0, 2)
    cards[4:, 1] = 1
    keys = cards @ KEY_OF_VALUE
    first, ways = broken.in_strips(keys, np.arange(1.0, 7.0))
    assert np.array_equal(cards_of(first), cards[[0, 3, 4]])
    assert [list(np.flatnonzero(strip)) for strip in ways] == [[0, 1, broken.STRIP - 1], [0], [0, 2]]
    assert ways.sum() == 21
