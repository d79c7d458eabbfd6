"""A book done again: every entry is turned back into its act, decided anew by the rules, and must come out the same.

A chain of hashes shows that nothing was changed after it was sealed. This shows more: that every contribution, every
amount and every refusal was right when it was entered. Whoever seals a whole book anew with one award altered is found
at that award.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from croupier.errors import RecordError
from croupier.floor.forms import read_record
from croupier.floor.link import acts
from croupier.floor.link.acts import Act
from croupier.floor.link.decision import Decision
from croupier.floor.link.link import Link
from croupier.ledger.entry import Entry, canonical
from croupier.ledger.rows import STRANGE, Row, printable


class Notes(Protocol):
    """Whoever can say what the house noted of an act."""

    def notes(self, link: Link, act: Act, decision: Decision, told: Entry | Row) -> Mapping[str, Any] | None: ...


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
    """The entry that the act of a told one comes to, here and now; refused where it comes to none.

    Without a house its notes are taken as they are told: they follow from other books.
    """
    try:
        act = act_of(told.kind, told.command, told.facts)
        decision = link.decide(act)
        notes = house.notes(link, act, decision, told) if house else told.facts.get("notes")
        return link.entry(act, told.at, decision, notes)
    except RecordError:
        raise
    except STRANGE as error:
        why = printable(f"({told.kind}) was not allowed: {error}")
        raise RecordError(f"Entry {told.number} of the book {why}") from None


def act_of(kind: str, command: str, facts: Mapping[str, Any]) -> Act:
    """The act that led to an entry."""
    act, names = _ACTS[kind]
    values = {"id": command, "by": facts["by"], "where": facts.get("where", "")}
    for name, fact in names:
        values[name] = facts[fact]
    for name in MAY_MISS:
        if name in facts:
            values[name] = facts[name]
    if "override" in facts:
        values |= {"override_by": facts["override"]["by"], "override_reason": facts["override"]["reason"]}
    return read_record(act, values)


MAY_MISS = ("second", "cards")


def _alike(act: type[Act], *names: str, **other: str) -> tuple[type[Act], tuple[tuple[str, str], ...]]:
    """An act, and its fields with the facts of the entry that they are in: of the same name, but for the others."""
    return act, (*((name, name) for name in names), *other.items())


_ACTS: Mapping[str, tuple[type[Act], tuple[tuple[str, str], ...]]] = {
    "start": _alike(acts.StartGame, "table", "based", lit="seats"),
    "end": _alike(acts.EndGame, "table"),
    "enter": _alike(acts.EnterHand, "table", "seat", "line"),
    "pay": _alike(acts.EnterHand, "table", "seat", "line"),
    "take-back": _alike(acts.TakeBackHand, "table", "seat"),
    "unpay": _alike(acts.TakeBackHand, "table", "seat"),
    "call": _alike(acts.CallSupervisor, "table"),
    "confirm": _alike(acts.Confirm, "award"),
    "void": _alike(acts.VoidAward, "award", "reason"),
    "make": _alike(acts.MakeLink, "link", "setup"),
    "open": _alike(acts.OpenLink, "approved"),
    "close": _alike(acts.CloseLink, "reason"),
    "adjust": _alike(acts.Adjust, "level", "reason", "cents", "text", "award", source="from", target="to"),
    "reconfigure": _alike(acts.Reconfigure, setup="new"),
    "retire": _alike(acts.Retire, "to"),
    "receive": _alike(acts.Receive, "source", "entry", "levels"),
}
