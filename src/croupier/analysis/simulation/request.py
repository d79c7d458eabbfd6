"""What is to be sampled, as people write it, read as a simulation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from croupier.analysis.analyst import analyst_of
from croupier.analysis.blackjack.chart import Chart
from croupier.analysis.simulation.job import check_numbers
from croupier.analysis.simulation.setup import Simulation, check_seats
from croupier.cards.card import Hand
from croupier.errors import NotationError, UnknownName
from croupier.games.catalogue import find_any_game
from croupier.games.game import TableGame
from croupier.games.paytable import Paytable
from croupier.games.wager import FindPaytable, Wager, approved_paytable, paytable_name

CUT, FRESH = "cut", "fresh"


class OwnStrategies(NamedTuple):
    """Where strategies of one's own come from: files on the command line, nowhere over the network."""

    exceptions: Callable[[Any, str, Sequence[str]], tuple[str, Mapping[Hand, str]]]
    """The name of a strategy that the game does not have, and what it decides; refused where there is none."""
    chart: Callable[[str], tuple[str, Chart] | None]
    """A chart of blackjack by its name."""


def _no_exceptions(game: TableGame, name: str, names: Sequence[str]) -> tuple[str, Mapping[Hand, str]]:
    raise UnknownName(f"strategy for {game.title}", name, names)


NONE_OF_ONES_OWN = OwnStrategies(_no_exceptions, lambda name: None)


class Sample(NamedTuple):
    """What is to be sampled, as it was written."""

    game: str
    rounds: int
    seed: int = 7
    wagers: Sequence[str] = ()
    paytables: Sequence[tuple[str, str]] = ()
    """A wager and its paytable."""
    players: int = 1
    strategy: str = ""
    rules: str = ""
    decks: int | None = None
    shoe: str = ""
    compare: bool = False
    options: Sequence[str] = ()
    """House options."""


def simulation_of(
    asked: Sample, find_paytable: FindPaytable = approved_paytable, own: OwnStrategies = NONE_OF_ONES_OWN
) -> Simulation:
    """The game, its tables and its numbers, ready to be played."""
    game = find_any_game(asked.game).with_options(asked.options)
    check_numbers(rounds=asked.rounds, seed=asked.seed)
    simulation: Simulation = analyst_of(game).simulate(asked, find_paytable, own)
    return simulation


def check_sample(asked: Sample, find_paytable: FindPaytable = approved_paytable) -> None:
    """Whatever can be wrong with it, said before any table is made; strategies are the game's own."""
    game = find_any_game(asked.game).with_options(asked.options)
    check_seats(game, asked.players)
    check_numbers(rounds=asked.rounds, seed=asked.seed)
    is_fresh(asked)
    analyst_of(game).check_sample(asked, find_paytable)


def check_strategy_word(asked: Sample, game: TableGame, names: Sequence[str]) -> None:
    """A strategy as it is written is one of these."""
    if asked.strategy.strip():
        game.strategy_named(asked.strategy, *names)


def check_confidence(percent: float, as_written: object) -> float:
    """A confidence in percent, as a share."""
    if not 50 <= percent <= 99.9999:
        raise NotationError(f"A confidence is from 50 to 99.9999 percent, not {as_written!r}.")
    return percent / 100


def check_plain(game: TableGame, asked: Sample) -> None:
    """A game that has one set of rules, and one deck."""
    if asked.rules or asked.decks is not None or asked.shoe:
        raise NotationError(f"{game.title} takes no rules, decks or shoe: it has one set of rules.")


def is_fresh(asked: Sample) -> bool:
    """Whether each round is dealt from a fresh shoe."""
    if asked.shoe not in ("", CUT, FRESH):
        raise UnknownName("way to deal a shoe", asked.shoe, [CUT, FRESH])
    return asked.compare if not asked.shoe else asked.shoe == FRESH


def chosen_wagers(game: TableGame, keys: Sequence[str], every: Sequence[Wager]) -> list[Wager]:
    named = [game.wager(key) for key in keys]
    for wager in named:
        if wager not in every:
            raise NotationError(f"{wager.title} is not offered under these rules.")
    return [wager for wager in every if not keys or wager in named]


def priced_wagers(
    game: TableGame,
    wagers: Sequence[Wager],
    asked: Sample,
    find_paytable: FindPaytable,
    usual: Callable[[Wager], str],
) -> list[tuple[Wager, str, Paytable]]:
    """Each wager with a paytable: the one that is named, or the usual one."""
    ids = {wager.key: usual(wager) for wager in wagers}
    for key, table in asked.paytables:
        if game.wager(key).key not in ids:
            raise NotationError(f"There is a paytable for {game.wager(key).title}, which is not wagered on.")
        ids[game.wager(key).key] = table
    priced = [(wager, ids[wager.key], find_paytable(wager, ids[wager.key])) for wager in wagers]
    return [(wager, paytable_name(wager, name, table), table) for wager, name, table in priced]
