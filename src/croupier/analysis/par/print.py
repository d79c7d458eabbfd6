"""A PAR sheet in words and rounded figures: what the terminal, the text file and the PDF all print."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from typing import Any

from croupier.analysis.figures import Figures, Line
from croupier.analysis.printing import fixed, percent

SIGNIFICANT_DIGITS = 10
METERED = (
    "The house edge of a progressive is that of one wager while its meters stand as they are priced; the hold is what "
    "the house keeps in the long run."
)


@dataclass(frozen=True)
class LineInPrint:
    line: str
    pays: str
    net: str
    combinations: str
    """Nothing where they are not counted."""
    probability: str
    one_in: str
    contribution: str
    bar: float
    """The contribution, for the picture; `bar_text` is what stands beside it."""
    bar_text: str


@dataclass(frozen=True)
class FigureInPrint:
    name: str
    value: str
    exact: str


@dataclass(frozen=True)
class PrintedInPrint:
    label: str
    printed: str
    counted: str
    verdict: str
    note: str


@dataclass(frozen=True)
class StrategyInPrint:
    name: str
    house_edge: str
    element_of_risk: str
    mean_staked: str
    hit_frequency: str
    cost: str
    hands_worse: str


@dataclass(frozen=True)
class ChartInPrint:
    kind: str
    action: str
    hands: str
    share: str
    value: str
    bar: float


@dataclass(frozen=True)
class TableInPrint:
    """A table that only some sheets have: words first, then numbers."""

    title: str
    columns: tuple[str, ...]
    words: int
    """How many columns are words."""
    rows: tuple[tuple[str, ...], ...]
    total: bool = False
    """Whether the last row sums the others up."""
    note: str = ""


@dataclass(frozen=True)
class GridInPrint:
    """A strategy as a chart of cells; the letters alone say everything, shades repeat it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """A name and a cell for each column."""
    sections: tuple[int, ...]
    """The rows that begin another kind of hand."""
    legend: tuple[tuple[str, str], ...]
    """Each letter that occurs, and what it says."""
    note: str


@dataclass(frozen=True)
class SheetInPrint:
    wager: str
    paytable: str
    digest: str
    notice: str
    """What stands against relying on the approval; empty where the paytable is an approved one."""
    basis: str
    strategy: str
    lines: tuple[LineInPrint, ...]
    total: LineInPrint
    figures: tuple[FigureInPrint, ...]
    """House edge, return, hit frequency and standard deviation first."""
    printed: tuple[PrintedInPrint, ...]
    strategies: tuple[StrategyInPrint, ...] = ()
    chart: tuple[ChartInPrint, ...] = ()
    notes: tuple[str, ...] = ()
    """What must be known to read the figures right."""
    tables: tuple[TableInPrint, ...] = ()
    grid: GridInPrint | None = None
    confidence: TableInPrint | None = None
    """Of the hold, by rounds."""
    hold: str = ""
    priced_at: str = ""
    """Of a progressive: what the house keeps in the long run, and what its meters stand at for the printed edge."""


@dataclass(frozen=True)
class OverviewInPrint:
    """The paytables of one wager side by side."""

    paytables: tuple[str, ...]
    pays: tuple[tuple[str, ...], ...]
    """For each way the wager can end: its name, its combinations, and what each paytable pays."""
    figures: tuple[tuple[str, ...], ...]
    """For each paytable: house edge, return, hit frequency, standard deviation."""
    bars: tuple[float, ...]
    """The house edges in percent, for the picture."""


@dataclass(frozen=True)
class WagerInPrint:
    title: str
    overview: OverviewInPrint | None
    sheets: tuple[SheetInPrint, ...]


@dataclass(frozen=True)
class SectionInPrint:
    """What a laboratory adds to the sheets: words first, then tables."""

    title: str
    words: tuple[str, ...]
    tables: tuple[TableInPrint, ...]


@dataclass(frozen=True)
class InPrint:
    """A PAR sheet in words and rounded figures."""

    title: str
    version: str
    document: str
    facts: tuple[tuple[str, str], ...]
    digest: str
    digest_of: str
    """What it is taken of, in words."""
    definitions: tuple[tuple[str, str], ...]
    wagers: tuple[WagerInPrint, ...]
    control: tuple[tuple[str, str], ...] = ()
    """Of the document itself: its number, its revision, its date."""
    signatures: tuple[tuple[str, str], ...] = ()
    """Who signs it: as what, and by which name where it is known."""
    sections: tuple[SectionInPrint, ...] = ()


# Counted lines and figures


def lines_in_print(figures: Figures) -> tuple[LineInPrint, ...]:
    return tuple(map(_line, figures.lines))


