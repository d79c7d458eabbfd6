"""One seed, one run: servers, a store, people and everything that can go wrong, in one thread and by one clock.

    World(4711).run()           raises Violation where something was seen that must never be

Every choice is drawn from the seed. A process can be stopped wherever it reaches for the store, while the others go on,
and wakes later or never. At the end all is put right: somebody leads, everybody gets an answer, and the books are read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from itertools import count
from random import Random
from typing import Any, Protocol

from croupier.errors import CroupierError
from croupier.floor.floor import LINK
from croupier.ledger.clock import AHEAD_S, Witnesses
from croupier.ledger.entry import Entry
from croupier.store.lease import BEAT_S, SILENT_S
from croupier.store.store import Snapshot, Store
from support.room import (
    BANK_CENTS,
    MANAGER,
    ONE_METER,
    PEOPLE,
    STYLE_A,
    felt,
    founding,
    hashed_cards,
    opening_acts,
)
from support.room import table as linked_table
from tests.audit.auditor import Auditor
from tests.simulation.database import Database, DatabaseStore
from tests.simulation.disk import Disk
from tests.simulation.observer import Books, Observer, Sending, Violation, as_json
from tests.simulation.people import Dealer, Office
from tests.simulation.process import Killed, Machine, Process

BEGIN_S = 1_794_700_000.0
"""The time of day at which a run begins: 15 November 2026."""
DEEPEST = 3
"""So many processes are stopped inside one another at most."""
SETUPS = {
    "main": replace(ONE_METER, tables=(linked_table(1), linked_table(2))),
    "pool": replace(STYLE_A, tables=(linked_table(3),)),
}
FAULTS = ("stop", "kill", "network", "power", "full", "sync", "clock", "forge", "lie")


class Site(Protocol):
    """Where the books of a run are kept, and what can happen to them."""

    books: Books
    disk: Disk

    def connect(self, process: Process) -> Store: ...

    def witnesses(self, store: Store) -> Witnesses:
        """Of the time of day."""

    def machines(self, count: int) -> list[Machine]: ...

    def kill(self, process: Process) -> None:
        """The process has ended; what it held is free, at once or some time later."""

    def bury(self, process: Process) -> None:
        """A process that was killed is in the middle of nothing any more."""

    def events(self) -> Mapping[str, tuple[float, Callable[[], None]]]:
        """By fault: how often it happens, and how."""

    def heal(self) -> None: ...

    def lose_power(self) -> None: ...


class World:
    def __init__(self, seed: int, site: Callable[[World], Site] | None = None, *, traced: bool = False) -> None:
        self.seed, self.random = seed, Random(seed)
        self.trace: list[str] | None = [] if traced else None
        self.now, self.depth, self.calm, self.pace = 0.0, 0, False, 1.0
        self.acting: list[Process] = []
        """Who is doing something, and whom that was in the middle of."""
        random = self.random
        self.faults = {fault for fault in FAULTS if random.random() < 0.5} - (
            {"lie"} if random.random() < 0.6 else set()
        )
        self.stop_odds = random.choice((0.005, 0.02, 0.05)) if "stop" in self.faults else 0.0
        self.loss_odds = random.choice((0.01, 0.05)) if "network" in self.faults else 0.0
        self.manner: dict[str, Any] = {
            "patience_s": random.choice((0.5, 5.0)),
            "most_in_a_commit": random.choice((1, 3, 8)),
            "snapshot_every": random.choice((2, 5, 20)),
        }
        self.links, self.setups = list(SETUPS), SETUPS
        self.site = (site or DatabaseSite)(self)
        self.observer = Observer(self.site.books)
        self.machines = self.site.machines(random.choice((1, 2, 2, 3)))
        self.processes: list[Process] = []
        self.dealers = [
            Dealer(self, table.number, name, setup) for name, setup in SETUPS.items() for table in setup.tables
        ]
        self.office = Office(self)
        self._ids = count(1)
        for machine in self.machines:
            self.processes.append(Process(self, machine))
        self._events = self._chosen_events()

    # What happens

    def run(self, steps: int | None = None) -> None:
        self.within(self.processes[0], self.processes[0].keep)
        for _ in range(self.random.randint(30, 110) if steps is None else steps):
            self.event()
        self._put_right()

    def event(self) -> None:
        self.now += self.random.expovariate(20.0) * self.pace
        self.observer.latest_s = max(self.observer.latest_s, self.wall_s() + 2 * AHEAD_S)
        for process in self.processes:
            if self.now - process.beaten_at >= BEAT_S:
                self.within(process, process.beat)
        kinds, weights = self._events
        self.random.choices(kinds, weights)[0]()
        self.check()

    def check(self) -> None:
        self.observer.look()
        for process in self.processes:
            process.check()

    def end(self) -> None:
        """After a run that was given up: nothing of it is left open."""
        for process in list(self.processes):
            self.kill(process)

    def only(self, often: Mapping[str, float]) -> None:
        """These faults and no others: how likely a process is stopped wherever it can be, how often the others come."""
        self.faults, self.stop_odds, self.loss_odds = set(often), often.get("stop", 0.0), often.get("network", 0.0)
        self._events = self._chosen_events(often)

    def _chosen_events(self, often: Mapping[str, float] | None = None) -> tuple[list[Callable[[], None]], list[float]]:
        often = often or {}
        events: list[tuple[float, Callable[[], None]]] = [
            (25, self._send),
            (4, self._office),
            (3, self._ask),
            (25, self._work),
            (4, self._keep),
            (3, self._mark),
            (3, self._start),
        ]
        if "kill" in self.faults:
            events.append((often.get("kill", 0.7), self._kill))
        if "clock" in self.faults:
            events.append((often.get("clock", 0.5), self._set_clock))
        for fault, (weight, what) in self.site.events().items():
            if fault.split()[0] in self.faults:
                events.append((often.get(fault, weight), what))
        return [what for _, what in events], [weight for weight, _ in events]

    def note(self, what: str) -> None:
        if self.trace is not None:
            self.trace.append(f"{self.now:9.3f} {'| ' * self.depth}{what}")

    def answered(self, sending: Sending, answer: Entry | BaseException) -> None:
        if self.trace is not None:
            said = f"entry {answer.number}" if isinstance(answer, Entry) else f"{type(answer).__name__}: {answer}"
            self.note(f"{sending.process} answers {sending.act_id}: {said:.120}")
        self.observer.answered(sending, answer)

    def new_id(self, kind: str) -> str:
        return f"{kind}-{next(self._ids)}"

    def wall_s(self) -> float:
        return BEGIN_S + self.now

    # As processes see it

    def within(self, process: Process, do: Callable[..., object], *args: object) -> None:
        """A process does something; it may end in the middle of it."""
        if process.dead or process.busy:
            return
        process.busy = True
        self.acting.append(process)
        try:
            do(*args)
        except Killed:
            pass
        finally:
            self.acting.pop()
            process.busy = False
            if process.was_killed():
                self.site.bury(process)

    def reaches(self, process: Process, what: str) -> None:
        process.check_alive()
        if not self.calm and self.depth < DEEPEST and self.random.random() < self.stop_odds:
            self.note(f"{process.name} is stopped: {what}")
            self._meanwhile(self.random.choice((1, 3, 10, 25)), self.random.choice((1.0, 1.0, 20.0)))
            process.check_alive()
            self.note(f"{process.name} goes on")

    def passes(self, process: Process, seconds: float) -> None:
        self.now += seconds * self.random.uniform(1, 3)
        if not self.calm and self.depth < DEEPEST:
            self._meanwhile(self.random.randint(0, 2))
        process.check_alive()

    def _meanwhile(self, events: int, pace: float = 1.0) -> None:
        """What happens while somebody is stopped; it may be for a long time."""
        before, self.pace = self.pace, pace
        self.depth += 1
        for _ in range(events):
            self.event()
        self.depth -= 1
        self.pace = before

    def fate(self) -> str:
        if self.calm or self.random.random() >= self.loss_odds:
            return "fine"
        return self.random.choice(("lost", "unheard", "late"))

    # Events

    def _free(self, *, leading: bool) -> list[Process]:
        return [each for each in self.processes if not each.busy and (each.floor is not None or not leading)]

    def _send(self) -> None:
        dealer, free = self.random.choice(self.dealers), self._free(leading=True)
        if free and (not dealer.waiting or self.random.random() < 0.15):
            process = self.random.choice(free)
            self.within(process, dealer.send, process)

    def _office(self) -> None:
        """More often once somebody has won something."""
        if not self.office.won and self.random.random() < 0.5:
            return
        if free := self._free(leading=True):
            process = self.random.choice(free)
            self.within(process, self.office.act, process)

    def _ask(self) -> None:
        if free := self._free(leading=True):
            process = self.random.choice(free)
            self.within(process, self.office.ask, process)

    def _work(self) -> None:
        if free := [each for each in self._free(leading=True) if each.has_work]:
            process = self.random.choice(free)
            self.within(process, process.work)
        else:
            self._keep()

    def _keep(self) -> None:
        if free := self._free(leading=False):
            process = self.random.choice(free)
            led = process.leads
            self.within(process, process.keep)
            if process.leads != led:
                self.note(f"{process.name} {'leads' if process.leads else 'leads no more'}")

    def _mark(self) -> None:
        if free := self._free(leading=False):
            self.random.choice(free).marks.write()

    def _start(self) -> None:
        asleep = [each for each in self.machines if all(process.machine is not each for process in self.processes)]
        if asleep:
            machine = self.random.choice(asleep)
            process = Process(self, machine)
            self.processes.append(process)
            self.note(f"{process.name} starts")

    def _kill(self) -> None:
        if self.processes:
            process = self.random.choice(self.processes)
            if self.random.random() < 0.2:
                self.note(f"{process.name} is told to end")
                self.within(process, process.close)
            if not process.dead:
                self.kill(process)

    def kill(self, process: Process) -> None:
        self.note(f"{process.name} is killed")
        process.dead = True
        self.processes.remove(process)
        self.site.kill(process)
        if not process.busy:
            self.site.bury(process)
        for dealer in self.dealers:
            dealer.waiting = False

    def _set_clock(self) -> None:
        machine = self.random.choice(self.machines)
        machine.ahead_s = self.random.choice((0.0, 0.0, 120.0, 250.0, -120.0, -5_000.0, 4_000.0, 1e7))
        self.note(f"the clock of {machine.name} is {machine.ahead_s:+.0f} s")

    # The end

    def _put_right(self) -> None:
        """Nothing goes wrong any more: somebody must lead, and everybody must get an answer."""
        self.calm = True
        self.note("from here on nothing goes wrong")
        self.site.heal()
        for machine in self.machines:
            machine.ahead_s, machine.cut_off = 0.0, False
        self.now += 3 * AHEAD_S
        self.observer.latest_s = self.wall_s() + 2 * AHEAD_S
        for _ in range(len(self.machines)):
            self._start()
        for process in self.processes * (3 + int(SILENT_S)):  # who has lost the books lets go, another one takes them
            self.now += BEAT_S
            self.within(process, process.beat)
            self.within(process, process.keep)
            self.within(process, process.confirm)
            self._drain(process)
        self.check()
        leader = next((process for process in self.processes if process.leads), None)
        if leader is None:
            if not all(process.behind for process in self.processes) or not self.observer.excused:
                raise Violation(f"nobody leads: {[process.behind for process in self.processes]}")
            return
        self._answer_everybody(leader)
        self._read_everything(leader)

    def _drain(self, process: Process) -> None:
        self.within(process, lambda: [None for _ in iter(process.work, False)])

    def _answer_everybody(self, leader: Process) -> None:
        for _ in range(3):
            for dealer in self.dealers:
                if dealer.act is not None:
                    self.within(leader, dealer.send, leader)
            for link, act in list(self.office.unsure):
                self.within(leader, self.office.send, leader, link, act)
            self._drain(leader)
        open_acts = [dealer.act.id for dealer in self.dealers if dealer.act is not None]
        if open_acts or self.office.unsure or not leader.leads:
            raise Violation(f"no answer for {open_acts} {self.office.unsure}, though nothing goes wrong any more")
        self.check()

    def _read_everything(self, leader: Process) -> None:
        """The floor's own self-check, a power cut that keeps nothing unsynced, and an auditor who shares no code."""
        assert leader.floor is not None
        damaged = leader.floor.house.damaged
        for link in self.links:
            if link not in damaged:
                try:
                    self.within(leader, leader.floor.self_check, link)
                except CroupierError as error:
                    raise Violation(f"the self-check of {link}: {error}") from error
        for process in list(self.processes):
            self.kill(process)
        self.site.lose_power()
        self.site.heal()
        self.check()
        for act_id, sent in self.observer.journal.items():
            if sent.entry and self.observer.seen[sent.stream].commands.get(act_id) != sent.entry[0]:
                raise Violation(f"act {act_id} was acknowledged as entry {sent.entry[0]} of {sent.stream}, and is gone")
        for link in self.links:
            auditor = Auditor()
            try:
                for entry in as_json(self.observer.seen[LINK + link].rows):
                    auditor.see(entry)
            except AssertionError as error:
                raise Violation(f"the auditor of {link}: {error}") from None


