"""What is done with a whole link: made, opened after a self-check, closed, reconfigured, retired into another.

A retired link's value goes from its meters, reserves and overflows to the house's account, with the other link named;
the other link takes it from the house's account on the strength of that very entry. So the two books balance each by
itself, and the house's account over both is where it was: the house has only carried the money across. A prize that
goes to a promotion, a free tournament or a nonprofit organization is named so, and is owed until the site's book says
that it was given (`site/custody.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.compliance.authority import Role
from croupier.errors import NotationError, RecordError
from croupier.floor.act import Decision, EntryKind, reason_given
from croupier.floor.facts import (
    CloseFacts,
    ConfiguredFacts,
    MakeFacts,
    OpenFacts,
    ReceiveFacts,
    ReconfigureFacts,
    RetireFacts,
    facts_of,
)
from croupier.floor.forms import plain
from croupier.floor.link.acts import CloseLink, MakeLink, OpenLink, Receive, Reconfigure, Retire
from croupier.floor.link.meters import HOUSE, Moves, cap
from croupier.floor.link.setup import LinkSetup, join_proof, why_not_join
from croupier.floor.link.state import LinkState, Status
from croupier.floor.refusals import No, refusal
from croupier.games.money import dollars
from croupier.ledger.book import prove
from croupier.ledger.entry import UNITS_PER_CENT, Account, Entry, Purpose

CARRIED = (Purpose.METER, Purpose.RESERVE, Purpose.OVERFLOW)
"""What is moved to another link."""
LONGEST_LINK = 64
FOR_COVER = "cover "
"""How the id of the program's own act begins, where it closes a link for which the bank is short."""


# Making and configuring


def make(state: LinkState, act: MakeLink) -> Decision:
    """Every table is proved to belong, and the house seeds every meter."""
    if state.made is not None:
        raise refusal(No.ALREADY_MADE, link=state.name)
    if act.link != state.name:
        raise refusal(No.NOT_MADE, link=act.link)
    _name(act.link)
    _check_tables(act.setup)
    moves = Moves(state.book.balances)
    for level in act.setup.levels:
        moves.move(HOUSE, Account(Purpose.METER, level.level), level.seed_cents * UNITS_PER_CENT)
    facts = {"link": act.link, "setup": act.setup.as_json(), **_signed(act.setup)}
    return Decision(EntryKind.MAKE, facts, moves.transfers)


def made(state: LinkState, entry: Entry) -> None:
    facts = facts_of(MakeFacts, entry)
    _configured(state, facts, facts["setup"])


def reconfigure(state: LinkState, act: Reconfigure) -> Decision:
    """Only while nothing is open; the money on the meters stays where it is."""
    state.quiet()
    old, new = state.setup, act.setup
    if old == new and (state.game_digest, state.configuration) == (new.game_digest, new.digest):
        raise refusal(No.NOTHING_CHANGED)
    if old.wager != new.wager:
        raise refusal(No.OTHER_PROGRESSIVE, old=old.rules.title, new=new.rules.title)
    if set(old.level) != set(new.level):
        names = {"old": _titles(old), "new": _titles(new)}
        raise refusal(No.OTHER_LEVELS, **names)
    for level in new.levels:
        shown = state.shown_cents(level.level)
        if level.maximum_cents is not None and level.maximum_cents < shown:
            maximum = dollars(level.maximum_cents)
            raise refusal(No.MAXIMUM_BELOW_METER, maximum=maximum, level=level.title, shown=dollars(shown))
    _check_tables(new)
    before, after = old.as_json(), new.as_json()
    changed = [name for name in plain(new) if before.get(name) != after.get(name)]
    return Decision(EntryKind.RECONFIGURE, {"old": before, "new": after, "changed": changed, **_signed(new)})


def reconfigured(state: LinkState, entry: Entry) -> None:
    facts = facts_of(ReconfigureFacts, entry)
    _configured(state, facts, facts["new"])
    for cycle in state.tables.values():  # a game that ended under another configuration stays as it ended
        cycle.last = None


def _configured(state: LinkState, facts: ConfiguredFacts, setup: Mapping[str, Any]) -> None:
    state.made, state.approved = LinkSetup.of_json(setup), ""
    state.game_digest, state.configuration = facts["game_digest"], facts["configuration"]


def _check_tables(setup: LinkSetup) -> None:
    for table in setup.tables:
        reason = why_not_join(table, setup)
        if reason:
            raise reason


def _signed(setup: LinkSetup) -> dict[str, Any]:
    """What two people have put their names to."""
    proof = {str(table.number): [line.as_json() for line in join_proof(table, setup)] for table in setup.tables}
    return {"configuration": setup.digest, "game_digest": setup.game_digest, "proof": proof}


def _titles(setup: LinkSetup) -> str:
    return ", ".join(level.title for level in setup.levels)


# Opening and closing


def open_(state: LinkState, act: OpenLink) -> Decision:
    """The self-check: rules and configuration are those that two people signed, and the book balances."""
    if state.status is Status.OPEN:
        raise refusal(No.ALREADY_OPEN, link=state.name)
    setup = state.setup
    if setup.game_digest != state.game_digest:
        raise refusal(No.RULES_CHANGED, now=setup.game_digest, then=state.game_digest)
    if setup.digest != state.configuration:
        raise refusal(No.NOT_APPROVED, now=setup.digest, approved=state.configuration)
    if act.approved not in ("", setup.digest):
        raise refusal(No.NOT_APPROVED, now=setup.digest, approved=act.approved)
    _check_balance(state)
    _check_tables(setup)
    meters = {level: state.shown_cents(level) for level in setup.level}
    return Decision(
        EntryKind.OPEN,
        {
            **{"game_digest": state.game_digest, "configuration": setup.digest, "approved": act.approved},
            "shown_cents": meters,
        },
    )


