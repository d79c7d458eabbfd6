"""The documentation as a site: it builds without a warning, fetches nothing, and every example in it is run."""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

import croupier
from croupier.cli.app import app, register_all
from tests.cli.test_commands import Run, run
from tests.once import made_once

__all__ = ["run"]

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
WRITTEN = ("index.md", "reference/library.md", "examples/notebooks/paytables.ipynb", "tutorials/notebook.md")
"""Looked at as they are shown; all others are read, and their links followed, which is most of the work."""


def built(folder: Path, kind: str, *pages: str, source: Path = DOCS) -> str:
    """What the generator complains about."""
    command = [sys.executable, "-m", "sphinx", "-q", "-b", kind, "-c", str(DOCS), "-d", str(folder / "read")]
    named = [str(source / page) for page in pages]
    ran = subprocess.run(
        [*command, str(source), str(folder / kind), *named], capture_output=True, text=True, check=False, cwd=folder
    )
    return ran.stdout + ran.stderr


@pytest.fixture(scope="module")
def site() -> tuple[Path, str]:
    """Where it lies, and what the generator complained about."""

    def make(folder: Path) -> tuple[Path, str]:
        said = built(folder, "dummy")
        shown = built(folder, "html", *WRITTEN).splitlines(keepends=True)
        return folder / "html", said + "".join(line for line in shown if "the index will be incomplete" not in line)

    return made_once("documentation", make)


def test_every_page_is_in_the_navigation_and_every_link_and_anchor_leads_somewhere(site: tuple[Path, str]) -> None:
    """The generator says all of it; the test below shows that it does."""
    assert site[1] == ""


def test_what_is_broken_is_told(tmp_path: Path) -> None:
    source = tmp_path / "docs"
    source.mkdir()
    (source / "index.md").write_text("# Front\n\n[one](gone.md), [two](alone.md#nowhere)\n", encoding="utf-8")
    (source / "alone.md").write_text("# Alone\n", encoding="utf-8")
    said = built(tmp_path, "dummy", source=source)
    assert "index.md:3: WARNING: 'myst' cross-reference target not found: 'gone.md'" in said
    assert "local id not found in doc 'alone': 'nowhere'" in said
    assert "alone.md: WARNING: document isn't included in any toctree" in said


