"""Is the shuffle fair? Statistical tests that a good shuffle passes 99 times in 100 and a bad one does not.

Each test compares a sample of shuffles of one deck with what chance alone would give, exactly: every expected
distribution here is counted in whole numbers, and where counts depend on each other (a card cannot be in two
places) the dependence is part of the formula. A fit too good for chance fails like one that is too bad. Running
many tests makes one of them look odd by luck, so the p-values are corrected for their number (Holm).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb, factorial
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.cards.card import DECK, Suit
from croupier.cards.shuffle import Source, shuffled
from croupier.errors import Refusal

CARDS = len(DECK)
RANKS, SUITS = 13, 4
FEWEST_SHUFFLES = 1_000
FEWEST_EXPECTED = 5  # in a cell of a chi-square test, the usual rule

Orders: TypeAlias = NDArray[np.intp]
"""Shape (shuffles, 52): row by row the cards' numbers (0 to 51), the first card dealt first."""
Counts: TypeAlias = NDArray[np.intp]

SUIT_OF = np.array([card.suit for card in DECK])
RANK_OF = np.array([card.rank - 2 for card in DECK])
COLOUR_OF = np.array([card.suit in (Suit.DIAMONDS, Suit.HEARTS) for card in DECK]).astype(np.intp)


class ChiSquare(NamedTuple):
    """A statistic, and the degrees of freedom of its distribution under chance alone."""

    statistic: float
    freedom: int


@dataclass(frozen=True)
class Check:
    """One test of the battery; `corrected_p` is what is compared with 1 - confidence."""

    name: str
    statistic: float
    freedom: int
    p_value: float
    corrected_p: float


@dataclass(frozen=True)
class BatteryReport:
    """All tests of one sample, and the verdict."""

    shuffles: int
    confidence: float
    checks: tuple[Check, ...]

    @property
    def failed(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if check.corrected_p < 1 - self.confidence)

    @property
    def passed(self) -> bool:
        return not self.failed

    def __str__(self) -> str:
        width = max(len(check.name) for check in self.checks)
        heading = f"{'test':{width}} {'chi2':>7} {'free':>5} {'p':>6} {'corr.':>6}"
        lines = [
            f"{check.name:{width}} {check.statistic:7.1f} {check.freedom:5d} {check.p_value:6.4f} "
            f"{check.corrected_p:6.4f}{'  FAILED' if check in self.failed else ''}"
            for check in self.checks
        ]
        return "\n".join([heading, *lines, self.verdict()])

    def verdict(self) -> str:
        """The outcome in one sentence."""
        sample = f"{self.shuffles:,} shuffles, {len(self.checks)} tests, {100 * self.confidence:.4g} % confidence"
        if self.passed:
            return f"PASSED: nothing tells these shuffles from chance ({sample})."
        return f"FAILED: these shuffles differ from chance, by {len(self.failed)} of the tests ({sample})."


def run_battery(
    shuffles: Callable[[], Sequence[int]] | Orders, *, times: int = 10_000, confidence: float = 0.99
) -> BatteryReport:
    """Test shuffles of one deck: rows of card numbers, or a function that is called `times` times for one."""
    if not 0.5 <= confidence < 1:
        raise Refusal("confidence", f"The confidence {confidence} is not allowed: it is 0.5 or more, and below 1.")
    orders = _checked(np.array([shuffles() for _ in range(times)]) if callable(shuffles) else shuffles)
    results = {name: test(orders) for name, test in TESTS.items()}
    p_values = [_two_sided_p(result) for result in results.values()]
    checks = (
        Check(name, result.statistic, result.freedom, p_value, corrected)
        for (name, result), p_value, corrected in zip(results.items(), p_values, _holm(p_values), strict=True)
    )
    return BatteryReport(len(orders), confidence, tuple(checks))


def sample_shuffles(source: Source, times: int) -> Orders:
    """So many shuffles of a deck in order, for `run_battery`."""
    return np.array([shuffled(range(CARDS), source) for _ in range(times)], dtype=np.intp)


# --- the tests: each takes shuffles and gives a chi-square statistic that is exact under chance ---------------


def places(orders: Orders) -> ChiSquare:
    """Frequency: how often each card lies at each place.

    A shuffle is a permutation matrix, whose covariance is 1 / (m - 1) on matrices with rows and columns of sum
    0. So the usual statistic of the m x m counts is (m - 1) / m times as large and has (m - 1)**2 degrees.
    """
    n, m = orders.shape
    counts = _pair_counts(orders, np.arange(m), size=m)
    return ChiSquare(float(((counts - n / m) ** 2).sum() * (m - 1) / n), (m - 1) ** 2)


