"""Routes of the floor: every act of a link, of the site, and what there is to see of both."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from enum import Enum
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from croupier.compliance.authority import CardToken, Power, roles_for
from croupier.errors import CroupierError, UnknownName
from croupier.floor.act import EntryKind
from croupier.floor.forms import Signed
from croupier.floor.link import acts
from croupier.floor.link.brief import LinkBrief
from croupier.floor.link.lifecycle import LONGEST_LINK
from croupier.floor.link.setup import MOST_TABLES
from croupier.floor.people import People
from croupier.floor.site import acts as site_acts
from croupier.floor.site import register_acts
from croupier.floor.site.custody_acts import GivePrize, PlanRemoval, Reconcile
from croupier.ledger.clock import as_written, time_of, utc_now
from croupier.ledger.entry import Entry
from croupier.web.cluster.runtime import Runtime
from croupier.web.floor import answers
from croupier.web.floor.acts import Body, body_of
from croupier.web.floor.answers import answer
from croupier.web.floor.views import entry_json, link_json, site_json, summary_json, table_json
from croupier.web.identity.callers import (
    Caller,
    Reader,
    SignedInCaller,
    TheRuntime,
    bound_to,
    check_sees,
    check_sees_table,
    runtime_of,
    second_of,
)
from croupier.web.logs import log
from croupier.web.pager import LADDER, open_calls

router = APIRouter(prefix="/api")
LinkName = Annotated[
    str, Path(description="The link's name.", min_length=1, max_length=LONGEST_LINK, examples=["main"])
]
LargeNumber = 2**53

LINK_ACTS: tuple[tuple[type[acts.LinkAct], str, str], ...] = (
    (acts.StartGame, "start", "START GAME: lock the lit wagers and contribute them"),
    (acts.EndGame, "end", "END GAME: reset the table for the next game"),
    (acts.EnterHand, "enter", "Enter a winning hand"),
    (acts.TakeBackHand, "take-back", "Take a hand back that was pressed by accident"),
    (acts.CallSupervisor, "call", "Call a supervisor"),
    (acts.TakeCall, "take-call", "Take the call of a table, at a console"),
    (acts.Confirm, "confirm", "Confirm an award with a card"),
    (acts.VoidAward, "void", "Void an award before it is confirmed"),
    (acts.ReopenGame, "reopen", "Reopen the last game of a table for a late winner"),
    (acts.IssueSlip, "issue-slip", "Issue the jackpot slip of a confirmed award"),
    (acts.PaySlip, "pay-slip", "Record who paid a jackpot slip, and in what"),
    (acts.OpenLink, "open", "Open a link after its self-check"),
    (acts.CloseLink, "close", "Close a link"),
    (acts.Adjust, "adjust", "Adjust a level, for a lawful reason, by two people"),
    (acts.BackOut, "back-out", "Back out a confirmed award as a whole, by two people"),
    (acts.Reconfigure, "reconfigure", "Change a closed link's configuration, by two people"),
    (acts.Retire, "retire", "Retire a link into another, or to where its plan gives the prize, by two people"),
    (acts.Receive, "receive", "Receive what a retired link has moved here, by two people"),
    (acts.MakeLink, "make", "Make a link, by two people"),
)
SITE_ACTS: tuple[tuple[type[site_acts.SiteAct], str, str], ...] = (
    (site_acts.ChangeRole, "change-role", "Give a person another role"),
    (site_acts.RevokeCard, "revoke-card", "Revoke a card"),
    (site_acts.SetTable, "set-table", "Set up a table, by two people"),
    (site_acts.RemoveTable, "remove-table", "Remove a table, by two people"),
    (site_acts.RenameSite, "rename-site", "Give the card room another name, by two people"),
    (site_acts.ChooseProfile, "choose-profile", "Choose the jurisdiction's profile, by two people"),
    (site_acts.SetClock, "set-clock", "Set the time zone and the gaming day, by two people"),
    (site_acts.AcceptTime, "accept-time", "Accept the server's time as it is, by two people"),
    (site_acts.SetSignIn, "set-sign-in", "Whether a dealer may be at several tables at once, by two people"),
    (Reconcile, "reconcile", "Hold a month's bank statement against the fund balances"),
    (PlanRemoval, "plan-removal", "Put the approved plan to remove a progressive on record, by two people"),
    (GivePrize, "give-prize", "Give away the prize of a retired link as its plan says, by two people"),
    (site_acts.DeclareBank, "declare-bank", "Declare the balance of the separate account"),
    (site_acts.Deposit, "deposit", "Record a deposit to the separate account"),
    (site_acts.RevokeDevice, "revoke-device", "Revoke a device"),
    (register_acts.EnterApproval, "enter-approval", "Enter an approval of the site's own, by two people"),
    (register_acts.WithdrawApproval, "withdraw-approval", "Take an approval out of the register, by two people"),
    (register_acts.RecordPaper, "record-paper", "Record a paper for a condition"),
    (register_acts.WithdrawPaper, "withdraw-paper", "Withdraw a paper"),
    (register_acts.OpenTable, "open-table", "Open a table, where no condition stops it"),
    (register_acts.CloseTable, "close-table", "Close a table"),
)
"""Enrolling people and devices, replacing cards and setting PINs have routes of their own: they make secrets."""
AT_TABLE = frozenset({EntryKind.START, EntryKind.END, EntryKind.ENTER, EntryKind.TAKE_BACK, EntryKind.CALL})
_WITH_CARD = frozenset({EntryKind.CONFIRM, EntryKind.VOID, EntryKind.REOPEN})
_BY_THE_FLOOR = frozenset({"paid", "contributed"})
"""What a site's act carries and the floor fills in."""
_TAGS = {**dict.fromkeys(AT_TABLE, "tables"), **dict.fromkeys((*_WITH_CARD, EntryKind.TAKE_CALL), "awards")}


