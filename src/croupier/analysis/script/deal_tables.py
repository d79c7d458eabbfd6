"""The tables with which scripts are sampled: made by asking the same rules and choices that the count asks."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.kernels.script import FINAL, RankTables, StreetTables
from croupier.analysis.script.packets import Packets, seat_sees
from croupier.analysis.script.plain import Position, Tree
from croupier.analysis.script.streets import SUITS, Chosen, Path, Streets, endings_after, sized
from croupier.analysis.tables import (
    CHOOSE,
    Ints,
    all_hands,
    class_of_hands,
    findings_of_hands,
    hand_places,
    rank_places,
    rank_sets,
)
from croupier.cards.card import Hand
from croupier.cards.symmetry import Sees, classes
from croupier.games.script.game import ScriptGame, cards_of
from croupier.games.script.language import BOARD, DEALER, SEAT, Choose, Deal, Seen, Show
from croupier.games.script.wager import Ending, ScriptWager
from croupier.games.tabulate import read_all

LARGEST = 3
"""Cards that a kernel of streets deals at once, at most; at least two."""
Bins = Mapping[ScriptWager, int]
"""The first bin of each wager that is sampled; its endings follow in the order of `outcomes`."""


def _bins(wager: ScriptWager, first: int) -> dict[Ending, int]:
    return {ending: first + place for place, ending in enumerate(wager.outcomes) if isinstance(ending, Ending)}


def _size(bins: Bins) -> int:
    return sum(len(wager.outcomes) for wager in bins)


# Streets


def street_tables(game: ScriptGame, bins: Bins, streets: Streets, chosen: Chosen) -> StreetTables:
    """For a game of streets, and for wagers on the seat's own cards beside it."""
    size = game.sizes[SEAT.name]
    sides = [wager for wager in bins if wager is not game.base]
    side = np.array([_side_bins(game, wager, bins[wager]) for wager in sides], dtype=np.int32)
    hands = all_hands(size, game.deck.size)
    hand_class, names = _classes(streets, hands)
    board = game.sizes[BOARD.name]
    held, kind_of = _kinds(game, streets, hands, board)
    lines = _Lines(streets, chosen, _bins(game.base, bins.get(game.base, 0)))
    if game.base in bins:
        lines.add(())
    width = max((len(row) for row in lines.after), default=0)
    after = [row + [0] * (width - len(row)) for row in lines.after]
    return StreetTables(
        bins=_size(bins),
        own=size,
        board=board,
        choose=_adding([[CHOOSE[card, i + 1] for i in range(LARGEST)] for card in range(game.deck.size)]),
        by_ranks=_adding([[CHOOSE[card // 4 + i, i + 1] for i in range(LARGEST)] for card in range(game.deck.size)]),
        hand_class=hand_class.astype(np.uint16),
        names=names,
        held=held,
        side=side.reshape(len(sides), len(hands)),
        policy=np.concatenate([*lines.policy, np.zeros(0, dtype=np.int8)]),
        first=np.cumsum([0, *(len(choices) for choices in lines.policy)], dtype=np.int64)[:-1],
        after=np.array(after, dtype=np.int32).reshape(len(after), width),
        final=np.array(lines.final, dtype=np.int32).reshape(len(lines.final), len(streets.kinds)),
        kind_of=kind_of,
    )


def _adding(rows: list[list[int]]) -> NDArray[np.uint32]:
    """What each card adds; a row more for no card, which adds nothing."""
    return np.array([*rows, [0] * LARGEST], dtype=np.uint32)


def _kinds(game: ScriptGame, streets: Streets, hands: Ints, board: int) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """What a seat's hand brings to a whole one (see `StreetTables.held`), and what whole hands come to.

    Five cards are told by their ranks, and by whether all are of one suit.
    """
    [look] = game.base.looks
    ranks, size = game.deck.ranks, cards_of(game, look)
    reading = sized(look, size)
    table = read_all(reading, ranks)
    judged = [tuple(spot.judged.judge(finding) for spot in game.base.spots) for finding in table.findings]
    kinds = [streets.kinds.index(outcomes) for outcomes in judged]
    by_ranks = np.zeros((2, comb(len(ranks) + size - 1, size)), dtype=np.uint8)
    for hand_class, finding in zip(classes(size, reading.sees, ranks), table.of_class, strict=True):
        row = rank_places(np.array([sorted(ranks.index(card.rank) for card in hand_class.hand)]))[0]
        suited = len({card.suit for card in hand_class.hand}) == 1
        by_ranks[slice(None) if reading.sees is Sees.RANKS else int(suited), row] = kinds[finding]
    mine, theirs = (rank_sets(len(ranks), cards) for cards in (size - board, board))
    both = np.concatenate([np.repeat(mine, len(theirs), axis=0), np.tile(theirs, (len(mine), 1))], axis=1)
    places = rank_places(np.sort(both, axis=1))
    suits = np.bitwise_and.reduce(1 << (hands % 4), axis=1)
    held = rank_places(hands // 4) * 16 + suits
    return held.astype(np.uint16), by_ranks[:, places].reshape(2, len(mine), len(theirs))


PACKETS = (3, 4)
"""Cards of a packet that a kernel deals."""
MOST_BINS = 256
"""Of all wagers together, where packets are dealt."""


def is_sampled_by_packets(game: ScriptGame) -> bool:
    """Whether each wager reads one hand or the other, or the best five of both, where a kernel deals such packets."""
    size = game.sizes[SEAT.name]
    both = [wager.looks for wager in game.wagers if any(look.where == SEAT + DEALER for look in wager.looks)]
    alone = (look.where in (SEAT, DEALER) for wager in game.wagers for look in wager.looks if wager.looks not in both)
    six = all(len(looks) == 1 and looks[0].reading.sees is Sees.FLUSHES and size == 3 for looks in both)
    bins = sum(len(wager.outcomes) for wager in game.wagers)
    return size in PACKETS and all(alone) and six and len(both) <= 1 and bins <= MOST_BINS


MOST_POSITIONS = 50_000
"""That are made by rank: more take longer than anybody waits for a run to begin."""


def is_sampled_by_rank(game: ScriptGame) -> bool:
    """Whether a game looks at ranks alone, and at so few cards that every position can be made."""
    kinds = len(game.deck.kinds(Sees.RANKS))
    seen = [step.cards for step in game.script if isinstance(step, Deal | Show) and not step.where.is_down]
    positions = prod(comb(kinds + cards - 1, cards) for cards in seen)
    return positions <= MOST_POSITIONS and all(look.reading.sees is Sees.RANKS for look in game.all_looks)


def is_sampled(game: ScriptGame, wagers: Iterable[ScriptWager]) -> bool:
    """Whether the kernel of streets deals such hands, and wagers beside the base are on the seat's own cards."""
    sizes = {game.sizes[SEAT.name], game.sizes[BOARD.name]} <= {2, LARGEST}
    sides = all([look.where for look in wager.looks] == [SEAT] for wager in wagers if wager is not game.base)
    return sizes and sides and all(look.reading.sees <= Sees.FLUSHES for look in game.base.looks)


def _side_bins(game: ScriptGame, wager: ScriptWager, first: int) -> Ints:
    """(hands): of a wager that is read from the seat's own cards."""
    [look] = wager.looks
    reading, bins = sized(look, cards_of(game, look)), _bins(wager, first)
    findings = read_all(reading, game.deck.ranks).findings
    places = np.array([bins[wager.ending(Seen(), {look: finding}.__getitem__)] for finding in findings])
    return places[findings_of_hands(reading, game.deck.ranks)]


def _classes(streets: Streets, hands: Ints) -> tuple[Ints, NDArray[np.uint8]]:
    """(hands) the class of each, and (hands, 4) what its suits are called there."""
    place = np.zeros(len(hands), dtype=np.int64)
    names = np.zeros((len(hands), 4), dtype=np.uint8)
    # Every way of naming the suits of a class leads to a hand of it; the names back are the inverse.
    for named in SUITS:
        renamed = np.sort(streets.own // 4 * 4 + np.array(named)[streets.own % 4], axis=1)
        rows = hand_places(renamed)
        place[rows] = np.arange(len(streets.own))
        names[rows] = np.argsort(named)
    return place, names


class _Lines:
    """Lines of choices that can be made, by number."""

    def __init__(self, streets: Streets, chosen: Chosen, bins: Mapping[Ending, int]) -> None:
        self._streets, self._chosen, self._bins = streets, chosen, bins
        self.policy: list[NDArray[np.int8]] = []
        self.after: list[list[int]] = []
        self.final: list[list[int]] = []

    def add(self, path: Path) -> int:
        """Number a line and those that follow it."""
        number, picked = len(self.policy), self._chosen(path)
        self.policy.append(picked.ravel())
        self.after.append([])
        places = set(np.unique(picked).tolist())
        for place, choice in enumerate(self._streets.steps[len(path)].options(Seen(choices=path))):
            self.after[number].append(self._follow((*path, choice)) if place in places else 0)
        return number

    def _follow(self, path: Path) -> int:
        if path[-1].ends:
            return -1 - self._bins[self._streets.wager.ending(Seen(choices=path))]
        if len(path) < len(self._streets.steps):
            return self.add(path)
        self.final.append([self._bins[ending] for ending in endings_after(self._streets, path)])
        return FINAL + len(self.final) - 1


# Shoes by rank


def rank_tables(game: ScriptGame, bins: Bins, trees: Mapping[ScriptWager, Tree]) -> RankTables:
    """For a game that looks at ranks alone: the positions of each wager's tree, gathered by what looks alike."""
    nodes = _Nodes(game)
    start = tuple(nodes.of(trees[wager], _bins(wager, bins[wager])) for wager in bins)
    joint = _Joint(nodes, start)
    return RankTables(
        bins=_size(bins),
        to_seats=np.array([game.script[at].where.is_seats for at in nodes.draws], dtype=np.bool_),
        waits=np.array(joint.waits, dtype=np.int32),
        burned=np.array(joint.burned, dtype=np.int32),
        after=np.array(joint.after, dtype=np.int32),
        ends=np.array([[*ends, *[-1] * (len(start) - len(ends))] for ends in joint.ends], dtype=np.int32),
    )


class _Joint:
    """The positions of all wagers of a seat together, by number; the last is that in which all have ended."""

    def __init__(self, nodes: _Nodes, start: tuple[int, ...]) -> None:
        self.waits: list[int] = []
        self.burned: list[int] = []
        self.after: list[list[tuple[int, int]]] = []
        self.ends: dict[tuple[int, ...], int] = {(): 0}
        numbers = {start: 0}
        for here in (queue := [start]):
            due = min(nodes.waits[node] for node in here if node >= 0)
            waiting = [node >= 0 and nodes.waits[node] == due for node in here]
            self.waits.append(due)
            self.burned.append(next(nodes.burned[node] for node, waits in zip(here, waiting, strict=True) if waits))
            self.after.append([])
            for kind in range(nodes.kinds):
                there = tuple(
                    nodes.after[node][kind] if waits else node for node, waits in zip(here, waiting, strict=True)
                )
                ended = tuple(-1 - to for to, waits in zip(there, waiting, strict=True) if waits and to < 0)
                if all(node < 0 for node in there):
                    there = ()
                elif there not in numbers:
                    numbers[there] = len(numbers)
                    queue.append(there)
                row = numbers[there] if there else -1
                self.after[-1].append((row, self.ends.setdefault(ended, len(self.ends))))
        last = len(self.waits)
        self.after = [[(last if to < 0 else to, ends) for to, ends in row] for row in self.after]
        self.after.append([(last, 0)] * nodes.kinds)
        self.waits.append(-1)
        self.burned.append(0)


class _Nodes:
    """Positions in which a card is waited for, by number."""

    def __init__(self, game: ScriptGame) -> None:
        self._script = game.script
        self._kinds = list(game.deck.kinds(Sees.RANKS))
        self.kinds = len(self._kinds)
        self.draws = [
            at
            for at, step in enumerate(game.script)
            if isinstance(step, Deal | Show) and not step.where.is_down
            for _ in range(step.cards)
        ]
        """For each card that is seen: the step that deals or turns it. One that lies face down is dealt when it is."""
        self.waits: list[int] = []
        self.burned: list[int] = []
        self.after: list[list[int]] = []

    def of(self, tree: Tree, bins: Mapping[Ending, int]) -> int:
        """Number a wager's positions; gives the first."""
        numbers: dict[Hashable, int] = {}

        def number(here: Position, held: Hand) -> int:
            """Of a position that has got so many cards of the deal at hand."""
            here = here if held else _chosen(tree, here)
            if here.at == len(tree.script):
                return -1 - bins[tree.wager.ending(here.seen)]
            key = tree.key(here), tuple(sorted(card.rank for card in held))
            if key not in numbers:
                numbers[key] = len(self.waits)
                self._add(tree, here, held, number)
            return numbers[key]

        return number(tree.start, ())

    def _add(self, tree: Tree, here: Position, held: Hand, number: Callable[[Position, Hand], int]) -> None:
        step, row = tree.script[here.at], len(self.waits)
        assert isinstance(step, Deal)
        at = tree.places[here.at]
        self.waits.append(self.draws.index(at) + len(held))
        self.burned.append(0 if held else self._burned(at, here.seen))
        self.after.append([])
        for kind in self._kinds:
            cards = (*held, kind)
            if len(cards) < step.cards:
                self.after[row].append(number(here, cards))
                continue
            left = dict(here.left)
            for card in cards:
                left[card] -= 1
            self.after[row].append(number(Position(here.at + 1, left, here.seen.with_cards(step.where, cards)), ()))

    def _burned(self, at: int, seen: Seen) -> int:
        """Cards that nobody sees, dealt just before a step."""
        cards = 0
        while at and isinstance(before := self._script[at - 1], Deal) and before.where.is_down:
            cards += before.cards if before.when(seen) else 0
            at -= 1
        return cards


def _chosen(tree: Tree, here: Position) -> Position:
    """The position after the choices that are made in it."""
    here = tree.next_step(here)
    while here.at < len(tree.script) and isinstance(tree.script[here.at], Choose):
        here = tree.next_step(here.after(tree.chosen(here)))
    return here


# Packets

PairCodes = tuple[Ints, Ints, NDArray[np.uint8]]
"""(hands) a seat's code, (hands) a dealer's, and (seat's codes, dealer's codes) the place of the ending."""


def packet_codes(game: ScriptGame, wager: ScriptWager, packets: Packets, chosen: Ints) -> PairCodes:
    """For a wager on the seat's cards, or on them against the dealer's: numbers of hands, and the bin of each pair."""
    size, ranks, places = game.sizes[SEAT.name], game.deck.ranks, _bins(wager, 0)
    looks = wager.looks
    own, theirs = ([look for look in looks if look.where == side] for side in (SEAT, DEALER))
    # As fine as the wager's own readings; of the base also as what is chosen.
    sees = seat_sees(wager)
    hands = [hand_class.hand for hand_class in classes(size, sees, ranks)]
    base = wager is packets.wager
    choices = [packets.choices[place] for place in chosen] if base else [None] * len(hands)
    mine: dict[tuple[object, ...], int] = {}
    yours: dict[tuple[object, ...], int] = {}
    seat = [
        mine.setdefault((choice, *(look.reading(hand) for look in own)), len(mine))
        for hand, choice in zip(hands, choices, strict=True)
    ]
    dealer = [yours.setdefault(tuple(look.reading(hand) for look in theirs), len(yours)) for hand in hands]
    outcome = np.zeros((len(mine), len(yours)), dtype=np.uint8)
    for (choice, *findings), row in mine.items():
        seen = Seen() if choice is None else Seen(choices=(choice,))  # type: ignore[arg-type]
        known = dict(zip(own, findings, strict=True))
        for facts, column in yours.items():
            every = {**known, **dict(zip(theirs, facts, strict=True))}
            outcome[row, column] = places[wager.ending(seen, every.__getitem__)]
            if seen.ended:
                outcome[row] = outcome[row, column]
                break
    of_hands = class_of_hands(size, sees, ranks)
    return np.array(seat)[of_hands], np.array(dealer)[of_hands], outcome
