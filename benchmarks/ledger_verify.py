"""How long it takes to prove an exported ledger of a million rows right, and in how much memory.

Two books. In the first, five seats wager in every game at eight tables, and hands win as often as the paytable's exact
chances say: some 15 % of wagers are fixed pays, and a share of the meter is won once in thousands of games. The
second is heavy: one row in fifty is a hand that wins a share, which is far more than the odds allow, with one to seven
wagers in a game. In both, hands are entered with cards and without, awards are called, confirmed, voided or taken back,
and every few hours the link is closed, corrected and opened. All of it is entered through the rules, kept in a store,
exported, and verified by the command that an auditor uses, in a process of its own.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, TypeAlias

from benchmarks.measure import CROUPIER, MIB, Result, in_words, peak_bytes, run_process, seconds
from croupier.audit.export import export
from croupier.compliance.profile import Lawful
from croupier.floor.forms import Signed
from croupier.floor.link.acts import (
    Adjust,
    CallSupervisor,
    CloseLink,
    Confirm,
    EndGame,
    EnterHand,
    LinkAct,
    MakeLink,
    OpenLink,
    StartGame,
    TakeBackHand,
    VoidAward,
)
from croupier.floor.link.link import Link
from croupier.floor.link.setup import join_proof
from croupier.ledger.entry import Entry, Purpose
from croupier.store.store import Snapshot, open_store
from support.room import (
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
    with_tables,
)

STREAM = "link:main"
ROWS = 1_000_000
TIMES = 3
TARGET_S, TARGET_BYTES = 20, 500 * MIB
TABLES, SEATS = 8, 7
ROUNDS_IN_A_SESSION = 10_000
BLOCK = 5_000
BETTING = 5
FIXED_PAYS, SHARES = 0.3, 0.07
"""Of the heavy book: in how many games there is one; and in how many of the others."""
PAYS = ((ONE, ""), (ONE, "7d 2h Ks"), (TWO, ""), (TWO, "7d 7h Ks"), (THREE, "7d 7h 7s"))


CARDS = {ONE: "7d 2h Ks", TWO: "7d 7h Ks", THREE: "7d 7h 7s", COLOR: "7d 7h 7d", SUITED: "7d 7d 7d"}
SHARED = {line.label for line in ONE_METER.lines.values() if line.is_share}
CHANCES = {proof.label: float(proof.link) for proof in join_proof(ONE_METER.tables[0], ONE_METER)}
"""Of every winning hand, for one wager, counted exactly."""
Game: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], list[tuple[int, str, str]]]
"""Seats with a progressive wager, seats with a base wager, and who won with which hand and cards."""


@dataclass
class Floor:
    """A link where everything happens that happens on a floor."""

    heavy: bool = False
    random: Random = field(default_factory=lambda: Random(7))
    link: Link = field(default_factory=lambda: Link("main"))
    kinds: Counter[str] = field(default_factory=Counter)
    clock: datetime = datetime(2026, 11, 1, tzinfo=UTC)

    def entries(self) -> Iterator[Entry]:
        """For ever."""
        setup = with_tables(ONE_METER, TABLES)
        yield self._do(MakeLink, by=MANAGER, second=OTHER_MANAGER, link="main", setup=setup)
        while True:
            yield self._do(OpenLink, by=MANAGER)
            for _ in range(ROUNDS_IN_A_SESSION // TABLES):
                yield from self._rounds()
            yield self._do(CloseLink, by=MANAGER)
            correction: dict[str, Any] = {"level": "", "reason": Lawful.MALFUNCTION, "cents": 500}
            correction |= {"source": Purpose.METER, "target": Purpose.TRAY, "text": "A sensor lit by itself."}
            yield self._do(Adjust, by=MANAGER, second=EXECUTIVE, **correction)

    def _do(self, kind: type[LinkAct], *, by: Signed = DEALER, **fields: Any) -> Entry:
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
            lit, based, hands[number] = self._heavy_game() if self.heavy else self._game()
            yield self._do(StartGame, table=number, lit=lit, based=based)
        for number, won in hands.items():
            for seat, line, cards in won:
                if line in SHARED:
                    yield from self._award(number, seat, line, cards)
                else:
                    yield self._do(EnterHand, table=number, seat=seat, line=line, cards=cards)
        for number in hands:
            yield self._do(EndGame, table=number)

    def _game(self) -> Game:
        """As the chances are; where one hand alone wins, its cards are entered in every second game."""
        lit = tuple(sorted(self.random.sample(range(1, SEATS + 1), BETTING)))
        lines = self.random.choices([*CHANCES, ""], [*CHANCES.values(), 1 - sum(CHANCES.values())], k=BETTING)
        won = [(seat, line, "") for seat, line in zip(lit, lines, strict=True) if line]
        if len(won) == 1 and self.random.random() < 0.5:
            [(seat, line, _)] = won
            won = [(seat, line, CARDS[line])]
        return lit, lit, won

    def _heavy_game(self) -> Game:
        based = sorted(self.random.sample(range(1, SEATS + 1), self.random.randint(1, SEATS)))
        lit = tuple(based[: self.random.randint(1, len(based))])
        won = []
        if self.random.random() < FIXED_PAYS:
            won = [(self.random.choice(lit), *self.random.choice(PAYS))]
        elif self.random.random() < SHARES:
            line = SUITED if self.random.random() < 0.02 else COLOR
            won = [(self.random.choice(lit), line, self.random.choice(("", CARDS[line])))]
        return lit, tuple(based), won

    def _award(self, number: int, seat: int, line: str, cards: str) -> Iterator[Entry]:
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


def exported(folder: Path, rows: int, *, heavy: bool) -> tuple[Path, Counter[str]]:
    """The file of a book of so many rows, and how many rows of each kind there are."""
    floor, block, path = Floor(heavy), [], folder / "main.jsonl"
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
    for heavy in (False, True):
        with tempfile.TemporaryDirectory() as name:
            path, kinds = exported(Path(name), ROWS, heavy=heavy)
            command = [str(CROUPIER), "ledger", "verify", str(path)]
            took_s = median(seconds(lambda: run_process(command)) for _ in range(TIMES))  # noqa: B023
            peak = peak_bytes(command)
        title = f"ledger verify, {ROWS:,} rows, {'heavy' if heavy else 'as the chances are'}"
        yield Result(title, in_words(took_s), target=f"{TARGET_S} s", met=took_s < TARGET_S)
        shown = [*kinds.most_common(4), *((kind, kinds[kind]) for kind in ("confirm", "void"))]
        yield Result("... rows by kind", ", ".join(f"{kind} {count / ROWS:.3g}" for kind, count in shown))
        yield Result(
            "... memory", f"{peak / MIB:.0f} MiB", target=f"{TARGET_BYTES // MIB} MiB", met=peak < TARGET_BYTES
        )
