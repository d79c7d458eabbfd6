"""`croupier simulate`: play millions of rounds and more, all wagers at once, and compare them with the exact count."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from croupier.cli.app import app
from croupier.cli.blackjack_asked import DecksOption, RulesOption, table_rules
from croupier.cli.console import console, print_json
from croupier.cli.files import read_text
from croupier.cli.options import read_count, read_paytable
from croupier.errors import CroupierError, NotationError, UnknownName
from croupier.games.blackjack.game import OPTIONAL, BlackjackGame, BlackjackOffering, blackjack, offer_blackjack
from croupier.games.catalogue import find_any_game
from croupier.games.game import Game, TableGame
from croupier.games.wager import Wager

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from croupier.analysis.simulation.job import Totals
    from croupier.analysis.simulation.setup import Simulation
    from croupier.analysis.simulation.tally import Tally
    from croupier.cards.card import Hand
    from croupier.games.paytable import Paytable

INTERRUPTED, DIFFERS = 130, 1
"""Exit codes."""
CUT, FRESH = "cut", "fresh"


@app.command()
def simulate(
    game: Annotated[str, typer.Argument(help="A game, as `croupier games` lists them.")],
    *,
    rounds: Annotated[str, typer.Option(help="How many rounds: 1000000, 1e9.")] = "1e7",
    seed: Annotated[str, typer.Option(help="The same seed gives the same totals, on any number of workers.")] = "7",
    wagers: Annotated[
        list[str] | None, typer.Option(help="The wagers made: pair-plus,6-card-bonus; all where none is named.")
    ] = None,
    paytable: Annotated[list[str] | None, typer.Option(help="WAGER=ID or WAGER=FILE; repeatable.")] = None,
    players: Annotated[int, typer.Option(help="Seats that play, each with all of the wagers.")] = 1,
    strategy: Annotated[
        str,
        typer.Option(
            help="optimal, a name from `croupier strategy` (as house-way), in blackjack basic; or a file: a chart of "
            "blackjack, or lines with a hand and what is decided, the rest being optimal."
        ),
    ] = "",
    rules: RulesOption = "",
    decks: DecksOption = None,
    shoe: Annotated[
        str,
        typer.Option(
            help="Blackjack: cut deals to the cut card, as at a table; fresh shuffles before every round, as the exact "
            "count does. With --compare it is fresh where nothing is said."
        ),
    ] = "",
    workers: Annotated[int, typer.Option(help="Processes on this machine; 0 is one for each processor.")] = 1,
    cluster: Annotated[str | None, typer.Option(help="A Dask scheduler: tcp://host:8786, or its file.")] = None,
    checkpoint: Annotated[
        Path | None, typer.Option(help="Keep what is done in this file, and go on from it where it exists.")
    ] = None,
    compare: Annotated[bool, typer.Option("--compare", help="Line by line beside the exact count.")] = False,
    confidence: Annotated[str, typer.Option(help="Of intervals and the verdict, in percent.")] = "99",
    plot: Annotated[Path | None, typer.Option(help="A picture: .png, .svg or .pdf.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print for programs.")] = False,
) -> int:
    """Sample a game at any scale: every line, edge, hit frequency and deviation, with confidence intervals."""
    from rich.console import Console

    from croupier.analysis.plots import check_picture_name
    from croupier.analysis.simulation.run import run
    from croupier.analysis.simulation.tally import Tally
    from croupier.cli.simulate_tables import as_record, show_tally

    sure = read_confidence(confidence)
    if workers < 0:
        raise NotationError(f"There are from 1 worker up, and 0 is one for each processor: {workers} can play nothing.")
    if plot:
        check_picture_name(plot)
    asked = _Asked(
        wagers=[key for words in wagers or () for key in re.split(r"[,\s]+", words.strip()) if key],
        paytables=paytable or (),
        players=players,
        strategy=strategy,
        rounds=read_count("a number of rounds", rounds),
        seed=read_count("a seed", seed),
    )
    found = find_any_game(game)
    if isinstance(found, BlackjackGame):
        made = _blackjack(blackjack(table_rules(rules, decks)), asked, fresh=_is_fresh(shoe, compare))
    else:
        if rules or decks is not None or shoe:
            raise NotationError(f"{found.title} takes no rules, decks or shoe: these are about blackjack.")
        assert isinstance(found, Game)
        made = _packets(found, asked)
    with _progress(made, sure) as report:
        result = run(
            made.job,
            workers=os.cpu_count() or 1 if workers == 0 else workers,
            cluster=cluster,
            checkpoint=checkpoint,
            report=report,
        )
    tally = Tally(made, result.totals)
    if compare:
        _count_exactly(tally)
    if not tally.totals.rounds:
        raise NotationError("The run was stopped before its first block of rounds was done: there is nothing to show.")
    if as_json:
        print_json(as_record(tally, compare=compare, confidence=sure, complete=result.complete))
    else:
        show_tally(tally, compare=compare, confidence=sure, complete=result.complete)
        if result.trouble:
            console().print(f"  {result.trouble}", markup=False)
    if plot:
        from croupier.analysis.simulation.plots import draw_tally

        draw_tally(tally, plot, confidence=sure, compare=compare)
        Console(stderr=True).print(f"The picture is in {plot}.", markup=False)
    verdict = tally.verdict(sure) if compare else None
    if not result.complete:
        return INTERRUPTED
    return DIFFERS if verdict and not verdict.agrees else 0


def _count_exactly(tally: Tally) -> None:
    """What takes some seconds is said: the law of a round of blackjack, and when Bet the Bust pushes."""
    from rich.console import Console

    screen = Console(stderr=True)
    with screen.status("counting exactly", spinner="line") if screen.is_terminal else nullcontext():
        tally.verdict()


# What people write


def read_confidence(text: str) -> float:
    """In percent."""
    try:
        value = float(text.strip().removesuffix("%"))
    except ValueError:
        value = float("nan")
    if not 50 <= value <= 99.9999:
        raise NotationError(f"A confidence is from 50 to 99.9999 percent, not {text!r}.")
    return value / 100


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
    game: TableGame, wagers: Sequence[Wager], texts: Sequence[str], usual: Callable[[Wager], str]
) -> list[tuple[Wager, str, Paytable]]:
    """Each wager with a paytable: the one that is named, or the usual one."""
    ids = {wager.key: usual(wager) for wager in wagers}
    for text in texts:
        key, equals, table = (part.strip() for part in text.partition("="))
        if not (equals and table):
            raise NotationError(f"{text!r} names no paytable: write WAGER=ID or WAGER=FILE.")
        if game.wager(key).key not in ids:
            raise NotationError(f"There is a paytable for {game.wager(key).title}, which is not wagered on.")
        ids[game.wager(key).key] = table
    return [(wager, Path(ids[wager.key]).name, read_paytable(wager, ids[wager.key])) for wager in wagers]


class _Asked(NamedTuple):
    """What is to be sampled, as it was typed."""

    wagers: Sequence[str]
    paytables: Sequence[str]
    players: int
    strategy: str
    rounds: int
    seed: int


def _packets(game: Game, asked: _Asked) -> Simulation:
    from croupier.analysis.census import OPTIMAL
    from croupier.analysis.simulation.kept import users_own
    from croupier.analysis.simulation.setup import simulate_packets

    names = {name.replace(" ", "-"): name for name in (OPTIMAL, *game.strategies)}
    word = asked.strategy.strip().lower().replace(" ", "-") or OPTIMAL
    exceptions: dict[Hand, str] = {}
    said = None
    if word not in names:
        exceptions = _exceptions(game, asked.strategy, list(names))
        word = OPTIMAL
        hands = "1 hand" if len(exceptions) == 1 else f"{len(exceptions)} hands"
        said = f"optimal but for {hands} of {Path(asked.strategy).name}"
    wagers = _priced(
        game, _chosen(game, asked.wagers, game.wagers), asked.paytables, lambda wager: next(iter(wager.paytables))
    )
    return simulate_packets(
        game,
        wagers,
        seats=asked.players,
        strategy=names[word],
        seed=asked.seed,
        rounds=asked.rounds,
        exceptions=exceptions,
        said=said,
        kept=users_own(),
    )


def _exceptions(game: Game, file: str, names: Sequence[str]) -> dict[Hand, str]:
    """A file of hands and decisions: `Ks Qd 9h fold` a line."""
    from croupier.cards.card import parse_cards

    if game.decision is None or not _is_file(file):
        raise UnknownName(f"strategy for {game.title}", file, names)
    found = {}
    for number, line in enumerate(read_text(Path(file), "strategy").splitlines(), start=1):
        words = line.split("#")[0].replace(":", " ").split()
        if not words:
            continue
        try:
            hand = parse_cards(" ".join(words[: game.packet_cards]))
            found[hand] = game.decision.parse(hand, " ".join(words[game.packet_cards :]))
        except CroupierError as error:
            raise NotationError(f"{file}, line {number}: {error}") from None
    if not found:
        raise NotationError(f"{file} decides nothing: write a hand and what is decided on each line, as Ks Qd 9h fold.")
    return found


def _is_file(name: str) -> bool:
    """What looks like the name of a file must be one."""
    if not Path(name).is_file() and (Path(name).suffix or len(Path(name).parts) > 1):
        raise NotationError(f"There is no file {name!r} to read a strategy from.")
    return Path(name).is_file()


def _blackjack(game: BlackjackGame, asked: _Asked, *, fresh: bool) -> Simulation:
    from croupier.analysis.blackjack.chart import Chart
    from croupier.analysis.census import OPTIMAL
    from croupier.analysis.simulation.kept import users_own
    from croupier.analysis.simulation.setup_blackjack import BASIC, simulate_blackjack

    word: str | Chart = asked.strategy.strip().lower() or BASIC
    if word not in (BASIC, OPTIMAL) and _is_file(asked.strategy):
        word = Chart.parse(read_text(Path(asked.strategy), "chart"), source=asked.strategy)
    said = f"chart {Path(asked.strategy).name}" if isinstance(word, Chart) else None
    every = [wager for wager in game.wagers if _is_offered(game, wager)]
    wagers = _priced(game, _chosen(game, asked.wagers, every), asked.paytables, lambda wager: _usual(game, wager))
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


# While it runs


@contextmanager
def _progress(made: Simulation, confidence: float) -> Iterator[Callable[[Totals], None]]:
    """A bar with the rate, the time left and the estimate so far; quiet in a pipe."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    screen = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[estimate]}"),
    )
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
        task = bar.add_task(made.game.title, total=made.job.rounds, rate="", estimate="")
        yield _reporter(made, bar, task, confidence)


def _reporter(made: Simulation, bar: Progress, task: TaskID, confidence: float) -> Callable[[Totals], None]:
    import time

    from croupier.analysis.simulation.tally import Tally

    begun: list[tuple[float, int]] = []

    def report(totals: Totals) -> None:
        now = time.monotonic()
        begun.append((now, totals.rounds)) if not begun else None
        since, before = begun[0]
        rate = (totals.rounds - before) / (now - since) if now > since else 0.0
        base = Tally(made, totals).wagers[0]
        low, high = base.interval(confidence) or (0.0, 0.0)
        estimate = f"{base.of.wager.title}: {50 * (low + high):.4f} % ± {50 * (high - low):.4f} %"
        said = f"{rate / 1e6:.1f} million rounds/s" if rate else ""
        bar.update(task, completed=totals.rounds, rate=said, estimate=estimate)

    return report
