"""A side wager beside the base game: against what is known of the base game, and every round of a small shoe."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import comb, sqrt

import numpy as np
import pytest

from croupier.analysis.blackjack.basic import basic_strategy, evaluate
from croupier.analysis.blackjack.chart import Cell, Kind
from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.blackjack.side.bust_players import BustTable
from croupier.analysis.blackjack.side.census import SideSheet, make_side_sheet
from croupier.analysis.blackjack.side.correlation import (
    Together,
    _split_again,
    _split_product,
    _third_seven,
    _unsplit_product,
    bet_together,
    bust_together,
)
from croupier.analysis.blackjack.solver import Solution, may_run_out, solve
from croupier.analysis.blackjack.strategy import Action, Evaluated
from croupier.cards.card import Card, Hand, Rank
from croupier.errors import NotationError
from croupier.games.blackjack.game import blackjack
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.side_wagers import (
    BET_THE_BUST,
    BLAZING_DEALER,
    BLAZING_PLAYER,
    INSURANCE,
    KINGS_BOUNTY,
    ROYAL_MATCH,
    TRILUX,
)
from croupier.games.paytable import Paytable
from croupier.games.wager import Fact, OnDeal, Outcome, Spot, Wager
from tests.analysis.small_table import Hands, Shoe, SmallTable

RULES = Rules.parse("6D S17")
YES, NO = Outcome("Yes"), Outcome("No")
VARIANCE = 1.33


@cache
def solution() -> Solution:
    return solve(RULES)


def yes_or_no(fact: Fact, judge: object) -> SideSheet:
    """A wager of our own that pays 1 to 1."""
    table = Paytable.parse("own", "Yes 1 to 1")
    wager = Wager("own", "Own", OnDeal(fact, judge), (YES, NO), {"1": table}, (Spot("own", "Own"),))  # type: ignore[arg-type]
    return make_side_sheet(blackjack(RULES), wager, "1", table, RULES.decks)


def product(together: Together) -> float:
    """E[side x base]."""
    return together.covariance + together.side_mean * together.base_mean


# Against the base game by itself


def test_a_wager_on_the_up_card() -> None:
    """Where the side wager is the up card, the product is the base game's edge by up card."""

    def is_six(_: Hand, up: Card) -> Outcome:
        return YES if up.rank is Rank.SIX else NO

    both = bet_together(yes_or_no(Fact.UP_CARD, is_six), solution(), VARIANCE)
    game = solution()
    expected = 2 * game.edge_by_up_card["6"] / 13 - game.edge
    assert product(both) == pytest.approx(expected, abs=1e-12)
    assert both.base_mean == pytest.approx(game.edge, abs=1e-15)
    assert both.correlation > 0


def test_a_wager_on_the_seats_two_cards() -> None:
    """What does not look at the up card is what one that passes it over is."""

    def is_pair(two: Hand, _: object) -> Outcome:
        return YES if two[0].rank is two[1].rank else NO

    sheets = [yes_or_no(fact, is_pair) for fact in (Fact.NOTHING, Fact.UP_CARD)]
    alone, beside = (bet_together(sheet, solution(), VARIANCE) for sheet in sheets)
    assert (alone.covariance, alone.side_mean) == pytest.approx((beside.covariance, beside.side_mean), abs=1e-14)


def test_a_crown_treasure_comes_where_the_base_game_pushes() -> None:
    """20 against 20: of Royal Match with and without that line, E[side x base] is the same."""
    sheets = {
        name: make_side_sheet(blackjack(RULES), ROYAL_MATCH, name, ROYAL_MATCH.paytables[name], RULES.decks)
        for name in ("25", "1000")
    }
    with_it, without = (bet_together(sheets[name], solution(), VARIANCE) for name in ("1000", "25"))
    assert product(with_it) == pytest.approx(product(without), abs=1e-15)
    both = Fraction(144 * 133, comb(312, 2) * comb(310, 2))
    assert with_it.side_mean - without.side_mean == pytest.approx(float(975 * both), abs=1e-15)


def test_a_wager_that_always_ends_alike_moves_with_nothing() -> None:
    always = yes_or_no(Fact.UP_CARD, lambda *_: YES)
    assert bet_together(always, solution(), VARIANCE).covariance == pytest.approx(0, abs=1e-14)


def test_a_wager_on_the_dealers_blackjack() -> None:
    """The base game loses one unit to it, and none with a blackjack of its own."""

    def is_blackjack(_: Hand, dealer_blackjack: bool) -> Outcome:
        return YES if dealer_blackjack else NO

    both = bet_together(yes_or_no(Fact.DEALER_BLACKJACK, is_blackjack), solution(), VARIANCE)
    blackjack_chance = 2 * 24 * 96 / (312 * 311)
    tied = blackjack_chance * 2 * 23 * 95 / (310 * 309)
    lost = blackjack_chance - tied
    assert product(both) == pytest.approx(-2 * lost - solution().edge, abs=1e-12)


