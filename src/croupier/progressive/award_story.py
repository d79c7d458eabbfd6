"""The entries that an award is told from, found in a link's book while every row of it is decided again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from croupier.errors import CroupierError, RecordError
from croupier.progressive.ledger import Entry
from croupier.progressive.ledger_file import RawRow
from croupier.progressive.meters import Award
from croupier.progressive.rechecking import LinkCheck
from croupier.progressive.setup import LinkSetup

DECIDED = {"confirm": "confirmed", "void": "voided", "take-back": "taken back", "unpay": "taken back"}
CONFIRM = b'"kind":"confirm"'


@dataclass
class Story:
    """The entries that an award is told from."""

    number: int
    setup: LinkSetup | None = None
    entered: Entry | None = None
    after: list[Entry] = field(default_factory=list)
    """What was done about the award later."""
    ahead: list[Award] = field(default_factory=list)
    """Awards of the same game and meter that come first, in their order, as they were when the amount was set last."""
    zone: str = "UTC"
    """Of the times on the page."""

    @property
    def decision(self) -> Entry | None:
        return next((each for each in self.after if each.kind in DECIDED and each.facts["award"] == self.number), None)

    @property
    def locks(self) -> list[Entry]:
        """Later entries that set the amount again."""
        return [entry for entry in self.after if _lock_in(entry, self.number)]

    @property
    def held(self) -> Mapping[str, Any]:
        """The award as its amount was set last."""
        found = [_lock_in(entry, self.number) for entry in (self.entered, *self.locks) if entry]
        if not found or found[-1] is None:
            raise RecordError(f"Entry {self.number} of the book holds no award, so it cannot be explained.")
        return found[-1]


def _lock_in(entry: Entry, number: int) -> Mapping[str, Any] | None:
    return next((each for each in entry.facts.get("held", ()) if each["award"] == number), None)


def story(link: str, rows: Iterable[RawRow], number: int) -> Story:
    """Find an award's entries. Every row is decided again on the way: what is told is what the rules say, or nothing.

    All rows are gone through, because an award may be put right at any later time.
    """
    told, check = Story(number), LinkCheck(link)
    about = re.compile(rb'"award":%d[,}]|"awards":\[[\d,]*\b%d\b' % (number, number))
    final: dict[int, list[Award]] = {}
    for digest, body in rows:
        check.take(digest, body)
        if CONFIRM in body:
            _note_final(final, check.parse(body).entry(digest))
        entry = None
        if check.entries == number:
            entry = told.entered = check.parse(body).entry(digest)
            told.setup = check.link.state.made
        elif check.entries > number and about.search(body):
            entry = check.parse(body).entry(digest)
            told.after.append(entry)
        if entry and (lock := _lock_in(entry, number)):
            told.ahead = _ahead(Award.of_json(lock), check, final)
    if told.entered is None or told.entered.kind not in ("enter", "pay") or told.setup is None:
        what = f"is a {told.entered.kind!r}" if told.entered else "is not there"
        raise CroupierError(
            f"There is no award {number}: entry {number} {what}. An award has the number of the entry of its hand."
        )
    return told


def _note_final(final: dict[int, list[Award]], entry: Entry) -> None:
    """Keep the awards that cards have confirmed in each table's last game, in that order."""
    if entry.kind != "confirm":
        return
    fields = Award.__dataclass_fields__
    award = Award.of_json({name: value for name, value in entry.facts.items() if name in fields})
    same_game = [each for each in final.get(award.table, ()) if each.round == award.round]
    final[award.table] = [*same_game, award]


def _ahead(award: Award, check: LinkCheck, final: Mapping[int, list[Award]]) -> list[Award]:
    """What a card has confirmed, and then what is held before it."""
    held = check.link.state.of_round(award.table)
    before = held[: next((place for place, each in enumerate(held) if each.award == award.award), 0)]
    game = [*(each for each in final.get(award.table, ()) if each.round == award.round), *before]
    return [each for each in game if each.level == award.level]
