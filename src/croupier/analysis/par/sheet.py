"""The PAR sheet of a game: every paytable on paper as a regulator files it, tied to the rules by digests.

The terminal, the text file and the PDF print one set of words and figures, `in_print`; JSON gives exact values.
`Par` is that of a head-to-head game; `par_blackjack` has blackjack's.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import cached_property
from importlib.resources import files
from typing import Any, Generic, Protocol, TypeVar

import croupier
from croupier.analysis.analyst import counter_of
from croupier.analysis.census import OPTIMAL
from croupier.analysis.figures import Figures
from croupier.analysis.par.laboratory import NO_CONTROL, Control, ReportSection
from croupier.analysis.par.print import (
    METERED,
    ChartInPrint,
    FigureInPrint,
    InPrint,
    PrintedInPrint,
    SheetInPrint,
    StrategyInPrint,
    WagerInPrint,
    as_pdf,
    exact,
    figures_in_print,
    lines_in_print,
    overview_in_print,
    total_in_print,
    visible,
)
from croupier.analysis.par.swings import (
    SWINGS_DEFINED,
    Known,
    Swings,
    confidence_table,
    counted_swings,
    swings_in_print,
    swings_of,
)
from croupier.analysis.printing import fixed, percent
from croupier.analysis.sheet import Sheet, WagerSheet
from croupier.analysis.strategy import ChartRow, Compared
from croupier.games.game import TableGame
from croupier.games.wager import Wager
from croupier.program import program

NO_APPROVAL = "No approval on file names these rules and pays."
DEFINITIONS = (
    ("Combinations", "How many of all possible deals end on a line. All of them are counted, none sampled."),
    ("Probability", "The combinations of a line divided by all combinations; also given as one in so many deals."),
    (
        "Net",
        "What a line brings the player, in units of the first wager; where the stake hangs on choices, the mean of "
        "its deals.",
    ),
    (
        "Return contribution",
        "The player's net result on a line times its probability, in units of the first wager. "
        "The contributions of all lines add up to minus the house edge.",
    ),
    ("House edge", "The house's expected win divided by the player's first wager. Later wagers do not enlarge it."),
    ("Return", "100 % less the house edge: what the player gets back on average of each unit first wagered."),
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
        "The house's expected win divided by all money the player stakes on average, the wagers that follow a "
        "decision included. Where nothing is decided it equals the house edge.",
    ),
    (
        "Digest",
        "SHA-256 over the rules, written down as tables, and over the lines and pays of the paytable. "
        "It changes when a rule or a pay does, and not with the name of a paytable.",
    ),
)


ALWAYS_ASSUMED = (
    "All cards are there, every order of them is as likely as any other, and nobody knows a card before it is shown.",
    "Pays are exact. A table that rounds to its chips pays a little less or more; the house says in whose favor.",
    "Wagers are made before the cards unless the rules of the wager say otherwise, and dealers settle without error.",
)


def software() -> str:
    """The program that made the figures, by the digest of its files."""
    installed = program()
    return f"croupier {installed.version}, SHA-256 of its {installed.files:,} files {installed.digest}"


class Printed(Protocol):
    """A figure that a rule document prints, beside the counted one, as `compliance.printed` finds it."""

    @property
    def game(self) -> str: ...
    @property
    def wager(self) -> str: ...
    @property
    def paytable(self) -> str: ...
    @property
    def decks(self) -> int | None: ...
    @property
    def label(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def strategy(self) -> str: ...
    @property
    def counted(self) -> str: ...
    @property
    def printed(self) -> str: ...
    @property
    def exact(self) -> Fraction: ...
    @property
    def verdict(self) -> str: ...
    @property
    def note(self) -> str: ...
    def as_json(self) -> dict[str, Any]: ...


class Register(Protocol):
    """The approvals on file, as `compliance.approval` reads them: a game claims none by itself."""

    def covering(self, digest: str) -> Sequence[object]:
        """The approvals that name the digest of a wager's rules and pays."""

    def words(self, digests: Iterable[str]) -> str:
        """All that name any of these, or that there is none."""


