"""The files that a PAR sheet is written to: one form for people, one for spreadsheets, one for programs, by suffix."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from croupier.analysis.par.sheet import AnyPar
from croupier.analysis.par.typeset import as_html, as_latex
from croupier.analysis.par.workbook import as_csv, as_xlsx

FORMS: dict[str, Callable[[AnyPar[Any]], bytes]] = {
    ".pdf": lambda par: par.as_pdf(),
    ".html": lambda par: as_html(par.in_print).encode(),
    ".tex": lambda par: as_latex(par.in_print).encode(),
    ".xlsx": as_xlsx,
    ".csv": lambda par: as_csv(par).encode(),
    ".json": lambda par: (json.dumps(par.as_json(), indent=2, ensure_ascii=False) + "\n").encode(),
}
"""The same figures in each, byte for byte the same each time."""
