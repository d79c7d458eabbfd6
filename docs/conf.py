"""How the site of the documentation is made from the pages of this folder: `make site`.

The pages are plain Markdown that reads well without the site. What stands where in it is said here, in `NAVIGATION`.
"""

from __future__ import annotations

import base64
import json
import os
import re
from pathlib import Path
from typing import Any

from docutils import nodes  # type: ignore[import-untyped]
from myst_parser.parsers.sphinx_ import MystParser
from pygments.lexers.special import TextLexer  # type: ignore[import-untyped]
from sphinx.application import Sphinx

import croupier

HERE = Path(__file__).resolve().parent
PAGES = HERE.parent / "src" / "croupier" / "web" / "pages" / "static"
"""Typefaces and the mark of the house are those of the program's own pages."""

project = "Croupier"
release = version = croupier.__version__
language = "en"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["pictures", "examples/plan"]
smartquotes = False
default_role = "literal"

myst_heading_anchors = 6

autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": True}
autodoc_typehints = "signature"
autodoc_type_aliases = {name: name for name in ("Pays", "Amounts", "Row", "Exact", "Hand", "Ranks")}
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = "Croupier"
html_logo = html_favicon = str(PAGES / "icon.svg")
html_static_path = ["_static", str(PAGES / "fonts")]
html_css_files = ["site.css"]
html_copy_source = html_show_sourcelink = html_show_copyright = html_show_sphinx = False
html_use_index = False
html_theme_options = {"sidebar_hide_name": False, "navigation_with_keys": False}
pygments_style, pygments_dark_style = "tango", "github-dark"

NAVIGATION: dict[str, dict[str, list[str]]] = {
    "index": {
        "Tutorials": ["tutorials/notebook", "tutorials/evening", "tutorials/own-game"],
        "How-to: the analyst": [
            *("guides/paytables", "guides/vulnerability", "guides/meter-planner", "guides/laboratory"),
            *("guides/adding-a-game", "guides/library"),
        ],
        "How-to: the floor": [
            *("guides/server", "guides/pages", "guides/table-bridge", "guides/reports", "guides/ledger"),
            *("guides/stores", "guides/approvals", "guides/jurisdictions", "guides/inspector"),
        ],
        "How-to: programs": ["guides/client", "guides/games-api", "examples/notebooks"],
        "Reference": [
            *("reference/commands", "reference/library", "rulebook/README", "reference/edges", "reference/figures"),
            *("reference/readings", "reference/sentences", "guides/authority", "formats/ledger"),
            *("formats/table-bridge", "glossary", "decisions/README", "project/changelog"),
        ],
        "Explanation": [
            *("explanation/one-definition", "explanation/exact", "explanation/readings", "architecture"),
            *("guides/security", "project/security", "design", "project/contributing"),
        ],
    },
    "examples/notebooks": {"": [f"examples/notebooks/{name}" for name in ("paytables", "blackjack", "own-game")]},
    "rulebook/README": {"": sorted(f"rulebook/{page.stem}" for page in (HERE / "rulebook").glob("[a-z]*.md"))},
    "reference/sentences": {
        "": sorted(f"reference/{page.stem}" for page in (HERE / "reference").glob("sentences-*.md"))
    },
    "decisions/README": {"": sorted(f"decisions/{page.stem}" for page in (HERE / "decisions").glob("[0-9]*.md"))},
}
"""By page: captions, and the pages below it in their order. Every page is in it once."""

OUTSIDE = {
    "CONTRIBUTING.md": "project/contributing",
    "SECURITY.md": "project/security",
    "CHANGELOG.md": "project/changelog",
}
"""Pages at the root of the repository, and where the site shows them."""
_ENDS_BLANK = re.compile(r"(```pycon\n(?:(?!```).)*?)\n+```", re.DOTALL)
"""Examples that are run end in a blank line, which is nothing to look at."""
_LINK = re.compile(rf"(\]\()(?:\.\./)+({'|'.join(map(re.escape, OUTSIDE))})")


def with_navigation(_: Sphinx, page: str, source: list[str]) -> None:
    """A page with the pages below it, and with links that stay in the site."""
    source[0] = _ENDS_BLANK.sub(r"\1\n```", source[0])
    below = os.path.relpath(HERE, (HERE / page).parent)
    source[0] = _LINK.sub(lambda link: f"{link[1]}{below}/{OUTSIDE[link[2]]}.md", source[0])
    for caption, pages in NAVIGATION.get(page, {}).items():
        listed = "\n".join(f"/{name}" for name in pages)
        options = f":hidden:\n:caption: {caption}" if caption else ":hidden:"
        source[0] += f"\n\n```{{toctree}}\n{options}\n\n{listed}\n```\n"


class NotebookParser(MystParser):
    """A notebook as a page: what its cells say, and what they answered when the tests ran them."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        super().parse(in_markdown(json.loads(inputstring)) if inputstring.startswith("{") else inputstring, document)


def in_markdown(notebook: dict[str, Any]) -> str:
    parts: list[str] = []
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
        parts.extend(_answer(each) for each in cell.get("outputs", ()))
    return "\n\n".join(parts)


def _answer(output: dict[str, Any]) -> str:
    data = {kind: "".join(lines) for kind, lines in output.get("data", {}).items()}
    if "image/svg+xml" in data:
        drawn = base64.b64encode(data["image/svg+xml"].encode()).decode()
        return f'```{{raw}} html\n<img class="answer" alt="" src="data:image/svg+xml;base64,{drawn}">\n```'
    if "text/html" in data:
        return f'```{{raw}} html\n<div class="answer table-wrapper">{data["text/html"]}</div>\n```'
    return f"```text\n{data.get('text/plain') or ''.join(output.get('text', ()))}\n```"


def without_constructor(_: Sphinx, kind: str, name: str, *__: object) -> tuple[str, str] | None:
    """What the library returns is not made by whoever reads about it."""
    return ("", "") if kind == "class" and not name.startswith("croupier.language") else None


def setup(app: Sphinx) -> None:
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
    app.add_lexer("transcript", TextLexer)
    app.connect("source-read", with_navigation)
    app.connect("autodoc-process-signature", without_constructor)
