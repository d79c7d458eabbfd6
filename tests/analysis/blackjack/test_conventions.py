"""Conventions after a split: each is the exact value of the play it describes, and knowing more is never worse."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from croupier.analysis.blackjack.conventions import Convention
from croupier.analysis.blackjack.pairs import Split, Worth
from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.blackjack.solver import solve
from croupier.analysis.blackjack.splits import Stage, shoes_for, stages
from croupier.analysis.kernels.split import count_orders
from croupier.errors import NotationError, UnknownName
from croupier.games.blackjack.rules import Rules
from tests.analysis.blackjack.reference import DOUBLE, HIT, STAND, Cards, Policy, Reference, Seen, mean
from tests.analysis.blackjack.support import NINES, SEVENS, SIXES

FROM_WORST = ("CDZ-", "BEST", "CDP", "CDPN")
HAIR = 1e-14


def test_stages_of_four_hands() -> None:
    """Second cards in turn: N closes a hand, P opens one more; with four hands any card closes."""
    assert set(stages(2)) == {Stage(0, 0, 2, last=True)}
    assert set(stages(3)) == {
        Stage(0, 0, 1, last=False),
        Stage(0, 1, 1, last=False),
        Stage(1, 0, 3, last=True),
        Stage(1, 1, 2, last=True),
    }
    assert {stage for stage in stages(4) if stage.last} == {
        Stage(2, 0, 4, last=True),
        Stage(2, 1, 6, last=True),
        Stage(2, 2, 4, last=True),
    }
    assert [shoes_for(most) for most in (1, 2, 3, 4)] == [0, 1, 3, 5]


@pytest.mark.parametrize("text", ["1D H17 DAS SP4", "1D S17 NDAS SP3 RSA HSA ENHC", "6D S17 DAS SP4"])
def test_knowing_more_is_never_worse(text: str) -> None:
    rules = Rules.parse(text)
    by_name = {name: solve(rules, convention=name) for name in (*FROM_WORST, "CDP1")}
    for less, more in (*pairwise(FROM_WORST), ("CDP1", "BEST")):
        assert by_name[less].edge <= by_name[more].edge + HAIR
        for pair, worth in by_name[less].splits.items():
            assert np.all(worth.value <= by_name[more].splits[pair].value + HAIR), (less, more, pair)
    assert by_name["CDZ-"].edge < by_name["CDP1"].edge < by_name["CDPN"].edge


def test_where_no_more_hands_can_be_opened_there_is_nothing_more_to_know() -> None:
    rules = Rules.parse("1D SP2")
    values = [solve(rules, convention=name).edge for name in ("CDP1", "BEST", "CDP", "CDPN")]
    assert values == pytest.approx([values[0]] * 4, abs=HAIR)


# Each convention, dealt out as it says


def policy_of(split: Split, worth: Worth, convention: Convention, up: int) -> Policy:
    """The play that the solver chose, as a function of the cards and of what has come before."""
    groups = split.groups(convention)
    acts = {0: STAND, 1: HIT, 2: DOUBLE}
    row_of = {tuple(cards): row for row, cards in enumerate(split.rows.cards.tolist())}
    orders = [count_orders(split.rows, part.group.second, part.yields.chosen) for part in worth.parts]

    def choose(hand: Cards, seen: Seen) -> str:
        row = row_of[tuple(hand.count(value) for value in range(1, 11))]
        here = [
            number
            for number, group in enumerate(groups)
            if any((stage.pairs, stage.others) == (seen.pairs, seen.others) for stage in group.stages)
            and orders[number][row, up - 1] > 0
        ]
        chosen = {int(worth.parts[number].yields.chosen[row, up - 1]) for number in here}
        if len(chosen) != 1:  # a hand that could be a pair again or not is told apart by BEST alone
            raise LookupError
        return acts[chosen.pop()]

    return choose


@pytest.mark.parametrize("name", [each.value for each in Convention])
@pytest.mark.parametrize(
    ("text", "shoe", "pairs", "ups"),
    [
        ("6D S17 DAS SP4", NINES, (6, 9), (10,)),
        ("6D H17 NDAS SP4 ENHC", SIXES, (6, 7), (1, 6)),
        ("6D H17 SP3 RSA HSA", SEVENS, (1,), (7, 10)),
    ],
)
def test_a_convention_is_worth_what_its_play_is_worth(
    name: str, text: str, shoe: Cards, pairs: tuple[int, ...], ups: tuple[int, ...]
) -> None:
    rules, convention = Rules.parse(text), Convention(name)
    solution, reference = solve(rules, Composition(shoe), convention), Reference(rules, shoe)
    for pair in pairs:
        split = Split(solution.table, pair)
        worth = solution.splits[pair]
        for up in ups:
            if shoe[pair - 1] > 2 + (up == pair) and shoe[up - 1] > (up == pair) * 2:
                law = reference.split(pair, up, policy_of(split, worth, convention, up))
                lost = float(solution.table.caught[solution.table.hands.place((pair, pair)), up - 1])
                lost = lost if rules.hole_card else 0.0
                given = (worth.value[up - 1] + lost) / (1 - lost)
                assert given == pytest.approx(float(mean(law)), abs=1e-14), (pair, up)


@pytest.mark.parametrize("name", ["BEST", "CDP", "CDPN"])
def test_no_single_change_of_play_is_better(name: str) -> None:
    """In each group, what was chosen with any one hand is the best with that hand."""
    solution = solve(Rules.parse("1D S17 DAS SP4"), convention=name)
    split = Split(solution.table, 3)
    groups, worth = split.groups(Convention(name)), solution.splits[3]
    choices = [part.yields.chosen for part in worth.parts]
    chance = np.random.default_rng(11)
    for row in chance.choice(np.flatnonzero(split.rows.size == 3), 12, replace=False):
        for number in range(len(groups)):
            other = [choice.copy() for choice in choices]
            other[number][row] = 1 - np.minimum(1, other[number][row])
            assert np.all(split.worth(groups, other).value <= worth.value + HAIR)


# Names


def test_conventions_are_named_in_either_case() -> None:
    assert Convention.parse("cdz-") is Convention.CDZ_MINUS
    assert solve(Rules(), convention="cdpn").convention is Convention.CDPN
    with pytest.raises(UnknownName, match="There is no convention 'CDX'"):
        solve(Rules(), convention="CDX")


def test_a_fixed_strategy_is_refused_where_there_is_none() -> None:
    with pytest.raises(NotationError, match=r"Under CDPN .* take CDZ-, CDP1 or BEST"):
        _ = solve(Rules(), convention="CDPN").strategy
