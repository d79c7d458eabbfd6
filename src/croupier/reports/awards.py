"""Awards: every hand that won in a period, and the last 25 of each meter.

A hand belongs to the period in which it was entered, and also to that in which it was decided: an award that waits for
its card over the end of a day is pending in the first day's report and confirmed in the second's. One that is backed
out on a later day is in that day's report too, and comes off its total. A press that the dealer took back claimed
nothing: it is listed, and in no total.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from croupier.analysis.par.print import TableInPrint
from croupier.audit.explain import BACKED_OUT, DECIDED, NOT_PAID, PAID, PENDING
from croupier.errors import CroupierError
from croupier.floor.act import EntryKind
from croupier.floor.facts import BackOutFacts, ConfirmFacts, HandFacts, HoldingFacts, PayFacts, StartFacts, facts_of
from croupier.games.money import dollars
from croupier.ledger.book import Flow, Sums, add_flows
from croupier.reports.books import Balances, BookEntry, Books
from croupier.reports.period import Period
from croupier.reports.sheet import Report, heading, level_title, table

LAST = 25
"""Hits of each prize that are shown on demand (NY 5320.8)."""
CONFIRMED, VOIDED = DECIDED[EntryKind.CONFIRM], DECIDED[EntryKind.VOID]


@dataclass(frozen=True)
class AwardRow:
    """A hand that won."""

    link: str
    award: int
    """The number of the entry of its hand."""
    entered_at: str
    table: int
    seat: int
    game: int
    line: str
    pays: str
    level: str
    """Whose meter, for a share."""
    what: str
    """`award` of a share, or `fixed pay`."""
    award_cents: int
    status: str
    """pending, confirmed, voided, taken back, backed out, or paid for a fixed pay that took no card."""
    entered_by: str
    decided_at: str = ""
    """By the last that was decided of it: of an award that was backed out, that. So are the people and the digest."""
    decided_by: str = ""
    reason: str = ""
    """Of a void, or of a back-out."""
    cards: str = ""
    digest: str = ""
    """Of the entry that decided it, or of the hand's where none has."""

    @property
    def is_share(self) -> bool:
        return self.what == "award"


@dataclass(frozen=True)
class Awards(Report):
    """All in the period."""

    kind: ClassVar = "awards"
    title: ClassVar = "Awards"
    row: ClassVar = AwardRow
    wide: ClassVar = True

    rows: tuple[AwardRow, ...]
    earlier: frozenset[tuple[str, int]] = frozenset()
    """By link and number: what was backed out in the period, and confirmed before it."""

    def total_cents(self, *statuses: str, share: bool) -> int:
        return sum(row.award_cents for row in self.rows if row.status in statuses and row.is_share is share)

    def sums(self) -> dict[str, Any]:
        """Net of what was backed out; what that came to stands beside it, where there is any."""
        back = {share: self.total_cents(BACKED_OUT, share=share) for share in (True, False)}
        earlier = [row for row in self.rows if (row.link, row.award) in self.earlier]
        off = {share: sum(row.award_cents for row in earlier if row.is_share is share) for share in (True, False)}
        return {
            "confirmed_cents": self.total_cents(CONFIRMED, share=True) - off[True],
            "pending_cents": self.total_cents(PENDING, share=True) + self.total_cents(PENDING, share=False),
            "not_paid_cents": self.total_cents(VOIDED, share=True) + self.total_cents(VOIDED, share=False),
            "fixed_pays_cents": self.total_cents(PAID, CONFIRMED, share=False) - off[False],
            **({"backed_out_cents": sum(back.values())} if any(row.status == BACKED_OUT for row in self.rows) else {}),
        }

    def tables(self) -> Sequence[TableInPrint]:
        columns = (
            *("Link", "No.", "Entered", "Table", "Seat", "Hand", "Meter", "Status", "Decided", "By"),
            "Amount",
        )
        entries = [(number, 1, row.link, row.award) for number, row in enumerate(self.rows)]
        return [table("", columns, [self._shown(row) for row in self.rows], words=10, entries=entries)]

    def _shown(self, row: AwardRow) -> tuple[str, ...]:
        status = row.status.upper() if row.status in {*NOT_PAID, BACKED_OUT} else row.status
        hand = f"{row.line}: {row.reason}" if row.reason else row.line
        level = level_title(row.level) if row.is_share else "fixed pay"
        return (
            *(row.link, str(row.award), self.told(row.entered_at), str(row.table), str(row.seat), hand, level),
            *(status, self.told(row.decided_at), self.written(row.decided_by), dollars(row.award_cents)),
        )

    def notes(self) -> Sequence[str]:
        parts = {name.removesuffix("_cents").replace("_", " "): cents for name, cents in self.sums().items()}
        return (", ".join(f"{name} {dollars(cents)}" for name, cents in parts.items()).capitalize() + ".",)


