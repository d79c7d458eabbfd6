"""What the evidence tells from the books, gathered in one reading of each: a long book is read once.

Rows are checked against their digests and the chain on the way. Whether every amount was right when it was entered is
for the verification to say, which decides every act again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from croupier.audit.explain import DECIDED, PAID, PLAY, SETUPS, Story
from croupier.floor.act import EntryKind
from croupier.floor.facts import BackOutFacts, CloseDayFacts, HoldingFacts, facts_of
from croupier.floor.link.setup import LinkSetup
from croupier.floor.site.site import Site
from croupier.ledger.entry import SITE, Entry
from croupier.ledger.file import TICK_EVERY, Tick, quiet
from croupier.reports.access import AccessRow, access
from croupier.reports.adjustments import Adjusting, AdjustmentRow
from croupier.reports.awards import AwardRow, followed
from croupier.reports.books import BookEntry, Books, Source
from croupier.reports.period import Period
from croupier.reports.sentences import sentence
from croupier.store.store import Row, Store

OF_A_LINK = frozenset({EntryKind.MAKE, EntryKind.RECONFIGURE, EntryKind.OPEN, EntryKind.RETIRE, EntryKind.RECEIVE})
OF_THE_SITE = frozenset(
    {
        *(EntryKind.CREATE_SITE, EntryKind.SET_TABLE, EntryKind.REMOVE_TABLE, EntryKind.CHOOSE_PROFILE),
        *(EntryKind.RENAME_SITE, EntryKind.SET_CLOCK, EntryKind.SET_SIGN_IN, EntryKind.ENROL_DEVICE),
        *(EntryKind.REVOKE_DEVICE, EntryKind.NOTE_KEY, EntryKind.NOTE_START),
        *(EntryKind.ENTER_APPROVAL, EntryKind.WITHDRAW_APPROVAL, EntryKind.OPEN_TABLE, EntryKind.CLOSE_TABLE),
        *(EntryKind.PLAN_REMOVAL, EntryKind.GIVE_PRIZE, EntryKind.RECONCILE),
    }
)
"""Entries that say how the room is set up, and how prize money is kept that no award has paid."""
PAPERS = frozenset({EntryKind.RECORD_PAPER, EntryKind.WITHDRAW_PAPER})
"""What was put on record for a condition, or taken off it."""
TAKEN_BACK = DECIDED[EntryKind.TAKE_BACK]


@dataclass(frozen=True)
class AsOf:
    """The books of a store up to one moment, whatever is added meanwhile."""

    store: Store
    ends: Mapping[str, int]

    def streams(self) -> list[str]:
        return sorted((stream for stream, end in self.ends.items() if end), key=lambda name: (name != SITE, name))

    def rows(self, stream: str, after: int = 0) -> Iterator[Row]:
        return self.store.rows(stream, after, max(0, self.ends[stream] - after))

    def number_before(self, stream: str, at: str) -> int:
        return min(self.ends[stream], self.store.number_before(stream, at))


@dataclass(frozen=True)
class ConfigurationRow:
    """A change of how a link, a table or the room is set up."""

    book: str
    entry: int
    at: str
    kind: str
    says: str
    configuration: str
    """The digest that was signed, of a link."""
    by: str
    second: str
    digest: str


@dataclass(frozen=True)
class CloseRow:
    """A gaming day as it was closed."""

    day: str
    entry: int
    at: str
    by: str
    agrees: bool
    readings: int
    not_read: int
    checkpoints: int
    note: str
    digest: str


class _Heard(Books):
    """The books, read by a report, with everything that goes by told to a listener too."""

    def entries(self, link: str, period: Period) -> Iterator[BookEntry]:
        for entry in super().entries(link, period):
            self.listener.take(entry)
            yield entry

    listener: _LinkListener


@dataclass
class _LinkListener:
    """Gathers what one link's book tells."""

    link: str
    tick: Tick
    adjusting: Adjusting = field(init=False)
    setup: LinkSetup | None = None
    stories: dict[int, Story] = field(default_factory=dict)
    meters: dict[tuple[int, str], int] = field(default_factory=dict)
    """By entry and level: what a meter stood at after an award of it did not stand."""
    configuration: list[tuple[ConfigurationRow, Mapping[str, Any]]] = field(default_factory=list)
    retired: bool = False

    def __post_init__(self) -> None:
        self.adjusting = Adjusting(self.link)

    def take(self, entry: BookEntry) -> None:
        self.adjusting.take(entry)
        if entry.number % TICK_EVERY == 0:
            self.tick(TICK_EVERY)
        kind = entry.kind
        if kind in PLAY:
            return
        if kind in SETUPS:
            self.setup = LinkSetup.of_json(entry.facts[SETUPS[kind]])
        self.retired |= kind == EntryKind.RETIRE
        if kind in OF_A_LINK:
            self.configuration.append((_changed(self.link, entry), entry.facts))
        if kind == EntryKind.ENTER:
            self.stories[entry.number] = Story(entry.number, self.setup, _entry(entry))
        self._about(entry)
        if kind in (EntryKind.VOID, EntryKind.TAKE_BACK, EntryKind.BACK_OUT):
            level = facts_of(BackOutFacts, entry).get("level", "")
            self.meters[entry.number, level] = self.adjusting.balances.of("meter", level)

    def _about(self, entry: BookEntry) -> None:
        """Of awards that were entered with an entry of their own; those that the dealer paid at once have no page."""
        facts = entry.facts
        named = {facts.get("award"), *facts.get("awards", ())}
        named |= {fact["award"] for fact in facts_of(HoldingFacts, entry).get("held", ())}
        for number in named:
            told = self.stories.get(number) if number is not None else None
            if told is not None and entry.number > told.number:
                told.after.append(_entry(entry))


