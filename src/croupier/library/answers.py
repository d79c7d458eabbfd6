"""Answers that a notebook shows: figures as fractions, tables as rows, pictures as objects.

Rows are lists of plain dictionaries, which `pandas.DataFrame(rows)` and `polars.DataFrame(rows)` take as they are.
Where a figure is exact, its row has it twice: as a number, and as the text of its fraction (`probability_exact`).
"""

from __future__ import annotations

import html
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from croupier.errors import NotationError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from croupier.analysis.par.sheet import AnyPar

Row = dict[str, Any]
Exact = Fraction | float
"""A fraction where it was counted; a float where it was computed (the Bet of blackjack) or sampled."""
LARGEST_INTEGER = 2**63 - 1
"""What a column of integers holds."""
SHOWN_PLACES = 6


@dataclass(frozen=True)
class Table(Sequence[Row]):
    """Rows with a title: a sequence of dictionaries, which pandas and polars take; a notebook shows it as a table."""

    title: str
    """What the rows are about."""
    rows: Sequence[Row] = field(repr=False)
    """The dictionaries themselves."""

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | Sequence[Row]:
        return self.rows[place]

    def _repr_html_(self) -> str:
        return _table_in_html(self.title, self.rows)


@dataclass(frozen=True)
class Plot:
    """A picture: `figure` is matplotlib's, to be changed; `save` writes it; a notebook shows it."""

    figure: Figure = field(repr=False)
    """The figure of matplotlib."""
    title: str = ""
    """What is drawn."""

    def save(self, file: str | Path) -> None:
        """As .png, .svg or .pdf, by the name of the file; the same results give the same bytes."""
        from croupier.analysis.plots import save

        save(self.figure, Path(file))

    def _repr_svg_(self) -> str:
        page = io.StringIO()
        self.figure.savefig(page, format="svg", metadata={"Date": None})
        return page.getvalue()


@dataclass(frozen=True)
class Sweep(Table):
    """A wager while one of its pays changes: a row a value."""

    _plot: Any = field(repr=False)

    def plot(self) -> Plot:
        """The house edge over what is varied."""
        return Plot(self._plot(), self.title)


@dataclass(frozen=True)
class Odds:
    """A wager under one paytable, as `croupier odds` tells programs."""

    game: str
    """The game's name, as `croupier.game` takes it."""
    wager: str
    """The wager's name."""
    paytable: str
    """The paytable's ID; `own` where it is your own."""
    strategy: str | None
    """How the player decides; None where there is nothing to decide."""
    house_edge: Exact
    """What the house keeps on average, per unit of the first wager."""
    hit_frequency: Exact
    """How often the wager wins."""
    standard_deviation: float
    """Of one round's result, per unit of the first wager."""
    digest: str
    """SHA-256 over rules and pays: the same game has the same digest."""
    rows: Sequence[Row] = field(repr=False)
    """A line of the paytable each: combinations, probability, what it pays and what it adds to the result."""
    more: Mapping[str, Any] = field(repr=False)
    """The whole answer for programs: also what only some wagers have, as `hold` and `break_even_meter`."""

    @classmethod
    def read(cls, answer: Mapping[str, Any]) -> Odds:
        """From the answer of an analyst."""
        return cls(
            *(answer["game"], answer["wager"], answer["paytable"], answer["strategy"]),
            *(exact(answer["house_edge"]), exact(answer["hit_frequency"]), answer["standard_deviation"]),
            *(answer["digest"], _lines(answer["lines"]), answer),
        )

    @property
    def expected(self) -> Exact:
        """The player's expected result per unit of the first wager."""
        return -self.house_edge

    @property
    def variance(self) -> Exact:
        """Of one round's result, per unit of the first wager."""
        variance = self.more.get("variance")
        return Fraction(variance) if variance else self.standard_deviation**2

    @property
    def element_of_risk(self) -> Exact:
        """The house edge per unit of all money at stake; the house edge itself where nothing is decided."""
        risk = self.more.get("element_of_risk")
        return exact(risk) if risk else self.house_edge

    @property
    def hold(self) -> Exact | None:
        """Of a progressive whose funding is known: what the house keeps in the long run."""
        return exact(self.more["hold"]) if "hold" in self.more else None

    def plot(self) -> Plot:
        """What each line adds to the player's expected result."""
        from croupier.analysis.plots import ACCENT, INK, picture

        title = f"{self.game}, {self.wager}, paytable {self.paytable}: house edge {_percent(self.house_edge)}"
        figure, [axes] = picture(title, height_inches=1.2 + 0.32 * len(self.rows))
        worth = [float(row["return"]) for row in self.rows]
        axes.barh(range(len(worth)), worth, color=[INK if units > 0 else ACCENT for units in worth])
        axes.set_yticks(range(len(worth)), [str(row["line"]) for row in self.rows])
        axes.invert_yaxis()
        axes.set_xlabel("adds to the player's result, in units of the first wager")
        return Plot(figure, title)

    def _repr_html_(self) -> str:
        title = f"{self.game}, {self.wager}, paytable {self.paytable}"
        figures = {
            "house edge": _percent(self.house_edge),
            "hit frequency": _percent(self.hit_frequency),
            "standard deviation": f"{self.standard_deviation:.{SHOWN_PLACES}f}",
            **({"strategy": self.strategy} if self.strategy else {}),
            **({"hold": _percent(self.hold)} if self.hold is not None else {}),
            "digest": self.digest,
        }
        return _table_in_html(title, self.rows) + _table_in_html("", [figures])


