"""Whether an act that comes under a known id is the one that was sent first, or another one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from croupier.floor.link.acts import Act, Confirm
from croupier.floor.link.replay import act_of
from croupier.floor.site.acts import SiteAct
from croupier.ledger.entry import Entry

FILLED_IN = frozenset({"paid", "contributed", "where", "book", "links", "checkpoints"})
"""What the floor and the server themselves put in an act of the site."""


def same_link_act(act: Act, entry: Entry) -> bool:
    if isinstance(act, Confirm):  # the amount that was seen, where one was sent, was the right one
        act = replace(act, cents=None if act.cents == entry.facts.get("cents") else act.cents)
    return dict(_plainly(act.as_json())) == dict(_plainly(act_of(entry.kind, entry.command, entry.facts).as_json()))


def _plainly(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What was asked, however it was spaced and ordered. An override is on record only where the cards disagreed."""
    for name, value in values.items():
        if name.startswith("override") or name == "where":
            continue
        if name in ("lit", "based"):
            yield name, sorted(value)
        elif name == "line":
            yield name, "".join(character for character in value.casefold() if character.isalnum())
        elif isinstance(value, str):
            yield name, "".join(value.split()).casefold()
        else:
            yield name, value


def same_site_act(act: SiteAct, entry: Entry) -> bool:
    """What the floor itself has filled in from the links may have changed since."""
    given = act.facts()
    return act.kind == entry.kind and all(
        value == entry.facts.get(name) for name, value in given.items() if name not in FILLED_IN
    )
