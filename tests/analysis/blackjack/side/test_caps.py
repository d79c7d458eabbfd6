"""House Money with its proceeds on the Bet: against every round of a small shoe, and against what is published."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from croupier.analysis.blackjack.basic import basic_strategy, evaluate
from croupier.analysis.blackjack.hands import hands
from croupier.analysis.blackjack.side.caps import Capped, caps_of, unit_more
from croupier.analysis.blackjack.side.census import CapSheet, make_side_sheet
from croupier.analysis.blackjack.side.deals import FIRST, SECOND, TYPES, VALUE_OF_TYPE, judged, up_cards
from croupier.analysis.blackjack.solver import Solution, solve
from croupier.games.blackjack.game import blackjack
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.side_wagers import HOUSE_MONEY

PRICES = HOUSE_MONEY.prices(HOUSE_MONEY.paytables["9-4-3-1"])


@cache
def solved(words: str) -> Solution:
    return solve(Rules.parse(words))


@pytest.mark.parametrize(
    ("words", "edge"),
    [("6D S17 DAS SP4 3:2", 2.6365), ("6D S17 DAS SP4 RSA 3:2", 2.3610), ("6D H17 DAS SP4 3:2", 2.7858)],
)
def test_as_published(words: str, edge: float) -> None:
    """2.6 % is published for six decks and good rules, which are not named: the first of these come to it."""
    capped = Capped(HOUSE_MONEY, PRICES, solved(words))
    assert 100 * capped.house_edge == pytest.approx(edge, abs=5e-5)
    assert sum(capped.law.values()) == pytest.approx(1, abs=1e-12)


def test_the_mean_of_the_law_is_the_sum_over_all_deals() -> None:
    """Each deal once: what is won, and the proceeds times what the hand is worth where they are put on the Bet."""
    play = solved("6D H17 DAS SP4 3:2")
    weight = up_cards(np.full(TYPES, 6, dtype=np.int64)).astype(float)
    won = np.array([float(PRICES[outcome].net) for outcome in HOUSE_MONEY.outcomes])[judged(HOUSE_MONEY)[:, 0]]
    values = range(1, 11)
    place = np.array([[hands().place((one, other)) for other in values] for one in values])
    places = place[VALUE_OF_TYPE[FIRST], VALUE_OF_TYPE[SECOND]]
    more = np.maximum(0, unit_more(play)) * (1 - play.table.caught)
    gained = np.where(won > 0, won + 1, 0)[:, None] * more[places][:, VALUE_OF_TYPE]
    mean = (weight * (won[:, None] + gained)).sum() / weight.sum()
    assert Capped(HOUSE_MONEY, PRICES, play).expected == pytest.approx(mean, abs=1e-12)


def test_a_blackjack_is_always_put_on_the_bet_and_sixteen_never() -> None:
    chart = Capped(HOUSE_MONEY, PRICES, solved("6D S17 DAS SP4 RSA 3:2")).chart
    assert set(chart["A,T"].split()) == set(chart["T,T"].split()) == {"C"}
    assert set(chart["7,8"].split()) == {"-"}
    assert chart["8,8"] == "C C C C C C - - - -"
    assert unit_more(solved("6D S17 DAS SP4 RSA 3:2"))[hands().place((1, 10))] == pytest.approx(np.full(10, 1.5))


def test_whoever_never_plays_well_puts_less_there() -> None:
    rules = Rules.parse("6D S17 DAS SP4 3:2")
    best, basic = (Capped(HOUSE_MONEY, PRICES, play) for play in (solve(rules), evaluate(basic_strategy(rules), rules)))
    assert best.house_edge <= basic.house_edge < best.house_edge + 1e-3
    assert caps_of(best.play).shape == (1378, 10)


def test_the_sheet_tells_of_both() -> None:
    rules = Rules.parse("6D S17 DAS SP4 RSA 3:2")
    sheet = make_side_sheet(blackjack(rules), HOUSE_MONEY, "9-4-3-1", HOUSE_MONEY.paytables["9-4-3-1"], 6, rules=rules)
    assert isinstance(sheet, CapSheet)
    lines = {line.line: line.combinations for line in sheet.figures.lines}
    assert lines == {"Suited A-K": 144, "Straight Flush": 1728, "Pair": 3588, "Straight": 5616, "Nothing": 37_440}
    assert sheet.figures.house_edge == Fraction(37_440 - 144 * 9 - 1728 * 4 - 3588 * 3 - 5616, 48_516)
    told = sheet.as_json()["with_proceeds_on_the_bet"]
    assert told["house_edge"]["percent"] == pytest.approx(2.3610, abs=5e-5)
    assert len(told["chart"]) == 20
