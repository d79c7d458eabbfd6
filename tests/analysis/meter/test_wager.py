"""Progressive wagers: holds and hit frequencies as the documents print them, and the funding found behind a hold."""

from __future__ import annotations

import tomllib
from datetime import date
from fractions import Fraction
from importlib.resources import files
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.analysis.blackjack.side.census import side_census
from croupier.analysis.meter.wager import (
    ONLY_METER,
    ROUND_SEEDS,
    Funding,
    Progressive,
    preconfigured,
    printed_range,
    progressive_of,
)
from croupier.errors import NotationError, UnknownName
from croupier.games.blackjack.side_wagers import BLAZING_DEALER, BLAZING_PLAYER, KINGS_BOUNTY, SIDE_WAGERS, TRILUX
from croupier.games.paytable import Paytable
from croupier.games.wager import Wager

PRINTED = {"1": (6, "24.78%", "14.82%"), "2": (6, "23.59%", "14.82%"), "ML03": (8, "21.65%", "14.81%")}
PRINTED |= {"ML04": (6, "22.39%", "14.82%")}
"""By paytable: decks, hold, hit frequency."""
PER_CENT = Fraction(1, 100)


def progressive(wager: Wager, paytable: str, decks: int) -> Progressive:
    found = progressive_of(wager, wager.paytables[paytable], side_census(wager, decks))
    assert found is not None
    return found


def usual(wager: Wager, paytable: str) -> Funding:
    funding = preconfigured(wager.key, paytable)
    assert funding is not None
    return funding


def is_printed_as(value: Fraction, text: str) -> bool:
    low, high = printed_range(text)
    return low <= value < high


# The documents


@pytest.mark.parametrize("paytable", list(PRINTED))
def test_holds_and_hit_frequencies_as_printed(paytable: str) -> None:
    decks, hold, hit = PRINTED[paytable]
    found = progressive(BLAZING_DEALER, paytable, decks)
    assert is_printed_as(found.hold(usual(BLAZING_DEALER, paytable)), hold)
    assert is_printed_as(found.hit_frequency, hit)


def test_exact_figures() -> None:
    """To more places than any document prints."""
    holds = {
        table: float(100 * progressive(BLAZING_DEALER, table, decks).hold(usual(BLAZING_DEALER, table)))
        for table, (decks, *_) in PRINTED.items()
    }
    assert holds == pytest.approx({"1": 24.78284251, "2": 23.58603081, "ML03": 21.64639830, "ML04": 22.38921912})
    six, eight = (progressive(BLAZING_DEALER, "1", decks) for decks in (6, 8))
    assert float(100 * six.hit_frequency) == pytest.approx(14.81573089)
    assert float(100 * eight.hit_frequency) == pytest.approx(14.81000927)


def test_the_version_with_the_players_cards_holds_a_little_more() -> None:
    """A dealer's blackjack and its two cards take some third sevens away, so fixed pays and awards are rarer."""
    for paytable in BLAZING_PLAYER.paytables:
        for decks in (6, 8):
            dealer, player = (progressive(wager, paytable, decks) for wager in (BLAZING_DEALER, BLAZING_PLAYER))
            funding = usual(BLAZING_DEALER, paytable)
            assert player.hold(funding) > dealer.hold(funding)
            assert player.hit_frequency == dealer.hit_frequency


def test_trilux_by_decks() -> None:
    six, eight = (progressive(TRILUX, "6", decks) for decks in (6, 8))
    assert six.levels[ONLY_METER].awarded == Fraction(4 * comb(6, 3), comb(312, 3))
    assert eight.levels[ONLY_METER].awarded == Fraction(4 * comb(8, 3), comb(416, 3))
    assert float(six.fixed_return) == pytest.approx(0.68572522799)
    assert float(eight.fixed_return) == pytest.approx(0.69398664894)
    assert float(six.hit_frequency) == pytest.approx(0.09676142756)
    assert six.break_even({"": 0}) == {"": Fraction(39389, 2)}


# What must hold


MONEY = st.fractions(0, 100_000, max_denominator=100)


