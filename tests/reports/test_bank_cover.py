"""The bank cover in print against the one that stops the links: the same account, at any moment of any day."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from croupier.compliance.profile import Lawful
from croupier.errors import Refusal
from croupier.floor.link import acts
from croupier.floor.link.state import Status
from croupier.floor.site.acts import ChooseProfile
from croupier.games.money import dollars
from croupier.ledger.entry import UNITS_PER_CENT, Purpose
from croupier.reports.accrual import accrual
from croupier.reports.bank_cover import CoverRow, bank_cover
from croupier.reports.books import Books
from croupier.reports.period import Period
from croupier.reports.sheet import money
from support.papers import registered
from support.room import (
    COLOR,
    DEALER,
    EXECUTIVE,
    MANAGER,
    ONE,
    ONE_METER,
    PLENTY,
    STYLE_A,
    SUITED,
    SUPERVISOR,
    THREE,
    Room,
)

TWO: dict[str, Any] = {"by": MANAGER, "second": EXECUTIVE}
TABLES, ACTS = (1, 2), 60


class BusyRoom(Room):
    """A card room whose people do this and that; what the floor refuses is not done."""

    def __init__(self, url: str, random: Random) -> None:
        super().__init__(url)
        self.random = random
        self.names = dict[int, str]()
        """By table: the link that it is on."""
        self.reached = set[str]()
        self.found()
        self.declare(PLENTY)
        for number in TABLES:
            self.link(number)

    def second_edition(self) -> None:
        """The room goes over to it, with the papers and tables of the register that it asks for."""
        self.site(ChooseProfile, second=EXECUTIVE.person, profile="washington/2")
        for act in registered():
            self.floor.do_site(act)

    def link(self, number: int) -> None:
        """A new link at the table."""
        self.names[number] = f"l{len(self.floor.links)}"
        setup = replace(self.random.choice([ONE_METER, STYLE_A]), tables=(ONE_METER.table[number],))
        self.make(setup, self.names[number])

    def attempt(self, kind: type[acts.LinkAct], on: str, **values: Any) -> int:
        """The number of its entry; 0 where it was refused."""
        try:
            entry = self.do(kind, on, **{"by": DEALER, **values})
        except Refusal:
            return 0
        self.reached.add(kind.kind)
        return entry.number

    def game(self) -> None:
        number = self.random.choice(TABLES)
        on = self.names[number]
        self.attempt(acts.OpenLink, on, by=MANAGER)
        self.attempt(acts.StartGame, on, table=number, lit=(1, 2, 3), based=(1, 2, 3))
        line = self.random.choice([SUITED, COLOR, THREE, ONE])
        award = self.attempt(acts.EnterHand, on, table=number, seat=2, line=line)
        match self.random.choice(["confirm", "confirm", "void", "take-back", "wait"]):
            case "confirm":
                self.attempt(acts.Confirm, on, by=EXECUTIVE, award=award)
            case "void":
                self.attempt(acts.VoidAward, on, by=SUPERVISOR, award=award, reason="misread")
            case "take-back":
                self.attempt(acts.TakeBackHand, on, table=number, seat=2)
        self.attempt(acts.EndGame, on, table=number)

    def decide(self) -> None:
        """What was left waiting."""
        for number, on in self.names.items():
            for award in self.floor.links[on].awards:
                self.attempt(acts.Confirm, on, by=EXECUTIVE, award=award.award)
            self.attempt(acts.EndGame, on, table=number)

    def correct(self) -> None:
        others = [Purpose.PLAYERS, Purpose.PLAYERS, Purpose.HOUSE, Purpose.TRAY, Purpose.RESERVE]
        path = [Purpose.METER, self.random.choice(others)]
        self.random.shuffle(path)
        on, cents = self.names[self.random.choice(TABLES)], self.random.choice([1, 3_000, 50_000])
        correction = {"reason": Lawful.MALFUNCTION, "cents": cents, "text": "A sensor lit by itself."}
        if self.attempt(acts.Adjust, on, **TWO, level="", source=path[0], target=path[1], **correction):
            self.reached.add(" to ".join(path))

    def count(self) -> None:
        """What is in the account is counted."""
        self.declare(self.random.choice([2_000_000, PLENTY]))

    def bring(self) -> None:
        """What the tables took is brought to the account, some days later."""
        self.clock.day = min(28, self.clock.day + self.random.choice([0, 1, 8]))
        self.floor.deposit(id=next(self.ids), by="max", amount_cents=self.random.choice([1, 50_000]), reference="slip")

    def retire(self) -> None:
        self.decide()
        number, other = self.random.sample(TABLES, 2)
        old = self.names[number]
        self.attempt(acts.CloseLink, old, by=MANAGER)
        if self.attempt(acts.Retire, old, **TWO, to=self.names[other]):
            self.link(number)
            if self.random.random() < 0.5:
                self.receive(old)

    def receive(self, old: str) -> None:
        entry, to = self.floor.retirement(old).as_json(), self.floor.links[old].moved_to
        self.attempt(acts.CloseLink, to, by=MANAGER)
        self.attempt(acts.Receive, to, **TWO, source=old, levels={"": ""}, entry=entry)

    def receive_late(self) -> None:
        for name, brief in self.floor.links.items():
            if brief.status is Status.RETIRED:
                self.receive(name)

    def anything(self) -> None:
        often = [self.game] * 4 + [self.correct] * 4 + [self.decide, self.count, self.retire] * 2
        self.random.choice([*often, self.bring, self.receive_late])()

    def printed(self) -> CoverRow:
        """The account as the report has it now."""
        return bank_cover(Books(self.floor.reading), Period(), self.clock()).rows[-1]


def agree(room: BusyRoom) -> bool:
    """Whether the report says of the account what the floor goes by."""
    live, row = room.floor.cover(), room.printed()
    told = " ".join(f"{each.sentence} ({each.citation})" for each in live.findings)
    return (live.owed_cents, live.must_be_there_cents, live.is_there_cents, live.links_must_stop, told) == (
        *(row.owed_cents, row.must_be_there_cents, row.is_there_cents, row.links_must_stop),
        row.findings,
    )


@pytest.fixture
def room(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[BusyRoom]:
    made = BusyRoom(f"sqlite:///{tmp_path}/floor.db", Random(request.param))
    yield made
    made.floor.close()


@pytest.mark.parametrize("room", range(6), indirect=True)
def test_the_report_says_what_the_floor_goes_by_whatever_people_do(room: BusyRoom) -> None:
    for _ in range(ACTS):
        room.anything()
        assert agree(room)
    assert {"confirm", "players to meter", "meter to players", "retire", "receive"} <= room.reached


@pytest.mark.parametrize("room", [0], indirect=True)
def test_what_came_back_from_players_before_a_declaration_does_not_come_off_the_account(room: BusyRoom) -> None:
    back = {"source": Purpose.PLAYERS, "target": Purpose.METER, "cents": 50_000}
    assert room.attempt(
        acts.Adjust, room.names[1], **TWO, level="", reason=Lawful.MALFUNCTION, text="Paid twice.", **back
    )
    room.declare(500_000)
    assert room.printed().is_there_cents == room.floor.cover().is_there_cents == 500_000


def test_the_moment_that_shut_the_floor_is_in_the_report_and_the_deposit_that_it_asks_for_opens_it(
    tmp_path: Path,
) -> None:
    with Room(f"sqlite:///{tmp_path}/floor.db") as room:
        room.found()
        room.make()
        room.declare(1_000_000)
        room.do(acts.OpenLink, by=EXECUTIVE)
        room.start(1, 1, 2)
        award = room.award(SUITED, 2)
        room.do(acts.Confirm, by=EXECUTIVE, award=award)
        room.floor.check_bank()
        room.floor.ask("main", lambda link: None)
        shut = room.floor.links["main"]
        assert shut.short_of_cover
        missing = room.floor.cover().to_deposit_cents
        room.do(acts.EndGame, by=DEALER, table=1)
        room.floor.deposit(id="slip", by="max", amount_cents=missing, reference="slip")
        rows = bank_cover(Books(room.floor.reading), Period(), room.clock()).rows
        assert [(row.event, row.links_must_stop) for row in rows] == [
            *(("declared", False), ("link main shut", True), ("deposited", False), ("at the end", False))
        ]
        short = rows[1]
        assert (short.at >= shut.at, short.over_cents < 0, "short" in short.findings) == (True, True, True)
        assert bank_cover(Books(room.floor.reading), Period(), room.clock()).sums()["times_short"] == 1
        room.do(acts.OpenLink, by=EXECUTIVE)
        assert room.floor.links["main"].status is Status.OPEN


@pytest.mark.parametrize("room", [0], indirect=True)
def test_a_deposit_is_identified_by_game_and_dates_and_posted_prizes_are_covered(room: BusyRoom) -> None:
    room.second_edition()
    name = room.names[1]
    room.declare(room.floor.cover().must_be_there_cents)
    assert room.attempt(acts.OpenLink, name, by=MANAGER)
    assert room.attempt(acts.StartGame, name, table=1, lit=(1, 2), based=(1, 2))
    room.attempt(acts.EndGame, name, table=1)
    assert "below-posted" in [each.code for each in room.floor.cover().findings]
    with pytest.raises(Refusal, match=r"is posted: progressive games stop at once.*WAC 230-15-720"):
        room.do(acts.StartGame, name, by=DEALER, table=1, lit=(1,), based=(1,))
    room.floor.deposit(id="d1", by="max", amount_cents=50_000, reference="slip 7")
    assert not room.floor.cover().links_must_stop
    [told] = bank_cover(Books(room.floor.reading), Period(), room.clock()).collected
    assert told.startswith(f"Deposit slip 7: Blazing 7's Progressive, dealer's up card ({name}), collected from 2026")
    assert told.endswith(f": {money(room.floor.links[name].totals.contributed)}.")
    assert agree(room)


@pytest.mark.parametrize("room", [3], indirect=True)
def test_net_win_is_as_the_place_defines_it(room: BusyRoom) -> None:
    def told() -> str:
        return accrual(Books(room.floor.reading), Period(), room.clock()).net_win

    assert told() == "", "the first edition does not say what it is"
    room.second_edition()
    name = room.names[1]
    for line in (THREE, ONE):
        room.attempt(acts.OpenLink, name, by=MANAGER)
        room.attempt(acts.StartGame, name, table=1, lit=(1, 2), based=(1, 2))
        room.attempt(acts.EnterHand, name, table=1, seat=1, line=line)
        room.decide()
    books = Books(room.floor.reading)
    taken, kept = 0, 0
    for link in books.links:
        setup = room.floor.links[link].setup
        assert setup
        for entry in books.entries(link, Period()):
            if entry.kind == "start":
                taken += len(entry.facts["seats"]) * setup.wager_cents
            kept += sum(units for _, target, units in entry.transfers if target == "tray")
            kept -= sum(units for source, _, units in entry.transfers if source == "tray")
    assert told().startswith(f"Net win of the progressive wagers: {dollars(taken)}, less wins paid ")
    assert told().endswith(f": {money(kept)} (WAC 230-05-114).")
    assert kept < taken * UNITS_PER_CENT
