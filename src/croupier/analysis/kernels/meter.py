"""Meters over many wagers, from one line that pays to the next: what happens between two of them is plain growth.

All money is whole: meters, reserves and seeds in millionths of a cent (`UNIT`), what leaves a meter in cents. A part of
a cent that an award cannot take stays on the meter. Wagers are independent of each other.

Where every pay comes off the meters, one fixed pay is far more frequent than all other lines (the common one). Between
two others it comes a binomial number of times, which is drawn at once as long as the meters hold enough for every wager
of the stretch; else it is paid time by time. What is on a meter is exact at the end of each stretch; within it the
sights and the path go in a straight line.
"""

from __future__ import annotations

from math import ceil, exp, floor, log, log1p
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from croupier.analysis.kernels.compiled import compiled, inlined
from croupier.analysis.kernels.random import STEP, number, stream

UNIT = 1_000_000
"""Millionths of a cent in a cent: a rate in parts per million of a wager in cents is a whole number of them."""
TRAY = -1
"""In place of a meter: a fixed pay."""
NONE, LACKING = -1, -2
"""In place of the meter that was reseeded: none was, and none was while a meter lacked what it should pay."""
PAID, SEEDED, SHORT, HITS, METER, RESERVE, AWARD = range(7)
"""A history's book for each meter: cents paid, units seeded, cents that were missing, number of 100 % awards, units
that are left on the meter and in its reserve, and cents of the last share that was paid."""
COLUMNS = 7
HIGHEST, MEAN, DRY, ABOVE = range(4)
"""A history's sights: highest and mean balance in units, the wager after which a meter had first run dry (0: none), and
wagers above break-even."""
AT_HIT, RESTART, LASTED = range(3)
"""A cycle: cents of the 100 % award, units the meter started it with, and wagers it took."""

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Stream = npt.NDArray[np.uint64]
"""(1): the state of random numbers."""

_11 = np.uint64(11)
_SHARE_OF_WORD = 2.0**-53


class Meters(NamedTuple):
    """Meters and the lines that touch them; shapes are (lines) and (meters)."""

    log_quiet: float
    """The logarithm of the chance that a wager ends in none of the lines, the common one not counted."""
    up_to: Floats
    """(lines): chance of this line or one before it, given one of them; the last is 1."""
    meter: Ints
    """(lines): which meter a share is of, or TRAY."""
    share: Ints
    """(lines, 2): numerator and denominator."""
    parts: Ints
    """(lines + 1, meters): cents of a fixed pay that come off each meter. The last is the common line."""
    common: float
    """The chance of the common line, given none of the others; 0 where there is none."""
    stretch: int
    """The most wagers to be drawn at once."""
    contribution: Ints
    """(meters): units of each wager."""
    reserve: Ints
    """(meters): units of each wager."""
    seed: Ints
    """(meters): units."""
    worth: Floats
    """(meters): what a unit on the meter adds to the worth of a wager."""
    fair: float
    """The worth at which a wager is fair."""


class State(NamedTuple):
    """Where a history stands; what happens is written into it."""

    held: Ints
    """(meters): units on the meter."""
    reserve: Ints
    """(meters): units."""
    book: Ints
    """(meters, COLUMNS)."""


class Span(NamedTuple):
    """How long a history is, and how often its meters are noted."""

    wagers: int
    step: int


class Records(NamedTuple):
    """What is kept of histories."""

    books: Ints
    """(histories, meters, COLUMNS)."""
    sights: Floats
    """(histories, 4)."""
    paths: Ints
    """(some of the histories, points, meters): units on the meters after each step."""


def stream_of(seed: int, block: int) -> Stream:
    """The stream of one block of histories."""
    return np.array([stream(seed, block)], dtype=np.uint64)


@inlined
def _uniform(stream: Stream) -> float:
    """Above 0, up to 1."""
    stream[0] += STEP
    return (float(number(stream[0]) >> _11) + 1.0) * _SHARE_OF_WORD


