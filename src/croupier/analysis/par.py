"""The PAR sheet of a game: every paytable on paper as a regulator files it, tied to the rules by digests.

The terminal, the text file and the PDF print one set of words and figures, `Par.in_print`; JSON gives exact values.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from functools import cached_property
from importlib.resources import files
from math import comb
from typing import Any, Protocol

import croupier
from croupier.analysis.census import OPTIMAL, take_census
from croupier.analysis.figures import Figures, Line
from croupier.analysis.printing import fixed, percent
from croupier.analysis.sheet import Sheet
from croupier.analysis.strategy import ChartRow, Compared, compare_strategies, strategy_chart
from croupier.games.game import Game
from croupier.games.tabulate import wager_digest
from croupier.games.wager import AgainstDealer, OnHand, Wager

APPROVAL = "Washington State Gambling Commission submission #3119, 14 June 2023"
SIGNIFICANT_DIGITS = 10
DEFINITIONS = (
    ("Combinations", "How many of all possible deals end on a line. They are counted one and all, not sampled."),
    ("Probability", "The combinations of a line divided by all combinations; also given as one in so many deals."),
    (
        "Return contribution",
        "The player's net result on a line times its probability, in units of the first wager. "
        "The contributions of all lines add up to minus the house edge.",
    ),
    ("House edge", "The house's expected win divided by the player's first wager. Later wagers do not enlarge it."),
    ("Return", "100 % less the house edge: what the player gets back in the mean of each unit first wagered."),
    (
        "Hit frequency",
        "How often the player wins something in all: the share of deals whose net result, over every spot of the "
        "wager together, is above zero. A push is no hit.",
    ),
    (
        "Standard deviation",
        "The square root of the variance of one deal's net result, in units of the first wager.",
    ),
    (
        "Element of risk",
        "The house's expected win divided by all money the player stakes in the mean, the wagers that follow a "
        "decision included. Where nothing is decided it equals the house edge.",
    ),
    (
        "Digest",
        "SHA-256 over the rules, written down as tables, and over the lines and pays of the paytable. "
        "It changes when a rule or a pay does, and not with the name of a paytable.",
    ),
)


class Printed(Protocol):
    """A figure that a rule document prints, beside the counted one, as `compliance.printed` finds it."""

    @property
    def game(self) -> str: ...
    @property
    def wager(self) -> str: ...
    @property
    def paytable(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def printed(self) -> str: ...
    @property
    def exact(self) -> Fraction: ...
    @property
    def verdict(self) -> str: ...
    @property
    def note(self) -> str: ...
    def as_json(self) -> dict[str, Any]: ...


@dataclass(frozen=True, eq=False)
class Par:
    """The PAR sheet of a game: one sheet for each wager and paytable it covers."""

    game: Game
    sheets: tuple[Sheet, ...]
    findings: tuple[Printed, ...] = ()
    """What is known of printed figures; those of other sheets are left out."""

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the digests of all sheets."""
        parts = [[sheet.wager.key, sheet.digest] for sheet in self.sheets]
        return hashlib.sha256(json.dumps(["croupier par 1", self.game.key, parts]).encode()).hexdigest()

    def as_json(self) -> dict[str, Any]:
        return {
            "game": self.game.key,
            "title": self.game.title,
            "document": self.game.document,
            "approval": APPROVAL,
            "version": croupier.__version__,
            "digest": self.digest,
            "sheets": [sheet.as_json() for sheet in self.sheets],
            "not_covered_by_the_approval": [
                [sheet.wager.key, sheet.paytable_id] for sheet in self.sheets if not _approved_as(sheet)
            ],
            "strategies": [_strategies_as_json(sheet) for sheet in self.sheets if sheet.strategy],
            "printed": [each.as_json() for sheet in self.sheets for each in self._printed(sheet)],
        }

    def as_pdf(self) -> bytes:
        """A document whose bytes are the same each time."""
        import typst

        template = files("croupier.analysis").joinpath("par.typ").read_bytes()
        content = json.dumps(asdict(self.in_print), ensure_ascii=False)
        return typst.compile(
            template,
            format="pdf",
            ignore_system_fonts=True,  # a document must not depend on the machine that made it
            sys_inputs={"content": _NOT_IN_FONTS.sub(_code_point, content)},
            pdf_standards="ua-1",
        )

    @cached_property
    def in_print(self) -> InPrint:
        """Everything as it is printed."""
        game = self.game
        wagers = [(w, [s for s in self.sheets if s.wager is w]) for w in game.wagers]
        return InPrint(
            title=game.title,
            version=croupier.__version__,
            document=game.document,
            facts=tuple(self._facts()),
            digest=self.digest,
            definitions=DEFINITIONS,
            wagers=tuple(
                WagerInPrint(
                    wager.title,
                    _overview(own) if len(own) > 1 else None,
                    tuple(_in_print(sheet, self._printed(sheet)) for sheet in own),
                )
                for wager, own in wagers
                if own
            ),
        )

    def _facts(self) -> Iterator[tuple[str, str]]:
        game = self.game
        cards = 4 * len(game.ranks)
        yield "Rule document", f"{game.document}, {game.title}"
        yield "Approval", APPROVAL
        yield "Deck", f"one deck of {cards} cards, four suits of {len(game.ranks)} ranks, no jokers"
        yield (
            "Packets",
            f"{game.packet_cards} cards to each of up to {game.seats} seats and {game.packet_cards} to the dealer",
        )
        strategies = sorted({sheet.strategy for sheet in self.sheets if sheet.strategy})
        if strategies:
            yield "Strategy", " and ".join(map(_strategy_in_words, strategies))
        yield "Method", "exact: all deals are counted in whole numbers, and figures are rounded only in print"
        yield "Software", f"croupier {croupier.__version__}"

    def _printed(self, sheet: Sheet) -> tuple[Printed, ...]:
        """The findings for a sheet: only where it has the very paytable that the document prints them for."""
        if sheet.strategy not in (None, OPTIMAL):
            return ()
        place, approved = (sheet.game.key, sheet.wager.key), _approved_as(sheet)
        return tuple(each for each in self.findings if (each.game, each.wager) == place and each.paytable in approved)


