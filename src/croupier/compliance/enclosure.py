"""The enclosures of an approval, sentence by sentence: what each asks for, and what in this program does it.

    for enclosure in shipped_enclosures():
        print(enclosure.document, enclosure.missing())

The documents are no part of the program. What is kept of them is a fingerprint of each sentence, in order, so that
whoever has a document can hold it against the file: `compared(enclosure, text)`. Every sentence belongs to a row, which
says its rule in our words, or to what is set aside with a reason: letterheads, artwork, the noise of a scan.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import Any

from croupier.errors import RecordError
from croupier.games.rulebook import rulebook_folder

FOLDER = "enclosures"
LETTER = "letter"
"""The letter, which every document carries before its rules; its rows are kept once."""
DIGITS = 8
"""Of SHA-256, in hexadecimal: enough to tell a few hundred sentences apart."""


# The sentences of a text

_ITEM = re.compile(r"\s*(?:[-•o.e]\s|-?\s*\(?\d{1,2}[.)]\s|-?\s*[a-z][.)]\s|[IVX]+\.\s)")
_END = re.compile(r"(?<=[.!?])(?<!\bvs\.)(?<!\be\.g\.)(?<!\bMs\.)(?<!\bS\.)[\"')]*\s+(?=[\"'(A-Z0-9])")
_PLAIN = str.maketrans("‘’“”–—", "''\"\"--")


def sentences_of(text: str) -> Iterator[str]:
    """In their order: one of a paragraph ends with its full stop, a line of a table is one, a number alone is none."""
    for block in _blocks(text):
        plain = unicodedata.normalize("NFKC", block).translate(_PLAIN)
        plain = " ".join(re.sub(r"</?\w+>|[*_#^{}|<>]", "", plain).split())
        yield from (sentence for sentence in _END.split(plain) if re.search("[a-z]{2}", _words(sentence)))


def _blocks(text: str) -> Iterator[str]:
    """Lines that belong together: paragraphs, items of a list, and each line of a table for itself."""
    held: list[str] = []
    for line in [*text.splitlines(), ""]:
        alone = "\t" in line.rstrip()
        if held and (alone or not line.strip() or _ITEM.match(line)):
            yield " ".join(held)
            held = []
        if alone:
            yield line.replace("\t", " ")
        elif line.strip():
            held.append(line.strip())


def _words(sentence: str) -> str:
    return re.sub(r"[^a-z0-9%$]+", " ", sentence.lower()).strip()


def fingerprint(sentence: str) -> str:
    """Of its words and figures alone: neither marks, nor capitals, nor the breaks of lines matter."""
    return hashlib.sha256(_words(sentence).encode()).hexdigest()[:DIGITS]


# What is kept of a document


@dataclass(frozen=True)
class EnclosureRow:
    """One rule of a document, which may be several of its sentences."""

    at: str
    """Its number in the document, or its place."""
    sentences: tuple[int, ...]
    says: str
    """In our words."""
    does: str
    """What the program does for it, or how it helps whoever has to."""
    paragraphs: tuple[str, ...]
    """Of the rulebook: `triple-shot-rummy 3.1`."""
    tests: tuple[str, ...] = ()
    """Of this program: `tests/FILE.py::test_name`."""
    asked: tuple[str, ...] = ()
    """Who asks people for what no program can do: `condition KEY`, `trainer KIND`, `checklist CALL`."""
    cannot: str = ""
    """Why no program can do it."""


@dataclass(frozen=True)
class EnclosureSection:
    title: str
    rows: tuple[EnclosureRow, ...]


@dataclass(frozen=True)
class Aside:
    """Sentences that are no rules."""

    sentences: tuple[int, ...]
    why: str


@dataclass(frozen=True)
class Enclosure:
    document: str
    title: str
    fingerprints: tuple[str, ...]
    sections: tuple[EnclosureSection, ...]
    asides: tuple[Aside, ...]
    letter: tuple[int, ...] = ()
    """The sentences of the letter that stands before the rules."""

    @property
    def rows(self) -> tuple[EnclosureRow, ...]:
        return tuple(row for section in self.sections for row in section.rows)

    def missing(self) -> list[str]:
        """What is wrong with the book-keeping: a sentence without a row, with two, or none of the document's."""
        placed = Counter(
            number
            for numbers in (
                *(row.sentences for row in self.rows),
                *(remark.sentences for remark in self.asides),
                self.letter,
            )
            for number in numbers
        )
        every = range(1, len(self.fingerprints) + 1)
        return [
            *(f"Sentence {number} of document {self.document} has no row." for number in every if not placed[number]),
            *(f"Sentence {number} of document {self.document} has two rows." for number in every if placed[number] > 1),
            *(f"Document {self.document} has no sentence {number}." for number in placed if number not in every),
        ]

    def as_json(self) -> dict[str, Any]:
        return {
            "document": self.document,
            "title": self.title,
            "sentences": len(self.fingerprints),
            "fingerprints": list(self.fingerprints),
            "letter": list(self.letter),
            "sections": [
                {
                    "title": section.title,
                    "rows": [
                        {
                            **{"at": row.at, "sentences": list(row.sentences), "says": row.says, "does": row.does},
                            **{"paragraphs": list(row.paragraphs), "tests": list(row.tests)},
                            **{"asked": list(row.asked), "cannot": row.cannot},
                        }
                        for row in section.rows
                    ],
                }
                for section in self.sections
            ],
            "set_aside": [{"sentences": list(remark.sentences), "why": remark.why} for remark in self.asides],
        }


