"""Every decision, against rounds dealt card by card with exact fractions, and how the rules bear on the edge."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.blackjack.solver import insurance, may_run_out, solve
from croupier.analysis.blackjack.strategy import Action
from croupier.errors import NotationError
from croupier.games.blackjack.rules import Rules
from tests.analysis.blackjack.reference import Cards, RanOut, mean
from tests.analysis.blackjack.support import EIGHTS, NINES, SEVENS, SIXES, best_plan, solved

RULES = (
    "6D S17 DAS SP4",
    "6D H17 NDAS SP3 LS",
    "6D S17 D9 SP2 LS ENHC",
    "6D H17 D10 SP4 RSA ENHC",
    "6D S17 SP3 RSA HSA",
    "6D S17 SP1 6:5",
)
EXACT = 1e-14


def pairs_of(shoe: Cards) -> list[int]:
    return [value for value in range(1, 11) if shoe[value - 1] > 2]


# Small shoes, exactly


@pytest.mark.parametrize(("text", "shoe"), [*zip(RULES, (EIGHTS, NINES, SEVENS) * 2, strict=True), (RULES[0], SIXES)])
def test_every_first_hand_of_a_small_shoe(text: str, shoe: Cards) -> None:
    solution, reference = solved(text, shoe)
    values = [value for value in range(1, 11) if shoe[value - 1] > 1]
    for up in values:
        for low in values:
            for high in values:
                if low <= high and (low, high) != (1, 10) and [low, high, up].count(up) <= shoe[up - 1]:
                    found = solution.hand_values((low, high), up)
                    for act, worth in reference.values((low, high), up).items():
                        assert found[Action[act.upper()]] == pytest.approx(float(worth), abs=EXACT), (low, high, up)


@pytest.mark.parametrize(
    ("text", "shoe", "ups"),
    [
        ("6D S17 DAS SP4", EIGHTS, (8, 10)),
        ("6D S17 DAS SP4", NINES, (1, 10)),
        ("6D H17 NDAS SP3", NINES, (6, 9)),
        ("6D S17 DAS SP4 ENHC", NINES, (1,)),
        ("6D H17 D9 SP4", SIXES, (6, 10)),
        ("6D S17 SP4 RSA", SEVENS, (1, 7, 10)),
        ("6D H17 SP3 RSA HSA", SEVENS, (1, 7, 10)),
        ("6D S17 SP2 HSA NDAS ENHC", SEVENS, (1, 10)),
        ("6D H17 DAS SP4 P22", EIGHTS, (8, 10)),
        ("6D S17 SP3 P22 ENHC", NINES, (1, 6)),
    ],
)
def test_splits_of_a_small_shoe_dealt_out(text: str, shoe: Cards, ups: tuple[int, ...]) -> None:
    """Up to four hands from one shoe, each card drawn in turn."""
    solution, reference = solved(text, shoe)
    for up in ups:
        for pair in pairs_of(shoe):
            if pair != 10 and shoe[pair - 1] > 2 + (up == pair):
                law = reference.split(pair, up, reference.as_unsplit(up))
                found = solution.hand_values((pair, pair), up)[Action.SPLIT]
                assert found == pytest.approx(float(mean(law)), abs=EXACT), (pair, up)


@pytest.mark.parametrize(
    ("text", "shoe"),
    [("6D S17 NDAS ENHC LS SP3", NINES), ("6D H17 LS SP4 7:5", EIGHTS), ("6D H17 LS SP4 P22", SIXES)],
)
def test_the_edge_of_a_small_shoe_dealt_out(text: str, shoe: Cards) -> None:
    """All deals, all decisions, all draws; `test_moments` has more of these."""
    solution, reference = solved(text, shoe)
    assert solution.edge == pytest.approx(float(mean(reference.round(best_plan(reference)))), abs=EXACT)


@st.composite
def drawn_shoes(draw: st.DrawFn) -> Cards:
    return (*(draw(st.integers(0, 3)) for _ in range(9)), draw(st.integers(4, 12)))


@settings(max_examples=10, deadline=None)
@given(drawn_shoes(), st.sampled_from(RULES), st.data())
def test_hands_of_any_small_shoe(shoe: Cards, text: str, data: st.DataObject) -> None:
    assume(14 < sum(shoe) < 26)
    values = [value for value in range(1, 11) if shoe[value - 1]]
    cards = data.draw(st.lists(st.sampled_from(values), min_size=3, max_size=4).map(sorted))
    up, hand = cards.pop(data.draw(st.integers(0, len(cards) - 1))), tuple(cards)
    assume(sum(hand) <= 21 and hand != (1, 10))
    assume(all((*hand, up).count(value) <= shoe[value - 1] for value in (*hand, up)))
    solution, reference = solved(text, shoe)
    try:
        wanted = reference.values(hand, up)
    except RanOut:
        assume(False)
    found = solution.hand_values(hand, up)
    for act, worth in wanted.items():
        if act in ("stand", "hit") or len(hand) == 2:
            assert found[Action[act.upper()]] == pytest.approx(float(worth), abs=EXACT)


# What the rules are worth


@cache
def edge(text: str) -> float:
    return solve(Rules.parse(text)).edge


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("6D DAS", "6D NDAS"),
        ("6D LS", "6D NS"),
        ("6D SP4", "6D SP3"),
        ("6D SP3", "6D SP2"),
        ("6D SP2", "6D SP1"),
        ("6D RSA", "6D NRSA"),
        ("6D HSA", "6D NHSA"),
        ("6D DA", "6D D9"),
        ("6D D9", "6D D10"),
        ("6D PEEK", "6D ENHC"),
        ("6D NP22", "6D P22"),
        ("6D 3:2", "6D 6:5"),
        ("6D S17", "6D H17"),
        ("1D", "2D"),
        ("6D", "8D"),
        ("2D H17 ENHC LS", "2D H17 ENHC"),
        ("6D ES", "6D ES10 LS"),
        ("6D CH6", "6D CH7"),
        ("6D DAC", "6D"),
        ("1D H17 SAD", "1D H17"),
        ("6D ENHC ES10", "6D ENHC LS"),
    ],
)
def test_an_option_more_never_hurts_the_player(more: str, less: str) -> None:
    assert edge(more) > edge(less)


def test_where_original_bets_alone_are_lost_the_hole_card_is_worth_nothing() -> None:
    assert edge("6D ENHC OBO") == pytest.approx(edge("6D PEEK"), abs=1e-14)


def test_blackjack_odds_move_the_edge_by_the_blackjacks_that_win() -> None:
    tens, aces = 96, 24
    dealt = Fraction(2 * tens * aces, 312 * 311)
    tied = dealt * Fraction(2 * (tens - 1) * (aces - 1), 310 * 309)
    moved = (dealt - tied) * (Fraction(3, 2) - Fraction(6, 5))
    assert edge("6D") - edge("6D 6:5") == pytest.approx(float(moved), abs=1e-14)


def test_the_edge_is_the_mean_over_up_cards() -> None:
    solution = solve(Rules())
    shares = {up: cards / 312 for up, cards in zip("A23456789T", Composition.full(6).counts, strict=True)}
    assert sum(shares[up] * value for up, value in solution.edge_by_up_card.items()) == pytest.approx(solution.edge)
    assert max(solution.edge_by_up_card, key=lambda up: solution.edge_by_up_card[up]) == "6"


# Decisions


@pytest.mark.parametrize(
    ("cards", "up", "best"),
    [
        ("8 8", "T", Action.SPLIT),
        ("T 6", "T", Action.HIT),
        ("T 4 2", "T", Action.STAND),
        ("6 5", "6", Action.DOUBLE),
        ("T T", "6", Action.STAND),
        ("A 7", "9", Action.HIT),
        ("A,T", "A", Action.STAND),
    ],
)
def test_best_decisions_of_six_decks(cards: str, up: str, best: Action) -> None:
    assert solve(Rules()).best(cards, up) is best


def test_values_are_listed_from_best_to_worst() -> None:
    values = solve(Rules.parse("6D LS")).hand_values("T6", "T")
    assert list(values) == [Action.SURRENDER, Action.HIT, Action.STAND, Action.DOUBLE]
    assert values[Action.SURRENDER] == pytest.approx(-0.5)
    assert list(values.values()) == sorted(values.values(), reverse=True)


def test_only_what_is_allowed_is_valued() -> None:
    solution = solve(Rules.parse("6D D9 SP1"))
    assert set(solution.hand_values("8 8", "6")) == {Action.STAND, Action.HIT}
    assert set(solution.hand_values("5 4", "6")) == {Action.STAND, Action.HIT, Action.DOUBLE}
    assert set(solution.hand_values("5 4 2", "6")) == {Action.STAND, Action.HIT}
    assert solution.hand_values("A T", "6") == {Action.STAND: 1.5}


@pytest.mark.parametrize(
    ("cards", "up", "reason"),
    [
        ("8", "T", "needs two cards or more"),
        ("T T 2", "T", "needs two cards or more, up to 21"),
        ("8 X", "T", "'X' is no card value"),
        ("8 8", "Z", "'Z' is no card value"),
        ("5 5 5 5", "5", "The shoe holds 5 4 times"),
    ],
)
def test_what_is_no_hand_is_refused(cards: str, up: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        solve(Rules.parse("1D")).hand_values(cards, up)


@pytest.mark.parametrize("cards", [(0, 6), (11, 6), (-1, 6), (2.5, 6)])
def test_numbers_that_are_no_card_values_are_refused(cards: tuple[int, int]) -> None:
    for ask in (solve(Rules()).hand_values, solve(Rules()).best):
        with pytest.raises(NotationError, match="is no card value"):
            ask(cards, 10)
    with pytest.raises(NotationError, match="is no card value"):
        solve(Rules()).hand_values((10, 6), cards[0])
    with pytest.raises(NotationError, match="is no card value"):
        Composition.full(6).without(cards)
    with pytest.raises(NotationError, match="is no card value"):
        insurance(Composition.full(6), cards)


def test_against_a_certain_blackjack_there_is_nothing_to_decide() -> None:
    solution = solve(Rules(), Composition.parse("Ax4 8x2 Tx9"))
    with pytest.raises(NotationError, match="certain blackjack"):
        solution.hand_values("8 8 A A A", "A")


# Depleted shoes


def test_low_cards_gone_help_the_player_and_high_cards_gone_the_house() -> None:
    full = Composition.full(6)
    low, high = full.without("2 3 4 5 6" * 4), full.without("T T T T A" * 4)
    assert solve(Rules(), high).edge < edge("6D") < solve(Rules(), low).edge


def test_a_shoe_of_one_deck_is_the_game_of_one_deck() -> None:
    assert solve(Rules.parse("6D H17"), Composition.full(1)).edge == solve(Rules.parse("1D H17")).edge


def test_whether_a_shoe_can_run_out() -> None:
    assert not may_run_out(Rules(), Composition.full(1))
    assert may_run_out(Rules(), Composition.parse("Ax4 2x4 3x4"))
    assert not solve(Rules.parse("1D")).may_run_out


def test_a_shoe_too_small_for_a_deal_is_refused() -> None:
    with pytest.raises(NotationError, match="A round needs at least 4 cards, and the shoe holds 3"):
        solve(Rules(), Composition.parse("Tx3"))
    assert solve(Rules(), Composition.parse("Tx4")).edge == 0


def test_nothing_can_be_drawn_from_an_empty_shoe() -> None:
    assert set(solve(Rules(), Composition.parse("5x1 6x2 Tx1")).hand_values("5 6 6", "T")) == {Action.STAND}


# Insurance


def test_insurance_pays_when_a_third_of_the_rest_are_tens() -> None:
    full = Composition.full(6)
    assert insurance(full) == 3 * Fraction(96, 311) - 1
    assert insurance(full, "T T") == 3 * Fraction(94, 309) - 1
    assert insurance(full, "8 8") > insurance(full, "T T")
    assert insurance(Composition.full(1).without("2 3 4 5 6 7 8 9")) > 0
    with pytest.raises(NotationError, match="The shoe holds A 0 times"):
        insurance(Composition.parse("Tx16 9x4"))


def test_insurance_adds_to_the_edge_only_where_it_pays() -> None:
    assert solve(Rules()).insurance_gain == 0
    rich = Composition.full(1).without("2 3 4 5 6 7 8 9")
    assert solve(Rules(), rich).insurance_gain > 0
    assert solve(Rules.parse("6D NOINS"), rich).insurance_gain == 0
