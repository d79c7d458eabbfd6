"""A basic strategy as people print it: a row for each total or pair, a column for each up card.

                2  3  4  5  6  7  8  9  T  A
    hard 4-8:   H  H  H  H  H  H  H  H  H  H
    hard 9:     H  D  D  D  D  H  H  H  H  H
    ...
    hard 17+:   S  S  S  S  S  S  S  S  S  S
    soft 13-14: H  H  H  D  D  H  H  H  H  H        also written `soft A,2`
    ...
    pair A,A:   P  P  P  P  P  P  P  P  P  P
    insurance: no

The cells, in either case:

    H   hit                                         S   stand
    D   double if allowed, otherwise hit (or Dh)    Ds  double if allowed, otherwise stand
    R   surrender if allowed, otherwise hit (Rh)    Rs  surrender if allowed, otherwise stand
    P   split (or Y)                                Rp  surrender if allowed, otherwise split
    Ph  split if split hands may be doubled, otherwise hit
    N   no split: as the total says
    Z   zap, in rows of their own: `zap 15`, or `zap 8,8` for a pair; N and what is left out is not zapped

What a doubled hand does where it may still be surrendered is in rows of their own, Rs or S: `rescue 17` if it has come
to 17, and `rescue 16` of 16 and less; what is left out stands.

A pair that cannot be split (again) is played as its total says. `#` starts a comment; a row of up cards is optional,
and must name them in this order. Hard 5 to 20, soft 13 to 20 and all pairs must be there. What is left out of the rest
is as it must be: hard 4 like hard 5, 21 stands, two aces that cannot be split are hit, and there is no insurance.
A hand of 21 ends by itself, so what a chart says of it is never asked.

Text above and below the chart is passed over, so that what `croupier strategy blackjack` prints can be pasted whole,
with its title, legend and figures. Among the rows, and wherever cells follow a colon, there must be rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from croupier.analysis.blackjack.shoe import LETTERS, card_values, value_letter
from croupier.cards.card import Hand
from croupier.errors import NotationError
from croupier.games.blackjack.decisions import decisions
from croupier.games.blackjack.round import BlackjackRound
from croupier.games.blackjack.rules import ACE, LEAST_ZAP, TEN, ZAPS, count
from croupier.games.blackjack.side_wagers import value

COLUMNS = (*range(2, TEN + 1), ACE)
"""Up cards in the order people print them."""


class ChartError(NotationError):
    """A chart could not be read; `line` is the offending line, counted from 1, where there is one."""

    def __init__(self, reason: str, *, line: int | None = None, source: str = "chart") -> None:
        self.reason = reason
        self.line = line
        super().__init__(f"{source}, line {line}: {reason}" if line else f"{source}: {reason}")


class Cell(StrEnum):
    HIT = "H"
    STAND = "S"
    DOUBLE = "D"
    DOUBLE_OR_STAND = "Ds"
    SURRENDER = "R"
    SURRENDER_OR_STAND = "Rs"
    SPLIT = "P"
    SURRENDER_OR_SPLIT = "Rp"
    SPLIT_WITH_DOUBLE = "Ph"
    AS_TOTAL = "N"
    ZAP = "Z"

    @property
    def draws(self) -> bool:
        """Whether a hand of a total row is hit once nothing else is allowed."""
        return self in (Cell.HIT, Cell.DOUBLE, Cell.SURRENDER)


_READ = {cell.value.upper(): cell for cell in Cell} | {
    "DH": Cell.DOUBLE,
    "RH": Cell.SURRENDER,
    "Y": Cell.SPLIT,
    "SP": Cell.SPLIT,
}
_PAIRS_ONLY = (Cell.SPLIT, Cell.SURRENDER_OR_SPLIT, Cell.SPLIT_WITH_DOUBLE, Cell.AS_TOTAL)
_OF_ZAPS = (Cell.ZAP, Cell.AS_TOTAL)
_OF_RESCUES = (Cell.SURRENDER_OR_STAND, Cell.STAND)


class Kind(StrEnum):
    HARD = "hard"
    SOFT = "soft"
    PAIR = "pair"
    ZAP = "zap"
    RESCUE = "rescue"

    @property
    def keys(self) -> range:
        """The totals, or the values of the pairs; of what may be zapped the totals, and the pairs are beside them."""
        return _KEYS[self]

    @property
    def needed(self) -> range:
        return _NEEDED[self]


_KEYS = {
    Kind.HARD: range(4, 22),
    Kind.SOFT: range(12, 22),
    Kind.PAIR: range(ACE, TEN + 1),
    Kind.ZAP: range(LEAST_ZAP, max(ZAPS) + 1),
    Kind.RESCUE: range(16, 21),
}
_NEEDED = {
    Kind.HARD: range(5, 21),
    Kind.SOFT: range(13, 21),
    Kind.PAIR: range(ACE, TEN + 1),
    **{Kind.ZAP: range(0), Kind.RESCUE: range(0)},
}
ZAPPED_PAIRS = (8, 9)
"""Pairs that may be zapped: they have rows of their own, for they may be split too."""
PLAYED = (Kind.HARD, Kind.SOFT, Kind.PAIR)
"""Rows that every chart has."""


Cells = tuple[Cell, ...]
"""Ten cells in the order of COLUMNS."""


@dataclass(frozen=True, slots=True)
class Row:
    kind: Kind
    key: int

    def __str__(self) -> str:
        pair = self.kind is Kind.PAIR or (self.kind is Kind.ZAP and self.key in ZAPPED_PAIRS)
        name = f"{value_letter(self.key)},{value_letter(self.key)}" if pair else str(self.key)
        return f"{self.kind} {name}"


@dataclass(frozen=True)
class Chart:
    """A strategy for every total and pair; `Chart.parse(str(chart)) == chart`."""

    cells: Mapping[Row, Cells]
    insurance: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        missing = [str(row) for row in _rows() if row not in self.cells]
        if missing:
            raise ChartError(f"there is no row for {', '.join(missing)}.")
        for row, cells in self.cells.items():
            if len(cells) != len(COLUMNS):
                raise ChartError(f"{row} has {len(cells)} cells; there are {len(COLUMNS)} up cards.")

    def cell(self, kind: Kind, key: int, up: int) -> Cell:
        """The cell of a total, or of a pair of this value, against an up card (1 is an ace)."""
        return self.cells[Row(kind, key)][COLUMNS.index(up)]

    def zaps(self, cards: tuple[int, int], up: int) -> bool:
        """Whether it says to zap these first two cards."""
        key = cards[0] if cards[0] == cards[1] else sum(cards)
        row = self.cells.get(Row(Kind.ZAP, key))
        return row is not None and row[COLUMNS.index(up)] is Cell.ZAP

    def rescues(self, total: int, up: int) -> bool:
        """Whether it says to give up a doubled hand of this total; all of 16 and less are one row."""
        row = self.cells.get(Row(Kind.RESCUE, max(total, Kind.RESCUE.keys.start)))
        return row is not None and row[COLUMNS.index(up)] is Cell.SURRENDER_OR_STAND

    @property
    def without_zaps(self) -> Chart:
        """How hands are played that are not zapped."""
        cells = {row: cells for row, cells in self.cells.items() if row.kind is not Kind.ZAP}
        return Chart(cells, insurance=self.insurance)

    def changed(self, kind: Kind, key: int, up: int, cell: Cell) -> Chart:
        """The same chart with another cell."""
        row = Row(kind, key)
        cells = list(self.cells[row])
        cells[COLUMNS.index(up)] = cell
        return Chart({**self.cells, row: tuple(cells)}, insurance=self.insurance)

    @classmethod
    def parse(cls, text: str, *, source: str = "chart") -> Chart:
        """Read a chart as described above; what cannot be read is refused with its line."""
        cells: dict[Row, Cells] = {}
        lines: dict[Row, int] = {}
        insurance: bool | None = None
        for number, words in _chart_lines(text):
            if _is_header(words, number, source):
                continue
            if words.lower().startswith("insurance"):
                insurance = _read_insurance(words, insurance, number, source)
                continue
            rows, row_cells = _read_row(words, number, source)
            for row in rows:
                if row in lines:
                    raise ChartError(f"{row} is already on line {lines[row]}.", line=number, source=source)
                lines[row], cells[row] = number, row_cells
        needed = [str(row) for row in _rows() if row.key in row.kind.needed and row not in cells]
        if needed:
            raise ChartError(f"there is no row for {', '.join(needed)}.", source=source)
        return cls(_completed(cells), insurance=bool(insurance))

    def __str__(self) -> str:
        lines = [f"{'':<12}{''.join(f'{value_letter(up):<4}' for up in COLUMNS)}".rstrip()]
        for kind in PLAYED:
            for first, last in self._spans(kind):
                name = str(Row(kind, first)) if first == last else f"{kind} {first}-{last}"
                cells = "".join(f"{cell:<4}" for cell in self.cells[Row(kind, first)])
                lines.append(f"{name + ':':<12}{cells}".rstrip())
        for row, row_cells in self.cells.items():
            if row.kind not in PLAYED:
                lines.append(f"{f'{row}:':<12}{''.join(f'{cell:<4}' for cell in row_cells)}".rstrip())
        lines.append(f"insurance: {'yes' if self.insurance else 'no'}")
        return "\n".join(lines)

    def _spans(self, kind: Kind) -> Iterator[tuple[int, int]]:
        """Totals in a row that are played alike; pairs stand alone."""
        first = kind.keys.start
        for key in kind.keys:
            last = key + 1 not in kind.keys
            if last or kind is Kind.PAIR or self.cells[Row(kind, key + 1)] != self.cells[Row(kind, key)]:
                yield first, key
                first = key + 1


def _rows() -> Iterator[Row]:
    return (Row(kind, key) for kind in PLAYED for key in kind.keys)


def _completed(cells: dict[Row, Cells]) -> dict[Row, Cells]:
    usual = {
        Row(Kind.HARD, 4): cells[Row(Kind.HARD, 5)],
        Row(Kind.HARD, 21): (Cell.STAND,) * len(COLUMNS),
        Row(Kind.SOFT, 12): (Cell.HIT,) * len(COLUMNS),
        Row(Kind.SOFT, 21): (Cell.STAND,) * len(COLUMNS),
    }
    zaps = sorted((row for row in cells if row.kind is Kind.ZAP), key=lambda row: (row.key in ZAPPED_PAIRS, row.key))
    rescues = sorted((row for row in cells if row.kind is Kind.RESCUE), key=lambda row: row.key)
    return {row: cells[row] if row in cells else usual[row] for row in (*_rows(), *zaps, *rescues)}


def _chart_lines(text: str) -> list[tuple[int, str]]:
    """The chart's own lines with their numbers: from the first that is of a chart to the last."""
    stripped = ((number, line.split("#")[0].strip()) for number, line in enumerate(text.splitlines(), start=1))
    lines = [(number, words) for number, words in stripped if words]
    own = [place for place, (_, words) in enumerate(lines) if _is_of_chart(words)]
    return lines[own[0] : own[-1] + 1] if own else []


