"""A plan's settings: usual values, text that reads back as the same, and one sentence for what is wrong."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.analysis.blackjack.side.census import stands_with_sevens
from croupier.analysis.blackjack.side.deals import count_deals
from croupier.analysis.meter import formulas
from croupier.analysis.meter.plan import Division, MeterPlan, no_third_card_against
from croupier.analysis.meter.settings import merged, plan_as_toml, plan_from, read_settings
from croupier.errors import CroupierError, NotationError
from croupier.games.blackjack.rules import DECKS, Rules
from croupier.games.meter import UNIT, Style, divided
from tests.analysis.meter.plans import often, plan


def read_back(made: MeterPlan) -> MeterPlan:
    return plan_from(read_settings(plan_as_toml(made), "plan.toml"))


# Usual values


def test_what_is_left_open_is_as_the_maker_configures_it() -> None:
    made = plan(paytable="ML03", decks=8)
    assert made.contribution_ppm == 240_000
    assert dict(made.seeds_cents) == {"Mega": 1_000_000, "Major": 500_000, "Minor": 250_000}
    assert (made.style, made.division, made.reserve_ppm) == (Style.SHARES_ONLY, Division.PROPORTIONAL, 0)


def test_trilux_is_proposed_as_blazing_sevens_divides_a_wager() -> None:
    model, made = plan(paytable="1"), plan(wager="trilux")
    assert made.contribution_ppm == 140_000
    assert dict(made.seeds_cents) == {"": 500_000}
    left = [1 - each.progressive.fixed_return for each in (model, made)]
    parts = [
        (each.funding.contribution / rest, each.levels[0].hit * each.funding.seeds[""] / rest)
        for each, rest in zip((model, made), left, strict=True)
    ]
    assert all(ours <= theirs for theirs, ours in zip(*parts, strict=True))
    assert parts[0][0] - parts[1][0] < Fraction(1, 100) / left[1]


def test_what_is_said_of_trilux_counts_before_the_proposal() -> None:
    made = plan(wager="trilux", contribution_percent=20)
    assert (made.contribution_ppm, dict(made.seeds_cents)) == (200_000, {"": 500_000})
    assert plan(wager="trilux", contribution_percent=20, seeds_dollars=1000).seeds_cents[""] == 100_000


def test_one_seed_may_differ_from_the_usual_ones() -> None:
    made = plan(paytable="ML04", wager_dollars=2, seeds_dollars={"minor": "1,500.50"})
    assert dict(made.seeds_cents) == {"Major": 400_000, "Minor": 150_050}


# Meters


def test_every_meter_grows_by_the_same_multiple_of_its_seed() -> None:
    made = plan(paytable="ML03")
    grown = [formulas.mean_at_hit_cents(level) / level.seed_cents for level in made.levels]
    assert max(grown) - min(grown) < Fraction(1, 10_000)


def test_contribution_divided_in_given_or_equal_parts() -> None:
    parts = {"Mega": Decimal("50.5"), "Major": 29, "Minor": Decimal("20.5")}
    made = plan(paytable="ML03", division=parts)
    assert made.shares == (Fraction(101, 200), Fraction(29, 100), Fraction(41, 200))
    assert plan(paytable="ML03", division="equal").shares == (Fraction(1, 3),) * 3
    assert plan(paytable="ML04", seeds_dollars={"Major": 0, "Minor": 0}).shares == (Fraction(1, 2),) * 2


@given(st.integers(0, 10**12), st.lists(st.integers(0, 100), min_size=1, max_size=4).filter(sum))
def test_nothing_is_lost_in_a_division(total: int, weights: list[int]) -> None:
    parts = divided(total, [Fraction(weight, sum(weights)) for weight in weights])
    assert sum(parts) == total
    assert min(parts) >= 0


def test_a_wager_adds_whole_millionths_of_a_cent() -> None:
    made = plan(paytable="ML03", contribution_percent=Decimal("23.4567"), wager_dollars=Decimal("7.77"))
    assert sum(level.contribution_units for level in made.levels) == Fraction("0.234567") * 777 * UNIT


# Text


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"paytable": "ML03", "decks": 8, "division": {"Mega": 50, "Major": 25, "Minor": 25}},
        {"paytable": "ML04", "division": "equal", "hours_per_day": Decimal("16.25"), "accounting": "a"},
        {"contribution_percent": Decimal("0.0001"), "reserve_percent": Decimal("99.9999"), "wager_dollars": "0.01"},
        {"wager": "blazing-7s-player", "rules": "8D h17 ls 6:5"},
        {"wager": "blazing-7s-player", "decks": 3},
        {"seeds_dollars": Decimal("12345.67"), "tables": 15, "seats": 7, "period_days": 30, "within_rounds": 7},
    ],
)
def test_a_written_plan_reads_back_as_the_same(settings: dict[str, Any]) -> None:
    made = plan(**settings)
    assert read_back(made) == made
    assert plan_as_toml(read_back(made)) == plan_as_toml(made)


def test_options_count_over_the_file() -> None:
    file = read_settings('decks = 8\nwager = "blazing-7s-dealer"\nseeds_dollars = { Progressive = 700 }', "plan.toml")
    made = plan_from(merged(file, {"seeds_dollars": "800", "decks": "6"}))
    assert (made.decks, dict(made.seeds_cents)) == (6, {"": 80_000})


# Rules


@pytest.mark.parametrize("decks", DECKS)
def test_the_solver_agrees_with_what_is_taken_for_the_usual_rules(decks: int) -> None:
    assert no_third_card_against(Rules(decks=decks)) == stands_with_sevens(Rules(decks=decks))


def test_rules_of_the_base_game_change_how_often_a_third_card_comes() -> None:
    usual, same, stands, no_hole = (
        plan(wager="blazing-7s-player", **{"rules": each} if each else {})
        for each in (None, "6D S17 DAS SP4 3:2", "SP1 NDAS", "ENHC")
    )
    assert usual == same
    assert usual.rules == Rules()
    assert usual.levels[0].hit == Fraction(side_hits(usual, (), hole_card=True))
    assert stands.levels[0].hit == Fraction(side_hits(usual, (2, 3, 4, 5, 6), hole_card=True))
    assert no_hole.levels[0].hit == Fraction(side_hits(usual, (), hole_card=False))
    assert stands.levels[0].hit < usual.levels[0].hit < no_hole.levels[0].hit


def side_hits(made: MeterPlan, stands: tuple[int, ...], *, hole_card: bool) -> Fraction:
    """How often all of the meter is won, counted once more."""
    counts = count_deals(made.wager, np.full(52, 6), stands, hole_card=hole_card)
    prices = made.wager.prices(made.paytable)
    won = sum(count for outcome, count in counts.items() if prices[outcome].pays[0].share == 1)
    return Fraction(won, sum(counts.values()))


def test_rules_may_say_how_many_decks_there_are() -> None:
    assert plan(wager="blazing-7s-player", rules="8D H17").decks == 8
    assert plan(wager="blazing-7s-player", rules="H17", decks="8").rules == Rules(decks=8, hits_soft_17=True)


# What is wrong

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"decks": 2}, "With 2 decks no hand of paytable 1 takes all of Progressive."),
    ({"decks": 9}, "cannot be 9: it is from 1 to 8, a whole number"),
    ({"decks": True}, "cannot be True"),
    ({"wager_dollars": "nan"}, "The wager amount cannot be 'nan': it is from 0.01 to 1,000 dollars"),
    ({"wager_dollars": Decimal("NaN")}, "cannot be NaN"),
    ({"wager_dollars": Decimal("Infinity")}, "cannot be Infinity"),
    ({"wager_dollars": Decimal("1e30")}, r"cannot be 1E\+30"),
    ({"wager_dollars": Decimal("1e999999999")}, r"cannot be 1E\+999999999"),
    ({"wager_dollars": Decimal("5.001")}, "at most 2 decimals"),
    ({"wager_dollars": 0}, "cannot be 0"),
    ({"contribution_percent": 140}, "The contribution cannot be 140: it is from 0 to 100 %"),
    ({"contribution_percent": -1}, "cannot be -1"),
    ({"contribution_percent": [24]}, r"cannot be \[24\]"),
    ({"reserve_percent": 80}, "cannot be 104 % together"),
    ({"seeds_dollars": {"Mega": 5}}, "no meter for a seed 'Mega'; there are: Progressive"),
    ({"seeds_dollars": -5}, "The seed of Progressive cannot be -5"),
    ({"seeds_dollars": "1e30"}, "cannot be '1e30'"),
    ({"tables": "1e30"}, "cannot be '1e30'"),
    ({"tables": 0}, "cannot be 0"),
    ({"seats": 8}, "from 1 to 7"),
    ({"hours_per_day": 25}, "from 0.25 to 24"),
    ({"period_days": Decimal("1.5")}, "a whole number"),
    ({"rules": "H17"}, "does not depend on the rules of the base game"),
    ({"wager": "blazing-7s-player", "rules": "8D", "decks": 6}, "The rules say 8D and decks is 6"),
    ({"wager": "blazing-7s-player", "rules": "H18"}, "no rule of blackjack"),
    ({"wager": "blazing-7s-player", "rules": ["H17"]}, "is a name"),
    ({"seeds_dollars": 10_000_000, "tables": 1000, "period_days": 36525}, "more money"),
    ({"paytable": "9"}, "no paytable of Blazing 7's"),
    ({"paytable": 1.5}, "is a name"),
    ({"wager": "blazing"}, "no progressive wager 'blazing'"),
    ({"accounting": "C"}, "no accounting 'C'; there are: A, B"),
    ({"division": "fair"}, "no division 'fair'"),
    ({"division": {"Progressive": 50}}, "cannot add up to 50 %"),
    ({"division": {"Mega": 100}}, "no meter for a part of the contribution 'Mega'"),
    ({"wager_dollars": 1000, "tables": 1000, "seats": 7, "rounds_per_hour": 1000, "period_days": 36525}, "more money"),
]


@pytest.mark.parametrize(("settings", "sentence"), WRONG)
def test_what_is_wrong_is_said_in_one_sentence(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(CroupierError, match=sentence) as found:
        plan(**settings)
    assert "\n" not in str(found.value)


def test_unknown_settings_and_broken_files_are_refused() -> None:
    with pytest.raises(NotationError, match=r"plan.toml: There is no setting 'deks'; did you mean decks"):
        read_settings("deks = 6", "plan.toml")
    with pytest.raises(NotationError, match=r"plan.toml is no TOML"):
        read_settings("decks = ", "plan.toml")
    with pytest.raises(NotationError, match="does not say which wager"):
        plan_from({})


def test_a_paytable_without_a_meter_has_no_plan() -> None:
    with pytest.raises(NotationError, match="pays no share of a meter"):
        often("none")
