"""Awards: locked when the hand is entered, held until a card decides, taken in the order of the rules."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.compliance.authority import Denied
from croupier.compliance.profile import Lawful
from croupier.errors import Refusal
from croupier.floor.link.acts import (
    Adjust,
    CallSupervisor,
    Confirm,
    EnterHand,
    OpenLink,
    Reconfigure,
    TakeBackHand,
    VoidAward,
)
from croupier.floor.link.brief import LinkBrief
from croupier.floor.link.link import replay
from croupier.floor.link.setup import AwardOrder
from croupier.floor.refusals import No
from croupier.ledger.entry import Purpose
from support.room import (
    COLOR,
    DEALER,
    DIAMONDS,
    EXECUTIVE,
    MANAGER,
    ONE,
    ONE_METER,
    OTHER_SUIT,
    STYLE_A,
    SUITED,
    SUPERVISOR,
    THREE,
    THREE_METERS,
    TWO,
    LinkBook,
    with_level,
)
from tests.audit.auditor import Auditor
from tests.floor.link.test_cycle import refused

EVERY_SEAT = (1, 2, 3, 4, 5, 6, 7)


def round_of(*seats: int, setup: Any = ONE_METER) -> LinkBook:
    """A game at table 1, with all meters at their seeds but for this round's contribution."""
    floor = LinkBook(setup)
    floor.start(1, *(seats or EVERY_SEAT))
    return floor


# One award


def test_a_share_is_locked_in_whole_cents_when_the_hand_is_entered() -> None:
    floor = round_of(1, 2, 3)
    award = floor.enter(1, 2, COLOR)
    assert floor.held(award) == 100_034  # a tenth of $10,003.45
    assert floor.inside(Purpose.PENDING) == 100_034
    assert floor.inside(Purpose.METER) == 1_000_345 - 100_034
    assert (floor.cents(Purpose.PENDING), floor.cents(Purpose.METER)) == (0, 1_000_345)


def test_what_is_below_a_cent_stays_on_the_meter() -> None:
    floor = round_of(1, setup=THREE_METERS)
    award = floor.enter(1, 1, DIAMONDS)
    assert floor.held(award) == 1_000_060
    # 500 x 120,001 millionths are $0.600005: the rest of a cent is under the next seed and reserve.
    floor.confirm(award)
    assert floor.units(Purpose.METER, "Mega") == 1_000_000 * 10**6 + 500 + 5_000_000


def test_an_award_of_all_of_it_seeds_the_next_meter_in_the_entry_of_the_card() -> None:
    floor = round_of(1, 2, 3)
    award = floor.enter(1, 2, SUITED)
    locked = floor.entries[-1].facts["locked"]
    assert [source for source, _, _ in locked] == ["house", "meter", "reserve"]
    assert floor.entries[-1].transfers == ()
    assert floor.inside(Purpose.METER) == 1_000_000 + 15
    assert floor.inside(Purpose.RESERVE) == 0
    assert (floor.cents(Purpose.METER), floor.cents(Purpose.RESERVE)) == (1_000_345, 15)
    card = floor.confirm(award)
    assert [str(transfer.source) for transfer in card.transfers] == ["meter", "house", "reserve", "pending"]
    assert card.facts["locked"] == sorted([target, source, units] for source, target, units in locked)
    assert floor.cents(Purpose.METER) == 1_000_000 + 15
    assert card.facts["shown_cents"] == 1_000_015
    assert not floor.link.state.locked


def test_other_tables_play_on_with_what_remains() -> None:
    floor = round_of(1)
    floor.enter(1, 1, SUITED)
    floor.start(2, 1)
    assert floor.inside(Purpose.METER) == 1_000_000 + 5 + 115
    assert floor.held(floor.enter(2, 1, COLOR)) == 100_012


