"""The separate account through time, beside what was owed to players at that moment: each declaration and deposit, and
each time that the program shut a link because the account was short.

The account covers all links of the site together, so all of them are read, whichever link is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, ClassVar

from croupier.analysis.par.print import TableInPrint
from croupier.compliance.authority import Role
from croupier.compliance.profile import Fact
from croupier.floor.act import EntryKind
from croupier.floor.facts import DepositFacts, ReceiveFacts, RetireFacts, facts_of
from croupier.floor.site.bank import LinkTotals
from croupier.floor.site.custody import due_on
from croupier.floor.site.site import Site
from croupier.games.money import dollars
from croupier.ledger.book import taken_and_paid
from croupier.ledger.entry import UNITS_PER_CENT, Entry
from croupier.reports.books import Balances, BookEntry, Books, Played, setup_in
from croupier.reports.period import Period
from croupier.reports.sheet import Report, heading, money, table

EVENTS: Mapping[str, str] = {
    EntryKind.DECLARE_BANK: "declared",
    EntryKind.DEPOSIT: "deposited",
    EntryKind.GIVE_PRIZE: "prize given",
}
AT_END = "at the end"
NO_SITE_BOOK = (
    "There is no site's book here, and only that knows of a bank account. What the links owe to players is above."
)
UNDECLARED = "No balance was ever declared."
CARRIED = frozenset({EntryKind.RETIRE, EntryKind.RECEIVE})


@dataclass(frozen=True)
class CoverRow:
    """The account at one moment."""

    at: str
    event: str
    """declared, deposited, prize given, which link was shut for it, or how it stood at the end of the period."""
    by: str
    amount_cents: int | None
    """Declared, deposited or given."""
    reference: str
    meters_units: int
    reserves_units: int
    overflow_units: int
    pending_units: int
    carried_units: int
    """Given up by a retired link, and not received by the next one yet."""
    owed_cents: int
    """All of it, a part of a cent counted as a cent."""
    must_be_there_cents: int
    """Less what wagers brought since the last deposit, while that is not overdue."""
    is_there_cents: int
    """Declared and deposited, less what winners were paid since."""
    over_cents: int
    """What is there beyond what must be; below nothing the account is short."""
    links_must_stop: bool
    findings: str


@dataclass(frozen=True)
class LinkOwed:
    """What one link owes to players at the end of the period."""

    link: str
    meters_units: int
    reserves_units: int
    overflow_units: int
    pending_units: int
    carried_units: int

    @property
    def owed_units(self) -> int:
        return sum(getattr(self, f"{name}_units") for name in PARTS.values())

    @classmethod
    def of(cls, link: LinkTotals) -> LinkOwed:
        return cls(link.link, link.meters, link.reserve, link.overflow, link.pending, link.carried)

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "owed_units": self.owed_units}


PARTS = {
    "Meters": "meters",
    "Reserves": "reserves",
    "Overflow": "overflow",
    "Pending": "pending",
    "On its way": "carried",
}


@dataclass(frozen=True)
class BankCover(Report):
    kind: ClassVar = "bank-cover"
    title: ClassVar = "Bank cover"
    row: ClassVar = CoverRow
    wide: ClassVar = True

    rows: tuple[CoverRow, ...]
    links: tuple[LinkOwed, ...] = ()
    """Those that were made by the end of the period."""
    owed_at: str = ""
    """When they owed it."""
    declared: bool = False
    """Whether anybody had declared by then what is in the account."""
    has_site: bool = True
    collected: tuple[str, ...] = ()
    """Of each deposit, where the place asks for it: what it is of, by game and dates of collection."""
    on_file: tuple[str, ...] = ()
    """What the register has for the progressives of the links."""

    def sums(self) -> dict[str, Any]:
        return {
            "deposited_cents": sum(row.amount_cents or 0 for row in self.rows if row.event == EVENTS["deposit"]),
            "times_short": sum(row.links_must_stop for row in self.rows),
            "declared": self.declared,
            "links_owe": [link.as_json() for link in self.links],
            "on_file": list(self.on_file),
        }

    def tables(self) -> Sequence[TableInPrint]:
        account = [
            (
                *(self.told(row.at), row.event, self.written(row.by), row.reference),
                "" if row.amount_cents is None else dollars(row.amount_cents),
                *map(dollars, (row.must_be_there_cents, row.is_there_cents, row.over_cents)),
            )
            for row in self.rows
        ]
        parts = dict(PARTS)
        if not (any(row.carried_units for row in self.rows) or any(link.carried_units for link in self.links)):
            del parts["On its way"]
        owed = [
            (
                self.told(row.at),
                *(money(getattr(row, f"{name}_units")) for name in parts.values()),
                dollars(row.owed_cents),
            )
            for row in self.rows
        ]
        columns = ("When", "Event", "By", "Slip", "Amount", "Must be there", "Is there", "Over")
        tables = [self._owed_by_link(parts), table("The account", columns, account, words=4, empty=UNDECLARED)]
        if owed:
            tables.append(table("What was owed to players then", ("When", *parts, "Owed"), owed))
        return tables

    def _owed_by_link(self, parts: Mapping[str, str]) -> TableInPrint:
        def cells(owed: LinkOwed) -> tuple[str, ...]:
            return (*(money(getattr(owed, f"{name}_units")) for name in parts.values()), money(owed.owed_units))

        rows = [(link.link, *cells(link)) for link in self.links]
        if rows:
            names = [field.name for field in fields(LinkOwed)][1:]
            rows.append(("Total", *cells(LinkOwed("", *(sum(getattr(link, n) for link in self.links) for n in names)))))
        title = f"What each link owes to players, {self.told(self.owed_at)}" if self.owed_at else "What each link owes"
        return table(title, ("Link", *parts, "Owed"), rows, total=True)

    def notes(self) -> Sequence[str]:
        if not self.has_site:
            return (NO_SITE_BOOK,)
        undeclared = () if self.declared or not self.rows else (UNDECLARED,)
        told = tuple(f"{self.told(row.at)}: {row.findings}" for row in self.rows if row.findings)
        return (*undeclared, *self.collected, *told, *self.on_file)


def bank_cover(books: Books, period: Period, made_at: str) -> BankCover:
    """Every declaration and deposit in the period, every time that a link was shut for it, and how the account stood at
    the end."""
    site, times, collected = Site(), list[_Moment](), list[str]()
    shut = [_Moment(at, f"link {link} shut") for at, link in sorted(_shut(books, period))]
    for entry in books.site_entries(period):
        while shut and shut[0].at < entry.at:
            times.append(replace(shut.pop(0), site=_copy(site)))
        if entry.kind == EntryKind.DEPOSIT and entry.at >= period.begin:
            collected += _collected(books, site, entry, period)
        site.apply(entry)
        if entry.kind in EVENTS and entry.at >= period.begin:
            times.append(_Moment(entry.at, EVENTS[entry.kind], entry, _copy(site)))
    times += [replace(moment, site=site) for moment in shut]
    at_end = max(site.book.at, min(period.end, made_at), *(moment.at for moment in shut))
    times.append(_Moment(at_end, AT_END, None, site))
    games = Played(books, period)
    totals = {link: _totals(books, link, period, [moment.at for moment in times], games) for link in books.all_links}
    rows = []
    links: list[LinkTotals] = []
    for place, moment in enumerate(times):
        links = _on_their_way([total[place] for total in totals.values()], moment.site)
        if moment.site.book.entries:
            row = _row(moment, links)
            if moment.entry or moment.event == AT_END or row.links_must_stop:  # or it was shut for something else
                rows.append(row)
    owed = [LinkOwed.of(link) for link in links if link.next_seed_cents]
    declared = bool(site.book.entries and site.bank.declared_at)
    about = (tuple(owed), at_end if owed else "", declared, books.has_site, tuple(collected), games.on_file())
    return BankCover(heading(books, period, made_at), tuple(rows), *about)


@dataclass(frozen=True)
class _Moment:
    at: str
    event: str
    entry: Entry | None = None
    site: Site = field(default_factory=Site)
    """As it stood then."""


def _copy(site: Site) -> Site:
    return Site.of_snapshot(site.snapshot())


def _shut(books: Books, period: Period) -> Iterator[tuple[str, str]]:
    """When the program itself has closed a link in the period."""
    for link in books.all_links:
        for row in books.rows(link):
            if row.kind == EntryKind.CLOSE and row.at in period and row.facts["by"][1] == Role.FLOOR:
                yield row.at, link


def _collected(books: Books, site: Site, entry: Entry, period: Period) -> Iterator[str]:
    """What wagers brought since the deposit before, by game; the entry has what each link had brought by then."""
    rules, bank = site.rules(entry.at), site.bank
    since = bank.deposited_at or bank.opened_at
    if not rules.holds(Fact.DEPOSIT_BY_GAME) or not since:
        return
    facts = facts_of(DepositFacts, entry)
    for link, units in sorted(facts["contributed"].items()):
        brought = units - bank.contributed_then.get(link, 0)
        if brought:
            yield (
                f"Deposit {facts['reference']}: {_game(books, link)}, collected from {period.told(since)} to "
                f"{period.told(entry.at)}: {money(brought)}."
            )


def _game(books: Books, link: str) -> str:
    """What is played for on a link, with the link's name."""
    for entry in books.entries(link, Period()) if link in books.all_links else ():
        setup = setup_in(entry)
        if setup:
            return f"{setup.rules.title} ({link})"
    return link


