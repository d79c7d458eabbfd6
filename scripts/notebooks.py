"""Runs the notebooks of `docs/examples/notebooks` and writes what their cells answer, as Jupyter would.

    python -m scripts.notebooks

Cells are plain Python, run in their order in one namespace; the value of a last expression is shown as Jupyter does.
The tests run them too, and compare the answers with those that are kept.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = ROOT / "docs" / "examples" / "notebooks"
SHOWS = {"text/html": "_repr_html_", "image/svg+xml": "_repr_svg_"}


def answers(notebook: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """The outputs of each code cell."""
    names: dict[str, Any] = {"__name__": "__main__"}
    codes = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return [_run(code, names, number) for number, code in enumerate(codes, start=1)]


def _run(code: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    value: Any = None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
    found: list[dict[str, Any]] = []
    if printed.getvalue():
        found.append({"output_type": "stream", "name": "stdout", "text": _lines(printed.getvalue())})
    if value is not None:
        data = {"text/plain": _lines(repr(value))}
        data |= {kind: _lines(getattr(value, way)()) for kind, way in SHOWS.items() if hasattr(value, way)}
        found.append({"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data})
    return found


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def written(notebook: dict[str, Any]) -> str:
    """The notebook with its answers."""
    found = iter(enumerate(answers(notebook), start=1))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["execution_count"], cell["outputs"] = next(found)
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    for file in sorted(NOTEBOOKS.glob("*.ipynb")):
        file.write_text(written(json.loads(file.read_text(encoding="utf-8"))), encoding="utf-8")
        print(f"{file.relative_to(ROOT)}: written")


if __name__ == "__main__":
    main()
