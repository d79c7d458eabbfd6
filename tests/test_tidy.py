"""House rules of the code itself: rules are cited and tested by their number, and the tree keeps its shape.

The rules of the tree are in `CONTRIBUTING.md`. An exception is listed here with its reason; an exception that is no
longer needed fails too.
"""

from __future__ import annotations

import ast
import re
import subprocess
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from textwrap import dedent

import pytest

from croupier import games
from croupier.cli.app import MODULES as COMMANDS
from croupier.games.catalogue import ALL_GAMES
from croupier.games.rulebook import RULES, paragraphs
from croupier.games.script.game import ScriptGame

for module in walk_packages(games.__path__, "croupier.games."):
    import_module(module.name)  # whatever cites a rule

ROOT = Path(__file__).resolve().parents[1]
MODULES = sorted((ROOT / "src").rglob("*.py"))

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
    assert {citation.split()[0] for citation in RULES} <= set(ALL_GAMES)


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
    """By the functions that carry a paragraph out, and by a definition that is data."""
    game = ALL_GAMES[key]
    data = set(game.cited) if isinstance(game, ScriptGame) else set()
    return {number for of, number in map(str.split, RULES) if of == key} | data


def numbers_tested(key: str) -> set[str]:
    folder, name = ROOT / "tests" / "games", key.replace("-", "_")
    files = sorted((folder / name).glob("test_paragraphs*.py")) or [folder / "titles" / f"test_{name}.py"]
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    names = re.findall(r"^def test_(\w+)", text, re.MULTILINE)
    found = {name: re.match(r"(\d+)_(\d+)_", name) for name in names}
    assert all(found.values()), f"not named by a paragraph: {[name for name, match in found.items() if not match]}"
    return {f"{match[1]}.{match[2]}" for match in found.values() if match}


# The tree


MOST_LINES = 600
MOST_MODULES = 12
SLIVER = 80
"""A public module below so many lines that a single other module imports belongs into that one."""

LISTS = {
    "analysis/kernels": "compiled loops, one for each thing that is sampled or solved",
    "analysis/blackjack": "the solver: one mathematics of solver, pairs, splits and charts, sixteen parts of it",
    "cli": "a file for each command",
    "floor/link": "the link's state with what it rests on, and a file for each kind of act",
    "games/titles": "a file for each game",
    "reports": "a file for each report",
    "web/floor": "a file of routes for each part of the floor",
}
"""Folders beyond a dozen modules, each a list of like things."""

SMALL = {
    "audit/comply.py": "the answer from the books alone: of a store, and of a file that was exported",
    "analysis/kernels/bankroll.py": "numba stays in its folder, and the caller is outside",
}
"""Public modules below 80 lines with one importer."""

NOUNS_IN_ING = {
    "analysis/printing.py": "how figures are printed",
    "cli/table/drawing.py": "a drawing of the table",
    "games/table/offering.py": "what a house offers (glossary)",
    "web/cluster/forwarding.py": "forwarding, as networks call it",
}
"""Modules in -ing whose name is a noun."""

DISCOVERED = {
    "library": "a name of the library is found by the table in the package's own module",
    "analysis/shapes": "an analyst is found by the shape of the game",
    "games/titles": "a game is found by the name of its file",
}
"""Folders whose modules are found by being there."""

EXPORTS = {
    "__init__.py": "the names of the library",
    "library/language.py": "the words in which a person writes a game",
    "client/__init__.py": "the names that a user of the client imports",
    "cli/__init__.py": "`main`, the entry of the command",
}
"""Where `__all__` may stand: at the door of what others install."""

SOURCE = ROOT / "src" / "croupier"