def make_par(game: Game, sheets: Iterable[Sheet], findings: Iterable[Printed] = ()) -> Par:
    """Put the sheets of a game together, in the order of its wagers."""
    order = {wager.key: place for place, wager in enumerate(game.wagers)}
    return Par(game, tuple(sorted(sheets, key=lambda sheet: order[sheet.wager.key])), tuple(findings))


def _approved_as(sheet: Sheet) -> set[str]:
    """Under which IDs the rule document has this paytable, whatever it is called here."""
    return {
        paytable_id
        for paytable_id, paytable in sheet.wager.paytables.items()
        if wager_digest(sheet.game, sheet.wager, paytable) == sheet.digest
    }


def _strategies_as_json(sheet: Sheet) -> dict[str, Any]:
    compared, chart = _strategies(sheet)
    return {
        "wager": sheet.wager.key,
        "paytable": sheet.paytable_id,
        "strategies": [each.as_json() for each in compared],
        "chart": [row.as_json() for row in chart],
    }


def _strategies(sheet: Sheet) -> tuple[tuple[Compared, ...], tuple[ChartRow, ...]]:
    census = take_census(sheet.game, sheet.wager)
    prices = sheet.figures.prices
    return compare_strategies(census, prices), strategy_chart(census, prices) if sheet.game.chart else ()


# What is printed


@dataclass(frozen=True)
class LineInPrint:
    line: str
    pays: str
    net: str
    combinations: str
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
    printed: tuple[PrintedInPrint, ...]
    strategies: tuple[StrategyInPrint, ...]
    chart: tuple[ChartInPrint, ...]


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
class InPrint:
    """A PAR sheet in words and rounded figures."""

    title: str
    version: str
    document: str
    facts: tuple[tuple[str, str], ...]
    digest: str
    definitions: tuple[tuple[str, str], ...]
    wagers: tuple[WagerInPrint, ...]


def _in_print(sheet: Sheet, findings: Iterable[Printed]) -> SheetInPrint:
    figures = sheet.figures
    compared, chart = _strategies(sheet) if sheet.strategy else ((), ())
    hands = sum(row.hands for row in chart)
    uncovered = f"Not a paytable of rule document {sheet.game.document}: the approval does not cover it."
    return SheetInPrint(
        wager=sheet.wager.title,
        paytable=_visible(sheet.paytable_id),
        digest=sheet.digest,
        notice="" if _approved_as(sheet) else uncovered,
        basis=_basis(sheet.game, sheet.wager, figures.deals),
        strategy=_strategy_in_words(sheet.strategy) if sheet.strategy else "",
        lines=tuple(map(_line, figures.lines)),
        total=_total(figures),
        figures=tuple(_figures(sheet)),
        printed=tuple(
            PrintedInPrint(each.label, each.printed, percent(each.exact, 4), str(each.verdict), each.note)
            for each in findings
        ),
        strategies=tuple(map(_strategy, compared)),
        chart=tuple(
            ChartInPrint(
                row.kind,
                row.action,
                f"{row.hands:,}",
                percent(Fraction(row.hands, hands), 3),
                fixed(row.value, 6, signed=True),
                float(row.value),
            )
            for row in chart
        ),
    )


def _line(line: Line) -> LineInPrint:
    return LineInPrint(
        _visible(line.line),
        _visible(line.pays),
        net_result(line.net),
        f"{line.combinations:,}",
        significant(line.probability),
        one_in(line.probability),
        fixed(line.contribution, 10, signed=True),
        float(line.contribution),
        fixed(line.contribution, 4, signed=True),
    )


