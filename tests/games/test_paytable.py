"""Paytables as the felt prints them: read, written, priced, and refused with the line that is wrong."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import NotationError, PaytableError
from croupier.games.money import InFavourOf, Rounding
from croupier.games.paytable import Kind, Pay, Paytable, Row, plain_label
from croupier.games.table.settlement import settle
from croupier.games.titles.triple_shot_rummy import ANTE_PLAY, PAIR_PLUS
from croupier.games.wager import Wager

# Pays


@pytest.mark.parametrize(
    ("text", "pay"),
    [
        ("4 to 1", Pay(Kind.TO, 4)),
        ("4-to-1", Pay(Kind.TO, 4)),
        ("4 TO 1", Pay(Kind.TO, 4)),
        ("4to1", Pay(Kind.TO, 4)),
        ("3 to 2", Pay(Kind.TO, 3, 2)),
        ("1.5 to 1", Pay(Kind.TO, 3, 2)),
        ("2.25 to 1", Pay(Kind.TO, 9, 4)),
        ("1,000 for 1", Pay(Kind.FOR, 1000)),
        ("1,234,567 to 1", Pay(Kind.TO, 1_234_567)),
        ("1000 to 1", Pay(Kind.TO, 1000)),
        ("1 to 1 less 5%", Pay(Kind.TO, 1, 1, Fraction(1, 20))),
        ("1 to 1 less 2.5 % commission", Pay(Kind.TO, 1, 1, Fraction(1, 40))),
        ("push", Pay(Kind.PUSH)),
        ("Lose", Pay(Kind.LOSE)),
        ("no wager", Pay(Kind.NO_WAGER)),
    ],
)
def test_a_pay_is_read(text: str, pay: Pay) -> None:
    assert Pay.parse(text) == pay
    assert Pay.parse(str(pay)) == pay


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4",
        "to 1",
        "4 to",
        "4 by 1",
        "-4 to 1",
        "4 to -1",
        "10,00 to 1",
        "4 to 1.5",
        "four to one",
        "٤ to 1",
        "4 to 1%",
    ],
)
def test_what_is_no_pay_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is no pay"):
        Pay.parse(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("0 to 1", "pays nothing"),
        ("0.0 to 1", "pays nothing"),
        ("4 to 0", "wager of 0"),
        ("1,000,000,001 to 1", "above the largest odds"),
        ("1 to 1 less 100%", "whole win as commission"),
        ("1 to 1 less 250%", "whole win as commission"),
        ("5 for 1 less 5%", "commission goes with 'to'"),
    ],
)
def test_an_impossible_pay_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        Pay.parse(text)


@pytest.mark.parametrize("text", ["{} to 1", "1 to {}", "0.{} to 1", "1 to 1 less {}%", "1 to 1 less 0.{}%"])
def test_a_number_of_thousands_of_digits_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Pay.parse(text.format("9" * 5000))


@pytest.mark.parametrize(
    ("text", "net"),
    [
        ("4 to 1", Fraction(4)),
        ("5 for 1", Fraction(4)),
        ("1 for 1", Fraction(0)),
        ("1 for 2", Fraction(-1, 2)),
        ("1 to 1 less 5%", Fraction(19, 20)),
        ("push", Fraction(0)),
        ("lose", Fraction(-1)),
        ("no wager", Fraction(0)),
    ],
)
def test_the_net_of_a_pay(text: str, net: Fraction) -> None:
    assert Pay.parse(text).net == net


percents = st.decimals(0, 99, places=4).map(Fraction)
pays = st.one_of(
    st.sampled_from([Pay(Kind.PUSH), Pay(Kind.LOSE), Pay(Kind.NO_WAGER)]),
    st.builds(Pay, st.just(Kind.FOR), st.integers(1, 10**6), st.integers(1, 1000)),
    st.builds(Pay, st.just(Kind.TO), st.integers(1, 10**6), st.integers(1, 1000), percents.map(lambda p: p / 100)),
)


@given(pays)
def test_every_pay_parses_back(pay: Pay) -> None:
    assert Pay.parse(str(pay)) == pay


@pytest.mark.parametrize("text", [f"1 to 1 less 1.{'23' * 20}%", "1.23456789 to 999999999999999"])
def test_a_pay_of_many_digits_parses_back_or_is_refused(text: str) -> None:
    try:
        pay = Pay.parse(text)
    except NotationError:
        return
    assert Pay.parse(str(pay)) == pay


@given(st.integers(1, 20), st.integers(1, 20), percents, st.integers(1, 9), st.sampled_from(InFavourOf))
def test_a_winning_wager_never_costs_the_player(
    win: int, stake: int, percent: Fraction, chips: int, rule: InFavourOf
) -> None:
    """A commission is taken out of the win, so it cannot be more than the win that is paid."""
    pay = Pay(Kind.TO, win, stake, percent / 100)
    won = settle(1, "bet", "", pay, staked_cents=chips * 100, rounding=Rounding(100, rule), why="")
    assert won.returned_cents >= won.staked_cents


# Tables

FELT = """
# Pair Plus, as posted
Straight Flush ....... 40 to 1
Three of a Kind: 30-to-1   # trips
Straight | 6 to 1; Flush 4 to 1

  pair   1 to 1
