"""An anchor reads back from every form it has; what is altered or mistyped is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import CroupierError, RecordError
from croupier.ledger.anchor import Anchor, AnchorLine, Anchors, SignedAnchor, ranges, read_anchors
from croupier.ledger.timestamp import imprint_fits

KEY = Ed25519PrivateKey.from_private_bytes(b"1" * 32)
ANCHOR = Anchor(
    "0123456789abcdef",
    "feedf00d",
    31,
    "2026-11-15T20:30:00.123456Z",
    "day",
    "2026-11-15",
    {"site": (12, "ab" * 32), "link:High Limit": (4711, "cd" * 32)},
)
SIGNED = ANCHOR.signed(KEY)


def test_it_reads_back_from_json_and_from_armor(tmp_path: Path) -> None:
    stamped = replace(SIGNED, stamps=(b"a stamp",))
    for each in (SIGNED, stamped):
        assert SignedAnchor.of_json(each.as_json()) == each
        each.check()
        (tmp_path / "mail.txt").write_text(f"Hello,\n{each.armored()}")
        assert read_anchors([tmp_path / "mail.txt"]).signed == [each]
    both = Anchors()
    both.add(SIGNED, stamped)
    assert (len(both), both.signed) == (1, [stamped])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("purpose", "croupier ledger checkpoint 1"),
        ("site", "0123"),
        ("series", "x" * 8),
        ("number", 0),
        ("number", True),
        ("number", "31"),
        ("at", "yesterday"),
        ("why", "because"),
        ("day", "2026-13-01"),
        ("books", {}),
        ("books", {"link:main": [1, "ab" * 32]}),
        ("books", {"site": [0, "ab" * 32]}),
        ("books", {"site": [1, "ab"]}),
        ("books", {"site": [1, "ab" * 32, 3]}),
        ("more", 1),
    ],
)
def test_another_form_is_refused(name: str, value: Any) -> None:
    with pytest.raises(RecordError, match="cannot be read"):
        Anchor.of_json({**ANCHOR.body(), name: value})


def test_an_altered_anchor_is_refused() -> None:
    for forged in (replace(SIGNED, anchor=replace(ANCHOR, number=32)), replace(SIGNED, signature="00" * 64)):
        with pytest.raises(RecordError, match="its signature is not that of its content"):
            forged.check()


def test_a_line_reads_back_however_it_is_spaced() -> None:
    line = ANCHOR.line()
    text = line.text()
    assert text.startswith("CROUPIER-ANCHOR 1 0123456789abcdef 2026-11-15 site=12 link:High%20Limit=4711 ")
    for typed in (text, text.replace(" ", "\n   "), f"  {text}  ", text.replace("-", "")[:8] + text[8:]):
        assert AnchorLine.of_text(typed) == line
    assert (
        AnchorLine.of_text(
            text.replace("-", "-\n").replace("CROUPIER-\n", "CROUPIER-").replace("2026-\n11-\n15", "2026-11-15")
        )
        == line
    )
    digest = text.split()[-2]
    assert AnchorLine.of_text(text.replace(digest, digest.replace("-", "").upper())) == line


@given(st.integers(0, 400), st.sampled_from("0123456789abcdef=: -x"))
def test_a_slip_of_the_fingers_is_found(place: int, other: str) -> None:
    text = ANCHOR.line().text()
    place %= len(text)
    typed = text[:place] + other + text[place + 1 :]
    try:
        line = AnchorLine.of_text(typed)
    except RecordError:
        return
    assert line == ANCHOR.line(), typed


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader_of_lines(text: str) -> None:
    with pytest.raises(RecordError):
        AnchorLine.of_text(f"CROUPIER-ANCHOR {text}")


@given(st.binary(max_size=300))
def test_no_file_breaks_the_reader(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("kept") / "file"
    path.write_bytes(content)
    with pytest.raises(CroupierError):
        read_anchors([path])


@given(st.binary(max_size=200))
def test_no_answer_breaks_the_reader_of_timestamps(answer: bytes) -> None:
    with pytest.raises(RecordError):
        imprint_fits(answer, b"text")


def test_it_cannot_go_back() -> None:
    later = replace(ANCHOR, number=32, books={**ANCHOR.books, "site": (13, "ef" * 32), "link:new": (1, "01" * 32)})
    assert later.goes_back(ANCHOR) == ""
    assert "site stands at entry 12, and anchor 32 says entry 13" in ANCHOR.goes_back(later)
    other = replace(ANCHOR, books={**ANCHOR.books, "site": (12, "ef" * 32)})
    assert "the book was cut or is another" in other.goes_back(ANCHOR)


def test_missing_numbers_are_named_in_short() -> None:
    assert ranges([2, 5, 6, 7, 9]) == "2, 5 to 7, 9"
    kept = Anchors()
    for number in (2, 3, 6):
        kept.add(replace(ANCHOR, number=number).signed(KEY))
    assert kept.numbers_missing() == ["1, 4 to 5 of series feedf00d"]
