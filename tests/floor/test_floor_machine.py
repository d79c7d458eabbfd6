"""The whole floor, driven at random on both stores: site, links, bank and restarts, against an auditor of entries.

Every entry of a link is seen by the auditor as soon as it is durable, and at every restart the store is read to see
that it holds those entries and no others. What is refused has entered nothing; a resend is answered with the first
entry; all meters are proved to a difference of zero after every step.
"""

from __future__ import annotations

import json
import tempfile
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from croupier.compliance.authority import Role
from croupier.compliance.profile import Lawful
from croupier.errors import Refusal
from croupier.floor.floor import LINK, Floor
from croupier.floor.link import acts
from croupier.floor.link.adjust import PATHS
from croupier.floor.link.link import proof
from croupier.floor.link.setup import AwardOrder, LinkSetup
from croupier.floor.link.state import Status
from croupier.floor.site import acts as site_acts
from croupier.games.meter import Style
from croupier.ledger.entry import SITE, Entry, Purpose
from support.postgres import new_floor
from support.room import (
    DEALER,
    EXECUTIVE,
    MANAGER,
    ONE_METER,
    OTHER_MANAGER,
    PLENTY,
    STYLE_A,
    SUPERVISOR,
    THREE_METERS,
    Room,
    table,
)
from tests.audit.auditor import Auditor
from tests.store.memory import folder_in_memory

TABLES = {1: (1, 2), 3: (3,), 4: (4, 5)}
"""Groups of tables that are linked together, by the first: the last two deal eight decks, for three levels."""
EXAMPLES, STEPS = {"sqlite": 12, "postgresql": 6}, 25
"""A session with a server takes longer to open than a file."""
GROUP = {number: first for first, numbers in TABLES.items() for number in numbers}
tables, seats = st.sampled_from(sorted(GROUP)), st.integers(1, 5)
groups = st.sampled_from(sorted(TABLES))
Hand = tuple[int, int, str]
"""A seat, the place of its line in the paytable, and what becomes of it or of the award that is next."""
decisions = st.sampled_from(["executive", "executive", "supervisor", "void", "take-back", "call", "nothing"])
hands = st.lists(st.tuples(seats, st.integers(0, 9), decisions), max_size=4)
lit = st.sets(seats, min_size=1)
TWO: dict[str, Any] = {"by": MANAGER, "second": EXECUTIVE}


def setup_of(first: int, base: LinkSetup) -> LinkSetup:
    base = THREE_METERS if first == 4 else base
    linked = tuple(table(number, paytable=base.paytable, decks=base.decks) for number in TABLES[first])
    return replace(base, tables=linked)


