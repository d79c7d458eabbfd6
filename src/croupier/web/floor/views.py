"""What clients see of the floor, as JSON: money in whole cents with the unit in the name."""

from __future__ import annotations

from functools import partial
from typing import Any, cast

from croupier.compliance.authority import Power, confirming, may, roles_for
from croupier.errors import UnknownName
from croupier.floor.house import House
from croupier.floor.link.brief import LinkBrief
from croupier.floor.link.cycle import chips_in_words
from croupier.floor.link.meters import Award
from croupier.floor.link.state import TableCycle
from croupier.floor.refusals import No, refusal
from croupier.ledger.checkpoint import fingerprint
from croupier.ledger.entry import Entry
from croupier.web.floor.answers import AwardForm, BackupForm, GameForm, LinkForm, LinkSummary, SiteForm, TableForm
from croupier.web.identity.callers import Caller, bound_to


def entry_json(entry: Entry) -> dict[str, Any]:
    values = entry.as_json()
    values["unit"] = "1e-6 cent"
    return values


def awards_json(brief: LinkBrief, table: int | None = None) -> list[AwardForm]:
    """Awards that no card has decided, in the order in which they are taken: of one table, or of all."""
    return [_award_json(brief, award) for award in brief.awards if table in (None, award.table)]


def _award_json(brief: LinkBrief, award: Award) -> AwardForm:
    """With whose card it takes at least."""
    threshold = brief.setup.executive_threshold_cents if brief.setup else 0
    needs = confirming(award.cents, executive_above_cents=threshold)
    return {
        "award": award.award,
        "table": award.table,
        "round": award.round,
        "seat": award.seat,
        "line": award.line,
        "level": award.level,
        "share": award.share,
        "fixed": not award.is_share,
        "cents": award.cents,
        "called": award.called,
        "card": str(roles_for(needs)[0]),
    }


def link_json(brief: LinkBrief) -> LinkForm:
    """A link as everybody may see it."""
    setup = brief.setup
    return {
        "link": brief.name,
        "number": brief.entries,
        "at": brief.at,
        "digest": brief.digest,
        "status": str(brief.status),
        "stopped": brief.stopped,
        "closed_at": brief.closed_at or None,
        "short_of_cover": brief.short_of_cover,
        "configuration": brief.configuration,
        "approved": brief.approved,
        "levels": [
            {
                "level": level.level,
                "title": level.title,
                "meter_cents": brief.shown_cents[level.level],
                "reserve_cents": brief.reserve_cents[level.level],
                "overflow_cents": brief.overflow_cents[level.level],
                "maximum_cents": level.maximum_cents,
            }
            for level in (setup.levels if setup else ())
        ],
        "progressive": setup.rules.title if setup else "",
        "setup": setup.as_json() if setup else None,
        "paytable": [
            {
                "line": line.label,
                "printed": line.printed,
                "pays": line.pays,
                "share": line.is_share,
                "level": line.pay.meter if line.is_share else None,
                "cents": line.cents or None,
            }
            for line in (setup.lines.values() if setup else ())
        ],
        "tables": {str(number): cycle_json(cycle) for number, cycle in brief.tables.items()},
        "awards": awards_json(brief),
    }


def summary_json(brief: LinkBrief, table: int | None = None) -> LinkSummary:
    """A link in short, for whoever has just done something to it: small, because dealers wait for it."""
    levels = brief.setup.levels if brief.setup else ()
    cycle = brief.tables.get(table) if table is not None else None
    return {
        "link": brief.name,
        "number": brief.entries,
        "status": str(brief.status),
        "stopped": brief.stopped,
        "levels": [
            {"level": level.level, "title": level.title, "meter_cents": brief.shown_cents[level.level]}
            for level in levels
        ],
        "awards": awards_json(brief),
        "game": cycle_json(cycle) if cycle else None,
    }


