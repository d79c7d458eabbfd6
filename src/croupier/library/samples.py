"""A game sampled at any scale for programs, and what a sample comes to as rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from croupier.analysis.analyst import analyst_of
from croupier.errors import NotationError
from croupier.games.game import TableGame
from croupier.games.paytable import Paytable
from croupier.games.wager import Wager as WagerRules
from croupier.games.wager import approved_paytable
from croupier.library import inputs
from croupier.library.answers import Row, Sampled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CONFIDENCE = 0.99
HISTORIES_SEED = 7


def sample(
    rules: TableGame,
    rounds: float,
    *,
    wagers: str | Iterable[str] = (),
    paytables: Mapping[str, inputs.Pays] | None = None,
    players: int = 1,
    strategy: str = "",
    random_seed: int = HISTORIES_SEED,
    shoe: str = "",
    compare: bool = False,
    confidence: float = CONFIDENCE,
    workers: int = 1,
) -> Sampled:
    from croupier.analysis.simulation.job import check_numbers
    from croupier.analysis.simulation.record import as_record
    from croupier.analysis.simulation.request import NONE_OF_ONES_OWN, Sample, check_confidence
    from croupier.analysis.simulation.run import run
    from croupier.analysis.simulation.setup import check_seats
    from croupier.analysis.simulation.tally import Tally, tally_in_picture

    if not isinstance(confidence, int | float):
        raise NotationError(f"confidence is a part of one, as 0.99, not {confidence!r}.")
    if not isinstance(compare, bool):
        raise NotationError(f"compare is True or False, not {compare!r}.")
    check_confidence(100 * confidence, confidence)
    players, workers = inputs.whole("players", players), inputs.whole("workers", workers)
    rounds, random_seed = inputs.whole("rounds", rounds), inputs.whole("random_seed", random_seed)
    check_numbers(rounds=rounds, seed=random_seed)
    check_seats(rules, players)
    own = inputs.by_name("paytables", paytables or {})
    ids = {key: pays if _is_id(rules, key, pays) else inputs.OWN for key, pays in own.items()}

    def find(wager: WagerRules, name: str) -> Paytable:
        return (
            inputs.paytable(own[wager.key])
            if name == inputs.OWN and wager.key in own
            else approved_paytable(wager, name)
        )

    asked = Sample(
        game=rules.key,
        rounds=rounds,
        seed=random_seed,
        wagers=inputs.names("wagers", wagers),
        paytables=tuple((key, str(name)) for key, name in ids.items()),
        players=players,
        strategy=inputs.text("strategy", strategy),
        rules=rules.placard,
        shoe=inputs.text("shoe", shoe),
        compare=compare,
    )
    simulation = analyst_of(rules).simulate(asked, find, NONE_OF_ONES_OWN)
    result = run(simulation.job, workers=workers)
    tally = Tally(simulation, result.totals)
    record = as_record(tally, compare=compare, confidence=confidence, complete=result.complete)
    plot: Callable[[], Figure] = partial(tally_in_picture, tally, confidence=confidence, compare=compare)
    played = [wager for wager in record["wagers"] if wager["lines"]]
    rows = [_sampled_row(wager) for wager in played]
    lines = [{"wager": wager["wager"], **_spread(line)} for wager in played for line in wager["lines"]]
    return Sampled(record["rounds"], random_seed, confidence, rows, lines, record, plot)


SETTINGS = tuple(sample.__kwdefaults__ or ())
"""What `sample` takes by name."""


def _is_id(rules: TableGame, key: str, pays: inputs.Pays) -> bool:
    return isinstance(pays, str) and pays in rules.wager(key).paytables


def _sampled_row(wager: Mapping[str, Any]) -> Row:
    low, high = wager["interval_percent"] or (None, None)
    return {
        "wager": wager["wager"],
        "paytable": wager["paytable"],
        "times": wager["times"],
        "house_edge": wager["house_edge"]["percent"] / 100,
        "low": None if low is None else low / 100,
        "high": None if high is None else high / 100,
        "standard_error": wager["standard_error_percent"] / 100,
        "hit_frequency": wager["hit_frequency"]["percent"] / 100,
        "standard_deviation": wager["standard_deviation"],
    }


def _spread(line: Mapping[str, Any]) -> Row:
    """The interval of a line as two columns."""
    row = dict(line)
    row["low"], row["high"] = row.pop("interval") or (None, None)
    return row
