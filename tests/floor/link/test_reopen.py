"""A winner who is seen after END GAME: a supervisor reopens the game, and what it pays is as the meters stood then."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from croupier.compliance.authority import Denied
from croupier.errors import Refusal
from croupier.floor.link.acts import BackOut, Reconfigure, ReopenGame, TakeBackHand, VoidAward
from croupier.floor.link.brief import LinkBrief
from croupier.floor.link.link import Link, replay
from croupier.floor.link.setup import LinkSetup
from croupier.floor.refusals import No
from croupier.ledger.entry import Entry, Purpose
from support.room import (
    COLOR,
    DEALER,
    DIAMONDS,
    EXECUTIVE,
    MANAGER,
    ONE,
    ONE_METER,
    OTHER_MANAGER,
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
from tests.floor.link.test_cycle import refused

LATE: dict[str, Any] = {"by": SUPERVISOR, "table": 1, "reason": "A winner was seen late."}


def ended(setup: LinkSetup = ONE_METER, *seats: int) -> LinkBook:
    """A game has ended at table 1, and another was played at table 2 since."""
    floor = LinkBook(setup)
    floor.start(1, *(seats or (1, 2)))
    floor.end(1)
    floor.start(2, 3)
    return floor


def reopened(floor: LinkBook) -> Entry:
    return floor.do(ReopenGame, **LATE)


def test_a_late_winner_is_paid_from_what_stood_and_the_meter_keeps_what_came_since() -> None:
    floor = ended()
    stood = LinkBrief.of(floor.link.state).shown_cents[""] - 115
    entry = reopened(floor)
    assert entry.facts["stands"][""]["meter"] == stood * 1_000_000
    assert (entry.facts["seats"], entry.facts["round"], entry.transfers) == ([1, 2], 1, ())
    award = floor.enter(1, 1, SUITED)
    assert floor.held(award) == stood
    assert floor.entries[-1].facts["stood"] == entry.facts["stands"]
    floor.confirm(award)
    floor.end(1)
    assert floor.cents(Purpose.METER) == 1_000_000 + 115 + 2 * 5  # seed, what table 2 brought, reserve of the two
    assert floor.proved()
    assert replay("main", floor.entries).state == floor.link.state


def test_a_jackpot_at_another_table_meanwhile_takes_nothing_from_the_late_winner() -> None:
    """The other winner had the whole meter, and this one has what stood too: of the house's, with a next seed."""
    floor = ended()
    floor.confirm(floor.enter(2, 3, SUITED))
    reopened(floor)
    award = floor.enter(1, 2, SUITED)
    assert floor.held(award) == 1_000_230
    floor.confirm(award)
    assert floor.cents(Purpose.HOUSE) == -3 * 1_000_000
    assert floor.cents(Purpose.PLAYERS) == -3 * 500 + 1_000_345 + 1_000_230
    assert floor.proved()


def test_a_hand_that_is_taken_back_and_pressed_again_has_the_same_meter() -> None:
    floor = ended()
    reopened(floor)
    first = floor.held(floor.enter(1, 1, COLOR))
    floor.do(TakeBackHand, table=1, seat=1)
    floor.start(3, 1, 2, 3)
    assert floor.held(floor.enter(1, 1, COLOR)) == first == 100_023


def test_a_game_may_be_reopened_again_and_stands_as_it_ended_first() -> None:
    floor = ended()
    first = reopened(floor)
    floor.end(1)
    floor.end(2)
    floor.start(2, 1, 2)
    assert reopened(floor).facts["stands"] == first.facts["stands"]


def test_the_hands_of_the_game_are_there_again() -> None:
    """What a card has confirmed stays so, and the late winner is taken on what that left."""
    floor = LinkBook(THREE_METERS)
    floor.start(1, 1, 2, 5)
    floor.confirm(floor.enter(1, 5, DIAMONDS))
    floor.enter(1, 2, ONE)
    left = floor.link.state.shown_cents("Mega")
    floor.end(1)
    floor.start(2, 1)
    reopened(floor)
    refused(floor, No.FINAL, TakeBackHand, table=1, seat=5)
    late = floor.enter(1, 1, DIAMONDS)
    assert floor.held(late) == left == floor.link.state.shown_cents("Mega") - 60
    floor.confirm(late)
    floor.do(TakeBackHand, table=1, seat=2)
    floor.end(1)
    assert floor.proved()
    assert replay("main", floor.entries).state == floor.link.state


