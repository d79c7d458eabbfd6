"""Bet the Bust with players: against every round of a small shoe, and what must hold of full decks."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache
from math import perm

import numpy as np
import pytest

from croupier.analysis.blackjack.basic import basic_strategy, evaluate
from croupier.analysis.blackjack.hands import KEY_OF_VALUE, cards_of, in_order
from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.blackjack.side.bust_players import Bounds, BustTable, PushFigures, UpCardOuts
from croupier.analysis.blackjack.solver import may_run_out, solve
from croupier.analysis.blackjack.strategy import Evaluated
from croupier.analysis.kernels.broken import products
from croupier.errors import NotationError
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.side_wagers import BET_THE_BUST
from tests.analysis.small_table import Shoe, SmallTable

SHOE = Composition.parse("Ax2 2x3 5x3 6x3 8x4 Tx7")
RULES = Rules.parse("1D H17 DAS SP4 LS")
BUST, BLACKJACK = 5, 6


@cache
def small_play() -> Evaluated:
    assert not may_run_out(RULES, SHOE)
    return evaluate(basic_strategy(RULES), RULES, SHOE)


def small_table(up: int) -> tuple[SmallTable, Shoe]:
    left = list(SHOE.counts)
    left[up - 1] -= 1
    return SmallTable(small_play(), up, hits_soft_17=True, most_hands=4), tuple(left)


def outs_of(table: SmallTable, shoe: Shoe) -> dict[Shoe, float]:
    """What is left of the shoe where the player is out."""
    outs: dict[Shoe, float] = defaultdict(float)
    for (left, hands), chance in table.rounds(shoe).items():
        if all(total == 0 for total, _ in hands):
            outs[left] += chance
    return outs


def ends(table: SmallTable, outs: dict[Shoe, float]) -> tuple[float, float]:
    """The dealer would bust, and would make a hand."""
    dealt = np.array([table.dealer(shoe) for shoe in outs])
    chances = np.array(list(outs.values())) @ dealt
    return float(chances[BUST]), float(chances[:BUST].sum())


@pytest.mark.parametrize("up", [2, 5, 6, 8])
def test_one_player_at_a_small_table(up: int) -> None:
    table, shoe = small_table(up)
    exact = ends(table, outs_of(table, shoe))
    for bounds, chance in zip(UpCardOuts(small_play(), up).all_out(1), exact, strict=True):
        assert bounds.low == pytest.approx(chance, abs=1e-12)
        assert bounds.high == pytest.approx(chance, abs=1e-12)


@pytest.mark.parametrize(
    ("words", "ups"),
    [
        ("1D H17 DAS SP3 LS CH5 DAC SAD SAT B21 BJW DBJ", (6, 8)),
        ("1D H17 DAS SP2 CH5 NDCC DAC", (2, 8)),
        ("1D ES SP2", (10,)),
    ],
)
def test_whoever_gives_up_later_or_wins_by_cards_is_out(words: str, ups: tuple[int, ...]) -> None:
    """By the best play of a small shoe, which does all of it: a push, as the dealer then draws no card."""
    rules = Rules.parse(words)
    play = solve(rules, SHOE)
    played = Evaluated(play.table, play.strategy)
    for up in ups:
        left = list(SHOE.counts)
        left[up - 1] -= 1
        table = SmallTable(played, up, hits_soft_17=rules.hits_soft_17, most_hands=rules.split_hands)
        exact = ends(table, outs_of(table, tuple(left)))
        for bounds, chance in zip(UpCardOuts(played, up).all_out(1), exact, strict=True):
            assert bounds.low == pytest.approx(chance, abs=1e-12)
            assert bounds.high == pytest.approx(chance, abs=1e-12)


@pytest.mark.parametrize(("up", "most"), [(2, 3), (6, 2)])
def test_two_and_three_players_at_a_small_table(up: int, most: int) -> None:
    table, shoe = small_table(up)
    out, counts = {shoe: 1.0}, [UpCardOuts(small_play(), up, spare) for spare in (0.0, 1e-5)]
    for players in range(1, most + 1):
        following: dict[Shoe, float] = defaultdict(float)
        for left, chance in out.items():
            for rest, more in outs_of(table, left).items():
                following[rest] += chance * more
        out = following
        for bounds in [of.all_out(players) for of in counts if players > 1 or not of.spare]:
            for bound, chance in zip(bounds, ends(table, out), strict=True):
                assert bound.low - 1e-12 <= chance <= bound.high + 1e-12
                assert chance > 0


@pytest.mark.parametrize("up", [4, 5, 6])
def test_only_a_blackjack_is_out_where_nobody_hits_a_stiff_hand(up: int) -> None:
    rules = Rules.parse("6D S17")
    [bust, made] = UpCardOuts(evaluate(basic_strategy(rules), rules), up).all_out(1)
    assert bust.low + made.low == pytest.approx(2 * 24 * 96 / (311 * 310), abs=1e-12)


def widths(bounds: tuple[Bounds, Bounds]) -> float:
    return sum(each.high - each.low for each in bounds)


def test_bounds_against_a_ten_with_six_decks() -> None:
    """One player is exact, the bounds are as close as the module says, and close in on the dealer who always plays."""
    rules = Rules.parse("6D H17")
    of = UpCardOuts(evaluate(basic_strategy(rules), rules), 10)
    assert widths(of.all_out(1)) == 0
    before = of.all_out(1)
    for players in (2, 3, 4, 7):
        now = of.all_out(players)
        assert widths(now) < 5e-4
        assert all(less.high < more.low for less, more in zip(now, before, strict=True))
        before = now


@pytest.mark.parametrize(
    ("rules", "push", "edges"),
    [
        ("6D S17", 0.21360447972830, (0.08979651828149, 0.08356579046870)),
        ("8D H17 NDAS SP3 LS", 0.22692311009127, (0.07887167182024, 0.07257748034114)),
    ],
)
def test_one_player_at_full_decks(rules: str, push: float, edges: tuple[float, float]) -> None:
    """Kept, and within what was once proved of `6D S17`: from 0.0897948 to 0.0898012, and 0.0835640 to 0.0835705."""
    read = Rules.parse(rules)
    table = BustTable(evaluate(basic_strategy(read), read))
    for name, edge in zip("12", edges, strict=True):
        figures = table.figures(BET_THE_BUST.paytables[name], 1)
        assert figures.push == pytest.approx(Bounds(push, push), abs=1e-13)
        assert figures.house_edge == pytest.approx(Bounds(edge, edge), abs=1e-13)
        assert figures.estimate == pytest.approx(edge, abs=1e-13)


@cache
def without_splits() -> BustTable:
    rules = Rules.parse("8D S17 SP1")
    return BustTable(solve(rules))


@cache
def figures_of(players: int) -> PushFigures:
    return without_splits().figures(BET_THE_BUST.paytables["2"], players)


def test_with_players_the_edge_is_between_one_player_and_none() -> None:
    """With many players the dealer nearly always plays, and the edge is that of the sheet."""
    one, two, seven = map(figures_of, (1, 2, 7))
    assert one.house_edge.high - one.house_edge.low < 1e-12
    assert one.house_edge.high < two.house_edge.low < two.estimate < two.house_edge.high < seven.house_edge.low
    assert one.push.low == pytest.approx(0.211489, abs=1e-6)
    assert seven.estimate == pytest.approx(0.100898, abs=2e-5)
    assert seven.house_edge.low < 0.100898 < seven.house_edge.high + 1e-4
    assert sum(line.probability for line in one.up_cards) == pytest.approx(1)
    for line in one.up_cards:
        assert line.win + line.loss + line.push.low == pytest.approx(1)


def test_figures_as_json() -> None:
    found = figures_of(2).as_json()
    assert found["players"] == 2
    assert found["house_edge"]["low"] <= found["house_edge"]["estimate"] <= found["house_edge"]["high"]
    assert len(found["up_cards"]) == 10


def test_what_cannot_be_counted_is_refused() -> None:
    with pytest.raises(NotationError, match="ENHC"):
        BustTable(solve(Rules.parse("6D ENHC")))
    with pytest.raises(NotationError, match="full decks"):
        BustTable(solve(Rules.parse("1D"), Composition.parse("Ax4 5x4 Tx16")))
    for players in (0, 8):
        with pytest.raises(NotationError, match=str(players)):
            without_splits().figures(BET_THE_BUST.paytables["2"], players)


def test_polynomials_and_chances_are_what_the_plain_way_has_to_the_last_bit() -> None:
    random = np.random.default_rng(1)
    one, other = random.random((7, 5)), random.random((7, 9))
    plain = np.zeros((7, 13))
    for power in range(5):
        plain[:, power : power + 9] += one[:, power, None] * other
    assert np.array_equal(products(one, other), plain)
    assert np.array_equal(products(np.ones((7, 1)), other), other)
    keys = random.integers(0, 4, (50, 10)) @ KEY_OF_VALUE
    cards = (keys[:, None] >> (6 * np.arange(10))) & 63
    assert np.array_equal(cards_of(keys), cards)
    left = np.array([24, 24, 24, 24, 24, 24, 24, 24, 24, 96])
    for chance, drawn in zip(in_order(left, cards), cards, strict=True):
        ways = Fraction(1)
        for value, many in enumerate(drawn.tolist()):
            ways *= Fraction(perm(int(left[value]), many))
        assert chance == pytest.approx(float(ways / perm(312, int(drawn.sum()))), rel=1e-14)