def _total(figures: Figures) -> LineInPrint:
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


def _figures(sheet: Sheet) -> Iterator[FigureInPrint]:
    figures = sheet.figures
    yield FigureInPrint("House edge", percent(figures.house_edge, 6), _exact(figures.house_edge))
    yield FigureInPrint("Return", percent(1 - figures.house_edge, 6), "")
    yield FigureInPrint("Hit frequency", percent(figures.hit_frequency, 6), _exact(figures.hit_frequency))
    yield FigureInPrint("Standard deviation", f"{figures.standard_deviation:,.6f}", "")
    yield FigureInPrint("Variance", fixed(figures.variance, 6), _exact(figures.variance))
    if sheet.strategy:
        yield FigureInPrint("Element of risk", percent(figures.element_of_risk, 6), _exact(figures.element_of_risk))
        yield FigureInPrint("Mean staked", fixed(figures.staked, 6), _exact(figures.staked))


def _exact(value: Fraction) -> str:
    """The fraction, where it says more than the decimals do."""
    return "" if value.denominator == 1 else str(value)


def _strategy(each: Compared) -> StrategyInPrint:
    return StrategyInPrint(
        each.name,
        percent(each.figures.house_edge, 6),
        percent(each.figures.element_of_risk, 6),
        fixed(each.figures.staked, 6),
        percent(each.figures.hit_frequency, 6),
        percent(each.cost, 6),
        f"{each.hands_worse:,}",
    )


def _strategy_in_words(strategy: str) -> str:
    if strategy == OPTIMAL:
        return "optimal (with each hand the choice that has the highest expected result)"
    return f"{strategy} (a named strategy of the game)"


def _basis(game: Game, wager: Wager, deals: int) -> str:
    """Which deals were counted, so that a reader can check their number."""
    cards, packet = 4 * len(game.ranks), game.packet_cards
    if isinstance(wager.basis, OnHand):
        size = wager.basis.reading.size
        assert deals == comb(cards, size)
        whose = "player and dealer can hold together" if wager.basis.with_dealer else "the player can hold"
        return f"Counted over all C({cards}, {size}) = {deals:,} sets of {size} cards that {whose}."
    assert isinstance(wager.basis, AgainstDealer)
    seat, dealer = comb(cards, packet), comb(cards - packet, wager.basis.dealer.size)
    assert deals == seat * dealer
    return (
        f"Counted over all {deals:,} deals: C({cards}, {packet}) = {seat:,} hands of the player times "
        f"C({cards - packet}, {wager.basis.dealer.size}) = {dealer:,} of the dealer."
    )


def _overview(sheets: list[Sheet]) -> OverviewInPrint:
    return OverviewInPrint(
        tuple(_visible(sheet.paytable_id) for sheet in sheets),
        tuple(
            (
                outcome.label,
                _together(sheet.figures.counts[outcome] for sheet in sheets),
                *(", ".join(map(str, sheet.figures.prices[outcome].pays)) for sheet in sheets),
            )
            for outcome in sheets[0].wager.outcomes
        ),
        tuple(
            (
                percent(sheet.figures.house_edge, 6),
                percent(1 - sheet.figures.house_edge, 6),
                percent(sheet.figures.hit_frequency, 6),
                f"{sheet.figures.standard_deviation:,.6f}",
            )
            for sheet in sheets
        ),
        tuple(float(sheet.figures.house_edge * 100) for sheet in sheets),
    )


def _together(counts: Iterable[int]) -> str:
    """One count, where all paytables have the same: with decisions the best strategy may change with the pays."""
    found = set(counts)
    return f"{found.pop():,}" if len(found) == 1 else "vary"


# Numbers and names as people read them


def significant(value: Fraction, digits: int = SIGNIFICANT_DIGITS) -> str:
    """To ten significant digits, without an exponent: `0.000009234463016`."""
    if not value:
        return "0"
    context = Context(prec=digits, rounding=ROUND_HALF_UP)
    rounded = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    return f"{rounded:.{digits - 1 - rounded.adjusted()}f}"


def one_in(probability: Fraction) -> str:
    """How many deals it takes in the mean to see a line once: `6.811`, `108,290`."""
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


_NOT_IN_FONTS = re.compile("[^\u0020-\u04ff\u2010-\u205e\u20a0-\u20bf\u2190-\u22ff\u2500-\u262f\u2638-\u266f]")
"""Characters that the fonts which typst brings cannot show."""


def _code_point(match: re.Match[str]) -> str:
    return f"<U+{ord(match[0]):04X}>"


def _visible(name: str) -> str:
    """A name somebody wrote, with nothing in it that would move a cursor or hide."""
    return "".join(c if c.isprintable() else " " if c.isspace() else f"<U+{ord(c):04X}>" for c in name)
