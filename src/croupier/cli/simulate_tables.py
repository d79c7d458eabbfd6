"""How a tally is printed: a table of lines for each wager, its figures with their intervals, and one verdict."""

from __future__ import annotations

from croupier.analysis.printing import percent
from croupier.analysis.simulation.tally import LEAST_ROUNDS, Tally, Verdict, WagerTally
from croupier.cli.console import console, plain, signed, table
from croupier.games.blackjack.game import BlackjackGame


def show_tally(tally: Tally, *, compare: bool, confidence: float, complete: bool) -> None:
    screen = console()
    for each in tally.wagers:
        _print_wager(each, compare=compare, confidence=confidence)
    screen.print(f"  {_what_was_played(tally)}", markup=False, soft_wrap=True)
    if not complete:
        screen.print(f"  Stopped early: {tally.simulation.job.rounds:,} rounds were asked for.", markup=False)
    if compare:
        for sentence in _verdict_in_words(tally, tally.verdict(confidence)):
            screen.print(f"  {sentence}", markup=False, soft_wrap=True)


def _print_wager(each: WagerTally, *, compare: bool, confidence: float) -> None:
    title = f"{each.simulation.game.title}: {each.of.wager.title}, paytable {each.of.paytable_id}"
    if not each.times:
        console().print(f"{title}: never made in these rounds.\n", markup=False, style="bold")
        return
    compared = {one.line.line: one for one in each.compared or ()} if compare else {}
    columns = ["line", "pays", "sampled", "frequency", "one in", "return"]
    columns += ["counted", "z"] if compared else []
    listing = table(title, *columns, left=2)
    for line in each.figures.lines:
        if compared and line.line not in compared:
            continue  # it cannot happen, and has not
        one_in = f"{float(1 / line.probability):,.1f}" if line.combinations else "never yet"
        row = [f"{line.combinations:,}", percent(line.probability, 6), one_in, signed(line.contribution)]
        if compared:
            row += [f"{100 * compared[line.line].chance:.6f} %", f"{compared[line.line].z:+.2f}"]
        listing.add_row(*plain(line.line, line.pays), *row)
    screen = console()
    screen.print(listing)
    for name, words in _figures(each, compare=compare, confidence=confidence):
        screen.print(f"  {name:<19} {words}", markup=False, soft_wrap=True)
    screen.print()


def _figures(each: WagerTally, *, compare: bool, confidence: float) -> list[tuple[str, str]]:
    edge = f"{percent(each.figures.house_edge)}   {_span(each.interval(confidence), confidence)}"
    if compare and each.exact_edge is not None:
        edge += f"; counted {100 * each.exact_edge:.6f} %"
    elif compare:
        edge += "; there is no exact count with several players"
    rows = [
        ("made", f"{each.times:,} times"),
        ("house edge", edge),
        ("hit frequency", f"{percent(each.hit_frequency)}   {_span(each.hit_interval(confidence), confidence)}"),
        ("standard deviation", f"{each.figures.standard_deviation:.6f} per unit"),
    ]
    if each.of.wager.progressive:
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
    said = f"{rounds} with {players}, seed {job.seed}"
    if simulation.strategy:
        said += f", strategy {simulation.strategy}"
    if isinstance(simulation.game, BlackjackGame):
        said += f", {simulation.game.rules}"
        said += ", a fresh shoe for each round" if simulation.as_counted else ", shoes dealt to the cut card"
    if tally.void:
        said += f"; {tally.void:,} rounds were void, the shoe having run out"
    return said + "."


def _verdict_in_words(tally: Tally, verdict: Verdict | None) -> list[str]:
    if verdict is None:
        return ["There is no exact count to compare with."]
    worst = verdict.worst
    said = [
        f"{'Agrees' if verdict.agrees else 'DIFFERS'}: of {verdict.lines} lines the farthest off is "
        f"{verdict.where}, {worst.line.line}, at z = {worst.z:+.2f}; by chance alone one of so many is as far off "
        f"in {100 * verdict.p_value:.2f} % of runs."
    ]
    if not verdict.agrees:
        said.append(
            f"That is below {100 * (1 - verdict.confidence):.4g} %, which chance brings too: if another --seed with "
            "more rounds differs as well, something is wrong."
        )
    left_out = [each.of.wager.title for each in tally.wagers if each.times and each.compared is None]
    if left_out:
        said.append(f"Not compared, for want of an exact count with several players: {', '.join(left_out)}.")
    if not tally.simulation.as_counted:
        said.append("The count is of a fresh shoe for each round; shoes dealt to a cut card differ a little from it.")
    return said