@dataclass(frozen=True)
class Difference:
    """Where a text is not the document that the rows were made for."""

    sentence: int
    """Of the document."""
    is_in_text: bool
    """A sentence that the document does not have; else one of the document's that is not there."""
    said: str = ""

    def __str__(self) -> str:
        if self.is_in_text:
            return (
                f"After sentence {self.sentence} there is one that the document on file does not have: {self.said!r}."
            )
        return f"Sentence {self.sentence} of the document on file is not there."


def compared(enclosure: Enclosure, text: str) -> list[Difference]:
    """What the text has that the document on file has not, and the other way round; nothing where both are the same."""
    sentences = list(sentences_of(text))
    prints, kept = [fingerprint(sentence) for sentence in sentences], enclosure.fingerprints
    differences: list[Difference] = []
    for tag, i, j, k, m in SequenceMatcher(a=kept, b=prints, autojunk=False).get_opcodes():
        if tag != "equal":
            differences += [Difference(number, is_in_text=False) for number in range(i + 1, j + 1)]
            differences += [Difference(j, is_in_text=True, said=sentence) for sentence in sentences[k:m]]
    return differences


# Files


@cache
def shipped_enclosures() -> tuple[Enclosure, ...]:
    """The letter, and the documents in the order of their numbers."""
    paths = sorted((rulebook_folder() / FOLDER).glob("*.toml"), key=lambda path: (path.stem != LETTER, path.stem))
    return tuple(read_enclosure(path.read_text(encoding="utf-8"), path.name) for path in paths)


def read_enclosure(text: str, source: str) -> Enclosure:
    """Read a file of rows; what is wrong with it is said with its name and, where there is one, the row's."""
    try:
        values = tomllib.loads(text)
        return Enclosure(
            values["document"],
            values["title"],
            tuple(values["fingerprints"].split()),
            tuple(EnclosureSection(value["title"], tuple(map(_row, value["row"]))) for value in values["section"]),
            tuple(Aside(_numbers(value["sentences"]), value["why"]) for value in values.get("aside", ())),
            _numbers(values.get("letter", "")),
        )
    except tomllib.TOMLDecodeError as error:
        raise RecordError(f"{source} is no TOML: {error}.") from None
    except (KeyError, TypeError, AttributeError) as error:
        raise RecordError(f"{source} lacks {error}: see the files beside it.") from None
    except ValueError as error:
        raise RecordError(f"{source}: {error}") from None


def _row(values: Mapping[str, Any]) -> EnclosureRow:
    row = EnclosureRow(
        values["at"],
        _numbers(values["sentences"]),
        values["says"],
        values["does"],
        tuple(values["paragraphs"]),
        tuple(values.get("tests", ())),
        tuple(values.get("asked", ())),
        values.get("cannot", ""),
    )
    if not row.tests and not row.asked:
        raise ValueError(f"row {row.at} names neither a test nor who asks for it.")
    if row.cannot and not row.asked:
        raise ValueError(f"row {row.at} cannot be done by a program, and nobody asks for it.")
    return row


def _numbers(text: str) -> tuple[int, ...]:
    """`3, 5-7` are 3, 5, 6 and 7."""
    numbers: list[int] = []
    for part in filter(None, re.split(r"[,\s]+", text)):
        match = re.fullmatch(r"(\d{1,4})(?:-(\d{1,4}))?", part, re.ASCII)
        if not match:
            raise ValueError(f"{part!r} is no number of a sentence: write 3 or 5-7.")
        numbers += range(int(match[1]), int(match[2] or match[1]) + 1)
    return tuple(numbers)


# In print


def in_markdown(enclosure: Enclosure, beside: Path | None = None) -> str:
    """The rows as a page; `beside` is where the rulebook's pages are, seen from there."""
    name = "The letter" if enclosure.document == LETTER else f"Document {enclosure.document}"
    set_aside = sum(len(remark.sentences) for remark in enclosure.asides)
    own = f"{len(enclosure.fingerprints)} sentences"
    letter = f", {len(enclosure.letter)} of them the letter before its rules" if enclosure.letter else ""
    lines = [
        f"# {name}, sentence by sentence: {enclosure.title}",
        "",
        f"{own}{letter}, and {set_aside} that are no rules. Each rule is said in our own words, with its paragraph of "
        "the rulebook and the test that shows it, or with the reason why no program can do it and who asks people for "
        "it instead. The document is no part of the program: a fingerprint of each of its sentences is, and "
        "the command `croupier sentences` holds a text against them.",
    ]
    for section in enclosure.sections:
        lines += ["", f"## {section.title}", ""]
        lines += ["| rule | sentences | what it says | what the program does | rulebook | shown or asked by |"]
        lines += ["| --- | --- | --- | --- | --- | --- |"]
        lines += [_in_table(row, beside) for row in section.rows]
    if enclosure.asides:
        lines += ["", "## Set aside", "", "| sentences | why they are no rules |", "| --- | --- |"]
        lines += [f"| {spans(remark.sentences)} | {remark.why} |" for remark in enclosure.asides]
    return "\n".join(lines) + "\n"


def _in_table(row: EnclosureRow, beside: Path | None) -> str:
    does = f"{row.does} No program can: {row.cannot}." if row.cannot else row.does
    shown = [f"`{test}`" for test in row.tests] + list(row.asked)
    cited = [_cited(paragraph, beside) for paragraph in row.paragraphs]
    return f"| {row.at} | {spans(row.sentences)} | {row.says} | {does} | {', '.join(cited)} | {'<br>'.join(shown)} |"


def _cited(paragraph: str, beside: Path | None) -> str:
    page, _, number = paragraph.partition(" ")
    return f"[{page} {number}]({(beside / page).as_posix()}.md)" if beside else paragraph


def spans(numbers: tuple[int, ...]) -> str:
    """3, 5, 6 and 7 are `3, 5-7`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(span[0]) if len(span) == 1 else f"{span[0]}-{span[-1]}" for span in runs)