class AnySheet(Protocol):
    """One wager under one paytable, however it was computed."""

    @property
    def wager(self) -> Wager: ...
    @property
    def paytable_id(self) -> str: ...
    @property
    def strategy(self) -> str | None: ...
    @property
    def digest(self) -> str: ...
    @property
    def decks(self) -> int: ...
    def as_json(self) -> dict[str, Any]: ...


Of = TypeVar("Of", bound=AnySheet)


@dataclass(frozen=True, eq=False)
class AnyPar(ABC, Generic[Of]):
    """The PAR sheet of any game: one sheet for each wager and paytable it covers."""

    game: TableGame
    sheets: tuple[Of, ...]
    register: Register
    findings: tuple[Printed, ...] = ()
    """What is known of printed figures; those of other sheets are left out."""
    control: Control = NO_CONTROL
    """The document's own number, revision and people, where it is one that somebody signs."""
    sections: tuple[ReportSection, ...] = ()
    """What a laboratory adds."""

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the digests of all sheets."""
        parts = [[sheet.wager.key, sheet.digest] for sheet in self.sheets]
        return hashlib.sha256(json.dumps(["croupier par 1", *self._rules(), parts]).encode()).hexdigest()

    def as_json(self) -> dict[str, Any]:
        return {
            "game": self.game.key,
            "title": self.game.title,
            "document": self.game.document,
            "approval": self.approval,
            "version": croupier.__version__,
            "program": program()._asdict(),
            "digest": self.digest,
            **({"control": self.control._asdict()} if self.control != NO_CONTROL else {}),
            "sheets": [sheet.as_json() for sheet in self.sheets],
            "swings": [
                {"wager": sheet.wager.key, "paytable": sheet.paytable_id, **self.swings(sheet).as_json()}
                for sheet in self.sheets
            ],
            "not_covered_by_the_approval": [
                [sheet.wager.key, sheet.paytable_id]
                for sheet in self.sheets
                if not self.register.covering(sheet.digest)
            ],
            "printed": self.printed_as_json(),
            **({"report": {section.key: section.data for section in self.sections}} if self.sections else {}),
        }

    def printed_as_json(self) -> list[dict[str, Any]]:
        """What is printed or published of these sheets, compared with what is counted."""
        return [finding.as_json() for sheet in self.sheets for finding in self._printed(sheet)]

    @cached_property
    def approval(self) -> str:
        """What the register has for the rules and pays of these sheets."""
        return self.register.words(sheet.digest for sheet in self.sheets)

    def as_pdf(self) -> bytes:
        """A document whose bytes are the same each time."""
        return as_pdf(
            files("croupier.analysis.par").joinpath("sheet.typ").read_bytes(),
            {**asdict(self.in_print), "metered": METERED},
        )

    @cached_property
    def in_print(self) -> InPrint:
        """Everything as it is printed."""
        game = self.game
        return InPrint(
            title=game.title,
            version=croupier.__version__,
            document=game.document,
            facts=tuple(self._facts()),
            digest=self.digest,
            digest_of=self._digest_of,
            definitions=tuple(self._definitions()),
            wagers=tuple(
                self._wager_in_print(wager, own)
                for wager in game.wagers
                if (own := [sheet for sheet in self.sheets if sheet.wager is wager])
            ),
            control=tuple(self.control.facts()),
            signatures=tuple(self.control.signatures()),
            sections=tuple(section.printed for section in self.sections),
        )

    def _wager_in_print(self, wager: Wager, own: list[Of]) -> WagerInPrint:
        sheets = tuple(self._with_swings(sheet, self._sheet_in_print(sheet)) for sheet in own)
        counted = [figures for sheet in own if (figures := self._counted(sheet))]
        return WagerInPrint(wager.title, overview_in_print(counted, sheets) if len(counted) > 1 else None, sheets)

    def _with_swings(self, sheet: Of, printed: SheetInPrint) -> SheetInPrint:
        swings = self.swings(sheet)
        figures = (*printed.figures, *swings_in_print(swings))
        return replace(printed, figures=figures, confidence=confidence_table(swings))

    def swings(self, sheet: Of) -> Swings:
        """How the results of a sheet vary."""
        figures = self._counted(sheet)
        if figures is not None:
            return counted_swings(figures, self.game.seats)
        return swings_of(self._results(sheet), self.game.seats, self._known(sheet))

    def _results(self, sheet: Of) -> Iterable[tuple[Fraction, Fraction]]:
        """Of a sheet that is computed and not counted: its net results and their probabilities."""
        raise NotImplementedError

    def _known(self, sheet: Of) -> Known | None:
        """Where those results are sampled: what is known beside them."""
        return None

    def _notice(self, sheet: Of) -> str:
        return "" if self._is_covered(sheet) else NO_APPROVAL

    def _is_covered(self, sheet: Of) -> bool:
        return bool(self.register.covering(sheet.digest))

    def _printed(self, sheet: Of) -> tuple[Printed, ...]:
        """The findings for a sheet: only where it has the very paytable that the document prints them for."""
        place, printed = (self.game.key, sheet.wager.key), self._printed_as(sheet)
        return tuple(
            finding
            for finding in self.findings
            if (finding.game, finding.wager) == place
            and finding.paytable in printed
            and finding.decks in (None, sheet.decks)
            and sheet.strategy in (None, OPTIMAL, finding.strategy)
        )

    def _printed_in_print(self, sheet: Of) -> tuple[PrintedInPrint, ...]:
        return tuple(
            PrintedInPrint(finding.label, finding.printed, finding.counted, str(finding.verdict), _said_by(finding))
            for finding in self._printed(sheet)
        )

    # What depends on the kind of game

    _digest_of = "the digests of all sheets"

    def _rules(self) -> list[str]:
        """What beside its sheets the digest is taken of."""
        return [self.game.key]

    def _definitions(self) -> Iterable[tuple[str, str]]:
        *counted, digest = DEFINITIONS
        return *counted, *SWINGS_DEFINED, digest

    @abstractmethod
    def assumptions(self) -> Iterator[str]:
        """What the figures rest on, a sentence each."""

    @abstractmethod
    def _facts(self) -> Iterator[tuple[str, str]]:
        """What the cover says."""

    @abstractmethod
    def _sheet_in_print(self, sheet: Of) -> SheetInPrint: ...

    @abstractmethod
    def _counted(self, sheet: Of) -> Figures | None:
        """The figures of a sheet whose deals were counted."""

    @abstractmethod
    def _printed_as(self, sheet: Of) -> set[str]:
        """Under which IDs the rule document has this paytable, whatever it is called here."""


def printed_as(sheet: WagerSheet) -> set[str]:
    """The paytables of the rule document that pay the same."""
    return {
        paytable_id
        for paytable_id, paytable in sheet.wager.paytables.items()
        if replace(sheet, paytable=paytable).digest == sheet.digest
    }


@dataclass(frozen=True, eq=False)
class Par(AnyPar[Sheet]):
    """The PAR sheet of a game whose deals were counted."""

    def as_json(self) -> dict[str, Any]:
        form = super().as_json()
        printed = form.pop("printed")
        strategies = [_strategies_as_json(sheet) for sheet in self.sheets if sheet.strategy]
        options = {"options": list(self.game.options_read)} if self.game.options_read else {}
        return form | options | {"strategies": strategies, "printed": printed}

    def _facts(self) -> Iterator[tuple[str, str]]:
        game = self.game
        yield "Rule document", f"{game.document}, {game.title}" if game.document else "none: the rulebook's own page"
        yield "Approval", self.approval
        yield from counter_of(game).cover()
        for option in game.options_read:
            yield "House option", f"{option}: {game.options[option]}"
        strategies = sorted({sheet.strategy for sheet in self.sheets if sheet.strategy})
        if strategies:
            yield "Strategy", " and ".join(map(_strategy_in_words, strategies))
        yield "Method", "exact: all deals are counted in whole numbers, and figures are rounded only in print"
        yield "Software", software()

    def assumptions(self) -> Iterator[str]:
        decks = self.game.decks
        yield f"Every round is dealt from a fully shuffled {'deck' if decks == 1 else f'shoe of {decks} decks'}."
        yield from ALWAYS_ASSUMED
        if any(sheet.strategy for sheet in self.sheets):
            yield "Players decide by the strategy that the sheet names; others cost what the comparison says."

    def _sheet_in_print(self, sheet: Sheet) -> SheetInPrint:
        figures = sheet.figures
        compared, chart = sheet.strategies
        hands = Counter[str]()  # by street: shares are of the hands that are decided there
        for row in chart:
            hands[row.street] += row.hands
        return SheetInPrint(
            wager=sheet.wager.title,
            paytable=visible(sheet.paytable_id),
            digest=sheet.digest,
            notice=self._notice(sheet),
            basis=counter_of(sheet.game).basis(sheet.wager, figures.deals),
            strategy=_strategy_in_words(sheet.strategy) if sheet.strategy else "",
            lines=lines_in_print(figures),
            total=total_in_print(figures),
            figures=tuple(_figures(sheet)),
            printed=self._printed_in_print(sheet),
            strategies=tuple(map(_strategy, compared)),
            chart=tuple(_chart_row(row, hands[row.street]) for row in chart),
            notes=tuple(f"{row}: {words}." for row, words in sheet.wager.footnotes(figures.prices).items()),
        )

    def _counted(self, sheet: Sheet) -> Figures:
        return sheet.figures

    def _printed_as(self, sheet: Sheet) -> set[str]:
        return printed_as(sheet)


def make_par(game: TableGame, sheets: Iterable[Sheet], register: Register, findings: Iterable[Printed] = ()) -> Par:
    """Put the sheets of a game together, in the order of its wagers."""
    order = {wager.key: place for place, wager in enumerate(game.wagers)}
    return Par(game, tuple(sorted(sheets, key=lambda sheet: order[sheet.wager.key])), register, tuple(findings))


def _strategies_as_json(sheet: Sheet) -> dict[str, Any]:
    compared, chart = sheet.strategies
    return {
        "wager": sheet.wager.key,
        "paytable": sheet.paytable_id,
        "strategies": [strategy.as_json() for strategy in compared],
        "chart": [row.as_json() for row in chart],
    }


# What is printed


def _said_by(printed: Printed) -> str:
    """Who published it, where it was not the rule document; and the note."""
    return " ".join(filter(None, (f"Published at {printed.source}." if printed.source else "", printed.note)))


def _figures(sheet: Sheet) -> Iterator[FigureInPrint]:
    yield from figures_in_print(sheet.figures)
    if sheet.strategy:
        risk, staked = sheet.figures.element_of_risk, sheet.figures.staked
        yield FigureInPrint("Element of risk", percent(risk, 6), exact(risk))
        yield FigureInPrint("Mean staked", fixed(staked, 6), exact(staked))


def _chart_row(row: ChartRow, hands: int) -> ChartInPrint:
    return ChartInPrint(
        row.kind,
        row.action,
        f"{row.hands:,}",
        percent(Fraction(row.hands, hands), 3),
        fixed(row.value, 6, signed=True),
        float(row.value),
    )


def _strategy(compared: Compared) -> StrategyInPrint:
    return StrategyInPrint(
        compared.name,
        percent(compared.figures.house_edge, 6),
        percent(compared.figures.element_of_risk, 6),
        fixed(compared.figures.staked, 6),
        percent(compared.figures.hit_frequency, 6),
        percent(compared.cost, 6),
        f"{compared.hands_worse:,} of {compared.hands:,}",
    )


def _strategy_in_words(strategy: str) -> str:
    if strategy == OPTIMAL:
        return "optimal (with each hand the choice that has the highest expected result)"
    return f"{strategy} (a named strategy of the game)"
