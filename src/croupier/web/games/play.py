"""The games' part of a running server: rounds, the process that counts, and jobs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Annotated, Any, Protocol

from fastapi import APIRouter, Depends, FastAPI, Request

from croupier.floor.people import DeviceKind
from croupier.web.errors import ApiError
from croupier.web.games.analyst import Analyst
from croupier.web.games.jobs import Jobs
from croupier.web.games.rounds import Opener, Rounds, Standing
from croupier.web.games.spectators import Spectators
from croupier.web.games.store import NOBODY, JobStore, RoundStore, play_database
from croupier.web.identity.callers import AnyCaller, Caller
from croupier.web.identity.cookies import player_token
from croupier.web.transport.clients import Rate
from croupier.web.turns import Turns

OPENINGS, ACTS, LOOKS, HINTS, FIGURES = 300, 1_200, 2_400, 300, 300
"""A minute, from one place, without signing in: a class, or the guests of a house that share an address."""
ACTS_IN_A_ROUND, HINTS_IN_A_ROUND = 240, 60
"""A minute: what one person does."""
HINT_S = 60.0
"""How long a round's decisions are counted, and what its wagers were worth: each by a process of its own, because
anybody may ask, and because whoever decides now does not wait for the account of a table with rules of its own."""
LAB_S = 60.0
"""How long a paytable in the lab is counted: beside the PAR sheets, because somebody is typing."""


class Guest(Protocol):
    """Somebody who joins the games of a server without being a part of it, as the demo does."""

    @property
    def router(self) -> APIRouter:
        """The guest's own routes."""

    def offer(self, standing: Standing) -> None:
        """Hears of every round as it stands after an act."""

    def usual(self, game: str) -> Mapping[str, Any] | None:
        """How a table of this game is opened where nobody has set it otherwise; None for the server's own way."""

    def door(self) -> Mapping[str, Any]:
        """What the front door shows of the guest: `roles` that can be tried with one press, each with a key and a name,
        `meters`, the address that tells what its link stands at, and `leave`, the one that brings a browser back."""

    def linked(self, game: str) -> str:
        """The wager of this game that the guest follows, told under `/api/rounds/{round}/link`; empty for none."""


class Play:
    """Rounds, jobs and whoever counts for them. A site that only runs its floor keeps no rounds: their tables are made
    when they are first used."""

    def __init__(self, db: str) -> None:
        self.store = RoundStore(play_database(db))
        self.rounds, self.jobs = Rounds(self.store), Jobs(JobStore(self.store.database))
        self.turns = Turns("rounds are played", at_once=2, most_waiting=100, wait_s=10.0)
        self.spectators = Spectators(self.rounds, self.turns)
        self.rounds.told = self.spectators.heard
        self.drills = Turns("drills are made", at_once=1, most_waiting=40, wait_s=10.0)
        self.analyst, self.trainer, self.accountant = Analyst(), Analyst(HINT_S), Analyst(HINT_S)
        self.lab, self.lab_rules = Analyst(LAB_S), Analyst(LAB_S)
        self.public = Analyst()
        self.openings, self.acts = Rate(OPENINGS), Rate(ACTS, in_a_round=ACTS_IN_A_ROUND)
        self.figures = Rate(FIGURES)
        self.looks, self.hints = Rate(LOOKS, in_a_round=ACTS_IN_A_ROUND), Rate(HINTS, in_a_round=HINTS_IN_A_ROUND)

    def close(self) -> None:
        self.jobs.close()
        for analyst in (self.analyst, self.trainer, self.accountant, self.lab, self.lab_rules, self.public):
            analyst.close()
        self.store.database.close()


@asynccontextmanager
async def play_life(app: FastAPI) -> AsyncIterator[None]:
    app.state.play = play = Play(app.state.runtime.settings.db)
    try:
        yield
    finally:
        await asyncio.to_thread(play.close)


def play_of(request: Request) -> Play:
    play: Play = request.app.state.play
    return play


def guest_of(request: Request) -> Guest | None:
    guest: Guest | None = request.app.state.guest
    return guest


ThePlay = Annotated[Play, Depends(play_of)]
TheGuest = Annotated[Guest | None, Depends(guest_of)]


def owner_of(caller: Caller) -> str:
    """Whose round or job it is: a person's, a device's, or that of a place where nobody has signed in."""
    if caller.person is not None:
        return f"person {caller.person.id}"[:120]
    return f"device {caller.device.id}"[:120] if caller.device else f"{NOBODY}{caller.source}"[:120]


def is_nobody(caller: Caller) -> bool:
    return caller.person is None and caller.device is None


async def player_of(caller: AnyCaller) -> Caller:
    """Anybody, signed in or not; but a display only shows."""
    if caller.person is None and caller.device is not None and caller.device.kind is DeviceKind.DISPLAY:
        raise ApiError(403, "read-only", "A display only shows: nothing can be done with its token.")
    return caller


Player = Annotated[Caller, Depends(player_of)]


async def opener_of(request: Request, caller: AnyCaller) -> Opener:
    """Who opens a round or plays it. A browser or a program that has not signed in and has no token yet gets a new one,
    which has opened nothing so far."""
    return Opener(owner_of(caller), player_token(request))


TheOpener = Annotated[Opener, Depends(opener_of)]
