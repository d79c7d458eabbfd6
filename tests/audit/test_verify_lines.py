"""Wherever in a file a row is wrong, at its edges or amid it, that row is named; and whatever is no row is refused."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest

from croupier.audit.balance import balance, checkpoint_of
from croupier.audit.export import export
from croupier.audit.verify import verify
from croupier.ledger import file
from croupier.ledger.file import Reader
from croupier.ledger.rows import RawRow
from tests.audit.books import BEFORE, MAIN, Kept, busy_floor, house_site, housed, ledger_file, raw, resealed, written
from tests.ledger.test_checkpoint import KEY

BUSY = busy_floor()
ENTRIES = BUSY.entries
ROWS = raw(ENTRIES)
CONFIGURATION = ENTRIES[-1].facts["configuration"]


def places() -> list[int]:
    """The first and the last rows, and some amid the book."""
    return [1, 2, 30, 31, len(ROWS) // 2, len(ROWS) - 4, len(ROWS)]


# What is right


def test_a_right_file_is_proved_and_every_byte_of_it_ticked(tmp_path: Path) -> None:
    path = written(tmp_path / "main.jsonl", ENTRIES)
    ticks: list[int] = []
    report = verify(path, tick=ticks.append)
    assert (report.wrong, report.books[0].entries) == ("", len(ENTRIES))
    assert sum(ticks) == path.stat().st_size


def test_site_and_links_and_checkpoints_in_one_packed_file(tmp_path: Path) -> None:
    floor, path = busy_floor(housed()), tmp_path / "all.jsonl.gz"
    signed = [checkpoint_of(MAIN, "2026-11-15", balance(MAIN, raw(floor.entries))[0]).signed(KEY)]
    export(Kept(link_main=floor.entries, site=house_site()), ["site", MAIN], path, signed)
    report = verify(path)
    assert (report.wrong, report.unproved, report.checkpoints) == ("", [], 1)


def test_a_checkpoint_that_does_not_hold_is_found_at_its_row(tmp_path: Path) -> None:
    checks = [checkpoint_of(MAIN, "2026-11-15", balance(MAIN, ROWS[:number])[0]) for number in (25, 26)]
    path = tmp_path / "main.jsonl"
    export(Kept(link_main=ENTRIES), [MAIN], path, [each.signed(KEY) for each in checks])
    report = verify(path)
    assert report.wrong_row == 26
    assert "signed before the day's last entry" in report.wrong


# What is wrong


def _altered(rows: list[RawRow], place: int) -> list[RawRow]:
    digest, body = rows[place - 1]
    return [*rows[: place - 1], (digest, body.replace(b'"at":"2026', b'"at":"2025', 1)), *rows[place:]]


def _missing(rows: list[RawRow], place: int) -> list[RawRow]:
    return rows[: place - 1] + rows[place:]


def _doubled(rows: list[RawRow], place: int) -> list[RawRow]:
    return rows[:place] + rows[place - 1 :]


def _foreign(rows: list[RawRow], place: int) -> list[RawRow]:
    return [*rows[: place - 1], (rows[place - 1][0], b"\xff"), *rows[place:]]


def _sealed_anew(rows: list[RawRow], place: int) -> list[RawRow]:
    return raw(resealed(ENTRIES, place, lambda values: values.update(at="2026-11-15T19:00:00.000000Z")))


def _numbered_anew(rows: list[RawRow], place: int) -> list[RawRow]:
    return raw(resealed(ENTRIES, place, lambda values: values.update(number=place + 1)))


def _off_the_chain(rows: list[RawRow], place: int) -> list[RawRow]:
    """Sealed anew by itself, as if after another row."""
    body = BEFORE.sub(b'"before":"%b"' % (b"f" * 64), rows[place - 1][1], count=1)
    return [*rows[: place - 1], (sha256(body).hexdigest(), body), *rows[place:]]


CHEATS = [_altered, _missing, _doubled, _foreign, _sealed_anew, _numbered_anew, _off_the_chain]


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_wrong_row_is_found_wherever_it_stands(
    tmp_path: Path, cheat: Callable[[list[RawRow], int], list[RawRow]]
) -> None:
    for place in places():
        if (cheat, place) in {(_missing, len(ROWS)), (_sealed_anew, 1)}:
            continue  # such a book is shorter, or begins earlier, and is right
        path = ledger_file(tmp_path / "wrong.jsonl", {MAIN: cheat(ROWS, place)}, CONFIGURATION)
        expected = place + 1 if cheat is _doubled else place
        assert verify(path).wrong_row == expected, place


def test_the_first_of_two_wrong_rows_is_the_one_that_is_named(tmp_path: Path) -> None:
    for first in places()[1:-1]:
        rows = _altered(_altered(ROWS, first), first + 1)
        report = verify(ledger_file(tmp_path / "wrong.jsonl", {MAIN: rows}, CONFIGURATION))
        assert (report.wrong_row, "was altered" in report.wrong) == (first, True)


def test_lines_that_are_no_rows_are_found(tmp_path: Path) -> None:
    path = written(tmp_path / "main.jsonl", ENTRIES)
    lines = path.read_bytes().splitlines(keepends=True)
    for place in (2, 14, len(lines) - 1):
        path.write_bytes(b"".join([*lines[:place], b"{}\n", *lines[place:]]))
        assert verify(path).wrong
        path.write_bytes(b"".join(lines[:place]) + lines[place][:-1])
        assert verify(path).wrong


def test_a_truncated_packed_file_is_found(tmp_path: Path) -> None:
    path = written(tmp_path / "main.jsonl.gz", ENTRIES)
    content = path.read_bytes()
    for end in (3, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:end])
        assert "cannot be unpacked any further" in verify(path).wrong


# Lines


def test_a_line_may_be_long_and_the_last_may_lack_its_end(tmp_path: Path) -> None:
    for text in (b"", b"a", b"a\n", b"a" * 9_999 + b"\nb\r\nc", b"\n\n" * 3_000):
        (tmp_path / "x").write_bytes(text)
        packed = tmp_path / "x.gz"
        packed.write_bytes(gzip.compress(text))
        assert _lines(tmp_path / "x") == _lines(packed) == BytesIO(text).readlines()


def _lines(path: Path) -> list[bytes]:
    """All lines of a file that may be none of a ledger, as its reader takes them."""
    reader, lines = Reader(path), list[bytes]()
    with reader.opened():
        while line := reader.next_line():
            lines.append(line)
    return lines


def test_a_line_without_an_end_is_not_read_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "main.jsonl", ENTRIES)
    longest = max(map(len, path.read_bytes().splitlines(keepends=True)))
    monkeypatch.setattr(file, "LONGEST_LINE", longest)
    assert verify(path).right
    monkeypatch.setattr(file, "LONGEST_LINE", longest - 1)
    assert verify(path).wrong
