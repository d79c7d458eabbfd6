"""The first run: what a card room still needs before its first game, step by step, read from its books.

    steps(house, at)    [Step("second", done=True, ...), Step("people", done=False, needs=(), ...), ...]

Nothing is kept of it: a step is done when the room is so, however it came to be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from croupier.compliance.authority import Power, Role, roles_for
from croupier.compliance.conditions import TableTold
from croupier.floor.house import House
from croupier.floor.link.setup import LinkSetup, progressives_with
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
    asked = asks_for_papers(house, at)
    tables = house.comply(at).tables if asked else ()
    told = {
        SECOND: _second(house),
        PEOPLE: _people(house),
        TABLES: _tables(house, asked=asked),
        LINK: (bool(_made(house)), {}),
        **({PAPERS: _papers(house, tables)} if asked else {}),
        BANK: _bank(house, at),
        DEVICES: _devices(house),
        OPEN: _open(house, tables),
    }
    waits = {name: [need for need in NEEDS[name] if need in told and not told[need][0]] for name in told}
    if told[OPEN][1]["closed"]:  # a link that has its papers does not wait for those of another
        waits[OPEN] = [wait for wait in waits[OPEN] if wait != PAPERS]
    return [Step(name, done, tuple(waits[name]), facts) for name, (done, facts) in told.items()]


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


def _tables(house: House, *, asked: bool) -> Told:
    """One at least that a link can take. Where tables open by their papers, it is set from the register."""
    shown = [
        {
            **{"table": number, "title": table.title, "decks": table.decks},
            "linked": house.link_of(number) is not None,
            "joins": bool(progressives_with(table.title)) and (not asked or table.on_file is not None),
        }
        for number, table in sorted(house.site.tables.items())
    ]
    return any(table["joins"] or table["linked"] for table in shown), {"register": asked, "tables": shown}


def _papers(house: House, told: Sequence[TableTold]) -> Told:
    """What each table lacks, and the papers that would let those of the links open. A table that is on no link holds
    nothing up."""
    linked = [table for table in told if house.link_of(table.table) is not None]
    lacking = [
        {
            **{"table": table.table, "title": table.title, "linked": table in linked},
            "stops": [
                {
                    **{"condition": stop.condition, "state": str(stop.state)},
                    **{"sentence": stop.sentence, "citation": stop.citation},
                }
                for stop in table.stops
            ],
        }
        for table in told
        if table.stops
    ]
    wants = dict.fromkeys(wanted for table in linked for stop in table.stops for wanted in stop.wants)
    facts = {"tables": lacking, "wants": [wanted.as_json() for wanted in wants]}
    return bool(linked) and all(table.may_open for table in linked), facts


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
    """A keypad for each table that a link can feed, and a display where everybody sees the meters."""
    site = house.site
    fed = [
        number
        for number, table in sorted(site.tables.items())
        if house.link_of(number) is not None or progressives_with(table.title)
    ]
    tables = [number for number in fed if not site.devices.at_table(DeviceKind.KEYPAD, number)]
    shown = any(device.active and device.kind is DeviceKind.DISPLAY for device in site.devices)
    return bool(fed) and not tables and shown, {"tables": tables, "display": not shown}


def _open(house: House, told: Sequence[TableTold]) -> Told:
    """A link is open; and of tables that open by their papers, those that are on it, by whoever may open them."""
    site, closed = house.site, [name for name in sorted(_made(house)) if house.links[name].status is not Status.OPEN]
    lacking = {table.table for table in told if table.stops}
    waits = [name for name in closed if lacking & {table.number for table in _setup(house, name).tables}]
    opened = [name for name in _made(house) if house.links[name].status is Status.OPEN]
    shut = [
        number
        for number in sorted({table.number for name in opened for table in _setup(house, name).tables})
        if number in site.tables and site.tables[number].on_file and number not in site.kept.open_tables
    ]
    people = [person for person in site.people if person.active and person.role in roles_for(Power.OPEN_TABLE)]
    return bool(opened) and not shut, {
        **{"closed": [name for name in closed if name not in waits], "waits": waits, "tables": shut},
        "who": [{"name": person.name, "role": str(person.role)} for person in people],
    }


def _setup(house: House, link: str) -> LinkSetup:
    setup = house.links[link].setup
    assert setup is not None, link
    return setup
