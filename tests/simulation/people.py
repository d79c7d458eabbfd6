"""People of the simulation: dealers who send acts from their tables, again where nobody answers, and an office.

Each keeps what it was told. An act that was not answered, or is in doubt, is sent again with its id, to any server.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any

from croupier.compliance.profile import Lawful
from croupier.errors import CroupierError, Refusal
from croupier.floor.floor import LINK
from croupier.floor.link import acts
from croupier.floor.link.adjust import PATHS
from croupier.floor.link.setup import LinkSetup
from croupier.floor.writer import InDoubt, NotDone
from croupier.ledger.entry import SITE, Entry
from croupier.store.store import StoreError
from support.room import BANK_CENTS, DEALER, EXECUTIVE, MANAGER, OTHER_MANAGER, SUPERVISOR
from tests.simulation.observer import Sending

if TYPE_CHECKING:
    from tests.simulation.process import Process
    from tests.simulation.world import World

SEATS: tuple[int, ...] = (1, 2, 3, 4, 5)
_PATHS = [(reason, *path) for reason in Lawful for path in sorted(PATHS[reason])]


class Reply:
    """Waits for an act as a writer's `Waiting`."""

    def __init__(self, process: Process, sending: Sending, told: Callable[[Entry | BaseException], None]) -> None:
        self._process, self._sending, self._told = process, sending, told

    def set_running_or_notify_cancel(self) -> bool:
        return True

    def set_result(self, entry: Entry, /) -> None:
        self._answer(entry)

    def set_exception(self, error: BaseException | None, /) -> None:
        assert error is not None
        self._answer(error)

    def _answer(self, answer: Entry | BaseException) -> None:
        if not self._process.dead:
            self._process.world.answered(self._sending, answer)
            self._told(answer)


class Dealer:
    """A table, and what its dealer knows of it."""

    def __init__(self, world: World, table: int, link: str, setup: LinkSetup) -> None:
        self.world, self.table, self.link, self.lines = world, table, link, tuple(setup.lines)
        self.act: acts.LinkAct | None = None
        self.waiting = False
        self.playing = False
        self.lit = SEATS
        self.awards: list[int] = []
        self.done: list[acts.LinkAct] = []
        """For those who send something again though they were answered."""

    def send(self, process: Process) -> None:
        """The act that is not answered yet, or a new one, or one of long ago."""
        random = self.world.random
        if self.act is None and self.done and random.random() < 0.1:
            self._send(process, random.choice(self.done), lambda _: None)
            return
        if self.act is None:
            self.act = self._choose(random)
        self.waiting = True
        self._send(process, self.act, self._told)

    def _send(self, process: Process, act: acts.LinkAct, told: Callable[[Entry | BaseException], None]) -> None:
        assert process.floor is not None
        stream = LINK + self.link
        self.world.note(f"table {self.table} sends {act.kind} {act.id} to {process.name}")
        sending = self.world.observer.sends(act.id, stream, process.name)
        try:
            process.floor.hand_in(act, self.link, Reply(process, sending, told))
        except CroupierError as error:  # there is no such link yet, or no more
            self.world.answered(sending, error)
            told(error)

    def _told(self, answer: Entry | BaseException) -> None:
        act, self.waiting = self.act, False
        if isinstance(answer, Entry) and act is not None and answer.command == act.id:
            self._learn(act, answer)
            self.done.append(act)
            self.act = None
        elif isinstance(answer, Refusal) or (isinstance(answer, NotDone) and self.world.random.random() < 0.3):
            self.act = None

    def _learn(self, act: acts.LinkAct, entry: Entry) -> None:
        if isinstance(act, acts.StartGame):
            self.playing, self.lit = True, act.lit
        elif isinstance(act, acts.ReopenGame):
            self.playing = True
        elif isinstance(act, acts.EndGame):
            self.playing, self.awards = False, []
        elif isinstance(act, acts.EnterHand):
            self.awards.append(entry.number)
        elif isinstance(act, acts.Confirm | acts.VoidAward):
            self.awards = [award for award in self.awards if award != act.award]
            if isinstance(act, acts.Confirm):
                self.world.office.won.append((self.link, act.award))

    def _choose(self, random: Random) -> acts.LinkAct:
        name, at = self.world.new_id(f"t{self.table}"), self.table
        if not self.playing and random.random() < 0.9:
            lit = tuple(sorted(random.sample(SEATS, random.randint(1, 5))))
            return acts.StartGame(id=name, by=DEALER, table=at, lit=lit, based=lit)
        if not self.playing and random.random() < 0.4:
            return acts.ReopenGame(id=name, by=SUPERVISOR, table=at, reason="A winner was seen late.")
        choice, called = random.random(), bool(self.done) and isinstance(self.done[-1], acts.CallSupervisor)
        if called and random.random() < 0.5:
            return acts.TakeCall(id=name, by=SUPERVISOR, table=at)
        if choice < 0.4:
            seat, line = random.choice(self.lit if choice < 0.37 else SEATS), random.choice(self.lines)
            return acts.EnterHand(id=name, by=DEALER, table=at, seat=seat, line=line)
        award = random.choice(self.awards) if self.awards else random.randint(1, 30)
        if choice < 0.6 and (self.awards or choice < 0.45):
            return acts.Confirm(id=name, by=random.choice((EXECUTIVE, EXECUTIVE, SUPERVISOR)), award=award)
        if choice < 0.68:
            return acts.VoidAward(id=name, by=SUPERVISOR, award=award, reason="misread")
        if choice < 0.76:
            return acts.TakeBackHand(id=name, by=DEALER, table=at, seat=random.choice(SEATS))
        if choice < 0.83 or self.awards:
            return acts.CallSupervisor(id=name, by=DEALER, table=at)
        return acts.EndGame(id=name, by=DEALER, table=at)


