"""What somebody looks for in the log: words in any order, amounts as people write them, a kind, a table, a person."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from croupier.games.money import dollars
from croupier.reports.books import Line

if TYPE_CHECKING:
    from croupier.reports.events import Event

AMOUNT = re.compile(r"(?P<sign>\$)?(?P<whole>\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.(?P<cents>\d{2}))?")
"""`$1,234.56`, `1234.56`, `$10`; a number alone may be a table's as well."""


@dataclass(frozen=True)
class Search:
    """What is looked for; what is not said fits everything."""

    text: str = ""
    """Words and amounts that are all in the sentence or among the people, however they are capitalised."""
    kind: str = ""
    table: int | None = None
    person: str = ""
    """By id: who did it, signed second, overrode a claim, or was it about."""

    @cached_property
    def _words(self) -> tuple[Callable[[str], bool], ...]:
        return tuple(_finder(word) for word in self.text.casefold().split())

    def fits(self, line: Line, event: Event) -> bool:
        if (self.kind and line.kind != self.kind) or (self.table is not None and event.table != self.table):
            return False
        if self.person and self.person not in set(signers(line)):
            return False
        told = f"{event.sentence} {event.people}".casefold()
        return all(found(told) for found in self._words)

    def __str__(self) -> str:
        parts = [("text", repr(self.text) if self.text else ""), ("kind", self.kind), ("person", self.person)]
        parts.append(("table", "" if self.table is None else str(self.table)))
        return ", ".join(f"{name} {value}" for name, value in parts if value)


def _finder(word: str) -> Callable[[str], bool]:
    """Whether a word is there; an amount is the very amount, and no part of a greater one."""
    found = AMOUNT.fullmatch(word)
    if not found:
        return lambda told: word in told
    cents = int(found["whole"].replace(",", "")) * 100 + int(found["cents"] or 0)
    amount = re.compile(rf"{re.escape(dollars(cents))}(?!\d)")
    if found["sign"] or found["cents"]:
        return lambda told: amount.search(told) is not None
    return lambda told: word in told or amount.search(told) is not None


def signers(line: Line) -> Iterator[str]:
    facts = line.facts
    for who in (facts.get("by"), facts.get("second"), facts.get("override", {}).get("by"), facts.get("person")):
        if who:
            yield who[0] if isinstance(who, list) else str(who)
