"""A link as everybody outside its writer sees it: a copy after an entry, which nobody changes any more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from croupier.floor.link.meters import Award
from croupier.floor.link.setup import LinkSetup
from croupier.floor.link.state import LinkState, Status, TableCycle
from croupier.floor.site.bank import LinkTotals
from croupier.ledger.entry import UNITS_PER_CENT, Purpose


@dataclass(frozen=True)
class LinkBrief:
    """A link as it stood after an entry, for everybody outside its writer."""

    name: str
    entries: int
    at: str
    digest: str
    status: Status
    stopped: str
    setup: LinkSetup | None
    meter_units: Mapping[str, int]
    """By level."""
    shown_cents: Mapping[str, int]
    """What the displays show, by level."""
    reserve_cents: Mapping[str, int]
    overflow_cents: Mapping[str, int]
    tables: Mapping[int, TableCycle]
    awards: tuple[Award, ...]
    """Undecided, in the order in which they are taken."""
    totals: LinkTotals
    moved_to: str = ""
    """Where a retired link's value goes on."""
    carried: int = 0
    """Units that it gave up then; `digest` is that entry's."""
    received: frozenset[str] = frozenset()
    """Digests of the entries with which other links' value came here."""

    @classmethod
    def of(cls, state: LinkState) -> LinkBrief:
        levels = tuple(state.made.level) if state.made else ()
        shown, reserve, overflow = (
            {level: state.units(purpose, level) // UNITS_PER_CENT for level in levels}
            for purpose in (Purpose.METER, Purpose.RESERVE, Purpose.OVERFLOW)
        )
        tables = {number: cycle.copy() for number, cycle in state.tables.items()}
        return cls(
            name=state.name,
            entries=state.book.entries,
            at=state.book.at,
            digest=state.book.digest,
            status=state.status,
            stopped=state.stopped,
            setup=state.made,
            meter_units={level: state.units(Purpose.METER, level) for level in levels},
            shown_cents=shown,
            reserve_cents=reserve,
            overflow_cents=overflow,
            tables=tables,
            awards=tuple(state.awards.values()),
            totals=totals_of(state),
            moved_to=state.moved_to,
            carried=state.carried,
            received=frozenset(state.received),
        )

    def plays_at(self, number: int) -> bool:
        return self.setup is not None and number in self.setup.table and self.status is not Status.RETIRED


def totals_of(state: LinkState) -> LinkTotals:
    """What the bank has to cover of a link."""
    levels = state.made.levels if state.made else ()

    def all_of(purpose: Purpose) -> int:
        return sum(state.units(purpose, level.level) for level in levels)

    return LinkTotals(
        link=state.name,
        meters=all_of(Purpose.METER),
        reserve=all_of(Purpose.RESERVE),
        overflow=all_of(Purpose.OVERFLOW),
        pending=all_of(Purpose.PENDING),
        contributed=state.contributed,
        paid=state.paid,
        next_seed_cents=max((level.seed_cents for level in levels), default=0),
    )
