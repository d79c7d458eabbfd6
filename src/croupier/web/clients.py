"""Where a request comes from: the address of the connection, or the one that a believed proxy names.

Proxies append to `X-Forwarded-For`, so it is read from its end: the first address that is none of ours is the client.
What is no address is not taken for one: it would stand in the books, and count as another place where cards fail.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from functools import lru_cache

from starlette.types import ASGIApp, Receive, Scope, Send

from croupier.web.logs import log

FORWARDED_FOR, FORWARDED_PROTO = b"x-forwarded-for", b"x-forwarded-proto"
LONGEST = 64
"""Longer than any address is written."""
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


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
        found = ipaddress.ip_address(text)
    except ValueError:
        return ""
    mapped = getattr(found, "ipv4_mapped", None)
    return str(mapped or found)


class Proxies:
    """The addresses whose word is believed."""

    def __init__(self, networks: Iterable[str]) -> None:
        self._networks = tuple(ipaddress.ip_network(each, strict=False) for each in networks)
        self.believe = lru_cache(1_024)(self._believe)

    def _believe(self, address: str) -> bool:
        known = as_address(address)
        return bool(known) and any(ipaddress.ip_address(known) in each for each in self._networks)

    def client(self, forwarded: str) -> str:
        """Whom the proxies name; nothing where it is no address."""
        found = ""
        for each in reversed(forwarded.split(",")):
            found = as_address(each)
            if not found or not self.believe(found):
                break
        return found


class Clients:
    """Puts the client in the place of the proxy that sent its request."""

    def __init__(self, app: ASGIApp, proxies: Proxies | None) -> None:
        self._app, self._proxies, self._warned = app, proxies, False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            self.read(scope)
        await self._app(scope, receive, send)

    def read(self, scope: Scope) -> None:
        proxies = self._proxies
        if proxies is None:
            return
        said = b", ".join(value for name, value in scope["headers"] if name == FORWARDED_FOR).decode("latin-1")
        peer = (scope.get("client") or ("", 0))[0]
        if not proxies.believe(peer):
            self._warn(said, peer)
            return
        client = proxies.client(said) if said else ""
        if client:
            scope["client"] = (client, 0)
        scheme = next((value for name, value in scope["headers"] if name == FORWARDED_PROTO), b"")
        if scheme in (b"http", b"https"):
            scope["scheme"] = scheme.decode()

    def _warn(self, said: str, peer: str) -> None:
        """Once: else every client of a proxy that was not named would be taken for the same one, and nobody knew."""
        if said and not self._warned:
            self._warned = True
            log.warning("proxy-not-believed", proxy=peer, hint="name it with --proxies if it is yours")
