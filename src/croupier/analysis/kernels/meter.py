"""Meters over many wagers, from one line that pays to the next: what happens between two of them is plain growth.

All money is whole: meters, reserves, seeds and fixed pays in millionths of a cent (`UNIT`), awards in cents. A part of
a cent that an award cannot take stays on the meter. Wagers are independent of each other.

Where every pay comes off the meters, the frequent fixed pays (the common lines) are not drawn one by one: what 1, 2, 4,
8, ... wagers pay on them has a law, a table made beforehand. It is drawn as long as the meters hold the largest sum of
the table, so that none of the wagers can find a meter dry; else these lines are paid one after the other. What is on a
meter is exact at the end of each stretch; within it the sights and the path go in a straight line.
"""

from __future__ import annotations

from math import ceil, floor, log
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from croupier.analysis.kernels.compiled import bare, compiled, inlined, part
from croupier.analysis.kernels.random import STEP, number, stream
from croupier.games.meter import UNIT

TRAY = -1
"""In place of a meter: a fixed pay."""
NONE, LACKING = -1, -2
"""In place of the meter that was reseeded: none was, and none was while a meter lacked what it should pay."""
PAID, SHORT, HITS, METER, RESERVE, AWARD = range(6)
"""A history's book for each meter: units paid, units that were missing, number of 100 % awards, units that are left on
the meter and in its reserve, and cents of the last share that was paid."""
COLUMNS = 6
HIGHEST, MEAN, DRY, ABOVE = range(4)
"""A history's sights: highest and mean balance in units, the wager after which a meter had first run dry (0: none), and
wagers above break-even."""
AT_HIT, RESTART, LASTED = range(3)
"""A cycle: cents of the 100 % award, units the meter started it with, and wagers it took."""

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Stream = npt.NDArray[np.uint64]
"""(1): the state of random numbers."""

DISTANCE = 2**40
"""In numbers, between the streams of two blocks: far more than a block takes, and room for 2**24 blocks."""
PIECE, SHORTEST = 64, 3
"""Wagers whose common lines are paid one by one before the meters are looked at again, and the power of two from which
on a table is quicker than that."""
_11 = np.uint64(11)
_SHARE_OF_WORD = 2.0**-53
_MASK = 2**64 - 1
_STEP_BACK = pow(int(STEP), -1, 2**64)


class Common(NamedTuple):
    """The common lines, given that a wager ends in none of the others."""

    log_none: float
    """The logarithm of the chance that a wager ends in none of these; 0 where there are none."""
    up_to: Floats
    """(common lines): chance of this line or one before it, given one of them; the last is 1."""
    pays: Ints
    """(common lines): in multiples of `part`."""
    first: Ints
    """(tables + 1): where in `laws` the table of 1, 2, 4, ... wagers begins, and after the last, where it ends."""
    laws: Floats
    """(all tables): chance that so many wagers pay at most 0, 1, 2, ... multiples; each table ends with 1."""
    guide: Ints
    """(all tables): in a table of n places, the number at which the chance 0/n, 1/n, 2/n, ... is first reached."""


class Meters(NamedTuple):
    """Meters and the lines that touch them; shapes are (lines) and (meters)."""

    log_quiet: float
    """The logarithm of the chance that a wager ends in none of the lines, the common ones not counted."""
    up_to: Floats
    """(lines): chance of this line or one before it, given one of them; the last is 1."""
    meter: Ints
    """(lines): which meter a share is of, or TRAY."""
    share: Ints
    """(lines, 2): numerator and denominator."""
    pays: Ints
    """(lines): a fixed pay, in multiples of `part`."""
    part: Ints
    """(meters): units that come off each meter for one multiple."""
    common: Common
    stretch: int
    """The most wagers to be looked at at once."""
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
    """The stream of one block of histories. No two blocks share a number."""
    return np.array([(int(stream(seed, 0)) + block * DISTANCE * int(STEP)) & _MASK], dtype=np.uint64)


def numbers_taken(before: int, stream: Stream) -> int:
    """How many numbers a stream has given since it stood there: what the work is measured in."""
    return (int(stream[0]) - before) * _STEP_BACK & _MASK


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
def drawn(stream: Stream, common: Common, power: int) -> int:
    """What so many wagers pay on the common lines; the search begins where the guide says."""
    first = common.first[power]
    size = common.first[power + 1] - first
    chance = _uniform(stream)
    times = common.guide[first + min(int(chance * size), size - 1)]
    while common.laws[first + times] < chance:
        times += 1
    return int(times)


@inlined
def pay_fixed(part: Ints, times: int, state: State) -> int:
    """Take a fixed pay off the meters; gives LACKING where the house has to add to it, else NONE."""
    held, book = state.held, state.book
    missing = 0
    for level in range(held.size):
        whole = part[level] * times
        paid = min(whole, held[level])
        held[level] -= paid
        book[level, PAID] += paid
        book[level, SHORT] += whole - paid
        missing += whole - paid
    return LACKING if missing else NONE


