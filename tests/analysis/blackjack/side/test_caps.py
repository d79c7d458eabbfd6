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
from croupier.analysis.blackjack.strategy import Action
from croupier.cards.card import DECK, Suit
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


@pytest.mark.parametrize(
    ("words", "diamonds"),
    [
        ("6D H17 DAS SP4 3:2", 1.5),
        ("6D S17 SP2 ES 3:2", 1.5),
        ("2D S17 SP2 ES10 LS 6:5", 1.2),
        ("1D H17 SP2 LS CH6 DAC SAD SAT NDCC B21 BJW DBJ 1:1", 2.0),
    ],
)
def test_the_mean_of_the_law_is_the_sum_over_all_deals(words: str, diamonds: float) -> None:
    """Each deal once: what is won, and the proceeds times what the hand is worth where they are put on the Bet."""
    play = solved(words)
    weight = up_cards(np.full(TYPES, play.table.rules.decks, dtype=np.int64)).astype(float)
    won = np.array([float(PRICES[outcome].net) for outcome in HOUSE_MONEY.outcomes])[judged(HOUSE_MONEY)[:, 0]]
    values = range(1, 11)
    place = np.array([[hands().place((one, other)) for other in values] for one in values])
    places = place[VALUE_OF_TYPE[FIRST], VALUE_OF_TYPE[SECOND]]
    more = np.maximum(0, unit_more(play)) * (1 - play.table.caught)
    by_cards = more[places]
    natural, suits = places == hands().place((1, 10)), np.array([card.suit is Suit.DIAMONDS for card in DECK])
    # A blackjack is paid its odds once the dealer has none, and in diamonds perhaps others.
    odds = np.where(suits[FIRST] & suits[SECOND], diamonds, float(play.table.rules.blackjack_odds))
    caught = play.table.caught[hands().place((1, 10))]
    by_cards[natural] = odds[natural][:, None] * (1 - caught)
    gained = np.where(won > 0, won + 1, 0)[:, None] * by_cards[:, VALUE_OF_TYPE]
    mean = (weight * (won[:, None] + gained)).sum() / weight.sum()
    capped = Capped(HOUSE_MONEY, PRICES, play)
    assert capped.expected == pytest.approx(mean, abs=1e-12)
    assert sum(capped.law.values()) == pytest.approx(1, abs=1e-12)
    assert all(chance >= 0 for chance in capped.law.values())


def test_a_blackjack_that_always_wins_is_not_paid_on_the_proceeds_against_the_dealers() -> None:
    """Against a dealer's blackjack nothing was put on it: a unit more wins its odds, no more and no less."""
    play = solved("1D H17 SP2 LS CH6 DAC SAD SAT NDCC B21 BJW DBJ 1:1")
    assert unit_more(play)[hands().place((1, 10))] == pytest.approx(np.full(10, 15 / 16 + 2 / 16))


def test_nobody_gives_up_early_what_would_take_the_proceeds() -> None:
    play = solved("6D S17 SP2 ES 3:2")
    early = play.strategy.first == Action.SURRENDER
    assert early[:, [0, 9]].any()
    assert not (early & (unit_more(play) > 0)).any()


def test_an_ace_and_a_king_of_one_suit_are_in_diamonds_one_time_in_four() -> None:
    capped = Capped(HOUSE_MONEY, PRICES, solved("1D H17 SP2 LS CH6 DAC SAD SAT NDCC B21 BJW DBJ 1:1"))
    suited, straight = (next(o for o in HOUSE_MONEY.outcomes if o.label == name) for name in ("Suited A-K", "Straight"))
    others, diamonds = capped.naturals[suited]
    assert diamonds == pytest.approx(others / 3, abs=1e-15)
    assert capped.naturals[straight][1] == 0 < capped.naturals[straight][0]


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