@given(meters=st.lists(MONEY, min_size=3, max_size=3), more=MONEY)
def test_a_level_breaks_even_given_the_others(meters: list[Fraction], more: Fraction) -> None:
    found = progressive(BLAZING_DEALER, "ML03", 8)
    standing = dict(zip(("Mega", "Major", "Minor"), meters, strict=True))
    for meter, even in found.break_even(standing).items():
        assert even is not None
        assert found.house_edge(standing | {meter: even}) == 0
        # Where it stands itself does not matter; what the others hold does.
        assert found.break_even(standing | {meter: more})[meter] == even
        other = next(name for name in standing if name != meter)
        fuller = found.break_even(standing | {other: standing[other] + 1})[meter]
        assert fuller is not None
        assert fuller < even


@given(contribution=st.fractions(0, 1, max_denominator=1000), seed=MONEY)
def test_in_the_long_run_what_players_lose_is_the_hold(contribution: Fraction, seed: Fraction) -> None:
    """Players bet into the mean meter, and the house keeps what it does not pay, put in or seed."""
    for paytable in ("1", "2"):
        found = progressive(BLAZING_DEALER, paytable, 6)
        funding = Funding(contribution, {"": seed})
        mean = found.mean_meter(funding)
        assert mean is not None
        assert found.house_edge({"": mean}) == found.hold(funding)


@given(contribution=st.fractions(0, 1, max_denominator=1000), seed=MONEY, hold=st.fractions(0, 1, max_denominator=1000))
def test_seed_and_contribution_behind_a_hold(contribution: Fraction, seed: Fraction, hold: Fraction) -> None:
    found = progressive(BLAZING_DEALER, "ML04", 6)
    others = {"Minor": seed}
    solved = found.seed_for(hold, contribution, "Major", others)
    assert found.contribution_for(hold, {"Major": solved, **others}) == contribution
    if solved >= 0:
        assert found.hold(Funding(contribution, {"Major": solved, **others})) == hold


def test_a_meter_that_nothing_is_paid_from() -> None:
    """Two decks hold no three suited sevens."""
    found = progressive(BLAZING_DEALER, "2", 2)
    assert found.break_even({"": 0}) == {"": None}
    assert found.mean_meter(Funding(Fraction(0), {"": Fraction(0)})) is None
    with pytest.raises(NotationError, match="No award takes all of Progressive"):
        found.seed_for(Fraction(1, 4), Fraction(0))


def test_several_meters_have_no_common_mean() -> None:
    assert progressive(BLAZING_DEALER, "ML03", 8).mean_meter(usual(BLAZING_DEALER, "ML03")) is None


def test_a_share_below_all_of_a_meter_costs_no_seed() -> None:
    """So with 10 % alone the hold does not depend on the seed, and the edge still depends on the meter."""
    paytable = Paytable.parse("tenth", "Three 7's - Same Color 10%; Three 7's 200 for 1")
    found = progressive_of(BLAZING_DEALER, paytable, side_census(BLAZING_DEALER, 6))
    assert found is not None
    rich, poor = (Funding(Fraction(1, 5), {"": Fraction(seed)}) for seed in (10**6, 0))
    assert found.hold(rich) == found.hold(poor)
    assert found.house_edge({"": 10}) < found.house_edge({"": 9})


def test_a_wager_without_shares_is_not_progressive() -> None:
    assert progressive_of(KINGS_BOUNTY, KINGS_BOUNTY.paytables["KB01"], side_census(KINGS_BOUNTY, 6)) is None


# Finding


def test_the_funding_is_found_behind_a_printed_hold() -> None:
    """Of all whole percents and round seeds, one funding gives the holds of tables 1 and 2."""
    first, second = (list(progressive(BLAZING_DEALER, table, 6).fundings(PRINTED[table][1])) for table in "12")
    assert [funding for funding in first if funding in second] == [usual(BLAZING_DEALER, "1")]
    assert usual(BLAZING_DEALER, "1") == Funding(24 * PER_CENT, {"": Fraction(2000)})


@pytest.mark.parametrize("paytable", ["ML03", "ML04"])
def test_seeds_of_several_levels_are_found(paytable: str) -> None:
    decks, hold, _ = PRINTED[paytable]
    found = progressive(BLAZING_DEALER, paytable, decks)
    fundings = list(found.fundings(hold, contributions=[24 * PER_CENT]))
    assert usual(BLAZING_DEALER, paytable) in fundings
    for funding in fundings:
        assert is_printed_as(found.hold(funding), hold)
        seeds = list(funding.seeds.values())
        assert seeds == sorted(seeds, reverse=True)