# Doing: these routes come first, because they are asked for most


WHO_ASKS = frozenset(
    {*("not-allowed", "second-missing", "same-person", "own-award", "no-key", "not-agreed", "second-unknown")}
    | {*("pin-needed", "no-keypad", "other-table", "read-only")}
)
"""Codes of a refusal that is about who asks, and not about what was asked: who tried what is on record."""


async def on_record(
    runtime: Runtime, caller: Caller, error: CroupierError, kind: str, card: str | None = None
) -> CroupierError:
    """The error, for the caller to raise. Whoever is refused an act for who they are stands in the register: whoever is
    signed in, or whose card was read. Where that cannot be kept, the log has it, and the refusal stays what it is."""
    if str(getattr(error, "code", "")) in WHO_ASKS:
        who, how = caller.person, caller.shown
        if card is not None:
            with suppress(CroupierError):
                who, how = runtime.identify(CardToken(card)), "card"
        if who is not None:
            try:
                await run_in_threadpool(runtime.access.note_failure, error, caller.place, f"{how}, {kind}", who.id)
            except CroupierError as lost:
                log.error("refusal-not-on-record", person=who.id, act=kind, refused=str(error), sentence=str(lost))
    return error


async def do_link(runtime: Runtime, caller: Caller, act: type[acts.LinkAct], link: str, body: Any) -> Response:
    """One act of a link, signed by whoever has to sign it, answered when it is durable."""
    if act.kind in AT_TABLE:
        return await act_at_table(
            runtime, caller, act, link, body.values(), override_card=getattr(body, "override_card", None)
        )
    try:
        return await _do_link(runtime, caller, act, link, body)
    except CroupierError as error:
        raise await on_record(runtime, caller, error, act.kind, getattr(body, "card", None)) from None


async def _do_link(runtime: Runtime, caller: Caller, act: type[acts.LinkAct], link: str, body: Any) -> Response:
    values = {**body.values(), "by": await _signed(runtime, caller, act, link, body), "where": caller.where}
    if second := await second_of(runtime, caller, act.kind, body, link=link):
        values |= {"second": second.person.signed, "agreed": second.agreed}
    floor = runtime.leading()
    if act is acts.MakeLink:
        values["link"] = link
    if act is acts.Receive:
        values["entry"] = (await run_in_threadpool(floor.retirement, values["source"])).as_json()
    if act.kind in _WITH_CARD:
        entry = await runtime.durable(act(**values), link)
    else:
        entry = await run_in_threadpool(floor.do, act(**values), link)
    return _done(runtime, entry, link, entry.facts.get("table"))


async def act_at_table(
    runtime: Runtime,
    caller: Caller,
    act: type[acts.LinkAct],
    link: str,
    values: dict[str, Any],
    *,
    override_card: str | None = None,
) -> Response:
    """An act that whoever is signed in at the table signs; and a supervisor's card, where the cards disagree.

    Whatever way a request of a table comes in, this is where it is done: see `table_acts`.
    """
    try:
        caller.at_table(values["table"])
        signed = caller.signed()
        if override_card is not None:
            values["override_by"] = await _card(runtime, caller, override_card)
        entry = await runtime.durable(act(**values, by=signed, where=caller.where), link)
    except CroupierError as error:
        raise await on_record(runtime, caller, error, act.kind, override_card) from None
    return _done(runtime, entry, link, values["table"])


