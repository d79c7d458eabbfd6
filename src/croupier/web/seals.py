"""How a server knows that a request comes from another one of its site: a seal that only the site's key can make.

It is good for one request: its client, method, address, body and whoever has signed in; for half a minute; and once.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass

from croupier.progressive.authority import SiteKey

GOOD_FOR_S = 30
"""How far the clocks of two servers may differ before one does not believe the other."""
MOST_KEPT = 200_000
_NONCE_DIGITS = 32


@dataclass(frozen=True)
class Forwarded:
    """What a seal speaks for."""

    client: str
    method: str
    target: bytes
    """The path with its query, as it is sent."""
    credentials: bytes
    """Who has signed in: the headers that say so."""
    body: bytes

    def digest(self, key: SiteKey, stamp: str) -> str:
        parts = (self.client.encode(), self.method.encode(), self.target, self.credentials, self.body)
        made = hmac.new(key.secret, f"forwarded {stamp}".encode(), hashlib.sha256)
        for part in parts:
            made.update(hashlib.sha256(part).digest())
        return made.hexdigest()


def seal(key: SiteKey, request: Forwarded, now: float | None = None) -> str:
    """What a server sends with a request that it forwards."""
    stamp = f"{int(time.time() if now is None else now)}.{secrets.token_hex(_NONCE_DIGITS // 2)}"
    return f"{stamp}.{request.digest(key, stamp)}"


class Seals:
    """Those that were sent here: each is believed once."""

    def __init__(self, key: SiteKey) -> None:
        self._key = key
        self._used: OrderedDict[str, float] = OrderedDict()

    def believe(self, sealed: str, request: Forwarded) -> bool:
        """Whether one of the site's own servers says that this request is the client's, just now."""
        at, _, rest = sealed.partition(".")
        nonce, _, digest = rest.partition(".")
        now = time.time()
        if not (at.isascii() and at.isdigit() and len(at) < 12 and abs(now - int(at)) <= GOOD_FOR_S):
            return False
        if len(nonce) != _NONCE_DIGITS or nonce in self._used:
            return False
        if not hmac.compare_digest(digest.encode(), request.digest(self._key, f"{at}.{nonce}").encode()):
            return False
        self._used[nonce] = now
        self._forget(now - 2 * GOOD_FOR_S - 1)
        return True

    def _forget(self, before: float) -> None:
        """Those that are too old to be believed again."""
        while len(self._used) > MOST_KEPT or next(iter(self._used.values())) < before:
            self._used.popitem(last=False)
