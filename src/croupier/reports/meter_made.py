"""How a meter came to be what it was when a hand was entered: what the last award left on it, and every flow since.

    began at $10,000.00, contributions of 412 games $948.20, adjustments $0.00 ... = meter before the hand

The flows are summed by what they were for; the balance is what lay in the account. Their difference is nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from croupier.errors import CroupierError
from croupier.progressive.ledger import Purpose
from croupier.progressive.proof import Flow, flow_of
from croupier.reports.books import Balances, Books, Line
from croupier.reports.period import Period

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
    for line in books.lines(link, Period()):
        if line.number == award:
            level = _level_of(line, award)
            mine = told[level]
            return MeterMade(
                *(link, award, level, mine.since_award, mine.since, mine.began, mine.games, mine.flows),
                before_units=balances.of(METER, level),
            )
        balances.take(line)
        if line.kind == "confirm":
            level = line.facts["level"]
            told[level] = _Telling(line.facts["award"], line.at, balances.of(METER, level))
        else:
            _count(told, line)
    raise CroupierError(f"Entry {award} of the link {link} is no award.")


def _count(told: Mapping[str, _Telling], line: Line) -> None:
    for source, target, units in line.transfers:
        for account, other, moved in ((target, source, units), (source, target, -units)):
            purpose, _, level = account.partition(":")
            if purpose == METER:
                mine = told[level]
                mine.since = mine.since or line.at
                mine.flows[flow_of(line.kind, Purpose(other.partition(":")[0]))] += moved
                mine.games += line.kind == "start"


def _level_of(line: Line, award: int) -> str:
    for held in line.facts.get("held", ()):
        if held["award"] == award:
            return str(held["level"])
    raise CroupierError(f"Entry {award} is of no single meter: a fixed pay, or no hand at all.")
