"""The game cycle at a table: START GAME locks and contributes, END GAME resets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from croupier.errors import Refusal
from croupier.floor.link.acts import EndGame, LinkAct, StartGame
from croupier.floor.link.brief import LinkBrief
from croupier.floor.link.cycle import chips_in_words, ignored_chips
from croupier.floor.refusals import No
from croupier.ledger.entry import UNITS_PER_CENT, Purpose
from support.room import COLOR, ONE_METER, SUITED, THREE_METERS, LinkBook, with_level


def refused(floor: LinkBook, code: str, act: type[LinkAct], **fields: Any) -> str:
    """The sentence; and nothing has changed."""
    before, entries = floor.link.snapshot(), len(floor.entries)
    with pytest.raises(Refusal) as caught:
        floor.do(act, **fields)
    assert caught.value.code == code
    assert (floor.link.snapshot(), len(floor.entries)) == (before, entries)
    return caught.value.sentence


def test_start_game_contributes_every_lit_wager() -> None:
    floor = LinkBook()
    floor.start(1, 2, 5)
    assert floor.cents(Purpose.METER) == 1_000_000 + 2 * 115
    assert floor.cents(Purpose.RESERVE) == 2 * 5
    assert floor.cents(Purpose.TRAY) == 2 * 380
    assert floor.cents(Purpose.PLAYERS) == -1_000


def test_fractions_of_a_cent_are_contributed_exactly() -> None:
    floor = LinkBook(THREE_METERS)
    floor.start(1, 1, 2, 3)
    wager = 500
    assert floor.units(Purpose.METER, "Mega") == 1_000_000 * UNITS_PER_CENT + 3 * wager * 120_001
    assert floor.units(Purpose.RESERVE, "Minor") == 3 * wager * 3
    assert sum(floor.link.state.book.balances.values()) == 0


def test_a_game_without_a_progressive_wager_starts_and_moves_nothing() -> None:
    floor = LinkBook()
    entry = floor.do(StartGame, table=1, lit=(), based=(1, 2))
    assert entry.transfers == ()
    assert floor.link.state.tables[1].on


def test_the_meter_rises_for_all_tables() -> None:
    floor = LinkBook()
    floor.start(1, 1)
    floor.start(2, 1)
    floor.start(3, 1)
    assert floor.link.state.shown_cents("") == 1_000_345


def test_rounds_are_counted_by_table() -> None:
    floor = LinkBook()
    floor.start(1, 1)
    floor.end(1)
    assert floor.start(1, 1).facts["round"] == 2
    assert floor.start(2, 1).facts["round"] == 1


def test_a_wager_without_a_base_wager_is_refused_by_its_seat() -> None:
    floor = LinkBook()
    sentence = refused(floor, No.NO_BASE_WAGER, StartGame, table=2, lit=(3, 4), based=(3,))
    assert sentence == (
        "Seat 4 at table 2 has a progressive wager without a base wager: "
        "lay a base wager, or take the progressive one back."
    )


@pytest.mark.parametrize(("lit", "seat"), [((0,), 0), ((6,), 6), ((2, 2), 2), ((-1,), -1)])
def test_a_seat_that_is_not_there_is_refused(lit: tuple[int, ...], seat: int) -> None:
    sentence = refused(LinkBook(), No.NO_SUCH_SEAT, StartGame, table=3, lit=lit, based=(1, 2, 3))
    assert sentence == f"Table 3 has seats 1 to 5, each once, and not {seat}."


def test_a_table_that_is_not_linked_is_refused() -> None:
    assert "Table 9 is not on this link; there are: 1, 2, 3." in refused(
        LinkBook(), No.NOT_LINKED, StartGame, table=9, lit=(), based=()
    )


def test_no_game_starts_while_the_link_is_closed() -> None:
    refused(LinkBook(opened=False), No.NOT_OPEN, StartGame, table=1, lit=(), based=())


def test_a_game_that_is_on_is_ended_before_the_next() -> None:
    floor = LinkBook()
    floor.start(1, 1)
    refused(floor, No.GAME_ON, StartGame, table=1, lit=(1,), based=(1,))


def test_end_game_needs_a_game() -> None:
    refused(LinkBook(), No.NO_GAME, EndGame, table=1)


def test_end_game_waits_for_every_award_of_the_round() -> None:
    floor = LinkBook()
    floor.start(1, 2, 5)
    award = floor.enter(1, 5, COLOR)
    sentence = refused(floor, No.UNDECIDED, EndGame, table=1)
    assert "seat 5 at table 1 is undecided" in sentence
    floor.confirm(award)
    floor.end(1)
    assert not floor.link.state.tables[1].on


def test_another_table_ends_its_game_meanwhile() -> None:
    floor = LinkBook()
    floor.start(1, 5)
    floor.start(2, 1)
    floor.enter(1, 5, COLOR)
    floor.end(2)


def test_late_and_lifted_chips_change_nothing_and_are_told() -> None:
    floor = LinkBook()
    floor.start(1, 2, 5)
    before = floor.link.snapshot()
    ignored = ignored_chips(floor.link.state, 1, lit=(2, 6, 3))
    assert (ignored.late, ignored.lifted) == ((3, 6), (5,))
    assert floor.link.snapshot() == before
    floor.end(1)
    assert ignored_chips(floor.link.state, 1, lit=(2, 6)) == ((), ())


def test_the_floor_says_what_happens_to_the_chips() -> None:
    trilux = replace(
        ONE_METER,
        wager="trilux",
        paytable="6",
        tables=tuple(replace(each, wager="trilux", paytable="6") for each in ONE_METER.tables),
    )
    assert chips_in_words(ONE_METER).startswith("Remove")
    assert chips_in_words(trilux).startswith("Leave")


def test_a_closed_link_plays_its_games_to_the_end() -> None:
    floor = LinkBook()
    floor.start(1, 2)
    floor.close()
    floor.confirm(floor.enter(1, 2, SUITED))
    floor.end(1)


# What everybody outside the writer sees after a commit


def test_a_commit_of_several_tables_copies_their_games_and_leaves_the_others() -> None:
    floor = LinkBook(THREE_METERS)
    floor.start(3, 1)
    before = LinkBrief.of(floor.link.state)
    floor.start(2, 1, 4)
    floor.start(1, 5)
    floor.end(2)
    after = LinkBrief.of(floor.link.state, before, floor.entries[before.entries :])
    assert after == LinkBrief.of(floor.link.state)
    assert list(after.tables) == [3, 2, 1]
    assert after.tables[3] is before.tables[3]
    assert list(before.tables) == [3]


def test_a_commit_of_other_acts_or_one_that_was_missed_copies_every_game() -> None:
    floor = LinkBook(THREE_METERS)
    floor.start(1, 1)
    floor.start(2, 1)
    before = LinkBrief.of(floor.link.state)
    floor.end(2)
    floor.enter(1, 1, COLOR)
    for entries in (floor.entries[before.entries :], floor.entries[-1:], ()):
        after = LinkBrief.of(floor.link.state, before, entries)
        assert after == LinkBrief.of(floor.link.state)
        assert after.tables[1].entered.keys() == {1}
        assert not before.tables[1].entered


# A posted maximum


def test_what_is_contributed_above_the_maximum_waits_for_the_next_meter() -> None:
    floor = LinkBook(with_level(ONE_METER, maximum_cents=1_000_200))
    floor.start(1, 1, 2, 3)
    assert floor.cents(Purpose.METER) == 1_000_200
    assert floor.cents(Purpose.OVERFLOW) == 345 - 200
    award = floor.enter(1, 3, SUITED)
    assert floor.held(award) == 1_000_200
    # Seed, reserve and overflow, and no more than the maximum.
    assert floor.inside(Purpose.METER) == 1_000_000 + 15 + 145
    assert floor.inside(Purpose.OVERFLOW) == floor.inside(Purpose.RESERVE) == 0


def test_the_next_meter_takes_reserve_and_overflow_up_to_the_maximum() -> None:
    floor = LinkBook(with_level(ONE_METER, maximum_cents=1_000_010))
    floor.start(1, 1, 2, 3)
    floor.enter(1, 3, SUITED)
    assert floor.inside(Purpose.METER) == 1_000_010
    assert floor.inside(Purpose.RESERVE) == 15 - 10
    assert floor.inside(Purpose.OVERFLOW) == 345 - 10
