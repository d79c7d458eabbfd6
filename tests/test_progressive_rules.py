"""Document 000, sentence by sentence: every rule has its row in the table, and every row a test that is there."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference" / "progressive-rules.md"
LIST = ROOT / "tests" / "rules_of_document_000.toml"
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


@dataclass(frozen=True)
class Row:
    section: str
    rule: str
    says: str
    does: str
    tests: tuple[tuple[str, str], ...]


def rows_of(text: str) -> list[Row]:
    """The tables of the page, under the headings of its sections."""
    found, section = list[Row](), ""
    for line in text.splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("| ") else []
        if len(cells) == 4 and cells[0] not in ("rule", "---"):
            rule, says, does, shown = cells
            found.append(Row(section, rule, says, does, tuple(NAMED.findall(shown))))
    return found


def listed() -> Mapping[str, list[str]]:
    """By the title of a section, its rules."""
    sections = tomllib.loads(LIST.read_text(encoding="utf-8")).values()
    return {section["title"]: section["rules"] for section in sections}


@cache
def named_in(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8")) if (ROOT / path).is_file() else ast.Module([], [])
    return frozenset(each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef))


def wrong_with(text: str) -> list[str]:
    """What the page lacks, or has too much."""
    rows, wrong = rows_of(text), list[str]()
    for section, rules in listed().items():
        there = [row.rule for row in rows if row.section == section]
        wrong += [f"{section} has no row for {rule}" for rule in rules if rule not in there]
        wrong += [
            f"{section} has {rule} twice, or out of its list"
            for rule in there
            if there.count(rule) != 1 or rule not in rules
        ]
    wrong += [f"{row.section} is no section" for row in rows if row.section not in listed()]
    for row in rows:
        if not (row.says and row.does and row.tests):
            wrong.append(f"{row.section} {row.rule} says nothing, or names no test")
        wrong += [
            f"{row.section} {row.rule} names {path}::{name}, which is not there"
            for path, name in row.tests
            if name not in named_in(path)
        ]
    return wrong


def test_every_rule_has_its_row_and_every_row_a_test_that_is_there() -> None:
    assert wrong_with(PAGE.read_text(encoding="utf-8")) == []


def test_rows_follow_the_document() -> None:
    rows = rows_of(PAGE.read_text(encoding="utf-8"))
    for section, rules in listed().items():
        assert [row.rule for row in rows if row.section == section] == rules


def test_the_list_is_the_documents() -> None:
    """How many numbered rules, recommendations and conditions it has; numbers with letters follow their number."""
    assert {title: len(rules) for title, rules in listed().items()} == {
        "Blazing 7's Progressive, player's cards only": 23,
        "Blazing 7's Progressive, dealer's up card": 22,
        "TriLux Blackjack Progressive": 17,
        "Recommendations": 8,
        "Conditions": 7,
    }
    for rules in listed().values():
        assert len(set(rules)) == len(rules)


TEXT = PAGE.read_text(encoding="utf-8")
LINES = [line for line in TEXT.splitlines() if NAMED.search(line)]


@pytest.mark.parametrize("line", LINES, ids=[line.split("|")[1].strip() for line in LINES])
def test_a_row_that_is_missing_is_noticed(line: str) -> None:
    place = TEXT.index(line + "\n")
    assert [each for each in wrong_with(TEXT[:place] + TEXT[place + len(line) + 1 :]) if "has no row for" in each]


@pytest.mark.parametrize(
    ("change", "noticed"),
    [
        (("test_pressing_the_hand_again_takes_it_back", "test_that_nobody_has_written"), "which is not there"),
        (("tests/floor/link/test_cycle.py", "tests/floor/link/test_nothing.py"), "which is not there"),
        (("| 12h |", "| 12i |"), "has no row for 12h"),
        (("## Recommendations", "## Hints"), "Hints is no section"),
    ],
)
def test_what_is_wrong_with_a_row_is_noticed(change: tuple[str, str], noticed: str) -> None:
    assert any(noticed in each for each in wrong_with(TEXT.replace(*change)))
