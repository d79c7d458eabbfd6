"""A confirmed award is backed out: in one entry, by two people, and the meter is what it was but for wagers since."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.compliance.authority import Denied
from croupier.compliance.profile import Lawful
from croupier.floor.link.acts import Adjust, BackOut, CloseLink, EnterHand, OpenLink, Reconfigure, Retire
from croupier.floor.link.brief import LinkBrief
from croupier.floor.link.link import Link, proof, replay
from croupier.floor.link.setup import LinkSetup
from croupier.floor.refusals import No
from croupier.ledger.book import Flow
from croupier.ledger.entry import Account, Entry, Purpose
from support.room import (
    COLOR,
    DEALER,
    EXECUTIVE,
    MANAGER,
    ONE_METER,
    OTHER_MANAGER,
    STYLE_A,
    SUITED,
    SUPERVISOR,
    THREE,
    TWO,
    LinkBook,
    with_level,
)
from tests.floor.link.test_cycle import refused
from tests.floor.link.test_lifecycle import adjustment, denied, won


def back_out(floor: LinkBook, award: int, reason: str = "The camera shows another hand.") -> Entry:
    return floor.do(BackOut, by=MANAGER, second=EXECUTIVE, award=award, reason=reason)


def standing(floor: LinkBook) -> dict[Account, int]:
    return {account: units for account, units in floor.link.state.book.balances.items() if units}


def busy(floor: LinkBook, games: int = 3) -> None:
    for _ in range(games):
        floor.start(2, 1, 2, 3)
        floor.end(2)


RESERVED = with_level(ONE_METER, reserve_ppm=10_000, maximum_cents=1_000_500)
"""Seed, reserve, and what is above a posted maximum: an award of it all uses each."""


@given(
    games=st.integers(0, 12),
    line=st.sampled_from([SUITED, COLOR]),
    maximum=st.sampled_from([None, 1_000_000, 1_000_500, 1_002_000]),
    reserve=st.sampled_from([0, 10_000, 20_001]),
    ended=st.booleans(),
    since=st.integers(0, 3),
)
def test_every_balance_is_what_it_was_but_for_wagers_in_between(
    *, games: int, line: str, maximum: int | None, reserve: int, ended: bool, since: int
) -> None:
    """And the house's own money on the meter, which it may recover, and every sum that a report adds up."""
    setup = with_level(ONE_METER, reserve_ppm=reserve, maximum_cents=maximum)
    floor, without = LinkBook(setup), LinkBook(setup)
    for each in (floor, without):
        busy(each, games)
        each.start(1, 1, 4)
    award = floor.enter(1, 4, line)
    floor.confirm(award)
    if ended:
        floor.end(1)
    moved = [entry.transfers for entry in floor.entries if entry.kind == "confirm"]
    for each in (floor, without):
        busy(each, since)
    entry = back_out(floor, award)
    if not since:
        assert {*entry.transfers} >= {(target, source, units) for source, target, units in moved[0]}
    state = floor.link.state
    if maximum is None or not since:  # above a maximum, wagers of meanwhile have gone on another meter than they would
        assert standing(floor) == standing(without)
        assert (state.own, state.paid) == (without.link.state.own, without.link.state.paid)
        assert LinkBrief.of(state).totals == LinkBrief.of(without.link.state).totals  # by which the bank's cover goes
    owed = (Purpose.METER, Purpose.RESERVE, Purpose.OVERFLOW)
    assert sum(map(floor.units, owed)) == sum(map(without.units, owed))
    assert proof(floor.link, "").flows[Flow.AWARDS] == 0
    assert floor.proved()
    assert entry.facts["shown_cents"] == state.shown_cents("")
    assert replay("main", floor.entries).state == state == Link.of_snapshot(floor.link.snapshot()).state


def test_amount_seed_reserve_and_overflow_go_back_in_one_entry_that_says_so() -> None:
    floor = LinkBook(RESERVED)
    busy(floor)
    before = standing(floor)
    award = won(floor)
    card = next(entry for entry in floor.entries if entry.kind == "confirm")
    entry = back_out(floor, award)
    names = ("award", "table", "round", "seat", "line", "level", "cents", "seed_units", "reserve_units")
    assert {name: entry.facts[name] for name in names} == {name: card.facts[name] for name in names}
    assert entry.facts["overflow_units"] == card.facts["overflow_units"] > 0
    assert (entry.facts["by"], entry.facts["second"]) == (["max", "manager"], ["eve", "executive"])
    assert entry.facts["reason"] == "The camera shows another hand."
    floor_without = LinkBook(RESERVED)
    busy(floor_without)
    floor_without.start(1, 1)
    assert standing(floor) == standing(floor_without) != before


