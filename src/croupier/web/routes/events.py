"""Routes for listening, and for whoever watches the server itself."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, StreamingResponse

from croupier.errors import UnknownName
from croupier.web.callers import Reader, TheRuntime
from croupier.web.hub import Hub

router = APIRouter()
STREAM: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {}}, "description": "Server-sent events named `floor`."}
}


@router.get("/api/events", summary="Live events of the links, resumed by id", responses=STREAM)
async def get_events(
    request: Request, runtime: TheRuntime, caller: Reader, link: str | None = None
) -> StreamingResponse:
    """First the state of every link, then every change: `{"links": [...], "moments": [...]}`."""
    hub: Hub = request.app.state.hub
    only = link or (caller.device.link if caller.device else "") or None
    if only is not None and only not in runtime.house.links:
        raise UnknownName("link", only, runtime.house.links)
    links = frozenset({only}) if only else None
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_lines(hub, links), media_type="text/event-stream", headers=headers)


async def _lines(hub: Hub, links: frozenset[str] | None) -> AsyncIterator[bytes]:
    async for told in hub.listen(links):
        if not told:
            yield b": still here\n\n"
            continue
        ids = ",".join(f"{each['link']}={each['number']}" for each in told["links"])
        yield f"id: {ids}\nevent: floor\ndata: {json.dumps(told, separators=(',', ':'))}\n\n".encode()


@router.get("/api/health", summary="Whether the server runs")
def health() -> dict[str, str]:
    return {"status": "running"}


@router.get("/api/ready", summary="Whether the server can take acts", response_model=None)
def ready(runtime: TheRuntime) -> dict[str, Any] | JSONResponse:
    if runtime.floor is None:
        return JSONResponse({"status": "following", "troubles": {}}, status_code=503)
    troubles = runtime.floor.troubles
    if troubles:
        return JSONResponse({"status": "troubled", "troubles": troubles}, status_code=503)
    return {"status": "ready", "troubles": {}}
