"""Basic strategy: the chart everybody knows comes out, nothing in it can be bettered, and its edge is exact."""

from __future__ import annotations

from itertools import product

import pytest

from croupier.analysis.blackjack.basic import basic_strategy, evaluate
from croupier.analysis.blackjack.chart import COLUMNS, Cell, Chart, ChartError, Kind, Row, says
from croupier.analysis.blackjack.exceptions import LISTED_CARDS, exceptions
from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.blackjack.solver import solve
from croupier.analysis.blackjack.strategy import Evaluated, strategy_of
from croupier.analysis.blackjack.table import Table
from croupier.games.blackjack.rules import Rules
from tests.analysis.blackjack.reference import Cards, Reference, mean
from tests.analysis.blackjack.support import EIGHTS, SIXES, plan_of
from tests.games.blackjack.support import one

SIX_DECKS = """
          2  3  4  5  6  7  8  9  T  A
hard 5-8: H  H  H  H  H  H  H  H  H  H
hard 9:   H  D  D  D  D  H  H  H  H  H
hard 10:  D  D  D  D  D  D  D  D  H  H
hard 11:  D  D  D  D  D  D  D  D  D  H
hard 12:  H  H  S  S  S  H  H  H  H  H
hard 13-16: S S S  S  S  H  H  H  H  H
hard 17+: S  S  S  S  S  S  S  S  S  S
soft 13-14: H H H  D  D  H  H  H  H  H
soft 15-16: H H D  D  D  H  H  H  H  H
soft 17:  H  D  D  D  D  H  H  H  H  H
soft 18:  S  Ds Ds Ds Ds S  S  H  H  H
soft 19+: S  S  S  S  S  S  S  S  S  S
pair 2,2: P  P  P  P  P  P  H  H  H  H
pair 3,3: P  P  P  P  P  P  H  H  H  H
pair 4,4: H  H  H  P  P  H  H  H  H  H
pair 5,5: D  D  D  D  D  D  D  D  H  H
pair 6,6: P  P  P  P  P  H  H  H  H  H
pair 7,7: P  P  P  P  P  P  H  H  H  H
pair 8,8: P  P  P  P  P  P  P  P  P  P
pair 9,9: P  P  P  P  P  S  P  P  S  S
pair T,T: S  S  S  S  S  S  S  S  S  S
pair A,A: P  P  P  P  P  P  P  P  P  P
"""
"""The chart of six decks, dealer stands on soft 17, double after split, as it is printed everywhere."""


def test_the_chart_of_six_decks_is_the_one_on_every_card() -> None:
    assert basic_strategy(Rules.parse("6D S17 DAS")) == Chart.parse(SIX_DECKS)


@pytest.mark.parametrize(
    ("text", "kind", "key", "up", "cell"),
    [
        ("6D H17", Kind.HARD, 11, 1, Cell.DOUBLE),
        ("6D H17", Kind.SOFT, 18, 2, Cell.DOUBLE_OR_STAND),
        ("6D H17", Kind.SOFT, 19, 6, Cell.DOUBLE_OR_STAND),
        ("6D H17 LS", Kind.HARD, 15, 1, Cell.SURRENDER),
        ("6D H17 LS", Kind.HARD, 17, 1, Cell.SURRENDER_OR_STAND),
        ("6D H17 LS", Kind.PAIR, 8, 1, Cell.SURRENDER_OR_SPLIT),
        ("6D S17 LS", Kind.HARD, 16, 9, Cell.SURRENDER),
        ("6D S17 LS", Kind.HARD, 15, 10, Cell.SURRENDER),
        ("6D S17 LS", Kind.HARD, 15, 1, Cell.HIT),
        ("6D S17 NDAS", Kind.PAIR, 2, 2, Cell.HIT),
        ("6D S17 NDAS", Kind.PAIR, 4, 5, Cell.HIT),
        ("6D S17 NDAS", Kind.PAIR, 6, 2, Cell.HIT),
        ("6D S17 ENHC", Kind.HARD, 11, 10, Cell.HIT),
        ("6D S17 ENHC", Kind.PAIR, 8, 10, Cell.HIT),
        ("6D S17 ENHC", Kind.PAIR, 1, 1, Cell.HIT),
        ("1D S17", Kind.HARD, 8, 6, Cell.DOUBLE),
        ("1D S17", Kind.HARD, 11, 1, Cell.DOUBLE),
        ("1D S17 NDAS", Kind.PAIR, 7, 10, Cell.STAND),
        ("2D S17", Kind.HARD, 9, 2, Cell.DOUBLE),
        ("6D S17 D9", Kind.SOFT, 18, 4, Cell.STAND),
    ],
)
def test_known_cells_of_other_games(text: str, kind: Kind, key: int, up: int, cell: Cell) -> None:
    assert chart_of(text).cell(kind, key, up) is cell


_CHARTS: dict[str, Chart] = {}


def chart_of(text: str) -> Chart:
    """Each game's chart is made once for all tests."""
    if text not in _CHARTS:
        _CHARTS[text] = basic_strategy(Rules.parse(text))
    return _CHARTS[text]


@pytest.mark.parametrize("text", ["6D S17 DAS", "1D S17", "6D H17 LS"])
def test_totals_alone_cost_a_little(text: str) -> None:
    rules = Rules.parse(text)
    cost = solve(rules).edge - evaluate(chart_of(text), rules).edge
    assert 0 < cost < (0.0005 if rules.decks == 1 else 0.00005)