@pytest.mark.parametrize("seed", range(20))
def test_awards_of_other_tables_stay_as_they_are(seed: int) -> None:
    """Whoever has won since keeps it; the entry says who, and what has gone is the house's before the players'."""
    dice = Random(seed)
    floor = LinkBook(with_level(ONE_METER, reserve_ppm=20_000))
    busy(floor)
    first = won(floor, dice.choice([SUITED, COLOR]))
    later = []
    for _ in range(dice.randint(1, 4)):
        floor.start(3, 5)
        later.append(floor.enter(3, 5, dice.choice([SUITED, COLOR, COLOR])))
        floor.confirm(later[-1])
        floor.end(3)
    floor.start(2, 1)
    later.append(floor.enter(2, 1, COLOR))
    held = floor.held(later[-1])
    entry = back_out(floor, first)
    numbers = ", ".join(map(str, later))
    assert entry.facts["alarm"].startswith(f"Awards taken from this meter since stay as they are: {numbers}.")
    assert floor.held(later[-1]) == held
    assert floor.confirm(later[-1]).facts["cents"] == held
    assert floor.proved()
    assert replay("main", floor.entries).state == floor.link.state


def test_where_the_next_meter_was_won_the_house_bears_what_is_missing() -> None:
    """An award of some cents put $10,000.00 on the next meter, and a tenth of that was won: so much less goes back."""
    floor = LinkBook(with_level(ONE_METER, seed_cents=0))
    won_nothing = won(floor)
    floor.close()
    seeded = with_level(ONE_METER, reserve_ppm=0)
    floor.do(Reconfigure, by=MANAGER, second=OTHER_MANAGER, setup=seeded)
    floor.do(OpenLink, by=MANAGER)
    first = won(floor)
    small = floor.link.state.won[first].cents
    assert won_nothing
    assert small < 1_000
    tenth = won(floor, COLOR)
    taken = floor.link.state.won[tenth].cents
    meter = floor.units(Purpose.METER)
    entry = back_out(floor, first)
    assert entry.facts["seed_units"] == meter + small * 1_000_000
    assert entry.facts["seed_units"] < 1_000_000 * 1_000_000
    assert entry.facts["alarm"].endswith("They had used the next meter: not all of its seed went back.")
    assert (floor.units(Purpose.METER), taken > 0) == (0, True)
    assert floor.proved()


def test_while_its_game_is_on_the_seat_may_have_the_right_hand() -> None:
    """On the meter as it stood without the award, as if the wrong one had never been pressed."""
    floor, right = LinkBook(), LinkBook()
    for each in (floor, right):
        each.start(1, 1, 5)
    wrong = floor.enter(1, 5, SUITED)
    floor.confirm(wrong)
    back_out(floor, wrong)
    awards = [each.enter(1, 5, COLOR) for each in (floor, right)]
    assert floor.held(awards[0]) == right.held(awards[1]) == 100_023
    others = [each.enter(1, 1, SUITED) for each in (floor, right)]
    assert floor.held(others[0]) == right.held(others[1])


def test_a_hand_behind_it_in_its_game_is_taken_on_the_meter_without_it() -> None:
    floor = LinkBook()
    floor.start(1, 1, 3, 5)
    first = floor.enter(1, 5, COLOR)
    floor.confirm(first)
    second = floor.enter(1, 3, COLOR)
    sentence = refused(floor, No.UNDECIDED, BackOut, by=MANAGER, second=EXECUTIVE, award=first, reason="wrong")
    assert sentence.startswith("The award of seat 3 at table 1 is undecided: a supervisor confirms or voids it")
    floor.confirm(second)
    back_out(floor, first)
    shown = floor.link.state.shown_cents("")
    assert floor.held(floor.enter(1, 1, SUITED)) == shown
    assert replay("main", floor.entries).state == floor.link.state


def test_what_was_adjusted_of_it_is_not_given_back_twice() -> None:
    floor, without = LinkBook(), LinkBook()
    without.start(1, 1)
    award = won(floor)
    paid_back = {"source": Purpose.PLAYERS, "target": Purpose.METER, "award": award, "text": "half of it"}
    floor.do(Adjust, **adjustment(reason=Lawful.AMOUNT_WON, cents=600_000, **paid_back))
    assert back_out(floor, award).facts["cents"] == 1_000_115 - 600_000
    assert standing(floor) == standing(without)


