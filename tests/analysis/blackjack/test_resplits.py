"""A pair that comes again in the middle of a split, against the rest of the split dealt out with exact fractions."""

from __future__ import annotations

import pytest

from croupier.analysis.blackjack.solver import Resplit
from croupier.analysis.blackjack.splits import Stage, stages
from croupier.analysis.blackjack.strategy import Action
from tests.analysis.blackjack.reference import Cards, mean
from tests.analysis.blackjack.support import NINES, SEVENS, SIXES, solved


@pytest.mark.parametrize(
    ("text", "shoe", "pair", "up"),
    [
        ("6D S17 DAS SP4", NINES, 9, 10),
        ("6D S17 DAS SP4 ENHC", NINES, 9, 1),
        ("6D H17 SP4 RSA", SEVENS, 1, 10),
        ("6D H17 D9 SP3", SIXES, 6, 6),
    ],
)
def test_splitting_again_is_worth_what_it_does_to_all_hands_that_are_still_to_be_played(
    text: str, shoe: Cards, pair: int, up: int
) -> None:
    solution, reference = solved(text, shoe)
    policy, most = reference.as_unsplit(up), solution.rules.hands_from(pair)
    for hands, waiting in ((2, 0), (2, 1), *(((3, 0), (3, 2)) if most > 3 else ())):
        after = mean(reference.split(pair, up, policy, waiting=waiting + 2, most=most - hands + waiting + 1))
        before = mean(reference.split(pair, up, policy, waiting=waiting, most=most - hands + waiting)) if waiting else 0
        again = Resplit(solution, pair, up, hands, waiting)
        assert again.value == pytest.approx(float(after - before), abs=1e-13), (hands, waiting)
        assert again.without == pytest.approx(float(before), abs=1e-13), (hands, waiting)


def test_the_first_split_is_one_of_a_hand_that_nobody_waits_for() -> None:
    solution, _ = solved("6D S17 DAS SP4", NINES)
    assert Resplit(solution, 9, 10, 1, 0).value == pytest.approx(solution.hand_values("9 9", "T")[Action.SPLIT])


def test_stages_of_one_hand_that_waits() -> None:
    """It may be opened twice more: once it has, any card closes."""
    assert set(stages(3, waiting=1)) == {
        Stage(0, 0, 1, last=False),
        Stage(1, 0, 1, last=False),
        Stage(1, 1, 1, last=False),
        Stage(2, 0, 3, last=True),
        Stage(2, 1, 2, last=True),
    }