_BEGINS = re.compile(r"(hard|soft|pairs?|zap|rescue|insurance)\b", re.IGNORECASE)
_UP_CARD = re.compile(r"10|[A1-9TJQK]", re.IGNORECASE | re.ASCII)
_ANSWERS = ("YES", "NO")


def _is_of_chart(words: str) -> bool:
    """A row, the up cards, insurance, or what is meant as one of these and misspelt."""
    letters = words.rpartition(":")[2].replace("|", " ").replace(",", " ").split()
    cells = ":" in words and all(word.upper() in (*_READ, *_ANSWERS) for word in letters)
    up_cards = ":" not in words and all(_UP_CARD.fullmatch(word) for word in letters)
    return bool(letters and (cells or up_cards)) or _BEGINS.match(words) is not None


def _is_header(words: str, line: int, source: str) -> bool:
    if words[0].upper() not in LETTERS + "1":
        return False
    try:
        named = card_values(words.replace("|", " "))
    except NotationError:
        named = ()
    if named != COLUMNS:
        raise ChartError(f"{words!r} does not name the up cards 2 3 4 5 6 7 8 9 T A.", line=line, source=source)
    return True


def _read_insurance(words: str, before: bool | None, line: int, source: str) -> bool:
    answer = words[len("insurance") :].strip(" :").lower()
    if before is not None:
        raise ChartError("insurance is already there.", line=line, source=source)
    if answer not in ("yes", "no"):
        raise ChartError(f"{words!r} does not say whether to insure: write yes or no.", line=line, source=source)
    return answer == "yes"


