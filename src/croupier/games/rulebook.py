"""Ties code to the numbered paragraphs of `docs/rulebook`, so that a rule is found by its number."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

from croupier.errors import CroupierError

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


class PageError(CroupierError):
    """A page of the rulebook that does not fit the page that it amends."""


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
    """The rulebook page of a game, as Markdown; what is shipped comes before what is one's own.

    A page that amends another is read as that page with its own title, introduction and paragraphs.
    """
    text = _written(game)
    amends = AMENDS.search(text)
    return _amended(_written(amends["page"]), text, _numbers(amends["numbers"])) if amends else text


def _written(game: str) -> str:
    paths = (folder / f"{game}.md" for folder in (*FOLDERS, *own_folders()))
    return next((path for path in paths if path.is_file()), FOLDERS[-1] / f"{game}.md").read_text(encoding="utf-8")


AMENDS = re.compile(
    r"^\*Amends \[[^]]+\]\((?P<page>[a-z0-9-]+)\.md\)(?: in (?P<numbers>[\d., and]+?))?\.\*$", re.MULTILINE
)
"""The line of a page that holds but for what it says: `*Amends [Blackjack](blackjack.md) in 1.1, 8.7 and 8.9.*`"""
_NUMBERED = re.compile(r"\*\*(\d+\.\d+)\*\*\s")


def _numbers(text: str | None) -> set[str]:
    return set(re.findall(r"\d+\.\d+", text or ""))


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """A page in parts, each with what it is found by: `## 8`, `8.7` with its table, or nothing."""
    key, lines = "", list[str]()
    for block in text.strip().split("\n\n"):
        heading, numbered = re.match(r"## (\d+)\. ", block), _NUMBERED.match(block)
        if heading or numbered:
            yield key, "\n\n".join(lines)
            lines = []
            key = f"## {heading[1]}" if heading else numbered[1] if numbered else ""
        lines.append(block)
    yield key, "\n\n".join(lines)


def _amended(base: str, own: str, replaced: set[str]) -> str:
    """The page `base` with the title, introduction and paragraphs of `own`, which says which of them it replaces."""
    _, *parts = _blocks(base)
    (_, opening), *ours = _blocks(own)
    known = {key for key, _ in parts if not key.startswith("#")}
    amended = {key: text for key, text in ours if not key.startswith("#")}
    if wrong := sorted(replaced ^ (amended.keys() & known)):
        raise PageError(f"the page says that it amends {', '.join(sorted(replaced)) or 'nothing'}: look at {wrong[0]}.")
    headings = {key: text for key, text in ours if key.startswith("#")}
    order = [key for key, _ in parts]
    merged = {**dict(parts), **amended, **{key: text for key, text in headings.items() if key not in order}}
    places = {key: _place(key) for key in merged}
    return "\n\n".join([opening, *(merged[key] for key in sorted(merged, key=places.__getitem__))]) + "\n"


def _place(key: str) -> tuple[int, int]:
    """A section's heading comes before its paragraphs."""
    section, _, number = key.removeprefix("## ").partition(".")
    return int(section), int(number or 0)


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