class AllOdds(list[Odds]):
    """A wager under each of its paytables: a list, which shows itself as a table."""

    @property
    def rows(self) -> list[Row]:
        """A paytable each."""
        return [
            {
                "paytable": odds.paytable,
                "house_edge": float(odds.house_edge),
                "house_edge_exact": str(odds.house_edge),
                "hit_frequency": float(odds.hit_frequency),
                "standard_deviation": odds.standard_deviation,
            }
            for odds in self
        ]

    def _repr_html_(self) -> str:
        return _table_in_html(f"{self[0].game}, {self[0].wager}" if self else "", self.rows)


@dataclass(frozen=True)
class Decisions:
    """What every decision with a hand is worth, the best first."""

    hand: str
    """The cards, and what is known of the dealer's."""
    rows: Sequence[Row] = field(repr=False)
    """`decision`, `value` and `cost`, per unit of the first wager; fractions too where they are exact."""

    @property
    def best(self) -> str:
        """The decision that is worth most."""
        return str(self.rows[0]["decision"])

    @property
    def values(self) -> dict[str, Exact]:
        """By decision; a fraction where it is exact."""
        exactly = ((row["decision"], row.get("value_exact"), row["value"]) for row in self.rows)
        return {decision: value if text is None else Fraction(text) for decision, text, value in exactly}

    def _repr_html_(self) -> str:
        return _table_in_html(self.hand, self.rows)


@dataclass(frozen=True)
class Sampled:
    """A simulation, as `croupier simulate` tells programs: every figure is sampled, and has its interval."""

    rounds: int
    """How many were played."""
    random_seed: int
    """The same seed gives the same rounds."""
    confidence: float
    """Of every interval, as 0.99."""
    rows: Sequence[Row] = field(repr=False)
    """A wager each: `house_edge`, the interval's `low` and `high`, `standard_error`, `hit_frequency`, ..."""
    lines: Sequence[Row] = field(repr=False)
    """A line of a wager each."""
    more: Mapping[str, Any] = field(repr=False)
    """The whole answer for programs; with `compare` also the verdict."""
    _plot: Any = field(repr=False)

    @property
    def agrees(self) -> bool | None:
        """Whether the sample agrees with the exact count; None where they were not compared."""
        verdict = self.more.get("verdict")
        return None if verdict is None else bool(verdict["agrees"])

    def plot(self) -> Plot:
        """Edges with their intervals, and how often each line came."""
        return Plot(self._plot(), "simulation")

    def _repr_html_(self) -> str:
        title = f"{self.rounds:,} rounds, random seed {self.random_seed}; intervals at {100 * self.confidence:g} %"
        return _table_in_html(title, self.rows)


@dataclass(frozen=True)
class Plan:
    """A progressive planned, as `croupier plan` tells programs; each row says whether it is exact or simulated."""

    wager: str
    """The progressive wager, as the felt has it."""
    rows: Sequence[Row] = field(repr=False)
    """A figure each: `section`, `key`, `meter`, `value`, `basis`, and `exact` or the interval's `low` and `high`."""
    warnings: Sequence[Row] = field(repr=False)
    """What a house should think about before it opens this."""
    more: Mapping[str, Any] = field(repr=False)
    """The whole answer for programs."""
    _plot: Any = field(repr=False)

    def plot(self, kind: str = "all", meter: str | None = None) -> Plot:
        """`fan` (the meter over time), `at-hit`, `time`, or all of them."""
        return Plot(self._plot(kind, meter), self.wager)

    def _repr_html_(self) -> str:
        return _table_in_html(self.wager, self.rows)


