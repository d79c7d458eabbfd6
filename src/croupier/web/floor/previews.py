"""Routes of the office's desk: what an act would come to before it is signed, and a link's past and future to look at.

Nothing here changes anything. Acts themselves are in `floor`.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Annotated, Any, Literal

from fastapi import APIRouter, FastAPI, Path, Query, Request
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

from croupier.analysis.meter.wager import preconfigured
from croupier.audit.export import link_stream, open_existing
from croupier.compliance.authority import Power
from croupier.compliance.profile import Fact, Lawful, find_profile
from croupier.errors import UnknownName
from croupier.floor import propose
from croupier.floor.act import EntryKind
from croupier.floor.forms import LONGEST_TEXT
from croupier.floor.house import FloorLink
from croupier.floor.link import acts
from croupier.floor.link.brief import LinkBrief
from croupier.floor.link.lifecycle import LONGEST_LINK
from croupier.floor.link.setup import AwardOrder, LinkSetup, host_titles
from croupier.floor.site.bank import up_to_cents
from croupier.floor.site.decide import bounds, gaming_day
from croupier.games.blackjack.game import SEATS
from croupier.games.blackjack.side_wagers import DECKS_OF, PROGRESSIVES
from croupier.games.catalogue import wagers_beside
from croupier.games.meter import Style
from croupier.games.paytable import Kind
from croupier.ledger.clock import time_of, utc_now, written
from croupier.ledger.entry import SITE, UNITS_PER_CENT, Purpose
from croupier.store.store import Store
from croupier.web.cluster.runtime import Runtime
from croupier.web.errors import ApiError
from croupier.web.floor.acts import MOST, SETUP, strictly
from croupier.web.floor.history import KEEP_EVERY, SPANS_S, DaysFlow, HistoryStore, MeterHistory, history_json
from croupier.web.games import questions
from croupier.web.games.play import ThePlay
from croupier.web.identity.callers import SignedInCaller, TheRuntime
from croupier.web.turns import report_route


@asynccontextmanager
async def history_life(app: FastAPI) -> AsyncIterator[None]:
    app.state.history_store = store = HistoryStore(app.state.runtime.settings.db)
    try:
        yield
    finally:
        await asyncio.to_thread(store.close)


router = APIRouter(prefix="/api", tags=["office"], lifespan=history_life)
MOST_ENTRIES = 25
READ_BY_ANOTHER_S = 1.0
"""How long one waits for another who reads the same book."""
LinkName = Annotated[str, Path(min_length=1, max_length=LONGEST_LINK, examples=["main"])]


class Form(BaseModel):
    model_config = ConfigDict(extra="forbid")


def _brief(runtime: Runtime, link: str) -> LinkBrief:
    links = runtime.house.links
    if link not in links or links[link].setup is None:
        raise UnknownName("link", link, links)
    return links[link]


# A link's past


@router.get("/links/{link}/history", summary="What the meters showed over a day, a week or all time")
@report_route
def get_history(
    link: LinkName,
    request: Request,
    runtime: TheRuntime,
    caller: SignedInCaller,
    *,
    span: Literal["day", "week", "all"] = "day",
    points: Annotated[int, Query(ge=10, le=1_000)] = 300,
) -> dict[str, Any]:
    """Not many more points than asked for, times in seconds since 1970; wherever a meter jumped there is one."""
    caller.may(Power.READ_LEDGER)
    brief = _brief(runtime, link)
    assert brief.setup is not None
    kept: dict[tuple[str, ...], MeterHistory] = request.app.state.histories
    history = kept.setdefault((link, span, *brief.setup.level), MeterHistory(tuple(brief.setup.level)))
    if not history.lock.acquire(timeout=READ_BY_ANOTHER_S):
        raise ApiError(503, "busy", "The whole book is being read just now: try again.", headers={"Retry-After": "5"})
    try:
        if history.number < brief.entries:
            with open_existing(runtime.settings.db) as store:
                _read_on(history, store, brief, SPANS_S[span], request.app.state.history_store)
        points_shown = history.shown(SPANS_S[span], time.time(), points)
    finally:
        history.lock.release()
    levels = [(level.level, level.title) for level in brief.setup.levels]
    return {"link": link, "span": span, "number": history.number, **history_json(levels, points_shown)}


def _read_on(history: MeterHistory, store: Store, brief: LinkBrief, span_s: float | None, kept: HistoryStore) -> None:
    """From where it was read to; the first time from where the span begins, unless that is most of the book anyway.

    All time goes on from what an earlier server has kept of it, if the book is still the one that it read.
    """
    stream = link_stream(brief.name)
    if span_s is None:
        _read_all(history, store, brief, kept)
        return
    if not history.number:
        begin = time.time() - span_s
        number = store.number_before(stream, written(begin))
        if 2 * number > brief.entries:
            since = store.rows(stream, number, brief.entries - number)
            history.begin_with(number, begin, brief.meter_units, since)
    history.follow(store.rows(stream, history.number))


def _read_all(history: MeterHistory, store: Store, brief: LinkBrief, kept: HistoryStore) -> None:
    stream = link_stream(brief.name)
    if not history.number:
        digest = kept.take_up(brief.name, history)
        last = next(iter(store.rows(stream, history.number - 1, 1)), None) if digest else None
        if digest and (last is None or last.digest != digest):
            history.go_on(0, {}, [], [])
    begun, digest = history.number, ""
    for number in range(history.number, brief.entries, KEEP_EVERY):
        for row in (rows := list(store.rows(stream, number, min(KEEP_EVERY, brief.entries - number)))):
            digest = row.digest
        history.follow(rows)
    if history.number - begun >= KEEP_EVERY:
        kept.keep(brief.name, history, digest)


@router.get("/links/{link}/fed", summary="What wagers have brought to each meter since the gaming day began")
@report_route
def get_fed(link: LinkName, request: Request, runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
    """From the link's book. Seeds, awards, adjustments and what goes to reserve or overflow are not in it."""
    caller.may(Power.READ_LEDGER)
    brief, site = _brief(runtime, link), runtime.house.site
    assert brief.setup is not None
    day = gaming_day(site, utc_now())
    begin, _ = bounds(site, day)
    fed: DaysFlow = request.app.state.fed.setdefault(link, DaysFlow())
    if not fed.lock.acquire(timeout=READ_BY_ANOTHER_S):
        raise ApiError(503, "busy", "The day's book is being read just now: try again.", headers={"Retry-After": "5"})
    try:
        with open_existing(runtime.settings.db) as store:
            fed.follow(store, brief, begin)
        levels = [
            {"level": level.level, "title": level.title, "fed_cents": fed.fed_cents(level.level)}
            for level in brief.setup.levels
        ]
        return {"link": link, "day": str(day), "from": begin, "number": fed.number, "levels": levels}
    finally:
        fed.lock.release()


