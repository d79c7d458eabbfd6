"""How results are printed: tables for people, JSON for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

PLAIN_WIDTH = 120
"""Columns where the output goes to a file or a pipe."""


def console() -> Console:
    from rich.console import Console

    screen = Console(highlight=False)
    return screen if screen.is_terminal else Console(highlight=False, width=PLAIN_WIDTH)


def table(title: str, *columns: str, left: int = 1) -> Table:
    """A table whose first `left` columns are words and whose others are numbers."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    # A title goes over the edge of a narrow table instead of into a second line.
    named = Text(title, "bold", no_wrap=True, overflow="ignore")
    listing = Table(title=named, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for place, column in enumerate(columns):
        # Words may go over two lines where it is narrow; a figure is never cut or split.
        words = place < left
        listing.add_column(column, justify="left" if words else "right", overflow="fold", no_wrap=not words)
    return listing


def plain(*cells: str) -> list[Text]:
    """Cells that are shown as they are: a person's words may hold brackets."""
    from rich.text import Text

    return [Text(cell) for cell in cells]


def print_json(value: object) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=False))


def signed(value: Fraction, places: int = 6) -> str:
    """A result per unit wagered: `+0.283456`."""
    return f"{float(value):+.{places}f}"


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on the terminal's error channel; quiet in a pipe."""
    from rich.console import Console
    from rich.progress import Progress

    screen = Console(stderr=True)
    with Progress(console=screen, transient=True, disable=not screen.is_terminal) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)


@contextmanager
def at_work(what: str) -> Iterator[None]:
    """Says on the terminal's error channel what is being done, as long as it takes; quiet in a pipe."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True, highlight=False).status(what):
        yield
