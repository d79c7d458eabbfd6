"""The board's lines: cut anywhere they are the same, and a disturbed one is never taken for another."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.bridge.wire import (
    LONGEST,
    BoardLine,
    Framer,
    Lit,
    NotOfTheWire,
    Press,
    SignIn,
    Swipe,
    board_line,
    crc_of,
    framed,
    said_by,
)

TEXTS = st.text(st.characters(min_codepoint=32, max_codepoint=126, exclude_characters="*"), min_size=1, max_size=60)
NONE: frozenset[int] = frozenset()


def said(text: str) -> object:
    return said_by(board_line(f"a1 7 {text}"))


def test_the_check_sum_is_the_one_that_every_maker_of_boards_has() -> None:
    assert crc_of("123456789") == "29B1"  # the check value that catalogues of CRCs print for CRC-16/CCITT-FALSE
    assert framed("ACK 7f3a 12") == b"ACK 7f3a 12*" + crc_of("ACK 7f3a 12").encode() + b"\n"


@given(st.lists(TEXTS, max_size=5), st.lists(st.integers(0, 400), max_size=8))
def test_lines_are_the_same_wherever_they_are_cut(texts: list[str], cuts: list[int]) -> None:
    whole, framer, found = b"".join(map(framed, texts)), Framer(), list[str | None]()
    edges = sorted({0, len(whole), *(cut for cut in cuts if cut < len(whole))})
    for begin, end in pairwise(edges):
        found += framer.feed(whole[begin:end])
    assert found == texts


@given(TEXTS, st.integers(0, 100), st.integers(1, 255))
def test_a_line_with_one_wrong_byte_is_not_believed(text: str, at: int, change: int) -> None:
    good = framed(text)
    at %= len(good) - 1
    bad = good[:at] + bytes([good[at] ^ change]) + good[at + 1 :]
    assert all(line is None for line in Framer().feed(bad))


@given(st.binary(max_size=600).filter(lambda noise: b"\n" not in noise))
def test_after_noise_the_next_line_is_read(noise: bytes) -> None:
    framer = Framer()
    lines = [*framer.feed(noise), *framer.feed(b"\n"), *framer.feed(framed("a1 1 START"))]
    assert lines[-1] == "a1 1 START"


def test_a_line_without_an_end_is_not_kept_for_ever() -> None:
    framer = Framer()
    assert not list(framer.feed(b"x" * (LONGEST + 50)))
    assert list(framer.feed(b"y\n")) == [None]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("SEATS 1,2,4", Lit(frozenset({1, 2, 4}), NONE, whole=True)),
        ("SEATS -", Lit(NONE, NONE, whole=True)),
        ("LIT 3", Lit(frozenset({3}), NONE)),
        ("DARK 3", Lit(NONE, frozenset({3}))),
        ("START", Press("start", {})),
        ("END", Press("end", {})),
        ("CALL", Press("call", {})),
        ("HAND 4 2", Press("enter", {"seat": 4, "line": "2"})),
        ("HAND 4 Three 7's", Press("enter", {"seat": 4, "line": "Three 7's"})),
        ("BACK 4", Press("take-back", {"seat": 4})),
        ("CARD ;1234?", Swipe(";1234?")),
        ("DEALER dan", SignIn("dan")),
    ],
)
def test_every_word_of_the_board(text: str, what: object) -> None:
    assert said(text) == what


@pytest.mark.parametrize(
    "text", ["LIT", "LIT 0", "LIT 21", "LIT x", "SEATS 1,,2", "HAND 4", "HAND x 1", "START 1", "CARD", "STOP", "BACK"]
)
def test_what_is_no_word_of_the_board_is_refused_with_what_is(text: str) -> None:
    with pytest.raises(NotOfTheWire):
        said(text)


@pytest.mark.parametrize(
    "text", ["", "START", "a1 START", "a1 x START", "a_1 1 START", "a1 1 start", "a" * 17 + " 1 END"]
)
def test_what_is_no_line_is_refused(text: str) -> None:
    with pytest.raises(NotOfTheWire, match="BOOT SEQ WORD"):
        board_line(text)


def test_a_line_has_its_time_number_and_word() -> None:
    assert board_line("7f3a 12 HAND 4 Three 7's") == BoardLine("7f3a", 12, "HAND", "4 Three 7's")


def test_sensors_add_up() -> None:
    lit = Lit(frozenset({1, 2}), NONE, whole=True).after(frozenset({5}))
    assert Lit(NONE, frozenset({1})).after(Lit(frozenset({3}), NONE).after(lit)) == {2, 3}
