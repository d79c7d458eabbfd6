"""A progressive link: tables that feed and win the same meters, and the book that proves every cent of them.

    link = Link("main")
    entry = link.handle(StartGame(id="7f3a", by=Signed("ann", Role.DEALER), table=1, lit=(1, 4), based=(1, 2, 4)), at)
    link.apply(entry)                     once the entry is safe on disk

`handle` decides and changes nothing; what it refuses, it refuses with a sentence. `apply` changes, and asks nothing but
whether the entry follows the last one. A link is made of its entries alone: read again, they give the same link.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Protocol

from croupier.compliance import authority
from croupier.errors import CroupierError, RecordError, Refusal
from croupier.floor.act import Decision, EntryKind
from croupier.floor.agreement import Agreement, Statement
from croupier.floor.forms import plain, read_record
from croupier.floor.link import acts, adjust, awards, backout, cycle, lifecycle
from croupier.floor.link.acts import Confirm, LinkAct, OfTwo
from croupier.floor.link.settlement import in_the_book, locked_in, relock
from croupier.floor.link.setup import LOCKED_INSIDE, LinkSetup
from croupier.floor.link.state import LinkState, Status, count_own, state_of_snapshot
from croupier.floor.refusals import No, refusal
from croupier.ledger.book import Book, Proof, Sums, add_flows, move, prove, taken_and_paid
from croupier.ledger.entry import UNITS_PER_CENT, Account, Entry, Purpose, Transfer, canonical
from croupier.ledger.rows import STRANGE, Row, printable

DECIDE: Mapping[type[LinkAct], Callable[[LinkState, Any], Decision]] = {
    acts.StartGame: cycle.start,
    acts.EndGame: cycle.end,
    acts.EnterHand: awards.enter,
    acts.TakeBackHand: awards.take_back,
    acts.CallSupervisor: awards.call,
    acts.TakeCall: awards.take_call,
    acts.Confirm: awards.confirm,
    acts.VoidAward: awards.void,
    acts.ReopenGame: cycle.reopen,
    acts.IssueSlip: awards.issue_slip,
    acts.PaySlip: awards.pay_slip,
    acts.MakeLink: lifecycle.make,
    acts.OpenLink: lifecycle.open_,
    acts.CloseLink: lifecycle.close,
    acts.Adjust: adjust.adjust,
    acts.BackOut: backout.back_out,
    acts.Reconfigure: lifecycle.reconfigure,
    acts.Retire: lifecycle.retire,
    acts.Receive: lifecycle.receive,
}
"""By class of act: what it comes to."""


def _confirmed(state: LinkState, entry: Entry) -> None:
    backout.confirmed(state, state.awards[entry.facts["award"]])
    awards.confirmed(state, entry)
    awards.made_payable(state, entry)


CHANGE: Mapping[str, Callable[[LinkState, Entry], None]] = {
    EntryKind.START: cycle.started,
    EntryKind.END: cycle.ended,
    EntryKind.REOPEN: cycle.reopened,
    EntryKind.ENTER: awards.entered,
    EntryKind.PAY: awards.paid_fixed,
    EntryKind.TAKE_BACK: awards.released,
    EntryKind.UNPAY: awards.unpaid,
    EntryKind.CALL: awards.called,
    EntryKind.TAKE_CALL: awards.call_taken,
    EntryKind.CONFIRM: _confirmed,
    EntryKind.VOID: awards.released,
    EntryKind.ISSUE_SLIP: awards.slip_issued,
    EntryKind.PAY_SLIP: awards.slip_paid,
    EntryKind.MAKE: lifecycle.made,
    EntryKind.OPEN: lifecycle.opened,
    EntryKind.CLOSE: lifecycle.closed,
    EntryKind.ADJUST: adjust.adjusted,
    EntryKind.BACK_OUT: backout.backed_out,
    EntryKind.RECONFIGURE: lifecycle.reconfigured,
    EntryKind.RETIRE: lifecycle.retired,
    EntryKind.RECEIVE: lifecycle.received,
}
"""By kind of entry: how the link is different after it. A fixed pay is an entry of its own kind: `pay`, `unpay`."""


def _locked_apart(state: LinkState, decision: Decision) -> Decision:
    """Of what an act moves inside, the book has what decided hands move; the entry says what is locked besides."""
    kind, facts, transfers = decision
    if kind not in _OF_HANDS or not (state.locked or state.awards or "held" in facts):
        return decision
    inside, after = state.inside(), state.fork()
    inside.transfers = list(transfers)
    CHANGE[kind](after, Entry(state.book.entries + 1, state.book.at, "", kind.value, facts, (), ""))
    moved, more = in_the_book(state, transfers, locked_in(after, inside))
    if kind is EntryKind.CONFIRM and state.tables[facts["table"]].law >= LOCKED_INSIDE and "level" in facts:
        meter = Account(Purpose.METER, facts["level"])
        move(after.book.balances, moved)
        facts = {**facts, "shown_cents": after.book.balances.get(meter, 0) // UNITS_PER_CENT}
    return Decision(kind, {**facts, "locked": [transfer.as_list() for transfer in more]} if more else facts, moved)


_OF_HANDS = frozenset(
    {
        *(EntryKind.ENTER, EntryKind.PAY, EntryKind.TAKE_BACK, EntryKind.UNPAY),
        *(EntryKind.CONFIRM, EntryKind.VOID),
    }
)
"""Kinds of entries that change the hands of a game: what is locked is reckoned anew."""


class Link:
    """The state of one link, and what may be done with it."""

    def __init__(self, name: str, state: LinkState | None = None) -> None:
        self.name = name
        self.state = state or LinkState(name)

    @property
    def book(self) -> Book:
        return self.state.book

    # Deciding

    def handle(self, act: LinkAct, at: str) -> Entry:
        """The entry that the act comes to, for the store to keep; refused acts change nothing."""
        return self.entry(act, at, self.decide(act, at))

    def entry(self, act: LinkAct, at: str, decision: Decision, notes: Mapping[str, Any] | None = None) -> Entry:
        """`notes` are what other parts of the house add to the record, such as the checklist of an award."""
        return self.draft(act, at, decision, notes).seal()

    def draft(self, act: LinkAct, at: str, decision: Decision, notes: Mapping[str, Any] | None = None) -> Entry:
        """The same before it is sealed."""
        kind, decided, transfers = decision
        facts = {"by": act.by.as_list(), **decided}
        if act.where:
            facts["where"] = act.where
        second = act.seconded
        if second:
            facts["second"] = second.as_list()
            if isinstance(act, OfTwo) and act.agreed:
                facts["agreed"] = plain(act.agreed)
        if notes:
            facts["notes"] = dict(notes)
        return self.state.book.draft(at, act.id, str(kind), facts, transfers)

    def decide(self, act: LinkAct, at: str) -> Decision:
        """What the act comes to at this time; refused acts say why."""
        state = self.state
        if not isinstance(act, Confirm):  # which card that takes depends on the amount
            authority.two_people(act.needs, act.by, act.seconded)
        if state.made is None and act.kind is not EntryKind.MAKE:
            raise refusal(No.NOT_MADE, link=self.name)
        if state.status is Status.RETIRED:
            raise refusal(No.RETIRED, link=self.name, to=state.went_to)
        if isinstance(act, acts.EnterHand):
            cycle.check_not_too_soon(state, act.table, at)
        return _locked_apart(state, DECIDE[type(act)](state, act))

    # Changing

    def apply(self, entry: Entry) -> None:
        """Take an entry that is in the store; one that does not follow the last is refused."""
        state, kind, transfers = self.state, entry.kind, entry.transfers
        change = CHANGE.get(kind)
        if change is None:
            raise RecordError(f"Entry {entry.number} of the book is of the unknown kind {kind!r}.")
        state.book.add(entry)
        if transfers:
            add_flows(state.sums, kind, transfers)
            count_totals(state, kind, transfers)
        state.own_paid = count_own(state, entry) if transfers else 0
        try:
            change(state, entry)
            if "locked" in entry.facts:
                relock(state, entry.facts["locked"])
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
    pending = link.state.inside().units(Account(Purpose.PENDING, level))
    meter = link.state.units(Purpose.METER, level)
    return prove(link.state.sums, level, meter=meter, pending=pending, since=since)


def count_totals(state: LinkState, kind: str, transfers: Iterable[Transfer]) -> None:
    """What wagers brought and what winners got, ever."""
    contributed, paid = taken_and_paid(kind, transfers)
    state.contributed += contributed
    state.paid += paid


# A book done again: every entry is turned back into its act and decided anew, and must come out the same. A chain of
# hashes shows that nothing was changed after it was sealed; this shows that every amount was right when it was entered.


class Notes(Protocol):
    """Whoever can say what the house noted of an act."""

    def notes(self, link: Link, act: LinkAct, decision: Decision, told: Entry | Row) -> Mapping[str, Any] | None: ...


def replay(name: str, entries: Iterable[Entry]) -> Link:
    """The link of a book in which every entry is as the rules say; the first that is not is named."""
    link = Link(name)
    for entry in entries:
        recheck(link, entry)
        link.apply(entry)
    return link


def recheck(link: Link, entry: Entry, house: Notes | None = None) -> None:
    """Refuse an entry that its own act would not lead to, here and now."""
    again = redo(link, entry, house)
    if again.transfers != entry.transfers:
        raise RecordError(f"Entry {entry.number} of the book ({entry.kind}) moves other money than the rules say.")
    if again.kind != entry.kind or canonical(again.facts) != canonical(entry.facts):
        raise RecordError(f"Entry {entry.number} of the book ({entry.kind}) says other things than the rules do.")


def redo(link: Link, told: Entry | Row, house: Notes | None = None) -> Entry:
    """The entry that the act of a told one comes to, here and now, not yet sealed; refused where it comes to none.

    Without a house its notes are taken as they are told: they follow from other books.
    """
    try:
        act = act_of(told.kind, told.command, told.facts)
        decision = link.decide(act, told.at)
        notes = house.notes(link, act, decision, told) if house else told.facts.get("notes")
        return link.draft(act, told.at, decision, notes)
    except RecordError:
        raise
    except STRANGE as error:
        raise not_allowed(told, error) from None


def not_allowed(told: Entry | Row, error: BaseException) -> RecordError:
    """What is said of an entry whose act comes to none."""
    why = printable(f"({told.kind}) was not allowed: {error}")
    return RecordError(f"Entry {told.number} of the book {why}")


def act_of(kind: str, command: str, facts: Mapping[str, Any]) -> LinkAct:
    """The act that led to an entry."""
    act, names = _ACTS[kind]
    values = {"id": command, "by": facts["by"]}
    for name, fact in names:
        values[name] = facts[fact]
    for name in _MAY_MISS & facts.keys():
        values[name] = facts[name]
    if facts.get("identity"):
        values["identity"] = facts["identity"]
    if kind == EntryKind.CONFIRM:
        values["form"] = facts.get("form", 1)
    if "stood" in facts:
        values["law"] = facts.get("law", 1)
    if "override" in facts:
        values |= {"override_by": facts["override"]["by"], "override_reason": facts["override"]["reason"]}
    return read_record(act, values)


_MAY_MISS = frozenset({"where", "second", "agreed", "cards", "reseed", "destination"})


def _alike(act: type[LinkAct], *names: str, **other: str) -> tuple[type[LinkAct], tuple[tuple[str, str], ...]]:
    """An act, and its fields with the facts of the entry that they are in: of the same name, but for the others."""
    return act, (*((name, name) for name in names), *other.items())


_ACTS: Mapping[str, tuple[type[LinkAct], tuple[tuple[str, str], ...]]] = {
    EntryKind.START: _alike(acts.StartGame, "table", "based", lit="seats"),
    EntryKind.END: _alike(acts.EndGame, "table"),
    EntryKind.ENTER: _alike(acts.EnterHand, "table", "seat", "line"),
    EntryKind.PAY: _alike(acts.EnterHand, "table", "seat", "line"),
    EntryKind.TAKE_BACK: _alike(acts.TakeBackHand, "table", "seat"),
    EntryKind.UNPAY: _alike(acts.TakeBackHand, "table", "seat"),
    EntryKind.CALL: _alike(acts.CallSupervisor, "table"),
    EntryKind.TAKE_CALL: _alike(acts.TakeCall, "table"),
    EntryKind.CONFIRM: _alike(acts.Confirm, "award"),
    EntryKind.VOID: _alike(acts.VoidAward, "award", "reason"),
    EntryKind.REOPEN: _alike(acts.ReopenGame, "table", "reason"),
    EntryKind.ISSUE_SLIP: _alike(acts.IssueSlip, "award"),
    EntryKind.PAY_SLIP: _alike(acts.PaySlip, "slip", "paid_in"),
    EntryKind.MAKE: _alike(acts.MakeLink, "link", "setup"),
    EntryKind.OPEN: _alike(acts.OpenLink, "approved"),
    EntryKind.CLOSE: _alike(acts.CloseLink, "reason"),
    EntryKind.ADJUST: _alike(acts.Adjust, "level", "reason", "cents", "text", "award", source="from", target="to"),
    EntryKind.BACK_OUT: _alike(acts.BackOut, "award", "reason"),
    EntryKind.RECONFIGURE: _alike(acts.Reconfigure, setup="new"),
    EntryKind.RETIRE: _alike(acts.Retire, "to"),
    EntryKind.RECEIVE: _alike(acts.Receive, "source", "entry", "levels"),
}


# What a second person agrees to: what the act says, by the names that it has in the entry. The entry of a link that is
# received is the other book's, and is there once.


def statement_of(act: OfTwo, link: str) -> Statement:
    values = {fact: getattr(act, name) for name, fact in _ACTS[act.kind][1] if name != "entry"}
    says = {fact: value.as_json() if isinstance(value, LinkSetup) else plain(value) for fact, value in values.items()}
    if isinstance(act, acts.Adjust) and act.reseed:
        says["reseed"] = True
    if isinstance(act, acts.Retire) and act.destination:
        says["destination"] = act.destination.value
    for name in {"text", "reason"} & says.keys():  # as the entry has what people write
        says[name] = str(says[name]).strip()
    return Statement(f"link:{link}", act.kind.value, act.id, act.by.as_list(), act.second.as_list(), says)


def agreement_of(row: Entry | Row, link: str) -> tuple[Statement, Agreement | None]:
    """What the second person of an entry agreed to, and by what; refused where it has no such form."""
    facts = row.facts
    says = {fact: facts[fact] for name, fact in _ACTS[row.kind][1] if name != "entry"}
    says |= {name: facts[name] for name in ("reseed", "destination") if name in facts}
    statement = Statement(f"link:{link}", row.kind, row.command, facts["by"], facts["second"], says)
    return statement, read_record(Agreement, facts["agreed"]) if "agreed" in facts else None


# An act that comes under a known id: the one that was sent first, or another one


def same_link_act(act: LinkAct, entry: Entry) -> bool:
    if isinstance(act, Confirm):  # the amount that was seen, where one was sent, was the right one
        act = replace(act, cents=None if act.cents == entry.facts.get("cents") else act.cents)
    return dict(_plainly(act.as_json())) == dict(_plainly(act_of(entry.kind, entry.command, entry.facts).as_json()))


def _plainly(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What was asked, however it was spaced and ordered. An override is on record only where the cards disagreed."""
    for name, value in values.items():
        if name.startswith("override") or name in ("where", "law", "form", "agreed"):
            continue
        if name in ("lit", "based"):
            yield name, sorted(value)
        elif name == "line":
            yield name, "".join(character for character in value.casefold() if character.isalnum())
        elif isinstance(value, str):
            yield name, "".join(value.split()).casefold()
        else:
            yield name, value