def name_of(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


@cache
def imports() -> dict[str, set[str]]:
    """By module of the source, the modules of the source that it imports, wherever in it: `floor/house.py`."""
    modules = {}
    for path in MODULES:
        parts = path.relative_to(ROOT / "src").with_suffix("").parts
        modules[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = name_of(path)
    graph: dict[str, set[str]] = {}
    for path in MODULES:
        names = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert not node.level, f"{path}: a module is imported by its full name"
                below = {f"{node.module}.{alias.name}" for alias in node.names}
                names |= (below & modules.keys()) or {str(node.module)}
        graph[name_of(path)] = {modules[name] for name in names & modules.keys()}
    return graph


def public_modules() -> list[str]:
    return [name for name in imports() if not Path(name).name.startswith("_")]


def check(offenders: set[str], exceptions: Collection[str], rule: str) -> None:
    """Nothing offends but what is listed, and nothing is listed without need."""
    assert offenders - set(exceptions) == set(), rule
    assert set(exceptions) - offenders == set(), "no exception any more: take it off the list"


@pytest.mark.parametrize("module", MODULES, ids=[name_of(path) for path in MODULES])
def test_a_module_is_short_and_opens_with_its_purpose(module: Path) -> None:
    source = module.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= MOST_LINES
    assert ast.get_docstring(ast.parse(source)), "a module opens with a sentence that says what it is"


def test_a_folder_holds_a_dozen_modules_unless_they_are_a_list_of_like_things() -> None:
    sizes = Counter(Path(name).parent.as_posix() for name in imports() if Path(name).name != "__init__.py")
    large = {folder for folder, modules in sizes.items() if modules > MOST_MODULES}
    check(large, LISTS, "make a folder of what belongs together")


def test_no_sliver_stands_beside_its_only_importer() -> None:
    importers = Counter(name for imported in imports().values() for name in imported)
    lines = {name: len((SOURCE / name).read_text(encoding="utf-8").splitlines()) for name in public_modules()}
    slivers = {name for name in public_modules() if lines[name] < SLIVER and importers[name] == 1}
    check(slivers, SMALL, "merge it into the module that imports it")


def test_every_module_is_imported_or_is_a_command() -> None:
    imported = {name for names in imports().values() for name in names}
    commands = {f"cli/{module}.py" for module in COMMANDS.values()}
    found = {name for name in public_modules() if Path(name).parent.as_posix() in DISCOVERED}
    assert set(public_modules()) - imported - commands - found == set(), "nothing uses it"


def test_a_private_module_is_imported_by_its_own_folder() -> None:
    outside = {
        name
        for name, imported in imports().items()
        for private in imported
        if Path(private).name.startswith("_") and Path(private).name != "__init__.py"
        if Path(private).parent != Path(name).parent
    }
    check(outside, [], "ask a public module of that folder")


def test_a_module_is_named_by_a_noun() -> None:
    check(
        {name for name in public_modules() if Path(name).stem.endswith("ing")},
        NOUNS_IN_ING,
        "name the thing, not the doing",
    )


def test_a_name_is_imported_from_where_it_is_defined() -> None:
    exporting = {
        name_of(path) for path in MODULES if re.search(r"^__all__\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    check(exporting, EXPORTS, "import the name from its module, and drop `__all__`")


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
        for path in MODULES
        if "kernels" not in path.parts and re.search(r"^\s*(import|from) numba", path.read_text(encoding="utf-8"), re.M)
    ]
    assert not elsewhere


# Words


def test_nothing_below_the_command_line_speaks_of_its_options() -> None:
    """An error carries the field's name, and each edge words it: `players` in a request, `--players` in a command."""
    below = [path for path in MODULES if "cli" not in path.parts]
    spoken = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in below
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if re.search(r"(?<![\w-])--[a-z]", line)
    ]
    assert len(below) > 100
    assert not spoken


FOREIGN = re.compile(
    r"\b(in the mean|goes? without|may go without|apart by|confess\w*|vouch\w*|four eyes|nonetheless|any more"
    r"|o(?:n|ff) line since|(?:is|are) o(?:n|ff) line|cannot be set so|by now"
    # spelled as in Britain
    r"|enrol|enrols|enrolment|licences?|practis(?:e[sd]?|ing)|(?:un)?favour\w*|neighbour\w*|colours?|centres?|centred"
    r"|behaviours?|honours?|cheques?|programmes?|judgements?|(?:recog|organ|real|author|summar|minim|maxim)is(?:e[sd]?|ing)"
    r")\b(?![-/])",
    re.IGNORECASE,
)
"""Words that nobody in the trade says, or spells so. Kinds, addresses and files that have them stay as they are."""
QUOTED = re.compile(r"`[^`\n]+`|\"[\w.-]+\":|A licence or an approval that ends soon")
"""Names of the program, and what an edition of a profile says, which stays as it was when sites chose it."""
READ = [
    *(ROOT / "src/croupier/web/pages/strings").rglob("*.json"),
    *(ROOT / "docs" / folder for folder in ("reference/commands.md", "glossary.md", "index.md")),
    *(path for folder in ("guides", "tutorials", "explanation") for path in (ROOT / "docs" / folder).glob("*.md")),
    *(ROOT / name for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md")),
]
"""What people read who are no programmers, beside the sentences of the program."""


def test_what_people_read_is_in_the_words_of_the_trade() -> None:
    told = [(str(path.relative_to(ROOT)), QUOTED.sub("", path.read_text(encoding="utf-8"))) for path in READ]
    told += [(f"{name_of(path)}:{line}", text) for path in MODULES for line, text in sentences_of(path)]
    assert len(told) > 5_000
    assert [(where, match[0]) for where, text in told for match in FOREIGN.finditer(text)] == []


def sentences_of(path: Path) -> Iterator[tuple[int, str]]:
    """The texts of a module that are not docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value


VAGUE = {"each", "found", "made", "said"}
"""Once they stood for some 1,600 things. Fields of records may keep them: they are written in files and answers."""


def test_a_local_says_what_it_holds() -> None:
    vague = [
        f"{path.relative_to(ROOT)}:{number}: {name}"
        for path in MODULES
        for number, name in locals_of(ast.parse(path.read_text(encoding="utf-8")))
        if name in VAGUE
    ]
    assert not vague


def test_locals_are_found_wherever_they_are_bound() -> None:
    source = """
        class Record:
            made: str

        def function(said, *each):
            with opened() as found:
                return [made for made in found if (found := said)], lambda each: each
        """
    bound = [name for _, name in locals_of(ast.parse(dedent(source)))]
    assert sorted(bound) == ["each", "each", "found", "found", "made", "said"]


def locals_of(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The line and name of everything that a function, a loop or an expression binds, parameters too."""
    fields = {
        id(statement.target)
        for record in ast.walk(tree)
        if isinstance(record, ast.ClassDef)
        for statement in record.body
        if isinstance(statement, ast.AnnAssign)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in fields:
            yield node.lineno, node.id
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg


def test_every_field_that_a_sentence_names_is_declared() -> None:
    """`{players}` in the sentence of an error is one of its fields, so that no edge shows the braces."""
    declaring = 0
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Raise) or not isinstance(node.exc, ast.Call):
                continue
            sentence = "".join(text for part in node.exc.args for text in texts_of(part))
            named = set(re.findall(r"\{(\w+)\}", sentence))
            declared = {text for each in node.exc.keywords if each.arg == "fields" for text in texts_of(each.value)}
            assert named == declared, f"{path.relative_to(ROOT)}:{node.lineno}"
            declaring += bool(declared)
    assert declaring > 10


def texts_of(part: ast.AST) -> list[str]:
    return [each.value for each in ast.walk(part) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
