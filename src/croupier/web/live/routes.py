"""Routes for listening, and for whoever watches the server itself."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated, Any

from fastapi import APIRouter, Header, Request
from fastapi.responses import JSONResponse, StreamingResponse
from starlette.concurrency import run_in_threadpool

from croupier.errors import CroupierError, UnknownName
from croupier.web.cluster.leaders_word import ASKED, LeadersWord
from croupier.web.cluster.runtime import Runtime
from croupier.web.identity.callers import Caller, Reader, TheRuntime, caller_of, check_sees
from croupier.web.identity.store import SignedInSession, utc
from croupier.web.live.hub import Hub
from croupier.web.streams import described, streamed

router = APIRouter()
STAFF_S = 1.0
"""How long whoever asks for readiness with a token is looked up."""
LOOK_EVERY_S = 10.0
"""How often a listener's session is looked up."""
STREAM = described("Server-sent events named `floor`.")


@router.get("/api/events", tags=["events"], summary="Live events of the links, resumed by id", responses=STREAM)
async def get_events(
    request: Request,
    runtime: TheRuntime,
    caller: Reader,
    link: str | None = None,
    last_event_id: Annotated[str, Header()] = "",
) -> StreamingResponse:
    """First the state of every link, then the states that change and what happened:
    `{"links": [...], "moments": [...], "left_out": false}`.

    A listener that comes back with `Last-Event-ID` hears what happened meanwhile; where that is too much, the newest
    of it, and `left_out` is true. So it is where the id is none that this site has told.
    """
    hub: Hub = request.app.state.hub
    if link:
        check_sees(caller, link)
    only = link or (caller.device.link if caller.device else "") or None
    if only is not None and only not in runtime.house.links:
        raise UnknownName("link", only, runtime.house.links)
    hears = frozenset({only}) if only else None
    permit = Permit(runtime, caller)
    told = hub.listen(hears, last_event_id, source=caller.source, holder=caller.holder, allowed=permit)
    return await streamed(told)


class Permit:
    """Whether a listener may still hear: a stream outlives the request's own check by hours.

    Hearing does not keep a session alive; it ends with the session.
    """

    def __init__(self, runtime: Runtime, caller: Caller) -> None:
        self._runtime, self._person, self._device = runtime, caller.person, caller.device
        self._session, self._looked = caller.session, time.monotonic()

    async def __call__(self) -> bool:
        site = self._runtime.house.site
        if self._device is not None:
            now = site.devices.get(self._device.id)
            if now is None or not now.active or now.token != self._device.token:
                return False
        if self._person is not None and self._session is not None:
            person = site.people.by_id.get(self._person.id)
            if person is None or not person.active or person.card != self._session.card:
                return False
            return await self._goes_on(self._session)
        return True

    async def _goes_on(self, session: SignedInSession) -> bool:
        """Looked up now and then, because signing out ends it."""
        if time.monotonic() - self._looked >= LOOK_EVERY_S:
            session_kept = await run_in_threadpool(self._runtime.sessions.session, session.token_hash)
            if session_kept is None:
                return False
            self._session, self._looked = session_kept, time.monotonic()
            return session_kept.ends > utc()
        return session.ends > utc()


@router.get("/api/health", tags=["server"], summary="Whether the server runs")
async def health() -> dict[str, str]:
    return {"status": "running"}


@router.get("/api/ready", tags=["server"], summary="Whether the server can take acts", response_model=None)
async def ready(request: Request, runtime: TheRuntime) -> dict[str, Any] | JSONResponse:
    """`ready` where it leads, `following` where it sends acts on to the server that does, and that one is ready.

    A link whose book is damaged stays closed alone: `damaged` names it, and the others are dealt.

    Why it cannot is told to people who have signed in at a console; the log and `/metrics` have it too.
    """
    (status, troubles), damaged = runtime.standing(), runtime.damaged()
    if runtime.floor is None and not troubles and ASKED not in request.headers:
        word: LeadersWord = request.app.state.leaders_word
        troubles = {"leader": trouble} if (trouble := await word.trouble()) else {}
    if not troubles and not damaged:
        return {"status": status, "troubles": {}, **await _alarms(request, runtime)}
    if not await _is_staff(request):
        troubles = dict.fromkeys(troubles, "Not available just now; the log says why.")
        damaged = dict.fromkeys(damaged, "It stays closed; the log says why.")
    answer: dict[str, Any] = {"status": "troubled" if troubles else status, "troubles": troubles}
    answer |= {"damaged": damaged} if damaged else {}
    answer |= await _alarms(request, runtime)
    return JSONResponse(answer, status_code=503) if troubles else answer


async def _alarms(request: Request, runtime: TheRuntime) -> dict[str, Any]:
    """What somebody has to look at, and keeps nobody from playing; the places are named to staff alone."""
    alarms = runtime.alarms()
    if alarms and not await _is_staff(request):
        sentences = {
            "calls": "Calls do not reach the pagers; the log says why.",
            "disk": "The disk has failed since the start; the log says how.",
            "program": "The program is not as it was; the log says why.",
            "self-check": "Not all books could be read through since the start; it is tried again.",
        }
        anchors = "Anchors do not leave the house; the log says why."
        alarms = {name if name in sentences else "anchors": sentences.get(name, anchors) for name in alarms}
    return {"alarms": alarms} if alarms else {}


async def _is_staff(request: Request) -> bool:
    """Whoever asks while the store is away may not be found: then as a stranger."""
    try:
        async with asyncio.timeout(STAFF_S):
            return bool((await caller_of(request)).with_pin())
    except (CroupierError, TimeoutError):
        return False
