"""Anchors in every form in which they leave the house, held against an export by both verifiers."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from typer.testing import CliRunner

from croupier.audit.export import export
from croupier.cli.app import app
from croupier.errors import CroupierError
from croupier.floor.site.notes import ITSELF, NoteKey
from croupier.floor.site.site import Site
from croupier.ledger.anchor import Anchor, AnchorLine, SignedAnchor, books_digest, site_id
from croupier.ledger.checkpoint import public_hex
from croupier.ledger.entry import Entry
from croupier.ledger.timestamp import Request
from tests.audit.books import MAIN, Kept, busy_floor, house_site, housed
from tests.audit.stamping import stamping

PROGRAM = Path(__file__).parents[2] / "regulator" / "verify_ledger.py"
KEY = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
SITE_BOOK, LINK_BOOK = house_site(), busy_floor(housed()).entries
DAYS = 30


def signed_days(key: Ed25519PrivateKey = KEY, first: int = 1, last: int = DAYS) -> list[SignedAnchor]:
    """One a day: the link's book is longer by an entry each."""
    found = []
    for number in range(first, last + 1):
        entry = LINK_BOOK[number + 2]
        books = {
            "site": (len(SITE_BOOK), SITE_BOOK[-1].digest),
            MAIN: (entry.number, entry.digest),
        }
        day = f"2026-11-{number:02}"
        anchor = Anchor(site_id(SITE_BOOK[0].digest), "0badcafe", number, f"{day}T23:00:00Z", "day", day, books)
        found.append(anchor.signed(key))
    return found


def file_of(tmp_path: Path, entries: int = len(LINK_BOOK), site: list[Entry] | None = None) -> Path:
    path = tmp_path / f"export-{entries}.jsonl.gz"
    export(Kept(site=site or SITE_BOOK, link_main=LINK_BOOK[:entries]), ["site", MAIN], path)
    return path


def ours(*arguments: object) -> tuple[int, str]:
    found = CliRunner().invoke(app, ["ledger", "verify", *map(str, arguments)])
    if isinstance(found.exception, CroupierError):  # the command itself prints its sentence
        return 1, str(found.exception)
    assert found.exception is None or isinstance(found.exception, SystemExit), found.output
    return found.exit_code, found.output


