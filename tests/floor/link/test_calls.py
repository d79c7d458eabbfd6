"""A call that is heard: how long it has waited, who has taken it, and when it is over."""

from __future__ import annotations

import pytest

from croupier.compliance.authority import Denied, Role
from croupier.errors import Refusal
from croupier.floor.forms import Signed
from croupier.floor.link.acts import CallSupervisor, OpenLink, TakeCall, VoidAward
from croupier.floor.link.brief import LinkBrief
from croupier.floor.link.link import Link, replay
from croupier.floor.refusals import No
from support.room import COLOR, DEALER, EXECUTIVE, MANAGER, SUPERVISOR, TWO, LinkBook
from tests.floor.link.test_cycle import refused


def called(*seats: int) -> LinkBook:
    floor = LinkBook()
    floor.start(1, 1, 2, 4)
    for seat in seats or (4,):
        floor.enter(1, seat, COLOR)
    floor.do(CallSupervisor, table=1)
    return floor


def test_a_call_waits_until_somebody_takes_it_and_is_over_when_a_card_has_decided() -> None:
    floor = called()
    call = floor.entries[-1]
    waits = LinkBrief.of(floor.link.state).calls[1]
    assert (waits.entry, waits.at, waits.by, waits.taken_by) == (call.number, call.at, DEALER.person, "")
    taken = floor.do(TakeCall, table=1, by=SUPERVISOR)
    assert taken.facts == {"by": SUPERVISOR.as_list(), "table": 1, "round": 1, "call": call.number}
    assert taken.transfers == ()
    waits = LinkBrief.of(floor.link.state).calls[1]
    assert (waits.taken_by, waits.taken_at) == (SUPERVISOR.person, taken.at)
    floor.confirm(next(iter(floor.link.state.awards)))
    assert LinkBrief.of(floor.link.state).calls == {}


def test_one_person_takes_a_call_and_the_next_is_told_who_has() -> None:
    floor = called()
    floor.do(TakeCall, table=1, by=SUPERVISOR)
    refused(floor, No.CALL_TAKEN, TakeCall, table=1, by=EXECUTIVE)
    with pytest.raises(Refusal, match=f"^{SUPERVISOR.person} has taken the call of table 1 already"):
        floor.do(TakeCall, table=1, by=EXECUTIVE)


def test_where_nobody_has_called_there_is_no_call_to_take() -> None:
    floor = called()
    refused(floor, No.NO_CALL, TakeCall, table=2, by=SUPERVISOR)
    refused(floor, No.NOT_LINKED, TakeCall, table=9, by=SUPERVISOR)
    award = next(iter(floor.link.state.awards))
    floor.do(VoidAward, award=award, by=SUPERVISOR, reason="The third card is an eight.")
    refused(floor, No.NO_CALL, TakeCall, table=1, by=SUPERVISOR)


@pytest.mark.parametrize(
    ("by", "fine"), [(SUPERVISOR, True), (EXECUTIVE, True), (MANAGER, True), (Signed("ida", Role.AUDITOR), False)]
)
def test_whoever_goes_there_takes_it(by: Signed, *, fine: bool) -> None:
    floor = called()
    if fine:
        floor.do(TakeCall, table=1, by=by)
    else:
        refused(floor, Denied.NOT_ALLOWED, TakeCall, table=1, by=by)
    refused(floor, Denied.NOT_ALLOWED, TakeCall, table=1, by=DEALER)


def test_called_again_it_is_as_old_as_it_was_unless_somebody_came() -> None:
    floor = called()
    first = floor.link.state.calls[1]
    floor.do(CallSupervisor, table=1)
    assert floor.link.state.calls[1] == first
    floor.do(TakeCall, table=1, by=SUPERVISOR)
    again = floor.do(CallSupervisor, table=1)
    assert (floor.link.state.calls[1].entry, floor.link.state.calls[1].taken_by) == (again.number, "")


def test_of_two_awards_the_call_stands_until_the_second_is_decided() -> None:
    floor = called(4, 2)
    first, second = floor.link.state.awards
    floor.confirm(first)
    assert floor.link.state.calls
    floor.do(VoidAward, award=second, by=SUPERVISOR, reason="Folded.")
    assert not floor.link.state.calls


def test_a_fixed_pay_that_is_taken_back_leaves_the_call() -> None:
    floor = called()
    floor.enter(1, 2, TWO)
    assert 1 in floor.link.state.calls


def test_the_book_read_again_and_its_snapshot_have_the_same_calls() -> None:
    floor = called()
    floor.do(TakeCall, table=1, by=SUPERVISOR)
    state = floor.link.state
    assert replay("main", floor.entries).state.calls == state.calls
    kept = Link.of_snapshot(floor.link.snapshot()).state
    assert kept.calls == state.calls
    older = {name: value for name, value in floor.link.snapshot().items() if name != "calls"}
    assert Link.of_snapshot(older).state.calls == {}


def test_since_when_a_link_is_closed() -> None:
    floor = LinkBook()
    assert LinkBrief.of(floor.link.state).closed_at == ""
    closed = floor.close()
    assert LinkBrief.of(floor.link.state).closed_at == closed.at
    assert Link.of_snapshot(floor.link.snapshot()).state.closed_at == closed.at
    floor.do(OpenLink, by=MANAGER)
    assert LinkBrief.of(floor.link.state).closed_at == ""