@pytest.mark.parametrize("meters", [("Mega",), ("Major",), ("Minor",), ("Mega", "Minor"), ("Mega", "Major", "Minor")])
def test_given_seeds_choose_among_the_fundings(meters: tuple[str, ...]) -> None:
    """Every funding with these seeds is among those found for them, and nothing that has others."""
    found, known = progressive(BLAZING_DEALER, "ML03", 8), usual(BLAZING_DEALER, "ML03")
    wanted = {meter: known.seeds[meter] for meter in meters}
    chosen = list(found.fundings("21.65%", [24 * PER_CENT], given=wanted))
    every = [each for each in found.fundings("21.65%", [24 * PER_CENT]) if wanted.items() <= each.seeds.items()]
    assert known in every
    assert all(each in chosen for each in every)
    assert all(wanted.items() <= each.seeds.items() for each in chosen)
    assert all(is_printed_as(found.hold(each), "21.65%") for each in chosen)


def test_the_funding_that_is_named_comes_first_and_once() -> None:
    found, known = progressive(BLAZING_DEALER, "ML03", 8), usual(BLAZING_DEALER, "ML03")
    plain = list(found.fundings("21.65%", [24 * PER_CENT]))
    first, *others = found.fundings("21.65%", [24 * PER_CENT], first=known)
    assert first == known
    assert others == [each for each in plain if each != known]
    assert known not in found.fundings("21.65%", [23 * PER_CENT], first=known)
    assert known not in found.fundings("30.00%", [24 * PER_CENT], first=known)
    assert known not in found.fundings("21.65%", [24 * PER_CENT], first=known, given={"Mega": Fraction(3000)})


def test_for_a_given_contribution_the_seed_is_solved() -> None:
    found = progressive(BLAZING_DEALER, "1", 6)
    low, high = printed_range("24.78%")
    least, most = found.seed_for(high, 24 * PER_CENT), found.seed_for(low, 24 * PER_CENT)
    assert least < 2000 < most
    assert [seed for seed in ROUND_SEEDS if least < seed <= most] == [2000]


def test_nothing_is_found_where_nothing_fits() -> None:
    found = progressive(BLAZING_DEALER, "1", 6)
    assert not list(found.fundings("24.78%", contributions=[Fraction(9, 10)]))
    assert not list(found.fundings("24.78%", contributions=[24 * PER_CENT], seeds=[1000, 3000]))


@given(hundredths=st.integers(1, 9_999), beyond=st.fractions(0, 1).filter(lambda part: part < 1))
def test_the_range_of_a_printed_figure(hundredths: int, beyond: Fraction) -> None:
    low, high = printed_range(f"{hundredths // 100}.{hundredths % 100:02d}%")
    assert low + beyond * (high - low) < high
    assert high - low == Fraction(1, 10_000)
    assert (low + high) / 2 == Fraction(hundredths, 10_000)


# What a system comes with


def test_what_is_pre_configured_is_dated_and_fits_its_paytables() -> None:
    text = files("croupier.analysis.meter").joinpath("preconfigured.toml").read_text(encoding="utf-8")
    wagers = {wager.key: wager for wager in SIDE_WAGERS}
    seen = set()
    for table in tomllib.loads(text)["table"]:
        assert table["since"] == date(2023, 6, 14)
        for key in table["wagers"]:
            for paytable in table["paytables"]:
                assert (key, paytable) not in seen
                seen.add((key, paytable))
                found = progressive(wagers[key], paytable, 6)
                assert found.hold(usual(wagers[key], paytable)) > 0
    assert seen == {(wager.key, paytable) for wager in (BLAZING_DEALER, BLAZING_PLAYER) for paytable in PRINTED}


def test_no_funding_is_known_for_other_tables() -> None:
    assert preconfigured("trilux", "6") is None
    assert preconfigured("blazing-7s-dealer", "mine") is None


def test_meters_by_name() -> None:
    found = progressive(BLAZING_DEALER, "ML04", 6)
    with pytest.raises(UnknownName, match="Mega"):
        found.house_edge({"Mega": 1, "Major": 1, "Minor": 1})
    with pytest.raises(NotationError, match="Minor"):
        found.house_edge({"Major": 1})
