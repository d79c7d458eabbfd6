"""A wager while one thing about it changes: a pay from row to row, the decks, or the words of the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from croupier.analysis.analyst import analyst_of
from croupier.analysis.blackjack.question import Asked
from croupier.analysis.lab.paytable import Bench, changed_table
from croupier.analysis.plots import ACCENT, INK, picture
from croupier.errors import NotationError
from croupier.games.paytable import Pay
from croupier.games.wager import FindPaytable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DECKS, RULES = "decks", "rules"
"""What may be varied beside the rows of a paytable, in a game that has a choice of rules."""
MOST = 60


@dataclass(frozen=True)
class Swept:
    """What a wager comes to with one value of what is varied."""

    value: str
    house_edge: Fraction | float
    hit_frequency: Fraction | float
    standard_deviation: float

    def as_json(self) -> dict[str, Any]:
        return {
            "value": self.value,
            "house_edge": _figure(self.house_edge),
            "hit_frequency": _figure(self.hit_frequency),
            "standard_deviation": self.standard_deviation,
        }


def _figure(value: Fraction | float) -> dict[str, Any]:
    return {"exact": str(value) if isinstance(value, Fraction) else None, "percent": float(100 * value)}


@dataclass(frozen=True)
class Sweep:
    """All of them, in the order that was asked for."""

    title: str
    varied: str
    rows: tuple[Swept, ...]

    def as_json(self) -> dict[str, Any]:
        return {"title": self.title, "varied": self.varied, "rows": [row.as_json() for row in self.rows]}

    def draw(self) -> Figure:
        """The house edge over what is varied."""
        figure, [axes] = picture(f"{self.title}: house edge by {self.varied}")
        places, edges = range(len(self.rows)), [100 * float(row.house_edge) for row in self.rows]
        axes.plot(places, edges, marker="o", color=INK)
        axes.axhline(0, color=ACCENT, linewidth=0.8)
        axes.set_xticks(places, [row.value for row in self.rows], rotation=30, ha="right")
        axes.set_ylabel("house edge, %")
        return figure


def sweep_pay(bench: Bench, asked: Asked, find_paytable: FindPaytable, row: str, pays: Sequence[str]) -> Sweep:
    """The wager with the pay of a row as each of these: `40 to 1`, or a number, which is `to 1`."""
    assert asked.paytable is not None
    paytable = find_paytable(bench.wager, asked.paytable)
    swept = []
    for text in _some(pays):
        pay = Pay.parse(f"{text} to 1" if text.replace(".", "", 1).replace(",", "").isdigit() else text)
        changed = changed_table(paytable, row, pay)
        sheet = bench.sheet(asked, lambda wager, name, table=changed: table)  # type: ignore[misc]
        figures = sheet.figures
        swept.append(Swept(str(pay), figures.house_edge, sheet.hit_frequency, figures.standard_deviation))
    return Sweep(f"{bench.wager.title}, paytable {asked.paytable}", row, tuple(swept))


def sweep_rules(bench_of: Callable[[Asked], Any], asked: Asked, what: str, values: Sequence[str]) -> Sweep:
    """The wager under each of these rules, or from so many decks."""
    swept = []
    for text in _some(values):
        if what == DECKS and not (text.isascii() and text.isdigit() and len(text) < 3):
            raise NotationError(f"{text!r} is no number of decks.")
        question = asked._replace(decks=int(text)) if what == DECKS else asked._replace(rules=text)
        sheet = bench_of(question)
        edge, hits = (_read(sheet[name]) for name in ("house_edge", "hit_frequency"))
        swept.append(Swept(text, edge, hits, sheet["standard_deviation"]))
    return Sweep(f"{asked.wager}", what, tuple(swept))


def _read(figure: dict[str, Any]) -> Fraction | float:
    return Fraction(figure["exact"]) if figure["exact"] is not None else figure["percent"] / 100


def _some(values: Sequence[str]) -> Sequence[str]:
    if not 1 <= len(values) <= MOST:
        raise NotationError(f"From 1 to {MOST} values can be tried, not {len(values)}.")
    return values


def answered(game: Any, find_paytable: FindPaytable) -> Callable[[Asked], Any]:
    """Who answers a question about one wager and one paytable."""

    def ask(asked: Asked) -> Any:
        answer = analyst_of(game).odds(asked, find_paytable)
        return answer if isinstance(answer, dict) else answer[0]

    return ask