def theirs(*arguments: object) -> tuple[int, str]:
    """As a regulator runs it: Python alone."""
    command = [sys.executable, "-I", "-S", str(PROGRAM), *map(str, arguments)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    return ran.returncode, ran.stdout + ran.stderr


both = pytest.mark.parametrize("verify", [ours, theirs])
Verify = Callable[..., tuple[int, str]]


def mail_of(signed: SignedAnchor, encoding: str = "7bit") -> bytes:
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["To"] = "Anchor", "house@example.org", "regulator@example.org"
    mail.set_content(f"Words before.\n\n{signed.armored()}\nWords after.\n", cte=encoding)
    return mail.as_bytes()


def in_folder(tmp_path: Path, anchors: list[SignedAnchor]) -> Path:
    folder = tmp_path / "folder"
    folder.mkdir()
    for each in anchors:
        (folder / f"anchor-{each.anchor.number}.json").write_bytes(each.json_line())
    return folder


@both
@pytest.mark.parametrize(
    "form", ["lines", "folder", "mail", "quoted mail", "packed mail", "printable mail", "webhook", "pretty", "typed"]
)
def test_every_form_is_read(form: str, verify: Verify, tmp_path: Path) -> None:
    anchors, kept = signed_days(), tmp_path / "kept"
    if form == "folder":
        kept = in_folder(tmp_path, anchors)
    elif form == "typed":
        kept.write_text("Notes of the auditor:\n" + "\n".join(each.anchor.line().text() for each in anchors))
    elif form == "lines":
        kept.write_bytes(b"".join(each.json_line() for each in anchors))
    else:
        kept.mkdir()
        for each in anchors:
            content = {
                "mail": mail_of(each),
                "quoted mail": re.sub(rb"(?m)^", b"> ", mail_of(each)),
                "packed mail": mail_of(each, "base64"),
                "printable mail": mail_of(each, "quoted-printable"),
                "webhook": each.json_line(),
                "pretty": json.dumps(each.as_json(), indent=2).encode(),
            }[form]
            (kept / f"{each.anchor.number}.txt").write_bytes(content)
    code, said = verify(file_of(tmp_path), "--anchors", kept)
    assert (code, "WRONG" in said) == (0, False), said
    assert re.search(r"30 anchors met|anchors 30", said), said


@both
def test_thirty_signed_days_cut_to_one_name_those_that_are_missing(verify: Verify, tmp_path: Path) -> None:
    anchors = in_folder(tmp_path, signed_days())
    code, said = verify(file_of(tmp_path, entries=4), "--anchors", anchors)
    assert code == 1
    assert "29 anchors" in said
    for number in range(2, DAYS + 1):
        assert re.search(rf"\b{number} of 2026-11-{number:02}", said), (number, said)


@both
def test_an_anchor_that_is_not_among_them_is_named(verify: Verify, tmp_path: Path) -> None:
    anchors = [each for each in signed_days() if each.anchor.number not in (7, 9, 10)]
    code, said = verify(file_of(tmp_path), "--anchors", in_folder(tmp_path, anchors))
    assert code == 0
    assert re.search(r"NOT PROVED[^\n]*anchors 7, 9(,| to) 10 of series 0badcafe", said), said


@both
def test_another_book_under_the_same_numbers_is_found(verify: Verify, tmp_path: Path) -> None:
    (last,) = signed_days(first=20, last=20)
    forged = replace(last.anchor, books={**last.anchor.books, MAIN: (23, "ab" * 32)}).signed(KEY)
    path = tmp_path / "anchor.json"
    path.write_bytes(forged.json_line())
    code, said = verify(file_of(tmp_path), "--anchors", path)
    assert (code, "is of another book: entry 23 is not as it was" in said) == (1, True), said


@both
def test_an_anchor_that_was_altered_is_found(verify: Verify, tmp_path: Path) -> None:
    path = tmp_path / "anchor.json"
    path.write_bytes(signed_days()[0].json_line().replace(b'"number":1', b'"number":2'))
    code, said = verify(file_of(tmp_path), "--anchors", path)
    assert (code, "its signature is not that of its content" in said) == (1, True), said


@both
def test_two_anchors_of_one_number_are_a_contradiction(verify: Verify, tmp_path: Path) -> None:
    first, second = signed_days(last=2)
    path = tmp_path / "anchors.jsonl"
    path.write_bytes(first.json_line() + replace(second.anchor, number=1).signed(KEY).json_line())
    code, said = verify(file_of(tmp_path), "--anchors", path)
    assert (code, "numbered 1 in series 0badcafe, and they differ" in said) == (1, True), said


@both
def test_an_anchor_of_another_site_or_of_a_book_that_is_not_there(verify: Verify, tmp_path: Path) -> None:
    path, anchor = tmp_path / "anchor.json", signed_days()[0].anchor
    path.write_bytes(replace(anchor, site="0" * 16).signed(KEY).json_line())
    code, said = verify(file_of(tmp_path), "--anchors", path)
    assert (code, "is of another site" in said) == (1, True), said
    path.write_bytes(replace(anchor, books={**anchor.books, "link:gone": (1, "ab" * 32)}).signed(KEY).json_line())
    code, said = verify(file_of(tmp_path), "--anchors", path)
    assert (code, "link:gone" in said) == (1, True), said


@both
def test_with_a_key_every_book_counts_as_signed_by_an_anchor(verify: Verify, tmp_path: Path) -> None:
    file, anchors = file_of(tmp_path), in_folder(tmp_path, signed_days())
    public, other = tmp_path / "site.pub", tmp_path / "other.pub"
    for path, key in ((public, KEY), (other, Ed25519PrivateKey.generate())):
        path.write_bytes(_pem(key))
    code, said = verify(file, "--anchors", anchors, "--key", public)
    assert code == 0, said
    code, said = verify(file, "--anchors", anchors, "--key", other)
    assert (code, "another key than the one given" in said) == (1, True), said


@both
def test_the_key_must_be_on_record_where_any_is(verify: Verify, tmp_path: Path) -> None:
    site = Site.of_entries(SITE_BOOK)
    entry = site.handle(NoteKey(id="key 1", by=ITSELF, key=public_hex(KEY.public_key())), SITE_BOOK[-1].at)
    file, anchors = file_of(tmp_path, site=[*SITE_BOOK, entry]), in_folder(tmp_path, signed_days(last=3))
    assert verify(file, "--anchors", anchors)[0] == 0
    (anchors / "forged.json").write_bytes(signed_days(Ed25519PrivateKey.generate(), 4, 4)[0].json_line())
    code, said = verify(file, "--anchors", anchors)
    assert (code, "signed with a key that the site's book does not know" in said) == (1, True), said


# Printed lines


@both
def test_a_line_is_taken_as_it_is_typed(verify: Verify, tmp_path: Path) -> None:
    file, line = file_of(tmp_path), signed_days()[11].anchor.line().text()
    assert verify(file, "--anchors", line)[0] == 0
    broken = line.replace(" site=", "\n  site=")
    (tmp_path / "typed.txt").write_text(f"From the paper:\n{broken}\n")
    assert verify(file, "--anchors", tmp_path / "typed.txt")[0] == 0
    code, said = verify(file, "--anchors", line.replace("2026-11-12", "2026-11-13"))
    assert (code, "mistyped" in said) == (1, True), said
    code, said = verify(file_of(tmp_path, entries=5), "--anchors", line)
    assert (code, "the book ends at 5" in said) == (1, True), said


@both
def test_a_line_of_another_book_is_found(verify: Verify, tmp_path: Path) -> None:
    books = {"site": (2, SITE_BOOK[1].digest), MAIN: (7, "ab" * 32)}
    line = AnchorLine(site_id(SITE_BOOK[0].digest), "2026-11-15", {"site": 2, MAIN: 7}, books_digest(books))
    code, said = verify(file_of(tmp_path), "--anchors", line.text())
    assert (code, "the entries" in said and "not as they were" in said) == (1, True), said


@both
def test_what_holds_no_anchor_is_refused(verify: Verify, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear regulator, all is well.\n")
    code, said = verify(file_of(tmp_path), "--anchors", tmp_path / "letter.txt")
    assert code != 0
    assert "holds no checkpoint" in said


# Timestamps


def stamped(tmp_path: Path, tamper: Callable[[bytes], bytes] = bytes) -> tuple[Path, Path]:
    with stamping(tmp_path) as (ask, root):
        (signed,) = signed_days(last=1)
        answer = ask(Request(tamper(signed.anchor.text())).content)
    path = tmp_path / "stamped.jsonl"
    path.write_bytes(replace(signed, stamps=(answer,)).json_line())
    return path, root


def test_a_timestamp_is_checked_with_the_servers_certificate(tmp_path: Path) -> None:
    path, root = stamped(tmp_path)
    code, said = ours(file_of(tmp_path), "--anchors", path, "--tsa", root)
    assert (code, "1 timestamp right, the last of anchor 1 at 20" in said) == (0, True), said
    code, said = ours(file_of(tmp_path), "--anchors", path)
    assert (code, "NOT PROVED: whose 1 timestamps of anchors are" in said) == (0, True), said
    code, said = theirs(file_of(tmp_path), "--anchors", path)
    assert (code, "whose 1 timestamps are" in said) == (0, True), said


def test_a_timestamp_under_another_certificate_is_found(tmp_path: Path) -> None:
    path, _ = stamped(tmp_path)
    with stamping(tmp_path / "other") as (_, other):
        code, said = ours(file_of(tmp_path), "--anchors", path, "--tsa", other)
    assert (code, "not signed under the certificate" in said) == (1, True), said


@both
def test_a_timestamp_of_another_text_is_found(verify: Verify, tmp_path: Path) -> None:
    path, _ = stamped(tmp_path, lambda text: text + b" ")
    code, said = verify(file_of(tmp_path), "--anchors", path)
    assert (code, "timestamp" in said and "of another text" in said) == (1, True), said


def _pem(key: Ed25519PrivateKey) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
