"""Which device is off line, and since when: by its heartbeat, over restarts of the server; and bridges."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from croupier.web.floor.devices import OFF_AFTER_S
from croupier.web.identity.store import utc
from tests.web.support import LINK, MadeSite, Room, done, error_of, running

BEAT = "/api/device/beat"
PARTS = [
    {"name": "sensors", "up": True, "since": "2026-11-17T20:00:00Z"},
    {"name": "reader", "up": False, "since": "2026-11-17T20:31:05Z"},
]


def health(room: Room, device: str) -> Any:
    listed = done(room.get("/api/devices"))["devices"]
    return next(each["health"] for each in listed if each["device"] == device)


def later(room: Room, seconds: float) -> None:
    moment = room.app.state.health.clock() + timedelta(seconds=seconds)
    room.app.state.health.clock = lambda: moment


def enrol_bridge(room: Room, table: int = 1) -> str:
    told: dict[str, Any] = {"device": f"bridge-{table}", "kind": "bridge", "name": f"Bridge {table}", "table": table}
    token: str = done(room.act_of_two("/api/site/enrol-device", **told))["token"]
    room.site.tokens[f"bridge-{table}"] = token
    return token


def test_a_device_is_on_line_while_it_is_heard_and_off_line_since_it_was_last(room: Room) -> None:
    assert health(room, "keypad-1") is None
    began = utc().replace(microsecond=0)
    later(room, 0)
    heard = done(room.post(BEAT, "keypad-1"))
    assert heard == {"device": "keypad-1", "kind": "keypad", "table": 1, "every_s": 15}
    later(room, OFF_AFTER_S - 1)
    done(room.post(BEAT, "keypad-1"))
    first = health(room, "keypad-1")
    assert (first["up"], first["waiting"], first["parts"]) == (True, 0, [])
    assert began.isoformat() + "Z" <= first["since"] <= utc().isoformat(timespec="seconds") + "Z"
    last = room.app.state.health.clock()
    later(room, OFF_AFTER_S + 1)
    assert health(room, "keypad-1") == {**first, "up": False, "since": last.isoformat(timespec="seconds") + "Z"}
    done(room.post(BEAT, "keypad-1"))
    again = room.app.state.health.clock()
    assert health(room, "keypad-1") == {**first, "since": again.isoformat(timespec="seconds") + "Z"}


def test_a_bridge_tells_what_is_plugged_in_and_what_waits(room: Room) -> None:
    enrol_bridge(room)
    done(room.post(BEAT, "bridge-1", waiting=3, parts=PARTS))
    assert health(room, "bridge-1")["waiting"] == 3
    assert health(room, "bridge-1")["parts"] == PARTS
    later(room, OFF_AFTER_S + 1)
    assert [part["up"] for part in health(room, "bridge-1")["parts"]] == [False, False]


def test_the_sensors_of_a_bridge_are_for_the_tablet_of_its_table(room: Room) -> None:
    where = "/api/tables/1/sensors"
    assert done(room.get(where, "keypad-1")) == {"bridge": False, "up": False, "lit": []}
    enrol_bridge(room)
    assert done(room.get(where, "keypad-1")) == {"bridge": True, "up": False, "lit": []}
    done(room.post(BEAT, "bridge-1", parts=PARTS, lit=[1, 4]))
    assert done(room.get(where, "keypad-1")) == {"bridge": True, "up": True, "lit": [1, 4]}
    assert health(room, "bridge-1")["lit"] == [1, 4]
    assert error_of(room.get(where, "")) == "nobody"
    unplugged = [{**PARTS[0], "up": False}]
    done(room.post(BEAT, "bridge-1", parts=unplugged, lit=[1, 4]))
    assert done(room.get(where, "keypad-1")) == {"bridge": True, "up": False, "lit": []}
    done(room.post(BEAT, "bridge-1", parts=PARTS, lit=[2]))
    later(room, OFF_AFTER_S + 1)
    assert done(room.get(where, "keypad-1")) == {"bridge": True, "up": False, "lit": []}
    assert health(room, "bridge-1")["lit"] == []


def test_a_server_that_starts_again_knows_since_when(site: MadeSite) -> None:
    with running(site) as room:
        done(room.post(BEAT, "display-main"))
        before = health(room, "display-main")
    with running(site) as room:
        assert health(room, "display-main") == before
        later(room, 3600)
        assert health(room, "display-main")["up"] is False


@pytest.mark.parametrize(
    "body",
    [
        {"waiting": -1},
        {"waiting": "3"},
        {"parts": PARTS * 11},
        {"parts": [{"name": ""}]},
        {"lit": [0]},
        {"lit": [1] * 8},
    ],
)
def test_a_heartbeat_of_another_form_is_refused(room: Room, body: dict[str, Any]) -> None:
    assert error_of(room.post(BEAT, "keypad-1", **body)) == "wrong-form"
    assert health(room, "keypad-1") is None


def test_only_devices_are_heard_and_a_revoked_one_is_not_listed(room: Room) -> None:
    assert error_of(room.post(BEAT, "max")) == "no-device"
    assert error_of(room.post(BEAT, "")) == "nobody"
    assert error_of(room.get("/api/devices", "keypad-1")) == "nobody"
    done(room.act("/api/site/revoke-device", device="keypad-1", reason="Broken."))
    assert error_of(room.post(BEAT, "keypad-1")) == "unknown-device"
    assert "keypad-1" not in [each["device"] for each in done(room.get("/api/devices"))["devices"]]


# Bridges


def test_a_bridge_is_enrolled_by_two_and_a_table_has_one_beside_its_keypad(room: Room) -> None:
    told: dict[str, Any] = {"device": "bridge-1", "kind": "bridge", "name": "Bridge 1", "table": 1}
    assert error_of(room.act("/api/site/enrol-device", **told)) == "second-missing"
    enrol_bridge(room)
    other: dict[str, Any] = {**told, "device": "bridge-9"}
    assert error_of(room.act_of_two("/api/site/enrol-device", **other)) == "bridge-at-table"
    assert error_of(room.act("/api/site/enrol-device", **{**other, "table": None})) == "wrong-form"
    done(room.act("/api/site/revoke-device", device="bridge-1", reason="Broken."))
    done(room.act_of_two("/api/site/enrol-device", **other))


def test_a_dealer_signs_in_at_a_bridge_and_acts_at_its_table_alone(room: Room) -> None:
    enrol_bridge(room)
    signed = done(room.post("/api/keypad/sign-in", "bridge-1", card=room.site.cards["ann"]))
    room.site.tokens["at bridge"] = signed["token"]
    entry = room.start(1, who="at bridge")["entry"]
    assert entry["facts"]["by"] == ["ann", "dealer"]
    assert entry["facts"]["where"] == "device bridge-1"
    start = f"/api/links/{LINK}/start"
    assert error_of(room.act(start, "at bridge", table=2, lit=[1], based=[1])) == "other-table"
    assert error_of(room.act(start, "bridge-1", table=1, lit=[1], based=[1])) == "nobody"


def test_a_bridge_is_no_browser(room: Room) -> None:
    token = enrol_bridge(room)
    answered = room.client.post("/pages/device", json={"token": token}, headers={"X-Croupier": "page"})
    assert error_of(answered) == "no-page"


def test_pages_of_devices_are_heard_and_pages_of_others_are_not(room: Room) -> None:
    page = {"X-Croupier": "page"}
    assert room.client.post("/pages/beat", json={"kind": "display"}, headers=page).json() == {"heard": False}
    done(room.client.post("/pages/device", json={"token": room.site.tokens["display-main"]}, headers=page))
    assert room.client.post("/pages/beat", json={"kind": "keypad"}, headers=page).json() == {"heard": False}
    assert room.client.post("/pages/beat", json={"kind": "display"}, headers=page).json() == {"heard": True}
    assert health(room, "display-main")["up"]
    assert health(room, "keypad-1") is None
