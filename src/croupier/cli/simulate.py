"""`croupier simulate`: play millions of rounds and more, all wagers at once, and compare them with the exact count."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from croupier.analysis.blackjack.chart import Chart
from croupier.analysis.plots import check_picture_name
from croupier.analysis.printing import percent
from croupier.analysis.simulation.job import Totals
from croupier.analysis.simulation.record import as_record
from croupier.analysis.simulation.request import OwnStrategies, Sample, check_confidence, simulation_of
from croupier.analysis.simulation.run import run
from croupier.analysis.simulation.setup import Simulation
from croupier.analysis.simulation.tally import LEAST_ROUNDS, Tally, Verdict, WagerTally, draw_tally
from croupier.cards.card import Hand, parse_cards
from croupier.cli.app import app
from croupier.cli.console import console, plain, print_json, signed, table
from croupier.cli.options import (
    RANDOM_SEED,
    AsJson,
    DecksOption,
    HouseOption,
    RulesOption,
    option,
    read_count,
    read_paytable,
    read_text,
)
from croupier.errors import CroupierError, NotationError, UnknownName
from croupier.games.head_to_head.game import Game

INTERRUPTED, DIFFERS = 130, 1
"""Exit codes."""


@app.command()
def simulate(
    game: Annotated[str, typer.Argument(help="A game, as `croupier games` lists them.")],
    *,
    rounds: Annotated[str, typer.Option(help="How many rounds: 1000000, 1e9.")] = "1e7",
    seed: Annotated[str, option(*RANDOM_SEED, "The same number, the same totals, on any number of workers.")] = "7",
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
    house_option: HouseOption = None,
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
    cluster: Annotated[
        str | None, typer.Option(help="A Dask scheduler: tcp://host:8786, tls://host:8786, or its file.")
    ] = None,
    cluster_certificates: Annotated[
        Path | None, typer.Option(help="Of a cluster under TLS: a folder with ca.pem, cert.pem and key.pem.")
    ] = None,
    checkpoint: Annotated[
        Path | None, typer.Option(help="Keep what is done in this file, and go on from it where it exists.")
    ] = None,
    compare: Annotated[bool, option("--compare", "Line by line beside the exact count.")] = False,
    confidence: Annotated[str, typer.Option(help="Of intervals and the verdict, in percent.")] = "99",
    plot: Annotated[Path | None, typer.Option(help="A picture: .png, .svg or .pdf.")] = None,
    as_json: AsJson = False,
) -> int:
    """Sample a game at any scale: every line, edge, hit frequency and deviation, with confidence intervals."""
    sure = read_confidence(confidence)
    if workers < 0:
        raise NotationError(f"There are from 1 worker up, and 0 is one for each processor: {workers} can play nothing.")
    if plot:
        check_picture_name(plot)
    asked = Sample(
        game=game,
        rounds=read_count("a number of rounds", rounds),
        seed=read_count("a seed", seed),
        wagers=[key for words in wagers or () for key in re.split(r"[,\s]+", words.strip()) if key],
        paytables=_named_paytables(paytable or ()),
        players=players,
        strategy=strategy,
        rules=rules,
        decks=decks,
        shoe=shoe,
        compare=compare,
        options=house_option or (),
    )
    simulation = simulation_of(asked, read_paytable, OwnStrategies(_exceptions, _chart))
    with _progress(simulation, sure) as report:
        result = run(
            simulation.job,
            workers=os.cpu_count() or 1 if workers == 0 else workers,
            cluster=cluster,
            certificates=cluster_certificates,
            checkpoint=checkpoint,
            report=report,
        )
    tally = Tally(simulation, result.totals)
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
        draw_tally(tally, plot, confidence=sure, compare=compare)
        Console(stderr=True).print(f"The picture is in {plot}.", markup=False)
    verdict = tally.verdict(sure) if compare else None
    if not result.complete:
        return INTERRUPTED
    return DIFFERS if verdict and not verdict.agrees else 0


def _count_exactly(tally: Tally) -> None:
    """What takes some seconds is said: the law of a round of blackjack, and when Bet the Bust pushes."""
    screen = Console(stderr=True)
    with screen.status("counting exactly", spinner="line") if screen.is_terminal else nullcontext():
        tally.verdict()
        tally.missed()


# What people write


def read_confidence(text: str) -> float:
    """In percent."""
    try:
        value = float(text.strip().removesuffix("%"))
    except ValueError:
        value = float("nan")
    return check_confidence(value, text)


def _named_paytables(texts: Sequence[str]) -> list[tuple[str, str]]:
    pairs = []
    for text in texts:
        key, equals, table = (part.strip() for part in text.partition("="))
        if not (equals and table):
            raise NotationError(f"{text!r} names no paytable: write WAGER=ID or WAGER=FILE.")
        pairs.append((key, table))
    return pairs


def _exceptions(game: Game, file: str, names: Sequence[str]) -> tuple[str, dict[Hand, str]]:
    """A file of hands and decisions: `Ks Qd 9h fold` a line."""
    if game.decision is None or not _is_file(file):
        raise UnknownName(f"strategy for {game.title}", file, names)
    exceptions = {}
    for number, line in enumerate(read_text(Path(file), "strategy").splitlines(), start=1):
        words = line.split("#")[0].replace(":", " ").split()
        if not words:
            continue
        try:
            hand = parse_cards(" ".join(words[: game.packet_cards]))
            exceptions[hand] = game.decision.parse(hand, " ".join(words[game.packet_cards :]))
        except CroupierError as error:
            raise NotationError(f"{file}, line {number}: {error}") from None
    if not exceptions:
        raise NotationError(f"{file} decides nothing: write a hand and what is decided on each line, as Ks Qd 9h fold.")
    return Path(file).name, exceptions


def _is_file(name: str) -> bool:
    """What looks like the name of a file must be one."""
    if not Path(name).is_file() and (Path(name).suffix or len(Path(name).parts) > 1):
        raise NotationError(f"There is no file {name!r} to read a strategy from.")
    return Path(name).is_file()


def _chart(file: str) -> tuple[str, Chart] | None:
    """A file with a chart of blackjack."""
    return (Path(file).name, Chart.parse(read_text(Path(file), "chart"), source=file)) if _is_file(file) else None


# While it runs


@contextmanager
def _progress(simulation: Simulation, confidence: float) -> Iterator[Callable[[Totals], None]]:
    """A bar with the rate, the time left and the estimate so far; quiet in a pipe."""
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
        task = bar.add_task(simulation.game.title, total=simulation.job.rounds, rate="", estimate="")
        yield _reporter(simulation, bar, task, confidence)


def _reporter(simulation: Simulation, bar: Progress, task: TaskID, confidence: float) -> Callable[[Totals], None]:
    begun: list[tuple[float, int]] = []

    def report(totals: Totals) -> None:
        now = time.monotonic()
        begun.append((now, totals.rounds)) if not begun else None
        since, before = begun[0]
        rate = (totals.rounds - before) / (now - since) if now > since else 0.0
        base = Tally(simulation, totals).wagers[0]
        low, high = base.interval(confidence) or (0.0, 0.0)
        estimate = f"{base.of.wager.title}: {50 * (low + high):.4f} % ± {50 * (high - low):.4f} %"
        rate_words = f"{rate / 1e6:.1f} million rounds/s" if rate else ""
        bar.update(task, completed=totals.rounds, rate=rate_words, estimate=estimate)

    return report


# How a tally is printed: a table of lines for each wager, its figures with their intervals, and one verdict.


def show_tally(tally: Tally, *, compare: bool, confidence: float, complete: bool) -> None:
    screen = console()
    for wager in tally.wagers:
        _print_wager(wager, compare=compare, confidence=confidence)
    screen.print(f"  {_what_was_played(tally)}", markup=False, soft_wrap=True)
    if not complete:
        screen.print(f"  Stopped early: {tally.simulation.job.rounds:,} rounds were asked for.", markup=False)
    if compare:
        for sentence in _verdict_in_words(tally, tally.verdict(confidence), confidence):
            screen.print(f"  {sentence}", markup=False, soft_wrap=True)


def _print_wager(tally: WagerTally, *, compare: bool, confidence: float) -> None:
    title = f"{tally.simulation.game.title}: {tally.of.wager.title}, paytable {tally.of.paytable_id}"
    if not tally.times:
        console().print(f"{title}: never made in these rounds.\n", markup=False, style="bold")
        return
    compared = {one.line.line: one for one in tally.compared or ()} if compare else {}
    columns = ["line", "pays", "sampled", "frequency", "one in", "return"]
    columns += ["counted", "z"] if compared else []
    listing = table(title, *columns, left=2)
    for line in tally.figures.lines:
        if compared and line.line not in compared:
            continue  # it cannot happen, and has not
        one_in = f"{float(1 / line.probability):,.1f}" if line.combinations else "never yet"
        row = [f"{line.combinations:,}", percent(line.probability, 6), one_in, signed(line.contribution)]
        if compared:
            row += [f"{100 * compared[line.line].chance:.6f} %", f"{compared[line.line].z:+.2f}"]
        listing.add_row(*plain(line.line, line.pays), *row)
    screen = console()
    screen.print(listing)
    for name, words in _figures(tally, compare=compare, confidence=confidence):
        screen.print(f"  {name:<19} {words}", markup=False, soft_wrap=True)
    screen.print()


def _figures(tally: WagerTally, *, compare: bool, confidence: float) -> list[tuple[str, str]]:
    span = _span(tally.interval(confidence, counted=compare), confidence)
    edge = f"{percent(tally.figures.house_edge)}   {span}"
    if compare and tally.exact_edge is not None:
        z = f", z {tally.edge_z:+.2f}" if tally.edge_z is not None else ""
        edge += f"; counted {100 * tally.exact_edge:.6f} %{z}"
    elif compare:
        several = tally.simulation.job.seats > 1
        edge += f"; there is no exact count{' with several players' * several}"
    rows = [
        ("made", f"{tally.times:,} times"),
        ("house edge", edge),
        ("hit frequency", f"{percent(tally.hit_frequency)}   {_span(tally.hit_interval(confidence), confidence)}"),
        ("standard deviation", f"{tally.figures.standard_deviation:.6f} per unit"),
    ]
    if tally.of.wager.progressive:
        rows.append(("meters", "at their seeds, as `croupier odds` prices them where nothing else is said"))
    return rows


def _span(interval: tuple[float, float] | None, confidence: float) -> str:
    if interval is None:
        return f"(no interval after fewer than {LEAST_ROUNDS} results)"
    low, high = interval
    return f"from {100 * low:.4f} % to {100 * high:.4f} % at {100 * confidence:g} %"


def _what_was_played(tally: Tally) -> str:
    simulation, job = tally.simulation, tally.simulation.job
    rounds = "1 round" if tally.totals.rounds == 1 else f"{tally.totals.rounds:,} rounds"
    players = "1 player" if job.seats == 1 else f"{job.seats} players"
    words = f"{rounds} with {players}, seed {job.seed}"
    if simulation.strategy:
        words += f", strategy {simulation.strategy}"
    if simulation.game.placard:
        words += f", {simulation.game.short_placard}"
        words += ", a fresh shoe for each round" if simulation.as_counted else ", shoes dealt to the cut card"
    if tally.void:
        words += f"; {tally.void:,} rounds were void, the shoe having run out"
    return words + "."


def _edges_in_words(tally: Tally, confidence: float) -> list[str]:
    """Of wagers of which the edge is counted, and the lines are not."""
    missed = tally.missed(confidence)
    return [
        f"Of {title} the edge alone is counted, not its lines: it lies {'outside' if title in missed else 'within'} "
        "its interval."
        for wager in tally.wagers
        if wager.compared is None and wager.exact_edge is not None
        for title in [wager.of.wager.title]
    ]


def _verdict_in_words(tally: Tally, verdict: Verdict | None, confidence: float) -> list[str]:
    if verdict is None:
        return _edges_in_words(tally, confidence) or ["There is no exact count to compare with."]
    worst = verdict.worst
    sentences = [
        f"{'Agrees' if verdict.agrees else 'DIFFERS'}: of {verdict.lines} lines the farthest off is "
        f"{verdict.where}, {worst.line.line}, at z = {worst.z:+.2f}; by chance alone one of so many is as far off "
        f"in {100 * verdict.p_value:.2f} % of runs."
    ]
    if not verdict.agrees:
        sentences.append(
            f"That is below {100 * (1 - verdict.confidence):.4g} %, which chance brings too: if another --seed with "
            "more rounds differs as well, something is wrong."
        )
    missed = tally.missed(verdict.confidence)
    if verdict.agrees and missed:
        sentences.append(
            f"The edge of {' and '.join(missed)} is outside its interval, as chance brings with "
            f"{100 * (1 - verdict.confidence):.4g} % of intervals: another --seed tells."
        )
    sentences += _edges_in_words(tally, confidence)
    left_out = [
        wager.of.wager.title
        for wager in tally.wagers
        if wager.times and wager.compared is None and wager.exact_edge is None
    ]
    if left_out:
        count = "of its lines" if tally.simulation.job.seats == 1 else "with several players"
        sentences.append(f"Not compared, for want of an exact count {count}: {', '.join(left_out)}.")
    if not tally.simulation.as_counted:
        sentences.append(
            "The count is of a fresh shoe for each round; shoes dealt to a cut card differ a little from it."
        )
    return sentences
