"""A link as everybody outside its writer sees it: a copy after an entry, which nobody changes any more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from croupier.floor.act import EntryKind
from croupier.floor.link.meters import Award
from croupier.floor.link.setup import LinkSetup
from croupier.floor.link.state import LinkState, Payable, Status, TableCall, TableCycle, went_to
from croupier.floor.site.bank import LinkTotals
from croupier.ledger.entry import UNITS_PER_CENT, Entry, Purpose

OWED = (Purpose.METER, Purpose.RESERVE, Purpose.OVERFLOW, Purpose.PENDING)
"""What the bank has to cover of a link."""
_OF_ONE_TABLE = frozenset({EntryKind.START, EntryKind.END})
SHORT_OF_COVER = (
    "The bank did not cover the prizes. The page Bank says what is missing now; once nothing is, an executive or a "
    "manager opens the link."
)
"""Of a link that the program itself has closed: what was missing then stands in its book, and may be there by now."""


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
    destination: str = ""
    """Where its prize goes, where that is no other link."""
    received: frozenset[str] = frozenset()
    """Digests of the entries with which other links' value came here."""
    calls: Mapping[int, TableCall] = field(default_factory=dict)
    """By table, where a supervisor was called and nothing is decided yet."""
    closed_at: str = ""
    """When it was closed, where it is and that is known."""
    to_pay: Mapping[int, Payable] = field(default_factory=dict)
    """By number: confirmed awards whose winners have not been paid against a slip."""
    configuration: str = ""
    """The digest of its setup."""
    approved: str = ""
    """The same, where an approval was given when it was opened."""
    short_of_cover: bool = False
    """Whether the program itself has closed it, because the bank did not cover the prizes."""

    @classmethod
    def of(cls, state: LinkState, before: LinkBrief | None = None, entries: Sequence[Entry] = ()) -> LinkBrief:
        """As it stands now. With the brief `before` the entries that were added last, where they are nothing but games
        started and ended, the games of other tables than theirs are not copied anew."""
        meters, reserve, overflow, pending = map(state.by_level, OWED)
        totals = LinkTotals(
            link=state.name,
            meters=sum(meters.values()),
            reserve=sum(reserve.values()),
            overflow=sum(overflow.values()),
            pending=sum(pending.values()),
            contributed=state.contributed,
            paid=state.paid,
            next_seed_cents=max((level.seed_cents for level in state.made.levels), default=0) if state.made else 0,
        )
        return cls(
            name=state.name,
            entries=state.book.entries,
            at=state.book.at,
            digest=state.book.digest,
            status=state.status,
            stopped=SHORT_OF_COVER if state.short_of_cover else state.stopped,
            setup=state.made,
            meter_units=meters,
            shown_cents=_cents(meters),
            reserve_cents=_cents(reserve),
            overflow_cents=_cents(overflow),
            tables=_games(state, before, entries),
            awards=tuple(award for table in _waiting(state) for award in state.in_line(table)),
            totals=totals,
            moved_to=state.moved_to,
            carried=state.carried,
            destination=state.destination,
            received=frozenset(state.received),
            calls=dict(state.calls),
            closed_at=state.closed_at,
            configuration=state.configuration,
            approved=state.approved,
            to_pay={number: state.payable[number] for number in sorted(state.to_pay)},
            short_of_cover=state.short_of_cover,
        )

    @property
    def went_to(self) -> str:
        """Of a retired link: where its value goes, in words."""
        return went_to(self.moved_to, self.destination)

    def plays_at(self, number: int) -> bool:
        return self.setup is not None and number in self.setup.table and self.status is not Status.RETIRED


def _games(state: LinkState, before: LinkBrief | None, entries: Sequence[Entry]) -> dict[int, TableCycle]:
    """By table, a copy of its game. A game that is started or ended is that of the table which its entry names."""
    follows = before is not None and before.entries + len(entries) == state.book.entries
    if before is None or not follows or any(entry.kind not in _OF_ONE_TABLE for entry in entries):
        return {number: cycle.copy() for number, cycle in state.tables.items()}
    changed = dict.fromkeys(entry.facts["table"] for entry in entries)
    return {**before.tables, **{number: state.tables[number].copy() for number in changed}}


def _waiting(state: LinkState) -> list[int]:
    """Tables with undecided awards, whoever has waited longest first."""
    return list(dict.fromkeys(state.awards[number].table for number in sorted(state.awards)))


def _cents(units: Mapping[str, int]) -> dict[str, int]:
    return {level: amount // UNITS_PER_CENT for level, amount in units.items()}