@dataclass(frozen=True)
class LastAwards(Awards):
    """The last of each meter that a card confirmed, whatever the period's first day, newest first."""

    kind: ClassVar = "last-awards"
    title: ClassVar = f"The last {LAST} awards of each meter"

    def tables(self) -> Sequence[TableInPrint]:
        columns = ("No.", "Entered", "Table", "Seat", "Hand", "Confirmed", "By", "Amount")
        return [
            table(
                f"Link {link}, {level_title(level)}",
                columns,
                [self._of_level(row) for row in self.rows if (row.link, row.level) == (link, level)],
                words=7,
            )
            for link, level in dict.fromkeys((row.link, row.level) for row in self.rows)
        ] or [table("Awards", columns, ())]

    def _of_level(self, row: AwardRow) -> tuple[str, ...]:
        back = row.status == BACKED_OUT
        hand, decided = (f"{row.line}: {row.reason}", "BACKED OUT ") if back else (row.line, "")
        return (
            *(str(row.award), self.told(row.entered_at), str(row.table), str(row.seat), hand),
            *(f"{decided}{self.told(row.decided_at)}", self.written(row.decided_by), dollars(row.award_cents)),
        )

    def notes(self) -> Sequence[str]:
        return ()


def awards(books: Books, period: Period, made_at: str, *, fixed_pays: bool = True) -> Awards:
    """Every hand entered or decided in the period, as it stood at the end of it; fixed pays only if asked for."""
    rows_of_all: list[AwardRow] = []
    earlier, confirmed = set[tuple[str, int]](), dict[tuple[str, int], str]()
    for link in books.links:
        rows: dict[int, AwardRow] = {}
        for row in followed(books, link, period):
            if row.status == CONFIRMED:
                confirmed[link, row.award] = row.decided_at
            elif row.status == BACKED_OUT and confirmed[link, row.award] not in period:
                earlier.add((link, row.award))
            if row.entered_at in period or row.decided_at in period:
                rows[row.award] = row
        rows_of_all += sorted(rows.values(), key=lambda row: row.award)
    kept = tuple(row for row in rows_of_all if fixed_pays or row.is_share)
    listed = {(row.link, row.award) for row in kept}
    return Awards(heading(books, period, made_at), kept, frozenset(earlier & listed))


def last_awards(books: Books, period: Period, made_at: str, last: int = LAST) -> LastAwards:
    """The last confirmed awards of each meter by the end of the period; those that were backed out say so."""
    rows_of_all: list[AwardRow] = []
    for link in books.links:
        by_level: dict[str, deque[AwardRow]] = {}
        for row in followed(books, link, period):
            if row.status == CONFIRMED and row.is_share:
                by_level.setdefault(row.level, deque(maxlen=last)).append(row)
            elif row.status == BACKED_OUT and row.is_share:
                kept = by_level[row.level]
                by_level[row.level] = deque((row if other.award == row.award else other for other in kept), maxlen=last)
        for level in sorted(by_level):
            rows_of_all += reversed(by_level[level])
    return LastAwards(heading(books, period, made_at), tuple(rows_of_all))


def followed(books: Books, link: str, period: Period) -> Iterator[AwardRow]:
    """Each award whenever something about it is new: when it is entered, locked at another amount, or decided.

    Of a game nothing is kept once another has begun at its table, but what cards have confirmed: until then it can be
    reopened.
    """
    open_: dict[int, dict[int, AwardRow]] = {}
    confirmed: dict[int, AwardRow] = {}
    for entry in books.entries(link, period):
        facts = entry.facts
        if entry.kind == EntryKind.BACK_OUT:
            yield _backed_out(confirmed.pop(facts_of(BackOutFacts, entry)["award"]), entry)
        elif entry.kind == EntryKind.START:
            open_.pop(facts_of(StartFacts, entry)["table"], None)
        elif entry.kind in (EntryKind.ENTER, EntryKind.PAY):
            open_.setdefault(facts_of(HandFacts, entry)["table"], {})[entry.number] = _entered(link, entry)
        at_table = open_.get(facts.get("table", 0), {})
        if entry.kind in (EntryKind.ENTER, EntryKind.PAY, *DECIDED):
            changed = {fact["award"]: fact for fact in facts_of(HoldingFacts, entry).get("held", ())}
            for number, held in changed.items():
                level = held.get("level", "")
                at_table[number] = replace(at_table[number], award_cents=held["cents"], level=level)
            about = facts.get("award", entry.number)
            if entry.kind in DECIDED:
                at_table[about] = _decided(at_table[about], entry)
            if entry.kind == EntryKind.CONFIRM:
                confirmed[about] = at_table[about]
            for number in dict.fromkeys((*changed, about)):
                yield at_table[number]


