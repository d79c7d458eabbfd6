"""A PAR sheet as one page of HTML that needs no other file, and as LaTeX: the words and figures of `InPrint`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from typing import NamedTuple

from croupier.analysis.par.print import METERED, InPrint, SheetInPrint, TableInPrint

LINE_COLUMNS = ("Line", "Pays", "Net", "Combinations", "Probability", "One in", "Return contribution")
SUMMARY = ("Wager", "Paytable", "House edge", "Return", "Hit frequency", "Standard deviation")
DATED = ("Signed as", "Name", "Date", "Signature")


class Part(NamedTuple):
    """A heading, with what stands under it: sentences, pairs and tables, in this order."""

    level: int
    title: str
    words: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    tables: tuple[TableInPrint, ...] = ()


def parts_of(content: InPrint) -> Iterator[Part]:
    """The whole document in the order in which it is read."""
    facts = (*content.control, *content.facts, ("Digest", f"SHA-256 over {content.digest_of}: {content.digest}"))
    yield Part(1, f"{content.title}: PAR sheet", pairs=facts, tables=tuple(_signatures(content)))
    yield Part(2, "Summary", tables=tuple(_summary(content)))
    yield Part(2, "Definitions", pairs=content.definitions)
    for wager in content.wagers:
        if wager.overview:
            view = wager.overview
            columns = ("Hand", "Combinations", *(f"Table {name}" for name in view.paytables))
            side_by_side = TableInPrint("Paytables side by side", columns, 1, view.pays)
            yield Part(2, wager.title, tables=(side_by_side,))
        for sheet in wager.sheets:
            yield _sheet(sheet)
    for section in content.sections:
        yield Part(2, section.title, section.words, tables=section.tables)


def _signatures(content: InPrint) -> Iterator[TableInPrint]:
    if content.signatures:
        rows = tuple((role, name, "", "") for role, name in content.signatures)
        yield TableInPrint("Signatures", DATED, len(DATED), rows)


def _summary(content: InPrint) -> Iterator[TableInPrint]:
    sheets = [sheet for wager in content.wagers for sheet in wager.sheets]
    rows = tuple((sheet.wager, sheet.paytable, *(figure.value for figure in sheet.figures[:4])) for sheet in sheets)
    yield TableInPrint("", SUMMARY, 2, rows)
    metered = [sheet for sheet in sheets if sheet.priced_at]
    if metered:
        columns = ("Progressive", "Paytable", "Priced at, in wagers", "House edge there", "Hold")
        lines = tuple(
            (sheet.wager, sheet.paytable, sheet.priced_at, sheet.figures[0].value, sheet.hold) for sheet in metered
        )
        yield TableInPrint("Progressives", columns, 3, lines, note=METERED)


def _sheet(sheet: SheetInPrint) -> Part:
    strategy = f"Strategy: {sheet.strategy}." if sheet.strategy else ""
    words = tuple(note for note in (sheet.notice, sheet.basis, strategy, *sheet.notes) if note)
    pairs = [
        (figure.name, f"{figure.value}{f' (exactly {figure.exact})' if figure.exact else ''}")
        for figure in sheet.figures
    ]
    return Part(
        3,
        f"{sheet.wager}, paytable {sheet.paytable}",
        words,
        (*pairs, ("Digest", sheet.digest)),
        tuple(_tables(sheet)),
    )


def _tables(sheet: SheetInPrint) -> Iterator[TableInPrint]:
    rows = [
        (line.line, line.pays, line.net, line.combinations, line.probability, line.one_in, line.contribution)
        for line in (*sheet.lines, sheet.total)
    ]
    kept = [place for place in range(len(LINE_COLUMNS)) if any(row[place] for row in rows)]
    columns = tuple(LINE_COLUMNS[place] for place in kept)
    words = 2 if "Pays" in columns else 1
    yield TableInPrint("Lines", columns, words, tuple(tuple(row[place] for place in kept) for row in rows), total=True)
    if sheet.printed:
        printed = tuple(
            (figure.label, figure.verdict, figure.note, figure.printed, figure.counted) for figure in sheet.printed
        )
        yield TableInPrint("Printed figures", ("Figure", "Verdict", "Note", "Printed", "Counted"), 3, printed)
    yield from sheet.tables
    if sheet.confidence:
        yield sheet.confidence
    if sheet.strategies:
        columns = (
            "Strategy",
            "House edge",
            "Element of risk",
            "Mean staked",
            "Hit frequency",
            "Costs",
            "First hands worse",
        )
        compared = tuple(
            (s.name, s.house_edge, s.element_of_risk, s.mean_staked, s.hit_frequency, s.cost, s.hands_worse)
            for s in sheet.strategies
        )
        yield TableInPrint("Strategies compared", columns, 1, compared)
    if sheet.chart:
        chart = tuple((row.kind, row.action, row.hands, row.share, row.value) for row in sheet.chart)
        yield TableInPrint("The optimal strategy", ("Hand", "Action", "Hands", "Share", "Mean result"), 2, chart)
    if sheet.grid:
        legend = "; ".join(f"{cell}: {words}" for cell, words in sheet.grid.legend)
        columns = ("Hand", *sheet.grid.columns)
        note = f"{legend}. {sheet.grid.note}"
        yield TableInPrint(sheet.grid.title, columns, 1, sheet.grid.rows, note=note)


# HTML


def as_html(content: InPrint) -> str:
    """One file: its style is in it, and it asks for no other."""
    style = files("croupier.analysis.par").joinpath("report.css").read_text(encoding="utf-8")
    title = escape(f"{content.title}: PAR sheet")
    body = "\n".join(line for part in parts_of(content) for line in _html_part(part))
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<style>\n{style}</style>\n</head>\n'
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _html_part(part: Part) -> Iterator[str]:
    yield f"<h{part.level}>{escape(part.title)}</h{part.level}>"
    yield from (f"<p>{escape(words)}</p>" for words in part.words)
    if part.pairs:
        yield "<dl>"
        yield from (f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in part.pairs)
        yield "</dl>"
    for table in part.tables:
        yield from _html_table(table)


def _html_table(table: TableInPrint) -> Iterator[str]:
    yield '<div class="wide" role="region" tabindex="0" aria-label="{}">'.format(escape(table.title or "Summary"))
    yield "<table>"
    if table.title:
        yield f"<caption>{escape(table.title)}</caption>"
    yield f"<thead><tr>{_cells('th', table.columns, table.words)}</tr></thead>"
    rows, total = (table.rows[:-1], table.rows[-1:]) if table.total else (table.rows, ())
    yield "<tbody>"
    yield from (f"<tr>{_cells('td', row, table.words)}</tr>" for row in rows)
    yield "</tbody>"
    yield from (f"<tfoot><tr>{_cells('td', row, table.words)}</tr></tfoot>" for row in total)
    yield "</table></div>"
    if table.note:
        yield f"<p class='note'>{escape(table.note)}</p>"


def _cells(tag: str, cells: Iterable[str], words: int) -> str:
    kinds = ("" if place < words else ' class="n"' for place in range(1000))
    scope = ' scope="col"' if tag == "th" else ""
    return "".join(f"<{tag}{scope}{kind}>{escape(cell)}</{tag}>" for cell, kind in zip(cells, kinds, strict=False))


# LaTeX

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\u2013": "--",
    "\u2019": "'",
    "\u201c": "``",
    "\u201d": "''",
    "\u00d7": r"$\times$",
    "\u2212": "$-$",
    "♣": r"$\clubsuit$",
    "♦": r"$\diamondsuit$",
    "♥": r"$\heartsuit$",
    "♠": r"$\spadesuit$",
}
LONGEST_WORD = 30
"""A longer one, as a digest, may break anywhere."""
LEFT, RIGHT = r"\raggedright", r"\raggedleft"
HEADINGS = {1: "section*", 2: "section", 3: "subsection"}
PREAMBLE = r"""\documentclass[10pt,letterpaper]{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage[margin=0.8in]{geometry}
\usepackage{longtable,booktabs,array,seqsplit}
\setlength{\tabcolsep}{4pt}
\setlength{\parindent}{0pt}
\begin{document}
"""


def as_latex(content: InPrint) -> str:
    """A document that any TeX sets, with the packages that every installation has."""
    body = "\n".join(line for part in parts_of(content) for line in _latex_part(part))
    return f"{PREAMBLE}{body}\n\\end{{document}}\n"


def _tex(text: str) -> str:
    return " ".join(_tex_word(word) for word in text.split(" "))


def _tex_word(word: str) -> str:
    plain = "".join(_SPECIAL.get(sign, sign) for sign in word)
    if len(word) <= LONGEST_WORD or plain != word:
        return plain
    return f"\\seqsplit{{{word}}}"


def _latex_part(part: Part) -> Iterator[str]:
    yield f"\\{HEADINGS[part.level]}{{{_tex(part.title)}}}"
    yield from (f"{_tex(words)}\n" for words in part.words)
    if part.pairs:
        yield from _longtable(r"p{0.26\linewidth}p{0.68\linewidth}", (), part.pairs)
    for table in part.tables:
        yield from _latex_table(table)


def _latex_table(table: TableInPrint) -> Iterator[str]:
    if table.title:
        yield f"\\subsubsection*{{{_tex(table.title)}}}"
    # As wide as its longest cell for its share of the line.
    widths = [max(len(cell) for cell in column) for column in zip(table.columns, *table.rows, strict=True)]
    shares = [min(max(width, 4), 40) for width in widths]
    size = r"\scriptsize" if sum(shares) > 90 else r"\small"
    spec = "".join(
        f">{{{LEFT if place < table.words else RIGHT}\\arraybackslash}}"
        f"p{{{0.92 * share / sum(shares) - 0.012:.3f}\\linewidth}}"
        for place, share in enumerate(shares)
    )
    yield f"{{{size}"
    yield from _longtable(spec, table.columns, table.rows, total=table.total)
    yield "}"
    if table.note:
        yield f"{{\\small {_tex(table.note)}}}\n"


def _longtable(
    spec: str, columns: Sequence[str], rows: Sequence[Sequence[str]], *, total: bool = False
) -> Iterator[str]:
    yield f"\\begin{{longtable}}{{{spec}}}\n\\toprule"
    if columns:
        yield " & ".join(map(_tex, columns)) + r" \\ \midrule \endhead"
    for place, row in enumerate(rows):
        if total and place == len(rows) - 1:
            yield r"\midrule"
        yield " & ".join(map(_tex, row)) + r" \\"
    yield "\\bottomrule\n\\end{longtable}"
