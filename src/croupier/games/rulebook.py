"""Ties code to the numbered paragraphs of `docs/rulebook`, so that a rule is found by its number."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

Rule = TypeVar("Rule", bound=Callable[..., object])

RULES: dict[str, list[Callable[..., object]]] = {}
"""Which functions carry out which paragraph: `triple-shot-rummy 2.1`."""


def rule(*paragraphs: str) -> Callable[[Rule], Rule]:
    """Mark a function as the code of these paragraphs."""

    def cite(function: Rule) -> Rule:
        for paragraph in paragraphs:
            RULES.setdefault(paragraph, []).append(function)
        return function

    return cite


class Paragraph(NamedTuple):
    number: str
    text: str
    more: str = ""
    """The table or list that belongs to it, as Markdown."""

    @property
    def table(self) -> list[list[str]]:
        """The rows of its table, the heads first; none where it has no table."""
        lines = [line.strip().strip("|").split("|") for line in self.more.splitlines() if line.startswith("|")]
        return [[cell.strip() for cell in cells] for cells in lines if not set("".join(cells)) <= set("- :")]


FOLDERS = [Path(__file__).resolve().parents[1] / "rulebook", Path(__file__).resolve().parents[3] / "docs" / "rulebook"]
"""Where pages lie: beside the installed package, or in its source."""


OWN = "CROUPIER_GAMES"
"""The variable that names folders of games of one's own, as PATH names those of programs: `name.py` and `name.md`."""


def own_folders() -> tuple[Path, ...]:
    """Where whoever runs the program keeps games of their own."""
    return tuple(Path(name) for name in os.environ.get(OWN, "").split(os.pathsep) if name)


def rulebook_folder() -> Path:
    """Where what is shipped lies."""
    return next(folder for folder in FOLDERS if folder.is_dir())


def page(game: str) -> str:
    """The rulebook page of a game, as Markdown; what is shipped comes before what is one's own."""
    found = (folder / f"{game}.md" for folder in (*FOLDERS, *own_folders()))
    return next((path for path in found if path.is_file()), FOLDERS[-1] / f"{game}.md").read_text(encoding="utf-8")


def introduction(game: str) -> str:
    """The paragraph that a page opens with, below its title."""
    _, first, *_ = page(game).split("\n\n", 2)
    return " ".join(first.split())


def paragraphs(game: str) -> Iterator[Paragraph]:
    """The numbered paragraphs of a page, in order, each with what belongs to it."""
    current: Paragraph | None = None
    for block in page(game).split("\n\n"):
        match = re.match(r"\*\*(\d+\.\d+)\*\*\s+(.*)", block.strip(), re.DOTALL)
        if match or block.lstrip().startswith("#"):
            if current:
                yield current
            current = Paragraph(match[1], " ".join(match[2].split())) if match else None
        elif current:
            current = current._replace(more=f"{current.more}\n\n{block}".strip())
    if current:
        yield current