def test_kings_bounty_moves_with_the_base_game_and_sevens_against_it() -> None:
    """Twenty wins; two sevens are fourteen."""
    game = blackjack(RULES)
    bounty = bet_together(
        make_side_sheet(game, KINGS_BOUNTY, "KB01", KINGS_BOUNTY.paytables["KB01"], 6), solution(), VARIANCE
    )
    sevens = bet_together(
        make_side_sheet(game, BLAZING_DEALER, "1", BLAZING_DEALER.paytables["1"], 6), solution(), VARIANCE
    )
    assert 0.07 < bounty.correlation < 0.08
    assert -0.01 < sevens.correlation < -0.005


def test_the_standard_deviation_of_both() -> None:
    together = Together(-0.3, 9.0, -0.005, 1.44, 0.36)
    assert together.correlation == pytest.approx(0.1)
    assert together.standard_deviation() == pytest.approx(sqrt(9 + 1.44 + 0.72))
    assert together.standard_deviation(0.5) == pytest.approx(sqrt(2.25 + 1.44 + 0.36))
    assert together.standard_deviation(0) == pytest.approx(1.2)
    assert together.mean(0.5) == pytest.approx(-0.155)


def test_trilux_at_a_higher_meter_moves_by_the_same_deals() -> None:
    """A covariance is linear in what the lines pay, so in the meter too."""
    sheets = [
        make_side_sheet(blackjack(RULES), TRILUX, "6", TRILUX.paytables["6"], 6, meters={"": meter})
        for meter in (0, 1000, 3000)
    ]
    zero, one, three = (bet_together(sheet, solution(), VARIANCE).covariance for sheet in sheets)
    assert three - zero == pytest.approx(3 * (one - zero), abs=1e-12)


# The third card


def test_the_third_card_that_matters_is_known_to_the_sheet() -> None:
    """A single deck stands with two sevens against a ten; a sheet that takes them to draw is refused."""
    rules = Rules.parse("1D")
    draws, stands = (
        make_side_sheet(
            *(blackjack(rules), BLAZING_PLAYER, "1", BLAZING_PLAYER.paytables["1"], 1),
            meters={"": 2000},
            stands_against=against,
        )
        for against in ((), (10,))
    )
    with pytest.raises(NotationError, match="stands_against"):
        bet_together(draws, solve(rules), VARIANCE)
    assert abs(bet_together(stands, solve(rules), VARIANCE).correlation) < 0.05


SEVENS = Composition.parse("5x3 7x6 8x2 9x3 Tx6")
SMALL = Rules.parse("1D H17 DAS SP4")


@cache
def small_play(chart_rules: str = "6D H17") -> Evaluated:
    rules = Rules.parse(chart_rules)
    play = evaluate(basic_strategy(rules), SMALL, SEVENS)
    assert not may_run_out(SMALL, SEVENS)
    return play


def result(hands: Hands, dealer: tuple[float, ...]) -> float:
    """The base game's result where the dealer has no blackjack, times the chance of that."""
    worth = 0.0
    for place, chance in enumerate(dealer[:6]):
        against = 17 + place if place < 5 else 0
        for total, units in hands:
            won = -1 if not total else 1 if total > against else -1 if total < against else 0
            worth += chance * units * won
    return worth


@pytest.mark.parametrize("up", [5, 7])
def test_a_split_whose_first_card_is_a_seven_again(up: int) -> None:
    left = list(SEVENS.counts)
    left[up - 1] -= 1
    left[6] -= 2
    table = SmallTable(small_play(), up, hits_soft_17=True, most_hands=4)
    found: dict[tuple[Shoe, Hands], float] = defaultdict(float)
    table.split(7, 1.0, tuple(left), found, first_card=7)
    chance, worth = _split_again(small_play())
    assert small_play().strategy.first[small_play().table.hands.place((7, 7)), up - 1] == Action.SPLIT
    assert chance[up - 1] == pytest.approx(sum(found.values()), abs=1e-12)
    expected = sum(p * result(hands, table.dealer(shoe)) for (shoe, hands), p in found.items())
    assert worth[up - 1] == pytest.approx(expected, abs=1e-12)


def test_a_hit_that_makes_three_sevens() -> None:
    """Twenty-one, which stands."""
    happens, worth = _third_seven(small_play())
    up = 10
    left = list(SEVENS.counts)
    left[up - 1] -= 1
    left[6] -= 3
    table = SmallTable(small_play(), up, hits_soft_17=True, most_hands=4)
    dealer = table.dealer(tuple(left))
    assert happens[up - 1] == pytest.approx(sum(dealer[:6]), abs=1e-12)
    assert worth[up - 1] == pytest.approx(result(((21, 1),), dealer), abs=1e-12)


