"""With a second process to read the file, the same is proved and the same row found; if it ends early, nothing is."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from hashlib import sha256
from io import BytesIO
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from croupier.audit.balance import balance, checkpoint_of
from croupier.audit.export import export
from croupier.audit.verify import Report, verify
from croupier.errors import CroupierError
from croupier.floor import act
from croupier.ledger import cutting, helping
from croupier.ledger.cutting import cut_row, cut_rows, row_line, whole
from croupier.ledger.file import RawRow
from tests.audit.books import BEFORE, MAIN, Kept, busy_floor, house_site, housed, ledger_file, raw, resealed, written
from tests.floor.link.support import THREE, TWO, Floor
from tests.ledger.test_checkpoint import KEY

BUSY = busy_floor()
ENTRIES = BUSY.entries
ROWS = raw(ENTRIES)
CONFIGURATION = ENTRIES[-1].facts["configuration"]
BLOCK = 2_000
"""Four or five rows of a game."""


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutting, "BLOCK", BLOCK)


def both(path: Path, **more: Any) -> Report:
    """What is said with help, which is what is said without."""
    report = verify(path, **more, helped=True)
    assert report == verify(path, **more, helped=False)
    return report


def edges() -> list[int]:
    """The first and the last row, those where a block ends or begins, and one amid a block."""
    ends = accumulate(len(row_line(digest.encode(), body)) for digest, body in ROWS)
    blocks = [end // BLOCK for end in ends]
    turns = [place for place in range(1, len(ROWS)) if blocks[place] != blocks[place - 1]]
    return sorted({1, 30, *(place + more for place in turns[-1:] for more in (0, 1)), len(ROWS) - 4, len(ROWS)})


# What is right


def test_a_right_file_is_proved_with_help(tmp_path: Path) -> None:
    path = written(tmp_path / "main.jsonl", ENTRIES)
    ticks: list[int] = []
    report = both(path)
    assert (report.wrong, report.books[0].entries) == ("", len(ENTRIES))
    assert verify(path, tick=ticks.append, helped=True).right
    assert sum(ticks) == path.stat().st_size


@pytest.mark.parametrize("block", [BLOCK, 2**18])
def test_site_and_links_and_checkpoints_in_one_packed_file_with_help(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(cutting, "BLOCK", block)
    floor, path = busy_floor(housed()), tmp_path / "all.jsonl.gz"
    signed = [checkpoint_of(MAIN, "2026-11-15", balance(MAIN, raw(floor.entries))[0]).signed(KEY)]
    export(Kept(link_main=floor.entries, site=house_site()), ["site", MAIN], path, signed)
    report = both(path)
    assert (report.wrong, report.unproved, report.checkpoints) == ("", [], 1)


def test_a_checkpoint_that_does_not_hold_is_found_at_its_row_amid_a_block(tmp_path: Path) -> None:
    checks = [checkpoint_of(MAIN, "2026-11-15", balance(MAIN, ROWS[:number])[0]) for number in (25, 26)]
    path = tmp_path / "main.jsonl"
    export(Kept(link_main=ENTRIES), [MAIN], path, [each.signed(KEY) for each in checks])
    report = both(path)
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
def test_a_wrong_row_is_found_at_the_edge_of_a_block(
    tmp_path: Path, cheat: Callable[[list[RawRow], int], list[RawRow]]
) -> None:
    for place in edges():
        if (cheat, place) in {(_missing, len(ROWS)), (_sealed_anew, 1)}:
            continue  # such a book is shorter, or begins earlier, and is right
        path = ledger_file(tmp_path / "wrong.jsonl", {MAIN: cheat(ROWS, place)}, CONFIGURATION)
        expected = place + 1 if cheat is _doubled else place
        assert both(path).wrong_row == expected, place


def test_the_first_of_two_wrong_rows_is_the_one_that_is_named(tmp_path: Path) -> None:
    for first in edges()[1:-1]:
        rows = _altered(_altered(ROWS, first), first + 1)
        report = both(ledger_file(tmp_path / "wrong.jsonl", {MAIN: rows}, CONFIGURATION))
        assert (report.wrong_row, "was altered" in report.wrong) == (first, True)


def test_lines_that_are_no_rows_are_found_with_help(tmp_path: Path) -> None:
    path = written(tmp_path / "main.jsonl", ENTRIES)
    lines = path.read_bytes().splitlines(keepends=True)
    for place in (2, 14, len(lines) - 1):
        path.write_bytes(b"".join([*lines[:place], b"{}\n", *lines[place:]]))
        assert both(path).wrong
        path.write_bytes(b"".join(lines[:place]) + lines[place][:-1])
        assert both(path).wrong


def test_a_truncated_packed_file_is_found_with_help(tmp_path: Path) -> None:
    path = written(tmp_path / "main.jsonl.gz", ENTRIES)
    content = path.read_bytes()
    for end in (3, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:end])
        assert "cannot be unpacked any further" in both(path).wrong


# The other process


@pytest.fixture(scope="module")
def long_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """More than one block."""
    floor = Floor()
    for _ in range(200):
        floor.start(1, 1, 4)
        floor.enter(1, 1, THREE, cards="7d 7h 7s")
        floor.enter(1, 4, TWO)
        floor.end(1)
    return written(tmp_path_factory.mktemp("long") / "main.jsonl", floor.entries)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The processes that were started."""
    made: list[subprocess.Popen[bytes]] = []

    def start(command: Sequence[str], **more: Any) -> subprocess.Popen[bytes]:
        made.append(subprocess.Popen(command, **more))
        return made[-1]

    monkeypatch.setattr(helping, "Popen", start)
    return made


