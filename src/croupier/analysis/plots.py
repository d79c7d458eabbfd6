"""Pictures for paper and screen: the same look everywhere, the same bytes each time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.errors import NotationError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = (".png", ".svg", ".pdf")
INK = "#1d3b53"
"""The main line of a picture."""
ACCENT = "#b3402a"
"""What the reader should look at: a mark, a limit, a counted value."""
SHADE = "#8fb3c9"
"""Bands and bars."""
_SIZE_INCHES = (8.0, 4.5)
_STYLE: Any = {
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.constrained_layout.use": True,
    "figure.dpi": 120,
    "font.size": 10,
    "grid.alpha": 0.25,
    "svg.fonttype": "none",
    "svg.hashsalt": "croupier",
}


def picture(
    title: str, *, rows: int = 1, height_inches: float | None = None, heights: Sequence[float] | None = None
) -> tuple[Figure, list[Axes]]:
    """An empty picture of one or more rows, of equal heights or of these. It needs no window: a server can draw it."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with mpl.rc_context(_STYLE):
        size = (_SIZE_INCHES[0], height_inches or _SIZE_INCHES[1] * (1 + 0.75 * (rows - 1)))
        figure = Figure(figsize=size)
        FigureCanvasAgg(figure)
        axes = figure.subplots(rows, 1, squeeze=False, height_ratios=heights)[:, 0].tolist()
        figure.suptitle(title, x=0.02, ha="left", fontweight="bold")
    return figure, axes


def check_picture_name(file: Path) -> None:
    """Refuse a name no picture can have before the long work begins."""
    if file.suffix.lower() not in FORMATS:
        raise NotationError(f"A picture's name ends in {', '.join(FORMATS)}, not {file.name!r}.")
    if not file.parent.is_dir():
        raise NotationError(f"There is no folder {file.parent} for the picture.")


def save(figure: Figure, file: Path) -> None:
    """Write the picture in the form its name asks for."""
    import matplotlib as mpl

    check_picture_name(file)
    # No date inside: the same results give the same bytes.
    dated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[file.suffix.lower()[1:]]
    with mpl.rc_context(_STYLE):
        figure.savefig(file, metadata=dated)