def test_confirmed_it_is_paid_and_final() -> None:
    floor = round_of(1)
    award = floor.enter(1, 1, COLOR)
    floor.confirm(award)
    assert floor.cents(Purpose.PENDING) == 0
    assert award not in floor.link.state.awards
    assert refused(floor, No.FINAL, TakeBackHand, table=1, seat=1).endswith("two people in the office can back it out.")
    refused(floor, No.NO_SUCH_AWARD, VoidAward, by=SUPERVISOR, award=award, reason="wrong hand")
    refused(floor, No.NO_SUCH_AWARD, Confirm, by=EXECUTIVE, award=award)
    refused(floor, No.ALREADY_ENTERED, EnterHand, table=1, seat=1, line=ONE)


def test_pressing_the_hand_again_takes_it_back() -> None:
    floor = round_of(1, 2)
    before = dict(floor.link.state.book.balances)
    floor.enter(1, 2, SUITED)
    floor.do(TakeBackHand, table=1, seat=2)
    assert {a: u for a, u in floor.link.state.book.balances.items() if u} == before
    assert floor.enter(1, 2, COLOR)


def test_voided_before_the_card_everything_is_released() -> None:
    floor = round_of(1, 2)
    before = dict(floor.link.state.book.balances)
    award = floor.enter(1, 2, SUITED)
    entry = floor.do(VoidAward, by=SUPERVISOR, award=award, reason="the third seven was a spade")
    assert entry.facts["reason"] == "the third seven was a spade"
    assert {a: u for a, u in floor.link.state.book.balances.items() if u} == before
    floor.end(1)


def test_a_void_keeps_what_came_meanwhile() -> None:
    floor = round_of(1)
    award = floor.enter(1, 1, SUITED)
    floor.start(2, 1, 2)
    floor.do(VoidAward, by=SUPERVISOR, award=award, reason="misread")
    assert floor.cents(Purpose.METER) == 1_000_000 + 3 * 115
    assert floor.cents(Purpose.RESERVE) == 3 * 5
    assert floor.cents(Purpose.HOUSE) == -1_000_000


def test_a_void_takes_back_the_next_meter_only_as_far_as_it_is_there() -> None:
    """The first award was small; another table has won a tenth of the next meter; the house's seed bears the rest."""
    floor = LinkBook(STYLE_A)
    for _ in range(8):
        floor.start(1, 1)
        floor.enter(1, 1, TWO)
        floor.end(1)
    floor.start(1, 1)
    award = floor.enter(1, 1, SUITED)
    assert floor.held(award) == 100_000 + 9 * 350 - 8 * 12_500
    floor.start(2, 1)
    tenth = floor.enter(2, 1, COLOR)
    assert floor.held(tenth) == (100_000 + 9 * 10 + 350) // 10
    floor.confirm(tenth)
    floor.do(VoidAward, by=SUPERVISOR, award=award, reason="misread")
    there = 3_150 + 100_440 - 10_044
    assert floor.cents(Purpose.RESERVE) == 9 * 10 + 10
    assert floor.cents(Purpose.METER) == 0
    assert floor.cents(Purpose.HOUSE) == -200_000 + there - 90
    assert floor.proved()


def test_a_released_award_does_not_lift_the_meter_above_its_maximum() -> None:
    floor = round_of(1, 2, setup=with_level(ONE_METER, maximum_cents=1_000_230))
    award = floor.enter(1, 2, COLOR)
    floor.start(2, 1)
    floor.do(VoidAward, by=SUPERVISOR, award=award, reason="misread")
    assert floor.cents(Purpose.METER) == 1_000_230
    assert floor.cents(Purpose.OVERFLOW) == 115


def test_an_award_that_is_locked_again_is_not_above_the_maximum() -> None:
    floor = round_of(1, 2, setup=with_level(ONE_METER, maximum_cents=1_000_230))
    floor.enter(1, 1, COLOR)
    floor.start(2, 1)
    award = floor.enter(1, 2, SUITED)
    assert floor.held(award) == 1_000_230
    assert floor.proved()


def test_an_award_of_an_empty_meter_is_of_nothing_and_alarms() -> None:
    floor = LinkBook(with_level(STYLE_A, seed_cents=0, contribution_ppm=0, reserve_ppm=0))
    floor.start(1, 1)
    award = floor.enter(1, 1, SUITED)
    assert floor.held(award) == 0
    assert "empty" in floor.entries[-1].facts["alarm"]
    floor.confirm(award)
    floor.end(1)


