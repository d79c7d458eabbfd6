"""Access: who signed in where and with what, what failed, who was not let in or was refused an act, and how sessions
ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from croupier.analysis.par.print import TableInPrint
from croupier.floor.act import EntryKind
from croupier.floor.facts import NoteAccessFacts, facts_of
from croupier.reports.books import BookEntry, Books
from croupier.reports.period import Period
from croupier.reports.sentences import ENDED, TURNED_AWAY
from croupier.reports.sheet import MOST_IN_PRINT, Report, heading, table

WHY = {**TURNED_AWAY, **ENDED}
EVENTS = {"sign-in": "signed in", "failed": "failed", "refused": "refused", "ended": "session ended"}


@dataclass(frozen=True)
class AccessRow:
    """One entry of the site's book."""

    entry: int
    at: str
    """When it happened; where it was entered later, that is in the entry."""
    event: str
    person: str
    """Empty where a card was nobody's."""
    how: str
    why: str
    where: str
    times: int
    session: str
    by: str
    """Who ended another person's session; the program itself otherwise."""
    digest: str


@dataclass(frozen=True)
class Access(Report):
    kind: ClassVar = "access"
    title: ClassVar = "Access"
    row: ClassVar = AccessRow
    wide: ClassVar = True

    rows: tuple[AccessRow, ...]

    def sums(self) -> dict[str, Any]:
        return {"totals": {event: self._count(event) for event in EVENTS}}

    def _count(self, event: str) -> int:
        return sum(row.times for row in self.rows if row.event == event)

    def facts(self) -> Sequence[tuple[str, str]]:
        return tuple((words.capitalize(), f"{self._count(event):,}") for event, words in EVENTS.items())

    def tables(self) -> Sequence[TableInPrint]:
        columns = ("No.", "When", "Who", "What", "With", "Why", "Where", "By", "Times")
        shown = [
            (
                *(str(row.entry), self.told(row.at), self.written(row.person) or "nobody's card", EVENTS[row.event]),
                *(row.how, WHY.get(row.why, row.why), row.where, self.written(row.by), f"{row.times:,}"),
            )
            for row in self.rows[:MOST_IN_PRINT]
        ]
        return [table("", columns, shown, words=8)]

    def notes(self) -> Sequence[str]:
        if len(self.rows) <= MOST_IN_PRINT:
            return ()
        return (f"Printed are the first {MOST_IN_PRINT:,} of {len(self.rows):,} entries: the CSV has all of them.",)


def access(books: Books, period: Period, made_at: str) -> Access:
    """Of the whole site, whichever link is named."""
    noted = tuple(_row(entry) for entry in books.site_entries_within(period) if entry.kind == EntryKind.NOTE_ACCESS)
    return Access(heading(books, period, made_at), noted)


def _row(entry: BookEntry) -> AccessRow:
    facts = facts_of(NoteAccessFacts, entry)
    return AccessRow(
        entry=entry.number,
        at=facts.get("happened", entry.at),
        event=facts["event"],
        person=facts.get("person", ""),
        how=facts.get("how", ""),
        why=facts.get("why", ""),
        where=facts.get("where", ""),
        times=facts.get("times", 1),
        session=facts.get("session", ""),
        by=facts["by"],
        digest=entry.digest,
    )