def test_fixed_pays_of_the_meters_come_off_what_stood() -> None:
    floor = ended(with_level(STYLE_A, seed_cents=1_000), 1, 2, 3)
    reopened(floor)
    floor.enter(1, 1, TWO)
    share = floor.enter(1, 3, SUITED)
    stood = next(entry.facts["stood"] for entry in floor.entries if "stood" in entry.facts)
    assert floor.held(share) == stood[""]["meter"] // 1_000_000
    floor.confirm(share)
    assert floor.proved()
    assert replay("main", floor.entries).state == floor.link.state


def test_only_the_last_game_and_only_until_another_begins() -> None:
    floor = LinkBook()
    refused(floor, No.NO_LAST_GAME, ReopenGame, **LATE)
    floor.start(1, 1)
    assert "enter the hand if it is of this game" in refused(floor, No.ANOTHER_GAME, ReopenGame, **LATE)
    floor.end(1)
    floor.start(1, 2)
    refused(floor, No.ANOTHER_GAME, ReopenGame, **LATE)
    floor.end(1)
    assert reopened(floor).facts["round"] == 2
    refused(floor, No.NOT_LINKED, ReopenGame, **{**LATE, "table": 9})


def test_a_closed_link_lets_it_and_another_configuration_does_not() -> None:
    floor = ended()
    floor.end(2)
    floor.close()
    reopened(floor)
    floor.end(1)
    floor.do(Reconfigure, by=MANAGER, second=OTHER_MANAGER, setup=replace(ONE_METER, executive_threshold_cents=7))
    refused(floor, No.NO_LAST_GAME, ReopenGame, **LATE)


@pytest.mark.parametrize("by", [DEALER, MANAGER])
def test_it_takes_a_supervisors_or_an_executives_card(by: object) -> None:
    floor = ended()
    with pytest.raises(Refusal, match="a supervisor or an executive") as caught:
        floor.do(ReopenGame, **{**LATE, "by": by})
    assert caught.value.code == Denied.NOT_ALLOWED
    floor.do(ReopenGame, **{**LATE, "by": EXECUTIVE})


def test_it_takes_a_reason() -> None:
    refused(ended(), No.NO_REASON, ReopenGame, **{**LATE, "reason": " "})


def test_a_snapshot_keeps_the_game_that_ended_and_the_one_that_goes_on() -> None:
    floor = LinkBook(replace(THREE_METERS, least_round_s=1))
    floor.start(1, 1, 2, 6)
    floor.seconds += 2
    floor.enter(1, 2, THREE)
    floor.confirm(floor.enter(1, 6, OTHER_SUIT))
    for act in (floor.end, lambda _: reopened(floor), floor.end):
        act(1)
        again = Link.of_snapshot(json.loads(json.dumps(floor.link.snapshot())))
        assert again.state == floor.link.state


def test_an_award_that_is_backed_out_after_the_end_is_out_of_the_game_that_is_reopened() -> None:
    """The wrong seat was paid and the game ended: it is backed out, and the right seat wins what stood."""
    floor = LinkBook()
    floor.start(1, 1, 2)
    wrong = floor.enter(1, 1, SUITED)
    stood = floor.held(wrong)
    floor.confirm(wrong)
    floor.end(1)
    floor.start(2, 3)
    floor.do(BackOut, by=MANAGER, second=EXECUTIVE, award=wrong, reason="It was seat 2.")
    reopened(floor)
    right = floor.enter(1, 2, SUITED)
    assert floor.held(right) == stood
    floor.do(TakeBackHand, table=1, seat=2)
    again = floor.enter(1, 1, COLOR)
    assert floor.held(again) == stood // 10
    floor.do(VoidAward, by=SUPERVISOR, award=again, reason="It is none.")
    floor.confirm(floor.enter(1, 2, SUITED))
    floor.end(1)
    assert floor.proved()
    assert floor.cents(Purpose.PLAYERS) == -3 * 500 + stood
    assert replay("main", floor.entries).state == floor.link.state