# Cards of the house


@pytest.mark.parametrize(
    ("cents", "by", "fine"),
    [
        (500_000, SUPERVISOR, True),
        (500_000, EXECUTIVE, True),
        (500_001, SUPERVISOR, False),
        (500_001, EXECUTIVE, True),
        (1, DEALER, False),
        (500_001, MANAGER, False),
    ],
)
def test_a_supervisors_card_up_to_the_threshold_an_executives_above(cents: int, by: Any, *, fine: bool) -> None:
    setup = replace(with_level(ONE_METER, seed_cents=cents, contribution_ppm=0, reserve_ppm=0))
    floor = round_of(1, setup=setup)
    award = floor.enter(1, 1, SUITED)
    if fine:
        floor.confirm(award, by=by)
        assert floor.entries[-1].facts["by"] == by.as_list()
        return
    with pytest.raises(Refusal) as caught:
        floor.confirm(award, by=by)
    assert caught.value.code == Denied.NOT_ALLOWED


def test_a_supervisor_is_called_while_an_award_waits() -> None:
    floor = round_of(1, 2)
    refused(floor, No.NOTHING_TO_CONFIRM, CallSupervisor, table=1)
    award = floor.enter(1, 1, COLOR)
    floor.do(CallSupervisor, table=1)
    assert floor.link.state.awards[award].called


# Several awards


def test_from_the_dealers_right_each_on_what_the_one_before_left() -> None:
    floor = round_of(2, 4, 6)
    sixth = floor.enter(1, 6, COLOR)
    second = floor.enter(1, 2, COLOR)
    assert floor.held(sixth) == 100_034
    assert floor.held(second) == 90_031


def test_a_seat_that_comes_first_but_is_entered_later_is_locked_first() -> None:
    floor = round_of(2, 4, 6)
    second = floor.enter(1, 2, COLOR)
    assert floor.held(second) == 100_034
    sixth = floor.enter(1, 6, COLOR)
    assert floor.held(sixth) == 100_034
    assert floor.held(second) == 90_031
    assert [award["seat"] for award in floor.entries[-1].facts["held"]] == [6, 2]


def test_two_awards_of_all_of_it_give_the_second_the_next_meter() -> None:
    floor = round_of(2, 6)
    second = floor.enter(1, 2, SUITED)
    sixth = floor.enter(1, 6, SUITED)
    assert floor.held(sixth) == 1_000_230
    assert floor.held(second) == 1_000_010  # the seed and the reserve of two wagers
    assert floor.inside(Purpose.METER) == 1_000_000
    assert floor.inside(Purpose.HOUSE) == -3_000_000


def test_when_the_first_is_taken_back_the_others_are_locked_again() -> None:
    floor = round_of(2, 6)
    floor.enter(1, 6, SUITED)
    second = floor.enter(1, 2, SUITED)
    floor.do(TakeBackHand, table=1, seat=6)
    assert floor.held(second) == 1_000_230
    assert floor.inside(Purpose.HOUSE) == -2_000_000


def test_when_the_first_is_voided_the_others_are_locked_again() -> None:
    floor = round_of(2, 6)
    sixth = floor.enter(1, 6, COLOR)
    second = floor.enter(1, 2, COLOR)
    floor.do(VoidAward, by=SUPERVISOR, award=sixth, reason="no wager")
    assert floor.held(second) == 100_023


def test_in_order_of_entry_where_the_house_says_so() -> None:
    floor = round_of(2, 6, setup=replace(ONE_METER, order=AwardOrder.ENTRY))
    second, sixth = floor.enter(1, 2, COLOR), floor.enter(1, 6, COLOR)
    assert (floor.held(second), floor.held(sixth)) == (100_023, 90_020)


def test_the_later_award_is_confirmed_after_the_one_it_depends_on() -> None:
    floor = round_of(2, 6)
    sixth, second = floor.enter(1, 6, COLOR), floor.enter(1, 2, COLOR)
    sentence = refused(floor, No.OUT_OF_ORDER, Confirm, by=EXECUTIVE, award=second)
    assert sentence == "The award of seat 6 at table 1 comes before that of seat 2: decide it first."
    floor.confirm(sixth)
    floor.confirm(second)