def _done(runtime: Runtime, entry: Entry, link: str, table: int | None) -> Response:
    return answer({"entry": entry_json(entry), "link": summary_json(_brief(runtime, link), table)})


async def _signed(runtime: Runtime, caller: Caller, act: type[acts.LinkAct], link: str, body: Any) -> Signed:
    """Who does it: whose card is read, or who works at a console with a PIN."""
    if act.kind in _WITH_CARD and body.card is not None:
        caller.at_table(body.table if act is acts.ReopenGame else _table_of(runtime, link, body.award))
        return await _card(runtime, caller, body.card)
    return caller.may(act.needs).signed


def _table_of(runtime: Runtime, link: str, award: int) -> int | None:
    """Where an award was won that no card has decided yet."""
    brief = runtime.house.links.get(link)
    return next((waiting.table for waiting in brief.awards if waiting.award == award), None) if brief else None


async def _card(runtime: Runtime, caller: Caller, card: str) -> Signed:
    """Whose card was read; one that belongs to nobody counts against the place."""
    return (await run_in_threadpool(runtime.access.check_card, card, None, caller.place)).signed


async def do_site(runtime: Runtime, caller: Caller, act: type[site_acts.SiteAct], body: Body) -> Response:
    """One act of the site."""
    try:
        return await _do_site(runtime, caller, act, body)
    except CroupierError as error:
        raise await on_record(runtime, caller, error, act.kind) from None


async def _do_site(runtime: Runtime, caller: Caller, act: type[site_acts.SiteAct], body: Body) -> Response:
    person = caller.may(act.needs)
    values = {**body.values(), "by": person.id, "where": caller.where}
    if second := await second_of(runtime, caller, act.kind, body):
        values |= {"second": second.person.id, "agreed": second.agreed}
    for name in _BY_THE_FLOOR & set(act.__dataclass_fields__):
        values[name] = {}
    entry = await run_in_threadpool(runtime.leading().do_site, act(**values))
    return answer({"entry": entry_json(entry)})


def _link_route(act: type[acts.LinkAct], path: str, summary: str) -> None:
    async def route(link: str, body: Any, request: Request, caller: SignedInCaller) -> Response:
        return await do_link(runtime_of(request), caller, act, link, body)

    _add(route, f"/links/{{link}}/{path}", summary, act, f"link_{path}")


def _site_route(act: type[site_acts.SiteAct], path: str, summary: str) -> None:
    async def route(body: Any, request: Request, caller: SignedInCaller) -> Response:
        return await do_site(runtime_of(request), caller, act, body)

    _add(route, f"/site/{path}", summary, act, f"site_{path}")


def _add(
    route: Callable[..., Any], path: str, summary: str, act: type[acts.LinkAct] | type[site_acts.SiteAct], name: str
) -> None:
    """A route whose body is the act's own."""
    given = {"link": LinkName, "body": body_of(act), "request": Request, "caller": SignedInCaller}
    route.__annotations__ = {key: given.get(key, Response) for key in route.__annotations__}
    route.__name__ = name.replace("-", "_")
    model: type[answers.EntryDone | answers.ActDone] = answers.EntryDone
    if issubclass(act, acts.LinkAct):
        model = answers.ActDone
    tags: list[str | Enum] = [_TAGS.get(act.kind, "office" if issubclass(act, acts.LinkAct) else "site")]
    described = f"{act.__doc__ or summary}\n\nWho may: {', '.join(roles_for(act.needs))}."
    router.post(path, summary=summary, description=described, response_model=model, tags=tags)(route)


for _act, _path, _summary in LINK_ACTS:
    _link_route(_act, _path, _summary)
for _site_act, _path, _summary in SITE_ACTS:
    _site_route(_site_act, _path, _summary)


# Seeing


@router.get("/site", tags=["site"], summary="The site: its tables, people and devices", response_model=answers.SiteForm)
def get_site(runtime: TheRuntime, caller: Reader) -> Response:
    return answer(site_json(runtime.house, caller))


