"""What adjustments brought to each meter and took from it: two that cancel out are two, not none."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from croupier.progressive.days import NEVER, at_of
from croupier.progressive.ledger import Account, Purpose
from croupier.progressive.ledger_file import RawRow

ADJUST = b'"kind":"adjust"'


@dataclass
class Adjusted:
    """By level, in units; counted of the rows that pass by."""

    count: int = 0
    added: dict[str, int] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)

    def watch(self, rows: Iterable[RawRow], begin: str = "", end: str = NEVER) -> Iterator[RawRow]:
        """The rows as they are. Each counts when the next is asked for: whoever reads them has checked it then; of a
        day, those from its first instant to the first after it."""
        for digest, body in rows:
            yield digest, body
            if ADJUST in body and begin <= at_of(body) < end:
                self._take(body)

    def _take(self, body: bytes) -> None:
        row = json.loads(body)
        if row["kind"] != "adjust":  # the words stood in a text
            return
        self.count += 1
        for source, target, units in row["transfers"]:
            self._add(self.taken, source, units)
            self._add(self.added, target, units)

    def _add(self, side: dict[str, int], name: str, units: int) -> None:
        account = Account.parse(name)
        if account.purpose is Purpose.METER:
            side[account.level] = side.get(account.level, 0) + units