def test_a_confirmed_award_stays_when_a_seat_before_it_comes_late() -> None:
    floor = round_of(2, 6)
    floor.confirm(floor.enter(1, 2, COLOR))
    sixth = floor.enter(1, 6, COLOR)
    assert floor.held(sixth) == 90_020
    assert floor.entries[-1].facts["confirmed_before_it"] == [2]


def test_all_meters_of_a_game_have_one_order_from_the_dealers_right() -> None:
    """Document 000, 12b, 11c and 9b: whoever sits farthest on the right is paid first, whichever meter it is of."""
    floor = round_of(1, 2, 6, setup=THREE_METERS)
    minor, mega, major = floor.enter(1, 1, COLOR), floor.enter(1, 6, DIAMONDS), floor.enter(1, 2, OTHER_SUIT)
    assert [award.seat for award in LinkBrief.of(floor.link.state).awards] == [6, 2, 1]
    assert floor.do(CallSupervisor, table=1).facts["awards"] == [mega, major, minor]
    for award, seat in ((minor, 1), (major, 2)):
        words = refused(floor, No.OUT_OF_ORDER, Confirm, by=EXECUTIVE, award=award)
        assert f"The award of seat 6 at table 1 comes before that of seat {seat}" in words
    for award in (mega, major, minor):
        floor.confirm(award)


def test_the_order_of_entry_goes_over_all_meters_too() -> None:
    floor = round_of(1, 2, 6, setup=replace(THREE_METERS, order=AwardOrder.ENTRY))
    minor, mega = floor.enter(1, 1, COLOR), floor.enter(1, 6, DIAMONDS)
    refused(floor, No.OUT_OF_ORDER, Confirm, by=EXECUTIVE, award=mega)
    floor.confirm(minor)
    floor.confirm(mega)


def test_levels_do_not_wait_for_each_other_under_an_earlier_law() -> None:
    floor = round_of(2, 6, setup=THREE_METERS)
    mega, major = floor.enter(1, 6, DIAMONDS, law=3), floor.enter(1, 2, OTHER_SUIT)
    floor.confirm(major)
    floor.confirm(mega)
    assert replay("main", floor.entries).state == floor.link.state


def test_two_tables_have_one_order_the_order_of_the_book() -> None:
    floor = round_of(1)
    floor.start(2, 7)
    first = floor.enter(1, 1, COLOR)
    other = floor.enter(2, 7, COLOR)
    assert (floor.held(first), floor.held(other)) == (100_023, 90_020)


@given(
    st.permutations(EVERY_SEAT).flatmap(lambda seats: st.tuples(st.just(seats), st.integers(0, 7))),
    st.sets(st.sampled_from(EVERY_SEAT)),
)
def test_amounts_do_not_depend_on_the_order_of_entry(entered: tuple[list[int], int], whole: set[int]) -> None:
    """In whatever order the dealer presses, also with hands taken back, seats get what the rule's order gives them."""
    seats, taken_back = entered
    right, pressed = round_of(), round_of()
    for seat in seats:
        pressed.enter(1, seat, SUITED if seat in whole else COLOR)
    for seat in seats[:taken_back]:
        pressed.do(TakeBackHand, table=1, seat=seat)
    for seat in sorted(seats[taken_back:], reverse=True):
        right.enter(1, seat, SUITED if seat in whole else COLOR)
    assert amounts(pressed) == amounts(right)
    assert balances(pressed) == balances(right)


@pytest.mark.parametrize("seats", list(permutations((2, 4, 6))))
def test_every_order_of_three_gives_the_same(seats: tuple[int, ...]) -> None:
    lines = {2: SUITED, 4: COLOR, 6: SUITED}
    floor = round_of(2, 4, 6)
    auditor = Auditor()
    for seat in seats:
        floor.enter(1, seat, lines[seat])
    for entry in floor.entries:
        auditor.see(entry.as_json())
    assert amounts(floor) == {6: 1_000_345, 4: 100_001, 2: 900_014}


