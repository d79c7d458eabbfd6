"""Where a request comes from: the address of the connection, or the one that a believed proxy names.

Proxies append to `X-Forwarded-For`, so it is read from its end: the first address that is none of ours is the client.
What is no address is not taken for one: it would stand in the books, and count as another place where cards fail.
"""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import lru_cache
from threading import Lock
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from croupier.web.errors import ApiError
from croupier.web.logs import log

FORWARDED_FOR, FORWARDED_PROTO = b"x-forwarded-for", b"x-forwarded-proto"
LONGEST = 64
"""Longer than any address is written."""
PLACE = "croupier.place"
"""Among a request's extensions: the place of its connection at the door, where it has come through one."""
WHOLE = "croupier.whole"
"""The same: whether all of its body is here, so that nobody has to wait for it."""


def recognise(scope: Scope, holder: str) -> None:
    """Let the connection of a request keep its place: a device's token or a session has come over it."""
    place: Any = scope.get("extensions", {}).get(PLACE)
    if place is not None:
        place.recognise(holder)


def as_address(text: str) -> str:
    """An address as it is usually written, without a port; nothing where it is none."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    if len(text) > LONGEST or "%" in text:
        return ""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return ""
    mapped = getattr(address, "ipv4_mapped", None)
    return str(mapped or address)


class Proxies:
    """The addresses whose word is believed."""

    def __init__(self, networks: Iterable[str]) -> None:
        self._networks = tuple(ipaddress.ip_network(network, strict=False) for network in networks)
        self.believe = lru_cache(1_024)(self._believe)

    def _believe(self, address: str) -> bool:
        known = as_address(address)
        return bool(known) and any(ipaddress.ip_address(known) in network for network in self._networks)

    def client(self, forwarded: str) -> str:
        """Whom the proxies name; nothing where it is no address."""
        address = ""
        for text in reversed(forwarded.split(",")):
            address = as_address(text)
            if not address or not self.believe(address):
                break
        return address


class Clients:
    """Puts the client in the place of the proxy that sent its request."""

    def __init__(self, app: ASGIApp, proxies: Proxies) -> None:
        self._app, self._proxies, self._warned = app, proxies, False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            self.read(scope)
        await self._app(scope, receive, send)

    def read(self, scope: Scope) -> None:
        proxies = self._proxies
        header = b", ".join(value for name, value in scope["headers"] if name == FORWARDED_FOR).decode("latin-1")
        peer = (scope.get("client") or ("", 0))[0]
        if not proxies.believe(peer):
            self._warn(header, peer)
            return
        client = proxies.client(header) if header else ""
        if client:
            scope["client"] = (client, 0)
        scheme = next((value for name, value in scope["headers"] if name == FORWARDED_PROTO), b"")
        if scheme in (b"http", b"https"):
            scope["scheme"] = scheme.decode()

    def _warn(self, header: str, peer: str) -> None:
        """Once: else every client of a proxy that was not named would be taken for the same one, and nobody knew."""
        if header and not self._warned:
            self._warned = True
            log.warning("proxy-not-believed", proxy=peer, hint="name it among the server's proxies if it is yours")


# How often one place may try something: so many at once, and then so many a minute.

MOST_PLACES = 10_000
NETWORK_BITS = 64
"""Of an IPv6 address: whoever has one has all that begin alike."""


@lru_cache(MOST_PLACES)
def network_of(source: str) -> str:
    """What counts as one place: an address, of IPv6 the network; what is no address is a place by itself."""
    try:
        address = ipaddress.ip_address(source.partition("%")[0])
    except ValueError:
        return source
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, NETWORK_BITS), strict=False))


class Rate:
    """Counts by place, in this process. A place that is quiet for a minute begins anew.

    A place may be a whole house behind one address, so it is allowed what many people do; and in each round, where that
    is said, what one person does.
    """

    def __init__(
        self,
        a_minute: int,
        *,
        in_a_round: int | None = None,
        what: str = "tries",
        where: str = "from one place",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most, self._what, self._where, self._clock = a_minute, what, where, clock
        self._in_a_round = Rate(in_a_round, where="in one round", clock=clock) if in_a_round else None
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def take(self, place: str, round_: str = "") -> None:
        """One try; refused where there is none left."""
        self._take(place)
        if self._in_a_round and round_:
            self._in_a_round._take(round_)

    def _take(self, place: str) -> None:
        place = network_of(place)
        with self._lock:
            now = self._clock()
            left, then = self._left.pop(place, (float(self._most), now))
            left = min(float(self._most), left + (now - then) * self._most / 60)
            self._left[place] = (max(0.0, left - 1), now)
            while len(self._left) > MOST_PLACES:
                self._left.popitem(last=False)
        if left < 1:
            wait = str(int((1 - left) * 60 / self._most) + 1)
            sentence = f"At most {self._most:,} {self._what} a minute {self._where}: wait {wait} seconds."
            raise ApiError(429, "too-many-tries", sentence, headers={"Retry-After": wait})