def _line(line: Line) -> LineInPrint:
    return LineInPrint(
        visible(line.line),
        visible(line.pays),
        net_result(line.net),
        f"{line.combinations:,}",
        significant(line.probability),
        one_in(line.probability),
        fixed(line.contribution, 10, signed=True),
        float(line.contribution),
        fixed(line.contribution, 4, signed=True),
    )


def total_in_print(figures: Figures) -> LineInPrint:
    """The sums of the lines, which must be one and minus the house edge to the last digit."""
    combinations = sum(line.combinations for line in figures.lines)
    probability = sum((line.probability for line in figures.lines), Fraction(0))
    contribution = sum((line.contribution for line in figures.lines), Fraction(0))
    assert combinations == figures.deals, "every deal is on one line"
    assert (probability, contribution) == (Fraction(1), -figures.house_edge), "the lines add up to the whole"
    return LineInPrint(
        "Total",
        "",
        "",
        f"{combinations:,}",
        str(probability),
        "",
        fixed(contribution, 10, signed=True),
        float(contribution),
        fixed(contribution, 4, signed=True),
    )


def figures_in_print(figures: Figures, hit_frequency: Fraction | None = None) -> Iterator[FigureInPrint]:
    """What every counted wager has; where a share of a meter is a hit too, the hit frequency is given."""
    hits = figures.hit_frequency if hit_frequency is None else hit_frequency
    yield FigureInPrint("House edge", percent(figures.house_edge, 6), exact(figures.house_edge))
    yield FigureInPrint("Return", percent(1 - figures.house_edge, 6), "")
    yield FigureInPrint("Hit frequency", percent(hits, 6), exact(hits))
    yield FigureInPrint("Standard deviation", f"{figures.standard_deviation:,.6f}", "")
    yield FigureInPrint("Variance", fixed(figures.variance, 6), exact(figures.variance))


def overview_in_print(figures: Sequence[Figures], sheets: Sequence[SheetInPrint]) -> OverviewInPrint:
    """The paytables of one wager side by side."""
    return OverviewInPrint(
        tuple(sheet.paytable for sheet in sheets),
        tuple(
            (
                outcome.label,
                _together(figure.counts.get(outcome, 0) for figure in figures),
                *(", ".join(map(str, figure.prices[outcome].pays)) for figure in figures),
            )
            for outcome in dict.fromkeys(outcome for figure in figures for outcome in figure.counts)
        ),
        tuple(tuple(figure.value for figure in sheet.figures[:4]) for sheet in sheets),
        tuple(float(figure.house_edge * 100) for figure in figures),
    )


def _together(counts: Iterable[int]) -> str:
    """One count, where all paytables have the same: with decisions the best strategy may change with the pays."""
    numbers = set(counts)
    return f"{numbers.pop():,}" if len(numbers) == 1 else "vary"


# Numbers and names as people read them


def exact(value: Fraction) -> str:
    """The fraction, where it says more than the decimals do."""
    return "" if value.denominator == 1 else str(value)


def significant(value: Fraction, digits: int = SIGNIFICANT_DIGITS) -> str:
    """To ten significant digits, without an exponent: `0.000009234463016`."""
    if not value:
        return "0"
    context = Context(prec=digits, rounding=ROUND_HALF_UP)
    rounded = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    return f"{rounded:.{digits - 1 - rounded.adjusted()}f}"


def one_in(probability: Fraction) -> str:
    """How many deals it takes on average to see a line once: `6.811`, `108,290`."""
    if not probability:
        return "never"
    deals = 1 / probability
    places = 3 if deals < 100 else 1
    return fixed(deals, places) if deals < 10_000 else f"{round(deals):,}"


def net_result(net: Fraction) -> str:
    """What a line brings, in units of the first wager, to four places at most: `+5`, `+0.95`, `-1`, `0`."""
    if not net:
        return "0"
    return fixed(net, 4, signed=True).rstrip("0").removesuffix(".")


def visible(name: str) -> str:
    """A name somebody wrote, with nothing in it that would move a cursor or hide."""
    return "".join(c if c.isprintable() else " " if c.isspace() else f"<U+{ord(c):04X}>" for c in name)


# On paper

_NOT_IN_FONTS = re.compile("[^\u0020-\u04ff\u2010-\u205e\u20a0-\u20bf\u2190-\u22ff\u2500-\u262f\u2638-\u266f]")
"""Characters that the fonts which typst brings cannot show."""


def as_pdf(template: bytes, content: dict[str, Any]) -> bytes:
    """A document whose bytes are the same each time, and do not depend on the machine that made it."""
    import typst

    text = json.dumps(content, ensure_ascii=False)
    return typst.compile(
        template,
        format="pdf",
        ignore_system_fonts=True,
        sys_inputs={"content": _NOT_IN_FONTS.sub(lambda match: f"<U+{ord(match[0]):04X}>", text)},
        pdf_standards="ua-1",
    )