def amounts(floor: LinkBook) -> dict[int, int]:
    return {award.seat: award.cents for award in floor.link.state.awards.values()}


def balances(floor: LinkBook) -> dict[str, int]:
    return {str(account): units for account, units in floor.link.state.book.balances.items() if units}


# A round stands as it stood when its first hand was entered, whatever other tables do meanwhile


def test_a_hand_pressed_by_accident_does_not_change_what_a_winner_has_locked() -> None:
    floor = round_of(1, 6)
    floor.start(2, 3)
    first = floor.enter(1, 1, SUITED)
    locked = floor.held(first)
    floor.confirm(floor.enter(2, 3, COLOR))
    after_both = floor.cents(Purpose.METER)
    floor.enter(1, 6, COLOR)
    floor.do(TakeBackHand, table=1, seat=6)
    assert floor.held(first) == locked
    assert floor.cents(Purpose.METER) == after_both


def test_a_later_award_elsewhere_is_not_charged_to_an_earlier_round() -> None:
    alone, floor = round_of(1, 6), round_of(1, 6)
    floor.start(2, 3)
    alone.start(2, 3)
    for each in (alone, floor):
        each.enter(1, 1, SUITED)
    floor.confirm(floor.enter(2, 3, COLOR))
    for each in (alone, floor):
        each.enter(1, 6, COLOR)
    assert amounts(floor) == amounts(alone)
    assert "alarm" not in floor.entries[-1].facts


def test_wagers_and_adjustments_meanwhile_do_not_change_a_rounds_amounts() -> None:
    alone, floor = round_of(1, 6), round_of(1, 6)
    for each in (alone, floor):
        each.enter(1, 1, COLOR)
    for _ in range(20):
        floor.start(2, *EVERY_SEAT)
        floor.end(2)
    values = {"level": "", "reason": Lawful.MALFUNCTION, "source": Purpose.METER, "target": Purpose.TRAY}
    floor.do(Adjust, by=MANAGER, second=EXECUTIVE, cents=500_000, text="sensor", **values)
    for each in (alone, floor):
        each.enter(1, 6, COLOR)
    assert amounts(floor) == amounts(alone)


def test_where_another_table_has_emptied_the_meter_the_house_adds_and_alarms() -> None:
    floor = LinkBook(opened=False)
    floor.do(Reconfigure, by=MANAGER, second=EXECUTIVE, setup=with_level(ONE_METER, seed_cents=1_000))
    floor.do(OpenLink, by=MANAGER)
    floor.start(1, 1, 6)
    floor.start(2, 3)
    floor.enter(1, 1, COLOR)
    floor.confirm(floor.enter(2, 3, SUITED))
    house, meter = floor.inside(Purpose.HOUSE), floor.inside(Purpose.METER)
    assert meter == 1_015
    floor.enter(1, 6, SUITED)
    assert amounts(floor) == {6: 1_000_345, 1: 101}
    assert "the house has added" in floor.entries[-1].facts["alarm"]
    assert floor.inside(Purpose.METER) == 0
    assert floor.inside(Purpose.HOUSE) == house - 1_000 - (1_000_345 + 101 - 100_034 - 2_015)
    floor.do(TakeBackHand, table=1, seat=6)
    assert amounts(floor) == {1: 100_034}
    assert (floor.inside(Purpose.HOUSE), floor.inside(Purpose.METER)) == (house, meter)
    assert floor.proved()


def test_what_was_short_is_said_by_the_award_that_wanted_it() -> None:
    """Another table has won the reserve; the first award wanted it, is confirmed, and leaves the other as it is."""
    floor = round_of(1, 7)
    floor.start(2, 3)
    last = floor.enter(1, 1, COLOR)
    reserve = floor.units(Purpose.RESERVE)
    floor.confirm(floor.enter(2, 3, SUITED))
    first = floor.enter(1, 7, SUITED)
    awards = floor.link.state.awards
    assert (awards[first].reserve_units, awards[first].short_reserve_units) == (reserve, reserve)
    assert awards[last].short_reserve_units == 0
    floor.confirm(first)
    floor.start(3, 1)
    before = floor.units(Purpose.RESERVE)
    floor.do(TakeBackHand, table=1, seat=1)
    assert floor.units(Purpose.RESERVE) == before
    floor.end(1)


