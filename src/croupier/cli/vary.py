"""`croupier odds --vary`: the pay behind a wanted house edge, and a wager over a range of pays, decks or rules."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

from croupier.analysis.blackjack.question import Asked
from croupier.analysis.lab.paytable import Bench, find_pay, read_wanted
from croupier.analysis.lab.sweep import DECKS, MOST, RULES, Sweep, answered, sweep_pay, sweep_rules
from croupier.analysis.plots import check_picture_name, save
from croupier.analysis.printing import percent
from croupier.cli.console import console, print_json, table
from croupier.cli.options import read_paytable
from croupier.errors import NotationError
from croupier.games.game import TableGame


class Varied(NamedTuple):
    """What is to change, and what for."""

    what: str | None
    target: str | None
    over: str | None
    plot: Path | None


def _check(varied: Varied) -> None:
    """What was said goes together."""
    if varied.what is None:
        for option, given in (("target-edge", varied.target), ("over", varied.over), ("plot", varied.plot)):
            if given is not None:
                raise NotationError(f"--{option} needs --vary: a row of the paytable, as --vary 'Straight Flush'.")
    if (varied.target is None) == (varied.over is None):
        raise NotationError("--vary takes --target-edge 5% to find a pay, or --over 20-60 for a table: one of them.")
    if varied.plot is not None:
        if varied.over is None:
            raise NotationError("--plot draws the table of --over: a found pay is one figure.")
        check_picture_name(varied.plot)


def show_varied(game: TableGame, asked: Asked, varied: Varied, *, as_json: bool) -> None:
    _check(varied)
    what = varied.what or ""
    if asked.wager is None:
        raise NotationError("--vary is about one wager: name it.")
    if what.lower() in (DECKS, RULES):
        sweep = _of_rules(game, asked, varied, what.lower())
    else:
        bench = Bench(game.under(asked.rules, asked.decks), game.wager(asked.wager), asked.strategy)
        named = asked._replace(paytable=asked.paytable or next(iter(bench.wager.paytables)))
        if varied.target is not None:
            _show_found(bench, named, what, varied.target, as_json=as_json)
            return
        sweep = sweep_pay(bench, named, read_paytable, what, read_values(varied.over or ""))
    if varied.plot is not None:
        save(sweep.draw(), varied.plot)
    if as_json:
        print_json(sweep.as_json())
    else:
        _print_sweep(sweep, varied.plot)


def _of_rules(game: TableGame, asked: Asked, varied: Varied, what: str) -> Sweep:
    if not game.placard:
        raise NotationError(f"{game.title} has one set of rules: vary a row of its paytable.")
    if varied.over is None:
        raise NotationError(f"--vary {what} takes --over, as '6,8' or 'S17;H17': an edge is found by a pay.")
    game_wager = game.wager(asked.wager or "")
    named = asked
    if not game.by_rules(game_wager):
        named = asked._replace(paytable=asked.paytable or next(iter(game_wager.paytables)))
    values = read_values(varied.over) if what == DECKS else [text.strip() for text in varied.over.split(";")]
    return sweep_rules(answered(game, read_paytable), named, what, values)


def read_values(text: str) -> list[str]:
    """`20-60`, `20-60/10` (in steps of 10), `25,30,40`, or `25 to 1; 30 to 1`."""
    span = re.fullmatch(r"\s*(\d{1,6})\s*(?:-|–|\.\.)\s*(\d{1,6})(?:\s*/\s*(\d{1,5}))?\s*", text, re.ASCII)
    if span:
        low, high, step = int(span[1]), int(span[2]), int(span[3] or 1)
        if low > high or step == 0 or (high - low) // step >= MOST:
            raise NotationError(f"{text!r} is no range: it rises, in at most {MOST} steps, as 20-60/10.")
        return [str(value) for value in range(low, high + 1, step)]
    values = [part.strip() for part in re.split(r"[,;]" if ";" not in text else ";", text) if part.strip()]
    if not values:
        raise NotationError(f"{text!r} names no values: write 20-60, 20-60/10 or 25,30,40.")
    return values


def _show_found(bench: Bench, asked: Asked, row: str, target: str, *, as_json: bool) -> None:
    answer: dict[str, Any] = find_pay(bench, asked, read_paytable, row, read_wanted(target))
    if as_json:
        about = {"game": bench.game.key, "wager": bench.wager.key, "paytable": asked.paytable, "row": row}
        print_json(about | {"target_edge": target} | answer)
        return
    screen = console()
    screen.print(f"{bench.game.title}: {bench.wager.title}, paytable {asked.paytable}", style="bold", markup=False)
    edge = percent(read_wanted(target), 4)
    screen.print(f"  {row} at {answer['printed']} gives a house edge of {edge}.", markup=False)
    screen.print(f"  Exactly {answer['exact']}.", markup=False)
    near = table("Pays that can be printed", "pay", "house edge")
    for posted in answer["near"]:
        near.add_row(posted["pay"], posted["printed"])
    screen.print(near)


def _print_sweep(sweep: Sweep, plot: Path | None) -> None:
    listing = table(f"{sweep.title}: {sweep.varied} varied", sweep.varied, "house edge", "hit frequency", "deviation")
    for row in sweep.rows:
        edge, hits = (f"{100 * float(value):.4f} %" for value in (row.house_edge, row.hit_frequency))
        listing.add_row(row.value, edge, hits, f"{row.standard_deviation:.4f}")
    console().print(listing)
    if plot is not None:
        console().print(f"  The picture is in {plot}.", markup=False)
