"""A server of the simulation: the real floor with its writers, marks and clock, taken step by step."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from croupier.errors import CroupierError
from croupier.floor.floor import LINK, Floor
from croupier.floor.writer import Writer
from croupier.ledger.clock import CheckedClock
from croupier.ledger.entry import SITE, Entry
from croupier.store.lease import Claim, Heartbeat, Lookout
from croupier.store.marks import BookBehind, Marks
from croupier.store.store import Store, StoreBusy, StoreError, StoreLost
from support.room import KEY
from tests.simulation.disk import Disk
from tests.simulation.observer import Violation

if TYPE_CHECKING:
    from tests.simulation.world import World

MARKS = Path("/simulated/floor.db.marks")


class Killed(BaseException):
    """The process has ended in the middle of what it was doing."""


class Stepped:
    """A writer's worker: the simulation says when the next step is taken, and how late it is."""

    def __init__(self, process: Process) -> None:
        self._process, self.ended = process, False

    def begin(self, writer: Writer[Any]) -> None:
        self.writer = writer
        self._process.workers.append(self)

    def step(self) -> None:
        if not self.ended:
            self.ended = not self.writer.step()
            if "An error of the program" in self.writer.reason:
                raise Violation(f"{self._process.name}, {self.writer.stream}: {self.writer.reason}")

    def end(self) -> None:
        while not self.ended:
            self.step()

    def future(self) -> Future[Any]:
        return Awaited(self)

    def counted_s(self) -> float:
        return self._process.counted_s()

    def pause(self, closing: Event, seconds: float) -> bool:
        self._process.wait(seconds)
        return closing.is_set()


class Awaited(Future[Any]):
    """Whoever waits for it has the writer take its steps meanwhile."""

    def __init__(self, worker: Stepped) -> None:
        super().__init__()
        self._worker = worker

    def result(self, timeout: float | None = None) -> Any:
        while not self.done() and not self._worker.ended:
            self._worker.step()
        return super().result(0)


class Machine:
    """What stays when a server ends: its disk with the marks, and its clock."""

    def __init__(self, name: str, disk: Disk) -> None:
        self.name, self.disk = name, disk
        self.ahead_s = 0.0
        """How much its time of day is ahead of the right one."""
        self.cut_off = False
        """Whether it has no network."""
        self.lives = 0


class Process:
    """A server, from its start to its end."""

    def __init__(self, world: World, machine: Machine) -> None:
        machine.lives += 1
        self.name = f"{machine.name}.{machine.lives}"
        self.world, self.machine = world, machine
        self.dead = self.busy = False
        """Whether it was killed; whether it is in the middle of something, stopped there perhaps."""
        self.workers: list[Stepped] = []
        self.floor: Floor | None = None
        self._hearts: list[Heartbeat] = []
        self.beaten_at = world.now
        self._lookout = Lookout(SITE)
        self._reading: Store | None = None
        self._claims, self._cut_under_us = 0, False
        self.behind = ""
        """Why it does not lead though it could."""
        random = world.random
        replaced = partial(machine.disk.replaced, random=random)
        self.marks = Marks(MARKS, None, read=machine.disk.read_bytes, replaced=lambda path, mode: replaced(path))
        self.clock = CheckedClock(wall=lambda: world.wall_s() + machine.ahead_s, counted=self.counted_s)

    def was_killed(self) -> bool:
        return self.dead

    def check_alive(self) -> None:
        if self.dead:
            raise Killed

    # As a store sees it

    def counted_s(self) -> float:
        return self.world.now

    def wait(self, seconds: float) -> None:
        self.world.passes(self, seconds)

    def reach(self, what: str) -> None:
        self.world.reaches(self, what)
        if self.machine.cut_off:
            raise StoreLost("There is no network.")

    def fate(self) -> str:
        return self.world.fate()

    def heartbeat(self, stream: str, beat: Callable[[], bool]) -> Heartbeat:
        self._hearts = [*self._hearts[-5:], Heartbeat(stream, beat, None, self.counted_s)]
        return self._hearts[-1]

    def takes(self, stream: str) -> None:
        self.world.observer.leads(self.name, stream)

    def begins(self, stream: str) -> None:
        self.world.observer.begins(self.name, stream)

    def writes(self, stream: str, first: int) -> None:
        self.world.observer.writes(self.name, stream, first, self.marks.all())

    # As a server does

    def keep(self) -> None:
        """Lead as soon as nobody does, or whoever does is silent; let go of books that were taken away."""
        if self.floor is None:
            self._try_to_lead(self._silent_holder())
        elif self.floor.lost:
            floor, self.floor = self.floor, None
            self._cut_under_us |= floor.behind
            floor.close()

    def close(self) -> None:
        """Do what is waiting, and end."""
        if self.floor is not None:
            self.floor.close()
        if self._reading is not None:
            self._reading.close()
        self.marks.close()

    def beat(self) -> None:
        """What its threads do every second: keep its leases alive, and bring the marks to disk."""
        self.beaten_at = self.world.now
        self.marks.write()
        self._hearts = [heart for heart in self._hearts if heart.step()]

    def _silent_holder(self) -> str:
        try:
            if self._reading is None:
                self._reading = self.world.site.connect(self)
            leases = self._reading.leases()
        except StoreError:
            with suppress(StoreError):
                if self._reading is not None:
                    self._reading.reconnect()
            return ""
        return leases[SITE].holder if self._lookout.look(leases, self.world.now) else ""

    def confirm(self) -> None:
        """Make sure that its books are still its own, as a server does every second."""
        if self.floor is not None:
            self.floor.confirm()

    def _try_to_lead(self, silent: str) -> None:
        world = self.world
        self.workers.clear()
        self._claims += 1
        try:
            self.floor = Floor(
                lambda: world.site.connect(self),
                KEY,
                self.clock,
                listener=self._heard,
                marks=self.marks,
                claim=Claim(f"{self.name}-{self._claims}", over=self._lookout.over),
                without_cut_links=not self._cut_under_us,
                bank_every_s=0,
                witnesses=world.site.witnesses,
                writer=partial(Writer, worker=lambda: Stepped(self), **world.manner),
            )
            self.behind = ""
            self._lookout = Lookout(SITE)
            if silent:
                world.note(f"{self.name} has taken over from {silent}")
        except StoreBusy as error:
            if silent:
                world.note(f"{self.name} cannot take over from {silent}: {error}")
        except BookBehind as error:
            self.behind = str(error)
        except CroupierError as error:
            self.world.note(f"{self.name} cannot lead: {error}")

    def _heard(self, stream: str, entries: list[Entry]) -> None:
        self.world.observer.told(self.name, stream, entries)

    @property
    def has_work(self) -> bool:
        return any(not each.ended and each.writer.waiting for each in self.workers)

    def work(self) -> bool:
        """A step of some writer that has something to do."""
        waiting = [each for each in self.workers if not each.ended and each.writer.waiting]
        if waiting:
            self.world.random.choice(waiting).step()
        return bool(waiting)

    def links(self) -> list[str]:
        return sorted(self.floor.links) if self.floor else []

    def check(self) -> None:
        """What it shows, and what it has marked."""
        observer = self.world.observer
        observer.marks(self.name, self.marks.all())
        if self.floor is not None:
            for brief in self.floor.links.values():
                observer.shows(self.name, brief)
            for link, why in self.floor.house.damaged.items():
                observer.damaged(self.name, LINK + link, why)

    @property
    def leads(self) -> bool:
        return self.floor is not None and not self.floor.lost
