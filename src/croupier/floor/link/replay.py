"""A book done again: every entry is turned back into its act, decided anew by the rules, and must come out the same.

A chain of hashes shows that nothing was changed after it was sealed. This shows more: that every contribution, every
amount and every refusal was right when it was entered. Whoever seals a whole book anew with one award altered is found
at that award.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from croupier.errors import RecordError
from croupier.floor.link.acts import Act, read_act
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
    values = {"id": command, "by": facts["by"], "where": facts.get("where", ""), **_ACTS[kind](facts)}
    if "second" in facts:
        values["second"] = facts["second"]
    return read_act(values)


def _entered(facts: Mapping[str, Any]) -> dict[str, Any]:
    act = {"kind": "enter", **_some(facts, "table", "seat", "line"), "cards": facts.get("cards", "")}
    if "override" in facts:
        act |= {"override_by": facts["override"]["by"], "override_reason": facts["override"]["reason"]}
    return act


def _some(facts: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: facts[name] for name in names}


def _alike(kind: str, *names: str) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    return lambda facts: {"kind": kind, **_some(facts, *names)}


_ACTS: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "start": lambda facts: {"kind": "start", **_some(facts, "table", "based"), "lit": facts["seats"]},
    "end": _alike("end", "table"),
    "enter": _entered,
    "pay": _entered,
    "take-back": _alike("take-back", "table", "seat"),
    "unpay": _alike("take-back", "table", "seat"),
    "call": _alike("call", "table"),
    "confirm": _alike("confirm", "award"),
    "void": _alike("void", "award", "reason"),
    "make": _alike("make", "link", "setup"),
    "open": _alike("open", "approved"),
    "close": _alike("close", "reason"),
    "adjust": lambda facts: {
        **{"kind": "adjust", "source": facts["from"], "target": facts["to"]},
        **_some(facts, "level", "reason", "cents", "text", "award"),
    },
    "reconfigure": lambda facts: {"kind": "reconfigure", "setup": facts["new"]},
    "retire": _alike("retire", "to"),
    "receive": _alike("receive", "source", "entry", "levels"),
}
