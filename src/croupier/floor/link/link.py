"""A progressive link: tables that feed and win the same meters, and the book that proves every cent of them.

    link = Link("main")
    entry = link.handle(StartGame(id="7f3a", by=Signed("ann", Role.DEALER), table=1, lit=(1, 4), based=(1, 2, 4)), at)
    link.apply(entry)                     once the entry is safe on disk

`handle` decides and changes nothing; what it refuses, it refuses with a sentence. `apply` changes, and asks nothing but
whether the entry follows the last one. A link is made of its entries alone: read again, they give the same link.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from croupier.compliance import authority
from croupier.errors import CroupierError, RecordError, Refusal
from croupier.floor.link import adjust, awards, cycle, lifecycle
from croupier.floor.link.acts import Act, Confirm
from croupier.floor.link.decision import Decision
from croupier.floor.link.state import LinkState, Status, count_own, state_of_snapshot
from croupier.floor.refusals import No, refusal
from croupier.ledger.book import Book, Proof, Sums, add_flows, prove, taken_and_paid
from croupier.ledger.entry import Entry, Purpose, Transfer

DECIDE: Mapping[str, Callable[[LinkState, Any], Decision]] = {
    "start": cycle.start,
    "end": cycle.end,
    "enter": awards.enter,
    "take-back": awards.take_back,
    "call": awards.call,
    "confirm": awards.confirm,
    "void": awards.void,
    "make": lifecycle.make,
    "open": lifecycle.open_,
    "close": lifecycle.close,
    "adjust": adjust.adjust,
    "reconfigure": lifecycle.reconfigure,
    "retire": lifecycle.retire,
    "receive": lifecycle.receive,
}
"""By kind of act: what it comes to."""


def _confirmed(state: LinkState, entry: Entry) -> None:
    awards.confirmed(state, entry)
    adjust.confirmed(state, entry)


CHANGE: Mapping[str, Callable[[LinkState, Entry], None]] = {
    "start": cycle.started,
    "end": cycle.ended,
    "enter": awards.entered,
    "pay": awards.paid_fixed,
    "take-back": awards.released,
    "unpay": awards.unpaid,
    "call": awards.called,
    "confirm": _confirmed,
    "void": awards.released,
    "make": lifecycle.made,
    "open": lifecycle.opened,
    "close": lifecycle.closed,
    "adjust": adjust.adjusted,
    "reconfigure": lifecycle.reconfigured,
    "retire": lifecycle.retired,
    "receive": lifecycle.received,
}
"""By kind of entry: how the link is different after it. A fixed pay is an entry of its own kind: `pay`, `unpay`."""


class Link:
    """The state of one link, and what may be done with it."""

    def __init__(self, name: str, state: LinkState | None = None) -> None:
        self.name = name
        self.state = state or LinkState(name)

    @property
    def book(self) -> Book:
        return self.state.book

    # Deciding

    def handle(self, act: Act, at: str) -> Entry:
        """The entry that the act comes to, for the store to keep; refused acts change nothing."""
        return self.entry(act, at, self.decide(act))

    def entry(self, act: Act, at: str, decision: Decision, notes: Mapping[str, Any] | None = None) -> Entry:
        """`notes` are what other parts of the house add to the record, such as the checklist of an award."""
        facts = {"by": act.by.as_list(), **decision.facts}
        if act.where:
            facts["where"] = act.where
        if act.seconded:
            facts["second"] = act.seconded.as_list()
        if notes:
            facts["notes"] = dict(notes)
        return self.state.book.next(at, act.id, decision.kind, facts, decision.transfers)

    def decide(self, act: Act) -> Decision:
        state = self.state
        if not isinstance(act, Confirm):  # which card that takes depends on the amount
            authority.two_people(act.needs, act.by, act.seconded)
        if state.made is None and act.kind != "make":
            raise refusal(No.NOT_MADE, link=self.name)
        if state.status is Status.RETIRED:
            raise refusal(No.RETIRED, link=self.name, to=state.moved_to)
        return DECIDE[act.kind](state, act)

    # Changing

    def apply(self, entry: Entry) -> None:
        """Take an entry that is in the store; one that does not follow the last is refused."""
        state = self.state
        if entry.kind not in CHANGE:
            raise RecordError(f"Entry {entry.number} of the book is of the unknown kind {entry.kind!r}.")
        state.book.add(entry)
        add_flows(state.sums, entry.kind, entry.transfers)
        count_totals(state, entry.kind, entry.transfers)
        count_own(state, entry)
        try:
            CHANGE[entry.kind](state, entry)
        except (Refusal, KeyError, TypeError, ValueError, AttributeError) as error:
            raise RecordError(f"Entry {entry.number} of the book cannot be: {error!r}.") from None

    @classmethod
    def of_entries(cls, name: str, entries: Iterable[Entry]) -> Link:
        link = cls(name)
        for entry in entries:
            link.apply(entry)
        return link

    # Keeping

    def snapshot(self) -> dict[str, Any]:
        """The link as JSON: with the entries after it, the same as with all of them."""
        return self.state.snapshot()

    @classmethod
    def of_snapshot(cls, values: dict[str, Any]) -> Link:
        try:
            state = state_of_snapshot(values)
        except (CroupierError, KeyError, TypeError, ValueError, AttributeError) as error:
            raise RecordError(f"The snapshot of the link cannot be read: {error!r}.") from None
        return cls(state.name, state)

    # Proving

    @property
    def sums(self) -> Sums:
        """What has flowed by now; kept at the end of a day, it is the opening of the next."""
        return {level: dict(flows) for level, flows in self.state.sums.items()}


def proof(link: Link, level: str, since: Sums | None = None) -> Proof:
    """The balance of a level: opening and flows against the meter, to a difference of nothing."""
    link.state.level(level)
    meter, pending = (link.state.units(purpose, level) for purpose in (Purpose.METER, Purpose.PENDING))
    return prove(link.state.sums, level, meter=meter, pending=pending, since=since)


def count_totals(state: LinkState, kind: str, transfers: Iterable[Transfer]) -> None:
    """What wagers brought and what winners got, ever."""
    contributed, paid = taken_and_paid(kind, transfers)
    state.contributed += contributed
    state.paid += paid
