"""How sessions with one or two paytables end, on one picture: how likely the result lies in each span.

    spread([figures, others], rounds=100)

A win that is rare and larger than everything a session can lose is left out of the sum and told apart: such a session
ends ahead, far outside the picture. All other chances are those of `session.by_transform`, within 1e-10.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import floor, gcd, lcm
from typing import Any

import numpy as np

from croupier.analysis.figures import Figures
from croupier.analysis.session.law import Results, by_transform, window
from croupier.analysis.session.rounds import make_law
from croupier.errors import NotationError

MOST_ROUNDS = 1_000
MOST_CELLS = 2**19
"""Different results that are summed while somebody types."""
RARE = Fraction(1, 500)
"""Sessions that may be told apart."""
SHOWN = (Fraction(1, 2), Fraction(199, 2))
"""Percentiles at which the picture ends."""
BARS = 40
ROUND = (1, 2, 3, 4, 5, 10)
Law = tuple[tuple[Fraction, int], ...]


@dataclass(frozen=True, eq=False)
class Ends:
    """How sessions end that see no rare win."""

    results: Results
    grid: Fraction
    """The results lie so far apart, in wagers."""
    usual: float
    """The chance of a session without a rare win."""
    rare: Fraction | None
    """The least of the rare wins, in wagers."""

    @property
    def ahead(self) -> float:
        return self.usual * float(self.results.ahead) + 1 - self.usual

    @property
    def even(self) -> float:
        return self.usual * float(self.results.even)


def spread(figures: Sequence[Figures], rounds: int) -> dict[str, Any] | None:
    """Chances by span of results, in wagers, on the same spans for all; None where they lie too close to be summed."""
    return spread_of_laws([_law(figure) for figure in figures], rounds)


def spread_of_laws(laws: Sequence[Law], rounds: int) -> dict[str, Any] | None:
    """The same for results that are known with their chances, as whole numbers."""
    if not 1 <= rounds <= MOST_ROUNDS:
        raise NotationError(f"A session here has from 1 to {MOST_ROUNDS:,} wagers, not {rounds:,}.")
    all_ends = [_ends(law, rounds) for law in laws]
    ends = [end for end in all_ends if end is not None]
    if len(ends) < len(all_ends):
        return None
    low = min(ending.results.percentile(SHOWN[0]) for ending in ends)
    high = max(ending.results.percentile(SHOWN[1]) for ending in ends)
    width = _width(high - low, [ending.grid for ending in ends])
    first, last = floor(low / width), floor(high / width)
    spans = [float(place * width) for place in range(first, last + 1)]
    return {
        "rounds": rounds,
        "width": float(width),
        "results": spans,
        "sessions": [
            {
                "chances": _in_spans(ending, width, first, last),
                **{"ahead": ending.ahead, "even": ending.even, "behind": 1 - ending.ahead - ending.even},
                "rare": None if ending.rare is None else {"chance": 1 - ending.usual, "least": float(ending.rare)},
            }
            for ending in ends
        ],
    }


def _law(figures: Figures) -> Law:
    results: defaultdict[Fraction, int] = defaultdict(int)
    for net, count in figures.results:
        if count:
            results[net] += count
    return tuple(sorted(results.items()))


@lru_cache(maxsize=64)
def _ends(law: Law, rounds: int) -> Ends | None:
    """The paytable beside the one that is changed stays the same, and is kept."""
    deals, worst = sum(count for _, count in law), law[0][0]
    kept, seldom, rare = list(law), 0, None
    while len(kept) > 2 and kept[-1][0] > -worst * rounds and rounds * (seldom + kept[-1][1]) <= RARE * deals:
        rare, count = kept.pop()
        seldom += count
    round_law = make_law(dict(kept), first_cents=1, most_cents=Fraction(1), exact=True)
    nets = np.array(round_law.nets)
    low, high = window(nets, round_law.chances, rounds) if len(nets) > 1 else (0, 0)
    if high - low >= MOST_CELLS or max(abs(net) for net in round_law.nets) >= 2**40:
        return None
    results = by_transform(nets, round_law.chances, rounds, round_law.step_cents)
    apart = gcd(*(net - round_law.nets[0] for net in round_law.nets)) or 1
    return Ends(results, apart * round_law.step_cents, float(Fraction(deals - seldom, deals)) ** rounds, rare)


def _width(span: Fraction, grids: Sequence[Fraction]) -> Fraction:
    """A round number of steps of every grid, so that no span holds more possible results than its neighbour."""
    scale = lcm(*(grid.denominator for grid in grids))
    step = Fraction(lcm(*(int(grid * scale) for grid in grids)), scale)
    tens = 1
    while True:
        for digit in ROUND:
            if digit * tens * step * BARS >= span:
                return digit * tens * step
        tens *= 10


def _in_spans(ends: Ends, width: Fraction, first: int, last: int) -> list[float]:
    results, step = ends.results, ends.results.step_cents
    steps = results.low + np.arange(len(results.chances))
    over, under = step.numerator * width.denominator, step.denominator * width.numerator
    places = steps * over // under - first
    inside = (places >= 0) & (places <= last - first)
    sums = np.bincount(places[inside], results.chances[inside], minlength=last - first + 1)
    return [float(chance) for chance in ends.usual * sums]
