"""The card moves the meter, and nothing before it: a press locks the amount inside, where no display looks."""

from __future__ import annotations

from croupier.floor.act import EntryKind
from croupier.floor.link.acts import Adjust, CallSupervisor, TakeBackHand, VoidAward
from croupier.floor.link.brief import LinkBrief
from croupier.floor.link.link import replay
from croupier.floor.refusals import No
from croupier.ledger.entry import UNITS_PER_CENT, Purpose
from support.room import (
    COLOR,
    ONE_METER,
    STYLE_A,
    SUITED,
    SUPERVISOR,
    TWO,
    LinkBook,
    with_level,
)
from tests.floor.link.test_cycle import refused
from tests.floor.link.test_lifecycle import adjustment


def shown(floor: LinkBook) -> int:
    return LinkBrief.of(floor.link.state).shown_cents[""]


def two_tables() -> LinkBook:
    floor = LinkBook()
    floor.start(1, 1, 6)
    floor.start(2, 3)
    return floor


def test_a_press_and_a_call_move_nothing_and_the_card_moves_all_of_it() -> None:
    floor = two_tables()
    before = dict(floor.link.state.book.balances)
    award = floor.enter(1, 1, SUITED)
    floor.do(CallSupervisor, table=1)
    assert floor.link.state.book.balances == before
    assert (shown(floor), floor.held(award)) == (1_000_345, 1_000_345)
    card = floor.confirm(award)
    assert shown(floor) == 1_000_015 == card.facts["shown_cents"]
    assert floor.cents(Purpose.HOUSE) == -2_000_000


def test_what_an_award_left_is_what_the_meter_shows_after_its_card() -> None:
    """With what other tables have contributed since the press, whole cents of it, and not the bare seed."""
    floor = two_tables()
    award = floor.enter(1, 1, SUITED)
    floor.end(2)
    for games in range(1, 4):
        floor.start(2, *range(1, games + 1))
        floor.end(2)
    other = floor.enter(1, 6, SUITED)
    for number in (other, award):
        card = floor.confirm(number)
        assert card.facts["shown_cents"] == shown(floor) == floor.units(Purpose.METER) // UNITS_PER_CENT
        assert shown(floor) > 1_000_000


def test_no_other_table_takes_what_is_locked() -> None:
    """The second winner has the next meter, whichever card comes first, and what was locked stays as it was."""
    for order in ((0, 1), (1, 0)):
        floor = two_tables()
        awards = floor.enter(1, 1, SUITED), floor.enter(2, 3, SUITED)
        assert [floor.held(award) for award in awards] == [1_000_345, 1_000_015]
        for place in order:
            floor.confirm(awards[place])
        assert shown(floor) == 1_000_000
        assert floor.cents(Purpose.PLAYERS) == -3 * 500 + 1_000_345 + 1_000_015
        assert floor.proved()
        assert not floor.link.state.locked


def test_what_is_locked_cannot_be_adjusted_away() -> None:
    floor = LinkBook()
    floor.start(1, 1)
    award = floor.enter(1, 1, SUITED)
    floor.do(Adjust, **adjustment(cents=1_000_005))  # the next meter may be, as ever
    refused(floor, No.NOT_THERE, Adjust, **adjustment(cents=1))
    floor.confirm(award)
    assert shown(floor) == 0


def test_a_posted_maximum_is_kept_by_both_meters() -> None:
    """While an award is locked, neither the meter that is shown nor the next one grows above what is posted."""
    floor = LinkBook(with_level(ONE_METER, maximum_cents=1_000_230))
    floor.start(1, 1, 2)
    award = floor.enter(1, 2, SUITED)
    for _ in range(5):
        floor.start(2, 1)
        floor.end(2)
    assert shown(floor) == 1_000_230
    assert floor.cents(Purpose.OVERFLOW) == 5 * 115
    floor.confirm(award)
    assert shown(floor) == 1_000_010
    assert floor.proved()


def test_a_fixed_pay_beside_an_undecided_award_is_made_of_what_the_book_has() -> None:
    """A meter of $13.50, all of it locked: the house pays the rest at once, and has it back from the next meter."""
    floor = LinkBook(with_level(STYLE_A, seed_cents=1_000))
    floor.start(1, 1, 5)
    floor.enter(1, 1, TWO)
    assert (shown(floor), floor.cents(Purpose.HOUSE)) == (0, -1_000 - (12_500 - 1_700))
    award = floor.enter(1, 5, SUITED)
    assert (shown(floor), floor.cents(Purpose.HOUSE)) == (0, -1_000 - (12_500 - 1_700))
    assert floor.held(award) == 1_700
    floor.confirm(award)
    assert floor.proved()
    assert floor.cents(Purpose.PLAYERS) == -1_000 + 12_500 + 1_700
    assert replay("main", floor.entries).state == floor.link.state


def test_a_void_at_one_table_leaves_what_another_has_locked() -> None:
    floor = two_tables()
    first, other = floor.enter(1, 1, SUITED), floor.enter(2, 3, COLOR)
    floor.do(VoidAward, by=SUPERVISOR, award=first, reason="misread")
    assert (shown(floor), floor.held(other)) == (1_000_345, 100_001)
    floor.confirm(other)
    assert shown(floor) == 1_000_345 - 100_001


def test_entries_of_an_accident_say_what_they_lock_and_unlock() -> None:
    floor = two_tables()
    floor.enter(1, 1, SUITED)
    press = floor.entries[-1]
    back = floor.do(TakeBackHand, table=1, seat=1)
    assert press.transfers == back.transfers == ()
    assert back.facts["locked"] == sorted([target, source, units] for source, target, units in press.facts["locked"])
    assert back.kind == EntryKind.TAKE_BACK
