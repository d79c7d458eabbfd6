"""A whole room made through the API alone, from the first start to the first game: the same as `support.room` makes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from croupier.compliance.profile import newest
from croupier.floor.forms import plain
from support.papers import LETTER_OF_HOSTS, commercial, host
from support.room import ONE_METER, felt
from tests.web.support import (
    BANK_CENTS,
    DISPLAYS,
    KEYPADS,
    LINK,
    PINS,
    ROLES,
    TABLES,
    MadeSite,
    Room,
    done,
    running,
)


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Room]:
    """First start, everybody enrolled, papers and three tables of the register, an open link, keypads and displays."""
    (tmp_path / "made").mkdir()
    with running(MadeSite(tmp_path / "made")) as room:
        first_start(room)
        enrol_everybody(room)
        set_up_link(room)
        enrol_devices(room)
        yield room


GIVEN = "915372"


def first_start(room: Room) -> None:
    first = room.client.post(
        "/api/first-start",
        json={
            **{"code": room.runtime.first_code, "title": "The Room", "profile": "washington"},
            **{"zone": "America/Los_Angeles", "person": "max", "name": "Max", "pin": PINS["max"]},
        },
    )
    room.site.cards["max"] = done(first)["card"]
    sign_in(room, "max")


def enrol_everybody(room: Room) -> None:
    for person, role in ROLES.items():
        if person == "max":
            continue
        values: dict[str, Any] = {"person": person, "name": person.title(), "role": role}
        if person in PINS:
            values["pin"] = GIVEN
        enrol = room.act_of_two if "mia" in room.site.cards and role != "dealer" else room.act
        room.site.cards[person] = done(enrol("/api/site/enrol-person", **values))["card"]
        if person in PINS:
            choose_pin(room, person)
        sign_in(room, person)
    done(room.act("/api/site/enrol-person", person="dan", name="Dan", role="dealer", without_card=True))


def choose_pin(room: Room, person: str) -> None:
    """In place of the one that somebody else has given, with one's own card: from then on one can agree."""
    card = room.site.cards[person]
    room.site.tokens[person] = done(room.post("/api/sign-in", "", card=card, pin=GIVEN))["token"]
    own = {"person": person, "pin": PINS[person], "old_pin": GIVEN, "card": card}
    done(room.act("/api/site/set-pin", person, **own))


def sign_in(room: Room, person: str) -> None:
    if person in PINS:
        signed_in = room.post("/api/sign-in", "", card=room.site.cards[person], pin=PINS[person])
        room.site.tokens[person] = done(signed_in)["token"]


def set_up_link(room: Room) -> None:
    done(room.act_of_two("/api/site/enter-approval", key="our-letter", lines=LETTER_OF_HOSTS.splitlines()))
    for paper in commercial(until=""):
        told = {name: value for name, value in plain(paper).items() if name not in ("id", "by", "where")}
        done(room.act("/api/site/record-paper", **told))
    for table in TABLES.values():
        values = {
            **{"number": table.number, "title": table.title, "base_game": "blackjack", "decks": table.decks},
            **{"seats": table.seats, "least_wager_cents": 500, "most_wager_cents": 30_000},
            "on_file": plain(host(felt(table)))["on_file"],
        }
        done(room.act_of_two("/api/site/set-table", table=values))
        done(room.act("/api/site/open-table", "sue", number=table.number))
    done(room.act_of_two(f"/api/links/{LINK}/make", setup=ONE_METER.as_json()))
    done(room.act("/api/site/declare-bank", balance_cents=BANK_CENTS))
    done(room.act(f"/api/links/{LINK}/open"))
    done(room.act_of_two("/api/site/set-sign-in", many_tables=True))


def enrol_devices(room: Room) -> None:
    tokens = room.site.tokens
    for number, device in zip(TABLES, KEYPADS, strict=True):
        values: dict[str, Any] = {"device": device, "kind": "keypad", "name": f"Keypad {number}", "table": number}
        tokens[device] = done(room.act_of_two("/api/site/enrol-device", **values))["token"]
        at_keypad = room.post("/api/keypad/sign-in", device, card=room.site.cards["ann"])
        tokens[f"ann {number}"] = done(at_keypad)["token"]
    for device, link in zip(DISPLAYS, (LINK, ""), strict=True):
        values = {"device": device, "kind": "display", "name": device.replace("-", " ").title(), "link": link}
        tokens[device] = done(room.act("/api/site/enrol-device", **values))["token"]
    tokens["dan"] = done(room.post("/api/keypad/sign-in", KEYPADS[0], person="dan"))["token"]


def standing(room: Room) -> dict[str, Any]:
    """What the site and its link are, but for cards, tokens, times, and the register that the newest edition wants."""
    site, link = room.runtime.floor.site, room.runtime.floor.links[LINK]
    entries = room.runtime.reading.entries("site")
    tables = {number: replace(table, on_file=None) for number, table in site.tables.items()}
    return {
        "site": (site.title, newest(site.profile), site.zone, tables, site.bank.balance_units),
        "people": {(person.id, person.name, person.role, bool(person.card)) for person in site.people},
        "devices": {(device.id, device.kind, device.name, device.table, device.link) for device in site.devices},
        "pins": [(entry.facts["person"], entry.facts["by"]) for entry in entries if entry.kind == "note-pin"],
        "link": (link.status, link.setup, link.shown_cents),
    }


def test_a_room_that_was_made_through_the_api_is_the_one_that_tests_begin_with(made: Room, room: Room) -> None:
    assert standing(made) == standing(room)
    assert made.runtime.floor.site.profile == newest("washington").name, "what a new site gets"
    for table in TABLES:
        made.start(table)
    for device in DISPLAYS:
        done(made.get(f"/api/links/{LINK}", device))
