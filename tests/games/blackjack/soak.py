"""A million rounds at random, each settled as the tables of the exact count classify it: `make soak`.

python -m tests.games.blackjack.soak [ROUNDS] [SEED] [free-bet, zappit, switch or super-fun]
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random

from rich.progress import track

from croupier.games.blackjack.game import BlackjackOffering
from tests.games.blackjack.support import offer, random_round
from tests.games.blackjack.test_conformance import check_hands, check_side_wagers

BLOCK = 2_000
TABLES = (
    ("6D S17 DAS SP4 3:2", ("kings-bounty", "bet-the-bust", "blazing-7s-dealer")),
    ("8D H17 LS RSA HSA 6:5", ("kings-bounty", "bet-the-bust", "trilux")),
    ("6D H17 NDAS SP3 D9", ("bet-the-bust", "blazing-7s-player")),
    ("2D S17 SP2 D10 LS", ("kings-bounty", "bet-the-bust")),
    ("6D ENHC SP4 3:2", ("kings-bounty", "trilux")),
    ("6D ENHC SP4 LS 3:2", ("kings-bounty", "blazing-7s-player")),
    ("8D S17 SP1 3:2", ("bet-the-bust", "blazing-7s-player")),
    ("8D ENHC H17 SP1 LS 6:5", ("blazing-7s-player",)),
    ("6D S17 SP4 3:2", ("bet-the-set", "royal-match", "trilux-bonus", "house-money")),
    ("5D H17 SP4 LS P22 3:2", ("bet-the-set", "house-money")),
    ("2D ENHC H17 SP4 3:2", ("bet-the-set", "royal-match", "trilux-bonus")),
    ("6D H17 SP4 ES CH5 DAC 3:2", ("kings-bounty", "trilux", "house-money", "bet-the-bust")),
    ("6D ENHC SP4 OBO ES10 LS DAC 3:2", ("royal-match",)),
    ("6D H17 SP4 LS DAC SAD 3:2", ("kings-bounty", "blazing-7s-player")),
    ("6D H17 SP4 LS CH6 NDCC SAT B21 BJW DBJ 3:2", ("bet-the-set", "trilux", "house-money", "bet-the-bust")),
    ("2D ENHC SP4 CH5 B21 BJW DBJ 6:5", ("royal-match",)),
)
TITLES = {
    "free-bet": (
        ("6D H17 DAS SP4 RSA 3:2 P22 FD FS", ("kings-bounty", "push-22", "blazing-7s-dealer")),
        ("8D S17 SP4 HSA LS ENHC 3:2 P22 FD FS", ("royal-match", "push-22", "trilux")),
    ),
    "super-fun": (
        ("1D H17 DAS SP4 RSA HSA LS 1:1 CH6 DAC SAD SAT NDCC B21 BJW DBJ", ("bet-the-set", "royal-match")),
        ("6D S17 DAS SP3 LS 1:1 CH6 DAC SAD SAT NDCC B21 BJW DBJ", ("kings-bounty", "blazing-7s-player")),
    ),
    "zappit": (
        ("6D H17 DAS SP3 LS SAZ 3:2 P22 ZAP17", ("bet-the-set", "house-money", "blazing-7s-player")),
        ("6D S17 DAS SP4 NSAZ 3:2 P22 ZAP18", ("royal-match", "trilux")),
    ),
    "switch": (
        ("6D H17 DAS SP4 1:1 P22 SWITCH", ("super-match",)),
        ("8D S17 DAS SP4 RSA 1:1 P22 SWITCH SWBJ", ("super-match",)),
    ),
}
"""Titles of the family that are played as long as plain blackjack is, where they are named."""


def tables(title: str = "") -> list[BlackjackOffering]:
    # The Bet of two hands is an even number of cents.
    chip = 2 if title == "switch" else 1
    houses = TITLES[title] if title else TABLES
    return [offer(rules, wagers, seats=1, chip_cents=chip) for rules, wagers in houses]


def play_block(seed: int, title: str = "") -> int:
    """One block of rounds; how many were played to the end."""
    rng, houses = Random(seed), tables(title)
    for number in range(BLOCK):
        end = random_round(houses[number % len(houses)], rng)[-1]
        assert end.staked_cents == end.returned_cents + end.kept_cents
        check_side_wagers(end)
        check_hands(end)
    return BLOCK


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    title = sys.argv[3] if len(sys.argv) > 3 else ""
    if title and title not in TITLES:
        raise SystemExit(
            f"{title!r} is no title of the soak: there are {', '.join(TITLES)}, and none for plain blackjack."
        )
    blocks = range(first, first + -(-rounds // BLOCK))
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        played = sum(track(pool.map(partial(play_block, title=title), blocks), "playing", total=len(blocks)))
    print(f"{played:,} rounds were settled as the exact count classifies them; seeds {blocks[0]} to {blocks[-1]}.")


if __name__ == "__main__":
    main()
