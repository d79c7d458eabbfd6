"""A PAR sheet as a spreadsheet whose figures are formulas, so that a changed pay moves the edge; and as plain rows.

Every sheet of the workbook has the lines of one wager and paytable: the net result and the combinations are numbers,
all else is computed from them by the spreadsheet. Beside the formulas stand the figures as they were counted here.
"""

from __future__ import annotations

import csv
import io
import re
from fractions import Fraction
from typing import Any, NamedTuple

from croupier.analysis.figures import Figures
from croupier.analysis.par.print import SectionInPrint
from croupier.analysis.par.sheet import AnyPar
from croupier.analysis.par.swings import LEVELS, ROUNDS

COLUMNS = ("Line", "Pays", "Net", "Combinations", "Probability", "One in", "Return")
CSV_COLUMNS = (
    *("game", "wager", "paytable", "line", "pays", "net", "combinations", "probability", "probability_exact"),
    *("return", "return_exact", "digest"),
)
FIRST = 6
"""The row of the first line."""
LARGEST_EXACT = 10**15
"""Numbers of a spreadsheet have fifteen digits: larger counts are written as text, beside their chances."""
LONGEST_TITLE = 31
BESIDE = 9
"""The column of what stands to the right of the lines."""
FIXED = "Written once: best play for other pays would count other deals."


class Counted(NamedTuple):
    """A line in numbers."""

    line: str
    pays: str
    net: Fraction
    combinations: int | None
    probability: Fraction
    exact: bool


def lines_of(par: AnyPar[Any], sheet: Any) -> list[Counted]:
    """The lines of a sheet; those that are computed and not counted have no combinations."""
    figures: Figures | None = par._counted(sheet)
    if figures is not None:
        return [
            Counted(line.line, line.pays, line.net, line.combinations, line.probability, True)
            for line in figures.endings
        ]
    return [
        Counted(each["line"], each["pays"], Fraction(each["pays"]), None, Fraction(each["probability"]), False)
        for each in sheet.as_json()["lines"]
    ]


def as_csv(par: AnyPar[Any]) -> str:
    """A line of a paytable each, with its exact fractions."""
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for sheet in par.sheets:
        for each in lines_of(par, sheet):
            worth = each.net * each.probability
            exact = (str(each.probability), str(worth)) if each.exact else ("", "")
            count = "" if each.combinations is None else each.combinations
            about = par.game.key, sheet.wager.key, sheet.paytable_id, each.line, each.pays, str(each.net), count
            writer.writerow(
                (*about, repr(float(each.probability)), exact[0], repr(float(worth)), exact[1], sheet.digest)
            )
    return page.getvalue()


def as_xlsx(par: AnyPar[Any]) -> bytes:
    """The workbook: a summary, and a sheet for each wager and paytable."""
    from openpyxl import Workbook  # type: ignore[import-untyped]
    from openpyxl.styles import Font  # type: ignore[import-untyped]

    book = Workbook()
    summary = book.active
    summary.title = "Summary"
    summary.append([f"{par.game.title}: PAR sheet"])
    for name, value in (*par.in_print.control, *par.in_print.facts, *par.in_print.signatures):
        _append_text(summary, name, value)
    summary.append(["Digest", par.digest])
    summary.append([])
    summary.append(["Wager", "Paytable", "House edge", "Return", "Hit frequency", "Standard deviation", "Digest"])
    summary.cell(summary.max_row, 1).font = summary.cell(1, 1).font = Font(bold=True)
    used: set[str] = {"summary"}
    for sheet in par.sheets:
        title = _title(f"{sheet.wager.title} {sheet.paytable_id}", used)
        page = book.create_sheet(title)
        places = _write(page, par, sheet)
        named = (places[name] for name in ("House edge", "Return", "Hit frequency", "Standard deviation"))
        links = [f"='{title}'!{place}" for place in named]
        summary.append([sheet.wager.title, str(sheet.paytable_id), *links, sheet.digest])
        for column in (3, 4, 5):
            summary.cell(summary.max_row, column).number_format = "0.0000%"
    summary.column_dimensions["A"].width = 34
    for section in par.in_print.sections:
        _write_section(book.create_sheet(_title(section.title, used)), section)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def _title(name: str, used: set[str]) -> str:
    """What a sheet may be called: short, without some signs, and once."""
    plain = re.sub(r"[\[\]:*?/\\']", " ", name)[:LONGEST_TITLE].strip()
    found, number = plain, 2
    while found.lower() in used:
        found, number = f"{plain[: LONGEST_TITLE - 4]} ({number})", number + 1
    used.add(found.lower())
    return found


