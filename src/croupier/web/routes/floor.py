"""Routes of the floor: every act of a link, of the site, and what there is to see of both."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool

from croupier.errors import UnknownName
from croupier.progressive import acts, site_acts
from croupier.progressive.authority import Act, CardToken
from croupier.progressive.ledger import Entry
from croupier.progressive.signing import Signed
from croupier.web.acting import Body, body_of
from croupier.web.callers import Caller, Reader, SignedInCaller, TheRuntime
from croupier.web.runtime import Runtime
from croupier.web.views import entry_json, link_json, site_json, table_json

router = APIRouter(prefix="/api")

LINK_ACTS: tuple[tuple[type[acts.Act], str, str], ...] = (
    (acts.StartGame, "start", "START GAME: lock the lit wagers and contribute them"),
    (acts.EndGame, "end", "END GAME: reset the table for the next game"),
    (acts.EnterHand, "enter", "Enter a winning hand"),
    (acts.TakeBackHand, "take-back", "Take a hand back that was pressed by accident"),
    (acts.CallSupervisor, "call", "Call a supervisor"),
    (acts.Confirm, "confirm", "Confirm an award with a card"),
    (acts.VoidAward, "void", "Void an award before it is confirmed"),
    (acts.OpenLink, "open", "Open a link after its self-check"),
    (acts.CloseLink, "close", "Close a link"),
    (acts.Adjust, "adjust", "Adjust a level, for a lawful reason, by two people"),
    (acts.Reconfigure, "reconfigure", "Change a closed link's configuration, by two people"),
    (acts.Retire, "retire", "Retire a link into another, by two people"),
    (acts.Receive, "receive", "Receive what a retired link has moved here, by two people"),
    (acts.MakeLink, "make", "Make a link, by two people"),
)
SITE_ACTS: tuple[tuple[type[site_acts.SiteAct], str, str], ...] = (
    (site_acts.ChangeRole, "change-role", "Give a person another role"),
    (site_acts.RevokeCard, "revoke-card", "Revoke a card"),
    (site_acts.SetTable, "set-table", "Set up a table, by two people"),
    (site_acts.RemoveTable, "remove-table", "Remove a table, by two people"),
    (site_acts.ChooseProfile, "choose-profile", "Choose the jurisdiction's profile, by two people"),
    (site_acts.SetClock, "set-clock", "Set the time zone and the gaming day, by two people"),
    (site_acts.DeclareBank, "declare-bank", "Declare the balance of the separate account"),
    (site_acts.Deposit, "deposit", "Record a deposit to the separate account"),
    (site_acts.RevokeDevice, "revoke-device", "Revoke a device"),
)
"""Enrolling people and devices, replacing cards and setting PINs have routes of their own: they make secrets."""
_AT_TABLE = frozenset({"start", "end", "enter", "take-back", "call"})
_WITH_CARD = frozenset({"confirm", "void"})


# Seeing


@router.get("/site", summary="The site: its tables, people and devices")
def get_site(runtime: TheRuntime, caller: Reader) -> dict[str, Any]:
    return site_json(runtime.house, caller)


@router.get("/links", summary="Every link as it stands")
def get_links(runtime: TheRuntime, _: Reader) -> dict[str, Any]:
    return {"links": [link_json(brief) for brief in list(runtime.house.links.values())]}


@router.get("/links/{link}", summary="One link as it stands")
def get_link(link: str, runtime: TheRuntime, _: Reader) -> dict[str, Any]:
    return link_json(_brief(runtime, link))


@router.get("/tables/{table}", summary="A table, its game and what is next")
def get_table(table: int, runtime: TheRuntime, _: Reader) -> dict[str, Any]:
    return table_json(runtime.house, table)


@router.get("/bank", summary="The separate account against what the links owe")
def get_bank(runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
    caller.may(Act.READ_LEDGER)
    cover = runtime.leading().cover()
    return {
        "owed_cents": cover.owed_cents,
        "must_be_there_cents": cover.must_be_there_cents,
        "is_there_cents": cover.is_there_cents,
        "links_must_stop": cover.links_must_stop,
        "reason": cover.reason,
        "findings": [finding.as_json() for finding in cover.findings],
    }


def _brief(runtime: Runtime, link: str) -> Any:
    links = runtime.house.links
    if link not in links:
        raise UnknownName("link", link, links)
    return links[link]


# Doing


async def do_link(runtime: Runtime, caller: Caller, act: type[acts.Act], link: str, body: Body) -> dict[str, Any]:
    """One act of a link, signed by whoever has to sign it, answered when it is durable."""
    values = body.values()
    if act.kind in _AT_TABLE:
        caller.at_table(values["table"])
        by = caller.signed()
    elif act.kind in _WITH_CARD and getattr(body, "card", None):
        by = runtime.identify(CardToken(body.card)).signed  # type: ignore[attr-defined]
    else:
        by = caller.with_pin().signed
    values |= {"by": by, "where": caller.where, **_others(runtime, caller, body)}
    if act is acts.MakeLink:
        values["link"] = link
    if act is acts.Receive:
        values["entry"] = runtime.leading().retirement(values["source"]).as_json()
    made = act(**values)
    floor = runtime.leading()
    if act.kind in _AT_TABLE or act.kind in _WITH_CARD:
        entry = await asyncio.wrap_future(floor.submit(made, link))
    else:
        entry = await run_in_threadpool(floor.do, made, link)
    return {"entry": entry_json(entry), "link": link_json(_brief(runtime, link))}


def _others(runtime: Runtime, caller: Caller, body: Any) -> dict[str, Signed]:
    """Whoever else signs: a second person, or a supervisor who overrides."""
    found = {}
    if getattr(body, "second_ticket", None):
        found["second"] = _second(runtime, caller, body)
    if getattr(body, "override_card", None):
        found["override_by"] = runtime.identify(CardToken(body.override_card)).signed
    return found


def _second(runtime: Runtime, caller: Caller, body: Any) -> Signed:
    return runtime.access.second_person(body.second_ticket, caller.in_session()).signed


async def do_site(runtime: Runtime, caller: Caller, act: type[site_acts.SiteAct], body: Body) -> dict[str, Any]:
    """One act of the site."""
    person = caller.with_pin()
    values = {**body.values(), "by": person.id, "where": caller.where}
    if getattr(body, "second_ticket", None):
        values["second"] = _second(runtime, caller, body).person
    for name in ("paid", "contributed"):
        if name in {each.name for each in act.__dataclass_fields__.values()}:
            values[name] = {}
    entry = await run_in_threadpool(runtime.leading().do_site, act(**values))
    return {"entry": entry_json(entry)}


def _link_route(act: type[acts.Act], path: str, summary: str) -> None:
    async def route(link: str, body: Any, runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
        return await do_link(runtime, caller, act, link, body)

    _add(route, f"/links/{{link}}/{path}", summary, body_of(act), f"link_{path}")


def _site_route(act: type[site_acts.SiteAct], path: str, summary: str) -> None:
    async def route(body: Any, runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
        return await do_site(runtime, caller, act, body)

    _add(route, f"/site/{path}", summary, body_of(act), f"site_{path}")


def _add(route: Callable[..., Any], path: str, summary: str, body: type[Body], name: str) -> None:
    annotations = {"link": str, "body": body, "runtime": TheRuntime, "caller": SignedInCaller, "return": dict[str, Any]}
    route.__annotations__ = {key: annotations[key] for key in route.__annotations__}
    route.__name__ = name.replace("-", "_")
    router.post(path, summary=summary)(route)


for _act, _path, _summary in LINK_ACTS:
    _link_route(_act, _path, _summary)
for _site_act, _path, _summary in SITE_ACTS:
    _site_route(_site_act, _path, _summary)


def entries_after(runtime: Runtime, stream: str, after: int, most: int) -> list[Entry]:
    return list(runtime.reading.entries(stream, after=after, limit=most))


@router.get("/links/{link}/entries", summary="Entries of a link's book, after a number")
def get_entries(
    link: str, runtime: TheRuntime, caller: SignedInCaller, after: int = 0, most: int = 100
) -> dict[str, Any]:
    caller.may(Act.READ_LEDGER)
    _brief(runtime, link)
    entries = entries_after(runtime, f"link:{link}", max(0, after), max(1, min(most, 1_000)))
    return {"entries": [entry_json(entry) for entry in entries]}