_ROW = re.compile(
    r"(?P<kind>hard|soft|pair|zap|rescue)s?\s+(?P<keys>[^:\s]+)\s*:(?P<cells>.*)", re.IGNORECASE | re.ASCII
)
_TOTALS = re.compile(r"(?P<first>\d{1,2})(?:-(?P<last>\d{1,2})|(?P<more>\+))?", re.ASCII)


def _read_row(words: str, line: int, source: str) -> tuple[tuple[Row, ...], Cells]:
    match = _ROW.fullmatch(words)
    if not match:
        raise ChartError(f"{words!r} is no row: write it as 'hard 16: S S S S S H H H H H'.", line=line, source=source)
    kind = Kind(match["kind"].lower())
    paired = kind is Kind.PAIR or (kind is Kind.ZAP and "," in match["keys"])
    keys = _read_pair(match["keys"]) if paired else _read_totals(kind, match["keys"])
    if paired and kind is Kind.ZAP:
        keys = tuple(key for key in keys if key in ZAPPED_PAIRS)
    if not keys:
        allowed = "A,A to T,T" if kind is Kind.PAIR else f"{kind.keys.start} to {kind.keys.stop - 1}"
        allowed += ", 8,8 and 9,9" if kind is Kind.ZAP else ""
        raise ChartError(f"{match['keys']!r} is no {kind} hand; there are {allowed}.", line=line, source=source)
    cells = match["cells"].replace("|", " ").replace(",", " ").split()
    if len(cells) != len(COLUMNS):
        raise ChartError(
            f"{kind} {match['keys']} has {len(cells)} cells; there are {len(COLUMNS)} up cards, 2 to A.",
            line=line,
            source=source,
        )
    return tuple(Row(kind, key) for key in keys), tuple(_read_cell(kind, cell, line, source) for cell in cells)


