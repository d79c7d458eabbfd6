"""`croupier plan`: what the meters of a progressive will do, before the house opens it or changes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer

from croupier.analysis.meter.figures import SECTIONS, Basis, Figure
from croupier.analysis.meter.plan import MeterPlan
from croupier.analysis.meter.plots import draw
from croupier.analysis.meter.record import Planned, as_programs_read, differences, played_plan, within_noise
from croupier.analysis.meter.settings import merged, plan_as_toml, plan_from, read_settings
from croupier.analysis.meter.simulation import check_length, check_run, work
from croupier.analysis.meter.warnings import Caution
from croupier.analysis.plots import check_picture_name, save
from croupier.analysis.printing import percent
from croupier.cli.app import app
from croupier.cli.console import console, print_json, progress, table
from croupier.cli.options import RANDOM_SEED, AsJson, option, read_paytable, read_text, write_text
from croupier.errors import NotationError, UnknownName
from croupier.games.blackjack.side_wagers import PROGRESSIVES
from croupier.games.meter import PPM
from croupier.games.money import dollars

PLOT_KINDS = ("all", "fan", "at-hit", "time")
USUAL_SEED = 7


@app.command()
def plan(
    targets: Annotated[
        list[str] | None, typer.Argument(help="A plan's FILE.toml, or a wager: blazing-7s-dealer, trilux, ...")
    ] = None,
    *,
    paytable: Annotated[str | None, option("--paytable", "Its ID, or a file; the first where none is said.")] = None,
    decks: Annotated[str | None, option("--decks", "Decks in the shoe; 6.")] = None,
    rules: Annotated[
        str | None,
        option("--rules", "blazing-7s-player: how the base game is played, as 'H17 DAS SP4 3:2'; the usual rules."),
    ] = None,
    wager_amount: Annotated[str | None, option("--wager-amount", "The progressive wager, in dollars; 5.")] = None,
    contribution: Annotated[
        str | None,
        option("--contribution", "Of each wager to the meters: 24% or 24; as the maker configures it."),
    ] = None,
    reserve: Annotated[str | None, option("--reserve", "Percent of each wager to the reserve; 0.")] = None,
    seed_money: Annotated[
        list[str] | None,
        option("--seed-money", "What the house puts on a meter, in dollars: 10000, or Mega=10000 (repeatable)."),
    ] = None,
    accounting: Annotated[
        str | None, option("--accounting", "B: the meter pays its shares; A: it makes all pays. B.")
    ] = None,
    division: Annotated[
        list[str] | None,
        option("--division", "Several meters: proportional, equal, or Mega=50 in percent (repeatable)."),
    ] = None,
    tables: Annotated[str | None, option("--tables", "Linked tables; 1.")] = None,
    seats: Annotated[str | None, option("--seats", "Seats that make the wager at each; 3.")] = None,
    rounds_per_hour: Annotated[str | None, option("--rounds-per-hour", "At each table; 60.")] = None,
    hours_per_day: Annotated[str | None, option("--hours-per-day", "16.")] = None,
    period_days: Annotated[str | None, option("--period-days", "How far to look ahead; 365.")] = None,
    within_rounds: Annotated[
        str | None, option("--within-rounds", "Rounds at all tables within which a second hit is back to back; 100.")
    ] = None,
    seed: Annotated[int, option(*RANDOM_SEED, "Of the simulation: the same number, the same figures.")] = USUAL_SEED,
    histories: Annotated[
        int | None, option("--histories", "Times the period is played; as many as a few seconds allow, up to 250,000.")
    ] = None,
    compare: Annotated[bool, option("--compare", "Two plans side by side.")] = False,
    plot: Annotated[Path | None, option("--plot", "A picture: .png, .svg or .pdf.")] = None,
    plot_kind: Annotated[str, option("--plot-kind", "all, fan, at-hit or time.")] = "all",
    plot_meter: Annotated[str | None, option("--plot-meter", "Which meter; the first.")] = None,
    write: Annotated[Path | None, option("--write", "Write the plan, with all that was left open, as TOML.")] = None,
    as_json: AsJson = False,
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
    values = {key: value for key, value in options.items() if value is not None}
    named = _check_targets(targets or [], compare=compare, one_file=plot or write)
    plans = [(name, read_plan(name, values)) for name in named]
    _check_outputs(plans[0][1], plot, plot_kind, plot_meter, write)
    planned = _planned(plans, seed, histories)
    if write is not None:
        write_text(write, plan_as_toml(planned[0].plan))
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
    if name in PROGRESSIVES:
        settings: dict[str, Any] = {"wager": name}
    elif Path(name).suffix == ".toml" or Path(name).exists():
        settings = read_settings(read_text(Path(name), "plan"), name)
    else:
        raise UnknownName("file and no progressive wager", name, PROGRESSIVES)
    return plan_from(merged(settings, options), read_paytable, in_options=name in PROGRESSIVES)


def _check_outputs(plan: MeterPlan, plot: Path | None, kind: str, meter: str | None, write: Path | None) -> None:
    """What cannot be written is said before the meters are played."""
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
    check_run(seed, histories)
    for _, plan in plans:
        check_length(plan, histories)
    with progress("Playing the meters", sum(work(plan, histories) for _, plan in plans)) as advance:
        return [played_plan(name, plan, seed, histories, advance) for name, plan in plans]


def _draw(path: Path, planned: Planned, kind: str, meter: str | None) -> None:
    titles = [level.title for level in planned.plan.levels]
    save(draw(planned.simulation, kind, titles.index(meter.title()) if meter else 0), path)


def _show(planned: list[Planned], seed: int, *, as_json: bool) -> None:
    if as_json:
        print_json(as_programs_read(planned, seed))
    elif len(planned) == 1:
        print_plan(planned[0], seed)
    else:
        print_comparison(planned[0], planned[1], seed)


# How a plan is shown: tables for people, one or two plans; a list of figures for programs.

NO_INTERVAL = "-"
SMALLEST = 1e-4
"""What is shown in digits, of a percent or of a hit; less is one in so many."""
LARGE_NUMBERS = {10**12: "trillion", 10**9: "billion", 10**6: "million"}
WITHIN_NOISE = "within noise"


# Numbers


def shown(value: float, unit: str, *, signed: bool = False) -> str:
    """A number as people read it, with its unit where it is money or a share."""
    sign = "-" if value < 0 else "+" if signed and value > 0 else ""
    size = abs(value)
    match unit:
        case "dollars":
            return f"{sign}${size:,.2f}" if size < 1_000 else f"{sign}${size:,.0f}"
        case "share":
            percent_ = 100 * size
            if 0 < percent_ < SMALLEST:
                return f"{sign}{one_in(size)}"
            return f"{sign}{percent_:.4f} %" if percent_ >= 1e-3 or not percent_ else f"{sign}{percent_:.3g} %"
        case "days" | "times":
            return f"{sign}{size:,.2f}"
        case "hits":
            if 0 < size < SMALLEST:
                return f"{sign}{one_in(size)} periods"
            return f"{sign}{size:,.2f}" if size >= 0.1 or not size else f"{sign}{size:.3g}"
        case _:
            return f"{sign}{size:,.0f}"


def one_in(chance: float) -> str:
    """`one in 331 million`: a chance that has too many zeros in percent."""
    wagers = float(f"{1 / chance:.3g}")
    for size, word in LARGE_NUMBERS.items():
        if wagers >= size:
            return f"one in {wagers / size:.3g} {word}" if wagers < 1000 * size else f"one in {wagers:.3g}"
    return f"one in {wagers:,.0f}"


def in_words(figure: Figure) -> str:
    after = {"wagers": " wagers", "rounds": " rounds", "days": " days", "times": " times as likely"}
    return shown(float(figure.value), figure.unit) + after.get(figure.unit, "")


def interval(figure: Figure) -> str:
    """Both ends, or the one that the histories know."""
    if figure.basis is not Basis.SIMULATED:
        return NO_INTERVAL
    low, high = (None if end is None else shown(end, figure.unit) for end in (figure.low, figure.high))
    if low is None or high is None:
        return f"at least {low}" if low else f"at most {high}" if high else "not known"
    return f"{low} to {high}"


# One plan


def print_plan(planned: Planned, seed: int) -> None:
    screen = console()
    for line in headline(planned.plan):
        screen.print(line, markup=False, soft_wrap=True)
    print_cautions(planned.cautions)
    by_section = {name: [figure for figure in planned.figures if figure.section == name] for name in SECTIONS}
    several = len(planned.plan.levels) > 1
    for name, figures in by_section.items():
        if name == "times":
            _print_times(figures)
        elif name == "at_hit":
            _print_laws(figures, by_section["restart"], several=several)
        elif name != "restart":
            _print_figures(SECTIONS[name], figures, several=several)
    screen.print(f"  {basis([planned], seed)}", markup=False, soft_wrap=True)


def headline(plan: MeterPlan) -> list[str]:
    """The plan in three lines."""
    seeds = ", ".join(f"{level.title} {dollars(level.seed_cents)}" for level in plan.levels)
    parts = ", ".join(
        f"{level.title} {percent(share, 2)}" for level, share in zip(plan.levels, plan.shares, strict=True)
    )
    divided = f" (of it {parts})" if len(plan.levels) > 1 else ""
    reserve = percent(Fraction(plan.reserve_ppm, PPM), 2)
    hours = f"{float(plan.hours_per_day):g}"
    table_ = f"rules {plan.rules}" if plan.rules else f"{plan.decks} decks"
    return [
        f"{plan.wager.title}, paytable {plan.paytable_id}, {table_}, wager {dollars(plan.wager_cents)}, "
        f"style {plan.style}",
        f"  contribution {percent(plan.funding.contribution, 2)}{divided}, reserve {reserve}, seeds {seeds}",
        f"  tables {plan.tables}, seats {plan.seats}, rounds an hour {plan.rounds_per_hour}, hours a day {hours}: "
        f"{float(plan.wagers_per_day):,.0f} wagers a day, {plan.period_wagers:,} in {plan.period_days:,} days",
        "",
    ]


def print_cautions(cautions: Iterable[Caution]) -> None:
    screen = console()
    for caution in cautions:
        word, style = ("hint", "cyan") if caution.hint else ("warning", "yellow")
        screen.print(f"  {word}: {caution.sentence} ({caution.paragraph})", style=style, markup=False, soft_wrap=True)
    if cautions:
        screen.print()


def basis(planned: Sequence[Planned], seed: int) -> str:
    """What was played; two plans that were played alike are told once."""
    played = [_played(plan_made) for plan_made in planned]
    alike = len(set(played)) == 1
    what = (
        played[0]
        if alike
        else "; ".join(f"{letter}: {basis_words}" for letter, basis_words in zip("AB", played, strict=True))
    )
    each_ = " for each plan" if alike and len(planned) > 1 else ""
    return (
        f"Simulated: {what}{each_}, random seed {seed}; intervals hold with about 95 % confidence. "
        "Wagers are taken as independent; two awards in one round are counted exactly."
    )


def _played(planned: Planned) -> str:
    """`250,000 periods and 250,000 cycles of each meter`."""
    simulation, levels = planned.simulation, planned.plan.levels
    counts = {level.title: f"{len(simulation.cycles[level.meter]):,} cycles" for level in levels}
    cycles = next(iter(counts.values()))
    if len(set(counts.values())) > 1:
        cycles = ", ".join(f"{count} of {meter}" for meter, count in counts.items())
    elif len(counts) > 1:
        cycles += " of each meter"
    return f"{simulation.histories:,} periods and {cycles}"


def _name(figure: Figure, *, several: bool) -> str:
    return f"{figure.meter}: {figure.title}" if several and figure.meter else figure.title


def _print_figures(title: str, figures: list[Figure], *, several: bool) -> None:
    listing = table(title, "figure", "value", "basis", "95 % interval")
    for figure in figures:
        listing.add_row(_name(figure, several=several), in_words(figure), figure.basis, interval(figure))
    console().print(listing)


def _print_times(figures: list[Figure]) -> None:
    """One row for each kind of hit; the figures come four by four."""
    columns = ("one in wagers", "one in rounds", "one in days", "in the period", "basis")
    listing = table(SECTIONS["times"], "hit", *columns)
    for place in range(0, len(figures), 4):
        four = figures[place : place + 4]
        name = four[0].title.partition(":")[0]
        listing.add_row(
            f"{four[0].meter}, {name}" if four[0].meter else name,
            *(shown(float(figure.value), figure.unit) for figure in four),
            four[0].basis,
        )
    console().print(listing)


def _print_laws(at_hit: list[Figure], restart: list[Figure], *, several: bool) -> None:
    for meter in dict.fromkeys(figure.meter for figure in at_hit):
        title = f"{meter}: at a 100 % award, and after it" if several else "The meter at a 100 % award, and after it"
        listing = table(title, "", "at the award", "basis", "95 % interval", "restarts at", "basis")
        afterwards = {figure.key: figure for figure in restart if figure.meter == meter}
        for hit in (figure for figure in at_hit if figure.meter == meter):
            after = afterwards.get(hit.key)
            starts = (in_words(after), after.basis) if after else (NO_INTERVAL, "")
            listing.add_row(hit.title, in_words(hit), hit.basis, interval(hit), *starts)
        console().print(listing)


# Two plans


def print_comparison(one: Planned, other: Planned, seed: int) -> None:
    screen = console()
    for letter, planned in (("A", one), ("B", other)):
        first, *rest = headline(planned.plan)
        screen.print(f"{letter}: {planned.name}: {first}", markup=False, soft_wrap=True)
        for line in rest[:-1]:
            screen.print(line, markup=False, soft_wrap=True)
        print_cautions(planned.cautions)
    several = max(len(one.plan.levels), len(other.plan.levels)) > 1
    pairs = differences(one.figures, other.figures)
    for section, title in SECTIONS.items():
        listing = table(title, "figure", "A", "B", "B - A", "basis")
        for pair in pairs:
            known = pair[0] or pair[1]
            if known is not None and known.section == section:
                listing.add_row(_name(known, several=several), *_both(*pair), _bases(*pair))
        screen.print(listing)
    notes = [basis([one, other], seed)]
    if any(first and second and within_noise(first, second) for first, second in pairs):
        notes.append(
            f"{WITHIN_NOISE.capitalize()}: the 95 % intervals of A and B overlap, so the difference may be chance."
        )
    for note in notes:
        screen.print(f"  {note}", markup=False, soft_wrap=True)


def _both(one: Figure | None, other: Figure | None) -> tuple[str, str, str]:
    first, second = (in_words(figure) if figure else NO_INTERVAL for figure in (one, other))
    if one is None or other is None:
        return first, second, NO_INTERVAL
    difference = shown(float(other.value - one.value), one.unit, signed=True)
    return first, second, f"{difference} ({WITHIN_NOISE})" if within_noise(one, other) else difference


def _bases(one: Figure | None, other: Figure | None) -> str:
    """One word where both have the same."""
    return ", ".join(dict.fromkeys(figure.basis for figure in (one, other) if figure))
