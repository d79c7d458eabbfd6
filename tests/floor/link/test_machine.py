"""A link with three tables and three levels, driven at random, against an auditor that reads nothing but entries."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from croupier.compliance.profile import Lawful
from croupier.errors import Refusal
from croupier.floor.link.acts import (
    Adjust,
    BackOut,
    CallSupervisor,
    CloseLink,
    EndGame,
    EnterHand,
    LinkAct,
    OpenLink,
    Reconfigure,
    ReopenGame,
    StartGame,
    TakeBackHand,
    TakeCall,
    VoidAward,
)
from croupier.floor.link.adjust import PATHS
from croupier.floor.link.brief import LinkBrief
from croupier.floor.link.link import Link, proof, replay
from croupier.floor.link.setup import AwardOrder, LinkSetup
from croupier.floor.link.state import Status
from croupier.games.meter import Style
from croupier.ledger.entry import Entry, Purpose
from support.room import EXECUTIVE, MANAGER, OTHER_MANAGER, SUPERVISOR, THREE_METERS, LinkBook
from tests.audit.auditor import Auditor

LEVELS = ("Mega", "Major", "Minor")
LINES = tuple(THREE_METERS.lines)
tables, seats = st.integers(1, 3), st.integers(1, 5)
rates = st.sampled_from([0, 1, 37, 40_007, 120_001, 250_000])
setups = st.builds(
    lambda rates, seeds, maxima, style, order, threshold, card, least: replace(
        THREE_METERS,
        levels=tuple(
            replace(
                level,
                **{"contribution_ppm": rate, "reserve_ppm": reserve, "seed_cents": seed},
                maximum_cents=None if maximum is None else seed + maximum,
            )
            for level, (rate, reserve), seed, maximum in zip(THREE_METERS.levels, rates, seeds, maxima, strict=True)
        ),
        style=style,
        order=order,
        executive_threshold_cents=threshold,
        fixed_pay_card_cents=card,
        least_round_s=least,
    ),
    st.tuples(*[st.tuples(rates, st.sampled_from([0, 3, 20_001]))] * 3),
    st.tuples(*[st.sampled_from([0, 1, 999, 250_000])] * 3),
    st.tuples(*[st.sampled_from([None, None, 0, 150, 5_000])] * 3),
    st.sampled_from(Style),
    st.sampled_from(AwardOrder),
    st.sampled_from([0, 999, 300_000]),
    st.sampled_from([None, 0, 12_500, 100_000]),
    st.sampled_from([None, None, 0]),
)


class Machine(RuleBasedStateMachine):
    """Whatever people do, allowed or not; what is refused has changed nothing."""

    @initialize(setup=setups)
    def made(self, setup: LinkSetup) -> None:
        self.floor = LinkBook(setup)
        self.auditor = Auditor()
        self.seen = 0
        self.brief: LinkBrief | None = None
        self.games: list[Any] = []
        self.days: list[tuple[int, Any]] = []

    def attempt(self, act: type[LinkAct], **fields: Any) -> Entry | None:
        before = json.dumps(self.floor.link.snapshot())
        try:
            return self.floor.do(act, **fields)
        except Refusal:
            assert json.dumps(self.floor.link.snapshot()) == before
            return None

    # At the tables

    @rule(table=tables, lit=st.sets(seats, min_size=1), base=st.sets(seats))
    def start(self, table: int, lit: set[int], base: set[int]) -> None:
        self.attempt(StartGame, table=table, lit=tuple(lit), based=tuple(lit | base))

    @rule(table=tables, lit=st.sets(seats), base=st.sets(seats))
    def start_without_base(self, table: int, lit: set[int], base: set[int]) -> None:
        entry = self.attempt(StartGame, table=table, lit=tuple(lit), based=tuple(base))
        assert entry is None or lit <= base

    @rule(table=tables, seat=seats, line=st.sampled_from(LINES))
    def enter(self, table: int, seat: int, line: str) -> None:
        self.attempt(EnterHand, table=table, seat=seat, line=line)

    @rule(
        table=tables,
        winners=st.permutations([1, 2, 3, 4, 5]).flatmap(lambda order: st.integers(1, 5).map(lambda n: order[:n])),
        lines=st.tuples(*[st.sampled_from([LINES[0], LINES[0], LINES[1], LINES[4]])] * 5),
    )
    def several_win(self, table: int, winners: list[int], lines: tuple[str, ...]) -> None:
        """The dealer presses in whatever order."""
        self.attempt(StartGame, table=table, lit=(1, 2, 3, 4, 5), based=(1, 2, 3, 4, 5))
        for seat, line in zip(winners, lines, strict=False):
            self.attempt(EnterHand, table=table, seat=seat, line=line)

    @precondition(lambda self: any(cycle.entered for cycle in self.floor.link.state.tables.values()))
    @rule(data=st.data())
    def take_back(self, data: st.DataObject) -> None:
        cycles = self.floor.link.state.tables
        table = data.draw(st.sampled_from([number for number, cycle in cycles.items() if cycle.entered]))
        self.attempt(TakeBackHand, table=table, seat=data.draw(st.sampled_from([*cycles[table].entered, 6])))

    @rule(table=tables)
    def call(self, table: int) -> None:
        self.attempt(CallSupervisor, table=table)

    @rule(table=tables, by=st.sampled_from([SUPERVISOR, MANAGER]))
    def take_call(self, table: int, by: Any) -> None:
        self.attempt(TakeCall, table=table, by=by)

    @rule(table=tables)
    def end(self, table: int) -> None:
        self.attempt(EndGame, table=table)

    @rule(table=tables, by=st.sampled_from([SUPERVISOR, SUPERVISOR, MANAGER]))
    def reopen(self, table: int, by: Any) -> None:
        self.attempt(ReopenGame, by=by, table=table, reason="a late winner")

    # With a card

    @precondition(lambda self: self.floor.link.state.awards)
    @rule(data=st.data(), by=st.sampled_from([SUPERVISOR, EXECUTIVE, EXECUTIVE, MANAGER]))
    def confirm(self, data: st.DataObject, by: Any) -> None:
        award = data.draw(st.sampled_from(sorted(self.floor.link.state.awards)))
        try:
            self.floor.confirm(award, by=by)
        except Refusal:
            assert award in self.floor.link.state.awards

    @precondition(lambda self: self.floor.link.state.awards)
    @rule(data=st.data())
    def void(self, data: st.DataObject) -> None:
        award = data.draw(st.sampled_from(sorted(self.floor.link.state.awards)))
        assert self.attempt(VoidAward, by=SUPERVISOR, award=award, reason="misread")

    # In the office

    @rule(
        level=st.sampled_from(LEVELS),
        path=st.sampled_from([(reason, *path) for reason in Lawful for path in sorted(PATHS[reason])]),
        cents=st.sampled_from([1, 50, 3_000, 400_000]),
        data=st.data(),
    )
    def adjust(self, level: str, path: tuple[Lawful, Purpose, Purpose], cents: int, data: st.DataObject) -> None:
        reason, source, target = path
        fields = {"level": level, "reason": reason, "source": source, "target": target, "cents": cents, "text": "why"}
        confirmed = [number for number, won in self.floor.link.state.won.items() if won.level == level]
        award = data.draw(st.sampled_from([None, *confirmed[-2:]]))
        reseed = reason is Lawful.AMOUNT_WON and cents > 1_000
        self.attempt(Adjust, by=MANAGER, second=EXECUTIVE, award=award, reseed=reseed, **fields)

    @precondition(lambda self: self.floor.link.state.confirmed)
    @rule(data=st.data())
    def back_out(self, data: st.DataObject) -> None:
        """Of the last awards one, whatever has been played since; one that is backed out is not again."""
        won = self.floor.link.state.confirmed
        award = data.draw(st.sampled_from([*won][-4:]))
        entry = self.attempt(BackOut, by=MANAGER, second=EXECUTIVE, award=award, reason="wrong seat")
        assert entry is None or not won[award].backed_out or won[award].backed_out == entry.number

    @rule(late=st.sampled_from([False, False, False, True]))
    def close_or_open(self, *, late: bool) -> None:
        opened = self.floor.link.state.status is Status.OPEN
        if late or not opened:
            assert self.attempt(CloseLink if opened else OpenLink, by=MANAGER)

    @precondition(lambda self: self.floor.link.state.status is Status.CLOSED)
    @rule(setup=setups)
    def reconfigure(self, setup: LinkSetup) -> None:
        self.attempt(Reconfigure, by=MANAGER, second=OTHER_MANAGER, setup=setup)

    @rule()
    def day_ends(self) -> None:
        self.days.append((len(self.floor.entries), self.floor.link.sums))

    @rule()
    def power_fails(self) -> None:
        """The link is read again from its entries, and again from a snapshot."""
        live = self.floor.link
        assert replay("main", self.floor.entries).state == live.state
        self.floor.link = Link.of_snapshot(json.loads(json.dumps(live.snapshot())))
        assert self.floor.link.state == live.state

    # Always

    @invariant()
    def the_houses_own_lies_on_the_meter(self) -> None:
        if hasattr(self, "floor"):
            state = self.floor.link.state
            for level in LEVELS:
                assert 0 <= state.own.get(level, 0) <= state.units(Purpose.METER, level)
                assert 0 <= state.own_held.get(level, 0) <= state.units(Purpose.PENDING, level)

    @invariant()
    def audited(self) -> None:
        if not hasattr(self, "floor"):
            return
        for entry in self.floor.entries[self.seen :]:
            self.auditor.see(json.loads(json.dumps(entry.as_json())))
        self.seen = len(self.floor.entries)
        state = self.floor.link.state
        held = {number: award["cents"] for number, award in self.auditor.open.items()}
        assert held == {number: award.cents for number, award in state.awards.items()}
        for account, units in state.book.balances.items():
            assert self.auditor.money[str(account)] * 1_000_000 == units

    @invariant()
    def shown_as_it_stands(self) -> None:
        """A brief that is made from the one before it is that of the link, and leaves the one before as it was."""
        if not hasattr(self, "floor"):
            return
        state, before = self.floor.link.state, self.brief
        after = LinkBrief.of(state, before, self.floor.entries[before.entries :] if before else ())
        assert after == LinkBrief.of(state)
        assert list(after.tables) == list(state.tables)
        assert not any(after.tables[number] is cycle for number, cycle in state.tables.items())
        assert not before or self.games == [cycle.as_json() for cycle in before.tables.values()]
        self.brief, self.games = after, [cycle.as_json() for cycle in after.tables.values()]

    @invariant()
    def proved(self) -> None:
        if hasattr(self, "floor"):
            for since in (None, *(sums for _, sums in self.days[-3:])):
                assert all(proof(self.floor.link, level, since).difference == 0 for level in LEVELS)


TestLink = Machine.TestCase
TestLink.settings = settings(
    max_examples=40, stateful_step_count=60, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