def _read_pair(text: str) -> tuple[int, ...]:
    try:
        values = card_values(text)
    except NotationError:
        return ()
    return values[:1] if len(values) in (1, 2) and len(set(values)) == 1 else ()


def _read_totals(kind: Kind, text: str) -> tuple[int, ...]:
    """`16`, `13-16`, `17+`, and for soft hands also `A,7` or `A7`."""
    if kind is Kind.SOFT and text[:1].upper() == "A":
        try:
            values = card_values(text)
        except NotationError:
            return ()
        return (10 + sum(values),) if len(values) == 2 and 10 + sum(values) in kind.keys else ()
    match = _TOTALS.fullmatch(text)
    if not match:
        return ()
    first = int(match["first"])
    last = kind.keys.stop - 1 if match["more"] else int(match["last"] or first)
    totals = tuple(range(first, last + 1))
    return totals if all(total in kind.keys for total in totals) else ()


def _read_cell(kind: Kind, text: str, line: int, source: str) -> Cell:
    cell = _READ.get(text.upper())
    offered: list[Cell] = [
        cell for cell in Cell if cell is not Cell.ZAP and (kind is Kind.PAIR or cell not in _PAIRS_ONLY)
    ]
    if kind in (Kind.ZAP, Kind.RESCUE):
        offered = list(_OF_ZAPS if kind is Kind.ZAP else _OF_RESCUES)
    if cell not in offered:
        known = ", ".join(offered)
        raise ChartError(f"{text!r} is no cell of a {kind} row; there are {known}.", line=line, source=source)
    return cell


# Following a chart at a table: what it says to the hand whose turn it is.

CELLS: Mapping[str, tuple[str, ...]] = {
    "H": ("hit",),
    "S": ("stand",),
    "D": ("double", "hit"),
    "Ds": ("double", "stand"),
    "R": ("surrender", "hit"),
    "Rs": ("surrender", "stand"),
    "P": ("split",),
    "Rp": ("surrender", "split"),
}
"""What the cells of a chart say, the first that can be done; `Ph` and `N` are read below."""


def gives_up(chart: Chart, cards: Hand, up: int) -> bool:
    """Whether the chart surrenders these two cards against this up card."""
    total, soft = count(map(value, cards))
    one, other = map(value, cards)
    cell = chart.cell(Kind.PAIR, one, up) if one == other else Cell.AS_TOTAL
    if cell is Cell.AS_TOTAL:
        cell = chart.cell(Kind.SOFT if soft else Kind.HARD, total, up)
    return CELLS.get(cell, ("",))[0] == "surrender"


def says(chart: Chart, round_: BlackjackRound) -> list[str]:
    """What the chart says to the hand whose turn it is, the best first: all of it is allowed by the rules."""
    assert round_.turn is not None
    hand, up = round_.seats[round_.turn.seat].hands[round_.turn.hand], value(round_.up_card)
    allowed = [act.name for act in decisions(round_)]
    if hand.doubled:
        return ["surrender", "stand"] if chart.rescues(hand.total, up) else ["stand"]
    total = chart.cell(Kind.SOFT if hand.count.soft else Kind.HARD, hand.total, up)
    cells = [total]
    if hand.pair_value is not None and "split" in allowed:
        pair = chart.cell(Kind.PAIR, hand.pair_value, up)
        if pair is Cell.SPLIT_WITH_DOUBLE:
            pair = Cell.SPLIT if round_.rules.double_after_split else Cell.HIT
        cells = [total] if pair is Cell.AS_TOTAL else [pair, total]
    words = [word for cell in cells for word in CELLS[cell]]
    if "zap" in allowed and chart.zaps((value(hand.cards[0]), value(hand.cards[1])), up):
        words.insert(0, "zap")
    return [word for word in dict.fromkeys((*words, "stand")) if word in allowed]
