"""The first run: what a card room still needs before its first game, step by step, read from its books.

    steps(house, at)    [Step("second", done=True, ...), Step("people", done=False, needs=(), ...), ...]

Nothing is kept of it: a step is done when the room is so, however it came to be.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from croupier.compliance.authority import Role
from croupier.floor.house import House
from croupier.floor.link.state import Status
from croupier.floor.people import DeviceKind

SECOND, PEOPLE, TABLES, PAPERS = "second", "people", "tables", "papers"
LINK, BANK, DEVICES, OPEN = "link", "bank", "devices", "open"
NEEDS: Mapping[str, tuple[str, ...]] = {
    SECOND: (),
    PEOPLE: (SECOND,),
    TABLES: (SECOND,),
    PAPERS: (SECOND, TABLES, LINK),
    LINK: (SECOND, TABLES),
    BANK: (LINK,),
    DEVICES: (SECOND, TABLES),
    OPEN: (LINK, PAPERS, BANK),
}
"""In the order in which a room is usually set up: each with what must be there before."""
AT_LEAST = (Role.SUPERVISOR, Role.EXECUTIVE, Role.DEALER)
"""Without one of each, some award could be dealt and not be paid."""


class Step(NamedTuple):
    name: str
    done: bool
    needs: tuple[str, ...]
    """Steps that have to be done first, and are not."""
    facts: dict[str, Any]
    """What its form needs to know."""


def steps(house: House, at: str) -> list[Step]:
    """Every step, as the room stands."""
    told = {
        SECOND: _second(house),
        PEOPLE: _people(house),
        TABLES: _tables(house, at),
        LINK: (bool(_made(house)), {}),
        **({PAPERS: _papers(house, at)} if asks_for_papers(house, at) else {}),
        BANK: _bank(house, at),
        DEVICES: _devices(house),
        OPEN: _open(house),
    }
    return [
        Step(name, done, tuple(each for each in NEEDS[name] if each in told and not told[each][0]), facts)
        for name, (done, facts) in told.items()
    ]


def is_over(house: House, at: str) -> bool:
    """Whether all is set up; that a link is closed for the night, or the bank short, is no first run."""
    set_up = all(step.done for step in steps(house, at) if step.name not in (PAPERS, BANK, OPEN))
    return set_up and bool(house.site.bank.declared_at)


Told = tuple[bool, dict[str, Any]]


def _second(house: House) -> Told:
    """Two managers who can agree: each with a key, which comes with a PIN of one's own."""
    people = house.site.people
    waiting = [person for person in people.managers() if person.id not in people.keys]
    agree = [person for person in people.managers() if person.id in people.keys]
    return len(agree) > 1, {"waiting": waiting[0].name if waiting else ""}


def _people(house: House) -> Told:
    there = {person.role for person in house.site.people if person.active}
    missing = [str(role) for role in AT_LEAST if role not in there]
    return not missing, {"missing": missing}


def _made(house: House) -> list[str]:
    """Links that are not retired."""
    return [name for name, brief in house.links.items() if brief.setup and brief.status is not Status.RETIRED]


def asks_for_papers(house: House, at: str) -> bool:
    """Whether the place says what the conditions of an approval do: its tables open by their papers."""
    return bool(house.site.book.entries) and bool(house.site.rules(at).conditions)


def _tables(house: House, at: str) -> Told:
    """Where tables open by their papers, they are set from the register."""
    tables, asked = house.site.tables.values(), asks_for_papers(house, at)
    return bool(tables) and (not asked or all(table.on_file for table in tables)), {"register": asked}


def _papers(house: House, at: str) -> Told:
    """What stops the tables, and the papers that would let them open."""
    told = house.comply(at).tables
    stops = [
        {
            **{"table": each.table, "condition": stop.condition, "state": str(stop.state)},
            **{"sentence": stop.sentence, "citation": stop.citation},
        }
        for each in told
        for stop in each.stops
    ]
    wants = dict.fromkeys(wanted for each in told for stop in each.stops for wanted in stop.wants)
    return bool(told) and not stops, {"stops": stops, "wants": [wanted.as_json() for wanted in wants]}


def _bank(house: House, at: str) -> Told:
    if not house.site.book.entries:
        return False, {}
    cover = house.cover(at)
    declared = bool(house.site.bank.declared_at)
    seed = max((brief.totals.next_seed_cents for brief in house.links.values()), default=0)
    facts = {
        "must_be_there_cents": cover.must_be_there_cents,
        "is_there_cents": cover.is_there_cents,
        "after_award_cents": cover.must_be_there_cents + seed,
        "seed_cents": seed,
    }
    return declared and not cover.links_must_stop, {**facts, "declared": declared, "reason": cover.reason}


def _devices(house: House) -> Told:
    """A keypad for each table, and a display where everybody sees the meters."""
    site = house.site
    tables = [number for number in sorted(site.tables) if not site.devices.at_table(DeviceKind.KEYPAD, number)]
    shown = any(each.active and each.kind is DeviceKind.DISPLAY for each in site.devices)
    return bool(site.tables) and not tables and shown, {"tables": tables, "display": not shown}


def _open(house: House) -> Told:
    """A link is open; and of tables that open by their papers, those that are on it."""
    closed = [name for name in _made(house) if house.links[name].status is not Status.OPEN]
    site = house.site
    shut = [number for number in sorted(site.tables) if site.tables[number].on_file]
    shut = [number for number in shut if number not in site.kept.open_tables and house.link_of(number)]
    is_open = any(house.links[name].status is Status.OPEN for name in _made(house))
    return is_open and not shut, {"closed": sorted(closed), "tables": shut}
