"""How the devices of the floor are: when each was last heard, and what it says of itself.

A bridge sends a heartbeat with what is plugged into it; the pages of a keypad and of a display send an empty one. What
is kept of it is no book: it stands beside the books, for all servers of the site, the last beat of each device.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Annotated

import msgspec
from fastapi import APIRouter, FastAPI, Path, Request, Response
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr
from sqlalchemy import Column, DateTime, LargeBinary, MetaData, String, Table, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from croupier.compliance.authority import Power
from croupier.floor.link.setup import MOST_TABLES
from croupier.floor.people import Device, DeviceKind
from croupier.games.blackjack.game import SEATS
from croupier.web.errors import ApiError
from croupier.web.floor import answers
from croupier.web.floor.answers import answer
from croupier.web.identity.callers import Reader, SignedInCaller, TheDevice, TheRuntime, check_sees_table
from croupier.web.identity.store import MadeLater, utc

SUFFIX = ".health"
BEAT_EVERY_S = 15
"""How often a device is to be heard."""
OFF_AFTER_S = 50
"""After as long without a beat it is offline: three were missed."""
MOST_PARTS = 20
SENSORS = "sensors"
"""The part of a bridge that lights seats."""
_META = MetaData()
_HEARD = Table(
    "device_health",
    _META,
    Column("device", String(64), primary_key=True),
    Column("since", DateTime, nullable=False),
    Column("seen", DateTime, nullable=False),
    Column("told", LargeBinary, nullable=False),
)
"""`since` is when the device was first heard without a pause until `seen`."""


class Part(BaseModel):
    """Something that is plugged into a bridge."""

    model_config = ConfigDict(extra="forbid")
    name: Annotated[StrictStr, Field(min_length=1, max_length=64, examples=["sensors"])]
    up: StrictBool
    since: Annotated[StrictStr, Field(max_length=40, examples=["2026-11-17T20:31:05Z"])]


class Beat(BaseModel):
    """What a device says of itself with a heartbeat."""

    model_config = ConfigDict(extra="forbid")
    waiting: Annotated[
        StrictInt, Field(ge=0, le=1_000_000, description="Acts that it keeps and no server has answered.")
    ] = 0
    parts: Annotated[list[Part], Field(max_length=MOST_PARTS)] = []
    lit: Annotated[
        list[Annotated[StrictInt, Field(ge=1, le=SEATS)]],
        Field(max_length=SEATS, description="Of a bridge: seats whose sensors are lit."),
    ] = []


@dataclass(frozen=True)
class Health:
    """How a device was when it was last heard."""

    since: datetime
    seen: datetime
    waiting: int = 0
    parts: list[answers.PartForm] = field(default_factory=list)
    lit: list[int] = field(default_factory=list)

    def is_up(self, now: datetime) -> bool:
        return now - self.seen <= timedelta(seconds=OFF_AFTER_S)

    def as_json(self, now: datetime) -> answers.HealthForm:
        """`since` is of the state that it is in: heard since, or not heard since."""
        up = self.is_up(now)
        since = (self.since if up else self.seen).isoformat(timespec="seconds") + "Z"
        parts: list[answers.PartForm] = [{**part, "up": part["up"] and up} for part in self.parts]
        return {"up": up, "since": since, "waiting": self.waiting, "parts": parts, "lit": self.lit if up else []}

    def sensors_up(self, now: datetime) -> bool:
        """Whether seats are lit by what is seen now."""
        return self.is_up(now) and any(part["up"] for part in self.parts if part["name"] == SENSORS)


class HealthStore(MadeLater):
    """Made when the first device is heard, on SQLite or PostgreSQL."""

    def __init__(self, url: str, clock: Callable[[], datetime] = utc) -> None:
        super().__init__(url, SUFFIX, _META)
        self.clock = clock

    def beat(self, device: Device, beat: Beat) -> None:
        """It was heard just now. What cannot be kept is no reason to refuse a heartbeat: the next one comes soon."""
        now, told = self.clock(), msgspec.json.encode(beat.model_dump())
        try:
            with self._engine.begin() as db:
                last = db.execute(select(_HEARD).where(_HEARD.c.device == device.id)).first()
                if last is None:
                    db.execute(insert(_HEARD).values(device=device.id, since=now, seen=now, told=told))
                    return
                since = last.since if Health(last.since, last.seen).is_up(now) else now
                heard = update(_HEARD).where(_HEARD.c.device == device.id)
                db.execute(heard.values(since=since, seen=now, told=told))
        except IntegrityError:  # another server heard its first one too
            return
        except SQLAlchemyError as error:
            raise ApiError(
                503, "not-kept", f"The heartbeat is not kept: {type(error).__name__}. Send the next."
            ) from None

    def all(self) -> dict[str, Health]:
        """Of every device that was ever heard."""
        try:
            with self._engine.connect() as db:
                rows = db.execute(select(_HEARD)).all()
        except SQLAlchemyError:  # nothing is known of any: pages say so
            return {}
        return {row.device: Health(row.since, row.seen, **msgspec.json.decode(row.told)) for row in rows}


# Routes


TableNumber = Annotated[int, Path(ge=1, le=MOST_TABLES)]


@asynccontextmanager
async def health_life(app: FastAPI) -> AsyncIterator[None]:
    app.state.health = store = HealthStore(app.state.runtime.settings.db)
    try:
        yield
    finally:
        await asyncio.to_thread(store.close)


router = APIRouter(prefix="/api", tags=["devices"], lifespan=health_life)


@router.post(
    "/device/beat", summary="A device's heartbeat, with what it says of itself", response_model=answers.BeatDone
)
def beat(form: Beat, device: TheDevice, request: Request) -> Response:
    """Sent every quarter of a minute; a device that is not heard for longer is offline in the console."""
    health: HealthStore = request.app.state.health
    health.beat(device, form)
    return answer({"device": device.id, "kind": str(device.kind), "table": device.table, "every_s": BEAT_EVERY_S})


@router.get("/devices", summary="Every device in use, and whether it is online", response_model=answers.DevicesForm)
def devices(request: Request, caller: SignedInCaller, runtime: TheRuntime) -> Response:
    caller.may(Power.READ_LEDGER)
    store: HealthStore = request.app.state.health
    heard, now = store.all(), store.clock()
    shown: list[answers.DeviceHealth] = [
        {
            "device": device.id,
            "kind": str(device.kind),
            "name": device.name,
            "table": device.table,
            "link": device.link,
            "health": heard[device.id].as_json(now) if device.id in heard else None,
        }
        for device in runtime.house.site.devices
        if device.active
    ]
    return answer({"devices": shown})


@router.get(
    "/tables/{table}/sensors",
    tags=["tables"],
    summary="Which seats the bridge of a table sees lit",
    response_model=answers.SensorsForm,
)
def sensors(table: TableNumber, request: Request, caller: Reader, runtime: TheRuntime) -> Response:
    """For the table's tablet, which shows them beside what is touched there."""
    check_sees_table(caller, runtime.house, table)
    store: HealthStore = request.app.state.health
    bridge = runtime.house.site.devices.at_table(DeviceKind.BRIDGE, table)
    heard = store.all().get(bridge.id) if bridge else None
    up = heard is not None and heard.sensors_up(store.clock())
    return answer({"bridge": bridge is not None, "up": up, "lit": heard.lit if heard and up else []})
