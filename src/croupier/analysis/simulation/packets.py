"""The tables with which head-to-head games are sampled: made by asking the same rules that the census asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.kernels.packets import PacketTables
from croupier.analysis.tables import CHOOSE, Ints, all_hands, class_of_hands, findings_of_hands, judgment
from croupier.cards.card import Rank
from croupier.cards.symmetry import Ranks, Sees, classes, flush_ranks
from croupier.games.head_to_head.game import Game
from croupier.games.tabulate import read_all
from croupier.games.wager import AgainstDealer, OnHand, Outcome, Reading, Wager

_COPIES = 7
"""More than two hands can hold of a rank, dealt or not."""
NO_RANK = 13
"""In place of a sixth card's rank where all six are suited."""


class Codes(NamedTuple):
    """One wager: (hands) a seat's code, (hands) a dealer's code, and (seat's codes, dealer's codes) the outcome."""

    seat: Ints
    dealer: Ints
    outcome: NDArray[np.uint8]
    flush: NDArray[np.uint8] | None = None
    """Where five suited cards of both hands together count in another way: see `PacketTables.flush_bin`."""


def packet_tables(game: Game, wagers: Sequence[Wager], choices: Mapping[str, Ints]) -> PacketTables:
    """Tables for these wagers; `choices` gives, for a wager with a decision, the place of the choice for every hand."""
    codes = [codes_of(game, wager, choices.get(wager.key)) for wager in wagers]
    return assemble(codes, [len(wager.outcomes) for wager in wagers], game.packet_cards, game.ranks)


def assemble(codes: Sequence[Codes], sizes: Sequence[int], packet_cards: int, ranks: Ranks) -> PacketTables:
    """Tables from the codes of each wager, which has so many outcomes."""
    starts = np.cumsum([0, *(code.outcome.size for code in codes[:-1])])
    first_bins = np.cumsum([0, *sizes[:-1]])
    seat = np.column_stack([code.seat * code.outcome.shape[1] for code in codes]) + starts
    dealer = np.column_stack([code.dealer for code in codes])
    # Hands with the same numbers are one kind: there are a few hundred, which stay in the processor's cache.
    kind, one_of_kind = _kinds(np.hstack((seat, dealer)))
    flushes = [place for place, code in enumerate(codes) if code.flush is not None]
    assert sum(sizes) <= 256, "bins are bytes"
    assert len(one_of_kind) <= 2**16, "kinds are words"
    assert len(flushes) <= 1, "one wager of a game looks for flushes in both hands"
    by_suit, flush_bin = np.zeros((0, 4), dtype=np.int64), np.zeros((0, 0), dtype=np.uint8)
    for place in flushes:
        flush = codes[place].flush
        assert flush is not None
        by_suit = _ranks_by_suit(packet_cards, ranks)
        flush_bin = flush + first_bins[place].astype(np.uint8)
    return PacketTables(
        bins=sum(sizes),
        choose=CHOOSE[: 4 * len(ranks), 1:5].astype(np.uint32),
        kind=kind.astype(np.uint16),
        seat=seat[one_of_kind].astype(np.uint32),
        dealer=dealer[one_of_kind].astype(np.uint32),
        bin=np.concatenate(
            [code.outcome.ravel() + first for code, first in zip(codes, first_bins, strict=True)]
        ).astype(np.uint8),
        ranks=by_suit,
        flush_wager=flushes[0] if flushes else -1,
        flush_bin=flush_bin,
    )


def _kinds(rows: Ints) -> tuple[Ints, Ints]:
    """Which rows are equal: the kind of each, and one row of every kind. Column by column, which sorts only numbers."""
    kind: Ints = np.zeros(len(rows), dtype=np.int64)
    for column in rows.T:
        kind = np.unique(kind * (int(column.max()) + 1) + column, return_inverse=True)[1].ravel()
    return kind, np.unique(kind, return_index=True)[1]


