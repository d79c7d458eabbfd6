"""The map is true: every file that the architecture page, the glossary and the contributor's pages name is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "croupier"
ARCHITECTURE = ROOT / "docs" / "architecture.md"
PAGES = [ARCHITECTURE, ROOT / "docs" / "glossary.md", *(ROOT / name for name in ("CONTRIBUTING.md", "SECURITY.md"))]
PATH = re.compile(r"`((?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:md|py|toml))`")
"""`floor/writer.py`, `store/`, `pyproject.toml`."""
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([\w-]+))?\)")
TWELVE = 12
WRITTEN = (".py", ".js", ".json", ".toml", ".html")
"""Files that people write."""


def places(text: str) -> list[str]:
    """The files and folders that a text names in backticks; `<game>.md` is a pattern, and no file."""
    return PATH.findall(text)


def is_there(place: str) -> bool:
    return any((root / place).exists() for root in (ROOT, ROOT / "src" / "croupier"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_named_file_is_there(page: Path) -> None:
    assert [place for place in places(page.read_text(encoding="utf-8")) if not is_there(place)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target, heading in LINK.findall(page.read_text(encoding="utf-8")):
        linked = page.parent / target if target else page
        assert linked.exists(), target
        if heading:
            headings = re.findall(r"^#+ (.+)$", linked.read_text(encoding="utf-8"), re.MULTILINE)
            assert heading in [title.lower().replace(" ", "-") for title in headings]


def test_the_page_follows_a_wager_and_a_question_and_places_twelve_changes() -> None:
    """Each step and each change names at least one file."""
    _, *sections = re.split(r"^## ", ARCHITECTURE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    tables = {
        section.splitlines()[0]: re.findall(r"^\| (?!--- )(.+) \|$", section, re.MULTILINE)[1:] for section in sections
    }
    for title in (
        "The way of one wager, from the sensor to the display",
        "The way of one question, from the lab to the count",
    ):
        assert tables[title]
        assert all(places(row) for row in tables[title])
    changes = tables["Where do I change ...?"]
    assert len(changes) == TWELVE
    assert all(places(row) for row in changes)


MADE = {
    "a new role": (
        r"Role\.CASHIER|\bcashiers?\b",
        {"web/pages/templates.py": "a comment"},
    ),
    "a side bet of blackjack": (
        r"(?i)house.money",
        {
            "analysis/par/edges.json": "counted by `make docs`",
            "compliance/approvals/washington-3119.toml": "the house's money, not the wager",
            "demo/desk.py": "the house's money, not the wager",
        },
    ),
    "a rule of blackjack, as a push on dealer 22": (
        r"push_22|\bN?P22\b",
        {"analysis/par/edges.json": "counted by `make docs`"},
    ),
    "a store engine": (
        r"\bis_sqlite\b|\bof_sqlite\b|\bSqliteStore\b|\bPostgresStore\b",
        {"store/postgres/store.py": "an engine itself"},
    ),
    "a flag of `odds`": (
        r"find.hold",
        {"errors.py": "an example in a docstring"},
    ),
    "a rule of a jurisdiction": (
        r"Fact\.(?:REMOVAL_POSTED|DEPOSIT_EVERY|RECONCILED_WITHIN|ONE_PROGRESSIVE|MOST_WAGER|CAMERA_ABOVE|REASONS)\b"
        r"|\bremoval_posted_days\b",
        {},
    ),
    "a progressive wager": (
        r"(?i)\btrilux\b(?!.bonus)",
        {
            "compliance/approvals/washington-3119.toml": "an approval of it",
            "games/table/offering.py": "an example in a docstring",
            "games/table/record.py": "an example in a docstring",
        },
    ),
    "a page": (r"[\"'/]lab[\"'/.]", {}),
    "the order of awards": (
        r"AwardOrder\.|dealers-right|from_the_right",
        {
            "games/blackjack/settlement.py": "the order in which hands are settled",
            "games/head_to_head/acts.py": "the order in which hands are settled",
        },
    ),
    "a new report": (
        r"accrual",
        {
            "compliance/profile.py": "what the law says of it",
            "compliance/profiles/washington/2.toml": "what the law says of it",
        },
    ),
    "a game": (
        r"(?i)mississippi",
        {
            "analysis/par/edges.json": "counted by `make docs`",
            "compliance/approvals/washington-3119.toml": "an approval that does not name it",
        },
    ),
}
"""Changes that were made: how each is known by its name, and where that name stands for no part of the change."""


@pytest.mark.parametrize("change", MADE)
def test_the_files_of_a_change_that_was_made_are_in_its_row(change: str) -> None:
    """House Money, the cashier, the push on 22: wherever such a name stands, the next change of its kind goes."""
    name, elsewhere = re.compile(MADE[change][0]), set(MADE[change][1])
    text = ARCHITECTURE.read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith(f"| {change} | "))
    listed = [root / place for place in places(row) for root in (ROOT, SOURCE)]
    files = [file for root in (SOURCE, ROOT / "regulator") for file in root.rglob("*") if file.suffix in WRITTEN]
    named = {file for file in files if name.search(file.read_text(encoding="utf-8"))}
    left_out = {file for file in named if file not in listed and not set(file.parents) & set(listed)}
    assert {file.relative_to(SOURCE).as_posix() for file in left_out} == elsewhere


def test_decisions_are_listed_by_number_with_their_titles() -> None:
    """Every page once, in order and without a gap; list, name of the file and heading say the same."""
    folder = ROOT / "docs" / "decisions"
    listed = re.findall(
        r"^(\d+)\. \[(.+?)\]\((.+?)\)", (folder / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    pages = sorted(folder.glob("[0-9]*.md"))
    assert [(int(number), name) for number, _, name in listed] == list(enumerate((page.name for page in pages), 1))
    for page, (number, title, _) in zip(pages, listed, strict=True):
        assert page.name.startswith(f"{int(number):04}-")
        assert page.read_text(encoding="utf-8").splitlines()[0] == f"# {number}. {title}"


def test_every_package_is_in_the_picture() -> None:
    text = ARCHITECTURE.read_text(encoding="utf-8")
    picture = set(re.findall(r"\w+", text.split("```text\n")[1].split("```")[0]))
    packages = {path.name for path in (ROOT / "src" / "croupier").iterdir() if (path / "__init__.py").exists()}
    assert packages - picture == set()


def code_words() -> list[tuple[str, str, str]]:
    """Word, meaning and modules."""
    table = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").split("## Code words\n")[1]
    return re.findall(r"^\| ([\w -]+) \| (.+) \| (.+) \|$", table, re.MULTILINE)[2:]


def test_a_code_word_has_one_meaning() -> None:
    words = [word for word, _, _ in code_words()]
    assert len(words) > 30
    assert len(set(words)) == len(words)


@pytest.mark.parametrize(("word", "modules"), [(word, modules) for word, _, modules in code_words()])
def test_a_code_word_is_found_in_its_modules(word: str, modules: str) -> None:
    """In the name of the module or folder, in a docstring, or as a name in the code."""
    named = places(modules)
    assert named
    for place in named:
        path = ROOT / "src" / "croupier" / place
        files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
        text = place + "".join(file.read_text(encoding="utf-8") for file in files)
        plain = word.removeprefix("signed-in ")
        as_class = re.sub("[ -]", "", plain)  # `EntryKind` says entry kind
        assert plain in text.lower() or as_class in text.lower(), f"{place} does not say {word!r}"


OTHERWISE = {
    "Decision": {"games/head_to_head/game.py"},  # a player's
    "Row": {"analysis/blackjack/chart.py", "games/paytable.py"},  # of a chart and of a paytable's text
    "Destination": {"compliance/profile.py"},  # of a prize; the API's description has its name
    "Claim": {"store/lease.py"},  # on a lease
    "Plan": {"analysis/blackjack/splits.py"},  # of a pair
}
"""Classes that have a code word's name and another meaning: fewer are welcome, and none is added."""


def test_a_class_with_the_name_of_a_code_word_is_in_a_module_that_owns_the_word() -> None:
    source = ROOT / "src" / "croupier"
    classes: dict[str, set[str]] = {}
    for path in source.rglob("*.py"):
        for name in re.findall(r"^class (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            classes.setdefault(name, set()).add(path.relative_to(source).as_posix())
    elsewhere = {}
    for word, _, modules in code_words():
        name = "".join(part.capitalize() for part in re.split(r"[ -]", word))
        owners = tuple(places(modules))
        if others := {path for path in classes.get(name, ()) if not path.startswith(owners)}:
            elsewhere[name] = others
    assert elsewhere == OTHERWISE


def test_a_missing_file_is_noticed() -> None:
    """The test itself: it sees files and folders, and knows one that is gone."""
    assert places("`floor/writer.py`, `store/`, `docs/glossary.md` and `lint-imports`, `handle`") == [
        "floor/writer.py",
        "store/",
        "docs/glossary.md",
    ]
    assert is_there("floor/writer.py")
    assert not is_there("floor/no_such_module.py")
    assert not is_there("no_such_folder/")
