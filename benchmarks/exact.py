"""The exact count: from nothing, and priced again when a pay has changed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cached_property

from benchmarks.measure import Result, ThreeCards, in_turns, in_words, middle, seconds
from croupier.analysis.census import OPTIMAL, take_census
from croupier.analysis.figures import Figures
from croupier.games.catalogue import ALL_GAMES, GAMES
from croupier.games.head_to_head.game import Game
from croupier.games.titles import supreme_99, triple_shot_rummy
from croupier.games.wager import Wager

LEAST_SHARE = 1 / 4
"""Of the yardstick's time, for the census of a three-card game."""
MOST_REPRICING_S = 0.001
MOST_SUPREME_S = 5.0


def forget_everything() -> None:
    """Empty every cache of Croupier, so that classes, readings, judgments, tables and counts are made again."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "croupier":
            for value in list(vars(module).values()):
                if callable(clear := getattr(value, "cache_clear", None)):
                    clear()
    for game in ALL_GAMES.values():
        for thing in (game, *game.wagers):
            for name, value in vars(type(thing)).items():
                if isinstance(value, cached_property):
                    vars(thing).pop(name, None)


def count_and_price(game: Game, wager: Wager) -> Figures:
    """A wager's best strategy and every figure of it."""
    prices = wager.prices(next(iter(wager.paytables.values())))
    figures = Figures(wager, take_census(game, wager).outcome_counts(OPTIMAL, prices), prices)
    assert figures.lines
    assert 0 < figures.element_of_risk < 1
    assert figures.hit_frequency
    assert figures.standard_deviation
    return figures


def from_nothing(game: Game, wager: Wager) -> float:
    forget_everything()
    return seconds(lambda: count_and_price(game, wager))


def census() -> Iterator[Result]:
    """407,170,400 deals of Triple Shot Rummy, with the best strategy, against the bare loop over them in C."""
    yardstick = ThreeCards()
    game, wager = triple_shot_rummy.GAME, triple_shot_rummy.ANTE_PLAY

    def measured() -> float:
        return middle(lambda: from_nothing(game, wager), 5)

    measured()
    ours, theirs = in_turns(measured, yardstick.seconds, 9)
    yield Result(
        "Triple Shot Rummy Ante and Play, counted from nothing",
        in_words(ours),
        f"{in_words(theirs)} (threecard.c)",
        ours / theirs,
        f"at most {LEAST_SHARE:g}x",
        ours <= theirs * LEAST_SHARE,
    )


def supreme() -> Iterator[Result]:
    """52,677,670,500 deals of Supreme 99 with the best of three settings for each hand."""
    game, wager = supreme_99.GAME, supreme_99.BET
    from_nothing(game, wager)
    ours = middle(lambda: from_nothing(game, wager), 5)
    what = "Supreme 99 with the best settings, counted from nothing"
    yield Result(what, in_words(ours), target=f"under {MOST_SUPREME_S:g} s", met=ours < MOST_SUPREME_S)


def repricing() -> Iterator[Result]:
    """Each wager from its census: prices, the best strategy under them, all figures."""
    for game in GAMES.values():
        for wager in game.wagers:
            count_and_price(game, wager)
            ours = middle(lambda game=game, wager=wager: seconds(lambda: count_and_price(game, wager)), 101)  # type: ignore[misc]
            yield Result(
                f"{game.title} {wager.title}, priced again",
                in_words(ours),
                target="under 1 ms",
                met=ours < MOST_REPRICING_S,
            )
