"""The end of a day, signed: a book that was made anew from some row on does not agree with it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.errors import CroupierError, NotationError, RecordError
from croupier.progressive.checkpoints import (
    Checkpoint,
    SignedCheckpoint,
    new_key,
    public_hex,
    public_path,
    read_private,
    read_public,
)
from croupier.progressive.export import checkpoint_line, export, read_checkpoints
from croupier.progressive.ledger import Entry
from croupier.progressive.verifying import Report, balance, checkpoint_of, verify
from tests.progressive.ledger_support import MAIN, Kept, busy_floor, raw, resealed

ENTRIES = busy_floor().entries
KEY, OTHER = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
PUBLIC = public_hex(KEY.public_key())
DAY = ENTRIES[0].at[:10]


def at_the_end(entries: list[Entry] = ENTRIES, day: str = DAY) -> Checkpoint:
    return checkpoint_of(MAIN, day, balance(MAIN, raw(entries))[0])


def found(path: Path, *signed: SignedCheckpoint, entries: list[Entry] = ENTRIES, key: str | None = PUBLIC) -> Report:
    export(Kept(link_main=entries), [MAIN], path / "main.jsonl", signed)
    return verify(path / "main.jsonl", key=key)


def test_a_signed_checkpoint_reads_back_and_agrees(tmp_path: Path) -> None:
    signed = at_the_end().signed(KEY)
    signed.check()
    assert SignedCheckpoint.of_json(signed.as_json()) == signed
    report = found(tmp_path, signed)
    assert (report.wrong, report.checkpoints, report.keys) == ("", 1, [PUBLIC])


def test_any_change_breaks_the_signature() -> None:
    made = at_the_end()
    signed = made.signed(KEY)
    for changed in (
        *(replace(made, stream="link:x"), replace(made, day="2026-11-16"), replace(made, number=1)),
        *(replace(made, digest="0" * 64), replace(made, balances={})),
    ):
        with pytest.raises(RecordError, match="altered"):
            replace(signed, checkpoint=changed).check()
    for broken in (replace(signed, signature="00" * 64), replace(signed, key="zz"), replace(signed, signature="")):
        with pytest.raises(RecordError, match="altered"):
            broken.check()


def test_a_book_made_anew_does_not_agree(tmp_path: Path) -> None:
    """The rules find nothing wrong with another client's id; the signature does."""
    other = resealed(ENTRIES, 30, lambda values: values.update(command="other"))
    assert found(tmp_path, entries=other, key=None).right
    report = found(tmp_path, at_the_end().signed(KEY), entries=other)
    assert "another book" in report.wrong
    assert report.wrong_row == len(ENTRIES)


def test_checkpoints_that_prove_nothing(tmp_path: Path) -> None:
    made = at_the_end()
    for signed, words in (
        ((), "no checkpoint"),
        ((made.signed(OTHER),), "another key"),
        ((replace(made, balances={}).signed(KEY),), "another book"),
        ((replace(made, number=99).signed(KEY),), "ends at"),
        ((at_the_end(ENTRIES[:9]).signed(KEY),), "before the day's last entry"),
        ((replace(made.signed(KEY), signature="00"),), "altered"),
    ):
        assert words in found(tmp_path, *signed).wrong


def test_keys_are_for_their_owner(tmp_path: Path) -> None:
    path = tmp_path / "site.pem"
    key = new_key(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_public(path) == read_public(public_path(path)) == public_hex(key.public_key())
    assert public_hex(read_private(path).public_key()) == public_hex(key.public_key())
    with pytest.raises(CroupierError, match="never written over"):
        new_key(path)
    path.chmod(0o640)
    with pytest.raises(CroupierError, match="read by others"):
        read_private(path)


def test_files_that_hold_no_key(tmp_path: Path) -> None:
    path = tmp_path / "x.pem"
    for content in (b"", b"nonsense", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"):
        path.write_bytes(content)
        path.chmod(0o600)
        with pytest.raises(NotationError, match="no private Ed25519 key"):
            read_private(path)
        with pytest.raises(NotationError, match="Ed25519 key"):
            read_public(path)
    with pytest.raises(CroupierError, match="no file"):
        read_public(tmp_path / "none")
    with pytest.raises(CroupierError, match="cannot be written"):
        new_key(tmp_path / "no" / "where")


def test_a_file_of_checkpoints_reads_back(tmp_path: Path) -> None:
    path, signed = tmp_path / "days", [at_the_end().signed(KEY), at_the_end(day="2026-11-16").signed(KEY)]
    path.write_bytes(b"".join(map(checkpoint_line, signed)))
    assert read_checkpoints(path) == signed
    path.write_bytes(path.read_bytes() + b"{}\n")
    with pytest.raises(RecordError, match="Line 3"):
        read_checkpoints(path)
    with pytest.raises(CroupierError, match="no file"):
        read_checkpoints(tmp_path / "none")