def test_make_site_takes_a_warning_for_an_error() -> None:
    assert re.search(r"^site:.*\n\t@\$\(BIN\)/sphinx-build -q -W ", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_every_public_name_is_in_the_reference(site: tuple[Path, str]) -> None:
    content = (site[0] / "objects.inv").read_bytes()
    listed = zlib.decompress(content.split(b"\n", 4)[4]).decode()
    found = {line.split()[0] for line in listed.splitlines() if " py:" in line}
    names = {f"croupier.{name}" for name in croupier.__all__ if name != "language"}
    names |= {f"croupier.language.{name}" for name in croupier.language.__all__}
    assert names - found == set()
    assert {"croupier.Odds.house_edge", "croupier.Game.par", "croupier.Round.do"} <= found


def test_every_public_name_says_what_it_is() -> None:
    functions = [getattr(croupier, name) for name in croupier.__all__]
    functions += [getattr(croupier.language, name) for name in croupier.language.__all__]
    own = [each for each in functions if callable(each) and getattr(each, "__module__", "").startswith("croupier")]
    assert [each.__name__ for each in own if not each.__doc__ or each.__doc__.startswith(f"{each.__name__}(")] == []
    members = [
        f"{kind.__name__}.{name}"
        for kind in own
        if isinstance(kind, type) and kind.__module__.startswith("croupier.library")
        for name, member in vars(kind).items()
        if not name.startswith("_") and (callable(member) or isinstance(member, property | classmethod))
        if not member.__doc__
    ]
    assert members == []


def test_it_fetches_nothing(site: tuple[Path, str]) -> None:
    pages = [site[0] / page.replace(".md", ".html").replace(".ipynb", ".html") for page in WRITTEN]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        loads = re.findall(r"<(?:link|script|img|iframe)\b[^>]*?(?:src|href)=\"([^\"]+)\"", text)
        assert len(loads) > 3
        assert [each for each in loads if re.match(r"(?!data:)(\w+:)?//", each)] == []
    for sheet in (site[0] / "_static").rglob("*.css"):
        assert re.findall(r"(?:url\(|@import)\s*[\"']?(?:\w+:)?//", sheet.read_text(encoding="utf-8")) == []
    assert "house_edge" in (site[0] / "searchindex.js").read_text(encoding="utf-8")


def test_its_colors_are_those_of_the_pages() -> None:
    def values(text: str) -> dict[str, str]:
        return dict(re.findall(r"^\s*(--[\w-]+): (#\w+);", text, re.MULTILINE))

    base = (ROOT / "src/croupier/web/pages/static/css/base.css").read_text(encoding="utf-8")
    day, night = base.split("@media (prefers-color-scheme: dark)", 1)
    named = {"--color-highlight-on-target": "--lit-soft"}
    own = (DOCS / "_static" / "site.css").read_text(encoding="utf-8")
    lit, dark = own.split("/* By lamp light */", 1)
    by_data, by_system = dark.split("@media (prefers-color-scheme: dark)", 1)
    for said, room in ((lit, day), (by_data, night.split("by-lamp")[0]), (by_system, night.split("by-lamp")[0])):
        theirs = values(room)
        assert len(values(said)) > 8
        assert {name: theirs.get(named.get(name, name)) for name in values(said)} == values(said)


# Examples

RUN_BY = {
    "guides/adding-a-game.md": "tests/test_docs.py",
    "guides/client.md": "tests/web/test_client.py",
    "guides/library.md": "tests/test_library.py",
}
DOCTESTS = ("index.md", "tutorials/notebook.md")
FOLLOWED = ("tutorials/own-game.md",)


def test_every_page_with_python_is_run_by_somebody() -> None:
    with_python = {
        page.relative_to(DOCS).as_posix()
        for page in PAGES
        if re.search(r"^```py", page.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert with_python == {*RUN_BY, *DOCTESTS, *FOLLOWED}
    assert all(Path(page).name in (ROOT / test).read_text(encoding="utf-8") for page, test in RUN_BY.items())


@pytest.mark.parametrize("page", DOCTESTS)
def test_examples_answer_as_they_say(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = doctest.testfile(str(DOCS / page), module_relative=False)
    assert (found.failed, found.attempted > 1) == (0, True)


def blocks(page: str) -> list[tuple[str, str]]:
    return re.findall(r"^```(\w+)\n(.*?)^```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", FOLLOWED)
def test_a_program_told_in_parts_prints_what_it_shows(page: str) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    printed = ""
    for kind, block in blocks(page):
        if kind == "python":
            assert not printed, "what was printed is shown"
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                exec(compile(block, page, "exec"), names)
            printed = said.getvalue()
        else:
            assert (kind, block) == ("text", printed)
            printed = ""


def test_the_evening_can_be_followed(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    lines: list[str] = []
    shown = 0
    for kind, block in blocks("tutorials/evening.md"):
        if kind == "sh":
            for command in block.splitlines():
                ran = run(*shlex.split(command)[1:])
                assert ran.code == 0, f"{command}: {ran.err}"
                lines = [line.rstrip() for line in ran.out.splitlines()]
        else:
            assert [line for line in block.splitlines() if line not in lines] == []
            shown += 1
    assert shown == 4
    book = (tmp_path / "evening.jsonl").read_text(encoding="utf-8")
    assert '"cents":12500,' in book
    (tmp_path / "changed.jsonl").write_text(book.replace('"cents":12500,', '"cents":12600,', 1), encoding="utf-8")
    told = run("ledger", "verify", "changed.jsonl", "--key", "evening.key.pub")
    assert (told.code, "WRONG" in told.out + told.err) == (1, True)


def commands() -> Iterator[tuple[str, str]]:
    """Every command that a page shows in a block or in a sentence, with its page."""
    for page in [*PAGES, *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md"))]:
        if page.name == "commands.md":
            continue  # the program's own help
        text = page.read_text(encoding="utf-8")
        shown = re.findall(r"^(?:\s*|\$ |\s*[\w.]+ \| )(?:\.venv/bin/)?croupier ([a-z][^\n]*)$", text, re.MULTILINE)
        fenced = "".join(block for block in re.findall(r"^```.*?^```", text, re.DOTALL | re.MULTILINE))
        in_blocks = [line for line in shown if line in fenced or f"    croupier {line}" in text]
        for line in [*in_blocks, *re.findall(r"`croupier ([a-z][^`\n]*)`", text)]:
            if re.fullmatch(r"[a-z ]+ \d", line):
                continue  # the name of a form, as `croupier anchor 1`
            yield page.relative_to(ROOT).as_posix(), line


def mistaken(line: str) -> str:
    """What of a command does not exist."""
    register_all()
    command: Any = typer.main.get_command(app)
    words = re.sub(r"'[^']*'|\"[^\"]*\"", "VALUE", re.split(r"\s#\s|\s{3,}", line)[0]).split()
    while words and hasattr(command, "commands"):
        if words[0].startswith("-"):
            break  # an option of the group itself
        if words[0] not in command.commands:
            return f"no command {words[0]!r}"
        command = command.commands[words.pop(0)]
    known = {name for param in command.params for name in (*param.opts, *param.secondary_opts)} | {"--help"}
    options = [word.partition("=")[0].strip("'\"),.;:") for word in words if re.match(r"-{1,2}[a-z]", word)]
    return ", ".join(f"no option {option}" for option in options if option not in known)


def test_commands_that_pages_show_exist() -> None:
    shown = list(commands())
    assert len(shown) > 200
    assert [(page, line, fault) for page, line in shown if (fault := mistaken(line))] == []


def test_a_command_that_does_not_exist_is_seen() -> None:
    assert mistaken("od supreme-99") == "no command 'od'"
    assert mistaken("odds supreme-99 --paytabel 4") == "no option --paytabel"
    assert mistaken("ledger verifyy x.jsonl") == "no command 'verifyy'"
    assert mistaken("odds supreme-99 --paytable 4 # every line") == ""
