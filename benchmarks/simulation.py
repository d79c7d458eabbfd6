"""Rounds a second beside blackjack.c, what two workers gain, and how soon and in how little memory a run starts."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from benchmarks.blackjack_solver import CHECK_CASE, ROUNDS, Simulation
from benchmarks.measure import CROUPIER, MIB, Result, in_turns, in_words, middle, peak_bytes, run_process, seconds
from croupier.analysis.kernels.random import stream
from croupier.analysis.kernels.table_cache import RECENT_S
from croupier.analysis.simulation.job import play_rounds
from croupier.analysis.simulation.run import run as run_job
from croupier.analysis.simulation.setup import Simulation as Sampled
from croupier.analysis.simulation.setup import simulate_packets
from croupier.analysis.simulation.setup_blackjack import simulate_blackjack
from croupier.games.blackjack.game import BlackjackGame, blackjack, of_the_family
from croupier.games.catalogue import ALL_GAMES, find_any_game, find_game
from croupier.games.wager import Wager

TIMES = 7
TITLES = ("free-bet-blackjack",)
SIDES = ("bet", "kings-bounty", "bet-the-bust", "blazing-7s-dealer", "trilux")
LONG = 400_000_000
"""Rounds of the run that two workers share: long beside the second that a worker takes to start."""
FIRST_RESULT_S = 2.0


def table(keys: Sequence[str], game: BlackjackGame | None = None) -> Sampled:
    game = game or blackjack(CHECK_CASE)
    wagers = [_with_table(game.wager(key)) for key in keys]
    return simulate_blackjack(game, wagers, seats=1, strategy="basic", seed=7, rounds=LONG, fresh=False)


def packets(key: str, rounds: int = LONG) -> Sampled:
    game = find_game(key)
    wagers = [_with_table(wager) for wager in game.wagers]
    return simulate_packets(game, wagers, seats=1, strategy="optimal", seed=7, rounds=rounds)


def _with_table(wager: Wager):  # type: ignore[no-untyped-def]
    name = next(iter(wager.paytables))
    return wager, name, wager.paytables[name]


def one_core() -> Iterator[Result]:
    """As many rounds as the yardstick plays, in one process."""
    yardstick = Simulation()
    cases = (
        (f"Blackjack {CHECK_CASE}, bare", table(["bet"]), 0.8),
        ("the same with King's Bounty, Bet the Bust, Blazing 7's and TriLux", table(SIDES), 0.4),
        ("Triple Shot Rummy, all wagers", packets("triple-shot-rummy"), 1.0),
        ("Three Card Baccarat, all wagers", packets("three-card-baccarat"), 1.0),
        ("Supreme 99, all wagers", packets("supreme-99"), None),
    )
    for title, sampled, least in cases:
        play = _player(sampled)
        play()
        ours, theirs = in_turns(lambda play=play: seconds(play), yardstick.seconds, TIMES)  # type: ignore[misc]
        speed = theirs / ours
        yield Result(
            f"simulate {title}",
            f"{ROUNDS / ours / 1e6:.1f} million rounds/s",
            f"{ROUNDS / theirs / 1e6:.1f} (blackjack.c)",
            speed,
            f"at least {least:g}x" if least else "",
            speed >= least if least else None,
        )


def titles() -> Iterator[Result]:
    """The other titles of the family beside plain blackjack, each bare and by its own basic strategy."""
    plain = _player(table(["bet"]))
    plain()
    for key in TITLES:
        game = of_the_family(find_any_game(key))
        play = _player(table(["bet"], game))
        play()
        ours, theirs = in_turns(lambda play=play: seconds(play), lambda: seconds(plain), TIMES)  # type: ignore[misc]
        yield Result(
            f"simulate {game.title} {game.short_placard}, bare",
            f"{ROUNDS / ours / 1e6:.1f} million rounds/s",
            f"{ROUNDS / theirs / 1e6:.1f} (blackjack)",
            theirs / ours,
            "at least 0.5x",
            theirs / ours >= 0.5,
        )


def _player(sampled: Sampled) -> Callable[[], object]:
    return lambda: play_rounds(sampled.job, np.uint64(stream(7, 0)), ROUNDS)


def workers() -> Iterator[Result]:
    """The same run by one worker and by two, from start to end."""
    sampled = packets("three-card-baccarat")

    def by(number: int) -> float:
        return seconds(lambda: run_job(sampled.job, workers=number))

    by(2)
    two, one = in_turns(lambda: by(2), lambda: by(1), 3)
    yield Result(
        f"simulate Three Card Baccarat, {LONG // 10**6} million rounds, two workers",
        in_words(two),
        f"{in_words(one)} (one worker)",
        one / two,
        "at least 1.7x on an idle machine",
        one / two >= 1.7,
    )


def first_result() -> Iterator[Result]:
    """A fresh process with byte code, numba's caches and tables kept, from the command to its figures."""
    time.sleep(RECENT_S)  # tables of sources that have just changed are not kept
    for game in ALL_GAMES:
        command = [str(CROUPIER), "simulate", game, "--rounds", "65536"]
        run_process(command)
        taken = middle(lambda command=command: seconds(lambda: run_process(command)), 5)  # type: ignore[misc]
        yield Result(f"simulate {game}, first result", in_words(taken), target="under 2 s", met=taken < FIRST_RESULT_S)


def memory() -> Iterator[Result]:
    """The most memory of a short run and of one a hundred times as long."""
    few, many = (peak_bytes([str(CROUPIER), "simulate", "blackjack", "--rounds", n]) for n in ("1e6", "1e8"))
    yield Result(
        "simulate blackjack, memory of 100 million rounds",
        f"{many / MIB:.0f} MiB",
        f"{few / MIB:.0f} MiB (1 million rounds)",
        many / few,
        "at most 1.1x",
        many <= 1.1 * few,
    )


def run() -> Iterator[Result]:
    yield from one_core()
    yield from titles()
    yield from workers()
    yield from first_result()
    yield from memory()
