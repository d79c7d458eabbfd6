"""How often one place may try something: so many at once, and then so many a minute."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from croupier.web.errors import ApiError

MOST_PLACES = 10_000


class Rate:
    """Counts by place, in this process. A place that is quiet for a minute begins anew."""

    def __init__(self, a_minute: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._clock = a_minute, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def take(self, place: str) -> None:
        """One try; refused where there is none left."""
        with self._lock:
            now = self._clock()
            left, then = self._left.pop(place, (float(self._most), now))
            left = min(float(self._most), left + (now - then) * self._most / 60)
            self._left[place] = (max(0.0, left - 1), now)
            while len(self._left) > MOST_PLACES:
                self._left.popitem(last=False)
        if left < 1:
            wait = str(int((1 - left) * 60 / self._most) + 1)
            sentence = f"At most {self._most} tries a minute from one place: wait {wait} seconds."
            raise ApiError(429, "too-many-tries", sentence, headers={"Retry-After": wait})
