"""What the server that leads says of itself, for one that follows: what is sent on to it is taken there or nowhere."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from time import monotonic

import httpx

from croupier.web.cluster.forwarding import client_of
from croupier.web.cluster.runtime import Runtime

FRESH_S = 1.0
"""How long what it has said is gone by: strangers ask for readiness too."""
ANSWER_S = 2.0
ASKED = "x-croupier-asked"
"""Whoever is asked with it speaks for itself alone: two servers that take each other for the leader ask once."""


class LeadersWord:
    """Asked at most once a second, however many ask here."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._client: httpx.AsyncClient | None = None
        self._lock = asyncio.Lock()
        self._said, self._until = ("", ""), 0.0
        """Whom it was asked of, and what is in the way there."""

    async def trouble(self) -> str:
        """Why nothing that is sent on would be taken, in a sentence; nothing where it would."""
        follower = self._runtime.follower
        if follower is None or not follower.led or follower.leader.out_of_reach(self._runtime.server):
            return ""  # that is told already
        address = follower.leader.address
        async with self._lock:
            if self._said[0] != address or monotonic() >= self._until:
                self._said = address, await self._ask(address)
                self._until = monotonic() + FRESH_S
        return self._said[1]

    async def _ask(self, address: str) -> str:
        try:
            self._client = self._client or client_of(self._runtime.settings)
            async with asyncio.timeout(ANSWER_S):
                answer = await self._client.get(f"{address}/api/ready", headers={ASKED: "1"})
            ready = answer.status_code == 200 and answer.json()["status"] == "ready"
        except (httpx.HTTPError, OSError):  # as the certificate's file may be gone
            return "The server that leads does not answer this one."
        except (ValueError, KeyError, TypeError):
            ready = False
        return "" if ready else "The server that leads takes no acts just now: its own readiness says why."

    async def close(self) -> None:
        if self._client is not None:
            with suppress(httpx.HTTPError):
                await self._client.aclose()