class Machine(RuleBasedStateMachine):
    """Whatever people do, allowed or not."""

    url: str

    @initialize(base=st.sampled_from([ONE_METER, STYLE_A]))
    def opened(self, base: LinkSetup) -> None:
        self.base = base
        self.room = Room(self.url)
        self.room.found()
        for number, first in list(GROUP.items())[1:]:
            self.room.set_table(number, "King's Bounty", 7, 8 if first == 4 else 6)
        self.auditors: dict[str, Auditor] = defaultdict(Auditor)
        self.seen = 0
        self.done: list[tuple[acts.LinkAct, str, Entry]] = []
        self.names = dict.fromkeys(TABLES, "")
        """By group of tables: the link that it is on."""
        self.bank = 0
        """Units in the account."""
        self.paid: dict[str, int] = defaultdict(int)
        """By link: units that winners got since the account was declared."""
        self.on_its_way: dict[str, int] = defaultdict(int)
        """By retired link: what it gave up, and nobody has received."""
        self.room.declare(PLENTY)
        for first in TABLES:
            self.make(first)
            self.open_or_close(first)

    def teardown(self) -> None:
        if hasattr(self, "room"):
            self.stored()
            self.room.floor.close()

    # Doing

    @property
    def floor(self) -> Floor:
        return self.room.floor

    def count(self) -> int:
        return len(self.room.heard)

    def attempt(self, kind: type[acts.LinkAct], on: str, **values: Any) -> Entry | None:
        """What is refused has entered nothing, in no book."""
        before = self.count()
        act = kind(**{"id": next(self.room.ids), "by": DEALER, **values})
        try:
            entry = self.floor.do(act, on)
        except Refusal:
            assert self.count() == before
            return None
        assert self.count() == before + 1
        self.done.append((act, on, entry))
        return entry

    def at_site(self, kind: type[site_acts.SiteAct], **values: Any) -> Entry | None:
        before = self.count()
        try:
            return self.room.site(kind, **values)
        except Refusal:
            assert self.count() == before
            return None

    def link_at(self, number: int) -> str:
        return self.names[GROUP[number]]

    def brief(self, number: int) -> Any:
        return self.floor.links[self.link_at(number)]

    # At the tables

    def play(self, number: int, lit: set[int], hands: list[Hand], *, ends: bool) -> None:
        """A game, or as much of it as is allowed: hands are entered in any order, and a card decides what is next."""
        link = self.link_at(number)
        if self.brief(number).status is Status.CLOSED:
            self.attempt(acts.OpenLink, link, by=MANAGER)
        self.attempt(acts.StartGame, link, table=number, lit=tuple(lit), based=tuple(lit))
        lines = tuple(self.brief(number).setup.lines)
        for seat, line, _ in hands:
            self.attempt(acts.EnterHand, link, table=number, seat=seat, line=lines[line % len(lines)])
        for seat, _, decision in hands:
            self.decide(number, seat, decision)
        if ends:
            self.attempt(acts.EndGame, link, table=number)

    def decide(self, number: int, seat: int, decision: str) -> None:
        link = self.link_at(number)
        award = next((each.award for each in self.brief(number).awards if each.table == number), 0)
        match decision:
            case "void":
                self.attempt(acts.VoidAward, link, by=SUPERVISOR, award=award, reason="misread")
            case "supervisor" | "executive":
                by = SUPERVISOR if decision == "supervisor" else EXECUTIVE
                self.attempt(acts.Confirm, link, by=by, award=award)
            case "take-back":
                self.attempt(acts.TakeBackHand, link, table=number, seat=seat)
            case "call":
                self.attempt(acts.CallSupervisor, link, table=number)

    @rule(number=tables, lit=lit, hands=hands, ends=st.booleans())
    def game(self, number: int, lit: set[int], hands: list[Hand], ends: bool) -> None:
        self.play(number, lit, hands, ends=ends)

    @rule(number=tables, hands=hands)
    def busy_game(self, number: int, hands: list[Hand]) -> None:
        """The same again, with everybody in: games are what most of a day is made of."""
        self.play(number, {1, 2, 3, 4, 5}, hands, ends=True)

    @rule(number=tables, other=tables, first=hands, second=hands)
    def two_tables(self, number: int, other: int, first: list[Hand], second: list[Hand]) -> None:
        self.play(number, {1, 2, 3}, first, ends=False)
        self.play(other, {3, 4, 5}, second, ends=True)
        self.play(number, {1, 2, 3}, [], ends=True)

    # In the office

    @rule(
        number=tables,
        path=st.sampled_from([(reason, *path) for reason in Lawful for path in sorted(PATHS[reason])]),
        cents=st.sampled_from([1, 3_000, 400_000]),
        place=st.integers(0, 2),
        award=st.booleans(),
    )
    def adjust(self, number: int, path: tuple[Lawful, Purpose, Purpose], cents: int, place: int, award: bool) -> None:
        link, (reason, source, target) = self.link_at(number), path
        levels = list(self.brief(number).setup.level)
        won = [entry.number for act, on, entry in self.done if on == link and entry.kind == "enter"]
        what = {"reason": reason, "source": source, "target": target, "cents": cents, "text": "why"}
        self.attempt(
            acts.Adjust,
            link,
            **TWO,
            **what,
            level=levels[place % len(levels)],
            award=won[-1] if award and won else None,
        )

    @rule(number=tables, back=st.integers(1, 3))
    def back_out(self, number: int, back: int) -> None:
        """One of the last awards, whether or not a card has confirmed it and whatever has become of it."""
        link = self.link_at(number)
        entered = [entry.number for act, on, entry in self.done if on == link and entry.kind == "enter"]
        if entered:
            self.attempt(acts.BackOut, link, **TWO, award=entered[-back:][0], reason="wrong seat")

    @rule(first=groups)
    def open_or_close(self, first: int) -> None:
        opened = self.brief(first).status is Status.OPEN
        self.attempt(acts.CloseLink if opened else acts.OpenLink, self.names[first], by=MANAGER)

    @rule(first=groups, order=st.sampled_from(AwardOrder), threshold=st.sampled_from([0, 999, 300_000]))
    def reconfigure(self, first: int, order: AwardOrder, threshold: int) -> None:
        """Closed for it, and opened after it, if games allow."""
        self.attempt(acts.CloseLink, self.names[first], by=MANAGER)
        style = Style.ALL_PAYS if first == 3 and threshold else self.brief(first).setup.style
        setup = replace(self.brief(first).setup, order=order, executive_threshold_cents=threshold, style=style)
        self.attempt(acts.Reconfigure, self.names[first], by=MANAGER, second=OTHER_MANAGER, setup=setup)
        self.attempt(acts.OpenLink, self.names[first], by=MANAGER)

    def make(self, first: int) -> None:
        name = f"l{first}-{len(self.floor.links)}"
        assert self.attempt(acts.MakeLink, name, **TWO, link=name, setup=setup_of(first, self.base))
        self.names[first] = name

    @rule(first=groups, second=groups, receives=st.booleans(), place=st.integers(0, 2))
    def retire(self, first: int, second: int, receives: bool, place: int) -> None:
        """The tables get a new link; the value of the old one is on its way until it is received."""
        old, new = self.names[first], self.names[second]
        for number in TABLES[first]:
            self.attempt(acts.EndGame, old, table=number)
        self.attempt(acts.CloseLink, old, by=MANAGER)
        owed = self.owed()
        if not self.attempt(acts.Retire, old, **TWO, to=new):
            return
        assert self.owed() == owed
        self.make(first)
        if receives:
            self.receive(old, place)

    @precondition(lambda self: self.retired())
    @rule(data=st.data(), place=st.integers(0, 2))
    def receive_late(self, data: st.DataObject, place: int) -> None:
        self.receive(data.draw(st.sampled_from(self.retired())), place)

    def retired(self) -> list[str]:
        return sorted(name for name, brief in self.floor.links.items() if brief.status is Status.RETIRED)

    def receive(self, source: str, place: int) -> None:
        gone, owed = self.floor.links[source], self.owed()
        here = self.floor.links[gone.moved_to]
        assert gone.setup
        assert here.setup
        levels = list(here.setup.level)
        values = {"source": source, "levels": dict.fromkeys(gone.setup.level, levels[place % len(levels)])}
        self.attempt(acts.Receive, here.name, **TWO, **values, entry=self.floor.retirement(source).as_json())
        assert self.owed() == owed

    def owed(self) -> int:
        """All that players are owed, on meters or on its way."""
        house = self.floor.house
        return sum(brief.totals.owed + house.on_its_way(brief) for brief in self.floor.links.values())

    # The site

    @rule(cents=st.sampled_from([1_000, 2_000_000, PLENTY]))
    def declare(self, cents: int) -> None:
        """A short bank stops every link; then the money comes."""
        self.room.declare(cents)
        self.floor.check_bank()
        for name in self.floor.links:
            self.floor.ask(name, lambda link: None)  # what the bank has closed is closed now
        if self.floor.cover().links_must_stop:
            assert all(brief.status is not Status.OPEN for brief in self.floor.links.values())
            self.check_all()
            self.room.declare(PLENTY)

    @rule(cents=st.sampled_from([1, 50_000]), days=st.sampled_from([0, 1, 8]))
    def deposit(self, cents: int, days: int) -> None:
        """After some days, in which links may have to stop."""
        self.room.clock.day = min(self.room.clock.day + days, 28)
        self.check_all()
        self.floor.deposit(id=next(self.room.ids), by="max", amount_cents=cents, reference="slip")

    @rule(number=tables, most=st.sampled_from([20_000, 30_000]), decks=st.sampled_from([6, 8]))
    def change_site(self, number: int, most: int, decks: int) -> None:
        """A table is never taken from under a link, and who is a supervisor today is no dealer."""
        changed = replace(self.floor.site.tables[number], most_wager_cents=most, decks=decks)
        entry = self.at_site(site_acts.SetTable, second="eve", table=changed)
        assert entry is None or decks == self.brief(number).setup.decks
        assert self.at_site(site_acts.RemoveTable, second="eve", number=number) is None
        if self.at_site(site_acts.ChangeRole, second=OTHER_MANAGER.person, person="ann", role=Role.SUPERVISOR):
            assert not self.attempt(acts.StartGame, self.link_at(number), table=number, lit=(1,), based=(1,))
            assert self.at_site(site_acts.ChangeRole, second=OTHER_MANAGER.person, person="ann", role=Role.DEALER)

    # Again and again

    @precondition(lambda self: self.done)
    @rule(data=st.data())
    def resend(self, data: st.DataObject) -> None:
        act, link, entry = data.draw(st.sampled_from(self.done))
        before = self.count()
        assert self.floor.do(act, link) == entry
        assert self.count() == before

    @rule()
    def restart(self) -> None:
        """All is as it was, and the store holds what people were told."""
        links, site = self.floor.links, self.floor.site.snapshot()
        self.room.reopen()
        assert self.floor.links == links
        assert self.floor.site.snapshot() == site
        self.stored()

    def stored(self) -> None:
        """And every link is what its self-check makes of its entries."""
        for stream in self.floor.reading.streams():
            assert list(self.floor.reading.entries(stream)) == self.room.entries(stream)
        for link in self.floor.links:
            self.floor.self_check(link)

    # Always

    def check_all(self) -> None:
        self.audited()
        self.proved()

    @invariant()
    def audited(self) -> None:
        if not hasattr(self, "names"):
            return
        for stream, entry in self.room.heard[self.seen :]:
            told = json.loads(json.dumps(entry.as_json()))
            if stream.startswith(LINK):
                self.auditors[stream].see(told)
            self.follow(told, stream)
        self.seen = self.count()

    def follow(self, entry: dict[str, Any], stream: str) -> None:
        """The money of the site, from entries alone: what is in the bank, what was won since, what is on its way."""
        for source, target, units in entry["transfers"]:
            for account, other, sign in ((source, target, -1), (target, source, 1)):
                purpose, beside = account.split(":")[0], other.split(":")[0]
                if stream == SITE:
                    self.bank += sign * units * (purpose == "bank")
                elif purpose == "players" and beside in ("meter", "pending") and entry["kind"] != "start":
                    self.paid[stream] += sign * units
                elif entry["kind"] == "retire" and purpose == "house":
                    self.on_its_way[stream] += sign * units
        if entry["kind"] == "declare-bank":
            self.paid.clear()
        if entry["kind"] == "receive":
            del self.on_its_way[LINK + entry["facts"]["source"]]

    @invariant()
    def proved(self) -> None:
        """Each link's state against its auditor, each meter's proof, and the bank against all of it."""
        if not hasattr(self, "names"):
            return
        for name in self.floor.links:
            state, proofs = self.floor.ask(name, lambda link: (link.state, [proof(link, x) for x in link.state.sums]))
            auditor = self.auditors[LINK + name]
            assert all(each.difference == 0 for each in proofs)
            assert {number: award["cents"] for number, award in auditor.open.items()} == {
                number: award.cents for number, award in state.awards.items()
            }
            for account, units in state.book.balances.items():
                assert auditor.money[str(account)] * 1_000_000 == units
        kept = ("meter", "reserve", "overflow", "pending")
        owed = sum(
            cents
            for auditor in self.auditors.values()
            for account, cents in auditor.money.items()
            if account.split(":")[0] in kept
        )
        cover = self.floor.cover()
        assert cover.owed_cents == ceil(owed + Fraction(sum(self.on_its_way.values()), 1_000_000))
        assert cover.is_there_cents == (self.bank - sum(max(0, units) for units in self.paid.values())) // 1_000_000


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_the_floor_keeps_every_cent_whatever_people_do(kind: str) -> None:
    with folder_in_memory() as folder:

        def made() -> Machine:
            machine = Machine()
            machine.url = f"sqlite:///{tempfile.mkdtemp(dir=folder)}/floor.db" if kind == "sqlite" else new_floor()
            return machine

        run_state_machine_as_test(
            made,  # type: ignore[arg-type]
            settings=settings(
                max_examples=EXAMPLES[kind],
                stateful_step_count=STEPS,
                deadline=None,
                suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
            ),
        )
