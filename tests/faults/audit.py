"""Follows a book from outside, and holds it against what the people at the link were told."""

from __future__ import annotations

import json
from collections.abc import Iterable
from concurrent.futures import wait
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from croupier.audit.export import export
from croupier.audit.verify import verify
from croupier.errors import Refusal
from croupier.floor.act import read_act
from croupier.floor.aggregate import restore
from croupier.floor.link.acts import ACTS, Confirm, LinkAct, VoidAward
from croupier.floor.link.link import Link, proof
from croupier.floor.link.setup import LinkSetup
from croupier.floor.writer import Writer
from croupier.ledger.entry import Account, Entry, Purpose
from croupier.store.store import open_store
from support.room import EXECUTIVE, SUPERVISOR, opening_acts
from tests.faults.people import MAIN, STREAM

SOON_S = 30.0


@dataclass
class Said:
    """What a process has said before it ended. A line that was cut off was not said."""

    sent: dict[str, LinkAct] = field(default_factory=dict)
    done: dict[str, Entry] = field(default_factory=dict)
    not_done: list[str] = field(default_factory=list)
    """Refused, or known to be lost."""
    lost: int = 0

    @classmethod
    def read(cls, path: Path) -> Said:
        said = cls()
        for line in path.read_text().splitlines(keepends=True) if path.exists() else []:
            word, _, rest = line.strip().partition(" ")
            if not line.endswith("\n"):
                continue
            if word == "sent":
                act = read_act(ACTS, json.loads(rest))
                said.sent[act.id] = act
            elif word == "done":
                entry = Entry.of_json(json.loads(rest))
                said.done[entry.command] = entry
            elif word in ("no", "lost"):
                said.not_done.append(rest)
                said.lost += word == "lost"
        return said

    def add(self, other: Said) -> None:
        self.sent |= other.sent
        self.done |= other.done
        self.not_done += other.not_done

    @property
    def unanswered(self) -> list[LinkAct]:
        answered = {*self.done, *self.not_done}
        return [act for act in self.sent.values() if act.id not in answered]


class Held(NamedTuple):
    """An award that waits for a card."""

    table: int
    cents: int


@dataclass
class Auditor:
    url: str
    link: Link = field(default_factory=MAIN.empty)
    numbers: dict[str, int] = field(default_factory=dict)
    """Of the entry, by command."""
    held: dict[int, Held] = field(default_factory=dict)
    """By award, as people were told: hands that were entered and not decided."""
    resumed: int = 0
    """Awards that were held through a crash, seen afterwards with their amount."""
    decided: int = 0
    """Of those, how many were then confirmed or voided."""

    def make(self, setup: LinkSetup) -> None:
        self.told(self.answers(opening_acts(setup)))
        self.read_on()

    def answers(self, acts: Iterable[LinkAct]) -> list[Any]:
        """What a new process says to these acts: an entry, or the refusal."""
        with Writer(open_store(self.url), STREAM, MAIN, wait_s=20) as writer:
            futures = [writer.submit(act) for act in acts]
            wait(futures, SOON_S)
        return [future.exception(0) or future.result() for future in futures]

    def told(self, entries: Iterable[Any]) -> None:
        """Keep in mind which awards are held, from the answers alone."""
        for entry in sorted((each for each in entries if isinstance(each, Entry)), key=lambda each: each.number):
            if entry.kind in ("confirm", "void", "take-back"):
                self.held.pop(entry.facts["award"], None)
            for award in entry.facts.get("held", ()):
                self.held[award["award"]] = Held(award["table"], award["cents"])

    # After a crash

    def read_on(self) -> None:
        """Every new entry once; state, chain and money right. With the lease in hand: a server may still be at work."""
        with open_store(self.url) as store:
            store.take_lease(STREAM, SOON_S)
            for entry in store.entries(STREAM, after=self.link.state.book.entries):
                self.link.apply(entry)
                assert entry.command not in self.numbers, f"{entry.command} was done twice"
                self.numbers[entry.command] = entry.number
            assert restore(store, STREAM, MAIN)[0].snapshot() == self.link.snapshot()
        self.balanced()

    def balanced(self) -> None:
        state = self.link.state
        assert sum(state.book.balances.values()) == 0
        for level in state.setup.level:
            assert proof(self.link, level).difference == 0
            awards = [award.held_on(level) for award in state.awards.values()]
            assert state.inside().units(Account(Purpose.PENDING, level)) == sum(awards)
            assert state.units(Purpose.PENDING, level) == 0, "the card moves the meter, and nothing before it"

    def check(self, said: Said) -> None:
        """What was told is there, once and word for word; what was refused or lost is not; awards are still held."""
        self.read_on()
        with open_store(self.url) as store:
            kept = store.by_commands(STREAM, said.done)
        for command, entry in said.done.items():
            assert (kept[command], kept[command].digest) == (entry, entry.digest), f"{command} was told otherwise"
        for command in said.not_done:
            assert command not in self.numbers, f"{command} was refused or lost, and is in the book"
        self.told(said.done.values())
        self.check_held(said)

    def check_held(self, said: Said) -> None:
        """Only at a table where an unanswered act was done can awards be other than people know."""
        done = [act.id for act in said.unanswered if act.id in self.numbers]
        with open_store(self.url) as store:
            moved = {entry.facts.get("table") for entry in store.by_commands(STREAM, done).values()}
        held = {number: award for number, award in self.open_awards().items() if award.table not in moved}
        assert held == {number: award for number, award in self.held.items() if award.table not in moved}
        self.resumed += len(held)

    def open_awards(self) -> dict[int, Held]:
        return {number: Held(award.table, award.cents) for number, award in self.link.state.awards.items()}

    def send_again(self, said: Said, rng: Random) -> None:
        """As people do who wait for an answer: what was done stays as it was, the rest is done now or refused."""
        again = rng.sample(list(said.done), min(20, len(said.done)))
        acts = [said.sent[command] for command in again] + said.unanswered
        rng.shuffle(acts)
        before = dict(self.numbers)
        answers = self.answers(acts)
        self.told(answer for act, answer in zip(acts, answers, strict=True) if act.id not in said.done)
        self.read_on()
        for act, answer in zip(acts, answers, strict=True):
            if isinstance(answer, Entry):
                assert self.numbers[act.id] == answer.number == before.get(act.id, answer.number)
            else:
                assert isinstance(answer, Refusal), answer
                assert act.id not in self.numbers
            if act.id in said.done:
                assert answer == said.done[act.id]
        assert self.held == self.open_awards()

    def decide(self, name: str, rng: Random) -> None:
        """Some awards that were held through the crash are confirmed at their amount, others voided; others wait on."""
        for number in self.open_awards():
            held = self.held[number]  # it is another once an award before it was voided
            if self.link.state.in_line(held.table)[0].award != number or rng.random() < 0.5:
                continue
            act_id = f"{name}-decide-{number}"
            act: LinkAct = Confirm(id=act_id, by=EXECUTIVE, award=number)
            if rng.random() < 0.4:
                act = VoidAward(id=act_id, by=SUPERVISOR, award=number, reason="The recording shows another hand.")
            [entry] = self.answers([act])
            assert entry.facts["cents"] == held.cents, "the amount was locked before the crash"
            self.told([entry])
            self.read_on()
            self.decided += 1

    def export_verifies(self, path: Path) -> None:
        with open_store(self.url) as store:
            export(store, [STREAM], path)
        report = verify(path)
        assert report.right, report.wrong
        assert report.books[0].entries == self.link.state.book.entries
