"""The mistakes people make at a table: always one clear sentence, and nothing has changed."""

from __future__ import annotations

import pytest

from croupier.errors import CroupierError
from croupier.games.head_to_head.acts import Decide, parse_act
from croupier.games.head_to_head.round import Round
from croupier.games.table.bets import Bet, Void
from croupier.games.table.record import read_record, write_record
from tests.games.support import assert_one_sentence, go_on, offer, play

HOUSE = offer("triple-shot-rummy", limits=(500, 10_000), chip_cents=100)
BETTING = "bet 1 ante 500"
DEALING = f"{BETTING}; no-more-bets; deal Qh 6c 4d"
DECIDING = f"{DEALING}; deal 9h 8d 3s"
OVER = f"{DECIDING}; decide 1 play; reveal; settle"

MISTAKES = {
    "an unknown card": (DEALING, "deal 9h 8d 1z"),
    "a card of two ranks": (DEALING, "deal 9h 8d 34s"),
    "a card twice in a packet": (DEALING, "deal 9h 8d 9h"),
    "a card that is out already": (DEALING, "deal 9h 8d Qh"),
    "a wager below the minimum": (BETTING, "bet 2 ante 400"),
    "a wager of nothing": (BETTING, "bet 2 ante 0"),
    "a wager above the maximum": (BETTING, "bet 2 ante 10100"),
    "a wager of parts of a chip": (BETTING, "bet 2 ante 550"),
    "a wager of parts of a cent": (BETTING, "bet 2 ante 500.5"),
    "a negative wager": (BETTING, "bet 2 ante -500"),
    "a Play above the Ante": (DECIDING, "decide 1 play with 600"),
    "a Play below the Ante": (DECIDING, "decide 1 play with 400"),
    "a bet after no more bets": (DEALING, "bet 2 ante 500"),
    "a packet before no more bets": (BETTING, "deal 9h 8d 3s"),
    "a packet too many": (DECIDING, "deal Tc Jc Qc"),
    "a decision before the cards": (DEALING, "decide 1 play"),
    "a decision of an empty seat": (DECIDING, "decide 5 play"),
    "a settlement before the decisions": (DECIDING, "settle"),
    "an act after the end": (OVER, "settle"),
    "a word nobody knows": (BETTING, "hit me"),
}


def table(script: str) -> Round:
    return play("triple-shot-rummy", script, offering=HOUSE)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_sentence_and_changes_nothing(mistake: str) -> None:
    script, act = MISTAKES[mistake]
    round_ = table(script)
    before = write_record(round_)
    with pytest.raises(CroupierError) as error:
        go_on(round_, act)
    assert_one_sentence(error.value)
    assert write_record(round_) == before


@pytest.mark.parametrize("cents", [500.0, 500.5, "500", None, True])
def test_a_wager_that_is_no_whole_number_is_refused(cents: object) -> None:
    round_ = table(BETTING)
    assert not round_.can(Bet(2, "ante", cents))  # type: ignore[arg-type]


@pytest.mark.parametrize("cents", [500.0, "500", True])
def test_a_play_that_is_no_whole_number_is_refused(cents: object) -> None:
    round_ = table(DECIDING)
    assert not round_.can(Decide(1, "play", cents))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["ann\nact settle", "a b", "\ud800", "ann\x00"])
def test_a_name_that_spoils_the_record_is_refused(name: str) -> None:
    round_ = table(BETTING)
    act = Bet(2, "ante", 500, name)
    if round_.can(act):
        read_record(write_record(round_.do(act)), Round)


@pytest.mark.parametrize("reason", ["a\nact settle", "rain  and   wind", "rain.", "\ud800"])
def test_a_reason_is_kept_or_refused(reason: str) -> None:
    round_ = table(BETTING)
    act = Void(reason)
    if round_.can(act):
        after = round_.do(act)
        assert read_record(write_record(after), Round).events == after.events
        assert "\n" not in after.events[-1].text
        assert ".." not in after.events[-1].text


def test_a_corrupted_record_is_one_sentence() -> None:
    text = write_record(table(OVER))
    with pytest.raises(CroupierError) as error:
        read_record(text.replace("bet 1 ante 500", "bet 1 ante 900"), Round)
    assert_one_sentence(error.value)


def test_acts_do_not_share_what_they_hold() -> None:
    round_ = table(DECIDING)
    one, other = round_.do(parse_act("decide 1 play")), round_.do(parse_act("decide 1 fold"))
    assert round_.seats[1].choice is None
    assert one.seats[1].wagers != other.seats[1].wagers == round_.seats[1].wagers
