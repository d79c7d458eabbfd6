"""Pictures of a session: how it ends, and where it stands on the way there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, gcd, lcm
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.plots import ACCENT, INK, SHADE, picture
from croupier.analysis.session.bankroll import BankrollSession
from croupier.analysis.session.law import Floats, Results, Station, after, station
from croupier.analysis.session.rounds import RoundLaw
from croupier.games.money import CENTS

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BANDS = ((1, 99, 0.25), (5, 95, 0.35), (25, 75, 0.55))
"""Percentiles, and how dark the band between them is."""
MARKS, FEW_MARKS, LARGE = 40, 12, 2**18
"""Where the fan is computed: at fewer rounds where a law is large."""
FEWEST_BARS, MOST_BARS = 15, 70
LONGEST_LINE = 75
SHOWN = (0.3, 5, 95, 99.5)
"""Percentiles: an axis of money ends at the outer ones."""
REACH = 1.2
"""Or so many times the distance of the inner ones away from these."""
BEYOND = 0.006
"""Sessions above the edge that need a word."""
FEW_LEFT = 1e-4
"""Sessions with all their rounds played that decide how high a picture is; fewer do not."""
HEADROOM = 1.5
"""How much higher than the highest bar a picture is: the legend stands there."""


@dataclass(frozen=True, eq=False)
class SessionPlot:
    """What is drawn."""

    title: str
    law: RoundLaw
    rounds: int
    results: Results
    """After all rounds."""
    stations: Sequence[Station]
    """On the way."""
    limited: BankrollSession | None = None
    """With a bankroll."""

    @property
    def ends(self) -> Results:
        return self.limited.results if self.limited else self.results


def marks(rounds: int, cells: int = 0) -> list[int]:
    """Rounds at which the fan is computed, closer together at the start; fewer where the law is large."""
    many = MARKS if cells < LARGE else FEW_MARKS
    return sorted({max(1, round(rounds * (place / many) ** 2)) for place in range(1, many + 1)})


def stations_of(law: RoundLaw, at: Sequence[int], advance: Callable[[int], None]) -> list[Station]:
    """Where sessions that play all their rounds stand after so many of them."""
    stations = []
    for rounds in at:
        stations.append(station(rounds, after(law, rounds, exact=False)))
        advance(1)
    return stations


def draw(session: SessionPlot) -> Figure:
    """The law of the result above, the way there below."""
    # A long title is broken between wagers, not inside one.
    parts = session.title.replace(" ", "\u00a0").replace(",\u00a0", ", ").replace(":\u00a0", ": ")
    figure, (ends, way) = picture(_text(fill(parts, LONGEST_LINE)), rows=2, height_inches=8.0)
    _ends(ends, session)
    _way(way, session)
    return figure


# How it ends


def _ends(axis: Axes, session: SessionPlot) -> None:
    law = session.ends
    low, high = _shown(law.percentile)
    grid = _grid(session, low, high)
    over, gone, won = _parts(session)
    shown = _bar(axis, grid, over)
    # Where all but a few sessions end early, the picture is as high as theirs.
    all_ = np.bincount(grid.bar, law.chances, minlength=len(grid.middles))
    top = HEADROOM * max(float(shown.max()), 100 * float(all_.max()) if float(over.sum()) < FEW_LEFT else 0)
    if session.limited:
        _ended(axis, session.limited, grid, (gone, won), top)
    else:
        _bands(axis, law)
    mean = law.mean_cents / CENTS
    axis.axvline(mean, color=INK, linewidth=1.6, zorder=3, label=_text(f"mean {_dollars(mean)}"))
    ahead = f"even; ahead {float(law.ahead):.1%}, behind {float(law.behind):.1%}"
    axis.axvline(0, color=ACCENT, linewidth=1.4, linestyle="--", zorder=3, label=ahead)
    further = 1 - float(law.below(floor(high * CENTS / float(law.step_cents)) + 1))
    if further > BEYOND:
        axis.plot([], [], " ", label=_text(f"above {_dollars(high)}: {further:.1%}"))
    axis.set(xlabel="result", ylabel="share of sessions, %")
    edge = (high - low) * 0.03 + grid.width
    axis.set_xlim(min(low, 0) - edge, max(high, 0) + edge)
    axis.set_ylim(0, top)
    title = f"Result after {session.rounds:,} rounds{_with(session)}; {_dollars(grid.width)} a bar"
    axis.set_title(_text(fill(title, LONGEST_LINE)), loc="left", fontsize=10)
    _money(axis, "x")
    axis.legend(loc="upper center" if session.limited else "upper right", fontsize=8)


def _shown(percentile: Callable[[float], Fraction | float]) -> tuple[float, float]:
    """From where to where results are drawn, in dollars; a jackpot would press all others flat."""
    lowest, low, high, highest = (float(percentile(percent)) / CENTS for percent in SHOWN)
    reach = REACH * (high - low)
    return max(lowest, low - reach), min(highest, high + reach)


def _with(session: SessionPlot) -> str:
    purse = session.limited and session.limited.purse
    if not purse:
        return ""
    needed = _dollars(float(purse.needed_cents) / CENTS)
    goal = f" or {_dollars(purse.goal_cents / CENTS)} are in hand" if purse.goal_cents is not None else ""
    return f" with {_dollars(purse.bankroll_cents / CENTS)}, or when less than a round's {needed} is left{goal}"


def _bands(axis: Axes, law: Results) -> None:
    for begin, end, dark in BANDS[1:]:
        left, right = (float(law.percentile(percent)) / CENTS for percent in (begin, end))
        label = _text(f"{begin} % to {end} %: {_dollars(left)} to {_dollars(right)}")
        axis.axvspan(left, right, color=SHADE, alpha=dark / 2, linewidth=0, label=label)


@dataclass(frozen=True, eq=False)
class _Grid:
    """Bars of results, with an edge between what is ahead and what is not."""

    bar: NDArray[np.int64]
    """(results): which bar."""
    middles: Floats
    """(bars): in dollars."""
    shown: NDArray[np.bool_]
    """(bars): whether it is inside the picture."""
    width: float


def _grid(session: SessionPlot, low: float, high: float) -> _Grid:
    law, nets = session.ends, session.law.nets
    step = float(law.step_cents) / CENTS
    # After so many rounds only every so manieth step can be reached, beginning at the highest that is not ahead.
    apart = gcd(*(net - nets[0] for net in nets)) or 1
    begin = -(-session.rounds * nets[0] % apart)
    together = _together(session.law, (high - low) / step, apart)
    number = -((begin - law.low - np.arange(len(law.chances))) // together)
    first = int(number.min())
    middles = (begin + np.arange(first, int(number.max()) + 1) * together - (together - apart) / 2) * step
    width = together * step
    shown = (middles > min(low, 0) - 2 * width) & (middles < max(high, 0) + 2 * width)
    return _Grid(number - first, middles.astype(np.float64), shown, width)


def _together(law: RoundLaw, span: float, apart: int) -> int:
    """How many steps share a bar: whole wagers where there is room, for results cluster around these."""
    _, usual = max((chance, abs(net)) for net, chance in zip(law.nets, law.chances.tolist(), strict=True))
    wager = lcm(apart, usual or apart)
    unit = wager if span / wager >= FEWEST_BARS else apart
    return unit * max(1, ceil(span / (unit * MOST_BARS)))


def _parts(session: SessionPlot) -> tuple[Floats, Floats, Floats]:
    """Sessions that had all their rounds, those whose bankroll is gone, and those that reached the goal."""
    law, none = session.ends, np.zeros_like(session.ends.chances)
    if not session.limited:
        return law.chances, none, none
    purse = session.limited.purse
    steps = law.low + np.arange(len(law.chances))
    gone = steps < ceil((purse.needed_cents - purse.bankroll_cents) / law.step_cents)
    won = np.zeros_like(gone)
    if purse.goal_cents is not None:
        won = steps >= ceil((purse.goal_cents - purse.bankroll_cents) / law.step_cents)
    return tuple(np.where(part, law.chances, 0.0) for part in (~(gone | won), gone, won))  # type: ignore[return-value]


def _bar(axis: Axes, grid: _Grid, chances: Floats, **look: Any) -> Floats:
    """Draw a part of the law; gives the heights, in percent."""
    heights = 100 * np.bincount(grid.bar, chances, minlength=len(grid.middles)).astype(np.float64)
    there = (heights > 0) & grid.shown
    look = look or {"color": [INK if middle > 0 else SHADE for middle in grid.middles[there]]}
    axis.bar(grid.middles[there], heights[there], 0.92 * grid.width, zorder=2, **look)
    return heights


def _ended(axis: Axes, limited: BankrollSession, grid: _Grid, parts: tuple[Floats, Floats], top: float) -> None:
    """Sessions that ended early stand on a few amounts, above the edge of the picture: each bar says its share."""
    gone, won = parts
    heights = _bar(axis, grid, gone, color=ACCENT, label=f"bankroll gone {limited.ruin:.1%}")
    _cut(axis, grid, heights, top, ACCENT)
    if limited.purse.goal_cents is not None:
        label = f"goal reached {limited.goal:.1%}"
        heights = _bar(axis, grid, won, color="white", edgecolor=INK, hatch="////", label=label)
        _cut(axis, grid, heights, top, INK)


def _cut(axis: Axes, grid: _Grid, heights: Floats, top: float, color: str) -> None:
    """Bars that go on above the edge: an arrow, and how high they are; upright, for neighbors may be cut too."""
    behind = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}
    look: dict[str, Any] = {"rotation": 90, "ha": "center", "va": "top", "fontsize": 8, "zorder": 4, "bbox": behind}
    for place in np.flatnonzero((heights > top) & grid.shown):
        axis.text(grid.middles[place], 0.97 * top, f"{heights[place]:.1f} % \u2192", color=color, **look)


# The way there


def _way(axis: Axes, session: SessionPlot) -> None:
    stations = session.stations
    rounds = [0, *(station.rounds for station in stations)]
    for low, high, dark in BANDS:
        under, over = (_line(stations, percent) for percent in (low, high))
        axis.fill_between(rounds, under, over, color=SHADE, alpha=dark, linewidth=0, label=f"{low} % to {high} %")
    axis.plot(rounds, _line(stations, 50), color=INK, linewidth=1.8, label="median")
    means = [0.0, *(station.mean_cents / CENTS for station in stations)]
    axis.plot(rounds, means, color=INK, linewidth=1.2, linestyle=":", label="mean")
    axis.axhline(0, color=ACCENT, linewidth=1.2, linestyle="--")
    axis.set(xlabel="rounds", ylabel="result")
    axis.set_xlim(0, session.rounds)
    axis.set_title("On the way: result after so many rounds", loc="left", fontsize=10)
    _money(axis, "y")
    _thousands(axis)
    handles, labels = axis.get_legend_handles_labels()
    if session.limited:
        more, words = _ruin(axis, session.limited)
        handles, labels = handles + more, labels + words
    inner = [_shown(lambda percent, at=station: _nearest(at, percent)) for station in stations]  # type: ignore[misc]
    bottom, top = min(0, *(low for low, _ in inner)), max(0, *(high for _, high in inner))
    axis.set_ylim(bottom - 0.06 * (top - bottom), top + 0.3 * (top - bottom))
    axis.legend(handles, labels, loc="upper left", fontsize=8, ncols=3)


def _nearest(at: Station, percent: float) -> float:
    """Of the percentiles that are known: 1 for 0.3, 99 for 99.5."""
    return at.percentiles[min(at.percentiles, key=lambda known: abs(known - percent))]


def _line(stations: Sequence[Station], percent: int) -> list[float]:
    return [0.0, *(station.percentiles[percent] / CENTS for station in stations)]


def _ruin(axis: Axes, limited: BankrollSession) -> tuple[list[Artist], list[str]]:
    """How many sessions have ended, on an axis of its own."""
    own = axis.twinx()
    own.grid(False)
    own.spines["right"].set_visible(True)
    rounds = np.arange(len(limited.ruined) + 1)
    lines = [("bankroll gone", limited.ruined, "-")]
    if limited.purse.goal_cents is not None:
        lines.append(("goal reached", limited.reached, "-."))
    for words, shares, style in lines:
        own.plot(rounds, 100 * np.concatenate(([0.0], shares)), color=ACCENT, linewidth=1.5, ls=style, label=words)
    own.set_ylim(0, 122)
    own.set_yticks(range(0, 101, 20))
    own.set_ylabel("sessions ended, %", color=ACCENT)
    return own.get_legend_handles_labels()


# Shared


def _dollars(amount: float) -> str:
    size = f"{abs(amount):,.2f}" if abs(amount) < 1_000 and abs(amount) % 1 > 0.004 else f"{abs(amount):,.0f}"
    return f"{'-' if amount < 0 else ''}${size}"


def _text(words: str) -> str:
    """Two dollars in one line would begin a formula."""
    return words.replace("$", r"\$")


def _money(axis: Axes, which: str) -> None:
    from matplotlib.ticker import FuncFormatter

    of = axis.xaxis if which == "x" else axis.yaxis
    of.set_major_formatter(FuncFormatter(lambda value, _: _text(_dollars(value))))


def _thousands(axis: Axes) -> None:
    from matplotlib.ticker import FuncFormatter

    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
