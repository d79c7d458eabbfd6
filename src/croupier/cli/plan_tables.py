"""How a plan is shown: tables for people, one or two plans; a list of figures for programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from croupier.analysis.meter_figures import SECTIONS, Basis, Figure
from croupier.analysis.meter_plan import PPM, MeterPlan
from croupier.analysis.meter_record import differences, within_noise
from croupier.analysis.printing import percent
from croupier.cli.console import console, table
from croupier.games.money import dollars

if TYPE_CHECKING:
    from croupier.analysis.meter_record import Planned
    from croupier.analysis.meter_warnings import Caution

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
    by_section = {name: [each for each in planned.figures if each.section == name] for name in SECTIONS}
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
    for each in cautions:
        word, style = ("hint", "cyan") if each.hint else ("warning", "yellow")
        screen.print(f"  {word}: {each.sentence} ({each.paragraph})", style=style, markup=False, soft_wrap=True)
    if cautions:
        screen.print()


def basis(planned: Sequence[Planned], seed: int) -> str:
    """What was played; two plans that were played alike are told once."""
    played = [_played(each) for each in planned]
    alike = len(set(played)) == 1
    what = played[0] if alike else "; ".join(f"{letter}: {each}" for letter, each in zip("AB", played, strict=True))
    each_ = " for each plan" if alike and len(planned) > 1 else ""
    return (
        f"Simulated: {what}{each_}, seed {seed}; intervals hold with about 95 % confidence. "
        "Wagers are taken as independent; two awards in one round are counted exactly."
    )


def _played(planned: Planned) -> str:
    """`10,000 periods and 10,000 cycles of each meter`."""
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
    for each in figures:
        listing.add_row(_name(each, several=several), in_words(each), each.basis, interval(each))
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
            *(shown(float(each.value), each.unit) for each in four),
            four[0].basis,
        )
    console().print(listing)


def _print_laws(at_hit: list[Figure], restart: list[Figure], *, several: bool) -> None:
    for meter in dict.fromkeys(each.meter for each in at_hit):
        title = f"{meter}: at a 100 % award, and after it" if several else "The meter at a 100 % award, and after it"
        listing = table(title, "", "at the award", "basis", "95 % interval", "restarts at", "basis")
        rows = zip(
            (each for each in at_hit if each.meter == meter),
            (each for each in restart if each.meter == meter),
            strict=True,
        )
        for hit, after in rows:
            listing.add_row(hit.title, in_words(hit), hit.basis, interval(hit), in_words(after), after.basis)
        console().print(listing)


# Two plans


def print_comparison(one: Planned, other: Planned, seed: int) -> None:
    screen = console()
    for letter, each in (("A", one), ("B", other)):
        first, *rest = headline(each.plan)
        screen.print(f"{letter}: {each.name}: {first}", markup=False, soft_wrap=True)
        for line in rest[:-1]:
            screen.print(line, markup=False, soft_wrap=True)
        print_cautions(each.cautions)
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
    first, second = (in_words(each) if each else NO_INTERVAL for each in (one, other))
    if one is None or other is None:
        return first, second, NO_INTERVAL
    difference = shown(float(other.value - one.value), one.unit, signed=True)
    return first, second, f"{difference} ({WITHIN_NOISE})" if within_noise(one, other) else difference


def _bases(one: Figure | None, other: Figure | None) -> str:
    """One word where both have the same."""
    return ", ".join(dict.fromkeys(each.basis for each in (one, other) if each))
