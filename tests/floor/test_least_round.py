"""The least time to a hand, under a clock that somebody sets: it is neither longer for that nor shorter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.errors import Refusal
from croupier.floor.floor import Floor
from croupier.floor.link import acts
from croupier.floor.refusals import No
from croupier.ledger.clock import AHEAD_S, CheckedClock, time_of
from croupier.store.store import open_store
from support.room import DEALER, KEY, MANAGER, ONE_METER, PLENTY, TWO, Room

LEAST_S = 5


class Machine:
    """A floor on a machine whose clock can be set; `counted` goes on whatever it says."""

    def __init__(self, room: Room) -> None:
        self.room = room
        room.make(replace(ONE_METER, least_round_s=LEAST_S))
        room.declare(PLENTY)
        room.do(acts.OpenLink, by=MANAGER)
        self.wall, self.counted = time_of(room.heard[-1][1].at).timestamp() + 60, 50.0
        self.start_again()

    def start_again(self) -> None:
        self.room.floor.close()
        clock = CheckedClock(wall=lambda: self.wall, counted=lambda: self.counted)
        self.room.floor = Floor(lambda: open_store(self.room.url), KEY, clock, bank_every_s=0)

    def pass_(self, seconds: float) -> None:
        self.wall += seconds
        self.counted += seconds

    def hand(self) -> None:
        self.room.do(acts.EnterHand, by=DEALER, table=1, seat=1, line=TWO)

    def hand_is_too_soon(self) -> None:
        with pytest.raises(Refusal) as error:
            self.hand()
        assert error.value.code == No.TOO_SOON


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    with Room(f"sqlite:///{tmp_path}/floor.db") as room:
        room.found()
        yield Machine(room)


@pytest.mark.parametrize("back_s", [1.0, 60.0, AHEAD_S])
def test_a_clock_that_is_set_back_keeps_no_hand_waiting(machine: Machine, back_s: float) -> None:
    machine.room.start()
    machine.wall -= back_s
    machine.pass_(LEAST_S - 1)
    machine.hand_is_too_soon()
    machine.pass_(2)
    machine.hand()


def test_nor_does_one_that_was_set_back_before_the_floor_began(machine: Machine) -> None:
    machine.room.do(acts.CloseLink, by=MANAGER)
    machine.wall -= 60
    machine.start_again()
    machine.room.do(acts.OpenLink, by=MANAGER)
    machine.room.start()
    machine.hand_is_too_soon()
    machine.pass_(LEAST_S + 1)
    machine.hand()


@pytest.mark.parametrize("ahead_s", [LEAST_S, 60.0, AHEAD_S])
def test_setting_the_clock_ahead_makes_no_round_older(machine: Machine, ahead_s: float) -> None:
    machine.room.start()
    machine.wall += ahead_s
    machine.hand_is_too_soon()
    machine.pass_(LEAST_S - 1)
    machine.hand_is_too_soon()
    machine.pass_(1)
    machine.hand()


def test_setting_it_back_first_and_right_again_makes_no_round_older(machine: Machine) -> None:
    machine.wall -= AHEAD_S
    machine.pass_(600)
    machine.room.start()
    machine.wall += AHEAD_S
    machine.hand_is_too_soon()
    machine.pass_(LEAST_S - 1)
    machine.hand_is_too_soon()
