"""How often one place may try something: so many at once, and then so many a minute."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from croupier.web.errors import ApiError

MOST_PLACES = 10_000
NETWORK_BITS = 64
"""Of an IPv6 address: whoever has one has all that begin alike."""


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
        where: str = "from one place",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most, self._where, self._clock = a_minute, where, clock
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
            sentence = f"At most {self._most:,} tries a minute {self._where}: wait {wait} seconds."
            raise ApiError(429, "too-many-tries", sentence, headers={"Retry-After": wait})
