"""What is to be sampled, as people write it, read as a simulation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from croupier.analysis.blackjack.chart import Chart
from croupier.analysis.blackjack.question import table_rules
from croupier.analysis.census import OPTIMAL
from croupier.analysis.simulation.job import check_numbers
from croupier.analysis.simulation.setup import Simulation, check_seats, simulate_packets
from croupier.analysis.simulation.setup_blackjack import BASIC, simulate_blackjack
from croupier.analysis.simulation.table_cache import users_own
from croupier.cards.card import Hand
from croupier.errors import NotationError, UnknownName
from croupier.games.blackjack.game import OPTIONAL, BlackjackGame, BlackjackOffering, blackjack, offer_blackjack
from croupier.games.catalogue import find_any_game
from croupier.games.game import TableGame
from croupier.games.head_to_head.game import Game
from croupier.games.paytable import Paytable
from croupier.games.wager import FindPaytable, Wager, approved_paytable, paytable_name

CUT, FRESH = "cut", "fresh"


class OwnStrategies(NamedTuple):
    """Where strategies of one's own come from: files on the command line, nowhere over the network."""

    exceptions: Callable[[Game, str, Sequence[str]], tuple[str, Mapping[Hand, str]]]
    """The name of a strategy that the game does not have, and what it decides; refused where there is none."""
    chart: Callable[[str], tuple[str, Chart] | None]
    """A chart of blackjack by its name."""


def _no_exceptions(game: Game, name: str, names: Sequence[str]) -> tuple[str, Mapping[Hand, str]]:
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


def simulation_of(
    asked: Sample, find_paytable: FindPaytable = approved_paytable, own: OwnStrategies = NONE_OF_ONES_OWN
) -> Simulation:
    """The game, its tables and its numbers, ready to be played."""
    found = find_any_game(asked.game)
    if isinstance(found, BlackjackGame):
        fresh = _is_fresh(asked.shoe, asked.compare)
        return _blackjack(blackjack(table_rules(asked.rules, asked.decks)), asked, find_paytable, own, fresh=fresh)
    assert isinstance(found, Game)
    _check_packets(found, asked)
    return _packets(found, asked, find_paytable, own)


def check_sample(asked: Sample, find_paytable: FindPaytable = approved_paytable) -> None:
    """Whatever can be wrong with it, said before any table is made; strategies are the game's own."""
    found = find_any_game(asked.game)
    check_seats(found, asked.players)
    check_numbers(rounds=asked.rounds, seed=asked.seed)
    _is_fresh(asked.shoe, asked.compare)
    if isinstance(found, BlackjackGame):
        game = blackjack(table_rules(asked.rules, asked.decks))
        every = [wager for wager in game.wagers if _is_offered(game, wager)]
        _priced(game, _chosen(game, asked.wagers, every), asked, find_paytable, lambda wager: _usual(game, wager))
        names = [BASIC, OPTIMAL]
    else:
        assert isinstance(found, Game)
        _check_packets(found, asked)
        chosen = _chosen(found, asked.wagers, found.wagers)
        _priced(found, chosen, asked, find_paytable, lambda wager: next(iter(wager.paytables)))
        names = [name.replace(" ", "-") for name in (OPTIMAL, *found.strategies)]
    word = asked.strategy.strip().lower().replace(" ", "-")
    if word and word not in names:
        raise UnknownName(f"strategy for {found.title}", asked.strategy, names)


def check_confidence(percent: float, said: object) -> float:
    """A confidence in percent, as a share."""
    if not 50 <= percent <= 99.9999:
        raise NotationError(f"A confidence is from 50 to 99.9999 percent, not {said!r}.")
    return percent / 100


def _check_packets(game: Game, asked: Sample) -> None:
    if asked.rules or asked.decks is not None or asked.shoe:
        raise NotationError(f"{game.title} takes no rules, decks or shoe: these are about blackjack.")


def _is_fresh(shoe: str, compare: bool) -> bool:
    if shoe not in ("", CUT, FRESH):
        raise UnknownName("way to deal a shoe", shoe, [CUT, FRESH])
    return compare if not shoe else shoe == FRESH


def _chosen(game: TableGame, keys: Sequence[str], every: Sequence[Wager]) -> list[Wager]:
    named = [game.wager(key) for key in keys]
    for wager in named:
        if wager not in every:
            raise NotationError(f"{wager.title} is not offered under these rules.")
    return [wager for wager in every if not keys or wager in named]


def _priced(
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
    found = [(wager, ids[wager.key], find_paytable(wager, ids[wager.key])) for wager in wagers]
    return [(wager, paytable_name(wager, name, table), table) for wager, name, table in found]


def _packets(game: Game, asked: Sample, find_paytable: FindPaytable, own: OwnStrategies) -> Simulation:
    names = {name.replace(" ", "-"): name for name in (OPTIMAL, *game.strategies)}
    word = asked.strategy.strip().lower().replace(" ", "-") or OPTIMAL
    exceptions: Mapping[Hand, str] = {}
    said = None
    if word not in names:
        file, exceptions = own.exceptions(game, asked.strategy, list(names))
        word = OPTIMAL
        hands = "1 hand" if len(exceptions) == 1 else f"{len(exceptions)} hands"
        said = f"optimal but for {hands} of {file}"
    wagers = _priced(
        game, _chosen(game, asked.wagers, game.wagers), asked, find_paytable, lambda wager: next(iter(wager.paytables))
    )
    return simulate_packets(
        game,
        wagers,
        seats=asked.players,
        strategy=names[word],
        seed=asked.seed,
        rounds=asked.rounds,
        exceptions=dict(exceptions),
        said=said,
        kept=users_own(),
    )


def _blackjack(
    game: BlackjackGame, asked: Sample, find_paytable: FindPaytable, own: OwnStrategies, *, fresh: bool
) -> Simulation:
    word: str | Chart = asked.strategy.strip().lower() or BASIC
    said = None
    if word not in (BASIC, OPTIMAL) and (found := own.chart(asked.strategy)):
        said, word = f"chart {found[0]}", found[1]
    every = [wager for wager in game.wagers if _is_offered(game, wager)]
    wagers = _priced(game, _chosen(game, asked.wagers, every), asked, find_paytable, lambda wager: _usual(game, wager))
    return simulate_blackjack(
        game,
        wagers,
        seats=asked.players,
        strategy=word,
        seed=asked.seed,
        rounds=asked.rounds,
        fresh=fresh,
        said=said,
        kept=users_own(),
    )


def _is_offered(game: BlackjackGame, wager: Wager) -> bool:
    """Whether a house may offer it under these rules; several progressives are sampled side by side all the same."""
    if wager.key not in OPTIONAL:
        return BlackjackOffering(game).offers(wager.key)
    try:
        return offer_blackjack(game.rules, [wager.key]).offers(wager.key)
    except NotationError:
        return False


def _usual(game: BlackjackGame, wager: Wager) -> str:
    """Bet the Bust goes by the rule on a soft 17; the others have a first table."""
    posted = BlackjackOffering(game).paytable(wager.key)
    return next(name for name, table in wager.paytables.items() if table == posted)
