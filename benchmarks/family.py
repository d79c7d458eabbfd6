"""Titles of the blackjack family beside the plain game: how long the count takes, and how fast they are sampled."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.exact import forget_everything
from benchmarks.measure import Result, in_words
from croupier.analysis.blackjack.basic import basic_strategy, evaluate
from croupier.analysis.blackjack.moments import moments
from croupier.analysis.blackjack.sampled import shoe_cards, shoe_tables
from croupier.analysis.blackjack.solver import solve
from croupier.analysis.blackjack.strategy import Strategy
from croupier.analysis.blackjack.switch import Switching, best_switching, chart_switching
from croupier.analysis.kernels.shoe_play import empty_seats, play_shoes
from croupier.games.blackjack.rules import Rules

PLAIN = Rules.parse("6D H17 DAS SP4 3:2")
FREE_BET = Rules.parse("6D H17 DAS SP4 RSA 3:2 P22 FD FS")
ZAPPIT = Rules.parse("6D H17 DAS SP3 LS 3:2 P22 ZAP17 SAZ")
SWITCH = Rules.parse("6D H17 DAS SP4 1:1 P22 SWITCH")
SUPER_FUN = Rules.parse("1D H17 DAS SP4 RSA HSA LS 1:1 CH6 DAC SAD SAT NDCC B21 BJW DBJ")
ROUNDS, TIMES = 2_000_000, 5
ZAPPIT_S, SWITCH_S, LEAST_RATE, MOST_TIMES = 180.0, 600.0, 0.5, 3.0


def processor(work: Callable[[], object]) -> float:
    """Seconds of this processor, which other programs beside it do not change much."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def _solve(rules: Rules) -> float:
    """Seconds for the best play of every hand, from nothing; the best of a few, so that compiled code is there."""

    def once() -> float:
        forget_everything()
        return processor(lambda: solve(rules).strategy)

    return min(once() for _ in range(TIMES))


def _count_zappit() -> None:
    solution = solve(ZAPPIT)
    assert -0.02 < solution.edge < 0
    moments(solution)


def _sample(rules: Rules, play: Strategy | Switching) -> Callable[[], object]:
    tables, cards = shoe_tables(rules, play, [], seats=1), shoe_cards(rules)
    counts = np.zeros(tables.bins, dtype=np.int64)
    seats = empty_seats(rules.first_hands)
    return lambda: play_shoes(np.uint64(7), ROUNDS, seats, cards, 0, tables, counts)


def run() -> Iterator[Result]:
    """Counts from nothing, then rounds a second as a share of the plain game's."""
    base = _solve(PLAIN)
    for name, rules in (("Free Bet Blackjack", FREE_BET), ("Super Fun 21", SUPER_FUN)):
        taken = _solve(rules)
        shown = f"{taken / base:.2f}x the plain game's time, {in_words(taken)} and {in_words(base)}"
        yield Result(f"{name} solved from nothing", shown, target="3x", met=taken <= MOST_TIMES * base)
    forget_everything()
    taken = processor(_count_zappit)
    title = "Zappit Blackjack counted from nothing, every line"
    yield Result(title, in_words(taken), target="under 3 minutes", met=taken < ZAPPIT_S)
    taken = processor(lambda: best_switching(SWITCH).edge)
    title = "Blackjack Switch counted from nothing, every two hands"
    yield Result(title, in_words(taken), target="under 10 minutes", met=taken < SWITCH_S)
    one_hand = {"": PLAIN, "Free Bet Blackjack": FREE_BET, "Zappit Blackjack": ZAPPIT, "Super Fun 21": SUPER_FUN}
    played = {name: _sample(rules, evaluate(basic_strategy(rules), rules).strategy) for name, rules in one_hand.items()}
    played["Blackjack Switch"] = _sample(SWITCH, chart_switching(SWITCH))
    for sample in played.values():
        sample()
    best = {name: min(processor(sample) for _ in range(TIMES)) for name, sample in played.items()}
    for name in list(played)[1:]:
        rate = best[""] / best[name]
        shown = f"{rate:.2f}x the plain game's rounds a second"
        yield Result(f"{name} sampled", shown, target="0.5x", met=rate >= LEAST_RATE)
