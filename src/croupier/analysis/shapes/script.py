"""Games that are written as a script: each wager is counted by the quickest way that fits it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, lru_cache, partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import numpy as np

from croupier.analysis.analyst import Prices
from croupier.analysis.census import OPTIMAL
from croupier.analysis.counted import CountedGame
from croupier.analysis.figures import Figures, Line
from croupier.analysis.kernels.packets import PacketTables
from croupier.analysis.kernels.script import RankTables, StreetTables
from croupier.analysis.kernels.table_cache import KEEPS_NOTHING, users_own
from croupier.analysis.script.counts import Bracket, ByPackets, ByStreets, Counting, counting, step_of
from croupier.analysis.script.deal_tables import (
    is_sampled,
    is_sampled_by_packets,
    is_sampled_by_rank,
    packet_codes,
    rank_tables,
    street_tables,
)
from croupier.analysis.script.dealt import WrittenTables
from croupier.analysis.script.plain import Count, Tree, turned_last
from croupier.analysis.session.deals import Stake, count_packets
from croupier.analysis.simulation.job import Job
from croupier.analysis.simulation.packets import Codes, assemble, with_dealer
from croupier.analysis.simulation.request import OwnStrategies, Sample, check_plain, chosen_wagers, priced_wagers
from croupier.analysis.simulation.setup import Chances, Simulation, WagerBins, check_seats
from croupier.analysis.strategy import ChartRow, Compared, Rated
from croupier.analysis.tables import Exposed, Ints, Table
from croupier.cards.card import Hand, format_cards
from croupier.cards.symmetry import Sees
from croupier.errors import NotationError
from croupier.games.catalogue import is_own
from croupier.games.game import TableGame
from croupier.games.paytable import Paytable
from croupier.games.script.game import ScriptGame, Strategy, cards_of
from croupier.games.script.language import BOARD, DEALER, SEAT, Choose, Deal, Show, Stakes
from croupier.games.script.language import Seen as ScriptSeen
from croupier.games.script.wager import Ending, ScriptWager
from croupier.games.table.shown import Seen
from croupier.games.wager import FindPaytable, Outcome, Price, Reading, Wager

if TYPE_CHECKING:
    from croupier.analysis.vulnerability.partners import PacketResults
    from croupier.cards.symmetry import Ranks

NUMBERS = {1: "one deck", 2: "two decks", 6: "six decks", 8: "eight decks"}


def fits(game: TableGame) -> bool:
    return isinstance(game, ScriptGame)


def analyst(game: TableGame) -> ScriptAnalyst:
    assert isinstance(game, ScriptGame)
    return ScriptAnalyst(game)


@dataclass(frozen=True, eq=False)
class EndingFigures(Figures):
    """Figures of a wager whose stake hangs on the choices: a line has as many endings as there are stakes on it."""

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """In the order of the outcomes; endings on one row are added up, and the net is their mean."""
        gathered: dict[str, list[tuple[Price, int]]] = {}
        for ending in sorted(self.counts, key=self._order):
            price = self.prices[ending]
            gathered.setdefault(price.row, []).append((price, self.counts[ending]))
        return tuple(self._line(row, endings) for row, endings in gathered.items())

    def _order(self, ending: Any) -> tuple[int, ...]:
        assert isinstance(ending, Ending)
        wager = self.wager
        assert isinstance(wager, ScriptWager)
        places = []
        for spot, (_, outcome) in zip(wager.spots, ending.parts, strict=True):
            known = spot.judged.outcomes
            places.append(known.index(outcome) if outcome in known else len(known))
        return tuple(places)

    def _line(self, row: str, endings: list[tuple[Price, int]]) -> Line:
        count = sum(n for _, n in endings)
        total = sum((price.net * n for price, n in endings), Fraction(0))
        net = total / count if count else endings[0][0].net
        came = [price for price, n in endings if n] or [price for price, _ in endings]
        return Line(row, self._said(came), net, count, Fraction(count, self.deals))

    def _pays(self, price: Price) -> str:
        return self._said([price])

    def _said(self, prices: list[Price]) -> str:
        """What each spot pays on a line, where chips lie on it: on one line it never pays now this, now that."""
        assert isinstance(self.wager, ScriptWager)
        every = zip(*(price.pays for price in prices), strict=True)
        paid = [next((pay for pay in pays if pay.staked), None) for pays in every]
        staked = [(spot, pay) for spot, pay in zip(self.wager.spots, paid, strict=True) if pay]
        rides = any(spot.stake.kind is Stakes.RIDING for spot, _ in staked)
        if len({pay for _, pay in staked}) == 1 and not rides:
            return str(staked[0][1])
        return ", ".join(f"{spot.title} {pay}" for spot, pay in staked)


@dataclass(frozen=True, eq=False)
class EndingBins(WagerBins):
    """The bins of a wager whose stake hangs on the choices."""

    def figures(self, counts: Any) -> Figures:
        assert isinstance(self.wager, ScriptWager)
        mine = dict(zip(self.prices, counts[self.bins].tolist(), strict=True))
        came = {ending: n for ending, n in mine.items() if n or ending in self.wager.possible}
        return EndingFigures(self.wager, came, self.prices)


@dataclass(frozen=True, eq=False)
class ScriptAnalyst(CountedGame):
    """Counts a game's wagers, each once."""

    game: ScriptGame
    given = "the seat's own cards and those that lie face up; the others are not known"

    def _counting(self, wager: Wager) -> Counting:
        assert isinstance(wager, ScriptWager)
        return _counting_beside(self.game, wager, self.exposed) if self.exposed else _counted(self.game, wager)

    def table(self, seen: Seen | None) -> Table:
        game, deck, where = self.game, self.game.deck, turned_last(self.game)
        steps = [step for step in game.script if isinstance(step, Deal | Show) and step.where == where]
        down = sum(step.cards for step in steps) - (len(seen[where.name]) if seen else 0)
        whose = "Of the dealer's"
        if where == BOARD:  # what is turned two at a time has no order that could be known
            whose = "Of the common cards the next"
            down -= steps[-1].cards if steps and steps[-1].cards > 1 else 0
        takes = sum(step.cards for step in game.script if isinstance(step, Deal))
        return Table(game.title, deck.cards, deck.decks, deck.jokers, takes, max(down, 0), whose)

    def opening(self, cards: Hand, seats: int) -> list[Seen]:
        """Seats get their cards one after the other, then those that all see are dealt."""
        steps = list(takewhile(lambda step: not isinstance(step, Choose), self.game.script))
        dealt = [step for step in steps if isinstance(step, Deal | Show) and not step.where.is_down]
        own = sum(step.cards for step in dealt if step.where == SEAT)
        seen_by, common = [ScriptSeen({SEAT.name: cards[n * own : (n + 1) * own]}) for n in range(seats)], seats * own
        for step in dealt:
            if step.where != SEAT:
                turned = cards[common : common + step.cards]
                seen_by, common = [seen.with_cards(step.where, turned) for seen in seen_by], common + step.cards
        return list(seen_by)

    def decides_once(self, wager: Wager) -> bool:
        assert isinstance(wager, ScriptWager)
        return len(wager.steps) <= 1

    def packets(self, wager: Wager, prices: Prices) -> PacketResults | None:
        from croupier.analysis.vulnerability.partners import PacketResults

        counts = self._counting(wager) if wager is self.game.base else None
        if not isinstance(counts, ByPackets):
            return None
        every = counts.packets
        always = (np.full(len(every.hands), place) for place in range(len(every.choices)))
        codes = tuple(Codes(*packet_codes(self.game, every.wager, every, choice)) for choice in always)
        return PacketResults(wager, prices, self.game.sizes[SEAT.name], self.game.deck.ranks, codes)

    def decides(self, seen: Seen) -> bool:
        assert isinstance(seen, ScriptSeen)
        return step_of(self.game, seen) is not None

    def strategies(self, wager: Wager) -> tuple[str, ...]:
        return (OPTIMAL, *self.game.strategies) if wager.choices else ()

    def strategy(self, wager: Wager, name: str) -> Strategy | None:
        """A person's way of choosing; None is the best."""
        named = self.game.strategy_named(name, OPTIMAL)
        return self.game.strategies.get(named) if wager.choices else None

    def deals(self, wager: Wager) -> int:
        return self._counting(wager).deals

    def solve(self, wager: Wager, prices: Prices, strategy: str) -> Figures:
        count = self._counting(wager).count(prices, self.strategy(wager, strategy))
        return EndingFigures(wager, _by_outcome(wager, count), prices)

    def rate(self, wager: Wager, prices: Prices, seen: Seen) -> tuple[Rated, ...]:
        assert isinstance(seen, ScriptSeen)
        step = step_of(self.game, seen)
        if step is None:
            raise NotationError(f"With these cards nothing is to be decided in {self.game.title}.")
        valued = self._counting(wager).values(prices, seen, step)
        best = max(value for _, value in valued)
        words = self.game.words(seen, SEAT)
        # Of equally good choices the one that stakes most comes first.
        ordered = sorted(valued, key=lambda option: (best - option[1], -option[0].times if option[0].lays else 0))
        return tuple(Rated(choice.key, words, value, best - value) for choice, value in ordered)

    def compare(self, wager: Wager, prices: Prices) -> tuple[Compared, ...]:
        counts, compared = self._counting(wager), []
        for name in (OPTIMAL, *self.game.strategies):
            strategy = self.strategy(wager, name)
            worse = counts.hands_worse(prices, strategy) if strategy else 0
            compared.append((name, self.solve(wager, prices, name), worse))
        least, hands = min(figures.house_edge for _, figures, _ in compared), counts.first_hands
        rows = [Compared(name, figures, figures.house_edge - least, worse, hands) for name, figures, worse in compared]
        return tuple(sorted(rows, key=lambda row: row.cost))

    def chart(self, wager: Wager, prices: Prices, strategy: str) -> tuple[ChartRow, ...]:
        """Street by street, the kinds of hands in the order of what they are worth."""
        assert isinstance(wager, ScriptWager)
        if self.game.chart is None or not wager.steps:
            return ()
        brackets = list(self._counting(wager).brackets(prices, self.strategy(wager, strategy)))
        rows = []
        for step in wager.steps:
            title = f"{step.title}: " if step.title and len(wager.steps) > 1 else ""
            here = list(_told_apart([bracket for bracket in brackets if bracket.step is step]))
            for kind, some in sorted(here, key=lambda choice: _mean(choice[1]), reverse=True):
                hands = sum(line.hands for line in some)
                rows.append(ChartRow(title + kind, some[0].choice, hands, _mean(some), step.title))
        return tuple(rows)

    # PAR sheets

    def cover(self) -> Iterator[tuple[str, str]]:
        deck, game = self.game.deck, self.game
        decks = NUMBERS.get(deck.decks, f"{deck.decks} decks")
        jokers = f"{deck.jokers} joker{'s' if deck.jokers > 1 else ''} in each" if deck.jokers else "no jokers"
        yield "Deck", f"{decks}, {deck.size} cards, four suits of {len(deck.ranks)} ranks, {jokers}"
        yield "Cards", f"{game.dealt_in_words}; up to {game.seats} seats"
        if game.has_decisions:
            yield "Equal choices", "the one that stakes most is made, then the first"

    def together(self, stakes: Sequence[Stake], strategy: str = OPTIMAL) -> Ints:
        """Of games that give a packet to the seat and one to the dealer."""
        game = self.game
        if self._tables_kind() is not PacketTables:
            return super().together(stakes, strategy)
        bins: list[WagerBins] = []
        for stake in stakes:
            prices, first = stake.wager.prices(stake.paytable), sum(len(wager_bins.prices) for wager_bins in bins)
            bins.append(EndingBins(stake.wager, "", stake.paytable, first, prices, dict))
        tables = self._tables({stake.wager: stake.paytable for stake in stakes}, bins, strategy)
        assert isinstance(tables, PacketTables)
        return count_packets(
            tables, [wager_bins.wager for wager_bins in bins], game.sizes[SEAT.name], game.deck.ranks, Sees.SUITS
        )

    def best_codes(self, stake: Stake) -> tuple[Codes, int, Ranks] | None:
        base, counts = self.game.base, self._counting(self.game.base)
        assert isinstance(stake.wager, ScriptWager)
        if not isinstance(counts, ByPackets) or _of_both(self.game, stake.wager) is not None:
            return None
        prices = base.prices(next(iter(base.paytables.values())) if stake.wager is not base else stake.paytable)
        codes = packet_codes(self.game, stake.wager, counts.packets, counts.chosen(prices, None))
        return Codes(*codes), self.game.sizes[SEAT.name], self.game.deck.ranks

    # Simulation

    def check_sample(self, asked: Sample, find_paytable: FindPaytable) -> None:
        super().check_sample(asked, find_paytable)
        self._tables_kind()

    def simulate(self, asked: Sample, find_paytable: FindPaytable, own: OwnStrategies) -> Simulation:
        game = self.game
        check_plain(game, asked)
        check_seats(game, asked.players)
        strategy = game.strategy_named(asked.strategy or OPTIMAL, OPTIMAL)
        chosen = chosen_wagers(game, asked.wagers, game.wagers)
        priced = priced_wagers(game, chosen, asked, find_paytable, lambda wager: next(iter(wager.paytables)))
        bins: list[WagerBins] = []
        for wager, name, paytable in priced:
            prices, first = wager.prices(paytable), sum(len(wager_bins.prices) for wager_bins in bins)
            chances = partial(self._chances, wager, prices, strategy)
            bins.append(EndingBins(wager, name, paytable, first, prices, chances))
        decided = any(wager_bins.wager.choices for wager_bins in bins)
        identity = {
            "game": game.key,
            "wagers": [wager_bins.wager.key for wager_bins in bins],
            "strategy": strategy if decided else None,
        }
        prices_by = {wager_bins.wager: wager_bins.prices for wager_bins in bins}
        about = identity | {"prices": [repr(tuple(prices.values())) for prices in prices_by.values()]}
        kind = self._tables_kind()
        posted = {wager_bins.wager: wager_bins.paytable for wager_bins in bins}
        # What is kept is found again by the program's files, and a game of one's own is none of them.
        kept = KEEPS_NOTHING if is_own(game.key) or kind is WrittenTables else users_own()
        tables: Any = kept.tables(kind, about, partial(self._tables, posted, bins, strategy))
        cards = np.tile(np.arange(4 * len(game.deck.ranks), dtype=np.uint8), game.decks)
        cards = np.append(cards, np.full(game.jokers * game.decks, 4 * len(game.deck.ranks), dtype=np.uint8))
        packet = game.sizes[SEAT.name] if kind is PacketTables else None
        job = Job(
            identity, tables, cards, asked.players, packet, asked.seed, asked.rounds, independent=asked.players == 1
        )
        slow = kind is WrittenTables
        return Simulation(game, job, tuple(bins), strategy if decided else None, as_counted=True, is_slow=slow)

    def _chances(self, wager: Wager, prices: Prices, strategy: str) -> Chances:
        count = self._counting(wager).count(prices, self.strategy(wager, strategy))
        return {outcome: Fraction(count.endings.get(outcome, 0), count.rounds) for outcome in wager.outcomes}  # type: ignore[call-overload]

    def _tables_kind(self) -> type[Any]:
        """Which kernel deals it, recognised as its count is."""
        game, counts = self.game, self._counting(self.game.base)
        if isinstance(counts, ByStreets) and is_sampled(game, game.wagers):
            return StreetTables
        if isinstance(counts, ByPackets) and is_sampled_by_packets(game):
            return PacketTables
        return RankTables if is_sampled_by_rank(game) else WrittenTables

    def _tables(
        self, posted: Mapping[Wager, Paytable], of_wagers: list[WagerBins], strategy: str
    ) -> StreetTables | PacketTables | RankTables | WrittenTables:
        game, base = self.game, self.game.base
        if self._tables_kind() is WrittenTables:
            return WrittenTables.of(game, posted, strategy if strategy in game.strategies else "")  # type: ignore[arg-type]
        bins: dict[ScriptWager, int] = {wager_bins.wager: wager_bins.first_bin for wager_bins in of_wagers}  # type: ignore[misc]
        prices: Mapping[Wager, Prices] = {wager_bins.wager: wager_bins.prices for wager_bins in of_wagers}
        base_prices = prices.get(base) or base.prices(next(iter(base.paytables.values())))
        counts, kind = self._counting(base), self._tables_kind()
        if isinstance(counts, ByStreets) and kind is StreetTables:
            chosen = counts.chosen(base_prices, self.strategy(base, strategy))
            return street_tables(game, bins, counts.streets, chosen)
        if isinstance(counts, ByPackets) and kind is PacketTables:
            size, ranks = game.sizes[SEAT.name], game.deck.ranks
            picked = counts.chosen(base_prices, self.strategy(base, strategy))
            codes = []
            for wager in bins:
                both = _of_both(game, wager)
                if both is not None:
                    codes.append(with_dealer(both, wager.outcomes, size, ranks))
                else:
                    codes.append(Codes(*packet_codes(game, wager, counts.packets, picked)))
            return assemble(codes, [len(wager.outcomes) for wager in bins], size, ranks)
        trees = {wager: Tree(game, wager, prices[wager], self.strategy(wager, strategy)) for wager in bins}
        return rank_tables(game, bins, trees)


