"""A PAR sheet as a spreadsheet whose figures are formulas, so that a changed pay moves the edge; and as plain rows.

Every sheet of the workbook has the lines of one wager and paytable: the net result and the combinations are numbers,
all else is computed from them by the spreadsheet. Beside the formulas stand the figures as they were counted here.

Where lines are sampled, that is said beside them, and the house edge is the counted one: a changed pay moves it by what
it moves the mean of the lines.
"""

from __future__ import annotations

import csv
import io
import re
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

from croupier.analysis.figures import Figures
from croupier.analysis.par.print import SectionInPrint
from croupier.analysis.par.sheet import AnyPar
from croupier.analysis.par.swings import LEVELS, ROUNDS, Known, factor

COLUMNS = ("Line", "Pays", "Net", "Combinations", "Probability", "One in", "Return")
SAMPLED_COLUMNS = ("Probability, 99 % from", "to")
"""To the right of those, where the lines are sampled."""
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
"""The column of what stands to the right of the lines, unless they are sampled."""
FIXED = "Written once: best play for other pays would count other deals."
SAMPLED_EDGE = (
    "The house edge is the counted one, and follows a change by what that makes of the mean of the sampled lines."
)
SAMPLED = "sampled"


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
        Counted(line["line"], line["pays"], Fraction(line["pays"]), None, Fraction(line["probability"]), False)
        for line in sheet.as_json()["lines"]
    ]