def always_splits(words: str, shoe: Composition) -> Evaluated:
    """Two sevens are split against everything, so that blackjacks and splits come together."""
    rules = Rules.parse(words)
    chart = basic_strategy(Rules.parse("6D H17"))
    for up in range(1, 11):
        chart = chart.changed(Kind.PAIR, 7, up, Cell.SPLIT)
    assert not may_run_out(rules, shoe)
    return evaluate(chart, rules, shoe)


@pytest.mark.parametrize("up", [1, 7, 10])
@pytest.mark.parametrize("words", ["1D H17 SP2", "1D H17 SP3", "1D H17 SP2 ENHC", "1D H17 SP3 ENHC"])
def test_a_third_seven_to_split_sevens(words: str, up: int) -> None:
    """With SP2 the first hand keeps it; without a hole card a blackjack is found later, and takes everything."""
    shoe = Composition.parse("Ax3 7x6 8x2 9x6 Tx9")
    play = always_splits(words, shoe)
    left = list(shoe.without([up, 7, 7]).counts)
    table = SmallTable(play, up, hits_soft_17=True, most_hands=play.table.rules.split_hands)
    found: dict[tuple[Shoe, Hands], float] = defaultdict(float)
    table.split(7, 1.0, tuple(left), found, first_card=7)
    happened = expected = 0.0
    for (rest, held), chance in found.items():
        dealer = table.dealer(rest)
        lost = 0.0 if play.table.rules.hole_card else dealer[6]
        happened += chance * (sum(dealer[:6]) + lost)
        expected += chance * (result(held, dealer) - lost * sum(units for _, units in held))
    seven = sum(found.values())
    happens, worth = _third_seven(play)
    assert happens[up - 1] * seven == pytest.approx(happened, abs=1e-12)
    assert worth[up - 1] * seven == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("words", ["6D SP1", "6D SP2", "6D ENHC", "8D H17 LS SP1 ENHC"])
def test_the_third_card_beside_the_base_game_under_any_rules(words: str) -> None:
    """The sheet and the play must agree on who gets a third card, or this is refused."""
    rules = Rules.parse(words)
    sheet = make_side_sheet(
        *(blackjack(rules), BLAZING_PLAYER, "1", BLAZING_PLAYER.paytables["1"], rules.decks), rules=rules
    )
    both = bet_together(sheet, evaluate(basic_strategy(rules), rules), VARIANCE)
    assert both.side_mean == pytest.approx(float(sheet.figures.expected), abs=1e-12)
    assert abs(both.correlation) < 0.05


# Bet the Bust


def test_bet_the_bust_at_a_small_table() -> None:
    """Every round of one player: the wager pushes where the player is out."""
    odds = np.array([3.5, 1.5, 1.5, 1, 1, 1, 2.5, 3, 3, 3])
    play = small_play()
    size = SEVENS.size
    total = 0.0
    for up, number in enumerate(SEVENS.counts, start=1):
        if not number:
            continue
        left = list(SEVENS.counts)
        left[up - 1] -= 1
        table = SmallTable(play, up, hits_soft_17=True, most_hands=4)
        for (shoe, hands), chance in table.rounds(tuple(left)).items():
            if any(total for total, _ in hands):
                dealer = table.dealer(shoe)
                bust = result(hands, (0.0,) * 5 + (dealer[5], 0.0))
                made = result(hands, (*dealer[:5], 0.0, 0.0))
                total += number / size * chance * (float(odds[up - 1]) * bust - made)
    assert _unsplit_product(play, odds) + _split_product(_any_shoe(play), odds) == pytest.approx(total, abs=1e-6)


def _any_shoe(play: Evaluated) -> BustTable:
    """A table whose shoe is not full, which figures of the wager are not given for."""
    table = object.__new__(BustTable)
    object.__setattr__(table, "play", play)
    return table


def test_bet_the_bust_moves_with_the_base_game() -> None:
    table = BustTable(solve(replace(RULES, split_hands=1)))
    both = bust_together(table, BET_THE_BUST.paytables["2"], VARIANCE)
    assert 0.4 < both.correlation < 0.5
    figures = table.figures(BET_THE_BUST.paytables["2"], 1)
    made = 1 - 2 * 24 * 96 / (312 * 311)
    assert both.side_mean == pytest.approx(-made * figures.estimate, abs=1e-12)


# What is refused


def test_wagers_made_after_the_deal_are_refused() -> None:
    for wager, paytable in ((INSURANCE, "1"), (BET_THE_BUST, "2")):
        sheet = make_side_sheet(blackjack(RULES), wager, paytable, wager.paytables[paytable], 6)
        with pytest.raises(NotationError, match="once cards are out"):
            bet_together(sheet, solution(), VARIANCE)


def test_sheet_and_game_must_be_of_the_same_decks() -> None:
    sheet = make_side_sheet(blackjack(RULES), TRILUX, "6", TRILUX.paytables["6"], 8, meters={"": Fraction(0)})
    with pytest.raises(NotationError, match="8 full decks"):
        bet_together(sheet, solution(), VARIANCE)