@inlined
def wagers_to_next(stream: Stream, log_quiet: float) -> int:
    """How many wagers until one of the lines comes, it included: a geometric number."""
    return 1 + int(log(_uniform(stream)) / log_quiet)


@inlined
def next_line(stream: Stream, up_to: Floats) -> int:
    """Which line it is."""
    drawn, line = _uniform(stream), 0
    while drawn > up_to[line]:
        line += 1
    return line


@inlined
def binomial(stream: Stream, wagers: int, chance: float) -> int:
    """How many of so many wagers end in the common line: chances are added up; `stretch` keeps the first above 0."""
    left, ratio = _uniform(stream), chance / (1.0 - chance)
    number, mass = 0, exp(wagers * log1p(-chance))
    while left > mass and number < wagers:
        left -= mass
        mass *= ratio * (wagers - number) / (number + 1)
        number += 1
    return number


@inlined
def pay_fixed(parts: Ints, times: int, state: State) -> int:
    """Take a fixed pay off the meters; gives LACKING where the house has to add to it, else NONE."""
    held, book = state.held, state.book
    missing = 0
    for each in range(held.size):
        part = parts[each] * times
        paid = part if held[each] >= part * UNIT else held[each] // UNIT
        held[each] -= paid * UNIT
        book[each, PAID] += paid
        book[each, SHORT] += part - paid
        missing += part - paid
    return LACKING if missing else NONE


