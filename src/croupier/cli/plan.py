"""`croupier plan`: what the meters of a progressive will do, before the house opens it or changes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.app import app
from croupier.cli.console import print_json, progress
from croupier.cli.files import read_text, write_text
from croupier.errors import NotationError, UnknownName

if TYPE_CHECKING:
    from croupier.analysis.meter_plan import MeterPlan
    from croupier.analysis.meter_record import Planned

PLOT_KINDS = ("all", "fan", "at-hit", "time")
USUAL_SEED = 7


def _option(name: str, help_: str) -> Any:
    return typer.Option(name, help=help_)


@app.command()
def plan(
    targets: Annotated[
        list[str] | None, typer.Argument(help="A plan's FILE.toml, or a wager: blazing-7s-dealer, trilux, ...")
    ] = None,
    *,
    paytable: Annotated[str | None, _option("--paytable", "Its ID, or a file; the first where none is said.")] = None,
    decks: Annotated[str | None, _option("--decks", "Decks in the shoe; 6.")] = None,
    rules: Annotated[
        str | None,
        _option("--rules", "blazing-7s-player: how the base game is played, as 'H17 DAS SP4 3:2'; the usual rules."),
    ] = None,
    wager_amount: Annotated[str | None, _option("--wager-amount", "The progressive wager, in dollars; 5.")] = None,
    contribution: Annotated[
        str | None, _option("--contribution", "Percent of each wager to the meters; as the maker configures it.")
    ] = None,
    reserve: Annotated[str | None, _option("--reserve", "Percent of each wager to the reserve; 0.")] = None,
    seed_money: Annotated[
        list[str] | None,
        _option("--seed-money", "What the house puts on a meter, in dollars: 10000, or Mega=10000 (repeatable)."),
    ] = None,
    accounting: Annotated[
        str | None, _option("--accounting", "B: the meter pays its shares; A: it makes all pays. B.")
    ] = None,
    division: Annotated[
        list[str] | None,
        _option("--division", "Several meters: proportional, equal, or Mega=50 in percent (repeatable)."),
    ] = None,
    tables: Annotated[str | None, _option("--tables", "Linked tables; 1.")] = None,
    seats: Annotated[str | None, _option("--seats", "Seats that make the wager at each; 3.")] = None,
    rounds_per_hour: Annotated[str | None, _option("--rounds-per-hour", "At each table; 60.")] = None,
    hours_per_day: Annotated[str | None, _option("--hours-per-day", "16.")] = None,
    period_days: Annotated[str | None, _option("--period-days", "How far to look ahead; 365.")] = None,
    within_rounds: Annotated[
        str | None, _option("--within-rounds", "Rounds at all tables within which a second hit is back to back; 100.")
    ] = None,
    seed: Annotated[int, _option("--seed", "Of the simulation: the same seed, the same figures.")] = USUAL_SEED,
    histories: Annotated[
        int | None, _option("--histories", "Times the period is played; as many as take a second or two.")
    ] = None,
    compare: Annotated[bool, _option("--compare", "Two plans side by side.")] = False,
    plot: Annotated[Path | None, _option("--plot", "A picture: .png, .svg or .pdf.")] = None,
    plot_kind: Annotated[str, _option("--plot-kind", "all, fan, at-hit or time.")] = "all",
    plot_meter: Annotated[str | None, _option("--plot-meter", "Which meter; the first.")] = None,
    write: Annotated[Path | None, _option("--write", "Write the plan, with all that was left open, as TOML.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print for programs.")] = False,
) -> None:
    """Plan a progressive: hits, meters, hold, reserve, risks and money in custody, exact or simulated."""
    options = {
        "paytable": paytable,
        "decks": decks,
        "rules": rules,
        "wager_dollars": wager_amount,
        "contribution_percent": contribution,
        "reserve_percent": reserve,
        "seeds_dollars": _by_meter(seed_money),
        "accounting": accounting,
        "division": _by_meter(division),
        "tables": tables,
        "seats": seats,
        "rounds_per_hour": rounds_per_hour,
        "hours_per_day": hours_per_day,
        "period_days": period_days,
        "within_rounds": within_rounds,
    }
    said = {key: value for key, value in options.items() if value is not None}
    named = _check_targets(targets or [], compare=compare, one_file=plot or write)
    plans = [(name, read_plan(name, said)) for name in named]
    _check_outputs(plans[0][1], plot, plot_kind, plot_meter, write)
    planned = _planned(plans, seed, histories)
    if write is not None:
        _write_plan(write, planned[0].plan)
    if plot is not None:
        _draw(plot, planned[0], plot_kind, plot_meter)
    _show(planned, seed, as_json=as_json)
    if not as_json:
        for what, path in (("plan", write), ("picture", plot)):
            if path is not None:
                print(f"The {what} is in {path}.")


# What was said


def _by_meter(texts: Sequence[str] | None) -> str | dict[str, str] | None:
    """`10000` for the only meter, `Mega=10000` for one of several."""
    if not texts:
        return None
    pairs = [text.rpartition("=") for text in texts]
    for text, (name, equals, _) in zip(texts, pairs, strict=True):
        if len(texts) > 1 and not (equals and name.strip()):
            raise NotationError(f"{text!r} does not say which meter it is for: write it as Mega=10000.")
    if not pairs[0][1]:
        return texts[0]
    return {name.strip().title(): amount for name, _, amount in pairs}


def _check_targets(targets: list[str], *, compare: bool, one_file: Path | None) -> list[str]:
    if compare:
        if len(targets) != 2:
            raise NotationError(
                f"--compare takes two plans, not {len(targets)}: croupier plan --compare A.toml B.toml."
            )
        if one_file is not None:
            raise NotationError(
                "--plot and --write are about one plan, and --compare about two: leave one of them out."
            )
    elif len(targets) != 1:
        what = f"are {len(targets)} plans" if targets else "is no plan"
        raise NotationError(f"There {what} to look at: name one FILE.toml or one wager, or two with --compare.")
    return targets


def read_plan(name: str, options: Mapping[str, Any]) -> MeterPlan:
    """The plan of a file or of a wager, with what the options change."""
    from croupier.analysis.meter_settings import WAGERS, merged, plan_from, read_settings
    from croupier.cli.options import read_paytable

    if name in WAGERS:
        settings: dict[str, Any] = {"wager": name}
    elif Path(name).suffix == ".toml" or Path(name).exists():
        settings = read_settings(read_text(Path(name), "plan"), name)
    else:
        raise UnknownName("file and no progressive wager", name, WAGERS)
    return plan_from(merged(settings, options), read_paytable, in_options=name in WAGERS)


def _check_outputs(plan: MeterPlan, plot: Path | None, kind: str, meter: str | None, write: Path | None) -> None:
    """What cannot be written is said before the meters are played."""
    from croupier.analysis.plots import check_picture_name

    if kind not in PLOT_KINDS:
        raise UnknownName("kind of picture", kind, PLOT_KINDS)
    titles = [level.title for level in plan.levels]
    if meter is not None and meter.title() not in titles:
        raise UnknownName("meter", meter, titles)
    if plot is not None:
        check_picture_name(plot)
    if write is not None and write.suffix != ".toml":
        raise NotationError(f"A plan's name ends in .toml, not {write.name!r}.")


# Work


def _planned(plans: Sequence[tuple[str, MeterPlan]], seed: int, histories: int | None) -> list[Planned]:
    from croupier.analysis.meter_figures import figures_of
    from croupier.analysis.meter_record import Planned
    from croupier.analysis.meter_simulation import check_length, check_run, simulate, work
    from croupier.analysis.meter_warnings import warnings_of

    check_run(seed, histories)
    for _, each in plans:
        check_length(each, histories)
    found = []
    with progress("Playing the meters", sum(work(each, histories) for _, each in plans)) as advance:
        for name, each in plans:
            simulation = simulate(each, seed=seed, histories=histories, advance=advance)
            found.append(Planned(name, each, warnings_of(each), figures_of(each, simulation), simulation))
    return found


def _write_plan(path: Path, plan: MeterPlan) -> None:
    from croupier.analysis.meter_settings import plan_as_toml

    write_text(path, plan_as_toml(plan))


def _draw(path: Path, planned: Planned, kind: str, meter: str | None) -> None:
    from croupier.analysis.meter_plots import draw
    from croupier.analysis.plots import save

    titles = [level.title for level in planned.plan.levels]
    save(draw(planned.simulation, kind, titles.index(meter.title()) if meter else 0), path)


def _show(planned: list[Planned], seed: int, *, as_json: bool) -> None:
    from croupier.analysis.meter_record import as_programs_read
    from croupier.cli.plan_tables import print_comparison, print_plan

    if as_json:
        print_json(as_programs_read(planned, seed))
    elif len(planned) == 1:
        print_plan(planned[0], seed)
    else:
        print_comparison(planned[0], planned[1], seed)
