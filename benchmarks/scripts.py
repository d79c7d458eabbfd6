"""Games that are written as a script, beside Triple Shot Rummy: counted, priced again, asked in the lab, and sampled.

All of it is work of one process, measured in its seconds of processor: what else runs on the machine hardly counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module

import numpy as np

from benchmarks.exact import count_and_price, forget_everything
from benchmarks.measure import Result, in_turns, in_words, middle, processor_seconds
from croupier.analysis.analyst import counter_of
from croupier.analysis.census import OPTIMAL
from croupier.analysis.kernels.random import stream
from croupier.analysis.simulation.job import play_rounds
from croupier.analysis.simulation.request import NONE_OF_ONES_OWN, Sample
from croupier.games.head_to_head.game import Game
from croupier.games.script.game import ScriptGame
from croupier.games.script.language import Deal, Show
from croupier.games.titles import triple_shot_rummy
from croupier.games.wager import approved_paytable
from croupier.web.games import questions
from croupier.web.games.routes import LabQuestion

DRAFTS = "croupier.games.titles"
MOST_COUNT_S = {"mississippi_stud": 3.0, "let_it_ride": 3.0, "casino_war": 0.2}
MOST_REPRICING_S = 0.3
MOST_TIMES = 2.0
"""Of Triple Shot Rummy's time, for the count of Three Card Poker."""
MOST_LAB_S = 0.3
"""For the lab's answer to a changed pay, at the server; `lab` asks over HTTP."""
LEAST_RATE = 0.5
"""Of Triple Shot Rummy's cards a second."""
ROUNDS = 2_000_000
LAB_ROWS = {
    "mississippi_stud": "Straight",
    "let_it_ride": "Straight",
    "casino_war": "War won",
    "three_card_poker": "Straight",
}
"""A row of each base wager's table whose pay is changed."""


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
    return processor_seconds(lambda: count(game))


def counts() -> Iterator[Result]:
    for name, most in MOST_COUNT_S.items():
        game = script(name)
        counted_from_nothing(game)
        ours = middle(lambda game=game: counted_from_nothing(game), 3)  # type: ignore[misc]
        again = middle(lambda game=game: processor_seconds(lambda: count(game)), 5)  # type: ignore[misc]
        yield Result(f"{game.title}, counted from nothing", in_words(ours), target=f"under {most:g} s", met=ours < most)
        yield Result(
            f"{game.title}, priced again",
            in_words(again),
            target=f"under {MOST_REPRICING_S:g} s",
            met=again < MOST_REPRICING_S,
        )


def _rummy(game: Game) -> float:
    forget_everything()
    return processor_seconds(lambda: count_and_price(game, triple_shot_rummy.ANTE_PLAY))


def against_the_yardstick() -> Iterator[Result]:
    game, rummy = script("three_card_poker"), triple_shot_rummy.GAME
    counted_from_nothing(game)
    ours, theirs = in_turns(lambda: counted_from_nothing(game), lambda: _rummy(rummy), 7)
    yield Result(
        "Three Card Poker Ante and Play, counted from nothing",
        in_words(ours),
        f"{in_words(theirs)} (Triple Shot Rummy)",
        ours / theirs,
        f"at most {MOST_TIMES:g}x",
        ours <= MOST_TIMES * theirs,
    )


def asked_in_the_lab() -> Iterator[Result]:
    """What a page of the lab is answered, from its question to JSON; each pay is one that nobody has asked about."""
    for name, row in LAB_ROWS.items():
        game = script(name)
        table = str(next(iter(game.base.paytables.values())))
        pays = iter(range(2, 200))

        def ask(game: ScriptGame = game, table: str = table, row: str = row, pays: Iterator[int] = pays) -> object:
            rows, changed = re.subn(rf"(?m)^{row}\s+\d.*$", f"{row}  {next(pays)} to 1", table)
            assert changed == 1
            said = {"game": game.key, "wager": game.base.key, "tables": [{"paytable": rows}]}
            return questions.lab(LabQuestion.model_validate(said).model_dump_json())

        ask()
        took = middle(lambda ask=ask: processor_seconds(ask), 9)  # type: ignore[misc]
        what = f"the lab's answer to a changed pay, {game.title}"
        yield Result(what, in_words(took), target=f"below {in_words(MOST_LAB_S)}", met=took < MOST_LAB_S)


def _cards(game: ScriptGame) -> float:
    """That one round of one seat deals on average: those that are always dealt, and in a war as many more.

    What is burned is left out, although the kernel draws it.
    """
    always, where_due = 0, 0
    for step in game.script:
        if isinstance(step, Deal | Show) and not step.where.is_down:
            always += step.cards if step.when.is_open else 0
            where_due += 0 if step.when.is_open else step.cards
    return always + where_due * _raised(game) if where_due else always


def _raised(game: ScriptGame) -> float:
    """How often the best play raises, counted."""
    prices = game.base.prices(next(iter(game.base.paytables.values())))
    return float(counter_of(game).solve(game.base, prices, OPTIMAL).staked - 1)


def samples() -> Iterator[Result]:
    """Cards a second, of every wager of a game, by one seat."""
    rummy = counter_of(triple_shot_rummy.GAME).simulate(
        Sample("triple-shot-rummy", ROUNDS), approved_paytable, NONE_OF_ONES_OWN
    )
    for name in ("three_card_poker", "casino_war", "mississippi_stud", "let_it_ride"):
        game = script(name)
        sampled = counter_of(game).simulate(Sample(game.key, ROUNDS), approved_paytable, NONE_OF_ONES_OWN)

        def play(job=sampled.job) -> float:  # type: ignore[no-untyped-def]
            return processor_seconds(lambda: play_rounds(job, np.uint64(stream(7, 0)), ROUNDS))

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
    yield from asked_in_the_lab()
    yield from samples()
