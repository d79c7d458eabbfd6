"""Watches shoes as a counter does: before every round, what the wager is worth with the cards left, and the counts.

Rounds are played by the kernel of the simulation, so that as many cards are gone as at a real table.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from croupier.analysis.kernels.compiled import compiled
from croupier.analysis.kernels.random import Cards
from croupier.analysis.kernels.shoe_play import Counts, Seats, ShoeTables, _shuffle_ahead, play_shoes

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
ALONE, ON_BLACKJACK, ON_UP_CARD, ON_DEALERS_TWO, ON_RESULT = 0, 1, 2, 3, 4
"""What the wager looks at beside the seat's two cards: nothing, whether the dealer has a blackjack, the up card,
whether the dealer's two cards are such as are looked for; or the result of the round, which is sampled."""
DECK_CARDS = 52.0
_NO_STATE = np.uint64(0)


class Worth(NamedTuple):
    """What the wager pays, as a table."""

    looks_at: int
    first: Ints
    second: Ints
    """(pairs): the types of the seat's two cards."""
    net: Floats
    """(pairs, columns)"""
    matters: npt.NDArray[np.bool_]
    """(pairs): whether the column does."""
    ace: npt.NDArray[np.bool_]
    ten: npt.NDArray[np.bool_]
    """(types)"""
    dealers_first: Ints
    dealers_second: Ints
    """The types of such two cards of the dealer's, where they are looked at."""
    results: Floats
    """What a round adds by the first bins of its counts, where its result is looked at."""


class Watched(NamedTuple):
    """Sums by depth: how often, and what the wager was worth in all."""

    rounds: Ints
    """(depths, counts, bins): how often the true count was there."""
    worth: Floats
    """(depths, counts, bins)"""
    good_rounds: Ints
    """(depths): how often the wager was good to the player, all cards known."""
    good_worth: Floats
    """(depths)"""
    totals: Floats
    """(depths, 2): all rounds, and what the wager was worth in all of them."""


@compiled
def _dealers_ways(left: Ints, table: Worth, one: int, two: int) -> float:
    """In how many ways the dealer has two cards that are looked for, once the seat has its two."""
    total = 0.0
    for place in range(table.dealers_first.size):
        first, second = table.dealers_first[place], table.dealers_second[place]
        firsts = left[first] - int(first == one) - int(first == two)
        seconds = left[second] - int(second == one) - int(second == two)
        total += 0.5 * firsts * (firsts - 1) if first == second else 1.0 * firsts * seconds
    return total


@compiled
def worth_now(left: Ints, table: Worth) -> float:
    """The player's expected result with these cards left, one unit wagered."""
    cards = 0
    aces = 0
    tens = 0
    for card_value in range(left.size):
        cards += left[card_value]
        if table.ace[card_value]:
            aces += left[card_value]
        if table.ten[card_value]:
            tens += left[card_value]
    pairs = 0.5 * cards * (cards - 1)
    others = 0.5 * (cards - 2) * (cards - 3)
    total = 0.0
    for place in range(table.first.size):
        one, two = table.first[place], table.second[place]
        ways = 0.5 * left[one] * (left[one] - 1) if one == two else 1.0 * left[one] * left[two]
        if ways <= 0:
            continue
        value = table.net[place, 0]
        if table.matters[place]:
            if table.looks_at == ON_BLACKJACK:
                here_aces = aces - int(table.ace[one]) - int(table.ace[two])
                here_tens = tens - int(table.ten[one]) - int(table.ten[two])
                value += (table.net[place, 1] - table.net[place, 0]) * here_aces * here_tens / others
            elif table.looks_at == ON_DEALERS_TWO:
                value += (table.net[place, 1] - table.net[place, 0]) * _dealers_ways(left, table, one, two) / others
            else:
                value = 0.0
                for up in range(left.size):
                    value += table.net[place, up] * left[up]
                value = (value - table.net[place, one] - table.net[place, two]) / (cards - 2)
        total += ways * value
    return total / pairs


@compiled
def _find_places(running: Floats, unseen: int, bins: int, places: Ints) -> None:
    """In which bin each true count is, per deck of the cards that are left."""
    for count in range(running.size):
        true = int(np.floor(running[count] * DECK_CARDS / unseen)) + bins // 2
        places[count] = max(0, min(bins - 1, true))


@compiled
def _result(counts: Counts, results: Floats) -> float:
    """What a round came to, by its first bins."""
    won = 0.0
    for line in range(results.size):
        won += counts[line] * results[line]
    return won


