"""One module knows how a row is written: it reads at three speeds, and no other module takes a row's text apart."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import croupier
from croupier.ledger.rows import DEEPEST, at_of, is_too_deep, read_head, read_moved, read_row, read_transfers
from tests.audit.books import busy_floor, raw

SOURCE = Path(croupier.__file__).parent
OWNER = SOURCE / "ledger" / "rows.py"
ENTRIES = busy_floor().entries
TAKES_APART = {
    "a slice": r"\bbody\[|\bbody\.(?:partition|rpartition|split|find|index|startswith|endswith|replace)\(",
    "a pattern": r"\.(?:search|match|fullmatch|findall)\((?:row\.)?body",
    "words in it": r"\bin (?:row\.)?body\b(?![:.])",
    "JSON": r"(?:json\.loads|_read\w*|decode)\((?:row|first|last)\.body\b",
    "a key": r"""['"]\\?"(?:kind|transfers|facts|number|before|command)\\?":""",
}
OTHER_BODIES = {"web/floor/history.py": "_read_kept(row.body)", "reports/sheet.py": "*body[:MOST_IN_PRINT]"}
"""What is called a body and is no row: plots that are kept beside the books, and a table in print."""
FOLDERS = ("ledger", "store", "floor", "audit", "reports", "web", "cli", "demo")


@pytest.mark.parametrize("way", TAKES_APART)
def test_no_other_module_takes_a_row_apart(way: str) -> None:
    wrong = []
    for path in (path for folder in FOLDERS for path in sorted((SOURCE / folder).rglob("*.py")) if path != OWNER):
        name = path.relative_to(SOURCE).as_posix()
        code = re.sub(r'"""(?:.|\n)*?"""', "", path.read_text(encoding="utf-8"))
        code = code.replace(OTHER_BODIES.get(name, "\0"), "")
        wrong += [f"{name}: {line.strip()}" for line in code.splitlines() if re.search(TAKES_APART[way], line)]
    assert not wrong


def test_every_speed_reads_the_same() -> None:
    for entry, (digest, body) in zip(ENTRIES, raw(ENTRIES), strict=True):
        head, moved, row = read_head(body), read_moved(body), read_row(body)
        names = ("number", "at", "command", "kind", "before")
        for name in names:
            assert getattr(head, name) == getattr(moved, name) == getattr(row, name) == getattr(entry, name)
        written = [tuple(each.as_list()) for each in entry.transfers]
        assert moved.moved == row.moved == read_transfers(bytes(moved.transfers)) == written
        assert row.entry(digest) == entry
        assert at_of(body) == entry.at


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b"\xff", b'{"at":5}'])
def test_what_is_no_row_is_refused_at_every_speed(body: bytes) -> None:
    for read in (read_head, read_moved, read_row):
        with pytest.raises(ValueError, match=r"JSON|Object|Expected|Input|Invalid|invalid"):
            read(body)
    assert at_of(body) == ""


def test_how_deep_a_row_is_does_not_depend_on_the_interpreter() -> None:
    assert not any(is_too_deep(body) for _, body in raw(ENTRIES))
    for opened, closed in ((b"[", b"]"), (b'{"a":', b"}")):
        assert not is_too_deep(opened * DEEPEST + b"1" + closed * DEEPEST)
        assert is_too_deep(opened * (DEEPEST + 1) + b"1" + closed * (DEEPEST + 1))
    assert not is_too_deep(b'["' + b"[" * 500 + b'", "\\"[{' + b"[" * 500 + b'"]'), "brackets in a text are none"
    assert not is_too_deep(b"[" + b"[1]," * 500 + b"[1]]"), "many beside one another are not deep"
