"""How long it takes to prove an exported ledger of a million rows right, and in how much memory.

The book is that of a busy link: games at eight tables with one to seven wagers, fixed pays with cards and without, and
one row in thirty about a share of the meter, entered, called, confirmed, voided or taken back; that is many times what
the odds allow. Every few hours the link is closed, corrected and opened. All of it is entered through the rules, kept
in a store, exported, and verified by the command that an auditor uses, in a process of its own.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from benchmarks.measure import CROUPIER, MIB, Result, in_words, peak_bytes, run_process, seconds
from croupier.progressive.acts import (
    Act,
    Adjust,
    CallSupervisor,
    CloseLink,
    Confirm,
    EndGame,
    EnterHand,
    MakeLink,
    OpenLink,
    StartGame,
    TakeBackHand,
    VoidAward,
)
from croupier.progressive.export import export
from croupier.progressive.ledger import Entry, Purpose
from croupier.progressive.link import Link
from croupier.progressive.profile import Lawful
from croupier.progressive.signing import Signed
from croupier.progressive.store import Snapshot, open_store
from tests.progressive.link_support import (
    COLOR,
    DEALER,
    EXECUTIVE,
    MANAGER,
    ONE,
    ONE_METER,
    OTHER_MANAGER,
    SUITED,
    SUPERVISOR,
    THREE,
    TWO,
    table,
)

STREAM = "link:main"
ROWS = 1_000_000
TIMES = 3
TARGET_S, TARGET_BYTES = 10, 500 * MIB
TABLES, SEATS = 8, 7
ROUNDS_IN_A_SESSION = 10_000
BLOCK = 5_000
FIXED_PAYS, SHARES = 0.3, 0.04
"""In how many games there is one; and in how many of the others."""
PAYS = ((ONE, ""), (ONE, "7d 2h Ks"), (TWO, ""), (TWO, "7d 7h Ks"), (THREE, "7d 7h 7s"))


@dataclass
class Floor:
    """A link where everything happens that happens on a floor, each as often as it may."""

    random: Random = field(default_factory=lambda: Random(7))
    link: Link = field(default_factory=lambda: Link("main"))
    kinds: Counter[str] = field(default_factory=Counter)
    clock: datetime = datetime(2026, 11, 1, tzinfo=UTC)

    def entries(self) -> Iterator[Entry]:
        """For ever."""
        setup = replace(ONE_METER, tables=tuple(table(number) for number in range(1, TABLES + 1)))
        yield self._do(MakeLink, by=MANAGER, second=OTHER_MANAGER, link="main", setup=setup)
        while True:
            yield self._do(OpenLink, by=MANAGER)
            for _ in range(ROUNDS_IN_A_SESSION // TABLES):
                yield from self._rounds()
            yield self._do(CloseLink, by=MANAGER)
            correction: dict[str, Any] = {"level": "", "reason": Lawful.MALFUNCTION, "cents": 500}
            correction |= {"source": Purpose.METER, "target": Purpose.TRAY, "text": "A sensor lit by itself."}
            yield self._do(Adjust, by=MANAGER, second=EXECUTIVE, **correction)

    def _do(self, kind: type[Act], *, by: Signed = DEALER, **fields: Any) -> Entry:
        self.clock += timedelta(milliseconds=self.random.randrange(100, 900))
        number = self.link.state.book.entries + 1
        at = self.clock.isoformat(timespec="microseconds").replace("+00:00", "Z")
        entry = self.link.handle(kind(id=f"{self.random.getrandbits(64):016x}-{number}", by=by, **fields), at)
        self.link.apply(entry)
        self.kinds[entry.kind] += 1
        return entry

    def _rounds(self) -> Iterator[Entry]:
        """One game at every table, all at the same time."""
        hands = {}
        for number in range(1, TABLES + 1):
            based = sorted(self.random.sample(range(1, SEATS + 1), self.random.randint(1, SEATS)))
            lit = based[: self.random.randint(1, len(based))]
            hands[number] = self.random.sample(lit, len(lit))
            yield self._do(StartGame, table=number, lit=tuple(lit), based=tuple(based))
        for number, seats in hands.items():
            if self.random.random() < FIXED_PAYS:
                line, cards = self.random.choice(PAYS)
                yield self._do(EnterHand, table=number, seat=seats.pop(), line=line, cards=cards)
            elif self.random.random() < SHARES:
                yield from self._award(number, seats.pop())
        for number in hands:
            yield self._do(EndGame, table=number)

    def _award(self, number: int, seat: int) -> Iterator[Entry]:
        line = SUITED if self.random.random() < 0.02 else COLOR
        cards = self.random.choice(("", "7d 7d 7d" if line is SUITED else "7d 7h 7d"))
        award = self._do(EnterHand, table=number, seat=seat, line=line, cards=cards)
        yield award
        luck = self.random.random()
        if luck < 0.05:
            yield self._do(TakeBackHand, table=number, seat=seat)
            return
        yield self._do(CallSupervisor, table=number)
        if luck < 0.1:
            yield self._do(VoidAward, award=award.number, by=SUPERVISOR, reason="The wager was not lit.")
        else:
            yield self._do(Confirm, award=award.number, by=EXECUTIVE)


def exported(folder: Path, rows: int) -> tuple[Path, Counter[str]]:
    """The file of a book of so many rows, and how many rows of each kind there are."""
    floor, block, path = Floor(), [], folder / "main.jsonl"
    with open_store(f"sqlite:///{folder}/floor.db") as store:
        for entry in floor.entries():
            block.append(entry)
            if len(block) == BLOCK or entry.number == rows:
                store.append(STREAM, block, Snapshot(entry.number, entry.digest, floor.link.snapshot()))
                block = []
            if entry.number == rows:
                break
        export(store, [STREAM], path)
    return path, floor.kinds


def run() -> Iterator[Result]:
    with tempfile.TemporaryDirectory() as name:
        path, kinds = exported(Path(name), ROWS)
        command = [str(CROUPIER), "ledger", "verify", str(path)]
        took_s = median(seconds(lambda: run_process(command)) for _ in range(TIMES))
        peak = peak_bytes(command)
    told = ", ".join(f"{kind} {count / ROWS:.1%}" for kind, count in kinds.most_common(6))
    yield Result(f"ledger verify, {ROWS:,} rows", in_words(took_s), target=f"{TARGET_S} s", met=took_s < TARGET_S)
    yield Result("... rows by kind", told)
    yield Result("... memory", f"{peak / MIB:.0f} MiB", target=f"{TARGET_BYTES // MIB} MiB", met=peak < TARGET_BYTES)