def _ranks_by_suit(packet_cards: int, ranks: Ranks) -> Ints:
    """(hands, 4): one bit for each rank."""
    hands = all_hands(packet_cards, 4 * len(ranks))
    return np.stack([((hands % 4 == suit) << (hands // 4)).sum(axis=1) for suit in range(4)], axis=1)


def codes_of(game: Game, wager: Wager, choice_of_hand: Ints | None) -> Codes:
    """One wager; of one with a decision the place of the choice for every hand."""
    if isinstance(wager.basis, AgainstDealer):
        return _against_dealer(game, wager, wager.basis, choice_of_hand)
    assert isinstance(wager.basis, OnHand)
    if wager.basis.with_dealer:
        return with_dealer(wager.basis.reading, tuple(wager.outcomes), game.packet_cards, game.ranks)
    findings = findings_of_hands(wager.basis.reading, game.ranks)
    outcome = _places(wager.outcomes, read_all(wager.basis.reading, game.ranks).findings)
    return Codes(findings, np.zeros_like(findings), outcome[:, None])


def _against_dealer(game: Game, wager: Wager, basis: AgainstDealer, choice_of_hand: Ints | None) -> Codes:
    """A seat's code is what was chosen, and what the hand then reads."""
    first, seat, tables = 0, np.zeros(len(all_hands(game.packet_cards, 4 * len(game.ranks))), dtype=np.int64), []
    for place, choice in enumerate(basis.choices):
        table = judgment(wager, choice, game.ranks)
        codes = first + findings_of_hands(choice.reading, game.ranks)
        seat = codes if choice_of_hand is None else np.where(choice_of_hand == place, codes, seat)
        tables.append(table)
        first += len(table)
        if choice_of_hand is None:
            break
    return Codes(seat, findings_of_hands(basis.dealer, game.ranks), np.concatenate(tables))


class _SixCards(NamedTuple):
    """What six cards of two hands come to: by their ranks alone, and where five or six of them are suited."""

    by_ranks: dict[int, int]
    """By the key of the ranks, see `_rank_key`."""
    flush: NDArray[np.uint8]
    """(ranks of the suited cards as bits, rank of the other card): see `PacketTables`."""


@cache
def _six_cards(reading: Reading, outcomes: tuple[Outcome, ...], ranks: Ranks) -> _SixCards:
    """Asked of the wager's own reading, once for each class of hands."""
    table = read_all(reading, ranks)
    outcome_of = _places(outcomes, table.findings).tolist()
    by_ranks, flush = {}, np.zeros((1 << NO_RANK, NO_RANK + 1), dtype=np.uint8)
    for (hand, _), finding in zip(classes(reading.size, Sees.FLUSHES, ranks), table.of_class, strict=True):
        suited = flush_ranks(hand)
        held = sorted(card.rank for card in hand)
        if not suited:
            by_ranks[_rank_key(held, ranks)] = outcome_of[finding]
            continue
        for rank in suited:
            held.remove(rank)
        other = ranks.index(held[0]) if held else NO_RANK
        flush[sum(1 << ranks.index(rank) for rank in suited), other] = outcome_of[finding]
    return _SixCards(by_ranks, flush)


def _rank_key(held: Sequence[Rank], ranks: Ranks) -> int:
    """One number for a set of ranks; those of two hands add up to that of both, while no rank comes five times."""
    return sum(_COPIES ** ranks.index(rank) for rank in held)


def with_dealer(reading: Reading, outcomes: tuple[Outcome, ...], size: int, ranks: Ranks) -> Codes:
    """Both hands' ranks say the outcome, except where five or more of the cards are suited."""
    assert (reading.sees, reading.size, size) == (Sees.FLUSHES, 6, 3), "flushes are looked for in six cards"
    by_ranks, flush = _six_cards(reading, outcomes, ranks)
    keys = np.array(sorted(by_ranks))
    bins = np.array([by_ranks[key] for key in keys.tolist()], dtype=np.uint8)
    halves = [[card.rank for card in hand_class.hand] for hand_class in classes(size, Sees.RANKS, ranks)]
    half_keys = np.array([_rank_key(half, ranks) for half in halves])
    # Some pairs of hands would hold five of a rank: they are never dealt, and any outcome will do.
    both = np.searchsorted(keys, half_keys[:, None] + half_keys)
    outcome = bins[np.minimum(both, len(keys) - 1)]
    code = class_of_hands(size, Sees.RANKS, ranks)
    return Codes(code, code, outcome, flush)


def _places(outcomes: Sequence[Outcome], findings: Sequence[object]) -> NDArray[np.uint8]:
    """The place of the outcome that each finding is."""
    places = {outcome: place for place, outcome in enumerate(outcomes)}
    return np.array([places[finding] for finding in findings], dtype=np.uint8)  # type: ignore[index]
