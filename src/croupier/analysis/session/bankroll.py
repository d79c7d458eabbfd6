"""A session with a bankroll: it ends after its rounds, when the next round cannot be paid for, or at a goal.

    walk(law, Purse(bankroll_cents=20_000, needed_cents=1_000), rounds=500)

Every round is a step, so that nobody bets what he does not have. Only positive numbers are added, so a chance is right
to about (rounds x results of a round) x 1e-16 of itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, exp, floor, log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.kernels.bankroll import Steps, play_on
from croupier.analysis.session.law import LEFT_OUT, Results, Station, check_rounds, log_mean, station, tilts
from croupier.analysis.session.rounds import RoundLaw
from croupier.errors import NotationError
from croupier.games.money import dollars

Floats = NDArray[np.float64]
MOST_WORK = 2 * 10**10
"""Additions; a machine makes one or two of these in a nanosecond."""
MOST_CELLS = 2**22


@dataclass(frozen=True)
class Purse:
    """What a player brings, what he must have to play one more round, and what he would leave with."""

    bankroll_cents: int
    needed_cents: Fraction
    goal_cents: int | None = None

    def __post_init__(self) -> None:
        if self.bankroll_cents < self.needed_cents:
            raise NotationError(
                f"A bankroll of {dollars(self.bankroll_cents)} is below what one round needs, "
                f"{dollars(ceil(self.needed_cents))}: bring at least that."
            )
        if self.goal_cents is not None and self.goal_cents <= self.bankroll_cents:
            raise NotationError(
                f"The goal is the money to leave with, so it is above the bankroll of {dollars(self.bankroll_cents)}, "
                f"not {dollars(self.goal_cents)}."
            )


@dataclass(frozen=True, eq=False)
class BankrollSession:
    """How a bankroll session goes: it ends early where the money is gone or the goal is reached."""

    law: RoundLaw
    purse: Purse
    results: Results
    ruined: Floats
    """(rounds): the chance that the bankroll is gone after so many rounds, from the first round on."""
    reached: Floats
    """(rounds): the chance that the goal was reached by then."""
    stations: tuple[Station, ...]
    """Where sessions stand after some of the rounds, the ended ones included."""

    @property
    def ruin(self) -> float:
        return float(self.ruined[-1])

    @property
    def goal(self) -> float:
        return float(self.reached[-1])

    @cached_property
    def rounds_played(self) -> float:
        """On average."""
        return len(self.ruined) - float((self.ruined[:-1] + self.reached[:-1]).sum())


@dataclass(frozen=True)
class _Room:
    """Cells of the walk: each is a result, in steps of money."""

    floor: int
    """The lowest result with which one more round is played."""
    top: int
    """From here on the goal is reached; without one, what no session reaches."""
    least: int
    most: int

    @property
    def low(self) -> int:
        return self.floor + self.least

    @property
    def cells(self) -> int:
        return self.top + self.most - self.low

    def work(self, rounds: int, terms: int) -> int:
        return rounds * terms * self.cells


def walk(
    law: RoundLaw, purse: Purse, rounds: int, *, marks: Sequence[int] = (), advance: Callable[[int], None] | None = None
) -> BankrollSession:
    """Play the rounds one by one; `marks` are rounds after which a station is kept."""
    check_rounds(rounds)
    room = _room(law, purse, rounds)
    _check_work(law, purse, room, rounds)
    alive, stopped = np.zeros(room.cells), np.zeros(room.cells)
    alive[-room.low] = 1.0
    ruined, reached = np.zeros(rounds), np.zeros(rounds)
    steps = Steps(np.array(law.nets, dtype=np.int64), law.chances)
    span = room.floor - room.low, room.top - room.low
    kept, begun = [], 0
    for end in _stops(rounds, marks):
        part = slice(begun, end)
        alive = play_on(alive, stopped, span, steps, ruined[part], reached[part])
        if end in marks:
            kept.append(station(end, Results(room.low, alive + stopped, law.step_cents)))
        if advance:
            advance(end - begun)
        begun = end
    final = Results(room.low, alive + stopped, law.step_cents)
    won = reached.cumsum() if purse.goal_cents is not None else np.zeros(rounds)
    return BankrollSession(law, purse, final, ruined.cumsum(), won, tuple(kept))


def _stops(rounds: int, marks: Sequence[int]) -> list[int]:
    """Where the walk looks up: at the marks, and a hundred times for the progress bar."""
    return sorted({stop for stop in (*marks, *(ceil(rounds * part / 100) for part in range(1, 101))) if stop})


def _room(law: RoundLaw, purse: Purse, rounds: int) -> _Room:
    step = law.step_cents
    floor = ceil((purse.needed_cents - purse.bankroll_cents) / step)
    if purse.goal_cents is not None:
        top = ceil(Fraction(purse.goal_cents - purse.bankroll_cents) / step)
    else:
        top = _never_passed(law, rounds)
    return _Room(floor, top, min(law.nets[0], 0), max(law.nets[-1], 0))


def _never_passed(law: RoundLaw, rounds: int) -> int:
    """A result that no sum of up to so many rounds passes, but for a chance below `LEFT_OUT` (Chernoff's bound)."""
    nets = np.array(law.nets, dtype=np.float64)
    usual = sqrt(-2 * log(LEFT_OUT) / (rounds * float(nets**2 @ law.chances) or 1.0))
    small = log(rounds) - log(LEFT_OUT)
    far = min((max(0.0, rounds * log_mean(tilt, nets, law.chances)) + small) / tilt for tilt in tilts(usual))
    return min(ceil(far), max(rounds * law.nets[-1], 0)) + 1


def _check_work(law: RoundLaw, purse: Purse, room: _Room, rounds: int) -> None:
    terms = len(law.nets)
    if room.work(rounds, terms) <= MOST_WORK and room.cells <= MOST_CELLS:
        return
    fewer = rounds
    while fewer and (room.work(fewer, terms) > MOST_WORK or room.cells > MOST_CELLS):
        fewer = fewer * 3 // 4
        room = _room(law, purse, fewer) if fewer else room
    digits = 10 ** max(0, len(str(fewer)) - 2)
    allowed = f"at most {fewer // digits * digits:,} rounds" if fewer else "rounder stakes, goals and meters"
    raise NotationError(f"A bankroll is followed round by round, and {rounds:,} are too many here: take {allowed}.")


# For ever: the chance that a bankroll is gone some day, and the stake that makes money grow fastest.
#
# Ruin is bounded by the martingale exp(-r S): with the one r above 0 for which its mean over a round is 1, its mean
# where the money runs out is 1 as well. How far below the line that happens lies between nothing and the largest loss,
# hence two bounds; where a round can lose one amount only, they meet.

_HALVINGS = 200


class Ruin(NamedTuple):
    """The chance that a bankroll is gone some day, between these."""

    low: float
    high: float


def ruin_for_ever(law: RoundLaw, purse: Purse) -> Ruin:
    """Of somebody who plays every round with the same stakes, and stops when the next one cannot be paid for."""
    if law.mean_cents <= 0:
        return Ruin(1.0, 1.0)
    if law.nets[0] >= 0:
        return Ruin(0.0, 0.0)
    steps = floor((purse.bankroll_cents - purse.needed_cents) / law.step_cents) + 1  # to be lost, at least
    rate = _rate(law)
    further = -law.nets[0] - 1  # below the line, at most
    return Ruin(exp(-rate * (steps + further)), exp(-rate * steps))


def _rate(law: RoundLaw) -> float:
    """The r above 0, per step, for which exp(-r x result) is 1 on average."""
    results = np.array(law.nets, dtype=np.float64)
    low, high = 0.0, 1.0 / -law.nets[0]
    while log_mean(-high, results, law.chances) < 0:
        low, high = high, 2 * high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if log_mean(-middle, results, law.chances) < 0 else (low, middle)
    return (low + high) / 2


def kelly_share(law: RoundLaw) -> float:
    """The part of the money that, put on the first wagers of each round, makes its logarithm grow fastest."""
    if law.mean_cents <= 0:
        return 0.0
    results: NDArray[np.float64] = np.array([float(net * law.step_cents / law.first_cents) for net in law.nets])
    if law.nets[0] >= 0:
        return 1.0
    low, high = 0.0, min(1.0, -1 / float(results.min()))
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        grows = float((law.chances * results / (1 + middle * results)).sum()) > 0
        low, high = (middle, high) if grows else (low, middle)
    return low