def test_an_award_voided_under_others_that_were_locked_since_alarms() -> None:
    floor = round_of(1)
    floor.start(2, 3)
    first, later = floor.enter(1, 1, COLOR), floor.enter(2, 3, COLOR)
    amount = floor.held(later)
    floor.do(TakeBackHand, table=1, seat=1)
    assert floor.entries[-1].facts["alarm"].endswith(f"stay as they are: {later}.")
    assert floor.held(later) == amount
    assert first not in floor.link.state.awards


def test_an_accident_alone_leaves_nothing_for_the_next_hand_of_the_game() -> None:
    floor = round_of(1, 6)
    floor.enter(1, 1, COLOR)
    floor.do(TakeBackHand, table=1, seat=1)
    floor.start(2, *EVERY_SEAT)
    award = floor.enter(1, 6, SUITED)
    assert floor.held(award) == 1_000_000 + 9 * 115


@given(st.permutations(EVERY_SEAT), st.integers(0, 7), st.sets(st.sampled_from(EVERY_SEAT)))
def test_in_style_a_fixed_pays_are_taken_in_the_same_order(seats: list[int], back: int, shares: set[int]) -> None:
    """Whatever the order of entry, a share is taken of the meter that the seats before it have left."""
    right, pressed = round_of(setup=STYLE_A), round_of(setup=STYLE_A)
    for seat in seats:
        pressed.enter(1, seat, COLOR if seat in shares else TWO)
    for seat in seats[:back]:
        pressed.do(TakeBackHand, table=1, seat=seat)
    for seat in sorted(seats[back:], reverse=True):
        right.enter(1, seat, COLOR if seat in shares else TWO)
    assert amounts(pressed) == amounts(right)


def test_in_style_a_a_fixed_pay_taken_back_gives_the_share_its_money_back() -> None:
    floor = round_of(1, 6, setup=STYLE_A)
    floor.enter(1, 6, TWO)
    award = floor.enter(1, 1, SUITED)
    assert floor.held(award) == 100_000 + 700 - 12_500
    floor.do(TakeBackHand, table=1, seat=6)
    assert floor.held(award) == 100_000 + 700


# Four eyes


def test_whoever_enters_a_hand_does_not_confirm_or_override_it() -> None:
    floor = round_of(1)
    claim = {"table": 1, "seat": 1, "line": SUITED, "cards": "2c 3d 4h"}
    override = {"override_by": EXECUTIVE, "override_reason": "seen"}
    refused(floor, Denied.SAME_PERSON, EnterHand, by=EXECUTIVE, **claim, **override)
    award = floor.enter(1, 1, SUITED, by=EXECUTIVE)
    refused(floor, Denied.SAME_PERSON, Confirm, by=EXECUTIVE, award=award)


def test_the_card_confirms_the_amount_that_was_seen() -> None:
    floor = round_of(1, 6)
    award = floor.enter(1, 1, COLOR)
    seen = floor.held(award)
    floor.confirm(floor.enter(1, 6, COLOR))
    words = refused(floor, No.OTHER_AMOUNT, Confirm, by=EXECUTIVE, award=award, cents=seen)
    assert "$900.20 now, not $1,000.23" in words
    floor.do(Confirm, by=EXECUTIVE, award=award, cents=floor.held(award))


def test_once_a_supervisor_is_called_a_hand_is_not_taken_back() -> None:
    floor = round_of(1)
    award = floor.enter(1, 1, COLOR)
    floor.do(CallSupervisor, table=1)
    refused(floor, No.CALLED, TakeBackHand, table=1, seat=1)
    floor.do(VoidAward, by=SUPERVISOR, award=award, reason="misread")


# The cards of a round