def _write(page: Any, par: AnyPar[Any], sheet: Any) -> dict[str, str]:
    """One wager; gives the cell of each figure."""
    lines = lines_of(par, sheet)
    last = FIRST + len(lines) - 1
    page.append([f"{sheet.wager.title}, paytable {sheet.paytable_id}"])
    page.append(["Digest", sheet.digest])
    page.append([f"Change a figure under Net and everything below follows. {FIXED if sheet.strategy else ''}".strip()])
    page.append([])
    page.append(list(COLUMNS))
    large = any((each.combinations or 0) > LARGEST_EXACT for each in lines)
    for row, each in enumerate(lines, start=FIRST):
        page.cell(row, 1, each.line)
        page.cell(row, 2, each.pays)
        page.cell(row, 3, _number(each.net))
        if each.combinations is not None:
            page.cell(row, 4, str(each.combinations) if large else each.combinations)
        counted = each.combinations is not None and not large
        page.cell(row, 5, f"=D{row}/SUM(D${FIRST}:D${last})" if counted else float(each.probability))
        page.cell(row, 6, f'=IF(E{row}>0,1/E{row},"never")')
        page.cell(row, 7, f"=C{row}*E{row}")
    net, chance = f"C{FIRST}:C{last}", f"E{FIRST}:E{last}"
    total = last + 1
    page.cell(total, 1, "Total")
    page.cell(total, 5, f"=SUM({chance})")
    page.cell(total, 7, f"=SUM(G{FIRST}:G{last})")
    mean, figures = f"G{total}", {}
    deviation = f"B{total + 5}"
    beside = par.swings(sheet).known
    counted_edge = f"C{total + 2}"
    written = (
        ("House edge", f"=-{mean}", "0.000000%"),
        ("Return", f"=1-{counted_edge}" if beside else f"=1+{mean}", "0.000000%"),
        ("Hit frequency", f'=SUMIF({net},">0",{chance})', "0.000000%"),
        ("Standard deviation", f"=SQRT(SUMPRODUCT({net},{net},{chance})-{mean}^2)", "0.000000"),
        ("Skewness", f"=SUMPRODUCT(({net}-{mean})^3,{chance})/{deviation}^3", "0.0000"),
        ("Excess kurtosis", f"=SUMPRODUCT(({net}-{mean})^4,{chance})/{deviation}^4-3", "0.0000"),
        ("Volatility index, 90 %", f"=1.645*{deviation}", "0.0000"),
        ("Largest award, at most", _number(beside.most), "0.00")
        if beside
        else ("Largest award, net", f"=MAX({net})", "0.00"),
    )
    said = sheet.as_json()
    known = {"House edge": said["house_edge"], "Hit frequency": said["hit_frequency"]}
    for row, (name, formula, form) in enumerate(written, start=total + 2):
        page.cell(row, 1, name)
        page.cell(row, 2, formula).number_format = form
        figures[name] = f"B{row}"
        if name in known:
            page.cell(row, 3, known[name]["percent"] / 100).number_format = form
            page.cell(row, 4, known[name]["exact"] or "")
    if beside:  # the lines are sampled, the edge is counted
        figures["House edge"] = counted_edge
    _write_confidence(page, edge=figures["House edge"], deviation=figures["Standard deviation"])
    page.cell(total + 1, 2, "computed here")
    page.cell(total + 1, 3, "as counted")
    for column, width in (("A", 34), ("B", 22), ("C", 14), ("D", 22), ("E", 18), ("G", 18)):
        page.column_dimensions[column].width = width
    return figures


def _write_confidence(page: Any, *, edge: str, deviation: str) -> None:
    """Confidence of hold by rounds to the right of the lines, as formulas over the edge and the deviation."""
    page.cell(FIRST - 2, BESIDE, "Confidence of hold by rounds (normal law)")
    page.cell(FIRST - 1, BESIDE, "Rounds")
    for place, level in enumerate(LEVELS):
        page.cell(FIRST - 1, BESIDE + 1 + 2 * place, f"{int(100 * level)} %, from")
        page.cell(FIRST - 1, BESIDE + 2 + 2 * place, "to")
    for row, rounds in enumerate(ROUNDS, start=FIRST):
        cell = page.cell(row, BESIDE, rounds)
        cell.number_format = "#,##0"
        for place, level in enumerate(LEVELS):
            reach = f"NORMSINV({(1 + float(level)) / 2!r})*{deviation}/SQRT({cell.coordinate})"
            for column, sign in ((1 + 2 * place, "-"), (2 + 2 * place, "+")):
                page.cell(row, BESIDE + column, f"={edge}{sign}{reach}").number_format = "0.000%"


def _write_section(page: Any, section: SectionInPrint) -> None:
    page.append([section.title])
    for words in section.words:
        page.append([words])
    for table in section.tables:
        page.append([])
        page.append([table.title])
        page.append(list(table.columns))
        for row in table.rows:
            _append_text(page, *row)
        if table.note:
            page.append([table.note])


def _append_text(page: Any, *row: str) -> None:
    """A row of words: what begins as a formula does is text all the same."""
    page.append(list(row))
    for cell in page[page.max_row]:
        if cell.data_type == "f":
            cell.data_type = "s"


def _number(net: Fraction) -> int | float | str:
    """A whole number as it is, any other as the division that it is."""
    return int(net) if net.denominator == 1 else f"={net.numerator}/{net.denominator}"