def _row(moment: _Moment, links: list[LinkTotals]) -> CoverRow:
    facts = moment.entry.facts if moment.entry else {}
    cover = moment.site.cover(links, moment.at)
    return CoverRow(
        *(moment.at, moment.event, str(facts.get("by", ""))),
        amount_cents=facts.get("balance_cents", facts.get("amount_cents")),
        reference=str(facts.get("reference", "")),
        meters_units=sum(link.meters for link in links),
        reserves_units=sum(link.reserve for link in links),
        overflow_units=sum(link.overflow for link in links),
        pending_units=sum(link.pending for link in links),
        carried_units=sum(link.carried for link in links),
        owed_cents=cover.owed_cents,
        must_be_there_cents=cover.must_be_there_cents,
        is_there_cents=cover.is_there_cents,
        over_cents=cover.is_there_cents - cover.must_be_there_cents,
        links_must_stop=cover.links_must_stop,
        findings=" ".join(f"{finding.sentence} ({finding.citation})" for finding in cover.findings),
    )


class _Running:
    """What a link owes, and what it took in and paid, entry by entry."""

    def __init__(self, link: str) -> None:
        self.link, self.balances = link, Balances()
        self.contributed = self.paid = self.seed_cents = self.carried = 0
        self.retired = self.retired_at = self.destination = ""
        """The digest of the entry with which the link gave its value up, when, and where to if not to a link."""
        self.received: frozenset[str] = frozenset()
        """Of the entries with which other links' value came here."""

    def take(self, entry: BookEntry) -> None:
        self.balances.take(entry)
        setup = setup_in(entry)
        if setup:
            self.seed_cents = max(level.seed_cents for level in setup.levels)
        if entry.kind in CARRIED:
            self._carry(entry)
        contributed, paid = taken_and_paid(entry.kind, entry.moved)
        self.contributed += contributed
        self.paid += paid

    def _carry(self, entry: BookEntry) -> None:
        if entry.kind == EntryKind.RETIRE:
            self.carried, self.retired = sum(units for _, _, units in entry.transfers), entry.digest
            self.retired_at, self.destination = entry.at, facts_of(RetireFacts, entry).get("destination", "")
        else:
            self.received |= {facts_of(ReceiveFacts, entry)["entry"]["digest"]}

    def totals(self) -> _Standing:
        return _Standing(self._owed(), self.retired, self.received, self.retired_at, self.destination)

    def _owed(self) -> LinkTotals:
        lies = self.balances.total
        return LinkTotals(
            *(self.link, lies("meter"), lies("reserve"), lies("overflow"), lies("pending")),
            contributed=self.contributed,
            paid=self.paid,
            next_seed_cents=self.seed_cents,
            carried=self.carried,
        )


