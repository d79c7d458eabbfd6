"""Moments: what happened on the floor, short, for whoever shows it; and how far somebody has heard, as an event's id.

Wagers are no moments: a listener sees them in the state, and only the newest meter is true. An award is one, and who
was away when it was entered hears of it when they come back.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote, unquote

import msgspec

from croupier.progressive.floor import LINK
from croupier.progressive.ledger import Entry
from croupier.progressive.site import STREAM as SITE
from croupier.progressive.store import Row, Store

TOLD = frozenset(
    {"enter", "pay", "unpay", "take-back", "void", "call", "confirm", "adjust"}
    | {"make", "open", "close", "reconfigure", "retire", "receive"}
)
"""Kinds of a link's entries that are moments."""
SITE_TOLD = {
    **{"create-site": "site", "choose-profile": "site", "set-clock": "site"},
    **{"set-table": "tables", "remove-table": "tables"},
    **{"enrol-person": "people", "change-role": "people", "replace-card": "people", "revoke-card": "people"},
    **{"enrol-device": "devices", "revoke-device": "devices"},
    **{"declare-bank": "bank", "deposit": "bank", "close-day": "day"},
}
"""Kinds of the site's entries, and what a listener should look at again."""
FACTS = ("table", "seat", "line", "level", "cents", "award", "round", "seats", "alarm", "shown_cents")
MOST_MOMENTS = 100
"""In one event; older ones are left out, and the event says so."""
LOOK_BACK = 2_000
"""Entries of one book that are looked through for somebody who comes back."""
LONGEST_ID = 4_000


def is_told(stream: str, kind: str) -> bool:
    return kind in TOLD if stream.startswith(LINK) else kind in SITE_TOLD


def moment(stream: str, entry: Entry) -> dict[str, Any]:
    """What happened, without names of people: displays show it to everybody."""
    when = {"number": entry.number, "at": entry.at}
    if not stream.startswith(LINK):
        return {"link": None, **when, "kind": "site", "changed": SITE_TOLD[entry.kind]}
    facts = {name: entry.facts[name] for name in FACTS if name in entry.facts}
    return {"link": stream.removeprefix(LINK), **when, "kind": entry.kind, **facts}


def moments(stream: str, entries: Iterable[Entry]) -> list[bytes]:
    """As JSON, made once for all who hear it."""
    return [msgspec.json.encode(moment(stream, entry)) for entry in entries if is_told(stream, entry.kind)]


def missed(store: Store, stream: str, after: int, last: int) -> tuple[list[bytes], bool]:
    """The moments after one entry and up to another, from the store; and whether some lie too far back."""
    begin = max(after, last - LOOK_BACK)
    rows: Iterable[Row] = store.rows(stream, after=begin, limit=last - begin)
    found = deque((row for row in rows if is_told(stream, row.kind)), maxlen=MOST_MOMENTS + 1)
    cut = begin > after or len(found) > MOST_MOMENTS
    return moments(stream, (row.entry() for row in list(found)[-MOST_MOMENTS:])), cut


# How far somebody has heard

_PART = re.compile(r"([^=,\s]{1,400})=(\d{1,15})", re.ASCII)


def id_of(numbers: Mapping[str, int]) -> str:
    """By book, as `main=17,site=9`; the site's has no colon, so no link is called like it."""
    return ",".join(f"{_name(stream)}={number}" for stream, number in numbers.items())


def numbers_of(text: str) -> dict[str, int]:
    """What an id says; anything else, and one that is too long, says nothing."""
    found = {}
    for part in text.split(",") if len(text) <= LONGEST_ID else ():
        match = _PART.fullmatch(part.strip())
        if match:
            found[_stream(match[1])] = int(match[2])
    return found


def _name(stream: str) -> str:
    if stream == SITE:
        return SITE
    name = quote(stream.removeprefix(LINK), safe="")
    return f":{name}" if name == SITE else name


def _stream(name: str) -> str:
    if name == SITE:
        return SITE
    return LINK + unquote(name.removeprefix(":"))
