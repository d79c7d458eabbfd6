"""A paytable as people keep it in a spreadsheet: hands in one column, pays in another, with or without a heading.

    Hand              Pays              Straight Flush,40:1           Hand,Combinations,Table 1,Table 2
    Straight Flush    40 to 1           Flush,4                       Pair,3744,1 to 1,1 to 1

A bare number is a pay `to 1`, or `for 1` where the heading says so. Columns of counts and chances are left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from croupier.errors import NotationError, PaytableError, UnknownName
from croupier.games.paytable import Paytable, plain_label

Grid = Sequence[Sequence[str]]
"""Cells as text, row by row; rows need not be of one length."""
NO_PAYS = re.compile(r"comb|prob|chance|freq|return|contrib|one in|edge|count|ways|odds against", re.IGNORECASE)
WORDS = {"even money": "1 to 1", "even": "1 to 1", "tie": "push", "pushes": "push", "loss": "lose", "loses": "lose"}
_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_ODDS = re.compile(rf"(?P<win>{_NUMBER})\s*(?:to|:|/|-|–)\s*(?P<stake>\d+)", re.IGNORECASE)
_BARE = re.compile(rf"\+?(?P<win>{_NUMBER})\s*[x×]?", re.IGNORECASE)
_WRITTEN = re.compile(r".*(?:\d\s*(?:to|for)\s*\d|%).*|push|lose", re.IGNORECASE)


def read_grid(name: str, grid: Grid, column: str = "") -> Paytable:
    """The paytable in a grid of cells; where several columns hold pays, the one that is named."""
    rows = [(number, [cell.strip() for cell in row]) for number, row in enumerate(grid, 1) if any(map(str.strip, row))]
    if not rows:
        raise PaytableError("there is no row; write a hand and its pay in each.", source=name)
    width = max(len(cells) for _, cells in rows)
    rows = [(number, [*cells, *[""] * (width - len(cells))]) for number, cells in rows]
    hands = _hands_column(name, rows, width)
    heading = rows[0][1] if not _pays_in(rows[0][1], hands) else [""] * width
    body = rows[1:] if any(heading) else rows
    pays = _pays_column(name, heading, body, hands, column)
    for_one = bool(re.search(r"\bfor\b", heading[pays], re.IGNORECASE))
    lines: dict[int, str] = {}
    for number, cells in body:
        if cells[hands] and cells[pays]:
            lines[number] = f"{cells[hands]}   {_pay(cells[pays], number, name, for_one=for_one)}"
    # Every row keeps the number that it has in the sheet, so that an error says where.
    last = max(lines, default=0)
    return Paytable.parse(name, "\n".join(lines.get(number, "") for number in range(1, last + 1)))


def _is_pay(cell: str) -> bool:
    plain = cell.strip()
    return bool(plain.lower() in WORDS or _WRITTEN.fullmatch(plain) or _ODDS.fullmatch(plain) or _BARE.fullmatch(plain))


def _pays_in(cells: Sequence[str], hands: int) -> bool:
    return any(_is_pay(cell) for place, cell in enumerate(cells) if place != hands and cell)


def _hands_column(name: str, rows: Sequence[tuple[int, Sequence[str]]], width: int) -> int:
    """The first column that is mostly words."""
    for place in range(width):
        cells = [cells[place] for _, cells in rows if cells[place]]
        if cells and sum(not _is_pay(cell) for cell in cells) * 2 > len(cells):
            return place
    raise PaytableError("no column names hands; write a hand and its pay in each row.", source=name)


def _pays_column(
    name: str, heading: Sequence[str], body: Sequence[tuple[int, Sequence[str]]], hands: int, column: str
) -> int:
    able = [
        place
        for place in range(len(heading))
        if place != hands
        and not NO_PAYS.search(heading[place])
        and any(_is_pay(cells[place]) for _, cells in body if cells[place])
    ]
    if column:
        named = {plain_label(heading[place]): place for place in able if heading[place]}
        if plain_label(column) not in named:
            raise UnknownName(f"column of pays in {name}", column, [heading[place] for place in able if heading[place]])
        return named[plain_label(column)]
    if not able:
        raise PaytableError("no column holds pays; write them as '40 to 1', '40:1' or 40.", source=name)
    if len(able) > 1:
        titles = ", ".join(heading[place] or f"column {place + 1}" for place in able)
        raise NotationError(f"{name} has several columns of pays ({titles}): say which, as {name}#{heading[able[0]]}.")
    return able[0]


def _pay(cell: str, number: int, name: str, *, for_one: bool) -> str:
    """As the felt prints it."""
    plain = cell.strip()
    if plain.lower() in WORDS:
        return WORDS[plain.lower()]
    if _WRITTEN.fullmatch(plain):
        return plain
    odds, bare = _ODDS.fullmatch(plain), _BARE.fullmatch(plain)
    if odds:
        return f"{odds['win']} to {odds['stake']}"
    if bare and float(bare["win"].replace(",", "")) > 0:
        return f"{bare['win']} {'for' if for_one else 'to'} 1"
    sentence = f"{cell[:60]!r} is no pay: write '40 to 1', '40:1', 40, push or lose."
    raise PaytableError(sentence, line=number, source=name)
