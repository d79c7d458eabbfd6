"""Streams of server-sent events: how one begins and stays alive, and how many there may be."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

from fastapi.responses import StreamingResponse

from croupier.web.errors import ApiError

BEGIN = b"retry: 1000\n"
"""After how many milliseconds a listener whose connection is lost comes back."""
STILL_HERE = b": still here\n\n"
KEEP_ALIVE_S = 15.0
FULL_S = 5
"""After how many seconds somebody for whom there was no room may ask again."""


def described(what: str) -> dict[int | str, dict[str, Any]]:
    """The answer of a route that streams, for the API's description."""
    return {200: {"content": {"text/event-stream": {}}, "description": what}}


class Places:
    """So many may listen: in all, from one address, and with the token of one device or as one person."""

    def __init__(self, most: int, each_address: int, each_holder: int) -> None:
        self.most, self.each_address, self.each_holder = most, each_address, each_holder
        self.taken = 0
        self._addresses: Counter[str] = Counter()
        self._holders: Counter[str] = Counter()

    @contextmanager
    def take(self, address: str = "", holder: str = "") -> Iterator[None]:
        """One place, for as long as it lasts; a stranger holds no token, and counts by the address alone."""
        self._check(address, holder)
        self.taken += 1
        self._addresses[address] += 1
        self._holders[holder] += 1
        try:
            yield
        finally:
            self.taken -= 1
            self._addresses -= Counter([address])
            self._holders -= Counter([holder])

    def _check(self, address: str, holder: str) -> None:
        """Refuse whoever would be one too many: 429 where it is their own doing, 503 where all places are taken."""
        for status, here, most, where in (
            (429, self._holders[holder] if holder else -1, self.each_holder, "with this token"),
            (429, self._addresses[address], self.each_address, "from this address"),
            (503, self.taken, self.most, "at this server"),
        ):
            if here >= most:
                sentence = f"At most {most:,} can listen {where}: close some, or try again in {FULL_S} seconds."
                raise ApiError(status, "too-many-listeners", sentence, headers={"Retry-After": str(FULL_S)})


async def streamed(told: AsyncIterator[bytes]) -> StreamingResponse:
    """An answer that goes on. Its greeting is waited for here, so that whoever would be one too many is refused."""
    greeting = await anext(told)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_from(greeting, told), media_type="text/event-stream", headers=headers)


async def _from(greeting: bytes, told: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield greeting
    async for event in told:
        yield event
