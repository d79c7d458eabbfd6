"""The order in which a dealer presses the hands of a game decides nothing: not an award, not a balance."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.floor.link.acts import EnterHand, StartGame, TakeBackHand
from croupier.floor.link.link import Link, replay
from croupier.floor.link.setup import LAW, AwardOrder, LinkSetup
from croupier.floor.refusals import No
from croupier.games.meter import Style
from croupier.ledger.entry import Purpose
from support.room import COLOR, STYLE_A, SUITED, THREE, THREE_METERS, TWO, LinkBook, with_level
from tests.floor.link.test_cycle import refused
from tests.floor.link.test_machine import setups

LINES = tuple(THREE_METERS.lines)
SEATS = (1, 2, 3, 4, 5)
hands = st.dictionaries(st.sampled_from(SEATS), st.sampled_from(LINES), min_size=2)


def money(floor: LinkBook) -> tuple[dict[str, int], dict[tuple[str, str], int]]:
    """What the book has, and what is locked besides."""
    state = floor.link.state
    book = {str(account): units for account, units in state.book.balances.items() if units}
    return book, {(str(one), str(other)): units for (one, other), units in state.locked.items()}


def held(floor: LinkBook) -> dict[tuple[int, int], int]:
    return {(award.table, award.seat): award.cents for award in floor.link.state.awards.values()}


def at(floor: LinkBook) -> LinkBook:
    """The same floor once more, for another order."""
    copy = LinkBook(floor.link.state.setup)
    copy.link, copy.entries = Link.of_entries("main", floor.entries), list(floor.entries)
    return copy


def pressed(floor: LinkBook, table: int, seats: Any, lines: Any) -> LinkBook:
    for seat in seats:
        floor.do(EnterHand, table=table, seat=seat, line=lines[seat])
    return floor


@pytest.mark.parametrize(
    ("lines", "next_meter", "from_house"),
    [({2: THREE, 5: SUITED}, 0, 100_000), ({5: THREE, 2: SUITED}, 100_000, 110_750)],
)
def test_a_fixed_pay_and_all_of_a_low_meter(lines: dict[int, str], next_meter: int, from_house: int) -> None:
    """Seed $1,000, meter $892.50, a fixed pay of $1,000 and all of the meter.

    From the dealer's right: a share at seat 5 takes $892.50, and the pay takes the next meter. A pay at seat 5 takes
    $892.50, the house pays $107.50 of it, and the share takes nothing and seeds the next meter.
    """
    begun = LinkBook(with_level(STYLE_A, reserve_ppm=0))
    begun.start(1, 1, 2, 3)
    begun.enter(1, 3, TWO)
    begun.end(1)
    begun.start(1, *lines)
    assert begun.cents(Purpose.METER) == 89_250
    house = begun.cents(Purpose.HOUSE)
    either = [pressed(at(begun), 1, order, lines) for order in permutations(lines)]
    for floor in either:
        assert floor.inside(Purpose.METER) == next_meter
        assert house - floor.inside(Purpose.HOUSE) == from_house
        assert floor.proved()
    assert (money(either[0]), held(either[0])) == (money(either[1]), held(either[1]))


@settings(max_examples=150, deadline=None)
@given(
    setup=setups,
    past=st.lists(hands, max_size=3),
    elsewhere=hands,
    lines=hands,
    first=st.integers(0, 5),
    data=st.data(),
)
def test_any_order_gives_the_same_balances(
    *,
    setup: LinkSetup,
    past: list[dict[int, str]],
    elsewhere: dict[int, str],
    lines: dict[int, str],
    first: int,
    data: Any,
) -> None:
    """In both styles, with maximum, reserve and levels; with hands of another table before and, where no maximum is
    posted, between them."""
    floor = LinkBook(replace(setup, order=AwardOrder.DEALERS_RIGHT))
    for game in past:
        floor.start(1, *SEATS)
        pressed(floor, 1, game, game)
        for award in floor.link.state.in_line(1):
            floor.confirm(award.award)
        floor.end(1)
    floor.start(1, *SEATS)
    floor.start(2, *SEATS)
    posted = any(level.maximum_cents is not None for level in setup.levels)
    before = [] if posted else sorted(lines)[: min(first, len(lines) - 1)]
    pressed(floor, 1, before, lines)
    pressed(floor, 2, elsewhere, elsewhere)
    order = [seat for seat in sorted(lines) if seat not in before]
    other = data.draw(st.permutations(order))
    one, two = (pressed(at(floor), 1, seats, lines) for seats in (order, other))
    assert (money(one), held(one)) == (money(two), held(two))
    assert one.link.sums == two.link.sums
    taken_back = data.draw(st.sampled_from(order))
    again = at(two)
    again.do(TakeBackHand, table=1, seat=taken_back)
    pressed(again, 1, [taken_back], lines)
    if not elsewhere_shares(setup, elsewhere):
        assert (money(again), held(again)) == (money(two), held(two))
    assert replay("main", again.entries).state == again.link.state


def elsewhere_shares(setup: LinkSetup, lines: dict[int, str]) -> bool:
    """Whether the other table's hands may have used what this one put on the next meter."""
    return any(setup.lines[line].is_share for line in lines.values()) or setup.style is Style.ALL_PAYS


@settings(max_examples=60, deadline=None)
@given(setup=setups, lines=hands, data=st.data())
def test_wagers_at_other_tables_meanwhile_change_nothing_of_that(setup: LinkSetup, lines: Any, data: Any) -> None:
    """Without a posted maximum: where there is one, it decides by the moment of a wager what still fits."""
    if setup.style is Style.SHARES_ONLY:  # a pay from the tray is no hand of the meters: they stood at the first share
        lines = {seat: line for seat, line in lines.items() if setup.lines[line].is_share}
    levels = tuple(replace(level, maximum_cents=None) for level in setup.levels)
    floor = LinkBook(replace(setup, order=AwardOrder.DEALERS_RIGHT, levels=levels))
    floor.start(1, *SEATS)
    other = data.draw(st.permutations(sorted(lines)))
    ends = []
    for order in (sorted(lines), other):
        copy = at(floor)
        for seat in order:
            copy.do(EnterHand, table=1, seat=seat, line=lines[seat])
            copy.do(StartGame, table=2, lit=SEATS, based=SEATS)
            copy.end(2)
        ends.append((money(copy), held(copy), copy.link.sums))
    assert ends[0] == ends[1]


def test_a_game_begun_under_the_earlier_law_is_ended_under_it() -> None:
    floor = LinkBook(STYLE_A)
    floor.start(1, *SEATS)
    first = floor.do(EnterHand, table=1, seat=2, line=THREE, law=1)
    assert "law" not in first.facts
    floor.enter(1, 4, COLOR)
    assert floor.link.state.tables[1].law == 1
    assert replay("main", floor.entries).state == floor.link.state
    for award in list(floor.link.state.awards):
        floor.confirm(award)
    floor.end(1)
    floor.start(1, *SEATS)
    assert floor.do(EnterHand, table=1, seat=2, line=THREE).facts["law"] == LAW


def test_a_book_does_not_go_back_to_an_earlier_law() -> None:
    floor = LinkBook(STYLE_A)
    floor.start(1, *SEATS)
    floor.enter(1, 2, THREE)
    floor.end(1)
    floor.start(1, *SEATS)
    refused(floor, No.OTHER_LAW, EnterHand, table=1, seat=2, line=THREE, law=1)
    refused(floor, No.OTHER_LAW, EnterHand, table=1, seat=2, line=THREE, law=LAW + 1)
