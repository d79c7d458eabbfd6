"""A spreadsheet of somebody else computes the workbook: LibreOffice recalculates it, and the edges are those counted.

Then with one pay raised on every sheet: the edge moves by the chance of that line.

    python -m tests.analysis.par.soak_workbook [GAME ...]

Part of `make soak`; where LibreOffice is not installed it says so and fails.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from openpyxl import load_workbook  # type: ignore[import-untyped]

from croupier.analysis.analyst import analyst_of
from croupier.analysis.blackjack.question import Asked
from croupier.analysis.par.sheet import AnyPar
from croupier.analysis.par.workbook import FIRST, as_xlsx, lines_of
from croupier.compliance.approval import shipped_register
from croupier.games.catalogue import ALL_GAMES, find_any_game
from croupier.games.wager import approved_paytable

WITHIN = 1e-9
"""A spreadsheet has fifteen digits, and takes sums of squares."""


def recalculated(content: bytes, folder: Path) -> Any:
    """The workbook as LibreOffice computes and saves it."""
    office = shutil.which("soffice") or shutil.which("libreoffice")
    if office is None:
        sys.exit("LibreOffice is not installed: soffice is needed to recalculate a workbook.")
    before, after = folder / "par.xlsx", folder / "computed"
    before.write_bytes(content)
    profile = f"-env:UserInstallation=file://{folder}/profile"
    command = [office, profile, "--headless", "--convert-to", "ods", "--outdir", str(after), str(before)]
    subprocess.run(command, check=True, capture_output=True, timeout=600)
    again = [office, profile, "--headless", "--convert-to", "xlsx", "--outdir", str(after), str(after / "par.ods")]
    subprocess.run(again, check=True, capture_output=True, timeout=600)
    return load_workbook(after / "par.xlsx", data_only=True)


def differences(par: AnyPar[Any], book: Any) -> Iterator[str]:
    """Every sheet: edge, hit frequency and deviation as computed there, beside what was counted here."""
    for sheet, page in zip(par.sheets, book.worksheets[1:], strict=False):
        computed = {page.cell(row, 1).value: page.cell(row, 2).value for row in range(1, page.max_row + 1)}
        swings = par.swings(sheet)
        expected = {
            "House edge": float(-swings.mean),
            "Standard deviation": swings.deviation,
            "Skewness": swings.skewness,
            "Excess kurtosis": swings.kurtosis,
            "Largest award, net": float(swings.largest),
        }
        for name, counted in expected.items():
            found = computed.get(name)
            if not isinstance(found, int | float) or abs(found - counted) > WITHIN * max(1.0, abs(counted)) * 1e3:
                yield f"{page.title}, {name}: computed {found}, counted {counted}"
            elif name == "House edge" and abs(found - counted) > WITHIN:
                yield f"{page.title}, {name}: computed {found!r}, counted {counted!r}"


def with_a_raised_pay(par: AnyPar[Any], content: bytes) -> tuple[bytes, list[float]]:
    """One unit more on the likeliest line of every sheet; and the edges that come of it."""
    book = load_workbook(io.BytesIO(content))
    edges = []
    for sheet, page in zip(par.sheets, book.worksheets[1:], strict=False):
        lines = lines_of(par, sheet)
        place = max(range(len(lines)), key=lambda place: lines[place].probability)
        cell = page.cell(FIRST + place, 3)
        cell.value = f"{cell.value}+1" if isinstance(cell.value, str) else cell.value + 1
        edges.append(float(-par.swings(sheet).mean - lines[place].probability))
    changed = io.BytesIO()
    book.save(changed)
    return changed.getvalue(), edges


def unmoved(edges: Sequence[float], book: Any) -> Iterator[str]:
    """Sheets whose edge did not follow a raised pay."""
    for edge, page in zip(edges, book.worksheets[1:], strict=False):
        computed = {page.cell(row, 1).value: page.cell(row, 2).value for row in range(1, page.max_row + 1)}
        moved = computed.get("House edge")
        if not isinstance(moved, int | float) or abs(moved - edge) > WITHIN:
            yield f"{page.title}, house edge with a raised pay: computed {moved!r}, expected {edge!r}"


def main(games: Sequence[str]) -> int:
    wrong = 0
    for key in games or [game.key for game in ALL_GAMES.values()]:
        game = find_any_game(key)
        par: AnyPar[Any] = analyst_of(game).par(Asked(), shipped_register(), approved_paytable)
        content = as_xlsx(par)
        with tempfile.TemporaryDirectory() as folder:
            found = list(differences(par, recalculated(content, Path(folder))))
            changed, edges = with_a_raised_pay(par, content)
            found += unmoved(edges, recalculated(changed, Path(folder)))
        print(f"{game.title}: {len(par.sheets)} sheets recalculated, {len(found)} differences")
        for each in found:
            print(f"  {each}")
        wrong += len(found)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
