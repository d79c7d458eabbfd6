"""The readings on record: the words of the rulebook, and the figures behind them.

for reading in readings_on_record():
    print(reading.at, reading.standing, [figure.words for figure in reading.figures])
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from croupier.analysis.readings.proofs import PROOFS, Figure, Other
from croupier.games.catalogue import ALL_GAMES
from croupier.games.rulebook import Paragraph, page, paragraphs

PAGES = (*(game.key for game in ALL_GAMES.values() if game.document), "progressive", "approval")
"""Pages of the rulebook that read a rule document."""
SECTION = "Readings"


class Standing(StrEnum):
    """What the figures say of a reading."""

    DECIDED = "the printed figure decides"
    UNDECIDED = "the printed figure fits both readings"
    UNRESOLVED = "the printed figure fits no reading"
    COUNTED = "the document prints no figure"
    NO_FIGURE = "no figure depends on it"


@dataclass(frozen=True)
class OnRecord:
    """A reading, with what it comes to."""

    page: str
    paragraph: Paragraph
    figures: tuple[Figure, ...] = ()
    others: tuple[Other, ...] = ()
    unresolved: bool = False

    @property
    def at(self) -> str:
        return f"{self.page} {self.paragraph.number}"

    @property
    def words(self) -> str:
        return self.paragraph.text

    @property
    def standing(self) -> Standing:
        if self.unresolved:
            return Standing.UNRESOLVED
        if not self.figures:
            return Standing.COUNTED if "no figure for" in self.paragraph.text else Standing.NO_FIGURE
        if not any(figure.printed for figure in self.figures):
            return Standing.COUNTED
        return Standing.UNDECIDED if any(other.fits for other in self.others) else Standing.DECIDED

    def as_json(self) -> dict[str, Any]:
        return {
            "reading": self.at,
            "words": self.paragraph.text,
            "standing": self.standing.value,
            "figures": [figure.as_json() for figure in self.figures],
            "others": [other.as_json() for other in self.others],
        }


def readings_on_record(only: str | None = None) -> Iterator[OnRecord]:
    """All of them, page by page, or those of one page."""
    for name in PAGES if only is None else (only,):
        yield from _on_page(name)


@cache
def _on_page(name: str) -> tuple[OnRecord, ...]:
    return tuple(_counted(name, paragraph) for paragraph in _readings_of(name))


def _counted(name: str, paragraph: Paragraph) -> OnRecord:
    proof = PROOFS.get(f"{name} {paragraph.number}")
    if proof is None:
        return OnRecord(name, paragraph)
    return OnRecord(name, paragraph, tuple(proof.figures()), tuple(proof.others()), proof.unresolved)


def _readings_of(name: str) -> Iterator[Paragraph]:
    """The section is found by its name: pages have it at different numbers."""
    heading = next(line for line in page(name).splitlines() if line.startswith("## ") and line.endswith(f". {SECTION}"))
    section = heading.removeprefix("## ").partition(".")[0]
    return (paragraph for paragraph in paragraphs(name) if paragraph.number.partition(".")[0] == section)


# In print

BLANK = "\\_" * 24


def changes(reading: OnRecord, other: Other) -> list[str]:
    """What the other reading would change, figure by figure: by their labels, those that both have."""
    ours = {figure.label: figure for figure in reading.figures}
    return [_change(ours[figure.label], figure) for figure in other.figures if figure.label in ours]


def _change(ours: Figure, theirs: Figure) -> str:
    if ours.value == theirs.value:
        return "nothing"
    if isinstance(ours.value, int) or isinstance(theirs.value, int):
        return f"{theirs.value - ours.value:+,}"
    return f"{float(100 * (theirs.value - ours.value)):+.{theirs.places}f} points"


def in_markdown() -> str:
    """All of them on a page that can be signed."""
    lines = [
        "# Readings on record",
        "",
        "Written by `make docs` from what `croupier readings` counts. Where a rule document leaves a point open, the "
        "rulebook says how it is read; this page has every such reading, with the figures that it comes to. Nothing is "
        "typed in but what a document prints. Another reading that somebody could hold is counted beside ours; where "
        "the figures cannot decide between them, a house may be given the choice as a house option.",
    ]
    for name in PAGES:
        lines += ["", f"## {page(name).splitlines()[0].removeprefix('# ')}"]
        for reading in readings_on_record(name):
            lines += ["", f"### {reading.at}", "", f"{reading.paragraph.text}", "", f"**{_said(reading.standing)}.**"]
            lines += _tables(reading)
    lines += [
        "",
        "## Signatures",
        "",
        "The readings above are accepted as the way in which the rule documents are played.",
        "",
        "| for | name | date | signature |",
        "| --- | --- | --- | --- |",
        *(f"| {party} | {BLANK} | {BLANK} | {BLANK} |" for party in ("the commission", "the house")),
    ]
    return "\n".join(lines) + "\n"


def _said(standing: Standing) -> str:
    return f"{standing.value[0].upper()}{standing.value[1:]}"


def _tables(reading: OnRecord) -> Iterator[str]:
    if not reading.figures:
        return
    yield from (
        "",
        "| reading | figure | counted | printed | fits | would change |",
        "| --- | --- | --- | --- | --- | --- |",
    )
    for figure in reading.figures:
        yield f"| ours | {figure.label} | {figure.words} | {figure.printed} | {_fits(figure)} | |"
    for other in reading.others:
        words = f"{other.words} (house option `{other.option}`)" if other.option else other.words
        changed = changes(reading, other)
        for place, figure in enumerate(other.figures):
            change = changed[place] if len(changed) == len(other.figures) else ""
            yield f"| {words} | {figure.label} | {figure.words} | {figure.printed} | {_fits(figure)} | {change} |"


def _fits(figure: Figure) -> str:
    return ("yes" if figure.fits else "no") if figure.printed else ""