def as_csv(par: AnyPar[Any]) -> str:
    """A line of a paytable each, with its exact fractions."""
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for sheet in par.sheets:
        for line in lines_of(par, sheet):
            worth = line.net * line.probability
            exact = (str(line.probability), str(worth)) if line.exact else ("", "")
            count = "" if line.combinations is None else line.combinations
            about = par.game.key, sheet.wager.key, sheet.paytable_id, line.line, line.pays, str(line.net), count
            writer.writerow(
                (*about, repr(float(line.probability)), exact[0], repr(float(worth)), exact[1], sheet.digest)
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
    sheet_name, number = plain, 2
    while sheet_name.lower() in used:
        sheet_name, number = f"{plain[: LONGEST_TITLE - 4]} ({number})", number + 1
    used.add(sheet_name.lower())
    return sheet_name


def _write(page: Any, par: AnyPar[Any], sheet: Any) -> dict[str, str]:
    """One wager; gives the cell of each figure."""
    lines, known = lines_of(par, sheet), par.swings(sheet).known
    last = FIRST + len(lines) - 1
    follows = "Change a figure under Net and everything below follows.", FIXED if sheet.strategy else ""
    page.append([f"{sheet.wager.title}, paytable {sheet.paytable_id}"])
    page.append(["Digest", sheet.digest])
    page.append([" ".join(words for words in (*follows, SAMPLED_EDGE if known else "") if words)])
    page.append([known.words] if known else [])
    page.append([*COLUMNS, *(SAMPLED_COLUMNS if known else ())])
    large = any((line.combinations or 0) > LARGEST_EXACT for line in lines)
    for row, line in enumerate(lines, start=FIRST):
        page.cell(row, 1, line.line)
        page.cell(row, 2, line.pays)
        page.cell(row, 3, _number(line.net))
        if line.combinations is not None:
            page.cell(row, 4, str(line.combinations) if large else line.combinations)
        counted = line.combinations is not None and not large
        page.cell(row, 5, f"=D{row}/SUM(D${FIRST}:D${last})" if counted else float(line.probability))
        page.cell(row, 6, f'=IF(E{row}>0,1/E{row},"never")')
        page.cell(row, 7, f"=C{row}*E{row}")
        for column, bound in enumerate(known.chance_within(line.probability, LEVELS[-1]) if known else (), start=8):
            page.cell(row, column, bound)
    net, chance = f"C{FIRST}:C{last}", f"E{FIRST}:E{last}"
    total = last + 1
    page.cell(total, 1, "Total")
    page.cell(total, 5, f"=SUM({chance})")
    page.cell(total, 7, f"=SUM(G{FIRST}:G{last})")
    mean, edge, deviation = f"G{total}", f"B{total + 2}", f"B{total + 5}"
    # Of the lines that can come: with one deck some never do.
    edge_formula, largest, written_mean = f"-{mean}", f"SUMPRODUCT(MAX(({net})*({chance}>0)))", f"B{total + 10}"
    if known:
        edge_formula, largest = f"C{total + 2}-({mean}-{written_mean})", f"MAX({known.most},{largest})"
    written = (
        ("House edge", f"={edge_formula}", "0.000000%"),
        ("Return", f"=1-{edge}", "0.000000%"),
        ("Hit frequency", f'=SUMIF({net},">0",{chance})', "0.000000%"),
        ("Standard deviation", f"=SQRT(SUMPRODUCT({net},{net},{chance})-{mean}^2)", "0.000000"),
        ("Skewness", f"=SUMPRODUCT(({net}-{mean})^3,{chance})/{deviation}^3", "0.0000"),
        ("Excess kurtosis", f"=SUMPRODUCT(({net}-{mean})^4,{chance})/{deviation}^4-3", "0.0000"),
        ("Volatility index, 90 %", f"=1.645*{deviation}", "0.0000"),
        ("Largest award, net", f"={largest}", "0.00"),
    )
    fields, figures = sheet.as_json(), {}
    beside = {"House edge": fields["house_edge"]} | ({} if known else {"Hit frequency": fields["hit_frequency"]})
    for row, (name, formula, form) in enumerate(written, start=total + 2):
        page.cell(row, 1, name)
        page.cell(row, 2, formula).number_format = form
        figures[name] = f"B{row}"
        if name in beside:
            page.cell(row, 3, beside[name]["percent"] / 100).number_format = form
            page.cell(row, 4, beside[name]["exact"] or "")
        elif known:
            page.cell(row, 4, "" if name == "Return" else SAMPLED)
    if known:
        page[f"D{total + 9}"] = "at most, by the rules"
        _write_mean(page, total + 10, lines, known)
    _write_confidence(page, BESIDE + (len(SAMPLED_COLUMNS) if known else 0), edge=edge, deviation=deviation)
    page.cell(total + 1, 2, "computed here")
    page.cell(total + 1, 3, "as counted")
    for letter, width in (("A", 34), ("B", 22), ("C", 14), ("D", 22), ("E", 18), ("G", 18)):
        page.column_dimensions[letter].width = width
    return figures


def _write_mean(page: Any, row: int, lines: list[Counted], known: Known) -> None:
    """Of sampled lines as they were written, from which a change is taken; it is no house edge."""
    mean = sum((line.net * line.probability for line in lines), Fraction(0))
    variance = sum((line.net**2 * line.probability for line in lines), Fraction(0)) - mean**2
    within = factor(LEVELS[-1]) * sqrt(variance / known.rounds)
    page.cell(row, 1, "Mean of the lines, as written")
    page.cell(row, 2, float(mean)).number_format = "0.000000%"
    page.cell(row, 4, f"{SAMPLED}, to within {100 * within:.4f} % with 99 % confidence")


def _write_confidence(page: Any, first: int, *, edge: str, deviation: str) -> None:
    """Confidence of hold by rounds, from a column to the right, as formulas over the edge and the deviation."""
    page.cell(FIRST - 2, first, "Confidence of hold by rounds (normal law)")
    page.cell(FIRST - 1, first, "Rounds")
    for place, level in enumerate(LEVELS):
        page.cell(FIRST - 1, first + 1 + 2 * place, f"{int(100 * level)} %, from")
        page.cell(FIRST - 1, first + 2 + 2 * place, "to")
    for row, rounds in enumerate(ROUNDS, start=FIRST):
        cell = page.cell(row, first, rounds)
        cell.number_format = "#,##0"
        for place, level in enumerate(LEVELS):
            reach = f"NORMSINV({(1 + float(level)) / 2!r})*{deviation}/SQRT({cell.coordinate})"
            for column, sign in ((1 + 2 * place, "-"), (2 + 2 * place, "+")):
                page.cell(row, first + column, f"={edge}{sign}{reach}").number_format = "0.000%"


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
