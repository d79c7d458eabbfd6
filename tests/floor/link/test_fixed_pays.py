"""Fixed pays that wait for a card, as awards do, and the least time from START GAME to a hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from croupier.compliance.authority import Denied
from croupier.errors import Refusal
from croupier.floor.act import EntryKind
from croupier.floor.link.acts import (
    CallSupervisor,
    Confirm,
    EndGame,
    EnterHand,
    Reconfigure,
    StartGame,
    TakeBackHand,
    VoidAward,
)
from croupier.floor.link.link import Link, replay
from croupier.floor.link.setup import LinkSetup
from croupier.floor.refusals import No
from croupier.ledger.entry import Purpose
from support.room import (
    COLOR,
    EXECUTIVE,
    MANAGER,
    ONE_METER,
    OTHER_MANAGER,
    STYLE_A,
    SUITED,
    SUPERVISOR,
    THREE,
    THREE_METERS,
    TWO,
    LinkBook,
)
from tests.floor.link.test_cycle import refused

FROM_THE_TRAY = replace(ONE_METER, fixed_pay_card_cents=100_000)
OFF_THE_METER = replace(STYLE_A, fixed_pay_card_cents=100_000)
BOTH = pytest.mark.parametrize("setup", [FROM_THE_TRAY, OFF_THE_METER], ids=["tray", "meter"])


def game(setup: LinkSetup, *seats: int) -> LinkBook:
    floor = LinkBook(setup)
    floor.start(1, *(seats or (1, 2, 3)))
    return floor


def balances(floor: LinkBook) -> dict[str, int]:
    return {str(account): units for account, units in floor.link.state.book.balances.items() if units}


@BOTH
def test_from_the_set_amount_on_it_waits_for_a_card(setup: LinkSetup) -> None:
    """200 for 1 of $5 is $1,000: locked at the press, paid by the card, and no account moves in between."""
    floor = game(setup)
    before = balances(floor)
    award = floor.enter(1, 2, THREE)
    assert floor.entries[-1].kind == EntryKind.ENTER
    assert (floor.held(award), balances(floor)) == (100_000, before)
    refused(floor, No.UNDECIDED, EndGame, table=1)
    floor.do(CallSupervisor, table=1)
    refused(floor, No.CALLED, TakeBackHand, table=1, seat=2)
    card = floor.confirm(award, by=SUPERVISOR)
    assert card.facts["cents"] == 100_000
    paid = floor.cents(Purpose.PLAYERS) - before["players"] / 10**6
    assert paid == 100_000
    refused(floor, No.FINAL, TakeBackHand, table=1, seat=2)
    floor.end(1)
    assert floor.proved()
    assert replay("main", floor.entries).state == floor.link.state


@BOTH
def test_below_it_is_paid_at_once(setup: LinkSetup) -> None:
    floor = game(setup)
    floor.enter(1, 2, TWO)
    assert floor.entries[-1].kind == EntryKind.PAY
    assert not floor.link.state.awards
    floor.do(TakeBackHand, table=1, seat=2)
    floor.end(1)


@BOTH
def test_whoever_entered_it_does_not_confirm_it(setup: LinkSetup) -> None:
    floor = game(setup)
    award = floor.do(EnterHand, by=SUPERVISOR, table=1, seat=2, line=THREE).number
    with pytest.raises(Refusal) as caught:
        floor.confirm(award, by=SUPERVISOR)
    assert caught.value.code == Denied.SAME_PERSON
    floor.confirm(award, by=EXECUTIVE)


@BOTH
def test_above_the_threshold_it_takes_an_executive(setup: LinkSetup) -> None:
    floor = game(replace(setup, executive_threshold_cents=99_999))
    award = floor.enter(1, 2, THREE)
    with pytest.raises(Refusal) as caught:
        floor.confirm(award, by=SUPERVISOR)
    assert caught.value.code == Denied.NOT_ALLOWED
    floor.confirm(award, by=EXECUTIVE)


@BOTH
@pytest.mark.parametrize("called", [False, True])
def test_taken_back_or_voided_everything_is_as_it_was(setup: LinkSetup, *, called: bool) -> None:
    floor = game(setup)
    before = balances(floor)
    award = floor.enter(1, 2, THREE)
    if called:
        floor.do(CallSupervisor, table=1)
        entry = floor.do(VoidAward, by=SUPERVISOR, award=award, reason="The third seven was an eight.")
        assert entry.facts["cents"] == 100_000
    else:
        floor.do(TakeBackHand, table=1, seat=2)
    assert balances(floor) == before
    assert (floor.link.state.locked, floor.link.state.awards) == ({}, {})
    floor.end(1)
    assert replay("main", floor.entries).state == floor.link.state


def test_a_share_behind_it_on_its_meter_is_confirmed_after_it() -> None:
    """Off the meter: $1,000 leaves less for the share that comes after it."""
    floor = game(OFF_THE_METER, 1, 2, 3)
    pay, share = floor.enter(1, 3, THREE), floor.enter(1, 1, COLOR)
    assert floor.held(share) == (100_000 + 3 * 350 - 100_000) // 10
    assert refused(floor, No.OUT_OF_ORDER, Confirm, by=EXECUTIVE, award=share).startswith("The award of seat 3")
    floor.confirm(pay)
    floor.confirm(share)
    floor.end(1)
    assert floor.proved()
    assert floor.cents(Purpose.METER) == 3 * 350 - 105


def test_it_waits_for_a_share_that_comes_before_it() -> None:
    """It waits for the share, since the order goes over all that comes off the meters; before that law it did not."""
    floor = game(OFF_THE_METER, 1, 2, 3)
    pay, share = floor.enter(1, 1, THREE), floor.enter(1, 3, SUITED)
    refused(floor, No.OUT_OF_ORDER, Confirm, by=SUPERVISOR, award=pay)
    floor.confirm(share)
    floor.confirm(pay)
    floor = game(OFF_THE_METER, 1, 2, 3)
    pay, share = floor.enter(1, 1, THREE, law=3), floor.enter(1, 3, SUITED)
    floor.confirm(pay)
    assert floor.held(share) == 101_050
    floor.confirm(share)
    floor.end(1)
    assert floor.proved()
    assert floor.cents(Purpose.METER) == 100_000 + 3 * 10 - 100_000


def test_from_the_tray_it_holds_up_no_share() -> None:
    floor = game(FROM_THE_TRAY, 1, 3)
    pay, share = floor.enter(1, 3, THREE), floor.enter(1, 1, COLOR)
    floor.confirm(share)
    floor.confirm(pay)
    floor.end(1)


def test_a_snapshot_keeps_what_is_locked() -> None:
    floor = game(replace(THREE_METERS, style=STYLE_A.style, fixed_pay_card_cents=0))
    floor.enter(1, 2, THREE)
    floor.enter(1, 3, TWO)
    assert floor.link.state.locked
    assert Link.of_snapshot(floor.link.snapshot()).state == floor.link.state


def test_older_setups_have_none_and_keep_their_digest() -> None:
    assert not {"fixed_pay_card_cents", "least_round_s"} & ONE_METER.as_json().keys()
    assert LinkSetup.of_json(ONE_METER.as_json()) == ONE_METER
    floor = LinkBook(opened=False)
    entry = floor.do(Reconfigure, by=MANAGER, second=OTHER_MANAGER, setup=replace(FROM_THE_TRAY, least_round_s=5))
    assert entry.facts["changed"] == ["fixed_pay_card_cents", "least_round_s"]
    assert entry.facts["new"]["least_round_s"] == 5


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"fixed_pay_card_cents": -1}, "the least fixed pay that takes a card is $0.00 to"),
        ({"least_round_s": 601}, "the least time to a hand is 0 to 600 seconds, not 601"),
    ],
)
def test_what_cannot_be_set(change: dict[str, Any], words: str) -> None:
    with pytest.raises(Refusal, match=words.replace("$", r"\$")):
        replace(ONE_METER, **change)


def test_games_with_cards_for_fixed_pays_go_by_the_newest_law() -> None:
    floor = game(OFF_THE_METER)
    refused(floor, No.OTHER_LAW, EnterHand, table=1, seat=2, line=THREE, law=2)


# The least time


def test_a_hand_that_comes_too_soon_says_how_long_to_wait() -> None:
    floor = game(replace(ONE_METER, least_round_s=5))
    floor.seconds = 3
    sentence = refused(floor, No.TOO_SOON, EnterHand, table=1, seat=2, line=TWO)
    assert sentence == "A hand comes 5 seconds after START GAME at the earliest: wait 2 seconds, then press it again."
    floor.seconds = 4
    assert "wait 1 second," in refused(floor, No.TOO_SOON, EnterHand, table=1, seat=2, line=COLOR)
    floor.seconds = 5
    floor.enter(1, 2, TWO)


def test_a_game_that_was_started_by_accident_is_ended_and_started_again_at_once() -> None:
    floor = game(replace(ONE_METER, least_round_s=5))
    floor.end(1)
    floor.start(1, 1)
    refused(floor, No.TOO_SOON, EnterHand, table=1, seat=1, line=TWO)


def test_forty_eight_pays_take_their_time() -> None:
    """What one dealer's card did in a tenth of a second: seven hands a game, and a game takes its time."""
    floor = LinkBook(replace(STYLE_A, least_round_s=5, fixed_pay_card_cents=100_000))
    paid = 0
    while paid < 48:
        floor.do(StartGame, table=1, lit=(1, 2, 3, 4, 5, 6, 7), based=(1, 2, 3, 4, 5, 6, 7))
        refused(floor, No.TOO_SOON, EnterHand, table=1, seat=1, line=TWO)
        floor.seconds += 5
        for seat in range(1, 8):
            floor.enter(1, seat, TWO)
            paid += 1
        floor.end(1)
    assert floor.seconds == 5 * 7
