"""The record of a round of blackjack: read back exactly, and refused where anything in it is wrong."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.errors import RecordError
from croupier.games.blackjack.round import BlackjackRound, Phase
from croupier.games.head_to_head.round import Round
from croupier.games.money import InFavourOf
from croupier.games.table.record import KEYS, read_any_record, read_record, write_record
from tests.games.blackjack.support import offer, play, stacked
from tests.games.support import assert_one_sentence
from tests.games.support import play as play_packets
from tests.games.table.test_record import sealed

HOUSE = offer(
    "6D H17 LS 6:5 CUT80",
    ["kings-bounty", "bet-the-bust", "blazing-7s-player"],
    paytables={"blazing-7s-player": "ML04"},
    limits=(500, 20_000),
    spot_limits={"kings-bounty": (100, 5_000), "blazing-7s-player": (200, 200)},
    chip_cents=25,
    in_favour_of=InFavourOf.NEAREST,
    seats=5,
)
SCRIPT = (
    "bet 1 bet 500 by ann; bet 1 blazing-7s-player 200; bet 3 bet 725; bet 3 kings-bounty 100; no-more-bets; "
    "insure 1 250; no-insurance; bust-bet 3 500; no-bust-bet 1; split 1; double 1; stand 1 2; surrender 3; "
    "reveal; settle"
)
SHOE = stacked("7d Kh As 7d Jh 5c 4c Td 8c 6c 9c")
OVER = play(SCRIPT, offering=HOUSE, shoe=SHOE)
ENTERED = play("bet 1 bet 500; no-more-bets; deal Ts Tc 6h; peek no; hit 1; deal 5c; reveal; deal 8d; settle")
of_both = pytest.mark.parametrize("over", [OVER, ENTERED], ids=["shoe", "entered"])


def record(over: BlackjackRound = OVER) -> str:
    """Written when it is wanted: the digests in it take seconds to count, once."""
    return write_record(over)


def read(text: str) -> BlackjackRound:
    return read_record(text, BlackjackRound)


def refused(text: str) -> RecordError:
    with pytest.raises(RecordError) as error:
        read(text)
    assert_one_sentence(error.value)
    return error.value


@of_both
def test_a_record_reads_back(over: BlackjackRound) -> None:
    assert over.phase is Phase.OVER
    again = read(write_record(over))
    assert write_record(again) == write_record(over)
    assert (again.settlements, again.events, again.seats) == (over.settlements, over.events, over.seats)
    assert again.game is over.game
    assert (again.offering.left_out, again.offering.seats) == (over.offering.left_out, over.offering.seats)
    assert (again.offering.limits, again.offering.spot_limits) == (over.offering.limits, over.offering.spot_limits)
    assert again.offering.rounding == over.offering.rounding


def test_the_rules_stand_in_the_record() -> None:
    assert "\nhouse rules 6D H17 DA DAS SP4 NRSA NHSA LS 6:5 PEEK INS CUT80\n" in record()


def test_a_record_is_read_as_what_it_is() -> None:
    packets = write_record(play_packets("supreme-99", "bet 1 bet 500"))
    assert isinstance(read_any_record(record()), BlackjackRound)
    assert "round of Supreme 99, which is not read here" in str(refused(packets))
    with pytest.raises(RecordError, match="round of Blackjack, which is not read here"):
        read_record(record(), Round)


@of_both
def test_damage_is_found_wherever_it_is(over: BlackjackRound) -> None:
    text = record(over)
    for place in range(0, len(text) - 1, 7):
        for new in ("x", "0", "\n"):
            if text[place] != new:
                refused(f"{text[:place]}{new}{text[place + 1 :]}")
        refused(text[:place])
        refused(text[:place] + text[place + 1 :])


def test_a_resealed_record_is_the_record() -> None:
    assert sealed(record().splitlines()) == record()


@of_both
def test_an_act_or_result_left_out_is_refused(over: BlackjackRound) -> None:
    lines = record(over).splitlines()
    for place, line in enumerate(lines):
        if line.startswith(("act ", "result ")):
            refused(sealed(lines[:place] + lines[place + 1 :]))


@pytest.mark.parametrize(
    ("start", "new"),
    [
        ("game ", "game supreme-99"),
        ("game ", "game Blackjack"),
        ("game ", "game chess"),
        ("house rules ", "house rules"),
        ("house rules ", "house rules 6D"),
        ("house rules ", "house rules 5D"),
        ("house rules ", "house rules 7D"),
        ("house rules ", "house rules nonsense"),
        ("house rules ", "house rules 6D S17 DA DAS SP4 NRSA NHSA LS 6:5 PEEK INS CUT80"),
        ("house rules ", "house rules 6D H17 DA DAS SP4 NRSA NHSA LS 3:2 PEEK INS CUT80"),
        ("house rules ", "house rules 8D H17 DA DAS SP4 NRSA NHSA LS 6:5 PEEK INS CUT80"),
        ("house rules ", "house rules 6D H17 LS 6:5 CUT80"),
        ("house rules ", "house option two-positions"),
        ("house limits ", "house limits 725 500"),
        ("house left-out trilux", "house left-out insurance"),
        ("house left-out trilux", "house left-out nonsense"),
        ("house left-out trilux", "house left-out bet"),
        ("house seats ", "house seats 8"),
        ("house seats ", "house seats 99"),
        ("house rounding ", "house rounding 1000 house"),
        ("house limits-of blazing", "house limits-of blazing-7s-player 100 200"),
        ("house paytable ", "house paytable bet Blackjack  2 to 1"),
        ("house paytable ", "house paytable bet-the-bust Ace  9 to 2"),
        ("shoe dealt ", "shoe dealt 2"),
        ("shoe dealt ", "shoe dealt 300"),
        ("shoe decks ", "shoe decks 8"),
        ("act split ", "act stand 1"),
        ("act double ", "act double 1 2"),
        ("act insure ", "act insure 1 275"),
        ("act insure ", "act even-money 1"),
        ("act bust-bet ", "act bust-bet 3 525"),
        ("act surrender ", "act surrender 3 2"),
        ("act stand 1 2", "act hit 1 2"),
        ("act no-insurance", "act deal 2c"),
        ("act settle", "act dance"),
        ("act settle", "act void rain"),
        ("result 1 bet ", "result 1 bet 1000 1000"),
    ],
)
def test_a_forged_line_is_refused(start: str, new: str) -> None:
    lines = record().splitlines()
    assert any(line.startswith(start) for line in lines), start
    refused(sealed([new if line.startswith(start) else line for line in lines]))


def test_rules_belong_to_blackjack_only() -> None:
    lines = write_record(play_packets("supreme-99", "bet 1 bet 500")).splitlines()
    with pytest.raises(RecordError, match="it has one set of them"):
        read_any_record(sealed([*lines[:3], "house rules 6D", *lines[3:]]))
    without = [line for line in record().splitlines() if not line.startswith("house rules")]
    assert "needs the line 'house rules'" in str(refused(sealed(without)))


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(KEYS),
            st.text(max_size=20) | st.sampled_from(["rules 6D", "bet 1 bet 500", "no-more-bets", "deal 2c", "hit 1"]),
        )
    )
)
def test_forged_lines_are_read_or_refused(lines: list[tuple[str, str]]) -> None:
    head = record().splitlines()[:4]
    with contextlib.suppress(RecordError):
        read(sealed([*head, *(f"{key} {value}" for key, value in lines)]))


def test_a_record_names_a_later_wager_only_where_it_is_offered() -> None:
    later, first = "bet-the-set", "kings-bounty"
    plain, richer = (play("bet 1 bet 1000", offering=offer("6D", wagers)) for wagers in ((), (later, first)))
    assert later not in write_record(plain)
    text = write_record(richer)
    assert f"house side-wager {later}\n" in text
    assert {later, first}.isdisjoint(read_any_record(text).offering.left_out)
    assert "royal-match" in read_any_record(text).offering.left_out
    assert {later, first} <= read_any_record(write_record(plain)).offering.left_out


def test_a_later_wager_changes_no_digest_of_a_table_without_it() -> None:
    """As it was when there were seven wagers."""
    kept = "3830813a97d6a737e9a18c8f4d9dedf9a2e60e39daccf42260248344f7250c46"
    assert offer("6D", ["kings-bounty"]).digest == kept
    assert offer("6D", ["kings-bounty", "bet-the-set"]).digest != kept
