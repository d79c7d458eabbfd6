"""The end of a day, signed: a book that was made anew from some row on does not agree with it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.audit.balance import balance, checkpoint_of, checkpoint_on, read_day, superseding
from croupier.audit.export import export
from croupier.audit.verify import Report, verify
from croupier.errors import CroupierError, NotationError, RecordError
from croupier.ledger.checkpoint import (
    Checkpoint,
    SignedCheckpoint,
    fingerprint,
    new_key,
    public_hex,
    public_path,
    read_private,
    read_public,
)
from croupier.ledger.entry import Entry
from croupier.ledger.file import checkpoint_line, read_checkpoints
from support.room import LinkBook
from tests.audit.books import MAIN, Kept, busy_floor, house_site, raw, resealed

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
        ((), "no checkpoint of link:main"),
        ((made.signed(OTHER),), "another key"),
        ((replace(made, number=0).signed(KEY),), "numbered from 1"),
        ((replace(made, number=-7).signed(KEY),), "numbered from 1"),
        ((replace(made, day="2026-11-14").signed(KEY),), "of a later day"),
        ((replace(made, balances={}).signed(KEY),), "another book"),
        ((replace(made, number=99).signed(KEY),), "ends at"),
        ((at_the_end(ENTRIES[:9]).signed(KEY),), "before the day's last entry"),
        ((replace(made.signed(KEY), signature="00"),), "altered"),
    ):
        assert words in found(tmp_path, *signed).wrong


def test_what_is_signed_and_what_is_not_is_said_of_each_book(tmp_path: Path) -> None:
    """Ten entries on the day before; the rest is unsigned, and so is the other book."""
    entries = resealed(ENTRIES, 1, lambda _: None)
    entries = [replace(each, at=each.at.replace("-15T", "-14T")) if each.number <= 10 else each for each in entries]
    entries = resealed(entries, 1, lambda _: None)
    signed = at_the_end(entries[:10], "2026-11-14").signed(KEY)
    [book] = found(tmp_path, signed, entries=entries).books
    unsigned = f"{len(ENTRIES) - 10} entries after it are unsigned"
    assert str(book.signed) == f"signed to 2026-11-14, entry 10, by the key {fingerprint(PUBLIC)}; {unsigned}"
    assert book.as_json()["signed"]["unsigned_after"] == len(ENTRIES) - 10
    other = LinkBook(name="other").entries
    export(Kept(link_main=entries, link_other=other), [MAIN, "link:other"], tmp_path / "two.jsonl", [signed])
    assert "no checkpoint of link:other" in verify(tmp_path / "two.jsonl", key=PUBLIC).wrong
    report = verify(tmp_path / "two.jsonl")
    assert (report.wrong, report.books[1].signed) == ("", None)


def test_a_fingerprint_is_of_the_keys_bytes() -> None:
    assert fingerprint("00" * 32) == "6668 7aad f862 bd77"
    assert fingerprint("zz") == "?"


def test_the_sites_book_is_signed_too(tmp_path: Path) -> None:
    site = house_site()
    made = checkpoint_on("site", raw(site), read_day(DAY), "2026-11-16T01:00:00.000000Z")
    assert (made.number, made.digest, made.balances) == (
        len(site),
        site[-1].digest,
        {"bank": 10**15, "floor": -(10**15)},
    )
    export(Kept(site=site), ["site"], tmp_path / "site.jsonl", [made.signed(KEY)])
    report = verify(tmp_path / "site.jsonl", key=PUBLIC)
    assert (report.wrong, report.checkpoints) == ("", 1)


@pytest.mark.parametrize(
    ("now", "later", "grace", "words"),
    [
        ("2026-11-15T23:59:59.000000Z", False, 10, "not over yet"),
        ("2026-11-16T00:00:30.000000Z", False, 10, "may still be on its way: sign from 00:10"),
        ("2026-11-16T00:09:59.000000Z", False, 10, "may still be on its way"),
        ("2026-11-16T00:10:00.000000Z", False, 10, ""),
        ("2026-11-16T00:00:30.000000Z", True, 10, ""),
        ("2026-11-16T00:00:30.000000Z", False, 0, ""),
    ],
)
def test_a_day_is_signed_once_no_entry_of_it_can_come(now: str, later: bool, grace: int, words: str) -> None:
    rows = raw(_with_a_later_day() if later else ENTRIES)
    if words:
        with pytest.raises(CroupierError, match=words):
            checkpoint_on(MAIN, rows, read_day(DAY), now, grace)
    else:
        assert checkpoint_on(MAIN, rows, read_day(DAY), now, grace).number <= len(ENTRIES)


def _with_a_later_day() -> list[Entry]:
    return [*ENTRIES[:-1], replace(ENTRIES[-1], at="2026-11-16T00:00:01.000000Z").sealed()]


def test_a_day_that_had_one_more_entry_is_signed_again_with_a_reason(tmp_path: Path) -> None:
    early, last = at_the_end(ENTRIES[:-2]), at_the_end()
    kept = [early.signed(KEY)]
    with pytest.raises(CroupierError, match="say with reason why"):
        superseding(last, kept, " ")
    with pytest.raises(CroupierError, match="already"):
        superseding(last, [last.signed(KEY)], "Why not.")
    made = superseding(last, kept, "An act of 23:59 was durable after midnight.")
    assert (made.supersedes, made.number) == (early.number, len(ENTRIES))
    assert SignedCheckpoint.of_json(made.signed(KEY).as_json()).checkpoint == made
    assert "before the day's last entry" in found(tmp_path, *kept, last.signed(KEY)).wrong
    report = found(tmp_path, *kept, made.signed(KEY))
    assert (report.wrong, report.checkpoints) == ("", 2)
    assert report.books[0].signed is not None
    assert report.books[0].signed.number == len(ENTRIES)


def test_superseding_does_not_let_what_was_signed_be_changed(tmp_path: Path) -> None:
    early, last = at_the_end(ENTRIES[:-2]), at_the_end()
    again = superseding(last, [early.signed(KEY)], "Late.")
    forged = replace(early, digest="0" * 64).signed(KEY)
    assert "another book" in found(tmp_path, forged, again.signed(KEY)).wrong
    assert "not in the file" in found(tmp_path, again.signed(KEY)).wrong
    assert "before the day's last entry" in found(tmp_path, early.signed(OTHER), again.signed(KEY), key=None).wrong


STRANGE: dict[str, list[Any]] = {
    "number": [True, 1.0, "1", None, float("inf")],
    "day": ["2026-11-31", "today", "\ud800", 5],
    "stream": ["\ud800", "link:\x1b[2J", 5, "link:" + "x" * 600],
    "balances": [[], {"meter": 1.5}, {"meter": True}, {"\ud800": 1}, None],
    "digest": [5],
    "purpose": ["x"],
    "more": [1],
    "supersedes": [3],
}
AGAIN = [{"supersedes": number, "reason": reason} for number, reason in ((3, " "), (99, "x"), (0, "x"), (True, "x"))]


@pytest.mark.parametrize(
    "change", [*({name: value} for name, values in STRANGE.items() for value in values), *AGAIN], ids=ascii
)
def test_a_strange_checkpoint_cannot_be_read(change: dict[str, Any]) -> None:
    values = at_the_end().signed(KEY).as_json()
    values["checkpoint"] |= change
    with pytest.raises(RecordError, match="A checkpoint"):
        SignedCheckpoint.of_json(values)


def test_junk_checkpoints_are_refused_at_the_first(tmp_path: Path) -> None:
    """Not after all of them were read, and no more than a house can have."""
    path, signed = tmp_path / "main.jsonl", at_the_end().signed(KEY)
    export(Kept(link_main=ENTRIES), [MAIN], path, [signed])
    header, _, *rest = path.read_bytes().splitlines(keepends=True)
    for junk, words in (
        (replace(signed, signature="00"), "altered"),
        (replace(signed, key="00" * 32), "does not name"),
        (replace(at_the_end(), stream="link:x").signed(KEY), "not in the file"),
    ):
        many = header.replace(b'"checkpoints":1', b'"checkpoints":50000')
        path.write_bytes(many + checkpoint_line(junk) + b"{}\n" * 49_999 + b"".join(rest))
        assert words in verify(path).wrong
    path.write_bytes(header.replace(b'"checkpoints":1', b'"checkpoints":600000'))
    assert "0 to 100,000" in verify(path).wrong


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