@dataclass(frozen=True)
class Par:
    """A PAR sheet: shown as its summary, written to a file as a regulator files it."""

    game: str
    """The game's name."""
    digest: str
    """SHA-256 over the digests of all sheets."""
    rows: Sequence[Row] = field(repr=False)
    """A wager and paytable each, with its figures as they are printed; as fractions they are in `as_json`."""
    sheet: AnyPar[Any] = field(repr=False)
    """The whole sheet, for whoever needs more than the files have."""

    @classmethod
    def read(cls, sheet: AnyPar[Any]) -> Par:
        """From the sheet of an analyst."""
        rows: list[Row] = []
        for wager in sheet.in_print.wagers:
            for of_wager in wager.sheets:
                named = {figure.name: figure.value for figure in of_wager.figures}
                rows.append({"wager": of_wager.wager, "paytable": of_wager.paytable, **named})
        return cls(sheet.game.key, sheet.digest, rows, sheet)

    def as_json(self) -> dict[str, Any]:
        """For programs, every figure as a fraction too."""
        return self.sheet.as_json()

    def as_pdf(self) -> bytes:
        """A document whose bytes are the same each time."""
        return self.sheet.as_pdf()

    def save(self, file: str | Path) -> None:
        """As .pdf, .html, .tex, .xlsx, .csv or .json, by the name of the file."""
        from croupier.analysis.par.forms import FORMS

        form = FORMS.get(Path(file).suffix.lower())
        if form is None:
            raise NotationError(f"A PAR sheet's name ends in {', '.join(FORMS)}, not as {str(file)!r} does.")
        Path(file).write_bytes(form(self.sheet))

    def _repr_html_(self) -> str:
        return _table_in_html(f"{self.sheet.game.title}: PAR sheet, digest {self.digest}", self.rows)


@dataclass(frozen=True)
class Vulnerability:
    """Whether counting cards beats a wager: effects and counts are exact, what counters win is simulated."""

    wager: str
    """The wager's name."""
    effects: Mapping[str, Exact] = field(repr=False)
    """By card, as `Ks`: what the player's expected result changes by when it is gone; a fraction where it is exact."""
    counts: Sequence[Row] = field(repr=False)
    """Tags and betting correlation."""
    rows: Sequence[Row] = field(repr=False)
    """By count and penetration: trigger, how often one bets, the average edge, units per 100 rounds, their interval."""
    more: Mapping[str, Any] = field(repr=False)
    """The whole answer for programs."""

    @classmethod
    def read(cls, answer: Mapping[str, Any]) -> Vulnerability:
        """From the answer of an analyst."""
        effects = {effect["card"]: exact(effect) for effect in answer["effects_of_removal"]}
        rows: list[Row] = []
        for result in answer["simulated"]["won"]:
            row = dict(result)
            row["low"], row["high"] = row.pop("interval") or (None, None)  # nothing was to be bet on
            rows.append(row)
        return cls(answer["wager"], effects, answer["counts"], rows, answer)

    def _repr_html_(self) -> str:
        return _table_in_html(self.wager, self.rows)


def exact(figure: Mapping[str, Any]) -> Exact:
    """A figure of an answer for programs."""
    return Fraction(figure["exact"]) if figure.get("exact") is not None else figure["percent"] / 100


def flat(answers: Iterable[Mapping[str, Any]]) -> list[Row]:
    """Rows of answers for programs, whose figures are a number and the text of a fraction."""
    rows: list[Row] = []
    for answer in answers:
        row: Row = {}
        for name, value in answer.items():
            if isinstance(value, Mapping) and "percent" in value:
                row |= {name: value["percent"] / 100, f"{name}_exact": value.get("exact")}
            else:
                row[name] = value
        rows.append(row)
    return rows


def _lines(lines: Sequence[Mapping[str, Any]]) -> list[Row]:
    """Counts that no column of integers holds are numbers without their last digits; in full they stand beside."""
    rows: list[Row] = [dict(line) for line in lines]
    large = max(row["combinations"] or 0 for row in rows) > LARGEST_INTEGER
    for row in rows:
        count = row["combinations"]
        row["combinations_exact"] = None if count is None else str(count)
        row["combinations"] = float(count) if large else count
        row.setdefault("return", float(row["pays"]) * row["probability"] if count is None else None)
    return rows


def _percent(value: Exact | None) -> str:
    return "" if value is None else f"{100 * float(value):.{SHOWN_PLACES}f} %"


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.{SHOWN_PLACES}f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "" if value is None else html.escape(str(value))


def _table_in_html(title: str, rows: Sequence[Row]) -> str:
    columns = list(dict.fromkeys(name for row in rows for name in row if not name.endswith("_exact")))
    head = "".join(f"<th>{html.escape(name.replace('_', ' '))}</th>" for name in columns)
    body = "".join("<tr>" + "".join(f"<td>{_cell(row.get(name))}</td>" for name in columns) + "</tr>" for row in rows)
    caption = f"<caption>{html.escape(title)}</caption>" if title else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
