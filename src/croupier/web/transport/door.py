"""The door: how many connections a server has, from where, and who gives way when there is no room.

A connection is a stranger's until a device's token or a session has come over it. Strangers never have all places: some
are kept for networks from which somebody was recognised lately. When their places are taken, the stranger who has been
quiet longest goes and the newcomer comes in, so whoever asks at once is heard, however many ask nothing. Whoever was
recognised stays; of one holder of a token only so many connections do.
"""

from __future__ import annotations

import resource
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from croupier.web.transport.clients import MOST_PLACES, Proxies, network_of

KEPT_PART = 4
"""One place in so many is kept from strangers."""
KNOWN_S = 24 * 3_600.0
"""How long a network counts as one where somebody was recognised."""
MOST_OF_HOLDER = 128
"""Connections of one device or person that give way to nobody."""
KEPT_FILES = 200
"""For the books, the databases and whatever else a server opens."""


def allow_files(wanted: int) -> int:
    """How many connections this process may have open, after it has asked for as many as are wanted."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted + KEPT_FILES:
        soft = wanted + KEPT_FILES if hard == resource.RLIM_INFINITY else min(hard, wanted + KEPT_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return wanted if soft == resource.RLIM_INFINITY else max(1, min(wanted, soft - KEPT_FILES))


def _nothing() -> None:
    pass


@dataclass(eq=False)
class Place:
    """One connection inside."""

    door: Door
    network: str
    crowd: Crowd
    """Among whom it stands while nobody was recognised on it."""
    is_proxy: bool = False
    drop: Callable[[], None] = _nothing
    """Ends the connection."""
    holder: str = ""
    """Who was recognised on it first."""
    is_kept: bool = False
    """Whether it gives way to nobody."""
    is_inside: bool = True

    def stir(self) -> None:
        """It has asked something whole, or was answered: it is the last now to give way."""
        if not self.is_kept and self.is_inside:
            self.crowd.move_to_end(self)
            self.door.at[self.network].move_to_end(self)

    def recognise(self, holder: str) -> None:
        """The token of a device or of a session has come over it."""
        if self.holder != holder:
            self.door.recognise(self, holder)

    def leave(self) -> None:
        self.door.leave(self)


Crowd = OrderedDict[Place, None]
"""Places that give way, those that have been quiet longest first."""


@dataclass
class Door:
    """Counts who is inside, and says who comes in."""

    most: int
    most_each: int
    """From one network: an address, of IPv6 64 bits."""
    proxies: Proxies | None = None
    clock: Callable[[], float] = time.monotonic
    inside: Counter[str] = field(default_factory=Counter)
    """By network."""
    strangers: Crowd = field(default_factory=OrderedDict)
    guests: Crowd = field(default_factory=OrderedDict)
    """From a proxy, or from a network where somebody was recognised."""
    surplus: Crowd = field(default_factory=OrderedDict)
    """Of holders who have more than stay: the first to go."""
    at: dict[str, Crowd] = field(default_factory=dict)
    """All of them by network."""
    holders: Counter[str] = field(default_factory=Counter)
    known: OrderedDict[str, float] = field(default_factory=OrderedDict)
    """Until when a network is one where somebody was recognised."""
    count: int = 0
    told: int = 0
    """Who is just being turned away."""

    @property
    def most_strangers(self) -> int:
        return max(1, self.most - self.most // KEPT_PART)

    def enter(self, address: str) -> Place | str:
        """A place, or why there is none; somebody else may have had to go for it."""
        network = network_of(address)
        is_proxy = self._is_proxy(address)
        if (
            not is_proxy
            and self.inside[network] >= self.most_each
            and not self._give_way(self.at.get(network, OrderedDict()))
        ):
            return f"There are {self.most_each:,} connections from this address, and it may have no more: close some."
        crowd = self.guests if is_proxy or self._is_known(network) else self.strangers
        if crowd is self.strangers and len(crowd) >= self.most_strangers:
            self._give_way(crowd)
        if self.count >= self.most and not any(map(self._give_way, (self.surplus, self.strangers, self.guests))):
            return f"This server has {self.most:,} connections, and takes no more: try again."
        place = Place(self, network, crowd, is_proxy)
        self.inside[network] += 1
        self.count += 1
        self._stand(place)
        return place

    def leave(self, place: Place) -> None:
        if not place.is_inside:
            return
        place.is_inside = False
        if place.is_kept:
            self._know(place.network)
            self.holders[place.holder] -= 1
            if not self.holders[place.holder]:
                del self.holders[place.holder]
        else:
            self._unstand(place)
        self.inside[place.network] -= 1
        self.count -= 1
        if not self.inside[place.network]:
            del self.inside[place.network]

    def recognise(self, place: Place, holder: str) -> None:
        """Of one who has as many connections as stay, the others are the first to give way."""
        self._know(place.network)
        if place.is_kept or not place.is_inside:
            return
        place.holder = holder
        self._unstand(place)
        if self.holders[holder] < MOST_OF_HOLDER or place.is_proxy:
            place.is_kept = True
            self.holders[holder] += 1
        else:
            place.crowd = self.surplus
            self._stand(place)

    # Those who give way

    def _stand(self, place: Place) -> None:
        place.crowd[place] = None
        self.at.setdefault(place.network, OrderedDict())[place] = None

    def _unstand(self, place: Place) -> None:
        del place.crowd[place]
        crowd = self.at[place.network]
        del crowd[place]
        if not crowd:
            del self.at[place.network]

    def _give_way(self, crowd: Crowd) -> bool:
        """Whether somebody could."""
        if not crowd:
            return False
        place = next(iter(crowd))
        self.leave(place)
        place.drop()
        return True

    # Networks

    def _know(self, network: str) -> None:
        self.known[network] = self.clock() + KNOWN_S
        self.known.move_to_end(network)
        while len(self.known) > MOST_PLACES:
            self.known.popitem(last=False)

    def _is_known(self, network: str) -> bool:
        return self.known.get(network, 0.0) > self.clock()

    def _is_proxy(self, address: str) -> bool:
        return self.proxies is not None and self.proxies.believe(address)