def test_all_seats_see_the_same_up_card() -> None:
    floor = round_of(1, 2)
    floor.enter(1, 1, SUITED, cards="7d 7d 7d")
    other: dict[str, Any] = {"table": 1, "seat": 2, "line": SUITED}
    assert "the up card at seat 1 is 7d, not 7h" in refused(floor, No.WRONG_CARDS, EnterHand, **other, cards="7h 7h 7h")
    floor.do(EnterHand, **other, cards="7d 7d 7d")


def test_no_card_is_on_the_table_more_often_than_in_the_shoe() -> None:
    floor = round_of(1, 2, 3)
    floor.enter(1, 1, SUITED, cards="7d 7d 7d")
    floor.enter(1, 2, SUITED, cards="7d 7d 7d")
    third = {"table": 1, "seat": 3, "line": SUITED, "cards": "7d 7d 7d"}
    assert "7 times, of 6 decks" in refused(floor, No.WRONG_CARDS, EnterHand, **third)


# Refused hands


def test_a_hand_needs_a_game_a_wager_and_a_line() -> None:
    floor = LinkBook()
    refused(floor, No.NO_GAME, EnterHand, table=1, seat=1, line=ONE)
    floor.start(1, 1, 2)
    refused(floor, No.NO_WAGER, EnterHand, table=1, seat=3, line=ONE)
    sentence = refused(floor, No.NO_SUCH_LINE, EnterHand, table=1, seat=1, line="Four 7's")
    assert "Paytable 1 has no hand \"Four 7's\"; there are: Three 7's - Same Suit" in sentence
    refused(floor, No.NOTHING_ENTERED, TakeBackHand, table=1, seat=2)
    floor.enter(1, 1, "three 7s same color".replace("7s", "7's"))
    refused(floor, No.ALREADY_ENTERED, EnterHand, table=1, seat=1, line=COLOR)


# Fixed pays


@pytest.mark.parametrize(("line", "cents"), [(THREE, 100_000), (TWO, 12_500), (ONE, 1_000)])
def test_style_b_pays_fixed_lines_from_the_tray_at_once(line: str, cents: int) -> None:
    floor = round_of(1)
    meter, tray = floor.cents(Purpose.METER), floor.cents(Purpose.TRAY)
    floor.enter(1, 1, line)
    assert floor.entries[-1].kind == "pay"
    assert floor.cents(Purpose.METER) == meter
    assert floor.cents(Purpose.TRAY) == tray - cents
    floor.end(1)


def test_a_fixed_pay_pressed_by_accident_is_taken_back() -> None:
    floor = round_of(1)
    before = balances(floor)
    floor.enter(1, 1, TWO)
    floor.do(TakeBackHand, table=1, seat=1)
    assert balances(floor) == before
    assert floor.entries[-1].kind == "unpay"


def test_style_a_pays_fixed_lines_from_the_meter() -> None:
    floor = round_of(1, setup=STYLE_A)
    floor.enter(1, 1, TWO)
    assert floor.cents(Purpose.METER) == 100_000 + 350 - 12_500
    assert "alarm" not in floor.entries[-1].facts


def test_style_a_divides_a_fixed_pay_as_the_contribution_is() -> None:
    floor = round_of(1, setup=replace(THREE_METERS, style=STYLE_A.style))
    before = {level: floor.units(Purpose.METER, level) for level in ("Mega", "Major", "Minor")}
    floor.enter(1, 1, TWO)
    taken = {level: before[level] - floor.units(Purpose.METER, level) for level in before}
    assert sum(taken.values()) == 12_500 * 10**6
    assert taken["Major"] == 12_500 * 10**6 * 80_003 // 240_011
    floor.do(TakeBackHand, table=1, seat=1)
    assert {level: floor.units(Purpose.METER, level) for level in before} == before


def test_a_meter_that_runs_dry_pays_what_the_rules_say_and_alarms() -> None:
    floor = round_of(1, setup=with_level(STYLE_A, seed_cents=1_000))
    floor.enter(1, 1, TWO)
    assert floor.cents(Purpose.METER) == 0
    assert floor.cents(Purpose.HOUSE) == -1_000 - (12_500 - 1_350)
    assert floor.entries[-1].facts["alarm"] == "Progressive ran dry: the house has added what was missing."
    floor.do(TakeBackHand, table=1, seat=1)
    assert floor.cents(Purpose.METER) == 1_350
    assert floor.cents(Purpose.HOUSE) == -1_000