@pytest.mark.parametrize("text", ["6D S17 DAS", "6D H17 LS"])
def test_no_single_cell_can_be_bettered(text: str) -> None:
    table = Table(Rules.parse(text), Composition.full(6))
    chart = chart_of(text)
    best = edge_at(table, chart)
    close = [(Kind.HARD, 16, 10), (Kind.HARD, 12, 4), (Kind.SOFT, 18, 2), (Kind.SOFT, 13, 4), (Kind.HARD, 9, 2)]
    for kind, key, up in close:
        for cell in (Cell.HIT, Cell.STAND, Cell.DOUBLE, Cell.DOUBLE_OR_STAND):
            assert edge_at(table, chart.changed(kind, key, up, cell)) <= best + 1e-15
    for pair, up in ((4, 5), (9, 7), (2, 2), (8, 10)):
        for cell in (Cell.SPLIT, Cell.AS_TOTAL):
            assert edge_at(table, chart.changed(Kind.PAIR, pair, up, cell)) <= best + 1e-15


def edge_at(table: Table, chart: Chart) -> float:
    return Evaluated(table, strategy_of(chart, table)).edge


# Exactly, on small shoes


@pytest.mark.parametrize(("text", "shoe"), [("6D H17 LS", SIXES), ("6D S17 NDAS ENHC LS SP3", EIGHTS)])
def test_the_edge_of_a_chart_dealt_out(text: str, shoe: Cards) -> None:
    """The usual chart of the rules, played on a shoe for which it was not made."""
    rules = Rules.parse(text)
    chart = chart_of(text)
    law = Reference(rules, shoe).round(plan_of(chart, rules))
    assert evaluate(chart, rules, Composition(shoe)).edge == pytest.approx(float(mean(law)), abs=1e-14)


# Any chart


def mimic_the_dealer() -> Chart:
    """Hit to 17, never double, never split."""
    return Chart(
        {
            Row(kind, key): (Cell.AS_TOTAL if kind is Kind.PAIR else Cell.STAND if key >= 17 else Cell.HIT,)
            * len(COLUMNS)
            for kind in Kind
            for key in kind.keys
        }
    )


def test_playing_like_the_dealer_is_expensive() -> None:
    assert evaluate(mimic_the_dealer(), Rules()).edge == pytest.approx(-0.0565, abs=0.001)


def test_insurance_is_part_of_a_chart() -> None:
    plain, insures = mimic_the_dealer(), Chart(mimic_the_dealer().cells, insurance=True)
    assert evaluate(insures, Rules()).edge < evaluate(plain, Rules()).edge
    assert evaluate(insures, Rules.parse("6D NOINS")).edge == evaluate(plain, Rules()).edge
    insured = evaluate(insures, Rules()).insurance
    assert insured == pytest.approx(24 / 312 * (3 * 96 / 311 - 1) / 2)


def test_letters_fall_back_where_something_is_not_offered() -> None:
    chart = (
        Chart.parse(SIX_DECKS)
        .changed(Kind.HARD, 16, 10, Cell.SURRENDER)
        .changed(Kind.PAIR, 8, 10, Cell.SURRENDER_OR_SPLIT)
    )
    assert evaluate(chart, Rules()).edge == evaluate(Chart.parse(SIX_DECKS), Rules()).edge
    assert evaluate(chart, Rules.parse("6D LS")).edge > evaluate(chart, Rules()).edge


def test_a_pair_that_cannot_be_split_is_played_by_its_total() -> None:
    chart = Chart.parse(SIX_DECKS)
    for pair, up in product(range(1, 11), range(1, 11)):
        if chart.cell(Kind.PAIR, pair, up) is Cell.SPLIT:
            chart = chart.changed(Kind.PAIR, pair, up, Cell.AS_TOTAL)
    rules = Rules.parse("6D SP1")
    assert evaluate(chart, rules).edge == evaluate(Chart.parse(SIX_DECKS), rules).edge


@pytest.mark.parametrize("words", ["6D ES10 LS", "6D CH6", "6D DAC", "6D SAD"])
def test_a_chart_comes_near_the_best_play_under_rules_of_plain_blackjack(words: str) -> None:
    """No row is spoiled by hands that decide nothing, and what may be doubled later is weighed."""
    rules = Rules.parse(words)
    assert 0 <= solve(rules).edge - evaluate(basic_strategy(rules), rules).edge < 0.0005


def test_rows_of_doubled_hands_are_read_and_followed() -> None:
    said = f"{SIX_DECKS}\nrescue 16: S S S S S S Rs Rs Rs Rs\nrescue 17: S S S S S S S S S Rs\n"
    chart = Chart.parse(said)
    assert Chart.parse(str(chart)) == chart
    assert [chart.rescues(total, 8) for total in (12, 16, 17, 20)] == [True, True, False, False]
    assert not Chart.parse(SIX_DECKS).rescues(12, 8)
    with pytest.raises(ChartError, match="'H' is no cell of a rescue row; there are Rs, S"):
        Chart.parse(said.replace("rescue 17: S S", "rescue 17: H S"))
    for doubled, words in (("2d", ["surrender", "stand"]), ("6d", ["stand"])):
        assert says(chart, one("5s 6h", "8c", f"double 1; deal {doubled}", "6D SAD")) == words


def test_exceptions_of_all_lengths_are_all_that_the_best_play_gains() -> None:
    """Without splits: two, three and more cards that the chart draws to, each by what the better decision gains."""
    rules = Rules.parse("1D S17 SP1")
    chart, solution = basic_strategy(rules), solve(rules)
    worth = [sum(each.worth for each in exceptions(chart, solution, most_cards=most)) for most in (2, LISTED_CARDS, 21)]
    assert 0 < worth[0] < worth[1] < worth[2]
    assert worth[2] == pytest.approx(solution.edge - evaluate(chart, rules).edge, abs=1e-12)
    three = {each.name for each in exceptions(chart, solution)}
    assert {"457 v T", "A5T v T"} <= three, "a sixteen that holds a five or a four stands against a ten"