# A configuration before it is signed


@router.get("/progressives", summary="What a link can be set up with: progressives, paytables, decks, levels, titles")
def get_progressives(runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
    caller.may(Power.READ_LEDGER)
    profile = find_profile(runtime.house.site.profile)
    return {
        "progressives": [
            {
                **{"wager": key, "title": wager.title, "decks": list(DECKS_OF[key])},
                "titles": list(host_titles(key)),
                "paytables": [_paytable(key, name) for name in wager.paytables],
            }
            for key, wager in PROGRESSIVES.items()
        ],
        "titles": list(dict.fromkeys(title for wager in PROGRESSIVES for title in host_titles(wager))),
        "wagers": [{"wager": key, "title": title} for key, title in wagers_beside("blackjack").items()],
        **{"styles": list(map(str, Style)), "orders": list(map(str, AwardOrder)), "most_seats": SEATS},
        "profile": {"name": profile.name, "title": profile.title},
    }


def _paytable(wager: str, name: str) -> dict[str, Any]:
    """Its lines, its meters in order, and what the maker configures, per wager, where that is known."""
    rows = PROGRESSIVES[wager].paytables[name].rows
    maker = preconfigured(wager, name)
    return {
        "paytable": name,
        "lines": [{"line": row.label, "printed": row.printed, "pays": str(row.pay)} for row in rows],
        "levels": list(dict.fromkeys(row.pay.meter for row in rows if row.pay.kind is Kind.SHARE)),
        "contribution_percent": float(maker.contribution * 100) if maker else None,
        "seeds_wagers": {meter: float(seed) for meter, seed in maker.seeds.items()} if maker else None,
    }


@router.get(
    "/progressives/{wager}/{paytable}/funding",
    summary="Seeds, contributions and reserves that a new link may begin with, and why these",
)
async def get_funding(
    wager: str,
    paytable: str,
    caller: SignedInCaller,
    play: ThePlay,
    *,
    decks: int = 6,
    wager_cents: Annotated[int, Query(ge=1, le=MOST)] = 500,
) -> dict[str, Any]:
    """As the maker configures it, or a proposal with its reason; divided among several meters as the planner does."""
    caller.may(Power.READ_LEDGER)
    if wager not in PROGRESSIVES:
        raise UnknownName("progressive wager", wager, PROGRESSIVES)
    if paytable not in PROGRESSIVES[wager].paytables:
        raise UnknownName("paytable", paytable, PROGRESSIVES[wager].paytables)
    if decks not in DECKS_OF[wager]:
        raise UnknownName("number of decks", str(decks), map(str, DECKS_OF[wager]))
    answer = await play.analyst.ask(questions.funding, wager, paytable, decks, wager_cents)
    return {"wager": wager, "paytable": paytable, "decks": decks, "funding": answer}


class CheckForm(Form):
    """A configuration, as it would be sent to `make` or `reconfigure`."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"setup": SETUP}]})
    setup: strictly(LinkSetup)  # type: ignore[valid-type]


@router.post("/links/{link}/check", summary="Check a configuration against every rule, without saving it")
def check_setup(link: LinkName, form: CheckForm, runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
    """Errors stop, warnings show; each has its citation. A name that no link has is that of a new one."""
    by, floor = caller.may(Power.RECONFIGURE).signed, runtime.leading()
    if link not in floor.house.links:
        return propose.configuration(FloorLink(link, floor.house), form.setup, by, floor.now())
    return floor.ask(link, lambda held: propose.configuration(held, form.setup, by, floor.now()))


# An adjustment before it is signed


class AdjustForm(Form):
    level: Annotated[StrictStr, Field(max_length=LONGEST_TEXT)]
    reason: Lawful
    source: Purpose
    target: Purpose
    cents: Annotated[StrictInt, Field(ge=-MOST, le=MOST)]
    text: Annotated[StrictStr, Field(max_length=LONGEST_TEXT)]
    award: Annotated[StrictInt | None, Field(ge=0, le=MOST)] = None
    reseed: StrictBool = False


@router.get("/links/{link}/adjusting", summary="The lawful reasons here, and the accounts of each level")
def get_adjusting(link: LinkName, runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
    caller.may(Power.ADJUST)
    _brief(runtime, link)
    floor = runtime.leading()
    return {
        **{"link": link, **propose.ways(floor.house, floor.now())},
        "levels": floor.ask(link, propose.balances),
    }


@router.post("/links/{link}/adjusting", summary="What an adjustment would move, without doing it")
def preview_adjustment(link: LinkName, form: AdjustForm, runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
    by, floor = caller.may(Power.ADJUST).signed, runtime.leading()
    _brief(runtime, link)
    act = acts.Adjust(id=propose.PLANNED, by=by, second=propose.SOMEBODY, **form.model_dump())
    return floor.ask(link, lambda held: propose.adjustment(held, act, floor.now()))


class BackOutForm(Form):
    award: Annotated[StrictInt, Field(ge=0, le=MOST)]


@router.post("/links/{link}/backing-out", summary="What the back-out of an award would move, without doing it")
def preview_back_out(link: LinkName, form: BackOutForm, runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
    by, floor = caller.may(Power.ADJUST).signed, runtime.leading()
    _brief(runtime, link)
    signed: dict[str, Any] = {"id": propose.PLANNED, "by": by, "second": propose.SOMEBODY}
    act = acts.BackOut(**signed, award=form.award, reason=propose.PLANNED)
    return floor.ask(link, lambda held: propose.backing_out(held, act, floor.now()))


# A link's future


@router.get("/links/{link}/outlook", summary="The next wager's worth, break-even, times and bands, from the meters now")
async def get_outlook(
    link: LinkName,
    runtime: TheRuntime,
    caller: SignedInCaller,
    play: ThePlay,
    *,
    seats: Annotated[int | None, Query(description="That bet the progressive, at a table.", ge=1, le=SEATS)] = None,
    rounds_per_hour: Annotated[int | None, Query(ge=1, le=1_000)] = None,
    hours_per_day: Annotated[int | None, Query(ge=1, le=24)] = None,
) -> dict[str, Any]:
    """Exact but for the bands ahead, which are played; see docs/guides/meter-planner.md for what is assumed."""
    caller.may(Power.READ_LEDGER)
    brief = _brief(runtime, link)
    assert brief.setup is not None
    values = {"seats": seats, "rounds_per_hour": rounds_per_hour, "hours_per_day": hours_per_day}
    traffic = tuple((name, value) for name, value in values.items() if value is not None)
    meters, reserves = (
        tuple(cents[level] for level in brief.setup.level) for cents in (brief.shown_cents, brief.reserve_cents)
    )
    setup = json.dumps(brief.setup.as_json(), sort_keys=True)
    answer: dict[str, Any] = await play.analyst.ask(questions.outlook, setup, meters, reserves, traffic)
    return {"link": link, "at": utc_now(), "number": brief.entries, **answer}


@router.get("/links/{link}/worth", summary="What the next wager is worth with the meters now, and to whom")
async def get_worth(link: LinkName, runtime: TheRuntime, caller: SignedInCaller, play: ThePlay) -> dict[str, Any]:
    """Exact. Where the wager is good for players, with the simple count that tells when it is best."""
    caller.may(Power.READ_LEDGER)
    brief = _brief(runtime, link)
    assert brief.setup is not None
    meters = tuple(brief.shown_cents[level] for level in brief.setup.level)
    setup = json.dumps(brief.setup.as_json(), sort_keys=True)
    answer: dict[str, Any] = await play.analyst.ask(questions.worth, setup, meters)
    return {"link": link, "at": utc_now(), "number": brief.entries, **answer}


# The separate account


@router.get("/bank/account", summary="The separate account: declarations, deposits, when the next is due, who is owed")
def get_account(runtime: TheRuntime, caller: SignedInCaller) -> dict[str, Any]:
    caller.may(Power.READ_LEDGER)
    house, now = runtime.house, utc_now()
    bank, rules = house.site.bank, house.site.rules(now)
    every, last = rules.number(Fact.DEPOSIT_EVERY), bank.deposited_at or bank.opened_at
    due = written((time_of(last) + timedelta(days=every)).timestamp()) if every and last else None
    cited = [rules.get(fact) for fact in (Fact.SEPARATE_ACCOUNT, Fact.DEPOSIT_EVERY)]
    return {
        **{"balance_cents": bank.balance_units // UNITS_PER_CENT, "declared_at": bank.declared_at},
        **{"deposited_at": bank.deposited_at, "deposit_every_days": every, "deposit_due_at": due},
        "rules": [rule.as_json() for rule in cited if rule is not None],
        "links": [_owed(runtime, brief) for brief in list(house.links.values()) if brief.setup],
        "entries": _bank_entries(runtime),
    }


def _owed(runtime: Runtime, brief: LinkBrief) -> dict[str, Any]:
    """What one link owes, by account, and what its wagers brought since the last deposit."""
    totals, bank = brief.totals, runtime.house.site.bank
    names = ("meters", "reserve", "overflow", "pending")
    since = max(0, totals.contributed - bank.contributed_then.get(brief.name, 0))
    return {
        **{"link": brief.name, "status": str(brief.status)},
        **{f"{name}_cents": up_to_cents(getattr(totals, name)) for name in names},
        "on_its_way_cents": up_to_cents(runtime.house.on_its_way(brief)),
        "since_deposit_cents": since // UNITS_PER_CENT,
    }


def _bank_entries(runtime: Runtime) -> list[dict[str, Any]]:
    """The last declarations and deposits, the newest first. The site's book is short."""
    rows = (row for row in runtime.reading.rows(SITE) if row.kind in (EntryKind.DECLARE_BANK, EntryKind.DEPOSIT))
    entries = [row.entry() for row in deque(rows, maxlen=MOST_ENTRIES)]
    return [
        {
            **{"number": entry.number, "at": entry.at, "kind": entry.kind, "by": entry.facts.get("by")},
            "cents": entry.facts.get("balance_cents", entry.facts.get("amount_cents")),
            "reference": entry.facts.get("reference", ""),
        }
        for entry in reversed(entries)
    ]