@compiled
def _note(watched: Watched, depth: int, places: Ints, worth: float) -> None:
    """One round more."""
    watched.totals[depth, 0] += 1
    watched.totals[depth, 1] += worth
    for count in range(places.size):
        watched.rounds[depth, count, places[count]] += 1
        watched.worth[depth, count, places[count]] += worth


@compiled
def watch_shoes(
    state: np.uint64,
    shoes: int,
    seats: Seats,
    shoe: Cards,
    tables: ShoeTables,
    table: Worth,
    tags: Floats,
    cuts: Ints,
    after_cut: bool,
    counts: Counts,
    watched: Watched,
) -> None:
    """Adds to `watched`. `tags` are (counts, types), summing to 0; `cuts` are where the cut card lies, rising.

    The round that brings the cut card is the last, or, `after_cut`, the one after it.
    """
    size = np.uint64(shoe.size)
    types = tags.shape[1]
    left = np.zeros(types, dtype=np.int64)
    running = np.zeros(tags.shape[0], dtype=np.float64)
    places = np.zeros(tags.shape[0], dtype=np.int64)
    sampled = table.looks_at == ON_RESULT
    for _ in range(shoes):
        ready = _NO_STATE
        while ready < size:
            ready, state = _shuffle_ahead(shoe, ready, state)
        left[:] = shoe.size // types
        running[:] = 0.0
        dealt, unseen, depth = np.int64(tables.burned), shoe.size, 0
        began = dealt
        while began < cuts[cuts.size - 1]:
            while began >= cuts[depth]:
                depth += 1
            _find_places(running, unseen, watched.rounds.shape[2], places)
            if sampled:
                counts[:] = 0
            else:
                worth = worth_now(left, table)
                _note(watched, depth, places, worth)
                if worth > 0:
                    watched.good_rounds[depth] += 1
                    watched.good_worth[depth] += worth
            after = np.int64(play_shoes(_NO_STATE, 1, seats, shoe, int(dealt), tables, counts))
            if after > shoe.size:
                break
            if sampled:
                _note(watched, depth, places, _result(counts, table.results))
            began = dealt if after_cut else after
            for place in range(dealt, after):
                card = tables.type[shoe[place]]
                left[card] -= 1
                unseen -= 1
                for count in range(running.size):
                    running[count] += tags[count, card]
            dealt = after


# Shoes dealt to several cut cards at once, and beside each a fixed number of rounds from the same shoe


class Dealt(NamedTuple):
    """Sums of some shoes."""

    rounds: Ints
    """(cuts): rounds that begin before the cut card."""
    beside: Floats
    """(cuts): what all seats won in these rounds, less what they won in the fixed number of rounds."""
    together: Floats
    """(3): the rounds of the deepest cut, the squares of what all seats won in one, and those of each seat's."""
    short: Ints
    """(cuts): shoes that ran out before that."""


@compiled
def deal_to_cuts(
    state: np.uint64,
    shoes: int,
    seats: Seats,
    shoe: Cards,
    tables: ShoeTables,
    nets: Floats,
    cuts: Ints,
    fixed: Ints,
    counts: Counts,
    tally: Dealt,
) -> None:
    """Adds to `tally`. `nets` are what a seat wins by the first bins of `counts`; `cuts` rise; `fixed` are the rounds
    that are set beside those of each cut."""
    size = np.uint64(shoe.size)
    last = cuts.size - 1
    for _ in range(shoes):
        ready = _NO_STATE
        while ready < size:
            ready, state = _shuffle_ahead(shoe, ready, state)
        dealt, rounds = np.int64(tables.burned), 0
        while dealt < cuts[last] or rounds < fixed[last]:
            counts[:] = 0
            after = np.int64(play_shoes(_NO_STATE, 1, seats, shoe, int(dealt), tables, counts))
            if after > shoe.size:
                for cut in range(cuts.size):
                    tally.short[cut] += int(dealt < cuts[cut] or rounds < fixed[cut])
                break
            won, squares = 0.0, 0.0
            for line in range(nets.size):
                won += counts[line] * nets[line]
                squares += counts[line] * nets[line] * nets[line]
            for cut in range(cuts.size):
                inside, counted = dealt < cuts[cut], rounds < fixed[cut]
                tally.rounds[cut] += int(inside)
                tally.beside[cut] += won * (int(inside) - int(counted))
            if dealt < cuts[last]:
                tally.together[0] += 1
                tally.together[1] += won * won
                tally.together[2] += squares
            dealt = after
            rounds += 1
