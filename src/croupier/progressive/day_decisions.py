"""What a site decides about readings, the close of a day, checkpoints and exports; and what their entries change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from croupier.errors import RecordError
from croupier.progressive.checkpoints import SignedCheckpoint
from croupier.progressive.gaming_days import ONE_DAY, begin_of, day_of
from croupier.progressive.ledger import Transfer
from croupier.progressive.readings import CloseDay, KeepCheckpoint, NoteExport, ReadMeter, not_read, reading_of
from croupier.progressive.site_base import SiteAct
from croupier.progressive.site_refusals import SiteNo, refused

if TYPE_CHECKING:
    from croupier.progressive.ledger import Entry
    from croupier.progressive.site import Site

Decision = tuple[dict[str, Any], tuple[Transfer, ...]]


def _read(site: Site, act: ReadMeter, at: str) -> Decision:
    """One reading for each display; another one there must say that it puts the first right."""
    _open_day(site, act.day, at)
    match act.book:
        case {"cents": int(), "entry": int(), "digest": str()}:
            pass
        case _:
            raise refused(SiteNo.NO_SUCH_METER, link=act.link, level=act.level)
    there = [
        each
        for each in site.days.of_day(act.day)
        if each.stands and (each.meter, each.display) == ((act.link, act.level), act.display)
    ]
    if act.corrects is not None:
        if act.corrects not in {each.entry for each in there}:
            raise refused(SiteNo.NO_SUCH_READING, entry=act.corrects)
    elif there:
        raise refused(SiteNo.ALREADY_READ, day=act.day, entry=there[0].entry)
    return {"difference_cents": act.read_cents - act.book["cents"]}, ()


def _close(site: Site, act: CloseDay, at: str) -> Decision:
    """The day as it stands: differences and meters that nobody read go on the record, and do not stop it."""
    _open_day(site, act.day, at)
    begin, until = bounds(site, date.fromisoformat(act.day))
    if at < until:
        raise refused(SiteNo.NOT_YET, day=act.day, until=until)
    _check_checkpoints(site, act.checkpoints)
    readings = site.days.of_day(act.day)
    missing = list(not_read(act.links, readings))
    explained = not any(level["difference_units"] for each in act.links.values() for level in each["levels"])
    agree = all(each.difference_cents == 0 for each in readings if each.stands)
    return {
        **{"from": begin, "until": until, "zone": site.zone, "day_begins": site.day_begins},
        **{"readings": [each.as_json() for each in readings], "not_read": missing},
        "agrees": explained and agree and not missing,
    }, ()


def _keep(site: Site, act: KeepCheckpoint, _: str) -> Decision:
    if not act.checkpoints:
        raise refused(SiteNo.CHECKPOINT_KEPT, day=act.day)
    _check_checkpoints(site, act.checkpoints)
    if any(each["checkpoint"]["day"] != act.day for each in act.checkpoints.values()):
        raise refused(SiteNo.BAD_CHECKPOINT, why=f"A checkpoint is of another day than {act.day}.")
    return {}, ()


def _note_export(_: Site, __: NoteExport, ___: str) -> Decision:
    return {}, ()


DECIDE: Mapping[type[SiteAct], Callable[..., Decision]] = {
    ReadMeter: _read,
    CloseDay: _close,
    KeepCheckpoint: _keep,
    NoteExport: _note_export,
}


def _open_day(site: Site, day: str, at: str) -> None:
    """The day is one that the site has had, and nobody has closed it."""
    today = str(gaming_day(site, at))
    if not site.days.first <= day <= today:
        raise refused(SiteNo.NO_SUCH_DAY, day=day, first=site.days.first, last=today)
    if day in site.days.closed:
        raise refused(SiteNo.DAY_CLOSED, day=day, entry=site.days.closed[day])


def gaming_day(site: Site, at: str) -> date:
    """The gaming day of a time, by the site's clock."""
    return day_of(at, ZoneInfo(site.zone), site.day_begins)


def bounds(site: Site, day: date) -> tuple[str, str]:
    """When a gaming day begins, and the first instant after it."""
    clock = ZoneInfo(site.zone)
    return begin_of(day, clock, site.day_begins), begin_of(day + ONE_DAY, clock, site.day_begins)


def _check_checkpoints(site: Site, checkpoints: Mapping[str, Any]) -> None:
    """Each is signed, and of a later day than the last of the same book."""
    for stream, values in checkpoints.items():
        try:
            signed = SignedCheckpoint.of_json(values)
            signed.check()
        except RecordError as error:
            raise refused(SiteNo.BAD_CHECKPOINT, why=error) from None
        made = signed.checkpoint
        if made.stream != stream:
            raise refused(SiteNo.BAD_CHECKPOINT, why=f"The checkpoint of {stream} is one of {made.stream}.")
        if made.day <= site.days.signed.get(stream, ""):
            raise refused(SiteNo.CHECKPOINT_KEPT, day=made.day)


# What their entries change


def was_read(site: Site, entry: Entry) -> None:
    made, readings = reading_of(entry.number, entry.at, entry.facts), site.days.readings
    if made.corrects is not None:
        readings[made.corrects] = replace(readings[made.corrects], corrected_by=entry.number)
    readings[entry.number] = made


def was_closed(site: Site, entry: Entry) -> None:
    day = entry.facts["day"]
    site.days.closed[day] = entry.number
    for each in site.days.of_day(day):
        del site.days.readings[each.entry]
    were_kept(site, entry)


def were_kept(site: Site, entry: Entry) -> None:
    for stream, signed in entry.facts["checkpoints"].items():
        site.days.signed[stream] = signed["checkpoint"]["day"]
