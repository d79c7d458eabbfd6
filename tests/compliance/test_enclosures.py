"""The enclosures, sentence by sentence: each has its row, and every row names what is there.

The documents are no part of the repository. `CROUPIER_DOCUMENTS=folder` holds the five texts in a folder against the
fingerprints too, by the numbers that their names begin with.
"""

from __future__ import annotations

import ast
import json
import os
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from croupier.cli.app import app
from croupier.compliance.approval import shipped_register
from croupier.compliance.award_checklist import Requirement
from croupier.compliance.enclosure import (
    LETTER,
    Enclosure,
    compared,
    fingerprint,
    in_markdown,
    read_enclosure,
    sentences_of,
    shipped_enclosures,
    spans,
)
from croupier.errors import RecordError
from croupier.games.catalogue import ALL_GAMES
from croupier.games.rulebook import paragraphs, rulebook_folder
from croupier.games.table.questions import Kind
from tests.cli.support import refused, run

ROOT = Path(__file__).parents[2]
ENCLOSURES = {each.document: each for each in shipped_enclosures()}
every_document = pytest.mark.parametrize("document", list(ENCLOSURES))
SENTENCES = {"letter": 67, "000": 384, "001": 178, "002": 229, "003": 171, "004": 89}
NUMBERED = {
    "Blazing 7's Progressive, player's cards only": 23,
    "Blazing 7's Progressive, dealer's up card": 22,
    "TriLux Blackjack Progressive": 17,
    "Recommendations": 8,
}
"""How many numbered rules and recommendations document 000 has of each progressive."""


@cache
def named_in(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8")) if (ROOT / path).is_file() else ast.Module([], [])
    return frozenset(each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef))


@cache
def numbers_in(page: str) -> frozenset[str]:
    return frozenset(each.number for each in paragraphs(page))


def asking() -> set[str]:
    """Everybody who can ask people for something."""
    [letter] = shipped_register().approvals
    conditions = {f"condition {each.key}" for each in letter.conditions}
    return conditions | {f"trainer {kind}" for kind in Kind} | {f"checklist {call}" for call in Requirement}


def wrong_with(enclosure: Enclosure) -> list[str]:
    """What the rows name that is not there."""
    wrong = enclosure.missing()
    for row in enclosure.rows:
        named = [each.split("::") for each in row.tests]
        wrong += [f"{row.at}: there is no {file}::{test}" for file, test in named if test not in named_in(file)]
        cited = [each.split(" ") for each in row.paragraphs]
        wrong += [f"{row.at}: there is no {page} {number}" for page, number in cited if number not in numbers_in(page)]
        wrong += [f"{row.at}: nobody is {each}" for each in row.asked if each not in asking()]
        if not (row.says.endswith(".") and row.does.endswith(".") and row.paragraphs):
            wrong.append(f"{row.at} says or does nothing, or cites no paragraph")
    return wrong


@every_document
def test_every_sentence_has_its_row(document: str) -> None:
    assert wrong_with(ENCLOSURES[document]) == []


def test_fingerprints_are_those_of_all_sentences() -> None:
    assert {each.document: len(each.fingerprints) for each in ENCLOSURES.values()} == SENTENCES
    letter = ENCLOSURES[LETTER]
    for document in ("000", "001", "003"):  # the scans of 002 and 004 broke some lines
        assert ENCLOSURES[document].fingerprints[:67] == letter.fingerprints
        assert ENCLOSURES[document].letter == tuple(range(1, 68))
    assert [each.document for each in shipped_register().approvals[0].enclosures] == list(ENCLOSURES)[1:]


def test_numbered_rules_of_the_progressives_follow_the_document() -> None:
    sections = {section.title: [row.at for row in section.rows] for section in ENCLOSURES["000"].sections}
    assert {title: len(sections[title]) for title in NUMBERED} == NUMBERED
    for rules in sections.values():
        assert len(set(rules)) == len(rules)
    blazing = sections["Blazing 7's Progressive, player's cards only"]
    assert blazing[:3] == ["1", "2", "3"]
    assert blazing[-4:] == ["12d", "12f", "12g", "12h"]  # it has no 12e


@every_document
def test_a_row_that_is_missing_is_noticed(document: str) -> None:
    enclosure = ENCLOSURES[document]
    for place in range(len(enclosure.sections)):
        first, *rest = enclosure.sections[place].rows
        less = replace(enclosure.sections[place], rows=tuple(rest))
        sections = (*enclosure.sections[:place], less, *enclosure.sections[place + 1 :])
        wrong = replace(enclosure, sections=sections).missing()
        assert wrong == [f"Sentence {number} of document {document} has no row." for number in sorted(first.sentences)]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("::test_10_2_", "::test_that_nobody_wrote_", "there is no tests/games/blackjack"),
        ('"blackjack 10.2"', '"blackjack 99.2"', "there is no blackjack 99.2"),
        ('"condition wager-limits"', '"condition of-nobody"', "nobody is condition of-nobody"),
        ('sentences = "70"', 'sentences = "70-71"', "Sentence 71 of document 001 has two rows."),
        ('sentences = "97-178"', 'sentences = "97-179"', "Document 001 has no sentence 179."),
    ],
)
def test_what_is_wrong_with_a_row_is_noticed(old: str, new: str, sentence: str) -> None:
    text = (rulebook_folder() / "enclosures" / "001.toml").read_text(encoding="utf-8")
    assert old in text
    assert any(sentence in each for each in wrong_with(read_enclosure(text.replace(old, new), "001.toml")))


