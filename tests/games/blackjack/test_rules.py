"""Placards of blackjack tables: words that read back, what they leave out, and what is refused."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import NotationError
from croupier.games.blackjack.rules import DECKS, FINEST_ODDS, DoubleOn, EarlySurrender, Rules, count


def odds() -> st.SearchStrategy[Fraction]:
    return st.fractions(Fraction(1, FINEST_ODDS), 10, max_denominator=FINEST_ODDS)


def cuts() -> st.SearchStrategy[Fraction]:
    percent = st.integers(1000, 9500).map(lambda hundredths: Fraction(hundredths, 10_000))
    return percent | st.fractions(Fraction(1, 10), Fraction(19, 20), max_denominator=10**8)


@st.composite
def placards(draw: st.DrawFn) -> Rules:
    hands, hole_card = draw(st.integers(1, 4)), draw(st.booleans())
    early = draw(st.sampled_from(EarlySurrender))
    return Rules(
        decks=draw(st.sampled_from(DECKS)),
        hits_soft_17=draw(st.booleans()),
        double_on=draw(st.sampled_from(DoubleOn)),
        double_after_split=draw(st.booleans()),
        split_hands=hands,
        resplit_aces=draw(st.booleans()) and hands > 2,
        hit_split_aces=draw(st.booleans()) and hands > 1,
        late_surrender=early is not EarlySurrender.ANY and draw(st.booleans()),
        blackjack_odds=draw(odds()),
        hole_card=hole_card,
        insurance=draw(st.booleans()),
        cut=draw(cuts()),
        early_surrender=early,
        original_bets_only=not hole_card and draw(st.booleans()),
    )


# Words


@given(placards())
def test_a_placard_reads_back(rules: Rules) -> None:
    assert Rules.parse(str(rules)) == rules
    assert Rules.parse(rules.full) == rules


@given(placards(), st.randoms(use_true_random=False))
def test_words_may_come_in_any_order_and_case(rules: Rules, chance: Random) -> None:
    words = rules.full.split()
    chance.shuffle(words)
    assert Rules.parse(", ".join(words).lower()) == rules


def test_what_a_placard_leaves_out_is_as_usual() -> None:
    assert str(Rules()) == "6D S17 DAS SP4 3:2"
    assert Rules().full == "6D S17 DA DAS SP4 NRSA NHSA NS 3:2 PEEK INS CUT75"
    assert Rules.parse("6D") == Rules()
    assert Rules.parse("H17 6:5") == replace(Rules(), hits_soft_17=True, blackjack_odds=Fraction(6, 5))


def test_unusual_rules_are_written_in_one_order() -> None:
    text = "cut62.5 NOINS enhc 7:5 LS HSA RSA SP3 NDAS D10 H17 8D"
    assert str(Rules.parse(text)) == "8D H17 D10 NDAS SP3 RSA HSA LS 7:5 ENHC NOINS CUT62.5"


@pytest.mark.parametrize(
    ("word", "paid"),
    [
        ("3:2", Fraction(3, 2)),
        ("6/5", Fraction(6, 5)),
        ("1to1", Fraction(1)),
        ("2:1", Fraction(2)),
        ("15:10", Fraction(3, 2)),
    ],
)
def test_odds_are_exact(word: str, paid: Fraction) -> None:
    assert Rules.parse(word).blackjack_odds == paid


@pytest.mark.parametrize(
    ("word", "share"), [("CUT75", Fraction(3, 4)), ("CUT66.6%", Fraction(333, 500)), ("CUT2/3", Fraction(2, 3))]
)
def test_the_cut_is_exact(word: str, share: Fraction) -> None:
    assert Rules.parse(word).cut == share


# Refusals


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "There is no rule in ''"),
        ("9D", "'9D' is no number of decks that is dealt: there are 1D, 2D, 3D, 4D, 5D, 6D, 7D and 8D."),
        ("P22 NP22", "P22 and NP22 both say what a dealer's 22 does: keep one of them."),
        ("0D", "'0D' is no number of decks"),
        ("RSA SP2", "RSA needs SP3 or SP4: with SP2 no pair is split again."),
        ("SP1 RSA", "RSA needs SP3 or SP4"),
        ("ES LS", "ES and LS do not go together: whoever may surrender before the check is not asked again after it."),
        ("ES ES10", "both say whether there is early surrender"),
        ("OBO", "OBO needs ENHC: where the hole card is checked, a blackjack finds nothing but original bets."),
        ("ENHC OBO FS", "OBO and FS do not go together: leave one of them out."),
        ("ENHC OBO CH6", "CH6 and OBO do not go together: leave one of them out."),
        ("CH8", "'CH8' is no rule of blackjack; did you mean CH7"),
        ("DAC NDAS", "DAC and NDAS do not go together: any number of cards may be doubled, but none after a split."),
        ("ENHC SAD", "SAD needs PEEK: without a hole card a blackjack could still take what was given up."),
        ("SAD FD", "SAD and FD do not go together: leave one of them out."),
        ("CH6 SWITCH", "CH6 and SWITCH do not go together"),
        ("ES ZAP17", "ES and ZAP17 do not go together"),
        ("SP1 HSA", "HSA needs SP2, SP3 or SP4"),
        ("S17 H17", "S17 and H17 both say what the dealer does with a soft 17: keep one of them."),
        ("6D 6D", "6D and 6D both say how many decks there are"),
        ("DA D9", "both say which hands may be doubled"),
        ("DAS NDAS", "both say whether split hands may be doubled"),
        ("3:2 6:5", "both say what a blackjack pays"),
        ("PEEK ENHC", "both say whether there is a hole card"),
        ("S16", "'S16' is no rule of blackjack; did you mean"),
        ("ENCH", "did you mean ENHC"),
        ("surrender", "'surrender' is no rule of blackjack; the words are 1D, 2D"),
        ("SP5", "did you mean SP4"),
        ("0:1", "A blackjack cannot pay 0:1"),
        ("11:1", "A blackjack cannot pay 11:1"),
        ("3:0", "'3:0' pays on a wager of 0"),
        ("1:1001", "on a wager of at most 1000"),
        ("CUT5", "CUT5 is no place for the cut card: it goes from CUT10 to CUT95."),
        ("CUT100", "CUT100 is no place"),
        ("CUT1/0", "'CUT1/0' divides the shoe by 0"),
    ],
)
def test_what_is_no_placard_is_refused_with_one_sentence(text: str, reason: str) -> None:
    with pytest.raises(NotationError) as error:
        Rules.parse(text)
    assert reason in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "wrong",
    [
        *({"decks": True}, {"decks": 6.0}, {"decks": "6"}, {"split_hands": True}, {"split_hands": 2.0}),
        *({"blackjack_odds": 1.5}, {"blackjack_odds": 1}, {"cut": 0.75}, {"cut": "3/4"}),
        *({"hits_soft_17": 1}, {"hole_card": None}, {"double_on": "DA"}, {"double_on": None}),
    ],
)
def test_rules_are_made_of_the_right_kinds_of_things(wrong: dict[str, object]) -> None:
    [value] = wrong.values()
    with pytest.raises(NotationError, match=re.escape(f"{value!r} cannot say")) as error:
        Rules(**wrong)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("wrong", [{"decks": 9}, {"split_hands": 5}, {"split_hands": 0}, {"cut": Fraction(1)}])
def test_impossible_rules_cannot_be_made(wrong: dict[str, int]) -> None:
    with pytest.raises(NotationError):
        Rules(**wrong)  # type: ignore[arg-type]


# What the rules allow


@pytest.mark.parametrize(
    ("hand", "total", "soft"),
    [((1, 6), 17, True), ((1, 10), 21, True), ((1, 1), 12, True), ((1, 6, 10), 17, False), ((10, 9, 5), 24, False)],
)
def test_an_ace_counts_eleven_while_it_can(hand: tuple[int, ...], total: int, soft: bool) -> None:
    assert count(hand) == (total, soft)


def test_the_dealer_draws_to_17() -> None:
    stands, hits = Rules(), Rules(hits_soft_17=True)
    assert [total for total in range(2, 22) if stands.dealer_draws(total, soft=False)] == list(range(2, 17))
    assert not stands.dealer_draws(17, soft=True)
    assert hits.dealer_draws(17, soft=True)
    assert not hits.dealer_draws(17, soft=False)
    assert not hits.dealer_draws(18, soft=True)


@pytest.mark.parametrize(
    ("word", "hard", "soft"), [("DA", range(4, 21), True), ("D9", range(9, 12), False), ("D10", range(10, 12), False)]
)
def test_doubling_is_for_the_posted_totals(word: str, hard: range, soft: bool) -> None:
    rules = Rules.parse(word)
    allowed = [total for total in range(4, 22) if rules.may_double(total, soft=False, after_split=False)]
    assert allowed == list(hard)
    assert rules.may_double(19, soft=True, after_split=False) is soft
    assert not Rules.parse(f"{word} NDAS").may_double(11, soft=False, after_split=True)


def test_21_and_more_are_not_played_on() -> None:
    assert [total for total in range(4, 31) if Rules().hand_ends(total)] == list(range(21, 31))


def test_aces_are_split_once_unless_the_placard_says_otherwise() -> None:
    assert [Rules.parse(text).hands_from(1) for text in ("SP4", "SP4 RSA", "SP3 RSA", "SP2", "SP1")] == [2, 4, 3, 2, 1]
    assert [Rules.parse(text).hands_from(8) for text in ("SP4", "SP3", "SP2", "SP1")] == [4, 3, 2, 1]
    assert Rules().one_card_only(1)
    assert not Rules.parse("HSA").one_card_only(1)
    assert not Rules().one_card_only(8)