@router.get("/links", tags=["links"], summary="Every link as it stands", response_model=answers.LinksForm)
def get_links(runtime: TheRuntime, caller: Reader) -> Response:
    bound = bound_to(caller)
    seen = [brief for brief in list(runtime.house.links.values()) if not bound or brief.name == bound]
    return answer({"links": [link_json(brief) for brief in seen]})


@router.get("/links/{link}", tags=["links"], summary="One link as it stands", response_model=answers.LinkForm)
def get_link(link: LinkName, runtime: TheRuntime, caller: Reader) -> Response:
    check_sees(caller, link)
    return answer(link_json(_brief(runtime, link)))


@router.get(
    "/tables/{table}",
    tags=["tables"],
    summary="A table, its game and what is next",
    response_model=answers.TableForm,
)
def get_table(table: Annotated[int, Path(ge=1, le=MOST_TABLES)], runtime: TheRuntime, caller: Reader) -> Response:
    check_sees_table(caller, runtime.house, table)
    return answer(table_json(runtime.house, table))


@router.get(
    "/bank",
    tags=["site"],
    summary="The separate account against what the links owe",
    response_model=answers.BankForm,
)
def get_bank(runtime: TheRuntime, caller: SignedInCaller) -> Response:
    caller.may(Power.READ_LEDGER)
    cover = runtime.cover()
    names = ("owed_cents", "must_be_there_cents", "is_there_cents", "to_deposit_cents", "links_must_stop", "reason")
    findings = [finding.as_json() for finding in cover.findings]
    return answer({**{name: getattr(cover, name) for name in names}, "findings": findings})


@router.get(
    "/payments",
    tags=["awards"],
    summary="Confirmed awards whose winners are still to be paid against a slip",
    response_model=answers.PaymentsForm,
)
def get_payments(runtime: TheRuntime, caller: SignedInCaller) -> Response:
    caller.may(Power.SEE_SLIPS)
    waiting = [
        {
            **{"link": brief.name, "award": number, "table": won.table, "seat": won.seat, "line": won.line},
            **{"cents": won.cents, "to_pay_cents": won.cents - won.withheld_cents, "slip": won.slip or None},
        }
        for brief in runtime.house.links.values()
        for number, won in brief.to_pay.items()
    ]
    return answer({"payments": waiting})


@router.get(
    "/calls",
    tags=["awards"],
    summary="Calls that wait, and who has taken them",
    response_model=answers.CallsForm,
)
def get_calls(runtime: TheRuntime, caller: SignedInCaller) -> Response:
    caller.may(Power.READ_LEDGER)
    now, every, people = utc_now(), runtime.settings.call_escalates_s, runtime.house.site.people
    calls = []
    for open_call in open_calls(runtime.house, now, every):
        call, last = open_call.call, open_call.step + 1 >= len(LADDER)
        next_at = time_of(call.at) + timedelta(seconds=every * (open_call.step + 1))
        calls.append(
            {
                **{"link": open_call.link, "table": open_call.table, "entry": call.entry, "at": call.at},
                **{"by": _name(people, call.by), "waited_s": int(open_call.waited_s)},
                "taken_by": _name(people, call.taken_by) if call.taken_by else None,
                **{"taken_at": call.taken_at or None, "step": open_call.step, "role": str(open_call.role)},
                "escalates_at": None if call.taken_by or last else as_written(next_at),
            }
        )
    return answer({"now": now, "calls": calls})


def _name(people: People, person: str) -> str:
    known = people.by_id.get(person)
    return known.name if known else person


@router.get(
    "/links/{link}/entries",
    tags=["links"],
    summary="Entries of a link's book, after a number",
    response_model=answers.EntriesForm,
)
def get_entries(
    link: LinkName,
    runtime: TheRuntime,
    caller: SignedInCaller,
    after: Annotated[int, Query(ge=0, le=LargeNumber)] = 0,
    most: Annotated[int, Query(ge=1, le=1_000)] = 100,
) -> Response:
    caller.may(Power.READ_LEDGER)
    _brief(runtime, link)
    return answer({"entries": [entry_json(entry) for entry in entries_after(runtime, f"link:{link}", after, most)]})


def entries_after(runtime: Runtime, stream: str, after: int, most: int) -> list[Entry]:
    return list(runtime.reading.entries(stream, after=after, limit=most))


def _brief(runtime: Runtime, link: str) -> LinkBrief:
    links = runtime.house.links
    if link not in links:
        raise UnknownName("link", link, links)
    return links[link]