class DatabaseSite:
    """A database server on a machine of its own, and servers that reach it over a network."""

    def __init__(self, world: World, files: Mapping[str, bytes] | None = None) -> None:
        self.world = world
        self.disk = Disk(founded(DatabaseSite) if files is None else files)
        self.database = Database(self.disk, world.random)
        self.books: Books = self.database

    def connect(self, process: Process) -> Store:
        return DatabaseStore(self.database, process)

    def witnesses(self, store: Store) -> Witnesses:
        return Witnesses(store_s=self.world.wall_s())

    def machines(self, count: int) -> list[Machine]:
        return [Machine(f"server{number}", Disk()) for number in range(1, count + 1)]

    def kill(self, process: Process) -> None:
        for session in [each for each in self.database.sessions if each.client is process]:
            if self.world.random.random() < 0.5:
                self.database.leave(session)
            else:
                self.database.desert(session)

    def bury(self, process: Process) -> None:
        pass

    def heal(self) -> None:
        self.disk.full, self.disk.failing_syncs = False, 0
        while self.database.orphans:
            self.database.notice()
        if not self.database.up:
            self.database.recover()

    def lose_power(self) -> None:
        self.database.crash()
        self.disk.lose_power(self.world.random)

    def events(self) -> Mapping[str, tuple[float, Callable[[], None]]]:
        return {
            "network notice": (3, self._notice),
            "kill notice": (2, self._notice),
            "network session": (0.5, self._end_session),
            "network sessions": (0.7, self._end_sessions),
            "network cut": (0.7, self._cut_off),
            "power": (0.5, self._power),
            "power crash": (0.3, self._crash),
            "power again": (4, self._again),
            "sync again": (4, self._again),
            "full": (0.6, self._full),
            "sync": (0.3, self._failing),
            "forge": (1, self._forge),
            "lie": (0.3, self._lie),
        }

    def _notice(self) -> None:
        if self.database.orphans:
            self.world.note("the database notices that a client has gone")
            self.database.notice()

    def _end_session(self) -> None:
        if self.database.sessions:
            session = self.world.random.choice(list(self.database.sessions))
            self.world.note(f"a session of {session.client.name} ends")
            self.database.leave(session)

    def _end_sessions(self) -> None:
        """All of a server, which does not hear of it."""
        if self.world.processes:
            process = self.world.random.choice(self.world.processes)
            self.world.note(f"all sessions of {process.name} end")
            for session in [each for each in self.database.sessions if each.client is process]:
                self.database.leave(session)

    def _cut_off(self) -> None:
        machine = self.world.random.choice(self.world.machines)
        machine.cut_off = not machine.cut_off and self.world.random.random() < 0.5
        self.world.note(f"{machine.name} has {'no ' if machine.cut_off else ''}network")

    def _power(self) -> None:
        self.world.note("the database loses power")
        self.lose_power()

    def _crash(self) -> None:
        self.world.note("the database crashes")
        self.database.crash()

    def _again(self) -> None:
        if not self.database.up:
            self.world.note("the database is up again")
            self.database.recover()

    def _full(self) -> None:
        self.disk.full = not self.disk.full and self.world.random.random() < 0.5
        self.world.note(f"the disk is {'' if self.disk.full else 'not '}full")

    def _failing(self) -> None:
        self.disk.failing_syncs = 1
        self.world.note("the next sync fails")

    def _forge(self) -> None:
        """A snapshot with more on the meter, sealed as any program can seal it, by somebody without the key."""
        stream = LINK + self.world.random.choice(self.world.links)
        book = self.database.books.get(stream)
        if not self.database.up or book is None or book.snapshot is None:
            return
        number, digest, body, sealed = book.snapshot
        snapshot = Snapshot.of_row(number, digest, body, sealed)
        if snapshot is None or self.disk.full or self.disk.failing_syncs:
            return
        self.world.note(f"somebody forges the snapshot of {stream}")
        self.database.forge(stream, forged(snapshot))

    def _lie(self) -> None:
        stream = LINK + self.world.random.choice(self.world.links)
        self.world.observer.look()
        disk, length = self.disk, len(self.database.rows(stream))
        if self.database.up and length > 5 and not disk.full and not disk.failing_syncs:
            lost = self.world.random.randint(1, 3)
            self.world.note(f"the disk has lost the last {lost} entries of {stream}, which it had promised to keep")
            self.world.observer.lost(stream, length - lost)
            self.database.lose_entries(stream, lost)


def forged(snapshot: Snapshot) -> Snapshot:
    """With $100,000 more on the meter."""
    state = json.loads(json.dumps(snapshot.state))
    state["book"]["balances"]["meter"] += 10_000_000 * 10**6
    return replace(snapshot, state=state)


@cache
def founded(kind: Callable[[World, Mapping[str, bytes]], Site]) -> Mapping[str, bytes]:
    """The files of a room: people, tables, a bank that covers, and two open links."""
    world = World(0, lambda made: kind(made, {}))
    world.calm, world.now = True, -86_400.0
    leader = world.processes[0]
    world.within(leader, _found, leader)
    world.kill(leader)
    world.site.heal()
    return world.site.disk.without_unsynced()


def _found(process: Process) -> None:
    process.keep()
    floor = process.floor
    assert floor is not None
    tables = [felt(table) for setup in SETUPS.values() for table in setup.tables]
    for act in founding(hashed_cards(PEOPLE), PEOPLE, tables):
        floor.do_site(act)
    floor.declare_bank(id="bank", by=MANAGER.person, balance_cents=BANK_CENTS)
    for link, setup in SETUPS.items():
        for link_act in opening_acts(setup, link):
            floor.do(link_act, link)
    process.close()