ROW = """
document = "009"
title = "A game"
fingerprints = "aaaaaaaa"
[[section]]
title = "Rules"
[[section.row]]
at = "1"
sentences = "1"
says = "Deal."
does = "Deals."
paragraphs = ["blackjack 3.1"]
tests = ["tests/a.py::test_b"]
"""


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("title = ", "title ", "009.toml is no TOML: "),
        ('at = "1"', 'number = "1"', "009.toml lacks 'at'"),
        ('sentences = "1"', 'sentences = "one"', "'one' is no number of a sentence: write 3 or 5-7."),
        ('tests = ["tests/a.py::test_b"]', "", "row 1 names neither a test nor who asks for it."),
        ('says = "Deal."', 'says = "Deal."\ncannot = "hands"', "row 1 cannot be done by a program, and nobody asks"),
    ],
)
def test_a_wrong_file_is_refused_in_a_sentence(old: str, new: str, sentence: str) -> None:
    assert read_enclosure(ROW, "009.toml").missing() == []
    with pytest.raises(RecordError) as refusal:
        read_enclosure(ROW.replace(old, new, 1), "009.toml")
    assert sentence in str(refusal.value)


# Texts

TEXT = """RULES OF PLAY

1. Players *must* bet.  They may also
   bet on “Red”.
 - a. Exception: none (e.g. on Sundays).

Hand\tPays
Pair\t1 to 1
7\t8

12
"""


def test_sentences_of_a_text() -> None:
    assert list(sentences_of(TEXT)) == [
        "RULES OF PLAY",
        "Players must bet.",
        'They may also bet on "Red".',
        "Exception: none (e.g. on Sundays).",
        "Hand Pays",
        "Pair 1 to 1",
    ]
    assert fingerprint("Players must bet.") == fingerprint("  players MUST bet ") != fingerprint("Players may bet.")


def test_a_text_is_held_against_the_document() -> None:
    prints = tuple(map(fingerprint, sentences_of(TEXT)))
    document = Enclosure("009", "A game", prints, (), ())
    assert compared(document, TEXT.replace("\n", "\r\n")) == []
    [gone, new] = compared(document, TEXT.replace("1 to 1", "2 to 1"))
    assert str(gone) == "Sentence 6 of the document on file is not there."
    assert "After sentence 6 there is one that the document on file does not have: 'Pair 2 to 1'." in str(new)


def test_the_command_tells_a_document_from_another(tmp_path: Path) -> None:
    path = tmp_path / "004.txt"
    path.write_text(TEXT, encoding="utf-8")
    told = CliRunner().invoke(app, ["sentences", "004", "--against", str(path)])
    assert told.exit_code == 1
    assert "Sentence 1 of the document on file is not there." in told.output
    values = json.loads(CliRunner().invoke(app, ["sentences", "004", "--against", str(path), "--json"]).output)
    assert (values["is_the_document"], len(values["differences"])) == (False, 89 + 6)
    assert "did you mean 004" in refused("sentences", "009")
    assert "name it" in refused("sentences", "--against", str(path))


def test_the_command_shows_rows_and_json_has_all_of_them() -> None:
    assert "by people" in run("sentences")
    shown = " ".join(run("sentences", "002").split())
    assert "trainer call" in shown
    assert [each["document"] for each in json.loads(run("sentences", "--json"))] == list(SENTENCES)
    assert json.loads(run("sentences", "001", "--json")) == ENCLOSURES["001"].as_json()


@pytest.mark.skipif("CROUPIER_DOCUMENTS" not in os.environ, reason="the documents are not in the repository")
@pytest.mark.parametrize("document", ["000", "001", "002", "003", "004"])
def test_the_documents_are_those_on_file(document: str) -> None:
    [path] = Path(os.environ["CROUPIER_DOCUMENTS"]).glob(f"{document}_*.txt")
    assert compared(ENCLOSURES[document], path.read_text(encoding="utf-8")) == []


# In print


@every_document
def test_a_page_has_every_row(document: str) -> None:
    enclosure = ENCLOSURES[document]
    page = in_markdown(enclosure, Path("../rulebook"))
    rows = re.findall(r"^\| (?!rule|sentences|---).*\|$", page, re.MULTILINE)
    assert len(rows) == len(enclosure.rows) + len(enclosure.asides)
    assert all(f"| {spans(row.sentences)} | {row.says} | {row.does}" in page for row in enclosure.rows)


def test_every_game_with_a_document_is_in_it_and_no_other_is() -> None:
    cited = {
        each.split(" ")[0] for enclosure in ENCLOSURES.values() for row in enclosure.rows for each in row.paragraphs
    }
    assert cited == {*(game.key for game in ALL_GAMES.values() if game.document), "approval", "progressive"}