def _entered(link: str, entry: BookEntry) -> AwardRow:
    facts, paid = facts_of(HandFacts, entry), entry.kind == EntryKind.PAY
    fixed = paid or any("parts" in held for held in facts.get("held", ()) if held["award"] == entry.number)
    return AwardRow(
        *(link, entry.number, entry.at, facts["table"], facts["seat"], facts["round"], facts["line"], facts["pays"]),
        level="",
        what="fixed pay" if fixed else "award",
        award_cents=facts_of(PayFacts, entry)["cents"] if paid else 0,
        status=PAID if paid else PENDING,
        entered_by=entry.by,
        cards=facts.get("cards", ""),
        digest=entry.digest,
    )


def _decided(row: AwardRow, entry: BookEntry) -> AwardRow:
    return replace(
        row,
        status=DECIDED[entry.kind],
        decided_at=entry.at,
        decided_by=entry.by,
        reason=entry.facts.get("reason", ""),
        digest=entry.digest,
    )


def _backed_out(row: AwardRow, entry: BookEntry) -> AwardRow:
    people, reason = f"{entry.by}, {entry.second}", facts_of(BackOutFacts, entry)["reason"]
    decided = replace(row, decided_at=entry.at, decided_by=people, reason=reason, digest=entry.digest)
    return replace(decided, status=BACKED_OUT)


# How a meter came to be what it was when a hand was entered: what the last award left on it, and every flow since.
#
#     began at $10,000.00, contributions of 412 games $948.20, adjustments $0.00 ... = meter before the hand
#
# The flows are summed by what they were for; the balance is what lay in the account. Their difference is nothing.

METER = "meter"


@dataclass(frozen=True)
class MeterMade:
    """One meter up to a hand, in units."""

    link: str
    award: int
    level: str
    since_award: int | None
    """The award that was confirmed last of this meter, from which it is told; None where there was none."""
    since: str
    began_units: int
    games: int
    """That contributed since."""
    flows: Mapping[str, int]
    before_units: int
    """What lay in the account before the hand was entered."""

    @property
    def difference_units(self) -> int:
        return self.began_units + sum(self.flows.values()) - self.before_units

    def as_json(self) -> dict[str, Any]:
        return {
            **{"link": self.link, "award": self.award, "level": self.level, "unit": "1e-6 cent"},
            **{"since_award": self.since_award, "since": self.since, "began_units": self.began_units},
            **{"games": self.games, "flows": dict(self.flows), "before_units": self.before_units},
            "difference_units": self.difference_units,
        }


@dataclass
class _Telling:
    """What has been on one meter since the last award of it."""

    since_award: int | None = None
    since: str = ""
    began: int = 0
    games: int = 0
    flows: dict[str, int] = field(default_factory=lambda: {str(flow): 0 for flow in Flow})


def meter_made(books: Books, award: int) -> MeterMade:
    """Of the meter of an award, a share, of the only link that is read."""
    [link] = books.links
    balances, told = Balances(), defaultdict[str, _Telling](_Telling)
    for entry in books.entries(link, Period()):
        if entry.number == award:
            level = _level_of(entry, award)
            mine = told[level]
            return MeterMade(
                *(link, award, level, mine.since_award, mine.since, mine.began, mine.games, mine.flows),
                before_units=balances.of(METER, level),
            )
        balances.take(entry)
        if entry.kind == EntryKind.CONFIRM and "level" in entry.facts:
            facts = facts_of(ConfirmFacts, entry)
            level = facts["level"]
            told[level] = _Telling(facts["award"], entry.at, balances.of(METER, level))
        else:
            _count(told, entry)
    raise CroupierError(f"Entry {award} of the link {link} is no award.")


def _count(told: Mapping[str, _Telling], entry: BookEntry) -> None:
    sums: Sums = {}
    add_flows(sums, entry.kind, entry.moved)
    for level, flows in sums.items():
        mine = told[level]
        mine.since = mine.since or entry.at
        mine.games += entry.kind == EntryKind.START
        for flow, units in flows.items():
            mine.flows[flow] += units


def _level_of(entry: BookEntry, award: int) -> str:
    for held in facts_of(HoldingFacts, entry).get("held", ()):
        if held["award"] == award and "level" in held:
            return held["level"]
    raise CroupierError(f"Entry {award} is of no single meter: a fixed pay, or no hand at all.")