def cycle_json(cycle: TableCycle) -> GameForm:
    return {
        "round": cycle.round,
        "on": cycle.on,
        "seats": list(cycle.seats),
        "based": list(cycle.based),
        "entered": [
            {"seat": seat, "line": hand.line, "award": hand.award, "fixed": hand.paid, "final": hand.final}
            for seat, hand in cycle.entered.items()
        ],
        "reopenable": cycle.last is not None,
    }


def table_json(house: House, number: int) -> TableForm:
    """A table, for its keypad: the game that is on and what the dealer does next."""
    tables = house.site.tables
    if number not in tables:
        raise UnknownName("table", str(number), map(str, sorted(tables)))
    table, brief = tables[number], house.link_of(number)
    shown: TableForm = {
        "table": number,
        "title": table.title,
        "base_game": table.base_game,
        "decks": table.decks,
        "least_wager_cents": table.least_wager_cents,
        "most_wager_cents": table.most_wager_cents,
        "wagers": list(table.wagers),
        "paytables": {paytable.wager: paytable.paytable for paytable in table.on_file.paytables}
        if table.on_file
        else {},
        "limits": [
            {"wager": limit.wager, "least_cents": limit.least_cents, "most_cents": limit.most_cents}
            for limit in table.limits
        ],
        "seats": table.seats,
        "link": None,
        "game": None,
        "awards": [],
        "next": "No link feeds this table.",
    }
    if table.on_file is not None:
        shown["opened"] = number in house.site.kept.open_tables
    if brief is not None and brief.setup is not None:
        cycle = brief.tables.get(number) or TableCycle()
        shown["link"] = brief.name
        shown["game"] = cycle_json(cycle)
        shown["awards"] = awards_json(brief, number)
        shown["next"] = next_step(brief, cycle, shown["awards"])
        if not cycle.on and brief.status == "open" and not shown.get("opened", True):
            shown["next"] = refusal(No.TABLE_CLOSED, number=number).sentence
        shown["status"] = str(brief.status)
        shown["stopped"] = brief.stopped
        shown["chips"] = chips_in_words(brief.setup)
    return shown


def next_step(brief: LinkBrief, cycle: TableCycle, awards: list[AwardForm]) -> str:
    """What the dealer does now, in words: for programs and for the console's list of tables. The keypad's page says it
    in its own, because it also knows what has been touched and not sent yet."""
    if not cycle.on:
        if brief.status != "open":
            return f"The link is {brief.status}. {brief.stopped}".strip()
        return "Wait until the wagers are laid, then press START GAME."
    if any(not award["called"] for award in awards):
        return "Call a supervisor for the award that is pending."
    if awards:
        return "Wait for the supervisor's card."
    return "Enter winning hands by seat, or press END GAME."


def _sees(caller: Caller, table: TableForm) -> bool:
    bound = bound_to(caller)
    return not bound or table["link"] == bound


def site_json(house: House, caller: Caller) -> SiteForm:
    """The site; people and devices only at a console, for those who may read the ledger."""
    site = house.site
    shown: SiteForm = {
        "title": site.title,
        "profile": site.profile,
        "zone": site.zone,
        "day_begins": site.day_begins,
        "tables": [table for table in map(partial(table_json, house), sorted(site.tables)) if _sees(caller, table)],
    }
    at_console = caller.session is not None and caller.session.console
    if caller.person is None or not at_console or not may(caller.person.role, Power.READ_LEDGER):
        return shown
    shown["people"] = [
        {
            "person": person.id,
            "name": person.name,
            "role": str(person.role),
            "active": person.active,
            "has_card": bool(person.card),
            "lacks_key": site.lacks_key(person),
        }
        for person in site.people
    ]
    shown["devices"] = [
        {
            "device": device.id,
            "kind": str(device.kind),
            "name": device.name,
            "table": device.table,
            "link": device.link,
            "active": device.active,
        }
        for device in site.devices
    ]
    shown["signs_with"] = site.signs_with
    shown["fingerprint"] = fingerprint(site.signs_with) if site.signs_with else ""
    shown["backup"] = cast(BackupForm, site.backup._asdict()) if site.backup else None
    return shown