def _check_balance(state: LinkState) -> None:
    """All accounts together are nothing, every meter is explained, and what is pending is the open awards."""
    differences, inside = {"the sum of all accounts": sum(state.book.balances.values())}, state.inside()
    for level in state.setup.levels:
        pending = inside.units(Account(Purpose.PENDING, level.level))
        proof = prove(state.sums, level.level, meter=state.units(Purpose.METER, level.level), pending=pending)
        open_awards = sum(award.held_on(level.level) for award in state.awards.values())
        differences |= {
            f"the meter of {level.title}": proof.difference,
            f"pending of {level.title}": pending - open_awards,
        }
    for what, units in differences.items():
        if units:
            raise refusal(No.UNBALANCED, what=what, units=units)


def opened(state: LinkState, entry: Entry) -> None:
    state.status, state.stopped, state.short_of_cover, state.closed_at = Status.OPEN, "", False, ""
    state.approved = facts_of(OpenFacts, entry)["approved"] or state.approved


def close(state: LinkState, act: CloseLink) -> Decision:
    """At any moment, also during games: a link that must stop, stops at once, and what was wagered is played out."""
    if state.status is not Status.OPEN:
        raise refusal(No.ALREADY_CLOSED, link=state.name)
    playing = [number for number, cycle in state.tables.items() if cycle.on]
    return Decision(EntryKind.CLOSE, {"reason": reason_given(act.reason) if act.reason else "", "games_on": playing})


def closed(state: LinkState, entry: Entry) -> None:
    facts = facts_of(CloseFacts, entry)
    state.status, state.stopped, state.closed_at = Status.CLOSED, facts["reason"], entry.at
    state.short_of_cover = facts["by"][1] == Role.FLOOR and entry.command.startswith(FOR_COVER)


# Retiring


def retire(state: LinkState, act: Retire) -> Decision:
    """All that players have put in goes on in another link, or waits in the house's account to be given away."""
    setup = state.setup
    state.quiet()
    for number, slip in state.slips.items():
        if not slip.paid and state.as_confirmed(slip.award):
            raise refusal(No.SLIP_UNPAID, slip=number, award=slip.award)
    if act.to and _name(act.to) == state.name:
        raise refusal(No.SAME_LINK, link=state.name)
    moves = Moves(state.book.balances)
    for level in setup.level:
        for purpose in CARRIED:
            moves.move(Account(purpose, level), HOUSE, state.units(purpose, level))
    elsewhere = {"destination": act.destination.value} if act.destination else {}
    return Decision(EntryKind.RETIRE, {"link": state.name, "to": act.to, **elsewhere}, moves.transfers)


def retired(state: LinkState, entry: Entry) -> None:
    facts = facts_of(RetireFacts, entry)
    state.status, state.moved_to, state.destination = Status.RETIRED, facts["to"], facts.get("destination", "")
    state.carried = sum(transfer.units for transfer in entry.transfers)


def receive(state: LinkState, act: Receive) -> Decision:
    """Checked against the other book's own entry, and taken once; never under the eyes of players of a game."""
    setup, entry = state.setup, _retirement(state, act)
    state.quiet()
    if entry.digest in state.received:
        raise refusal(No.ALREADY_RECEIVED, link=act.source)
    units = _carried(state, entry)
    if not set(units) <= set(act.levels):
        raise refusal(No.NOT_FOR_THIS_LINK, link=state.name, why="each of its levels needs one here")
    moves = Moves(state.book.balances)
    for theirs, carried in units.items():
        ours = state.level(act.levels[theirs])
        for purpose in CARRIED:
            moves.move(HOUSE, Account(purpose, ours.level), carried[purpose])
        cap(moves, setup.level[ours.level])
    facts = {"source": act.source, "entry": entry.as_json(), "levels": dict(act.levels)}
    return Decision(EntryKind.RECEIVE, facts, moves.transfers)


def received(state: LinkState, entry: Entry) -> None:
    state.received.add(facts_of(ReceiveFacts, entry)["entry"]["digest"])


def _retirement(state: LinkState, act: Receive) -> Entry:
    """The entry, if it is whole and moves the value of that link to this one."""
    try:
        entry = Entry.of_json(act.entry)
        whole = entry.sealed().digest == entry.digest
        for transfer in entry.transfers:
            transfer.check()
    except (RecordError, NotationError):
        raise refusal(No.NOT_FOR_THIS_LINK, link=state.name, why="it cannot be read") from None
    if not whole:
        raise refusal(No.NOT_FOR_THIS_LINK, link=state.name, why="it was altered")
    facts = entry.facts
    if entry.kind != EntryKind.RETIRE or (facts.get("link"), facts.get("to")) != (act.source, state.name):
        raise refusal(No.NOT_FOR_THIS_LINK, link=state.name, why=f"it does not retire {act.source} to it")
    return entry


def _carried(state: LinkState, entry: Entry) -> Mapping[str, Mapping[str, int]]:
    """By level and account, what the other link gave up: no more than its entry says that it moved."""
    units: dict[str, dict[str, int]] = {}
    for source, target, moved in entry.transfers:
        if source.purpose not in CARRIED or target != HOUSE:
            raise refusal(No.NOT_FOR_THIS_LINK, link=state.name, why=f"it moves money from {source} to {target}")
        carried = units.setdefault(source.level, dict.fromkeys(CARRIED, 0))
        carried[source.purpose] += moved
    return units


def _name(link: str) -> str:
    if not (link.strip() and link.isprintable() and len(link) <= LONGEST_LINK):
        raise refusal(No.WRONG_FORM, why=f"a link is named by 1 to {LONGEST_LINK} printable characters")
    return link
