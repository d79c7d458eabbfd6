"""What adjustments brought to each meter and took from it: two that cancel out are two, not none."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date

from croupier.progressive.ledger import Account, Purpose
from croupier.progressive.ledger_file import RawRow

ADJUST = b'"kind":"adjust"'


@dataclass
class Adjusted:
    """By level, in units; counted of the rows that pass by."""

    count: int = 0
    added: dict[str, int] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)

    def watch(self, rows: Iterable[RawRow], day: date | None = None) -> Iterator[RawRow]:
        """The rows as they are. Each counts when the next is asked for: whoever reads them has checked it then."""
        for digest, body in rows:
            yield digest, body
            if ADJUST in body and (day is None or body[7:17] == str(day).encode()):
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