"""


def test_a_table_is_read_as_the_felt_prints_it() -> None:
    table = Paytable.parse("Pair Plus", FELT)
    assert [(row.label, str(row.pay), row.line) for row in table.rows] == [
        ("Straight Flush", "40 to 1", 3),
        ("Three of a Kind", "30 to 1", 4),
        ("Straight", "6 to 1", 5),
        ("Flush", "4 to 1", 5),
        ("pair", "1 to 1", 7),
    ]


def test_the_felts_spelling_prices_like_the_documents() -> None:
    assert nets(PAIR_PLUS, FELT) == nets(PAIR_PLUS, str(PAIR_PLUS.paytables["1"]))


def nets(wager: Wager, text: str) -> dict[str, Fraction]:
    return {outcome.label: price.net for outcome, price in wager.prices(Paytable.parse("new", text)).items()}


labels = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9 +'()-]{0,20}", fullmatch=True).map(lambda label: " ".join(label.split()))


@given(st.lists(st.builds(Row, labels, pays), min_size=1, max_size=8, unique_by=lambda row: plain_label(row.label)))
def test_every_table_parses_back(rows: list[Row]) -> None:
    table = Paytable("new", tuple(rows))
    assert Paytable.parse("new", str(table)) == table


@given(st.text() | st.text("Pair 1to,.:|;#0%-\n"))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        table = Paytable.parse("new", text)
    except PaytableError:
        return
    assert Paytable.parse("new", str(table)) == table


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("Pair   1 to 1\nFlush   soon", 2, "does not end in a pay"),
        ("Pair   1 to 1\n\nFlush", 3, "does not end in a pay"),
        ("4 to 1", 1, "does not end in a pay"),
        ("Pair   1 to 1\nFlush   0 to 1", 2, "pays nothing"),
        ("Pair   1 to 0", 1, "wager of 0"),
        ("Pair   1 to 1\n# nothing\nFlush   9,999,999,999 to 1", 3, "largest odds"),
        ("Pair   1 to 1 less 100%", 1, "commission"),
        ("Pair   1 to 1\nFlush   4 to 1\npair   2 to 1", 3, "'pair' is already on line 1"),
        ("Three-of-a-Kind   1 to 1; Three of a kind   1 to 1", 1, "already on line 1"),
    ],
)
def test_a_malformed_table_is_refused_with_its_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(PaytableError, match=reason) as error:
        Paytable.parse("new", text)
    assert error.value.line == line
    assert str(error.value).startswith(f"new, line {line}: ")


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment", " ; ; "])
def test_an_empty_table_is_refused(text: str) -> None:
    with pytest.raises(PaytableError, match="there is no row"):
        Paytable.parse("new", text)


# Pricing


def test_scores_are_priced_by_spans() -> None:
    priced = nets(ANTE_PLAY, "0   4 to 1\n1 to 5   2 to 1\n6-19   1 to 1")
    # Each win comes with even money on the Ante.
    assert [priced[f"Player wins with {score}"] for score in (0, 1, 5, 6, 19)] == [5, 3, 3, 2, 2]


def test_an_outcome_without_a_row_loses() -> None:
    assert nets(PAIR_PLUS, "Flush   4 to 1")["Pair"] == -1


def test_an_outcome_without_a_row_pays_as_the_line_below_it() -> None:
    assert nets(PAIR_PLUS, "Straight Flush   40 to 1")["Royal Flush"] == 40
    assert nets(PAIR_PLUS, "Straight Flush   40 to 1\nRoyal Flush   50 to 1")["Royal Flush"] == 50


@pytest.mark.parametrize(
    ("wager", "text", "line", "reason"),
    [
        (PAIR_PLUS, "Pair   1 to 1\nStrait Flush   40 to 1", 2, "did you mean 'straight flush'?"),
        (PAIR_PLUS, "Full House   40 to 1", 1, "there are: Royal Flush, Straight Flush"),
        (PAIR_PLUS, "1 to 5   2 to 1", 1, "has no line '1 to 5'"),
        (ANTE_PLAY, "0 to 5   4 to 1\n5 to 19   1 to 1", 2, "both cover 'Player wins with 5'"),
        (ANTE_PLAY, "0 to 20   4 to 1", 1, "no span of scores from 0 to 19"),
        (ANTE_PLAY, "6 to 1   4 to 1", 1, "no span of scores from 0 to 19"),
        (ANTE_PLAY, "25   4 to 1", 1, "no span of scores from 0 to 19"),
        (ANTE_PLAY, f"{'9' * 50}   4 to 1", 1, "has no line"),
    ],
)
def test_a_row_that_fits_no_outcome_is_refused(wager: Wager, text: str, line: int, reason: str) -> None:
    with pytest.raises(PaytableError) as error:
        wager.prices(Paytable.parse("new", text))
    assert error.value.line == line
    assert reason in str(error.value)


@pytest.mark.parametrize(("wager", "text"), [(PAIR_PLUS, "Pair   no wager"), (ANTE_PLAY, "0 to 19   no wager")])
def test_a_posted_row_cannot_say_that_nothing_was_wagered(wager: Wager, text: str) -> None:
    # The count would take such a row for nothing, and the table would keep the chips.
    with pytest.raises(PaytableError):
        wager.prices(Paytable.parse("new", text))