@pytest.mark.parametrize("setup", [ONE_METER, STYLE_A], ids=["tray", "meters"])
def test_a_fixed_pay_that_took_a_card_goes_back_to_where_it_came_from(setup: LinkSetup) -> None:
    made = replace(setup, fixed_pay_card_cents=100_000)
    floor, without = LinkBook(made), LinkBook(made)
    for each in (floor, without):
        each.start(1, 1, 2)
    award = floor.enter(1, 2, THREE)
    floor.confirm(award)
    entry = back_out(floor, award)
    assert (entry.facts["cents"], "level" in entry.facts) == (100_000, False)
    assert standing(floor) == standing(without)
    assert floor.enter(1, 2, TWO)
    assert replay("main", floor.entries).state == floor.link.state == Link.of_snapshot(floor.link.snapshot()).state


def test_a_closed_link_backs_out_and_a_retired_one_does_not() -> None:
    floor = LinkBook()
    first, second = won(floor), won(floor, COLOR)
    floor.do(CloseLink, by=SUPERVISOR)
    back_out(floor, first)
    floor.do(Retire, by=MANAGER, second=EXECUTIVE, to="next")
    refused(floor, No.RETIRED, BackOut, by=MANAGER, second=EXECUTIVE, award=second, reason="wrong")


def test_what_cannot_be_backed_out() -> None:
    floor = LinkBook()
    award = won(floor)
    floor.start(1, 1, 2)
    held = floor.enter(1, 1, COLOR)
    floor.enter(1, 2, TWO)
    two = {"by": MANAGER, "second": EXECUTIVE}
    refused(floor, No.UNDECIDED, BackOut, **two, award=held, reason="wrong")
    for number in (0, award + 1, held + 1, -1):
        assert f"award {number} on this link" in refused(
            floor, No.NOT_AN_AWARD, BackOut, **two, award=number, reason="wrong"
        )
    refused(floor, No.NO_REASON, BackOut, **two, award=award, reason="  ")
    refused(floor, No.NO_REASON, BackOut, **two, award=award, reason="x" * 501)
    denied(floor, Denied.SAME_PERSON, BackOut, by=MANAGER, second=MANAGER, award=award, reason="wrong")
    denied(floor, Denied.NOT_ALLOWED, BackOut, by=SUPERVISOR, second=EXECUTIVE, award=award, reason="wrong")
    denied(floor, Denied.NOT_ALLOWED, BackOut, by=MANAGER, second=DEALER, award=award, reason="wrong")
    entry = back_out(floor, award)
    sentence = refused(floor, No.ALREADY_BACKED_OUT, BackOut, **two, award=award, reason="again")
    assert sentence == f"Award {award} was backed out already, with entry {entry.number}: nothing of it is left."
    back = {"source": Purpose.METER, "target": Purpose.PLAYERS, "award": award}
    refused(floor, No.ALREADY_BACKED_OUT, Adjust, **adjustment(reason=Lawful.AMOUNT_WON, cents=1, **back))


def test_an_award_of_an_earlier_law_is_put_right_as_it_was_then() -> None:
    floor = LinkBook()
    floor.start(1, 1)
    award = floor.do(EnterHand, table=1, seat=1, line=SUITED, law=2).number
    floor.confirm(award)
    sentence = refused(floor, No.OF_AN_EARLIER_LAW, BackOut, by=MANAGER, second=EXECUTIVE, award=award, reason="wrong")
    assert "correct it with adjustments" in sentence
    assert "confirmed" not in floor.link.snapshot()


# A winner who is found late


@pytest.mark.parametrize("maximum", [None, 1_000_500])
def test_after_a_late_winner_of_the_whole_meter_the_next_one_is_seeded_in_the_same_entry(maximum: int | None) -> None:
    """The meter shows what it would show if the card had come in time."""
    setup = with_level(ONE_METER, reserve_ppm=10_000, maximum_cents=maximum)
    late, in_time = LinkBook(setup), LinkBook(setup)
    for floor in (late, in_time):
        busy(floor, 9)
        floor.start(1, 1)
    card = in_time.confirm(in_time.enter(1, 1, SUITED))
    late.end(1)
    paid = {"source": Purpose.METER, "target": Purpose.PLAYERS, "reseed": True, "second": EXECUTIVE}
    entry = late.do(Adjust, **adjustment(reason=Lawful.AMOUNT_WON, cents=card.facts["cents"], **paid))
    assert standing(late) == standing(in_time)
    assert late.link.state.own == in_time.link.state.own
    names = ("seed_units", "reserve_units", "overflow_units")
    assert [entry.facts[name] for name in names] == [card.facts[name] for name in names]
    assert late.proved()
    assert replay("main", late.entries).state == late.link.state


def test_only_a_win_reseeds() -> None:
    floor = LinkBook()
    for changes in ({}, {"reason": Lawful.SEED_RECOVERY}, {"target": Purpose.PLAYERS, "second": EXECUTIVE}):
        refused(floor, No.ONLY_A_WIN_RESEEDS, Adjust, **adjustment(reseed=True, **changes))
