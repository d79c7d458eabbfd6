"""What is sampled, as a worker needs it: tables and numbers, in blocks that can be played anywhere in any order.

A block is a fixed number of rounds with a stream of random numbers of its own, which follows from the seed and the
block's number alone. So the same seed gives the same totals on one worker, on many, and on a cluster.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.kernels.packets import PacketTables, deal_fours, deal_threes, empty_packets
from croupier.analysis.kernels.random import LARGEST_SEED, stream
from croupier.analysis.kernels.shoe_play import ShoeTables, empty_seats, play_shoes
from croupier.errors import CroupierError, NotationError

Counts = NDArray[np.int64]

BLOCK_ROUNDS = 2**16
PARTS = 16
"""Of a block, where results hang together: 4,096 rounds each."""
KERNELS = 2
"""Raised whenever a kernel plays the same block in another way, so that older checkpoints are not gone on with."""
MOST_ROUNDS = 10**15
"""A year of a large cluster."""


def check_numbers(*, rounds: int, seed: int) -> None:
    if not 1 <= rounds <= MOST_ROUNDS:
        raise NotationError(f"From 1 to {MOST_ROUNDS:,} rounds can be played, not {rounds:,}.")
    if not 0 <= seed <= LARGEST_SEED:
        raise NotationError(f"A seed is a whole number from 0 to {LARGEST_SEED:,}, not {seed:,}.")


class ScriptTables(Protocol):
    """What a script is dealt by: tables of a kernel, or its definition. It is a tuple of arrays, numbers and texts."""

    @property
    def bins(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    def play(self, state: np.uint64, rounds: int, seats: int, cards: NDArray[np.uint8], counts: Counts) -> None: ...


@dataclass(frozen=True, eq=False)
class Job:
    """Rounds to be sampled. Everything in it can be sent to another process."""

    identity: Mapping[str, Any]
    """What is played, in words and digests: two jobs with the same identity and seed have the same blocks."""
    tables: PacketTables | ShoeTables | ScriptTables
    cards: NDArray[np.uint8]
    """The deck or shoe in the order of new decks."""
    seats: int
    packet_cards: int | None
    """None where cards are drawn from a shoe, or as a script says."""
    seed: int
    rounds: int
    independent: bool = True
    """Whether the results of a wager are independent: one seat, and a fresh deck or shoe for each round."""
    kernels: int = KERNELS
    """Of the process that made the job: a worker that plays in another way must not."""

    def __post_init__(self) -> None:
        check_numbers(rounds=self.rounds, seed=self.seed)

    @property
    def bins(self) -> int:
        return int(self.tables.bins)

    @property
    def parts(self) -> int:
        """Into how many parts a block is divided, to see how much results that hang together scatter."""
        return 1 if self.independent else PARTS

    @property
    def full_blocks(self) -> int:
        return self.rounds // BLOCK_ROUNDS

    @property
    def rest_rounds(self) -> int:
        """Rounds of the last block, where it is not a full one."""
        return self.rounds % BLOCK_ROUNDS

    @property
    def fingerprint(self) -> str:
        """SHA-256 over what is played and its tables; the number of rounds does not matter."""
        digest = hashlib.sha256(
            json.dumps([self.identity, self.seats, self.seed, BLOCK_ROUNDS, KERNELS], sort_keys=True).encode()
        )
        for table in (self.cards, *self.tables):
            digest.update(np.asarray(table).tobytes())
        return digest.hexdigest()

    def play(self, block: int) -> BlockTotals:
        """One block; the last may have fewer rounds."""
        if self.kernels != KERNELS:
            raise CroupierError(f"This worker plays blocks in way {KERNELS}, and the job wants way {self.kernels}.")
        rounds = BLOCK_ROUNDS if block < self.full_blocks else self.rest_rounds
        size = BLOCK_ROUNDS // self.parts
        counts: Counts = np.zeros(self.bins, dtype=np.int64)
        products: Counts = np.zeros((self.bins, self.bins), dtype=np.int64)
        for part in range(-(-rounds // size)):
            there = min(size, rounds - part * size)
            tallies = play_rounds(self, np.uint64(stream(self.seed, PARTS * block + part)), there)
            counts += tallies
            if there == size:
                products += np.outer(tallies, tallies)
        return BlockTotals(counts, products, rounds // size)


class BlockTotals(NamedTuple):
    """What a block came to."""

    counts: Counts
    """(bins)"""
    products: Counts
    """(bins, bins): over its parts, the sum of each part's counts times its counts."""
    parts: int
    """Parts of full size, which alone are in the products."""


def play_rounds(job: Job, state: np.uint64, rounds: int) -> Counts:
    """So many rounds with one stream of random numbers."""
    cards, counts = job.cards.copy(), np.zeros(job.bins, dtype=np.int64)
    if isinstance(job.tables, PacketTables):
        deal = {3: deal_threes, 4: deal_fours}[job.packet_cards or 0]
        deal(state, rounds, empty_packets(job.seats), cards, job.tables, counts)
    elif isinstance(job.tables, ShoeTables):
        hands = 2 if job.tables.switch.size else 1  # where a seat has two, each is a seat of the kernel
        play_shoes(state, rounds, empty_seats(job.seats * hands), cards, 0, job.tables, counts)
    else:
        job.tables.play(state, rounds, job.seats, cards, counts)
    return counts


@dataclass(frozen=True, eq=False)
class Totals:
    """The sum of some blocks. Sums of whole numbers do not depend on their order."""

    blocks: int
    """Full blocks."""
    counts: Counts
    """(bins): of the full blocks."""
    products: Counts
    """(bins, bins): of the full blocks, see `BlockTotals`: how much parts of blocks scatter."""
    rest_rounds: int = 0
    rest: BlockTotals | None = None
    """The last block, where it is not a full one."""

    @classmethod
    def none(cls, bins: int) -> Totals:
        return cls(0, np.zeros(bins, dtype=np.int64), np.zeros((bins, bins), dtype=np.int64))

    def with_block(self, block: BlockTotals) -> Totals:
        return Totals(self.blocks + 1, self.counts + block.counts, self.products + block.products)

    def with_rest(self, rounds: int, block: BlockTotals) -> Totals:
        return Totals(self.blocks, self.counts, self.products, rounds, block)

    def __add__(self, other: Totals) -> Totals:
        """Of two sets of full blocks."""
        return Totals(self.blocks + other.blocks, self.counts + other.counts, self.products + other.products)

    @property
    def rounds(self) -> int:
        return self.blocks * BLOCK_ROUNDS + self.rest_rounds

    @property
    def all_counts(self) -> Counts:
        return self.counts if self.rest is None else self.counts + self.rest.counts

    @property
    def all_products(self) -> Counts:
        return self.products if self.rest is None else self.products + self.rest.products


def play_blocks(job: Job, first: int, last: int) -> Totals:
    """The total of the full blocks from `first` to just before `last`: what a worker does."""
    totals = Totals.none(job.bins)
    for block in range(first, last):
        totals = totals.with_block(job.play(block))
    return totals
