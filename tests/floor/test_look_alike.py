"""No name may be taken for another: who did it stands in the books by name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.compliance.authority import Role
from croupier.errors import Refusal
from croupier.floor.link import acts
from croupier.floor.people import DeviceKind, look_alike
from croupier.floor.refusals import No
from croupier.floor.site import acts as site_acts
from support.room import LINK, MANAGER, ONE_METER, OTHER_MANAGER, Room


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with Room(f"sqlite:///{tmp_path}/floor.db") as made:
        made.found()
        yield made


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("sue", "SUE"),
        ("max", "mаx"),
        ("eve", "еvе"),
        ("ann", "ａnn"),
        ("bob", "Вob"),
        ("ann", "ann\u034f"),
        ("ann", "a\u200bnn"),
        ("lil", "Iil"),
        ("MAIN", "main"),
        ("lil", "1il"),
        ("LISA", "lIsa"),
        ("Ian", "lan"),
        ("ian", "іаn"),
        ("bob", "b0b"),
        ("tom", "torn"),
        ("wes", "vves"),
        ("ann", "anո"),
        ("sue", "ꜱue"),
        ("gus", "ɡus"),
        ("ann lee", "ann  lee"),
        ("ann", "ann\u00a0"),
        ("ann-b", "ann–b"),
    ],
)
def test_names_that_look_alike(one: str, other: str) -> None:
    assert one != other
    assert look_alike(one, other)
    assert look_alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("sue", "sve"),
        ("Ilse", "Lise"),
        ("Ian", "Lan"),
        ("ian", "lan"),
        ("ann", "anna"),
        ("józef", "jozef"),
        ("иван", "петр"),
        ("table 1", "table 2"),
    ],
)
def test_names_that_do_not(one: str, other: str) -> None:
    assert not look_alike(one, other)
    assert not look_alike(other, one)


@pytest.mark.parametrize(
    ("person", "name", "other"), [("mаx", "Somebody", "max"), ("MAX", "Somebody", "max"), ("new", "Mах", "Max")]
)
def test_a_person_who_would_be_taken_for_another_is_not_enrolled(
    room: Room, person: str, name: str, other: str
) -> None:
    with pytest.raises(Refusal, match=f"looks like '{other}'") as error:
        room.site(site_acts.EnrolPerson, person=person, name=name, role=Role.DEALER)
    assert error.value.code == No.LOOKS_LIKE


def test_two_people_of_one_name_are_told_apart_by_their_ids(room: Room) -> None:
    room.site(site_acts.EnrolPerson, person="max-2", name="Max", role=Role.DEALER)


def test_devices_and_links_too(room: Room) -> None:
    room.make()
    device = {"device_kind": DeviceKind.DISPLAY, "name": "Lobby", "link": ""}
    room.site(site_acts.EnrolDevice, device="lobby", **device, token="ab" * 32)
    with pytest.raises(Refusal, match="looks like 'lobby'"):
        room.site(site_acts.EnrolDevice, device="lоbby", **device, token="cd" * 32)
    made = acts.MakeLink(id="again", by=MANAGER, second=OTHER_MANAGER, link=LINK.upper(), setup=ONE_METER)
    with pytest.raises(Refusal, match=f"looks like '{LINK}'"):
        room.floor.do(made, LINK.upper())
    assert list(room.floor.links) == [LINK]