@inlined
def settle(meters: Meters, line: int, state: State) -> int:
    """Pay a line from the meters; gives the meter that a 100 % award has emptied and reseeded, or NONE, or LACKING."""
    held, reserve, book = state.held, state.reserve, state.book
    which = meters.meter[line]
    if which == TRAY:
        return pay_fixed(meters.part, meters.pays[line], state)
    share, of = meters.share[line, 0], meters.share[line, 1]
    cents, rest = held[which] // UNIT, held[which] % UNIT
    award = (cents * share + rest * share // UNIT) // of
    held[which] -= award * UNIT
    book[which, PAID] += award * UNIT
    book[which, AWARD] = award
    if share < of:
        return NONE
    held[which] += meters.seed[which] + reserve[which]
    reserve[which] = 0
    book[which, HITS] += 1
    return int(which)


@inlined
def _feed(meters: Meters, wagers: int, state: State) -> None:
    for level in range(state.held.size):
        state.held[level] += wagers * meters.contribution[level]
        state.reserve[level] += wagers * meters.reserve[level]


@inlined
def _enough(meters: Meters, times: int, held: Ints) -> bool:
    lacking = 0
    for level in range(held.size):
        lacking += held[level] < meters.part[level] * times
    return lacking == 0


@inlined
def _affordable(meters: Meters, wagers: int, held: Ints) -> int:
    """The largest of the tables whose every sum the meters can pay, as a power of two; -1 where it is not worth it."""
    first, most = meters.common.first, -1
    while most + 2 < first.size and 1 << (most + 1) <= wagers:
        most += 1
    power = most
    while power >= 0 and not _enough(meters, first[power + 1] - first[power] - 1, held):
        power -= 1
    return -1 if power < most and power < SHORTEST else power


@inlined
def _pay_one_by_one(meters: Meters, wagers: int, stream: Stream, state: State) -> int:
    common, at, lack = meters.common, 0, NONE
    gap = wagers_to_next(stream, common.log_none)
    while at + gap <= wagers:
        _feed(meters, gap, state)
        at += gap
        if pay_fixed(meters.part, common.pays[next_line(stream, common.up_to)], state) == LACKING:
            lack = LACKING
        gap = wagers_to_next(stream, common.log_none)
    _feed(meters, wagers - at, state)
    return lack


@bare
def pass_quietly(meters: Meters, wagers: int, stream: Stream, state: State) -> int:
    """Let wagers go by that end in nothing or in a common line; gives LACKING where a meter ran dry, else NONE."""
    common = meters.common
    if common.log_none == 0.0:
        _feed(meters, wagers, state)
        return NONE
    left, lack = wagers, NONE
    while left > 0:
        power = _affordable(meters, left, state.held)
        if power < 0:
            gone = min(left, PIECE)
            if _pay_one_by_one(meters, gone, stream, state) == LACKING:
                lack = LACKING
        else:
            gone = 1 << power
            times = drawn(stream, common, power)
            _feed(meters, gone, state)
            pay_fixed(meters.part, times, state)
        left -= gone
    return lack


@bare
def see(meters: Meters, wagers: int, before: Ints, state: State, sight: Floats) -> None:
    """What the balance and the worth of a wager were while so many wagers went by, in a straight line."""
    start, end, worth, worth_after = 0.0, 0.0, 0.0, 0.0
    for level in range(before.size):
        start += before[level] + state.reserve[level] - wagers * meters.reserve[level]
        end += state.held[level] + state.reserve[level]
        worth += meters.worth[level] * before[level]
        worth_after += meters.worth[level] * state.held[level]
    sight[HIGHEST] = max(sight[HIGHEST], end)
    sight[MEAN] += wagers * start + (end - start) * (wagers + 1) * 0.5
    slope, lacks = (worth_after - worth) / wagers, meters.fair - worth
    if slope > 0.0:
        sight[ABOVE] += wagers - min(wagers, max(0.0, ceil(lacks / slope) - 1.0))
    elif slope < 0.0:
        sight[ABOVE] += min(wagers, max(0.0, floor(lacks / slope)))
    elif lacks <= 0.0:
        sight[ABOVE] += wagers


@part
def _copy(units: Ints, target: Ints) -> None:
    for level in range(units.size):
        target[level] = units[level]


@compiled
def run_history(meters: Meters, span: Span, stream: Stream, state: State, seen: tuple[Floats, Ints]) -> None:
    """Play a history from where it stands; `seen` are its sights (4) and its path (points, meters)."""
    sight, path = seen
    before = state.held.copy()
    at, point = 0, 0
    while at < span.wagers:
        gap = wagers_to_next(stream, meters.log_quiet)
        gone = min(gap, meters.stretch, span.wagers - at)
        _copy(state.held, before)
        quiet = gone - 1 if gone == gap else gone
        lack = pass_quietly(meters, quiet, stream, state)
        _feed(meters, gone - quiet, state)
        see(meters, gone, before, state, sight)
        while point < path.shape[0] and (point + 1) * span.step < at + gone:
            for level in range(before.size):
                grown = (state.held[level] - before[level]) // gone
                path[point, level] = before[level] + grown * ((point + 1) * span.step - at)
            point += 1
        at += gone
        if gone == gap and settle(meters, next_line(stream, meters.up_to), state) == LACKING:
            lack = LACKING
        if lack == LACKING and sight[DRY] == 0.0:
            sight[DRY] = at
        if point < path.shape[0] and (point + 1) * span.step == at:
            _copy(state.held, path[point])
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
        _copy(state.held, book[:, METER])
        _copy(state.reserve, book[:, RESERVE])


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