# Cards check the claim


@pytest.mark.parametrize(
    ("cards", "line"),
    [
        ("7d 7d 7d", SUITED),
        ("7s 7s 7s", SUITED),
        ("7d 7h 7d", COLOR),
        ("7d 7s 7h", THREE),
        ("7d 7s Kh", TWO),
        ("7d 2s 7h", ONE),
    ],
)
def test_the_cards_make_the_line(cards: str, line: str) -> None:
    floor = round_of(1)
    floor.enter(1, 1, line, cards=cards)
    assert floor.entries[-1].facts["cards_make"] == line


@pytest.mark.parametrize(
    ("cards", "made"), [("7d 7s 7h", '"Three 7\'s"'), ("2d 7s 7h", "'Either of"), ("2d 3d 4d", "no hand that pays")]
)
def test_a_claim_against_the_cards_is_refused(cards: str, made: str) -> None:
    sentence = refused(round_of(1), No.CARDS_DISAGREE, EnterHand, table=1, seat=1, line=SUITED, cards=cards)
    assert f"make {made}" in sentence


def test_a_supervisor_overrides_with_a_reason_on_record() -> None:
    floor = round_of(1)
    fields: dict[str, Any] = {"table": 1, "seat": 1, "line": SUITED, "cards": "7d 7s 7h", "override_by": SUPERVISOR}
    refused(floor, No.NO_REASON, EnterHand, **fields)
    refused(floor, No.NO_REASON, EnterHand, **fields, override_reason="x" * 501)
    entry = floor.do(EnterHand, **fields, override_reason="camera shows 7d 7d 7d")
    assert entry.facts["override"] == {"by": ["sue", "supervisor"], "reason": "camera shows 7d 7d 7d"}
    assert entry.facts["cards_make"] == THREE


def test_a_dealer_does_not_override() -> None:
    with pytest.raises(Refusal) as caught:
        round_of(1).do(
            *(EnterHand,), table=1, seat=1, line=SUITED, cards="7d 7s 7h", override_by=DEALER, override_reason="sure"
        )
    assert caught.value.code == Denied.NOT_ALLOWED


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("7d 7x 7d", "'7x' is no card"),
        ("7d 7d", "they are the player's first two and the dealer's up card"),
        ("7d 7d 7d 7d", "the dealer's up card"),
    ],
)
def test_cards_that_cannot_be_checked_are_refused(cards: str, words: str) -> None:
    assert words in refused(round_of(1), No.WRONG_CARDS, EnterHand, table=1, seat=1, line=SUITED, cards=cards)


def test_in_the_players_version_the_third_card_may_be_missing() -> None:
    setup = replace(
        ONE_METER,
        wager="blazing-7s-player",
        tables=tuple(replace(each, wager="blazing-7s-player") for each in ONE_METER.tables),
    )
    floor = round_of(1, setup=setup)
    floor.enter(1, 1, TWO, cards="7d 7h")
    floor.do(TakeBackHand, table=1, seat=1)
    floor.enter(1, 1, SUITED, cards="7d 7d 7d")
    assert "third, if there is one" in refused(
        round_of(1, setup=setup), No.WRONG_CARDS, EnterHand, table=1, seat=1, line=TWO, cards="7d"
    )


@pytest.mark.parametrize("reason", ["", "   ", "a\nb", "x" * 501])
def test_a_void_says_why(reason: str) -> None:
    floor = round_of(1)
    award = floor.enter(1, 1, COLOR)
    refused(floor, No.NO_REASON, VoidAward, by=SUPERVISOR, award=award, reason=reason)


def test_a_void_or_confirmation_of_nothing_is_refused() -> None:
    floor = round_of(1)
    for act in (Confirm, VoidAward):
        fields = {"reason": "x"} if act is VoidAward else {}
        assert refused(floor, No.NO_SUCH_AWARD, act, by=EXECUTIVE, award=99, **fields).startswith(
            "There is no undecided award 99"
        )