@dataclass(frozen=True)
class _Standing:
    """How a link stood at one time: whether what it gave up has arrived, or was given away, stands in another book."""

    totals: LinkTotals
    retired: str
    received: frozenset[str]
    retired_at: str
    destination: str


def _on_their_way(links: list[_Standing], site: Site) -> list[LinkTotals]:
    """What a retired link has given up is owed until the next one has received it, and counts there from then on; what
    is given away instead is owed until then."""
    arrived = frozenset[str]().union(*(link.received for link in links))
    return [
        replace(link.totals, carried=0)
        if link.retired in arrived
        else _to_give(link, site)
        if link.destination
        else link.totals
        for link in links
    ]


def _to_give(link: _Standing, site: Site) -> LinkTotals:
    left = max(0, link.totals.carried - site.given.get(link.totals.link, 0) * UNITS_PER_CENT)
    due = due_on(link.destination, site.day(link.retired_at), site.rules(link.retired_at)) if site.profile else None
    return replace(link.totals, carried=left, give_by=str(due or ""))


def _totals(books: Books, link: str, period: Period, times: list[str], games: Played) -> list[_Standing]:
    """How the link stood at each moment, what was entered at that very moment included."""
    running, standings = _Running(link), list[_Standing]()
    for entry in books.entries(link, period):
        while len(standings) < len(times) and times[len(standings)] < entry.at:
            standings.append(running.totals())
        running.take(entry)
        games.take(link, entry)
    while len(standings) < len(times):
        standings.append(running.totals())
    return standings
