"""House rules of the code itself: rules are cited and tested by their number, and modules stay small and portable."""

from __future__ import annotations

import ast
import re
import subprocess
from collections import Counter
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

from croupier import games
from croupier.games.catalogue import ALL_GAMES
from croupier.games.rulebook import RULES, paragraphs

for module in walk_packages(games.__path__, "croupier.games."):
    import_module(module.name)  # whatever cites a rule

ROOT = Path(__file__).resolve().parents[1]
MODULES = sorted((ROOT / "src").rglob("*.py"))
MOST_LINES = 600

MACHINE_PATH = re.compile(r"(?<![\w.])/(?:root|work|home)(?![\w-])")
REGISTRY = re.compile(r"https?://[^\s\"'<>)]*(?:pypi|pythonhosted|npm|debian|ubuntu|mirror|artifactory)", re.IGNORECASE)


def tracked_files() -> list[Path]:
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]


# Rules


@pytest.mark.parametrize("key", list(ALL_GAMES))
def test_cited_paragraphs_are_in_the_rulebook(key: str) -> None:
    numbers = {paragraph.number for paragraph in paragraphs(key)}
    assert numbers_cited(key) - numbers == set()


def test_rules_are_cited_for_games_only() -> None:
    assert {citation.split()[0] for citation in RULES} == set(ALL_GAMES)


@pytest.mark.parametrize("key", list(ALL_GAMES))
def test_cited_paragraphs_have_a_test_of_their_number(key: str) -> None:
    assert numbers_cited(key) - numbers_tested(key) == set()


@pytest.mark.parametrize("key", list(ALL_GAMES))
def test_tests_are_named_by_paragraphs_of_the_rulebook(key: str) -> None:
    assert numbers_tested(key) - {paragraph.number for paragraph in paragraphs(key)} == set()


@pytest.mark.parametrize("key", list(ALL_GAMES))
def test_paragraphs_are_numbered_without_gaps(key: str) -> None:
    numbers = [tuple(map(int, paragraph.number.split("."))) for paragraph in paragraphs(key)]
    per_section = Counter(section for section, _ in numbers)
    assert list(per_section) == list(range(1, len(per_section) + 1))
    assert numbers == [(section, n) for section, count in per_section.items() for n in range(1, count + 1)]


def numbers_cited(key: str) -> set[str]:
    return {number for game, number in map(str.split, RULES) if game == key}


def numbers_tested(key: str) -> set[str]:
    folder, name = ROOT / "tests" / "games", key.replace("-", "_")
    files = sorted((folder / name).glob("test_paragraphs*.py")) or [folder / "titles" / f"test_{name}.py"]
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    names = re.findall(r"^def test_(\w+)", text, re.MULTILINE)
    found = {name: re.match(r"(\d+)_(\d+)_", name) for name in names}
    assert all(found.values()), f"not named by a paragraph: {[name for name, match in found.items() if not match]}"
    return {f"{match[1]}.{match[2]}" for match in found.values() if match}


# Modules


@pytest.mark.parametrize("module", MODULES, ids=[str(path.relative_to(ROOT)) for path in MODULES])
def test_a_module_is_short_and_opens_with_its_purpose(module: Path) -> None:
    source = module.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= MOST_LINES
    assert ast.get_docstring(ast.parse(source)), "a module opens with a sentence that says what it is"


# Files


def test_files_name_no_machine_and_no_registry() -> None:
    found = []
    for path in tracked_files():
        if "vendor" in path.parts:  # the libraries of others, as they came
            continue
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue
        found += [
            f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
            for number, line in enumerate(lines, start=1)
            if MACHINE_PATH.search(line) or REGISTRY.search(line)
        ]
    assert not found


def test_numba_stays_in_the_kernels() -> None:
    """Compiled loops know arrays only, so the compiler has one room."""
    elsewhere = [
        path
        for path in (ROOT / "src").rglob("*.py")
        if "kernels" not in path.parts and re.search(r"^\s*(import|from) numba", path.read_text(encoding="utf-8"), re.M)
    ]
    assert not elsewhere
