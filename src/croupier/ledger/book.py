"""What has been entered in a book, in sums; and what a transfer means for balances, flows and totals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias, TypeVar

from croupier.errors import NotationError, RecordError
from croupier.ledger.entry import GENESIS, MOST_UNITS, OF_A_LEVEL, UNITS_PER_CENT, Account, Entry, Purpose, Transfer


@dataclass
class Book:
    """What has been entered so far, in sums: enough to add the next entry and to prove the last."""

    entries: int = 0
    at: str = ""
    digest: str = GENESIS
    balances: dict[Account, int] = field(default_factory=dict)
    _made: Entry | None = field(default=None, init=False, repr=False, compare=False)
    """The entry that was drafted last: it is checked, and once it is sealed that very object need not be again."""

    def balance(self, purpose: Purpose, level: str = "") -> int:
        return self.balances.get(Account(purpose, level), 0)

    def next(
        self, at: str, command: str, kind: str, facts: Mapping[str, Any], transfers: Iterable[Transfer] = ()
    ) -> Entry:
        """The next entry, sealed but not added. A clock that was set back does not set the book back."""
        return self.draft(at, command, kind, facts, transfers).seal()

    def draft(
        self, at: str, command: str, kind: str, facts: Mapping[str, Any], transfers: Iterable[Transfer] = ()
    ) -> Entry:
        """The same before it is sealed."""
        at = at if at >= self.at else self.at
        entry = Entry(self.entries + 1, at, command, kind, facts, tuple(transfers), self.digest)
        if entry.transfers:
            self.check(entry.transfers)
        self._made = entry
        return entry

    def check(self, transfers: Sequence[Transfer]) -> None:
        """No account of a level may go below nothing: money that is not there cannot be moved."""
        drained = False
        for transfer in transfers:
            source, target, units = transfer
            if not 0 < units <= MOST_UNITS or source == target:
                transfer.check()
            drained = drained or source.purpose in OF_A_LEVEL
        if not drained:  # wagers, and pays from the tray: nothing goes off a level
            return
        changes: dict[Account, int] = {}
        move(changes, transfers)
        for account, change in changes.items():
            if change < 0 and account.purpose in OF_A_LEVEL:
                units = self.balances.get(account, 0) + change
                if units < 0:
                    raise NotationError(f"{account} would be {-units:,} units below nothing.")

    def add(self, entry: Entry) -> None:
        """Add an entry that is whole and follows the last one; anything else is refused."""
        if entry.number != self.entries + 1:
            raise RecordError(
                f"Entry {self.entries + 1} of the book is missing: {entry.number} follows {self.entries}."
            )
        if entry.before != self.digest:
            raise RecordError(
                f"Entry {entry.number} of the book does not follow the one before it: the chain is broken."
            )
        if entry is not self._made or not entry.digest:
            self._check_content(entry)
        self._made = None
        move(self.balances, entry.transfers)
        self.entries, self.at, self.digest = entry.number, entry.at, entry.digest

    def _check_content(self, entry: Entry) -> None:
        """Of an entry that comes from elsewhere: whether it is what was sealed, and can be."""
        if entry.sealed().digest != entry.digest:
            raise RecordError(f"Entry {entry.number} of the book was altered: its digest is not that of its content.")
        if entry.at < self.at:
            raise RecordError(f"Entry {entry.number} of the book is older than the one before it.")
        try:
            self.check(entry.transfers)
        except NotationError as error:
            raise RecordError(f"Entry {entry.number} of the book cannot be: {error}") from None


Named = TypeVar("Named", Account, str)
"""An account, or how it is written."""


def move(balances: dict[Named, int], transfers: Iterable[tuple[Named, Named, int]]) -> None:
    """What transfers do to balances: what one account gives, another gets."""
    for source, target, units in transfers:
        balances[source] = balances.get(source, 0) - units
        balances[target] = balances.get(target, 0) + units


# The balance of a meter, proved: where every unit on it came from and went.
#
#     opening + contributions + seed + reserve + overflow + added +/- adjustments + moved - awards = meter
#
# The left side is summed flow by flow as entries come in, the right side is the account; their difference is nothing.


class Flow(StrEnum):
    """What a transfer to or from a meter was for."""

    CONTRIBUTIONS = "contributions"
    SEED = "seed"
    RESERVE = "reserve"
    OVERFLOW = "overflow"
    ADDED = "added"
    """By the house to a meter of style A that ran dry."""
    ADJUSTMENTS = "adjustments"
    MOVED = "moved"
    """From a link that was retired, or to the next one."""
    AWARDS = "awards"


Sums: TypeAlias = dict[str, dict[Flow, int]]
"""By level and flow, in units; awards count as negative."""
_OF_KIND = {"adjust": Flow.ADJUSTMENTS, "retire": Flow.MOVED, "receive": Flow.MOVED, "start": Flow.CONTRIBUTIONS}
_OF_ACCOUNT = {
    Purpose.HOUSE: Flow.SEED,
    Purpose.RESERVE: Flow.RESERVE,
    Purpose.OVERFLOW: Flow.OVERFLOW,
    Purpose.PENDING: Flow.AWARDS,
    Purpose.PLAYERS: Flow.AWARDS,
}
FIXED_PAYS = frozenset({"pay", "unpay"})
_CARRIED = frozenset({"retire", "receive"})
_ACCRUED = frozenset({Purpose.METER, Purpose.RESERVE, Purpose.OVERFLOW})
_WON = frozenset({Purpose.METER, Purpose.PENDING})


def add_flows(sums: Sums, kind: str, transfers: Iterable[tuple[Account, Account, int]]) -> None:
    """Count what an entry of this kind moved to and from meters."""
    meter = Purpose.METER
    for source, target, units in transfers:
        if target.purpose is meter:
            _add(sums, target.level, _flow_of(kind, source.purpose), units)
        if source.purpose is meter:
            _add(sums, source.level, _flow_of(kind, target.purpose), -units)


def _flow_of(kind: str, other: Purpose) -> Flow:
    """What a transfer between a meter and this account was for, in an entry of this kind."""
    if kind in _OF_KIND:
        return _OF_KIND[kind]
    return Flow.ADDED if kind in FIXED_PAYS and other is Purpose.HOUSE else _OF_ACCOUNT[other]


def taken_and_paid(kind: str, transfers: Iterable[tuple[Account, Account, int]]) -> tuple[int, int]:
    """What wagers brought for meters, reserve and overflow, and what winners got from the meters, in units.

    What is only carried across from one link to another is neither. What came back from players counts as paid below
    nothing.
    """
    if kind in _CARRIED:
        return 0, 0
    if kind == "start":
        contributed = 0
        for _, target, units in transfers:
            if target.purpose in _ACCRUED:
                contributed += units
        return contributed, 0
    paid = 0
    for source, target, units in transfers:
        if target.purpose is Purpose.PLAYERS and source.purpose in _WON:
            paid += units
        elif source.purpose is Purpose.PLAYERS and target.purpose in _WON:
            paid -= units
    return 0, paid


def prize_money(transfers: Iterable[tuple[Account, Account, int]]) -> Iterator[tuple[Purpose, int]]:
    """What came to the money that is owed to players, less what left it, and from which account outside."""
    for source, target, units in transfers:
        if target.purpose in OF_A_LEVEL and source.purpose not in OF_A_LEVEL:
            yield source.purpose, units
        elif source.purpose in OF_A_LEVEL and target.purpose not in OF_A_LEVEL:
            yield target.purpose, -units


def _add(sums: Sums, level: str, flow: Flow, units: int) -> None:
    flows = sums.setdefault(level, {})
    flows[flow] = flows.get(flow, 0) + units


@dataclass(frozen=True)
class Proof:
    """The balance of one level since some moment, in units."""

    level: str
    opening: int
    flows: Mapping[Flow, int]
    meter: int
    """What the account says."""
    pending: int
    """What is locked for awards that no card has confirmed yet."""

    @property
    def expected(self) -> int:
        return self.opening + sum(self.flows.values())

    @property
    def difference(self) -> int:
        return self.meter - self.expected

    @property
    def below_a_cent(self) -> int:
        """Of the meter, what no display shows and no award takes: it stays for the next one."""
        return self.meter % UNITS_PER_CENT

    def as_json(self) -> dict[str, Any]:
        flows = {str(flow): self.flows[flow] for flow in Flow}
        return {
            **{"level": self.level, "opening": self.opening, **flows, "meter": self.meter},
            **{"pending": self.pending, "difference": self.difference, "below_a_cent": self.below_a_cent},
        }


def prove(now: Sums, level: str, *, meter: int, pending: int, since: Sums | None = None) -> Proof:
    """Since the beginning, or since the moment of some earlier sums."""
    then = (since or {}).get(level, {})
    flows = {flow: now.get(level, {}).get(flow, 0) - then.get(flow, 0) for flow in Flow}
    return Proof(level, sum(then.values()), flows, meter, pending)