def _entry(entry: BookEntry) -> Entry:
    return Entry(entry.number, entry.at, "", entry.kind, entry.facts, (), "", entry.digest)


def _changed(book: str, entry: BookEntry) -> ConfigurationRow:
    return ConfigurationRow(
        *(book, entry.number, entry.at, entry.kind, sentence(entry.kind, entry.facts)),
        configuration=str(entry.facts.get("configuration", "")),
        by=entry.by,
        second=entry.second,
        digest=entry.digest,
    )


@dataclass
class Told:
    """Everything that the sections on the books are made from."""

    books: Books
    period: Period
    made_at: str
    awards: list[AwardRow] = field(default_factory=list)
    stories: dict[str, dict[int, Story]] = field(default_factory=dict)
    meters: dict[str, dict[tuple[int, str], int]] = field(default_factory=dict)
    adjustments: list[AdjustmentRow] = field(default_factory=list)
    configuration: list[tuple[ConfigurationRow, Mapping[str, Any]]] = field(default_factory=list)
    papers: list[tuple[ConfigurationRow, Mapping[str, Any]]] = field(default_factory=list)
    closes: list[tuple[CloseRow, Mapping[str, Any]]] = field(default_factory=list)
    access: tuple[AccessRow, ...] = ()
    site: Site = field(default_factory=Site)
    setups: dict[str, LinkSetup] = field(default_factory=dict)
    """Of links that are not retired."""

    @property
    def ends(self) -> dict[str, tuple[int, str]]:
        """By book: its last entry and that entry's digest."""
        return {stream: (head.entries, head.digest) for stream, head in sorted(self.books.heads.items())}


def read_through(source: Source, made_at: str, tick: Tick = quiet) -> Told:
    """Read every book once. `tick` hears how many rows were read since it last heard."""
    books = _Heard(source)
    zone, hour = books.clock()
    told = Told(books, Period(None, None, zone, hour), made_at)
    told.site = Site.of_entries(row.entry() for row in source.rows(SITE))
    with books.site_book() as entries:
        for entry in entries:
            if entry.kind in OF_THE_SITE:
                told.configuration.append((_changed(SITE, entry), entry.facts))
            elif entry.kind in PAPERS:
                told.papers.append((_changed(SITE, entry), entry.facts))
            elif entry.kind == EntryKind.CLOSE_DAY:
                told.closes.append((_close(entry), entry.facts))
    for link in books.all_links:
        books.listener = heard = _LinkListener(link, tick)
        rows = {row.award: row for row in followed(books, link, told.period) if _has_card(row)}
        told.awards += [rows[number] for number in sorted(rows)]
        told.stories[link], told.meters[link] = heard.stories, heard.meters
        told.adjustments += heard.adjusting.rows
        if heard.setup is not None and not heard.retired:
            told.setups[link] = heard.setup
        told.configuration += heard.configuration
    told.access = access(books, told.period, made_at).rows
    return told


def _has_card(row: AwardRow) -> bool:
    """Whether it is one that takes a card: what a dealer pays at once has no page, and a long book has very many."""
    return row.is_share or row.status not in (PAID, TAKEN_BACK)


def _close(entry: BookEntry) -> CloseRow:
    facts = facts_of(CloseDayFacts, entry)
    return CloseRow(
        *(facts["day"], entry.number, entry.at, facts["by"], facts["agrees"]),
        readings=len(facts["readings"]),
        not_read=len(facts["not_read"]),
        checkpoints=len(facts["checkpoints"]),
        note=facts["note"],
        digest=entry.digest,
    )