def followers(orders: Orders) -> ChiSquare:
    """Adjacency: how often each card follows each other card.

    A marker between the last card and the first closes the deck into a ring, so that every one of its m cards
    is followed by one. The matrix of a random ring has covariance 1 / (m - 1) on symmetric and
    m / ((m - 1) (m - 2)) on antisymmetric matrices with rows and columns of sum 0 and an empty diagonal.
    """
    n, marker = orders.shape
    m = marker + 1
    ring = np.pad(orders, ((0, 0), (0, 1)), constant_values=marker)
    excess = _pair_counts(ring, np.roll(ring, -1, axis=1), size=m) - n / (m - 1)
    np.fill_diagonal(excess, 0)
    symmetric, antisymmetric = (excess + excess.T) / 2, (excess - excess.T) / 2
    statistic = ((symmetric**2).sum() + (antisymmetric**2).sum() * (m - 2) / m) * (m - 1) / n
    return ChiSquare(float(statistic), m * m - 3 * m + 1)


def successions(orders: Orders) -> ChiSquare:
    """Adjacency: in how many places of a shuffle the next card of the unshuffled deck still follows."""
    kept = (np.diff(orders, axis=1) == 1).sum(axis=1)
    return _fit(kept, _succession_ways())


def colour_runs(orders: Orders) -> ChiSquare:
    """Runs of one colour (Wald and Wolfowitz, exactly)."""
    return _runs(COLOUR_OF[orders], groups=2)


def suit_runs(orders: Orders) -> ChiSquare:
    """Runs of one suit."""
    return _runs(SUIT_OF[orders], groups=SUITS)


def rank_runs(orders: Orders) -> ChiSquare:
    """Runs of one rank."""
    return _runs(RANK_OF[orders], groups=RANKS)


def rising_runs(orders: Orders) -> ChiSquare:
    """Runs that rise in the order of the unshuffled deck: Eulerian numbers."""
    falls = (np.diff(orders, axis=1) < 0).sum(axis=1)
    return _fit(falls, _eulerian(CARDS))


def gaps(orders: Orders) -> ChiSquare:
    """Gap: how many cards lie between one card of a rank and the next of it.

    Gaps of one shuffle depend on each other, so each shuffle gives one: ranks and gaps take turns.
    """
    turn = np.arange(len(orders))
    mine = RANK_OF[orders] == (turn % RANKS)[:, None]
    at = np.nonzero(mine)[1].reshape(len(orders), SUITS)
    which = turn // RANKS % (SUITS - 1)
    between = at[turn, which + 1] - at[turn, which] - 1
    return _fit(between, tuple(comb(CARDS - 1 - gap, SUITS - 1) for gap in range(CARDS - SUITS + 1)))


def neighbouring_ranks(orders: Orders) -> ChiSquare:
    """Serial: the ranks of two neighbours, together."""
    return _neighbours(RANK_OF[orders], groups=RANKS)


def neighbouring_suits(orders: Orders) -> ChiSquare:
    """Serial: the suits of two neighbours, together."""
    return _neighbours(SUIT_OF[orders], groups=SUITS)


def moves(orders: Orders) -> ChiSquare:
    """Frequency, shuffle to shuffle: how often the card at each place goes to each place in the next one."""
    return places(_relative(orders))


def companions(orders: Orders) -> ChiSquare:
    """Adjacency, shuffle to shuffle: how many neighbours are neighbours again, in order, in the next one."""
    return successions(_relative(orders))


TESTS: dict[str, Callable[[Orders], ChiSquare]] = {
    "frequency: each card at each place": places,
    "frequency: moves from one shuffle to the next": moves,
    "adjacency: each card after each other": followers,
    "adjacency: cards left in deck order": successions,
    "adjacency: neighbors kept by the next shuffle": companions,
    "runs: one color": colour_runs,
    "runs: one suit": suit_runs,
    "runs: one rank": rank_runs,
    "runs: rising": rising_runs,
    "gap: between cards of a rank": gaps,
    "serial: ranks of two neighbors": neighbouring_ranks,
    "serial: suits of two neighbors": neighbouring_suits,
}


def _relative(orders: Orders) -> Orders:
    """Each shuffle in terms of the one before, each card named by its place there.

    Fair and independent shuffles make these fair and independent too; one that only disturbs the last order,
    or repeats it, shows here even where each order by itself looks fair.
    """
    place_of = np.argsort(orders[:-1], axis=1)
    return np.take_along_axis(place_of, orders[1:], axis=1)


def _runs(groups_of_cards: Counts, *, groups: int) -> ChiSquare:
    same = (np.diff(groups_of_cards, axis=1) == 0).sum(axis=1)
    return _fit(same, _same_neighbour_ways(groups))


