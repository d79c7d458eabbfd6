"""The server put together: routes, errors, limits, events, and what is done when it starts and stops.

app = create_app(Settings(db="sqlite:///floor.db"))
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp

from croupier.audit.documents import MOST_BYTES
from croupier.errors import CroupierError
from croupier.program import program
from croupier.web import errors, inspection
from croupier.web.cluster.forwarding import Forwarding
from croupier.web.cluster.leaders_word import LeadersWord
from croupier.web.cluster.runtime import Runtime
from croupier.web.floor import days, devices, ledger, log, previews, register, reports
from croupier.web.floor import routes as floor
from croupier.web.floor.table_acts import TableActs
from croupier.web.games import routes as games
from croupier.web.games.play import Guest
from croupier.web.games.training import deal, school
from croupier.web.identity import people as workers
from croupier.web.identity import routes as people
from croupier.web.identity.callers import Shares
from croupier.web.live import routes as events
from croupier.web.live.hub import Hub
from croupier.web.logs import Logged, RequestLog
from croupier.web.logs import log as server_log
from croupier.web.metrics import install_metrics
from croupier.web.pages import console, lab, play, rulebook, search
from croupier.web.pages import router as pages
from croupier.web.pages.templates import Files, install_error_pages
from croupier.web.settings import Settings
from croupier.web.transport.clients import Clients, Proxies
from croupier.web.transport.connections import Bodies, Limits

DESCRIPTION = """
The floor of a card room: links, tables, awards, people, devices, books and reports; and the games with their math.

* Money is in whole cents (`..._cents`) or, in entries of a book, in millionths of a cent (`unit: "1e-6 cent"`).
* Every act carries an `id` that the client makes. Sent again with the same id, it is answered with the first result.
* Errors have one form: `{"error": {"code", "sentence", "retry"}}`.
"""
KEEP_EVERY_S = 0.2


def _together() -> APIRouter:
    """All routes of the program."""
    parts = (floor, devices, people, workers, events, reports, days, ledger, log, previews, register, games, deal)
    together = APIRouter(responses=errors.RESPONSES)
    for part in (*parts, school, inspection, pages, console, play, rulebook, lab, search):
        together.include_router(part.router)
    together.include_router(people.site_router)
    together.include_router(play.deal_router)
    return together


ROUTES = _together()
"""Made once: FastAPI reads the signature of each route that an app includes, which takes half a second, and would do so
anew for each app of a process."""


def create_app(settings: Settings, guest: Guest | None = None) -> FastAPI:
    """A guest, such as the demo, joins the games: it hears of every round, and brings routes of its own.

    `app.state.front` is what stands before all its layers: who a client is behind a proxy, and the acts of a table."""
    hub = Hub()
    runtime = Runtime(settings, listener=hub.heard, turned=hub.heard_all)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        began = time.perf_counter()
        hub.begin(asyncio.get_running_loop(), runtime)
        await asyncio.to_thread(runtime.begin)
        figures.start.set(time.perf_counter() - began)
        hub.heard_all()
        keeping = asyncio.create_task(_keep(runtime))
        try:
            async with ROUTES.lifespan_context(app):
                yield
        finally:
            keeping.cancel()
            hub.end()
            await app.state.leaders_word.close()
            await asyncio.to_thread(runtime.close)

    app = FastAPI(
        title="Croupier",
        version=program().version,  # its digest is taken here too, before anybody could replace a file
        description=DESCRIPTION,
        lifespan=life,
        docs_url=None,  # the pages have it, without scripts from elsewhere
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses=errors.RESPONSES,
        telemetry={"tracing": False, "metrics": False, "logs": False},  # figures are ours alone, in /metrics
    )
    app.state.runtime, app.state.hub, app.state.histories, app.state.fed = runtime, hub, {}, {}
    app.state.guest, app.state.shares = guest, Shares()
    app.state.leaders_word = LeadersWord(runtime)
    figures = install_metrics(app, runtime, hub)
    errors.install(app)
    install_error_pages(app)
    lines, bodies = RequestLog(figures.requests), Bodies(settings.most_body_bytes, (register.DOCUMENTS, MOST_BYTES))
    # The last that is added is asked first: each stands in front of those above it.
    app.add_middleware(Forwarding, runtime=runtime)
    app.add_middleware(Limits, bodies=bodies)
    app.add_middleware(Logged, log=lines)
    app.add_middleware(errors.Told)
    front: ASGIApp = TableActs(app, lines, bodies)
    if settings.behind_proxy:
        front = Clients(front, Proxies(settings.believed_proxies))
    app.state.front = front  # what a server listens with
    app.router.routes.extend(ROUTES.routes)
    if guest is not None:
        app.include_router(guest.router)
    app.mount("/static", GZipMiddleware(Files(), compresslevel=6))
    return app


async def _keep(runtime: Runtime) -> None:
    """Lead or follow, as the other servers of the site let us."""
    told = ""
    while True:
        try:
            await asyncio.to_thread(runtime.keep)
            told = ""
        except Exception as error:  # a store that cannot be reached: the next round tries again, and readiness says so
            if repr(error) != told:  # once, not every second
                told = repr(error)
                known = {"sentence": str(error)} if isinstance(error, CroupierError) else {"exc_info": error}
                server_log.warning("cannot-lead-or-follow", **known)
            await asyncio.sleep(1)
        await asyncio.sleep(KEEP_EVERY_S)