@inlined
def settle(meters: Meters, line: int, state: State) -> int:
    """Pay a line from the meters; gives the meter that a 100 % award has emptied and reseeded, or NONE, or LACKING."""
    held, reserve, book = state.held, state.reserve, state.book
    which = meters.meter[line]
    if which == TRAY:
        return pay_fixed(meters.parts[line], 1, state)
    share, of = meters.share[line, 0], meters.share[line, 1]
    cents, rest = held[which] // UNIT, held[which] % UNIT
    award = (cents * share + rest * share // UNIT) // of
    held[which] -= award * UNIT
    book[which, PAID] += award
    book[which, AWARD] = award
    if share < of:
        return NONE
    held[which] += meters.seed[which] + reserve[which]
    reserve[which] = 0
    book[which, SEEDED] += meters.seed[which]
    book[which, HITS] += 1
    return int(which)


@inlined
def _feed(meters: Meters, wagers: int, state: State) -> None:
    for each in range(state.held.size):
        state.held[each] += wagers * meters.contribution[each]
        state.reserve[each] += wagers * meters.reserve[each]


@inlined
def _enough(meters: Meters, wagers: int, held: Ints) -> bool:
    """Whether no meter can run dry, even if every wager ended in the common line."""
    lacking = 0
    for each in range(held.size):
        lacking += held[each] < meters.parts[-1, each] * wagers * UNIT
    return lacking == 0


@compiled
def pass_quietly(meters: Meters, wagers: int, stream: Stream, state: State) -> int:
    """Let wagers go by that end in nothing or in the common line; gives LACKING where a meter ran dry, else NONE."""
    if meters.common == 0.0:
        _feed(meters, wagers, state)
        return NONE
    if _enough(meters, wagers, state.held):
        times = binomial(stream, wagers, meters.common)
        _feed(meters, wagers, state)
        return pay_fixed(meters.parts[-1], times, state)
    log_other, at, found = log1p(-meters.common), 0, NONE
    while True:
        gap = wagers_to_next(stream, log_other)
        if at + gap > wagers:
            _feed(meters, wagers - at, state)
            return found
        _feed(meters, gap, state)
        at += gap
        if pay_fixed(meters.parts[-1], 1, state) == LACKING:
            found = LACKING


@compiled
def see(meters: Meters, wagers: int, before: Ints, state: State, sight: Floats) -> None:
    """What the balance and the worth of a wager were while so many wagers went by, in a straight line."""
    start, end, worth, worth_after = 0.0, 0.0, 0.0, 0.0
    for each in range(before.size):
        start += before[each] + state.reserve[each] - wagers * meters.reserve[each]
        end += state.held[each] + state.reserve[each]
        worth += meters.worth[each] * before[each]
        worth_after += meters.worth[each] * state.held[each]
    sight[HIGHEST] = max(sight[HIGHEST], end)
    sight[MEAN] += wagers * start + (end - start) * (wagers + 1) * 0.5
    slope, lacks = (worth_after - worth) / wagers, meters.fair - worth
    if slope > 0.0:
        sight[ABOVE] += wagers - min(wagers, max(0.0, ceil(lacks / slope) - 1.0))
    elif slope < 0.0:
        sight[ABOVE] += min(wagers, max(0.0, floor(lacks / slope)))
    elif lacks <= 0.0:
        sight[ABOVE] += wagers


@compiled
def run_history(meters: Meters, span: Span, stream: Stream, state: State, seen: tuple[Floats, Ints]) -> None:
    """Play a history from where it stands; `seen` are its sights (4) and its path (points, meters)."""
    sight, path = seen
    before = state.held.copy()
    at, point = 0, 0
    while at < span.wagers:
        gap = wagers_to_next(stream, meters.log_quiet)
        gone = min(gap, meters.stretch, span.wagers - at)
        before[:] = state.held
        quiet = gone - 1 if gone == gap else gone
        found = pass_quietly(meters, quiet, stream, state)
        _feed(meters, gone - quiet, state)
        see(meters, gone, before, state, sight)
        while point < path.shape[0] and (point + 1) * span.step < at + gone:
            path[point] = before + (state.held - before) // gone * ((point + 1) * span.step - at)
            point += 1
        at += gone
        if gone == gap and settle(meters, next_line(stream, meters.up_to), state) == LACKING:
            found = LACKING
        if found == LACKING and sight[DRY] == 0.0:
            sight[DRY] = at
        if point < path.shape[0] and (point + 1) * span.step == at:
            path[point] = state.held
            point += 1
    sight[MEAN] /= span.wagers


@compiled
def run_period(meters: Meters, span: Span, stream: Stream, records: Records) -> None:
    """Play histories, each from the seeds on, and fill in their records, which begin with zeros."""
    no_path = np.empty((0, meters.seed.size), np.int64)
    for history in range(records.books.shape[0]):
        book = records.books[history]
        state = State(meters.seed.copy(), np.zeros_like(meters.seed), book)
        path = records.paths[history] if history < records.paths.shape[0] else no_path
        run_history(meters, span, stream, state, (records.sights[history], path))
        book[:, METER] = state.held
        book[:, RESERVE] = state.reserve


@compiled
def run_cycles(meters: Meters, stream: Stream, cycles: Ints) -> None:
    """For one meter: what starts and ends the cycle after a 100 % award. `cycles` (histories, 3) is filled in.

    The cycle before it is played too, because its reserve is what the meter starts with on top of the seed.
    """
    for history in range(cycles.shape[0]):
        state = State(meters.seed.copy(), np.zeros_like(meters.seed), np.zeros((1, COLUMNS), np.int64))
        for _ in range(2):
            cycles[history, RESTART] = state.held[0]
            lasted, hit = 0, NONE
            while hit < 0:
                gap = wagers_to_next(stream, meters.log_quiet)
                gone = min(gap, meters.stretch)
                quiet = gone - 1 if gone == gap else gone
                pass_quietly(meters, quiet, stream, state)
                _feed(meters, gone - quiet, state)
                lasted += gone
                if gone == gap:
                    hit = settle(meters, next_line(stream, meters.up_to), state)
            cycles[history, AT_HIT] = state.book[0, AWARD]
            cycles[history, LASTED] = lasted