def test_no_proof_where_the_other_process_is_killed(
    long_file: Path, started: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(helping, "PIPE_SIZE", 4_096)  # so that it cannot have said everything
    assert verify(long_file, helped=True).right
    with pytest.raises(CroupierError, match="ended before the file did, so nothing is proved") as raised:
        verify(long_file, tick=lambda _: started[-1].kill(), helped=True)
    assert type(raised.value) is CroupierError
    assert [each.returncode is not None for each in started] == [True, True]


@pytest.mark.parametrize("says", ["", "print(end='\\0')", "print(end='\\0\\0\\0\\5ab')", "raise SystemExit(3)"])
def test_no_proof_where_the_other_process_says_too_little(
    long_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: str
) -> None:
    script = tmp_path / "says.py"
    script.write_text(says)
    monkeypatch.setattr(cutting, "__file__", str(script))
    with pytest.raises(CroupierError, match="nothing is proved"):
        verify(long_file, helped=True)


def test_where_no_process_can_be_started_this_one_reads(long_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def start(*_: Any, **__: Any) -> None:
        raise PermissionError("no processes here")

    monkeypatch.setattr(helping, "Popen", start)
    assert verify(long_file, helped=True) == verify(long_file, helped=False)


def test_it_is_stopped_once_a_row_is_wrong(
    long_file: Path, tmp_path: Path, started: list[subprocess.Popen[bytes]]
) -> None:
    path = tmp_path / "wrong.jsonl"
    path.write_bytes(long_file.read_bytes().replace(b'"round":1,', b'"round":2,', 1))
    assert verify(path, helped=True).wrong_row == 3
    assert started[0].returncode is not None


def test_only_a_large_file_is_worth_it(long_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with long_file.open("rb") as file:
        assert not helping.worth_help(file)
        monkeypatch.setattr(helping, "WORTH_IT", 1_000)
        monkeypatch.setattr("os.cpu_count", lambda: 2)
        assert helping.worth_help(file)
        monkeypatch.setattr("os.cpu_count", lambda: 1)
        assert not helping.worth_help(file)


# Cutting


def test_rows_are_whole_again_and_cut_alike_one_by_one() -> None:
    rows = [(digest.encode(), body) for digest, body in ROWS]
    cut = cut_rows(rows)
    assert cut == [cut_row(*row) for row in rows]
    assert list(map(whole, cut)) == ROWS
    usual = [entry.kind for entry, row in zip(ENTRIES, cut, strict=True) if len(row) > 2]
    assert {*usual} >= {"start", "end", "pay"}


def test_a_row_whose_digest_is_not_its_own_is_not_cut() -> None:
    [(digest, body)] = [(each.digest.encode(), row[1]) for each, row in zip(ENTRIES, ROWS, strict=True)][2:3]
    wrong = b"0" * 64
    assert len(cut_row(digest, body)) > 2
    assert cut_row(wrong, body) == cut_rows([(wrong, body)])[0] == (wrong, body)


def test_an_id_is_as_long_as_acts_allow() -> None:
    assert cutting.LONGEST_ID == act.LONGEST_ID


def test_a_line_may_be_longer_than_a_block_and_end_without_an_end(tmp_path: Path) -> None:
    path = tmp_path / "x"
    for text in (b"", b"a", b"a\n", b"a" * 9_999 + b"\nb\r\nc", b"\n\n" * 3_000):
        path.write_bytes(text)
        with path.open("rb") as file:
            blocks = list(cutting.blocks(file))
        assert b"".join(blocks) == text
        assert all(block.endswith(b"\n") for block in blocks[:-1])
        assert [line for block in blocks for line in cutting.lines(block)] == BytesIO(text).readlines()