def _told_apart(brackets: list[Bracket]) -> Iterator[tuple[str, list[Bracket]]]:
    """Rows of a chart for one street: a kind of hand with which two things are chosen says what they hang on."""
    kinds: dict[str, list[Bracket]] = {}
    for bracket in brackets:
        kinds.setdefault(bracket.kind, []).append(bracket)
    for kind, some in kinds.items():
        by_choice: dict[str, list[Bracket]] = {}
        for row in some:
            by_choice.setdefault(row.choice, []).append(row)
        by_path = len({row.path for row in some}) == len(some)
        for same in by_choice.values():
            if len(by_choice) == 1:
                yield kind, same
            elif by_path:
                before = dict.fromkeys(", ".join(choice.key for choice in row.path) for row in same)
                yield f"{kind}, after {' or '.join(before)}", same
            else:
                yield f"{kind}, as {format_cards(same[0].example)}", same


def _mean(brackets: list[Bracket]) -> Fraction:
    hands = sum(bracket.hands for bracket in brackets)
    return sum((bracket.value * bracket.hands for bracket in brackets), Fraction(0)) / hands


def _of_both(game: ScriptGame, wager: ScriptWager) -> Reading | None:
    """What reads the seat's and the dealer's cards together as an ending; nothing for other wagers."""
    if len(wager.looks) != 1 or wager.looks[0].where != SEAT + DEALER:
        return None
    [look] = wager.looks

    def ending(hand: Hand) -> Ending:
        return wager.ending(ScriptSeen(), {look: look.reading(hand)}.__getitem__)

    return Reading(wager.key, cards_of(game, look), look.reading.sees, ending)


def _by_outcome(wager: Wager, count: Count) -> dict[Outcome, int]:
    """All that may come about, that which never is chosen too."""
    assert isinstance(wager, ScriptWager)
    counts: dict[Outcome, int] = dict.fromkeys((outcome for outcome in wager.outcomes if outcome in wager.possible), 0)
    return counts | dict(count.endings.items())


@lru_cache(maxsize=16)
def _counting_beside(game: ScriptGame, wager: ScriptWager, exposed: Exposed) -> Counting:
    return counting(game, wager, exposed)


@cache
def _counted(game: ScriptGame, wager: ScriptWager) -> Counting:
    return counting(game, wager)