class Office:
    """What managers do, one thing at a time; each waits for the answer."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.unsure: list[tuple[str, Any]] = []
        """Acts that nobody has answered for good: the link, nothing for the site, and the act."""
        self.won: list[tuple[str, int]] = []
        """Awards that cards have confirmed, by link and number."""
        self.slips: list[tuple[str, int]] = []
        """Jackpot slips, by link and number."""

    def act(self, process: Process) -> None:
        random, floor = self.world.random, process.floor
        assert floor is not None
        choice = random.random()
        link = random.choice(self.world.links)
        if self.unsure and choice < 0.5:
            self.send(process, *self.unsure[0])
        elif self.won and random.random() < 0.6:
            self._put_right_or_pay(process)
        elif choice < 0.35:
            self._adjust(process, link)
        elif choice < 0.5:
            self.send(process, link, acts.CloseLink(id=self.world.new_id("close"), by=MANAGER))
        elif choice < 0.75:
            self.send(process, link, acts.OpenLink(id=self.world.new_id("open"), by=MANAGER))
        elif choice < 0.85:
            cents = random.choice((BANK_CENTS, BANK_CENTS, 1_000))
            self.declare(process, self.world.new_id("bank"), cents)
        else:
            floor.check_bank()

    def declare(self, process: Process, name: str, cents: int) -> None:
        self.send(process, "", (name, cents))

    def send(self, process: Process, link: str, what: Any) -> None:
        """A link's act, or what the bank says as an id and an amount."""
        floor = process.floor
        assert floor is not None
        name = what.id if isinstance(what, acts.LinkAct) else what[0]
        self.world.note(f"the office sends {getattr(what, 'kind', 'declare-bank')} {name} to {process.name}")
        sending = self.world.observer.sends(name, LINK + link if link else SITE, process.name)
        if (link, what) not in self.unsure:
            self.unsure.append((link, what))
        answer: Entry | BaseException
        try:
            if link:
                answer = floor.do(what, link)
            else:
                answer = floor.declare_bank(id=name, by=MANAGER.person, balance_cents=what[1])
        except Exception as error:
            answer = InDoubt(str(error)) if isinstance(error, StoreError) else error
        self.world.answered(sending, answer)
        if isinstance(answer, Entry) and isinstance(what, acts.IssueSlip):
            self.slips.append((link, answer.facts["slip"]))
        if self.world.observer.journal[name].settled and (link, what) in self.unsure:
            self.unsure.remove((link, what))

    def _adjust(self, process: Process, link: str) -> None:
        random = self.world.random
        reason, source, target = random.choice(_PATHS)
        levels = list(self.world.setups[link].level)
        what: dict[str, Any] = {"reason": reason, "source": source, "target": target}
        what["cents"] = random.choice((1, 3_000, 400_000))
        two: dict[str, Any] = {"by": MANAGER, "second": random.choice((EXECUTIVE, OTHER_MANAGER))}
        name = self.world.new_id("adjust")
        self.send(process, link, acts.Adjust(id=name, level=random.choice(levels), text="why", **what, **two))

    def _put_right_or_pay(self, process: Process) -> None:
        """An award gets its slip, the cage pays one, or two people back an award out: also twice, and also too late."""
        random = self.world.random
        (link, award), choice = random.choice(self.won), random.random()
        if choice < 0.5 and not (choice < 0.3 and self.slips):
            self.send(process, link, acts.IssueSlip(id=self.world.new_id("slip"), by=MANAGER, award=award))
        elif choice < 0.7 and self.slips:
            link, slip = random.choice(self.slips)
            paid: dict[str, Any] = {"paid_in": acts.PaidIn.CHECK, "identity": acts.Identity.PASSPORT}
            self.send(process, link, acts.PaySlip(id=self.world.new_id("pay"), by=MANAGER, slip=slip, **paid))
        else:
            two: dict[str, Any] = {"by": MANAGER, "second": OTHER_MANAGER, "reason": "The wrong seat."}
            self.send(process, link, acts.BackOut(id=self.world.new_id("back"), award=award, **two))

    def ask(self, process: Process) -> None:
        """Two ways: the writer between two commits, and the whole book read through."""
        link, floor = self.world.random.choice(self.world.links), process.floor
        assert floor is not None
        before = self.world.observer.stands(LINK + link)
        try:
            number, digest = floor.ask(link, lambda held: (held.book.entries, held.book.digest))
            if self.world.random.random() < 0.2:
                floor.self_check(link)
        except CroupierError as error:
            self.world.note(f"{process.name} cannot answer for {link}: {error}")
        else:
            self.world.observer.asked(LINK + link, process.name, before=before, answered=number, digest=digest)
