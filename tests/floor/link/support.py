"""A link in a test: acts are done by whoever may do them, and every entry is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from croupier.floor.forms import Signed
from croupier.floor.link.acts import CloseLink, Confirm, EndGame, EnterHand, LinkAct, MakeLink, OpenLink, StartGame
from croupier.floor.link.link import Link, proof
from croupier.floor.link.setup import LevelSetup, LinkSetup
from croupier.games.meter import Style
from croupier.ledger.entry import UNITS_PER_CENT, Entry, Purpose
from support.room import (
    COLOR,
    DEALER,
    DIAMONDS,
    EXECUTIVE,
    MANAGER,
    ONE,
    ONE_METER,
    OTHER_MANAGER,
    OTHER_SUIT,
    SUITED,
    SUPERVISOR,
    THREE,
    TWO,
    table,
)

__all__ = [
    "COLOR",
    "DEALER",
    "DIAMONDS",
    "EXECUTIVE",
    "MANAGER",
    "ONE",
    "ONE_METER",
    "OTHER_MANAGER",
    "OTHER_SUIT",
    "STYLE_A",
    "SUITED",
    "SUPERVISOR",
    "THREE",
    "THREE_METERS",
    "TWO",
    "Floor",
    "table",
    "with_level",
]

THREE_METERS = replace(
    ONE_METER,
    paytable="ML03",
    decks=8,
    levels=(
        LevelSetup("Mega", 1_000_000, 120_001, 10_000),
        LevelSetup("Major", 500_000, 80_003, 5_001),
        LevelSetup("Minor", 250_000, 40_007, 3),
    ),
    tables=tuple(replace(each, paytable="ML03", decks=8) for each in ONE_METER.tables),
)
STYLE_A = replace(ONE_METER, style=Style.ALL_PAYS, levels=(LevelSetup("", 100_000, 700_000, 20_000),))


def with_level(setup: LinkSetup, **changes: Any) -> LinkSetup:
    """The setup with its first level changed."""
    return replace(setup, levels=(replace(setup.levels[0], **changes), *setup.levels[1:]))


class Floor:
    """A link, its entries so far, and a clock that ticks."""

    def __init__(
        self, setup: LinkSetup = ONE_METER, name: str = "main", *, opened: bool = True, link: Link | None = None
    ) -> None:
        self.link = link or Link(name)
        self.entries: list[Entry] = []
        self.do(MakeLink, by=MANAGER, second=OTHER_MANAGER, link=name, setup=setup)
        if opened:
            self.do(OpenLink, by=MANAGER)

    def do(self, kind: type[LinkAct], *, by: Signed = DEALER, **fields: Any) -> Entry:
        number = len(self.entries) + 1
        entry = self.link.handle(kind(id=f"c{number}", by=by, **fields), f"2026-11-15T20:00:00.{number:06d}Z")
        self.link.apply(entry)
        self.entries.append(entry)
        return entry

    # What happens often

    def start(self, number: int = 1, *seats: int) -> Entry:
        return self.do(StartGame, table=number, lit=seats, based=seats)

    def end(self, number: int = 1) -> Entry:
        return self.do(EndGame, table=number)

    def enter(self, number: int, seat: int, line: str, **fields: Any) -> int:
        """The number of the award."""
        return self.do(EnterHand, table=number, seat=seat, line=line, **fields).number

    def confirm(self, award: int, by: Signed = EXECUTIVE) -> Entry:
        return self.do(Confirm, award=award, by=by)

    def close(self) -> Entry:
        return self.do(CloseLink, by=MANAGER)

    # What is asked often

    def units(self, purpose: Purpose, level: str = "") -> int:
        return self.link.state.book.balance(purpose, level)

    def cents(self, purpose: Purpose, level: str = "") -> float:
        return self.units(purpose, level) / UNITS_PER_CENT

    def held(self, award: int) -> int:
        """The cents that an undecided award has locked."""
        return self.link.state.awards[award].cents

    def proved(self) -> bool:
        return all(proof(self.link, level).difference == 0 for level in self.link.state.setup.level)
