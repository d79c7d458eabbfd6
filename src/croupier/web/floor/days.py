"""Routes of gaming days: readings that people enter, the close, and how a day stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Annotated, Any

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr

from croupier.audit.balance import read_day
from croupier.audit.export import open_existing
from croupier.compliance.authority import Power
from croupier.floor.facts import ReadMeterFacts, facts_of
from croupier.floor.site.acts import CloseDay, ReadMeter
from croupier.floor.site.decide import bounds, gaming_day
from croupier.floor.site.site import Site
from croupier.ledger.clock import ONE_DAY, utc_now
from croupier.ledger.entry import SITE
from croupier.reports.close import day_close, day_figures
from croupier.web.cluster.runtime import Runtime
from croupier.web.floor.answers import EntryDone
from croupier.web.floor.history import minute_read, shown_then
from croupier.web.floor.ledger import last_utc_day, sign
from croupier.web.floor.reports import open_books, period_of
from croupier.web.floor.views import entry_json
from croupier.web.identity.callers import SignedInCaller, TheRuntime
from croupier.web.turns import report_route

router = APIRouter(prefix="/api", tags=["gaming days"])
Word = Annotated[StrictStr, Field(min_length=1, max_length=64)]
Note = Annotated[StrictStr, Field(max_length=500)]
MOST_LEFT_OPEN = 60
DayName = Annotated[str, Path(description="A gaming day, as 2026-11-15.", max_length=10)]


class Form(BaseModel):
    model_config = ConfigDict(extra="forbid")
    id: Annotated[Word, Field(description="Made by the client; sent again with the same id, an act is done once.")]


class ReadingForm(Form):
    """What somebody read off a display."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"id": "7f3a40", "link": "main", "read_cents": 1_000_230, "display": "table 1"}]
        }
    )
    link: Word
    level: Annotated[StrictStr, Field(max_length=64, description="Empty for a link with one meter.")] = ""
    read_cents: Annotated[StrictInt, Field(ge=0, le=10**12)]
    display: Annotated[Word, Field(description="Where it was read: `table 3`, `lobby`.")]
    corrects: Annotated[
        StrictInt | None, Field(ge=1, le=2**53, description="The entry of a mistyped reading that this one puts right.")
    ] = None
    note: Note = ""
    seen_at: Annotated[
        StrictStr,
        Field(
            max_length=40,
            description="The minute in which it was read, by the house's clock, as 2026-11-15T20:30: it is held "
            "against what the book said then, a minute more or less. Empty: against what it says now.",
        ),
    ] = ""


class ReadingDone(EntryDone):
    """A reading, beside what the book said at that moment."""

    read_cents: int
    book_cents: int
    difference_cents: int
    agrees: bool
    stood_at: Annotated[
        str | None, Field(description="Since when the book said so, where the minute of reading was named.")
    ] = None


class CloseForm(Form):
    """A day that is over, closed as it stands."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"id": "7f3a41"}]})
    note: Note = ""


class CloseDone(EntryDone):
    """The day as its entry keeps it."""

    day: str
    begin: Annotated[str, Field(alias="from")]
    until: str
    agrees: Annotated[bool, Field(description="Every meter was read, and every reading is what the book said.")]
    links: Annotated[dict[str, Any], Field(description="By link: its last entry in the day, and every meter in units.")]
    readings: list[dict[str, Any]]
    not_read: Annotated[list[tuple[str, str]], Field(description="Link and level of meters that nobody read.")]


@router.get("/days", summary="The gaming day that is on, and which days are closed")
def get_days(runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
    caller.may(Power.READ_LEDGER)
    site, now = runtime.house.site, utc_now()
    return {
        **{"today": str(gaming_day(site, now)), "first": site.days.first, "open": _left_open(site, now)},
        **{"zone": site.zone, "day_begins": site.day_begins},
        "closed": [{"day": day, "entry": entry} for day, entry in sorted(site.days.closed.items())],
    }


def _left_open(site: Site, now: str) -> list[dict[str, str]]:
    """Days that are over and that nobody has closed, the latest first, with when each ended; so many at most."""
    days, day = list[dict[str, str]](), gaming_day(site, now) - ONE_DAY
    while str(day) >= site.days.first and len(days) < MOST_LEFT_OPEN:
        if str(day) not in site.days.closed:
            days.append({"day": str(day), "until": bounds(site, day)[1]})
        day -= ONE_DAY
    return days


@router.get("/days/{day}", summary="A gaming day: its meters, readings, differences, and how it was closed")
@report_route
def get_day(day: DayName, runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
    caller.may(Power.READ_LEDGER)
    when, now = read_day(day), utc_now()
    with open_books(runtime) as books:
        close = day_close(books, period_of(books, day), now).as_json()
    begin, until = bounds(runtime.house.site, when)
    status = "closed" if close["closed"] else "over" if now >= until else "on" if now >= begin else "to come"
    return {"day": day, "status": status, "now": now, **close}


@router.post(
    "/days/{day}/readings",
    summary="Enter what somebody read off a display; it is never edited",
    response_model=ReadingDone,
)
@report_route
def read_meter(day: DayName, form: ReadingForm, runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
    person = caller.may(Power.READ_METERS)
    act = ReadMeter(**form.model_dump(exclude={"seen_at"}), day=day, by=person.id, where=caller.where)
    if form.seen_at:
        act = _as_of(runtime, act, form.seen_at)
    entry = runtime.leading().do_site(act)
    facts = facts_of(ReadMeterFacts, entry)
    return {
        "entry": entry_json(entry),
        **{"read_cents": facts["read_cents"], "book_cents": facts["book"]["cents"]},
        **{"difference_cents": facts["difference_cents"], "agrees": facts["difference_cents"] == 0},
        "stood_at": facts["book"].get("at"),
    }


def _as_of(runtime: Runtime, act: ReadMeter, seen_at: str) -> ReadMeter:
    """A reading beside what the link's book said when it was read."""
    floor = runtime.leading()
    minute = minute_read(seen_at, floor.site.zone, floor.now(), bounds(floor.site, read_day(act.day))[0])
    floor.settle()
    brief = floor.house.links.get(act.link)
    if brief is None:  # refused as a meter that is not there
        return replace(act, seen_at=minute)
    with open_existing(runtime.settings.db) as store:
        return replace(act, seen_at=minute, book=shown_then(store, brief, act.level, act.read_cents, minute))


@router.post(
    "/days/{day}/close",
    summary="Close a gaming day, once, with every difference that there is",
    response_model=CloseDone,
)
@report_route
def close_day(day: DayName, form: CloseForm, runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
    person, floor = caller.may(Power.CLOSE_DAY), runtime.leading()
    act = CloseDay(id=form.id, by=person.id, where=caller.where, day=day, note=form.note)
    if floor.reading.by_command(SITE, form.id) is None:
        floor.site.handle(act, floor.now())  # a day that cannot be closed is refused before anything is read
        links, checkpoints = _figures(runtime, read_day(day))
        act = replace(act, links=links, checkpoints=checkpoints)
    entry = floor.do_site(act)
    facts = entry.facts
    shown = {name: facts[name] for name in ("day", "from", "until", "agrees", "links", "readings", "not_read")}
    return {"entry": entry_json(entry), **shown}


def _figures(runtime: Runtime, day: date) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Every link's day from its book, once nothing of that day is still on its way there; and what is signed."""
    floor = runtime.leading()
    floor.settle()
    with open_books(runtime) as books:
        links = day_figures(books, period_of(books, str(day)))
        _, until = bounds(floor.site, day)
        return links, sign(runtime, books, last_utc_day(until))
