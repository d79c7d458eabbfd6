"""A job that plays a block in milliseconds; as a program it plays a long one until it is stopped."""

from __future__ import annotations

import multiprocessing
import sys
from functools import cache
from pathlib import Path

import numpy as np

from croupier.analysis.kernels.packets import PacketTables
from croupier.analysis.simulation.job import BLOCK_ROUNDS, Job, Totals
from croupier.analysis.simulation.packets import packet_tables
from croupier.analysis.simulation.run import run
from croupier.games.catalogue import find_game

REST_ROUNDS = 100


@cache
def tables() -> PacketTables:
    game = find_game("three-card-baccarat")
    return packet_tables(game, game.wagers, {})


def job_of(blocks: int, *, rest_rounds: int = REST_ROUNDS, seed: int = 7, seats: int = 1, strategy: str = "-") -> Job:
    return Job(
        identity={"game": "three-card-baccarat", "strategy": strategy},
        tables=tables(),
        cards=np.arange(52, dtype=np.uint8),
        seats=seats,
        packet_cards=3,
        seed=seed,
        rounds=blocks * BLOCK_ROUNDS + rest_rounds,
    )


def same(one: Totals, other: Totals) -> bool:
    return (
        (one.blocks, one.rest_rounds) == (other.blocks, other.rest_rounds)
        and np.array_equal(one.counts, other.counts)
        and np.array_equal(one.products, other.products)
        and np.array_equal(one.all_counts, other.all_counts)
    )


def play_until_stopped(checkpoint: Path, workers: int) -> None:
    """Says how many processes play, then what was reached."""
    heard = 0

    def report(totals: Totals) -> None:
        nonlocal heard
        heard += 1
        if heard == 20:
            print(len(multiprocessing.active_children()), flush=True)

    result = run(job_of(10**9), workers=workers, checkpoint=checkpoint, report=report)
    print(result.complete, result.totals.blocks, flush=True)


if __name__ == "__main__":
    play_until_stopped(Path(sys.argv[1]), int(sys.argv[2]))