def _neighbours(groups_of_cards: Counts, *, groups: int) -> ChiSquare:
    """Pairs of one shuffle depend on each other, so each shuffle gives one: the places take turns."""
    turn = np.arange(len(groups_of_cards))
    left = turn % (CARDS - 1)
    pairs = groups_of_cards[turn, left] * groups + groups_of_cards[turn, left + 1]
    size = CARDS // groups
    ways = tuple(size * (size - (a == b)) for a in range(groups) for b in range(groups))
    return _fit(pairs, ways)


# --- how many of the 52! orders have each value of a statistic, counted exactly ------------------------------


@cache
def _succession_ways() -> tuple[int, ...]:
    return _exactly([comb(CARDS - 1, kept) * factorial(CARDS - kept) for kept in range(CARDS)])


@cache
def _same_neighbour_ways(groups: int) -> tuple[int, ...]:
    """By the number of neighbours of one group, where `groups` equal groups make the deck.

    A group of s cards is glued into b blocks in C(s - 1, b - 1) s! / b! ways, and then the blocks are ordered.
    """
    size = CARDS // groups
    glued = [0] + [comb(size - 1, b - 1) * factorial(size) // factorial(b) for b in range(1, size + 1)]
    by_blocks = [1]
    for _ in range(groups):
        by_blocks = _multiplied(by_blocks, glued)
    most = CARDS - groups
    return _exactly([by_blocks[CARDS - same] * factorial(CARDS - same) for same in range(most + 1)])


@cache
def _eulerian(n: int) -> tuple[int, ...]:
    """By the number of descents of an order of n cards."""
    if n == 1:
        return (1,)
    before = (0, *_eulerian(n - 1), 0)
    return tuple((n - k) * before[k] + (k + 1) * before[k + 1] for k in range(n))


def _exactly(chosen: list[int]) -> tuple[int, ...]:
    """Orders with exactly j features, from the number of ways to choose an order and k of its features."""
    top = len(chosen)
    return tuple(sum((-1) ** (k - j) * comb(k, j) * chosen[k] for k in range(j, top)) for j in range(top))


def _multiplied(a: list[int], b: list[int]) -> list[int]:
    product = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            product[i + j] += x * y
    return product


# --- statistics ----------------------------------------------------------------------------------------------


def _pair_counts(first: Orders, second: Orders, *, size: int) -> NDArray[np.float64]:
    """Shape (size, size): how often each value of `first` meets each value of `second`."""
    cells = np.bincount((first * size + second).ravel(), minlength=size * size)
    return cells.reshape(size, size).astype(np.float64)


def _fit(values: Counts, ways: Sequence[int]) -> ChiSquare:
    """Pearson's statistic of independent values whose probabilities are as `ways`, rare ones put together."""
    total = sum(ways)
    expected = np.array([len(values) * (way / total) for way in ways])
    observed = np.bincount(values, minlength=len(ways)).astype(np.float64)
    starts = _cell_starts(expected)
    expected, observed = np.add.reduceat(expected, starts), np.add.reduceat(observed, starts)
    return ChiSquare(float(((observed - expected) ** 2 / expected).sum()), len(starts) - 1)


def _cell_starts(expected: NDArray[np.float64]) -> list[int]:
    """Where cells begin when neighbouring values are joined until each cell expects enough."""
    starts, held = [0], 0.0
    for i, amount in enumerate(expected):
        if held >= FEWEST_EXPECTED and expected[i:].sum() >= FEWEST_EXPECTED:
            starts.append(i)
            held = 0.0
        held += amount
    return starts


def _two_sided_p(result: ChiSquare) -> float:
    from scipy.special import chdtr, chdtrc

    above = float(chdtrc(result.freedom, result.statistic))
    below = float(chdtr(result.freedom, result.statistic))
    return min(1.0, 2 * min(above, below))


def _holm(p_values: Sequence[float]) -> list[float]:
    """P-values corrected for the number of tests by Holm's step-down method, which needs no independence."""
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for done, i in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, p_values[i] * (len(p_values) - done)))
        corrected[i] = highest
    return corrected


def _checked(orders: NDArray[np.intp]) -> Orders:
    if len(orders) < FEWEST_SHUFFLES:
        raise Refusal("too-few-shuffles", f"{len(orders)} shuffles tell too little; give {FEWEST_SHUFFLES:,} or more.")
    wrong = np.ones(len(orders), dtype=bool)
    if orders.shape[1:] == (CARDS,):
        wrong = (np.sort(orders, axis=1) != np.arange(CARDS)).any(axis=1)
    if wrong.any():
        first = int(wrong.argmax()) + 1
        raise Refusal("not-a-shuffle", f"Shuffle {first} does not hold each card from 0 to {CARDS - 1} exactly once.")
    return orders.astype(np.intp)
