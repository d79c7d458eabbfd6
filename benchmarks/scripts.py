"""Games that are written as a script, beside Triple Shot Rummy: counted, priced again, and sampled."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

import numpy as np

from benchmarks.exact import forget_everything, from_nothing
from benchmarks.measure import Result, in_turns, in_words, middle, seconds
from croupier.analysis.analyst import counter_of
from croupier.analysis.census import OPTIMAL
from croupier.analysis.kernels.random import stream
from croupier.analysis.simulation.job import play_rounds
from croupier.analysis.simulation.request import NONE_OF_ONES_OWN, Sample
from croupier.games.script.game import ScriptGame
from croupier.games.script.language import Deal, Show
from croupier.games.titles import triple_shot_rummy
from croupier.games.wager import approved_paytable

DRAFTS = "croupier.games.titles"
MOST_COUNT_S = {"mississippi_stud": 3.0, "let_it_ride": 3.0, "casino_war": 0.2}
MOST_REPRICING_S = 0.3
MOST_TIMES = 2.0
"""Of Triple Shot Rummy's time, for the count of Three Card Poker."""
LEAST_RATE = 0.5
"""Of Triple Shot Rummy's cards a second."""
ROUNDS = 2_000_000


def script(name: str) -> ScriptGame:
    game = import_module(f"{DRAFTS}.{name}").GAME
    assert isinstance(game, ScriptGame)
    return game


def count(game: ScriptGame) -> None:
    wager = game.base
    prices = wager.prices(next(iter(wager.paytables.values())))
    figures = counter_of(game).solve(wager, prices, OPTIMAL)
    assert figures.lines
    assert figures.standard_deviation


def counted_from_nothing(game: ScriptGame) -> float:
    forget_everything()
    return seconds(lambda: count(game))


def counts() -> Iterator[Result]:
    for name, most in MOST_COUNT_S.items():
        game = script(name)
        counted_from_nothing(game)
        ours = middle(lambda game=game: counted_from_nothing(game), 3)  # type: ignore[misc]
        again = middle(lambda game=game: seconds(lambda: count(game)), 5)  # type: ignore[misc]
        yield Result(f"{game.title}, counted from nothing", in_words(ours), target=f"under {most:g} s", met=ours < most)
        yield Result(
            f"{game.title}, priced again",
            in_words(again),
            target=f"under {MOST_REPRICING_S:g} s",
            met=again < MOST_REPRICING_S,
        )


def against_the_yardstick() -> Iterator[Result]:
    game, rummy = script("three_card_poker"), triple_shot_rummy.GAME
    counted_from_nothing(game)
    ours, theirs = in_turns(
        lambda: counted_from_nothing(game), lambda: from_nothing(rummy, triple_shot_rummy.ANTE_PLAY), 7
    )
    yield Result(
        "Three Card Poker Ante and Play, counted from nothing",
        in_words(ours),
        f"{in_words(theirs)} (Triple Shot Rummy)",
        ours / theirs,
        f"at most {MOST_TIMES:g}x",
        ours <= MOST_TIMES * theirs,
    )


def _cards(game: ScriptGame) -> int:
    """That one round of one seat is sure to deal."""
    return sum(
        step.cards
        for step in game.script
        if isinstance(step, Deal | Show) and not step.where.is_down and step.when.is_open
    )


def samples() -> Iterator[Result]:
    """Cards a second, of every wager of a game, by one seat."""
    rummy = counter_of(triple_shot_rummy.GAME).simulate(
        Sample("triple-shot-rummy", ROUNDS), approved_paytable, NONE_OF_ONES_OWN
    )
    for name in ("three_card_poker", "casino_war", "mississippi_stud", "let_it_ride"):
        game = script(name)
        sampled = counter_of(game).simulate(Sample(game.key, ROUNDS), approved_paytable, NONE_OF_ONES_OWN)

        def play(job=sampled.job) -> float:  # type: ignore[no-untyped-def]
            return seconds(lambda: play_rounds(job, np.uint64(stream(7, 0)), ROUNDS))

        play()
        play(rummy.job)
        ours, theirs = in_turns(play, lambda: play(rummy.job), 5)
        rate, yardstick = _cards(game) * ROUNDS / ours, 6 * ROUNDS / theirs
        yield Result(
            f"simulate {game.title}, all wagers",
            f"{rate / 1e6:.1f} million cards/s",
            f"{yardstick / 1e6:.1f} (Triple Shot Rummy)",
            rate / yardstick,
            f"at least {LEAST_RATE:g}x",
            rate >= LEAST_RATE * yardstick,
        )


def run() -> Iterator[Result]:
    yield from against_the_yardstick()
    yield from counts()
    yield from samples()
