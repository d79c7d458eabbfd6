"""What is printed on a game's cloth: its color, the words in the arc, and a shape with its words for every spot.

A game says what it wants to; the rest has defaults, so that a game of one's own has a felt as soon as it has wagers.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from croupier.games.wager import Spot, Wager

COLORS = ("emerald", "midnight", "oxblood", "slate")
"""Cloths that the pages have."""
CIRCLE, BOX, DIAMOND, HEXAGON, LINE = "circle", "box", "diamond", "hexagon", "line"
SHAPES = (CIRCLE, BOX, DIAMOND, HEXAGON, LINE)
"""Of a spot. A `line` has no shape at the seats: its chips go on the printed line below the game's name."""
LONGEST_LINE = 9
"""Letters of a spot's title that stand on one line of a spot; a longer one is broken where it can be."""


@dataclass(frozen=True)
class Felt:
    """What a game prints; nothing has to be said."""

    color: str = ""
    """One of `COLORS`; else one that goes by the game's key."""
    name: str = ""
    """In large letters in the arc; else the game's title."""
    above: str = ""
    """In small letters above the name."""
    below: str = ""
    """On the printed line below it."""
    shapes: Mapping[str, str] = field(default_factory=dict)
    """By spot; else the first wager's spots are circles, and so are all others."""
    words: Mapping[str, str] = field(default_factory=dict)
    """By spot: what is printed on it, lines between slashes; else its title."""
    squeezed: bool = False
    """Whether each player turns the last card of the own hand, before the dealer's are turned."""

    def faults(self, spots: Iterable[str]) -> Iterator[str]:
        """What is wrong with it, a sentence each."""
        if self.color and self.color not in COLORS:
            yield f"its felt is {self.color!r}: there are {', '.join(COLORS)}."
        known = set(spots)
        for spot in sorted({*self.shapes, *self.words} - known):
            yield f"its felt has a print for {spot!r}, which is none of its spots: {', '.join(sorted(known))}."
        for spot, shape in self.shapes.items():
            if shape not in SHAPES:
                yield f"its felt has the shape {shape!r} for {spot}: there are {', '.join(SHAPES)}."

    def cloth(self, key: str) -> str:
        """Its color, at the table and wherever the game is shown."""
        return self.color or COLORS[zlib.crc32(key.encode()) % len(COLORS)]

    def printed(self, key: str, title: str, spots: Mapping[str, tuple[Wager, Spot]]) -> dict[str, Any]:
        """All that is printed, for whoever draws it."""
        return {
            "color": self.cloth(key),
            "name": self.name or title,
            "above": self.above,
            "below": self.below,
            "squeezed": self.squeezed,
            "spots": {
                spot: {
                    "shape": self.shapes.get(spot, CIRCLE),
                    "words": self.words[spot].split("/") if spot in self.words else _in_lines(its.title),
                }
                for spot, (_, its) in spots.items()
            },
        }


def _in_lines(title: str) -> list[str]:
    """A spot's title as it fits on a spot: broken in two at the blank nearest to its middle, where it is long."""
    if len(title) <= LONGEST_LINE or " " not in title:
        return [title]
    middle = len(title) / 2
    place = min((at for at, sign in enumerate(title) if sign == " "), key=lambda at: abs(at - middle))
    return [title[:place], title[place + 1 :]]
